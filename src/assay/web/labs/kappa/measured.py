"""The exact figures of a table, before anything is said about them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from assay.agreement.cells import Cells
from assay.agreement.cohen import chance_terms
from assay.agreement.skew import Skew, skew_of
from assay.web.labs.kappa.figures import cells_of, parts_of
from assay.web.labs.kappa.state import Row, State


@dataclass(frozen=True, slots=True)
class Term:
    """A label's share in chance agreement.

    ``chance`` is in items: row sum × column sum / n; ``part`` is its term of Pe.
    """

    label: str
    row: int
    column: int
    chance: Fraction | None
    observed: int
    difference: Fraction | None
    part: Fraction | None


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Observed and expected agreement, kappa and its ceiling; None where not defined."""

    cells: Cells
    n: int
    agreeing: int
    rows: Row
    columns: Row
    po: Fraction | None
    pe: Fraction | None
    kappa: Fraction | None
    po_max: Fraction | None
    kappa_max: Fraction | None
    skew: Skew
    terms: tuple[Term, ...]

    @property
    def chance(self) -> Fraction | None:
        """Items agreed on by chance."""
        return None if self.pe is None else self.pe * self.n

    @property
    def difference(self) -> Fraction | None:
        """Items agreed on beyond chance."""
        return None if self.chance is None else self.agreeing - self.chance

    @property
    def empty(self) -> bool:
        return self.n == 0

    @property
    def one_label(self) -> int | None:
        """The only label in use by both raters, if there is one."""
        used = [i for i, (r, c) in enumerate(zip(self.rows, self.columns, strict=True)) if r or c]
        return used[0] if len(used) == 1 else None

    def constant(self) -> list[tuple[int, int]]:
        """(rater, label) of raters who used one label only."""
        out = []
        for rater, sums in enumerate((self.rows, self.columns)):
            used = [i for i, n in enumerate(sums) if n]
            if len(used) == 1:
                out.append((rater, used[0]))
        return out


def measured(state: State) -> Measured:
    """Of one state."""
    cells = cells_of(state)
    got = parts_of(cells)
    skew = skew_of(cells)
    n = state.n
    chances = chance_terms(cells)
    terms = []
    for k, (label, part) in enumerate(zip(state.labels, chances, strict=True)):
        chance = part * n if n else None
        observed = state.cells[k][k]
        difference = None if chance is None else observed - chance
        terms.append(
            Term(
                label, state.rows[k], state.columns[k], chance, observed, difference,
                part if n else None,
            )
        )  # fmt: skip
    return Measured(
        cells,
        n,
        cells.agreeing,
        state.rows,
        state.columns,
        None if got is None else Fraction(got.observed),
        None if got is None else Fraction(got.expected),
        None if got is None or got.kappa is None else Fraction(got.kappa),
        skew.observed_maximum,
        skew.maximum,
        skew,
        tuple(terms),
    )

"""Kappa as prevalence or bias varies while the number of agreements stays.

Every point is a table: items move between two cells and nothing else does, and the library
computes kappa of it. So each point can be opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.web.labs.kappa.figures import kappa_at
from assay.web.labs.kappa.state import Row, State

LINE, LINKS = 40, 10
"""Steps of the line, and how many of its points can be opened."""


@dataclass(frozen=True, slots=True)
class Step:
    """A table on the way: how it is reached, where it stands, kappa, and whether it is a link."""

    moved: int
    share: Fraction
    kappa: Fraction | None
    state: State
    link: bool


@dataclass(frozen=True, slots=True)
class Sweep:
    """Items moving from one cell to another; ``first`` and ``second`` are the two labels."""

    first: str
    second: str
    steps: tuple[Step, ...]
    here: Step


def prevalence(state: State) -> Sweep | None:
    """Agreements moving between the two labels that have most of them."""
    diagonal = [state.cells[k][k] for k in range(state.k)]
    i, j = sorted(sorted(range(state.k), key=lambda k: -diagonal[k])[:2])
    return _sweep(state, (i, i), (j, j), i, j)


def bias(state: State) -> Sweep | None:
    """Disagreements moving between the two sides of the pair of labels that has most of them."""
    pairs = [(i, j) for i in range(state.k) for j in range(i + 1, state.k)]
    i, j = max(pairs, key=lambda p: state.cells[p[0]][p[1]] + state.cells[p[1]][p[0]])
    return _sweep(state, (i, j), (j, i), i, j)


def _sweep(
    state: State, one: tuple[int, int], two: tuple[int, int], i: int, j: int
) -> Sweep | None:
    total = state.cells[one[0]][one[1]] + state.cells[two[0]][two[1]]
    if total < 2:
        return None
    table = _with(state, one, two, total)
    present = state.cells[one[0]][one[1]]
    marks = _spread(total, LINKS)
    at = sorted({*_spread(total, LINE), *marks, present})
    steps = [
        Step(m, Fraction(m, total), kappa_at(state, table(m)), _to(state, table(m)), m in marks)
        for m in at
    ]
    here = next(step for step in steps if step.moved == present)
    return Sweep(state.labels[i], state.labels[j], tuple(steps), here)


def _spread(total: int, steps: int) -> set[int]:
    return {total * s // steps for s in range(steps + 1)}


def _with(
    state: State, one: tuple[int, int], two: tuple[int, int], total: int
) -> Callable[[int], tuple[Row, ...]]:
    def table(m: int) -> tuple[Row, ...]:
        rows: list[Sequence[int]] = list(state.cells)
        for (i, j), n in ((one, m), (two, total - m)):
            row = list(rows[i])
            row[j] = n
            rows[i] = row
        return tuple(map(tuple, rows))

    return table


def _to(state: State, cells: tuple[Row, ...]) -> State:
    return replace(state, cells=cells)

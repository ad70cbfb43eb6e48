"""The state of the lab: a table of two raters whose labels have an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from re import compile as pattern

from assay.agreement.weights import WEIGHTS
from assay.web.labs.kappa.edits import apply
from assay.web.labs.kappa.state import RATERS, Row, default_labels
from assay.web.labs.kappa.state import State as Table
from assay.web.labs.kappa.state import edit as edit_table
from assay.web.labs.kappa.state import parse as parse_table
from assay.web.query import Query

FIRST: tuple[Row, ...] = (
    (12, 5, 1, 0, 0),
    (4, 14, 6, 1, 0),
    (1, 5, 16, 6, 1),
    (0, 1, 5, 10, 4),
    (1, 0, 1, 2, 4),
)
"""A hundred texts, rated from 1 to 5 by two people."""

FOCUS = "linear"
FAR, MAX_FAR = 5, 999
NUMBER = pattern(r"[-−]?[0-9]{1,6}(\.[0-9]{1,4})?")

TABLE = ("t", "labels", "raters", "l", "r", "c")
"""Parameters and fields of the table, which the lab of two raters reads."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the page depends on.

    Attributes
    ----------
    cells
        k × k counts; rows are the first rater's labels, columns the second's, lowest first.
    labels, raters
        Their names.
    weights
        The set whose matrix is on screen.
    far
        How many ratings one step apart are tried as far apart as the scale goes.
    """

    cells: tuple[Row, ...] = FIRST
    labels: tuple[str, ...] = default_labels(5)
    raters: tuple[str, str] = RATERS
    weights: str = FOCUS
    far: int = FAR

    @property
    def table(self) -> Table:
        """The table alone."""
        return Table(self.cells, self.labels, self.raters)

    @property
    def k(self) -> int:
        return len(self.cells)

    @property
    def n(self) -> int:
        return self.table.n

    def query(self) -> dict[str, str]:
        """The canonical parameters."""
        return self.table.query() | {
            "weights": self.weights if self.weights != FOCUS else "",
            "far": str(self.far) if self.far != FAR else "",
        }

    def of(self, table: Table) -> State:
        """The same page with another table."""
        return replace(self, cells=table.cells, labels=table.labels, raters=table.raters)

    def apart(self, distance: int) -> int:
        """How many items the raters put so many steps apart."""
        return sum(
            n
            for i, row in enumerate(self.cells)
            for j, n in enumerate(row)
            if abs(i - j) == distance
        )


def parse(query: Query) -> State:
    """The state of an address; without a table, the first one."""
    state = State()
    if "t" in query:
        state = state.of(parse_table(_only_table(query)))
    return _chosen(query, state)


def edit(query: Query) -> State:
    """The state after the form was sent: its fields, then the button."""
    state = _chosen(query, State().of(edit_table(_only_table(query))))
    do = query.one("do")
    if do == "apply":
        return replace(state, cells=spread(state.cells, state.far)[0])
    return state.of(apply(state.table, do))


def _only_table(query: Query) -> Query:
    return Query([(name, value) for name, value in query.pairs if name in TABLE])


def _chosen(query: Query, state: State) -> State:
    return replace(
        state,
        weights=query.choice("weights", WEIGHTS, FOCUS),
        far=query.whole("far", FAR, 0, MAX_FAR),
    )


def written_as_numbers(labels: Sequence[str]) -> bool:
    """Whether every label is a number, in whatever order."""
    return all(NUMBER.fullmatch(label) for label in labels)


def numbers(labels: Sequence[str]) -> tuple[int | float, ...] | None:
    """The labels' values where all are numbers in order, up or down, else None.

    >>> numbers(["1", "2", "4"]), numbers(["low", "high"]), numbers(["1", "3", "2"])
    ((1, 2, 4), None, None)
    """
    if not written_as_numbers(labels):
        return None
    texts = [label.replace("−", "-") for label in labels]
    found = tuple(float(text) if "." in text else int(text) for text in texts)
    rising = [a < b for a, b in pairwise(found)]
    falling = [a > b for a, b in pairwise(found)]
    return found if all(rising) or all(falling) else None


def spread(cells: tuple[Row, ...], most: int) -> tuple[tuple[Row, ...], int]:
    """The table after ratings one step apart become as far apart as the scale goes.

    Each is taken from the fullest cell beside the diagonal (the first of equals), and stays
    on its side of the diagonal. Returns the table and how many were moved.

    >>> spread(((5, 2, 0), (1, 5, 0), (0, 0, 5)), 2)
    (((5, 0, 2), (1, 5, 0), (0, 0, 5)), 2)
    """
    k = len(cells)
    rows = [list(row) for row in cells]
    beside = [(i, j) for i in range(k) for j in (i - 1, i + 1) if 0 <= j < k]
    moved = 0
    while k > 2 and moved < most:
        i, j = max(beside, key=lambda at: rows[at[0]][at[1]])
        if not rows[i][j]:
            break
        rows[i][j] -= 1
        far = (0, k - 1) if i < j else (k - 1, 0)
        rows[far[0]][far[1]] += 1
        moved += 1
    return tuple(map(tuple, rows)), moved

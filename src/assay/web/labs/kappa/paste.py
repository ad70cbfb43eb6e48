"""A table as it comes out of a spreadsheet, with or without names of labels."""

from __future__ import annotations

import re

from assay.web.labs.kappa.state import (
    LEAST,
    Row,
    State,
    cell_of,
    default_labels,
    names_checked,
    size_checked,
)
from assay.web.query import BadState
from assay.web.speech import lazy

MAX_PASTE = 4000
NUMBER = re.compile(r"[-+]?[\d.,\s]*")
"""What is meant as a number, even if it is none that a table can hold."""


def pasted(text: str) -> State:
    r"""The state that holds a pasted table.

    Cells are separated by tabs, else by semicolons or commas, else by white space. A first row
    or a first column that holds something else than numbers is taken as names.

    >>> state = pasted("\tyes\tno\nyes\t3\t47\nno\t53\t897")
    >>> state.cells, state.labels
    (((3, 47), (53, 897)), ('yes', 'no'))
    """
    if len(text) > MAX_PASTE:
        raise BadState(
            lazy(
                "The pasted text has {n} characters; {most} are read.",
                n=len(text),
                most=MAX_PASTE,
            )
        )
    rows = [cells_in(line) for line in text.splitlines() if line.strip()]
    if not rows:
        raise BadState(lazy("Nothing was pasted: a table of whole numbers is needed."))
    if not any(NUMBER.fullmatch(cell) and cell for row in rows for cell in row):
        raise BadState(lazy("No number was found in what was pasted: a table of them is needed."))
    head, side = names_taken(rows)
    k = len(rows)
    size_checked(k)
    names = side or (head[-k:] if head else None)
    if side and head and head[-k:] != side:
        raise BadState(
            lazy(
                "The names of rows ({rows}) and of columns ({columns}) differ; both raters have "
                "to use the same labels in the same order.",
                rows=", ".join(side[:8]),
                columns=", ".join(head[-k:][:8]),
            )
        )
    for i, row in enumerate(rows):
        if len(row) != k:
            raise BadState(
                lazy(
                    "The pasted table has {rows} rows, but row {i} has {cells} cells; it has to be "
                    "square.",
                    rows=k,
                    i=i + 1,
                    cells=len(row),
                )
            )
    cells = tuple(
        tuple(cell_of(text, i, j) for j, text in enumerate(row)) for i, row in enumerate(rows)
    )
    if k > LEAST and sums_at_the_ends(cells):
        raise BadState(
            lazy(
                "The last row and the last column are the sums of the others; paste the table "
                "without them."
            )
        )
    labels = names_checked(names, lazy("labels"), k) if names else default_labels(k)
    return State(cells, labels)


def sums_at_the_ends(cells: tuple[Row, ...]) -> bool:
    """Whether a table ends in its own sums, as pivot tables do."""
    *rows, last = cells
    across = all(sum(row[:-1]) == row[-1] for row in cells)
    down = all(sum(row[j] for row in rows) == last[j] for j in range(len(last)))
    return across and down and any(map(any, cells))


def names_taken(rows: list[list[str]]) -> tuple[list[str] | None, list[str] | None]:
    """Take the names of columns and of rows out of a table, where it has them."""
    first, down = rows[0], [row[0] for row in rows[1:]]
    named = not any(map(NUMBER.fullmatch, down))
    # Labels may be numbers: then the corner is empty, and both sides say the same.
    numbered = not first[0] and first[1:] == down and all(down) and len({*down}) == len(down)
    begins = not NUMBER.fullmatch(first[0])
    across = not all(map(NUMBER.fullmatch, first[1:]))
    head = None
    if down and (numbered or across or (not named if begins else named and not first[0])):
        head = rows.pop(0)
    if numbered or not any(NUMBER.fullmatch(row[0]) for row in rows):
        return head, [row.pop(0) for row in rows]
    return head, None


def cells_in(line: str) -> list[str]:
    """A line's cells."""
    for mark in ("\t", ";", ","):
        if mark in line:
            return [cell.strip() for cell in line.split(mark)]
    return line.split()

"""What the first rows say about each column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.ratings.labels import clean
from assay.ratings.numerals import comma_in, to_number
from assay.ratings.sources.grid import Grid

HEAD = 1000
"""Rows that are looked at."""

SURE = 5
"""So many rows tell scores from counts."""


@dataclass(frozen=True, slots=True)
class Column:
    """What the first rows say about one column."""

    name: str
    cells: tuple[Any, ...]
    numbers: tuple[float | int | None, ...]

    @property
    def filled(self) -> list[Any]:
        return [c for c in self.cells if c is not None]

    @property
    def numeric(self) -> bool:
        return all(
            n is not None for c, n in zip(self.cells, self.numbers, strict=True) if c is not None
        )

    @property
    def countable(self) -> bool:
        """Whether every filled cell is a whole number, 0 or more."""
        return bool(self.filled) and all(
            c is None or (n is not None and n >= 0 and n == int(n))
            for c, n in zip(self.cells, self.numbers, strict=True)
        )

    @property
    def repeats(self) -> bool:
        filled = self.filled
        return len({str(c) for c in filled}) < len(filled)

    @property
    def free_text(self) -> bool:
        """Long texts that hardly repeat: what was rated, not how."""
        filled = self.filled
        texts = [c for c in filled if isinstance(c, str)]
        if len(filled) < 5 or len(texts) < len(filled) or self.numeric:
            return False
        return len(set(texts)) > 0.9 * len(texts) and sum(map(len, texts)) > 20 * len(texts)


def columns_of(grid: Grid) -> list[Column]:
    """Look at the first rows of each column."""
    rows = grid.head(HEAD)
    comma = grid.about.decimal_comma
    if comma is None:
        comma = comma_in(cell.strip() for row in rows for cell in row if isinstance(cell, str))
    out = []
    for name, cells in zip(grid.names, zip(*rows, strict=True), strict=True):
        numbers = []
        tidy = []
        for cell in cells:
            value = clean(cell) or None if isinstance(cell, str) else cell
            tidy.append(value)
            if isinstance(value, str):
                numbers.append(to_number(value, comma=comma))
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                numbers.append(value)
            else:
                numbers.append(None)
        out.append(Column(name, tuple(tidy), tuple(numbers)))
    return out


def counts_fit(columns: list[Column]) -> bool:
    """Whether whole numbers may be how many raters chose each column.

    Either every item has the same number of ratings, or labels go unused on some items while
    others gather several ratings. Scores of 1 to 5 do neither, which counts of three labels
    or more do not manage over many items either. An empty cell may stand for a count of 0
    where it makes the totals equal; else rows with one tell nothing.
    """
    rows = list(zip(*(c.numbers for c in columns), strict=True))
    totals = [sum(n or 0 for n in row) for row in rows]
    if len(set(totals)) == 1 and totals[0] > 1:
        return True
    full = [sum(n or 0 for n in row) for row in rows if None not in row]
    if len(full) >= SURE and len(set(full)) == 1 and full[0] > 1:
        return True
    cells = [n for row in rows for n in row if n is not None]
    rated = sum(total >= 2 for total in totals)
    if 0 not in cells:
        return len(columns) < 3 or len(rows) < SURE
    return max(cells, default=0) >= 2 and 2 * rated >= len(rows)

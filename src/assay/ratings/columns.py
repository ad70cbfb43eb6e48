"""What the first rows say about each column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.ratings.categories import label_text
from assay.ratings.labels import clean, to_number
from assay.ratings.sources.grid import Grid
from assay.ratings.words import TOTAL_NAMES, squash

HEAD = 1000
"""Rows that are looked at."""


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
        """Whether every cell is a whole number, 0 or more."""
        return all(n is not None and n >= 0 and n == int(n) for n in self.numbers)

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
    comma = grid.about.decimal_comma is not False
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
    or more do not manage over many items either.
    """
    rows = list(zip(*(c.numbers for c in columns), strict=True))
    totals = [sum(n or 0 for n in row) for row in rows]
    if len(set(totals)) == 1 and totals[0] > 1:
        return True
    cells = [n for row in rows for n in row if n is not None]
    rated = sum(total >= 2 for total in totals)
    if 0 not in cells:
        return len(columns) < 3 or len(rows) < 5
    return max(cells, default=0) >= 2 and 2 * rated >= len(rows)


def table_shape(columns: list[Column]) -> tuple[list[int], list[str]] | None:
    """If a table's rows and columns hold the same labels: for each column its row.

    Totals at the end are left out.
    """
    if len(columns) < 3:
        return None
    rows = ["" if v is None else label_text(v) for v in columns[0].cells]
    heads = [c.name for c in columns[1:]]
    if heads and squash(heads[-1]) in TOTAL_NAMES and heads[-1] not in rows[:-1]:
        heads = heads[:-1]
    if rows and squash(rows[-1]) in TOTAL_NAMES and rows[-1] not in heads:
        rows = rows[:-1]
    if len(rows) < 2 or len(set(rows)) < len(rows) or sorted(rows) != sorted(heads):
        return None
    inner = columns[1 : 1 + len(heads)]
    if not all(n is not None and n >= 0 for c in inner for n in c.numbers[: len(rows)]):
        return None
    return [rows.index(head) for head in heads], heads

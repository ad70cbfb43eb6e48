"""Two tables of counts, as types of their own so that no orientation can be confused."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.ratings.categories import Categories, Ints, Label
from assay.ratings.labelled import rows_of, square
from assay.ratings.model import Reading
from assay.ratings.sources.frames import is_frame


def _grid(cells: Any, what: str) -> list[list[Any]]:
    """A table's rows, or an error that says what is needed."""
    rows = cells.tolist() if isinstance(cells, np.ndarray) else cells
    nested = (list, tuple)
    if isinstance(rows, nested) and rows and all(isinstance(row, nested) for row in rows):
        flat = [list(row) for row in rows]
        if not any(isinstance(cell, nested) for row in flat for cell in row):
            return flat
    raise InputError(
        f"{what}: rows of numbers are needed, as in [[3, 0], [1, 2]]; got "
        f"{type(cells).__name__} {repr(cells)[:60]}."
    )


def _fractions(cells: Any, what: str) -> tuple[tuple[Fraction, ...], ...]:
    rows = _grid(cells, what)
    out = []
    for i, row in enumerate(rows):
        line = []
        for j, cell in enumerate(row):
            where = f"{what}: row {i + 1}, column {j + 1}"
            try:
                value = Fraction(repr(cell)) if isinstance(cell, float) else Fraction(str(cell))
            except (ValueError, ZeroDivisionError):
                raise InputError(f"{where} is {cell!r}; a non-negative number is needed.") from None
            if value < 0:
                raise InputError(f"{where} is {cell!r}; counts cannot be negative.")
            line.append(value)
        out.append(tuple(line))
    return tuple(out)


class Table:
    """A two-rater contingency table: rows are rater A's labels, columns rater B's.

    Cells are non-negative and taken as exact fractions, so decimals are allowed and no
    integer type can overflow.

    Parameters
    ----------
    cells
        k × k numbers, or a data frame such as ``pandas.crosstab`` makes.
    labels
        The k labels, in the order of rows and columns, which is then their declared order;
        those of a data frame, or 1, 2, …, when omitted.
    raters
        The names of the row rater and of the column rater.

    Raises
    ------
    InputError
        If the table is not square, or a cell is not a non-negative number.

    Examples
    --------
    >>> Table([[20, 5], [10, 15]], labels=["yes", "no"]).n
    Fraction(50, 1)
    """

    __slots__ = ("categories", "cells", "raters", "reading")

    def __init__(
        self,
        cells: Any,
        *,
        labels: Sequence[Label] | Categories | None = None,
        raters: tuple[str, str] = ("A", "B"),
        reading: Reading | None = None,
    ) -> None:
        if is_frame(cells):
            found, rows, heads = rows_of(cells)
            squared, names = square(found, rows, heads)
            cells = squared
            if labels is None:
                labels = Categories(names, declared=True)
        self.cells = _fractions(cells, "table")
        k = len(self.cells)
        for i, row in enumerate(self.cells):
            if len(row) != k:
                raise InputError(
                    f"table: {k} rows, but row {i + 1} has {len(row)} cells; a contingency "
                    "table is square, with the same labels in rows and columns."
                )
        if isinstance(labels, Categories):
            self.categories = labels
        else:
            given = list(range(1, k + 1)) if labels is None else list(labels)
            # Declared: a table states its label set, used or not.
            self.categories = Categories(
                given, declared=True, ordered=None if labels is None else True
            )
        if len(self.categories) != k:
            raise InputError(f"table: {k} rows but {len(self.categories)} labels.")
        self.raters = raters
        self.reading = reading or Reading(layout="table")

    @property
    def n(self) -> Fraction:
        """The number of items."""
        return sum((c for row in self.cells for c in row), Fraction(0))


class Counts:
    """Items × categories: how many raters put each item into each category.

    Parameters
    ----------
    counts
        Shape (items, categories), non-negative whole numbers; or a data frame of them.
    categories
        The labels of the columns; those of a data frame, or 1, 2, …, when omitted.

    Raises
    ------
    InputError
        If the rows differ in length or a cell is not a non-negative whole number.

    Examples
    --------
    >>> import assay
    >>> counts = assay.Counts([[3, 0], [1, 2]], categories=["yes", "no"])
    >>> assay.fleiss_kappa(counts).exact
    Fraction(1, 4)
    """

    __slots__ = ("categories", "counts", "items")

    def __init__(
        self,
        counts: Any,
        *,
        categories: Sequence[Label] | Categories | None = None,
        items: Sequence[str] | None = None,
    ) -> None:
        if is_frame(counts):
            counts, names, heads = rows_of(counts)
            categories = heads if categories is None else categories
            if items is None and names is not None:
                items = [str(name) for name in names]
        if isinstance(counts, np.ndarray) and counts.ndim == 2:
            values = counts
        else:
            rows = _grid(counts, "counts")
            lengths = {len(row) for row in rows}
            if len(lengths) > 1:
                raise InputError(f"counts: rows differ in length ({sorted(lengths)}).")
            values = np.asarray(rows)
        if values.dtype.kind not in "iufb" or (
            values.size and not np.array_equal(values, np.rint(values.astype(np.float64)))
        ):
            raise InputError(
                "counts: every cell is the number of raters, a whole number; for one "
                "label a cell use a matrix of items × raters instead."
            )
        if values.size and values.min() < 0:
            i, j = np.argwhere(values < 0)[0]
            raise InputError(f"counts: row {i + 1}, column {j + 1} is {values[i, j]}, below 0.")
        self.counts: Ints = values.astype(np.int64)
        q = self.counts.shape[1]
        if isinstance(categories, Categories):
            self.categories = categories
        else:
            given = list(range(1, q + 1)) if categories is None else list(categories)
            self.categories = Categories(given, declared=True)
        if len(self.categories) != q:
            raise InputError(f"counts: {q} columns but {len(self.categories)} categories.")
        self.items = items

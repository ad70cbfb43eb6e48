"""Counts (items × labels) and contingency tables (label × label)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, ReadingError
from assay.ratings.build import (
    count_block,
    small_type,
)
from assay.ratings.categories import Label
from assay.ratings.common import (
    Choices,
    Context,
    Items,
    context_of,
    encode_rows,
    finish,
    in_clusters,
    items_of,
    named_groups,
    plain_items,
    row_names,
)
from assay.ratings.crossed import table_cells
from assay.ratings.frequency import weights_of
from assay.ratings.ids import Ids, at_rows
from assay.ratings.labels import Resolved, resolve
from assay.ratings.model import Block, Note, Ratings
from assay.ratings.numerals import decided, to_number, without_groups
from assay.ratings.sources.grid import About, Cells, Grid, Plan

Array = npt.NDArray[Any]

MOST = 10**12
"""The largest count that a cell may hold."""

LARGEST = 1 << 60
"""A table's total below this keeps every sum of products in whole numbers."""


def header_labels(
    names: Sequence[Label], choices: Choices, about: About, *, ordered: bool
) -> Resolved:
    """Labels that name columns: declared, in their order (numbers by value)."""
    cells = Cells(np.arange(len(names), dtype=np.int64)[None, :], list(names))
    found = resolve(cells, replace(choices.labels, scale=None), about)
    given = choices.labels
    if given.declared is None and not given.missing:
        categories = found.categories
        table = found.table
        if not categories.numeric:
            texts: list[Label] = []
            for code in (table if table is not None else np.arange(len(names)))[: len(names)]:
                if code >= 0 and categories[int(code)] not in texts:
                    texts.append(categories[int(code)])
            if ordered:
                given = replace(given, order=tuple(texts))
            else:
                given = replace(given, categories=tuple(texts))
        else:
            given = replace(given, categories=tuple(categories))
    return resolve(cells, given, about)


def counts_ratings(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    """Ratings from a table of items × labels; who gave which is not known."""
    grid, plan, encoded, ids = encode_rows(grid, plan)
    k, m = len(plan.item), len(plan.item) + len(plan.by)
    cells = encoded.cells
    values = [v.item() if isinstance(v, np.generic) else v for v in cells.values]
    values = [v.strip() if isinstance(v, str) else v for v in values]
    texts = [v for v in values if isinstance(v, str)]
    about = grid.about
    comma = decided(texts, about.decimal_comma, about.separator, about.source)
    parsed = [
        to_number(without_groups(v, comma=comma), comma=comma) if isinstance(v, str) and v else v
        for v in values
    ]
    blank = np.array([v == "" for v in values] + [True])
    notes = [n for column in ids for n in column.notes]
    weights = None
    if plan.frequency:
        weights, used, more = weights_of(grid, plan.frequency, ids[m])
        notes += more
        if not used.all():
            cells = replace(cells, codes=cells.codes[:, used])
            ids = [at_rows(column, np.flatnonzero(used)) for column in ids]
    for code, value in enumerate(parsed):
        if blank[code] or not (cells.codes == code).any():
            parsed[code] = 0
            continue
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or value is None or not 0 <= value <= MOST or value != int(value):
            row, column = cells.first_places(code, 1)[0]
            raise ReadingError(
                f"{grid.about.source}, {grid.about.place(row)}, column {plan.columns[column]}: the "
                f"count is {cells.values[code]!r}; a whole number, 0 or more, is needed (how many "
                "raters gave the label). For one label a cell: --layout wide.",
                code="bad_count",
            )
    table = np.array([*(int(v or 0) for v in parsed), 0], dtype=np.int64)
    counts = table[cells.codes.T]
    empty = int(np.count_nonzero(blank[cells.codes]))
    if empty:
        notes.append(Note("empty_counts", f"empty cells, taken as a count of 0: {empty:,}"))
    resolved = header_labels(plan.columns, choices, replace(grid.about, typed=False), ordered=False)
    rows = len(counts)
    own = ids[:k] or [Ids(np.arange(rows, dtype=np.int32), rows, row_names(rows))]
    items = in_clusters(items_of(own, named_groups(ids[k:m])), plan, ids, grid.about)
    if items.size < rows:
        raise ReadingError(
            f"{grid.about.source}: an item stands in several rows of counts; give each item one "
            "row, or name the column that tells them apart with --by."
        )
    context = context_of(grid.about, plan, choices, notes)
    return from_counts(counts, resolved, items, context, weights)


def from_counts(
    counts: npt.NDArray[np.int64],
    resolved: Resolved,
    items: Items,
    context: Context,
    weights: Array | None = None,
) -> Ratings:
    """Ratings without raters from items × header columns."""
    k = len(resolved.categories)
    merged = np.zeros((len(counts), k), dtype=np.int64)
    codes = resolved.table if resolved.table is not None else np.arange(counts.shape[1])
    for j in range(counts.shape[1]):
        if codes[j] >= 0:
            merged[:, codes[j]] += counts[:, j]
    block = replace(count_block(merged, k), weights=weights)
    return finish((block,), items, (), resolved, context, context.notes, 0)


def from_cells(
    cells: Sequence[Sequence[Fraction]],
    resolved: Resolved,
    raters: tuple[str, str],
    context: Context,
) -> Ratings:
    """Two raters from a contingency table: a weighted column for each cell above 0."""
    codes = resolved.table if resolved.table is not None else np.arange(len(cells))
    found = [
        (int(codes[i]), int(codes[j]), value)
        for i, row in enumerate(cells)
        for j, value in enumerate(row)
        if value > 0
    ]
    denominator = lcm(*(value.denominator for _, _, value in found)) if found else 1
    labels = np.array([[i for i, _, _ in found], [j for _, j, _ in found]])
    whole = [int(v * denominator) for _, _, v in found]
    if sum(whole) >= LARGEST:
        raise InputError(
            f"table: the cells add up to {_large(sum(whole))}"
            + (f" units of 1/{_large(denominator)}" if denominator > 1 else "")
            + f"; at most {LARGEST:.3g} are counted exactly. Divide all cells by a common factor, "
            "or give fewer decimals.",
            code="too_large",
        )
    weights = np.array(whole, dtype=np.int64)
    block = Block(
        labels.reshape(2, -1).astype(small_type(len(resolved.categories))), weights=weights
    )
    items = plain_items(len(found))
    return finish((block,), items, raters, resolved, context, context.notes, 0, denominator)


def _large(number: int) -> str:
    """A whole number of any size in short."""
    digits = str(number) if number < 10**4000 else ""
    if not digits:
        return "more than 10^4000"
    return digits if len(digits) <= 6 else f"{digits[0]}.{digits[1:3]}e+{len(digits) - 1}"


def table_ratings(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    """Ratings of two raters from a contingency table."""
    cells, notes = table_cells(grid, plan.columns)
    about = replace(grid.about, typed=False)
    # The order of rows is the file's, often the alphabet: it declares no order of labels.
    resolved = header_labels(plan.columns, choices, about, ordered=False)
    names = _table_raters(grid.names[0])
    return from_cells(cells, resolved, names, context_of(grid.about, plan, choices, notes))


def _table_raters(corner: str) -> tuple[str, str]:
    r"""The raters' names from the corner, if it says "ana \\ bo" or "ana/bo"."""
    for sign in ("\\", "/", "|", " vs ", " x ", "×"):
        left, _, right = corner.partition(sign)
        if left.strip() and right.strip() and left.strip() != right.strip():
            return left.strip(), right.strip()
    return "rows", "columns"

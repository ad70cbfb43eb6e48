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
from assay.ratings.categories import Label, label_text
from assay.ratings.common import (
    Choices,
    Context,
    Items,
    context_of,
    encode,
    finish,
    items_of,
    named_groups,
    plain_items,
    row_names,
    without_empty_rows,
)
from assay.ratings.ids import Ids
from assay.ratings.labels import Resolved, resolve, to_number
from assay.ratings.model import Block, Note, Ratings
from assay.ratings.sources.grid import About, Cells, Grid, Plan

Array = npt.NDArray[Any]

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
    encoded, ids = encode(grid, [*plan.item, *plan.by], plan.columns, True)
    k = len(plan.item)
    if any(column.empty for column in ids[:k]):
        smaller, plan = without_empty_rows(grid, plan, plan.item, "item")
        return counts_ratings(smaller, plan, choices)
    cells = encoded.cells
    comma = grid.about.decimal_comma is not False
    parsed = [
        to_number(v.strip(), comma=comma) if isinstance(v, str) else v for v in list(cells.values)
    ]
    for code, value in enumerate(parsed):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or value is None or value < 0 or value != int(value):
            row, column = cells.first_places(code, 1)[0]
            raise ReadingError(
                f"{grid.about.source}, {grid.about.place(row)}, column {plan.columns[column]}: the "
                f"count is {cells.values[code]!r}; a whole number, 0 or more, is needed (how many "
                "raters gave the label). For one label a cell: --layout wide.",
                code="bad_count",
            )
    table = np.array([*(int(v or 0) for v in parsed), 0], dtype=np.int64)
    counts = table[cells.codes.T]
    empty = int(np.count_nonzero(cells.codes < 0))
    notes = [n for column in ids for n in column.notes]
    if empty:
        notes.append(Note("empty_counts", f"empty cells, taken as a count of 0: {empty:,}"))
    resolved = header_labels(plan.columns, choices, replace(grid.about, typed=False), ordered=False)
    rows = len(counts)
    own = ids[:k] or [Ids(np.arange(rows, dtype=np.int32), rows, row_names(rows))]
    items = items_of(own, named_groups(ids[k:]))
    if items.size < rows:
        raise ReadingError(
            f"{grid.about.source}: an item stands in several rows of counts; give each item one "
            "row, or name the column that tells them apart with --by."
        )
    return from_counts(counts, resolved, items, context_of(grid.about, plan, choices, notes))


def from_counts(
    counts: npt.NDArray[np.int64], resolved: Resolved, items: Items, context: Context
) -> Ratings:
    """Ratings without raters from items × header columns."""
    k = len(resolved.categories)
    merged = np.zeros((len(counts), k), dtype=np.int64)
    codes = resolved.table if resolved.table is not None else np.arange(counts.shape[1])
    for j in range(counts.shape[1]):
        if codes[j] >= 0:
            merged[:, codes[j]] += counts[:, j]
    return finish((count_block(merged, k),), items, (), resolved, context, context.notes, 0)


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
            f"table: the cells add up to {sum(whole):.3g}"
            + (f" units of 1/{denominator}" if denominator > 1 else "")
            + f"; at most {LARGEST:.3g} are counted exactly. Divide all cells by a common factor, "
            "or give fewer decimals."
        )
    weights = np.array(whole, dtype=np.int64)
    block = Block(
        labels.reshape(2, -1).astype(small_type(len(resolved.categories))), weights=weights
    )
    items = plain_items(len(found))
    return finish((block,), items, raters, resolved, context, context.notes, 0, denominator)


def table_ratings(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    """Ratings of two raters from a contingency table."""
    rows = grid.head(grid.n_rows)
    first = ["" if r[0] is None else label_text(r[0]).strip() for r in rows]
    comma = grid.about.decimal_comma is not False
    cells = []
    for head in plan.columns:
        row = rows[first.index(head)]
        line = []
        for name in plan.columns:
            raw = row[grid.names.index(name)]
            text = str(raw).strip()
            if comma and to_number(text) is None:
                text = text.replace(",", ".")
            line.append(Fraction(text) if isinstance(raw, str) else Fraction(str(raw)))
        cells.append(line)
    resolved = header_labels(plan.columns, choices, replace(grid.about, typed=False), ordered=True)
    names = _table_raters(grid.names[0])
    return from_cells(cells, resolved, names, context_of(grid.about, plan, choices))


def _table_raters(corner: str) -> tuple[str, str]:
    r"""The raters' names from the corner, if it says "ana \\ bo" or "ana/bo"."""
    for sign in ("\\", "/", "|", " vs ", " x ", "×"):
        left, _, right = corner.partition(sign)
        if left.strip() and right.strip() and left.strip() != right.strip():
            return left.strip(), right.strip()
    return "rows", "columns"

"""Ratings held in Python: triples, records, matrices, dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import ReadingError
from assay.ratings.model import Note
from assay.ratings.sources.grid import About, ColumnGrid, Plan
from assay.ratings.words import ITEM_NAMES, RATER_NAMES, WEAK_RATER_NAMES, squash

LONG = ("item", "rater", "label")


def long_grid(
    triples: Sequence[Sequence[Any]], source: str = "triples", *, told: bool = True
) -> ColumnGrid:
    """A grid from (item, rater, label) triples; ``told``: the caller said that they are."""
    for place, triple in enumerate(triples):
        if isinstance(triple, (str, bytes)) or len(triple) != 3:
            raise ReadingError(
                f"entry {place} is {triple!r}; a triple (item, rater, label) is needed."
            )
    columns = tuple(list(c) for c in zip(*triples, strict=True)) if triples else ([], [], [])
    notes: tuple[Note, ...] = ()
    if not told and all(_is_number(v) for triple in triples for v in triple):
        message = (
            "each tuple of three numbers is taken as (item, rater, label); if they are items with "
            "the labels of three raters: layout='wide', or lists instead of tuples"
        )
        notes = (Note("read_as_triples", message, "warning"),)
    return ColumnGrid(
        About(
            source=source,
            notes=notes,
            row_word="entry",
            row_offset=0,
            plan=Plan("long", ("item",), *LONG[1:]),
        ),
        LONG,
        columns,
        len(triples),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _few_rows(grid: ColumnGrid) -> ColumnGrid:
    """Mention that rows are items where it looks as if they were raters."""
    rows, columns = grid.n_rows, len(grid.names)
    if columns < 5 or columns < 2 * rows:
        return grid
    message = (
        f"{rows} rows and {columns} columns: rows are taken as items and columns as raters; if it "
        "is the other way round, transpose the matrix"
    )
    note = Note("few_rows_many_columns", message, "warning")
    return replace(grid, about=replace(grid.about, notes=(*grid.about.notes, note)))


def matrix_grid(matrix: Any) -> ColumnGrid:
    """A grid from items × raters: an array, or a list of rows."""
    if not isinstance(matrix, np.ndarray):
        lengths = {len(row) for row in matrix}
        if len(lengths) > 1:
            odd = next(k for k, row in enumerate(matrix) if len(row) != len(matrix[0]))
            raise ReadingError(
                f"row {odd} has {len(matrix[odd])} cells and row 0 has {len(matrix[0])}; a matrix "
                "of items × raters has rows of one length (None where a rating is missing)."
            )
        return _few_rows(wide_grid([list(c) for c in zip(*matrix, strict=True)], None, "matrix"))
    if matrix.ndim != 2:
        raise ReadingError(
            f"an array with {matrix.ndim} dimension(s) was given; 2 are needed: items × raters."
        )
    return _few_rows(wide_grid([matrix[:, j] for j in range(matrix.shape[1])], None, "matrix"))


def wide_grid(
    columns: Sequence[Any], raters: Sequence[str] | None, source: str = "lists"
) -> ColumnGrid:
    """A grid from one column of labels a rater."""
    lengths = [len(c) for c in columns]
    if len(set(lengths)) > 1:
        raise ReadingError(
            f"the raters' lists differ in length ({', '.join(map(str, lengths[:10]))}); each holds "
            "one label an item, in the same order, None where a rating is missing."
        )
    if raters is not None and len(raters) != len(columns):
        raise ReadingError(f"{len(columns)} lists of labels but {len(raters)} names of raters.")
    names = (
        tuple(map(str, raters))
        if raters is not None
        else tuple(str(k + 1) for k in range(len(columns)))
    )
    if len(set(names)) < len(names):
        raise ReadingError(f"two raters have the same name ({', '.join(names[:10])}).")
    return ColumnGrid(
        About(source=source, row_offset=0, plan=Plan("wide", columns=names)),
        names,
        tuple(columns),
        lengths[0] if lengths else 0,
    )


def _names_columns(names: Sequence[str]) -> bool:
    """Whether keys are names of columns (item, rater, …), not of raters."""
    usual = [squash(n) for n in names]
    return any(n in ITEM_NAMES or n in RATER_NAMES - WEAK_RATER_NAMES for n in usual)


def _column_grid(source: Mapping[Any, Any]) -> ColumnGrid:
    """A grid from column name → cells, or column name → {row: cell}."""
    names = [str(k) for k in source]
    values = list(source.values())
    if any(isinstance(v, Mapping) for v in values):
        rows = list(dict.fromkeys(key for v in values for key in v))
        values = [[v.get(row) for row in rows] for v in values]
    lengths = {len(v) for v in values}
    if len(lengths) > 1:
        raise ReadingError(f"the columns differ in length ({sorted(lengths)}).")
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    note = Note("read_as_columns", f"the keys name columns: {shown}")
    about = About(source="columns", row_offset=0, notes=(note,))
    return ColumnGrid(about, tuple(names), tuple(values), lengths.pop())


def mapping_grid(source: Mapping[Any, Any]) -> ColumnGrid:
    """A grid from rater → {item: label}, rater → labels, or column name → column."""
    if not source:
        raise ReadingError("the mapping is empty; rater → {item: label} is needed.")
    values = list(source.values())
    names = [str(k) for k in source]
    nested = all(isinstance(v, Mapping) for v in values)
    if not nested and any(
        isinstance(v, (Mapping, str, bytes)) or not hasattr(v, "__len__") for v in values
    ):
        raise ReadingError(
            "a mapping has to be rater → {item: label} or rater → list of labels, the same for all "
            "raters; or column name → cells, one of the columns called item."
        )
    if len(names) > 1 and _names_columns(names):
        return _column_grid(source)
    if not nested:
        return wide_grid(values, names, "mapping")
    items: list[Any] = []
    raters: list[Any] = []
    labels: list[Any] = []
    for rater, ratings in source.items():
        items.extend(ratings.keys())
        raters.extend([rater] * len(ratings))
        labels.extend(ratings.values())
    plan = Plan("long", ("item",), *LONG[1:], rater_names=tuple(names))
    return ColumnGrid(
        About(source="mapping", row_word="entry", row_offset=0, plan=plan),
        LONG,
        (items, raters, labels),
        len(items),
    )


def record_grid(records: Sequence[Mapping[str, Any]], about: About) -> ColumnGrid:
    """A grid from records (mappings with the same keys; an absent key is an empty cell)."""
    names = dict.fromkeys(str(key) for record in records for key in record)
    columns = tuple([record.get(name) for record in records] for name in names)
    return ColumnGrid(about, tuple(names), columns, len(records))

"""Data frames as tables of numbers whose rows and columns have labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.errors import InputError
from assay.ratings.categories import Label
from assay.ratings.sources.arrays import library, to_list


def rows_of(frame: Any) -> tuple[list[list[Any]], list[Label] | None, list[Label]]:
    """The cells of a data frame row by row, the labels of its rows, and those of its columns.

    Rows are labelled by a pandas index that is not 0, 1, 2, …, or by a first column of texts.
    """
    if library(frame) == "pandas":
        cells = [to_list(frame.iloc[:, k]) for k in range(frame.shape[1])]
        index = [_plain(v) for v in frame.index.tolist()]
        rows = None if index == list(range(len(index))) and frame.index.name is None else index
        heads = [_plain(v) for v in frame.columns.tolist()]
        return [list(r) for r in zip(*cells, strict=True)], rows, heads
    import narwhals as nw

    made: Any = nw.from_native(frame)
    if isinstance(made, nw.LazyFrame):
        made = made.collect()
    cells = [to_list(made[:, k].to_native()) for k in range(len(made.columns))]
    heads = list(made.columns)
    rows = None
    if cells and cells[0] and all(isinstance(v, str) for v in cells[0]):
        rows, cells, heads = cells[0], cells[1:], heads[1:]
    return [list(r) for r in zip(*cells, strict=True)], rows, heads


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def square(
    cells: Sequence[Sequence[Any]], rows: Sequence[Label] | None, heads: Sequence[Label]
) -> tuple[list[list[Any]], list[Label]]:
    """A contingency table with the same labels in rows and columns, in the columns' order.

    A label that only one of the raters used gets zeros for the other.
    """
    if rows is None:
        return [list(row) for row in cells], list(heads)
    if (
        len(rows) > 2
        and rows[-1] == heads[-1]
        and _sums(cells)
        and _sums(list(zip(*cells, strict=True)))
    ):
        raise InputError(
            f"table: the last row and column, {rows[-1]!r}, hold the sums of the others; leave "
            "them out (margins=False)."
        )
    shared = set(map(str, rows)) & set(map(str, heads))
    if len(set(rows)) < len(rows) or len(set(heads)) < len(heads) or not shared:
        raise InputError(
            f"table: rows are labelled {', '.join(map(str, rows[:6]))} and columns "
            f"{', '.join(map(str, heads[:6]))}; the same labels are needed in both, each once."
        )
    labels = list(heads) + [r for r in rows if r not in heads]
    if all(isinstance(x, (int, float)) for x in labels):
        labels = sorted(labels)
    where = {label: k for k, label in enumerate(rows)}
    column = {label: k for k, label in enumerate(heads)}
    return [
        [cells[where[a]][column[b]] if a in where and b in column else 0 for b in labels]
        for a in labels
    ], labels


def _sums(cells: Sequence[Sequence[Any]]) -> bool:
    """Whether the last cell of each row is the sum of the others."""
    try:
        return all(abs(sum(row[:-1]) - row[-1]) <= 1e-9 * max(1, abs(row[-1])) for row in cells)
    except TypeError:
        return False

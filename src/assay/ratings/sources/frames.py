"""Data frames of pandas, Polars, PyArrow and what else narwhals knows."""

from __future__ import annotations

import warnings
from typing import Any

from assay.errors import MissingExtra, ReadingError
from assay.ratings.model import Note
from assay.ratings.sources.grid import About, ColumnGrid
from assay.ratings.sources.text import column_names
from assay.ratings.words import ITEM_NAMES, RATER_NAMES, squash

MARKS = (
    "__dataframe__",
    "__narwhals_dataframe__",
    "__arrow_c_stream__",
    "collect",
    "iloc",
)
"""What data frames have besides columns."""


def is_frame(source: Any) -> bool:
    """Whether an object looks like a data frame, without importing any library."""
    kind = type(source)
    return hasattr(kind, "columns") and any(hasattr(kind, mark) for mark in MARKS)


def lazy_frame(source: Any) -> Any:
    """What narwhals makes of a frame that an engine holds; None of all else.

    >>> lazy_frame([1, 2, 3]) is None
    True
    """
    if type(source).__module__.partition(".")[0] in ("builtins", "numpy") or not is_frame(source):
        return None
    try:
        import narwhals as nw
    except ImportError:
        return None  # said by whoever reads the frame
    with warnings.catch_warnings():
        # That Dask will be read by a package of its own some day.
        warnings.filterwarnings("ignore", "Dask support is moving", FutureWarning)
        frame = nw.from_native(source, pass_through=True)
    return frame if isinstance(frame, nw.LazyFrame) else None


def is_dataset(source: Any) -> bool:
    """Whether an object is a dataset of PyArrow, without importing it."""
    kind = type(source)
    return kind.__module__ == "pyarrow._dataset" and hasattr(kind, "scanner")


def read_frame(source: Any) -> ColumnGrid:
    """A grid over the frame's own columns."""
    try:
        import narwhals as nw
    except ImportError:
        raise MissingExtra("data frames need narwhals: pip install narwhals") from None
    try:
        frame = nw.from_native(source)
    except TypeError:
        raise ReadingError(
            f"an object of type {type(source).__name__} was given; a path, a data frame, a list, "
            "a dict or an array is needed."
        ) from None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not len(frame):
        raise ReadingError("the data frame has no rows.")
    source, added = _squared(source)
    if added:
        frame = nw.from_native(source)
    index, told = _index(source)
    told = [*told, *added]
    names, notes = column_names([*(name for name, _ in index), *frame.columns])
    kind = f"{frame.implementation.value} data frame"
    columns = (
        *(column for _, column in index),
        *(frame[:, k].to_native() for k in range(len(frame.columns))),
    )
    about = About(
        source=kind,
        format="frame",
        notes=(*notes, *told),
        row_offset=0,
        index=names[: len(index)],
    )
    return ColumnGrid(about, names, columns, len(frame))


def _squared(source: Any) -> tuple[Any, list[Note]]:
    """A cross table of pandas with zeros for the labels that one of the raters did not use."""
    if type(source).__module__.partition(".")[0] != "pandas" or source.index.nlevels > 1:
        return source, []
    rows, heads = source.index, source.columns
    crossed = heads.name is not None and rows.is_unique and heads.is_unique
    absent = [str(x) for x in {*rows} ^ {*heads}] if crossed else []
    numbers = all(getattr(kind, "kind", "O") in "iuf" for kind in source.dtypes)
    if not absent or not numbers or not set(rows) & set(heads):
        return source, []
    labels = [*heads, *(r for r in rows if r not in heads)]
    squared = source.reindex(index=labels, columns=labels, fill_value=0)
    squared.index.name = rows.name
    message = f"labels that only one of the raters used got zeros: {', '.join(sorted(absent))}"
    return squared, [Note("labels_added", message)]


def _index(source: Any) -> tuple[list[tuple[str, Any]], list[Note]]:
    """The columns of a pandas index that means something: named, or of texts."""
    index = getattr(source, "index", None)
    if type(source).__module__.partition(".")[0] != "pandas" or index is None:
        return [], []
    levels = [index.get_level_values(k) for k in range(index.nlevels)]
    named = [level for level in levels if level.name is not None]
    texts = all(isinstance(v, str) for v in index[:1000]) and len(index) > 0
    if not named and not (len(levels) == 1 and texts):
        if index.is_unique:
            return [], []
        heads = {squash(name) for name in source.columns}
        if len(levels) == 1 and heads & RATER_NAMES and not heads & ITEM_NAMES:
            said = "the frame's index repeats labels and no column names the items: it does"
            column = index.to_series(index=range(len(index)))
            return [("index", column)], [Note("index_used", said, "warning")]
        message = (
            "the frame's index repeats labels, as after joining frames; it is not used, and each "
            "row stands for itself. If the index names the items, give it a name or reset it"
        )
        return [], [Note("index_repeats", message, "warning")]
    taken = named or levels
    if any(str(level.name) in map(str, source.columns) for level in named):
        message = "the frame's index has the name of a column; the column is used"
        return [], [Note("index_not_used", message)]
    shown = ", ".join(str(level.name) for level in named) or "(no name)"
    note = Note("index_used", f"the frame's index is read as a column: {shown}")
    columns = [
        ("" if level.name is None else str(level.name), level.to_series(index=range(len(level))))
        for level in taken
    ]
    return columns, [note]

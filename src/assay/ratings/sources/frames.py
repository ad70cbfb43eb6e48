"""Data frames of pandas, Polars, PyArrow and what else narwhals knows."""

from __future__ import annotations

from typing import Any

from assay.errors import MissingExtra, ReadingError
from assay.ratings.sources.grid import About, ColumnGrid
from assay.ratings.sources.text import column_names

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
    names, notes = column_names(list(frame.columns))
    kind = f"{frame.implementation.value} data frame"
    columns = tuple(frame[:, k].to_native() for k in range(len(names)))
    about = About(source=kind, format="frame", notes=tuple(notes), row_offset=0)
    return ColumnGrid(about, names, columns, len(frame))

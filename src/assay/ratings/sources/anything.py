"""A grid over whatever Python holds ratings in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.errors import ReadingError
from assay.ratings.sources.grid import About, ColumnGrid
from assay.ratings.sources.memory import long_grid, mapping_grid, matrix_grid, record_grid


def grid_of(source: Any, layout: str | None) -> ColumnGrid:
    """A grid over a source in memory."""
    from assay.ratings.sources.frames import is_frame, read_frame

    if isinstance(source, np.ndarray):
        return matrix_grid(source)
    if isinstance(source, Mapping):
        return mapping_grid(source)
    if is_frame(source):
        return read_frame(source)
    if hasattr(source, "__array__") and not isinstance(source, (list, tuple)):
        return matrix_grid(np.asarray(source))
    if isinstance(source, (bytes, bytearray)) or not hasattr(source, "__iter__"):
        raise ReadingError(
            f"a source of type {type(source).__name__} cannot be read; a path, a data frame, a "
            "list of (item, rater, label), a 2-D array or a dict of raters is needed."
        )
    rows = source if isinstance(source, (list, tuple)) else list(source)
    if not len(rows):
        raise ReadingError("the source is empty; at least one rating is needed.")
    if all(isinstance(row, Mapping) for row in rows):
        return record_grid(rows, About(source="records", row_word="record", row_offset=0))
    if any(isinstance(row, (str, bytes)) or not hasattr(row, "__len__") for row in rows):
        odd = next(
            k for k, row in enumerate(rows) if isinstance(row, str) or not hasattr(row, "__len__")
        )
        raise ReadingError(
            f"entry {odd} is {rows[odd]!r}; a list of (item, rater, label) tuples, of records, or "
            "of rows (items × raters) is needed."
        )
    triples = all(isinstance(row, tuple) and len(row) == 3 for row in rows)
    if layout == "long" or (triples and layout != "wide"):
        return long_grid(rows, told=layout == "long")
    return matrix_grid(rows)

"""Whether the first line of a file holds names or ratings."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from assay.errors import ReadingError
from assay.ratings.columns import columns_of
from assay.ratings.model import Note
from assay.ratings.sources.duck import DuckGrid
from assay.ratings.sources.grid import ColumnGrid, Grid
from assay.ratings.words import (
    ASIDE_NAMES,
    ITEM_NAMES,
    LABEL_NAMES,
    RATER_COLUMN,
    RATER_NAMES,
    squash,
)

WAY = "put a line of names above it, or say that there is none: --no-header (header=False)"


def check_header(grid: Grid) -> Grid:
    """The grid, with a note or an error where its names look like ratings.

    Raises
    ------
    ReadingError
        If the names stand as labels in their own columns, and none is a usual name.
    """
    if grid.about.format not in ("text", "excel") or grid.about.headless:
        return grid
    names = [re.sub(r" \(\d+\)$", "", n) for n in grid.names if not re.fullmatch(r"column \d+", n)]
    shown = ", ".join(names[:8])
    if names and all(re.fullmatch(r"[+-]?\d+([.,]\d+)?", n) for n in names):
        message = (
            f"the first line ({shown}) is taken as column names, but holds only numbers; if it is "
            f"data, {WAY}"
        )
        return _with_note(grid, Note("header_looks_like_data", message, "warning"))
    if "" in grid.names or any(map(_usual, names)):
        return grid
    columns = [replace(c, name=re.sub(r" \(\d+\)$", "", c.name)) for c in columns_of(grid)]
    own = [c for c in columns if not c.numeric and c.name in {str(v) for v in c.filled}]
    if not own:
        return grid
    repeating = [c for c in columns if c.repeats and not c.numeric]
    again = ", ".join(c.name for c in own[:8])
    message = (
        f"the first line ({shown}) looks like ratings, not like names: {again} "
        f"{'stands' if len(own) == 1 else 'stand'} in the same column below. If it is data, {WAY}"
    )
    if len(own) >= 2 and len(own) >= len(repeating):
        raise ReadingError(
            f"{grid.about.source}: {message}. If it holds names, use some that say so, such as "
            "item and rater_1, or say so: --header (header=True).",
            code="no_header",
        )
    return _with_note(grid, Note("header_looks_like_data", message, "warning"))


def _usual(name: str) -> bool:
    known = (ITEM_NAMES - {"no"}) | RATER_NAMES | LABEL_NAMES | ASIDE_NAMES
    return squash(name) in known or bool(RATER_COLUMN.fullmatch(name))


def _with_note(grid: Any, note: Note) -> Grid:
    made: DuckGrid | ColumnGrid = replace(
        grid, about=replace(grid.about, notes=(*grid.about.notes, note))
    )
    return made

"""Ratings that an engine holds: it groups and counts, and only what comes of it is fetched.

Taken are lazy frames of Polars, relations of DuckDB, frames of Spark and of Dask, and tables of
Ibis, all through narwhals; and whatever else narwhals calls a lazy frame.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.errors import ReadingError
from assay.ratings.columns import HEAD
from assay.ratings.common import Choices
from assay.ratings.large.engine_items import gathered
from assay.ratings.large.engine_names import coded
from assay.ratings.large.engine_terms import engine_of, fetched
from assay.ratings.large.engine_wide import counted_rows
from assay.ratings.large.gathered import grouped_ratings, ratings_of
from assay.ratings.layout import LayoutOptions, find_plan
from assay.ratings.model import Note, Ratings
from assay.ratings.sources.frames import read_frame
from assay.ratings.sources.grid import Grid, Plan

if TYPE_CHECKING:
    import narwhals as nw


def engine_ratings(
    frame: nw.LazyFrame[Any],
    columns: LayoutOptions,
    choices: Choices,
    *,
    pairs: bool = True,
    grid: Grid | None = None,
) -> Ratings:
    """Read ratings out of an engine.

    Parameters
    ----------
    frame
        A lazy frame of narwhals.
    columns, choices
        As for every source.
    pairs
        Whether tables of pairs of raters are asked for where raters are too many to keep who
        gave which rating.
    grid
        The first rows, where they are known: of a file.

    Raises
    ------
    ReadingError
        If no layout fits, or the ratings ask for what engines do not have.
    """
    name = engine_of(frame)
    if grid is None:
        head = fetched(frame.head(HEAD))
        if not len(head):
            raise ReadingError(f"{name}: no rows; at least one rating is needed.")
        grid = read_frame(head.to_native())
        grid = replace(grid, about=replace(grid.about, source=name))
    about = grid.about
    plan = find_plan(grid, columns)
    reason = _not_in_engines(plan, choices, whole=grid.n_rows < HEAD)
    if reason:
        raise ReadingError(f"{about.source}: {reason}", code="not_in_engines")
    told = Note("read_in_engine", f"grouped and counted by the engine ({name})")
    about = replace(about, notes=(*about.notes, told))
    if plan.layout == "long":
        rows = coded(frame, plan, choices.raters, about.source)
        found = gathered(rows, pairs=pairs)
        if plan.by:
            return grouped_ratings(found, about, plan, choices)
        return ratings_of(found[""], about, plan, choices)
    return counted_rows(frame, grid, about, plan, choices)


def _not_in_engines(plan: Plan, choices: Choices, *, whole: bool) -> str:
    """Why ratings are not read out of an engine; empty where they are."""
    fetch = "Fetch the frame into memory first (collect(), toPandas(), df() or the like)"
    if choices.duplicates != "error":
        return (
            f"duplicates={choices.duplicates!r}: an engine has no order of rows, so none is the "
            "first. Keep one rating a rater and item there, by a column that puts them in order."
        )
    if plan.transposed:
        return f"rows are raters and columns items, which is small. {fetch}."
    if plan.frequency:
        return f"a table with frequencies is counted already. {fetch}."
    if plan.layout == "table" and not whole:
        return f"a contingency table of more than {HEAD:,} rows. {fetch}."
    return ""

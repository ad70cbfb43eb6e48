"""Ratings from batches: the layout as in every table, the rest in one pass."""

from __future__ import annotations

from assay.errors import ReadingError, UsageError
from assay.ratings.common import Choices
from assay.ratings.large.gathered import grouped_ratings, ratings_of
from assay.ratings.large.open import default_memory
from assay.ratings.large.reduce import Progress, Wish, gather
from assay.ratings.large.sources import Batches
from assay.ratings.layout import LayoutOptions, find_plan
from assay.ratings.model import Ratings
from assay.ratings.sources.grid import Plan


def large_ratings(
    source: Batches,
    columns: LayoutOptions,
    choices: Choices,
    *,
    memory: int | None = None,
    pairs: bool = True,
    progress: Progress | None = None,
) -> Ratings:
    """Read a long table in batches, and another one grouped by DuckDB.

    Raises
    ------
    ReadingError
        If it is not a long table, or a column plays a part that batches do not have.
    """
    limit = memory or default_memory()
    plan = find_plan(source.grid, columns)
    reason = not_in_batches(plan)
    if reason:
        relation = source.relation(limit)
        if relation is not None:
            from narwhals import from_native

            from assay.ratings.large.engine import engine_ratings

            return engine_ratings(
                from_native(relation), columns, choices, pairs=pairs, grid=source.grid
            )
    if reason:
        # All else has a relation.
        kind = "JSON lines" if source.json else "a PyArrow dataset"
        way = (
            "Convert it to Parquet or CSV, where this is done for all tables"
            if source.json
            else "Give its files by a path or a pattern, or to_table() if there is room for it"
        )
        more = "" if source.several else ", or give it more --memory"
        raise ReadingError(
            f"{source.about.source}: read in batches, and of {kind} {reason}. {way}{more}.",
            code="not_in_batches",
        )
    if plan.item[0] == plan.rater or plan.rater is None or plan.label is None:
        raise UsageError("an item, a rater and a label column are needed.")
    wish = Wish(
        limit, pairs, choices.duplicates, choices.raters, choices.labels, plan.cluster, progress
    )
    found = gather(source, (plan.item[0], plan.rater, plan.label, *plan.by), wish)
    if plan.by:
        return grouped_ratings(found, source.about, plan, choices)
    return ratings_of(found[""], source.about, plan, choices)


def fits_batches(source: Batches, columns: LayoutOptions) -> bool:
    """Whether a table is read in batches that would fit into memory."""
    return (
        source.several
        or source.needs > default_memory()
        or not not_in_batches(find_plan(source.grid, columns))
    )


def not_in_batches(plan: Plan) -> str:
    """Why ratings of this layout are not read in batches; empty where they are."""
    if plan.layout != "long":
        return f"that is done for long tables (one rating a row), not for {plan.layout} ones"
    if len(plan.item) > 1:
        return "items of several columns are not put together then"
    return ""

"""Ratings from ratings: from our own objects, with labels declared or renamed anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.ratings import checks
from assay.ratings.common import Choices, context_of, plain_items
from assay.ratings.labels import Resolved, resolve
from assay.ratings.layout import LayoutOptions
from assay.ratings.model import Ratings, Reading
from assay.ratings.sources.grid import About, Cells, Plan
from assay.ratings.tables import Counts, Table
from assay.ratings.tallies import from_cells, from_counts, header_labels


def is_matrix(source: Any) -> bool:
    """Whether an object holds rows of cells and nothing else."""
    if isinstance(source, np.ndarray):
        return True
    return (
        isinstance(source, (list, tuple)) and bool(source) and isinstance(source[0], (list, tuple))
    )


def with_categories(made: Counts | Table, choices: Choices) -> Counts | Table:
    """The same counts or table with the declared labels, in their order."""
    declared = choices.labels.declared
    if declared is None:
        return made
    if isinstance(made, Counts):
        return Counts(made.counts, categories=declared)
    return Table(made.cells, labels=declared)


def refuse_columns(source: Any, given: LayoutOptions) -> None:
    """Raise where a column is named of a source that has none."""
    for what in ("layout", "item", "rater", "label", "by", "frequency", "raters", "cluster"):
        if getattr(given, what) is not None:
            raise UsageError(f"{what}: a {type(source).__name__} has no columns to choose from.")


def from_object(source: Ratings | Counts | Table, choices: Choices) -> Ratings:
    """Ratings from an object of ours, with its labels resolved as asked."""
    about = About(source=type(source).__name__.lower(), row_offset=1)
    if isinstance(source, Counts):
        plan = Plan("counts")
        resolved = _declared(source.categories, choices, about, ordered=False)
        return checks.checked(
            from_counts(
                source.counts,
                resolved,
                plain_items(len(source.counts), source.items),
                context_of(about, plan, choices),
            )
        )
    if isinstance(source, Table):
        resolved = _declared(source.categories, choices, about, ordered=True)
        context = context_of(about, Plan("table"), choices)
        return checks.checked(from_cells(source.cells, resolved, source.raters, context))
    if choices.labels.plain and choices.labels.scale is None:
        return source
    return _again(source, choices)


def _declared(categories: Any, choices: Choices, about: About, *, ordered: bool) -> Resolved:
    given = choices.labels
    keeps = given.declared is None and categories.ordered
    return header_labels(list(categories), choices, about, ordered=ordered and keeps)


def _again(source: Ratings, choices: Choices) -> Ratings:
    """The same ratings with labels resolved anew."""
    given = choices.labels
    old = source.categories
    if given.declared is None and old.declared and not (given.relabel or given.missing):
        declared = tuple(old)
        given = (
            replace(given, order=declared) if old.ordered else replace(given, categories=declared)
        )
    values: Any = old.labels if isinstance(old.labels, np.ndarray) and given.plain else list(old)
    codes = np.concatenate([block.labels.reshape(1, -1) for block in source.blocks], axis=1)
    cells = Cells(codes, values, ordered=old.ordered and not old.numeric)
    resolved = resolve(cells, given, About())
    blocks = tuple(replace(b, labels=resolved.apply(b.labels)) for b in source.blocks)
    reading = Reading(
        source.reading.source,
        source.reading.layout,
        (*source.reading.notes, *resolved.notes),
    )
    scale = resolved.scale if given.scale is not None else source.scale or resolved.scale
    return replace(
        source,
        blocks=blocks,
        categories=resolved.categories,
        scale=scale,
        period=given.period if given.period is not None else source.period,
        reading=reading,
    )

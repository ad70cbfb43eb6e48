"""One rating a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ratings.build import (
    dense_block,
    is_dense,
    sparse_blocks,
)
from assay.ratings.common import (
    Choices,
    Context,
    Items,
    context_of,
    encode,
    finish,
    in_clusters,
    items_of,
    named_groups,
    of_raters,
    parts_of,
    resolve_cells,
    without_empty_rows,
)
from assay.ratings.duplicates import refuse, settle
from assay.ratings.ids import Ids
from assay.ratings.labels import Resolved
from assay.ratings.model import Block, Ratings
from assay.ratings.sources.grid import Grid, Plan

Array = npt.NDArray[Any]

WIDE_HINT = (
    " The table was read as wide (a column a rater); if it has one rating a row, name its columns "
    "with --item, --rater and --label."
)


def long_ratings(grid: Grid, plan: Plan, choices: Choices, again: bool = False) -> Ratings:
    """Ratings from a table with one rating a row."""
    label = plan.label or ""
    wanted = parts_of(plan, (plan.rater or "", "raters"))
    if plan.cluster:
        wanted.append((plan.cluster, "clusters"))
    encoded, ids = encode(grid, wanted, [label], again)
    k = len(plan.item)
    for what, columns, names in (
        ("item", ids[:k], plan.item),
        ("rater", ids[k : k + 1], (plan.rater or "",)),
    ):
        if any(column.empty for column in columns):
            smaller, plan = without_empty_rows(grid, plan, names, what)
            return long_ratings(smaller, plan, choices, again)
    encoded, ids, more = of_raters(encoded, ids, k, choices.raters)
    if choices.raters is not None and plan.rater_names is not None:
        plan = replace(plan, rater_names=choices.raters)
    items = items_of(ids[:k], named_groups(ids[k + 1 : k + 1 + len(plan.by)]))
    items = in_clusters(items, plan, ids, grid.about)
    rater = ids[k]
    resolved = resolve_cells(grid, encoded, [label], choices)
    notes = [*more, *(n for column in ids for n in column.notes)]
    return from_long(
        items,
        rater,
        resolved.apply(encoded.cells.codes[0]),
        resolved,
        context_of(grid.about, plan, choices, notes),
        in_order=again or not hasattr(grid, "connection"),
        again=partial(long_ratings, grid, plan, choices, True),
    )


def from_long(
    items: Items,
    rater: Ids,
    labels: Array,
    resolved: Resolved,
    context: Context,
    *,
    in_order: bool,
    again: Callable[[], Ratings],
) -> Ratings:
    """Blocks from one rating a row; repeats are refused or settled in the source's order."""
    notes = list(context.notes)
    raters = list(rater.names())
    raters += [n for n in context.plan.rater_names or () if n not in set(raters)]
    item_codes, rater_codes = items.codes, rater.codes
    missing = int(np.count_nonzero(labels < 0)) if labels.min(initial=0) < 0 else 0
    if missing:
        rated = labels >= 0
        item_codes, rater_codes, labels = item_codes[rated], rater_codes[rated], labels[rated]
    for attempt in (1, 2):
        if is_dense(len(raters), items.size, len(labels)):
            block, repeated = dense_block(item_codes, rater_codes, labels, items.size, len(raters))
            blocks: tuple[Block, ...] = (block,)
        else:
            blocks, repeated = sparse_blocks(
                item_codes, rater_codes, labels, items.size, len(raters)
            )
        if not repeated or attempt == 2:
            break
        if not in_order:
            return again()
        repeats = (item_codes, rater_codes, labels)
        if context.choices.duplicates == "error":
            hint = WIDE_HINT if context.plan.layout == "wide" else ""
            raise refuse(
                *repeats, items.names(), raters, resolved.categories, context.about.source, hint
            )
        kept, note = settle(*repeats, context.choices.duplicates, len(raters))
        notes.append(note)
        item_codes, rater_codes, labels = item_codes[kept], rater_codes[kept], labels[kept]
    return finish(blocks, items, raters, resolved, context, notes, missing)

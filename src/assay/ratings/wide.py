"""One column a rater; or, transposed, one column an item."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, ReadingError
from assay.ratings.build import (
    constant_row_sum,
)
from assay.ratings.common import (
    Choices,
    Items,
    context_of,
    encode,
    encode_rows,
    finish,
    in_clusters,
    items_of,
    named_groups,
    of_raters,
    resolve_cells,
    row_names,
    without_empty_rows,
)
from assay.ratings.frequency import weights_of
from assay.ratings.ids import Ids, at_rows, fixed
from assay.ratings.long import from_long
from assay.ratings.model import Block, Note, Ratings
from assay.ratings.sources.grid import Grid, Plan

Array = npt.NDArray[Any]


def wide_ratings(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    """Ratings from a table with one column a rater."""
    if plan.transposed:
        return _transposed(grid, plan, choices)
    grid, plan, encoded, ids = encode_rows(grid, plan)
    k, m = len(plan.item), len(plan.item) + len(plan.by)
    cells, weights = encoded.cells, None
    notes = [n for column in ids for n in column.notes]
    if plan.frequency:
        weights, used, more = weights_of(grid, plan.frequency, ids[m])
        notes += more
        if not used.all():
            cells = replace(cells, codes=cells.codes[:, used])
            ids = [at_rows(column, np.flatnonzero(used)) for column in ids]
        encoded = replace(encoded, cells=cells)
    rows = cells.codes.shape[1]
    own = ids[:k] or [Ids(np.arange(rows, dtype=np.int32), rows, row_names(rows))]
    items = in_clusters(items_of(own, named_groups(ids[k:m])), plan, ids, grid.about)
    resolved = resolve_cells(grid, encoded, plan.columns, choices)
    labels = resolved.apply(cells.codes)
    names = plan.rater_names or plan.columns
    context = context_of(grid.about, plan, choices, notes)
    if items.size < rows and weights is None:
        # An item in several rows: each rater rated it more than once.
        n = len(plan.columns)
        flat = replace(items, codes=np.repeat(items.codes, n))
        who = Ids(np.tile(np.arange(n, dtype=np.int32), rows), n, fixed(names))
        spread = labels.T.reshape(-1)
        return from_long(flat, who, spread, resolved, context, in_order=True, again=_never)
    if items.size < rows:
        raise ReadingError(
            f"{grid.about.source}: an item stands in several rows, and there is a frequency "
            "column; with frequencies each row is a pattern of labels, so name no item column."
        )
    missing = int(np.count_nonzero(labels < 0)) if labels.min(initial=0) < 0 else 0
    values = resolved.categories.labels
    if isinstance(values, tuple) and resolved.categories.numeric:
        values = np.array(values)
    if isinstance(values, np.ndarray) and weights is None and not missing:
        total = constant_row_sum(labels, values)
        if total is not None:
            message = (
                f"every row adds up to {total}, as in a table of counts; if the columns are "
                "labels and the cells say how many raters gave them: --layout counts"
            )
            notes.append(Note("looks_like_counts", message, "warning"))
    block = Block(labels, weights=weights)
    ratings = finish((block,), items, names, resolved, context, notes, missing)
    if not missing and weights is None:
        # All slots are filled, so the sizes are known without counting.
        ratings.__dict__["sizes"] = {len(names): rows} if rows else {}
    return ratings


def _never() -> Ratings:
    raise InputError("rows are in order already")


def _transposed(grid: Grid, plan: Plan, choices: Choices) -> Ratings:
    encoded, ids = encode(grid, [(plan.rater or "", "raters")], plan.columns, True)
    if ids[0].empty:
        smaller, plan = without_empty_rows(grid, plan, [plan.rater or ""], "rater")
        return _transposed(smaller, plan, choices)
    encoded, ids, more = of_raters(encoded, ids, 0, choices.raters)
    rater = ids[0]
    resolved = resolve_cells(grid, encoded, plan.columns, choices)
    labels = resolved.apply(encoded.cells.codes)
    n, rows = labels.shape
    items = Items(np.repeat(np.arange(n), rows), n, fixed(plan.columns), (), None)
    who = Ids(np.tile(rater.codes, n), rater.size, rater.names)
    context = context_of(grid.about, plan, choices, [*more, *rater.notes])
    return from_long(items, who, labels.reshape(-1), resolved, context, in_order=True, again=_never)

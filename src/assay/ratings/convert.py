"""Ratings as other shapes: items × categories, two-rater tables, plain rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.errors import InputError
from assay.ratings.categories import Label
from assay.ratings.crowd import ROWS_NOT_KEPT
from assay.ratings.model import Ratings
from assay.ratings.tables import Counts


def to_counts(ratings: Ratings) -> Counts:
    """Items × categories; who gave which rating is lost.

    An item that a frequency made stand for several comes as several rows.

    Raises
    ------
    InputError
        If the ratings come from a table with decimal cells.
    """
    if ratings.denominator != 1:
        raise InputError("counts: the table has decimal cells, and items are whole.")
    q = len(ratings.categories)
    rows, names = [], []
    items = ratings.items
    for block in ratings.blocks:
        slot, column = np.nonzero(block.labels >= 0)
        key = column * q + block.labels[slot, column].astype(np.int64)
        counts = np.bincount(key, minlength=block.n * q).reshape(block.n, q)
        number = np.arange(block.n) if block.items is None else block.items
        times = np.ones(block.n, np.int64) if block.weights is None else block.weights
        rows.append(np.repeat(counts, times, axis=0))
        names += [items[i] for i in np.repeat(number, times).tolist()]
    table = np.concatenate(rows) if rows else np.zeros((0, q), np.int64)
    return Counts(table, categories=ratings.categories, items=names)


def to_rows(ratings: Ratings) -> Iterator[tuple[str, str, Label]]:
    """The long table: (item, rater, label), one rating each."""
    if ratings.crowd is not None or ratings.examples is not None:
        raise InputError(f"rows: {ROWS_NOT_KEPT}.", code="rows_not_kept")
    if ratings.denominator != 1:
        raise InputError("rows: the table has decimal cells, and items are whole.")
    items, raters = ratings.items, ratings.raters
    for block in ratings.blocks:
        for column in range(block.n):
            number = column if block.items is None else int(block.items[column])
            times = 1 if block.weights is None else int(block.weights[column])
            for _ in range(times):
                for slot, code in enumerate(block.labels[:, column].tolist()):
                    if code < 0:
                        continue
                    who = slot if block.raters is None else int(block.raters[slot, column])
                    rater = raters[who] if raters else ""
                    yield items[number], rater, ratings.categories[code]

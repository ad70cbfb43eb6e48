"""From coded columns to :class:`~assay.ratings.model.Ratings`: blocks and their checks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.ratings.categories import Codes, Ints
from assay.ratings.model import Block

DENSE_FACTOR = 4
DENSE_FLOOR = 1_000_000
SPLIT_FACTOR = 16
SPLIT_FLOOR = 50_000_000
LARGEST_COUNTS = 500_000_000

Array = npt.NDArray[Any]


def small_type(size: int) -> np.dtype[Any]:
    """The narrowest signed type for the codes −1 … size − 1."""
    return np.min_scalar_type(-max(size, 1))


def is_dense(n_raters: int, n_items: int, n_ratings: int) -> bool:
    """Whether a slot a rater is worth its empty cells."""
    return n_raters * n_items <= DENSE_FACTOR * n_ratings + DENSE_FLOOR


def dense_block(
    items: Array, raters: Array, labels: Array, n_items: int, n_raters: int
) -> tuple[Block, bool]:
    """A rater-major block, and whether some (item, rater) came twice.

    Parameters
    ----------
    items, raters, labels
        Shape (ratings,): codes of each rating, none of them −1.
    """
    table = np.full(n_raters * n_items, -1, dtype=labels.dtype)
    place = raters.astype(np.int64) * n_items
    place += items
    table[place] = labels
    repeated = int(np.count_nonzero(table >= 0)) < len(labels)
    return Block(table.reshape(n_raters, n_items)), repeated


def sparse_blocks(
    items: Array, raters: Array, labels: Array, n_items: int, n_raters: int
) -> tuple[tuple[Block, ...], bool]:
    """Slot-major blocks (slot = rank of the rater within the item), and whether repeated."""
    key = items.astype(np.int64) * n_raters + raters
    order = np.argsort(key, kind="stable")
    key = key[order]
    repeated = bool((key[1:] == key[:-1]).any())
    per_item = np.bincount(items, minlength=n_items)
    start = np.concatenate(([0], np.cumsum(per_item)[:-1]))
    owner = items[order].astype(np.int64)
    slot = np.arange(len(key)) - start[owner]
    labels, raters = labels[order], raters[order].astype(small_type(n_raters))
    slots = int(per_item.max(initial=0))
    if slots * n_items <= max(SPLIT_FACTOR * len(key), SPLIT_FLOOR):
        return (_scatter(slot, owner, labels, raters, slots, n_items, None),), repeated
    # Items by number of ratings: 0-1, 2, 3-4, 5-8, …
    size = np.ceil(np.log2(np.maximum(per_item, 1))).astype(np.int64)
    blocks = []
    for power in np.unique(size):
        members = np.flatnonzero(size == power)
        column = np.full(n_items, -1, dtype=np.int64)
        column[members] = np.arange(len(members))
        mine = column[owner] >= 0
        blocks.append(
            _scatter(
                slot[mine],
                column[owner[mine]],
                labels[mine],
                raters[mine],
                int(per_item[members].max(initial=0)),
                len(members),
                members,
            )
        )
    return tuple(blocks), repeated


def _scatter(
    slot: Array, column: Array, labels: Array, raters: Array, slots: int, n: int, items: Ints | None
) -> Block:
    table = np.full((slots, n), -1, dtype=labels.dtype)
    who = np.full((slots, n), -1, dtype=raters.dtype)
    table[slot, column] = labels
    who[slot, column] = raters
    return Block(table, who, items)


def count_block(counts: Ints, n_labels: int) -> Block:
    """Slots × items from items × categories: the ratings of an item in order of label."""
    per_item = counts.sum(axis=1)
    slots = int(per_item.max(initial=0))
    if slots * len(counts) > LARGEST_COUNTS:
        raise InputError(
            f"counts: an item has {slots:,} ratings, too many for {len(counts):,} items; "
            "give the counts to a coefficient itself, as in assay.fleiss_kappa(counts=…)."
        )
    ends = np.cumsum(counts, axis=1)
    table = np.zeros((slots, len(counts)), dtype=small_type(n_labels))
    rank = np.arange(slots)[:, None]
    for j in range(counts.shape[1]):
        table += rank >= ends[None, :, j]
    table[rank >= per_item[None, :]] = -1
    return Block(table)


def drop_repeats(items: Array, raters: Array, keep: str, groups: int) -> tuple[Array, Array]:
    """Which rows to keep of repeated (item, rater), in file order, and each row's pair.

    ``keep`` is "first" or "last".
    """
    key = items.astype(np.int64) * groups + raters
    _, pair = np.unique(key, return_inverse=True)
    rows = np.arange(len(key))
    chosen = np.full(int(pair.max(initial=-1)) + 1, -1, dtype=np.int64)
    if keep == "first":
        chosen[pair[::-1]] = rows[::-1]
    else:
        chosen[pair] = rows
    return np.sort(chosen), pair


def constant_row_sum(codes: Codes, values: Array) -> int | None:
    """The sum of each row's values where all rows have the same, above 1, else None."""
    n = codes.shape[1]
    if codes.shape[0] < 2 or n < 2 or values.dtype.kind not in "iu" or values.min(initial=0) < 0:
        return None
    for part in (slice(0, 64), slice(0, 5000), slice(None)):
        some = codes[:, part]
        if (some < 0).any():
            return None
        sums = values[some].sum(axis=0)
        if (sums != sums[0]).any() or sums[0] <= 1:
            return None
    return int(sums[0])

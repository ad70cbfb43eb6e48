"""Contingency tables of all pairs of raters, sparse, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from assay.ratings.categories import Ints

if TYPE_CHECKING:
    from assay.ratings.model import Block

DENSE_LABELS = 50
"""Up to this many labels, a matrix product counts faster than look-ups do."""

EXACT_FLOATS = 1 << 53
"""Whole numbers below this are exact as floats."""


@dataclass(frozen=True, eq=False)
class PairTables:
    """The contingency tables of all pairs of raters that share items, cell by cell.

    Attributes
    ----------
    raters
        Shape (pairs, 2): the two raters' numbers, the lower first.
    pair, a, b, n
        Shape (cells,): which pair, the labels of its first and second rater, and how many
        items; sorted by pair, a, b; only cells that are not 0.
    """

    q: int
    raters: Ints
    pair: Ints
    a: Ints
    b: Ints
    n: Ints
    denominator: int = 1

    def __len__(self) -> int:
        return len(self.raters)

    @cached_property
    def starts(self) -> Ints:
        return np.searchsorted(self.pair, np.arange(len(self)))

    def cells(self, index: int) -> tuple[Ints, Ints, Ints]:
        """Labels of the first rater, of the second, and counts, of one pair."""
        end = self.starts[index + 1] if index + 1 < len(self) else self.pair.size
        part = slice(int(self.starts[index]), int(end))
        return self.a[part], self.b[part], self.n[part]

    def sum(self, entries: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Σ over each pair's cells, shape (pairs,)."""
        return np.add.reduceat(entries, self.starts) if len(self) else entries[:0]

    @cached_property
    def totals(self) -> Ints:
        """Shape (pairs,): items that both raters rated."""
        return self.sum(self.n)

    def marginals(self) -> tuple[Ints, Ints]:
        """Two arrays of shape (pairs, q): each rater's label counts on the shared items."""
        rows = np.zeros((len(self), self.q), dtype=np.int64)
        columns = np.zeros_like(rows)
        np.add.at(rows, (self.pair, self.a), self.n)
        np.add.at(columns, (self.pair, self.b), self.n)
        return rows, columns


def _pair_keys(
    block: Block, q: int, raters: int
) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """Codes of (rater, rater, label, label) with weights, slot pair by slot pair."""
    slots = block.labels.shape[0]
    for s in range(slots):
        for t in range(s + 1, slots):
            both = (block.labels[s] >= 0) & (block.labels[t] >= 0)
            a = block.labels[s][both].astype(np.int64)
            b = block.labels[t][both].astype(np.int64)
            times = np.ones(a.size, np.int64) if block.weights is None else block.weights[both]
            if block.raters is None:
                first, second = np.int64(s), np.int64(t)
            else:
                g = block.raters[s][both].astype(np.int64)
                h = block.raters[t][both].astype(np.int64)
                swap = g > h
                a, b = np.where(swap, b, a), np.where(swap, a, b)
                first, second = np.minimum(g, h), np.maximum(g, h)
            yield ((first * raters + second) * q + a) * q + b, times


def _collect(keys: npt.NDArray[Any], times: Ints) -> tuple[Ints, Ints]:
    """Distinct keys, sorted, with the sum of their weights."""
    if keys.size == 0:
        return keys, times
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    return keys[starts], np.add.reduceat(times[order], starts)


def _onehot_tables(block: Block, q: int) -> Ints:
    """Shape (raters, q, raters, q): items with label k by g and l by h, by matrix product."""
    slots = block.labels.shape[0]
    total = np.zeros((slots * q, slots * q))
    weights = block.weights
    # Products of 0/1 in single precision are exact up to 2^24 items a step.
    kind = np.float32 if weights is None else np.float64
    step = max(256, min(1 << 22, 24_000_000 // (slots * q)))
    codes = np.arange(q, dtype=block.labels.dtype)
    for start in range(0, block.n, step):
        part = block.labels[:, start : start + step]
        hot = (part[:, None, :] == codes[None, :, None]).reshape(slots * q, -1).astype(kind)
        other = hot if weights is None else hot * weights[start : start + step]
        total += hot @ other.T
    return np.rint(total).astype(np.int64).reshape(slots, q, slots, q)


def pair_tables(blocks: tuple[Block, ...], q: int, raters: int, denominator: int) -> PairTables:
    """The tables of all pairs of raters in the blocks."""
    keys, times = [], []
    for block in blocks:
        slots = block.labels.shape[0]
        small = block.weights is None or int(block.weights.sum()) < EXACT_FLOATS
        if (
            block.raters is None
            and 0 < slots * q <= 4096
            and slots > 1
            and q <= DENSE_LABELS
            and small
        ):
            tables = _onehot_tables(block, q)
            g, k, h, m = np.nonzero(tables)
            upper = g < h
            g, k, h, m = g[upper], k[upper], h[upper], m[upper]
            keys.append(((g * raters + h) * q + k) * q + m)
            times.append(tables[g, k, h, m])
            continue
        for key, weight in _pair_keys(block, q, raters):
            key, weight = _collect(key, weight)
            keys.append(key)
            times.append(weight)
    if not keys:
        keys, times = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    return _tables(*_collect(np.concatenate(keys), np.concatenate(times)), q, raters, denominator)


def cells_of_block(block: Block, q: int, raters: int) -> Ints:
    """Shape (cells, 5): two raters (the lower first), their labels, and how many items."""
    found = [_collect(key, times) for key, times in _pair_keys(block, q, raters)]
    none = np.zeros(0, dtype=np.int64)
    key, n = _collect(
        np.concatenate([none, *(k for k, _ in found)]),
        np.concatenate([none, *(t for _, t in found)]),
    )
    key, b = np.divmod(key, q)
    key, a = np.divmod(key, q)
    g, h = np.divmod(key, raters)
    return np.stack([g, h, a, b, n], axis=1)


def tables_of_cells(g: Ints, h: Ints, a: Ints, b: Ints, n: Ints, q: int, raters: int) -> PairTables:
    """The tables from their cells: two raters (the lower first), two labels, items."""
    return _tables(*_collect(((g * raters + h) * q + a) * q + b, n), q, raters, 1)


def _tables(key: Ints, n: Ints, q: int, raters: int, denominator: int) -> PairTables:
    who, b = np.divmod(key, max(1, q))
    who, a = np.divmod(who, max(1, q))
    distinct, pair = np.unique(who, return_inverse=True)
    pairs = np.stack(np.divmod(distinct, raters), axis=1) if raters else np.zeros((0, 2), np.int64)
    return PairTables(q, pairs, pair.ravel(), a, b, n, denominator)

"""The distinct units of one set of ratings, in an order that the file's order does not change."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import numpy as np

from assay.agreement.additive import Tally
from assay.errors import InputError
from assay.ratings.categories import Ints
from assay.ratings.crowd import ROWS_NOT_KEPT
from assay.ratings.model import Block, Ratings
from assay.ratings.patterns import Patterns, merge, patterns_of_columns
from assay.ratings.reductions import Reduced

CELLS = 60_000_000
"""The largest table of items × raters that is made."""
KEYS = 1 << 62


class Units(Protocol):
    """Distinct units, however they were made: what a form is built from."""

    q: int

    @property
    def times(self) -> Ints:
        """Shape (units,): items of each unit."""

    @property
    def tally(self) -> Tally:
        """What each unit's ratings come to, whoever gave them."""

    @property
    def rows(self) -> Any:
        """Shape (units, raters): label codes, −1 where there is none."""


class Source:
    """Units of one kind.

    Parameters
    ----------
    made
        The reductions of the ratings.
    kind
        "multisets": which labels an item received, the smallest number of units; "rows": and
        from whom; "items": every item on its own, in the order of the blocks.
    """

    def __init__(self, made: Reduced, kind: str) -> None:
        self.made = made
        self.kind = kind
        self.q = made.q

    @property
    def raters(self) -> tuple[str, ...]:
        """The raters' names, sorted: the columns of :attr:`rows`."""
        return tuple(sorted(self.made.raters))

    @cached_property
    def tally(self) -> Tally:
        return Tally.of(self.patterns)

    @cached_property
    def times(self) -> Ints:
        """Shape (units,): items of each unit."""
        return self.patterns.multiplicity if self.kind == "multisets" else self._table[1]

    @cached_property
    def patterns(self) -> Patterns:
        """A pattern a unit."""
        if self.kind == "multisets":
            return in_order(self.made.patterns)
        if self.kind == "rows":
            return patterns_of_columns(self.rows.T, self.times, self.q, self.made.denominator)
        parts = [
            patterns_of_columns(block.labels[:, kept], weights, self.q, self.made.denominator)
            for block, kept, weights in self._kept
        ]
        return merge(parts)

    @property
    def rows(self) -> Any:
        """Shape (units, raters): label codes, −1 where there is none."""
        return self._table[0]

    @cached_property
    def items(self) -> Ints:
        """Shape (columns,): the number of each column of the blocks that holds a rating."""
        numbers = [np.zeros(0, dtype=np.int64)]
        for block, kept, _ in self._kept:
            numbers.append(kept if block.items is None else np.asarray(block.items)[kept])
        return np.concatenate(numbers).astype(np.int64)

    @cached_property
    def of_columns(self) -> Ints:
        """Shape (columns,): the unit of each of these columns."""
        if self.kind == "items":
            return np.arange(self.items.size)
        if self.kind == "rows":
            self._refuse_crowd()
            return places(*alike(self._rows([(b.take(k), w) for b, k, w in self._kept]), self.q))
        parts, found, before = [], [np.zeros(0, np.int64)], 0
        for block, kept, weights in self._kept:
            labels = np.sort(block.labels[:, kept], axis=0)
            order, starts = alike(labels.T, self.q)
            times = np.add.reduceat(weights[order], starts) if starts.size else weights
            parts.append(patterns_of_columns(labels[:, order[starts]], times, self.q, 1))
            found.append(places(order, starts) + before)
            before += starts.size
        return sorted_patterns(merge(parts))[1][np.concatenate(found)] if before else found[0]

    @cached_property
    def _kept(self) -> list[tuple[Block, Ints, Ints]]:
        """Each block with its columns that hold a rating, and how many items they stand for."""
        ratings = self.made.ratings
        if not isinstance(ratings, Ratings):
            raise InputError("items of a table of counts have no names.")
        out = []
        for block in ratings.blocks:
            kept = np.flatnonzero((block.labels >= 0).any(axis=0))
            weights = np.ones(block.n, np.int64) if block.weights is None else block.weights
            out.append((block, kept, weights[kept]))
        return out

    @cached_property
    def _table(self) -> tuple[Any, Ints]:
        """Rows and how many items have each."""
        self._refuse_crowd()
        if self.kind == "items":
            times = np.concatenate([np.zeros(0, np.int64), *(w for _, _, w in self._kept)])
            if not self.made.raters:
                return np.zeros((times.size, 0), np.int8), times
            blocks = [(b.take(kept), w) for b, kept, w in self._kept]
            return self._rows(blocks), times
        blocks = [
            (b, np.ones(b.n, np.int64) if b.weights is None else b.weights)
            for b in self.made.blocks
        ]
        rows = self._rows(blocks)
        times = np.concatenate([np.zeros(0, np.int64), *(w for _, w in blocks)])
        there = (rows >= 0).any(axis=1)
        return distinct(rows[there], times[there], self.q)

    def _refuse_crowd(self) -> None:
        if self.made.crowd is not None:
            raise InputError(ROWS_NOT_KEPT, code="rows_not_kept")

    def _rows(self, blocks: list[tuple[Block, Ints]]) -> Any:
        """Shape (columns of the blocks, raters), raters by name."""
        names = self.made.raters
        total = sum(block.n for block, _ in blocks)
        if total * len(names) > CELLS:
            raise InputError(
                f"{total:,} items × {len(names):,} raters are more cells than are resampled with "
                "who gave which rating",
                code="too_large",
            )
        place = np.empty(len(names), dtype=np.int64)
        place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        parts = [np.zeros((0, len(names)), dtype=np.int8)]
        for block, _ in blocks:
            part = np.full((block.n, len(names)), -1, dtype=block.labels.dtype)
            slot, item = np.nonzero(block.labels >= 0)
            who = slot if block.raters is None else block.raters[slot, item]
            part[item, place[who]] = block.labels[slot, item]
            parts.append(part)
        return np.concatenate(parts)


def alike(rows: Any, q: int) -> tuple[Ints, Ints]:
    """The order of rows, and where in it each stretch of equal ones begins."""
    every = np.arange(len(rows))
    if not len(rows) or not rows.shape[1]:
        return every, every
    if (q + 1) ** rows.shape[1] < KEYS:
        key = np.zeros(len(rows), dtype=np.int64)
        for column in rows.T:
            key *= q + 1
            key += column
            key += 1
        order = np.argsort(key, kind="stable")
        key = key[order]
        new = np.append(True, key[1:] != key[:-1])
    else:
        order = np.lexsort(rows.T[::-1])
        found = rows[order]
        new = np.append(True, (found[1:] != found[:-1]).any(axis=1))
    return order, np.flatnonzero(new)


def places(order: Ints, starts: Ints) -> Ints:
    """Shape (rows,): which of the distinct rows each row is."""
    out = np.empty(order.size, dtype=np.int64)
    out[order] = np.repeat(np.arange(starts.size), np.diff(starts, append=order.size))
    return out


def distinct(rows: Any, times: Ints, q: int) -> tuple[Any, Ints]:
    """Equal rows merged, in one order."""
    order, starts = alike(rows, q)
    if not starts.size:
        return rows, times
    return rows[order[starts]], np.add.reduceat(times[order], starts)


def in_order(p: Patterns) -> Patterns:
    """Patterns sorted by their labels, equal ones merged."""
    return sorted_patterns(p)[0]


def sorted_patterns(p: Patterns) -> tuple[Patterns, Ints]:
    """The same, and which of them each of the patterns is."""
    if len(p) < 2:
        return p, np.arange(len(p))
    width = int(p.sizes.max())
    if len(p) * width > CELLS:
        # Counts of very many ratings an item, which are distinct already.
        order = np.lexsort(p.dense().T[::-1])
        return p.take(order), places(order, np.arange(len(p)))
    columns = np.full((len(p), width), -1, dtype=np.int64)
    labels = np.repeat(p.labels, p.counts)
    owner = np.repeat(p.owner, p.counts)
    first = np.cumsum(p.sizes) - p.sizes
    columns[owner, np.arange(labels.size) - first[owner]] = labels
    order, starts = alike(columns, p.q)
    rows, times = columns[order[starts]], np.add.reduceat(p.multiplicity[order], starts)
    return patterns_of_columns(rows.T, times, p.q, p.denominator), places(order, starts)

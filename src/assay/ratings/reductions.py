"""The small reductions that every coefficient is a function of.

Nothing above this module reads ratings: it reads :class:`Patterns` (interchangeable raters),
:class:`PairTables` and the raters' marginals (identified raters), or a :class:`Matrix`
(items × raters, for ICC and ranks). Each is a sum over items, so partial results of parts of
the data merge by addition; an engine that can group and count can produce the same objects.
All counts are integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ratings.model import Block, Counts, Floats, Ints, Ratings

CHUNK = 1 << 18
"""Items handled at a time where a temporary array is made."""

TUPLES = 1 << 22
"""The largest number of possible columns for which they are counted by table look-up."""


def compress(block: Block, q: int) -> Block:
    """Equal columns merged into one with a weight, where slots are raters and labels few.

    Loses which item is which, and nothing else.
    """
    slots, n = block.labels.shape
    space = (q + 1) ** slots if slots <= 32 else TUPLES + 1
    if block.raters is not None or space > TUPLES or n * 2 < space or block.weights is not None:
        return block
    kind = np.int16 if space < 1 << 15 else np.int32
    seen = np.zeros(space, dtype=np.int64)
    for start in range(0, n, CHUNK):
        part = block.labels[:, start : start + CHUNK]
        code = np.zeros(part.shape[1], dtype=kind)
        for row in part:  # Horner: code = Σ (label + 1) (q + 1)^(slots − 1 − s)
            code *= kind(q + 1)
            code += row.astype(kind, copy=False)
            code += kind(1)
        seen += np.bincount(code, minlength=space)
    used = np.flatnonzero(seen)
    labels = np.empty((slots, used.size), dtype=block.labels.dtype)
    rest = used
    for slot in range(slots - 1, -1, -1):
        rest, digit = np.divmod(rest, q + 1)
        labels[slot] = digit - 1
    return Block(labels, None, None, seen[used])


@dataclass(frozen=True, eq=False)
class Patterns:
    """Distinct multisets of labels, each with the number of items that have it.

    Attributes
    ----------
    q
        The number of categories.
    multiplicity
        Shape (patterns,): items with this pattern (over ``denominator``).
    sizes
        Shape (patterns,): ratings of such an item, at least 1.
    starts
        Shape (patterns,): where each pattern's entries begin.
    labels, counts
        Shape (entries,): a label's code, and how many raters gave it (at least 1).
    """

    q: int
    multiplicity: Ints
    sizes: Ints
    starts: Ints
    labels: Ints
    counts: Ints
    denominator: int = 1

    def __len__(self) -> int:
        return self.multiplicity.size

    def sum(self, entries: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Σ over each pattern's entries, shape (patterns,)."""
        if not len(self):
            return entries[:0]
        return np.add.reduceat(entries, self.starts)

    @cached_property
    def weight(self) -> Floats:
        """Items with each pattern, as floats."""
        return self.multiplicity / self.denominator

    def items(self, least: int = 1) -> Fraction:
        """Items with at least ``least`` ratings."""
        return Fraction(int(self.multiplicity[self.sizes >= least].sum()), self.denominator)

    @cached_property
    def owner(self) -> Ints:
        lengths = np.diff(self.starts, append=self.labels.size)
        return np.repeat(np.arange(len(self)), lengths)

    def pairable(self) -> Patterns:
        """Only the items with two ratings or more."""
        keep = self.sizes >= 2
        if keep.all():
            return self
        return self.take(np.flatnonzero(keep))

    def take(self, rows: Ints) -> Patterns:
        """Only the patterns with these numbers, in their order."""
        lengths = np.diff(self.starts, append=self.labels.size)[rows]
        entries = np.repeat(self.starts[rows], lengths) + _ramp(lengths)
        return Patterns(
            self.q,
            self.multiplicity[rows],
            self.sizes[rows],
            np.cumsum(lengths) - lengths,
            self.labels[entries],
            self.counts[entries],
            self.denominator,
        )

    def dense(self) -> Floats:
        """Shape (patterns, q): the counts as a matrix."""
        out = np.zeros((len(self), self.q))
        out[self.owner, self.labels] = self.counts
        return out

    @cached_property
    def by_size(self) -> dict[int, SizeTotals]:
        """Totals of the items with r ratings, for each r, in exact integers."""
        out = {}
        owner = self.owner
        for r in np.unique(self.sizes).tolist():
            mine = self.sizes[owner] == r
            labels, counts = self.labels[mine], self.counts[mine]
            times = self.multiplicity[owner[mine]]
            ratings = np.zeros(self.q, dtype=np.int64)
            squares = np.zeros(self.q, dtype=np.int64)
            np.add.at(ratings, labels, times * counts)
            np.add.at(squares, labels, times * counts * counts)
            items = int(self.multiplicity[self.sizes == r].sum())
            out[r] = SizeTotals(r, items, ratings, squares)
        return out

    def coincidences(self, r: int) -> Ints:
        """Shape (q, q): Σ n_ij n_il over the items with r ratings, in exact integers."""
        total = np.zeros((self.q, self.q))
        wanted = np.flatnonzero(self.sizes == r)
        step = max(1, 20_000_000 // max(1, self.q))
        for start in range(0, wanted.size, step):
            part = self.take(wanted[start : start + step])
            x = part.dense()
            # Whole numbers below 2^53, so the product of floats is exact.
            total += x.T @ (x * part.multiplicity[:, None])
        return np.rint(total).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class SizeTotals:
    """Of the items with r ratings: how many, and per label Σ n_ij and Σ n_ij²."""

    r: int
    items: int
    ratings: Ints
    squares: Ints


def exact_dot(weights: Ints, values: Ints) -> int:
    """Σ w v in whole numbers of any size, for w ≥ 0 and |v| < 2^62."""
    # The halves of v keep each partial sum below 2^63 while Σ w is below 2^31 or so.
    if int(weights.sum()) < 1 << 31:
        high, low = values >> 31, values & ((1 << 31) - 1)
        return (int(weights @ high) << 31) + int(weights @ low)
    return sum(w * v for w, v in zip(weights.tolist(), values.tolist(), strict=True) if w)


def _ramp(lengths: Ints) -> Ints:
    """0 … length−1 for each length, one after another."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if ends.size else 0) - np.repeat(ends - lengths, lengths)


def _group(order: Ints, new: npt.NDArray[np.bool_], weights: Ints | None) -> tuple[Ints, Ints]:
    """First row and total weight of each run of equal sorted rows."""
    starts = np.flatnonzero(new)
    if weights is None:
        return order[starts], np.diff(starts, append=order.size)
    return order[starts], np.add.reduceat(weights[order], starts)


def _patterns_of_block(block: Block, q: int, denominator: int) -> Patterns:
    labels, weights = block.labels, block.weights
    sizes = (labels >= 0).sum(axis=0)
    if (sizes == 0).any():
        keep = sizes > 0
        labels = labels[:, keep]
        weights = None if weights is None else weights[keep]
    slots, n = labels.shape
    if n == 0:
        none = np.zeros(0, dtype=np.int64)
        return Patterns(q, none, none, none, none, none, denominator)
    if q * np.log2(slots + 1) < 62:
        # One integer a multiset: label j counts (slots + 1)^j.
        powers = np.append((slots + 1) ** np.arange(q, dtype=np.int64), 0)
        key = np.zeros(n, dtype=np.int64)
        for row in labels:
            key += powers[row]
        order = np.argsort(key, kind="stable")
        key = key[order]
        first, times = _group(order, np.append(True, key[1:] != key[:-1]), weights)
    else:
        ordered = np.sort(labels, axis=0)
        order = np.lexsort(ordered)
        ordered = ordered[:, order]
        new = np.append(True, (ordered[:, 1:] != ordered[:, :-1]).any(axis=0))
        first, times = _group(order, new, weights)
    columns = np.sort(labels[:, first], axis=0).T  # (patterns, slots), empty slots first
    changed = np.ones(columns.shape, dtype=bool)
    changed[:, 1:] = columns[:, 1:] != columns[:, :-1]
    changed &= columns >= 0
    rows, slot = np.nonzero(changed)
    starts = np.searchsorted(rows, np.arange(len(first)))
    ends = np.append(slot[1:], slots)
    ends[np.append(rows[1:] != rows[:-1], True)] = slots
    return Patterns(
        q,
        times.astype(np.int64),
        (columns >= 0).sum(axis=1).astype(np.int64),
        starts.astype(np.int64),
        columns[rows, slot].astype(np.int64),
        (ends - slot).astype(np.int64),
        denominator,
    )


def merge(parts: list[Patterns]) -> Patterns:
    """The patterns of several parts of the data together."""
    if len(parts) == 1:
        return parts[0]
    offsets = np.cumsum([0, *(p.labels.size for p in parts[:-1])])
    return Patterns(
        parts[0].q,
        np.concatenate([p.multiplicity for p in parts]),
        np.concatenate([p.sizes for p in parts]),
        np.concatenate([p.starts + o for p, o in zip(parts, offsets, strict=True)]),
        np.concatenate([p.labels for p in parts]),
        np.concatenate([p.counts for p in parts]),
        parts[0].denominator,
    )


def patterns_of_counts(counts: Counts) -> Patterns:
    """The patterns of an items × categories table."""
    x = counts.counts[counts.counts.sum(axis=1) > 0]
    if len(x) == 0:
        none = np.zeros(0, dtype=np.int64)
        return Patterns(x.shape[1], none, none, none, none, none)
    x, times = np.unique(x, axis=0, return_counts=True)
    rows, labels = np.nonzero(x)
    return Patterns(
        x.shape[1],
        times.astype(np.int64),
        x.sum(axis=1),
        np.searchsorted(rows, np.arange(len(x))).astype(np.int64),
        labels.astype(np.int64),
        x[rows, labels],
    )


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


def _pair_tables(blocks: tuple[Block, ...], q: int, raters: int, denominator: int) -> PairTables:
    keys, times = [], []
    for block in blocks:
        slots = block.labels.shape[0]
        if block.raters is None and slots * q <= 4096 and slots > 1:
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
    key, n = _collect(np.concatenate(keys), np.concatenate(times))
    who, b = np.divmod(key, q)
    who, a = np.divmod(who, q)
    distinct, pair = np.unique(who, return_inverse=True)
    pairs = np.stack(np.divmod(distinct, raters), axis=1) if raters else np.zeros((0, 2), np.int64)
    return PairTables(q, pairs, pair.ravel(), a, b, n, denominator)


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Items that every rater rated: label codes of shape (raters, items), and weights."""

    codes: npt.NDArray[Any]
    weights: Ints
    left_out: int


class ItemSums:
    """Sums over each item's ratings, for items with two or more.

    Attributes
    ----------
    sizes, weights
        Shape (groups,): ratings an item has, and how many items a group stands for.
    totals
        Shape (q,): values of each label.
    """

    def __init__(self, sizes: Ints, weights: Ints, totals: Ints) -> None:
        self.sizes = sizes
        self.weights = weights
        self.totals = totals

    @classmethod
    def of(cls, made: Reduced) -> ItemSums:
        """From patterns where labels are few, else from the blocks without forming patterns."""
        return made.item_sums

    def moments(self, values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Σ x and Σ x² of each item, for a value a label."""
        raise NotImplementedError

    def per_label(self, scale: Floats) -> Floats:
        """Shape (q,): Σ over values of each label of their item's ``scale``."""
        raise NotImplementedError


class _PatternSums(ItemSums):
    def __init__(self, patterns: Patterns) -> None:
        self._p = patterns
        totals = np.zeros(patterns.q, dtype=np.int64)
        for part in patterns.by_size.values():
            totals += part.ratings
        super().__init__(patterns.sizes, patterns.multiplicity, totals)

    def moments(self, values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        p = self._p
        x = values[p.labels]
        return p.sum(p.counts * x), p.sum(p.counts * x * x)

    def per_label(self, scale: Floats) -> Floats:
        p = self._p
        out = np.zeros(p.q)
        np.add.at(out, p.labels, p.counts * scale[p.owner])
        return out


class _BlockSums(ItemSums):
    def __init__(self, blocks: tuple[Block, ...], q: int) -> None:
        self._blocks = []
        sizes, weights = [], []
        totals = np.zeros(q, dtype=np.int64)
        for block in blocks:
            count = (block.labels >= 0).sum(axis=0)
            labels = block.labels[:, count >= 2]
            times = np.ones(block.n, np.int64) if block.weights is None else block.weights
            sizes.append(count[count >= 2])
            weights.append(times[count >= 2])
            self._blocks.append(labels)
            for row in labels:
                given = row >= 0
                np.add.at(totals, row[given], weights[-1][given])
        none = np.zeros(0, dtype=np.int64)
        super().__init__(
            np.concatenate([none, *sizes]), np.concatenate([none, *weights]), totals
        )
        self._q = q

    def moments(self, values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        table = np.append(values, values.dtype.type(0))  # label -1 picks the 0 at the end
        first, second = [], []
        for labels in self._blocks:
            one = np.zeros(labels.shape[1], dtype=values.dtype)
            two = np.zeros_like(one)
            for row in labels:
                x = table[row]
                one += x
                two += x * x
            first.append(one)
            second.append(two)
        none = np.zeros(0, dtype=values.dtype)
        return np.concatenate([none, *first]), np.concatenate([none, *second])

    def per_label(self, scale: Floats) -> Floats:
        out = np.zeros(self._q + 1)
        start = 0
        for labels in self._blocks:
            part = scale[start : start + labels.shape[1]]
            start += labels.shape[1]
            for row in labels:
                np.add.at(out, row, part)
        return out[:-1]


FEW_LABELS = 256
"""Up to this many labels, moments are taken over patterns."""


class Reduced:
    """The reductions of one set of ratings, each made once, when first asked for.

    Parameters
    ----------
    ratings
        The ratings; or a :class:`~assay.ratings.model.Counts`, of which only the
        patterns exist.
    """

    def __init__(self, ratings: Ratings | Counts) -> None:
        self.ratings = ratings
        self.categories = ratings.categories
        self.q = len(ratings.categories)

    @classmethod
    def of(cls, ratings: Ratings) -> Reduced:
        """The reductions of ``ratings``, kept with it."""
        found = ratings.__dict__.get("_reduced")
        if not isinstance(found, Reduced):
            found = ratings.__dict__["_reduced"] = cls(ratings)
        return found

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        if isinstance(self.ratings, Counts):
            return ()
        return tuple(compress(block, self.q) for block in self.ratings.blocks)

    @property
    def raters(self) -> tuple[str, ...]:
        return () if isinstance(self.ratings, Counts) else self.ratings.raters

    @property
    def denominator(self) -> int:
        return 1 if isinstance(self.ratings, Counts) else self.ratings.denominator

    @cached_property
    def patterns(self) -> Patterns:
        if isinstance(self.ratings, Counts):
            return patterns_of_counts(self.ratings)
        parts = [_patterns_of_block(b, self.q, self.denominator) for b in self.blocks]
        return merge(parts or [_patterns_of_block(_EMPTY, self.q, 1)])

    @cached_property
    def sizes(self) -> dict[int, int]:
        """How many items (over the denominator) have 1, 2, … ratings."""
        if isinstance(self.ratings, Counts):
            return {r: s.items for r, s in self.patterns.by_size.items()}
        return {r: n for r, n in self.ratings.sizes.items() if r}

    def items(self, least: int = 1) -> Fraction:
        """Items with at least ``least`` ratings."""
        total = sum(n for r, n in self.sizes.items() if r >= least)
        return Fraction(total, self.denominator)

    @property
    def n_ratings(self) -> Fraction:
        return Fraction(sum(r * n for r, n in self.sizes.items()), self.denominator)

    @cached_property
    def item_sums(self) -> ItemSums:
        if self.q <= FEW_LABELS or isinstance(self.ratings, Counts):
            return _PatternSums(self.patterns.pairable())
        return _BlockSums(self.blocks, self.q)

    @cached_property
    def pairs(self) -> PairTables:
        return _pair_tables(self.blocks, self.q, len(self.raters), self.denominator)

    @cached_property
    def rater_counts(self) -> Ints:
        """Shape (raters, q): each rater's label counts."""
        out = np.zeros((len(self.raters), self.q), dtype=np.int64)
        for block in self.blocks:
            slot, item = np.nonzero(block.labels >= 0)
            who = slot if block.raters is None else block.raters[slot, item].astype(np.int64)
            key = who * self.q + block.labels[slot, item].astype(np.int64)
            times = np.ones(key.size, np.int64) if block.weights is None else block.weights[item]
            np.add.at(out.reshape(-1), key, times)
        return out

    @cached_property
    def matrix(self) -> Matrix:
        """The items that every rater rated."""
        width = len(self.raters)
        codes = [np.zeros((width, 0), dtype=np.int8)]
        weights = [np.zeros(0, dtype=np.int64)]
        left = 0
        for block in self.blocks:
            times = np.ones(block.n, np.int64) if block.weights is None else block.weights
            given = (block.labels >= 0).sum(axis=0)
            whole = given == width
            left += int(times[~whole & (given > 0)].sum())
            if not whole.any():
                continue
            labels = block.labels[:, whole]
            if block.raters is not None:
                labels = np.take_along_axis(
                    labels, np.argsort(block.raters[:, whole], axis=0), axis=0
                )
            codes.append(labels)
            weights.append(times[whole])
        return Matrix(np.concatenate(codes, axis=1), np.concatenate(weights), left)


_EMPTY = Block(np.zeros((1, 0), dtype=np.int8))


"""Distinct multisets of labels with multiplicities: all that interchangeable raters need."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ratings.categories import Floats, Ints
from assay.ratings.model import Block
from assay.ratings.tables import Counts


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
        part = self.take(np.flatnonzero(self.sizes == r))
        lengths = np.diff(part.starts, append=part.labels.size)
        out = np.zeros((self.q, self.q), dtype=np.int64)
        if int((lengths * lengths).sum()) * SPARSE > len(part) * self.q**2 and (
            int(part.multiplicity.sum()) * r * r < 1 << 53
        ):
            # A product of floats is fast, and exact while all is below 2^53.
            step = max(1, 20_000_000 // max(1, self.q))
            for start in range(0, len(part), step):
                x = self._matrix(part, start, start + step)
                out += np.rint(x.T @ (x * part.multiplicity[start : start + step, None])).astype(
                    np.int64
                )
            return out
        # Every two entries of a pattern.
        first = np.repeat(np.arange(part.labels.size), np.repeat(lengths, lengths))
        second = np.repeat(np.repeat(part.starts, lengths), np.repeat(lengths, lengths)) + _ramp(
            np.repeat(lengths, lengths)
        )
        times = part.multiplicity[part.owner[first]]
        np.add.at(
            out,
            (part.labels[first], part.labels[second]),
            times * part.counts[first] * part.counts[second],
        )
        return out

    @staticmethod
    def _matrix(part: Patterns, start: int, stop: int) -> Floats:
        return part.take(np.arange(start, min(stop, len(part)))).dense()


SPARSE = 20
"""How much dearer one look-up is than one multiplication of a matrix product."""


@dataclass(frozen=True, slots=True, eq=False)
class SizeTotals:
    """Of the items with r ratings: how many, and per label Σ n_ij and Σ n_ij²."""

    r: int
    items: int
    ratings: Ints
    squares: Ints


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


def patterns_of_block(block: Block, q: int, denominator: int) -> Patterns:
    """The patterns of one block."""
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
    return patterns_of_columns(labels[:, first], times.astype(np.int64), q, denominator)


def patterns_of_columns(
    labels: npt.NDArray[Any], times: Ints, q: int, denominator: int
) -> Patterns:
    """One pattern a column of shape (slots, columns), none of them without a rating."""
    slots, n = labels.shape
    columns = np.sort(labels, axis=0).T  # (patterns, slots), empty slots first
    changed = np.ones(columns.shape, dtype=bool)
    changed[:, 1:] = columns[:, 1:] != columns[:, :-1]
    changed &= columns >= 0
    rows, slot = np.nonzero(changed)
    starts = np.searchsorted(rows, np.arange(n))
    ends = np.append(slot[1:], slots)
    ends[np.append(rows[1:] != rows[:-1], True)] = slots
    return Patterns(
        q,
        times,
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


def relabelled(p: Patterns, code: Ints, q: int) -> tuple[Patterns, int]:
    """The patterns with label k read as ``code[k]``, −1 as no rating; equal ones merged.

    Returns also how many items (over the denominator) are left without a rating.
    """
    labels = code[p.labels]
    kept = labels >= 0
    left = np.bincount(p.owner[kept], weights=p.counts[kept], minlength=len(p)).astype(np.int64)
    unrated = int(p.multiplicity[left == 0].sum())
    parts = [_relabelled(p.take(rows), code, q, left[rows]) for rows in size_classes(left)]
    return merge(parts or [_relabelled(p.take(np.zeros(0, np.int64)), code, q, left[:0])]), unrated


def size_classes(sizes: Ints) -> list[Ints]:
    """Rows whose sizes are 1, 2 to 3, 4 to 7, …: a table of each wastes under half its cells."""
    power = np.frexp(sizes.astype(np.float64))[1]
    return [np.flatnonzero(power == k) for k in np.unique(power[sizes > 0]).tolist()]


def _relabelled(p: Patterns, code: Ints, q: int, left: Ints) -> Patterns:
    """The same for patterns that all keep a rating, of about one size."""
    labels = code[p.labels]
    kept = labels >= 0
    owner, labels, counts = p.owner[kept], labels[kept], p.counts[kept]
    width = int(left.max(initial=1))
    columns = np.full((width, len(p)), -1, dtype=np.int64)
    order = np.lexsort((labels, owner))
    spread = np.repeat(owner[order], counts[order])
    slot = np.arange(spread.size) - (np.cumsum(left) - left)[spread]
    columns[slot, spread] = np.repeat(labels[order], counts[order])
    times = p.multiplicity
    if not times.size:
        return patterns_of_columns(columns, times, q, p.denominator)
    sorting = np.lexsort(columns[::-1])
    columns = columns[:, sorting]
    new = np.append(True, (columns[:, 1:] != columns[:, :-1]).any(axis=0))
    _, times = _group(sorting, new, times)
    return patterns_of_columns(columns[:, np.flatnonzero(new)], times, q, p.denominator)


def multisets(p: Patterns) -> list[tuple[int, ...]]:
    """Each pattern as the sorted codes of its labels."""
    labels = np.repeat(p.labels, p.counts).tolist()
    ends = np.cumsum(p.sizes).tolist()
    return [
        tuple(sorted(labels[end - size : end]))
        for end, size in zip(ends, p.sizes.tolist(), strict=True)
    ]

"""Which cluster an item is in, and how many items of each cluster were given what.

A row carries its cluster above its rater's code until items are whole. Then the distinct ways to
rate an item are numbered, and pairs of a cluster and a way are counted: all that drawing clusters
rests on, and never more than there are items.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from assay.errors import ReadingError
from assay.ratings.categories import Ints
from assay.ratings.common import in_two_clusters
from assay.ratings.crowd import Members
from assay.ratings.large.chunk import Chunk, some_items
from assay.ratings.large.identity import texts_of
from assay.ratings.large.keyed import DENSE_BITS, MOST_BITS, Keyed
from assay.ratings.large.rows import BELOW, Book
from assay.ratings.model import Block

CODE = 31
"""Bits of a cluster's or a way's number."""
MOST_CLUSTERS = 10_000_000
PER_PAIR, PER_WAY, PER_CLUSTER = 100, 200, 200
"""Bytes that a pair of a cluster and a way takes, a way, and a cluster by its name."""
LEAST_PAIRS = 1 << 20
"""Pairs that are counted at least, however little memory there is."""

Way = tuple[bool, bytes]
"""What an item was given: whether raters are in it, and codes of 32 bits; rater and label by turns
in order of raters, or labels in order."""


def parted(chunk: Chunk) -> Chunk:
    """A chunk whose rows carry clusters, with raters and clusters side by side."""
    raters = (chunk.raters & ((1 << BELOW) - 1)).astype(np.int32)
    return replace(chunk, raters=raters, clusters=chunk.raters >> BELOW)


class ClusterBook(Book):
    """The clusters' names, of which there may be millions: most are looked up as they are spelled.

    Parameters
    ----------
    spelled
        Whether a raw text is a name, but for white space and Unicode form; not so for JSON.
    """

    def __init__(self, value: Callable[[Any], Any], *, spelled: bool) -> None:
        super().__init__(value, "cluster", MOST_CLUSTERS)
        self._spelled = spelled

    def _table(self, raw: list[Any]) -> list[int]:
        if not self._spelled or not all(isinstance(v, str) for v in raw[:1]):
            return super()._table(raw)
        known = self._codes
        found = [known.get(v, -2) for v in raw]
        if -2 in found:
            with self._lock:
                found = [self._code(v) if k == -2 else k for k, v in zip(found, raw, strict=True)]
        return found

    def _key(self, value: Any) -> Hashable:
        return str(value)


class Ways:
    """The distinct ways to rate an item, numbered as they come; shared by threads."""

    def __init__(self) -> None:
        self.of: dict[Way, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.of)

    def codes(self, ways: Sequence[Way]) -> Ints:
        """Shape (ways,): their numbers."""
        with self._lock:
            found = [self.of.setdefault(way, len(self.of)) for way in ways]
        return np.array(found, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The clusters of a source, and what is shared in counting their items.

    Attributes
    ----------
    source, column
        What to name in errors.
    book
        The clusters' names.
    number
        Whether items' names are numbers.
    memory
        Bytes that all of it may take, and how many threads share them.
    """

    source: str
    column: str
    book: Book
    number: bool
    memory: int
    threads: int
    ways: Ways

    def check(self, chunk: Chunk) -> None:
        """Raise if the rows of an item name two clusters."""
        mine = chunk.clusters
        if mine is None:
            return
        first = np.repeat(mine[chunk.start], chunk.sizes())
        apart = np.flatnonzero(mine != first)
        if not apart.size:
            return
        row = int(apart[0])
        item = int(np.searchsorted(chunk.start, row, side="right")) - 1
        (name,) = texts_of(chunk.words[item : item + 1], number=self.number)
        one, other = (self.book.values[int(k)] for k in (first[row], mine[row]))
        raise in_two_clusters(self.source, self.column, name, one, other)

    def room(self, pairs: int) -> bool:
        """Whether so many pairs of a thread have room."""
        if pairs <= LEAST_PAIRS // self.threads:
            return True
        names = len(self.book.values) * PER_CLUSTER + len(self.ways) * PER_WAY
        return pairs * PER_PAIR * self.threads + names <= self.memory

    def refused(self) -> ReadingError:
        """There are more pairs than the memory holds."""
        return ReadingError(
            f"{self.source}, column {self.column}: {len(self.book.values):,} clusters and "
            f"{len(self.ways):,} ways to rate an item so far, and counting which cluster has which "
            f"takes more than the {self.memory / 1e6:,.0f} MB that grouping may take. Allow more "
            "(--memory), or choose a column with fewer clusters.",
            code="too_many_clusters",
        )


class Counted:
    """How many items of each cluster were rated in each way: of one thread."""

    def __init__(self, clusters: Clusters) -> None:
        self.shared = clusters
        self.counts = Keyed((CODE, CODE))
        self._known = _Known()

    def add(self, chunk: Chunk, *, rows: bool) -> None:
        """Count the items of a chunk; with ``rows`` it is kept who gave which label."""
        if chunk.clusters is None:
            return
        ways = self._ways(chunk, rows=rows)
        self.counts.add(chunk.clusters[chunk.start] << CODE | ways)
        if not (self.shared.room(self.counts.held) or self.shared.room(self._exactly())):
            raise self.shared.refused()

    def _exactly(self) -> int:
        return int(self.counts.counted()[0].size)

    def _ways(self, chunk: Chunk, *, rows: bool) -> Ints:
        """Shape (items,): the number of each item's way."""
        fields = int((chunk.raters if rows else chunk.labels).max()) + 1
        largest = int(chunk.labels.max()) + 1 if rows else int(chunk.sizes().max())
        bits = self._known.of_kind(rows, max(largest.bit_length(), 1))
        if bits * fields > MOST_BITS:
            return self._ways_by_size(chunk, rows=rows)
        if rows:
            term = (chunk.labels.astype(np.int64) + 1) << (bits * chunk.raters.astype(np.int64))
        else:
            term = np.left_shift(1, bits * np.arange(fields, dtype=np.int64))[chunk.labels]
        keys = np.add.reduceat(term, chunk.start)
        codes = self._known.codes(keys)
        new = np.flatnonzero(codes < 0)
        if new.size:
            found, first = np.unique(keys[new], return_index=True)
            ways = _ways_of(some_items(chunk, new[first]), rows=rows)
            self._known.learn(found, self.shared.ways.codes(ways))
            codes = self._known.codes(keys)
        return codes

    def _ways_by_size(self, chunk: Chunk, *, rows: bool) -> Ints:
        """The same where keys of whole numbers do not hold them."""
        ways = _ways_of(chunk, rows=rows)
        distinct = list(dict.fromkeys(ways))
        code = dict(zip(distinct, self.shared.ways.codes(distinct).tolist(), strict=True))
        return np.array([code[way] for way in ways], dtype=np.int64)

    def merge(self, other: Counted) -> None:
        """Add what another thread counted."""
        self.counts = self.counts.merged(other.counts)

    def found(self) -> ByCluster:
        """What all of it came to."""
        fields, times = self.counts.fields()
        values = self.shared.book.values
        return ByCluster(values, list(self.shared.ways.of), fields[:, 1], fields[:, 0], times)


class _Known:
    """The numbers of ways that a thread has met, by keys that are packed in one manner."""

    def __init__(self) -> None:
        self._forget((False, 0))

    def _forget(self, kind: tuple[bool, int]) -> None:
        self._kind = kind
        self._keys: Ints = np.zeros(0, dtype=np.int64)
        self._codes: Ints = np.zeros(0, dtype=np.int64)
        self._table: Ints | None = None

    def of_kind(self, rows: bool, bits: int) -> int:
        """How many bits a field has; what is known of keys with others is forgotten."""
        if self._kind[0] != rows or self._kind[1] < bits:
            self._forget((rows, bits))
        return self._kind[1]

    def codes(self, keys: Ints) -> Ints:
        """Shape (keys,): their ways' numbers, −1 for those that are new."""
        if self._table is not None and int(keys.max()) < self._table.size:
            return np.asarray(self._table[keys])
        if not self._keys.size:
            return np.full(keys.size, -1, dtype=np.int64)
        place = np.minimum(np.searchsorted(self._keys, keys), self._keys.size - 1)
        return np.where(self._keys[place] == keys, self._codes[place], -1)

    def learn(self, keys: Ints, codes: Ints) -> None:
        """Keys with the numbers of their ways."""
        every = np.append(self._keys, keys)
        order = np.argsort(every, kind="stable")
        self._keys, self._codes = every[order], np.append(self._codes, codes)[order]
        self._table = None
        if int(self._keys[-1]) < 1 << DENSE_BITS:
            self._table = np.full(1 << DENSE_BITS, -1, dtype=np.int64)
            self._table[self._keys] = self._codes


def ways_of_rows(codes: Ints) -> list[Way]:
    """The ways that rows of labels stand for, shape (ways, raters), −1 where there is none."""
    rows, raters = np.nonzero(codes >= 0)
    held = np.stack([raters, codes[rows, raters]], axis=1).astype(np.int32).tobytes()
    return _cut(True, held, 8 * np.searchsorted(rows, np.arange(len(codes) + 1)))


def ways_of_counts(counts: Ints) -> list[Way]:
    """The ways that labels' counts stand for, shape (ways, labels)."""
    rows, labels = np.nonzero(counts)
    held = np.repeat(labels, counts[rows, labels]).astype(np.int32).tobytes()
    return _cut(False, held, 4 * np.append(0, np.cumsum(counts.sum(axis=1))))


def _cut(rows: bool, held: bytes, ends: Ints) -> list[Way]:
    places = ends.tolist()
    return [(rows, held[a:b]) for a, b in pairwise(places)]


def _ways_of(chunk: Chunk, *, rows: bool) -> list[Way]:
    """What each item was given."""
    owner = np.repeat(np.arange(chunk.start.size), chunk.sizes())
    labels = chunk.labels.astype(np.int32)
    if rows:
        order = np.lexsort((chunk.raters, owner))
        codes = np.stack([chunk.raters.astype(np.int32), labels], axis=1)[order].reshape(-1)
        width = 8
    else:
        codes, width = labels[np.lexsort((labels, owner))], 4
    held = codes.tobytes()
    return _cut(rows, held, width * np.append(chunk.start, len(labels)))


@dataclass(frozen=True, slots=True, eq=False)
class ByCluster:
    """How many items of each cluster were rated in each way.

    Attributes
    ----------
    names
        The clusters' names; their places are their codes.
    ways
        The ways, in raw codes of raters and labels.
    clusters, of, times
        Shape (pairs,): a cluster, a way, and how many items.
    """

    names: Sequence[str]
    ways: Sequence[Way]
    clusters: Ints
    of: Ints
    times: Ints

    def members(self, blocks: Sequence[Block], order: Sequence[int] | None, code: Ints) -> Members:
        """The same by the columns of blocks.

        Parameters
        ----------
        order
            The raw codes of the blocks' raters; None where the blocks do not say who.
        code
            From raw labels to categories, −1 for no rating.
        """
        used, inverse = np.unique(self.of, return_inverse=True)
        ways = [self.ways[k] for k in used.tolist()]
        if order is None:
            column = _of_multisets(ways, blocks, code)
        else:
            column = _of_rows(ways, blocks[0], {who: k for k, who in enumerate(order)}, code)
        columns = column[inverse.reshape(-1)]
        there = columns >= 0  # items of whom no rating is left have no column
        return Members(self.clusters[there], columns[there], self.times[there])


def _of_multisets(ways: Sequence[Way], blocks: Sequence[Block], code: Ints) -> Ints:
    """Shape (ways,): the columns that hold these labels, whoever gave them; −1 where none is."""
    place: dict[bytes, int] = {}
    for block in blocks:
        labels = np.sort(block.labels, axis=0).astype(np.int32)
        numbers = np.arange(block.n) if block.items is None else block.items
        first = (labels < 0).sum(axis=0).tolist()
        for k, column in enumerate(labels.T):
            if first[k] < len(column):
                place[column[first[k] :].tobytes()] = int(numbers[k])
    out = np.full(len(ways), -1, dtype=np.int64)
    for k, (rows, held) in enumerate(ways):
        raw = np.frombuffer(held, dtype=np.int32)[1 if rows else 0 :: 2 if rows else 1]
        labels = np.sort(code[raw])
        out[k] = place.get(labels[labels >= 0].astype(np.int32).tobytes(), -1)
    return out


def _of_rows(ways: Sequence[Way], block: Block, seat: Mapping[int, int], code: Ints) -> Ints:
    """The same where columns say who gave which label."""
    pairs = np.frombuffer(b"".join(held for _, held in ways), dtype=np.int32).reshape(-1, 2)
    owner = np.repeat(np.arange(len(ways)), [len(held) // 8 for _, held in ways])
    who = np.full(int(pairs[:, 0].max(initial=0)) + 1, -1, dtype=np.int64)
    for raw, place in seat.items():
        who[raw : raw + 1] = place
    raters, labels = who[pairs[:, 0]], code[pairs[:, 1]]
    kept = (raters >= 0) & (labels >= 0)
    rows = np.full((len(ways), block.labels.shape[0]), -1, dtype=block.labels.dtype)
    rows[owner[kept], raters[kept]] = labels[kept]
    column = {row.tobytes(): k for k, row in enumerate(np.ascontiguousarray(block.labels.T))}
    out = np.array([column.get(row.tobytes(), -1) for row in rows], dtype=np.int64)
    out[~(rows >= 0).any(axis=1)] = -1
    return out

"""Whole items, one after another: what is counted at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.ratings.categories import Ints
from assay.ratings.large.identity import Words
from assay.ratings.large.rows import Array


@dataclass(slots=True, eq=False)
class Chunk:
    """Whole items, one after another.

    Attributes
    ----------
    start
        Shape (items,): the first row of each item.
    raters, labels
        Shape (rows,): codes; −1 where a row has no label.
    words
        Shape (items, width): the items' names.
    in_order
        Whether the names are in order.
    clusters
        Shape (rows,): codes of clusters, where they are counted.
    """

    start: Array
    raters: Array
    labels: Array
    words: Words
    in_order: bool = False
    clusters: Array | None = None

    def sizes(self) -> Array:
        return np.diff(self.start, append=len(self.labels))

    def where(self, there: npt.NDArray[np.bool_]) -> Chunk:
        """Only some rows, and the items that have any of them."""
        sizes = np.add.reduceat(there, self.start, dtype=np.int64)
        some = sizes > 0
        start = np.cumsum(sizes[some]) - sizes[some]
        clusters = None if self.clusters is None else self.clusters[there]
        return Chunk(
            start,
            self.raters[there],
            self.labels[there],
            self.words[some],
            self.in_order,
            clusters,
        )

    def rated(self) -> Chunk:
        """The rows with a label."""
        return self if self.labels.min(initial=0) >= 0 else self.where(self.labels >= 0)


def repeats(chunk: Chunk) -> Ints:
    """The items that a rater rated more than once."""
    sizes = chunk.sizes()
    # A set of bits, one a rater: as many as there are ratings, and all raters differ.
    bit = np.left_shift(np.uint64(1), (chunk.raters & 63).astype(np.uint64))
    seen = np.bitwise_count(np.bitwise_or.reduceat(bit, chunk.start))
    doubtful = np.flatnonzero(seen != sizes)
    if not doubtful.size:
        return doubtful
    part = some_items(chunk, doubtful)
    owner = np.repeat(np.arange(doubtful.size, dtype=np.int64), part.sizes())
    who = np.sort(owner << 32 | part.raters.astype(np.int64))
    twice = who[1:][who[1:] == who[:-1]] >> 32
    return np.asarray(doubtful[np.unique(twice)])


def some_items(chunk: Chunk, which: Ints) -> Chunk:
    """Some items of a chunk."""
    sizes = chunk.sizes()[which]
    start = np.cumsum(sizes) - sizes
    rows = np.arange(int(sizes.sum())) + np.repeat(chunk.start[which] - start, sizes)
    return Chunk(
        start,
        chunk.raters[rows],
        chunk.labels[rows],
        np.take(chunk.words, which, axis=0),
        chunk.in_order,
        None if chunk.clusters is None else chunk.clusters[rows],
    )

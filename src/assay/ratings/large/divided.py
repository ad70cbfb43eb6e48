"""Sums of groups of ratings, told apart as they come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.ratings.large.chunk import Chunk
from assay.ratings.large.clusters import parted
from assay.ratings.large.rows import Seats
from assay.ratings.large.sums import Sums


class Divided:
    """Sums of each group of ratings; of all together where there are no groups."""

    def __init__(
        self, make: Callable[[], Sums], seats: Seats | None = None, *, clustered: bool = False
    ) -> None:
        self._make = make
        self._seats = seats
        self._clustered = clustered
        self.of: dict[int, Sums] = {} if seats is not None else {0: make()}

    def add(self, chunk: Chunk) -> None:
        """Add the items of a chunk, each to the sums of its groups."""
        if self._clustered:
            chunk = parted(chunk)
        if self._seats is None:
            self.of[0].add(chunk)
            return
        group_of, rater_of = self._seats.tables()
        group, raters = group_of[chunk.raters], rater_of[chunk.raters]
        chunk = replace(chunk, raters=raters)
        for k in np.unique(group).tolist():
            self._group(k).add(chunk.where(group == k))

    def _group(self, k: int) -> Sums:
        if k not in self.of:
            self.of[k] = self._make()
        return self.of[k]

    def merge(self, other: Divided) -> None:
        """Add what another part of the items came to."""
        for k, sums in other.of.items():
            self._group(k).merge(sums)

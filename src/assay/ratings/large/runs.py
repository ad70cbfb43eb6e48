"""Input in order of items: each item's rows follow each other, so nothing has to be kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from assay.ratings.large.chunk import Chunk
from assay.ratings.large.divided import Divided
from assay.ratings.large.identity import Order, Words, changes, in_order, stacked, widened
from assay.ratings.large.rows import Array, Rows


class NotInOrder(Exception):
    """The rows are not in order of items after all."""


@dataclass(slots=True, eq=False)
class Run:
    """The rows of one item."""

    words: Words
    raters: Array
    labels: Array

    def joined(self, other: Run) -> Run:
        """The rows of both."""
        return Run(
            self.words,
            np.concatenate([self.raters, other.raters]),
            np.concatenate([self.labels, other.labels]),
        )

    def is_of(self, other: Run) -> bool:
        """Whether both are of the same item."""
        width = max(self.words.shape[1], other.words.shape[1])
        return bool((widened(self.words, width) == widened(other.words, width)).all())

    def before(self, other: Run, order: Order) -> bool:
        """Whether the other item comes later in order."""
        return bool(in_order(stacked([self.words, other.words]), order).all())


@dataclass(slots=True, eq=False)
class Ends:
    """The first and the last item of a part of the input, whose rows may go on outside of it.

    ``last`` is None where there is one item only.
    """

    first: Run
    last: Run | None


def add_runs(batches: Iterable[Rows], sums: Divided, order: Order) -> Ends | None:
    """Add the items of consecutive batches but the first and the last, which are returned.

    Raises
    ------
    NotInOrder
        If an item comes before one that it should follow.
    """
    first: Run | None = None
    last: Run | None = None
    finished: list[Run] = []
    for rows in batches:
        if not len(rows):
            continue
        chunk = _chunk(rows)
        if not in_order(chunk.words, order).all():
            raise NotInOrder
        sizes = chunk.sizes()
        head = _run(chunk, 0, int(sizes[0]), 0)
        if first is None:
            first, start = head, 1
        else:
            before = first if last is None else last
            if before.is_of(head):
                joined = before.joined(head)
                if last is None:
                    first = joined
                else:
                    last = joined
                start = 1
            else:
                if not before.before(head, order):
                    raise NotInOrder
                if last is not None:
                    finished.append(last)
                    last = None
                start = 0
        n = chunk.start.size
        if n == start:
            continue
        if last is not None:
            finished.append(last)
        end = int(chunk.start[n - 1])
        last = _run(chunk, end, len(chunk.labels), n - 1)
        if n - 1 > start:
            begin = int(chunk.start[start])
            sums.add(
                Chunk(
                    chunk.start[start : n - 1] - begin,
                    chunk.raters[begin:end],
                    chunk.labels[begin:end],
                    chunk.words[start : n - 1],
                    in_order=order != "natural",
                )
            )
    add_finished(finished, sums)
    return None if first is None else Ends(first, last)


def _run(chunk: Chunk, start: int, end: int, item: int) -> Run:
    """The rows of one item, copied: a view would keep the whole chunk."""
    return Run(
        chunk.words[item : item + 1].copy(),
        chunk.raters[start:end].copy(),
        chunk.labels[start:end].copy(),
    )


def add_finished(runs: list[Run], sums: Divided) -> None:
    """Add items whose rows are all there."""
    if not runs:
        return
    sizes = np.array([len(run.labels) for run in runs])
    sums.add(
        Chunk(
            np.cumsum(sizes) - sizes,
            np.concatenate([run.raters for run in runs]),
            np.concatenate([run.labels for run in runs]),
            stacked(run.words for run in runs),
        )
    )


def _chunk(rows: Rows) -> Chunk:
    """The runs of equal names in a batch."""
    names = rows.names
    if names.place is None:
        start = np.flatnonzero(changes(names.words))
        return Chunk(start, rows.raters, rows.labels, np.take(names.words, start, axis=0))
    place = names.place
    new = np.flatnonzero(np.append(True, place[1:] != place[:-1]))
    words = np.take(names.words, place[new], axis=0)
    apart = changes(words)  # names that were cleaned may be equal in two places
    return Chunk(new[apart], rows.raters, rows.labels, words[apart])


class Joiner:
    """Puts together the items at the ends of consecutive parts."""

    def __init__(self, sums: Divided, order: Order) -> None:
        self._sums = sums
        self._order = order
        self._open: Run | None = None
        self._finished: list[Run] = []

    def add(self, ends: Ends | None) -> None:
        """The next part's first and last item."""
        if ends is None:
            return
        if self._open is None:
            self._open = ends.first
        elif self._open.is_of(ends.first):
            self._open = self._open.joined(ends.first)
        elif not self._open.before(ends.first, self._order):
            raise NotInOrder
        else:
            self._finished.append(self._open)
            self._open = ends.first
        if ends.last is not None:
            self._finished.append(self._open)
            self._open = ends.last

    def close(self) -> None:
        """Add what is left."""
        if self._open is not None:
            self._finished.append(self._open)
        add_finished(self._finished, self._sums)

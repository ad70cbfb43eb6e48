"""One pass over rows of any number, in memory that does not grow with them."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np

from assay.ratings.categories import Categories, Ints
from assay.ratings.common import EMPTY_GROUP, check_groups
from assay.ratings.duplicates import chosen, refuse, settled
from assay.ratings.labels import LabelOptions
from assay.ratings.large import sources
from assay.ratings.large.chunk import Chunk, repeats, some_items
from assay.ratings.large.clusters import ClusterBook, Clusters, Ways
from assay.ratings.large.divided import Divided
from assay.ratings.large.examples import Found
from assay.ratings.large.gathered import Gathered
from assay.ratings.large.identity import Order, texts_of
from assay.ratings.large.rows import (
    MOST_GROUPS,
    MOST_LABELS,
    MOST_RATERS,
    Book,
    Coder,
    Declared,
    Rows,
    Seats,
    from_json,
    joined,
    label_value,
    name_of,
)
from assay.ratings.large.runs import Ends, Joiner, NotInOrder, add_runs
from assay.ratings.large.sources import Batches, Task
from assay.ratings.large.spill import PER_ROW, Spill, add_part, parts_for
from assay.ratings.large.sums import Sums
from assay.ratings.model import Note

LEAST_ROWS = 1 << 15
"""Rows that are dealt together at least, however little memory there is."""

Progress = Callable[[str, int, int | None], None]
"""What is under way, rows done, rows in all where it is known."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wish:
    """How a pass is made.

    Attributes
    ----------
    memory
        Bytes that grouping may take.
    pairs
        Whether tables of pairs of raters are made.
    duplicates
        "error", "first" or "last".
    raters
        The raters to read; None for all.
    labels
        What was said of labels: those that are declared missing are no ratings.
    cluster
        The column of clusters, or none.
    """

    memory: int
    pairs: bool = True
    duplicates: str = "error"
    raters: tuple[str, ...] | None = None
    labels: LabelOptions | None = None
    cluster: str | None = None
    progress: Progress | None = None
    threads: int = 0

    @property
    def workers(self) -> int:
        return self.threads or processors()


def processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gather(source: Batches, columns: Sequence[str], wish: Wish) -> dict[str, Gathered]:
    """Reduce the rows of a source: as they come where items are in order, else by spilling.

    Parameters
    ----------
    columns
        The item's, the rater's, the label's, and those of groups.

    Returns
    -------
    dict
        By group; one without a name where there are no columns of groups.
    """
    for order in _orders(source, columns[0]):
        # One that does not hold is nearly always given up within the first rows.
        with suppress(NotInOrder):
            return _Pass(source, columns, wish).in_order(order)
    return _Pass(source, columns, wish).in_any_order()


def _orders(source: Batches, item: str) -> tuple[Order, ...]:
    if source.numbers(item):
        return ("number",) if source.maybe_sorted(item) else ()
    return ("bytes", "natural") if source.maybe_sorted(item) else ("natural",)


class _Pass:
    def __init__(self, source: Batches, columns: Sequence[str], wish: Wish) -> None:
        self.source = source
        self.columns = columns if wish.cluster is None else (*columns, wish.cluster)
        self.wish = wish

        def book(read: Callable[[Any], Any], what: str, most: int) -> Book:
            named = source.about.source
            return Book(from_json(read, named, what) if source.json else read, what, most)

        self.raters = book(name_of, "rater", MOST_RATERS)
        self.labels = book(label_value, "label", MOST_LABELS)
        chosen = None if wish.raters is None else frozenset(wish.raters)
        groups = [book(name_of, "group", MOST_GROUPS) for _ in columns[3:]]
        self.seats = Seats() if groups else None
        self.number = source.numbers(columns[0])
        self.clusters: Clusters | None = None
        if wish.cluster is not None:
            self.clusters = Clusters(
                source.about.source,
                wish.cluster,
                ClusterBook(
                    from_json(name_of, source.about.source, "cluster") if source.json else name_of,
                    spelled=not source.json,
                ),
                self.number,
                wish.memory,
                wish.workers,
                Ways(),
            )
        self.coder = Coder(
            self.raters,
            self.labels,
            source.about.source,
            chosen,
            groups,
            self.number,
            source.json,
            self.seats,
            None if self.clusters is None else self.clusters.book,
            wish.cluster or "",
        )
        options = wish.labels
        self.declared = Declared(self.labels, options) if options and options.missing else None
        self.settled = np.zeros(3, dtype=np.int64)
        self._total = source.rows
        self._lock = threading.Lock()
        self._sums = threading.local()
        self._all: list[Divided] = []

    def in_order(self, order: Order) -> dict[str, Gathered]:
        """Where the rows of an item follow each other."""
        last = self.sums()
        joiner = Joiner(last, order)
        rows = 0

        def count(task: Task) -> tuple[Ends | None, int]:
            read = joined(list(self._rows(task)))
            if read is None:
                return None, 0
            return add_runs((read,), self.sums(), order), len(read)

        for ends, read in self._each(self.source.tasks(self.columns, sources.RUN), count):
            joiner.add(ends)
            rows += read
            self._said("reading", rows)
        joiner.close()
        message = "rows in order of items, read as they come"
        return self._gathered(Note("read_in_order", message))

    def in_any_order(self) -> dict[str, Gathered]:
        """Where they do not."""
        self._said("reading", 0)
        workers = self.wish.workers
        carried = self.clusters is not None
        parts = parts_for(self.source.likely_rows, self.wish.memory, workers, carried=carried)
        rows = 0
        with Spill(parts, carried=carried) as spill:
            size = min(sources.TASK, max(LEAST_ROWS, self.wish.memory // (PER_ROW * (workers + 1))))
            numbered = enumerate(self.source.tasks(self.columns, size))

            def deal(task: tuple[int, Task]) -> int:
                number, batches = task
                rows = joined(list(self._rows(batches)))
                if rows is None:
                    return 0
                spill.add(number, rows)
                return len(rows)

            for read in self._each(numbered, deal):
                rows += read
                self._said("reading", rows)

            def group(part: int) -> int:
                return add_part(spill, part, self.sums())

            done = 0
            for read in self._each(iter(range(parts)), group):
                done += read
                self._said("grouping", done, rows)
            held = spill.written / 1e6
        message = f"rows not in order of items, dealt to {parts} temporary files ({held:,.1f} MB)"
        return self._gathered(Note("read_in_parts", message))

    def sums(self) -> Divided:
        """The sums of this thread."""
        mine = getattr(self._sums, "mine", None)
        if mine is None:
            mine = Divided(
                partial(
                    Sums,
                    pairs=self.wish.pairs,
                    number=self.number,
                    settle=self._settle,
                    missing=self.declared,
                    clusters=self.clusters,
                ),
                self.seats,
                clustered=self.clusters is not None,
            )
            self._sums.mine = mine
            with self._lock:
                self._all.append(mine)
        return mine

    def _rows(self, task: Task) -> Iterator[Rows]:
        for batch in task():
            yield self.coder.rows(batch)

    def _each(self, tasks: Iterator[Any], work: Callable[[Any], T]) -> Iterator[T]:
        """The results in order, a few tasks ahead."""
        workers = self.wish.workers
        with ThreadPoolExecutor(workers) as pool:
            ahead: deque[Future[T]] = deque()
            try:
                for task in tasks:
                    ahead.append(pool.submit(work, task))
                    if len(ahead) > workers:
                        yield ahead.popleft().result()
                while ahead:
                    yield ahead.popleft().result()
            finally:
                for one in ahead:
                    one.cancel()

    def _said(self, what: str, rows: int, total: int | None = None) -> None:
        if self.wish.progress is not None:
            self.wish.progress(what, rows, total if total is not None else self._total)

    def _settle(self, chunk: Chunk) -> Chunk:
        """A chunk in which a rater rated an item twice."""
        twice = some_items(chunk, repeats(chunk))
        owner = _owner(twice)
        if self.wish.duplicates == "error":
            categories = Categories(list(self.labels.values))
            raise refuse(
                owner, twice.raters, twice.labels, texts_of(twice.words, number=self.number),
                list(self.raters.values), categories, self.source.about.source, part=True,
            )  # fmt: skip
        owner = _owner(chunk)
        kept, *more = chosen(
            owner, chunk.raters, chunk.labels, self.wish.duplicates, len(self.raters.values)
        )
        with self._lock:
            self.settled += np.array([len(owner) - len(kept), *more])
        there = np.zeros(len(owner), dtype=bool)
        there[kept] = True
        return chunk.where(there)

    def _gathered(self, note: Note) -> dict[str, Gathered]:
        first, *rest = self._all
        for sums in rest:
            first.merge(sums)
        notes = [note]
        if self.coder.empty_rows:
            message = f"rows left out because they are empty: {self.coder.empty_rows:,}"
            notes.append(Note("empty_rows", message))
        if self.settled.any():
            notes.append(settled(self.wish.duplicates, *self.settled.tolist()))
        books = self.coder.groups
        names = {0: ""}
        if self.seats is not None:
            names = {
                number: " / ".join(
                    book.values[k] if k >= 0 else EMPTY_GROUP
                    for book, k in zip(books, codes, strict=True)
                )
                for codes, number in self.seats.groups.items()
            }
        check_groups([names[k] for k in first.of], self.source.about.source)
        return {names[k]: self._group(sums, notes) for k, sums in first.of.items()}

    def _group(self, sums: Sums, notes: Sequence[Note]) -> Gathered:
        labels, raters = self.labels.values, self.raters.values
        return Gathered(
            labels,
            raters,
            sums.full_table(len(raters), len(labels)),
            sums.empty,
            sums.unrated,
            sums.all_patterns(len(labels)),
            sums.rows(len(raters)),
            sums.cells(),
            None if sums.kept is None else Found(sums.kept, raters),
            no_pairs=sums.no_pairs,
            notes=tuple(notes),
            by_cluster=None if sums.by_cluster is None else sums.by_cluster.found(),
        )


def _owner(chunk: Chunk) -> Ints:
    return np.repeat(np.arange(chunk.start.size, dtype=np.int64), chunk.sizes())

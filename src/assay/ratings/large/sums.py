"""What is added up over the items of a chunk; sums of chunks add up again, in any order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ratings.categories import Ints
from assay.ratings.large.chunk import Chunk, repeats, some_items
from assay.ratings.large.clusters import Clusters, Counted
from assay.ratings.large.examples import Kept
from assay.ratings.large.keyed import MOST_BITS, Keyed
from assay.ratings.model import Block
from assay.ratings.pairs import cells_of_block
from assay.ratings.patterns import Patterns, merge, patterns_of_columns, relabelled, size_classes
from assay.ratings.reductions import MAX_PAIRS

Array = npt.NDArray[Any]

UNITS = 1 << 20
"""The most distinct rows of items × raters that are kept."""
SHORT = 32
"""Up to so many ratings, items of one size are looked at together, pair of places by pair."""
LONGEST = 5_000
"""The most ratings of an item whose pairs are looked at."""
PIECE = 1 << 20
"""Pairs of ratings that are made at a time."""
FEWEST_BITS = 2
"""For the count of one label in a key; with more labels than leave this, keys are not used."""
WIDE = 1 << 18
"""Patterns that are kept before equal ones are merged."""


class Sums:
    """Everything that a report needs of the items seen so far.

    Parameters
    ----------
    pairs
        Whether tables of pairs of raters are made where rows cannot be kept.
    number
        Whether names are numbers.
    settle
        What to do with a chunk in which a rater rated an item twice: returns it without, or
        raises.
    missing
        From labels' codes to whether they were declared missing; None where none is.
    clusters
        Where items are in clusters: who they are.
    """

    def __init__(
        self,
        *,
        pairs: bool,
        number: bool,
        settle: Callable[[Chunk], Chunk],
        missing: Callable[[Array], Array] | None = None,
        clusters: Clusters | None = None,
    ) -> None:
        self.settle = settle
        self.missing = missing
        self.table: Ints = np.zeros((0, 0), dtype=np.int64)
        self.empty = 0
        self.unrated = 0
        self.patterns = Keyed(())
        self.wide: list[Patterns] = []
        self.units: Keyed | None = Keyed(())
        self.pairs: Keyed | None = Keyed((0, 0, 0, 0)) if pairs else None
        self.kept: Kept | None = Kept(number=number)
        self.no_pairs = "" if pairs else "pairs of raters were left out, as asked"
        self.clusters = clusters
        self.by_cluster = None if clusters is None else Counted(clusters)
        self._counted: Chunk | None = None

    def add(self, chunk: Chunk) -> None:
        """Add the items of a chunk."""
        if self.clusters is not None:
            self.clusters.check(chunk)
        self.empty += int(np.count_nonzero(chunk.labels < 0))
        items = chunk.start.size
        if self.missing is not None:
            gone = self.missing(chunk.labels)
            if gone.any():
                self._count(chunk.where(gone))
                chunk = chunk.where(~gone)
        chunk = chunk.rated()
        self.unrated += items - chunk.start.size
        if not len(chunk.labels):
            return
        if repeats(chunk).size:
            chunk = self.settle(chunk)
        raters, q = self._count(chunk)
        if self.kept is not None and not self.kept.add(chunk):
            self.kept = None
        self._add_patterns(chunk, q)
        if self.units is not None:
            self._add_units(chunk, raters, q)
        if self.units is None and self.pairs is not None:
            self._add_pairs(chunk, raters, q)
        if self.by_cluster is not None:
            self.by_cluster.add(chunk, rows=self.units is not None)

    def _count(self, chunk: Chunk) -> tuple[int, int]:
        """Count each rater's labels; returns how many raters and labels there may be."""
        raters, q = int(chunk.raters.max()) + 1, int(chunk.labels.max()) + 1
        kind = np.min_scalar_type(-max(raters * q, 1 << 16))
        key = chunk.raters.astype(kind) * kind.type(q) + chunk.labels
        counts = np.bincount(key, minlength=raters * q).reshape(raters, q)
        self.table = _summed(self.table, counts)
        return raters, q

    def _add_patterns(self, chunk: Chunk, q: int) -> None:
        sizes = chunk.sizes()
        fields = max(q, len(self.patterns.bits))
        bits = max(int(sizes.max()).bit_length(), *self.patterns.bits, FEWEST_BITS)
        if bits * fields > MOST_BITS:
            bits = MOST_BITS // fields
            if bits < FEWEST_BITS:
                self._add_wide(chunk, q)
                return
            if any(wide > bits for wide in self.patterns.bits):
                self.wide.append(patterns_of_keys(self.patterns))
                self.patterns = Keyed(())
        if bits * fields > self.patterns.width:
            self.patterns = self.patterns.widened((bits,) * fields)
        narrow = chunk
        large = sizes >= 1 << bits
        if large.any():
            self._add_wide(some_items(chunk, np.flatnonzero(large)), q)
            narrow = some_items(chunk, np.flatnonzero(~large))
        if not narrow.start.size:
            return
        power = np.left_shift(1, bits * np.arange(fields, dtype=np.int64))
        keys = np.add.reduceat(power[narrow.labels], narrow.start)
        self.patterns.add(keys)

    def _add_wide(self, chunk: Chunk, q: int) -> None:
        for which in size_classes(chunk.sizes()):
            self._add_class(some_items(chunk, which), q)

    def _add_class(self, chunk: Chunk, q: int) -> None:
        sizes = chunk.sizes()
        columns = np.full((int(sizes.max()), sizes.size), -1, dtype=np.int64)
        owner = np.repeat(np.arange(sizes.size), sizes)
        columns[np.arange(owner.size) - chunk.start[owner], owner] = chunk.labels
        found = patterns_of_columns(columns, np.ones(sizes.size, dtype=np.int64), q, 1)
        self.wide.append(relabelled(found, np.arange(q), q)[0])
        if sum(map(len, self.wide)) > WIDE:
            self.wide = [_merged(self.wide)]

    def _add_units(self, chunk: Chunk, raters: int, q: int) -> None:
        units = self.units
        if units is None:
            return
        bits = max(q.bit_length(), *units.bits, 1)
        fields = max(raters, len(units.bits))
        if bits * fields > MOST_BITS:
            self._drop_units()
            return
        if bits * fields > units.width:
            units = self.units = units.widened((bits,) * fields)
        value = (chunk.labels.astype(np.int64) + 1) << (bits * chunk.raters.astype(np.int64))
        units.add(np.add.reduceat(value, chunk.start))
        if units.width > 20 and units.counted()[0].size > UNITS:
            self._drop_units(chunk)

    def _drop_units(self, last: Chunk | None = None) -> None:
        """Keep pairs of raters in place of rows; of those so far, all but a last chunk's."""
        block = None if self.units is None else rows_of(self.units)
        self.units = None
        if self.pairs is None or block is None or not block.n:
            return
        cells = cells_of_block(block, int(block.labels.max()) + 1, len(block.labels))
        self._count_cells(*cells.T)
        # The chunk that made it too many is in the cells already.
        self._counted = last

    def _add_pairs(self, chunk: Chunk, raters: int, q: int) -> None:
        if self._counted is chunk:
            return
        pairs = self.pairs
        if pairs is None:
            return
        sizes = chunk.sizes()
        if int(sizes.max()) > LONGEST:
            self._let_go(
                f"an item has {int(sizes.max()):,} ratings; pairs of raters are looked at where "
                f"items have up to {LONGEST:,}"
            )
            return
        pairs = self.pairs = _room(pairs, raters, q)
        low, half = pairs.bits[0], pairs.bits[0] + pairs.bits[1]
        both = (chunk.raters.astype(np.int64) << low) | chunk.labels
        for size in np.unique(sizes[(sizes > 1) & (sizes <= SHORT)]).tolist():
            start = chunk.start[sizes == size]
            step = max(1, PIECE // (size * (size - 1) // 2))
            for k in range(0, start.size, step):
                rows = both[start[k : k + step, None] + np.arange(size)].T
                keys = [
                    (np.minimum(rows[i], rows[j]) << half) | np.maximum(rows[i], rows[j])
                    for i, j in combinations(range(size), 2)
                ]
                pairs.add(np.concatenate(keys))
        for start, size in zip(chunk.start[sizes > SHORT], sizes[sizes > SHORT], strict=True):
            mine = both[start : start + size]
            for k in range(1, int(size)):  # each rating with that k places behind it
                pairs.add(
                    (np.minimum(mine[k:], mine[:-k]) << half) | np.maximum(mine[k:], mine[:-k])
                )
        self._few_pairs()

    def _let_go(self, reason: str) -> None:
        self.pairs = None
        self.no_pairs = reason

    def _count_cells(self, g: Ints, h: Ints, a: Ints, b: Ints, n: Ints) -> None:
        if self.pairs is None or not n.size:
            return
        pairs = self.pairs = _room(self.pairs, int(h.max()) + 1, int(max(a.max(), b.max())) + 1)
        key = h << pairs.place(1) | b | a << pairs.place(2) | g << pairs.place(3)
        pairs.add(key, n)

    def _few_pairs(self) -> None:
        """Let go of pairs of raters that are too many to be shown."""
        pairs = self.pairs
        if pairs is None or pairs.width <= 20:
            return
        if pairs.held > MAX_PAIRS and len(np.unique(_who(pairs))) > MAX_PAIRS:
            self._let_go(
                f"more than {MAX_PAIRS:,} pairs of raters share items; tables are made for at most "
                "so many"
            )

    def merge(self, other: Sums) -> None:
        """Add what another part of the items came to."""
        self.table = _summed(self.table, other.table)
        self.empty += other.empty
        self.unrated += other.unrated
        self.wide += other.wide
        try:
            self.patterns = self.patterns.merged(other.patterns)
        except OverflowError:
            self.wide.append(patterns_of_keys(other.patterns))
        if self.units is not None and other.units is not None:
            try:
                self.units = self.units.merged(other.units)
            except OverflowError:
                self._drop_units()
        elif self.units is not None:
            self._drop_units()
        if self.units is None and other.units is not None:
            other._drop_units()
        if self.units is None and self.pairs is not None:
            if other.pairs is None:
                self._let_go(other.no_pairs)
            else:
                fields, n = other.pairs.fields()
                b, h, a, g = fields.T
                self._count_cells(g, h, a, b, n)
                self._few_pairs()
        if self.by_cluster is not None and other.by_cluster is not None:
            self.by_cluster.merge(other.by_cluster)
        if self.kept is not None:
            self.kept = None if other.kept is None else self.kept.merged(other.kept)

    def full_table(self, raters: int, q: int) -> Ints:
        """Shape (raters, q): each rater's label counts, zeros where there are none."""
        return _summed(self.table, np.zeros((raters, q), dtype=np.int64))

    def all_patterns(self, q: int) -> Patterns:
        """The patterns over ``q`` raw labels, equal ones merged."""
        parts = [*self.wide, patterns_of_keys(self.patterns)]
        return relabelled(_merged(parts), np.arange(max(q, 1)), q)[0]

    def rows(self, raters: int) -> Block | None:
        """The distinct rows of items × raters, where they were kept."""
        if self.units is None:
            return None
        block = rows_of(self.units)
        more = raters - len(block.labels)
        empty = np.full((more, block.n), -1, dtype=block.labels.dtype)
        return Block(np.concatenate([block.labels, empty]), weights=block.weights)

    def cells(self) -> Ints | None:
        """Shape (cells, 5): rater, rater, label, label, items; None where left out."""
        if self.pairs is None:
            return None
        fields, n = self.pairs.fields()
        b, h, a, g = fields.T
        return np.stack([g, h, a, b, n], axis=1)


def _summed(one: Ints, other: Ints) -> Ints:
    """Two tables of counts added, the smaller as if it had zeros behind."""
    if one.shape == other.shape:
        return one + other
    out = np.zeros(np.maximum(one.shape, other.shape), dtype=np.int64)
    for table in (one, other):
        out[: table.shape[0], : table.shape[1]] += table
    return out


def _room(pairs: Keyed, raters: int, q: int) -> Keyed:
    """Fields wide enough for the labels (first and third) and raters (second and fourth)."""
    label = max((q - 1).bit_length(), pairs.bits[0], 1)
    rater = max((raters - 1).bit_length(), pairs.bits[1], 1)
    bits = (label, rater, label, rater)
    return pairs if bits == pairs.bits else pairs.widened(bits)


def _who(pairs: Keyed) -> Ints:
    fields, _ = pairs.fields()
    return np.asarray(fields[:, 3] << 31 | fields[:, 1])


def _merged(parts: list[Patterns]) -> Patterns:
    q = max(p.q for p in parts)
    together = merge([Patterns(q, p.multiplicity, p.sizes, p.starts, p.labels, p.counts)
                      for p in parts])  # fmt: skip
    return relabelled(together, np.arange(max(q, 1)), q)[0]


def patterns_of_keys(keyed: Keyed) -> Patterns:
    """Patterns whose fields are how often each label was given."""
    fields, times = keyed.fields()
    rows, labels = np.nonzero(fields)
    return Patterns(
        len(keyed.bits),
        times,
        fields.sum(axis=1),
        np.searchsorted(rows, np.arange(len(fields))).astype(np.int64),
        labels.astype(np.int64),
        fields[rows, labels],
    )


def rows_of(keyed: Keyed) -> Block:
    """Rows whose fields are each rater's label, 0 for none."""
    fields, times = keyed.fields()
    return Block((fields - 1).T, weights=times)

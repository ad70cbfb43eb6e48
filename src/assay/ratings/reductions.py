"""The small reductions that every coefficient is a function of.

Nothing above this module reads ratings: it reads :class:`Patterns` (interchangeable raters),
:class:`PairTables` and the raters' marginals (identified raters), :class:`ItemSums` (metrics on
a line), or a :class:`Matrix` (items × raters, for ICC and ranks). Each is a sum over items, so
partial results of parts of the data merge by addition; an engine that can group and count can
produce the same objects. All counts are integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.ratings.categories import Ints
from assay.ratings.crowd import ROWS_NOT_KEPT, Crowd, Members
from assay.ratings.model import Block, Ratings
from assay.ratings.pairs import PairTables, pair_tables
from assay.ratings.patterns import Patterns, merge, patterns_of_block, patterns_of_counts
from assay.ratings.sums import BlockSums, ItemSums, PatternSums
from assay.ratings.tables import Counts

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
        code: npt.NDArray[Any] = np.zeros(part.shape[1], dtype=kind)
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


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Items that every rater rated: label codes of shape (raters, items), and weights."""

    codes: npt.NDArray[Any]
    weights: Ints
    left_out: int


_EMPTY = Block(np.zeros((1, 0), dtype=np.int8))

MAX_PAIRS = 250_000
"""The most pairs of raters whose tables are made."""

FEW_LABELS = 256
"""Up to this many labels, moments are taken over patterns."""


def _check_size(ratings: Ratings | Counts) -> None:
    """Raise if sums of squared counts would leave 64-bit integers."""
    if isinstance(ratings, Counts):
        sizes = ratings.counts.sum(axis=1, dtype=np.float64)
        largest = float(sizes @ sizes)
    else:
        largest = sum(
            float(block.weights.sum(dtype=np.float64)) * block.labels.shape[0] ** 2
            for block in ratings.blocks
            if block.weights is not None
        )
    if largest >= 2.0**62:
        digits = len(str(getattr(ratings, "denominator", 1))) - 1
        found = f"cells with {digits} decimals" if digits else "the counts"
        raise InputError(
            f"{found} add up to more than whole numbers of 64 bits can hold exactly; round the "
            "cells to fewer decimals, or divide the counts by a common factor.",
            code="too_large",
        )


class Reduced:
    """The reductions of one set of ratings, each made once, when first asked for.

    Parameters
    ----------
    ratings
        The ratings; or a :class:`~assay.ratings.tables.Counts`, of which only the
        patterns exist.
    """

    def __init__(self, ratings: Ratings | Counts) -> None:
        _check_size(ratings)
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
    def crowd(self) -> Crowd | None:
        """What is kept of raters where the blocks do not say who gave which rating."""
        return None if isinstance(self.ratings, Counts) else self.ratings.crowd

    @property
    def raters(self) -> tuple[str, ...]:
        return () if isinstance(self.ratings, Counts) else self.ratings.raters

    @property
    def denominator(self) -> int:
        return 1 if isinstance(self.ratings, Counts) else self.ratings.denominator

    @cached_property
    def members(self) -> Members | None:
        """How many rated items of each cluster are in each column; None without clusters."""
        ratings = self.ratings
        if isinstance(ratings, Counts) or ratings.clusters is None:
            return None if isinstance(ratings, Counts) else ratings.members
        columns, times = [], []
        for block in ratings.blocks:
            rated = (block.labels >= 0).any(axis=0)
            items = np.arange(block.n) if block.items is None else block.items
            columns.append(items[rated].astype(np.int64))
            weights = np.ones(block.n, np.int64) if block.weights is None else block.weights
            times.append(weights[rated])
        numbers = np.concatenate(columns)
        return Members(ratings.clusters[numbers].astype(np.int64), numbers, np.concatenate(times))

    @cached_property
    def patterns(self) -> Patterns:
        if isinstance(self.ratings, Counts):
            return patterns_of_counts(self.ratings)
        parts = [patterns_of_block(b, self.q, self.denominator) for b in self.blocks]
        return merge(parts or [patterns_of_block(_EMPTY, self.q, 1)])

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
            return PatternSums(self.patterns.pairable())
        return BlockSums(self.blocks, self.q)

    @cached_property
    def too_many_pairs(self) -> int:
        """Pairs of raters that may share an item, where they are not made; else 0."""
        raters = len(self.raters)
        if self.crowd is not None:
            return raters * (raters - 1) // 2 if self.crowd.pairs is None else 0
        within = sum(b.n * b.labels.shape[0] * (b.labels.shape[0] - 1) // 2 for b in self.blocks)
        pairs = min(raters * (raters - 1) // 2, within)
        return pairs if pairs > MAX_PAIRS else 0

    @cached_property
    def pairs(self) -> PairTables:
        if self.crowd is not None and self.crowd.pairs is not None:
            return self.crowd.pairs
        if self.crowd is not None:
            raise InputError(f"{self.crowd.no_pairs}.", code="too_many_pairs")
        if self.too_many_pairs:
            raise InputError(
                f"{len(self.raters):,} raters make {self.too_many_pairs:,} pairs; tables are made "
                f"for at most {MAX_PAIRS:,}. Choose raters, or use a coefficient that needs no "
                "pairs, such as fleiss_kappa or krippendorff_alpha.",
                code="too_many_pairs",
            )
        return pair_tables(self.blocks, self.q, len(self.raters), self.denominator)

    @cached_property
    def rater_counts(self) -> Ints:
        """Shape (raters, q): each rater's label counts."""
        if self.crowd is not None:
            return self.crowd.counts
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
        if self.crowd is not None:
            raise InputError(ROWS_NOT_KEPT, code="rows_not_kept")
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

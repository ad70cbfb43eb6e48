"""What a study draws its items from: patterns of labels with their probabilities.

The model: each rater recognises an item's label with probability √κ, else says a label drawn
from the shares. Two ratings of an item then agree by more than chance with probability κ
exactly, every rater's labels have the shares, and for two raters of two labels the table is the
only symmetric one that has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, lcm, sqrt
from typing import Any

import numpy as np

from assay.agreement.registry import COEFFICIENTS, Context
from assay.estimate import Estimate
from assay.ratings.categories import Categories, Floats, Ints
from assay.ratings.model import Block, Ratings
from assay.ratings.reductions import Reduced, compress

WHOLE = 1_000_000_000
"""Items of the expected table where its cells are no small fractions."""
PATTERNS = 4_000
"""Beyond this many patterns, so many times as many items of the model are drawn once."""
DRAWN = 50_000
SEQUENCES = 20_000
"""Up to so many items a study is drawn item by item."""


@dataclass(frozen=True, eq=False)
class Population:
    """Items to draw from.

    Attributes
    ----------
    source
        One column a pattern; its weights count nothing here.
    whole
        Shape (columns,): the patterns' probabilities as integers over their sum.
    exact
        Whether the probabilities are the design's own, to rounding, and not drawn once.
    """

    source: Ratings
    whole: Ints
    exact: bool = True

    @cached_property
    def shares(self) -> Floats:
        """Shape (columns,): the probability of each pattern."""
        out: Floats = self.whole / self.whole.sum()
        return out

    def ratings(self, times: Ints) -> Ratings:
        """The items that have each pattern so many times."""
        blocks, start = [], 0
        for block in self.source.blocks:
            mine = times[start : start + block.n]
            start += block.n
            used = np.flatnonzero(mine)
            if used.size:
                blocks.append(replace(block.take(used), items=None, weights=mine[used]))
        return replace(self.source, blocks=tuple(blocks))

    def estimate(self, name: str, times: Ints) -> Estimate:
        """A coefficient of the items that have each pattern so many times."""
        ratings = self.ratings(times)
        scale = ratings.scale or "nominal"
        return COEFFICIENTS[name](Context(Reduced(ratings), scale=scale, period=ratings.period))

    def expected(self, name: str) -> Estimate:
        """The coefficient of the expected table."""
        return self.estimate(name, self.whole)

    def draws(self, name: str, n: int, times: int, seed: Sequence[int]) -> Iterator[Estimate]:
        """The coefficient of ``times`` studies of n items each.

        A study of more items begins with the items of the smaller one, so that what n items
        give changes with n and not by luck.
        """
        if n > SEQUENCES:
            generator = np.random.default_rng([*seed, n])
            for drawn in generator.multinomial(n, self.shares, size=times):
                yield self.estimate(name, drawn)
            return
        below = np.cumsum(self.shares)[:-1]
        for study in range(times):
            item = np.random.default_rng([*seed, study]).random(n)
            drawn = np.bincount(np.searchsorted(below, item, "right"), minlength=below.size + 1)
            yield self.estimate(name, drawn)


def as_whole(shares: Sequence[Fraction | float]) -> Ints:
    """Probabilities as integers over their sum: exactly where they are small fractions.

    >>> as_whole([Fraction(1, 3), Fraction(2, 3)]).tolist(), as_whole([0.25, 0.75]).tolist()
    ([333333333, 666666666], [250000000, 750000000])
    """
    if all(isinstance(share, Fraction) for share in shares):
        bottom = lcm(*(Fraction(share).denominator for share in shares))
        if bottom <= WHOLE:
            # Many items, so that terms for small samples are nothing.
            bottom *= WHOLE // bottom
            return np.array([int(share * bottom) for share in shares], dtype=np.int64)
    return np.array([round(float(share) * WHOLE) for share in shares], dtype=np.int64)


def two_raters(labels: Sequence[str], shares: Sequence[Fraction], kappa: Fraction) -> Population:
    """Two named raters with the same shares: each cell of their table."""
    q = len(shares)
    cells = [(a, b) for a in range(q) for b in range(q)]
    probability = [
        (1 - kappa) * shares[a] * shares[b] + (kappa * shares[a] if a == b else 0) for a, b in cells
    ]
    return _made(labels, np.array(cells, dtype=np.int64).T, as_whole(probability), ("A", "B"))


def many_raters(
    labels: Sequence[str], shares: Sequence[Fraction], kappa: Fraction, raters: int, seed: int
) -> Population:
    """Any number of raters whose names do not matter: each multiset of labels."""
    if raters == 2:
        both = two_raters(labels, shares, kappa)
        return replace(both, source=replace(both.source, raters=()))
    knows = sqrt(kappa)
    pi = np.array([float(share) for share in shares])
    said = knows * np.eye(len(pi)) + (1.0 - knows) * pi[None, :]  # (item's label, rater's label)
    if comb(raters + len(pi) - 1, raters) > PATTERNS:
        return _drawn(labels, pi, said, raters, seed)
    rows = np.array(list(combinations_with_replacement(range(len(pi)), raters)), dtype=np.int64)
    counts = (rows[:, :, None] == np.arange(len(pi))).sum(axis=1)  # (patterns, labels)
    orders = [_orders(row) for row in counts.tolist()]
    each = np.array([[np.prod(said[t] ** row) for t in range(len(pi))] for row in counts])
    return _made(labels, rows.T, as_whole((np.array(orders) * (each @ pi)).tolist()), ())


def _orders(counts: Sequence[int]) -> int:
    """In how many orders a multiset of labels can be said."""
    out, left = 1, sum(counts)
    for count in counts:
        out *= comb(left, count)
        left -= count
    return out


def _drawn(labels: Sequence[str], pi: Floats, said: Floats, raters: int, seed: int) -> Population:
    generator = np.random.default_rng([seed, raters])
    truth = generator.choice(len(pi), size=DRAWN, p=pi)
    below = said.cumsum(axis=1)[truth]  # (items, labels)
    uniform = generator.random((DRAWN, raters, 1))
    rows = np.minimum((uniform > below[:, None, :]).sum(axis=2), len(pi) - 1)
    rows, times = np.unique(np.sort(rows, axis=1), axis=0, return_counts=True)
    return replace(_made(labels, rows.T, times.astype(np.int64), ()), exact=False)


def _made(labels: Sequence[str], rows: Ints, whole: Ints, raters: tuple[str, ...]) -> Population:
    used = np.flatnonzero(whole)
    categories = Categories(list(labels), declared=True)
    block = Block(rows[:, used].astype(np.int16))
    return Population(Ratings((block,), categories, raters), whole[used])


def of_pilot(ratings: Ratings) -> Population:
    """The items of a pilot, each as probable as the others."""
    blocks = tuple(compress(block, len(ratings.categories)) for block in ratings.blocks)
    blocks = tuple(_rated(block) for block in blocks)
    times: list[Any] = [
        np.ones(block.n, dtype=np.int64) if block.weights is None else block.weights
        for block in blocks
    ]
    whole = np.concatenate(times) if times else np.zeros(0, dtype=np.int64)
    return Population(replace(ratings, blocks=blocks, denominator=1), whole)


def _rated(block: Block) -> Block:
    """Without items that nobody rated."""
    return block.take(np.flatnonzero((block.labels >= 0).any(axis=0)))

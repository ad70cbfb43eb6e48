"""Interval, ordinal and circular metrics, by sums over each item's ratings."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np

from assay.agreement.disagreement import Disagreement
from assay.agreement.pool import Number
from assay.ratings.categories import Floats, Ints
from assay.ratings.reductions import Reduced
from assay.ratings.sums import exact_dot


class Moments(Disagreement):
    """δ² = |x − y|² for values x, y on a line (or, for circular, points on a circle)."""

    def __init__(
        self, made: Reduced, name: str, coordinates: list[Floats], exact: Ints | None, unit: Number
    ) -> None:
        self.name = name
        self.categories = made.categories
        self.denominator = made.denominator
        self.sums = made.item_sums
        self._coordinates = coordinates
        self._exact = exact
        self._unit = unit

    @property
    def totals(self) -> Ints:
        return self.sums.totals

    @property
    def items(self) -> Fraction:
        return Fraction(int(self.sums.weights.sum()), self.denominator)

    @cached_property
    def bound(self) -> float | None:
        if self.name != "interval":
            return 1.0 if self.name == "circular" else None
        x = self._coordinates[0]
        return float(x.max() - x.min()) ** 2 if x.size else None

    @cached_property
    def _whole(self) -> tuple[Ints, int, int] | None:
        """Per-item Σ_pairs δ², and Σ n_j x, Σ n_j x², in integers, or None if too large."""
        if self._exact is None:
            return None
        x = self._exact
        used = x[self.totals > 0]
        x = x - (used.min() if used.size else 0)
        top = int(x[self.totals > 0].max(initial=0)) * int(self.sums.sizes.max(initial=1))
        if top >= 1 << 30:
            return None
        first, second = self.sums.moments(np.where(self.totals > 0, x, 0))
        pairs = 2 * (self.sums.sizes * second - first * first)
        x = np.where(self.totals > 0, x, 0)
        return pairs, exact_dot(self.totals, x), exact_dot(self.totals, x * x)

    @cached_property
    def observed(self) -> Number:
        n = self.values
        if self._whole is None:
            within = sum(self._within(x) for x in self.centred)
            return float((self.sums.weights * within).sum()) / self.denominator / float(n)
        total = Fraction(0)
        for r in np.unique(self.sums.sizes).tolist():
            mine = self.sums.sizes == r
            part = exact_dot(self.sums.weights[mine], self._whole[0][mine])
            total += Fraction(part, r - 1)
        return total / self.denominator / n * self._square

    @property
    def _square(self) -> Fraction:
        return Fraction(self._unit) ** 2

    @cached_property
    def expected(self) -> Number:
        n = self.values
        used = self.totals > 0
        if all(np.ptp(x[used]) == 0.0 for x in self._coordinates):
            return Fraction(0)
        if self._whole is None:
            count = float(n)
            spread = 0.0
            for x in self.centred:
                shares = self.totals / self.totals.sum()
                spread += 2.0 * float(shares @ x**2 - (shares @ x) ** 2)
            return spread * count / (count - 1.0)
        _, first, second = self._whole
        d = self.denominator
        return (
            2 * (n * Fraction(second, d) - Fraction(first, d) ** 2) / (n * (n - 1)) * self._square
        )

    @cached_property
    def centred(self) -> list[Floats]:
        shares = self.totals / self.totals.sum()
        used = self.totals > 0
        return [np.where(used, x - float(shares[used] @ x[used]), 0.0) for x in self._coordinates]

    def _within(self, x: Floats) -> Floats:
        first, second = self.sums.moments(x)
        spread = np.maximum(2.0 * (self.sums.sizes * second - first * first), 0.0)
        return np.asarray(spread / (self.sums.sizes - 1))

    def influence(self) -> tuple[Floats, Floats]:
        shares = self.totals / self.totals.sum()
        within = np.zeros(self.sums.sizes.size)
        across = np.zeros(self.sums.sizes.size)
        for x in self.centred:
            first, second = self.sums.moments(x)
            within += self._within(x)
            mean, square = float(shares @ x), float(shares @ x**2)
            across += second - 2.0 * mean * first + square * self.sums.sizes
        out, _ = self._influence(within, self.sums.sizes, self.sums.weights, across)
        if self.name == "ordinal":
            out = out + self._rank_influence()
        return out, self.sums.weights / self.denominator

    def _rank_influence(self) -> Floats:
        """The part of an item's influence that goes through the ranks of all values."""
        x = self.centred[0]
        n = float(self.values)
        shares = self.totals / self.totals.sum()
        observed = float(self.observed)
        expected = float(self.expected) * (n - 1.0) / n
        first, _ = self.sums.moments(x)
        scale = self.sums.weights / self.denominator / (self.sums.sizes - 1.0)
        own = self.sums.per_label(scale * self.sums.sizes)
        mean = self.sums.per_label(scale * first)
        d_observed = 4.0 * (x * own - mean) / n
        d_expected = 4.0 * shares * (x - float(shares @ x))
        slope = -d_observed / expected + observed / expected**2 * d_expected
        # x is twice the mid-rank: a value below counts 2, an equal one 1.
        later = np.cumsum(slope[::-1])[::-1] - slope
        moved, _ = self.sums.moments(slope + 2.0 * later)
        return np.asarray(moved * float(self.items))

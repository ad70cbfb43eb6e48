"""Metrics of disagreement δ² between labels, and their sums over items.

Three kinds serve all metrics. Nominal needs only counts of equal labels. Interval, ordinal
(interval on mid-ranks of the pairable values) and circular (interval on the unit circle) need
per-item moments, so their cost does not depend on how many different values there are. Ratio,
weights and functions need the q × q matrix of distances.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from assay.agreement.pool import Number
from assay.agreement.weights import (
    EXACT_LABELS,
    MAX_LABELS,
    Distance,
    Weights,
    check_order,
    make_weights,
)
from assay.errors import LabelError, UsageError, one_of
from assay.ratings.model import Categories, Floats, Ints
from assay.ratings.reductions import ItemSums, Patterns, Reduced, exact_dot

METRICS = ("nominal", "ordinal", "interval", "ratio", "circular")


class Disagreement(ABC):
    """A metric applied to one set of ratings."""

    name: str
    categories: Categories
    denominator: int

    @property
    @abstractmethod
    def totals(self) -> Ints:
        """Shape (q,): pairable values of each label, over the denominator."""

    @property
    @abstractmethod
    def items(self) -> Fraction:
        """Items with two ratings or more."""

    @property
    @abstractmethod
    def observed(self) -> Number:
        """D_o, the mean disagreement within items."""

    @property
    @abstractmethod
    def expected(self) -> Number:
        """D_e, the mean disagreement of all pairs of pairable values."""

    @property
    def bound(self) -> float | None:
        """The largest δ² that two of the categories can have."""
        return 1.0

    @abstractmethod
    def influence(self) -> tuple[Floats, Floats]:
        """How each group of items moves alpha, and how many items it stands for."""

    @cached_property
    def values(self) -> Fraction:
        """Pairable values."""
        return Fraction(int(self.totals.sum()), self.denominator)

    @property
    def labels_used(self) -> int:
        return int(np.count_nonzero(self.totals))

    @property
    def only_label(self) -> str:
        return self.categories.texts[int(np.flatnonzero(self.totals)[0])]

    def describe(self) -> str:
        """In words, for full names."""
        return f"{self.name} metric"

    def _influence(
        self, within: Floats, sizes: Ints, weight: Floats, across: Floats
    ) -> tuple[Floats, Floats]:
        """From Σ_pairs δ² / (r − 1) and Σ_j r_ij e_j of each item, with e_j = Σ_l π_l δ²_jl."""
        n = float(self.values)
        observed = float(self.observed)
        expected = float(self.expected) * (n - 1.0) / n
        mean_size = n / float(self.items)
        direct = -(within - observed * sizes) / (mean_size * expected)
        chance = 2.0 * (across - expected * sizes) / mean_size
        return direct + observed / expected**2 * chance, weight


class Nominal(Disagreement):
    """δ² = 1 for different labels."""

    def __init__(self, made: Reduced) -> None:
        self.name = "nominal"
        self.categories = made.categories
        self.patterns = made.patterns.pairable()
        self.denominator = made.denominator

    @cached_property
    def totals(self) -> Ints:
        return _totals(self.patterns)

    @cached_property
    def items(self) -> Fraction:
        return self.patterns.items(2)

    @cached_property
    def observed(self) -> Number:
        total = Fraction(0)
        for r, s in self.patterns.by_size.items():
            total += Fraction(r * int(s.ratings.sum()) - int(s.squares.sum()), r - 1)
        return total / self.denominator / self.values

    @cached_property
    def expected(self) -> Number:
        n = self.values
        same = Fraction(exact_dot(self.totals, self.totals), self.denominator**2)
        return (n * n - same) / (n * (n - 1))

    def influence(self) -> tuple[Floats, Floats]:
        p = self.patterns
        within = (p.sizes**2 - p.sum(p.counts**2)) / (p.sizes - 1)
        shares = self.totals / self.totals.sum()
        across = p.sum(p.counts * (1.0 - shares[p.labels]))
        return self._influence(within, p.sizes, p.weight, across)


class Moments(Disagreement):
    """δ² = |x − y|² for values x, y on a line (or, for circular, points on a circle)."""

    def __init__(
        self, made: Reduced, name: str, coordinates: list[Floats], exact: Ints | None, unit: Number
    ) -> None:
        self.name = name
        self.categories = made.categories
        self.denominator = made.denominator
        self.sums = ItemSums.of(made)
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
            within = sum(self._within(x) for x in self._centred)
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
        if self._whole is None:
            count = float(n)
            spread = 0.0
            for x in self._centred:
                shares = self.totals / self.totals.sum()
                spread += 2.0 * float(shares @ x**2 - (shares @ x) ** 2)
            return spread * count / (count - 1.0)
        _, first, second = self._whole
        d = self.denominator
        return 2 * (n * Fraction(second, d) - Fraction(first, d) ** 2) / (n * (n - 1)) * self._square

    @cached_property
    def _centred(self) -> list[Floats]:
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
        for x in self._centred:
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
        x = self._centred[0]
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


class Pairwise(Disagreement):
    """δ² from a matrix of distances."""

    def __init__(
        self,
        made: Reduced,
        name: str,
        matrix: Floats,
        exact: list[list[Fraction]] | None,
        bound: float | None = 1.0,
    ) -> None:
        self.name = name
        self.categories = made.categories
        self.patterns = made.patterns.pairable()
        self.denominator = made.denominator
        self._matrix = matrix
        self._exact = exact
        self._bound = bound

    @property
    def bound(self) -> float | None:
        return self._bound

    @cached_property
    def totals(self) -> Ints:
        return _totals(self.patterns)

    @cached_property
    def items(self) -> Fraction:
        return self.patterns.items(2)

    @cached_property
    def observed(self) -> Number:
        total: Number = Fraction(0)
        for r in self.patterns.by_size:
            together = self.patterns.coincidences(r)
            if self._exact is None:
                total = total + float((self._matrix * together).sum()) / (r - 1)
            else:
                total = total + _weighted(self._exact, together) / (r - 1)
        if isinstance(total, Fraction):
            return total / self.denominator / self.values
        return total / self.denominator / float(self.values)

    @cached_property
    def expected(self) -> Number:
        n, d = self.values, self.denominator
        if self._exact is None:
            t = self.totals / d
            return float(t @ self._matrix @ t) / float(n * (n - 1))
        t = self.totals.tolist()
        total = sum(
            (
                a * sum((w * b for w, b in zip(row, t, strict=True) if b), Fraction(0))
                for a, row in zip(t, self._exact, strict=True)
                if a
            ),
            Fraction(0),
        )
        return total / (d * d) / (n * (n - 1))

    def influence(self) -> tuple[Floats, Floats]:
        p = self.patterns
        shares = self.totals / self.totals.sum()
        within = np.zeros(len(p))
        step = max(1, 20_000_000 // max(1, p.q))
        x = p.dense() if len(p) <= step else None
        if x is not None:
            within = ((x @ self._matrix) * x).sum(axis=1) / (p.sizes - 1)
        else:
            within = _pairs_in_steps(p, self._matrix, step) / (p.sizes - 1)
        across = p.sum(p.counts * (self._matrix @ shares)[p.labels])
        return self._influence(within, p.sizes, p.weight, across)

    def describe(self) -> str:
        return self.name if "weights" in self.name else f"{self.name} metric"


def _pairs_in_steps(p: Patterns, matrix: Floats, step: int) -> Floats:
    out = []
    for start in range(0, len(p), step):
        x = p.take(np.arange(start, min(start + step, len(p)))).dense()
        out.append(((x @ matrix) * x).sum(axis=1))
    return np.concatenate(out)


def _weighted(exact: list[list[Fraction]], together: Ints) -> Fraction:
    a, b = np.nonzero(together)
    cells = zip(a.tolist(), b.tolist(), together[a, b].tolist(), strict=True)
    return sum((exact[i][j] * m for i, j, m in cells), Fraction(0))


def _totals(p: Patterns) -> Ints:
    out = np.zeros(p.q, dtype=np.int64)
    for s in p.by_size.values():
        out += s.ratings
    return out


def make_metric(
    made: Reduced,
    metric: str | Distance | None,
    *,
    weights: Any = None,
    period: float | None = None,
) -> Disagreement:
    """The disagreement of the ratings under a metric, or under weights in its place."""
    categories = made.categories
    if weights is not None and metric is None:
        return _from_weights(made, make_weights(weights, categories, period=period))
    if callable(metric):
        return _from_function(made, metric)
    one_of(metric, METRICS, "metric")
    if metric == "nominal":
        return Nominal(made)
    if metric == "ordinal":
        check_order(categories, "ordinal results")
        totals = ItemSums.of(made).totals
        double = 2 * np.cumsum(totals) - totals  # twice the mid-rank less a constant
        return Moments(made, "ordinal", [double.astype(np.float64)], double, Fraction(1))
    values = categories.numbers
    if values is None:
        texts = ", ".join(categories.texts[:6])
        raise LabelError(
            f"the {metric} metric needs labels that are numbers, and these are texts ({texts}); "
            "use the nominal metric, or the ordinal one with an order."
        )
    if metric == "interval":
        if categories.scaled is None:
            return Moments(made, "interval", [values], None, Fraction(1))
        whole, denominator = categories.scaled
        return Moments(made, "interval", [values], whole, Fraction(1, denominator))
    if metric == "circular":
        low, high = (values.min(), values.max()) if values.size else (0.0, 0.0)
        turn = 2.0 * np.pi * values / (period or (high - low + 1.0))
        return Moments(
            made, "circular", [np.cos(turn) / 2.0, np.sin(turn) / 2.0], None, Fraction(1)
        )
    return _ratio(made, categories, values)


def _ratio(made: Reduced, categories: Categories, values: Floats) -> Disagreement:
    if (values < 0).any():
        worst = categories.texts[int(np.argmin(values))]
        raise LabelError(f"the ratio metric needs labels of 0 and above, and {worst} was found.")
    _limit(len(values), "ratio")
    exact_values = categories.exact_positions if len(values) <= EXACT_LABELS else None
    exact = None
    if exact_values is not None:
        exact = [
            [((a - b) / (a + b)) ** 2 if a != b else Fraction(0) for b in exact_values]
            for a in exact_values
        ]
    total = values[:, None] + values[None, :]
    gap = values[:, None] - values[None, :]
    matrix = np.divide(gap, total, out=np.zeros_like(gap), where=total != 0) ** 2
    return Pairwise(made, "ratio", matrix, exact)


def _limit(q: int, name: str) -> None:
    if q > MAX_LABELS:
        raise UsageError(
            f"the {name} metric compares every two of the {q} different labels; at most "
            f"{MAX_LABELS} are taken. The interval metric has no such limit.",
            code="too_many_labels",
        )


def _from_weights(made: Reduced, weights: Weights) -> Disagreement:
    if weights.identity:
        return Nominal(made)
    exact = None
    if weights.exact is not None:
        exact = [[1 - w for w in row] for row in weights.exact]
    return Pairwise(made, weights.describe(), 1.0 - weights.matrix, exact)


def _from_function(made: Reduced, distance: Distance) -> Disagreement:
    categories = made.categories
    q = len(categories)
    _limit(q, "function")
    matrix = np.array(
        [[float(distance(categories[i], categories[j])) for j in range(q)] for i in range(q)]
    ).reshape(q, q)
    bad = ~np.isfinite(matrix) | (matrix < 0) | (matrix != matrix.T)
    bad |= np.eye(q, dtype=bool) & (matrix != 0)
    if bad.any():
        i, j = np.argwhere(bad)[0]
        raise UsageError(
            f"metric: the function gives {matrix[i, j]:g} for ({categories.texts[i]}, "
            f"{categories.texts[j]}) and {matrix[j, i]:g} the other way; a distance is symmetric, "
            "not negative, and 0 for equal labels."
        )
    name = getattr(distance, "__name__", "custom")
    return Pairwise(made, name, matrix, None, float(matrix.max(initial=0.0)) or None)

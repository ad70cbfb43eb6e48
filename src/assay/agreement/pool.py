"""What the coefficients for interchangeable raters share: agreement, shares, linearised error.

Symbols follow Gwet: n items with a rating, n′ of them with two or more, r_i ratings of item i,
r_ij of them on category j, W the weights, π the category shares, p_a observed and p_e expected
agreement.

References
----------
Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high
agreement. British Journal of Mathematical and Statistical Psychology 61(1), 29-48.
Gwet, K. L. (2021). Handbook of Inter-Rater Reliability, 5th ed. AgreeStat Analytics.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, lcm, sqrt
from typing import TypeAlias

import numpy as np

from assay.agreement.weights import Weights
from assay.estimate import (
    Estimate,
    NoError,
    PerfectBound,
    Symmetric,
    Uncertainty,
    Undefined,
    undefined,
)
from assay.ratings.categories import Categories, Floats
from assay.ratings.patterns import Patterns, SizeTotals

Number: TypeAlias = Fraction | float
"""Exact where the data and the weights are rational, else a float."""

ZERO_ERROR = 1e-12
"""A standard error below this is rounding of an exact 0."""


def number_text(value: Fraction | float | int) -> str:
    """A count as a person writes it."""
    number = float(value)
    return f"{int(number):,}" if number.is_integer() else f"{number:,g}"


def plural(count: Fraction | float | int, word: str) -> str:
    """``1 item``, ``2 items``."""
    return f"{number_text(count)} {word}" + ("" if count == 1 else "s")


def count_of(value: Fraction) -> int:
    """A number of items as an integer where it is one (tables may hold decimals)."""
    return int(value) if value.denominator == 1 else float(value)  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Shares:
    """Category shares as integers over one denominator."""

    numerators: tuple[int, ...]
    denominator: int

    @property
    def floats(self) -> Floats:
        return np.array([n / self.denominator for n in self.numerators])

    @property
    def used(self) -> int:
        """How many categories have a share above 0."""
        return sum(1 for n in self.numerators if n)

    def expected(self, weights: Weights) -> Number:
        """π′Wπ."""
        t, d = self.numerators, self.denominator
        if weights.identity:
            return Fraction(sum(n * n for n in t), d * d)
        if weights.integers is None:
            p = self.floats
            return float(p @ weights.matrix @ p)
        w, scale = weights.integers
        total = sum(
            t[i] * sum(wij * tj for wij, tj in zip(row, t, strict=True)) for i, row in enumerate(w)
        )
        return Fraction(total, d * d * scale)


class Pool:
    """Patterns under one set of weights, with the sums that several coefficients need."""

    def __init__(self, patterns: Patterns, weights: Weights, categories: Categories) -> None:
        self.patterns = patterns
        self.weights = weights
        self.categories = categories
        self.n = patterns.items(1)
        self.n2 = patterns.items(2)

    @property
    def q(self) -> int:
        return self.patterns.q

    @cached_property
    def sizes(self) -> dict[int, SizeTotals]:
        return self.patterns.by_size

    @property
    def equal_sizes(self) -> int | None:
        """The number of ratings every item has, or None where it varies."""
        return next(iter(self.sizes)) if len(self.sizes) == 1 else None

    @cached_property
    def ratings(self) -> Fraction:
        total = sum(r * s.items for r, s in self.sizes.items())
        return Fraction(total, self.patterns.denominator)

    @cached_property
    def raters(self) -> int:
        return max(self.sizes, default=0)

    @cached_property
    def labels_used(self) -> list[int]:
        """Codes of the labels that occur."""
        return [int(k) for k in np.unique(self.patterns.labels)]

    @cached_property
    def agreeing(self) -> dict[int, Number]:
        """For each r ≥ 2: Σ over its items of the (weighted) agreeing ordered pairs."""
        out: dict[int, Number] = {}
        for r, totals in self.sizes.items():
            if r < 2:
                continue
            alone = int(totals.ratings.sum())
            if self.weights.identity:
                out[r] = Fraction(int(totals.squares.sum()) - alone)
                continue
            together = self.patterns.coincidences(r)
            if self.weights.integers is None:
                out[r] = float((self.weights.matrix * together).sum()) - alone
            else:
                w, scale = self.weights.integers
                counts = together.tolist()
                total = sum(
                    sum(a * b for a, b in zip(x, y, strict=True) if b)
                    for x, y in zip(w, counts, strict=True)
                )
                out[r] = Fraction(total, scale) - alone
        return out

    @cached_property
    def observed(self) -> Number:
        """p_a: the mean over items with two or more ratings of their share of agreeing pairs."""
        items = sum(s.items for r, s in self.sizes.items() if r >= 2)
        return sum((a / (r * (r - 1)) for r, a in self.agreeing.items()), Fraction(0)) / items

    @cached_property
    def observed_by_pairs(self) -> Number:
        """Agreeing pairs over all pairs."""
        pairs = sum(r * (r - 1) * s.items for r, s in self.sizes.items())
        return sum(self.agreeing.values(), Fraction(0)) / pairs

    @cached_property
    def mean_shares(self) -> Shares:
        """π: the mean over items with a rating of the item's shares."""
        common = lcm(*self.sizes) if self.sizes else 1
        total = [0] * self.q
        for r, totals in self.sizes.items():
            factor = common // r
            for j in np.flatnonzero(totals.ratings).tolist():
                total[j] += factor * int(totals.ratings[j])
        items = sum(s.items for s in self.sizes.values())
        return Shares(tuple(total), common * items)

    @cached_property
    def pooled_shares(self) -> Shares:
        """p: shares over all ratings of the items with two or more."""
        total = [0] * self.q
        for r, totals in self.sizes.items():
            if r >= 2:
                for j in np.flatnonzero(totals.ratings).tolist():
                    total[j] += int(totals.ratings[j])
        return Shares(tuple(total), sum(total))

    @cached_property
    def item_observed(self) -> Floats:
        """Shape (patterns,): each item's agreeing pairs over its pairs, 0 for one rating."""
        p = self.patterns
        if self.weights.identity:
            agreeing = p.sum(p.counts * (p.counts - 1)).astype(np.float64)
        else:
            agreeing = self._weighted_pairs() - p.sizes
        out: Floats = np.zeros(len(p))
        np.divide(agreeing, p.sizes * (p.sizes - 1), out=out, where=p.sizes >= 2)
        return out

    def _weighted_pairs(self) -> Floats:
        p, out = self.patterns, []
        step = max(1, 20_000_000 // max(1, self.q))
        lengths = np.diff(p.starts, append=p.labels.size)
        for start in range(0, len(p), step):
            stop = min(start + step, len(p))
            first = p.starts[start]
            last = p.starts[stop] if stop < len(p) else p.labels.size
            x = np.zeros((stop - start, self.q))
            owner = np.repeat(np.arange(stop - start), lengths[start:stop])
            x[owner, p.labels[first:last]] = p.counts[first:last]
            out.append(((x @ self.weights.matrix) * x).sum(axis=1))
        return np.concatenate(out) if out else np.zeros(0)

    def item_mean(self, per_label: Floats) -> Floats:
        """Shape (patterns,): Σ_j r_ij v_j / r_i for a vector v over labels."""
        p = self.patterns
        out: Floats = p.sum(p.counts * per_label[p.labels]) / p.sizes
        return out

    @property
    def unanimous(self) -> bool:
        """Whether every item with two ratings or more has one label only."""
        p = self.patterns.pairable()
        return len(p) > 0 and p.labels.size == len(p)

    def standard_error(self, contributions: Floats, centre: float) -> float:
        """√(Σ(κ_i − κ)² / (n(n − 1))) over the n items with a rating."""
        n = float(self.n)
        total = float((self.patterns.weight * (contributions - centre) ** 2).sum())
        return sqrt(total / (n * (n - 1.0)))

    def contributions(self, value: float, expected: float, item_expected: Floats) -> Floats:
        """Gwet's κ_i for missing ratings, shape (patterns,)."""
        two = self.patterns.sizes >= 2
        ratio = float(self.n / self.n2)
        first = ratio * two * (self.item_observed - expected) / (1.0 - expected)
        return np.asarray(
            first - 2.0 * (1.0 - value) * (item_expected - expected) / (1.0 - expected)
        )

    def uncertainty(
        self, value: float, expected: float, contributions: Floats, *, low: float = -1.0
    ) -> Uncertainty:
        """Linearised error with t on n − 1 degrees of freedom, or why there is none."""
        if self.n <= 1:
            return NoError(SINGLE_ITEM)
        if self.unanimous:
            return PerfectBound(max(1, int(self.n2)), expected, low=low)
        error = self.standard_error(contributions, value)
        return error_or_reason(value, error, LINEARISED, df=float(self.n) - 1.0, low=low)

    def counted(self) -> dict[str, int]:
        """Items, raters and ratings for an :class:`~assay.estimate.Estimate`."""
        return {
            "items": count_of(self.n),
            "raters": self.raters,
            "ratings": count_of(self.ratings),
        }

    def compared(self) -> dict[str, int]:
        """The same for the items with two ratings or more alone."""
        sizes = {r: s for r, s in self.sizes.items() if r >= 2}
        ratings = Fraction(sum(r * s.items for r, s in sizes.items()), self.patterns.denominator)
        return {
            "items": count_of(self.n2),
            "raters": self.raters,
            "ratings": count_of(ratings),
        }


LINEARISED = "Gwet's linearisation, t with all items - 1 degrees of freedom"

SINGLE_ITEM = Undefined(
    "single_item", "there is one item only, and the error between items needs two"
)


def error_or_reason(
    value: float,
    error: float,
    method: str,
    *,
    df: float | None = None,
    low: float = -1.0,
    null_error: float | None = None,
    null_method: str = "",
) -> Uncertainty:
    """A symmetric interval, or the reason why the error is degenerate.

    A value below ``low`` is not clipped: with many items of one rating, agreement and chance
    come from different items, and kappa can fall below -1.
    """
    if error < ZERO_ERROR:
        return NoError(
            Undefined(
                "degenerate_error",
                "every item contributes the same, so the standard error is 0 and says nothing "
                "about other items",
            )
        )
    if value < low:
        low = -inf
    return Symmetric(value, error, method, df, low, 1.0, null_error, null_method)


def no_pairs(pool: Pool, name: str, full_name: str, reference: str) -> Estimate | None:
    """The undefined estimate for data in which no item has two ratings, else None."""
    counted = pool.counted()
    if not pool.n:
        return undefined(
            name, full_name, "no_ratings", "there are no ratings", reference=reference, **counted
        )
    if not pool.n2:
        reason = f"none of the {plural(pool.n, 'item')} has two ratings or more"
        return undefined(name, full_name, "no_shared_items", reason, reference=reference, **counted)
    return None


def one_label(pool: Pool) -> Undefined:
    """The reason that expected agreement is 1: a single label is in use."""
    codes = pool.labels_used
    if len(codes) == 1:
        label = pool.categories.texts[codes[0]]
        return Undefined(
            "one_label_used",
            f"all {number_text(pool.ratings)} ratings are '{label}': expected agreement is 1, "
            "and (Po - Pe) / (1 - Pe) is 0 / 0",
        )
    paired = np.flatnonzero(pool.pooled_shares.numerators)
    if paired.size == 1:
        label = pool.categories.texts[int(paired[0])]
        total = Fraction(pool.pooled_shares.denominator, pool.patterns.denominator)
        return Undefined(
            "one_label_used",
            f"all {number_text(total)} ratings of items with two or more are '{label}': expected "
            "agreement is 1, and (Po - Pe) / (1 - Pe) is 0 / 0",
        )
    labels = ", ".join(f"'{pool.categories.texts[c]}'" for c in codes[:4])
    return Undefined(
        "no_variance",
        f"expected agreement is 1: the labels that count here ({labels}) do not differ, and "
        "(Po - Pe) / (1 - Pe) is 0 / 0",
    )


def ratio(observed: Number, expected: Number) -> Number:
    """(p_a − p_e) / (1 − p_e), exact where both are."""
    if isinstance(observed, Fraction) and isinstance(expected, Fraction):
        return (observed - expected) / (1 - expected)
    return (float(observed) - float(expected)) / (1.0 - float(expected))


def exact_or_none(value: Number) -> Fraction | None:
    """The value where it is exact."""
    return value if isinstance(value, Fraction) else None

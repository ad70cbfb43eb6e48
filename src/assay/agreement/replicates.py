"""Uncertainty from resampled values: quantiles of them, and tests that stay analytic."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assay.estimate import HypothesisTest, Interval, Uncertainty, Undefined
from assay.ratings.categories import Floats

TIE = 1e-12
"""Values nearer than this are one value in another order of additions."""


@dataclass(frozen=True, slots=True)
class Replicated:
    """Quantiles of the values in resamples: percentile, or BCa with an acceleration.

    Attributes
    ----------
    value
        The value on the data.
    replicates
        The values in the resamples where they exist, sorted.
    method
        What was resampled, how often, and from which seed.
    resamples, undefined
        How many resamples there were, and in how many of them there is no value.
    acceleration
        Of BCa (Efron 1987); None for the percentile interval.
    """

    value: float
    replicates: Floats = field(compare=False, repr=False)
    method: str
    resamples: int
    undefined: int = 0
    acceleration: float | None = None

    @property
    def standard_error(self) -> float:
        """The standard deviation of the replicates."""
        return float(self.replicates.std(ddof=1))

    def interval(self, level: float) -> Interval | Undefined:
        tails = ((1.0 - level) / 2.0, (1.0 + level) / 2.0)
        if self.acceleration is not None:
            bias = self.bias
            if isinstance(bias, Undefined):
                return bias
            tails = (self._moved(tails[0], bias), self._moved(tails[1], bias))
        low, high = np.quantile(self.replicates, tails).tolist()
        return Interval(level, low, high, self.method, self.resamples, self.undefined)

    @property
    def bias(self) -> float | Undefined:
        """z₀: the normal quantile of the share of replicates below the value, half of ties."""
        from scipy.special import ndtri

        gap = self.replicates - self.value
        below = float((gap < -TIE).mean() + (abs(gap) <= TIE).mean() / 2.0)
        if 0.0 < below < 1.0:
            return float(ndtri(below))
        side = "below" if below else "above"
        return Undefined(
            "degenerate_error",
            f"all {len(self.replicates)} resampled values lie {side} the value, so that BCa's "
            "correction for bias is infinite",
        )

    def _moved(self, tail: float, bias: float) -> float:
        from scipy.special import ndtr, ndtri

        z = bias + float(ndtri(tail))
        return float(ndtr(bias + z / (1.0 - (self.acceleration or 0.0) * z)))

    def test(self, null: float) -> HypothesisTest:
        """Two-sided: twice the smaller share of replicates at or beyond the null value."""
        gap = self.replicates - null
        least = min(int((gap <= TIE).sum()), int((gap >= -TIE).sum()))
        p = min(1.0, 2.0 * (least + 1) / (len(self.replicates) + 1))
        return HypothesisTest(self.method, null, self.standard_error, None, None, p)


@dataclass(frozen=True, slots=True)
class Both:
    """An interval by one method, tests by another.

    Resampling gives intervals; p-values stay those of the analytic error, under its name.
    """

    spread: Uncertainty
    tests: Uncertainty | None

    @property
    def method(self) -> str:
        return self.spread.method

    @property
    def standard_error(self) -> float | None:
        """The error behind the interval."""
        return getattr(self.spread, "standard_error", None)

    def interval(self, level: float) -> Interval | Undefined:
        return self.spread.interval(level)

    def test(self, null: float) -> HypothesisTest:
        if self.tests is not None:
            return self.tests.test(null)
        why = Undefined("no_error", "no analytic standard error is known")
        return HypothesisTest("none", null, None, None, None, None, why)

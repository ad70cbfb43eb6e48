"""ICC(1) where every output is rated by other raters, and by more of some than of others.

With units as groups: MSB and MSW are the mean squares between and within, and n₀ stands for the
number of ratings a unit: n₀ = (N − Σ n_i² / N) / (k − 1), the number itself where all are equal.

References
----------
Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86(2), 420-428.
Donner, A. (1986). International Statistical Review 54(1), 67-82. (Unequal numbers.)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from assay.estimate import Estimate, HypothesisTest, Interval, Undefined
from assay.evaluation.table import Dimension
from assay.ratings.categories import Floats, Ints

NAME, FULL = "icc_one_way", "ICC(1,1), one-way, a single rating, other raters for each output"
REFERENCE = "Shrout and Fleiss (1979), Psychological Bulletin 86(2), 420-428"
UNEQUAL = "; Donner (1986), International Statistical Review 54(1), 67-82"


@dataclass(frozen=True, slots=True)
class OneWay:
    """F limits of the ratio of mean squares; exact where all units have as many ratings."""

    ratio: float
    size: float
    between: int
    within: int
    equal: bool

    @property
    def method(self) -> str:
        """How the limits are made."""
        if self.equal:
            return "exact F"
        return "F with n0 for the number of ratings, approximate"

    @property
    def standard_error(self) -> None:
        """There is none: the interval comes from F."""
        return None

    def _value(self, ratio: float) -> float:
        if ratio == inf:
            return 1.0
        return (ratio - 1.0) / (ratio + self.size - 1.0)

    def interval(self, level: float) -> Interval | Undefined:
        """Shrout and Fleiss's limits."""
        from scipy.special import fdtri

        tail = 0.5 + level / 2.0
        if self.ratio == inf:
            return Undefined("degenerate_error", "ratings of an output never differ")
        low = self.ratio / float(fdtri(self.between, self.within, tail))
        high = self.ratio * float(fdtri(self.within, self.between, tail))
        return Interval(level, self._value(low), self._value(high), self.method)

    def test(self, null: float) -> HypothesisTest:
        """F test, one-sided as usual: the larger the ratio, the more the outputs differ."""
        from scipy.special import fdtrc

        f = self.ratio * (1.0 - null) / (1.0 + (self.size - 1.0) * null)
        df = (float(self.between), float(self.within))
        if f == inf:
            why = Undefined("no_variance", "ratings of an output never differ")
            return HypothesisTest(self.method, null, None, None, df, None, why)
        p = float(fdtrc(self.between, self.within, f))
        return HypothesisTest(f"F, one-sided; {self.method}", null, None, f, df, p)


def one_way(made: Dimension) -> Estimate:
    """ICC(1,1) over the outputs of a dimension with numbers."""
    values = made.values
    counts = made.units.counts()
    rest: dict[str, Any] = {
        "items": made.units.size, "raters": int(counts.max(initial=0)), "ratings": made.n,
    }  # fmt: skip
    if values is None:
        why = Undefined("not_applicable", "ICC needs values that are numbers")
        return Estimate(NAME, FULL, None, why, reference=REFERENCE, **rest)
    return from_groups(made.units.codes, values, counts, rest)


def from_groups(codes: Ints, values: Floats, counts: Ints, rest: dict[str, Any]) -> Estimate:
    """ICC(1,1) of values in groups."""
    k, n = len(counts), len(values)
    why = None
    if k < 2:
        why = Undefined("single_item", "ICC compares outputs, and there are fewer than two")
    elif n <= k:
        why = Undefined("no_shared_items", "no output has two ratings")
    elif np.ptp(values) == 0:
        why = Undefined("no_variance", f"all {n:,} ratings are equal, so there is no variance")
    if why is not None:
        return Estimate(NAME, FULL, None, why, reference=REFERENCE, **rest)
    centred = values - values.mean()
    sums = np.bincount(codes, centred, k)
    means = sums / counts
    between = float((counts * means**2).sum()) / (k - 1)
    residual = centred - means[codes]
    within = float((residual**2).sum()) / (n - k)
    equal = bool((counts == counts[0]).all())
    size = float(counts[0]) if equal else (n - float((counts**2).sum()) / n) / (k - 1)
    # Equal ratings within each output leave rounding of the means, not a variance.
    low, high = np.full(k, inf), np.full(k, -inf)
    np.minimum.at(low, codes, values)
    np.maximum.at(high, codes, values)
    ratio = between / within if (high > low).any() else inf
    spread = OneWay(ratio, size, k - 1, n - k, equal)
    convention = "complete: as many ratings of each output" if equal else (
        f"unequal numbers of ratings: n0 = {size:.4g} stands for them"
    )  # fmt: skip
    return Estimate(
        NAME,
        FULL,
        spread._value(ratio),
        uncertainty=spread,
        convention=convention,
        reference=REFERENCE + ("" if equal else UNEQUAL),
        **rest,
    )

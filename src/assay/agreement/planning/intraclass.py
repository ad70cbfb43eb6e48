"""How many items an intraclass correlation needs, from the F distribution of its mean squares.

Scores are normal: item + rater + rest. For the one-way and the consistency forms MSR over its
noise is an F times θ = (1 + (k − 1)ρ) / (1 − ρ), so the mean width of the exact interval is an
integral over F, and the probability that its lower limit passes is F's own. The agreement forms
have a third mean square, that of raters; their studies are drawn.

References
----------
Bonett, D. G. (2002). Sample size requirements for estimating intraclass correlations with desired
precision. Statistics in Medicine 21(9), 1331-1335.
Walter, S. D., Eliasziw, M. and Donner, A. (1998). Sample size and optimal designs for reliability
studies. Statistics in Medicine 17(1), 101-110.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log, sqrt

import numpy as np

from assay.agreement.icc import Anova, FRatio
from assay.estimate import Interval
from assay.ratings.categories import Floats

BONETT = "Bonett (2002), Statistics in Medicine 21(9), 1331-1335"
WALTER = "Walter, Eliasziw and Donner (1998), Statistics in Medicine 17(1), 101-110"
NODES = 64
"""Points of the Gauss-Legendre integral over the probabilities of F."""


def bonett(rho: float, k: int, width: float, level: float = 0.95) -> int:
    """Bonett's number of items for an interval of a single rating's ICC of this width.

    Examples
    --------
    >>> bonett(0.85, 4, 0.2), bonett(0.8, 2, 0.2)
    (20, 55)
    """
    from scipy.special import ndtri

    z = float(ndtri(0.5 + level / 2.0))
    n = 8 * z**2 * (1 - rho) ** 2 * (1 + (k - 1) * rho) ** 2 / (k * (k - 1) * width**2) + 1
    if k == 2 and rho >= 0.7:
        n += 5 * rho
    return ceil(n)


def walter(rho: float, bound: float, k: int, level: float = 0.95, power: float = 0.8) -> int:
    """Walter, Eliasziw and Donner's number of items for a lower limit above ``bound``.

    Their test has one side; the limit of a two-sided interval is that of half its level's rest.

    Examples
    --------
    >>> walter(0.8, 0.6, 2, level=0.9)
    39
    """
    from scipy.special import ndtri

    z = float(ndtri(0.5 + level / 2.0) + ndtri(power))
    c = (1 + k * bound / (1 - bound)) / (1 + k * rho / (1 - rho))
    return ceil(1 + 2 * z**2 * k / (log(c) ** 2 * (k - 1)))


def single(value: float, k: int) -> float:
    """The ICC of a single rating from that of the mean of k (Spearman and Brown).

    >>> round(single(0.9, 4), 4)
    0.6923
    """
    return value / (k - (k - 1) * value)


@dataclass(frozen=True)
class IccDesign:
    """k raters who all rate every item; ``name`` is the form, ``value`` its ICC.

    Attributes
    ----------
    rater_share
        The raters' levels' share of a single rating's variance. It is part of the agreement
        forms; the consistency forms take it out, the one-way form has it in its noise.
    level
        Of the interval.
    times, seed
        Studies drawn for the agreement forms.
    """

    name: str
    value: float
    k: int
    rater_share: float = 0.0
    level: float = 0.95
    times: int = 2000
    seed: int = 0

    @property
    def averaged(self) -> bool:
        """Whether the ICC is of the mean of the k ratings."""
        return self.name.endswith("_k")

    @property
    def drawn(self) -> bool:
        """Whether its studies are drawn, and not integrated."""
        return self.name.startswith("icc_a")

    @property
    def rho(self) -> float:
        """The ICC of a single rating."""
        return single(self.value, self.k) if self.averaged else self.value

    @cached_property
    def theta(self) -> float:
        """What the F of items is multiplied by."""
        rho = self.rho
        return (1.0 + (self.k - 1) * rho) / (1.0 - rho)

    def _df(self, n: int) -> tuple[float, float]:
        one_way = self.name.startswith("icc_1")
        return n - 1.0, (n if one_way else n - 1.0) * (self.k - 1.0)

    def _interval(self, n: int, rows: float, columns: float, error: float) -> Interval | None:
        name = self.name
        table = Anova(n, self.k, rows, columns, error, error)
        got = FRatio(name, table, 0.0).interval(self.level)
        return got if isinstance(got, Interval) else None

    def intervals(self, n: int) -> Iterator[tuple[Interval | None, float]]:
        """Intervals of n items with the probability that each stands for."""
        if self.drawn:
            for rows, columns, error in self._squares(n):
                yield self._interval(n, rows, columns, error), 1.0 / self.times
            return
        from scipy.special import fdtri

        nodes, weights = np.polynomial.legendre.leggauss(NODES)
        df1, df2 = self._df(n)
        ratios = self.theta * fdtri(df1, df2, (nodes + 1.0) / 2.0)
        for f, weight in zip(ratios.tolist(), (weights / 2.0).tolist(), strict=True):
            yield self._interval(n, f, 1.0, 1.0), weight

    @cached_property
    def _uniform(self) -> Floats:
        """The same draws for every n, so that widths fall with n and not by luck."""
        generator = np.random.default_rng([self.seed, self.k])
        return generator.random((3, self.times))

    def _squares(self, n: int) -> list[list[float]]:
        """Mean squares of items, raters and rest: a row a study."""
        from scipy.special import chdtri

        k, rest = self.k, 1.0 - self.rho - self.rater_share
        scale = (rest + k * self.rho, rest + n * self.rater_share, rest)
        df = (n - 1.0, k - 1.0, (n - 1.0) * (k - 1.0))
        found = [
            s * chdtri(d, 1.0 - u) / d for s, d, u in zip(scale, df, self._uniform, strict=True)
        ]
        return np.array(found).T.tolist()  # type: ignore[no-any-return]

    def width(self, n: int) -> float | None:
        """The mean width of the intervals of n items."""
        found = [(i.width, weight) for i, weight in self.intervals(n) if i is not None]
        total = sum(weight for _, weight in found)
        return sum(w * weight for w, weight in found) / total if total else None

    def undefined(self, n: int) -> float:
        """The share of studies without an interval."""
        return sum(weight for i, weight in self.intervals(n) if i is None)

    def passing(self, n: int, bound: float) -> float:
        """The probability that the lower limit lies above ``bound``."""
        if self.drawn:
            return sum(w for i, w in self.intervals(n) if i is not None and i.low > bound)
        from scipy.special import fdtrc, fdtri

        df1, df2 = self._df(n)
        rho = single(bound, self.k) if self.averaged else bound
        least = (1.0 + (self.k - 1) * rho) / (1.0 - rho)
        critical = float(fdtri(df1, df2, 0.5 + self.level / 2.0))
        return float(fdtrc(df1, df2, least / self.theta * critical))

    def around(self, n: int) -> tuple[float | None, float | None]:
        """The interval of n items whose estimate is the expected value."""
        k, rho = self.k, self.rho
        rest = 1.0 - rho - self.rater_share
        found = self._interval(n, self.theta, 1.0, 1.0)
        if self.drawn:
            found = self._interval(n, rest + k * rho, rest + n * self.rater_share, rest)
        return (None, None) if found is None else (found.low, found.high)

    def covered(self, n: int) -> float | None:
        """The share of intervals that hold the value."""
        found = [(i, w) for i, w in self.intervals(n) if i is not None]
        total = sum(w for _, w in found)
        held = sum(w for i, w in found if i.low <= self.value <= i.high)
        return held / total if total else None

    def width_error(self, n: int) -> float | None:
        """The standard error of the mean width where studies are drawn, else None."""
        if not self.drawn:
            return None
        found = np.array([i.width for i, _ in self.intervals(n) if i is not None])
        return float(found.std(ddof=1)) / sqrt(found.size) if found.size > 1 else None

"""How sure a coefficient is at any number of items, and the fewest items for a wish.

The error of n items is the library's own on the table that a design expects, and falls with
√n; so the search is the same for every coefficient whose interval is symmetric.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from assay.estimate import Estimate, Interval, PerfectBound, Symmetric, Undefined

LEAST = 2
MOST = 1_000_000
"""Where the search for a number of items ends."""


def fewest(fits: Callable[[int], bool], *, least: int = LEAST, most: int = MOST) -> int | None:
    """The smallest number that fits, where every larger one fits too; None beyond ``most``.

    Examples
    --------
    >>> fewest(lambda n: n * n >= 1000), fewest(lambda n: n < 0, most=100)
    (32, None)
    """
    low, high = least - 1, least
    while not fits(high):
        low, high = high, 2 * high
        if low >= most:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high if high <= most else None


@dataclass(frozen=True, slots=True)
class Precision:
    """A coefficient's interval at any number of items of one design.

    Attributes
    ----------
    value
        The coefficient in the design.
    spread
        Its standard error times √n; 0 where all ratings agree.
    student
        Whether its quantile is Student's with n − 1 degrees of freedom, else the normal.
    expected
        Expected agreement, from which the bound is made where all ratings agree.
    method
        How the interval is made.
    """

    value: float
    spread: float
    student: bool
    expected: float
    method: str

    @classmethod
    def of(cls, estimate: Estimate) -> Precision | Undefined:
        """From an estimate on the expected table of any number of items.

        Examples
        --------
        >>> import assay
        >>> found = Precision.of(assay.cohen_kappa(table=[[40, 10], [10, 40]]))
        >>> found.items_for_width(0.2)
        246
        """
        error = estimate.uncertainty
        if isinstance(error, PerfectBound):
            return cls(float(estimate), 0.0, False, error.expected, error.method)
        if not isinstance(error, Symmetric):
            why = estimate.why_no_interval()
            return why or Undefined("no_error", "no analytic standard error is known")
        spread = error.standard_error * sqrt(estimate.items)
        chance = 0.0 if estimate.expected is None else estimate.expected
        return cls(error.value, spread, error.df is not None, chance, error.method)

    def _error(self, n: int) -> Symmetric | PerfectBound:
        if self.spread == 0.0:
            return PerfectBound(n, self.expected, method=self.method)
        df = float(n - 1) if self.student else None
        return Symmetric(self.value, self.spread / sqrt(n), self.method, df)

    def interval(self, n: int, level: float = 0.95) -> Interval:
        """The interval of n items, around the design's value."""
        got = self._error(n).interval(level)
        assert isinstance(got, Interval)  # noqa: S101 (neither of the two gives a reason)
        return got

    def items_for_width(self, width: float, *, level: float = 0.95, most: int = MOST) -> int | None:
        """The fewest items whose interval is no wider, or None where that is beyond ``most``."""
        return fewest(lambda n: self.interval(n, level).width <= width, most=most)

    def passing(self, bound: float, n: int, *, level: float = 0.95) -> float:
        """The probability that the lower limit of n items lies above ``bound``, large-sample."""
        from scipy.special import ndtr, ndtri, stdtrit

        if self.spread == 0.0:
            return float(self.interval(n, level).low > bound)
        tail = 0.5 + level / 2.0
        quantile = float(stdtrit(n - 1.0, tail) if self.student else ndtri(tail))
        return float(ndtr((self.value - bound) * sqrt(n) / self.spread - quantile))

    def items_above(
        self, bound: float, *, level: float = 0.95, power: float = 0.5, most: int = MOST
    ) -> int | None:
        """The fewest items whose lower limit lies above ``bound`` with probability ``power``.

        At .5 it is that of the expected table. None where no number of items does it.
        """
        if self.value <= bound:
            return None
        if power == 0.5:
            return fewest(lambda n: self.interval(n, level).low > bound, most=most)
        return fewest(lambda n: self.passing(bound, n, level=level) >= power, most=most)

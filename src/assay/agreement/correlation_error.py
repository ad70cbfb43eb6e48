"""Intervals and tests of the correlations of two raters.

References
----------
Bonett, D. G. and Wright, T. A. (2000). Psychometrika 65(1), 23-28. (Intervals of ρ and τ.)
Lin, L. I-K. (1989). Biometrics 45(1), 255-268; corrected in Biometrics 56(1), 324-325 (2000).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt, tanh

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.correlation_values import concordance_count, pair_value
from assay.agreement.pool import number_text
from assay.errors import UsageError
from assay.estimate import HypothesisTest, Interval, NoError, Uncertainty, Undefined
from assay.ratings.categories import Floats, Ints


@dataclass(frozen=True, slots=True)
class FisherZ:
    """An interval on the artanh scale, and a test of 0 by its own method."""

    value: float
    error: float
    method: str
    zero: HypothesisTest

    @property
    def standard_error(self) -> None:
        return None

    def interval(self, level: float) -> Interval | Undefined:
        from scipy.special import ndtri

        if abs(self.value) >= 1.0:
            return Undefined(
                "degenerate_error", "the raters' values lie on one line, so the error is 0"
            )
        half = float(ndtri(0.5 + level / 2.0)) * self.error
        z = float(np.arctanh(self.value))
        return Interval(level, tanh(z - half), tanh(z + half), self.method)

    def test(self, null: float) -> HypothesisTest:
        from scipy.special import ndtr

        if null == 0.0:
            return self.zero
        if abs(null) >= 1.0:
            raise UsageError(f"null: a number between -1 and 1 is needed, not {null!r}.")
        if abs(self.value) >= 1.0:
            why = Undefined("no_variance", "the error is 0")
            return HypothesisTest(self.method, null, None, None, None, None, why)
        z = float(np.arctanh(self.value) - np.arctanh(null)) / self.error
        return HypothesisTest(self.method, null, self.error, z, None, 2 * float(ndtr(-abs(z))))


def correlation_error(cells: Cells, name: str, value: float) -> Uncertainty:
    """How sure a correlation of one pair is."""
    n = float(cells.items)
    if n <= 4:
        return NoError(
            Undefined("too_few_items", f"{number_text(n)} items are too few for an error")
        )
    if name == "lin_ccc":
        return _lin_uncertainty(cells, value, n)
    error, method = {
        "spearman": (sqrt((1 + value**2 / 2) / (n - 3)), "Fisher z, Bonett-Wright (2000) error"),
        "pearson": (sqrt(1 / (n - 3)), "Fisher z"),
        "kendall_tau": (sqrt(0.437 / (n - 4)), "Fisher z, Bonett-Wright (2000) error"),
    }[name]
    zero = _tau_test(cells) if name == "kendall_tau" else _t_test(value, n)
    return FisherZ(value, error, method, zero)


def _t_test(value: float, n: float) -> HypothesisTest:
    from scipy.special import stdtr

    df = n - 2.0
    if abs(value) >= 1.0:
        why = Undefined("no_variance", "the raters' values lie on one line, so t is infinite")
        return HypothesisTest("t", 0.0, None, None, df, None, why)
    t = value * sqrt(df / (1.0 - value**2))
    return HypothesisTest("t", 0.0, None, t, df, 2.0 * float(stdtr(df, -abs(t))))


Ties = list[tuple[Fraction, int]]


def _ties(counts: Ints, denominator: int) -> Ties:
    """(size, how many groups of that size) of equal ratings."""
    sizes, times = np.unique(counts[counts > 0], return_counts=True)
    return [
        (Fraction(t, denominator), m) for t, m in zip(sizes.tolist(), times.tolist(), strict=True)
    ]


def _tau_test(cells: Cells) -> HypothesisTest:
    """The normal test of no association with Kendall's variance for ties."""
    from scipy.special import ndtr

    d = cells.denominator
    n = cells.items
    x, y = _ties(cells.rows, d), _ties(cells.columns, d)

    def spread(ties: Ties) -> Fraction:
        return sum((m * t * (t - 1) * (2 * t + 5) for t, m in ties), Fraction(0))

    def pairs(ties: Ties) -> Fraction:
        return sum((m * t * (t - 1) for t, m in ties), Fraction(0))

    def triples(ties: Ties) -> Fraction:
        return sum((m * t * (t - 1) * (t - 2) for t, m in ties), Fraction(0))

    variance = (n * (n - 1) * (2 * n + 5) - spread(x) - spread(y)) / 18
    variance += pairs(x) * pairs(y) / (2 * n * (n - 1))
    variance += triples(x) * triples(y) / (9 * n * (n - 1) * (n - 2))
    z = float(Fraction(concordance_count(cells), d * d)) / sqrt(variance)
    return HypothesisTest("z, corrected for ties", 0.0, None, z, None, 2 * float(ndtr(-abs(z))))


def _lin_uncertainty(cells: Cells, value: float, n: float) -> Uncertainty:
    r = pair_value(cells, "pearson")
    if isinstance(r, Undefined) or float(r) == 0.0 or abs(value) >= 1.0 or value == 0.0:
        return NoError(Undefined("degenerate_error", "Lin's error does not exist on these data"))
    rho = float(r)
    values: Floats = cells.categories.numbers  # type: ignore[assignment]
    share = cells.n / cells.total
    x, y = values[cells.a], values[cells.b]
    mx, my = float(share @ x), float(share @ y)
    vx, vy = float(share @ (x - mx) ** 2), float(share @ (y - my) ** 2)
    u2 = (mx - my) ** 2 / (sqrt(vx) * sqrt(vy))
    c2 = value**2
    variance = (
        (1 - rho**2) * c2 / ((1 - c2) * rho**2)
        + 2 * value**3 * (1 - value) * u2 / (rho * (1 - c2) ** 2)
        - c2**2 * u2**2 / (2 * rho**2 * (1 - c2) ** 2)
    ) / (n - 2)
    if variance <= 0:
        return NoError(Undefined("degenerate_error", "Lin's error does not exist on these data"))
    error = sqrt(variance)
    from scipy.special import ndtr

    z = float(np.arctanh(value)) / error
    zero = HypothesisTest("Fisher z", 0.0, error, z, None, 2 * float(ndtr(-abs(z))))
    return FisherZ(value, error, "Fisher z, Lin (1989, 2000) error", zero)

"""A number with its uncertainty, or the reason why there is none.

An :class:`Estimate` is what every coefficient returns. It is frozen, keeps the counts it
came from, and computes intervals and tests on demand, by a named method.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol

from assay.errors import UsageError


@dataclass(frozen=True, slots=True)
class Undefined:
    """Why a number does not exist: a stable code and a sentence with the counts."""

    code: str
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: ``level`` (0.95), ``low``, ``high`` and the method's name.

    Of resampling, ``resamples`` says how many there were and ``undefined`` in how many of them
    the value does not exist; they are left out of the interval.
    """

    level: float
    low: float
    high: float
    method: str
    resamples: int | None = None
    undefined: int = 0

    @property
    def width(self) -> float:
        """From ``low`` to ``high``."""
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """A test of one null value. ``df`` is None for a normal statistic, a pair for an F."""

    method: str
    null: float | None
    standard_error: float | None
    statistic: float | None
    df: float | tuple[float, float] | None
    p_value: float | None
    undefined: Undefined | None = None


class Uncertainty(Protocol):
    """How an estimate's error becomes an interval and a test."""

    @property
    def method(self) -> str: ...

    def interval(self, level: float) -> Interval | Undefined: ...

    def test(self, null: float) -> HypothesisTest: ...


def check_level(level: Any) -> float:
    """Return ``level`` if it is a probability strictly between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0.0 < level < 1.0:
        raise UsageError(f"level: a number between 0 and 1 is needed (0.95), not {level!r}.")
    return float(level)


@dataclass(frozen=True, slots=True)
class Symmetric:
    """value ± quantile × standard error, clipped to the coefficient's range.

    ``df`` None means the normal quantile, else Student's t. ``null_error`` is the standard
    error under the null value 0 where one is known in closed form (two-rater kappa); it is
    used for the test of 0 only, never for an interval.
    """

    value: float
    standard_error: float
    method: str
    df: float | None = None
    low: float = -1.0
    high: float = 1.0
    null_error: float | None = None
    null_method: str = ""

    def interval(self, level: float) -> Interval | Undefined:
        from scipy.special import ndtri, stdtrit

        tail = 0.5 + level / 2.0
        quantile = float(ndtri(tail) if self.df is None else stdtrit(self.df, tail))
        half = quantile * self.standard_error
        return Interval(
            level, max(self.low, self.value - half), min(self.high, self.value + half), self.method
        )

    def test(self, null: float) -> HypothesisTest:
        from scipy.special import ndtr, stdtr

        error, method = self.standard_error, self.method
        df = self.df
        if null == 0.0 and self.null_error is not None:
            error, method, df = self.null_error, self.null_method, None
        if error == 0.0:
            why = Undefined("no_variance", "the standard error of the test is 0")
            return HypothesisTest(method, null, error, None, df, None, why)
        statistic = (self.value - null) / error
        tail = float(ndtr(-abs(statistic)) if df is None else stdtr(df, -abs(statistic)))
        return HypothesisTest(method, null, error, statistic, df, 2.0 * tail)


@dataclass(frozen=True, slots=True)
class PerfectBound:
    """All items are unanimous: the error is 0 by degeneracy, so a bound is given instead.

    The lower limit is the Clopper-Pearson limit of the share of unanimous items, put in
    the place of the observed agreement with the expected agreement held. ``null_error`` is the
    error under no agreement, where it is known, for the test of 0.
    """

    items: int
    expected: float
    low: float = -1.0
    method: str = "bound: exact binomial limit of the agreement, expected agreement held"
    null_error: float | None = None
    null_method: str = ""

    @property
    def standard_error(self) -> float:
        return 0.0

    def interval(self, level: float) -> Interval | Undefined:
        share = math.pow((1.0 - level) / 2.0, 1.0 / self.items)
        low = (share - self.expected) / (1.0 - self.expected)
        return Interval(level, max(self.low, low), 1.0, self.method)

    def test(self, null: float) -> HypothesisTest:
        if null == 0.0 and self.null_error:
            from scipy.special import ndtr

            z = 1.0 / self.null_error
            p = 2.0 * float(ndtr(-z))
            return HypothesisTest(self.null_method, null, self.null_error, z, None, p)
        why = Undefined(
            "no_variance",
            f"all {self.items} items are unanimous, so the standard error is 0 "
            "and the test statistic does not exist",
        )
        return HypothesisTest(self.method, null, 0.0, None, None, None, why)


@dataclass(frozen=True, slots=True)
class NoError:
    """There is a value but no standard error; ``why`` says so."""

    why: Undefined
    method: str = "none"

    @property
    def standard_error(self) -> None:
        return None

    def interval(self, level: float) -> Interval | Undefined:  # noqa: ARG002
        return self.why

    def test(self, null: float) -> HypothesisTest:
        return HypothesisTest(self.method, null, None, None, None, None, self.why)


@dataclass(frozen=True, slots=True)
class Estimate:
    """One coefficient on one set of ratings.

    Attributes
    ----------
    name, full_name
        The stable key (``"fleiss_kappa"``) and the full name with estimator and weights.
    value
        The number, or None; then ``undefined`` says why. Exactly one of the two is None.
    exact
        The value as a fraction of integers where the data allow it, else None.
    observed, expected
        Observed and expected agreement (for alpha: 1 − disagreement, on the metric's
        scale), or None where the coefficient has no such parts.
    items, raters, ratings
        What the value was computed from, after dropping what it cannot use.
    maximum
        The largest value that the raters' marginals allow, where it is known.
    convention
        Choices made where the literature has several, in words.
    reference
        Where the definition comes from.

    Examples
    --------
    >>> import assay
    >>> kappa = assay.cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    >>> kappa.value
    0.5
    >>> kappa.exact
    Fraction(1, 2)
    >>> interval = kappa.interval(level=0.95)
    >>> round(interval.low, 4), round(interval.high, 4)
    (-0.235, 1.0)
    """

    name: str
    full_name: str
    value: float | None
    undefined: Undefined | None = None
    exact: Fraction | None = None
    observed: float | None = None
    expected: float | None = None
    uncertainty: Uncertainty | None = None
    items: int = 0
    raters: int = 0
    ratings: int = 0
    maximum: float | None = None
    convention: str = ""
    reference: str = ""
    other_tests: tuple[HypothesisTest, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError("an Estimate has either a value or a reason why there is none")

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return self.value is not None

    @property
    def standard_error(self) -> float | None:
        """The standard error behind the interval, or None."""
        return getattr(self.uncertainty, "standard_error", None)

    def interval(self, level: float = 0.95) -> Interval | None:
        """The confidence interval at ``level``, or None (see :meth:`why_no_interval`)."""
        check_level(level)
        if self.uncertainty is None:
            return None
        got = self.uncertainty.interval(level)
        return got if isinstance(got, Interval) else None

    def why_no_interval(self) -> Undefined | None:
        """The reason why :meth:`interval` gives None, or None if it does not."""
        if self.undefined is not None:
            return self.undefined
        if self.uncertainty is None:
            return Undefined("no_error", "no analytic standard error is known")
        got = self.uncertainty.interval(0.95)
        return got if isinstance(got, Undefined) else None

    def test(self, null: Any = 0.0) -> HypothesisTest:
        """The two-sided test of ``null``; undefined parts are None, with the reason."""
        if isinstance(null, bool) or not isinstance(null, (int, float)) or null != null:
            raise UsageError(f"null: a number is needed, not {null!r}.")
        if self.uncertainty is None:
            return HypothesisTest(
                "none", null, None, None, None, None, self.undefined or self.why_no_interval()
            )
        return self.uncertainty.test(null)

    @property
    def p_value(self) -> float | None:
        """The two-sided p-value against 0, or None."""
        return self.test().p_value

    @property
    def tests(self) -> tuple[HypothesisTest, ...]:
        """The test of 0 that gives :attr:`p_value`, then any others."""
        return (self.test(), *self.other_tests) if self.uncertainty else self.other_tests

    def named(self, name: str, full_name: str | None = None) -> Estimate:
        """The same estimate under another name."""
        return replace(self, name=name, full_name=full_name or self.full_name)

    def __float__(self) -> float:
        if self.value is None:
            raise TypeError(f"{self.name} is not defined: {self.undefined}")
        return self.value

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.full_name}: not defined, because {self.undefined}"
        interval = self.interval()
        tail = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
        return f"{self.full_name}: {self.value:.3f}{tail}"


def undefined(name: str, full_name: str, code: str, reason: str, **rest: object) -> Estimate:
    """An :class:`Estimate` without a value."""
    return Estimate(name, full_name, None, Undefined(code, reason), **rest)  # type: ignore[arg-type]

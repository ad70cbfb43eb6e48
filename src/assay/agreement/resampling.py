"""Bootstrap of items, of clusters of items, and of items and raters.

References
----------
Efron, B. (1987). Better bootstrap confidence intervals. JASA 82(397), 171-185. (BCa.)
Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman and Hall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.agreement.additive import WORK, Form
from assay.agreement.replicates import Replicated
from assay.errors import UsageError, one_of
from assay.estimate import NoError, Uncertainty, Undefined
from assay.ratings.categories import Floats, Ints

INTERVALS = ("analytic", "bootstrap", "bca", "jackknife")
UNITS = ("items", "items-raters")
FEWEST = 100
"""Fewer resamples than this have no quantiles worth printing."""
MOST = 1_000_000
MOST_WORK = 5e10
"""Multiplications beyond which a coefficient is not resampled: about a minute."""
TOO_LARGE = Undefined(
    "too_large",
    "so many different items and pairs of raters would take more than about a minute; choose "
    "raters, or draw fewer resamples",
)
HALF = 0.5
"""The largest share of resamples without a value that an interval is given for."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How intervals are made.

    Attributes
    ----------
    interval
        "analytic", "bootstrap" (percentile), "bca" or "jackknife".
    resamples, seed
        Of the bootstrap.
    resample
        "items", or "items-raters".
    population
        Items in the population that these were drawn from, for the finite-population correction.
    raters_sampled
        Whether the raters are a sample, too.
    """

    interval: str = "analytic"
    resamples: int = 1000
    seed: int = 0
    resample: str = "items"
    population: int | None = None
    raters_sampled: bool = False

    def __post_init__(self) -> None:
        one_of(self.interval, INTERVALS, "interval")
        one_of(self.resample, UNITS, "resample")
        whole("resamples", self.resamples, FEWEST, MOST)
        whole("seed", self.seed, 0)
        drawn = self.interval in ("bootstrap", "bca")
        if self.population is not None:
            whole("population", self.population, 1)
            if drawn:
                raise UsageError(
                    "population: the correction is for analytic and jackknife errors; a bootstrap "
                    "draws as if from an infinite population."
                )
        if self.raters_sampled and self.interval not in ("analytic", "jackknife"):
            raise UsageError(
                "raters_sampled: it adds the raters' jackknife variance to an analytic or "
                "jackknife error; for a bootstrap of both, resample='items-raters'."
            )
        if self.resample == "items-raters" and self.interval != "bootstrap":
            raise UsageError(
                "resample: 'items-raters' goes with interval='bootstrap' (percentile); for an "
                "error without resampling, raters_sampled=True."
            )

    @property
    def plain(self) -> bool:
        """Whether estimates stay as they are."""
        return self.interval == "analytic" and self.population is None and not self.raters_sampled


def whole(name: str, value: Any, least: int, most: int | None = None) -> None:
    """Raise unless a whole number in a range is given."""
    wrong = isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least
    if wrong or (most is not None and value > most):
        limits = f"of {least:,} or more" if most is None else f"from {least:,} to {most:,}"
        raise UsageError(f"{name}: a whole number {limits} is needed, not {value!r}.")


def draws(times: Ints, resamples: int, seed: int, width: int) -> Iterator[tuple[slice, Floats]]:
    """How often each unit comes in each resample, some resamples at a time.

    Yields (which resamples, shape (resamples, units)). One stream of random numbers from the
    seed, whatever the size of the steps.
    """
    n = int(times.sum())
    rng = np.random.default_rng(seed)
    # A draw of n items costs n; one of the units' numbers costs the units, at twice the price.
    by_item = n < 2 * times.size
    owner = np.repeat(np.arange(times.size), times) if by_item else np.zeros(0, np.int64)
    step = max(1, WORK // max(1, width, times.size, n if by_item else 0))
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        if by_item:
            chosen = owner[rng.integers(0, n, size=(size, n))]
            chosen += (np.arange(size) * times.size)[:, None]
            found = np.bincount(chosen.ravel(), minlength=size * times.size)
            drawn = found.reshape(size, times.size)
        else:
            drawn = rng.multinomial(n, times / n, size=size)
        yield slice(start, start + size), drawn.astype(np.float64)


def replicates(forms: dict[str, Form], resamples: int, seed: int) -> dict[str, Floats]:
    """Each form's values in the same resamples; forms over the same units share the draws."""
    out = {name: np.empty(resamples) for name in forms}
    together: dict[bytes, list[str]] = {}
    for name, form in forms.items():
        together.setdefault(form.times.tobytes(), []).append(name)
    for names in together.values():
        width = max(forms[name].width for name in names)
        for part, drawn in draws(forms[names[0]].times, resamples, seed, width):
            for name in names:
                out[name][part] = forms[name].values(drawn)
    return out


def bootstrapped(
    form: Form, values: Floats, settings: Settings, what: str, analytic: Uncertainty | None
) -> Uncertainty:
    """The interval from replicates, or why there is none."""
    known = np.sort(values[~np.isnan(values)])
    lost = values.size - known.size
    if lost > HALF * values.size:
        return NoError(
            Undefined(
                "undefined_resamples",
                f"the coefficient is not defined in {lost:,} of {values.size:,} resamples",
            )
        )
    value = form.value
    if known[-1] - known[0] < 1e-12:
        return no_width(analytic, "every resample has the same value, so an interval has no width")
    kind = "BCa" if settings.interval == "bca" else "percentile"
    method = f"bootstrap of {what}, {kind}, {values.size:,} resamples, seed {settings.seed}"
    if lost:
        method += f", {lost:,} without a value left out"
    acceleration = None
    if settings.interval == "bca":
        found = skewness(form, what)
        if isinstance(found, Undefined):
            return NoError(found)
        acceleration = found
    return Replicated(value, known, method, values.size, lost, acceleration)


def no_width(analytic: Uncertainty | None, reason: str) -> Uncertainty:
    """What stands in for an interval of no width: the exact bound, where there is one."""
    from assay.estimate import PerfectBound

    if isinstance(analytic, PerfectBound):
        return analytic
    return NoError(Undefined("degenerate_error", reason))


def skewness(form: Form, what: str) -> float | Undefined:
    """BCa's acceleration: Σ d³ / (6 (Σ d²)^1.5), d = mean − value without one unit."""
    from assay.agreement.jackknife import without_one

    found = without_one(form, what)
    if isinstance(found, Undefined):
        return found
    values, times = found
    gap = float(times @ values) / float(times.sum()) - values
    spread = float(times @ gap**2)
    return 0.0 if spread == 0.0 else float(times @ gap**3) / (6.0 * spread**1.5)

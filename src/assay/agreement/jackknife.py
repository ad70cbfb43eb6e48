"""Errors from leaving out one at a time: items, clusters of items, raters.

References
----------
Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap, chapter 11.
Gwet, K. L. (2008). Variance estimation of nominal-scale inter-rater reliability with random
selection of raters. Psychometrika 73(3), 407-430. (The raters' part of the variance.)
Satterthwaite, F. E. (1946). Biometrics Bulletin 2(6), 110-114. (Degrees of freedom of a sum.)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, sqrt

import numpy as np

from assay.agreement.additive import Form
from assay.agreement.pool import ZERO_ERROR
from assay.agreement.replicates import Both
from assay.agreement.resampling import no_width
from assay.errors import UsageError
from assay.estimate import Estimate, NoError, Symmetric, Uncertainty, Undefined
from assay.ratings.categories import Floats
from assay.ratings.model import Block, Ratings

DEGREES = re.compile(r", (t with [\w ,-]*?degrees of freedom|normal quantile)")
"""The quantile that a method names."""
FROM_ZERO = frozenset({"percent_agreement", "unanimous_agreement", "bangdiwala_b", "kendall_w"})
MOST_RATERS = 500
"""Beyond this many raters the coefficient is not computed without each of them."""


def without_one(form: Form, what: str) -> tuple[Floats, Floats] | Undefined:
    """The values without one unit, and how many such units there are."""
    used = form.times > 0
    times = form.times[used].astype(np.float64)
    values = form.without_one()[used]
    lost = np.isnan(values)
    if lost.any():
        return Undefined(
            "undefined_without_one",
            f"the coefficient is not defined without one of the {what}, for "
            f"{int(times[lost].sum()):,} of {int(times.sum()):,} of them",
        )
    return values, times


def spread(values: Floats, times: Floats) -> float:
    """(n − 1)/n Σ (θ_(i) − mean)²: the jackknife's variance."""
    n = float(times.sum())
    gap = values - float(times @ values) / n
    return float(times @ gap**2) * (n - 1.0) / n


def lowest(name: str, value: float) -> float:
    """The lower end of a coefficient's range."""
    low = 0.0 if name in FROM_ZERO else -inf if name.startswith("icc") else -1.0
    return -inf if value < low else low


def jackknifed(form: Form, estimate: Estimate, what: str, population: int | None) -> Uncertainty:
    """The jackknife over items or clusters, with Student's t."""
    found = without_one(form, what)
    if isinstance(found, Undefined):
        return NoError(found)
    value = float(estimate)
    error = sqrt(spread(*found))
    if error < ZERO_ERROR:
        return no_width(
            estimate.uncertainty, "the value is the same without any one, so the error is 0"
        )
    n = float(found[1].sum())
    method = f"jackknife over {what}, t with {n - 1:,.0f} degrees of freedom"
    plain = Symmetric(value, error, method, n - 1.0, lowest(estimate.name, value))
    return plain if population is None else finite(plain, n, population)


def finite(plain: Symmetric, items: float, population: int) -> Uncertainty:
    """The error of n items out of N: √(1 − n/N) times that of an infinite population."""
    if population < items:
        raise UsageError(
            f"population: {population:,} items cannot hold the {items:,.0f} that were rated."
        )
    if population == items:
        return NoError(
            Undefined("whole_population", f"all {population:,} items of the population were rated")
        )
    return replace(
        plain,
        standard_error=plain.standard_error * sqrt(1.0 - items / population),
        method=f"{plain.method}, corrected for a population of {population:,} items",
    )


@dataclass(frozen=True, slots=True)
class RaterSpread:
    """The raters' part of a variance: (r − 1)/r Σ (κ_(−g) − mean)²."""

    variance: float
    raters: int


def over_raters(
    name: str, ratings: Ratings, compute: Callable[[Ratings], Estimate]
) -> RaterSpread | Undefined:
    """How the coefficient moves when one rater is left out."""
    r = len(ratings.raters)
    if not r:
        return Undefined(
            "no_rater_variance", "it is not known who gave which rating, so no rater is left out"
        )
    if r < 3:
        return Undefined(
            "no_rater_variance",
            f"with {r} raters nobody can be left out: agreement needs two, so the raters' part of "
            "the variance needs three or more",
        )
    if r > MOST_RATERS:
        return Undefined(
            "no_rater_variance",
            f"leaving out each of {r:,} raters is done for at most {MOST_RATERS:,}",
        )
    values = []
    for g, rater in enumerate(ratings.raters):
        found = compute(without_rater(ratings, g))
        if found.value is None:
            return Undefined(
                "no_rater_variance", f"without '{rater}' {name} is not defined: {found.undefined}"
            )
        values.append(found.value)
    x = np.array(values)
    return RaterSpread(spread(x, np.ones(r)), r)


def without_rater(ratings: Ratings, rater: int) -> Ratings:
    """The ratings of all raters but one; the labels stay."""
    blocks = []
    for block in ratings.blocks:
        if block.raters is None:
            labels = np.delete(block.labels, rater, axis=0)
            blocks.append(Block(labels, None, block.items, block.weights))
            continue
        labels = np.where(block.raters == rater, -1, block.labels).astype(block.labels.dtype)
        who = np.where(labels < 0, -1, block.raters)
        # Raters above the one that is gone move down by one.
        who = np.where(who > rater, who - 1, who).astype(block.raters.dtype)
        blocks.append(Block(labels, who, block.items, block.weights))
    names = tuple(n for g, n in enumerate(ratings.raters) if g != rater)
    # Nobody declared the labels that only this rater used, but they were on offer.
    return replace(ratings, blocks=tuple(blocks), raters=names)


def with_raters(plain: Symmetric, found: RaterSpread) -> Symmetric:
    """The items' variance and the raters', added; Satterthwaite's degrees of freedom."""
    items = plain.standard_error**2
    df_items = inf if plain.df is None else plain.df
    total = items + found.variance
    parts = items**2 / df_items + found.variance**2 / (found.raters - 1.0)
    df = total**2 / parts if parts > 0 else df_items
    return replace(
        plain,
        standard_error=sqrt(total),
        df=None if df == inf else df,
        method=f"{DEGREES.sub('', plain.method)}; raters as a sample, too: their jackknife "
        f"variance added (Gwet 2008), t with {df:.1f} degrees of freedom",
        null_error=None,
        null_method="",
    )


def moved(uncertainty: Uncertainty | None) -> Symmetric | None:
    """The symmetric error in an uncertainty, which corrections change, or None."""
    inner = uncertainty.spread if isinstance(uncertainty, Both) else uncertainty
    return inner if isinstance(inner, Symmetric) else None

"""Fleiss' kappa, with the four estimators in use where items differ in the number of ratings.

References
----------
Fleiss, J. L. (1971). Psychological Bulletin 76(5), 378-382.
Fleiss, J. L., Nee, J. C. M. and Landis, J. R. (1979). Psychological Bulletin 86(5), 974-977.
Fleiss, J. L. and Cuzick, J. (1979). Applied Psychological Measurement 3(4), 537-542.
Fleiss, J. L. (1981). Statistical Methods for Rates and Proportions, 2nd ed. Wiley.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any, Unpack

import numpy as np

from assay.agreement.inputs import Data, Options, pool_of
from assay.agreement.pool import (
    SINGLE_ITEM,
    Number,
    Pool,
    Shares,
    error_or_reason,
    exact_or_none,
    no_pairs,
    one_label,
    ratio,
)
from assay.errors import UsageError, one_of
from assay.estimate import (
    Estimate,
    HypothesisTest,
    NoError,
    PerfectBound,
    Uncertainty,
)
from assay.ratings.categories import Floats

REFERENCE = "Fleiss (1971), Psychological Bulletin 76(5), 378-382"

ESTIMATORS = {
    "gwet": "agreement over items with two ratings or more, shares as the mean of items' shares",
    "pooled": "agreement over items with two ratings or more, shares pooled over their ratings",
    "pair-weighted": "agreeing pairs over all pairs, shares pooled over ratings",
    "fleiss1981": "Fleiss (1981), as Stata prints it for a varying number of raters",
}
DELTA = "delta method over items, t with items - 1 degrees of freedom"


def fleiss_kappa(
    data: Data = None,
    other: Data = None,
    *,
    estimator: str = "gwet",
    weights: Any = "identity",
    **options: Unpack[Options],
) -> Estimate:
    """Fleiss' kappa for any number of interchangeable raters.

    Parameters
    ----------
    data, other
        Ratings, counts or a table; or two parallel sequences of labels.
    estimator
        Which formula where the number of ratings varies between items; all four coincide
        where it does not. ``"gwet"``: shares are the mean of the items' shares, over items
        with a rating. ``"pooled"``: shares pooled over the ratings of items with two or more.
        ``"pair-weighted"``: agreeing pairs over all pairs. ``"fleiss1981"``: the form that
        Stata prints (unweighted only).
    weights
        See :func:`assay.agreement.weights.make_weights`.
    **options
        ``counts=``, ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Returns
    -------
    Estimate
        Where all items have the same number of ratings and no weights are used, ``tests`` also
        holds the Fleiss-Nee-Landis (1979) test of 0.

    Raises
    ------
    UsageError
        If the estimator is unknown or does not take weights.

    Examples
    --------
    >>> import assay
    >>> fleiss_kappa(assay.Counts([[1, 1, 1], [3, 0, 0]])).exact
    Fraction(0, 1)
    """
    return fleiss(pool_of(data, other, weights=weights, **options), estimator)


def fleiss(pool: Pool, estimator: str = "gwet") -> Estimate:
    """Fleiss' kappa of a pool."""
    one_of(estimator, ESTIMATORS, "estimator")
    name = "fleiss_kappa"
    full = f"Fleiss' kappa ({estimator} estimator), {pool.weights.describe()}"
    rest = {"convention": ESTIMATORS[estimator], "reference": REFERENCE, **pool.counted()}
    missing = no_pairs(pool, name, full, REFERENCE)
    if missing:
        return missing
    if estimator == "fleiss1981":
        return _fleiss1981(pool, name, full, rest)
    shares = pool.mean_shares if estimator == "gwet" else pool.pooled_shares
    observed = pool.observed_by_pairs if estimator == "pair-weighted" else pool.observed
    expected = shares.expected(pool.weights)
    if shares.used <= 1 or expected == 1:
        return Estimate(
            name, full, None, one_label(pool), observed=float(observed), expected=1.0,
            **rest,  # type: ignore[arg-type]
        )  # fmt: skip
    value = ratio(observed, expected)
    number, pe = float(value), float(expected)
    by_label = shares.floats if pool.weights.identity else pool.weights.matrix @ shares.floats
    uncertainty: Uncertainty
    if estimator == "gwet":
        contributions = pool.contributions(number, pe, pool.item_mean(by_label))
        uncertainty = pool.uncertainty(number, pe, contributions)
    else:
        uncertainty = _delta(pool, estimator, number, float(observed), pe, by_label)
    return Estimate(
        name,
        full,
        number,
        exact=exact_or_none(value),
        observed=float(observed),
        expected=pe,
        uncertainty=uncertainty,
        other_tests=null_tests(pool, number, shares),
        **rest,  # type: ignore[arg-type]
    )


def _delta(
    pool: Pool, estimator: str, value: float, observed: float, expected: float, by_label: Floats
) -> Uncertainty:
    """The delta-method error of the estimators with pooled shares, over items with ≥ 2."""
    p, two = pool.patterns, pool.patterns.sizes >= 2
    r = p.sizes.astype(np.float64)
    n = float(pool.n2)
    weight = p.weight * two
    mean_size = float((weight * r).sum()) / n
    if estimator == "pair-weighted":
        pairs = r * (r - 1.0)
        mean_pairs = float((weight * pairs).sum()) / n
        d_observed = (pool.item_observed - observed) * pairs / mean_pairs
    else:
        d_observed = pool.item_observed - observed
    d_expected = 2.0 * (pool.item_mean(by_label) - expected) * r / mean_size
    influence = (d_observed - (1.0 - value) * d_expected) / (1.0 - expected)
    return _from_influence(pool, value, expected, weight, influence, n)


def _from_influence(
    pool: Pool, value: float, expected: float, weight: Floats, influence: Floats, n: float
) -> Uncertainty:
    if n <= 1:
        return NoError(SINGLE_ITEM)
    if pool.unanimous:
        return PerfectBound(max(1, int(n)), expected)
    error = sqrt(float((weight * influence**2).sum()) / (n * (n - 1.0)))
    return error_or_reason(value, error, DELTA, df=n - 1.0)


def _fleiss1981(pool: Pool, name: str, full: str, rest: dict[str, object]) -> Estimate:
    """1 − [Σ_j Σ_i x_ij (n_i − x_ij) / n_i] / [N (n̄ − 1) Σ_j p_j q_j]."""
    if not pool.weights.identity:
        raise UsageError("estimator: 'fleiss1981' is defined without weights only.")
    sizes = {r: s for r, s in pool.sizes.items() if r >= 2}
    items = sum(s.items for s in sizes.values())
    ratings = sum(r * s.items for r, s in sizes.items())
    differing = sum(
        (Fraction(r * int(s.ratings.sum()) - int(s.squares.sum()), r) for r, s in sizes.items()),
        Fraction(0),
    )
    mean_size = Fraction(ratings, items)
    shares = pool.pooled_shares
    spread = 1 - Fraction(shares.expected(pool.weights))
    if shares.used <= 1:
        return Estimate(name, full, None, one_label(pool), observed=1.0, expected=1.0, **rest)  # type: ignore[arg-type]
    scale = (mean_size - 1) * spread
    mean_differing = differing / items
    value = 1 - mean_differing / scale
    number = float(value)
    p = pool.patterns
    two = p.sizes >= 2
    r = p.sizes.astype(np.float64)
    u = (r * r - p.sum(p.counts * p.counts)) / r
    shares_f = shares.floats
    mean_u, mean_r, q = float(mean_differing), float(mean_size), float(spread)
    d_scale = (r - mean_r) * q + (mean_r - 1.0) * -2.0 * r * (
        pool.item_mean(shares_f) - (1.0 - q)
    ) / mean_r
    influence = -(u - mean_u) / float(scale) + mean_u / float(scale) ** 2 * d_scale
    return Estimate(
        name,
        full,
        number,
        exact=value,
        observed=float(1 - mean_differing / (mean_size - 1)),
        expected=float(1 - spread),
        uncertainty=_from_influence(
            pool, number, float(1 - spread), p.weight * two, influence, float(pool.n2)
        ),
        other_tests=null_tests(pool, number, shares, varying=True),
        **rest,  # type: ignore[arg-type]
    )


def null_error_1979(items: Number, raters: int, shares: Shares) -> float | None:
    """Fleiss, Nee and Landis: the standard error under no agreement, equal rater counts."""
    d = shares.denominator
    spread = Fraction(sum(t * (d - t) for t in shares.numerators), d * d)
    skew = Fraction(sum(t * (d - t) * (d - 2 * t) for t in shares.numerators), d**3)
    if spread == 0:
        return None
    variance = (spread * spread - skew) / (spread * spread)
    return sqrt(2.0 * float(variance) / (float(items) * raters * (raters - 1)))


def null_tests(
    pool: Pool, value: float, shares: Shares, *, varying: bool = False
) -> tuple[HypothesisTest, ...]:
    """Large-sample tests of kappa = 0 under no agreement.

    ``varying``: whether the value is that of Fleiss (1981), for which an error is known where
    items differ in the number of ratings.
    """
    if not pool.weights.identity:
        return ()
    sizes = {r: s for r, s in pool.sizes.items() if r >= 2}
    if len(pool.sizes) == 1:
        error = null_error_1979(pool.n, next(iter(sizes)), shares)
        method = "Fleiss-Nee-Landis (1979), z"
    elif varying and pool.q == 2 and len(sizes) == len(pool.sizes):
        error = _null_error_cuzick(pool, shares)
        method = "Fleiss-Cuzick (1979), z"
    else:
        return ()
    return (z_test(method, value, error),) if error else ()


def _null_error_cuzick(pool: Pool, shares: Shares) -> float:
    """Two labels, a varying number of raters."""
    n = float(pool.n)
    mean = float(pool.ratings) / n
    harmonic = n / sum(s.items / pool.patterns.denominator / r for r, s in pool.sizes.items())
    p = shares.floats
    pq = float(p[0] * p[1])
    inner = 2.0 * (harmonic - 1.0) + (mean - harmonic) * (1.0 - 4.0 * pq) / (mean * pq)
    return sqrt(inner) / ((mean - 1.0) * sqrt(n * harmonic))


def z_test(method: str, value: float, error: float) -> HypothesisTest:
    """A two-sided normal test of 0."""
    from scipy.special import ndtr

    z = value / error
    return HypothesisTest(method, 0.0, error, z, None, 2.0 * float(ndtr(-abs(z))))

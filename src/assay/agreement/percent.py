"""Percent agreement: how often two ratings of one item are equal, or close under weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from assay.agreement.inputs import Data, Options, pool_of
from assay.agreement.pool import Pool, exact_or_none, no_pairs
from assay.agreement.weights import Weights
from assay.estimate import Estimate

REFERENCE = "Gwet (2021), Handbook of Inter-Rater Reliability, 5th ed., chapter 4"


def percent_agreement(
    data: Data = None, other: Data = None, *, weights: Any = "identity", **options: Unpack[Options]
) -> Estimate:
    """The mean over items of the share of agreeing pairs of ratings.

    Items with fewer than two ratings have no pairs and are left out.

    Parameters
    ----------
    data, other
        Ratings, counts or a table; or two parallel sequences of labels.
    weights
        See :func:`assay.agreement.weights.make_weights`.
    **options
        ``counts=``, ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Returns
    -------
    Estimate
        Between 0 and 1; ``expected`` is None, for nothing is taken off for chance.

    Examples
    --------
    >>> percent_agreement(["a", "a", "b"], ["a", "b", "b"]).exact
    Fraction(2, 3)
    """
    return percent(pool_of(data, other, weights=weights, **options))


def percent(pool: Pool) -> Estimate:
    """Percent agreement of a pool."""
    name = "percent_agreement"
    full = "Percent agreement, mean over items of agreeing pairs" + _suffix(pool.weights)
    missing = no_pairs(pool, name, full, REFERENCE)
    if missing:
        return missing
    observed = pool.observed
    value = float(observed)
    share = float(pool.n / pool.n2) * pool.item_observed
    return Estimate(
        name,
        full,
        value,
        exact=exact_or_none(observed),
        observed=value,
        uncertainty=pool.uncertainty(value, 0.0, share, low=0.0),
        reference=REFERENCE,
        **pool.compared(),  # type: ignore[arg-type]
    )


def unanimous_agreement(
    data: Data = None, other: Data = None, **options: Unpack[Options]
) -> Estimate:
    """The share of items, among those with two ratings or more, whose ratings are all equal.

    Examples
    --------
    >>> unanimous_agreement([["a", "a", "a"], ["a", "b", "a"]]).value
    0.5
    """
    return unanimous(pool_of(data, other, **options))


def unanimous(pool: Pool) -> Estimate:
    """Unanimous agreement of a pool."""
    name, full = "unanimous_agreement", "Unanimous agreement, share of items with one label"
    missing = no_pairs(pool, name, full, REFERENCE)
    if missing:
        return missing
    p = pool.patterns
    lengths = np.diff(p.starts, append=p.labels.size)
    same = (lengths == 1) & (p.sizes >= 2)
    agreed = Fraction(int(p.multiplicity[same].sum()), p.denominator)
    exact = agreed / pool.n2
    value = float(exact)
    contributions = float(pool.n / pool.n2) * same.astype(np.float64)
    return Estimate(
        name,
        full,
        value,
        exact=exact,
        observed=value,
        uncertainty=pool.uncertainty(value, 0.0, contributions, low=0.0),
        reference=REFERENCE,
        **pool.compared(),  # type: ignore[arg-type]
    )


def _suffix(weights: Weights) -> str:
    return "" if weights.identity else f", {weights.describe()}"

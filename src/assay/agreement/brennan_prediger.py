"""Brennan-Prediger: agreement corrected as if all categories were equally likely by chance.

Also known as Bennett's S, Randolph's free-marginal kappa and, for two labels, PABAK.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from assay.agreement.inputs import Data, Options, pool_of
from assay.agreement.pool import Number, Pool, exact_or_none, no_pairs, one_label, plural, ratio
from assay.estimate import Estimate

REFERENCE = "Brennan and Prediger (1981), Educational and Psychological Measurement 41(3), 687-699"


def brennan_prediger(
    data: Data = None, other: Data = None, *, weights: Any = "identity", **options: Unpack[Options]
) -> Estimate:
    """Brennan-Prediger's coefficient: p_e = ΣW / q² over the q categories.

    The categories are the declared ones, else those seen in any rating; q is in the full name,
    since the value depends on it.

    Parameters
    ----------
    data, other
        Ratings, counts or a table; or two parallel sequences of labels.
    weights
        See :func:`assay.agreement.weights.make_weights`.
    **options
        ``counts=``, ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Examples
    --------
    >>> a, b = ["x", "x", "y", "y"], ["x", "x", "y", "x"]
    >>> brennan_prediger(a, b).value
    0.5
    >>> brennan_prediger(a, b, categories=["x", "y", "z"]).exact
    Fraction(5, 8)
    """
    return brennan(pool_of(data, other, weights=weights, **options))


def brennan(pool: Pool) -> Estimate:
    """Brennan-Prediger of a pool."""
    name = "brennan_prediger"
    q = pool.q
    full = f"Brennan-Prediger (Bennett's S), {q} categories, {pool.weights.describe()}"
    missing = no_pairs(pool, name, full, REFERENCE)
    if missing:
        return missing
    observed = pool.observed
    expected = flat_expected(pool)
    if q == 1 or expected == 1:
        why = one_label(pool)
        return Estimate(
            name, full, None, why, observed=float(observed), expected=float(expected),
            reference=REFERENCE, convention=_categories(pool), **pool.counted(),  # type: ignore[arg-type]
        )  # fmt: skip
    value = ratio(observed, expected)
    number, pe = float(value), float(expected)
    contributions = pool.contributions(number, pe, np.full(len(pool.patterns), pe))
    return Estimate(
        name,
        full,
        number,
        exact=exact_or_none(value),
        observed=float(observed),
        expected=pe,
        uncertainty=pool.uncertainty(number, pe, contributions),
        convention=_categories(pool),
        reference=REFERENCE,
        **pool.counted(),  # type: ignore[arg-type]
    )


def flat_expected(pool: Pool) -> Number:
    """ΣW / q²."""
    return weight_total(pool) / (pool.q * pool.q)


def weight_total(pool: Pool) -> Number:
    """ΣW over all pairs of categories."""
    if pool.weights.identity:
        return Fraction(pool.q)
    if pool.weights.exact is None:
        return float(pool.weights.matrix.sum())
    return sum((w for row in pool.weights.exact for w in row), Fraction(0))


def _categories(pool: Pool) -> str:
    kind = "declared" if pool.categories.declared else "seen in the ratings"
    return f"{plural(pool.q, 'category').replace('categorys', 'categories')}, as {kind}"

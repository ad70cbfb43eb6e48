"""Gwet's AC1 (unweighted) and AC2 (weighted)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Unpack

from assay.agreement.brennan_prediger import _categories, weight_total
from assay.agreement.inputs import Data, Options, pool_of
from assay.agreement.pool import Number, Pool, exact_or_none, no_pairs, one_label, ratio
from assay.estimate import Estimate

REFERENCE = "Gwet (2008), British Journal of Mathematical and Statistical Psychology 61(1), 29-48"


def gwet_ac(
    data: Data = None, other: Data = None, *, weights: Any = "identity", **options: Unpack[Options]
) -> Estimate:
    """Gwet's AC1, or AC2 with weights.

    p_e = ΣW / (q(q − 1)) · Σ_j π_j (1 − π_j): chance agreement falls as labels get skewed, which
    is why AC1 stays high where kappa collapses.

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
    >>> import assay
    >>> round(gwet_ac(assay.Table([[80, 10], [5, 5]])).value, 4)
    0.808
    """
    return gwet(pool_of(data, other, weights=weights, **options))


def gwet(pool: Pool) -> Estimate:
    """AC1 or AC2 of a pool."""
    name, q = "gwet_ac", pool.q
    which = "AC1" if pool.weights.identity else f"AC2, {pool.weights.describe()}"
    full = f"Gwet's {which}, {q} categories"
    missing = no_pairs(pool, name, full, REFERENCE)
    if missing:
        return missing
    observed = pool.observed
    if q == 1:
        return Estimate(
            name, full, None, one_label(pool), observed=float(observed),
            reference=REFERENCE, convention=_categories(pool), **pool.counted(),  # type: ignore[arg-type]
        )  # fmt: skip
    factor = weight_total(pool) / (q * (q - 1))
    shares = pool.mean_shares
    total = shares.denominator
    spread = Fraction(sum(t * (total - t) for t in shares.numerators), total * total)
    expected: Number = factor * spread
    if expected == 1:
        return Estimate(
            name, full, None, one_label(pool), observed=float(observed), expected=1.0,
            reference=REFERENCE, convention=_categories(pool), **pool.counted(),  # type: ignore[arg-type]
        )  # fmt: skip
    value = ratio(observed, expected)
    number, pe = float(value), float(expected)
    item_expected = float(factor) * pool.item_mean(1.0 - shares.floats)
    contributions = pool.contributions(number, pe, item_expected)
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

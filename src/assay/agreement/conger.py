"""Conger's kappa: Cohen's kappa for any number of identified raters, exact form.

p_e is the mean over ordered pairs of different raters of P_g′ W P_h, with P_g the label shares
of rater g over the items that g rated; with two raters and no missing ratings it is Cohen's.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, Unpack

import numpy as np

from assay.agreement.inputs import Data, Options, need_raters, reduced
from assay.agreement.pool import (
    LINEARISED,
    SINGLE_ITEM,
    Number,
    Pool,
    error_or_reason,
    exact_or_none,
    no_pairs,
    one_label,
    ratio,
)
from assay.agreement.weights import make_weights
from assay.errors import DesignError
from assay.estimate import Estimate, NoError, PerfectBound, Uncertainty, Undefined
from assay.ratings.categories import Codes, Floats
from assay.ratings.crowd import ROWS_NOT_KEPT
from assay.ratings.reductions import Reduced

REFERENCE = (
    "Conger (1980), Psychological Bulletin 88(2), 322-328; missing ratings as in Gwet (2021)"
)
EXACT_CELLS = 20_000


def conger_kappa(
    data: Data = None, other: Data = None, *, weights: Any = "identity", **options: Unpack[Options]
) -> Estimate:
    """Conger's kappa of two raters or more, with missing ratings.

    Parameters
    ----------
    data, other
        Ratings with a rater for each, or a table; or two parallel sequences.
    weights
        See :func:`assay.agreement.weights.make_weights`.
    **options
        ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Raises
    ------
    DesignError
        If it is not known who gave which rating.

    Examples
    --------
    >>> conger_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"]).exact
    Fraction(1, 2)
    """
    made = reduced(data, other, **options)
    need_raters(made, "conger_kappa")
    w = make_weights(weights, made.categories)
    return conger(made, Pool(made.patterns, w, made.categories))


def conger(made: Reduced, pool: Pool) -> Estimate:
    """Conger's kappa from a pool and the raters' marginals."""
    name = "conger_kappa"
    full = f"Conger's kappa (exact multi-rater Cohen), {pool.weights.describe()}"
    missing = no_pairs(pool, name, full, REFERENCE)
    if missing:
        return missing
    counts = made.rater_counts
    counts = counts[counts.sum(axis=1) > 0]
    if len(counts) < 2:
        raise DesignError("conger_kappa needs two raters or more.")
    rest: dict[str, Any] = {
        **pool.counted(),
        "raters": len(counts),
        "reference": REFERENCE,
        "convention": "each rater's marginals over all items that rater rated",
    }
    observed, expected = pool.observed, _expected(counts, pool)
    if expected == 1 or np.count_nonzero(counts.sum(axis=0)) <= 1:
        why = one_label(pool)
        return Estimate(name, full, None, why, observed=float(observed), expected=1.0, **rest)
    value = ratio(observed, expected)
    number, pe = float(value), float(expected)
    return Estimate(
        name,
        full,
        number,
        exact=exact_or_none(value),
        observed=float(observed),
        expected=pe,
        uncertainty=_uncertainty(made, pool, number, pe),
        **rest,
    )


def _expected(counts: Any, pool: Pool) -> Number:
    raters = len(counts)
    weights = pool.weights
    if counts.size > EXACT_CELLS or (not weights.identity and weights.integers is None):
        shares = counts / counts.sum(axis=1, keepdims=True)
        total = shares.sum(axis=0)
        if weights.identity:
            both = float(total @ total - (shares * shares).sum())
        else:
            w = weights.matrix
            both = float(total @ w @ total - ((shares @ w) * shares).sum())
        return both / (raters * (raters - 1))
    rows = counts.tolist()
    totals = [sum(row) for row in rows]
    common = lcm(*totals)
    scaled = [[c * (common // t) for c in row] for row, t in zip(rows, totals, strict=True)]
    whole = [sum(column) for column in zip(*scaled, strict=True)]
    vectors = [(whole, 1), *((row, -1) for row in scaled)]
    if weights.identity:
        both = sum(sign * sum(v * v for v in x) for x, sign in vectors)
        return Fraction(both, common * common * raters * (raters - 1))
    w_int, scale = weights.integers or ([], 1)
    both = sum(
        sign
        * sum(
            a * sum(w * b for w, b in zip(row, x, strict=True) if b)
            for a, row in zip(x, w_int, strict=True)
            if a
        )
        for x, sign in vectors
    )
    return Fraction(both, common * common * scale * raters * (raters - 1))


def _uncertainty(made: Reduced, pool: Pool, value: float, expected: float) -> Uncertainty:
    if pool.n <= 1:
        return NoError(SINGLE_ITEM)
    if pool.unanimous:
        return PerfectBound(max(1, int(pool.n2)), expected)
    if made.crowd is not None:
        return NoError(Undefined("rows_not_kept", ROWS_NOT_KEPT))
    counts = made.rater_counts / made.denominator
    given = counts.sum(axis=1, keepdims=True)
    raters = int((given > 0).sum())
    shares = np.divide(counts, given, out=np.zeros_like(counts), where=given > 0)
    others = shares.sum(axis=0) - shares
    if not pool.weights.identity:
        others = others @ pool.weights.matrix
    n = float(pool.n)
    # Shape (raters, q + 1): how a rating of label k by rater g moves p_e; 0 for no rating.
    move = np.zeros((len(counts), counts.shape[1] + 1))
    move[:, :-1] = others - (shares * others).sum(axis=1, keepdims=True)
    move *= np.divide(n, given, out=np.zeros_like(given), where=given > 0)
    move /= raters * (raters - 1)
    total = 0.0
    for block in made.blocks:
        there = block.labels >= 0
        sizes = there.sum(axis=0)
        who = np.arange(len(there))[:, None] if block.raters is None else block.raters
        item_expected = expected + move[who, block.labels].sum(axis=0)
        pairs = np.maximum(sizes * (sizes - 1), 1)
        item_observed = agreeing_pairs(block.labels, pool) / pairs
        first = float(pool.n / pool.n2) * (sizes >= 2) * (item_observed - expected)
        item = (first - 2.0 * (1.0 - value) * (item_expected - expected)) / (1.0 - expected)
        times = np.ones(block.n) if block.weights is None else block.weights / made.denominator
        total += float((times * (sizes > 0) * (item - value) ** 2).sum())
    error = float(np.sqrt(total / (n * (n - 1.0))))
    return error_or_reason(value, error, LINEARISED, df=n - 1.0)


def agreeing_pairs(labels: Codes, pool: Pool) -> Floats:
    """Shape (items,): the (weighted) agreeing ordered pairs of ratings of each item."""
    slots, n = labels.shape
    out = np.zeros(n)
    if pool.q <= slots:
        counts = np.stack([(labels == k).sum(axis=0) for k in range(pool.q)]).astype(np.float64)
        together = counts if pool.weights.identity else pool.weights.matrix @ counts
        return np.asarray((counts * together).sum(axis=0) - counts.sum(axis=0))
    for s in range(slots):
        for t in range(s + 1, slots):
            a, b = labels[s], labels[t]
            both = (a >= 0) & (b >= 0)
            if pool.weights.identity:
                out += 2.0 * (both & (a == b))
            else:
                out += 2.0 * both * pool.weights.matrix[a, b]
    return out

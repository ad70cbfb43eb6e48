"""Krippendorff's alpha: 1 − observed / expected disagreement, for any metric and missing ratings.

Only values in items with two ratings or more are pairable; the rest are left out. With n
pairable values, D_o = (1/n) Σ_i Σ_pairs δ² / (r_i − 1) and D_e = Σ_jl n_j n_l δ² / (n(n − 1)).

References
----------
Krippendorff, K. (2018). Content Analysis, 4th ed. SAGE, chapter 12.
Gwet, K. L. (2021). Handbook of Inter-Rater Reliability, 5th ed. (The linearised error.)
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any, Unpack

from assay.agreement.disagreement import Disagreement
from assay.agreement.inputs import Data, Options, reduced
from assay.agreement.metrics import make_metric
from assay.agreement.pool import (
    SINGLE_ITEM,
    Number,
    count_of,
    error_or_reason,
    number_text,
    plural,
)
from assay.agreement.weights import Distance
from assay.errors import UsageError
from assay.estimate import Estimate, NoError, PerfectBound, Uncertainty, Undefined, undefined
from assay.ratings.model import Ratings
from assay.ratings.reductions import Reduced

REFERENCE = "Krippendorff (2018), Content Analysis, 4th ed., chapter 12"
METHOD = (
    "linearised on the agreement without small-sample term, t with all items - 1 degrees of freedom"
)


def krippendorff_alpha(
    data: Data = None,
    other: Data = None,
    *,
    metric: str | Distance | None = None,
    weights: Any = None,
    period: float | None = None,
    **options: Unpack[Options],
) -> Estimate:
    """Krippendorff's alpha.

    Parameters
    ----------
    data, other
        Ratings, counts or a table; or two parallel sequences of labels.
    metric
        ``"nominal"``, ``"ordinal"`` (Krippendorff's own, from the data), ``"interval"``,
        ``"ratio"`` (δ = (a − b) / (a + b), 0 for two zeros), ``"circular"``, or a function of
        two labels that gives δ², their squared distance. The scale of the ratings when
        omitted, else nominal.
    weights
        Similarities in place of a metric: δ² = 1 − w. See
        :func:`assay.agreement.weights.make_weights`.
    period
        The length of a circular scale; the range of the labels plus 1 when omitted.
    **options
        ``counts=``, ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Returns
    -------
    Estimate
        ``observed`` and ``expected`` are 1 − disagreement for metrics bounded by 1, else None.

    Raises
    ------
    LabelError
        If the metric needs numbers or an order that the labels do not have.

    Examples
    --------
    >>> rows = [[1, 1], [2, 2], [3, 3], [3, 4]]
    >>> krippendorff_alpha(rows, metric="interval").exact
    Fraction(8, 9)
    >>> krippendorff_alpha(rows, metric="nominal").exact
    Fraction(16, 23)
    """
    if metric is not None and weights is not None:
        raise UsageError("metric and weights: alpha takes one of the two.")
    made = reduced(data, other, **options)
    if metric is None and weights is None:
        ratings = made.ratings
        metric = (ratings.scale if isinstance(ratings, Ratings) else None) or "nominal"
        if period is None and isinstance(ratings, Ratings):
            period = ratings.period
    return alpha(made, make_metric(made, metric, weights=weights, period=period))


def alpha(made: Reduced, metric: Disagreement) -> Estimate:
    """Alpha from reductions and a metric."""
    name = "krippendorff_alpha"
    full = f"Krippendorff's alpha, {metric.describe()}"
    items, n = metric.items, metric.values
    rest: dict[str, Any] = {
        "items": count_of(items),
        "raters": len(made.raters) or max(made.sizes, default=0),
        "ratings": count_of(n),
        "reference": REFERENCE,
        "convention": "items with two ratings or more",
    }
    if not made.sizes:
        return undefined(name, full, "no_ratings", "there are no ratings", **rest)
    if not items:
        total = plural(made.items(), "item")
        return undefined(
            name, full, "no_shared_items", f"none of the {total} has two ratings or more", **rest
        )
    if n <= 1:
        reason = (
            f"{plural(items, 'item')} hold {plural(n, 'pairable rating')}, and expected "
            "disagreement is over n(n - 1) pairs, which needs more than one"
        )
        return undefined(name, full, "too_few_ratings", reason, **rest)
    if metric.labels_used <= 1:
        why = Undefined(
            "one_label_used",
            f"all {number_text(n)} pairable ratings are '{metric.only_label}': expected "
            "disagreement is 0, and 1 - Do / De is 0 / 0",
        )
        return Estimate(name, full, None, why, **rest)
    observed, expected = metric.observed, metric.expected
    if expected == 0:
        why = Undefined(
            "no_variance",
            f"all {number_text(n)} pairable ratings are at distance 0 of each other: expected "
            "disagreement is 0, and 1 - Do / De is 0 / 0",
        )
        return Estimate(name, full, None, why, **rest)
    value: Number = 1 - observed / expected
    number = float(value)
    bounded = metric.bound
    return Estimate(
        name,
        full,
        number,
        exact=value if isinstance(value, Fraction) else None,
        observed=None if bounded is None else 1.0 - float(observed) / bounded,
        expected=None if bounded is None else 1.0 - float(expected) / bounded,
        uncertainty=_uncertainty(made, metric, number),
        **rest,
    )


def _uncertainty(made: Reduced, metric: Disagreement, value: float) -> Uncertainty:
    items = float(metric.items)
    if items <= 1:
        return NoError(SINGLE_ITEM)
    if metric.observed == 0:
        bounded = metric.bound
        expected = 0.0 if bounded is None else 1.0 - float(metric.expected) / bounded
        return PerfectBound(max(1, int(items)), expected)
    influence, weight = metric.influence()
    error = sqrt(float((weight * influence**2).sum()) / (items * (items - 1.0)))
    df = float(made.items()) - 1.0
    return error_or_reason(value, error, METHOD, df=df)

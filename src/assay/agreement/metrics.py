"""Metrics of disagreement δ² between labels, by name.

Three kinds serve all metrics. Nominal needs only counts of equal labels. Interval, ordinal
(interval on mid-ranks of the pairable values) and circular (interval on the unit circle) need
per-item moments, so their cost does not depend on how many different values there are. Ratio,
weights and functions need the q × q matrix of distances.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from assay.agreement.disagreement import Disagreement, Nominal
from assay.agreement.moments import Moments
from assay.agreement.pairwise import Pairwise
from assay.agreement.weights import (
    EXACT_LABELS,
    MAX_LABELS,
    Distance,
    Weights,
    check_order,
    make_weights,
    turns,
)
from assay.errors import LabelError, UsageError, one_of
from assay.ratings.categories import Categories, Floats
from assay.ratings.reductions import Reduced

METRICS = ("nominal", "ordinal", "interval", "ratio", "circular")


def make_metric(
    made: Reduced,
    metric: str | Distance | None,
    *,
    weights: Any = None,
    period: float | None = None,
) -> Disagreement:
    """The disagreement of the ratings under a metric, or under weights in its place."""
    categories = made.categories
    if weights is not None and metric is None:
        return _from_weights(made, make_weights(weights, categories, period=period))
    if callable(metric):
        return _from_function(made, metric)
    one_of(metric, METRICS, "metric")
    if metric == "nominal":
        return Nominal(made)
    if metric == "ordinal":
        check_order(categories, "ordinal results")
        totals = made.item_sums.totals
        double = 2 * np.cumsum(totals) - totals  # twice the mid-rank less a constant
        return Moments(made, "ordinal", [double.astype(np.float64)], double, Fraction(1))
    values = categories.positions if metric == "circular" else categories.numbers
    if metric == "circular" and not categories.numeric:
        check_order(categories, "circular results")
    if values is None and not len(categories):
        values = np.zeros(0)
    if values is None:
        texts = ", ".join(categories.texts[:6])
        raise LabelError(
            f"the {metric} metric needs labels that are numbers, and these are texts ({texts}); "
            "use the nominal metric, or the ordinal one with an order."
        )
    if metric == "interval":
        if categories.scaled is None:
            return Moments(made, "interval", [values], None, Fraction(1))
        whole, denominator = categories.scaled
        return Moments(made, "interval", [values], whole, Fraction(1, denominator))
    if metric == "circular":
        turn = 2.0 * np.pi * turns(values, period)
        found = Moments(
            made, "circular", [np.cos(turn) / 2.0, np.sin(turn) / 2.0], None, Fraction(1)
        )
        length = float(np.ptp(values)) + 1.0 if period is None and values.size else period or 1.0
        found.detail = f", period {length:g}" + (" (the range + 1)" if period is None else "")
        return found
    return _ratio(made, categories, values)


def _ratio(made: Reduced, categories: Categories, values: Floats) -> Disagreement:
    if (values < 0).any():
        worst = categories.texts[int(np.argmin(values))]
        raise LabelError(f"the ratio metric needs labels of 0 and above, and {worst} was found.")
    _limit(len(values), "ratio")
    exact_values = categories.exact_positions if len(values) <= EXACT_LABELS else None
    exact = None
    if exact_values is not None:
        exact = [
            [((a - b) / (a + b)) ** 2 if a != b else Fraction(0) for b in exact_values]
            for a in exact_values
        ]
    total = values[:, None] + values[None, :]
    gap = values[:, None] - values[None, :]
    matrix = np.divide(gap, total, out=np.zeros_like(gap), where=total != 0) ** 2
    return Pairwise(made, "ratio", matrix, exact)


def _limit(q: int, name: str) -> None:
    if q > MAX_LABELS:
        raise UsageError(
            f"the {name} metric compares every two of the {q} different labels; at most "
            f"{MAX_LABELS} are taken. The interval metric has no such limit.",
            code="too_many_labels",
        )


def _from_weights(made: Reduced, weights: Weights) -> Disagreement:
    if weights.identity:
        return Nominal(made)
    exact = None
    if weights.exact is not None:
        exact = [[1 - w for w in row] for row in weights.exact]
    return Pairwise(made, weights.describe(), 1.0 - weights.matrix, exact)


def _from_function(made: Reduced, distance: Distance) -> Disagreement:
    categories = made.categories
    q = len(categories)
    _limit(q, "function")
    found = [[distance(categories[i], categories[j]) for j in range(q)] for i in range(q)]
    try:
        matrix = np.array(found, dtype=np.float64).reshape(q, q)
    except (TypeError, ValueError):
        raise UsageError(
            f"metric: the function gives {found[0][0]!r} for ({categories.texts[0]}, "
            f"{categories.texts[0]}); a distance is a number, 0 for equal labels."
        ) from None
    bad = ~np.isfinite(matrix) | (matrix < 0) | (matrix != matrix.T)
    bad |= np.eye(q, dtype=bool) & (matrix != 0)
    if bad.any():
        i, j = np.argwhere(bad)[0]
        raise UsageError(
            f"metric: the function gives {matrix[i, j]:g} for ({categories.texts[i]}, "
            f"{categories.texts[j]}) and {matrix[j, i]:g} the other way; a distance is symmetric, "
            "not negative, and 0 for equal labels."
        )
    name = getattr(distance, "__name__", "custom")
    return Pairwise(made, name, matrix, None, float(matrix.max(initial=0.0)) or None)

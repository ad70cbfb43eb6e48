"""Raters, intra-rater agreement and metrics as plain values."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.estimate import Interval, Undefined
from assay.evaluation.intra import again
from assay.evaluation.metric import LevelValue, Scored, correlations, scored
from assay.evaluation.raters import RaterUse, rater_use
from assay.evaluation.systems import MeanOf
from assay.evaluation.table import Dimension, SystemRatings
from assay.report.agreement import agree
from assay.report.summary import coefficient_dict

SHOWN_LABELS = 50
SELF = ("percent_agreement", "krippendorff_alpha", "cohen_kappa", "gwet_ac", "icc_a_1", "pearson")
"""Coefficients that are given for a rater's two ratings of the same output, where they suit."""


def limits(got: Interval | Undefined) -> dict[str, Any] | None:
    """An interval as plain values, or None."""
    if isinstance(got, Undefined):
        return None
    return {"level": got.level, "low": got.low, "high": got.high, "method": got.method}


def reason(got: object) -> dict[str, str] | None:
    """A reason as plain values, or None where there is a value."""
    return {"code": got.code, "reason": got.reason} if isinstance(got, Undefined) else None


def rater_rows(made: Dimension, level: float) -> list[dict[str, Any]]:
    """Every rater of a dimension."""
    return [_rater(made, one, level) for one in rater_use(made)]


def _rater(made: Dimension, one: RaterUse, level: float) -> dict[str, Any]:
    r = one.correlation
    interval = one.severity.interval(level)
    return {
        "dimension": made.name,
        "rater": made.rater_names[one.rater],
        "ratings": one.ratings,
        "mean": one.mean,
        "standard_deviation": one.standard_deviation,
        "severity": one.severity.value,
        "severity_outputs": one.severity.n,
        "interval": limits(interval),
        "no_interval": reason(interval),
        "share_low": one.share_low,
        "share_high": one.share_high,
        "points_used": one.points,
        "correlation": None if isinstance(r, Undefined) else r,
        "correlation_interval": limits(one.correlation_interval(level)),
        "no_correlation": reason(r),
        "outputs_shared": one.shared,
        "constant": one.constant,
        "reversed": one.reversed,
        "distribution": _distribution(made, one),
    }


def _distribution(made: Dimension, one: RaterUse) -> dict[str, int] | None:
    """How often each label was given: None of many numbers, of many names only those given."""
    many = len(made.categories) > SHOWN_LABELS
    if many and made.points is not None:
        return None
    counts = zip(made.categories.texts, one.counts.tolist(), strict=True)
    return {label: count for label, count in counts if count or not many}


def intra_rater(made: Dimension, level: float) -> list[dict[str, Any]]:
    """How far raters agree with themselves on one dimension; empty without repeats."""
    got = again(made)
    if got is None:
        return []
    report = agree(got.ratings, level=level)
    who, where = np.unique(got.raters, return_inverse=True)
    where = where.reshape(-1)
    count, equal = np.bincount(where), np.bincount(where, got.equal)
    apart = None if got.apart is None else np.bincount(where, got.apart)
    return [
        {
            "dimension": made.name,
            "pairs": len(got.raters),
            "repeats": 0 if made.repeats is None else made.repeats.n,
            "coefficients": [
                coefficient_dict(report[name], level)
                for name in SELF
                if report[name].undefined is None or report[name].undefined.code != "not_applicable"  # type: ignore[union-attr]
            ],
            "by_rater": [
                {
                    "rater": made.rater_names[int(rater)],
                    "pairs": int(count[k]),
                    "equal": int(equal[k]),
                    "mean_distance": None if apart is None else float(apart[k] / count[k]),
                }
                for k, rater in enumerate(who)
            ],
        }
    ]


def metric_rows(
    ratings: SystemRatings, level: float
) -> tuple[list[dict[str, Any]], dict[tuple[str, str], Scored | None]]:
    """Correlations of every metric with people on every dimension, and what they are of."""
    rows: list[dict[str, Any]] = []
    found: dict[tuple[str, str], Scored | None] = {}
    for name in ratings.metrics:
        for made in ratings.dimensions:
            data = found[name, made.name] = scored(made, name)
            if data is not None:
                rows += [_metric(name, made.name, one, level) for one in correlations(data)]
    return rows, found


def _metric(metric: str, dimension: str, one: LevelValue, level: float) -> dict[str, Any]:
    row: dict[str, Any] = {
        "metric": metric,
        "dimension": dimension,
        "level": one.level,
        "coefficient": one.name,
        "used": one.used,
        "left_out": one.left_out,
    }
    if one.estimate is not None:
        interval = one.estimate.interval(level) if one.estimate.value is not None else None
        return row | {
            "value": one.estimate.value,
            "interval": None if interval is None else limits(interval),
            "p_value": one.estimate.p_value if one.estimate.value is not None else None,
            "undefined": reason(one.estimate.undefined),
        }
    mean = one.mean or MeanOf(None)
    return row | {
        "value": mean.value,
        "interval": limits(mean.interval(level)),
        "p_value": None,
        "undefined": reason(mean.undefined),
    }

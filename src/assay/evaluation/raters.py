"""How each rater used the scale: severity, spread, ends, and agreement with the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt, tanh

import numpy as np

from assay.corrections import corrected
from assay.estimate import Interval, Undefined
from assay.evaluation.systems import MeanOf, mean_of
from assay.evaluation.table import Dimension
from assay.evaluation.unit import unit_of
from assay.ratings.categories import Floats, Ints

FEW = 5
"""Fewer ratings say nothing of a rater's habits, or of a direction."""


@dataclass(frozen=True, slots=True, eq=False)
class RaterUse:
    """One rater on one dimension.

    Attributes
    ----------
    counts
        How often each label was given.
    mean, standard_deviation
        Of the rater's ratings (ddof 1); None where values are names.
    severity
        The mean of the rater's ratings less the mean of all ratings of the same output, over
        outputs with two ratings or more. Below 0: lower than the others.
    share_low, share_high
        How much of the ratings are the lowest and the highest point of the scale.
    points
        How many points were used.
    correlation
        Pearson's r with the mean of the others' ratings of the same outputs, or why not.
    shared
        Outputs that others rated too.
    reversed
        Whether the correlation is below 0 with p < .05, corrected by Holm over the raters.
    """

    rater: int
    ratings: int
    counts: Ints
    mean: float | None
    standard_deviation: float | None
    severity: MeanOf
    share_low: float | None
    share_high: float | None
    points: int
    correlation: float | Undefined
    shared: int
    reversed: bool = False

    @property
    def constant(self) -> bool:
        """Whether all ratings are equal, of five or more."""
        return self.ratings >= FEW and self.points == 1

    @property
    def p_value(self) -> float | None:
        """Of no correlation with the others, by t, two-sided; None for fewer than five outputs."""
        from scipy.special import stdtr

        r, n = self.correlation, self.shared
        if isinstance(r, Undefined) or n < FEW:
            return None
        if abs(r) >= 1.0:
            return 0.0
        return 2.0 * float(stdtr(n - 2, -abs(r) * sqrt((n - 2) / (1.0 - r * r))))

    def correlation_interval(self, level: float) -> Interval | Undefined:
        """Of the correlation with the others, by Fisher's z."""
        from scipy.special import ndtri

        r, n = self.correlation, self.shared
        if isinstance(r, Undefined):
            return r
        if n < FEW or abs(r) >= 1.0:
            return Undefined("too_few_items", f"{n} shared outputs are too few for an error")
        half = float(ndtri(0.5 + level / 2.0)) / sqrt(n - 3)
        z = float(np.arctanh(r))
        return Interval(level, tanh(z - half), tanh(z + half), "Fisher z")


def rater_use(made: Dimension) -> list[RaterUse]:
    """All raters of the dimension, in the order of their codes; none where they are unknown."""
    if made.raters is None:
        return []
    gap, others = _apart(made)
    order = np.argsort(made.raters, kind="stable")
    found, starts = np.unique(made.raters[order], return_index=True)
    uses = [
        _one(made, int(rater), rows, gap, others)
        for rater, rows in zip(found, np.split(order, starts[1:]), strict=True)
    ]
    # Among many raters some correlations are below 0 by chance, so p is corrected.
    adjusted = corrected([one.p_value for one in uses], "holm")
    return [
        replace(one, reversed=_below(one.correlation) and p is not None and p < 0.05)
        for one, p in zip(uses, adjusted, strict=True)
    ]


def _below(r: float | Undefined) -> bool:
    return not isinstance(r, Undefined) and r < 0.0


def _apart(made: Dimension) -> tuple[Floats, Floats]:
    """Each rating less its output's mean, and the mean of the others; NaN where it is alone."""
    values = made.values
    if values is None:
        none = np.full(made.n, np.nan)
        return none, none
    units = made.units
    count = units.counts()[units.codes].astype(np.float64)
    total = np.bincount(units.codes, values, units.size)[units.codes]
    alone = count < 2
    gap = np.where(alone, np.nan, values - total / count)
    others = np.where(alone, np.nan, (total - values) / np.maximum(count - 1.0, 1.0))
    return gap, others


def _one(made: Dimension, rater: int, rows: Ints, gap: Floats, others: Floats) -> RaterUse:
    counts = np.bincount(made.labels[rows], minlength=len(made.categories))
    values, points = made.values, made.points
    shared = rows[~np.isnan(gap[rows])]
    if values is None or points is None:
        why = Undefined("not_applicable", "the values are names without an order")
        return RaterUse(
            rater, len(rows), counts, None, None, MeanOf(None, 0, None, why), None, None,
            int(np.count_nonzero(counts)), why, len(shared),
        )  # fmt: skip
    own = values[rows]
    severity = mean_of(gap[shared], "outputs")
    if not len(shared):
        why = Undefined("no_shared_items", "nobody else rated the same outputs")
        severity = MeanOf(None, 0, None, why, "outputs")
    return RaterUse(
        rater,
        len(rows),
        counts,
        float(own.mean()),
        float(own.std(ddof=1)) if len(own) > 1 else None,
        severity,
        float(counts[int(points.argmin())] / len(rows)),
        float(counts[int(points.argmax())] / len(rows)),
        int(np.count_nonzero(counts)),
        pearson(values[shared], others[shared]),
        len(shared),
    )


def pearson(x: Floats, y: Floats) -> float | Undefined:
    """Pearson's r of two arrays, or why there is none."""
    if len(x) < 2:
        return Undefined("single_item", "fewer than two pairs of values have no correlation")
    x, y = x / unit_of(x), y / unit_of(y)
    if np.ptp(x) < 1e-12 or np.ptp(y) < 1e-12:
        return Undefined("constant_rater", "one side has the same value throughout")
    x, y = x - x.mean(), y - y.mean()
    r = float((x * y).sum()) / sqrt(float((x * x).sum()) * float((y * y).sum()))
    return max(-1.0, min(1.0, r))

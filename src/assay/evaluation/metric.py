"""Correlation of a metric, or a judge's scores, with people at three levels.

pooled
    Over all outputs: the metric's value and the mean of the people's ratings of each.
system
    Over systems: the means over a system's items of both.
item
    For each item over its systems; then the mean over items. An item on which one side is
    constant has no correlation; it is left out and counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from assay.agreement.correlation import correlation
from assay.estimate import Estimate, Undefined
from assay.evaluation.ranks import mid_ranks, tie_sizes
from assay.evaluation.raters import pearson
from assay.evaluation.systems import MeanOf, mean_of
from assay.evaluation.table import Dimension
from assay.evaluation.unit import rounded
from assay.ratings.categories import Floats, Ints
from assay.ratings.read import from_lists
from assay.ratings.reductions import Reduced

LEVELS = ("pooled", "system", "item")
NAMES = ("pearson", "spearman", "kendall_tau")


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Outputs with both a metric and ratings.

    ``varying`` counts outputs on whose rows the metric differs; its mean is taken there.
    ``without`` counts outputs without a metric.
    """

    items: Ints
    systems: Ints
    metric: Floats
    people: Floats
    varying: int
    without: int


@dataclass(frozen=True, slots=True)
class LevelValue:
    """One correlation at one level.

    ``estimate`` holds it for pooled and system; ``mean`` for item, with the number of items
    ``used`` and of those ``left_out``.
    """

    level: str
    name: str
    estimate: Estimate | None
    mean: MeanOf | None
    used: int
    left_out: int = 0


def scored(made: Dimension, name: str) -> Scored | None:
    """The metric and the people's mean of each output; None where values are names."""
    if made.values is None:
        return None
    units = made.units
    column = made.metrics[name]
    there = ~np.isnan(column)
    codes, given = units.codes[there], column[there]
    low, high = np.full(units.size, np.inf), np.full(units.size, -np.inf)
    np.minimum.at(low, codes, given)
    np.maximum.at(high, codes, given)
    count = np.bincount(codes, minlength=units.size)
    has = count > 0
    mean = np.bincount(codes, given, units.size) / np.maximum(count, 1)
    # An exact value where all rows agree: a mean would round it.
    mean = np.where(low == high, low, mean)
    people = rounded(units.means(made.values), 12)
    return Scored(
        units.items[has],
        units.systems[has],
        mean[has],
        people[has],
        int(np.count_nonzero(has & (low < high))),
        int(np.count_nonzero(~has)),
    )


def correlations(data: Scored) -> list[LevelValue]:
    """All three correlations at all three levels."""
    out = [_whole("pooled", name, data.metric, data.people) for name in NAMES]
    found, where = np.unique(data.systems, return_inverse=True)
    where = where.reshape(-1)
    count = np.maximum(np.bincount(where, minlength=len(found)), 1)
    x, y = (
        rounded(np.bincount(where, side, len(found)) / count, 12)
        for side in (data.metric, data.people)
    )
    out += [_whole("system", name, x, y) for name in NAMES]
    order = np.argsort(data.items, kind="stable")
    starts = np.unique(data.items[order], return_index=True)[1]
    groups = np.split(order, starts[1:]) if len(order) else []
    return out + [_per_item(name, groups, data) for name in NAMES]


def _whole(level: str, name: str, x: Floats, y: Floats) -> LevelValue:
    if not len(x):
        why = Undefined("no_shared_items", "no output has both a metric and a rating")
        return LevelValue(level, name, Estimate(name, name, None, why), None, 0)
    made = from_lists(x.tolist(), y.tolist(), raters=["metric", "people"])
    return LevelValue(level, name, correlation(Reduced.of(made), name), None, len(x))


def _per_item(name: str, groups: list[Ints], data: Scored) -> LevelValue:
    values = []
    for rows in groups:
        got = SHORT[name](data.metric[rows], data.people[rows])
        if not isinstance(got, Undefined):
            values.append(got)
    left = len(groups) - len(values)
    mean = mean_of(np.array(values))
    if not values:
        why = Undefined(
            "no_variance",
            f"on none of {len(groups):,} items do both the metric and the ratings differ "
            "between systems",
        )
        mean = MeanOf(None, 0, None, why)
    return LevelValue("item", name, None, mean, len(values), left)


def spearman(x: Floats, y: Floats) -> float | Undefined:
    """Pearson's r of mid-ranks."""
    return pearson(mid_ranks(x), mid_ranks(y))


def kendall(x: Floats, y: Floats) -> float | Undefined:
    """τ-b by counting pairs: for the few systems of one item."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Undefined("constant_rater", "one side has the same value throughout")
    i, j = np.triu_indices(len(x), 1)
    total = float((np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])).sum())
    pairs = len(x) * (len(x) - 1) / 2
    left, right = (pairs - float((t * (t - 1) / 2).sum()) for t in map(tie_sizes, (x, y)))
    return total / sqrt(left * right)


SHORT: dict[str, Callable[[Floats, Floats], float | Undefined]] = {
    "pearson": pearson, "spearman": spearman, "kendall_tau": kendall,
}  # fmt: skip

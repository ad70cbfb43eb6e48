"""Forms of Krippendorff's alpha under every metric.

With n pairable values, D_o = (1/n) Σ_i r_i d_i, where d_i is the mean δ² over the pairs of item i,
and D_e = Σ_jl n_j n_l δ²_jl / (n(n − 1)).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.agreement.additive import (
    Additive,
    Form,
    Tally,
    as_dense,
    beside,
    per_row,
    quadratic,
    scaled,
    steps,
    whole,
)
from assay.agreement.disagreement import Disagreement, Nominal
from assay.agreement.moments import Moments
from assay.agreement.pairwise import Pairwise
from assay.ratings.categories import Floats, Ints

ORDINAL_LABELS = 40
"""Up to this many labels, ordinal alpha is additive: its table of coincidences is small."""
TINY = 1e-13
LARGE = 1 << 20
"""Whole numbers up to this keep sums of squares exact."""


def alpha_form(tally: Tally, times: Ints, metric: Disagreement) -> Form:
    """The form for a metric as :func:`~assay.agreement.metrics.make_metric` makes it."""
    if isinstance(metric, Nominal):
        return ByMatrix(tally, times, None)
    if isinstance(metric, Pairwise):
        return ByMatrix(tally, times, metric.matrix)
    if isinstance(metric, Moments) and metric.name != "ordinal":
        return ByMoments(tally, times, metric)
    if tally.q <= ORDINAL_LABELS:
        return Coincidences(tally, times)
    return ByRanks(tally, times)


class ByMatrix(Additive):
    """Nominal (None), or any matrix of distances. Features: values, disagreement, labels."""

    def __init__(self, tally: Tally, times: Ints, matrix: Floats | None) -> None:
        self.matrix = matrix
        two = tally.two
        self.scale = 1
        if matrix is None:
            self.scale = tally.common("pairs")
            apart = tally.sizes**2 - quadratic(tally.counts, None)
        else:
            apart = quadratic(tally.counts, matrix)
        within = whole(tally.sizes * tally.per_pair(apart), self.scale)
        features = beside(two * tally.sizes, two * within, scaled(tally.counts, two))
        super().__init__(times * (two > 0), features)

    def of(self, totals: Floats) -> Floats:
        n, counts = totals[:, 0], totals[:, 2:]
        observed = totals[:, 1] / self.scale / n
        if self.matrix is None:
            expected = n * n - (counts * counts).sum(axis=1)
            defined = (counts > 0).sum(axis=1) > 1
        else:
            expected = ((counts @ self.matrix) * counts).sum(axis=1)
            there = (counts > 0).astype(np.float64)
            far = ((there @ (self.matrix > 0).astype(np.float64)) * there).sum(axis=1)
            defined = far > 0
        value = 1.0 - observed * n * (n - 1.0) / expected
        return np.where(defined & (n > 1), value, np.nan)


class ByMoments(Additive):
    """Interval and circular. Features: values, disagreement, Σ x and Σ x² of each coordinate."""

    def __init__(self, tally: Tally, times: Ints, metric: Moments) -> None:
        two = tally.two
        columns, within = [two * tally.sizes], np.zeros_like(two)
        self.scale, spread = 1, 0.0
        coordinates = metric.centred
        exact = metric.categories.scaled if metric.name == "interval" else None
        if exact is not None and np.ptp(exact[0]) * tally.sizes.max(initial=1.0) < LARGE:
            # Whole numbers near 0: alpha does not depend on their unit.
            far = exact[0] - int(np.rint(np.median(exact[0])))
            coordinates, self.scale = [far.astype(np.float64)], tally.common("pairs")
        for x in coordinates:
            first, second = per_row(tally.counts, x), per_row(tally.counts, x * x)
            apart = np.maximum(2.0 * (tally.sizes * second - first * first), 0.0)
            within += tally.sizes * tally.per_pair(apart)
            columns += [two * first, two * second]
            spread = max(spread, float(np.abs(x).max(initial=0.0)) ** 2)
        self.least = TINY * spread
        within = whole(two * within, self.scale)
        super().__init__(times * (two > 0), beside(columns[0], within, *columns[1:]))

    def of(self, totals: Floats) -> Floats:
        n = totals[:, 0]
        expected = np.zeros(len(totals))
        for first, second in zip(totals[:, 2::2].T, totals[:, 3::2].T, strict=True):
            expected += 2.0 * (n * second - first * first) / (n * (n - 1.0))
        value = 1.0 - totals[:, 1] / self.scale / n / expected
        return np.where((n > 1) & (expected > self.least), value, np.nan)


class Coincidences(Additive):
    """Ordinal: distances are made anew from the labels of each draw.

    Features: ratings of each label, then Σ_i r_ij r_il / (pairs a rating) for each j < l.
    """

    def __init__(self, tally: Tally, times: Ints) -> None:
        two = tally.two
        q = tally.q
        self.j, self.l = np.triu_indices(q, 1)
        counts = as_dense(tally.counts)
        self.scale = tally.common("pairs")
        share = tally.sizes * tally.per_pair(np.ones_like(two))
        both = whole(2.0 * counts[:, self.j] * counts[:, self.l] * share[:, None], self.scale)
        super().__init__(times * (two > 0), beside(counts * two[:, None], both))

    @property
    def width(self) -> int:
        return max(int(self.times.size), 8 * int(self.features.shape[1]))

    def of(self, totals: Floats) -> Floats:
        q = totals.shape[1] - self.j.size
        counts, both = totals[:, :q], totals[:, q:]
        ranks = np.cumsum(counts, axis=1) - counts / 2.0
        far = (ranks[:, self.j] - ranks[:, self.l]) ** 2
        n = counts.sum(axis=1)
        observed = (both * far).sum(axis=1) / self.scale / n
        expected = 2.0 * (counts[:, self.j] * counts[:, self.l] * far).sum(axis=1)
        value = 1.0 - observed * n * (n - 1.0) / expected
        return np.where((n > 1) & ((counts > 0).sum(axis=1) > 1), value, np.nan)


class ByRanks(Form):
    """Ordinal with many labels: each draw's ranks, then each unit's spread of ranks."""

    def __init__(self, tally: Tally, times: Ints) -> None:
        self.counts: Any = tally.counts
        self.sizes = tally.sizes
        self.share = tally.sizes * tally.per_pair(np.ones_like(tally.sizes))
        self.times = times * (tally.pairs > 0)

    @property
    def width(self) -> int:
        return 4 * int(max(self.counts.shape))

    def values(self, drawn: Floats) -> Floats:
        out = np.empty(len(drawn))
        for part in steps(len(drawn), self.width):
            out[part] = self._values(drawn[part] * (self.times > 0))
        return out

    def _values(self, drawn: Floats) -> Floats:
        counts = np.asarray(drawn @ self.counts)
        n = counts.sum(axis=1, keepdims=True)
        ranks = np.cumsum(counts, axis=1) - counts / 2.0 - n / 2.0  # mean 0 over the values
        first = np.asarray((self.counts @ ranks.T).T)
        second = np.asarray((self.counts @ (ranks * ranks).T).T)
        within = 2.0 * (self.sizes * second - first * first) * self.share
        n = n[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = (drawn * within).sum(axis=1) / n
            expected = 2.0 * n * (counts * ranks * ranks).sum(axis=1)
            value = 1.0 - observed * n * (n - 1.0) / expected
        return np.where((n > 1) & ((counts > 0).sum(axis=1) > 1), value, np.nan)

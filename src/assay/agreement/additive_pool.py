"""Forms of the coefficients for interchangeable raters, but Krippendorff's alpha."""

from __future__ import annotations

import numpy as np

from assay.agreement.additive import (
    Additive,
    Tally,
    beside,
    beyond,
    chance,
    differ,
    scaled,
    whole,
)
from assay.agreement.weights import Weights
from assay.ratings.categories import Floats, Ints

TINY = 1e-12


class Agreeing(Additive):
    """Percent agreement, unanimous agreement and Brennan-Prediger: agreement, and no shares.

    ``flat`` is the expected agreement, which no draw changes.
    """

    def __init__(
        self,
        tally: Tally,
        times: Ints,
        weights: Weights,
        *,
        flat: float = 0.0,
        all_equal: bool = False,
    ) -> None:
        two = tally.two
        self.flat = flat
        if all_equal:
            most = tally.counts.max(axis=1)
            most = np.asarray(most.toarray() if hasattr(most, "toarray") else most).ravel()
            share = two * (most == tally.sizes)
            self.scale = 1
        else:
            self.scale = tally.common("pairs", weights)
            share = whole(tally.shared(weights), self.scale)
        super().__init__(times * (two > 0), beside(two, share))

    def of(self, totals: Floats) -> Floats:
        n2, agreeing = totals[:, 0], totals[:, 1]
        observed = agreeing / self.scale / n2
        defined = (n2 > 0) & (abs(1.0 - self.flat) > TINY)
        return beyond(observed, np.full(len(totals), self.flat), defined)


class MeanShares(Additive):
    """Fleiss' kappa (Gwet's estimator), Scott's pi and Gwet's AC: the mean of items' shares.

    Features: items, items with a pair, their agreement, label shares.
    """

    def __init__(
        self,
        tally: Tally,
        times: Ints,
        weights: Weights,
        *,
        paired: bool = False,
        ac: float | None = None,
    ) -> None:
        used = (tally.pairs > 0) if paired else (tally.sizes > 0)
        self.weights, self.ac = weights, ac
        self.pair_scale = tally.common("pairs", weights)
        self.scale = tally.common("ratings")
        features = beside(
            used.astype(np.float64),
            tally.two,
            whole(tally.shared(weights), self.pair_scale),
            whole(scaled(tally.means(), used.astype(np.float64)), self.scale),
        )
        super().__init__(times * used, features)

    def of(self, totals: Floats) -> Floats:
        n, n2 = totals[:, 0], totals[:, 1]
        observed = totals[:, 2] / self.pair_scale / n2
        shares = totals[:, 3:] / self.scale / n[:, None]
        if self.ac is not None:
            expected = self.ac * (shares * (1.0 - shares)).sum(axis=1)
            return beyond(observed, expected, (n2 > 0) & (np.abs(1.0 - expected) > TINY))
        defined = (n2 > 0) & differ(totals[:, 3:], self.weights)
        return beyond(observed, chance(shares, self.weights), defined)


class PooledShares(Additive):
    """Fleiss' kappa with shares over all ratings of the items with two or more.

    Features: pairs or items, agreement summed over them, ratings of each label.
    """

    def __init__(self, tally: Tally, times: Ints, weights: Weights, *, by_pairs: bool) -> None:
        self.weights = weights
        two = tally.two
        share = tally.shared(weights)
        self.scale = 1 if by_pairs else tally.common("pairs", weights)
        if by_pairs:
            first, second = tally.pairs, share * tally.pairs
            if weights.identity and tally.plain:
                second = np.rint(second)
        else:
            first, second = two, whole(share, self.scale)
        super().__init__(times * (two > 0), beside(first, second, scaled(tally.counts, two)))

    def of(self, totals: Floats) -> Floats:
        observed = totals[:, 1] / self.scale / totals[:, 0]
        counts = totals[:, 2:]
        shares = counts / counts.sum(axis=1, keepdims=True)
        defined = (totals[:, 0] > 0) & differ(counts, self.weights)
        return beyond(observed, chance(shares, self.weights), defined)


class Fleiss1981(Additive):
    """1 − Σ (n_i − 1)(1 − P_i) / [N (n̄ − 1) Σ p q], as Stata prints it.

    Features: items, ratings, disagreement, ratings of each label.
    """

    def __init__(self, tally: Tally, times: Ints, weights: Weights) -> None:
        two = tally.two
        self.scale = tally.common("ratings")
        apart = two * (tally.sizes - 1.0) * (1.0 - tally.shared(weights))
        features = beside(
            two, two * tally.sizes, whole(apart, self.scale), scaled(tally.counts, two)
        )
        super().__init__(times * (two > 0), features)

    def of(self, totals: Floats) -> Floats:
        n, ratings = totals[:, 0], totals[:, 1]
        counts = totals[:, 3:]
        shares = counts / counts.sum(axis=1, keepdims=True)
        spread = 1.0 - (shares * shares).sum(axis=1)
        value = 1.0 - totals[:, 2] / self.scale / n / ((ratings / n - 1.0) * spread)
        return np.where((n > 0) & ((counts > 0).sum(axis=1) > 1), value, np.nan)

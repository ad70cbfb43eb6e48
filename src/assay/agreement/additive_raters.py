"""Forms of the coefficients for identified raters: Cohen, Light, Conger, Bangdiwala, ICC.

Units are rows: shape (units, raters), label codes with −1 where there is no rating.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from assay.agreement.additive import (
    SPARSE,
    Additive,
    Form,
    Tally,
    beside,
    beyond,
    by_rater,
    onehot,
    whole,
)
from assay.agreement.weights import Weights
from assay.ratings.categories import Floats, Ints

TINY = 1e-12
KEPT = 1_000_000
"""Pairs times units up to which each pair's form is kept."""
KEPT_SHARED = 4_000_000
"""The same for units that pairs share, where those are few."""


def weights_of(x: Any, y: Any, weights: Weights) -> tuple[Floats, int]:
    """Shape (units,): the weight of two labels, and by what it is multiplied to be whole."""
    if weights.identity:
        return (x == y).astype(np.float64), 1
    found = weights.matrix[x, y]
    scale = weights.integers[1] if weights.integers is not None else 1
    scale = scale if scale <= 1 << 20 else 1
    return np.asarray(whole(found, scale)), scale


class Cohen(Additive):
    """Cohen's kappa of two columns. Features: agreement, the labels of each rater."""

    def __init__(self, x: Any, y: Any, times: Ints, weights: Weights, q: int) -> None:
        both = (x >= 0) & (y >= 0)
        a, b = np.where(both, x, -1), np.where(both, y, -1)
        same, self.scale = weights_of(a, b, weights)
        self.weights, self.q = weights, q
        features = beside(both * same, onehot(a, q), onehot(b, q))
        super().__init__(times * both, features)

    def of(self, totals: Floats) -> Floats:
        rows, columns = totals[:, 1 : 1 + self.q], totals[:, 1 + self.q :]
        n = rows.sum(axis=1)
        if self.weights.identity:
            expected = (rows * columns).sum(axis=1) / n / n
            apart = np.maximum((rows > 0).sum(axis=1), (columns > 0).sum(axis=1)) > 1
            # Two constant raters with different labels: nothing is expected, nothing agrees.
            apart |= expected == 0
        else:
            w = self.weights.matrix
            expected = ((rows @ w) * columns).sum(axis=1) / n / n
            far = (w < 1.0).astype(np.float64)
            apart = (((rows > 0) @ far) * (columns > 0)).sum(axis=1) > 0
        return beyond(totals[:, 0] / self.scale / n, expected, (n > 0) & apart)


class Bangdiwala(Additive):
    """Σ n_kk² / Σ n_k. n_.k. Features: the diagonal, the labels of each rater."""

    def __init__(self, x: Any, y: Any, times: Ints, q: int) -> None:
        both = (x >= 0) & (y >= 0)
        a, b = np.where(both, x, -1), np.where(both, y, -1)
        self.q = q
        features = beside(onehot(np.where(a == b, a, -1), q), onehot(a, q), onehot(b, q))
        super().__init__(times * both, features)

    def of(self, totals: Floats) -> Floats:
        q = self.q
        area = (totals[:, q : 2 * q] * totals[:, 2 * q :]).sum(axis=1)
        return np.where(area > 0, (totals[:, :q] ** 2).sum(axis=1) / area, np.nan)


class MeanOverPairs(Form):
    """The mean of one form a pair of raters; undefined where one of them is.

    Where most raters rated few of many units, a pair's form is over the units that it shares.
    The forms of many pairs are made when they are needed, one after the other.
    """

    def __init__(self, make: Callable[[Any, Any, Ints], Form], columns: Any, times: Ints) -> None:
        self.pairs = list(combinations(range(len(columns)), 2))
        self.times = times
        self._of, self._columns = make, columns
        self.shared = shared_units(columns, self.pairs)
        units = len(self.pairs) * times.size
        if self.shared is not None:
            units = sum(map(len, self.shared))
        one = self._make(0)
        few = units <= (KEPT if self.shared is None else KEPT_SHARED)
        self._kept = [self._make(k) for k in range(len(self.pairs))] if few else None
        self._width = one.width
        # A pair that shares more costs more.
        ratio = units / max(1, one.times.size)
        self._cost, self._left = one.cost * ratio, one.cost_without_one * ratio

    def _make(self, pair: int) -> Form:
        g, h = self.pairs[pair]
        if self.shared is None:
            return self._of(self._columns[g], self._columns[h], self.times)
        at = self.shared[pair]
        return self._of(self._columns[g][at], self._columns[h][at], self.times[at])

    @property
    def forms(self) -> Iterable[Form]:
        """The form of each pair."""
        if self._kept is not None:
            return self._kept
        return (self._make(k) for k in range(len(self.pairs)))

    def each(self, drawn: Floats) -> Iterator[Floats]:
        """Shape (draws,) for each pair: its form's values."""
        if self.shared is None:
            yield from (form.values(drawn) for form in self.forms)
            return
        by_unit = np.ascontiguousarray(drawn.T)
        for form, at in zip(self.forms, self.shared, strict=True):
            yield form.values(by_unit[at].T)

    @property
    def width(self) -> int:
        return max(self._width, 0 if self.shared is None else int(self.times.size))

    @property
    def cost(self) -> float:
        return self._cost

    @property
    def cost_without_one(self) -> float:
        return self._left

    def values(self, drawn: Floats) -> Floats:
        total = np.zeros(len(drawn))
        for found in self.each(drawn):
            total += found
        return total / len(self.pairs)

    def without_one(self) -> Floats:
        total = np.zeros(self.times.size)
        for k, form in enumerate(self.forms):
            # An item that the pair does not share does not move it.
            moved = np.where(form.times > 0, form.without_one(), form.value)
            if self.shared is None:
                total += moved
            else:
                total += form.value
                total[self.shared[k]] += moved - form.value
        return np.where(self.times > 0, total / len(self.pairs), np.nan)


def shared_units(columns: Any, pairs: list[tuple[int, int]]) -> list[Ints] | None:
    """The units that both raters of each pair rated; None where they are not far fewer than all."""
    there = columns >= 0
    given = there.sum(axis=0, dtype=np.int64)
    units = len(pairs) * given.size
    if units <= max(KEPT, SPARSE * int((given * (given - 1) // 2).sum())):
        return None
    return [np.flatnonzero(there[g] & there[h]) for g, h in pairs]


class Conger(Additive):
    """Conger's kappa. Features: items with a pair, their agreement, each rater's labels.

    ``drawn`` is how often each rater was drawn, where raters are resampled.
    """

    def __init__(
        self, tally: Tally, rows: Any, times: Ints, weights: Weights, drawn: Floats | None = None
    ) -> None:
        self.weights, self.q = weights, tally.q
        self.drawn = np.ones(rows.shape[1]) if drawn is None else drawn
        self.raters = rows.shape[1]
        self.scale = tally.common("pairs", weights)
        agreement = whole(tally.shared(weights), self.scale)
        features = beside(tally.two, agreement, *by_rater(rows, tally.q))
        super().__init__(times * (tally.sizes > 0), features)

    def of(self, totals: Floats) -> Floats:
        # In one order of memory, so that sums are the same however the features are kept.
        totals = np.ascontiguousarray(totals)
        counts = totals[:, 2:].reshape(len(totals), self.raters, self.q)
        given = counts.sum(axis=2, keepdims=True)
        shares = np.where(given > 0, counts / given, 0.0)
        v = np.where(given[:, :, 0] > 0, self.drawn, 0.0)
        pairs = v.sum(axis=1) ** 2 - (v * v).sum(axis=1)
        together = (v[:, :, None] * shares).sum(axis=1)
        w = None if self.weights.identity else self.weights.matrix
        mixed = together if w is None else together @ w
        own = ((shares if w is None else shares @ w) * shares).sum(axis=2)
        both = (mixed * together).sum(axis=1) - (v * v * own).sum(axis=1)
        expected = both / pairs
        used = ((v[:, :, None] > 0) * counts).sum(axis=1) > 0
        defined = (totals[:, 0] > 0) & (pairs > 0) & (used.sum(axis=1) > 1)
        defined &= 1.0 - expected > TINY
        return beyond(totals[:, 1] / self.scale / totals[:, 0], expected, defined)


class Icc(Additive):
    """One form of the ICC. Features: items, (Σ x)² and Σ x² of an item, each rater's x."""

    def __init__(self, name: str, rows: Any, times: Ints, values: Floats) -> None:
        self.name = name
        self.k = rows.shape[1]
        complete = (rows >= 0).all(axis=1) if self.k else np.zeros(len(rows), dtype=bool)
        used = times * complete
        x = values[np.where(rows >= 0, rows, 0)] * complete[:, None]
        # Near 0, so that sums of squares lose no digits to the mean.
        x = (x - np.rint((used @ x).sum() / max(1, int(used.sum()) * self.k))) * complete[:, None]
        features = beside(complete.astype(np.float64), x.sum(axis=1) ** 2, (x * x).sum(axis=1), x)
        super().__init__(used, features)

    def of(self, totals: Floats) -> Floats:
        n, k = totals[:, 0], float(self.k)
        squares, by_rater = totals[:, 2], totals[:, 3:]
        mean = by_rater.sum(axis=1) ** 2 / (n * k)
        ssr, ssc = totals[:, 1] / k - mean, (by_rater**2).sum(axis=1) / n - mean
        total = squares - mean
        nothing = TINY * squares
        ssr, ssc, sse, ssw = (
            np.where(np.abs(s) <= nothing, 0.0, s)
            for s in (ssr, ssc, total - ssr - ssc, total - ssr)
        )
        msr, msc = ssr / (n - 1.0), ssc / (k - 1.0)
        mse, msw = sse / ((n - 1.0) * (k - 1.0)), ssw / (n * (k - 1.0))
        noise = msw if self.name.startswith("icc_1") else mse
        bottom = {
            "icc_1": msr + (k - 1.0) * msw,
            "icc_1_k": msr,
            "icc_c_1": msr + (k - 1.0) * mse,
            "icc_c_k": msr,
            "icc_a_1": msr + (k - 1.0) * mse + (msc - mse) * k / n,
            "icc_a_k": msr + (msc - mse) / n,
        }[self.name]
        defined = (n > 1) & (bottom > TINY * squares / n) & ((msr > 0) | (msw > 0))
        return np.where(defined, (msr - noise) / bottom, np.nan)

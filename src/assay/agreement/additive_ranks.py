"""Forms of the correlations: of values, which are additive, and of ranks, which are not.

Ranks change with every draw. They are made from each rater's label counts in the draw, so that
a draw costs the labels and the distinct units, not the items.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.agreement.additive import PASSES, Additive, Form, beside, entries, onehot, steps
from assay.agreement.cells import Cells
from assay.agreement.correlation_values import concordance_count
from assay.ratings.categories import Categories, Floats, Ints

TINY = 1e-13
SQUARE = 4000
"""Up to this many different pairs of values, tau compares every two of them for all draws."""
TABLE = 100
"""Up to this many labels, Kendall's tau is computed for all draws at once."""


class Moments(Additive):
    """Pearson's r or Lin's concordance. Features: items, Σ x, Σ y, Σ x², Σ y², Σ xy."""

    def __init__(self, name: str, x: Any, y: Any, times: Ints, values: Floats) -> None:
        both = (x >= 0) & (y >= 0)
        used = times * both
        self.name = name
        u, v = values[x] * both, values[y] * both
        count = max(1, int(used.sum()))
        middle = [float(used @ u) / count, float(used @ v) / count]
        if name == "lin_ccc":  # where the two lie matters
            middle = [sum(middle) / 2.0] * 2
        u, v = (u - middle[0]) * both, (v - middle[1]) * both
        super().__init__(used, beside(both.astype(np.float64), u, v, u * u, v * v, u * v))

    def of(self, totals: Floats) -> Floats:
        n, sx, sy, xx, yy, xy = totals.T
        vx, vy, cov = n * xx - sx * sx, n * yy - sy * sy, n * xy - sx * sy
        if self.name == "lin_ccc":
            bottom = vx + vy + (sx - sy) ** 2
            defined = (n > 1) & (bottom > TINY * n * (xx + yy))
            return np.where(defined, 2.0 * cov / bottom, np.nan)
        defined = (n > 1) & (vx > TINY * n * xx) & (vy > TINY * n * yy)
        found = np.clip(cov / (np.sqrt(vx) * np.sqrt(vy)), -1.0, 1.0)
        return np.where(defined, found, np.nan)


class Spearman(Form):
    """The correlation of mid-ranks of two columns."""

    def __init__(self, x: Any, y: Any, times: Ints, q: int) -> None:
        both = (x >= 0) & (y >= 0)
        self.times = times * both
        self.x, self.y = np.where(both, x, 0), np.where(both, y, 0)
        self.first = onehot(np.where(both, x, -1), q)
        self.second = onehot(np.where(both, y, -1), q)
        self.both = both.astype(np.float64)

    @property
    def width(self) -> int:
        return 4 * int(max(self.first.shape))

    def values(self, drawn: Floats) -> Floats:
        out = np.empty(len(drawn))
        for part in steps(len(drawn), self.width):
            w = drawn[part] * self.both
            rows, columns = np.asarray(w @ self.first), np.asarray(w @ self.second)
            x, y = _centred_ranks(rows), _centred_ranks(columns)
            cov = (w * x[:, self.x] * y[:, self.y]).sum(axis=1)
            vx, vy = (rows * x * x).sum(axis=1), (columns * y * y).sum(axis=1)
            apart = ((rows > 0).sum(axis=1) > 1) & ((columns > 0).sum(axis=1) > 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                out[part] = np.where(apart, cov / np.sqrt(vx * vy), np.nan)
        return out


def _centred_ranks(counts: Floats) -> Floats:
    """Twice each label's mid-rank, less the mean of all."""
    n = counts.sum(axis=1, keepdims=True)
    return np.asarray(2.0 * np.cumsum(counts, axis=1) - counts - n)


class Tau(Form):
    """Kendall's tau-b of two columns."""

    def __init__(self, x: Any, y: Any, times: Ints, categories: Categories) -> None:
        self.q = q = len(categories)
        self.categories = categories
        both = (x >= 0) & (y >= 0)
        self.times = times * both
        code = x.astype(np.int64)[both] * q + y.astype(np.int64)[both]
        cells, which = np.unique(code, return_inverse=True)
        self.a, self.b = np.divmod(cells, q)
        shape = (len(x), cells.size)
        rows = np.flatnonzero(both)
        self.cells = entries(rows, which.ravel(), np.ones(code.size), shape, full=False)

    @property
    def width(self) -> int:
        return max(int(self.times.size), 6 * self.q**2 if self.q <= TABLE else int(self.a.size))

    @property
    def cost(self) -> float:
        if self.q <= TABLE:
            return PASSES * float(max(self.times.size, 4 * self.q**2))
        cells = float(self.a.size)
        return cells * cells if cells <= SQUARE else 3000.0 * cells

    def values(self, drawn: Floats) -> Floats:
        out = np.empty(len(drawn))
        for part in steps(len(drawn), self.width):
            found = np.asarray(drawn[part] @ self.cells)
            if self.q <= TABLE:
                out[part] = self._together(found)
            elif self.a.size <= SQUARE:
                out[part] = self._by_signs(found)
            else:
                out[part] = [self._alone(np.rint(row).astype(np.int64)) for row in found]
        return out

    def _together(self, found: Floats) -> Floats:
        table = np.zeros((len(found), self.q, self.q))
        table[:, self.a, self.b] = found
        above = np.cumsum(table, axis=1) - table  # smaller labels of the first rater
        left = np.cumsum(above, axis=2)
        gap = 2.0 * left - above - left[:, :, -1:]  # with smaller less with larger of the second
        difference = (table * gap).sum(axis=(1, 2))
        n = found.sum(axis=1)
        ties = [
            n * (n - 1.0) - (m * (m - 1.0)).sum(axis=1)
            for m in (table.sum(axis=2), table.sum(axis=1))
        ]
        defined = (ties[0] > 0) & (ties[1] > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(defined, 2.0 * difference / np.sqrt(ties[0] * ties[1]), np.nan)

    def _by_signs(self, found: Floats) -> Floats:
        """Every two cells: concordant 1, discordant −1, tied 0."""
        difference = np.zeros(len(found))
        for part in steps(self.a.size, self.a.size):
            sign = np.sign(self.a[:, None] - self.a[None, part]).astype(np.float64)
            sign *= np.sign(self.b[:, None] - self.b[None, part])
            difference += ((found @ sign) * found[:, part]).sum(axis=1) / 2.0
        n = found.sum(axis=1)
        ties = []
        for labels in (self.a, self.b):
            counts = np.asarray(found @ onehot(labels, self.q))
            ties.append(n * (n - 1.0) - (counts * (counts - 1.0)).sum(axis=1))
        defined = (ties[0] > 0) & (ties[1] > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(defined, 2.0 * difference / np.sqrt(ties[0] * ties[1]), np.nan)

    def _alone(self, n: Ints) -> float:
        there = n > 0
        cells = Cells(self.a[there], self.b[there], n[there], self.categories)
        pairs = [float(sum(t * (t - 1) for t in m.tolist())) for m in (cells.rows, cells.columns)]
        total = float(cells.total * (cells.total - 1))
        if total in pairs:
            return float("nan")
        bottom = np.sqrt((total - pairs[0]) * (total - pairs[1]))
        return float(2.0 * concordance_count(cells) / bottom)


class Concordance(Form):
    """Kendall's W over the rows that every rater rated."""

    def __init__(self, rows: Any, times: Ints, q: int) -> None:
        complete = (rows >= 0).all(axis=1) & (rows.shape[1] > 1)
        self.times = times * complete
        self.rows = np.where(complete[:, None], rows, 0)
        self.hot = [onehot(np.where(complete, column, -1), q) for column in rows.T]
        self.complete = complete.astype(np.float64)

    @property
    def width(self) -> int:
        return 4 * max(len(self.rows), self.hot[0].shape[1] if self.hot else 1)

    def values(self, drawn: Floats) -> Floats:
        out = np.empty(len(drawn))
        m = float(self.rows.shape[1])
        for part in steps(len(drawn), self.width):
            w = drawn[part] * self.complete
            total, ties = np.zeros_like(w), np.zeros(len(w))
            for column, hot in zip(self.rows.T, self.hot, strict=True):
                counts = np.asarray(w @ hot)
                total += _centred_ranks(counts)[:, column]
                ties += (counts**3 - counts).sum(axis=1)
            n = w.sum(axis=1)
            bottom = m * m * (n**3 - n) - m * ties
            with np.errstate(divide="ignore", invalid="ignore"):
                value = 3.0 * (w * total * total).sum(axis=1) / bottom
            out[part] = np.where((n > 1) & (bottom > 0), value, np.nan)
        return out

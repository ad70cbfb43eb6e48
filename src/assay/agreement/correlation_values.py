"""Values of Spearman's ρ, Pearson's r, Kendall's τ-b and Lin's concordance for one pair.

All come from the pair's table of counts: ranks are mid-ranks of the marginals, sums are whole
numbers where labels are decimals, and one square root is taken at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.pool import Number, number_text
from assay.errors import LabelError
from assay.estimate import Undefined
from assay.ratings.categories import Ints
from assay.ratings.sums import exact_dot

DENSE_LABELS = 1500


def pair_value(cells: Cells, name: str) -> Number | Undefined:
    """The value for one pair of raters, or why there is none."""
    if not cells.total:
        a, b = cells.raters
        return Undefined("no_shared_items", f"'{a}' and '{b}' rated no item in common")
    if cells.total <= cells.denominator:
        return Undefined("single_item", "one item has no correlation")
    return _VALUES[name](cells)


def constant(cells: Cells) -> Undefined | None:
    """The reason that a correlation does not exist: one rater's labels are all the same."""
    for name, counts in zip(cells.raters, (cells.rows, cells.columns), strict=True):
        if np.count_nonzero(counts) == 1:
            label = cells.categories.texts[int(np.argmax(counts))]
            return Undefined(
                "constant_rater",
                f"'{name}' said '{label}' on all {number_text(cells.items)} items, so there is "
                "no variation to correlate",
            )
    return None


def _mid_ranks(counts: Ints) -> Ints:
    """Twice the mid-rank of each label."""
    return np.asarray(2 * np.cumsum(counts) - counts + 1)


def _product(n: Ints, x: Ints, y: Ints) -> int:
    """Σ n x y, exact for values of any size."""
    if int(x.max()) * int(y.max()) < 1 << 62:
        return exact_dot(n, x * y)
    return sum(w * v * u for w, v, u in zip(n.tolist(), x.tolist(), y.tolist(), strict=True))


def _correlate(n: Ints, x: Any, y: Any) -> float:
    """Σ-form correlation; whole numbers stay exact until the one square root."""
    if x.dtype.kind == "i":
        total = sum(n.tolist())
        sx, sy = exact_dot(n, x), exact_dot(n, y)
        cov = total * _product(n, x, y) - sx * sy
        vx, vy = total * _product(n, x, x) - sx * sx, total * _product(n, y, y) - sy * sy
        value = sqrt(Fraction(cov * cov, vx * vy))
        return value if cov > 0 else -value
    share = n / n.sum()
    x, y = x - share @ x, y - share @ y
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    value = float(share @ (x * y)) / sqrt(float(share @ x**2) * float(share @ y**2))
    return max(-1.0, min(1.0, value))


def _spearman(cells: Cells) -> Number | Undefined:
    x, y = _mid_ranks(cells.rows)[cells.a], _mid_ranks(cells.columns)[cells.b]
    return constant(cells) or _correlate(cells.n, x, y)


def _values(cells: Cells) -> tuple[Any, Any, Fraction]:
    """Both raters' values a cell, as whole numbers over a unit where that is exact."""
    scaled = cells.categories.scaled
    if scaled is not None:
        whole, unit = scaled
        low = int(min(whole[cells.a].min(), whole[cells.b].min()))
        x, y = whole[cells.a] - low, whole[cells.b] - low
        if max(int(x.max()), int(y.max())) < 1 << 30:
            return x, y, Fraction(1, unit)
    values = cells.categories.numbers
    if values is None:
        raise LabelError("labels that are numbers are needed.")
    return values[cells.a], values[cells.b], Fraction(1)


def _pearson(cells: Cells) -> Number | Undefined:
    x, y, _ = _values(cells)
    why = constant(cells)
    if why is None and (np.ptp(x) == 0 or np.ptp(y) == 0):
        why = Undefined("no_variance", "the labels do not differ in double precision")
    return why or _correlate(cells.n, x, y)


def _tau(cells: Cells) -> Number | Undefined:
    why = constant(cells)
    if why:
        return why
    difference = concordance_count(cells)
    total = cells.total
    rows, columns = cells.rows.tolist(), cells.columns.tolist()
    pairs = total * (total - 1) // 2
    left = pairs - sum(t * (t - 1) // 2 for t in rows)
    right = pairs - sum(t * (t - 1) // 2 for t in columns)
    value = sqrt(Fraction(difference * difference, left * right))
    return value if difference > 0 else -value


def concordance_count(cells: Cells) -> int:
    """Concordant less discordant pairs of items."""
    if cells.q <= DENSE_LABELS:
        table = cells.dense()
        before = np.zeros_like(table)
        before[1:] = np.cumsum(table, axis=0)[:-1]
        below = np.cumsum(before, axis=1)
        lower = np.zeros_like(table)
        lower[:, 1:] = below[:, :-1]
        upper = below[:, -1:] - below
        gap = lower - upper
        return exact_dot(table.ravel(), gap.ravel())
    order = np.lexsort((cells.b, cells.a))
    _, rank = np.unique(cells.b[order], return_inverse=True)
    total = cells.total
    tied = sum(_pairs_within(x) for x in (cells.rows, cells.columns)) - _pairs_within(cells.n)
    return total * (total - 1) // 2 - tied - 2 * _inversions(rank.ravel(), cells.n[order])


def _pairs_within(counts: Ints) -> int:
    """Σ t (t − 1) / 2."""
    return (exact_dot(counts, counts) - int(counts.sum())) // 2


def _inversions(rank: Ints, n: Ints) -> int:
    """Σ n_i n_j over i < j with rank_i > rank_j, bit by bit of the rank.

    Two ranks differ first in some bit. Among those that agree in all higher bits, in their
    order, a 1 before a 0 is an inversion.
    """
    total = 0
    for bit in range(int(rank.max(initial=0)).bit_length()):
        group = rank >> (bit + 1)
        order = np.argsort(group, kind="stable")
        group, weight = group[order], n[order]
        one = (rank[order] >> bit) & 1
        ones = np.cumsum(weight * one)
        starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
        before = np.where(starts > 0, ones[starts - 1], 0)
        inside = ones - np.repeat(before, np.diff(starts, append=group.size))
        total += exact_dot(weight * (1 - one), inside)
    return total


def _lin(cells: Cells) -> Number | Undefined:
    x, y, _ = _values(cells)
    if x.dtype.kind == "i":
        n = cells.total
        sx, sy = exact_dot(cells.n, x), exact_dot(cells.n, y)
        cov = n * exact_dot(cells.n, x * y) - sx * sy
        vx = n * exact_dot(cells.n, x * x) - sx * sx
        vy = n * exact_dot(cells.n, y * y) - sy * sy
        bottom = vx + vy + (sx - sy) ** 2
        if bottom == 0:
            return _no_variance(cells)
        return Fraction(2 * cov, bottom)
    share = cells.n / cells.total
    mx, my = float(share @ x), float(share @ y)
    bottom_f = float(share @ (x - mx) ** 2 + share @ (y - my) ** 2) + (mx - my) ** 2
    if bottom_f == 0.0:
        return _no_variance(cells)
    return 2.0 * float(share @ ((x - mx) * (y - my))) / bottom_f


def _no_variance(cells: Cells) -> Undefined:
    label = cells.categories.texts[int(cells.a[0])]
    return Undefined("no_variance", f"both raters said '{label}' throughout")


_VALUES: dict[str, Callable[[Cells], Number | Undefined]] = {
    "spearman": _spearman,
    "pearson": _pearson,
    "kendall_tau": _tau,
    "lin_ccc": _lin,
}

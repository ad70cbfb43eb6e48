"""Spearman's ρ, Pearson's r, Kendall's τ-b and Lin's concordance of two raters.

All are computed from the pair's table of counts: ranks are mid-ranks of the marginals, sums are
whole numbers where labels are decimals, and one square root is taken at the end.

References
----------
Bonett, D. G. and Wright, T. A. (2000). Psychometrika 65(1), 23-28. (Intervals of ρ and τ.)
Lin, L. I-K. (1989). Biometrics 45(1), 255-268; corrected in Biometrics 56(1), 324-325 (2000).
Bland, J. M. and Altman, D. G. (1986). The Lancet 327(8476), 307-310.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt, tanh
from typing import Any

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.inputs import Data, need_raters, reduced
from assay.agreement.pool import Number, count_of, number_text
from assay.agreement.weights import check_order
from assay.errors import LabelError
from assay.estimate import (
    Estimate,
    HypothesisTest,
    Interval,
    NoError,
    Uncertainty,
    Undefined,
    undefined,
)
from assay.ratings.model import Categories, Floats, Ints
from assay.ratings.reductions import Reduced, exact_dot

REFERENCES = {
    "spearman": "Spearman (1904), American Journal of Psychology 15(1), 72-101",
    "pearson": "Pearson (1895), Proceedings of the Royal Society of London 58, 240-242",
    "kendall_tau": "Kendall (1945), Biometrika 33(3), 239-251",
    "lin_ccc": "Lin (1989), Biometrics 45(1), 255-268",
}
FULL = {
    "spearman": "Spearman's rho on mid-ranks",
    "pearson": "Pearson's r",
    "kendall_tau": "Kendall's tau-b",
    "lin_ccc": "Lin's concordance correlation, variances over n",
}
DENSE_LABELS = 1500


@dataclass(frozen=True, slots=True)
class FisherZ:
    """An interval on the artanh scale, and a test of 0 by its own method."""

    value: float
    error: float
    method: str
    zero: HypothesisTest

    @property
    def standard_error(self) -> None:
        return None

    def interval(self, level: float) -> Interval | Undefined:
        from scipy.special import ndtri

        if abs(self.value) >= 1.0:
            return Undefined(
                "degenerate_error", "the raters' values lie on one line, so the error is 0"
            )
        half = float(ndtri(0.5 + level / 2.0)) * self.error
        z = float(np.arctanh(self.value))
        return Interval(level, tanh(z - half), tanh(z + half), self.method)

    def test(self, null: float) -> HypothesisTest:
        from scipy.special import ndtr

        if null == 0.0:
            return self.zero
        if abs(self.value) >= 1.0:
            why = Undefined("no_variance", "the error is 0")
            return HypothesisTest(self.method, null, None, None, None, None, why)
        z = float(np.arctanh(self.value) - np.arctanh(null)) / self.error
        return HypothesisTest(self.method, null, self.error, z, None, 2 * float(ndtr(-abs(z))))


def spearman(data: Data = None, other: Data = None, **options: Any) -> Estimate:
    """Spearman's rank correlation, the mean over pairs for more than two raters.

    Parameters
    ----------
    data, other
        Two parallel sequences; or ratings with an order of labels.
    **options
        ``order=``, ``categories=``: see :func:`assay.agreement.inputs.reduced`.

    Returns
    -------
    Estimate
        For two raters with a Bonett-Wright interval; ``parts`` holds each pair otherwise.

    Raises
    ------
    LabelError
        If labels have no order.

    Examples
    --------
    >>> spearman([5, 4, 4, 4, 4], [2, 3, 3, 3, 3]).value
    -1.0
    """
    return _public("spearman", data, other, options)


def pearson(data: Data = None, other: Data = None, **options: Any) -> Estimate:
    """Pearson's correlation of numeric ratings, the mean over pairs for more than two raters.

    Examples
    --------
    >>> pearson([1, 2, 3], [2, 4, 6]).value
    1.0
    """
    return _public("pearson", data, other, options)


def kendall_tau(data: Data = None, other: Data = None, **options: Any) -> Estimate:
    """Kendall's τ-b, which takes ties into account; the mean over pairs for more raters.

    Examples
    --------
    >>> round(kendall_tau([9, 3, 2, 9, 3], [2, 5, 8, 2, 1]).value, 4)
    -0.4714
    """
    return _public("kendall_tau", data, other, options)


def lin_ccc(data: Data = None, other: Data = None, **options: Any) -> Estimate:
    """Lin's concordance: how close pairs of numeric ratings lie to the line of equality.

    Variances are over n, as Lin defined them.

    Examples
    --------
    >>> lin_ccc([1, 2, 3], [2, 3, 4]).exact
    Fraction(4, 7)
    """
    return _public("lin_ccc", data, other, options)


@dataclass(frozen=True, slots=True)
class BlandAltman:
    """Mean difference (second − first rater), its SD over n − 1, and limits at ± 1.96 SD."""

    mean: float
    sd: float
    low: float
    high: float
    items: int


def bland_altman(data: Data = None, other: Data = None, **options: Any) -> BlandAltman:
    """Limits of agreement of two raters.

    Differences are the first rater minus the second.

    Examples
    --------
    >>> limits = bland_altman([1, 2, 4], [1, 3, 2])
    >>> round(limits.mean, 4), round(limits.low, 4), round(limits.high, 4)
    (0.3333, -2.6606, 3.3273)
    """
    made = reduced(data, other, **options)
    _need_numbers(made.categories, "Bland-Altman limits")
    found = limits_of_agreement(Cells.of_two(made, "bland_altman"))
    if found is None:
        raise LabelError("Bland-Altman limits need two items that both raters rated.")
    return found


def limits_of_agreement(cells: Cells) -> BlandAltman | None:
    """Bland-Altman limits of one pair, None for fewer than two items."""
    values = cells.categories.numbers
    n = float(cells.items)
    if values is None or n < 2:
        return None
    gap, weight = values[cells.a] - values[cells.b], cells.n / cells.denominator
    mean = float((gap * weight).sum()) / n
    sd = sqrt(float((weight * (gap - mean) ** 2).sum()) / (n - 1.0))
    return BlandAltman(mean, sd, mean - 1.96 * sd, mean + 1.96 * sd, count_of(cells.items))


def _need_numbers(categories: Categories, what: str) -> None:
    if categories.numbers is None and len(categories):
        texts = ", ".join(categories.texts[:6])
        raise LabelError(f"{what} need labels that are numbers, and these are texts ({texts}).")


def _public(name: str, data: Data, other: Data, options: dict[str, Any]) -> Estimate:
    made = reduced(data, other, **options)
    need_raters(made, name)
    if name in ("spearman", "kendall_tau"):
        check_order(made.categories, "ranks")
    else:
        _need_numbers(made.categories, FULL[name])
    return correlation(made, name)


def correlation(made: Reduced, name: str) -> Estimate:
    """One of the four, for two raters or as the mean over pairs."""
    raters = len(made.raters)
    full, reference = FULL[name], REFERENCES[name]
    if raters == 2:
        return pair_correlation(Cells.of_two(made, name), name)
    full = f"{full}, mean over pairs of raters"
    wanted = raters * (raters - 1) // 2
    rest: dict[str, Any] = {
        "items": count_of(made.items()),
        "raters": raters,
        "ratings": count_of(made.n_ratings),
        "reference": reference,
        "convention": f"{wanted} pairs, each on the items that both rated",
    }
    if not made.sizes:
        return undefined(name, full, "no_ratings", "there are no ratings", **rest)
    if raters < 2 or len(made.pairs) < wanted:
        reason = f"{wanted - len(made.pairs)} of {wanted} pairs of raters share no item"
        return undefined(name, full, "no_shared_items", reason, **rest)
    found = []
    for index in range(wanted):
        cells = Cells.of_pair(made.pairs, index, made)
        one = pair_value(cells, name)
        if isinstance(one, Undefined):
            a, b = cells.raters
            reason = f"the value of '{a}' and '{b}' is not defined: {one}"
            return undefined(name, full, one.code, reason, **rest)
        found.append(float(one))
    why = Undefined("no_error", "no analytic error is known for a mean over pairs of raters")
    value = sum(found) / wanted
    return Estimate(name, full, value, uncertainty=NoError(why), **rest)


def pair_value(cells: Cells, name: str) -> Number | Undefined:
    """The value for one pair of raters, or why there is none."""
    if not cells.total:
        a, b = cells.raters
        return Undefined("no_shared_items", f"'{a}' and '{b}' rated no item in common")
    if cells.total <= cells.denominator:
        return Undefined("single_item", "one item has no correlation")
    return _VALUES[name](cells)


def pair_correlation(cells: Cells, name: str) -> Estimate:
    """The estimate for one pair of raters, with interval and test."""
    rest: dict[str, Any] = {
        "items": count_of(cells.items),
        "raters": 2,
        "ratings": count_of(2 * cells.items),
        "reference": REFERENCES[name],
        "convention": "items that both raters rated",
    }
    got = pair_value(cells, name)
    if isinstance(got, Undefined):
        return Estimate(name, FULL[name], None, got, **rest)
    value = float(got)
    exact = got if isinstance(got, Fraction) else None
    uncertainty = _uncertainty(cells, name, value)
    return Estimate(name, FULL[name], value, exact=exact, uncertainty=uncertainty, **rest)


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


def _correlate(n: Ints, x: Any, y: Any) -> float:
    """Σ-form correlation; whole numbers stay exact until the one square root."""
    if x.dtype.kind == "i":
        total = int(n.sum())
        sx, sy = exact_dot(n, x), exact_dot(n, y)
        cov = total * exact_dot(n, x * y) - sx * sy
        vx, vy = total * exact_dot(n, x * x) - sx * sx, total * exact_dot(n, y * y) - sy * sy
        value = sqrt(Fraction(cov * cov, vx * vy))
        return value if cov > 0 else -value
    share = n / n.sum()
    x, y = x - share @ x, y - share @ y
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
    return constant(cells) or _correlate(cells.n, x, y)


def _tau(cells: Cells) -> Number | Undefined:
    why = constant(cells)
    if why:
        return why
    difference = _concordance(cells)
    total = cells.total
    rows, columns = cells.rows.tolist(), cells.columns.tolist()
    pairs = total * (total - 1) // 2
    left = pairs - sum(t * (t - 1) // 2 for t in rows)
    right = pairs - sum(t * (t - 1) // 2 for t in columns)
    value = sqrt(Fraction(difference * difference, left * right))
    return value if difference > 0 else -value


def _concordance(cells: Cells) -> int:
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
    return _merge_count(cells.a[order], cells.b[order], cells.n[order])


def _merge_count(a: Ints, b: Ints, n: Ints) -> int:
    """The same by a binary indexed tree over the second rater's labels."""
    _, rank = np.unique(b, return_inverse=True)
    size = int(rank.max()) + 1
    tree = [0] * (size + 1)
    seen = total = 0
    rows = list(zip(a.tolist(), rank.tolist(), n.tolist(), strict=True))
    start = 0

    def up_to(index: int) -> int:
        out = 0
        while index > 0:
            out += tree[index]
            index &= index - 1
        return out

    while start < len(rows):
        stop = start
        while stop < len(rows) and rows[stop][0] == rows[start][0]:
            _, k, m = rows[stop]
            total += m * (up_to(k) - (seen - up_to(k + 1)))
            stop += 1
        for _, k, m in rows[start:stop]:
            seen += m
            k += 1
            while k <= size:
                tree[k] += m
                k += k & -k
        start = stop
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


def _uncertainty(cells: Cells, name: str, value: float) -> Uncertainty:
    n = float(cells.items)
    if n <= 4:
        return NoError(Undefined("single_item", f"{number_text(n)} items are too few for an error"))
    if name == "lin_ccc":
        return _lin_uncertainty(cells, value, n)
    error, method = {
        "spearman": (sqrt((1 + value**2 / 2) / (n - 3)), "Fisher z, Bonett-Wright (2000) error"),
        "pearson": (sqrt(1 / (n - 3)), "Fisher z"),
        "kendall_tau": (sqrt(0.437 / (n - 4)), "Fisher z, Bonett-Wright (2000) error"),
    }[name]
    zero = _tau_test(cells) if name == "kendall_tau" else _t_test(value, n)
    return FisherZ(value, error, method, zero)


def _t_test(value: float, n: float) -> HypothesisTest:
    from scipy.special import stdtr

    df = n - 2.0
    if abs(value) >= 1.0:
        return HypothesisTest("t", 0.0, None, None, df, 0.0)
    t = value * sqrt(df / (1.0 - value**2))
    return HypothesisTest("t", 0.0, None, t, df, 2.0 * float(stdtr(df, -abs(t))))


def _tau_test(cells: Cells) -> HypothesisTest:
    """The normal test of no association with Kendall's variance for ties."""
    from scipy.special import ndtr

    n = cells.total
    x = [t for t in cells.rows.tolist() if t > 1]
    y = [t for t in cells.columns.tolist() if t > 1]

    def spread(ties: list[int]) -> int:
        return sum(t * (t - 1) * (2 * t + 5) for t in ties)

    def pairs(ties: list[int]) -> int:
        return sum(t * (t - 1) for t in ties)

    def triples(ties: list[int]) -> int:
        return sum(t * (t - 1) * (t - 2) for t in ties)

    variance = (n * (n - 1) * (2 * n + 5) - spread(x) - spread(y)) / 18.0
    variance += pairs(x) * pairs(y) / (2.0 * n * (n - 1))
    variance += triples(x) * triples(y) / (9.0 * n * (n - 1) * (n - 2))
    z = _concordance(cells) / sqrt(variance)
    return HypothesisTest("z, corrected for ties", 0.0, None, z, None, 2 * float(ndtr(-abs(z))))


def _lin_uncertainty(cells: Cells, value: float, n: float) -> Uncertainty:
    r = pair_value(cells, "pearson")
    if isinstance(r, Undefined) or float(r) == 0.0 or abs(value) >= 1.0 or value == 0.0:
        return NoError(Undefined("degenerate_error", "Lin's error does not exist on these data"))
    rho = float(r)
    values: Floats = cells.categories.numbers  # type: ignore[assignment]
    share = cells.n / cells.total
    x, y = values[cells.a], values[cells.b]
    mx, my = float(share @ x), float(share @ y)
    vx, vy = float(share @ (x - mx) ** 2), float(share @ (y - my) ** 2)
    u2 = (mx - my) ** 2 / sqrt(vx * vy)
    c2 = value**2
    variance = (
        (1 - rho**2) * c2 / ((1 - c2) * rho**2)
        + 2 * value**3 * (1 - value) * u2 / (rho * (1 - c2) ** 2)
        - c2**2 * u2**2 / (2 * rho**2 * (1 - c2) ** 2)
    ) / (n - 2)
    if variance <= 0:
        return NoError(Undefined("degenerate_error", "Lin's error does not exist on these data"))
    error = sqrt(variance)
    from scipy.special import ndtr

    z = float(np.arctanh(value)) / error
    zero = HypothesisTest("Fisher z", 0.0, error, z, None, 2 * float(ndtr(-abs(z))))
    return FisherZ(value, error, "Fisher z, Lin (1989, 2000) error", zero)

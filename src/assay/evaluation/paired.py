"""Tests between two systems on the items that both have: one difference of means an item.

References
----------
Wilcoxon, F. (1945). Biometrics Bulletin 1(6), 80-83.
Pratt, J. W. (1959). Journal of the American Statistical Association 54(287), 655-667.
Cureton, E. E. (1967). Journal of the American Statistical Association 62(319), 1068-1069.
Fisher, R. A. (1935). The Design of Experiments. (Permutation of signs.)
Dixon, W. J. and Mood, A. M. (1946). Journal of the American Statistical Association 41(236),
557-566. (Sign test.)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from assay.errors import one_of
from assay.estimate import Undefined
from assay.evaluation.flips import drawn, feasible, two_sided, whole
from assay.evaluation.ranks import mid_ranks, tie_sizes
from assay.evaluation.unit import rounded, unit_of
from assay.ratings.categories import Floats, Ints

TIE = 1e-9
"""Sums nearer than this, in the unit of the differences, are equal: other orders of adding."""
ZEROS = ("wilcox", "pratt", "zsplit")
TESTS = ("wilcoxon", "sign", "permutation", "t")
APART = "the two systems share no item"
SMALL, FEW_TIED = 50, 13
"""Up to so many items signed ranks are exact; with ties or zeros, up to the second."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """One test of no difference: a p-value, or the reason why there is none."""

    name: str
    method: str
    items: int
    statistic: float | None = None
    p_value: float | None = None
    undefined: Undefined | None = None


def snapped(differences: Floats) -> Floats:
    """Differences with those that are equal but for the order of additions made equal.

    They are rounded to nine decimals of their own unit, whatever that is.
    """
    return rounded(differences, 9)


def paired_tests(
    differences: Floats,
    *,
    zeros: str = "wilcox",
    resamples: int = 10_000,
    seed: int = 0,
    permuted: PairedTest | None = None,
) -> dict[str, PairedTest]:
    """All four tests; p-values are two-sided.

    Parameters
    ----------
    differences
        Shape (items,): the first system's mean less the second's on each shared item.
    zeros
        What the signed-rank test does with items without a difference: "wilcox" leaves them
        out, "pratt" ranks them and then leaves them out, "zsplit" gives half to each side.
    resamples, seed
        Of the permutation test where it cannot be exact.
    permuted
        The permutation test, where :func:`permutations` made it together with others.

    Examples
    --------
    >>> got = paired_tests(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    >>> got["wilcoxon"].p_value, got["sign"].p_value, got["permutation"].p_value
    (0.0625, 0.0625, 0.0625)
    """
    one_of(zeros, ZEROS, "zeros")
    d = snapped(np.asarray(differences, dtype=np.float64))
    if not len(d):
        return {name: _apart(name) for name in TESTS}
    return {
        "wilcoxon": wilcoxon(d, zeros),
        "sign": sign_test(d),
        "permutation": permuted or permutation(d, resamples, seed),
        "t": paired_t(d),
    }


def _all_equal(name: str, method: str, n: int) -> PairedTest:
    items = f"{n:,} shared item{'' if n == 1 else 's'}"
    why = Undefined("no_variance", f"the two systems have equal means on all {items}")
    return PairedTest(name, method, n, undefined=why)


def wilcoxon(d: Floats, zeros: str = "wilcox", method: str = "auto") -> PairedTest:
    """Wilcoxon's signed-rank test.

    ``method`` "auto" is exact up to 50 items without ties and zeros, and up to 13 with them;
    beyond, the normal approximation with a correction of its variance for ties, and without
    one for continuity. "exact" takes all choices of signs on the ranks as they are.
    """
    one_of(method, ("auto", "exact", "normal"), "method")
    n, none = len(d), int(np.count_nonzero(d == 0))
    title = f"Wilcoxon signed-rank, zeros: {zeros}"
    if none == n:
        return _all_equal("wilcoxon", title, n)
    used = d[d != 0] if zeros == "wilcox" else d
    ranks = mid_ranks(np.abs(used))
    plus, minus = float(ranks[used > 0].sum()), float(ranks[used < 0].sum())
    tied = len(np.unique(np.abs(used))) < len(used)
    if zeros == "zsplit":
        half = float(ranks[used == 0].sum()) / 2.0
        plus, minus = plus + half, minus + half
    if method == "auto":
        limit = FEW_TIED if tied or none else SMALL
        method = "exact" if n <= limit else "normal"
    if method == "exact":
        # Mid-ranks are halves, so twice a rank is whole; zeros keep their place.
        doubled = np.rint(2 * ranks).astype(np.int64)
        p = two_sided(doubled[used != 0], round(2 * float(ranks[used > 0].sum())))
        return PairedTest("wilcoxon", f"{title}; exact", n, min(plus, minus), p)
    return PairedTest(
        "wilcoxon",
        f"{title}; normal, variance corrected for ties",
        n,
        min(plus, minus),
        _normal(used, plus, none, zeros),
    )


def _normal(used: Floats, plus: float, none: int, zeros: str) -> float:
    from scipy.special import ndtr

    m = len(used)
    centre, spread = m * (m + 1) / 4.0, m * (m + 1) * (2 * m + 1.0)
    ties = tie_sizes(np.abs(used if zeros != "pratt" else used[used != 0]))
    if zeros == "pratt":
        centre -= none * (none + 1) / 4.0
        spread -= none * (none + 1) * (2 * none + 1.0)
    spread -= float((ties**3 - ties).sum()) / 2.0
    z = (plus - centre) / sqrt(spread / 24.0)
    return 2.0 * float(ndtr(-abs(z)))


def sign_test(d: Floats) -> PairedTest:
    """The exact binomial test that differences are as often above 0 as below; zeros left out."""
    from scipy.special import bdtr

    above, below = int(np.count_nonzero(d > 0)), int(np.count_nonzero(d < 0))
    method = "exact binomial, items without a difference left out"
    if not above + below:
        return _all_equal("sign", method, len(d))
    p = 2.0 * float(bdtr(min(above, below), above + below, 0.5))
    return PairedTest("sign", method, len(d), float(above), min(1.0, p))


def permutation(d: Floats, resamples: int = 10_000, seed: int = 0) -> PairedTest:
    """The test of the mean difference under all choices of signs, or many random ones."""
    return permutations(d[:, None], np.array([len(d)]), resamples, seed)[0]


def permutations(
    table: Floats, items: Ints, resamples: int = 10_000, seed: int = 0
) -> list[PairedTest]:
    """The test for many pairs of systems at once.

    Parameters
    ----------
    table
        Shape (items, pairs): differences, 0 where a pair does not share the item.
    items
        Shape (pairs,): how many items each pair shares.
    """
    out: dict[int, PairedTest] = {}
    open_: list[int] = []
    for k, n in enumerate(items.tolist()):
        column = table[:, k]
        if not n:
            out[k] = _apart("permutation")
            continue
        scaled = whole(column)
        if scaled is None or not feasible(np.abs(scaled)):
            open_.append(k)
            continue
        weights = np.abs(scaled)[scaled != 0]
        p = two_sided(weights, int(scaled[scaled > 0].sum()))
        mean = float(column.sum()) / n
        out[k] = PairedTest("permutation", "signs flipped, exact", n, mean, p)
    if open_:
        # Each pair in its own unit, so that sums are compared alike in all of them.
        units = np.array([unit_of(table[:, k]) for k in open_])
        some = np.ascontiguousarray(table[:, open_] / units)
        hits = drawn(some, resamples, np.random.default_rng(seed), TIE * len(table))
        method = f"signs flipped, {resamples:,} random choices, seed {seed}"
        for k, count in zip(open_, hits.tolist(), strict=True):
            n = int(items[k])
            mean, p = float(table[:, k].sum()) / n, (count + 1) / (resamples + 1)
            out[k] = PairedTest("permutation", method, n, mean, p)
    return [out[k] for k in range(len(items))]


def _apart(name: str) -> PairedTest:
    return PairedTest(name, "", 0, undefined=Undefined("no_shared_items", APART))


def paired_t(d: Floats) -> PairedTest:
    """Student's t of the differences."""
    from scipy.special import stdtr

    n = len(d)
    method = f"paired t, {n - 1} degrees of freedom"
    if n < 2:
        why = Undefined("single_item", "one shared item has no spread")
        return PairedTest("t", "paired t", n, undefined=why)
    spread = float(d.std(ddof=1))
    if np.ptp(d) == 0.0:
        if d[0] == 0.0:
            return _all_equal("t", method, n)
        why = Undefined("no_variance", f"the difference is {d[0]:g} on all {n:,} shared items")
        return PairedTest("t", method, n, undefined=why)
    t = float(d.mean()) / (spread / sqrt(n))
    return PairedTest("t", method, n, t, 2.0 * float(stdtr(n - 1, -abs(t))))

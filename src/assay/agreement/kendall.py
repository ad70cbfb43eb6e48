"""Kendall's W: agreement of rankings, corrected for ties.

W = 12 S / (m²(n³ − n) − m Σ(t³ − t)) on mid-ranks, with m raters, n items, and t the sizes of
the groups of tied ranks of each rater. χ² = m(n − 1)W on n − 1 degrees of freedom.

References
----------
Kendall, M. G. and Gibbons, J. D. (1990). Rank Correlation Methods, 5th ed., chapter 6.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from assay.agreement.inputs import Data, Options, need_raters, reduced
from assay.agreement.marginals import TestOnly
from assay.agreement.pool import count_of
from assay.agreement.weights import check_order
from assay.estimate import Estimate, HypothesisTest, Undefined, undefined
from assay.ratings.categories import Ints
from assay.ratings.reductions import Reduced

REFERENCE = "Kendall and Gibbons (1990), Rank Correlation Methods, 5th ed., chapter 6"
NAME = "kendall_w"
FULL = "Kendall's W, corrected for ties"


def kendall_w(data: Data = None, other: Data = None, **options: Unpack[Options]) -> Estimate:
    """Kendall's coefficient of concordance W, between 0 and 1.

    Only items that every rater rated are ranked.

    Parameters
    ----------
    data, other
        Ratings with an order of labels; or two parallel sequences.
    **options
        ``order=``, ``categories=``: see :func:`assay.agreement.inputs.reduced`.

    Raises
    ------
    LabelError
        If labels have no order.

    Examples
    --------
    >>> kendall_w({"a": [1, 2, 3], "b": [1, 2, 3], "c": [1, 3, 2]}).exact
    Fraction(7, 9)
    """
    made = reduced(data, other, **options)
    need_raters(made, NAME)
    check_order(made.categories, "ranks")
    return concordance(made)


def concordance(made: Reduced) -> Estimate:
    """Kendall's W from the complete items."""
    matrix = made.matrix
    m, n = len(matrix.codes), int(matrix.weights.sum())
    left = f"; {matrix.left_out} incomplete items left out" if matrix.left_out else ""
    items = Fraction(n, made.denominator)
    rest: dict[str, Any] = {
        "items": count_of(items), "raters": m, "ratings": count_of(items * m),
        "reference": REFERENCE, "convention": f"items that every rater rated{left}",
    }  # fmt: skip
    if not made.sizes:
        return undefined(NAME, FULL, "no_ratings", "there are no ratings", **rest)
    if m < 2 or n == 0:
        rest["items"] = count_of(made.items())
        reason = f"no item was rated by all {m} raters" if m > 1 else "two raters are needed"
        return undefined(NAME, FULL, "no_shared_items", reason, **rest)
    if items <= 1:
        return undefined(NAME, FULL, "single_item", "one item has no ranking", **rest)
    double, ties = _ranks(matrix.codes, matrix.weights, made.q)
    bottom = m * m * (n**3 - n) - m * ties
    if bottom == 0:
        reason = f"each of the {m} raters gave all {n} items one and the same rank"
        return undefined(NAME, FULL, "no_variance", reason, **rest)
    total = double.sum(axis=0)
    # Twice the ranks, so that all is whole: Σ R = m n (n + 1), S = Σ(R − mean)² / 4.
    square = sum(
        w * (int(r) - m * (n + 1)) ** 2
        for r, w in zip(total.tolist(), matrix.weights.tolist(), strict=True)
    )
    value = Fraction(3 * square, bottom)
    return Estimate(
        NAME, FULL, float(value), exact=value, uncertainty=_test(float(value), m, items), **rest
    )


def _ranks(codes: Any, weights: Ints, q: int) -> tuple[Ints, int]:
    """Twice the mid-ranks, shape (raters, items), and Σ(t³ − t) over raters and ties."""
    out = np.empty(codes.shape, dtype=np.int64)
    ties = 0
    for rater, row in enumerate(codes):
        counts = np.zeros(q, dtype=np.int64)
        np.add.at(counts, row, weights)
        out[rater] = (2 * np.cumsum(counts) - counts + 1)[row]
        ties += sum(t**3 - t for t in counts[counts > 1].tolist())
    return out, ties


def _test(value: float, m: int, items: Fraction) -> TestOnly:
    from scipy.special import chdtrc

    df = float(items - 1)
    statistic = m * df * value
    test = HypothesisTest("chi-squared", 0.0, None, statistic, df, float(chdtrc(df, statistic)))
    return TestOnly(test, Undefined("no_error", "no analytic interval is known for W"))

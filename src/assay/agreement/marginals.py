"""Chi-squared tests of marginals, and estimates that have a test but no interval.

References
----------
McNemar (1947), Psychometrika 12(2), 153-157. Bowker (1948), JASA 43(244), 572-574.
Stuart (1955), Biometrika 42(3/4), 412-416; Maxwell (1970), British Journal of Psychiatry
116(535), 651-655. Bhapkar (1966), JASA 61(313), 228-235. Cochran (1950), Biometrika 37(3/4),
256-266.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.inputs import Data, Options, need_raters, reduced
from assay.errors import LabelError
from assay.estimate import HypothesisTest, Interval, Undefined
from assay.ratings.categories import Floats, Label
from assay.ratings.reductions import Matrix


@dataclass(frozen=True, slots=True)
class TestOnly:
    """A test of 0 that is known, without an interval."""

    result: HypothesisTest
    why: Undefined

    @property
    def method(self) -> str:
        return self.result.method

    @property
    def standard_error(self) -> None:
        return None

    def interval(self, level: float) -> Interval | Undefined:  # noqa: ARG002
        return self.why

    def test(self, null: float) -> HypothesisTest:
        if null == self.result.null:
            return self.result
        return HypothesisTest(self.method, null, None, None, None, None, self.why)


def marginal_homogeneity(
    data: Data = None, other: Data = None, **options: Unpack[Options]
) -> tuple[HypothesisTest, ...]:
    """Tests of whether two raters use the labels equally often.

    Parameters
    ----------
    data, other
        Two parallel sequences of labels; or ratings by two raters, or a table.
    **options
        ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Returns
    -------
    tuple of HypothesisTest
        McNemar's test (χ² and exact) for two labels in use; Bowker's test of symmetry,
        Stuart-Maxwell's and Bhapkar's for more.

    Examples
    --------
    >>> test, exact = marginal_homogeneity(table=[[80, 10], [5, 5]])
    >>> test.method, round(test.statistic, 4), round(test.p_value, 4)
    ('McNemar', 1.6667, 0.1967)
    """
    return marginal_tests(Cells.of_two(reduced(data, other, **options), "marginal_homogeneity"))


def cochran(
    data: Data = None,
    other: Data = None,
    *,
    positive: Label | None = None,
    **options: Unpack[Options],
) -> HypothesisTest:
    """Cochran's Q: whether several raters give one label equally often.

    Parameters
    ----------
    data, other
        Ratings with a rater for each; items that not every rater rated are left out.
    positive
        The label that counts as a hit; the last category when omitted.
    **options
        ``categories=``, ``order=``: see :func:`assay.agreement.inputs.reduced`.

    Raises
    ------
    LabelError
        If no category is called ``positive``.

    Examples
    --------
    >>> q = cochran([[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]])
    >>> round(q.statistic, 4), q.df
    (4.6667, 2.0)
    """
    made = reduced(data, other, **options)
    need_raters(made, "cochran")
    labels = list(made.categories)
    if positive is None:
        return cochran_q(made.matrix, len(labels) - 1)
    if positive not in labels:
        raise LabelError(
            f"positive: {positive!r} is not among the labels {', '.join(made.categories.texts)}.",
            code="unknown_label",
        )
    return cochran_q(made.matrix, labels.index(positive))


def chi_squared(method: str, statistic: float, df: int) -> HypothesisTest:
    """A chi-squared test from its statistic."""
    from scipy.special import chdtrc

    return HypothesisTest(method, None, None, statistic, float(df), float(chdtrc(df, statistic)))


def _not_defined(method: str, code: str, reason: str) -> HypothesisTest:
    return HypothesisTest(method, None, None, None, None, None, Undefined(code, reason))


def mcnemar(cells: Cells) -> HypothesisTest:
    """McNemar's test of equal marginals of a 2 × 2 table, (b − c)² / (b + c), uncorrected."""
    b, c = _off_diagonal(cells)
    method = "McNemar"
    if b + c == 0:
        return _not_defined(method, "no_disagreement", "the two raters never differ")
    return chi_squared(method, (b - c) ** 2 / (b + c), 1)


def mcnemar_exact(cells: Cells) -> HypothesisTest:
    """McNemar's exact test: the discordant items are a fair coin, two-sided."""
    from scipy.special import bdtr

    method = "McNemar, exact binomial"
    b, c = _off_diagonal(cells)
    if b + c == 0:
        return _not_defined(method, "no_disagreement", "the two raters never differ")
    if not (b + c).is_integer():
        return _not_defined(method, "not_applicable", "an exact test needs whole counts")
    p = 2.0 * float(bdtr(min(b, c), int(b + c), 0.5))
    return HypothesisTest(method, None, None, None, None, min(1.0, p))


def _off_diagonal(cells: Cells) -> tuple[float, float]:
    upper = float(cells.n[cells.a < cells.b].sum()) / cells.denominator
    lower = float(cells.n[cells.a > cells.b].sum()) / cells.denominator
    return upper, lower


def bowker(cells: Cells) -> HypothesisTest:
    """Bowker's test of symmetry: Σ (n_kl − n_lk)² / (n_kl + n_lk) over pairs that occur."""
    method = "Bowker"
    table = cells.dense() / cells.denominator
    gap = np.triu(table - table.T, 1)
    total = np.triu(table + table.T, 1)
    pairs = int(np.count_nonzero(total))
    if pairs == 0:
        return _not_defined(method, "no_disagreement", "the two raters never differ")
    parts = np.divide(gap**2, total, out=np.zeros_like(gap), where=total > 0)
    return chi_squared(method, float(parts.sum()), pairs)


def _marginal_gap(cells: Cells) -> tuple[Floats, Floats]:
    """Differences of marginals d and the Stuart-Maxwell covariance, for labels in use."""
    table = cells.dense() / cells.denominator
    used = (table.sum(axis=0) + table.sum(axis=1)) > 0
    # A label on which the raters never differ moves nothing and makes the matrix singular.
    moving = used & ((table + table.T - 2 * np.diag(np.diag(table))).sum(axis=0) > 0)
    table = table[np.ix_(moving, moving)]
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    covariance = -(table + table.T)
    np.fill_diagonal(covariance, rows + columns - 2 * np.diag(table))
    return rows - columns, covariance


def _quadratic(d: Floats, covariance: Floats) -> tuple[float, int]:
    """d′V⁻d over a full-rank part, and the rank; groups of labels that never mix split up."""
    statistic, rank = 0.0, 0
    left = set(range(d.size))
    while left:
        group, queue = set(), [min(left)]
        while queue:
            k = queue.pop()
            if k not in group:
                group.add(k)
                queue.extend(np.flatnonzero(covariance[k]).tolist())
        left -= group
        keep = sorted(group)[:-1]  # the differences of a group add up to 0
        if keep:
            v = covariance[np.ix_(keep, keep)]
            statistic += float(d[keep] @ np.linalg.solve(v, d[keep]))
            rank += len(keep)
    return statistic, rank


def stuart_maxwell(cells: Cells) -> HypothesisTest:
    """The Stuart-Maxwell test of equal marginals over all labels."""
    method = "Stuart-Maxwell"
    d, covariance = _marginal_gap(cells)
    if d.size == 0:
        return _not_defined(method, "no_disagreement", "the two raters never differ")
    statistic, rank = _quadratic(d, covariance)
    return chi_squared(method, statistic, rank)


def bhapkar(cells: Cells) -> HypothesisTest:
    """Bhapkar's test of equal marginals: Stuart-Maxwell's X², as X² / (1 − X² / n)."""
    method = "Bhapkar"
    d, covariance = _marginal_gap(cells)
    if d.size == 0:
        return _not_defined(method, "no_disagreement", "the two raters never differ")
    statistic, rank = _quadratic(d, covariance)
    rest = 1.0 - statistic / float(cells.items)
    if rest <= 1e-12:
        return _not_defined(method, "no_variance", "the raters differ on every item one way")
    return chi_squared(method, statistic / rest, rank)


def marginal_tests(cells: Cells) -> tuple[HypothesisTest, ...]:
    """The tests that suit a table: McNemar's for two labels in use, the others for more."""
    if not cells.total:
        return ()
    used = int(np.count_nonzero(cells.rows + cells.columns))
    if used <= 2:
        return (mcnemar(cells), mcnemar_exact(cells))
    return (bowker(cells), stuart_maxwell(cells), bhapkar(cells))


def cochran_q(matrix: Matrix, positive: int) -> HypothesisTest:
    """Cochran's Q: do k raters give the label ``positive`` equally often, on complete items."""
    method = "Cochran's Q"
    hits = (matrix.codes == positive).astype(np.float64)
    k, w = len(hits), matrix.weights
    by_item = hits.sum(axis=0)
    by_rater = (hits * w).sum(axis=1)
    total = float(by_rater.sum())
    bottom = k * total - float((w * by_item**2).sum())
    if k < 2 or bottom == 0:
        return _not_defined(method, "no_disagreement", "the raters never differ on an item")
    statistic = (k - 1) * (k * float((by_rater**2).sum()) - total**2) / bottom
    return chi_squared(method, statistic, k - 1)


def as_dict(test: HypothesisTest) -> dict[str, Any]:
    """A test as a plain dictionary, for reports."""
    return {
        "method": test.method,
        "null": test.null,
        "standard_error": test.standard_error,
        "statistic": test.statistic,
        "df": list(test.df) if isinstance(test.df, tuple) else test.df,
        "p_value": test.p_value,
        "undefined": None
        if test.undefined is None
        else {"code": test.undefined.code, "reason": test.undefined.reason},
    }

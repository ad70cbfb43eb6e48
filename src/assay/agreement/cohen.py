"""Cohen's kappa of two raters, unweighted or weighted, from integers divided once.

References
----------
Cohen, J. (1960). Educational and Psychological Measurement 20(1), 37-46.
Cohen, J. (1968). Psychological Bulletin 70(4), 213-220. (Weights.)
Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Psychological Bulletin 72(5), 323-327.
(Standard errors.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Unpack

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.inputs import Data, Options, reduced
from assay.agreement.pool import (
    SINGLE_ITEM,
    Number,
    count_of,
    error_or_reason,
    exact_or_none,
    number_text,
)
from assay.agreement.weights import Weights, make_weights
from assay.estimate import Estimate, NoError, PerfectBound, Uncertainty, Undefined, undefined

REFERENCE = "Cohen (1960), Educational and Psychological Measurement 20(1), 37-46"
WEIGHTED = "Cohen (1968), Psychological Bulletin 70(4), 213-220"
METHOD = "Fleiss-Cohen-Everitt (1969), normal quantile"
NULL = "Fleiss-Cohen-Everitt (1969) error under no agreement, z"


def cohen_kappa(
    data: Data = None, other: Data = None, *, weights: Any = "identity", **options: Unpack[Options]
) -> Estimate:
    """Cohen's kappa of two raters on the items that both rated.

    κ = (p_o − p_e) / (1 − p_e), with p_e from each rater's own marginals. With weights:
    weighted kappa.

    Parameters
    ----------
    data, other
        Two parallel sequences of labels; or ratings by two raters, or a table.
    weights
        ``"identity"``, ``"linear"``, ``"quadratic"``, … or a matrix; see
        :func:`assay.agreement.weights.make_weights`.
    **options
        ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Returns
    -------
    Estimate
        With the Fleiss-Cohen-Everitt error behind the interval, the null error behind the
        test of 0, and for unweighted kappa the maximum that the marginals allow.

    Raises
    ------
    DesignError
        If there are not exactly two raters.
    LabelError
        If weights need an order that text labels do not have.

    Examples
    --------
    >>> import assay
    >>> kappa = cohen_kappa(table=[[3, 47], [53, 897]])
    >>> round(kappa.value, 4), kappa.observed
    (0.004, 0.9)
    >>> cohen_kappa(["a", "a"], ["a", "a"]).undefined.code
    'one_label_used'
    """
    made = reduced(data, other, **options)
    return cohen(Cells.of_two(made, "cohen_kappa"), make_weights(weights, made.categories))


@dataclass(frozen=True, slots=True)
class Parts:
    """Observed and expected agreement of a table, and kappa."""

    observed: Number
    expected: Number
    kappa: Number | None


def parts(cells: Cells, weights: Weights) -> Parts:
    """p_o, p_e and κ; κ is None where p_e is 1."""
    n = cells.total
    rows, columns = cells.rows.tolist(), cells.columns.tolist()
    if weights.identity:
        agree = cells.agreeing
        chance = sum(r * c for r, c in zip(rows, columns, strict=True))
        scale = 1
    elif weights.integers is None:
        w = weights.matrix
        po = float((w[cells.a, cells.b] * cells.n).sum()) / n
        pe = float(cells.rows @ w @ cells.columns) / n / n
        used = np.union1d(cells.a, cells.b)
        certain = bool((w[np.ix_(used, used)] == 1.0).all())
        return Parts(po, pe, None if certain else (po - pe) / (1.0 - pe))
    else:
        w_int, scale = weights.integers
        agree = sum(
            w_int[a][b] * m
            for a, b, m in zip(cells.a.tolist(), cells.b.tolist(), cells.n.tolist(), strict=True)
        )
        chance = sum(
            r * sum(w * c for w, c in zip(row, columns, strict=True) if c)
            for r, row in zip(rows, w_int, strict=True)
            if r
        )
    top, bottom = n * agree - chance, scale * n * n - chance
    kappa = Fraction(top, bottom) if bottom else None
    return Parts(Fraction(agree, scale * n), Fraction(chance, scale * n * n), kappa)


def cohen(cells: Cells, weights: Weights) -> Estimate:
    """Cohen's kappa of one pair's cells."""
    name = "cohen_kappa"
    plain = weights.identity
    full = "Cohen's kappa, unweighted" if plain else f"Weighted kappa, {weights.describe()}"
    reference = REFERENCE if plain else WEIGHTED
    convention = "items that both raters rated"
    if not cells.total:
        a, b = cells.raters
        return undefined(
            name, full, "no_shared_items", f"'{a}' and '{b}' rated no item in common",
            raters=2, reference=reference, convention=convention,
        )  # fmt: skip
    got = parts(cells, weights)
    items = count_of(cells.items)
    rest: dict[str, Any] = {
        "items": items,
        "raters": 2,
        "ratings": count_of(2 * cells.items),
        "reference": reference,
        "convention": convention,
        "observed": float(got.observed),
        "expected": float(got.expected),
    }
    if got.kappa is None:
        return Estimate(name, full, None, certain(cells), **rest)
    value = float(got.kappa)
    return Estimate(
        name,
        full,
        value,
        exact=exact_or_none(got.kappa),
        uncertainty=_uncertainty(cells, weights, got, value),
        maximum=None if not plain or (top := kappa_max(cells)) is None else float(top),
        **rest,
    )


def certain(cells: Cells) -> Undefined:
    """The reason that expected agreement is 1."""
    label = cells.categories.texts[int(cells.a[0])]
    both = number_text(2 * cells.items)
    used = np.union1d(cells.a, cells.b)
    if used.size > 1:
        texts = ", ".join(f"'{cells.categories.texts[k]}'" for k in used[:4].tolist())
        return Undefined(
            "no_variance",
            f"expected agreement is 1: the labels of all {both} ratings ({texts}) do not differ "
            "under these weights, and (Po - Pe) / (1 - Pe) is 0 / 0",
        )
    return Undefined(
        "one_label_used",
        f"all {both} ratings are '{label}': expected agreement is 1, and "
        "(Po - Pe) / (1 - Pe) is 0 / 0",
    )


def chance_terms(cells: Cells) -> list[Fraction]:
    """Each label's part of p_e: row sum × column sum / n²."""
    n = cells.total
    sums = zip(cells.rows.tolist(), cells.columns.tolist(), strict=True)
    return [Fraction(r * c, n * n) if n else Fraction(0) for r, c in sums]


def kappa_max(cells: Cells) -> Fraction | None:
    """The largest kappa that these marginals allow: p_o at most Σ min(row, column) / n."""
    n = cells.total
    most = sum(np.minimum(cells.rows, cells.columns).tolist())
    chance = sum(r * c for r, c in zip(cells.rows.tolist(), cells.columns.tolist(), strict=True))
    bottom = n * n - chance
    return Fraction(n * most - chance, bottom) if bottom else None


def _uncertainty(cells: Cells, weights: Weights, got: Parts, value: float) -> Uncertainty:
    n = float(cells.items)
    if n <= 1:
        return NoError(SINGLE_ITEM)
    if got.observed == 1:
        null = null_error(cells, weights, float(got.expected))
        return PerfectBound(max(1, int(n)), float(got.expected), null_error=null, null_method=NULL)
    error = standard_error(cells, weights, float(got.observed), float(got.expected))
    # Decided from counts: with a constant rater kappa is 0 for every table of these marginals.
    constant = min(np.count_nonzero(cells.rows), np.count_nonzero(cells.columns)) <= 1
    null = 0.0 if constant else null_error(cells, weights, float(got.expected))
    if constant:
        return NoError(constant_rater(cells))
    return error_or_reason(value, error, METHOD, null_error=null, null_method=NULL)


def constant_rater(cells: Cells) -> Undefined:
    """The reason that the error of a kappa with a constant rater does not exist."""
    first = np.count_nonzero(cells.rows) <= 1
    name = cells.raters[0 if first else 1]
    label = cells.categories.texts[int((cells.a if first else cells.b)[0])]
    return Undefined(
        "constant_rater",
        f"'{name}' said '{label}' every time, so kappa is 0 for every table with these "
        "marginals and has no error to test",
    )


def _weight_means(cells: Cells, weights: Weights) -> tuple[Any, Any]:
    """w̄_k. and w̄_.l, shape (q,) each, under the other rater's marginals."""
    p, r = cells.rows / cells.total, cells.columns / cells.total
    if weights.identity:
        return r, p
    return weights.matrix @ r, weights.matrix @ p


def standard_error(cells: Cells, weights: Weights, observed: float, expected: float) -> float:
    """The Fleiss-Cohen-Everitt standard error, for intervals and tests of any value."""
    row_mean, column_mean = _weight_means(cells, weights)
    w = (
        (cells.a == cells.b).astype(np.float64)
        if weights.identity
        else weights.matrix[cells.a, cells.b]
    )
    inner = w * (1.0 - expected) - (row_mean[cells.a] + column_mean[cells.b]) * (1.0 - observed)
    centre = observed * expected - 2.0 * expected + observed
    variance = float((cells.shares * (inner - centre) ** 2).sum())
    return sqrt(variance / float(cells.items)) / (1.0 - expected) ** 2


def null_error(cells: Cells, weights: Weights, expected: float) -> float:
    """The Fleiss-Cohen-Everitt standard error under no agreement, for the test of 0 only."""
    p, r = cells.rows / cells.total, cells.columns / cells.total
    row_mean, column_mean = _weight_means(cells, weights)
    if weights.identity:
        # Σ_kl p_k r_l (w_kl − p_l − r_k)² without the q × q matrix.
        square = float((p * r * (1.0 - 2.0 * (p + r))).sum())
        mixed = float((r * p**2).sum() + 2.0 * (p @ r) * (p @ r) + (p * r**2).sum())
        total = square + mixed
    else:
        inner = weights.matrix - (row_mean[:, None] + column_mean[None, :])
        total = float(p @ inner**2 @ r)
    variance = max(0.0, total - expected**2)
    return sqrt(variance / float(cells.items)) / (1.0 - expected)

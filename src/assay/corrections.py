"""Corrections of p-values for several tests; what has no p-value (NaN, None) is not counted.

References
----------
Holm, S. (1979). Scandinavian Journal of Statistics 6(2), 65-70.
Benjamini, Y. and Hochberg, Y. (1995). Journal of the Royal Statistical Society B 57(1), 289-300.
Dunn, O. J. (1961). Journal of the American Statistical Association 56(293), 52-64. (Bonferroni.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from assay.errors import one_of

Floats = npt.NDArray[np.float64]


def holm(p: Floats) -> Floats:
    """Step down from the smallest: (m − i + 1) p_(i), never below an earlier one.

    >>> holm(np.array([0.01, np.nan, 0.04, 0.03])).tolist()
    [0.03, nan, 0.06, 0.06]
    """
    return _in_order(p, lambda q, m: np.maximum.accumulate(q * (m - np.arange(m))))


def benjamini_hochberg(p: Floats) -> Floats:
    """Step up from the largest, for the false discovery rate: m p_(i) / i, never above a later one.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.04, 0.04]
    """
    return _in_order(
        p, lambda q, m: np.minimum.accumulate((q * m / (np.arange(m) + 1))[::-1])[::-1]
    )


def bonferroni(p: Floats) -> Floats:
    """Each p-value times their number."""
    return _in_order(p, lambda q, m: q * m)


def uncorrected(p: Floats) -> Floats:
    """The p-values as they are."""
    return p.copy()


def _in_order(p: Floats, correct: Callable[[Floats, int], Floats]) -> Floats:
    """Apply a correction to the p-values from the smallest, and cut it at 1."""
    out = np.full(len(p), np.nan)
    there = np.flatnonzero(~np.isnan(p))
    order = there[np.argsort(p[there], kind="stable")]
    out[order] = np.minimum(1.0, correct(p[order], len(order)))
    return out


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "benjamini_hochberg": benjamini_hochberg,
    "bonferroni": bonferroni,
    "none": uncorrected,
}


def corrected(p_values: Sequence[float | None], method: str = "holm") -> list[float | None]:
    """Adjusted p-values in the same order, for lists with None where a test has no p-value.

    Examples
    --------
    >>> corrected([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    one_of(method, CORRECTIONS, "correction")
    given = np.array([np.nan if p is None else p for p in p_values], dtype=np.float64)
    return [None if np.isnan(p) else float(p) for p in CORRECTIONS[method](given)]

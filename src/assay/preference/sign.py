"""The sign test of two systems, and corrections for many of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.preference.model import Comparisons, Ints

Floats = npt.NDArray[np.float64]

EXACT = 1000
"""Up to so many trials the tail is summed in whole numbers."""

SIGN_TEST = "exact two-sided sign test, ties left out"


def binomial_p(successes: Ints, n: Ints) -> Floats:
    """Exact two-sided p-values of the share 1/2; NaN where n is 0.

    The distribution is symmetric, so both tails are twice the smaller one.

    >>> binomial_p(np.array([7, 2, 0]), np.array([7, 4, 0])).tolist()
    [0.015625, 1.0, nan]
    """
    from scipy.special import bdtr

    least = np.minimum(successes, n - successes)
    with np.errstate(invalid="ignore"):
        p = np.minimum(1.0, 2.0 * bdtr(least.astype(np.float64), n, 0.5))
    small = np.flatnonzero((n > 0) & (n <= EXACT))
    known: dict[tuple[int, int], float] = {}
    for row in small.tolist():
        key = int(least[row]), int(n[row])
        if key not in known:
            known[key] = _exact_p(*key)
        p[row] = known[key]
    return np.asarray(np.where(n > 0, p, np.nan))


def _exact_p(least: int, n: int) -> float:
    """Twice the lower tail, in whole numbers, divided once."""
    term = tail = 1
    for i in range(least):
        term = term * (n - i) // (i + 1)
        tail += term
    return min(1.0, (2 * tail) / (1 << n))


def by_item(comparisons: Comparisons, a: Ints, b: Ints) -> Ints | None:
    """Shape (pairs, 3): the items on which a won more often than b, as often, and less often.

    None where no item is known, or none has two comparisons of the same two systems; the
    comparisons are then as many as the items.
    """
    if comparisons.item is None:
        return None
    k = len(comparisons.systems)
    pair = comparisons.pair
    key = comparisons.item.codes * (k * k) + pair
    unit, place = np.unique(key, return_inverse=True)
    if len(unit) == len(key):
        return None
    place = place.reshape(-1)
    sign = np.where(comparisons.left > comparisons.right, -1, 1) * comparisons.outcome
    net = np.sign(np.rint(np.bincount(place, sign, len(unit)))).astype(np.int64)
    row = np.searchsorted(a * k + b, unit % (k * k))
    return np.bincount(row * 3 + 1 - net, minlength=3 * len(a)).reshape(-1, 3).astype(np.int64)

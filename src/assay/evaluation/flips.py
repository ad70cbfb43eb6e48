"""The exact distribution of a sum under random signs, for signed ranks and permutations.

With weights w_1 … w_n, each taken with probability ½ (T = Σ b_i w_i), the distribution of T is
found by adding one weight at a time. Ties among the weights need no approximation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.evaluation.unit import unit_of
from assay.ratings.categories import Floats, Ints

LARGEST = 2_000_000
"""The largest Σ w times n for which the distribution is built."""
DENOMINATORS = (*range(1, 61), 72, 84, 90, 120, 180, 360, 420, 840, 2520)
EXACT = 1e-9
"""What rounding leaves, in the unit of the differences."""
ROUGH = 1e-6


def feasible(weights: Ints) -> bool:
    """Whether the distribution is small enough to be built."""
    return int(weights.sum()) * len(weights) <= LARGEST * 20


def subset_sums(weights: Ints) -> Floats:
    """P(T = t) for t = 0 … Σ w.

    >>> subset_sums(np.array([1, 2, 3])).tolist()
    [0.125, 0.125, 0.125, 0.25, 0.125, 0.125, 0.125]
    """
    out = np.zeros(int(weights.sum()) + 1)
    out[0] = 1.0
    reach = 0
    for weight in weights.tolist():
        part = out[: reach + 1] * 0.5
        reach += weight
        out[: len(part)] = part
        out[weight : reach + 1] += part
    return out


def two_sided(weights: Ints, taken: int) -> float:
    """P(|2T − Σ w| ≥ |2t − Σ w|): at least as far from the middle, on either side."""
    shares = subset_sums(weights)
    top = len(shares) - 1
    low = min(taken, top - taken)
    if 2 * low == top:
        return 1.0
    return min(1.0, 2.0 * float(shares[: low + 1].sum()))


def whole(differences: Floats) -> Ints | None:
    """The differences as whole numbers of one step, where there is a step that is not too small.

    Means of few ratings have one: thirds for three raters, or thirds of a thousandth.

    >>> whole(np.array([1 / 3, -0.5, 2.0]))
    array([ 2, -3, 12])
    >>> whole(np.array([1 / 3, -0.5, 2.0]) * 1e-12)
    array([ 2, -3, 12])
    """
    size = np.abs(differences)
    far = size[size > EXACT * unit_of(differences)]
    if not len(far):
        return np.zeros(len(differences), dtype=np.int64)
    near = _steps(differences, 1.0)
    # A lone difference is a step of its own, which says nothing.
    return near if near is not None or len(far) < 2 else _steps(differences, float(far.min()))


def _steps(differences: Floats, base: float) -> Ints | None:
    """The differences in steps of the base over a small denominator."""
    close = 2.0 * EXACT * unit_of(differences)
    parts = differences / base
    if not np.abs(parts).max() < LARGEST:
        return None
    for denominator in DENOMINATORS:
        near = np.rint(parts * denominator)
        squares = float(near @ near)
        if not squares or np.abs(parts * denominator - near).max() > ROUGH * denominator:
            continue
        # The step that fits all of them best: a base that was rounded is a little off.
        step = float(near @ differences) / squares
        if np.abs(differences - near * step).max() <= close:
            steps: Ints = near.astype(np.int64)
            return steps
    return None


def drawn(differences: Floats, resamples: int, rng: Any, tie: float) -> Ints:
    """In how many random choices of signs each sum is at least as far from 0 as it is.

    Parameters
    ----------
    differences
        Shape (items, pairs); 0 where a pair does not share the item, since a sign does nothing
        to it. The pairs have the same random signs.
    """
    items, pairs = differences.shape
    total = differences.sum(axis=0)
    target = np.abs(total) - tie
    hits = np.zeros(pairs, dtype=np.int64)
    step = max(8, 4_000_000 // max(items, pairs, 1) // 8 * 8)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        bits = np.unpackbits(rng.integers(0, 256, (size, (items + 7) // 8), dtype=np.uint8), axis=1)
        # Σ ±d = 2 Σ b d − Σ d, with b the bits.
        sums = 2.0 * (bits[:, :items].astype(np.float64) @ differences) - total
        hits += np.count_nonzero(np.abs(sums) >= target, axis=0)
    return hits

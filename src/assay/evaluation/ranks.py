"""Mid-ranks and ties of plain numbers."""

from __future__ import annotations

import numpy as np

from assay.ratings.categories import Floats


def mid_ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing the mean of theirs.

    >>> mid_ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2.0
    out: Floats = middle[inverse.reshape(-1)]
    return out


def tie_sizes(values: Floats) -> Floats:
    """How many values are equal, one entry a distinct value."""
    return np.unique(values, return_counts=True)[1].astype(np.float64)

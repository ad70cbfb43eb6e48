"""How large a difference between two systems is, by names of their own.

References
----------
Cliff, N. (1993). Psychological Bulletin 114(3), 494-509.
Vargha, A. and Delaney, H. D. (2000). Journal of Educational and Behavioral Statistics 25(2),
101-132.
Cohen, J. (1988). Statistical Power Analysis for the Behavioral Sciences, section 2.3.5. (d_z.)
Kerby, D. S. (2014). Comprehensive Psychology 3, 11.IT.3.1. (Matched-pairs rank-biserial.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.evaluation.paired import snapped
from assay.evaluation.ranks import mid_ranks
from assay.evaluation.unit import rounded, unit_of
from assay.ratings.categories import Floats


@dataclass(frozen=True, slots=True)
class Effects:
    """Sizes of one difference; None where one does not exist.

    Attributes
    ----------
    cliffs_delta
        P(X > Y) − P(X < Y) over all pairs of an item's mean of each system.
    vargha_delaney_a
        P(X > Y) + ½ P(X = Y) over the same pairs: (δ + 1) / 2.
    cohens_dz
        The mean of the differences over their standard deviation (ddof 1); None where all
        differences are equal, or there is one.
    rank_biserial
        (R₊ − R₋) / (R₊ + R₋) of the signed ranks without zeros; None where all are 0.
    """

    cliffs_delta: float | None
    vargha_delaney_a: float | None
    cohens_dz: float | None
    rank_biserial: float | None


def effects(x: Floats, y: Floats) -> Effects:
    """The four sizes for the means of two systems on the same items.

    Examples
    --------
    >>> effects(np.array([3.0, 4.0]), np.array([2.0, 4.0])).cliffs_delta
    0.25
    """
    n = len(x)
    if not n:
        return Effects(None, None, None, None)
    # The difference of rounded means is another number than the rounded difference.
    d = snapped(x - y)
    unit = unit_of(np.concatenate([x, y]))
    x, y = rounded(x, 9, unit), rounded(y, 9, unit)
    ordered = np.sort(y)
    below = int(np.searchsorted(ordered, x, side="left").sum())
    above = n * n - int(np.searchsorted(ordered, x, side="right").sum())
    delta = (below - above) / (n * n)
    dz = None if n < 2 or np.ptp(d) == 0 else float(d.mean() / d.std(ddof=1))
    used = d[d != 0]
    biserial = None
    if len(used):
        ranks = mid_ranks(np.abs(used))
        biserial = float((np.sign(used) * ranks).sum() / ranks.sum())
    return Effects(delta, (delta + 1.0) / 2.0, dz, biserial)

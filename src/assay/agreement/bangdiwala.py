"""Bangdiwala's B: the area of the agreement chart that two raters agree on.

B = Σ n_kk² / Σ n_k. n_.k. Its error is the delta method over the multinomial cells.

References
----------
Bangdiwala, S. I. (1985). A graphical test for observer agreement. Proceedings of the 45th
International Statistical Institute Meeting, 307-308.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any, Unpack

from assay.agreement.cells import Cells
from assay.agreement.inputs import Data, Options, reduced
from assay.agreement.pool import SINGLE_ITEM, count_of, error_or_reason
from assay.estimate import Estimate, NoError, PerfectBound, Uncertainty, undefined

REFERENCE = "Bangdiwala (1985), 45th International Statistical Institute Meeting, 307-308"
NAME = "bangdiwala_b"
FULL = "Bangdiwala's B, share of the agreement chart's area"
METHOD = "delta method over the table's cells, normal quantile"


def bangdiwala_b(data: Data = None, other: Data = None, **options: Unpack[Options]) -> Estimate:
    """Bangdiwala's B of two raters, between 0 and 1.

    Parameters
    ----------
    data, other
        Two parallel sequences of labels; or ratings by two raters, or a table.
    **options
        ``table=``, ``categories=``, ``order=``: see
        :func:`assay.agreement.inputs.reduced`.

    Raises
    ------
    DesignError
        If there are not exactly two raters.

    Examples
    --------
    >>> bangdiwala_b(["a", "a", "b", "b"], ["a", "b", "b", "b"]).exact
    Fraction(5, 8)
    """
    return bangdiwala(Cells.of_two(reduced(data, other, **options), NAME))


def bangdiwala(cells: Cells) -> Estimate:
    """Bangdiwala's B of one pair's cells."""
    rest: dict[str, Any] = {
        "items": count_of(cells.items),
        "raters": 2,
        "ratings": count_of(2 * cells.items),
        "reference": REFERENCE,
    }
    if not cells.total:
        a, b = cells.raters
        reason = f"'{a}' and '{b}' rated no item in common"
        return undefined(NAME, FULL, "no_shared_items", reason, **rest)
    area = sum(r * c for r, c in zip(cells.rows.tolist(), cells.columns.tolist(), strict=True))
    if area == 0:
        reason = "the two raters share no label, so the chart has no rectangles"
        return undefined(NAME, FULL, "no_common_label", reason, **rest)
    value = Fraction(sum(d * d for d in cells.diagonal.tolist()), area)
    number = float(value)
    return Estimate(
        NAME, FULL, number, exact=value, uncertainty=_uncertainty(cells, number), **rest
    )


def _uncertainty(cells: Cells, value: float) -> Uncertainty:
    n = float(cells.items)
    if n <= 1:
        return NoError(SINGLE_ITEM)
    if cells.agreeing == cells.total:
        return PerfectBound(max(1, int(n)), 0.0, low=0.0)
    p, r = cells.rows / cells.total, cells.columns / cells.total
    same = cells.a == cells.b
    moves = 2.0 * cells.shares * same - value * (r[cells.a] + p[cells.b])
    centre = float((cells.shares * moves).sum())
    variance = float((cells.shares * (moves - centre) ** 2).sum()) / float(p @ r) ** 2
    return error_or_reason(value, sqrt(variance / n), METHOD, low=0.0)

"""Bland-Altman limits of agreement of two raters.

References
----------
Bland, J. M. and Altman, D. G. (1986). The Lancet 327(8476), 307-310.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Unpack

from assay.agreement.cells import Cells
from assay.agreement.inputs import Data, Options, need_numbers, reduced
from assay.agreement.pool import count_of
from assay.errors import DesignError


@dataclass(frozen=True, slots=True)
class BlandAltman:
    """Mean difference (first − second rater), its SD over n − 1, and limits at ± 1.96 SD."""

    mean: float
    sd: float
    low: float
    high: float
    items: int


def bland_altman(data: Data = None, other: Data = None, **options: Unpack[Options]) -> BlandAltman:
    """Limits of agreement of two raters.

    Differences are the first rater minus the second.

    Examples
    --------
    >>> limits = bland_altman([1, 2, 4], [1, 3, 2])
    >>> round(limits.mean, 4), round(limits.low, 4), round(limits.high, 4)
    (0.3333, -2.6606, 3.3273)
    """
    made = reduced(data, other, **options)
    need_numbers(made.categories, "Bland-Altman limits")
    found = limits_of_agreement(Cells.of_two(made, "bland_altman"))
    if found is None:
        raise DesignError("Bland-Altman limits need two items that both raters rated.")
    return found


def limits_of_agreement(cells: Cells) -> BlandAltman | None:
    """Bland-Altman limits of one pair, None for fewer than two items."""
    values = cells.categories.numbers
    n = float(cells.items)
    if values is None or n < 2:
        return None
    gap, weight = values[cells.a] - values[cells.b], cells.n / cells.denominator
    mean = float((gap * weight).sum()) / n
    sd = sqrt(float((weight * (gap - mean) ** 2).sum()) / (n - 1.0))
    return BlandAltman(mean, sd, mean - 1.96 * sd, mean + 1.96 * sd, count_of(cells.items))

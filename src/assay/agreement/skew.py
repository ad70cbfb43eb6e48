"""What explains a kappa: prevalence index, bias index, PABAK and the ceiling.

References
----------
Byrt, T., Bishop, J. and Carlin, J. B. (1993). Journal of Clinical Epidemiology 46(5), 423-429.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Unpack

from assay.agreement.cells import Cells
from assay.agreement.cohen import kappa_max
from assay.agreement.inputs import Data, Options, reduced

REFERENCE = "Byrt, Bishop and Carlin (1993), Journal of Clinical Epidemiology 46(5), 423-429"


@dataclass(frozen=True, slots=True)
class Skew:
    """Of one pair of raters.

    Attributes
    ----------
    maximum
        The largest kappa that the marginals allow, or None where kappa is undefined.
    observed_maximum
        The largest observed agreement that they allow.
    pabak
        Kappa if all labels were equally likely: (q p_o − 1) / (q − 1); None for one category.
    prevalence_index, bias_index
        (a − d) / n and (b − c) / n of a 2 × 2 table, with the first category first; None for
        other tables.
    """

    maximum: Fraction | None
    observed_maximum: Fraction | None
    pabak: Fraction | None
    prevalence_index: Fraction | None
    bias_index: Fraction | None


def skew(data: Data = None, other: Data = None, **options: Unpack[Options]) -> Skew:
    """Ceiling, PABAK, prevalence and bias index of two raters.

    Examples
    --------
    >>> found = skew(table=[[80, 10], [5, 5]])
    >>> float(found.prevalence_index), float(found.bias_index), float(found.pabak)
    (0.75, 0.05, 0.7)
    """
    return skew_of(Cells.of_two(reduced(data, other, **options), "skew"))


def skew_of(cells: Cells) -> Skew:
    """The same for one pair's cells."""
    n, q = cells.total, cells.q
    if not n:
        return Skew(None, None, None, None, None)
    agree = cells.agreeing
    most = sum(min(r, c) for r, c in zip(cells.rows.tolist(), cells.columns.tolist(), strict=True))
    pabak = Fraction(q * agree - n, (q - 1) * n) if q > 1 else None
    prevalence = bias = None
    if q == 2:
        d = cells.diagonal.tolist()
        prevalence = Fraction(d[0] - d[1], n)
        bias = Fraction(int(cells.rows[0] - cells.columns[0]), n)
    return Skew(kappa_max(cells), Fraction(most, n), pabak, prevalence, bias)

"""The unit of numbers, taken out so that nothing depends on it."""

from __future__ import annotations

from math import frexp, ldexp

import numpy as np

from assay.ratings.categories import Floats


def unit_of(values: Floats) -> float:
    """The power of two just below the largest number; 1 where all are 0.

    To divide by it is exact, and leaves numbers below 2 of which one is 1 or more.

    >>> unit_of(np.array([0.5, -5.0])), unit_of(np.array([3e-10])) < 3e-10
    (4.0, True)
    """
    top = float(np.nanmax(np.abs(values), initial=0.0))
    return ldexp(1.0, frexp(top)[1] - 1) if top else 1.0


def rounded(values: Floats, digits: int, unit: float | None = None) -> Floats:
    """Rounded at so many decimals of the unit, which is that of the numbers unless given."""
    unit = unit_of(values) if unit is None else unit
    return np.asarray(np.round(values / unit, digits) * unit + 0.0)

"""A design's table at any number of items, kappa of it, and how many items a width needs.

The table is that which is expected: cells are fractions of items. Kappa, its error and its
interval are the library's, of that table.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.cohen import cohen
from assay.agreement.planning.precision import MOST, fewest
from assay.agreement.weights import make_weights
from assay.estimate import Estimate, Interval
from assay.ratings.categories import Categories

LABELS = Categories(["frequent", "rare"], declared=True)
PLAIN = make_weights("identity", LABELS)

SIZES = (20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000)
"""The sizes of the curve."""
WIDTHS = (Fraction(3, 10), Fraction(2, 10), Fraction(1, 10))
"""The widths that are asked for."""


@dataclass(frozen=True, slots=True)
class Design:
    """Two raters who agree on a share of the items and both use one label for another share."""

    agreement: Fraction
    share: Fraction

    @property
    def shares(self) -> tuple[Fraction, Fraction, Fraction]:
        """Of the items: both the frequent label, each kind of miss, both the rare label."""
        miss = (1 - self.agreement) / 2
        return self.share - miss, miss, 1 - self.share - miss

    def table(self, n: int) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """The expected table of n items."""
        both, miss, rare = (n * share for share in self.shares)
        return (both, miss), (miss, rare)

    def estimate(self, n: int) -> Estimate:
        """Kappa of the expected table."""
        cells = [share for row in self.table(1) for share in row]
        denominator = lcm(*(share.denominator for share in cells))
        counts = [int(share * denominator) * n for share in cells]
        used = [k for k, count in enumerate(counts) if count]
        return cohen(
            Cells(
                np.array([k // 2 for k in used]),
                np.array([k % 2 for k in used]),
                np.array([counts[k] for k in used], dtype=np.int64),
                LABELS,
                denominator=denominator,
            ),
            PLAIN,
        )

    def interval(self, n: int) -> Interval | None:
        """Kappa's 95 % interval, or None where it has no error."""
        return self.estimate(n).interval()

    def needed(self, width: Fraction, most: int = MOST) -> int | None:
        """The fewest items whose interval is no wider, or None where that is beyond ``most``."""
        return _fewest(self, "width", width, most)

    def needed_above(self, bound: Fraction, most: int = MOST) -> int | None:
        """The fewest items whose interval lies above a bound, or None."""
        if self.kappa is None or self.kappa <= bound:
            return None
        return _fewest(self, "low", bound, most)

    @property
    def kappa(self) -> Fraction | None:
        """Kappa, which does not depend on the number of items."""
        return self.estimate(1).exact


@lru_cache(maxsize=512)
def _fewest(design: Design, what: str, bound: Fraction, most: int) -> int | None:
    """With more items the interval only narrows, so there is one place where it fits."""

    def fits(n: int) -> bool:
        found = design.interval(n)
        if found is None:
            return False
        return found.width <= bound if what == "width" else found.low > bound

    return fewest(fits, most=most)

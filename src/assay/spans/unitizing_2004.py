"""Krippendorff's alpha for unitizing as defined in 1995 and 2004, one line of positions a type.

For one type, with m annotators, a continuum of L positions and N spans of the type in all:

- observed: two spans of two annotators that meet disagree by (difference of their starts)² +
  (difference of their ends)², a span that lies in a gap of another annotator by its length²;
  D_o is the sum over ordered pairs of annotators over m (m − 1) L²;
- expected: the same over every place that every span may take against every other span and every
  gap, D_e = (2 / L) Σ_spans [(N − 1)(2l³ − 3l² + l) / 3 + l² Σ_{gaps ≥ l} (gap − l + 1)] over
  m L (m L − 1) − Σ_spans l (l − 1).

Alpha is 1 − D_o / D_e of the type, and 1 − Σ D_o / Σ D_e of all types. Spans of different types
may overlap; those of one type and annotator may not.

References
----------
Krippendorff, K. (1995). On the reliability of unitizing continuous data. Sociological
Methodology 25, 47-76.
Krippendorff, K. (2004). Measuring the reliability of qualitative text analysis data. Quality &
Quantity 38, 787-800.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from assay.spans.corpus import Ints
from assay.spans.unitizing_continuum import Stretches

REFERENCE = "Krippendorff (1995), Sociological Methodology 25; (2004), Quality & Quantity 38"


def observed_2004(marked: list[Stretches], length: int) -> Fraction:
    """D_o of one type: what each annotator marked of it, none overlapping."""
    m = len(marked)
    total = sum(_between(one, two) for one, two in combinations(marked, 2))
    return Fraction(2 * total, m * (m - 1) * length * length)


def _between(one: Stretches, two: Stretches) -> int:
    """Disagreement of two annotators: stretches that meet, and those that lie in gaps."""
    low = np.searchsorted(two.stop, one.start, side="right")
    high = np.searchsorted(two.start, one.stop, side="left")
    many = np.maximum(high - low, 0)
    i = np.repeat(np.arange(many.size), many)
    j = np.arange(i.size) - np.repeat(np.cumsum(many) - many, many) + np.repeat(low, many)
    met = (one.start[i] - two.start[j]) ** 2 + (one.stop[i] - two.stop[j]) ** 2
    alone = np.ones(two.start.size, dtype=bool)
    alone[j] = False
    return int(met.sum() + (one.size[many == 0] ** 2).sum() + (two.size[alone] ** 2).sum())


def expected_2004(marked: list[Stretches], length: int) -> Fraction:
    """D_e of one type."""
    m = len(marked)
    sizes, times = np.unique(np.concatenate([one.size for one in marked]), return_counts=True)
    gaps: Ints = np.sort(np.concatenate([one.gaps(length) for one in marked]))
    after = np.concatenate([np.cumsum(gaps[::-1])[::-1], [0]])
    spans = int(times.sum())
    total, within = Fraction(0), 0
    for size, n in zip(sizes.tolist(), times.tolist(), strict=True):
        at = int(np.searchsorted(gaps, size))
        places = int(after[at]) - (gaps.size - at) * (size - 1)
        moved = Fraction((spans - 1) * (2 * size**3 - 3 * size**2 + size), 3)
        total += n * (moved + size**2 * places)
        within += n * size * (size - 1)
    return Fraction(2, length) * total / (m * length * (m * length - 1) - within)

"""A pair of raters in the kappa lab."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import numpy as np

from assay.agreement.cells import Cells
from assay.report.addresses import MAX_LABELS, MIN_LABELS, kappa_or_why


def pair_in_lab(cells: Cells) -> tuple[str | None, str]:
    """The address that opens a pair, or None and the word for why the lab cannot hold it.

    The words are those of :func:`assay.report.addresses.kappa_or_why`.

    Examples
    --------
    >>> import assay
    >>> from assay.ratings.reductions import Reduced
    >>> ratings = assay.read({"ana": ["x", "y", "y"], "bo": ["x", "y", "x"]})
    >>> pair_in_lab(Cells.of_two(Reduced.of(ratings), "kappa"))
    ('/lab/kappa?t=1,0;1,1&labels=x,y&raters=ana,bo', '')
    """
    used: list[int] = np.union1d(cells.a, cells.b).tolist()
    if len(used) > MAX_LABELS:
        # Nobody needs a table of thousands of labels to know that it is too large.
        return None, "many_labels"
    spare = (k for k in range(cells.q) if k not in used)
    kept = sorted([*used, *islice(spare, max(0, MIN_LABELS - len(used)))])
    place = {k: i for i, k in enumerate(kept)}
    table: list[list[int | Fraction]] = [[0] * len(kept) for _ in kept]
    whole = cells.denominator == 1
    for a, b, n in zip(cells.a.tolist(), cells.b.tolist(), cells.n.tolist(), strict=True):
        table[place[a]][place[b]] = n if whole else Fraction(n, cells.denominator)
    return kappa_or_why(table, [cells.categories.texts[k] for k in kept], cells.raters)

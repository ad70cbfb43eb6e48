"""The u-alpha family of 2016, from sums that add up over sentences.

The positions of the continuum carry one value an annotator: the type of the span there, or the
value "gap". With m annotators, ℓ_c positions of value c (of all annotators together, gaps
included), ℓ = Σ ℓ_c, and observed coincidences ℓ_ck = Σ over ordered pairs of annotators of the
length where the first has c and the second k, over m − 1:

- u-alpha compares the shares of disagreement Σ_{c≠k} ℓ_ck / ℓ, observed, and
  Σ_{c≠k} ℓ_c ℓ_k / (ℓ² − Σ_spans length² − ℓ_gap), expected. The subtracted terms are the pairs
  of positions within one span, which is one unit and cannot be paired with itself, and each gap
  position with itself.
- its binary form, written |u-alpha, takes all types together as one value against the gaps.
- cu-alpha looks only at positions that two annotators marked: ℓ*_ck are the coincidences of
  types, and a span's length is its pairable length, the mean over the other annotators of what
  they marked of it, as in ℓ*_c.
- ku-alpha is the same for one type k against the others: 1 − (ε*_k / ℓ*_k) (ℓ*_k − ℓ*_kk) /
  (ε*_k − ε*_kk), with ε* the expected coincidences of cu-alpha.

For two annotators pairable lengths are plain intersections. For more, implementations differ in
what they subtract in cu-alpha; with pairable lengths the sum of expected coincidences never
vanishes.

References
----------
Krippendorff, K., Mathet, Y., Bouvry, S. and Widlöcher, A. (2016). On the reliability of unitizing
textual continua: further developments. Quality & Quantity 50(6), 2347-2364.
Krippendorff, K. (2019). Content Analysis, 4th ed. SAGE, section 12.6.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from assay.spans.corpus import Ints
from assay.spans.figures import Floats
from assay.spans.unitizing_continuum import Continuum

REFERENCE = "Krippendorff, Mathet, Bouvry and Widlöcher (2016), Quality & Quantity 50(6), 2347-2364"
FAMILY = ("u_alpha", "u_alpha_binary", "cu_alpha", "ku_alpha")


@dataclass(frozen=True, eq=False)
class Ratio:
    """One coefficient as four sums: 1 − (observed / of) / (expected / expected_of).

    Each is a whole number, or an array of resampled ones. ``covered`` over ``covers`` is the
    share of the marked positions (cu-alpha: of all positions) that the coefficient rests on.
    """

    name: str
    type: int | None
    observed: Any
    of: Any
    expected: Any
    expected_of: Any
    covered: Any
    covers: Any

    def whole(self) -> Ratio:
        """The same of one corpus, as Python's integers."""
        sums = (self.observed, self.of, self.expected, self.expected_of, self.covered, self.covers)
        return Ratio(self.name, self.type, *map(int, sums))

    def exact(self) -> Fraction | None:
        """The value, or None where chance leaves nothing to disagree about."""
        if not self.of or not self.expected:
            return None
        return 1 - Fraction(self.observed * self.expected_of, self.of * self.expected)

    def floats(self) -> Floats:
        """The resampled values, NaN where they are not defined."""
        below = self.of * self.expected
        out = np.full(np.shape(below), np.nan)
        np.divide(self.observed * self.expected_of, below, out=out, where=below != 0)
        return 1.0 - out


def family_table(continuum: Continuum, rows: Ints, n_rows: int) -> Ints:
    """Shape (rows, columns): sums of each sentence or document, see :func:`ratios`.

    ``rows`` is each sentence's row. The stretches of an annotator must not overlap.
    """
    m, k = continuum.annotators, len(continuum.types)
    offsets = np.concatenate([[0], np.cumsum(continuum.lengths)])
    ends = [place for one in continuum.marked for place in (one.start, one.stop)]
    edges = np.unique(np.concatenate([offsets, *ends]))
    size = np.diff(edges)
    # Shape (pieces, types + 1): how many annotators have each value; gaps come first.
    values = np.zeros((size.size, k + 1), dtype=np.int64)
    where = np.arange(size.size)
    for one in continuum.marked:
        change = np.zeros(size.size + 1, dtype=np.int64)
        np.add.at(change, np.searchsorted(edges, one.start), one.type + 1)
        np.add.at(change, np.searchsorted(edges, one.stop), -(one.type + 1))
        values[where, np.cumsum(change[:-1])] += 1
    others = m - values[:, :1] - 1
    row = rows[np.searchsorted(offsets, edges[:-1], side="right") - 1]
    blocks = [values, values * (values - 1), values[:, 1:] * others]
    columns = np.concatenate(blocks, axis=1) * size[:, None]
    out = np.zeros((n_rows, columns.shape[1] + 2 * k), dtype=np.int64)
    for c in range(columns.shape[1]):
        out[:, c] = np.bincount(row, weights=columns[:, c], minlength=n_rows)
    met = np.concatenate([[0], np.cumsum(size * np.maximum(others[:, 0], 0))])
    for one in continuum.marked:
        sentence = np.searchsorted(offsets, one.start, side="right") - 1
        pairable = met[np.searchsorted(edges, one.stop)] - met[np.searchsorted(edges, one.start)]
        cell = rows[sentence] * k + one.type
        for block, length in enumerate((one.size, pairable)):
            found = np.bincount(
                cell, weights=length.astype(np.float64) ** 2, minlength=n_rows * k
            ).reshape(n_rows, k)
            first = columns.shape[1] + block * k
            out[:, first : first + k] += found.astype(np.int64)
    return out


def ratios(totals: Any, m: int, k: int) -> list[Ratio]:
    """The family from totals of shape (…, columns), for m annotators and k types.

    The columns: ℓ_c (gap first), ordered pairs of equal values a value, pairable positions a
    type, squared lengths a type, squared pairable lengths a type.
    """
    cuts = np.cumsum([k + 1, k + 1, k, k])
    length, same, pairable, squares, squares_paired = np.split(totals, cuts, axis=-1)
    gap, alike_gap = length[..., 0], same[..., 0]
    whole, paired = length.sum(axis=-1), pairable.sum(axis=-1)
    pairs = whole * (m - 1)
    apart = whole * whole - squares.sum(axis=-1) - gap
    out = [
        Ratio(
            "u_alpha", None, pairs - same.sum(axis=-1), pairs,
            whole * whole - (length * length).sum(axis=-1), apart, whole, whole,
        ),
        Ratio(
            "u_alpha_binary", None, pairs - alike_gap - paired, pairs,
            2 * gap * (whole - gap), apart, whole, whole,
        ),
        Ratio(
            "cu_alpha", None, paired - same[..., 1:].sum(axis=-1), paired,
            paired * paired - (pairable * pairable).sum(axis=-1),
            paired * paired - squares_paired.sum(axis=-1), paired, pairs,
        ),
    ]  # fmt: skip
    for c in range(k):
        met = pairable[..., c]
        out.append(
            Ratio(
                "ku_alpha", c, met - same[..., c + 1], met, met * (paired - met),
                met * paired - squares_paired[..., c], met, length[..., c + 1] * (m - 1),
            )
        )  # fmt: skip
    return out

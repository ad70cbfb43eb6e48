"""Metrics given by a matrix of distances: ratio, weights, and functions of two labels."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

import numpy as np

from assay.agreement.disagreement import Disagreement, label_totals
from assay.agreement.pool import Number
from assay.ratings.categories import Floats, Ints
from assay.ratings.patterns import Patterns
from assay.ratings.reductions import Reduced


class Pairwise(Disagreement):
    """δ² from a matrix of distances."""

    def __init__(
        self,
        made: Reduced,
        name: str,
        matrix: Floats,
        exact: list[list[Fraction]] | None,
        bound: float | None = 1.0,
    ) -> None:
        self.name = name
        self.categories = made.categories
        self.patterns = made.patterns.pairable()
        self.denominator = made.denominator
        self.matrix = matrix
        self._exact = exact
        self._bound = bound

    @property
    def bound(self) -> float | None:
        return self._bound

    @cached_property
    def totals(self) -> Ints:
        return label_totals(self.patterns)

    @cached_property
    def items(self) -> Fraction:
        return self.patterns.items(2)

    @cached_property
    def observed(self) -> Number:
        total: Number = Fraction(0)
        for r in self.patterns.by_size:
            together = self.patterns.coincidences(r)
            if self._exact is None:
                total = total + float((self.matrix * together).sum()) / (r - 1)
            else:
                total = total + _weighted(self._exact, together) / (r - 1)
        if isinstance(total, Fraction):
            return total / self.denominator / self.values
        return total / self.denominator / float(self.values)

    @cached_property
    def expected(self) -> Number:
        n, d = self.values, self.denominator
        if self._exact is None:
            t = self.totals / d
            return float(t @ self.matrix @ t) / float(n * (n - 1))
        t = self.totals.tolist()
        total = sum(
            (
                a * sum((w * b for w, b in zip(row, t, strict=True) if b), Fraction(0))
                for a, row in zip(t, self._exact, strict=True)
                if a
            ),
            Fraction(0),
        )
        return total / (d * d) / (n * (n - 1))

    def influence(self) -> tuple[Floats, Floats]:
        p = self.patterns
        shares = self.totals / self.totals.sum()
        within = np.zeros(len(p))
        step = max(1, 20_000_000 // max(1, p.q))
        x = p.dense() if len(p) <= step else None
        if x is not None:
            within = ((x @ self.matrix) * x).sum(axis=1) / (p.sizes - 1)
        else:
            within = _pairs_in_steps(p, self.matrix, step) / (p.sizes - 1)
        across = p.sum(p.counts * (self.matrix @ shares)[p.labels])
        return self._influence(within, p.sizes, p.weight, across)

    def describe(self) -> str:
        return self.name if "weights" in self.name else f"{self.name} metric"


def _pairs_in_steps(p: Patterns, matrix: Floats, step: int) -> Floats:
    out = []
    for start in range(0, len(p), step):
        x = p.take(np.arange(start, min(start + step, len(p)))).dense()
        out.append(((x @ matrix) * x).sum(axis=1))
    return np.concatenate(out)


def _weighted(exact: list[list[Fraction]], together: Ints) -> Fraction:
    a, b = np.nonzero(together)
    cells = zip(a.tolist(), b.tolist(), together[a, b].tolist(), strict=True)
    return sum((exact[i][j] * m for i, j, m in cells), Fraction(0))

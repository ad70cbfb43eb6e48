"""Disagreement δ² within and across items, and how each item moves alpha; the nominal metric."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import cached_property

import numpy as np

from assay.agreement.pool import Number
from assay.ratings.categories import Categories, Floats, Ints
from assay.ratings.patterns import Patterns
from assay.ratings.reductions import Reduced
from assay.ratings.sums import exact_dot


class Disagreement(ABC):
    """A metric applied to one set of ratings."""

    name: str
    categories: Categories
    denominator: int
    detail: str = ""

    @property
    @abstractmethod
    def totals(self) -> Ints:
        """Shape (q,): pairable values of each label, over the denominator."""

    @property
    @abstractmethod
    def items(self) -> Fraction:
        """Items with two ratings or more."""

    @property
    @abstractmethod
    def observed(self) -> Number:
        """D_o, the mean disagreement within items."""

    @property
    @abstractmethod
    def expected(self) -> Number:
        """D_e, the mean disagreement of all pairs of pairable values."""

    @property
    def bound(self) -> float | None:
        """The largest δ² that two of the categories can have."""
        return 1.0

    @abstractmethod
    def influence(self) -> tuple[Floats, Floats]:
        """How each group of items moves alpha, and how many items it stands for."""

    @cached_property
    def values(self) -> Fraction:
        """Pairable values."""
        return Fraction(int(self.totals.sum()), self.denominator)

    @property
    def labels_used(self) -> int:
        return int(np.count_nonzero(self.totals))

    @property
    def only_label(self) -> str:
        return self.categories.texts[int(np.flatnonzero(self.totals)[0])]

    def describe(self) -> str:
        """In words, for full names."""
        return f"{self.name} metric{self.detail}"

    def _influence(
        self, within: Floats, sizes: Ints, weight: Floats | Ints, across: Floats
    ) -> tuple[Floats, Floats]:
        """From Σ_pairs δ² / (r − 1) and Σ_j r_ij e_j of each item, with e_j = Σ_l π_l δ²_jl."""
        n = float(self.values)
        observed = float(self.observed)
        expected = float(self.expected) * (n - 1.0) / n
        mean_size = n / float(self.items)
        direct = -(within - observed * sizes) / (mean_size * expected)
        chance = 2.0 * (across - expected * sizes) / mean_size
        # Divided twice: the square of δ² is beyond what a float holds long before δ² is.
        moved = direct + observed / expected * (chance / expected)
        return moved, np.asarray(weight, dtype=np.float64)


class Nominal(Disagreement):
    """δ² = 1 for different labels."""

    def __init__(self, made: Reduced) -> None:
        self.name = "nominal"
        self.categories = made.categories
        self.patterns = made.patterns.pairable()
        self.denominator = made.denominator

    @cached_property
    def totals(self) -> Ints:
        return label_totals(self.patterns)

    @cached_property
    def items(self) -> Fraction:
        return self.patterns.items(2)

    @cached_property
    def observed(self) -> Number:
        total = Fraction(0)
        for r, s in self.patterns.by_size.items():
            total += Fraction(r * int(s.ratings.sum()) - int(s.squares.sum()), r - 1)
        return total / self.denominator / self.values

    @cached_property
    def expected(self) -> Number:
        n = self.values
        same = Fraction(exact_dot(self.totals, self.totals), self.denominator**2)
        return (n * n - same) / (n * (n - 1))

    def influence(self) -> tuple[Floats, Floats]:
        p = self.patterns
        within = (p.sizes**2 - p.sum(p.counts**2)) / (p.sizes - 1)
        shares = self.totals / self.totals.sum()
        across = p.sum(p.counts * (1.0 - shares[p.labels]))
        return self._influence(within, p.sizes, p.weight, across)


def label_totals(p: Patterns) -> Ints:
    """Shape (q,): ratings of each label."""
    out = np.zeros(p.q, dtype=np.int64)
    for s in p.by_size.values():
        out += s.ratings
    return out

"""One pair of raters: the cells of their contingency table that are not 0, as integers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from assay.agreement.inputs import need_raters, need_two_raters
from assay.ratings.categories import Categories, Floats, Ints
from assay.ratings.pairs import PairTables
from assay.ratings.reductions import Reduced


@dataclass(frozen=True, eq=False)
class Cells:
    """A two-rater table, sparse.

    Attributes
    ----------
    a, b, n
        Shape (cells,): label of the first rater, of the second, and count.
    denominator
        Counts are n / denominator items.
    """

    a: Ints
    b: Ints
    n: Ints
    categories: Categories
    raters: tuple[str, str] = ("A", "B")
    denominator: int = 1

    @classmethod
    def of_pair(cls, pairs: PairTables, index: int, made: Reduced) -> Cells:
        """The cells of one pair of raters."""
        a, b, n = pairs.cells(index)
        g, h = pairs.raters[index].tolist()
        return cls(a, b, n, made.categories, (made.raters[g], made.raters[h]), pairs.denominator)

    @classmethod
    def of_two(cls, made: Reduced, name: str) -> Cells:
        """The cells of ratings by exactly two raters (empty where they share no item)."""
        need_raters(made, name)
        need_two_raters(made, name)
        if len(made.pairs):
            return cls.of_pair(made.pairs, 0, made)
        none = np.zeros(0, dtype=np.int64)
        names = made.raters if len(made.raters) == 2 else ("A", "B")
        return cls(none, none, none, made.categories, (names[0], names[1]))

    @property
    def q(self) -> int:
        return len(self.categories)

    @cached_property
    def total(self) -> int:
        """Σ n, over the denominator."""
        return sum(self.n.tolist())

    @property
    def items(self) -> Fraction:
        return Fraction(self.total, self.denominator)

    @cached_property
    def rows(self) -> Ints:
        """Shape (q,): the first rater's label counts."""
        out = np.zeros(self.q, dtype=np.int64)
        np.add.at(out, self.a, self.n)
        return out

    @cached_property
    def columns(self) -> Ints:
        """Shape (q,): the second rater's label counts."""
        out = np.zeros(self.q, dtype=np.int64)
        np.add.at(out, self.b, self.n)
        return out

    @cached_property
    def diagonal(self) -> Ints:
        """Shape (q,): items on which both gave the label."""
        out = np.zeros(self.q, dtype=np.int64)
        same = self.a == self.b
        np.add.at(out, self.a[same], self.n[same])
        return out

    @cached_property
    def agreeing(self) -> int:
        """Σ of the diagonal, over the denominator."""
        return sum(self.diagonal.tolist())

    @cached_property
    def shares(self) -> Floats:
        """Shape (cells,): each cell's share of the items."""
        return self.n / self.total

    def dense(self) -> Ints:
        """Shape (q, q): the table."""
        out = np.zeros((self.q, self.q), dtype=np.int64)
        out[self.a, self.b] = self.n
        return out

    def transposed(self) -> Cells:
        """The same table with the raters exchanged."""
        order = np.lexsort((self.a, self.b))
        return Cells(
            self.b[order], self.a[order], self.n[order], self.categories,
            (self.raters[1], self.raters[0]), self.denominator,
        )  # fmt: skip

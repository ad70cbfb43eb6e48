"""Comparisons as exact counts: one row a pair of systems that met.

Every figure but those of raters and items is a function of these rows, so that they can be
added over parts of the data and drawn anew for resampling.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.preference.model import Comparisons, Ints


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Pairs of systems that met, a < b, and what came out.

    Attributes
    ----------
    systems
        The systems' names.
    a, b
        Shape (pairs,): the systems' codes.
    a_left, b_left
        Shape (pairs, 3): with a on the left, and with b on the left, how often a won, how
        often it was a tie, how often b won.

    Examples
    --------
    >>> from assay.preference.read import read_comparisons
    >>> games = read_comparisons([("y", "x", "left"), ("x", "y", "left"), ("x", "y", "tie")])
    >>> counts = PairCounts.of(games)
    >>> counts.table.tolist()
    [[1, 1, 1]]
    """

    systems: tuple[str, ...]
    a: Ints
    b: Ints
    a_left: Ints
    b_left: Ints

    @classmethod
    def of(cls, comparisons: Comparisons) -> PairCounts:
        """Count comparisons."""
        k = len(comparisons.systems)
        swapped = comparisons.left > comparisons.right
        # 0: a won, 1: tie, 2: b won.
        result = np.where(swapped, 1 + comparisons.outcome, 1 - comparisons.outcome)
        pair = comparisons.pair
        met, place = _distinct(pair, k * k)
        cell = (place * 2 + swapped) * 3 + result
        table = np.bincount(cell, minlength=6 * len(met)).reshape(-1, 2, 3).astype(np.int64)
        return cls(comparisons.systems, met // k, met % k, table[:, 0], table[:, 1])

    @classmethod
    def of_matrices(
        cls, wins: npt.NDArray[np.int64], ties: npt.NDArray[np.int64], systems: tuple[str, ...]
    ) -> PairCounts:
        """Counts from wins of row over column, and ties above the diagonal or on both sides."""
        a, b = np.nonzero(np.triu(wins + wins.T + ties + ties.T, 1))
        table = np.stack((wins[a, b], ties[a, b], wins[b, a]), axis=1).astype(np.int64)
        return cls(systems, a, b, table, np.zeros_like(table))

    @property
    def k(self) -> int:
        return len(self.systems)

    @cached_property
    def table(self) -> Ints:
        """Wins of a, ties and wins of b, a row a pair."""
        return np.asarray(self.a_left + self.b_left)

    @cached_property
    def n(self) -> int:
        """All comparisons."""
        return int(self.table.sum())

    @cached_property
    def wins(self) -> Ints:
        """How often the system of the row won against that of the column."""
        out = np.zeros((self.k, self.k), dtype=np.int64)
        out[self.a, self.b], out[self.b, self.a] = self.table[:, 0], self.table[:, 2]
        return out

    @cached_property
    def ties(self) -> Ints:
        """How often two systems tied, on both sides of the diagonal."""
        out = np.zeros((self.k, self.k), dtype=np.int64)
        out[self.a, self.b] = out[self.b, self.a] = self.table[:, 1]
        return out

    @cached_property
    def results(self) -> Ints:
        """Wins, ties and losses, a row a system."""
        return np.asarray(np.stack((self.wins.sum(1), self.ties.sum(1), self.wins.sum(0)), axis=1))

    @cached_property
    def on_left(self) -> Ints:
        """How often each system stood on the left."""
        left = np.bincount(self.a, self.a_left.sum(1), self.k)
        return np.asarray(
            np.rint(left + np.bincount(self.b, self.b_left.sum(1), self.k)), dtype=np.int64
        )


def _distinct(codes: Ints, space: int) -> tuple[Ints, Ints]:
    """The distinct codes, and each code's place among them."""
    if space <= 4 * len(codes) + 1_000_000:
        seen = np.zeros(space, dtype=bool)
        seen[codes] = True
        return np.flatnonzero(seen), (np.cumsum(seen) - 1)[codes]
    met, place = np.unique(codes, return_inverse=True)
    return met, place.reshape(-1)


def matrix_of(values: object, what: str) -> npt.NDArray[np.int64]:
    """A square matrix of counts, checked.

    >>> matrix_of([[0, 2], [1, 0]], "wins").tolist()
    [[0, 2], [1, 0]]
    """
    try:
        made = np.asarray(values)
    except ValueError:
        raise InputError(f"{what}: rows of one length are needed.") from None
    if made.ndim != 2 or made.shape[0] != made.shape[1]:
        raise InputError(f"{what}: a square matrix is needed, not one of shape {made.shape}.")
    if made.dtype.kind not in "iuf" or not np.isfinite(made).all():
        raise InputError(f"{what}: counts are needed.")
    if (made < 0).any() or (made != np.floor(made)).any():
        raise InputError(f"{what}: whole numbers from 0 are needed.")
    if np.diagonal(made).any():
        raise InputError(f"{what}: the diagonal has to be 0; no system meets itself.")
    return made.astype(np.int64)

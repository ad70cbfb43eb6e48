"""Sums over each item's ratings: what metrics on a line need, however many values there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ratings.categories import Floats, Ints
from assay.ratings.model import Block
from assay.ratings.patterns import Patterns


def exact_dot(weights: Ints, values: Ints) -> int:
    """Σ w v in whole numbers of any size, for w ≥ 0 and |v| < 2^62."""
    # The halves of v keep each partial sum below 2^63 while Σ w is below 2^31 or so.
    if int(weights.sum()) < 1 << 31:
        high, low = values >> 31, values & ((1 << 31) - 1)
        return (int(weights @ high) << 31) + int(weights @ low)
    return sum(w * v for w, v in zip(weights.tolist(), values.tolist(), strict=True) if w)


class ItemSums(ABC):
    """Sums over each item's ratings, for items with two or more.

    Attributes
    ----------
    sizes, weights
        Shape (groups,): ratings an item has, and how many items a group stands for.
    totals
        Shape (q,): values of each label.
    """

    def __init__(self, sizes: Ints, weights: Ints, totals: Ints) -> None:
        self.sizes = sizes
        self.weights = weights
        self.totals = totals

    @abstractmethod
    def moments(self, values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Σ x and Σ x² of each item, for a value a label."""

    @abstractmethod
    def per_label(self, scale: Floats) -> Floats:
        """Shape (q,): Σ over values of each label of their item's ``scale``."""


class PatternSums(ItemSums):
    """From patterns, where labels are few."""

    def __init__(self, patterns: Patterns) -> None:
        self._p = patterns
        totals = np.zeros(patterns.q, dtype=np.int64)
        for part in patterns.by_size.values():
            totals += part.ratings
        super().__init__(patterns.sizes, patterns.multiplicity, totals)

    def moments(self, values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        p = self._p
        x = values[p.labels]
        return p.sum(p.counts * x), p.sum(p.counts * x * x)

    def per_label(self, scale: Floats) -> Floats:
        p = self._p
        out = np.zeros(p.q)
        np.add.at(out, p.labels, p.counts * scale[p.owner])
        return out


class BlockSums(ItemSums):
    """From the blocks, without forming patterns."""

    def __init__(self, blocks: tuple[Block, ...], q: int) -> None:
        self._blocks = []
        sizes, weights = [], []
        totals = np.zeros(q, dtype=np.int64)
        for block in blocks:
            count = (block.labels >= 0).sum(axis=0)
            labels = block.labels[:, count >= 2]
            times = np.ones(block.n, np.int64) if block.weights is None else block.weights
            sizes.append(count[count >= 2])
            weights.append(times[count >= 2])
            self._blocks.append(labels)
            for row in labels:
                given = row >= 0
                np.add.at(totals, row[given], weights[-1][given])
        none = np.zeros(0, dtype=np.int64)
        super().__init__(np.concatenate([none, *sizes]), np.concatenate([none, *weights]), totals)
        self._q = q

    def moments(self, values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        table = np.append(values, values.dtype.type(0))  # label -1 picks the 0 at the end
        first, second = [], []
        for labels in self._blocks:
            one = np.zeros(labels.shape[1], dtype=values.dtype)
            two = np.zeros_like(one)
            for row in labels:
                x = table[row]
                one += x
                two += x * x
            first.append(one)
            second.append(two)
        none = np.zeros(0, dtype=values.dtype)
        return np.concatenate([none, *first]), np.concatenate([none, *second])

    def per_label(self, scale: Floats) -> Floats:
        out = np.zeros(self._q + 1)
        start = 0
        for labels in self._blocks:
            part = scale[start : start + labels.shape[1]]
            start += labels.shape[1]
            for row in labels:
                np.add.at(out, row, part)
        return out[:-1]

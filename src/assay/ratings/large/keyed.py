"""Counts of distinct small tuples of whole numbers, each packed into one number of 62 bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ratings.categories import Ints

Array = npt.NDArray[Any]

MOST_BITS = 62
DENSE_BITS = 20
"""Up to this many bits, keys are counted by table look-up."""
PENDING = 1 << 21
"""Distinct keys that are kept before they are added up."""


class Keyed:
    """How many items have each key.

    Parameters
    ----------
    bits
        The width of each field of a key, the lowest first.
    """

    def __init__(self, bits: Sequence[int]) -> None:
        self.bits = tuple(bits)
        self._dense: Ints | None = None
        self._parts: list[tuple[Ints, Ints]] = []
        self._pending = 0

    @property
    def width(self) -> int:
        return sum(self.bits)

    @property
    def held(self) -> int:
        """About how many distinct keys there are."""
        if self._dense is not None:
            return int(np.count_nonzero(self._dense))
        return sum(keys.size for keys, _ in self._parts)

    def fits(self, bits: Sequence[int]) -> bool:
        """Whether fields of these widths can be counted here as they are."""
        return len(bits) <= len(self.bits) and all(
            mine >= theirs for mine, theirs in zip(self.bits, bits, strict=False)
        )

    def place(self, field: int) -> int:
        """The lowest bit of a field."""
        return sum(self.bits[:field])

    def add(self, keys: Ints, times: Ints | None = None) -> None:
        """Count keys, each once or as often as ``times`` says."""
        if self.width <= DENSE_BITS:
            if self._dense is None:
                self._dense = np.zeros(1 << self.width, dtype=np.int64)
            if times is None:
                self._dense += np.bincount(keys, minlength=self._dense.size)
            else:
                np.add.at(self._dense, keys, times)
            return
        found, counts = collected(keys, times)
        self._parts.append((found, counts))
        self._pending += found.size
        if self._pending > PENDING and len(self._parts) > 1:
            self.counted()

    def counted(self) -> tuple[Ints, Ints]:
        """The distinct keys in order, and how often each was counted."""
        if self._dense is not None:
            keys = np.flatnonzero(self._dense)
            return keys, self._dense[keys]
        if len(self._parts) != 1:
            none = np.zeros(0, dtype=np.int64)
            keys = np.concatenate([none, *(k for k, _ in self._parts)])
            times = np.concatenate([none, *(n for _, n in self._parts)])
            self._parts = [collected(keys, times)]
            # As many again may come before they are added up once more.
            self._pending = 0
        return self._parts[0]

    def fields(self) -> tuple[Ints, Ints]:
        """The distinct keys as rows of fields, shape (keys, fields), and their counts."""
        keys, times = self.counted()
        out = np.empty((keys.size, len(self.bits)), dtype=np.int64)
        for field, bits in enumerate(self.bits):
            out[:, field] = (keys >> self.place(field)) & ((1 << bits) - 1)
        return out, times

    def widened(self, bits: Sequence[int]) -> Keyed:
        """The same counts with wider fields, and more of them."""
        wide = [
            max(a, b)
            for a, b in zip(
                [*self.bits, *[0] * (len(bits) - len(self.bits))],
                [*bits, *[0] * (len(self.bits) - len(bits))],
                strict=True,
            )
        ]
        out = Keyed(wide)
        if out.width > MOST_BITS:
            raise OverflowError("keys of more than 62 bits")
        fields, times = self.fields()
        keys = np.zeros(times.size, dtype=np.int64)
        for field in range(len(self.bits)):
            keys |= fields[:, field] << out.place(field)
        if keys.size:
            out.add(keys, times)
        return out

    def merged(self, other: Keyed) -> Keyed:
        """The counts of both."""
        out = self if self.fits(other.bits) else self.widened(other.bits)
        same = other if other.bits == out.bits else other.widened(out.bits)
        keys, times = same.counted()
        if keys.size:
            out.add(keys, times)
        return out


def collected(keys: Ints, times: Ints | None) -> tuple[Ints, Ints]:
    """Distinct keys in order, with how often each came."""
    if times is None:
        ordered = np.sort(keys)
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: ordered.size])
        return ordered[starts], np.diff(starts, append=ordered.size)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: ordered.size])
    sums = np.add.reduceat(times[order], starts) if starts.size else times[:0]
    return ordered[starts], sums

"""Chance that is the same everywhere.

Python promises the same floats from the same seed, not the same shuffles. This stream is
SHA-256 in counter mode, so an assignment can be reproduced by any version on any machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_WORD = 8
_SPAN = 1 << (8 * _WORD)


class Stream:
    """Whole numbers drawn evenly, from a seed and a purpose.

    Streams of different purposes are independent, so that what is drawn for one rater does
    not move when another joins.

    >>> stream = Stream(1, "an example")
    >>> [stream.below(6) for _ in range(8)]
    [1, 1, 3, 0, 1, 0, 2, 1]
    >>> Stream(1, "an example").shuffled("abcdef")
    ['c', 'd', 'a', 'e', 'f', 'b']
    """

    __slots__ = ("_at", "_block", "_count", "_key")

    def __init__(self, seed: int, *purpose: object) -> None:
        # Lengths before texts: no two purposes have one key.
        parts = [str(part).encode() for part in (seed, *purpose)]
        framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        self._key = hashlib.sha256(framed).digest()
        self._count = 0
        self._block = b""
        self._at = 0

    def _word(self) -> int:
        if self._at >= len(self._block):
            counter = self._count.to_bytes(8, "big")
            self._block = hashlib.sha256(self._key + counter).digest()
            self._count += 1
            self._at = 0
        word = int.from_bytes(self._block[self._at : self._at + _WORD], "big")
        self._at += _WORD
        return word

    def below(self, n: int) -> int:
        """A number from 0 to n − 1, each equally probable."""
        if not 1 <= n <= _SPAN:
            raise ValueError(f"below: a number from 1 to 2**64 is needed, not {n}.")
        limit = _SPAN - _SPAN % n
        while (word := self._word()) >= limit:
            pass  # Taking these as well would make small numbers likelier.
        return word % n

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """The values in random order (Fisher and Yates)."""
        out = list(values)
        for last in range(len(out) - 1, 0, -1):
            other = self.below(last + 1)
            out[last], out[other] = out[other], out[last]
        return out

    def sample(self, values: Sequence[T], count: int) -> list[T]:
        """So many of the values, in the order in which they were given."""
        places = self.shuffled(range(len(values)))[:count]
        return [values[place] for place in sorted(places)]

"""The names of a few items of each pattern: enough to show the hardest ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.ratings.categories import Ints
from assay.ratings.crowd import Example, Multiset
from assay.ratings.large.identity import Words, texts_of, widened

if TYPE_CHECKING:
    from assay.ratings.large.chunk import Chunk

MOST = 10
"""Items that are kept of each pattern: the first by name."""
PATTERNS = 100_000
"""The most patterns of which items are kept."""
SLOTS = 20
LAST = np.uint64(2**64 - 1)

Place = tuple[int, ...]
"""What puts names in order: the words of a name, as big-endian numbers."""
Given = tuple[tuple[int, int], ...]
"""(rater, label) in codes, by rater."""


class Kept:
    """The first items by name of each pattern.

    Most items are left at a glance: a table says how far a pattern's names reach already.

    Parameters
    ----------
    number
        Whether names are numbers.
    """

    def __init__(self, *, number: bool) -> None:
        self.number = number
        self.of: dict[Multiset, list[tuple[Place, str, Given]]] = {}
        self._key = np.full(1 << SLOTS, -1, dtype=np.int64)
        self._reach = np.full(1 << SLOTS, LAST, dtype=np.uint64)
        self._skip: tuple[int, ...] | None = None
        self._furthest: Place = ()

    def add(self, chunk: Chunk) -> bool:
        """Look at the items of a chunk; False to give up."""
        keys = _keys(chunk)
        if self._skip is None:
            self._skip = _shared(chunk.words)
        slot = _slot(keys)
        unknown = self._key[slot] != keys
        if not (chunk.in_order and self._place(chunk.words[:1])[0] > self._furthest):
            unknown |= self._near(chunk.words) <= self._reach[slot]
        open_ = np.flatnonzero(unknown)
        if not open_.size:
            return True
        words = np.take(chunk.words, open_, axis=0)
        words = words if self.number else words.byteswap()
        order = np.lexsort((*words.T[::-1], keys[open_]))
        chosen = open_[order]
        mine = keys[chosen]
        new = np.flatnonzero(np.append(True, mine[1:] != mine[:-1]))
        nth = np.arange(mine.size) - np.repeat(new, np.diff(new, append=mine.size))
        chosen = chosen[nth < MOST]
        self._take(keys, chosen, chunk)
        return len(self.of) <= PATTERNS

    def _take(self, keys: Ints, chosen: Ints, chunk: Chunk) -> None:
        sizes = chunk.sizes()
        words = np.take(chunk.words, chosen, axis=0)
        places = self._place(words)
        names = texts_of(words, number=self.number)
        for item, place, name in zip(chosen.tolist(), places, names, strict=True):
            start = int(chunk.start[item])
            part = slice(start, start + int(sizes[item]))
            labels = chunk.labels[part].tolist()
            given = tuple(sorted(zip(chunk.raters[part].tolist(), labels, strict=True)))
            held = self.of.setdefault(tuple(sorted(labels)), [])
            _insert(held, [(place, name, given)])
            if len(held) == MOST:
                slot = int(_slot(keys[item : item + 1])[0])
                self._key[slot] = keys[item]
                self._furthest = max(self._furthest, held[-1][0])
                last = np.array([held[-1][0]], dtype=np.uint64)
                self._reach[slot] = self._near(last if self.number else last.byteswap())[0]

    def _place(self, words: Words) -> list[Place]:
        """What puts these names in order; words of zeros at the end say nothing."""
        rows = (words if self.number else words.byteswap()).tolist()
        return [tuple(row) for row in rows]

    def _near(self, words: Words) -> Words:
        """Shape (names,): eight bytes behind what all names share, as a number in order."""
        if self.number:
            return words[:, 0]
        head = self._skip or ()
        start = len(head)
        column = widened(words, start + 1)[:, start].byteswap()
        for k, word in enumerate(head):
            # A name that does not share the beginning comes before all that do, or after.
            mine = words[:, k].byteswap() if k < words.shape[1] else np.zeros(len(words), "u8")
            column = np.where(mine < word, np.uint64(0), np.where(mine > word, LAST, column))
        return column

    def merged(self, other: Kept) -> Kept | None:
        """The first items of both; None where there are too many patterns."""
        for pattern, some in other.of.items():
            _insert(self.of.setdefault(pattern, []), some)
        return self if len(self.of) <= PATTERNS else None


def _insert(held: list[Any], some: Iterable[Any]) -> None:
    held.extend(some)
    held.sort(key=lambda one: (one[0], one[1]))
    del held[MOST:]


def _keys(chunk: Chunk) -> Ints:
    """Shape (items,): a number for what an item was given, whatever the order."""
    codes = np.arange(1, int(chunk.labels.max()) + 2, dtype=np.uint64)
    mixed = codes * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(29)
    return np.add.reduceat(mixed.view(np.int64)[chunk.labels], chunk.start)


def _slot(keys: Ints) -> Ints:
    return keys & ((1 << SLOTS) - 1)


def _shared(words: Words) -> tuple[int, ...]:
    """The first words that all names of a chunk share, as big-endian numbers."""
    out: list[int] = []
    for k in range(words.shape[1]):
        if (words[:, k] != words[0, k]).any():
            break
        out.append(int(words[0, k].byteswap()))
    return tuple(out[: words.shape[1] - 1])


class Found:
    """The kept items, as examples with the raters' names."""

    def __init__(self, kept: Kept, raters: Sequence[str]) -> None:
        self._kept = kept
        self._raters = raters

    def of(self, patterns: Iterable[Multiset], most: int) -> list[Example]:
        """The first ``most`` items, by name, that were given one of these multisets."""
        held = [one for p in patterns for one in self._kept.of.get(p, ())]
        held.sort(key=lambda one: (one[0], one[1]))
        return [
            Example(name, tuple(sorted((self._raters[who], label) for who, label in given)))
            for _, name, given in held[:most]
        ]

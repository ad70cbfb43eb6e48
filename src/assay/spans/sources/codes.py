"""Numbers for byte strings: the distinct ones among many fields, and fingerprints of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from assay.spans.sources.fields import PAD, Ints

Words = npt.NDArray[np.uint64]

_MASKS = np.array([(1 << (8 * k)) - 1 for k in range(9)], dtype=np.uint64)
# Odd constants with well spread bits (fractional parts of the golden ratio, of e and of pi).
_MIX = np.array([0x9E3779B97F4A7C15, 0xB7E151628AED2A6B, 0x243F6A8885A308D3], dtype=np.uint64)
_SLOTS = 12


def words(data: bytes, start: Ints, length: Ints, k: int = 0) -> Words:
    """The k-th eight bytes of each field, zeros behind its end.

    ``data`` has eight bytes to spare at its end.
    """
    every = np.ndarray((len(data) - 7,), "<u8", data, 0, (1,))
    if k:
        start, length = start + 8 * k, length - 8 * k
    return np.asarray(every[start] & _MASKS[np.minimum(length, 8)])


def number(values: npt.NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """A small number for each value, and one place of each number.

    Few distinct values are found by a table of their mixed bits, checked value by value.

    Examples
    --------
    >>> codes, first = number(np.array([7, 9, 7, 7], dtype=np.uint64))
    >>> len(first), (codes == codes[0]).tolist()
    (2, [True, False, True, True])
    """
    for factor in _MIX if values.size else ():
        slot = ((values * factor) >> np.uint64(64 - _SLOTS)).astype(np.int64)
        place = np.full(1 << _SLOTS, -1, dtype=np.int64)
        place[slot] = np.arange(values.size)
        if (values[place[slot]] == values).all():
            used = np.flatnonzero(place >= 0)
            codes = np.zeros(1 << _SLOTS, dtype=np.int64)
            codes[used] = np.arange(used.size)
            return codes[slot], place[used]
    _, first, back = np.unique(values, return_index=True, return_inverse=True)
    return back.astype(np.int64), first.astype(np.int64)


def distinct(data: bytes, start: Ints, length: Ints) -> tuple[Ints, Ints]:
    """A number for each field, the same for the same bytes, and one place of each number."""
    codes, first = number(words(data, start, length))
    long = np.flatnonzero(length > 8)
    if not long.size:
        return codes, first
    k = 1
    while long.size:
        more, _ = number(words(data, start[long], length[long], k))
        joined, _ = number((codes[long] * (int(more.max()) + 1) + more).astype(np.uint64))
        codes[long] = joined + int(codes.max()) + 1
        k += 1
        long = long[length[long] > 8 * k]
    return number(codes.astype(np.uint64))


def fingerprints(
    data: bytes, start: Ints, length: Ints, sizes: Ints, *, first: Words | None = None
) -> Words:
    """Shape (sentences,): 64 bits that depend on each sentence's tokens and their order.

    ``sizes`` holds the number of tokens of each sentence; ``first`` each token's first word
    where it is known already.
    """
    one, two, three = _MIX
    half = np.uint64(32)
    mixed = (words(data, start, length) if first is None else first) * one
    mixed ^= mixed >> half
    long = np.flatnonzero(length > 8)
    k = 1
    while long.size:
        part = (mixed[long] ^ words(data, start[long], length[long], k)) * two
        mixed[long] = part ^ (part >> half)
        k += 1
        long = long[length[long] > 8 * k]
    ends = np.cumsum(sizes)
    place = np.arange(mixed.size) - np.repeat(ends - sizes, sizes)
    mixed += (place.astype(np.uint64) + np.uint64(1)) * three
    mixed ^= mixed >> half
    mixed *= two
    mixed ^= mixed >> half
    out = np.zeros(sizes.size, dtype=np.uint64)
    full = sizes > 0
    if full.any():
        out[full] = np.add.reduceat(mixed, (ends - sizes)[full])
    return out + sizes.astype(np.uint64)


def fingerprints_of(sentences: Iterable[Sequence[str]]) -> Words:
    """The same fingerprints for tokens in memory."""
    rows = [list(row) for row in sentences]
    tokens = [token.encode("utf-8", "surrogatepass") for token in chain.from_iterable(rows)]
    length = np.fromiter(map(len, tokens), np.int64, len(tokens))
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    return fingerprints(b"".join(tokens) + PAD, np.cumsum(length) - length, length, sizes)

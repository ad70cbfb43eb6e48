"""Which rows are of one item: names as whole numbers that are equal where the names are.

A name of n bytes becomes n / 8 words of 64 bits, so that millions of names are compared, hashed
and put in order without making a Python object of any. Nothing is hashed away: two names have
the same words if, and only if, they are the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from assay.ratings.ids import id_text
from assay.ratings.sources.arrays import is_empty

if TYPE_CHECKING:
    import pyarrow as pa

Words = npt.NDArray[np.uint64]
Array = npt.NDArray[Any]

_MASK = np.array([0, *((1 << (8 * k)) - 1 for k in range(9))], dtype=np.uint64)
# A byte 1 behind the last one, so that "a" and "a\x00" differ when padded with zeros.
_END = np.array([0, *(1 << (8 * k) for k in range(8)), 0], dtype=np.uint64)
_LOW, _HIGH = 0x21, 0x7E


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """A column of names.

    Attributes
    ----------
    words
        Shape (names, width).
    place
        Shape (rows,): each row's name, by its place in ``words``; None where rows are names.
    empty
        Shape (names,): names that are empty, or None where there is none.
    """

    words: Words
    place: Array | None
    empty: npt.NDArray[np.bool_] | None

    def of_rows(self) -> Words:
        """Shape (rows, width)."""
        return self.words if self.place is None else np.take(self.words, self.place, axis=0)

    def empty_rows(self) -> Array | None:
        """Rows whose name is empty, or None where there is none."""
        if self.empty is None:
            return None
        rows = self.empty if self.place is None else self.empty[self.place]
        return np.flatnonzero(rows) if rows.any() else None


Order = Literal["number", "bytes", "natural"]
"""What names are in order by; natural is item2 before item10."""

JSON = "\x01"
"""What stands before an item that is no text in JSON lines."""


def names_of(column: pa.Array, *, number: bool = False) -> Names:
    """The names in a column, trimmed and in Unicode's composed form.

    Parameters
    ----------
    number
        Whether all names of the source are whole numbers, which are then kept as such; else a
        number is the text that it is written as, and 7, 7.0 and "7" are one name.
    """
    import pyarrow as pa
    import pyarrow.types as kinds

    if kinds.is_dictionary(column.type):
        values = names_of(column.dictionary, number=number)
        place = column.indices
        if values.place is not None:
            place = pa.array(values.place).take(place)
        if not column.null_count:
            return Names(values.words, place.to_numpy(zero_copy_only=False), values.empty)
        rows = place.fill_null(len(values.words)).to_numpy(zero_copy_only=False)
        words = np.concatenate([values.words, np.zeros((1, values.words.shape[1]), np.uint64)])
        gone = np.append(
            np.zeros(len(values.words), bool) if values.empty is None else values.empty, True
        )
        return Names(words, rows, gone)
    if kinds.is_integer(column.type) and not number:
        return names_of(column.cast(pa.string()))
    if kinds.is_integer(column.type):
        empty = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else None
        filled = column.fill_null(0) if column.null_count else column
        # The sign bit is turned round, so that words are in the order of the numbers.
        words = filled.cast(pa.int64()).to_numpy(zero_copy_only=False).view(np.uint64)
        return Names((words ^ np.uint64(1 << 63))[:, None], None, empty)
    if kinds.is_string(column.type) or kinds.is_large_string(column.type):
        return _of_texts(column)
    if kinds.is_string_view(column.type):
        return _of_texts(column.cast(pa.large_string()))
    # Anything else as it is written, through its distinct values; NaN is no name.
    coded = column.dictionary_encode()
    texts = ["" if is_empty(v) else id_text(v) for v in coded.dictionary.to_pylist()]
    return names_of(pa.DictionaryArray.from_arrays(coded.indices, pa.array(texts, pa.string())))


def _of_texts(column: pa.Array) -> Names:
    import pyarrow as pa

    start, data = _buffers(column)
    if column.null_count or not _clean(start, data):
        coded = column.dictionary_encode()
        texts = [id_text(v) for v in coded.dictionary.to_pylist()]
        cleaned = pa.DictionaryArray.from_arrays(coded.indices, pa.array(texts, pa.string()))
        place = cleaned.indices
        start, data = _buffers(cleaned.dictionary)
        words = _words(start, data)
        empty = np.diff(start) == 0
        rows = place.fill_null(len(texts)).to_numpy(zero_copy_only=False)
        words = np.concatenate([words, np.zeros((1, words.shape[1]), np.uint64)])
        gone = np.append(empty, True)
        return Names(words, rows, gone if gone[rows].any() else None)
    return Names(_words(start, data), None, None)


def _buffers(column: pa.Array) -> tuple[Array, Array]:
    """Where each text begins (and the last one ends), and the bytes."""
    import pyarrow.types as kinds

    _, offsets, data = column.buffers()
    kind = np.int64 if kinds.is_large_string(column.type) else np.int32
    at = column.offset
    start = np.frombuffer(offsets, dtype=kind)[at : at + len(column) + 1].astype(np.int64)
    held = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, dtype=np.uint8)
    return start, held


def _clean(start: Array, data: Array) -> bool:
    """Whether all texts are plain ASCII without outer blanks, and none is empty."""
    if start.size < 2:
        return True
    if not bool((start[1:] > start[:-1]).all()):
        return False
    if int(data[start[0] : start[-1]].max()) >= 0x80:
        return False
    first, last = data[start[:-1]], data[start[1:] - 1]
    return min(int(first.min()), int(last.min())) >= _LOW and (
        max(int(first.max()), int(last.max())) <= _HIGH
    )


def _words(start: Array, data: Array) -> Words:
    """Shape (texts, width): the bytes of each text, eight a word, first byte first."""
    length = np.diff(start)
    n, longest = length.size, int(length.max(initial=0))
    width = longest // 8 + 1
    if n and longest == int(length.min()):
        rows = np.zeros((n, 8 * width), dtype=np.uint8)
        rows[:, :longest] = data[start[0] : start[-1]].reshape(n, longest)
        rows[:, longest] = 1
        return rows.view("<u8")
    held = np.zeros(int(start[-1] - start[0]) + 8, dtype=np.uint8)
    held[: held.size - 8] = data[start[0] : start[-1]]
    # Eight bytes from any place on, read as one number.
    eight = np.ndarray(shape=(held.size - 7,), dtype="<u8", buffer=held, strides=(1,))
    words = np.zeros((n, width), dtype=np.uint64)
    begin = start[:-1] - start[0]
    for k in range(width):
        there = np.clip(length - (8 * k - 1), 0, 9)  # one more than the bytes that are left
        got = eight[np.minimum(begin + 8 * k, held.size - 8)]
        got &= _MASK[there]
        got |= _END[there]
        words[:, k] = got
    return words


def texts_of(words: Words, *, number: bool) -> list[str]:
    """The names that words stand for."""
    if number:
        return [str(v) for v in (words[:, 0] ^ np.uint64(1 << 63)).view(np.int64).tolist()]
    return [bytes(row).rstrip(b"\x00")[:-1].decode("utf-8") for row in _bytes_of(words)]


def _bytes_of(words: Words) -> npt.NDArray[np.uint8]:
    """Shape (names, 8 × width): the bytes of each name, its end, and zeros behind it."""
    return np.ascontiguousarray(words, dtype="<u8").view(np.uint8).reshape(len(words), -1)


def widened(words: Words, width: int) -> Words:
    """Words with zeros behind them, so that names of several chunks can be compared."""
    if words.shape[1] >= width:
        return words
    out = np.zeros((len(words), width), dtype=np.uint64)
    out[:, : words.shape[1]] = words
    return out


def stacked(parts: Iterable[Words]) -> Words:
    """Names below each other."""
    every = list(parts)
    width = max(words.shape[1] for words in every)
    return np.concatenate([widened(words, width) for words in every])


def hashed(words: Words) -> Words:
    """Shape (names,): a number that spreads evenly; zeros behind the words change nothing."""
    out = np.zeros(len(words), dtype=np.uint64)
    for k in range(words.shape[1]):
        mixed = words[:, k] * np.uint64((0x9E3779B97F4A7C15 + 2 * k * 0x632BE59BD9B4E019) % 2**64)
        out += mixed ^ (mixed >> np.uint64(29))
    out ^= out >> np.uint64(32)
    out *= np.uint64(0xD6E8FEB86659FD93)
    out ^= out >> np.uint64(32)
    return out


def changes(words: Words) -> npt.NDArray[np.bool_]:
    """Shape (names,): whether a name differs from the one before it; the first one does."""
    out = np.zeros(len(words), dtype=bool)
    out[:1] = True
    for k in range(words.shape[1]):
        out[1:] |= words[1:, k] != words[:-1, k]
    return out


def in_order(words: Words, order: Order) -> npt.NDArray[np.bool_]:
    """Shape (names − 1,): whether each name comes after the one before it."""
    if order == "natural":
        return _in_natural_order(words)
    after = np.zeros(max(0, len(words) - 1), dtype=bool)
    for k in range(words.shape[1] - 1, -1, -1):
        column = words[:, k] if order == "number" else words[:, k].byteswap()
        later, earlier = column[1:], column[:-1]
        after = (later > earlier) | ((later == earlier) & after)
    return after


def _in_natural_order(words: Words) -> npt.NDArray[np.bool_]:
    """Where two names first differ, the longer rest of digits comes later, else the higher byte.

    Up to there both have the same bytes, so this is an order of all names, and digits that
    begin without a zero are in the order of their numbers.
    """
    texts = _bytes_of(words)
    digits = np.zeros(texts.shape, dtype=np.uint32)
    # The last byte is never a digit: it is the end of a name, or padding.
    for k in range(texts.shape[1] - 2, -1, -1):
        # Wraps round below "0", so one comparison tells a digit.
        digits[:, k] = (digits[:, k + 1] + 1) * (texts[:, k] - np.uint8(48) < 10)
    first = (texts[1:] != texts[:-1]).argmax(axis=1)
    row = np.arange(first.size)
    earlier, later = digits[row, first], digits[row + 1, first]
    higher = texts[row + 1, first] > texts[row, first]
    return np.asarray((later > earlier) | ((later == earlier) & higher))

"""Where the lines and fields of a block of columns are, found for all lines at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

PAD = b"\x00" * 8
_TAB, _NEWLINE, _RETURN, _BLANK = 9, 10, 13, 32
_SEPARATES = np.zeros(33, dtype=bool)
_SEPARATES[[_TAB, _NEWLINE, _RETURN, _BLANK]] = True
_RUNS = re.compile(rb"[^ \t\r]+")


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a block of lines.

    Attributes
    ----------
    data
        The block, with eight zero bytes behind it so that whole words can be taken anywhere.
    start, stop
        Shape (fields,): where each field is.
    first, width
        Shape (lines,): the index of a line's first field, and how many it has.
    lines
        Shape (lines,): where each line starts.
    """

    data: bytes
    start: Ints
    stop: Ints
    first: Ints
    width: Ints
    lines: Ints

    def column(self, lines: Ints, place: int) -> tuple[Ints, Ints]:
        """Start and length of one field of each of some lines, by place from 0 or the end."""
        size = self.start.size
        if (
            lines.size
            and size % lines.size == 0
            and (self.width[lines] == size // lines.size).all()
        ):
            # No line but these has fields.
            every = slice(place % (size // lines.size), None, size // lines.size)
            start = self.start[every]
            return start, self.stop[every] - start
        where = self.first[lines] + (place if place >= 0 else self.width[lines] + place)
        start = self.start[where]
        return start, self.stop[where] - start

    def line(self, number: int) -> bytes:
        """One line without its end."""
        after = int(self.lines[number + 1]) if number + 1 < self.lines.size else len(self.data)
        return self.data[int(self.lines[number]) : after].rstrip(b"\x00").rstrip(b"\r\n")

    def of(self, line: int) -> list[bytes]:
        """The fields of one line."""
        a = int(self.first[line])
        b = a + int(self.width[line])
        places = zip(self.start[a:b].tolist(), self.stop[a:b].tolist(), strict=True)
        return [self.data[i:j] for i, j in places]


def split_line(line: bytes, tabs: bool) -> list[bytes]:
    r"""The fields of one line.

    A tab file's fields may contain blanks and may be empty, but for those at the line's end.

    >>> split_line(b"New  York\t\tB-LOC\t\r", tabs=True), split_line(b" a \t O\r", tabs=False)
    ([b'New  York', b'', b'B-LOC'], [b'a', b'O'])
    """
    if not tabs:
        return _RUNS.findall(line)
    line = line.rstrip(b" \t\r\n")
    return [field.strip(b" ") for field in line.split(b"\t")] if line else []


def split_block(block: bytes, tabs: bool) -> Fields:
    """The fields of a block, which ends where a line ends."""
    if not block.endswith(b"\n"):
        block += b"\n"
    n = len(block)
    data = block + PAD
    buffer = np.frombuffer(data, np.uint8)
    white = np.flatnonzero(buffer[:n] <= _BLANK)
    kind = buffer[white]
    blanks = False
    newline = kind == _NEWLINE
    if np.count_nonzero(newline) + np.count_nonzero(kind == _TAB) < kind.size:
        separates = _SEPARATES[kind]
        if tabs:
            inner = kind == _BLANK
            blanks = bool(inner.any())
            separates &= ~inner
            returns = kind == _RETURN
            if (buffer[white[returns] + 1] != _NEWLINE).any():
                return _slowly(block, data)
        if not separates.all():
            white, kind, newline = white[separates], kind[separates], newline[separates]
    gap = np.empty_like(white)
    gap[:1] = white[:1] + 1
    np.subtract(white[1:], white[:-1], out=gap[1:])
    filled = gap > 1
    at = np.flatnonzero(filled)
    bare = np.flatnonzero(~filled)
    if tabs and _has_empty_fields(kind, filled, bare):
        return _slowly(block, data)
    stop = white[at]
    start = stop - gap[at] + 1
    if blanks:
        start, stop, keep = _trimmed(buffer, start, stop)
        if (kind[at[~keep]] == _TAB).any():
            return _slowly(block, data)
        filled[at[~keep]] = False
        bare = np.flatnonzero(~filled)
    ends = np.flatnonzero(newline)
    if newline[bare].all():
        # Only blank lines: a line has as many fields as separators.
        width = np.diff(ends, prepend=-1)
        width -= ~filled[ends]
    else:
        width = np.diff(np.cumsum(filled)[ends], prepend=0)
    lines = np.empty_like(width)
    lines[:1] = 0
    lines[1:] = white[ends[:-1]] + 1
    return Fields(data, start, stop, np.cumsum(width) - width, width, lines)


def _has_empty_fields(
    kind: npt.NDArray[np.uint8], filled: npt.NDArray[np.bool_], bare: Ints
) -> bool:
    """Whether a tab has nothing before it and a field behind it in its line."""
    for i in bare[kind[bare] == _TAB].tolist():
        j = i
        while kind[j] != _NEWLINE:
            j += 1
            if filled[j]:
                return True
    return False


def _trimmed(
    buffer: npt.NDArray[np.uint8], start: Ints, stop: Ints
) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """The fields without the blanks around them, those of blanks alone left out."""
    while (at := np.flatnonzero((buffer[start] == _BLANK) & (start < stop))).size:
        start[at] += 1
    while (at := np.flatnonzero((buffer[stop - 1] == _BLANK) & (start < stop))).size:
        stop[at] -= 1
    keep = start < stop
    return start[keep], stop[keep], keep


def _slowly(block: bytes, data: bytes) -> Fields:
    """Line by line, for tab files with empty fields."""
    start: list[int] = []
    stop: list[int] = []
    first: list[int] = []
    width: list[int] = []
    lines: list[int] = []
    at = 0
    for line in block.split(b"\n")[:-1]:
        lines.append(at)
        first.append(len(start))
        bare = line.rstrip(b" \t\r")
        place = at
        for field in bare.split(b"\t") if bare else ():
            inner = field.strip(b" ")
            begin = place + (len(field) - len(field.lstrip(b" ")) if inner else 0)
            start.append(begin)
            stop.append(begin + len(inner))
            place += len(field) + 1
        width.append(len(start) - first[-1])
        at += len(line) + 1
    columns: list[Any] = [np.array(x, dtype=np.int64) for x in (start, stop, first, width, lines)]
    return Fields(data, *columns)

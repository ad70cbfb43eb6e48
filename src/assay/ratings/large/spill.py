"""Input in any order: rows are dealt to temporary files by item, then each file is grouped."""

from __future__ import annotations

import errno
import tempfile
import threading
from contextlib import suppress
from typing import IO

import numpy as np

from assay.errors import InputError
from assay.ratings.large.chunk import Chunk
from assay.ratings.large.divided import Divided
from assay.ratings.large.identity import Words, changes, hashed, widened
from assay.ratings.large.rows import Array, Rows

PER_ROW = 160
"""Bytes that grouping a row takes, with everything that is held of it at a time."""
PER_CLUSTER = 40
"""Bytes more where rows carry clusters."""
FEWEST, MOST = 8, 1024
"""Files that rows are dealt to."""


def parts_for(rows: int, memory: int, threads: int, *, carried: bool = False) -> int:
    """How many files keep each part within its share of the memory; clusters take theirs."""
    wanted = rows * (PER_ROW + (PER_CLUSTER if carried else 0)) * threads / max(memory, 1)
    return int(min(MOST, max(FEWEST, 1 << int(np.ceil(np.log2(max(wanted, 1)))))))


class Spill:
    """Temporary files of rows, one a part of the items.

    The files have no name, so that nothing is left behind, whatever ends the process.

    Parameters
    ----------
    parts
        How many files.
    carried
        Whether rows carry their clusters.
    """

    def __init__(self, parts: int, *, carried: bool = False) -> None:
        # With clusters above them, raters take 64 bits.
        self._who = np.dtype(np.int64 if carried else np.int32)
        self._bits = np.uint64(64 - (parts - 1).bit_length())
        self._files: list[IO[bytes]] = [
            tempfile.TemporaryFile(prefix="assay-")  # noqa: SIM115
            for _ in range(parts)
        ]
        self._locks = [threading.Lock() for _ in range(parts)]
        self._written = [0] * parts

    def __enter__(self) -> Spill:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            with suppress(OSError):  # what a full disk did not take
                file.close()

    def __len__(self) -> int:
        return len(self._files)

    @property
    def written(self) -> int:
        """Bytes that the files hold, or held."""
        return sum(self._written)

    def add(self, number: int, rows: Rows) -> None:
        """Deal the rows of batch ``number``.

        Raises
        ------
        InputError
            If the disk is full.
        """
        if not len(rows):
            return
        names = rows.names
        part = (hashed(names.words) >> self._bits).astype(np.uint16)
        if names.place is not None:
            part = part[names.place]
        order = np.argsort(part, kind="stable")
        words = np.take(names.words, order if names.place is None else names.place[order], axis=0)
        raters = rows.raters[order].astype(self._who)
        labels = rows.labels[order].astype(np.int32)
        ends = np.cumsum(np.bincount(part, minlength=len(self))).tolist()
        start = 0
        for k, end in enumerate(ends):
            if end > start:
                head = np.array([number, end - start, words.shape[1]], dtype=np.int64)
                held = (head, words[start:end], raters[start:end], labels[start:end])
                self._write(k, b"".join(x.tobytes() for x in held))
            start = end

    def _write(self, part: int, content: bytes) -> None:
        try:
            with self._locks[part]:
                self._files[part].write(content)
                self._files[part].flush()
                self._written[part] += len(content)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            raise InputError(
                f"the disk is full: rows that are not in order of items are kept in temporary "
                f"files in {tempfile.gettempdir()}. Name another folder in the environment "
                "variable TMPDIR, or sort the input by item.",
                code="disk_full",
            ) from None

    def chunk(self, part: int) -> Chunk | None:
        """The items of one part."""
        file = self._files[part]
        file.seek(0)
        pieces: list[tuple[int, Words, Array, Array]] = []
        while head := file.read(24):
            number, rows, width = np.frombuffer(head, dtype=np.int64).tolist()
            words = np.frombuffer(file.read(8 * rows * width), dtype=np.uint64)
            raters = np.frombuffer(file.read(self._who.itemsize * rows), dtype=self._who)
            labels = np.frombuffer(file.read(4 * rows), dtype=np.int32)
            pieces.append((number, words.reshape(rows, width), raters, labels))
        file.close()
        return _grouped(pieces, np.uint64(64) - self._bits) if pieces else None


def _grouped(pieces: list[tuple[int, Words, Array, Array]], shared: np.uint64) -> Chunk:
    """Rows of one item behind each other, in the order in which they came."""
    pieces.sort(key=lambda piece: piece[0])
    width = max(words.shape[1] for _, words, _, _ in pieces)
    words = np.concatenate([widened(words, width) for _, words, _, _ in pieces])
    raters = np.concatenate([raters for _, _, raters, _ in pieces])
    labels = np.concatenate([labels for _, _, _, labels in pieces])
    pieces.clear()
    # The hash's bits that the part does not share, and behind them the place: one plain sort
    # then keeps the order of rows.
    low = np.uint64((1 << max(1, len(labels) - 1).bit_length()) - 1)
    key = ((hashed(words) << shared) & ~low) | np.arange(len(labels), dtype=np.uint64)
    key.sort()
    order = (key & low).view(np.int64)
    ordered = np.take(words, order, axis=0)
    key &= ~low
    fresh = np.append(True, key[1:] != key[:-1])
    for first, end in _mixed(changes(ordered) & ~fresh, fresh):
        # Names with the same bits lie mixed.
        inner = first + np.lexsort(ordered[first:end].T)
        order[first:end], ordered[first:end] = order[inner], ordered[inner]
    start = np.flatnonzero(changes(ordered))
    return Chunk(start, raters[order], labels[order], np.take(ordered, start, axis=0))


def _mixed(inside: Array, fresh: Array) -> list[tuple[int, int]]:
    """The stretches between two ``fresh`` rows that have a row ``inside``."""
    rows = np.flatnonzero(inside)
    if not rows.size:
        return []
    starts = np.flatnonzero(fresh)
    which = np.unique(np.searchsorted(starts, rows, side="right") - 1)
    ends = np.append(starts[1:], len(fresh))
    return list(zip(starts[which].tolist(), ends[which].tolist(), strict=True))


def add_part(spill: Spill, part: int, sums: Divided) -> int:
    """Add the items of one part; returns how many rows it had."""
    chunk = spill.chunk(part)
    if chunk is None:
        return 0
    sums.add(chunk)
    return len(chunk.labels)

"""Tag rows as other scorers lay them out and read them: rules as data, all rows at once.

Those scorers lay all sentences end to end with an O after each, take a tag's letter and type by
their own rule, and say between which letters a span starts, goes on and ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.spans.corpus import Ints, TagRows

Mask = npt.NDArray[np.bool_]
Split = Callable[[str], tuple[str, str]]
Rules = tuple[tuple[str, str, str], ...]
"""(letters before, letters now, type): "*" is any letter, "+" any but O; "any same other"."""


@dataclass(frozen=True, eq=False)
class Line:
    """One side's tags end to end, an O after each sentence.

    Attributes
    ----------
    letter, kind
        Shape (units + sentences,): indices into ``letters`` and ``kinds`` of both sides.
    before, before_kind
        The same of the tag before.
    """

    letter: Ints
    kind: Ints
    before: Ints
    before_kind: Ints

    @property
    def same(self) -> Mask:
        """Whether the tag has the type of the one before."""
        return np.asarray(self.kind == self.before_kind)


@dataclass(frozen=True, eq=False)
class Pair:
    """Gold and prediction laid out over the same letters and types."""

    gold: Line
    pred: Line
    letters: tuple[str, ...]
    kinds: tuple[str, ...]


def lay_out(gold: TagRows, pred: TagRows, split: Split, first: str) -> Pair:
    """Both sides over shared letters and types.

    Parameters
    ----------
    gold, pred
        The rows.
    split
        A tag's letter and type.
    first
        The type that the place before the first tag has.
    """
    letters: dict[str, int] = {}
    kinds: dict[str, int] = {}

    def number(names: dict[str, int], name: str) -> int:
        return names.setdefault(name, len(names))

    number(kinds, first)

    def line(rows: TagRows) -> Line:
        parts = [split(tag) for tag in (*rows.tags, "O")]
        of_tag = np.array(
            [(number(letters, a), number(kinds, b)) for a, b in parts], dtype=np.int64
        )
        lengths = rows.text.lengths
        codes = np.full(rows.codes.size + lengths.size, len(rows.tags), dtype=np.int64)
        units = np.arange(rows.codes.size) + np.repeat(np.arange(lengths.size), lengths)
        codes[units] = rows.codes
        letter, kind = of_tag[codes, 0], of_tag[codes, 1]
        before = np.concatenate([[letters["O"]], letter[:-1]]) if codes.size else letter
        before_kind = np.concatenate([[kinds[first]], kind[:-1]]) if codes.size else kind
        return Line(letter, kind, before, before_kind)

    one, two = line(gold), line(pred)
    return Pair(one, two, tuple(letters), tuple(kinds))


def where(line: Line, rules: Rules, letters: Sequence[str]) -> Mask:
    """Shape (units + sentences,): the tags at which one of the rules holds."""
    table = np.zeros((len(letters), len(letters), 2), dtype=bool)

    def of(pattern: str) -> list[int]:
        return [
            i
            for i, letter in enumerate(letters)
            if pattern == "*" or (letter != "O" if pattern == "+" else letter in pattern)
        ]

    for before, now, kind in rules:
        either = [k for k, other in enumerate(("same", "other")) if kind != other]
        table[np.ix_(of(before), of(now), either)] = True
    return np.asarray(table[line.before, line.letter, line.same.astype(np.int64)])


@dataclass(frozen=True, eq=False)
class Chunks:
    """Spans that a scorer read, by the place after their last tag (one a place at most).

    Attributes
    ----------
    end, begin, kind
        Shape (spans,): the place after, the first place, and the type's number.
    """

    end: Ints
    begin: Ints
    kind: Ints

    def counts(self, n_kinds: int) -> Ints:
        """Shape (types,): how many spans of each type."""
        return np.bincount(self.kind, minlength=n_kinds)

    def shared(self, other: Chunks, n_kinds: int) -> Ints:
        """Shape (types,): how many spans the other side has, too."""
        _, i, j = np.intersect1d(self.end, other.end, assume_unique=True, return_indices=True)
        equal = (self.begin[i] == other.begin[j]) & (self.kind[i] == other.kind[j])
        return np.bincount(self.kind[i[equal]], minlength=n_kinds)


def by_starts_and_ends(line: Line, starts: Mask, ends: Mask) -> Chunks:
    """At each end the span from the last start; where both are, the end comes first."""
    last = np.maximum.accumulate(np.where(starts, np.arange(starts.size), 0))
    end = np.flatnonzero(ends)
    return Chunks(end, last[end - 1], line.before_kind[end])


def by_walking(line: Line, starts: Mask, inside: Mask, ends: Mask) -> Chunks:
    """From each start on over what is inside; kept if it ends there by the rules.

    A place that a span has walked over starts none.
    """
    place = np.arange(starts.size)
    # Each place's block: it and the places before it, as far as they are inside.
    block = np.maximum.accumulate(np.where(inside, 0, place))
    latest = np.maximum.accumulate(np.where(starts, place, -1))
    active = latest >= block
    walked = inside & np.concatenate([[False], active[:-1]]) if place.size else inside
    begin = np.flatnonzero(starts & ~walked)
    stops = np.flatnonzero(~walked)
    end = stops[np.searchsorted(stops, begin, side="right")] if begin.size else begin
    kept = ends[end]
    return Chunks(end[kept], begin[kept], line.kind[begin[kept]])

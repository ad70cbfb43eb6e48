"""Character offsets: which unit they count, and spans that fit the text they quote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from assay.errors import InputError
from assay.ratings.model import Note
from assay.spans.corpus import Fragments
from assay.spans.sources.fields import Ints

UNITS = {"code-points": "code points", "utf-16": "UTF-16 code units", "bytes": "UTF-8 bytes"}
# How a line's end counts: as in the text, or as one or two whatever the text has.
ENDS = {
    "as-is": "",
    "lf": ", with a line's end as one",
    "crlf": ", with a line's end as two",
}


@dataclass(frozen=True, slots=True)
class RawSpan:
    """One span as the source has it: pieces, type, and the text it quotes."""

    pieces: Fragments
    label: str
    quoted: str | None = None
    name: str = ""

    def __str__(self) -> str:
        places = ", ".join(f"{a}–{b}" for a, b in self.pieces)
        return f"{self.name} {self.label} {places}".strip()


@dataclass(frozen=True, slots=True)
class Record:
    """One annotated text.

    Attributes
    ----------
    where
        What messages call it.
    text, spans
        What was annotated, None where it is not known, and how.
    tokens
        Where the tokens are, in the unit of the spans, where the source says so.
    name
        Its id, where it has one.
    words
        The tokens as written, to be found in the text.
    """

    where: str
    text: str | None
    spans: tuple[RawSpan, ...]
    tokens: tuple[tuple[int, int], ...] | None = None
    name: str | None = None
    words: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Standoff:
    """Texts and spans of one source."""

    records: tuple[Record, ...]
    source: str
    format: str
    notes: tuple[Note, ...] = field(default=())


class Ruler:
    """From offsets in a unit to positions in the text with plain line ends."""

    __slots__ = ("bounds", "text")

    def __init__(self, text: str, unit: str = "code-points", ends: str = "as-is") -> None:
        self.text = text.replace("\r\n", "\n")
        self.bounds: Ints | None = None
        if unit == "code-points" and (ends == "lf" or (ends == "as-is" and "\r\n" not in text)):
            return
        points = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), "<u4")
        width = np.ones(points.size, dtype=np.int64)
        if unit == "utf-16":
            width += points > 0xFFFF
        elif unit == "bytes":
            width += (points > 0x7F).astype(np.int64) + (points > 0x7FF) + (points > 0xFFFF)
        if ends == "crlf":
            width += points == ord("\n")
        elif ends == "as-is" and "\r\n" in text:
            at = -1
            for k in range(text.count("\r\n")):
                at = text.index("\r\n", at + 1)
                width[at - k] += 1
        self.bounds = np.concatenate([[0], np.cumsum(width)])

    def position(self, offset: int) -> int | None:
        """Where an offset lies, or None if it is outside or inside a character."""
        if self.bounds is None:
            return offset if 0 <= offset <= len(self.text) else None
        if not 0 <= offset <= int(self.bounds[-1]):
            return None
        at = int(np.searchsorted(self.bounds, offset))
        if int(self.bounds[at]) == offset:
            return at
        # Between the two halves of a line's end.
        return at - 1 if self.text[at - 1] == "\n" else None

    def pieces(self, span: RawSpan) -> Fragments | None:
        """A span's pieces, or None if they do not fit the text or what is quoted of it."""
        out = []
        for a, b in span.pieces:
            start, stop = self.position(a), self.position(b)
            if start is None or stop is None:
                return None
            out.append((start, stop))
        if span.quoted is not None:
            found = "".join(self.text[a:b] for a, b in out)
            if _squashed(found) != _squashed(span.quoted):
                return None
        return tuple(out)


def named(source: str) -> str:
    """What notes call a source: a file by its name without folders."""
    return source.rpartition("/")[2] or source


def _squashed(text: str) -> str:
    return "".join(text.split())


def candidates(records: Iterable[Record], unit: str | None) -> list[tuple[str, str]]:
    """Units and readings of line ends, in the order in which they are tried."""
    texts = [record.text for record in records if record.text is not None]
    ends = ["as-is"]
    if any("\r\n" in text for text in texts):
        ends.append("lf")
    elif any("\n" in text for text in texts):
        ends.append("crlf")
    return [(u, e) for e in ends for u in ([unit] if unit else UNITS)]


def settle(found: Standoff, unit: str | None = None) -> Standoff:
    """The same spans in code points of texts with plain line ends.

    Code points are tried first, then UTF-16 units, then bytes, and the same with line ends
    counted otherwise than the text has them; the first under which every span fits is taken.

    Raises
    ------
    InputError
        If no unit fits, with the span and both texts.
    """
    tried = candidates(found.records, unit)
    for choice in tried:
        out = _all_fit(found.records, *choice)
        if out is not None:
            notes = found.notes
            if choice != ("code-points", "as-is"):
                counted = UNITS[choice[0]] + ENDS[choice[1]]
                notes = (
                    *notes,
                    Note(
                        "offset_unit",
                        f"{named(found.source)}: offsets count {counted}, as the quoted texts "
                        "show; they are turned into code points"
                        if unit is None
                        else f"{named(found.source)}: offsets count {counted}",
                        "info" if choice[0] == unit and choice[1] == "as-is" else "warning",
                    ),
                )
            return replace(found, records=out, notes=notes)
    raise _misfit(found.records, max(tried, key=lambda choice: _fitting(found.records, *choice)))


def _all_fit(records: tuple[Record, ...], unit: str, ends: str) -> tuple[Record, ...] | None:
    out = []
    for record in records:
        if record.text is None:
            out.append(record)
            continue
        ruler = Ruler(record.text, unit, ends)
        spans = []
        for span in record.spans:
            pieces = ruler.pieces(span)
            if pieces is None:
                return None
            spans.append(replace(span, pieces=pieces))
        tokens = record.tokens
        if tokens is not None:
            moved = [(ruler.position(a), ruler.position(b)) for a, b in tokens]
            tokens = tuple((a, b) for a, b in moved if a is not None and b is not None)
            if len(tokens) < len(moved):
                return None
        elif record.words is not None:
            tokens = _located(record.words, ruler.text, record.where)
        out.append(replace(record, text=ruler.text, spans=tuple(spans), tokens=tokens))
    return tuple(out)


def _located(words: tuple[str, ...], text: str, where: str) -> tuple[tuple[int, int], ...]:
    """Where tokens are in the text, one after the other."""
    out = []
    at = 0
    for word in words:
        begin = text.find(word, at)
        if begin < 0:
            raise InputError(
                f"{where}: the token {word!r} is not in the text after position {at}.",
                code="malformed_record",
            )
        at = begin + len(word)
        out.append((begin, at))
    return tuple(out)


def _fitting(records: tuple[Record, ...], unit: str, ends: str) -> int:
    """How many spans fit under a unit."""
    count = 0
    for record in records:
        if record.text is not None:
            ruler = Ruler(record.text, unit, ends)
            count += sum(ruler.pieces(span) is not None for span in record.spans)
    return count


def _misfit(records: tuple[Record, ...], best: tuple[str, str]) -> InputError:
    """What does not fit under the unit that most spans fit."""
    for record in records:
        ruler = Ruler(record.text or "", *best)
        for span in record.spans if record.text is not None else ():
            if ruler.pieces(span) is not None:
                continue
            bare = RawSpan(span.pieces, span.label)
            places = ruler.pieces(bare)
            if places is None:
                return InputError(
                    f"{record.where}: {span} is outside the text, which has {len(ruler.text)} "
                    "characters; offsets count from 0, the end is one past the last.",
                    code="offsets",
                )
            shown = "…".join(ruler.text[a:b] for a, b in places)
            return InputError(
                f"{record.where}: {span} quotes {_short(span.quoted or '')}, and the text at these "
                f"offsets is {_short(shown)}. Neither code points, UTF-16 code units nor bytes fit "
                "all spans; is it the text that was annotated?",
                code="offsets",
            )
    return InputError("spans: the offsets of the tokens do not fit the text.", code="offsets")


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "…")

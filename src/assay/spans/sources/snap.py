"""Spans of characters: cut to what is not white space, and snapped to tokens."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from assay.errors import InputError, one_of
from assay.ratings.model import Note
from assay.spans.corpus import Fragments, SpanSet, Text
from assay.spans.sources.offsets import RawSpan, Record, Standoff
from assay.spans.sources.texts import Tokens

SNAPS = {
    "expand": "widened to the tokens it touches",
    "inside": "narrowed to the tokens it holds whole",
    "drop": "left out",
    "error": "an error",
}
_WORD = re.compile(r"\S+")

Bounds = Sequence[tuple[int, int]]


def words_of(record: Record) -> Bounds:
    """The tokens of a record: those given, else its text's runs without white space."""
    if record.tokens is not None:
        return record.tokens
    return [(m.start(), m.end()) for m in _WORD.finditer(record.text or "")]


def stripped(found: Standoff) -> Standoff:
    """Spans without the white space around each piece; empty ones are left out and counted."""
    cut: list[str] = []
    empty: list[str] = []
    records = []
    for record in found.records:
        spans = []
        for span in record.spans:
            for a, b in span.pieces:
                if a > b or a < 0:
                    raise InputError(
                        f"{record.where}: {span} ends before it starts; the end is one past the "
                        "last unit.",
                        code="offsets",
                    )
            pieces = _without_white(span.pieces, record.text)
            if not pieces:
                empty.append(f"{record.where}: {span}")
                continue
            if merged(sorted(span.pieces)) != pieces:
                cut.append(f"{record.where}: {span}")
            spans.append(replace(span, pieces=pieces))
        records.append(replace(record, spans=tuple(spans)))
    notes = list(found.notes)
    if cut:
        notes.append(
            Note(
                "spans_stripped",
                f"white space at the ends of spans is cut off: {len(cut)} (first: {cut[0]})",
            )
        )
    if empty:
        notes.append(
            Note(
                "spans_empty",
                f"spans of no character, or of white space alone, left out: {len(empty)} (first: "
                f"{empty[0]})",
                "warning",
            )
        )
    return replace(found, records=tuple(records), notes=tuple(notes))


def _without_white(pieces: Fragments, text: str | None) -> Fragments:
    out = []
    for a, b in sorted(pieces):
        if text is not None:
            part = text[a:b]
            a, b = a + len(part) - len(part.lstrip()), b - (len(part) - len(part.rstrip()))
        if a < b:
            out.append((a, b))
    return merged(out)


def merged(pieces: Sequence[tuple[int, int]]) -> Fragments:
    """Pieces in order, those that touch as one."""
    out: list[tuple[int, int]] = []
    for a, b in pieces:
        if out and a <= out[-1][1]:
            out[-1] = (out[-1][0], max(b, out[-1][1]))
        else:
            out.append((a, b))
    return tuple(out)


def inside_token(pieces: Fragments, tokens: Bounds) -> str:
    """How the pieces cut through tokens, in words; "" where they do not."""
    starts, stops = [a for a, _ in tokens], [b for _, b in tokens]
    for a, b in pieces:
        first = bisect_right(stops, a)
        if first == len(tokens) or starts[first] >= b:
            return "touches no token"
        last = bisect_left(starts, b) - 1
        if starts[first] < a:
            return f"starts inside token {first + 1}"
        if starts[first] > a or stops[last] < b:
            return "reaches beyond its tokens"
        if stops[last] > b:
            return f"ends inside token {last + 1}"
    return ""


def snapped(pieces: Fragments, tokens: Bounds, rule: str) -> Fragments:
    """Pieces in tokens: those touched ("expand") or held whole ("inside")."""
    starts, stops = [a for a, _ in tokens], [b for _, b in tokens]
    out = []
    for a, b in pieces:
        if rule == "inside":
            first, past = bisect_left(starts, a), bisect_right(stops, b)
        else:
            first, past = bisect_right(stops, a), bisect_left(starts, b)
        if first < past:
            out.append((first, past))
    return merged(sorted(out))


def misaligned(found: Standoff) -> tuple[Note, ...]:
    """A note on spans of characters that cut through tokens."""
    bad, total, first, known = 0, 0, "", True
    for record in found.records:
        total += len(record.spans)
        if record.text is None:
            continue
        tokens = words_of(record)
        for span in record.spans:
            why = inside_token(span.pieces, tokens)
            if why:
                bad += 1
                known = known and record.tokens is not None
                first = first or f"{record.where}: {span} {why}"
    if not bad:
        return ()
    by = "" if known else ", split on white space"
    return (
        Note(
            "spans_inside_tokens",
            f"{bad} of {total} spans begin or end inside a token{by} (first: {first}); they are "
            "scored on characters as they are",
            "warning" if known else "info",
        ),
    )


def to_characters(found: Standoff) -> tuple[Text, SpanSet, tuple[Note, ...]]:
    """Spans in characters."""
    spans: list[tuple[int, Fragments, str]] = []
    lengths = []
    for i, record in enumerate(found.records):
        reach = max((b for span in record.spans for _, b in span.pieces), default=0)
        lengths.append(reach if record.text is None else len(record.text))
        spans += [(i, span.pieces, span.label) for span in record.spans]
    texts = [record.text for record in found.records]
    known = [text for text in texts if text is not None]
    text = Text(
        np.array(lengths, dtype=np.int64),
        Tokens([known]) if len(known) == len(texts) else None,
        np.arange(len(texts)),
        "character",
        names_of(found.records),
    )
    return text, SpanSet.of(spans), (*found.notes, *_repeated(_each(found)), *misaligned(found))


def names_of(records: Sequence[Record]) -> list[str]:
    """The records' own names, else their numbers."""
    return [record.name or str(i + 1) for i, record in enumerate(records)]


def to_tokens(found: Standoff, snap: str) -> tuple[Text, SpanSet, tuple[Note, ...]]:
    """Spans in tokens, by a rule for those that cut through one.

    Raises
    ------
    InputError
        If a text is not known, or a span cuts through a token and the rule is "error".
    """
    one_of(snap, SNAPS, "snap")
    spans: list[tuple[int, Fragments, str]] = []
    rows: list[list[str]] = []
    bad: list[str] = []
    lost = total = 0
    for i, record in enumerate(found.records):
        if record.text is None:
            raise InputError(
                f"{record.where}: spans of characters become spans of tokens only where the text "
                "is known."
            )
        tokens = words_of(record)
        rows.append([record.text[a:b] for a, b in tokens])
        for span in record.spans:
            total += 1
            why = inside_token(span.pieces, tokens)
            rule = snap
            if why:
                if snap == "error":
                    raise _cuts(record, span, why)
                bad.append(f"{record.where}: {span} {why}")
            pieces = () if why and rule == "drop" else snapped(span.pieces, tokens, rule)
            if pieces:
                spans.append((i, pieces, span.label))
            else:
                lost += 1
    notes = [*found.notes, *_repeated((found.records[i].where, p, k) for i, p, k in spans)]
    if bad:
        gone = f", and left out where none is left: {lost}" if lost and snap != "drop" else ""
        notes.append(
            Note(
                "spans_inside_tokens",
                f"{len(bad)} of {total} spans begin or end inside a token (first: {bad[0]}); each "
                f"is {SNAPS[snap]}{gone}",
                "warning",
            )
        )
    if any(record.tokens is None for record in found.records):
        notes.append(Note("tokens", "tokens are made by splitting on white space"))
    text = Text(
        np.array([len(row) for row in rows], dtype=np.int64),
        rows,
        np.arange(len(rows)),
        "token",
        names_of(found.records),
    )
    return text, SpanSet.of(spans), tuple(notes)


def _cuts(record: Record, span: RawSpan, why: str) -> InputError:
    return InputError(
        f"{record.where}: {span} {why}. Score on characters (--unit character), or choose how such "
        "spans become tokens: --snap expand, inside or drop.",
        code="span_inside_token",
    )


def _each(found: Standoff) -> Iterator[tuple[str, Fragments, str]]:
    for record in found.records:
        for span in record.spans:
            yield record.where, span.pieces, span.label


def _repeated(spans: Iterable[tuple[str, Fragments, str]]) -> tuple[Note, ...]:
    """A note on spans that are there twice: as given, or as they became in tokens."""
    seen: set[tuple[str, Fragments, str]] = set()
    twice = []
    for span in spans:
        if span in seen:
            where, pieces, label = span
            twice.append(f"{where}: {RawSpan(pieces, label)}")
        seen.add(span)
    if not twice:
        return ()
    return (
        Note(
            "spans_twice",
            f"identical spans more than once, each of which counts: {len(twice)} (first: "
            f"{twice[0]})",
            "warning",
        ),
    )

"""Records with fields: tokens and tags, or a text and spans, under the names that tools use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.ratings.model import Note
from assay.spans.corpus import TagRows
from assay.spans.sources.offsets import RawSpan, Record, Standoff, named
from assay.spans.sources.rows import tag_rows
from assay.spans.sources.unfit import (
    LABELS,
    STARTS,
    STOPS,
    first,
    pieces_of,
    why_no_span,
    why_unfit,
)

TOKENS = ("tokens", "words", "token", "tokenized_text", "sentence")
TAGS = ("ner_tags", "tags", "ner", "labels", "label", "bio", "iob", "tag", "gold", "pred")
TEXTS = ("text", "data", "content", "document", "sentence")
SPANS = ("spans", "entities", "label", "labels", "ents", "ner", "annotations", "gold", "pred")
NAMES = ("id", "doc_id", "sent_id", "name", "_input_hash")
QUOTES = ("text", "quote", "surface", "mention")
SKIPPED = ("reject", "ignore")


@dataclass(frozen=True, slots=True)
class Found:
    """What one field of the records holds: tag rows, or spans of characters or tokens."""

    rows: TagRows | None
    standoff: Standoff | None
    notes: tuple[Note, ...]
    in_tokens: bool = False


def read_records(
    records: Sequence[tuple[str, Any]],
    *,
    source: str,
    format: str,  # noqa: A002
    column: str | None = None,
    token_column: str | None = None,
    tag_names: Sequence[str] | None = None,
    inclusive: bool = False,
) -> Found:
    """Tags or spans from records, each with where it stands, for messages.

    Raises
    ------
    InputError
        If a record has neither tags nor spans, or they do not fit its tokens or text.
    """
    if not records:
        raise InputError(f"{source}: no records.")
    kept, skipped = [], 0
    for where, record in records:
        plain = _mapping(record, where)
        if plain.get("answer") in SKIPPED:
            skipped += 1
            continue
        kept.append((where, plain))
    if not kept:
        raise InputError(f"{source}: all {skipped} records were rejected or ignored.")
    tokens = _field(kept, TOKENS, _is_tokens, token_column)
    text = _field(kept, TEXTS, _is_text, None)
    tags = _field(kept, TAGS, _is_tags, column)
    spans = _field(kept, SPANS, _is_spans, column)
    if tags is None and spans is None:
        _check_fields(kept, [column] if column is not None else [*TAGS, *SPANS])
    if column is not None and tags is None and spans is None:
        raise InputError(
            f"{source}: no record has tags or spans in a field {column!r}; there are "
            f"{', '.join(map(str, kept[0][1]))}."
        )
    notes = []
    if skipped:
        notes.append(
            Note(
                "records_skipped",
                f"{named(source)}: records answered reject or ignore: {skipped}",
                "warning",
            )
        )
    empty = tags is not None and not any(r.get(tags) for _, r in kept)
    if empty and tags == spans and tokens is not None:
        # Lists that are all empty are tags only where there are no tokens.
        tags = None if any(r.get(tokens) for _, r in kept) else tags
    if tags is not None and (tokens is not None or spans is None or text is None):
        rows = _tag_rows(kept, tags, tokens, tag_names, source)
        about = f"tags in {tags!r}, " + (f"tokens in {tokens!r}" if tokens else "no tokens")
        return Found(rows, None, (Note("format", f"read as {format}: {about}"), *notes))
    if spans is None:
        raise InputError(
            f"{kept[0][0]}: neither tags nor spans; there are "
            f"{', '.join(map(str, kept[0][1]))}. Tags stand in tokens and tags, spans in text and "
            'label ([[0, 3, "PER"]]) or spans ([{start, end, label}]); other names: --column.',
            code="no_tags",
        )
    in_tokens = text is None and tokens is not None
    out = [_record(where, r, text, spans, tokens, inclusive) for where, r in kept]
    about = f"spans in {spans!r}, in {'tokens' if in_tokens else 'characters'}"
    if in_tokens:
        about += ", the end " + ("included" if inclusive else "one past the last")
    notes.insert(0, Note("format", f"read as {format}: {about}"))
    return Found(None, Standoff(tuple(out), source, format, tuple(notes)), (), in_tokens)


def _mapping(record: Any, where: str) -> Mapping[str, Any]:
    if isinstance(record, Mapping):
        data = record.get("data")
        if isinstance(data, Mapping) and ("annotations" in record or "predictions" in record):
            raise InputError(f"{where}: a task of Label Studio among other records.")
        return record
    if isinstance(record, list | tuple) and len(record) == 2:
        first, second = record
        if isinstance(first, str) and isinstance(second, Mapping):
            return {"text": first, **second}
    raise InputError(
        f"{where}: {type(record).__name__} found; a record with tokens and tags, or a text and "
        "spans, is needed.",
        code="malformed_record",
    )


def _field(
    records: Sequence[tuple[str, Mapping[str, Any]]],
    names: Sequence[str],
    test: Any,
    asked: str | None,
) -> str | None:
    """The first of some names under which a record holds what ``test`` looks for."""
    for name in [asked] if asked is not None else names:
        value = next((r[name] for _, r in records if r.get(name) not in (None, [])), None)
        if value is not None and test(value):
            return name
    # Where every list is empty, it is the first name there is.
    for name in [asked] if asked is not None else names:
        if test([]) and any(r.get(name) == [] for _, r in records):
            return name
    return None


def _is_tokens(value: Any) -> bool:
    if not isinstance(value, list | tuple):
        return False
    return all(
        isinstance(x, str)
        or (isinstance(x, Mapping) and "start" in x and "label" not in x)
        or (isinstance(x, list | tuple) and len(x) == 2 and all(isinstance(k, int) for k in x))
        for x in value
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_tags(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(x, str | int) and not isinstance(x, bool) for x in value
    )


def _is_spans(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(x, Mapping)
        or (isinstance(x, list | tuple) and len(x) >= 3 and isinstance(x[0], int))
        or pieces_of(x) is not None
        for x in value
    )


def _tag_rows(
    records: Sequence[tuple[str, Mapping[str, Any]]],
    tags: str,
    tokens: str | None,
    tag_names: Sequence[str] | None,
    source: str,
) -> TagRows:
    for where, record in records:
        for name in (tags, *([tokens] if tokens else ())):
            if not isinstance(record.get(name), list | tuple):
                raise InputError(
                    f"{where}: no list in the field {name!r}, which other records have.",
                    code="malformed_record",
                )
    words = None
    if tokens is not None:
        words = [[_word(x, where) for x in record[tokens]] for where, record in records]
    return tag_rows(
        [record[tags] for _, record in records],
        tokens=words,
        tag_names=tag_names,
        source=source,
        places=[where for where, _ in records],
    )


def _word(token: Any, where: str) -> str:
    if isinstance(token, Mapping) and isinstance(token.get("text"), str):
        return str(token["text"])
    if isinstance(token, str):
        return token
    raise InputError(f"{where}: {token!r} is no token; a text is needed.", code="malformed_record")


def _record(
    where: str,
    record: Mapping[str, Any],
    text: str | None,
    spans: str,
    tokens: str | None,
    inclusive: bool,
) -> Record:
    content = record.get(text) if text is not None else None
    if text is not None and not isinstance(content, str):
        raise InputError(f"{where}: no text in the field {text!r}.", code="malformed_record")
    found = record.get(spans)
    found = [] if found is None else found
    if not _is_spans(found):
        raise InputError(
            f"{where}: the field {spans!r} holds no list of spans: "
            f"{why_unfit(found) or str(found)[:60]}.",
            code="malformed_record",
        )
    more = 1 if inclusive else 0
    every = tuple(span for raw in found for span in _spans(raw, where, more, spans))
    given = record.get(tokens) if tokens is not None else None
    bounds, words = (None, None) if given is None else _tokens(given, where)
    name = next((str(record[n]) for n in NAMES if record.get(n) is not None), None)
    return Record(where, content, every, bounds, name, words)


def _spans(raw: Any, where: str, more: int, field: str) -> list[RawSpan]:
    why = why_no_span(raw)
    if why:
        raise InputError(
            f"{where}: not a span in the field {field!r}: {str(raw)[:80]}: {why}; start, end and "
            'label are needed, as in [0, 3, "PER"] or {"start": 0, "end": 3, "label": "PER"}.',
            code="malformed_record",
        )
    quoted, name = None, ""
    pieces = pieces_of(raw)
    if pieces is not None:
        label = raw[1]
    elif isinstance(raw, Mapping):
        start, stop, label = first(raw, STARTS), first(raw, STOPS), first(raw, LABELS)
        quoted, name = first(raw, QUOTES), str(raw.get("id", ""))
        pieces = ((start, stop),)
    else:
        start, stop, label = raw[:3]
        pieces = ((start, stop),)
    labels = label if isinstance(label, list | tuple) else [label]
    pieces = tuple((a, b + more) for a, b in pieces)
    text = quoted if isinstance(quoted, str) else None
    return [RawSpan(pieces, str(label), text, name) for label in labels]


def _check_fields(
    records: Sequence[tuple[str, Mapping[str, Any]]], names: Sequence[str | None]
) -> None:
    """Refuse a field that is there under a known name, but holds what is no tag and no span."""
    for name in dict.fromkeys(names):
        for where, record in records:
            value = record.get(name) if name is not None else None
            if value in (None, []) or isinstance(value, str | int | float):
                continue
            why = why_unfit(value)
            if why:
                raise InputError(
                    f"{where}: the field {name!r} holds neither tags nor spans: {why}.",
                    code="malformed_record",
                )


def _tokens(
    given: Sequence[Any], where: str
) -> tuple[tuple[tuple[int, int], ...] | None, tuple[str, ...] | None]:
    """Tokens by their places, or as written."""
    if all(isinstance(token, str) for token in given):
        return None, tuple(given)
    try:
        pairs = [
            (token["start"], token["end"]) if isinstance(token, Mapping) else (token[0], token[1])
            for token in given
        ]
    except (KeyError, IndexError, TypeError):
        raise InputError(
            f"{where}: tokens are texts, or have a start and an end: {str(given)[:60]}.",
            code="malformed_record",
        ) from None
    return tuple((int(a), int(b)) for a, b in pairs), None

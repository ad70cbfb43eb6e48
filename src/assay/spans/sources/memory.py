"""Tags and spans that are in memory already: lists of lists, pairs, records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.ratings.model import Note
from assay.spans.corpus import SpanSet, Text
from assay.spans.sources.label_studio import is_label_studio, read_label_studio
from assay.spans.sources.offsets import Standoff
from assay.spans.sources.records import Found, read_records
from assay.spans.sources.rows import tag_rows
from assay.spans.sources.unfit import pieces_of, why_unfit

Records = Sequence[tuple[str, Any]]


def from_objects(
    records: Records,
    *,
    source: str,
    format: str,  # noqa: A002
    column: str | None = None,
    token_column: str | None = None,
    tag_names: Sequence[str] | None = None,
    inclusive: bool = False,
) -> Found:
    """Tag rows or spans from one object a sentence.

    A list of tags, of (token, tag) pairs, of (start, stop, type) or of (pieces, type) in tokens;
    or a record.

    Raises
    ------
    InputError
        If the objects are of no such kind.
    """
    if not records:
        raise InputError(f"{source}: no sentences.")
    objects = [record for _, record in records]
    if is_label_studio(records):
        return Found(None, read_label_studio(records, source), ())
    if all(isinstance(row, list | tuple) for row in objects):
        cells = [cell for row in objects for cell in row]
        if all(_is_tag(cell) for cell in cells):
            rows = tag_rows(
                objects,
                tag_names=tag_names,
                source=source,
                places=None if format == "memory" else [where for where, _ in records],
            )
            return Found(rows, None, (Note("format", f"read as {format}: lists of tags"),))
        if all(_is_pair(cell) for cell in cells):
            return _pairs(records, format, source, tag_names)
        if all(_is_span(cell) for cell in cells):
            return _token_spans(records, format, source, inclusive)
        _refuse(records)
    return read_records(
        records,
        source=source,
        format=format,
        column=column,
        token_column=token_column,
        tag_names=tag_names,
        inclusive=inclusive,
    )


def _is_tag(cell: Any) -> bool:
    return isinstance(cell, str | int | np.integer) and not isinstance(cell, bool)


def _is_pair(cell: Any) -> bool:
    return (
        isinstance(cell, list | tuple)
        and len(cell) == 2
        and isinstance(cell[0], str)
        and isinstance(cell[1], str | int)
    )


def _is_span(cell: Any) -> bool:
    if isinstance(cell, Mapping):
        return "start" in cell and ("end" in cell or "stop" in cell)
    if pieces_of(cell) is not None:
        return True
    return isinstance(cell, list | tuple) and len(cell) == 3 and isinstance(cell[0], int)


def _refuse(records: Records) -> None:
    """Say what in lists is neither a tag, nor a pair, nor a span, where one of them is."""
    for _, row in records:
        if len(row) == 2 and isinstance(row[0], str) and isinstance(row[1], Mapping):
            return
    for where, row in records:
        mended = [cell[1] if _is_pair(cell) else cell for cell in row]
        why = why_unfit(mended)
        if why:
            raise InputError(f"{where}: neither tags nor spans: {why}.", code="malformed_record")
    raise InputError(
        f"{records[0][0]}: tags, pairs of token and tag, and spans do not go together in one "
        "source.",
        code="malformed_record",
    )


def _pairs(
    records: Records,
    format: str,  # noqa: A002
    source: str,
    tag_names: Sequence[str] | None,
) -> Found:
    rows = tag_rows(
        [[tag for _, tag in row] for _, row in records],
        tokens=[[token for token, _ in row] for _, row in records],
        tag_names=tag_names,
        source=source,
        places=[where for where, _ in records],
    )
    return Found(rows, None, (Note("format", f"read as {format}: pairs of token and tag"),))


def _token_spans(
    records: Records,
    format: str,  # noqa: A002
    source: str,
    inclusive: bool,
) -> Found:
    """Spans that count tokens which nobody gave."""
    wrapped = [(where, {"spans": list(row)}) for where, row in records]
    found = read_records(wrapped, source=source, format=format, inclusive=inclusive)
    if found.standoff is None:
        raise InputError(f"{source}: no spans.")
    end = "included" if inclusive else "one past the last"
    note = Note("format", f"read as {format}: spans in tokens, the end {end}")
    return Found(None, replace(found.standoff, notes=(note,)), (), in_tokens=True)


def token_spans(found: Standoff) -> tuple[Text, SpanSet]:
    """Spans that count tokens, as they are.

    Raises
    ------
    InputError
        If a span is empty, or reaches beyond the tokens.
    """
    spans = []
    lengths = []
    for i, record in enumerate(found.records):
        words = record.words
        reach = max((b for span in record.spans for _, b in span.pieces), default=0)
        for span in record.spans:
            if any(not 0 <= a < b for a, b in span.pieces):
                raise InputError(
                    f"{record.where}: {span} is empty or backwards; the end is one past the last "
                    "token. Where it is the last token itself: --inclusive.",
                    code="offsets",
                )
            if words is not None and max(b for _, b in span.pieces) > len(words):
                raise InputError(
                    f"{record.where}: {span} reaches beyond the {len(words)} tokens.",
                    code="offsets",
                )
            spans.append((i, span.pieces, span.label))
        lengths.append(reach if words is None else len(words))
    known = [record.words for record in found.records]
    tokens = [list(words) for words in known if words is not None]
    names = [record.name for record in found.records]
    text = Text(
        np.array(lengths, dtype=np.int64),
        tokens if len(tokens) == len(known) else None,
        names=[n or str(i) for i, n in enumerate(names, 1)] if any(names) else None,
    )
    return text, SpanSet.of(spans)

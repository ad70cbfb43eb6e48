"""JSON: one record a line, a list of records, lists of tags, or a Label Studio export."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import ReadingError
from assay.spans.sources.load import Loaded


def looks_like_json(head: bytes) -> bool:
    r"""Whether a text begins as JSON does, and not as columns whose first token is a bracket.

    >>> looks_like_json(b'{"text": "a"}\n'), looks_like_json(b'[ O\n'), looks_like_json(b'[\n {"a"')
    (True, False, True)
    """
    begin = head.lstrip()
    if begin[:1] not in (b"{", b"["):
        return False
    rest = begin[1:].lstrip()
    return rest[:1] in (b'"', b"{", b"[", b"}", b"]")


def records_of(loaded: Loaded) -> tuple[list[tuple[str, Any]], str]:
    """Each record with where it stands, and the format's name: "JSON lines" or "JSON".

    Raises
    ------
    ReadingError
        If the text is not JSON; with the line.
    """
    text = loaded.data.decode("utf-8", "surrogatepass")
    lines = text.split("\n")
    filled = sum(bool(line.strip()) for line in lines)
    whole = _parsed(text) if filled == 1 or not _parses(_first(lines)) else None
    if filled == 1 and isinstance(whole, Mapping) and not _columnar(whole):
        return [(f"{loaded.source}, line 1", whole)], "JSON lines"
    if isinstance(whole, list) and any(isinstance(part, str | int) for part in whole):
        return [(f"{loaded.source}, line 1", whole)], "JSON lines"
    if whole is not None and (filled == 1 or isinstance(whole, list | Mapping)):
        return _listed(whole, loaded.source), "JSON"
    return json_lines(loaded), "JSON lines"


def json_lines(loaded: Loaded, *, first_line: int = 1) -> list[tuple[str, Any]]:
    """Each line's record with where it stands.

    Raises
    ------
    ReadingError
        If a line is not JSON.
    """
    out = []
    text = loaded.data.decode("utf-8", "surrogatepass")
    for number, line in enumerate(text.split("\n"), first_line):
        if not line.strip():
            continue
        try:
            out.append((f"{loaded.source}, line {number}", json.loads(line)))
        except json.JSONDecodeError as error:
            shown = line.strip() if len(line) <= 60 else line.strip()[:57] + "…"
            raise ReadingError(
                f"{loaded.source}, line {number}: not JSON ({error.msg} at column {error.colno}): "
                f"{shown}. Each line has to be one record, such as "
                '{"tokens": ["Ana", "slept"], "tags": ["B-PER", "O"]}.',
                code="malformed_record",
            ) from None
    return out


def _first(lines: Sequence[str]) -> str:
    return next((line for line in lines if line.strip()), "")


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return False
    return True


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


def _listed(whole: Any, source: str) -> list[tuple[str, Any]]:
    if isinstance(whole, Mapping):
        if _columnar(whole):
            names = [name for name, values in whole.items() if isinstance(values, list)]
            size = max(len(whole[name]) for name in names)
            whole = [
                {name: whole[name][i] for name in names if i < len(whole[name])}
                for i in range(size)
            ]
        else:
            whole = [whole]
    return [(f"{source}, record {number}", record) for number, record in enumerate(whole, 1)]


def _columnar(whole: Mapping[str, Any]) -> bool:
    """Whether a mapping holds a list for each field, one entry a record."""
    lists = [values for values in whole.values() if isinstance(values, list)]
    if len(lists) < 2 or any(isinstance(v, str) for v in whole.values()):
        return False
    return (
        all(values and isinstance(values[0], list) for values in lists)
        and len({len(values) for values in lists}) == 1
    )

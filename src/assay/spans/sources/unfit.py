"""What is a span among values from JSON or Python, and what is wrong with what is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.spans.corpus import Fragments
from assay.spans.sources.snap import merged

STARTS = ("start", "start_offset", "begin", "start_char", "from")
STOPS = ("end", "end_offset", "stop", "end_char", "to")
LABELS = ("label", "labels", "type", "tag", "entity_group", "entity", "class")


def whole(value: Any) -> bool:
    """Whether it is an integer and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def pieces_of(cell: Any) -> Fragments | None:
    """The pieces of a span written ``[[[0, 2], [4, 5]], "A"]``, None if it is not written so.

    >>> pieces_of([[[4, 5], [0, 2]], "A"]), pieces_of([0, 2, "A"])
    (((0, 2), (4, 5)), None)
    """
    if not isinstance(cell, list | tuple) or len(cell) != 2:
        return None
    pieces = cell[0]
    if not isinstance(pieces, list | tuple) or not pieces:
        return None
    for piece in pieces:
        if not isinstance(piece, list | tuple) or len(piece) != 2 or not all(map(whole, piece)):
            return None
    if any(a >= b for a, b in pieces):
        return tuple((a, b) for a, b in pieces)
    return merged(sorted((a, b) for a, b in pieces))


def first(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    """The first value there is under some names."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def why_no_span(cell: Any) -> str:
    """What is wrong with one span, "" if nothing is.

    >>> why_no_span([0.0, 7, "PER"])
    'its start is 0.0, and a whole number is needed'
    >>> why_no_span([0, 7]), why_no_span([0, 7, None]), why_no_span([0, 7, "PER"])
    ('it has no label', 'its label is null', '')
    """
    if pieces_of(cell) is not None:
        start, stop, label = 0, 1, cell[1]
    elif isinstance(cell, Mapping):
        start, stop, label = first(cell, STARTS), first(cell, STOPS), first(cell, LABELS)
        for what, value, names in (("start", start, STARTS), ("end", stop, STOPS)):
            if value is None:
                return f"it has no {what}" if not _there(cell, names) else f"its {what} is null"
        if label is None:
            return "its label is null" if _there(cell, LABELS) else "it has no label"
    elif isinstance(cell, list | tuple) and len(cell) >= 3:
        start, stop, label = cell[:3]
    elif isinstance(cell, list | tuple) and len(cell) == 2 and all(map(whole, cell)):
        return "it has no label"
    else:
        return "it is neither a tag nor a span"
    for what, value in (("start", start), ("end", stop)):
        if not whole(value):
            return f"its {what} is {_shown(value)}, and a whole number is needed"
    labels = label if isinstance(label, list | tuple) else [label]
    if not labels:
        return "it has no label"
    for one in labels:
        if one is None:
            return "its label is null"
        if not isinstance(one, str) and not whole(one):
            return f"its label is {_shown(one)}, and a text is needed"
    return ""


def why_unfit(value: Any) -> str:
    """What is wrong with a field that should hold tags or spans, "" if nothing is found.

    >>> why_unfit(["B-PER", None])
    'entry 2 of 2 is null, and a tag is needed'
    >>> why_unfit([["0", "7", "PER"]])
    "entry 1 of 1, ['0', '7', 'PER'], is no span: its start is '0', and a whole number is needed"
    """
    if not isinstance(value, list | tuple):
        return f"{type(value).__name__} found, and a list is needed"
    tags = [isinstance(x, str) or whole(x) for x in value]
    for i, cell in enumerate(value, 1):
        if tags[i - 1]:
            continue
        if not isinstance(cell, list | tuple | Mapping):
            return f"entry {i} of {len(value)} is {_shown(cell)}, and a tag is needed"
        why = why_no_span(cell)
        if why:
            return f"entry {i} of {len(value)}, {str(cell)[:60]}, is no span: {why}"
    return "tags and spans are mixed" if any(tags) and not all(tags) else ""


def _there(record: Mapping[str, Any], names: Sequence[str]) -> bool:
    return any(name in record for name in names)


def _shown(value: Any) -> str:
    """A value as JSON writes it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)[:60]

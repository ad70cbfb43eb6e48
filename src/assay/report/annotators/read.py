"""The spans of several annotators, checked to be of one text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.spans.corpus import SpanSet, TagRows, Text
from assay.spans.decode import Decoded, decode, detect_scheme


@dataclass(frozen=True, eq=False)
class Annotated:
    """Spans of several annotators on one text.

    Attributes
    ----------
    names
        The annotators.
    text
        What they marked.
    spans
        One set an annotator.
    decoded
        Where the spans came from tags: how they were read; None for the others.
    scheme
        The scheme of the tags, "" without tags.
    notes
        What the readers said, as plain values.
    """

    names: tuple[str, ...]
    text: Text
    spans: tuple[SpanSet, ...]
    decoded: tuple[Decoded | None, ...]
    scheme: str = ""
    notes: tuple[dict[str, str], ...] = ()

    @property
    def rows(self) -> list[TagRows] | None:
        """The tags, if every annotator has them."""
        found = [one.rows for one in self.decoded if one is not None]
        return found if len(found) == len(self.names) else None


def annotated(
    annotations: Mapping[str, Any] | Sequence[Any],
    *,
    names: Sequence[str] | None = None,
    text: Text | None = None,
    scheme: str | None = None,
    illegal: str = "open",
    suffix: bool = False,
    **reading: Any,
) -> Annotated:
    """The annotators' spans, checked to be of one text."""
    if isinstance(annotations, Mapping):
        names = tuple(map(str, annotations)) if names is None else names
        sources = list(annotations.values())
    else:
        sources = list(annotations)
    if isinstance(annotations, (str, bytes)) or len(sources) < 2:
        raise UsageError(
            f"annotators: two or more are needed, and {len(sources)} was given; one source each."
        )
    if any(isinstance(source, (str, Path)) for source in sources):
        from assay.spans.read import check_reading, read_pair

        check_reading(reading, "annotator_agreement")
        sources = list(read_pair(*sources, **reading))
    elif reading:
        raise UsageError(f"{', '.join(reading)}: only files have options of reading.")
    titles = tuple(map(str, names)) if names is not None else _titles(sources)
    if len(titles) != len(sources) or len(set(titles)) < len(titles):
        raise UsageError(
            f"names: {len(sources)} different names are needed, not {', '.join(titles)}."
        )
    sides = [_side(one, name, text) for one, name in zip(sources, titles, strict=True)]
    _same_text(titles, [side[0] for side in sides])
    rows = [side[1] for side in sides if side[1] is not None]
    kind = (scheme or _scheme(rows, suffix)) if rows else ""
    decoded = tuple(
        None if tags is None else decode(tags, scheme=kind, illegal=illegal, suffix=suffix)
        for _, tags, _ in sides
    )
    spans = tuple(
        given if one is None else one.spans
        for one, (_, _, given) in zip(decoded, sides, strict=True)
    )
    notes = tuple(
        {"code": n.code, "level": n.level, "message": n.message}
        for source in sources
        for n in getattr(source, "notes", ())
    )
    return Annotated(titles, sides[0][0], spans, decoded, kind, notes)


def _scheme(rows: Sequence[TagRows], suffix: bool) -> str:
    """The scheme of all annotators, whichever comes first.

    Where the letters leave two schemes open, one annotator's legal rows decide; if annotators
    decide differently, it is the more usual one, BIO or IOE2.
    """
    turned = [[*rows[k:], *rows[:k]] for k in range(len(rows))]
    found = {detect_scheme(*one, suffix=suffix) for one in turned}
    usual = sorted(found & {"BIO", "IOE2"})
    return found.pop() if len(found) == 1 else usual[0]


def _titles(sources: Sequence[Any]) -> tuple[str, ...]:
    """Names of the sources if they have different ones, else numbers."""
    found = tuple(str(getattr(source, "name", "")) for source in sources)
    if all(found) and len(set(found)) == len(found):
        return found
    return tuple(str(i + 1) for i in range(len(sources)))


def _side(source: Any, name: str, text: Text | None) -> tuple[Text, TagRows | None, SpanSet]:
    """Text, tags and spans of one annotator."""
    none = SpanSet.of([])
    if isinstance(source, SpanSet):
        if text is None:
            raise UsageError(f"{name}: spans alone do not say how long the text is; give text=.")
        return text, None, source
    if isinstance(source, TagRows):
        return source.text, source, none
    if hasattr(source, "text") and hasattr(source, "spans"):
        rows = getattr(source, "rows", None)
        if rows is None and source.spans is None:
            raise InputError(f"{name}: neither tags nor spans were read.")
        return source.text, rows, none if source.spans is None else source.spans
    rows = TagRows.of(source, source=name)
    return rows.text, rows, none


def _same_text(names: Sequence[str], texts: Sequence[Text]) -> None:
    """Raise unless all have sentences of the same lengths."""
    first = texts[0]
    for name, other in zip(names[1:], texts[1:], strict=True):
        if other.n_sentences != first.n_sentences:
            raise InputError(
                f"{name} has {other.n_sentences} sentences, and {names[0]} has "
                f"{first.n_sentences}; annotators are compared on the same text."
            )
        differ = np.flatnonzero(other.lengths != first.lengths)
        if differ.size or other.unit != first.unit:
            k = int(differ[0]) if differ.size else 0
            raise InputError(
                f"{name}: sentence {k + 1} has {int(other.lengths[k])} {other.unit}s, and "
                f"{names[0]} has {int(first.lengths[k])} {first.unit}s there; annotators are "
                "compared on the same text."
            )

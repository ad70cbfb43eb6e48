"""What several sources are to each other: names, empty lists, and options without effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.errors import one_of
from assay.ratings.model import Note
from assay.spans.sources.offsets import Record, Standoff
from assay.spans.sources.open import Opened


def named_apart(opened: Sequence[Opened], sources: Sequence[Any]) -> list[Opened]:
    """Files of the same name are called by as much of their paths as differs."""
    out = list(opened)
    for name in {one.name for one in opened}:
        same = [
            i
            for i, one in enumerate(opened)
            if one.name == name and isinstance(sources[i], str | Path)
        ]
        for i, title in zip(same, titles([Path(sources[i]) for i in same]), strict=True):
            out[i] = replace(opened[i], name=title)
    return out


def titles(paths: Sequence[Path]) -> list[str]:
    """The ends of paths that differ wherever the paths do.

    >>> titles([Path("out/runA/pred.conll"), Path("out/runB/pred.conll")])
    ['runA/pred.conll', 'runB/pred.conll']
    """
    longest = max((len(path.parts) for path in paths), default=1)
    for size in range(1, longest + 1):
        found = ["/".join(path.parts[-size:]) for path in paths]
        if len(set(found)) == len(set(paths)):
            return found
    return [str(path) for path in paths]


def empty_as_spans(opened: Sequence[Opened]) -> list[Opened]:
    """Lists that are all empty, as spans where another side has spans in tokens.

    Nothing says of an empty list whether it is without tags or without spans.
    """
    if not any(one.in_tokens and one.ready is None for one in opened):
        return list(opened)
    out = []
    for one in opened:
        rows = one.rows[0] if len(one.rows) == 1 and one.ready is None else None
        if rows is not None and not rows.codes.size and rows.text.tokens is None:
            records = tuple(
                Record(f"{one.name}: sentence {i + 1}", None, ())
                for i in range(rows.text.n_sentences)
            )
            found = Standoff(records, one.name, one.format)
            notes = (Note("format", "read as spans in tokens: there are none"),)
            one = replace(one, rows=(), standoff=found, in_tokens=True, notes=notes)
        out.append(one)
    return out


def unused_options(
    opened: Sequence[Opened], unit: str, *, snap: str | None, offsets: str | None, inclusive: bool
) -> tuple[Note, ...]:
    """A note on each option of reading that was given and acts on none of the sources."""
    placed = [one.standoff for one in opened if one.standoff is not None and not one.in_tokens]
    ends = [
        one
        for one in opened
        if one.standoff is not None and one.standoff.format not in ("brat", "label-studio")
    ]
    given = (
        ("offsets", offsets is not None, bool(placed), "no source has offsets of characters"),
        (
            "snap",
            snap is not None,
            bool(placed) and unit == "token",
            "no spans of characters are turned into tokens",
        ),
        ("inclusive", inclusive, bool(ends), "no source has spans whose ends it could be about"),
    )
    return tuple(
        Note("option_unused", f"the option {name} has no effect: {why}", "warning")
        for name, asked, acts, why in given
        if asked and not acts
    )


def check_options(names: Sequence[str], known: Sequence[str], caller: str) -> None:
    """Refuse an option that reading does not have, in the name of the function that was called.

    Raises
    ------
    UsageError
        If a name is not known.
    """
    for name in names:
        one_of(name, known, f"{caller}, the option")

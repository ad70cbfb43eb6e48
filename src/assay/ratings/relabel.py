"""Renaming labels as the caller asked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from assay.ratings.categories import Label, label_text
from assay.ratings.label_notes import Found, cells_of
from assay.ratings.model import Note
from assay.ratings.words import BOOLEANS

Key = Any
"""What decides whether two labels are the same."""


def rename(
    found: Sequence[Found],
    relabel: Mapping[Label, Label] | str,
    key: Any,
    clean: Any,
) -> list[Note]:
    """Rename labels in place, and say which."""
    if isinstance(relabel, str):
        return _booleans(found)
    done: dict[str, int] = {}
    exact: dict[Hashable, Label] = {
        key(clean(k) if isinstance(k, str) else k): v for k, v in relabel.items()
    }
    loose = {label_text(k): v for k, v in relabel.items()}
    used = set()
    for f in found:
        if not f.live:
            continue
        own = key(f.label)
        text = label_text(f.label)
        if own in exact or text in loose:
            used.add(text)
            done[text] = done.get(text, 0) + f.count
            new = exact[own] if own in exact else loose[text]
            f.label = clean(new) if isinstance(new, str) else new
            f.renamed = True
    notes = _relabelled(done)
    absent = [t for t in loose if t not in used]
    if absent:
        shown = ", ".join(repr(t) for t in absent[:5])
        message = f"relabel names labels that do not occur: {shown}"
        notes.append(Note("relabel_unused", message, "warning"))
    return notes


def _relabelled(done: Mapping[str, int]) -> list[Note]:
    if not done:
        return []
    shown = ", ".join(f"{t} ({cells_of(n)})" for t, n in list(done.items())[:8])
    return [Note("relabelled", f"labels renamed as asked: {shown}")]


def _word(f: Found) -> str:
    """A label as the families of words for true and false write it."""
    if isinstance(f.label, bool):
        return "true" if f.label else "false"
    return label_text(f.label).casefold()


def _booleans(found: Sequence[Found]) -> list[Note]:
    """True and false in all their spellings.

    Other words than true and false (yes, 1, …) are taken where several families occur; 1 and 0
    only where no other number does.
    """
    live = [f for f in found if f.live]
    numbers = {_word(f) for f in live if _word(f).lstrip("+-").replace(".", "", 1).isdigit()}
    words = {w for pair in BOOLEANS for w in pair}
    if numbers - {"0", "1"}:
        words -= {"0", "1"}
    hits = [f for f in live if _word(f) in words]
    families = [pair for pair in BOOLEANS if any(_word(f) in pair for f in hits)]
    if not hits or (len(families) < 2 and families[0] != BOOLEANS[0]):
        shown = ", ".join(dict.fromkeys(label_text(f.label) for f in live[:8]))
        message = (
            f"relabel booleans: true and false do not occur, nor several words for them ({shown}); "
            "nothing was changed"
        )
        return [Note("relabel_unused", message, "warning")]
    merged: dict[bool, dict[str, int]] = {True: {}, False: {}}
    for f in hits:
        value = any(_word(f) == pair[0] for pair in families)
        text = label_text(f.label) + (" (boolean)" if isinstance(f.label, bool) else "")
        merged[value][text] = merged[value].get(text, 0) + f.count
        f.label = value
        f.renamed = True
    parts = [
        f"taken as {label_text(value)}: "
        + ", ".join(f"{t} ({cells_of(n)})" for t, n in spelled.items())
        for value, spelled in merged.items()
        if spelled
    ]
    return [Note("relabelled", "; ".join(parts))]

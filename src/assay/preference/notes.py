"""Notes with counts: of all comparisons, and of one group of them."""

from __future__ import annotations

from dataclasses import replace

from assay.ratings.model import Note

OF_ALL = frozenset({"winner_missing", "system_with_itself", "empty_rows"})
"""Notes that count rows which were left out before comparisons were split into groups."""
ADVICE = "; where they are other questions, name the column that says so with --by (by=…)"


def repeats_note(many: int, level: str) -> Note:
    """How many comparisons repeat an earlier one; a warning says what to do where they do not."""
    text = f"a rater's repeats: {many:,}; the first answer counts, the others are intra-rater data"
    return Note("repeats", text + ADVICE * (level == "warning"), level)


def notes_of_group(notes: tuple[Note, ...], repeats: int) -> tuple[Note, ...]:
    """The notes for one group: repeats are its own, and counts of all groups say so.

    >>> whole = (repeats_note(3, "info"), Note("empty_rows", "rows left out: 2"))
    >>> [note.message[:22] for note in notes_of_group(whole, 1)]
    ["a rater's repeats: 1; ", 'rows left out: 2 in al']
    >>> len(notes_of_group(whole, 0))
    1
    """
    out = []
    for note in notes:
        if note.code == "repeats":
            if repeats:
                out.append(repeats_note(repeats, note.level))
        elif note.code in OF_ALL:
            out.append(replace(note, message=f"{note.message} in all groups"))
        else:
            out.append(note)
    return tuple(out)

"""What is worth saying about a set of labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.ratings.categories import Label, label_text
from assay.ratings.model import Note
from assay.ratings.sources.grid import WHITE
from assay.ratings.words import LOOKS_MISSING, NUMBER, NUMBER_COMMA, SPREADSHEET_DATE

INNER = re.compile(f"[{re.escape(WHITE)}]+")
UNSEEN = dict.fromkeys(map(ord, "\u200b\u2060\ufeff"))
"""Characters without a width."""


@dataclass(slots=True)
class Found:
    """One distinct raw value on its way to a label."""

    code: int
    raw: Any
    label: Label
    count: int
    live: bool = True
    date: bool = False
    renamed: bool = False


def cells_of(count: int) -> str:
    """Count cells in words.

    >>> cells_of(1), cells_of(12000)
    ('1 cell', '12,000 cells')
    """
    return f"{count:,} cell" if count == 1 else f"{count:,} cells"


def _shown(found: Iterable[Found], text: Callable[[Found], str], limit: int = 8) -> str:
    parts = [f"{text(f)} ({cells_of(f.count)})" for f in found]
    more = f", and {len(parts) - limit} more" if len(parts) > limit else ""
    return ", ".join(parts[:limit]) + more


def _label(f: Found) -> str:
    return label_text(f.label)


def dates(found: Sequence[Found]) -> list[Note]:
    """Labels that a spreadsheet turned into dates."""
    hits = [
        f
        for f in found
        if f.live and (f.date or (isinstance(f.label, str) and SPREADSHEET_DATE.fullmatch(f.label)))
    ]
    if not hits:
        return []
    return [
        Note(
            "spreadsheet_dates",
            f"labels that are dates: {_shown(hits, _label)}; a spreadsheet makes dates of labels "
            "such as 1-2. Check the source, and format the column as text",
            "warning",
        )
    ]


def booleans(found: Sequence[Found]) -> list[Note]:
    """True and false in several spellings."""
    spellings: dict[bool, list[Found]] = {True: [], False: []}
    for f in found:
        if not f.live:
            continue
        if isinstance(f.label, bool):
            spellings[f.label].append(f)
        elif isinstance(f.label, str) and f.label.casefold() in ("true", "false"):
            spellings[f.label.casefold() == "true"].append(f)
    distinct = [{(type(f.label), f.label) for f in group} for group in spellings.values()]
    styles = {_style(f) for group in spellings.values() for f in group}
    if max(map(len, distinct)) < 2 and len(styles) < 2:
        return []
    hits = [f for group in spellings.values() for f in group]
    return [
        Note(
            "mixed_booleans",
            f"true and false are spelled in several ways: {_shown(hits, _spelling)}; each is a "
            "label of its own. To take them as two labels: --relabel booleans "
            "(relabel='booleans' in Python)",
            "warning",
        )
    ]


def _style(f: Found) -> str:
    if isinstance(f.label, bool):
        return "boolean"
    text = str(f.label)
    return "lower" if text.islower() else "upper" if text.isupper() else "title"


def _spelling(f: Found) -> str:
    return f"{label_text(f.label)} as a boolean" if isinstance(f.label, bool) else repr(f.label)


def mixed_types(live: Sequence[Found]) -> list[Note]:
    """Booleans, numbers and texts side by side."""
    kinds: dict[str, list[Found]] = {}
    for f in live:
        if f.renamed:
            continue
        kind = (
            "boolean"
            if isinstance(f.label, bool)
            else "text"
            if isinstance(f.label, str)
            else "number"
        )
        kinds.setdefault(kind, []).append(f)
    if len(kinds) < 2:
        return []
    shown = "; ".join(f"{kind}: {_shown(group, _label, 5)}" for kind, group in kinds.items())
    return [
        Note(
            "mixed_label_types",
            f"labels of several types, none of which equals another ({shown}). To make "
            "two of them one label, use relabel",
            "warning",
        )
    ]


def merged(live: Sequence[Found]) -> list[Note]:
    """Raw values that became one label."""
    groups: dict[tuple[type, Label], list[Found]] = {}
    for f in live:
        if f.renamed:
            continue  # it has a note of its own
        kind = bool if isinstance(f.label, bool) else str if isinstance(f.label, str) else float
        groups.setdefault((kind, f.label), []).append(f)
    notes = []
    texts = [g for g in groups.values() if len(g) > 1 and isinstance(g[0].label, str)]
    numbers = [g for g in groups.values() if len(g) > 1 and not isinstance(g[0].label, str)]
    if texts:
        changed = [f for g in texts for f in g if f.raw != f.label and isinstance(f.raw, str)]
        shown = "; ".join(
            f"{_label(g[0])} = " + ", ".join(ascii(f.raw) for f in g if f.raw != f.label)
            for g in texts[:8]
        )
        total = sum(f.count for f in changed)
        notes.append(
            Note(
                "labels_merged",
                "labels that differ only in outer white space or Unicode form were merged: "
                f"{shown} ({cells_of(total)} changed)",
            )
        )
    if numbers and not isinstance(numbers[0][0].label, bool):
        shown = "; ".join(" = ".join(str(f.raw) for f in g) for g in numbers[:8])
        notes.append(Note("numbers_merged", f"one number in several spellings: {shown}"))
    alone = [
        f
        for g in groups.values()
        if len(g) == 1
        for f in g
        if isinstance(f.label, str) and isinstance(f.raw, str) and f.raw.strip() != f.raw
    ]
    if alone:
        total = sum(f.count for f in alone)
        notes.append(
            Note("labels_trimmed", f"outer white space removed from labels in {cells_of(total)}")
        )
    return notes


def looks_missing(live: Sequence[Found]) -> list[Note]:
    """Texts such as NA that were taken as labels."""
    hits = [f for f in live if isinstance(f.label, str) and f.label.casefold() in LOOKS_MISSING]
    if not hits:
        return []
    option = ",".join(dict.fromkeys(str(f.label) for f in hits))
    return [
        Note(
            "missing_lookalikes",
            f"taken as labels though they look missing: {_shown(hits, _label)}. "
            f"If they mean a missing rating: --missing {option}",
            "warning",
        )
    ]


def declared_missing(gone: Sequence[Found], wanted: Iterable[str]) -> list[Note]:
    """Texts that were declared missing, and those that do not occur."""
    notes = []
    if gone:
        look = any(_label(f).casefold() in LOOKS_MISSING for f in gone)
        notes.append(
            Note(
                "missing_lookalikes" if look else "missing_declared",
                f"taken as missing, as declared: {_shown(gone, _label)}",
            )
        )
    seen = {_label(f) for f in gone}
    absent = sorted(set(wanted) - seen)
    if absent and not gone:
        notes.append(Note("missing_unused", f"declared missing but not found: {', '.join(absent)}"))
    return notes


def _kept_apart(
    live: Sequence[Found],
    key: Callable[[str], str],
    shown: Callable[[str], str],
    code: str,
    what: str,
    known: Collection[str] = (),
) -> list[Note]:
    """A note on texts that are equal under ``key``, which ``known`` keys are not told of."""
    groups: dict[str, dict[str, int]] = {}
    for f in live:
        if isinstance(f.label, str):
            counts = groups.setdefault(key(f.label), {})
            counts[f.label] = counts.get(f.label, 0) + f.count
    hits = [g for name, g in groups.items() if len(g) > 1 and name not in known]
    if not hits:
        return []
    listed = "; ".join(
        " / ".join(f"{shown(label)} ({cells_of(n)})" for label, n in g.items()) for g in hits[:8]
    )
    message = (
        f"labels that differ only in {what} are kept apart: {listed}. To merge them, use relabel"
    )
    return [Note(code, message, "warning")]


def case(live: Sequence[Found]) -> list[Note]:
    """Labels that differ only in upper and lower case."""
    return _kept_apart(
        live, _lower, str, "labels_differ_by_case", "upper and lower case", ("true", "false")
    )


def _lower(text: str) -> str:
    # Not casefold: a ligature and its letters are no matter of case.
    return text.lower().replace("ß", "ss")


def _without_space(text: str) -> str:
    return INNER.sub(" ", text.translate(UNSEEN))


def _seen(text: str) -> str:
    """A text with its unusual white space visible: a double blank, a no-break space."""
    shown = repr(text)
    return "".join(c if c == " " or c not in WHITE else f"\\u{ord(c):04x}" for c in shown)


def inner_space(live: Sequence[Found]) -> list[Note]:
    """Labels that differ only in white space between their words."""
    what = "white space between words"
    return _kept_apart(live, _without_space, _seen, "labels_differ_by_space", what)


def mixed_decimals(texts: Sequence[Found]) -> list[Note]:
    """Numbers with a decimal comma beside numbers with a decimal point."""
    commas = [f for f in texts if NUMBER_COMMA.fullmatch(str(f.label))]
    points = [f for f in texts if "." in str(f.label) and NUMBER.fullmatch(str(f.label))]
    if not commas or not points:
        return []
    return [
        Note(
            "mixed_decimals",
            f"some labels have a decimal comma ({_shown(commas, _label, 3)}) and some a decimal "
            f"point ({_shown(points, _label, 3)}), so all are taken as texts; write them in one "
            "way",
            "warning",
        )
    ]


def not_numbers(
    texts: Sequence[Found], numbers: Sequence[float | None], zeros: re.Pattern[str]
) -> list[Note]:
    """Why labels that are partly numbers stay texts."""
    padded = [f for f in texts if zeros.fullmatch(str(f.label))]
    others = [f for f, n in zip(texts, numbers, strict=True) if n is None and f not in padded]
    notes = []
    if padded:
        notes.append(
            Note(
                "leading_zeros",
                f"labels with leading zeros are texts, not numbers: {_shown(padded, _label)}",
                "warning" if any(n is not None for n in numbers) else "info",
            )
        )
    written = sum(n is not None for n in numbers)
    if others and written > len(texts) / 2:
        notes.append(
            Note(
                "numbers_and_texts",
                f"{written} of {len(texts)} labels are numbers, but not {_shown(others, _label)}; "
                "so all labels are taken as texts",
                "warning",
            )
        )
    return notes

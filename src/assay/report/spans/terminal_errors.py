"""What went wrong, in the terminal: causes, frequent forms, confusion, illegal tags."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from assay.report.lab_lines import in_the_lab, opened_at
from assay.report.layout import GAP, Column, Row, clean, heading, paragraph, table, wrap
from assay.report.numbers import count, counted
from assay.report.render import Summary, View
from assay.report.spans.words import (
    CAUSES,
    cause,
    form_words,
    illegal_line,
    marked,
    type_name,
)
from assay.report.spans.words import causes as found_causes
from assay.report.spans.words import confusion as confused
from assay.report.terminal import WIDEST

MOST_FORMS, MOST_PLACES, MOST_SENTENCES, MOST_OPENED = 4, 2, 20, 5


def _wide(view: View) -> int:
    return view.width or WIDEST


def causes(summary: Summary, view: View) -> list[Text]:
    """One cause an error, adding up to all false positives and false negatives."""
    found = found_causes(summary)
    if not found:
        return []
    rows = [
        Row((cause(c["cause"]), count(c["fp"]), count(c["fn"]), CAUSES.get(c["cause"], "")))
        for c in found
    ]
    total = (count(sum(c["fp"] for c in found)), count(sum(c["fn"] for c in found)))
    rows.append(Row(("all", *total, ""), strong=True))
    what = Column("that is", False, extra=True)
    columns = [Column("", False), Column("FP"), Column("FN"), what]
    return [
        *heading("Causes", _wide(view), "each error of exact matching has one"),
        *table(columns, rows, _wide(view)),
    ]


def forms(summary: Summary, view: View) -> list[Text]:
    """The most frequent errors by their words, with an example each."""
    every = list((summary.get("errors") or {}).get("surface") or ())
    found = every if view.full else every[:MOST_FORMS]
    if not found:
        return []
    lines = heading("Most frequent errors", _wide(view), "[gold], (prediction)")
    for form in found:
        sides = [clean(side) for side in form_words(form) if side]
        head = f"{count(form['count'])}× {cause(form['cause'])}: {' → '.join(sides)}"
        lines += paragraph(head, _wide(view), GAP, GAP * 2)
        for example in (form.get("examples") or ())[: None if view.full else 1]:
            lines += _context(form, example, view)
    if len(every) > len(found):
        text = f"and {len(every) - len(found)} more: --full"
        lines += paragraph(text, _wide(view), GAP, style="dim")
    return lines


def _context(form: Any, example: Any, view: View) -> list[Text]:
    """An example in its context; the marks say what colour only repeats."""
    text = clean("".join(piece for piece, _ in marked(form, example)))
    if not text.strip("[]() "):
        return []
    where = f"sentence {count(example['sentence'] + 1)}: "
    lines = []
    for line in wrap(where + text, _wide(view), GAP * 2, GAP * 3):
        styled = Text(line, "dim")
        for i, sign in enumerate(line):
            if sign in "[]()":
                styled.stylize("not dim bold", i, i + 1)
        lines.append(styled)
    return lines


def confusion(summary: Summary, view: View) -> list[Text]:
    """Types of gold against types of the prediction, with ``full`` only."""
    rows, columns, counts = confused(summary)
    if not view.full or not counts:
        return []
    heads = [Column("gold", False, 20), *(Column(clean(name), limit=14) for name in columns)]
    cells = [Row((clean(name), *map(count, row))) for name, row in zip(rows, counts, strict=True)]
    return [
        *heading("Confusion of types", _wide(view), "gold in rows, prediction in columns"),
        *table(heads, cells, _wide(view)),
    ]


def illegal(summary: Summary, view: View) -> list[Text]:
    """How many tags the scheme does not allow where they stand, and where they are."""
    line = illegal_line(summary)
    if not line:
        return []
    lines = heading("Illegal tags", _wide(view), line)
    places = summary.get("illegal_places") or {}
    unit = (summary.get("source") or {}).get("unit", "token")
    for side, word in (("gold", "gold"), ("pred", "prediction")):
        every = places.get(side) or ()
        found = every if view.full else every[:MOST_PLACES]
        for one in found:
            text = (
                f"{word}, sentence {count(one['sentence'] + 1)}, {unit} "
                f"{count(one['position'] + 1)}: {_before(one)} → {one['after']}"
            )
            lines += paragraph(clean(text + _where(one)), _wide(view), GAP, GAP * 2)
        hidden = (summary.get("illegal") or {}).get(side, 0) - len(found)
        if hidden > 0 and found:
            more = f"and {count(hidden)} more in the {word}"
            more += ": --full" if len(every) > len(found) else ""
            lines += paragraph(more, _wide(view), GAP, style="dim")
    return lines


def _before(place: Any) -> str:
    return str(place.get("before") or "start")


def _where(place: Any) -> str:
    """The words around a tag, its own in brackets."""
    around = place.get("context") or {}
    if not around.get("text"):
        return ""
    left, text, right = (str(around.get(key) or "") for key in ("left", "text", "right"))
    return f", {' '.join(filter(None, (left, f'[{text}]', right)))}"


def sentences(summary: Summary, view: View) -> list[Text]:
    """The sentences with the most errors, with ``full`` only."""
    every = list((summary.get("errors") or {}).get("sentences") or ())
    found = [one for one in every if one.get("cost")][:MOST_SENTENCES]
    if not view.full or not found:
        return []
    lines = heading("Sentences", _wide(view), "the most errors first; [gold], then (prediction)")
    for one in found:
        where = f"sentence {count(one['sentence'] + 1)}"
        where += f", {clean(one['name'])}" if one.get("name") else ""
        text = f"{where}: {count(one['fp'])} FP, {count(one['fn'])} FN"
        lines += paragraph(text, _wide(view), GAP, GAP * 2, "bold")
        for side, signs in (("gold", "[]"), ("pred", "()")):
            text = clean(_bracketed(one, side, signs))
            lines += paragraph(text, _wide(view), GAP * 2, GAP * 3)
    hidden = len([one for one in every if one.get("cost")]) - len(found)
    if hidden > 0:
        text = f"and {counted(hidden, 'more sentence')} with errors: --json"
        lines += paragraph(text, _wide(view), GAP, style="dim")
    return lines


def lab(summary: Summary, view: View) -> list[Text]:
    """Where the pages open the sentence with the most errors; with ``full`` the first few."""
    found = [
        (f"Sentence {count(one['number'])} ({counted(one['errors'], 'error')})", one["address"])
        for one in (summary.get("lab") or ())[:MOST_OPENED]
    ]
    if view.full:
        return opened_at(found, _wide(view))
    return [line for name, path in found[:1] for line in in_the_lab(name, path, _wide(view))]


def _bracketed(sentence: Any, side: str, signs: str) -> str:
    """A sentence with its spans in brackets, each with its type."""
    units = sentence.get("tokens") or ()
    joint = "" if isinstance(units, str) else " "
    opens: dict[int, str] = {}
    closes: dict[int, str] = {}
    for start, stop, kind, *_ in sentence.get(side) or ():
        opens[start] = f"{opens.get(start, '')}{signs[0]}{type_name(kind)} "
        closes[stop - 1] = closes.get(stop - 1, "") + signs[1]
    return joint.join(
        f"{opens.get(i, '')}{unit}{closes.get(i, '')}" for i, unit in enumerate(units)
    )

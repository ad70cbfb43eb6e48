"""Why the number is what it is, in the terminal: one sentence, or everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from assay.report.layout import (
    ACCENT,
    GAP,
    Column,
    Row,
    brief,
    heading,
    paragraph,
    table,
    told,
    wrap,
)
from assay.report.names import title
from assay.report.numbers import coefficient, count, fixed, percent
from assay.report.render import Summary
from assay.report.terminal_main import headline

MANY = 8
"""Ratings of an item that stand side by side; more are counted by label."""


def finding(summary: Summary, width: int, full: bool) -> list[Text]:
    """The finding, and in one sentence what moves the number, or else how it comes about."""
    lines = headline(summary, width, full)
    texts = (summary.get("diagnosis") or {}).get("why") or ()
    if full or not texts:
        return lines
    said = told(texts[1] if len(texts) > 1 else texts[0])
    rows = wrap(f"Why: {said}", width, "", GAP)
    first = Text.assemble((rows[0][:4], f"bold {ACCENT}"), rows[0][4:])
    return [*lines, first, *(Text(row) for row in rows[1:])]


def diagnosis(summary: Summary, width: int, full: bool) -> list[Text]:
    """With ``full``: how the number comes about, and the figures behind what moves it."""
    found = summary.get("diagnosis")
    if not found or not full:
        return []
    texts = found["why"]
    lines = [line for text in texts for line in paragraph(told(text), width, GAP, GAP * 2)]
    lines += _confused(found["confused"], width)
    lines += _without(found["without_rater"], width)
    lines += _merging(found["merging"], summary, width)
    lines += _hardest(found["items"], width)
    look = [one["message"] for one in found["look"]]
    out = [*heading("Why the number is what it is", width), *lines] if lines else []
    if look:
        out += [Text(""), *heading("Where to look in the guideline", width)]
        out += [line for text in look for line in paragraph(told(text), width, GAP, GAP * 2)]
    for one in found["left_out"]:
        text = f"{PARTS[one['part']]}: left out, because {told(one['reason'])}"
        out += paragraph(text, width, GAP, GAP * 2, "dim")
    return out


PARTS = {
    "confused": "Confused labels",
    "swapped": "Swapped labels",
    "without_rater": "Agreement without each rater",
    "merging": "Labels taken as one",
    "hardest": "Hardest items",
}
"""What a part of the diagnosis is called."""


def _pair(labels: Sequence[Any]) -> str:
    return " – ".join(brief(label) for label in labels)


def _confused(found: Sequence[Any], width: int) -> list[Text]:
    if not found:
        return []
    columns = [Column("two labels", False, 60), Column("pairs of ratings"), Column("share")]
    columns += [Column("by chance"), Column("SE", extra=True)]
    rows = [
        Row(
            (
                _pair(one["labels"]),
                count(one["pairs"]),
                percent(one["share"]),
                percent(one["by_chance"]),
                percent(one["standard_error"]),
            ),
            strong=one["stands_out"],
        )
        for one in found
    ]
    return [
        Text(""),
        *heading("Most confused labels", width, "of all pairs of ratings that differ"),
        *table(columns, rows, width),
    ]


def _without(found: Any, width: int) -> list[Text]:
    if not found:
        return []
    columns = [Column("without", False, 34), Column("value"), Column("change"), Column("SE")]
    rows = [
        Row(
            (
                brief(one["rater"]),
                coefficient(one["value"]),
                signed(one["rise"]),
                coefficient(one["standard_error"]),
            ),
            strong=one["stands_out"],
        )
        for one in sorted(found["raters"], key=lambda one: -(one["rise"] or 0.0))
    ]
    name = title({"name": found["coefficient"]})
    aside = f"{name} of all: {coefficient(found['value'])}; SE by jackknife over items"
    return [Text(""), *heading("Without a rater", width, aside), *table(columns, rows, width)]


def signed(value: float | None) -> str:
    """A change with its sign.

    >>> signed(0.12345), signed(-0.5), signed(None)
    ('+0.123', '−0.500', '–')
    """
    text = coefficient(value)
    return text if value is None or value < 0 else f"+{text}"


def _merging(found: Any, summary: Summary, width: int) -> list[Text]:
    if not found:
        return []
    columns = [Column("taken as one", False, 60), Column("value"), Column("change")]
    rows = [
        Row(
            (_pair(one["labels"]), coefficient(one["value"]), signed(one["gain"])),
            strong=one["sharp"],
        )
        for one in found["merges"]
    ]
    aside = f"{title({'name': found['coefficient']}, summary)}; merging changes the question"
    return [Text(""), *heading("Two labels as one", width, aside), *table(columns, rows, width)]


def _hardest(found: Any, width: int) -> list[Text]:
    if not found["hardest"]:
        return []
    columns = [Column("item", False, 28), Column(found["measure"]), Column("given", False, 60)]
    rows = [Row((brief(one["item"]), figure(one), given(one["given"]))) for one in found["hardest"]]
    return [Text(""), *heading("Hardest items", width), *table(columns, rows, width)]


def figure(one: Any) -> str:
    """The figure of an item: its agreement, or its distance."""
    if one["agreement"] is not None:
        return percent(one["agreement"])
    return fixed(one["distance"], 2)


def given(found: Sequence[Any]) -> str:
    """What an item was given, by whom if they are few, else how often.

    >>> given([{"rater": "mai", "label": "ok"}, {"rater": "bo", "label": "bad"}])
    'mai ok, bo bad'
    >>> given([{"rater": None, "label": "ok"}] * 3)
    '3 × ok'
    """
    if len(found) <= MANY and all(one["rater"] is not None for one in found):
        return ", ".join(f"{brief(one['rater'])} {brief(one['label'])}" for one in found)
    times: dict[str, int] = {}
    for one in found:
        times[one["label"]] = times.get(one["label"], 0) + 1
    order = sorted(times.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{n} × {brief(label)}" for label, n in order)

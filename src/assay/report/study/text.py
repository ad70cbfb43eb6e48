"""The report on a study as text: the reports of its parts, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.text import Text

from assay.report.evaluate.lines import own
from assay.report.latex import escape as in_latex
from assay.report.layout import Column, Row, clean, heading, table
from assay.report.markdown import escape, grid
from assay.report.numbers import count, percent
from assay.report.render import Summary, View, render
from assay.report.study.words import collection, questions
from assay.report.terminal import NARROWEST, WIDEST, paint, screen_width

RIGHT = {
    "gold": "Right answers",
    "checks": "Attention checks",
    "qualification": "Qualification test",
}
"""Where right answers are known, as the summary has it, with the title of the table."""
HEADERS = ("rater", "dimension", "answers", "right", "share")


def reports(summary: Summary) -> Iterator[tuple[str, str, Summary]]:
    """The kind, the name and the report of each part: all ratings first, then by dimension."""
    if summary["evaluate"] is not None:
        yield "evaluate", "", summary["evaluate"]
    for kind in ("prefer", "agree", "labels"):
        for name, found in summary[kind].items():
            yield kind, name, found


def heading_of(kind: str, name: str) -> str:
    """What stands above the report of a part."""
    return f"{name}: each label" if kind == "labels" else name


def _joined(summary: Summary, form: str, view: View, mark: Callable[[str], str]) -> list[str]:
    return [
        (mark(heading_of(kind, name)) if name else "")
        + render(found, form, view.width, view.color, full=view.full)
        for kind, name, found in reports(summary)
    ]


def terminal(summary: Summary, view: View) -> str:
    """All parts, how far raters agree with themselves, and how often they were right."""
    width = max(NARROWEST, min(view.width or screen_width(), WIDEST))
    texts = _joined(summary, "terminal", view, lambda name: f"{clean(name)}\n\n")
    lines = [_own(summary, width)]
    for title, _, rows in right(summary):
        columns = [Column(head, head not in HEADERS[:2]) for head in HEADERS]
        cells = [Row((clean(rater), *rest)) for rater, *rest in rows]
        lines.append([*heading(title, width), *table(columns, cells, width)])
    return "\n\n".join([*texts, *(paint(found, view.color) for found in lines if found)])


def _own(summary: Summary, width: int) -> list[Text]:
    dimensions = [{"dimension": one["key"]} for one in summary["design"]["dimensions"]]
    return own({"dimensions": dimensions, "intra_rater": summary["intra_rater"]}, width)


def markdown(summary: Summary, view: View) -> str:
    """The same as Markdown, and how the answers were collected."""
    texts = _joined(summary, "markdown", view, lambda name: f"# {escape(name)}\n\n")
    for title, _, rows in right(summary):
        cells = [(escape(rater), escape(dimension), *rest) for rater, dimension, *rest in rows]
        texts.append("\n".join([f"# {title}", "", *grid(HEADERS, cells)]))
    asked = "\n".join(f"- {escape(text)}" for text in questions(summary))
    return "\n\n".join([*texts, f"# How it was asked\n\n{escape(collection(summary))}\n\n{asked}"])


def latex(summary: Summary, view: View) -> str:
    """The tables of all parts, then the text on how the answers were collected."""
    texts = _joined(summary, "latex", view, lambda name: f"% {clean(name)}\n")
    asked = [in_latex(text) for text in questions(summary)]
    told = "\n".join([in_latex(collection(summary)), *asked])
    return "\n\n".join([*texts, f"% How it was asked\n{told}"])


def right(summary: Summary) -> Iterator[tuple[str, str, Sequence[tuple[str, ...]]]]:
    """How often each rater was right: a title, the key in the summary, rows of cells."""
    for key, title in RIGHT.items():
        if summary[key]:
            yield title, key, [_right(one) for one in summary[key]]


def _right(one: Any) -> tuple[str, ...]:
    return (
        f"{one['rater']} ({one['group']})" if one["group"] else one["rater"],
        one["dimension"],
        count(one["answers"]),
        count(one["right"]),
        percent(one["share"]),
    )

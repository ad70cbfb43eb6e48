"""One summary, many renderers: the tables of formats, and the one function that uses them.

A renderer is a function of the summary (the dictionary that ``to_dict()`` gives) and a
:class:`View`. To add one, write its module and add its line to the table of its kind of
summary; the command line takes its options from the same tables.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from assay.errors import one_of

Summary: TypeAlias = Mapping[str, Any]


class Format(NamedTuple):
    """Where a renderer lives, what it is for, and the file endings that ask for it."""

    home: str
    help: str
    endings: tuple[str, ...] = ()


FORMATS: dict[str, Format] = {
    "terminal": Format("assay.report.terminal:terminal", "Text for a terminal", (".txt",)),
    "json": Format("assay.report.render:to_json", "Everything, unrounded, as JSON", (".json",)),
    "markdown": Format("assay.report.markdown:markdown", "Markdown tables", (".md", ".markdown")),
    "latex": Format("assay.report.latex:latex", "A booktabs table for a paper", (".tex",)),
    "csv": Format("assay.report.tables_csv:tables_csv", "One row a coefficient", (".csv",)),
    "html": Format("assay.report.html:html", "A page with charts, to send", (".html", ".htm")),
}

SPAN_FORMATS: dict[str, Format] = {
    "terminal": Format("assay.report.spans.terminal:terminal", *FORMATS["terminal"][1:]),
    "json": FORMATS["json"],
    "markdown": Format("assay.report.spans.markdown:markdown", *FORMATS["markdown"][1:]),
    "latex": Format("assay.report.spans.latex:latex", *FORMATS["latex"][1:]),
    "csv": Format("assay.report.spans.csv:spans_csv", "One row a mode and type", (".csv",)),
    "html": Format(
        "assay.report.spans.html:html", "A page with charts and marked text", (".html", ".htm")
    ),
}

ANNOTATOR_FORMATS: dict[str, Format] = {
    "terminal": Format("assay.report.annotators.text:terminal", *FORMATS["terminal"][1:]),
    "json": FORMATS["json"],
    "markdown": Format("assay.report.annotators.text:markdown", *FORMATS["markdown"][1:]),
}

PLAN_FORMATS: dict[str, Format] = {
    "terminal": Format("assay.report.plan.text:terminal", *FORMATS["terminal"][1:]),
    "json": FORMATS["json"],
    "markdown": Format("assay.report.plan.text:markdown", *FORMATS["markdown"][1:]),
}

EXPLAIN_FORMATS: dict[str, Format] = {
    "terminal": Format("assay.report.explain_text:terminal", *FORMATS["terminal"][1:]),
    "json": FORMATS["json"],
    "markdown": Format("assay.report.explain_text:markdown", "Markdown", (".md", ".markdown")),
}

EVALUATION_FORMATS: dict[str, Format] = {
    "terminal": Format("assay.report.evaluate.terminal:terminal", *FORMATS["terminal"][1:]),
    "json": FORMATS["json"],
    "markdown": Format("assay.report.evaluate.markdown:markdown", *FORMATS["markdown"][1:]),
    "latex": Format("assay.report.evaluate.latex:latex", *FORMATS["latex"][1:]),
    "csv": Format(
        "assay.report.evaluate.csv:evaluate_csv", "One row a system and dimension", (".csv",)
    ),
    "html": Format("assay.report.evaluate.html:html", "A page with all tables", (".html", ".htm")),
}

PREFERENCE_FORMATS: dict[str, Format] = {
    "terminal": Format("assay.report.prefer.text:terminal", *FORMATS["terminal"][1:]),
    "json": FORMATS["json"],
    "markdown": Format("assay.report.prefer.text:markdown", *FORMATS["markdown"][1:]),
    "latex": Format("assay.report.prefer.latex:latex", *FORMATS["latex"][1:]),
    "csv": Format("assay.report.prefer.csv:prefer_csv", "One row a system, one a pair", (".csv",)),
    "html": Format("assay.report.prefer.html:html", *FORMATS["html"][1:]),
}

STUDY_FORMATS: dict[str, Format] = {
    "terminal": Format("assay.report.study.text:terminal", *FORMATS["terminal"][1:]),
    "json": FORMATS["json"],
    "markdown": Format("assay.report.study.text:markdown", *FORMATS["markdown"][1:]),
    "latex": Format("assay.report.study.text:latex", "The tables for a paper", (".tex",)),
    "csv": Format("assay.report.study.csv:study_csv", "One row a figure, all reports", (".csv",)),
    "html": Format("assay.report.study.html:html", *FORMATS["html"][1:]),
}

COMPARISON_FORMATS: dict[str, Format] = {
    "terminal": Format("assay.report.compare.terminal:terminal", *FORMATS["terminal"][1:]),
    "json": FORMATS["json"],
    "markdown": Format("assay.report.compare.tables:markdown", *FORMATS["markdown"][1:]),
    "latex": Format("assay.report.compare.tables:latex", *FORMATS["latex"][1:]),
    "csv": Format("assay.report.compare.tables:compared_csv", *FORMATS["csv"][1:]),
}

KINDS: dict[str, dict[str, Format]] = {
    "preference": PREFERENCE_FORMATS,
    "agreement": FORMATS,
    "comparison": COMPARISON_FORMATS,
    "spans": SPAN_FORMATS,
    "annotators": ANNOTATOR_FORMATS,
    "plan": PLAN_FORMATS,
    "evaluation": EVALUATION_FORMATS,
    "study": STUDY_FORMATS,
    "explanation": EXPLAIN_FORMATS,
}
"""The formats of each kind of summary; a summary that names no kind is of agreement."""


@dataclass(frozen=True, slots=True)
class View:
    """How the reader looks.

    ``width`` is in columns (None: ask the terminal), ``color`` whether escape codes may be
    used, ``full`` whether nothing is left out, and ``served`` whether the page comes from
    ``assay serve``, so that links into the labs need no host.
    """

    width: int | None = None
    color: bool = False
    full: bool = False
    served: bool = False


def render(
    summary: Summary,
    format: str = "terminal",  # noqa: A002
    width: int | None = None,
    color: bool | None = None,
    *,
    full: bool = False,
) -> str:
    """A summary in one of the formats of its kind, without a newline at the end.

    Raises
    ------
    UsageError
        If there is no such format.

    Examples
    --------
    >>> print(render({"assay": "0.1.0", "coefficients": []}, "json"))
    {
      "assay": "0.1.0",
      "coefficients": []
    }
    """
    formats = KINDS[one_of(summary.get("kind") or "agreement", KINDS, "kind of summary")]
    home = formats[one_of(format, formats, "format")].home
    module, _, name = home.partition(":")
    renderer = getattr(importlib.import_module(module), name)
    return str(renderer(summary, View(width, bool(color), full)))


def to_json(summary: Summary, _view: View) -> str:
    """The summary itself, unrounded; a number that JSON does not have is an error."""
    return json.dumps(summary, ensure_ascii=False, allow_nan=False, indent=2)


def parts(summary: Summary) -> list[tuple[str | None, Summary]]:
    """The summary's groups with their names, or the summary alone.

    >>> parts({"coefficients": []})
    [(None, {'coefficients': []})]
    """
    groups = summary.get("groups")
    if groups is None:
        return [(None, summary)]
    return [(str(group.get("group", i + 1)), group) for i, group in enumerate(groups)]


def cautions(summary: Summary) -> list[Any]:
    """What to look at before trusting the numbers: warnings and reading notes, each once."""
    notes = (summary.get("source") or {}).get("notes") or ()
    found = [*(summary.get("warnings") or ()), *(n for n in notes if n.get("level") == "warning")]
    return list({one["message"]: one for one in found}.values())


def ordered(summary: Summary) -> tuple[list[Any], list[Any], list[Any]]:
    """A summary's coefficients as (chosen, other, not applicable), the first by rank."""
    found = {c["name"]: c for c in summary.get("coefficients", ())}
    chosen = [found[name] for name in summary.get("chosen") or () if name in found]
    rest = [c for c in found.values() if all(c is not one for one in chosen)]
    outside = [c for c in rest if (c.get("undefined") or {}).get("code") == "not_applicable"]
    others = [c for c in rest if all(c is not one for one in outside)]
    return (chosen, others, outside) if chosen else (others, [], outside)

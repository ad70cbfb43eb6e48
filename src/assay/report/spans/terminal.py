"""The report on spans as text: the finding first, then the figures, then what went wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rich.text import Text

from assay.report.layout import ACCENT, GAP, Column, Row, clean, flow, heading, paragraph, table
from assay.report.numbers import count, level
from assay.report.render import Summary, View
from assay.report.spans.systems import ranking
from assay.report.spans.terminal_errors import (
    causes,
    confusion,
    forms,
    illegal,
    lab,
    sentences,
)
from assay.report.spans.words import (
    AVERAGES,
    MEASURES,
    MODES,
    SHORT,
    against,
    averages,
    conventions,
    f_name,
    figure,
    greedy,
    how,
    micro,
    modes,
    percent,
    shown_mode,
    soft,
    source_bits,
    type_name,
    typed,
    types,
)
from assay.report.terminal import NARROWEST, WIDEST, paint, screen_width
from assay.report.terminal_main import headline
from assay.report.terminal_notes import warnings

MOST_TYPES = 8
SAME = "Nothing differs from assay's own figures of exact matching."


def terminal(summary: Summary, view: View) -> str:
    """The report as text, with escape codes only if ``view.color``."""
    width = max(NARROWEST, min(view.width or screen_width(), WIDEST))
    view = replace(view, width=width)
    if summary.get("parity"):
        return paint(parity(summary, view), view.color)
    lines: list[Text] = []
    for section in SECTIONS:
        got = section(summary, view)
        lines += [Text(""), *got] if got and lines else got
    return paint(lines, view.color)


def wide(view: View) -> int:
    """The width in columns, once it is known."""
    return view.width or WIDEST


def _opening(summary: Summary, view: View) -> list[Text]:
    return headline(summary, wide(view), view.full)


def _source(summary: Summary, view: View) -> list[Text]:
    """Files, sizes and conventions."""
    pieces = [f"{clean(against(summary))}:", *source_bits(summary)]
    lines = [Text(line) for line in flow(pieces, wide(view), "", "   ")]
    return lines + paragraph(clean(conventions(summary)), wide(view))


def _matching(summary: Summary, view: View) -> list[Text]:
    """A line a way of matching, then soft credit and where another pairing finds more."""
    rows = []
    for mode in modes(summary, view.full):
        row = micro(summary, mode)
        if row is not None:
            rows.append(
                Row(
                    (mode, *_figures(row, view.full), *_counts(row), MODES[mode]),
                    strong=mode == shown_mode(summary),
                )
            )
    if not rows:
        return []
    columns = [
        Column("", False),
        *_headers(summary, view.full),
        *map(Column, ("TP", "FP", "FN")),
        Column("right if", False, extra=True),
    ]
    aside = f"in %; interval {level(summary.get('level', 0.95))}" if _sure(summary) else "in %"
    lines = [*heading("Ways of matching", wide(view), aside), *table(columns, rows, wide(view))]
    for text in (f"Soft credit: {soft(summary)}" if soft(summary) else "", greedy(summary)):
        lines += paragraph(text, wide(view), GAP, GAP * 2, "dim") if text else []
    return lines


def _sure(summary: Summary) -> bool:
    return any(row.get("interval") for row in summary.get("matches") or ())


def _headers(summary: Summary, full: bool) -> list[Column]:
    name = f_name(summary)
    if full:
        heads = ("P", "P interval", "R", "R interval", name, f"{name} interval")
        return [Column(head, extra="P i" in head or "R i" in head) for head in heads]
    return [Column(head) for head in ("P", "R", name, "interval")]


def _figures(row: Any, full: bool) -> tuple[str, ...]:
    shown = figure(row)
    if not full:
        return tuple(shown)
    p, r = (figure({"interval": row.get(f"{side}_interval")}) for side in ("precision", "recall"))
    return (shown.precision, p.interval, shown.recall, r.interval, shown.f1, shown.interval)


def _counts(row: Any) -> tuple[str, str, str]:
    return count(row.get("tp")), count(row.get("fp")), count(row.get("fn"))


def _types(summary: Summary, view: View) -> list[Text]:
    """A line a type, then the averages."""
    mode = typed(summary)
    found, hidden = types(summary, mode), 0
    if not view.full and len(found) > MOST_TYPES:
        hidden = len(found) - MOST_TYPES
        found = found[:MOST_TYPES]
    if not found:
        return []
    columns = [
        Column("", False, 28),
        Column("gold"),
        *_headers(summary, view.full),
        *map(Column, ("TP", "FP", "FN")),
    ]
    rows = [
        Row(
            (
                clean(type_name(row["type"])),
                count(row.get("support")),
                *_figures(row, view.full),
                *_counts(row),
            ),
            strong=row["type"] == "micro",
        )
        for row in (*found, *averages(summary, mode))
    ]
    asides = [f"{mode}, the most frequent first"]
    asides += [f"{name}: {what}" for name, what in AVERAGES.items() if view.full]
    lines = heading("Types", wide(view), "; ".join(asides))
    if mode != shown_mode(summary):
        text = f"Under {shown_mode(summary)} a type is not looked at; these are those of {mode}."
        lines += paragraph(text, wide(view), GAP, style="dim")
    lines += table(columns, rows, wide(view))
    if hidden:
        lines += paragraph(f"and {hidden} more: --full", wide(view), GAP, style="dim")
    return lines


def _semeval(summary: Summary, view: View) -> list[Text]:
    """The SemEval-2013 table; with ``full`` that of each type, too."""
    found = summary.get("semeval") or {}
    if not found:
        return []
    lines = heading("SemEval-2013 task 9", wide(view), "in %; " + ", ".join(SHORT))
    lines += _measures(found, summary, view)
    for name, table_ in (summary.get("semeval_types") or {}).items() if view.full else ():
        lines += paragraph(clean(type_name(name)), wide(view), GAP, style="bold")
        lines += _measures(table_, summary, view)
    return lines


def _measures(found: Any, summary: Summary, view: View) -> list[Text]:
    columns = [Column("", False), *map(Column, ("P", "R", f_name(summary)))]
    columns += [Column(head) for head in SHORT.values()]
    columns.append(Column("right if", False, extra=True))
    rows = [
        Row(
            (
                name,
                *(percent(found[name].get(key)) for key in ("precision", "recall", "f1")),
                *(count(found[name].get(key)) for key in SHORT),
                what,
            )
        )
        for name, what in MEASURES.items()
        if name in found
    ]
    return table(columns, rows, wide(view))


def _warnings(summary: Summary, view: View) -> list[Text]:
    return warnings(summary, wide(view), view.full)


def _foot(summary: Summary, view: View) -> list[Text]:
    """How the files were read and the intervals made."""
    notes = (summary.get("source") or {}).get("notes") or ()
    read = [clean(one["message"]) for one in notes if one.get("level") != "warning"]
    read = list(dict.fromkeys(read))
    lines: list[Text] = []
    for word, texts in (("Reading", read), ("Intervals", how(summary))):
        if texts:
            rows = paragraph(f"{word}: {'; '.join(texts)}", wide(view), "", GAP, "dim")
            rows[0].stylize(f"not dim bold {ACCENT}", 0, len(word) + 1)
            lines += rows
    return lines


def parity(summary: Summary, view: View) -> list[Text]:
    """What another scorer prints, as it prints it, then why it differs from ours."""
    found = summary["parity"]
    lines = [Text(line) for line in str(found.get("text") or "").split("\n")]
    differences = [clean(text) for text in found.get("differences") or ()]
    if not differences:
        return [*lines, Text(""), *paragraph(SAME, wide(view), style="dim")]
    lines += [Text(""), *heading("What differs", wide(view), "from assay's own figures")]
    for text in differences:
        lines += paragraph(text, wide(view), GAP, GAP * 2)
    return lines


SECTIONS = (
    _opening,
    _source,
    ranking,
    _matching,
    _types,
    causes,
    forms,
    _semeval,
    confusion,
    illegal,
    sentences,
    lab,
    _warnings,
    _foot,
)
"""The sections in order: each takes (summary, view) and gives lines, or none."""

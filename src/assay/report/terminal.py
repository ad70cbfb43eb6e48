"""The report as text: the finding first, then the numbers, then how they were made."""

from __future__ import annotations

import io
import os
import shutil
import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from assay.report.guidance_text import guidance
from assay.report.layout import GAP, Column, Row, brief, heading, paragraph, table, told
from assay.report.names import title
from assay.report.numbers import coefficient, count, interval, level
from assay.report.render import Summary, View, ordered, parts
from assay.report.terminal_data import labels, raters
from assay.report.terminal_diagnosis import diagnosis, finding
from assay.report.terminal_main import coefficients, source
from assay.report.terminal_notes import foot, interpretation, warnings
from assay.report.terminal_pairs import pairs

SECTIONS = (
    finding,
    source,
    coefficients,
    interpretation,
    guidance,
    warnings,
    diagnosis,
    labels,
    raters,
    pairs,
    foot,
)
"""The sections in order: each takes (summary, width, full) and gives lines, or none."""

NARROWEST, WIDEST = 24, 100


def terminal(summary: Summary, view: View) -> str:
    """The report as text, with escape codes only if ``view.color``."""
    width = max(NARROWEST, min(view.width or screen_width(), WIDEST))
    found = parts(summary)
    if found and found[0][0] is None:
        lines = report(summary, width, view.full)
    else:
        lines = grouped(summary, width, view.full)
    return paint(lines, view.color)


def report(summary: Summary, width: int, full: bool) -> list[Text]:
    """The sections of one report, with an empty line between them."""
    lines: list[Text] = []
    for section in SECTIONS:
        got = section(summary, width, full)
        if got and lines:
            lines.append(Text(""))
        lines += got
    return lines


def grouped(summary: Summary, width: int, full: bool) -> list[Text]:
    """One row a group; each group's whole report only if ``full``."""
    found = parts(summary)
    lead = next((ordered(group)[0] for _, group in found if ordered(group)[0]), [])
    texts = summary.get("headline") or [f"{len(found)} groups, each with its own report."]
    lines = [line for text in texts if text for line in paragraph(told(text), width, style="bold")]
    for i, c in enumerate(lead if full else lead[:1]):
        aside = f"interval {level(summary.get('level', 0.95))}; Po observed, Pe expected by chance"
        lines += [Text(""), *heading(title(c, found[0][1]), width, "" if i else aside)]
        lines += _side_by_side(str(c["name"]), found, width)
    got = warnings(summary, width, full)
    lines += [Text(""), *got] if got else []
    if not full:
        text = "Each group's whole report: --full, or --json."
        return [*lines, Text(""), *paragraph(text, width, style="dim")]
    for name, group in found:
        lines += [Text(""), Text(""), *heading(f"Group: {brief(name)}", width), Text("")]
        lines += report(group, width, full)
    return lines


def _side_by_side(name: str, found: list[tuple[str | None, Summary]], width: int) -> list[Text]:
    """One coefficient in all groups, then why it is not defined where it is not."""
    columns = [Column("group", False, 28)]
    columns += [Column(h) for h in ("value", "interval", "Po", "Pe", "items", "ratings")]
    rows, why = [], []
    for group, part in found:
        c: dict[str, Any] = next((c for c in part["coefficients"] if c["name"] == name), {})
        cells = (
            brief(group),
            coefficient(c.get("value")),
            interval(c.get("interval")),
            coefficient(c.get("observed")),
            coefficient(c.get("expected")),
            count(c.get("items")),
            count(c.get("ratings")),
        )
        rows.append(Row(cells))
        if c.get("undefined"):
            text = f"{brief(group)}: not defined, because {told(c['undefined']['reason'])}"
            why += paragraph(text, width, GAP, GAP * 2)
    return [*table(columns, rows, width), *why]


def paint(lines: list[Text], color: bool) -> str:
    """Lines as one string; the styles become escape codes only if ``color``."""
    if not color:
        return "\n".join(line.plain.rstrip() for line in lines)
    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=True,
        color_system="standard",
        no_color=False,
        legacy_windows=False,
        width=10_000,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    return out.getvalue().rstrip("\n")


def screen_width() -> int:
    """The columns of the reader's screen: COLUMNS, then a terminal, else :data:`WIDEST`."""
    if os.environ.get("COLUMNS", "").isdigit():
        return int(os.environ["COLUMNS"]) or WIDEST
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            return os.get_terminal_size(stream.fileno()).columns or WIDEST if stream else WIDEST
        except (OSError, ValueError, AttributeError):
            continue
    return shutil.get_terminal_size((WIDEST, 24)).columns

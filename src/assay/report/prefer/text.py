"""A report on comparisons as text for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from rich.text import Text

from assay.report.layout import (
    GAP,
    WARNING,
    Column,
    Row,
    brief,
    clean,
    flow,
    heading,
    paragraph,
    shorten,
    table,
    told,
    wrap,
)
from assay.report.markdown import escape, grid, sentence
from assay.report.markdown import name as shown_name
from assay.report.numbers import count, counted, level
from assay.report.prefer.also import also_lines, also_table
from assay.report.prefer.rows import (
    SHOWN,
    Cells,
    agreement,
    cluster_lines,
    conventions,
    hidden,
    how,
    matrix,
    pair_lines,
    pairs,
    pairs_hidden,
    part_lines,
    rater_lines,
    side_lines,
    source_bits,
    strengths,
    verb,
)
from assay.report.render import Summary, View, parts
from assay.report.terminal import NARROWEST, WIDEST, paint, screen_width

EXTRA = ("n", "BH", "ranks")
"""Columns that go below their rows where the screen is narrow."""
MATRIX = 12
"""The win matrix is printed for no more systems than this."""


def terminal(summary: Summary, view: View) -> str:
    """The report as text, with escape codes only if ``view.color``."""
    width = max(NARROWEST, min(view.width or screen_width(), WIDEST))
    lines: list[Text] = []
    for group, part in parts(summary):
        if group is not None:
            lines += [Text("")] * (2 * bool(lines))
            lines += [*heading(f"Group: {brief(group)}", width), Text("")]
        lines += report(part, width, view.full)
    return paint(lines, view.color)


def report(summary: Summary, width: int, full: bool) -> list[Text]:
    """One report, with an empty line between its sections."""
    name = brief(PurePath(str(summary["source"].get("name") or "memory")).name)
    left_out = hidden(summary, full)
    more = [f"{count(left_out)} more: --full"] if left_out else []
    aside = f"in order of strength; interval {level(summary['level'])}"
    unseen = 0 if full else pairs_hidden(summary)
    aside += f"; {counted(unseen, 'pair')}: --full" if unseen else ""
    blocks = [
        [
            line
            for text in summary["headline"]
            if text
            for line in paragraph(told(text), width, style="bold")
        ],
        [Text(line) for line in flow([f"{name}:", *source_bits(summary)], width, "", "   ")],
        _section("Systems", aside, strengths(summary, full), width, more + part_lines(summary)),
        _said(cluster_lines(summary), width),
        _section("Wins by convention", "per cent", conventions(summary, full), width),
        _section(
            "Other ratings",
            "score (rank)",
            also_table(summary, None if full else SHOWN),
            width,
            more + also_lines(summary),
        )
        or _said(also_lines(summary), width),
        _section(
            "Pairs", "of the first system", pairs(summary, full), width, pair_lines(summary, full)
        ),
    ]
    if full and len(summary["systems"]) <= MATRIX:
        blocks.append(_section("Win matrix", "row over column", matrix(summary), width))
    blocks.append(
        _section("Raters", "", agreement(summary, full), width, rater_lines(summary))
        or _said(rater_lines(summary), width)
    )
    blocks.append([*heading("Sides", width), *_said(side_lines(summary), width)])
    blocks.append(_warnings(summary, width))
    blocks.append(
        [line for text in how(summary) for line in paragraph(told(text), width, style="dim")]
    )
    lines: list[Text] = []
    for block in filter(None, blocks):
        lines += [Text(""), *block] if lines else block
    return lines


def _said(texts: Sequence[str], width: int) -> list[Text]:
    return [line for text in texts for line in paragraph(told(text), width, GAP, GAP * 2)]


def _section(
    title: str, aside: str, found: tuple[Cells, list[Cells]], width: int, below: Sequence[str] = ()
) -> list[Text]:
    headers, rows = found
    if not rows:
        return []
    columns = [
        # Only names are cut, never a figure.
        Column(shorten(clean(h), 20) if h else "", i > 0, None if i else 40, extra=h in EXTRA)
        for i, h in enumerate(headers)
    ]
    cells = [Row(tuple(clean(c) if c else "" for c in row)) for row in rows]
    return [*heading(title, width, aside), *table(columns, cells, width), *_said(below, width)]


def _warnings(summary: Summary, width: int) -> list[Text]:
    lines: list[Text] = []
    for one in summary["warnings"]:
        mark = "warning: "
        first, *rest = wrap(mark + told(one["message"]), width, "", GAP)
        lines.append(Text.assemble((mark, f"bold {WARNING}"), first[len(mark) :]))
        lines += [Text(row) for row in rest]
    return lines


def markdown(summary: Summary, view: View) -> str:
    """The report as Markdown tables."""
    lines: list[str] = []
    for group, part in parts(summary):
        if group is not None:
            lines += [f"## {shown_name(group)}", ""]
        lines += _markdown(part, view.full)
    return "\n".join(lines).strip()


def _markdown(summary: Summary, full: bool) -> list[str]:
    first, *others = [sentence(text) for text in summary["headline"] if text]
    lines = [f"**{first}**", "", *(line for text in others for line in (text, ""))]
    name = shown_name(summary["source"].get("name") or "memory")
    lines += [f"{name}: {', '.join(source_bits(summary))}.", ""]
    rated = also_table(summary, None if full else SHOWN)
    tables = [strengths(summary, full), conventions(summary, full), rated, pairs(summary, full)]
    if full and len(summary["systems"]) <= MATRIX:
        tables.append(matrix(summary))
    tables.append(agreement(summary, full))
    for headers, rows in tables:
        if rows:
            body = [[_cell(c) for c in row] for row in rows]
            lines += [*grid([_cell(_capital(h)) for h in headers], body), ""]
    left_out = hidden(summary, full)
    unseen = 0 if full else pairs_hidden(summary)
    for many, noun in ((left_out, "more system"), (unseen, "pair")):
        lines += [f"{counted(many, noun)} {verb(many, 'is', 'are')} not shown.", ""] if many else []
    lines += [line for text in pair_lines(summary, full) for line in (sentence(text), "")]
    said = (part_lines, cluster_lines, also_lines, rater_lines, side_lines)
    for text in (text for lines_of in said for text in lines_of(summary)):
        lines += [sentence(text), ""]
    for one in summary["warnings"]:
        lines += [f"> **Warning:** {sentence(one['message'])}", ""]
    return [*lines, *(line for text in how(summary) for line in (sentence(text), ""))]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text.islower() else text


def _cell(text: str) -> str:
    return escape(clean(text)) if text else ""

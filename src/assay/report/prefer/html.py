"""Comparisons as one page: the finding, the pictures with their tables, and how they were made.

The page needs no script and nothing from elsewhere; whatever comes from the data is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import PurePath

from assay.report.charts import Picture
from assay.report.layout import brief, told
from assay.report.numbers import counted
from assay.report.page import details, document, figure, plain_grid, section
from assay.report.page_style import PLAIN
from assay.report.prefer.also import also_lines, also_table
from assay.report.prefer.methods import methods
from assay.report.prefer.plots import (
    matrix_picture,
    raters_picture,
    results_picture,
    strengths_picture,
)
from assay.report.prefer.rows import (
    Cells,
    agreement,
    cluster_lines,
    how,
    pair_lines,
    pairs,
    part_lines,
    rater_lines,
    side_lines,
    source_bits,
    strengths,
)
from assay.report.render import Summary, View, parts

WIDE = 12
"""A matrix of more systems is as wide as it needs and scrolls."""


def html(summary: Summary, _view: View) -> str:
    """One whole page."""
    name = brief(PurePath(str(summary["source"]["name"] or "memory")).name)
    found = parts(summary)
    lines = [str(text) for text in summary.get("headline") or ()]
    if "groups" in summary:
        lines = [f"{counted(len(found), 'group')}, each with its own comparisons"]
    first, *rest = [escape(told(text)) for text in lines if text]
    lead = "".join(f'<p class="lead">{text}</p>' for text in rest)
    bits = "" if "groups" in summary else f": {', '.join(source_bits(summary))}"
    head = (
        f'<header><p class="brand">assay · comparisons</p><h1>{first}</h1>{lead}'
        f'<p class="quiet">{escape(name + bits)}</p></header>'
    )
    body = [head]
    for name_of, part in found:
        body += _sections(part, 2) if name_of is None else [group(name_of, part)]
    text = f'<pre class="wrap" tabindex="0">{escape(methods(summary))}</pre>'
    body.append(section("For a methods section", text))
    made = f'<p class="quiet">Made by assay {escape(str(summary["assay"]))}.</p>'
    return document(f"{name}: comparisons", PLAIN, "\n".join([*body, made]))


def group(name: str, summary: Summary) -> str:
    """One of several sets of comparisons, as a section of a page."""
    said = [escape(told(text)) for text in summary["headline"] if text]
    lead = "".join(f'<p class="lead">{text}</p>' for text in said)
    bits = f'<p class="quiet">{escape(", ".join(source_bits(summary)))}</p>'
    inner = "".join(_sections(summary, 3))
    return f"<section><h2>{escape(brief(name))}</h2>{lead}{bits}{inner}</section>"


def _sections(summary: Summary, depth: int) -> list[str]:
    """What is said of one set of comparisons."""
    matrix = matrix_picture(summary)
    wide = matrix is not None and len(matrix.rows) > WIDE
    return [
        "".join(
            f'<p class="warn"><b>Warning:</b> {escape(told(one["message"]))}</p>'
            for one in summary["warnings"]
        ),
        drawn("Strengths", strengths_picture(summary), depth),
        section(
            "Systems",
            _table(strengths(summary, True)),
            _said([*part_lines(summary), *cluster_lines(summary)]),
            depth=depth,
        ),
        section(
            "Other ratings",
            _table(also_table(summary, None)),
            _said(also_lines(summary)),
            depth=depth,
        ),
        drawn("Wins, ties and losses", results_picture(summary), depth),
        drawn("Who beats whom", matrix, depth, free=wide),
        section(
            "Pairs",
            details(_table(pairs(summary, True)), "Every two systems"),
            _said(pair_lines(summary, True)),
            depth=depth,
        ),
        section("Sides", _said(side_lines(summary)), depth=depth),
        section(
            "Raters",
            _table(agreement(summary, False)),
            _said(rater_lines(summary)),
            drawn("", raters_picture(summary), depth + 1),
            depth=depth,
        ),
        section("How it was made", _said(how(summary)), depth=depth),
    ]


def drawn(title: str, picture: Picture | None, depth: int, *, free: bool = False) -> str:
    """A picture under its finding, with its figures as a table."""
    if picture is None:
        return ""
    finding = f"{title}: {picture.finding}" if title else picture.finding
    return section(
        finding,
        figure(picture.svg, picture.caption, free=free),
        details(plain_grid(picture.heads, picture.rows)),
        depth=depth,
    )


def _table(found: tuple[Cells, list[Cells]]) -> str:
    heads, rows = found
    return plain_grid(heads, rows) if rows else ""


def _said(texts: Sequence[str]) -> str:
    return "".join(f"<p>{escape(told(text))}</p>" for text in texts)

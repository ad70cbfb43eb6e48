"""The report on several annotators, for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from assay.report.annotators.words import (
    WHAT,
    f1_of,
    gamma_line,
    gaps,
    how,
    kappa_name,
    limits,
    share,
    source_bits,
    token_of,
    type_name,
    unitizing_rows,
)
from assay.report.layout import GAP, Column, Row, clean, flow, heading, paragraph, table
from assay.report.markdown import escape, grid
from assay.report.numbers import coefficient, count, interval, level
from assay.report.render import Summary, View, cautions
from assay.report.terminal import NARROWEST, WIDEST, paint, screen_width
from assay.report.terminal_main import headline
from assay.report.terminal_notes import warnings
from assay.spans.score import type_label

MOST_ANNOTATORS = 8
"""Up to this many, the matrix of pairs is shown; beyond, only with ``full``."""
MOST_TYPES = 12


def _types(summary: Summary) -> list[str]:
    """Types by how often they were marked."""
    counts: dict[str, int] = {}
    for one in summary["annotators"]:
        for kind, n in one["types"].items():
            counts[kind] = counts.get(kind, 0) + n
    return sorted(counts, key=lambda kind: (-counts[kind], kind))


def _type_rows(summary: Summary, kinds: Sequence[str]) -> list[tuple[str, ...]]:
    """Cells: type, exact F1, interval, partial F1, interval; all types first."""
    out: list[tuple[str, ...]] = []
    for kind in ("micro", *map(type_label, kinds)):
        exact, partial = (f1_of(summary, mode, kind) or {} for mode in ("exact", "partial"))
        out.append(
            (
                "all types" if kind == "micro" else type_name(kind),
                share(exact.get("mean")),
                limits(exact.get("interval")),
                share(partial.get("mean")),
                limits(partial.get("interval")),
            )
        )
    return out


def _matrix(summary: Summary) -> tuple[list[str], list[list[str]]]:
    """Names, and the cells of exact F1 between every two annotators."""
    names = [str(one["name"]) for one in summary["annotators"]]
    cells = [["" if a == b else "–" for b in names] for a in names]
    for pair in (f1_of(summary, "exact") or {}).get("pairs") or ():
        i, j = names.index(pair["a"]), names.index(pair["b"])
        cells[i][j] = cells[j][i] = share(pair["f1"])
    return names, cells


def _token_rows(summary: Summary) -> list[tuple[str, ...]]:
    """Cells: over what, kappa, interval, alpha, interval, observed agreement, positions."""
    out: list[tuple[str, ...]] = []
    for (what, rule), title in WHAT.items():
        kappa, alpha = (token_of(summary, what, rule, alpha=x) for x in (False, True))
        if kappa.get("value") is None and alpha.get("value") is None:
            continue
        out.append(
            (
                title,
                coefficient(kappa.get("value")),
                interval(kappa.get("interval")),
                coefficient(alpha.get("value")),
                interval(alpha.get("interval")),
                coefficient(kappa.get("observed")),
                count(kappa.get("positions")),
            )
        )
    return out


EXTRA = ("Po", "Do", "De", "tokens", "characters")
"""Columns that go below their rows where the screen is narrow."""


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[Text]:
    columns = [
        Column(clean(h) if h else "", figure=i > 0, limit=20 if i else 34, extra=h in EXTRA)
        for i, h in enumerate(headers)
    ]
    cells = [Row(tuple(clean(c) if c else "" for c in row)) for row in rows]
    return table(columns, cells, width)


def terminal(summary: Summary, view: View) -> str:
    """The report as text, with escape codes only if ``view.color``."""
    width = max(NARROWEST, min(view.width or screen_width(), WIDEST))
    name = level(summary.get("level", 0.95))
    kinds = _types(summary)
    shown = kinds if view.full else kinds[:MOST_TYPES]
    blocks = [
        headline(summary, width, view.full),
        [Text(line) for line in flow(source_bits(summary), width, "", "   ")],
        [
            *heading("F1 of the pairs, mean", width, f"in per cent; interval {name}"),
            *_table(("", "exact", "interval", "partial", "interval"),
                    _type_rows(summary, shown), width),
            *_more(kinds, shown, width),
        ],
    ]  # fmt: skip
    names, cells = _matrix(summary)
    if len(names) > 2 and (view.full or len(names) <= MOST_ANNOTATORS):
        body = [[name, *row] for name, row in zip(names, cells, strict=True)]
        blocks.append(
            [*heading("F1 of each pair, exact", width), *_table(("", *names), body, width)]
        )
    tokens = _token_rows(summary)
    if tokens:
        unit = (summary.get("source") or {}).get("unit", "token")
        over = ("", kappa_name(summary), "interval", "alpha", "interval", "Po", f"{unit}s")
        aside = "alpha is Krippendorff's; Po observed agreement"
        blocks.append(
            [*heading(f"{unit.capitalize()} by {unit}", width, aside),
             *_table(over, tokens, width)]
        )  # fmt: skip
    units = unitizing_rows(summary)
    if units:
        parts = ("", "value", "interval", "Do", "De", "coverage")
        aside = "Do observed, De expected disagreement"
        blocks.append(
            [*heading("Unitizing", width, aside), *_table(parts, units, width)]
        )  # fmt: skip
    blocks.append(
        [line for t in gaps(summary) for line in paragraph(clean(t), width, GAP, GAP * 2)]
    )
    got = gamma_line(summary)
    blocks.append([*heading("Gamma", width), *paragraph(clean(got), width, GAP)] if got else [])
    blocks.append(warnings(summary, width, view.full))
    notes = how(summary) if view.full else how(summary)[:2]
    blocks.append([line for t in notes for line in paragraph(clean(t), width, style="dim")])
    lines: list[Text] = []
    for block in filter(None, blocks):
        lines += [Text(""), *block] if lines else block
    return paint(lines, view.color)


def _more(every: Sequence[str], shown: Sequence[str], width: int) -> list[Text]:
    hidden = len(every) - len(shown)
    return paragraph(f"{hidden} more: --full", width, GAP, style="dim") if hidden else []


def markdown(summary: Summary, view: View) -> str:
    """The report as Markdown tables."""
    name = level(summary.get("level", 0.95))
    kinds = _types(summary)
    texts = [escape(text) for text in summary.get("headline") or ()]
    lines = [f"**{texts[0]}**", "", *texts[1:], ""] if texts else []
    lines += [f"{', '.join(source_bits(summary))}.", ""]
    shown = kinds if view.full else kinds[:MOST_TYPES]
    headers = ("F1 of the pairs, mean (%)", "Exact", f"{name} interval", "Partial")
    lines += [*_grid((*headers, f"{name} interval"), _type_rows(summary, shown)), ""]
    names, cells = _matrix(summary)
    if len(names) > 2:
        body = [[one, *row] for one, row in zip(names, cells, strict=True)]
        lines += [*_grid(("F1 of each pair, exact (%)", *names), body), ""]
    tokens = _token_rows(summary)
    if tokens:
        unit = (summary.get("source") or {}).get("unit", "token")
        head = (f"By {unit}", kappa_name(summary), f"{name} interval", "Alpha")
        lines += [*_grid((*head, f"{name} interval", "Po", f"{unit.capitalize()}s"), tokens), ""]
    units = unitizing_rows(summary)
    if units:
        head = ("Unitizing", "Value", f"{name} interval", "Do")
        lines += [*_grid((*head, "De", "Coverage"), units), ""]
    lines += [f"- {escape(text)}" for text in gaps(summary)]
    got = gamma_line(summary)
    lines += [escape(got), ""] if got else [""]
    for one in cautions(summary):
        lines += [f"> **Warning:** {escape(one['message'])}", ""]
    lines += [line for text in how(summary) for line in (escape(text), "")]
    return "\n".join(lines).strip()


def _grid(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return grid(
        [escape(h) for h in headers], [[escape(c) if c else "" for c in row] for row in rows]
    )

"""An evaluation as text: the finding, the table, what differs, what to look at, how it was made."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from assay.report.evaluate.cells import MANY, alphas, grid, one_ways
from assay.report.evaluate.lines import differences, metric_lines, own, rater_table, shares, wins
from assay.report.evaluate.words import CORRECTIONS, TESTS, Summary, mean, of, said
from assay.report.layout import (
    GAP,
    WARNING,
    Column,
    Row,
    brief,
    heading,
    paragraph,
    table,
    told,
    wrap,
)
from assay.report.numbers import coefficient, count, level
from assay.report.render import View
from assay.report.terminal import NARROWEST, WIDEST, paint, screen_width

FEW_PAIRS = 3
"""Up to so many pairs of systems are listed without --full."""
SAID = ("format", "columns_found")


def terminal(summary: Summary, view: View) -> str:
    """The evaluation as text, with escape codes only if ``view.color``."""
    width = max(NARROWEST, min(view.width or screen_width(), WIDEST))
    lines: list[Text] = []
    for text in summary["headline"]:
        lines += paragraph(told(text), width, style="bold") if text else []
    for section in (_means, _differences, _metrics, _warnings, _raters, _foot):
        got = section(summary, width, view.full)
        lines += [Text(""), *got] if got else []
    return paint(lines, view.color)


def _means(summary: Summary, width: int, full: bool) -> list[Text]:
    systems, dimensions, cells = grid(summary)
    if all(cell.value is None for cell in cells.values()):
        lines = shares(summary, width)
        for name, value in zip(dimensions, alphas(summary), strict=True):
            text = f"{brief(name)}: Krippendorff's alpha {coefficient(value)}"
            lines += paragraph(text, width, GAP, GAP * 2, style="dim")
        return lines
    limits = level(summary["level"])
    if len(dimensions) == 1:
        aside = (
            f"over items, {limits} interval; systems that share a letter are not shown to differ"
        )
        lines = heading(f"Means: {brief(dimensions[0])}", width, aside)
        lines += _single(summary, dimensions[0], systems, width)
    else:
        aside = f"± half of the {limits} interval; a shared letter: not shown to differ"
        lines = heading("Means over items", width, aside)
        lines += _crossed(summary, width)
    return lines + ([Text(""), *shares(summary, width)] if full else [])


def _single(summary: Summary, dimension: str, systems: Sequence[str], width: int) -> list[Text]:
    found = {r["system"]: r for r in of(summary, "systems", dimension)}
    z = any(r["z_macro"] is not None for r in found.values())
    columns = [Column("system", False, 28), Column("mean"), Column("interval"), Column("")]
    columns += [Column("per rating", extra=True), Column("sd", extra=True)]
    columns += [Column("z")] if z else []
    columns += [Column("items"), Column("ratings")]
    rows = []
    for name in systems:
        r = found.get(name)
        if r is None:
            continue
        limits = r["interval"]
        cells = [
            brief(name),
            mean(r["mean_macro"]),
            "–" if limits is None else f"{mean(limits['low'])} to {mean(limits['high'])}",
            (r["letters"] or "") if len(found) > 1 else "",
            mean(r["mean_micro"]),
            mean(r["standard_deviation"]),
            *([coefficient(r["z_macro"])] if z else []),
            count(r["items"]),
            count(r["ratings"]),
        ]
        rows.append(Row(tuple(cells), strong=r["rank"] == 1))
    lines = table(columns, rows, width)
    (value,), icc = alphas(summary), one_ways(summary)
    text = f"Krippendorff's alpha {coefficient(value)}"
    if icc is not None:
        text += f"; ICC(1), other raters for each output, {coefficient(icc[0])}"
    return lines + paragraph(text, width, GAP, GAP * 2, style="dim")


def _crossed(summary: Summary, width: int) -> list[Text]:
    systems, dimensions, cells = grid(summary)
    wide = len(dimensions) <= MANY
    columns = [Column("system", False, 28), *(Column(brief(d), limit=24) for d in dimensions)]
    rows = []
    for name in systems:
        row = [brief(name)]
        for dimension in dimensions:
            cell = cells.get((name, dimension))
            if cell is None or cell.value is None:
                row.append("–")
                continue
            half = f" ±{mean(cell.half)}" if wide and cell.half is not None else ""
            row.append(f"{mean(cell.value)}{half} {cell.letters}".rstrip())
        rows.append(Row(tuple(row)))
    rows.append(Row(("alpha", *(coefficient(a) for a in alphas(summary)))))
    icc = one_ways(summary)
    if icc is not None:
        rows.append(Row(("ICC(1)", *(coefficient(v) for v in icc))))
    return table(columns, rows, width)


def _differences(summary: Summary, width: int, full: bool) -> list[Text]:
    pairs = summary["comparisons"]
    if not pairs or (len(pairs) > FEW_PAIRS and not full):
        return []
    settings = summary["settings"]
    aside = f"{TESTS[settings['test']]}; p corrected: {CORRECTIONS[settings['correction']]}"
    lines = [*heading("Differences", width, aside), *differences(summary, width)]
    return [*lines, Text(""), *wins(summary, width)]


def _metrics(summary: Summary, width: int, full: bool) -> list[Text]:
    return metric_lines(summary, width, full)


def _warnings(summary: Summary, width: int, full: bool) -> list[Text]:
    lines: list[Text] = []
    found = said(summary["warnings"], len(summary["dimensions"]))
    if full:
        for part in summary["agreement"]:
            found += [f"{part['dimension']}: {one['message']}" for one in part["warnings"]]
    for text in dict.fromkeys(found):
        mark = "warning: "
        first, *rest = wrap(mark + told(text), width, "", GAP)
        lines.append(Text.assemble((mark, f"bold {WARNING}"), first[len(mark) :]))
        lines += [Text(row) for row in rest]
    return lines


def _raters(summary: Summary, width: int, full: bool) -> list[Text]:
    lines = own(summary, width)
    if full:
        lines += ([Text("")] if lines else []) + rater_table(summary, width)
    return lines


def _foot(summary: Summary, width: int, full: bool) -> list[Text]:
    notes = summary["source"]["notes"]
    shown = [n for n in notes if full or n["code"] not in SAID]
    read = [told(text) for text in said(shown, len(summary["dimensions"]))]
    lines = heading("Reading", width) if read else []
    for text in read:
        lines += paragraph(text, width, GAP, GAP * 2)
    more = "All pairs, raters and shares: --full; how it was made, for a paper: --methods."
    if not full:
        lines += [*([Text("")] if lines else []), *paragraph(more, width, style="dim")]
    return lines

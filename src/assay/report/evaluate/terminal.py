"""An evaluation as text: the finding, the table, what differs, what to look at, how it was made."""

from __future__ import annotations

from rich.text import Text

from assay.report.evaluate.cells import below, grid, lettered, scored
from assay.report.evaluate.figures import decimals, mean, span
from assay.report.evaluate.lines import (
    differences,
    metric_lines,
    mixed_lines,
    own,
    rater_table,
    shares,
    wins,
)
from assay.report.evaluate.rows import unordered
from assay.report.evaluate.words import CORRECTIONS, TESTS, Summary, of, said
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
    for section in (_means, _differences, _mixed, _metrics, _warnings, _raters, _foot):
        got = section(summary, width, view.full)
        lines += [Text(""), *got] if got else []
    return paint(lines, view.color)


def _means(summary: Summary, width: int, full: bool) -> list[Text]:
    names = scored(summary)
    lines = _single(summary, width) if len(names) == 1 else _crossed(summary, width)
    for text in lettered(summary) if names else ():
        lines += paragraph(told(text), width, GAP, GAP * 2, style="dim")
    others = shares(summary, names if full else (), width)
    for found in (shares(summary, unordered(summary), width), others):
        lines += ([Text("")] if lines and found else []) + found
    return lines


def _single(summary: Summary, width: int) -> list[Text]:
    """One dimension: a system's figures side by side."""
    systems, (dimension,), _ = grid(summary)
    found = {r["system"]: r for r in of(summary, "systems", dimension)}
    digits = decimals(summary)[dimension]
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
        cells = [
            brief(name),
            mean(r["mean_macro"], digits),
            span(r["interval"], digits),
            (r["letters"] or "") if len(found) > 1 else "",
            mean(r["mean_micro"], digits),
            mean(r["standard_deviation"], digits),
            *([coefficient(r["z_macro"])] if z else []),
            count(r["items"]),
            count(r["ratings"]),
        ]
        rows.append(Row(tuple(cells), strong=r["rank"] == 1))
    aside = f"over items, {level(summary['level'])} interval"
    lines = heading(f"Means: {brief(dimension)}", width, aside) + table(columns, rows, width)
    (name, (value,)), (_, (icc,)) = below(summary)
    text = f"{name} {coefficient(value)}; ICC(1), other raters for each output, {coefficient(icc)}"
    return lines + paragraph(text, width, GAP, GAP * 2, style="dim")


def _crossed(summary: Summary, width: int) -> list[Text]:
    """Several dimensions: means with half of their intervals, which go where there is no room."""
    systems, dimensions, cells = grid(summary)
    if not dimensions:
        return []
    places = decimals(summary)
    columns = [Column("system", False, 28), *(Column(brief(d), limit=24) for d in dimensions)]

    def rows(halves: bool) -> list[Row]:
        out = []
        for name in systems:
            row = [brief(name)]
            for dimension in dimensions:
                cell, digits = cells.get((name, dimension)), places[dimension]
                if cell is None:
                    row.append(mean(None, digits))
                    continue
                half = f" ±{mean(cell.half, digits)}" if halves and cell.half is not None else ""
                row.append(f"{mean(cell.value, digits)}{half} {cell.letters}".rstrip())
            out.append(Row(tuple(row)))
        for name, values in below(summary):
            short = name.removeprefix("Krippendorff's ")
            out.append(Row((short, *(coefficient(v) for v in values))))
        return out

    wide, slim = (table(columns, rows(halves), width) for halves in (True, False))
    aside = f"± half of the {level(summary['level'])} interval"
    # A table that fits has a line for its heads and one for each row.
    if len(slim) == len(rows(False)) + 1 < len(wide):
        wide, aside = slim, f"without room for {level(summary['level'])} intervals: --csv has them"
    return heading("Means over items", width, aside) + wide


def _differences(summary: Summary, width: int, full: bool) -> list[Text]:
    pairs = summary["comparisons"]
    if not pairs or (len(pairs) > FEW_PAIRS and not full):
        return []
    settings = summary["settings"]
    aside = f"{TESTS[settings['test']]}; p corrected: {CORRECTIONS[settings['correction']]}"
    lines = [*heading("Differences", width, aside), *differences(summary, width)]
    return [*lines, Text(""), *wins(summary, width)]


def _mixed(summary: Summary, width: int, full: bool) -> list[Text]:
    return mixed_lines(summary, width, full)


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

"""A comparison as text for a terminal."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from assay.report.compare.words import limits, signed
from assay.report.layout import GAP, Column, Row, brief, heading, paragraph, table, told
from assay.report.names import title
from assay.report.numbers import coefficient, count, counted, interval, level, p_phrase, p_value
from assay.report.render import Summary, View, cautions
from assay.report.terminal import NARROWEST, WIDEST, paint, screen_width
from assay.report.terminal_main import scale_line

MOST = 6
"""Pairs and groups that are shown without ``--full``."""


def terminal(summary: Summary, view: View) -> str:
    """The comparison as text, with escape codes only if ``view.color``."""
    width = max(NARROWEST, min(view.width or screen_width(), WIDEST))
    lines = [
        line
        for text in summary.get("headline") or ()
        for line in paragraph(told(text), width, style="bold")
    ]
    lines += [Text(""), *paragraph(scale_line(summary), width)]
    body = _groups if summary.get("of") == "groups" else _pairs
    lines += body(summary, width, view.full)
    for one in cautions(summary):
        lines += [
            Text(""),
            *paragraph(f"warning: {told(one['message'])}", width, "", GAP, "yellow"),
        ]
    lines += [Text(""), *_foot(summary, width)]
    return paint(lines, view.color)


def shown(found: list[Any], summary: Summary, full: bool) -> list[Any]:
    """The chosen coefficients, or all that exist with ``full``; chosen ones first."""
    names = list(summary.get("chosen") or ())
    first = [c for n in names for c in found if c["name"] == n]
    rest = [c for c in found if c["name"] not in names] if full else []
    return [*first, *rest]


def _pairs(summary: Summary, width: int, full: bool) -> list[Text]:
    every = summary["comparisons"]
    several = len(every) > 1
    lines: list[Text] = []
    for one in every if full else every[:MOST]:
        first, second = brief(one["first"], 24), brief(one["second"], 24)
        aside = f"{counted(one['items'], 'item')}; interval {level(summary['level'])}"
        lines += [Text(""), *heading(f"{first} − {second}", width, aside)]
        columns = [Column("", False, 26), Column(first, limit=14), Column(second, limit=14)]
        columns += [Column("difference")]
        columns += [Column("interval"), Column("p")]
        columns += [Column("p, Holm", extra=True)] if several else []
        rows = []
        right = one["accuracy"]
        if right:
            cells = ["Equal to the reference", coefficient(right["first"])]
            cells += [coefficient(right["second"]), signed(right["difference"]), "–"]
            cells += [p_value(right["p_value"])]
            cells += [p_value(right.get("p_adjusted"))] if several else []
            below = (
                f"{count(right['first_only'])} against {count(right['second_only'])} items where "
            )
            rows.append(Row(tuple(cells), below=f"{below}one alone is right; exact McNemar"))
        gone = []
        for d in shown(one["differences"], summary, full):
            if right and d["name"] == "percent_agreement" and not full:
                continue
            if d["difference"] is None:
                gone.append(f"{title(d, summary)}: {told(d['undefined']['reason'])}")
                continue
            cells = [title(d, summary), coefficient(d["first"]["value"])]
            cells += [coefficient(d["second"]["value"]), signed(d["difference"])]
            cells += [limits(d["interval"]), p_value(d["p_value"])]
            cells += [p_value(d["p_adjusted"])] if several else []
            rows.append(Row(tuple(cells), strong=d["name"] in summary["chosen"], below=_margin(d)))
            if d["no_interval"]:
                gone.append(f"{title(d, summary)}: no interval, {told(d['no_interval']['reason'])}")
        lines += table(columns, rows, width)
        for text in gone:
            lines += paragraph(text, width, GAP, GAP * 2)
    if not full and len(every) > MOST:
        lines += paragraph(f"and {len(every) - MOST} more pairs: --full", width, GAP, style="dim")
    return lines


def _margin(d: Any) -> str:
    limit = d["non_inferiority"]
    if not limit:
        return ""
    state = "holds" if limit["holds"] else "not shown"
    return (
        f"not inferior by {coefficient(limit['margin'])}: {state} (lower limit "
        f"{signed(limit['lower'])}, {p_phrase(limit['p_value'])})"
    )


def _groups(summary: Summary, width: int, full: bool) -> list[Text]:
    lines: list[Text] = []
    for s in shown(summary["strata"], summary, full):
        aside = f"interval {level(summary['level'])}"
        lines += [Text(""), *heading(title(s, summary), width, aside)]
        columns = [Column("group", False, 28), Column("value"), Column("interval"), Column("SE")]
        rows = [
            Row(
                (
                    brief(v["group"]),
                    coefficient(v["value"]),
                    interval(v["interval"]),
                    coefficient(v["standard_error"]),
                )
            )
            for v in s["values"]
        ]
        pooled = s["pooled"]
        rows.append(
            Row(
                (
                    "pooled",
                    coefficient(pooled["value"]),
                    interval(pooled["interval"]),
                    coefficient(pooled["standard_error"]),
                ),
                strong=True,
            )
        )
        lines += table(columns, rows, width)
        lines += paragraph(homogeneity(s), width, GAP, GAP * 2)
        for v in s["values"]:
            if v["left_out"]:
                text = f"{brief(v['group'])} is left out: {told(v['left_out']['reason'])}"
                lines += paragraph(text, width, GAP, GAP * 2)
    return lines


def homogeneity(stratum: Any) -> str:
    """The test in one line.

    >>> homogeneity({"homogeneity": {"statistic": 1.8, "df": 1.0, "p_value": 0.18}})
    'One value in all groups: χ² = 1.800, df 1, p = .180'
    """
    test = stratum["homogeneity"]
    if test["statistic"] is None:
        return f"One value in all groups: not tested, because {told(test['undefined']['reason'])}"
    figures = f"χ² = {coefficient(test['statistic'])}, df {test['df']:.0f}"
    return f"One value in all groups: {figures}, {p_phrase(test['p_value'])}"


def methods(summary: Summary) -> list[str]:
    """How intervals and p-values were made, each once."""
    if summary.get("of") == "groups":
        from assay.report.names import methods as made

        found = [
            {"name": s["name"], "interval": v["interval"]}
            for s in shown(summary["strata"], summary, False)
            for v in s["values"][:1]
        ]
        pooled = next((s["pooled"]["method"] for s in summary["strata"]), "")
        return [*made(found, {}), f"pooled: {pooled}"]
    rows = [d for c in summary["comparisons"] for d in shown(c["differences"], summary, False)]
    intervals = [f"interval: {d['interval']['method']}" for d in rows if d["interval"]]
    tests = [f"p: {d['p_method']}" for d in rows if d["p_method"]]
    return list(dict.fromkeys([*intervals, *tests]))


def _foot(summary: Summary, width: int) -> list[Text]:
    texts = [*methods(summary)]
    if summary.get("of") == "groups":
        texts += list(dict.fromkeys(s["reference"] for s in summary["strata"]))
    return paragraph("; ".join(told(t) for t in texts), width, "", GAP, "dim") if texts else []

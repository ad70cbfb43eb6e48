"""The pictures of an evaluation: means, ranks, values by system, and the raters one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assay.errors import InputError, one_of
from assay.report.charts import Picture
from assay.report.charts_heat import Cell, heat
from assay.report.evaluate.cells import lettered
from assay.report.evaluate.figures import decimals, mean, span
from assay.report.layout import brief
from assay.report.numbers import MINUS, coefficient, count, counted, level, percent, share
from assay.report.plot_panels import (
    NAME,
    ROWS,
    Panel,
    limits,
    rank_axis,
    rank_words,
    remark,
    spread,
    stacked,
)
from assay.report.plots import Plot, alone
from assay.report.render import Summary
from assay.report.svg import Dot, intervals

NUMBERED = 12
"""The labels up to which a cell has a decimal."""


def _parts(summary: Summary, name: str) -> list[tuple[Mapping[str, Any], list[Any]]]:
    """Each dimension with its rows of a list of the summary."""
    return [
        (made, [row for row in summary[name] if row["dimension"] == made["dimension"]])
        for made in summary["dimensions"]
    ]


def _by_rank(rows: Sequence[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: math.inf if row["rank"] is None else row["rank"])


def means_picture(summary: Summary) -> Picture | None:
    """The mean of every system with its interval, the best first."""
    panels, left, best, places = [], [], [], decimals(summary)
    cut = 0
    for made, found in _parts(summary, "systems"):
        rows = _by_rank(found)
        if all(row["mean_macro"] is None for row in rows):
            left += [f"No mean on {brief(made['dimension'])}: {found[0]['undefined']['reason']}."]
            continue
        cut += max(0, len(rows) - ROWS)
        rows, digits = rows[:ROWS], places[made["dimension"]]
        dots = [
            Dot(
                brief(row["system"], NAME),
                remark(row, counted(row["ratings"], "rating")),
                f"{mean(row['mean_macro'], digits)}{_ends(row['interval'], digits)}",
                row["mean_macro"],
                *limits(row["interval"]),
            )
            for row in rows
        ]
        # A scale with few points is shown from end to end, others only as far as means go.
        ends = (made["lowest"], made["highest"]) if made["labels"] else ()
        name = brief(made["dimension"])
        best.append(f"{brief(rows[0]['system'])} ({mean(rows[0]['mean_macro'], digits)} on {name})")
        panels.append(
            Panel(
                f"{name} ({made['better']} is better)",
                intervals(dots, spread(dots, *ends), f"Means on {name}"),
                tuple(
                    (
                        brief(row["system"]),
                        name,
                        mean(row["mean_macro"], digits),
                        span(row["interval"], digits),
                        count(row["ratings"]),
                        count(row["items"]),
                    )
                    for row in rows
                ),
            )
        )
    sure = level(summary["level"])
    return _picture(
        "means",
        f"Best mean: {', '.join(best[:3])}{', …' if len(best) > 3 else ''}",
        [f"Means over items as dots, {sure} intervals as whiskers.", *left, _more(cut, "system")],
        panels,
        ("system", "dimension", "mean", f"{sure} interval", "ratings", "items"),
    )


def ranks_picture(summary: Summary) -> Picture | None:
    """The rank of every system and those that the tests leave possible."""
    panels, sole, cut = [], [], 0
    for made, found in _parts(summary, "systems"):
        rows = _by_rank([row for row in found if row["rank"] is not None])
        if len(rows) < 2:
            continue
        name = brief(made["dimension"])
        if rows[0]["rank_high"] == 1:
            sole.append(f"{brief(rows[0]['system'])} on {name}")
        most = len(rows)
        cut += max(0, most - ROWS)
        rows = rows[:ROWS]
        dots = [
            Dot(
                brief(row["system"], NAME),
                f"letters {row['letters']}" if row["letters"] else "",
                rank_words(row["rank"], row["rank_low"], row["rank_high"]),
                row["rank"],
                row["rank_low"],
                row["rank_high"],
            )
            for row in rows
        ]
        panels.append(
            Panel(
                name,
                intervals(dots, rank_axis(most), f"Ranks on {name}"),
                tuple(
                    (
                        brief(row["system"]),
                        name,
                        count(row["rank"]),
                        f"{count(row['rank_low'])} to {count(row['rank_high'])}",
                        row["letters"] or "",
                    )
                    for row in rows
                ),
            )
        )
    first = f"First by the tests: {', '.join(sole[:3])}{', …' if len(sole) > 3 else ''}"
    test, correction = (summary["settings"][k].replace("_", "-") for k in ("test", "correction"))
    return _picture(
        "ranks",
        first if sole else "No system is shown to be better than all others",
        [
            "Ranks by mean as dots, ranks that the tests leave possible as whiskers.",
            f"Tests: {test}, correction {correction}, alpha {summary['settings']['alpha']:g}.",
            *lettered(summary),
            _more(cut, "system"),
        ],
        panels,
        ("system", "dimension", "rank", "possible ranks", "letters"),
    )


def distribution_picture(summary: Summary) -> Picture | None:
    """How often each system got each value."""
    counts = [
        (made, [(row["system"], {s["label"]: s["count"] for s in row["shares"]}) for row in rows])
        for made, rows in _parts(summary, "systems")
    ]
    return _shares("distribution", "system", "What systems were given", summary, counts)


def usage_picture(summary: Summary) -> Picture | None:
    """How often each rater used each value."""
    counts = [
        (made, [(row["rater"], row["distribution"] or {}) for row in rows])
        for made, rows in _parts(summary, "raters")
    ]
    return _shares("usage", "rater", "How raters used the values", summary, counts)


def _shares(
    kind: str,
    who: str,
    finding: str,
    summary: Summary,
    parts: Sequence[tuple[Mapping[str, Any], Sequence[tuple[str, Mapping[str, int]]]]],
) -> Picture | None:
    panels, left, cut = [], [], 0
    for made, found in parts:
        names, dimension = [str(x) for x in made["labels"]], brief(made["dimension"])
        if not names:
            left.append(f"{dimension} has too many different values to show each.")
        if not names or not found:
            continue
        cut += max(0, len(found) - ROWS)
        small = len(names) > NUMBERED
        cells, rows = [], []
        for name, counts in found[:ROWS]:
            total = sum(counts.values())
            parted = [counts.get(label, 0) / total if total else None for label in names]
            cells.append([None if x is None else Cell(_cell(x, small), x) for x in parted])
            figures = [f"{brief(n)}: {share(counts.get(n, 0), total)}" for n in names]
            rows.append((brief(name), dimension, count(total), "; ".join(figures)))
        panels.append(
            Panel(
                dimension,
                heat(
                    [brief(name) for name, _ in found[:ROWS]],
                    names,
                    cells,
                    f"Share of each value by {who} on {dimension}, in per cent",
                    small=small,
                ),
                tuple(rows),
            )
        )
    source = counted(sum(made["ratings"] for made in summary["dimensions"]), "rating")
    return _picture(
        kind,
        f"{finding}: {source} on {counted(len(panels), 'dimension')}",
        [f"In per cent of each {who}'s ratings on a dimension.", *left, _more(cut, who)],
        panels,
        (who, "dimension", "ratings", "shares"),
    )


def _cell(part: float, small: bool) -> str:
    return f"{100 * part:.0f}" if small else percent(part).removesuffix(" %")


def raters_picture(summary: Summary) -> Picture | None:
    """How much higher or lower each rater rates than the others, the strictest first."""
    panels, left, far, cut, places = [], [], [], 0, decimals(summary)
    for made, found in _parts(summary, "raters"):
        rows = sorted(
            (row for row in found if row["severity"] is not None), key=lambda row: row["severity"]
        )
        name, digits = brief(made["dimension"]), places[made["dimension"]]
        without = [row["no_interval"]["reason"] for row in found if row["severity"] is None]
        if without:
            who = counted(len(without), "rater")
            left.append(f"{who} without severity on {name}: {without[0]}.")
        if not rows:
            continue
        most = max(rows, key=lambda row: abs(row["severity"]))
        far.append((abs(most["severity"]), most, name, digits))
        if len(rows) > ROWS:
            # The ends are what is looked for; the middle is left out.
            cut += len(rows) - ROWS
            rows = rows[: ROWS // 2] + rows[-ROWS // 2 :]
        dots = [
            Dot(
                brief(row["rater"], NAME),
                remark(row, counted(row["ratings"], "rating")),
                f"{_signed(row['severity'], digits)}{_ends(row['interval'], digits)}",
                row["severity"],
                *limits(row["interval"]),
            )
            for row in rows
        ]
        panels.append(
            Panel(
                name,
                intervals(dots, spread(dots, 0.0), f"Severity of raters on {name}"),
                tuple(
                    (
                        brief(row["rater"]),
                        name,
                        _signed(row["severity"], digits),
                        span(row["interval"], digits),
                        mean(row["mean"], digits),
                        coefficient(row["correlation"]),
                        count(row["ratings"]),
                    )
                    for row in rows
                ),
            )
        )
    finding = ""
    if far:
        _, row, name, digits = max(far, key=lambda one: one[0])
        finding = (
            f"Furthest from the others: {brief(row['rater'])} on {name} "
            f"({_signed(row['severity'], digits)})"
        )
    sure = level(summary["level"])
    return _picture(
        "raters",
        finding,
        [
            "Mean difference of a rater's ratings from the means of the same outputs;",
            f"below 0 are lower ratings. Whiskers are {sure} intervals.",
            *left,
            _more(cut, "rater"),
        ],
        panels,
        ("rater", "dimension", "severity", f"{sure} interval", "mean", "correlation", "ratings"),
    )


def _ends(limits: Mapping[str, Any] | None, digits: int) -> str:
    return "" if limits is None else f" ({span(limits, digits)})"


def _signed(value: float, digits: int) -> str:
    said = mean(value, digits)
    return f"+{said}" if said.strip("0.") and not said.startswith(MINUS) else said


def _more(cut: int, what: str) -> str:
    return f"{counted(cut, f'more {what}')} not shown." if cut else ""


def _picture(
    kind: str,
    finding: str,
    caption: Sequence[str],
    panels: Sequence[Panel],
    heads: tuple[str, ...],
) -> Picture | None:
    if not panels:
        return None
    said = " ".join(part for part in caption if part)
    rows = tuple(row for panel in panels for row in panel.rows)
    return Picture(kind, finding, said, stacked(panels, finding), heads, rows)


PICTURES: dict[str, Callable[[Summary], Picture | None]] = {
    "means": means_picture,
    "ranks": ranks_picture,
    "distribution": distribution_picture,
    "raters": raters_picture,
    "usage": usage_picture,
}
NOTHING = {
    "means": "no dimension has values with an order, so there are no means.",
    "ranks": "no dimension has two systems with a mean, so there are no ranks.",
    "distribution": "every dimension has too many different values to show each.",
    "raters": "no rater shares outputs with others on a dimension with an order.",
    "usage": "raters are not known, or there are too many different values to show each.",
}


def plot(
    summary: Summary, kind: str, dimension: str | None = None, *, theme: str = "light"
) -> Plot:
    """A picture of an evaluation; see :meth:`assay.EvaluationReport.plot`."""
    from assay.report.page_style import COLOURS

    one_of(kind, PICTURES, "plot")
    one_of(theme, COLOURS, "theme")
    if dimension is not None:
        one_of(dimension, [made["dimension"] for made in summary["dimensions"]], "dimension")
        kept = [made for made in summary["dimensions"] if made["dimension"] == dimension]
        summary = {**summary, "dimensions": kept}
    found = PICTURES[kind](summary)
    if found is None:
        raise InputError(f"plot: {NOTHING[kind]}", code="nothing_to_draw")
    return alone(found, theme)

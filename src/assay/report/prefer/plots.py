"""The pictures of comparisons: strengths, ranks, results, who beats whom, and the raters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from assay.errors import InputError, UsageError, one_of
from assay.report.charts import Picture, shares_picture
from assay.report.charts_heat import Cell, heat
from assay.report.layout import brief
from assay.report.numbers import coefficient, count, counted, interval, level, percent
from assay.report.plot_panels import NAME, REASON, ROWS, limits, rank_axis, rank_words, spread
from assay.report.plots import Plot, alone
from assay.report.render import Summary
from assay.report.svg import Dot, intervals, svg, text

MATRIX, NUMBERED = 60, 12
"""The most systems of a matrix, and those up to which a cell has a decimal."""
BAR, TOP = 42, 30
LOOKS = (("wins", "bar", 1.0), ("ties", "dim", 0.35), ("losses", "cell", 0.8))


def strengths_picture(summary: Summary) -> Picture | None:
    """The strength of every system with its interval."""
    rows = summary["strengths"]
    if all(row["strength"] is None for row in rows):
        return None
    several = len(summary["components"]) > 1
    dots = [_strength(row, several) for row in rows[:ROWS]]
    sure = level(summary["level"])
    top = next(row for row in rows if row["strength"] is not None)
    finding = f"{brief(top['system'])} is the strongest with {coefficient(top['strength'])}"
    if several:
        finding = (
            f"Strengths in {counted(len(summary['components']), 'part')} that cannot be compared"
        )
    drawn = summary["bootstrap"]
    how = f"{sure} intervals by {drawn['method']}" if drawn else "No intervals were asked for"
    if summary["no_bootstrap"]:
        how = f"No intervals: {summary['no_bootstrap']['reason']}"
    return Picture(
        "strengths",
        finding,
        f"{summary['model_name']}; strengths of a part sum to 1. {how}.{_more(len(rows))}",
        intervals(dots, spread(dots, 0.0), "Strengths of systems"),
        ("system", "strength", f"{sure} interval", "part"),
        tuple(
            (
                brief(row["system"]),
                coefficient(row["strength"]),
                interval(row["interval"]),
                count(row["component"] + 1),
            )
            for row in rows[:ROWS]
        ),
    )


def _strength(row: Mapping[str, Any], several: bool) -> Dot:
    name = brief(row["system"], NAME)
    part = f"part {row['component'] + 1}" if several else ""
    if row["strength"] is None:
        why = brief(f"no strength: {row['undefined']['reason']}", REASON)
        return Dot(name, why, coefficient(None))
    said = f"{coefficient(row['strength'])} {interval(row['interval'], missing='')}".strip()
    return Dot(name, part, said, row["strength"], *limits(row["interval"]))


def ranks_picture(summary: Summary) -> Picture | None:
    """The rank of every system, and the ranks that resamples leave possible."""
    rows = [row for row in summary["strengths"] if row["rank"] is not None]
    if not rows:
        return None
    several = len(summary["components"]) > 1
    most = max(int(max(row["rank"], (limits(row["rank_interval"])[1] or 1))) for row in rows)
    dots = [
        Dot(
            brief(row["system"], NAME),
            f"part {row['component'] + 1}" if several else "",
            rank_words(row["rank"], *limits(row["rank_interval"])),
            row["rank"],
            *limits(row["rank_interval"]),
        )
        for row in rows[:ROWS]
    ]
    sure = level(summary["level"])
    first = rows[0]
    high = limits(first["rank_interval"])[1]
    if several:
        finding = f"Ranks within {counted(len(summary['components']), 'part')}"
    elif high is None:
        finding = f"{brief(first['system'])} is first; how surely is not known"
    else:
        reach = "1" if high == 1 else f"1 to {count(high)}"
        finding = f"{brief(first['system'])} is first; the {sure} interval of its rank is {reach}"
    return Picture(
        "ranks",
        finding,
        f"Ranks as dots, {sure} intervals as whiskers, the strongest at the left."
        f"{_more(len(rows))}",
        intervals(dots, rank_axis(most), "Ranks of systems"),
        ("system", "rank", f"{sure} interval", "part"),
        tuple(
            (
                brief(row["system"]),
                count(row["rank"]),
                rank_words(row["rank"], *limits(row["rank_interval"])).partition("(")[2].rstrip(")")
                or "–",
                count(row["component"] + 1),
            )
            for row in rows[:ROWS]
        ),
    )


def results_picture(summary: Summary) -> Picture | None:
    """How often every system wins, ties and loses."""
    rows = [row for row in summary["systems"] if row["comparisons"]]
    if not rows:
        return None
    body: list[str] = []
    for k, (name, look, depth) in enumerate(LOOKS):
        x = 90 * k
        body.append(
            f'<rect class="{look}" x="{x}" y="2" width="12" height="12" fill-opacity="{depth}"/>'
        )
        body.append(text(f"{x + 18}", 13, name, "dim"))
    for i, row in enumerate(rows[:ROWS]):
        top = TOP + BAR * i
        said = " · ".join(percent(row[part]) for part in PARTS)
        body.append(text("0", top + 13, brief(row["system"], NAME), "lead"))
        body.append(text("100%", top + 13, said, anchor="end"))
        at = 0.0
        for (_, look, depth), part in zip(LOOKS, PARTS, strict=True):
            width = 100.0 * row[part]
            if width:
                body.append(
                    f'<rect class="{look}" x="{at:.2f}%" y="{top + 20}" width="{width:.2f}%" '
                    f'height="12" fill-opacity="{depth}"/>'
                )
            at += width
    best = max(rows, key=lambda row: row["net_win_rate"])
    return Picture(
        "results",
        f"{brief(best['system'])} wins {percent(best['win_share'])} and loses "
        f"{percent(best['loss_share'])} of {counted(best['comparisons'], 'comparison')}",
        f"Shares of all comparisons of a system, whoever it was compared with.{_more(len(rows))}",
        svg(TOP + BAR * len(rows[:ROWS]), "Wins, ties and losses of systems", body),
        ("system", "comparisons", "wins", "ties", "losses", "win", "tie", "loss"),
        tuple(
            (
                brief(row["system"]),
                count(row["comparisons"]),
                *(count(row[name]) for name, *_ in LOOKS),
                *(percent(row[part]) for part in PARTS),
            )
            for row in rows[:ROWS]
        ),
    )


PARTS = ("win_share", "tie_share", "loss_share")


def matrix_picture(summary: Summary) -> Picture | None:
    """How often the system of a row beats that of a column."""
    grid = summary["win_matrix"]
    names, wins, ties = [brief(x) for x in grid["systems"]], grid["wins"], grid["ties"]
    n = len(names)
    if not 2 <= n <= MATRIX:
        return None
    found: list[list[float | None]] = [[None] * n for _ in names]
    for i in range(n):
        for j in range(n):
            total = wins[i][j] + wins[j][i] + ties[i][j]
            if i != j and total:
                found[i][j] = (wins[i][j] + ties[i][j] / 2) / total
    if all(x is None for row in found for x in row):
        return None
    small = n > NUMBERED
    cells = [
        [None if i == j else _won(x, small) for j, x in enumerate(row)]
        for i, row in enumerate(found)
    ]
    return Picture(
        "matrix",
        _matrix_finding(summary, found),
        "Per cent of comparisons that the system of the row wins against that of the column, a tie "
        "as half a win. Orange below half, another colour from half, deeper further from half; a "
        "dash where two never met.",
        heat(names, names, cells, "Wins of the row over the column, in per cent", small=small),
        ("", *names),
        tuple(
            (name, *("" if i == j else percent(x) for j, x in enumerate(row)))
            for i, (name, row) in enumerate(zip(names, found, strict=True))
        ),
    )


def _matrix_finding(summary: Summary, found: list[list[float | None]]) -> str:
    """Whom the strongest system beats; where there is none, how many pairs met."""
    met = [x for x in found[0] if x is not None]
    if len(summary["components"]) == 1 and met:
        beaten = sum(x > 0.5 for x in met)
        others = f"all {len(met)}" if beaten == len(met) > 1 else f"{beaten} of {len(met)}"
        return (
            f"{brief(summary['win_matrix']['systems'][0])}, the strongest, wins more than half "
            f"against {others} that it met"
        )
    n = len(found)
    pairs = sum(x is not None for row in found for x in row) // 2
    return f"{count(pairs)} of {counted(n * (n - 1) // 2, 'pair')} of systems met"


def _won(value: float | None, small: bool) -> Cell:
    if value is None:
        return Cell("–")
    said = f"{100 * value:.0f}" if small else percent(value).removesuffix(" %")
    return Cell(said, abs(value - 0.5) * 2, "part" if value >= 0.5 else "cell")


def raters_picture(summary: Summary) -> Picture | None:
    """How often each rater preferred which of two systems."""
    got = summary["agreement"]
    found = None if got["undefined"] else shares_picture(got)
    if found is None:
        return None
    said = f"{found.caption} Answers are of {got['unit']}."
    return replace(
        found, kind="raters", finding="Which of two systems each rater preferred", caption=said
    )


def _more(rows: int) -> str:
    return f" {counted(rows - ROWS, 'more system')} not shown." if rows > ROWS else ""


PICTURES: dict[str, Callable[[Summary], Picture | None]] = {
    "strengths": strengths_picture,
    "ranks": ranks_picture,
    "results": results_picture,
    "matrix": matrix_picture,
    "raters": raters_picture,
}


def _nothing(summary: Summary, kind: str) -> str:
    """Why there is no such picture."""
    if kind == "matrix":
        return f"a matrix needs 2 to {MATRIX} systems that met."
    if kind == "results":
        return "no system was compared."
    if kind == "raters":
        why = summary["agreement"]["undefined"]
        return f"{why['reason']}." if why else "no rater is known."
    reasons = [row["undefined"]["reason"] for row in summary["strengths"] if row["undefined"]]
    return f"no system has a strength: {reasons[0] if reasons else 'nothing was compared'}."


def plot(summary: Summary, kind: str, *, theme: str = "light") -> Plot:
    """A picture of comparisons; see :meth:`assay.PreferenceReport.plot`."""
    from assay.report.page_style import COLOURS

    one_of(kind, PICTURES, "plot")
    one_of(theme, COLOURS, "theme")
    if summary.get("groups") is not None:
        names = ", ".join(str(group["group"]) for group in summary["groups"])
        raise UsageError(
            "this report has groups, each with its own pictures: "
            f"report.groups[GROUP].plot({kind!r}), with GROUP one of {names}."
        )
    found = PICTURES[kind](summary)
    if found is None:
        raise InputError(f"plot: {_nothing(summary, kind)}", code="nothing_to_draw")
    return alone(found, theme)

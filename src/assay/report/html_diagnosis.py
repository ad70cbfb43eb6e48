"""The page's diagnosis: what moves the number, the hardest items, and where to look."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import Any

from assay.report.charts import items_picture
from assay.report.charts_heat import Cell, heat
from assay.report.layout import brief, told
from assay.report.names import title
from assay.report.numbers import coefficient, count, percent
from assay.report.page import details, figure, grid, plain_grid, section, table
from assay.report.render import Summary, View
from assay.report.terminal_data import measured
from assay.report.terminal_diagnosis import MANY, PARTS, given, signed
from assay.report.terminal_diagnosis import figure as item_figure

HEAT_LABELS = 30


def _part(summary: Summary, name: str) -> Any:
    return (summary.get("diagnosis") or {}).get(name)


def confused(summary: Summary, _view: View, depth: int) -> str:
    """Which labels are given to one item, and those that are mixed up more than chance has it."""
    grid_of = _part(summary, "table")
    found = _part(summary, "confused") or ()
    if not grid_of or len(grid_of["labels"]) < 2 or measured(summary):
        return _left_out(summary, "confused")
    names, rows = [str(x) for x in grid_of["labels"]], grid_of["pairs"]
    most = max(map(max, rows)) or 1
    cells: list[list[Cell | None]] = [
        [
            Cell(count(n), n / most, "same" if i == j else "cell", bool(n) and i != j)
            for j, n in enumerate(row)
        ]
        + [None] * (len(rows) - i - 1)
        for i, row in enumerate(rows)
    ]
    caption = (
        "Pairs of ratings of one item by their two labels, all raters together, each pair once. "
        "Equal labels are outlined; colour by the number of pairs."
    )
    drawn = figure(
        heat(names, names, cells, "Pairs of ratings by their two labels"), caption, free=True
    )
    listed = plain_grid(
        ("", *map(brief, names)),
        [
            (brief(name), *map(count, row), *[""] * (len(rows) - len(row)))
            for name, row in zip(names, rows, strict=True)
        ],
    )
    finding = "Which labels are mixed up"
    standing = [one for one in found if one["stands_out"]]
    if standing:
        first = max(standing, key=lambda one: one["share"])
        a, b = (brief(x, 30) for x in first["labels"])
        finding = f"Mixed up more often than chance has it: {a} and {b}"
    if len(summary.get("raters") or ()) == 2:
        # The two raters' own table says the same, and who said what.
        return section(finding, _mixed(found), depth=depth)
    return section(finding, drawn, details(listed), _mixed(found), depth=depth)


def _mixed(found: Any) -> str:
    if not found:
        return ""
    rows = [
        (
            " – ".join(brief(x, 30) for x in one["labels"]),
            "more than chance" if one["stands_out"] else "",
            count(one["pairs"]),
            percent(one["share"]),
            percent(one["by_chance"]),
            percent(one["standard_error"]),
        )
        for one in found
    ]
    how = (
        "Share of all pairs of ratings of one item that differ. By chance: if ratings that differ "
        "fell on two labels as often as these are used. The standard error is over items; what "
        "is marked lies above chance by more than it explains, with a level that makes up for "
        "looking at every two labels."
    )
    heads = ("two labels", "pairs", "share", "by chance", "SE")
    note = details(f'<p class="quiet">{escape(how)}</p>', "How these are computed")
    return grid(heads, rows) + note


def without_rater(summary: Summary, _view: View, depth: int) -> str:
    """Agreement of the others, for each rater."""
    found = _part(summary, "without_rater")
    if not found:
        return _left_out(summary, "without_rater")
    name = title({"name": found["coefficient"]})
    order = sorted(found["raters"], key=lambda one: -(one["rise"] or 0.0))
    standing = [one for one in order if one["stands_out"]]
    if standing:
        finding = (
            f"Without {brief(standing[0]['rater'], 40)} {name} would be "
            f"{coefficient(standing[0]['value'])} instead of {coefficient(found['value'])}"
        )
    else:
        finding = f"{name} without each rater: nobody stands out"
    rows = [
        (
            brief(one["rater"]),
            "out of line with the others" if one["stands_out"] else "",
            coefficient(one["value"]),
            signed(one["rise"]),
            coefficient(one["standard_error"]),
        )
        for one in order
    ]
    how = (
        f"{name} of the other raters, less that of all ({coefficient(found['value'])}); standard "
        "error of the difference by the jackknife over items. Who is marked lifts it by .02 or "
        "more and by more than the error explains, with a level that makes up for looking at "
        "every rater. That somebody differs does not say who is right."
    )
    note = details(f'<p class="quiet">{escape(how)}</p>', "How these are computed")
    return section(finding, grid(("without", name, "change", "SE"), rows), note, depth=depth)


def items(summary: Summary, _view: View, depth: int) -> str:
    """How far the ratings of each item agree."""
    picture = items_picture(summary)
    if picture is None:
        return ""
    return section(
        picture.finding,
        figure(picture.svg, picture.caption),
        details(plain_grid(picture.heads, picture.rows)),
        depth=depth,
    )


def hardest(summary: Summary, _view: View, depth: int) -> str:
    """The items on which raters agree least, with their labels side by side."""
    found = _part(summary, "items") or {}
    rows = found.get("hardest") or ()
    if not rows:
        return _left_out(summary, "hardest")
    raters = [str(row["rater"]) for row in summary.get("raters") or ()]
    aside = 1 <= len(raters) <= MANY
    heads = ["item", str(found["measure"]), *(map(brief, raters) if aside else ["given"])]
    body = ""
    for one in rows:
        said = {str(x["rater"]): str(x["label"]) for x in one["given"]}
        often = Counter(str(x["label"]) for x in one["given"]).most_common(2)
        usual = often[0][0] if len(often) == 1 or often[0][1] > often[1][1] else None
        if aside:
            cells = "".join(_label(said.get(name), usual) for name in raters)
        else:
            cells = f'<td class="text">{escape(given(one["given"]))}</td>'
        body += (
            f'<tr><th scope="row">{escape(brief(one["item"]))}</th>'
            f"<td>{item_figure(one)}</td>{cells}</tr>"
        )
    caption = "The items with the lowest agreement, ties in the order of the file." + (
        " Who differs from the item's most frequent label is marked." if aside else ""
    )
    if found["measure"] != "agreement":
        caption = (
            "The items whose ratings are farthest apart (root mean square of two ratings), ties "
            "in the order of the file."
        )
    return section(
        f"The {len(rows)} hardest items" if len(rows) > 1 else "The hardest item",
        f'<p class="quiet">{caption}</p>',
        table(heads, body),
        depth=depth,
    )


def _label(label: str | None, usual: str | None) -> str:
    if label is None:
        return '<td class="label">–</td>'
    odd = " odd" if usual is not None and label != usual else ""
    return f'<td class="label{odd}">{escape(brief(label, 30))}</td>'


def merging(summary: Summary, _view: View, depth: int) -> str:
    """What taking two labels as one would do."""
    found = _part(summary, "merging")
    if not found:
        return _left_out(summary, "merging")
    name = title({"name": found["coefficient"]}, summary)
    rows = [
        (
            " – ".join(brief(x, 30) for x in one["labels"]),
            "rises sharply" if one["sharp"] else "",
            coefficient(one["value"]),
            signed(one["gain"]),
        )
        for one in found["merges"]
    ]
    warned = (
        '<p class="warn">Merging changes the question: what tells the two labels apart is no '
        "longer asked, and the number says nothing about it.</p>"
    )
    table_of = grid(("taken as one", name, "change"), rows)
    sharp = next((one for one in found["merges"] if one["sharp"]), None)
    if sharp is None:
        inner = details(warned + table_of, "What each would give")
        return section("No two labels taken as one would raise it sharply", inner, depth=depth)
    a, b = (brief(x, 30) for x in sharp["labels"])
    finding = f"With {a} and {b} as one label, {name} would be {coefficient(sharp['value'])}"
    return section(finding, warned, table_of, depth=depth)


def look(summary: Summary, _view: View, depth: int) -> str:
    """Where to look in the guideline."""
    found = _part(summary, "look") or ()
    listed = "".join(f"<li>{escape(told(one['message']))}</li>" for one in found)
    return section(
        "Where to look in the guideline", f"<ul>{listed}</ul>" if listed else "", depth=depth
    )


def _left_out(summary: Summary, name: str) -> str:
    """A line for a part that was too large to be computed."""
    return "".join(
        f'<p class="quiet">{PARTS[name]}: left out, because {escape(told(one["reason"]))}.</p>'
        for one in _part(summary, "left_out") or ()
        if one["part"] == name
    )

"""The page's labels, raters and pairs of raters."""

from __future__ import annotations

from html import escape
from typing import Any

from assay.report.charts import (
    Picture,
    confusion_of,
    matrix_picture,
    pair_value,
    pairs_in_order,
    shares_picture,
)
from assay.report.layout import brief, told
from assay.report.numbers import coefficient, count, counted, fixed, interval, level, share
from assay.report.page import details, figure, lab_link, plain_grid, section, table
from assay.report.pair_order import left_out, ranked
from assay.report.render import Summary, View
from assay.report.terminal_data import measured
from assay.report.terminal_main import test_line

CONFUSIONS, CONFUSIONS_FULL = 3, 50
"""Pairs whose tables are shown."""
LISTED = 20
"""Pairs that are listed in a table."""
MOST_LABELS = 50

KAPPA = (
    "Cohen's kappa: (Po − Pe) / (1 − Pe), Pe from each rater's own label shares; the interval by "
    "the Fleiss-Cohen-Everitt (1969) error. Cohen (1960), Educational and Psychological "
    "Measurement 20(1), 37-46."
)
CEILING = (
    "Ceiling: kappa if the raters agreed as far as their label shares allow. PABAK: kappa if all "
    "labels were equally likely. For two labels: prevalence index, the difference of the shares "
    "of items on which both say the first and both say the second; bias index, the difference of "
    "the raters' shares of the first. Byrt, Bishop and Carlin (1993), Journal of Clinical "
    "Epidemiology 46(5), 423-429."
)
LABELS = (
    "Specific agreement: if one rating is this label, how often another of the item is. Kappa of "
    "the label: Fleiss' kappa of this label against all others. Fleiss (1971), Psychological "
    "Bulletin 76(5), 378-382."
)


def _how(*texts: str) -> str:
    return details(
        "".join(f'<p class="quiet">{escape(text)}</p>' for text in texts), "How these are computed"
    )


def _drawn(picture: Picture, *, free: bool = True) -> str:
    return figure(picture.svg, picture.caption, free=free) + details(
        plain_grid(picture.heads, picture.rows)
    )


def labels(summary: Summary, _view: View, depth: int) -> str:
    """Each label's count and how well raters agree on it."""
    every = list(summary.get("labels") or ())
    found = sorted(every, key=lambda row: -row["count"])[:MOST_LABELS]
    total = sum(row["count"] for row in every)
    if not total or measured(summary):
        return ""
    rows = [
        (
            brief(row["label"]),
            count(row["count"]),
            share(row["count"], total),
            coefficient(row.get("specific_agreement")),
            coefficient(row.get("category_kappa")),
        )
        for row in found
    ]
    hidden = len(every) - len(found)
    more = f'<p class="quiet">and {counted(hidden, "more label")}</p>' if hidden else ""
    heads = ("label", "ratings", "share", "specific agreement", "kappa of the label")
    return section("Label by label", plain_grid(heads, rows), more, _how(LABELS), depth=depth)


def shares(summary: Summary, _view: View, depth: int) -> str:
    """How often each rater used each label."""
    picture = None if measured(summary) else shares_picture(summary)
    if picture is None:
        return ""
    tests = "".join(
        f"<p>Equal label shares of all raters? {escape(test_line(test))}</p>"
        for test in summary.get("marginal_tests") or ()
    )
    return section(picture.finding, _drawn(picture), tests, depth=depth)


def confusions(summary: Summary, view: View, depth: int) -> str:
    """The tables of the pairs that agree least, each with its lab."""
    found = [pair for pair in pairs_in_order(summary) if pair.get("confusion")]
    shown = found[: CONFUSIONS_FULL if view.full else CONFUSIONS]
    if not shown or measured(summary):
        return ""
    if len(shown) == 1:
        picture = confusion_of(shown[0])
        return (
            ""
            if picture is None
            else section(picture.finding, _one(shown[0], picture, view), depth=depth)
        )
    out = []
    for pair in shown:
        picture = confusion_of(pair)
        if picture is not None:
            name = f"h{depth + 1}"
            head = f"<{name}>{escape(picture.finding)}</{name}>"
            out.append(f"<div>{head}{_one(pair, picture, view)}</div>")
    few = f"The {counted(len(shown), 'pair')} of raters" if len(found) > len(shown) else "Pairs"
    return section(
        f"{few} with the lowest kappa, label against label",
        *(['<div class="beside">', *out, "</div>"] if out else ()),
        depth=depth,
    )


def _one(pair: Any, picture: Picture, view: View) -> str:
    figures = [
        f"{name} {coefficient(pair[key])}"
        for name, key in (
            ("Cohen's kappa", "cohen_kappa"),
            ("Po", "observed"),
            ("Pe", "expected"),
            ("ceiling", "maximum"),
            ("PABAK", "pabak"),
            ("prevalence index", "prevalence_index"),
            ("bias index", "bias_index"),
        )
        if pair.get(key) is not None
    ]
    why = pair.get("undefined")
    if why:
        figures.insert(0, f"kappa not defined, because {told(why['reason'])}")
    out = f"<p>{escape('; '.join(figures))}</p>" if figures else ""
    for one in (x for x in pair.get("confused") or () if x["stands_out"]):
        a, b = (brief(x, 30) for x in one["labels"])
        n, chance = counted(one["items"], "item"), fixed(one["by_chance"], 1)
        first, second = (brief(name) for name in pair["raters"])
        said = f"{first} {a}, {second} {b}: {n}, where chance would give {chance}."
        out += f"<p>{escape(said)}</p>"
    tests = "".join(
        f"<p>{escape(test_line(test))}</p>" for test in pair.get("marginal_tests") or ()
    )
    out += details(tests, "Do the two use the labels equally often? Tests") if tests else ""
    opened = lab_link(pair.get("lab"), "Open this pair in the kappa lab", served=view.served)
    return _drawn(picture) + out + (f"<p>{opened}</p>" if opened else "")


def matrix(summary: Summary, _view: View, depth: int) -> str:
    """Every two raters, those who agree together."""
    picture = matrix_picture(summary)
    return (
        ""
        if picture is None
        else section(picture.finding, _drawn(picture), _how(KAPPA), depth=depth)
    )


def pairs(summary: Summary, view: View, depth: int) -> str:
    """The pairs as a table, each with its lab."""
    order = ranked(summary.get("pairs") or ())
    every = list(order.pairs)
    beyond = left_out(summary)
    if not every:
        return section("Pairs of raters", f"<p>{escape(beyond)}</p>" if beyond else "", depth=depth)
    found = every if view.full else every[:LISTED]
    what, value = pair_value(summary)
    kappa = what.endswith("kappa")
    columns = [
        ("Po", "observed"), ("Pe", "expected"), ("ceiling", "maximum"), ("PABAK", "pabak"),
        ("prevalence", "prevalence_index"), ("bias", "bias_index"),
    ] if kappa else []  # fmt: skip
    used = [(h, key) for h, key in columns if any(p.get(key) is not None for p in found)]
    heads = ["raters", what]
    heads += [f"{level(summary.get('level', 0.95))} interval"] if kappa else []
    heads += [*(h for h, _ in used), "items"]
    body = ""
    for pair in found:
        name = " – ".join(brief(r) for r in pair["raters"])
        opened = lab_link(pair.get("lab"), name, served=True) if view.served else ""
        cells = [coefficient(value(pair))]
        cells += [interval(pair.get("interval"))] if kappa else []
        cells += [*(coefficient(pair.get(key)) for _, key in used), count(pair.get("items"))]
        figures = "".join(f"<td>{cell}</td>" for cell in cells)
        body += f'<tr><th scope="row">{opened or escape(name)}</th>{figures}</tr>'
    notes = [
        *(
            [f"and {counted(len(every) - len(found), 'more pair')}"]
            if len(every) > len(found)
            else []
        ),
        beyond,
        order.remark(),
    ]
    more = "".join(f'<p class="quiet">{escape(text)}</p>' for text in notes if text)
    texts = (KAPPA, CEILING) if kappa else (f"{what} of the two raters' values.",)
    inner = table(heads, body) + more + _how(*texts)
    if len(every) == 1:
        return ""
    return section("Pairs of raters, the lowest first", inner, depth=depth)

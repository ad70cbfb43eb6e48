"""A plan as text for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from assay.report.layout import GAP, WARNING, Column, Row, heading, paragraph, table, told, wrap
from assay.report.markdown import escape, grid, sentence
from assay.report.numbers import coefficient, count, counted, level, percent
from assay.report.render import Summary, View
from assay.report.terminal import NARROWEST, WIDEST, paint, screen_width

LABELS = 8
"""Labels whose shares are shown; the others are counted, but with ``--full``."""


def columns(summary: Summary) -> list[tuple[str, Any]]:
    """The table's columns: header and how a cell is made; only those that say something."""
    answers = summary["answers"]
    wish = summary["wish"]
    limits = level(wish["level"])
    every: list[tuple[str, str, Any]] = [
        ("Raters", "raters", count),
        ("Items", "items", count),
        ("Ratings", "ratings", count),
        ("Mean width", "width", coefficient),
        (f"{limits} from", "low", coefficient),
        ("to", "high", coefficient),
        ("Above" if wish["lower"] is None else f"Above {wish['lower']:g}", "passed", percent),
        ("Holds", "covered", percent),
        ("By formula", "formula_items", count),
    ]
    return [
        (header, lambda one, key=key, show=show: show(one[key]))
        for header, key, show in every
        if any(one[key] is not None for one in answers)
    ]


def rows(summary: Summary) -> list[list[str]]:
    """The cells of the answers that exist."""
    found = columns(summary)
    return [
        [show(one) for _, show in found] for one in summary["answers"] if one["items"] is not None
    ]


def gaps(summary: Summary) -> list[str]:
    """The reasons of the answers that do not exist, each once."""
    reasons: dict[str, list[str]] = {}
    for one in summary["answers"]:
        if one["undefined"]:
            reasons.setdefault(one["undefined"]["reason"], []).append(str(one["raters"]))
    if len(reasons) == 1 and all(one["undefined"] for one in summary["answers"]):
        return []  # the headline has it
    return [f"{', '.join(who)} raters: not possible, because {why}" for why, who in reasons.items()]


def assumptions(summary: Summary, full: bool) -> list[str]:
    """What was taken as true, a sentence each."""
    assumed, title = summary["assumed"], summary["title"]
    pilot = assumed["pilot"]
    out = []
    if pilot is not None:
        found = ""
        if pilot["value"] is not None:
            found = f", {title} {coefficient(pilot['value'])}"
        if pilot["low"] is not None:
            found += f" ({coefficient(pilot['low'])} to {coefficient(pilot['high'])})"
        out.append(
            f"as in the pilot {told(pilot['name'])}: {counted(pilot['items'], 'item')}, "
            f"{counted(pilot['raters'], 'rater')}{found}"
        )
    elif assumed["value"] is not None:
        out.append(f"{title} is {coefficient(assumed['value'])}")
    if assumed["agreement"] is not None:
        out.append(f"{percent(assumed['agreement'])} of the pairs of ratings agree")
    if assumed["shares"]:
        shown = [f"{told(name)} {percent(x)}" for name, x in assumed["shares"].items()]
        most = len(shown) if full else LABELS
        more = f" and {len(shown) - most} more" if len(shown) > most else ""
        out.append(f"labels: {', '.join(shown[:most])}{more}")
    if assumed["model"] is not None:
        out.append(
            "each rater recognises an item's label with probability "
            f"{coefficient(assumed['model'] ** 0.5)}, else says one by these shares"
        )
    if assumed["rater_share"] is not None:
        share = percent(assumed["rater_share"])
        out.append(f"normal scores; {share} of the variance from raters who rate higher or lower")
    out.append("every rater rates every item; items are drawn independently")
    return out


def methods(summary: Summary) -> list[str]:
    """How the numbers were found, each way once."""
    found = []
    for one in summary["answers"]:
        if one["method"]:
            text = one["method"]
            if one["simulations"]:
                text += f" ({count(one['simulations'])} a size, seed {summary['seed']})"
            found.append(text)
    return list(dict.fromkeys(found))


def references(summary: Summary) -> list[str]:
    """Where the formulas come from, each once."""
    found = [one["reference"] for one in summary["answers"]]
    return list(dict.fromkeys(one for one in found if one))


def terminal(summary: Summary, view: View) -> str:
    """The plan as text, with escape codes only if ``view.color``."""
    width = max(NARROWEST, min(view.width or screen_width(), WIDEST))
    lines: list[Text] = []
    for text in summary["headline"]:
        lines += paragraph(told(text), width, style="bold") if text else []
    cells, names = rows(summary), columns(summary)
    if cells:
        lines += [Text(""), *heading("Plan", width, _aside(summary))]
        lines += table([Column(n) for n, _ in names], [Row(tuple(c)) for c in cells], width)
    for why in gaps(summary):
        lines += paragraph(told(why), width, GAP, GAP * 2)
    for one in summary["warnings"]:
        mark = "warning: "
        first, *rest = wrap(mark + told(one["message"]), width, "", GAP)
        lines += [Text(""), Text.assemble((mark, f"bold {WARNING}"), first[len(mark) :])]
        lines += [Text(row) for row in rest]
    for word, texts in (
        ("Assumed", assumptions(summary, view.full)),
        ("Method", methods(summary)),
        ("References" if len(references(summary)) > 1 else "Reference", references(summary)),
    ):
        if texts:
            lines += [Text(""), *heading(word, width)]
            for text in texts:
                lines += paragraph(told(text), width, GAP, GAP * 2)
    return paint(lines, view.color)


def _aside(summary: Summary) -> str:
    wish = summary["wish"]
    if wish["width"] is not None:
        return f"for an interval {wish['width']:g} wide"
    if wish["items"] is None:
        return f"for a lower limit above {wish['lower']:g} with probability {wish['power']:g}"
    return f"what {counted(wish['items'], 'item')} give" + ("s" if wish["items"] == 1 else "")


def markdown(summary: Summary, view: View) -> str:
    """The plan as Markdown."""
    first, *others = [sentence(text) for text in summary["headline"] if text]
    lines = [f"**{first}**", "", *(line for text in others for line in (text, ""))]
    cells = rows(summary)
    if cells:
        lines += [*grid([escape(n) for n, _ in columns(summary)], cells), ""]
    lines += [line for why in gaps(summary) for line in (f"- {sentence(why)}", "")]
    for one in summary["warnings"]:
        lines += [f"> **Warning:** {sentence(one['message'])}", ""]
    listed: Sequence[tuple[str, Sequence[str]]] = (
        ("Assumed", assumptions(summary, view.full)),
        ("Method", methods(summary)),
        ("References", references(summary)),
    )
    for word, texts in listed:
        if texts:
            lines += [f"{word}: {'; '.join(map(sentence, texts))}.", ""]
    return "\n".join(lines).strip()

"""The report as Markdown tables (the GitHub dialect)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from assay.report.layout import LONGEST, shorten, told
from assay.report.methods import methods_text
from assay.report.names import gaps, methods, tested, title
from assay.report.numbers import (
    coefficient,
    count,
    counted,
    interval,
    level,
    p_value,
    share,
)
from assay.report.pair_order import left_out, ranked
from assay.report.render import Summary, View, cautions, ordered, parts
from assay.report.terminal_diagnosis import figure as item_figure
from assay.report.terminal_diagnosis import given

MOST = 20
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")


def escape(text: object) -> str:
    r"""A name that Markdown takes as it is.

    >>> escape("a|b_c <i>")
    'a\\|b\\_c \\<i\\>'
    """
    flat = " ".join(str(text).split()) or "(empty)"
    return SPECIAL.sub(r"\\\1", flat)


def name(text: object) -> str:
    """A label or a rater in Markdown, not longer than a reader takes in."""
    return escape(shorten(" ".join(str(text).split()), LONGEST))


def sentence(text: object) -> str:
    """A sentence in Markdown; what is quoted in it is shortened as a name is."""
    return escape(told(" ".join(str(text).split())))


def grid(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table whose first column is text and whose others are figures."""
    marks = ["---", *("---:" for _ in headers[1:])]
    return [f"| {' | '.join(line)} |" for line in (headers, marks, *rows)]


def markdown(summary: Summary, view: View) -> str:
    """The report; with ``view.full`` all pairs and all coefficients."""
    lines: list[str] = []
    for group, part in parts(summary):
        if group is not None:
            lines += [f"## {name(group)}", ""]
        for section in SECTIONS:
            got = section(part, view.full)
            lines += [*got, ""] if got else []
    if "groups" in summary:
        lines += [*_warnings(summary, view.full), ""]
    return "\n".join(lines).strip()


def _headline(summary: Summary, _full: bool) -> list[str]:
    texts = [sentence(text) for text in summary.get("headline") or () if text]
    if not texts:
        return []
    return [f"**{texts[0]}**", *(line for text in texts[1:] for line in ("", text))]


def _source(summary: Summary, _full: bool) -> list[str]:
    found = summary.get("source") or {}
    bits = [
        counted(found[key], noun)
        for key, noun in (("items", "item"), ("raters", "rater"), ("ratings", "rating"))
        if found.get(key) is not None
    ]
    if found.get("items_with_one_rating"):
        bits.append(f"{counted(found['items_with_one_rating'], 'item')} with one rating")
    if found.get("missing"):
        bits.append(counted(found["missing"], "missing rating"))
    scale = summary.get("scale") or {}
    names = [name(x) for x in (scale.get("categories") or ())[:20]]
    kind = f"{scale.get('kind', 'nominal')} scale: {', '.join(names)}" if names else ""
    text = f"{name(found.get('name') or 'memory')}: {', '.join(bits)}"
    return [f"{text}; {kind}." if kind else f"{text}."]


def _coefficients(summary: Summary, full: bool) -> list[str]:
    chosen, others, outside = ordered(summary)
    shown = [c for c in (*chosen, *others) if c.get("value") is not None]
    limits = level(summary.get("level", 0.95))
    rows = [
        (
            escape(c.get("full_name") or title(c, summary)),
            coefficient(c["value"]),
            interval(c.get("interval")),
            coefficient(c.get("observed")),
            coefficient(c.get("expected")),
            coefficient(c.get("standard_error")),
            p_value(tested(c)).replace("<", "\\<"),
            count(c.get("items")),
        )
        for c in shown
    ]
    headers = ("Coefficient", "Value", f"{limits} interval", "Po", "Pe", "SE", "p", "Items")
    lines = grid(headers, rows) if rows else []
    found = (*chosen, *others, *(outside if full else ()))
    without = [
        f"- {titles}: not defined, because {sentence(why)}" for titles, why in gaps(found, summary)
    ]
    return [*lines, *([""] if lines and without else []), *without]


def _interpretation(summary: Summary, _full: bool) -> list[str]:
    by_name = {c["name"]: c for c in summary.get("coefficients", ())}
    lines = []
    for one in summary.get("interpretation") or ():
        c = by_name.get(one["coefficient"], {"name": one["coefficient"]})
        text = f"- {title(c, summary)}: {one['band'].lower()} by {escape(one['scale'])}"
        if one.get("benchmark"):
            holds = level(one.get("level", 0.95))
            text += f"; with {holds} at least: {one['benchmark'].lower()}"
        lines.append(text)
    return lines


Cell = Callable[[Any], str]


def _listing(
    found: Sequence[Any], names: Sequence[str], fields: Sequence[tuple[str, str, Cell]]
) -> list[str]:
    """A table of those fields that have a value somewhere; ``names`` is the first column."""
    used = [f for f in fields if any(row.get(f[1]) is not None for row in found)]
    rows = [
        [first, *(show(row.get(key)) for _, key, show in used)]
        for first, row in zip(names, found, strict=True)
    ]
    return grid(["", *(header for header, _, _ in used)], rows)


def _p(value: float | None) -> str:
    return p_value(value).replace("<", "\\<")


def _more(every: Sequence[Any], shown: Sequence[Any], one: str) -> list[str]:
    """A line for what is left out."""
    hidden = len(every) - len(shown)
    return ["", f"and {counted(hidden, 'more ' + one)}"] if hidden else []


def _labels(summary: Summary, full: bool) -> list[str]:
    every = list(summary.get("labels") or ())
    found = every if full else every[:MOST]
    if not found:
        return []
    fields: list[tuple[str, str, Cell]] = [
        ("Ratings", "count", count),
        ("Specific agreement", "specific_agreement", coefficient),
        ("Conditional kappa", "conditional_kappa", coefficient),
        ("Kappa of the label", "category_kappa", coefficient),
        ("SE", "standard_error", coefficient),
        ("p", "p_value", _p),
    ]
    lines = _listing(found, [name(row["label"]) for row in found], fields)
    return [lines[0].replace("|  |", "| Label |", 1), *lines[1:], *_more(every, found, "label")]


def _raters(summary: Summary, full: bool) -> list[str]:
    found = list(summary.get("raters") or ())
    names = [str(row["label"]) for row in summary.get("labels") or ()]
    if not found or not 1 <= len(names) <= 12:
        return []
    shown = found if full else found[:MOST]
    rows = [
        [
            name(row["rater"]),
            count(row["ratings"]),
            *(share(row["distribution"].get(n, 0), row["ratings"]) for n in names),
        ]
        for row in shown
    ]
    lines = grid(["Rater", "Ratings", *map(name, names)], rows)
    return [*lines, *_more(found, shown, "rater")]


def _pairs(summary: Summary, full: bool) -> list[str]:
    order = ranked(summary.get("pairs") or ())
    found, beyond = order.pairs, left_out(summary)
    if not found:
        return [beyond] if beyond else []
    shown = found if full else found[:10]
    fields: list[tuple[str, str, Cell]] = [
        ("Cohen's kappa", "cohen_kappa", coefficient),
        ("Po", "observed", coefficient),
        ("Pe", "expected", coefficient),
        ("Ceiling", "maximum", coefficient),
        ("PABAK", "pabak", coefficient),
        ("Items", "items", count),
    ]
    names = [" – ".join(name(r) for r in pair["raters"]) for pair in shown]
    lines = _listing(shown, names, fields)
    lines += _more(found, shown, "pair")
    for text in filter(None, (beyond, order.remark())):
        lines += ["", text]
    return [lines[0].replace("|  |", "| Raters |", 1), *lines[1:]]


def _warnings(summary: Summary, _full: bool) -> list[str]:
    texts = [f"> **Warning:** {sentence(one['message'])}" for one in cautions(summary)]
    return "\n>\n".join(texts).split("\n") if texts else []


def _why(summary: Summary, _full: bool) -> list[str]:
    texts = (summary.get("diagnosis") or {}).get("why") or ()
    return [f"Why: {' '.join(map(sentence, texts))}"] if texts else []


def _hardest(summary: Summary, full: bool) -> list[str]:
    found = (summary.get("diagnosis") or {}).get("items") or {}
    rows = [
        (name(one["item"]), item_figure(one), sentence(given(one["given"])))
        for one in found.get("hardest") or ()
    ]
    return grid(("Hardest items", str(found["measure"]), "Given"), rows) if rows and full else []


def _look(summary: Summary, full: bool) -> list[str]:
    found = (summary.get("diagnosis") or {}).get("look") or ()
    lines = [f"- {sentence(one['message'])}" for one in found]
    return ["Where to look in the guideline:", "", *lines] if lines and full else []


def _methods(summary: Summary, _full: bool) -> list[str]:
    return [f"Methods: {sentence(methods_text(summary))}"] if summary.get("source") else []


def _references(summary: Summary, full: bool) -> list[str]:
    chosen, others, _ = ordered(summary)
    found = [*chosen, *others] if full else chosen
    cited = list(dict.fromkeys(c["reference"] for c in found if c.get("reference")))
    listed = (("Intervals", methods(found, summary)), ("References", cited))
    lines = [f"{word}: {'; '.join(map(sentence, texts))}." for word, texts in listed if texts]
    return "\n\n".join(lines).split("\n") if lines else []


SECTIONS = (
    _headline,
    _source,
    _coefficients,
    _interpretation,
    _warnings,
    _why,
    _labels,
    _raters,
    _pairs,
    _hardest,
    _look,
    _methods,
    _references,
)

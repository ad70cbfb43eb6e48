"""The head of the terminal report: the finding, what it rests on, and the coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from assay.report.layout import FINE, GAP, Column, Row, clean, flow, heading, paragraph, table
from assay.report.names import gaps, phrase, title
from assay.report.numbers import (
    coefficient,
    counted,
    degrees,
    fixed,
    interval,
    level,
    p_phrase,
    p_value,
)
from assay.report.render import Summary, ordered


def headline(summary: Summary, width: int, _full: bool) -> list[Text]:
    """The two sentences that a reader takes away."""
    lines = summary.get("headline") or ()
    return [line for text in lines for line in paragraph(clean(text), width, style="bold")]


def source(summary: Summary, width: int, _full: bool) -> list[Text]:
    """What the numbers rest on: items, raters, ratings, gaps, scale."""
    found = summary.get("source") or {}
    pieces = [
        counted(found[key], noun)
        for key, noun in (("items", "item"), ("raters", "rater"), ("ratings", "rating"))
        if found.get(key) is not None
    ]
    for key, text in (
        ("items_with_one_rating", "with one rating"),
        ("items_without_ratings", "without ratings"),
    ):
        if found.get(key):
            pieces.append(f"{counted(found[key], 'item')} {text}")
    if found.get("missing") is not None:
        pieces.append(counted(found["missing"], "missing rating"))
    name = clean(found.get("name") or "memory")
    lines = [Text(line) for line in flow([f"{name}:", *pieces], width, "", "   ")]
    return lines + paragraph(scale_line(summary), width)


def scale_line(summary: Summary) -> str:
    """The scale and its labels in one sentence.

    >>> scale_line({"scale": {"kind": "nominal", "categories": ["no", "yes"]}})
    'nominal scale, 2 labels as observed: no, yes'
    """
    scale = summary.get("scale") or {}
    names = [clean(x) for x in scale.get("categories", ())]
    number = scale.get("count", len(names))
    sign = " < " if scale.get("kind") == "ordinal" and scale.get("ordered", True) else ", "
    shown = sign.join(names[:10]) + (f"{sign}…" if number > 10 else "")
    declared = "as declared" if scale.get("declared") else "as observed"
    text = f"{scale.get('kind', 'nominal')} scale, {counted(number, 'label')} {declared}: {shown}"
    layout = (summary.get("source") or {}).get("layout")
    if layout:
        text = f"{layout} layout, {text}"
    weights = summary.get("weights", "identity")
    return text if weights == "identity" else f"{text}; weights: {weights}"


COLUMNS = (
    Column("", False, 34),
    Column("value"),
    Column("interval"),
    Column("Po"),
    Column("Pe"),
    Column("SE", extra=True),
    Column("p", extra=True),
)


def _row(c: Mapping[str, Any], summary: Summary, chosen: bool) -> Row:
    cells = (
        title(c, summary),
        coefficient(c.get("value")),
        interval(c.get("interval")),
        coefficient(c.get("observed")),
        coefficient(c.get("expected")),
        coefficient(c.get("standard_error")),
        p_value(c.get("p_value")),
    )
    return Row(cells, strong=chosen, below=_about(c, summary) if chosen else "")


def _about(c: Mapping[str, Any], summary: Summary) -> str:
    """The phrase under a chosen coefficient, with its full name where that adds something."""
    name = str(c.get("full_name") or "")
    known = phrase(str(c["name"]))
    short = title(c, summary)
    detail = name.removeprefix(short).strip(" ,:") if name.startswith(short) else name
    detail = detail.translate({ord("("): None, ord(")"): None})
    ceiling = c.get("maximum")
    pieces = [known, detail]
    if ceiling is not None:
        pieces.append(f"ceiling{FINE}{coefficient(ceiling)}")
    return "; ".join(piece for piece in pieces if piece and piece != short)


def coefficients(summary: Summary, width: int, full: bool) -> list[Text]:
    """The chosen coefficients with a phrase each, the others below, then the gaps."""
    chosen, others, outside = ordered(summary)
    if not chosen and not outside:
        return []
    name = level(summary.get("level", 0.95))
    lines = heading(
        "Coefficients",
        width,
        f"Po observed agreement, Pe expected by chance; interval {name}, p against 0",
    )
    defined = [c for c in chosen if c.get("value") is not None]
    rest = [c for c in others if c.get("value") is not None]
    rows = [_row(c, summary, True) for c in defined]
    rows += [_row(c, summary, False) for c in rest]
    lines += undefined(chosen, summary, width)
    if rows:
        lines += table(COLUMNS, rows, width)
    lines += undefined(others, summary, width)
    lines += no_interval([*defined, *rest] if full else defined, summary, width)
    if outside:
        lines += not_applicable(outside, summary, width, full)
    if full:
        lines += _tests([*defined, *rest], summary, width)
        lines += _names([*defined, *rest], width)
    return lines


def undefined(found: list[Any], summary: Summary, width: int) -> list[Text]:
    """A sentence for the coefficients without a value, those with one reason together."""
    return _because("not defined", gaps(found, summary), width)


def no_interval(found: list[Any], summary: Summary, width: int) -> list[Text]:
    """Why coefficients with a value have no interval."""
    without = [c for c in found if not c.get("interval")]
    return _because("no interval", gaps(without, summary, "no_interval"), width)


def _because(what: str, found: list[tuple[str, str]], width: int) -> list[Text]:
    return [
        line
        for titles, why in found
        for line in paragraph(f"{titles}: {what}, because {clean(why)}", width, GAP, GAP * 2)
    ]


def not_applicable(found: list[Any], summary: Summary, width: int, full: bool) -> list[Text]:
    """One line for what does not suit the data; the reasons only where all is shown."""
    reasons: dict[str, list[Any]] = {}
    for c in found:
        reasons.setdefault(str(c["undefined"].get("reason", "")), []).append(c)
    if full or len(reasons) == 1:
        texts = [
            f"Not applicable ({clean(why)}): {_titles(some, summary)}"
            for why, some in reasons.items()
        ]
    else:
        texts = [f"Not applicable here (--full says why): {_titles(found, summary)}"]
    return [line for text in texts for line in paragraph(text, width, GAP, GAP * 2, "dim")]


def _titles(found: list[Any], summary: Summary) -> str:
    """The titles in a row, the six ICCs as one."""
    names = [title(c, summary) for c in found]
    forms = [c for c in found if str(c["name"]).startswith("icc_")]
    if len(forms) == 6:
        at = names.index(title(forms[0], summary))
        names = [n for n in names if not n.startswith("ICC(")]
        names.insert(at, "ICC (six forms)")
    return ", ".join(names)


def test_line(test: Mapping[str, Any]) -> str:
    """One test as a sentence.

    >>> test_line({"method": "Bowker", "statistic": 6.25, "df": 3, "p_value": 0.1})
    'Bowker: 6.250, df 3, p = .100'
    """
    method = str(test.get("method"))
    if test.get("undefined"):
        return f"{method}: not defined, because {clean(test['undefined']['reason'])}"
    bits = []
    if test.get("statistic") is not None:
        bits.append(fixed(test["statistic"], 3))
    if test.get("df") is not None:
        bits.append(f"df {degrees(test['df'])}")
    bits.append(p_phrase(test.get("p_value")))
    if test.get("null") not in (None, 0, 0.0):
        bits.append(f"null value {coefficient(test['null'])}")
    if test.get("standard_error") is not None:
        bits.append(f"standard error {coefficient(test['standard_error'])}")
    return f"{method}: {', '.join(bits)}"


def _tests(found: list[Any], summary: Summary, width: int) -> list[Text]:
    lines: list[Text] = []
    for c in found:
        for test in c.get("tests") or ():
            text = f"{title(c, summary)}, {test_line(test)}"
            lines += paragraph(text, width, GAP, GAP * 2)
    return [Text(""), *heading("Tests", width), *lines] if lines else []


def _names(found: list[Any], width: int) -> list[Text]:
    lines: list[Text] = []
    for c in found:
        bits = [str(c.get("full_name") or c["name"]), *filter(None, [c.get("convention")])]
        sizes = [
            counted(c[key], noun)
            for key, noun in (("items", "item"), ("raters", "rater"), ("ratings", "rating"))
            if c.get(key)
        ]
        bits += [", ".join(sizes)] if sizes else []
        if c.get("maximum") is not None:
            bits.append(f"ceiling {coefficient(c['maximum'])}")
        if c.get("interval"):
            bits.append(f"interval: {c['interval']['method']}")
        bits += [str(note) for note in c.get("notes") or ()]
        lines += paragraph("; ".join(map(clean, bits)), width, GAP, GAP * 2)
    return [Text(""), *heading("Definitions used", width), *lines] if lines else []

"""The head of the terminal report: the finding, what it rests on, and the coefficients."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from rich.text import Text

from assay.report.layout import FINE, GAP, Column, Row, brief, flow, heading, paragraph, table, told
from assay.report.names import UNTESTED, akin, gaps, phrase, tested, title, together
from assay.report.numbers import (
    MINUS,
    coefficient,
    counted,
    degrees,
    fixed,
    interval,
    level,
    p_phrase,
    p_value,
    source_bits,
)
from assay.report.render import Summary, ordered


def headline(summary: Summary, width: int, _full: bool) -> list[Text]:
    """The two sentences that a reader takes away."""
    lines = summary.get("headline") or ()
    return [line for text in lines if text for line in paragraph(told(text), width, style="bold")]


def source(summary: Summary, width: int, _full: bool) -> list[Text]:
    """What the numbers rest on: items, raters, ratings, gaps, scale."""
    found = summary.get("source") or {}
    pieces = source_bits(found)
    name = brief(PurePath(str(found.get("name") or "memory")).name)
    lines = [Text(line) for line in flow([f"{name}:", *pieces], width, "", "   ")]
    return lines + paragraph(scale_line(summary), width)


def scale_line(summary: Summary) -> str:
    """The scale and its labels in one sentence.

    >>> scale_line({"scale": {"kind": "nominal", "categories": ["no", "yes"]}})
    'nominal scale, 2 labels as observed: no, yes'
    """
    scale = summary.get("scale") or {}
    names = [brief(x, 40) for x in scale.get("categories", ())]
    number = scale.get("count", len(names))
    kind = scale.get("kind", "nominal")
    if number > 10 and kind in ("interval", "ratio"):
        whole = number == len(names)
        span = f", {names[0]} to {names[-1]}".replace("-", MINUS) if whole else ""
        what = f"{counted(number, 'value')}{span}"
    else:
        sign = " < " if kind == "ordinal" and scale.get("ordered", True) else ", "
        shown = sign.join(names[:10]) + (f"{sign}…" if number > 10 else "")
        declared = "as declared" if scale.get("declared") else "as observed"
        what = f"{counted(number, 'label')} {declared}: {shown}"
    weights = summary.get("weights", "identity")
    weighted = "" if weights == "identity" else f"; weights: {weights}"
    return f"{_layout(summary)}{kind} scale, {what}{weighted}"


def _layout(summary: Summary) -> str:
    layout = (summary.get("source") or {}).get("layout")
    return f"{layout} layout, " if layout else ""


ENDS = ("low", "high")
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
        p_value(tested(c)),
    )
    return Row(cells, strong=chosen, below=_about(c, summary) if chosen else "")


def _about(c: Mapping[str, Any], summary: Summary) -> str:
    """The phrase under a chosen coefficient, with its full name where that adds something."""
    name = str(c.get("full_name") or "")
    known = phrase(str(c["name"]))
    short = title(c, summary)
    rest = name.removeprefix(short)
    same = rest != name and rest[:1] in ("", " ", ",")
    detail = (rest.strip(" ,") if same else name).translate({ord("("): None, ord(")"): None})
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
    rest, same = (rest, {}) if full else _once(defined, rest, summary)
    rows = [_row(c, summary, True) for c in defined]
    rows += [_row(c, summary, False) for c in rest]
    lines += undefined(chosen, summary, width)
    if rows:
        lines += table(COLUMNS, rows, width)
    if same:
        pairs = [f"{together(titles)} ({name})" for name, titles in same.items()]
        text = f"Equal here to one above: {'; '.join(pairs)}"
        lines += paragraph(text, width, GAP, GAP * 2, "dim")
    lines += undefined(others, summary, width)
    lines += no_interval([*defined, *rest] if full else defined, summary, width)
    if outside:
        lines += not_applicable(outside, summary, width, full)
    if full:
        lines += _tests([*defined, *rest], summary, width)
        lines += _names([*defined, *rest], width)
    return lines


def _once(
    chosen: list[Any], others: list[Any], summary: Summary
) -> tuple[list[Any], dict[str, list[str]]]:
    """The others without those that equal one above, and the latter by what they equal."""
    kept: list[Any] = []
    same: dict[str, list[str]] = {}
    for c in others:
        like = next((d for d in (*chosen, *kept) if alike(d, c)), None)
        if like is None:
            kept.append(c)
        else:
            same.setdefault(title(like, summary), []).append(title(c, summary))
    return kept, same


def alike(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether two coefficients of one kind are equal in all that a row shows of them."""
    if not akin(a["name"], b["name"]):
        return False
    keys = ("value", "observed", "expected", "standard_error")
    ends = [((a.get("interval") or {}).get(e), (b.get("interval") or {}).get(e)) for e in ENDS]
    shown = [(a.get(key), b.get(key)) for key in keys] + [(tested(a), tested(b))]
    return all(same(x, y) for x, y in [*shown, *ends])


def same(a: float | None, b: float | None) -> bool:
    """Whether two values are the same number but for the order of their operations.

    >>> same(0.1 + 0.2, 0.3), same(None, None), same(None, 0.0)
    (True, True, False)
    """
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


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
        for line in paragraph(f"{titles}: {what}, because {told(why)}", width, GAP, GAP * 2)
    ]


SUBJECT = re.compile(r"^[A-Z]\S*(?: \S+){0,2}? (?:is (?=for |defined )|(?=needs ))")
"""The name of a coefficient at the start of the reason why it does not suit."""


def not_applicable(found: list[Any], summary: Summary, width: int, full: bool) -> list[Text]:
    """One paragraph for what does not suit the data, by reason."""
    reasons: dict[str, list[str]] = {}
    for c in found:
        why = str(c["undefined"].get("reason") or "")
        # "Scott's pi is for two raters": the name is said once for all of them.
        reason = SUBJECT.sub("", why)
        if not full:
            reason = reason.partition(", and ")[0]
        reasons.setdefault(reason, []).append(title(c, summary))
    pieces = [f"{together(names)} ({told(why)})" for why, names in reasons.items()]
    return paragraph(f"Not applicable: {'; '.join(pieces)}", width, GAP, GAP * 2, "dim")


def test_line(test: Mapping[str, Any]) -> str:
    """One test as a sentence.

    >>> test_line({"method": "Bowker", "statistic": 6.25, "df": 3, "p_value": 0.1})
    'Bowker: 6.250, df 3, p = .100'
    """
    method = str(test.get("method"))
    if test.get("undefined"):
        return f"{method}: not defined, because {told(test['undefined']['reason'])}"
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
        for test in () if c["name"] in UNTESTED else c.get("tests") or ():
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
        lines += paragraph("; ".join(map(told, bits)), width, GAP, GAP * 2)
    return [Text(""), *heading("Definitions used", width), *lines] if lines else []

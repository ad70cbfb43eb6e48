"""The page's coefficients: the first in large, all on one axis, and how each was made."""

from __future__ import annotations

from html import escape
from typing import Any

from assay.report.charts import intervals_picture
from assay.report.layout import told
from assay.report.names import UNTESTED, gaps, phrase, title
from assay.report.numbers import coefficient, counted, fixed, interval, level, p_phrase, percent
from assay.report.page import details, figure, plain_grid, section
from assay.report.render import Summary, View, ordered
from assay.report.terminal_main import test_line


def key_figures(summary: Summary, _view: View, _depth: int) -> str:
    """The first coefficient with its interval, then what it is made of."""
    chosen = ordered(summary)[0] if summary.get("chosen") else []
    c: Any = next((c for c in chosen if c.get("value") is not None), None)
    if c is None:
        return ""
    sure = f"{level(summary.get('level', 0.95))} interval"
    cards = [(title(c, summary), coefficient(c["value"]), phrase(c["name"]), True)]
    if c.get("interval"):
        low, high = (fixed(c["interval"][end], 3) for end in ("low", "high"))
        cards.append((sure, f"{low} to {high}", told(c["interval"]["method"]), False))
    share = (summary.get("scale") or {}).get("kind") not in ("interval", "ratio")
    if share and c.get("observed") is not None:
        cards.append(("observed agreement, Po", percent(c["observed"]), "", False))
    if share and c.get("expected") is not None:
        cards.append(("expected by chance, Pe", percent(c["expected"]), "", False))
    if c.get("maximum") is not None:
        about = "the largest kappa that these raters' label shares allow"
        cards.append(("ceiling", coefficient(c["maximum"]), about, False))
    body = "".join(_card(*card) for card in cards)
    return f'<dl class="figures">{body}</dl>'


def _card(name: str, value: str, more: str, big: bool) -> str:
    mark = ' class="big"' if big else ""
    small = f"<small>{escape(more)}</small>" if more else ""
    return f"<div{mark}><dt>{escape(name)}</dt><dd>{escape(value)}{small}</dd></div>"


def coefficients(summary: Summary, _view: View, depth: int) -> str:
    """All coefficients on one axis, the table behind it, and how each was made."""
    chosen, others, outside = ordered(summary)
    picture = intervals_picture(summary)
    drawn = ""
    if picture is not None:
        drawn = figure(picture.svg, picture.caption) + details(
            plain_grid(picture.heads, picture.rows)
        )
    made = "".join(_how(c, summary) for c in (*chosen, *others) if c.get("value") is not None)
    without = "".join(
        f"<p>{escape(titles)}: not defined, because {escape(told(why))}</p>"
        for titles, why in gaps((*chosen, *others), summary)
    )
    unsuited = "".join(
        f"<li>{escape(titles)}: {escape(told(why))}</li>" for titles, why in gaps(outside, summary)
    )
    if unsuited:
        without += details(f"<ul>{unsuited}</ul>", "What does not suit these data, and why")
    heading = picture.finding if picture else "Coefficients"
    if made:
        name = f"h{depth + 1}"
        made = f"<{name}>How each was made</{name}>{made}"
    return section(heading, drawn, without, made, depth=depth)


def guidance(summary: Summary, _view: View, depth: int) -> str:
    """Which coefficient suits these data, and why."""
    found = summary.get("guidance") or {}
    reasons = " ".join(map(told, found.get("reasons") or ()))
    if not reasons:
        return ""
    more = ""
    for key, head in (
        ("alternatives", "When another is right"),
        ("unsuited", "What does not suit"),
    ):
        said = [f"{title(one, summary)}: {told(one['reason'])}" for one in found.get(key) or ()]
        listed = "".join(f"<li>{escape(text)}</li>" for text in said)
        more += details(f"<ul>{listed}</ul>", head) if listed else ""
    return section("Which coefficient, and why", f"<p>{escape(reasons)}</p>", more, depth=depth)


def _how(c: Any, summary: Summary) -> str:
    """One coefficient: its full name, conventions, interval, tests, source."""
    sizes = [
        counted(c[key], noun)
        for key, noun in (("items", "item"), ("raters", "rater"), ("ratings", "rating"))
        if c.get(key)
    ]
    parts = [
        ("what it says", phrase(c["name"])),
        ("full name", c.get("full_name")),
        ("computed from", ", ".join(sizes)),
        ("convention", c.get("convention")),
        ("interval", _interval(c)),
        ("p against 0", "" if c["name"] in UNTESTED else _p(c)),
        ("remarks", "; ".join(str(note) for note in c.get("notes") or ())),
        ("reference", c.get("reference")),
    ]
    body = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(told(said))}</dd>" for name, said in parts if said
    )
    head = (
        f"{title(c, summary)} {coefficient(c['value'])} {interval(c.get('interval'), missing='')}"
    )
    return details(f'<dl class="how">{body}</dl>', head.strip())


def _interval(c: Any) -> str:
    if c.get("interval"):
        error = (
            f"; standard error {coefficient(c['standard_error'])}"
            if c.get("standard_error")
            else ""
        )
        return f"{level(c['interval']['level'])}, {c['interval']['method']}{error}"
    why = c.get("no_interval")
    return f"none, because {why['reason']}" if why else ""


def _p(c: Any) -> str:
    tests = [test_line(test) for test in c.get("tests") or ()]
    return "; ".join(tests) or (p_phrase(c["p_value"]) if c.get("p_value") is not None else "")

"""The paragraph for a methods section: who rated what and what came out, with the numbers."""

from __future__ import annotations

from typing import Any

from assay.report.layout import brief, told
from assay.report.names import title
from assay.report.numbers import (
    MINUS,
    count,
    counted,
    fixed,
    level,
    percent,
)
from assay.report.render import Summary, ordered, parts

WORDS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
NAMED = 6
"""Labels that are named; of more the number is said."""
DISTANCES = {
    "ordinal": "ordered", "interval": "numeric", "ratio": "numeric", "circular": "circular",
}  # fmt: skip


def paragraphs(summary: Summary, minus: str = MINUS) -> list[str]:
    """The paragraph of a report, or one for each of its groups."""
    return [
        (f"{brief(group)}: " if group is not None else "") + methods_text(part, minus)
        for group, part in parts(summary)
    ]


def methods_text(summary: Summary, minus: str = MINUS) -> str:
    """What a paper says of its agreement, complete enough to be computed again.

    Examples
    --------
    >>> import assay
    >>> report = assay.agree({"ana": ["a", "b", "b", "a"], "bo": ["a", "b", "a", "a"]})
    >>> print(methods_text(report.to_dict()).split("; ")[0])
    Two raters labelled 4 items (8 ratings) with 2 labels (a, b)
    """
    first = f"{_design(summary)}; {_lead(summary, minus)}"
    rest = [text for text in (_others(summary, minus), _undefined(summary)) if text]
    tool = f"Computed with assay {summary.get('assay', '')}".rstrip() + "."
    return " ".join([first, *rest, tool])


def _design(summary: Summary) -> str:
    found = summary.get("source") or {}
    raters, items = found.get("raters"), found.get("items") or 0
    bits = [counted(found.get("ratings") or 0, "rating")]
    if found.get("items_with_one_rating"):
        bits.append(f"{counted(found['items_with_one_rating'], 'item')} with one only")
    if found.get("missing"):
        bits.append(f"{count(found['missing'])} missing")
    what = f"{counted(items, 'item')} ({', '.join(bits)}){_labels(summary)}"
    if not summary.get("raters"):
        return f"{what.removesuffix(_labels(summary))} were rated{_labels(summary)}"
    who = "No rater" if not raters else counted(raters, "rater")
    if isinstance(raters, int) and 0 < raters < len(WORDS):
        who = f"{WORDS[raters]} {'rater' if raters == 1 else 'raters'}"
    return f"{who} {'rated' if _numeric(summary) else 'labelled'} {what}"


def _numeric(summary: Summary) -> bool:
    return (summary.get("scale") or {}).get("kind") in ("interval", "ratio")


def _labels(summary: Summary) -> str:
    scale = summary.get("scale") or {}
    names = [brief(x, 30) for x in scale.get("categories") or ()]
    if not names or _numeric(summary):
        return f" on {_scale(scale)}"
    number = scale.get("count", len(names))
    kind = f"{DISTANCES[scale['kind']]} " if scale.get("kind") in DISTANCES else ""
    listed = f" ({', '.join(names)})" if number <= NAMED else ""
    return f" with {count(number)} {kind}{'label' if number == 1 else 'labels'}{listed}"


def _scale(scale: Any) -> str:
    kind = str(scale.get("kind", "nominal"))
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} scale"


def _said(c: Any, minus: str) -> str:
    """A value with its interval, and what the interval is."""
    share = c["name"] in ("percent_agreement", "unanimous_agreement")
    value = percent(c["value"]) if share else fixed(c["value"], 3, minus)
    got = c.get("interval")
    if not got:
        return value
    low, high = (
        percent(got[end]) if share else fixed(got[end], 3, minus) for end in ("low", "high")
    )
    return f"{value} ({level(got['level'])} CI {low} to {high})"


def _defined(summary: Summary) -> list[Any]:
    """The coefficients that suit the design and have a value, best first."""
    chosen = ordered(summary)[0] if summary.get("chosen") else []
    return [c for c in chosen if c.get("value") is not None]


def _lead(summary: Summary, minus: str) -> str:
    chosen = _defined(summary)
    if not chosen:
        return "no coefficient of agreement that suits them is defined."
    c = chosen[0]
    how = []
    if c.get("interval"):
        how.append(f"interval: {told(c['interval']['method'])}")
    if c.get("reference"):
        how.append(told(c["reference"]))
    more = f" [{'; '.join(how)}]" if how else ""
    chance = ""
    if c.get("observed") is not None and c.get("expected") is not None and not _numeric(summary):
        chance = (
            f", with an observed agreement of {percent(c['observed'])} where chance alone would "
            f"give {percent(c['expected'])}"
        )
    return f"{_full(c, summary)} was {_said(c, minus)}{chance}{more}."


def _full(c: Any, summary: Summary) -> str:
    """The title with what its full name adds, in brackets."""
    short, name = title(c, summary), told(c.get("full_name") or "")
    rest = name.removeprefix(short)
    if not name or rest == name:
        return name or short
    return (
        f"{short} ({inner})"
        if (inner := rest.strip(" ,").replace("(", "").replace(")", ""))
        else short
    )


def _others(summary: Summary, minus: str) -> str:
    others = _defined(summary)[1:]
    said = [f"{_inside(title(c, summary))} was {_said(c, minus)}" for c in others]
    if not said:
        return ""
    joined = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
    return f"{joined[0].upper()}{joined[1:]}."


def _inside(name: str) -> str:
    """A title within a sentence; names of people keep their letter."""
    return name.lower() if name.endswith("agreement") else name


def _undefined(summary: Summary) -> str:
    """Why the coefficient that would have led is not there."""
    texts = [text for text in (summary.get("headline") or ()) if "not defined" in text]
    return told(texts[-1]) if texts else ""

"""How numbers look: the only place where a number is rounded.

Coefficients have three decimals, percentages one; a minus is U+2212 where people read and
``-`` where machines do. p-values are three decimals without the leading zero, or "< .001".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"


def fixed(value: float, digits: int, minus: str = MINUS) -> str:
    """A number with a fixed count of decimals, and never a negative zero.

    >>> fixed(-0.0923, 3), fixed(-0.0001, 3), fixed(-2.5, 1, "-")
    ('−0.092', '0.000', '-2.5')
    """
    text = f"{value:.{digits}f}"
    if not text.startswith("-"):
        return text
    return minus + text[1:] if text.strip("-0.") else text[1:]


def coefficient(value: float | None, minus: str = MINUS, missing: str = NOTHING) -> str:
    """Three decimals.

    >>> coefficient(0.7434211), coefficient(None)
    ('0.743', '–')
    """
    return missing if value is None else fixed(value, 3, minus)


def percent(share: float | None, missing: str = NOTHING) -> str:
    """A share as a percentage with one decimal.

    >>> percent(0.9)
    '90.0 %'
    """
    return missing if share is None else f"{100.0 * share:.1f} %"


def share(part: float, whole: float) -> str:
    """One count of another as a percentage; nothing of nothing has none.

    >>> share(1, 4), share(0, 0)
    ('25.0 %', '–')
    """
    return percent(part / whole if whole else None)


def p_value(p: float | None, missing: str = NOTHING) -> str:
    """A p-value for a table cell.

    >>> p_value(0.0420), p_value(0.00002), p_value(0.9999), p_value(1.0)
    ('.042', '< .001', '1.000', '1.000')
    """
    if p is None:
        return missing
    if p < 0.001:
        return "< .001"
    text = f"{p:.3f}"
    return text.removeprefix("0")


def p_phrase(p: float | None) -> str:
    """A p-value in a sentence.

    >>> p_phrase(0.042), p_phrase(0.0), p_phrase(None)
    ('p = .042', 'p < .001', 'no p-value')
    """
    if p is None:
        return "no p-value"
    text = p_value(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def interval(got: Mapping[str, Any] | None, minus: str = MINUS, missing: str = NOTHING) -> str:
    """The two limits of an interval.

    >>> interval({"low": -0.2, "high": 1.0})
    '[−0.200, 1.000]'
    """
    if got is None:
        return missing
    return f"[{fixed(got['low'], 3, minus)}, {fixed(got['high'], 3, minus)}]"


def level(value: float) -> str:
    """A confidence level as people say it.

    >>> level(0.95), level(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100.0 * value:.6g} %"


def count(value: float | None, missing: str = NOTHING) -> str:
    """A count, with thin separators by comma; decimals only where there are any.

    >>> count(1234567), count(2.5)
    ('1,234,567', '2.5')
    """
    if value is None:
        return missing
    return f"{round(value):,}" if float(value).is_integer() else f"{value:,.6g}"


def counted(value: float, one: str, many: str | None = None) -> str:
    """A count with its noun.

    >>> counted(1, "item"), counted(2, "item"), counted(2, "missing cell")
    ('1 item', '2 items', '2 missing cells')
    """
    return f"{count(value)} {one if value == 1 else many or one + 's'}"


def source_bits(found: Mapping[str, Any]) -> list[str]:
    """What a report's numbers rest on, of its ``source``: items, raters, ratings, gaps."""
    bits = [
        counted(found[key], noun)
        for key, noun in (("items", "item"), ("raters", "rater"), ("ratings", "rating"))
        if found.get(key) is not None
    ]
    for key, text in (
        ("items_with_one_rating", "with one rating"),
        ("items_without_ratings", "without ratings"),
    ):
        if found.get(key):
            bits.append(f"{counted(found[key], 'item')} {text}")
    if found.get("missing") is not None:
        bits.append(counted(found["missing"], "missing rating"))
    return bits


def degrees(df: float | Sequence[float] | None) -> str:
    """Degrees of freedom.

    >>> degrees(3), degrees([2, 39.746]), degrees(None)
    ('3', '2, 39.7', '')
    """
    if df is None:
        return ""
    parts = df if isinstance(df, Sequence) else [df]
    return ", ".join(f"{x:.0f}" if float(x).is_integer() else f"{x:.1f}" for x in parts)


def apart(value: float, bound: float, minus: str = MINUS) -> tuple[str, str]:
    """Two different numbers with as many decimals as it takes to tell them apart.

    >>> apart(0.441, 0.667), apart(0.66698, 0.667)
    (('0.441', '0.667'), ('0.66698', '0.66700'))
    """
    for digits in range(3, 17):
        a, b = fixed(value, digits, minus), fixed(bound, digits, minus)
        if a != b or value == bound:
            return a, b
    return repr(value), repr(bound)

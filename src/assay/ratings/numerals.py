"""Numbers as tables write them: decimal points, decimal commas, separators of thousands."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from assay.errors import ReadingError
from assay.ratings.words import GROUPS, NUMBER, NUMBER_COMMA

EXACT = 2**53
"""Whole numbers up to here are told apart by a float; longer digits stay text."""

MANY = 5000
"""From so many distinct values on, numbers are read all at once."""

PLAIN = re.compile(r"(?:-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?\n)*+")
"""Lines of plain numbers."""


def to_number(text: str, *, comma: bool = False) -> int | float | None:
    """The number that a text writes, or None.

    With ``comma``, a decimal comma may occur, and a point before three digits separates
    thousands; other decimal points are read as such.

    >>> to_number("1.50"), to_number("3.0"), to_number("01"), to_number("1,5", comma=True)
    (1.5, 3, None, 1.5)
    >>> to_number("1.000"), to_number("1.000", comma=True), to_number("1.234,5", comma=True)
    (1, 1000, 1234.5)
    """
    if comma:
        if GROUPS.fullmatch(text):
            text = text.replace(".", "").replace(",", ".")
        elif NUMBER_COMMA.fullmatch(text):
            text = text.replace(",", ".")
    if not NUMBER.fullmatch(text):
        return None
    text = text.replace("−", "-")
    try:
        whole = int(text)
    except ValueError:
        value = float(text)
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() and abs(value) < EXACT else value
    return whole if abs(whole) <= EXACT else None


def has_comma(text: str) -> bool:
    """Whether a text is a number with a decimal comma.

    >>> has_comma("1,5"), has_comma("1.234,5"), has_comma("1.234"), has_comma("1")
    (True, True, False, False)
    """
    return "," in text and bool(NUMBER_COMMA.fullmatch(text) or GROUPS.fullmatch(text))


def comma_in(texts: Iterable[str]) -> bool:
    """Whether numbers are written with a decimal comma, as far as they show it.

    >>> comma_in(["1,5", "Hm."]), comma_in(["1,5", "1.000"]), comma_in(["1,5", "2.5"])
    (True, True, False)
    """
    seen = False
    for text in texts:
        if has_comma(text):
            seen = True
        elif "." in text and NUMBER.fullmatch(text) and not GROUPS.fullmatch(text):
            return False
    return seen


def comma_note(texts: Sequence[str]) -> tuple[str, str]:
    """What is said of decimal commas: a sentence with an example, and its level."""
    first = next(t for t in texts if has_comma(t))
    value = to_number(first, comma=True)
    said = f"decimal comma: {first} is read as {value}"
    grouped = [t for t in texts if "." in t]
    if grouped:
        thousand = grouped[0]
        if thousand != first:
            said += f", and {thousand} as {to_number(thousand, comma=True)}"
        said += "; a point before three digits separates thousands (--decimal . says otherwise)"
    return said, "warning" if grouped else "info"


def unclear(text: str, separator: str) -> bool:
    """Whether a number may be meant in thousands or with three decimals.

    Between commas ``1,234`` may be either; where another sign separates, ``1.234`` may.

    >>> unclear("1,234", ","), unclear("1.234", ";"), unclear("1.234", ","), unclear("1,5", ",")
    (True, True, False, False)
    """
    sign = "," if separator == "," else "."
    return bool(re.fullmatch(rf"[+\-−]?[1-9][0-9]{{0,2}}(?:\{sign}[0-9]{{3}})+", text))


def refuse_unclear(text: str, where: str) -> ReadingError:
    """The error for a number that can be read in two ways."""
    digits = re.sub(r"[.,]", "", text)
    return ReadingError(
        f"{where}: {text} may be {digits} or {text.replace(',', '.')}. Say which sign stands "
        "before decimals: --decimal , or --decimal . (decimal=',' in Python).",
        code="ambiguous_number",
    )


def decided(texts: Iterable[str], declared: bool | None, separator: str, where: str) -> bool:
    """Whether the cells of a table of numbers have decimal commas; unclear ones are refused."""
    if declared is not None:
        return declared
    cells = [t for t in texts if t]
    comma = comma_in(t for t in cells if not (separator == "," and unclear(t, ",")))
    if not comma:
        # A plain decimal point elsewhere decides too.
        point = any("." in t and not GROUPS.fullmatch(t) for t in cells)
        odd = next((t for t in cells if unclear(t, separator)), None)
        if odd is not None and not point:
            raise refuse_unclear(odd, where)
    return comma


def without_groups(text: str, *, comma: bool) -> str:
    """A number without the commas between thousands that English writes.

    >>> without_groups("1,000", comma=False), without_groups("1,000", comma=True)
    ('1000', '1,000')
    """
    if not comma and re.fullmatch(r"[+\-−]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?", text):
        return text.replace(",", "")
    return text


def all_plain(values: Sequence[Any]) -> bool:
    """Whether so many values are plain numbers, or texts of them, that they go in one piece."""
    if len(values) < MANY:
        return False
    kinds = set(map(type, values))
    if kinds <= {int, float}:
        return all(abs(v) < EXACT for v in values)
    return kinds == {str} and PLAIN.fullmatch("\n".join(values) + "\n") is not None

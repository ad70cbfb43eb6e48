"""Numbers and words in three languages."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.web.speech import LANGUAGES, chosen, english, lazy, rounded_to, speech

THIN = "\N{NARROW NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("code", "number", "percent", "count", "negative"),
    [
        ("en", "1,234.500", f"12.3{THIN}%", "1,234,567", "−0.250"),
        ("vi", "1.234,500", f"12,3{THIN}%", "1.234.567", "−0,250"),
        ("zh", "1,234.500", "12.3%", "1,234,567", "−0.250"),
    ],
)
def test_numbers(code, number, percent, count, negative):
    said = speech(code)
    assert said.number(1234.5) == number
    assert said.percent(F(123, 1000)) == percent
    assert said.count(1_234_567) == count
    assert said.number(F(-1, 4)) == negative
    assert said.number(None) == "?"
    assert said.percent(None) == "?"
    assert said.say("{n} of {all}", n=1_234_567, all="x").startswith(count)


def test_signs():
    number = english().number
    assert number(F(1, 5), 2, sign=True) == "+0.20"
    assert number(F(-1, 5), 2, sign=True) == "−0.20"
    assert number(0.0, 2, sign=True) == "0.00"
    # A zero has no sign, however it came about.
    assert number(-0.0001, 3) == number(F(-1, 10_000), 3) == "0.000"


@given(st.fractions(-(10**6), 10**6), st.integers(0, 6))
def test_fractions_round_half_away_from_zero(value, digits):
    shown = F(str(rounded_to(value, digits)))
    scaled = abs(value) * 10**digits
    assert abs(abs(shown) * 10**digits - scaled) <= F(1, 2)
    if (2 * scaled).denominator == 1 and scaled.denominator == 2:
        assert abs(shown) * 10**digits > scaled


@pytest.mark.parametrize(
    ("asked", "cookie", "accept", "code"),
    [
        ("vi", "zh", "en", "vi"),
        (None, "zh", "vi", "zh"),
        ("", "", "vi,en;q=0.5", "vi"),
        ("fr", "de", "zh-Hans-CN", "zh"),
        (None, None, "zh-TW;q=0.4, vi-VN;q=0.9", "vi"),
        (None, None, "fr, de", "en"),
        (None, None, "vi;q=0, zh;q=0.1", "zh"),
        (None, None, "vi;q=x, zh;q=0.1", "zh"),
        (None, None, "vi;q=nan, zh;q=0.1", "zh"),
        (None, None, "*", "en"),
        (None, None, ";;;,,,q=", "en"),
        (None, None, "xx," * 10_000 + "vi", "en"),
        ("../../etc", "VI", "ZH", "zh"),
    ],
)
def test_the_language_of_a_page(asked, cookie, accept, code):
    assert chosen(asked, cookie, accept) == code


@given(st.text(), st.text(), st.text())
def test_any_wish_is_a_language(asked, cookie, accept):
    assert chosen(asked, cookie, accept) in LANGUAGES


def test_values_are_escaped_in_markup_and_said_in_texts():
    said = english()
    assert said.markup("<b>{x}</b>", x="<i>&") == "<b>&lt;i&gt;&amp;</b>"
    assert said.say("{x}", x=lazy("{n} of them", n=1000)) == "1,000 of them"
    # Braces in a value are no fields.
    assert said.say("{x}", x="{y}") == "{y}"
    assert said.markup("{x}", x="{y}") == "{y}"
    assert said.many("{n} item", "{n} items", 1) == "1 item"
    assert said.many("{n} item", "{n} items", 0) == "0 items"
    assert said.many("{n} item", "{n} items", 1.5) == "1.5 items"

"""Many raters, ordered labels and how many items in a browser: by click, key and phone."""

from __future__ import annotations

import pytest

LABS = ("many", "ordered", "items")


def value(page, name):
    return page.get_attribute(f'[data-figure="{name}"]', "data-value")


def focused(page):
    return page.evaluate("document.activeElement.id")


def test_a_step_and_back(page):
    page.goto("/lab/many")
    assert value(page, "fleiss").startswith("0.2099307")
    page.click('[id="do-add.0.0"]')
    page.wait_for_url("**t=1,0,0,0,14;**")
    assert "Item 1, label 1: from 0 to 1." in page.text_content(".moved")
    assert focused(page) == "do-add.0.0"
    assert value(page, "unanimous") == "0.0"
    page.go_back()
    page.wait_for_selector('[data-figure="unanimous"][data-value="0.1"]')
    assert value(page, "fleiss").startswith("0.2099307")


def test_keys_in_the_table(page):
    page.goto("/lab/many")
    page.focus("#c-1-1")
    page.keyboard.press("+")
    page.wait_for_url("**;0,3,6,4,2;**")
    page.keyboard.press("ArrowDown")
    assert focused(page) == "c-2-1"


def test_a_puzzle_solved_by_an_example(page):
    page.goto("/lab/many")
    page.click("#puzzle-2")
    page.wait_for_url("**puzzle=dissent**")
    assert "Not yet" in page.text_content(".puzzles")
    page.click("#presets-5")
    page.wait_for_url("**t=5,0;**")
    assert "Solved." in page.text_content(".puzzles")


def test_weights_and_far_misses(page):
    page.goto("/lab/ordered")
    page.click("#weights-3")
    page.wait_for_url("**weights=quadratic**")
    assert value(page, "kappa-quadratic").startswith("0.73356")
    page.click("#far-more")
    page.wait_for_url("**far=6**")
    assert focused(page) == "far-more"
    page.click("#do-apply")
    page.wait_for_selector('[data-figure="apart-4"][data-value="7"]')


def test_a_slider_by_keys(page):
    page.goto("/lab/items")
    page.focus("#po")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**po=90**")
    assert focused(page) == "po"
    page.focus("#skew")
    page.keyboard.press("End")
    page.wait_for_url("**po=98&skew=99")
    page.wait_for_selector("#po[min='98']")
    assert page.input_value("#po") == "98"


def test_a_point_of_the_curve_opens(page):
    page.goto("/lab/items")
    page.click("svg a >> nth=0")
    page.wait_for_url("**n=20&**")
    assert value(page, "n") == "20"


@pytest.mark.parametrize("lab", LABS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_scrolls_only_down(opened, lab, scheme):
    with opened(width=390, height=844, color_scheme=scheme) as (page, errors):
        page.goto(f"/lab/{lab}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert errors == []


def test_the_largest_table_on_a_phone(opened):
    rows = ";".join(["999,999,999,999,999,999,999,999"] * 30)
    with opened(width=390, height=844) as (page, errors):
        page.goto(f"/lab/many?t={rows}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.goto("/lab/ordered?t=" + ";".join(["999999999," * 7 + "999999999"] * 8))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert errors == []


def test_steps_of_a_cell_on_a_phone(opened):
    """They appear while the cell is in use, and go on one by one."""
    with opened(width=390, height=844, has_touch=True) as (page, errors):
        page.goto("/lab/many")
        assert not page.is_visible('[id="do-add.4.2"]')
        page.tap("#c-4-2")
        page.tap('[id="do-add.4.2"]')
        page.wait_for_url("**;2,2,9,1,1;**")
        page.tap('[id="do-add.4.2"]')
        page.wait_for_url("**;2,2,10,1,1;**")
        assert errors == []


def test_without_scripts(plain):
    plain.goto("/lab/many")
    plain.click('[id="do-add.0.0"]')
    assert "t=1,0,0,0,14;" in plain.url
    plain.goto("/lab/ordered")
    plain.fill("#far", "9")
    plain.click("#do-apply")
    assert value(plain, "apart-4") == "10"
    plain.goto("/lab/items")
    plain.fill("#n", "50")
    plain.click("#submit")
    assert "n=50&po=85&skew=60" in plain.url

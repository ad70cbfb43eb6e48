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
    """They stand below the number, large enough to be tapped, and go on one by one."""
    with opened(width=390, height=844, has_touch=True) as (page, errors):
        page.goto("/lab/many")
        number = page.locator("#c-4-2").bounding_box()
        for do in ("add", "take"):
            button = page.locator(f'[id="do-{do}.4.2"]').bounding_box()
            assert min(button["width"], button["height"]) >= 24
            assert button["y"] >= number["y"] + number["height"] - 1
        page.tap('[id="do-add.4.2"]')
        page.wait_for_url("**;2,2,9,1,1;**")
        page.tap('[id="do-add.4.2"]')
        page.wait_for_url("**;2,2,10,1,1;**")
        assert errors == []


@pytest.mark.parametrize("language", ["en", "vi", "zh"])
def test_the_table_fits_a_phone(opened, language):
    """The first table shows as a whole, and no two numbers of its foot run together."""
    with opened(width=390, height=844) as (page, errors):
        page.goto(f"/lab/many?lang={language}")
        assert page.evaluate(
            "(({clientWidth, scrollWidth}) => scrollWidth <= clientWidth)"
            "(document.querySelector('form .wide'))"
        )
        gaps = page.evaluate("""() => {
            const cells = document.querySelectorAll("form tfoot tr:first-child > *");
            const ends = [...cells].map((cell) => {
                const range = document.createRange(), found = [];
                const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
                while (texts.nextNode()) {
                    range.selectNodeContents(texts.currentNode);
                    found.push(...[...range.getClientRects()].filter((one) => one.width));
                }
                return found.length ? [Math.min(...found.map((one) => one.left)),
                                       Math.max(...found.map((one) => one.right))] : null;
            }).filter(Boolean);
            return ends.slice(1).map((end, i) => end[0] - ends[i][1]);
        }""")
        assert len(gaps) == 6
        assert min(gaps) >= 4, gaps
        assert errors == []


def test_a_limit_is_said_and_focus_stays(page, errors):
    page.goto("/lab/many?t=1,2")
    # A button that is marked as off can be pressed all the same.
    page.focus('[id="do-nolabel.1"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert "Only 2 labels are left" in page.text_content("[role=alert]")
    assert focused(page) == "do-nolabel.1"
    assert len(errors) == 1
    assert "422" in errors.pop()


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

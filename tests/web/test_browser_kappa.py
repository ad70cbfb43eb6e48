"""The kappa lab in a browser: pointing, typing, keys, history, and without scripts."""

from __future__ import annotations

import re
from fractions import Fraction as F

import pytest
from playwright.sync_api import expect

KAPPA = '[data-figure="kappa"]'
FIRST = F(4, 1004)


def kappa(page):
    value = page.get_attribute(KAPPA, "data-value")
    return float(value) if value else None


def settled(page, name, value):
    """Wait until a figure has a value."""
    expect(page.locator(f'[data-figure="{name}"]')).to_have_attribute("data-value", value)


def state_of(page):
    return page.evaluate("decodeURIComponent(location.search)")


def focused(page):
    return page.evaluate("document.activeElement.id")


def mark(page):
    page.evaluate("window.stayed = true")


def stayed(page):
    """The page was not loaded anew."""
    return page.evaluate("window.stayed === true")


def button(do):
    return f'[id="do-{do}"]'


@pytest.fixture
def lab(page):
    page.goto("/lab/kappa")
    mark(page)
    yield page
    assert stayed(page)


def test_plus_and_minus(lab):
    lab.click(button("add.0.1"))
    settled(lab, "n", "1001")
    assert focused(lab) == "do-add.0.1"
    assert "t=3,48;53,897" in state_of(lab)
    lab.click(button("take.1.1"))
    settled(lab, "n", "1000")
    assert focused(lab) == "do-take.1.1"
    assert lab.input_value("#c-0-1") == "48"
    assert lab.input_value("#c-1-1") == "896"
    # A button is pressed with the keyboard just as well, and again.
    lab.keyboard.press("Enter")
    settled(lab, "n", "999")
    lab.keyboard.press("Space")
    settled(lab, "n", "998")
    assert focused(lab) == "do-take.1.1"


def test_typing(lab):
    """Figures follow each key; one field is one step back."""
    length = lab.evaluate("history.length")
    lab.focus("#c-0-1")
    lab.keyboard.press("Control+A")
    lab.keyboard.type("123", delay=80)
    settled(lab, "n", str(3 + 123 + 53 + 897))
    assert (focused(lab), lab.input_value("#c-0-1")) == ("c-0-1", "123")
    assert lab.evaluate("document.activeElement.selectionStart") == 3
    assert "t=3,123;53,897" in state_of(lab)
    assert lab.evaluate("history.length") == length + 1
    lab.go_back()
    settled(lab, "n", "1000")
    assert kappa(lab) == float(FIRST)
    assert lab.input_value("#c-0-1") == "47"
    lab.go_forward()
    settled(lab, "n", str(3 + 123 + 53 + 897))
    assert lab.input_value("#c-0-1") == "123"


def test_back_is_undo_and_forward_is_redo(lab):
    lab.click(button("double"))
    settled(lab, "n", "2000")
    lab.click(button("more"))
    expect(lab.locator("#l-2")).to_be_visible()
    lab.click("#presets-2")
    settled(lab, "kappa", "-0.2")
    for n, labels in (("2000", 3), ("2000", 2), ("1000", 2)):
        lab.go_back()
        expect(lab.locator("[name=l]")).to_have_count(labels)
        settled(lab, "n", n)
    lab.go_forward()
    settled(lab, "n", "2000")
    lab.go_forward()
    expect(lab.locator("[name=l]")).to_have_count(3)
    lab.go_forward()
    settled(lab, "kappa", "-0.2")


def test_presets(lab):
    lab.click("#presets-6")
    settled(lab, "n", "100")
    expect(lab.locator("#presets-6")).to_have_attribute("aria-current", "true")
    assert focused(lab) == "presets-6"
    assert "t=70,7,1;5,8,0;2,3,4" in state_of(lab)
    assert kappa(lab) == float(F(1915, 3715))
    expect(lab.locator(".cell")).to_have_count(9)
    lab.click("#presets-9")
    settled(lab, "kappa", "")
    assert lab.text_content(KAPPA) == "?"
    expect(lab.locator("p.undefined").first).to_contain_text("every time")
    # The link is the state: another visit shows the same.
    path = lab.get_attribute("#presets-6", "href")
    lab.click("#presets-6")
    settled(lab, "n", "100")
    assert lab.evaluate("location.pathname + location.search") == path


def test_what_must_not_move(lab):
    steps = {
        "double": "Doubled every cell.",
        "swap": "Put the labels in another order",
        "transpose": "The raters changed places.",
        "more": "Added the label",
    }
    for do, said in steps.items():
        lab.click(button(do))
        expect(lab.locator(".moved")).to_contain_text(said)
        expect(lab.locator(".moved")).to_contain_text("did not move by a single bit")
        assert kappa(lab) == float(FIRST)
        assert focused(lab) == f"do-{do}"
    lab.click(button("fewer"))
    expect(lab.locator(".moved")).to_contain_text("0 items went with it")
    lab.click(button("clear"))
    settled(lab, "kappa", "")
    expect(lab.locator(".moved")).to_contain_text("is not defined now")


def test_by_keyboard_alone(lab):
    """From the top of the page to a cell, through the table, and up and down in it."""
    for _ in range(60):
        lab.keyboard.press("Tab")
        if focused(lab) == "c-0-0":
            break
    assert focused(lab) == "c-0-0"
    lab.keyboard.press("ArrowDown")
    assert focused(lab) == "c-1-0"
    lab.keyboard.press("ArrowRight")
    assert focused(lab) == "c-1-1"
    lab.keyboard.press("ArrowUp")
    assert focused(lab) == "c-0-1"
    lab.keyboard.press("+")
    settled(lab, "n", "1001")
    assert (focused(lab), lab.input_value("#c-0-1")) == ("c-0-1", "48")
    lab.keyboard.press("-")
    settled(lab, "n", "1000")
    lab.keyboard.press("-")
    settled(lab, "n", "999")
    assert lab.input_value("#c-0-1") == "46"
    lab.keyboard.press("Enter")
    settled(lab, "n", "999")
    assert focused(lab) == "c-0-1"
    # At the edge, arrows stay in the table.
    lab.keyboard.press("ArrowUp")
    assert focused(lab) == "c-0-1"
    lab.keyboard.press("Tab")
    assert focused(lab) == "do-add.0.1"
    lab.keyboard.press("Enter")
    settled(lab, "n", "1000")
    assert focused(lab) == "do-add.0.1"


def test_minus_stops_at_zero(lab):
    lab.goto("/lab/kappa?t=1,2;3,4")
    mark(lab)
    lab.focus("#c-0-0")
    for _ in range(3):
        lab.keyboard.press("-")
    settled(lab, "n", "9")
    assert lab.input_value("#c-0-0") == "0"


def test_arrows_move_the_cursor_inside_a_number(lab):
    lab.focus("#c-1-1")
    lab.keyboard.press("End")
    lab.keyboard.press("ArrowLeft")
    assert focused(lab) == "c-1-1"
    lab.keyboard.press("Home")
    lab.keyboard.press("ArrowLeft")
    assert focused(lab) == "c-1-0"


def paste(page, target, text):
    page.focus(target)
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


def test_a_block_pasted_into_a_cell(lab, errors):
    paste(lab, "#c-0-0", "45\t10\n15\t30\n")
    settled(lab, "n", "100")
    assert kappa(lab) == float(F(24, 49))
    assert "t=45,10;15,30" in state_of(lab)
    # What does not fit is a table of its own, whichever cell it is pasted into.
    paste(lab, "#c-0-1", "1\t0\t2\r\n0\t3\t0\r\n4\t0\t5")
    settled(lab, "n", "15")
    assert "t=1,0,2;0,3,0;4,0,5" in state_of(lab)
    paste(lab, "#c-0-0", "\tyes\tno\r\nyes\t6\t1\r\nno\t2\t7")
    settled(lab, "n", "16")
    assert "labels=yes,no" in state_of(lab)
    # If it is no table, nothing is lost: neither the figures nor what was pasted.
    paste(lab, "#c-1-1", "1\t2\n3\t4\n5\t6")
    expect(lab.locator("[role=alert]")).to_contain_text("3 rows")
    assert lab.input_value("#paste").split() == ["1", "2", "3", "4", "5", "6"]
    settled(lab, "n", "16")
    assert all("422" in error for error in errors)
    errors.clear()
    # These were pages of their own.
    mark(lab)


def test_one_number_is_pasted_as_ever(lab):
    lab.focus("#c-0-1")
    lab.keyboard.press("End")
    paste(lab, "#c-0-1", "7")
    lab.wait_for_function(
        "() => document.querySelector('[data-figure=n]').dataset.value !== '1000'"
    )
    assert lab.input_value("#c-0-1") == "477"
    settled(lab, "n", str(3 + 477 + 53 + 897))


def test_a_mistake_beside_the_table(page, errors):
    """Said in words at once; the figures stay, and the field can be mended."""
    page.goto("/lab/kappa")
    mark(page)
    page.focus("#c-0-1")
    page.keyboard.press("End")
    page.keyboard.type("x")
    expect(page.locator("[role=alert]")).to_contain_text("“47x”")
    expect(page.locator("#c-0-1")).to_have_attribute("aria-invalid", "true")
    assert kappa(page) == float(FIRST)
    assert focused(page) == "c-0-1"
    assert page.input_value("#c-0-1") == "47x"
    page.keyboard.press("Backspace")
    expect(page.locator("[role=alert]")).to_have_count(0)
    assert page.get_attribute("#c-0-1", "aria-invalid") is None
    assert (page.input_value("#c-0-1"), focused(page)) == ("47", "c-0-1")
    assert stayed(page)
    # The browser's own remark on the status is expected, and nothing else.
    assert all("422" in error for error in errors), errors
    errors.clear()


def test_names(lab):
    lab.fill("#l-0", "bad")
    expect(lab.locator("th .cut").first).to_have_text("bad")
    assert "labels=bad,safe" in state_of(lab)
    assert focused(lab) == "l-0"
    lab.fill("#r-1", "Bò & <b>")
    lab.wait_for_function("() => location.search.includes('raters')")
    assert lab.input_value("#r-1") == "Bò & <b>"
    expect(lab.locator("caption").first).to_contain_text("Bò & <b>")
    expect(lab.locator(".moved")).not_to_contain_text("Kappa moved")


def test_a_dot_of_a_curve_opens_its_table(lab):
    dot = lab.locator("figure a[href]").first
    path, said = dot.get_attribute("href"), dot.get_attribute("aria-label")
    assert re.search(r"κ = ", said)
    dot.focus()
    lab.keyboard.press("Enter")
    lab.wait_for_function("path => location.pathname + location.search === path", arg=path)
    settled(lab, "n", "1000")
    settled(lab, "po", "0.9")
    # And by pointing at it.
    lab.locator("figure a[href] .touch").nth(3).click()
    lab.wait_for_function("path => location.pathname + location.search !== path", arg=path)
    settled(lab, "po", "0.9")


def test_guess_before_you_see(lab):
    lab.click("#hide")
    expect(lab.locator(KAPPA)).to_have_count(0)
    assert "0.0040" not in lab.inner_text("main")
    lab.fill("#guess", "0.5")
    lab.click("#do-show")
    expect(lab.locator(".guess")).to_contain_text("You guessed 0.50: 0.496 too high.")
    assert kappa(lab) == float(FIRST)
    assert "guess=0.5" in state_of(lab)


def test_questions(lab):
    expect(lab.locator("#quiz-title small")).to_have_text("0/3, not answered yet")
    lab.check("#q1-b")
    expect(lab.locator("#quiz-title small")).to_have_text("1/3, 2 still to answer")
    expect(lab.locator(".answer").first).to_contain_text("Right.")
    assert focused(lab) == "q1-b"
    lab.check("#q2-b")
    expect(lab.locator(".answer").nth(1)).to_contain_text("Not so.")
    lab.check("#q3-c")
    expect(lab.locator("#quiz-title small")).to_have_text("2/3")
    lab.go_back()
    expect(lab.locator("#quiz-title small")).to_have_text("1/3, 1 still to answer")
    expect(lab.locator("#q3-c")).not_to_be_checked()


def test_a_puzzle(lab):
    lab.click("#puzzle-1")
    expect(lab.locator(".puzzles")).to_contain_text("Not yet: change the table.")
    lab.click("#presets-5")
    expect(lab.locator(".puzzles")).to_contain_text("Solved.")


def test_weights(lab):
    lab.click("#presets-6")
    settled(lab, "n", "100")
    lab.click("#weights-2")
    expect(lab.locator('[data-figure="weighted-kappa"]')).to_be_visible()
    linear = lab.get_attribute('[data-figure="weighted-kappa"]', "data-value")
    lab.click("#weights-4")
    expect(lab.locator("#w-0-1")).to_have_value("0.5")
    settled(lab, "weighted-kappa", linear)
    lab.fill("#w-0-1", "0.25")
    lab.wait_for_function("() => location.search.includes('0.25')")
    expect(lab.locator('[data-figure="weighted-kappa"]')).not_to_have_attribute(
        "data-value", linear
    )
    assert focused(lab) == "w-0-1"


def test_copy(lab):
    lab.click("#copy-command summary")
    lab.click("#copy-command button")
    expect(lab.locator("#copy-command button")).to_have_text("Copied")
    copied = lab.evaluate("navigator.clipboard.readText()")
    assert copied == lab.text_content("#text-command")
    assert "violation,3,47\nsafe,53,897\n" in copied


def test_what_changes_is_announced(lab):
    """The sentence on what moved stands in a live region that is there before it changes."""
    lab.evaluate(
        """() => {
          window.said = [];
          const region = document.querySelector(".moved[aria-live=polite]");
          new MutationObserver(() => window.said.push(region.innerText))
            .observe(region, {childList: true, subtree: true, characterData: true});
        }"""
    )
    lab.click(button("add.0.0"))
    lab.wait_for_function("() => window.said.length > 0")
    assert "violation / violation: 3 → 4" in lab.evaluate("window.said.at(-1)")
    lab.click(button("add.0.0"))
    lab.wait_for_function("() => window.said.at(-1).includes('4 → 5')")


def test_the_language_keeps_the_table(page):
    page.goto("/lab/kappa?t=20,5;10,15")
    page.click('[hreflang="vi"]')
    expect(page.locator("html")).to_have_attribute("lang", "vi")
    assert page.text_content(KAPPA) == "0,4000"
    assert page.get_attribute(KAPPA, "data-value") == "0.4"
    page.click(button("add.0.0"))
    settled(page, "n", "51")
    expect(page.locator("html")).to_have_attribute("lang", "vi")
    assert "lang=vi" in state_of(page)
    # Another page remembers it.
    page.goto("/lab/kappa")
    expect(page.locator("html")).to_have_attribute("lang", "vi")
    page.click('[hreflang="en"]')
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_file_of_ratings(page, tmp_path):
    file = tmp_path / "votes.csv"
    file.write_text("item,ana,bo,cy\n1,x,x,y\n2,y,x,y\n3,y,y,y\n4,x,x,x\n")
    page.goto("/lab/kappa")
    page.set_input_files("#file", file)
    page.click("#upload-form button")
    page.wait_for_url("**/open/*")
    expect(page.locator("tbody tr")).to_have_count(3)
    page.click("tbody a >> nth=0")
    page.wait_for_url("**/lab/kappa?t=*")
    settled(page, "n", "4")


# Without scripts


@pytest.fixture
def still(plain):
    plain.goto("/lab/kappa")
    return plain


def arrived(page, part):
    page.wait_for_url(re.compile(re.escape(part)))
    assert "form=" not in page.url
    assert "do=" not in page.url


def test_buttons_without_scripts(still):
    still.click(button("add.0.1"))
    arrived(still, "t=3,48;53,897&labels=violation,safe")
    settled(still, "n", "1001")
    expect(still.locator(".moved")).to_contain_text("violation / safe: 47 → 48")
    still.click(button("more"))
    arrived(still, "t=3,48,0;53,897,0;0,0,0")
    expect(still.locator(".moved")).to_contain_text("Added the label")
    still.click(button("fewer"))
    arrived(still, "t=3,48;53,897&")
    still.click(button("double"))
    arrived(still, "t=6,96;106,1794")
    still.go_back()
    arrived(still, "t=3,48;53,897&")


def test_typing_without_scripts(still):
    still.fill("#c-0-1", "7")
    still.fill("#l-0", "a+b, c%")
    still.click("#submit")
    still.wait_for_url("**/lab/kappa?t=3,7;53,897*")
    assert still.input_value("#l-0") == "a+b, c%"
    settled(still, "n", "960")
    # Enter in a field is the same.
    still.fill("#c-1-0", "0")
    still.press("#c-1-0", "Enter")
    still.wait_for_url("**/lab/kappa?t=3,7;0,897*")


def test_a_mistake_without_scripts(still, plain_errors):
    still.fill("#c-1-0", "x")
    still.press("#c-1-0", "Enter")
    expect(still.locator("[role=alert]")).to_contain_text("“x”")
    still.go_back()
    assert still.input_value("#c-0-0") == "3"
    assert all("422" in error for error in plain_errors)
    plain_errors.clear()


def test_links_without_scripts(still):
    still.click("#presets-8")
    still.wait_for_url("**/lab/kappa?t=20,5;10,15*")
    settled(still, "kappa", "0.4")
    still.click("#scales-2")
    arrived(still, "scale=fleiss")
    still.locator("figure a[href]").first.focus()
    still.keyboard.press("Enter")
    still.wait_for_url(lambda url: "t=20,5;10,15" not in url)
    settled(still, "po", "0.7")


def test_questions_and_guesses_without_scripts(still):
    still.check("#q1-b")
    still.check("#q2-a")
    still.click("#submit-quiz")
    arrived(still, "q1=b&q2=a")
    expect(still.locator("#quiz-title small")).to_have_text("2/3, 1 still to answer")
    still.click("#hide")
    arrived(still, "guess=ask")
    expect(still.locator(KAPPA)).to_have_count(0)
    still.fill("#guess", "0.1")
    still.click("#do-show")
    arrived(still, "guess=0.1")
    expect(still.locator(".guess")).to_contain_text("You guessed 0.10")
    assert "q1=b" in still.url


def test_paste_without_scripts(still):
    still.fill("#paste", "\tyes\tno\nyes\t20\t5\nno\t10\t15")
    still.click("#paste-form button")
    arrived(still, "t=20,5;10,15&labels=yes,no")
    settled(still, "kappa", "0.4")

"""Raters and a manager in a real browser: keys, a phone, no scripts, and what axe finds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
import uvicorn
from playwright.sync_api import expect

from assay.study.design import Point
from web.conftest import WATCH
from web.studies import (
    ALL,
    BETTER,
    FLAWS,
    LENGTH,
    QUALITY,
    SYSTEMS,
    TOGETHER,
    TONE,
    TOPIC,
    Study,
    design,
)
from web.test_browser_pages import AXE, FOUND, SIDEWAYS


@pytest.fixture
def asked(tmp_path, browser):
    """``with asked(design) as (study, page)``: a study that is served, and a browser at it."""

    @contextmanager
    def make(given, **options):
        study = Study(tmp_path / "study.db", given)
        config = uvicorn.Config(study.app, port=0, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            pass
        port = server.servers[0].sockets[0].getsockname()[1]
        base, errors = f"http://127.0.0.1:{port}", []
        context = browser.new_context(
            **{"base_url": base, "viewport": {"width": 1280, "height": 900}} | options
        )
        context.set_default_timeout(5_000)
        if options.get("java_script_enabled", True):
            context.add_init_script(WATCH)
        page = context.new_page()
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda r: None if urlsplit(r.url).port == port else errors.append(r.url))
        try:
            yield study, page
            # A status that tells of a mistake is an error of the console, and meant; so is a
            # network that a test has taken away.
            meant = ("status of 4", "ERR_INTERNET_DISCONNECTED")
            assert [one for one in errors if not any(part in one for part in meant)] == []
        finally:
            context.close()
            server.should_exit = True
            thread.join(10)
            study.close()

    return make


def begin(page, study, k=0):
    page.goto(study.links[k])
    page.click("#agree")
    page.wait_for_selector("#rate")


def saved(page, done, of):
    expect(page.locator(".progress span")).to_have_text(f"{done} of {of} saved")


def stored(study):
    return [row.value for row in study.store.ratings()]


@pytest.mark.parametrize(
    ("dimension", "keys", "want"),
    [
        (TONE, ["3", "Enter"], 3),
        (TOPIC, ["2", "Enter"], "dogs"),
        (FLAWS, ["1", "3", "Enter"], ["long", "rude"]),
        (FLAWS, ["0", "Enter"], []),
        (TONE, ["x", "Enter"], None),
        (BETTER, ["t", "Enter"], "tie"),
    ],
)
def test_keys_alone(asked, dimension, keys, want):
    with asked(design(dimension, items=2)) as (study, page):
        begin(page, study)
        tasks = study.store.rater(study.token()).tasks
        for key in keys:
            page.keyboard.press(key)
        saved(page, 1, tasks)
        assert stored(study) == [want]


def test_a_and_b_are_the_sides(asked):
    with asked(design(BETTER, items=2)) as (study, page):
        begin(page, study)
        for k, key in enumerate("ab", 1):
            page.keyboard.press(key)
            page.keyboard.press("Enter")
            saved(page, k, 2)
        rows = study.store.ratings()
        assert [row.value for row in rows] == [rows[0].left, rows[1].right]


def test_keys_go_through_several_questions(asked):
    with asked(design(TONE, TOPIC, FLAWS)) as (study, page):
        begin(page, study)
        for key in ("1", "2", "1", "2", "Enter"):
            page.keyboard.press(key)
        saved(page, 1, 8)
        assert stored(study) == [1, "dogs", ["long", "wrong"]]


def test_letters_in_a_comment_are_letters(asked):
    with asked(design(BETTER)) as (study, page):
        begin(page, study)
        page.click("#more summary")
        page.locator("#comment").press_sequentially("a bat, 1 g x")
        assert page.locator("#rate input:checked").count() == 0
        assert page.input_value("#comment") == "a bat, 1 g x"
        page.click("#v0-1")
        page.keyboard.press("Enter")
        saved(page, 1, 4)
        assert study.store.ratings()[0].comment == "a bat, 1 g x"


def test_guidelines_are_one_key_away(asked):
    with asked(design()) as (study, page):
        begin(page, study)
        expect(page.locator("#guidelines div")).to_be_hidden()
        page.keyboard.press("g")
        expect(page.locator("#guidelines div")).to_be_visible()
        page.keyboard.press("g")
        expect(page.locator("#guidelines div")).to_be_hidden()


def test_a_slider_is_its_number_and_untouched_is_no_answer(asked):
    with asked(design(LENGTH)) as (study, page):
        begin(page, study)
        page.click("#save")
        expect(page.locator("#q0 .problem")).to_be_visible()
        assert stored(study) == []
        page.focus('[id="v0-slider"]')
        page.keyboard.press("ArrowRight")
        assert page.input_value('[id="v0"]') == "5.5"
        page.fill('[id="v0"]', "8")
        assert page.input_value('[id="v0-slider"]') == "8"
        page.keyboard.press("Enter")
        saved(page, 1, 8)
        assert stored(study) == [8]


def test_magnitude_shows_its_reference(asked):
    with asked(design(QUALITY)) as (study, page):
        begin(page, study)
        expect(page.locator(".reference")).to_contain_text("counts as 100")
        expect(page.locator(".reference")).to_contain_text("A plain answer.")
        page.fill('[id="v0"]', "250")
        page.keyboard.press("Enter")
        saved(page, 1, 8)
        assert stored(study) == [250]


def test_all_outputs_get_a_number_each(asked):
    with asked(design(TOGETHER, systems=SYSTEMS)) as (study, page):
        begin(page, study)
        assert page.locator(".outputs section").count() == 3
        order = study.store.open_task(study.token()).systems
        for k in range(3):
            page.fill(f'[id="v0.{k}"]', str(10 * k))
        page.click("#save")
        saved(page, 1, 4)
        rows = study.store.ratings()
        assert {row.system: row.value for row in rows} == dict(zip(order, (0, 10, 20), strict=True))


def test_a_number_is_written_as_it_is_at_home_and_no_arrow_changes_it(asked):
    with asked(design(LENGTH)) as (study, page):
        begin(page, study)
        page.click('[id="v0"]')
        page.keyboard.type("7,5")
        for key in ("ArrowUp", "ArrowDown", "ArrowDown"):
            page.keyboard.press(key)
        assert page.input_value('[id="v0"]') == "7,5"
        assert page.input_value('[id="v0-slider"]') == "7.5"
        page.keyboard.press("Enter")
        saved(page, 1, 8)
        assert stored(study) == [7.5]


@pytest.mark.parametrize("key", ["0", "1", "9"])
def test_a_digit_chooses_itself(asked, key):
    scale = replace(TONE, points=tuple(Point(k) for k in range(11)))
    with asked(design(scale)) as (study, page):
        begin(page, study)
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        saved(page, 1, 8)
        assert stored(study) == [int(key)]


# --- kept at each answer, and what may come between ----------------------------------------------


def kept(page, place):
    expect(page.locator(f"#q{place} .kept")).to_have_text("saved")


def test_each_answer_is_saved_as_it_is_given(asked, browser):
    with asked(design(TONE, TOPIC, LENGTH)) as (study, page):
        begin(page, study)
        page.keyboard.press("3")
        kept(page, 0)
        expect(page.locator("#q1 .kept")).to_have_text("")
        page.keyboard.press("2")
        kept(page, 1)
        # Another device: the same task, as far as it is.
        other = browser.new_context(base_url=page.url)
        there = other.new_page()
        there.goto(page.url)
        expect(there.locator("#v0-2")).to_be_checked()
        kept(there, 1)
        other.close()
        page.fill("#v2", "4,5")
        page.click("#more summary")
        page.fill("#comment", "why so")
        page.locator("#comment").blur()
        kept(page, 2)
        page.wait_for_function("() => document.querySelector('[name=r0]').value === '2'")
        assert stored(study) == [3, "dogs", 4.5]
        assert study.store.ratings()[0].comment == "why so"
        page.click("#save")
        saved(page, 1, 8)
        # What was said already is not said again.
        assert len(study.store.ratings(history=True)) == 4


def test_a_change_of_mind_is_a_revision_and_taking_back_clears_it(asked):
    with asked(design(TONE, TOPIC)) as (study, page):
        begin(page, study)
        for k, point in enumerate(("#v0-0", "#v0-2"), 1):
            page.click(point)
            page.wait_for_function(f"() => document.querySelector('[name=r0]').value === '{k}'")
        assert stored(study) == [3]
        page.reload()
        expect(page.locator("#v0-2")).to_be_checked()
        page.click("#undo")
        expect(page.locator("#rate input:checked")).to_have_count(0)
        assert stored(study) == []


def test_a_lost_network_takes_nothing_away(asked):
    with asked(design(TONE, TOPIC)) as (study, page):
        begin(page, study)
        page.context.set_offline(True)
        page.click("#v0-2")
        expect(page.locator("#q0 .kept")).to_have_text("not saved yet")
        page.click("#v1-0")
        page.click("#more summary")
        page.fill("#comment", "mine")
        page.click("#save")
        expect(page.locator("#away")).to_contain_text("There was no answer")
        expect(page.locator("#v0-2")).to_be_checked()
        assert page.input_value("#comment") == "mine"
        assert stored(study) == []
        page.context.set_offline(False)
        # Also over a page that is loaded anew, or left and come back to.
        page.reload()
        expect(page.locator("#v0-2")).to_be_checked()
        page.goto("about:blank")
        page.go_back()
        expect(page.locator("#v1-0")).to_be_checked()
        assert page.input_value("#comment") == "mine"
        page.click("#save")
        saved(page, 1, 8)
        assert (stored(study), study.store.ratings()[0].comment) == ([3, "cats"], "mine")
        assert len(study.store.ratings(history=True)) == 2
        # The next task begins empty.
        expect(page.locator("#rate input:checked")).to_have_count(0)
        assert page.evaluate("sessionStorage.length") == 0


def test_another_language_in_the_middle_of_a_task(asked):
    with asked(design(TONE, LENGTH)) as (study, page):
        begin(page, study)
        page.click("#v0-1")
        page.fill("#v1", "7x")
        page.click("#more summary")
        page.fill("#comment", "half a")
        page.click("nav [hreflang=vi]")
        expect(page.locator("html")).to_have_attribute("lang", "vi")
        expect(page.locator("#v0-1")).to_be_checked()
        assert page.input_value("#v1") == "7x"
        assert page.input_value("#comment") == "half a"


def test_keys_while_an_answer_is_on_its_way_belong_to_nothing(asked):
    """800 ms there and back: what is pressed meanwhile answers neither this task nor the next."""
    with asked(design()) as (study, page):
        begin(page, study)

        def slow(route):
            time.sleep(0.8)
            route.continue_()

        page.route("**/rate/**", slow)
        for key in ("1", "Enter", "2", "Enter"):
            page.keyboard.press(key)
        saved(page, 1, 8)
        expect(page.locator("#rate input:checked")).to_have_count(0)
        expect(page.locator("#problem")).to_have_count(0)
        assert [(row.value, row.revision) for row in study.store.ratings(history=True)] == [(1, 1)]
        page.unroute("**/rate/**")


def test_two_windows_with_each_answer_saved(asked):
    with asked(design(TONE, TOPIC)) as (study, page):
        begin(page, study)
        other = page.context.new_page()
        other.goto(study.links[0])
        page.click("#v0-0")
        kept(page, 0)
        other.click("#v0-2")
        expect(other.locator("#q0 .kept")).to_have_text("not saved yet")
        assert stored(study) == [1]
        other.click("#v1-0")
        other.click("#save")
        expect(other.locator("#problem")).to_contain_text("Another window")
        expect(other.locator("#v0-2")).to_be_checked()
        other.click("#save")
        saved(other, 1, 8)
        assert stored(study) == [3, "cats"]


def test_too_many_requests_are_said_beside_the_answers(asked):
    with asked(design()) as (study, page):
        begin(page, study)
        study.site.links.size = 0
        study.site.links._held.clear()
        page.click("#v0-1")
        page.click("#save")
        expect(page.locator("#away")).to_contain_text("Too many requests")
        expect(page.locator("#v0-1")).to_be_checked()
        study.site.links.size = 100
        study.site.links._held.clear()
        page.click("#save")
        saved(page, 1, 8)


def test_closed_while_somebody_is_rating(asked):
    with asked(design()) as (study, page):
        begin(page, study)
        study.store.close(by="me")
        page.click("#v0-1")
        page.click("#save")
        expect(page.locator("h1")).to_contain_text("so this answer was not saved")
        expect(page.locator("main a")).to_have_count(0)
        # Opened again, the link has what was chosen.
        study.store.reopen(by="me")
        page.reload()
        expect(page.locator("#v0-1")).to_be_checked()


@pytest.mark.parametrize("dimension", ALL, ids=lambda one: one.mechanism)
def test_without_scripts(asked, dimension):
    with asked(design(dimension), java_script_enabled=False) as (study, page):
        begin(page, study)
        page.click("#save")
        expect(page.locator("#problem")).to_be_visible()
        kind = dimension.mechanism
        if kind in ("interval", "magnitude", "rankme"):
            for field in page.locator("#rate input[inputmode]").all():
                field.fill("7")
        else:
            page.click("#v0-0")
        page.click("#save")
        expect(page.locator(".progress span")).to_contain_text("1 of")
        page.click("#back")
        page.click("#undo")
        expect(page.locator(".progress span")).to_contain_text("0 of")
        assert stored(study) == []


@pytest.mark.parametrize("dimension", ALL, ids=lambda one: one.mechanism)
def test_for_all_eyes(asked, dimension):
    """At a desk and on a phone, light and dark: the task, with a mistake, and the end."""
    with asked(design(dimension, items=1)) as (study, page):
        page.goto(study.links[0])
        looked_at(page)
        page.click("#agree")
        page.wait_for_selector("#rate")
        looked_at(page)
        page.click("#save")
        page.wait_for_selector("#problem")
        looked_at(page)


@pytest.mark.parametrize("code", ["vi", "zh"])
def test_for_all_eyes_in_other_languages(asked, code):
    with asked(design(TONE, FLAWS, LENGTH, items=1, language=code)) as (study, page):
        page.goto(study.manager)
        looked_at(page)
        page.goto(study.links[0])
        looked_at(page)
        page.click("#agree")
        page.wait_for_selector("#rate")
        page.click("#save")
        page.wait_for_selector("#problem")
        looked_at(page)


def looked_at(page):
    page.evaluate(AXE)
    for width, scheme in ((1280, "light"), (390, "dark"), (320, "light")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate(SIDEWAYS) == [], (page.url, width)
        assert page.evaluate(FOUND) == [], (page.url, width, scheme)


def test_on_a_phone_with_a_finger(asked):
    options = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with asked(design(BETTER, TONE), **options) as (study, page):
        begin(page, study)
        for label in page.locator(".question label").all():
            assert label.bounding_box()["height"] >= 40
        while study.store.open_task(study.token()) is not None:
            before = page.locator("progress").get_attribute("value")
            page.locator(".question label").first.tap()
            page.locator("#save").tap()
            page.wait_for_function(
                "before => document.querySelector('progress').getAttribute('value') !== before",
                arg=before,
            )
        expect(page.locator("h1")).to_have_text("All is done. Thank you.")
        assert len(stored(study)) == 12


def test_a_double_click_is_one_rating(asked):
    with asked(design()) as (study, page):
        begin(page, study)
        page.keyboard.press("2")
        page.dblclick("#save")
        saved(page, 1, 8)
        assert [row.revision for row in study.store.ratings(history=True)] == [1]


def until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for what no text of the page tells."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    assert holds()


def test_two_tabs(asked):
    with asked(design()) as (study, page):
        begin(page, study)
        other = page.context.new_page()
        other.goto(study.links[0])
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        saved(page, 1, 8)
        other.click("#v0-2")
        other.keyboard.press("Enter")
        expect(other.locator("#problem")).to_contain_text("Another window")
        expect(other.locator("#v0-2")).to_be_checked()
        assert stored(study) == [1]
        other.click("#save")
        saved(other, 1, 8)  # which the page said before, too
        until(lambda: stored(study) == [3])


def test_the_keyboard_reaches_everything(asked):
    """Every control, of radio buttons the group, comes up by Tab."""
    name = "(one => one.name || one.id || one.getAttribute('href') || one.tagName)"
    with asked(design(BETTER, LENGTH, FLAWS)) as (study, page):
        begin(page, study)
        for _ in range(2):
            controls = "a, button, summary, input:not([type=hidden])"
            there = page.evaluate(f"[...document.querySelectorAll('{controls}')].map({name})")
            page.evaluate("document.activeElement.blur()")
            reached = set()
            for _ in range(40):
                page.keyboard.press("Tab")
                reached.add(page.evaluate(f"{name}(document.activeElement)"))
            assert set(there) <= reached
            for field in page.locator("[data-key=x]").all():
                field.check()
            page.click("#save")
            page.wait_for_selector("#back")


def test_the_managers_page(asked):
    with asked(design(TONE, BETTER, items=5)) as (study, page):
        for k in range(3):
            study.store.consent(study.token(k))
            while (task := study.store.open_task(study.token(k))) is not None:
                for name in task.dimensions:
                    value = 1 + (task.id + k) % 3 if name == "tone" else task.systems[k % 2]
                    study.store.answer(
                        study.token(k), task.id, name, value, expected=0, client="c", seconds=4.0
                    )
        page.goto(study.manager)
        looked_at(page)
        page.set_viewport_size({"width": 1280, "height": 900})
        page.fill("#name", "late one")
        page.click("#add")
        link = page.locator("#secret").inner_text()
        looked_at(page)
        page.set_viewport_size({"width": 1280, "height": 900})
        page.click("#link-2")
        expect(page.locator("#asking")).to_contain_text("Make a new link for person 1?")
        page.click("#leave-it")
        expect(page.locator("#asking")).to_have_count(0)
        page.click("#link-2")
        looked_at(page)
        page.click("#sure")
        made = page.locator("#secret").inner_text()
        page.reload()
        expect(page.locator("#problem")).to_contain_text("sent a second time")
        assert study.store.rater(made.rpartition("/")[2]).name == "person 1"
        page.fill("#item", "q1")
        page.click("#look")
        expect(page.locator("#looked .texts").first).to_contain_text("answer")
        looked_at(page)
        page.set_viewport_size({"width": 1280, "height": 900})
        page.click("#close")
        expect(page.locator("#reopen")).to_be_visible()
        with page.expect_download() as download:
            page.click("#ratings-csv")
        assert download.value.suggested_filename == "trial-ratings.csv"
        page.goto(link)
        expect(page.locator("#agree")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "plain"])
def test_a_break_between_batches(asked, scripts):
    with asked(design(items=2, raters=2, batch=1), java_script_enabled=scripts) as (study, page):
        begin(page, study)
        for _ in range(2):
            page.click("#v0-1")
            page.click("#save")
        expect(page.locator("h1")).to_contain_text("1 of 2 batches is done.")
        if scripts:
            looked_at(page)
        page.reload()
        if scripts:
            page.keyboard.press("g")
            expect(page.locator("#guidelines")).to_have_attribute("open", "")
            page.keyboard.press("g")
        # By keyboard alone: the button is the first thing in the content.
        page.locator("#main").focus()
        page.keyboard.press("Tab")
        expect(page.locator("#go-on")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#rate")).to_be_visible()
        for _ in range(2):
            page.click("#v0-1")
            page.click("#save")
        expect(page.locator("h1")).to_contain_text("All is done")
        assert len(study.store.ratings()) == 4


def test_letting_a_rater_back_in(asked):
    with asked(design(items=4, raters=3, per_item=2, batch=2)) as (study, page):
        study.store.hand_out_again(1, by="me")
        page.goto(study.manager)
        page.click("#back-1")
        expect(page.locator("#asking")).to_contain_text("Let person 0 back in?")
        looked_at(page)
        page.set_viewport_size({"width": 1280, "height": 900})
        page.click("#sure")
        made = page.locator("#secret").inner_text()
        looked_at(page)
        assert study.store.rater(made.rpartition("/")[2]).tasks > 0

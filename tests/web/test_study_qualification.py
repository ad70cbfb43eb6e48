"""The test before everything else on the pages, over HTTP and in a browser on a phone."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from assay.study.begin import begin as open_again
from assay.study.design import Item, Qualification
from assay.study.joining import give_work
from assay.web.app import make_app
from assay.web.study.site import site_of
from web.studies import BETTER, SYSTEMS, TONE, Client, Form, Study, design, words
from web.test_study_browser import (
    asked,  # noqa: F401
    looked_at,
    saved,
)
from web.test_study_browser import begin as opens
from web.test_study_manage import answered, found, press, sure

SECRET = "grandiloquent"


def of(count=5, share=0.8, right=3):
    test = tuple(
        Item(f"{SECRET}{k}", f"try {k}", dict.fromkeys(SYSTEMS[:2], f"text {k}"),
             gold={"tone": right})
        for k in range(count)
    )  # fmt: skip
    return Qualification(test, share)


@pytest.fixture
def begun(tmp_path):
    made: list[Study] = []

    def make(*dimensions, **more):
        more = {"qualification": of()} | more
        made.append(Study(tmp_path / f"{len(made)}.db", design(*dimensions or (TONE,), **more)))
        made[-1].site.links.size = 10_000
        made[-1].site.links._held.clear()
        return made[-1]

    yield make
    for one in made:
        one.close()


def take(study, k, *picks):
    """Answer what is on the page, one pick a task; the page after the last one."""
    study.agree(k)
    for pick in picks:
        assert study.save(k, v0=pick)[0].status_code == 303
    return study.get(study.links[k])


RIGHT, WRONG = "p2", "p0"


def test_who_passes_is_told_so_and_goes_on(begun):
    study = begun()
    welcome = words(study.get(study.links[0]))
    assert (
        "First comes a test of 5 tasks: who answers at least 4 of 5 questions as expected"
        in welcome
    )
    assert "8 tasks are waiting for you." in welcome
    page = take(study, 0, RIGHT, RIGHT, WRONG, RIGHT)
    assert "4 of 5 saved" in words(page)
    assert "This is the test that comes first." in words(page)
    study.save(0, v0=RIGHT)
    page = study.get(study.links[0])
    assert "You have passed the test, with 4 of 5 right. The study begins here." in words(page)
    assert "0 of 8 saved" in words(page)
    assert 'id="back"' not in page.text
    # Once something of the study is answered, it is said no more.
    study.save(0, v0=RIGHT)
    page = study.get(study.links[0])
    assert ("1 of 8 saved" in words(page), 'id="passed"' in page.text) == (True, False)
    assert 'id="back"' in page.text


def test_the_test_is_in_no_batch(begun):
    study = begun(items=4, batch=2)
    page = take(study, 0, *[RIGHT] * 5)
    # No pause between the test and the first batch, which is the first of two.
    assert "You have passed the test" in words(page)
    assert 'id="rate"' in page.text
    for _ in range(4):
        assert 'id="rate"' in study.get(study.links[0]).text
        study.save(0, v0=RIGHT)
    assert "1 of 2 batches is done." in words(study.get(study.links[0]))
    batches = {row.batch for row in study.store.ratings() if row.qualification}
    assert batches == {None}


def test_who_does_not_reads_a_polite_page_without_answers(begun):
    study = begun()
    page = take(study, 0, RIGHT, WRONG, RIGHT, WRONG, RIGHT)
    assert page.status_code == 200
    assert "Thank you for taking the test." in words(page)
    assert "You answered 3 of its 5 questions as expected; going on takes 4." in words(page)
    for hidden in ("polite", SECRET, "try ", *SYSTEMS, "Guidelines"):
        assert hidden not in page.text
    assert "form" not in re.findall(r"<(\w+)", page.text)
    # Later tasks are not shown, nor taken, whoever knows their numbers.
    later = next(one.id for one in study.store.plan() if one.rater == 0 and not one.qualification)
    assert study.get(f"{study.links[0]}?task={later}").status_code == 404
    csrf = Form(study.get(study.links[1]).text).fields["csrf"]
    for where in ("", "/keep", "/undo"):
        sent = {"task": str(later), "v0": "p1", "r0": "0", "key": "k"}
        form = sent | {"csrf": _csrf(study, 0)}
        got = study.post(study.links[0] + where, form)
        assert got.status_code == 409, where
    assert csrf != _csrf(study, 0)
    assert len(study.store.ratings()) == 5


def _csrf(study, k):
    from assay.web.study.seal import form_token

    return form_token(study.token(k))


def test_nothing_but_the_test_is_taken_before_it_is_over(begun):
    study = begun()
    study.agree(0)
    later = next(one.id for one in study.store.plan() if one.rater == 0 and not one.qualification)
    form = {"task": str(later), "v0": "p1", "r0": "0", "key": "k", "csrf": _csrf(study, 0)}
    got = study.post(study.links[0], form)
    assert (got.status_code, "The test comes first" in words(got)) == (409, True)
    got = study.get(f"{study.links[0]}?task={later}")
    assert (got.status_code, "The test comes first" in words(got)) == (404, True)
    assert study.post(f"{study.links[0]}/keep", form).status_code == 409
    assert study.store.ratings() == []


@pytest.mark.parametrize("pick", [RIGHT, WRONG])
def test_two_tabs_and_double_clicks_at_the_last_answer_decide_once(begun, pick):
    study = begun(qualification=of(1))
    study.agree(0)
    tabs = [Form(study.get(study.links[0]).text).fields for _ in range(2)]
    page = {"p2": "You have passed the test", "p0": "Thank you for taking the test"}[pick]
    other = {RIGHT: WRONG, WRONG: RIGHT}[pick]
    first = study.post(study.links[0], tabs[0] | {"v0": pick})
    assert first.status_code == 303
    assert page in words(study.get(first.headers["location"]))
    # The second click comes when all is decided: it changes nothing, and ends where the first did.
    twice = study.post(study.links[0], tabs[0] | {"v0": pick})
    assert twice.status_code == 303
    assert page in words(study.get(study.links[0]))
    # The second tab says otherwise, too late, whichever answer it has seen.
    want = "The test is over" if pick == RIGHT else page
    for seen in ("0", "1"):
        late = study.post(study.links[0], tabs[1] | {"v0": other, "r0": seen, "key": f"new{seen}"})
        assert (late.status_code, want in words(late)) == (409, True)
    got = study.post(f"{study.links[0]}/undo", tabs[0] | {"r0": "1"})
    assert got.status_code == 409
    assert len(study.store.ratings(history=True)) == 1
    assert sum("qualified" in line.act for line in study.store.audit()) == 1


def test_an_autosaved_last_answer_can_be_changed_until_one_goes_on(begun):
    study = begun(qualification=of(1))
    study.agree(0)
    form = Form(study.get(study.links[0]).text).fields
    kept = study.post(f"{study.links[0]}/keep", form | {"v0": WRONG, "key": "a.1"})
    assert kept.json() == {"0": 1}
    kept = study.post(f"{study.links[0]}/keep", form | {"v0": RIGHT, "key": "a.2", "r0": "1"})
    assert kept.json() == {"0": 2}
    assert study.store.standings()[0].state == "open"
    sent = form | {"v0": RIGHT, "r0": "2", "key": "a"}
    next_page = study.post(study.links[0], sent, headers={"X-Next-Page": "true"})
    assert "You have passed the test, with 1 of 1 right" in words(next_page)


def test_a_task_of_a_test_that_is_over_is_not_opened_again(begun):
    study = begun(qualification=of(1))
    task = study.store.open_task(study.token()).id
    take(study, 0, RIGHT)
    got = study.get(f"{study.links[0]}?task={task}")
    assert (got.status_code, "The test is over" in words(got)) == (409, True)


def test_a_server_that_ends_before_the_decision_leaves_it_to_the_next(begun):
    """The last answer is in the database, and nobody has asked for a page since."""
    study = begun(qualification=of(1))
    study.agree(0)
    task = study.store.open_task(study.token()).id
    form = Form(study.get(study.links[0]).text).fields
    study.post(f"{study.links[0]}/keep", form | {"v0": WRONG})
    study.store.close_connections()
    assert not open_again(study.store, study.design, by="test").new
    client = Client(make_app(study=site_of(study.store)))
    try:
        later = form | {"task": str(task + 1), "v0": RIGHT, "r0": "0"}
        assert client.post(study.links[0], data=later).status_code == 409
        assert "Thank you for taking the test" in words(client.get(study.links[0]))
    finally:
        client.close()


def test_the_manager_sees_who_passed_and_lets_in(begun):
    study = begun(qualification=of(2, share=1.0), items=2)
    take(study, 0, RIGHT, RIGHT)
    take(study, 1, RIGHT, WRONG)
    take(study, 2, RIGHT)
    page = study.get(study.manager)
    rows = dict(re.findall(r"(person \d) (.*?)(?= person|$)", _section(page)))
    assert rows["person 0"].startswith("2 of 2 2 of 2 2 passed")
    assert rows["person 1"].startswith("Let in anyway Share the open tasks out 2 of 2 1 of 2 2 not")
    assert rows["person 2"].startswith("1 of 2 – 2 not finished")
    assert "4 open tasks are with raters who did not pass." in words(page)
    assert "4 open tasks are with raters who have not finished the test." in words(page)
    assert "0 of 12 tasks are done." in words(page)
    assert "test not passed · person 1 · 1 of 2" in words(page)
    asking = study.get(f"{study.manager}/let_in", params={"rater": "2"})
    assert "Let person 1 in anyway?" in words(asking)
    sent = answered(study, "let_in", 2)[1]
    assert study.post(f"{study.manager}/let_in", sent).status_code == 303
    # The page is loaded again: the browser sends the same form.
    assert study.post(f"{study.manager}/let_in", sent).status_code == 409
    page = study.get(study.manager)
    assert "let in without having passed the test · person 1" in words(page)
    assert "did not pass." not in words(page)
    assert "You have been let in. The study begins here." in words(study.get(study.links[1]))
    assert study.save(1, v0=RIGHT)[0].status_code == 303
    acts = [(line.by, line.act) for line in study.store.audit() if line.detail.get("rater")][-3:]
    assert acts == [("assay", "qualified"), ("assay", "not_qualified"), ("manager", "let_in")]
    # Whose test is not over is no case for it.
    got = sure(study, "let_in", 3)
    assert (got.status_code, "not over yet" in words(got)) == (409, True)


def _section(page):
    text = words(page)
    return text[text.index("Qualification test It comes") : text.index("Agreement so far")]


def test_the_tasks_of_who_did_not_pass_are_shared_out(begun):
    study = begun(qualification=of(1), items=2, per_item=1)
    take(study, 0, WRONG)
    before = sum(one.tasks for one in study.store.progress())
    done = sure(study, "leave", 1)
    assert "open task" in words(done)
    assert sum(one.tasks for one in study.store.progress()) == before
    assert study.store.progress()[0].tasks == 0
    # They still read why; it is not that their link is used up.
    assert "Thank you for taking the test" in words(study.get(study.links[0]))
    assert "Let in anyway" not in words(study.get(study.manager))


def test_who_is_added_takes_the_test_first(begun):
    study = begun(qualification=of(2), items=6, per_item=1)
    got = press(study, "add", name="late")
    link = found(r'id="secret">http://127.0.0.1([^<]+)<', got)
    assert "First comes a test of 2 tasks" in words(study.get(link))
    late = study.store.visit(link.rpartition("/")[2])
    assert (late.test.tasks, late.testing, late.rater.tasks > 0) == (2, True, True)
    assert give_work(study.store, study.design, late.rater.seat, by="me") == late.rater.tasks


@pytest.mark.parametrize("last", [RIGHT, WRONG])
def test_who_leaves_within_the_test_and_comes_back_is_asked_the_rest_of_it(begun, last):
    study = begun(qualification=of(3, 1.0), items=4, per_item=1)
    take(study, 0, RIGHT)
    sure(study, "leave", 1)
    got = sure(study, "back", 1)
    study.links[0] = found(r'id="secret">http://127.0.0.1([^<]+)<', got)
    page = study.get(study.links[0])
    assert "1 of 3 saved" in words(page)
    study.save(0, v0=RIGHT)
    study.save(0, v0=last)
    page = words(study.get(study.links[0]))
    passed = last == RIGHT
    assert ("You have passed the test, with 3 of 3 right" in page) is passed
    assert ("Thank you for taking the test" in page) is not passed
    (standing,) = (one for one in study.store.standings() if one.rater == 1)
    assert (standing.tasks, standing.right) == (3, 3 if passed else 2)
    # Who did not pass gets nothing by leaving and coming back.
    sure(study, "leave", 1)
    got = sure(study, "back", 1)
    study.links[0] = found(r'id="secret">http://127.0.0.1([^<]+)<', got)
    page = words(study.get(study.links[0]))
    assert ("Thank you for taking the test" in page) is not passed
    assert (study.store.progress()[0].tasks > 0) is passed


TOPICS = replace(TONE, key="topic")


@pytest.mark.parametrize("count", [1, 2])
def test_half_an_answer_of_the_test_is_not_wiped_by_leaving(begun, count):
    test = of(count, 1.0)
    both = tuple(replace(item, gold={"tone": 3, "topic": 3}) for item in test.items)
    study = begun(TONE, TOPICS, qualification=replace(test, items=both), items=4, per_item=1)
    study.agree(0)
    token = study.token(0)
    half = study.store.visit(token).task
    study.store.answer(token, half.id, "tone", 1, expected=0, client="wrong")
    sure(study, "leave", 1)
    # Somebody joins meanwhile, for whom a new plan is made.
    press(study, "add", name="late")
    got = sure(study, "back", 1)
    study.links[0] = found(r'id="secret">http://127.0.0.1([^<]+)<', got)
    assert f"0 of {count} saved" in words(study.get(study.links[0]))
    token = study.token(0)
    while (visit := study.store.visit(token)).testing and not visit.refused:
        for name, one in visit.task.answers.items():
            if one.revision == 0:
                study.store.answer(token, visit.task.id, name, 3, expected=0, client=name)
    (standing,) = (one for one in study.store.standings() if one.rater == 1)
    assert (standing.questions, standing.right) == (2 * count, 2 * count - 1)
    assert standing.state == "refused"


def test_who_is_let_in_after_their_tasks_were_shared_out_gets_work(begun):
    study = begun(qualification=of(1), items=6, per_item=1)
    take(study, 0, WRONG)
    sure(study, "leave", 1)
    got = sure(study, "back", 1)
    assert "did not pass the test: there are no tasks until you let them in" in words(got)
    study.links[0] = found(r'id="secret">http://127.0.0.1([^<]+)<', got)
    assert study.store.progress()[0].tasks == 0
    sure(study, "let_in", 1)
    assert study.store.progress()[0].tasks > 0
    assert 'id="rate"' in study.get(study.links[0]).text


def test_agreement_and_right_answers_leave_the_test_out(begun):
    study = begun(qualification=of(2))
    for k in range(3):
        take(study, k, RIGHT, RIGHT)
    page = study.get(study.manager)
    assert re.search(r"Tone 0 0 \?", words(page))
    assert "None so far" not in words(page)
    ratings = study.get(f"{study.manager}/export.csv?table=ratings").text
    assert SECRET not in ratings
    every = study.get(f"{study.manager}/export.jsonl?table=all&checks=1").text.splitlines()
    rows = [json.loads(line) for line in every]
    assert len(rows) == 6
    assert {(row["check"], row["qualification"], row["gold"]) for row in rows} == {(True, True, 3)}


def test_a_design_without_a_test_says_nothing_of_one(begun):
    study = begun(qualification=None)
    assert "test" not in words(study.get(study.links[0])).lower().split()
    assert "Qualification" not in words(study.get(study.manager))


@pytest.mark.parametrize(("code", "want"), [("vi", "bài kiểm tra đầu vào"), ("zh", "资格测试")])
def test_it_is_said_in_each_language(begun, code, want):
    study = begun(qualification=of(1), language=code)
    welcome = study.get(study.links[0])
    assert want in words(welcome)
    assert want in words(take(study, 0, WRONG)).replace("Bài", "bài")
    assert want in words(study.get(study.manager)).replace("Bài", "bài")


def test_no_answer_gives_away_which_were_right(begun):
    """Nothing on the way through the test depends on how it was answered, but for the result."""
    pages = []
    for pick in (RIGHT, WRONG):
        study = begun(qualification=of(3))
        pages.append(words(take(study, 0, pick, pick)))
    assert "2 of 3 saved" in pages[0]
    assert pages[0] == pages[1]


# In a browser.

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}


def answer(page, pick):
    """Choose, go on, and wait for what comes."""
    here = page.input_value("[name=task]")
    page.locator(f"#v0-{pick[1:]}").check()
    page.click("#save")
    expect(page.locator(f"[name=task][value='{here}']")).to_have_count(0)


def test_through_the_test_on_a_phone(asked):  # noqa: F811
    with asked(design(TONE, qualification=of(3, share=0.6)), **PHONE) as (study, page):
        page.goto(study.links[0])
        expect(page.locator("#test")).to_contain_text("First comes a test of 3 tasks")
        looked_at(page)
        opens(page, study)
        saved(page, 0, 3)
        expect(page.locator("#test")).to_be_visible()
        looked_at(page)
        answer(page, WRONG)
        saved(page, 1, 3)
        answer(page, RIGHT)
        saved(page, 2, 3)
        # A slip at the last one: it is saved, seen, and put right before going on.
        page.locator("#v0-0").check()
        expect(page.locator(".kept").first).to_have_text("saved")
        assert study.store.standings()[0].state == "open"
        answer(page, RIGHT)
        expect(page.locator("#passed")).to_contain_text("with 2 of 3 right")
        saved(page, 0, 8)
        looked_at(page)
        answer(page, RIGHT)
        expect(page.locator("#passed")).to_have_count(0)
        saved(page, 1, 8)
        opens(page, study, 1)
        for pick in (WRONG, WRONG, RIGHT):
            page.locator(f"#v0-{pick[1:]}").check()
            page.dblclick("#save")
            page.wait_for_load_state("networkidle")
        expect(page.locator("h1")).to_have_text("Thank you for taking the test.")
        expect(page.locator("#score")).to_contain_text("1 of its 3 questions")
        expect(page.locator("form")).to_have_count(0)
        looked_at(page)
        page.goto(study.manager)
        expect(page.locator("#tests tbody tr")).to_have_count(3)
        looked_at(page)
        page.click("#let_in-2")
        expect(page.locator("#asking")).to_contain_text("Let person 1 in anyway?")
        looked_at(page)
        page.click("#sure")
        expect(page.locator("#tests")).to_contain_text("let in")
        page.goto(study.links[1])
        expect(page.locator("#passed")).to_contain_text("You have been let in.")


def test_the_test_without_scripts(asked):  # noqa: F811
    with asked(design(BETTER, qualification=replace(of(1), items=(
        Item("t", "try", dict.fromkeys(SYSTEMS[:2], "x"), gold={"better": "tie"}),
    ))), java_script_enabled=False) as (study, page):  # fmt: skip
        opens(page, study)
        page.check("#v0-0")
        page.click("#save")
        expect(page.locator("#score")).to_contain_text("0 of its 1 question ")
        opens(page, study, 1)
        page.check("#v0-1")
        page.click("#save")
        expect(page.locator("#passed")).to_be_visible()

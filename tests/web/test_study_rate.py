"""The rater's page over HTTP: each mechanism, what is kept, and what is never told."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from assay.study.begin import Links, begin
from assay.study.design import Item, Point
from assay.study.store import Store
from assay.study.store_errors import StoreBusy, StoreFull
from assay.web.app import make_app
from assay.web.study.site import site_of
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
    Client,
    Form,
    Study,
    design,
    words,
)


@pytest.fixture
def begun(tmp_path):
    """``begun(design)``: a study with that design; every response is looked into at the end."""
    made: list[Study] = []

    def make(given):
        made.append(Study(tmp_path / f"{len(made)}.db", given))
        return made[-1]

    yield make
    for one in made:
        for response in one.responses:
            text = response.text + repr(response.headers)
            if "/manage/" not in str(response.url):
                assert not [name for name in SYSTEMS if name in text], response.url
        one.close()


def values(study):
    return [(row.item, row.dimension, row.value) for row in study.store.ratings()]


# --- the way in ------------------------------------------------------------------------------


def test_consent_and_guidelines_come_first(begun):
    study = begun(design())
    first = study.get(study.links[0])
    assert "Then judge." in first.text
    assert "It is kept." in first.text
    assert 'id="rate"' not in first.text
    assert study.store.rater(study.token()).consented_at is None
    study.agree()
    assert study.store.rater(study.token()).consented_at is not None
    assert 'id="rate"' in study.get(study.links[0]).text


def test_no_answer_is_taken_before_consent(begun):
    study = begun(design())
    study.agree(1)
    form = Form(study.get(study.links[0]).text)
    got = study.post(study.links[0], form.fields | {"task": "1", "v0": "p1", "key": "k"})
    assert got.status_code == 303
    assert values(study) == []


@pytest.mark.parametrize("path", ["/rate/", "/rate/nobody", "/manage/nobody", "/rate/%00"])
def test_unknown_links(begun, path):
    assert begun(design()).get(path).status_code == 404


def test_a_raters_link_opens_no_managers_page_and_the_other_way_round(begun):
    study = begun(design())
    assert study.get(f"/manage/{study.token()}").status_code == 404
    assert study.get(study.manager.replace("manage", "rate")).status_code == 404


def test_headers_keep_the_secret(begun):
    headers = begun(design()).get("/rate/x").headers
    assert headers["cache-control"] == "private, no-store"
    assert headers["referrer-policy"] == "same-origin"
    assert "noindex" in headers["x-robots-tag"]
    assert "default-src 'self'" in headers["content-security-policy"]


# --- every mechanism -------------------------------------------------------------------------

SYSTEM = SYSTEMS[0]


@pytest.mark.parametrize(
    ("dimension", "fields", "want"),
    [
        (TONE, {"v0": "p2"}, 3),
        (TOPIC, {"v0": "p1"}, "dogs"),
        (LENGTH, {"v0": "2.5"}, 2.5),
        (LENGTH, {"v0": "3,0"}, 3),
        (QUALITY, {"v0": "150"}, 150),
        (FLAWS, {"v0": ["p2", "p0"]}, ["long", "rude"]),
        (FLAWS, {"n0": "1"}, []),
    ],
)
def test_what_is_stored(begun, dimension, fields, want):
    study = begun(design(dimension))
    study.agree()
    got, _ = study.save(**fields)
    assert got.status_code == 303
    [row] = study.store.ratings()
    assert (row.value, row.kind, row.dimension) == (want, "answer", dimension.key)


def test_a_comparison_is_stored_by_system_whatever_the_side(begun):
    study = begun(design(BETTER, items=6))
    study.agree()
    for choice in ("p0", "p1", "p2", "p0", "p0", "p0"):
        study.save(v0=choice)
    rows = study.store.ratings()
    want = [rows[0].left, "tie", rows[2].right, *(row.left for row in rows[3:])]
    assert [row.value for row in rows] == want
    assert {row.left for row in rows} == set(SYSTEMS[:2])  # both have been on the left


def test_several_outputs_get_a_number_each(begun):
    study = begun(design(TOGETHER, systems=SYSTEMS))
    study.agree()
    order = study.store.open_task(study.token()).systems
    study.save(**{"v0.0": "10", "v0.1": "20", "v0.2": "30"})
    rows = study.store.ratings()
    assert {row.system: row.value for row in rows} == dict(zip(order, (10, 20, 30), strict=True))


@pytest.mark.parametrize("dimension", ALL, ids=lambda one: one.mechanism)
def test_cannot_judge_is_no_value(begun, dimension):
    study = begun(design(dimension))
    study.agree()
    got, _ = study.save(**({"v0": "skip"} if dimension in (TONE, TOPIC, BETTER) else {"s0": "1"}))
    assert got.status_code == 303
    assert {(row.kind, row.value) for row in study.store.ratings()} == {("skip", None)}


@pytest.mark.parametrize(
    ("dimension", "fields", "said"),
    [
        (TONE, {}, "Please answer this, or say that you can’t judge."),
        (TONE, {"v0": "p9"}, "Please answer this"),
        (TONE, {"v0": "3"}, "Please answer this"),
        (LENGTH, {"v0": ""}, "Please answer this"),
        (LENGTH, {"v0": "ten"}, "“ten” is not a number."),
        (LENGTH, {"v0": "nan"}, "“nan” is not a number."),
        (LENGTH, {"v0": "1e999"}, "is not a number."),
        (LENGTH, {"v0": "11"}, "A number from 0 to 10 is needed."),
        (LENGTH, {"v0": "0.3"}, "Numbers go in steps of 0.5 here."),
        (LENGTH, {"v0": "3", "s0": "1"}, "only one of them"),
        (QUALITY, {"v0": "0"}, "A number above 0 is needed."),
        (QUALITY, {"v0": "-3"}, "A number above 0 is needed."),
        (TOGETHER, {"v0.0": "3"}, "A number is missing."),
        (FLAWS, {"v0": "p0", "n0": "1"}, "only one of them"),
        (FLAWS, {}, "Please answer this"),
    ],
)
def test_what_is_not_taken_is_said_and_stays_on_the_page(begun, dimension, fields, said):
    study = begun(design(dimension))
    study.agree()
    got, sent = study.save(comment="so it goes", **fields)
    assert got.status_code == 422
    assert values(study) == []
    assert said in words(got)
    again = Form(got.text).fields
    assert again["comment"] == "so it goes"
    for name, value in fields.items():
        if (name, value) not in ((("v0"), "p9"), ("v0", "3")) or dimension is not TONE:
            assert again[name] == (value if name[0] == "v" and dimension is not FLAWS else [value])
    assert (again["key"], again["shown"]) == (sent["key"], sent["shown"])


def test_a_reference_is_shown_without_its_name_and_is_not_rated(begun):
    asked = replace(QUALITY, reference_text="", reference_system=SYSTEMS[0])
    study = begun(design(asked))
    study.agree()
    assert study.store.rater(study.token()).tasks == 4
    page = words(study.get(study.links[0]))
    assert "The reference, which counts as 100 answer x to question" in page
    assert study.save(v0="50")[0].status_code == 303
    assert {row.system for row in study.store.ratings()} == {SYSTEMS[1]}


def test_a_question_without_can_t_judge_does_not_take_it(begun):
    study = begun(design(replace(TONE, can_skip=False)))
    study.agree()
    assert "judge" not in words(study.get(study.links[0])).replace("Then judge.", "").replace(
        "Text to judge", ""
    )
    got, _ = study.save(v0="skip")
    assert got.status_code == 422
    assert "Please answer this." in words(got)


def test_all_questions_of_a_task_are_saved_together_or_not_at_all(begun):
    study = begun(design(TONE, LENGTH))
    study.agree()
    got, _ = study.save(v0="p0")
    assert got.status_code == 422
    assert values(study) == []
    got, _ = study.save(v0="p0", v1="4")
    assert got.status_code == 303
    assert [one[1:] for one in values(study)] == [("tone", 1), ("length", 4)]


# --- kept at each answer ---------------------------------------------------------------------


def keep(study, form, k=0, **fields):
    """What the page's script sends when something was answered."""
    return study.post(f"{study.links[k]}/keep", form | fields)


def test_each_answer_is_kept_as_it_is_given(begun):
    study = begun(design(TONE, LENGTH, FLAWS))
    study.agree()
    form = Form(study.get(study.links[0]).text).fields
    task = int(form["task"])
    study.clock[0] += 3
    got = keep(study, form, v0="p1", key="one")
    assert (got.status_code, got.json()) == (200, {"0": 1, "1": 0, "2": 0})
    assert got.headers["cache-control"] == "private, no-store"
    study.clock[0] += 4
    got = keep(study, form, v0="p1", v1="7,5", comment="so", key="two", r0="1")
    assert got.json() == {"0": 2, "1": 1, "2": 0}
    rows = study.store.ratings()
    assert [(row.dimension, row.value, row.comment, row.seconds) for row in rows] == [
        ("tone", 2, "so", 7.0),
        ("length", 7.5, "", 7.0),
    ]
    # Not done before all is answered, and there on the next device.
    assert study.store.open_task(study.token()).id == task
    page = study.get(study.links[0])
    assert "0 of 8 saved" in words(page)
    assert "Save and go on" in words(page)
    again = Form(page.text).fields
    assert (again["v0"], again["v1"], again["comment"]) == (["p1"], "7.5", "so")
    got, _ = study.save(n2="1")
    assert got.status_code == 303
    assert "1 of 8 saved" in words(study.get(study.links[0]))
    assert [row.revision for row in study.store.ratings(history=True)] == [1, 2, 1, 1]


def test_kept_twice_is_one_revision(begun):
    study = begun(design())
    study.agree()
    form = Form(study.get(study.links[0]).text).fields
    for _ in range(2):
        assert keep(study, form, v0="p1", key="one").json() == {"0": 1}
    assert study.post(study.links[0], form | {"v0": "p1"}).status_code == 303
    assert len(study.store.ratings(history=True)) == 1


def test_what_is_emptied_is_taken_back(begun):
    study = begun(design(FLAWS))
    study.agree()
    form = Form(study.get(study.links[0]).text).fields
    keep(study, form, v0=["p0", "p1"], key="one")
    assert keep(study, form, key="two", r0="1").json() == {"0": 2}
    assert values(study) == []
    assert keep(study, form, key="three", r0="2").json() == {"0": 2}


def test_what_is_no_answer_is_not_kept_and_takes_nothing_back(begun):
    study = begun(design(LENGTH, TONE))
    study.agree()
    form = Form(study.get(study.links[0]).text).fields
    keep(study, form, v0="7", key="one")
    assert keep(study, form, v0="7x", v1="p0", key="two", r0="1").json() == {"1": 1}
    assert [one[2] for one in values(study)] == [7, 1]
    assert keep(study, form, v0="7", comment="x" * 6000, key="three").status_code == 422


def test_keeping_overwrites_nothing_that_was_not_seen(begun):
    study = begun(design())
    study.agree()
    form = Form(study.get(study.links[0]).text).fields
    keep(study, form, v0="p0", key="one")
    assert keep(study, form, v0="p2", key="other window").status_code == 409
    assert [one[2] for one in values(study)] == [1]


def test_keeping_needs_what_saving_needs(begun):
    study = begun(design())
    form = {"csrf": "", "task": "1", "v0": "p0", "key": "k"}
    study.agree(1)
    csrf = Form(study.get(study.links[0]).text).fields["csrf"]
    assert keep(study, form, csrf=csrf).status_code == 422  # no consent yet
    study.agree()
    assert keep(study, form).status_code == 403
    assert keep(study, form, csrf=csrf, key="").status_code == 422
    other = study.store.open_task(study.token(1)).id
    assert keep(study, form, csrf=csrf, task=str(other)).status_code == 409
    study.store.close(by="me")
    assert keep(study, form, csrf=csrf).status_code == 409
    assert values(study) == []


def test_taking_back_clears_whatever_was_kept_on_the_way(begun):
    study = begun(design(TONE, TOPIC))
    study.agree()
    form = Form(study.get(study.links[0]).text).fields
    keep(study, form, v0="p0", key="one")
    keep(study, form, v0="p2", key="two", r0="1")
    page = study.get(study.links[0])
    assert 'id="undo"' in page.text
    assert 'id="onward"' not in page.text  # this is where going on leads
    again = Form(page.text).fields
    assert study.post(f"{study.links[0]}/undo", again).status_code == 303
    assert values(study) == []
    assert [row.kind for row in study.store.ratings(history=True)][-1] == "open"


def test_back_leads_to_the_task_before_also_in_the_middle_of_one(begun):
    study = begun(design(TONE, TOPIC))
    study.agree()
    study.save(v0="p0", v1="p0")
    first = study.store.last_task(study.token()).id
    form = Form(study.get(study.links[0]).text).fields
    keep(study, form, v0="p0", key="one")
    assert f"task={first}" in study.get(study.links[0]).text.partition('id="back" href="')[2]


# --- one act is one rating -------------------------------------------------------------------


def test_sent_twice_is_one_rating(begun):
    study = begun(design())
    study.agree()
    _, sent = study.save(v0="p1")
    assert study.post(study.links[0], sent).status_code == 303
    assert [row.revision for row in study.store.ratings(history=True)] == [1]


def test_the_pages_script_gets_the_next_task_in_one_go(begun):
    study = begun(design())
    study.agree()
    first = Form(study.get(study.links[0]).text).fields
    sent = {"headers": {"X-Next-Page": "true"}}
    got = study.post(study.links[0], first | {"v0": "p1"}, **sent)
    assert got.status_code == 200
    assert "1 of 8 saved" in words(got)
    assert Form(got.text).fields["task"] != first["task"]
    assert study.post(study.links[0], first, **sent).status_code == 422


def test_two_windows_tell_and_lose_nothing(begun):
    study = begun(design())
    study.agree()
    page = study.get(study.links[0]).text
    one, two = Form(page).fields, Form(study.get(study.links[0]).text).fields
    assert study.post(study.links[0], one | {"v0": "p0"}).status_code == 303
    got = study.post(study.links[0], two | {"v0": "p2", "comment": "mine"})
    assert got.status_code == 409
    assert "Another window has saved another answer" in words(got)
    assert "Saved already: rude" in words(got)
    assert values(study) == [(f"q{values(study)[0][0][1:]}", "tone", 1)]
    form = Form(got.text).fields
    assert (form["v0"], form["comment"], form["r0"]) == (["p2"], "mine", "1")
    assert form["key"] != two["key"]
    assert study.post(study.links[0], form).status_code == 303
    assert [(r.value, r.revision) for r in study.store.ratings(history=True)] == [(1, 1), (3, 2)]


def test_the_same_answer_in_two_windows_is_no_conflict(begun):
    study = begun(design())
    study.agree()
    one, two = (Form(study.get(study.links[0]).text).fields for _ in range(2))
    for form in (one, two):
        assert study.post(study.links[0], form | {"v0": "p1"}).status_code == 303
    assert len(study.store.ratings(history=True)) == 1


def test_back_to_the_last_answer_and_a_change(begun):
    study = begun(design())
    study.agree()
    study.save(v0="p0", comment="first")
    study.clock[0] += 60
    page = study.get(study.links[0]).text
    back = page.partition('id="back" href="')[2].partition('"')[0]
    form = Form(study.get(back).text)
    assert (form.fields["v0"], form.fields["comment"]) == (["p0"], "first")
    assert study.post(form.action, form.fields | {"v0": "p1"}).status_code == 303
    [row] = study.store.ratings()
    assert (row.value, row.revision, row.comment) == (2, 2, "first")


def test_an_answer_is_taken_back_once(begun):
    study = begun(design())
    study.agree()
    study.save(v0="p0")
    task = study.store.last_task(study.token()).id
    form = Form(study.get(f"{study.links[0]}?task={task}").text).fields
    for _ in range(2):
        assert study.post(f"{study.links[0]}/undo", form).status_code == 303
    assert values(study) == []
    assert len(study.store.ratings(history=True)) == 2
    assert study.store.open_task(study.token()).id == task
    assert "0 of 8 saved" in words(study.get(study.links[0]))


def test_it_goes_on_at_the_first_open_task_until_the_end(begun):
    study = begun(design(items=2))
    study.agree()
    for k in range(4):
        assert f"{k} of 4 saved" in words(study.get(study.links[0]))
        assert study.save(v0="p1")[0].status_code == 303
    assert "All is done" in words(study.get(study.links[0]))
    assert len({(row.item, row.system) for row in study.store.ratings()}) == 4


# --- time ------------------------------------------------------------------------------------


def test_time_is_from_showing_to_saving(begun):
    study = begun(design())
    study.agree()
    form = Form(study.get(study.links[0]).text).fields
    study.clock[0] += 12.5
    late = study.post(study.links[0], form)  # not taken: the time goes on
    study.clock[0] += 2
    study.post(study.links[0], Form(late.text).fields | {"v0": "p0"})
    assert [row.seconds for row in study.store.ratings()] == [14.5]


@pytest.mark.parametrize("stamp", ["", "nonsense", "1.0.abc", "999999.000.00", "é"])
def test_a_time_that_was_made_up_is_none(begun, stamp):
    study = begun(design())
    study.agree()
    study.save(v0="p0", shown=stamp)
    assert [row.seconds for row in study.store.ratings()] == [None]


# --- who may -----------------------------------------------------------------------------------


def test_a_form_without_its_token_does_nothing(begun):
    study = begun(design())
    study.agree()
    for csrf in ("", "x", Form(study.get(study.links[1]).text).fields["csrf"]):
        assert study.save(v0="p0", csrf=csrf)[0].status_code == 403
    form = Form(study.get(study.links[0]).text).fields | {"v0": "p0"}
    got = study.post(study.links[0], form, headers={"Origin": "http://evil.example"})
    assert got.status_code == 403
    assert values(study) == []


def test_nobody_sees_or_answers_the_tasks_of_others(begun):
    study = begun(design())
    study.agree(0), study.agree(1)
    other = study.store.open_task(study.token(1)).id
    assert study.get(f"{study.links[0]}?task={other}").status_code == 404
    assert study.save(v0="p0", task=str(other))[0].status_code == 409
    for strange in ("", "-1", "x", "9" * 30, "²"):
        assert study.save(v0="p0", task=strange)[0].status_code == 409
        assert study.get(study.links[0], params={"task": strange}).status_code in (200, 404)
    assert values(study) == []


def test_texts_of_items_are_texts(begun):
    nasty = '<script>alert(1)</script><b onclick="x">bold</b>'
    study = begun(design(texts=nasty))
    study.agree()
    page = study.get(study.links[0]).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<b onc" not in page
    assert "&lt;b onclick=" in page


def test_a_design_may_allow_a_few_tags(begun):
    nasty = '<script>alert(1)</script><b onclick="x">bold</b></div></form><img src=x onerror=y>'
    study = begun(design(texts=nasty, safe_html=True))
    study.agree()
    page = study.get(study.links[0]).text
    assert "<b>bold</b>" in page
    for tag in ("<script>alert", 'onclick="', "</div></form><img", "<img"):
        assert tag not in page


def test_too_much_and_what_is_no_form(begun):
    study = begun(design())
    study.agree()
    assert study.post(study.links[0], {"comment": "x" * 300_000}).status_code == 413
    kind = {"Content-Type": "application/json"}
    assert study.client.post(study.links[0], content=b"{}", headers=kind).status_code == 400
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    for body in (b"a=%ff", b"\xff", b"&".join(b"a=1" for _ in range(3000))):
        assert study.client.post(study.links[0], content=body, headers=kind).status_code == 400
    got, _ = study.save(v0="p0", comment="x" * 6000)
    assert got.status_code == 422
    assert "too long" in words(got)
    assert values(study) == []


def test_a_link_that_asks_too_often_waits_and_no_other_does(begun):
    study = begun(design())
    # On a busy machine so many requests take long enough for more to be allowed meanwhile.
    study.site.links.clock = study.site.strangers.clock = lambda: 0.0
    study.site.links._held.clear()
    study.agree(0), study.agree(1)
    answers = [study.get(study.links[0]) for _ in range(80)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert study.get(study.links[1]).status_code == 200
    strange = [study.get(f"/rate/none{k}").status_code for k in range(40)]
    assert strange[0] == 404
    assert strange[-1] == 429
    assert study.get(study.links[1]).status_code == 200


# --- what may come between --------------------------------------------------------------------


def test_closed_left_and_given_away(begun):
    study = begun(design())
    study.agree()
    form = Form(study.get(study.links[0]).text).fields | {"v0": "p0"}
    study.store.close(by="me")
    assert "The study is closed" in words(study.get(study.links[0]))
    got = study.post(study.links[0], form)
    assert got.status_code == 409
    assert "so this answer was not saved" in words(got)
    for closed in (got, study.get(study.links[0])):
        assert "Go on" not in words(closed)  # it would only lead back here
    study.store.reopen(by="me")
    study.store.hand_out_again(1, by="me")
    got = study.post(study.links[0], form)
    assert got.status_code == 409
    assert "no longer used" in words(got)
    assert "no longer used" in words(study.get(study.links[0]))
    assert values(study) == []


def test_what_cannot_be_stored_now_stays_on_the_page(begun, monkeypatch):
    study = begun(design())
    study.agree()
    real = study.store._db.write
    for error, said in ((StoreBusy("x"), "busy"), (StoreFull("x"), "no room")):

        def failing(work, error=error, **_):
            raise error

        monkeypatch.setattr(study.store._db, "write", failing)
        got, sent = study.save(v0="p2", comment="kept")
        assert got.status_code == 503
        assert said in words(got)
        form = Form(got.text).fields
        assert {name: form[name] for name in ("v0", "comment", "key")} == {
            "v0": ["p2"], "comment": "kept", "key": sent["key"],
        }  # fmt: skip
        monkeypatch.setattr(study.store._db, "write", real)
    assert study.post(study.links[0], form).status_code == 303
    assert [one[2] for one in values(study)] == [3]


def test_it_goes_on_after_a_restart(begun, tmp_path):
    """A page that was open meanwhile is saved, with its time."""
    given = design()
    study = begun(given)
    study.agree()
    form = Form(study.get(study.links[0]).text).fields
    study.store.close_connections()
    with Store(tmp_path / "0.db") as store:
        again = begin(store, given, by="test")
        assert (again.new, again.changed, again.links) == (False, False, Links())
        client = Client(make_app(study=site_of(store, now=lambda: study.clock[0] + 9)))
        got = client.post(study.links[0], data=form | {"v0": "p0"})
        client.close()
        assert got.status_code == 303
        assert [(row.value, row.seconds) for row in store.ratings()] == [(1, 9.0)]


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "said"), [("en", "saved"), ("vi", "đã lưu"), ("zh", "已保存")])
def test_the_page_speaks_the_language_of_the_design(begun, code, said):
    study = begun(design(*ALL[:1], language=code))
    study.agree()
    page = study.get(study.links[0], headers={"Accept-Language": "fr"})
    assert said in words(page)
    assert page.headers["content-language"].startswith(code)
    other = study.get(f"{study.links[0]}?lang=en")
    assert "saved" in words(other)
    assert "?lang=en" in Form(other.text).action


def test_a_language_that_was_chosen_stays_for_the_link(begun):
    study = begun(design())
    study.agree()
    got = study.get(f"{study.links[0]}?lang=vi")
    cookie = got.headers["set-cookie"].partition(";")[0]
    assert "đã lưu" in words(study.get(study.links[0], headers={"Cookie": cookie}))
    assert "saved" in words(study.get(f"{study.links[0]}?lang=en", headers={"Cookie": cookie}))
    assert "saved" in words(study.get(study.links[0], headers={"Cookie": "assay-language=xx"}))


def test_another_language_shows_the_same_task(begun):
    study = begun(design())
    study.agree()
    page = study.get(study.links[0])
    task = Form(page.text).fields["task"]
    keep(study, Form(page.text).fields, v0="p1", key="one")
    (to,) = re.findall(r'<a href="([^"]*lang=vi[^"]*)"', page.text)
    assert Form(study.get(unescape(to)).text).fields["task"] == task


def test_texts_say_in_which_direction_they_run(begun):
    study = begun(design(TONE))
    study.agree()
    page = study.get(study.links[0]).text
    assert page.count('<div class="text" dir="auto">') == 2
    assert 'rows="3" maxlength="5000" dir="auto"' in page


@pytest.mark.parametrize(
    ("dimension", "keys"),
    [
        (TONE, ["1", "2", "3"]),
        (replace(TONE, points=tuple(Point(k) for k in range(11))), [*"0123456789", ""]),
        (replace(TONE, points=(Point(3, "good"), Point(2), Point(1))), ["3", "2", "1"]),
        (replace(TONE, points=(Point(-1), Point(0), Point(2.5))), ["1", "2", "3"]),
        (TOPIC, ["1", "2"]),
        (replace(TOPIC, points=(Point("2"), Point("1"))), ["2", "1"]),
        (FLAWS, ["1", "2", "3", "0"]),
    ],
)
def test_the_key_of_a_number_is_the_number(begun, dimension, keys):
    study = begun(design(dimension))
    study.agree()
    page = study.get(study.links[0]).text
    assert re.findall(r'data-key="([^x"]*)"', page) == keys
    assert re.findall(r"<kbd>(\d)</kbd>", page) == [key for key in keys if key]


def test_numbers_are_texts_that_a_phone_has_digits_for(begun):
    study = begun(design(LENGTH, TOGETHER))
    study.agree()
    for _ in range(12):
        page = study.get(study.links[0]).text
        assert 'type="number"' not in page
        if 'inputmode="decimal"' in page:
            return
        study.save(v0="1")
    raise AssertionError("no field for a number")


def test_checks_and_repeats_look_like_all_others(begun):
    check = Item("watch", "question 9", dict.fromkeys(SYSTEMS[:2], "answer z to question 9"),
                 gold={"tone": 3}, check=True)  # fmt: skip
    study = begun(design(items=3, repeats=0.5, checks=(check,)))
    study.agree()
    seen = set()
    for _ in range(study.store.rater(study.token()).tasks):
        page = study.get(study.links[0])
        assert "watch" not in page.text
        assert "repeat" not in page.text
        assert "check" not in words(page)
        seen.add(tuple(Form(page.text).names))
        study.save(v0="p0")
    assert len(seen - {None}) <= 2  # with and without "back", which is no field: one
    assert {row.check for row in study.store.ratings()} == {True, False}


# --- batches ---------------------------------------------------------------------------------


def test_between_batches_there_is_a_break(begun):
    study = begun(design(items=6, raters=2, batch=2))
    study.agree()
    # Two items of two outputs each: four tasks, and then the page in between.
    for _ in range(3):
        study.save(v0="p1")
        assert 'id="go-on"' not in study.get(study.links[0]).text
    got, _ = study.save(v0="p1")
    assert got.headers["location"] == study.links[0]
    page = study.get(study.links[0])
    assert "1 of 3 batches is done." in words(page)
    assert "The next batch has 4 tasks." in words(page)
    assert 'id="rate"' not in page.text
    # It is there again after a pause, until the batch is begun.
    assert study.get(study.links[0]).text == page.text
    form = Form(page.text)
    task = study.get(form.action, params=form.fields)
    assert Form(task.text).fields["task"] == form.fields["task"]
    sent = Form(task.text).fields | {"v0": "p1"}
    assert study.post(study.links[0], sent).status_code == 303
    assert 'id="rate"' in study.get(study.links[0]).text
    # The answer before it is one step back, and taking it back leads there.
    for _ in range(3):
        study.save(v0="p1")
    page = study.get(study.links[0])
    assert "2 of 3 batches are done." in words(page)
    assert 'id="back"' in page.text
    while 'id="go-on"' in (page := study.get(study.links[0])).text:
        form = Form(page.text)
        study.post(study.links[0], Form(study.get(form.action, params=form.fields).text).fields
                   | {"v0": "p1"})  # fmt: skip
    for _ in range(3):
        study.save(v0="p1")
    # The last batch has none after it.
    assert "All is done" in words(study.get(study.links[0]))


def test_the_break_comes_in_the_language_asked_for_and_keeps_it(begun):
    study = begun(design(items=2, raters=2, batch=1))
    study.agree()
    for _ in range(2):
        study.save(v0="p1")
    page = study.get(study.links[0] + "?lang=vi")
    assert "Đã xong 1 trên 2 đợt." in words(page)
    form = Form(page.text)
    assert form.fields["lang"] == "vi"
    assert 'lang="vi"' in study.get(form.action, params=form.fields).text
    assert "2 批中已完成 1 批。" in words(study.get(study.links[0] + "?lang=zh"))


def test_the_pages_script_gets_the_break_too(begun):
    study = begun(design(items=2, raters=2, batch=1))
    study.agree()
    study.save(v0="p1")
    sent = Form(study.get(study.links[0]).text).fields | {"v0": "p1"}
    got = study.post(study.links[0], sent, headers={"X-Next-Page": "true"})
    assert got.status_code == 200
    assert 'id="go-on"' in got.text


def test_tasks_that_others_left_make_no_breaks_one_by_one(begun):
    """Three have answered all but one task of each of their batches when they leave."""
    study = begun(design(items=48, raters=4, per_item=1, systems=SYSTEMS[:1], batch=4))
    store = study.store
    for k in range(3):
        for place, one in enumerate([one for one in store.plan() if one.rater == k]):
            if place % 4 < 3:
                store.answer(study.token(k), one.id, "tone", 2, expected=0, client="c")
        store.hand_out_again(k + 1, by="me", to=[4])
    study.agree(3)
    seen = []
    while (task := store.visit(study.token(3)).task) is not None:
        seen.append('id="go-on"' in study.get(study.links[3]).text)
        store.answer(study.token(3), task.id, "tone", 2, expected=0, client="c")
    # Twelve of their own, and nine that the others left.
    assert len(seen) == 12 + 9
    assert [place for place, pause in enumerate(seen) if pause] == [4, 8]

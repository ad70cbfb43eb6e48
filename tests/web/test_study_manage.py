"""The manager's page over HTTP."""

from __future__ import annotations

import csv
import io
import json
import re

import duckdb
import pytest

import assay
from assay.study.design import Item
from web.studies import (
    BETTER,
    FLAWS,
    LENGTH,
    QUALITY,
    SYSTEMS,
    TOGETHER,
    TONE,
    TOPIC,
    Form,
    Study,
    design,
    words,
)

CHECK = Item("watch", "question 9", dict.fromkeys(SYSTEMS[:2], "see"), gold={"tone": 3}, check=True)


@pytest.fixture
def begun(tmp_path):
    made: list[Study] = []

    def make(given):
        made.append(Study(tmp_path / f"{len(made)}.db", given))
        return made[-1]

    yield make
    for one in made:
        one.close()


def press(study, do, **fields):
    """One of the page's buttons, with the token that its forms have."""
    csrf = Form(study.get(study.manager).text).fields["csrf"]
    return study.post(f"{study.manager}/{do}", {"csrf": csrf} | fields)


def answered(study, do, rater):
    """The question before an act on a rater, and the form that says yes."""
    page = study.get(f"{study.manager}/{do}", params={"rater": rater})
    return page, Form(page.text[page.text.index('id="asking"') :]).fields


def sure(study, do, rater):
    """An act on a rater, with the question before it answered."""
    return study.post(f"{study.manager}/{do}", answered(study, do, rater)[1])


def rate_all(study, k, answer=lambda task: "p1"):
    study.agree(k)
    study.site.links.size = 10_000
    study.site.links._held.clear()
    while (task := study.store.open_task(study.token(k))) is not None:
        assert study.save(k, v0=answer(task))[0].status_code == 303


def found(pattern, page):
    match = re.search(pattern, page.text, re.DOTALL)
    assert match is not None, pattern
    return match[1]


def figure(page, name):
    return found(rf'data-figure="{name}" data-value="([^"]*)"', page)


def test_before_anybody_has_rated(begun):
    page = begun(design(TONE, BETTER))
    got = page.get(page.manager)
    assert got.status_code == 200
    assert figure(got, "alpha-tone") == ""
    assert "? is not defined yet" in words(got)
    assert "0 of 36 tasks are done." in words(got)


def test_progress_pace_and_agreement_are_those_of_the_library(begun):
    study = begun(design(TONE, items=6, systems=("one",)))
    answers = {"q0": 0, "q1": 1, "q2": 2, "q3": 0, "q4": 1, "q5": 2}

    def careful(task):
        study.clock[0] += 0
        return f"p{answers[task.item]}"

    def careless(task):
        return f"p{(answers[task.item] + (task.item in ('q1', 'q2'))) % 3}"

    for k, way in enumerate((careful, careful, careless)):
        rate_all(study, k, way)
    table = [
        {"item": row.item, "rater": row.rater, "value": row.value} for row in study.store.ratings()
    ]
    want = assay.agree(table, layout="long", scale="ordinal", order=[1, 2, 3])
    page = study.get(study.manager)
    assert float(figure(page, "alpha-tone")) == want["krippendorff_alpha"].value
    interval = want["krippendorff_alpha"].interval()
    assert f"{interval.low:.3f}".replace("-", "−") in words(page)
    assert "18 of 18 tasks are done." in words(page)
    # q2 (3, 3, 1) is further apart than q1 (2, 2, 3): it is named first.
    assert words(page).index("q2 · one :") < words(page).index("q1 · one :")
    without = {one["rater"]: one for one in want.summary["diagnosis"]["without_rater"]["raters"]}
    assert without["person 2"]["value"] == 1
    assert re.search(r"person 2 1\.000 \+", words(page))


def test_failed_checks_are_named(begun):
    study = begun(design(TONE, checks=(CHECK,)))
    rate_all(study, 0, lambda task: "p0" if task.check else "p1")
    rate_all(study, 1, lambda task: "p2" if task.check else "p1")
    page = words(study.get(study.manager))
    assert "person 0 answered 1 to watch" in page
    assert "expected: 3" in page
    assert "person 1 answered" not in page
    assert re.search(r"person 0 New link 9 of 9", page)
    assert "1 of 1" in page


def test_close_and_open_again(begun):
    study = begun(design())
    assert press(study, "close").status_code == 303
    assert study.store.closed
    assert "The study is closed." in words(study.get(study.manager))
    assert press(study, "reopen").status_code == 303
    assert not study.store.closed
    assert [line.act for line in study.store.audit()][-2:] == ["close", "reopen"]
    assert "opened again" in words(study.get(study.manager))


def test_a_rater_is_added_with_a_link_that_is_shown_once_and_with_work(begun):
    study = begun(design(items=8, raters=3, per_item=2))
    rate_all(study, 0)
    before = {row.rating for row in study.store.ratings()}
    got = press(study, "add", name="late one")
    link = found(r'id="secret">([^<]+)<', got)
    assert got.status_code == 200
    assert link.startswith("http://127.0.0.1/rate/")
    path = link.removeprefix("http://127.0.0.1")
    assert path not in study.get(study.manager).text
    late = study.store.rater(path.rpartition("/")[2])
    assert late.name == "late one"
    assert late.tasks > 0
    assert {row.rating for row in study.store.ratings()} == before
    assert study.get(path).status_code == 200
    again = press(study, "add", name="late one")
    assert again.status_code == 409
    assert "already" in words(again)
    assert press(study, "add", name=" ").status_code == 422
    # Every output is still judged by two.
    judged: dict[object, set[int]] = {}
    for one in study.store.plan():
        judged.setdefault((one.item, one.systems), set()).add(one.rater)
    assert {len(who) for who in judged.values()} == {2}


def test_the_link_is_shown_even_where_there_is_no_work(begun, monkeypatch):
    from assay.errors import DesignError
    from assay.web.study import manage

    def nothing(*_, **__):
        raise DesignError("x", code="impossible_design")

    monkeypatch.setattr(manage, "give_work", nothing)
    got = press(begun(design()), "add", name="late one")
    assert got.status_code == 200
    assert found(r'id="secret">([^<]+)<', got)
    assert "has no tasks yet" in words(got)


def test_a_newcomer_for_whom_nothing_is_left_is_said(begun):
    study = begun(design(items=2, raters=1))
    rate_all(study, 0)
    got = press(study, "add", name="late one")
    assert study.store.progress()[-1].tasks == 0
    assert "has no tasks yet" in words(got)


def test_a_new_link_ends_the_old_one(begun):
    study = begun(design())
    got = sure(study, "link", 1)
    new = found(r'id="secret">http://127.0.0.1([^<]+)<', got)
    assert study.get(study.links[0]).status_code == 404
    assert study.get(new).status_code == 200


def test_open_tasks_of_a_rater_who_leaves_go_to_others(begun):
    study = begun(design(items=6, raters=3, per_item=2))
    study.agree(0)
    study.save(0, v0="p1")
    open_before = sum(not one.answered for one in study.store.plan())
    got = sure(study, "leave", 1)
    assert "given to others" in words(got)
    plan = study.store.plan()
    assert sum(not one.answered for one in plan) == open_before
    assert [one.answered for one in plan if one.rater == 0] == [True]


@pytest.mark.parametrize(
    ("do", "said"),
    [
        ("link", "The link that they have stops working at once."),
        ("leave", "The tasks do not come back"),
    ],
)
def test_what_cannot_be_taken_back_is_asked_about_and_done_once(begun, do, said):
    study = begun(design(items=6, raters=3, per_item=2))
    before = study.store.audit()
    page, sent = answered(study, do, 1)
    assert said in words(page)
    assert "person 0" in page.text[page.text.index('id="asking"') :]
    assert study.store.audit() == before
    # Without the question, nothing.
    assert press(study, do, rater="1").status_code == 409
    assert study.store.audit() == before
    assert study.post(f"{study.manager}/{do}", sent).status_code == 200
    done = study.store.audit()
    assert len(done) == len(before) + 1
    # The page is loaded again: the browser sends the same form.
    again = study.post(f"{study.manager}/{do}", sent)
    assert again.status_code == 409
    assert "sent a second time" in words(again)
    assert study.store.audit() == done
    assert study.get(f"{study.manager}/close").status_code == 404


def test_a_new_link_survives_a_reload(begun):
    study = begun(design())
    _, sent = answered(study, "link", 1)
    got = study.post(f"{study.manager}/link", sent)
    new = found(r'id="secret">http://127.0.0.1([^<]+)<', got)
    study.post(f"{study.manager}/link", sent)
    assert study.get(new).status_code == 200


@pytest.mark.parametrize("rater", ["", "99", "-1", "x"])
@pytest.mark.parametrize("do", ["leave", "link"])
def test_acts_on_nobody_are_refused(begun, do, rater):
    study = begun(design())
    asked = study.get(f"{study.manager}/{do}", params={"rater": rater})
    for got in (asked, press(study, do, rater=rater, seen="0")):
        assert got.status_code == 422
        assert "no such rater" in words(got)


def test_acts_need_the_forms_token_and_the_managers_link(begun):
    study = begun(design())
    assert study.post(f"{study.manager}/close", {"csrf": "x"}).status_code == 403
    csrf = Form(study.get(study.links[0]).text).fields["csrf"]
    path = study.links[0].replace("rate", "manage")
    assert study.post(f"{path}/close", {"csrf": csrf}).status_code == 404
    assert press(study, "nothing").status_code == 404
    assert not study.store.closed


def test_exports_are_read_back(begun, tmp_path):
    study = begun(design(TONE, BETTER, items=5))
    for k in range(3):
        rate_all(study, k, lambda task: f"p{(task.id * 7) % 3}")
    got = study.get(f"{study.manager}/export.csv?table=ratings")
    assert 'filename="trial-ratings.csv"' in got.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(got.text)))
    assert {row["dimension"] for row in rows} == {"tone"}
    assert len(rows) == 30
    file = tmp_path / "x.csv"
    file.write_bytes(got.content)
    assert {one["system"] for one in assay.evaluate(file).summary["systems"]} == set(SYSTEMS[:2])
    lines = study.get(f"{study.manager}/export.jsonl?table=comparisons").text.splitlines()
    records = [json.loads(line) for line in lines]
    assert len(records) == 15
    assert set(assay.prefer(records, bootstrap=None).strengths) == set(SYSTEMS[:2])
    got = study.get(f"{study.manager}/export.parquet?table=ratings")
    assert got.headers["content-type"] == "application/vnd.apache.parquet"
    file = tmp_path / "x.parquet"
    file.write_bytes(got.content)
    names = ("item", "system", "dimension", "rater", "value")
    stored = duckdb.read_parquet(str(file)).select(*names).fetchall()
    assert sorted([str(one) for one in row] for row in stored) == sorted(
        [row[name] for name in names] for row in rows
    )
    everything = study.get(f"{study.manager}/export.csv?table=all&history=1&checks=1").text
    assert len(list(csv.DictReader(io.StringIO(everything)))) == 45
    for path in ("export.csv?table=x", "export.exe", "export.parquet?table=x"):
        assert study.get(f"{study.manager}/{path}").status_code == 404
    assert study.get(f"{study.links[0].replace('rate', 'manage')}/export.csv").status_code == 404


def test_names_from_outside_are_texts(begun):
    study = begun(design())
    got = press(study, "add", name="<script>alert(1)</script>")
    assert "<script>alert" not in got.text
    assert "&lt;script&gt;alert(1)" in got.text


def differ(study):
    """Three raters who differ on every text, each with another option."""
    for k in range(3):
        rate_all(study, k, lambda task, k=k: f"p{(k + task.item.endswith('1')) % 3}")


def decision(page, item):
    """The fields that are there to decide an item, and what may be chosen."""
    for block in re.findall(r'<form[^>]*/decide".*?</form>', page.text, re.DOTALL):
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', block))
        if fields["item"] == item:
            return fields, re.findall(r'<option value="([^"]+)"[^>]*>([^<]+)<', block)
    raise AssertionError(item)


def test_a_hardest_item_is_decided_and_listed(begun):
    study = begun(design(TONE, items=3, systems=("one",)))
    differ(study)
    before = study.store.ratings()
    fields, offered = decision(study.get(study.manager), "q1")
    assert (fields["dimension"], fields["system"]) == ("tone", "one")
    assert offered[:3] == [("p0", "1 · rude"), ("p1", "2 · neutral"), ("p2", "3 · polite")]
    assert [value for value, _ in offered[3:]] == [
        *("ambiguous_item", "guideline_gap", "slip", "other"),
    ]
    assert "Nothing so far." in words(study.get(study.manager))
    sent = fields | {"v0": "p2", "cause": "guideline_gap", "note": "  <b>see</b> 2.1 "}
    assert press(study, "decide", **sent).status_code == 303
    (made,) = study.store.adjudications()
    assert (made.item, made.systems, made.dimension) == ("q1", ("one",), "tone")
    assert (made.value, made.cause, made.note) == (3, "guideline_gap", "<b>see</b> 2.1")
    assert {one["rater"] for one in made.provenance} == {"person 0", "person 1", "person 2"}
    assert study.store.ratings() == before
    page = study.get(study.manager)
    assert "Decided: 3 (the guidelines leave it open)" in words(page)
    assert "&lt;b&gt;see&lt;/b&gt; 2.1" in page.text
    assert "<b>see" not in page.text
    assert re.search(r"decision on an item · q1", words(page))
    assert study.store.audit()[-1].act == "adjudicate"
    # Decided again: the newest is shown, both are kept.
    press(study, "decide", **(fields | {"v0": "p0", "cause": "slip"}))
    assert "Decided: 1 (a slip)" in words(study.get(study.manager))
    assert "Decided: 3" not in words(study.get(study.manager))
    assert [one.value for one in study.store.adjudications(history=True)] == [3, 1]
    got = study.get(f"{study.manager}/export.csv?table=decisions")
    (row,) = csv.DictReader(io.StringIO(got.text))
    assert (row["item"], row["systems"], row["value"], row["cause"]) == (
        "q1",
        '["one"]',
        "1",
        "slip",
    )
    assert sorted(one["value"] for one in json.loads(row["answers"])) == [1, 2, 3]


def test_a_decision_is_made_with_the_texts_and_comments_in_view(begun):
    study = begun(design(TONE, items=3, texts='<i>said</i> "so"'))
    study.agree(0)
    study.save(0, v0="p0", comment="no & never")
    while study.store.open_task(study.token(0)) is not None:
        study.save(0, v0="p0")
    for k in (1, 2):
        rate_all(study, k, lambda task, k=k: f"p{k}")
    (noted,) = {row.item for row in study.store.ratings() if row.comment}
    page = study.get(study.manager, params={"item": noted})
    shown = page.text[page.text.index('id="looked"') :]
    assert f"question {noted[1:]}" in shown
    assert "&lt;i&gt;said&lt;/i&gt; &#34;so&#34;" in shown
    assert "Comment of person 0" in shown
    assert shown.count("no &amp; never") == 1
    # Of the hardest items, too.
    assert "&lt;i&gt;said" in page.text[: page.text.index('id="looked"')]


@pytest.mark.parametrize("dimension", [TONE, BETTER, TOGETHER, FLAWS], ids=lambda d: d.mechanism)
def test_any_item_can_be_decided_not_only_the_hardest(begun, dimension):
    """All raters agree: none is hard."""
    study = begun(design(dimension, items=2, raters=2))
    given = {"v0.0": "60", "v0.1": "40"} if dimension is TOGETHER else {"v0": "p1"}
    for k in range(2):
        study.agree(k)
        while study.store.open_task(study.token(k)) is not None:
            assert study.save(k, **given)[0].status_code == 303
    assert "/decide" not in study.get(study.manager).text
    page = study.get(study.manager, params={"item": "q1"})
    fields, _ = decision(page, "q1")
    block = found(r'(<form[^>]*/decide".*?</form>)', page)
    systems = re.findall(r'name="system" value="([^"]*)"', block)
    sent = fields | {"system": systems, "cause": "other"} | given
    wrong = press(study, "decide", **(sent | {"cause": "", "note": "keep me"}))
    assert wrong.status_code == 422
    assert 'value="keep me"' in wrong.text
    assert press(study, "decide", **sent).status_code == 303
    assert [one.item for one in study.store.adjudications()] == ["q1"]
    none = study.get(study.manager, params={"item": "q<9>"})
    assert "Nobody has judged an item “q<9>”." in words(none)


def test_the_log_names_whom_and_what_it_is_about(begun):
    study = begun(design(TONE, items=3, systems=("one",)))
    differ(study)
    fields, _ = decision(study.get(study.manager), "q1")
    press(study, "decide", **(fields | {"v0": "p2", "cause": "slip"}))
    sure(study, "link", 1)
    sure(study, "leave", 2)
    study.get(f"{study.manager}/export.csv?table=ratings")
    page = study.get(study.manager)
    log = words(page)[words(page).index("What managers did") :]
    for line in (
        "manager · decision on an item · q1 · one · Tone",
        "manager · new link for a rater · person 0",
        "manager · open tasks given to others · person 1",
        "manager · data taken along · ratings · csv",
    ):
        assert line in log
    # What is not handed out leaves no line.
    study.get(f"{study.manager}/export.csv?table=x")
    assert sum(line.act == "export" for line in study.store.audit()) == 1


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"v0": ""}, "the final value and a cause are needed"),
        ({"v0": "p3"}, "the final value and a cause are needed"),
        ({"v0": "skip"}, "the final value and a cause are needed"),
        ({"cause": ""}, "the final value and a cause are needed"),
        ({"cause": "whim"}, "the final value and a cause are needed"),
        ({"note": "x" * 5001}, "The comment is too long"),
        ({"item": "q9"}, "nobody has judged this"),
        ({"system": "two"}, "nobody has judged this"),
        ({"dimension": "x"}, "nobody has judged this"),
    ],
)
def test_what_decides_nothing_is_refused_and_shown_again(begun, changed, why):
    study = begun(design(TONE, items=2, systems=("one",)))
    differ(study)
    fields, _ = decision(study.get(study.manager), "q0")
    sent = fields | {"v0": "p1", "cause": "slip", "note": "keep me"} | changed
    got = press(study, "decide", **sent)
    assert got.status_code == 422
    assert why in words(got)
    assert study.store.adjudications() == []
    if why.startswith("the final"):
        assert 'value="keep me"' in got.text


def test_deciding_needs_the_forms_token(begun):
    study = begun(design(TONE, items=2, systems=("one",)))
    differ(study)
    fields, _ = decision(study.get(study.manager), "q0")
    sent = fields | {"v0": "p1", "cause": "slip", "csrf": "x"}
    assert study.post(f"{study.manager}/decide", sent).status_code == 403
    assert study.store.adjudications() == []


@pytest.mark.parametrize(
    ("dimension", "answers", "sent", "value"),
    [
        (BETTER, ({"v0": "p0"}, {"v0": "p1"}), {"v0": "p1"}, "tie"),
        (LENGTH, ({"v0": "1"}, {"v0": "9"}), {"v0": "4,5"}, 4.5),
        (QUALITY, ({"v0": "1"}, {"v0": "900"}), {"v0": "120"}, 120),
        (TOPIC, ({"v0": "p0"}, {"v0": "p1"}), {"v0": "p1"}, "dogs"),
        (FLAWS, ({"v0": "p0"}, {"v0": "p1"}), {"v0": "p2"}, ["rude"]),
        (FLAWS, ({"v0": "p0"}, {"v0": "p1"}), {"n0": "1"}, []),
        (
            TOGETHER,
            ({"v0.0": "1", "v0.1": "99"}, {"v0.0": "80", "v0.1": "2"}),
            {"v0.0": "70", "v0.1": "20"},
            dict(zip(sorted(SYSTEMS[:2]), (70, 20), strict=True)),
        ),
    ],
)
def test_every_mechanism_can_be_decided(begun, dimension, answers, sent, value):
    study = begun(design(dimension, items=2, raters=2))
    for k, fields in enumerate(answers):
        study.agree(k)
        study.site.links.size = 10_000
        study.site.links._held.clear()
        while study.store.open_task(study.token(k)) is not None:
            assert study.save(k, **fields)[0].status_code == 303
    page = study.get(study.manager)
    fields, _ = decision(page, "q0")
    block = found(r'(<form[^>]*/decide".*?</form>)', page)
    systems = re.findall(r'name="system" value="([^"]*)"', block)
    assert all(f'name="{name}"' in block for name in sent)
    got = press(study, "decide", **(fields | {"system": systems, "cause": "other"} | sent))
    assert got.status_code == 303, words(got)
    (made,) = study.store.adjudications()
    assert (made.value, made.systems) == (value, tuple(systems))
    assert "another cause" in words(study.get(study.manager))


# --- batches, and raters who come back ---------------------------------------------------------


def test_progress_says_batches_where_there_are_any(begun):
    study = begun(design(items=4, raters=2, batch=2))
    study.agree(0)
    while (task := study.store.open_task(study.token(0))) is not None:
        study.store.answer(study.token(0), task.id, "tone", 2, expected=0, client="c")
    page = study.get(study.manager)
    assert "Batches done" in words(page)
    assert "2 of 2" in row_of(page, "person 0")
    assert "0 of 2" in row_of(page, "person 1")
    without = begun(design())
    assert "Batches done" not in words(without.get(without.manager))


def row_of(page, rater):
    row = found(rf'<tr data-rater="{rater}">(.*?)</tr>', page)
    return " ".join(re.sub(r"<[^>]+>", " ", row).split())


def test_who_has_left_is_let_back_in(begun):
    study = begun(design(items=6, raters=3, per_item=2))
    study.agree(0)
    study.save(0, v0="p1")
    told = [(row.item, row.value) for row in study.store.ratings()]
    assert "Let back in" not in words(study.get(study.manager))
    sure(study, "leave", 1)
    assert "Let back in" in row_of(study.get(study.manager), "person 0")
    before = study.store.audit()
    page, sent = answered(study, "back", 1)
    assert "Let person 0 back in?" in words(page)
    assert "is not asked again" in words(page)
    assert study.store.audit() == before
    got = study.post(f"{study.manager}/back", sent)
    new = found(r'id="secret">http://127.0.0.1([^<]+)<', got)
    assert 'id="problem"' not in got.text
    assert study.get(study.links[0]).status_code == 404
    assert "rater let back in" in words(got)
    # Their page goes on: consent was given, and what they answered does not come again.
    assert 'id="rate"' in study.get(new).text
    token = new.rpartition("/")[2]
    assert study.store.rater(token).tasks > 1
    mine = [(one.item, one.systems) for one in study.store.plan() if one.rater == 0]
    assert len(set(mine)) == len(mine)
    assert [(row.item, row.value) for row in study.store.ratings()] == told
    # Sent a second time, it is asked about again, and the link that was shown goes on working.
    again = study.post(f"{study.manager}/back", sent)
    assert again.status_code == 409
    assert study.get(new).status_code == 200


def test_who_has_not_left_is_not_let_back_in(begun):
    study = begun(design())
    got = sure(study, "back", 1)
    assert got.status_code == 409
    assert "This rater has not left." in words(got)
    assert study.get(study.links[0]).status_code == 200


def test_who_comes_back_to_nothing_is_told_so(begun):
    study = begun(design(items=2, raters=2, per_item=1))
    sure(study, "leave", 1)
    while (task := study.store.open_task(study.token(1))) is not None:
        study.store.answer(study.token(1), task.id, "tone", 2, expected=0, client="c")
    got = sure(study, "back", 1)
    assert "The rater is back, but has no tasks yet" in words(got)
    assert 'id="secret"' in got.text

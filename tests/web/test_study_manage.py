"""The manager's page over HTTP."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

import assay
from assay.study.design import Item
from web.studies import BETTER, SYSTEMS, TONE, Form, Study, design, words

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


def rate_all(study, k, answer=lambda task: "p1"):
    study.agree(k)
    study.site.links.size = 10_000
    study.site.links._held.clear()
    while (task := study.store.open_task(study.token(k))) is not None:
        assert study.save(k, v0=answer(task))[0].status_code == 303


def found(pattern, page):
    match = re.search(pattern, page.text)
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
    assert re.search(r"person 0 8 of 8|person 0 9 of 9", page)
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


def test_a_new_link_ends_the_old_one(begun):
    study = begun(design())
    got = press(study, "link", rater="1")
    new = found(r'id="secret">http://127.0.0.1([^<]+)<', got)
    assert study.get(study.links[0]).status_code == 404
    assert study.get(new).status_code == 200


def test_open_tasks_of_a_rater_who_leaves_go_to_others(begun):
    study = begun(design(items=6, raters=3, per_item=2))
    study.agree(0)
    study.save(0, v0="p1")
    open_before = sum(not one.answered for one in study.store.plan())
    got = press(study, "leave", rater="1")
    assert "given to others" in words(got)
    plan = study.store.plan()
    assert sum(not one.answered for one in plan) == open_before
    assert [one.answered for one in plan if one.rater == 0] == [True]


@pytest.mark.parametrize("rater", ["", "99", "-1", "x"])
@pytest.mark.parametrize("do", ["leave", "link"])
def test_acts_on_nobody_are_refused(begun, do, rater):
    got = press(begun(design()), do, rater=rater)
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
    assert {
        one["system"] for one in assay.evaluate(file, item="item", value="value").summary["systems"]
    } == set(SYSTEMS[:2])
    lines = study.get(f"{study.manager}/export.jsonl?table=comparisons").text.splitlines()
    records = [json.loads(line) for line in lines]
    assert len(records) == 15
    assert set(assay.prefer(records, bootstrap=None).strengths) == set(SYSTEMS[:2])
    everything = study.get(f"{study.manager}/export.csv?table=all&history=1&checks=1").text
    assert len(list(csv.DictReader(io.StringIO(everything)))) == 45
    for path in ("export.csv?table=x", "export.exe", "export.parquet"):
        assert study.get(f"{study.manager}/{path}").status_code == 404
    assert study.get(f"{study.links[0].replace('rate', 'manage')}/export.csv").status_code == 404


def test_names_from_outside_are_texts(begun):
    study = begun(design())
    got = press(study, "add", name="<script>alert(1)</script>")
    assert "<script>alert" not in got.text
    assert "&lt;script&gt;alert(1)" in got.text

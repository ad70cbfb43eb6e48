"""Answers, revisions, links and managers, on SQLite and on PostgreSQL."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from assay.errors import UsageError
from assay.study.store import Answer, Store
from assay.study.store_errors import Refused, Stale, StoreError, UnknownLink
from study.stores import DESIGN, Job, filled, jobs


def test_a_rater_is_led_through_the_tasks_in_order(url, open_store):
    store = open_store(url)
    (token,) = filled(
        store, [Job(0, 1, "second"), Job(0, 0, "first", ("a", "b"), kind="pair")], "ana"
    )
    first = store.open_task(token)
    assert (first.item, first.position, first.sides) == ("first", 0, ("a", "b"))
    assert first.answers["fluency"].revision == 0
    store.answer(token, first.id, "fluency", "a", expected=0, client="1", seconds=2.5)
    second = store.open_task(token)
    assert (second.item, second.sides) == ("second", None)
    assert not second.answered
    store.answer(token, second.id, "fluency", 1, expected=0, client="2", skip=False)
    assert store.open_task(token) is None
    who = store.rater(token)
    assert (who.name, who.tasks, who.done) == ("ana", 2, 2)
    assert store.last_task(token).item == "second"
    assert store.task(token, second.id).answered


def test_what_is_saved_is_there_for_another_store(url, open_store):
    (token,) = filled(open_store(url), jobs(1, 1), "ana")
    saved = open_store(url).answer(
        token, 1, "fluency", {"base": 3}, expected=0, client="1", seconds=0.5, comment="hữu ích 好"
    )
    (row,) = open_store(url).ratings()
    assert (row.item, row.system, row.value, row.rater) == ("q0", "base", 3, "ana")
    assert (row.revision, row.at, row.seconds) == (1, saved.at, 0.5)
    assert row.comment == "hữu ích 好"
    assert open_store(url).design() == DESIGN


def test_the_same_act_sent_again_is_confirmed_and_not_doubled(url, open_store):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 1), "ana")
    first = store.answer(token, 1, "fluency", 4, expected=0, client="click")
    again = store.answer(token, 1, "fluency", 4, expected=0, client="click")
    assert (first.repeated, again.repeated) == (False, True)
    assert (again.revision, again.at) == (first.revision, first.at)
    store.answer(token, 1, "fluency", 5, expected=1, client="later")
    late = store.answer(token, 1, "fluency", 4, expected=0, client="click")
    assert (late.revision, late.repeated) == (1, True)
    assert [row.value for row in store.ratings(history=True)] == [4, 5]


def test_a_key_used_for_two_answers_confirms_neither_as_the_other(url, open_store):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 1), "ana")
    store.answer(token, 1, "fluency", 4, expected=0, client="form")
    for other in (
        {"value": 2},
        {"value": None, "skip": True},
        {"value": 4, "comment": "on second thought"},
    ):
        with pytest.raises(Stale, match="same key") as told:
            store.answer(token, 1, "fluency", **other, expected=0, client="form")
        assert (told.value.current.revision, told.value.current.value) == (1, 4)
    with pytest.raises(Stale, match="same key"):
        store.undo(token, 1, "fluency", expected=1, client="form")
    assert len(store.ratings(history=True)) == 1


def test_a_tab_that_is_behind_is_told_what_is_there(url, open_store):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 1), "ana")
    store.answer(token, 1, "fluency", 4, expected=0, client="tab 1")
    with pytest.raises(Stale) as told:
        store.answer(token, 1, "fluency", 2, expected=0, client="tab 2")
    assert told.value.code == "stale_answer"
    assert (told.value.current.value, told.value.current.revision) == (4, 1)
    assert store.answer(token, 1, "fluency", 2, expected=1, client="tab 2").revision == 2
    with pytest.raises(Stale):
        store.answer(token, 1, "fluency", 3, expected=7, client="from the future")
    with pytest.raises(Stale):
        store.undo(token, 1, "fluency", expected=1, client="undo in tab 1")


def test_undo_goes_back_step_by_step_and_keeps_everything(url, open_store):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 1), "ana")

    def undo(expected: int) -> tuple[str, object]:
        saved = store.undo(token, 1, "fluency", expected=expected, client=f"u{expected}")
        assert saved.revision == expected + 1
        return saved.kind, saved.value

    store.answer(token, 1, "fluency", 1, expected=0, client="a")
    store.answer(token, 1, "fluency", expected=1, client="b", skip=True)
    store.answer(token, 1, "fluency", 3, expected=2, client="c", comment="sure")
    assert undo(3) == ("skip", None)
    assert undo(4) == ("answer", 1)
    store.answer(token, 1, "fluency", 5, expected=5, client="d")
    assert undo(6) == ("answer", 1)
    assert undo(7) == ("open", None)
    assert store.ratings() == []
    assert store.open_task(token).id == 1
    assert store.last_task(token) is None
    with pytest.raises(Refused, match="nothing to undo"):
        undo(8)
    again = store.undo(token, 1, "fluency", expected=7, client="u7")
    assert (again.repeated, again.revision) == (True, 8)
    kinds = [row.kind for row in store.ratings(history=True)]
    assert kinds == ["answer", "skip", "answer", "skip", "answer", "answer", "answer", "open"]


def test_a_question_without_answers_has_nothing_to_undo(url, open_store):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 1), "ana")
    with pytest.raises(Refused) as told:
        store.undo(token, 1, "fluency", expected=0, client="u")
    assert told.value.code == "nothing_to_undo"


def test_several_answers_are_saved_all_or_none(url, open_store):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 1, dimensions=("fluency", "coverage")), "ana")
    store.answer(token, 1, "coverage", 1, expected=0, client="x")
    both = [Answer("fluency", 4, 0, "f1"), Answer("coverage", 4, 0, "f1")]
    with pytest.raises(Stale):
        store.answers(token, 1, both)
    assert [row.dimension for row in store.ratings()] == ["coverage"]
    both[1] = Answer("coverage", 4, 1, "f1")
    assert [one.revision for one in store.answers(token, 1, both)] == [1, 2]
    assert all(one.repeated for one in store.answers(token, 1, both))
    assert store.open_task(token) is None


def test_cannot_judge_is_not_the_lowest_score(url, open_store):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 2), "ana")
    store.answer(token, 1, "fluency", expected=0, client="1", skip=True)
    store.answer(token, 2, "fluency", 0, expected=0, client="2")
    assert [(row.kind, row.value) for row in store.ratings()] == [("skip", None), ("answer", 0)]
    assert store.open_task(token) is None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"value": None}, "none was given"),
        ({"value": 3, "skip": True}, "not both"),
        ({"value": float("nan")}, "no NaN"),
        ({"value": object()}, "a number, a text"),
        ({"value": {"other": 3}}, "'other' is none of them"),
        ({"value": {}}, "none is rated"),
        ({"value": "x" * 20_000}, "at most 20,000"),
        ({"value": "\ud800"}, "not text"),
        ({"value": 3, "comment": "a\0b"}, "not text"),
        ({"value": 3, "client": ""}, "a text is needed"),
        ({"value": 3, "client": "c" * 101}, "at most 100"),
        ({"value": 3, "seconds": -1.0}, "0 or more"),
        ({"value": 3, "seconds": float("inf")}, "0 or more"),
    ],
)
def test_what_cannot_be_kept_is_refused(tmp_path, open_store, given, says):
    store = open_store(tmp_path / "study.db")
    (token,) = filled(store, jobs(1, 1), "ana")
    with pytest.raises(UsageError, match=says):
        store.answer(token, 1, "fluency", **{"expected": 0, "client": "c", **given})
    assert store.ratings(history=True) == []


def test_odd_but_whole_values_come_back_as_they_were(url, open_store):
    store = open_store(url)
    values = [0, -1, 0.1, 1e300, "", "ties\0", ["b", "a"], "<b>&", "😀", True, 2**60]
    (token,) = filled(store, jobs(1, len(values)), "ana")
    for task, value in enumerate(values, 1):
        store.answer(token, task, "fluency", value, expected=0, client=str(task))
    back = [row.value for row in store.ratings()]
    assert back == values
    assert list(map(type, back)) == list(map(type, values))


def test_nobody_answers_for_somebody_else(url, open_store):
    store = open_store(url)
    ana, ben = filled(store, jobs(2, 1), "ana", "ben")
    with pytest.raises(Refused) as told:
        store.answer(ben, 1, "fluency", 3, expected=0, client="c")
    assert told.value.code == "not_your_task"
    for number in (1, 0, -1, 99, 2**31, 2**70):
        with pytest.raises(Refused):
            store.task(ben, number)
        with pytest.raises(Refused):
            store.answer(ben, number, "fluency", 3, expected=0, client="c")
        if number != 1:
            with pytest.raises(UsageError):
                store.new_token(number, by="me")
    with pytest.raises(Refused):
        store.undo(ben, 1, "fluency", expected=0, client="c")
    with pytest.raises(Refused) as told:
        store.answer(ana, 1, "grammar", 3, expected=0, client="c")
    assert told.value.code == "not_asked"
    for token in ("", "x", "é\ud800", ana[:-1], ana.swapcase()):
        for act in (
            lambda t: store.answer(t, 1, "fluency", 3, expected=0, client="c"),
            store.open_task,
            store.rater,
            store.consent,
            store.last_task,
            store.check_manager,
        ):
            with pytest.raises(UnknownLink):
                act(token)
    assert store.ratings() == []


def test_tokens_are_long_differ_and_are_not_kept(tmp_path, open_store):
    store = open_store(tmp_path / "study.db")
    manager = store.create(DESIGN, jobs(3, 1), by="me")
    invited = [store.add_rater(name, by="me") for name in ("ana", "ben", "chi")]
    tokens = [manager, *(one.token for one in invited)]
    assert len(set(tokens)) == 4
    assert all(len(token) == 43 for token in tokens)  # 32 bytes in base 64
    assert not any(token in repr(invited) for token in tokens)
    store.check_manager(manager)
    store.close_connections()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"ana" in kept
    assert not any(token.encode() in kept for token in tokens)


def test_links_can_be_replaced(url, open_store):
    store = open_store(url)
    old_manager = store.create(DESIGN, jobs(1, 1), by="me")
    old = store.add_rater("ana", by="me")
    new = store.new_token(old.id, by="me")
    assert (new.id, new.seat, new.name) == (old.id, old.seat, "ana")
    with pytest.raises(UnknownLink):
        store.open_task(old.token)
    assert store.open_task(new.token).item == "q0"
    new_manager = store.new_manager_token(by="me")
    with pytest.raises(UnknownLink):
        store.check_manager(old_manager)
    store.check_manager(new_manager)


def test_a_closed_study_takes_no_answers(url, open_store):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 2), "ana")
    store.answer(token, 1, "fluency", 3, expected=0, client="1")
    store.close(by="me")
    assert store.closed
    for act in (
        lambda: store.answer(token, 2, "fluency", 3, expected=0, client="2"),
        lambda: store.undo(token, 1, "fluency", expected=1, client="3"),
    ):
        with pytest.raises(Refused) as told:
            act()
        assert told.value.code == "study_closed"
    assert len(store.ratings()) == 1
    store.reopen(by="me")
    assert not store.closed
    assert store.answer(token, 2, "fluency", 3, expected=0, client="2").revision == 1


def test_every_act_of_a_manager_leaves_a_line(url, open_store):
    store = open_store(url)
    store.create(DESIGN, jobs(2, 3), by="mai")
    ana, ben = (store.add_rater(name, by="mai") for name in ("ana", "ben"))
    store.consent(ana.token)
    store.answer(ana.token, 1, "fluency", 3, expected=0, client="1")
    store.new_token(ben.id, by="mai")
    store.new_manager_token(by="mai")
    store.adjudicate("q0", "fluency", 2, cause="slip", by="linh", systems=["base"], note="typo")
    store.close(by="linh")
    store.close(by="linh")
    store.reopen(by="linh")
    chi = store.add_rater("chi", by="linh")
    store.move([(2, chi.id)], by="linh")
    store.hand_out_again(ben.id, by="linh")
    lines = store.audit()
    assert [(line.act, line.by) for line in lines] == [
        ("create", "mai"),
        ("add_rater", "mai"),
        ("add_rater", "mai"),
        ("new_token", "mai"),
        ("new_manager_token", "mai"),
        ("adjudicate", "linh"),
        ("close", "linh"),
        ("reopen", "linh"),
        ("add_rater", "linh"),
        ("move", "linh"),
        ("hand_out_again", "linh"),
    ]
    assert lines[1].detail == {"rater": ana.id, "name": "ana"}
    assert sorted(line.at for line in lines) == [line.at for line in lines]
    with pytest.raises(UsageError, match="by"):
        store.close(by="")
    assert not store.closed


def test_an_act_that_fails_leaves_no_line(url, open_store):
    store = open_store(url)
    filled(store, jobs(1, 1), "ana")
    for act in (
        lambda: store.add_rater("ana", by="me"),
        lambda: store.add_rater(" ", by="me"),
        lambda: store.new_token(99, by="me"),
        lambda: store.create(DESIGN, [], by="me"),
        lambda: store.adjudicate("q0", "fluency", 1, cause="slip", by="me"),
        lambda: store.adjudicate("q0", "fluency", 1, cause="boredom", by="me"),
    ):
        with pytest.raises((Refused, UsageError)):
            act()
    assert [line.act for line in store.audit()] == ["create", "add_rater"]


def test_decisions_keep_what_was_seen(url, open_store):
    store = open_store(url)
    tasks = [
        Job(r, 0, "q", pair, ("better",), kind="pair")
        for r, pair in enumerate([("a", "b"), ("b", "a")])
    ]
    ana, ben = filled(store, tasks, "ana", "ben")
    store.answer(ana, 1, "better", "a", expected=0, client="1")
    store.answer(ben, 2, "better", "b", expected=0, client="1")
    made = store.adjudicate(
        "q", "better", "b", systems=["b", "a"], cause="guideline_gap", by="mai", note="see 3.2"
    )
    seen = [(one["rater"], one["value"], one["systems"]) for one in made.provenance]
    assert seen == [("ana", "a", ["a", "b"]), ("ben", "b", ["b", "a"])]
    store.answer(ben, 2, "better", "a", expected=1, client="2")
    later = store.adjudicate("q", "better", "a", systems=["a", "b"], cause="slip", by="mai")
    assert store.adjudications() == [later]
    assert store.adjudications(history=True) == [made, later]
    assert later.provenance[1]["revision"] == 2


def test_consent_counts_the_first_time(url, open_store):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 1), "ana")
    assert store.rater(token).consented_at is None
    first = store.consent(token)
    assert store.consent(token) == first == store.rater(token).consented_at


@pytest.mark.parametrize("name", ["rating", "audit", "adjudication"])
@pytest.mark.parametrize("act", ["UPDATE {} SET at = 'x'", "DELETE FROM {}"])
def test_the_database_itself_refuses_changes(url, open_store, name, act):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 1), "ana")
    store.answer(token, 1, "fluency", 3, expected=0, client="1")
    store.adjudicate("q0", "fluency", 3, systems=["base"], cause="other", by="me")
    with pytest.raises(StoreError, match="only ever added"):
        store._db.write(lambda c: c.execute(sa.text(act.format(name))))
    assert len(store.ratings()) == len(store.adjudications()) == 1


def test_without_its_packages_the_extra_is_named():
    code = (
        "import sys; sys.modules['sqlalchemy'] = None\n"
        "try:\n    import assay.study.store\n"
        "except ImportError as error:\n    print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("MissingExtra")
    assert "assay[study]" in done.stdout


@pytest.mark.parametrize("bad", ["sqlite://", ":memory:", "mysql://h/d", "sqlite:///f?mode=ro"])
def test_addresses_that_cannot_keep_answers_are_refused(bad, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError):
        Store(bad)
    assert list(Path().iterdir()) == []


def test_a_password_is_not_shown():
    with pytest.raises(StoreError) as told:
        Store("postgresql://me:s3cret@127.0.0.1:1/none", wait=0.1)
    assert told.value.code == "store_unreachable"
    assert "s3cret" not in str(told.value)
    assert "127.0.0.1" in str(told.value)

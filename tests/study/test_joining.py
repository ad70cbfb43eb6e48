"""Somebody joins a study that is under way, with or without anything left to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.errors import UsageError
from assay.study.begin import begin, replace_links
from assay.study.design import RaterSpec
from assay.study.joining import give_work
from assay.study.store import Store
from study.designs import QUALITY, design, items, qualification
from study.stores import Job
from study.test_store_tasks import left


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "study.db") as made:
        yield made


def begun(store, study):
    """The raters' tokens."""
    links = begin(store, study, by="me").links
    return [path.rpartition("/")[2] for path in links.raters.values()]


def joined(store, study, name):
    late = store.add_rater(name, by="me")
    return late, give_work(store, study, late.seat, by="me")


def test_what_a_newcomer_took_and_left_unanswered_goes_back(store):
    study = design(6, 1, 1, systems=("a",))
    begun(store, study)
    late, given = joined(store, study, "late")
    assert given == 3
    out = store.hand_out_again(late.id, by="me")
    assert (len(out.given), out.dropped, out.kept) == (3, (), ())
    assert [(one.name, one.tasks) for one in store.progress()] == [("rater 1", 6), ("late", 0)]


def test_no_name_takes_the_place_of_the_managers_link_or_breaks_its_line(store):
    study = replace(design(2, 1, 1), raters=(RaterSpec("(manager)"),))
    links = begin(store, study, by="me").links
    assert links.manager.startswith("/manage/")
    assert links.raters["(manager)"].startswith("/rate/")
    again = replace_links(store, by="me")
    assert (again.manager[:8], list(again.raters)) == ("/manage/", ["(manager)"])
    with pytest.raises(UsageError, match="has a line break"):
        store.add_rater("mai\nlan", by="me")


def test_what_a_newcomer_has_answered_stays(store):
    study = design(6, 1, 1, systems=("a",))
    begun(store, study)
    late, _ = joined(store, study, "late")
    task = store.open_task(late.token)
    store.answer(late.token, task.id, "quality", 3, expected=0, client="x")
    assert len(store.hand_out_again(late.id, by="me").given) == 2
    assert [(one.tasks, one.answered) for one in store.progress()] == [(5, 0), (1, 1)]


def test_a_newcomer_for_whom_nothing_is_left_is_told_so(store):
    """Not even attention checks are given to somebody who has nothing else to do."""
    checks = items(1, ("a",), check=True, prefix="check", gold={"quality": 3})
    study = design(2, 1, 1, systems=("a",), checks=checks)
    (token,) = begun(store, study)
    left(store, token)
    late, given = joined(store, study, "late")
    assert given == 0
    assert store.rater(late.token).tasks == 0
    assert [line.act for line in store.audit()] == ["create", "add_rater", "add_rater"]


@pytest.mark.parametrize("batch", [None, 2])
def test_what_one_newcomer_cannot_take_waits_for_the_next(store, batch):
    """Both raters of a thing have left: whoever joins can be one of them only."""
    study = design(4, 2, 2, systems=("a",), batch=batch)
    begun(store, study)
    for rater in (1, 2):
        store.hand_out_again(rater, by="me")
    assert [joined(store, study, name)[1] for name in ("late", "later")] == [4, 4]
    assert [one.tasks for one in store.progress()] == [0, 0, 4, 4]


def test_the_newcomer_gets_what_waits_not_who_has_finished(store):
    study = design(6, 3, 1, systems=("a",), dimensions=(QUALITY,))
    first, _, third = begun(store, study)
    left(store, first)
    left(store, third)
    # Nobody could take these when their rater left: all were asked to keep out.
    store.hand_out_again(2, by="me", to=[])
    _, given = joined(store, study, "late")
    assert given == 2
    assert [one.tasks for one in store.progress()] == [2, 0, 2, 2]


def took(store, token, value):
    """Take the whole test with one answer; what came of it."""
    while (seen := store.visit(token)).testing and seen.task:
        store.answer(token, seen.task.id, "quality", value, expected=0, client="t")
    return seen.test.state


TEST = qualification(2, ("a",), gold={"quality": 5})


def test_who_joins_late_takes_the_test_too(store):
    study = design(6, 1, 1, systems=("a",), qualification=TEST)
    (first,) = begun(store, study)
    assert took(store, first, 5) == "passed"
    late, given = joined(store, study, "late")
    assert given == 3
    seen = store.visit(late.token)
    assert (seen.testing, seen.test.tasks, seen.rater.tasks) == (True, 2, 3)
    assert took(store, late.token, 5) == "passed"
    assert store.visit(late.token).task.item.startswith("q")
    # What the first one passed is not taken again.
    assert store.visit(first).test.state == "passed"


def test_who_finds_nothing_left_takes_the_test_and_gets_what_is_left_later(store):
    """Without it, they would be given work that nobody found them fit for."""
    study = design(2, 1, 1, systems=("a",), qualification=TEST)
    (first,) = begun(store, study)
    took(store, first, 5)
    task = store.open_task(first)
    store.answer(first, task.id, "quality", 3, expected=0, client="x")
    # All that is open is on the one rater's screen: as many as they have in all go to nobody.
    late, given = joined(store, study, "late")
    assert given == 0
    assert (store.visit(late.token).test.tasks, store.rater(late.token).tasks) == (2, 0)
    assert joined_again(store, study, late) == 0
    assert len(store.hand_out_again(1, by="me").given) == 1
    assert store.visit(late.token).task.qualification
    assert took(store, late.token, 5) == "passed"
    assert store.visit(late.token).task.item.startswith("q")


def joined_again(store, study, late):
    return give_work(store, study, late.seat, by="me")


def test_a_newcomer_gets_what_waits_with_who_did_not_pass(store):
    study = design(6, 2, 1, systems=("a",), qualification=TEST)
    first, second = begun(store, study)
    assert took(store, first, 1) == "refused"
    assert took(store, second, 5) == "passed"
    late, given = joined(store, study, "late")
    assert given == 3
    assert [one.tasks for one in store.progress()] == [0, 3, 3]
    assert store.visit(first).refused
    assert took(store, late.token, 5) == "passed"


def test_the_open_half_of_a_task_goes_to_who_joins(store):
    study = design(2, 2, 2, systems=("a",), dimensions=(QUALITY, replace(QUALITY, key="style")))
    token, _ = begun(store, study)
    task = store.open_task(token)
    store.answer(token, task.id, "quality", 3, expected=0, client="x")
    assert len(store.hand_out_again(1, by="me").kept) == 2
    late, given = joined(store, study, "late")
    assert given == 2
    asked = {}
    while (open_ := store.open_task(late.token)) is not None:
        asked[open_.item] = tuple(open_.dimensions)
        for name in open_.dimensions:
            store.answer(late.token, open_.id, name, 2, expected=0, client=f"{open_.id} {name}")
    assert asked.pop(task.item) == ("style",)
    assert list(asked.values()) == [("quality", "style")]
    assert store.progress()[0].tasks == store.progress()[0].done


def test_a_comparison_and_a_joint_rating_of_one_item_are_two_things(store):
    """Who has judged the one can take the other."""
    tasks = [
        Job(0, 0, "q0", kind="all", systems=("a", "b")),
        Job(0, 1, "q1", kind="pair", systems=("a", "b")),
        Job(1, 0, "q0", kind="pair", systems=("a", "b")),
        Job(1, 1, "q1", kind="all", systems=("a", "b")),
    ]
    store.create({"name": "pilot"}, tasks, by="me")
    for name in ("ana", "ben"):
        store.add_rater(name, by="me")
    gone = store.hand_out_again(1, by="me")
    assert (len(gone.given), gone.kept) == (2, ())

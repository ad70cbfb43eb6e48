"""What a rater's page reads at once."""

from __future__ import annotations

import pytest

from assay.study.store_errors import Refused, UnknownLink
from study.stores import filled, jobs


def test_a_visit_has_the_task_how_far_it_is_and_where_back_leads(open_store, url):
    store = open_store(url)
    asked = ("fluency", "coverage")
    ana, bo = filled(store, jobs(2, 3, dimensions=asked), "ana", "bo")
    first = store.visit(ana)
    assert (first.rater.name, first.rater.tasks, first.rater.done) == ("ana", 3, 0)
    assert (first.closed, first.last) == (False, None)
    task = first.task
    assert (task.item, task.dimensions, task.answered) == ("q0", asked, False)
    store.answer(ana, task.id, "fluency", 2, expected=0, client="c")
    # In the middle of a task: it stays, and it is not what "back" leads to.
    half = store.visit(ana)
    assert (half.task.id, half.task.answers["fluency"].value) == (task.id, 2)
    assert (half.task.answers["coverage"].revision, half.rater.done, half.last) == (0, 0, None)
    store.answer(ana, task.id, "coverage", 3, expected=0, client="c")
    then = store.visit(ana)
    assert (then.task.item, then.rater.done, then.last) == ("q1", 1, task.id)
    assert store.last_task(ana).id == task.id
    assert store.visit(ana, task.id).task.answered
    assert store.visit(ana, task.id).last is None
    store.close(by="me")
    assert store.visit(ana).closed
    with pytest.raises(Refused, match="not among yours"):
        store.visit(bo, task.id)
    with pytest.raises(UnknownLink):
        store.visit("nobody")


def test_who_has_left_has_no_task_and_taking_data_along_is_noted(open_store, url, tmp_path):
    store = open_store(url)
    (ana, _) = filled(store, jobs(2, 1), "ana", "bo")
    store.hand_out_again(store.rater(ana).id, by="me")
    assert store.visit(ana).task is None
    before = store.audit()
    store.export(tmp_path / "x.csv", table="all")
    assert store.audit() == before
    store.export(tmp_path / "x.csv", table="all", by="me")
    (line,) = store.audit()[len(before) :]
    assert (line.act, line.by, line.detail) == ("export", "me", {"table": "all", "format": "csv"})

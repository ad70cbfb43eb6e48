"""Raters who leave and raters who come: what moves, and what never does."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import DesignError
from assay.study.assign import assignments
from assay.study.assign_again import reassign
from assay.study.assign_order import repeated
from study.designs import BETTER, QUALITY, TOGETHER, design, designs


@st.composite
def changes(draw: st.DrawFn, *, kinds=(QUALITY, BETTER, TOGETHER), together=None):
    """A design, its plan, what is done of it, and who leaves and joins."""
    study = draw(designs(kinds=kinds, together=together))
    tasks = assignments(study)
    count = len(study.raters)
    # Raters answer in order; each has got somewhere.
    reached = [draw(st.integers(0, sum(t.rater == r for t in tasks))) for r in range(count)]
    done = [t for t in tasks if t.order < reached[t.rater]]
    leaving = draw(st.sets(st.integers(0, count - 1), max_size=count))
    joining = list(range(count, count + draw(st.integers(1 if len(leaving) == count else 0, 3))))
    return study, tasks, done, leaving, joining


def firsts(tasks):
    return [t for t in tasks if not (t.repeat or t.apart)]


@given(changes())
@settings(max_examples=200)
def test_what_holds_after_any_change(change):
    study, tasks, done, leaving, joining = change
    got = reassign(study, tasks, done, leaving=leaving, joining=joining)
    # Whatever is answered is there, as it was.
    assert set(done) <= set(got.tasks)
    fixed = set(done)
    # Who left has nothing else.
    assert all(t in fixed for t in got.tasks if t.rater in leaving)
    # Nobody rates a thing twice for it, and nothing is asked less or more than before.
    seen = Counter((t.rater, t.unit) for t in firsts(got.tasks))
    assert all(n == 1 for n in seen.values())
    lost = Counter(t.unit for t in got.unplaced)
    before: Counter = Counter()
    after: Counter = Counter()
    for where, rows in ((before, tasks), (after, got.tasks)):
        where.update(t.unit for t in firsts(rows) if not (t.pilot and study.pilot_all))
    assert after + lost == before
    # What nobody takes, nobody can: all who stay rate it already.
    active = (set(range(len(study.raters))) | set(joining)) - leaving
    for unit in lost:
        assert all((rater, unit) in seen for rater in active)
    # Orders are distinct, and open tasks come behind the answered ones.
    for rater in active:
        own = [t for t in got.tasks if t.rater == rater]
        assert [t.order for t in own] == list(range(len(own)))
        rated = {t.unit for t in firsts(own)}
        again: Counter = Counter(t.unit for t in own if t.repeat)
        assert set(again) <= rated
        assert all(n == 1 for n in again.values())
        assert sum(again.values()) >= repeated(len(rated), study.repeats)
        place = {t.unit: t.order for t in firsts(own)}
        assert all(t.order > place[t.unit] for t in own if t.repeat)
        stages = [t.pilot for t in firsts(own) if t not in fixed]
        assert stages == sorted(stages, reverse=True)
        checks: Counter = Counter((t.item, t.kind) for t in own if t.check)
        assert all(n == 1 for n in checks.values())
        assert len(checks) == len(study.checks) * len(study.kinds)
        # All take the test, once, and before anything else that is open.
        test = [t for t in own if t.qualification]
        items = study.qualification.items if study.qualification else ()
        assert len({(t.item, t.kind) for t in test}) == len(test)
        assert len(test) == len(items) * len(study.kinds)
        left = [t.qualification for t in own if t not in fixed]
        assert left == sorted(left, reverse=True)


@given(changes(together=False))
@settings(max_examples=150)
def test_loads_are_even_where_they_can_be(change):
    """No task that may move could be handed on to make the loads more even."""
    study, tasks, done, leaving, joining = change
    got = reassign(study, tasks, done, leaving=leaving, joining=joining)
    active = sorted((set(range(len(study.raters))) | set(joining)) - leaving)
    fixed = set(done)
    open_ = [t for t in firsts(got.tasks) if t not in fixed and not (t.pilot and study.pilot_all)]
    load = Counter(t.rater for t in open_)
    answered = Counter(
        t.rater for t in firsts(done) if t.rater in active and not (t.pilot and study.pilot_all)
    )
    old = [rater for rater in active if rater not in joining]
    average = round(sum(answered[r] for r in old) / len(old)) if old else 0
    load.update(answered)
    load.update(dict.fromkeys(joining, average))
    was = {(t.rater, t.unit) for t in tasks}
    rates = defaultdict(set)
    for task in firsts(got.tasks):
        rates[task.rater].add(task.unit)
    for task in open_:
        if (task.rater, task.unit) in was and not joining:
            continue  # It was this rater's before, and nobody joins.
        for other in active:
            if task.rater in joining and other not in joining:
                continue  # What a newcomer got stays with newcomers.
            if load[other] < load[task.rater] - 1:
                assert task.unit in rates[other]


@given(changes(kinds=(BETTER,)))
def test_sides_are_stored_whoever_takes_a_comparison(change):
    study, tasks, done, leaving, joining = change
    got = reassign(study, tasks, done, leaving=leaving, joining=joining)
    assert all(len(set(t.systems)) == 2 for t in got.tasks)


def test_nothing_moves_without_a_reason():
    study = design(10, 4, 2)
    tasks = assignments(study)
    got = reassign(study, tasks, tasks[:7])
    assert (got.tasks, got.moved, got.unplaced) == (tasks, 0, ())


def test_a_newcomer_gets_an_even_part_of_what_is_open():
    study = design(30, 3, 2, repeats=0.1)
    tasks = assignments(study)
    got = reassign(study, tasks, [], joining=[3])
    assert Counter(t.rater for t in firsts(got.tasks)) == dict.fromkeys(range(4), 30)
    assert got.moved == 30
    assert sum(t.repeat for t in got.tasks if t.rater == 3) == 3


def test_what_nobody_holds_goes_to_the_newcomer_not_to_who_has_finished():
    """A newcomer is credited with the others' average; that must not send work to the idle."""
    study = design(6, 3, 1, systems=("a",))
    tasks = assignments(study)
    done = [t for t in tasks if t.rater == 0]
    got = reassign(study, tasks, done, leaving=[1, 2], joining=[3])
    assert Counter(t.rater for t in got.tasks) == {0: 2, 3: 4}


def test_what_nobody_can_take_is_said():
    study = design(4, 2, 2, systems=("a",))
    tasks = assignments(study)
    done = [t for t in tasks if t.rater == 0]
    got = reassign(study, tasks, done, leaving=[1])
    assert len(got.unplaced) == 4
    assert set(got.tasks) == set(done)


def test_changes_can_follow_each_other():
    study = design(12, 3, 2)
    first = reassign(study, assignments(study), [], leaving=[0], joining=[3])
    second = reassign(study, first.tasks, first.tasks[:5], leaving=[0, 3], joining=[4])
    assert {t.rater for t in second.tasks if t not in set(first.tasks[:5])} <= {1, 2, 4}
    assert Counter(t.unit for t in firsts(second.tasks)) == Counter(
        t.unit for t in firsts(assignments(study))
    )


def test_bad_changes_are_refused():
    study = design(4, 2, 1)
    tasks = assignments(study)
    with pytest.raises(DesignError, match="nobody is left"):
        reassign(study, tasks, [], leaving=[0, 1])
    with pytest.raises(DesignError, match="rater 1 is in the study already"):
        reassign(study, tasks, [], joining=[1])

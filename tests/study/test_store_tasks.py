"""Raters who leave and join, progress, and a model of revisions to compare with."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.study.assign import Task, assignments
from assay.study.assign_again import reassign
from assay.study.store import Store
from assay.study.store_errors import Refused, Stale
from study.designs import BETTER, QUALITY, design
from study.stores import DESIGN, Job, filled, jobs


def left(store, token):
    """The items that a rater still has to rate, in order, and answers them."""
    found = []
    while (task := store.open_task(token)) is not None:
        found.append(task.item)
        for name in task.dimensions:
            if task.answers[name].kind == "open":
                store.answer(token, task.id, name, 1, expected=0, client="x")
    return found


def test_open_tasks_of_somebody_who_leaves_go_to_those_with_least_to_do(url, open_store):
    store = open_store(url)
    tasks = [Job(0, k, f"a{k}") for k in range(4)] + [Job(1, 0, "b0"), Job(1, 1, "b1")]
    tasks.append(Job(2, 0, "a1"))
    ana, ben, chi = filled(store, tasks, "ana", "ben", "chi")
    store.answer(ana, 1, "fluency", 5, expected=0, client="1")
    result = store.hand_out_again(1, by="me")
    # a1 is chi's already, so it is ben's; a2 goes to chi, who then has as few as anybody.
    assert (len(result.given), result.dropped, result.kept) == (3, (), ())
    assert store.open_task(ana) is None
    with pytest.raises(Refused) as told:
        store.answer(ana, 1, "fluency", 4, expected=1, client="2")
    assert told.value.code == "rater_left"
    bens, chis = left(store, ben), left(store, chi)
    assert bens[:2] == ["b0", "b1"]
    assert sorted(bens[2:] + chis[1:]) == ["a1", "a2", "a3"]
    assert "a1" in bens
    assert abs(len(bens) - len(chis)) <= 1
    rows = {(row.rater, row.item): row.value for row in store.ratings()}
    assert rows.pop(("ana", "a0")) == 5
    assert len(rows) == len(bens) + len(chis)
    assert [line.left_at is not None for line in store.progress()] == [True, False, False]


def test_only_the_open_questions_of_a_task_move(url, open_store):
    store = open_store(url)
    tasks = [Job(0, 0, "q", dimensions=("fluency", "coverage")), Job(1, 0, "other")]
    ana, ben = filled(store, tasks, "ana", "ben")
    store.answer(ana, 1, "fluency", 4, expected=0, client="1")
    ((new, to),) = store.hand_out_again(1, by="me").given
    assert to == 2
    assert store.task(ben, new).dimensions == ("coverage",)
    left(store, ben)
    found = [(row.rater, row.item, row.dimension) for row in store.ratings()]
    assert found == [
        ("ana", "q", "fluency"),
        ("ben", "other", "fluency"),
        ("ben", "q", "coverage"),
    ]
    ana_line, ben_line = store.progress()
    assert (ana_line.tasks, ana_line.questions, ana_line.answered) == (0, 1, 1)
    assert (ben_line.tasks, ben_line.done, ben_line.questions, ben_line.answered) == (2, 2, 2, 2)


def test_repeats_and_checks_stay_behind_and_the_rest_waits_for_a_newcomer(url, open_store):
    store = open_store(url)
    tasks = [
        Job(0, 0, "done"),
        Job(0, 1, "check", check=True),
        Job(0, 2, "done", repeat=1),
        Job(0, 3, "both"),
        Job(0, 4, "both", repeat=1),
        Job(1, 0, "done"),
        Job(1, 1, "both"),
    ]
    ana, _ben = filled(store, tasks, "ana", "ben")
    store.answer(ana, 1, "fluency", 3, expected=0, client="1")
    first = store.hand_out_again(1, by="me")
    assert (first.given, first.dropped, first.kept) == ((), (2, 3), (4, 5))
    chi = store.add_rater("chi", by="me")
    assert (chi.seat, store.open_task(chi.token)) == (2, None)
    second = store.hand_out_again(1, by="me", to=[chi.id])
    assert (len(second.given), second.dropped, second.kept) == (2, (), ())
    assert left(store, chi.token) == ["both", "both"]
    repeats = [(row.item, row.repeat) for row in store.ratings() if row.rater == "chi"]
    assert repeats == [("both", 0), ("both", 1)]


def test_a_plan_of_moves_is_carried_out_or_refused_whole(url, open_store):
    store = open_store(url)
    ana, ben = filled(store, jobs(2, 2), "ana", "ben")
    chi = store.add_rater("chi", by="me")
    store.answer(ana, 1, "fluency", 3, expected=0, client="1")
    for moves in ([(2, chi.id), (1, chi.id)], [(2, chi.id), (2, chi.id)]):
        with pytest.raises(Refused) as told:
            store.move(moves, by="me")
        assert told.value.code == "task_not_open"
    with pytest.raises(UsageError):
        store.move([(2, chi.id), (99, chi.id)], by="me")
    with pytest.raises(UsageError):
        store.hand_out_again(1, by="me", to=[1])
    assert store.open_task(chi.token) is None
    store.move([(2, chi.id), (3, chi.id)], by="me")
    assert left(store, chi.token) == ["q1", "q0"]
    with pytest.raises(Refused) as told:
        store.answer(ana, 2, "fluency", 3, expected=0, client="2")
    assert told.value.code == "task_withdrawn"
    assert left(store, ben) == ["q1"]


def test_a_seat_may_be_handed_out_before_anybody_took_it(url, open_store):
    store = open_store(url)
    (ana,) = filled(store, [Job(0, 0, "a"), Job(1, 0, "b")], "ana")
    store.hand_out_again(2, by="me")
    assert left(store, ana) == ["a", "b"]
    assert store.add_rater("ben", by="me").seat == 2
    with pytest.raises(Refused) as told:
        store.new_token(2, by="me")
    assert told.value.code == "free_seat"


def test_progress_counts_and_times(url, open_store):
    store = open_store(url)
    ana, _ben = filled(store, jobs(3, 2, dimensions=("fluency", "coverage")), "ana", "ben")
    one = store.answer(ana, 1, "fluency", 3, expected=0, client="1", seconds=2.0)
    store.answer(ana, 1, "coverage", expected=0, client="1", seconds=1.5, skip=True)
    two = store.answer(ana, 2, "fluency", 3, expected=0, client="1")
    store.answer(ana, 2, "coverage", 3, expected=0, client="1")
    store.undo(ana, 2, "coverage", expected=1, client="2")
    first, second, third = store.progress()
    assert (first.name, first.tasks, first.done) == ("ana", 2, 1)
    assert (first.questions, first.answered, first.skipped, first.seconds) == (4, 3, 1, 3.5)
    assert (first.first_at, first.last_at) == (one.at, two.at)
    assert (second.name, second.done, second.answered, second.last_at) == ("ben", 0, 0, None)
    assert (third.name, third.tasks) == (None, 2)


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["answer", "skip", "undo", "again", "stale"]),
        st.integers(0, 1),
        st.integers(1, 3),
    ),
    max_size=14,
)
_files = itertools.count()


@settings(max_examples=40)
@given(acts=ACTS)
def test_revisions_follow_a_stack(tmp_path_factory, acts):
    """Any acts at all, beside a plain stack a question: what was said, and what undo uncovers."""
    dimensions = ("fluency", "coverage")
    with Store(tmp_path_factory.getbasetemp() / f"model{next(_files)}.db") as store:
        (token,) = filled(store, jobs(1, 1, dimensions=dimensions), "ana")
        stacks: list[list[object]] = [[], []]
        counts, sent, history = [0, 0], [None, None], 0
        for number, (act, which, value) in enumerate(acts):
            name, seen = dimensions[which], counts[which]
            call: dict = {"expected": seen, "client": f"c{number}"}
            if act in ("answer", "skip"):
                said: dict = {"value": value} if act == "answer" else {"skip": True}
                store.answer(token, 1, name, **said, **call)
                stacks[which].append(said.get("value"))
                sent[which] = {**said, **call}
                counts[which] += 1
                history += 1
            elif act == "undo" and stacks[which]:
                stacks[which].pop()
                saved = store.undo(token, 1, name, **call)
                again = store.undo(token, 1, name, **call)
                assert (again.revision, again.value) == (saved.revision, saved.value)
                counts[which] += 1
                history += 1
            elif act == "undo":
                with pytest.raises(Refused):
                    store.undo(token, 1, name, **call)
            elif act == "again" and sent[which]:
                assert store.answer(token, 1, name, **sent[which]).repeated
            elif act == "stale":
                with pytest.raises(Stale):
                    store.answer(token, 1, name, 1, expected=seen + value, client=f"c{number}")
            now = {row.dimension: row.value for row in store.ratings()}
            assert now == {
                d: stack[-1] for d, stack in zip(dimensions, stacks, strict=True) if stack
            }
            assert len(store.ratings(history=True)) == history


def as_tasks(store):
    """The plan of the store as the assignment has it, and what of it has answers."""
    pairs = []
    for one in store.plan():
        values = {name: getattr(one, name) for name in Task.__dataclass_fields__}
        pairs.append((Task(**values), one.answered))
    return [task for task, _ in pairs], [task for task, answered in pairs if answered]


def test_a_plan_comes_back_as_it_was_given(url, open_store):
    store = open_store(url)
    plan = assignments(design(6, 3, 2, dimensions=(QUALITY, BETTER), repeats=0.25, pilot=2))
    store.create(DESIGN, plan, by="me")
    tasks, done = as_tasks(store)
    assert (tasks, done) == (sorted(plan, key=lambda t: (t.rater, t.order)), [])
    assert store.replan(plan, by="me") == (0, 0)
    assert as_tasks(store)[0] == tasks


@pytest.mark.parametrize("answered", [0, 3, 7])
def test_a_new_plan_for_a_leaver_and_a_newcomer_is_carried_out(url, open_store, answered):
    study = design(8, 3, 2, dimensions=(QUALITY, BETTER))
    store = open_store(url)
    tokens = filled(store, assignments(study), "ana", "ben", "chi")
    for token in tokens:
        for _ in range(answered):
            task = store.open_task(token)
            for name in task.dimensions:
                store.answer(token, task.id, name, "a", expected=0, client="x")
    before = store.ratings()
    late = store.add_rater("late", by="me")
    tasks, done = as_tasks(store)
    new = reassign(study, tasks, done, leaving=[0], joining=[late.seat])
    assert new.moved > 0
    added, withdrawn = store.replan(new.tasks, by="me")
    assert added >= new.moved - len(new.unplaced)
    assert withdrawn >= new.moved
    store.hand_out_again(1, by="me")
    assert store.ratings() == before
    for token in (*tokens[1:], late.token):
        left(store, token)
    rows = store.ratings()
    assert len({row.rater for row in rows if row not in before}) == 3
    assert rows[: sum(row.rater == "ana" for row in rows)] == [
        row for row in before if row.rater == "ana"
    ]
    shown = [(row.item, row.system or frozenset((row.left, row.right))) for row in rows]
    # Two ratings of each, but for what nobody can take who has not seen it.
    assert sum(shown.count(one) < 2 for one in set(shown)) == len(new.unplaced)
    assert max(shown.count(one) for one in shown) == 2


def test_a_plan_that_is_out_of_date_is_refused_whole(url, open_store):
    study = design(6, 3, 2)
    store = open_store(url)
    ana, *_ = filled(store, assignments(study), "ana", "ben", "chi")
    tasks, done = as_tasks(store)
    new = reassign(study, tasks, done, leaving=[0])
    first = store.open_task(ana)
    store.answer(ana, first.id, "quality", 3, expected=0, client="1")
    before = store.plan()
    with pytest.raises(Refused) as told:
        store.replan(new.tasks, by="me")
    assert told.value.code == "plan_outdated"
    assert store.plan() == before
    store.hand_out_again(1, by="me")
    with pytest.raises(UsageError, match="seat 0"):
        store.replan([*as_tasks(store)[0], tasks[1]], by="me")

"""The test before everything else, in the store: decided once, from the newest answers."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier

import pytest

from assay.errors import UsageError
from assay.study.store import Store
from assay.study.store_errors import Refused, Stale
from assay.study.store_records import Answer
from study.stores import DESIGN, Job
from study.test_crash import last_words, writer

RIGHT = 3
keys = count()


def bar(tests=5, share=0.8, tolerance=0.0, right=RIGHT):
    test = [{"key": f"t{k}", "gold": {"fluency": right}} for k in range(tests)]
    return {"items": test, "share": share, "tolerance": tolerance}


def filled(store, *names, tests=5, items=3, dimensions=("fluency",), **more):
    """A study in which each rater has a test first; the raters' tokens."""
    tasks = []
    for rater in range(len(names)):
        kinds = [(f"t{k}", True) for k in range(tests)] + [(f"q{k}", False) for k in range(items)]
        tasks += [
            Job(rater, place, item, qualification=test, dimensions=dimensions)
            for place, (item, test) in enumerate(kinds)
        ]
    store.create(DESIGN | {"qualification": bar(tests, **more)}, tasks, by="me")
    return [store.add_rater(name, by="me").token for name in names]


def say(store, token, task, value, expected=0, **more):
    return store.answer(
        token, task, "fluency", value, expected=expected, client=f"k{next(keys)}", **more
    )


def take(store, token, *values, first=1):
    for task, value in enumerate(values, first):
        say(store, token, task, value)


def verdicts(store):
    return [(line.by, line.act, line.detail) for line in store.audit() if "qualified" in line.act]


def test_who_answers_enough_right_goes_on(open_store, url):
    store = open_store(url)
    (ana,) = filled(store, "ana")
    first = store.visit(ana)
    assert (first.testing, first.task.item, first.task.qualification) == (True, "t0", True)
    # Both counts are of the tasks that are meant, and of no others.
    assert (first.rater.tasks, first.rater.done, first.test.tasks, first.test.done) == (3, 0, 5, 0)
    take(store, ana, 3, 3, 1, 3)
    half = store.visit(ana)
    assert (half.test.done, half.test.state, half.task.item, half.last) == (4, "open", "t4", 4)
    assert verdicts(store) == []
    say(store, ana, 5, 3)
    then = store.visit(ana)
    assert (then.test.state, then.test.right, then.test.questions) == ("passed", 4, 5)
    assert (then.testing, then.task.item, then.rater.done) == (False, "q0", 0)
    # What is over is not where "back" leads.
    assert then.last is None
    assert store.last_task(ana) is None
    score = {"rater": 1, "right": 4, "questions": 5, "needed": 4}
    assert verdicts(store) == [("assay", "qualified", score)]
    say(store, ana, 6, 1)
    assert store.visit(ana).last == 6


def test_who_does_not_is_shown_and_asked_nothing_more(open_store, url):
    store = open_store(url)
    (ana,) = filled(store, "ana")
    take(store, ana, 3, 3, 1, 1, 3)
    over = store.visit(ana)
    assert (over.refused, over.task, over.test.right, over.test.needed) == (True, None, 3, 4)
    assert store.open_task(ana) is None
    for act in (
        lambda: say(store, ana, 6, 1),
        lambda: store.undo(ana, 6, "fluency", expected=0, client="u"),
        lambda: store.task(ana, 6),
        lambda: store.visit(ana, 6),
    ):
        with pytest.raises(Refused) as told:
            act()
        assert told.value.code == "not_qualified"
    assert [row.item for row in store.ratings()] == [f"t{k}" for k in range(5)]
    assert verdicts(store)[0][1] == "not_qualified"


def test_nothing_else_is_shown_or_taken_before_the_test_is_decided(open_store, url):
    store = open_store(url)
    (ana,) = filled(store, "ana")
    later = [Answer("fluency", 1, 0, "later")]
    for answered in range(6):
        for act in (lambda: store.answers(ana, 6, later), lambda: store.visit(ana, 7),
                    lambda: store.task(ana, 6)):  # fmt: skip
            with pytest.raises(Refused) as told:
                act()
            assert told.value.code == "not_qualified"
        if answered < 5:
            say(store, ana, answered + 1, RIGHT)
    # All is right, and still it is the visit that decides: until then an answer can be changed.
    assert verdicts(store) == []
    say(store, ana, 5, 1, expected=1)
    say(store, ana, 4, 1, expected=1)
    assert store.visit(ana, 5).testing
    assert verdicts(store) == []
    assert store.visit(ana).test.state == "refused"


def test_the_newest_answers_count(open_store, url):
    store = open_store(url)
    (ana,) = filled(store, "ana", tests=1)
    say(store, ana, 1, 1)
    say(store, ana, 1, RIGHT, expected=1)
    assert store.visit(ana).test.state == "passed"


def test_an_answer_that_was_taken_back_is_open_again(open_store, url):
    store = open_store(url)
    (ana,) = filled(store, "ana", tests=1)
    say(store, ana, 1, RIGHT)
    store.undo(ana, 1, "fluency", expected=1, client="u")
    assert (store.visit(ana).test.done, store.visit(ana).task.item) == (0, "t0")


def test_cannot_judge_is_not_right(open_store, url):
    store = open_store(url)
    (ana,) = filled(store, "ana", tests=1)
    say(store, ana, 1, None, skip=True)
    assert store.visit(ana).test.state == "refused"


def test_questions_without_a_right_answer_are_asked_and_not_counted(open_store, url):
    store = open_store(url)
    (ana,) = filled(store, "ana", tests=2, dimensions=("fluency", "coverage"), share=1.0)
    for task in (1, 2):
        store.answers(ana, task, [Answer("fluency", RIGHT, 0, "a"), Answer("coverage", 1, 0, "a")])
    assert (store.visit(ana).test.state, store.visit(ana).test.questions) == ("passed", 2)


def test_after_the_decision_the_test_is_not_changed_and_what_was_saved_is_confirmed(
    open_store, url
):
    store = open_store(url)
    (ana,) = filled(store, "ana", tests=1)
    last = Answer("fluency", RIGHT, 0, "last")
    store.answers(ana, 1, [last])
    store.visit(ana)
    # A double click whose second half comes late is no change.
    assert store.answers(ana, 1, [last])[0].repeated
    for act in (
        lambda: say(store, ana, 1, 1, expected=1),
        lambda: store.undo(ana, 1, "fluency", expected=1, client="u"),
    ):
        with pytest.raises(Refused) as told:
            act()
        assert told.value.code == "qualification_over"
    assert [row.value for row in store.ratings(history=True)] == [RIGHT]


def test_many_at_once_decide_once(open_store, url):
    """Double clicks, tabs and tasks of the test in any order: one result, one line in the log."""
    store = open_store(url, wait=60)
    (ana,) = filled(store, "ana", tests=3)
    take(store, ana, RIGHT, RIGHT)
    ready, told = Barrier(8), []

    def act(k):
        ready.wait()
        try:
            # Two tabs with another answer each, every one of them sent twice.
            value = RIGHT if k % 2 else 1
            store.answers(ana, 3, [Answer("fluency", value, 0, f"tab {k % 2}")])
        except (Stale, Refused) as error:
            told.append(error.code)
        return store.visit(ana).test

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(act, range(8)))
    assert set(told) <= {"stale_answer", "qualification_over"}
    (row,) = [row for row in store.ratings(history=True) if row.task == 3]
    state, right = ("passed", 3) if row.value == RIGHT else ("refused", 2)
    assert {(one.state, one.right) for one in seen} == {(state, right)}
    assert len(verdicts(store)) == 1


def test_a_change_that_is_on_its_way_is_seen_or_refused(open_store, url):
    """Whatever is confirmed before the decision is in it; nothing is confirmed after it."""
    store = open_store(url, wait=60)
    names = [f"r{k}" for k in range(6)]
    tokens = filled(store, *names, tests=1, items=1)
    for k, token in enumerate(tokens):
        say(store, token, 2 * k + 1, 1)
        ready = Barrier(2)

        def change(token=token, task=2 * k + 1, ready=ready):
            ready.wait()
            try:
                return say(store, token, task, RIGHT, expected=1)
            except Refused as error:
                return error.code

        def decide(token=token, ready=ready):
            ready.wait()
            return store.visit(token).test.state

        with ThreadPoolExecutor(2) as pool:
            changed, state = pool.submit(change), pool.submit(decide)
        refused = changed.result() == "qualification_over"
        assert state.result() == ("refused" if refused else "passed")


@pytest.mark.parametrize("value", [0, 1])
def test_a_program_killed_between_the_last_answer_and_the_decision_loses_nothing(
    open_store, url, value
):
    store = open_store(url)
    (ana,) = filled(store, "ana", tests=5, right=value)
    store.close_connections()
    # It answers task k with k % 5: one of the five is right, and it is killed before any visit.
    process = writer(url, ana, 1, 5)
    lines = [process.stdout.readline() for _ in range(5)]
    process.send_signal(signal.SIGKILL)
    _, said = last_words(process)
    assert lines[-1].startswith("5 1 0"), said
    again = open_store(url)
    assert verdicts(again) == []
    with pytest.raises(Refused):
        say(again, ana, 6, 1)
    found = again.visit(ana)
    assert (found.test.state, found.test.right) == ("refused", 1)
    assert len(verdicts(again)) == 1


def test_a_decision_that_fails_half_way_is_none(open_store, url, monkeypatch):
    """The result and its line in the log are there together, or neither is."""
    from assay.study import store_manage

    store = open_store(url)
    (ana,) = filled(store, "ana", tests=1)
    say(store, ana, 1, RIGHT)
    with monkeypatch.context() as patched:
        patched.setattr(store_manage, "note", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store.visit(ana)
    assert store.visit(ana, 1).testing
    assert store.visit(ana).test.state == "passed"
    assert len(verdicts(store)) == 1


def test_who_did_not_pass_can_be_let_in_once(open_store, url):
    store = open_store(url)
    ana, ben = filled(store, "ana", "ben", tests=1, items=1)
    with pytest.raises(Refused) as told:
        store.let_in(1, by="me")
    assert told.value.code == "not_decided"
    say(store, ana, 1, 1)
    store.visit(ana)
    store.let_in(1, by="me")
    store.let_in(1, by="me")
    let = [line for line in store.audit() if line.act == "let_in"]
    assert [(line.by, line.detail) for line in let] == [("me", {"rater": 1})]
    seen = store.visit(ana)
    assert (seen.test.state, seen.task.item) == ("let_in", "q0")
    say(store, ana, 2, 1)
    with pytest.raises(Refused) as told:
        say(store, ana, 1, RIGHT, expected=1)
    assert told.value.code == "qualification_over"
    with pytest.raises(UsageError):
        store.let_in(9, by="me")
    # Who passed is no case for it.
    say(store, ben, 3, RIGHT)
    store.visit(ben)
    store.let_in(2, by="me")
    assert [one.state for one in store.standings()] == ["let_in", "passed"]


def test_open_tasks_of_who_did_not_pass_go_to_others_and_none_to_them(open_store, url):
    store = open_store(url)
    tasks = [
        *(Job(rater, 0, "t0", qualification=True) for rater in range(3)),
        *(Job(rater, 1, f"q{rater}") for rater in range(3)),
    ]
    store.create(DESIGN | {"qualification": bar(1)}, tasks, by="me")
    ana, ben, eva = (store.add_rater(name, by="me").token for name in ("ana", "ben", "eva"))
    say(store, ana, 1, 1)
    assert store.visit(ana).refused
    # Nothing of others goes to who did not pass, not even on demand.
    gone = store.hand_out_again(2, by="me")
    assert [to for _, to in gone.given] == [3]
    assert gone.dropped == ()  # the test stays, for when ben comes back
    with pytest.raises(UsageError, match="did not pass"):
        store.hand_out_again(2, by="me", to=[1])
    with pytest.raises(Refused) as told:
        store.move([(6, 1)], by="me")
    assert told.value.code == "not_qualified"
    gone = store.hand_out_again(1, by="me")
    assert [to for _, to in gone.given] == [3]
    assert store.visit(ana).refused
    with pytest.raises(Refused) as told:
        store.let_in(1, by="me")
    assert told.value.code == "rater_left"
    assert store.progress()[2].tasks == 3
    assert store.rater(eva).tasks == 3
    assert store.visit(ben).task is None


def test_the_test_is_no_data(open_store, url, tmp_path):
    store = open_store(url)
    (ana,) = filled(store, "ana", tests=1, items=1)
    say(store, ana, 1, RIGHT, seconds=2.0)
    store.visit(ana)
    say(store, ana, 2, 1, seconds=4.0)
    (line,) = store.progress()
    assert (line.tasks, line.done, line.questions, line.answered) == (1, 1, 1, 1)
    assert line.seconds == 4.0
    assert [(r.item, r.check, r.qualification, r.apart) for r in store.ratings()] == [
        ("t0", False, True, True), ("q0", False, False, False),
    ]  # fmt: skip
    plain = store.export(tmp_path / "a.csv").read_text().splitlines()
    assert [row.partition(",")[0] for row in plain] == ["item", "q0"]
    every = store.export(tmp_path / "b.csv", checks=True).read_text().splitlines()
    at = [every[0].split(",").index(name) for name in ("item", "check", "qualification", "gold")]
    assert [[row.split(",")[k] for k in at] for row in every[1:]] == [
        ["t0", "True", "True", "3"], ["q0", "False", "False", ""],
    ]  # fmt: skip


def test_a_test_that_would_come_later_is_refused(open_store, url):
    store = open_store(url)
    tasks = [Job(0, 0, "t0", qualification=True), Job(0, 1, "q0"), Job(1, 0, "q0")]
    for late in (Job(0, 2, "t1", qualification=True), Job(1, 1, "t0", qualification=True)):
        with pytest.raises(UsageError, match="of the test, which comes before all others"):
            store.create(DESIGN | {"qualification": bar(2)}, [late, *tasks], by="me")
    store.create(DESIGN | {"qualification": bar(2)}, tasks, by="me")


def test_a_study_without_a_test_has_nothing_of_it(open_store, url):
    store = open_store(url)
    store.create(DESIGN, [Job(0, 0, "q0")], by="me")
    ana = store.add_rater("ana", by="me").token
    assert (store.visit(ana).test, store.visit(ana).testing, store.standings()) == (None, False, [])


def test_the_store_reads_what_the_design_says(tmp_path):
    """From the file to the verdict, also of a number that is near enough."""
    from assay.study.assign import assignments
    from assay.study.design_read import read_design
    from assay.study.design_stored import design_of
    from study.files import ASK, TABLE, TOP, made

    text = TOP + TABLE + ASK + (
        "mechanism = 'interval'\nlow = 0\nhigh = 10\n[qualification]\nfile = 'test.csv'\n"
        "systems = ['a']\npass = 0.5\ntolerance = 1\ngold.fluency = 'right'\n"
    )  # fmt: skip
    rows = "id,a,right\nt1,A,5\nt2,B,7\n"
    design = read_design(made(tmp_path, text, test_csv=rows))
    with Store(tmp_path / "study.db") as store:
        store.create(design, assignments(design), by="me")
        assert design_of(store.design()) == design
        ana = store.add_rater("ana", by="me").token
        near = {"t1": 6, "t2": 9}
        while (seen := store.visit(ana)).testing and seen.task:
            say(store, ana, seen.task.id, near[seen.task.item])
        assert seen.test is not None
        assert (seen.test.state, seen.test.right, seen.test.needed) == ("passed", 1, 1)

"""Batches in the store, and raters who leave and come back."""

from __future__ import annotations

import csv
import random
from collections import Counter, defaultdict
from itertools import groupby

import duckdb
import pytest

import assay
from assay.errors import UsageError
from assay.study.begin import begin
from assay.study.joining import give_work
from assay.study.store_errors import Refused, UnknownLink
from study.designs import design, items
from study.stores import Job, filled


def begun(store, study):
    """The raters' tokens."""
    return [path.rpartition("/")[2] for path in begin(store, study, by="me").links.raters.values()]


def answer_next(store, token):
    """Answer the first open task; False where there is none."""
    task = store.open_task(token)
    if task is None:
        return False
    for name in task.dimensions:
        store.answer(token, task.id, name, 3, expected=0, client=f"{task.id}")
    return True


def lines(store):
    """What each seat has, answered or open, in order."""
    found = defaultdict(list)
    for one in store.plan():
        found[one.rater].append(one)
    return found


def test_a_visit_says_when_a_batch_is_over(open_store, url):
    store = open_store(url)
    (token, *_) = begun(store, design(6, 3, 3, systems=("a",), batch=2))
    seen = []
    while (now := store.visit(token)).task is not None:
        far = now.batches
        seen.append((far.all, far.done, far.waiting, far.fresh))
        # What was asked for is shown as it is.
        assert store.visit(token, now.task.id).batches is None
        answer_next(store, token)
    assert seen == [
        (3, 0, 2, True), (3, 0, 1, False), (3, 1, 2, True), (3, 1, 1, False), (3, 2, 2, True),
        (3, 2, 1, False),
    ]  # fmt: skip
    assert now.batches is None
    assert [(one.batches_done, one.batches) for one in store.progress()] == [(3, 3), (0, 3), (0, 3)]


def test_a_task_that_is_begun_is_a_batch_that_is_begun(open_store, tmp_path):
    store = open_store(tmp_path / "study.db")
    asked = ("fluency", "coverage")
    jobs = [Job(0, 0, "q0", dimensions=asked, batch=1), Job(0, 1, "q1", dimensions=asked, batch=2)]
    (ana,) = filled(store, jobs, "ana")
    for name in asked:
        store.answer(ana, 1, name, 3, expected=0, client="1")
    assert store.visit(ana).batches.fresh
    store.answer(ana, 2, "coverage", 3, expected=0, client="2")
    assert not store.visit(ana).batches.fresh


def test_without_batches_nothing_is_said_of_them(open_store, tmp_path):
    store = open_store(tmp_path / "study.db")
    (token, *_) = begun(store, design(2, 2, 2, systems=("a",)))
    assert store.visit(token).batches is None
    answer_next(store, token)
    assert [one.batches for one in store.progress()] == [0, 0]
    assert [row.batch for row in store.ratings()] == [None]
    with store.export(tmp_path / "x.csv").open(encoding="utf-8") as file:
        assert "batch" not in next(csv.reader(file))


def test_exports_say_the_batch(open_store, tmp_path):
    store = open_store(tmp_path / "study.db")
    study = design(8, 2, 2, batch=3, repeats=0.25)
    for token in begun(store, study):
        while answer_next(store, token):
            pass
    met = {one.id: one.batch for one in store.plan()}
    assert {row.task: row.batch for row in store.ratings()} == met
    assert set(met.values()) == {1, 2, 3}
    path = store.export(tmp_path / "ratings.parquet")
    rows = duckdb.read_parquet(str(path)).project("task_number, batch").fetchall()
    assert dict(rows) == met
    # The column is in the way of nobody who reads the file.
    table = store.export(tmp_path / "ratings.csv")
    assert assay.evaluate(table).to_dict()["dimensions"]


def test_batches_of_a_leaver_go_on_as_a_whole(open_store, url):
    store = open_store(url)
    study = design(24, 4, 1, systems=("a",), batch=3)
    (token, *_) = begun(store, study)
    before = {one.item: one.batch for one in store.plan()}
    whole = lines(store)[0][3].batch
    rest = lines(store)[0][0].batch
    for _ in range(2):
        answer_next(store, token)
    store.hand_out_again(1, by="me")
    moved = [one for one in store.plan() if one.rater and before[one.item] in (whole, rest)]
    together = [one for one in moved if before[one.item] == whole]
    assert len(together) == 3
    assert {(one.rater, one.batch) for one in together} == {(together[0].rater, whole)}
    # One task of three is no batch: it is met at the end of the last one of its new rater.
    (lone,) = [one for one in moved if before[one.item] == rest]
    own = lines(store)[lone.rater]
    assert own[-1].id == lone.id
    assert lone.batch == own[-2].batch != rest


def test_a_batch_that_nobody_can_take_whole_goes_item_by_item(open_store, tmp_path):
    store = open_store(tmp_path / "study.db")
    leaver = [
        Job(0, place, f"q{place // 2}", (system,), batch=1)
        for place, system in enumerate("abababab")
    ]
    others = [Job(1, 0, "q0", ("a",), batch=2), Job(2, 0, "q1", ("b",), batch=3)]
    filled(store, [*leaver, *others], "ana", "bo", "chi")
    store.hand_out_again(1, by="me")
    who = defaultdict(set)
    for one in store.plan():
        who[one.item].add(one.rater)
    # q0 cannot be bo's as a whole, nor q1 chi's; every item has one rater for all that moved.
    moved = [one for one in store.plan() if one.order]
    assert len(moved) == 8
    assert all(len({one.rater for one in moved if one.item == item}) == 1 for item in who)


def test_a_new_plan_moves_a_second_showing_to_another_batch(open_store, tmp_path):
    store = open_store(tmp_path / "study.db")
    jobs = [Job(0, 0, "q0", batch=1), Job(0, 1, "q1", batch=2), Job(0, 2, "q0", repeat=1, batch=2)]
    filled(store, jobs, "ana")
    assert store.replan([*jobs[:2], Job(0, 2, "q0", repeat=1, batch=1)], by="me") == (0, 0)
    assert [one.batch for one in store.plan()] == [1, 2, 1]


# Back again.


def test_who_comes_back_keeps_their_answers_and_gets_other_work(open_store, url):
    store = open_store(url)
    study = design(20, 3, 2, systems=("a",), checks=items(
        1, ("a",), check=True, prefix="check", gold={"quality": 3}
    ))  # fmt: skip
    first, *_ = begun(store, study)
    for _ in range(4):
        answer_next(store, first)
    told = [(row.item, row.value) for row in store.ratings()]
    store.hand_out_again(1, by="me")
    back = store.let_back_in(1, by="me")
    assert (back.seat, back.name) == (0, "rater 1")
    with pytest.raises(UnknownLink):
        store.rater(first)
    assert store.rater(back.token).left_at is None
    given = give_work(store, study, back.seat, by="me", back=True)
    assert given > 0
    assert [(row.item, row.value) for row in store.ratings()] == told
    own = [one for one in store.plan() if one.rater == 0]
    assert Counter(one.item for one in own).most_common(1)[0][1] == 1
    assert sum(not (one.answered or one.check) for one in own) == given
    # The check that was dropped when they left is theirs again.
    assert sum(one.check for one in own) == 1
    while answer_next(store, back.token):
        pass
    assert store.rater(back.token).done == store.rater(back.token).tasks
    assert [line.act for line in store.audit()][-3:] == ["hand_out_again", "let_back_in", "replan"]
    assert store.audit()[-2].detail == {"rater": 1}


def test_only_who_has_left_comes_back(open_store, url):
    store = open_store(url)
    begun(store, design(4, 2, 1))
    before = store.audit()
    with pytest.raises(Refused, match="has not left") as caught:
        store.let_back_in(1, by="me")
    assert caught.value.code == "rater_not_left"
    with pytest.raises(UsageError, match="no rater 9"):
        store.let_back_in(9, by="me")
    assert store.audit() == before


def test_a_seat_that_nobody_had_lets_nobody_in(open_store, tmp_path):
    store = open_store(tmp_path / "study.db")
    filled(store, [Job(0, 0, "q0"), Job(1, 0, "q1")], "ana")
    store.hand_out_again(2, by="me")
    with pytest.raises(Refused) as caught:
        store.let_back_in(2, by="me")
    assert caught.value.code == "free_seat"


def test_what_waited_for_somebody_is_there_when_they_come_back(open_store, tmp_path):
    """Nobody else could take it: it was never anybody else's."""
    store = open_store(tmp_path / "study.db")
    study = design(4, 2, 2, systems=("a",))
    first, _ = begun(store, study)
    answer_next(store, first)
    assert len(store.hand_out_again(1, by="me").kept) == 3
    back = store.let_back_in(1, by="me")
    assert give_work(store, study, back.seat, by="me", back=True) == 3


def test_where_nothing_is_left_who_comes_back_is_told_so(open_store, tmp_path):
    store = open_store(tmp_path / "study.db")
    study = design(4, 2, 1, systems=("a",))
    tokens = begun(store, study)
    store.hand_out_again(1, by="me")
    while answer_next(store, tokens[1]):
        pass
    back = store.let_back_in(1, by="me")
    assert give_work(store, study, back.seat, by="me", back=True) == 0


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_in_whatever_order(open_store, tmp_path, seed):
    """Raters answer, leave, join and come back; nothing is lost, doubled or torn apart."""
    chance = random.Random(seed)
    store = open_store(tmp_path / "study.db")
    study = design(
        chance.randint(9, 20), 3, chance.randint(1, 3), systems=("a", "b"), repeats=0.2,
        batch=chance.choice([None, 2, 4]), pilot=chance.choice([0, 4]), seed=seed,
        checks=items(1, check=True, prefix="check", gold={"quality": 3}),
    )  # fmt: skip
    tokens = dict(enumerate(begun(store, study), 1))
    asked = Counter(
        (one.item, one.systems) for one in store.plan() if not (one.repeat or one.check)
    )
    for _ in range(14):
        act = chance.choice(["answer", "answer", "answer", "leave", "join", "back"])
        here = [one for one in store.progress() if one.left_at is None]
        gone = [one for one in store.progress() if one.left_at is not None]
        if act == "answer" and here:
            token = tokens[chance.choice(here).id]
            for _ in range(chance.randint(1, 6)):
                answer_next(store, token)
        elif act == "leave" and here:
            store.hand_out_again(chance.choice(here).id, by="me")
        elif act == "join" and len(tokens) < 6:
            late = store.add_rater(f"late {len(tokens)}", by="me")
            tokens[late.id] = late.token
            give_work(store, study, late.seat, by="me")
        elif act == "back" and gone:
            late = store.let_back_in(chance.choice(gone).id, by="me")
            tokens[late.id] = late.token
            give_work(store, study, late.seat, by="me", back=True)
        plan = store.plan()
        units = [
            (one.rater, one.item, one.systems) for one in plan if not (one.repeat or one.check)
        ]
        assert len(set(units)) == len(units)
        assert Counter(unit[1:] for unit in units) == asked
        for own in lines(store).values():
            met = [one.batch for one in own if one.batch is not None]
            assert (len(met) == 0) is (study.batch is None)
            # A repeat that comes late may stand at the end; a batch is still met once.
            assert len([b for b, _ in groupby(met)]) == len(set(met))
            assert len({one.item for one in own if one.check}) == sum(one.check for one in own)

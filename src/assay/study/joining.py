"""Work for somebody who joins late or comes back, taken from the open tasks of the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from assay.study.assign import Task
from assay.study.assign_again import reassign
from assay.study.design import Design
from assay.study.store import Store
from assay.study.store_errors import Refused
from assay.study.store_records import Planned, TaskLike

TRIES = 5


def give_work(store: Store, design: Design, seat: int, *, by: str, back: bool = False) -> int:
    """Give a newcomer's seat its share of the open tasks, if it has none; or one that is back.

    Returns how many it has open, attention checks and the test apart; where there is no other
    task for it, the plan stays as it is but for the test. Answers may come in meanwhile: it is
    then made again from what is there.
    """
    for left in range(TRIES, 0, -1):
        plan = store.plan()
        there = any(one.rater == seat for one in plan)
        if there and not back:
            return _work(plan, seat)
        tasks = {
            one.id: Task(
                one.rater, one.order, one.item, one.kind, one.systems, one.dimensions, one.repeat,
                one.check, one.pilot, one.batch, one.qualification,
            )
            for one in plan
        }  # fmt: skip
        done = [tasks[one.id] for one in plan if one.answered]
        # Who did not pass the test gets nothing more either; what they have waits for others.
        refused = {one.rater for one in store.standings() if one.state == "refused"}
        people = store.progress()
        gone = [one.seat for one in people if one.left_at is not None or one.id in refused]
        if seat in gone:
            return 0
        # A seat of the design that had no tasks is in the plan's view somebody's, too.
        known = there or seat < len(design.raters)
        who = {"returning" if known else "joining": [seat]}
        made = reassign(design, list(tasks.values()), done, leaving=gone, **who)
        answered = {(one.rater, one.order) for one in done}
        given = _work((t for t in made.tasks if (t.rater, t.order) not in answered), seat)
        # What nobody can take stays where it is, and waits; the test is there when they are back.
        tests = (
            tasks[one.id]
            for one in plan
            if one.qualification and one.rater in gone and not one.answered
        )
        planned = (*made.tasks, *made.unplaced, *tests)
        held = {t.unit for t in made.tasks if t.rater == seat}
        halves = [one.id for one in plan if _half(one, gone) and tasks[one.id].unit not in held]
        if not given:
            # The test can be taken already: what others leave later goes to who has passed it.
            had = {t.unit for t in tasks.values() if t.rater == seat}
            mine = (t for t in made.tasks if t.rater == seat and t.qualification)
            more = (t for t in mine if t.unit not in had)
            planned = (*tasks.values(), *more)
        try:
            if given or len(planned) > len(tasks):
                store.replan(planned, by=by)
        except Refused as error:
            if error.code != "plan_outdated" or left == 1:
                raise
            continue
        if halves:
            (number,) = (one.id for one in people if one.seat == seat)
            store.move([(task, number) for task in halves], by=by)
        return given + len(halves)
    return 0


def _half(one: Planned, gone: Collection[int]) -> bool:
    """Whether somebody who gets nothing more has answered it in part, and the rest is wanted."""
    apart = one.repeat or one.check or one.qualification
    return bool(one.rest) and one.rater in gone and not apart


def _work(tasks: Iterable[TaskLike], seat: int) -> int:
    return sum(one.rater == seat and not (one.check or one.qualification) for one in tasks)

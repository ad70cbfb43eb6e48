"""Work for somebody who joins late, taken from the open tasks of the others."""

from __future__ import annotations

from assay.study.assign import Task
from assay.study.assign_again import reassign
from assay.study.store_errors import Refused
from assay.web.study.site import Site

TRIES = 5


def give_work(site: Site, seat: int, *, by: str) -> None:
    """Give a newcomer's seat its share of the open tasks, if it has none.

    Answers may come in meanwhile: the plan is then made again from what is there.
    """
    for left in range(TRIES, 0, -1):
        plan = site.store.plan()
        if any(one.rater == seat for one in plan):
            return
        tasks = {
            one.id: Task(
                one.rater, one.order, one.item, one.kind, one.systems, one.dimensions, one.repeat,
                one.check, one.pilot,
            )
            for one in plan
        }  # fmt: skip
        done = [tasks[one.id] for one in plan if one.answered]
        gone = [one.seat for one in site.store.progress() if one.left_at is not None]
        made = reassign(site.design, list(tasks.values()), done, leaving=gone, joining=[seat])
        try:
            site.store.replan(made.tasks, by=by)
        except Refused as error:
            if error.code != "plan_outdated" or left == 1:
                raise
        else:
            return

"""What one look at a rater's page needs, read at once.

Asked for by every page, so the statements are made once and all is one transaction.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from assay.study.store_answers import identify
from assay.study.store_errors import Refused
from assay.study.store_qualify import BarOf, not_qualified, standing, unqualified
from assay.study.store_records import OPEN, Batches, OpenTask, Rater, Standing
from assay.study.store_schema import current, question, study, task
from assay.study.store_tasks import OPEN_QUESTION, OPEN_TASK, own_task, shown
from assay.study.store_values import within


@dataclass(frozen=True, slots=True)
class Visit:
    """A rater at their page.

    Attributes
    ----------
    rater, closed
        Who it is and how far they are; whether answers are no longer taken.
    test
        Where they stand with the test that comes before everything else; None without one.
    task
        The task asked for, else the first open one, of the test until that is passed; None when
        all is done.
    last
        The task whose answer was given last, apart from ``task``: where "back" leads.
    batches
        How far they are in batches; None where the task is of none, or was asked for.
    """

    rater: Rater
    closed: bool
    task: OpenTask | None
    last: int | None
    batches: Batches | None = None
    test: Standing | None = None

    @property
    def testing(self) -> bool:
        """Whether nothing but the test is shown."""
        return self.test is not None and self.test.qualified_at is None

    @property
    def refused(self) -> bool:
        """Whether they did not pass the test."""
        return self.test is not None and self.test.state == "refused"


_MINE = sa.and_(task.c.rater_id == sa.bindparam("who"), task.c.withdrawn_at.is_(None))
_TEST = task.c.is_qualification == sa.bindparam("test")
_STATE = sa.select(
    sa.func.count(sa.case((~task.c.is_qualification, 1))),
    sa.func.count(sa.case((sa.and_(~OPEN_TASK, ~task.c.is_qualification), 1))),
    sa.func.count(sa.case((task.c.is_qualification, 1))),
    sa.select(study.c.closed_at).where(study.c.id == 1).scalar_subquery(),
).where(_MINE)
_FIRST_OPEN = sa.select(task).where(_MINE, _TEST, OPEN_TASK).order_by(task.c.position).limit(1)
_ASKED = sa.select(task).where(
    task.c.rater_id == sa.bindparam("who"), task.c.id == sa.bindparam("task")
)
_LAST = (
    sa.select(current.c.task_id)
    .select_from(current.join(task, task.c.id == current.c.task_id))
    .where(_MINE, _TEST, current.c.kind != OPEN, task.c.id != sa.bindparam("task"))
    .order_by(current.c.id.desc())
    .limit(1)
)


_BATCHES = (
    sa.select(
        task.c.batch,
        sa.func.count(sa.case((OPEN_TASK, 1))).label("open"),
        sa.func.count(
            sa.case((sa.exists().where(question.c.task_id == task.c.id).where(~OPEN_QUESTION), 1))
        ).label("begun"),
    )
    .where(_MINE, task.c.batch.is_not(None))
    .group_by(task.c.batch)
)


def visit(connection: sa.Connection, token: str, bar: BarOf, asked: int | None = None) -> Visit:
    """Who a token belongs to, how far they are, and a task: the first open one, or one asked for.

    Raises
    ------
    UnknownLink
        If the token is nobody's.
    Refused
        If the task asked for is not theirs, or is to come after a test that they have not passed.
    """
    row = identify(connection, token)
    who = {"who": row.id}
    tasks, done, tests, closed_at = connection.execute(_STATE, who).one()
    test = standing(connection, row, bar(connection)) if tests else None
    who["test"] = testing = test is not None and row.qualified_at is None
    found = None
    if asked is not None:
        found = connection.execute(_ASKED, who | {"task": within(asked)}).first()
        if found is None:
            raise Refused("this task is not among yours.", code="not_your_task")
        if testing and not found.is_qualification:
            raise not_qualified()
    elif row.left_at is None:
        found = connection.execute(_FIRST_OPEN, who).first()
    here = 0 if found is None else found.id
    number = None if found is None or asked is not None else found.batch
    return Visit(
        Rater(
            row.id, row.seat, row.name, row.joined_at, row.consented_at, row.left_at, tasks, done
        ),
        closed_at is not None,
        None if found is None else shown(connection, found),
        connection.scalar(_LAST, who | {"task": here}),
        None if number is None else _batches(connection, who, number),
        test,
    )


def _batches(connection: sa.Connection, who: dict[str, int], number: int) -> Batches:
    """How far a rater is, whose next task is of this batch."""
    rows = connection.execute(_BATCHES, who).all()
    (here,) = (row for row in rows if row.batch == number)
    return Batches(len(rows), sum(not row.open for row in rows), here.open, not here.begun)


def last_task(connection: sa.Connection, token: str) -> OpenTask | None:
    """The task that a rater answered last and that can be undone."""
    who = identify(connection, token)
    test = unqualified(connection, who.id)
    newest = connection.scalar(_LAST, {"who": who.id, "task": 0, "test": test})
    return None if newest is None else own_task(connection, token, newest)

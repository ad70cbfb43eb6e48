"""Tasks: putting them in, and finding the one to show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from assay.errors import UsageError, one_of
from assay.study.store_answers import as_current, identify
from assay.study.store_errors import Refused
from assay.study.store_qualify import not_qualified, unqualified
from assay.study.store_records import OPEN, OpenTask, TaskLike
from assay.study.store_schema import current, question, task
from assay.study.store_values import MAX_NAME, checked, to_json, within

KINDS = ("single", "pair", "all")

OPEN_QUESTION = ~(
    sa.exists()
    .where(current.c.task_id == question.c.task_id)
    .where(current.c.dimension == question.c.dimension)
    .where(current.c.kind != OPEN)
)
"""Whether a question has no answer, or one that was undone."""

OPEN_TASK = sa.and_(
    task.c.withdrawn_at.is_(None),
    sa.exists().where(question.c.task_id == task.c.id).where(OPEN_QUESTION),
)


SHOWN_TASK = sa.or_(
    task.c.withdrawn_at.is_(None),
    sa.exists().where(question.c.task_id == task.c.id).where(~OPEN_QUESTION),
)
"""Whether a rater has a task or has answered it: one withdrawn before that is not theirs."""


def add_tasks(
    connection: sa.Connection, tasks: Iterable[TaskLike], seats: Mapping[int, int]
) -> int:
    """Put assigned tasks in; ``seats`` gives the rater's id for each seat."""
    tasks = list(tasks)
    leading: dict[int, bool] = {}
    for one in sorted(tasks, key=lambda one: one.order):
        if one.qualification and not leading.setdefault(one.rater, True):
            raise UsageError(f"tasks: {one.item!r} is of the test, which comes before all others.")
        leading[one.rater] = one.qualification
    first = next_id(connection)
    rows, questions = [], []
    for number, one in enumerate(tasks, first):
        if not one.dimensions:
            raise UsageError(f"tasks: the task of {one.item!r} asks nothing.")
        one_of(one.kind, KINDS, "kind")
        if one.kind == "pair" and len(one.systems) != 2:
            raise UsageError(f"tasks: a pair of {one.item!r} needs two systems: {one.systems}.")
        rows.append(
            {
                "id": number,
                "rater_id": seats[one.rater],
                "position": one.order,
                "item": one.item,
                "kind": one.kind,
                "systems": to_json(one.systems),
                "repeat": int(one.repeat),
                "is_check": bool(one.check),
                "is_pilot": bool(one.pilot),
                "batch": one.batch,
                "is_qualification": bool(one.qualification),
                "from_task": None,
                "withdrawn_at": None,
            }
        )
        questions += [
            {"task_id": number, "dimension": checked(name, "dimension", MAX_NAME), "position": k}
            for k, name in enumerate(one.dimensions)
        ]
    if rows:
        connection.execute(sa.insert(task), rows)
        connection.execute(sa.insert(question), questions)
    return len(rows)


def next_id(connection: sa.Connection) -> int:
    """The number of the next task."""
    return int(connection.scalar(sa.select(sa.func.coalesce(sa.func.max(task.c.id), 0))) or 0) + 1


def own_task(connection: sa.Connection, token: str, task_id: int) -> OpenTask:
    """One of a rater's own tasks, answered or not."""
    who = identify(connection, token)
    found = connection.execute(
        sa.select(task).where(task.c.id == within(task_id), task.c.rater_id == who.id)
    ).first()
    if found is None:
        raise Refused("this task is not among yours.", code="not_your_task")
    if not found.is_qualification and unqualified(connection, who.id):
        raise not_qualified()
    return shown(connection, found)


_ASKED = (
    sa.select(question.c.dimension.label("asked"), current)
    .select_from(
        question.outerjoin(
            current,
            sa.and_(
                current.c.task_id == question.c.task_id,
                current.c.dimension == question.c.dimension,
            ),
        )
    )
    .where(question.c.task_id == sa.bindparam("task"))
    .order_by(question.c.position)
)


def shown(connection: sa.Connection, row: sa.Row[Any]) -> OpenTask:
    """A task as its rater may see it."""
    answers = {
        one.asked: as_current(one.asked, None if one.revision is None else one)
        for one in connection.execute(_ASKED, {"task": row.id})
    }
    return OpenTask(
        row.id,
        row.position,
        row.item,
        row.kind,
        tuple(json.loads(row.systems)),
        tuple(answers),
        row.repeat,
        row.is_check,
        row.is_pilot,
        row.is_qualification,
        answers,
    )

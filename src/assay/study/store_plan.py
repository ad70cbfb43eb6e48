"""Giving tasks out again: of raters who leave, to raters who join, or as a new plan says.

Nothing that was answered moves. A task that goes to somebody else is withdrawn, with a new one
made for the other, so that every answer stays with the rater and the task it was given to.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from assay.errors import UsageError
from assay.study.store_errors import Refused
from assay.study.store_records import HandedOut, Planned, TaskLike
from assay.study.store_schema import question, rater, study, task
from assay.study.store_tasks import OPEN_QUESTION, OPEN_TASK, SHOWN_TASK, add_tasks, next_id
from assay.study.store_values import now, to_json

Rows = Sequence[sa.Row[Any]]


def move(
    connection: sa.Connection, moves: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Give open tasks to other raters: pairs of a task and the rater who gets it.

    The old task is withdrawn and a new one made of its open questions, at the end of the other's
    order. Nothing that was answered moves.
    """
    given = []
    whole = _whole(connection, moves)
    for task_id, to in moves:
        # Locked, so that an answer that is on its way is either seen here or refused.
        old = connection.execute(
            sa.select(task).where(task.c.id == task_id).with_for_update()
        ).first()
        receiver = connection.execute(sa.select(rater).where(rater.c.id == to)).first()
        if old is None or receiver is None:
            raise UsageError(f"task {task_id} to rater {to}: there is no such task or rater.")
        if receiver.left_at is not None:
            raise Refused(f"{receiver.name}: has left and gets no tasks.", code="rater_left")
        if receiver.refused_at is not None and receiver.qualified_at is None:
            raise Refused(f"{receiver.name}: did not pass the test.", code="not_qualified")
        asked = connection.scalars(
            sa.select(question.c.dimension)
            .where(question.c.task_id == task_id, OPEN_QUESTION)
            .order_by(question.c.position)
        ).all()
        if old.withdrawn_at is not None or not asked:
            raise Refused(f"task {task_id} is not open.", code="task_not_open")
        last = sa.select(sa.func.coalesce(sa.func.max(task.c.position), -1))
        number = next_id(connection)
        values = {
            "id": number,
            "rater_id": to,
            "position": int(connection.scalar(last.where(task.c.rater_id == to)) or 0) + 1,
            "item": old.item,
            "kind": old.kind,
            "systems": old.systems,
            "repeat": old.repeat,
            "is_check": old.is_check,
            "is_pilot": old.is_pilot,
            "is_qualification": old.is_qualification,
            "from_task": old.id,
            "batch": _met_in(connection, to, old.batch, task_id in whole),
        }
        connection.execute(sa.insert(task).values(values))
        connection.execute(
            sa.insert(question),
            [{"task_id": number, "dimension": d, "position": k} for k, d in enumerate(asked)],
        )
        withdraw(connection, [task_id])
        given.append((number, to))
    return tuple(given)


def _whole(connection: sa.Connection, moves: Sequence[tuple[int, int]]) -> set[int]:
    """The tasks that move with half of their batch or more, to the same rater."""
    first = sa.and_(task.c.repeat == 0, ~task.c.is_check, task.c.batch.is_not(None))
    together: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    to = dict(moves)
    for row in connection.execute(sa.select(task).where(task.c.id.in_(to), first)):
        together[row.rater_id, row.batch, to[row.id]].append(row.id)
    found = set()
    for (giver, batch, _), moved in together.items():
        theirs = sa.and_(task.c.rater_id == giver, task.c.batch == batch, first, SHOWN_TASK)
        count = connection.scalar(sa.select(sa.func.count()).select_from(task).where(theirs)) or 0
        if 2 * len(moved) >= count:
            found.update(moved)
    return found


def _met_in(connection: sa.Connection, who: int, given: int | None, whole: bool) -> int | None:
    """The batch that a task is met in which comes to the end of a rater's order.

    A batch stays what it is, if they have not met a part of it before. What comes by itself is
    met in the last batch that they have, or in a new one where they have none.
    """
    if given is None:
        return None
    theirs: Sequence[int] = connection.scalars(
        sa.select(task.c.batch)
        .where(task.c.rater_id == who, task.c.batch.is_not(None), SHOWN_TASK)
        .order_by(task.c.position, task.c.id)
    ).all()
    if whole and (given not in theirs or given == theirs[-1]):
        return given
    if theirs:
        return theirs[-1]
    return 1 + int(connection.scalar(sa.select(sa.func.max(task.c.batch))) or 0)


def withdraw(connection: sa.Connection, tasks: Sequence[int]) -> None:
    """Take open tasks back; their answers so far stay."""
    if tasks:
        connection.execute(sa.update(task).where(task.c.id.in_(tasks)).values(withdrawn_at=now()))


What = tuple[str, str, str]


def hand_out(connection: sa.Connection, leaver: int, to: Sequence[int] | None) -> HandedOut:
    """Give the open tasks of somebody who left to those with the fewest open ones.

    Nobody gets an item and systems that they have already. A batch stays together where somebody
    can take all of it. Repeats follow the first showing if that moves too; else they, like
    attention checks, were of use from this rater only. The test stays with them, as far as it is.
    Who did not pass it gets nothing.
    """
    # Answers wait for this row, so that what is open now is open until the end.
    connection.execute(sa.select(study.c.id).with_for_update())
    active = sa.select(rater.c.id).where(
        rater.c.left_at.is_(None),
        rater.c.id != leaver,
        sa.or_(rater.c.refused_at.is_(None), rater.c.qualified_at.is_not(None)),
    )
    if to is not None:
        active = active.where(rater.c.id.in_(to))
    load = dict.fromkeys(connection.scalars(active.order_by(rater.c.seat)), 0)
    if to is not None and set(to) - set(load):
        raise UsageError(
            "to: some of these raters do not exist, have left, did not pass the test, or are the "
            "leaver."
        )
    seen: dict[int, set[What]] = {who: set() for who in load}
    open_now = sa.case((OPEN_TASK, 1), else_=0).label("open_now")
    theirs = sa.and_(task.c.rater_id.in_(load), SHOWN_TASK, ~task.c.is_qualification)
    for row in connection.execute(sa.select(task, open_now).where(theirs)):
        seen[row.rater_id].add(_what(row))
        load[row.rater_id] += row.open_now
    todo = connection.execute(
        sa.select(task)
        .where(task.c.rater_id == leaver, OPEN_TASK, ~task.c.is_qualification)
        .order_by(task.c.repeat, task.c.position)
    ).all()
    moves, dropped, kept = [], [], []
    follows: dict[What, int] = {}
    waiting = set()

    def able(rows: Rows) -> list[int]:
        return [w for w in load if all(_what(row) not in seen[w] for row in rows)]

    for part in _parts(todo, able):
        row, what = part[0], _what(part[0])
        if row.is_check or (row.repeat and what not in follows and what not in waiting):
            dropped.append(row.id)
            continue
        takers = [follows[what]] if what in follows else able(part)
        if not takers:
            kept.append(row.id)
            waiting.add(what)
            continue
        who = min(takers, key=lambda w: load[w])
        for row in part:
            moves.append((row.id, who))
            load[who] += 1
            seen[who].add(_what(row))
            follows[_what(row)] = who
    given = move(connection, moves)
    withdraw(connection, dropped)
    return HandedOut(given, tuple(dropped), tuple(kept))


def _parts(rows: Rows, able: Callable[[Rows], object]) -> Iterator[Rows]:
    """What goes on together: a batch where somebody can take all of it, else an item, or a task.

    What was shown before, and attention checks, go by themselves.
    """
    batches: dict[object, list[sa.Row[Any]]] = defaultdict(list)
    for row in rows:
        alone = row.batch is None or row.repeat or row.is_check
        batches[(row.id,) if alone else row.batch].append(row)
    for batch in batches.values():
        if len(batch) == 1 or able(batch):
            yield batch
            continue
        items: dict[str, list[sa.Row[Any]]] = defaultdict(list)
        for row in batch:
            items[row.item].append(row)
        for item in items.values():
            yield from [item] if able(item) else ([row] for row in item)


def _what(row: sa.Row[Any]) -> What:
    """An item, how it is judged, and the systems shown with it, on whichever side."""
    return row.item, row.kind, to_json(sorted(json.loads(row.systems)))


def plan(connection: sa.Connection) -> list[Planned]:
    """All tasks that are answered or open, by seat and order."""
    asked: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    is_open = sa.case((OPEN_QUESTION, 1), else_=0).label("is_open")
    for one in connection.execute(sa.select(question, is_open).order_by(question.c.position)):
        asked[one.task_id].append((one.dimension, not one.is_open))
    out = []
    for row in connection.execute(
        sa.select(task, rater.c.seat)
        .join(rater, rater.c.id == task.c.rater_id)
        .order_by(rater.c.seat, task.c.position, task.c.id)
    ):
        answered = [name for name, done in asked[row.id] if done]
        if row.withdrawn_at is not None and not answered:
            continue
        names = [name for name, _ in asked[row.id]] if row.withdrawn_at is None else answered
        rest = tuple(name for name in names if name not in answered) if answered else ()
        out.append(
            Planned(
                row.id,
                row.seat,
                row.position,
                row.item,
                row.kind,
                tuple(json.loads(row.systems)),
                tuple(names),
                row.repeat,
                row.is_check,
                row.is_pilot,
                row.is_qualification,
                bool(answered),
                row.batch,
                rest,
            )
        )
    return out


Key = tuple[int, str, tuple[str, ...], tuple[str, ...], int, bool]


def _key(one: TaskLike) -> Key:
    return one.rater, one.item, tuple(one.systems), tuple(one.dimensions), one.repeat, one.check


def replan(connection: sa.Connection, tasks: Iterable[TaskLike]) -> tuple[int, int]:
    """Make the open tasks those of a new plan; how many were added and withdrawn.

    The plan holds the answered tasks too, as :func:`plan` gives them. Where one was answered
    since, and the new plan has given it to somebody else, nothing is changed.
    """
    # Answers wait for this row, so that what is open now is open until the end.
    connection.execute(sa.select(study.c.id).with_for_update())
    there: dict[Key, list[Planned]] = defaultdict(list)
    for old in plan(connection):
        there[_key(old)].append(old)
    added = []
    for one in tasks:
        same = there[_key(one)]
        if not same:
            added.append(one)
            continue
        old = same.pop(0)
        if not old.answered and (old.order, old.batch) != (one.order, one.batch):
            place = {"position": one.order, "batch": one.batch}
            connection.execute(sa.update(task).where(task.c.id == old.id).values(place))
    gone = [old for same in there.values() for old in same]
    answered = next((old for old in gone if old.answered), None)
    if answered is not None:
        raise Refused(
            f"{answered.item!r} was answered since the plan was made; make it again.",
            code="plan_outdated",
        )
    seats: dict[int, int] = {}
    for row in connection.execute(sa.select(rater)):
        if row.left_at is None:
            seats[row.seat] = row.id
    unknown = sorted({one.rater for one in added} - set(seats))
    if unknown:
        raise UsageError(f"tasks: nobody is in seat {unknown[0]}, or they have left.")
    withdraw(connection, [old.id for old in gone])
    add_tasks(connection, added, seats)
    return len(added), len(gone)

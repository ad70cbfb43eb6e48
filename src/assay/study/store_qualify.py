"""The test that a rater takes before everything else: where they stand, and what comes of it.

The result is no part of saving an answer. It is worked out from the newest answers when the rater
comes back to the page with nothing of the test open, and is written once: whatever stops the
program in between, the next visit finds the same answers and decides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from assay.study.gold import Known, known_stored, needed, passed
from assay.study.store_errors import Refused
from assay.study.store_records import OPEN, Standing
from assay.study.store_schema import current, question, rater, task

DECIDER = "assay"
"""Who decides, in the audit log."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The right answers of a design, and what its test asks for."""

    known: Known
    share: float
    tolerance: float


BarOf = Callable[[sa.Connection], Bar]
"""Reads the bar when somebody needs it: most studies have no test, and a design may be large."""


def bar_of(design: Mapping[str, Any]) -> Bar:
    """The bar of a design as it is stored."""
    test = design.get("qualification") or {}
    return Bar(known_stored(design), float(test.get("share", 0)), float(test.get("tolerance", 0)))


TEST = sa.and_(task.c.is_qualification, task.c.withdrawn_at.is_(None))
_first = task.alias("first")
HAS_TEST = (
    sa.select(_first.c.is_qualification)
    .where(_first.c.rater_id == rater.c.id)
    .order_by(_first.c.position, _first.c.id)
    .limit(1)
    .scalar_subquery()
)
"""Whether a rater has a test at all. Its tasks stand before all others, so that the first one
tells: to look for one among all, at each answer, takes longer the more tasks there are."""
_UNQUALIFIED = sa.select(rater.c.id).where(
    rater.c.id == sa.bindparam("who"), rater.c.qualified_at.is_(None), HAS_TEST.is_(True)
)

_ASKED = (
    sa.select(task.c.rater_id, task.c.id, task.c.item, question.c.dimension, current)
    .select_from(
        task.join(question, question.c.task_id == task.c.id).outerjoin(
            current,
            sa.and_(
                current.c.task_id == question.c.task_id,
                current.c.dimension == question.c.dimension,
            ),
        )
    )
    .where(TEST)
)
_OF_ONE = _ASKED.where(task.c.rater_id == sa.bindparam("who"))


def standings(connection: sa.Connection, bar: Bar) -> list[Standing]:
    """Where each rater who has a test stands, by seat."""
    found: dict[int, list[sa.Row[Any]]] = {}
    for row in connection.execute(_ASKED):
        found.setdefault(row.rater_id, []).append(row)
    people = connection.execute(sa.select(rater).order_by(rater.c.seat)).all()
    return [_standing(who, found[who.id], bar) for who in people if who.id in found]


def standing(connection: sa.Connection, who: sa.Row[Any], bar: Bar) -> Standing:
    """Where one rater stands."""
    return _standing(who, connection.execute(_OF_ONE, {"who": who.id}).all(), bar)


def _standing(who: sa.Row[Any], rows: Any, bar: Bar) -> Standing:
    tasks: dict[int, bool] = {}
    right = questions = 0
    for row in rows:
        given = row.kind is not None and row.kind != OPEN
        tasks[row.id] = tasks.get(row.id, True) and given
        wanted = bar.known.gold.get((row.item, row.dimension))
        if wanted is not None:
            questions += 1
            right += given and passed(json.loads(row.value), wanted, bar.tolerance)
    return Standing(
        who.id,
        len(tasks),
        sum(tasks.values()),
        right,
        questions,
        needed(bar.share, questions),
        who.qualified_at,
        who.refused_at,
    )


def unqualified(connection: sa.Connection, rater_id: int) -> bool:
    """Whether a rater has a test and has not passed it, or not yet."""
    return connection.scalar(_UNQUALIFIED, {"who": rater_id}) is not None


def not_qualified() -> Refused:
    """Why nothing but the test is shown or taken."""
    return Refused("the test that comes first has not been passed.", code="not_qualified")


def outcome(connection: sa.Connection, rater_id: int, bar: Bar, at: str) -> Standing | None:
    """Write down what came of a rater's test, if it is over and was not decided before."""
    # Locked: answers that are on their way are either seen from here on, or wait and are refused.
    asked = sa.select(rater).where(rater.c.id == rater_id).with_for_update()
    who = connection.execute(asked).one()
    found = standing(connection, who, bar)
    if not found.due or who.left_at is not None:
        return None
    column = rater.c.qualified_at if found.right >= found.needed else rater.c.refused_at
    connection.execute(sa.update(rater).where(rater.c.id == rater_id).values({column: at}))
    return found


def admit(connection: sa.Connection, who: sa.Row[Any], at: str) -> bool:
    """Let somebody in who did not pass, whose row is locked; whether that was news."""
    if who.qualified_at is not None:
        return False
    if who.left_at is not None:
        raise Refused(f"{who.name}: has left.", code="rater_left")
    if who.refused_at is None:
        raise Refused(f"{who.name}: the test is not over yet.", code="not_decided")
    connection.execute(sa.update(rater).where(rater.c.id == who.id).values(qualified_at=at))
    return True

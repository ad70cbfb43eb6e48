"""What a manager does, each act with its line in the audit log.

The line is written in the transaction of the act: neither is there without the other.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from assay.errors import UsageError, one_of
from assay.study.store_answers import identify
from assay.study.store_errors import Refused, StoreError, UnknownLink
from assay.study.store_plan import hand_out, move, replan
from assay.study.store_qualify import DECIDER, BarOf, admit, outcome
from assay.study.store_records import (
    ANSWER,
    SKIP,
    Adjudication,
    AuditLine,
    HandedOut,
    Invitation,
    TaskLike,
)
from assay.study.store_schema import adjudication, audit, current, rater, study, task
from assay.study.store_tasks import add_tasks
from assay.study.store_values import (
    MAX_NAME,
    MAX_VALUE,
    checked,
    digest,
    has_break,
    new_token,
    now,
    to_json,
    within,
)

CAUSES = ("ambiguous_item", "guideline_gap", "slip", "other")
"""Why raters differed, as a manager sees it."""


def note(connection: sa.Connection, by: str, act: str, **detail: Any) -> None:
    """Add a line to the audit log."""
    checked(by, "by", MAX_NAME, empty=False)
    line = {"at": now(), "by": by, "act": act, "detail": to_json(detail)}
    connection.execute(sa.insert(audit).values(line))


def the_study(connection: sa.Connection, *, lock: bool = False) -> sa.Row[Any]:
    """The one study of this database."""
    asked = sa.select(study)
    found = connection.execute(asked.with_for_update() if lock else asked).first()
    if found is None:
        raise StoreError("the database holds no study yet.", code="no_study")
    return found


def create(
    connection: sa.Connection, name: str, design: str, tasks: Iterable[TaskLike], by: str
) -> str:
    """Put a study in, with a seat for each rater of its tasks; returns the manager's token."""
    if connection.execute(sa.select(study.c.id)).first() is not None:
        raise Refused("the database holds a study already; each has its own.", code="study_exists")
    tasks, token, at = list(tasks), new_token(), now()
    connection.execute(
        sa.insert(study).values(
            id=1, name=name, design=design, manager_hash=digest(token), created_at=at
        )
    )
    seats = {seat: seat + 1 for seat in range(1 + max((one.rater for one in tasks), default=-1))}
    if seats:
        rows = [{"id": number, "seat": seat} for seat, number in seats.items()]
        connection.execute(sa.insert(rater), rows)
    count = add_tasks(connection, tasks, seats)
    note(connection, by, "create", name=name, seats=len(seats), tasks=count)
    return token


def check_manager(connection: sa.Connection, token: str) -> None:
    """Pass if this is the manager's token."""
    if not hmac.compare_digest(the_study(connection).manager_hash, digest(token)):
        raise UnknownLink("this manager's link is not known, or it was replaced by a newer one.")


def new_manager_token(connection: sa.Connection, by: str) -> str:
    """Replace the manager's token."""
    the_study(connection, lock=True)
    token = new_token()
    connection.execute(sa.update(study).values(manager_hash=digest(token)))
    note(connection, by, "new_manager_token")
    return token


def add_rater(connection: sa.Connection, name: str, by: str) -> Invitation:
    """Give the first free seat to somebody, or a new one, without tasks, where none is free."""
    the_study(connection, lock=True)
    name = checked(name.strip(), "name", MAX_NAME, empty=False)
    if has_break(name):
        raise UsageError(f"name: {name!r} has a line break; a name stands on one line.")
    if connection.execute(sa.select(rater.c.id).where(rater.c.name == name)).first():
        raise Refused(f"there is a rater {name!r} already.", code="rater_exists")
    token = new_token()
    values = {"name": name, "token_hash": digest(token), "joined_at": now()}
    free = connection.execute(
        sa.select(rater.c.id, rater.c.seat)
        .where(rater.c.name.is_(None), rater.c.left_at.is_(None))
        .order_by(rater.c.seat)
        .limit(1)
    ).first()
    if free is None:
        last = connection.execute(
            sa.select(sa.func.coalesce(sa.func.max(rater.c.id), 0), sa.func.max(rater.c.seat))
        ).one()
        number, seat = last[0] + 1, 0 if last[1] is None else last[1] + 1
        connection.execute(sa.insert(rater).values(id=number, seat=seat, **values))
    else:
        number, seat = free
        connection.execute(sa.update(rater).where(rater.c.id == number).values(**values))
    note(connection, by, "add_rater", rater=number, name=name)
    return Invitation(number, seat, name, token)


def new_token_for(connection: sa.Connection, rater_id: int, by: str) -> Invitation:
    """Replace a rater's token; the old link stops working."""
    row = the_rater(connection, rater_id)
    if row.name is None:
        raise Refused("nobody has this seat yet.", code="free_seat")
    token = new_token()
    connection.execute(
        sa.update(rater).where(rater.c.id == rater_id).values(token_hash=digest(token))
    )
    note(connection, by, "new_token", rater=rater_id)
    return Invitation(row.id, row.seat, row.name, token)


def the_rater(connection: sa.Connection, rater_id: int) -> sa.Row[Any]:
    """A rater by number, locked."""
    row = connection.execute(
        sa.select(rater).where(rater.c.id == within(rater_id)).with_for_update()
    ).first()
    if row is None:
        raise UsageError(f"rater: there is no rater {rater_id}.")
    return row


def consent(connection: sa.Connection, token: str) -> str:
    """Record that a rater has agreed to take part; the first time counts."""
    who = identify(connection, token)
    if who.consented_at is not None:
        return str(who.consented_at)
    at = now()
    connection.execute(
        sa.update(rater)
        .where(rater.c.id == who.id, rater.c.consented_at.is_(None))
        .values(consented_at=at)
    )
    return at


def settle(connection: sa.Connection, token: str, bar: BarOf) -> None:
    """Decide whether a rater has passed the test, where it is over and was not decided before."""
    who = identify(connection, token)
    found = outcome(connection, who.id, bar(connection), now())
    if found is not None:
        act = "qualified" if found.right >= found.needed else "not_qualified"
        score = {"right": found.right, "questions": found.questions, "needed": found.needed}
        note(connection, DECIDER, act, rater=who.id, **score)


def let_in(connection: sa.Connection, rater_id: int, by: str) -> None:
    """Let a rater go on who did not pass the test; saying it twice is no act."""
    if admit(connection, the_rater(connection, rater_id), now()):
        note(connection, by, "let_in", rater=rater_id)


def set_closed(connection: sa.Connection, closed: bool, by: str) -> None:
    """Close a study or open it again; saying it twice is no act."""
    if (the_study(connection, lock=True).closed_at is not None) == closed:
        return
    connection.execute(sa.update(study).values(closed_at=now() if closed else None))
    note(connection, by, "close" if closed else "reopen")


def hand_out_again(
    connection: sa.Connection, rater_id: int, to: Sequence[int] | None, by: str
) -> HandedOut:
    """Mark a rater as left and give their open tasks to others."""
    the_study(connection, lock=True)
    if the_rater(connection, rater_id).left_at is None:
        connection.execute(sa.update(rater).where(rater.c.id == rater_id).values(left_at=now()))
    result = hand_out(connection, rater_id, to)
    note(
        connection,
        by,
        "hand_out_again",
        rater=rater_id,
        given=result.given,
        dropped=result.dropped,
        kept=result.kept,
    )
    return result


def let_back_in(connection: sa.Connection, rater_id: int, by: str) -> Invitation:
    """Take somebody back who had left: with a new token, and the answers they gave before."""
    the_study(connection, lock=True)
    row = the_rater(connection, rater_id)
    if row.name is None:
        raise Refused("nobody has had this seat.", code="free_seat")
    if row.left_at is None:
        raise Refused(f"{row.name}: has not left, so there is no way back.", code="rater_not_left")
    token = new_token()
    connection.execute(
        sa.update(rater)
        .where(rater.c.id == rater_id)
        .values(token_hash=digest(token), left_at=None)
    )
    note(connection, by, "let_back_in", rater=rater_id)
    return Invitation(row.id, row.seat, row.name, token)


def move_tasks(
    connection: sa.Connection, moves: Sequence[tuple[int, int]], by: str
) -> tuple[tuple[int, int], ...]:
    """Give open tasks to other raters, as a plan says."""
    the_study(connection, lock=True)
    given = move(connection, moves)
    note(connection, by, "move", moves=moves, given=given)
    return given


def new_plan(connection: sa.Connection, tasks: Iterable[TaskLike], by: str) -> tuple[int, int]:
    """Make the open tasks those of a new plan."""
    added, withdrawn = replan(connection, tasks)
    note(connection, by, "replan", added=added, withdrawn=withdrawn)
    return added, withdrawn


def adjudicate(
    connection: sa.Connection,
    item: str,
    dimension: str,
    value: Any,
    *,
    systems: Sequence[str],
    cause: str,
    remark: str,
    by: str,
) -> Adjudication:
    """Decide an item, and keep the answers that were seen for it with the decision."""
    one_of(cause, CAUSES, "cause")
    shown = sorted(systems)
    found = connection.execute(
        sa.select(current, task.c.systems, rater.c.name, rater.c.seat)
        .select_from(
            current.join(task, task.c.id == current.c.task_id).join(
                rater, rater.c.id == task.c.rater_id
            )
        )
        .where(
            task.c.item == item,
            current.c.dimension == dimension,
            current.c.kind.in_((ANSWER, SKIP)),
        )
        .order_by(current.c.id)
    ).all()
    seen = [
        {
            "rating": row.id,
            "rater": row.name,
            "kind": row.kind,
            "value": json.loads(row.value),
            "systems": json.loads(row.systems),
            "revision": row.revision,
        }
        for row in found
        if sorted(json.loads(row.systems)) == shown
    ]
    if not seen:
        raise Refused(
            f"{item!r} has no answers on {dimension!r} of {', '.join(shown) or 'the item itself'}.",
            code="no_answers",
        )
    values = {
        "item": item,
        "systems": to_json(shown),
        "dimension": dimension,
        "value": checked(to_json(value), "value", MAX_VALUE),
        "cause": cause,
        "note": checked(remark, "note", MAX_VALUE),
        "by": checked(by, "by", MAX_NAME, empty=False),
        "provenance": to_json(seen),
        "at": now(),
    }
    number = connection.execute(sa.insert(adjudication).values(values)).inserted_primary_key
    if number is None:
        raise StoreError("the database gave the decision no number.")
    note(connection, by, "adjudicate", adjudication=number[0], item=item, dimension=dimension)
    return _adjudication({"id": number[0], **values})


def adjudications(connection: sa.Connection, *, history: bool = False) -> list[Adjudication]:
    """The decisions, of each item the newest, or all."""
    asked = sa.select(adjudication).order_by(adjudication.c.id)
    made = [_adjudication(row) for row in connection.execute(asked).mappings()]
    if history:
        return made
    return list({(one.item, one.systems, one.dimension): one for one in made}.values())


def _adjudication(row: Mapping[str, Any] | sa.RowMapping) -> Adjudication:
    return Adjudication(
        row["id"],
        row["item"],
        tuple(json.loads(row["systems"])),
        row["dimension"],
        json.loads(row["value"]),
        row["cause"],
        row["note"],
        row["by"],
        row["at"],
        tuple(json.loads(row["provenance"])),
    )


def audit_log(connection: sa.Connection) -> list[AuditLine]:
    """All acts of managers, oldest first."""
    return [
        AuditLine(row.id, row.at, row.by, row.act, json.loads(row.detail))
        for row in connection.execute(sa.select(audit).order_by(audit.c.id))
    ]

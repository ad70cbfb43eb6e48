"""Answers: revisions that are added, confirmed once, and never changed.

Every function here runs inside one writing transaction; what it returns is a confirmation only
after the commit.
"""

from __future__ import annotations

import hmac
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from assay.errors import UsageError
from assay.study.store_errors import Refused, Stale, UnknownLink
from assay.study.store_qualify import HAS_TEST, not_qualified
from assay.study.store_records import ANSWER, OPEN, SKIP, Answer, Current, Saved
from assay.study.store_schema import question, rater, rating, study, task
from assay.study.store_values import (
    MAX_CLIENT,
    MAX_VALUE,
    checked,
    digest,
    now,
    value_text,
    within,
)


@dataclass(frozen=True, slots=True)
class _Place:
    """The task that is answered, and every revision of its answers so far, oldest first.

    ``over`` says that it is of a test that was decided, so that nothing new is added.
    """

    task: int
    systems: tuple[str, ...]
    dimensions: frozenset[str]
    over: bool
    revisions: dict[str, list[sa.Row[Any]]]


_WHO = sa.select(rater).where(rater.c.token_hash == sa.bindparam("hash"))


def identify(connection: sa.Connection, token: str) -> sa.Row[Any]:
    """The rater whose token this is."""
    hashed = digest(token)
    found = connection.execute(_WHO, {"hash": hashed}).first()
    # The index looks for the hash; comparing it in constant time leaves nothing to be measured.
    if found is None or not hmac.compare_digest(found.token_hash, hashed):
        raise UnknownLink("this link is not known, or it was replaced by a newer one.")
    return found


# Locked against a manager who closes the study or moves the task meanwhile: a row that changed
# while we waited is read anew, so each row that may change is named.
_PLACE = (
    sa.select(
        rater.c.token_hash,
        rater.c.left_at,
        study.c.closed_at,
        rater.c.qualified_at,
        rater.c.refused_at,
        task.c.systems,
        task.c.withdrawn_at,
        task.c.is_qualification,
        HAS_TEST.label("has_test"),
    )
    .select_from(rater.join(task, task.c.rater_id == rater.c.id).join(study, study.c.id == 1))
    .where(rater.c.token_hash == sa.bindparam("hash"), task.c.id == sa.bindparam("task"))
    .with_for_update(read=True, of=[rater, task, study])
)
_REVISIONS = (
    sa.select(question.c.dimension.label("asked"), rating)
    .select_from(
        question.outerjoin(
            rating,
            sa.and_(
                rating.c.task_id == question.c.task_id,
                rating.c.dimension == question.c.dimension,
            ),
        )
    )
    .where(question.c.task_id == sa.bindparam("task"))
    .order_by(rating.c.revision)
)


def _place(connection: sa.Connection, token: str, task_id: int) -> _Place:
    hashed = digest(token)
    known = {"hash": hashed, "task": within(task_id)}
    found = connection.execute(_PLACE, known).first()
    if found is None or not hmac.compare_digest(found.token_hash, hashed):
        identify(connection, token)
        raise Refused("this task is not among yours.", code="not_your_task")
    if found.closed_at is not None:
        raise Refused("the study is closed; answers are no longer taken.", code="study_closed")
    if found.left_at is not None:
        raise Refused("you have left this study; answers are not taken.", code="rater_left")
    if found.withdrawn_at is not None:
        raise Refused("this task was given to somebody else.", code="task_withdrawn")
    if found.has_test and found.qualified_at is None and not found.is_qualification:
        raise not_qualified()
    decided = found.qualified_at is not None or found.refused_at is not None
    revisions: dict[str, list[sa.Row[Any]]] = {}
    for row in connection.execute(_REVISIONS, {"task": task_id}):
        before = revisions.setdefault(row.asked, [])
        if row.revision is not None:
            before.append(row)
    systems, over = tuple(json.loads(found.systems)), found.is_qualification and decided
    return _Place(task_id, systems, frozenset(revisions), over, revisions)


def _still(place: _Place) -> None:
    if place.over:
        raise Refused("the test is over; its answers are not changed.", code="qualification_over")


def as_current(dimension: str, row: sa.Row[Any] | None) -> Current:
    """A revision as its rater sees it; none at all is revision 0."""
    if row is None:
        return Current(dimension)
    value = json.loads(row.value)
    return Current(dimension, row.revision, row.kind, value, row.comment, row.at)


def save(
    connection: sa.Connection, token: str, task_id: int, answers: Sequence[Answer]
) -> tuple[Saved, ...]:
    """Add the answers to one task, all or none."""
    if not answers or len({one.dimension for one in answers}) < len(answers):
        raise UsageError("answers: one or more are needed, each to a question of its own.")
    place = _place(connection, token, task_id)
    at = now()
    saved, rows = [], []
    for one in answers:
        kind, text, comment = _checked(one, place)
        before = place.revisions[one.dimension]
        same = next((row for row in before if row.client == one.client), None)
        if same is not None:
            if (same.kind, same.value, same.comment) != (kind, text, comment):
                raise _stale(one.dimension, before, "another answer was sent under the same key")
            saved.append(_saved(task_id, one.dimension, same, repeated=True))
            continue
        _still(place)
        revision = _next(one.dimension, before, one.expected)
        row = {
            "task_id": task_id,
            "dimension": one.dimension,
            "revision": revision,
            "kind": kind,
            "value": text,
            "comment": comment,
            "seconds": one.seconds,
            "restores": None,
            "client": one.client,
            "at": at,
        }
        rows.append(row)
        saved.append(Saved(task_id, one.dimension, revision, kind, json.loads(text), at))
    if rows:
        connection.execute(sa.insert(rating), rows)
    return tuple(saved)


def undo(
    connection: sa.Connection, token: str, task_id: int, dimension: str, expected: int, client: str
) -> Saved:
    """Add a revision that restores what the one before the newest said.

    Undoing again goes further back: a revision that restores points at the one it restored.
    """
    place = _place(connection, token, task_id)
    _asked(dimension, place)
    checked(client, "client", MAX_CLIENT, empty=False)
    before = place.revisions[dimension]
    same = next((row for row in before if row.client == client), None)
    if same is not None:
        if same.restores is None:
            raise _stale(dimension, before, "another answer was sent under the same key")
        return _saved(task_id, dimension, same, repeated=True)
    _still(place)
    revision = _next(dimension, before, expected)
    said = _origin(before, revision - 1)
    if said == 0:
        raise Refused("there is nothing to undo.", code="nothing_to_undo")
    restored = _origin(before, said - 1)
    source = before[restored - 1] if restored else None
    row: dict[str, Any] = {
        "task_id": task_id,
        "dimension": dimension,
        "revision": revision,
        "kind": OPEN if source is None else source.kind,
        "value": "null" if source is None else source.value,
        "comment": "" if source is None else source.comment,
        "seconds": None if source is None else source.seconds,
        "restores": restored,
        "client": client,
        "at": now(),
    }
    connection.execute(sa.insert(rating), [row])
    value = json.loads(row["value"])
    return Saved(task_id, dimension, revision, row["kind"], value, row["at"])


def _origin(before: Sequence[sa.Row[Any]], revision: int) -> int:
    """The answer that a revision stands for: itself, or the one it restored; 0 is none."""
    if revision == 0:
        return 0
    restores = before[revision - 1].restores
    return revision if restores is None else int(restores)


def _next(dimension: str, before: Sequence[sa.Row[Any]], expected: int) -> int:
    revision = len(before)
    if expected != revision:
        raise _stale(dimension, before, f"the page had seen revision {expected}")
    return revision + 1


def _stale(dimension: str, before: Sequence[sa.Row[Any]], why: str) -> Stale:
    current = as_current(dimension, before[-1] if before else None)
    return Stale(
        f"{dimension}: {why}, and the store holds revision {current.revision}; nothing was "
        "overwritten.",
        current=current,
    )


def _saved(task_id: int, dimension: str, row: sa.Row[Any], *, repeated: bool) -> Saved:
    value = json.loads(row.value)
    return Saved(task_id, dimension, row.revision, row.kind, value, row.at, repeated)


def _asked(dimension: str, place: _Place) -> None:
    if dimension not in place.dimensions:
        raise Refused(
            f"this task does not ask {dimension!r}; it asks {', '.join(sorted(place.dimensions))}.",
            code="not_asked",
        )


def _checked(one: Answer, place: _Place) -> tuple[str, str, str]:
    _asked(one.dimension, place)
    checked(one.client, "client", MAX_CLIENT, empty=False)
    if one.seconds is not None and not (math.isfinite(one.seconds) and one.seconds >= 0):
        raise UsageError(f"seconds: a time of 0 or more is needed, not {one.seconds!r}.")
    comment = checked(one.comment, "comment", MAX_VALUE)
    if one.skip:
        if one.value is not None:
            raise UsageError("value: an answer is a value or a skip, not both.")
        return SKIP, "null", comment
    if one.value is None:
        raise UsageError("value: none was given; to leave a question open on purpose, skip it.")
    return ANSWER, value_text(one.value, place.systems), comment

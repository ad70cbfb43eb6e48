"""What was collected, as rows and as files."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from assay.csv_text import csv_lines
from assay.errors import UsageError, one_of
from assay.study.gold import known_stored
from assay.study.store_errors import StoreFull, StoreUnreachable
from assay.study.store_records import OPEN, SKIP, Adjudication, Pace, Rated
from assay.study.store_schema import current, question, rater, rating, task
from assay.study.store_tasks import OPEN_QUESTION, OPEN_TASK

FORMATS = ("csv", "jsonl", "parquet")
TABLES = ("ratings", "comparisons", "all", "decisions")
"""Ratings of outputs, comparisons of two, both in one table, or what managers decided."""

COLUMNS = {
    "ratings": ("item", "system", "dimension", "rater", "value"),
    "comparisons": ("item", "left", "right", "dimension", "rater", "winner"),
    "all": ("item", "system", "dimension", "rater", "value", "left", "right"),
    "decisions": ("item", "systems", "dimension", "value", "cause", "note", "by", "at", "answers"),
}
REST = (
    "seconds",
    "revision",
    "at",
    "kind",
    "repeat",
    "check",
    "qualification",
    "pilot",
    "batch",
    "comment",
    "group",
    "gold",
    "task_number",
    "rating_number",
)
"""More columns of answers; ``batch`` only where the design has batches. The last two are not named
task, task_id or rating: readers would take them for the column of items or of values."""


def rated(connection: sa.Connection, *, history: bool = False) -> Iterator[Rated]:
    """The long table in the order of raters and of their tasks.

    RankME's one answer to all outputs is a row for each. What was undone is no row, but with
    ``history`` every revision is one.
    """
    source = rating if history else current
    asked = (
        sa.select(
            source,
            task.c.item,
            task.c.kind.label("shown"),
            task.c.systems,
            task.c.repeat,
            task.c.is_check,
            task.c.is_pilot,
            task.c.batch,
            task.c.is_qualification,
            rater.c.name,
            rater.c.seat,
        )
        .select_from(
            source.join(task, task.c.id == source.c.task_id)
            .join(rater, rater.c.id == task.c.rater_id)
            .join(
                question,
                sa.and_(
                    question.c.task_id == source.c.task_id,
                    question.c.dimension == source.c.dimension,
                ),
            )
        )
        .order_by(rater.c.seat, task.c.position, question.c.position, source.c.revision)
    )
    if not history:
        asked = asked.where(source.c.kind != OPEN)
    for row in connection.execute(asked):
        systems, value = json.loads(row.systems), json.loads(row.value)
        name = row.name if row.name is not None else f"seat {row.seat + 1}"
        for system, left, right, one in _parts(systems, value, row.shown):
            yield Rated(
                row.item,
                system,
                row.dimension,
                name,
                one,
                left,
                right,
                row.seconds,
                row.revision,
                row.at,
                row.kind,
                row.repeat,
                row.is_check,
                row.is_pilot,
                row.comment,
                row.task_id,
                row.id,
                row.batch,
                row.is_qualification,
            )


Part = tuple[str | None, str | None, str | None, Any]
"""System, left, right, value."""


def _parts(systems: list[str], value: Any, shown: str) -> list[Part]:
    """An answer as rows: one, or one for each system that was rated in it."""
    if shown == "pair":
        return [(None, systems[0], systems[1], value)]
    if isinstance(value, dict):
        return [(system, None, None, value[system]) for system in systems if system in value]
    # "Can't judge" was said of all that were shown.
    return [(system or None, None, None, value) for system in systems or [""]]


def pace(connection: sa.Connection) -> list[Pace]:
    """A line a rater: how many tasks and questions, how many done, and when; not of the test."""
    tasks = (
        sa.select(
            task.c.rater_id,
            sa.func.count().label("tasks"),
            sa.func.count(sa.case((~OPEN_TASK, 1))).label("done"),
        )
        .where(task.c.withdrawn_at.is_(None), ~task.c.is_qualification)
        .group_by(task.c.rater_id)
        .subquery()
    )
    questions = (
        sa.select(task.c.rater_id, sa.func.count().label("questions"))
        .select_from(task.join(question, question.c.task_id == task.c.id))
        # Of a task that was withdrawn, the questions answered before still count.
        .where(sa.or_(task.c.withdrawn_at.is_(None), ~OPEN_QUESTION), ~task.c.is_qualification)
        .group_by(task.c.rater_id)
        .subquery()
    )
    answers = (
        sa.select(
            task.c.rater_id,
            sa.func.count().label("answered"),
            sa.func.count(sa.case((current.c.kind == SKIP, 1))).label("skipped"),
            sa.func.sum(current.c.seconds).label("seconds"),
            sa.func.min(current.c.at).label("first_at"),
            sa.func.max(current.c.at).label("last_at"),
        )
        .select_from(current.join(task, task.c.id == current.c.task_id))
        .where(current.c.kind != OPEN, ~task.c.is_qualification)
        .group_by(task.c.rater_id)
        .subquery()
    )
    batch = (
        sa.select(task.c.rater_id, sa.func.count(sa.case((OPEN_TASK, 1))).label("open"))
        .where(task.c.withdrawn_at.is_(None), task.c.batch.is_not(None))
        .group_by(task.c.rater_id, task.c.batch)
        .subquery()
    )
    batches = (
        sa.select(
            batch.c.rater_id,
            sa.func.count().label("batches"),
            sa.func.count(sa.case((batch.c.open == 0, 1))).label("batches_done"),
        )
        .group_by(batch.c.rater_id)
        .subquery()
    )
    asked = (
        sa.select(rater, tasks, questions, answers, batches.c.batches, batches.c.batches_done)
        .select_from(
            rater.outerjoin(tasks, tasks.c.rater_id == rater.c.id)
            .outerjoin(questions, questions.c.rater_id == rater.c.id)
            .outerjoin(answers, answers.c.rater_id == rater.c.id)
            .outerjoin(batches, batches.c.rater_id == rater.c.id)
        )
        .order_by(rater.c.seat)
    )
    return [
        Pace(
            row.id,
            row.seat,
            row.name,
            row.left_at,
            row.tasks or 0,
            row.done or 0,
            row.questions or 0,
            row.answered or 0,
            row.skipped or 0,
            row.seconds or 0.0,
            row.first_at,
            row.last_at,
            row.batches or 0,
            row.batches_done or 0,
        )
        for row in connection.execute(asked)
    ]


def table(
    rows: Iterable[Rated], which: str, design: Mapping[str, Any], *, checks: bool
) -> list[dict[str, Any]]:
    """The rows of one table as records with its columns, with what the stored design knows."""
    one_of(which, TABLES, "table")
    there = known_stored(design)
    columns = columns_of(which, design)
    out = []
    for row in rows:
        compared = row.left is not None
        if (row.apart and not checks) or (which != "all" and compared != (which == "comparisons")):
            continue
        # Who looks at this column alone, to leave out what is no data, leaves the test out too.
        record = asdict(row) | {"check": row.apart}
        record["winner"] = record["value"]
        record["task_number"], record["rating_number"] = row.task, row.rating
        record["group"], record["gold"] = there.groups.get(row.rater, ""), there.of(row)
        for name in ("value", "gold"):
            if isinstance(record[name], list):
                record[name] = json.dumps(sorted(record[name]), ensure_ascii=False)
        out.append({name: record[name] for name in columns})
    return out


def columns_of(which: str, design: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns of a table of a design."""
    if which == "decisions":
        return COLUMNS[which]
    away = "batch" if design.get("batch") is None else ""
    return (*COLUMNS[which], *(name for name in REST if name != away))


def decisions(made: Iterable[Adjudication]) -> list[dict[str, Any]]:
    """Decisions as records; systems, the answers seen, and a value with parts are JSON."""
    out = []
    for one in made:
        value = one.value
        if isinstance(value, list | dict):
            value = json.dumps(value, ensure_ascii=False)
        systems = [name for name in one.systems if name]
        record = {
            **asdict(one),
            "value": value,
            "systems": json.dumps(systems, ensure_ascii=False),
            "answers": json.dumps(one.provenance, ensure_ascii=False),
        }
        out.append({name: record[name] for name in COLUMNS["decisions"]})
    return out


def write_file(
    records: list[dict[str, Any]],
    path: str | Path,
    kind: str | None,
    columns: tuple[str, ...],
) -> Path:
    """Write records to a file, whole or not at all."""
    path = Path(path)
    ending = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
    kind = kind or ending.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"{path.name}: no kind of file by its name; say format: csv, jsonl, …")
    one_of(kind, FORMATS, "format")
    write = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}[kind]
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        os.close(number)
    except OSError as error:
        raise StoreUnreachable(f"{path}: {error.strerror}.", code="unwritable") from error
    part = Path(name)
    try:
        write(records, columns, part)
        part.replace(path)
    except OSError as error:
        raise StoreFull(f"{path}: {error.strerror}; the file was not written.") from error
    finally:
        part.unlink(missing_ok=True)
    return path


def _csv(records: list[dict[str, Any]], columns: tuple[str, ...], path: Path) -> None:
    rows = ([one[name] for name in columns] for one in records)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"{line}\n" for line in csv_lines([columns, *rows]))


def _jsonl(records: list[dict[str, Any]], columns: tuple[str, ...], path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for one in records:
            row = {name: one[name] for name in columns}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _parquet(records: list[dict[str, Any]], columns: tuple[str, ...], path: Path) -> None:
    import duckdb

    kinds = {
        "seconds": "DOUBLE",
        **dict.fromkeys(("check", "qualification", "pilot"), "BOOLEAN"),
        **dict.fromkeys(("revision", "repeat", "batch", "task_number", "rating_number"), "BIGINT"),
    }
    # Numbers stay numbers where all values are; text and numbers in one column are text.
    answer = "winner" if "winner" in columns else "value"
    given = [one[answer] for one in records if one[answer] is not None]
    if given and all(type(value) in (int, float) for value in given):
        kinds[answer] = "BIGINT" if all(type(value) is int for value in given) else "DOUBLE"
    types = {name: kinds.get(name, "VARCHAR") for name in columns}
    rows = path.with_name(path.name + ".rows")
    try:
        _jsonl(records, columns, rows)
        with duckdb.connect() as connection:
            relation = connection.read_json(
                str(rows),
                columns=types,
                format="newline_delimited",
            )
            relation.write_parquet(str(path))
    except duckdb.IOException as error:
        raise StoreFull(f"{path}: {error}; the file was not written.") from error
    finally:
        rows.unlink(missing_ok=True)

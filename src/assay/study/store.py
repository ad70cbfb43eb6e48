"""The store of a study: one database that holds its design, tasks, raters and answers.

>>> import tempfile
>>> from pathlib import Path
>>> from types import SimpleNamespace
>>> from assay.study.store import Store
>>> task = SimpleNamespace(rater=0, order=0, item="q1", kind="single", systems=("base",),
...                        dimensions=("fluency",), repeat=0, check=False, pilot=False,
...                        batch=None, qualification=False)
>>> with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "study.db") as store:
...     manager = store.create({"name": "pilot"}, [task], by="me")
...     token = store.add_rater("ana", by="me").token
...     shown = store.open_task(token)
...     saved = store.answer(token, shown.id, "fluency", 4, expected=0, client="c1")
...     again = store.answer(token, shown.id, "fluency", 4, expected=0, client="c1")
...     rows = [(row.item, row.system, row.rater, row.value) for row in store.ratings()]
>>> saved.revision, again.revision, again.repeated, rows
(1, 1, True, [('q1', 'base', 'ana', 4)])
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from assay.errors import MissingExtra, UsageError

try:
    from assay.study import (
        store_answers,
        store_export,
        store_manage,
        store_migrate,
        store_plan,
        store_qualify,
        store_tasks,
        store_visit,
    )
    from assay.study.store_engine import Database
except ModuleNotFoundError as _error:
    if _error.name not in ("alembic", "sqlalchemy"):
        raise
    raise MissingExtra(
        f"a study needs {_error.name}, which is not installed: pip install 'assay[study]'."
    ) from _error
from assay.study.store_records import (
    Adjudication,
    Answer,
    AuditLine,
    HandedOut,
    Invitation,
    OpenTask,
    Pace,
    Planned,
    Rated,
    Rater,
    Saved,
    Standing,
    TaskLike,
)
from assay.study.store_values import plain, to_json

__all__ = [
    "Adjudication",
    "Answer",
    "AuditLine",
    "HandedOut",
    "Invitation",
    "OpenTask",
    "Pace",
    "Planned",
    "Rated",
    "Rater",
    "Saved",
    "Standing",
    "Store",
]


class Store:
    """A study in a database.

    Parameters
    ----------
    url
        A path (an SQLite file, made if it is not there) or ``postgresql://…``.
    wait
        Seconds to wait for a locked database before giving up with ``store_busy``.
    existing
        Refuse to make a file that is not there.

    Raises
    ------
    StoreUnreachable
        If there is no usable database.
    MissingExtra
        If SQLAlchemy, Alembic or the driver is not installed.

    What a method returns is on the disk. All methods may be called from several threads, and
    several processes may have the same database open. ``by`` is the manager's name for the
    audit log.
    """

    def __init__(self, url: str | Path, *, wait: float = 10.0, existing: bool = False) -> None:
        self._bar: store_qualify.Bar | None = None
        self._db = Database(str(url), wait=wait, existing=existing)
        try:
            store_migrate.bring_up(self._db)
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close_connections()

    def __repr__(self) -> str:
        return f"Store({self._db.shown!r})"

    def close_connections(self) -> None:
        """Give the database's connections back; the store can still be used afterwards."""
        self._db.close()

    # --- the study -----------------------------------------------------------------------

    def create(self, design: Any, tasks: Iterable[TaskLike], *, by: str) -> str:
        """Put a design and its assigned tasks in; returns the manager's token, only this once."""
        made = plain(design)
        if not isinstance(made, dict) or not made.get("name"):
            raise UsageError("design: a design with a name is needed.")
        text, tasks = to_json(made), list(tasks)
        return self._db.write(lambda c: store_manage.create(c, str(made["name"]), text, tasks, by))

    def design(self) -> dict[str, Any]:
        """The design as it was put in."""
        return dict(json.loads(self._db.read(store_manage.the_study).design))

    @property
    def closed(self) -> bool:
        """Whether answers are no longer taken."""
        return self._db.read(store_manage.the_study).closed_at is not None

    def close(self, *, by: str) -> None:
        """Take no more answers; once this returns, none is added."""
        self._db.write(lambda c: store_manage.set_closed(c, True, by), again=True)

    def reopen(self, *, by: str) -> None:
        """Take answers again."""
        self._db.write(lambda c: store_manage.set_closed(c, False, by), again=True)

    # --- managers ------------------------------------------------------------------------

    def check_manager(self, token: str) -> None:
        """Pass if this is the manager's token, else raise ``UnknownLink``."""
        self._db.read(lambda c: store_manage.check_manager(c, token))

    def new_manager_token(self, *, by: str) -> str:
        """Replace the manager's token; the old one stops working."""
        return self._db.write(lambda c: store_manage.new_manager_token(c, by))

    def add_rater(self, name: str, *, by: str) -> Invitation:
        """Give the next free seat to a rater, or a new seat without tasks where none is free."""
        return self._db.write(lambda c: store_manage.add_rater(c, name, by))

    def new_token(self, rater: int, *, by: str) -> Invitation:
        """Replace a rater's token, for a link that was lost or seen by others."""
        return self._db.write(lambda c: store_manage.new_token_for(c, rater, by))

    def hand_out_again(self, rater: int, *, by: str, to: Sequence[int] | None = None) -> HandedOut:
        """Mark a rater as left and give their open tasks to others, or to those named."""
        return self._db.write(lambda c: store_manage.hand_out_again(c, rater, to, by))

    def let_back_in(self, rater: int, *, by: str) -> Invitation:
        """Take a rater back who had left, under a new token; work is given out apart."""
        return self._db.write(lambda c: store_manage.let_back_in(c, rater, by))

    def let_in(self, rater: int, *, by: str) -> None:
        """Let a rater go on who did not pass the test; twice is once."""
        self._db.write(lambda c: store_manage.let_in(c, rater, by), again=True)

    def move(self, moves: Sequence[tuple[int, int]], *, by: str) -> tuple[tuple[int, int], ...]:
        """Give open tasks to raters as (task, rater) say; returns (new task, rater)."""
        return self._db.write(lambda c: store_manage.move_tasks(c, moves, by))

    def plan(self) -> list[Planned]:
        """All tasks that are answered or open, for a new plan to be made from."""
        return self._db.read(store_plan.plan)

    def replan(self, tasks: Iterable[TaskLike], *, by: str) -> tuple[int, int]:
        """Make the open tasks those of a new plan; returns how many were added and withdrawn.

        The plan has the answered tasks too. It is refused whole (``plan_outdated``) where it
        moves one that was answered meanwhile.
        """
        tasks = list(tasks)
        return self._db.write(lambda c: store_manage.new_plan(c, tasks, by))

    def adjudicate(
        self,
        item: str,
        dimension: str,
        value: Any,
        *,
        cause: str,
        by: str,
        systems: Sequence[str] = (),
        note: str = "",
    ) -> Adjudication:
        """Decide an item that raters differ on; the answers seen are kept with the decision."""
        return self._db.write(
            lambda c: store_manage.adjudicate(
                c, item, dimension, value, systems=systems, cause=cause, remark=note, by=by
            )
        )

    def adjudications(self, *, history: bool = False) -> list[Adjudication]:
        """The newest decision on each item, or all of them."""
        return self._db.read(lambda c: store_manage.adjudications(c, history=history))

    def audit(self) -> list[AuditLine]:
        """Every act of a manager, oldest first."""
        return self._db.read(store_manage.audit_log)

    def progress(self) -> list[Pace]:
        """How far and how fast each rater is, by seat."""
        return self._db.read(store_export.pace)

    def standings(self) -> list[Standing]:
        """Where each rater stands with the test, by seat; none where there is no test."""
        return self._db.read(lambda c: store_qualify.standings(c, self._test(c)))

    def _test(self, connection: Any) -> store_qualify.Bar:
        """What the test asks for, read once: a design never changes."""
        if self._bar is None:
            self._bar = store_qualify.bar_of(json.loads(store_manage.the_study(connection).design))
        return self._bar

    # --- raters --------------------------------------------------------------------------

    def rater(self, token: str) -> Rater:
        """Who a token belongs to, and how far they are."""
        return self.visit(token).rater

    def visit(self, token: str, task: int | None = None) -> store_visit.Visit:
        """All that a rater's page needs: the rater, and the first open task or one asked for.

        Where the test that comes first is over, and no task of it is asked for to be changed,
        this is when it is decided.
        """
        found = self._db.read(lambda c: store_visit.visit(c, token, self._test, task))
        if task is None and found.test is not None and found.test.due:
            self._db.write(lambda c: store_manage.settle(c, token, self._test), again=True)
            found = self._db.read(lambda c: store_visit.visit(c, token, self._test))
        return found

    def consent(self, token: str) -> str:
        """Record that a rater agreed to take part; returns when they first did."""
        return self._db.write(lambda c: store_manage.consent(c, token), again=True)

    def open_task(self, token: str) -> OpenTask | None:
        """The first task with an open question, with the answers it has; None when all is done."""
        return self.visit(token).task

    def task(self, token: str, task: int) -> OpenTask:
        """One of the rater's own tasks."""
        return self._db.read(lambda c: store_tasks.own_task(c, token, task))

    def last_task(self, token: str) -> OpenTask | None:
        """The task that the rater answered last, to undo or change it."""
        return self._db.read(lambda c: store_visit.last_task(c, token))

    def answer(
        self,
        token: str,
        task: int,
        dimension: str,
        value: Any = None,
        *,
        expected: int,
        client: str,
        seconds: float | None = None,
        comment: str = "",
        skip: bool = False,
    ) -> Saved:
        """Add an answer to one question; see :meth:`answers`."""
        one = Answer(dimension, value, expected, client, seconds, comment, skip)
        return self.answers(token, task, [one])[0]

    def answers(self, token: str, task: int, answers: Sequence[Answer]) -> tuple[Saved, ...]:
        """Add answers to several questions of one task, all or none.

        An answer that was sent before under the same ``client`` key is confirmed again and not
        doubled.

        Raises
        ------
        Stale
            If ``expected`` is not the newest revision, or the key was used for another answer.
        Refused
            If the study is closed, the rater has left, or the task is not theirs (any more).
        UnknownLink
            If the token is nobody's.
        StoreBusy, StoreFull, StoreUnreachable
            If the database could not take it; nothing is confirmed.
        """
        return self._db.write(lambda c: store_answers.save(c, token, task, answers), again=True)

    def undo(self, token: str, task: int, dimension: str, *, expected: int, client: str) -> Saved:
        """Take the newest answer back, as a new revision that says what the one before said."""
        return self._db.write(
            lambda c: store_answers.undo(c, token, task, dimension, expected, client), again=True
        )

    # --- what was collected --------------------------------------------------------------

    def ratings(self, *, history: bool = False) -> list[Rated]:
        """The long table: the newest answer to each question, or every revision."""
        return self._db.read(lambda c: list(store_export.rated(c, history=history)))

    def export(
        self,
        path: str | Path,
        *,
        table: str = "ratings",
        format: str | None = None,  # noqa: A002
        checks: bool = False,
        history: bool = False,
        by: str = "",
    ) -> Path:
        """Write the long table to a file that ``assay agree``, ``evaluate`` and ``prefer`` read.

        Parameters
        ----------
        path
            Where to; .csv, .jsonl or .parquet say the format.
        table
            "ratings" of outputs, "comparisons" of two, or "all" in one table; "decisions" of
            managers on items.
        format
            "csv", "jsonl" or "parquet", where the name does not say it.
        checks
            Include the answers to attention checks.
        history
            Every revision, or decision, instead of the newest.
        by
            Who takes the data along, for the audit log; "" leaves no line in it.
        """
        if by:
            what = {"table": table, "format": format or Path(path).suffix.lstrip(".")}
            self._db.write(lambda c: store_manage.note(c, by, "export", **what))
        if table == "decisions":
            records = store_export.decisions(self.adjudications(history=history))
        else:
            records = store_export.table(
                self.ratings(history=history), table, self.design(), checks=checks
            )
        columns = store_export.columns_of(table, self.design())
        return store_export.write_file(records, path, format, columns)

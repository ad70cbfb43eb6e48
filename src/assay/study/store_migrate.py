"""Bringing the tables of a database to what this version of assay works with."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import Script, ScriptDirectory

from assay.study.store_engine import Database
from assay.study.store_errors import StoreUnreachable
from assay.study.store_schema import VERSION_TABLE

FOLDER = Path(__file__).parent / "migrations"
LOCK = 0x6173736179  # any number that all processes of assay agree on
_one = threading.Lock()  # what the versions call `op` is one for the whole process


def scripts() -> ScriptDirectory:
    """All versions."""
    return ScriptDirectory(str(FOLDER))


def newest() -> str:
    """The name of the version that this code works with."""
    head = scripts().get_current_head()
    if head is None:
        raise StoreUnreachable("the versions of the tables are not installed.")
    return head


def version(connection: sa.Connection) -> str | None:
    """The version of a database's tables; None if it has none of ours."""
    return _context(connection).get_current_revision()


def bring_up(database: Database, target: str | None = None) -> None:
    """Make the tables, or bring them forward; nothing happens where they are current.

    A database with answers in it is copied first where it is a file: ``study.db`` to
    ``study.db.before-0002``.
    """
    wanted = target or newest()
    if database.read(version) == wanted:
        return
    with _one:
        database.write(lambda connection: _steps(database, connection, wanted))


def _steps(database: Database, connection: sa.Connection, wanted: str) -> None:
    if not database.sqlite:
        # Several processes may open a new database at once; all but one wait here.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    now = version(connection)
    todo = _between(database, connection, now, wanted)
    if todo and now is not None and database.sqlite:
        _copy(database, f"before-{wanted}")
    for script in todo:
        context = _context(connection)
        with _operations(context):
            script.module.upgrade()
        context.stamp(scripts(), script.revision)


def _between(
    database: Database, connection: sa.Connection, now: str | None, wanted: str
) -> list[Script]:
    directory = scripts()
    known = {script.revision for script in directory.walk_revisions()}
    if now is not None and now not in known:
        raise StoreUnreachable(
            f"{database.shown}: made by a newer version of assay (tables {now}; this one knows "
            f"up to {newest()}). Update assay.",
            code="store_newer",
        )
    if now is None:
        others = sorted(set(sa.inspect(connection).get_table_names()) - {VERSION_TABLE})
        if others:
            raise StoreUnreachable(
                f"{database.shown}: holds tables of something else ({', '.join(others[:5])}); a "
                "study needs a database, or a schema, of its own.",
                code="store_not_ours",
            )
    if now is not None and now >= wanted:
        return []
    return list(directory.iterate_revisions(wanted, now or "base"))[::-1]


def _context(connection: sa.Connection) -> MigrationContext:
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})


@contextmanager
def _operations(context: MigrationContext) -> Iterator[None]:
    with Operations.context(context):
        yield


def _copy(database: Database, ending: str) -> None:
    """A copy of the file as it was committed, made while the write lock is held."""
    source = Path(str(database.url.database))
    target = source.with_name(f"{source.name}.{ending}")
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
    target.chmod(0o600)

"""The database: opening it, transactions, and what its errors mean.

A transaction is a function of a connection. It is tried again while the database is locked, up
to a time; what it returns is handed on only after the commit.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event, exc

from assay.errors import MissingExtra, UsageError
from assay.study.store_errors import StoreBusy, StoreError, StoreFull, StoreUnreachable

T = TypeVar("T")

BUSY, FULL, LOST, RACE = "busy", "full", "lost", "race"
READ_ONLY, DAMAGED, DISK = "read only", "damaged", "disk"

SQLITE = {
    5: BUSY,
    6: BUSY,
    8: READ_ONLY,
    10: DISK,
    11: DAMAGED,
    13: FULL,
    14: LOST,
    26: DAMAGED,
}
"""Primary result codes of SQLite."""

POSTGRES = {
    **dict.fromkeys(("55P03", "40001", "40P01", "57014", "53300"), BUSY),
    **dict.fromkeys(("57P01", "57P02", "57P03"), LOST),
    **dict.fromkeys(("XX001", "XX002"), DAMAGED),
    "23505": RACE,
    "25006": READ_ONLY,
    "53100": FULL,
    "58030": DISK,
}
"""SQLSTATE codes of PostgreSQL."""

RACES = 20
"""How often a transaction is run again because another one was first with the same row."""
SLICE = 0.25
"""How long the database itself waits for a lock, seconds, before we look at the clock."""


def address(url: str) -> sa.URL:
    """The address of a database; a plain path is an SQLite file.

    >>> str(address("study.db")), address("postgres://me@host/db").drivername
    ('sqlite:///study.db', 'postgresql+psycopg')
    """
    if "://" not in url:
        return sa.URL.create("sqlite", database=url)
    try:
        made = sa.make_url(url)
    except exc.ArgumentError:
        raise UsageError(
            "the database's address cannot be read; a path, or postgresql://…"
        ) from None
    kind = made.drivername.split("+")[0]
    if kind == "sqlite":
        return made.set(drivername="sqlite")
    if kind in ("postgresql", "postgres"):
        return made.set(drivername="postgresql+psycopg")
    raise UsageError(
        f"{kind}: not a kind of database that a study can be kept in; a path, sqlite:/// or "
        "postgresql:// is needed."
    )


def meaning(error: exc.DBAPIError) -> str | None:
    """What an error of the driver means to us; None if nothing that is expected."""
    original: Any = error.orig
    code = getattr(original, "sqlite_errorcode", None)
    if code is not None:
        return SQLITE.get(code & 0xFF)
    state = getattr(original, "sqlstate", None)
    if state is None:
        return LOST if isinstance(error, exc.OperationalError | exc.InterfaceError) else None
    return POSTGRES.get(state, LOST if state[:2] == "08" else None)


class Database:
    """An engine and the two kinds of transactions: :meth:`read` and :meth:`write`."""

    def __init__(self, url: str, *, wait: float = 10.0, existing: bool = False) -> None:
        self.url = address(url)
        self.wait = wait
        self.sqlite = self.url.drivername == "sqlite"
        # One writer of this process at a time: a queue in memory is fairer and quicker than
        # SQLite's, which sleeps and looks again.
        self._turn = threading.Lock()
        if self.sqlite:
            self._prepare_file(existing)
        self.engine = self._engine()

    @property
    def shown(self) -> str:
        """The address without its password."""
        return self.url.render_as_string(hide_password=True)

    def _prepare_file(self, existing: bool) -> None:
        name = self.url.database
        if not name or name == ":memory:" or "mode=memory" in name or self.url.query:
            raise UsageError(
                "a study is kept in a file: an SQLite database in memory, or an address with "
                "options, would not keep what raters were told is saved."
            )
        path = Path(name)
        if path.exists():
            return
        if existing:
            raise StoreUnreachable(f"{path}: there is no such file.", code="no_such_study")
        try:
            # Tokens are only kept hashed, but answers are nobody else's business either.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise StoreUnreachable(f"{path}: cannot be made: {error.strerror}.") from error

    def _engine(self) -> sa.Engine:
        try:
            if self.sqlite:
                made = sa.create_engine(
                    self.url,
                    connect_args={"timeout": SLICE, "check_same_thread": False},
                    pool_size=8,
                    max_overflow=0,
                    pool_timeout=self.wait,
                )
            else:
                made = sa.create_engine(
                    self.url,
                    pool_size=10,
                    max_overflow=10,
                    pool_timeout=self.wait,
                    pool_pre_ping=True,
                )
        except ModuleNotFoundError as error:
            raise MissingExtra(
                f"a study in PostgreSQL needs {error.name}: pip install 'assay[study]'."
            ) from error
        event.listen(made, "connect", _sqlite_settings if self.sqlite else _postgres_settings)
        if self.sqlite:
            event.listen(made, "begin", _sqlite_begin)
        return made

    def read(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a transaction that changes nothing."""
        return self._until(lambda: self._once(work, writes=False), again=True)

    def write(self, work: Callable[[sa.Connection], T], *, again: bool = False) -> T:
        """Run a transaction that writes, and return what it returns once that is on the disk.

        ``again`` says that running it a second time after a commit does no harm, so that it may
        be repeated when the connection broke and nobody knows whether the commit came through.
        """
        return self._until(lambda: self._in_turn(work), again=again)

    def _in_turn(self, work: Callable[[sa.Connection], T]) -> T:
        if not self.sqlite:
            return self._once(work, writes=True)
        if not self._turn.acquire(timeout=self.wait):
            raise self._busy()
        try:
            return self._once(work, writes=True)
        finally:
            self._turn.release()

    def _once(self, work: Callable[[sa.Connection], T], *, writes: bool) -> T:
        with self.engine.connect() as connection:
            connection.execution_options(assay_writes=writes)
            if not writes and not self.sqlite:
                # What is read in several steps is of one moment, as it is in SQLite anyway.
                connection.execution_options(isolation_level="REPEATABLE READ")
            transaction = connection.begin()
            try:
                result = work(connection)
            except BaseException:
                transaction.rollback()
                raise
            try:
                transaction.commit()
            except BaseException:
                # Whatever state it is in, this connection is not used again: closing it rolls
                # back what was not committed.
                connection.invalidate()
                raise
            return result

    def _until(self, attempt: Callable[[], T], *, again: bool) -> T:
        """Attempt until it works, the time is over, or waiting cannot mend the error."""
        deadline, pause, tries = time.monotonic() + self.wait, 0.002, 0
        while True:
            tries += 1
            try:
                return attempt()
            except exc.DBAPIError as error:
                what = meaning(error)
                mends = (
                    what == BUSY
                    or (what == RACE and tries < RACES)
                    or (what == LOST and again and not self.sqlite)
                )
                if not mends or time.monotonic() + pause > deadline:
                    raise self._told(error, what) from error
            except exc.TimeoutError as error:
                raise self._busy() from error
            time.sleep(pause)
            pause = min(pause * 2, 0.2)

    def _busy(self) -> StoreBusy:
        return StoreBusy(
            f"{self.shown}: locked by somebody else for more than {self.wait:g} seconds; nothing "
            "was saved. Send it again."
        )

    def _told(self, error: exc.DBAPIError, what: str | None) -> Exception:
        if what == BUSY:
            return self._busy()
        if what == FULL:
            return StoreFull(f"{self.shown}: the disk is full; nothing was saved. Make room first.")
        words = {
            READ_ONLY: ("cannot be written to", "store_read_only"),
            DAMAGED: ("is not a database, or it is damaged", "store_damaged"),
            DISK: ("the disk reports an error; nothing was confirmed", "store_disk"),
            LOST: (
                "no connection, or it broke; what was not confirmed may or may not be saved",
                "store_unreachable",
            ),
        }
        if what in words:
            text, code = words[what]
            return StoreUnreachable(f"{self.shown}: {text} ({_first_line(error)}).", code=code)
        return StoreError(f"{self.shown}: {_first_line(error)}.")

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def _first_line(error: exc.DBAPIError) -> str:
    lines = str(error.orig).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error.orig).__name__


def _sqlite_settings(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    cursor = connection.cursor()
    try:
        mode = cursor.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise StoreUnreachable(f"the database's file system allows no write-ahead log: {mode}.")
        # FULL: a commit returns when the disk has it, not when the system has promised to write.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
    finally:
        cursor.close()


def _sqlite_begin(connection: sa.Connection) -> None:
    # A writer takes the lock at once: a reader that becomes one could not wait for it.
    writes = connection.get_execution_options().get("assay_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgres_settings(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        if cursor.fetchone()[0] == "off":
            cursor.execute("SET synchronous_commit = on")
        cursor.execute(f"SET lock_timeout = '{int(SLICE * 1000)}ms'")
        cursor.execute("SET client_encoding = 'UTF8'")
    connection.commit()

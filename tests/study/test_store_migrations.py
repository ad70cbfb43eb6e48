"""The tables: made, brought forward, and the same as the code thinks they are."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from assay.study import store_migrate
from assay.study.store import Store
from assay.study.store_engine import Database
from assay.study.store_errors import StoreUnreachable
from assay.study.store_schema import VERSION_TABLE, metadata
from assay.study.store_values import digest
from study.stores import filled, jobs


def test_the_migrations_make_the_tables_of_the_code(url, open_store):
    store = open_store(url)
    options = {"version_table": VERSION_TABLE, "compare_type": True}

    def differences(connection):
        return compare_metadata(MigrationContext.configure(connection, opts=options), metadata)

    assert store._db.read(differences) == []

    def constraints(connection):
        inspector = sa.inspect(connection)
        return {
            name: (
                {one["name"] for one in inspector.get_unique_constraints(name)},
                len(inspector.get_foreign_keys(name)),
            )
            for name in metadata.tables
        }

    assert store._db.read(constraints) == {
        name: (
            {str(c.name) for c in table.constraints if isinstance(c, sa.UniqueConstraint)},
            len([c for c in table.constraints if isinstance(c, sa.ForeignKeyConstraint)]),
        )
        for name, table in metadata.tables.items()
    }


def test_a_comparison_of_tables_sees_a_difference(tmp_path, open_store):
    store = open_store(tmp_path / "study.db")
    store._db.write(lambda c: c.execute(sa.text("ALTER TABLE task ADD COLUMN extra TEXT")))
    found = store._db.read(
        lambda c: compare_metadata(
            MigrationContext.configure(c, opts={"version_table": VERSION_TABLE}), metadata
        )
    )
    assert [(one[0], one[3].name) for one in found] == [("remove_column", "extra")]


AT = "2026-01-31T08:15:00.000000Z"
FILLED = (
    f"INSERT INTO study VALUES (1, 'pilot', '{{\"name\":\"pilot\"}}', 'x', '{AT}', NULL)",
    "INSERT INTO rater (id, seat, name, token_hash) VALUES (1, 0, 'ana', :token)",
    (
        "INSERT INTO task (id, rater_id, position, item, kind, systems, repeat, is_check, is_pilot)"
        " VALUES (1, 1, 0, 'q0', 'single', '[\"base\"]', 0, false, false)"
    ),
    "INSERT INTO question VALUES (1, 'fluency', 0)",
    (
        "INSERT INTO rating (task_id, dimension, revision, kind, value, comment, client, at)"
        f" VALUES (1, 'fluency', 1, 'answer', '3', '', '1', '{AT}')"
    ),
)
"""A study with one answer as the first version of the tables kept it: newer code asks for more."""


def test_an_older_database_is_brought_forward_with_its_answers(url, tmp_path, open_store):
    old = Database(url)
    store_migrate.bring_up(old, "0001")
    assert old.read(store_migrate.version) == "0001"
    assert "adjudication" not in old.read(lambda c: sa.inspect(c).get_table_names())
    old.write(lambda c: [c.execute(sa.text(line), {"token": digest("t")}) for line in FILLED])
    old.close()

    store = open_store(url)
    assert store.visit("t").test is None
    assert store._db.read(store_migrate.version) == store_migrate.newest()
    assert [(row.value, row.batch) for row in store.ratings()] == [(3, None)]
    store.adjudicate("q0", "fluency", 3, systems=["base"], cause="other", by="me")
    copies = list(tmp_path.glob("study.db.before-*"))
    if not store._db.sqlite:
        return
    (copy,) = copies
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT value FROM rating").fetchall() == [("3",)]
        assert connection.execute(f"SELECT * FROM {VERSION_TABLE}").fetchall() == [("0001",)]


def test_a_current_database_is_left_as_it_is(tmp_path, open_store):
    open_store(tmp_path / "study.db").close_connections()
    open_store(tmp_path / "study.db", existing=True)
    assert not list(tmp_path.glob("*.before-*"))


def test_a_newer_database_is_left_alone(url, open_store):
    store = open_store(url)
    store._db.write(lambda c: c.execute(sa.text(f"UPDATE {VERSION_TABLE} SET version_num='9999'")))
    with pytest.raises(StoreUnreachable, match="Update assay") as told:
        Store(url)
    assert told.value.code == "store_newer"
    assert store._db.read(store_migrate.version) == "9999"


def test_tables_of_something_else_are_left_alone(url):
    database = Database(url)
    database.write(lambda c: c.execute(sa.text("CREATE TABLE recipes (id INTEGER)")))
    with pytest.raises(StoreUnreachable, match="recipes") as told:
        Store(url)
    assert told.value.code == "store_not_ours"
    assert database.read(lambda c: sa.inspect(c).get_table_names()) == ["recipes"]
    database.close()


def test_a_migration_that_fails_leaves_the_old_version(url, monkeypatch):
    database = Database(url)
    store_migrate.bring_up(database, "0001")
    script = store_migrate.scripts().get_revision("0002")

    class Broken:
        @staticmethod
        def upgrade():
            script.module.upgrade()
            raise RuntimeError("half way")

    monkeypatch.setattr(
        store_migrate,
        "_between",
        lambda *_: [type("Script", (), {"module": Broken, "revision": "0002"})],
    )
    with pytest.raises(RuntimeError):
        store_migrate.bring_up(database)
    assert database.read(store_migrate.version) == "0001"
    assert "adjudication" not in database.read(lambda c: sa.inspect(c).get_table_names())
    database.close()


def test_a_file_that_is_no_database_is_named(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, all of them" * 50)
    with pytest.raises(StoreUnreachable) as told:
        Store(path)
    assert told.value.code == "store_damaged"
    assert "notes.txt" in str(told.value)


def test_a_missing_file_is_not_made_where_one_is_expected(tmp_path):
    with pytest.raises(StoreUnreachable) as told:
        Store(tmp_path / "study.db", existing=True)
    assert told.value.code == "no_such_study"
    with pytest.raises(StoreUnreachable, match="cannot be made"):
        Store(tmp_path / "no folder" / "study.db")
    assert not list(tmp_path.iterdir())


def test_the_file_is_its_owners(tmp_path, open_store):
    store = open_store(tmp_path / "study.db")
    filled(store, jobs(1, 1), "ana")
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name


def test_every_connection_waits_for_the_disk(tmp_path, open_store, postgres):
    store = open_store(tmp_path / "study.db")
    pragmas = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 250}
    for name, value in pragmas.items():
        sql = f"PRAGMA {name}"
        assert store._db.read(lambda c, sql=sql: c.exec_driver_sql(sql).scalar()) == value
    # A server set to confirm early is told not to, for our connections.
    early = postgres.replace("options=", "options=-csynchronous_commit%3Doff%20")
    found = Database(early)
    assert found.read(lambda c: c.exec_driver_sql("SHOW synchronous_commit").scalar()) == "on"
    found.close()


def test_many_processes_may_open_a_new_database_at_once(url):
    code = "import sys; from assay.study.store import Store; Store(sys.argv[1], wait=60)"
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", code, url], stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for one in started:
        _, said = one.communicate(timeout=120)
        assert one.returncode == 0, said
    with Store(url, existing=True) as store:
        assert store._db.read(store_migrate.version) == store_migrate.newest()

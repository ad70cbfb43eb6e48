"""``assay serve`` and ``assay lab`` as processes: they answer, open the right page, and end."""

from __future__ import annotations

import os
import queue
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest

import assay
from assay.cli.lab import LABS as NAMES
from assay.web.lab import LABS

EXAMPLES = Path(assay.__file__).parent / "examples"
RATINGS = str(EXAMPLES / "answers.csv")
GOLD, PRED = str(EXAMPLES / "gold.conll"), str(EXAMPLES / "tagger_a.conll")
PATIENCE = 60
"""Seconds until something has gone wrong; a busy machine is slow."""


def command(*args):
    return [sys.executable, "-m", "assay", *args]


@contextmanager
def running(*args, **more):
    """A process and the address that it says."""
    child = subprocess.Popen(
        command(*args),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"} | more,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    out = child.stdout
    lines: queue.Queue = queue.Queue()
    threading.Thread(target=lambda: lines.put(out.readline()), daemon=True).start()
    try:
        line = lines.get(timeout=PATIENCE)
        assert line.startswith("assay: http://"), line + (child.stderr.read() if not line else "")
        yield child, line.split()[1]
    finally:
        if child.poll() is None:
            child.send_signal(signal.SIGINT)
        child.communicate(timeout=PATIENCE)


def fetched(address):
    with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE) as answer:
        return answer.read().decode()


def failed(*args):
    """What a command that cannot work says; it must not begin to."""
    done = subprocess.run(command(*args), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


def test_the_command_knows_every_lab():
    """Written down there, so that the command's help needs no import."""
    assert tuple(LABS) == NAMES


def test_serve_answers_and_ends_with_ctrl_c():
    with running("serve", "--port", "0") as (child, address):
        assert address.startswith("http://127.0.0.1:")
        assert "<h1>" in fetched(address)
        assert 'data-figure="kappa"' in fetched(f"{address}lab/kappa")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE)
        assert child.returncode == 0
        assert out == ""
        assert err in ("", "Stopped.\n")


def test_it_ends_while_a_browser_holds_on():
    with running("serve", "--port", "0") as (child, address):
        port = int(address.rsplit(":", 1)[1].strip("/"))
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert line.recv(15) == b"HTTP/1.1 200 OK"
            start = time.monotonic()
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=PATIENCE)
        assert child.returncode == 0
        assert time.monotonic() - start < 20


def test_a_second_server_says_that_the_port_is_taken():
    with running("serve", "--port", "0") as (_, address):
        port = address.rsplit(":", 1)[1].strip("/")
        said = failed("serve", "--port", port)
        assert f"--port {port}" in said
        assert "choose another address or port" in said


@pytest.mark.parametrize(
    ("args", "path", "shown"),
    [
        (["kappa", "--table", "3 47; 53 897"], "/lab/kappa?t=3,47;53,897", 'data-value="1000"'),
        (["kappa", RATINGS, "--raters", "mai", "jonas"], "/lab/kappa?t=", "jonas"),
        (["bio", GOLD, PRED, "--sentence", "17"], "/lab/bio?tokens=", 'data-figure="exact-f1"'),
        (["bio", GOLD, PRED], "/lab/bio?tokens=", 'data-figure="exact-f1"'),
        (["bio"], "/lab/bio", 'data-figure="token-accuracy"'),
        ([], "/", "<h1>"),
    ],
)
def test_a_lab_at_its_address(args, path, shown):
    with running("lab", *args, "--no-browser", "--port", "0") as (_, address):
        base = "/".join(address.split("/")[:3])
        assert address.startswith(base + path)
        assert path != "/" or address == base + "/"
        assert shown in fetched(address)


def test_the_pair_of_a_file_is_its_table():
    from assay.report.agreement import agree

    names = ("--raters", "mai", "jonas")
    with running("lab", "kappa", RATINGS, *names, "--no-browser", "--port", "0") as (
        _, address,
    ):  # fmt: skip
        page = fetched(address)
    pair = next(
        one for one in agree(RATINGS).to_dict()["pairs"] if set(one["raters"]) == {"mai", "jonas"}
    )
    shown = page.split('data-figure="kappa" data-value="')[1].split('"')[0]
    assert float(shown) == pytest.approx(pair["cohen_kappa"], abs=1e-15)


def test_the_browser_is_opened(tmp_path):
    """That of the environment, with the address that is printed."""
    seen = tmp_path / "seen"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}.part && mv {seen}.part {seen}\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    with running("lab", "kappa", "--table", "1 2; 3 4", "--port", "0", BROWSER=str(script)) as (
        _, address,
    ):  # fmt: skip
        end = time.monotonic() + PATIENCE
        while not seen.exists() and time.monotonic() < end:
            time.sleep(0.05)
        assert seen.read_text() == address
        assert address.endswith("/lab/kappa?t=1,2;3,4")


def test_no_browser_means_none(tmp_path):
    script, seen = tmp_path / "browser", tmp_path / "seen"
    script.write_text(f"#!/bin/sh\ntouch {seen}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    for args in (["lab", "kappa", "--no-browser"], ["serve"]):
        with running(*args, "--port", "0", BROWSER=str(script)) as (_, address):
            fetched(address)
            # Asked twice: a browser would have been started before the first answer.
            fetched(address)
        assert not seen.exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["lab", "capa"], ["capa", "kappa"]),
        (["lab", "kappa", "--table", "3 47; 53"], ["--table", "row 2 has 1 cells"]),
        (["lab", "kappa", "--table", "3 x; 53 1"], ["row 1, column 2", "'x'"]),
        (["lab", "kappa", "--table", "3"], ["1 rows", "2 to 8"]),
        (["lab", "kappa", "--table", "3 -1; 53 1"], ["row 1, column 2"]),
        (["lab", "kappa", "--table", "1 2; 3 4", RATINGS], ["not --table and a file"]),
        (["lab", "kappa", "--table", "1 2; 3 4", "--raters", "a", "b"], ["--raters"]),
        (["lab", "kappa", "--raters", "a", "b"], ["--raters", "a file of ratings"]),
        (["lab", "kappa", "none.csv"], ["none.csv"]),
        (["lab", "kappa", RATINGS, "--raters", "mai", "nobody"], ["nobody"]),
        (["lab", "kappa", RATINGS, RATINGS], ["one file of ratings", "2"]),
        (["lab", "kappa", "--sentence", "3"], ["--sentence", "assay lab bio"]),
        (["lab", "bio", GOLD, PRED, "--sentence", "99"], ["sentences 1 to 40"]),
        (["lab", "bio", GOLD, PRED, "--sentence", "0"], ["--sentence"]),
        (["lab", "bio", "--sentence", "2"], ["--sentence"]),
        (["lab", "bio", GOLD, PRED, PRED], ["3"]),
        (["lab", "bio", "--table", "1 2; 3 4"], ["--table", "assay lab kappa"]),
        (["lab", "many", RATINGS], ["takes no file"]),
        (["lab", "--table", "1 2; 3 4"], ["--table", "a lab's name"]),
        (["serve", "--port", "70000"], ["70000"]),
        (["serve", "--host", "no.such.host.invalid", "--port", "0"], ["no.such.host.invalid"]),
    ],
)
def test_what_cannot_be_opened_says_why(args, words):
    said = failed(*args, *([] if args[0] == "serve" else ["--no-browser", "--port", "0"]))
    for part in words:
        assert part in said, said

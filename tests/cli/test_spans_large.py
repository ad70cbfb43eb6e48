"""``assay spans`` on many and on large files: patterns, memory, progress, interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assay.cli.main import main
from assay.cli.progress import Watch
from cli.test_process import CODE, environment, on_terminal

ROW = "Ana B-PER\nLee I-PER\nslept O\n\nRio B-LOC\n\n"
OTHER = "Ana B-PER\nLee O\nslept O\n\nRio B-LOC\n\n"


def run(*args) -> tuple[dict, str]:
    done = CliRunner().invoke(main, ["spans", *map(str, args), "--json", "--bootstrap", "0"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout), done.stderr


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for k in range(3):
        (tmp_path / f"gold-{k}.conll").write_text(ROW * (k + 1))
        (tmp_path / f"pred-{k}.conll").write_text(OTHER * (k + 1))
    return tmp_path


def test_quoted_patterns_stand_for_files(files: Path) -> None:
    gold, pred = files / "gold-*.conll", files / "pred-*.conll"
    whole, _ = run(gold, pred)
    parts, _ = run(gold, pred, "--stream")
    assert whole["matches"] == parts["matches"]
    assert whole["source"]["sentences"] == 12
    assert whole["source"]["gold"] == parts["source"]["gold"] == "gold-0.conll, …, gold-2.conll"
    assert whole["errors"]["surface"]
    assert not parts["errors"]["surface"]
    done = CliRunner().invoke(main, ["spans", str(gold), str(files / "pred-[01].conll")])
    assert done.exit_code == 2
    assert "stands for 3 files" in done.stderr


def test_what_does_not_fit_is_streamed_and_said(files: Path) -> None:
    gold, pred = files / "gold-0.conll", files / "pred-0.conll"
    summary, said = run(gold, pred, "--memory", "500B")
    codes = {note["code"]: note["message"] for note in summary["source"]["notes"]}
    assert "and 0.5 kB are allowed, so that they are read in chunks" in said
    assert codes["larger_than_memory"] in said
    assert "streamed" in codes
    summary, said = run(gold, pred, "--memory", "1MB")
    assert said == ""
    assert summary["errors"]["surface"]


def test_what_needs_the_whole_says_so(files: Path) -> None:
    gold, pred = str(files / "gold-0.conll"), str(files / "pred-0.conll")
    spans = files / "spans.jsonl"
    spans.write_text('{"text": "Ana slept", "label": [[0, 3, "PER"]]}\n')
    for more, why in (
        ([gold, pred, "--mode", "partial"], "--mode needs them as a whole"),
        ([gold, pred, gold], "a comparison of systems needs"),
        ([str(spans), str(spans)], "the format needs"),
    ):
        done = CliRunner().invoke(main, ["spans", *more, "--memory", "10B"])
        assert done.exit_code == 2
        assert why in done.stderr.replace("\n", " ")
    done = CliRunner().invoke(main, ["spans", gold, pred, "--memory", "much"])
    assert (done.exit_code, "a size such as 1GB" in done.stderr) == (2, True)
    done = CliRunner().invoke(main, ["spans", gold, pred, "--annotators", "--memory", "1GB"])
    assert (done.exit_code, "--memory is about gold and prediction" in done.stderr) == (2, True)


def test_parquet_on_the_command_line(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "both.parquet"
    rows = {"gold": [["B-PER", "O"], ["O"]], "pred": [["B-PER", "O"], ["B-LOC"]]}
    parquet.write_table(pyarrow.table(rows), path)
    whole, _ = run(path)
    parts, _ = run(path, "--stream")
    assert whole["matches"] == parts["matches"]
    large, said = run(path, "--memory", "20B")
    assert large["matches"] == whole["matches"]
    assert "read in chunks" in said


def test_progress_has_a_rate_and_the_time_left() -> None:
    texts: list[str] = []

    class Bar:
        task_ids = (0,)

        def update(self, task, *, description, completed, total) -> None:
            texts.append(f"{description} [{completed}/{total}]")

        def stop(self) -> None:
            pass

    with Watch(("scoring", "writing")) as watch:
        shown: Any = Bar()
        watch._bar = shown
        watch.step("scoring")
        watch.count(0, None, "sentences")
        watch._since = time.monotonic() - 10
        watch.count(50_000, 200_000, "sentences")
        watch.step("writing")
    assert texts[0] == "scoring [0/2]"
    assert texts[2].startswith("scoring: 50,000 sentences, 5,0")
    assert texts[2].endswith("a second, 0:30 left [50000/200000]")
    assert texts[3] == "writing [1/2]"


def test_an_interruption_leaves_nothing_behind(tmp_path: Path) -> None:
    gold, out, scratch = tmp_path / "gold.conll", tmp_path / "report.json", tmp_path / "scratch"
    scratch.mkdir()
    gold.write_text(ROW * 400_000)
    command = [sys.executable, "-m", "assay", "spans", str(gold), "-", "--stream"]
    command += ["--out", str(out)]
    with gold.open("rb") as text:
        child = subprocess.Popen(
            command, stdin=text, stderr=subprocess.PIPE, env=environment(TMPDIR=str(scratch))
        )
        deadline = time.monotonic() + 60
        while not os.listdir(scratch) and time.monotonic() < deadline:  # noqa: PTH208
            time.sleep(0.01)
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
    # A shell says 130 of both; the second where modules were still being imported.
    assert child.returncode in (130, -signal.SIGINT), said
    assert b"Traceback" not in said
    assert list(scratch.iterdir()) == []
    assert not out.exists()


def test_a_terminal_shows_progress(tmp_path: Path) -> None:
    gold = tmp_path / "gold.conll"
    gold.write_text(ROW * 300_000)
    code = (
        "import sys, assay.cli.progress as p;"
        "p.Watch.__init__.__defaults__ = (0.2,);"
        "from assay.cli.main import main;"
        "main(['spans', *sys.argv[1:]], prog_name='assay')"
    )
    seen, status = on_terminal(
        [sys.executable, "-c", code, str(gold), str(gold), "--stream", "--bootstrap", "0"], 100
    )
    plain = CODE.sub("", seen)
    assert status == 0
    assert " sentences, " in plain
    assert " a second, 0:" in plain
    assert " left" in plain

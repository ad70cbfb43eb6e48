"""The shipped tags, scored from file to report: what the example promises is true."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.main import main

FOLDER = Path(__file__).parents[2] / "src" / "assay" / "examples"
GOLD, A, B = (FOLDER / f"{name}.conll" for name in ("gold", "tagger_a", "tagger_b"))


def run(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args], prog_name="assay")


def entry(summary, mode, kind="micro"):
    return next(m for m in summary["matches"] if (m["mode"], m["type"]) == (mode, kind))


@pytest.fixture(scope="module")
def found():
    got = run("spans", GOLD, A, B, "--json")
    assert got.exit_code == 0, got.output
    assert got.stderr == ""
    return json.loads(got.stdout)


def test_94_per_cent_of_the_tokens_and_57_per_cent_of_the_entities(found):
    assert found["token_accuracy"] == 16 / 17
    exact = entry(found, "exact")
    assert (exact["tp"], exact["fp"], exact["fn"]) == (24, 19, 17)
    assert exact["f1"] == 4 / 7
    assert found["illegal"] == {"gold": 0, "pred": 3}
    assert found["scheme"] == "BIO"


def test_it_has_every_kind_of_error_and_they_add_up(found):
    causes = {c["cause"]: (c["fp"], c["fn"]) for c in found["errors"]["causes"]}
    assert all(any(counts) for counts in causes.values())
    assert [sum(column) for column in zip(*causes.values(), strict=True)] == [19, 17]


def test_the_other_tagger_has_fewer_tokens_right_and_more_entities(found):
    a, b = sorted(found["systems"], key=lambda one: one["name"])
    assert a["token_accuracy"] > b["token_accuracy"]
    assert a["f1"] < b["f1"]
    assert (a["rank"], b["rank"]) == (2, 1)
    assert found["comparisons"][0]["p_adjusted"] < 0.05


@pytest.mark.parametrize("files", [(GOLD, A), (GOLD, A, B)])
@pytest.mark.parametrize("form", ["terminal", "json", "markdown", "latex", "csv", "html"])
@pytest.mark.parametrize("full", [(), ("--full",)])
def test_every_format(files, form, full):
    got = run("spans", *files, "--to", form, "--bootstrap", 100, *full)
    assert got.exit_code == 0, got.output
    if form != "json":
        assert not re.search(r"\b(None|nan|NaN|True|False)\b", got.stdout)


def test_all_figures_are_in_the_table():
    got = run("spans", GOLD, A, "--csv", "--bootstrap", 0)
    rows = list(csv.DictReader(io.StringIO(got.stdout)))
    by = {(row["mode"], row["type"]): row for row in rows}
    assert float(by["exact", "micro"]["f1"]) == 4 / 7
    assert by["exact", "micro"]["f1_low"] == ""
    assert {"LOC", "ORG", "PER", "WORK"} <= {kind for _, kind in by}


def test_a_shorter_prediction_is_an_error(tmp_path):
    short = tmp_path / "short.conll"
    short.write_text("".join(A.read_text("utf-8").split("\n\n")[0]) + "\n", "utf-8")
    got = run("spans", GOLD, short)
    assert got.exit_code == 2
    assert got.stdout == ""
    assert got.stderr.startswith("error: ")


def test_tokens_that_differ_are_a_warning(tmp_path):
    other = tmp_path / "other.conll"
    other.write_text(A.read_text("utf-8").replace("joined\t", "entered\t"), "utf-8")
    got = run("spans", GOLD, other)
    assert got.exit_code == 0
    assert got.stderr.startswith("warning: ")
    assert "57.1 %" in got.stdout


def test_one_file_with_both_columns(tmp_path):
    both = tmp_path / "both.conll"
    rows = zip(GOLD.read_text("utf-8").split("\n"), A.read_text("utf-8").split("\n"), strict=True)
    both.write_text("\n".join(f"{g}\t{p.split(chr(9))[1]}" if g else "" for g, p in rows), "utf-8")
    got = run("spans", both, "--json", "--bootstrap", 0)
    assert got.exit_code == 0, got.output
    assert entry(json.loads(got.stdout), "exact")["f1"] == 4 / 7

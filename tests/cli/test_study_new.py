"""``assay study new`` and ``check``: a file out, an explanation back."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from assay.cli import study as command
from assay.cli.main import main
from assay.study.check import explain
from assay.study.design import LANGUAGES, MECHANISMS
from assay.study.design_read import read_design


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*args):
        return CliRunner().invoke(main, ["study", *map(str, args)], prog_name="assay")

    return call


def test_a_new_study_and_what_it_will_do(run, tmp_path):
    got = run("new", "trial", "--mechanism", "ab", "--language", "vi")
    assert got.exit_code == 0, got.output
    assert "assay study check trial.toml" in got.stdout
    checked = run("check", "trial.toml", "--seconds", 60)
    assert checked.exit_code == 0, checked.output
    assert "raters never see these names" in checked.stdout
    assert "15 minutes in all" in checked.stdout
    document = json.loads(run("check", "trial.toml", "--raters", 4, "--json").stdout)
    want = explain(read_design(tmp_path / "trial.toml"), 4).to_dict()
    assert document == json.loads(json.dumps(want))


def test_nothing_is_overwritten(run, tmp_path):
    assert run("new").exit_code == 0
    before = (tmp_path / "study.toml").read_bytes()
    again = run("new", "study.toml", "--mechanism", "label")
    assert (again.exit_code, "[file_exists]" in again.stderr) == (2, True)
    assert (tmp_path / "study.toml").read_bytes() == before
    (tmp_path / "other-items.csv").write_text("mine")
    assert run("new", "other").exit_code == 2
    assert not (tmp_path / "other.toml").exists()


def test_bad_names_and_places(run):
    assert "letters, digits" in run("new", "a b").stderr
    assert "at most 60" in run("new", "x" * 61).stderr
    assert run("new", "x" * 60).exit_code == 0
    assert run("check", f"{'x' * 60}.toml").exit_code == 0
    assert "[unwritable]" in run("new", "nowhere/trial").stderr


def test_what_cannot_be_done_ends_with_2(run):
    run("new", "trial")
    got = run("check", "trial.toml", "--raters", 1)
    assert got.exit_code == 2
    assert "per_item is 2, but there is only 1 rater" in " ".join(got.stdout.split())
    missing = run("check", "trail.toml")
    assert (missing.exit_code, "[no_such_file]" in missing.stderr) == (2, True)


def test_the_help_names_what_there_is(run):
    assert command.MECHANISMS == MECHANISMS
    assert command.LANGUAGES == LANGUAGES
    assert "check" in run("--help").stdout

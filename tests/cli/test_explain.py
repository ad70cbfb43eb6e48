"""``assay explain``: a name in, a text out."""

from __future__ import annotations

import json

from click.testing import CliRunner

import assay
from assay.cli.main import main


def run(*args):
    return CliRunner().invoke(main, ["explain", *args], prog_name="assay")


def test_a_name_of_several_words_needs_no_quotes():
    got = run("Cohen's", "kappa", "--json")
    assert got.exit_code == 0
    assert json.loads(got.stdout) == {
        **assay.explain("cohen_kappa").to_dict(), "name": "Cohen's kappa",
    }  # fmt: skip


def test_without_a_name_all_are_listed():
    got = run()
    assert got.exit_code == 0
    assert "krippendorff_alpha" in got.stdout
    assert "one_label_used" in got.stdout


def test_unknown_names_and_files_end_with_2(tmp_path):
    got = run("kapa")
    assert got.exit_code == 2
    assert "did you mean 'kappa'?" in got.stderr
    path = tmp_path / "answers.csv"
    path.write_text("a,b\n")
    got = run(str(path))
    assert got.exit_code == 2
    assert "is a file" in got.stderr
    assert "assay agree" in got.stderr


def test_to_a_file(tmp_path):
    out = tmp_path / "kappa.md"
    assert run("kappa", "--out", str(out)).exit_code == 0
    assert out.read_text("utf-8").startswith("## Cohen's kappa")

"""From a file to a report, through everything."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.main import main
from assay.report.names import NAMES
from assay.report.render import FORMATS

EXAMPLE = Path(__file__).parents[2] / "src" / "assay" / "examples" / "answers.csv"


def run(*args, **more):
    return CliRunner().invoke(main, [str(arg) for arg in args], prog_name="assay", **more)


def as_json(*args, **more):
    got = run("agree", *args, "--json", **more)
    assert got.exit_code == 0, got.output
    assert got.stderr == ""
    return json.loads(got.stdout)


def values(report):
    return {c["name"]: c["value"] for c in report["coefficients"]}


def test_the_shipped_example():
    report = as_json(EXAMPLE)
    assert list(report["source"]) >= ["items"]
    assert (report["source"]["items"], report["source"]["raters"]) == (120, 3)
    assert report["source"]["ratings"] == 353
    assert report["source"]["items_with_one_rating"] == 1
    assert report["source"]["missing"] == 7
    assert {c["name"] for c in report["coefficients"]} == set(NAMES)
    # krippendorff 0.9 prints this for the same table.
    assert values(report)["krippendorff_alpha"] == pytest.approx(0.5477046979865772, abs=1e-12)
    assert values(report)["percent_agreement"] == pytest.approx(0.865546218487395, abs=1e-12)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("full", [[], ["--full"]])
def test_every_format_of_the_shipped_example(kind, full):
    got = run("agree", EXAMPLE, "--to", kind, *full)
    assert (got.exit_code, got.stderr) == (0, "")
    assert "None" not in got.stdout
    if kind != "latex":
        assert "priya" in got.stdout or kind == "csv"


@pytest.mark.parametrize(
    ("columns", "most"), [("item,mai,jonas,priya", 52), ("item,mai,jonas", 56)]
)
def test_the_shipped_example_is_one_screen(tmp_path, monkeypatch, columns, most):
    monkeypatch.setenv("COLUMNS", "100")
    lines = [line.split(",") for line in EXAMPLE.read_text().splitlines()]
    at = [lines[0].index(name) for name in columns.split(",")]
    file = tmp_path / "answers.csv"
    file.write_text("".join(",".join(line[i] for i in at) + "\n" for line in lines))
    text = run("agree", file).stdout
    assert len(text.splitlines()) <= most
    assert "References: " in text
    assert "British Journal" not in text
    full = run("agree", file, "--full").stdout
    assert "British Journal of Mathematical" in full
    assert "degrees of freedom" in full


def test_some_of_the_raters_and_a_table_without_names(tmp_path):
    two = as_json(EXAMPLE, "--raters", "mai,jonas")
    assert [row["rater"] for row in two["raters"]] == ["mai", "jonas"]
    wrong = run("agree", EXAMPLE, "--raters", "mai,jonass")
    assert wrong.exit_code == 2
    assert "did you mean 'jonas'" in wrong.stderr
    file = tmp_path / "bare.csv"
    file.write_bytes(EXAMPLE.read_bytes().partition(b"\n")[2])
    assert values(as_json(file, "--no-header")) == values(as_json(EXAMPLE))


def test_a_table_of_two_raters(tmp_path):
    file = tmp_path / "safety.csv"
    file.write_text(",violation,safe\nviolation,3,47\nsafe,53,897\n")
    report = as_json(file)
    kappa = next(c for c in report["coefficients"] if c["name"] == "cohen_kappa")
    assert (kappa["observed"], kappa["expected"]) == (0.9, pytest.approx(0.8996))
    assert kappa["value"] == pytest.approx(0.0004 / 0.1004)
    assert kappa["maximum"] == pytest.approx(0.940239, abs=1e-6)
    text = run("agree", file).stdout
    assert "ceiling of kappa 0.940" in text
    assert "McNemar" in text


def test_undefined_is_an_answer(tmp_path):
    file = tmp_path / "same.csv"
    file.write_text("item,a,b\n" + "".join(f"{i},safe,safe\n" for i in range(40)))
    got = run("agree", file)
    assert got.exit_code == 0
    assert "not defined, because" in got.stdout
    gate = run("agree", file, "--fail-under", "cohen_kappa=0.5")
    assert gate.exit_code == 1
    assert "cohen_kappa is not defined, because" in gate.stderr


def test_standard_input_is_the_file():
    text = EXAMPLE.read_bytes()
    command = [sys.executable, "-m", "assay", "agree", "-", "--json"]
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert values(json.loads(done.stdout)) == values(as_json(EXAMPLE))


def test_a_folder_with_one_file_a_rater(tmp_path):
    lines = [line.split(",") for line in EXAMPLE.read_text().splitlines()]
    for column in (1, 2, 3):
        rows = [f"{line[0]},{line[column]}" for line in lines[1:]]
        file = tmp_path / f"{lines[0][column]}.csv"
        file.write_text("item,label\n" + "\n".join(rows) + "\n")
    got = values(as_json(tmp_path))
    assert got["krippendorff_alpha"] == values(as_json(EXAMPLE))["krippendorff_alpha"]


def test_long_with_groups(tmp_path):
    lines = ["item,rater,label,dimension"]
    for k, dimension in enumerate(("fluency", "relevance")):
        for i in range(40):
            lines += [f"{i},a,{i % 3},{dimension}", f"{i},b,{(i + k * (i % 2)) % 3},{dimension}"]
    file = tmp_path / "long.csv"
    file.write_text("\n".join(lines) + "\n")
    report = as_json(file, "--by", "dimension", "--scale", "interval")
    assert [g["group"] for g in report["groups"]] == ["fluency", "relevance"]
    text = run("agree", file, "--by", "dimension", "--scale", "interval").stdout
    assert "fluency" in text
    assert run("agree", file, "--by", "dimension", "--full").exit_code == 0


def test_ordered_words_need_their_order(tmp_path):
    file = tmp_path / "essays.csv"
    rows = [("low", "mid"), ("mid", "mid"), ("high", "high"), ("low", "low")] * 10
    file.write_text("item,a,b\n" + "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(rows)))
    refused = run("agree", file, "--scale", "ordinal")
    assert refused.exit_code == 2
    assert "order" in refused.stderr
    got = as_json(file, "--scale", "ordinal", "--order", "low,mid,high", "--weights", "quadratic")
    assert values(got)["cohen_kappa"] == pytest.approx(0.8461538, abs=0.05)
    matrix = tmp_path / "w.csv"
    matrix.write_text("high,mid,low\n1,.75,0\n.75,1,.75\n0,.75,1\n")
    same = as_json(file, "--scale", "ordinal", "--order", "low,mid,high", "--weights", matrix)
    assert values(same)["cohen_kappa"] == pytest.approx(values(got)["cohen_kappa"], abs=1e-15)


def test_a_matrix_says_which_label_its_rows_are_or_is_refused(tmp_path):
    file = tmp_path / "essays.csv"
    rows = [("low", "mid"), ("mid", "mid"), ("high", "high"), ("low", "low"), ("mid", "high")] * 10
    file.write_text("item,a,b\n" + "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(rows)))
    bare, named = tmp_path / "bare.csv", tmp_path / "named.csv"
    bare.write_text("1,.75,0\n.75,1,.75\n0,.75,1\n")
    named.write_text(",mid,high,low\nmid,1,.75,.75\nhigh,.75,1,0\nlow,.75,0,1\n")
    refused = run("agree", file, "--weights", bare)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "which label its rows stand for" in refused.stderr
    assert "--categories A,B,C" in refused.stderr
    given = values(as_json(file, "--weights", bare, "--categories", "low,mid,high"))
    assert values(as_json(file, "--weights", named)) == given
    named.write_text(",mid,high,low\nmid,1,.75,.75\nhigh,.5,1,0\nlow,.75,0,1\n")
    crooked = run("agree", file, "--weights", named)
    assert crooked.exit_code == 2
    assert "not symmetric" in crooked.stderr


def test_interpretation_is_off_unless_asked():
    assert not as_json(EXAMPLE)["interpretation"]
    text = run("agree", EXAMPLE, "--interpret", "landis-koch").stdout
    assert "moderate by Landis and Koch (1977)" in text


def test_a_file_that_is_not_there(tmp_path):
    got = run("agree", tmp_path / "nothing.csv")
    assert got.exit_code == 2
    assert got.stdout == ""
    assert "nothing.csv" in got.stderr
    assert "Traceback" not in got.stderr

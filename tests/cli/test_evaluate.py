"""``assay evaluate`` as a person types it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import assay
from assay.cli.main import main

EXAMPLE = Path(assay.__file__).parent / "examples" / "summaries.csv"
VALUES = ("--value", "fluency,coverage")


def run(*arguments: object, given: bytes | None = None):
    return CliRunner().invoke(main, ["evaluate", *map(str, arguments)], input=given)


def test_json_has_what_programs_ask_for() -> None:
    done = run(EXAMPLE, *VALUES, "--json")
    assert done.exit_code == 0, done.output
    summary = json.loads(done.stdout)
    row = summary["systems"][0]
    assert {
        "system", "dimension", "ratings", "mean_micro", "mean_macro", "z_micro", "z_macro",
        "interval",
    } <= row.keys()  # fmt: skip
    assert [part["dimension"] for part in summary["agreement"]] == ["fluency", "coverage"]
    agreed = assay.agree({"a": [1, 2], "b": [1, 2]}).to_dict()
    assert agreed.keys() <= summary["agreement"][0].keys()


def test_it_is_what_the_library_says() -> None:
    done = run(EXAMPLE, *VALUES, "--metric", "overlap", "--test", "t", "--correction", "none",
               "--alpha", 0.1, "--zeros", "pratt", "--ddof", 0, "--level", 0.9, "--json",
               "--lower-better", "coverage", "--repeats", "last", "--first", 2, "--seed", 3,
               "--resamples", 500, "--scale", "interval")  # fmt: skip
    assert done.exit_code == 0, done.output
    expected = assay.evaluate(
        str(EXAMPLE), value="fluency,coverage", metric="overlap", test="t", correction="none",
        alpha=0.1, zeros="pratt", ddof=0, level=0.9, lower_better=["coverage"], repeats="last",
        first=2, seed=3, resamples=500, scale="interval",
    )  # fmt: skip
    assert json.loads(done.stdout) == json.loads(expected.to_json())


@pytest.mark.parametrize("kind", ["markdown", "latex", "csv", "html"])
def test_formats_by_option_and_by_ending(kind: str, tmp_path: Path) -> None:
    ending = {"markdown": "md", "latex": "tex", "csv": "csv", "html": "html"}[kind]
    path = tmp_path / f"table.{ending}"
    printed = run(EXAMPLE, *VALUES, f"--{kind}")
    written = run(EXAMPLE, *VALUES, "--out", path)
    assert printed.exit_code == written.exit_code == 0
    assert path.read_bytes().split() == printed.stdout_bytes.split()


def test_the_paragraph_the_datasheet_and_the_raw_ratings(tmp_path: Path) -> None:
    sheet, raw = tmp_path / "heds.md", tmp_path / "raw.csv"
    done = run(EXAMPLE, *VALUES, "--methods", "--heds", sheet, "--raw", raw)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("4 raters rated 3 systems on 24 items for fluency")
    assert "TO DO" in sheet.read_text("utf-8")
    with raw.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with EXAMPLE.open(encoding="utf-8", newline="") as file:
        cells = [row[d] for row in csv.DictReader(file) for d in ("fluency", "coverage")]
    assert len(rows) == sum(bool(cell) for cell in cells)


def test_from_a_pipe() -> None:
    done = run("-", *VALUES, "--json", given=EXAMPLE.read_bytes())
    assert done.exit_code == 0, done.output
    summary = json.loads(done.stdout)
    assert summary["source"]["name"] == "standard input"
    assert {part["source"]["name"] for part in summary["agreement"]} == {"standard input"}
    assert "assay-" not in done.stdout


def test_worded_points_and_missing(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_text("item,system,rater,value\n1,x,p,poor\n1,x,q,good\n2,x,p,okay\n2,x,q,NA\n")
    done = run(path, "--order", "poor,okay,good", "--missing", "NA", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["systems"][0]["mean_macro"] == 2.0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--value", "fluenzy"), "fluency"),
        (("--metric", "fluency"), "two parts"),
        (("--methods", "--json"), "--methods"),
        (("--lower-better", "style"), "lower_better"),
        (("--value", "fluency", "--sheet", "1"), "spreadsheets"),
    ],
)
def test_bad_use_is_one_line_and_exit_code_2(arguments: tuple[str, ...], said: str) -> None:
    done = run(EXAMPLE, *VALUES, *arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_example_is_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["example", "summaries"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "summaries.csv").read_bytes() == EXAMPLE.read_bytes()
    assert "assay evaluate summaries.csv" in done.stdout


def test_the_input_is_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "table.csv"
    table.write_bytes(EXAMPLE.read_bytes())
    monkeypatch.chdir(tmp_path)
    link = tmp_path / "link.csv"
    link.symlink_to(table)
    for option in ("--raw", "--heds", "--out"):
        for name in (table, "table.csv", link):
            done = run(table, *VALUES, option, name)
            assert done.exit_code == 2, option
            assert f"{option} {name}: the command reads this file" in done.output
            assert table.read_bytes() == EXAMPLE.read_bytes()


def test_a_dash_is_standard_output_for_the_report_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for option in ("--raw", "--heds"):
        done = run(EXAMPLE, *VALUES, option, "-")
        assert done.exit_code == 2
        assert f"{option} -: standard output has the report" in done.output
    assert run(EXAMPLE, *VALUES, "--csv", "--out", "-").output.startswith("system,dimension,")
    assert not list(tmp_path.iterdir())


def test_the_option_that_cannot_write_is_named(tmp_path: Path) -> None:
    for option in ("--raw", "--heds", "--out"):
        done = run(EXAMPLE, *VALUES, option, tmp_path / "none" / "x.csv")
        assert done.exit_code == 2
        assert f"error: {option} " in done.output


def test_raw_ratings_are_read_again(tmp_path: Path) -> None:
    raw = tmp_path / "raw.csv"
    first = run(EXAMPLE, *VALUES, "--raw", raw, "--json")
    again = run(raw, "--json")
    assert again.exit_code == 0, again.output
    assert b"\r" not in raw.read_bytes()
    means = [json.loads(done.stdout)["systems"] for done in (first, again)]
    assert [r["mean_macro"] for r in means[0]] == [r["mean_macro"] for r in means[1]]

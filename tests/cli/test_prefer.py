"""``assay prefer``, as typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assay.cli.main import main

ROWS = """id,left,right,winner,who,kind
1,new,old,left,ana,a
1,new,old,left,bo,a
2,old,new,right,ana,b
2,old,new,tie,bo,b
3,new,old,right,ana,a
3,new,old,left,bo,a
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(ROWS, "utf-8")
    return path


def run(*arguments: Any, text: str | None = None) -> Any:
    return CliRunner().invoke(main, ["prefer", *map(str, arguments)], input=text)


def document(*arguments: Any) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.output))


def test_the_columns_are_named(games: Path) -> None:
    found = document(
        games, "--left", "left", "--right", "right", "--winner", "winner", "--rater", "who"
    )
    assert [one["system"] for one in found["strengths"]] == ["new", "old"]
    assert sum(one["strength"] for one in found["strengths"]) == pytest.approx(1.0)
    assert found["strengths"][0]["strength"] == pytest.approx(4.5 / 6)
    assert found["strengths"][0]["rank"] == 1
    assert set(found["strengths"][0]) >= {"system", "strength", "rank", "interval"}
    assert found["components"] == [["new", "old"]]
    assert found["win_matrix"]["wins"] == [[0, 4], [1, 0]]
    assert found["position_bias"]["left_wins"] == 3
    assert found["agreement"]["source"]["raters"] == 2
    assert found["bootstrap"]["unit"] == "items"
    assert found["bootstrap"]["resamples"] == 1000


def test_what_is_computed_is_chosen(games: Path) -> None:
    found = document(games, "--ties", "davidson", "--bootstrap", 100, "--seed", 3,
                     "--resample", "comparisons", "--level", 0.9)  # fmt: skip
    assert found["model"] == "davidson"
    assert found["tie_parameter"]["name"] == "nu"
    assert (found["bootstrap"]["resamples"], found["bootstrap"]["seed"]) == (100, 3)
    assert found["bootstrap"]["unit"] == "comparisons"
    assert found["level"] == 0.9
    assert document(games, "--ties", "drop")["strengths"][0]["strength"] == pytest.approx(0.8)
    assert document(games, "--bootstrap", 0)["bootstrap"] is None


@pytest.mark.parametrize("option", ["--by", "--dimension"])
def test_groups(games: Path, option: str) -> None:
    found = document(games, option, "kind")
    assert [group["group"] for group in found["groups"]] == ["a", "b"]


def test_values_of_the_winner(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("left,right,winner\nx,y,0\nx,y,1\nx,y,?\n", "utf-8")
    refused = run(path)
    assert refused.exit_code == 2
    assert "line 4: '?'" in refused.output
    found = document(path, "--value", "0=left", "--value", "1=right", "--value", "?=missing",
                     "--bootstrap", 0)  # fmt: skip
    assert found["source"]["comparisons"] == 2
    assert run(path, "--value", "0").exit_code == 2
    assert "is not known" in run(path, "--value", "0=lft").output


def test_names_or_sides(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("left,right,winner\nA,B,A\nB,A,A\n", "utf-8")
    refused = run(path)
    assert refused.exit_code == 2
    assert "[ambiguous_winner]" in refused.output
    names = document(path, "--winner-as", "names", "--bootstrap", 0)
    assert names["components"] == [["A"], ["B"]]
    sides = document(path, "--winner-as", "sides", "--bootstrap", 0)
    assert sides["components"] == [["A", "B"]]


def test_files_by_their_ending(games: Path, tmp_path: Path) -> None:
    for ending, start in ((".tex", "%"), (".md", "**"), (".csv", "kind,"), (".json", "{"),
                          (".html", "<!doctype html>")):  # fmt: skip
        out = tmp_path / f"out{ending}"
        result = run(games, "--bootstrap", 0, "--out", out)
        assert result.exit_code == 0, result.output
        assert out.read_text("utf-8").startswith(start)
    assert run(games, "--out", tmp_path / "out.pdf").exit_code == 2


def test_standard_input() -> None:
    result = run("-", "--bootstrap", "0", "--json", text=ROWS)
    assert result.exit_code == 0
    assert json.loads(result.output)["source"]["name"] == "standard input"


def test_reading_options(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes("left|right|winner\nx|ÿ|left\nÿ|x|left\n".encode("latin-1"))
    found = document(path, "--delimiter", "|", "--encoding", "latin-1", "--bootstrap", 0)
    assert found["components"] == [["x", "ÿ"]]


def test_bad_use_ends_with_2(games: Path) -> None:
    for arguments in (("--ties", "halves"), ("--bootstrap", "5"), ("--left", "lft"),
                      ("--level", "2"), ("--resample", "raters", "--bootstrap", "0")):  # fmt: skip
        assert run(games, *arguments).exit_code == 2
    assert run(games.parent / "none.csv").exit_code == 2


def test_help_is_light_and_whole() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "davidson" in result.output
    code = (
        "import sys, assay.cli.prefer;"
        "print(sorted({'duckdb', 'numpy', 'scipy', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_picture_for_each_group(games: Path, tmp_path: Path) -> None:
    done = run(games, "--by", "kind", "--plot", f"results={tmp_path / 'x.svg'}", "--bootstrap", 0)
    assert done.exit_code == 0, done.output
    assert sorted(p.name for p in tmp_path.glob("*.svg")) == ["x-a.svg", "x-b.svg"]
    # A group without such a picture does not take those of the others away.
    done = run(games, "--by", "kind", "--plot", f"strengths={tmp_path / 'y.svg'}", "--ties", "drop")
    assert done.exit_code == 0, done.output
    assert [p.name for p in tmp_path.glob("y*.svg")] == ["y-a.svg"]
    assert "no picture of b: " in done.stderr


def test_what_a_paper_needs(games: Path, tmp_path: Path) -> None:
    raw, page = tmp_path / "raw.csv", tmp_path / "page.html"
    done = run(games, "--rater", "who", "--raw", raw, "--out", page)
    assert done.exit_code == 0, done.output
    assert len(raw.read_text("utf-8").splitlines()) == 7
    assert "<svg" in page.read_text("utf-8")
    assert run(games, "--rater", "who", "--methods").output.startswith("2 raters compared")
    assert "--methods prints a paragraph" in run(games, "--methods", "--json").output


def test_the_input_is_not_written_over(games: Path) -> None:
    for option in (("--raw", games), ("--out", games), ("--plot", f"results={games}")):
        done = run(games, *option, "--csv")
        assert done.exit_code == 2
        assert f"{option[0]} {games}" in done.output
        assert "the command reads this file" in done.output
        assert games.read_text("utf-8") == ROWS

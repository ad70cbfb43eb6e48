"""Pages and pictures from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import assay
from assay.cli.main import main

EXAMPLE = Path(assay.__file__).parent / "examples" / "answers.csv"


def run(*given):
    return CliRunner().invoke(main, [str(x) for x in given])


def test_the_ending_html_makes_a_page(tmp_path):
    path = tmp_path / "report.html"
    got = run("agree", EXAMPLE, "--out", path)
    assert (got.exit_code, got.output) == (0, "")
    text = path.read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert run("agree", EXAMPLE, "--html").stdout == text


def test_pictures_are_written_beside_the_report(tmp_path):
    svg, png = tmp_path / "a=b.svg", tmp_path / "m.png"
    got = run("agree", EXAMPLE, "--plot", f"intervals={svg}", "--plot", f"matrix={png}")
    assert got.exit_code == 0
    assert got.stdout.startswith("3 raters agree")
    assert svg.read_text("utf-8").startswith("<svg")
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--plot", "intervals"], "KIND=FILE"),
        (["--plot", "interval=x.svg"], "did you mean 'intervals'"),
        (["--plot", "items=x.pdf"], ".svg or .png"),
        (["--serve", "--json"], "--json beside it needs --out"),
        (["--plot", "items=/nowhere/x.svg"], "No such file"),
    ],
)
def test_bad_use_is_said(given, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    got = run("agree", EXAMPLE, *given)
    assert got.exit_code == 2
    assert said in got.stderr
    assert list(tmp_path.iterdir()) == []


def test_each_group_has_a_picture(tmp_path):
    data = Path(__file__).resolve().parents[2] / "docs" / "tables" / "dimensions.csv"
    got = run("agree", data, "--by", "dimension", "--plot", f"items={tmp_path / 'x.svg'}")
    assert got.exit_code == 0, got.output
    groups = assay.agree(data, by="dimension").groups
    assert len(groups) > 1
    assert {path.name for path in tmp_path.iterdir()} == {f"x-{name}.svg" for name in groups}
    for name, report in groups.items():
        drawn = (tmp_path / f"x-{name}.svg").read_text("utf-8")
        report.plot("items").save(tmp_path / "own.svg")
        assert drawn == (tmp_path / "own.svg").read_text("utf-8")


def test_a_group_without_a_picture_is_named(tmp_path):
    data = tmp_path / "two.csv"
    rows = "".join(f"a,q{k},{r},{k % 2}\n" for k in range(4) for r in "xyz")
    rows += "".join(f"b,q{k},{r},{k % 2}\n" for k in range(4) for r in "xy")
    data.write_text(f"dimension,item,rater,label\n{rows}")
    got = run("agree", data, "--by", "dimension", "--plot", f"matrix={tmp_path / 'x.svg'}")
    assert got.exit_code == 0, got.output
    assert "no picture of b" in got.stderr
    assert [path.name for path in tmp_path.glob("*.svg")] == ["x-a.svg"]

"""Pictures of comparisons: every figure of the summary is in them, and text stays text."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import assay
from assay.cli.main import main
from assay.errors import InputError, UsageError
from assay.report.prefer.plots import PICTURES

EXAMPLE = Path(assay.__file__).parent / "examples" / "comparisons.csv"
ODD = 'new <b>&"x"'


@pytest.fixture(scope="module")
def report():
    return assay.prefer(str(EXAMPLE), bootstrap=200)


def words(plot) -> list[str]:
    root = ElementTree.fromstring(plot.svg)
    return ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text")]


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_stands_alone(report, kind, theme):
    plot = report.plot(kind, theme=theme)
    root = ElementTree.fromstring(plot._repr_svg_())
    assert plot.kind == kind
    assert "class=" not in plot.svg
    shapes = [e for e in root.iter() if re.search(r"\}(rect|circle|line)$", e.tag)]
    assert len(shapes) > 3
    assert all(e.get("fill") or e.get("stroke") for e in shapes)
    assert all(len(row) == len(plot.heads) for row in plot.rows)


def test_strengths_and_ranks_have_every_figure(report):
    strengths, ranks = words(report.plot("strengths")), words(report.plot("ranks"))
    for row in report.summary["strengths"]:
        got, places = row["interval"], row["rank_interval"]
        assert f"{row['strength']:.3f} [{got['low']:.3f}, {got['high']:.3f}]" in strengths
        low, high = places["low"], places["high"]
        reach = f"{low}" if low == high else f"{low} to {high}"
        assert f"{row['rank']} ({reach})" in ranks
        assert row["system"] in strengths
        assert row["system"] in ranks


def test_results_have_every_count_and_bars_as_long_as_their_shares(report):
    plot = report.plot("results")
    shown = words(plot)
    bars = [
        float(e.attrib["width"][:-1])
        for e in ElementTree.fromstring(plot.svg).iter()
        if e.tag.endswith("}rect") and e.attrib["width"].endswith("%")
    ]
    expected = []
    for row in report.summary["systems"]:
        n = row["comparisons"]
        said = [f"{100 * row[k] / n:.1f} %" for k in ("wins", "ties", "losses")]
        assert " · ".join(said) in shown
        expected += [100 * row[k] / n for k in ("wins", "ties", "losses") if row[k]]
    assert bars == pytest.approx(expected, abs=0.006)


def test_the_matrix_is_that_of_the_pairs(report):
    plot = report.plot("matrix")
    at = {name: k for k, name in enumerate(plot.heads)}
    of = {row[0]: row for row in plot.rows}
    for pair in report.summary["pairs"]:
        a, b = pair["systems"]
        value = pair["ties_half"]["value"]
        assert of[a][at[b]] == f"{100 * value:.1f} %"
        assert of[b][at[a]] == f"{100 * (1 - value):.1f} %"
        assert f"{100 * value:.1f}" in words(plot)


def test_the_matrix_says_whom_the_strongest_beats(report):
    assert report.plot("matrix").title == (
        "large-tuned, the strongest, wins more than half against all 3 that it met"
    )
    # Who wins against the weakest alone is not what the title is of.
    rows = [("top", "mid", "left")] * 3 + [("mid", "top", "left")] * 2
    rows += [("mid", f"weak{k}", w) for k in range(4) for w in ("left", "left", "right")]
    title = assay.prefer(rows, bootstrap=None).plot("matrix").title
    assert title == "top, the strongest, wins more than half against 1 of 1 that it met"
    apart = [("a", "b", "left"), ("c", "d", "left")]
    title = assay.prefer(apart, bootstrap=None).plot("matrix").title
    assert title == "2 of 6 pairs of systems met"


def test_raters_have_every_share(report):
    plot = report.plot("raters")
    for row, shown in zip(report.summary["agreement"]["raters"], plot.rows, strict=True):
        n = row["ratings"]
        shares = [f"{100 * row['distribution'].get(k, 0) / n:.1f} %" for k in plot.heads[2:]]
        assert shown == (row["rater"], str(n), *shares)
        assert {x.removesuffix(" %") for x in shares} <= set(words(plot))


def test_markup_in_names_is_text():
    rows = [(ODD, "old", w, r, i) for i, w in enumerate(("left", "left", "right", "tie"))
            for r in ("ana", "<script>")]  # fmt: skip
    data = [dict(zip(("left", "right", "winner", "rater", "item"), row, strict=True))
            for row in rows]  # fmt: skip
    report = assay.prefer(data, item="item", bootstrap=100)
    for kind in PICTURES:
        plot = report.plot(kind)
        root = ElementTree.fromstring(plot.svg)
        assert not [e for e in root.iter() if e.tag.endswith(("}script", "}b"))]
        name = "<script>" if kind == "raters" else ODD
        assert any(name in text for text in words(plot))


def test_undefined_strengths_have_their_reason():
    report = assay.prefer([("a", "b", "left"), ("a", "c", "left"), ("b", "c", "left"),
                           ("c", "b", "left")], bootstrap=None)  # fmt: skip
    without = [r for r in report.summary["strengths"] if r["strength"] is None]
    shown = words(report.plot("strengths"))
    assert without
    for row in without:
        said = f"{row['system']}no strength: {row['undefined']['reason']}"[:60]
        assert any(text.startswith(said) for text in shown)


def test_what_is_not_there_is_said():
    report = assay.prefer([("a", "b", "left")], bootstrap=None)
    with pytest.raises(UsageError, match="did you mean 'ranks'"):
        report.plot("rank")
    with pytest.raises(UsageError, match="theme"):
        report.plot("results", theme="blue")
    for kind in ("strengths", "raters"):
        with pytest.raises(InputError) as caught:
            report.plot(kind)
        assert caught.value.code == "nothing_to_draw"
    rows = [{"left": "a", "right": "b", "winner": "left", "kind": k} for k in "xy"]
    grouped = assay.prefer(rows, by="kind", bootstrap=None)
    with pytest.raises(UsageError, match="GROUP one of x, y"):
        grouped.plot("results")
    assert grouped.groups["x"].plot("results").rows[0][1] == "1"


def test_the_command_writes_them(tmp_path):
    svg, png = tmp_path / "s.svg", tmp_path / "r.png"
    given = ["prefer", str(EXAMPLE), "--bootstrap", "200", "--plot", f"strengths={svg}"]
    done = CliRunner().invoke(main, [*given, "--plot", f"results={png}"])
    assert done.exit_code == 0, done.output
    expected = assay.prefer(str(EXAMPLE), bootstrap=200).plot("strengths").svg
    assert svg.read_text("utf-8") == expected
    assert png.read_bytes().startswith(b"\x89PNG")
    wrong = CliRunner().invoke(main, [*given, "--plot", "result=x.svg"])
    assert wrong.exit_code == 2
    assert "did you mean 'results'" in wrong.output

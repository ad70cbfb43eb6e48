"""Pictures of an evaluation: every figure of the summary is in them, and text stays text."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import assay
from assay.cli.main import main
from assay.errors import InputError, UsageError
from assay.report.evaluate.plots import PICTURES
from assay.report.plot_panels import axis, rank_axis

EXAMPLE = Path(assay.__file__).parent / "examples" / "summaries.csv"
ODD = 'new <b>&"x"'


@pytest.fixture(scope="module")
def report():
    return assay.evaluate(str(EXAMPLE), value="fluency,coverage")


@pytest.fixture(scope="module")
def odd():
    values = {"old": (2, 3, 3, 2), ODD: (4, 4, 5, 3)}
    rows = [
        {"item": i, "system": s, "rater": r, "score": v}
        for s, got in values.items()
        for i, v in enumerate(got)
        for r in ("ana", "<script>")
    ]
    return assay.evaluate(rows, value="score")


def words(plot) -> list[str]:
    root = ElementTree.fromstring(plot.svg)
    return ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text")]


def minus(text: str) -> str:
    return text.replace("-", "−")


def pair(low: float, high: float) -> str:
    return minus(f"({low:.2f} to {high:.2f})")


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


def test_means_have_every_mean_and_interval(report):
    shown = words(report.plot("means"))
    for row in report.summary["systems"]:
        got = row["interval"]
        assert f"{row['mean_macro']:.2f} {pair(got['low'], got['high'])}" in shown
        assert any(t.startswith(row["system"]) for t in shown)


def test_a_dot_and_its_whisker_stand_where_the_values_are(report):
    plot = report.plot("means", "coverage")
    root = ElementTree.fromstring(plot.svg)
    dots = [float(e.attrib["cx"][:-1]) for e in root.iter() if e.tag.endswith("}circle")]
    rows = [r for r in report.summary["systems"] if r["dimension"] == "coverage"]
    rows.sort(key=lambda row: -row["mean_macro"])
    # Coverage goes from 1 to 5, drawn from 1.5 to 98.5 per cent.
    assert dots == pytest.approx([1.5 + 97 * (r["mean_macro"] - 1) / 4 for r in rows], abs=0.006)
    lines = [e.attrib for e in root.iter() if e.tag.endswith("}line") and e.get("stroke-width")]
    flat = [(float(a["x1"][:-1]), float(a["x2"][:-1])) for a in lines if a["y1"] == a["y2"]]
    for (low, high), row in zip(flat, rows, strict=True):
        assert low == pytest.approx(1.5 + 97 * (row["interval"]["low"] - 1) / 4, abs=0.006)
        assert high == pytest.approx(1.5 + 97 * (row["interval"]["high"] - 1) / 4, abs=0.006)


def test_ranks_have_every_rank_and_range(report):
    rows = {(r[0], r[1]): r[2:] for r in report.plot("ranks").rows}
    for row in report.summary["systems"]:
        expected = (
            str(row["rank"]), f"{row['rank_low']} to {row['rank_high']}", row["letters"]
        )  # fmt: skip
        assert rows[row["system"], row["dimension"]] == expected
    shown = words(report.plot("ranks"))
    assert {f"{k['rank']} ({k['rank_low']} to {k['rank_high']})" for k in report.summary["systems"]
            if k["rank_low"] != k["rank_high"]} <= set(shown)  # fmt: skip


@pytest.mark.parametrize("kind", ["distribution", "usage"])
@pytest.mark.parametrize("dimension", ["fluency", "coverage"])
def test_shares_are_in_their_cells(report, kind, dimension):
    if kind == "usage":
        found = [r["distribution"] for r in report.summary["raters"] if r["dimension"] == dimension]
    else:
        found = [
            {s["label"]: s["count"] for s in r["shares"]}
            for r in report.summary["systems"]
            if r["dimension"] == dimension
        ]
    cells = [f"{100 * n / sum(one.values()):.1f}" for one in found for n in one.values()]
    shown = [t for t in words(report.plot(kind, dimension)) if re.fullmatch(r"\d+\.\d", t)]
    assert shown == cells


def test_raters_have_every_severity(report):
    plot = report.plot("raters")
    shown = words(plot)
    for row in report.summary["raters"]:
        got = row["interval"]
        said = f"{row['severity']:+.2f} "
        assert minus(said) + pair(got["low"], got["high"]) in shown
    found = [r for r in report.summary["raters"] if r["dimension"] == "fluency"]
    strict_first = [r["rater"] for r in sorted(found, key=lambda r: r["severity"])]
    assert [row[0] for row in plot.rows if row[1] == "fluency"] == strict_first


@pytest.mark.parametrize("kind", PICTURES)
def test_markup_in_names_is_text(odd, kind):
    plot = odd.plot(kind)
    root = ElementTree.fromstring(plot.svg)
    assert not [e for e in root.iter() if e.tag.endswith(("}script", "}b"))]
    name = "<script>" if kind in ("raters", "usage") else ODD
    assert any(name in text for text in words(plot))


def test_what_is_not_there_is_said(odd):
    with pytest.raises(UsageError, match="did you mean 'means'"):
        odd.plot("mean")
    with pytest.raises(UsageError, match="did you mean 'score'"):
        odd.plot("means", "scor")
    with pytest.raises(UsageError, match="theme"):
        odd.plot("means", theme="blue")
    names = assay.evaluate(
        [{"item": i, "system": s, "rater": r, "score": "xyz"[i % 3]}
         for i in range(4) for s in "mn" for r in "ab"],
        value="score",
    )  # fmt: skip
    for kind in ("means", "ranks", "raters"):
        with pytest.raises(InputError) as caught:
            names.plot(kind)
        assert caught.value.code == "nothing_to_draw"
    assert names.plot("distribution").rows[0][2] == "8"


def test_a_missing_interval_has_its_reason():
    rows = [{"item": 1, "system": s, "rater": r, "score": v}
            for s, v in (("m", 2), ("n", 4)) for r in "ab"]  # fmt: skip
    one = assay.evaluate(rows, value="score")
    reason = one.summary["systems"][0]["no_interval"]["reason"]
    assert any(f"no interval: {reason}"[:60] in text for text in words(one.plot("means")))


def test_many_raters_are_counted():
    rows = [{"item": i, "system": "m", "rater": f"r{k:03}", "score": 1 + (i * k) % 5}
            for i in range(3) for k in range(130)]  # fmt: skip
    plot = assay.evaluate(rows, value="score").plot("raters")
    assert len(plot.rows) == 100
    assert "30 more raters not shown." in plot.caption


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (1, 5), (-0.31, 0.02), (3, 3), (0, 0), (1e-7, 3e-7), (2, 9871.5)]
)
def test_an_axis_holds_its_ends(low, high):
    places = [x for x, _ in axis(low, high).ticks]
    said = [word for _, word in axis(low, high).ticks]
    assert places[0] <= low + 1e-9 * abs(low)
    assert places[-1] >= high - 1e-9 * abs(high)
    assert 2 <= len(places) <= 9
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("most", [1, 2, 3, 10, 57])
def test_a_rank_axis_goes_from_first_to_last(most):
    ticks = [x for x, _ in rank_axis(most).ticks]
    assert (ticks[0], ticks[-1]) == (1, max(2, most))
    assert len(ticks) <= 10


def test_the_command_writes_them(tmp_path):
    svg, png = tmp_path / "m.svg", tmp_path / "r.png"
    given = ["evaluate", str(EXAMPLE), "--value", "fluency", "--plot", f"means={svg}"]
    done = CliRunner().invoke(main, [*given, "--plot", f"ranks={png}"])
    assert done.exit_code == 0, done.output
    expected = assay.evaluate(str(EXAMPLE), value="fluency").plot("means").svg
    assert svg.read_text("utf-8") == expected
    assert png.read_bytes().startswith(b"\x89PNG")
    wrong = CliRunner().invoke(main, [*given, "--plot", "rank=x.svg"])
    assert wrong.exit_code == 2
    assert "did you mean 'ranks'" in wrong.output
    wrong = CliRunner().invoke(main, [*given, "--plot", "means"])
    assert "KIND=FILE" in wrong.output

"""Pictures that stand alone: colours inside, text as text, saved as SVG and PNG."""

from __future__ import annotations

import builtins
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

import assay
from assay.errors import InputError, MissingExtra, UsageError
from assay.report.charts import PICTURES
from assay.report.numbers import coefficient, count

ROWS = {
    "ana": ["a", "b", "c", "a", "b", "c", "a", "a"],
    "bo <&>": ["a", "b", "c", "b", "b", "a", "a", "c"],
    "cy": ["a", "b", "b", "a", "b", "c", "c", "a"],
}


@pytest.fixture(scope="module")
def report():
    return assay.agree(ROWS)


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_plot_is_an_svg_with_its_own_colours(report, kind, theme):
    plot = report.plot(kind, theme=theme)
    root = ElementTree.fromstring(plot.svg)
    assert plot._repr_svg_() == plot.svg
    assert root.get("width") == root.attrib["viewBox"].split()[2]
    assert "class=" not in plot.svg
    assert "<style" not in plot.svg
    assert "var(" not in plot.svg
    words = "".join(root.itertext())
    for line in (plot.title, plot.caption):
        assert all(word in words for word in line.split())
    shapes = [e for e in root.iter() if re.search(r"\}(rect|circle|line)$", e.tag)]
    assert len(shapes) >= 3
    assert all(e.get("fill") or e.get("stroke") for e in shapes)


def test_the_numbers_are_those_of_the_summary(report):
    words = " ".join(ElementTree.fromstring(report.plot("intervals").svg).itertext())
    for c in report.summary["coefficients"]:
        if c["value"] is not None:
            assert coefficient(c["value"]) in words
    pair = report.summary["pairs"][0]
    plot = report.plot("confusion", tuple(pair["raters"]))
    assert [list(row[1:]) for row in plot.rows] == [
        list(map(count, line)) for line in pair["confusion"]["counts"]
    ]
    shown = [e.text for e in ElementTree.fromstring(plot.svg).iter() if e.tag.endswith("}text")]
    assert {count(n) for line in pair["confusion"]["counts"] for n in line} <= set(shown)


def test_a_plot_without_raters_is_of_the_pair_that_agrees_least(report):
    worst = min(report.summary["pairs"], key=lambda pair: pair["cohen_kappa"])
    assert report.plot("confusion").rows == report.plot("confusion", tuple(worst["raters"])).rows


def test_plots_are_saved(report, tmp_path):
    plot = report.plot("matrix")
    assert plot.save(tmp_path / "x.svg").read_text("utf-8") == plot.svg
    width = float(ElementTree.fromstring(plot.svg).attrib["width"])
    for scale in (1, 2.5):
        data = plot.save(tmp_path / "x.PNG", scale=scale).read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">I", data[16:20])[0] == round(scale * width)


def test_a_png_is_drawn_in_a_font_that_has_the_minus(report, monkeypatch):
    drawn = []

    def draw(**given):
        drawn.append(given)
        return [1]

    monkeypatch.setattr("resvg_py.svg_to_bytes", draw)
    report.plot("matrix").png()
    assert 'font-family="DejaVu Sans, ' in drawn[0]["svg_string"]


def test_what_draws_a_png_is_named_where_it_is_missing(report, monkeypatch, tmp_path):
    real = builtins.__import__

    def absent(name, *rest):
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(MissingExtra, match=r"assay\[plots\]"):
        report.plot("items").save(tmp_path / "x.png")
    assert not list(tmp_path.iterdir())
    report.plot("items").save(tmp_path / "x.svg")


def test_what_cannot_be_drawn_says_why(report, tmp_path):
    with pytest.raises(UsageError, match="intervals"):
        report.plot("interval")
    with pytest.raises(UsageError, match="only the confusion plot"):
        report.plot("items", ("ana", "cy"))
    with pytest.raises(UsageError, match="written as"):
        report.plot("items").save(tmp_path / "x.pdf")
    with pytest.raises(UsageError, match="pixels"):
        report.plot("items").png(scale=1000)
    with pytest.raises(UsageError, match="theme"):
        report.plot("items", theme="blue")
    with pytest.raises(InputError, match=r"those|not"):
        report.plot("confusion", ("ana", "nobody"))
    two = assay.agree(assay.Counts([[2, 1], [0, 3]]))
    for kind in ("confusion", "matrix", "distribution"):
        with pytest.raises(InputError, match="plot: "):
            two.plot(kind)


def test_a_report_of_groups_says_where_its_pictures_are():
    data = Path(__file__).resolve().parents[2] / "docs" / "tables" / "dimensions.csv"
    report = assay.agree(data, by="dimension")
    with pytest.raises(UsageError, match=r"report\.groups\[GROUP\]\.plot"):
        report.plot("items")
    first = next(iter(report.groups.values()))
    assert first.plot("items").kind == "items"

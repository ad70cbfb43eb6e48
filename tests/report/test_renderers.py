"""Every renderer, on summaries written by hand."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len

from assay.csv_text import csv_text
from assay.errors import UsageError
from assay.report.layout import ACCENT, WARNING
from assay.report.notebook import notebook
from assay.report.render import FORMATS, render
from report import summaries

KINDS = ("two", "three", "many", "undefined", "groups")
ESCAPE = "\x1b"


def summary(kind):
    return getattr(summaries, kind)()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("full", [False, True])
def test_every_format_takes_every_summary_and_leaves_it_alone(kind, form, full):
    given = summary(kind)
    before = copy.deepcopy(given)
    text = render(given, form, width=80, full=full)
    assert text
    assert not text.endswith("\n")
    assert given == before
    if form != "json":
        assert not re.search(r"\b(None|nan|NaN|True|False)\b", text)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [100, 80, 60, 40])
@pytest.mark.parametrize("full", [False, True])
def test_terminal_stays_inside_its_width(kind, width, full):
    for line in render(summary(kind), width=width, full=full).split("\n"):
        assert cell_len(line) <= width, line
        assert line == line.rstrip()


@pytest.mark.parametrize("kind", ["two", "three", "many"])
@pytest.mark.parametrize("width", [80, 60, 40])
def test_no_number_is_cut_or_lost_where_it_is_narrow(kind, width):
    number = re.compile("−?[0-9]+\\.[0-9]{3}")
    wide = render(summary(kind), width=100)
    narrow = render(summary(kind), width=width)
    assert sorted(number.findall(wide)) == sorted(number.findall(narrow))


@pytest.mark.parametrize("kind", ["two", "three"])
def test_the_common_case_is_one_screen_with_the_finding_first(kind):
    lines = render(summary(kind), width=100).split("\n")
    assert len(lines) <= 50
    assert lines[0] == summary(kind)["headline"][0]


@pytest.mark.parametrize("kind", KINDS)
def test_plain_text_has_no_escape_codes_and_no_boxes(kind):
    text = render(summary(kind), width=80, color=False)
    assert ESCAPE not in text
    assert not re.search("[─-╿]", text)


def test_colour_adds_codes_and_nothing_else():
    plain = render(summary("three"), width=80, color=False)
    colored = render(summary("three"), width=80, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain
    codes = {c for m in re.findall(r"\x1b\[([0-9;]*)m", colored) for c in m.split(";")}
    # 1 bold, 2 dim, 0 reset; 36 the accent and 33 the warning, nothing else.
    assert codes <= {"0", "1", "2", "36", "33"}
    assert {"36", "33"} <= codes
    assert (ACCENT, WARNING) == ("cyan", "yellow")


def test_undefined_says_why_and_is_not_a_number():
    text = render(summary("undefined"), width=100)
    assert "not defined, because all 240 ratings are 'safe': expected agreement is 1" in text


def test_worst_pairs_first_and_the_rest_counted():
    text = render(summary("many"), width=100)
    assert "and 182 more pairs: --full" in text
    assert "more pairs" not in render(summary("many"), width=100, full=True)


def test_names_cannot_write_to_the_terminal():
    given = summary("three")
    given["raters"][0]["rater"] = "mai\x1b[2J\n\u202eevil"
    given["labels"][0]["label"] = "min\tor"
    text = render(given, width=100)
    assert ESCAPE not in text
    assert "\u202e" not in text
    assert "mai\\x1b[2J\\n\\u202eevil" in text


def test_an_interpretation_is_attributed():
    given = summary("three")
    given["interpretation"] = [
        {
            "coefficient": "krippendorff_alpha",
            "scale": "Landis and Koch (1977)",
            "band": "Moderate",
            "benchmark": "Fair",
            "cumulative": [0.0, 0.1, 0.7, 0.99, 1.0, 1.0],
        }
    ]
    text = render(given, width=100)
    assert "Krippendorff's alpha: moderate by Landis and Koch (1977)" in text
    assert "with 95 % at least: fair" in text
    assert "In words" not in render(summary("three"), width=100)


def test_json_is_the_summary_unrounded():
    given = summary("three")
    assert json.loads(render(given, "json")) == given
    assert "0.44123456789" in render(given, "json")


def test_json_refuses_what_json_does_not_have():
    given = summary("three")
    given["coefficients"][0]["value"] = float("nan")
    with pytest.raises(ValueError, match="not JSON compliant"):
        render(given, "json")


def test_fields_with_line_ends_are_quoted():
    rows = [["a\rb", "c"], ["d\ne", 'f"g'], ["h\r\ni", ""]]
    text = csv_text(rows)
    assert list(csv.reader(io.StringIO(text, newline=""))) == rows
    assert not text.endswith("\n")


def test_csv_rows_read_back_unrounded():
    text = render(summary("two"), "csv")
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}
    assert len(rows) == 22
    kappa = rows["cohen_kappa"]
    assert float(kappa["value"]) == 0.003984
    assert kappa["interval_low"].startswith("-0.05")
    assert rows["icc_1"]["value"] == ""
    assert rows["icc_1"]["undefined_code"] == "not_applicable"
    groups = render(summary("groups"), "csv")
    assert groups.startswith("group,name,")
    assert "\r" not in groups
    assert "\nfluency,percent_agreement," in groups


def test_markdown_tables_are_tables_whatever_the_labels():
    given = summary("three")
    given["labels"][0]["label"] = "a|b\n*c* <script>"
    html = (
        MarkdownIt("commonmark", {"html": True}).enable("table").render(render(given, "markdown"))
    )
    assert html.count("<table>") == 4
    assert "a|b *c* &lt;script&gt;" in html
    assert "<script>" not in html


def test_latex_escapes_and_sets_the_minus():
    given = summary("groups")
    given["groups"][0]["group"] = "R&D_50%"
    given["groups"][0]["coefficients"][9]["value"] = -0.25
    given["groups"][0]["chosen"] = [given["groups"][0]["coefficients"][9]["name"]]
    text = render(given, "latex")
    assert r"\emph{R\&D\_50\%}" in text
    assert "$-$0.250" in text
    table = text[text.index(r"\begin{tabular}") : text.index(r"\end{tabular}")]
    rows = [line for line in table.split("\n") if line.endswith(r"\\") and " & " in line]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {5}
    assert "booktabs" in text


class Balance(HTMLParser):
    """Checks that tags close in order."""

    def __init__(self):
        super().__init__()
        self.open, self.tags = [], set()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("kind", KINDS)
def test_notebook_is_well_formed_and_escaped(kind):
    given = summary(kind)
    (given["groups"][0] if kind == "groups" else given)["headline"][0] = "<img onerror=x> & y"
    html = notebook(given)
    page = Balance()
    page.feed(html)
    assert page.open == []
    assert "img" not in page.tags
    assert "&lt;img onerror=x&gt; &amp; y" in html


def test_an_unknown_format_is_named_with_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'markdown'"):
        render(summary("two"), "markdwon")


def test_a_sparse_summary_is_enough():
    bare = {"coefficients": [{"name": "cohen_kappa", "value": 0.5}]}
    for form in FORMATS:
        assert render(bare, form, width=80)
    assert notebook(bare)


def test_a_coefficient_equal_to_one_above_is_named_beside_it():
    text = render(summary("two"), width=100)
    assert "Equal here to one above: Unanimous agreement (Percent agreement)" in text
    assert "Equal here" not in render(summary("two"), width=100, full=True)


def test_measurements_are_described_and_not_counted_one_by_one():
    given = summary("two")
    values = [str(x / 4) for x in range(-6, 40)]
    given["scale"] = {"kind": "interval", "categories": values, "count": len(values)}
    given["raters"][0] = {"rater": "x", "ratings": 4, "distribution": {"-1": 1, "1": 2, "5": 1}}
    given["raters"][1] = {"rater": "y", "ratings": 0, "distribution": {}}
    text = render(given, width=100)
    assert re.search(r"x +4 +1\.500 +2\.517 +−1 +5\n", text)
    assert re.search(r"y +0 +– +– +– +–\n", text)
    assert "Labels" not in text
    assert "Labels" in render(given, width=100, full=True)


def test_a_zero_stays_a_zero():
    given = summary("two")
    given["pairs"][0]["bias_index"] = 0.0
    assert "bias index 0.000" in render(given, width=100)


def test_pairs_of_measurements_show_how_close_their_values_are():
    given = summary("three")
    values = [str(x / 4) for x in range(40)]
    given["scale"] = {"kind": "interval", "categories": values, "count": len(values)}
    given["weights"] = "quadratic"
    for row in given["raters"]:
        row["distribution"] = {"1": 2, "2.5": 3}
    for pair, value in zip(given["pairs"], (0.9, 0.7, 0.8), strict=True):
        pair["correlations"] = {"pearson": value, "lin_ccc": value - 0.01, "spearman": None}
    text = render(given, width=100)
    assert "interval scale, 40 values, 0.0 to 9.75; weights: quadratic" in text
    part = text[text.index("Pairs, lowest Lin's CCC first") :]
    assert re.findall("0\\.[0-9]{3}", part)[:6:2] == ["0.690", "0.790", "0.890"]
    assert "Spearman" not in part.split("\n")[1]

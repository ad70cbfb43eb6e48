"""What terminal and Markdown show of many pairs, of equal figures and of endless names."""

from __future__ import annotations

import re

import pytest

import assay
from assay.report.latex import latex
from assay.report.names import UNTESTED
from assay.report.notebook import notebook
from assay.report.pair_order import ranked
from assay.report.render import View, render
from report import summaries

TEXTS = ("terminal", "markdown", "latex")
ENDLESS = "so it goes " * 2000


def by_name(summary, name):
    return next(c for c in summary["coefficients"] if c["name"] == name)


def section(text, start):
    return text[text.index(start) :].split("\n\n")[0]


def crowd():
    """Pairs that share two items have the extreme kappas."""
    given = summaries.many(6)
    for i, pair in enumerate(given["pairs"]):
        many = i < 5
        pair["items"] = 40 + i if many else 2
        pair["cohen_kappa"] = 0.5 - i / 100 if many else -1.0
    return given


@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_pairs_that_share_few_items_come_behind(form):
    got = render(crowd(), form, width=100)
    part = got[got.index("lowest kappa first" if form == "terminal" else "| Raters") :]
    shown = re.findall(r"(0\.4[6-9]0|0\.500|−1\.000) ", part)
    assert shown[:6] == ["0.460", "0.470", "0.480", "0.490", "0.500", "−1.000"]
    assert "10 pairs share fewer than 10 items: they come last" in got
    assert "share fewer than" not in render(summaries.many(), form, width=100)


def test_pairs_of_a_small_study_all_share_enough():
    pairs = [{"items": n, "cohen_kappa": k} for n, k in ((4, 0.1), (5, 0.3), (1, 0.2))]
    got = ranked(pairs)
    assert [pair["cohen_kappa"] for pair in got.pairs] == [0.1, 0.3, 0.2]
    assert got.remark() == "1 pair shares fewer than 2 items: it comes last"
    pairs[2]["items"] = 2
    assert [pair["cohen_kappa"] for pair in ranked(pairs).pairs] == [0.1, 0.2, 0.3]
    assert ranked(pairs).remark() == ""
    assert ranked([{"items": 0}, {"items": None}]).remark() == ""


@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_how_many_pairs_share_few_items_is_said(form):
    given = crowd()
    for pair in given["pairs"][5:9]:
        pair["items"] = 30
    got = render(given, form, width=100)
    assert "6 pairs share fewer than 10 items: they come last" in got


def test_pairs_of_measurements_that_share_few_items_come_behind():
    given = crowd()
    values = [str(x / 4) for x in range(40)]
    given["scale"] = {"kind": "interval", "categories": values, "count": len(values)}
    for row in given["raters"]:
        row["distribution"] = {"1": 2, "2.5": 3}
    for pair in given["pairs"]:
        pair["correlations"] = {"pearson": pair["cohen_kappa"]}
    part = section(render(given, width=100), "Pairs, lowest Pearson first")
    assert part.split("\n")[2].split()[-2:] == ["0.460", "44"]


@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_pairs_that_are_too_many_are_counted(form):
    given = summaries.many()
    given["pairs_left_out"] = 499_310
    assert "499,310 more pairs: too many for the report" in render(given, form, width=100)
    given["pairs"], given["pairs_left_out"] = [], 499_500
    text = render(given, form, width=100)
    assert "499,500 pairs of raters: too many to be listed one by one" in text
    given["pairs_left_out"] = 0
    assert "too many" not in render(given, form, width=100)


def test_only_what_is_equal_in_all_that_is_shown_is_named_beside():
    given = summaries.two()
    text = render(given, width=100)
    # The same value, Po and Pe as Cohen's, but another error.
    assert re.search(r"^  Conger's kappa  .* 0\.031 ", text, re.MULTILINE)
    assert "Equal here to one above: Unanimous agreement (Percent agreement); " in text
    assert "Fleiss' kappa (Scott's pi)" in text
    for key in ("value", "observed", "expected", "standard_error"):
        given = summaries.two()
        by_name(given, "fleiss_kappa")[key] += 1e-5
        assert "Fleiss' kappa (Scott's pi)" not in render(given, width=100)
    given = summaries.two()
    by_name(given, "fleiss_kappa")["interval"]["high"] += 0.1
    assert "Fleiss' kappa (Scott's pi)" not in render(given, width=100)


def test_unlike_coefficients_are_never_called_equal():
    given = summaries.two()
    for name in ("percent_agreement", "kendall_tau", "bangdiwala_b", "kendall_w"):
        bare = {"value": 0.0, "observed": None, "expected": None, "standard_error": None}
        by_name(given, name).update(bare, interval=None, undefined=None, p_value=None)
    text = render(given, width=100)
    for title in ("Kendall's tau-b", "Bangdiwala's B", "Kendall's W"):
        assert re.search(f"^  {title}  +0\\.000", text, re.MULTILINE)


@pytest.mark.parametrize("name", sorted(UNTESTED))
def test_shares_are_not_tested_against_zero(name):
    given = summaries.two()
    by_name(given, name).update(
        value=0.9123,
        p_value=0.000456,
        tests=[{"method": "t", "null": 0.0, "statistic": 9.0, "df": 9, "p_value": 0.000456}],
    )
    for full in (False, True):
        text = render(given, width=100, full=full)
        assert re.search("^  .*0\\.912 .*–$", text, re.MULTILINE)
        assert "9.000, df 9" not in text
        row = next(x for x in render(given, "markdown", full=full).split("\n") if "0.912" in x)
        assert "0.001" not in row.replace("\\", "")
    assert not re.search("0\\.912</td>.*?< \\.001.*?</tr>", notebook(given).split("0.912")[0][-9:])
    assert '"p_value": 0.000456' in render(given, "json")


@pytest.mark.parametrize("form", TEXTS)
@pytest.mark.parametrize("full", [False, True])
def test_a_label_as_long_as_a_text_does_not_flood(form, full):
    data = {"ana": [ENDLESS, "b"] * 20, "bo": [ENDLESS, "b", "b", "b"] * 10}
    report = assay.agree(data)
    got = render(report.summary, form, width=100, full=full)
    assert "so it goes so it goes so it goes so it goes" not in got
    assert max(map(len, got.split("\n"))) < 1000
    assert len(notebook(report.summary)) < 12_000
    assert ENDLESS.strip() in report.to_json()


def test_rater_and_group_names_do_not_flood():
    given = summaries.groups()
    given["groups"][0]["group"] = "g" * 20_000
    given["groups"][0]["raters"][0]["rater"] = "r" * 20_000
    given["groups"][0]["pairs"][0]["raters"] = ["r" * 20_000, "bo"]
    for form in TEXTS:
        for full in (False, True):
            text = latex(given, View(full=full)) if form == "latex" else render(given, form)
            assert "g" * 61 not in text
            assert "r" * 61 not in text
    assert "r" * 61 not in notebook(given)


def test_an_empty_second_line_of_the_headline_is_left_out():
    report = assay.agree({"ana": ["x", "y"], "bo": [None, None]})
    for text in (report.to_text(), report.to_markdown(), notebook(report.summary)):
        assert "(empty)" not in text
    assert report.to_text().split("\n")[1] == ""
    assert repr(report) == report.to_text()


def test_what_needs_two_raters_says_so():
    text = assay.agree([("1", "ana", "x"), ("2", "ana", "y")]).to_text(width=100)
    assert "(one)" not in text
    flat = " ".join(text.split())
    assert "Kendall's tau-b (needs two raters or more)" in flat
    assert "Lin's CCC (defined for two raters)" in flat


def test_labels_of_two_types_with_one_text_keep_their_own_shares():
    votes = [(1, "1"), ("1", "1"), (1, 1), ("x", 1)] * 10
    rows = [
        (f"i{i}", r, v) for i, pair in enumerate(votes) for r, v in zip("ab", pair, strict=True)
    ]
    text = assay.agree(rows).to_text(width=100)
    lines = [line.split() for line in section(text, "Raters").split("\n")[1:]]
    assert lines[0] == ["rater", "ratings", "1", '"1"', "x"]
    assert lines[1][2::2] == ["50.0", "25.0", "25.0"]
    assert lines[2][2::2] == ["50.0", "50.0", "0.0"]


def test_a_rater_without_ratings_has_no_shares():
    given = summaries.two()
    given["raters"][1] = {"rater": "bo", "ratings": 0, "distribution": {}}
    assert re.search("^  bo +0 +– +–$", render(given, width=100), re.MULTILINE)
    assert "| bo | 0 | – | – |" in render(given, "markdown")


def test_f1_of_two_raters_is_not_said_twice():
    report = assay.agree({"ana": list("aabbc") * 8, "bo": list("aabbb") * 8})
    assert "specific (F1): " in report.to_text(width=100)
    assert "F1 per label" not in report.to_text(width=100)
    assert "F1 per label" in report.to_text(width=100, full=True)
    given = summaries.two()
    given["pairs"][0]["labels"][0]["f1"] = 0.5
    assert "F1 per label: safe 0.500" in render(given, width=100)

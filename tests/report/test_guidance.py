"""Which coefficient: the recommendation is of this design, and never contradicts the report."""

from __future__ import annotations

import itertools

import pytest

import assay
from assay.agreement.registry import COEFFICIENTS
from assay.report.guidance_text import guidance as section

WORDS = {
    "ana": [*"xxyyzzxyzx"],
    "bo": [*"xxyyzyxyzz"],
    "cy": [*"xyyyzzxxzx"],
    "di": [*"xxyxzzxyzy"],
}
SKEWED = {"ana": ["x"] * 48 + ["y", "x"], "bo": ["x"] * 47 + ["y", "y", "x"]}


def ratings(raters, *, numbers=False, gaps=False):
    values = {"x": 1, "y": 2, "z": 3}
    data = {}
    for name in itertools.islice(WORDS, raters):
        data[name] = [values[v] if numbers else v for v in WORDS[name]]
    if gaps:
        data["bo"] = [*data["bo"][:-2], None, None]
    return data


def said(report):
    found = report.summary["guidance"]
    return found["coefficient"], " ".join(found["reasons"]), found


ORDER = {"scale": "ordinal", "order": ["x", "y", "z"]}
CASES = [
    (ratings(2), {}, "cohen_kappa", "own habits", {"scott_pi", "krippendorff_alpha", "gwet_ac"}),
    (ratings(2, gaps=True), {}, "cohen_kappa", "items that both rated", {"krippendorff_alpha"}),
    (ratings(4), {}, "fleiss_kappa", "interchangeable", {"conger_kappa"}),
    (ratings(3, gaps=True), {}, "krippendorff_alpha", "2 missing ratings", {"fleiss_kappa"}),
    (ratings(2), ORDER, "krippendorff_alpha", "near miss", {"cohen_kappa", "kendall_w"}),
    (ratings(3), ORDER, "krippendorff_alpha", "near miss", {"kendall_w"}),
    (ratings(2, numbers=True), {"scale": "interval"}, "icc_a_1", "score itself", {"lin_ccc"}),
    (ratings(3, numbers=True), {"scale": "interval"}, "krippendorff_alpha", "near miss",
     {"icc_a_1", "icc_c_1"}),
    (ratings(3, numbers=True, gaps=True), {"scale": "ratio"}, "krippendorff_alpha",
     "any number of ratings", set()),
    (ratings(2, numbers=True), {"scale": "circular", "period": 4}, "krippendorff_alpha",
     "near miss", {"gwet_ac"}),
    (assay.Counts([[3, 0], [1, 2], [2, 1]]), {}, "fleiss_kappa", "nobody has to know", {"gwet_ac"}),
    (assay.Counts([[3, 0], [1, 1], [2, 1]]), {}, "krippendorff_alpha", "different numbers", set()),
]  # fmt: skip


@pytest.mark.parametrize(("data", "options", "name", "words", "others"), CASES)
def test_the_recommendation_follows_the_design(data, options, name, words, others):
    coefficient, reasons, found = said(assay.agree(data, **options))
    assert coefficient == name
    assert words in reasons
    assert others <= {one["name"] for one in found["alternatives"]}


@pytest.mark.parametrize(("data", "options", "name", "words", "others"), CASES)
def test_it_never_contradicts_the_report(data, options, name, words, others):
    """It is the first of the chosen; what is offered applies, what does not suit is not offered."""
    report = assay.agree(data, **options)
    coefficient, _, found = said(report)
    assert coefficient == report.summary["chosen"][0]
    offered = {one["name"] for one in found["alternatives"]}
    refused = {one["name"] for one in found["unsuited"]}
    assert coefficient not in offered | refused
    assert not offered & refused
    assert offered | refused <= set(COEFFICIENTS)
    for other in offered:
        why = report[other].undefined
        assert why is None or why.code != "not_applicable", other
    for one in found["unsuited"]:
        if one["name"] in ("cohen_kappa", "icc_a_1"):
            why = report[one["name"]].undefined
            assert why is not None
            assert why.code in ("not_applicable", "incomplete")


def test_skew_sends_to_what_sees_the_rare_label():
    _, reasons, _ = said(assay.agree(SKEWED))
    assert "One label is 97.0 % of the ratings" in reasons
    assert "AC1" in reasons
    assert "One label" not in said(assay.agree(ratings(2)))[1]


def test_numbers_taken_as_names_are_asked_about():
    assert "--scale ordinal or interval" in said(assay.agree(ratings(2, numbers=True)))[1]
    assert "--scale" not in said(assay.agree(ratings(2)))[1]


def test_an_undefined_recommendation_says_so():
    coefficient, reasons, _ = said(assay.agree(["x", "x", "x"], ["x", "x", "x"]))
    assert coefficient == "cohen_kappa"
    assert "Here it is not defined, because all 6 ratings are 'x'" in reasons


def test_the_paragraph_is_in_the_full_report_only():
    report = assay.agree(ratings(3))
    assert "Which coefficient" not in report.to_text(width=80)
    full = report.to_text(width=80, full=True)
    assert "Which coefficient" in full
    assert "Or: Conger's kappa, if these raters are a fixed panel" in full
    assert section({"coefficients": []}, 80, True) == []
    for width in (30, 60):
        lines = section(report.summary, width, True)
        assert max(len(line.plain) for line in lines) <= width

"""``assay.plan``: what it takes and refuses, and how its report reads."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import DesignError, UsageError
from assay.report.render import render
from test_docs import keys, page

QUICK = {"simulations": 0}


def codes(report):
    return [one["code"] for one in report.summary["warnings"]]


def test_value_and_agreement_say_the_same():
    shares = {"safe": 0.9, "violation": 0.1}
    by_value = assay.plan(value=0.5, shares=shares, width=0.3, **QUICK)
    by_agreement = assay.plan(agreement=0.91, shares=shares, width=0.3, **QUICK)
    assert by_value.items == by_agreement.items
    assert by_agreement.summary["assumed"]["value"] == 0.5
    assert by_value.summary["assumed"]["agreement"] == 0.91


def test_numbers_and_names_of_labels_are_equal_shares():
    plans = [
        assay.plan(value=0.6, width=0.2, labels=labels, shares=shares, **QUICK)
        for labels, shares in ((2, None), (["a", "b"], None), (None, [0.5, 0.5]))
    ]
    assert len({one.items for one in plans}) == 1


def test_the_coefficient_follows_the_raters():
    two = assay.plan(value=0.6, labels=2, width=0.2, **QUICK)
    more = assay.plan(value=0.6, labels=2, width=0.2, raters=[2, 4], **QUICK)
    named = assay.plan("gwet_ac", value=0.6, labels=2, width=0.2, **QUICK)
    assert two.summary["coefficient"] == "cohen_kappa"
    assert more.summary["coefficient"] == "fleiss_kappa"
    assert [one.raters for one in more.answers] == [2, 4]
    assert [one.raters for one in named.answers] == [2, 3, 4, 5]


def test_more_raters_need_fewer_items():
    found = assay.plan(value=0.6, labels=3, width=0.2, raters=range(2, 8), **QUICK)
    items = [one.items for one in found.answers]
    assert items == sorted(items, reverse=True)
    assert len(set(items)) == len(items)


def test_items_turn_the_question_round():
    needed = assay.plan(value=0.7, labels=2, width=0.2, **QUICK)
    given = assay.plan(value=0.7, labels=2, items=needed.items, lower=0.55, **QUICK)
    less = assay.plan(value=0.7, labels=2, items=needed.items - 1, **QUICK)
    assert given.width <= 0.2 < less.width
    assert given.answers[0].formula_items is None
    asked = assay.plan(value=0.7, labels=2, lower=0.55, power=given.answers[0].passed, **QUICK)
    assert asked.items == needed.items


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"value": 0.5, "labels": 2, "lower": 0.5}, "lower_above_value"),
        ({"value": 0.5, "labels": 1, "width": 0.2}, "one_label_used"),
        ({"agreement": 0.9, "labels": 1, "width": 0.2}, "one_label_used"),
        ({"agreement": 0.5, "shares": {"a": 0.9, "b": 0.1}, "width": 0.2}, "impossible_agreement"),
        ({"value": -0.2, "labels": 2, "width": 0.2}, "impossible_agreement"),
        ({"value": 0.5, "labels": 2, "width": 0.0001}, "too_many_items"),
    ],
)
def test_what_is_impossible_has_a_reason(options, code):
    report = assay.plan(**options, **QUICK)
    assert report.items is None
    assert report.answers[0].undefined.code == code
    assert report.summary["headline"][0].startswith("Not possible, because ")
    for form in ("terminal", "markdown", "json"):
        assert render(report.summary, form)


def test_an_icc_that_cannot_be():
    report = assay.plan("icc_a_1", value=0.8, rater_share=0.3, raters=3, width=0.2)
    assert report.answers[0].undefined.code == "impossible_agreement"
    for value in (1.0, -0.1):
        found = assay.plan("icc_1", value=value, raters=3, width=0.2)
        assert found.answers[0].undefined.code == "impossible_agreement"


WRONG = [
    ({"width": "0.2"}, "width: a number is needed, not '0.2'"),
    ({"items": 30.5}, "items: a whole number is needed"),
    ({"width": 0.2, "seed": True}, "seed: a whole number is needed"),
    ({"width": 0.2, "labels": 2, "value": 0.5, "raters": "3"}, "raters: whole numbers"),
    ({"width": 0.2, "labels": 2, "value": 0.5, "raters": 2.5}, "raters: whole numbers"),
    ({"width": 0.2, "labels": 2, "value": 0.5, "raters": []}, "raters: whole numbers"),
    ({}, "width, lower or items"),
    ({"width": 0.2, "lower": 0.3}, "one of them is needed, not width and lower"),
    ({"width": 0.2, "items": 30}, "width and items"),
    ({"width": 0.0, "value": 0.5, "labels": 2}, "width: a number above 0"),
    ({"lower": 1.5}, "lower: "),
    ({"width": 0.2, "power": 1.0}, "power: "),
    ({"items": 1}, "items: a whole number from 2"),
    ({"width": 0.2, "simulations": 7}, "simulations: 0, or from 100"),
    ({"width": 0.2, "seed": -1}, "seed: "),
    ({"width": 0.2, "value": 0.5}, "shares or labels: one"),
    ({"width": 0.2, "labels": 2}, "value or agreement: say"),
    ({"width": 0.2, "labels": 2, "value": 0.5, "agreement": 0.7}, "value or agreement"),
    ({"width": 0.2, "labels": 2, "value": 1.5}, "value: a number from -1 to 1"),
    ({"width": 0.2, "labels": 2, "value": "x"}, "value: a number from -1 to 1"),
    ({"width": 0.2, "shares": {"a": 0.5, "b": 0.4}, "value": 0.5}, "they add up to 0.9"),
    ({"width": 0.2, "labels": 99, "value": 0.5}, "labels: from 1 to 50"),
    ({"width": 0.2, "labels": ["a", "a"], "value": 0.5}, "named twice"),
    ({"width": 0.2, "labels": 2, "value": 0.5, "raters": 1}, "raters: whole numbers from 2"),
    ({"width": 0.2, "labels": 2, "value": 0.5, "rater_share": 0.1}, "rater_share: of use"),
    ({"width": 0.2, "labels": 2, "value": 0.5, "layout": "wide"}, "layout: of use with a pilot"),
    ({"coefficient": "icc_1", "width": 0.2, "labels": 2, "value": 0.5}, "is of numbers"),
    ({"coefficient": "icc_1", "width": 0.2}, "value: say which ICC"),
    ({"coefficient": "kapa", "width": 0.2}, "coefficient: 'kapa' is not known"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_what_is_not_said_or_makes_no_sense_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        assay.plan(**options)


def test_two_rater_coefficients_are_of_two_raters():
    with pytest.raises(DesignError, match="cohen_kappa is of two raters, not of 3"):
        assay.plan("cohen_kappa", value=0.5, labels=2, raters=3, width=0.2)


PILOT = {
    "ana": [*"xxxxyyyyzzxxxxyyyyzzxxxxyyyyzz"],
    "bo": [*"xxxyyyyyzzxxxxyxyyzxxxxxyyyyzy"],
    "cy": [*"xxxxyyyyzxxxyxyyyyzzxxxxyyxyzz"],
}


def test_a_pilot_says_what_is_expected():
    report = assay.plan(pilot=PILOT, width=0.2, raters=[2, 3], **QUICK)
    fleiss = assay.fleiss_kappa(PILOT)
    assert report.summary["coefficient"] == "fleiss_kappa"
    assert report.summary["assumed"]["pilot"]["value"] == fleiss.value
    two, three = report.answers
    assert two.value == pytest.approx(fleiss.value, abs=1e-7)
    # The pilot's own error, falling with the root of the items.
    spread = fleiss.standard_error * len(PILOT["ana"]) ** 0.5
    assert three.items == pytest.approx((2 * 1.96 * spread / 0.2) ** 2, abs=4)
    assert two.items > three.items


def test_a_pilot_is_checked_on_its_own_items():
    report = assay.plan("krippendorff_alpha", pilot=PILOT, width=0.25, simulations=300)
    one = report.answers[0]
    assert one.simulations == 300
    assert one.width == pytest.approx(0.25, rel=0.02)


def test_an_ordinal_pilot_keeps_its_metric():
    values = {
        rater: [{"x": 1, "y": 2, "z": 3}[label] for label in labels]
        for rater, labels in PILOT.items()
    }
    name = "krippendorff_alpha"
    report = assay.plan(name, pilot=values, scale="ordinal", width=0.2, **QUICK)
    want = assay.krippendorff_alpha(values, metric="ordinal").value
    assert report.answers[0].value == want
    with pytest.raises(DesignError, match="the model of other numbers is of names"):
        assay.plan(name, pilot=values, scale="ordinal", width=0.2, raters=5, **QUICK)


def test_an_icc_pilot_says_value_and_levels():
    shifted = [[1, 3.5], [2, 4], [3, 5.5], [4, 6], [5, 7.5], [3, 5]]
    report = assay.plan("icc_a_1", pilot=shifted, layout="wide", items=60, simulations=200)
    assert report.answers[0].value == assay.icc(shifted, form="icc_a_1").value
    assert report.summary["assumed"]["rater_share"] > 0.3
    other = assay.plan(
        "icc_a_1", pilot=shifted, layout="wide", items=60, rater_share=0.0, simulations=200
    )
    assert other.width < report.width


def test_a_pilot_without_a_value_says_why():
    same = {"ana": ["x"] * 5, "bo": ["x"] * 5}
    report = assay.plan(pilot=same, width=0.2)
    assert report.answers[0].undefined.code == "one_label_used"
    with pytest.raises(DesignError, match="no item has two ratings"):
        assay.plan(pilot=[("i1", "ana", "x"), ("i2", "bo", "y")], width=0.2)
    with pytest.raises(UsageError, match="taken from it"):
        assay.plan(pilot=same, value=0.5, width=0.2)


def test_warnings_say_what_the_studies_showed():
    small = assay.plan(value=0.9, shares={"a": 0.9, "b": 0.1}, items=20, simulations=300)
    assert codes(small) == ["few_items", "studies_without_interval"]
    short = assay.plan(value=0.9, labels=2, width=0.2, simulations=500)
    assert "interval_too_short" in codes(short)
    calm = assay.plan(value=0.6, labels=3, items=300, simulations=300)
    assert codes(calm) == []
    pilot = assay.plan(pilot={r: x[:12] for r, x in PILOT.items()}, width=0.2, **QUICK)
    assert "small_pilot" in codes(pilot)


def test_the_finding_stands_in_the_first_two_lines():
    report = assay.plan(value=0.7, labels=2, raters=[2, 3], width=0.2, **QUICK)
    first, second = report.to_text(width=90).splitlines()[:2]
    assert (
        first == "199 items, 2 raters: the 95 % interval of Fleiss' kappa is 0.200 wide on average."
    )
    assert second.startswith("More raters need fewer items: ")
    lower = assay.plan(value=0.7, labels=2, raters=2, lower=0.5, **QUICK).summary["headline"]
    assert lower[0].startswith(
        "101 items, 2 raters: the lower limit of Cohen's kappa is above 0.500"
    )


def test_every_form_holds_the_same_numbers():
    report = assay.plan(value=0.7, labels=2, raters=[2, 3], width=0.2, simulations=100)
    document = json.loads(report.to_json())
    assert document["kind"] == "plan"
    for one in document["answers"]:
        assert one["ratings"] == one["items"] * one["raters"]
        for text in (report.to_text(width=100), report.to_markdown()):
            assert f"{one['items']}" in text
            assert f"{one['width']:.3f}" in text
    narrow = report.to_text(width=40).splitlines()
    assert max(map(len, narrow)) <= 40


def test_every_key_of_the_document_is_documented():
    text = page("json.md")
    plan = assay.plan(pilot=PILOT, width=0.2, **QUICK).to_dict()
    plan["assumed"]["shares"] = {}  # its keys are labels
    listed = assay.explain().to_dict()
    listed["names"] = []  # its keys are kinds
    for document in (plan, listed, assay.explain("kappa").to_dict()):
        assert not {key for key in keys(document) if f"`{key}`" not in text}

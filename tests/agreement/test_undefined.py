"""What has no value says why, from counts; what still has one keeps it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import assay
from agreement.datasets import wide
from assay.errors import DesignError, InputError, LabelError, UsageError

COEFFICIENTS: dict[str, Callable[..., assay.Estimate]] = {
    name: getattr(assay, name)
    for name in (
        "percent_agreement", "unanimous_agreement", "cohen_kappa", "light_kappa", "conger_kappa",
        "scott_pi", "fleiss_kappa", "brennan_prediger", "gwet_ac", "krippendorff_alpha",
        "bangdiwala_b", "icc", "kendall_w", "spearman", "pearson", "kendall_tau", "lin_ccc",
    )
}  # fmt: skip
CHANCE = ("cohen_kappa", "light_kappa", "conger_kappa", "scott_pi", "fleiss_kappa",
          "krippendorff_alpha")  # fmt: skip


def undefined(got: assay.Estimate, code: str, *words: str) -> None:
    """No value, no error, no interval, no p; a code and a sentence with the words in it."""
    assert got.value is None
    assert got.exact is None
    assert got.undefined is not None
    assert got.undefined.code == code
    for word in words:
        assert word in got.undefined.reason
    assert got.standard_error is None
    assert got.interval() is None
    assert got.p_value is None
    assert got.why_no_interval() == got.undefined
    with pytest.raises(TypeError, match="not defined"):
        float(got)
    assert "not defined" in str(got)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_no_ratings(name: str) -> None:
    got = COEFFICIENTS[name]([None, None], [None, None])
    assert got.undefined is not None
    undefined(got, got.undefined.code)
    assert got.undefined.code in ("no_ratings", "no_shared_items")


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_empty_table(name: str) -> None:
    got = COEFFICIENTS[name](table=[[0, 0], [0, 0]])
    assert got.undefined is not None
    undefined(got, got.undefined.code)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_no_shared_items(name: str) -> None:
    got = COEFFICIENTS[name]([1, 2, None], [None, None, 1])
    undefined(got, "incomplete" if name == "icc" else
              "no_ratings" if name == "scott_pi" else "no_shared_items")  # fmt: skip


def test_no_shared_items_says_how_many() -> None:
    data = wide([[1, None], [2, None], [None, 1]])
    for name in ("fleiss_kappa", "gwet_ac", "brennan_prediger", "percent_agreement",
                 "krippendorff_alpha", "conger_kappa"):  # fmt: skip
        undefined(COEFFICIENTS[name](data), "no_shared_items", "3 items")
    for name in ("cohen_kappa", "bangdiwala_b", "spearman", "lin_ccc"):
        undefined(COEFFICIENTS[name](data), "no_shared_items", "'1'", "'2'")


@pytest.mark.parametrize("name", CHANCE)
def test_one_label(name: str) -> None:
    got = COEFFICIENTS[name](["safe"] * 60, ["safe"] * 60)
    undefined(got, "one_label_used", "120", "'safe'")


def test_one_label_leaves_what_remains_defined() -> None:
    a = ["safe"] * 60
    assert assay.percent_agreement(a, a).value == 1.0
    assert assay.unanimous_agreement(a, a).value == 1.0
    undefined(assay.gwet_ac(a, a), "one_label_used", "safe")
    undefined(assay.brennan_prediger(a, a), "one_label_used", "safe")
    declared = ["safe", "not"]
    assert assay.gwet_ac(a, a, categories=declared).value == 1.0
    assert assay.brennan_prediger(a, a, categories=declared).value == 1.0
    for name in CHANCE:
        undefined(COEFFICIENTS[name](a, a, categories=declared), "one_label_used", "safe")


def test_one_label_of_three_raters() -> None:
    data = wide([["x", "x", None], ["x", "x", "x"], [None, None, "y"]])
    # The lone "y" is in no pair: alpha and the pooled estimators do not see it.
    undefined(assay.krippendorff_alpha(data), "one_label_used", "5 pairable", "'x'")
    undefined(assay.fleiss_kappa(data, estimator="pooled"), "one_label_used")
    undefined(assay.fleiss_kappa(data, estimator="fleiss1981"), "one_label_used")
    undefined(assay.light_kappa(data), "one_label_used", "'1'", "'2'")
    assert assay.fleiss_kappa(data).value == 1.0


@pytest.mark.parametrize("name", ["spearman", "pearson", "kendall_tau"])
def test_constant_rater_has_no_correlation(name: str) -> None:
    got = COEFFICIENTS[name]([4, 4, 4, 4, 4, 4], [1, 3, 2, 5, 1, 2])
    undefined(got, "constant_rater", "'4'", "6 items", "'1'")
    data = wide([[4, 1, 2], [4, 3, 3], [4, 2, 2], [4, 5, 4]])
    undefined(COEFFICIENTS[name](data), "constant_rater", "'1' and '2'")


def test_constant_rater_has_a_kappa_and_no_test() -> None:
    got = assay.cohen_kappa(["k"] * 8 + ["d"] * 2, ["k"] * 10)
    assert (got.value, got.exact) == (0.0, 0)
    assert got.standard_error is None
    assert got.interval() is None
    assert got.p_value is None
    why = got.why_no_interval()
    assert why is not None
    assert why.code == "constant_rater"
    assert "'2' said 'k' every time" in why.reason
    assert assay.lin_ccc([1, 2, 3, 4, 5, 6], [2, 2, 2, 2, 2, 2]).value == 0.0


def test_no_variance() -> None:
    same = [3, 3, 3, 3]
    undefined(assay.icc(same, same), "no_variance", "8 ratings")
    undefined(assay.kendall_w(same, same), "no_variance", "2 raters", "4 items")
    undefined(assay.lin_ccc(same, same), "no_variance", "'3'")
    undefined(assay.bangdiwala_b(["a", "a"], ["b", "b"]), "no_common_label")


def test_weights_that_make_all_labels_equal() -> None:
    ones = [[1, 1], [1, 1]]
    a, b = ["x", "y", "x", "y"], ["x", "x", "y", "y"]
    for name in ("cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "light_kappa",
                 "gwet_ac", "brennan_prediger", "krippendorff_alpha"):  # fmt: skip
        undefined(COEFFICIENTS[name](a, b, weights=ones, categories=["x", "y"]), "no_variance")


def test_places_on_a_circle_that_are_the_same() -> None:
    ratings = assay.from_lists([0, 360, 0], [360, 0, 0], scale="circular", period=360)
    undefined(assay.krippendorff_alpha(ratings), "no_variance", "6 pairable")


@pytest.mark.parametrize(
    "name", ["icc", "kendall_w", "spearman", "pearson", "kendall_tau", "lin_ccc"]
)
def test_single_item_has_no_variation(name: str) -> None:
    undefined(COEFFICIENTS[name]([1], [2]), "single_item")


def test_single_item_has_a_value_without_an_error() -> None:
    ratings = wide([["u", "u", "u", "v"]])
    for name in ("fleiss_kappa", "gwet_ac", "brennan_prediger", "percent_agreement",
                 "krippendorff_alpha", "conger_kappa"):  # fmt: skip
        got = COEFFICIENTS[name](ratings)
        assert got.value is not None
        assert got.standard_error is None
        assert got.interval() is None
        why = got.why_no_interval()
        assert why is not None
        assert why.code == "single_item"
    two = assay.cohen_kappa(["u"], ["v"])
    assert two.value == 0.0
    assert two.why_no_interval().code == "single_item"


@pytest.mark.parametrize(
    "name",
    ["cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "gwet_ac", "brennan_prediger",
     "percent_agreement", "unanimous_agreement", "krippendorff_alpha", "bangdiwala_b"],
)  # fmt: skip
def test_perfect_agreement_has_a_bound(name: str) -> None:
    labels = ["a", "b"] * 30
    got = COEFFICIENTS[name](labels, labels)
    assert got.value == 1.0
    assert got.standard_error == 0.0
    if name == "cohen_kappa":
        # The error under no agreement exists: z = 1 / √(p_e / (n (1 − p_e))) = √60.
        assert got.test().statistic == pytest.approx(60**0.5)
    else:
        assert got.p_value is None
        assert got.test().statistic is None
    interval = got.interval()
    assert interval is not None
    assert 0.8 < interval.low < interval.high == 1.0
    assert "binomial" in interval.method
    # The exact limit for 60 of 60 items, (.025)^(1/60), with chance agreement held.
    share, pe = 0.025 ** (1 / 60), got.expected or 0.0
    assert interval.low == pytest.approx((share - pe) / (1 - pe))
    more = COEFFICIENTS[name](labels * 4, labels * 4).interval()
    assert more is not None
    assert more.low > interval.low


def test_perfect_correlation_has_no_interval() -> None:
    x = [1, 2, 3, 4, 5, 7]
    for name in ("spearman", "pearson"):
        got = COEFFICIENTS[name](x, x)
        assert got.value == 1.0
        assert got.interval() is None
        # Not a p of 0: the statistic is infinite.
        assert got.p_value is None
        assert got.test().undefined is not None
    for form in ("icc_1", "icc_a_1", "icc_c_1", "icc_1_k", "icc_a_k", "icc_c_k"):
        got = assay.icc(x, x, form=form)
        assert got.value == 1.0
        assert got.interval() is None
        assert got.p_value is None


def test_full_disagreement_is_minus_one() -> None:
    got = assay.cohen_kappa(["a", "b"] * 20, ["b", "a"] * 20)
    assert got.value == -1.0
    assert got.interval() is None
    assert got.why_no_interval().code == "degenerate_error"


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_one_rater(name: str) -> None:
    data = {"ana": [1, 2, 1, 3]}
    if name in ("cohen_kappa", "scott_pi", "bangdiwala_b", "light_kappa"):
        with pytest.raises(DesignError) as caught:
            COEFFICIENTS[name](data)
        assert caught.value.code == "not_applicable"
    else:
        undefined(COEFFICIENTS[name](data), "no_shared_items")


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_counts_do_not_say_who(name: str) -> None:
    needs = set(COEFFICIENTS) - {
        "percent_agreement", "unanimous_agreement", "fleiss_kappa", "brennan_prediger",
        "gwet_ac", "krippendorff_alpha", "scott_pi",
    }  # fmt: skip
    function = COEFFICIENTS[name]
    if name in needs:
        with pytest.raises(DesignError, match="who gave which rating"):
            function(counts=[[2, 0], [1, 1], [0, 2]])
    else:
        assert function(counts=[[2, 0], [1, 1], [0, 2]]).value is not None


@pytest.mark.parametrize("name", ["cohen_kappa", "scott_pi", "bangdiwala_b"])
def test_three_raters_are_not_two(name: str) -> None:
    with pytest.raises(DesignError, match="two raters, and 3 were found"):
        COEFFICIENTS[name](wide([["a", "a", "b"], ["b", "b", "b"]]))


def test_incomplete_icc_says_how_many() -> None:
    undefined(assay.icc([[1, 2], [2, None], [3, 3], [4, 4]]), "incomplete", "1 of 4 items")


def test_icc_of_a_variance_below_zero() -> None:
    """Raters whose means agree better than their errors allow: the estimate would be 2."""
    undefined(assay.icc([1, 2], [2, 1], form="icc_a_k"), "no_variance", "-0.5", "below 0")
    got = assay.icc([[1, 0], [0, 0], [1, 2]], form="icc_a_k")
    assert got.value is not None
    assert got.interval() is None
    assert "minus infinity" in got.why_no_interval().reason


def test_light_names_the_pair() -> None:
    data = assay.read({"ana": ["a", "a"], "bo": ["a", "a"], "cy": ["a", "b"]})
    undefined(assay.light_kappa(data), "one_label_used", "'ana' and 'bo'", "4 ratings")
    apart = assay.read({"ana": ["a", "b", None], "bo": ["a", "b", "a"], "cy": [None, None, "a"]})
    undefined(assay.light_kappa(apart), "no_shared_items", "'ana' and 'cy'")


def test_less_than_one_pairable_rating() -> None:
    undefined(
        assay.krippendorff_alpha(table=[[0.25, 0], [0, 0.25]]), "too_few_ratings", "0.5 items"
    )


def test_labels_without_a_value() -> None:
    found = assay.category_kappa(table=[[3, 0, 0], [0, 0, 0], [0, 0, 0]])
    assert [x.undefined.code for x in found.values() if x.undefined] == [
        "one_label_used", "no_ratings", "no_ratings",
    ]  # fmt: skip
    found = assay.conditional_kappa(["a", "a", "b"], ["a", "b", "c"])
    assert found["c"].undefined.code == "constant_rater"
    for function in (assay.f1, assay.jaccard, assay.specific_agreement):
        unused = function(["a", "b"], ["a", "a"], categories=["a", "b", "c"])["c"]
        assert unused.undefined.code == "no_ratings"


def test_kappa_below_minus_one_keeps_its_interval() -> None:
    """Many single ratings of one label and a few pairs that disagree: chance nears 1."""
    got = assay.fleiss_kappa(counts=[[1, 0]] * 100 + [[1, 1]] * 3)
    assert got.value < -1
    interval = got.interval()
    assert interval.low <= got.value <= interval.high


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [x for v in value.values() for x in numbers(v)]
    if isinstance(value, list):
        return [x for v in value for x in numbers(v)]
    return [value] if isinstance(value, float) else []


AWKWARD: dict[str, Any] = {
    "one item": {"a": [1], "b": [1]},
    "one label": {"a": [1, 1], "b": [1, 1]},
    "one rater": {"a": [1, 2, 1]},
    "nothing": {"a": [None, None], "b": [None, None]},
    "apart": {"a": [1, None], "b": [None, 2]},
    "constant": {"a": [1, 1, 1, 1], "b": [1, 2, 3, 4]},
    "opposite": {"a": [1, 2] * 9, "b": [2, 1] * 9},
    "perfect": {"a": [1, 2, 3] * 9, "b": [1, 2, 3] * 9},
    "two items": {"a": [1, 2], "b": [2, 2], "c": [1, 1]},
    "four items": {"a": [1, 2, 3, 4], "b": [2, 1, 4, 3]},
    "empty table": assay.Table([[0, 0], [0, 0]]),
    "half an item": assay.Table([[0.25, 0], [0, 0.25]]),
    "empty counts": assay.Counts([[0, 0], [0, 0]]),
    "one count": assay.Counts([[1, 0]]),
    "a gap": {"a": [1.5, float("nan"), 2.5], "b": [1.5, 2.5, float("nan")]},
}


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio", "circular"])
@pytest.mark.parametrize("name", AWKWARD)
def test_no_report_holds_a_nan(name: str, scale: str) -> None:
    report = assay.agree(AWKWARD[name], scale=scale)
    assert all(math.isfinite(x) for x in numbers(report.summary))
    json.loads(report.to_json())
    for estimate in report.coefficients.values():
        assert (estimate.value is None) == (estimate.undefined is not None)
        if estimate.undefined is not None:
            assert estimate.undefined.reason
    assert report.to_text(width=80)
    assert report.to_markdown()


MISUSE: list[tuple[str, Callable[[], Any], type[Exception], str]] = [
    ("nothing", lambda: assay.cohen_kappa(), UsageError, "nothing was given"),
    ("two kinds", lambda: assay.cohen_kappa([1], [1], table=[[1]]), UsageError, "data and table"),
    ("one sequence", lambda: assay.cohen_kappa([1, 2, 1]), InputError, "entry 0 is 1"),
    ("lengths", lambda: assay.cohen_kappa([1, 2], [1, 2, 3]), InputError, "2, 3"),
    ("texts", lambda: assay.cohen_kappa("abc", "abd"), InputError, "not the text 'abc'"),
    ("dicts", lambda: assay.cohen_kappa({"a": 1}, {"a": 2}), UsageError, "not sets or dicts"),
    ("square", lambda: assay.cohen_kappa(table=[[1, 2], [3]]), InputError, "row 2 has 1 cells"),
    ("negative", lambda: assay.cohen_kappa(table=[[-1, 2], [3, 4]]), InputError, "negative"),
    ("cells", lambda: assay.cohen_kappa(table=[["x", 2], [3, 4]]), InputError, "'x'"),
    ("fractions", lambda: assay.fleiss_kappa(counts=[[1.5, 1]]), InputError, "whole number"),
    ("weights", lambda: assay.cohen_kappa([1, 2], [1, 2], weights="quad"), UsageError, "quad"),
    ("shape", lambda: assay.cohen_kappa([1, 2], [1, 2], weights=np.eye(3)), UsageError, "3, 3"),
    ("matrix", lambda: assay.cohen_kappa([1, 2], [1, 2], weights=[["a"]]), UsageError, "numbers"),
    ("range", lambda: assay.cohen_kappa([1, 2], [1, 2], weights=[[1, 3], [3, 1]]), UsageError, "3"),
    ("mirror", lambda: assay.cohen_kappa([1, 2], [1, 2], weights=[[1, 0], [1, 1]]), UsageError,
     "symmetric"),
    ("disagreement", lambda: assay.cohen_kappa([1, 2], [1, 2], weights=[[0, 1], [1, 0]]),
     UsageError, "1 on the diagonal"),
    ("metric", lambda: assay.krippendorff_alpha([1], [1], metric="ordinale"), UsageError,
     "'ordinal'"),
    ("both", lambda: assay.krippendorff_alpha([1], [1], metric="nominal", weights="linear"),
     UsageError, "one of the two"),
    ("distance", lambda: assay.krippendorff_alpha([1, 2], [1, 2], metric=lambda a, b: 1),
     UsageError, "0 for equal labels"),
    ("no number", lambda: assay.krippendorff_alpha([1, 2], [1, 2], metric=lambda a, b: None),
     UsageError, "0 for equal labels"),
    ("period", lambda: assay.krippendorff_alpha([1], [1], metric="circular", period=0),
     UsageError, "above 0"),
    ("texts on a line", lambda: assay.krippendorff_alpha(["a", "b"], ["a", "b"], metric="interval"),
     LabelError, "numbers"),
    ("order", lambda: assay.spearman(["a", "b"], ["a", "b"]), LabelError, "order"),
    ("numbers", lambda: assay.icc(["a", "b"], ["a", "b"]), LabelError, "numbers"),
    ("form", lambda: assay.icc([1, 2], [1, 2], form="icc_a1"), UsageError, "'icc_a_1'"),
    ("estimator", lambda: assay.fleiss_kappa([1], [1], estimator=3), UsageError, "gwet"),
    ("1981", lambda: assay.fleiss_kappa([1, 2], [1, 2], estimator="fleiss1981", weights="linear"),
     UsageError, "without weights"),
    ("twice", lambda: assay.gwet_ac(counts=[[1, 2]], categories=["a", "a"]), UsageError, "once"),
    ("infinite", lambda: assay.pearson([1, float("inf")], [1, 2]), LabelError, "infinite"),
    ("null", lambda: assay.icc([1, 2, 3], [1, 3, 3]).test(1), UsageError, "below 1"),
    ("too large", lambda: assay.fleiss_kappa(counts=[[4 * 10**9, 5]]), InputError, "64 bits"),
    ("ratio", lambda: assay.agree({"a": [-1, 2], "b": [1, 2]}, weights="ratio"), LabelError,
     "negative"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "kind", "words"), [m[1:] for m in MISUSE], ids=[m[0] for m in MISUSE]
)
def test_misuse_is_told_clearly(call: Callable[[], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert words in str(caught.value)
    assert len(str(caught.value)) > 30

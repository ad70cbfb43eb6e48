"""One call for everything: the shape of the summary, what applies, and when it warns."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import assay
from agreement.datasets import TWO_RATERS, wide

NAMES = (
    "percent_agreement", "unanimous_agreement", "cohen_kappa", "light_kappa", "conger_kappa",
    "scott_pi", "fleiss_kappa", "brennan_prediger", "gwet_ac", "krippendorff_alpha",
    "bangdiwala_b", "icc_1", "icc_a_1", "icc_c_1", "icc_1_k", "icc_a_k", "icc_c_k", "kendall_w",
    "spearman", "pearson", "kendall_tau", "lin_ccc",
)  # fmt: skip
SCALES = ("nominal", "ordinal", "interval", "ratio", "circular")
TWO_ONLY = ("cohen_kappa", "scott_pi", "bangdiwala_b")
NUMERIC_ONLY = ("icc_1", "icc_a_1", "icc_c_1", "icc_1_k", "icc_a_k", "icc_c_k", "pearson")
RANKED_ONLY = ("kendall_w", "spearman", "kendall_tau")
NAMED_ONLY = ("light_kappa", "conger_kappa")

KEYS = {
    "": {"assay", "source", "scale", "coefficients", "labels", "raters", "pairs", "warnings"},
    "source": {"items", "raters", "ratings", "layout", "notes"},
    "scale": {"kind", "categories"},
    "coefficient": {
        "name", "full_name", "value", "undefined", "observed", "expected", "standard_error",
        "interval", "p_value", "tests", "maximum", "items", "raters", "ratings",
    },
    "interval": {"level", "low", "high", "method"},
    "test": {"method", "null", "standard_error", "statistic", "df", "p_value"},
    "label": {
        "label", "count", "specific_agreement", "conditional_kappa", "category_kappa",
        "standard_error", "z", "p_value",
    },
    "rater": {"rater", "ratings", "distribution"},
    "pair": {
        "raters", "items", "cohen_kappa", "observed", "expected", "maximum", "pabak",
        "prevalence_index", "bias_index", "labels", "marginal_tests",
    },
    "pair label": {"label", "f1", "jaccard"},
    "warning": {"code", "message"},
}  # fmt: skip


def noisy(raters: int, *, items: int = 60, seed: int = 0, q: int = 4) -> list[list[int]]:
    random = np.random.default_rng(seed)
    truth = random.integers(1, q + 1, items)
    kept = random.random((items, raters)) < 0.7
    found = np.where(kept, truth[:, None], random.integers(1, q + 1, (items, raters)))
    return [[int(x) for x in row] for row in found]


def check_shape(summary: dict[str, Any]) -> None:
    def has(part: dict[str, Any], key: str) -> None:
        assert set(part) >= KEYS[key], KEYS[key] - set(part)

    has(summary, "")
    has(summary["source"], "source")
    has(summary["scale"], "scale")
    assert [c["name"] for c in summary["coefficients"]] == list(NAMES)
    for one in summary["coefficients"]:
        has(one, "coefficient")
        assert (one["value"] is None) == (one["undefined"] is not None)
        if one["undefined"] is not None:
            assert set(one["undefined"]) == {"code", "reason"}
        if one["interval"] is not None:
            has(one["interval"], "interval")
            assert one["interval"]["low"] <= one["value"] <= one["interval"]["high"]
        for test in one["tests"]:
            has(test, "test")
    for key, parts in (("label", "labels"), ("rater", "raters"), ("pair", "pairs"),
                       ("warning", "warnings")):  # fmt: skip
        for part in summary[parts]:
            has(part, key)
    for pair in summary["pairs"]:
        for label in pair["labels"]:
            has(label, "pair label")
        for test in pair["marginal_tests"]:
            has(test, "test")
    json.loads(json.dumps(summary, allow_nan=False))


def codes(report: assay.AgreementReport) -> dict[str, str | None]:
    return {
        name: None if one.undefined is None else one.undefined.code
        for name, one in report.coefficients.items()
    }


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("raters", [2, 3, 5])
def test_every_name_on_every_scale(raters: int, scale: str) -> None:
    report = assay.agree(wide(noisy(raters)), scale=scale)
    check_shape(report.summary)
    assert report.summary["scale"]["kind"] == scale
    refused = set()
    if raters != 2:
        refused |= {*TWO_ONLY, "lin_ccc"}
    if scale not in ("interval", "ratio"):
        refused |= {*NUMERIC_ONLY, "lin_ccc"}
    if scale not in ("ordinal", "interval", "ratio"):
        refused |= set(RANKED_ONLY)
    expected = {name: "not_applicable" if name in refused else None for name in NAMES}
    assert codes(report) == expected
    for name in refused:
        assert len(report[name].undefined.reason) > 20
    assert len(report.summary["pairs"]) == raters * (raters - 1) // 2
    assert report["krippendorff_alpha"].full_name.startswith(
        f"Krippendorff's alpha, {scale} metric"
    )
    # Weights are identity on every scale unless they are asked for.
    plain = assay.agree(wide(noisy(raters)))
    for name in ("fleiss_kappa", "gwet_ac", "brennan_prediger", "conger_kappa", "light_kappa"):
        assert report[name].value == plain[name].value


@pytest.mark.parametrize("scale", SCALES)
def test_counts(scale: str) -> None:
    counts = assay.Counts([[row.count(k) for k in (1, 2, 3, 4)] for row in noisy(4)])
    report = assay.agree(counts, scale=scale)
    check_shape(report.summary)
    named = {*TWO_ONLY, *NUMERIC_ONLY, *RANKED_ONLY, *NAMED_ONLY, "lin_ccc"}
    assert codes(report) == {n: "not_applicable" if n in named else None for n in NAMES}
    assert report.summary["raters"] == report.summary["pairs"] == []


def test_one_rater_and_texts() -> None:
    one = assay.agree({"ana": ["a", "b", "a"]})
    check_shape(one.summary)
    found = codes(one)
    assert found["cohen_kappa"] == found["light_kappa"] == "not_applicable"
    assert found["fleiss_kappa"] == found["krippendorff_alpha"] == "no_shared_items"
    words = assay.agree(
        {"a": ["lo", "hi", "mid", "lo"], "b": ["lo", "hi", "hi", "mid"]},
        scale="ordinal", order=["lo", "mid", "hi"],
    )  # fmt: skip
    check_shape(words.summary)
    assert codes(words)["spearman"] is None
    assert codes(words)["pearson"] == "not_applicable"


def test_ceiling_is_for_unweighted_kappa_only() -> None:
    data = wide(noisy(2))
    plain = assay.agree(data).summary
    weighted = assay.agree(data, weights="quadratic").summary

    def ceilings(summary: dict[str, Any]) -> dict[str, Any]:
        return {
            c["name"]: c["maximum"] for c in summary["coefficients"] if c["maximum"] is not None
        }

    assert ceilings(plain) == {"cohen_kappa": assay.cohen_kappa(data).maximum}
    assert ceilings(weighted) == {}
    assert plain["pairs"][0]["maximum"] == weighted["pairs"][0]["maximum"]


def test_options_reach_every_coefficient() -> None:
    rows: list[list[Any]] = [list(row) for row in noisy(3)]
    rows[5][1] = None
    data = wide(rows)
    report = assay.agree(data, weights="linear", metric="interval", estimator="pooled", level=0.9)
    for name, function in (("conger_kappa", assay.conger_kappa), ("gwet_ac", assay.gwet_ac),
                           ("light_kappa", assay.light_kappa),
                           ("brennan_prediger", assay.brennan_prediger)):  # fmt: skip
        assert report[name].value == function(data, weights="linear").value
    pooled = assay.fleiss_kappa(data, weights="linear", estimator="pooled")
    assert report["fleiss_kappa"].value == pooled.value
    alpha = assay.krippendorff_alpha(data, metric="interval")
    assert report["krippendorff_alpha"].value == alpha.value
    for one in report.summary["coefficients"]:
        assert one["interval"] is None or one["interval"]["level"] == 0.9
    # Without a metric, alpha follows the weights; without weights, the scale.
    follows = assay.agree(data, weights="linear")["krippendorff_alpha"]
    assert follows.value == assay.krippendorff_alpha(data, weights="linear").value


def test_the_summary_agrees_with_the_functions() -> None:
    table = TWO_RATERS["Agresti, carcinoma"]
    report = assay.agree(assay.Table(table))
    summary = report.summary
    assert (summary["source"]["items"], summary["source"]["ratings"]) == (118, 236)
    assert summary["raters"][0]["distribution"] == {"1": 26, "2": 26, "3": 38, "4": 28}
    assert [label["count"] for label in summary["labels"]] == [53, 38, 107, 38]
    for key, function in (
        ("specific_agreement", assay.specific_agreement),
        ("conditional_kappa", assay.conditional_kappa),
        ("category_kappa", assay.category_kappa),
    ):
        found = function(table=table)
        assert {x["label"]: x[key] for x in summary["labels"]} == {
            k: x.value for k, x in found.items()
        }
    (pair,) = summary["pairs"]
    kappa = assay.cohen_kappa(table=table)
    assert pair["cohen_kappa"] == kappa.value
    assert (pair["observed"], pair["expected"]) == (kappa.observed, kappa.expected)
    assert {x["label"]: x["f1"] for x in pair["labels"]} == {
        k: x.value for k, x in assay.f1(table=table).items()
    }
    assert [t["method"] for t in pair["marginal_tests"]] == ["Bowker", "Stuart-Maxwell", "Bhapkar"]
    first = next(c for c in summary["coefficients"] if c["name"] == "cohen_kappa")
    assert first["tests"][0]["p_value"] == first["p_value"] == kappa.p_value


def test_groups() -> None:
    triples = [
        {"item": i, "rater": g, "label": x, "part": "even" if i % 2 else "odd"}
        for i, row in enumerate(noisy(3)) for g, x in enumerate(row)
    ]  # fmt: skip
    report = assay.agree(triples, item="item", rater="rater", label="label", by="part")
    summary = report.summary
    assert sorted(g["group"] for g in summary["groups"]) == ["even", "odd"]
    for one in summary["groups"]:
        check_shape(one)
        assert one["source"]["items"] == 30
    rows = [row for i, row in enumerate(noisy(3)) if i % 2]
    assert report.groups["even"]["fleiss_kappa"].exact == assay.fleiss_kappa(wide(rows)).exact


def warned(data: Any, **options: Any) -> set[str]:
    return {w["code"] for w in assay.agree(data, **options).summary["warnings"]}


FINE = assay.Table([[60, 6, 5], [7, 55, 4], [3, 6, 54]], labels=["a", "b", "c"])


def test_nothing_to_say() -> None:
    assert warned(FINE) == set()
    assert warned(wide(noisy(4, items=200))) == set()


# What triggers each warning, and what is near it and must not.
WARNINGS: list[tuple[str, Any, Any]] = [
    ("skewed_labels", assay.Table([[95, 3], [3, 4]]), assay.Table([[75, 8], [9, 25]])),
    (
        "constant_rater",
        {"a": ["x"] * 40, "b": ["x"] * 20 + ["y"] * 20},
        {"a": ["x"] * 39 + ["y"], "b": ["x"] * 20 + ["y"] * 20},
    ),
    ("systematic_disagreement", assay.Table([[5, 40], [40, 5]]), assay.Table([[20, 25], [25, 20]])),
    (
        "labels_look_swapped",
        assay.Table([[50, 2, 3], [4, 3, 60], [2, 55, 5]]),
        assay.Table([[50, 2, 3], [4, 30, 33], [2, 28, 30]]),
    ),
    (
        "label_of_one_rater",
        {"a": ["x", "y"] * 20, "b": ["x", "y"] * 19 + ["x", "z"]},
        {"a": ["x", "y", "z"] * 20, "b": ["x", "y"] * 29 + ["x", "z"]},
    ),
    ("few_items", assay.Table([[10, 2], [3, 14]]), assay.Table([[10, 2], [3, 15]])),
    ("wide_interval", assay.Table([[13, 6], [5, 12]]), assay.Table([[260, 40], [30, 250]])),
]


@pytest.mark.parametrize(("code", "data", "near"), WARNINGS, ids=[w[0] for w in WARNINGS])
def test_warnings(code: str, data: Any, near: Any) -> None:
    assert code in warned(data)
    assert code not in warned(near)


def test_a_kappa_below_0_names_its_causes() -> None:
    report = assay.agree(assay.Table([[5, 40], [40, 5]]))
    messages = {w["code"]: w["message"] for w in report.summary["warnings"]}
    for word in ("backwards", "guideline", "columns swapped"):
        assert word in messages["systematic_disagreement"]
    mild = assay.agree(assay.Table([[20, 25], [25, 20]])).summary["warnings"]
    assert any("guideline" in w["message"] for w in mild)


def test_perfect_agreement_is_said() -> None:
    assert "perfect_agreement" in warned({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20})
    assert "perfect_agreement" not in warned(FINE)


def test_many_items_of_one_rating_are_said() -> None:
    rows: list[list[Any]] = [[1, 1, None], [1, 2, None], [2, 2, 2]] * 20
    assert "many_single_ratings" in warned(wide([*rows, *([[1, None, None]] * 20)]))
    assert "many_single_ratings" not in warned(wide([*rows, *([[1, None, None]] * 3)]))


@pytest.mark.parametrize("differ", [True, False])
def test_groups_that_cannot_be_compared(differ: bool) -> None:
    random = np.random.default_rng(0)
    records = []
    for i in range(200):
        group = "g1" if i < 100 else "g2"
        rare = differ and group == "g2"
        label = "no" if random.random() < (0.95 if rare else 0.5) else "yes"
        for rater in ("a", "b"):
            said = label if random.random() < 0.9 else "yes"
            records.append({"item": i, "rater": rater, "label": said, "g": group})
    found = warned(records, item="item", rater="rater", label="label", by="g")
    assert ("groups_differ" in found) == differ

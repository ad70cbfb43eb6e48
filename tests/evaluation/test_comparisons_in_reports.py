"""What the summary says of pairs of systems, against SciPy on the items' means."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import assay
from assay.errors import UsageError
from evaluation.studies import item_means, study

ROWS = study(2, items=25, systems=4)


def means(a: str, b: str, dimension: str) -> tuple[np.ndarray, np.ndarray]:
    x, y = (item_means(ROWS, s, dimension) for s in (a, b))
    shared = sorted(x.keys() & y.keys())
    return np.array([x[i] for i in shared]), np.array([y[i] for i in shared])


@pytest.fixture(scope="module")
def report() -> assay.EvaluationReport:
    return assay.evaluate(ROWS)


def test_every_pair_of_every_dimension(report: assay.EvaluationReport) -> None:
    pairs = [(c["dimension"], c["a"], c["b"]) for c in report.summary["comparisons"]]
    names = ["s0", "s1", "s2", "s3"]
    assert pairs == [(d, a, b) for d in ("fluency", "coverage") for a, b in combinations(names, 2)]


@pytest.mark.parametrize("dimension", ["fluency", "coverage"])
def test_values_and_corrections(report: assay.EvaluationReport, dimension: str) -> None:
    found = [c for c in report.summary["comparisons"] if c["dimension"] == dimension]
    raw = []
    for one in found:
        x, y = means(one["a"], one["b"], dimension)
        d = np.round(x - y, 9)
        assert one["items"] == len(d)
        assert one["mean_difference"] == pytest.approx(d.mean())
        low, high = stats.t.interval(0.95, len(d) - 1, d.mean(), stats.sem(d))
        assert (one["interval"]["low"], one["interval"]["high"]) == pytest.approx((low, high))
        p = stats.wilcoxon(d).pvalue
        assert one["tests"]["wilcoxon"]["p_value"] == pytest.approx(p)
        assert one["tests"]["t"]["p_value"] == pytest.approx(stats.ttest_rel(x, y).pvalue)
        raw.append(p)
    for ours, theirs in (
        ("holm", "holm"),
        ("benjamini_hochberg", "fdr_bh"),
        ("bonferroni", "bonferroni"),
    ):
        peer = multipletests(raw, method=theirs)[1]
        assert [c["tests"]["wilcoxon"][ours] for c in found] == pytest.approx(peer.tolist())
    for one in found:
        assert one["p_decisive"] == one["tests"]["wilcoxon"]["holm"]
        assert one["significant"] == (one["p_decisive"] < 0.05)


def test_the_chosen_test_and_correction_decide() -> None:
    other = assay.evaluate(ROWS, test="sign", correction="none", alpha=0.2)
    for one in other.summary["comparisons"]:
        assert one["p_decisive"] == one["tests"]["sign"]["p_value"]
        assert one["significant"] == (one["p_decisive"] < 0.2)


def test_letters_and_ranks_follow_from_the_pairs(report: assay.EvaluationReport) -> None:
    for dimension in ("fluency", "coverage"):
        rows = {r["system"]: r for r in report.summary["systems"] if r["dimension"] == dimension}
        for one in report.summary["comparisons"]:
            if one["dimension"] == dimension:
                shared = set(rows[one["a"]]["letters"]) & set(rows[one["b"]]["letters"])
                assert bool(shared) != one["significant"]
        order = sorted(rows.values(), key=lambda r: -r["mean_macro"])
        assert [r["rank"] for r in order] == [1, 2, 3, 4]


def test_a_lower_value_may_be_better() -> None:
    report = assay.evaluate(ROWS, lower_better=["coverage"])
    rows = [r for r in report.summary["systems"] if r["dimension"] == "coverage"]
    best = min(rows, key=lambda r: r["mean_macro"])
    assert best["rank"] == 1
    plain = assay.evaluate(ROWS)
    ours, theirs = (
        [c["wins"][0] for c in r.summary["comparisons"] if c["dimension"] == "coverage"]
        for r in (report, plain)
    )
    assert [w["wins"] for w in ours] == [w["losses"] for w in theirs]
    said = "On coverage, lower is better."
    for text in (report.to_text(), report.to_markdown(), report.to_latex(), report.methods()):
        assert said in " ".join(text.split())
    assert said in report.to_html()
    assert report.to_heds().count("; lower is better") == 1
    assert "lower is better" not in assay.evaluate(ROWS).to_text()
    with pytest.raises(UsageError, match="lower_better"):
        assay.evaluate(ROWS, lower_better=["style"])


def test_wins_are_counted_over_raters_and_over_items(report: assay.EvaluationReport) -> None:
    for one in report.summary["comparisons"]:
        rated = {
            (r["system"], r["item"], r["rater"]): r["value"]
            for r in ROWS
            if r["dimension"] == one["dimension"]
        }
        gaps = [
            v - rated[one["b"], i, r]
            for (s, i, r), v in rated.items()
            if s == one["a"] and (one["b"], i, r) in rated
        ]
        by_basis = {w["basis"]: w for w in one["wins"]}
        got = by_basis["ratings"]
        assert (got["wins"], got["ties"], got["losses"]) == (
            sum(g > 0 for g in gaps), sum(g == 0 for g in gaps), sum(g < 0 for g in gaps),
        )  # fmt: skip
        x, y = means(one["a"], one["b"], one["dimension"])
        d = np.round(x - y, 9)
        got = by_basis["items"]
        assert (got["wins"], got["losses"]) == (int((d > 0).sum()), int((d < 0).sum()))


def test_systems_without_shared_items_are_not_compared() -> None:
    rows = [
        r for r in study(1, items=20, systems=2, dimensions=("fluency",))
        if (int(r["item"][1:]) < 10) == (r["system"] == "s0")
    ]  # fmt: skip
    summary = assay.evaluate(rows).summary
    (one,) = summary["comparisons"]
    assert one["significant"] is None
    assert one["tests"]["wilcoxon"]["undefined"]["code"] == "no_shared_items"
    assert one["mean_difference"] is None
    codes = {w["code"] for w in summary["warnings"]}
    assert {"pairs_not_compared", "different_items"} <= codes
    for row in summary["systems"]:
        assert row["letters"] is None
        assert row["no_letters"]["code"] == "not_compared"
    first = summary["headline"][0]
    assert first.endswith("; not compared with s0, for want of a shared item.")
    assert "shown to differ" not in first
    assert "No letters, because s0 and s1 share no item" in assay.evaluate(rows).to_text()


def headline(values: dict[str, list[int]]) -> str:
    rows = [
        {"item": i, "system": s, "value": v}
        for s, given in values.items()
        for i, v in enumerate(given)
    ]
    return str(assay.evaluate(rows, scale="interval").summary["headline"][0])


def test_the_best_systems_are_set_against_the_others_only() -> None:
    same = [3, 4, 3, 4, 3, 4, 3, 4]
    tied = headline({"A": same, "B": same})
    assert tied == "A and B have the highest mean value: 3.50."
    third = headline({"A": same, "B": same, "C": [4, 2, 3, 4, 3, 4, 3, 3]})
    assert "A and B have the highest mean" in third
    assert "not shown to differ from C (Wilcoxon" in third
    apart = headline({"A": same, "B": same, "C": [1, 1, 1, 2, 1, 1, 1, 1]})
    assert "they differ from C (" in apart


def test_many_systems_are_compared_in_time() -> None:
    rows = study(1, systems=60, items=4, dimensions=("fluency",), gaps=0.0)
    summary = assay.evaluate(rows, resamples=10).summary
    assert len(summary["systems"]) == 60
    for row in summary["systems"]:
        assert (row["letters"] is None) == (row["no_letters"] is not None)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("test", "anova"), ("correction", "sidak"), ("zeros", "drop"), ("ddof", 2),
        ("alpha", 0.0), ("level", 95), ("repeats", "mean"), ("first", 0), ("resamples", 0),
        ("scale", "circular"),
    ],
)  # fmt: skip
def test_options_that_do_not_exist(option: str, value: object) -> None:
    with pytest.raises(UsageError, match=option):
        assay.evaluate(ROWS, **{option: value})

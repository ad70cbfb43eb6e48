"""Means, z-scores, severity and correlations against plain loops and peers."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean, stdev

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

import assay
from assay.estimate import Undefined
from assay.evaluation.raters import rater_use
from assay.evaluation.read import read_systems
from assay.evaluation.systems import system_means, z_scores
from evaluation.studies import item_means, study

ROWS = study(1)


@pytest.mark.parametrize("dimension", ["fluency", "coverage"])
@pytest.mark.parametrize("system", ["s0", "s1", "s2"])
def test_means_are_those_of_a_loop(system: str, dimension: str) -> None:
    report = assay.evaluate(ROWS)
    (row,) = [
        r for r in report.summary["systems"]
        if (r["system"], r["dimension"]) == (system, dimension)
    ]  # fmt: skip
    own = [r for r in ROWS if r["system"] == system and r["dimension"] == dimension]
    values = [r["value"] for r in own]
    means = item_means(ROWS, system, dimension)
    assert row["ratings"] == len(own)
    assert row["items"] == len(means)
    assert row["mean_micro"] == pytest.approx(fmean(values))
    assert row["mean_macro"] == pytest.approx(fmean(means.values()))
    assert row["standard_deviation"] == pytest.approx(stdev(values))
    assert row["median"] == np.median(values)
    by_rater = defaultdict(list)
    for r in own:
        by_rater[r["rater"]].append(r["value"])
    assert row["mean_raters"] == pytest.approx(fmean(map(fmean, by_rater.values())))
    low, high = DescrStatsW(list(means.values())).tconfint_mean()
    assert (row["interval"]["low"], row["interval"]["high"]) == pytest.approx((low, high))
    shares = {s["label"]: s["share"] for s in row["shares"]}
    assert shares == {
        str(k): pytest.approx(values.count(k) / len(values)) for k in range(1, 6)
        if any(r["value"] == k and r["dimension"] == dimension for r in ROWS)
    }  # fmt: skip


@pytest.mark.parametrize("ddof", [0, 1])
def test_z_scores_are_a_raters_own(ddof: int) -> None:
    report = assay.evaluate(ROWS, ddof=ddof)
    by_rater = defaultdict(list)
    for r in ROWS:
        by_rater[r["rater"], r["dimension"]].append(r["value"])
    scored = []
    for r in ROWS:
        own = by_rater[r["rater"], r["dimension"]]
        scored.append(r | {"value": (r["value"] - np.mean(own)) / np.std(own, ddof=ddof)})
    for row in report.summary["systems"]:
        key = (row["system"], row["dimension"])
        own_z = [r["value"] for r in scored if (r["system"], r["dimension"]) == key]
        assert row["z_micro"] == pytest.approx(fmean(own_z))
        assert row["z_macro"] == pytest.approx(fmean(item_means(scored, *key).values()))
        assert row["no_z"] is None


def test_z_scores_are_those_of_scipy() -> None:
    made = read_systems(ROWS)["fluency"]
    z, flat = z_scores(made, 1)
    assert not len(flat)
    assert made.raters is not None
    assert made.values is not None
    for rater in np.unique(made.raters):
        rows = made.raters == rater
        assert z[rows] == pytest.approx(stats.zscore(made.values[rows], ddof=1))


def test_a_rater_without_variance_has_no_z_and_that_is_said() -> None:
    rows = [r | ({"value": 3} if r["rater"] == "r1" else {}) for r in ROWS]
    report = assay.evaluate(rows)
    for row in report.summary["systems"]:
        assert row["no_z"]["code"] == "constant_rater"
        assert "r1" in row["no_z"]["reason"]
        expected = [
            r for r in rows
            if (r["system"], r["dimension"]) == (row["system"], row["dimension"])
            and r["rater"] != "r1"
        ]  # fmt: skip
        assert row["z_ratings"] == len(expected)
    (code,) = {w["code"] for w in report.summary["warnings"]}
    assert code == "constant_raters"


def test_without_raters_there_are_means_and_no_z() -> None:
    rows = [{k: v for k, v in r.items() if k != "rater"} for r in ROWS]
    report = assay.evaluate(rows)
    whole = assay.evaluate(ROWS)
    for row, other in zip(report.summary["systems"], whole.summary["systems"], strict=True):
        assert row["z_micro"] is None
        assert row["no_z"]["code"] == "not_applicable"
        assert row["raters"] is None
        assert row["mean_macro"] == other["mean_macro"]
    assert report.summary["raters"] == []
    assert "no_raters" in {n["code"] for n in report.summary["source"]["notes"]}
    # Who rated is not needed for alpha.
    ours, theirs = (
        [c["value"] for part in r.summary["agreement"] for c in part["coefficients"]
         if c["name"] == "krippendorff_alpha"]
        for r in (report, whole)
    )  # fmt: skip
    assert ours == theirs


def test_severity_and_correlation_are_those_of_a_loop() -> None:
    made = read_systems(ROWS)["fluency"]
    by_output: dict[tuple, dict] = defaultdict(dict)
    for r in ROWS:
        if r["dimension"] == "fluency":
            by_output[r["item"], r["system"]][r["rater"]] = r["value"]
    for use in rater_use(made):
        name = made.rater_names[use.rater]
        gaps, mine, others = [], [], []
        for rated in by_output.values():
            if name not in rated or len(rated) < 2:
                continue
            gaps.append(rated[name] - fmean(rated.values()))
            mine.append(rated[name])
            others.append(fmean(v for k, v in rated.items() if k != name))
        assert use.shared == len(gaps)
        assert use.severity.value == pytest.approx(fmean(gaps))
        got = use.severity.interval(0.9)
        low, high = stats.t.interval(0.9, len(gaps) - 1, fmean(gaps), stats.sem(gaps))
        assert not isinstance(got, Undefined)
        assert (got.low, got.high) == pytest.approx((low, high))
        peer = stats.pearsonr(mine, others)
        assert use.p_value == pytest.approx(peer.pvalue)
        assert use.correlation == pytest.approx(peer.statistic)
        limits = use.correlation_interval(0.95)
        assert not isinstance(limits, Undefined)
        assert (limits.low, limits.high) == pytest.approx(tuple(peer.confidence_interval(0.95)))
        values = [r["value"] for r in ROWS if r["dimension"] == "fluency" and r["rater"] == name]
        assert use.share_low == pytest.approx(values.count(1) / len(values))
        assert use.share_high == pytest.approx(values.count(5) / len(values))
        assert use.points == len(set(values))


def test_a_reversed_rater_is_named() -> None:
    rows = study(3, items=30, gaps=0.0, dimensions=("fluency",))
    turned = [r | ({"value": 6 - r["value"]} if r["rater"] == "r2" else {}) for r in rows]
    for table, expected in ((rows, False), (turned, True)):
        report = assay.evaluate(table)
        found = [w for w in report.summary["warnings"] if w["code"] == "reversed_raters"]
        assert bool(found) == expected
        if found:
            assert "r2 (r = −" in found[0]["message"]
            assert "r1" not in found[0]["message"]


def test_a_single_item_has_a_mean_without_an_interval() -> None:
    rows = [{"item": "a", "system": "x", "rater": r, "value": v} for r, v in (("p", 2), ("q", 4))]
    (row,) = assay.evaluate(rows).summary["systems"]
    assert row["mean_macro"] == 3.0
    assert row["interval"] is None
    assert row["no_interval"]["code"] == "single_item"


def test_names_have_shares_and_no_means() -> None:
    rows = [
        {"item": i, "system": s, "rater": r, "value": v}
        for i, s, r, v in [
            ("1", "x", "p", "yes"), ("1", "x", "q", "no"), ("2", "x", "p", "yes"),
            ("2", "x", "q", "yes"), ("1", "y", "p", "no"), ("1", "y", "q", "no"),
        ]
    ]  # fmt: skip
    summary = assay.evaluate(rows).summary
    assert summary["dimensions"][0]["scale"] == "nominal"
    row = summary["systems"][0]
    assert row["mean_macro"] is None
    assert row["undefined"]["code"] == "not_applicable"
    assert {s["label"]: s["share"] for s in row["shares"]} == {"yes": 0.75, "no": 0.25}
    assert summary["comparisons"] == []
    assert "names_only" in {w["code"] for w in summary["warnings"]}


def test_worded_points_count_from_one() -> None:
    rows = [
        {"item": i, "system": "x", "rater": r, "value": v}
        for i, r, v in [
            ("1", "p", "poor"), ("1", "q", "good"), ("2", "p", "okay"), ("2", "q", "good"),
        ]
    ]  # fmt: skip
    summary = assay.evaluate(rows, order=["poor", "okay", "good"]).summary
    assert summary["systems"][0]["mean_macro"] == pytest.approx((2 + 2.5) / 2)
    assert summary["dimensions"][0]["scale"] == "ordinal"


def test_means_have_all_systems_with_a_rating() -> None:
    made = read_systems(ROWS)["coverage"]
    assert [one.system for one in system_means(made)] == [0, 1, 2]


def test_a_crowd_that_rates_at_random_is_not_called_reversed() -> None:
    rng = np.random.default_rng(4)
    rows = [
        {"item": f"i{i}", "rater": f"w{r}", "value": int(rng.integers(1, 6))}
        for i in range(400)
        for r in rng.choice(150, 3, replace=False)
    ]
    uses = rater_use(read_systems(rows).dimensions[0])
    assert sum((one.p_value or 1) < 0.05 for one in uses) > 3
    assert sum(one.reversed for one in uses) <= 1

"""Agreement, ICC(1) and intra-rater agreement of evaluations, against peers."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pingouin
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

import assay
from assay.evaluation.intra import again
from assay.evaluation.one_way import one_way
from assay.evaluation.read import read_systems
from evaluation.studies import study


def coefficient(report: assay.EvaluationReport, dimension: str, name: str) -> dict:
    (part,) = [p for p in report.summary["agreement"] if p["dimension"] == dimension]
    return next(c for c in part["coefficients"] if c["name"] == name)


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
def test_alpha_is_over_items_and_systems(scale: Any) -> None:
    rows = study(4)
    report = assay.evaluate(rows, scale=scale)
    for dimension in ("fluency", "coverage"):
        frame = pd.DataFrame([r for r in rows if r["dimension"] == dimension])
        table = frame.pivot(index="rater", columns=["item", "system"], values="value")
        peer = krippendorff.alpha(table.to_numpy(), level_of_measurement=scale)
        assert coefficient(report, dimension, "krippendorff_alpha")["value"] == pytest.approx(peer)


def test_it_is_what_agree_says_of_the_same_ratings() -> None:
    rows = [r for r in study(5, gaps=0.0) if r["dimension"] == "fluency"]
    triples = [(f"{r['item']}/{r['system']}", r["rater"], r["value"]) for r in rows]
    ours = assay.evaluate(rows, scale="interval").agreement["fluency"]
    theirs = assay.agree(triples, scale="interval")
    for name, estimate in theirs.coefficients.items():
        assert ours[name].value == estimate.value, name
        assert ours[name].interval() == estimate.interval(), name


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_one_way_with_equal_numbers_is_pingouins() -> None:
    rows = [r for r in study(6, gaps=0.0) if r["dimension"] == "fluency"]
    frame = pd.DataFrame(rows)
    frame["output"] = frame["item"] + frame["system"]
    peer = pingouin.intraclass_corr(frame, "output", "rater", "value").iloc[0]
    got = one_way(read_systems(rows)["fluency"])
    assert got.value == pytest.approx(peer["ICC"])
    assert got.test().statistic == pytest.approx(peer["F"])
    assert got.test().p_value == pytest.approx(peer["pval"])
    limits = got.interval()
    assert limits is not None
    column = next(c for c in peer.index if c.startswith("CI95"))
    assert (limits.low, limits.high) == pytest.approx(tuple(peer[column]), abs=0.006)
    same = assay.evaluate(rows, scale="interval").agreement["fluency"]["icc_1"]
    assert got.value == pytest.approx(same.value)
    other = same.interval()
    assert other is not None
    assert (limits.low, limits.high) == pytest.approx((other.low, other.high))


def test_one_way_with_unequal_numbers_is_that_of_the_analysis_of_variance() -> None:
    rows = [r for r in study(7, gaps=0.4) if r["dimension"] == "fluency"]
    frame = pd.DataFrame(rows)
    frame["output"] = frame["item"] + frame["system"]
    table = anova_lm(ols("value ~ C(output)", frame).fit())
    between, within = table["mean_sq"]
    counts = frame.groupby("output").size().to_numpy()
    n0 = (counts.sum() - (counts**2).sum() / counts.sum()) / (len(counts) - 1)
    expected = (between - within) / (between + (n0 - 1) * within)
    got = one_way(read_systems(rows)["fluency"])
    assert got.value == pytest.approx(expected)
    assert "unequal" in got.convention
    assert got.test().statistic == pytest.approx(table["F"].iloc[0])
    assert got.test().p_value == pytest.approx(table["PR(>F)"].iloc[0])


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([("1", "p", 2), ("1", "q", 3)], "single_item"),
        ([("1", "p", 2), ("2", "q", 3)], "no_shared_items"),
        ([("1", "p", 2), ("1", "q", 2), ("2", "p", 2), ("2", "q", 2)], "no_variance"),
        ([("1", "p", "a"), ("1", "q", "b"), ("2", "p", "a")], "not_applicable"),
    ],
)
def test_one_way_says_why_there_is_none(rows: list, code: str) -> None:
    table = [{"item": i, "rater": r, "value": v} for i, r, v in rows]
    got = one_way(read_systems(table).dimensions[0])
    assert got.value is None
    assert got.undefined is not None
    assert got.undefined.code == code


def test_one_way_without_differences_within_is_one() -> None:
    table = [{"item": i, "rater": r, "value": v} for i, v in (("1", 2), ("2", 5)) for r in "pq"]
    got = one_way(read_systems(table).dimensions[0])
    assert got.value == 1.0
    assert got.interval() is None


def repeated() -> list[dict]:
    rows = study(8, items=15, gaps=0.1)
    rng = np.random.default_rng(0)
    some = rng.choice(len(rows), 60, replace=False)
    more = [
        rows[k] | {"value": int(np.clip(rows[k]["value"] + rng.integers(-1, 2), 1, 5))}
        for k in some
    ]
    return rows + more + more[:10]


def test_repeats_count_once_in_means_and_apart_as_intra_rater_data() -> None:
    rows = repeated()
    report = assay.evaluate(rows)
    plain = assay.evaluate(study(8, items=15, gaps=0.1))
    for row, other in zip(report.summary["systems"], plain.summary["systems"], strict=True):
        assert row["mean_macro"] == other["mean_macro"]
        assert row["ratings"] == other["ratings"]
    assert report.summary["source"]["repeats"] == 70
    assert sum(one["repeats"] for one in report.summary["intra_rater"]) == 70
    assert "repeats" in {n["code"] for n in report.summary["source"]["notes"]}


def test_intra_rater_agreement_is_that_of_the_occasions() -> None:
    rows = repeated()
    report = assay.evaluate(rows)
    for one in report.summary["intra_rater"]:
        found = defaultdict(list)
        for r in rows:
            if r["dimension"] == one["dimension"]:
                found[r["rater"], r["item"], r["system"]].append(r["value"])
        several = {k: v for k, v in found.items() if len(v) > 1}
        assert one["pairs"] == len(several)
        width = max(map(len, several.values()))
        table = np.full((width, len(several)), np.nan)
        for column, values in enumerate(several.values()):
            table[: len(values), column] = values
        peer = krippendorff.alpha(table, level_of_measurement="ordinal")
        ours = {c["name"]: c["value"] for c in one["coefficients"]}
        assert ours["krippendorff_alpha"] == pytest.approx(peer)
        for rater in one["by_rater"]:
            own = [v for k, v in several.items() if k[0] == rater["rater"]]
            assert rater["pairs"] == len(own)
            assert rater["equal"] == sum(v[0] == v[1] for v in own)
            assert rater["mean_distance"] == pytest.approx(np.mean([abs(v[0] - v[1]) for v in own]))


def test_the_last_of_repeats_counts_where_that_is_asked() -> None:
    rows = repeated()
    last = {}
    for r in rows:
        last[r["item"], r["system"], r["dimension"], r["rater"]] = r
    expected = assay.evaluate(list(last.values()))
    got = assay.evaluate(rows, repeats="last")
    for row, other in zip(got.summary["systems"], expected.summary["systems"], strict=True):
        assert row["mean_micro"] == pytest.approx(other["mean_micro"])
    # Which one counts says nothing of how the occasions agree.
    first = assay.evaluate(rows).summary["intra_rater"]
    assert got.summary["intra_rater"] == first


def test_without_repeats_there_is_no_intra_rater_agreement() -> None:
    ratings = read_systems(study(1))
    assert again(ratings["fluency"]) is None

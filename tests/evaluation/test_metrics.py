"""Correlation of metrics with people against SciPy."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

import assay
from assay.errors import LabelError
from evaluation.studies import item_means, study

PEERS = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall_tau": stats.kendalltau,
}


def rows_with_metric(seed: int = 0, systems: int = 4) -> list[dict]:
    rng = np.random.default_rng(seed)
    score: dict[tuple[str, str], float] = {}
    rows = study(seed, systems=systems, dimensions=("fluency",), gaps=0.1)
    for r in rows:
        key = r["item"], r["system"]
        if key not in score:
            score[key] = round(float(rng.normal(r["value"], 1)), 2)
        r["bleu"] = score[key]
    return rows


def found(report: assay.EvaluationReport) -> dict[tuple[str, str], dict]:
    return {(m["level"], m["coefficient"]): m for m in report.summary["metrics"]}


@pytest.mark.parametrize("name", list(PEERS))
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_three_levels(seed: int, name: str) -> None:
    rows = rows_with_metric(seed)
    got = found(assay.evaluate(rows, metric="bleu"))
    human = {s: item_means(rows, s, "fluency") for s in sorted({r["system"] for r in rows})}
    metric = {(r["item"], r["system"]): r["bleu"] for r in rows}
    outputs = [(i, s) for s in human for i in human[s]]
    x, y = [metric[o] for o in outputs], [human[s][i] for i, s in outputs]
    assert got["pooled", name]["value"] == pytest.approx(PEERS[name](x, y).statistic)
    assert got["pooled", name]["used"] == len(outputs)
    x = [fmean(metric[i, s] for i in human[s]) for s in human]
    y = [fmean(human[s].values()) for s in human]
    assert got["system", name]["value"] == pytest.approx(PEERS[name](x, y).statistic)
    by_item = defaultdict(list)
    for i, s in outputs:
        by_item[i].append((metric[i, s], human[s][i]))
    values, left = [], 0
    for pairs in by_item.values():
        a, b = zip(*pairs, strict=True)
        if len(pairs) < 2 or len(set(a)) < 2 or np.ptp(b) < 1e-12:
            left += 1
            continue
        values.append(PEERS[name](a, b).statistic)
    assert got["item", name]["value"] == pytest.approx(np.mean(values))
    assert (got["item", name]["used"], got["item", name]["left_out"]) == (len(values), left)
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    limits = got["item", name]["interval"]
    assert (limits["low"], limits["high"]) == pytest.approx((low, high))


def test_a_constant_metric_has_a_reason() -> None:
    rows = [r | {"bleu": 0.5} for r in rows_with_metric()]
    for one in assay.evaluate(rows, metric="bleu").summary["metrics"]:
        assert one["value"] is None
        assert one["undefined"]["reason"]


def test_missing_and_varying_values_are_counted() -> None:
    rows = rows_with_metric()
    key = (rows[0]["item"], rows[0]["system"])
    other = next(k for k in ((r["item"], r["system"]) for r in rows) if k != key)
    rows[0]["bleu"] += 1
    rows = [r | ({"bleu": None} if (r["item"], r["system"]) == other else {}) for r in rows]
    report = assay.evaluate(rows, metric="bleu")
    notes = {n["code"]: n["message"] for n in report.summary["source"]["notes"]}
    assert "1 output without a value" in notes["metric_missing"]
    assert "1 output" in notes["metric_varies"]
    outputs = report.summary["dimensions"][0]["outputs"]
    assert found(report)["pooled", "pearson"]["used"] == outputs - 1


def test_a_metric_that_is_no_number_is_an_error() -> None:
    rows = [r | {"bleu": "high"} for r in rows_with_metric()]
    with pytest.raises(LabelError, match="'high' is no number"):
        assay.evaluate(rows, metric="bleu")

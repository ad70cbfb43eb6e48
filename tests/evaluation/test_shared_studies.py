"""Published studies: the ICCs of RankME, the alphas of JUDGE-BENCH, a raw batch file.

The files stand beside the repository and are read there; the values expected are those of
their README, computed with peers.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.estimate import Undefined
from assay.evaluation.metric import spearman
from assay.evaluation.raters import pearson
from assay.evaluation.read import read_systems

RANKME = [
    ("stp1_likert.csv", {"value": "informativeness"}, 0.815),
    ("stp1_plainME.csv", {"value": "informativeness"}, 0.457),
    ("stp1_rankME.csv", {"system": "team{k}", "value": "informativeness{k}"}, 0.464),
    ("stp2_likert_inf.csv", {"value": "informativeness"}, 0.529),
    ("stp2_plainME_inf.csv", {"value": "informativeness"}, 0.555),
    ("stp2_rankME_inf.csv", {"system": "team{k}", "value": "inf{k}"}, 0.576),
]


@pytest.mark.parametrize(("name", "options", "expected"), RANKME, ids=[r[0] for r in RANKME])
def test_icc_of_rankme(shared: Path, name: str, options: dict, expected: float) -> None:
    report = assay.evaluate(shared / "data" / "rankme" / name, item="mr", first=3, **options)
    (one,) = report.summary["one_way"]
    assert round(one["value"], 3) == expected
    assert one["items"] == 300
    assert one["ratings"] == 900
    assert one["interval"]["method"] == "exact F"
    assert report.summary["source"]["systems"] == 3


def test_ratings_beyond_the_first_three_are_counted(shared: Path) -> None:
    path = shared / "data" / "rankme" / "stp1_likert.csv"
    options = {"item": "mr", "value": "informativeness"}
    cut = assay.evaluate(path, first=3, **options).summary
    whole = assay.evaluate(path, **options).summary
    assert whole["source"]["ratings"] - cut["source"]["ratings"] == cut["source"]["cut"] == 14
    assert "unequal" in whole["one_way"][0]["convention"]


JUDGE_BENCH: list[tuple[str, dict[str, float]]] = [
    ("dices_350_crowdsourced", {"safety": 0.160860}),
    ("dices_990", {"safety": 0.143250}),
    (
        "recipes",
        {
            "grammar": 0.415127, "fluency": 0.432398, "verbosity": 0.399142,
            "structure": 0.398558, "success": 0.362716, "overall": 0.435101,
        },
    ),
    (
        "newsroom",
        {
            "Informativeness": 0.284873, "Relevance": 0.115121, "Fluency": -0.015808,
            "Coherence": 0.064972,
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), JUDGE_BENCH, ids=[j[0] for j in JUDGE_BENCH])
def test_alpha_of_judge_bench(shared: Path, name: str, expected: dict[str, float]) -> None:
    """Many raters without identity; nominal where categories are names, ordinal where graded."""
    content = json.loads((shared / "data" / "judge-bench" / f"{name}.json").read_text("utf-8"))
    rows = [
        {"item": str(k), "dimension": dimension, "value": value}
        for k, instance in enumerate(content["instances"])
        for dimension, found in instance["annotations"].items()
        for value in found["individual_human_scores"]
    ]
    report = assay.evaluate(rows)
    scales = {d["dimension"]: d["scale"] for d in report.summary["dimensions"]}
    graded = {a["metric"]: a["category"] == "graded" for a in content["annotations"]}
    alphas = {
        part["dimension"]: c["value"]
        for part in report.summary["agreement"]
        for c in part["coefficients"]
        if c["name"] == "krippendorff_alpha"
    }
    for dimension, scale in scales.items():
        assert scale == ("ordinal" if graded[dimension] else "nominal")
    assert alphas.keys() == expected.keys()
    for dimension, value in expected.items():
        assert alphas[dimension] == pytest.approx(value, abs=6e-7), dimension


def test_a_raw_batch_file_is_one_long_table(shared: Path) -> None:
    """Sixteen statements in a row, each with its answer; no worker."""
    path = shared / "data" / "realsumm" / "bart_out.csv"
    got = read_systems(
        path, item="Input.statement_{k}", value="Answer.S{k}Answer", system="Input.summaryId"
    )
    (made,) = got.dimensions
    assert made.n == 307 * 16
    assert got.system_names == ("bart_out",)
    assert not got.has_raters


def test_correlations_of_a_report(shared: Path) -> None:
    """Ties by mid-ranks, and no value for a judge who is constant."""
    path = shared / "cases" / "reports" / "spearman-ties-and-constant-judge.json"
    case = json.loads(path.read_text("utf-8"))
    for (judge, human), expected in zip(
        case["input"]["pairs_judge_human"], case["expected"]["spearman"], strict=True
    ):
        rows = [
            {"item": str(k), "system": "s", "rater": "p", "value": h, "judge": j}
            for k, (j, h) in enumerate(zip(judge, human, strict=True))
        ]
        summary = assay.evaluate(rows, metric="judge").summary
        (got,) = [
            m for m in summary["metrics"]
            if (m["level"], m["coefficient"]) == ("pooled", "spearman")
        ]  # fmt: skip
        short = spearman(np.array(judge, float), np.array(human, float))
        if isinstance(expected, dict):
            assert got["value"] is None
            assert got["undefined"]["code"] == "constant_rater"
            assert isinstance(short, Undefined)
            assert isinstance(pearson(np.array(judge, float), np.array(human, float)), Undefined)
        else:
            assert got["value"] == pytest.approx(expected)
            assert short == pytest.approx(expected)


def test_icc_of_a_report(shared: Path) -> None:
    path = shared / "cases" / "reports" / "icc-agreement-or-consistency.json"
    case = json.loads(path.read_text("utf-8"))
    names = {
        "ICC(1,1)": "icc_1", "ICC(A,1)": "icc_a_1", "ICC(C,1)": "icc_c_1",
        "ICC(1,k)": "icc_1_k", "ICC(A,k)": "icc_a_k", "ICC(C,k)": "icc_c_k",
    }  # fmt: skip
    for one in case["input"]["cases"]:
        rows = [
            {"item": str(i), "rater": f"r{r}", "value": v}
            for i, values in enumerate(one["scores"])
            for r, v in enumerate(values)
        ]
        report = assay.evaluate(rows, scale="interval")
        (agreement,) = report.agreement.values()
        for title, value in case["expected"][one["id"]].items():
            assert agreement[names[title]].value == pytest.approx(value), title
        assert report.summary["one_way"][0]["value"] == pytest.approx(
            case["expected"][one["id"]]["ICC(1,1)"]
        )

"""Public data sets, read from the folder beside the repository: what must come out of them."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

import assay
from agreement.datasets import printed

# JUDGE-BENCH (Bavaresco et al., 2024): alpha as stored with the data, nominal for categorical
# labels, ordinal for graded ones. (file, question, alpha)
JUDGE_BENCH = [
    ("dices_350_crowdsourced", "safety", ".160860"),
    ("dices_990", "safety", ".143250"),
    ("recipes", "grammar", ".415127"),
    ("recipes", "fluency", ".432398"),
    ("recipes", "verbosity", ".399142"),
    ("recipes", "structure", ".398558"),
    ("recipes", "success", ".362716"),
    ("recipes", "overall", ".435101"),
    ("newsroom", "Informativeness", ".284873"),
    ("newsroom", "Relevance", ".115121"),
    ("newsroom", "Fluency", "-.015808"),
    ("newsroom", "Coherence", ".064972"),
]


def judge_bench(path: Path, question: str) -> assay.Ratings:
    """One question of a JUDGE-BENCH file.

    Each instance holds a list of scores without rater identity; the k-th score of every
    instance is put into the k-th column, shorter lists end early.
    """
    data = json.loads(path.read_text("utf-8"))
    kind = {q["metric"]: q["category"] for q in data["annotations"]}[question]
    scores = [
        one["annotations"][question]["individual_human_scores"]
        for one in data["instances"]
        if question in one["annotations"]
    ]
    slots = zip_longest(*scores)
    return assay.from_lists(*slots, scale="ordinal" if kind == "graded" else "nominal")


@pytest.mark.parametrize(("file", "question", "alpha"), JUDGE_BENCH)
def test_judge_bench(shared: Path, file: str, question: str, alpha: str) -> None:
    ratings = judge_bench(shared / "data" / "judge-bench" / f"{file}.json", question)
    got = assay.krippendorff_alpha(ratings)
    assert got.value == printed(alpha)
    # The same from counts, where identities do not exist.
    metric = "ordinal" if ratings.scale == "ordinal" else "nominal"
    assert assay.krippendorff_alpha(ratings, metric=metric).exact == got.exact


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_llmfao(shared: Path) -> None:
    path = shared / "data" / "llmfao" / "llmfao.csv"
    # A unit is a pair of answers to one prompt, as shown: the same id turned round is another.
    ratings = assay.read(path, item=["id", "prompt", "left", "right"], rater="worker",
                         label="winner", duplicates="first")  # fmt: skip
    assert assay.krippendorff_alpha(ratings).value == printed(".29060")


SEVERITY = ["1", "0", "-1", "-2", "-3"]
CONVABUSE = [
    ("severity", "nominal", ".4374"),
    ("severity", "ordinal", ".6598"),
    ("severity", "interval", ".7339"),
    ("type.sexist", "nominal", ".6488"),
    ("type.racist", "nominal", ".7402"),
    ("direction.implicit", "nominal", ".1061"),
]


@pytest.fixture(scope="module")
def convabuse(shared: Path) -> list[dict[str, str]]:
    return table(shared / "data" / "convabuse" / "convabuse_labels.csv")


@pytest.mark.parametrize(("label", "metric", "alpha"), CONVABUSE)
def test_convabuse(convabuse: list[dict[str, str]], label: str, metric: str, alpha: str) -> None:
    def value(row: dict[str, str]) -> int:
        if label == "severity":
            return next(int(k) for k in SEVERITY if row[f"is_abuse.{k}"] == "1")
        return int(row[label])

    triples = [(row["item"], row["annotator_id"], value(row)) for row in convabuse]
    ratings = assay.read(triples, duplicates="first")
    got = assay.krippendorff_alpha(ratings, metric=metric)
    assert got.value == printed(alpha)
    assert got.raters == 8


RANKME = [
    ("stp1_likert", ["informativeness"], ".815"),
    ("stp1_plainME", ["informativeness"], ".457"),
    ("stp1_rankME", ["informativeness1", "informativeness2", "informativeness3"], ".464"),
    ("stp2_likert_inf", ["informativeness"], ".529"),
    ("stp2_plainME_inf", ["informativeness"], ".555"),
    ("stp2_rankME_inf", ["inf1", "inf2", "inf3"], ".576"),
]


@pytest.mark.parametrize(("file", "names", "value"), RANKME)
def test_rankme(shared: Path, file: str, names: list[str], value: str) -> None:
    """ICC(1,1) over outputs (meaning representation, team), the first three ratings of each."""
    ratings: dict[Any, list[float]] = defaultdict(list)
    for row in table(shared / "data" / "rankme" / f"{file}.csv"):
        for k, name in enumerate(names, start=1):
            team = row["team"] if len(names) == 1 else row[f"team{k}"]
            ratings[row["mr"], team].append(float(row[name]))
    first = [scores[:3] for scores in ratings.values()]
    assert {len(scores) for scores in first} == {3}
    assert assay.icc(first, form="icc_1").value == printed(value)

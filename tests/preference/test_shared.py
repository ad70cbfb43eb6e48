"""Cases from bug reports of other tools, and real data, read in place."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.preference.shares import Result


def case(shared: Path, name: str) -> dict[str, Any]:
    return dict(json.loads((shared / "cases" / "reports" / f"{name}.json").read_text("utf-8")))


def close(found: float | None, expected: Any) -> None:
    value = expected["value"] if isinstance(expected, dict) else expected
    if value is None:
        assert found is None
    else:
        assert found == pytest.approx(value, abs=1e-12)


def test_plain_and_ties_as_half(shared: Path) -> None:
    found = case(shared, "bradley-terry-plain-and-ties-as-half")
    rows = [(a, b, "left") for a, b in found["input"]["games_winner_loser"]]
    tied = [(a, b, "tie") for a, b in found["input"]["ties"]]
    expected = found["expected"]
    for model, games, key, count in (
        ("drop", [*rows, *tied], "without_ties", 12),
        ("half", rows, "without_ties", 10),
        ("half", [*rows, *tied], "ties_as_half", 12),
    ):
        report = assay.prefer(games, ties=model, bootstrap=None)
        logs = {one["system"]: one["log_strength"] for one in report.summary["strengths"]}
        for name, value in expected[key].items():
            assert logs[name] == pytest.approx(value, abs=1e-8)
        assert report.summary["source"]["comparisons"] == count
    plain = assay.prefer(rows, bootstrap=None).fit
    assert plain is not None
    win, _, _ = plain.probabilities("a", "c")
    assert win == pytest.approx(expected["p_a_beats_c_without_ties"], abs=1e-8)
    elo = 400 / math.log(10) * (math.log(win / (1 - win)))
    assert elo == pytest.approx(expected["elo_scale_difference_a_minus_c"], abs=1e-5)


def test_two_islands(shared: Path) -> None:
    found = case(shared, "bradley-terry-two-islands")
    models, wins = found["input"]["models"], found["input"]["wins_row_over_column"]
    rows = [
        (models[i], models[j], "left")
        for i in range(5)
        for j in range(5)
        for _ in range(wins[i][j])
    ]
    document = assay.prefer(rows, bootstrap=None).to_dict()
    assert document["components"] == found["expected"]["components"]
    assert not document["linked"]
    logs = {one["system"]: one["log_strength"] for one in document["strengths"]}
    for name, value in found["expected"]["within_component_log_strength_centred"].items():
        assert logs[name] == pytest.approx(value, abs=1e-10)
    order = {name: k for k, name in enumerate(document["win_matrix"]["systems"])}
    for i, a in enumerate(models):
        for j, b in enumerate(models):
            assert document["win_matrix"]["wins"][order[a]][order[b]] == wins[i][j]
    assert [w["code"] for w in document["warnings"]].count("no_common_scale") == 1
    assert "2 parts" in document["headline"][0]


def test_win_tie_lose(shared: Path) -> None:
    found = case(shared, "win-rate-and-ties")
    for name, (wins, losses, ties) in found["input"]["counts_win_lose_tie"].items():
        rows = [("s", "other", w) for w, n in (("left", wins), ("right", losses), ("tie", ties))
                for _ in range(n)]  # fmt: skip
        document = assay.prefer(rows, bootstrap=None).to_dict()
        one = next(x for x in document["systems"] if x["system"] == "s")
        expected = found["expected"][name]
        close(one["ties_half"]["value"], expected["win_rate_ties_half"])
        close(one["ties_as_losses"]["value"], expected["win_rate_wins_over_all"])
        close(one["ties_excluded"]["value"], expected["win_rate_decisive"])
        close(one["loss_share"], expected["loss_rate_over_all"])
        close(one["tie_share"], expected["tie_rate"])
        close(one["net_win_rate"], expected["net_win_rate"])
        p = document["pairs"][0]["sign_test"]["p_value"]
        limits = one["ties_excluded"]["interval"]
        if isinstance(expected["wilson95_decisive"], list):
            assert p == pytest.approx(expected["sign_test_p_two_sided"], rel=1e-12)
            assert [limits["low"], limits["high"]] == pytest.approx(expected["wilson95_decisive"])
        else:
            assert p is None
            assert limits is None
            assert one["ties_excluded"]["undefined"]["code"] == "no_decided_comparison"
        fractions = {k: v["fraction"] for k, v in expected.items()
                     if isinstance(v, dict) and "fraction" in v}  # fmt: skip
        result = Result(wins, ties, losses)
        assert result.share("ties_half").value == pytest.approx(
            _exact(fractions["win_rate_ties_half"])
        )


def _exact(text: str) -> float:
    above, below = text.split("/")
    return int(above) / int(below)


def test_judge_in_both_orders(shared: Path) -> None:
    found = case(shared, "judge-asked-in-both-orders")
    side = {"first": "left", "second": "right", "tie": "tie", None: None}
    rows = []
    for item, a_first, b_first in found["input"]["rows"]:
        rows.append({"left": "A", "right": "B", "winner": side[a_first], "item": item})
        rows.append({"left": "B", "right": "A", "winner": side[b_first], "item": item})
    expected = found["expected"]
    document = assay.prefer(rows, bootstrap=None).to_dict()
    orders = document["position_bias"]["both_orders"]
    for ours, theirs in (
        ("questions", "items_with_both_orders"),
        ("one_order_only", "items_with_one_order"),
        ("consistent", "consistent"),
        ("inconsistent", "inconsistent"),
        ("full_flips", "full_flips"),
        ("flips_to_left", "flips_towards_first"),
        ("flips_to_right", "flips_towards_second"),
        ("consistency", "consistency_rate"),
        ("left_share", "first_position_share_of_decisive_verdicts"),
    ):
        close(orders[ours], expected[theirs])
    (pair,) = orders["pairs"]
    assert pair["systems"] == ["A", "B"]
    assert (pair["wins"], pair["losses"], pair["ties"]) == (
        expected["wins_A"], expected["wins_B"], expected["ties_after_rule"],
    )  # fmt: skip
    close(pair["ties_half"]["value"], expected["win_rate_A_ties_half"])
    both = [row for row in rows if row["item"] != "p8"]
    mean = assay.prefer(both, bootstrap=None).to_dict()
    a = next(x for x in mean["systems"] if x["system"] == "A")
    close(a["ties_half"]["value"], expected["win_rate_A_mean_of_both_orders"])
    left_out = [n for n in document["source"]["notes"] if n["code"] == "winner_missing"]
    assert left_out[0]["message"].endswith(": 1")


def test_llmfao(shared: Path) -> None:
    path = shared / "data" / "llmfao" / "llmfao.csv"
    with (path.parent / "llmfao-golden.csv").open(encoding="utf-8", newline="") as file:
        golden = {
            row["item"]: float(row["score"])
            for row in csv.DictReader(file)
            if row["algorithm"] == "bradley_terry"
        }
    total = sum(golden.values())
    report = assay.prefer(
        path, left="left", right="right", winner="winner", rater="worker",
        item=["id", "prompt"], bootstrap=200,
    )  # fmt: skip
    assert len(report.strengths) == len(golden) == 59
    for name, score in golden.items():
        assert report.strengths[name] == pytest.approx(score / total, abs=1e-9)
    assert report.fit is not None
    assert report.fit.gradient <= 1e-12
    found = {c["name"]: c for c in report.summary["agreement"]["coefficients"]}
    assert found["krippendorff_alpha"]["value"] == pytest.approx(0.29060, abs=5e-6)
    source = report.summary["source"]
    assert (source["comparisons"], source["raters"], source["items"]) == (8931, 124, 2139)
    assert len(report.components) == 1
    best = report.summary["strengths"][0]
    assert best["rank"] == 1
    assert best["interval"]["low"] < best["strength"] < best["interval"]["high"]


@pytest.mark.parametrize("stem", ["natural_GPT-4_Vanilla", "natural_GPT-4_Vanilla_NoRules"])
def test_llmbar_judges_in_both_orders(shared: Path, stem: str) -> None:
    """The share of better outputs preferred, and of answers that stay when the sides change."""
    folder = shared / "data" / "llmbar"
    results = json.loads((folder / f"{stem}.result.json").read_text("utf-8"))
    statistics = json.loads((folder / f"{stem}.statistics.json").read_text("utf-8"))
    rows = []
    for k, entry in enumerate(results):
        name = {str(entry["label"]): "better", str(3 - entry["label"]): "worse"}
        for order, sides in (("swap = False", "12"), ("swap = True", "21")):
            winner = name[entry["results"][0][order]["winner"]]
            rows.append({"left": name[sides[0]], "right": name[sides[1]],
                         "winner": winner, "item": k})  # fmt: skip
    document = assay.prefer(rows, bootstrap=None).to_dict()
    orders = document["position_bias"]["both_orders"]
    assert orders["questions"] == len(results) == 100
    assert orders["consistency"] == pytest.approx(_percentage(statistics["equal"]))
    better = next(x for x in document["systems"] if x["system"] == "better")
    assert better["win_share"] == pytest.approx(_percentage(statistics["correct_average"]))


def _percentage(text: str) -> float:
    return float(text.rpartition(" ")[2].removesuffix("%")) / 100

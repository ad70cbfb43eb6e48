"""The documentation names every key of the report, and the two benchmarks' promises hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.preference.model import Comparisons
from preference import comparing

PAGE = Path(__file__).resolve().parents[2] / "docs" / "preferences.md"
ELSEWHERE = ("agreement", "alpha")
"""Keys whose values are documents of ``assay agree``, which has a page of its own."""


def keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        inner = [keys(v) for k, v in value.items() if k not in ELSEWHERE]
        return set(value).union(*inner)
    if isinstance(value, list):
        return set().union(*map(keys, value)) if value else set()
    return set()


@pytest.mark.parametrize("model", ["half", "davidson"])
def test_every_key_is_documented(model: str) -> None:
    rows = comparing.records([*comparing.dense(1, k=4), ("eel", "ant", "left", "x", "0")])
    report = assay.prefer(rows, ties=model, bootstrap=100, also=("elo", "pagerank"))
    grouped = assay.prefer([row | {"dim": row["item"] > "3"} for row in rows], by="dim")
    text = PAGE.read_text("utf-8")
    found = keys(report.to_dict()) | keys({"groups": grouped.to_dict()["groups"]})
    assert len(found) > 80
    assert not {key for key in found if f"`{key}`" not in text}


def test_every_spelling_of_a_meaning_is_documented() -> None:
    text = PAGE.read_text("utf-8")
    for word in ("half", "drop", "davidson", "rao-kupper", "items", "comparisons", "raters",
                 "names", "sides",
                 "elo", "counting", "average_win_rate", "pagerank", "newman"):  # fmt: skip
        assert re.search(rf"`{word}`", text), word


def test_a_million_comparisons_are_counted_without_looking_at_each() -> None:
    """The fit sees pairs only: as many comparisons as one likes give the same tables."""
    rng = np.random.default_rng(0)
    n, k = 1_000_000, 30
    left = rng.integers(0, k, n)
    right = (left + rng.integers(1, k, n)) % k
    outcome = rng.integers(-1, 2, n).astype(np.int8)
    data = Comparisons(tuple(f"s{i:02}" for i in range(k)), left, right, outcome)
    fit = assay.bradley_terry(data)
    assert fit.gradient <= 1e-12
    wins = np.zeros((k, k), dtype=np.int64)
    np.add.at(wins, (left[outcome == 1], right[outcome == 1]), 1)
    np.add.at(wins, (right[outcome == -1], left[outcome == -1]), 1)
    ties = np.zeros((k, k), dtype=np.int64)
    np.add.at(ties, (left[outcome == 0], right[outcome == 0]), 1)
    again = assay.bradley_terry(wins, np.triu(ties + ties.T))
    assert fit.strengths == again.strengths

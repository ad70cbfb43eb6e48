"""A dimension of more names than are listed: their shares are there all the same."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pytest

import assay
from assay.report.render import render


def rows(names: int) -> list[dict[str, object]]:
    """Name k is given k times and once more, to two systems in turns; "n3" most often."""
    every = [f"n{k}" for k in range(names) for _ in range(1 + k % 4)] + ["n3"] * 9
    return [
        {"item": i // 2, "system": f"s{i % 2}", "rater": "r", "value": name}
        for i, name in enumerate(every)
    ]


@pytest.mark.parametrize("names", [50, 51, 80])
def test_shares_of_all_names(names: int) -> None:
    data = rows(names)
    summary = assay.evaluate(data).summary
    for system in summary["systems"]:
        own = Counter(row["value"] for row in data if row["system"] == system["system"])
        given = {one["label"]: one["count"] for one in system["shares"] if one["count"]}
        assert given == own
        assert sum(one["share"] for one in system["shares"]) == pytest.approx(1.0)
        assert len(system["shares"]) == (50 if names == 50 else len(own))
    (rater,) = summary["raters"]
    assert rater["distribution"] == Counter(row["value"] for row in data)


def test_tables_of_many_names_show_the_ten_most_frequent() -> None:
    data = rows(60)
    summary = assay.evaluate(data).summary
    text = render(summary, "terminal")
    assert "Shares: value" in text
    assert "50 others" in text
    assert "n3" in text
    for kind in ("markdown", "html", "latex"):
        assert "50 others" in render(summary, kind)
    read = list(csv.DictReader(io.StringIO(render(summary, "csv"))))
    found = {(r["system"], r["label"]): int(r["count"]) for r in read if r["label"]}
    assert found == Counter((row["system"], row["value"]) for row in data)
    assert json.loads(render(summary, "json"))["systems"][0]["shares"]


def test_many_numbers_have_no_shares() -> None:
    data = [{"item": i, "system": f"s{i % 2}", "rater": "r", "value": i} for i in range(60)]
    summary = assay.evaluate(data).summary
    assert summary["systems"][0]["shares"] == []
    assert summary["raters"][0]["distribution"] is None

"""Small studies that tests are run on, and the plain loops they are checked with."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from typing import Any

import numpy as np


def study(
    seed: int = 0,
    items: int = 12,
    systems: int = 3,
    raters: int = 4,
    *,
    gaps: float = 0.2,
    dimensions: tuple[str, ...] = ("fluency", "coverage"),
    points: int = 5,
) -> list[dict[str, Any]]:
    """A long table of random ratings, some of them absent."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(items):
        for s in range(systems):
            for d in dimensions:
                for r in range(raters):
                    if rng.random() < gaps:
                        continue
                    level = 2.5 + 0.6 * s + 0.4 * (r == 0) + rng.normal(0, 1)
                    value = int(np.clip(round(level), 1, points))
                    rows.append(
                        {
                            "item": f"i{i}",
                            "system": f"s{s}",
                            "dimension": d,
                            "rater": f"r{r}",
                            "value": value,
                        }
                    )
    return rows


def to_csv(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def item_means(rows: list[dict[str, Any]], system: str, dimension: str) -> dict[str, float]:
    """Item → mean of its ratings, by a plain loop."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row["system"] == system and row["dimension"] == dimension:
            found[row["item"]].append(row["value"])
    return {item: sum(values) / len(values) for item, values in found.items()}

"""Comparisons for tests: drawn ones, and plain loops over them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from assay.preference.read import read_comparisons

SYSTEMS = ("ant", "bee", "cat", "dog", "eel")
WINNERS = ("left", "right", "tie")
COLUMNS = ("left", "right", "winner", "rater", "item")

Row = tuple[str, str, str, str, str]


@st.composite
def rows(draw: Any, most: int = 40, systems: int = 5) -> list[Row]:
    """Comparisons by up to three raters of up to four items."""
    size = draw(st.integers(1, most))
    out = []
    for _ in range(size):
        left, right = draw(st.permutations(SYSTEMS[:systems]))[:2]
        winner = draw(st.sampled_from(WINNERS))
        rater, item = draw(st.sampled_from("xyz")), draw(st.sampled_from("1234"))
        out.append((left, right, winner, rater, item))
    return out


def read(rows: Sequence[Sequence[Any]], **options: Any) -> Any:
    """Rows as comparisons; the names of columns are the usual ones."""
    return read_comparisons(records(rows), **options)


def records(rows: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """Rows as records."""
    return [dict(zip(COLUMNS, row, strict=False)) for row in rows]


def winner_of(row: Sequence[Any]) -> str | None:
    """The winner's name, or None for a tie."""
    return {"left": row[0], "right": row[1], "tie": None}[row[2]]


def counted(rows: Sequence[Sequence[Any]]) -> dict[tuple[str, str], list[int]]:
    """For each ordered pair the wins, ties and losses of the first, by a plain loop."""
    out: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        for a, b in ((row[0], row[1]), (row[1], row[0])):
            won = winner_of(row)
            out[a, b][1 if won is None else 0 if won == a else 2] += 1
    return dict(out)


def dense(seed: int, k: int = 5, n: int = 300, ties: float = 0.25) -> list[Row]:
    """Comparisons of which every two systems have wins both ways, nearly surely."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=k)
    out = []
    for i in range(n):
        a, b = rng.choice(k, 2, replace=False)
        p = 1.0 / (1.0 + np.exp(strength[b] - strength[a]))
        winner = "tie" if rng.random() < ties else "left" if rng.random() < p else "right"
        rater, item = "xyz"[int(rng.integers(3))], str(i % 50)
        out.append((SYSTEMS[a], SYSTEMS[b], winner, rater, item))
    return out

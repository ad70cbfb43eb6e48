"""The table as papers print it, as cells that every renderer sets in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.report.evaluate.words import Summary, alpha, of

MANY = 4
"""With more dimensions than this a table has no room for intervals in a terminal."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One system on one dimension.

    ``half`` is half of the interval's width; ``best`` whether no system is better; ``level``
    whether it shares a letter with the best.
    """

    value: float | None
    half: float | None
    letters: str
    best: bool
    near: bool


def grid(summary: Summary) -> tuple[list[str], list[str], dict[tuple[str, str], Cell]]:
    """Systems, best first on average rank, dimensions, and the cells that exist."""
    dimensions = [d["dimension"] for d in summary["dimensions"]]
    ranks: dict[str, list[int]] = {}
    for row in summary["systems"]:
        ranks.setdefault(row["system"], [])
        if row["rank"] is not None:
            ranks[row["system"]].append(row["rank"])
    systems = sorted(ranks, key=lambda s: sum(ranks[s]) / len(ranks[s]) if ranks[s] else 1e9)
    cells = {}
    for name in dimensions:
        rows = of(summary, "systems", name)
        top = next((r["letters"] for r in rows if r["rank"] == 1), "") or ""
        several = len([r for r in rows if r["rank"] is not None]) > 1
        for row in rows:
            cells[row["system"], name] = _cell(row, top, several)
    return systems, dimensions, cells


def _cell(row: Mapping[str, Any], top: str, several: bool) -> Cell:
    limits = row["interval"]
    half = None if limits is None else (limits["high"] - limits["low"]) / 2.0
    letters = (row["letters"] or "") if several else ""
    best = several and row["rank"] == 1
    near = several and not best and bool(set(letters) & set(top))
    return Cell(row["mean_macro"], half, letters, best, near)


def won(pairs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The wins to show of some pairs, all on one basis.

    Raters' own comparisons where they are at least as many as those of items' means: where few
    raters saw both systems, they are few.
    """
    by_basis: dict[str, list[Mapping[str, Any]]] = {}
    for pair in pairs:
        for one in pair["wins"]:
            by_basis.setdefault(one["basis"], []).append(one)

    def size(basis: str) -> int:
        found = by_basis.get(basis, ())
        return sum(one["wins"] + one["ties"] + one["losses"] for one in found)

    return by_basis["ratings" if size("ratings") >= size("items") else "items"]


def alphas(summary: Summary) -> list[float | None]:
    """Krippendorff's alpha of each dimension."""
    return [alpha(summary, d["dimension"])["value"] for d in summary["dimensions"]]


def one_ways(summary: Summary) -> list[float | None] | None:
    """ICC(1) of each dimension; None where no dimension has values that are numbers."""
    if all(d["scale"] == "nominal" for d in summary["dimensions"]):
        return None
    return [next(iter(of(summary, "one_way", d["dimension"])))["value"] for d in
            summary["dimensions"]]  # fmt: skip

"""The table as papers print it, as cells that every renderer sets in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.report.evaluate.figures import half_width
from assay.report.evaluate.words import Summary, alpha, listing, lower, of


@dataclass(frozen=True, slots=True)
class Cell:
    """One system on one dimension.

    ``half`` is half of the interval's width; ``best`` whether no system is better.
    """

    value: float | None
    half: float | None
    letters: str
    best: bool


def grid(summary: Summary) -> tuple[list[str], list[str], dict[tuple[str, str], Cell]]:
    """Systems, best first on average rank, dimensions with means, and the cells that exist."""
    dimensions = scored(summary)
    ranks: dict[str, list[int]] = {}
    for row in summary["systems"]:
        ranks.setdefault(row["system"], [])
        if row["rank"] is not None:
            ranks[row["system"]].append(row["rank"])
    systems = sorted(ranks, key=lambda s: sum(ranks[s]) / len(ranks[s]) if ranks[s] else 1e9)
    cells = {}
    for name in dimensions:
        rows = of(summary, "systems", name)
        several = len([r for r in rows if r["rank"] is not None]) > 1
        for row in rows:
            cells[row["system"], name] = _cell(row, several)
    return systems, dimensions, cells


def _cell(row: Mapping[str, Any], several: bool) -> Cell:
    letters = (row["letters"] or "") if several else ""
    best = several and row["rank"] == 1
    return Cell(row["mean_macro"], half_width(row["interval"]), letters, best)


def scored(summary: Summary) -> list[str]:
    """The dimensions that have means."""
    found = {r["dimension"] for r in summary["systems"] if r["mean_macro"] is not None}
    return [d["dimension"] for d in summary["dimensions"] if d["dimension"] in found]


def lettered(summary: Summary) -> list[str]:
    """What is said below the means: where lower is better, what letters mean, or why none are."""
    names = scored(summary)
    rows = [r for name in names for r in of(summary, "systems", name)]
    if len({r["system"] for r in rows}) < 2:
        return []
    low = lower(summary)
    out = [f"On {listing(low)}, lower is better."] if low else []
    if any(r["letters"] for r in rows):
        out.append("Systems that share a letter are not shown to differ.")
    lacking: dict[str, list[str]] = {}
    for row in rows:
        if row["no_letters"]:
            about = lacking.setdefault(row["no_letters"]["reason"], [])
            about += [row["dimension"]] if row["dimension"] not in about else []
    for why, about in lacking.items():
        where = f" for {listing(about)}" if len(names) > 1 else ""
        out.append(f"No letters{where}, because {why}.")
    return out


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


def below(summary: Summary) -> list[tuple[str, list[float | None]]]:
    """The last rows of the table of means: how far raters agree on each dimension that has one."""
    names = scored(summary)
    icc = [next(iter(of(summary, "one_way", name)))["value"] for name in names]
    return [
        ("Krippendorff's alpha", [alpha(summary, name)["value"] for name in names]),
        ("ICC(1)", icc),
    ]

"""Comparisons of systems as plain values, and what follows from them: ranks and letters."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from assay.corrections import CORRECTIONS, corrected
from assay.estimate import Undefined
from assay.evaluation.clusters import MOST, letters, rank_range
from assay.evaluation.effects import effects
from assay.evaluation.paired import TESTS, PairedTest, paired_tests, permutations, snapped
from assay.evaluation.systems import SystemMeans, item_means, mean_of
from assay.evaluation.table import Dimension
from assay.evaluation.unit import rounded
from assay.evaluation.wins import Wins, sides, wins

ADJUSTED = tuple(name for name in CORRECTIONS if name != "none")


def comparisons(
    made: Dimension,
    rows: list[SystemMeans],
    settings: dict[str, Any],
    level: float,
    *,
    higher: bool,
) -> list[dict[str, Any]]:
    """Every pair of systems of a dimension, with corrections over these pairs."""
    if made.values is None:
        return []
    means = {row.system: item_means(made, row.system) for row in rows}
    tables = sides(made)
    out = []
    pairs = list(combinations(means, 2))
    width = len(made.item_names)
    grid = np.zeros((width, len(pairs)))
    sides_of = []
    for k, (a, b) in enumerate(pairs):
        shared, at, bt = np.intersect1d(means[a][0], means[b][0], return_indices=True)
        x, y = means[a][1][at], means[b][1][bt]
        grid[shared, k] = snapped(x - y)
        sides_of.append((x, y))
    counts = np.array([len(x) for x, _ in sides_of], dtype=np.int64)
    permuted = permutations(grid, counts, settings["resamples"], settings["seed"])
    for (a, b), (x, y), drawn in zip(pairs, sides_of, permuted, strict=True):
        tests = paired_tests(
            x - y,
            zeros=settings["zeros"],
            permuted=drawn,
        )
        difference = mean_of(x - y)
        limits = difference.interval(level)
        size = effects(x, y)
        out.append(
            {
                "dimension": made.name,
                "a": made.system_names[a],
                "b": made.system_names[b],
                "items": len(x),
                "mean_difference": difference.value,
                "interval": None
                if isinstance(limits, Undefined)
                else {
                    "level": limits.level,
                    "low": limits.low,
                    "high": limits.high,
                    "method": limits.method,
                },
                "tests": {name: _test(tests[name]) for name in TESTS},
                "effects": {
                    "cliffs_delta": size.cliffs_delta,
                    "vargha_delaney_a": size.vargha_delaney_a,
                    "cohens_dz": size.cohens_dz,
                    "rank_biserial": size.rank_biserial,
                },
                "wins": [
                    _wins(wins(basis, table, a, b, higher=higher))
                    for basis, table in tables.items()
                ],
            }
        )
    _correct(out, settings)
    return out


def _wins(got: Wins) -> dict[str, Any]:
    return {
        "basis": got.basis,
        "wins": got.wins,
        "ties": got.ties,
        "losses": got.losses,
        "ties_excluded": got.ties_excluded,
        "ties_half": got.ties_half,
        "ties_lost": got.ties_lost,
    }


def _test(got: PairedTest) -> dict[str, Any]:
    reason = got.undefined
    return {
        "method": got.method,
        "statistic": got.statistic,
        "p_value": got.p_value,
        "undefined": None if reason is None else {"code": reason.code, "reason": reason.reason},
    }


def _correct(found: list[dict[str, Any]], settings: dict[str, Any]) -> None:
    """Put the corrected p-values beside the others, and say which pairs differ."""
    for name in TESTS:
        values = [one["tests"][name]["p_value"] for one in found]
        for method in ADJUSTED:
            for one, p in zip(found, corrected(values, method), strict=True):
                one["tests"][name][method] = p
    key = "p_value" if settings["correction"] == "none" else settings["correction"]
    for one in found:
        p = one["tests"][settings["test"]][key]
        one["p_decisive"] = p
        one["significant"] = None if p is None else p < settings["alpha"]


def ranks(
    made: Dimension,
    rows: list[SystemMeans],
    found: list[dict[str, Any]],
    *,
    higher: bool,
) -> dict[int, dict[str, Any]]:
    """Each system's rank by its mean over items, the ranks it may have, and its letters."""
    valued = {row.system: row.macro.value for row in rows if row.macro.value is not None}
    if not valued:
        return {}
    sign = -1.0 if higher else 1.0
    # In their own unit: means that differ in the last bit have one rank, others do not.
    near = rounded(np.array(list(valued.values())), 9).tolist()
    valued = {s: sign * value for s, value in zip(valued, near, strict=True)}
    order = sorted(valued, key=lambda s: (valued[s], s))
    code = {made.system_names[s]: s for s in valued}
    differ = {(code[one["a"]], code[one["b"]]) for one in found if one["significant"]}
    possible = rank_range(order, differ)
    # A pair that was not compared neither differs nor fails to: there is no letter for that.
    apart = [(one["a"], one["b"]) for one in found if not one["items"]]
    named = None if apart else letters(order, differ)
    why = None
    if apart:
        who = f"{apart[0][0]} and {apart[0][1]}" if len(apart) == 1 else f"{len(apart):,} pairs"
        why = {"code": "not_compared", "reason": f"{who} share no item and were not compared"}
    elif named is None:
        reason = f"more than {MOST} would be needed to say which systems differ"
        why = {"code": "too_many_letters", "reason": reason}
    out = {}
    for s in order:
        ahead = sum(1 for t in order if valued[t] < valued[s])
        low, high = possible[s]
        out[s] = {
            "rank": 1 + ahead,
            "rank_low": low,
            "rank_high": high,
            "letters": None if named is None else named[s],
            "no_letters": why,
        }
    return out

"""Ratings beside Bradley-Terry's: as plain values, as a table, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.preference.others import METHODS, Rated
from assay.report.numbers import coefficient, count, fixed
from assay.report.prefer.words import listed

Cells = tuple[str, ...]

ABOUT = {
    "elo": (
        "each comparison in turn moves both ratings by {k:g} times the result less the expected "
        "one, from {initial:g} for all. It depends on the order of the comparisons, which is taken "
        "from the source; made for players who change, it is not settled by more data"
    ),
    "counting": "wins, whoever they were against; systems with more comparisons have more",
    "average_win_rate": "the share of wins against each opponent, and the mean over opponents, "
    "each with the same weight however often they met",
    "pagerank": "the share of time at a system of somebody who goes from losers to winners "
    "(damping {damping:g}); a win over a strong system counts for more",
    "newman": "the strengths of Davidson's model, by Newman's iteration",
}
DECIMALS = {"elo": 1, "counting": 1}
"""Of scores that are not between 0 and 1 or strengths."""


def also_rows(
    found: list[Rated], systems: tuple[str, ...], strengths: list[dict[str, Any]], *, one_part: bool
) -> list[dict[str, Any]]:
    """Each method's scores in the order of the strengths, and where ranks differ from theirs."""
    place = {name: n for n, name in enumerate(systems)}
    rows = []
    for one in found:
        method = METHODS[one.method]
        scores = [
            {
                "system": row["system"],
                "score": one.scores[place[row["system"]]],
                "rank": one.ranks[place[row["system"]]],
            }
            for row in strengths
            if one.undefined is None
        ]
        ranks = {row["system"]: row["rank"] for row in strengths}
        differs = [row["system"] for row in scores if row["rank"] != ranks[row["system"]]]
        why = one.undefined
        rows.append(
            {
                "method": one.method,
                "full_name": method.full_name,
                "ties": method.ties,
                "settings": dict(method.settings),
                "depends_on_order": method.ordered,
                "library": f"evalica {one.version}",
                "scores": scores,
                "differs": differs if one_part and scores else None,
                "undefined": None if why is None else {"code": why.code, "reason": why.reason},
            }
        )
    return rows


def also_table(summary: Mapping[str, Any], most: int | None) -> tuple[Cells, list[Cells]]:
    """A row a system: its rank by Bradley-Terry, and each method's score with its own."""
    found = [one for one in summary["also"] or () if one["scores"]]
    headers = ("system", "Bradley-Terry", *(one["full_name"].split(",")[0] for one in found))
    if not found:
        return headers, []
    by_name = [{row["system"]: row for row in one["scores"]} for one in found]
    rows = []
    for one in summary["strengths"][:most]:
        cells = [one["system"], count(one["rank"])]
        for method, scores in zip(found, by_name, strict=True):
            got = scores[one["system"]]
            cells.append(f"{_score(method['method'], got['score'])} ({got['rank']})")
        rows.append(tuple(cells))
    return headers, rows


def _score(method: str, value: float) -> str:
    return fixed(value, DECIMALS[method]) if method in DECIMALS else coefficient(value)


def also_lines(summary: Mapping[str, Any]) -> list[str]:
    """What each method is, what it makes of ties, and where its ranks are others."""
    out = []
    for one in summary["also"] or ():
        if one["undefined"]:
            out.append(f"{one['full_name']}: not defined, because {one['undefined']['reason']}.")
            continue
        about = ABOUT[one["method"]].format(**one["settings"])
        text = f"{one['full_name']} ({one['ties']}): {about}."
        if one["differs"]:
            text += f" Ranks differ from Bradley-Terry's for {listed(one['differs'])}."
        elif one["differs"] is not None:
            text += " Ranks are Bradley-Terry's."
        out.append(text)
    there = any(one["scores"] for one in summary["also"] or ())
    if there and not summary["linked"]:
        out.append(
            "Some systems never met, not even through others: how these methods order them rests "
            "on nothing."
        )
    return out


def also_sentence(summary: Mapping[str, Any]) -> str:
    """What was computed besides, for a paper; empty where nothing was."""
    found = [one for one in summary["also"] or () if one["scores"]]
    if not found:
        return ""
    named = [
        f"{one['full_name']} (k = {one['settings']['k']:g}, in the order of the data)"
        if one["method"] == "elo"
        else str(one["full_name"])
        for one in found
    ]
    return f"Other ratings are by {found[0]['library']}: {'; '.join(named)}."

"""Ratings beside Bradley-Terry's: as plain values, as a table, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.preference.others import METHODS, Rated
from assay.report.numbers import MINUS, NOTHING, coefficient, count, fixed
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
    headers = ("system", "Bradley-Terry", *(short(one) for one in found))
    if not found:
        return headers, []
    by_name = [{row["system"]: row for row in one["scores"]} for one in found]
    rows = []
    for one in summary["strengths"][:most]:
        cells = [one["system"], count(one["rank"])]
        for method, scores in zip(found, by_name, strict=True):
            cells.append(scored(method["method"], scores[one["system"]]))
        rows.append(tuple(cells))
    return headers, rows


def short(method: Mapping[str, Any]) -> str:
    """A method's name over a column."""
    return str(method["full_name"]).split(",")[0]


def scored(
    method: str, got: Mapping[str, Any] | None, minus: str = MINUS, missing: str = NOTHING
) -> str:
    """A system's score by a method, and its rank.

    >>> scored("elo", {"score": 1069.04, "rank": 1}), scored("pagerank", None)
    ('1069.0 (1)', '–')
    """
    if got is None:
        return missing
    value = got["score"]
    text = (
        fixed(value, DECIMALS[method], minus) if method in DECIMALS else coefficient(value, minus)
    )
    return f"{text} ({count(got['rank'])})"


def also_lines(summary: Mapping[str, Any]) -> list[str]:
    """What each method is, what it makes of ties, and where its ranks are others."""
    out = []
    for one in summary["also"] or ():
        if one["undefined"]:
            out.append(f"{one['full_name']}: not defined, because {one['undefined']['reason']}.")
            continue
        about = ABOUT[one["method"]].format(**one["settings"])
        text = f"{one['full_name']} ({one['ties']}): {about}."
        single = _with_one_opponent(summary) if one["method"] == "pagerank" else []
        if single:
            text += (
                " It shares out what a system has by whom it lost to, so that how often it loses "
                f"does not count where it met one other only ({listed(single)})."
            )
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


def _with_one_opponent(summary: Mapping[str, Any]) -> list[str]:
    """The systems that met one other only."""
    found = summary["win_matrix"]
    wins, ties = found["wins"], found["ties"]
    size = range(len(wins))
    return [
        str(found["systems"][i])
        for i in size
        if sum(1 for j in size if wins[i][j] or wins[j][i] or ties[i][j]) == 1
    ]


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

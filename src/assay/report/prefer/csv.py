"""Comparisons as CSV (RFC 4180): one row a system and one a pair, unrounded."""

from __future__ import annotations

from typing import Any

from assay.csv_text import csv_text
from assay.preference.shares import CONVENTIONS
from assay.report.render import Summary, View, parts

RESULT = (
    "comparisons",
    "wins",
    "ties",
    "losses",
    "win_share",
    "tie_share",
    "loss_share",
    "net_win_rate",
)
COLUMNS = (
    "kind",
    "system",
    "other",
    "component",
    "strength",
    "log_strength",
    "strength_low",
    "strength_high",
    "rank",
    "rank_low",
    "rank_high",
    *RESULT,
    *(f"{name}{end}" for name in CONVENTIONS for end in ("", "_low", "_high")),
    "on_left",
    "p_value",
    "holm",
    "benjamini_hochberg",
)


def prefer_csv(summary: Summary, _view: View) -> str:
    """All systems by strength, then all pairs; with groups a first column names them.

    Other ratings are the last columns, a score and a rank each; without them there are none.
    """
    named = "groups" in summary
    also = dict.fromkeys(
        f"{one['method']}{end}"
        for _, part in parts(summary)
        for one in part["also"] or ()
        for end in ("", "_rank")
    )
    columns = (*COLUMNS, *also)
    rows: list[list[Any]] = [[*(["group"] if named else []), *columns]]
    for group, part in parts(summary):
        for row in (*_systems(part), *_pairs(part)):
            cells = [row.get(name) for name in columns]
            rows.append([*([group] if named else []), *cells])
    return csv_text(rows)


def _result(one: Any) -> dict[str, Any]:
    row = {name: one[name] for name in RESULT}
    for name in CONVENTIONS:
        limits = one[name]["interval"] or {}
        row |= {
            name: one[name]["value"],
            f"{name}_low": limits.get("low"),
            f"{name}_high": limits.get("high"),
        }
    return row


def _systems(summary: Summary) -> list[dict[str, Any]]:
    results = {one["system"]: one for one in summary["systems"]}
    also = _also(summary)
    rows = []
    for one in summary["strengths"]:
        limits, places = one["interval"] or {}, one["rank_interval"] or {}
        rows.append(
            {
                "kind": "system",
                "system": one["system"],
                "component": one["component"],
                "strength": one["strength"],
                "log_strength": one["log_strength"],
                "strength_low": limits.get("low"),
                "strength_high": limits.get("high"),
                "rank": one["rank"],
                "rank_low": places.get("low"),
                "rank_high": places.get("high"),
                **_result(results[one["system"]]),
                "on_left": results[one["system"]]["on_left"],
                **also.get(one["system"], {}),
            }
        )
    return rows


def _also(summary: Summary) -> dict[str, dict[str, Any]]:
    """The systems' other ratings; a method that is not defined has none."""
    rows: dict[str, dict[str, Any]] = {}
    for one in summary["also"] or ():
        for got in one["scores"]:
            row = rows.setdefault(got["system"], {})
            row |= {one["method"]: got["score"], f"{one['method']}_rank": got["rank"]}
    return rows


def _pairs(summary: Summary) -> list[dict[str, Any]]:
    return [
        {
            "kind": "pair",
            "system": pair["systems"][0],
            "other": pair["systems"][1],
            **_result(pair),
            **{k: pair["sign_test"][k] for k in ("p_value", "holm", "benjamini_hochberg")},
        }
        for pair in summary["pairs"]
    ]

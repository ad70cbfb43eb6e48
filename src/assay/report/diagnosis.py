"""The diagnosis of a report as plain values: what moves the number, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.agreement.diagnosis import SWAP_LABELS, Swapped
from assay.agreement.diagnosis_items import (
    AGREEMENT,
    Hard,
    hardest,
    measure,
    spread_of_items,
)
from assay.agreement.diagnosis_labels import (
    MAX_LABELS,
    MERGED_LABELS,
    Confused,
    Merge,
    confused,
    mergeable,
    merges,
    sharp,
    together,
)
from assay.agreement.diagnosis_raters import WithoutRater, without_each
from assay.agreement.pool import count_of
from assay.agreement.registry import Context
from assay.estimate import Estimate
from assay.ratings.categories import Ints
from assay.report.diagnosis_words import reasons, where_to_look

SHOWN_MERGES = 5
TABLE_LABELS = 30
"""The most labels of which the table of pairs of ratings is given."""


def diagnose(
    context: Context,
    estimates: dict[str, Estimate],
    main: Estimate,
    swapped: Sequence[Swapped],
    level: float,
) -> dict[str, Any]:
    """What moves the main coefficient; parts that say nothing are empty."""
    made = context.made
    texts = made.categories.texts
    left_out: list[dict[str, str]] = []

    def skip(part: str, reason: str) -> None:
        left_out.append({"part": part, "reason": reason})

    counts: Ints | None = None
    mixed: list[Confused] = []
    joined: list[Merge] = []
    best: Merge | None = None
    if made.q > MAX_LABELS:
        skip("confused", f"{made.q:,} labels; it is computed for up to {MAX_LABELS}")
    elif made.sizes:
        counts = together(made)
        mixed = confused(made, counts)
        joined = merges(context, main)
        best = sharp(context, main, joined, level)
        if made.q > MERGED_LABELS and mergeable(context, main):
            skip("merging", f"{made.q} labels; it is computed for up to {MERGED_LABELS}")
    if context.scale == "nominal" and made.q > SWAP_LABELS and len(made.raters) > 1:
        skip("swapped", f"{made.q:,} labels; it is looked for among up to {SWAP_LABELS}")
    without = without_each(context)
    if isinstance(without, str):
        skip("without_rater", without)
        without = []
    hard = hardest(context)
    if isinstance(hard, str):
        skip("hardest", hard)
        hard = []
    out: dict[str, Any] = {
        "why": [],
        "confused": [_confused(one, texts) for one in mixed],
        "table": _table(counts, made.denominator, texts),
        "swapped": [one.as_dict() for one in swapped],
        "without_rater": _without(without, estimates["krippendorff_alpha"]),
        "merging": _merging(joined, best, main, texts),
        "items": _items(context, hard),
        "look": [],
        "left_out": left_out,
    }
    out["why"] = reasons(context, main, out)
    out["look"] = where_to_look(context, main, out)
    return out


def _confused(one: Confused, texts: Sequence[str]) -> dict[str, Any]:
    a, b = one.labels
    return {
        "labels": [texts[a], texts[b]],
        "pairs": count_of(one.pairs),
        "share": one.share,
        "by_chance": one.by_chance,
        "standard_error": one.standard_error,
        "stands_out": one.stands_out,
    }


def _table(counts: Ints | None, denominator: int, texts: Sequence[str]) -> dict[str, Any] | None:
    """Pairs of ratings of one item by their labels, each pair once."""
    if counts is None:
        return None
    used = [int(k) for k in counts.sum(axis=1).nonzero()[0]]
    if not used or len(used) > TABLE_LABELS:
        return None
    rows = []
    for i, k in enumerate(used):
        # A pair of equal labels is in the diagonal twice.
        row = [counts[k, m] / (2 if k == m else 1) / denominator for m in used[: i + 1]]
        rows.append([int(n) if float(n).is_integer() else float(n) for n in row])
    return {"labels": [texts[k] for k in used], "pairs": rows}


def _without(found: Sequence[WithoutRater], alpha: Estimate) -> dict[str, Any] | None:
    if not found or alpha.value is None:
        return None
    return {
        "coefficient": alpha.name,
        "value": alpha.value,
        "raters": [
            {
                "rater": one.rater,
                "value": one.value,
                "rise": one.rise,
                "standard_error": one.standard_error,
                "stands_out": one.stands_out,
            }
            for one in found
        ],
    }


def _merging(
    found: Sequence[Merge], best: Merge | None, main: Estimate, texts: Sequence[str]
) -> dict[str, Any] | None:
    if not found:
        return None
    return {
        "coefficient": main.name,
        "value": main.value,
        "merges": [
            {
                "labels": [texts[k] for k in one.labels],
                "value": one.value,
                "gain": one.gain,
                "sharp": one is best,
            }
            for one in found[:SHOWN_MERGES]
        ],
    }


def _items(context: Context, hard: Sequence[Hard]) -> dict[str, Any]:
    texts = context.made.categories.texts
    kind = measure(context)
    return {
        "measure": kind,
        "distribution": [
            {"low": one.low, "high": one.high, "items": count_of(one.items)}
            for one in spread_of_items(context)
        ],
        "hardest": [
            {
                "item": one.item,
                "agreement": one.figure if kind == AGREEMENT else None,
                "distance": None if kind == AGREEMENT else one.figure,
                "given": [{"rater": who, "label": texts[code]} for who, code in one.ratings],
            }
            for one in hard
        ],
    }

"""What a report on comparisons says in words: its two first lines and its warnings."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.agreement.diagnosis import Finding
from assay.corrections import holm
from assay.preference.sign import binomial_p
from assay.report.layout import shorten
from assay.report.numbers import coefficient, count, counted, level, p_phrase, percent
from assay.report.summary import finding_dict

FEW = 20
"""Fewer clusters than this make a bootstrap rough."""
SURE = 0.001
NAMES = 6


def listed(names: list[str], most: int = NAMES) -> str:
    """Some names, and how many more there are.

    >>> listed(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    shown = [shorten(str(n), 40) for n in names]
    if len(shown) > most:
        return f"{', '.join(shown[:most])} and {len(shown) - most} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def headline(document: dict[str, Any]) -> list[str]:
    """The finding, and how far the raters and the sides can be trusted."""
    return [_finding(document), _trust(document)]


def _finding(document: dict[str, Any]) -> str:
    source = document["source"]
    k, n = source["systems"], source["comparisons"]
    if k == 2 and document["pairs"]:
        pair = document["pairs"][0]
        one, two = (shorten(str(s), 40) for s in pair["systems"])
        return (
            f"{one} wins {percent(pair['win_share'])}, ties {percent(pair['tie_share'])} and loses "
            f"{percent(pair['loss_share'])} of {counted(n, 'comparison')} with {two} (sign test "
            f"{p_phrase(pair['sign_test']['p_value'])})."
        )
    several = [part for part in document["components"] if len(part) > 1]
    if len(document["components"]) > 1:
        inside = "strengths exist inside parts only" if several else "there are no strengths"
        return (
            f"The {k} systems fall into {len(document['components'])} parts that wins do not link "
            f"both ways: {inside}."
        )
    best = document["strengths"][0]
    if best["strength"] is None:
        return f"No strengths of {k} systems, because {best['undefined']['reason']}."
    top = [one["system"] for one in document["strengths"] if one["rank"] == 1]
    where = f"in {counted(n, 'comparison')}"
    if len(top) == k:
        return f"{listed(top, 3)} are equally strong {where}."
    text = f"{listed(top, 3)} is the strongest of {k} systems {where}"
    if len(top) > 1:
        text = f"{listed(top, 3)} are equally strong, and the strongest of {k} systems {where}"
    clusters = document["clusters"]
    if not clusters:
        return f"{text}."
    peers = [s for s in clusters[0] if s not in top]
    if not peers:
        return f"{text}, apart from all others at {level(document['level'])}."
    return f"{text}, not told apart from {listed(peers, 3)}."


def _trust(document: dict[str, Any]) -> str:
    bias = document["position_bias"]
    bits = []
    chosen = document["agreement"].get("chosen") or ()
    found = {c["name"]: c for c in document["agreement"]["coefficients"]}
    alpha = found.get("krippendorff_alpha") if chosen else None
    if alpha is not None and alpha["value"] is not None:
        limits = alpha["interval"]
        shown = ""
        if limits:
            shown = f" ({coefficient(limits['low'])} to {coefficient(limits['high'])})"
        bits.append(f"Krippendorff's alpha of the raters is {coefficient(alpha['value'])}{shown}")
    elif document["agreement"]["undefined"]:
        bits.append("Agreement of raters is not known")
    if bias["value"] is not None and bias["pairs_in_both_orders"]:
        bits.append(
            f"the left side wins {percent(bias['value'])} of the decided comparisons "
            f"({p_phrase(bias['p_value'])})"
        )
    text = "; ".join(bits)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def warnings(document: dict[str, Any]) -> list[dict[str, str]]:
    """What to look at before trusting the numbers."""
    found = [
        *_parts(document),
        *_resampling(document),
        *_sides(document),
        *_dependence(document),
    ]
    notes = [n for n in document["source"]["notes"] if n["level"] == "warning"]
    return [
        *({"code": n["code"], "message": n["message"]} for n in notes),
        *(finding_dict(f) for f in found),
    ]


def _parts(document: dict[str, Any]) -> list[Finding]:
    parts = document["components"]
    if len(parts) == 1:
        return []
    alone: dict[str, list[str]] = {}
    for one in document["strengths"]:
        if one["undefined"]:
            alone.setdefault(one["undefined"]["code"], []).append(one["system"])
    words = {
        "never_loses": "never beaten",
        "never_wins": "never winning",
        "not_linked": "linked by no win",
        "between_parts": "in a chain of wins that goes one way",
    }
    bits = [f"{words[code]}: {listed(names)}" for code, names in alone.items() if code in words]
    several = [part for part in parts if len(part) > 1]
    bits += [f"a part of {len(part)}: {listed(part)}" for part in several]
    apart = "" if document["linked"] else " Some were never compared, not even through others."
    message = (
        f"no one scale holds all systems ({'; '.join(bits)}).{apart} Strengths and ranks are given "
        "inside each part; more comparisons between the parts would join them"
    )
    return [Finding("no_common_scale", message)]


def _resampling(document: dict[str, Any]) -> list[Finding]:
    drawn = document["bootstrap"]
    out: list[Finding] = []
    if drawn is None:
        return out
    if drawn["undefined"] > 0.05 * drawn["resamples"]:
        message = (
            f"{count(drawn['undefined'])} of {count(drawn['resamples'])} resamples have no "
            "strengths, since wins link the systems in too few places; intervals are of the others"
        )
        out.append(Finding("resamples_without_strengths", message))
    if drawn["units"] < FEW:
        message = (
            f"the intervals come from resampling {drawn['units']} {drawn['unit']}; fewer than "
            f"{FEW} give rough ones, mostly too narrow"
        )
        out.append(Finding("few_units", message))
    return out


def _sides(document: dict[str, Any]) -> list[Finding]:
    out = []
    bias = document["position_bias"]
    p = bias["p_value"]
    shown_both_ways = bias["pairs_in_both_orders"] > 0
    if bias["value"] in (0.0, 1.0) and p is not None and p < SURE:
        side = "left" if bias["value"] else "right"
        message = (
            f"the {side} side wins every decided comparison: the columns seem to hold winner and "
            "loser, not the sides as shown, and then nothing is known of a preference for a side"
        )
        out.append(Finding("one_side_wins_all", message))
    elif p is not None and p < 0.05 and shown_both_ways:
        side = "left" if bias["value"] > 0.5 else "right"
        balanced = bias["balanced_share"]
        more = ""
        if balanced is not None:
            more = f"; {percent(balanced)} for left in pairs shown both ways, each way alike"
        message = (
            f"the {side} side wins more often than the other: left {percent(bias['value'])} of the "
            f"decided comparisons ({p_phrase(p)}){more}"
        )
        out.append(Finding("position_bias", message))
    rows = document["systems"]
    left = np.array([one["on_left"] for one in rows], dtype=np.int64)
    total = np.array([one["comparisons"] for one in rows], dtype=np.int64)
    odd = np.flatnonzero(holm(binomial_p(left, total)) < SURE)
    if len(odd):
        shown = [
            f"{shorten(str(rows[i]['system']), 40)} ({percent(left[i] / total[i])})" for i in odd
        ]
        message = (
            f"sides are not balanced: on the left stood {listed(shown, 4)}; a preference for a "
            "side then counts for or against these systems"
        )
        out.append(Finding("unbalanced_sides", message))
    return out


def _dependence(document: dict[str, Any]) -> list[Finding]:
    source = document["source"]
    if not source["items"] or source["items"] >= source["comparisons"]:
        return []
    if document["sign_test"]["unit"] != "items":
        return []
    message = (
        f"{count(source['comparisons'])} comparisons are of {counted(source['items'], 'item')}: "
        "those of one item are not independent, and the Wilson intervals of shares, which take "
        "them as such, are too narrow"
    )
    return [Finding("repeated_items", message)]

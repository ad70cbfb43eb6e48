"""The tables of a report on comparisons as cells, for terminal and Markdown alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.preference.shares import CONVENTIONS
from assay.report.layout import told
from assay.report.numbers import (
    coefficient,
    count,
    counted,
    fixed,
    interval,
    p_phrase,
    p_value,
    percent,
)
from assay.report.prefer.words import listed

Cells = tuple[str, ...]

SHOWN = 15
"""Systems and pairs that are shown where not all are asked for."""
FEW_SYSTEMS = 4
"""With no more systems, the pairs are shown without being asked for."""
FEW_RUNS = 8
"""With no more systems, runs are told by name."""
TITLES = {
    "ties_excluded": "ties excluded",
    "ties_half": "a tie as half",
    "ties_as_losses": "ties as losses",
}
AGREED = (
    ("percent_agreement", "Pairs of ratings that agree"),
    ("krippendorff_alpha", "Krippendorff's alpha"),
    ("fleiss_kappa", "Fleiss' kappa"),
    ("cohen_kappa", "Cohen's kappa"),
    ("gwet_ac", "Gwet's AC1"),
)


def source_bits(summary: Mapping[str, Any]) -> list[str]:
    """What the numbers rest on."""
    source = summary["source"]
    bits = [counted(source["comparisons"], "comparison")]
    for key, noun in (("systems", "system"), ("raters", "rater"), ("items", "item")):
        if source.get(key) is not None:
            bits.append(counted(source[key], noun))
    if source.get("ties") is not None:
        bits.append(counted(source["ties"], "tie"))
    return bits


def several(summary: Mapping[str, Any]) -> bool:
    """Whether the systems fall into more than one part."""
    return len(summary["components"]) > 1


def strengths(summary: Mapping[str, Any], full: bool) -> tuple[Cells, list[Cells]]:
    """A row a system: rank, strength, and its wins, ties and losses in per cent."""
    parts, drawn = several(summary), summary["bootstrap"] is not None
    headers = ("system", *(("part",) if parts else ()), "rank", *(("ranks",) if drawn else ()))
    headers += ("strength", *(("interval",) if drawn else ()), "win", "tie", "lose", "n")
    results = {one["system"]: one for one in summary["systems"]}
    rows = []
    for one in summary["strengths"] if full else summary["strengths"][:SHOWN]:
        result = results[one["system"]]
        places = one["rank_interval"]
        ranks = f"{places['low']}–{places['high']}" if places else "–"
        cells = [one["system"]]
        cells += [str(one["component"] + 1)] if parts else []
        cells += [count(one["rank"])]
        cells += [ranks] if drawn else []
        cells += [coefficient(one["strength"])]
        cells += [interval(one["interval"])] if drawn else []
        cells += [percent(result[f"{key}_share"]) for key in ("win", "tie", "loss")]
        rows.append((*cells, count(result["comparisons"])))
    return headers, rows


def hidden(summary: Mapping[str, Any], full: bool) -> int:
    """How many systems are not shown."""
    return 0 if full else max(0, len(summary["strengths"]) - SHOWN)


def conventions(summary: Mapping[str, Any], full: bool) -> tuple[Cells, list[Cells]]:
    """The share of wins under each convention, with its interval."""
    headers = ("share of wins", *(TITLES[name] for name in CONVENTIONS))
    two = len(summary["systems"]) == 2
    rows: list[Cells] = []
    for one in summary["systems"] if full or two else []:
        shares = [one[name] for name in CONVENTIONS]
        cells = [f"{percent(x['value'])} {percents(x['interval'])}" for x in shares]
        rows.append((one["system"], *cells))
    return headers, rows


def percents(limits: Mapping[str, Any] | None) -> str:
    """The limits of a share in per cent.

    >>> percents({"low": 0.15, "high": 0.85})
    '[15.0, 85.0]'
    """
    if limits is None:
        return "–"
    return f"[{fixed(100 * limits['low'], 1)}, {fixed(100 * limits['high'], 1)}]"


def pairs(summary: Mapping[str, Any], full: bool) -> tuple[Cells, list[Cells]]:
    """A row for every two systems: wins, ties and losses of the first, and the sign test."""
    headers = ("pair", "win", "tie", "lose", "n", "p", "Holm", "BH")
    if not full and (len(summary["systems"]) == 2 or pairs_hidden(summary)):
        return headers, []
    rows = []
    for pair in summary["pairs"]:
        test = pair["sign_test"]
        rows.append(
            (
                " – ".join(pair["systems"]),
                *(percent(pair[f"{key}_share"]) for key in ("win", "tie", "loss")),
                count(pair["comparisons"]),
                *(p_value(test[key]) for key in ("p_value", "holm", "benjamini_hochberg")),
            )
        )
    return headers, rows


def pairs_hidden(summary: Mapping[str, Any]) -> int:
    """How many pairs are not shown where not all are asked for; of two systems the finding is."""
    return len(summary["pairs"]) if len(summary["systems"]) > FEW_SYSTEMS else 0


def pair_lines(summary: Mapping[str, Any], full: bool) -> list[str]:
    """Which pairs are not in the table of all pairs."""
    left = summary["pairs_left_out"]
    if not full or not left:
        return []
    does = verb(left, "is", "are")
    return [f"{counted(left, 'more pair')} with the fewest comparisons {does} not listed."]


def matrix(summary: Mapping[str, Any]) -> tuple[Cells, list[Cells]]:
    """Wins of the row's system over the column's, with ties in brackets."""
    found = summary["win_matrix"]
    names = found["systems"]
    rows = []
    for i, name in enumerate(names):
        cells = [
            ""
            if i == j
            else count(found["wins"][i][j])
            + (f" ({count(found['ties'][i][j])})" if found["ties"][i][j] else "")
            for j in range(len(names))
        ]
        rows.append((name, *cells))
    return ("wins (ties)", *names), rows


def agreement(summary: Mapping[str, Any], full: bool) -> tuple[Cells, list[Cells]]:
    """The coefficients of the raters' agreement."""
    found = {c["name"]: c for c in summary["agreement"]["coefficients"]}
    titles = dict(AGREED)
    rows: list[Cells] = []
    names = [n for n, _ in AGREED if n in found and found[n]["value"] is not None]
    if full:
        names += [n for n, c in found.items() if c["value"] is not None and n not in titles]
    for n in names:
        value, limits = coefficient(found[n]["value"]), interval(found[n]["interval"])
        title = titles.get(n, str(found[n]["full_name"]))
        rows.append((title, value, limits, count(found[n].get("items"))))
    return ("", "value", "interval", "items"), rows


def rater_lines(summary: Mapping[str, Any]) -> list[str]:
    """Why there is no agreement, and how far raters agree with themselves."""
    out = []
    gap = summary["agreement"]["undefined"]
    if gap:
        out.append(f"Agreement of raters: not defined, because {gap['reason']}.")
    intra = summary["intra_rater"]
    if intra["value"] is not None:
        alpha = intra["alpha"]
        more = ""
        if alpha is not None and alpha["value"] is not None:
            more = f"; alpha of the repeats {coefficient(alpha['value'])}"
        out.append(
            f"Raters who met a question again gave the same answer to {percent(intra['value'])} of "
            f"{counted(intra['questions'], 'question')} {percents(intra['interval'])}{more}."
        )
    return out


def side_lines(summary: Mapping[str, Any]) -> list[str]:
    """Position bias in sentences."""
    bias = summary["position_bias"]
    out = []
    if bias["value"] is None:
        out.append(f"Sides: not defined, because {bias['undefined']['reason']}.")
    else:
        decided = counted(bias["left_wins"] + bias["right_wins"], "decided comparison")
        out.append(
            f"Left wins {percent(bias['value'])} of {decided} "
            f"{percents(bias['interval'])}, {p_phrase(bias['p_value'])}."
        )
    if not bias["pairs_in_both_orders"]:
        out.append(
            "No two systems were shown both ways, so that a side and a system cannot be told apart."
        )
    if bias["balanced_share"] is not None:
        out.append(
            f"In {counted(bias['pairs_in_both_orders'], 'pair')} of systems shown both ways, each "
            f"way alike, left wins {percent(bias['balanced_share'])}."
        )
    orders = bias["both_orders"]
    if orders["questions"]:
        out.append(
            f"Asked both ways, {count(orders['consistent'])} of "
            f"{counted(orders['questions'], 'question')} "
            f"{verb(orders['consistent'], 'keeps its answer', 'keep their answer')} "
            f"({percent(orders['consistency'])}); {count(orders['flips_to_left'])} "
            f"{verb(orders['flips_to_left'], 'goes', 'go')} to the left both times, "
            f"{count(orders['flips_to_right'])} to the right, {count(orders['tie_in_one_order'])} "
            f"{verb(orders['tie_in_one_order'], 'is', 'are')} a tie one way."
        )
    return out


def verb(many: int, one: str, more: str) -> str:
    """The verb that suits a count.

    >>> verb(1, "is", "are"), verb(0, "is", "are")
    ('is', 'are')
    """
    return one if many == 1 else more


def part_lines(summary: Mapping[str, Any]) -> list[str]:
    """The parts, and why systems have no strength."""
    if not several(summary):
        gaps = {
            one["undefined"]["reason"]: None for one in summary["strengths"] if one["undefined"]
        }
        return [f"No strengths, because {told(text)}." for text in gaps]
    out = [
        f"Part {number}: {listed([str(s) for s in part], 12)}."
        for number, part in enumerate(summary["components"], 1)
        if len(part) > 1
    ]
    return out + [
        f"Part {one['component'] + 1}: {told(one['undefined']['reason'])}."
        for one in summary["strengths"]
        if one["undefined"]
    ]


def cluster_lines(summary: Mapping[str, Any]) -> list[str]:
    """Runs of systems that are not told apart."""
    clusters = [run for run in summary["clusters"] or () if len(run) > 1]
    if not clusters or len(summary["strengths"]) < 3:
        return []
    if len(summary["strengths"]) <= FEW_RUNS:
        shown = "; ".join(listed([str(s) for s in run], FEW_RUNS) for run in clusters)
        return [f"Not told apart: {shown}."]
    place = {one["system"]: one["rank"] for one in summary["strengths"]}
    part = {one["system"]: one["component"] + 1 for one in summary["strengths"]}
    where = "part {}: " if several(summary) else ""
    shown = ", ".join(
        f"{where.format(part[run[0]])}{place[run[0]]}–{place[run[0]] + len(run) - 1}"
        for run in clusters
    )
    return [f"Not told apart, by rank: {shown}."]


def how(summary: Mapping[str, Any]) -> list[str]:
    """How the numbers were made."""
    tie = summary["tie_parameter"]
    more = ""
    if tie is not None and tie["value"] is not None:
        more = f"; {tie['name']} {coefficient(tie['value'])}"
    out = [f"Strengths: {summary['model_name']}, maximum likelihood, sum 1{more}."]
    if summary["bootstrap"] is not None:
        out.append(f"Intervals and ranks: {summary['bootstrap']['method']}.")
    elif summary["no_bootstrap"] is not None:
        out.append(f"No intervals of strengths, because {summary['no_bootstrap']['reason']}.")
    test = summary["sign_test"]
    out.append(
        f"Shares: Wilson intervals. p: {test['method']}; corrected for "
        f"{counted(test['tests'], 'test')} by Holm, and by Benjamini and Hochberg."
    )
    if not summary["agreement"]["undefined"]:
        out.append(f"Raters are compared on {summary['agreement']['unit']}.")
    notes: Sequence[Mapping[str, str]] = summary["source"]["notes"]
    told_notes = [n["message"] for n in notes if n["level"] != "warning"]
    if told_notes:
        out.append(f"Reading: {'; '.join(told_notes)}.")
    return out

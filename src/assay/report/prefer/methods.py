"""Comparisons in a paragraph for a paper: what was compared, how the numbers were made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from assay.report.numbers import coefficient, count, counted, level, p_phrase, percent
from assay.report.prefer.also import also_sentence
from assay.report.prefer.rows import AGREED
from assay.report.render import Summary, parts


def paragraphs(summary: Summary) -> list[str]:
    """One paragraph, or one for each group that begins with its name."""
    return [
        " ".join(_sentences(part)) if group is None else f"{group}: {' '.join(_sentences(part))}"
        for group, part in parts(summary)
    ]


def methods(summary: Summary) -> str:
    """The paragraphs as one text."""
    return "\n\n".join(paragraphs(summary))


def _sentences(summary: Summary) -> Iterator[str]:
    source = summary["source"]
    known = source["raters"] is not None
    who = counted(source["raters"], "rater") if known else "raters"
    on = "" if source["items"] is None else f" on {counted(source['items'], 'item')}"
    yield (
        f"{who[0].upper()}{who[1:]} compared the outputs of {counted(source['systems'], 'system')} "
        f"side by side{on}: {counted(source['comparisons'], 'comparison')}, of which "
        f"{count(source['ties'])} {'was a tie' if source['ties'] == 1 else 'were ties'}."
    )
    if source["repeats"]:
        yield (
            f"Where a rater was asked again, the first answer counts; the others "
            f"({counted(source['repeats'], 'comparison')}) say how far raters agree with "
            "themselves."
        )
    yield from _strengths(summary)
    others = also_sentence(summary)
    if others:
        yield others
    test = summary["sign_test"]
    yield "Shares of wins, ties and losses are of all comparisons of a system."
    if test["tests"]:
        many = test["tests"] > 1
        how = f", corrected by Holm's method over {counted(test['tests'], 'pair')}" if many else ""
        yield f"Two systems are compared by an {test['method']}{how}."
    bias = summary["position_bias"]
    if bias["value"] is not None:
        yield (
            f"The left side won {percent(bias['value'])} of the "
            f"{counted(bias['left_wins'] + bias['right_wins'], 'decided comparison')} "
            f"({_limits(bias['interval'], percent)}; {p_phrase(bias['p_value'])})."
        )
    yield _agreement(summary)
    intra = summary["intra_rater"]
    if intra["value"] is not None:
        yield (
            f"Raters who met a question again gave the same answer to {percent(intra['value'])} "
            f"of {counted(intra['questions'], 'question')}."
        )


def _strengths(summary: Summary) -> Iterator[str]:
    if all(one["strength"] is None for one in summary["strengths"]):
        return
    parts_of = "" if len(summary["components"]) == 1 else " in each part of the systems"
    drawn = summary["bootstrap"]
    sure = ""
    if drawn is not None:
        sure = f", with {level(summary['level'])} intervals from a {drawn['method']}"
    yield (
        f"Strengths are maximum-likelihood estimates ({summary['model_name']}) that sum to 1"
        f"{parts_of}{sure}."
    )


def _agreement(summary: Summary) -> str:
    got = summary["agreement"]
    if got["undefined"]:
        return f"Agreement of raters is not defined, because {got['undefined']['reason']}."
    found = {c["name"]: c for c in got["coefficients"]}
    said = [
        f"{title} {coefficient(found[name]['value'])}{_sure(found[name]['interval'])}"
        for name, title in AGREED[1:]
        if name in found and found[name]["value"] is not None
    ]
    return f"Agreement of raters, on {got['unit']}: {', '.join(said) or 'not defined'}."


def _sure(interval: Any) -> str:
    return "" if interval is None else f" ({_limits(interval)})"


def _limits(interval: Any, shown: Callable[[float], str] = coefficient) -> str:
    ends = (shown(interval[end]) for end in ("low", "high"))
    return f"{level(interval['level'])} interval {' to '.join(ends)}"

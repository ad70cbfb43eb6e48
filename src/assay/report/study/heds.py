"""A draft of the human evaluation datasheet of a study: filled in from the design and the answers.

What only people know, such as how raters were found and paid, stays marked TO DO.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.report.evaluate.heds import again, from_ratings, rated
from assay.report.evaluate.words import alpha
from assay.report.heds import TODO, agreed, alphas, sheet, systems
from assay.report.markdown import escape
from assay.report.numbers import counted, percent
from assay.report.prefer.heds import compared
from assay.report.render import Summary
from assay.report.study.words import (
    LANGUAGES,
    mechanism,
    methods,
    quality,
    raters,
    things,
    tool,
)

RELATIVE = {
    "single": "absolute, each output by itself",
    "pair": "relative, two outputs side by side",
    "all": "relative, all outputs for an item together",
}


def datasheet(summary: Summary) -> str:
    """The draft as Markdown."""
    found = summary["evaluate"]
    known = {**(from_ratings(found) if found else {}), **_known(summary)}
    if found:
        known["per_output"] += f" ({from_ratings(found)['per_output']} so far)"
    criteria = [(one["title"], _criterion(summary, one)) for one in summary["design"]["dimensions"]]
    source = "the design of the study and its answers"
    return sheet(known, criteria, escape_lines(methods(summary)), source)


def escape_lines(text: str) -> str:
    """Paragraphs in Markdown, with a line of a paragraph as a point of a list."""
    out = []
    for paragraph in text.split("\n\n"):
        lines = [escape(line) for line in paragraph.split("\n")]
        out.append(lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines))
    return "\n\n".join(out)


def _known(summary: Summary) -> dict[str, str]:
    """What the design and the answers tell of all criteria alike."""
    design, came = summary["design"], summary["collected"]
    page = LANGUAGES[design["language"]]
    read = "; ".join(
        f"the {what} that raters read on the page: “{escape(design[what])}”"
        for what in ("instructions", "consent")
        if design[what]
    )
    strata = "; the design has strata, see above" if design["strata"] else ""
    checked = escape(" ".join(quality(summary)))
    excluded = "exclusions" if design["qualification"] else "qualification, exclusions"
    groups = " (as the design has it)" if came["groups"] else ""
    out = {
        "resources": (
            f"{TODO} (every answer of each rater: `assay study analyse … --raw answers.csv`; the "
            f"design file and the table of items; the interface: `assay study serve`)"
        ),
        "languages": f"{TODO} (the page was in {page})",
        "outputs": escape(things(design)),
        "chosen": TODO + strata,
        "raters": escape(raters(summary)),
        "groups": f"{escape(raters(summary))}{groups}; {TODO}: paid, known to the authors?",
        "trained": f"{TODO}: how they were found and trained" + (f"; {read}" if read else ""),
        "per_output": f"{design['per_item']} by the design, on each criterion",
        "repeats": _again(summary),
        "tool": f"{escape(tool(summary))}. {TODO}: where, on which devices",
        "quality": f"{checked} {TODO}: {excluded}".strip(),
        "stop": (
            "they could stop at any time and go on later, on another device too, go back to the "
            "last answer, change it or take it back"
            + (", and leave a comment" if design["comments"] else "")
            + f"; {TODO}: whom they could ask"
        ),
    }
    if design["systems"]:
        out["systems"] = systems(design["systems"])
    if came["raters"]:
        out.setdefault(
            "load", f"{counted(came['answers'], 'answer')} of {counted(came['raters'], 'rater')}"
        )
    return out


def _again(summary: Summary) -> str:
    share, came = summary["design"]["repeats"], summary["collected"]["repeats"]
    if not share and not came:
        return "no, no task was shown twice"
    return (
        f"yes: {percent(share)} of a rater's tasks by the design, unannounced; "
        f"{counted(came, 'answer')} so far"
    )


def _criterion(summary: Summary, one: Mapping[str, Any]) -> dict[str, str]:
    definition = escape(one["definition"]) if one["definition"].strip() else TODO
    context = "; raters saw the context of the item" if summary["design"]["contexts"] else ""
    return {
        **_measured(summary, one["key"]),
        **_each_label(summary, one),
        "against": TODO + context,
        "defined": f"{escape(one['title'])}: {definition}",
        "relative": f"{RELATIVE[one['kind']]}; {TODO}: the rest",
        "scale": escape(mechanism(one)),
        "question": f"“{escape(one['question'])}”; for the instructions see section 3",
    }


def _measured(summary: Summary, key: str) -> dict[str, str]:
    """What the report on a dimension tells."""
    found = summary["evaluate"]
    if found and any(one["dimension"] == key for one in found["dimensions"]):
        return rated(found, key)
    if key in summary["prefer"]:
        return compared(summary["prefer"][key])
    if key in summary["agree"]:
        return {
            "results": "labels of items; see below",
            "tests": "see below",
            "agreement": alphas(summary["agree"][key]),
            "own": again(summary, key),
        }
    return {}


def _each_label(summary: Summary, one: Mapping[str, Any]) -> dict[str, str]:
    """Agreement on each label, where several may be chosen."""
    found = summary["labels"].get(one["key"])
    if not found:
        return {}
    said = [
        f"{escape(part['dimension'])}: {agreed(alpha(found, part['dimension']))}"
        for part in found["dimensions"]
    ]
    sets = _measured(summary, one["key"])["agreement"]
    return {"agreement": f"whole sets: {sets}; of each label: {'; '.join(said)}"}

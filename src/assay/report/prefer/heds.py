"""A draft of the datasheet of a table of comparisons: what they tell, and what is to do."""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from assay.preference.model import Comparisons
from assay.report.heds import TODO, alphas, sheet, systems
from assay.report.markdown import escape
from assay.report.numbers import count, counted, percent
from assay.report.prefer.methods import methods
from assay.report.render import Summary, parts

ONE = "The comparison"
"""What is judged, where the comparisons have no dimension."""
SIDES = "relative, two outputs side by side"


def datasheet(summary: Summary, comparisons: Comparisons) -> str:
    """The draft; the comparisons tell how many each rater made."""
    criteria = [(group or ONE, compared(part)) for group, part in parts(summary)]
    text = escape(methods(summary))
    return sheet(_from_comparisons(summary, comparisons), criteria, text, "the comparisons")


def _from_comparisons(summary: Summary, comparisons: Comparisons) -> dict[str, str]:
    """What comparisons tell of outputs and evaluators."""
    file = escape(PurePath(summary["source"]["name"]).name)
    out = {
        "resources": (
            f"{TODO} (the comparisons of each rater: `assay prefer … --raw comparisons.csv`; "
            f"they were read from {file})"
        ),
        "systems": systems(comparisons.systems),
        "outputs": f"{counted(comparisons.n, 'comparison')} of two outputs",
    }
    if comparisons.item is not None:
        out["outputs"] += f", for {counted(comparisons.item.size, 'item')}"
    if comparisons.rater is not None:
        loads = np.bincount(comparisons.rater.codes, minlength=comparisons.rater.size)
        least, most = int(loads.min()), int(loads.max())
        each = count(least) if least == most else f"{count(least)} to {count(most)}"
        out["raters"] = counted(loads.size, "rater")
        out["load"] = f"{each} comparisons a rater"
        again = sum(part["source"]["repeats"] for _, part in parts(summary))
        out["repeats"] = "no rater met a comparison again"
        if again:
            does = "repeats" if again == 1 else "repeat"
            out["repeats"] = (
                f"{counted(again, 'comparison')} {does} an earlier one of the same rater"
            )
    return out


def compared(found: Summary) -> dict[str, str]:
    """What comparisons tell of a criterion."""
    intra = found["intra_rater"]
    same = "not measured"
    if intra["value"] is not None:
        same = f"the same answer to {percent(intra['value'])} of "
        same += counted(intra["questions"], "question")
    ties = "left, right or tie" if found["source"]["ties"] else "left or right; no tie was given"
    return {
        "relative": f"{SIDES}; {TODO}: the rest",
        "scale": f"{ties} {TODO}: the answers as worded",
        "results": "shares of wins, ties and losses, and strengths; see below",
        "tests": found["sign_test"]["method"] if found["sign_test"]["tests"] else "none",
        "agreement": alphas(found["agreement"]),
        "own": same,
    }

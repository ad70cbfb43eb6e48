"""Which coefficient? Answered from the design and the data, with reasons.

The recommendation is the first of :func:`assay.agreement.registry.chosen`; what is here says
why it, what else could be asked for, and what does not suit and why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.agreement.diagnosis import SKEW, main_kappa
from assay.agreement.pool import number_text, plural
from assay.agreement.registry import NUMERIC, Context
from assay.estimate import Estimate
from assay.report.names import title


@dataclass(frozen=True, slots=True)
class Design:
    """What the choice depends on.

    Attributes
    ----------
    raters
        How many, or None where it is not known who gave which rating.
    scale, weighted, words
        The scale, whether weights were asked for, and whether labels are words.
    missing
        Ratings that are missing for every rater to have rated every item, or None.
    uneven
        Whether items differ in the number of ratings.
    skew
        The share of the most frequent label where expected agreement is high, else None.
    """

    raters: int | None
    scale: str
    weighted: bool
    words: bool
    missing: int | None
    uneven: bool
    skew: float | None

    @classmethod
    def of(cls, context: Context, estimates: dict[str, Estimate]) -> Design:
        """The design of one report."""
        made = context.made
        missing = None
        if context.raters is not None:
            missing = int(context.raters * made.items() - made.n_ratings)
        kappa = main_kappa(estimates)
        skew = None
        plain = context.weights.identity and context.scale == "nominal"
        if plain and kappa is not None and (kappa.expected or 0.0) > SKEW:
            skew = float(np.max(context.unweighted.mean_shares.floats))
        return cls(
            context.raters,
            context.scale,
            not context.weights.identity,
            not made.categories.numeric,
            missing,
            len({r for r in made.sizes if r}) > 1,
            skew,
        )

    def words_for(self) -> str:
        """The design in a few words."""
        who = {None: "ratings of unknown raters", 2: "two raters"}.get(
            self.raters, f"{self.raters} raters"
        )
        article = "an" if self.scale[0] in "aeiou" else "a"
        text = f"{who} on {article} {self.scale} scale"
        if self.missing:
            return f"{text} with {plural(self.missing, 'missing rating')}"
        return f"{text} with items of different numbers of ratings" if self.uneven else text


def guidance(context: Context, estimates: dict[str, Estimate], suited: list[str]) -> dict[str, Any]:
    """The recommendation as plain values; ``suited`` are the names that suit, best first."""
    design = Design.of(context, estimates)
    name = suited[0]
    summary = {"weights": context.weights.name}
    called = title({"name": name}, summary)
    reasons = [f"{called} suits {design.words_for()}: {_why(name, design)}."]
    estimate = estimates[name]
    if estimate.undefined is not None:
        reasons.append(f"Here it is not defined, because {estimate.undefined}.")
    remark = _remark(design)
    if remark:
        reasons.append(remark)
    return {
        "coefficient": name,
        "reasons": reasons,
        "alternatives": [
            {"name": other, "reason": reason}
            for other, reason in _alternatives(design)
            if other != name
        ],
        "unsuited": [{"name": other, "reason": reason} for other, reason in _unsuited(design)],
    }


def _why(name: str, design: Design) -> str:
    """Why the first choice is the first."""
    if name == "cohen_kappa":
        both = "; it uses the items that both rated" if design.missing else ""
        return f"it takes each of the two raters' own habits as chance{both}"
    if name == "fleiss_kappa":
        who = (
            "nobody has to know who gave which rating"
            if design.raters is None
            else ("it takes raters as interchangeable")
        )
        return f"{who}, and every item has the same number of ratings"
    if name == "icc_a_1":
        return "two columns of numbers are compared by the score itself, level included"
    # Krippendorff's alpha.
    bits = []
    if design.uneven or design.missing:
        bits.append("takes items with any number of ratings")
    if design.scale == "nominal":
        bits.append("takes raters as interchangeable")
    else:
        near = "the distance of the scale itself"
        bits.append(
            f"measures disagreement by {near}, so that a near miss costs less than a far one"
        )
    return f"it {' and '.join(bits)}"


def _remark(design: Design) -> str:
    """What to read beside it."""
    if design.skew is not None:
        share = f"{100 * design.skew:.1f} %"
        return (
            f"One label is {share} of the ratings, where it falls with few disagreements: read it "
            "beside AC1 and the specific agreement of the rare label."
        )
    if design.scale == "nominal" and not design.words and not design.weighted:
        return (
            "Labels are numbers and are taken as names; if their order means something, say "
            "--scale ordinal or interval."
        )
    return ""


def _alternatives(design: Design) -> list[tuple[str, str]]:
    """What else could be asked for, and when."""
    two, known = design.raters == 2, design.raters is not None
    complete = known and not design.missing
    if design.scale in NUMERIC:
        found = [("krippendorff_alpha", "if ratings are missing, or raters change between items")]
        if complete:
            found += [
                ("icc_a_1", "if the same raters score all items and the score itself counts"),
                ("icc_c_1", "if only differences between items count, not a rater's level"),
                ("icc_a_k", "if the mean of these raters is what will be used"),
            ]
        if two:
            found.append(("lin_ccc", "for the distance of two raters from equality"))
        return found
    if design.scale == "circular":
        return [("gwet_ac", "with --weights circular, for a share of agreement in place of it")]
    if design.scale == "ordinal":
        found = [("gwet_ac", "with --weights, if one label is rightly frequent (it is AC2 then)")]
        if two:
            found.insert(0, ("cohen_kappa", "with --weights linear or quadratic, for two raters"))
        if complete:
            found.append(("kendall_w", "if only the order of the items will be used"))
        return found
    found = []
    if two and not design.missing:
        found.append(("scott_pi", "if the two should have the same habits"))
    if known and not two:
        found.append(("conger_kappa", "if these raters are a fixed panel, each with own habits"))
    if design.uneven or design.missing:
        found.append(("fleiss_kappa", "with its estimator named, if that is what readers expect"))
    found += [
        ("krippendorff_alpha", "if ratings will be missing, or others join"),
        ("gwet_ac", "if one label is rightly frequent"),
    ]
    return found


def _unsuited(design: Design) -> list[tuple[str, str]]:
    """What people ask for that does not suit, and why."""
    found = []
    if design.raters is None:
        found.append(("cohen_kappa", "it needs to know who gave which rating"))
    elif design.raters != 2:
        found.append(
            ("cohen_kappa", f"it is of two raters, and there are {number_text(design.raters)}")
        )
    if design.scale in NUMERIC:
        if design.raters is None:
            found.append(("icc_a_1", "it needs to know who gave which rating"))
        elif design.missing:
            found.append(("icc_a_1", "it needs every rater on every item"))
        found.append(("pearson", "it is no agreement: it does not see a shift or a stretch"))
    elif design.scale == "ordinal":
        if not design.weighted:
            found.append(("fleiss_kappa", "without weights it takes a near miss for a far one"))
        found.append(("spearman", "it is no agreement: it does not see that one rates higher"))
    found.append(("percent_agreement", "it does not say what chance alone would give"))
    return found

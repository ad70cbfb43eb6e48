"""What a coefficient is called and, in one phrase, what it measures.

The keys are the stable names of the report; the order is the order of the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Name(NamedTuple):
    """A short title for a table, and a phrase for somebody who never met it."""

    title: str
    phrase: str


NAMES: dict[str, Name] = {
    "percent_agreement": Name(
        "Percent agreement", "how often two ratings are equal; chance is not taken out"
    ),
    "unanimous_agreement": Name(
        "Unanimous agreement", "share of items on which all ratings are equal"
    ),
    "cohen_kappa": Name(
        "Cohen's kappa", "agreement beyond chance of two raters, each with their own habits"
    ),
    "light_kappa": Name("Light's kappa", "mean of Cohen's kappa over all pairs of raters"),
    "conger_kappa": Name("Conger's kappa", "Cohen's kappa for more than two raters"),
    "scott_pi": Name(
        "Scott's pi", "agreement beyond chance of two raters, chance from both together"
    ),
    "fleiss_kappa": Name(
        "Fleiss' kappa", "agreement beyond chance, chance from all raters together"
    ),
    "brennan_prediger": Name(
        "Brennan-Prediger", "agreement beyond chance if every label were equally likely"
    ),
    "gwet_ac": Name("Gwet's AC1", "agreement beyond chance, less moved by one frequent label"),
    "krippendorff_alpha": Name(
        "Krippendorff's alpha", "1 = full agreement, 0 = chance; any raters, gaps allowed"
    ),
    "bangdiwala_b": Name("Bangdiwala's B", "area of exact agreement in the agreement chart"),
    "icc_1": Name("ICC(1)", "one rating, other raters for each item: share of variance by items"),
    "icc_a_1": Name("ICC(A,1)", "one rating, same raters: same scores wanted"),
    "icc_c_1": Name("ICC(C,1)", "one rating, same raters: same order and distances wanted"),
    "icc_1_k": Name("ICC(1,k)", "as ICC(1), for the mean of all raters"),
    "icc_a_k": Name("ICC(A,k)", "as ICC(A,1), for the mean of all raters"),
    "icc_c_k": Name("ICC(C,k)", "as ICC(C,1), for the mean of all raters"),
    "kendall_w": Name("Kendall's W", "how alike all raters rank the items, 0 to 1"),
    "spearman": Name("Spearman", "correlation of ranks, mean over pairs of raters"),
    "pearson": Name("Pearson", "correlation of values, mean over pairs of raters"),
    "kendall_tau": Name(
        "Kendall's tau-b", "how often two raters order two items alike, less the opposite"
    ),
    "lin_ccc": Name("Lin's CCC", "how close two raters' values are to the line of equality"),
}


UNTESTED = frozenset({"percent_agreement", "unanimous_agreement", "bangdiwala_b"})
"""Shares, of which nobody asks whether they differ from 0: their p is not shown."""

FAMILIES = (
    ("percent_agreement", "unanimous_agreement"),
    (
        "cohen_kappa",
        "light_kappa",
        "conger_kappa",
        "scott_pi",
        "fleiss_kappa",
        "brennan_prediger",
        "gwet_ac",
        "krippendorff_alpha",
    ),
    ("icc_1", "icc_a_1", "icc_c_1"),
    ("icc_1_k", "icc_a_k", "icc_c_k"),
    ("spearman", "pearson", "kendall_tau"),
)
"""Coefficients of one kind: if two of them are equal, that says something."""


def akin(a: str, b: str) -> bool:
    """Whether two coefficients are of one kind.

    >>> akin("cohen_kappa", "scott_pi"), akin("percent_agreement", "kendall_tau")
    (True, False)
    """
    return any(a in family and b in family for family in FAMILIES)


def tested(coefficient: Mapping[str, Any]) -> float | None:
    """The p-value against 0, where that is a question."""
    return None if coefficient["name"] in UNTESTED else coefficient.get("p_value")


def title(coefficient: Mapping[str, Any], summary: Mapping[str, Any] | None = None) -> str:
    """The short title of one coefficient of a report.

    >>> title({"name": "gwet_ac"}, {"weights": "quadratic"})
    "Gwet's AC2"
    """
    name = str(coefficient["name"])
    if name == "gwet_ac" and (summary or {}).get("weights", "identity") != "identity":
        return "Gwet's AC2"
    known = NAMES.get(name)
    return known.title if known else str(coefficient.get("full_name") or name)


def phrase(name: str) -> str:
    """What the coefficient measures, or nothing if it is not known here."""
    known = NAMES.get(name)
    return known.phrase if known else ""


def together(titles: list[str]) -> str:
    """Titles in a row, the six ICCs as one.

    >>> together(["Cohen's kappa", "Pearson"])
    "Cohen's kappa, Pearson"
    """
    forms = [one for one in titles if one.startswith("ICC(")]
    if len(forms) < 6:
        return ", ".join(titles)
    at = titles.index(forms[0])
    others = [one for one in titles if one not in forms]
    return ", ".join([*others[:at], "ICC (six forms)", *others[at:]])


def gaps(
    found: Iterable[Mapping[str, Any]], summary: Mapping[str, Any], key: str = "undefined"
) -> list[tuple[str, str]]:
    """The titles of those without a value, grouped by the reason.

    >>> why = {"code": "no_ratings", "reason": "there are no ratings"}
    >>> gaps([{"name": name, "undefined": why} for name in ("cohen_kappa", "scott_pi")], {})
    [("Cohen's kappa, Scott's pi", 'there are no ratings')]
    """
    reasons: dict[str, list[str]] = {}
    for c in found:
        if c.get(key):
            why = str(c[key].get("reason") or "no reason was given")
            reasons.setdefault(why, []).append(title(c, summary))
    return [(together(titles), why) for why, titles in reasons.items()]


def methods(found: Iterable[Mapping[str, Any]], summary: Mapping[str, Any]) -> list[str]:
    """How intervals were made, each method once, with whose they are if there are several.

    >>> methods([{"name": "cohen_kappa", "interval": {"method": "normal"}}], {})
    ['normal']
    """
    by: dict[str, list[str]] = {}
    for c in found:
        if c.get("interval"):
            by.setdefault(str(c["interval"]["method"]), []).append(title(c, summary))
    made = (summary.get("intervals") or {}).get("made_by", "analytic")
    rest = [] if made == "analytic" else ["p-values and intervals of pairs of raters: analytic"]
    if len(by) < 2:
        return [*by, *rest]
    return [*(f"{method} ({together(titles)})" for method, titles in by.items()), *rest]

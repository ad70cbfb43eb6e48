"""Why the number is what it is, and where to look in the guideline: sentences from the figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from assay.agreement.labels import label_rows
from assay.agreement.metrics import make_metric
from assay.agreement.registry import NUMERIC, Context, short_title
from assay.estimate import Estimate
from assay.report.numbers import count, counted, fixed

CHANCE = (
    "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac", "brennan_prediger",
)  # fmt: skip
"""Coefficients that are (Po − Pe) / (1 − Pe)."""
CEILING = 0.9
"""A ceiling of kappa above this holds nothing worth mentioning back."""
SPECIFIC = 0.1
"""A label's kappa so much below that of all labels is worth a look."""
MOST = 3
"""Causes that are said, and items that are named."""
LEAST_RATINGS = 10

MERGING = (
    "That changes the question: what tells the two apart is no longer asked, and the result says "
    "nothing about it."
)


def reasons(context: Context, main: Estimate, found: Mapping[str, Any]) -> list[str]:
    """One sentence on how the number comes about, and up to three on what moves it."""
    if main.value is None or main.observed == 1.0:
        return []
    said = [text for text in (_made_of(context, main),) if text]
    causes = [*_rater(found), *_confused(found), *_ceiling(context, main), *_merging(found)]
    return [*said, *causes[:MOST]]


def _made_of(context: Context, main: Estimate) -> str:
    if context.scale in NUMERIC:
        return _apart(context)
    if main.name not in CHANCE or main.observed is None or main.expected is None:
        return ""
    assert main.value is not None  # noqa: S101
    left = 100.0 * (1.0 - main.expected)
    won = 100.0 * (main.observed - main.expected)
    title = short_title(main)
    if won < 0.0:
        return (
            f"Raters agree {fixed(-won, 1)} points less than chance alone would have it, of "
            f"{fixed(left, 1)} points that chance leaves to win: {title} is {fixed(main.value, 3)}."
        )
    return (
        f"Chance leaves {fixed(left, 1)} points of agreement to win, and raters win "
        f"{fixed(won, 1)} of them: {title} is {fixed(main.value, 3)}."
    )


def _apart(context: Context) -> str:
    """Numbers: how far ratings of one item are apart, and ratings of any items."""
    made = context.made
    if not made.categories.numeric or made.items(2) == 0:
        return ""
    metric = make_metric(made, "interval")
    if metric.labels_used < 2:
        return ""
    within, across = sqrt(float(metric.observed)), sqrt(float(metric.expected))
    return (
        f"Two ratings of one item are {within:.3g} apart, and any two ratings {across:.3g} "
        "(root mean squares): the nearer the first is to the second, the lower every coefficient."
    )


def _rater(found: Mapping[str, Any]) -> Iterator[str]:
    part = found["without_rater"]
    for one in stand_out(part["raters"], "rise") if part else ():
        yield (
            f"Without '{one['rater']}' Krippendorff's alpha would be {fixed(one['value'], 3)} "
            f"instead of {fixed(part['value'], 3)} (a rise of {fixed(one['rise'], 3)}, standard "
            f"error {fixed(one['standard_error'], 3)})."
        )
        return


def stand_out(rows: Sequence[Mapping[str, Any]], key: str) -> list[Mapping[str, Any]]:
    """Those that stand out, the largest first."""
    return sorted((one for one in rows if one["stands_out"]), key=lambda one: -one[key])


def _confused(found: Mapping[str, Any]) -> Iterator[str]:
    for one in stand_out(found["confused"], "share"):
        a, b = one["labels"]
        total = one["pairs"] / one["share"]
        yield (
            f"Of {counted(round(total, 6), 'pair')} of ratings that differ, "
            f"{count(one['pairs'])} ({100.0 * one['share']:.1f} %) {_verb(one['pairs'])} '{a}' "
            f"against '{b}', where the labels' shares alone would make it "
            f"{100.0 * one['by_chance']:.1f} %."
        )
        return


def _verb(n: float) -> str:
    return "is" if n == 1 else "are"


def _ceiling(context: Context, main: Estimate) -> Iterator[str]:
    """Said where the ceiling takes away more than the raters do below it."""
    top, value = main.maximum, main.value
    if context.raters != 2 or main.name != "cohen_kappa" or top is None or value is None:
        return
    if top < CEILING and 1.0 - top >= top - value:
        yield (
            "The two raters use the labels so unequally often that no kappa above "
            f"{fixed(top, 3)} was possible."
        )


def _merging(found: Mapping[str, Any]) -> Iterator[str]:
    part = found["merging"]
    for one in part["merges"] if part else ():
        if one["sharp"]:
            a, b = one["labels"]
            yield (
                f"With '{a}' and '{b}' taken as one label it would be {fixed(one['value'], 3)}. "
                + MERGING
            )


def where_to_look(
    context: Context, main: Estimate, found: Mapping[str, Any]
) -> list[dict[str, str]]:
    """What to read again in the guideline, from the figures; nothing where nothing stands out."""
    out = []
    for one in found["swapped"]:
        a, b = one["raters"]
        moved = ", ".join(f"'{x['label']}' as '{x['as']}'" for x in one["taken_as"][:MOST])
        out.append(
            _entry(
                "swapped",
                f"Which way round the labels are read: '{b}' looks as if {moved} were meant, "
                f"against '{a}'. Two columns or two versions of the guideline may be exchanged.",
            )
        )
    part = found["without_rater"]
    out += [
        _entry(
            "rater",
            f"What '{one['rater']}' was told and read: the others agree better without "
            "(which says that they differ, not who is right).",
        )
        for one in (stand_out(part["raters"], "rise")[:MOST] if part else ())
    ]
    for one in stand_out(found["confused"], "share")[:MOST]:
        a, b = one["labels"]
        said = f"The rule that tells '{a}' from '{b}'{_examples(found, one['labels'])}."
        out.append(_entry("confused", said))
    out += [_entry("label", text) for text in _weak_labels(context, main)]
    return out


def _entry(code: str, message: str) -> dict[str, str]:
    return {"code": code, "message": message}


def _examples(found: Mapping[str, Any], labels: Sequence[str]) -> str:
    items = [
        str(one["item"])
        for one in found["items"]["hardest"]
        if set(labels) <= {given["label"] for given in one["given"]}
    ]
    return f", as in {', '.join(items[:MOST])}" if items else ""


def _weak_labels(context: Context, main: Estimate) -> Iterator[str]:
    """The label on which raters agree least beyond chance, where that is plainly less."""
    made = context.made
    if context.scale != "nominal" or not 3 <= made.q <= 50 or main.value is None:
        return
    rows = [
        row
        for row in label_rows(context.unweighted, None)
        if row.category is not None and row.count >= LEAST_RATINGS
    ]
    if len(rows) < 3:
        return
    worst = min(rows, key=lambda row: float(row.category or 0))
    kappa = float(worst.category or 0)
    if kappa <= main.value - SPECIFIC:
        yield (
            f"What '{worst.label}' is: raters agree on it least (kappa of the label alone "
            f"{fixed(kappa, 3)}, of all labels {fixed(main.value, 3)})."
        )

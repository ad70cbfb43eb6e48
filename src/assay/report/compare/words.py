"""A comparison in two sentences."""

from __future__ import annotations

from typing import Any

from assay.report.names import title
from assay.report.numbers import coefficient, counted, fixed, level, p_phrase, percent
from assay.report.render import Summary


def signed(value: float | None) -> str:
    """A difference with its sign.

    >>> signed(0.0514), signed(-0.2), signed(0.0), signed(None)
    ('+0.051', '−0.200', '0.000', '–')
    """
    text = coefficient(value)
    return f"+{text}" if value is not None and value > 0 and text.strip("0.") else text


def limits(interval: Any) -> str:
    """The limits of a difference.

    >>> limits({"low": -0.05, "high": 0.1})
    '[−0.050, +0.100]'
    """
    if not interval:
        return "–"
    return f"[{signed(interval['low'])}, {signed(interval['high'])}]"


def difference_of(comparison: Any, name: str) -> Any:
    """One coefficient's row, or None."""
    return next((d for d in comparison["differences"] if d["name"] == name), None)


def main_name(summary: Summary) -> str | None:
    """The first coefficient that suits and exists."""
    return next((n for n in summary.get("chosen") or () if n != "percent_agreement"), None)


def paired_headline(summary: Summary) -> list[str]:
    """Which side is higher, and how sure that is."""
    comparisons = summary["comparisons"]
    if len(comparisons) > 1:
        return _several(summary)
    (one,) = comparisons
    first, second = one["first"], one["second"]
    lines = []
    right = one["accuracy"]
    if right:
        to = "the majority of the others" if summary["majority"] else f"'{summary['reference']}'"
        lines.append(
            f"On {counted(one['items'], 'item')}, '{first}' equals {to} in "
            f"{percent(right['first'])} and '{second}' in {percent(right['second'])} (exact "
            f"McNemar, {p_phrase(right['p_value'])})."
        )
    name = main_name(summary)
    found = difference_of(one, name) if name else None
    if found is None or found["difference"] is None:
        return [*lines, "No coefficient exists on both sides."]
    shared = "" if right else f"On {counted(one['items'], 'shared item')}, "
    if found["interval"]:
        ends = [signed(found["interval"][k]) for k in ("low", "high")]
        sure = f" ({level(summary['level'])} interval {ends[0]} to {ends[1]}; "
        sure += f"{p_phrase(found['p_value'])})"
    else:
        sure = f" ({p_phrase(found['p_value'])})"
    lines.append(
        f"{shared}{title(found, summary)} is {coefficient(found['first']['value'])} for '{first}' "
        f"and {coefficient(found['second']['value'])} for '{second}': a difference of "
        f"{signed(found['difference'])}{sure}."
    )
    limit = found["non_inferiority"]
    if limit:
        verb = "is" if limit["holds"] else "is not shown to be"
        lines.append(
            f"'{first}' {verb} less than {fixed(limit['margin'], 3)} below '{second}': the "
            f"one-sided {level(limit['level'])} lower limit is {signed(limit['lower'])} "
            f"({p_phrase(limit['p_value'])})."
        )
    return lines


def _several(summary: Summary) -> list[str]:
    """How many of several pairs are told apart."""
    comparisons = summary["comparisons"]
    to = "the majority of the others" if summary["majority"] else f"'{summary['reference']}'"
    apart = [
        c for c in comparisons
        if c["accuracy"] and c["accuracy"]["p_adjusted"] < 1.0 - summary["level"]
    ]  # fmt: skip
    how = "exact McNemar, corrected by Holm"
    pairs = f"{len(apart)} of {len(comparisons)} pairs of raters"
    lines = [f"{pairs} differ in how often they equal {to}: {how}."]
    if apart:
        gap = max(apart, key=lambda c: abs(c["accuracy"]["difference"]))
        right = gap["accuracy"]
        lines.append(
            f"Most '{gap['first']}' ({percent(right['first'])}) and '{gap['second']}' "
            f"({percent(right['second'])}), {p_phrase(right['p_adjusted'])}."
        )
    return lines


def grouped_headline(summary: Summary) -> list[str]:
    """Whether the groups differ, and the value over all."""
    by_name = {s["name"]: s for s in summary["strata"]}
    suited = [by_name[n] for n in summary["chosen"] if n != "percent_agreement"]
    tested = [s for s in suited if s["homogeneity"]["statistic"] is not None]
    found = next(iter([*tested, *suited]), None)
    count = len(summary["groups_compared"])
    if found is None:
        return [f"{count} groups; no coefficient suits all of them."]
    test, pooled = found["homogeneity"], found["pooled"]
    if test["statistic"] is None:
        why = pooled["undefined"]["reason"]
        return [f"{title(found, summary)} over {count} groups: not tested, because {why}."]
    used = int(test["df"]) + 1
    differs = test["p_value"] < 1.0 - summary["level"]
    verb = "differs between" if differs else "may be one and the same in all"
    figures = f"χ² = {fixed(test['statistic'], 2)}, df {used - 1}, {p_phrase(test['p_value'])}"
    lines = [f"{title(found, summary)} {verb} {used} groups ({figures})."]
    ends = pooled["interval"]
    lines.append(
        f"Pooled it is {coefficient(pooled['value'])} ({level(summary['level'])} interval "
        f"{coefficient(ends['low'])} to {coefficient(ends['high'])})"
        + (", which hides that the groups differ." if differs else ".")
    )
    return lines

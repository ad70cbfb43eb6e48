"""The middle of the terminal report: labels and raters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from assay.report.layout import GAP, Column, Row, brief, heading, paragraph, table
from assay.report.numbers import (
    MINUS,
    NOTHING,
    coefficient,
    count,
    counted,
    fixed,
    p_value,
    percent,
    share,
)
from assay.report.render import Summary

MOST_LABELS, MOST_COLUMNS, MOST_RATERS = 10, 8, 10
NAME = 24
EXTRA = ("SE", "p", "PABAK", "prevalence", "bias")
OPTIONAL = (
    ("specific", "specific_agreement", coefficient),
    ("conditional kappa", "conditional_kappa", coefficient),
    ("kappa", "category_kappa", coefficient),
    ("SE", "standard_error", coefficient),
    ("p", "p_value", p_value),
)


ASIDES = (
    ("specific_agreement", "specific: if one says it, how often another does"),
    ("category_kappa", "kappa: this label against the rest"),
)


def more(hidden: int, one: str, width: int) -> list[Text]:
    """A line for what is not shown."""
    if hidden <= 0:
        return []
    return paragraph(f"and {counted(hidden, 'more ' + one)}: --full", width, GAP, style="dim")


def measured(summary: Summary) -> bool:
    """Whether labels are measurements: many numbers, of which each alone says little."""
    scale = summary.get("scale") or {}
    number = scale.get("count", len(scale.get("categories", ())))
    return number > MOST_LABELS and scale.get("kind") in ("interval", "ratio")


def labels(summary: Summary, width: int, full: bool) -> list[Text]:
    """Each label's count and how well raters agree on it, the most used first."""
    found = list(summary.get("labels") or ())
    if not found or (measured(summary) and not full):
        return []
    if len(found) > MOST_LABELS and not full:
        found.sort(key=lambda row: -(row.get("count") or 0))
        found = found[:MOST_LABELS]
    hidden = len(summary["labels"]) - len(found)
    total = sum(row.get("count") or 0 for row in summary["labels"]) or 1
    used = [o for o in OPTIONAL if any(row.get(o[1]) is not None for row in found)]
    if not full:
        used = [o for o in used if o[0] != "SE"]
    columns = [Column("label", False, NAME), Column("ratings"), Column("share")]
    columns += [Column(header, extra=header in EXTRA) for header, _, _ in used]
    rows = [
        Row(
            (
                brief(row["label"]),
                count(row.get("count")),
                percent((row.get("count") or 0) / total),
                *(show(row.get(key)) for _, key, show in used),
            )
        )
        for row in found
    ]
    keys = {key for _, key, _ in used}
    asides = [text for key, text in ASIDES if key in keys]
    if asides and specific_is_f1(summary):
        asides[0] = asides[0].replace("specific:", "specific (F1):")
    return [
        *heading("Labels", width, "; ".join(asides)),
        *table(columns, rows, width),
        *more(hidden, "label", width),
    ]


def specific_is_f1(summary: Summary) -> bool:
    """Whether two raters' F1 of each label is the specific agreement that is shown already."""
    found = list(summary.get("pairs") or ())
    if len(found) != 1:
        return False
    known = {row["label"]: row.get("specific_agreement") for row in summary.get("labels") or ()}
    scored = {x["label"]: x["f1"] for x in found[0].get("labels") or () if x.get("f1") is not None}
    return bool(scored) and all(
        known.get(label) is not None and abs(known[label] - f1) < 1e-12
        for label, f1 in scored.items()
    )


def raters(summary: Summary, width: int, full: bool) -> list[Text]:
    """Each rater's label distribution; of many raters those who differ most."""
    found = list(summary.get("raters") or ())
    if not found:
        return []
    names = [str(row["label"]) for row in summary.get("labels") or ()]
    names = names or sorted({k for row in found for k in row["distribution"]})
    if len(found) > MOST_RATERS and not full:
        pooled = {n: sum(row["distribution"].get(n, 0) for row in found) for n in names}
        found.sort(key=lambda row: -_distance(row["distribution"], pooled))
        found = found[:MOST_RATERS]
    hidden = len(summary["raters"]) - len(found)
    if not any(row["distribution"] for row in found):
        aside, body = "", _totals(found, width)
    elif measured(summary):
        aside, body = "where each one's ratings lie", _spread(found, width)
    else:
        aside, body = "how often each used each label", _shares(found, names, width)
    if hidden:
        aside = "those whose labels differ most from everybody's"
    return [*heading("Raters", width, aside), *body, *more(hidden, "rater", width)]


def _totals(found: Sequence[Mapping[str, Any]], width: int) -> list[Text]:
    """Only how many ratings; the labels are too many to be listed."""
    columns = [Column("rater", False, NAME), Column("ratings")]
    return table(
        columns, [Row((brief(row["rater"]), count(row["ratings"]))) for row in found], width
    )


def _shares(found: Sequence[Mapping[str, Any]], names: list[str], width: int) -> list[Text]:
    """A column a label, or the three most used labels where there are many."""
    wide = len(names) <= MOST_COLUMNS
    columns = [Column("rater", False, NAME), Column("ratings")]
    columns += [Column(brief(n), limit=14) for n in names] if wide else [Column("most used", False)]
    rows = []
    for row in found:
        given = row["ratings"]
        shares = {n: row["distribution"].get(n, 0) / (given or 1) for n in names}
        top = sorted((n for n in names if shares[n]), key=lambda n: -shares[n])[:3]
        cells = [share(row["distribution"].get(n, 0), given) for n in names]
        if not wide:
            cells = [", ".join(f"{brief(n)} ({percent(shares[n])})" for n in top)]
        rows.append(Row((brief(row["rater"]), count(given), *cells)))
    return table(columns, rows, width)


def _spread(found: Sequence[Mapping[str, Any]], width: int) -> list[Text]:
    """Mean, standard deviation and range of each rater's ratings."""
    columns = [Column("rater", False, NAME), *map(Column, ("ratings", "mean", "SD", "min", "max"))]
    rows = []
    for row in found:
        values = [(float(x), n) for x, n in row["distribution"].items() if n]
        total = sum(n for _, n in values)
        mean = sum(x * n for x, n in values) / total if total else 0.0
        square = sum(n * (x - mean) ** 2 for x, n in values)
        cells = [
            fixed(mean, 3) if total else NOTHING,
            fixed((square / (total - 1)) ** 0.5, 3) if total > 1 else NOTHING,
            *(
                f"{pick(values)[0]:g}".replace("-", MINUS) if total else NOTHING
                for pick in (min, max)
            ),
        ]
        rows.append(Row((brief(row["rater"]), count(row["ratings"]), *cells)))
    return table(columns, rows, width)


def _distance(one: Mapping[str, float], all_: Mapping[str, float]) -> float:
    """Half the sum of the differences of two label distributions."""
    a, b = sum(one.values()) or 1, sum(all_.values()) or 1
    return sum(abs(one.get(n, 0) / a - x / b) for n, x in all_.items()) / 2

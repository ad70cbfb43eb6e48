"""The middle of the terminal report: labels, raters and pairs of raters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from assay.report.layout import GAP, Column, Row, clean, flow, heading, paragraph, table
from assay.report.numbers import coefficient, count, counted, fixed, p_value, percent
from assay.report.render import Summary
from assay.report.terminal_main import test_line

MOST_LABELS, MOST_RATERS, MOST_PAIRS = 10, 10, 8
NAME = 24
EXTRA = ("SE", "p", "PABAK", "prevalence", "bias")
OPTIONAL = (
    ("specific", "specific_agreement", coefficient),
    ("conditional kappa", "conditional_kappa", coefficient),
    ("kappa", "category_kappa", coefficient),
    ("SE", "standard_error", coefficient),
    ("p", "p_value", p_value),
)


def more(hidden: int, one: str, width: int) -> list[Text]:
    """A line for what is not shown."""
    if hidden <= 0:
        return []
    return paragraph(f"and {counted(hidden, 'more ' + one)}: --full", width, GAP, style="dim")


def labels(summary: Summary, width: int, full: bool) -> list[Text]:
    """Each label's count and how well raters agree on it, the most used first."""
    found = list(summary.get("labels") or ())
    if not found:
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
                clean(row["label"]),
                count(row.get("count")),
                percent((row.get("count") or 0) / total),
                *(show(row.get(key)) for _, key, show in used),
            )
        )
        for row in found
    ]
    keys = {key for _, key, _ in used}
    aside = "specific: if one says it, how often another does" * ("specific_agreement" in keys)
    if "category_kappa" in keys:
        aside += "; kappa: this label against all others" if aside else "kappa: this label"
    return [
        *heading("Labels", width, aside),
        *table(columns, rows, width),
        *more(hidden, "label", width),
    ]


def raters(summary: Summary, width: int, full: bool) -> list[Text]:
    """Each rater's label distribution; of many raters those who differ most."""
    found = list(summary.get("raters") or ())
    if not found:
        return []
    names = [str(row["label"]) for row in summary.get("labels") or ()]
    names = names or sorted({k for row in found for k in row["distribution"]})
    pooled = {n: sum(row["distribution"].get(n, 0) for row in found) for n in names}
    aside = "how often each used each label"
    if len(found) > MOST_RATERS and not full:
        found.sort(key=lambda row: -_distance(row["distribution"], pooled))
        found = found[:MOST_RATERS]
        aside = "those whose labels differ most from everybody's"
    hidden = len(summary["raters"]) - len(found)
    columns = [Column("rater", False, NAME), Column("ratings")]
    wide = len(names) <= 8
    if wide:
        columns += [Column(clean(n), limit=14) for n in names]
    else:
        columns.append(Column("most used", False))
    rows = []
    for row in found:
        shares = {n: row["distribution"].get(n, 0) / (row["ratings"] or 1) for n in names}
        top = sorted(names, key=lambda n: -shares[n])[:3]
        cells = (
            [percent(shares[n]) for n in names]
            if wide
            else [", ".join(f"{clean(n)} ({percent(shares[n])})" for n in top if shares[n])]
        )
        rows.append(Row((clean(row["rater"]), count(row["ratings"]), *cells)))
    return [
        *heading("Raters", width, aside),
        *table(columns, rows, width),
        *more(hidden, "rater", width),
    ]


def _distance(one: Mapping[str, float], all_: Mapping[str, float]) -> float:
    """Half the sum of the differences of two label distributions."""
    a, b = sum(one.values()) or 1, sum(all_.values()) or 1
    return sum(abs(one.get(n, 0) / a - x / b) for n, x in all_.items()) / 2


PAIR = (
    ("kappa", "cohen_kappa", coefficient),
    ("Po", "observed", coefficient),
    ("Pe", "expected", coefficient),
    ("ceiling", "maximum", coefficient),
    ("PABAK", "pabak", coefficient),
    ("prevalence", "prevalence_index", coefficient),
    ("bias", "bias_index", coefficient),
    ("items", "items", count),
)


ALONE = (
    ("ceiling of kappa", "maximum"),
    ("PABAK", "pabak"),
    ("prevalence index", "prevalence_index"),
    ("bias index", "bias_index"),
)


def pairs(summary: Summary, width: int, full: bool) -> list[Text]:
    """Pairs of raters, the lowest kappa first; for two raters their table and tests."""
    found = list(summary.get("pairs") or ())
    if not found:
        return []
    if len(found) == 1:
        lines = _alone(found[0], width)
        return [*heading("The two raters", width), *lines] if lines else []
    found.sort(key=lambda p: (p.get("cohen_kappa") is None, p.get("cohen_kappa") or 0.0))
    shown = found if full else found[:MOST_PAIRS]
    used = [
        (h, key, show)
        for h, key, show in PAIR
        if (full or h not in EXTRA) and any(p.get(key) is not None for p in shown)
    ]
    columns = [
        Column("raters", False, 2 * NAME),
        *(Column(h, extra=h in EXTRA) for h, _, _ in used),
    ]
    rows = [
        Row((_name(p), *(show(p.get(key)) for _, key, show in used)), below=_gap(p)) for p in shown
    ]
    ceiling = any(key == "maximum" for _, key, _ in used)
    aside = "ceiling: the most these label shares allow" if ceiling else ""
    lines = heading("Pairs, lowest kappa first", width, aside)
    lines += table(columns, rows, width)
    lines += more(len(found) - len(shown), "pair", width)
    for p in shown if full else ():
        lines += _detail(p, width, f"{_name(p)}: ")
    return lines + _overall_tests(summary, width)


def _alone(pair: Mapping[str, Any], width: int) -> list[Text]:
    """One pair: the table itself, and what its margins allow."""
    lines = _confusion(pair, width)
    figures = [
        f"{word} {coefficient(pair[key])}" for word, key in ALONE if pair.get(key) is not None
    ]
    lines += [Text(line) for line in flow(figures, width, GAP, "   ")]
    return lines + _detail(pair, width, "")


def _name(pair: Mapping[str, Any]) -> str:
    return " – ".join(clean(r) for r in pair["raters"])


def _gap(pair: Mapping[str, Any]) -> str:
    why = pair.get("undefined")
    if pair.get("cohen_kappa") is not None or not why:
        return ""
    reason = why["reason"] if isinstance(why, Mapping) else why
    return f"kappa not defined, because {clean(reason)}"


def _detail(pair: Mapping[str, Any], width: int, who: str) -> list[Text]:
    lines: list[Text] = []
    values = [f"{c} {coefficient(v)}" for c, v in (pair.get("correlations") or {}).items() if v]
    if values:
        lines += paragraph(who + ", ".join(values).replace("_", " "), width, GAP, GAP * 2)
    limits = pair.get("bland_altman")
    if limits:
        text = (
            f"differences: mean {fixed(limits['mean'], 3)}, standard deviation "
            f"{fixed(limits['sd'], 3)}, 95 % of them between {fixed(limits['low'], 3)} and "
            f"{fixed(limits['high'], 3)} (Bland-Altman)"
        )
        lines += paragraph(who + text, width, GAP, GAP * 2)
    for test in pair.get("marginal_tests") or ():
        lines += paragraph(f"{who}equal label shares? {test_line(test)}", width, GAP, GAP * 2)
    scored = [x for x in pair.get("labels") or () if x.get("f1") is not None]
    if scored:
        text = ", ".join(f"{clean(x['label'])} {coefficient(x['f1'])}" for x in scored[:10])
        lines += paragraph(f"{who}F1 per label: {text}", width, GAP, GAP * 2)
    return lines


def _confusion(pair: Mapping[str, Any], width: int) -> list[Text]:
    grid = pair.get("confusion")
    if not grid or not 2 <= len(grid["labels"]) <= 8:
        return []
    a, b = (clean(r) for r in pair["raters"])
    columns = [Column(f"{a} ↓  {b} →", False, 28)]
    columns += [Column(clean(x), limit=14) for x in grid["labels"]]
    rows = [
        Row((clean(x), *(count(cell) for cell in line)))
        for x, line in zip(grid["labels"], grid["counts"], strict=True)
    ]
    return table(columns, rows, width)


def _overall_tests(summary: Summary, width: int) -> list[Text]:
    lines: list[Text] = []
    for test in summary.get("marginal_tests") or ():
        text = f"equal label shares of all raters? {test_line(test)}"
        lines += paragraph(text, width, GAP, GAP * 2)
    return lines

"""The tables of an evaluation below its means, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from assay.report.evaluate.cells import scored, won
from assay.report.evaluate.figures import decimals, mean, span
from assay.report.evaluate.mixed import differences as mixed_pairs
from assay.report.evaluate.mixed import sentences, variances
from assay.report.evaluate.rows import (
    LEVELS,
    METRICS,
    Table,
    metric_name,
    pair_name,
    rater_shares,
    several,
    unordered,
)
from assay.report.evaluate.rows import shares as share_tables
from assay.report.evaluate.words import CORRECTIONS, Summary, of
from assay.report.layout import GAP, Column, Row, brief, heading, paragraph, table, told
from assay.report.numbers import coefficient, count, counted, interval, p_value, percent

MANY = 30
"""Of more pairs of systems, those of the mixed model are left to --full."""


def differences(summary: Summary, width: int) -> list[Text]:
    """Every pair with its difference, p and effect sizes."""
    columns = [Column("pair", False), Column("mean"), Column("interval"), Column("p")]
    columns += [Column("Cliff's δ"), Column("d_z", extra=True), Column("items", extra=True)]
    rows, places = [], decimals(summary)
    for pair in summary["comparisons"]:
        digits = places[pair["dimension"]]
        cells = (
            pair_name(pair, summary),
            mean(pair["mean_difference"], digits),
            span(pair["interval"], digits),
            p_value(pair["p_decisive"]) + ("*" if pair["significant"] else ""),
            coefficient(pair["effects"]["cliffs_delta"]),
            coefficient(pair["effects"]["cohens_dz"]),
            count(pair["items"]),
        )
        rows.append(Row(cells))
    return table(columns, rows, width)


def wins(summary: Summary, width: int) -> list[Text]:
    """Wins, ties and losses of every pair, and the win rate by the three conventions."""
    pairs = summary["comparisons"]
    found = won(pairs)
    what = {
        "ratings": "a rater's two ratings of an item",
        "items": "the two means of an item",
    }[found[0]["basis"]]
    lines = heading("Wins", width, f"of the first system, from {what}")
    columns = [Column("pair", False), Column("win"), Column("tie"), Column("lose")]
    columns += [Column("ties left out"), Column("ties half"), Column("ties lost")]
    rows = []
    for pair, w in zip(pairs, found, strict=True):
        cells = (
            pair_name(pair, summary),
            *(count(w[k]) for k in ("wins", "ties", "losses")),
            *(percent(w[k]) for k in ("ties_excluded", "ties_half", "ties_lost")),
        )
        rows.append(Row(cells))
    return lines + table(columns, rows, width)


def mixed_lines(summary: Summary, width: int, full: bool) -> list[Text]:
    """The mixed model: every pair, the variances, and what to know about them."""
    settings, lines = summary["settings"], []
    aside = f"differences; p by Wald, corrected: {CORRECTIONS[settings['correction']]}"
    pairs, parts = mixed_pairs(summary), variances(summary)
    if pairs:
        columns = [Column("pair", False), Column("mean"), Column("se", extra=True)]
        columns += [Column("interval"), Column("z", extra=True), Column("p")]
        rows = [Row(row) for row in pairs.rows]
        lines += heading("Mixed model", width, aside)
        if full or len(rows) <= MANY:
            lines += table(columns, rows, width)
        else:
            lines += paragraph(f"{len(rows)} pairs of systems: --full", width, GAP, GAP * 2)
    if parts:
        lines += [Text("")] if lines else []
        columns = [Column("effect", False), Column("n"), Column("variance"), Column("share")]
        rows = [Row(row) for row in parts.rows]
        title = "Variance of a rating"
        lines += heading(title, width, "by the mixed model") + table(columns, rows, width)
    said = sentences(summary)
    lines += heading("Mixed model", width) if said and not lines else []
    for text in said:
        lines += paragraph(told(text), width, GAP, GAP * 2, style="dim")
    return lines


def metric_lines(summary: Summary, width: int, full: bool) -> list[Text]:
    """Correlations of metrics with people; each with its interval if ``full``."""
    found = summary["metrics"]
    if not found:
        return []
    lines = heading("Metrics", width, "correlation with the people's means; interval of Spearman's")
    rows = [_metric_row(one, summary) for one in _by_place(found)]
    columns = [Column("metric", False, 40), Column("level", False), Column("Pearson")]
    columns += [Column("Spearman"), Column("interval"), Column("Kendall"), Column("n")]
    if full:
        lines = heading("Metrics", width, "correlation with the people's means")
        columns = [Column("metric", False, 40), Column("level", False)]
        columns += [Column("coefficient", False), Column("value"), Column("interval"), Column("n")]
        rows = [
            Row((metric_name(m, summary), LEVELS[m["level"]], METRICS[m["coefficient"]],
                 coefficient(m["value"]), interval(m["interval"]), count(m["used"])))
            for m in found
        ]  # fmt: skip
    lines += table(columns, rows, width)
    why = [
        f"{LEVELS[one['level']]}: not defined, because {one['undefined']['reason']}"
        for one in found
        if one["undefined"]
    ]
    for text in dict.fromkeys(why):
        lines += paragraph(text, width, GAP, GAP * 2, style="dim")
    return lines


def _by_place(found: Sequence[Any]) -> list[dict[str, Any]]:
    """The three coefficients of a metric, dimension and level together."""
    out: dict[tuple[str, str, str], dict[str, Any]] = {}
    for one in found:
        out.setdefault((one["metric"], one["dimension"], one["level"]), {})[one["coefficient"]] = (
            one
        )
    return list(out.values())


def _metric_row(three: dict[str, Any], summary: Summary) -> Row:
    rho = three["spearman"]
    return Row(
        (
            metric_name(rho, summary),
            LEVELS[rho["level"]],
            coefficient(three["pearson"]["value"]),
            coefficient(rho["value"]),
            interval(rho["interval"]),
            coefficient(three["kendall_tau"]["value"]),
            count(rho["used"]),
        )
    )


def own(summary: Summary, width: int) -> list[Text]:
    """How far raters agree with themselves."""
    if not summary["intra_rater"]:
        return []
    lines = heading("The same rater again", width)
    for one in summary["intra_rater"]:
        found = {c["name"]: c for c in one["coefficients"]}
        share = found["percent_agreement"]
        text = f"{counted(one['pairs'], 'output')} rated twice or more by one rater: "
        text += f"{percent(share['value'])} equal, alpha "
        value = found["krippendorff_alpha"]
        text += f"{coefficient(value['value'])} {interval(value['interval'], missing='')}".rstrip()
        where = f"{brief(one['dimension'])}: " if several(summary) else ""
        lines += paragraph(where + text, width, GAP, GAP * 2)
    return lines


def rater_table(summary: Summary, width: int) -> list[Text]:
    """Every rater: how severe, how much of the scale, how like the others."""
    lines: list[Text] = []
    places = decimals(summary)
    for name in scored(summary):
        found, digits = of(summary, "raters", name), places[name]
        if not found:
            continue
        aside = "severity: mean difference from the output's mean; r: with the mean of the others"
        lines += [Text("")] if lines else []
        lines += heading(f"Raters: {brief(name)}", width, aside)
        columns = [Column("rater", False, 24), Column("ratings"), Column("mean"), Column("sd")]
        columns += [Column("severity"), Column("interval"), Column("r")]
        columns += [Column("points", extra=True), Column("lowest", extra=True)]
        columns += [Column("highest", extra=True)]
        rows = []
        for r in found:
            cells = (
                brief(r["rater"]),
                count(r["ratings"]),
                mean(r["mean"], digits),
                mean(r["standard_deviation"], digits),
                mean(r["severity"], digits),
                span(r["interval"], digits),
                coefficient(r["correlation"]),
                count(r["points_used"]),
                percent(r["share_low"]),
                percent(r["share_high"]),
            )
            rows.append(Row(cells))
        lines += table(columns, rows, width)
    for name in unordered(summary):
        labels = rater_shares(summary, name)
        if labels is not None:
            lines += [Text("")] if lines else []
            lines += _labels(f"Raters: {brief(name)}", labels, width)
    return lines


def shares(summary: Summary, names: Sequence[str], width: int) -> list[Text]:
    """How often each label was given to each system."""
    lines: list[Text] = []
    for name, found in share_tables(summary, names):
        lines += ([Text("")] if lines else []) + _labels(f"Shares: {brief(name)}", found, width)
    return lines


def _labels(title: str, found: Table, width: int) -> list[Text]:
    """Shares of labels, with what is said of them below."""
    who, ratings, *labels = found.heads
    columns = [Column(who.lower(), False, 28), *map(Column, (ratings.lower(), *labels))]
    rows = [Row(row) for row in found.rows]
    below = paragraph(found.caption, width, GAP, GAP * 2, style="dim")
    return [*heading(title, width), *table(columns, rows, width), *below]

"""The tables of an evaluation as cells of plain text, for pages and Markdown alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.report.evaluate.cells import scored, won
from assay.report.evaluate.figures import decimals, mean, span
from assay.report.evaluate.words import CORRECTIONS, TESTS, Summary, alpha, of
from assay.report.layout import brief
from assay.report.numbers import coefficient, count, interval, p_value, percent

METRICS = {"pearson": "Pearson", "spearman": "Spearman", "kendall_tau": "Kendall's tau-b"}
LEVELS = {"pooled": "all outputs", "system": "systems", "item": "within items"}
LABELS = 10
"""The labels with a column of their own; others stand together in one."""


@dataclass(frozen=True, slots=True)
class Table:
    """Heads, rows that begin with a name, and what is said below."""

    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    caption: str


def several(summary: Summary) -> bool:
    """Whether rows have to say their dimension."""
    return len(summary["dimensions"]) > 1


def pair_name(pair: Any, summary: Summary) -> str:
    """What a row of two systems is called."""
    where = f"{brief(pair['dimension'], 20)}: " if several(summary) else ""
    return f"{where}{brief(pair['a'], 24)} − {brief(pair['b'], 24)}"


def pairs(summary: Summary) -> Table | None:
    """Every pair of systems with its difference, p, effect size, and wins."""
    found, places = summary["comparisons"], decimals(summary)
    if not found:
        return None
    rows = []
    for pair, w in zip(found, won(found), strict=True):
        n, digits = w["wins"] + w["ties"] + w["losses"], places[pair["dimension"]]
        rows.append(
            (
                pair_name(pair, summary),
                mean(pair["mean_difference"], digits),
                span(pair["interval"], digits),
                p_value(pair["p_decisive"]) + ("*" if pair["significant"] else ""),
                coefficient(pair["effects"]["cliffs_delta"]),
                *(percent(w[k] / n if n else None) for k in ("wins", "ties", "losses")),
            )
        )
    settings = summary["settings"]
    test, correction = TESTS[settings["test"]], CORRECTIONS[settings["correction"]]
    return Table(
        ("Pair", "Difference", "Interval", "p", "Cliff's δ", "Win", "Tie", "Lose"),
        rows,
        f"Differences between systems. p: {test}, corrected: {correction}; * below "
        f"{settings['alpha']:g}.",
    )


def metric_name(one: Any, summary: Summary) -> str:
    """What a row of a metric is called."""
    where = f" ({brief(one['dimension'], 20)})" if several(summary) else ""
    return brief(one["metric"], 30) + where


def metrics(summary: Summary) -> Table | None:
    """Correlations of metrics with people."""
    found = summary["metrics"]
    if not found:
        return None
    rows = [
        (
            metric_name(m, summary),
            LEVELS[m["level"]],
            METRICS[m["coefficient"]],
            coefficient(m["value"]),
            interval(m["interval"]),
            count(m["used"]),
        )
        for m in found
    ]
    heads = ("Metric", "Level", "Coefficient", "Value", "Interval", "n")
    return Table(heads, rows, "Correlation of metrics with the people's means.")


def shares(summary: Summary, names: Sequence[str]) -> Iterator[tuple[str, Table]]:
    """How often each label was given to each system, of some dimensions, in per cent."""
    for name in names:
        given = [
            (r["system"], {s["label"]: s["count"] for s in r["shares"]}, r["ratings"])
            for r in of(summary, "systems", name)
        ]
        table = _shared("System", name, given, listed=_listed(summary, name))
        if table is not None:
            agreed = coefficient(alpha(summary, name)["value"])
            text = f"{table.caption} Krippendorff's alpha {agreed}."
            yield name, Table(table.heads, table.rows, text)


def unordered(summary: Summary) -> list[str]:
    """The dimensions whose values are names, which have shares and no means."""
    means = scored(summary)
    return [d["dimension"] for d in summary["dimensions"] if d["dimension"] not in means]


def _listed(summary: Summary, name: str) -> bool:
    """Whether the labels of a dimension are listed, and so have an order."""
    return any(d["labels"] for d in of(summary, "dimensions", name))


def _shared(
    who: str, name: str, given: Sequence[tuple[str, Mapping[str, int], int]], *, listed: bool
) -> Table | None:
    """Shares of labels, the most frequent in columns of their own where there are many.

    Labels that are not ``listed`` come in the order of how often they were given.
    """
    totals: dict[str, int] = {}
    for _, counts, _ in given:
        for label, n in counts.items():
            totals[label] = totals.get(label, 0) + n
    if not totals:
        return None
    shown = list(totals) if listed else sorted(totals, key=lambda label: (-totals[label], label))
    if len(shown) > LABELS + 1:
        often = set(sorted(shown, key=lambda label: -totals[label])[:LABELS])
        shown = [label for label in shown if label in often]
    rest = len(totals) - len(shown)
    rows = []
    for one, counts, n in given:
        parts = [counts.get(label, 0) for label in shown]
        parts += [n - sum(parts)] if rest else []
        rows.append((brief(one, 40), count(n), *(percent(k / n if n else None) for k in parts)))
    heads = (who, "Ratings", *(brief(label, 24) for label in shown))
    heads += (f"{rest} others",) if rest else ()
    return Table(heads, rows, f"{brief(name)}: shares of the ratings of each {who.lower()}.")


def rater_shares(summary: Summary, name: str) -> Table | None:
    """How often each rater gave each label of a dimension."""
    found = of(summary, "raters", name)
    given = [(r["rater"], r["distribution"] or {}, r["ratings"]) for r in found]
    return _shared("Rater", name, given, listed=_listed(summary, name))


def raters(summary: Summary) -> Iterator[Table]:
    """Every rater of each dimension: severity and use of the scale, or shares of labels."""
    places, means = decimals(summary), scored(summary)
    for name, digits in places.items():
        found = of(summary, "raters", name)
        if name not in means and (table := rater_shares(summary, name)):
            yield table
        if name not in means or not found:
            continue
        rows = [
            (
                brief(r["rater"], 40),
                count(r["ratings"]),
                mean(r["mean"], digits),
                mean(r["standard_deviation"], digits),
                mean(r["severity"], digits),
                coefficient(r["correlation"]),
                percent(r["share_low"]),
                percent(r["share_high"]),
            )
            for r in found
        ]
        heads = ("Rater", "Ratings", "Mean", "SD", "Severity", "r with others", "Lowest", "Highest")
        yield Table(heads, rows, f"Raters: {brief(name)}.")

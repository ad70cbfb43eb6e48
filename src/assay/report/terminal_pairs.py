"""Pairs of raters in the terminal report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from assay.report.lab_lines import in_the_lab, opened_at
from assay.report.layout import GAP, Column, Row, brief, flow, heading, paragraph, table, told
from assay.report.names import title
from assay.report.numbers import coefficient, count, fixed
from assay.report.pair_order import Ranking, left_out, ranked
from assay.report.render import Summary
from assay.report.terminal_data import EXTRA, MOST_LABELS, NAME, measured, more, specific_is_f1
from assay.report.terminal_main import test_line

MOST_PAIRS = 8

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


CLOSE = ("lin_ccc", "pearson", "spearman", "kendall_tau")
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
        text = left_out(summary)
        return [*heading("Pairs", width), *paragraph(text, width, GAP)] if text else []
    if len(found) == 1:
        lines = _alone(found[0], summary, width, full)
        return [*heading("The two raters", width), *lines] if lines else []
    if measured(summary) and any(p.get("correlations") for p in found):
        return _correlated(summary, width, full)
    order = ranked(found)
    found = list(order.pairs)
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
    lines += _rest(summary, order, len(shown), width)
    for p in shown if full else ():
        lines += _detail(p, width, f"{_name(p)}: ", True)
    lines += _overall_tests(summary, width)
    if full:
        return lines + opened_at([(_name(p), p.get("lab")) for p in shown], width)
    return lines + in_the_lab(_name(shown[0]), shown[0].get("lab"), width)


def _rest(summary: Summary, order: Ranking, shown: int, width: int) -> list[Text]:
    """Lines for the pairs behind those that are shown, and for those that share few items."""
    lines = more(len(order.pairs) - shown, "pair", width)
    for text in (left_out(summary), order.remark()):
        lines += paragraph(text, width, GAP, style="dim") if text else []
    return lines


def _correlated(summary: Summary, width: int, full: bool) -> list[Text]:
    """Pairs whose ratings are measurements: how close their values are."""

    def close(pair: Mapping[str, Any], name: str) -> float | None:
        value: float | None = (pair.get("correlations") or {}).get(name)
        return value

    found = summary["pairs"]
    used = [name for name in CLOSE if any(close(p, name) is not None for p in found)]
    first = used[0] if used else CLOSE[0]
    order = ranked(found, lambda pair: close(pair, first))
    shown = order.pairs if full else order.pairs[:MOST_PAIRS]
    columns = [Column("raters", False, 2 * NAME)]
    columns += [Column(title({"name": name})) for name in used] + [Column("items")]
    rows = [
        Row(
            (
                _name(pair),
                *(coefficient(close(pair, name)) for name in used),
                count(pair.get("items")),
            )
        )
        for pair in shown
    ]
    lines = heading(f"Pairs, lowest {title({'name': first})} first", width)
    lines += table(columns, rows, width)
    lines += _rest(summary, order, len(shown), width)
    for pair in shown if full else ():
        lines += _detail(pair, width, f"{_name(pair)}: ", False)
    return lines


def _alone(pair: Mapping[str, Any], summary: Summary, width: int, full: bool) -> list[Text]:
    """One pair: the table itself, and what its margins allow."""
    lines = _confusion(pair, width)
    figures = [
        f"{word} {coefficient(pair[key])}" for word, key in ALONE if pair.get(key) is not None
    ]
    lines += [Text(line) for line in flow(figures, width, GAP, "   ")]
    few = len(summary.get("labels") or ()) <= MOST_LABELS
    said = specific_is_f1(summary) and few and not full
    lines += _detail(pair, width, "", few or full, scores=not said)
    return lines + in_the_lab("", pair.get("lab"), width)


def _name(pair: Mapping[str, Any]) -> str:
    return " – ".join(brief(r) for r in pair["raters"])


def _gap(pair: Mapping[str, Any]) -> str:
    why = pair.get("undefined")
    if pair.get("cohen_kappa") is not None or not why:
        return ""
    reason = why["reason"] if isinstance(why, Mapping) else why
    return f"kappa not defined, because {told(reason)}"


def _detail(
    pair: Mapping[str, Any], width: int, who: str, by_label: bool, *, scores: bool = True
) -> list[Text]:
    """What is known of one pair; ``by_label`` also what is counted label by label."""
    lines: list[Text] = []
    known = (pair.get("correlations") or {}).items() if who else ()
    values = [f"{title({'name': c})} {coefficient(v)}" for c, v in known if v is not None]
    if values:
        lines += paragraph(who + ", ".join(values), width, GAP, GAP * 2)
    limits = pair.get("bland_altman")
    if limits:
        text = (
            f"differences: mean {fixed(limits['mean'], 3)}, standard deviation "
            f"{fixed(limits['sd'], 3)}, 95 % of them between {fixed(limits['low'], 3)} and "
            f"{fixed(limits['high'], 3)} (Bland-Altman)"
        )
        lines += paragraph(who + text, width, GAP, GAP * 2)
    tests = (pair.get("marginal_tests") or ()) if by_label else ()
    if tests:
        text = f"equal label shares? {'; '.join(map(test_line, tests))}"
        lines += paragraph(who + text, width, GAP, GAP * 2)
    scored = [x for x in pair.get("labels") or () if x.get("f1") is not None]
    if scored and by_label and scores:
        text = ", ".join(f"{brief(x['label'])} {coefficient(x['f1'])}" for x in scored[:10])
        lines += paragraph(f"{who}F1 per label: {text}", width, GAP, GAP * 2)
    return lines


def _confusion(pair: Mapping[str, Any], width: int) -> list[Text]:
    grid = pair.get("confusion")
    if not grid or not 2 <= len(grid["labels"]) <= 8:
        return []
    a, b = (brief(r) for r in pair["raters"])
    columns = [Column(f"{a} ↓  {b} →", False, 28)]
    columns += [Column(brief(x), limit=14) for x in grid["labels"]]
    rows = [
        Row((brief(x), *(count(cell) for cell in line)))
        for x, line in zip(grid["labels"], grid["counts"], strict=True)
    ]
    return table(columns, rows, width)


def _overall_tests(summary: Summary, width: int) -> list[Text]:
    lines: list[Text] = []
    for test in summary.get("marginal_tests") or ():
        text = f"equal label shares of all raters? {test_line(test)}"
        lines += paragraph(text, width, GAP, GAP * 2)
    return lines

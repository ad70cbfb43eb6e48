"""What a reader should know before quoting an evaluation: warnings and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from assay.evaluation.metric import Scored
from assay.evaluation.table import Dimension, Remark, SystemRatings
from assay.report.numbers import counted

SHOWN = 5


def remarks(
    ratings: SystemRatings,
    summary: Mapping[str, Any],
    scored: Mapping[tuple[str, str], Scored | None],
) -> list[Remark]:
    """All of them, in the order in which a reader meets the numbers."""
    out: list[Remark] = []
    for made in ratings.dimensions:
        found = (*_left_out(made, summary["settings"]), *_design(made))
        out += [replace(r, dimension=made.name) for r in found]
    out += _raters(summary)
    out += _pairs(summary)
    if not ratings.has_raters:
        text = (
            "no column of raters: z-scores, severity and intra-rater agreement need one, and a "
            "rater who rated an output twice cannot be seen"
        )
        out.append(Remark("no_raters", text))
    for (metric, dimension), data in scored.items():
        out += [
            Remark(r.code, f"metric {metric}: {r.message}", r.level, dimension)
            for r in _metric(data)
        ]
    return out


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _left_out(made: Dimension, settings: Mapping[str, Any]) -> Iterator[Remark]:
    if made.missing:
        yield Remark("missing_values", f"rows without a value left out: {made.missing:,}")
    if made.repeats is not None:
        text = (
            f"{counted(made.repeats.n, 'rating')} of a rater's output that was rated before: the "
            f"{settings['repeats']} counts, the others are intra-rater data"
        )
        yield Remark("repeats", text)
    if made.cut is not None:
        text = (
            f"{counted(made.cut.n, 'rating')} beyond the first {settings['first']} of an output "
            "left out, as asked"
        )
        yield Remark("beyond_first", text)


def _design(made: Dimension) -> Iterator[Remark]:
    """Systems with different items, and outputs with one rating."""
    items = {
        made.system_names[s]: len(np.unique(made.items[made.systems == s]))
        for s in np.unique(made.systems).tolist()
    }
    whole = len(np.unique(made.items))
    partial = [f"{name} {n:,}" for name, n in items.items() if n < whole]
    if partial:
        text = (
            f"systems were rated on different items ({_listed(partial)} of {whole:,}), so their "
            "means are over different items; tests use the items that both have"
        )
        yield Remark("different_items", text, "warning")
    yield from _lone(made)
    counts = made.units.counts()
    if counts.max(initial=0) < 2:
        text = "every output has one rating, so there is no agreement between raters to measure"
        yield Remark("one_rating_each", text, "warning")


def _lone(made: Dimension) -> Iterator[Remark]:
    """A value given once that is far from all others: a slip of the keyboard, perhaps."""
    points = made.points
    if points is None or made.categories.declared:
        return
    counts = np.bincount(made.labels, minlength=len(points))
    used = np.flatnonzero(counts)
    used = used[np.argsort(points[used])]
    if len(used) < 4 or made.n < 20:
        return
    for end, inner in ((used[-1], used[:-1]), (used[0], used[1:])):
        inside = float(points[inner[-1]] - points[inner[0]])
        gap = float(abs(points[end] - points[inner]).min())
        if counts[end] == 1 and gap > inside / 2.0:
            text = (
                f"the value {made.categories.texts[int(end)]} was given once, and all others lie "
                f"between {points[inner].min():g} and {points[inner].max():g}"
            )
            yield Remark("lone_value", text, "warning")


def _raters(summary: Mapping[str, Any]) -> Iterator[Remark]:
    for one in summary["dimensions"]:
        rows = [r for r in summary["raters"] if r["dimension"] == one["dimension"]]
        flat = [f"{r['rater']} ({r['ratings']:,} ratings)" for r in rows if r["constant"]]
        if flat:
            text = f"the same value throughout: {_listed(flat)}; they have no z-scores"
            yield Remark("constant_raters", text, "warning", one["dimension"])
        turned = [
            f"{r['rater']} (r = {r['correlation']:.2f} with the others on "
            f"{r['outputs_shared']:,} outputs)"
            for r in rows
            if r["reversed"]
        ]
        if turned:
            text = (
                f"rated against the others: {_listed(turned)}. The usual cause is a scale "
                "read backwards"
            )
            text = text.replace("= -", "= −")
            yield Remark("reversed_raters", text, "warning", one["dimension"])


def _pairs(summary: Mapping[str, Any]) -> Iterator[Remark]:
    apart = [f"{c['a']} and {c['b']}" for c in summary["comparisons"] if not c["items"]]
    if apart:
        text = f"no shared item, so not compared: {_listed(list(dict.fromkeys(apart)))}"
        yield Remark("pairs_not_compared", text, "warning")


def _metric(data: Scored | None) -> Iterator[Remark]:
    if data is None:
        return
    if data.without:
        text = f"{counted(data.without, 'output')} without a value left out"
        yield Remark("metric_missing", text)
    if data.varying:
        text = (
            f"different values on the rows of {counted(data.varying, 'output')}; their mean is "
            "taken"
        )
        yield Remark("metric_varies", text)

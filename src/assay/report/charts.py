"""The pictures of a report on agreement: each with its finding, its caption and its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from assay.report.charts_heat import Cell, heat
from assay.report.charts_order import clustered
from assay.report.layout import brief
from assay.report.names import title
from assay.report.numbers import (
    coefficient,
    count,
    counted,
    fixed,
    interval,
    level,
    percent,
    share,
)
from assay.report.pair_order import ranked
from assay.report.render import Summary, ordered
from assay.report.svg import Axis, Dot, intervals, svg, text
from assay.report.terminal_data import measured

FROM_CHANCE = Axis(((0.0, "0"), (0.5, ".5"), (1.0, "1")))
WHOLE = Axis(((-1.0, "−1"), (0.0, "0"), (1.0, "1")))
MATRIX_RATERS, NUMBERED = 60, 12
"""The most raters of a matrix, and those up to which its cells have three decimals."""
SHARE_RATERS, SHARE_LABELS = 60, 12
CONFUSION_LABELS = 30
BAR = 34


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and what goes with it.

    Attributes
    ----------
    kind
        What it is asked for by: a name of :data:`PICTURES`.
    finding
        A title that says what is to be seen.
    caption
        How it was made.
    svg
        The drawing; its looks are classes of the page's style sheet.
    heads, rows
        The same as a table: a name first, then figures.
    """

    kind: str
    finding: str
    caption: str
    svg: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def intervals_picture(summary: Summary) -> Picture | None:
    """All coefficients with their intervals on one axis."""
    chosen, others, _ = ordered(summary)
    shown = [c for c in (*chosen, *others) if c.get("value") is not None]
    if not shown:
        return None
    lows = [c["value"] for c in shown] + [c["interval"]["low"] for c in shown if c.get("interval")]
    axis = FROM_CHANCE if min(lows) >= 0.0 else WHOLE
    sure = level(summary.get("level", 0.95))
    lead = shown[0]
    finding = f"{title(lead, summary)} is {coefficient(lead['value'])}"
    if lead.get("interval"):
        low, high = (fixed(lead["interval"][end], 3) for end in ("low", "high"))
        finding += f", its {sure} interval {low} to {high}"
    heads = ("", "value", f"{sure} interval", "Po", "Pe", "SE", "items")
    rows = tuple(
        (
            title(c, summary),
            coefficient(c["value"]),
            interval(c.get("interval")),
            coefficient(c.get("observed")),
            coefficient(c.get("expected")),
            coefficient(c.get("standard_error")),
            count(c.get("items")),
        )
        for c in shown
    )
    dots = [_dot(c, summary) for c in shown]
    return Picture(
        "intervals",
        finding,
        f"Values as dots, {sure} intervals as whiskers, all on one axis. Coefficients ask "
        "different questions, so their values are not to be compared with one another.",
        intervals(dots, axis, f"Coefficients with {sure} intervals"),
        heads,
        rows,
    )


def _dot(c: Mapping[str, Any], summary: Summary) -> Dot:
    got = c.get("interval")
    low, high = (got["low"], got["high"]) if got else (None, None)
    said = f"{coefficient(c['value'])} {interval(got, missing='')}".strip()
    return Dot(title(c, summary), "", said, c["value"], low, high)


def pairs_in_order(summary: Summary) -> list[Any]:
    """The pairs of raters, those that agree least first."""
    return list(ranked(summary.get("pairs") or ()).pairs)


def confusion_picture(summary: Summary, raters: Sequence[str] | None = None) -> Picture | None:
    """The table of two raters: those named, else the pair that agrees least."""
    for pair in pairs_in_order(summary):
        if pair.get("confusion") and (raters is None or set(raters) == set(pair["raters"])):
            return confusion_of(pair)
    return None


def confusion_of(pair: Mapping[str, Any]) -> Picture | None:
    """The table of one pair of raters."""
    grid = pair.get("confusion")
    if not grid or not grid["labels"]:
        return None
    labels, counts = [str(x) for x in grid["labels"]], grid["counts"]
    a, b = (brief(r) for r in pair["raters"])
    total = sum(map(sum, counts)) or 1
    same = sum(counts[k][k] for k in range(len(labels)))
    most = max(map(max, counts)) or 1
    cells = [
        [
            Cell(count(n), n / most, "same" if i == j else "cell", bool(n) and i != j)
            for j, n in enumerate(row)
        ]
        for i, row in enumerate(counts)
    ]
    finding = f"{a} and {b} agree on {count(same)} of {counted(total, 'item')}"
    apart = [(n, i, j) for i, row in enumerate(counts) for j, n in enumerate(row) if i != j and n]
    if apart:
        n, i, j = min(apart, key=lambda one: (-one[0], one[1:]))
        x, y = brief(labels[i], 24), brief(labels[j], 24)
        finding += f"; most apart where {a} says {x} and {b} {y} ({count(n)})"
    return Picture(
        "confusion",
        finding,
        f"{a} in rows, {b} in columns. The same label is outlined; colour by the number of items.",
        heat(labels, labels, cells, f"{a} in rows, {b} in columns"),
        (f"{a} ↓  {b} →", *map(brief, labels)),
        tuple((brief(name), *map(count, row)) for name, row in zip(labels, counts, strict=True)),
    )


def shares_picture(summary: Summary) -> Picture | None:
    """How often each rater used each label."""
    raters = list(summary.get("raters") or ())[:SHARE_RATERS]
    rows = summary.get("labels") or ()
    names = [str(row["label"]) for row in rows]
    if not raters or not names:
        return None
    # The most used labels, in their order.
    most = sorted(range(len(rows)), key=lambda k: -rows[k]["count"])[:SHARE_LABELS]
    names = [names[k] for k in sorted(most)]
    shares = [
        [
            row["distribution"].get(name, 0) / row["ratings"] if row["ratings"] else None
            for name in names
        ]
        for row in raters
    ]
    finding = _widest(names, shares) if len(raters) > 1 else ""
    finding = finding or "How often each rater used each label"
    cells = [
        [None if x is None else Cell(percent(x).removesuffix(" %"), x) for x in row]
        for row in shares
    ]
    who = [brief(row["rater"]) for row in raters]
    left = len(summary["raters"]) - len(raters)
    caption = "In per cent of each rater's ratings."
    if len(rows) > len(names):
        caption += f" {counted(len(rows) - len(names), 'rarer label')} not shown."
    if left:
        caption += f" {counted(left, 'more rater')} not shown."
    return Picture(
        "distribution",
        finding,
        caption,
        heat(who, names, cells, "Share of each label by rater, in per cent"),
        ("rater", "ratings", *map(brief, names)),
        tuple(
            (
                brief(row["rater"]),
                count(row["ratings"]),
                *(share(row["distribution"].get(n, 0), row["ratings"]) for n in names),
            )
            for row in raters
        ),
    )


def _widest(names: Sequence[str], shares: Sequence[Sequence[float | None]]) -> str:
    """The label whose shares differ most between raters, in words."""
    best, finding = 0.0, ""
    for k, name in enumerate(names):
        known = [x for row in shares if (x := row[k]) is not None]
        if known and max(known) - min(known) > best:
            best = max(known) - min(known)
            finding = (
                f"Raters differ most in {brief(name, 30)}: from {percent(min(known))} of their "
                f"ratings to {percent(max(known))}"
            )
    return finding


def pair_value(summary: Summary) -> tuple[str, Callable[[Any], float | None]]:
    """What is shown of a pair: kappa, or for measurements how close their values are."""
    pairs = summary.get("pairs") or ()
    if measured(summary):
        for name in ("lin_ccc", "pearson", "spearman"):
            if any((p.get("correlations") or {}).get(name) is not None for p in pairs):
                return title({"name": name}), partial(_correlation, name)
    weighted = summary.get("weights", "identity") != "identity"
    return "Weighted kappa" if weighted else "Cohen's kappa", lambda p: p.get("cohen_kappa")


def _correlation(name: str, pair: Any) -> float | None:
    found: float | None = (pair.get("correlations") or {}).get(name)
    return found


def matrix_picture(summary: Summary) -> Picture | None:
    """Kappa of every two raters; raters who agree stand together."""
    names = [str(row["rater"]) for row in summary.get("raters") or ()]
    pairs = summary.get("pairs") or ()
    if not 3 <= len(names) <= MATRIX_RATERS or not pairs or summary.get("pairs_left_out"):
        return None
    what, value = pair_value(summary)
    place = {name: i for i, name in enumerate(names)}
    found: list[list[float | None]] = [[None] * len(names) for _ in names]
    for pair in pairs:
        i, j = (place[str(r)] for r in pair["raters"])
        found[i][j] = found[j][i] = value(pair)
    order = clustered([[None if x is None else 1.0 - x for x in row] for row in found])
    small = len(names) > NUMBERED
    known = [x for i, row in enumerate(found) for x in row[:i] if x is not None]
    if not known:
        return None
    cells = [[None if i == j else _tie(found[i][j], small) for j in order] for i in order]
    ordered_names = [names[i] for i in order]
    low, high = (fixed(x, 3) for x in (min(known), max(known)))
    numbers = "Two decimals, the full values below." if small else ""
    return Picture(
        "matrix",
        f"{what} of two raters goes from {low} to {high}",
        f"{what} of every two raters, each on the items that both rated; raters who agree stand "
        "together (average linkage). Colour from 0 (pale) to 1; below 0 in orange with a "
        f"dashed border. {numbers}".strip(),
        heat(ordered_names, ordered_names, cells, f"{what} of every two raters", small=small),
        ("", *map(brief, ordered_names)),
        tuple(
            (brief(names[i]), *("" if i == j else coefficient(found[i][j]) for j in order))
            for i in order
        ),
    )


def _tie(value: float | None, small: bool) -> Cell:
    if value is None:
        return Cell("–")
    said = fixed(value, 2).replace("0.", ".", 1) if small else coefficient(value)
    return Cell(said, abs(value), "tie" if value >= 0 else "under")


def items_picture(summary: Summary) -> Picture | None:
    """How many items have which agreement."""
    found = (summary.get("diagnosis") or {}).get("items") or {}
    bins: list[Any] = list(found.get("distribution") or ())
    total = sum(one["items"] for one in bins)
    if not total:
        return None
    agreement = found["measure"] == "agreement"
    names = [_range(one, agreement) for one in bins]
    most = max(one["items"] for one in bins)
    body = []
    for i, (name, one) in enumerate(zip(names, bins, strict=True)):
        top = BAR * i
        width = 100.0 * one["items"] / most
        body.append(text("0", top + 12, name, "dim"))
        said = f"{count(one['items'])} ({share(one['items'], total)})"
        body.append(text("100%", top + 12, said, anchor="end"))
        if one["items"]:
            body.append(f'<rect class="bar" x="0" y="{top + 17}" width="{width:.2f}%" height="8"/>')
    ideal = bins[-1] if agreement else bins[0]
    perfect = ideal["low"] == ideal["high"] == (1.0 if agreement else 0.0)
    if perfect:
        finding = f"All ratings are equal on {count(ideal['items'])} of {counted(total, 'item')}"
    else:
        finding = f"How far raters agree on each of {counted(total, 'item')}"
    what = (
        "The share of an item's pairs of ratings that agree"
        if agreement
        else "How far two ratings of an item are apart (root mean square)"
    )
    return Picture(
        "items",
        finding,
        f"{what}; items with two ratings or more.",
        svg(BAR * len(bins), f"{what}: number of items", body),
        ("agreement" if agreement else "distance", "items", "share"),
        tuple(
            (name, count(one["items"]), share(one["items"], total))
            for name, one in zip(names, bins, strict=True)
        ),
    )


def _range(one: Mapping[str, Any], agreement: bool) -> str:
    def said(x: float) -> str:
        return percent(x) if agreement else fixed(x, 2)

    return (
        said(one["low"])
        if one["low"] == one["high"]
        else f"{said(one['low'])} – {said(one['high'])}"
    )


PICTURES: dict[str, Callable[[Summary], Picture | None]] = {
    "intervals": intervals_picture,
    "confusion": confusion_picture,
    "matrix": matrix_picture,
    "distribution": shares_picture,
    "items": items_picture,
}
"""The pictures by the names that they are asked for by."""

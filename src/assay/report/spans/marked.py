"""Sentences with the gold spans marked above the words and the predicted ones below.

A solid border: the same span is on the other side. Dashed: it is paired with an overlapping
span of the same type. Dotted: it is not paired. Colours only repeat the types' names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from assay.report.numbers import count
from assay.report.page import lab_link
from assay.report.page_style import PALETTE
from assay.report.spans.words import type_name

LONGEST = 120
"""Units of a sentence that are shown; spans beyond are counted."""

LEGEND = (
    '<p class="legend"><span><i></i>the same span on the other side</span>'
    '<span><i class="dashed"></i>overlaps a span of its type</span>'
    '<span><i class="dotted"></i>not paired</span></p>'
)


def colours(types: Sequence[str]) -> dict[str, str]:
    """The class of a colour for each type.

    >>> colours(["LOC", "PER"])
    {'LOC': 'c0', 'PER': 'c1'}
    """
    return {name: f"c{i % len(PALETTE)}" for i, name in enumerate(types)}


def pairing(gold: Sequence[Any], pred: Sequence[Any]) -> tuple[list[str], list[str]]:
    """Whether each span is "solid" (identical), "dashed" (partial) or "dotted" (alone).

    >>> pairing([[0, 3, "PER"]], [[0, 2, "PER"], [5, 6, "LOC"]])
    (['dashed'], ['dashed', 'dotted'])
    """
    from assay.spans.corpus import SpanSet, shared_types
    from assay.spans.match import match

    order = [
        sorted(range(len(side)), key=lambda i, side=side: (side[i][0], side[i][1], str(side[i][2])))  # type: ignore[misc]
        for side in (gold, pred)
    ]
    sets = [SpanSet.of([(0, a, b, str(kind)) for a, b, kind, *_ in side]) for side in (gold, pred)]
    first, second = shared_types(*sets)
    out = [["dotted"] * len(gold), ["dotted"] * len(pred)]
    for mode, style in (("partial", "dashed"), ("exact", "solid")):
        found = match(first, second, mode)
        for side, indices in enumerate((found.gold, found.pred)):
            for i in indices.tolist():
                out[side][order[side][i]] = style
    return out[0], out[1]


def sentence(
    one: Mapping[str, Any], colour: Mapping[str, str], unit: str, *, served: bool = False
) -> str:
    """A sentence of the report as HTML: its marks, then the same in words, and its lab."""
    gold, pred = list(one.get("gold") or ()), list(one.get("pred") or ())
    styles = pairing(gold, pred)
    units = list(one.get("tokens") or ())
    if not units:
        length = max((stop for _, stop, *_ in (*gold, *pred)), default=0)
        units = [str(i + 1) for i in range(length)]
    where = f"Sentence {count(one['sentence'] + 1)}"
    if one.get("name"):
        where += f", {one['name']}"
    sides = (_lanes(gold, styles[0]), _lanes(pred, styles[1]))
    pieces = _pieces(units, (*gold, *pred), unit)
    body = "".join(_piece(a, b, units, sides, colour, unit) for a, b in pieces)
    cut = len(units) - LONGEST
    more = f'<p class="quiet">{count(cut)} more {unit}s are not shown.</p>' if cut > 0 else ""
    words = "; ".join(
        f"{name}: {_listed(side, units, unit)}"
        for name, side in (("Gold", gold), ("prediction", pred))
    )
    opened = lab_link(one.get("lab"), f"{where} in the BIO lab", served=served)
    return (
        f'<div class="sentence"><p><b>{escape(where)}</b> '
        f'<span class="quiet">{count(one["fp"])} FP, {count(one["fn"])} FN</span></p>'
        f'<div class="text" aria-hidden="true">{body}</div>{more}'
        f'<p class="quiet">{escape(words)}.</p>{f"<p>{opened}</p>" if opened else ""}</div>'
    )


def _listed(spans: Sequence[Any], units: Sequence[str], unit: str) -> str:
    joint = " " if unit == "token" else ""
    found = [
        f"{type_name(kind)} “{joint.join(units[start:stop])}” [{start}, {stop - 1}]"
        for start, stop, kind, *_ in spans
    ]
    return ", ".join(found) or "none"


Lane = dict[int, tuple[int, int, str, str]]


def _lanes(spans: Sequence[Any], styles: Sequence[str]) -> list[Lane]:
    """Spans in rows that do not overlap: for each row, the span over each unit."""
    lanes: list[Lane] = []
    for (start, stop, kind, *_), style in zip(spans, styles, strict=True):
        lane = next((x for x in lanes if not any(i in x for i in range(start, stop))), None)
        if lane is None:
            lane = {}
            lanes.append(lane)
        lane |= dict.fromkeys(range(start, stop), (start, stop, str(kind), style))
    return lanes or [{}]


def _pieces(units: Sequence[str], spans: Sequence[Any], unit: str) -> list[tuple[int, int]]:
    """Runs of units that are drawn as one: each token; characters up to a blank or a border."""
    length = min(len(units), LONGEST)
    if unit == "token":
        return [(i, i + 1) for i in range(length)]
    borders = {edge for start, stop, *_ in spans for edge in (start, stop)}
    borders |= {i + 1 for i, sign in enumerate(units) if sign.isspace()} | {0, length}
    cuts = sorted(edge for edge in borders if edge <= length)
    return list(pairwise(cuts))


def _piece(
    start: int,
    stop: int,
    units: Sequence[str],
    sides: tuple[list[Lane], list[Lane]],
    colour: Mapping[str, str],
    unit: str,
) -> str:
    above = "".join(_mark("gold", lane, start, stop, colour) for lane in reversed(sides[0]))
    below = "".join(_mark("pred", lane, start, stop, colour) for lane in sides[1])
    word = "".join(units[start:stop])
    gap = "<wbr>" if unit == "token" else ("<wbr>" if word[-1:].isspace() else "")
    return f'<span class="u">{above}<span class="w">{escape(word)}</span>{below}</span>{gap}'


def _mark(side: str, lane: Lane, start: int, stop: int, colour: Mapping[str, str]) -> str:
    found = lane.get(start)
    if found is None:
        return f'<span class="m {side}"></span>'
    first, last, kind, style = found
    names = ["m", side, "on", style]
    names += ["first"] if first == start else []
    names += ["last"] if last == stop else []
    label = escape(type_name(kind)) if first == start else ""
    names.append(colour.get(kind, "c0"))
    return f'<span class="{" ".join(names)}">{label}</span>'

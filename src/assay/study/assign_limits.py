"""What a design asks that cannot be done, and what it will not be able to say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.study.assign_units import Unit, answerable, pairs_of, rated_together, shown_of
from assay.study.design import MAX_RATINGS, Design, Item


def impossible(design: Design, units: Sequence[Unit], raters: int) -> tuple[str, ...]:
    """Why the design cannot be given out to so many raters; empty if it can.

    >>> from assay.study.design import Design
    >>> d = Design("d", "", "en", 1, (), 3, (), ())
    >>> impossible(d, (), 2)[0]
    'per_item is 3, but there are only 2 raters; nobody rates the same thing twice for it. Ask \
for 2, or add raters.'
    """
    found = []
    k = design.per_item
    if raters < 1:
        found.append("there are no raters; at least one is needed.")
    elif k > raters:
        who = "there is only 1 rater" if raters == 1 else f"there are only {raters} raters"
        found.append(
            f"per_item is {k}, but {who}; nobody rates the same thing twice for it. Ask for "
            f"{raters}, or add raters."
        )
    if k < 1:
        found.append(f"per_item is {k}; each thing needs at least one rating.")
    if design.batch is not None and design.batch < 1:
        found.append(f"batch is {design.batch}; a batch needs at least one item.")
    pilot_fits = 0 <= design.pilot <= len(design.items)
    # Nothing can be counted where the pilot cannot be drawn.
    for kind, what in (
        ("single", "no item has an output to be rated"),
        ("pair", "no item has the outputs of two systems that are to be compared"),
        ("all", "no item has the outputs of two systems to be rated together"),
    ):
        if pilot_fits and kind in design.kinds and not any(unit.kind == kind for unit in units):
            asked = ", ".join(d.key for d in design.dimensions if d.kind == kind)
            found.append(f"{what}, as {asked} asks.")
    if not pilot_fits:
        found.append(
            f"pilot is {design.pilot}, but there are {len(design.items)} items to take it from."
        )
    if len(units) * k > MAX_RATINGS:
        found.append(
            f"{len(units):,} things × {k} ratings are more than the {MAX_RATINGS:,} that a study "
            "may have; take fewer items, or fewer comparisons with pairs_per_item."
        )
    if not found and design.batch is not None:
        found += _idle(design, design.batch, units, raters)
    return tuple(found)


def _idle(design: Design, most: int, units: Sequence[Unit], raters: int) -> Iterator[str]:
    """That some raters would get no batch at all, where smaller ones would reach everybody."""
    pilot = len({unit.item for unit in units if unit.pilot})
    rest = len({unit.item for unit in units}) - pilot
    if pilot and design.pilot_all:
        return

    def reach(size: int) -> int:
        return design.per_item * (-(-pilot // size) + -(-rest // size))

    if reach(most) >= raters:
        return
    smaller = next(
        (size for size in range(min(most, pilot + rest), 0, -1) if reach(size) >= raters), 0
    )
    if smaller:
        count = reach(most) // design.per_item
        yield (
            f"batch is {most}, which makes {count} {'batch' if count == 1 else 'batches'} with "
            f"{design.per_item} {'rater' if design.per_item == 1 else 'raters'} each; "
            f"{raters - reach(most)} of {raters} raters would get none. "
            f"Ask for {smaller}{' or fewer' if smaller > 1 else ''}."
        )


def without_overlap(units: int, k: int, raters: int, what: str = "things") -> str:
    """Why some two raters share nothing, where no assignment could help it; "" if one might.

    >>> without_overlap(3, 2, 4)
    '3 things with 2 ratings each are too few for each of the 6 pairs of raters to share one; \
at least 6 are needed.'
    """
    pairs = math.comb(raters, 2)
    if not pairs:
        return ""
    if k < 2:
        return "each thing is rated once, so no two raters share any and agreement is not known."
    least = _least(k, raters)
    if units >= least:
        return ""
    return (
        f"{units:,} {what} with {k} ratings each are too few for each of the {pairs:,} pairs of "
        f"raters to share one; at least {least:,} are needed."
    )


def _least(k: int, raters: int) -> int:
    """Schönheim's bound: no fewer blocks of k can hold every pair of so many raters.

    Each rater meets raters − 1 others, k − 1 a block, so is in at least so many blocks rounded
    up; and k raters are in a block (J. Schönheim, On coverings, 1964).
    """
    return math.ceil(raters * math.ceil((raters - 1) / (k - 1)) / k)


def unanswerable(design: Design, check: Item) -> str:
    """Why an attention check or an item of the test cannot be shown; "" if it can."""
    known = check.gold or {}
    asked = {d.kind: d.key for d in design.dimensions if d.key in known}
    if "pair" in asked and not any(set(p) <= set(check.outputs) for p in pairs_of(design)):
        return f"{asked['pair']} compares two systems, and it has not the outputs of two."
    if "all" in asked and len(rated_together(design, check)) < 2:
        return f"{asked['all']} shows several systems, and it has not the outputs of two."
    if "single" in asked and not check.outputs:
        return f"it has no output for {asked['single']}."
    for kind in asked:
        there = answerable(design, check, kind, shown_of(design, check, kind)[0])
        for dimension in design.dimensions:
            if dimension.kind == kind and dimension.key in known and dimension.key not in there:
                return (
                    f"nothing it can show asks {dimension.key} with the right answer to choose; "
                    "leave that cell empty, or give it other outputs."
                )
    return ""

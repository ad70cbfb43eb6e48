"""What has to be rated: every output, comparison or list of outputs, once each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from assay.study.assign_batches import batched
from assay.study.assign_random import Stream
from assay.study.design import TIE, Design, Item


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that is judged at a time, whoever does it.

    ``systems`` is one name, two in the order of the design, or all that are shown together;
    ``batch`` the number of the item's batch, None where there are none.
    """

    item: str
    kind: str
    systems: tuple[str, ...]
    dimensions: tuple[str, ...]
    stratum: str = ""
    pilot: bool = False
    batch: int | None = None


def pairs_of(design: Design) -> tuple[tuple[str, str], ...]:
    """The comparisons that the design makes: those it names, else all.

    >>> from assay.study.design import Design
    >>> d = Design("d", "", "en", 1, (), 1, (), (), systems=("a", "b", "c"))
    >>> pairs_of(d)
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    """
    if design.pairs:
        return design.pairs
    return tuple(combinations(design.systems, 2))


def rated_together(design: Design, item: Item) -> tuple[str, ...]:
    """The systems of an item that one RankME task shows: all but the reference."""
    away = {d.reference_system for d in design.dimensions if d.kind == "all"}
    return tuple(s for s in design.systems if s in item.outputs and s not in away)


def shown_of(design: Design, item: Item, kind: str) -> list[tuple[str, ...]]:
    """What a check, or an item of the test, may show: what asks most of what has a right answer."""
    able: list[tuple[str, ...]]
    if kind == "single":
        able = [(name,) for name in sorted(item.outputs)]
    elif kind == "pair":
        able = [pair for pair in pairs_of(design) if set(pair) <= set(item.outputs)]
    else:
        able = [rated_together(design, item)]
    counts = [len(answerable(design, item, kind, systems)) for systems in able]
    most = max(counts, default=0)
    return [systems for systems, count in zip(able, counts, strict=True) if count == most]


def answerable(design: Design, item: Item, kind: str, systems: tuple[str, ...]) -> list[str]:
    """The dimensions with a right answer that a task asks, with that answer among the choices."""
    known = item.gold or {}
    return [
        key
        for key in design.asked(kind, systems)
        if key in known and (kind != "pair" or known[key] in (*systems, TIE))
    ]


def units_of(design: Design) -> tuple[Unit, ...]:
    """All units, item by item in the order of the design."""
    count = len(design.items)
    first = set(Stream(design.seed, "pilot").sample(range(count), design.pilot))
    chosen = _comparisons(design) if "pair" in design.kinds else {}
    found: list[Unit] = []
    for place, item in enumerate(design.items):
        for kind, systems in _of_item(design, item, chosen.get(place, ())):
            asked = design.asked(kind, systems)
            if asked:
                found.append(Unit(item.key, kind, systems, asked, item.stratum, place in first))
    most = design.batch or 0
    # Batches of less than one item are refused with all else that cannot be done.
    return tuple(_in_batches(design, most, found) if most > 0 else found)


def _in_batches(design: Design, most: int, units: list[Unit]) -> Iterator[Unit]:
    """The units with the batches of their items."""
    items = {unit.item: (unit.pilot, unit.stratum) for unit in units}
    numbers = batched(list(items.values()), most, Stream(design.seed, "batches"))
    of = dict(zip(items, numbers, strict=True))
    return (replace(unit, batch=of[unit.item]) for unit in units)


def _of_item(
    design: Design, item: Item, comparisons: tuple[tuple[str, str], ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for kind in design.kinds:
        if kind == "single":
            names = design.systems or tuple(item.outputs)
            yield from ((kind, (name,)) for name in names if name in item.outputs)
        elif kind == "pair":
            yield from ((kind, pair) for pair in comparisons)
        else:
            systems = rated_together(design, item)
            if len(systems) > 1:
                yield kind, systems


def _comparisons(design: Design) -> dict[int, tuple[tuple[str, str], ...]]:
    """The comparisons of each item; where not all are made, each as often as the others."""
    pairs = pairs_of(design)
    stream = Stream(design.seed, "comparisons")
    used: Counter[tuple[str, str]] = Counter()
    chosen = {}
    for place in stream.shuffled(range(len(design.items))):
        outputs = design.items[place].outputs
        able = [pair for pair in pairs if pair[0] in outputs and pair[1] in outputs]
        if design.pairs_per_item is not None and design.pairs_per_item < len(able):
            able = sorted(stream.shuffled(able), key=lambda pair: used[pair])
            able = able[: design.pairs_per_item]
            used.update(able)
            able.sort(key=pairs.index)
        chosen[place] = tuple(able)
    return chosen

"""The tasks of a study: who rates what, in which order, with which side where.

The same design and seed give the same tasks on any machine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from assay.errors import DesignError
from assay.study.assign_batches import met_in
from assay.study.assign_blocks import Overlap, deal
from assay.study.assign_limits import impossible
from assay.study.assign_order import repeated, spread, with_repeats
from assay.study.assign_random import Stream
from assay.study.assign_sides import Rotation, swapped
from assay.study.assign_units import Unit, rated_together, shown_of, units_of
from assay.study.design import Design, Item


@dataclass(frozen=True, slots=True)
class Task:
    """What one rater is shown at one time.

    Attributes
    ----------
    rater, order
        Both count from 0; ``order`` within the rater.
    item, kind
        The item's key; "single", "pair" or "all".
    systems
        In the order shown: one, two (left, right) or all; ("",) in a study without systems.
    dimensions
        The keys of what is asked.
    repeat
        1 where the rater has met it before, else 0.
    check, pilot, qualification
        Whether it is an attention check, of the pilot, of the test that comes first.
    batch
        The number of the batch that it is shown in, from 1; None where there are no batches, and
        in the test.
    """

    rater: int
    order: int
    item: str
    kind: str
    systems: tuple[str, ...]
    dimensions: tuple[str, ...]
    repeat: int = 0
    check: bool = False
    pilot: bool = False
    batch: int | None = None
    qualification: bool = False

    @property
    def apart(self) -> bool:
        """Whether its answers are no data."""
        return self.check or self.qualification

    @property
    def system(self) -> str:
        """The system of a single output."""
        return self.systems[0]

    @property
    def left(self) -> str:
        """The system shown first."""
        return self.systems[0]

    @property
    def right(self) -> str:
        """The system shown last."""
        return self.systems[-1]

    @property
    def unit(self) -> tuple[str, str, tuple[str, ...]]:
        """What is judged, whoever does it and whichever side is left."""
        return (self.item, self.kind, tuple(sorted(self.systems)))


def assignments(design: Design, raters: int | None = None) -> tuple[Task, ...]:
    """Give the whole study out.

    Parameters
    ----------
    design
        The study.
    raters
        How many raters there are, if not those of the design.

    Returns
    -------
    tuple of Task
        By rater, each in the order in which they are met.

    Raises
    ------
    DesignError
        If the design asks what cannot be done.

    Examples
    --------
    >>> from assay.study.design import Design, Dimension, Item
    >>> asked = Dimension("tone", "Tone", "", "Which is politer?", "ab")
    >>> items = tuple(Item(f"q{k}", "", {"a": "Hi", "b": "Good day"}) for k in range(4))
    >>> design = Design("d", "Tone", "en", 7, (), 2, (asked,), items, ("a", "b"))
    >>> tasks = assignments(design, raters=2)
    >>> [(t.rater, sum(s.left == "a" for s in tasks if s.rater == t.rater)) for t in tasks[::4]]
    [(0, 2), (1, 2)]
    """
    count = len(design.raters) if raters is None else raters
    units = units_of(design)
    problems = impossible(design, units, count)
    if problems:
        raise DesignError("; ".join(problems), code="impossible_design")
    shares: list[list[Unit]] = [[] for _ in range(count)]
    for unit, who in zip(units, dealt(design, units, count), strict=True):
        for rater in who:
            shares[rater].append(unit)
    firsts = [_shown(design, rater, share) for rater, share in enumerate(shares)]
    sided = balanced([t for tasks in firsts for t in tasks], Stream(design.seed, "sides"))
    at = 0
    out: list[Task] = []
    for rater, tasks in enumerate(firsts):
        out += in_order(design, rater, sided[at : at + len(tasks)])
        at += len(tasks)
    return tuple(out)


def dealt(design: Design, units: Sequence[Unit], raters: int) -> list[Sequence[int]]:
    """The raters of each unit."""
    given: list[Sequence[int]] = [range(raters)] * len(units)
    bundles: dict[object, list[int]] = defaultdict(list)
    for place, unit in enumerate(units):
        if unit.pilot and design.pilot_all:
            continue
        bundles[bundle(design, unit, place)].append(place)
    classes: dict[object, list[int]] = defaultdict(list)
    members = list(bundles.values())
    for number in Stream(design.seed, "units").shuffled(range(len(members))):
        own = [units[place] for place in members[number]]
        key: object = (tuple((u.kind, u.systems) for u in own), own[0].stratum)
        if design.batch is not None:
            # Batches hold all strata and systems alike; what differs is how long they are.
            key = (not own[0].pilot, len(own))
        classes[key].append(number)
    ordered = [sorted(classes[key], key=lambda n: not units[members[n][0]].pilot)
               for key in sorted(classes, key=repr)]  # fmt: skip
    chosen = deal(ordered, design.per_item, raters, Stream(design.seed, "deal"), Overlap(raters))
    for number, who in chosen.items():
        for place in members[number]:
            given[place] = who
    return given


def bundle(design: Design, one: Unit | Task, alone: object) -> object:
    """What is rated by the same raters: a batch, an item, or a thing by itself."""
    if design.batch is not None:
        return one.batch
    return one.item if design.same_raters else alone


def _shown(design: Design, rater: int, units: Iterable[Unit]) -> list[Task]:
    """The tasks of one rater in random order, batch by batch, those of the pilot first."""
    stream = Stream(design.seed, "order", rater)
    mixed = stream.shuffled(list(units))
    numbers = sorted({unit.batch for unit in mixed if unit.batch is not None})
    turns: dict[int | None, int] = {
        batch: turn
        for turn, batch in enumerate(Stream(design.seed, "batch order", rater).shuffled(numbers))
    }
    mixed.sort(key=lambda unit: (not unit.pilot, turns.get(unit.batch, 0)))
    turn = Rotation(design.seed, rater)
    return [task_of(unit, rater, turn) for unit in mixed]


def task_of(unit: Unit, rater: int, turn: Rotation) -> Task:
    """The task of a unit, not yet in its place."""
    systems = turn.next(unit.systems) if unit.kind == "all" else unit.systems
    return Task(
        rater, 0, unit.item, unit.kind, systems, unit.dimensions, pilot=unit.pilot, batch=unit.batch
    )


def balanced(tasks: Sequence[Task], stream: Stream) -> list[Task]:
    """The tasks with the sides of comparisons settled."""
    places = [place for place, task in enumerate(tasks) if task.kind == "pair"]
    keys = [(tasks[p].rater, tasks[p].systems, tasks[p].unit) for p in places]
    out = list(tasks)
    for place, turned in zip(places, swapped(keys, stream), strict=True):
        if turned:
            out[place] = other_way(out[place])
    return out


def other_way(task: Task) -> Task:
    """The task with its outputs in the opposite order."""
    return replace(task, systems=task.systems[::-1])


def in_order(design: Design, rater: int, firsts: Sequence[Task]) -> list[Task]:
    """A rater's tasks with repeats and checks, behind those of the test, numbered.

    Each is in the batch that it is met in; the test is in none.

    A comparison comes again with its sides exchanged: who always takes the left one is found
    out, and sides stay balanced.
    """
    stream = Stream(design.seed, "repeats", rater)
    rows = with_repeats(firsts, repeated(len(firsts), design.repeats), stream)
    tasks = [again(task) if second else task for task, second in rows]
    mixed = spread(tasks, checks_of(design, rater), Stream(design.seed, "checks", rater))
    tested = qualification_of(design, rater)
    first = [replace(task, order=place) for place, task in enumerate(tested)]
    return [*first, *numbered(mixed, len(first))]


def numbered(
    line: Sequence[Task],
    start: int = 0,
    before: int | None = None,
    over: Collection[int | None] = (),
) -> list[Task]:
    """Tasks in their places, each in the batch that it is met in; see :func:`met_in`."""
    batches = met_in([None if t.repeat or t.apart else t.batch for t in line], before, over)
    return [
        replace(task, order=start + place, batch=batch)
        for place, (task, batch) in enumerate(zip(line, batches, strict=True))
    ]


def again(task: Task) -> Task:
    """The second showing of a task."""
    return replace(other_way(task), repeat=1, pilot=False)


def checks_of(design: Design, rater: int) -> list[Task]:
    """The attention checks of a rater, in random order."""
    return [replace(task, check=True) for task in _given_to_all(design, rater, design.checks)]


def qualification_of(design: Design, rater: int) -> list[Task]:
    """The tasks of the test that a rater takes first, in random order."""
    test = design.qualification
    found = _given_to_all(design, rater, test.items, "test") if test else []
    return [replace(task, qualification=True) for task in found]


def _given_to_all(
    design: Design, rater: int, items: Iterable[Item], what: str = "check"
) -> list[Task]:
    """The tasks of items that all raters get, in this rater's order."""
    stream = Stream(design.seed, f"{what} order", rater)
    turn = Rotation(design.seed, f"{what}s", rater)
    found = [
        Task(rater, 0, item.key, kind, systems, asked)
        for item in items
        for kind, systems, asked in _asked_of(design, item, stream, turn)
    ]
    return balanced(stream.shuffled(found), Stream(design.seed, f"{what} sides", rater))


def _asked_of(
    design: Design, item: Item, stream: Stream, turn: Rotation
) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """What such an item shows and asks: all kinds of tasks whose right answer is known."""
    known = item.gold or {}
    for kind in design.kinds:
        if not any(key in known for key in design.asked(kind)):
            continue
        if kind == "all":
            systems = turn.next(rated_together(design, item))
        else:
            systems = stream.shuffled(shown_of(design, item, kind))[0]
        yield kind, systems, design.asked(kind, systems)

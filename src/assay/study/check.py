"""What a design will do, in numbers, before anybody is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assay.study.assign import Task, assignments, bundle
from assay.study.assign_blocks import Overlap
from assay.study.assign_limits import impossible, without_overlap
from assay.study.assign_units import Unit, pairs_of, units_of
from assay.study.design import Design

SECONDS = 20.0
"""How long a judgement is taken to last where nobody says."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A dimension, and how many judgements of it there will be."""

    dimension: str
    mechanism: str
    judgements: int


@dataclass(frozen=True, slots=True)
class Explained:
    """What a design will do.

    Attributes
    ----------
    name, title, language
        Of the design.
    items, pilot, checks, systems, raters, per_item
        How many there are; ``systems`` has their names.
    qualification, qualification_pass, qualification_questions
        How many items the test has that comes first, 0 where there is none; the least share of
        right answers that passes it, None without a test; and how many questions have one.
    things, tasks, judgements
        What is rated (outputs, comparisons); what is shown, with repeats, checks and the test;
        single answers, of which a task asks one a dimension, and under RankME one an output as
        well.
    tasks_each, judgements_each, hours_each
        The least and the most of a rater.
    hours, seconds
        Of all raters together, at so many seconds a judgement.
    overlap
        The fewest and the most things that two raters share; None with one rater.
    batches, batch_items
        How many batches of items there are, 0 if none; the least and the most items of one.
    batches_each, batch_hours
        The least and the most batches of a rater, and hours that one takes, with the repeats and
        checks that are shown in it.
    asked
        Each dimension.
    impossible, remarks
        Why it cannot be done; what it will not be able to say.
    """

    name: str
    title: str
    language: str
    items: int
    pilot: int
    checks: int
    qualification: int
    qualification_pass: float | None
    qualification_questions: int
    systems: tuple[str, ...]
    raters: int
    per_item: int
    things: int
    tasks: int
    judgements: int
    tasks_each: tuple[int, int]
    judgements_each: tuple[int, int]
    hours_each: tuple[float, float]
    hours: float
    seconds: float
    overlap: tuple[int, int] | None
    asked: tuple[Asked, ...]
    impossible: tuple[str, ...]
    remarks: tuple[str, ...]
    batches: int = 0
    batch_items: tuple[int, int] = (0, 0)
    batches_each: tuple[int, int] = (0, 0)
    batch_hours: tuple[float, float] = (0.0, 0.0)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)


def explain(design: Design, raters: int | None = None, seconds: float = SECONDS) -> Explained:
    """Work out what a design will do.

    Parameters
    ----------
    design
        The study.
    raters
        How many raters there are, if not those of the design.
    seconds
        How long a judgement lasts.
    """
    count = len(design.raters) if raters is None else raters
    units = units_of(design) if 0 <= design.pilot <= len(design.items) else ()
    problems = impossible(design, units, count)
    tasks = () if problems else assignments(design, count)
    shown = Counter(dict.fromkeys(range(count), 0))
    answers = Counter(dict.fromkeys(range(count), 0))
    each: Counter[str] = Counter()
    sittings: Counter[tuple[int, int]] = Counter()
    for task in tasks:
        one = len(task.systems) if task.kind == "all" else 1
        shown[task.rater] += 1
        answers[task.rater] += one * len(task.dimensions)
        if task.batch is not None:
            sittings[task.rater, task.batch] += one * len(task.dimensions)
        each.update(dict.fromkeys(task.dimensions, one))
    overlap, test = shared(tasks, count), design.qualification
    hour = seconds / 3600
    total = answers.total()
    least, most = min(answers.values(), default=0), max(answers.values(), default=0)
    return Explained(
        name=design.name,
        title=design.title,
        language=design.language,
        items=len(design.items),
        pilot=design.pilot,
        checks=len(design.checks),
        qualification=len(test.items) if test else 0,
        qualification_pass=test.share if test else None,
        qualification_questions=test.questions if test else 0,
        systems=design.systems,
        raters=count,
        per_item=design.per_item,
        things=len(units),
        tasks=len(tasks),
        judgements=total,
        tasks_each=(min(shown.values(), default=0), max(shown.values(), default=0)),
        judgements_each=(least, most),
        hours_each=(least * hour, most * hour),
        hours=total * hour,
        seconds=seconds,
        overlap=overlap,
        asked=tuple(Asked(d.key, d.mechanism, each[d.key]) for d in design.dimensions),
        impossible=problems,
        remarks=() if problems else _remarks(design, units, count, tasks, overlap),
        **_batches(units, count, sittings, hour),
    )


def _batches(
    units: Sequence[Unit], raters: int, sittings: Counter[tuple[int, int]], hour: float
) -> dict[str, Any]:
    """What there is to say of batches; ``sittings`` has the judgements of each rater and batch."""
    items = Counter({unit.item: unit.batch for unit in units if unit.batch is not None}.values())
    if not sittings:
        return {}
    each = Counter(dict.fromkeys(range(raters), 0))
    each.update(rater for rater, _ in sittings)
    return {
        "batches": len(items),
        "batch_items": (min(items.values()), max(items.values())),
        "batches_each": (min(each.values()), max(each.values())),
        "batch_hours": (min(sittings.values()) * hour, max(sittings.values()) * hour),
    }


def shared(tasks: Sequence[Task], raters: int) -> tuple[int, int] | None:
    """The fewest and the most things that two raters share; None with fewer than two raters."""
    if raters < 2:
        return None
    who: dict[object, list[int]] = {}
    for task in tasks:
        if not (task.repeat or task.apart):
            who.setdefault(task.unit, []).append(task.rater)
    overlap = Overlap(raters)
    for together in who.values():
        overlap.add(together)
    return overlap.range()


def _remarks(
    design: Design,
    units: Sequence[Unit],
    raters: int,
    tasks: Sequence[Task],
    overlap: tuple[int, int] | None,
) -> tuple[str, ...]:
    found = []
    again = any(task.repeat for task in tasks)
    if overlap is not None and overlap[0] == 0:
        bundles = len({bundle(design, unit, place) for place, unit in enumerate(units)})
        what = "things" if design.batch is None else "batches"
        why = without_overlap(bundles, design.per_item, raters, what)
        found.append(
            f"some two raters share nothing: {why}"
            if why
            else "some two raters share nothing; another seed may do better."
        )
    if raters == 1:
        found.append("one rater cannot be compared with anybody; agreement will not be known.")
    if not again:
        why = f"repeats = {design.repeats:g} of so few tasks is none" if design.repeats else ""
        found.append(
            "nothing is shown twice, so agreement of raters with themselves is not known; "
            + (why or "repeats = 0.1 shows a tenth again")
            + "."
        )
    pairs = len(pairs_of(design))
    if design.pairs_per_item is not None and design.pairs_per_item > pairs:
        found.append(
            f"pairs_per_item is {design.pairs_per_item}, but an item has no more than {pairs}; "
            "all are compared."
        )
    if design.same_raters and design.batch is None and len(design.systems) < 2:
        found.append("same_raters changes nothing where items have one output.")
    if design.qualification and not design.qualification.share:
        found.append("pass = 0 lets everybody in, whatever they answer in the test.")
    if not design.consent:
        found.append("there is no consent text; raters see the instructions first.")
    if not design.instructions:
        found.append("there are no instructions.")
    return (*design.notes, *found)

"""Giving open tasks out again, when raters leave or join.

An answered task is never moved. Tasks of those who left go to newcomers, else to whoever has
the fewest in all. Tasks of those who stay move only where somebody joins, who then gets as much
as the others have open: a newcomer is counted as if the average number had been answered already.

Batches move as a whole, and one that a rater who stays has begun does not move. Where a newcomer
would get none that way, items move by themselves. Who comes back is given work like a newcomer.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.errors import DesignError
from assay.study.assign import (
    Task,
    again,
    bundle,
    checks_of,
    numbered,
    other_way,
    qualification_of,
    task_of,
)
from assay.study.assign_order import repeated, spread
from assay.study.assign_random import Stream
from assay.study.assign_sides import Rotation
from assay.study.assign_units import units_of
from assay.study.design import Design

Job = tuple[Task, ...]
"""What moves as one: a task, or all that a rater has open of an item or a batch."""


@dataclass(frozen=True, slots=True)
class Reassigned:
    """A new plan.

    Attributes
    ----------
    tasks
        All tasks that are answered or open, by rater and order; answered ones as they were.
    moved
        How many open tasks have another rater than before.
    unplaced
        Tasks of raters who left that nobody can take, as all others rate that thing already.
    """

    tasks: tuple[Task, ...]
    moved: int
    unplaced: tuple[Task, ...]


def reassign(
    design: Design,
    tasks: Collection[Task],
    done: Collection[Task],
    *,
    leaving: Collection[int] = (),
    joining: Collection[int] = (),
    returning: Collection[int] = (),
) -> Reassigned:
    """Give the open tasks out again.

    Parameters
    ----------
    design
        The study.
    tasks
        The plan so far: of :func:`~assay.study.assign.assignments`, or of an earlier call.
    done
        The tasks that must stay: those answered, and those on somebody's screen.
    leaving
        Numbers of raters who get nothing more; all of them, also those of earlier calls.
    joining
        Numbers of new raters; those of the design count from 0.
    returning
        Numbers of raters who had left and are back.

    Raises
    ------
    DesignError
        If nobody would be left, or somebody joins who is there already.
    """
    fixed = {(task.rater, task.order) for task in done}
    before = {task.rater for task in tasks} | set(range(len(design.raters)))
    if before & set(joining):
        names = ", ".join(map(str, sorted(before & set(joining))))
        raise DesignError(
            f"joining: rater {names} is in the study already; a new rater needs a new number.",
            code="impossible_design",
        )
    coming = set(joining) | set(returning)
    active = sorted((before | coming) - set(leaving))
    open_ = [task for task in tasks if (task.rater, task.order) not in fixed]
    if not active:
        raise DesignError(
            f"nobody is left to take {len(open_)} open tasks; add a rater.",
            code="impossible_design",
        )
    movable = {t for t in open_ if not (t.repeat or t.apart or (t.pilot and design.pilot_all))}
    theirs: dict[int, list[Task]] = defaultdict(list)
    for task in tasks:
        theirs[task.rater].append(task)
    whole = movable if design.batch is None else _unbegun(movable, done, active, lambda t: t.batch)
    plan, unplaced = _planned(design, theirs, whole, fixed, active, coming)
    if design.batch is not None and not all(plan.held[rater] for rater in coming):
        loose = replace(design, batch=None, same_raters=True)
        whole = _unbegun(movable, done, active, lambda t: t.item)
        plan, unplaced = _planned(loose, theirs, whole, fixed, active, coming)
    last = max((t.batch or 0 for t in tasks), default=0)
    out = [task for task in tasks if (task.rater, task.order) in fixed]
    for rater in active:
        past = [t for t in theirs[rater] if (t.rater, t.order) in fixed]
        kept = [t for t in theirs[rater] if (t.rater, t.order) not in fixed and t not in whole]
        got = [t for job in plan.held[rater] for t in job]
        old = [t for t in kept if not (t.repeat or t.apart)] + [t for t in got if t.rater == rater]
        new = [t for job in plan.held[rater] for t in _new(job, rater, theirs)]
        extra = [t for t in kept if t.repeat or t.apart]
        if rater in coming:
            had = {t.unit for t in theirs[rater]}
            always = (*qualification_of(design, rater), *checks_of(design, rater))
            extra += [t for t in always if t.unit not in had]
            if design.pilot_all:
                turn = Rotation(design.seed, "late", rater)
                late = [task_of(u, rater, turn) for u in units_of(design) if u.pilot]
                new += [t for t in late if t.unit not in had]
        line = _line(design, rater, past, old, new, extra, last + 1)
        last = max([last, *(t.batch or 0 for t in line)])
        out += line
    moved = sum(t.rater != r for r in active for job in plan.held[r] for t in job)
    return Reassigned(
        tuple(sorted(out, key=lambda t: (t.rater, t.order))),
        moved,
        tuple(t for job in unplaced for t in job),
    )


def _unbegun(
    tasks: Iterable[Task],
    done: Iterable[Task],
    active: Collection[int],
    what: Callable[[Task], object],
) -> set[Task]:
    """The tasks but those of a batch or an item that somebody who stays has begun."""
    begun = {(t.rater, what(t)) for t in done if t.rater in active and not (t.repeat or t.apart)}
    return {t for t in tasks if (t.rater, what(t)) not in begun}


def _planned(
    design: Design,
    theirs: Mapping[int, Sequence[Task]],
    free: Collection[Task],
    fixed: Collection[tuple[int, int]],
    active: Sequence[int],
    coming: set[int],
) -> tuple[_Plan, list[Job]]:
    """Who holds which of the tasks that may move, and what nobody can take."""
    staying = [t for rater in active for t in theirs.get(rater, ()) if t not in free]
    plan = _Plan(active, staying, coming, _answered(design, active, staying, fixed, coming))
    mine = [t for own in theirs.values() for t in own if t in free]
    unplaced = plan.place(_groups(mine, lambda t: (t.rater, bundle(design, t, t.order))))
    plan.level()
    return plan, unplaced


def _groups(tasks: Iterable[Task], key: Callable[[Task], object]) -> list[Job]:
    groups: dict[object, list[Task]] = defaultdict(list)
    for task in tasks:
        groups[key(task)].append(task)
    return [tuple(group) for group in groups.values()]


def _new(job: Job, rater: int, theirs: Mapping[int, Sequence[Task]]) -> Job:
    """What a job brings its new rater: half a batch or more stays one, less belongs to none."""
    giver, batch = job[0].rater, job[0].batch
    if giver == rater:
        return ()
    whole = [t for t in theirs[giver] if t.batch == batch and not (t.repeat or t.apart)]
    return job if 2 * len(job) >= len(whole) else tuple(replace(t, batch=None) for t in job)


def _answered(
    design: Design,
    active: Sequence[int],
    staying: Iterable[Task],
    fixed: Collection[tuple[int, int]],
    coming: Collection[int],
) -> dict[int, int]:
    """How many jobs each rater has answered; a newcomer as many as the others on average."""
    seen: dict[int, set[object]] = {rater: set() for rater in active}
    for task in staying:
        counted = not (task.repeat or task.apart or (task.pilot and design.pilot_all))
        if counted and (task.rater, task.order) in fixed:
            seen[task.rater].add(bundle(design, task, task.unit))
    old = [rater for rater in active if rater not in coming]
    average = round(sum(len(seen[rater]) for rater in old) / len(old)) if old else 0
    return {rater: average if rater in coming else len(seen[rater]) for rater in active}


class _Plan:
    """Who holds which open jobs, and what each rater rates at all."""

    def __init__(
        self,
        active: Sequence[int],
        staying: Iterable[Task],
        joining: set[int],
        answered: dict[int, int],
    ) -> None:
        self.active = active
        self.joining = joining
        self.answered = answered
        self.held: dict[int, list[Job]] = {rater: [] for rater in active}
        self.rates: dict[int, set[object]] = {rater: set() for rater in active}
        for task in staying:
            if not task.apart:
                self.rates[task.rater].add(task.unit)

    def load(self, rater: int) -> int:
        """All jobs of a rater, answered or open."""
        return self.answered[rater] + len(self.held[rater])

    def able(self, job: Job, rater: int) -> bool:
        """Whether the rater rates nothing of the job yet."""
        return self.rates[rater].isdisjoint(task.unit for task in job)

    def give(self, job: Job, rater: int) -> None:
        self.held[rater].append(job)
        self.rates[rater].update(task.unit for task in job)

    def take(self, job: Job, rater: int) -> None:
        self.held[rater].remove(job)
        self.rates[rater].difference_update(task.unit for task in job)

    def place(self, jobs: Sequence[Job]) -> list[Job]:
        """Leave jobs with whoever stays, and give the others out; what nobody can take."""
        homeless = []
        for job in jobs:
            if job[0].rater in self.held:
                self.give(job, job[0].rater)
            else:
                homeless.append(job)
        left = []
        for job in homeless:
            for part in self._parts(job):
                takers = [r for r in self.active if self.able(part, r)]
                if takers:
                    # Others may think that they have finished; a newcomer waits for work.
                    self.give(
                        part, min(takers, key=lambda r: (r not in self.joining, self.load(r)))
                    )
                else:
                    left.append(part)
        return left

    def _parts(self, job: Job) -> tuple[Job, ...]:
        """The job; where nobody can take all of it, its items; where that fails, its tasks.

        A batch or an item that its raters rate in part already may have to go to several.
        """
        if len(job) == 1 or any(self.able(job, rater) for rater in self.active):
            return (job,)
        items = _groups(job, lambda task: task.item)
        if len(items) > 1:
            return tuple(part for one in items for part in self._parts(one))
        return tuple((task,) for task in job)

    def level(self) -> None:
        """Move jobs along shortest ways from busy raters to idle ones while that helps."""
        stuck: set[int] = set()
        while True:
            busy = [r for r in self.active if r not in stuck]
            if not busy:
                return
            start = max(busy, key=lambda r: (self.load(r), -r))
            way = self._way(start)
            if not way:
                stuck.add(start)
                continue
            stuck.clear()
            for job, giver, taker in way:
                self.take(job, giver)
                self.give(job, taker)

    def _way(self, start: int) -> list[tuple[Job, int, int]]:
        """Jobs that move, each with its giver and taker, to a rater with two jobs fewer."""
        room = self.load(start) - 2
        came: dict[int, tuple[Job, int]] = {}
        todo = deque([start])
        while todo:
            giver = todo.popleft()
            for job in reversed(self.held[giver]):
                if job[0].rater == giver and not self.joining:
                    continue
                for taker in self.active:
                    if taker == start or taker in came or not self.able(job, taker):
                        continue
                    if giver in self.joining and taker not in self.joining:
                        continue
                    came[taker] = (job, giver)
                    if self.load(taker) <= room:
                        way, at = [], taker
                        while at != start:
                            job, giver = came[at]
                            way.append((job, giver, at))
                            at = giver
                        return way
                    todo.append(taker)
        return []


def _line(
    design: Design,
    rater: int,
    past: Sequence[Task],
    old: Sequence[Task],
    new: Sequence[Task],
    extra: Sequence[Task],
    spare: int,
) -> list[Task]:
    """The open tasks of a rater behind the answered ones, numbered on; first those of the test.

    ``spare`` is the number of the batch of what came by itself, where there is no other batch.
    """
    start = max((task.order for task in past), default=-1) + 1
    stream = Stream(design.seed, "again", rater, start, len(old), len(new))
    line = sorted(old, key=lambda task: task.order)
    sided = [replace(task, rater=rater) for task in _sided([*past, *old], new)]
    before = past[-1].batch if past else None
    if design.batch is not None:
        line = _with_batches(line, [t for t in sided if t.batch is not None], before, stream)
        sided = [task for task in sided if task.batch is None]
        before = spare if before is None and sided and not line else before
    for task in stream.shuffled(sided):
        line.insert(stream.below(len(line) + 1), task)
    line.sort(key=lambda task: not task.pilot)
    seen = [t for t in past if not (t.repeat or t.apart)]
    rated = {task.unit for task in (*seen, *line)}
    second = [t for t in extra if t.repeat and t.unit in rated]
    have = {t.unit for t in (*second, *past) if t.repeat}
    wanted = repeated(len(rated), design.repeats) - len(have)
    half = len(line) // 2
    early = [t for t in (*seen, *line[: len(line) - half]) if t.unit not in have]
    late = [t for t in line[len(line) - half :] if t.unit not in have]
    more = stream.shuffled(early)[: max(wanted, 0)]
    more += stream.shuffled(late)[: max(wanted - len(more), 0)]
    second += [again(task) for task in more]
    where = {task.unit: place for place, task in enumerate(line)}
    after: dict[int, list[Task]] = defaultdict(list)
    for task in sorted(second, key=lambda t: where.get(t.unit, -1)):
        after[min(max(where.get(task.unit, -1), 0) + half, len(line))].append(task)
    mixed: list[Task] = []
    for place in range(len(line) + 1):
        mixed += [*line[place : place + 1], *after[place]]
    checks = [t for t in extra if t.check]
    test = [t for t in extra if t.qualification]
    tested = [replace(task, order=start + place) for place, task in enumerate(test)]
    over = {task.batch for task in past}
    behind = spread(mixed, checks, stream)
    return [*tested, *numbered(behind, start + len(tested), before, over)]


def _with_batches(
    line: Sequence[Task], new: Sequence[Task], before: int | None, stream: Stream
) -> list[Task]:
    """The line with new batches put between those that are there, behind the one begun."""
    batches: dict[int | None, list[Task]] = defaultdict(list)
    for task in line:
        batches[task.batch].append(task)
    order = list(batches)
    first = int(bool(order) and order[0] == before)
    for task in new:
        if task.batch not in batches:
            order.insert(first + stream.below(len(order) - first + 1), task.batch)
        own = batches[task.batch]
        own.insert(stream.below(len(own) + 1), task)
    return [task for batch in order for task in batches[batch]]


def _sided(own: Iterable[Task], new: Iterable[Task]) -> list[Task]:
    """New tasks; a comparison takes the side that the rater has seen less often."""
    shown: dict[tuple[str, ...], int] = defaultdict(int)
    for task in own:
        if task.kind == "pair" and not task.apart:
            shown[task.systems] += 1
    out = []
    for task in new:
        turned = task
        if task.kind == "pair" and shown[task.systems[::-1]] < shown[task.systems]:
            turned = other_way(task)
        shown[turned.systems] += 1
        out.append(turned)
    return out

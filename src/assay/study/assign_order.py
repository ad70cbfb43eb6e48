"""In which order a rater meets the tasks: pilot first, repeats far off, checks in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from assay.study.assign_random import Stream

T = TypeVar("T")


def repeated(tasks: int, share: float) -> int:
    """How many of a rater's tasks come twice: the share, rounded to the nearest.

    >>> repeated(25, 0.1), repeated(4, 0.1), repeated(4, 1)
    (3, 0, 4)
    """
    return int(tasks * share + 0.5)


def with_repeats(firsts: Sequence[T], count: int, stream: Stream) -> list[tuple[T, bool]]:
    """The tasks with ``count`` of them again, at least half of all tasks later.

    Up to half of them are taken at random from the first half, and come again as many tasks
    later as that half has; where more are to be repeated, all repeats stand at the end.

    >>> [f"{t}{'+' * again}" for t, again in with_repeats("abcdef", 2, Stream(1))]
    ['a', 'b', 'c', 'd', 'a+', 'e', 'b+', 'f']
    """
    n = len(firsts)
    half = n // 2
    if count <= half:
        chosen = stream.sample(range(n - half), count)
        after = {place + half: place for place in chosen}
        tail: list[int] = []
    else:
        after = {}
        tail = stream.sample(range(n), count)
    out: list[tuple[T, bool]] = []
    for place, task in enumerate(firsts):
        out.append((task, False))
        if place in after:
            out.append((firsts[after[place]], True))
    return out + [(firsts[place], True) for place in tail]


def spread(tasks: Sequence[T], others: Sequence[T], stream: Stream) -> list[T]:
    """The tasks with the others put in, one in each of equal stretches, at a random place.

    >>> spread("......", "xy", Stream(1))
    ['.', '.', '.', 'x', '.', '.', '.', 'y']
    """
    if not others:
        return list(tasks)
    out: list[T] = []
    ends = [len(tasks) * (k + 1) // len(others) for k in range(len(others))]
    starts = [0, *ends[:-1]]
    at = 0
    for other, start, end in zip(others, starts, ends, strict=True):
        # After a task of its own stretch, so that none comes first or next to another.
        place = start + 1 + stream.below(end - start) if end > start else end
        out += [*tasks[at:place], other]
        at = place
    return out + list(tasks[at:])

"""Batches: which items a rater meets in one sitting, and in which batch a task is met."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from assay.study.assign_random import Stream


def batched(items: Sequence[tuple[bool, str]], most: int, stream: Stream) -> list[int]:
    """The batch of each item, counted from 1.

    Items of the pilot are in batches of their own, which come first. There are as few batches as
    ``most`` items in one allow, and their sizes differ by at most 1: no rater is left with a
    batch of one item. So does the number of items of any stratum.

    Parameters
    ----------
    items
        Of each item whether it is of the pilot, and its stratum.
    most
        How many items a batch may have.
    stream
        Chance.

    >>> batched([(True, "news"), *[(False, "news")] * 4, *[(False, "web")] * 3], 5, Stream(1))
    [1, 3, 3, 2, 2, 2, 3, 2]
    """
    found = [0] * len(items)
    before = 0
    for pilot in (True, False):
        mixed = stream.shuffled([place for place, one in enumerate(items) if one[0] is pilot])
        # One stratum after the other stands in a row, and batches take their items in turn: any
        # stretch of the row, so each stratum and the whole, is shared out as evenly as can be.
        row = sorted(mixed, key=lambda place: items[place][1])
        count = -(-len(row) // most)
        turns = stream.shuffled(range(before + 1, before + count + 1))
        for step, place in enumerate(row):
            found[place] = turns[step % count]
        before += count
    return found


def met_in(
    own: Sequence[int | None], before: int | None = None, over: Collection[int | None] = ()
) -> list[int | None]:
    """In which batch each task of a rater's line is met.

    A batch is met once and as a whole. What belongs to none (a second showing, an attention
    check, a task that came from somebody else by itself), or to one that is over, is met in
    the batch that it stands in.

    Parameters
    ----------
    own
        The batch that each task belongs to, None where it belongs to none.
    before, over
        The batch of the task before the line, and all that are over by then.

    >>> met_in([None, 4, None, 4, 2, None, 4])
    [4, 4, 4, 4, 2, 2, 2]
    >>> met_in([3, None, 4, 2], before=3, over=[4])
    [3, 3, 3, 2]
    """
    now = next((one for one in own if one is not None), None) if before is None else before
    closed = set(over)
    found = []
    for one in own:
        if one is not None and one != now and one not in closed:
            closed.add(now)
            now = one
        found.append(now)
    return found

"""The same rater, the same item, more than once: name the rows, or settle them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import DuplicateRatings
from assay.ratings.build import drop_repeats
from assay.ratings.categories import Categories
from assay.ratings.model import Note

Array = npt.NDArray[Any]
SHOWN = 10


def _kinds(pair: Array, labels: Array) -> tuple[Array, Array]:
    """Of each (item, rater) pair: whether it repeats, and whether its labels differ."""
    count = np.bincount(pair)
    low = np.full(len(count), np.iinfo(np.int64).max)
    high = np.full(len(count), -1)
    np.minimum.at(low, pair, labels)
    np.maximum.at(high, pair, labels)
    return count > 1, low != high


def refuse(
    items: Array,
    raters: Array,
    labels: Array,
    item_names: Sequence[str],
    rater_names: Sequence[str],
    categories: Categories,
    source: str,
    hint: str = "",
    *,
    part: bool = False,
) -> DuplicateRatings:
    """The error that names repeated ratings; arrays are in the order of the source.

    ``part`` says that they are a part of it, and there may be more.
    """
    _, pair = drop_repeats(items, raters, "first", max(len(rater_names), 1))
    repeated, differ = _kinds(pair, labels)
    found: dict[bool, list[tuple[str, str, list[object]]]] = {True: [], False: []}
    order = np.argsort(pair, kind="stable")
    start = np.concatenate(([0], np.cumsum(np.bincount(pair))))
    firsts = order[start[:-1]]
    for kind, group in found.items():
        hits = np.flatnonzero(repeated & (differ == kind))
        hits = hits[np.argsort(firsts[hits], kind="stable")][:SHOWN]
        for k in hits:
            rows = order[start[k] : start[k + 1]]
            group.append(
                (
                    item_names[int(items[rows[0]])],
                    rater_names[int(raters[rows[0]])],
                    [categories[int(labels[r])] for r in rows],
                )
            )
    n_differ = int(np.count_nonzero(repeated & differ))
    n_same = int(np.count_nonzero(repeated & ~differ))
    parts = []
    for kind, total, word in (
        (True, n_differ, "with different labels"),
        (False, n_same, "with the same label"),
    ):
        if not total:
            continue
        shown = "; ".join(
            f"item {_short(i)}, rater {_short(r)}: {_texts(ls)}" for i, r, ls in found[kind]
        )
        more = f"; and {total - len(found[kind]):,} more" if total > len(found[kind]) else ""
        parts.append(f"{'at least ' if part else ''}{total:,} {word} ({shown}{more})")
    return DuplicateRatings(
        f"{source}: some raters rated an item more than once: {', and '.join(parts)}. To keep one "
        "of them: --duplicates first or --duplicates last (in the order of the source). If the "
        f"rows are about different things (dimensions, systems), name that column with --by.{hint}",
        conflicting=found[True],
        identical=found[False],
    )


def _short(text: object) -> str:
    tidy = " ".join(str(text).split())
    return tidy if len(tidy) <= 40 else tidy[:39] + "…"


def _texts(labels: Sequence[object]) -> str:
    shown = [_short(label) for label in labels[:4]]
    return ", ".join(shown) + (", …" if len(labels) > 4 else "")


def settle(
    items: Array, raters: Array, labels: Array, keep: str, n_raters: int
) -> tuple[Array, Note]:
    """Which rows to keep, and the note that says what was left out."""
    kept, different, same = chosen(items, raters, labels, keep, n_raters)
    return kept, settled(keep, len(labels) - len(kept), different, same)


def chosen(
    items: Array, raters: Array, labels: Array, keep: str, n_raters: int
) -> tuple[Array, int, int]:
    """Which rows to keep, and how many ratings repeat with different labels and with the same."""
    kept, pair = drop_repeats(items, raters, keep, max(n_raters, 1))
    repeated, differ = _kinds(pair, labels)
    return kept, int((repeated & differ).sum()), int((repeated & ~differ).sum())


def settled(keep: str, left: int, different: int, same: int) -> Note:
    """What was left out of repeated ratings."""
    message = (
        f"repeated ratings: the {keep} of each kept, {left:,} rows left out "
        f"({different:,} with different labels, {same:,} with the same label)"
    )
    return Note("duplicates_settled", message, "warning" if different else "info")

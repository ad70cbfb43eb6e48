"""What is worth saying about ratings once they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ratings.model import Note, Ratings
from assay.ratings.words import REFERENCE_NAMES, squash

PAIRS = 50
"""With more raters than this, pairs of raters are not looked at one by one."""

PREFIX = 4096
"""Columns that nearly always show that two raters share a label."""


def without_empty_raters(ratings: Ratings, given: bool) -> tuple[Ratings, list[Note]]:
    """Leave out raters who rated nothing, unless nobody did, and say so.

    Raters who were ``given`` one by one, as lists or a matrix, stay: they are the design.
    """
    n = len(ratings.raters)
    present = np.zeros(n, dtype=bool)
    if not n:
        return ratings, []
    for block in ratings.blocks:
        if block.raters is None:
            for slot, row in enumerate(block.labels):
                if not present[slot]:
                    present[slot] = (row[:PREFIX] >= 0).any() or (row >= 0).any()
        elif not present.all():
            who = block.raters[block.labels >= 0]
            present |= np.bincount(who, minlength=n) > 0
    if present.all() or not present.any():
        return ratings, []
    gone = [name for name, here in zip(ratings.raters, present, strict=True) if not here]
    shown = ", ".join(gone[:12]) + (", …" if len(gone) > 12 else "")
    if given:
        return ratings, [Note("empty_rater", f"raters without any rating: {shown}", "warning")]
    blocks = []
    for block in ratings.blocks:
        if block.raters is None:
            blocks.append(replace(block, labels=block.labels[present[: block.labels.shape[0]]]))
        else:
            places = (np.cumsum(present) - 1).astype(block.raters.dtype)
            places = np.append(places, places.dtype.type(-1))
            blocks.append(replace(block, raters=places[block.raters]))
    kept = tuple(name for name, here in zip(ratings.raters, present, strict=True) if here)
    return replace(ratings, blocks=tuple(blocks), raters=kept), [empty_raters(gone)]


def empty_raters(gone: Sequence[str]) -> Note:
    """That these raters rated nothing and are left out."""
    shown = ", ".join(gone[:12]) + (", …" if len(gone) > 12 else "")
    return Note("empty_rater", f"raters without any rating are left out: {shown}", "warning")


def _references(ratings: Ratings) -> list[Note]:
    """Raters whose names say that they stand above the others, or were made from them."""
    hits = [name for name in ratings.raters if squash(name) in REFERENCE_NAMES]
    others = len(ratings.raters) - len(hits)
    if not hits or others < 2:
        return []
    message = (
        f"counted as a rater like the others: {', '.join(hits)}; a majority or a reference raises "
        "or lowers agreement. To leave it out, name the raters: --raters "
        f"{','.join(n for n in ratings.raters[:8] if n not in hits)}"
        + (",…" if len(ratings.raters) > 8 else "")
    )
    return [Note("reference_column", message, "warning")]


def checked(ratings: Ratings, *, given: bool = True) -> Ratings:
    """The ratings with notes on sizes and on raters without a common label.

    ``given`` says that each rater was given as such, not found as a column of a table.
    """
    notes: list[Note] = []
    if ratings.crowd is None:
        ratings, notes = without_empty_raters(ratings, given)
    notes += _references(ratings)
    sizes = ratings.sizes
    if 0 in sizes:
        message = f"items without any rating: {sizes[0]:,}"
        notes.append(Note("items_without_ratings", message))
    if 1 in sizes:
        message = f"items with one rating (no pair to compare): {sizes[1]:,}"
        notes.append(Note("items_with_one_rating", message))
    if len(ratings.raters) == 1:
        message = f"one rater only ({ratings.raters[0]}); agreement needs two or more"
        notes.append(Note("one_rater", message, "warning"))
    notes += _common_labels(ratings)
    if not notes:
        return ratings
    out = replace(ratings, reading=ratings.reading.with_notes(*notes))
    if "sizes" in ratings.__dict__:
        out.__dict__["sizes"] = ratings.__dict__["sizes"]
    return out


def _used(labels: npt.NDArray[Any], size: int) -> npt.NDArray[np.bool_]:
    """Shape (raters, labels): who used which label."""
    used = np.zeros((labels.shape[0], size + 1), dtype=bool)
    for slot, row in enumerate(labels):
        used[slot, row] = True  # −1 lands in the last column
    return used[:, :-1]


def _common_labels(ratings: Ratings) -> list[Note]:
    n = len(ratings.raters)
    if len(ratings.blocks) != 1 or not 2 <= n <= PAIRS or ratings.crowd is not None:
        return []
    if ratings.categories.numeric and ratings.scale != "nominal":
        return []  # near numbers are not a disagreement
    block = ratings.blocks[0]
    if block.raters is not None or len(ratings.categories) > 10_000:
        return []
    if block.n > PREFIX:
        some = _used(block.labels[:, :PREFIX], len(ratings.categories)).astype(np.int32)
        if ((some @ some.T) > 0).all():
            return []
    used = _used(block.labels, len(ratings.categories)).astype(np.int32)
    shared = used @ used.T
    enough = (block.labels >= 0).sum(axis=1) >= (1 if n == 2 else 3)
    pairs = [
        (a, b)
        for a in range(n)
        for b in range(a + 1, n)
        if not shared[a, b] and enough[a] and enough[b]
    ]
    if not pairs:
        return []
    names, texts = ratings.raters, ratings.categories.texts
    a, b = pairs[0]

    def own(rater: int) -> str:
        labels = [" ".join(texts[k].split()) for k in np.flatnonzero(used[rater])]
        return ", ".join(labels[:6]) + (", …" if len(labels) > 6 else "")

    more = f" (and {len(pairs) - 1} more pairs)" if len(pairs) > 1 else ""
    message = (
        f"raters {names[a]} ({own(a)}) and {names[b]} ({own(b)}) share no label{more}, so their "
        "agreement is 0 whatever they meant; if the same label is spelled in two ways, use "
        "relabel"
    )
    return [Note("no_common_label", message, "warning")]

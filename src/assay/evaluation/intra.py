"""Intra-rater data: the same rater on the same output of the same dimension again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.evaluation.table import Dimension, slots
from assay.ratings.build import small_type
from assay.ratings.categories import Ints
from assay.ratings.model import Block, Ratings, Reading


@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """Outputs that a rater rated more than once.

    Attributes
    ----------
    ratings
        Each (rater, output) as an item, its first, second, … rating as raters.
    raters
        Shape (pairs,): whose.
    equal, apart
        Shape (pairs,): whether the first two ratings are equal, and how far apart they are
        (None where values are names).
    """

    ratings: Ratings
    raters: Ints
    equal: Ints
    apart: Ints | None


def again(made: Dimension) -> Again | None:
    """The repeats of a dimension with the ratings that they repeat, or None without any."""
    more = made.repeats
    if more is None or made.raters is None or more.raters is None:
        return None
    width, people = max(len(made.system_names), 1), len(made.rater_names)
    keys, labels, places = [], [], []
    # The ratings that were cut count here too: they are of the same rater.
    for part in (made, made.cut, more):
        if part is None or part.raters is None or part.order is None:
            continue
        keys.append((part.items * width + part.systems) * people + part.raters)
        labels.append(part.labels)
        places.append(part.order)
    key, label = np.concatenate(keys), np.concatenate(labels)
    order = np.argsort(np.concatenate(places), kind="stable")
    key, label = key[order], label[order]
    found, codes, counts = np.unique(key, return_inverse=True, return_counts=True)
    several = counts > 1
    rows = several[codes.reshape(-1)]
    recode = np.cumsum(several) - 1
    codes = recode[codes.reshape(-1)[rows]]
    label = label[rows]
    n = int(several.sum())
    table = slots(codes, label.astype(small_type(len(made.categories))), n)
    first, second = table[0].astype(np.int64), table[1].astype(np.int64)
    points = made.points
    names = tuple(f"occasion {k + 1}" for k in range(len(table)))
    ratings = Ratings(
        (Block(table),), made.categories, names, made.scale, None, Reading("repeats", "long")
    ).compact()
    apart = None if points is None else np.abs(points[first] - points[second])
    return Again(ratings, found[several] % people, (first == second).astype(np.int64), apart)

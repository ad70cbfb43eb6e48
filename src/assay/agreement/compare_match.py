"""Which items belong together: two rounds by name, two raters and a reference, a majority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.agreement.additive_units import Source
from assay.agreement.compare_sides import Pairing, pairing_of
from assay.errors import DesignError, InputError, UsageError, one_of
from assay.ratings.categories import Categories, Ints
from assay.ratings.model import Ratings
from assay.ratings.reductions import Reduced


@dataclass(frozen=True, eq=False)
class Table:
    """Ratings item by item, items in order of name.

    Attributes
    ----------
    names
        The items' names.
    rows
        Shape (items, columns): label codes; a column a rater, raters by name; where raters are
        not known, the labels of an item in order.
    clusters
        Each item's cluster, or None.
    """

    names: list[str]
    rows: Any
    raters: tuple[str, ...]
    clusters: list[str] | None
    column: str


def table_of(ratings: Ratings) -> Table:
    """The items of ratings as rows."""
    if ratings.denominator != 1 or any(block.weights is not None for block in ratings.blocks):
        raise InputError(
            "a comparison is item by item, and this table counts items that have no name; give "
            "one row an item."
        )
    source = Source(Reduced.of(ratings), "items")
    items = ratings.items
    names = [items[i] for i in source.items.tolist()]
    if ratings.raters:
        rows = source.rows
    else:
        p = source.patterns
        labels = np.repeat(p.labels, p.counts)
        owner = np.repeat(p.owner, p.counts)
        rows = np.full((len(names), int(p.sizes.max(initial=1))), -1, dtype=np.int64)
        rows[owner, np.arange(labels.size) - (np.cumsum(p.sizes) - p.sizes)[owner]] = labels
    order = sorted(range(len(names)), key=names.__getitem__)
    clusters = None
    if ratings.clusters is not None:
        codes = ratings.clusters[source.items]
        clusters = [ratings.cluster_names[int(codes[k])] for k in order]
    return Table(
        [names[k] for k in order],
        rows[order],
        source.raters if ratings.raters else (),
        clusters,
        ratings.cluster_column,
    )


@dataclass(frozen=True, eq=False)
class Rounds:
    """Two tables on their shared items, and the items of one alone."""

    pairing: Pairing
    first_only: list[str]
    second_only: list[str]


def rounds(first: Ratings, second: Ratings) -> Rounds:
    """Two rounds matched by the items' names; their categories are the same.

    Raises
    ------
    DesignError
        If they share no item.
    InputError
        If an item is in different clusters.
    """
    one, other = table_of(first), table_of(second)
    here = {name: k for k, name in enumerate(one.names)}
    shared = [(here[name], k) for k, name in enumerate(other.names) if name in here]
    if not shared:
        raise DesignError(
            f"the two share no item: the first has {_few(one.names)}, the second "
            f"{_few(other.names)}. Items are matched by their names; name the column with --item.",
            code="no_shared_items",
        )
    a, b = (list(side) for side in zip(*shared, strict=True))
    clusters = None
    found = [
        (table.column, [table.clusters[k] for k in kept])
        for table, kept in ((one, a), (other, b))
        if table.clusters is not None
    ]
    if len(found) == 2 and found[0][1] != found[1][1]:
        k = next(k for k, pair in enumerate(zip(found[0][1], found[1][1], strict=True))
                 if pair[0] != pair[1])  # fmt: skip
        raise InputError(
            f"item {one.names[a[k]]!r} is in cluster {found[0][1][k]!r} in the first and in "
            f"{found[1][1][k]!r} in the second; an item belongs to one.",
            code="cluster_varies",
        )
    if found:
        clusters = found[0]
    pairing = pairing_of(one.rows[a], other.rows[b], first, (one.raters, other.raters), clusters)
    kept = {one.names[k] for k in a}
    return Rounds(
        pairing,
        [name for name in one.names if name not in kept],
        [name for name in other.names if name not in kept],
    )


def _few(names: list[str]) -> str:
    return ", ".join(repr(n) for n in names[:3]) + (", …" if len(names) > 3 else "")


@dataclass(frozen=True, eq=False)
class Against:
    """Two raters against a reference, on the items that all three have.

    ``left_out`` counts the items that lack one of the three; ``ties`` those without a majority.
    """

    first: str
    second: str
    pairing: Pairing
    left_out: int
    ties: int


def against(
    ratings: Ratings, raters: Sequence[str], reference: str | None, table: Table | None = None
) -> list[Against]:
    """Every two of ``raters`` against ``reference``, or against the majority of all others.

    Raises
    ------
    DesignError
        If it is not known who gave which rating, or there are too few raters.
    UsageError
        If a rater is named that does not exist.
    """
    if not ratings.raters:
        raise DesignError("raters are compared where it is known who gave which rating.")
    table = table or table_of(ratings)
    for name in (*raters, *([reference] if reference is not None else [])):
        one_of(name, table.raters, "raters")
    if len(set(raters)) < 2 or len(set(raters)) < len(raters):
        raise UsageError("raters: two or more different raters are compared.")
    if reference in raters:
        raise UsageError(f"reference: {reference!r} is one of the raters compared with it.")
    column = {name: k for k, name in enumerate(table.raters)}
    out = []
    for i, a in enumerate(raters):
        for b in raters[i + 1 :]:
            ties = 0
            if reference is not None:
                truth = table.rows[:, column[reference]]
            else:
                others = [k for name, k in column.items() if name not in (a, b)]
                truth, ties = majority(table.rows[:, others], ratings.categories)
            x, y = table.rows[:, column[a]], table.rows[:, column[b]]
            there = (x >= 0) & (y >= 0) & (truth >= 0)
            if not there.any():
                raise DesignError(
                    f"no item has a label of '{a}', of '{b}' and of the reference.",
                    code="no_shared_items",
                )
            clusters = None
            if table.clusters is not None:
                kept = np.flatnonzero(there).tolist()
                clusters = (table.column, [table.clusters[k] for k in kept])
            pairing = pairing_of(
                np.stack([x, truth], axis=1)[there],
                np.stack([y, truth], axis=1)[there],
                ratings,
                (("rater", "reference"),) * 2,
                clusters,
            )
            out.append(Against(a, b, pairing, int((~there).sum()) - ties, ties))
    return out


def majority(rows: Any, categories: Categories) -> tuple[Ints, int]:
    """Each item's most frequent label, −1 without one, and how many items are tied."""
    if not rows.shape[1]:
        raise DesignError("there is nobody left whose majority could be the reference.")
    unit, rater = np.nonzero(rows >= 0)
    counts = np.zeros((len(rows), max(1, len(categories))), dtype=np.int64)
    np.add.at(counts, (unit, rows[unit, rater]), 1)
    most = counts.max(axis=1)
    alone = (counts == most[:, None]).sum(axis=1) == 1
    found = np.where((most > 0) & alone, counts.argmax(axis=1), -1)
    return found.astype(np.int64), int(((most > 0) & ~alone).sum())

"""What one pass over any number of ratings leaves, and the ratings that it stands for.

However ratings were read (a chunk at a time, or grouped by an engine), they end here: labels and
raters with their counts, patterns, and who gave which rating as far as it can be kept. Labels
are raw values until the pass is over; which of them are one label, or mean that there is no
rating, is decided on these sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import ReadingError, one_of
from assay.ratings import checks
from assay.ratings.categories import Ints
from assay.ratings.common import Choices, context_of, finish, plain_items, raters_left_out
from assay.ratings.crowd import Crowd, Example, Examples, Members, Multiset
from assay.ratings.labels import Resolved, resolve
from assay.ratings.large.clusters import ByCluster
from assay.ratings.model import Block, Note, Ratings
from assay.ratings.pairs import PairTables, tables_of_cells
from assay.ratings.patterns import Patterns, multisets, relabelled, size_classes
from assay.ratings.sources.grid import About, Cells, Plan

_NONE: Ints = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Gathered:
    """Sums over items; those of parts of the items add up.

    Attributes
    ----------
    labels, raters
        The distinct raw labels, and the raters' names; their places are their codes.
    table
        Shape (raters, labels): how often each rater gave each label.
    empty
        Rows without a label.
    unrated
        Items with nothing but such rows.
    patterns
        The items' multisets of labels.
    units
        Shape (raters, units) with weights: the distinct rows of items × raters; None where
        there are too many of them.
    pairs
        Where there are no units: shape (cells, 5) of rater, rater (the lower first), their
        labels, and how many items; None where pairs are left out.
    no_pairs
        Why they are.
    examples
        Names of items by what they were given, in raw codes.
    notes
        What to say of the reading.
    ordered
        Whether the source declares that the order of ``labels`` means something.
    by_cluster
        How many items of each cluster were rated in which way, where clusters were named.
    """

    labels: Sequence[Any]
    raters: Sequence[str]
    table: Ints
    empty: int
    unrated: int
    patterns: Patterns
    units: Block | None = None
    pairs: Ints | None = None
    examples: Examples | None = None
    notes: tuple[Note, ...] = ()
    ordered: bool = False
    no_pairs: str = "pairs of raters were left out"
    by_cluster: ByCluster | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Counted(Cells):
    """Distinct values with counts that are known already."""

    known: Ints | None = None

    def counts(self) -> Ints:
        return super().counts() if self.known is None else self.known


def ratings_of(found: Gathered, about: About, plan: Plan, choices: Choices) -> Ratings:
    """The ratings that the sums stand for: raters in order of name, labels resolved.

    Raises
    ------
    LabelError
        If labels do not fit the scale or the declared labels.
    """
    resolved = _resolved((found,), about, choices)
    return checks.checked(_built(found, resolved, about, plan, choices), given=False)


def grouped_ratings(
    found: Mapping[str, Gathered], about: About, plan: Plan, choices: Choices
) -> Ratings:
    """The ratings of several groups; what is one label is decided on all of them."""
    names = sorted(found)
    resolved = _resolved([found[name] for name in names], about, choices)
    parts = {
        name: _built(found[name], _used(found[name], resolved), about, plan, choices, within=True)
        for name in names
    }
    first = parts[names[0]]
    raters = sorted({rater for part in parts.values() for rater in part.raters})
    sizes: dict[int, int] = {}
    for part in parts.values():
        for size, count in part.sizes.items():
            sizes[size] = sizes.get(size, 0) + count
    whole = replace(
        first,
        blocks=(),
        categories=resolved.categories,
        raters=tuple(raters),
        group_names=tuple(names),
        parts=parts,
        crowd=None,
        examples=None,
        # Each part has its own; the whole only knows that there are some.
        members=None if first.members is None else Members(_NONE, _NONE, _NONE),
    )
    whole.__dict__["sizes"] = dict(sorted(sizes.items()))
    return whole


def _resolved(found: Sequence[Gathered], about: About, choices: Choices) -> Resolved:
    if not any(len(part.raters) for part in found):
        raise ReadingError(f"{about.source}: no rows; at least one rating is needed.")
    counts = sum(part.table.sum(axis=0) for part in found)
    none: npt.NDArray[Any] = np.zeros((1, 0), dtype=np.int64)
    cells = _Counted(none, list(found[0].labels), found[0].ordered, known=np.asarray(counts))
    return resolve(cells, choices.labels, about)


def _used(found: Gathered, resolved: Resolved) -> Resolved:
    """Only the labels of a group, unless they were declared."""
    categories = resolved.categories
    if categories.declared:
        return resolved
    code = resolved.apply(np.arange(len(found.labels))).astype(np.int64)
    counts = np.bincount(
        code[code >= 0], found.table.sum(axis=0)[code >= 0], minlength=len(categories)
    )
    kept = np.flatnonzero(counts)
    place = np.full(len(categories) + 1, -1, dtype=np.int64)
    place[kept] = np.arange(kept.size)
    return replace(resolved, categories=categories.take(kept), table=np.append(place[code], -1))


def _built(
    found: Gathered,
    resolved: Resolved,
    about: About,
    plan: Plan,
    choices: Choices,
    *,
    within: bool = False,
) -> Ratings:
    values = list(found.labels)
    code = resolved.apply(np.arange(len(values), dtype=np.int64)).astype(np.int64)
    order, notes = _chosen(found.raters, choices)
    if within:
        # As at once: a rater who rated nothing of a group is none of its raters.
        idle = _joined(found.table, code, len(resolved.categories)).sum(axis=1) == 0
        order = [k for k in order if not idle[k]]
    raters = [found.raters[k] for k in order]
    q = len(resolved.categories)
    counts = _joined(found.table[order], code, q)
    missing = found.empty + int(found.table[:, code < 0].sum())
    crowd = None
    if found.units is None:
        idle = [raters[k] for k in np.flatnonzero(counts.sum(axis=1) == 0)]
        if idle and len(idle) < len(raters):
            order = [k for k in order if found.raters[k] not in idle]
            raters = [found.raters[k] for k in order]
            counts = counts[counts.sum(axis=1) > 0]
            notes.append(checks.empty_raters(idle))
        blocks, unrated = _anonymous(found.patterns, code, q)
        pairs = None if found.pairs is None else _pairs(found.pairs, order, code, q)
        crowd = Crowd(counts, pairs, found.no_pairs)
    else:
        block, unrated = _rows(found.units, order, code)
        blocks = [block]
    if found.unrated or unrated:
        blocks[0] = _with_unrated(blocks[0], found.unrated + unrated)
    context = context_of(about, plan, choices)
    items = plain_items(sum(block.n for block in blocks))
    blocks = list(_numbered(blocks))
    ratings = finish(
        tuple(blocks), items, raters, resolved, context, (*found.notes, *notes), missing
    )
    examples = None if found.examples is None else _Resolved(found.examples, found.patterns, code)
    ratings = replace(ratings, crowd=crowd, examples=examples)
    if found.by_cluster is None:
        return ratings
    members = found.by_cluster.members(blocks, None if found.units is None else order, code)
    return replace(ratings, members=members, cluster_names=found.by_cluster.names)


def _chosen(names: Sequence[str], choices: Choices) -> tuple[list[int], list[Note]]:
    """The raters asked for, in order of name."""
    order = sorted(range(len(names)), key=names.__getitem__)
    if choices.raters is None:
        return order, []
    wanted = {one_of(name, names, "raters") for name in choices.raters}
    left = [names[k] for k in order if names[k] not in wanted]
    notes = [] if not left else [raters_left_out(left)]
    return [k for k in order if names[k] in wanted], notes


def _joined(table: Ints, code: Ints, q: int) -> Ints:
    """Shape (raters, q): counts of raw labels as counts of categories."""
    out = np.zeros((len(table), q), dtype=np.int64)
    kept = np.flatnonzero(code >= 0)
    np.add.at(out.T, code[kept], table[:, kept].T)
    return out


def _numbered(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks with their columns' numbers, where there are several."""
    before = 0
    for block in blocks:
        items = np.arange(before, before + block.n) if len(blocks) > 1 else None
        yield replace(block, items=items)
        before += block.n


def _anonymous(patterns: Patterns, code: Ints, q: int) -> tuple[list[Block], int]:
    """The patterns as columns of blocks, and how many items are left without a rating."""
    p, unrated = relabelled(patterns, code, q)
    parts = [_columns(p.take(rows), q) for rows in size_classes(p.sizes)]
    return parts or [_columns(p, q)], unrated


def _columns(p: Patterns, q: int) -> Block:
    width = int(p.sizes.max(initial=1))
    labels = np.full((width, len(p)), -1, dtype=np.min_scalar_type(-max(q, 1)))
    owner = np.repeat(p.owner, p.counts)
    first = np.cumsum(p.sizes) - p.sizes
    slot = np.arange(owner.size) - first[owner]
    labels[slot, owner] = np.repeat(p.labels, p.counts)
    return Block(labels, weights=p.multiplicity)


def _rows(units: Block, order: Sequence[int], code: Ints) -> tuple[Block, int]:
    """The rows with categories for labels, equal ones merged."""
    weights = units.weights
    if weights is None:
        weights = np.ones(units.n, dtype=np.int64)
    labels = np.append(code, -1)[units.labels[list(order)].astype(np.int64)]
    there = (labels >= 0).any(axis=0)
    unrated = int(weights[~there].sum())
    labels, weights = labels[:, there], weights[there]
    if labels.shape[1]:
        sorting = np.lexsort(labels[::-1])
        labels, weights = labels[:, sorting], weights[sorting]
        new = np.append(True, (labels[:, 1:] != labels[:, :-1]).any(axis=0))
        starts = np.flatnonzero(new)
        labels, weights = labels[:, starts], np.add.reduceat(weights, starts)
    small = np.min_scalar_type(-max(int(code.max(initial=0)) + 1, 1))
    return Block(labels.astype(small), weights=weights), unrated


def _with_unrated(block: Block, count: int) -> Block:
    """One column more, for items without a rating."""
    empty = np.full((block.labels.shape[0], 1), -1, dtype=block.labels.dtype)
    weights = np.append(np.asarray(block.weights, dtype=np.int64), count)
    return Block(np.concatenate([block.labels, empty], axis=1), weights=weights)


def _pairs(cells: Ints, order: Sequence[int], code: Ints, q: int) -> PairTables:
    """Tables of pairs with raters by name and categories for labels."""
    place = np.zeros(int(max(order, default=0)) + 1, dtype=np.int64)
    place[list(order)] = np.arange(len(order))
    # A rater whose labels are all missing has no place.
    g, h, a, b, n = cells[(code[cells[:, 2]] >= 0) & (code[cells[:, 3]] >= 0)].T
    g, h, a, b = place[g], place[h], code[a], code[b]
    swap = g > h
    g, h, a, b = (
        np.where(swap, h, g),
        np.where(swap, g, h),
        np.where(swap, b, a),
        np.where(swap, a, b),
    )
    return tables_of_cells(g, h, a, b, n, q, len(order))


@dataclass(frozen=True, slots=True)
class _Resolved:
    """Examples by category, from examples by raw label."""

    raw: Examples
    patterns: Patterns
    code: Ints

    def of(self, patterns: Iterable[Multiset], most: int) -> list[Example]:
        wanted = set(patterns)
        code = self.code.tolist()
        raw = [
            one
            for one in multisets(self.patterns)
            if tuple(sorted(code[k] for k in one if code[k] >= 0)) in wanted
        ]
        return [
            Example(
                one.item,
                tuple((who, int(self.code[k])) for who, k in one.ratings if self.code[k] >= 0),
            )
            for one in self.raw.of(raw, most)
        ]

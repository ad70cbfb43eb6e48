"""The second question to an engine, what items were given; and the third, pairs of raters.

Whole numbers are added up by item, several of them packed in a key of 62 bits, and items are
counted by their keys: so an answer has a row for each way to rate an item that occurs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.ratings.categories import Ints
from assay.ratings.large.clusters import ByCluster, ways_of_counts, ways_of_rows
from assay.ratings.large.engine_clusters import by_cluster, check_clusters, distinct
from assay.ratings.large.engine_examples import Asked, refuse_repeats, repeated
from assay.ratings.large.engine_keys import Packing, keyed_items, packing_of
from assay.ratings.large.engine_names import MOST_CELLS, Coded, too_many
from assay.ratings.large.engine_terms import collected, one, values, whole
from assay.ratings.large.gathered import Gathered
from assay.ratings.large.keyed import MOST_BITS
from assay.ratings.large.sums import LONGEST, UNITS
from assay.ratings.model import Block
from assay.ratings.patterns import Patterns, patterns_of_block
from assay.ratings.reductions import MAX_PAIRS

if TYPE_CHECKING:
    import narwhals as nw


def gathered(coded: Coded, *, pairs: bool) -> dict[str, Gathered]:
    """Everything that a report needs of coded ratings, by group.

    Raises
    ------
    DuplicateRatings
        If a rater rated an item more than once.
    """
    check_clusters(coded)
    units = units_of(coded)
    patterns = None if units is not None else patterns_of(coded)
    cells: dict[str, Ints] | None = None
    if patterns is not None:
        longest = max(int(p.sizes.max(initial=0)) for p, *_ in patterns.values())
        cells = cells_of(coded) if pairs and longest <= LONGEST else None
        if cells is None:
            refuse_repeats(coded)
    out = {}
    for name, tally in coded.groups.items():
        seats = tally.raters
        block, mine = None, None
        if units is not None:
            rows, unrated, clusters = units[name]
            block = Block(rows.labels[seats], weights=rows.weights)
            found = patterns_of_block(block, max(1, len(coded.labels)), 1)
        elif patterns is not None:
            found, unrated, clusters = patterns[name]
            if cells is not None:
                mine = cells.get(name, np.zeros((0, 5), dtype=np.int64))
                mine = np.column_stack([np.searchsorted(seats, mine[:, :2]), mine[:, 2:]])
        out[name] = Gathered(
            coded.labels,
            [coded.raters[k] for k in seats],
            tally.table[seats],
            tally.empty,
            unrated,
            found,
            block,
            mine,
            Asked(coded, name),
            coded.notes,
            coded.ordered,
            by_cluster=clusters,
        )
    return out


def _groups(coded: Coded, found: nw.DataFrame[Any]) -> dict[str, Ints]:
    """The rows of an answer that are of each group."""
    if not coded.by:
        return {name: np.arange(len(found)) for name in coded.groups}
    (group,) = whole(found, *coded.by)
    return {name: np.flatnonzero(group == k) for k, name in enumerate(coded.groups)}


def units_of(coded: Coded) -> dict[str, tuple[Block, int, ByCluster | None]] | None:
    """Distinct rows of items × raters, items without a rating, and clusters where there are any.

    None where the rows are too many.
    """
    import narwhals as nw

    n, bits = len(coded.raters), max(1, len(coded.labels).bit_length())
    if not 0 < bits * n <= MOST_BITS:
        return None
    packing = Packing(bits, n, n)
    mine = [f"u{k}" for k in range(n)]
    label = nw.col("label")
    names = [*coded.item, *coded.cluster]
    spread = coded.frame.select(
        *names,
        *(
            nw.when(nw.col("rater") == who).then(label).otherwise(nw.lit(0).cast(nw.Int64)).alias(u)
            for who, u in zip(coded.spelled, mine, strict=True)
        ),
        one(label > 0).alias("n"),
    )
    items = spread.group_by(names).agg(nw.col(mine).max(), nw.col("n").sum())
    kept = [*coded.by, *coded.cluster]
    keyed = items.select(
        *kept, *packing.packed([nw.col(u) for u in mine]), nw.col("n").cast(nw.Int64)
    )
    answer = keyed.group_by([*kept, "k0", "n"]).agg(nw.len().alias("items"))
    found = collected(answer, MOST_CELLS if coded.cluster else UNITS)
    if found is None:
        return None
    packed, given, times = whole(found, "k0", "n", "items")
    codes = packing.unpacked([packed])
    if ((codes > 0).sum(axis=1) != given).any() or int(given @ times) != coded.ratings:
        raise repeated(coded)
    out = {}
    for name, rows in _groups(coded, found).items():
        unrated = int(times[rows][given[rows] == 0].sum())
        rows = rows[given[rows] > 0]
        rows = rows[np.argsort(packed[rows], kind="stable")]
        starts, of, sums = distinct(codes[rows], times[rows])
        labels = codes[rows[starts]] - 1
        if len(labels) > UNITS:
            return None
        ways = ways_of_rows(labels[:, coded.groups[name].raters]) if coded.cluster else []
        clusters = by_cluster(found, rows, ways, of, times[rows])
        out[name] = Block(labels.T, weights=sums), unrated, clusters
    return out


def patterns_of(coded: Coded) -> dict[str, tuple[Patterns, int, ByCluster | None]]:
    """The items' multisets of labels, how many items have no label, and clusters."""
    import narwhals as nw

    packing = packing_of(coded)
    answer = keyed_items(coded, packing).group_by([*coded.by, *coded.cluster, *packing.names])
    found = collected(answer.agg(nw.len().alias("items")), MOST_CELLS)
    if found is None:
        of_clusters = "clusters and " if coded.cluster else ""
        raise too_many(coded.source, f"{of_clusters}ways to rate an item", MOST_CELLS)
    *keys, times = whole(found, *packing.names, "items")
    counts = packing.unpacked(keys)
    sizes = counts.sum(axis=1)
    if int(sizes @ times) != coded.ratings:  # a count left its field
        raise repeated(coded)
    out = {}
    for name, rows in _groups(coded, found).items():
        unrated = int(times[rows][sizes[rows] == 0].sum())
        rows = rows[sizes[rows] > 0]
        rows = rows[np.lexsort(counts[rows].T)]
        starts, of, sums = distinct(counts[rows], times[rows])
        kinds = counts[rows[starts]]
        ways = ways_of_counts(kinds) if coded.cluster else []
        clusters = by_cluster(found, rows, ways, of, times[rows])
        out[name] = _patterns(kinds, sums), unrated, clusters
    return out


def _patterns(counts: Ints, times: Ints) -> Patterns:
    """Patterns from rows of labels' counts."""
    rows, labels = np.nonzero(counts)
    return Patterns(
        counts.shape[1],
        times,
        counts.sum(axis=1),
        np.searchsorted(rows, np.arange(len(counts))).astype(np.int64),
        labels.astype(np.int64),
        counts[rows, labels],
    )


def cells_of(coded: Coded) -> dict[str, Ints] | None:
    """Shape (cells, 5): two raters, their labels, and items; None where pairs are too many.

    Each rating also meets itself, and if it meets no other of the same rater, none is repeated.
    """
    import narwhals as nw

    rated = coded.frame.filter(nw.col("label") > 0)
    other = rated.select(
        *coded.item, nw.col("rater").alias("rater_2"), nw.col("label").alias("label_2")
    )
    names = ["rater", "rater_2", "label", "label_2"]
    joined = rated.join(other, on=coded.item, how="inner")
    pairs = joined.filter(nw.col("rater") <= nw.col("rater_2")).group_by([*coded.by, *names])
    found = collected(pairs.agg(nw.len().alias("items")), MOST_CELLS)
    if found is None:
        return None
    code = {who: k for k, who in enumerate(coded.spelled)}
    g, h = (np.array([code[v] for v in values(found, c)], dtype=np.int64) for c in names[:2])
    a, b, n = whole(found, "label", "label_2", "items")
    if int(n[g == h].sum()) != coded.ratings:
        raise repeated(coded)
    swap = g > h
    cells = np.stack(
        [
            np.where(swap, h, g), np.where(swap, g, h),
            np.where(swap, b, a) - 1, np.where(swap, a, b) - 1, n,
        ],
        axis=1,
    )  # fmt: skip
    out = {name: cells[rows[g[rows] != h[rows]]] for name, rows in _groups(coded, found).items()}
    if any(len(np.unique(c[:, 0] * len(code) + c[:, 1])) > MAX_PAIRS for c in out.values()):
        return None
    return out

"""Clusters in an engine: that an item is in one, and how many items of each were given what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.ratings.categories import Ints
from assay.ratings.common import in_two_clusters
from assay.ratings.ids import id_text
from assay.ratings.large.clusters import ByCluster, Way
from assay.ratings.large.engine_names import Coded
from assay.ratings.large.engine_terms import both, fetched, in_order, values
from assay.ratings.large.rows import name_of

if TYPE_CHECKING:
    import narwhals as nw


def check_clusters(coded: Coded) -> None:
    """Ask whether an item is in two clusters.

    Raises
    ------
    ReadingError
        If so.
    """
    import narwhals as nw

    if not coded.cluster:
        return
    each = coded.frame.group_by([*coded.item, *coded.cluster]).agg(nw.len().alias("rows"))
    twice = each.group_by(coded.item).agg(nw.len().alias("n")).filter(nw.col("n") > 1)
    some = fetched(twice.sort(coded.item).head(1))
    if not len(some):
        return
    item = {key: values(some, key)[0] for key in coded.item}
    mine = coded.frame.filter(both(nw.col(key) == value for key, value in item.items()))
    found = fetched(mine.group_by(list(coded.cluster)).agg(nw.len().alias("rows")))
    one, other, *_ = sorted(name_of(v) or "" for v in values(found, "cluster"))
    name = " / ".join(id_text(item[key]) for key in coded.keys)
    raise in_two_clusters(coded.source, coded.clustered, name, one, other)


def distinct(rows: Ints, times: Ints) -> tuple[Ints, Ints, Ints]:
    """Of rows in order, which are the first of their kind, of which kind each is, and the sums."""
    new = np.append(True, (rows[1:] != rows[:-1]).any(axis=1))[: len(rows)]
    starts = np.flatnonzero(new)
    sums = np.add.reduceat(times, starts) if starts.size else times[:0]
    return starts, np.cumsum(new) - 1, sums


def by_cluster(
    found: nw.DataFrame[Any], rows: Ints, ways: Sequence[Way], of: Ints, times: Ints
) -> ByCluster | None:
    """What rows of an answer say of clusters; None where there are none.

    Parameters
    ----------
    rows
        Which rows.
    ways, of
        The ways to rate an item, and which of them each row is about.
    times
        How many items each row stands for.
    """
    if "cluster" not in found.columns:
        return None
    raw = values(found, "cluster")
    place = {v: k for k, v in enumerate(sorted(set(raw), key=lambda v: in_order([v])))}
    names = [name_of(v) or "" for v in place]
    # Two ways to write one name are one cluster.
    first: dict[str, int] = {}
    code = [first.setdefault(name, k) for k, name in enumerate(names)]
    clusters = np.array([code[place[raw[k]]] for k in rows.tolist()], dtype=np.int64)
    return ByCluster(names, ways, clusters, of, times)

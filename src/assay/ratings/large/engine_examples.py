"""Names of a few items in an engine: the hardest ones, and ratings that are repeated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import InputError, ReadingError
from assay.ratings.categories import Categories
from assay.ratings.crowd import Example, Multiset
from assay.ratings.duplicates import SHOWN, refuse
from assay.ratings.ids import id_text
from assay.ratings.large.engine_keys import keyed_items, packing_of
from assay.ratings.large.engine_names import Coded
from assay.ratings.large.engine_terms import both, either, fetched, in_order, values

if TYPE_CHECKING:
    import narwhals as nw

TIES = 1000
"""Items that are brought back of a question: engines may put names in an order of their own."""
AT_ONCE = 200
"""Patterns of which items are asked for in one question."""


def _repeats(coded: Coded) -> nw.LazyFrame[Any]:
    """Items and raters who rated them more than once."""
    import narwhals as nw

    rated = coded.frame.filter(nw.col("label") > 0).group_by([*coded.item, "rater"])
    return rated.agg(nw.len().alias("n")).filter(nw.col("n") > 1)


def refuse_repeats(coded: Coded) -> None:
    """Ask whether a rater rated an item more than once.

    Raises
    ------
    DuplicateRatings
        If so.
    """
    if len(fetched(_repeats(coded).head(1))):
        raise repeated(coded)


def repeated(coded: Coded) -> InputError:
    """The error that names a few ratings of an item by the same rater."""
    keys = [*coded.item, "rater"]
    some = fetched(_repeats(coded).sort(keys).head(SHOWN))
    if not len(some):
        return ReadingError(
            f"{coded.source}: it gave other rows when it was asked again. Let the engine keep them "
            "first (cache(), persist(), a table), so that all questions are about the same.",
            code="rows_changed",
        )
    wanted = list(zip(*(values(some, key) for key in keys), strict=True))
    found = _rows_of(coded, coded.frame, keys, wanted)
    names = [" / ".join(map(id_text, row[: len(coded.keys)])) for row in found]
    items = sorted(set(names))
    place = {name: k for k, name in enumerate(items)}
    code = {who: k for k, who in enumerate(coded.spelled)}
    return refuse(
        np.array([place[name] for name in names]),
        np.array([code[row[-2]] for row in found]),
        np.array([row[-1] - 1 for row in found]),
        items,
        coded.raters,
        Categories(coded.labels),
        coded.source,
        " Of an engine's at most ten are looked at, and duplicates= is not taken, because rows "
        "have no order there.",
    )


def _rows_of(
    coded: Coded, frame: nw.LazyFrame[Any], keys: Sequence[str], wanted: Iterable[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """The ratings whose columns have one of these values, in order."""
    import narwhals as nw

    chosen = [
        both(nw.col(key) == value for key, value in zip(keys, row, strict=True)) for row in wanted
    ]
    if not chosen:
        return []
    found = fetched(frame.filter(either(chosen) & (nw.col("label") > 0)))
    columns = [values(found, name) for name in (*coded.keys, "rater", "label")]
    return sorted(zip(*columns, strict=True), key=lambda row: (*map(str, row[:-1]), row[-1]))


class Asked:
    """Names of items by what they were given: the engine is asked when somebody wants them.

    Parameters
    ----------
    coded
        The ratings in the engine.
    group
        Of which group items are named.
    """

    def __init__(self, coded: Coded, group: str) -> None:
        self._coded = coded
        self._group = group

    def of(self, patterns: Iterable[Multiset], most: int) -> list[Example]:
        """The first ``most`` items, by name, that were given one of these multisets."""
        import narwhals as nw

        coded, packing = self._coded, packing_of(self._coded)
        wanted = iter(sorted(patterns))
        items: list[tuple[Any, ...]] = []
        while some := list(islice(wanted, AT_ONCE)):
            alike = either(
                both(
                    nw.col(name) == value
                    for name, value in zip(packing.names, packing.key(one), strict=True)
                )
                for one in some
            )
            found = self._mine(keyed_items(coded, packing)).filter(alike).select(coded.keys)
            best = fetched(found.sort(coded.keys).head(TIES))
            items += zip(*(values(best, key) for key in coded.keys), strict=True)
        items.sort(key=in_order)
        rows = _rows_of(coded, self._mine(coded.frame), coded.keys, items[:most])
        given: dict[tuple[Any, ...], list[tuple[str, int]]] = {}
        name = dict(zip(coded.spelled, coded.raters, strict=True))
        for *item, who, label in rows:
            given.setdefault(tuple(item), []).append((name[who], int(label) - 1))
        return [
            Example(" / ".join(map(id_text, item)), tuple(sorted(given[item])))
            for item in items[:most]
        ]

    def _mine(self, frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """The group's rows."""
        import narwhals as nw

        if not self._coded.by:
            return frame
        return frame.filter(nw.col("group") == list(self._coded.groups).index(self._group))

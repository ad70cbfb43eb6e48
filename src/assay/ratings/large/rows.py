"""Batches of rows as codes: raters and labels by a shared list, items by their words."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from assay.errors import ReadingError
from assay.ratings.common import rows_of, without_cluster
from assay.ratings.ids import id_text
from assay.ratings.labels import LabelOptions, clean, key_of, means_missing
from assay.ratings.large.identity import JSON, Names, names_of, stacked
from assay.ratings.sources.arrays import is_empty

if TYPE_CHECKING:
    import pyarrow as pa

Array = npt.NDArray[Any]

MOST_LABELS = 1_000_000
MOST_RATERS = 10_000_000
MOST_GROUPS = 10_000
BELOW = 32
"""Bits below a cluster's code, where a row carries it above its rater's."""


class Book:
    """The distinct values of a column, numbered as they come; shared by threads.

    Parameters
    ----------
    value
        What a raw value stands for; None where it is empty.
    what, most
        The column's part, and how many distinct values it may have.
    """

    def __init__(self, value: Callable[[Any], Any], what: str, most: int) -> None:
        self.values: list[Any] = []
        self._value = value
        self._what = what
        self._most = most
        self._codes: dict[Hashable, int] = {}
        self._lock = threading.Lock()

    def codes(self, column: pa.Array) -> Array:
        """Shape (rows,): the code of each value, −1 where it is empty."""
        import pyarrow.types as kinds

        coded = column if kinds.is_dictionary(column.type) else column.dictionary_encode()
        table = self._table(coded.dictionary.to_pylist())
        kind = np.min_scalar_type(-max(len(self.values), 1))
        lookup = np.array([*table, -1], dtype=kind)
        place = coded.indices
        if place.null_count:
            place = place.fill_null(len(table))
        return np.asarray(lookup[place.to_numpy(zero_copy_only=False)])

    def _table(self, raw: list[Any]) -> list[int]:
        with self._lock:
            return [self._code(v) for v in raw]

    def _key(self, value: Any) -> Hashable:
        return key_of(value)

    def _code(self, raw: Any) -> int:
        value = self._value(raw)
        if value is None:
            return -1
        key = self._key(value)
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = len(self.values)
            self.values.append(value)
            if code >= self._most:
                raise ReadingError(
                    f"more than {self._most:,} different {self._what}s; is that the column of the "
                    f"{self._what}s? Name it with --{self._what}.",
                    code="too_many_labels",
                )
        return code


class Declared:
    """Which labels mean that there is no rating, looked up as they come."""

    def __init__(self, labels: Book, options: LabelOptions) -> None:
        self._labels = labels
        self._options = options
        self._gone = np.zeros(0, dtype=bool)

    def __call__(self, codes: Array) -> Array:
        """Shape (rows,): whether a label was declared missing; False for −1."""
        values = self._labels.values
        if len(self._gone) <= int(codes.max(initial=-1)) + 1:
            known = len(self._gone) - 1 if len(self._gone) else 0
            new = [means_missing(v, self._options) for v in values[known : len(values)]]
            self._gone = np.append(np.append(self._gone[:known], new), False).astype(bool)
        return self._gone[codes]


class Seats:
    """Raters within groups, numbered as they come; shared by threads.

    A rater has a seat in each group, and is told apart by it until the groups part.
    """

    def __init__(self) -> None:
        self._codes: dict[tuple[int, ...], int] = {}
        self._lock = threading.Lock()
        self._tables: tuple[Array, Array] = (np.zeros(0, np.int32), np.zeros(0, np.int32))
        self.groups: dict[tuple[int, ...], int] = {}

    def codes(self, columns: Sequence[Array]) -> Array:
        """Shape (rows,): seats from the codes of the groups and, last, of the raters."""
        key = np.zeros(len(columns[0]), dtype=np.int64)
        sizes = [int(column.max(initial=0)) + 2 for column in columns]
        for column, size in zip(columns, sizes, strict=True):
            key = key * size + (column.astype(np.int64) + 1)
        found, inverse = np.unique(key, return_inverse=True)
        parts = []
        for size in reversed(sizes):
            found, digit = np.divmod(found, size)
            parts.append((digit - 1).tolist())
        with self._lock:
            seats = [
                self._codes.setdefault(one, len(self._codes))
                for one in zip(*reversed(parts), strict=True)
            ]
        return np.array(seats, dtype=np.int32)[inverse.reshape(-1)]

    def tables(self) -> tuple[Array, Array]:
        """Of each seat: its group, and its rater."""
        with self._lock:
            known = len(self._tables[0])
            if known < len(self._codes):
                new = list(self._codes)[known:]
                group = [self.groups.setdefault(one[:-1], len(self.groups)) for one in new]
                self._tables = (
                    np.append(self._tables[0], np.array(group, np.int32)),
                    np.append(self._tables[1], np.array([one[-1] for one in new], np.int32)),
                )
            return self._tables


def name_of(raw: Any) -> str | None:
    """The name of a rater, a group or a cluster as text; None where there is none, as for NaN."""
    return None if is_empty(raw) else id_text(raw) or None


def label_value(raw: Any) -> Any:
    """A raw label; None where there is none."""
    if isinstance(raw, float) and raw != raw:
        return None
    if isinstance(raw, str) and not clean(raw):
        return None
    if raw is None or isinstance(raw, (str, bool, int, float)):
        return raw
    if hasattr(raw, "as_tuple"):  # a decimal
        return float(raw)
    return raw if hasattr(raw, "isoformat") else str(raw)


def from_json(read: Callable[[Any], Any], source: str, what: str) -> Callable[[Any], Any]:
    """The same for values that come as JSON texts."""

    def parsed(raw: Any) -> Any:
        value = None if raw is None else json.loads(raw)
        if isinstance(value, (list, dict)):
            raise ReadingError(
                f"{source}: a {what} is {raw[:60]}, a list or a record; one text, number or "
                "boolean is needed.",
                code="nested",
            )
        return read(value)

    return parsed


def _of_json(items: pa.Array, source: str) -> pa.Array:
    """Items of JSON lines, of which those that are no texts come as JSON behind a mark."""
    import pyarrow as pa
    import pyarrow.compute as pc

    marked = pc.starts_with(items, JSON)
    if not pc.any(marked).as_py():
        return items
    read = from_json(name_of, source, "item")
    coded = items.dictionary_encode()
    texts = [
        (read(text[1:]) if text.startswith(JSON) else text) or ""
        for text in coded.dictionary.to_pylist()
    ]
    return pa.DictionaryArray.from_arrays(coded.indices, pa.array(texts, pa.string()))


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of a batch.

    Attributes
    ----------
    names
        The items.
    raters, labels
        Shape (rows,): codes; −1 where there is no label.
    """

    names: Names
    raters: Array
    labels: Array

    def __len__(self) -> int:
        return len(self.labels)


def joined(parts: Sequence[Rows]) -> Rows | None:
    """The rows of several batches, one after another; None where there are none."""
    if len(parts) < 2:
        return parts[0] if parts else None
    places, before = [], 0
    for rows in parts:
        names = rows.names
        place = np.arange(len(rows)) if names.place is None else names.place
        places.append(place.astype(np.int64) + before)
        before += len(names.words)
    return Rows(
        Names(stacked(rows.names.words for rows in parts), np.concatenate(places), None),
        np.concatenate([rows.raters for rows in parts]),
        np.concatenate([rows.labels for rows in parts]),
    )


@dataclass(slots=True, eq=False)
class Coder:
    """From record batches with columns item, rater and label to coded rows."""

    raters: Book
    labels: Book
    source: str
    chosen: frozenset[str] | None = None
    groups: Sequence[Book] = ()
    number: bool = False
    json: bool = False
    seats: Seats | None = None
    clusters: Book | None = None
    column: str = ""
    empty_rows: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def rows(self, batch: pa.RecordBatch) -> Rows:
        """One batch, without rows that are empty throughout.

        Raises
        ------
        ReadingError
            If a row with a label names no item or no rater.
        """
        items, raters, labels = (batch.column(k) for k in range(3))
        if self.json:
            items = _of_json(items, self.source)
        names = names_of(items, number=self.number)
        who = self.raters.codes(raters)
        what = self.labels.codes(labels)
        gone = names.empty_rows()
        kept: Array | None = None
        if gone is not None or who.min(initial=0) < 0:
            kept = self._filled(gone, who, what)
        if self.chosen is not None:
            wanted = np.array([*(n in self.chosen for n in self.raters.values), False])
            kept = wanted[who] if kept is None else kept & wanted[who]
        if self.seats is not None:
            of = [book.codes(batch.column(k)) for k, book in enumerate(self.groups, 3)]
            who = self.seats.codes([*of, who])
        if self.clusters is not None:
            column = batch.column(3 + len(self.groups))
            who = self._carried(self.clusters, column, who, kept)
        if kept is None:
            return Rows(names, who, what)
        place = np.arange(len(who)) if names.place is None else names.place
        return Rows(Names(names.words, place[kept], None), who[kept], what[kept])

    def _carried(self, book: Book, column: pa.Array, who: Array, kept: Array | None) -> Array:
        """Raters' codes with the clusters above them."""
        clusters = book.codes(column)
        lacking = clusters < 0 if kept is None else (clusters < 0) & kept
        found = int(np.count_nonzero(lacking))
        if found:
            raise without_cluster(self.source, self.column, f"at least {rows_of(found)}")
        return np.asarray((clusters.astype(np.int64) << BELOW) | who.astype(np.int64))

    def _filled(self, gone: Array | None, who: Array, what: Array) -> Array:
        no_item = np.zeros(len(who), dtype=bool)
        if gone is not None:
            no_item[gone] = True
        empty = no_item & (who < 0) & (what < 0)
        for part, lacking in (("item", no_item), ("rater", who < 0)):
            found = int(np.count_nonzero(lacking & ~empty))
            if found:
                row = int(np.flatnonzero(lacking & ~empty)[0])
                rater = self.raters.values[who[row]] if who[row] >= 0 and not self.groups else None
                label = self.labels.values[what[row]] if what[row] >= 0 else None
                said = [
                    f"{k} {v!r}" for k, v in (("rater", rater), ("label", label)) if v is not None
                ]
                where = f" (one has {' and '.join(said)})" if said else ""
                raise ReadingError(
                    f"{self.source}: no {part} in at least {rows_of(found)}{where}. Each row "
                    f"needs its {part}.",
                    code=f"empty_{part}",
                )
        with self.lock:
            self.empty_rows += int(np.count_nonzero(empty))
        return np.asarray(~empty)

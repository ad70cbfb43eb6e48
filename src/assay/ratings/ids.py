"""The identity of items, raters and groups: names are trimmed, ids keep their zeros."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assay.ratings.categories import Codes, Ints, label_text
from assay.ratings.labels import clean
from assay.ratings.model import Note
from assay.ratings.sources.grid import IdColumn
from assay.ratings.sources.numbers import first_appearance

Names = Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True, eq=False)
class Ids:
    """Names with codes by first appearance; ``codes`` has −1 where a cell is empty."""

    codes: Codes
    size: int
    names: Names
    notes: tuple[Note, ...] = ()

    @property
    def empty(self) -> bool:
        return bool(self.codes.min(initial=0) < 0)


class Texts:
    """Raw names as texts, made when first needed; can be pickled."""

    def __init__(self, fetch: Callable[[], Sequence[Any]]) -> None:
        self._fetch: Callable[[], Sequence[Any]] | None = fetch
        self._texts: Sequence[str] = ()

    def __call__(self) -> Sequence[str]:
        if self._fetch is not None:
            self._texts = [id_text(v) for v in self._fetch()]
            self._fetch = None
        return self._texts

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (fixed, (list(self()),))


def fixed(texts: Sequence[str]) -> Texts:
    """Names that are known already."""
    return Texts(partial(list, texts))


def id_text(value: Any) -> str:
    """A name as text.

    >>> id_text(" 007 "), id_text(7.0), id_text(7)
    ('007', '7', '7')
    """
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, (bool, int, float)):
        return label_text(value)
    return str(value)


MERGED = {
    "items": "items_merged",
    "raters": "raters_merged",
    "groups": "groups_merged",
}
"""The note on names that were merged, by the part that the column plays."""


def tidy(column: IdColumn, what: str) -> Ids:
    """Trim the names of one column, and merge those that become equal."""
    if column.clean:
        return Ids(column.codes, column.size, Texts(column.names))
    raw = list(column.names())
    texts = [id_text(v) for v in raw]
    table: dict[str, int] = {}
    remap = [-1 if text == "" else table.setdefault(text, len(table)) for text in texts]
    if len(table) == len(raw):
        return Ids(column.codes, column.size, fixed(texts))
    codes = np.array([*remap, -1], dtype=np.int32)[column.codes]
    names = list(table)
    notes: tuple[Note, ...] = ()
    if len(table) + texts.count("") < len(raw) and what in MERGED:
        spelled: dict[str, list[str]] = {}
        for value, text in zip(raw, texts, strict=True):
            if text:
                spelled.setdefault(text, []).append(ascii(value))
        groups = [" = ".join(same) for same in spelled.values() if len(same) > 1]
        more = f"; and {len(groups) - 8} more" if len(groups) > 8 else ""
        message = (
            f"{what} that differ only in outer white space, Unicode form or type were merged: "
            + "; ".join(groups[:8])
            + more
        )
        notes = (Note(MERGED[what], message),)
    return Ids(codes, len(names), fixed(names), notes)


def at_rows(column: Ids, rows: Codes) -> Ids:
    """The column at some rows only, with the names that occur there."""
    codes, order = first_appearance(column.codes[rows], column.size)
    names = column.names

    def left() -> list[str]:
        known = names()
        return [known[int(k)] for k in order]

    return Ids(codes, len(order), Texts(left), column.notes)


@dataclass(frozen=True, slots=True, eq=False)
class Combined:
    """Several name columns as one: codes of the combinations, and of each part.

    ``parts[k][c]`` is the code in column k of combination c.
    """

    codes: Codes
    size: int
    parts: tuple[Ints, ...]


def combine(columns: Sequence[Ids]) -> Combined:
    """Code the combinations of several columns that occur, by first appearance."""
    if len(columns) == 1:
        only = columns[0]
        return Combined(only.codes, only.size, (np.arange(only.size),))
    key = columns[0].codes.astype(np.int64)
    for column in columns[1:]:
        key = key * max(column.size, 1) + column.codes
    distinct, inverse = np.unique(key, return_inverse=True)
    codes, order = first_appearance(inverse.reshape(-1), len(distinct))
    rest = distinct[order]
    parts: list[Ints] = []
    for column in reversed(columns[1:]):
        parts.append(rest % max(column.size, 1))
        rest = rest // max(column.size, 1)
    parts.append(rest)
    return Combined(codes, len(distinct), tuple(reversed(parts)))


def joined_names(columns: Sequence[Ids], parts: Sequence[Ints]) -> Names:
    """The names of combinations: the parts' names with " / " between."""
    if len(columns) == 1:
        only, part = columns[0], parts[0]
        if len(part) == only.size and np.array_equal(part, np.arange(only.size)):
            return only.names

    def names() -> list[str]:
        lists = [c.names() for c in columns]
        return [
            " / ".join(names[int(k)] for names, k in zip(lists, row, strict=True))
            for row in zip(*parts, strict=True)
        ]

    return Texts(names)

"""What every source is turned into: a grid of named columns, encoded on demand.

A grid has rows and named columns. Layouts are found on its first rows; after that only
whole columns are asked for, as integer codes over their distinct values, so that no cell
of a large table passes through Python on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from assay.errors import ReadingError
from assay.ratings.categories import Codes, Ints
from assay.ratings.model import Note

T = TypeVar("T")

WHITE = "".join(
    chr(c)
    for c in (
        *range(0x09, 0x0E),
        *(0x20, 0x85, 0xA0, 0x1680),
        *range(0x2000, 0x200C),
        *(0x2028, 0x2029, 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF),
    )
)
"""Outer white space, with the no-break and zero-width spaces that screens do not show."""


@dataclass(frozen=True, slots=True, eq=False)
class IdColumn:
    """A column of names (items, raters, groups), coded by first appearance.

    Attributes
    ----------
    codes
        Shape (rows,): the name's code, −1 where the cell is empty.
    size
        How many distinct names there are.
    names
        Fetches the distinct raw values, in the order of their codes.
    clean
        Whether it is known that no name needs trimming or normalising.
    """

    codes: Codes
    size: int
    names: Callable[[], Sequence[Any]]
    clean: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """One or several columns of labels, coded over one list of distinct raw values.

    Attributes
    ----------
    codes
        Shape (columns, rows): index into ``values``, −1 where the cell is empty.
    values
        The distinct raw values; a numeric array, or any Python values.
    ordered
        Whether the source declares that the order of ``values`` means something.
    """

    codes: Codes
    values: Sequence[Any] | npt.NDArray[Any]
    ordered: bool = False

    def counts(self) -> Ints:
        """How many cells hold each value."""
        total = np.zeros(len(self.values) + 1, dtype=np.int64)
        for row in self.codes:
            total += np.bincount(row.astype(np.intp) + 1, minlength=len(total))
        return total[1:]

    def first_places(self, code: int, limit: int = 3) -> list[tuple[int, int]]:
        """The first (row, column) where ``code`` stands, in the order of ``codes``."""
        found = np.argwhere(code == self.codes.T)[:limit]
        return [(int(r), int(c)) for r, c in found]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """Columns of one grid, all encoded in the same order of rows."""

    ids: tuple[IdColumn, ...]
    cells: Cells


@dataclass(frozen=True, slots=True)
class Plan:
    """Which column plays which part."""

    layout: str
    item: tuple[str, ...] = ()
    rater: str | None = None
    label: str | None = None
    columns: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    frequency: str | None = None
    rater_names: tuple[str, ...] | None = None
    transposed: bool = False
    notes: tuple[Note, ...] = ()
    cluster: str | None = None

    def with_notes(self, *notes: Note) -> Plan:
        return replace(self, notes=(*self.notes, *notes))


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a source besides its cells."""

    source: str = "memory"
    format: str = "memory"
    typed: bool = True
    notes: tuple[Note, ...] = ()
    plan: Plan | None = None
    decimal_comma: bool | None = None
    """True if declared, None if it may be found in the cells, False if it cannot be."""
    row_word: str = "row"
    row_offset: int = 1
    numbers_as_text: bool = False
    """Whether number-like texts among numbers are numbers (spreadsheets)."""
    separator: str = ""
    """What stands between the cells of a text file."""
    unreadable: tuple[tuple[str, str], ...] = ()
    """Columns that were left out because their cells hold lists or the like, and what."""
    index: tuple[str, ...] = ()
    """Columns that were a data frame's index."""
    orders: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Columns whose source declares an order of its labels."""
    headless: bool = False
    """Whether the columns have no names of their own."""

    def place(self, row: int) -> str:
        return f"{self.row_word} {row + self.row_offset}"


class Grid(Protocol):
    """Named columns of cells."""

    @property
    def about(self) -> About: ...

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def n_rows(self) -> int: ...

    def head(self, limit: int) -> list[tuple[Any, ...]]:
        """The first rows; None where a cell is empty."""

    def encode(
        self, ids: Sequence[str], cells: Sequence[str], *, in_order: bool = False
    ) -> Encoded:
        """Encode ``ids`` each on its own, and ``cells`` over one list of values.

        Rows come in any order, the same for all columns, unless ``in_order`` asks for the
        order of the source.
        """

    def rows_where_empty(self, column: str, limit: int) -> list[int]:
        """The first rows whose cell in ``column`` is empty."""

    def drop_empty_rows(self) -> tuple[Grid, int]:
        """The grid without rows that are empty in every column, and how many there were."""

    def release(self) -> None:
        """Let go of the cells; names that were not fetched yet stay available."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnGrid:
    """A grid held in memory: one native column (list, array, series) a name."""

    about: About
    names: tuple[str, ...]
    columns: tuple[Any, ...] = field(repr=False)
    n_rows: int

    def _column(self, name: str) -> Any:
        return self.columns[self.names.index(name)]

    def head(self, limit: int) -> list[tuple[Any, ...]]:
        from assay.ratings.sources.arrays import to_list

        return list(zip(*(to_list(c[:limit]) for c in self.columns), strict=True))

    def encode(
        self, ids: Sequence[str], cells: Sequence[str], *, in_order: bool = False
    ) -> Encoded:
        from assay.ratings.sources.arrays import encode_cells, encode_ids

        del in_order  # always
        coded = [self._named(name, lambda n: encode_ids(self._column(n))) for name in ids]
        columns = [self._column(name) for name in cells]
        labels = self._named(", ".join(cells), lambda _: encode_cells(columns, self.n_rows))
        return Encoded(tuple(coded), labels)

    def _named(self, name: str, encode: Callable[[str], T]) -> T:
        """Encode, naming the column in an error."""
        try:
            return encode(name)
        except ReadingError as error:
            message = f"{self.about.source}, column {name}: {error}"
            raise ReadingError(message, code=error.code) from None

    def rows_where_empty(self, column: str, limit: int) -> list[int]:
        from assay.ratings.sources.arrays import encode_ids

        coded = encode_ids(self._column(column))
        blank = [k for k, v in enumerate(coded.names()) if not str(v).strip(WHITE)]
        empty = (coded.codes < 0) | np.isin(coded.codes, blank)
        return [int(r) for r in np.flatnonzero(empty)[:limit]]

    def release(self) -> None:
        return None

    def drop_empty_rows(self) -> tuple[ColumnGrid, int]:
        from assay.ratings.sources.arrays import encode_ids, take

        full = np.zeros(self.n_rows, dtype=bool)
        for column in self.columns:
            full |= encode_ids(column).codes >= 0
        kept = np.flatnonzero(full)
        columns = tuple(take(c, kept) for c in self.columns)
        return replace(self, columns=columns, n_rows=len(kept)), self.n_rows - len(kept)

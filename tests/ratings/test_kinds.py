"""What labels, frames and workbooks say of themselves: orders, merged cells, errors, spaces."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay import read
from assay.errors import ReadingError
from assay.ratings.labels import LabelOptions, resolve
from assay.ratings.sources.grid import About, Cells
from ratings.helpers import codes, note, triples, write


@pytest.mark.parametrize(
    ("rows", "labels", "said"),
    [
        ([["TRUE", "true"], ["False", "false"]], [False, True], "taken as true: TRUE (1 cell)"),
        ([["TRUE", "yes"], ["1", "no"]], [False, True], "taken as false: no (1 cell)"),
        ([[True, "t"], [False, "f"], [1, 0]], [False, True], "true (boolean) (1 cell)"),
        ([["y", "yes"], ["n", "no"]], [False, True], "taken as true: y (1 cell), yes (1 cell)"),
        ([["true", "2"], ["false", "1"]], ["1", "2", False, True], "taken as true: true (1 cell)"),
        ([["y", "yes"], ["maybe", "no"]], ["maybe", False, True], "taken as false: no (1 cell)"),
    ],
)
def test_relabel_booleans(rows: Any, labels: list[Any], said: str) -> None:
    got = read(rows, relabel="booleans")
    assert list(got.categories) == labels
    assert list(map(type, got.categories)) == list(map(type, labels))
    assert said in note(got, "relabelled").message
    assert not {"labels_merged", "numbers_merged", "mixed_label_types"} & set(codes(got))


def test_one_pair_of_words_is_left_alone() -> None:
    for rows in ([["yes", "no"], ["no", "no"]], [["1", "0"], ["0", "0"]], [["a", "b"]]):
        got = read(rows, relabel="booleans")
        assert sorted(map(str, got.categories)) == sorted({x for row in rows for x in row})
        assert note(got, "relabel_unused").level == "warning"


def test_renamed_labels_are_not_said_to_differ_in_white_space() -> None:
    got = read([["y", "yes"], ["n", "no "]], relabel={"y": "yes", "n": "no"})
    assert "labels_merged" not in codes(got)
    got = read([["y", "yes"], ["yes ", "yes"]], relabel={"y": "yes"})
    assert "yes = 'yes '" in note(got, "labels_merged").message


def test_declared_missing_cells_are_not_empty_ones() -> None:
    got = read([["yes", "no"], ["no", None]], missing="yes")
    assert note(got, "missing_cells").message.endswith(": 1")
    assert "missing_cells" not in codes(read([["yes", "no"], ["no", "no"]], missing="yes"))


def test_ligatures_are_no_matter_of_case() -> None:
    assert "labels_differ_by_case" not in codes(read([["fi", "\ufb01"], ["a", "a"]]))
    assert "labels_differ_by_case" in codes(read([["Stra\u00dfe", "STRASSE"]]))


def test_inner_white_space_is_shown() -> None:
    got = read([["very  good", "very good"], ["very\u00a0good", "ve\u200bry good"]])
    assert len(got.categories) == 4
    said = note(got, "labels_differ_by_space")
    assert said.level == "warning"
    for text in ("'very  good'", "'very good'", "'very\\xa0good'", "'ve\\u200bry good'"):
        assert text in said.message
    got = read([["very\u3000good", "very good"]])
    assert "\\u3000" in note(got, "labels_differ_by_space").message


def test_names_that_did_not_merge_are_not_named(tmp_path: Path) -> None:
    text = "item,rater,label\nq1,a,x\n q1,b,x\n q2,a,y\n q2,b,y\n"
    got = read(write(tmp_path, text))
    assert note(got, "items_merged").message.endswith(": 'q1' = ' q1'")
    text = "item,rater,dim,label\nq1,a,f,x\nq1,b, f,x\n"
    assert "groups_merged" in codes(read(write(tmp_path, text), by="dim"))


def test_a_period_is_kept_for_later() -> None:
    got = read([[1, 23], [0, 12]], period=24)
    assert got.period == 24.0
    assert got.with_scale("circular").period == 24.0
    assert got.with_scale("circular", period=12.0).period == 12.0


def test_many_numbers_are_resolved_at_once() -> None:
    numbers = np.random.default_rng(1).permutation(100_000)
    texts = [f"{n / 1000:.3f}" for n in numbers] + ["1.50", "-0"]
    codes_ = np.arange(len(texts))[None, :]
    start = time.process_time()
    got = resolve(Cells(codes_, texts), LabelOptions(), About(typed=False))
    assert time.process_time() - start < 2
    assert len(got.categories) == 100_000
    assert got.scale == "interval"
    values = np.asarray(got.categories.labels)[got.apply(codes_)[0]]
    assert np.array_equal(values, np.array(texts, dtype=float))
    assert {n.code for n in got.notes} == {"numbers_merged", "scale_from_decimals"}
    assert "1.500 = 1.50" in got.notes[0].message
    whole = resolve(Cells(codes_[:, :9000], list(range(9000))), LabelOptions(), About())
    assert [whole.categories[k] for k in (0, 8999)] == [0, 8999]
    slow = [*texts, "1e3"]
    whole = resolve(Cells(np.arange(len(slow))[None, :], slow), LabelOptions(), About(typed=False))
    assert len(whole.categories) == 100_001


def test_triples_of_numbers_are_said() -> None:
    assert note(read([(1, 2, 3), (1, 3, 3)]), "read_as_triples").level == "warning"
    assert "read_as_triples" not in codes(read([(1, 2, 3), (1, 3, 3)], layout="long"))
    assert "read_as_triples" not in codes(read([(1, "a", 3), (1, "b", 3)]))


def test_more_columns_than_rows_in_a_matrix() -> None:
    for matrix in ([[1, 2] * 5, [2, 1] * 5], np.array([[1, 2] * 5, [2, 1] * 5])):
        assert "rows are taken as items" in note(read(matrix), "few_rows_many_columns").message
    assert "few_rows_many_columns" not in codes(read([[1, 2, 3], [1, 2, 2]]))


def test_an_index_that_means_something() -> None:
    cells = {"ana": ["x", "y"], "bo": ["x", "x"]}
    for index, items in (
        (pd.Index(["q1", "q2"], name="item"), ["q1", "q2"]),
        (["p", "q"], ["p", "q"]),
        (pd.Index([5, 6], name="foo"), ["5", "6"]),
    ):
        got = read(pd.DataFrame(cells, index=index))
        assert got.raters == ("ana", "bo")
        assert list(got.items) == items
        assert "index_used" in codes(got)
    for index in ([3, 9], pd.RangeIndex(2)):
        got = read(pd.DataFrame(cells, index=index))
        assert got.raters == ("ana", "bo")
        assert list(got.items) == ["1", "2"]
    pairs = [("q1", "a"), ("q1", "b"), ("q2", "a")]
    index = pd.MultiIndex.from_tuples(pairs, names=["item", "rater"])
    long = pd.DataFrame({"label": ["x", "y", "x"]}, index=index)
    assert triples(read(long)) == [("q1", "a", "x"), ("q1", "b", "y"), ("q2", "a", "x")]


def test_an_index_that_repeats() -> None:
    parts = [pd.DataFrame({"rater": [r, r], "label": ["x", "y"]}) for r in "ab"]
    got = read(pd.concat(parts))
    assert triples(got)[0] == ("0", "a", "x")
    assert note(got, "index_used").level == "warning"
    wide = [pd.DataFrame({"item": [i], "x": ["u"], "y": ["v"]}) for i in "pq"]
    got = read(pd.concat(wide))
    assert note(got, "index_repeats").level == "warning"
    assert list(got.items) == ["p", "q"]
    named = pd.DataFrame({"item": ["p"], "x": ["u"], "y": ["u"]}, index=pd.Index([1], name="item"))
    assert "index_not_used" in codes(read(named))


ORDER = ["low", "mid", "high"]


def test_ordered_categories_declare_their_order(tmp_path: Path) -> None:
    kind = pd.CategoricalDtype(ORDER, ordered=True)
    cells = {"ann": ["low", "high", None], "bo": ["low", "low", "low"]}
    frame = pd.DataFrame(
        {"item": list("pqr")} | {n: pd.Series(c, dtype=kind) for n, c in cells.items()}
    )
    frame.to_parquet(tmp_path / "pandas.parquet")
    enum = pl.DataFrame({"item": list("pqr"), **cells}).with_columns(
        pl.col("ann", "bo").cast(pl.Enum(ORDER))
    )
    enum.write_parquet(tmp_path / "polars.parquet")
    chunks = pa.concat_tables([pq.read_table(tmp_path / "pandas.parquet")] * 1)
    for source in (tmp_path / "pandas.parquet", tmp_path / "polars.parquet", enum, chunks, frame):
        got = read(source, scale="ordinal")
        assert list(got.categories) == ORDER
        assert got.categories.ordered
        assert got.n_ratings == 5
        assert "order_from_source" in codes(got)
    assert list(read(tmp_path / "pandas.parquet", order="high,mid,low").categories) == ORDER[::-1]
    pd.DataFrame({"item": ["p"], **{n: ["low"] for n in cells}}).astype("category").to_parquet(
        tmp_path / "plain.parquet"
    )
    assert not read(tmp_path / "plain.parquet").categories.ordered


def test_nested_columns_of_parquet(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"item": ["a"], "who": [["x"]], "labels": [[1]]}), path)
    with pytest.raises(ReadingError, match="who: lists; labels: lists") as caught:
        read(path)
    assert caught.value.code == "nested"
    columns = {"item": ["a", "b"], "ana": ["x", "y"], "bo": ["x", "x"]}
    odd = {"raw": [b"1", b"2"], "both": [{"a": 1}, {"a": 2}]}
    pq.write_table(pa.table(columns | odd), path)
    got = read(path)
    assert got.raters == ("ana", "bo")
    assert note(got, "columns_not_used").message.endswith("raw (bytes), both (records)")
    with pytest.raises(ReadingError, match="column both: its cells are records") as caught:
        read(path, rater="ana", label="both")
    assert caught.value.code == "nested"
    pl.DataFrame({"item": [1, 2], "x": [1.5, float("nan")], "y": [2.5, 1.5]}).write_parquet(path)
    assert read(path).n_ratings == 3


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        '{"item": 1}\n{"label": ' + "[" * 100_000 + "]" * 100_000 + "}\n",
    ],
)
def test_json_nested_too_deeply(tmp_path: Path, text: str) -> None:
    with pytest.raises(ReadingError, match="too deeply") as caught:
        read(write(tmp_path, text))
    assert caught.value.code == "nested"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xef\xbb\xbf", "empty"),
        (b"\xff\xfe", "empty"),
        (b"{}", "empty record"),
        (b"{}\n{}", "empty"),
    ],
)
def test_files_with_nothing_in_them(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(ReadingError, match=message):
        read(write(tmp_path, content))


def book(path: Path, sheets: dict[str, list[list[Any]]], merged: str = "") -> Path:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
        for cells in merged.split():
            sheet.merge_cells(cells)
    made.save(path / "book.xlsx")
    return path / "book.xlsx"


def test_merged_and_broken_cells(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["item", "rater", "label"],
        ["q1", "a", "x"],
        [None, "b", "x"],
        ["q2", "a", "y"],
        [None, "b", "#N/A"],
    ]
    got = read(book(tmp_path, {"s": rows}, "A2:A3 A4:A5"))
    assert triples(got) == [("q1", "a", "x"), ("q1", "b", "x"), ("q2", "a", "y")]
    assert note(got, "merged_cells").message.endswith(": 2")
    assert "(C5)" in note(got, "error_cells").message


def test_titles_in_a_workbook(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["Our study", None], [], ["item", "ana", "bo"], ["q", "x", "y"]]
    got = read(book(tmp_path, {"s": rows}, "A1:C1"))
    assert triples(got) == [("q", "ana", "x"), ("q", "bo", "y")]
    assert note(got, "title_rows").message.endswith(": Our study")
    rows.append([None, "x", "x"])
    with pytest.raises(ReadingError, match="no item in row 5"):
        read(book(tmp_path, {"s": rows}))


def test_sheets_that_are_alike(tmp_path: Path) -> None:
    one: list[list[Any]] = [["item", "label"], ["q1", "x"], ["q2", "y"]]
    sheets: dict[str, list[list[Any]]] = {
        "README": [["This workbook", "holds"], ["the", "ratings"]],
        "ann": one,
        "bo": one,
    }
    got = read(book(tmp_path, sheets))
    assert got.raters == ("ann", "bo")
    assert note(got, "sheets").message.endswith("not read: README")
    assert note(got, "sheets").level == "warning"

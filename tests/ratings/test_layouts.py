"""Which layout is found, and what its columns become."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path

import pytest

from assay import read
from assay.errors import AmbiguousLayout, DuplicateRatings, ReadingError, UsageError
from ratings.helpers import codes, note, triples, write


def test_long_by_usual_names(tmp_path: Path) -> None:
    text = "text_id,text,annotator,timestamp,sentiment\n1,hi,ann,9:00,pos\n1,hi,bo,9:01,neg\n"
    got = read(write(tmp_path, text))
    assert triples(got) == [("1", "ann", "pos"), ("1", "bo", "neg")]
    assert note(got, "columns").message.endswith(
        "item: text_id; rater: annotator; label: sentiment"
    )
    assert note(got, "columns_not_used").message.endswith("text, timestamp")
    assert got.reading.layout == "long"


def test_long_by_options(tmp_path: Path) -> None:
    got = read(write(tmp_path, "a,b,c\n1,x,yes\n1,y,no\n"), item="a", rater="b", label="c")
    assert triples(got) == [("1", "x", "yes"), ("1", "y", "no")]


def test_composite_item(tmp_path: Path) -> None:
    got = read(
        write(tmp_path, "doc,seg,rater,label\nd,1,x,a\nd,2,x,b\nd,1,y,a\n"), item=["doc", "seg"]
    )
    assert list(got.items) == ["d / 1", "d / 2"]


def test_which_label_is_asked(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="Candidates: fluency, relevance") as caught:
        read(write(tmp_path, "item,rater,fluency,relevance\n1,a,3,4\n1,b,3,5\n"))
    assert caught.value.code == "no_label_column"


def test_wide_with_texts(tmp_path: Path) -> None:
    got = read(write(tmp_path, "id,r1,r2\n007,x,y\n008,,x\n"))
    assert list(got.items) == ["007", "008"]
    assert got.raters == ("r1", "r2")
    assert note(got, "layout").message == "layout: wide"


def test_wide_without_items(tmp_path: Path) -> None:
    got = read(write(tmp_path, "r1,r2\nyes,no\nno,yes\n"))
    assert got.raters == ("r1", "r2")


def test_a_judge_and_a_human_are_columns(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,judge,human\n1,good,bad\n2,good,good\n"))
    assert got.raters == ("judge", "human")


@pytest.mark.parametrize("header", ["item,x,y,z", "id,a,b,c", "item,1,2,3", "w,x,y,z"])
def test_whole_numbers_are_ambiguous(tmp_path: Path, header: str) -> None:
    with pytest.raises(AmbiguousLayout, match="--layout wide or --layout counts") as caught:
        read(write(tmp_path, f"{header}\n1,1,2,0\n2,0,3,0\n"))
    assert caught.value.options == ("wide", "counts")
    assert caught.value.code == "ambiguous_layout"


@pytest.mark.parametrize("names", ["annotator_1,annotator_2", "r1,r2", "Coder A,Coder B"])
def test_raters_by_name_are_wide(tmp_path: Path, names: str) -> None:
    got = read(write(tmp_path, f"item,{names}\n1,1,2\n2,3,3\n"))
    assert got.reading.layout == "wide"


def test_scores_without_a_zero_are_not_counts(tmp_path: Path) -> None:
    rows = "".join(f"{i},{1 + i % 3},{1 + i % 4},{1 + i % 5}\n" for i in range(8))
    assert read(write(tmp_path, "item,ana,bo,cy\n" + rows)).reading.layout == "wide"
    rows = "".join(f"{i},{1 + i % 3},{1 + i % 4}\n" for i in range(8))
    with pytest.raises(AmbiguousLayout):
        read(write(tmp_path, "item,good,bad\n" + rows))
    with pytest.raises(AmbiguousLayout):
        read(write(tmp_path, "item,x,y,z\n" + "".join(f"{i},1,1,1\n" for i in range(8))))


def test_decimals_and_gaps_are_not_counts(tmp_path: Path) -> None:
    assert read(write(tmp_path, "item,a,b\n1,1.5,2\n2,3,3\n")).reading.layout == "wide"
    rows = "".join(f"{k},{1 + k % 3},{k % 2 or ''},{1 + k % 5}\n" for k in range(9))
    assert read(write(tmp_path, f"item,a,b,c\n{rows}")).reading.layout == "wide"


def test_counts(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,yes,no\nq1,3,0\nq2,1,1\n"), layout="counts")
    assert list(got.categories) == ["yes", "no"]
    assert got.categories.declared
    assert got.raters == ()
    assert got.blocks[0].raters is None
    assert got.blocks[0].labels.tolist() == [[0, 0], [0, 1], [0, -1]]
    assert list(got.items) == ["q1", "q2"]


def test_counts_by_declared_categories(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,yes,no\nq1,3,0\n"), categories="yes,no,maybe")
    assert got.reading.layout == "counts"
    assert list(got.categories) == ["yes", "no", "maybe"]


def test_counts_of_numbers_order_by_value(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,10,9\nq1,3,0\nq2,0,1\n"), layout="counts", scale="interval")
    assert list(got.categories) == [9, 10]
    assert got.blocks[0].labels[:, 1].tolist() == [0, -1, -1]


@pytest.mark.parametrize("cell", ["x", "-1", "1.5"])
def test_bad_counts(tmp_path: Path, cell: str) -> None:
    with pytest.raises(ReadingError, match=f"line 3, column no: the count is '{cell}'"):
        read(write(tmp_path, f"item,yes,no\nq1,3,0\nq2,1,{cell}\n"), layout="counts")


def test_numbers_read_as_wide_that_look_like_counts(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,a,b\n1,3,0\n2,1,2\n"), layout="wide")
    assert "adds up to 3" in note(got, "looks_like_counts").message


def test_table(tmp_path: Path) -> None:
    got = read(write(tmp_path, "ana \\ bo,yes,no\nyes,20,5\nno,10,15\n"))
    assert got.reading.layout == "table"
    assert got.raters == ("ana", "bo")
    assert list(got.categories) == ["yes", "no"]
    assert got.categories.declared
    assert got.n_items == 50
    assert got.blocks[0].weights is not None
    assert got.blocks[0].weights.tolist() == [20, 5, 10, 15]


def test_table_with_totals_and_decimals(tmp_path: Path) -> None:
    text = ";low;high;Total\nlow;20,5;5;25,5\nhigh;0;15;15\nTotal;20,5;20;40,5\n"
    got = read(write(tmp_path, text), scale="ordinal", order="low,high")
    assert got.denominator == 2
    assert got.blocks[0].weights is not None
    assert Fraction(int(got.blocks[0].weights.sum()), got.denominator) == Fraction(81, 2)
    assert "totals_left_out" in codes(got)


def test_table_rows_in_another_order(tmp_path: Path) -> None:
    got = read(write(tmp_path, "x,b,a\na,1,2\nb,3,4\n"))
    labels, weights = got.blocks[0].labels, got.blocks[0].weights
    assert weights is not None
    cells = {
        (got.categories[int(i)], got.categories[int(j)]): int(w)
        for i, j, w in zip(labels[0], labels[1], weights, strict=True)
    }
    assert cells == {("a", "a"): 2, ("a", "b"): 1, ("b", "a"): 4, ("b", "b"): 3}


def test_numbered_table_is_ambiguous_with_counts(tmp_path: Path) -> None:
    with pytest.raises(AmbiguousLayout) as caught:
        read(write(tmp_path, "item,1,2\n1,5,0\n2,1,4\n"))
    assert set(caught.value.options) == {"wide", "counts", "table"}
    got = read(write(tmp_path, "item,1,2\n1,5,0\n2,1,4\n"), layout="table")
    assert got.n_items == 10


def test_not_a_table(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="same labels") as caught:
        read(write(tmp_path, "x,b,a\na,1,2\nc,3,4\n"), layout="table")
    assert caught.value.code == "not_a_table"


def test_transposed_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = write(tmp_path, "rater,item1,item2,item3\nann,x,y,x\nbo,x,,y\n")
    with pytest.raises(ReadingError, match="--layout wide --rater rater") as caught:
        read(path)
    assert caught.value.code == "transposed_table"
    got = read(path, layout="wide", rater="rater")
    assert got.raters == ("ann", "bo")
    assert list(got.items) == ["item1", "item2", "item3"]
    assert got.n_ratings == 5


def test_few_rows_many_columns(tmp_path: Path) -> None:
    header = ",".join(f"w{k}" for k in range(30))
    row = ",".join("xy"[k % 2] for k in range(30))
    got = read(write(tmp_path, f"id,{header}\nq,{row}\n"))
    assert note(got, "looks_transposed").level == "warning"


def test_groups(tmp_path: Path) -> None:
    text = "item,rater,dim,score\n1,a,flu,3\n1,b,flu,4\n1,a,rel,1\n1,b,rel,1\n2,a,flu,3\n"
    got = read(write(tmp_path, text), by="dim")
    assert got.group_names == ("flu", "rel")
    assert got.groups is not None
    assert got.groups.tolist() == [0, 1, 0]
    assert list(got.items) == ["1", "1", "2"]
    assert got.group("rel").n_ratings == 2


def test_two_group_columns_and_an_empty_one(tmp_path: Path) -> None:
    text = "item,rater,dim,sys,score\n1,a,flu,A,3\n1,b,flu,A,4\n1,a,flu,,1\n"
    got = read(write(tmp_path, text), by="dim,sys")
    assert got.group_names == ("flu / A", "flu / (empty)")


def test_groups_in_a_wide_table(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,dim,x,y\n1,f,a,b\n1,g,a,a\n2,f,b,b\n"), by="dim")
    assert got.group_names == ("f", "g")
    assert got.group("f").n_items == 2


def test_groups_in_counts(tmp_path: Path) -> None:
    path = write(tmp_path, "item,dim,x,y\n1,f,2,0\n1,g,1,1\n")
    got = read(path, layout="counts", by="dim")
    assert got.group("g").sizes == {2: 1}


def test_frequency(tmp_path: Path) -> None:
    got = read(write(tmp_path, "x,y,n\n0,0,8\n0,1,2\n9,9,0\n"), frequency="n")
    assert got.n_items == 10
    assert list(got.categories) == [0, 1]
    assert "10 items" in note(got, "frequency").message
    assert note(got, "frequency_zero").message.endswith(": 1")


@pytest.mark.parametrize("cell", ["-1", "1.5", "many"])
def test_bad_frequency(tmp_path: Path, cell: str) -> None:
    with pytest.raises(ReadingError, match=f"line 3: the frequency is '{cell}'"):
        read(write(tmp_path, f"x,y,n\n0,0,8\n0,1,{cell}\n"), frequency="n")


def test_frequency_needs_wide(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="only a wide table"):
        read(write(tmp_path, "item,rater,label,n\n1,a,x,2\n"), layout="long", frequency="n")


def test_duplicates_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, "item,rater,label\nq1,a,x\nq2,a,y\nq1,a,y\nq2,a,y\nq1,b,x\n")
    with pytest.raises(DuplicateRatings, match="item q1, rater a: x, y") as caught:
        read(path)
    assert caught.value.conflicting == [("q1", "a", ["x", "y"])]
    assert caught.value.identical == [("q2", "a", ["y", "y"])]
    first = read(path, duplicates="first")
    assert ("q1", "a", "x") in triples(first)
    assert "2 rows left out" in note(first, "duplicates_settled").message
    assert ("q1", "a", "y") in triples(read(path, duplicates="last"))


def test_duplicates_with_an_empty_cell_are_none(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,rater,label\nq1,a,\nq1,a,x\n"))
    assert got.n_ratings == 1


def test_many_duplicates_are_counted(tmp_path: Path) -> None:
    rows = "".join(f"q{k},a,x\nq{k},a,y\n" for k in range(30))
    with pytest.raises(DuplicateRatings, match=r"30 with different labels .*and 20 more") as caught:
        read(write(tmp_path, "item,rater,label\n" + rows))
    assert len(caught.value.conflicting) == 10


def test_repeated_items_in_a_wide_table(tmp_path: Path) -> None:
    path = write(tmp_path, "item,x,y\nq,a,b\nq,a,a\nr,a,a\n")
    with pytest.raises(DuplicateRatings, match="read as wide") as caught:
        read(path)
    assert caught.value.identical == [("q", "x", ["a", "a"])]
    assert triples(read(path, duplicates="last")) == [
        ("q", "x", "a"),
        ("q", "y", "a"),
        ("r", "x", "a"),
        ("r", "y", "a"),
    ]


def test_empty_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="no item in line 3") as caught:
        read(write(tmp_path, "item,rater,label\nq,a,x\n ,a,x\n"))
    assert caught.value.code == "empty_item"
    with pytest.raises(ReadingError, match="no rater in line 2"):
        read(write(tmp_path, "item,rater,label\nq,,x\n"))


def test_empty_rows_are_left_out(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,rater,label\nq,a,x\n,,\n\nr,a,x\n"))
    assert got.n_ratings == 2
    assert note(got, "empty_rows").message.endswith(": 1")


def test_ids_are_trimmed_and_keep_zeros(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,rater,label\n007,a,x\n 007,b ,x\n7,b,y\n"))
    assert triples(got) == [("007", "a", "x"), ("007", "b", "x"), ("7", "b", "y")]
    assert note(got, "items_merged").message.endswith("merged: '007' = ' 007'")
    assert note(got, "raters_merged").message.endswith("merged: 'b ' = 'b'")


def test_unknown_columns(tmp_path: Path) -> None:
    path = write(tmp_path, "Item,rater,label\nq,a,x\n")
    with pytest.raises(UsageError, match="did you mean 'label'"):
        read(path, label="lable")
    assert read(path, item="item").n_items == 1
    with pytest.raises(UsageError, match="two parts"):
        read(path, item="Item", rater="Item", label="label")


def test_sparse_ratings_are_stored_by_slot() -> None:
    rows = [(f"i{k}", f"r{k + d}", "ab"[(k + d) % 2]) for k in range(3000) for d in range(3)]
    got = read(rows)
    assert got.blocks[0].raters is not None
    assert got.blocks[0].labels.shape == (3, 3000)
    assert triples(got) == sorted(rows, key=str)
    assert got.n_raters == 3002


def test_repeats_are_found_in_sparse_ratings() -> None:
    rows = [(f"i{k}", f"r{k}", "a") for k in range(3000)]
    with pytest.raises(DuplicateRatings):
        read([*rows, rows[7]])
    assert read([*rows, rows[7]], duplicates="first").n_ratings == 3000


def test_rows_in_any_order_give_the_same(tmp_path: Path) -> None:
    rows = [("q1", "a", "x"), ("q1", "b", "y"), ("q2", "a", "y")]
    for order in itertools.permutations(rows):
        text = "item,rater,label\n" + "".join(",".join(row) + "\n" for row in order)
        assert triples(read(write(tmp_path, text))) == rows


def test_many_rater_columns(tmp_path: Path) -> None:
    names = [f"w{k}" for k in range(95)]
    rows = [[f"q{i}", *("abc"[(i * k) % 3] for k in range(95))] for i in range(20)]
    text = ",".join(["id", *names]) + "\n" + "".join(",".join(r) + "\n" for r in rows)
    got = read(write(tmp_path, text))
    assert got.raters == tuple(names)
    expected = [(r[0], n, v) for r in rows for n, v in zip(names, r[1:], strict=True)]
    assert triples(got) == sorted(expected, key=str)


def test_no_common_label_and_one_rater(tmp_path: Path) -> None:
    assert "no_common_label" in codes(read([["a", "b"], ["a", "c"]]))
    assert "no_common_label" not in codes(read([[1.5, 2.5], [3.5, 4.5]]))
    assert "one_rater" in codes(read([["a"], ["b"]]))

"""Contingency tables: what they stay, their order, their totals, their cells."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from assay import Counts, Table, fleiss_kappa, read
from assay.errors import AmbiguousLayout, InputError, LabelError, ReadingError
from ratings.helpers import codes, note, write

YES_NO = ",yes,no\nyes,20,5\nno,10,15\n"
GRADES = ",high,low,medium\nhigh,2,1,0\nlow,1,5,1\nmedium,0,1,3\n"


def test_declared_labels_leave_a_table_a_table(tmp_path: Path) -> None:
    path = write(tmp_path, YES_NO)
    for options in ({"categories": "yes,no"}, {"order": "no,yes"}, {"categories": "yes,no,maybe"}):
        got = read(path, **options)
        assert got.reading.layout == "table"
        assert got.n_items == 50
    # Where rows may be numbers of items, declared labels only rule raters out.
    with pytest.raises(AmbiguousLayout) as caught:
        read(write(tmp_path, "item,1,2\n1,5,0\n2,1,4\n"), categories="1,2")
    assert caught.value.options == ("counts", "table")


def test_the_order_of_a_file_is_no_order_of_labels(tmp_path: Path) -> None:
    path = write(tmp_path, GRADES)
    got = read(path)
    assert list(got.categories) == ["high", "low", "medium"]
    assert not got.categories.ordered
    assert "ordered_words" in codes(got)
    with pytest.raises(LabelError, match="alphabet") as caught:
        read(path, scale="ordinal")
    assert caught.value.code == "no_order"
    assert read(path, scale="ordinal", order="low,medium,high").categories.ordered
    numbers = write(tmp_path, ",2,1\n2,5,0\n1,1,4\n")
    assert list(read(numbers, scale="ordinal").categories) == [1, 2]
    assert read(Table([[1, 2], [3, 4]], labels=["low", "high"])).categories.ordered


def test_an_empty_cell_is_asked_about(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match=r"line 2, column no: the cell yes × no .* empty") as e:
        read(write(tmp_path, ",yes,no\nyes,20,\nno,10,15\n"))
    assert e.value.code == "empty_cell"


def test_empty_cells_may_be_counts(tmp_path: Path) -> None:
    for text in (
        "item,yes,no\nq1,4,1\nq2,,5\nq3,2,3\n",
        "item,a,b\n1,,2\n2,3,3\n",
        "item,a,b,c\n" + "".join(f"q{k},3,1,1\n" for k in range(6)) + "r,5,,\n",
    ):
        with pytest.raises(AmbiguousLayout):
            read(write(tmp_path, text))
    path = write(tmp_path, "item,yes,no\nq1,4,1\nq2,,5\nq3, ,3\n")
    got = read(path, layout="counts")
    assert note(got, "empty_counts").message.endswith(": 2")
    assert got.n_ratings == 13


@pytest.mark.parametrize(
    ("text", "labels", "items", "out"),
    [
        (",a,b,Gesamt\na,1,2,3\nb,3,4,7\nGesamt,4,6,10\n", ["a", "b"], 10, "row Gesamt and column"),
        (",a,b,All\na,1,2,3\nb,3,4,8\nAll,4,6,1\n", ["a", "b", "All"], 32, ""),
        (",a,b,S\na,1,2,3\nb,3,4,7\n", ["a", "b"], 10, "column S"),
        (",a,b\na,1,2\nb,3,4\n,4,6\n", ["a", "b"], 10, "row (no name)"),
        (
            ",a,b,Total\na,1,2,3\nb,3,4,7\nTotal,4,6,\n",
            ["a", "b"],
            10,
            "row Total and column Total",
        ),
        (
            ",a,b,Total\na,1.5,2,3.5\nb,3,4,7\nSum,4.5,6,10.5\n",
            ["a", "b"],
            10,
            "row Sum and column",
        ),
        (",a,b,T\na,0.500,1.500,2.000\nb,1.000,1.000,2.000\n", ["a", "b"], 4, "column T"),
        (",a,All\na,5,5\nAll,5,10\n", ["a", "All"], 25, ""),
        (",a,b,c\na,1,0,0\nb,0,2,0\nc,0,0,0\n", ["a", "b", "c"], 3, ""),
    ],
)
def test_totals_are_told_by_their_sums(
    tmp_path: Path, text: str, labels: list[str], items: int, out: str
) -> None:
    got = read(write(tmp_path, text))
    assert got.reading.layout == "table"
    assert list(got.categories) == labels
    assert got.n_items // got.denominator == items
    assert ("totals_left_out" in codes(got)) == bool(out)
    if out:
        assert out in note(got, "totals_left_out").message
        assert note(got, "totals_left_out").level == "warning"


def test_totals_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, ",a,b,Total\na,1,2,9\nb,3,4,7\n")
    with pytest.raises(ReadingError, match="at a it says 9, and the cells add up to 3") as caught:
        read(path)
    assert caught.value.code == "not_a_table"


def test_counts_with_a_frequency(tmp_path: Path) -> None:
    path = write(tmp_path, "yes,no,n\n2,1,10\n0,3,5\n3,0,0\n")
    got = read(path, layout="counts", frequency="n")
    assert got.n_items == 15
    assert got.sizes == {3: 15}
    assert list(got.categories) == ["yes", "no"]
    assert got.to_counts().counts.sum(axis=0).tolist() == [20, 25]
    assert "frequency_zero" in codes(got)
    named = read(write(tmp_path, "item,x,y,n\nq,2,1,4\n"), categories="x,y", frequency="n")
    assert (named.reading.layout, named.n_items) == ("counts", 4)
    alike = [[2, 1]] * 10 + [[0, 3]] * 5
    assert fleiss_kappa(got).exact == fleiss_kappa(counts=alike).exact


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("x,y,n\na,b,1e19\n", {"frequency": "n"}, "bad_count"),
        ("x,y,n\n" + "a,b,9007199254740991\n" * 200, {"frequency": "n"}, "bad_count"),
        ("item,x,y\na,1e19,0\nb,1,2\n", {"layout": "counts"}, "bad_count"),
        ("item,x,y\na,1000000000,0\nb,1,2\n", {"layout": "counts"}, "bad_input"),
        (",x,y\nx,1e300,1e-300\ny,1,1\n", {}, "too_large"),
    ],
)
def test_numbers_too_large(tmp_path: Path, text: str, options: dict[str, str], code: str) -> None:
    with pytest.raises(InputError) as caught:
        read(write(tmp_path, text), **options)
    assert caught.value.code == code


FIRST = pd.Series(["x", "y", "x", "z"], name="A")
SECOND = pd.Series(["x", "y", "y", "x"], name="B")


def test_a_cross_table_of_pandas_keeps_its_labels() -> None:
    crossed = pd.crosstab(FIRST, SECOND)
    made = Table(crossed)
    assert list(made.categories) == ["x", "y", "z"]
    assert made.cells[0] == (Fraction(1), Fraction(1), Fraction(0))
    assert not made.categories.ordered
    for options in ({}, {"layout": "table"}):
        got = read(crossed, **options)
        assert got.reading.layout == "table"
        assert got.n_items == 4
        assert note(got, "labels_added").message.endswith(": z")
    square = read(pd.crosstab(FIRST[:3], SECOND[:3]))
    assert (square.reading.layout, square.n_items) == ("table", 3)
    with pytest.raises(InputError, match="hold the sums"):
        Table(pd.crosstab(FIRST, FIRST, margins=True))
    margins = read(pd.crosstab(FIRST, FIRST, margins=True))
    assert list(margins.categories) == ["x", "y", "z"]
    with pytest.raises(InputError, match="the same labels"):
        Table(pd.DataFrame({"a": [1, 2], "b": [3, 4]}, index=["c", "d"]))


def test_counts_in_a_frame_keep_their_labels() -> None:
    counts = Counts(pd.DataFrame({"yes": [3, 0], "no": [1, 2]}, index=["p", "q"]))
    assert (list(counts.categories), counts.items) == (["yes", "no"], ["p", "q"])
    counts = Counts(pl.DataFrame({"item": ["p", "q"], "yes": [3, 0], "no": [1, 2]}))
    assert (list(counts.categories), counts.items) == (["yes", "no"], ["p", "q"])
    plain = pl.DataFrame({"yes": [3, 0], "no": [0, 3]}).lazy()
    assert Counts(plain).items is None
    assert fleiss_kappa(counts=plain).exact == 1

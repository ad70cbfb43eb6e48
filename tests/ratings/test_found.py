"""What is found in a table besides ratings: titles, headers, side columns, odd numbers."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from assay import from_lists, read
from assay.errors import ReadingError, UsageError
from assay.ratings.numerals import decided
from ratings.helpers import codes, note, triples, write

RATINGS = "item,ana,bo\nq1,yes,no\nq2,no,no\n"


@pytest.mark.parametrize(
    ("rows", "labels", "said"),
    [
        ("q;1,5;1.000\nr;1.234,5;2\n", [1.5, 2, 1000, 1234.5], "1.000 as 1000"),
        ("q;1.234,5;2\nr;2;2\n", [2, 1234.5], "1.234,5 is read as 1234.5"),
        ("q;1,5;2\nr;2;2\n", [1.5, 2], "1,5 is read as 1.5"),
    ],
)
def test_points_beside_decimal_commas(
    tmp_path: Path, rows: str, labels: list[float], said: str
) -> None:
    got = read(write(tmp_path, "item;x;y\n" + rows), layout="wide")
    assert list(got.categories) == labels
    assert said in note(got, "decimal_comma").message
    assert note(got, "decimal_comma").level == ("warning" if "." in rows else "info")


def test_declared_decimal_commas(tmp_path: Path) -> None:
    path = write(tmp_path, "item;x;y\nq;5;1.000\nr;2;2\n")
    got = read(path, decimal=",", layout="wide")
    assert list(got.categories) == [2, 5, 1000]
    assert "1.000 is read as 1000" in note(got, "decimal_comma").message
    assert list(read(path, decimal=".", layout="wide").categories) == [1, 2, 5]


@pytest.mark.parametrize("options", [{}, {"decimal": ","}])
def test_two_decimal_signs_are_no_numbers(tmp_path: Path, options: dict[str, str]) -> None:
    got = read(write(tmp_path, "item;x;y\nq;1.5;2,5\n"), **options)
    assert got.categories.texts == ("1.5", "2,5")
    assert note(got, "mixed_decimals").level == "warning"


def test_quoted_decimal_commas_between_commas(tmp_path: Path) -> None:
    got = read(write(tmp_path, 'item,x,y\nq,"1,5",2\nr,"2,5",3\n'))
    assert list(got.categories) == [1.5, 2, 2.5, 3]
    assert note(got, "decimal_comma").level == "warning"
    assert "--decimal ." in note(got, "decimal_comma").message


def test_points_that_may_separate_thousands(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item;x;y\nq;1.000;2.500\nr;2.500;1.500\n"))
    assert list(got.categories) == [1, 1.5, 2.5]
    assert note(got, "thousands_or_decimals").level == "warning"
    for text in ("item;x;y\nq;1.000;2.5\n", "item,x,y\nq,1.000,2.500\n"):
        got = read(write(tmp_path, text), layout="wide")
        assert "thousands_or_decimals" not in codes(got)


def test_decimals_in_a_table(tmp_path: Path) -> None:
    got = read(write(tmp_path, ";a;b\na;1,5;2\nb;3;1.000,5\n"))
    assert got.n_items == 2 * 1007
    assert got.denominator == 2
    assert "1.000,5 as 1000.5" in note(got, "decimal_comma").message
    for text, options in (
        (";a;b\na;1;2\nb;3;1.000\n", {}),
        ('x,y,n\na,b,"1,000"\n', {"frequency": "n"}),
        ("item;x;y\nq;1.000;2\n", {"layout": "counts"}),
    ):
        with pytest.raises(ReadingError, match=r"may be 1000 or 1\.000") as caught:
            read(write(tmp_path, text), **options)
        assert caught.value.code == "ambiguous_number"
    table = write(tmp_path, ";a;b\na;1;2\nb;3;1.000\n")
    assert read(table, decimal=",").n_items == 1006
    assert read(table, decimal=".").n_items == 7
    frequency = write(tmp_path, 'x,y,n\na,b,"1,000"\na,a,3\n')
    assert read(frequency, frequency="n", decimal=".").n_items == 1003
    assert not decided(["1.5", "1.234"], None, ";", "here")


@pytest.mark.parametrize(
    "content",
    [
        {"item": {"0": "q1", "1": "q2"}, "r1": {"0": "a", "1": "b"}, "r2": {"0": "a", "1": None}},
        {"item": ["q1", "q2"], "r1": ["a", "b"], "r2": ["a", None]},
        {"item": ["q1", "q1", "q2"], "rater": ["r1", "r2", "r1"], "label": ["a", "a", "b"]},
    ],
)
def test_json_by_columns(tmp_path: Path, content: dict[str, Any]) -> None:
    expected = [("q1", "r1", "a"), ("q1", "r2", "a"), ("q2", "r1", "b")]
    for got in (read(write(tmp_path, json.dumps(content))), read(content)):
        assert triples(got) == expected
        assert note(got, "read_as_columns").message.startswith("the keys name columns: item")
    frame = pd.DataFrame([("q", "a", "x"), ("q", "b", "y")], columns=["item", "rater", "label"])
    assert triples(read(write(tmp_path, frame.to_json()))) == [("q", "a", "x"), ("q", "b", "y")]


def test_json_by_raters_stays_so(tmp_path: Path) -> None:
    content = {"judge": {"q1": "a"}, "human": {"q1": "b"}}
    assert read(write(tmp_path, json.dumps(content))).raters == ("judge", "human")


@pytest.mark.parametrize(
    "text",
    [
        "Ratings of our study\n\n" + RATINGS,
        "Our study,,\n,,\n" + RATINGS,
        "\n\n" + RATINGS,
        '"A title, with a comma"\n' + RATINGS.replace(",", ";"),
        "Our study\r\nspring\r\n" + RATINGS.replace("\n", "\r\n"),
    ],
)
def test_titles_above_the_header(tmp_path: Path, text: str) -> None:
    got = read(write(tmp_path, text))
    assert triples(got) == triples(read(write(tmp_path, RATINGS)))
    assert ("title_rows" in codes(got)) == ("tudy" in text or "title" in text)


def test_lines_are_counted_from_the_title(tmp_path: Path) -> None:
    path = write(tmp_path, "Our study\n\nitem,rater,label\n,a,x\n")
    with pytest.raises(ReadingError, match="no item in line 4"):
        read(path)
    with pytest.raises(ReadingError, match=r"line 5: 2 fields"):
        read(write(tmp_path, "Our study\n\nitem,rater,label\nq,a,x\nq,b\n"))


def test_a_separator_declared_in_the_first_line(tmp_path: Path) -> None:
    for first, newline in (("sep=;", "\n"), ("\ufeffSEP=;", "\r\n")):
        text = f"{first}\n{RATINGS.replace(',', ';')}"
        got = read(write(tmp_path, text.replace("\n", newline)))
        assert got.raters == ("ana", "bo")


@pytest.mark.parametrize(
    "text", ["q1,ana,yes\nq1,bo,no\nq2,ana,no\nq2,bo,yes\n", "yes,no,no\nno,no,yes\nyes,no,no\n"]
)
def test_no_header_is_refused(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ReadingError, match="--no-header") as caught:
        read(path)
    assert caught.value.code == "no_header"
    rows = text.count("\n")
    got = read(path, header=True, duplicates="first")
    assert got.n_items < rows
    if text.startswith("yes"):
        assert read(path, header=False).n_items == rows


def test_no_header_is_declared(tmp_path: Path) -> None:
    path = write(tmp_path, "q1,ana,yes\nq1,bo,no\nq2,ana,no\n")
    got = read(path, header=False, item="1", rater="column 2", label="3")
    assert triples(got) == [("q1", "ana", "yes"), ("q1", "bo", "no"), ("q2", "ana", "no")]
    table = pd.DataFrame([["q1", "x", "y"], ["q2", "x", "x"]])
    table.to_excel(tmp_path / "x.xlsx", index=False, header=False)
    got = read(tmp_path / "x.xlsx", header=False)
    assert got.raters == ("column 2", "column 3")
    with pytest.raises(UsageError, match="in memory"):
        read([["a", "b"]], header=False)


def test_one_word_of_a_header_below_is_said(tmp_path: Path) -> None:
    got = read(write(tmp_path, "name,A,bo\nq1,A,B\nq2,B,A\nq3,A,A\n"))
    assert "A stands in the same column" in note(got, "header_looks_like_data").message
    got = read(write(tmp_path, "item,A,B\nq1,A,B\nq2,B,A\nq3,A,B\n"))
    assert "header_looks_like_data" not in codes(got)


def test_numbers_beside_words_are_no_rater(tmp_path: Path) -> None:
    rows = "q1,yes,no,13\nq2,no,no,40\nq3,yes,yes,9\n"
    path = write(tmp_path, "item,ana,bo,len\n" + rows)
    got = read(path)
    assert got.raters == ("ana", "bo")
    assert note(got, "columns_not_used").level == "warning"
    assert "no rater uses" in note(got, "columns_not_used").message
    assert read(path, raters=["ana", "len"]).raters == ("ana", "len")
    mixed = read(write(tmp_path, "item,ana,bo,cy\nq1,1,no,1\nq2,no,no,1\nq3,1,1,1\n"))
    assert mixed.raters == ("ana", "bo", "cy")


def test_why_long_texts_are_left_out(tmp_path: Path) -> None:
    rows = "".join(f"q{k},yes,no,a long explanation of number {k}\n" for k in range(8))
    got = read(write(tmp_path, "item,ana,bo,cy\n" + rows))
    said = note(got, "columns_not_used")
    assert said.level == "warning"
    assert "long and hardly repeat: cy" in said.message
    assert "--raters" in said.message


def test_a_reference_among_raters(tmp_path: Path) -> None:
    path = write(tmp_path, "item,ana,bo,Majority\nq1,yes,no,yes\nq2,no,no,no\n")
    got = read(path)
    assert "--raters ana,bo" in note(got, "reference_column").message
    assert read(path, raters="ana,bo").raters == ("ana", "bo")
    rows = [("q", "ana", "x"), ("q", "bo", "x"), ("q", "gold", "y")]
    assert "reference_column" in codes(read(rows))
    assert "reference_column" not in codes(read({"model": ["x"], "gold": ["x"]}))


def test_raters_are_chosen(tmp_path: Path) -> None:
    text = "item,rater,dim,label\nq1,a,f,x\nq1,b,f,y\nq2,c,g,z\nq1,b,f,z\nq2,a,g,x\nq3,b,f,x\n"
    path = write(tmp_path, text)
    got = read(path, raters=["a", "c"])
    assert triples(got) == [("q1", "a", "x"), ("q2", "a", "x"), ("q2", "c", "z")]
    assert list(got.categories) == ["x", "z"]
    assert note(got, "raters_left_out").message.endswith(": b")
    assert read(path, raters="a,c", by="dim").group("g").n_ratings == 2
    with pytest.raises(UsageError, match="raters: 'd' is not known"):
        read(path, raters="a,d")
    assert read({"a": ["x"], "b": ["x"], "c": ["y"]}, raters="c,a").raters == ("a", "c")
    assert read({"a": {"q": "x"}, "b": {"q": "x"}}, raters="b").raters == ("b",)
    turned = write(tmp_path, "rater,item1,item2\nann,x,y\nbo,x,\ncy,y,y\n")
    assert read(turned, layout="wide", rater="rater", raters="ann,cy").n_ratings == 4
    whole = write(tmp_path, "item,x,y,z\n1,1,2,0\n2,0,3,0\n")
    assert read(whole, raters="x,z").reading.layout == "wide"
    with pytest.raises(UsageError, match="raters"):
        read(whole, layout="counts", raters="x,y")
    with pytest.raises(UsageError, match="raters"):
        read(from_lists(["a"], ["a"]), raters="1")


def test_frequency_on_a_long_table(tmp_path: Path) -> None:
    path = write(tmp_path, "item,rater,label,n\n1,a,x,2\n1,b,x,2\n")
    with pytest.raises(UsageError, match="one rating a row"):
        read(path, frequency="n")


def test_no_beside_yes_is_a_label(tmp_path: Path) -> None:
    got = read(write(tmp_path, "no,yes\n1,2\n0,3\n"), layout="counts")
    assert list(got.categories) == ["no", "yes"]


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def fill(text: str) -> threading.Thread:
        thread = threading.Thread(target=pipe.write_text, args=(text,))
        thread.start()
        return thread

    thread = fill(RATINGS)
    got = read(pipe)
    thread.join()
    assert got.raters == ("ana", "bo")
    assert got.reading.source == str(pipe)
    thread = fill("item\nq\n")
    with pytest.raises(ReadingError, match="pipe: one column only"):
        read(pipe)
    thread.join()

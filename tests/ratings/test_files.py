"""Files: encodings, separators, damage, and the other formats."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import read
from assay.errors import ReadingError, UsageError
from ratings.helpers import codes, note, triples, write

SEMICOLON = "item;rater;score\nq1;a;1,5\nq1;b;2,5\nq2;a;3,0\nq2;b;3,0\n"
LONG = [("q1", "a", "x"), ("q1", "b", "y"), ("q2", "a", "y")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_encodings(tmp_path: Path, encoding: str, newline: str) -> None:
    got = read(write(tmp_path, SEMICOLON.replace("\n", newline).encode(encoding)))
    assert list(got.categories) == [1.5, 2.5, 3]
    assert got.raters == ("a", "b")
    assert "semicolon" in note(got, "format").message
    assert "decimal_comma" in codes(got)
    assert ("encoding" in codes(got)) == (encoding != "utf-8")


def test_other_encodings_are_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, "item,x,y\nq,caf\u00e9,the\n".encode("latin-1"))
    with pytest.raises(ReadingError, match=r"0xe9 at position 14.*--encoding cp1252") as caught:
        read(path)
    assert caught.value.code == "encoding"
    assert "caf\u00e9" in list(read(path, encoding="latin-1").categories)
    with pytest.raises(UsageError, match="not known"):
        read(path, encoding="latin-99")
    with pytest.raises(ReadingError, match="not ASCII"):
        read(path, encoding="ascii")


def test_bad_byte_far_into_the_file(tmp_path: Path) -> None:
    start = b"item,x,y\n" + b"q,yes,no\n" * 40_000
    path = write(tmp_path, start + b"q,\xff,no\n")
    with pytest.raises(ReadingError, match=f"position {len(start) + 2}\\)"):
        read(path)


@pytest.mark.parametrize(("sign", "word"), [(",", "CSV"), ("\t", "TSV"), ("|", "vertical bar")])
def test_separators(tmp_path: Path, sign: str, word: str) -> None:
    text = "item,rater,label\nq1,a,x\nq1,b,y\n".replace(",", sign)
    got = read(write(tmp_path, text, "table.dat"))
    assert got.n_ratings == 2
    assert word in note(got, "format").message


def test_quoted_fields(tmp_path: Path) -> None:
    text = 'item,x,y\n"a;b;c","yes, sir","two\nlines"\nd,"say ""no""",z\n'
    got = read(write(tmp_path, text))
    assert list(got.categories) == ['say "no"', "two\nlines", "yes, sir", "z"]


def test_explicit_separator_and_decimal(tmp_path: Path) -> None:
    got = read(write(tmp_path, 'item,x,y\nq,"1,5","2,5"\n'), decimal=",")
    assert list(got.categories) == [1.5, 2.5]
    path = write(tmp_path, 'item,x,y\nq,"1,5","2,5"\n')
    assert read(path, decimal=".").categories.texts == ("1,5", "2,5")
    assert read(write(tmp_path, "item;x;y\nq;1,5;2,5\n"), decimal=".").categories.texts[0] == "1,5"
    with pytest.raises(UsageError, match="decimal"):
        read(write(tmp_path, SEMICOLON), decimal="comma")
    with pytest.raises(UsageError, match="delimiter"):
        read(write(tmp_path, SEMICOLON), delimiter="ab")
    assert read(write(tmp_path, SEMICOLON), delimiter="semicolon").n_ratings == 4


def test_ragged_rows(tmp_path: Path) -> None:
    for text, found in (("item,x,y\na,1\n", 2), ("item,x,y\na,1,2,3\n", 4)):
        with pytest.raises(
            ReadingError, match=f"line 2: {found} fields where the header has 3"
        ) as e:
            read(write(tmp_path, text))
        assert e.value.code == "ragged"


def test_open_quotes(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="not closed"):
        read(write(tmp_path, 'item,x,y\na,"1,2\nb,1,2\n'))
    got = read(write(tmp_path, 'item\tx\ty\na\t"b\tc\nd\tb\tc\n'))
    assert "quotes_literal" in codes(got)
    assert '"b' in list(got.categories)


def test_lines_that_end_in_two_ways(tmp_path: Path) -> None:
    expected = [("1", "a", "x"), ("1", "b", "x")]
    for content in (
        "item,rater,label\r\n1,a,x\r\n1,b,x\n",
        "item,rater,label\n1,a,x\n1,b,x\r\n",
        'item,rater,label\r\n1,a,"x"\n"1",b,x\r\n',
        "item\trater\tlabel\r\n1\ta\tx\r1\tb\tx\n",
    ):
        assert triples(read(write(tmp_path, content))) == expected
    # What is in quotes stays as it is.
    got = read(write(tmp_path, 'item,rater,label\r\n1,a,"x\r\ny"\n1,b,"x\ny"\r\n'))
    assert [label for *_, label in triples(got)] == ["x\r\ny", "x\ny"]
    with pytest.raises(ReadingError, match="not closed"):
        read(write(tmp_path, 'item,rater,label\r\n1,a,"x\n1,b,x\r\n'))


FIELD = st.text(st.sampled_from('ab",;\n\r'), max_size=4)


@settings(max_examples=30)
@given(st.lists(st.tuples(FIELD, st.sampled_from(["\n", "\r\n"])), min_size=2, max_size=12))
def test_mixed_lines_are_read_as_by_the_csv_module(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    text = "item,rater,label\n"
    for k, (field, end) in enumerate(rows):
        out = io.StringIO()
        csv.writer(out).writerow([f"i{k}", "ana", f"v{field}w"])
        text += out.getvalue().removesuffix("\r\n") + end
    path = write(tmp_path_factory.mktemp("mixed"), text)
    got = read(path, item="item", rater="rater", label="label")
    labels = {item: label for item, _, label in triples(got)}
    assert labels == {f"i{k}": f"v{field}w" for k, (field, _) in enumerate(rows)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"item,x,y\n", "no rows"),
        (b"item\na\nb\n", "one column only"),
        (bytes(range(256)), "not a text file"),
        (b"\x1f\x8b\x08\x00\x00", "gzip"),
        (b"PK\x03\x04 no workbook", "spreadsheet"),
        (b"PAR1 no parquet", "Parquet"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(ReadingError, match=message):
        read(write(tmp_path, content))


def test_no_such_file(tmp_path: Path) -> None:
    write(tmp_path, SEMICOLON)
    with pytest.raises(ReadingError, match=r"Did you mean ratings\.csv") as caught:
        read(tmp_path / "rating.csv")
    assert caught.value.code == "no_such_file"


def test_duplicate_and_nameless_columns(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,r,r,\nq,a,b,\ns,b,b,\n"))
    assert got.raters == ("r", "r (2)")
    assert "duplicate_columns" in codes(got)


def test_a_header_of_numbers(tmp_path: Path) -> None:
    assert "header_looks_like_data" in codes(read(write(tmp_path, "1,2\nx,y\ny,y\n")))


def test_a_name_that_is_a_pattern(tmp_path: Path) -> None:
    got = read(write(tmp_path, "item,x,y\nq,a,b\n", "it's [1]*?.csv"))
    assert got.n_ratings == 2


def test_a_very_long_field(tmp_path: Path) -> None:
    text = f'id,text,rater,label\n1,"{"x" * 3_000_000}",a,yes\n1,y,b,no\n'
    assert read(write(tmp_path, text)).n_ratings == 2


def test_json_lines(tmp_path: Path) -> None:
    lines = [json.dumps({"item": i, "rater": r, "label": x}) for i, r, x in LONG]
    got = read(write(tmp_path, "\n".join(lines) + "\n\n", "x.txt"))
    assert triples(got) == LONG
    assert "JSON lines" in note(got, "format").message
    with pytest.raises(ReadingError, match="line 2: not JSON") as caught:
        read(write(tmp_path, f"{lines[0]}\n{{bad\n{lines[1]}\n"))
    assert caught.value.code == "malformed_record"
    with pytest.raises(ReadingError, match="line 2: list found"):
        read(write(tmp_path, f"{lines[0]}\n[1]\n"))


def test_json_types(tmp_path: Path) -> None:
    records = [{"item": 1, "rater": "a", "label": True}, {"item": 1, "rater": "b", "label": "TRUE"}]
    got = read(write(tmp_path, json.dumps(records)))
    assert set(map(type, got.categories)) == {bool, str}
    assert {"mixed_booleans", "mixed_label_types"} <= set(codes(got))


def test_json_null_is_missing_and_nesting_is_refused(tmp_path: Path) -> None:
    records: list[dict[str, object]] = [
        {"item": 1, "rater": "a", "label": None},
        {"item": 1, "rater": "b", "label": 2},
    ]
    assert read(write(tmp_path, json.dumps(records))).n_ratings == 1
    records[0]["label"] = {"value": 2}
    with pytest.raises(ReadingError, match="column label: a cell holds") as caught:
        read(write(tmp_path, json.dumps(records)))
    assert caught.value.code == "nested"


def test_json_of_raters(tmp_path: Path) -> None:
    got = read(write(tmp_path, json.dumps({"a": {"q1": "x", "q2": "y"}, "b": {"q1": "y"}})))
    assert triples(got) == LONG


@pytest.mark.parametrize("content", ["[1,]", "[]", "[1, 2]", '{"a": 1}\n', "{"])
def test_bad_json(tmp_path: Path, content: str) -> None:
    with pytest.raises(ReadingError):
        read(write(tmp_path, content))


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "ratings.bin"
    frame = pl.DataFrame(LONG, schema=["item", "rater", "label"], orient="row")
    frame.write_parquet(path)
    got = read(path)
    assert triples(got) == LONG
    assert "Parquet" in note(got, "format").message
    frame = pl.DataFrame({"id": [1, 2], "x": [1.5, None], "y": [True, False]})
    frame.select("id", "x", z=pl.col("x") + 1).write_parquet(path)
    assert list(read(path).categories) == [1.5, 2.5]


def test_excel(tmp_path: Path) -> None:
    path = tmp_path / "ratings.xlsx"
    pd.DataFrame(LONG, columns=["item", "rater", "label"]).to_excel(path, index=False)
    assert triples(read(path)) == LONG
    with pd.ExcelWriter(path) as book:
        for rater in ("ann", "bo"):
            frame = pd.DataFrame({"item": ["01", "02"], "label": [1, "2"]})
            frame.to_excel(book, sheet_name=rater, index=False)
    got = read(path)
    assert got.raters == ("ann", "bo")
    assert list(got.items) == ["01", "02"]
    assert list(got.categories) == [1, 2]
    assert {"sheets", "numbers_as_text"} <= set(codes(got))
    with pytest.raises(UsageError, match="did you mean 'ann'"):
        read(path, sheet="an")


def test_excel_sheets_and_dates(tmp_path: Path) -> None:
    path = tmp_path / "ratings.xlsx"
    with pd.ExcelWriter(path) as book:
        frame = pd.DataFrame({"item": [1], "x": [pd.Timestamp("2024-01-02")], "y": ["1-2"]})
        frame.to_excel(book, sheet_name="s", index=False)
        pd.DataFrame({"item": ["p", "q"], "u": ["a", "b"], "v": ["a", "a"]}).to_excel(
            book, sheet_name="t", index=False
        )
    got = read(path)
    assert "not read: t" in note(got, "sheet").message
    assert "spreadsheet_dates" in codes(got)
    assert read(path, sheet="t").raters == ("u", "v")
    assert read(path, sheet=2).raters == ("u", "v")


def test_folder(tmp_path: Path) -> None:
    write(tmp_path, "id,label\nq1,x\nq2,y\n", "a.csv")
    write(tmp_path, "id\tlabel\tsure\nq1\ty\t1\n", "b.tsv")
    got = read(tmp_path)
    assert triples(got) == LONG
    assert "a, b" in note(got, "folder").message
    assert note(got, "columns_not_used").message.endswith("sure")


def test_folder_of_lines(tmp_path: Path) -> None:
    write(tmp_path, "x\ny\n\nx\n", "a.txt")
    write(tmp_path, "x\nx\ny\nx\n", "b.txt")
    got = read(tmp_path)
    assert got.n_items == 4
    assert got.n_ratings == 7
    write(tmp_path, "x\n", "c.txt")
    with pytest.raises(ReadingError, match="number of lines"):
        read(tmp_path)


def test_bad_folders(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="no files"):
        read(tmp_path)
    write(tmp_path, "id,f,g\nq1,x,1\n", "a.csv")
    with pytest.raises(ReadingError, match="Candidates: f, g"):
        read(tmp_path)
    assert read(tmp_path, label="g").n_ratings == 1


def test_formats_can_be_forced(tmp_path: Path) -> None:
    path = write(tmp_path, "item,x,y\nq,a,b\n", "x.json")
    assert read(path, format="csv").n_ratings == 2
    with pytest.raises(UsageError, match="did you mean 'csv'"):
        read(path, format="csvs")
    with pytest.raises(ReadingError):
        read(path, format="parquet")
    with pytest.raises(UsageError, match="only spreadsheets"):
        read(path, sheet="x")

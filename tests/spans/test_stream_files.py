"""Parquet and patterns: the same figures as the files' sentences have in any other format."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import assay
from assay.errors import InputError, ReadingError, UsageError
from assay.spans.sources.sizes import memory_needed

pyarrow = pytest.importorskip("pyarrow")

GOLD = [["B-PER", "I-PER", "O"], ["O"], [], ["B-LOC", "O"], ["O", "B-PER"]] * 4
PRED = [["B-PER", "O", "O"], ["O"], [], ["B-LOC", "O"], ["O", "B-LOC"]] * 4
WORDS = [[f"w{k}é" for k, _ in enumerate(row)] for row in GOLD]


def parquet(path: Path, **columns) -> Path:
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table(columns), path, row_group_size=7)
    return path


def records(path: Path, tags, words=None) -> Path:
    rows = [{"tags": row} for row in tags]
    if words is not None:
        rows = [{"tokens": own, **row} for own, row in zip(words, rows, strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def figures(report):
    names = ("matches", "token_accuracy", "sentence_accuracy", "illegal", "semeval", "scheme")
    return {name: report.summary[name] for name in names}


@pytest.fixture
def expected(tmp_path: Path):
    gold, pred = (records(tmp_path / f"{n}.jsonl", t) for n, t in (("g", GOLD), ("p", PRED)))
    return figures(assay.score_spans(gold, pred))


@pytest.mark.parametrize("arrow", [True, False])
def test_parquet_of_both_sides(expected, tmp_path, monkeypatch, arrow) -> None:
    gold = parquet(tmp_path / "gold.parquet", tokens=WORDS, tags=GOLD)
    pred = parquet(tmp_path / "pred[1].parquet", tokens=WORDS, tags=PRED)
    monkeypatch.setattr("assay.spans.sources.parquet.PART", 3)
    if not arrow:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    told: list = []
    report = assay.stream_spans(gold, pred, progress=lambda *at: told.append(at))
    assert figures(report) == figures(assay.score_spans(gold, pred)) == expected
    assert report.summary["source"]["format"] == "parquet"
    assert report.summary["warnings"] == []
    assert told[-1] == (20, 20)


@pytest.mark.parametrize("arrow", [True, False])
def test_tokens_of_parquet_are_compared(tmp_path, monkeypatch, arrow) -> None:
    other = [list(row) for row in WORDS]
    other[3][0] = "x"
    other[8][1] = "y"
    gold = parquet(tmp_path / "gold.parquet", tokens=WORDS, tags=GOLD)
    pred = parquet(tmp_path / "pred.parquet", tokens=other, tags=PRED)
    if not arrow:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    (warning,) = assay.stream_spans(gold, pred).summary["warnings"]
    assert warning["code"] == "tokens_differ"
    assert (
        "differ from gold.parquet: 2, the first in sentence 4, token 1: 'x'" in (warning["message"])
    )


def test_parquet_with_both_columns(expected, tmp_path) -> None:
    path = parquet(tmp_path / "both.parquet", gold=GOLD, pred=PRED)
    report = assay.stream_spans(path)
    assert figures(report) == figures(assay.score_spans(path)) == expected
    assert report.summary["source"]["pred"] == "both.parquet:pred"
    texts = {name: [" ".join(row) for row in rows] for name, rows in (("a", GOLD), ("b", PRED))}
    path = parquet(tmp_path / "texts.parquet", **texts)
    chosen = {"gold_column": "a", "pred_column": "b"}
    assert figures(assay.stream_spans(path, **chosen)) == expected
    assert figures(assay.score_spans(path, **chosen)) == expected


def test_one_file_of_columns_or_records_in_a_stream(tmp_path) -> None:
    path = tmp_path / "both.conll"
    rows = zip(WORDS, GOLD, PRED, strict=True)
    path.write_text(
        "\n".join("".join(f"{w}\t{g}\t{p}\n" for w, g, p in zip(*row, strict=True)) for row in rows)
    )
    found = figures(assay.stream_spans(path, chunk=40))
    assert found == figures(assay.score_spans(path))
    path = tmp_path / "both.jsonl"
    pairs = zip(GOLD, PRED, strict=True)
    path.write_text("".join(json.dumps({"gold": g, "pred": p}) + "\n" for g, p in pairs))
    assert figures(assay.stream_spans(path)) == figures(assay.score_spans(path))
    path = tmp_path / "rows.txt"
    path.write_text("O B-A\nO\n")
    with pytest.raises(InputError, match="gold and prediction are two files"):
        assay.stream_spans(path)


def test_patterns_pair_files_as_they_are_sorted(expected, tmp_path) -> None:
    for k in range(4):
        some = slice(5 * k, 5 * k + 5)
        records(tmp_path / f"gold-{k}.jsonl", GOLD[some], WORDS[some])
        records(tmp_path / f"pred-{k}.jsonl", PRED[some], WORDS[some])
    told: list = []
    sides = [tmp_path / "gold-*.jsonl", str(tmp_path / "pred-?.jsonl")]
    report = assay.stream_spans(*sides, progress=lambda *at: told.append(at))
    assert figures(report) == expected
    assert told[-1] == (20, 20)
    assert report.summary["source"]["gold"] == "gold-0.jsonl, …, gold-3.jsonl"
    assert {note["code"] for note in report.summary["source"]["notes"]} == {"files", "streamed"}
    listed = [[tmp_path / f"{n}-{k}.jsonl" for k in range(4)] for n in ("gold", "pred")]
    assert figures(assay.stream_spans(*listed)) == expected
    with pytest.raises(UsageError, match=r"stands for 4 files .* for 3 .*same order"):
        assay.stream_spans(sides[0], tmp_path / "pred-[0-2].jsonl")
    with pytest.raises(ReadingError, match="no file matches this pattern"):
        assay.stream_spans(sides[0], tmp_path / "none-*")


def test_errors_are_of_the_file_that_has_them(tmp_path) -> None:
    for k in range(2):
        records(tmp_path / f"gold-{k}.jsonl", GOLD)
        records(tmp_path / f"pred-{k}.jsonl", [*PRED[:-1], PRED[-1][:1]] if k else PRED)
    with pytest.raises(InputError, match=r"pred-1\.jsonl and .*sentence 20, tag 2"):
        assay.stream_spans(tmp_path / "gold-*", tmp_path / "pred-*")


@pytest.mark.parametrize(
    ("columns", "said", "choices"),
    [
        ({"tags": [["O"], None]}, r"a\.parquet: sentence 2: an empty cell", {}),
        ({"x": [1]}, r"no column of tags under a usual name .* x \(BIGINT\)", {}),
        ({"tags": [["O"]]}, "column", {"gold_column": "tagz"}),
        ({"tags": [["O"]]}, "is a position", {"gold_column": 2}),
        ({"tags": [["O"]], "tokens": [["a", "b"]]}, "1 tags in 'tags' for 2 tokens", {}),
        ({"tags": [["O"], ["Q"]]}, r"a\.parquet: sentence 2, token 1: the tag 'Q'", {}),
    ],
)
def test_what_is_wrong_in_parquet_is_named(columns, said, choices, tmp_path) -> None:
    one = parquet(tmp_path / "a.parquet", **columns)
    two = parquet(tmp_path / "b.parquet", tags=[["O"]] * 2)
    with pytest.raises((InputError, UsageError), match=said):
        assay.stream_spans(one, two, **choices)


def test_what_is_no_parquet_or_has_no_rows(tmp_path) -> None:
    path = tmp_path / "bad.parquet"
    path.write_bytes(b"PAR1 and then nothing of the kind")
    with pytest.raises(ReadingError, match="not readable as Parquet"):
        assay.stream_spans(path, path)
    with pytest.raises(ReadingError, match="not readable as Parquet"):
        assay.score_spans(path, path)
    with pytest.raises(ReadingError, match="no such file"):
        assay.stream_spans(tmp_path / "none.parquet", path, format="parquet")
    empty = parquet(tmp_path / "e.parquet", tags=pyarrow.array([], pyarrow.list_(pyarrow.string())))
    for read in (assay.stream_spans, assay.score_spans):
        with pytest.raises(ReadingError, match="no rows"):
            read(empty, empty)


def test_memory_that_files_need(tmp_path) -> None:
    path = records(tmp_path / "g.jsonl", GOLD)
    assert memory_needed([path]) == 8 * path.stat().st_size
    assert memory_needed([parquet(tmp_path / "g.parquet", tags=GOLD)]) > 30 * 20
    assert memory_needed([tmp_path]) == 0

"""Frames of every library give the report that files of the same sentences give."""

from __future__ import annotations

import copy
import importlib.util
import os
import random
import sys
from pathlib import Path

import pytest

import assay
from assay.errors import InputError, MissingExtra, UsageError
from assay.spans.frames import library

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

ABOUT_THE_SOURCE = ("gold", "pred", "format", "notes")


def corpus(n: int = 90, letters: str = "BI") -> dict[str, list]:
    rng = random.Random(4)
    tags = ["O", "O", "O", *(f"{x}-{kind}" for x in letters for kind in ("PER", "ORG"))]
    gold = [[rng.choice(tags) for _ in range(rng.randrange(7))] for _ in range(n)]
    pred = [[rng.choice([tag, tag, rng.choice(tags)]) for tag in row] for row in gold]
    return {"id": [f"s{k:04d}" for k in range(n)], "gold": gold, "pred": pred}


ROWS = corpus()


def plain(report, *, places: bool = True) -> dict:
    summary = copy.deepcopy(report.to_dict())
    for name in ABOUT_THE_SOURCE:
        summary["source"].pop(name)
    for one in summary["errors"]["sentences"]:
        one["name"] = None if not places else one["name"]
        one["sentence"] = one["sentence"] if places else None
    return summary


@pytest.fixture(scope="module")
def expected(tmp_path_factory) -> dict:
    """The report of files."""
    folder = tmp_path_factory.mktemp("files")
    for name in ("gold", "pred"):
        text = "".join('{"tags": [%s]}\n' % ", ".join(f'"{t}"' for t in row) for row in ROWS[name])  # noqa: UP031
        (folder / f"{name}.jsonl").write_text(text)
    files = [folder / f"{name}.jsonl" for name in ("gold", "pred")]
    found = plain(assay.stream_spans(*files, chunk=300))
    assert found["matches"] == assay.score_spans(*files).summary["matches"]
    return found


def table():
    return pyarrow.table(ROWS)


def dataset(folder: Path):
    import pyarrow.dataset
    import pyarrow.parquet

    pyarrow.parquet.write_table(table(), folder / "a.parquet", row_group_size=11)
    return pyarrow.dataset.dataset(folder / "a.parquet")


def relation(folder: Path):
    import duckdb

    pandas_free = table()
    connection = duckdb.connect()
    connection.register("rows", pandas_free)
    return connection.sql('SELECT id AS "a ""name""", gold, pred FROM rows')


FRAMES = {
    "pandas": lambda folder: pandas.DataFrame(ROWS),
    "pandas, texts": lambda folder: pandas.DataFrame(
        {k: [" ".join(row) for row in ROWS[k]] for k in ("gold", "pred")}
    ),
    "pandas, arrow types": lambda folder: table().to_pandas(types_mapper=pandas.ArrowDtype),
    "polars": lambda folder: polars.DataFrame(ROWS),
    "polars, lazy": lambda folder: polars.DataFrame(ROWS).lazy(),
    "polars, categories": lambda folder: polars.DataFrame(ROWS).with_columns(
        polars.col("gold", "pred").cast(polars.List(polars.Categorical))
    ),
    "pyarrow": lambda folder: table(),
    "pyarrow, slice": lambda folder: pyarrow.concat_tables([table().slice(0, 5), table().slice(5)]),
    "pyarrow, batch": lambda folder: table().combine_chunks().to_batches()[0],
    "pyarrow, dataset": dataset,
    "duckdb": relation,
}


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("part", [7, 1 << 14])
def test_frames_give_the_same_report(kind, part, expected, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("assay.spans.frames.PART", part)
    frame = FRAMES[kind](tmp_path)
    assert plain(assay.stream_spans(frame)) == expected
    # Once more: nothing of the frame has been used up.
    assert plain(assay.stream_spans(frame, scheme="BIO"))["matches"] == expected["matches"]


@pytest.mark.parametrize("kind", ["pandas", "polars, lazy", "pyarrow", "duckdb"])
def test_frames_are_scored_as_a_whole_too(kind, expected, tmp_path) -> None:
    report = assay.score_spans(FRAMES[kind](tmp_path), gold_column="gold", pred_column="pred")
    assert report.summary["matches"] == expected["matches"]
    assert report.summary["errors"]["confusion"]["labels"]


def test_texts_with_blanks_are_tags_in_a_whole_frame(expected) -> None:
    frame = FRAMES["pandas, texts"](None)
    found = assay.score_spans(frame, gold_column="gold", pred_column="pred")
    assert found.summary["matches"] == expected["matches"]


def test_names_make_the_worst_sentences_the_same_in_any_order(expected) -> None:
    frame = polars.DataFrame(ROWS)
    first = assay.stream_spans(frame, id_column="id")
    worst = first.summary["errors"]["sentences"]
    assert worst[0]["name"] == ROWS["id"][worst[0]["sentence"]]
    for seed in range(3):
        other = assay.stream_spans(
            frame.sample(fraction=1, shuffle=True, seed=seed), id_column="id"
        )
        names = [one["name"] for one in other.summary["errors"]["sentences"]]
        assert names == [one["name"] for one in worst]
        assert plain(other, places=False) == plain(first, places=False)


def test_numbers_with_names_are_tags(expected) -> None:
    names = sorted({tag for row in ROWS["gold"] + ROWS["pred"] for tag in row})
    codes = {k: [[names.index(tag) for tag in row] for row in ROWS[k]] for k in ("gold", "pred")}
    found = assay.stream_spans(pyarrow.table(codes), tag_names=names)
    assert found.summary["matches"] == expected["matches"]
    with pytest.raises(InputError, match="the tag is the number"):
        assay.stream_spans(pyarrow.table(codes))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"gold": [["O"], ["O"]], "pred": [["O"], ["O", "O"]]}, "sentence 2: 2 tags in 'pred' for"),
        ({"gold": [["O"], None], "pred": [["O"], ["O"]]}, "sentence 2: an empty cell, where a li"),
        ({"gold": [["O", None]], "pred": [["O", "O"]]}, "sentence 1, token 2: None is no tag"),
        ({"gold": [["O", "B-A"]], "pred": [["O", "X"]]}, "sentence 1, token 2: the tag 'X' has no"),
        ({"gold": ["['O']"], "pred": ["O"]}, "sentence 1: a list that has become a text"),
        ({"gold": [3], "pred": [["O"]]}, "sentence 1: int(64)? found"),
        ({"gold": [], "pred": []}, "no sentences were found"),
    ],
)
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_what_is_wrong_in_a_frame_is_named(rows, said, kind) -> None:
    make = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": pyarrow.table}[kind]
    if rows["gold"] == []:
        rows = {"gold": pandas.Series([], dtype=object), "pred": pandas.Series([], dtype=object)}
        make = pandas.DataFrame
    with pytest.raises(InputError, match=said) as caught:
        assay.stream_spans(make(rows))
    if "sentence" in said and "no sent" not in said:
        assert str(caught.value).startswith(f"{library(make(rows))} frame: sentence")


def test_errors_name_the_sentence() -> None:
    frame = polars.DataFrame({"k": ["x1", "x2"], "gold": [["O"], ["O"]], "pred": [["O"], ["Q-A"]]})
    with pytest.raises(InputError, match=r"sentence 2, token 1 \(x2\): the tag 'Q-A'"):
        assay.stream_spans(frame, id_column="k")


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"gold_column": "golds"}, "gold_column"),
        ({"pred_column": "gold"}, "is the column of gold too"),
        ({"id_column": "ids"}, "id_column"),
        ({"gold_column": 2}, "is called by its name"),
        ({"chunk": 9}, "this option is about files"),
        ({"pred": "p.conll"}, "one frame is needed"),
    ],
)
def test_what_is_asked_of_a_frame_has_to_be_there(choices, said) -> None:
    with pytest.raises(UsageError, match=said):
        assay.stream_spans(polars.DataFrame(ROWS), **choices)


def test_files_have_no_column_of_ids(tmp_path) -> None:
    with pytest.raises(UsageError, match="only a frame has a column of ids"):
        assay.stream_spans("gold.conll", "pred.conll", id_column="id")
    reader = table().to_reader()
    with pytest.raises(UsageError, match="can be read once only"):
        assay.stream_spans(reader)


def test_without_pyarrow(monkeypatch, expected, tmp_path) -> None:
    duck, lazy = relation(tmp_path), polars.DataFrame(ROWS)
    frame = pandas.DataFrame(ROWS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert plain(assay.stream_spans(lazy)) == expected
    assert plain(assay.stream_spans(frame)) == expected
    with pytest.raises(MissingExtra, match=r"pip install 'assay\[scale\]'"):
        assay.stream_spans(duck)


def test_progress_is_told_in_sentences() -> None:
    told: list = []
    assay.stream_spans(pandas.DataFrame(ROWS), progress=lambda *at: told.append(at))
    assert told == [(90, 90)]


def test_spark(spark, expected) -> None:
    """Whatever the partitions and their order; rows stay where they are."""
    cells = list(zip(*ROWS.values(), strict=True))
    frame = spark.createDataFrame(cells, "id string, gold array<string>, pred array<string>")
    assert plain(assay.stream_spans(frame.coalesce(1))) == expected
    whole = assay.stream_spans(polars.DataFrame(ROWS), id_column="id")
    # Partitions in another order, one of them with no row at all.
    spread = frame.repartition(3, "id").union(frame.filter("id = 'nobody'").coalesce(1))
    found = assay.stream_spans(spread, id_column="id")
    names = [one["name"] for one in found.summary["errors"]["sentences"]]
    assert names == [one["name"] for one in whole.summary["errors"]["sentences"]]
    assert plain(found, places=False) == plain(whole, places=False)
    assert found.summary["source"]["format"] == "pyspark"


def test_spark_says_what_is_wrong(spark) -> None:
    rows = [("a", "O B-A", "O O"), ("b", "O", "Q")]
    frame = spark.createDataFrame(rows, ["id", "a.gold", "pred"]).coalesce(1)
    said = r"^partition 1: sentence 2, token 1 \(b\): the tag 'Q' has no known prefix"
    with pytest.raises(InputError, match=said):
        assay.stream_spans(frame, gold_column="a.gold", id_column="id")
    with pytest.raises(UsageError, match="gold_column"):
        assay.stream_spans(frame)
    with pytest.raises(UsageError, match="a PySpark frame is not collected"):
        assay.score_spans(frame)


def test_workers_of_spark_that_have_another_python(spark, monkeypatch, tmp_path) -> None:
    """As they do where a virtual environment is used without being activated."""
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", str(bare))
    frame = spark.createDataFrame([("O", "O")], ["gold", "pred"])
    said = "a Python in which assay is not installed.*set PYSPARK_PYTHON"
    with pytest.raises(MissingExtra, match=said):
        assay.stream_spans(frame)


@pytest.fixture
def dask():
    """Dask's frames, that leave lists of tags as they are."""
    if importlib.util.find_spec("dask") is None:
        why = "Dask is not installed: pip install 'assay[engines]'"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(why)
    import dask
    import dask.dataframe

    with dask.config.set({"dataframe.convert-string": False, "scheduler": "threads"}):
        yield dask.dataframe


@pytest.mark.parametrize("n", [1, 4, 40])
def test_dask(dask, expected, n, monkeypatch) -> None:
    monkeypatch.setattr("assay.spans.spread.GROUP", 3)
    frame = dask.from_pandas(pandas.DataFrame(ROWS), npartitions=n)
    # Partitions are in order, and so sentences have the numbers that they have in the files.
    assert plain(assay.stream_spans(frame)) == expected
    assert plain(assay.stream_spans(frame, scheme="BIO"))["matches"] == expected["matches"]


def test_dask_says_what_is_wrong(dask) -> None:
    rows = pandas.DataFrame({"gold": ["O"] * 4, "pred": ["O", "O", "O", "O O"]})
    frame = dask.from_pandas(rows, npartitions=2)
    said = "^partition 2: sentence 2: 2 tags in 'pred' for 1 in 'gold'"
    with pytest.raises(InputError, match=said):
        assay.stream_spans(frame)
    with pytest.raises(UsageError, match="a Dask frame is not collected"):
        assay.score_spans(frame)

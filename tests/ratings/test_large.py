"""Files read in batches give what the same ratings give when they are read at once."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from assay.errors import AssayError, DuplicateRatings, InputError, ReadingError, UsageError
from assay.ratings.large import identity, keyed, reduce, sources, spill, sums
from assay.ratings.large import open as opening
from assay.ratings.large.identity import hashed, in_order, names_of, texts_of
from assay.ratings.reductions import Reduced

pa = pytest.importorskip("pyarrow", reason="files are read in batches with PyArrow")
pq = pytest.importorskip("pyarrow.parquet")

Row = tuple[str, str, object]
SMALL = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
KEPT_FOR_ROWS = {
    "conger_kappa", "kendall_w", "icc_1", "icc_a_1", "icc_c_1", "icc_1_k", "icc_a_k", "icc_c_k",
}  # fmt: skip
"""Coefficients, or their errors, that need to know who gave which rating of an item."""


def write(path: Path, rows: list[Row], group: int = 7) -> Path:
    if path.suffix == ".csv":
        cells = [("item", "rater", "label"), *rows]
        path.write_text("".join(f"{a},{b},{'' if c is None else c}\n" for a, b, c in cells))
        return path
    if path.suffix == ".jsonl":
        records = [dict(zip(("item", "rater", "label"), row, strict=True)) for row in rows]
        path.write_text("".join(f"{json.dumps(one)}\n" for one in records))
        return path
    items, raters, labels = (list(column) for column in zip(*rows, strict=True))
    kind = pa.string() if all(isinstance(v, str) or v is None for v in labels) else None
    table = pa.table({"item": items, "rater": raters, "label": pa.array(labels, kind)})
    pq.write_table(table, path, row_group_size=group)
    return path


def small_parts(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Parts of the input of a few rows, so that small tables have many."""
    monkeypatch.setattr(sources, "RUN", rows)
    monkeypatch.setattr(sources, "TASK", rows)


def report(data: Any, **options: Any) -> dict:
    return json.loads(json.dumps(assay.agree(data, **options).to_dict()))


def comparable(summary: dict, *, crowd: bool) -> dict:
    """Without names of sources, orders of raters, and what a crowd's sums cannot give."""
    out = json.loads(json.dumps(summary))
    out.pop("warnings")
    out["source"].pop("notes")
    out["source"].pop("name")
    out["raters"].sort(key=lambda one: one["rater"])
    # Which of two raters comes first in a pair is a matter of the order of the file.
    for pair in out["pairs"]:
        for key in ("confusion", "confused", "marginal_tests", "lab", "bland_altman"):
            pair.pop(key)
        pair["raters"].sort()
    out["pairs"].sort(key=lambda one: one["raters"])
    diagnosis = out["diagnosis"]
    diagnosis["items"]["hardest"] = [
        (one["agreement"], one["distance"]) for one in diagnosis["items"]["hardest"]
    ]
    for part in ("why", "look", "swapped", "left_out"):
        diagnosis.pop(part)
    if diagnosis["without_rater"]:
        diagnosis["without_rater"]["raters"].sort(key=lambda one: one["rater"])
    out.pop("guidance")
    for one in out["coefficients"]:
        if one["undefined"]:
            one["undefined"].pop("reason")
    if crowd:
        diagnosis["without_rater"] = None
        out["coefficients"] = [c for c in out["coefficients"] if c["name"] not in KEPT_FOR_ROWS]
        for one in out["coefficients"]:
            if one["name"] == "light_kappa":
                for key in ("interval", "standard_error", "no_interval", "tests", "p_value"):
                    one.pop(key)
    return out


def close(one: object, other: object, path: str = "") -> None:
    """Equal but for the order of floating additions."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            close(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        assert len(one) == len(other), path
        for k, (a, b) in enumerate(zip(one, other, strict=True)):
            close(a, b, f"{path}[{k}]")
    elif isinstance(one, float) and isinstance(other, (int, float)):
        assert one == pytest.approx(other, rel=1e-11, abs=1e-12), path
    else:
        assert one == other, path


def crossed(n_items: int, n_raters: int, per_item: int, seed: int, labels: list) -> list[Row]:
    rng = random.Random(seed)
    rows: list[Row] = []
    for i in range(n_items):
        truth = rng.choice(labels)
        for r in rng.sample(range(n_raters), rng.randint(1, per_item)):
            label = truth if rng.random() < 0.6 else rng.choice(labels)
            rows.append((f"item{i:05d}", f"r{r:03d}", label if rng.random() > 0.05 else None))
    return rows


DESIGNS: dict[str, tuple[list[Row], dict[str, Any]]] = {
    "few raters": (crossed(60, 3, 3, 1, ["a", "b", "c"]), {}),
    "crowd": (crossed(120, 40, 6, 2, ["a", "b", "c", "d"]), {}),
    "two raters": (crossed(80, 2, 2, 3, ["yes", "no"]), {}),
    "numbers": (crossed(60, 12, 4, 4, [1, 2, 3, 4, 5]), {"scale": "interval"}),
    "decimals": (crossed(50, 30, 4, 5, [0.5, 1.25, 2.0, 7.75]), {"scale": "interval"}),
    "ordered": (crossed(50, 30, 4, 6, ["low", "mid", "high"]), {"order": ["low", "mid", "high"]}),
    "many labels": (crossed(80, 30, 4, 7, [f"l{k}" for k in range(45)]), {}),
    "bootstrap": (
        crossed(60, 30, 4, 8, ["a", "b", "c"]), {"interval": "bootstrap", "resamples": 100},
    ),
    "jackknife": (crossed(60, 3, 3, 9, ["a", "b", "c"]), {"interval": "jackknife"}),
}  # fmt: skip


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
@pytest.mark.parametrize("name", DESIGNS)
def test_the_report_is_that_of_reading_at_once(tmp_path, monkeypatch, name, order):
    rows, options = DESIGNS[name]
    small_parts(monkeypatch, 20)
    crowd = name not in ("few raters", "two raters", "jackknife")
    if crowd:
        monkeypatch.setattr(sums, "UNITS", 5)
        monkeypatch.setattr(sums, "MOST_BITS", 40)
    by_rater = sorted(rows, key=lambda row: (row[1], row[0]))
    at_once = report(by_rater, **options)
    if order == "shuffled":
        random.Random(0).shuffle(rows)
    else:
        rows = sorted(rows, key=lambda row: row[0])
    path = write(tmp_path / "ratings.parquet", rows)
    in_batches = report(path, memory=1000, **options)
    codes = {note["code"] for note in in_batches["source"]["notes"]}
    assert ("read_in_order" if order == "sorted" else "read_in_parts") in codes
    close(comparable(in_batches, crowd=crowd), comparable(at_once, crowd=crowd))


def _given(threads: int, _: object) -> int:
    return threads


@pytest.mark.parametrize("crowd", [False, True])
def test_threads_and_parts_change_nothing(tmp_path, monkeypatch, crowd):
    rows = crossed(150, 60 if crowd else 4, 4, 11, ["a", "b", "c"])
    random.Random(1).shuffle(rows)
    found = []
    for threads, group, fewest in ((1, 1000, 1), (2, 5, 8), (4, 11, 64), (3, 3, 1024)):
        monkeypatch.setattr(spill, "FEWEST", fewest)
        small_parts(monkeypatch, group)
        monkeypatch.setattr(reduce.Wish, "workers", property(partial(_given, threads)))
        random.Random(threads).shuffle(rows)
        path = write(tmp_path / f"{threads}.parquet", rows, group)
        summary = report(path, memory=1000, interval="bootstrap", resamples=100)
        summary["source"].pop("name")
        summary["source"].pop("notes")
        found.append(summary)
    for one in found[1:]:
        for key, value in found[0].items():
            assert one[key] == value, key


labels = st.sampled_from(["a", "b", "c", " a", "é", None, ""])
names = st.text(st.sampled_from("abé 1\x00"), max_size=12)


@SMALL
@given(
    st.dictionaries(st.tuples(names, st.sampled_from(["x", "y ", "y", "z", "w"])), labels,
                    min_size=1, max_size=40),
    st.booleans(),
    st.integers(1, 9),
)  # fmt: skip
def test_any_small_table(tmp_path, ratings, ordered, group):
    rows: list[Row] = [(item, rater, label) for (item, rater), label in ratings.items()]
    if ordered:
        rows.sort(key=lambda row: row[0])
    path = write(tmp_path / "any.parquet", rows, group)

    def outcome(**options: Any) -> object:
        try:
            return assay.read(path, layout="long", **options)
        except AssayError as error:
            return error.code, type(error)

    at_once, in_batches = outcome(), outcome(memory=1)
    if not isinstance(at_once, assay.Ratings):
        assert in_batches == at_once
        return
    assert isinstance(in_batches, assay.Ratings)
    assert in_batches.sizes == at_once.sizes
    assert sorted(in_batches.raters) == sorted(at_once.raters)
    assert list(in_batches.categories) == list(at_once.categories)
    assert multisets(in_batches) == multisets(at_once)


def multisets(ratings: assay.Ratings) -> dict:
    out: dict = defaultdict(int)
    for block in ratings.blocks:
        weights = np.ones(block.n, int) if block.weights is None else block.weights
        for column, weight in zip(block.labels.T, weights, strict=True):
            out[tuple(sorted(column[column >= 0].tolist()))] += int(weight)
    return dict(out)


def test_pairs_are_those_of_reading_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(sums, "UNITS", 3)
    monkeypatch.setattr(sums, "MOST_BITS", 44)
    rows = crossed(200, 25, 5, 12, ["a", "b", "c"])
    random.Random(3).shuffle(rows)
    path = write(tmp_path / "crowd.parquet", rows, 50)
    ratings = assay.read(path, memory=1000)
    assert ratings.crowd is not None
    wanted: dict = defaultdict(int)
    given: dict = defaultdict(dict)
    for item, rater, label in rows:
        if label is not None:
            given[item][rater] = label
    for by in given.values():
        who = sorted(by)
        for i, a in enumerate(who):
            for b in who[i + 1 :]:
                wanted[a, b, by[a], by[b]] += 1
    tables = ratings.crowd.pairs
    names = ratings.raters
    found = {
        (names[g], names[h], ratings.categories[int(a)], ratings.categories[int(b)]): int(n)
        for k, (g, h) in enumerate(tables.raters.tolist())
        for a, b, n in zip(*tables.cells(k), strict=True)
    }
    assert found == dict(wanted)
    without = assay.read(path, memory=1000, pairs=False)
    summary = report(without)
    assert summary["pairs"] == []
    assert summary["pairs_left_out"] == 25 * 24 // 2


def test_hardest_items_are_named_with_what_they_were_given(tmp_path):
    rows = crossed(300, 40, 5, 13, ["a", "b", "c"])
    random.Random(2).shuffle(rows)
    given: dict = defaultdict(dict)
    for item, rater, label in rows:
        if label is not None:
            given[item][rater] = label
    hard = report(write(tmp_path / "h.parquet", rows, 40), memory=1000)["diagnosis"]["items"]
    figures = [one["agreement"] for one in hard["hardest"]]
    assert len(figures) == 10
    assert figures == sorted(figures)
    for one in hard["hardest"]:
        assert {g["rater"]: g["label"] for g in one["given"]} == given[one["item"]]

    # Ties in order of name.
    def share(labels: list) -> float:
        n = len(labels)
        return sum(labels.count(x) - 1 for x in labels) / (n * (n - 1))

    every = sorted((share(list(by.values())), item) for item, by in given.items() if len(by) > 1)
    assert [one["item"] for one in hard["hardest"]] == [item for _, item in every[:10]]


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("crowd", [True, False])
def test_groups(tmp_path, monkeypatch, ordered, crowd):
    small_parts(monkeypatch, 30)
    if crowd:
        monkeypatch.setattr(sums, "UNITS", 5)
        monkeypatch.setattr(sums, "MOST_BITS", 40)
    rng = random.Random(21)
    rows = [
        (item, rater, label, dimension, language)
        for dimension, labels in (
            ("tone", ["a", "b"]),
            ("form", ["1", "2", "3"]),
            (None, ["z", "a"]),
        )
        for item, rater, label in crossed(40, 12 if crowd else 3, 3, 22, labels)
        for language in [rng.choice(["vi", "zh"])]
    ]
    rows.sort(key=lambda row: (row[1], row[0]))
    names = ("item", "rater", "label", "dimension", "language")
    frame = {
        name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }
    at_once = report(pa.table(frame), by=["dimension"])
    rows.sort(key=lambda row: row[0]) if ordered else rng.shuffle(rows)
    frame = {
        name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }
    pq.write_table(pa.table(frame), tmp_path / "by.parquet", row_group_size=9)
    found = report(tmp_path / "by.parquet", by=["dimension"], memory=1000)
    assert [one["group"] for one in found["groups"]] == ["(empty)", "form", "tone"]
    for one in at_once["groups"]:
        other = next(g for g in found["groups"] if g["group"] == one["group"])
        close(comparable(other, crowd=crowd), comparable(one, crowd=crowd))
    both = assay.read(tmp_path / "by.parquet", by=["dimension", "language"], memory=1000)
    assert "tone / vi" in both.group_names
    assert both.n_ratings == sum(both.group(name).n_ratings for name in both.group_names)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize("layout", ["wide", "counts"])
def test_other_layouts_are_grouped_by_duckdb(tmp_path, ending, layout):
    rng = random.Random(23)
    columns: dict[str, list[Any]] = {"item": [f"i{k:03d}" for k in range(150)]}
    if layout == "wide":
        for rater in ("ana", "bo", "cy"):
            columns[rater] = [rng.choice(["x", "y", "z", None]) for _ in range(150)]
    else:
        for label in ("x", "y", "z"):
            columns[label] = [rng.randint(0, 3) for _ in range(150)]
    path = tmp_path / f"table.{ending}"
    if ending == "parquet":
        pq.write_table(pa.table(columns), path)
    else:
        rows = zip(*columns.values(), strict=True)
        lines = [",".join("" if v is None else str(v) for v in row) for row in rows]
        path.write_text("\n".join([",".join(columns), *lines]) + "\n")
    one, other = report(path, layout=layout, memory=1), report(path, layout=layout)
    assert "read_in_engine" in {note["code"] for note in one["source"]["notes"]}
    if layout == "counts":
        for summary in (one, other):
            summary["diagnosis"]["items"]["hardest"] = []
    close(comparable(one, crowd=False), comparable(other, crowd=False))
    again = report(str(tmp_path / f"tab*.{ending}"), layout=layout)
    assert again["coefficients"] == one["coefficients"]


def test_items_of_several_columns_are_grouped_by_duckdb(tmp_path):
    rows = crossed(40, 4, 3, 24, ["a", "b"])
    table = pa.table({
        "text": [row[0][:6] for row in rows], "part": [row[0][6:] for row in rows],
        "rater": [row[1] for row in rows], "label": [row[2] for row in rows],
    })  # fmt: skip
    pq.write_table(table, tmp_path / "parts.parquet")
    options: dict[str, Any] = {"item": ["text", "part"]}
    one, other = (
        assay.read(tmp_path / "parts.parquet", **options, **more) for more in ({"memory": 1}, {})
    )
    assert multisets(one) == multisets(other)


@pytest.mark.parametrize("keep", ["error", "first", "last"])
@pytest.mark.parametrize("ordered", [True, False])
def test_repeated_ratings(tmp_path, keep, ordered):
    rows: list[Row] = crossed(90, 70, 4, 14, ["a", "b", "c"])
    rows += [(item, rater, "c") for item, rater, _ in rows[3:9]]
    rows.sort(key=lambda row: row[0]) if ordered else random.Random(4).shuffle(rows)
    path = write(tmp_path / "twice.parquet", rows, 25)
    if keep == "error":
        for options in ({}, {"memory": 1000}):
            with pytest.raises(DuplicateRatings, match="rated an item more than once"):
                assay.read(path, **options)
        return
    one, other = assay.read(path, memory=1000, duplicates=keep), assay.read(path, duplicates=keep)
    assert multisets(one) == multisets(other)
    assert "duplicates_settled" in {note.code for note in one.reading.notes}


def test_text_and_json_lines_and_patterns(tmp_path):
    rows = [row for row in crossed(60, 9, 4, 15, ["yes", "no, never"]) if row[2] is not None]
    shuffled = random.Random(5).sample(rows, len(rows))
    at_once = report(sorted(rows, key=lambda row: (row[1], row[0])))
    for k in range(3):
        part = shuffled[k::3]
        lines = "".join(f'{i};{r};"{v}"\n' for i, r, v in part)
        (tmp_path / f"part-{k}.csv").write_text("item;rater;label\n" + lines)
        (tmp_path / f"part-{k}.jsonl").write_text(
            "".join(json.dumps({"item": i, "rater": r, "label": v}) + "\n" for i, r, v in part)
        )
        write(tmp_path / f"part-{k}.parquet", part)
    for ending in ("csv", "jsonl", "parquet"):
        found = report(str(tmp_path / f"part-*.{ending}"))
        assert "(3 files)" in found["source"]["name"]
        close(comparable(found, crowd=False), comparable(at_once, crowd=False))


def test_types_in_json_lines_are_kept(tmp_path):
    path = tmp_path / "typed.jsonl"
    lines = [("1", "a", 1), (1, "b", "1"), (2, "a", True), (2, "b", 1), (3, "a", None), (3, "b", 2)]
    path.write_text(
        "".join(json.dumps({"item": i, "rater": r, "label": v}) + "\n" for i, r, v in lines)
    )
    one, other = assay.read(path, memory=10), assay.read(path)
    assert list(one.categories) == list(other.categories)
    assert one.sizes == other.sizes
    assert multisets(one) == multisets(other)


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({"missing": ["?"]}, [("1", "a", "x"), ("1", "b", "?"), ("2", "a", "?"), ("3", "a", "y"),
                              ("3", "b", "x")]),
        ({"relabel": "booleans"}, [("1", "a", "yes"), ("1", "b", "TRUE"), ("2", "a", "no"),
                                   ("2", "b", "true")]),
        ({"raters": ["a", "c"]}, [("1", "a", "x"), ("1", "b", "y"), ("1", "c", "y"),
                                  ("2", "b", "x"), ("2", "c", "x")]),
        ({"categories": ["x", "y", "z"]}, [("1", "a", "x"), ("1", "b", "y"), ("2", "a", "y"),
                                           ("2", "b", "y")]),
    ],
)  # fmt: skip
def test_options_of_labels(tmp_path, options, rows):
    path = write(tmp_path / "options.parquet", rows, 2)
    one, other = assay.read(path, memory=1, **options), assay.read(path, **options)
    assert list(one.categories) == list(other.categories)
    assert sorted(one.raters) == sorted(other.raters)
    assert one.sizes == other.sizes
    assert multisets(one) == multisets(other)


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([("1", "a", "x"), (None, "b", "y")], "empty_item"),
        ([("1", "a", "x"), ("2", None, "y")], "empty_rater"),
        ([("1", "a", "x"), ("2", " ", "y")], "empty_rater"),
    ],
)
def test_a_row_without_item_or_rater_is_refused(tmp_path, rows, code):
    path = write(tmp_path / "lacking.parquet", rows)
    for options in ({}, {"memory": 1}):
        with pytest.raises(ReadingError, match=r"Each row needs its") as found:
            assay.read(path, **options)
        assert found.value.code == code
        assert "1 rows" not in str(found.value)


def test_wide_json_lines_are_not_read_in_batches_and_say_what_helps(tmp_path):
    path = tmp_path / "wide.jsonl"
    record = '{{"item": "i{}", "ana": "x", "bo": "y"}}\n'
    path.write_text("".join(record.format(k) for k in range(50)))
    said = r"of JSON lines .* not for wide ones\. Convert it to Parquet or CSV"
    with pytest.raises(ReadingError, match=said + r".*, or give it more --memory\.$") as error:
        assay.read(path, memory=1)
    assert error.value.code == "not_in_batches"
    with pytest.raises(ReadingError, match=said + r"[^,]*, where this is done for all tables\.$"):
        assay.read(str(tmp_path / "w*.jsonl"))
    assert assay.read(path).n_ratings == 100


def test_a_wide_dataset_says_what_helps(tmp_path):
    pq.write_table(pa.table({"item": ["1", "2"], "ana": ["x", "y"], "bo": ["x", "x"]}),
                   tmp_path / "w.parquet")  # fmt: skip
    source = pytest.importorskip("pyarrow.dataset").dataset(tmp_path / "w.parquet")
    with pytest.raises(ReadingError, match=r"a PyArrow dataset .* a path or a pattern") as error:
        assay.read(source)
    assert error.value.code == "not_in_batches"
    assert assay.read(source.to_table()).n_ratings == 4


def test_who_is_the_first_of_two_raters_is_said(tmp_path):
    zoe, bo = "xxyx", "xyyx"
    rows: list[Row] = [(f"i{k}", rater, labels[k]) for k in range(4)
                       for rater, labels in (("zoe", zoe), ("bo", bo))]  # fmt: skip
    path = write(tmp_path / "two.parquet", rows)
    by_table, by_name = report(path), report(path, memory=1)
    for found, first, second in ((by_table, zoe, bo), (by_name, bo, zoe)):
        kappas = [one["conditional_kappa"] for one in found["labels"]]
        asked = assay.conditional_kappa(list(first), list(second))
        assert kappas == [one.value for one in asked.values()]
    assert by_table["pairs"][0]["bias_index"] == -by_name["pairs"][0]["bias_index"] != 0


def test_what_is_not_read_in_batches_says_so(tmp_path):
    rows: list[Row] = [("1", "a", "x"), ("1", "b", "y")]
    path = write(tmp_path / "long.parquet", rows)
    with pytest.raises(ReadingError, match="no file fits this pattern"):
        assay.read(str(tmp_path / "none-*.parquet"))
    with pytest.raises(UsageError, match="a size such as 1GB"):
        assay.read(path, memory="much")
    (tmp_path / "book-1.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(ReadingError, match="a pattern is for Parquet"):
        assay.read(str(tmp_path / "book-*.xlsx"))
    write(tmp_path / "more-1.parquet", rows)
    pq.write_table(pa.table({"item": ["1"], "who": ["a"], "label": ["x"]}),
                   tmp_path / "more-2.parquet")  # fmt: skip
    with pytest.raises(ReadingError, match=r"more-2.parquet: no column 'rater'"):
        assay.read(str(tmp_path / "more-*.parquet"))


def test_names_are_equal_where_their_words_are(monkeypatch):
    texts = ["a", "a\x00", "ab", "b", "é", "abcdefgh", "abcdefghi", "abcdefg", "1" * 30, "z"]
    found = names_of(pa.array(texts)).of_rows()
    assert texts_of(found, number=False) == texts
    assert len({tuple(row) for row in found.tolist()}) == len(texts)
    same = names_of(pa.array([" a", "a ", "e\u0301", "\u00e9"])).of_rows()
    assert (same[0] == same[1]).all()
    assert (same[2] == same[3]).all()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=20).map(str.strip).filter(bool), min_size=1, max_size=30))
def test_words_are_one_to_one_and_in_order_of_bytes(texts):
    names = names_of(pa.array(texts, pa.string()))
    words = names.of_rows()
    back = texts_of(words, number=False)
    cleaned = [assay.ratings.labels.clean(text) for text in texts]
    assert back == cleaned
    ordered = sorted({text for text in cleaned if min(text) > "\x01"}, key=str.encode)
    if ordered:
        again = names_of(pa.array(ordered, pa.string())).of_rows()
        assert in_order(again, "bytes").all()
    assert (hashed(words) == hashed(identity.widened(words, 9))).all()


def natural(text: str) -> list[tuple[int, int]]:
    """Of each byte how many digits follow from it on, then the byte."""
    data = text.encode()
    rests = [data[k:] for k in range(len(data))]
    return [(len(rest) - len(rest.lstrip(b"0123456789")), rest[0]) for rest in rests]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text("019ab/:é", min_size=1, max_size=12), min_size=2, max_size=12))
def test_natural_order_is_one_of_all_names(texts):
    words = names_of(pa.array(texts, pa.string())).of_rows()
    found = in_order(words, "natural").tolist()
    assert found == [natural(a) < natural(b) for a, b in itertools.pairwise(texts)]


@settings(max_examples=100, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 10**25), st.integers(0, 10**9)), min_size=2, max_size=12))
def test_numbers_in_names_are_in_order(numbers):
    texts = [f"doc{a}.s{b}" for a, b in sorted(numbers)]
    assert in_order(names_of(pa.array(texts, pa.string())).of_rows(), "natural").all()


@pytest.mark.parametrize("written", ["parquet", "csv", "jsonl"])
def test_items_numbered_without_zeros_are_read_as_they_come(tmp_path, monkeypatch, written):
    rows = [
        (f"d{i // 25}-{i}", who, label)
        for item, who, label in crossed(250, 30, 4, 17, ["a", "b", "c"])
        for i in [int(item[4:])]
    ]
    path = write(tmp_path / f"ratings.{written}", rows)
    small_parts(monkeypatch, 20)
    assert rows != sorted(rows)
    ratings = assay.read(path, memory=10)
    assert "read_in_order" in {note.code for note in ratings.reading.notes}
    assert multisets(ratings) == multisets(assay.read(path))
    in_batches, at_once = report(path, memory=10), report(path)
    close(comparable(in_batches, crowd=True), comparable(at_once, crowd=True))
    # One item comes again at the end: no order of names holds any more.
    again = write(tmp_path / f"again.{written}", [*rows, (rows[0][0], "new", "a")])
    last = assay.read(again, memory=10)
    assert "read_in_parts" in {note.code for note in last.reading.notes}
    assert multisets(last) == multisets(assay.read(again))


def test_names_with_one_hash_stay_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(spill, "hashed", lambda words: np.full(len(words), 5, np.uint64))
    rows = crossed(40, 9, 4, 16, ["a", "b"])
    random.Random(6).shuffle(rows)
    path = write(tmp_path / "one.parquet", rows, 9)
    assert multisets(assay.read(path, memory=10)) == multisets(assay.read(path))


def test_an_item_in_many_batches(tmp_path, monkeypatch):
    small_parts(monkeypatch, 3)
    rows: list[Row] = [("a", f"r{k:02d}", "x" if k % 3 else "y") for k in range(20)]
    rows += [("b", "r00", "x")]
    rows += [("c", f"r{k:02d}", "y") for k in range(5)]
    path = write(tmp_path / "long.parquet", rows, 2)
    one = assay.read(path, memory=10)
    assert "read_in_order" in {note.code for note in one.reading.notes}
    assert multisets(one) == multisets(assay.read(path))


def test_keys_grow_with_their_fields():
    rng = np.random.default_rng(0)
    truth: dict = defaultdict(int)
    found = keyed.Keyed((2, 2))
    for widths in ((2, 2), (3, 4), (3, 4, 9), (9, 9, 9, 20)):
        rows = np.stack([rng.integers(0, 1 << b, 50) for b in widths], axis=1)
        found = found.widened(widths)
        key = np.zeros(50, dtype=np.int64)
        for k in range(len(widths)):
            key |= rows[:, k] << found.place(k)
        found.add(key)
        for row in rows.tolist():
            truth[tuple(row + [0] * (4 - len(row)))] += 1
    fields, times = found.fields()
    assert {tuple(f): n for f, n in zip(fields.tolist(), times.tolist(), strict=True)} == truth
    with pytest.raises(OverflowError):
        found.widened((60, 60))


def test_nothing_is_left_behind(tmp_path):
    """Neither after an interrupt nor after a kill: the temporary files have no name."""
    rows = crossed(4000, 60, 5, 17, ["a", "b", "c"])
    random.Random(7).shuffle(rows)
    path = write(tmp_path / "big.parquet", rows, 500)
    folder = tmp_path / "temporary"
    folder.mkdir()
    code = (
        "import assay, os, signal, sys\n"
        "def told(what, done, total):\n"
        "    if what == 'grouping' or done > 3000:\n"
        "        print(len(os.listdir(os.environ['TMPDIR'])), flush=True)\n"
        f"        os.kill(os.getpid(), getattr(signal, sys.argv[1]))\n"
        "from assay.ratings.large import sources\n"
        "sources.TASK = sources.RUN = 400\n"
        f"assay.read({str(path)!r}, memory=10, progress=told)\n"
    )
    for signal in ("SIGINT", "SIGKILL"):
        done = subprocess.run(
            [sys.executable, "-c", code, signal],
            env={**os.environ, "TMPDIR": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 0
        assert done.stdout.split()[0] == "0"
        assert list(folder.iterdir()) == []


def test_a_full_disk_is_said(tmp_path):
    rows = crossed(3000, 60, 5, 18, ["a", "b", "c"])
    random.Random(8).shuffle(rows)
    path = write(tmp_path / "big.parquet", rows, 500)
    code = (
        "import resource, assay\n"
        "from assay.errors import InputError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))\n"
        "try:\n"
        f"    assay.read({str(path)!r}, memory=10)\n"
        "except InputError as error:\n"
        "    print(error.code, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("disk_full")
    assert "TMPDIR" in done.stdout


@pytest.mark.parametrize(
    ("given", "bytes_"),
    [("1GB", 10**9), ("1.5 GiB", 3 * 2**29), ("300m", 3 * 10**8), (77, 77), ("12", 12)],
)
def test_sizes_of_memory(given, bytes_):
    assert opening.memory_option(given) == bytes_


@pytest.mark.parametrize("given", ["", "GB", "0", "-1GB", "1XB", 0, "nan"])
def test_sizes_that_are_none(given):
    with pytest.raises(UsageError):
        opening.memory_option(given)


def test_a_large_file_is_read_in_batches_by_itself(tmp_path, monkeypatch):
    rows = crossed(50, 5, 3, 19, ["a", "b"])
    path = write(tmp_path / "large.parquet", rows)
    monkeypatch.setattr(opening, "MANY_ROWS", 10)
    monkeypatch.setattr(opening, "MANY_BYTES", 100)
    codes = {note.code for note in assay.read(path).reading.notes}
    assert codes & {"read_in_order", "read_in_parts"}


def test_a_dataset_of_pyarrow(tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    from assay.ratings.common import Choices
    from assay.ratings.labels import label_options
    from assay.ratings.large.read import large_ratings
    from assay.ratings.layout import LayoutOptions

    rows = crossed(50, 5, 3, 20, ["a", "b"])
    path = write(tmp_path / "part.parquet", rows)
    held = opening.from_dataset(dataset.dataset(path))
    found = large_ratings(held, LayoutOptions(), Choices(label_options()))
    assert multisets(found) == multisets(assay.read(path))


def both_ways(path: Path | str, **options: Any) -> tuple[assay.Ratings, assay.Ratings]:
    return assay.read(path, memory=1, **options), assay.read(path, **options)


def test_items_that_are_one_number_are_one_item(tmp_path):
    """However it is written, and whatever the type of the column."""
    path = tmp_path / "items.jsonl"
    written = ["7", "7.0", '"7"', "8", '"8"', "true"]
    raters = ["a", "b", "c", "a", "b", "a"]
    path.write_text(
        "".join(
            f'{{"item": {i}, "rater": "{r}", "label": "x"}}\n'
            for i, r in zip(written, raters, strict=True)
        )
    )
    one, other = both_ways(path)
    assert one.sizes == other.sizes == {1: 1, 2: 1, 3: 1}
    for kind, items in ((pa.int64(), [1, 2, 3]), (pa.float64(), [1.0, 2.0, 3.0]),
                        (pa.string(), ["1", "2", "3"]), (pa.uint64(), [1, 2, 2**63 + 5]),
                        ):  # fmt: skip
        table = {"item": pa.array(items, kind), "rater": [str(kind)] * 3, "label": ["x", "y", "x"]}
        pq.write_table(pa.table(table), tmp_path / f"type-{kind}.parquet")
    whole = assay.read(str(tmp_path / "type-*.parquet"))
    assert whole.sizes == {1: 1, 3: 1, 4: 2}
    large, plain = both_ways(tmp_path / "type-uint64.parquet")
    assert large.sizes == plain.sizes


@pytest.mark.parametrize("keep", ["error", "first", "last"])
def test_labels_declared_missing_are_no_repeats(tmp_path, keep):
    rows: list[Row] = [("1", "a", "n/a"), ("1", "a", "yes"), ("1", "b", "yes"), ("2", "a", "no"),
                       ("2", "b", "none"), ("2", "b", "yes"), ("3", "a", "n/a")]  # fmt: skip
    path = write(tmp_path / "missing.parquet", rows, 2)
    options: dict[str, Any] = {"missing": ["n/a", "?"], "relabel": {"none": "?"}}
    one, other = both_ways(path, duplicates=keep, **options)
    assert one.sizes == other.sizes == {0: 1, 2: 2}
    assert multisets(one) == multisets(other)
    codes = [{n.code: n.message for n in r.reading.notes} for r in (one, other)]
    assert codes[0]["missing_lookalikes"] == codes[1]["missing_lookalikes"]


def test_a_group_has_its_own_raters_only(tmp_path):
    rows = [("1", "ana", "x", "g1"), ("1", "cyd", "x", "g1"), ("2", "ana", "x", "g2"),
            ("2", "ben", "y", "g2"), ("2", "cyd", None, "g2"),
            ("3", "ana", None, "g3")]  # fmt: skip
    names = ("item", "rater", "label", "g")
    table = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    pq.write_table(table, tmp_path / "by.parquet")
    one, other = both_ways(tmp_path / "by.parquet", by="g")
    for name in ("g1", "g2", "g3"):
        assert sorted(one.group(name).raters) == sorted(other.group(name).raters)
        assert one.group(name).sizes == other.group(name).sizes


def test_groups_of_one_name_are_refused(tmp_path):
    rows = [("1", "a", "x", None), ("1", "b", "x", None), ("2", "a", "x", "(empty)")]
    names = ("item", "rater", "label", "g")
    table = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    pq.write_table(table, tmp_path / "alike.parquet")
    for options in ({}, {"memory": 1}):
        with pytest.raises(ReadingError, match=r"2 groups are called '\(empty\)'"):
            assay.read(tmp_path / "alike.parquet", by="g", **options)


def test_an_item_of_very_many_ratings(tmp_path):
    rows: list[Row] = [("long", f"r{k:04d}", f"l{k % 40}") for k in range(3000)]
    rows += [(f"i{k:05d}", f"r{k % 9:04d}", f"l{k % 40}") for k in range(9000)]
    rows += [(f"i{k:05d}", f"r{k % 9 + 9:04d}", f"l{k % 39}") for k in range(9000)]
    random.Random(9).shuffle(rows)
    path = write(tmp_path / "long.parquet", rows, 5000)
    one, other = both_ways(path)
    assert multisets(one) == multisets(other)
    assert sum(block.labels.size for block in one.blocks) < 200_000
    tables = (one.crowd.pairs if one.crowd else None), Reduced(other)
    assert tables[0] is None
    with pytest.raises(InputError, match="pairs of raters share items"):
        _ = Reduced(one).pairs


def test_pairs_of_items_with_many_ratings(tmp_path, monkeypatch):
    monkeypatch.setattr(sums, "UNITS", 3)
    rows: list[Row] = [("long", f"r{k:04d}", "ab"[k % 3 == 0]) for k in range(60)]
    rows += [("short", f"r{k:04d}", "ab"[k % 2]) for k in range(5)]
    path = write(tmp_path / "pairs.parquet", rows)
    one, other = both_ways(path)
    assert one.crowd is not None
    found, wanted = one.crowd.pairs, Reduced(other).pairs
    assert found is not None
    assert found.raters.tolist() == wanted.raters.tolist()
    assert found.n.tolist() == wanted.n.tolist()
    monkeypatch.setattr(sums, "LONGEST", 50)
    left = assay.read(path, memory=1)
    with pytest.raises(InputError, match="an item has 60 ratings"):
        _ = Reduced(left).pairs


def test_empty_files_among_others(tmp_path):
    rows = crossed(20, 4, 3, 25, ["a", "b"])
    write(tmp_path / "p-1.parquet", rows)
    table = pq.read_table(tmp_path / "p-1.parquet")
    pq.write_table(table.slice(0, 0), tmp_path / "p-0.parquet")
    pq.write_table(table.slice(0, 0), tmp_path / "p-2.parquet")
    assert multisets(assay.read(str(tmp_path / "p-*.parquet"))) == multisets(
        assay.read(tmp_path / "p-1.parquet")
    )


def test_bad_files_are_named(tmp_path):
    write(tmp_path / "m-0.parquet", [("1", "a", "x"), ("1", "b", "x")])
    (tmp_path / "m-1.parquet").write_text("item,rater,label\n1,a,x\n")
    with pytest.raises(ReadingError, match=r"m-1.parquet: not readable as Parquet"):
        assay.read(str(tmp_path / "m-*.parquet"))
    lists = {"item": ["1", "2"], "rater": ["a", "b"], "label": [["x"], ["y"]]}
    pq.write_table(pa.table(lists), tmp_path / "lists.parquet")
    with pytest.raises(ReadingError, match="its cells are lists"):
        assay.read(tmp_path / "lists.parquet", item="item", rater="rater", label="label", memory=1)
    lines = "".join(f"i{k},a,x\ni{k},b,y\n" for k in range(30_000))
    (tmp_path / "ragged.csv").write_text("item,rater,label\n" + lines + "i9,c\n")
    with pytest.raises(ReadingError, match=r"ragged.csv, line 60002: 2 fields where the header"):
        assay.read(tmp_path / "ragged.csv", memory=1)
    record = '{{"item": "i{}", "rater": "a", "label": "x"}}\n'
    (tmp_path / "bad.jsonl").write_text("".join(record.format(k) for k in range(9000)) + "[1, 2]\n")
    with pytest.raises(ReadingError, match="not readable as JSON lines"):
        assay.read(tmp_path / "bad.jsonl", memory=1)
    nested = '{"item": "1", "rater": "a", "label": {"x": 1}}\n'
    (tmp_path / "nested.jsonl").write_text(record.format(1) * 2000 + nested)
    with pytest.raises(ReadingError, match=r"nested.jsonl: a label is .* a list or a record"):
        assay.read(tmp_path / "nested.jsonl", memory=1)
    (tmp_path / "headless.csv").write_text("".join(f"i{k},a,x\n" for k in range(50_000)))
    with pytest.raises(ReadingError, match=r"headless\.csv: the first line") as found:
        assay.read(tmp_path / "headless.csv", memory=1)
    assert "/head" not in str(found.value).replace("/headless.csv", "")


def test_a_byte_order_mark_is_no_matter(tmp_path):
    path = tmp_path / "mark.csv"
    path.write_text("\ufeffitem,rater,label\n1,a,x\n1,b,y\n")
    one, other = both_ways(path)
    assert multisets(one) == multisets(other)


def test_rows_are_not_made_up(tmp_path):
    """Names of items are not kept, so the long table cannot be given back."""
    path = write(tmp_path / "rows.parquet", [("q1", "a", "x"), ("q1", "b", "y")])
    with pytest.raises(InputError) as found:
        assay.read(path, memory=1).to_rows()
    assert found.value.code == "rows_not_kept"

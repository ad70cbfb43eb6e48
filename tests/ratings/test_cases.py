"""Reported cases that concern tables, read from the shared folder in place."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from assay import read
from assay.errors import DuplicateRatings, LabelError
from ratings.helpers import codes, note, write


def case(shared: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "cases" / "reports" / f"{name}.json").read_text())
    return found


def test_booleans_from_two_sources(shared: Path) -> None:
    got = case(shared, "booleans-from-two-sources")
    raters = got["input"]["raters"]
    apart = read(raters)
    assert {"no_common_label", "mixed_booleans", "mixed_label_types"} <= set(codes(apart))
    together = read(raters, relabel="booleans")
    first, second = together.blocks[0].labels.tolist()
    assert len(together.categories) == 2
    assert sum(a == b for a, b in zip(first, second, strict=True)) == 5
    trap = got["input"]["trap_labels"]
    expected = got["expected"]["distinct_labels_in_trap_list"]["value"]
    assert len(read({"x": trap, "y": trap}).categories) == expected


def test_duplicate_item_rater_rows(shared: Path) -> None:
    got = case(shared, "duplicate-item-rater-rows")
    rows = [tuple(row) for row in got["input"]["rows"]]
    with pytest.raises(DuplicateRatings) as caught:
        read(rows)
    expected = got["expected"]
    assert [list(x) for x in caught.value.conflicting] == expected["conflicting"]
    assert [list(x) for x in caught.value.identical] == expected["identical"]
    assert read(rows, duplicates="first").n_ratings == len(rows) - 3


def test_a_table_read_two_ways(shared: Path, tmp_path: Path) -> None:
    first = case(shared, "fleiss-table-read-two-ways")["input"]["tables"][0]
    counts = read(first, layout="counts")
    assert counts.raters == ()
    assert len(counts.categories) == 3
    raw = read(first)
    assert list(raw.categories) == [1]
    assert "looks_like_counts" in codes(raw)


def test_labels_that_look_missing(shared: Path, tmp_path: Path) -> None:
    got = case(shared, "labels-that-look-missing")
    ratings = read(write(tmp_path, got["input"]["content"]))
    assert list(ratings.categories) == got["expected"]["labels"]
    assert ratings.sizes[2] == got["expected"]["items_used"]
    assert "missing_lookalikes" in codes(ratings)


def test_labels_that_collide_when_hashed(shared: Path) -> None:
    raters = case(shared, "labels-that-collide-when-hashed")["input"]["raters"]
    first, second = read(raters).blocks[0].labels.tolist()
    assert sum(a == b for a, b in zip(first, second, strict=True)) == 5


def test_missing_taken_as_a_label(shared: Path) -> None:
    got = case(shared, "missing-taken-as-a-label")
    ratings = read(got["input"]["ratings"])
    assert list(ratings.categories) == ["x", "z"]
    assert ratings.n_ratings == got["expected"]["pairable_values"]


def test_same_looking_labels(shared: Path) -> None:
    got = case(shared, "same-looking-labels")
    ratings = read(got["input"]["raters"])
    assert len(ratings.categories) == got["expected"]["normalised"]["labels"]
    assert "cells changed" in note(ratings, "labels_merged").message


def test_semicolon_decimal_comma_bom_utf16(shared: Path, tmp_path: Path) -> None:
    got = case(shared, "semicolon-decimal-comma-bom-utf16")
    expected = got["expected"]["scores_items_by_raters"]
    for content in got["input"]["files_base64"].values():
        ratings = read(write(tmp_path, base64.b64decode(content)))
        labels = ratings.blocks[0].labels
        assert [[float(ratings.categories[c]) for c in row] for row in labels.T] == expected
        assert {"format", "decimal_comma"} <= set(codes(ratings))


def test_kappa_pairs_with_missing(shared: Path) -> None:
    got = case(shared, "kappa-pairs-with-missing")
    ratings = read(got["input"]["raters"])
    assert ratings.sizes[2] == got["expected"]["items_used_complete_pairs"]
    assert list(ratings.categories) == ["n", "y"]


def test_weighted_kappa_text_scale(shared: Path) -> None:
    got = case(shared, "weighted-kappa-text-scale")["input"]
    with pytest.raises(LabelError) as caught:
        read(got["raters"], scale="ordinal")
    assert caught.value.code == "no_order"
    ratings = read(got["raters"], scale="ordinal", order=got["label_order"])
    assert list(ratings.categories) == got["label_order"]


def test_real_tables(shared: Path) -> None:
    got = read(shared / "data" / "llmfao" / "llmfao.csv", item="id", rater="worker", label="winner")
    assert (got.n_items, got.n_ratings, got.n_raters) == (2139, 8931, 124)
    rows = shared / "data" / "convabuse" / "convabuse_labels.csv"
    options: dict[str, Any] = {"item": "item", "rater": "annotator_id", "label": "type.sexist"}
    with pytest.raises(DuplicateRatings):
        read(rows, **options)
    kept = read(rows, duplicates="first", **options)
    assert kept.n_items == 4185
    assert "357 rows left out" in note(kept, "duplicates_settled").message

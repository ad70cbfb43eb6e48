"""Repeats: the first answer counts, the others say how far raters agree with themselves."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import ReadingError
from assay.preference.again import marked
from assay.preference.read import read_comparisons

NAMES = ("left", "right", "winner", "item", "rater")


def table(*rows: tuple[Any, ...], names: tuple[str, ...] = NAMES) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]


ROWS = (
    ("x", "y", "left", "1", "ana"),
    ("x", "y", "right", "1", "ana"),  # again
    ("y", "x", "left", "1", "ana"),  # the other way round
    ("x", "y", "right", "1", "bo"),
    ("x", "y", "left", "2", "ana"),
)


def test_the_first_answer_counts() -> None:
    report = assay.prefer(table(*ROWS), bootstrap=None)
    document = report.summary
    assert document["source"]["comparisons"] == 4
    assert document["source"]["repeats"] == 1
    (pair,) = document["pairs"]
    assert {pair["systems"][0]: pair["wins"], pair["systems"][1]: pair["losses"]} == {
        "x": 2, "y": 2,
    }  # fmt: skip
    # What is asked in both orders counts both times, and so do raters with themselves.
    assert document["position_bias"]["both_orders"]["questions"] == 1
    assert document["intra_rater"]["questions"] == 1
    assert "a rater's repeats: 1" in report.to_text()
    assert "the first answer counts" in report.methods()


def test_what_a_column_calls_a_repeat_is_one_in_either_order() -> None:
    names = (*NAMES, "repeat")
    rows = table(*((*row, int(k in (1, 2))) for k, row in enumerate(ROWS)), names=names)
    document = assay.prefer(rows, bootstrap=None).summary
    assert document["source"]["repeats"] == 2
    # A repeat whose first answer is not there is the first.
    document = assay.prefer(rows[1:2] + rows[3:], bootstrap=None).summary
    assert document["source"]["repeats"] == 0
    # The first answer counts wherever it stands in the file.
    made = read_comparisons(rows[::-1])
    assert made.repeats is not None
    assert made.repeats.tolist() == [False, False, True, True, False]


def test_without_an_item_or_a_rater_rows_are_data() -> None:
    for gone in ("item", "rater"):
        rows = [{k: v for k, v in row.items() if k != gone} for row in table(*ROWS)]
        document = assay.prefer(rows, bootstrap=None).summary
        assert document["source"]["comparisons"] == len(ROWS)
        assert document["source"]["repeats"] == 0


def test_another_dimension_is_another_question() -> None:
    rows = [row | {"dimension": d} for d in ("fluency", "facts") for row in table(*ROWS)]
    assert assay.prefer(rows, bootstrap=None).summary["source"]["repeats"] == 2
    grouped = assay.prefer(rows, by="dimension", bootstrap=None)
    assert [g["source"]["repeats"] for g in grouped.summary["groups"]] == [1, 1]
    assert "repeats: 2" not in grouped.to_text()
    # Nothing tells these apart, so many repeats are looked at.
    unknown = [{"aim" if k == "dimension" else k: v for k, v in row.items()} for row in rows]
    warned = assay.prefer(unknown, bootstrap=None).summary["warnings"]
    assert any(w["code"] == "repeats" and "--by" in w["message"] for w in warned)


def test_the_note_of_a_group_is_of_the_group() -> None:
    same = {"left": "x", "right": "x", "winner": "left", "item": "9", "rater": "ana"}
    rows = [row | {"dimension": "a"} for row in [*table(*ROWS), *table(ROWS[0]), same]]
    rows += [row | {"dimension": "b"} for row in table(*ROWS[2:])]
    grouped = assay.prefer(rows, by="dimension", bootstrap=None).summary

    def said(part: Any, code: str) -> list[str]:
        return [n["message"] for n in part["source"]["notes"] if n["code"] == code]

    for part, many in zip(grouped["groups"], (2, 0), strict=True):
        assert part["source"]["repeats"] == many
        expected = [f"a rater's repeats: {many};"] * (many > 0)
        assert [text[: len(expected[0])] for text in said(part, "repeats")] == expected
        (left_out,) = said(part, "system_with_itself")
        assert left_out.endswith("compared with itself: 1 in all groups")
    assert not said(grouped, "system_with_itself")[0].endswith("groups")


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz"), st.sampled_from("12"),
                          st.sampled_from("ab")), min_size=1, max_size=20))  # fmt: skip
def test_repeats_are_those_of_a_plain_loop(asked: list[tuple[str, str, str, str]]) -> None:
    asked = [(a, b, i, r) for a, b, i, r in asked if a != b]
    if not asked:
        return
    made = read_comparisons(table(*((a, b, "left", i, r) for a, b, i, r in asked)))
    seen: set[tuple[str, ...]] = set()
    expected = []
    for one in asked:
        expected.append(one in seen)
        seen.add(one)
    assert made.repeats is not None
    assert made.repeats.tolist() == expected
    assert made.firsts().n == len(seen)


def test_what_marks_a_repeat() -> None:
    def found(*cells: str) -> list[bool]:
        names = list(dict.fromkeys(filter(None, cells)))
        codes = np.array([names.index(c) if c else -1 for c in cells])
        return marked(names, codes, "x.csv").tolist()

    assert found("no", "yes", "") == [False, True, False]
    assert found("False", "TRUE") == [False, True]
    assert found("1", "2", "1", "3") == [False, True, False, True]
    assert found("1", "", "1") == [True, False, True]
    with pytest.raises(ReadingError, match="'often' does not say"):
        found("often")


def test_raw_has_every_comparison_in_order() -> None:
    report = assay.prefer(table(*ROWS), bootstrap=None)
    raw = list(csv.DictReader(io.StringIO(report.to_raw())))
    assert [tuple(row[name] for name in NAMES) for row in raw] == list(ROWS)
    assert [row["use"] for row in raw] == ["yes", "repeat", "yes", "yes", "yes"]
    again = assay.prefer(raw, bootstrap=None).summary
    assert again["strengths"] == report.summary["strengths"]

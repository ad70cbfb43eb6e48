"""Tags split into prefix and type, schemes found, and what cannot be read or written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.errors import InputError, UsageError
from assay.report.spans.report import score_spans
from assay.spans.corpus import SpanSet, TagRows, Text
from assay.spans.decode import decode, detect_scheme, parse_tags, split_tag
from assay.spans.encode import encode


def test_no_rows_and_empty_rows():
    for n in range(3):
        found = decode(TagRows.of([[]] * n))
        assert (len(found.spans), found.n_illegal, found.dropped, found.places) == (0, 0, 0, [])


@pytest.mark.parametrize(
    ("tag", "parts"),
    [
        ("O", ("O", "")),
        ("B", ("B", "")),
        ("B-from-date", ("B", "from-date")),
        ("B_from-date", ("B", "from-date")),
        ("I-a_b", ("I", "a_b")),
        ("L-X", ("E", "X")),
        ("U-X", ("S", "X")),
        ("W-X", ("S", "X")),
        ("M-X", ("I", "X")),
        ("B-", ("B", "")),
        ("b-PER", None),
        ("TEAM", None),
        ("", None),
        ("O-PER", None),
        ("PER-B", None),
    ],
)
def test_tags_are_split_at_the_first_mark(tag, parts):
    assert split_tag(tag) == parts


def test_suffix_tags():
    rows = TagRows.of([["from-date-B", "from-date-I", "O", "B", "PER_L"]])
    _, _, types = parse_tags(rows, suffix=True)
    assert types == ("", "PER", "from-date")
    assert decode(rows, scheme="BIOES", suffix=True).spans.to_list() == [
        (0, 0, 2, "from-date"),
        (0, 3, 4, ""),
        (0, 4, 5, "PER"),
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["O"], ["O", "TEAM"]], r"sentence 2, token 2: the tag 'TEAM' has no known prefix \(1 "),
        ([["PER-B"]], "If the prefix comes last"),
        ([["b-per"]], "Prefixes are capital letters"),
        ([["OUTLET", "OUTLET"]], r"token 1: .* \(2 such tags\)"),
    ],
)
def test_unknown_tags_are_named(rows, said):
    with pytest.raises(InputError, match=said) as caught:
        decode(TagRows.of(rows))
    assert caught.value.code == "unknown_tag"


def test_a_tag_of_another_scheme_is_named():
    with pytest.raises(InputError, match="token 2: the tag 'E-A' is not of the scheme BIO") as got:
        decode(TagRows.of([["B-A", "E-A"]]))
    assert got.value.code == "wrong_scheme"
    with pytest.raises(UsageError, match="did you mean 'BIOES'"):
        decode(TagRows.of([["O"]]), scheme="BIOESS")
    with pytest.raises(UsageError, match="illegal: 'strict'"):
        decode(TagRows.of([["O"]]), illegal="strict")


@pytest.mark.parametrize(
    ("gold", "pred", "scheme"),
    [
        ("B-A I-A O", "I-A I-A O", "BIO"),
        ("O O", "I-A O", "BIO"),
        ("I-A I-A O", "I-A I-A O", "BIO"),
        ("I-A B-A O", "I-A I-A O", "IOB1"),
        ("I-A B-B O", "I-A I-A O", "BIO"),
        ("I-A E-A I-A", "I-A I-A O", "IOE1"),
        ("I-A E-A E-B", "I-A I-A O", "IOE2"),
        # A side that is as legal under BIO decides for it, and one without spans for nothing.
        ("I-A I-A O", "O B-A O", "BIO"),
        ("I-A B-A O", "O O O", "IOB1"),
        ("B-A I-A O", "B-A E-A O", "BIOES"),
        ("S-A O", "O O", "BIOES"),
        ("B-A L-A U-A", "O O O", "BILOU"),
        ("O O O", "B-A L-A O", "BILOU"),
        ("B-A M-A E-A", "O O S-A", "BMES"),
        ("O", "O", "BIO"),
    ],
)
def test_the_scheme_is_found_from_both_sides(gold, pred, scheme):
    sides = [TagRows.of([row.split()]) for row in (gold, pred)]
    assert detect_scheme(*sides) == detect_scheme(*sides[::-1]) == scheme


def test_other_names_of_schemes():
    rows = TagRows.of([["B-A", "E-A"]])
    assert decode(rows, scheme="iobes").scheme == "BIOES"
    assert decode(TagRows.of([["B-A"]]), scheme="IOB2").scheme == "BIO"


def test_spans_that_one_row_cannot_hold():
    text = Text(np.array([5]))
    for spans in ([(0, 0, 3, "A"), (0, 2, 4, "A")], [(0, ((0, 1), (3, 4)), "A")]):
        with pytest.raises(InputError, match="overlapping or split"):
            encode(SpanSet.of(spans), text)


def test_tokens_and_tags_that_do_not_fit():
    with pytest.raises(InputError, match="1 sentences of tags for 2 of tokens"):
        TagRows.of([["O"]], tokens=[["a"], ["b"]])
    with pytest.raises(InputError, match="sentence 1 has 1 tags for 2 tokens"):
        TagRows.of([["O"]], tokens=[["a", "b"]])
    with pytest.raises(InputError, match="sentence 2: None is not a text"):
        TagRows.of([["O"], [None]])  # type: ignore[list-item]
    with pytest.raises(InputError, match="a list of sentences is needed"):
        TagRows.of(["B-A", "O"])


def codes(gold: str, pred: str, **choices: Any) -> list[str]:
    found = score_spans([gold.split()], [pred.split()], bootstrap=0, **choices).to_dict()
    return [warning["code"] for warning in found["warnings"]]


@pytest.mark.parametrize(
    ("gold", "pred", "differ"),
    [
        ("B-A I-A O", "B-A E-A O", True),
        ("B-A L-A U-A", "B-A E-A S-A", True),
        ("B-A I-A O", "I-A E-A O", True),
        ("B-A I-A O", "I-A B-A O", True),
        ("B-A I-A O", "I-A I-A O", False),
        ("B-A I-A O", "O O O", False),
        ("I-A B-A O", "I-A I-A O", False),
        ("I-A E-A O", "I-A I-A E-A", False),
        ("B-A M-A E-A", "B-A E-A S-A", False),
        ("B-A M-A E-A", "B-A E-A W-A", False),
        ("B-A I-A E-A", "O S-A O", False),
        ("B-A I-A L-A", "B-A L-A U-A", False),
    ],
)
def test_schemes_that_differ_are_said(gold, pred, differ):
    for one, two in ((gold, pred), (pred, gold)):
        assert codes(one, two) == ["schemes_differ"] * differ


def test_what_is_said_of_schemes_and_marks():
    gold, pred = [["B-A", "I-A", "O"]], [["B_A", "E_A", "O"]]
    found = score_spans(gold, pred, bootstrap=0).to_dict()
    said = {warning["code"]: warning["message"] for warning in found["warnings"]}
    assert said["schemes_differ"].startswith("gold looks like BIO, and prediction ")
    assert " like BIOES; both are read as BIOES." in said["schemes_differ"]
    assert "as in B-A of gold and B_A of" in said["tags_written_differently"]
    assert found["token_accuracy"] < found["matches"][0]["f1"] == 1.0


@pytest.mark.parametrize(
    ("gold", "pred", "suffix", "differ"),
    [
        ("B-A O", "B_A O", False, True),
        ("B-A B-C", "B-A B_C", False, True),
        ("B-a_b O", "B-a-b O", False, False),
        ("B O", "B-A O", False, False),
        ("a_b-B O", "A_B O", True, True),
        ("a_b-B O", "A-B O", True, False),
    ],
)
def test_marks_that_differ_are_said(gold, pred, suffix, differ):
    assert codes(gold, pred, suffix=suffix) == ["tags_written_differently"] * differ


def test_tags_that_a_part_does_not_have():
    rows = TagRows(np.array([1]), ("TEAM", "B-A", "E-A"), Text(np.array([1])))
    assert decode(rows).spans.to_list() == [(0, 0, 1, "A")]
    assert detect_scheme(rows) == "BIO"

"""Addresses of pairs and sentences, and where the reports show them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import assay
from assay.report.addresses import (
    LOCAL,
    bio_address,
    in_use,
    kappa_address,
    kappa_or_why,
)
from assay.report.lab_lines import in_the_lab, opened_at
from assay.report.lab_sentences import Costs, Tagged, worst
from assay.report.render import render
from assay.spans.corpus import TagRows
from assay.spans.decode import decode
from assay.spans.score import Scores
from strategies import tables, tag_rows

EXAMPLES = Path(assay.__file__).parent / "examples"
KAPPA = "/lab/kappa?t=3,47;53,897&labels=violation,safe"


def said(address):
    """The parameters of an address, as a server reads them."""
    return {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}


def test_the_address_of_a_table():
    table = [[3, 47], [53, 897]]
    assert kappa_address(table, ["violation", "safe"]) == KAPPA
    assert kappa_address(table, ["violation", "safe"], ["mai", "bo"]) == KAPPA + "&raters=mai,bo"
    # Names that the page gives by itself are not repeated.
    assert kappa_address(table, ["1", "2"], ["A", "B"]) == "/lab/kappa?t=3,47;53,897"


def test_labels_that_neither_rater_used_are_left_out():
    table = [[0, 0, 0, 0], [0, 5, 0, 1], [0, 0, 0, 0], [0, 0, 0, 2]]
    assert in_use(table, list("abcd")) == ([[5, 1], [0, 2]], ["b", "d"])
    # Used by the second rater alone is used.
    assert in_use([[4, 1, 0], [0, 0, 0], [0, 0, 0]], list("abc"))[1] == ["a", "b"]
    assert in_use([[0, 0, 0], [0, 0, 0], [0, 0, 7]], list("abc")) == ([[0, 0], [0, 7]], ["a", "c"])
    assert in_use([[0, 0], [0, 0]], list("ab")) == ([[0, 0], [0, 0]], ["a", "b"])


@pytest.mark.parametrize(
    ("table", "labels", "raters", "why"),
    [
        ([[3]], ["a"], "AB", "few_labels"),
        (np.eye(9, dtype=int).tolist(), "abcdefghi", "AB", "many_labels"),
        ([[1, Fraction(1, 2)], [0, 1]], "ab", "AB", "fractions"),
        ([[1, 1_000_000_000], [0, 1]], "ab", "AB", "large_cells"),
        ([[1, 2], [3, 4]], ["a", "b" * 41], "AB", "names"),
        ([[1, 2], [3, 4]], ["a", ""], "AB", "names"),
        ([[1, 2], [3, 4]], "ab", ["A", "line\nbreak"], "names"),
        ([[1, 2], [3, 4]], ["a", "\ud800"], "AB", "names"),
    ],
)
def test_what_the_kappa_lab_cannot_hold_has_no_address(table, labels, raters, why):
    assert kappa_or_why(table, list(labels), list(raters)) == (None, why)
    assert kappa_address(table, list(labels), list(raters)) is None


def test_eight_labels_and_the_largest_cell_fit():
    table = np.full((8, 8), 999_999_999).tolist()
    labels = ["名" * 40, *"abcdefg"]
    address = kappa_address(table, labels, ["ř" * 40, "B"])
    assert address is not None
    assert said(address)["labels"].split(",")[0] == "名" * 40


def test_commas_and_signs_in_names_survive():
    names = ["a, b", "50 % & more", "c+d;e"]
    address = kappa_address(np.eye(3, dtype=int).tolist(), names)
    assert address is not None
    assert said(address)["labels"] == "a%2C b,50 %25 & more,c+d;e"


def test_the_address_of_a_sentence():
    tokens = ["Ở", "Đà", "Nẵng", "+", "100%"]
    address = bio_address(tokens, ["O", "B-LOC", "I-LOC", "O", "O"], ["O"] * 5, "discard", "IOB1")
    assert address is not None
    assert address.isascii()
    assert said(address) == {
        "tokens": "Ở Đà Nẵng + 100%",
        "gold": "O B-LOC I-LOC O O",
        "pred": "O O O O O",
        "illegal": "discard",
        "scheme": "IOB1",
    }


@pytest.mark.parametrize(
    ("tokens", "tags", "illegal"),
    [
        ([], [], "open"),
        (["a", "b"], ["O"], "open"),
        (["a"] * 41, ["O"] * 41, "open"),
        (["a b"], ["O"], "open"),
        (["a\u00a0b"], ["O"], "open"),
        ([""], ["O"], "open"),
        (["x" * 61], ["O"], "open"),
        (["\ud800"], ["O"], "open"),
        (["a"], ["B-a b"], "open"),
        (["a"], ["O"], "last-type"),
        (["名" * 60] * 40, ["B-" + "名" * 58] * 40, "open"),
    ],
)
def test_what_the_bio_lab_cannot_hold_has_no_address(tokens, tags, illegal):
    assert bio_address(tokens, tags, tags, illegal) is None


def test_words_with_joiners_fit():
    assert bio_address(["می\u200cخواهم"], ["O"], ["O"]) is not None


@given(tables(size=(2, 5)))
def test_the_pair_of_a_report_is_the_table_that_was_given(table):
    labels = [f"label {k}" for k in range(len(table))]
    (pair,) = assay.agree(assay.Table(table, labels=labels)).to_dict()["pairs"]
    assert pair["lab"] == kappa_address(table, labels)


def test_pairs_of_a_report():
    found = assay.agree(EXAMPLES / "answers.csv").to_dict()["pairs"]
    assert [pair["lab"] for pair in found] == [
        kappa_address(pair["confusion"]["counts"], pair["confusion"]["labels"], pair["raters"])
        for pair in found
    ]
    assert all(pair["lab"] for pair in found)


def test_a_pair_with_many_labels_or_parts_of_items_has_no_address():
    wide = {"a": [f"l{i}" for i in range(9)], "b": ["l0"] * 9}
    assert assay.agree(wide).to_dict()["pairs"][0]["lab"] is None
    wide["a"][8] = "l0"
    assert assay.agree(wide).to_dict()["pairs"][0]["lab"] is not None
    parts = assay.Table([["1.5", "2"], ["3", "4"]], labels=["x", "y"])
    assert assay.agree(parts).to_dict()["pairs"][0]["lab"] is None
    whole = assay.Table([["1.0", "2"], ["3", "4.0"]], labels=["x", "y"])
    assert assay.agree(whole).to_dict()["pairs"][0]["lab"] == "/lab/kappa?t=1,2;3,4&labels=x,y"


def test_a_pair_of_one_label_keeps_a_second():
    table = assay.Table([[0, 0, 0], [0, 120, 0], [0, 0, 0]], labels=["x", "y", "z"])
    pair = assay.agree(table).to_dict()["pairs"][0]
    assert pair["lab"] == "/lab/kappa?t=0,0;0,120&labels=x,y"


URL = re.compile(rf"{re.escape(LOCAL)}\S+")


def test_the_terminal_names_the_address_of_two_raters_once():
    summary = assay.agree(assay.Table([[3, 47], [53, 897]], labels=["violation", "safe"])).to_dict()
    for width in (100, 60, 30):
        text = render(summary, width=width)
        assert URL.findall(text) == [LOCAL + KAPPA]
    line = next(line for line in render(summary, width=60).split("\n") if LOCAL in line)
    assert line == f"  In the lab (start `assay serve`): {LOCAL}{KAPPA}"
    assert "assay serve" not in render(summary | {"pairs": [summary["pairs"][0] | {"lab": None}]})


def test_of_several_pairs_the_terminal_names_the_lowest_and_in_full_each():
    summary = assay.agree(EXAMPLES / "answers.csv").to_dict()
    by_kappa = sorted(summary["pairs"], key=lambda pair: pair["cohen_kappa"])
    addresses = [LOCAL + pair["lab"] for pair in by_kappa]
    assert URL.findall(render(summary, width=88)) == addresses[:1]
    assert URL.findall(render(summary, width=88, full=True)) == addresses
    assert "jonas – priya in the lab" in render(summary, width=88)


def test_colour_of_the_line_is_dim():
    summary = assay.agree({"a": list("xxyy"), "b": list("xyyy")}).to_dict()
    line = next(row for row in render(summary, color=True).split("\n") if LOCAL in row)
    assert line.startswith("\x1b[2m")


@given(st.text("abc –", min_size=0, max_size=80), st.integers(24, 100))
def test_an_address_is_never_broken(name, width):
    path = "/lab/bio?tokens=" + "+".join(["word"] * 40)
    for lines in (in_the_lab(name, path, width), opened_at([(name, path)], width)):
        plain = [line.plain for line in lines]
        assert sum(line.endswith(LOCAL + path) for line in plain) == 1
        words = [line.replace(LOCAL + path, "") for line in plain]
        assert all(cell_len(line) <= width + 1 for line in words)
        assert all(line.style == "dim" for line in lines)
    assert in_the_lab(name, None, width) == opened_at([(name, None)], width) == []


def scored(gold, pred, tokens=None):
    """The scores of tag rows, and what the lab is told of them."""
    g, p = (TagRows.of(side, tokens=tokens) for side in (gold, pred))
    scores = Scores.of(decode(g).spans, decode(p).spans, len(gold))
    return scores, Tagged(g.text, g, p, "BIO")


def words(rows):
    return [[f"w{i}" for i in range(len(row))] for row in rows]


def test_sentences_come_by_errors_then_wrong_tokens_then_order():
    gold = [
        ["B-A", "O", "O"],  # right
        ["B-A", "O", "O"],  # one missed: 1 error, 1 token
        ["B-A", "I-A", "O"],  # one missed: 1 error, 2 tokens
        ["B-A", "O", "O"],  # as the second
        ["B-A", "I-A", "O"],  # one cut short: 2 errors, 1 token
    ]
    pred = [["B-A", "O", "O"], ["O"] * 3, ["O"] * 3, ["O"] * 3, ["B-A", "O", "O"]]
    found = worst(*scored(gold, pred, words(gold)))
    assert [one["number"] for one in found] == [5, 3, 2, 4]
    assert [one["errors"] for one in found] == [2, 1, 1, 1]
    assert [one["wrong_tokens"] for one in found] == [1, 2, 1, 1]
    assert found[0]["address"] == bio_address(["w0", "w1", "w2"], gold[4], pred[4])


@given(tag_rows(sides=2))
def test_costs_are_those_of_each_sentence_alone(sides):
    gold, pred = sides
    scores, tagged = scored(gold, pred)
    costs = Costs.of(scores, tagged.gold, tagged.pred)
    for k, (g, p) in enumerate(zip(gold, pred, strict=True)):
        exact = assay.score_spans([g], [p], scheme="BIO", bootstrap=0).figure("exact")
        assert costs.errors[k] == exact["fp"] + exact["fn"]
        assert costs.wrong_tokens[k] == sum(a != b for a, b in zip(g, p, strict=True))
    assert sorted(costs.order().tolist()) == list(range(len(gold)))


def test_long_sentences_and_those_without_words_have_no_address():
    gold, pred = [["B-A"] * 41, ["B-A"] * 40], [["O"] * 41, ["O"] * 40]
    assert [one["number"] for one in worst(*scored(gold, pred, words(gold)))] == [2]
    assert worst(*scored(gold, pred)) == []
    assert assay.score_spans(gold, pred, bootstrap=0).to_dict()["lab"] == []


def test_the_next_sentence_takes_the_place_of_one_that_does_not_fit():
    gold, pred = [["B-A", "B-A"], ["B-A", "O"]], [["O", "O"], ["O", "O"]]
    found = worst(*scored(gold, pred, [["two words", "x"], ["y", "z"]]))
    assert [one["number"] for one in found] == [2]


def test_tags_reach_the_lab_as_it_writes_them(tmp_path):
    files = []
    for name, tags in (("gold", "PER_B PER_M PER_E O"), ("pred", "PER_B PER_E PER_W O")):
        file = tmp_path / f"{name}.conll"
        file.write_text("".join(f"w{i}\t{t}\n" for i, t in enumerate(tags.split())) + "\n")
        files.append(file)
    (found,) = assay.score_spans(*files, suffix=True, bootstrap=0).to_dict()["lab"]
    assert said(found["address"]) == {
        "tokens": "w0 w1 w2 w3",
        "gold": "B-PER M-PER E-PER O",
        "pred": "B-PER E-PER S-PER O",
        "illegal": "open",
        "scheme": "BMES",
    }


def test_the_report_of_spans_names_the_worst_sentence():
    files = [EXAMPLES / "gold.conll", EXAMPLES / "tagger_a.conll"]
    summary = assay.score_spans(*files, bootstrap=0, illegal="discard").to_dict()
    first = summary["errors"]["sentences"][0]
    assert summary["lab"][0]["errors"] == first["cost"]
    assert all("illegal=discard" in one["address"] for one in summary["lab"])
    addresses = [LOCAL + one["address"] for one in summary["lab"]]
    assert len(addresses) == 10
    assert URL.findall(render(summary, width=88)) == addresses[:1]
    assert URL.findall(render(summary, width=88, full=True)) == addresses[:5]
    streamed = assay.stream_spans(*files, bootstrap=0).to_dict()
    assert streamed["lab"] == []
    assert LOCAL not in render(streamed)


def test_a_convention_that_the_lab_does_not_have_gives_no_address():
    files = [EXAMPLES / "gold.conll", EXAMPLES / "tagger_a.conll"]
    assert assay.score_spans(*files, bootstrap=0, illegal="last-type").to_dict()["lab"] == []

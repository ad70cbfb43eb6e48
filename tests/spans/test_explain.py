"""The steps of reading a row agree with the reading itself, whatever the scheme."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from assay.spans.decode import decode
from assay.spans.explain import ACTIONS, RULES, steps
from assay.spans.schemes import ILLEGAL, SCHEMES


def actions(tags: str, **how: Any) -> list[tuple[str, str]]:
    return [(step.action, step.rule) for step in steps(tags.split(), **how)]


def test_an_illegal_i_opens_or_is_dropped():
    row = "O I-PER I-PER O"
    assert actions(row) == [
        ("outside", "outside"),
        ("opens", "after_outside"),
        ("continues", "goes_on"),
        ("outside", "outside"),
        ("end", "end"),
    ]
    strict = steps(row.split(), illegal="discard")
    assert [step.action for step in strict[1:3]] == ["dropped", "dropped"]
    assert [step.dropped_for for step in strict] == ["", "opening", "opening", "", ""]
    assert [step.legal for step in strict] == [True, False, True, True, True]


def test_what_a_tag_closes():
    found = steps(["B-PER", "I-PER", "B-PER", "O", "I-LOC"])
    assert [step.closes for step in found] == [
        None, None, (0, 2, "PER"), (2, 3, "PER"), None, (4, 5, "LOC"),
    ]  # fmt: skip


def test_the_rules_by_name():
    assert actions("I-PER I-ORG")[:2] == [("opens", "at_start"), ("opens", "other_type")]
    assert actions("S-PER E-PER", scheme="BIOES")[1] == ("opens", "after_end")


def test_an_illegal_end_is_the_closings_fault():
    found = steps(["B-PER", "I-PER", "O", "B-LOC"], scheme="BIOES", illegal="discard")
    assert [step.dropped_for for step in found] == ["closing", "closing", "", "closing", ""]
    assert [step.legal for step in found] == [True, True, False, True, False]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("illegal", ILLEGAL)
def test_every_row_of_four(scheme, illegal):
    letters = [letter for prefix, letter in SCHEMES[scheme].letters.items() if prefix != "O"]
    tags = ("O", *(f"{letter}-{kind}" for letter in letters for kind in "xy"))
    rows = [list(row) for row in itertools.product(tags, repeat=4 if len(tags) < 7 else 3)]
    read = decode(rows, scheme=scheme, illegal=illegal)
    spans: list[list[Any]] = [[] for _ in rows]
    for sentence, *span in read.spans.to_list():
        spans[sentence].append(tuple(span))
    bad = {(place.sentence, place.position) for place in read.places}
    lost = 0
    for k, row in enumerate(rows):
        found = steps(row, scheme=scheme, illegal=illegal)
        assert len(found) == len(row) + 1
        assert {step.action for step in found} <= set(ACTIONS)
        assert {step.rule for step in found} <= set(RULES)
        mine = spans[k]
        assert list(dict.fromkeys(s.span for s in found if s.span)) == mine
        assert [s.closes for s in found if s.closes] == mine
        assert [i for i, s in enumerate(found) if s.action == "opens"] == [a for a, _, _ in mine]
        assert {i for i, s in enumerate(found) if not s.legal} == {i for j, i in bad if j == k}
        for step in found:
            assert (step.action == "dropped") == bool(step.dropped_for)
        lost += sum(step.action == "dropped" for step in found)
    if illegal == "discard":
        assert lost == read.dropped
    else:
        assert lost == 0

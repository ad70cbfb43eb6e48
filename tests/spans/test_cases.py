"""Small cases with what each scorer gives, and the presets of the sentence of 17 tokens."""

from __future__ import annotations

from typing import Any

import pytest

from assay.spans.corpus import TagRows
from assay.spans.decode import decode, detect_scheme
from assay.spans.figures import Convention
from assay.spans.parity import parity_of
from assay.spans.score import Scores, mode_figures

# A case has three lines: its name, gold > prediction ("A" is the sentence of 17 tokens, and a
# prediction for it lists the tokens that differ). Then right tokens and illegal transitions of
# both sides | TP/FP/FN of exact and partial matching under "open", the same under "discard" |
# F1 of seqeval's default and strict mode, and TP/FP/FN of conlleval. Then nervaluate's correct,
# incorrect, partial, missed, spurious under strict, exact, partial, ent_type | and their F1.
# Measured with seqeval 1.2.2, nervaluate 1.2.1 and conlleval.pl.
CASES = """
A0: A > =
    17/17 0/0 | 3/0/0 3/0/0 3/0/0 3/0/0 | 100.0 100.0 3/0/0
    30000 30000 30000 30000 | 100.0 100.0 100.0 100.0
A1: A > 11:B-LOC
    16/17 0/0 | 2/2/1 3/1/0 2/2/1 3/1/0 | 57.1 57.1 2/2/1
    21001 21001 20101 30001 | 57.1 57.1 71.4 85.7
A2: A > 6:O 7:O 8:O 9:O 10:O 11:O
    11/17 0/0 | 2/0/1 2/0/1 2/0/1 2/0/1 | 80.0 80.0 2/0/1
    20010 20010 20010 20010 | 80.0 80.0 80.0 80.0
A3: A > 6:B-LOC 7:I-LOC 8:I-LOC 9:I-LOC 10:I-LOC 11:I-LOC
    11/17 0/0 | 2/1/1 2/1/1 2/1/1 2/1/1 | 66.7 66.7 2/1/1
    21000 30000 30000 21000 | 66.7 100.0 100.0 66.7
A4: A > 9:B-LOC
    16/17 0/1 | 2/3/1 3/2/0 2/2/1 3/1/0 | 50.0 57.1 2/3/1
    21002 21002 20102 30002 | 50.0 50.0 62.5 75.0
A5: A > 6:I-ORG
    16/17 0/1 | 3/0/0 3/0/0 2/0/1 2/0/1 | 100.0 80.0 3/0/0
    30000 30000 30000 30000 | 100.0 100.0 100.0 100.0
A6: A > 9:O
    16/17 0/1 | 2/2/1 3/1/0 2/1/1 3/0/0 | 57.1 66.7 2/2/1
    21001 21001 20101 30001 | 57.1 57.1 71.4 85.7
A8: A > 9:B-ORG
    16/17 0/0 | 2/2/1 3/1/0 2/2/1 3/1/0 | 57.1 57.1 2/2/1
    21001 21001 20101 30001 | 57.1 57.1 71.4 85.7
S1: B-PER I-PER O > I-PER I-PER O
    2/3 0/1 | 1/0/0 1/0/0 0/0/1 0/0/1 | 100.0 0.0 1/0/0
    10000 10000 10000 10000 | 100.0 100.0 100.0 100.0
S2: O B-PER > O I-PER
    1/2 0/1 | 1/0/0 1/0/0 0/0/1 0/0/1 | 100.0 0.0 1/0/0
    10000 10000 10000 10000 | 100.0 100.0 100.0 100.0
S3: B-PER I-PER > B-PER I-ORG
    1/2 0/1 | 0/2/1 1/1/0 0/1/1 1/0/0 | 0.0 0.0 0/2/1
    01001 01001 00101 10001 | 0.0 0.0 33.3 66.7
S4: B-PER O > B-PER I-ORG
    1/2 0/1 | 1/1/0 1/1/0 1/0/0 1/0/0 | 66.7 100.0 1/1/0
    10001 10001 10001 10001 | 66.7 66.7 66.7 66.7
S6: B-PER O O > B-PER I-ORG I-PER
    1/3 0/2 | 1/2/0 1/2/0 1/0/0 1/0/0 | 50.0 100.0 1/2/0
    10002 10002 10002 10002 | 50.0 50.0 50.0 50.0
S7: O B-PER B-PER > O I-PER B-PER
    2/3 0/1 | 2/0/0 2/0/0 1/0/1 1/0/1 | 100.0 66.7 2/0/0
    20000 20000 20000 20000 | 100.0 100.0 100.0 100.0
S8: O O B-PER > O I-PER B-PER
    2/3 0/1 | 1/1/0 1/1/0 1/0/0 1/0/0 | 66.7 100.0 1/1/0
    10001 10001 10001 10001 | 66.7 66.7 66.7 66.7
S9: O O O > O O O
    3/3 0/0 | 0/0/0 0/0/0 0/0/0 0/0/0 | 0.0 0.0 0/0/0
    00000 00000 00000 00000 | 0.0 0.0 0.0 0.0
S10: O O O > B-PER O O
    2/3 0/0 | 0/1/0 0/1/0 0/1/0 0/1/0 | 0.0 0.0 0/1/0
    00001 00001 00001 00001 | 0.0 0.0 0.0 0.0
S11: B-PER O O > O O O
    2/3 0/0 | 0/0/1 0/0/1 0/0/1 0/0/1 | 0.0 0.0 0/0/1
    00010 00010 00010 00010 | 0.0 0.0 0.0 0.0
S12: O O O > O I-PER O
    2/3 0/1 | 0/1/0 0/1/0 0/0/0 0/0/0 | 0.0 0.0 0/1/0
    00001 00001 00001 00001 | 0.0 0.0 0.0 0.0
S13: I-PER I-PER O > I-PER I-PER O
    3/3 1/1 | 1/0/0 1/0/0 0/0/0 0/0/0 | 100.0 0.0 1/0/0
    10000 10000 10000 10000 | 100.0 100.0 100.0 100.0
S14: B-PER I-PER > B-PER B-PER
    1/2 0/0 | 0/2/1 1/1/0 0/2/1 1/1/0 | 0.0 0.0 0/2/1
    01001 01001 00101 10001 | 0.0 0.0 33.3 66.7
S18: B-ORG I-ORG I-ORG > B-ORG B-ORG I-ORG
    2/3 0/0 | 0/2/1 1/1/0 0/2/1 1/1/0 | 0.0 0.0 0/2/1
    01001 01001 00101 10001 | 0.0 0.0 33.3 66.7
S19: B-A I-A I-A I-A B-A I-A I-A I-A I-A I-A > O O B-A I-A I-A I-A I-A I-A B-A I-A
    5/10 0/0 | 0/2/2 1/1/1 0/2/2 1/1/1 | 0.0 0.0 0/2/2
    02000 02000 00200 10011 | 0.0 0.0 50.0 50.0
S20: B-PER B-ORG > B-ORG B-PER
    0/2 0/0 | 0/2/2 0/2/2 0/2/2 0/2/2 | 0.0 0.0 0/2/2
    02000 20000 20000 02000 | 0.0 100.0 100.0 0.0
S21: B-PER I-PER O > O B-PER I-PER
    0/3 0/0 | 0/1/1 1/0/0 0/1/1 1/0/0 | 0.0 0.0 0/1/1
    01000 01000 00100 10000 | 0.0 0.0 50.0 100.0
S23: B-X-Y I-X-Y O > B-X-Y I-X-Y O
    3/3 0/0 | 1/0/0 1/0/0 1/0/0 1/0/0 | 100.0 100.0 1/0/0
    10000 10000 10000 10000 | 100.0 100.0 100.0 100.0
S24: B-X-Y O > B-Z-Y O
    1/2 0/0 | 0/1/1 0/1/1 0/1/1 0/1/1 | 0.0 0.0 0/1/1
    01000 10000 10000 01000 | 0.0 100.0 100.0 0.0
S25: B I O > B I O
    3/3 0/0 | 1/0/0 1/0/0 1/0/0 1/0/0 | 100.0 100.0 1/0/0
    stops
S26: B-PER L-PER U-ORG > B-PER L-PER U-ORG
    3/3 0/0 | 2/0/0 2/0/0 2/0/0 2/0/0 | 100.0 100.0 2/0/0
    stops
S27: B-PER E-PER S-ORG > B-PER E-PER S-ORG
    3/3 0/0 | 2/0/0 2/0/0 2/0/0 2/0/0 | 100.0 100.0 2/0/0
    stops
S28: B-PER E-PER B-PER E-PER > B-PER I-PER I-PER E-PER
    2/4 0/0 | 0/1/2 1/0/1 0/1/2 1/0/1 | 0.0 0.0 1/0/0
    01010 01010 00110 10010 | 0.0 0.0 33.3 66.7
S29: B-PER B-PER > B-PER I-PER
    1/2 0/0 | 0/1/2 1/0/1 0/1/2 1/0/1 | 0.0 0.0 0/1/2
    01010 01010 00110 10010 | 0.0 0.0 33.3 66.7
"""


A = ["O"] * 17
A[0:3] = ["B-PER", "I-PER", "I-PER"]
A[6:12] = ["B-ORG", *["I-ORG"] * 5]
A[15:17] = ["B-LOC", "I-LOC"]


def changed(**tags: str) -> list[str]:
    out = list(A)
    for place, tag in tags.items():
        out[int(place.removeprefix("t"))] = tag
    return out


def parsed() -> list[Any]:
    lines = CASES.strip().splitlines()
    out = []
    for head, ours, theirs in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        name, _, rows = head.partition(": ")
        gold, pred = rows.split(" > ")
        if gold == "A":
            swaps = dict(pair.split(":") for pair in pred.split() if pred != "=")
            sides = (A, changed(**{f"t{i}": tag for i, tag in swaps.items()}))
        else:
            sides = (gold.split(), pred.split())
        blocks = [block.split() for block in f"{ours} | {theirs}".split(" | ")]
        out.append(pytest.param(*sides, blocks, id=name))
    return out


def scored(gold: list[str], pred: list[str], illegal: str) -> Scores:
    sides = [TagRows.of([row]) for row in (gold, pred)]
    scheme = detect_scheme(*sides)
    spans = [decode(side, scheme=scheme, illegal=illegal).spans for side in sides]
    return Scores.of(spans[0], spans[1], 1)


def counts(scores: Scores, mode: str) -> str:
    right = len(scores.pairing(mode))
    return f"{right}/{len(scores.pred) - right}/{len(scores.gold) - right}"


def f1(scores: Scores, mode: str, zero: str = "undefined") -> float:
    totals = scores.table().sum(axis=0)
    found = mode_figures(totals, scores.columns, mode, Convention(zero))["micro"]
    return 100 * float(found[2])


@pytest.mark.parametrize(("gold", "pred", "blocks"), parsed())
def test_case(gold, pred, blocks):
    (accuracy, illegal), ours, (default, strict, conll), *nerv = blocks
    sides = (TagRows.of([gold]), TagRows.of([pred]))
    scheme = detect_scheme(*sides)
    right = sum(a == b for a, b in zip(gold, pred, strict=True))
    assert f"{right}/{len(gold)}" == accuracy
    assert "/".join(str(decode(side, scheme=scheme).n_illegal) for side in sides) == illegal
    got = [
        counts(scored(gold, pred, convention), mode)
        for convention in ("open", "discard")
        for mode in ("exact", "partial")
    ]
    assert got == ours

    def said(which: str) -> dict[str, Any]:
        found = parity_of(which, *sides, {"scheme": scheme})
        return found["figures"]

    seqeval = said("seqeval")
    assert f"{100 * seqeval['micro']['f1']:.1f}" == default
    assert seqeval["accuracy"] == right / len(gold)
    assert f"{100 * said('seqeval-strict')['micro']['f1']:.1f}" == strict
    found = said("conlleval")
    tp, fp, fn = (found["correct"], found["found"], found["phrases"])
    assert f"{tp}/{fp - tp}/{fn - tp}" == conll
    if nerv[0] == ["stops"]:
        assert said("nervaluate") == {}
        return
    overall = said("nervaluate")["overall"]
    rows = [overall[name] for name in ("strict", "exact", "partial", "ent_type")]
    kinds = ("correct", "incorrect", "partial", "missed", "spurious")
    assert ["".join(str(row[k]) for k in kinds) for row in rows] == nerv[0]
    assert [f"{100 * row['f1']:.1f}" for row in rows] == nerv[1]


def test_all_cases_are_there():
    assert len(parsed()) == 32


def test_what_is_not_defined():
    """No spans on either side: 1, 0 or nothing, as asked."""
    empty = scored(["O", "O"], ["O", "O"], "open")
    assert [f1(empty, "exact", zero) for zero in ("1", "0")] == [100.0, 0.0]
    assert f1(empty, "exact") != f1(empty, "exact")


PRESETS = [
    ("one token off", {"t11": "B-LOC"}, 16, "2/2/1", (50.0, 66.7, 57.1), "3/1/0", 85.7),
    ("perfect", {}, 17, "3/0/0", (100.0, 100.0, 100.0), "3/0/0", 100.0),
    (
        "wrong type",
        {"t15": "B-ORG", "t16": "I-ORG"},
        15,
        "2/1/1",
        (66.7, 66.7, 66.7),
        "2/1/1",
        66.7,
    ),
    (
        "organisation missed",
        {f"t{i}": "O" for i in range(6, 12)},
        11,
        "2/0/1",
        (100.0, 66.7, 80.0),
        "2/0/1",
        80.0,
    ),
]


@pytest.mark.parametrize(("name", "swaps", "right", "exact", "prf", "partial", "lenient"), PRESETS)
@pytest.mark.parametrize("convention", ["open", "discard"])
def test_presets(name, swaps, right, exact, prf, partial, lenient, convention):
    pred = changed(**swaps)
    scores = scored(A, pred, convention)
    assert sum(a == b for a, b in zip(A, pred, strict=True)) == right
    assert counts(scores, "exact") == exact
    totals = scores.table().sum(axis=0)
    found = mode_figures(totals, scores.columns, "exact", Convention())["micro"]
    assert tuple(round(100 * float(x), 1) for x in found) == prf
    assert counts(scores, "partial") == partial
    assert round(f1(scores, "partial"), 1) == lenient


def test_the_illegal_preset():
    pred = changed(t6="O")
    opened, dropped = (scored(A, pred, convention) for convention in ("open", "discard"))
    assert (counts(opened, "exact"), round(f1(opened, "exact"), 1)) == ("2/1/1", 66.7)
    assert (counts(dropped, "exact"), round(f1(dropped, "exact"), 1)) == ("2/0/1", 80.0)
    assert (f1(opened, "partial"), f1(dropped, "partial")) == (100.0, 80.0)


@pytest.mark.parametrize(
    ("swap", "opened", "dropped", "spans"),
    [
        ({"t11": "B-LOC"}, 57.1, 57.1, 4),
        ({"t9": "B-LOC"}, 50.0, 57.1, 5),
        ({"t6": "I-ORG"}, 100.0, 80.0, 3),
    ],
)
def test_one_click_from_perfect(swap, opened, dropped, spans):
    both = [scored(A, changed(**swap), convention) for convention in ("open", "discard")]
    assert [round(f1(scores, "exact"), 1) for scores in both] == [opened, dropped]
    assert len(both[0].pred) == spans


def test_discarding_can_raise_a_score():
    gold, pred = ["B-PER", "O"], ["B-PER", "I-ORG"]
    assert round(f1(scored(gold, pred, "open"), "exact"), 1) == 66.7
    assert f1(scored(gold, pred, "discard"), "exact") == 100.0

"""Causes of errors: they add up, mirror, and are what the stated rule says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.spans.causes import CAUSES, Causes
from assay.spans.corpus import SpanSet, Text
from assay.spans.score import Scores
from assay.spans.surface import forms, in_context
from strategies import any_spans

PAIRS = st.tuples(any_spans(), any_spans())
MIRROR = {"missed": "spurious", "spurious": "missed", "split": "merged", "merged": "split"}


def causes_of(gold, pred, n: int = 2) -> Causes:
    return Causes(Scores.of(SpanSet.of(gold), SpanSet.of(pred), n))


def said(gold: str, pred: str) -> dict[str, tuple[int, int]]:
    """Causes of one sentence; a span is written TYPE[first,last]."""

    def parsed(text: str):
        for part in text.split():
            kind, _, rest = part.partition("[")
            first, last = rest.rstrip("]").split(",")
            yield 0, int(first), int(last) + 1, kind

    found = causes_of(list(parsed(gold)), list(parsed(pred)), 1).counts()
    return {cause: (fp, fn) for cause, fp, fn in found if fp or fn}


@pytest.mark.parametrize(
    ("gold", "pred", "causes"),
    [
        ("A[0,2]", "A[0,2]", {}),
        ("A[0,2]", "A[0,1]", {"boundary": (1, 1)}),
        ("A[0,2]", "B[0,2]", {"type": (1, 1)}),
        ("A[0,2]", "B[1,3]", {"boundary_and_type": (1, 1)}),
        ("A[0,2]", "", {"missed": (0, 1)}),
        ("", "A[0,2]", {"spurious": (1, 0)}),
        ("A[0,2]", "A[4,5]", {"missed": (0, 1), "spurious": (1, 0)}),
        ("A[0,2]", "A[0,0] A[1,2]", {"split": (2, 1)}),
        ("A[0,5]", "A[0,0] A[2,2] A[5,6]", {"split": (3, 1)}),
        ("A[0,0] A[1,2]", "A[0,2]", {"merged": (1, 2)}),
        # A piece that touches another gold span of the type is no piece of one span.
        ("A[0,2] A[3,5]", "A[0,0] A[2,4]", {"boundary": (2, 2)}),
        # A piece of another type is not one of the pieces.
        ("A[0,2]", "A[0,0] B[1,2]", {"boundary": (1, 1), "spurious": (1, 0)}),
        # The gold span that one of two predictions equals is right, and the other spurious.
        ("A[0,2]", "A[0,2] A[1,1]", {"spurious": (1, 0)}),
        # The same type goes before the larger overlap of another.
        ("A[0,5]", "A[5,6] B[0,4]", {"boundary": (1, 1), "spurious": (1, 0)}),
        ("A[6,11] B[12,13]", "A[6,10] C[11,11] B[12,13]", {"boundary": (1, 1), "spurious": (1, 0)}),
        # A split span leaves what else lies on it without a partner.
        ("A[0,5]", "A[0,1] A[4,5] B[2,3]", {"split": (2, 1), "spurious": (1, 0)}),
    ],
)
def test_by_hand(gold, pred, causes):
    assert said(gold, pred) == causes
    mirrored = {MIRROR.get(name, name): (fn, fp) for name, (fp, fn) in causes.items()}
    assert said(pred, gold) == mirrored


@given(PAIRS)
@settings(max_examples=300)
def test_they_add_up(sides):
    causes = causes_of(*sides)
    scores = causes.scores
    right = len(scores.pairing("exact"))
    counts = {cause: (fp, fn) for cause, fp, fn in causes.counts()}
    assert tuple(counts) == CAUSES[1:]
    assert sum(fp for fp, _ in counts.values()) == len(scores.pred) - right
    assert sum(fn for _, fn in counts.values()) == len(scores.gold) - right
    for name in ("boundary", "type", "boundary_and_type"):
        assert counts[name][0] == counts[name][1]
    assert counts["missed"][0] == counts["spurious"][1] == 0
    # Pieces are at least two to a whole.
    assert counts["split"][0] >= 2 * counts["split"][1]
    assert counts["merged"][1] >= 2 * counts["merged"][0]
    fp, fn = causes.cost()
    assert (fp.sum(), fn.sum()) == (len(scores.pred) - right, len(scores.gold) - right)


@given(PAIRS)
def test_they_mirror(sides):
    one = {cause: (fp, fn) for cause, fp, fn in causes_of(*sides).counts()}
    two = {MIRROR.get(c, c): (fn, fp) for c, fp, fn in causes_of(*sides[::-1]).counts()}
    assert one == two


def whole_and_pieces(one: SpanSet, many: SpanSet, wrong_one, wrong_many) -> dict[int, list[int]]:
    """The stated rule for one span in pieces, by trying all."""

    def touch(i: int, j: int) -> bool:
        if one.sentence[i] != many.sentence[j]:
            return False
        if one.types[one.type[i]] != many.types[many.type[j]]:
            return False
        return any(min(b, d) > max(a, c) for a, b in one.pieces(i) for c, d in many.pieces(j))

    out = {}
    for i in wrong_one:
        parts = [
            j for j in wrong_many if touch(i, j) and sum(touch(k, j) for k in range(len(one))) == 1
        ]
        if len(parts) > 1:
            out[i] = parts
    return out


@given(PAIRS)
def test_split_and_merged_are_the_stated_rule(sides):
    causes = causes_of(*sides)
    gold, pred = causes.scores.gold, causes.scores.pred
    wrong = [np.flatnonzero(x > 0).tolist() for x in (causes.of_gold, causes.of_pred)]
    for name, one, many, of_one, of_many, sides_wrong in (
        ("split", gold, pred, causes.of_gold, causes.of_pred, wrong),
        ("merged", pred, gold, causes.of_pred, causes.of_gold, wrong[::-1]),
    ):
        found = whole_and_pieces(one, many, *sides_wrong)
        k = CAUSES.index(name)
        assert np.flatnonzero(of_one == k).tolist() == sorted(found)
        assert np.flatnonzero(of_many == k).tolist() == sorted(
            j for parts in found.values() for j in parts
        )


@given(PAIRS)
def test_what_an_error_is_about(sides):
    causes = causes_of(*sides)
    gold, pred = causes.scores.gold, causes.scores.pred
    for cause, about in zip(causes.of_gold.tolist(), causes.about_gold.tolist(), strict=True):
        assert (about < 0) == (CAUSES[cause] == "missed")
    for i, (cause, about) in enumerate(
        zip(causes.of_pred.tolist(), causes.about_pred.tolist(), strict=True)
    ):
        assert (about < 0) == (CAUSES[cause] == "spurious")
        if about < 0:
            continue
        assert causes.of_gold[about] == cause
        same_type = pred.type[i] == gold.type[about]
        same_place = pred.pieces(i) == gold.pieces(about)
        if CAUSES[cause] in ("right", "boundary", "type", "boundary_and_type"):
            assert causes.about_gold[about] == i
            kinds = {(1, 1): "right", (1, 0): "boundary", (0, 1): "type"}
            said = kinds.get((int(same_type), int(same_place)), "boundary_and_type")
            assert said == CAUSES[cause]
        else:
            assert same_type


@given(PAIRS)
def test_confusion_has_all_spans(sides):
    causes = causes_of(*sides)
    scores = causes.scores
    counts, t = causes.confusion(), len(scores.types)
    assert counts.shape == (t + 1, t + 1)
    assert counts[:t].sum(axis=1).tolist() == np.bincount(scores.gold.type, minlength=t).tolist()
    assert counts[:, :t].sum(axis=0).tolist() == np.bincount(scores.pred.type, minlength=t).tolist()
    assert counts[t, t] == 0
    assert (causes_of(*sides[::-1]).confusion() == counts.T).all()


TEXT = "Ada Lee of Ely Bank met Ada Lee in Ely and Ely Bank sent Ada Lee to Ely"
WORDS = TEXT.split()
GOLD = [(0, 0, 2, "P"), (0, 3, 5, "O"), (0, 6, 8, "P"), (0, 9, 10, "L"), (0, 11, 13, "O")]
PRED = [(0, 0, 1, "P"), (0, 3, 4, "L"), (0, 6, 7, "P"), (0, 11, 12, "L"), (0, 17, 18, "L")]


def test_forms_are_counted_by_their_words():
    text = Text(np.array([len(WORDS)]), [WORDS])
    causes = causes_of(GOLD, PRED, 1)
    found = [
        (f.cause, f.gold_type, f.pred_type, f.gold_text, f.pred_text, f.count)
        for f in forms(causes, text)
    ]
    assert found == [
        ("boundary", "P", "P", "Ada Lee", "Ada", 2),
        ("boundary_and_type", "O", "L", "Ely Bank", "Ely", 2),
        ("missed", "L", None, "Ely", None, 1),
        ("spurious", None, "L", None, "Ely", 1),
    ]
    assert sum(row[-1] for row in found) == 6
    assert len(forms(causes, text, most=2)) == 2
    (first, *_) = forms(causes, text, examples=1)
    assert len(first.examples) == 1
    # Without words the types are told apart.
    bare = forms(causes, Text(np.array([len(WORDS)])))
    assert [f.count for f in bare] == [2, 2, 1, 1]


def test_context_is_cut():
    text = Text(np.array([len(WORDS)]), [WORDS])
    assert in_context(0, ((3, 5),), text, width=2) == ("… Lee of", "Ely Bank", "met Ada …")
    assert in_context(0, ((0, 2),), text, width=3) == ("", "Ada Lee", "of Ely Bank …")
    assert in_context(0, ((17, 18),), text, width=1) == ("… to", "Ely", "")
    assert in_context(0, ((3, 5),), Text(np.array([18]))) == ("", "", "")
    letters = Text(np.array([11]), ["Ada met Lee"], unit="character")
    assert in_context(0, ((4, 7),), letters) == ("Ada ", "met", " Lee")


def test_every_error_is_in_a_form_once():
    """Each gold error is counted once; predictions that err beside one are told with it."""
    text = Text(np.array([20, 20]))

    @given(PAIRS)
    def check(sides):
        causes = causes_of(*sides)
        found = forms(causes, text, most=1000)
        spurious = int((causes.of_pred == CAUSES.index("spurious")).sum())
        wrong_gold = int((causes.of_gold > 0).sum())
        assert sum(form.count for form in found) == wrong_gold + spurious

    check()

"""Counts and figures: averages against scikit-learn, conventions, SemEval, soft credit."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.spans.corpus import SpanSet
from assay.spans.figures import Convention, number
from assay.spans.score import (
    KINDS,
    MEASURES,
    TYPED,
    UNTYPED,
    Scores,
    mode_figures,
    semeval,
    semeval_figures,
    soft_credit,
)
from strategies import any_spans, tag_rows

metrics = pytest.importorskip("sklearn.metrics")

MODES = (*TYPED, *UNTYPED)
PAIRS = st.tuples(any_spans(), any_spans())


def scores_of(sides, n: int = 2) -> Scores:
    return Scores.of(SpanSet.of(sides[0]), SpanSet.of(sides[1]), n)


def figures(scores: Scores, mode: str = "exact", **options) -> dict[str, list[float]]:
    totals = scores.table().sum(axis=0)
    found = mode_figures(totals, scores.columns, mode, Convention(**options))
    return {name: values.tolist() for name, values in found.items()}


@given(PAIRS)
def test_the_table_adds_up_to_the_totals(sides):
    scores = scores_of(sides)
    table, c = scores.table(), scores.columns
    assert table.shape == (2, c.width)
    totals = table.sum(axis=0)
    for mode, (right, gold, pred) in scores.totals(*MODES).items():
        assert np.array_equal(totals[c.right(mode)], right)
        assert totals[c.gold].sum() == gold.sum() == len(sides[0])
        assert totals[c.pred].sum() == pred.sum() == len(sides[1])
    exact = scores.table(every=False)
    kept = [*range(c.gold.start, c.pred.stop), *range(*c.right("exact").indices(c.width))]
    assert np.array_equal(exact[:, kept], table[:, kept])
    assert exact.sum() == table[:, kept].sum()
    # Sentences one by one, and in groups, give the same rows.
    for k in range(2):
        alone = [[span for span in side if span[0] == k] for side in sides]
        part = scores_of(alone)
        if part.types == scores.types:
            assert np.array_equal(part.table()[k], table[k])
    assert np.array_equal(scores.table(groups=np.array([0, 0])), table.sum(axis=0, keepdims=True))
    assert np.array_equal(scores.table(groups=np.array([1, 0])), table[::-1])


@given(PAIRS)
def test_right_sentences(sides):
    scores = scores_of(sides, 4)
    want = sum(
        sorted(map(repr, (s for s in sides[0] if s[0] == k)))
        == sorted(map(repr, (s for s in sides[1] if s[0] == k)))
        for k in range(4)
    )
    assert scores.right_sentences() == want


@st.composite
def columns(draw):
    """Right, gold and predicted counts of up to four types."""
    rows = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
    found = draw(st.lists(rows, min_size=1, max_size=4))
    return [(r, r + fn, r + fp) for r, fn, fp in found if r + fn + fp] or [(1, 1, 1)]


@given(columns(), st.sampled_from([0.0, 1.0]), st.sampled_from([0.5, 1.0, 2.0]))
@settings(max_examples=200)
def test_averages_are_those_of_scikit_learn(counts, zero, beta):
    """Each right span is an item of its type on both sides; the others stand against nothing."""
    truth, said = [], []
    spans: tuple[list, list] = ([], [])
    at = 0
    for kind, (right, gold, pred) in enumerate(counts):
        for have_gold, have_pred, times in (
            (True, True, right),
            (True, False, gold - right),
            (False, True, pred - right),
        ):
            for _ in range(times):
                truth.append(kind + 1 if have_gold else 0)
                said.append(kind + 1 if have_pred else 0)
                for there, side in zip((have_gold, have_pred), spans, strict=True):
                    if there:
                        side.append((0, at, at + 1, f"T{kind}"))
                at += 1
    labels = [k + 1 for k in range(len(counts))]
    found = figures(scores_of(spans, 1), zero_division=f"{zero:g}", beta=beta)
    for average in ("micro", "macro", "weighted"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            want = metrics.precision_recall_fscore_support(
                truth, said, beta=beta, labels=labels, average=average, zero_division=zero
            )[:3]
        if not any(gold for _, gold, _ in counts) and average == "weighted":
            want = found["micro"]
        assert found[average] == pytest.approx(list(want)), average


@given(tag_rows(sides=2))
def test_zero_conventions_differ_only_where_nothing_is_divided(rows):
    from assay.spans.corpus import TagRows
    from assay.spans.decode import decode

    sides = [decode(TagRows.of(side)).spans for side in rows]
    scores = Scores.of(sides[0], sides[1], len(rows[0]))
    for mode in MODES:
        one, zero, none = (figures(scores, mode, zero_division=z) for z in ("1", "0", "undefined"))
        for name in ("micro", *(scores.types if mode in TYPED else ())):
            for a, b, c in zip(one[name], zero[name], none[name], strict=True):
                assert (a == b == c) or (a == 1.0 and b == 0.0 and math.isnan(c))


def test_conventions_by_hand():
    found = Convention().figures([0, 0, 0], [0, 0, 2], [0, 2, 0]).tolist()
    assert found == [[1, 1, 1], [0, 1, 0], [1, 0, 0]]
    assert Convention("0").figures(0, 0, 0).tolist() == [0, 0, 0]
    assert [number(x) for x in Convention("undefined").figures(0, 0, 2)] == [0.0, None, 0.0]
    # F of beta: 2 weighs recall four times.
    p, r, f = Convention(beta=2.0).figures(2, 3, 4)
    assert f == pytest.approx(5 * p * r / (4 * p + r))
    for wrong in ({"zero_division": "warn"}, {"beta": 0.0}, {"beta": math.inf}, {"beta": math.nan}):
        with pytest.raises(UsageError):
            Convention(**wrong)


def test_types_that_no_span_has_are_not_averaged():
    """A type whose only spans were dropped is in neither side, and no 1 in the mean of types."""
    from assay.spans.corpus import TagRows
    from assay.spans.decode import decode

    rows = [["B-A", "O", "O"]], [["O", "O", "I-B"]]
    sides = [decode(TagRows.of(side), illegal="discard").spans for side in rows]
    scores = Scores.of(sides[0], sides[1], 1)
    assert scores.types == ("A",)
    assert figures(scores)["macro"] == [1.0, 0.0, 0.0]


def test_weighted_without_gold_is_micro():
    spurious = scores_of(([], [(0, 0, 1, "A"), (0, 2, 3, "B")]), 1)
    assert figures(spurious)["weighted"] == figures(spurious)["micro"] == [0.0, 1.0, 0.0]
    assert figures(spurious, zero_division="0")["weighted"] == [0.0, 0.0, 0.0]
    assert np.isnan(figures(spurious, zero_division="undefined")["weighted"]).all()


def test_no_spans_and_no_sentences():
    for n in (0, 3):
        scores = scores_of(([], []), n)
        assert scores.types == ()
        assert scores.right_sentences() == n
        assert scores.table().shape == (n, scores.columns.width)
        for mode in MODES:
            for values in figures(scores, mode).values():
                assert values == [1.0, 1.0, 1.0]


@given(PAIRS)
def test_semeval_counts(sides):
    scores = scores_of(sides)
    table = semeval(scores.table().sum(axis=0), scores.columns)
    assert tuple(table) == MEASURES
    for counts in table.values():
        paired = counts["correct"] + counts["incorrect"] + counts["partial"]
        assert counts["possible"] == paired + counts["missed"] == len(sides[0])
        assert counts["actual"] == paired + counts["spurious"] == len(sides[1])
    assert table["strict"]["correct"] == len(scores.pairing("exact"))
    assert table["type"]["correct"] == len(scores.pairing("partial"))
    mirror = scores_of(sides[::-1])
    other = semeval(mirror.table().sum(axis=0), mirror.columns)
    for measure, counts in table.items():
        p, r, f = semeval_figures(counts, Convention())
        assert semeval_figures(other[measure], Convention()).tolist() == pytest.approx([r, p, f])
        assert other[measure]["missed"] == counts["spurious"]


def test_semeval_by_hand():
    scores = scores_of(([(0, 3, 6, "x")], [(0, 3, 8, "y"), (0, 3, 8, "x")]), 1)
    table = semeval(scores.table().sum(axis=0), scores.columns)
    assert (table["type"]["correct"], table["type"]["spurious"]) == (1, 1)
    assert (table["partial"]["partial"], table["strict"]["incorrect"]) == (1, 1)
    assert len(KINDS) == 4


nervaluate = pytest.importorskip("nervaluate.evaluator")


@given(tag_rows(sides=2, tokens=(1, 7)))
@settings(max_examples=150)
def test_semeval_is_nervaluates_where_no_span_touches_two(rows):
    """Where every span overlaps at most one of the other side there is only one pairing."""
    from assay.spans.corpus import TagRows
    from assay.spans.decode import decode
    from assay.spans.match import overlaps

    sides = [decode(TagRows.of(side)).spans for side in rows]
    scores = Scores.of(sides[0], sides[1], len(rows[0]))
    found = overlaps(scores.gold, scores.pred)
    if any(len(set(x.tolist())) < x.size for x in (found.gold, found.pred)):
        return
    theirs = nervaluate.Evaluator(*rows, tags=["A", "B"], loader="list").evaluate()["overall"]
    table = semeval(scores.table().sum(axis=0), scores.columns)
    for measure, counts in table.items():
        row = vars(theirs["ent_type" if measure == "type" else measure])
        for name in ("correct", "incorrect", "partial", "missed", "spurious"):
            assert row[name] == counts[name], (measure, name)
        p, r, f = semeval_figures(counts, Convention("0"))
        assert [row["precision"], row["recall"], row["f1"]] == pytest.approx([p, r, f])


@given(PAIRS)
def test_soft_credit(sides):
    scores = scores_of(sides)
    found = soft_credit(scores, Convention())
    pairs = scores.pairing("partial")

    def units(spans: SpanSet, i: int) -> set[int]:
        return {k for a, b in spans.pieces(i) for k in range(a, b)}

    p = r = half = 0.0
    for i, j in zip(pairs.gold.tolist(), pairs.pred.tolist(), strict=True):
        one, two = units(scores.gold, i), units(scores.pred, j)
        p += len(one & two) / len(two)
        r += len(one & two) / len(one)
        half += 1.0 if scores.gold.pieces(i) == scores.pred.pieces(j) else 0.5
    gold, pred = len(scores.gold), len(scores.pred)
    want = [p / pred if pred else 1.0, r / gold if gold else 1.0]
    assert found["overlap"][:2].tolist() == pytest.approx(want)
    total = 2 * half / (gold + pred) if gold + pred else 1.0
    assert found["half"][2] == pytest.approx(total)
    for p, r, f in found.values():
        assert f == pytest.approx(2 * p * r / (p + r) if p + r else 0.0)
    mirror = soft_credit(scores_of(sides[::-1]), Convention())
    for name, (p, r, f) in found.items():
        assert mirror[name].tolist() == pytest.approx([r, p, f])


def test_soft_credit_where_a_side_is_empty():
    missed = scores_of(([(0, 0, 1, "A")], []), 1)
    found = soft_credit(missed, Convention("undefined"))
    for p, r, f in found.values():
        assert math.isnan(p)
        assert (r, f) == (0.0, 0.0)


def test_types_named_as_averages_do_not_hide_them() -> None:
    gold = SpanSet.of([(0, 0, 1, "micro"), (0, 1, 2, "A"), (0, 2, 3, "macro")])
    pred = SpanSet.of([(0, 0, 1, "micro"), (0, 2, 3, "A")])
    scores = Scores.of(gold, pred, 1)
    found = mode_figures(scores.table().sum(axis=0), scores.columns, "exact", Convention())
    assert found["micro"].tolist() == [0.5, 1 / 3, 0.4]
    assert found["micro (type)"].tolist() == [1.0, 1.0, 1.0]
    assert found["macro (type)"].tolist() == [1.0, 0.0, 0.0]

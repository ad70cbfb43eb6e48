"""Several annotators: pairwise F1, and kappa and alpha by position."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import UsageError
from assay.estimate import Undefined
from assay.report.annotators.report import annotator_agreement
from assay.report.annotators.tokens import (
    _resampled,
    _table,
    bio_labels,
    type_labels,
    written_labels,
)
from assay.spans.annotators import Resampling, pairwise_f1
from assay.spans.corpus import SpanSet, TagRows
from assay.spans.decode import decode
from assay.spans.figures import Convention
from assay.spans.score import Scores
from assay.spans.unitizing_continuum import Continuum

ANA = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG", "I-ORG"], ["O", "O"]]
BO = [["B-PER", "I-PER", "O", "O"], ["O", "B-ORG", "O"], ["O", "O"]]
CY = [["B-PER", "O", "O", "B-ORG"], ["B-ORG", "I-ORG", "I-ORG"], ["B-LOC", "O"]]

TAGS = ["O", "B-A", "I-A", "B-B", "I-B"]


@st.composite
def tagged(draw, annotators=(2, 4)):
    lengths = draw(st.lists(st.integers(0, 5), min_size=1, max_size=5))
    row = [st.lists(st.sampled_from(TAGS), min_size=n, max_size=n) for n in lengths]
    m = draw(st.integers(*annotators))
    return [[draw(one) for one in row] for _ in range(m)]


@st.composite
def overlapping(draw):
    span = st.tuples(st.integers(0, 1), st.integers(0, 6), st.integers(1, 5), st.sampled_from("AB"))
    some = st.lists(span, max_size=6).map(
        lambda found: SpanSet.of(list({(s, a, a + n, k) for s, a, n, k in found}))
    )
    return draw(some), draw(some)


def sets(annotators):
    return [decode(TagRows.of(rows)).spans for rows in annotators]


# Pairwise F1 ---------------------------------------------------------------------------------


def test_pairs_and_mean_by_hand():
    found = {(f.mode, f.type): f for f in pairwise_f1(sets([ANA, BO, CY]), 3)}
    exact = found["exact", "micro"]
    assert [(p.tp, p.fp, p.fn) for p in exact.pairs] == [(1, 1, 2), (0, 4, 3), (0, 4, 2)]
    assert exact.mean == pytest.approx((2 / 5 + 0 + 0) / 3)
    partial = found["partial", "micro"]
    # ana's LOC and cy's ORG share a token but no type.
    assert [p.tp for p in partial.pairs] == [2, 2, 2]
    assert found["exact", "PER"].mean == pytest.approx(1 / 3)
    assert found["partial", "PER"].mean == 1.0
    # No annotator but ana and cy has a LOC: bo's pairs are 0, and theirs too.
    assert found["exact", "LOC"].mean == 0.0
    assert found["exact", "micro"].matrix(3).tolist() == [[1, 0.4, 0], [0.4, 1, 0], [0, 0, 1]]


@given(tagged())
def test_pairs_are_those_of_scores(annotators):
    n = len(annotators[0])
    spans = sets(annotators)
    for found in pairwise_f1(spans, n):
        if found.type != "micro":
            continue
        for pair, (a, b) in zip(found.pairs, combinations(range(len(spans)), 2), strict=True):
            paired = len(Scores.of(spans[a], spans[b], n).pairing(found.mode))
            assert (pair.a, pair.b, pair.tp) == (a, b, paired)
            assert (pair.fp, pair.fn) == (len(spans[b]) - paired, len(spans[a]) - paired)


@given(overlapping())
def test_f1_is_symmetric_where_spans_overlap(pair):
    one, two = pair
    forth, back = pairwise_f1([one, two], 2), pairwise_f1([two, one], 2)
    assert [f.mean for f in forth] == [f.mean for f in back]
    for f, b in zip(forth, back, strict=True):
        assert (f.pairs[0].tp, f.pairs[0].fp) == (b.pairs[0].tp, b.pairs[0].fn)


@pytest.mark.parametrize(("zero", "value"), [("1", 1.0), ("0", 0.0), ("undefined", None)])
def test_where_nobody_marked(zero, value):
    none = SpanSet.of([])
    found = pairwise_f1([none, none], 3, convention=Convention(zero), resampling=Resampling(100))
    assert [(f.type, f.mean) for f in found] == [("micro", value)] * 2


def test_a_mean_leaves_out_what_is_not_defined():
    one, none = SpanSet.of([(0, 0, 1, "A")]), SpanSet.of([])
    found = pairwise_f1([one, none, none], 1, convention=Convention("undefined"))
    assert [p.f1 for p in found[0].pairs] == [0.0, 0.0, None]
    assert found[0].mean == 0.0
    assert np.isnan(found[0].matrix(3)[1, 2])


def test_intervals_over_sentences_and_documents():
    rng = np.random.default_rng(3)
    one = [(k, 0, 2, "A") for k in range(60)]
    two = [(k, 0, 2 - int(rng.random() < 0.3), "A") for k in range(60)]
    spans = [SpanSet.of(one), SpanSet.of(two)]
    by = [Resampling(400, seed=2), Resampling(400, seed=2, groups=np.arange(60) // 10)]
    first, second = (pairwise_f1(spans, 60, resampling=r)[0] for r in by)
    assert first.mean == second.mean
    for found, unit in ((first, "sentences"), (second, "documents")):
        assert found.mean is not None
        assert found.interval is not None
        assert 0 < found.interval.low < found.mean < found.interval.high < 1
        assert found.interval.method == f"percentile bootstrap over {unit}, 400 resamples"
    assert pairwise_f1(spans, 60, resampling=by[0])[0] == first
    whole = Resampling(400, groups=np.zeros(60, np.int64))
    assert pairwise_f1(spans, 60, resampling=whole)[0].interval is None


def test_refusals():
    with pytest.raises(UsageError, match="two annotators or more"):
        pairwise_f1([SpanSet.of([])], 1)
    with pytest.raises(UsageError, match="mode: 'parital' is not known; did you mean 'partial'"):
        pairwise_f1([SpanSet.of([])] * 2, 1, modes=["parital"])


# By position ---------------------------------------------------------------------------------


def flat(rows):
    return [tag for row in rows for tag in row]


def entries(report):
    return {(e["what"], e["rule"], e["name"]): e for e in report.to_dict()["tokens"]}


@given(tagged())
def test_positions_are_rated_as_lists_would_be(annotators):
    if not any(map(flat, annotators)):
        return
    found = entries(annotator_agreement(annotators, bootstrap=0, scheme="BIO"))
    name = "cohen_kappa" if len(annotators) == 2 else "fleiss_kappa"
    types = [
        ["O" if t == "O" else t[2:] for t in flat(rows)] for rows in annotators
    ]  # fmt: skip
    chosen = [k for k in range(len(types[0])) if any(one[k] != "O" for one in types)]
    lists = {
        ("tags", None): [flat(rows) for rows in annotators],
        ("types", None): types,
        ("without_o", "any"): [[one[k] for k in chosen] for one in types],
    }
    for (what, rule), labels in lists.items():
        if not labels[0]:
            assert found[what, rule, name]["undefined"]["code"] == "no_positions"
            continue
        ratings = assay.from_lists(*labels)
        kappa = assay.cohen_kappa if len(annotators) == 2 else assay.fleiss_kappa
        for key, want in ((name, kappa(ratings)), ("krippendorff_alpha", None)):
            want = want or assay.krippendorff_alpha(ratings, metric="nominal")
            got = found[what, rule, key]
            assert got["value"] == want.value
            assert (got["observed"], got["expected"]) == (want.observed, want.expected)
            assert got["positions"] == len(labels[0])


@given(tagged())
def test_resampled_sums_give_the_same_figures(annotators):
    """The formulas behind the intervals, on the corpus itself, are the coefficients."""
    labels = written_labels([TagRows.of(rows) for rows in annotators])
    if not labels.codes.size:
        return
    n = labels.codes.shape[1]
    totals = _table(labels, np.arange(n), n).sum(axis=0, keepdims=True).astype(float)
    found = _resampled(totals, len(annotators), len(labels.names))
    ratings = labels.ratings([str(k) for k in range(len(annotators))])
    wanted = [assay.fleiss_kappa(ratings), assay.krippendorff_alpha(ratings, metric="nominal")]
    if len(annotators) == 2:
        wanted.append(assay.cohen_kappa(ratings))
    for want in wanted:
        got = found[want.name][0]
        assert np.isnan(got) if want.value is None else got == pytest.approx(want.value)


def test_without_o_has_two_rules():
    found = entries(annotator_agreement([ANA, BO, CY], bootstrap=0))
    # Sentence 1: tokens 1, 2 and 4; sentence 2: all three; sentence 3: the first.
    assert found["without_o", "any", "fleiss_kappa"]["positions"] == 7
    # PER on the first token, ORG on the second of sentence 2.
    everyone = found["without_o", "all", "fleiss_kappa"]
    assert (everyone["positions"], everyone["value"]) == (2, 1.0)
    assert found["types", None, "fleiss_kappa"]["positions"] == 9


def test_several_types_at_a_position_are_a_label_of_their_own():
    one = SpanSet.of([(0, 0, 3, "LOC"), (0, 1, 4, "ORG"), (0, 1, 2, "ORG")])
    two = SpanSet.of([(0, ((0, 1), (3, 4)), "ORG")])
    continuum = Continuum.of([one, two], [5], ["ana", "bo"])
    labels = type_labels(continuum)
    said = [[labels.names[k] for k in row] for row in labels.codes]
    assert said == [["LOC", "LOC+ORG", "LOC+ORG", "ORG", "O"], ["ORG", "O", "O", "ORG", "O"]]
    tags = bio_labels(continuum)
    assert "ana has spans that share positions" in str(tags)


@given(tagged(annotators=(2, 2)))
def test_tags_of_spans_are_those_that_encode_writes(annotators):
    from assay.spans.encode import encode

    rows = [TagRows.of(one) for one in annotators]
    decoded = [decode(one).spans for one in rows]
    labels = bio_labels(Continuum.of(decoded, rows[0].text.lengths))
    assert not isinstance(labels, Undefined)
    for codes, one, text in zip(labels.codes, decoded, rows, strict=True):
        assert [labels.names[k] for k in codes] == flat(encode(one, text.text))

"""Matching against brute force: nested, overlapping, split and repeated spans in every mode."""

from __future__ import annotations

import itertools
import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.spans.corpus import SpanSet, shared_types
from assay.spans.match import MODES, by_kind, match, overlaps, same_boundaries
from strategies import any_spans

PAIRS = st.tuples(any_spans(), any_spans())


def sets(gold, pred) -> tuple[SpanSet, SpanSet]:
    one, two = shared_types(SpanSet.of(gold), SpanSet.of(pred))
    return one, two


def described(spans: SpanSet) -> list[tuple]:
    """(sentence, pieces, type) in the canonical order."""
    return [
        (int(spans.sentence[i]), spans.pieces(i), spans.types[spans.type[i]])
        for i in range(len(spans))
    ]


def units(span) -> set[tuple[int, int]]:
    return {(span[0], k) for a, b in span[1] for k in range(a, b)}


def shared(one, two) -> int:
    return len(units(one) & units(two))


def taken(edges, golds, preds) -> list[tuple[int, int]]:
    """Edges in their order, each if both ends are free."""
    out = []
    for g, p in edges:
        if g in golds and p in preds:
            golds.remove(g)
            preds.remove(p)
            out.append((g, p))
    return out


def oracle(mode: str, gold, pred) -> list[tuple[int, int]]:
    """The stated rule, pair by pair."""
    golds, preds = set(range(len(gold))), set(range(len(pred)))
    cells = list(itertools.product(range(len(gold)), range(len(pred))))

    def by_overlap(same_type: bool) -> list[tuple[int, int]]:
        edges = [
            (-shared(gold[g], pred[p]), g, p)
            for g, p in cells
            if shared(gold[g], pred[p]) and (not same_type or gold[g][2] == pred[p][2])
        ]
        return [(g, p) for _, g, p in sorted(edges)]

    out = taken([(g, p) for g, p in cells if gold[g] == pred[p]], golds, preds)
    if mode == "boundaries":
        out += taken([(g, p) for g, p in cells if gold[g][:2] == pred[p][:2]], golds, preds)
    if mode in ("partial", "kind"):
        out += taken(by_overlap(same_type=True), golds, preds)
    if mode in ("overlap", "kind"):
        out += taken(by_overlap(same_type=False), golds, preds)
    return sorted(out)


def best(gold, pred, same_type: bool) -> int:
    """The most pairs that can be made, by trying all."""

    @cache
    def most(g: int, used: int) -> int:
        if g == len(gold):
            return 0
        found = most(g + 1, used)
        for p, span in enumerate(pred):
            if used >> p & 1 or not shared(gold[g], span):
                continue
            if same_type and gold[g][2] != span[2]:
                continue
            found = max(found, 1 + most(g + 1, used | 1 << p))
        return found

    return most(0, 0)


def pairs_of(found) -> list[tuple[int, int]]:
    return sorted(zip(found.gold.tolist(), found.pred.tolist(), strict=True))


@given(PAIRS)
@settings(max_examples=300)
def test_greedy_modes_are_the_stated_rule(sides):
    gold, pred = sets(*sides)
    g, p = described(gold), described(pred)
    for mode in ("exact", "partial", "boundaries", "overlap"):
        assert pairs_of(match(gold, pred, mode)) == oracle(mode, g, p), mode
    assert pairs_of(by_kind(gold, pred)) == oracle("kind", g, p)


@given(PAIRS)
@settings(max_examples=200)
def test_optimal_modes_make_as_many_pairs_as_can_be(sides):
    gold, pred = sets(*sides)
    g, p = described(gold), described(pred)
    for mode, same_type in (("partial-optimal", True), ("overlap-optimal", False)):
        found = match(gold, pred, mode)
        assert len(found) == best(tuple(g), tuple(p), same_type)
        assert len({*found.gold.tolist()}) == len({*found.pred.tolist()}) == len(found)
        for i, j in pairs_of(found):
            assert shared(g[i], p[j])
            assert not same_type or g[i][2] == p[j][2]
        assert len(found) >= len(match(gold, pred, mode.removesuffix("-optimal")))


@given(PAIRS)
def test_all_overlaps_are_found(sides):
    gold, pred = sets(*sides)
    g, p = described(gold), described(pred)
    found = overlaps(gold, pred)
    got = sorted(zip(found.gold.tolist(), found.pred.tolist(), found.size.tolist(), strict=True))
    assert got == [
        (i, j, shared(a, b)) for i, a in enumerate(g) for j, b in enumerate(p) if shared(a, b)
    ]


@given(PAIRS)
def test_swapping_the_sides_swaps_the_pairs(sides):
    gold, pred = sets(*sides)
    for mode in MODES:
        one, two = pairs_of(match(gold, pred, mode)), pairs_of(match(pred, gold, mode))
        assert len(one) == len(two), mode
        if not mode.endswith("optimal"):
            assert one == sorted((g, p) for p, g in two), mode
    assert pairs_of(by_kind(gold, pred)) == sorted((g, p) for p, g in pairs_of(by_kind(pred, gold)))


@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(sides, rng: random.Random):
    def paired(gold, pred):
        one, two = sets(gold, pred)
        g, p = described(one), described(two)
        modes = [m for m in MODES if not m.endswith("optimal")]
        found = {m: [(g[i], p[j]) for i, j in pairs_of(match(one, two, m))] for m in modes}
        return found, [len(match(one, two, m)) for m in MODES], pairs_of(by_kind(one, two))

    mixed = [rng.sample(side, len(side)) for side in sides]
    assert paired(*sides) == paired(*mixed)


@given(PAIRS)
def test_reversing_the_sentences_changes_nothing_but_their_places(sides):
    gold, pred = sets(*sides)
    back = [[(1 - span[0], *span[1:]) for span in side] for side in sides]
    for mode in MODES:
        assert len(match(gold, pred, mode)) == len(match(*sets(*back), mode))


@given(PAIRS)
def test_modes_are_in_their_order(sides):
    n = {mode: len(match(*sets(*sides), mode)) for mode in MODES}
    assert n["exact"] <= n["partial"] <= n["partial-optimal"] <= n["overlap-optimal"]
    assert n["exact"] <= n["boundaries"] <= n["overlap-optimal"]
    assert n["overlap"] <= n["overlap-optimal"]


def test_identical_pairs_come_first_even_where_another_overlap_is_as_large():
    gold, pred = sets([(0, 0, 5, "A"), (0, 0, 3, "A")], [(0, 0, 3, "A")])
    (pair,) = pairs_of(match(gold, pred, "partial"))
    assert gold.stop[pair[0]] == 3
    inner = sets([(0, 0, 9, "A")], [(0, 0, 4, "A"), (0, 0, 9, "A"), (0, 4, 9, "A")])
    assert pairs_of(match(*inner, "overlap")) == [(0, 1)]


def test_boundaries_pair_the_same_type_first():
    gold, pred = sets([(0, 0, 2, "A"), (0, 0, 2, "B")], [(0, 0, 2, "B"), (0, 0, 2, "C")])
    assert pairs_of(same_boundaries(gold, pred)) == [(0, 1), (1, 0)]


def test_ties_go_left():
    gold, pred = sets([(0, 0, 2, "A"), (0, 4, 6, "A")], [(0, 1, 5, "A")])
    assert pairs_of(match(gold, pred, "partial")) == [(0, 0)]
    assert pairs_of(match(pred, gold, "partial")) == [(0, 0)]


def test_greedy_and_optimal_differ():
    gold = [(0, 0, 4, "A"), (0, 4, 10, "A")]
    pred = [(0, 2, 8, "A"), (0, 8, 10, "A")]
    for kind in ("partial", "overlap"):
        assert pairs_of(match(*sets(gold, pred), kind)) == [(1, 0)]
        assert pairs_of(match(*sets(gold, pred), f"{kind}-optimal")) == [(0, 0), (1, 1)]


def test_pieces_are_what_a_split_span_is():
    """Two spans with the same envelope and other pieces are not the same span."""
    gold = [(0, ((0, 6), (17, 21)), "T"), (0, 11, 21, "T")]
    one = sets(gold, [(0, 0, 21, "T")])
    assert len(match(*one, "exact")) == len(match(*one, "boundaries")) == 0
    assert len(match(*one, "partial")) == 1
    assert len(match(*sets(gold, gold[::-1]), "exact")) == 2
    gap = sets([(0, ((0, 2), (6, 8)), "T")], [(0, 2, 6, "T")])
    assert len(match(*gap, "overlap-optimal")) == 0


def test_repeated_spans_pair_one_to_one():
    twice = [(0, 1, 2, "A"), (0, 1, 2, "A")]
    assert len(match(*sets(twice, twice[:1]), "exact")) == 1
    assert len(match(*sets(twice, [*twice, *twice]), "partial")) == 2


def test_many_sentences_and_large_positions():
    rng = np.random.default_rng(5)
    spans = [
        (int(s), int(a), int(a + n), "AB"[k])
        for s, a, n, k in zip(
            rng.integers(0, 10**9, 500),
            rng.integers(0, 10**9, 500),
            rng.integers(1, 50, 500),
            rng.integers(0, 2, 500),
            strict=True,
        )
    ]
    for mode in MODES:
        assert len(match(*sets(spans, spans[::-1]), mode)) == 500


def test_what_cannot_be_matched():
    one, two = SpanSet.of([(0, 0, 1, "A")]), SpanSet.of([(0, 0, 1, "B")])
    with pytest.raises(InputError, match="different types"):
        match(one, two)
    with pytest.raises(UsageError, match="did you mean 'partial'"):
        match(one, one, "partail")
    with pytest.raises(InputError, match="empty or backwards"):
        SpanSet.of([(0, 3, 3, "A")])

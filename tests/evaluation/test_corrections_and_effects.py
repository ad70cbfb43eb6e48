"""Corrections, effect sizes, letters and wins, each by a second route."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pingouin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from assay.corrections import corrected
from assay.errors import UsageError
from assay.evaluation.clusters import letters, rank_range
from assay.evaluation.effects import effects
from assay.evaluation.wins import wins

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(P_VALUES)
def test_corrections_are_those_of_statsmodels(p: list[float]) -> None:
    for ours, theirs in (
        ("holm", "holm"),
        ("benjamini_hochberg", "fdr_bh"),
        ("bonferroni", "bonferroni"),
    ):
        peer = multipletests(p, method=theirs)[1]
        assert corrected(p, ours) == pytest.approx(peer.tolist(), abs=1e-12)
    assert corrected(p, "none") == p


@given(P_VALUES)
def test_benjamini_hochberg_is_that_of_scipy(p: list[float]) -> None:
    assert corrected(p, "benjamini_hochberg") == pytest.approx(
        stats.false_discovery_control(p).tolist(), abs=1e-12
    )


def test_a_test_without_a_p_value_is_not_counted() -> None:
    assert corrected([None, 0.01, None, 0.5], "bonferroni") == [None, 0.02, None, 1.0]
    assert corrected([None]) == [None]
    with pytest.raises(UsageError, match="correction"):
        corrected([0.1], "sidak")


NUMBERS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=12)


@given(NUMBERS)
def test_effects_are_counted_pairs(pairs: list[tuple[int, int]]) -> None:
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    got = effects(x, y)
    above = sum(a > b for a, b in product(x, y))
    below = sum(a < b for a, b in product(x, y))
    ties = len(x) ** 2 - above - below
    assert got.cliffs_delta == pytest.approx((above - below) / len(x) ** 2)
    assert got.vargha_delaney_a == pytest.approx((above + ties / 2) / len(x) ** 2)
    d = x - y
    if len(d) > 1 and np.ptp(d):
        assert got.cohens_dz == pytest.approx(d.mean() / np.std(d, ddof=1))
    else:
        assert got.cohens_dz is None
    used = d[d != 0]
    if not len(used):
        assert got.rank_biserial is None
        return
    ranks = stats.rankdata(np.abs(used))
    plus, minus = ranks[used > 0].sum(), ranks[used < 0].sum()
    assert got.rank_biserial == pytest.approx((plus - minus) / (plus + minus))


THIRDS = st.lists(st.tuples(st.integers(3, 21), st.integers(3, 21)), min_size=1, max_size=12)


@given(THIRDS)
def test_rank_biserial_of_thirds_is_that_of_whole_numbers(pairs: list[tuple[int, int]]) -> None:
    x, y = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    assert effects(x / 3, y / 3).rank_biserial == effects(x, y).rank_biserial


def test_rank_biserial_takes_the_ranks_of_the_signed_rank_test() -> None:
    x, y = np.array([17, 18, 18, 15, 16]) / 3, np.array([16, 17, 19, 16, 17]) / 3
    assert effects(x, y).rank_biserial == pytest.approx(-0.2)


def test_rank_biserial_and_a_are_those_of_pingouin() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(0.4, 1, 30), rng.normal(0, 1, 30)
    got = effects(x, y)
    peer = pingouin.wilcoxon(x, y)
    column = next(c for c in peer.columns if c.upper() == "RBC")
    assert got.rank_biserial == pytest.approx(float(peer[column].iloc[0]))
    peer = pingouin.mwu(x, y)
    column = next(c for c in peer.columns if c.upper() == "CLES")
    assert got.vargha_delaney_a == pytest.approx(float(peer[column].iloc[0]))


@given(st.integers(1, 6), st.data())
def test_systems_share_a_letter_just_where_they_do_not_differ(n: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(n), 2))
    differ = set(data.draw(st.lists(st.sampled_from(pairs), unique=True))) if pairs else set()
    order = data.draw(st.permutations(range(n)))
    got = letters(order, differ)
    assert got is not None
    for i, j in pairs:
        assert bool(set(got[i]) & set(got[j])) == ((i, j) not in differ)
    assert got[order[0]][0] == "a"


def test_letters_of_many_systems() -> None:
    # Every two neighbours in the order are alike, and no others: as many letters as pairs.
    order = list(range(200))
    differ = {(i, j) for i, j in combinations(order, 2) if j - i > 1}
    got = letters(order, differ)
    assert got is not None
    assert got[0] == "a"
    assert got[1] == "ab"
    assert got[199] == "(199)"
    # Pairs that differ, each alike with all others, would need 2 ** 100 letters.
    assert letters(order, {(i, i + 1) for i in range(0, 200, 2)}) is None


@given(st.integers(1, 8), st.data())
def test_letters_are_the_largest_sets_of_systems_that_are_alike(
    n: int, data: st.DataObject
) -> None:
    pairs = list(combinations(range(n), 2))
    differ = set(data.draw(st.lists(st.sampled_from(pairs), unique=True))) if pairs else set()
    alike = [
        set(group)
        for size in range(1, n + 1)
        for group in combinations(range(n), size)
        if not differ & set(combinations(group, 2))
    ]
    largest = [group for group in alike if not any(group < other for other in alike)]
    got = letters(range(n), differ)
    assert got is not None
    named = {letter for text in got.values() for letter in text}
    found = [{s for s, text in got.items() if letter in text} for letter in named]
    assert sorted(map(sorted, found)) == sorted(map(sorted, largest))


def test_no_letter_is_superfluous() -> None:
    assert letters([0, 1, 2, 3], {(0, 2), (0, 3), (1, 3)}) == {0: "a", 1: "ab", 2: "bc", 3: "c"}
    assert letters([0, 1, 2], set()) == {0: "a", 1: "a", 2: "a"}


@given(st.integers(2, 6), st.data())
def test_the_range_of_ranks_holds_the_rank(n: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(n), 2))
    differ = set(data.draw(st.lists(st.sampled_from(pairs), unique=True)))
    for place, (low, high) in rank_range(range(n), differ).items():
        assert low <= place + 1 <= high


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), max_size=10))
def test_wins_by_the_three_conventions(pairs: list[tuple[int, int]]) -> None:
    table = np.array([*pairs, (1.0, np.nan)], dtype=float)
    got = wins("items", table, 0, 1)
    w, t, n = sum(a > b for a, b in pairs), sum(a == b for a, b in pairs), len(pairs)
    assert (got.wins, got.ties, got.losses) == (w, t, n - w - t)
    assert got.ties_half == (pytest.approx((w + t / 2) / n) if n else None)
    assert got.ties_lost == (pytest.approx(w / n) if n else None)
    assert got.ties_excluded == (pytest.approx(w / (n - t)) if n > t else None)
    other = wins("items", table, 0, 1, higher=False)
    assert (other.wins, other.losses) == (got.losses, got.wins)

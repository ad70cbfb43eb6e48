"""Tests between systems against SciPy's, and against all choices of signs one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.evaluation.flips import subset_sums, two_sided, whole
from assay.evaluation.paired import (
    TESTS,
    ZEROS,
    paired_t,
    paired_tests,
    permutation,
    permutations,
    sign_test,
    snapped,
    wilcoxon,
)


def samples() -> list[np.ndarray]:
    """Differences with and without ties and zeros, few and many."""
    rng = np.random.default_rng(7)
    out = [rng.normal(0.3, 1, n) for n in (5, 12, 20, 49, 50, 51, 120)]
    out += [rng.integers(-3, 5, n).astype(float) for n in (6, 12, 13, 14, 30, 60)]
    out += [rng.integers(-6, 9, n) / 3 for n in (7, 13, 25, 80)]
    out += [np.array([2.0]), np.array([-1.0, 3.0]), np.array([0.0, 0.0, 1.0])]
    return out


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("index", range(len(samples())))
def test_signed_ranks_are_those_of_scipy(index: int, zeros: str) -> None:
    d = snapped(samples()[index])
    got = wilcoxon(d, zeros)
    peer = stats.wilcoxon(d, zero_method=zeros)
    assert got.statistic == pytest.approx(peer.statistic, abs=1e-9)
    assert got.p_value == pytest.approx(peer.pvalue, rel=1e-9)


@pytest.mark.parametrize("index", range(len(samples())))
def test_the_normal_form_is_that_of_scipy(index: int) -> None:
    d = snapped(samples()[index])
    for zeros in ZEROS:
        got = wilcoxon(d, zeros, "normal")
        peer = stats.wilcoxon(d, zero_method=zeros, method="asymptotic", correction=False)
        assert got.p_value == pytest.approx(peer.pvalue, rel=1e-9)


@pytest.mark.parametrize("index", range(len(samples())))
def test_signs_are_binomial(index: int) -> None:
    d = samples()[index]
    above, below = int((d > 0).sum()), int((d < 0).sum())
    got = sign_test(d)
    assert got.statistic == above
    assert got.p_value == pytest.approx(stats.binomtest(above, above + below).pvalue, rel=1e-9)


@pytest.mark.parametrize("index", [i for i, d in enumerate(samples()) if len(d) > 1])
def test_student_is_that_of_scipy(index: int) -> None:
    d = samples()[index]
    got, peer = paired_t(d), stats.ttest_1samp(d, 0.0)
    assert got.statistic == pytest.approx(peer.statistic, rel=1e-9)
    assert got.p_value == pytest.approx(peer.pvalue, rel=1e-9)


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9), st.sampled_from([1, 2, 3, 7]))
def test_permutation_is_that_of_all_signs(numbers: list[int], divisor: int) -> None:
    d = snapped(np.array(numbers) / divisor)
    target = abs(d.sum()) - 1e-7
    hits = [abs(np.dot(signs, d)) >= target for signs in product((-1, 1), repeat=len(d))]
    got = permutation(d)
    assert "exact" in got.method
    assert got.p_value == pytest.approx(sum(hits) / len(hits), rel=1e-9)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8), st.data())
def test_subset_sums_are_all_subsets(weights: list[int], data: st.DataObject) -> None:
    sums = [
        sum(w for w, b in zip(weights, bits, strict=True) if b)
        for bits in product((0, 1), repeat=len(weights))
    ]
    got = subset_sums(np.array(weights))
    assert got.tolist() == pytest.approx(
        [sums.count(t) / len(sums) for t in range(sum(weights) + 1)], abs=1e-12
    )
    taken = data.draw(st.sampled_from(sums))
    far = [s for s in sums if abs(2 * s - sum(weights)) >= abs(2 * taken - sum(weights))]
    assert two_sided(np.array(weights), taken) == pytest.approx(len(far) / len(sums), abs=1e-12)


def test_permutation_of_scipy() -> None:
    d = samples()[9][:12]
    peer = stats.permutation_test(
        (d,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", vectorized=True
    )
    assert permutation(d).p_value == pytest.approx(peer.pvalue, rel=1e-9)


def test_random_signs_come_near_the_exact_value_and_are_reproducible() -> None:
    rng = np.random.default_rng(3)
    d = rng.normal(0.15, 1, 200)
    one, other = permutation(d, 20_000, seed=1), permutation(d, 20_000, seed=1)
    assert one == other
    assert "20,000 random" in one.method
    assert one.p_value != permutation(d, 20_000, seed=2).p_value
    assert one.p_value == pytest.approx(stats.ttest_1samp(d, 0).pvalue, abs=0.02)


def test_pairs_together_are_pairs_alone() -> None:
    """An item that a pair does not share changes nothing, exactly or at random."""
    rng = np.random.default_rng(5)
    exact, drawn = rng.integers(-2, 4, 30) / 3, rng.normal(0.2, 1, 40)
    table = np.zeros((60, 3))
    table[5:35, 0], table[10:50, 1] = exact, drawn
    got = permutations(table, np.array([30, 40, 0]), 20_000, 4)
    assert got[0] == permutation(exact)
    assert got[1].statistic == pytest.approx(drawn.mean())
    assert got[1].p_value == pytest.approx(permutation(drawn, 20_000, 9).p_value, abs=0.02)
    assert got[2].undefined is not None
    assert got[2].undefined.code == "no_shared_items"


def test_what_has_no_denominator_is_not_rounded_to_one() -> None:
    assert whole(np.array([np.pi])) is None


def test_nothing_to_compare() -> None:
    for got in paired_tests(np.zeros(0)).values():
        assert got.p_value is None
        assert got.undefined is not None
        assert got.undefined.code == "no_shared_items"
    equal = paired_tests(np.zeros(4))
    assert equal["permutation"].p_value == 1.0
    for name in ("wilcoxon", "sign", "t"):
        why = equal[name].undefined
        assert why is not None
        assert "4 shared items" in why.reason
    same = paired_tests(np.ones(4))
    assert same["t"].undefined is not None
    assert same["t"].undefined.code == "no_variance"
    assert same["wilcoxon"].p_value == 0.125
    assert paired_tests(np.ones(1))["t"].undefined is not None
    assert set(same) == set(TESTS)


def test_thirds_that_differ_in_the_last_bit_are_ties() -> None:
    a = np.array([(1 + 2 + 2) / 3 - 1, 2 / 3])
    assert a[0] != a[1]
    assert len(set(snapped(a).tolist())) == 1

"""Counts, shares, tests and corrections, against plain loops and other libraries."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

import assay
from assay.corrections import benjamini_hochberg, holm
from assay.errors import InputError
from assay.preference.counts import PairCounts, matrix_of
from assay.preference.shares import CONVENTIONS, Result
from assay.preference.sign import binomial_p, by_item
from preference import comparing


@given(comparing.rows())
def test_counts_equal_a_plain_loop(rows: list[comparing.Row]) -> None:
    counts = PairCounts.of(comparing.read(rows))
    expected = comparing.counted(rows)
    names = counts.systems
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            wins, ties, losses = expected.get((a, b), (0, 0, 0))
            found = (counts.wins[i, j], counts.ties[i, j], counts.wins[j, i])
            assert found == (wins, ties, losses)
        assert counts.on_left[i] == sum(row[0] == a for row in rows)
    assert counts.n == len(rows)
    assert {(names[i], names[j]) for i, j in zip(counts.a, counts.b, strict=True)} == {
        tuple(sorted(row[:2])) for row in rows
    }


@given(comparing.rows())
def test_sides_change_places(rows: list[comparing.Row]) -> None:
    """Turning every comparison round changes nothing but which side is left."""
    turned = {"left": "right", "right": "left", "tie": "tie"}
    other = [(b, a, turned[w], r, i) for a, b, w, r, i in rows]
    one, two = PairCounts.of(comparing.read(rows)), PairCounts.of(comparing.read(other))
    assert np.array_equal(one.table, two.table)
    assert np.array_equal(one.a_left, two.b_left)


@given(comparing.rows())
def test_matrices_there_and_back(rows: list[comparing.Row]) -> None:
    counts = PairCounts.of(comparing.read(rows))
    again = PairCounts.of_matrices(counts.wins, counts.ties, counts.systems)
    assert np.array_equal(again.table, counts.table)
    assert np.array_equal(again.a, counts.a)


def test_systems_are_in_order_whatever_the_rows() -> None:
    rows = comparing.dense(1, n=60)
    one = assay.prefer(comparing.records(rows), bootstrap=None).to_dict()
    two = assay.prefer(comparing.records(rows[::-1]), bootstrap=None).to_dict()
    for document in (one, two):
        del document["source"], document["agreement"]
    assert one["strengths"] == two["strengths"]
    assert one["pairs"] == two["pairs"]
    assert one["position_bias"] == two["position_bias"]


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_shares(wins: int, ties: int, losses: int) -> None:
    result = Result(wins, ties, losses)
    n = wins + ties + losses
    for convention in CONVENTIONS:
        share = result.share(convention)
        whole = n - ties if convention == "ties_excluded" else n
        won = Fraction(wins) + (Fraction(ties, 2) if convention == "ties_half" else 0)
        if not whole:
            assert share.value is None
            assert share.undefined is not None
            assert share.undefined.code == ("no_comparison" if n == 0 else "no_decided_comparison")
            continue
        assert share.value == won / whole
        low, high = proportion_confint(float(won), whole, 0.05, "wilson")
        assert share.interval is not None
        assert share.interval.low == pytest.approx(low, abs=1e-12)
        assert share.interval.high == pytest.approx(high, abs=1e-12)


@given(st.integers(0, 1500), st.integers(0, 1500))
def test_binomial_p(wins: int, losses: int) -> None:
    p = binomial_p(np.array([wins]), np.array([wins + losses]))[0]
    if wins + losses == 0:
        assert np.isnan(p)
    else:
        assert p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-9, abs=1e-298)


P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20)


@given(P_VALUES)
def test_corrections(p: list[float]) -> None:
    given_ = np.array(p)
    for ours, method in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
        expected = multipletests(given_, method=method)[1]
        assert np.allclose(ours(given_), expected, rtol=1e-12, atol=0)
        gapped = ours(np.array([np.nan, *p]))
        assert np.isnan(gapped[0])
        assert np.array_equal(gapped[1:], ours(given_))


@given(comparing.rows())
def test_sign_test_over_items(rows: list[comparing.Row]) -> None:
    comparisons = comparing.read(rows)
    counts = PairCounts.of(comparisons)
    found = by_item(comparisons, counts.a, counts.b)
    net: dict[tuple[str, str, str], int] = {}
    for row in rows:
        a, b = sorted(row[:2])
        won = comparing.winner_of(row)
        net[row[4], a, b] = net.get((row[4], a, b), 0) + (
            0 if won is None else 1 if won == a else -1
        )
    if len(net) == len(rows):
        assert found is None
        return
    assert found is not None
    for r, (i, j) in enumerate(zip(counts.a, counts.b, strict=True)):
        signs = [
            v for (_, a, b), v in net.items() if (a, b) == (counts.systems[i], counts.systems[j])
        ]
        expected = [
            sum(s > 0 for s in signs),
            sum(s == 0 for s in signs),
            sum(s < 0 for s in signs),
        ]
        assert found[r].tolist() == expected


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([[0, 1]], "square"),
        ([[0, -1], [1, 0]], "whole numbers"),
        ([[0, 0.5], [1, 0]], "whole numbers"),
        ([[1, 1], [1, 0]], "diagonal"),
        ([["a", "b"], ["c", "d"]], "counts"),
        ([[0, 1], [1]], "one length"),
        ([[0, float("nan")], [1, 0]], "counts"),
    ],
)
def test_matrices_are_checked(values: object, says: str) -> None:
    with pytest.raises(InputError, match=says):
        matrix_of(values, "wins")

"""The bootstrap: reproducible, exact in what it merges, and what brute force says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.report.spans.summary import Settings, matches
from assay.spans.corpus import SpanSet
from assay.spans.figures import Convention
from assay.spans.resample import Rows, percentile
from assay.spans.score import Scores, mode_figures

TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 3), min_size=width, max_size=width), min_size=1, max_size=30
    )
)


@given(TABLES)
def test_equal_rows_are_merged_exactly(table):
    rows = Rows.of(np.array(table, dtype=np.int64))
    found = {tuple(row): n for row, n in zip(rows.rows.tolist(), rows.times.tolist(), strict=True)}
    assert found == Counter(map(tuple, table))
    assert len(found) == len(rows.rows)
    assert (rows.times @ rows.rows).tolist() == np.sum(table, axis=0).tolist()


@given(TABLES, st.integers(0, 30))
def test_parts_go_together_in_any_order(table, cut):
    whole = np.array(table, dtype=np.int64)
    parts = [Rows.of(whole[:cut]), Rows.of(whole[cut:])]
    if not all(len(part.rows) for part in parts):
        return
    one, two = parts[0].together(parts[1]), parts[1].together(parts[0])
    drawn = [rows.resampled(100, 3) for rows in (Rows.of(whole), one, two)]
    assert one.totals.tolist() == whole.sum(axis=0).tolist()
    assert np.array_equal(drawn[0], drawn[1])
    assert np.array_equal(drawn[0], drawn[2])


def test_rows_that_one_number_does_not_tell_apart():
    """Should the random form of two rows be equal, they are still told apart."""
    form = np.random.default_rng(7).integers(1, 1 << 62, 2, dtype=np.int64)
    with np.errstate(over="ignore"):
        # x and y with x · form = y · form modulo 2^64.
        one = np.array([int(form[1]), 0], dtype=np.int64)
        two = np.array([0, int(form[0])], dtype=np.int64)
        assert one @ form == two @ form
    rows = Rows.of(np.stack([one, two, one]))
    found = {tuple(row): n for row, n in zip(rows.rows.tolist(), rows.times.tolist(), strict=True)}
    assert found == {tuple(one.tolist()): 2, tuple(two.tolist()): 1}


def corpus(seed: int, n: int = 60) -> Scores:
    """Sentences with up to three spans, most of them found."""
    rng = np.random.default_rng(seed)
    gold, pred = [], []
    for k in range(n):
        for place in range(int(rng.integers(0, 4))):
            kind = "ABC"[int(rng.integers(0, 3))]
            span = (k, 4 * place, 4 * place + 2, kind)
            luck = rng.random()
            gold.append(span)
            if luck < 0.7:
                pred.append(span)
            elif luck < 0.85:
                pred.append((k, 4 * place, 4 * place + 3, kind))
        if rng.random() < 0.1:
            pred.append((k, 20, 21, "A"))
    return Scores.of(SpanSet.of(gold), SpanSet.of(pred), n)


def test_reproducible_by_its_seed():
    rows = Rows.of(corpus(1).table())
    one, two, other = (rows.resampled(200, seed) for seed in (5, 5, 6))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)
    assert one.shape == (200, rows.rows.shape[1])


def test_totals_are_those_of_corpora_of_the_same_size():
    table = np.column_stack([np.ones(37, dtype=np.int64), np.arange(37)])
    drawn = Rows.of(table).resampled(500, 0)
    assert (drawn[:, 0] == 37).all()
    assert drawn[:, 1].mean() == pytest.approx(37 * 18, rel=0.02)
    # The variance of the sum of 37 draws.
    assert drawn[:, 1].var() == pytest.approx(37 * np.arange(37).var(), rel=0.2)


@pytest.mark.parametrize("mode", ["exact", "partial", "overlap"])
def test_intervals_are_those_of_brute_force(mode):
    scores = corpus(2)
    table, columns = scores.table(), scores.columns
    rng = np.random.default_rng(11)
    picks = rng.integers(0, len(table), (4000, len(table)))
    brute = mode_figures(table[picks].sum(axis=1), columns, mode, Convention())
    ours = mode_figures(Rows.of(table).resampled(4000, 3), columns, mode, Convention())
    assert set(brute) == set(ours)
    for name, values in brute.items():
        for k in range(3):
            want, got = percentile(values[:, k], 0.9), percentile(ours[name][:, k], 0.9)
            spread = max(want[1] - want[0], 0.02)
            assert got == pytest.approx(want, abs=0.12 * spread), (name, k)
            assert ours[name][:, k].mean() == pytest.approx(values[:, k].mean(), abs=0.05 * spread)


def test_many_resamples_in_steps():
    """Drawn in pieces where the table has many distinct rows."""
    table = np.arange(90_000, dtype=np.int64).reshape(30_000, 3)
    drawn = Rows.of(table).resampled(150, 0)
    assert drawn.shape == (150, 3)
    mean = table.sum(axis=0)
    assert np.abs(drawn.mean(axis=0) / mean - 1).max() < 0.005


def test_percentile_leaves_out_what_is_not_defined():
    values = np.array([np.nan, 0.0, 1.0, 2.0, 3.0, 4.0])
    assert percentile(values, 0.5) == (1.0, 3.0)
    assert np.isnan(percentile(np.array([np.nan]), 0.95)).all()
    with pytest.raises(UsageError, match="at least 100"):
        Rows.of(np.ones((3, 1), dtype=np.int64)).resampled(10, 0)


def reported(scores: Scores, groups: np.ndarray | None = None, **options) -> list[dict]:
    rows = Rows.of(scores.table(groups=groups))
    return matches(rows, scores.columns, Settings(Convention(), groups=groups, **options))


def test_the_report_has_an_interval_for_every_figure():
    scores = corpus(4)
    found = reported(scores, resamples=400, seed=1)
    for row in found:
        for name, key in (
            ("precision", "precision_interval"),
            ("recall", "recall_interval"),
            ("f1", "interval"),
        ):
            interval = row[key]
            assert 0.0 <= interval["low"] <= row[name] <= interval["high"] <= 1.0
            method = "percentile bootstrap over sentences, 400 resamples"
            if row[name] == 1.0 == interval["high"] and "binomial" in interval["method"]:
                # All right in every resample: the exact limit for that many gold spans.
                assert interval["low"] == pytest.approx(0.025 ** (1 / row["support"]))
            else:
                assert interval["method"] == method
    assert found == reported(scores, resamples=400, seed=1)
    assert all(row["interval"] is None for row in reported(scores, resamples=0))


def test_documents_are_resampled_as_a_whole():
    scores = corpus(5)
    groups = np.repeat(np.arange(6), 10)
    by_document = reported(scores, resamples=2000, groups=groups)
    table = scores.table()
    summed = np.stack([table[groups == k].sum(axis=0) for k in range(6)])
    assert np.array_equal(scores.table(groups=groups), summed)
    exact = next(r for r in by_document if (r["mode"], r["type"]) == ("exact", "micro"))
    assert exact["interval"]["method"] == "percentile bootstrap over documents, 2000 resamples"
    picks = np.random.default_rng(0).integers(0, 6, (2000, 6))
    brute = mode_figures(summed[picks].sum(axis=1), scores.columns, "exact", Convention())
    low, high = percentile(brute["micro"][:, 2], 0.95)
    assert exact["interval"]["low"] == pytest.approx(low, abs=0.02)
    assert exact["interval"]["high"] == pytest.approx(high, abs=0.02)

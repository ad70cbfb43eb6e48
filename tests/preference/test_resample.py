"""Bootstrap: what is drawn, that it is what refitting would give, ranks and runs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import UsageError
from assay.preference.bradley_terry import MODELS, fit, maximise, problem_of
from assay.preference.counts import PairCounts
from assay.preference.ranks import rank, ranked, runs
from assay.preference.resample import UNITS, _drawer, _fits, _patterns, resample
from preference import comparing


def drawn(
    rows: Any, model: str = "half", unit: str = "items", times: int = 200, seed: int = 0
) -> Any:
    comparisons = comparing.read(rows)
    counts = PairCounts.of(comparisons)
    fitted = fit(counts, model)
    made = resample(comparisons, counts, fitted, unit=unit, resamples=times, seed=seed)
    return comparisons, counts, fitted, made


@pytest.mark.parametrize("model", MODELS)
def test_a_draw_is_a_fit_of_its_own(model: str) -> None:
    """Stacked fits equal fits one by one of the same tables, each from nothing."""
    comparisons = comparing.read(comparing.dense(2, k=4, n=150))
    counts = PairCounts.of(comparisons)
    fitted = fit(counts, model)
    _, draw = _drawer(comparisons, counts, "items", np.random.default_rng(7))
    tables = draw(20)
    ok = _fits(tables, counts, fitted)
    stack = maximise(problem_of(counts, fitted.parts, tables[ok], model), model)
    for row, table in zip(stack.strengths, tables[ok], strict=True):
        whole = np.rint(table).astype(np.int64)
        wins = np.zeros((4, 4), dtype=np.int64)
        ties = np.zeros_like(wins)
        wins[counts.a, counts.b], wins[counts.b, counts.a] = whole[:, 0], whole[:, 2]
        ties[counts.a, counts.b] = whole[:, 1]
        alone = assay.bradley_terry(wins, ties, model=model)
        assert np.allclose(alone.log_strengths, row, atol=1e-9)


@pytest.mark.parametrize("unit", UNITS)
def test_draws_are_of_whole_units(unit: str) -> None:
    """Each draw is a sum of units' tables, as many as there are units."""
    rows = comparing.dense(4, k=3, n=30)
    comparisons = comparing.read(rows)
    counts = PairCounts.of(comparisons)
    number, draw = _drawer(comparisons, counts, unit, np.random.default_rng(1))
    names = {"items": [r[4] for r in rows], "raters": [r[3] for r in rows]}
    units = names.get(unit, list(range(len(rows))))
    assert number == len(set(units))
    tables = {}
    for name in sorted(set(units), key=str):
        mine = [r for r, u in zip(rows, units, strict=True) if u == name]
        own = np.zeros((len(counts.a), 3))
        for (x, y), (w, t, v) in comparing.counted(mine).items():
            for p, (i, j) in enumerate(zip(counts.a, counts.b, strict=True)):
                if (counts.systems[i], counts.systems[j]) == (x, y):
                    own[p] = w, t, v
        tables[name] = own.ravel()
    basis = np.stack(list(tables.values()), axis=1)
    mean = np.zeros(basis.shape[0])
    many = draw(4000)
    assert many.shape == (4000, len(counts.a), 3)
    mean = many.reshape(4000, -1).mean(axis=0)
    spread = many.reshape(4000, -1).std(axis=0)
    assert np.allclose(mean, counts.table.ravel(), atol=5 * spread.max() / 4000**0.5 + 1e-12)
    # The variance of a sum of m drawn units is that of a draw, m times.
    expected = basis.var(axis=1) * number
    assert np.allclose(spread**2, expected, rtol=0.15, atol=0.05)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=30))
def test_patterns(pairs: list[tuple[int, int]]) -> None:
    cluster, cell = (np.array(x) for x in zip(*pairs, strict=True))
    _, cluster = np.unique(cluster, return_inverse=True)
    pattern, times = _patterns(cluster, cell, 4)
    expected = Counter(
        tuple(sorted(c for k, c in zip(cluster, cell, strict=True) if k == own))
        for own in range(cluster.max() + 1)
    )
    found = {}
    for row, n in zip(pattern.toarray(), times, strict=True):
        found[tuple(int(c) for c in np.repeat(np.arange(4), row.astype(int)))] = int(n)
    assert found == expected


def test_seeds() -> None:
    rows = comparing.dense(1, k=4)
    one, two = drawn(rows)[3], drawn(rows)[3]
    other = drawn(rows, seed=1)[3]
    assert np.array_equal(one.logs, two.logs)
    assert not np.array_equal(one.logs, other.logs)
    assert "seed 1" in other.method


@pytest.mark.parametrize("model", MODELS)
def test_intervals_hold_the_truth_about_as_often_as_they_say(model: str) -> None:
    """Of strengths that are known, with comparisons drawn anew each time."""
    truth = np.array([0.5, 0.3, 0.2])
    inside = total = 0
    for study in range(60):
        rng = np.random.default_rng(1000 + study)
        rows = []
        for i in range(240):
            a, b = rng.choice(3, 2, replace=False)
            won = rng.random() < truth[a] / (truth[a] + truth[b])
            rows.append(
                (
                    comparing.SYSTEMS[a],
                    comparing.SYSTEMS[b],
                    "left" if won else "right",
                    "x",
                    str(i),
                )
            )
        made = drawn(rows, model, "comparisons", times=200, seed=study)[3]
        for s in range(3):
            got = made.interval(s, 0.9)
            inside += got.low <= truth[s] <= got.high
            total += 1
    assert 0.82 <= inside / total <= 0.96


def test_draws_that_link_nothing_are_counted() -> None:
    rows = [("ant", "bee", "left", "x", "1"), ("ant", "bee", "right", "x", "2")]
    _, _, _, made = drawn(rows, unit="comparisons", times=400)
    # Of two comparisons, a draw has both with probability 1/2.
    assert 150 <= made.undefined <= 250
    assert len(made.logs) == 400 - made.undefined
    interval = made.interval(0, 0.95)
    assert (interval.resamples, interval.undefined) == (400, made.undefined)


def test_systems_without_a_strength_have_no_interval() -> None:
    rows = [*comparing.dense(1, k=3), ("dog", "ant", "left", "x", "1")]
    comparisons, _, fitted, made = drawn(rows)
    dog = comparisons.systems.index("dog")
    assert made.interval(dog, 0.95) is None
    assert made.interval(0, 0.95) is not None
    ranking = rank(fitted, made, 0.95)
    assert ranking.ranks[dog] is None
    assert ranking.intervals[dog] is None
    assert sorted(r for r in ranking.ranks if r) == [1, 2, 3]


def test_what_cannot_be_drawn_is_refused() -> None:
    rows = comparing.records(comparing.dense(1))
    with pytest.raises(UsageError, match="resample"):
        assay.prefer(rows, resample="documents")
    bare = [{k: row[k] for k in ("left", "right", "winner")} for row in rows]
    with pytest.raises(UsageError, match="no column names them"):
        assay.prefer(bare, resample="raters")
    for few in (0, 10):
        said = rf"from 100 is needed, not {few}; None \(--bootstrap 0\) means no resamples"
        with pytest.raises(UsageError, match=said):
            assay.prefer(rows, bootstrap=few)
    with pytest.raises(UsageError, match="seed"):
        assay.prefer(rows, seed=-1)
    with pytest.raises(UsageError, match="bootstrap=1000"):
        assay.prefer(rows, bootstrap=None, resample="items")


def test_one_unit_alone_gives_no_intervals() -> None:
    rows = comparing.records(comparing.dense(1))
    document = assay.prefer([row | {"item": 1} for row in rows]).to_dict()
    assert document["bootstrap"] is None
    assert document["no_bootstrap"]["code"] == "single_unit"
    assert all(one["interval"] is None and one["rank"] for one in document["strengths"])


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_ranked(values: list[int]) -> None:
    found = ranked(np.array(values, dtype=float))
    assert found.tolist() == [1 + sum(other > v for other in values) for v in values]


@settings(max_examples=60)
@given(st.integers(1, 7), st.data())
def test_runs_by_brute_force(k: int, data: st.DataObject) -> None:
    same = {(i, j): data.draw(st.booleans()) for i in range(k) for j in range(i + 1, k)}
    told = {pair: (-1.0, 1.0) if alike else (0.5, 1.0) for pair, alike in same.items()}
    whole = [
        tuple(range(i, j + 1))
        for i in range(k)
        for j in range(i, k)
        if all(same[a, b] for a in range(i, j + 1) for b in range(a + 1, j + 1))
    ]
    longest = [r for r in whole if not any(set(r) < set(other) for other in whole)]
    assert runs(range(k), told) == longest


def test_rank_intervals_by_hand() -> None:
    _, _, fitted, made = drawn(comparing.dense(9, k=4, n=200))
    ranking = rank(fitted, made, 0.9)
    for s in range(4):
        places = sorted(1 + sum(row[o] > row[s] + 1e-9 for o in range(4)) for row in made.logs)
        n = len(places)
        position = [0.05 * (n - 1), 0.95 * (n - 1)]
        low, high = places[int(np.floor(position[0]))], places[int(np.ceil(position[1]))]
        assert ranking.intervals[s] == (low, high)
        assert low <= ranking.ranks[s] <= high

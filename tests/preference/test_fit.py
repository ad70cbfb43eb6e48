"""Strengths: closed forms, an independent maximisation, other libraries, and where none exist."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

import assay
from assay.errors import InputError, UsageError
from assay.preference.bradley_terry import MODELS
from assay.preference.connected import all_connected, components
from assay.preference.counts import PairCounts
from preference import comparing

WITH_TIES = ("davidson", "rao-kupper")


def log_likelihood(
    model: str, x: np.ndarray, tie: float, wins: np.ndarray, ties: np.ndarray
) -> float:
    """By the definitions, one pair at a time, on strengths and not on their differences."""
    p = np.exp(x)
    total = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if i == j:
                continue
            t = ties[i, j] / 2.0  # each unordered pair comes twice
            if model in ("half", "drop"):
                weight = wins[i, j] + (t if model == "half" else 0.0)
                total += weight * math.log(p[i] / (p[i] + p[j]))
            elif model == "davidson":
                root = tie * math.sqrt(p[i] * p[j])
                total += wins[i, j] * math.log(p[i] / (p[i] + p[j] + root))
                total += t * math.log(root / (p[i] + p[j] + root)) if t else 0.0
            else:
                total += wins[i, j] * math.log(p[i] / (p[i] + tie * p[j]))
                if t:
                    top = (tie**2 - 1.0) * p[i] * p[j]
                    total += t * math.log(top / ((p[i] + tie * p[j]) * (tie * p[i] + p[j])))
    return total


def independent(model: str, wins: np.ndarray, ties: np.ndarray) -> tuple[np.ndarray, float, float]:
    """The largest likelihood by SciPy, which knows nothing of derivatives here."""
    k = len(wins)

    def parts(z: np.ndarray) -> tuple[np.ndarray, float]:
        x = np.append(z[: k - 1], 0.0)
        if model == "davidson":
            return x, math.exp(z[-1])
        return x, 1.0 + math.exp(z[-1]) if model == "rao-kupper" else 1.0

    def loss(z: np.ndarray) -> float:
        return -log_likelihood(model, *parts(z), wins, ties)

    start = np.zeros(k - 1 + (model in WITH_TIES))
    best = minimize(loss, start, method="BFGS", options={"gtol": 1e-9, "maxiter": 2000})
    best = minimize(
        loss,
        best.x,
        method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 20000, "adaptive": True},
    )
    x, tie = parts(best.x)
    return x - x.mean(), tie, -best.fun


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", range(4))
def test_against_an_independent_maximisation(model: str, seed: int) -> None:
    counts = PairCounts.of(comparing.read(comparing.dense(seed, k=4, n=200)))
    fit = assay.bradley_terry(counts.wins, counts.ties, model=model)
    x, tie, value = independent(model, counts.wins, counts.ties)
    ours = np.array(fit.log_strengths)
    assert fit.gradient <= 1e-12
    assert np.allclose(ours, x, atol=2e-6)
    if model in WITH_TIES:
        assert fit.tie_parameter == pytest.approx(tie, abs=1e-5)
    own = log_likelihood(model, ours, fit.tie_parameter or 1.0, counts.wins, counts.ties)
    assert fit.log_likelihood == pytest.approx(own, rel=1e-12)
    assert own >= value - 1e-9 * abs(value)


@given(st.integers(1, 500), st.integers(0, 500), st.integers(1, 500))
def test_two_systems_in_closed_form(w: int, t: int, v: int) -> None:
    """Each model reproduces the shares of two systems exactly, or has the known ratio."""
    wins, ties = [[0, w], [v, 0]], [[0, t], [0, 0]]
    n = w + t + v
    for model, ratio in (("drop", w / v), ("half", (w + t / 2) / (v + t / 2))):
        fit = assay.bradley_terry(wins, ties, model=model)
        assert fit.strengths[0] == pytest.approx(ratio / (1 + ratio), rel=1e-9)
    # Saturated: three outcomes, two free parameters.
    for model in WITH_TIES:
        fit = assay.bradley_terry(wins, ties, model=model)
        assert fit.probabilities("1", "2") == pytest.approx((w / n, t / n, v / n), abs=1e-9)
    davidson = assay.bradley_terry(wins, ties, model="davidson")
    assert davidson.tie_parameter == pytest.approx(t / math.sqrt(w * v), rel=1e-8, abs=1e-12)
    assert davidson.log_strengths[0] == pytest.approx(math.log(w / v) / 2, abs=1e-9)
    rao = assay.bradley_terry(wins, ties, model="rao-kupper")
    theta = math.sqrt((w + t) * (v + t) / (w * v))
    assert rao.tie_parameter == pytest.approx(theta, rel=1e-9)
    assert rao.strengths[0] == pytest.approx(theta * w / (theta * w + v + t), rel=1e-9)


@pytest.mark.parametrize("model", ["half", "drop"])
@pytest.mark.parametrize("seed", range(3))
def test_against_choix(model: str, seed: int) -> None:
    choix = pytest.importorskip("choix")
    counts = PairCounts.of(comparing.read(comparing.dense(seed + 10, k=5, n=300)))
    games = []
    for i in range(5):
        for j in range(5):
            times = 2 * counts.wins[i, j] + (counts.ties[i, j] if model == "half" else 0)
            games += [(i, j)] * int(times)
    expected = choix.ilsr_pairwise(5, games, alpha=0.0, tol=1e-13)
    fit = assay.bradley_terry(counts.wins, counts.ties, model=model)
    assert np.allclose(fit.log_strengths, expected - expected.mean(), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_against_evalica(seed: int) -> None:
    evalica = pytest.importorskip("evalica")
    rows = comparing.dense(seed + 20, k=5, n=300)
    winner = {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    result = evalica.bradley_terry(
        [r[0] for r in rows], [r[1] for r in rows], [winner[r[2]] for r in rows],
        tolerance=1e-14, limit=100_000,
    )  # fmt: skip
    scores = result.scores / result.scores.sum()
    fit = assay.bradley_terry(comparing.read(rows))
    for name, strength in zip(fit.systems, fit.strengths, strict=True):
        assert strength == pytest.approx(scores[name], abs=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_expected_wins_equal_observed(model: str) -> None:
    """The defining property: each system's expected score is the one it has."""
    counts = PairCounts.of(comparing.read(comparing.dense(3, n=400)))
    fit = assay.bradley_terry(counts.wins, counts.ties, systems=counts.systems, model=model)
    half = 0.0 if model == "drop" else 0.5
    for i, a in enumerate(fit.systems):
        score = expected = 0.0
        for j, b in enumerate(fit.systems):
            if i == j:
                continue
            win, tie, _ = fit.probabilities(a, b)
            n = counts.wins[i, j] + counts.wins[j, i] + (counts.ties[i, j] if half else 0)
            score += counts.wins[i, j] + half * counts.ties[i, j]
            expected += n * (win + tie / 2)
        if model != "rao-kupper":  # whose sufficient statistics are others
            assert expected == pytest.approx(score, abs=1e-8)
        total = sum(fit.probabilities(fit.systems[0], fit.systems[1]))
        assert total == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("model", MODELS)
def test_laws(model: str) -> None:
    rows = comparing.dense(5, n=300)
    counts = PairCounts.of(comparing.read(rows))
    fit = assay.bradley_terry(counts.wins, counts.ties, model=model)
    again = assay.bradley_terry(7 * counts.wins, 7 * counts.ties, model=model)
    assert np.allclose(fit.strengths, again.strengths, atol=1e-13)
    order = np.array([3, 1, 4, 0, 2])
    moved = assay.bradley_terry(
        counts.wins[np.ix_(order, order)], counts.ties[np.ix_(order, order)], model=model
    )
    assert np.allclose(np.array(fit.strengths)[order], moved.strengths, atol=1e-13)
    turned = assay.bradley_terry(counts.wins.T, counts.ties, model=model)
    assert np.allclose(turned.log_strengths, -np.array(fit.log_strengths), atol=1e-12)
    assert sum(fit.strengths) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("model", WITH_TIES)
def test_without_ties_a_model_of_ties_is_the_plain_one(model: str) -> None:
    wins = PairCounts.of(comparing.read(comparing.dense(6, ties=0.0))).wins
    fit, plain = assay.bradley_terry(wins, model=model), assay.bradley_terry(wins)
    assert fit.strengths == plain.strengths
    assert fit.tie_parameter == (0.0 if model == "davidson" else 1.0)


def test_lopsided_counts_converge() -> None:
    """Chains of a million wins to one still end at the top of the likelihood."""
    k = 12
    wins = np.zeros((k, k), dtype=int)
    for i in range(k - 1):
        wins[i, i + 1], wins[i + 1, i] = 1_000_000, 1
    for model in MODELS:
        ties = np.zeros_like(wins)
        ties[0, 1] = 3
        fit = assay.bradley_terry(wins, ties, model=model)
        assert fit.gradient <= 1e-12
        assert fit.undefined == (None,) * k
    plain = assay.bradley_terry(wins)
    gaps = -np.diff(plain.log_strengths)
    assert np.allclose(gaps, math.log(1_000_000), atol=1e-6)


def test_islands_and_one_way_links() -> None:
    wins = np.zeros((6, 6), dtype=int)
    wins[0, 1], wins[1, 0], wins[2, 3], wins[3, 2] = 4, 1, 5, 2
    fit = assay.bradley_terry(wins, systems=list("abcdef"))
    assert fit.components == (("a", "b"), ("c", "d"), ("e",), ("f",))
    assert not fit.parts.linked
    assert [u and u.code for u in fit.undefined[4:]] == ["not_linked"] * 2
    wins[1, 2] = 1  # {a, b} above {c, d}
    wins[4, 0] = 2  # e above all that it met
    wins[3, 5] = 2  # f below
    fit = assay.bradley_terry(wins, systems=list("abcdef"))
    assert fit.components == (("a", "b"), ("c", "d"), ("e",), ("f",))
    assert fit.parts.linked
    assert set(fit.parts.above) == {(0, 1), (2, 0), (1, 3)}
    assert [u and u.code for u in fit.undefined] == [None] * 4 + ["never_loses", "never_wins"]
    assert fit.strengths[0] == pytest.approx(0.8, rel=1e-12)
    assert fit.strengths[2] == pytest.approx(5 / 7, rel=1e-12)
    with pytest.raises(InputError, match="no strengths on one scale"):
        fit.probabilities("a", "c")
    with pytest.raises(InputError, match="e never loses"):
        fit.probabilities("e", "a")
    wins[0, 4] = wins[5, 2] = wins[2, 1] = 1
    assert len(assay.bradley_terry(wins).components) == 1


def test_a_link_between_parts_has_a_name() -> None:
    wins = np.zeros((5, 5), dtype=int)
    wins[0, 1] = wins[1, 0] = wins[3, 4] = wins[4, 3] = 1
    wins[0, 2] = wins[2, 3] = 1
    fit = assay.bradley_terry(wins)
    assert fit.undefined[2] is not None
    assert fit.undefined[2].code == "between_parts"


@given(comparing.rows(most=25))
def test_parts_by_brute_force(rows: list[comparing.Row]) -> None:
    """Two systems are in one part if each reaches the other, by Warshall's closure."""
    counts = PairCounts.of(comparing.read(rows))
    beats = (counts.wins + counts.ties) > 0
    reach = beats | np.eye(len(beats), dtype=bool)
    for m in range(len(beats)):
        reach |= reach[:, [m]] & reach[[m], :]
    both = reach & reach.T
    found = components(beats)
    assert np.array_equal(found.of[:, None] == found.of[None, :], both)
    sizes = [len(part) for part in found.members]
    assert sizes == sorted(sizes, reverse=True)
    assert all_connected(beats[None], found.of).all()
    whole = np.zeros(len(beats), dtype=np.int64)
    assert all_connected(beats[None], whole)[0] == (len(found.members) == 1)


@given(comparing.rows(most=8, systems=4))
def test_models_of_ties_exist_where_linear_programming_says(rows: list[comparing.Row]) -> None:
    """A direction along which no probability of what was seen falls, found by another method."""
    counts = PairCounts.of(comparing.read(rows))
    fit = assay.bradley_terry(counts.wins, counts.ties, model="davidson")
    within = fit.parts.of[counts.a] == fit.parts.of[counts.b]
    table, a, b = counts.table[within], counts.a[within], counts.b[within]
    if not len(table) or not table[:, 1].any() or not table[:, [0, 2]].any():
        return
    upper, least = [], []
    for (w, t, v), i, j in zip(table.tolist(), a, b, strict=True):
        for there, sign, bound in ((w, -1, -1), (v, 1, -1), (t, 1, 1), (t, -1, 1)):
            if there:
                row = np.zeros(counts.k)
                row[i], row[j] = sign, -sign
                upper.append(row)
                least.append(bound)
    free = linprog(np.zeros(counts.k), upper, least, bounds=(None, None)).status == 0
    codes = {
        u.code
        for s, u in enumerate(fit.undefined)
        if u and (fit.parts.of == fit.parts.of[s]).sum() > 1
    }
    assert codes == ({"ties_separate"} if free else set())
    if not free:
        assert fit.gradient <= 1e-12


def test_ties_only_and_ties_that_separate() -> None:
    none, ties = [[0, 0], [0, 0]], [[0, 5], [5, 0]]
    assert assay.bradley_terry(none, ties).strengths == (0.5, 0.5)
    for model in WITH_TIES:
        fit = assay.bradley_terry(none, ties, model=model)
        assert {u.code for u in fit.undefined if u} == {"no_decided_comparison"}
        one_way = assay.bradley_terry([[0, 3], [0, 0]], ties, model=model)
        assert {u.code for u in one_way.undefined if u} == {"ties_separate"}
        assert one_way.tie_parameter is None
    dropped = assay.bradley_terry(none, ties, model="drop")
    assert [u.code for u in dropped.undefined if u] == ["not_linked"] * 2


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        (([[0]],), {}, InputError),
        (([[0, 1], [1, 0]], [[0, 1], [0, 0], [0, 0]]), {}, InputError),
        (([[0, 1], [1, 0]], [[0, 1], [2, 0]]), {}, InputError),
        (([[0, 1], [1, 0]],), {"systems": ["a"]}, InputError),
        (([[0, 1], [1, 0]],), {"systems": ["a", "a"]}, InputError),
        (([[0, 1], [1, 0]],), {"model": "halve"}, UsageError),
    ],
)
def test_bad_matrices(arguments: tuple[Any, ...], options: dict[str, Any], error: type) -> None:
    with pytest.raises(error):
        assay.bradley_terry(*arguments, **options)

"""Standard errors against resampling and against derivatives taken by small steps."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import pytest

import assay
from agreement.datasets import ABSTRACTORS, DIAGNOSIS, TWO_RATERS, wide
from agreement.reference import Rows, jackknife

STEP = 1e-6


def delta_method(statistic: Callable[[Any], float], table: Rows) -> float:
    """√((Σ p g² − (Σ p g)²) / n) with g the derivatives of a statistic of cell shares."""
    cells = np.array(table, dtype=float)
    n = cells.sum()
    shares = cells / n
    slopes = np.zeros_like(shares)
    for i, j in np.ndindex(shares.shape):
        step = np.zeros_like(shares)
        step[i, j] = STEP
        slopes[i, j] = (statistic(shares + step) - statistic(shares - step)) / (2 * STEP)
    return sqrt(((shares * slopes**2).sum() - (shares * slopes).sum() ** 2) / n)


def kappa_of(weights: Any) -> Callable[[Any], float]:
    def statistic(p: Any) -> float:
        # Of shares that need not add up to 1, as a function of every cell on its own.
        rows, columns = p.sum(axis=1), p.sum(axis=0)
        total = p.sum()
        po = (weights * p).sum() / total
        pe = rows @ weights @ columns / total**2
        return float((po - pe) / (1 - pe))

    return statistic


def bangdiwala(p: Any) -> float:
    return float((np.diag(p) ** 2).sum() / (p.sum(axis=1) @ p.sum(axis=0)))


TABLES = {
    "abstractors": ABSTRACTORS,
    "diagnosis": DIAGNOSIS,
    **{name: TWO_RATERS[name] for name in ("Cohen 1960, p. 45", "Agresti, carcinoma")},
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
def test_kappa_by_the_delta_method(name: str, weights: str) -> None:
    table = TABLES[name]
    k = len(table)
    gap = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / (k - 1)
    matrix = {"identity": np.eye(k), "linear": 1 - gap, "quadratic": 1 - gap**2}[weights]
    got = assay.cohen_kappa(table=table, weights=weights)
    assert got.standard_error == pytest.approx(delta_method(kappa_of(matrix), table), rel=1e-6)


@pytest.mark.parametrize("name", TABLES)
def test_bangdiwala_by_the_delta_method(name: str) -> None:
    got = assay.bangdiwala_b(table=TABLES[name])
    assert got.standard_error == pytest.approx(delta_method(bangdiwala, TABLES[name]), rel=1e-6)


def noisy(seed: int, items: int, raters: int, q: int, error: float) -> Rows:
    """Complete ratings: a true label, and an error of up to two steps now and then."""
    random = np.random.default_rng(seed)
    truth = random.integers(1, q + 1, items)
    moved = random.random((items, raters)) < error
    step = random.integers(-2, 3, (items, raters))
    found = np.clip(truth[:, None] + moved * step, 1, q)
    return [[int(x) for x in row] for row in found]


COEFFICIENTS: dict[str, Any] = {
    "fleiss": assay.fleiss_kappa,
    "pooled": lambda d: assay.fleiss_kappa(d, estimator="pooled"),
    "pair-weighted": lambda d: assay.fleiss_kappa(d, estimator="pair-weighted"),
    "fleiss1981": lambda d: assay.fleiss_kappa(d, estimator="fleiss1981"),
    "weighted fleiss": lambda d: assay.fleiss_kappa(d, weights="linear"),
    "conger": assay.conger_kappa,
    "weighted conger": lambda d: assay.conger_kappa(d, weights="quadratic"),
    "light": assay.light_kappa,
    "weighted light": lambda d: assay.light_kappa(d, weights="linear"),
    "ac1": assay.gwet_ac,
    "ac2": lambda d: assay.gwet_ac(d, weights="quadratic"),
    "bp": assay.brennan_prediger,
    "percent": assay.percent_agreement,
    "unanimous": assay.unanimous_agreement,
    "alpha": assay.krippendorff_alpha,
    "ordinal alpha": lambda d: assay.krippendorff_alpha(d, metric="ordinal"),
    "interval alpha": lambda d: assay.krippendorff_alpha(d, metric="interval"),
    "ratio alpha": lambda d: assay.krippendorff_alpha(d, metric="ratio"),
    "circular alpha": lambda d: assay.krippendorff_alpha(d, metric="circular"),
    "alpha by weights": lambda d: assay.krippendorff_alpha(d, weights="linear"),
}


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_linearised_is_near_the_jackknife(name: str) -> None:
    rows = noisy(7, 150, 3, 5, 0.5)
    function = COEFFICIENTS[name]

    def value(part: Rows) -> float:
        return float(function(wide(part, categories=[1, 2, 3, 4, 5])))

    got = function(wide(rows, categories=[1, 2, 3, 4, 5]))
    assert got.standard_error == pytest.approx(jackknife(value, rows), rel=0.03)


@pytest.mark.parametrize(
    "name", ["pooled", "pair-weighted", "fleiss1981", "alpha", "ordinal alpha", "interval alpha"]
)
def test_with_missing_ratings(name: str) -> None:
    random = np.random.default_rng(3)
    rows = [[x if random.random() < 0.7 else None for x in row] for row in noisy(8, 200, 4, 4, 0.4)]
    function = COEFFICIENTS[name]
    # Over the items with two ratings or more, which are the ones that these coefficients use.
    rows = [row for row in rows if sum(x is not None for x in row) >= 2]

    def value(part: Rows) -> float:
        return float(function(wide(part, categories=[1, 2, 3, 4])))

    got = function(wide(rows, categories=[1, 2, 3, 4]))
    assert got.standard_error == pytest.approx(jackknife(value, rows), rel=0.04)


def test_light_over_pairs_that_share_some_items() -> None:
    random = np.random.default_rng(4)
    rows = [[x if random.random() < 0.8 else None for x in row] for row in noisy(9, 250, 3, 3, 0.4)]
    rows = [row for row in rows if any(x is not None for x in row)]
    got = assay.light_kappa(wide(rows))
    assert got.standard_error == pytest.approx(
        jackknife(lambda part: float(assay.light_kappa(wide(part))), rows), rel=0.04
    )


def test_the_error_of_ordinal_alpha_includes_that_of_the_ranks() -> None:
    """With the ranks held fixed the error would be another."""
    rows = noisy(11, 120, 3, 6, 0.7)
    got = assay.krippendorff_alpha(wide(rows), metric="ordinal")
    brute = jackknife(
        lambda part: float(assay.krippendorff_alpha(wide(part), metric="ordinal")), rows
    )
    pooled = [x for row in rows for x in row]
    rank = {x: sum(y < x for y in pooled) + (pooled.count(x) + 1) / 2 for x in set(pooled)}
    fixed = assay.krippendorff_alpha(
        wide([[rank[x] for x in row] for row in rows]), metric="interval"
    )
    assert fixed.value == got.value
    assert got.standard_error == pytest.approx(brute, rel=0.02)
    assert abs(fixed.standard_error / got.standard_error - 1) > 0.005


def test_pearson_and_lin_intervals_cover() -> None:
    """Fisher's interval holds the true correlation in about 95 % of samples."""
    random = np.random.default_rng(0)
    hits = {"pearson": 0, "lin_ccc": 0, "spearman": 0}
    truth = {"pearson": 0.8, "lin_ccc": 0.8, "spearman": 6 / np.pi * np.arcsin(0.4)}
    for _ in range(200):
        x = random.normal(size=60)
        y = 0.8 * x + 0.6 * random.normal(size=60)
        for name in hits:
            interval = getattr(assay, name)(x, y).interval()
            hits[name] += interval.low <= truth[name] <= interval.high
    assert all(180 <= hit <= 199 for hit in hits.values()), hits


@pytest.mark.parametrize("form", ["icc_1", "icc_a_1", "icc_c_1"])
def test_icc_intervals_cover(form: str) -> None:
    random = np.random.default_rng(1)
    hits = 0
    for _ in range(200):
        items = random.normal(size=(25, 1))
        raters = 0.0 if form != "icc_a_1" else 0.5 * random.normal(size=(1, 4))
        scores = items + raters + random.normal(size=(25, 4))
        truth = 1 / 2.25 if form == "icc_a_1" else 0.5
        interval = assay.icc(np.round(scores, 6), form=form).interval()
        hits += interval.low <= truth <= interval.high
    assert 180 <= hits <= 199


def test_gwets_interval_covers_and_the_null_error_does_not() -> None:
    random = np.random.default_rng(2)
    kappas, linearised, null = [], 0, 0
    samples = []
    for _ in range(150):
        truth = random.integers(0, 3, 50)
        kept = random.random((50, 5)) < 0.6
        labels = np.where(kept, truth[:, None], random.integers(0, 3, (50, 5)))
        samples.append([[list(row).count(k) for k in range(3)] for row in labels])
    target = 0.36
    for sample in samples:
        got = assay.fleiss_kappa(counts=sample)
        kappas.append(got.value)
        interval = got.interval()
        linearised += interval.low <= target <= interval.high
        null += abs(got.value - target) <= 1.96 * got.tests[1].standard_error
    assert np.mean(kappas) == pytest.approx(target, abs=0.02)
    assert linearised >= 134
    assert null <= 125

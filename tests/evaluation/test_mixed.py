"""The mixed model against closed forms, dense matrices and statsmodels."""

from __future__ import annotations

from itertools import combinations
from math import erfc, sqrt

import numpy as np
import pytest
from scipy.optimize import minimize

import assay
from assay.evaluation import mixed
from assay.evaluation.mixed import mixed_model
from assay.evaluation.read import read_systems
from assay.evaluation.reml import at, sums_of
from conftest import lacking


def rows_of(items, raters, systems, values):
    return [
        {"item": f"i{i:03}", "rater": f"r{r:03}", "system": f"s{s}", "value": float(v)}
        for i, r, s, v in zip(items, raters, systems, values, strict=True)
    ]


def drawn(seed, items=10, raters=4, systems=3, kept=1.0, spread=(0.8, 0.6)):
    """Codes and values of a study from the model itself, some ratings absent."""
    rng = np.random.default_rng(seed)
    grid = np.meshgrid(*map(np.arange, (items, raters, systems)), indexing="ij")
    i, r, s = (axis.ravel() for axis in grid)
    there = rng.random(len(i)) < kept
    i, r, s = i[there], r[there], s[there]
    by_item, by_rater = rng.normal(size=items) * spread[0], rng.normal(size=raters) * spread[1]
    return i, r, s, 3 + 0.4 * s + by_item[i] + by_rater[r] + rng.normal(size=len(i))


def fitted(items, raters, systems, values):
    """The model; rows come by system, so that codes of systems are their numbers."""
    rows = sorted(rows_of(items, raters, systems, values), key=lambda row: row["system"])
    return mixed_model(read_systems(rows, scale="interval").dimensions[0])


def dense(items, raters, systems, y, ratios):
    """−2 × the restricted log likelihood, β and its covariance with all matrices written out."""
    zi, zr, x = (np.eye(codes.max() + 1)[codes] for codes in (items, raters, systems))
    zi, zr, x = (z[:, z.any(0)] for z in (zi, zr, x))
    v = np.eye(len(y)) + ratios[0] * zi @ zi.T + ratios[1] * zr @ zr.T
    inverse = np.linalg.inv(v)
    information = x.T @ inverse @ x
    beta = np.linalg.solve(information, x.T @ inverse @ y)
    rest = y - x @ beta
    free = len(y) - x.shape[1]
    residual = rest @ inverse @ rest / free
    logs = np.linalg.slogdet(v)[1] + np.linalg.slogdet(information)[1]
    deviance = free * (np.log(2 * np.pi * residual) + 1) + logs
    return deviance, beta, residual * np.linalg.inv(information), residual


def reduced(items, raters, systems, y):
    factors = {"item": items, "rater": raters}
    sizes = {name: int(codes.max()) + 1 for name, codes in factors.items()}
    return sums_of(y, systems, factors, sizes, int(systems.max()) + 1)


@pytest.mark.parametrize("shape", [(8, 3), (3, 8)])
@pytest.mark.parametrize("ratios", [(0.5, 0.3), (0.0, 2.0), (4.0, 0.0), (0.0, 0.0), (50.0, 90.0)])
def test_the_likelihood_from_sums_is_that_of_dense_matrices(shape, ratios):
    i, r, s, y = drawn(3, items=shape[0], raters=shape[1], kept=0.8)
    y = y - (np.bincount(s, y) / np.bincount(s))[s]
    sums = reduced(i, r, s, y)
    named = dict(zip(("item", "rater"), ratios, strict=True))
    point = at(sums, (named[sums.names[0]], named[sums.names[1]]))
    deviance, beta, covariance, _ = dense(i, r, s, y, ratios)
    assert point is not None
    assert point.deviance == pytest.approx(deviance, abs=1e-9)
    assert point.beta == pytest.approx(beta, abs=1e-9)
    assert point.covariance == pytest.approx(covariance, abs=1e-9)


def test_the_slope_is_the_difference_of_likelihoods():
    i, r, s, y = drawn(4, kept=0.7)
    sums, step = reduced(i, r, s, y), 1e-5
    point = at(sums, (0.7, 0.2))
    assert point is not None
    for k in range(2):
        up, down = (
            at(sums, (0.7 * np.exp(sign * step * (k == 0)), 0.2 * np.exp(sign * step * (k == 1))))
            for sign in (1, -1)
        )
        assert up is not None
        assert down is not None
        expected = (up.deviance - down.deviance) / (2 * step)
        assert point.slope[k] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_balanced_data_have_the_closed_form_of_the_analysis_of_variance(seed):
    """Searle, Casella and McCulloch (1992): REML is ANOVA where that is positive."""
    a, b, p = 9, 5, 3
    i, r, s, y = drawn(seed, a, b, p, spread=(1.0, 1.0))
    cube = y.reshape(a, b, p)
    by_item, by_rater, by_system = cube.mean((1, 2)), cube.mean((0, 2)), cube.mean((0, 1))
    rest = cube - by_item[:, None, None] - by_rater[None, :, None] - by_system + 2 * cube.mean()
    residual = (rest**2).sum() / (a * b * p - a - b - p + 2)
    item = (b * p * by_item.var(ddof=1) - residual) / (b * p)
    rater = (a * p * by_rater.var(ddof=1) - residual) / (a * p)
    assert min(item, rater) > 0
    found = fitted(i, r, s, y)
    expected = {"item": item, "rater": rater, "residual": residual}
    assert found.variances == pytest.approx(expected, rel=1e-8)
    assert sum(found.shares.values()) == pytest.approx(1.0)
    error = sqrt(2 * residual / (a * b))
    for one, (x, z) in zip(found.differences, combinations(range(p), 2), strict=True):
        assert one.value == pytest.approx(by_system[x] - by_system[z])
        assert one.standard_error == pytest.approx(error)
        assert one.p_value == pytest.approx(erfc(abs(one.value) / error / sqrt(2)))
        limits = one.interval(0.9)
        half = 1.6448536269514722 * error
        assert (limits.low, limits.high) == pytest.approx((one.value - half, one.value + half))


@pytest.mark.parametrize("seed", range(5))
def test_dense_matrices_have_no_larger_likelihood(seed):
    """A direct search over both variances, without anything that the module uses."""
    i, r, s, y = drawn(seed, 8, 4, 3, kept=0.6)
    found = fitted(i, r, s, y)

    def deviance(roots):
        return dense(i, r, s, y, roots**2)[0]

    starts = ([1.0, 1.0], [0.1, 1.0], [1.0, 0.1])
    options = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}
    best = min(
        (minimize(deviance, x, method="Nelder-Mead", options=options) for x in starts),
        key=lambda got: got.fun,
    )
    assert found.log_likelihood == pytest.approx(-0.5 * best.fun, abs=1e-6)
    _, beta, covariance, residual = dense(i, r, s, y, best.x**2)
    expected = dict(zip(("item", "rater"), best.x**2 * residual, strict=True))
    assert found.variances == pytest.approx(expected | {"residual": residual}, abs=1e-3)
    for one, (x, z) in zip(found.differences, combinations(range(3), 2), strict=True):
        variance = covariance[x, x] + covariance[z, z] - 2 * covariance[x, z]
        assert one.value == pytest.approx(beta[x] - beta[z], abs=1e-4)
        assert one.standard_error == pytest.approx(sqrt(variance), abs=1e-4)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(3))
def test_statsmodels_agrees(seed):
    try:
        import pandas as pd
        from statsmodels.formula.api import mixedlm
    except ImportError:
        lacking("statsmodels is not installed: pip install 'assay[test]'")
    i, r, s, y = drawn(seed, 14, 6, 3, kept=0.7)
    found = fitted(i, r, s, y)
    frame = pd.DataFrame({"y": y, "i": i, "r": r, "s": s.astype(str), "all": 1})
    parts = {"item": "0 + C(i)", "rater": "0 + C(r)"}
    peer = mixedlm("y ~ s", frame, groups="all", vc_formula=parts).fit(reml=True)
    expected = dict(zip(peer.model.exog_vc.names, peer.vcomp, strict=True))
    assert found.variances == pytest.approx(expected | {"residual": peer.scale}, rel=2e-3)
    assert found.log_likelihood == pytest.approx(peer.llf, abs=1e-4)
    for one in found.differences[:2]:
        # s0 is the peer's intercept, so its other terms are differences from it.
        term = f"s[T.{one.second}]"
        assert -one.value == pytest.approx(peer.params[term], abs=1e-4)
        # The peer's errors come from a numerical Hessian over β and the variances together.
        assert one.standard_error == pytest.approx(peer.bse[term], rel=5e-3)
        assert one.p_value == pytest.approx(peer.pvalues[term], abs=5e-3)


def test_neither_the_unit_nor_the_order_matters():
    i, r, s, y = drawn(7, kept=0.7)
    found = fitted(i, r, s, y)
    order = np.random.default_rng(0).permutation(len(y))
    rows = rows_of(i[order], r[order], s[order], 1000 * y[order] - 5e4)
    dimension = read_systems(rows, scale="interval").dimensions[0]
    turned = mixed_model(dimension)
    scaled = {name: 1e6 * value for name, value in found.variances.items()}
    assert turned.variances == pytest.approx(scaled, rel=1e-6)
    names = dimension.system_names
    told = {(names[one.first], names[one.second]): one.statistic for one in turned.differences}
    assert list(names) != sorted(names)
    for one in found.differences:
        pair = f"s{one.first}", f"s{one.second}"
        got = told[pair] if pair in told else -told[pair[::-1]]
        assert got == pytest.approx(one.statistic)
    free = len(y) - 3
    assert turned.log_likelihood == pytest.approx(found.log_likelihood - free * np.log(1000))


def test_cross_products_made_anew_are_those_that_are_kept(monkeypatch):
    i, r, s, y = drawn(9, items=12, raters=5, kept=0.5)
    kept = fitted(i, r, s, y)
    monkeypatch.setattr("assay.evaluation.reml.KEPT", 0)
    anew = fitted(i, r, s, y)
    assert anew.variances == pytest.approx(kept.variances, rel=1e-9)
    assert anew.log_likelihood == pytest.approx(kept.log_likelihood, rel=1e-12)


def test_a_variance_below_0_is_0_and_said():
    """Raters whose means are equal: the ANOVA estimator is below 0."""
    i, r, s, y = drawn(1, 6, 4, 2)
    cube = y.reshape(6, 4, 2)
    y = (cube - cube.mean((0, 2))[None, :, None] + cube.mean()).ravel()
    found = fitted(i, r, s, y)
    assert found.variances["rater"] == 0.0
    assert found.variances["item"] > 0.0
    assert [one.code for one in found.remarks] == [
        "zero_variance", "few_levels", "output_not_modelled",
    ]  # fmt: skip
    without = mixed_model(
        read_systems(
            [{k: v for k, v in row.items() if k != "rater"} for row in rows_of(i, r, s, y)],
            scale="interval",
        ).dimensions[0]
    )
    assert without.random == ("item",)
    assert without.variances["item"] == pytest.approx(found.variances["item"], rel=1e-6)


def test_effects_that_cannot_be_in_the_model_are_named():
    i, r, s, y = drawn(2, 8, 1, 3)
    found = fitted(i, r, s, y)
    assert found.random == ("item",)
    assert [(name, why.code) for name, why in found.left_out] == [("rater", "single_level")]
    # A new item for every rating: what items add is in the residual.
    i, r, s, y = drawn(2, 12, 4, 2)
    found = fitted(np.arange(len(y)), r, s, y)
    assert found.random == ("rater",)
    assert [(name, why.code) for name, why in found.left_out] == [("item", "single_ratings")]
    # Then a system's mean is a plain mean, and raters who rate all alike add nothing to the error.
    assert found.differences[0].value == pytest.approx(y[s == 0].mean() - y[s == 1].mean())


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("no_variance", ([0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3])),
        # Each system has a rater of its own.
        ("confounded", ([0, 1, 2, 0, 1, 2], [0, 0, 0, 1, 1, 1], [0] * 3 + [1] * 3,
                        [1, 2, 4, 2, 5, 3])),
        # A rater rates one item and no other.
        ("confounded", ([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2] * 3,
                        [1, 2, 4, 2, 5, 3, 1, 4, 4])),
        # As many effects as ratings.
        ("no_residual", ([0, 0, 1, 1, 2], [0, 1, 0, 1, 0], [0, 0, 0, 1, 1], [1, 2, 4, 3, 1])),
    ],
)  # fmt: skip
def test_where_there_is_no_model_the_reason_is_given(code, data):
    found = fitted(*map(np.array, data))
    assert found.undefined is not None
    assert found.undefined.code == code
    assert not found.variances
    assert not found.differences


def test_ratings_that_are_sums_have_no_residual():
    i, r, s, _ = drawn(0, 5, 3, 2)
    found = fitted(i, r, s, i**2 + 2.5 * r + s)
    assert found.undefined is not None
    assert found.undefined.code == "no_residual"


def test_names_without_an_order_have_no_model():
    rows = [{"item": k % 3, "rater": k % 2, "system": "x", "value": "ab"[k % 2]} for k in range(6)]
    found = mixed_model(read_systems(rows).dimensions[0])
    assert found.undefined is not None
    assert found.undefined.code == "not_applicable"


def test_too_many_levels_are_refused(monkeypatch):
    i, r, s, y = drawn(0, 8, 4, 3)
    monkeypatch.setattr(mixed, "MOST", 7)
    assert fitted(i, r, s, y).undefined is None
    monkeypatch.setattr(mixed, "MOST", 6)
    found = fitted(i, r, s, y)
    assert found.undefined is not None
    assert found.undefined.code == "too_many_levels"
    assert "4, with 3 systems" in found.undefined.reason


def test_a_search_that_does_not_end_is_said(monkeypatch):
    i, r, s, y = drawn(0, 8, 4, 3)
    monkeypatch.setattr("assay.evaluation.reml.FLAT", -1.0)
    found = fitted(i, r, s, y)
    assert found.undefined is not None
    assert found.undefined.code == "not_converged"


@pytest.fixture(scope="module")
def report():
    i, r, s, y = drawn(5, 12, 6, 3, kept=0.8)
    rows = rows_of(i, r, s, y)
    rows = [row | {"dimension": d} for d in ("fluency", "style") for row in rows]
    # The second dimension has one rater.
    rows = [row for row in rows if row["dimension"] == "fluency" or row["rater"] == "r001"]
    return assay.evaluate(rows, mixed=True, correction="bonferroni", scale="interval")


def test_the_summary_has_the_model_of_each_dimension(report):
    fluency, style = report.summary["mixed"]
    assert (fluency["dimension"], fluency["random"]) == ("fluency", ["item", "rater"])
    assert style["random"] == ["item"]
    assert style["left_out"][0]["code"] == "single_level"
    expected = mixed_model(report.ratings.dimensions[0])
    for one, pair in zip(fluency["differences"], expected.differences, strict=True):
        assert one["difference"] == pair.value
        assert one["p_decisive"] == one["bonferroni"] == min(1.0, 3 * pair.p_value)
        assert one["significant"] == (one["p_decisive"] < 0.05)
    pairs = [(one["a"], one["b"]) for one in report.summary["comparisons"]][:3]
    assert [(one["a"], one["b"]) for one in fluency["differences"]] == pairs


def test_it_is_fitted_only_where_it_is_asked_for(monkeypatch):
    monkeypatch.setattr("assay.report.evaluate.mixed.mixed_model", None)
    rows = rows_of(*drawn(0))
    report = assay.evaluate(rows, scale="interval")
    assert report.summary["mixed"] is None
    assert "ixed model" not in str(report) + report.to_markdown() + report.to_html()


def test_every_form_shows_it(report):
    value = report.summary["mixed"][0]["differences"][0]["difference"]
    shown = f"{abs(value):.2f}"
    for text in (str(report), report.to_markdown(), report.to_html(), report.to_latex()):
        assert shown in text
        assert "residual" in text
        assert "there is one rater only" in " ".join(text.split())
    said = report.methods()
    assert "crossed random intercepts of items and raters (fluency)" in said
    assert "random intercepts of items (style)" in said
    assert "what an item or a rater adds" in said

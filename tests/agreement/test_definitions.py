"""Our short sums against the definitions written out in full."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import assay
from agreement import reference
from agreement.datasets import wide
from assay.agreement.krippendorff import alpha
from assay.agreement.metrics import make_metric
from assay.ratings.reductions import Reduced
from assay.ratings.sums import BlockSums, PatternSums
from strategies import Rows, matrices

FEW = settings(max_examples=40, deadline=None)
NUMBERS = st.sampled_from([0, 1, 2, 5, 7.5])
LABELS = [1, 2, 3, 4]


def has_pairs(rows: Rows) -> bool:
    return bool(reference.pairable(rows))


@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval", "ratio"])
@given(rows=matrices(labels=NUMBERS))
@FEW
def test_alpha_is_what_all_pairs_give(name: str, rows: Rows) -> None:
    assume(has_pairs(rows))
    got = assay.krippendorff_alpha(wide(rows), metric=name)
    assert got.exact == reference.alpha(rows, name)
    assert (got.value is None) == (got.exact is None)


@given(rows=matrices())
@FEW
def test_fleiss_gwet_and_conger(rows: Rows) -> None:
    assume(has_pairs(rows))
    data = wide(rows, categories=LABELS)
    assert assay.percent_agreement(data).exact == reference.observed(rows)
    assert assay.fleiss_kappa(data).exact == reference.fleiss(rows, LABELS)
    assert assay.gwet_ac(data).exact == reference.gwet_ac(rows, LABELS)
    if sum(any(x is not None for x in column) for column in zip(*rows, strict=True)) > 1:
        assert assay.conger_kappa(data).exact == reference.conger(rows, LABELS)


WEIGHTS: dict[str, Any] = {
    "identity": lambda a, b: Fraction(a == b),
    "linear": lambda a, b: 1 - Fraction(abs(a - b), 3),
    "quadratic": lambda a, b: 1 - Fraction((a - b) ** 2, 9),
    "ordinal": lambda a, b: 1 - Fraction(abs(a - b) * (abs(a - b) + 1) // 2, 6),
    "ratio": lambda a, b: 1 - Fraction(a - b, a + b) ** 2 / Fraction(3, 5) ** 2,
    "bipolar": lambda a, b: (
        1 - (Fraction((a - b) ** 2, (a + b - 2) * (8 - a - b)) if a != b else 0)
    ),
}


@pytest.mark.parametrize("weights", WEIGHTS)
@given(rows=matrices(raters=(2, 2), missing=False))
@settings(max_examples=20, deadline=None)
def test_weighted_kappa(weights: str, rows: Rows) -> None:
    pairs = [(a, b) for a, b in rows]
    got = assay.cohen_kappa(wide(rows, categories=LABELS), weights=weights)
    assert got.exact == reference.cohen(pairs, WEIGHTS[weights])


@given(rows=matrices(labels=st.integers(-3, 9).map(lambda x: x / 4), items=(2, 8), missing=False))
@FEW
def test_icc_from_sums_of_squares(rows: Rows) -> None:
    t = reference.anova([[Fraction(x) for x in row] for row in rows])
    n, k = len(rows), len(rows[0])
    tops = {
        "icc_1": (t["rows"] - t["within"], t["rows"] + (k - 1) * t["within"]),
        "icc_c_1": (t["rows"] - t["error"], t["rows"] + (k - 1) * t["error"]),
        "icc_a_1": (
            t["rows"] - t["error"],
            t["rows"] + (k - 1) * t["error"] + Fraction(k, n) * (t["columns"] - t["error"]),
        ),
    }
    ratings = wide(rows)
    for form, (top, bottom) in tops.items():
        got = assay.icc(ratings, form=form)
        assert got.exact == (top / bottom if bottom > 0 else None)
        if got.exact is not None and got.exact > Fraction(-1, k - 1):
            average = assay.icc(ratings, form=form.removesuffix("_1") + "_k" if form != "icc_1"
                                else "icc_1_k")  # fmt: skip
            single = got.exact
            assert average.exact == k * single / (1 + (k - 1) * single)


@pytest.mark.parametrize("metric", ["ordinal", "interval"])
@pytest.mark.parametrize("seed", range(3))
def test_moments_of_blocks_are_those_of_patterns(metric: str, seed: int) -> None:
    """The route for many labels, the one for few, and all pairs."""
    random = np.random.default_rng(seed)
    rows = random.integers(0, 40, (30, 4)).tolist()
    rows = [[None if random.random() < 0.2 else x for x in row] for row in rows]
    data = wide(rows)
    few, many = Reduced(data), Reduced(data)
    few.__dict__["item_sums"] = PatternSums(few.patterns.pairable())
    many.__dict__["item_sums"] = BlockSums(many.blocks, many.q)
    a, b = (alpha(made, make_metric(made, metric)) for made in (few, many))
    assert a.exact == b.exact == reference.alpha(rows, metric)
    assert a.standard_error == pytest.approx(b.standard_error, rel=1e-12)


def test_many_labels() -> None:
    random = np.random.default_rng(5)
    rows = random.permutation(1200).reshape(400, 3).tolist()
    data = wide(rows)
    assert len(data.categories) == 1200
    got = assay.krippendorff_alpha(data, metric="interval")
    values = np.array(rows, dtype=float)
    within = values.var(axis=1, ddof=1).mean()
    assert got.value == pytest.approx(1 - within / values.var(ddof=1), rel=1e-12)


def test_ordinal_is_interval_on_mid_ranks() -> None:
    random = np.random.default_rng(1)
    rows = random.integers(1, 6, (20, 3)).tolist()
    pooled = [x for row in rows for x in row]
    rank = {x: sum(y < x for y in pooled) + (pooled.count(x) + 1) / 2 for x in set(pooled)}
    ranked = wide([[rank[x] for x in row] for row in rows])
    ordinal = assay.krippendorff_alpha(wide(rows), metric="ordinal")
    assert ordinal.exact == assay.krippendorff_alpha(ranked, metric="interval").exact


@given(rows=matrices(labels=st.integers(0, 11)))
@FEW
def test_circular_is_the_sine_of_half_the_angle(rows: Rows) -> None:
    assume(has_pairs(rows))
    data = wide(rows, scale="circular", period=12)
    got = assay.krippendorff_alpha(data)

    def clock(a: Any, b: Any) -> float:
        return float(np.sin(np.pi * abs(a - b) / 12) ** 2)

    by_pairs = assay.krippendorff_alpha(wide(rows), metric=clock)
    if by_pairs.value is None:
        assert got.value is None
    else:
        assert got.value == pytest.approx(by_pairs.value, abs=1e-9)
        turned = wide([[x if x is None else (x + 5) % 12 for x in row] for row in rows],
                      scale="circular", period=12)  # fmt: skip
        assert assay.krippendorff_alpha(turned).value == pytest.approx(got.value, abs=1e-9)

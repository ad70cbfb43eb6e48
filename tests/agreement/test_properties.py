"""What must not change a coefficient, and how coefficients must relate."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import assay
from agreement import reference
from agreement.datasets import columns, wide
from assay.ratings.model import Block
from strategies import Rows, counts, matrices, tables

FEW = settings(max_examples=30, deadline=None)
LABELS = [1, 2, 3, 4]

TWO: dict[str, Any] = {
    "cohen_kappa": assay.cohen_kappa,
    "linear": lambda *a, **k: assay.cohen_kappa(*a, weights="linear", **k),
    "quadratic": lambda *a, **k: assay.cohen_kappa(*a, weights="quadratic", **k),
    "scott_pi": assay.scott_pi,
    "fleiss_kappa": assay.fleiss_kappa,
    "conger_kappa": assay.conger_kappa,
    "light_kappa": assay.light_kappa,
    "gwet_ac": assay.gwet_ac,
    "brennan_prediger": assay.brennan_prediger,
    "percent_agreement": assay.percent_agreement,
    "bangdiwala_b": assay.bangdiwala_b,
    "spearman": assay.spearman,
    "pearson": assay.pearson,
    "kendall_tau": assay.kendall_tau,
    "lin_ccc": assay.lin_ccc,
}
MANY: dict[str, Any] = {
    "fleiss_kappa": assay.fleiss_kappa,
    "pooled": lambda d: assay.fleiss_kappa(d, estimator="pooled"),
    "pair-weighted": lambda d: assay.fleiss_kappa(d, estimator="pair-weighted"),
    "fleiss1981": lambda d: assay.fleiss_kappa(d, estimator="fleiss1981"),
    "gwet_ac": assay.gwet_ac,
    "ac2": lambda d: assay.gwet_ac(d, weights="quadratic"),
    "brennan_prediger": assay.brennan_prediger,
    "percent_agreement": assay.percent_agreement,
    "unanimous_agreement": assay.unanimous_agreement,
    "alpha": assay.krippendorff_alpha,
    "ordinal alpha": lambda d: assay.krippendorff_alpha(d, metric="ordinal"),
    "interval alpha": lambda d: assay.krippendorff_alpha(d, metric="interval"),
    "ratio alpha": lambda d: assay.krippendorff_alpha(d, metric="ratio"),
}
NAMED: dict[str, Any] = {
    "conger_kappa": assay.conger_kappa,
    "light_kappa": assay.light_kappa,
    "kendall_w": assay.kendall_w,
    "spearman": assay.spearman,
    "icc": assay.icc,
}


def same(a: assay.Estimate, b: assay.Estimate, *, error: bool = True) -> None:
    """The same value to the last bit, the same reason, and the same error."""
    assert a.value == b.value
    assert a.exact == b.exact
    assert (a.undefined and a.undefined.code) == (b.undefined and b.undefined.code)
    if error:
        assert (a.standard_error is None) == (b.standard_error is None)
        if a.standard_error is not None:
            assert a.standard_error == pytest.approx(b.standard_error, rel=1e-9, abs=1e-12)


@given(table=tables(), factor=st.sampled_from([2, 3, 7, 1000, 3_000_000_019]))
@FEW
def test_scale_does_not_move_the_last_bit(table: Rows, factor: int) -> None:
    more = [[cell * factor for cell in row] for row in table]
    sized = sum(map(sum, table)) > 1
    for name, function in TWO.items():
        if sized or name not in ("spearman", "pearson", "kendall_tau", "lin_ccc"):
            same(function(table=table), function(table=more), error=False)
    fewer = [[Fraction(cell, 8) for cell in row] for row in table]
    for name in ("cohen_kappa", "linear", "scott_pi", "conger_kappa", "gwet_ac"):
        same(TWO[name](table=table), TWO[name](table=fewer), error=False)


@given(table=tables(), data=st.data())
@FEW
def test_relabelling_both_raters(table: Rows, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(table))))
    moved = [[table[i][j] for j in order] for i in order]
    for name in ("cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "gwet_ac",
                 "brennan_prediger", "percent_agreement", "bangdiwala_b"):  # fmt: skip
        same(TWO[name](table=table), TWO[name](table=moved))
    assert assay.cohen_kappa(table=table).maximum == assay.cohen_kappa(table=moved).maximum


@given(table=tables())
@FEW
def test_exchanging_the_raters(table: Rows) -> None:
    turned = [list(row) for row in zip(*table, strict=True)]
    for function in TWO.values():
        same(function(table=table), function(table=turned))


@given(rows=matrices(), data=st.data())
@FEW
def test_order_of_items_and_raters(rows: Rows, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(rows))
    order = data.draw(st.permutations(range(len(rows[0]))))
    other = [[row[g] for g in order] for row in shuffled]
    a, b = wide(rows, categories=LABELS), wide(other, categories=LABELS)
    for function in MANY.values():
        same(function(a), function(b))
    for name, function in NAMED.items():
        one, two = function(a), function(b)
        assert one.value == pytest.approx(two.value, abs=1e-12), name
        if one.undefined is None:
            same(one, two, error=True) if one.exact is not None else None


@given(rows=matrices(labels=st.sampled_from([1, 2, 3])))
@FEW
def test_storage_does_not_matter(rows: Rows) -> None:
    """Dense columns, (item, rater, label) rows, parts, and counts give the same everything."""
    names = [f"r{g + 1}" for g in range(len(rows[0]))]
    dense = assay.read(columns(rows), categories=LABELS)
    assume(dense.n_ratings)
    triples = [
        (f"i{i}", names[g], x) for i, row in enumerate(rows) for g, x in enumerate(row)
        if x is not None
    ]  # fmt: skip
    long = assay.read(triples, categories=LABELS)
    half = len(rows) // 2
    block = dense.blocks[0]
    parts = replace(dense, blocks=(
        block.take(np.arange(half)), block.take(np.arange(half, block.n)),
    ))  # fmt: skip
    slots = np.broadcast_to(np.arange(len(names))[:, None], block.labels.shape)
    slotted = replace(dense, blocks=(Block(block.labels, np.ascontiguousarray(slots)),))
    table = assay.Counts([[row.count(k) for k in LABELS] for row in rows], categories=LABELS)
    for function in MANY.values():
        expected = function(dense)
        for other in (long, parts, slotted, table, assay.read(table)):
            same(expected, function(other))
    if len(long.raters) == len(names):
        for name, function in NAMED.items():
            expected = function(dense)
            for other in (parts, slotted):
                # Light's error is given for dense columns only.
                same(expected, function(other), error=name == "conger_kappa")
            # Raters are in another order there, so another pair may be the first without a value.
            assert function(long).value == pytest.approx(expected.value, abs=1e-12)
    first = assay.agree(dense).summary
    for other in (parts, slotted):
        again = assay.agree(other).summary
        for key in ("labels", "raters", "scale"):
            assert first[key] == again[key]
        assert [p["cohen_kappa"] for p in first["pairs"]] == [
            p["cohen_kappa"] for p in again["pairs"]
        ]


@given(labels=st.lists(st.sampled_from("abc"), min_size=2, max_size=12), one=st.sampled_from("abc"))
@FEW
def test_a_constant_rater_is_exactly_zero(labels: list[str], one: str) -> None:
    got = assay.cohen_kappa(labels, [one] * len(labels))
    if set(labels) == {one}:
        assert got.undefined.code == "one_label_used"
    else:
        assert got.exact == 0
        assert got.value == 0.0
        assert got.maximum == 0.0


@given(
    p=st.lists(st.integers(0, 9), min_size=2, max_size=4).filter(
        lambda x: sum(v > 0 for v in x) > 1
    ),
    data=st.data(),
)
@FEW
def test_independent_raters_are_exactly_zero(p: list[int], data: st.DataObject) -> None:
    r = data.draw(st.lists(st.integers(1, 9), min_size=len(p), max_size=len(p)))
    table = [[a * b for b in r] for a in p]
    for name in ("cohen_kappa", "linear", "quadratic", "conger_kappa"):
        assert TWO[name](table=table).exact == 0
    for name in ("pearson", "spearman", "kendall_tau"):
        if sum(map(sum, table)) > 1:
            assert TWO[name](table=table).value == pytest.approx(0.0, abs=1e-12)


@given(table=tables())
@FEW
def test_kappa_is_below_its_ceiling(table: Rows) -> None:
    got = assay.cohen_kappa(table=table)
    assume(got.value is not None)
    assert -1.0 <= got.value <= got.maximum <= 1.0
    for one in assay.conditional_kappa(table=table).values():
        assert one.value is None or one.value <= 1.0
    b = assay.bangdiwala_b(table=table)
    assert b.value is None or 0.0 <= b.value <= 1.0


@given(table=tables())
@FEW
def test_identity_weights_are_no_weights(table: Rows) -> None:
    identity = np.eye(len(table))
    for name in ("cohen_kappa", "conger_kappa", "fleiss_kappa", "light_kappa", "gwet_ac",
                 "brennan_prediger"):  # fmt: skip
        same(TWO[name](table=table), TWO[name](table=table, weights=identity))
    same(
        assay.krippendorff_alpha(table=table),
        assay.krippendorff_alpha(table=table, metric=lambda a, b: float(a != b)),
        error=False,
    ) if assay.krippendorff_alpha(table=table).exact is None else None


@given(table=tables())
@FEW
def test_two_complete_raters(table: Rows) -> None:
    """Conger is Cohen, Light is Cohen, Fleiss is Scott, BP is PABAK, mean F1 is specific."""
    cohen = assay.cohen_kappa(table=table)
    assert assay.conger_kappa(table=table).exact == cohen.exact
    assert assay.light_kappa(table=table).exact == cohen.exact
    scott, fleiss = assay.scott_pi(table=table), assay.fleiss_kappa(table=table)
    assert scott.exact == fleiss.exact
    assert scott.standard_error == fleiss.standard_error
    assert assay.skew(table=table).pabak == assay.brennan_prediger(table=table).exact
    specific, f1 = assay.specific_agreement(table=table), assay.f1(table=table)
    assert {k: x.exact for k, x in specific.items()} == {k: x.exact for k, x in f1.items()}
    for k, one in assay.jaccard(table=table).items():
        if one.exact is not None:
            assert f1[k].exact == 2 * one.exact / (1 + one.exact)


@given(rows=st.integers(2, 5).flatmap(lambda m: counts(raters=m)))
@FEW
def test_equal_numbers_of_ratings(rows: Rows) -> None:
    """All estimators coincide, and alpha is Fleiss' kappa with its small-sample term."""
    data = assay.Counts(rows)
    got = [
        assay.fleiss_kappa(data, estimator=e)
        for e in ("gwet", "pooled", "pair-weighted", "fleiss1981")
    ]
    assert len({one.exact for one in got}) == 1
    assume(got[0].exact is not None)
    errors = [one.standard_error for one in got]
    if None not in errors:
        assert errors == pytest.approx([errors[0]] * 4, rel=1e-9, abs=1e-12)
    n = len(rows) * sum(rows[0])
    alpha = assay.krippendorff_alpha(data).exact
    assert alpha == 1 - (1 - got[0].exact) * Fraction(n - 1, n)


@given(rows=counts(raters=4))
@FEW
def test_category_kappas_add_up_to_fleiss(rows: Rows) -> None:
    """Fleiss' kappa is the mean of the categories' kappas, weighted by p(1 − p)."""
    data = assay.Counts(rows)
    whole = assay.fleiss_kappa(data).exact
    assume(whole is not None)
    total = 4 * len(rows)
    parts = [
        (one.exact, Fraction(sum(column), total))
        for one, column in zip(
            assay.category_kappa(data).values(), zip(*rows, strict=True), strict=True
        )
    ]
    used = [(k, p) for k, p in parts if k is not None]
    top = sum((k * p * (1 - p) for k, p in used), Fraction(0))
    assert top / sum((p * (1 - p) for _, p in used), Fraction(0)) == whole


@given(table=tables(size=(2, 3), cells=st.integers(0, 400).map(lambda x: Fraction(x, 40))))
@FEW
def test_decimals_are_exact(table: Rows) -> None:
    n = sum((cell for row in table for cell in row), Fraction(0))
    k = len(table)
    rows = [sum(row, Fraction(0)) for row in table]
    sums = [sum(column, Fraction(0)) for column in zip(*table, strict=True)]
    po = sum((table[i][i] for i in range(k)), Fraction(0)) / n
    pe = sum((a * b for a, b in zip(rows, sums, strict=True)), Fraction(0)) / (n * n)
    got = assay.cohen_kappa(table=[[float(cell) for cell in row] for row in table])
    assert got.exact == reference.kappa(po, pe)
    assert Fraction(got.items).limit_denominator(40) == n


@given(rows=matrices(raters=(3, 3), missing=False))
@FEW
def test_light_is_the_mean_over_pairs(rows: Rows) -> None:
    data = wide(rows)
    got = assay.light_kappa(data)
    pairs = [
        assay.cohen_kappa([row[g] for row in rows], [row[h] for row in rows]).exact
        for g, h in ((0, 1), (0, 2), (1, 2))
    ]
    assert got.exact == (None if None in pairs else sum(p for p in pairs if p is not None) / 3)

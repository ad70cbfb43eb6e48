"""What holds for every table of the kappa lab, exactly."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from assay.web.labs.kappa import State
from assay.web.labs.kappa.edits import apply
from assay.web.labs.kappa.measured import measured
from assay.web.labs.kappa.state import MAX_CELL, default_labels
from strategies import tables

# Sparse, skewed and large cells as often as others; sums beyond 32 bits too.
CELL = st.one_of(st.just(0), st.integers(0, 9), st.integers(0, 3000), st.integers(0, MAX_CELL))
TABLES = tables(size=(2, 8), cells=CELL)


def figures(state):
    """The exact figures of a table."""
    return measured(state)


def of(rows):
    return State(tuple(tuple(row) for row in rows), default_labels(len(rows)))


def kappa(rows):
    return figures(of(rows)).kappa


def exact(rows):
    """Po, Pe and kappa from their definitions, in fractions."""
    k, n = len(rows), sum(map(sum, rows))
    po = F(sum(rows[i][i] for i in range(k)), n)
    pe = sum(F(sum(rows[i]), n) * F(sum(row[i] for row in rows), n) for i in range(k))
    return po, pe, None if pe == 1 else (po - pe) / (1 - pe)


def ceiling(rows):
    """A table with the same margins and the largest diagonal: what is left over goes anywhere."""
    k = len(rows)
    left = [sum(row) for row in rows]
    above = [sum(row[j] for row in rows) for j in range(k)]
    best = [[0] * k for _ in range(k)]
    for i in range(k):
        best[i][i] = min(left[i], above[i])
        left[i], above[i] = left[i] - best[i][i], above[i] - best[i][i]
    for i in range(k):
        for j in range(k):
            if i != j:
                best[i][j] = min(left[i], above[j])
                left[i], above[j] = left[i] - best[i][j], above[j] - best[i][j]
    assert not any(left)
    assert not any(above)
    return best


@settings(max_examples=200)
@given(TABLES)
def test_by_the_definition(rows):
    got = figures(of(rows))
    assert (got.po, got.pe, got.kappa) == exact(rows)
    assert sum(one.part for one in got.terms) == got.pe
    assert sum(one.chance for one in got.terms) == got.chance
    assert sum(one.difference for one in got.terms) == got.difference


@settings(max_examples=60)
@given(tables(size=(2, 8)))
def test_by_another_library(rows):
    """Item by item, as scikit-learn takes them."""
    a = [i for i, row in enumerate(rows) for n in row for _ in range(n)]
    b = [j for row in rows for j, n in enumerate(row) for _ in range(n)]
    got = kappa(rows)
    assume(got is not None)
    assert float(got) == pytest.approx(float(cohen_kappa_score(a, b)), abs=1e-12)


@given(tables(size=(2, 8), cells=st.integers(0, 3000)), st.integers(1, 300_000))
def test_scale(rows, m):
    before, after = figures(of(rows)), figures(of([[m * n for n in row] for row in rows]))
    assert (before.po, before.pe, before.kappa) == (after.po, after.pe, after.kappa)
    assert (before.po_max, before.kappa_max) == (after.po_max, after.kappa_max)
    assert after.n == m * before.n


@given(TABLES, st.randoms(use_true_random=False))
def test_labels_in_another_order(rows, random):
    order = list(range(len(rows)))
    random.shuffle(order)
    other = [[rows[i][j] for j in order] for i in order]
    before, after = figures(of(rows)), figures(of(other))
    assert (before.po, before.pe, before.kappa) == (after.po, after.pe, after.kappa)
    assert before.kappa_max == after.kappa_max


@given(TABLES)
def test_raters_exchanged(rows):
    before, after = figures(of(rows)), figures(of(list(zip(*rows, strict=True))))
    assert (before.po, before.pe, before.kappa) == (after.po, after.pe, after.kappa)
    assert before.kappa_max == after.kappa_max


@given(TABLES)
def test_the_buttons_that_must_not_move_kappa(rows):
    state = of(rows)
    before = figures(state)
    for do in ("swap", "transpose", "more", "double"):
        if do == "more" and state.k == 8:
            continue
        if do == "double" and max(map(max, rows)) * 2 > MAX_CELL:
            continue
        after = figures(apply(state, do))
        assert after.kappa == before.kappa, do
        assert after.kappa_max == before.kappa_max, do
        if after.kappa is not None:
            # Not even by one bit once it is divided.
            assert float(after.kappa).hex() == float(before.kappa).hex()


@given(st.lists(CELL, min_size=2, max_size=8).filter(any), st.data())
def test_a_constant_rater(row, data):
    """Exactly 0; undefined if the other says the same all the time."""
    k = len(row)
    at = data.draw(st.integers(0, k - 1))
    rows = [row if i == at else [0] * k for i in range(k)]
    for table in (rows, [list(one) for one in zip(*rows, strict=True)]):
        got = kappa(table)
        assert got == (None if sum(row) == row[at] else 0)


@given(st.data())
def test_a_product_table(data):
    """Exactly what chance gives: exactly 0."""
    k = data.draw(st.integers(2, 8))
    margin = st.lists(st.integers(0, 900), min_size=k, max_size=k).filter(any)
    a, b = data.draw(margin), data.draw(margin)
    got = figures(of([[x * y for y in b] for x in a]))
    assert got.po == got.pe
    assert got.kappa == (None if got.pe == 1 else 0)


@settings(max_examples=200)
@given(TABLES)
def test_the_ceiling_bounds_and_is_reached(rows):
    got = figures(of(rows))
    assert got.po <= got.po_max <= 1
    if got.kappa is not None and got.kappa_max is not None:
        assert got.kappa <= got.kappa_max <= 1
    best = figures(of(ceiling(rows)))
    assert (best.rows, best.columns) == (got.rows, got.columns)
    assert (best.po, best.kappa) == (got.po_max, got.kappa_max)


@given(tables(size=(2, 8), cells=st.one_of(st.just(0), st.integers(0, 99))), st.booleans())
def test_kappa_is_one_only_without_disagreement(rows, clean):
    k = len(rows)
    if clean:
        rows = [[rows[i][j] if i == j else 0 for j in range(k)] for i in range(k)]
        assume(any(map(any, rows)))
    off = any(rows[i][j] for i in range(k) for j in range(k) if i != j)
    used = sum(any(rows[i]) or any(row[i] for row in rows) for i in range(k))
    assert (kappa(rows) == 1) == (not off and used >= 2)


@given(tables(size=(2, 7), cells=CELL))
def test_an_unused_label(rows):
    wider = [[*row, 0] for row in rows] + [[0] * (len(rows) + 1)]
    before, after = figures(of(rows)), figures(of(wider))
    assert (before.po, before.pe, before.kappa) == (after.po, after.pe, after.kappa)
    assert after.terms[-1].part == 0

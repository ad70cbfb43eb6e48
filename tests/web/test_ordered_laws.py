"""Laws of ordered tables, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.agreement.weights import WEIGHTS
from assay.web.labs.kappa.edits import apply
from assay.web.labs.ordered import State, parse, view
from assay.web.labs.ordered.figures import measured
from assay.web.labs.ordered.state import spread
from assay.web.query import Query
from assay.web.speech import english
from strategies import tables

RATIONAL = ("identity", "linear", "quadratic", "ordinal", "ratio", "bipolar")


def state_of(rows):
    cells = tuple(map(tuple, rows))
    return State(cells, tuple(str(k + 1) for k in range(len(cells))))


def kappas(state):
    found = measured(state.cells, state.labels, "linear").kappas
    return {name: found[name].exact for name in RATIONAL}


@given(tables())
def test_identity_is_cohens_kappa(rows):
    assert kappas(state_of(rows))["identity"] == assay.cohen_kappa(table=rows).exact


@given(tables(size=(2, 2)))
def test_two_labels_know_one_distance(rows):
    state = state_of(rows)
    assert len(set(kappas(state).values())) == 1
    for name in ("radical", "circular"):
        got = measured(state.cells, state.labels, "linear").kappas[name].value
        plain = kappas(state)["identity"]
        assert (got is None) == (plain is None)
        assert got is None or got == pytest.approx(float(plain), abs=1e-12)


@given(tables(size=(2, 5)))
def test_turning_the_scale_round(rows):
    """The labels keep their values, so even ratios stay."""
    state = state_of(rows)
    turned = state.of(apply(state.table, "swap"))
    assert turned.labels == state.labels[::-1]
    assert kappas(turned) == kappas(state)
    assert view(state, None, english()).reversal


@given(tables(size=(2, 5)))
def test_exchanging_the_raters(rows):
    state = state_of(rows)
    assert kappas(state.of(apply(state.table, "transpose"))) == kappas(state)


@given(tables(size=(2, 4)))
def test_scale_of_counts(rows):
    state = state_of(rows)
    assert kappas(state.of(apply(state.table, "double"))) == kappas(state)


@given(tables(size=(3, 5)))
def test_weighted_kappa_is_one_only_without_misses(rows):
    state = state_of(rows)
    misses = state.n - state.apart(0)
    for value in kappas(state).values():
        assert value is None or value <= 1
        assert value is None or (value == 1) == (misses == 0)


@given(tables(size=(2, 5)))
def test_quadratic_kappa_is_lins_concordance(rows):
    got = view(state_of(rows), None, english()).figures
    kappa, lin = got["kappa-quadratic"].value, got["ccc"].value
    assert kappa == lin or None in (kappa, lin)


@given(tables(size=(3, 5)), st.integers(0, 60))
def test_moving_far_keeps_the_number_that_agree(rows, most):
    state = state_of(rows)
    cells, moved = spread(state.cells, most)
    after = state_of(cells)
    assert moved == min(most, state.apart(1))
    assert after.n == state.n
    assert after.apart(0) == state.apart(0)
    assert after.apart(1) == state.apart(1) - moved
    # Three labels: one step of two; else the far corner is another distance.
    assert after.apart(after.k - 1) == state.apart(state.k - 1) + moved


@given(tables(size=(2, 5)))
def test_costs_add_up_to_the_disagreement(rows):
    """Items times costs, over distances, is 1 − Po of the library under every rational weight."""
    state = state_of(rows)
    for name in ("linear", "quadratic", "ordinal", "identity"):
        page = view(State(state.cells, state.labels, weights=name), None, english())
        at = WEIGHTS.index(name)
        costs = [(one.items, one.costs[at]) for one in page.distances]
        lost = sum(Fraction(n) * Fraction(cost[0]) for n, cost in costs if cost is not None)
        observed = page.figures[f"kappa-{name}"].observed
        assert float(1 - lost / state.n) == pytest.approx(observed, abs=1e-12)


@given(tables(size=(2, 5)), st.sampled_from(WEIGHTS), st.integers(0, 999))
def test_address_gives_the_page_back(rows, weights, far):
    state = State(state_of(rows).cells, state_of(rows).labels, weights=weights, far=far)
    assert parse(Query(state.query().items())) == state

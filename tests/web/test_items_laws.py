"""Laws of designs: the table is what was asked for, width falls with n, what is needed is least."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.web.labs.items import State, edit, parse, view
from assay.web.labs.items.design import Design
from assay.web.query import Query
from assay.web.speech import english


@st.composite
def states(draw):
    skew = draw(st.integers(50, 99))
    po = draw(st.integers(max(0, 2 * skew - 100), 100))
    return State(n=draw(st.integers(2, 3000)), po=po, skew=skew)


def design_of(state):
    return Design(state.agreement, state.share)


@given(states())
def test_table_is_the_design(state):
    (both, miss), (other, rare) = design_of(state).table(state.n)
    assert min(both, miss, rare) >= 0
    assert miss == other
    assert both + 2 * miss + rare == state.n
    assert Fraction(both + rare, state.n) == state.agreement
    assert Fraction(both + miss, state.n) == state.share


@given(states())
def test_kappa_is_the_librarys_at_any_size(state):
    design = design_of(state)
    kappa = state.kappa_of(state.agreement)
    assert design.kappa == design.estimate(state.n).exact == kappa


@given(states())
def test_interval_is_that_of_the_table(state):
    """By the sparse cells and by a table of fractions, as anybody would type it."""
    design = design_of(state)
    table = [[str(cell) for cell in row] for row in design.table(state.n)]
    typed = assay.cohen_kappa(assay.Table(table)).interval()
    found = design.interval(state.n)
    assert (typed is None) == (found is None)
    if found is not None:
        assert (found.low, found.high) == pytest.approx((typed.low, typed.high), abs=1e-9)


@given(states(), st.integers(1, 500))
def test_width_falls_with_items(state, more):
    design = design_of(state)
    one, two = design.interval(state.n), design.interval(state.n + more)
    if one is not None:
        assert two.width < one.width or one.width == two.width == 2.0
        assert two.low >= one.low


@given(states(), st.fractions(Fraction(1, 20), Fraction(3, 2), max_denominator=50))
def test_needed_is_the_fewest(state, width):
    design = design_of(state)
    n = design.needed(width)
    if n is None:
        found = design.interval(1_000_000)
        assert found is None or found.width > width
        return
    assert design.interval(n).width <= width
    fewer = design.interval(n - 1)
    assert fewer is None or fewer.width > width


@given(states(), st.sampled_from([Fraction(0), Fraction(2, 5), Fraction(4, 5)]))
def test_needed_above_is_the_fewest(state, bound):
    design = design_of(state)
    n = design.needed_above(bound)
    if n is None:
        found = design.interval(1_000_000)
        assert found is None or found.low <= bound
        return
    assert design.interval(n).low > bound
    fewer = design.interval(n - 1)
    assert fewer is None or fewer.low <= bound


@given(states())
def test_doubling_divides_by_root_two_where_nothing_is_cut(state):
    design = design_of(state)
    one, two = design.interval(state.n), design.interval(2 * state.n)
    if one is None or state.agreement == 1 or one.low <= -1 or one.high >= 1:
        return
    assert one.width / two.width == pytest.approx(2**0.5)


@given(states())
def test_address_gives_the_page_back(state):
    assert parse(Query(state.query().items())) == state
    assert view(state, None, english()).headline
    other = view(state, None, english()).other.state
    assert parse(Query(other.query().items())) == other


@given(states(), st.integers(50, 99))
def test_the_form_always_gives_a_design(state, skew):
    got = edit(Query([("n", str(state.n)), ("po", str(state.po)), ("skew", str(skew))]))
    assert got.agreement >= got.least
    assert got.po == state.po or got.po == 2 * skew - 100

"""Laws that hold for every table of items × labels, exactly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.web.labs.many import State, parse, view
from assay.web.labs.many.estimates import exact
from assay.web.labs.many.figures import NAMES, estimates
from assay.web.query import Query
from assay.web.speech import english

CORRECTED = ("fleiss", "alpha", "ac1", "s")


def values(rows):
    return {name: exact(one) for name, one in estimates(tuple(map(tuple, rows))).items()}


@st.composite
def tables(draw, *, equal=False):
    q = draw(st.integers(2, 4))
    n = draw(st.integers(1, 8))
    if not equal:
        row = st.lists(st.integers(0, 4), min_size=q, max_size=q)
        return tuple(tuple(draw(row)) for _ in range(n))
    raters = draw(st.integers(2, 5))
    picks = st.lists(st.integers(0, q - 1), min_size=raters, max_size=raters)
    return tuple(
        tuple(picked.count(j) for j in range(q)) for picked in (draw(picks) for _ in range(n))
    )


def used(rows):
    """The labels of items with two ratings or more, and of all items."""
    paired = {j for row in rows if sum(row) >= 2 for j, c in enumerate(row) if c}
    return paired, {j for row in rows for j, c in enumerate(row) if c}


@given(tables(), st.randoms(use_true_random=False))
def test_joint_relabelling(rows, random):
    order = list(range(len(rows[0])))
    random.shuffle(order)
    assert values([[row[j] for j in order] for row in rows]) == values(rows)


@given(tables(), st.randoms(use_true_random=False))
def test_order_of_items(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert values(shuffled) == values(rows)


@given(tables())
def test_items_twice(rows):
    """All but alpha stay to the last bit; alpha corrects for few ratings and moves towards them."""
    once, twice = values(rows), values(rows * 2)
    for name in NAMES:
        if name != "alpha":
            assert twice[name] == once[name]
    if once["alpha"] is not None:
        n = sum(sum(row) for row in rows if sum(row) >= 2)
        # 1 − alpha is Do / De, and De has n(n − 1) in its denominator.
        assert (1 - twice["alpha"]) * (2 * n) * (n - 1) == (1 - once["alpha"]) * n * (2 * n - 1)


@given(tables())
def test_at_most_one(rows):
    assert all(value is None or value <= 1 for value in values(rows).values())


@given(tables(equal=True))
def test_one_means_unanimous_and_two_labels(rows):
    got = values(rows)
    unanimous = all(max(row) == sum(row) for row in rows)
    for name in ("fleiss", "alpha"):
        assert (got[name] == 1) == (unanimous and len(used(rows)[0]) >= 2)
    for name in ("unanimous", "pairwise", "ac1", "s"):
        assert (got[name] == 1) == unanimous


@given(tables())
def test_undefined_exactly_where_one_label_is_used(rows):
    got = values(rows)
    paired, rated = used(rows)
    assert (got["fleiss"] is None) == (not paired or len(rated) <= 1)
    assert (got["alpha"] is None) == (len(paired) <= 1)
    for name in ("unanimous", "pairwise", "ac1", "s"):
        assert (got[name] is None) == (not paired)


@given(tables(equal=True))
def test_raters_twice_never_lower_agreement(rows):
    doubled = [[2 * c for c in row] for row in rows]
    assert values(doubled)["pairwise"] >= values(rows)["pairwise"]
    assert values(doubled)["unanimous"] == values(rows)["unanimous"]


@given(tables(equal=True))
def test_spread_evenly_is_the_floor(rows):
    """With r raters on every item no table brings kappa below −1 / (r − 1)."""
    kappa, raters = values(rows)["fleiss"], sum(rows[0])
    assert kappa is None or kappa * (raters - 1) >= -1


@given(st.lists(st.integers(1, 5), min_size=2, max_size=6))
def test_single_dissent_is_alpha_zero(sizes):
    """One rating that differs from all others gives exactly 0, wherever it stands."""
    rows = [[size, 0] for size in sizes[:-1]] + [[sizes[-1], 1]]
    if any(size > 1 for size in sizes):
        assert values(rows)["alpha"] == 0


@given(tables(), st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=3, max_size=3))
def test_address_gives_the_page_back(rows, answers):
    state = State(rows, answers=tuple(answers))
    assert parse(Query(state.query().items())) == state


@given(tables(), tables())
def test_every_table_has_a_page(rows, before):
    got = view(State(rows), State(before), english())
    assert got.headline
    for one in got.figures.values():
        assert (one.value is None) == bool(one.reason)
        assert one.value is None or one.low is not None or one.no_interval

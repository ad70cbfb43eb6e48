"""The page of how many items: presets, curve, searches, notes, bad states."""

from __future__ import annotations

from fractions import Fraction

import pytest

import assay
from assay.web.labs.items import State, edit, parse, view
from assay.web.labs.items.design import SIZES, Design
from assay.web.labs.items.presets import PRESETS
from assay.web.query import BadState, Query
from assay.web.speech import english

STATES = {preset.key: preset.state for preset in PRESETS}


def shown(key="first", before=None, **rest):
    state = State(**rest) if rest else STATES[key]
    return view(state, before, english())


def form(state, do="", **changed):
    given = {
        "n": state.n,
        "po": state.po,
        "kappa": state.kappa,
        "skew": state.skew,
        "by": "po" if state.kappa is None else "kappa",
    } | changed
    pairs = [("form", "1"), *((k, str(v)) for k, v in given.items() if v is not None)]
    return Query([*pairs, ("do", do)])


def test_first_state():
    """52.5, 7.5 / 7.5, 32.5: kappa and its interval as the library gives for the table."""
    page = shown()
    assert page.table == (
        (Fraction(105, 2), Fraction(15, 2)),
        (Fraction(15, 2), Fraction(65, 2)),
    )
    assert page.sums == (60, 40)
    assert page.kappa == Fraction(11, 16)
    interval = assay.cohen_kappa(table=[[52.5, 7.5], [7.5, 32.5]]).interval()
    assert (page.interval.low, page.interval.high) == pytest.approx((interval.low, interval.high))
    assert page.headline == (
        "With 100 items, a kappa of 0.688 comes with a 95 % interval from 0.542 to 0.833: "
        "0.291 wide."
    )
    assert [one.n for one in page.widths] == [95, 212, 847]
    assert [one.n for one in page.bounds] == [5, 26, 277]
    assert "divided by √2" in page.doubling
    assert page.rough == ()
    assert page.least == ""


@pytest.mark.parametrize(
    ("key", "kappa", "needed"),
    [
        ("balanced", Fraction(7, 10), [88, 196, 784]),
        ("skewed", Fraction(9, 19), [687, 1545, 6178]),
        ("near-perfect", Fraction(24, 25), [5, 12, 84]),
        ("chance", Fraction(0), [171, 385, 1537]),
        ("perfect", Fraction(1), [24, 37, 75]),
    ],
)
def test_presets(key, kappa, needed):
    page = shown(key)
    assert page.kappa == kappa
    assert [one.n for one in page.widths] == needed
    assert page.shows


def test_skew_costs_items():
    """At the same agreement, each step away from balance widens the interval."""
    widths = [shown(po=95, skew=skew).interval.width for skew in (50, 60, 70, 80, 90, 95)]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_curve():
    page = shown()
    assert [one.n for one in page.sizes] == list(SIZES)
    assert [one.n for one in page.sizes if one.current] == [100]
    other = shown(n=123)
    assert [one.n for one in other.sizes if one.current] == [123]
    wide = shown(n=50_000)
    assert wide.across.ticks[-1][1] == "50,000"
    points = page.intervals(lambda state: f"/x?n={state.n}", english())
    assert points[0].href == "/x?n=20"
    assert points[0].said.startswith("20 items: from ")
    assert len(page.band) == len(SIZES)
    assert page.here(width=True).y == page.interval.width
    assert page.here(width=False).y == page.interval.low


def test_ends_of_the_scale():
    assert "less than √2" in shown("near-perfect").doubling
    assert "in proportion" in shown("perfect").doubling
    assert shown("perfect").bound


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (State(), "Half the width, 0.145, takes 400 items: 4.0 times as many."),
        (State(n=20), "Half the width, 0.319, takes 84 items: 4.2 times as many."),
        (State(n=10), "Half the width, 0.386, takes 57 items: 5.7 times as many."),
        (State(po=100), "Half the width, 0.038, takes 202 items: 2.0 times as many."),
        (State(po=100, n=20), "Half the width, 0.175, takes 42 items: 2.1 times as many."),
        (State(po=0, skew=50), "This design has no interval, so there is no width to show."),
    ],
)
def test_half_the_width(state, said):
    """What it takes is searched, not assumed to be four times."""
    assert view(state, None, english()).halving == said


def test_half_the_width_is_what_it_says():
    for state in (
        State(),
        State(n=100_000, po=50, skew=50),
        State(n=7, po=97),
        State(n=50, po=100),
        State(po=None, kappa=0),
    ):
        now, found = Design(state.agreement, state.share), view(state, None, english()).halving

        def width_of(items, design=now):
            interval = design.interval(items)
            assert interval is not None
            return interval.width

        width = width_of(state.n)
        n = int(found.split("takes ")[1].split()[0].replace(",", ""))
        assert width_of(n) <= width / 2 * (1 + 1e-9)
        assert width_of(n - 1) > width / 2


def test_no_error():
    """Where the two never agree and are balanced, every item says the same."""
    page = shown(po=0, skew=50)
    assert page.kappa == -1
    assert page.interval is None
    assert page.no_interval.startswith("every item says the same")
    assert page.headline == "This design has no interval for kappa."
    assert [one.n for one in page.widths] == [None] * 3
    assert page.doubling == ""
    assert page.band == []
    assert "least they can agree" in page.least


def test_rough():
    few = shown(n=20)
    assert few.rough[0].startswith("The interval is that of large samples")
    rare = shown("skewed")
    assert rare.rough[0].startswith("Both are expected to say the rare label on 2.5 items only")
    assert all(one.rough for one in shown("near-perfect").widths[:2])
    assert not any(one.rough for one in shown().widths)


def test_moved():
    page = shown(before=State(), n=200)
    assert page.moved == "The width went from 0.291 to 0.206."
    assert page.before_width == pytest.approx(0.2909, abs=1e-4)
    assert shown(before=State()).moved == ""


def test_more_than_the_search():
    assert Design(Fraction(1, 2), Fraction(1, 2)).needed(Fraction(1, 1000), most=5000) is None
    assert Design(Fraction(1, 2), Fraction(1, 2)).needed_above(Fraction(0)) is None


def test_giving_kappa_instead():
    page = shown()
    other = page.other.state
    assert (other.po, other.kappa) == (None, 69)
    back = view(other, None, english()).other.state
    assert (back.po, back.kappa) == (85, None)
    state = State(po=None, kappa=50, skew=90)
    assert state.agreement == Fraction(91, 100)
    assert view(state, None, english()).kappa == Fraction(1, 2)


def test_links_open():
    page = shown()
    for one in (*page.presets, *page.widths, *page.bounds, page.other, *page.sizes):
        assert parse(Query(one.state.query().items())) == one.state


def test_form():
    state = State()
    assert edit(form(state)) == state
    assert edit(form(state, n=250)).n == 250
    assert edit(form(state, "double")).n == 200
    assert edit(form(State(n=25), "half")).n == 13
    assert edit(form(State(n=2), "half")).n == 2
    assert edit(form(State(n=100_000), "double")).n == 100_000
    kappa = State(po=None, kappa=-5, skew=60)
    assert edit(form(kappa)) == kappa


def test_agreement_follows_the_labels_in_the_form():
    """A slider that is pulled too far brings the other along; an address is taken at its word."""
    assert edit(form(State(), skew=95)).po == 90
    assert edit(form(State(po=None, kappa=-40, skew=60), skew=90)).kappa == -11
    with pytest.raises(BadState) as caught:
        parse(Query.of("po=85&skew=95"))
    assert "for 95 % of the items agree on 90 % or more" in english().say(caught.value.message)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("n=1", "n"),
        ("n=100001", "n"),
        ("n=many", "n"),
        ("po=101", "po"),
        ("po=-1", "po"),
        ("skew=49", "skew"),
        ("skew=100", "skew"),
        ("kappa=101", "kappa"),
        ("kappa=x", "kappa"),
        ("kappa=-90&skew=80", "kappa"),
    ],
)
def test_bad_addresses(query, field):
    with pytest.raises(BadState) as caught:
        parse(Query.of(query))
    assert caught.value.field == field


def test_unknown_button():
    with pytest.raises(BadState, match="no button"):
        edit(form(State(), "more"))


def test_program_runs():
    found: list = []
    exec(
        shown("skewed").python.replace("print(", "found.append((").replace("width)", "width))"),
        {"found": found},
    )
    kappa, width = found[0]
    assert kappa.exact == Fraction(9, 19)
    assert width == pytest.approx(shown("skewed").interval.width)

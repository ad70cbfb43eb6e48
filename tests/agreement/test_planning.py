"""Planning: its formulas, and what studies of the planned size really give."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

import assay
from assay.agreement.planning.answer import Wish
from assay.agreement.planning.answer import labelled as answer_of
from assay.agreement.planning.design import (
    KAPPAS,
    NOMINAL,
    agreement_of,
    drawn_from,
    kappa_of,
    value_of,
)
from assay.agreement.planning.intraclass import IccDesign as Design
from assay.agreement.planning.intraclass import bonett, single, walter
from assay.agreement.planning.population import Population, many_raters, of_pilot, two_raters
from assay.agreement.planning.precision import Precision
from assay.agreement.planning.precision import fewest as first
from assay.agreement.planning.simulate import Trial, corrected, for_width
from assay.estimate import Undefined

EVEN = [Fraction(1, 2), Fraction(1, 2)]
SKEWED = [Fraction(9, 10), Fraction(1, 10)]
THREE = [Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)]
# What may be None or a reason is neither in these designs.
labelled: Any = answer_of
fewest: Any = first
IccDesign: Any = Design

SHARES = {"even": EVEN, "skewed": SKEWED, "three": THREE}


def precise(estimate) -> Any:
    return Precision.of(estimate)


def population(name, value, shares, raters, seed=0) -> Population:
    kappa = kappa_of(agreement_of(name, Fraction(value), shares), shares)
    assert isinstance(kappa, Fraction)
    return drawn_from(name, "abcdefgh"[: len(shares)], shares, kappa, raters, seed)


# The search and the error of n items.


@pytest.mark.parametrize("least", [2, 3, 17, 1000, 999_999])
def test_the_search_finds_the_first_that_fits(least):
    assert fewest(lambda n: n >= least) == least


def test_the_search_ends():
    assert fewest(lambda n: n > 100, most=100) is None
    assert fewest(lambda n: n > 99, most=100) == 100


@pytest.mark.parametrize("n", [20, 100, 1234])
@pytest.mark.parametrize("cells", [(45, 5, 5, 45), (80, 7, 3, 10), (30, 30, 20, 20)])
def test_an_interval_of_n_items_is_that_of_the_table_of_n_items(cells, n):
    """By the library on the table scaled to n items, in fractions."""
    scaled = [Fraction(c * n, 100) for c in cells]
    table = assay.cohen_kappa(table=assay.Table([scaled[:2], scaled[2:]]))
    found = precise(assay.cohen_kappa(table=[cells[:2], cells[2:]]))
    want, got = table.interval(), found.interval(n)
    assert (got.low, got.high) == pytest.approx((want.low, want.high), abs=1e-12)


def test_the_planned_number_is_the_least():
    found = precise(assay.cohen_kappa(table=[[40, 10], [10, 40]]))
    n = found.items_for_width(0.15)
    assert found.interval(n).width <= 0.15 < found.interval(n - 1).width
    m = found.items_above(0.45, power=0.9)
    assert found.passing(0.45, m) >= 0.9 > found.passing(0.45, m - 1)
    # The textbook's form: n = ((z of the level + z of the power) spread / distance)².
    z = float(ndtri(0.975) + ndtri(0.9))
    assert m == np.ceil((z * found.spread / (found.value - 0.45)) ** 2)


def test_a_half_chance_is_the_limit_of_the_expected_table():
    found = precise(assay.cohen_kappa(table=[[40, 10], [10, 40]]))
    n = found.items_above(0.45)
    assert found.interval(n).low > 0.45 >= found.interval(n - 1).low
    assert found.items_above(0.6) is None


def test_perfect_agreement_is_planned_by_the_bound():
    found = precise(assay.cohen_kappa(table=[[5, 0], [0, 5]]))
    n = found.items_for_width(0.1)
    # 1 − (.025^(1/n) − 1/2) / (1/2) ≤ .1
    assert n == np.ceil(np.log(0.025) / np.log(0.95))


def test_no_error_no_plan():
    constant = assay.cohen_kappa(table=[[8, 2], [0, 0]])
    found = precise(constant)
    assert isinstance(found, Undefined)
    assert found.code == "constant_rater"


# The model.


def patterns_by_hand(shares, kappa, raters):
    """Every sequence of labels with its probability, by the model's own words."""
    knows = sqrt(kappa)
    out = {}
    for said in product(range(len(shares)), repeat=raters):
        out[said] = sum(
            float(shares[t])
            * prod((knows * (s == t)) + (1 - knows) * float(shares[s]) for s in said)
            for t in range(len(shares))
        )
    return out


@pytest.mark.parametrize("raters", [2, 3, 5])
@pytest.mark.parametrize("shares", SHARES.values(), ids=SHARES)
def test_the_model_is_what_it_says(shares, raters):
    kappa = Fraction(16, 25)
    made = many_raters("abc"[: len(shares)], shares, kappa, raters, 0)
    want: dict[tuple[int, ...], float] = {}
    for said, p in patterns_by_hand(shares, kappa, raters).items():
        key = tuple(sorted(said))
        want[key] = want.get(key, 0.0) + p
    columns = made.source.blocks[0].labels.T.tolist()
    got: dict[tuple[int, ...], float] = {}
    for column, p in zip(columns, made.shares.tolist(), strict=True):
        key = tuple(sorted(column))
        got[key] = got.get(key, 0.0) + p
    assert got == pytest.approx(want, abs=2e-9)


@pytest.mark.parametrize("name", NOMINAL)
@pytest.mark.parametrize("shares", SHARES.values(), ids=SHARES)
def test_the_expected_table_has_the_value_that_was_asked_for(name, shares):
    value = Fraction(9, 10) if name in ("gwet_ac", "percent_agreement") else Fraction(7, 10)
    made = population(name, value, shares, 2 if name in ("cohen_kappa", "scott_pi") else 4)
    found = made.expected(name)
    assert found.value == pytest.approx(float(value), abs=1e-7)
    agreement = agreement_of(name, value, shares)
    assert value_of(name, agreement, shares) == value
    assert found.observed is None or found.observed == pytest.approx(float(agreement), abs=1e-7)


def test_two_raters_are_the_only_symmetric_table():
    made = two_raters("ab", SKEWED, Fraction(1, 2))
    # .9² + .5 · .09, then .5 · .09 twice, then .1² + .5 · .09.
    assert made.shares.tolist() == pytest.approx([0.855, 0.045, 0.045, 0.055])


def test_many_patterns_are_drawn_once_and_near():
    shares = [Fraction(1, 8)] * 8
    made = population("krippendorff_alpha", Fraction(7, 10), shares, 12)
    assert not made.exact
    assert made.expected("krippendorff_alpha").value == pytest.approx(0.7, abs=0.01)


def test_what_no_raters_can_do_has_a_reason():
    low = kappa_of(Fraction(1, 10), EVEN)
    high = kappa_of(Fraction(11, 10), EVEN)
    one = kappa_of(Fraction(1), [Fraction(1)])
    codes = [found.code for found in (low, high, one) if isinstance(found, Undefined)]
    assert codes == ["impossible_agreement", "impossible_agreement", "one_label_used"]


def test_a_pilot_is_drawn_from_as_it_is():
    ratings = assay.read({"ana": ["x", "x", "y", "y", "x"], "bo": ["x", "y", "y", "", "x"]})
    made = of_pilot(ratings)
    assert made.whole.sum() == 5
    again = made.expected("fleiss_kappa")
    assert again.exact == assay.fleiss_kappa(ratings).exact
    for estimate in made.draws("fleiss_kappa", 50, 5, [1]):
        assert estimate.items == 50


# What the planned studies give.


def independent(made, name, n, times, seed, level=0.95):
    """Intervals of studies that are drawn another way than the plan's: items one by one."""
    generator = np.random.default_rng(seed)
    columns = made.source.blocks[0].labels
    found = []
    for _ in range(times):
        drawn = generator.choice(columns.shape[1], size=n, p=made.shares)
        rows = columns[:, drawn].T.tolist()
        labels = list(made.source.categories)
        options = {"categories": labels, "layout": "wide"}
        ratings = assay.read([[labels[c] for c in row] for row in rows], **options)
        found.append(getattr(assay, name)(ratings).interval(level))
    return [one for one in found if one is not None]


CASES = [
    ("cohen_kappa", "0.7", THREE, 2, 0.3),
    ("cohen_kappa", "0.6", SKEWED, 2, 0.35),
    ("fleiss_kappa", "0.6", THREE, 3, 0.3),
    ("krippendorff_alpha", "0.8", EVEN, 4, 0.2),
    ("gwet_ac", "0.9", SKEWED, 3, 0.15),
    ("brennan_prediger", "0.7", THREE, 2, 0.3),
]


@pytest.mark.parametrize(("name", "value", "shares", "raters", "width"), CASES)
def test_the_width_reached_is_the_width_asked_for(name, value, shares, raters, width):
    """Within 5 % on studies of another seed and another way of drawing; fewer items fail."""
    made = population(name, value, shares, raters)
    answer = labelled(name, made, raters, Wish(width=width, simulations=600))
    found = independent(made, name, answer.items, 300, seed=99)
    mean = np.mean([one.width for one in found])
    assert mean == pytest.approx(width, rel=0.05)
    fewer = independent(made, name, int(0.85 * answer.items), 300, seed=98)
    assert np.mean([one.width for one in fewer]) > 1.04 * width


@pytest.mark.parametrize(("name", "value", "shares", "raters", "width"), CASES[::2])
def test_the_lower_limit_passes_as_often_as_asked_for(name, value, shares, raters, width):
    bound = float(value) - 0.75 * width
    made = population(name, value, shares, raters)
    answer = labelled(name, made, raters, Wish(lower=bound, power=0.8, simulations=600))
    found = independent(made, name, answer.items, 400, seed=97)
    # Four standard errors of 400 studies and of the 600.
    assert np.mean([one.low > bound for one in found]) == pytest.approx(0.8, abs=0.1)


def test_the_plan_is_the_same_each_time():
    made = population("cohen_kappa", "0.7", THREE, 2)
    wish = Wish(width=0.3, simulations=200, seed=5)
    assert labelled("cohen_kappa", made, 2, wish) == labelled("cohen_kappa", made, 2, wish)
    other = labelled("cohen_kappa", made, 2, Wish(width=0.3, simulations=200, seed=6))
    assert other.width != labelled("cohen_kappa", made, 2, wish).width


def test_the_correction_finds_the_least_where_widths_are_smooth():
    """A law that the formula does not know: 2 / √n · (1 + 3 / n)."""

    def run(n) -> Any:
        return Trial(n, 1, 0.0, 2 / sqrt(n) * (1 + 3 / n), 0.0, None, None)

    found: Any = corrected(100, run, for_width(0.2), lambda t: (t.width or 9) <= 0.2)
    assert found.width <= 0.2 < run(found.n - 1).width
    assert found.n == 106


@pytest.mark.parametrize("threshold", [2, 3, 50, 4_999, 123_456])
@pytest.mark.parametrize("start", [2, 40, 100_000])
def test_the_correction_ends_where_guesses_are_bad(threshold, start):
    """A width that falls at one number, and guesses that are far off on both sides."""

    def run(n) -> Any:
        return Trial(n, 1, 0.0, 0.05 if n >= threshold else 1.5, 0.0, None, None)

    found: Any = corrected(start, run, for_width(0.2), lambda t: (t.width or 9) <= 0.2)
    assert threshold <= found.n <= threshold * 1.004 + 1


def test_the_correction_ends_where_nothing_is_enough():
    found = corrected(
        30, lambda n: Trial(n, 1, 0.0, 1.0, 0.0, None, None), for_width(0.2), lambda _: False
    )
    assert found.n > 1_000_000


def test_rare_labels_need_many_items_where_all_agree_by_luck():
    """Near 1 most small studies agree on everything, and the bound is wide."""
    made = population("cohen_kappa", "0.98", [Fraction(99, 100), Fraction(1, 100)], 2)
    answer = labelled("cohen_kappa", made, 2, Wish(width=0.2, simulations=300))
    found = independent(made, "cohen_kappa", answer.items, 200, seed=3)
    assert np.mean([one.width for one in found]) == pytest.approx(0.2, rel=0.3)


def test_beyond_every_number_has_a_reason():
    made = population("cohen_kappa", "0.5", EVEN, 2)
    answer = labelled("cohen_kappa", made, 2, Wish(width=0.001, simulations=0))
    assert (answer.items, answer.undefined.code) == (None, "too_many_items")
    answer = labelled("cohen_kappa", made, 2, Wish(lower=0.5, simulations=0))
    assert (answer.items, answer.undefined.code) == (None, "lower_above_value")


# Intraclass correlations.


def test_published_numbers_of_items():
    """Bonett (2002), four raters, .85, .2: 19.2 items; two raters, .8, .2: 51 + 5 · .8."""
    assert bonett(0.85, 4, 0.2) == 20
    assert bonett(0.8, 2, 0.2) == 55


@pytest.mark.parametrize("k", [2, 3, 5, 10])
@pytest.mark.parametrize("rho", [0.3, 0.6, 0.8])
def test_the_integral_and_the_formulas_are_near(rho, k):
    """Two routes: the exact distribution against the approximations in print."""
    design = IccDesign("icc_c_1", rho, k)
    n = fewest(lambda n: design.width(n) <= 0.2)
    assert n == pytest.approx(bonett(rho, k, 0.2), rel=0.05, abs=3)
    m = fewest(lambda n: design.passing(n, rho - 0.2) >= 0.8)
    assert m == pytest.approx(walter(rho, rho - 0.2, k), rel=0.06, abs=3)


def scores(generator, n, k, rho, rater_share=0.0):
    items = generator.normal(0, sqrt(rho), (n, 1))
    raters = generator.normal(0, sqrt(rater_share), (1, k))
    return items + raters + generator.normal(0, sqrt(1 - rho - rater_share), (n, k))


@pytest.mark.parametrize(
    ("form", "value", "k", "share"),
    [
        ("icc_1", 0.6, 3, 0.0),
        ("icc_c_1", 0.7, 3, 0.1),
        ("icc_a_1", 0.7, 5, 0.02),
        ("icc_c_k", 0.8, 3, 0.0),
        ("icc_a_k", 0.85, 4, 0.0),
    ],
)
def test_widths_and_passing_are_those_of_drawn_scores(form, value, k, share):
    """Tables of normal scores through the library's ICC."""
    n, bound = 40, value - 0.15
    design = IccDesign(form, value, k, share if form != "icc_c_1" else 0.0)
    generator = np.random.default_rng(7)
    rho = single(value, k) if form.endswith("_k") else value
    found = []
    for _ in range(250):
        table = scores(generator, n, k, rho, 0.0 if form == "icc_c_1" else share)
        ratings = assay.read(np.round(table, 3), layout="wide")
        found.append(assay.icc(ratings, form=form).interval())
    widths = [one.width for one in found]
    error = np.std(widths) / sqrt(len(widths))
    assert design.width(n) == pytest.approx(np.mean(widths), abs=4 * error + 0.003)
    passed = np.mean([one.low > bound for one in found])
    assert design.passing(n, bound) == pytest.approx(passed, abs=0.12)


def test_raters_of_different_levels_need_more_raters():
    level = IccDesign("icc_a_1", 0.7, 4, 0.05)
    assert level.width(1_000_000) > 0.1
    assert fewest(lambda n: level.width(n) <= 0.1) is None
    assert IccDesign("icc_a_1", 0.7, 4).width(1_000_000) < 0.01


def test_kappas_share_one_value():
    for name in KAPPAS:
        assert agreement_of(name, Fraction(1, 2), EVEN) == Fraction(3, 4)


@pytest.mark.parametrize(("agreement", "share"), [(85, 60), (95, 95), (98, 50), (100, 60)])
def test_the_lab_of_how_many_items_finds_the_same_numbers(agreement, share):
    """Its search goes over the estimates of whole tables, this one over the spread."""
    from assay.web.labs.items.design import Design as Lab

    lab = Lab(Fraction(agreement, 100), Fraction(share, 100))
    found = precise(lab.estimate(1000))
    for width in (0.3, 0.2, 0.1):
        assert found.items_for_width(width) == lab.needed(Fraction(str(width)))
    for bound in (Fraction(0), Fraction(2, 5), Fraction(3, 5)):
        assert found.items_above(float(bound)) == lab.needed_above(bound)

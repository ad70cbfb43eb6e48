"""The answer for one number of raters: how many items, or how sure so many items are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import sqrt

from assay.agreement.icc import REFERENCE
from assay.agreement.planning.design import TWO
from assay.agreement.planning.intraclass import BONETT, WALTER, IccDesign, bonett, walter
from assay.agreement.planning.population import Population
from assay.agreement.planning.precision import MOST, Precision, fewest
from assay.agreement.planning.simulate import Trial, corrected, for_power, for_width, trial
from assay.estimate import Undefined

COHEN = "Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72(5), 323-327"
GWET = "Gwet (2008), British Journal of Mathematical and Statistical Psychology 61(1), 29-48"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked: a width, a lower limit with its probability, or what so many items give."""

    width: float | None = None
    lower: float | None = None
    items: int | None = None
    level: float = 0.95
    power: float = 0.8
    simulations: int = 2000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """For one number of raters.

    Attributes
    ----------
    value
        The expected coefficient.
    items
        How many items, asked for or found; None where ``undefined`` says why.
    formula_items
        What the formula alone says, or None where there is none or the items were given.
    width, width_error
        The mean width of such studies' intervals, and its simulation error (0: none is drawn).
    low, high
        The interval around the expected value.
    passed, passed_error
        The share of studies whose lower limit lies above the target, and its simulation error.
    covered
        The share of intervals that hold the value, where studies were drawn.
    without
        The share of studies without an interval.
    simulations
        How many studies were drawn; 0 for none.
    method, reference
        How the number was found.
    """

    raters: int
    value: float | None = None
    items: int | None = None
    formula_items: int | None = None
    width: float | None = None
    width_error: float | None = None
    low: float | None = None
    high: float | None = None
    passed: float | None = None
    passed_error: float | None = None
    covered: float | None = None
    without: float | None = None
    simulations: int = 0
    method: str = ""
    reference: str = ""
    undefined: Undefined | None = None


def too_high(wish: Wish, value: float) -> Undefined | None:
    """The reason that a lower limit cannot pass its target, or None."""
    if wish.items is not None or wish.lower is None or wish.lower < value:
        return None
    return Undefined(
        "lower_above_value",
        f"a lower limit above {wish.lower:g} is wanted and {value:.3g} is expected: the limit "
        "lies below the value, however many items there are",
    )


def drawn_error(share: float | None, times: int) -> float | None:
    """The standard error of a share of so many drawn studies."""
    return None if share is None else sqrt(share * (1.0 - share) / times)


def too_many(most: int = MOST) -> Undefined:
    """The reason where the search found no number."""
    return Undefined(
        "too_many_items", f"no number of items up to {most:,} is enough with so many raters"
    )


def labelled(name: str, population: Population, raters: int, wish: Wish) -> Answer:
    """The answer for a coefficient of labels."""
    expected = population.expected(name)
    precision = expected.undefined or Precision.of(expected)
    if isinstance(precision, Undefined):
        return Answer(raters, undefined=precision)
    value = precision.value
    why = too_high(wish, value)
    if why is not None:
        return Answer(raters, value, undefined=why)
    formula = _formula(precision, wish)
    if formula is None:
        return Answer(raters, value, undefined=too_many())
    run = partial(
        trial, population, name, value=value, level=wish.level, lower=wish.lower,
        times=wish.simulations, seed=wish.seed,
    )  # fmt: skip
    found = _tried(formula, run, precision, wish) if wish.simulations else None
    items = formula if found is None else found.n
    if items > MOST:
        return Answer(raters, value, undefined=too_many())
    around = precision.interval(items, wish.level)
    how = "the two raters' expected table" if name in TWO else "the expected table"
    error = "Fleiss-Cohen-Everitt error" if name == "cohen_kappa" else "linearised error"
    method = f"{error} on {how}"
    if found is not None and wish.items is None:
        method += ", corrected until drawn studies do what was asked for"
    elif found is not None:
        method += ", and drawn studies"
    passing = None if wish.lower is None else precision.passing(wish.lower, items, level=wish.level)
    return Answer(
        raters,
        value,
        items,
        formula_items=None if wish.items is not None else formula,
        width=around.width if found is None else found.width,
        width_error=None if found is None else found.width_error,
        low=around.low,
        high=around.high,
        passed=passing if found is None else found.passed,
        passed_error=None if found is None else drawn_error(found.passed, found.times),
        covered=None if found is None else found.covered,
        without=None if found is None else found.undefined,
        simulations=0 if found is None else found.times,
        method=method,
        reference=COHEN if name == "cohen_kappa" else GWET,
    )


def _formula(precision: Precision, wish: Wish) -> int | None:
    if wish.items is not None:
        return wish.items
    if wish.width is not None:
        return precision.items_for_width(wish.width, level=wish.level)
    assert wish.lower is not None  # noqa: S101 (one of the three is given)
    return precision.items_above(wish.lower, level=wish.level, power=wish.power)


def _tried(start: int, run: partial[Trial], precision: Precision, wish: Wish) -> Trial:
    if wish.items is not None:
        return run(start)
    width, power = wish.width, wish.power
    if width is not None:
        return corrected(
            start, run, for_width(width), lambda t: t.width is not None and t.width <= width
        )
    assert wish.lower is not None  # noqa: S101 (one of the three is given)
    step = for_power(wish.lower, power, precision)
    return corrected(start, run, step, lambda t: (t.passed or 0.0) >= power)


def intraclass(design: IccDesign, wish: Wish) -> Answer:
    """The answer for an intraclass correlation."""
    raters, value = design.k, design.value
    why = too_high(wish, value)
    if why is None and design.rho + design.rater_share >= 1.0:
        why = Undefined(
            "impossible_agreement",
            f"items have {design.rho:.3g} of a single rating's variance and raters "
            f"{design.rater_share:g}, which leaves nothing for the rest",
        )
    if why is not None:
        return Answer(raters, value, undefined=why)
    items, formula, reference = wish.items, None, ""
    rho = design.rho
    # The formulas are of a single rating, and of raters who rate as high as each other.
    plain = not design.averaged and not (design.drawn and design.rater_share)
    if wish.items is None and wish.width is not None:
        width = wish.width
        items = fewest(lambda n: (design.width(n) or 2.0) <= width)
        if plain:
            formula, reference = bonett(rho, raters, width, wish.level), BONETT
    elif wish.items is None and wish.lower is not None:
        lower = wish.lower
        items = fewest(lambda n: design.passing(n, lower) >= wish.power)
        if plain and lower >= 0.0:
            formula, reference = walter(rho, lower, raters, wish.level, wish.power), WALTER
    if items is None:
        return Answer(raters, value, undefined=too_many())
    method = "exact F interval of normal scores, integrated over F"
    if design.drawn:
        method = "F interval of normal scores, over drawn mean squares"
    low, high = design.around(items)
    passed = None if wish.lower is None else design.passing(items, wish.lower)
    return Answer(
        raters,
        value,
        items,
        formula_items=formula,
        width=design.width(items),
        width_error=design.width_error(items),
        low=low,
        high=high,
        passed=passed,
        passed_error=drawn_error(passed, design.times) if design.drawn else None,
        covered=design.covered(items) if design.drawn else None,
        without=design.undefined(items),
        simulations=design.times if design.drawn else 0,
        method=method,
        reference=reference or REFERENCE,
    )

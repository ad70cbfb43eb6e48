"""Two sides on the same items: the difference of a coefficient, and how sure it is.

Both sides are computed on the same resampled items, so that what is hard about an item moves
both. Two tests are made where both can be: the share of resampled differences beyond 0, and
exchanging the two sides' labels item by item (an approximate randomisation test).

References
----------
Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman and Hall.
Vanbelle, S. and Albert, A. (2008). A bootstrap method for comparing correlated kappa
coefficients. Journal of Statistical Computation and Simulation 78(11), 1009-1015.
Edgington, E. S. and Onghena, P. (2007). Randomization Tests, 4th ed. Chapman and Hall.
McNemar, Q. (1947). Psychometrika 12(2), 153-157.
Holm, S. (1979). Scandinavian Journal of Statistics 6(2), 65-70.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.agreement import resampling
from assay.agreement.additive import WORK, Form
from assay.agreement.additive_forms import IDENTIFIED, form_of
from assay.agreement.compare_sides import Pairing, after
from assay.agreement.registry import COEFFICIENTS, Context
from assay.agreement.replicates import TIE
from assay.agreement.resampling import HALF, draws
from assay.estimate import Estimate, Interval, Undefined
from assay.ratings.categories import Floats

PERCENTILE = "paired bootstrap of {what}, percentile, {resamples:,} resamples, seed {seed}"
SWAP = "sides exchanged at random {what} by {what}, {resamples:,} times, seed {seed}"


@dataclass(frozen=True, slots=True)
class NonInferiority:
    """Whether the first side is not worse than the second by a margin or more.

    ``lower`` is the one-sided lower limit of the difference; ``holds`` whether it lies above
    minus the margin; ``p_value`` the share of resamples in which the difference does not.
    """

    margin: float
    lower: float
    level: float
    holds: bool
    p_value: float


@dataclass(frozen=True, slots=True)
class Difference:
    """One coefficient on two sides: first − second.

    Attributes
    ----------
    first, second
        The estimates on the shared items.
    value, undefined
        The difference, or why there is none.
    interval, no_interval
        The percentile interval of paired resamples, or why there is none.
    p_bootstrap
        Two-sided, from the share of resampled differences at or beyond 0.
    p_swap
        Two-sided, from exchanging the sides; None where they cannot be exchanged.
    non_inferiority
        Where a margin was given.
    """

    name: str
    first: Estimate
    second: Estimate
    value: float | None
    undefined: Undefined | None = None
    interval: Interval | None = None
    no_interval: Undefined | None = None
    p_bootstrap: float | None = None
    p_swap: float | None = None
    p_swap_method: str = ""
    non_inferiority: NonInferiority | None = None

    @property
    def p_value(self) -> float | None:
        """That of exchanging the sides, else of the bootstrap."""
        return self.p_bootstrap if self.p_swap is None else self.p_swap

    @property
    def p_method(self) -> str | None:
        """What :attr:`p_value` comes from."""
        if self.p_swap is not None:
            return self.p_swap_method
        return None if self.interval is None else self.interval.method


@dataclass(frozen=True, slots=True)
class Choice:
    """How differences are tested."""

    level: float = 0.95
    resamples: int = 1000
    seed: int = 0
    margin: float | None = None


def differences(pairing: Pairing, context: Context, choice: Choice) -> list[Difference]:
    """Every coefficient that suits the design, on both sides.

    ``context`` holds the choices (scale, weights, …); its ratings are not used.
    """
    # One order of the sides, so that the order in which they are named changes the sign only.
    turned = after(pairing.left.rows, pairing.right.rows)
    pairing = pairing.turned() if turned else pairing
    sides = [context.on(side.made) for side in (pairing.left, pairing.right)]
    found = {
        name: (entry(sides[0]), entry(sides[1]))
        for name, entry in COEFFICIENTS.items()
        if any(entry.refusal(side) is None for side in sides)
    }
    usable = [n for n, pair in found.items() if all(e.value is not None for e in pair)]
    spread, swapped = _resampled(usable, pairing, sides, context, choice)
    out = []
    for name, (a, b) in found.items():
        if name not in usable:
            out.append(_without(name, a, b, turned))
            continue
        drawn = spread.get(name)
        if drawn is None:
            first, second = (b, a) if turned else (a, b)
            gap = float(first) - float(second)
            out.append(Difference(name, first, second, gap, no_interval=resampling.TOO_LARGE))
            continue
        out.append(_summed(name, a, b, drawn, swapped.get(name), pairing, choice, turned))
    return out


def _without(name: str, a: Estimate, b: Estimate, turned: bool) -> Difference:
    first, second = (b, a) if turned else (a, b)
    why = first.undefined or second.undefined
    return Difference(name, first, second, None, why)


def _resampled(
    names: list[str], pairing: Pairing, sides: list[Context], context: Context, choice: Choice
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Each coefficient's differences in resamples, and with sides exchanged."""
    resamples, seed = choice.resamples, choice.seed
    spread = {name: np.empty(resamples) for name in names}
    if pairing.units < 2 or not names:
        return spread, {}
    forms: dict[str, tuple[Form, Form]] = {
        name: (form_of(name, sides[0], pairing.left), form_of(name, sides[1], pairing.right))
        for name in names
    }
    # Twice the units are drawn twice: for the bootstrap and for exchanging the sides.
    most = resampling.MOST_WORK / (4.0 * resamples)
    forms = {n: pair for n, pair in forms.items() if max(f.cost for f in pair) <= most}
    spread = {name: spread[name] for name in forms}
    if not forms:
        return {}, {}
    width = max(form.width for pair in forms.values() for form in pair)
    width = max(width, len(pairing.times))
    for part, drawn in draws(pairing.drawn_times, resamples, seed, width):
        items = pairing.spread(drawn)
        for name, (left, right) in forms.items():
            spread[name][part] = left.values(items) - right.values(items)
    both = pairing.stacked()
    together = context.on(both.made)
    swapped: dict[str, Floats] = {}
    exchangeable = [n for n in forms if pairing.same_raters or n not in IDENTIFIED]
    if exchangeable:
        stacked = {name: form_of(name, together, both) for name in exchangeable}
        width = max(form.width for form in stacked.values())
        swapped = {name: np.empty(resamples) for name in exchangeable}
        for part, right in _exchanges(pairing, resamples, seed, width):
            stay = pairing.times - right
            for name, form in stacked.items():
                first = form.values(np.concatenate([stay, right], axis=1))
                second = form.values(np.concatenate([right, stay], axis=1))
                swapped[name][part] = first - second
    return spread, swapped


def _exchanges(pairing: Pairing, resamples: int, seed: int, width: int) -> Any:
    """Shape (resamples, units): how many items of each unit have their sides exchanged."""
    rng = np.random.default_rng([seed, 2])
    times = pairing.drawn_times
    step = max(1, WORK // max(1, width, 2 * len(pairing.times)))
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        moved = rng.binomial(times, 0.5, size=(size, times.size)).astype(np.float64)
        yield slice(start, start + size), pairing.spread(moved)


def _summed(
    name: str,
    a: Estimate,
    b: Estimate,
    spread: Floats,
    swapped: Floats | None,
    pairing: Pairing,
    choice: Choice,
    turned: bool,
) -> Difference:
    sign = -1.0 if turned else 1.0
    value = float(a) - float(b)
    first, second = (b, a) if turned else (a, b)
    what = pairing.what
    if pairing.units < 2:
        unit = pairing.unit
        why = Undefined(f"single_{unit}", f"there is one {unit} only, and resampling needs two")
        return Difference(name, first, second, sign * value, no_interval=why)
    p_swap = None
    if swapped is not None:
        # What is not defined counts against a difference, too.
        beyond = ~(np.abs(swapped) < abs(value) - TIE)
        p_swap = float(beyond.sum() + 1) / (swapped.size + 1)
    told = {"what": what, "resamples": choice.resamples, "seed": choice.seed}
    method = SWAP.format(**told | {"what": pairing.unit})
    known = sign * spread[~np.isnan(spread)]
    lost = spread.size - known.size
    if lost > HALF * spread.size:
        why = Undefined(
            "undefined_resamples",
            f"the difference is not defined in {lost:,} of {spread.size:,} resamples",
        )
        return Difference(
            name, first, second, sign * value, no_interval=why, p_swap=p_swap, p_swap_method=method
        )
    tail = (1.0 - choice.level) / 2.0
    low, high = np.quantile(known, [tail, 1.0 - tail]).tolist()
    interval: Interval | None = Interval(
        choice.level, low, high, PERCENTILE.format(**told), spread.size, lost
    )
    no_width = None
    if np.ptp(known) < TIE:
        reason = "the difference is the same in every resample, so an interval has no width"
        interval, no_width = None, Undefined("degenerate_error", reason)
    least = min(int((known <= TIE).sum()), int((known >= -TIE).sum()))
    return Difference(
        name,
        first,
        second,
        sign * value,
        None,
        interval,
        no_width,
        min(1.0, 2.0 * (least + 1) / (known.size + 1)),
        p_swap,
        method,
        None if interval is None else non_inferiority(known, choice),
    )


def non_inferiority(known: Floats, choice: Choice) -> NonInferiority | None:
    """From resampled differences, first − second."""
    if choice.margin is None:
        return None
    lower = float(np.quantile(known, 1.0 - choice.level))
    p = float((known <= -choice.margin).sum() + 1) / (known.size + 1)
    return NonInferiority(choice.margin, lower, choice.level, lower > -choice.margin, p)


@dataclass(frozen=True, slots=True)
class McNemar:
    """Two raters against a reference: how often each is right, and the exact test.

    ``first_only`` and ``second_only`` are the items on which one of the two is right.
    """

    items: int
    first_right: int
    second_right: int
    first_only: int
    second_only: int
    p_value: float


def exact_mcnemar(pairing: Pairing) -> McNemar:
    """The binomial test of the items on which one of the two equals the reference.

    Each side's rows are (rater, reference).
    """
    times = pairing.times
    a = pairing.left.rows[:, 0] == pairing.left.rows[:, 1]
    b = pairing.right.rows[:, 0] == pairing.right.rows[:, 1]
    one, other = int(times[a & ~b].sum()), int(times[b & ~a].sum())
    return McNemar(
        int(times.sum()),
        int(times[a].sum()),
        int(times[b].sum()),
        one,
        other,
        binomial_test(one, other),
    )


def binomial_test(one: int, other: int) -> float:
    """The two-sided exact p of a fair coin.

    Examples
    --------
    >>> binomial_test(0, 5), binomial_test(3, 3)
    (0.0625, 1.0)
    """
    from scipy.special import bdtr

    if not one + other:
        return 1.0
    return min(1.0, 2.0 * float(bdtr(min(one, other), one + other, 0.5)))

"""Studies that were drawn: how wide their intervals are, and how often the lower limit passes.

A formula's number of items is where the search begins. The mean width of real intervals differs
from that of the expected table (labels that happen to be rare, limits cut at 1), so the number is
corrected until the drawn studies do what was asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, sqrt

from assay.agreement.planning.population import Population
from assay.agreement.planning.precision import LEAST, MOST, Precision

STEPS = 60
CLOSE = 0.004
"""Two numbers of items that differ by no more than this share are one."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What ``times`` drawn studies of n items showed.

    Attributes
    ----------
    undefined
        The share of studies without a value or without an interval.
    width
        The mean width of the others' intervals, or None where there are none.
    width_error
        The standard error of that mean.
    covered
        The share of those intervals that hold the design's value.
    passed
        The share of all studies whose lower limit lies above the target, where there is one.
    """

    n: int
    times: int
    undefined: float
    width: float | None
    width_error: float | None
    covered: float | None
    passed: float | None


def trial(
    population: Population,
    name: str,
    n: int,
    *,
    value: float,
    level: float,
    lower: float | None,
    times: int,
    seed: int,
) -> Trial:
    """Draw ``times`` studies of n items."""
    widths, covered, passed = [], 0, 0
    for estimate in population.draws(name, n, times, [seed, len(population.whole)]):
        interval = estimate.interval(level)
        if interval is None:
            continue
        widths.append(interval.width)
        covered += interval.low <= value <= interval.high
        passed += lower is not None and interval.low > lower
    defined = len(widths)
    mean = sum(widths) / defined if defined else None
    error = None
    if mean is not None and defined > 1:
        error = sqrt(sum((w - mean) ** 2 for w in widths) / (defined - 1) / defined)
    return Trial(
        n,
        times,
        1.0 - defined / times,
        mean,
        error,
        covered / defined if defined else None,
        None if lower is None else passed / times,
    )


def corrected(
    start: int,
    run: Callable[[int], Trial],
    following: Callable[[Trial], int],
    enough: Callable[[Trial], bool],
) -> Trial:
    """The trial at the number of items that its own result confirms.

    ``following`` says, from one trial, how many items would do exactly what is asked for;
    ``enough`` whether a trial did it. Its guesses are kept between a number that is not enough
    and one that is, and every third time the middle is taken in place of the guess, so that
    the two meet also where the guesses are bad. Where nothing up to :data:`MOST` is enough,
    the trial has a number beyond it.
    """
    seen: dict[int, Trial] = {}
    low, high, n = LEAST - 1, 0, start
    for tries in range(1, STEPS):
        seen[n] = run(n)
        good = enough(seen[n])
        low, high = (low, n) if good else (n, high)
        step = max(1, round(CLOSE * n / 2.0))
        if high and high - low <= step:
            return seen[high]
        if not high and n >= MOST:
            break
        guess = following(seen[n])
        if not high:
            # Nothing is enough yet: upwards, and faster after a while.
            n = min(max(guess, n + step, 2 * n if tries > 3 else 0), MOST)
        elif tries % 3 == 0:
            n = min(max(round(sqrt(low * high)), low + 1), high - 1)
        else:
            inside = min(guess, high - step) if good else max(guess, low + step)
            n = min(max(inside, low + 1), high - 1)
    return seen[high] if high else replace(seen[n], n=MOST + 1)


def for_width(width: float) -> Callable[[Trial], int]:
    """The step towards a mean width: widths fall with √n."""

    def following(found: Trial) -> int:
        if found.width is None:
            return 2 * found.n
        return ceil(found.n * (found.width / width) ** 2)

    return following


def for_power(lower: float, power: float, precision: Precision) -> Callable[[Trial], int]:
    """The step towards a probability of passing: its probit rises with √n."""
    from scipy.special import ndtri

    slope = (precision.value - lower) / precision.spread if precision.spread else 0.0

    def following(found: Trial) -> int:
        passed = found.passed or 0.0
        if slope == 0.0:
            return found.n if passed >= power else found.n + 1
        # A share of 0 or 1 has no probit; half a study away from it has.
        edge = 0.5 / found.times
        gap = float(ndtri(power) - ndtri(min(max(passed, edge), 1.0 - edge)))
        return ceil(max(sqrt(found.n) + gap / slope, 1.0) ** 2)

    return following

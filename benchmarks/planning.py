"""Whether studies of the planned size do what was planned, thoroughly.

    python benchmarks/planning.py [--studies 20000] [--only icc]

For many designs: the planned number of items, and on studies drawn with another seed the mean
width of the intervals (within 5 % of the width asked for), the mean width with a twentieth fewer
items (above the width asked for: the number is the least, to rounding), and how often the lower
limit passes its target. It ends with 1 where one of them does not hold.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from math import sqrt

from assay.agreement.planning.answer import Answer, Wish, intraclass, labelled
from assay.agreement.planning.design import agreement_of, drawn_from, kappa_of
from assay.agreement.planning.intraclass import IccDesign
from assay.agreement.planning.population import Population
from assay.agreement.planning.simulate import Trial, trial
from assay.estimate import Undefined

LABELLED = (
    ("cohen_kappa", (2,)),
    ("fleiss_kappa", (3, 8)),
    ("krippendorff_alpha", (4,)),
    ("gwet_ac", (2, 5)),
)
SHARES = {"even": "1/2 1/2", "skewed": "9/10 1/10", "three": "6/10 3/10 1/10"}
VALUES = ("5/10", "8/10")
WIDTHS = (0.3, 0.15)
POWER = 0.8


def design(name: str, value: str, shares: str, raters: int) -> Population | None:
    """What is drawn from, or None where no raters agree so."""
    parts = [Fraction(part) for part in shares.split()]
    kappa = kappa_of(agreement_of(name, Fraction(value), parts), parts)
    if isinstance(kappa, Undefined):
        return None
    return drawn_from(name, "abc"[: len(parts)], parts, kappa, raters, 0)


Mean = tuple[float, float]
"""A mean width, and its simulation error."""


def line(what: str, answer: Answer, width: float, mean: Mean, less: Mean, power: float) -> bool:
    """Print one design; whether all that has to hold does."""
    items = answer.items or 0
    (got, _), (fewer, error) = mean, less
    off = got / width - 1.0
    # A twentieth of so few items is one of them.
    holds = abs(off) <= 0.05 and (fewer + 3.0 * error > width or items < 20)
    print(
        f"{what:<44} {width:6.2f} {items:7,} {answer.formula_items or 0:7,} {got:7.4f} "
        f"{100 * off:+6.1f} % {fewer:7.4f} {power:6.3f} {'' if holds else '  <-- off'}",
        flush=True,
    )
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--studies", type=int, default=20_000)
    parser.add_argument("--only", default="", help="coefficients that begin so")
    chosen = parser.parse_args()
    studies = chosen.studies
    print(f"{studies:,} studies a design, drawn with another seed than the plan's")
    heads = ("wish", "items", "formula", "width", "off", "5% less", "passed")
    head = " ".join(f"{h:>{w}}" for h, w in zip(heads, (6, 7, 7, 7, 8, 7, 6), strict=True))
    print(f"{'design':<44} {head}")
    good = True
    for name, numbers in LABELLED:
        if not name.startswith(chosen.only):
            continue
        for raters in numbers:
            for kind, shares in SHARES.items():
                for value in VALUES:
                    made = design(name, value, shares, raters)
                    if made is None:
                        continue
                    what = f"{name}, {raters} raters, {kind}, {float(Fraction(value))}"
                    for width in WIDTHS:
                        good &= of_labels(what, name, made, raters, width, studies)
    for form in ("icc_1", "icc_c_1", "icc_a_1", "icc_c_k"):
        if not form.startswith(chosen.only):
            continue
        for raters in (2, 4):
            for rho in (0.5, 0.8):
                for width in WIDTHS:
                    good &= of_numbers(form, raters, rho, width, studies)
    return 0 if good else 1


def of_labels(
    what: str, name: str, made: Population, raters: int, width: float, studies: int
) -> bool:
    """One design of labels: the plan for a width and, beside it, the one for a lower limit."""
    answer = labelled(name, made, raters, Wish(width=width))
    value, items = float(answer.value or 0.0), answer.items or 0
    bound = value - width / 2

    def study(n: int, lower: float | None = None) -> Trial:
        return trial(
            made, name, n, value=value, level=0.95, lower=lower, times=studies, seed=1_000
        )  # fmt: skip

    got, fewer = (mean_of(study(n)) for n in (items, int(0.95 * items)))
    passing = labelled(name, made, raters, Wish(lower=bound, power=POWER))
    passed = study(passing.items or 2, bound).passed or 0.0
    sound = line(what, answer, width, got, fewer, passed)
    # The plan's own 2,000 studies leave an error of .009; a small study's limits are few values.
    return sound and abs(passed - POWER) <= 0.04


def mean_of(found: Trial) -> Mean:
    """The mean width of a trial with its error."""
    return found.width or 0.0, found.width_error or 0.0


def of_numbers(form: str, raters: int, rho: float, width: float, studies: int) -> bool:
    """One design of an ICC against drawn scores' mean squares."""
    one = IccDesign(form, rho, raters)
    answer = intraclass(one, Wish(width=width))
    items = answer.items or 0
    got, fewer = drawn_width(one, items, studies), drawn_width(one, int(0.95 * items), studies)
    bound = rho - width / 2
    passing = intraclass(one, Wish(lower=bound, power=POWER)).items or 2
    return line(
        f"{form}, {raters} raters, {rho}", answer, width, got, fewer, one.passing(passing, bound)
    )


def drawn_width(one: IccDesign, n: int, studies: int) -> Mean:
    """The mean width of the library's intervals of drawn tables of normal scores."""
    import numpy as np

    from assay.agreement.icc import Anova, FRatio
    from assay.estimate import Interval

    generator = np.random.default_rng(n)
    k, rho, widths = one.k, one.rho, []
    for _ in range(studies):
        x = generator.normal(0, sqrt(rho), (n, 1)) + generator.normal(0, sqrt(1 - rho), (n, k))
        rows, columns, grand = x.mean(axis=1), x.mean(axis=0), x.mean()
        msr = k * ((rows - grand) ** 2).sum() / (n - 1)
        msc = n * ((columns - grand) ** 2).sum() / (k - 1)
        rest = ((x - rows[:, None] - columns + grand) ** 2).sum()
        within = ((x - rows[:, None]) ** 2).sum() / (n * (k - 1))
        table = Anova(n, k, msr, msc, rest / ((n - 1) * (k - 1)), within)
        single = (msr - table.error) / (msr + (k - 1) * table.error)
        got = FRatio(one.name, table, float(single)).interval(one.level)
        if isinstance(got, Interval):
            widths.append(got.width)
    return float(np.mean(widths)), float(np.std(widths)) / sqrt(len(widths))


if __name__ == "__main__":
    sys.exit(main())

"""What a coefficient is in the model of raters, and the agreement that a value asks for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from assay.agreement.icc import FORMS
from assay.agreement.planning.population import Population, many_raters, two_raters
from assay.estimate import Undefined

TWO = ("cohen_kappa", "scott_pi")
KAPPAS = (*TWO, "fleiss_kappa", "krippendorff_alpha")
"""Of these the model's κ is the value."""
NOMINAL = (*KAPPAS, "gwet_ac", "brennan_prediger", "percent_agreement")
PLANNED = (*NOMINAL, *FORMS)
"""The coefficients that a study can be planned for."""


def chance(name: str, shares: Sequence[Fraction]) -> Fraction:
    """The agreement that a coefficient expects by chance from these shares.

    >>> shares = [Fraction(9, 10), Fraction(1, 10)]
    >>> [str(chance(name, shares)) for name in ("cohen_kappa", "gwet_ac", "brennan_prediger")]
    ['41/50', '9/50', '1/2']
    """
    q = len(shares)
    if name == "percent_agreement":
        return Fraction(0)
    if name == "brennan_prediger":
        return Fraction(1, q)
    if name == "gwet_ac":
        return sum((share * (1 - share) for share in shares), Fraction(0)) / (q - 1)
    return sum((share * share for share in shares), Fraction(0))


def agreement_of(name: str, value: Fraction, shares: Sequence[Fraction]) -> Fraction:
    """The observed agreement at which a coefficient has this value."""
    expected = chance(name, shares)
    return expected + value * (1 - expected)


def value_of(name: str, agreement: Fraction, shares: Sequence[Fraction]) -> Fraction:
    """The value that a coefficient has at this observed agreement."""
    expected = chance(name, shares)
    return (agreement - expected) / (1 - expected)


def kappa_of(agreement: Fraction, shares: Sequence[Fraction]) -> Fraction | Undefined:
    """The model's κ at an observed agreement, or why no raters agree so."""
    if sum(1 for share in shares if share) < 2:
        return Undefined(
            "one_label_used",
            "one label is all that is expected, and agreement beyond chance needs two in use",
        )
    if agreement > 1:
        return Undefined(
            "impossible_agreement",
            f"it would take {100 * float(agreement):.1f} % agreement, and there is no more than "
            "100 %",
        )
    kappa = value_of("cohen_kappa", agreement, shares)
    if kappa < 0:
        least = float(chance("cohen_kappa", shares))
        return Undefined(
            "impossible_agreement",
            f"it would take {100 * float(agreement):.1f} % agreement, and raters who label at "
            f"random with these shares agree on {100 * least:.1f} % already; raise the value, or "
            "make the shares more even",
        )
    return kappa


def drawn_from(
    name: str,
    labels: Sequence[str],
    shares: Sequence[Fraction],
    kappa: Fraction,
    raters: int,
    seed: int,
) -> Population:
    """What studies of this design draw their items from."""
    if name in TWO:
        return two_raters(labels, shares, kappa)
    return many_raters(labels, shares, kappa, raters, seed)

"""What the library says of a table of items × labels."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from assay.agreement.fleiss import ESTIMATORS, fleiss
from assay.agreement.labels import category_kappas, specific_shares
from assay.agreement.percent import percent_agreement
from assay.agreement.registry import COEFFICIENTS, Context
from assay.estimate import Estimate
from assay.ratings.reductions import Reduced
from assay.ratings.tables import Counts
from assay.web.labs.many.estimates import exact
from assay.web.labs.many.state import Rows

NAMES = {
    "unanimous": "unanimous_agreement",
    "pairwise": "percent_agreement",
    "fleiss": "fleiss_kappa",
    "alpha": "krippendorff_alpha",
    "ac1": "gwet_ac",
    "s": "brennan_prediger",
}
"""The page's names of figures, and the library's of coefficients."""

CORRECTED = ("fleiss", "alpha", "ac1", "s")
"""Those that take something off for chance."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Everything computed from one table.

    Attributes
    ----------
    estimates
        By the page's names.
    items
        Each item's share of agreeing pairs; None with fewer than two ratings.
    counts, shares
        Each label's ratings, and its mean share of the items; None without a rating.
    specific, kappas
        Each label's specific agreement, and Fleiss' kappa against all others.
    """

    estimates: dict[str, Estimate]
    items: tuple[Fraction | None, ...]
    counts: tuple[int, ...]
    shares: tuple[Fraction | None, ...]
    specific: tuple[Fraction | None, ...]
    kappas: tuple[Fraction | None, ...]

    def values(self) -> dict[str, Fraction | float | None]:
        """The values alone."""
        return {name: exact(estimate) for name, estimate in self.estimates.items()}


@lru_cache(maxsize=64)
def numbers(rows: Rows) -> Numbers:
    """Everything from a table; asked for again with the last state, so kept for a while."""
    context = _context(rows)
    pool = context.pool
    shares = pool.mean_shares
    specific = specific_shares(pool)
    kappas = category_kappas(pool)
    return Numbers(
        estimates=estimates(rows),
        items=tuple(map(item_agreement, rows)),
        counts=tuple(sum(column) for column in zip(*rows, strict=True)),
        shares=tuple(
            Fraction(t, shares.denominator) if shares.denominator else None
            for t in shares.numerators
        ),
        specific=tuple(specific),
        # A label that was never compared has no kappa, whatever its share.
        kappas=tuple(
            None if known is None else kappa for known, kappa in zip(specific, kappas, strict=True)
        ),
    )


def _context(rows: Rows) -> Context:
    return Context(Reduced(Counts([list(row) for row in rows])), scale="nominal")


@lru_cache(maxsize=256)
def estimates(rows: Rows) -> dict[str, Estimate]:
    """The six estimates of a table."""
    context = _context(rows)
    return {name: COEFFICIENTS[full](context) for name, full in NAMES.items()}


@lru_cache(maxsize=2048)
def item_agreement(row: tuple[int, ...]) -> Fraction | None:
    """An item's share of agreeing pairs of ratings."""
    return percent_agreement(Counts([list(row)])).exact


def estimators(rows: Rows) -> dict[str, Fraction | float | None]:
    """Fleiss' kappa by each formula in use where items differ in their number of ratings."""
    pool = _context(rows).pool
    return {name: exact(fleiss(pool, name)) for name in ESTIMATORS}

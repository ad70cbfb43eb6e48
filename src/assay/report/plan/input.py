"""What a plan is told: a wish, shares of labels, or a pilot; checked, and as exact numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assay.agreement.icc import anova
from assay.agreement.planning.answer import Answer, Wish, labelled
from assay.agreement.planning.design import agreement_of, drawn_from, kappa_of
from assay.agreement.planning.population import Population, of_pilot
from assay.agreement.planning.precision import MOST
from assay.agreement.registry import COEFFICIENTS, Context
from assay.errors import DesignError, UsageError
from assay.estimate import Estimate, Undefined
from assay.ratings.model import Ratings
from assay.ratings.read import read
from assay.ratings.reductions import Reduced


def exact(value: Any, what: str, *, low: int) -> Fraction:
    """A number as it is written, from ``low`` to 1.

    >>> exact(0.95, "value", low=0), exact("1/3", "value", low=0)
    (Fraction(19, 20), Fraction(1, 3))
    """
    try:
        if isinstance(value, bool):
            raise ValueError
        found = Fraction(value) if isinstance(value, (Fraction, str)) else Fraction(repr(value))
    except (ValueError, TypeError, ZeroDivisionError):
        found = None
    if found is None or not low <= found <= 1:
        shown = value if isinstance(value, str) else repr(value)
        raise UsageError(f"{what}: a number from {low} to 1 is needed, not {shown}.")
    return found


KINDS: dict[str, Any] = {
    "width": (int, float),
    "lower": (int, float),
    "power": (int, float),
    "items": int,
    "simulations": int,
    "seed": int,
}
"""What the parts of a wish are."""


def check_wish(wish: Wish) -> Wish:
    """The wish, if it is one."""
    for name, kinds in KINDS.items():
        value = getattr(wish, name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, kinds)):
            what = "a whole number" if kinds is int else "a number"
            raise UsageError(f"{name}: {what} is needed, not {value!r}.")
    asked = [name for name in ("width", "items") if getattr(wish, name) is not None]
    if wish.lower is not None and wish.items is None:
        asked.append("lower")
    if len(asked) != 1:
        raise UsageError(
            f"width, lower or items: one of them is needed, not {' and '.join(asked) or 'none'}; "
            "how wide the interval may be, what its lower limit should pass, or how many items "
            "there are."
        )
    if wish.width is not None and not 0.0 < wish.width < 2.0:
        raise UsageError(f"width: a number above 0 and below 2 is needed, not {wish.width!r}.")
    if wish.lower is not None and not -1.0 < wish.lower < 1.0:
        raise UsageError(f"lower: a number between -1 and 1 is needed, not {wish.lower!r}.")
    if not 0.0 < wish.power < 1.0:
        raise UsageError(f"power: a number between 0 and 1 is needed, not {wish.power!r}.")
    if wish.items is not None and not 2 <= wish.items <= MOST:
        raise UsageError(f"items: a whole number from 2 to {MOST:,} is needed, not {wish.items!r}.")
    if wish.simulations != 0 and not 100 <= wish.simulations <= 100_000:
        raise UsageError(
            f"simulations: 0, or from 100 to 100,000 are needed, not {wish.simulations!r}."
        )
    if wish.seed < 0:
        raise UsageError(f"seed: a whole number of 0 or more is needed, not {wish.seed!r}.")
    return wish


def shares_of(
    shares: Mapping[str, Any] | Sequence[Any] | None,
    labels: int | Sequence[str] | None,
    *,
    most: int,
) -> tuple[list[str], list[Fraction]]:
    """Labels and their shares, which add up to 1.

    >>> shares_of({"safe": 0.95, "violation": 0.05}, None, most=50)
    (['safe', 'violation'], [Fraction(19, 20), Fraction(1, 20)])
    """
    if (shares is None) == (labels is None):
        raise UsageError(
            "shares or labels: one of the two is needed: how often each label is expected, or how "
            "many equally frequent ones there are."
        )
    if labels is not None:
        names = [str(k + 1) for k in range(labels)] if isinstance(labels, int) else list(labels)
        found = [Fraction(1, len(names)) for _ in names]
    else:
        assert shares is not None  # noqa: S101 (one of the two is given)
        if not isinstance(shares, Mapping):
            shares = {str(k + 1): share for k, share in enumerate(shares)}
        names = [str(name) for name in shares]
        found = [exact(share, f"shares: {n}", low=0) for n, share in shares.items()]
        total = sum(found, Fraction(0))
        if abs(total - 1) > Fraction(1, 10**6):
            raise UsageError(f"shares: they add up to {float(total):g}, and to 1 is needed.")
        found = [share / total for share in found]
    if not 1 <= len(names) <= most:
        raise UsageError(f"labels: from 1 to {most} are planned for, not {len(names)}.")
    if len(set(names)) < len(names):
        raise UsageError("labels: each is named once; one is named twice.")
    return names, found


@dataclass(frozen=True, eq=False)
class Pilot:
    """Ratings that stand for those to come."""

    ratings: Ratings

    @property
    def raters(self) -> int:
        """How many ratings an item has at most."""
        return max(self.ratings.sizes, default=0)

    def _estimate(self, name: str) -> Estimate:
        made = Reduced.of(self.ratings)
        scale = self.ratings.scale or "nominal"
        return COEFFICIENTS[name](Context(made, scale=scale, period=self.ratings.period))

    def about(self, estimate: Estimate) -> dict[str, Any]:
        """What the pilot says, as plain values."""
        interval = estimate.interval()
        return {
            "name": self.ratings.reading.source,
            "items": self.ratings.n_items,
            "raters": self.raters,
            "value": estimate.value,
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
        }

    def answers(
        self, name: str, numbers: tuple[int, ...], wish: Wish
    ) -> tuple[tuple[Answer, ...], dict[str, Any]]:
        """For as many raters as the pilot has from its items, for others from the model."""
        estimate = self._estimate(name)
        context = Context(Reduced.of(self.ratings), scale="nominal")
        shares = context.pool.mean_shares
        parts = [Fraction(n, shares.denominator) for n in shares.numerators]
        texts = list(self.ratings.categories.texts)
        assumed: dict[str, Any] = {
            "value": estimate.value,
            "agreement": float(context.pool.observed),
            "shares": dict(zip(texts, map(float, parts), strict=True)) if len(texts) <= 50 else {},
            "model": None,
            "pilot": self.about(estimate),
            "rater_share": None,
        }
        if estimate.undefined is not None:
            return tuple(Answer(r, undefined=estimate.undefined) for r in numbers), assumed
        population: Population | None = None
        found = []
        for r in numbers:
            if r == self.raters:
                population = population or of_pilot(self.ratings)
                found.append(labelled(name, population, r, wish))
            else:
                found.append(self._modelled(name, estimate, texts, parts, r, wish, assumed))
        return tuple(found), assumed

    def _modelled(
        self,
        name: str,
        estimate: Estimate,
        texts: list[str],
        parts: list[Fraction],
        raters: int,
        wish: Wish,
        assumed: dict[str, Any],
    ) -> Answer:
        if (self.ratings.scale or "nominal") != "nominal":
            raise DesignError(
                f"raters: a pilot whose scale is {self.ratings.scale} is planned with as many "
                f"raters as it has ({self.raters}); the model of other numbers is of names."
            )
        value = Fraction(repr(estimate.value))
        kappa = kappa_of(agreement_of(name, value, parts), parts)
        if isinstance(kappa, Undefined):
            return Answer(raters, estimate.value, undefined=kappa)
        assumed["model"] = float(kappa)
        population = drawn_from(name, texts, parts, kappa, raters, wish.seed)
        return labelled(name, population, raters, wish)

    def intraclass(self, name: str) -> tuple[Estimate, float]:
        """An ICC of the pilot, and the share of the variance that is the raters' levels."""
        ratings = self.ratings
        if ratings.scale not in ("interval", "ratio"):
            ratings = ratings.with_scale("interval")
        made = Reduced.of(ratings)
        estimate = COEFFICIENTS[name](Context(made, scale="interval"))
        if estimate.value is None:
            return estimate, 0.0
        table = anova(made, made.matrix)
        n, k = float(table.n), table.k
        rows, columns, error = (float(x) for x in (table.rows, table.columns, table.error))
        between = max(0.0, (columns - error) / n)
        total = max(0.0, (rows - error) / k) + between + error
        return estimate, between / total if total else 0.0


def read_pilot(pilot: Any, reading: dict[str, Any]) -> Pilot:
    """A pilot from ratings, or from what can be read as ratings."""
    ratings = pilot if isinstance(pilot, Ratings) and not reading else read(pilot, **reading)
    if ratings.group_names:
        raise UsageError("pilot: one set of ratings is needed, not groups; read it without by.")
    if not any(r >= 2 for r in ratings.sizes):
        raise DesignError(
            "pilot: no item has two ratings or more, so it says nothing of agreement."
        )
    return Pilot(ratings)

"""The state of the lab: a design of two raters and two labels, and a number of items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from assay.web.query import BadState, Query, shortened, whole
from assay.web.speech import lazy

MIN_ITEMS, MAX_ITEMS = 2, 100_000
FIRST_ITEMS, FIRST_PO, FIRST_SKEW = 100, 85, 60
MIN_SKEW, MAX_SKEW = 50, 99


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the page depends on.

    Attributes
    ----------
    n
        Items that both raters label.
    po, kappa
        Per cent of items they are expected to agree on, or kappa in hundredths; one of the
        two is None, and follows from the other.
    skew
        Per cent of the ratings of each rater that are the more frequent label.
    """

    n: int = FIRST_ITEMS
    po: int | None = FIRST_PO
    kappa: int | None = None
    skew: int = FIRST_SKEW

    def query(self) -> dict[str, str]:
        """The canonical parameters."""
        return {
            "n": str(self.n),
            "po": "" if self.po is None else str(self.po),
            "kappa": "" if self.kappa is None else str(self.kappa),
            "skew": str(self.skew),
        }

    @property
    def share(self) -> Fraction:
        """The share of the more frequent label."""
        return Fraction(self.skew, 100)

    @property
    def chance(self) -> Fraction:
        """Expected agreement of two raters who both use the labels so."""
        return self.share**2 + (1 - self.share) ** 2

    @property
    def agreement(self) -> Fraction:
        """Observed agreement, given or from kappa."""
        if self.po is not None:
            return Fraction(self.po, 100)
        return self.chance + Fraction(self.kappa or 0, 100) * (1 - self.chance)

    @property
    def least(self) -> Fraction:
        """The lowest agreement possible: when one says the rare label the other never does."""
        return 2 * self.share - 1

    def kappa_of(self, agreement: Fraction) -> Fraction:
        """Kappa at some agreement."""
        return (agreement - self.chance) / (1 - self.chance)

    @property
    def lowest(self) -> int:
        """The lowest value of the one that is given: per cent, or hundredths of kappa."""
        least = self.least if self.po is not None else self.kappa_of(self.least)
        return ceil(100 * least)

    def raised(self) -> State:
        """The state with agreement brought up to what these labels allow."""
        if self.po is not None:
            return replace(self, po=max(self.po, self.lowest))
        return replace(self, kappa=max(self.kappa or 0, self.lowest))

    def by_kappa(self) -> State:
        """The same design, near enough, with kappa given."""
        return replace(self, po=None, kappa=round(100 * self.kappa_of(self.agreement))).raised()

    def by_agreement(self) -> State:
        """The same design, near enough, with agreement given."""
        return replace(self, po=round(100 * self.agreement), kappa=None).raised()

    def at(self, n: int) -> State:
        """The same design with another number of items."""
        return replace(self, n=min(max(n, MIN_ITEMS), MAX_ITEMS))


def _bounded(text: str, what: object, low: int, high: int, field: str) -> int:
    try:
        return whole(text, "", low, high)
    except BadState:
        raise BadState(
            lazy(
                "{what}: a whole number from {low} to {high} is needed, not “{found}”.",
                what=what,
                low=low,
                high=high,
                found=shortened(text),
            ),
            field=field,
        ) from None


def _state(query: Query, *, by: str) -> State:
    n = query.one("n") or str(FIRST_ITEMS)
    skew = query.one("skew") or str(FIRST_SKEW)
    state = State(
        n=_bounded(n, lazy("Items"), MIN_ITEMS, MAX_ITEMS, "n"),
        skew=_bounded(skew, lazy("Share of the frequent label"), MIN_SKEW, MAX_SKEW, "skew"),
    )
    if by == "po":
        po = query.one("po") or str(FIRST_PO)
        return replace(state, po=_bounded(po, lazy("Agreement"), 0, 100, "po"))
    text = query.one("kappa").replace("−", "-").strip()
    size = _bounded(text.removeprefix("-"), lazy("Kappa in hundredths"), 0, 100, "kappa")
    return replace(state, po=None, kappa=-size if text.startswith("-") else size)


def parse(query: Query) -> State:
    """The state of an address; ``kappa`` takes the place of ``po`` where it is given."""
    by = "kappa" if query.one("kappa") else "po"
    state = _state(query, by=by)
    if state.agreement < state.least:
        raise BadState(
            lazy(
                "Two raters who both use one label for {skew} % of the items agree on {least} % "
                "or more: the rare label is too rare for more misses. Raise the agreement, or "
                "make the labels more even.",
                skew=state.skew,
                least=int(100 * state.least),
            ),
            field=by,
        )
    return state


def edit(query: Query) -> State:
    """The state after the form was sent; agreement follows where labels allow no less."""
    state = _state(query, by=query.choice("by", ("po", "kappa"), "po")).raised()
    do = query.one("do")
    if do == "":
        return state
    if do == "half":
        return state.at(-(-state.n // 2))
    if do == "double":
        return state.at(2 * state.n)
    raise BadState(lazy("There is no button “{do}”.", do=shortened(do)))

"""Shares of wins, ties and losses, under three conventions for ties, each by its name."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from assay.estimate import Interval, Undefined

CONVENTIONS = ("ties_excluded", "ties_half", "ties_as_losses")
WORDS = {
    "ties_excluded": "wins of decided comparisons",
    "ties_half": "wins and half of the ties, of all comparisons",
    "ties_as_losses": "wins of all comparisons",
}
NO_COMPARISON = Undefined("no_comparison", "there is no comparison")
NO_DECISION = Undefined("no_decided_comparison", "no comparison is decided: all are ties")


def wilson(successes: float, n: int, level: float, method: str) -> Interval:
    """Wilson's (1927) score interval, without correction for continuity.

    >>> got = wilson(2, 4, 0.95, "Wilson score")
    >>> round(got.low, 4), round(got.high, 4)
    (0.15, 0.85)
    """
    from scipy.special import ndtri

    z2 = float(ndtri(0.5 + level / 2.0)) ** 2
    p = successes / n
    middle = (p + z2 / (2 * n)) / (1.0 + z2 / n)
    half = (z2 * (p * (1.0 - p) + z2 / (4 * n)) / n) ** 0.5 / (1.0 + z2 / n)
    # Algebra gives exactly 0 and 1 at the ends; rounding does not.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return Interval(level, low, high, method)


@dataclass(frozen=True, slots=True)
class Share:
    """A share as a fraction with its interval, or the reason why there is none."""

    value: Fraction | None
    interval: Interval | None
    undefined: Undefined | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """Wins, ties and losses of one system, over all or against one other.

    Examples
    --------
    >>> result = Result(30, 40, 30)
    >>> str(result.share("ties_half").value), str(result.share("ties_as_losses").value)
    ('1/2', '3/10')
    >>> Result(0, 25, 0).share("ties_excluded").undefined.code
    'no_decided_comparison'
    """

    wins: int
    ties: int
    losses: int

    @property
    def n(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def decided(self) -> int:
        return self.wins + self.losses

    @property
    def net(self) -> Fraction | None:
        """Wins minus losses, of all comparisons."""
        return Fraction(self.wins - self.losses, self.n) if self.n else None

    def of_all(self, count: int) -> Fraction | None:
        """One of the counts as a share of all comparisons."""
        return Fraction(count, self.n) if self.n else None

    def share(self, convention: str, level: float = 0.95) -> Share:
        """The share of wins under one of :data:`CONVENTIONS`.

        With ties as half the score interval is conservative: scores of 0, 1/2 and 1 vary at
        most as much as the wins and losses that Wilson's interval is made for.
        """
        whole = self.decided if convention == "ties_excluded" else self.n
        won = Fraction(self.wins) + (Fraction(self.ties, 2) if convention == "ties_half" else 0)
        if not whole:
            return Share(None, None, NO_DECISION if self.n else NO_COMPARISON)
        method = f"Wilson score, {WORDS[convention]}"
        return Share(won / whole, wilson(float(won), whole, level, method))

"""The likelihoods of comparisons and their slopes, for a stack of data sets at once.

One system's log strength is λ_i. With a threshold δ, i wins against j with probability
σ(λ_i − λ_j − δ) and a tie takes the rest: δ = 0 is Bradley and Terry's model (1952), δ = log θ
Rao and Kupper's (1967). In Davidson's (1970) the probabilities of win, tie and loss are
proportional to exp(d/2), ν and exp(−d/2), with d = λ_i − λ_j. All are concave in λ and in the
parameter for ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assay.preference.model import Ints

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A stack of data sets over the same pairs.

    Attributes
    ----------
    a, b
        Shape (pairs,): the systems of each pair.
    k
        How many systems there are.
    within
        Shape (systems,): each system's part; every pair lies inside one.
    won, tied, lost
        Shape (stack, pairs): how often a won, neither, b won. Weights need not be whole.
    """

    a: Ints
    b: Ints
    k: int
    within: Ints
    won: Floats
    tied: Floats
    lost: Floats

    def part(self, rows: Ints) -> Problem:
        return Problem(
            self.a, self.b, self.k, self.within, self.won[rows], self.tied[rows], self.lost[rows]
        )

    def per_system(self, values: Floats, sign: int) -> Floats:
        """Shape (stack, systems): Σ over pairs of values, with ``sign`` for the pair's b."""
        return np.stack(
            [
                np.bincount(self.a, row, self.k) + sign * np.bincount(self.b, row, self.k)
                for row in values
            ]
        )


class Slopes(NamedTuple):
    """First and second derivatives of a stack of log likelihoods.

    ``by_pair`` (stack, pairs) is the slope along λ_a − λ_b, ``by_tie`` (stack,) that along the
    parameter for ties; ``information``, ``cross`` and ``curve`` are minus the second
    derivatives: pair by pair, pair and tie, tie.
    """

    by_pair: Floats
    by_tie: Floats
    information: Floats
    cross: Floats
    curve: Floats


class Threshold:
    """Bradley-Terry (``free`` False: δ = 0, ties as half a win each) and Rao-Kupper."""

    def __init__(self, problem: Problem, free: bool) -> None:
        self.problem = problem
        self.free = free
        share = problem.tied if free else problem.tied / 2.0
        self.up, self.down = problem.won + share, problem.lost + share
        self.ties = problem.tied.sum(axis=1)

    def part(self, rows: Ints) -> Threshold:
        """The model of some of the data sets."""
        return Threshold(self.problem.part(rows), self.free)

    def allowed(self, tie: Floats) -> npt.NDArray[np.bool_]:
        """Whether δ may have these values."""
        return np.asarray(tie > 0) if self.free else np.ones(len(tie), dtype=bool)

    def start(self) -> Floats:
        """δ where all systems are equal: a share t of ties is (θ − 1) / (θ + 1)."""
        if not self.free:
            return np.zeros(len(self.ties))
        n = self.problem.won.sum(1) + self.problem.lost.sum(1) + self.ties
        t = np.clip(self.ties / np.maximum(n, 1.0), 1e-9, 0.999)
        return np.asarray(np.log((1.0 + t) / (1.0 - t)))

    def value(self, x: Floats, tie: Floats) -> Floats:
        from scipy.special import log_expit

        d, delta = self._differences(x), tie[:, None]
        out = (self.up * log_expit(d - delta) + self.down * log_expit(-d - delta)).sum(axis=1)
        if self.free:
            with np.errstate(divide="ignore", invalid="ignore"):
                out = out + np.where(
                    tie > 0, self.ties * (2.0 * tie + np.log(-np.expm1(-2.0 * tie))), -np.inf
                )
        return np.asarray(out)

    def _differences(self, x: Floats) -> Floats:
        return np.asarray(x[:, self.problem.a] - x[:, self.problem.b])

    def derivatives(self, x: Floats, tie: Floats) -> Slopes:
        """The slopes at some points."""
        from scipy.special import expit

        d, delta = self._differences(x), tie[:, None]
        s, q = expit(d - delta), expit(-d - delta)
        upward, downward = self.up * (1.0 - s), self.down * (1.0 - q)
        by_pair = upward - downward
        upward_h, downward_h = upward * s, downward * q
        h = upward_h + downward_h
        if not self.free:
            zero = np.zeros(len(x))
            return Slopes(by_pair, zero, h, np.zeros_like(h), zero)
        e = np.exp(-2.0 * tie)
        by_tie = 2.0 * self.ties / (1.0 - e) - upward.sum(1) - downward.sum(1)
        curve = h.sum(1) + 4.0 * self.ties * e / (1.0 - e) ** 2
        return Slopes(by_pair, by_tie, h, -(upward_h - downward_h), curve)


class Davidson:
    """Davidson's model; its parameter for ties is log ν."""

    free = True

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.ties = problem.tied.sum(axis=1)
        self.n = problem.won + problem.tied + problem.lost

    def part(self, rows: Ints) -> Davidson:
        """The model of some of the data sets."""
        return Davidson(self.problem.part(rows))

    def allowed(self, tie: Floats) -> npt.NDArray[np.bool_]:
        """Log ν may have any value."""
        return np.ones(len(tie), dtype=bool)

    def start(self) -> Floats:
        """Log ν where all systems are equal: a share t of ties is ν / (2 + ν)."""
        t = np.clip(self.ties / np.maximum(self.n.sum(1), 1.0), 1e-9, 0.999)
        return np.asarray(np.log(2.0 * t / (1.0 - t)))

    def _logs(self, x: Floats, tie: Floats) -> tuple[Floats, Floats, Floats]:
        half = (x[:, self.problem.a] - x[:, self.problem.b]) / 2.0
        theta = np.broadcast_to(tie[:, None], half.shape)
        total = np.logaddexp(np.logaddexp(half, -half), theta)
        return half - total, theta - total, -half - total

    def value(self, x: Floats, tie: Floats) -> Floats:
        won, tied, lost = self._logs(x, tie)
        p = self.problem
        return np.asarray((p.won * won + p.tied * tied + p.lost * lost).sum(axis=1))

    def derivatives(self, x: Floats, tie: Floats) -> Slopes:
        """The slopes at some points; the information is a covariance of sums of counts."""
        win, draw, _ = (np.exp(part) for part in self._logs(x, tie))
        expected = win + draw / 2.0
        p = self.problem
        by_pair = p.won + p.tied / 2.0 - self.n * expected
        by_tie = self.ties - (self.n * draw).sum(1)
        h = self.n * (win + draw / 4.0 - expected**2)
        cross = self.n * draw * (0.5 - expected)
        return Slopes(by_pair, by_tie, h, cross, (self.n * draw * (1.0 - draw)).sum(1))

"""Newton's method for a stack of concave likelihoods of comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.preference.likelihood import Davidson, Floats, Problem, Slopes, Threshold
from assay.preference.model import Ints

Model = Threshold | Davidson

TOLERANCE = 1e-12
"""Observed and expected wins of every system differ by less than this, per comparison."""

STEPS = 200
HALVINGS = 60
SLOW = 0.3
"""Where a step with a borrowed information leaves more than this of the slope, Newton's own."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Log strengths with mean 0 in each part, the parameter for ties, and how near they are.

    ``tie`` is δ = log θ or log ν; 0 and −∞ where the model has none or there are no ties.
    """

    strengths: Floats
    tie: Floats
    gradient: Floats
    log_likelihood: Floats
    steps: int
    converged: npt.NDArray[np.bool_]


def solve(
    model: Model,
    start: Floats | None = None,
    tie: Any = None,
    *,
    tolerance: float = TOLERANCE,
    polish: bool = True,
    borrowed: Floats | None = None,
) -> Solution:
    """The largest likelihood of each data set of a stack.

    A step that would lower the likelihood is halved. It ends where, for every system, the
    wins observed and expected differ by less than ``tolerance`` a comparison; ``polish`` takes
    one more step, which leaves nothing but rounding. With ``borrowed``, the inverse of the
    information (:func:`inverse_information`) at a point near all of the answers, steps cost no
    equations to be solved as long as they lead there fast.
    """
    problem = model.problem
    size = len(problem.won)
    x = np.zeros((size, problem.k)) if start is None else np.array(start)
    t = model.start() if tie is None else np.array(tie, dtype=np.float64)
    played = np.maximum(problem.per_system(problem.won + problem.tied + problem.lost, 1), 1.0)
    value = model.value(x, t)
    near = np.full(size, np.inf)
    slow = np.full(size, borrowed is None)
    steps = 0
    for steps in range(STEPS + 1):
        slopes = model.derivatives(x, t)
        right = _right(problem, model.free, slopes)
        before, near = near, _distance(right, played, model.free)
        slow |= near > SLOW * before
        # What is done already stays as it is, so that a stack gives what each gives alone.
        open_ = near > tolerance
        if not open_.any() or steps == STEPS:
            break
        own, quick = np.flatnonzero(open_ & slow), np.flatnonzero(open_ & ~slow)
        move = np.empty_like(right)
        move[own] = _newton(problem, model.free, slopes, right, own)
        if borrowed is not None:
            move[quick] = right[quick] @ borrowed
        x, t, value, moved = _guarded(model, x, t, value, move, np.flatnonzero(open_))
        if not moved:
            break
    if polish:
        x, t, near = _polished(model, x, t, near, played)
    centred = x - _means(x, problem.within)
    return Solution(centred, t, near, value, steps, near <= tolerance)


def inverse_information(model: Model, x: Floats, tie: Floats) -> Floats:
    """The inverse of the information of a single data set at a point."""
    slopes = model.derivatives(x, tie)
    return np.asarray(np.linalg.inv(_matrices(model.problem, model.free, slopes, np.arange(1))[0]))


def _right(problem: Problem, free: bool, slopes: Slopes) -> Floats:
    """Shape (stack, systems), and a last column for the parameter for ties if it is free."""
    g = problem.per_system(slopes.by_pair, -1)
    return np.column_stack((g, slopes.by_tie)) if free else g


def _distance(right: Floats, played: Floats, free: bool) -> Floats:
    """How far observed and expected wins, and ties, are apart, per comparison."""
    k = played.shape[1]
    near = np.abs(right[:, :k] / played).max(axis=1)
    if free:
        near = np.maximum(near, np.abs(right[:, k]) / np.maximum(played.sum(1) / 2.0, 1.0))
    return np.asarray(near)


def _polished(
    model: Model, x: Floats, t: Floats, near: Floats, played: Floats
) -> tuple[Floats, Floats, Floats]:
    """One more step wherever it leads nearer."""
    k = model.problem.k
    slopes = model.derivatives(x, t)
    right = _right(model.problem, model.free, slopes)
    move = _newton(model.problem, model.free, slopes, right, np.arange(len(x)))
    new_x = x + move[:, :k]
    new_t = t + move[:, k] if model.free else t
    ok = model.allowed(new_t)
    slopes = model.derivatives(new_x, np.where(ok, new_t, t))
    found = _distance(_right(model.problem, model.free, slopes), played, model.free)
    better = ok & (found <= near)
    return (
        np.where(better[:, None], new_x, x),
        np.where(better, new_t, t),
        np.where(better, found, near),
    )


def _means(x: Floats, within: Ints) -> Floats:
    """Each system's mean over its part."""
    sums = np.stack([np.bincount(within, row) for row in x])
    return np.asarray((sums / np.bincount(within))[:, within])


def _matrices(problem: Problem, free: bool, slopes: Slopes, rows: Ints) -> Floats:
    """The information of some of the stack, with the mean of each part held."""
    k, a, b = problem.k, problem.a, problem.b
    m = np.zeros((len(rows), k + free, k + free))
    m[:, a, b] = m[:, b, a] = -slopes.information[rows]
    diagonal = problem.per_system(slopes.information[rows], 1)
    m[:, np.arange(k), np.arange(k)] = diagonal
    # The likelihood does not change along a part's mean; any slope there holds it.
    together = problem.within[:, None] == problem.within[None, :]
    m[:, :k, :k] += together * np.maximum(diagonal.max(1), 1e-300)[:, None, None] / k
    if free:
        m[:, :k, k] = m[:, k, :k] = problem.per_system(slopes.cross[rows], -1)
        m[:, k, k] = slopes.curve[rows]
    return m


def _newton(problem: Problem, free: bool, slopes: Slopes, right: Floats, rows: Ints) -> Floats:
    """Newton's step of some of the stack."""
    if not len(rows):
        return np.zeros((0, right.shape[1]))
    try:
        m = _matrices(problem, free, slopes, rows)
        return np.asarray(np.linalg.solve(m, right[rows][:, :, None])[:, :, 0])
    except np.linalg.LinAlgError:
        # Far out, the information underflows: a short step along the gradient leads back.
        return np.asarray(right[rows] / np.abs(right[rows]).max(axis=1, keepdims=True))


def _guarded(
    model: Model, x: Floats, t: Floats, value: Floats, move: Floats, rows: Ints
) -> tuple[Floats, Floats, Floats, bool]:
    """The points after steps short enough not to lower the likelihood."""
    k = model.problem.k
    x, t, value = x.copy(), t.copy(), value.copy()
    step = 1.0
    moved = False
    for _ in range(HALVINGS):
        sub = model if len(rows) == len(x) else model.part(rows)
        new_x = x[rows] + step * move[rows, :k]
        new_t = t[rows] + step * move[rows, k] if model.free else t[rows]
        with np.errstate(over="ignore", invalid="ignore"):
            new = sub.value(new_x, new_t)
        # Close to the top, the likelihood's own rounding is larger than what a step gains.
        good = new >= value[rows] - 1e-12 * np.abs(value[rows])
        done = rows[good]
        x[done], t[done], value[done] = new_x[good], new_t[good], new[good]
        moved = moved or bool(good.any())
        rows = rows[~good]
        if not len(rows):
            break
        step /= 2.0
    return x, t, value, moved

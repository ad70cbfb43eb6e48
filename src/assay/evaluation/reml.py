"""Restricted maximum likelihood of a mean a system and random effects of items and of raters.

The model is y = Xβ + Σ Z_k u_k + e with u_k ~ N(0, λ_k σ²) and e ~ N(0, σ²): a column of X for
each system, a factor k for items and one for raters. All that the likelihood needs are counts and
sums of cells, so its cost does not depend on the number of ratings. The factor with more levels is
eliminated by hand, since its block is diagonal; the other stays a dense matrix (Henderson's
equations). β and σ² have closed forms at given λ, so only the λ are searched for.

References
----------
Patterson, H. D. and Thompson, R. (1971). Biometrika 58(3), 545-554.
Henderson, C. R. (1975). Biometrics 31(2), 423-447.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import log, pi
from typing import Any

import numpy as np

from assay.ratings.categories import Floats, Ints

STARTS = (0.0, -4.0)
"""Where log λ is searched from."""
KEPT = 20_000_000
"""So many cells of cross products are kept; of more they are made anew at each step."""
LOWEST, HIGHEST = -18.0, 25.0
"""Between these log λ is searched for: 1.5e-8 and 7e10 times the residual variance."""
SAME = 1e-6
"""Deviances nearer than this are one; the model with fewer variances is taken."""
FLAT = 1e-4
"""A derivative of the deviance by log λ below this is 0."""


@dataclass(frozen=True, eq=False)
class Sums:
    """What the likelihood knows of the ratings.

    Attributes
    ----------
    n, systems, levels
        Ratings, systems, and the levels of each factor, the first of them eliminated.
    names
        Of the factors, such as ("item", "rater").
    counts
        Shape (levels[0],): ratings of each level of the first factor.
    crossed
        Sparse, shape (levels[0], levels[1] + systems): ratings in each cell.
    inner
        Shape (levels[1] + systems,) twice: ratings in each cell of the others.
    outer_sums, inner_sums, squares
        Sums of y at each level of the first factor, of the others, and Σy².
    alike, place
        The distinct ``counts``, and which of them each level has.
    products
        Shape (alike, levels[1] + systems, levels[1] + systems): the sum of the cross products of
        ``crossed`` over levels that are alike; None where that would be too many cells.
    """

    n: int
    systems: int
    levels: tuple[int, int]
    names: tuple[str, str]
    counts: Floats
    crossed: Any
    inner: Floats
    outer_sums: Floats
    inner_sums: Floats
    squares: float
    alike: Floats
    place: Ints
    products: Floats | None

    def crossing(self, weights: Floats) -> Floats:
        """The sum of the cross products of ``crossed`` with a weight for each distinct count."""
        if self.products is not None:
            return np.asarray(np.tensordot(weights, self.products, 1))
        weighted = self.crossed.multiply(weights[self.place][:, None]).tocsr()
        return np.asarray((self.crossed.T @ weighted).toarray())


def sums_of(
    y: Floats, systems: Ints, factors: dict[str, Ints], sizes: dict[str, int], width: int
) -> Sums:
    """Reduce ratings to sums.

    Parameters
    ----------
    y
        Shape (ratings,): each rating less its system's mean.
    systems, factors
        Shape (ratings,) each: codes from 0 without gaps.
    sizes, width
        The levels of each factor, and how many systems.
    """
    from scipy.sparse import coo_array

    names = sorted(factors, key=lambda name: (-sizes[name], name))
    n, ones = len(y), np.ones(len(y))
    # A factor that is not there is one without levels.
    nothing = np.zeros(0, dtype=np.int64)
    first, second = (*names, "", "")[:2]
    big, small = sizes.get(first, 0), sizes.get(second, 0)
    outer = factors.get(first, nothing)
    columns = [factors[second], systems + small] if second else [systems]
    shape = (big, small + width)
    where = [(np.concatenate([outer] * len(columns)), np.concatenate(columns))] if first else []
    weights = np.ones(n * len(columns) if first else 0)
    crossed = coo_array((weights, where[0] if where else (nothing, nothing)), shape=shape).tocsr()
    crossed.sum_duplicates()
    inner = np.zeros((shape[1], shape[1]))
    inner[small:, small:] = np.diag(np.bincount(systems, minlength=width))
    inner_sums = np.zeros(shape[1])
    inner_sums[small:] = np.bincount(systems, y, width)
    if second:
        inner[:small, :small] = np.diag(np.bincount(factors[second], minlength=small))
        cells = np.bincount(factors[second] * width + systems, ones, small * width)
        inner[:small, small:] = cells.reshape(small, width)
        inner[small:, :small] = inner[:small, small:].T
        inner_sums[:small] = np.bincount(factors[second], y, small)
    counts = np.bincount(outer, minlength=big).astype(np.float64)
    alike, place = np.unique(counts, return_inverse=True)
    place = place.reshape(-1)
    products = None
    if len(alike) * shape[1] ** 2 <= KEPT:
        products = np.zeros((len(alike), shape[1], shape[1]))
        for k in range(len(alike)):
            part = crossed[np.flatnonzero(place == k)]
            products[k] = (part.T @ part).toarray()
    return Sums(
        n,
        width,
        (big, small),
        (first, second),
        counts,
        crossed,
        inner,
        np.asarray(np.bincount(outer, y if first else np.zeros(0), big), dtype=np.float64),
        inner_sums,
        float(y @ y),
        alike,
        place,
        products,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The likelihood at one choice of λ, with all that follows from it.

    Attributes
    ----------
    deviance
        −2 times the log of the restricted likelihood, at the best β and σ².
    slope
        Shape (2,): its derivatives by log λ, 0 where λ is 0.
    residual
        σ².
    beta, covariance
        The systems' effects and, shape (systems, systems), their covariance.
    """

    deviance: float
    slope: Floats
    residual: float
    beta: Floats
    covariance: Floats


def at(sums: Sums, ratios: tuple[float, float]) -> Point | None:
    """Evaluate the restricted likelihood, or None where the residual is nothing but rounding.

    Parameters
    ----------
    ratios
        λ of the two factors: their variances over the residual's. 0 leaves a factor out.
    """
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    (big, small), p = sums.levels, sums.systems
    outer, inner = ratios
    scale = np.ones(small + p)
    scale[:small] = np.sqrt(inner)
    weights = 1.0 / (outer * sums.alike + 1.0)
    diagonal = outer * sums.counts + 1.0
    block = sums.inner - outer * sums.crossing(weights)
    block = scale[:, None] * block * scale
    block[np.arange(small), np.arange(small)] += 1.0
    right = scale * (sums.inner_sums - outer * (sums.crossed.T @ (sums.outer_sums / diagonal)))
    try:
        factor, lower = cho_factor(block, lower=True)
    except LinAlgError:
        return None
    solved = cho_solve((factor, lower), right)
    total = sums.squares - outer * float((sums.outer_sums**2 / diagonal).sum())
    rest = total - float(right @ solved)
    free = sums.n - p
    if not rest > 1e-12 * sums.squares:
        return None
    inverse = cho_solve((factor, lower), np.eye(small + p))
    logs = float(np.log(diagonal).sum()) + 2.0 * float(np.log(np.diagonal(factor)).sum())
    slope = np.zeros(2)
    if outer:
        twice = sums.crossing(weights**2)
        trace = (1.0 / diagonal).sum() + outer * float(
            (scale[:, None] * inverse * scale * twice).sum()
        )
        effects = np.sqrt(outer) / diagonal * (sums.outer_sums - sums.crossed @ (scale * solved))
        slope[0] = big - trace - free * float(effects @ effects) / rest
    if inner:
        trace = float(np.trace(inverse[:small, :small]))
        slope[1] = small - trace - free * float(solved[:small] @ solved[:small]) / rest
    residual = rest / free
    deviance = free * (log(2.0 * pi * residual) + 1.0) + logs
    covariance = residual * inverse[small:, small:]
    return Point(deviance, slope, residual, solved[small:], covariance)


@dataclass(frozen=True, slots=True, eq=False)
class Maximum:
    """Where the restricted likelihood is largest.

    Attributes
    ----------
    ratios
        λ of each factor by name; exactly 0 where that is the best.
    point
        The likelihood there.
    converged
        Whether its derivatives are 0 there.
    exhausted
        Whether the residual variance went to 0 instead.
    """

    ratios: dict[str, float]
    point: Point | None
    converged: bool
    exhausted: bool


Fit = tuple[Point, tuple[float, float], bool]


def maximise(sums: Sums) -> Maximum:
    """Search all variances from several starts, and with each set of them at 0.

    A variance of 0 is on the edge of what is possible, where derivatives are not 0; so each such
    model is fitted for itself, and the largest likelihood is taken.
    """
    there = [k for k in range(2) if sums.names[k]]
    best: Fit | None = None
    for size in range(len(there) + 1):
        for active in combinations(there, size):
            found, exhausted = _search(sums, active)
            if exhausted:
                return Maximum({}, None, False, True)
            if found and (best is None or found[0].deviance < best[0].deviance - SAME):
                best = found
    if best is None:
        return Maximum({}, None, False, True)
    point, ratios, converged = best
    named = {sums.names[k]: ratios[k] for k in there}
    return Maximum(named, point, converged, False)


def _search(sums: Sums, active: tuple[int, ...]) -> tuple[Fit | None, bool]:
    """The best λ of some factors, others 0; and whether the residual variance vanished."""
    from scipy.optimize import minimize

    def ratios(logs: Floats) -> tuple[float, float]:
        out = [0.0, 0.0]
        for k, value in zip(active, logs, strict=True):
            out[k] = float(np.exp(value))
        return out[0], out[1]

    def value(logs: Floats) -> tuple[float, Floats]:
        point = at(sums, ratios(logs))
        if point is None:
            return np.inf, np.zeros(len(active))
        return point.deviance, point.slope[list(active)]

    logs, lowest = np.zeros(len(active)), np.inf
    for start in STARTS if active else ():
        got = minimize(
            value,
            np.full(len(active), start),
            jac=True,
            method="L-BFGS-B",
            bounds=[(LOWEST, HIGHEST)] * len(active),
            options={"ftol": 1e-12, "gtol": 1e-5, "maxiter": 500},
        )
        if got.fun < lowest - SAME:
            logs, lowest = got.x, got.fun
    logs = _polished(value, logs)
    if (logs > HIGHEST - 1.0).any():
        return None, True
    point = at(sums, ratios(logs))
    if point is None:
        return None, True
    low = logs < LOWEST + 1.0
    steep = np.abs(point.slope[list(active)][~low])
    return (point, ratios(logs), bool((steep <= FLAT).all())), False


def _polished(value: Any, logs: Floats, step: float = 1e-4) -> Floats:
    """Newton's steps on the derivatives, whose own are taken by differences; kept if flatter."""
    for _ in range(3):
        slope = value(logs)[1]
        size = len(logs)
        if not np.abs(slope).max(initial=0.0) > FLAT * FLAT:
            return logs
        curve = np.empty((size, size))
        for k in range(size):
            shift = step * (np.arange(size) == k)
            curve[k] = (value(logs + shift)[1] - value(logs - shift)[1]) / (2.0 * step)
        curve = (curve + curve.T) / 2.0
        if not np.isfinite(curve).all() or np.linalg.eigvalsh(curve).min() <= 0.0:
            return logs
        moved = np.clip(logs - np.linalg.solve(curve, slope), LOWEST, HIGHEST)
        if np.abs(value(moved)[1]).max() >= np.abs(slope).max():
            return logs
        logs = moved
    return logs

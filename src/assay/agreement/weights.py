"""Weights: how much two labels that differ agree.

Every weight set is a q × q matrix of similarities, 1 on the diagonal and 0 for the pair that
differs most. Where label values are rational the weights are kept as exact fractions too, so
a weighted coefficient is still one division of two integers.

References
----------
Gwet, K. L. (2021). Handbook of Inter-Rater Reliability, 5th ed. AgreeStat Analytics. (The
eight sets.)
Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70(4), 213-220.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, lcm
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from assay.errors import LabelError, UsageError, one_of
from assay.ratings.categories import Categories, Floats

MAX_LABELS = 2000
"""Above this many labels no matrix of weights is made."""

EXACT_LABELS = 64
"""Up to this many labels, weights are kept as exact fractions."""

Distance: TypeAlias = Callable[[Any, Any], float]


@dataclass(frozen=True, eq=False)
class Weights:
    """Similarities of labels.

    Attributes
    ----------
    name
        The set's name, or "custom".
    matrix
        Shape (q, q), floats.
    exact
        The same as fractions, or None where they are irrational or many.
    positions
        "values" where label values were used, "positions" where the declared order was.
    """

    name: str
    matrix: Floats
    exact: tuple[tuple[Fraction, ...], ...] | None
    positions: str = ""

    @property
    def identity(self) -> bool:
        return self.name == "identity"

    @cached_property
    def integers(self) -> tuple[list[list[int]], int] | None:
        """The weights as integers over one denominator, or None."""
        if self.exact is None:
            return None
        denominator = lcm(1, *(w.denominator for row in self.exact for w in row))
        return [[int(w * denominator) for w in row] for row in self.exact], denominator

    def describe(self) -> str:
        """In words, for full names and reports."""
        if self.identity:
            return "unweighted"
        if self.name == "custom":
            return "custom weights"
        return f"{self.name} weights on label {self.positions}"


def _squared(x: Any, y: Any) -> Any:
    return (x - y) ** 2


def _ratio(x: Any, y: Any) -> Any:
    return ((x - y) / (x + y)) ** 2 if x + y else 0


# Distances from exact positions (x, y, lowest, highest); all but two are rational.
_RATIONAL: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "linear": lambda x, y, low, high: abs(x - y),
    "quadratic": lambda x, y, low, high: _squared(x, y),
    "ratio": lambda x, y, low, high: _ratio(x, y),
    "bipolar": lambda x, y, low, high: (
        0 if x == y else _squared(x, y) / ((x + y - 2 * low) * (2 * high - x - y))
    ),
}

WEIGHTS = ("identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")


def check_order(categories: Categories, what: str) -> None:
    """Raise unless the order of the labels means something."""
    if categories.ordered or len(categories) < 2:
        return
    texts = ", ".join(sorted(categories.texts)[:8])
    raise LabelError(
        f"{what} need an order of the labels, and text labels ({texts}) have none of their own; "
        "the alphabet is not one. Give it, lowest first: order=[…] in Python, --order A,B,C on "
        "the command line.",
        code="no_order",
    )


def turns(positions: Floats, period: Any) -> Floats:
    """Positions as shares of a full turn, in [0, 1): a period apart is the same place."""
    if period is None:
        period = float(np.ptp(positions)) + 1.0 if positions.size else 1.0
    if isinstance(period, bool) or not isinstance(period, (int, float)) or not 0 < period < inf:
        raise UsageError(f"period: a number above 0 is needed, not {period!r}.")
    return np.asarray(np.mod(positions, period) / period)


def make_weights(
    weights: str | Sequence[Sequence[Any]] | npt.NDArray[Any] | Weights | None,
    categories: Categories,
    *,
    period: float | None = None,
) -> Weights:
    """The weights called ``weights`` on these categories.

    Parameters
    ----------
    weights
        One of ``identity linear quadratic ordinal radical ratio circular bipolar``, or a
        symmetric q × q matrix of similarities in the order of the categories.
    categories
        The labels; their values where all are numbers, else positions in a declared order.
    period
        The length of a circular scale; the range of the labels plus 1 when omitted.

    Raises
    ------
    LabelError
        If weights other than identity meet text labels without an order, or ratio weights a
        negative label.
    UsageError
        If the name is unknown, the matrix does not fit, or there are too many labels.

    Examples
    --------
    >>> make_weights("linear", Categories([1, 2, 5])).matrix
    array([[1.  , 0.75, 0.  ],
           [0.75, 1.  , 0.25],
           [0.  , 0.25, 1.  ]])
    """
    if isinstance(weights, Weights):
        return weights
    q = len(categories)
    if weights is None:
        weights = "identity"
    if isinstance(weights, str):
        one_of(weights, WEIGHTS, "weights")
    if isinstance(weights, str) and weights == "identity":
        exact = None
        if q <= EXACT_LABELS:
            exact = tuple(tuple(Fraction(i == j) for j in range(q)) for i in range(q))
        matrix = np.eye(q) if q <= MAX_LABELS else np.zeros((0, 0))
        return Weights("identity", matrix, exact)
    if q > MAX_LABELS:
        raise UsageError(
            f"weights: {q} different labels; a matrix of weights is made for at most "
            f"{MAX_LABELS}. Use Krippendorff's alpha with an interval metric or ICC instead."
        )
    if not isinstance(weights, str):
        return _custom(weights, categories)
    check_order(categories, f"{weights} weights")
    if weights == "ratio" and (categories.positions < 0).any():
        raise LabelError("ratio weights need labels of 0 and above; a negative label was found.")
    positions = "values" if categories.numeric else "positions"
    x = categories.positions
    low, high = (x.min(), x.max()) if q else (0.0, 0.0)
    gap = np.abs(x[:, None] - x[None, :])
    values: list[Fraction] | None = None
    if weights == "ordinal":
        step = np.abs(np.arange(q)[:, None] - np.arange(q)[None, :])
        distance = step * (step + 1) / 2.0
        positions = "positions"
        values = [Fraction(k) for k in range(q)]
    elif weights == "radical":
        distance = np.sqrt(gap)
    elif weights == "circular":
        turn = turns(x, period)
        distance = np.sin(np.pi * np.abs(turn[:, None] - turn[None, :])) ** 2
    else:
        pick = _RATIONAL[weights]
        distance = np.array([[float(pick(a, b, low, high)) for b in x] for a in x])
        values = categories.exact_positions
    top = distance.max() if q > 1 else 1.0
    exact = None
    if values and q <= EXACT_LABELS:
        exact = _exact(weights, values)
        matrix = np.array([[float(w) for w in row] for row in exact]).reshape(q, q)
    else:
        matrix = 1.0 - distance / (top or 1.0)
    return Weights(weights, matrix, exact, positions)


def _exact(name: str, values: list[Fraction]) -> tuple[tuple[Fraction, ...], ...]:
    if name == "ordinal":
        distance = [[abs(x - y) * (abs(x - y) + 1) / 2 for y in values] for x in values]
    else:
        low, high, pick = min(values), max(values), _RATIONAL[name]
        distance = [[Fraction(pick(x, y, low, high)) for y in values] for x in values]
    top = max((d for row in distance for d in row), default=Fraction(1)) or Fraction(1)
    return tuple(tuple(1 - d / top for d in row) for row in distance)


def _custom(weights: Sequence[Sequence[Any]] | npt.NDArray[Any], categories: Categories) -> Weights:
    q = len(categories)
    if not (categories.ordered or categories.declared) and q > 1:
        raise LabelError(
            "weights: a matrix needs to know which label its rows stand for, and text labels "
            f"({', '.join(categories.texts[:6])}) have no order of their own; give it: "
            "categories=[…] in Python, --categories A,B,C on the command line.",
            code="no_order",
        )
    try:
        matrix = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(
            f"weights: one of {', '.join(WEIGHTS)}, or a {q} × {q} matrix of numbers is needed, "
            f"not {weights!r}."
        ) from None
    if matrix.shape != (q, q):
        raise UsageError(
            f"weights: the matrix has shape {matrix.shape}, but there are {q} categories; "
            f"({q}, {q}) is needed, in their order."
        )
    if not np.isfinite(matrix).all():
        raise UsageError("weights: the matrix has an entry that is not a finite number.")
    if not np.array_equal(matrix, matrix.T):
        i, j = np.argwhere(matrix != matrix.T)[0]
        raise UsageError(
            f"weights: the matrix is not symmetric: entry ({i + 1}, {j + 1}) is {matrix[i, j]:g} "
            f"but ({j + 1}, {i + 1}) is {matrix[j, i]:g}."
        )
    if not np.array_equal(np.diag(matrix), np.ones(q)):
        raise UsageError(
            "weights: similarities are needed, 1 on the diagonal; for a matrix of disagreement "
            "d use 1 - d / d.max()."
        )
    if q and not 0.0 <= matrix.min() <= matrix.max() <= 1.0:
        worst = matrix.min() if matrix.min() < 0 else matrix.max()
        raise UsageError(f"weights: similarities lie between 0 and 1, and {worst:g} was found.")
    exact = None
    if q <= EXACT_LABELS:
        exact = tuple(tuple(Fraction(repr(float(w))) for w in row) for row in matrix)
    return Weights("custom", matrix, exact)

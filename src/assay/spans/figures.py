"""Precision, recall and F from counts, under a named convention for empty denominators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import UsageError, one_of

Floats = npt.NDArray[np.float64]

ZERO_DIVISION = ("1", "0", "undefined")
"""What precision without predictions, recall without gold, and F without both are."""


@dataclass(frozen=True, slots=True)
class Convention:
    """How figures are made from counts.

    Attributes
    ----------
    zero_division
        "1": an empty denominator gives 1, so two rows without spans agree perfectly; "0"; or
        "undefined".
    beta
        The weight of recall in F; 1 for F1.
    """

    zero_division: str = "1"
    beta: float = 1.0

    def __post_init__(self) -> None:
        one_of(self.zero_division, ZERO_DIVISION, "zero_division")
        if isinstance(self.beta, bool) or not isinstance(self.beta, (int, float)):
            raise UsageError(f"beta: a number above 0 is needed, not {self.beta!r}.")
        if not 0.0 < self.beta < float("inf"):
            raise UsageError(f"beta: a number above 0 is needed, not {self.beta!r}.")

    @property
    def empty(self) -> float:
        """The value of 0 / 0, NaN standing for undefined."""
        return {"1": 1.0, "0": 0.0, "undefined": float("nan")}[self.zero_division]

    def share(self, top: Any, bottom: Any) -> Floats:
        """Divide elementwise, with the convention for 0 / 0."""
        top, bottom = np.broadcast_arrays(
            np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)
        )
        out = np.full(top.shape, self.empty)
        np.divide(top, bottom, out=out, where=bottom != 0)
        return out

    def figures(self, right: Any, gold: Any, pred: Any) -> Floats:
        """Shape (…, 3): precision, recall and F of ``right`` out of ``gold`` and ``pred``.

        Examples
        --------
        >>> Convention().figures(2, 3, 4).round(3).tolist()
        [0.5, 0.667, 0.571]
        >>> Convention().figures(0, 0, 0).tolist()
        [1.0, 1.0, 1.0]
        """
        square = self.beta * self.beta
        right = np.asarray(right, dtype=np.float64)
        return np.stack(
            [
                self.share(right, pred),
                self.share(right, gold),
                self.share((1 + square) * right, square * np.asarray(gold) + np.asarray(pred)),
            ],
            axis=-1,
        )

    def mean(self, figures: Floats, weights: Any = None) -> Floats:
        """Shape (…, 3): the mean over types of shape (…, types, 3), of what is defined."""
        known = ~np.isnan(figures)
        weight = np.broadcast_to(
            np.ones(figures.shape[-2]) if weights is None else np.asarray(weights, np.float64),
            figures.shape[:-1],
        )[..., None]
        total = (known * weight).sum(axis=-2)
        return self.share((np.where(known, figures, 0.0) * weight).sum(axis=-2), total)


def number(value: float) -> float | None:
    """A float, or None where it is undefined."""
    return None if np.isnan(value) else float(value)

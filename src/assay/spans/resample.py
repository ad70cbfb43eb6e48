"""Bootstrap over sentences or documents, on distinct rows of counts with multiplicities.

Resampling sentences with replacement is drawing how often each distinct row of counts comes, so
a thousand resamples cost a matrix product over the distinct rows.

References
----------
Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman and Hall.
Koehn, P. (2004). Statistical significance tests for machine translation evaluation. EMNLP.
Yeh, A. (2000). More accurate tests for the statistical significance of result differences.
COLING. (Approximate randomisation.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.spans.corpus import Ints
from assay.spans.figures import Floats

BLOCK = 1 << 14
"""Rows that are widened at a time."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows of counts and how many sentences have each.

    Attributes
    ----------
    rows
        Shape (distinct, columns).
    times
        Shape (distinct,).
    """

    rows: Ints
    times: Ints

    @classmethod
    def of(cls, table: Ints) -> Rows:
        """Equal rows of a table merged."""
        return cls._merged(table, np.ones(len(table), np.int64))

    @classmethod
    def _merged(cls, table: Ints, times: Ints) -> Rows:
        if not len(table):
            return cls(table, np.zeros(0, np.int64))
        # A random linear form tells rows apart; that it did is checked below.
        form = np.random.default_rng(7).integers(1, 1 << 62, table.shape[1], dtype=np.int64)
        with np.errstate(over="ignore"):
            key = np.concatenate([table[a:b] @ form for a, b in _blocks(len(table))])
        _, first, code = np.unique(key, return_index=True, return_inverse=True)
        code = code.ravel()
        rows = table[first]
        if not all(np.array_equal(table[a:b], rows[code[a:b]]) for a, b in _blocks(len(table))):
            rows, code = np.unique(table, axis=0, return_inverse=True)
            code = code.ravel()
        total = np.zeros(len(rows), dtype=np.int64)
        np.add.at(total, code, times)
        return cls(rows, total)

    @property
    def totals(self) -> Ints:
        """Shape (columns,): sums over all sentences."""
        out = np.zeros(self.rows.shape[1], dtype=np.int64)
        for a, b in _blocks(len(self.rows)):
            out += self.times[a:b] @ self.rows[a:b]
        return out

    def together(self, *others: Rows) -> Rows:
        """These rows and those of other parts, equal ones merged.

        Examples
        --------
        >>> one = Rows.of(np.array([[1, 2], [0, 0], [1, 2]]))
        >>> one.together(Rows.of(np.array([[1, 2]]))).totals.tolist()
        [3, 6]
        """
        every = (self, *others)
        return Rows._merged(
            np.concatenate([one.rows for one in every]),
            np.concatenate([one.times for one in every]),
        )

    def narrow(self) -> Rows:
        """The same, in the shortest whole numbers that hold them: most counts are below 128."""
        most = int(self.rows.max(initial=0))
        kind = next(k for k in (np.int8, np.int16, np.int32, np.int64) if most <= np.iinfo(k).max)
        return Rows(self.rows.astype(kind), self.times)

    def resampled(self, resamples: int, seed: int) -> Floats:
        """Shape (resamples, columns): totals of resampled corpora of the same size."""
        check_resamples(resamples)
        check_seed(seed)
        n = int(self.times.sum())
        rng = np.random.default_rng(seed)
        out = np.empty((resamples, self.rows.shape[1]))
        # In one order whatever the parts were, so that a seed gives one interval.
        order = np.lexsort(self.rows.T[::-1]) if self.rows.size else np.arange(len(self.rows))
        rows, times = self.rows[order], self.times[order]
        step = max(1, 16_000_000 // max(1, len(rows)))
        for start in range(0, resamples, step):
            size = min(step, resamples - start)
            drawn = rng.multinomial(n, times / n, size=size)
            part = np.zeros((size, rows.shape[1]))
            # Sums of whole numbers are exact below 2^53, in whatever blocks they are added.
            for a, b in _blocks(len(rows)):
                part += drawn[:, a:b] @ rows[a:b].astype(np.float64)
            out[start : start + size] = part
        return out


def _blocks(size: int) -> Iterator[tuple[int, int]]:
    """Where parts of so many rows begin and end, so that only a part is widened at a time."""
    for start in range(0, max(size, 1), BLOCK):
        yield start, min(size, start + BLOCK)


def check_seed(seed: Any) -> None:
    """Raise unless a whole number of 0 or more is given."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise UsageError(f"seed: a whole number of 0 or more is needed, not {seed!r}.")


def check_resamples(resamples: Any) -> None:
    """Raise unless at least 100 are asked for."""
    if isinstance(resamples, bool) or not isinstance(resamples, int) or resamples < 100:
        raise UsageError(f"bootstrap: at least 100 resamples are needed, not {resamples!r}.")


def percentile(values: Floats, level: float) -> tuple[float, float]:
    """The percentile interval of resampled values, NaN left out."""
    known = values[~np.isnan(values)]
    if not known.size:
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)

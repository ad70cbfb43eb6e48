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

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.spans.corpus import Ints
from assay.spans.figures import Floats


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
        if not len(table):
            return cls(table, np.zeros(0, np.int64))
        # A random linear form tells rows apart; that it did is checked below.
        form = np.random.default_rng(7).integers(1, 1 << 62, table.shape[1], dtype=np.int64)
        with np.errstate(over="ignore"):
            key = table @ form
        _, first, code, times = np.unique(
            key, return_index=True, return_inverse=True, return_counts=True
        )
        code = code.ravel()
        if not np.array_equal(table, table[first][code]):
            rows, times = np.unique(table, axis=0, return_counts=True)
            return cls(rows, times)
        return cls(table[first], times)

    @property
    def totals(self) -> Ints:
        """Shape (columns,): sums over all sentences."""
        return np.asarray(self.times @ self.rows, dtype=np.int64)

    def together(self, other: Rows) -> Rows:
        """These rows and another part's, equal ones merged."""
        rows = np.concatenate([self.rows, other.rows])
        times = np.concatenate([self.times, other.times])
        distinct, code = np.unique(rows, axis=0, return_inverse=True)
        total = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(total, code.ravel(), times)
        return Rows(distinct, total)

    def resampled(self, resamples: int, seed: int) -> Floats:
        """Shape (resamples, columns): totals of resampled corpora of the same size."""
        check_resamples(resamples)
        check_seed(seed)
        n = int(self.times.sum())
        rng = np.random.default_rng(seed)
        out = np.empty((resamples, self.rows.shape[1]))
        # In one order whatever the parts were, so that a seed gives one interval.
        order = np.lexsort(self.rows.T[::-1]) if self.rows.size else np.arange(len(self.rows))
        rows, times = self.rows[order].astype(np.float64), self.times[order]
        step = max(1, 4_000_000 // max(1, len(rows)))
        for start in range(0, resamples, step):
            size = min(step, resamples - start)
            drawn = rng.multinomial(n, times / n, size=size)
            out[start : start + size] = drawn @ rows
        return out


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

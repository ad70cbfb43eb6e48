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

    def resampled(self, resamples: int, seed: int) -> Floats:
        """Shape (resamples, columns): totals of resampled corpora of the same size."""
        check_resamples(resamples)
        n = int(self.times.sum())
        rng = np.random.default_rng(seed)
        out = np.empty((resamples, self.rows.shape[1]))
        rows = self.rows.astype(np.float64)
        step = max(1, 4_000_000 // max(1, len(rows)))
        for start in range(0, resamples, step):
            size = min(step, resamples - start)
            drawn = rng.multinomial(n, self.times / n, size=size)
            out[start : start + size] = drawn @ rows
        return out


def check_resamples(resamples: int) -> None:
    """Raise unless at least 100 are asked for."""
    if resamples < 100:
        raise UsageError(f"bootstrap: at least 100 resamples are needed, not {resamples!r}.")


def percentile(values: Floats, level: float) -> tuple[float, float]:
    """The percentile interval of resampled values, NaN left out."""
    known = values[~np.isnan(values)]
    if not known.size:
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)

"""What one system's ratings on one dimension say: means, spread, per-rater z-scores."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from assay.estimate import Interval, Undefined, check_level
from assay.evaluation.table import Dimension
from assay.ratings.categories import Floats, Ints

INTERVAL = "t over items' means, {df} degrees of freedom"


@dataclass(frozen=True, slots=True)
class MeanOf:
    """A mean with its standard error over independent parts, or the reason why there is none."""

    value: float | None
    n: int = 0
    spread: float | None = None
    undefined: Undefined | None = None
    unit: str = "items"

    @property
    def standard_error(self) -> float | None:
        """The standard deviation of the parts over √n."""
        return None if self.spread is None else self.spread / sqrt(self.n)

    def interval(self, level: float = 0.95) -> Interval | Undefined:
        """Student's t over the parts."""
        from scipy.special import stdtrit

        check_level(level)
        if self.undefined is not None or self.value is None:
            return self.undefined or Undefined("no_ratings", "there are no ratings")
        if self.spread is None:
            return Undefined("single_item", f"one of {self.unit} has no spread over {self.unit}")
        half = float(stdtrit(self.n - 1, 0.5 + level / 2.0)) * self.spread / sqrt(self.n)
        method = f"t over {self.unit}, {self.n - 1} degrees of freedom"
        return Interval(level, self.value - half, self.value + half, method)


def mean_of(values: Floats, unit: str = "items") -> MeanOf:
    """The mean of independent parts.

    >>> mean_of(np.array([1.0, 2.0, 3.0])).interval().method
    't over items, 2 degrees of freedom'
    """
    n = len(values)
    if not n:
        return MeanOf(None, 0, None, Undefined("no_ratings", "there are no ratings"), unit)
    spread = float(values.std(ddof=1)) if n > 1 else None
    return MeanOf(float(values.mean()), n, spread, None, unit)


@dataclass(frozen=True, slots=True, eq=False)
class SystemMeans:
    """One system on one dimension.

    Attributes
    ----------
    ratings, items, raters
        How many; ``raters`` None where they are unknown.
    micro
        The mean over ratings.
    macro
        The mean over items of the items' means, with its spread over items.
    macro_raters
        The mean over raters of the raters' means, None where raters are unknown.
    median, standard_deviation
        Of the ratings; the deviation has ddof 1.
    z_micro, z_macro
        The same two means of per-rater z-scores.
    z_ratings
        How many ratings have a z-score.
    shares
        The share of each label among the ratings.
    """

    system: int
    ratings: int
    items: int
    raters: int | None
    micro: float | None
    macro: MeanOf
    macro_raters: float | None
    median: float | None
    standard_deviation: float | None
    z_micro: float | None
    z_macro: MeanOf
    z_ratings: int
    no_z: Undefined | None
    shares: Floats
    counts: Ints


def z_scores(made: Dimension, ddof: int = 1) -> tuple[Floats, Ints]:
    """Each rating less its rater's mean, over the rater's standard deviation.

    NaN for a rater whose ratings are all equal, or too few for ``ddof``. The second array
    holds those raters.

    Mean and deviation are over all of a rater's ratings of this dimension.
    """
    values, raters = made.values, made.raters
    if values is None or raters is None:
        return np.full(made.n, np.nan), np.zeros(0, dtype=np.int64)
    size = len(made.rater_names)
    count = np.bincount(raters, minlength=size)
    mean = np.bincount(raters, values, size) / np.maximum(count, 1)
    gap = values - mean[raters]
    squares = np.bincount(raters, gap * gap, size)
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, raters, values)
    np.maximum.at(high, raters, values)
    # Whether a rater varies is seen from the ratings, not from a rounded variance.
    fine = (high > low) & (count > ddof)
    spread = np.sqrt(np.where(fine, squares / np.maximum(count - ddof, 1), np.nan))
    return gap / spread[raters], np.flatnonzero((count > 0) & ~fine)


def item_means(made: Dimension, system: int, values: Floats | None = None) -> tuple[Ints, Floats]:
    """A system's items, in order of their codes, and the mean of the ratings of each."""
    one = 1.0
    if values is None and made.steps is not None:
        # Whole numbers, so that means that are equal are equal to the last bit.
        whole, one = made.steps
        values = whole.astype(np.float64)
    values = made.values if values is None else values
    if values is None:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    rows = np.flatnonzero((made.systems == system) & ~np.isnan(values))
    # Added from low to high: the order of the source changes no bit either.
    rows = rows[np.argsort(values[rows], kind="stable")]
    items, inverse = np.unique(made.items[rows], return_inverse=True)
    inverse = inverse.reshape(-1)
    sums = np.bincount(inverse, values[rows], len(items))
    return items, sums / (np.bincount(inverse, minlength=len(items)) * one)


def system_means(made: Dimension, ddof: int = 1) -> list[SystemMeans]:
    """All systems that have ratings on the dimension, in the order of their codes."""
    z, flat = z_scores(made, ddof)
    return [_one(made, int(system), z, flat, ddof) for system in np.unique(made.systems).tolist()]


def _one(made: Dimension, system: int, z: Floats, flat: Ints, ddof: int) -> SystemMeans:
    rows = np.flatnonzero(made.systems == system)
    counts = np.bincount(made.labels[rows], minlength=len(made.categories))
    raters = None if made.raters is None else len(np.unique(made.raters[rows]))
    items = len(np.unique(made.items[rows]))
    values = made.values
    shares = counts / max(len(rows), 1)
    if values is None:
        why = Undefined("not_applicable", "its values are names without an order")
        none = MeanOf(None, 0, None, why)
        return SystemMeans(
            system, len(rows), items, raters, None, none, None, None, None, None, none, 0, why,
            shares, counts,
        )  # fmt: skip
    own = values[rows]
    scored = z[rows][~np.isnan(z[rows])]
    no_z = _no_z(made, rows, len(scored), flat, ddof)
    z_macro = mean_of(item_means(made, system, z)[1]) if len(scored) else MeanOf(None)
    return SystemMeans(
        system,
        len(rows),
        items,
        raters,
        float(own.mean()),
        mean_of(item_means(made, system)[1]),
        _over_raters(made, rows, own),
        float(np.median(own)),
        float(own.std(ddof=1)) if len(own) > 1 else None,
        float(scored.mean()) if len(scored) else None,
        z_macro,
        len(scored),
        no_z,
        shares,
        counts,
    )


def _over_raters(made: Dimension, rows: Ints, own: Floats) -> float | None:
    if made.raters is None:
        return None
    _, who = np.unique(made.raters[rows], return_inverse=True)
    who = who.reshape(-1)
    return float((np.bincount(who, own) / np.bincount(who)).mean())


def _no_z(made: Dimension, rows: Ints, scored: int, flat: Ints, ddof: int) -> Undefined | None:
    """Why some of these ratings have no z-score, or None if all have one."""
    if made.raters is None:
        return Undefined("not_applicable", "z-scores need to know who gave which rating")
    if scored == len(rows):
        return None
    who = [made.rater_names[r] for r in np.intersect1d(made.raters[rows], flat).tolist()]
    shown = ", ".join(who[:5]) + (f" and {len(who) - 5} more" if len(who) > 5 else "")
    few = "" if ddof == 0 else ", or only one"
    return Undefined(
        "constant_rater",
        f"{len(rows) - scored:,} of {len(rows):,} ratings have no z-score: the ratings of {shown} "
        f"on this dimension are all equal{few}",
    )

"""Coefficients as functions of sums over items: what resampling and comparing rest on.

A set of ratings is a list of distinct units (an item's labels, with or without who gave them),
each with the number of items it stands for. Resampling items is drawing other numbers, and a
:class:`Form` gives the coefficient's value for many such draws at once. Nearly every coefficient
is :class:`Additive`: a function of the units' features added up, so that a draw costs a product
with a small matrix, however many items there are.

The labels, weights and metric stay those of the data: a draw without one of the labels is not
measured on another scale.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from math import lcm
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from assay.agreement.weights import Weights
from assay.ratings.categories import Floats, Ints
from assay.ratings.patterns import Patterns

Matrix: TypeAlias = Any
"""Shape (units, columns): an array, or a sparse one where labels are many."""

Bools: TypeAlias = npt.NDArray[np.bool_]

DENSE = 20_000_000
"""Entries up to which features are kept as a plain array."""
THREADED = 50_000_000
"""Multiplications from which a product is worth several threads."""
SINGLE = 100_000
"""Multiplications that are made by one."""
PASSES = 8.0
"""How often a form that is not additive goes over the numbers it holds."""
HOT = 50
"""Labels up to which a row with one 1 is not mostly zeros to be multiplied."""
WORK = 8_000_000
"""Numbers held at a time for one step of draws."""
SPARSE = 8
"""Of a large table, so many times more cells than are filled make it worth a sparse one."""
WHOLE = 1 << 20
"""The largest common denominator by which features are made whole numbers."""


class Form(ABC):
    """A coefficient as a function of how many items have each distinct unit.

    Attributes
    ----------
    times
        Shape (units,): how many items have the unit; 0 for units that the coefficient does not
        use, such as items with one rating.
    """

    times: Ints

    @property
    def width(self) -> int:
        """Numbers held for one draw."""
        return int(self.times.size)

    @property
    def cost(self) -> float:
        """About how many multiplications a draw takes."""
        return PASSES * float(self.width)

    @property
    def cost_without_one(self) -> float:
        """About how many multiplications leaving out each unit takes."""
        return self.cost * float(np.count_nonzero(self.times))

    @abstractmethod
    def values(self, drawn: Floats) -> Floats:
        """Shape (draws,) from multiplicities of shape (draws, units); NaN where undefined."""

    @property
    def value(self) -> float:
        """The value on the data themselves."""
        return float(self.values(self.times[None, :].astype(np.float64))[0])

    def without_one(self) -> Floats:
        """Shape (units,): the value with one item of the unit left out; NaN for unused units."""
        out = np.full(self.times.size, np.nan)
        used = np.flatnonzero(self.times)
        for part in steps(used.size, max(self.times.size, self.width)):
            drawn = np.repeat(self.times[None, :].astype(np.float64), part.stop - part.start, 0)
            drawn[np.arange(len(drawn)), used[part]] -= 1.0
            out[used[part]] = self.values(drawn)
        return out


class Additive(Form):
    """A function of features added up over items."""

    def __init__(self, times: Ints, features: Matrix) -> None:
        self.times = times
        self.features = features

    @abstractmethod
    def of(self, totals: Floats) -> Floats:
        """Shape (draws,) from totals of shape (draws, features)."""

    @property
    def width(self) -> int:
        return max(int(self.times.size), 4 * int(self.features.shape[1]))

    @property
    def cost(self) -> float:
        columns = float(self.features.shape[1])
        if hasattr(self.features, "toarray"):
            return float(self.features.nnz) + columns
        return float(self.times.size) * columns

    @property
    def cost_without_one(self) -> float:
        return PASSES * float(self.times.size) * float(self.features.shape[1])

    def values(self, drawn: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.of(product(drawn, self.features))

    def without_one(self) -> Floats:
        totals = np.asarray(self.times.astype(np.float64) @ self.features)
        out = np.full(self.times.size, np.nan)
        used = np.flatnonzero(self.times)
        with np.errstate(divide="ignore", invalid="ignore"):
            for part in steps(used.size, self.features.shape[1]):
                out[used[part]] = self.of(totals[None, :] - as_dense(self.features[used[part]]))
        return out


class Grouped(Form):
    """A form whose units are drawn in groups: clusters of items."""

    def __init__(self, form: Form, members: Matrix) -> None:
        # Shape (groups, units): how many items of the group have the unit.
        self.form = form
        self.members = members
        self.times = np.ones(members.shape[0], dtype=np.int64)

    @property
    def width(self) -> int:
        return max(int(self.members.shape[0]), self.form.width)

    @property
    def cost(self) -> float:
        return self.form.cost + float(self.members.nnz)

    def values(self, drawn: Floats) -> Floats:
        return self.form.values(np.asarray(drawn @ self.members))


def grouped(form: Form, members: Matrix) -> Form:
    """The form over groups of items; sums over the items of a group stay sums."""
    members = members.multiply(form.times > 0).tocsr()
    if not isinstance(form, Additive):
        return Grouped(form, members)
    features = members @ form.features
    out = object.__new__(type(form))
    out.__dict__.update(form.__dict__)
    out.times = np.ones(members.shape[0], dtype=np.int64)
    out.features = features
    return out


def steps(count: int, width: int) -> Iterator[slice]:
    """Slices of ``range(count)`` that keep about :data:`WORK` numbers at a time."""
    step = max(1, WORK // max(1, width))
    for start in range(0, count, step):
        yield slice(start, min(count, start + step))


def product(drawn: Floats, features: Matrix) -> Floats:
    """Shape (draws, features): totals of the draws."""
    work = drawn.shape[1] * int(features.shape[1])
    if hasattr(features, "toarray") or not work or work * len(drawn) > THREADED:
        return np.asarray(drawn @ features)
    # Waking threads takes longer than a small product does, so it is made in smaller ones.
    step = max(1, SINGLE // work)
    parts = [drawn[k : k + step] @ features for k in range(0, len(drawn), step)]
    return np.asarray(np.concatenate(parts) if parts else drawn @ features)


def as_dense(matrix: Matrix) -> Floats:
    """A plain array."""
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)


def entries(
    rows: Any, columns: Any, values: Any, shape: tuple[int, int], *, full: bool = True
) -> Matrix:
    """A matrix from its entries (added up where they meet), sparse where it is large."""
    if full and shape[0] * shape[1] <= DENSE:
        out = np.zeros(shape)
        np.add.at(out, (rows, columns), values)
        return out
    from scipy.sparse import coo_array

    return coo_array((np.asarray(values, dtype=np.float64), (rows, columns)), shape=shape).tocsr()


def onehot(codes: Any, q: int) -> Matrix:
    """Shape (units, q): 1 at each unit's code, nothing for −1."""
    there = np.flatnonzero(codes >= 0)
    shape = (len(codes), q)
    return entries(there, codes[there], np.ones(there.size), shape, full=q <= HOT)


def by_rater(rows: Any, q: int) -> list[Matrix]:
    """Side by side, shape (units, raters × q): 1 at each rater's label, nothing for −1."""
    unit, rater = np.nonzero(rows >= 0)
    shape = (len(rows), rows.shape[1] * q)
    if shape[0] * shape[1] <= max(DENSE, SPARSE * unit.size):
        return [onehot(column, q) for column in rows.T]
    column = rater * q + rows[unit, rater]
    return [entries(unit, column, np.ones(unit.size), shape, full=False)]


def beside(*parts: Matrix) -> Matrix:
    """Columns and matrices side by side."""
    shaped = [p if getattr(p, "ndim", 2) == 2 else np.asarray(p, dtype=float)[:, None]
              for p in parts]  # fmt: skip
    if not any(hasattr(p, "toarray") for p in shaped):
        return np.concatenate(shaped, axis=1).astype(np.float64)
    from scipy.sparse import csr_array, hstack

    return hstack([csr_array(p) for p in shaped]).tocsr()


def scaled(matrix: Matrix, by: Floats) -> Matrix:
    """Each row multiplied by a number."""
    if hasattr(matrix, "toarray"):
        return matrix.multiply(by[:, None]).tocsr()
    return matrix * by[:, None]


def per_row(matrix: Matrix, vector: Floats) -> Floats:
    """Shape (units,): each row's product with a vector."""
    return np.asarray(matrix @ vector)


def quadratic(counts: Matrix, weights: Floats | None) -> Floats:
    """Shape (units,): c′Wc of each row c; Σc² without weights."""
    if weights is None:
        square = counts.multiply(counts) if hasattr(counts, "toarray") else counts * counts
        return np.asarray(square.sum(axis=1)).ravel()
    out = np.empty(counts.shape[0])
    for part in steps(counts.shape[0], counts.shape[1]):
        x = as_dense(counts[part])
        out[part] = ((x @ weights) * x).sum(axis=1)
    return out


class Tally:
    """What a unit's ratings come to, whoever gave them.

    Attributes
    ----------
    counts
        Shape (units, q): ratings of each label.
    sizes
        Shape (units,): ratings.
    own
        Shape (units,): pairs of a rating with itself, which are no agreement; as many as there
        are ratings, unless a rater was drawn twice.
    """

    def __init__(self, counts: Matrix, sizes: Floats, own: Floats | None = None) -> None:
        self.counts = counts
        self.sizes = sizes
        self.own = sizes if own is None else own
        self.pairs = np.maximum(sizes * sizes - self.own, 0.0)
        self.plain = own is None

    @classmethod
    def of(cls, p: Patterns) -> Tally:
        """Of each pattern."""
        counts = entries(p.owner, p.labels, p.counts, (len(p), p.q))
        return cls(counts, p.sizes.astype(np.float64))

    @property
    def q(self) -> int:
        return int(self.counts.shape[1])

    @property
    def two(self) -> Floats:
        """Shape (units,): 1 for units with a pair of ratings."""
        return (self.pairs > 0).astype(np.float64)

    def shared(self, weights: Weights) -> Floats:
        """Shape (units,): the (weighted) share of agreeing pairs, 0 without a pair."""
        same = quadratic(self.counts, None if weights.identity else weights.matrix)
        return self.per_pair(same - self.own)

    def per_pair(self, total: Floats) -> Floats:
        """Shape (units,): a sum over ordered pairs as a mean over them, 0 without a pair."""
        out = np.zeros_like(self.sizes)
        np.divide(total, self.pairs, out=out, where=self.pairs > 0)
        return out

    def means(self) -> Matrix:
        """Shape (units, q): each label's share of the unit's ratings."""
        return scaled(self.counts, 1.0 / np.maximum(self.sizes, 1e-300))

    def common(self, what: str, weights: Weights | None = None) -> int:
        """The number that makes shares of pairs, or of ratings, whole in every unit.

        Whole numbers add up to the same total in any order and on any machine. 1 where that
        number is too large to help.
        """
        if not self.plain:
            return 1
        sizes = np.unique(self.sizes[self.sizes > 0]).astype(np.int64).tolist()
        parts = {"pairs": [r * (r - 1) for r in sizes if r > 1], "ratings": sizes}[what]
        scale = 1
        if weights is not None and not weights.identity:
            if weights.integers is None:
                return 1
            scale = weights.integers[1]
        found = 1
        for part in parts:
            found = lcm(found, part)
            if found * scale > WHOLE:
                return 1
        return found * scale


def whole(values: Matrix, scale: int) -> Matrix:
    """Values times a number that makes them whole; as they are for 1."""
    if scale == 1:
        return values
    times = values * float(scale)
    if hasattr(times, "toarray"):
        times.data = np.rint(times.data)
        return times
    return np.rint(times)


def differ(used: Floats, weights: Weights) -> Bools:
    """Shape (draws,): whether two labels of ``used`` (draws, q) do not fully agree."""
    there = (used > 0).astype(np.float64)
    if weights.identity:
        return np.asarray(there.sum(axis=1) > 1)
    apart = (weights.matrix < 1.0).astype(np.float64)
    return np.asarray(((there @ apart) * there).sum(axis=1) > 0)


def chance(shares: Floats, weights: Weights) -> Floats:
    """Shape (draws,): π′Wπ."""
    if weights.identity:
        return np.asarray((shares * shares).sum(axis=1))
    return np.asarray(((shares @ weights.matrix) * shares).sum(axis=1))


def beyond(observed: Floats, expected: Floats, defined: Any) -> Floats:
    """(p_a − p_e) / (1 − p_e), NaN where it is not defined."""
    out: Floats = np.where(defined, (observed - expected) / (1.0 - expected), np.nan)
    return out

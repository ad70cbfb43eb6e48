"""Agreement without each rater, and how sure the difference is.

Alpha is a function of sums over items. Leaving a rater out changes some items' parts of the sums,
and leaving an item out takes its part away, so the jackknife of the difference over items needs
no rating twice.

References
----------
Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman & Hall,
chapter 11. (The jackknife.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from assay.agreement.disagreement import Nominal
from assay.agreement.moments import Moments
from assay.agreement.pairwise import Pairwise
from assay.agreement.registry import Context
from assay.ratings.categories import Codes, Floats, Ints
from assay.ratings.crowd import ROWS_NOT_KEPT
from assay.ratings.model import Block

MAX_RATERS = 100
MAX_LABELS = 200
DENSE_LABELS = 16
"""The most labels where every two of them have a sum of their own."""
WORK = 60_000_000
"""The most numbers that are looked at."""
RISE = 0.02
"""A smaller rise is not worth a sentence, however sure it is."""
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class WithoutRater:
    """Agreement of the others.

    Attributes
    ----------
    rater
        Who is left out.
    value
        Krippendorff's alpha without them, or None where it does not exist.
    rise
        That less alpha of all.
    standard_error
        Of the rise, by the jackknife over items, or None.
    stands_out
        Whether alpha rises by :data:`RISE` or more, and by more than its error explains; the
        level makes up for looking at every rater.
    """

    rater: str
    value: float | None
    rise: float | None
    standard_error: float | None
    stands_out: bool


@dataclass(frozen=True, slots=True)
class Form:
    """Alpha as a function of sums over items.

    Attributes
    ----------
    parts
        From labels of shape (slots, items) to each item's parts, shape (items, sums).
    value
        From sums of shape (…, sums) to alpha, NaN where it does not exist.
    sums
        How many sums there are.
    """

    parts: Callable[[Codes], Floats]
    value: Callable[[Floats], Floats]
    sums: int


def without_each(context: Context) -> list[WithoutRater] | str:
    """Each rater's entry, or why it is not computed; nothing for fewer than three raters."""
    made = context.made
    raters = len(made.raters)
    if raters < 3 or not made.sizes:
        return []
    if raters > MAX_RATERS:
        return f"{raters} raters; it is computed for up to {MAX_RATERS}"
    if made.crowd is not None:
        return ROWS_NOT_KEPT
    form = _form(context)
    if isinstance(form, str):
        return form
    units = sum(block.n for block in made.blocks)
    if units * form.sums * raters > WORK:
        return f"{units:,} different items and {raters} raters are too many for it"
    whole = [form.parts(block.labels) for block in made.blocks]
    weights = [_weights(block, made.denominator) for block in made.blocks]
    parts, weight = np.concatenate(whole), np.concatenate(weights)
    deleted = _deleted(form, parts, weight)
    value = float(form.value(weight @ parts))
    tail = (1.0 - LEVEL) / raters
    return [
        _one(
            name,
            form,
            np.concatenate([_left(form, b, p, g) for b, p in zip(made.blocks, whole, strict=True)]),
            weight,
            (value, deleted, parts),
            tail,
        )
        for g, name in enumerate(made.raters)
    ]


def _weights(block: Block, denominator: int) -> Floats:
    times = np.ones(block.n) if block.weights is None else block.weights
    return np.asarray(times / denominator, dtype=np.float64)


def _left(form: Form, block: Block, whole: Floats, rater: int) -> Floats:
    """The items' parts without a rater's labels."""
    if block.raters is None:
        if rater >= block.labels.shape[0]:
            return whole
        labels = block.labels.copy()
        labels[rater] = -1
        return form.parts(labels)
    mine = (block.raters == rater) & (block.labels >= 0)
    changed = np.flatnonzero(mine.any(axis=0))
    out = whole.copy()
    out[changed] = form.parts(np.where(mine[:, changed], -1, block.labels[:, changed]))
    return out


def _deleted(form: Form, parts: Floats, weight: Floats) -> Floats:
    """Alpha without one item of each kind."""
    return form.value(weight @ parts - parts)


def _one(
    name: str,
    form: Form,
    parts: Floats,
    weight: Floats,
    whole: tuple[float, Floats, Floats],
    tail: float,
) -> WithoutRater:
    from scipy.special import stdtrit

    of_all, deleted_of_all, all_parts = whole
    value = float(form.value(weight @ parts))
    if not (np.isfinite(value) and np.isfinite(of_all)):
        return WithoutRater(name, value if np.isfinite(value) else None, None, None, False)
    rise = value - of_all
    used = all_parts.any(axis=1)
    items = float(weight[used].sum())
    moves = (_deleted(form, parts, weight) - deleted_of_all)[used]
    if items < 3 or not np.isfinite(moves).all():
        return WithoutRater(name, value, rise, None, False)
    centre = float(weight[used] @ moves) / items
    error = sqrt((items - 1.0) / items * float(weight[used] @ (moves - centre) ** 2))
    far = rise > error * float(stdtrit(items - 1.0, 1.0 - tail))
    return WithoutRater(name, value, rise, error, bool(far and error > 0.0 and rise >= RISE))


def _form(context: Context) -> Form | str:
    """How alpha of this report is made of sums, or why it is not."""
    made, found = context.made, context.disagreement
    if isinstance(found, Nominal):
        if made.q > MAX_LABELS:
            return f"{made.q} labels; it is computed for up to {MAX_LABELS}"
        return Form(lambda labels: _nominal_parts(labels, made.q), _nominal_value, made.q + 1)
    if isinstance(found, Moments) and found.name == "interval" and made.categories.numeric:
        values = np.asarray(made.categories.numbers, dtype=np.float64)
        centred = np.append(values - values.mean(), 0.0)
        return Form(lambda labels: _line_parts(labels, centred), _line_value, 4)
    distance: Floats | None = found.matrix if isinstance(found, Pairwise) else None
    if distance is None and found.name != "ordinal":
        return f"it is not computed for the {found.name} metric"
    if made.q > DENSE_LABELS:
        return f"{made.q} labels; with this metric it is computed for up to {DENSE_LABELS}"
    return Form(
        lambda labels: _dense_parts(labels, made.q),
        lambda sums: _dense_value(sums, made.q, distance),
        made.q**2,
    )


def counts_of(labels: Codes, q: int) -> Ints:
    """Shape (items, q): how often each label was given to each item of two ratings or more."""
    counts = np.stack([(labels == k).sum(axis=0) for k in range(q)], axis=1)
    return np.where(counts.sum(axis=1, keepdims=True) >= 2, counts, 0)


def _nominal_parts(labels: Codes, q: int) -> Floats:
    """Σ_pairs δ² / (r − 1), and the label counts."""
    counts = counts_of(labels, q)
    r = counts.sum(axis=1)
    apart = (r**2 - (counts**2).sum(axis=1)) / np.maximum(r - 1, 1)
    return np.column_stack([apart, counts])


def _nominal_value(sums: Floats) -> Floats:
    apart, totals = sums[..., 0], sums[..., 1:]
    n = totals.sum(axis=-1)
    spread = np.where((totals > 0).sum(axis=-1) > 1, n**2 - (totals**2).sum(axis=-1), np.nan)
    return np.asarray(1.0 - (n - 1.0) * apart / spread)


def _line_parts(labels: Codes, values: Floats) -> Floats:
    """Σ_pairs δ² / (r − 1), r, Σx and Σx²."""
    given = labels >= 0
    x = values[labels]
    r = given.sum(axis=0)
    two = r >= 2
    first, second = (x * given).sum(axis=0) * two, (x * x * given).sum(axis=0) * two
    apart = 2.0 * (r * second - first**2) / np.maximum(r - 1, 1)
    # Equal values differ by rounding only.
    apart[(np.where(given, x, -np.inf).max(axis=0, initial=-np.inf)
           == np.where(given, x, np.inf).min(axis=0, initial=np.inf))] = 0.0  # fmt: skip
    return np.column_stack([apart, r * two, first, second])


def _line_value(sums: Floats) -> Floats:
    apart, n, first, second = (sums[..., k] for k in range(4))
    spread = 2.0 * (n * second - first**2)
    spread = np.where(spread > 1e-9 * np.maximum(n * second, 1e-300), spread, np.nan)
    return np.asarray(1.0 - (n - 1.0) * apart / spread)


def _dense_parts(labels: Codes, q: int) -> Floats:
    """Krippendorff's coincidences of every two labels."""
    counts = counts_of(labels, q)
    r = counts.sum(axis=1)
    both = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(q, dtype=np.int64)
    return np.asarray((both / np.maximum(r - 1, 1)[:, None, None]).reshape(-1, q * q))


def _dense_value(sums: Floats, q: int, distance: npt.NDArray[np.float64] | None) -> Floats:
    together = sums.reshape(*sums.shape[:-1], q, q)
    totals = together.sum(axis=-1)
    n = totals.sum(axis=-1)
    if distance is None:
        middle = np.cumsum(totals, axis=-1) - totals / 2.0
        apart = (middle[..., :, None] - middle[..., None, :]) ** 2
    else:
        apart = np.broadcast_to(distance, together.shape)
    # D_o is this over n, and D_e the next over n (n − 1).
    observed = (together * apart).sum(axis=(-2, -1))
    expected = (totals[..., :, None] * totals[..., None, :] * apart).sum(axis=(-2, -1))
    known = ((totals > 1e-9).sum(axis=-1) > 1) & (expected > 0.0)
    return np.asarray(1.0 - (n - 1.0) * observed / np.where(known, expected, np.nan))

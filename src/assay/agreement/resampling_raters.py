"""Bootstrap of items and raters at once, for raters who are a sample as the items are.

In each resample items and raters are drawn independently with replacement, as in Owen's
pigeonhole bootstrap, whose variance is a little too large rather than too small. A rater who is
drawn twice is not compared with themselves: that pair agrees by construction, and counting it
would raise every coefficient. All sums over pairs therefore run over pairs of different raters,
each as often as the two were drawn together.

References
----------
Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2), 386-411.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.agreement.additive import WORK, Tally, steps
from assay.agreement.additive_forms import IDENTIFIED, form_of
from assay.agreement.additive_raters import Conger, MeanOverPairs
from assay.agreement.additive_units import Source
from assay.agreement.registry import Context
from assay.agreement.resampling import draws
from assay.estimate import Undefined
from assay.ratings.categories import Floats, Ints


class Drawn:
    """A source whose raters count as often as they were drawn."""

    def __init__(self, source: Source, times: Floats) -> None:
        self.q, self.times, self.rows = source.q, source.times, source.rows
        unit, rater = np.nonzero(source.rows >= 0)
        v = times[rater]
        key = unit * self.q + source.rows[unit, rater].astype(np.int64)
        n = len(source.rows)
        counts = np.bincount(key, v, minlength=n * self.q).reshape(n, self.q)
        sizes: Floats = np.bincount(unit, v, minlength=n).astype(np.float64)
        own: Floats = np.bincount(unit, v * v, minlength=n).astype(np.float64)
        self.tally = Tally(counts, sizes, own)


def why_not(name: str, context: Context) -> Undefined | None:
    """Why raters cannot be drawn anew for a coefficient, or None."""
    raters = len(context.made.raters)
    if not raters:
        reason = "it is not known who gave which rating, so raters cannot be drawn"
    elif raters < 3:
        reason = f"{raters} raters are too few to draw from: half of the draws hold one of them"
    elif name.startswith("icc") or name in ("kendall_w", "unanimous_agreement"):
        reason = (
            "raters are drawn anew only for coefficients that are means over pairs of raters: in "
            "this one, a rater drawn twice would count as two who agree"
        )
    elif len(context.made.categories) * context.made.patterns.multiplicity.size > WORK:
        reason = "there are too many labels and different items to draw raters anew"
    else:
        return None
    return Undefined("no_rater_resampling", reason)


def rater_draws(raters: int, resamples: int, seed: int) -> Ints:
    """Shape (resamples, raters): how often each is drawn, on a stream of their own."""
    rng = np.random.default_rng([seed, 1])
    return np.asarray(rng.multinomial(raters, np.full(raters, 1.0 / raters), size=resamples))


def replicates_of_both(
    names: list[str], context: Context, source: Source, resamples: int, seed: int
) -> dict[str, Floats]:
    """Each coefficient's values in resamples of items and raters."""
    drawn_raters = rater_draws(source.rows.shape[1], resamples, seed)
    out = {name: np.empty(resamples) for name in names}
    paired = {n: form_of(n, context, source) for n in names if n in IDENTIFIED - {"conger_kappa"}}
    width = max([source.rows.size, *(form.width for form in paired.values())])
    for part, items in draws(source.times, resamples, seed, width):
        v = drawn_raters[part].astype(np.float64)
        for name, form in paired.items():
            out[name][part] = _over_pairs(form, items, v)
        for b in range(len(items)):
            source_b = Drawn(source, v[b])
            for name in names:
                if name in paired:
                    continue
                if name == "conger_kappa":
                    form_b: Any = Conger(
                        source_b.tally, source.rows, source.times, context.weights, v[b]
                    )
                else:
                    form_b = form_of(name, context, source_b)
                out[name][part.start + b] = form_b.values(items[b : b + 1])[0]
    return out


def _over_pairs(form: Any, items: Floats, v: Floats) -> Floats:
    """The mean over pairs of different raters, each as often as both were drawn."""
    if not isinstance(form, MeanOverPairs):
        raise TypeError("a mean over pairs of raters is needed")
    total, count = np.zeros(len(items)), np.zeros(len(items))
    for part in steps(len(items), form.width):
        for values, (g, h) in zip(form.each(items[part]), form.pairs, strict=True):
            times = v[part, g] * v[part, h]
            total[part] += np.where(times > 0, times * values, 0.0)
            count[part] += times
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(count > 0, total / count, np.nan)

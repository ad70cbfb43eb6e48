"""Systems side by side on the same gold: which is better, and how sure is that.

References
----------
Koehn, P. (2004). Statistical significance tests for machine translation evaluation. EMNLP.
(Paired bootstrap.)
Yeh, A. (2000). More accurate tests for the statistical significance of result differences.
COLING. (Approximate randomisation.)
Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of
Statistics 6(2), 65-70.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from assay.corrections import holm
from assay.errors import InputError
from assay.estimate import Interval
from assay.spans.corpus import Ints
from assay.spans.figures import Convention, Floats
from assay.spans.resample import Rows, check_resamples, percentile
from assay.spans.score import Scores


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems: the difference of their micro F, a − b, and how sure it is.

    ``p_bootstrap`` is two-sided, from the share of resamples on the other side of 0;
    ``p_randomisation`` from swapping the systems' outputs sentence by sentence;
    ``p_adjusted`` is the latter after Holm's correction over all pairs. ``sentences`` are those
    on which the two differ most: (sentence, errors of a, errors of b).

    NaN stands for what is not defined: all of it where F is not, and what resampling says where
    there is nothing to resample (fewer than two sentences or documents).
    """

    a: str
    b: str
    difference: float
    interval: Interval | None
    p_bootstrap: float
    p_randomisation: float
    p_adjusted: float
    sentences: tuple[tuple[int, int, int], ...]


def _table(scores: Scores, mode: str, groups: Ints | None) -> Ints:
    """Shape (sentences or documents, 3): pairs, gold and predicted spans."""
    pairs = scores.pairing(mode)
    n = scores.n_sentences
    columns = [
        np.bincount(scores.gold.sentence[pairs.gold], minlength=n),
        np.bincount(scores.gold.sentence, minlength=n),
        np.bincount(scores.pred.sentence, minlength=n),
    ]
    table = np.stack(columns, axis=1)
    if groups is None:
        return table
    out = np.zeros((int(groups.max(initial=-1)) + 1, 3), dtype=np.int64)
    np.add.at(out, groups, table)
    return out


def _micro(totals: Floats, convention: Convention) -> Floats:
    return convention.figures(totals[..., 0], totals[..., 1], totals[..., 2])[..., 2]


def compare(
    systems: Sequence[tuple[str, Scores]],
    *,
    mode: str = "exact",
    convention: Convention | None = None,
    groups: Ints | None = None,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    most: int = 10,
) -> list[Comparison]:
    """Every pair of systems, by paired bootstrap and approximate randomisation.

    Parameters
    ----------
    systems
        (name, scores) of each, on the same gold spans.
    mode
        Which matching, see :data:`assay.spans.match.MODES`.
    convention
        For empty denominators and beta.
    groups
        Shape (sentences,): document of each sentence, to resample documents.
    resamples, seed, level
        Of the bootstrap and of the randomisation.
    most
        How many sentences to name a pair.

    Raises
    ------
    InputError
        If the systems were not scored on the same sentences.
    """
    convention = convention or Convention()
    check_resamples(resamples)
    if len({scores.n_sentences for _, scores in systems}) > 1:
        raise InputError("compare: the systems were scored on different numbers of sentences.")
    tables = [_table(scores, mode, groups) for _, scores in systems]
    out = []
    for i, j in combinations(range(len(systems)), 2):
        # One order for the two, so that the order in which they are named decides nothing.
        turned = tables[i].tobytes() > tables[j].tobytes()
        first, second = (j, i) if turned else (i, j)
        rows = Rows.of(np.concatenate([tables[first], tables[second]], axis=1))
        observed = (rows.times @ rows.rows).astype(np.float64)
        difference = float(_micro(observed[:3], convention) - _micro(observed[3:], convention))
        interval, p_bootstrap, p_randomisation = None, float("nan"), float("nan")
        if not np.isnan(difference) and len(tables[i]) > 1:
            drawn = rows.resampled(resamples, seed)
            spread = _micro(drawn[:, :3], convention) - _micro(drawn[:, 3:], convention)
            low, high = percentile(spread, level)
            low, high = (-high, -low) if turned else (low, high)
            interval = Interval(level, low, high, "paired bootstrap, percentile")
            p_bootstrap = _sign_p(spread[~np.isnan(spread)])
            p_randomisation = _randomisation(rows, difference, convention, resamples, seed)
        out.append(
            Comparison(
                systems[i][0],
                systems[j][0],
                -difference if turned else difference,
                interval,
                p_bootstrap,
                p_randomisation,
                float("nan"),
                _apart(systems[i][1], systems[j][1], mode, most),
            )
        )
    adjusted = holm(np.array([c.p_randomisation for c in out])).tolist()
    return [replace(c, p_adjusted=p) for c, p in zip(out, adjusted, strict=True)]


def _sign_p(spread: Floats) -> float:
    """Two-sided: twice the smaller share of resamples at or beyond 0, counting the data once."""
    below, above = int((spread <= 0).sum()), int((spread >= 0).sum())
    return min(1.0, 2.0 * (min(below, above) + 1) / (spread.size + 1))


def _randomisation(
    rows: Rows, difference: float, convention: Convention, resamples: int, seed: int
) -> float:
    a, b = rows.rows[:, :3], rows.rows[:, 3:]
    differ = (a != b).any(axis=1)
    total_a, total_b = rows.times @ a, rows.times @ b
    if not differ.any():
        return 1.0
    rng = np.random.default_rng(seed + 1)
    times, gap = rows.times[differ], (b - a)[differ].astype(np.float64)
    step = max(1, 4_000_000 // times.size)
    at_least = 0
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        moved = rng.binomial(times, 0.5, size=(size, times.size)) @ gap
        found = _micro(total_a + moved, convention) - _micro(total_b - moved, convention)
        # What is not defined counts against a difference, too.
        at_least += int((~(np.abs(found) < abs(difference) - 1e-12)).sum())
    return (at_least + 1) / (resamples + 1)


def _apart(a: Scores, b: Scores, mode: str, most: int) -> tuple[tuple[int, int, int], ...]:
    """The sentences on which two systems' numbers of errors differ most."""
    cost_a, cost_b = (_errors(scores, mode) for scores in (a, b))
    gap = np.abs(cost_a - cost_b)
    order = np.lexsort((np.arange(gap.size), -gap))[:most]
    return tuple((int(k), int(cost_a[k]), int(cost_b[k])) for k in order.tolist() if gap[k] > 0)


def _errors(scores: Scores, mode: str) -> Ints:
    table = _table(scores, mode, None)
    return table[:, 1] + table[:, 2] - 2 * table[:, 0]

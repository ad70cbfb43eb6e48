"""A linear mixed model of one dimension: systems fixed, items and raters random and crossed.

A rating is its system's mean, plus what its item and its rater add to every system, plus the rest.
What an item adds to one system and not to another is in the rest, as if each rating drew it anew.
Items and raters are taken as drawn from many, so that a difference between systems is one beyond
these items and these raters. Variances are estimated by restricted maximum likelihood
(:mod:`assay.evaluation.reml`), tests and intervals are Wald's.

References
----------
Laird, N. M. and Ware, J. H. (1982). Biometrics 38(4), 963-974.
Baayen, R. H., Davidson, D. J. and Bates, D. M. (2008). Journal of Memory and Language 59(4),
390-412. (Crossed effects of subjects and items.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt

import numpy as np

from assay.estimate import Interval, Undefined, check_level
from assay.evaluation.reml import Maximum, Sums, maximise, sums_of
from assay.evaluation.table import Dimension, Remark
from assay.ratings.categories import Floats, Ints

METHOD = "linear mixed model, REML, Wald"
MOST = 1000
"""The fewer of items and raters, and the systems, may be so many together."""
FEW = 6
"""Below so many levels a variance is hardly known."""
LEVELS = {"item": "items", "rater": "raters"}
ROUNDING = 1e-9
"""A share of a sum below this is what rounding leaves."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two systems' means under the model, the first less the second.

    ``first`` and ``second`` are the systems' codes.
    """

    first: int
    second: int
    value: float
    standard_error: float

    @property
    def statistic(self) -> float:
        """Wald's z."""
        return self.value / self.standard_error

    @property
    def p_value(self) -> float:
        """Two-sided, from the normal distribution."""
        from scipy.special import ndtr

        return 2.0 * float(ndtr(-abs(self.statistic)))

    def interval(self, level: float = 0.95) -> Interval:
        """Wald's interval: the difference ± the normal quantile × the standard error."""
        from scipy.special import ndtri

        half = float(ndtri(0.5 + check_level(level) / 2.0)) * self.standard_error
        return Interval(level, self.value - half, self.value + half, "Wald, normal quantile")


@dataclass(frozen=True, slots=True)
class MixedModel:
    """What :func:`mixed_model` found, or the reason why there is no such model.

    Attributes
    ----------
    ratings, levels
        How many ratings, and how many items and raters, by name.
    random
        The effects in the model, some of "item" and "rater".
    left_out
        The effects that cannot be in it, each with the reason.
    variances
        Of each effect in the model, then "residual".
    log_likelihood
        The restricted log likelihood at its largest.
    differences
        Every two systems.
    remarks
        What to know about this fit.
    undefined
        Why there is none.
    """

    ratings: int
    levels: dict[str, int] = field(default_factory=dict)
    random: tuple[str, ...] = ()
    left_out: tuple[tuple[str, Undefined], ...] = ()
    variances: dict[str, float] = field(default_factory=dict)
    log_likelihood: float | None = None
    differences: tuple[Difference, ...] = ()
    remarks: tuple[Remark, ...] = ()
    undefined: Undefined | None = None

    @property
    def shares(self) -> dict[str, float]:
        """Each variance over their sum."""
        total = sum(self.variances.values())
        return {name: value / total for name, value in self.variances.items()}


def mixed_model(made: Dimension) -> MixedModel:
    """Fit the model to one dimension.

    Examples
    --------
    >>> from assay.evaluation.read import read_systems
    >>> values = {"old": ([2, 3, 3, 1], [3, 3, 4, 2]), "new": ([4, 4, 5, 3], [4, 5, 5, 3])}
    >>> rows = [
    ...     {"item": i, "system": s, "rater": r, "value": v}
    ...     for s, raters in values.items()
    ...     for r, ratings in zip("ab", raters)
    ...     for i, v in enumerate(ratings)
    ... ]
    >>> found = mixed_model(read_systems(rows).dimensions[0])
    >>> found.random
    ('item', 'rater')
    >>> round(found.differences[0].value, 3), found.differences[0].p_value < 0.001
    (-1.5, True)
    """
    values, n = made.values, made.n
    if values is None:
        why = Undefined("not_applicable", "its values are names without an order")
        return MixedModel(n, undefined=why)
    names, systems = _compact(made.systems)
    factors = {"item": _compact(made.items)[1]}
    if made.raters is not None:
        factors["rater"] = _compact(made.raters)[1]
    levels = {name: int(codes.max(initial=-1)) + 1 for name, codes in factors.items()}
    p = len(names)
    y = values - (np.bincount(systems, values, p) / np.bincount(systems))[systems]
    if not _varies(values, systems, p):
        why = Undefined("no_variance", "every system's ratings are all equal")
        return MixedModel(n, levels, undefined=why)
    left_out, refused = _placed(factors, systems, levels, p)
    if made.raters is None:
        left_out.append(("rater", Undefined("no_raters", "it is not known who gave which rating")))
    gone = {name for name, _ in left_out}
    used = {name: codes for name, codes in factors.items() if name not in gone}
    refused = refused or _too_large(used, levels, p)
    if refused is not None:
        return MixedModel(n, levels, left_out=tuple(left_out), undefined=refused)
    # A unit in which the ratings vary by about 1, so that nothing depends on their unit.
    unit = sqrt(float(y @ y) / n)
    sums = sums_of(y / unit, systems, used, {name: levels[name] for name in used}, p)
    refused = _exhausted(sums)
    found = None if refused else maximise(sums)
    if found is not None:
        refused = _failed(found)
    if found is None or found.point is None or refused is not None:
        return MixedModel(n, levels, left_out=tuple(left_out), undefined=refused)
    random = tuple(name for name in LEVELS if name in used)
    centres = np.bincount(systems, values, p) / np.bincount(systems)
    means = centres + unit * found.point.beta
    residual = unit * unit * found.point.residual
    variances = {name: found.ratios[name] * residual for name in random} | {"residual": residual}
    free = n - p
    return MixedModel(
        n,
        levels,
        random,
        tuple(left_out),
        variances,
        -0.5 * found.point.deviance - free * float(np.log(unit)),
        _differences(names, means, unit * unit * found.point.covariance),
        tuple(_remarks(random, levels, found, several=made.units.size < n)),
    )


def _compact(codes: Ints) -> tuple[Ints, Ints]:
    """The codes that occur, and each entry's place among them."""
    found, place = np.unique(codes, return_inverse=True)
    return found, place.reshape(-1)


def _varies(values: Floats, systems: Ints, p: int) -> bool:
    """Whether some system has two different ratings; seen from the ratings themselves."""
    low, high = np.full(p, np.inf), np.full(p, -np.inf)
    np.minimum.at(low, systems, values)
    np.maximum.at(high, systems, values)
    return bool((high > low).any())


def _placed(
    factors: dict[str, Ints], systems: Ints, levels: dict[str, int], p: int
) -> tuple[list[tuple[str, Undefined]], Undefined | None]:
    """Which effects cannot be in the model, and what cannot be told apart at all.

    Variances can be told apart where the matrices M K M are linearly independent, with M what is
    left after the systems' means and K = ZZ′ of an effect, and the identity for the residual.
    That is seen from their inner products, which are sums of cells.
    """
    left_out: list[tuple[str, Undefined]] = []
    kept: dict[str, Ints] = {}
    free = float(len(systems) - p)
    for name, codes in factors.items():
        if levels[name] < 2:
            text = f"there is one {name} only, whose effect is in every mean"
            left_out.append((name, Undefined("single_level", text)))
            continue
        own, with_rest = _inner(codes, codes, systems, p), _trace(codes, systems, p)
        if own <= ROUNDING * len(systems):
            text = (
                f"each system has one {name} only, so that a difference between systems is also "
                f"one between {LEVELS[name]}"
            )
            return left_out, Undefined("confounded", text)
        if own * free - with_rest**2 <= ROUNDING * own * free:
            text = (
                f"what {LEVELS[name]} add is part of the residual and cannot be told from it, as "
                f"where no {name} has two ratings"
            )
            left_out.append((name, Undefined("single_ratings", text)))
            continue
        kept[name] = codes
    if len(kept) < 2:
        return left_out, None
    pairs = [*kept.values()]
    gram = np.array(
        [
            [_inner(a, b, systems, p) for b in pairs] + [_trace(a, systems, p)]
            for a in pairs
        ] + [[_trace(b, systems, p) for b in pairs] + [free]]
    )  # fmt: skip
    scale = np.sqrt(np.diagonal(gram))
    if np.linalg.eigvalsh(gram / scale[:, None] / scale)[0] <= ROUNDING:
        text = (
            "items and raters come together in such a way that their effects cannot be told "
            "apart, as where each rater rated one item and no other"
        )
        return left_out, Undefined("confounded", text)
    return left_out, None


def _cells(a: Ints, b: Ints) -> tuple[Ints, Ints, Floats]:
    """The pairs of codes that occur, and how often."""
    width = int(b.max()) + 1
    met, count = np.unique(a.astype(np.int64) * width + b, return_counts=True)
    return met // width, met % width, count.astype(np.float64)


def _share(codes: Ints, systems: Ints, p: int) -> Floats:
    """Shape (levels, systems): ratings of a level and a system, over the root of the system's."""
    size = int(codes.max()) + 1
    cells = np.bincount(codes * p + systems, minlength=size * p).reshape(size, p)
    return np.asarray(cells / np.sqrt(np.bincount(systems, minlength=p)))


def _inner(a: Ints, b: Ints, systems: Ints, p: int) -> float:
    """The inner product of M ZaZa′ M and M ZbZb′ M: the sum of squares of Za′ M Zb."""
    rows, columns, count = _cells(a, b)
    x, y = _share(a, systems, p), _share(b, systems, p)
    both = float((count * (x[rows] * y[columns]).sum(1)).sum())
    return float(count @ count) - 2.0 * both + float(((x.T @ x) * (y.T @ y)).sum())


def _trace(codes: Ints, systems: Ints, p: int) -> float:
    """The inner product of M ZZ′ M and M: the trace of Z′ M Z."""
    return float(len(systems)) - float((_share(codes, systems, p) ** 2).sum())


def _too_large(used: dict[str, Ints], levels: dict[str, int], p: int) -> Undefined | None:
    small = min((levels[name] for name in used), default=0) if len(used) > 1 else 0
    if small + p <= MOST:
        return None
    text = (
        f"the fewer of items and raters are {small:,}, with {p:,} systems; more than {MOST:,} "
        "together would take minutes: fit some of the systems or raters, or take another test"
    )
    return Undefined("too_many_levels", text)


def _exhausted(sums: Sums) -> Undefined | None:
    """Whether effects taken as fixed leave no residual, by counting and by its size."""
    counts = np.maximum(sums.counts, 1.0)
    block = sums.inner - sums.crossing(1.0 / np.maximum(sums.alike, 1.0))
    right = sums.inner_sums - sums.crossed.T @ (sums.outer_sums / counts)
    roots, axes = np.linalg.eigh(block)
    fine = roots > 1e-9 * max(float(roots[-1]), 1.0)
    free = sums.n - sums.levels[0] - int(np.count_nonzero(fine))
    if free <= 0:
        text = "systems, items and raters have as many effects as there are ratings, or more"
        return Undefined("no_residual", text)
    along = axes[:, fine].T @ right
    rest = sums.squares - float((sums.outer_sums**2 / counts).sum())
    rest -= float((along**2 / roots[fine]).sum())
    if rest <= ROUNDING * sums.squares:
        text = "systems, items and raters explain every rating, so that there is no residual"
        return Undefined("no_residual", text)
    return None


def _failed(found: Maximum) -> Undefined | None:
    if found.exhausted:
        text = "the residual variance goes to 0 where the likelihood grows"
        return Undefined("no_residual", text)
    if not found.converged:
        text = "the search for the largest restricted likelihood did not end where it is flat"
        return Undefined("not_converged", text)
    return None


def _differences(names: Ints, means: Floats, covariance: Floats) -> tuple[Difference, ...]:
    out = []
    for a, b in combinations(range(len(names)), 2):
        variance = covariance[a, a] + covariance[b, b] - 2.0 * covariance[a, b]
        out.append(
            Difference(
                int(names[a]), int(names[b]), float(means[a] - means[b]), sqrt(float(variance))
            )
        )
    return tuple(out)


def _remarks(
    random: tuple[str, ...], levels: dict[str, int], found: Maximum, *, several: bool
) -> list[Remark]:
    """What is at the edge, and what is hardly known."""
    out = []
    for name in random:
        if found.ratios[name] == 0.0:
            text = f"the variance of {LEVELS[name]} is estimated at 0, its lowest possible value"
            out.append(Remark("zero_variance", text))
    for name in random:
        if levels[name] < FEW:
            text = (
                f"{levels[name]} {LEVELS[name]} say little of how much {LEVELS[name]} vary; Wald's "
                "intervals and p-values take that as known, and are too sure"
            )
            out.append(Remark("few_levels", text))
    if several:
        text = (
            "ratings of one output count as independent but for their item and rater; where items "
            "suit one system more than another, these intervals are too narrow, and the tests over "
            "items' means are safer"
        )
        out.append(Remark("output_not_modelled", text))
    return out

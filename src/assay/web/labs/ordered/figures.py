"""What the library says of an ordered table: kappa under every weight, alpha, AC2, ICC."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from assay.agreement.cells import Cells
from assay.agreement.cohen import cohen
from assay.agreement.correlation import correlation
from assay.agreement.gwet import gwet
from assay.agreement.icc import all_icc
from assay.agreement.krippendorff import alpha
from assay.agreement.metrics import make_metric
from assay.agreement.percent import percent
from assay.agreement.pool import Pool
from assay.agreement.weights import WEIGHTS, Weights, make_weights
from assay.errors import LabelError
from assay.estimate import Estimate, undefined
from assay.ratings.categories import Categories
from assay.ratings.read import read
from assay.ratings.reductions import Reduced
from assay.ratings.tables import Table
from assay.web.labs.kappa.state import Row
from assay.web.labs.ordered.state import numbers

METRICS = ("nominal", "ordinal", "interval")


@dataclass(frozen=True, slots=True)
class Numbers:
    """Everything computed from one table.

    Attributes
    ----------
    kappas
        By the name of the weights.
    weights
        The sets that these labels allow.
    others
        Percent agreement, alpha by metric, AC2 by the weights that were asked for, ICC, Lin.
    valued
        Whether the labels' own values were used, not their places 1, 2, 3.
    """

    kappas: dict[str, Estimate]
    weights: dict[str, Weights]
    others: dict[str, Estimate]
    valued: bool


def categories_of(labels: tuple[str, ...]) -> Categories:
    """The labels as numbers where they are some, else as words in this order."""
    return Categories(numbers(labels) or labels, declared=True, ordered=True)


def _reduced(cells: tuple[Row, ...], categories: Categories) -> Reduced:
    return Reduced.of(read(Table(cells, labels=categories)))


@lru_cache(maxsize=128)
def measured(cells: tuple[Row, ...], labels: tuple[str, ...], focus: str) -> Numbers:
    """Everything from a table; ``focus`` is the weights of AC2."""
    values = numbers(labels)
    made = _reduced(cells, categories_of(labels))
    counted = made
    if values is None:
        places = Categories(range(1, len(labels) + 1), declared=True, ordered=True)
        counted = _reduced(cells, places)
    table = Cells.of_two(made, "cohen_kappa")
    kappas, allowed = {}, {}
    for name in WEIGHTS:
        try:
            weights = make_weights(name, made.categories)
        except LabelError:
            kappas[name] = _refused("cohen_kappa")
            continue
        allowed[name] = weights
        kappas[name] = cohen(table, weights)
    others = {"percent": percent(_pool(made, "identity"))}
    for metric in METRICS:
        others[f"alpha-{metric}"] = alpha(counted, make_metric(counted, metric))
    others["ac2"] = gwet(_pool(made, focus)) if focus in allowed else _refused("gwet_ac")
    others["icc"] = all_icc(counted)["icc_a_1"]
    others["ccc"] = correlation(counted, "lin_ccc")
    return Numbers(kappas, allowed, others, values is not None)


def _pool(made: Reduced, weights: str) -> Pool:
    return Pool(made.patterns, make_weights(weights, made.categories), made.categories)


def _refused(name: str) -> Estimate:
    return undefined(name, name, "negative_labels", "ratio weights need labels of 0 and above")

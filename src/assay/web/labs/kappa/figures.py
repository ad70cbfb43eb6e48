"""Every figure of a two-rater table, asked of the library."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.cohen import Parts, cohen, parts
from assay.agreement.diagnosis import Relabelling, best_relabelling
from assay.agreement.weights import Weights, make_weights
from assay.estimate import Estimate
from assay.ratings.categories import Categories
from assay.ratings.tables import Table
from assay.web.labs.kappa.state import Row, State


def cells_of(state: State, cells: tuple[Row, ...] | None = None) -> Cells:
    """The library's table."""
    table = np.array(state.cells if cells is None else cells, dtype=np.int64)
    a, b = np.nonzero(table)
    categories = Categories(state.labels, declared=True, ordered=True)
    return Cells(a, b, table[a, b], categories, state.raters)


def weights_of(state: State) -> Weights:
    """The weights in force."""
    categories = Categories(state.labels, declared=True, ordered=True)
    if state.weights == "custom":
        return make_weights([list(map(float, row)) for row in state.matrix], categories)
    return make_weights(state.weights, categories)


def parts_of(cells: Cells) -> Parts | None:
    """Unweighted p_o, p_e and kappa, exact; None for an empty table."""
    return parts(cells, make_weights("identity", cells.categories)) if cells.total else None


def kappa_at(state: State, cells: tuple[Row, ...]) -> Fraction | None:
    """Kappa of another table with the same labels."""
    got = parts_of(cells_of(state, cells))
    return None if got is None or got.kappa is None else Fraction(got.kappa)


def weighted_kappa(state: State, cells: Cells) -> Estimate:
    """Cohen's kappa under the weights in force."""
    return cohen(cells, weights_of(state))


def relabelling(state: State) -> Relabelling | None:
    """Labels of the second rater that look swapped."""
    cells = cells_of(state)
    return best_relabelling(cells) if cells.total else None


def coefficients(state: State) -> dict[str, Estimate]:
    """Every coefficient of the table, by name."""
    from assay.report.agreement import agree

    table = Table(state.cells, labels=state.labels, raters=state.raters)
    return agree(table).coefficients

"""What the buttons of the kappa lab do to a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from assay.web.labs.kappa.state import LEAST, MAX_CELL, MOST, Matrix, Row, State
from assay.web.query import BadState, shortened
from assay.web.speech import lazy


def apply(state: State, do: str) -> State:
    """The state after a button; "" is none.

    >>> from assay.web.labs.kappa.presets import FIRST
    >>> apply(FIRST.state, "add.0.1").cells
    ((3, 48), (53, 897))
    """
    name, *places = do.split(".")
    if name in ("add", "take") and len(places) == 2 and all(p in "01234567" for p in places):
        i, j = map(int, places)
        if max(i, j) < state.k:
            return _step(state, i, j, 1 if name == "add" else -1)
    if name in EDITS and not places:
        return EDITS[name](state)
    if not do:
        return state
    raise BadState(lazy("There is no button “{do}”.", do=shortened(do)))


def _step(state: State, i: int, j: int, by: int) -> State:
    rows = [list(row) for row in state.cells]
    rows[i][j] = min(MAX_CELL, max(0, rows[i][j] + by))
    return replace(state, cells=tuple(map(tuple, rows)))


def _double(state: State) -> State:
    if max(map(max, state.cells)) * 2 > MAX_CELL:
        raise BadState(lazy("A cell holds up to {most}; doubling would go beyond.", most=MAX_CELL))
    return replace(state, cells=tuple(tuple(2 * n for n in row) for row in state.cells))


def reordered(state: State, order: Sequence[int]) -> State:
    """Both raters' labels in another order."""
    moved: Matrix = tuple(tuple(state.matrix[i][j] for j in order) for i in order if state.matrix)
    return replace(
        state,
        cells=tuple(tuple(state.cells[i][j] for j in order) for i in order),
        labels=tuple(state.labels[i] for i in order),
        matrix=moved,
    )


def _swap(state: State) -> State:
    return reordered(state, range(state.k)[::-1])


def _transpose(state: State) -> State:
    """The raters change places."""
    turned = tuple(zip(*state.cells, strict=True))
    matrix = tuple(zip(*state.matrix, strict=True))
    return replace(state, cells=turned, raters=state.raters[::-1], matrix=matrix)


def _more(state: State) -> State:
    if state.k == MOST:
        raise BadState(
            lazy(
                "{most} labels are the most here. Larger tables: assay agree, on the command line.",
                most=MOST,
            )
        )
    name = next(
        str(i) for i in range(state.k + 1, state.k + MOST + 2) if str(i) not in state.labels
    )
    cells = (*((*row, 0) for row in state.cells), (0,) * (state.k + 1))
    none, one = Fraction(0), Fraction(1)
    matrix = (*((*row, none) for row in state.matrix), (*(none,) * state.k, one))
    made = replace(state, cells=cells, labels=(*state.labels, name))
    return replace(made, matrix=matrix) if state.matrix else made


def _fewer(state: State) -> State:
    if state.k == LEAST:
        raise BadState(lazy("{least} labels are the fewest.", least=LEAST))
    cells = tuple(row[:-1] for row in state.cells[:-1])
    matrix = tuple(row[:-1] for row in state.matrix[:-1])
    return replace(state, cells=cells, labels=state.labels[:-1], matrix=matrix)


def _clear(state: State) -> State:
    zeros: Row = (0,) * state.k
    return replace(state, cells=(zeros,) * state.k)


def relabelled(state: State, taken_as: Sequence[int]) -> State:
    """The second rater's labels read as others."""
    rows = [[0] * state.k for _ in range(state.k)]
    for i, row in enumerate(state.cells):
        for j, n in enumerate(row):
            rows[i][taken_as[j]] += n
    return replace(state, cells=tuple(map(tuple, rows)))


def _relabel(state: State) -> State:
    from assay.web.labs.kappa.figures import relabelling

    found = relabelling(state)
    return state if found is None else relabelled(state, found.taken_as)


def _show(state: State) -> State:
    """Kappa, without a guess if there is none."""
    return replace(state, guess="") if state.guess == "ask" else state


def customised(state: State) -> State:
    """Weights to be edited, starting from those in force."""
    from assay.web.labs.kappa.figures import weights_of

    exact = weights_of(state).exact
    matrix = exact or tuple(
        tuple(Fraction(int(i == j)) for j in range(state.k)) for i in range(state.k)
    )
    four = tuple(tuple(Fraction(round(w * 10_000), 10_000) for w in row) for row in matrix)
    return replace(state, weights="custom", matrix=four)


EDITS: dict[str, Callable[[State], State]] = {
    "double": _double,
    "swap": _swap,
    "transpose": _transpose,
    "more": _more,
    "fewer": _fewer,
    "clear": _clear,
    "relabel": _relabel,
    "show": _show,
}

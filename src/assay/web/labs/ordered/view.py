"""Everything the page of ordered labels shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.agreement.pool import Number
from assay.agreement.weights import WEIGHTS, Weights
from assay.estimate import Estimate
from assay.web.charts import Dot
from assay.web.labs.kappa.edits import reordered
from assay.web.labs.kappa.state import LEAST, MAX_CELL, MOST, Row, default_labels
from assay.web.labs.many.estimates import Figure, exact, figure, moves
from assay.web.labs.ordered import words
from assay.web.labs.ordered.figures import METRICS, Numbers, measured
from assay.web.labs.ordered.presets import PRESETS, opened
from assay.web.labs.ordered.state import MAX_FAR, State, numbers, spread, written_as_numbers
from assay.web.speech import Message, Speech, lazy

NAMES: dict[str, Message] = {
    "identity": lazy("none"),
    "linear": lazy("linear"),
    "quadratic": lazy("quadratic"),
    "ordinal": lazy("ordinal"),
    "radical": lazy("radical"),
    "ratio": lazy("ratio"),
    "circular": lazy("circular"),
    "bipolar": lazy("bipolar"),
}

MEANINGS: dict[str, Message] = {
    "identity": lazy("every miss costs the same"),
    "linear": lazy("cost grows with the distance"),
    "quadratic": lazy("cost grows with the distance squared"),
    "ordinal": lazy("cost grows with the number of pairs of labels between"),
    "radical": lazy("cost grows with the root of the distance"),
    "ratio": lazy("cost grows with the distance as a share of the sum"),
    "circular": lazy("the highest label stands beside the lowest"),
    "bipolar": lazy("a step at the ends costs more than one in the middle"),
}

OTHERS: dict[str, Message] = {
    "percent": lazy("Percent agreement"),
    "alpha-nominal": lazy("Krippendorff's alpha, nominal"),
    "alpha-ordinal": lazy("Krippendorff's alpha, ordinal"),
    "alpha-interval": lazy("Krippendorff's alpha, interval"),
    "ac2": lazy("Gwet's AC2"),
    "icc": lazy("ICC(A,1)"),
    "ccc": lazy("Lin's concordance"),
}

REMARKS: dict[str, Message] = {
    "alpha-nominal": MEANINGS["identity"],
    "alpha-ordinal": lazy("cost grows with how many ratings lie between"),
    "alpha-interval": MEANINGS["quadratic"],
}

SIDE_BY_SIDE = (*(f"kappa-{name}" for name in WEIGHTS), "ac2", *(f"alpha-{m}" for m in METRICS))


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to another state: its words, the state, and whether one is there."""

    title: str
    state: State
    current: bool
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A weight on screen: its value and its tenth, by which it is shaded."""

    weight: Number
    shade: int


@dataclass(frozen=True, slots=True)
class Distance:
    """Labels so many steps apart: how many items are, and what one costs under each weight.

    ``costs`` are (lowest, highest) by weight, None for weights that these labels do not allow.
    """

    steps: int
    items: int
    share: Fraction | None
    costs: tuple[tuple[Number, Number] | None, ...]
    lost: Number | None


@dataclass(frozen=True, slots=True)
class Tried:
    """A coefficient before and after ratings were moved; what it says of the move."""

    title: str
    now: Number | None
    after: Number | None
    change: Number | None


@dataclass(frozen=True, slots=True)
class Trial:
    """One-step misses made as far apart as the scale goes."""

    asked: int
    moved: int
    steps: int
    rows: tuple[Tried, ...]
    said: str
    fewer: State
    more: State
    none_left: bool
    all_moved: bool


@dataclass(frozen=True, slots=True)
class Wrong:
    """The same ratings with the scale read wrongly: (weights, right value, wrong value)."""

    said: str
    rows: tuple[tuple[str, Number | None, Number | None], ...]


@dataclass(frozen=True, slots=True)
class View:
    """What the template shows."""

    headline: str
    shows: str
    moved: str
    n: int
    rows: Row
    columns: Row
    figures: dict[str, Figure]
    dots: tuple[Dot, ...]
    table: tuple[Figure, ...]
    above: tuple[str, ...]
    focus: str
    chosen: int
    meaning: str
    matrix: tuple[tuple[Cell, ...], ...]
    weights: tuple[Choice, ...]
    weight_names: tuple[str, ...]
    distances: tuple[Distance, ...]
    trial: Trial | None
    wrong: tuple[Wrong, ...]
    squares: str
    reversal: bool
    presets: tuple[Choice, ...]
    valued: bool
    counted: str
    more_labels: bool
    fewer_labels: bool
    most: int
    python: str


def view(state: State, before: State | None, speech: Speech) -> View:
    """The page of a state; ``before`` is what was on screen last."""
    say = speech.say
    found = measured(state.cells, state.labels, state.weights)
    same = before is None or replace(before, far=state.far) == state
    old = None if before is None or same else measured(before.cells, before.labels, before.weights)
    figures = {
        name: figure(name, title, now, _find(old, name), speech, remark)
        for name, title, remark, now in _estimates(found, state.weights, speech)
    }
    told = dict.fromkeys(("kappa-identity", f"kappa-{state.weights}", "ac2", "alpha-ordinal"))
    preset = next((p for p in PRESETS if p.cells == state.cells and p.labels == state.labels), None)
    return View(
        headline=words.headline(state, figures, speech),
        shows=say(preset.shows) if preset else "",
        moved=moves([figures[name] for name in told], speech) if old else "",
        n=state.n,
        rows=state.table.rows,
        columns=state.table.columns,
        figures=figures,
        dots=tuple(figures[name].dot(speech) for name in SIDE_BY_SIDE),
        table=tuple(one for name, one in figures.items() if name != "percent"),
        above=("kappa-identity", f"kappa-{state.weights}"),
        chosen=WEIGHTS.index(state.weights),
        focus=say(NAMES[state.weights]),
        meaning=say(MEANINGS[state.weights]),
        matrix=_matrix(found.weights.get(state.weights)),
        weights=tuple(
            Choice(
                say(NAMES[name]),
                replace(state, weights=name),
                name == state.weights,
                say(MEANINGS[name]),
            )
            for name in WEIGHTS
        ),
        weight_names=tuple(say(NAMES[name]) for name in WEIGHTS),
        distances=_distances(state, found),
        trial=_trial(state, found, speech),
        wrong=tuple(_wrong(state, found, speech)),
        squares=words.squares(figures, found.valued, speech),
        reversal=_reversal(state, found),
        presets=tuple(
            Choice(say(p.title), opened(p, state), p is preset, say(p.shows)) for p in PRESETS
        ),
        valued=found.valued,
        counted=words.counted(state, found.valued, speech),
        more_labels=state.k < MOST,
        fewer_labels=state.k > LEAST,
        most=MAX_CELL,
        python=_python(state),
    )


def _estimates(found: Numbers, focus: str, speech: Speech) -> list[tuple[str, str, str, Estimate]]:
    say = speech.say
    out = []
    for name in WEIGHTS:
        title = (
            say("Cohen's kappa")
            if name == "identity"
            else say("Weighted kappa, {weights}", weights=say(NAMES[name]))
        )
        out.append((f"kappa-{name}", title, say(MEANINGS[name]), found.kappas[name]))
    for name, known in found.others.items():
        remark = say(REMARKS[name]) if name in REMARKS else ""
        if name == "ac2":
            remark = say("weights: {weights}", weights=say(NAMES[focus]))
        out.append((name, say(OTHERS[name]), remark, known))
    return out


def _find(old: Numbers | None, name: str) -> Estimate | None:
    if old is None:
        return None
    kind, _, weights = name.partition("-")
    return old.kappas[weights] if kind == "kappa" else old.others[name]


def _matrix(weights: Weights | None) -> tuple[tuple[Cell, ...], ...]:
    if weights is None:
        return ()
    return tuple(tuple(Cell(w, int(10 * w)) for w in row) for row in _exact(weights))


def _exact(weights: Weights) -> Sequence[Sequence[Number]]:
    """The weights, as fractions where they are some."""
    if weights.exact is not None:
        return weights.exact
    return [[float(w) for w in row] for row in weights.matrix]


def _distances(state: State, found: Numbers) -> tuple[Distance, ...]:
    k, n = state.k, state.n
    sets = [found.weights.get(name) for name in WEIGHTS]
    matrices = [None if one is None else _exact(one) for one in sets]
    focus = matrices[WEIGHTS.index(state.weights)]
    lost = [_cost(state.cells, focus, d) for d in range(k)]
    whole: Number = Fraction(0)
    for each_lost in lost:
        whole = whole + (each_lost or 0)
    out = []
    for d in range(k):
        pairs = [(i, i + d) for i in range(k - d)]
        costs: list[tuple[Number, Number] | None] = []
        for matrix in matrices:
            if matrix is None:
                costs.append(None)
                continue
            each = [1 - matrix[i][j] for i, j in pairs]
            costs.append((min(each), max(each)))
        items, part = state.apart(d), lost[d]
        out.append(
            Distance(
                d,
                items,
                Fraction(items, n) if n else None,
                tuple(costs),
                part / whole if whole and part is not None else None,
            )
        )
    return tuple(out)


def _cost(
    cells: tuple[Row, ...], weights: Sequence[Sequence[Number]] | None, steps: int
) -> Number | None:
    """What the items so many steps apart cost together."""
    if weights is None:
        return None
    total: Number = Fraction(0)
    for i, row in enumerate(cells):
        for j, n in enumerate(row):
            if n and abs(i - j) == steps:
                total = total + n * (1 - weights[i][j])
    return total


def _trial(state: State, found: Numbers, speech: Speech) -> Trial | None:
    if state.k < 3 or not state.apart(1):
        return None
    cells, moved = spread(state.cells, state.far)
    later = measured(cells, state.labels, state.weights)
    rows = []
    for name, title, _, now in _estimates(found, state.weights, speech):
        if name in ("icc", "ccc"):
            continue
        was, then = exact(now), exact(_found(later, name))
        change = None if was is None or then is None else then - was
        rows.append(Tried(title, was, then, change))
    return Trial(
        asked=state.far,
        moved=moved,
        steps=state.k - 1,
        rows=tuple(rows),
        said=words.noticed(tuple((row.title, row.change) for row in rows), speech),
        fewer=replace(state, far=max(0, min(state.far, moved) - 1)),
        more=replace(state, far=min(MAX_FAR, state.apart(1), state.far + 1)),
        none_left=not state.far,
        all_moved=state.far >= min(MAX_FAR, state.apart(1)),
    )


def _found(numbers_: Numbers, name: str) -> Estimate:
    found = _find(numbers_, name)
    if found is None:
        raise KeyError(name)
    return found


def _wrong(state: State, found: Numbers, speech: Speech) -> list[Wrong]:
    out = []
    alphabet = sorted(range(state.k), key=lambda i: state.labels[i])
    if not written_as_numbers(state.labels) and alphabet not in (
        list(range(state.k)),
        list(range(state.k))[::-1],
    ):
        other = reordered(state.table, alphabet)
        said = speech.say(
            "In alphabetical order ({order}) the same ratings give other numbers. Words have no "
            "order of their own, so one has to be declared.",
            order=speech.listed(other.labels),
        )
        read = measured(other.cells, other.labels, state.weights)
        out.append(Wrong(said, _beside(found, read, speech)))
    rows, columns = state.table.rows, state.table.columns
    kept = [i for i in range(state.k) if rows[i] or columns[i]]
    if 2 <= len(kept) < state.k and kept != list(range(kept[0], kept[-1] + 1)):
        unused = [state.labels[i] for i in range(kept[0], kept[-1]) if i not in kept]
        said = speech.say(
            "Nobody used {labels}. Where a program counts only the labels that occur, the labels "
            "on both sides become neighbours and the numbers change.",
            labels=speech.listed(unused),
        )
        cells = tuple(tuple(state.cells[i][j] for j in kept) for i in kept)
        read = measured(cells, default_labels(len(kept)), state.weights)
        out.append(Wrong(said, _beside(found, read, speech)))
    return out


def _beside(
    right: Numbers, wrong: Numbers, speech: Speech
) -> tuple[tuple[str, Number | None, Number | None], ...]:
    return tuple(
        (speech.say(NAMES[name]), exact(right.kappas[name]), exact(wrong.kappas[name]))
        for name in ("identity", "linear", "quadratic")
    )


def _reversal(state: State, found: Numbers) -> bool:
    """Whether turning the scale round leaves every kappa; ratios know which end is 0."""
    turned = reordered(state.table, range(state.k)[::-1])
    other = measured(turned.cells, turned.labels, state.weights)
    return all(_close(exact(one), exact(other.kappas[name])) for name, one in found.kappas.items())


def _close(a: Number | None, b: Number | None) -> bool:
    """Whether two values are the same, up to the last bits where they are no fractions."""
    if a is None or b is None:
        return a is b
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a == b
    return abs(float(a) - float(b)) < 1e-12


def _python(state: State) -> str:
    """The same computation as a program."""
    rows = ",\n    ".join(str(list(row)) for row in state.cells)
    labels = list(numbers(state.labels) or state.labels)
    return (
        "import assay\n\n"
        f"table = assay.Table([\n    {rows},\n], labels={labels!r})\n"
        f'print(assay.cohen_kappa(table, weights="{state.weights}"))\n'
        f'print(assay.gwet_ac(table, weights="{state.weights}"))\n'
        'print(assay.krippendorff_alpha(table, metric="ordinal"))\n'
    )

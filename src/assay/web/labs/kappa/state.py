"""The state of the kappa lab: a table of two raters, and what is shown of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from unicodedata import normalize

from assay.report.bands import SCALES
from assay.web.query import MAX_NAME, BadState, Query, listed, shortened, whole
from assay.web.speech import lazy

LEAST, MOST = 2, 8
"""Labels of a table."""
MAX_CELL = 999_999_999
WEIGHTS = ("identity", "linear", "quadratic", "custom")
QUESTIONS = 3
RATERS = ("A", "B")

Row = tuple[int, ...]
Matrix = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class State:
    """What the address says.

    Attributes
    ----------
    cells
        k × k counts; rows are the first rater's labels, columns the second's.
    labels, raters
        Their names.
    weights
        "identity" for labels without an order.
    matrix
        k × k similarities from 0 to 1 where weights are "custom", else empty.
    scale
        The scale of interpretation.
    guess
        "" to see kappa, "ask" while it is hidden, else what was guessed.
    puzzle
        The puzzle being solved, or "".
    answers
        Which option of each question was chosen, "" where none was.
    """

    cells: tuple[Row, ...]
    labels: tuple[str, ...]
    raters: tuple[str, str] = RATERS
    weights: str = "identity"
    matrix: Matrix = ()
    scale: str = "landis-koch"
    guess: str = ""
    puzzle: str = ""
    answers: tuple[str, ...] = ("",) * QUESTIONS

    @property
    def k(self) -> int:
        return len(self.cells)

    @property
    def n(self) -> int:
        return sum(map(sum, self.cells))

    @property
    def rows(self) -> Row:
        """The first rater's sums."""
        return tuple(map(sum, self.cells))

    @property
    def columns(self) -> Row:
        """The second rater's sums."""
        return tuple(map(sum, zip(*self.cells, strict=True)))

    def query(self) -> dict[str, str]:
        """The canonical parameters."""
        named = self.labels != default_labels(self.k)
        return {
            "t": ";".join(",".join(map(str, row)) for row in self.cells),
            "labels": listed(self.labels) if named else "",
            "raters": listed(self.raters) if self.raters != RATERS else "",
            "weights": self.weights if self.weights != "identity" else "",
            "w": ";".join(",".join(map(decimal, row)) for row in self.matrix),
            "scale": self.scale if self.scale != "landis-koch" else "",
            "guess": self.guess,
            "puzzle": self.puzzle,
        } | {f"q{i + 1}": one for i, one in enumerate(self.answers)}


def decimal(weight: Fraction) -> str:
    """A weight as it was written: at most four decimals.

    >>> decimal(Fraction(3, 4)), decimal(Fraction(1))
    ('0.75', '1')
    """
    return f"{float(weight):.4f}".rstrip("0").rstrip(".")


def default_labels(k: int) -> tuple[str, ...]:
    """Names for labels that have none: 1, 2 and so on."""
    return tuple(str(i + 1) for i in range(k))


def parse(query: Query) -> State:
    """The state of an address; without a table, the first one."""
    from assay.web.labs.kappa.presets import FIRST

    if "t" not in query:
        cells, labels, raters = FIRST.cells, FIRST.labels, FIRST.raters
    else:
        cells = _table(query.one("t"))
        labels, raters = default_labels(len(cells)), RATERS
    k = len(cells)
    given = query.names("labels")
    if given is not None:
        labels = names_checked(given, lazy("labels"), k)
    named = query.names("raters")
    if named is not None:
        raters = (named[0], named[1]) if len(named) == 2 else raters
        names_checked(named, lazy("raters"), 2)
    weights = query.choice("weights", WEIGHTS, "identity")
    matrix = _matrix(query.one("w"), k) if weights == "custom" else ()
    return State(
        cells,
        labels,
        raters,
        weights,
        matrix,
        query.choice("scale", tuple(SCALES), "landis-koch"),
        _guess(query.one("guess")),
        _puzzle(query),
        _answers(query),
    )


def _puzzle(query: Query) -> str:
    from assay.web.labs.kappa.puzzles import PUZZLES

    return query.choice("puzzle", ("", *PUZZLES), "")


def _answers(query: Query) -> tuple[str, ...]:
    return tuple(query.choice(f"q{i + 1}", ("", "a", "b", "c"), "") for i in range(QUESTIONS))


def _table(text: str) -> tuple[Row, ...]:
    rows = [line.split(",") for line in text.split(";")]
    cells = tuple(
        tuple(cell_of(text, i, j) for j, text in enumerate(row)) for i, row in enumerate(rows)
    )
    size_checked(len(rows))
    for i, row in enumerate(rows):
        if len(row) != len(rows):
            raise BadState(
                lazy(
                    "The table has {rows} rows, but row {i} has {cells} cells; it has to be "
                    "square: rows are the first rater's labels, columns the second's. Rows are "
                    "separated by ; and cells by , as in t=3,47;53,897.",
                    rows=len(rows),
                    i=i + 1,
                    cells=len(row),
                )
            )
    return cells


def size_checked(k: int) -> None:
    """Refuse a table with too few or too many labels."""
    if not LEAST <= k <= MOST:
        raise BadState(
            lazy(
                "A {k} × {k} table does not fit here; {least} to {most} labels do. Larger "
                "tables: assay agree, on the command line.",
                k=k,
                least=LEAST,
                most=MOST,
            )
        )


def cell_of(text: str, i: int, j: int) -> int:
    """A count from its text; an empty cell is 0."""
    if not text.strip():
        return 0
    if GROUPED.fullmatch(text.strip()):
        text = GROUP.sub("", text)
    what = lazy("Row {i}, column {j}", i=i + 1, j=j + 1)
    try:
        return whole(text, "", 0, MAX_CELL)
    except BadState:
        raise BadState(
            lazy(
                "{what}: a whole number from {low} to {high} is needed, not “{found}”.",
                what=what,
                low=0,
                high=MAX_CELL,
                found=shortened(text),
            ),
            field=f"c-{i}-{j}",
        ) from None


GROUP = re.compile("[,\u00a0\u202f]")
GROUPED = re.compile("[0-9]{1,3}([,\u00a0\u202f][0-9]{3})+")
"""A number as pages print it: thousands apart. A point could be a decimal one."""


def names_checked(given: list[str], what: object, k: int) -> tuple[str, ...]:
    """Names of labels or raters, if they are as many as needed and fit."""
    if len(given) != k:
        raise BadState(
            lazy("{what}: {k} names are needed, and there are {n}.", what=what, k=k, n=len(given))
        )
    # Names that look the same are the same, as everywhere else.
    names = tuple(normalize("NFC", name.strip()) for name in given)
    for name in names:
        if not name or len(name) > MAX_NAME or not name.isprintable():
            raise BadState(
                lazy(
                    "{what}: a name of 1 to {most} characters is needed, not “{found}”.",
                    what=what,
                    most=MAX_NAME,
                    found=shortened(name),
                )
            )
        if names.count(name) > 1:
            raise BadState(lazy("{what}: “{name}” is there twice.", what=what, name=name))
    return names


def _matrix(text: str, k: int) -> Matrix:
    rows = [line.split(",") for line in text.split(";")]
    if len(rows) != k or any(len(row) != k for row in rows):
        raise BadState(lazy("w: {k} × {k} weights are needed, as in w=1,0.5;0.5,1.", k=k))
    matrix = tuple(
        tuple(weight_of(cell, i, j) for j, cell in enumerate(row)) for i, row in enumerate(rows)
    )
    if matrix != tuple(zip(*matrix, strict=True)):
        raise BadState(lazy("w: a weight has to be the same in both directions."))
    return matrix


def _typed_matrix(texts: list[str], k: int) -> Matrix:
    """The weights above the diagonal, row by row; those below are the same."""
    if len(texts) != k * (k - 1) // 2:
        raise BadState(lazy("The form holds {n} weights for {k} labels.", n=len(texts), k=k))
    rest = iter(texts)
    above = {(i, j): weight_of(next(rest), i, j) for i in range(k) for j in range(i + 1, k)}
    one = Fraction(1)
    return tuple(
        tuple(one if i == j else above[min(i, j), max(i, j)] for j in range(k)) for i in range(k)
    )


def weight_of(text: str, i: int, j: int) -> Fraction:
    """A weight from its text: from 0 to 1, with at most four decimals, 1 on the diagonal."""
    said = text.strip().replace(",", ".")
    head, _, tail = said.partition(".")
    if len(said) <= 8 and (head + tail).isascii() and (head + tail).isdigit() and len(tail) <= 4:
        value = Fraction(said if tail else (head or "0"))
        if value == 1 or (i != j and value < 1):
            return value
    raise BadState(
        lazy(
            "Weight in row {i}, column {j}: a number from 0 to 1 with at most four decimals is "
            "needed (1 where the labels are the same), not “{found}”.",
            i=i + 1,
            j=j + 1,
            found=shortened(text),
        ),
        field=f"w-{i}-{j}",
    )


def _guess(text: str) -> str:
    said = text.strip().replace("−", "-").replace(",", ".")
    if said in ("", "ask"):
        return said
    try:
        value = float(said)
    except ValueError:
        value = 2.0
    if len(said) <= 8 and -1.0 <= value <= 1.0:
        return said
    raise BadState(
        lazy("A guess is a number from −1 to 1, not “{found}”.", found=shortened(text)),
        field="guess",
    )


def edit(query: Query) -> State:
    """The state after a form was sent: its fields and then the button, or a pasted table."""
    from assay.web.labs.kappa.edits import apply

    if "paste" in query:
        from assay.web.labs.kappa.paste import pasted

        return pasted(query.one("paste"))

    labels = [name.strip() for name in query.all("l")]
    size_checked(len(labels))
    k = len(labels)
    texts = query.all("c")
    if len(texts) != k * k:
        raise BadState(lazy("The form holds {n} cells for {k} labels.", n=len(texts), k=k))
    cells = tuple(tuple(cell_of(texts[i * k + j], i, j) for j in range(k)) for i in range(k))
    weights = query.choice("weights", WEIGHTS, "identity")
    matrix = _typed_matrix(query.all("w"), k) if weights == "custom" else ()
    raters = names_checked(query.all("r"), lazy("raters"), 2)
    state = State(
        cells,
        names_checked(labels, lazy("labels"), k),
        (raters[0], raters[1]),
        weights,
        matrix,
        query.choice("scale", tuple(SCALES), "landis-koch"),
        # A field that is still empty does not show what is hidden.
        _guess(next(filter(None, reversed(query.all("guess"))), "")),
        _puzzle(query),
        _answers(query),
    )
    return apply(state, query.one("do"))

"""``--weights FILE``: a matrix of agreement weights from CSV or JSON."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import ReadingError, UsageError, one_of

WEIGHTS = (
    "identity",
    "linear",
    "quadratic",
    "ordinal",
    "radical",
    "ratio",
    "circular",
    "bipolar",
)


@dataclass(frozen=True, slots=True)
class Matrix:
    """A square of weights, and the labels of its rows and columns where the file has them."""

    rows: tuple[tuple[float, ...], ...]
    labels: tuple[str, ...] | None = None

    def along(self, texts: tuple[str, ...]) -> list[list[float]]:
        """The weights in the order of ``texts``."""
        if self.labels is None:
            return [list(row) for row in self.rows]
        at = {label: i for i, label in enumerate(self.labels)}
        lost = [text for text in texts if text not in at]
        if lost:
            raise UsageError(
                f"--weights: the matrix has no row for {', '.join(map(repr, lost))}; "
                f"its labels are {', '.join(self.labels)}."
            )
        return [[self.rows[at[a]][at[b]] for b in texts] for a in texts]

    def fitted(self, categories: Any) -> Any:
        """The weights as the library takes them: rows whose labels the file names are known."""
        rows = self.along(categories.texts)
        if self.labels is None:
            return rows
        from assay.agreement.weights import make_weights
        from assay.ratings.categories import Categories

        named = Categories(categories.labels, declared=True, texts=categories.texts)
        return make_weights(rows, named)


def weights(text: str) -> str | Matrix:
    """A weight set by its name, or the matrix in a file.

    >>> weights("quadratic")
    'quadratic'
    """
    path = Path(text)
    if text not in WEIGHTS and path.is_file():
        return load(path)
    if text not in WEIGHTS and path.suffix.lower() in (".csv", ".json", ".tsv"):
        raise ReadingError(f"--weights {text}: there is no such file.")
    return one_of(text, WEIGHTS, "--weights")


def load(path: Path) -> Matrix:
    """A matrix from a file.

    JSON: rows, {"labels": …, "weights": rows}, or {label: {label: weight}}. CSV: with or
    without labels, the decimal sign a point or a comma.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        labels, rows = _json(text) if path.suffix.lower() == ".json" else _cells(text)
        numbers = tuple(tuple(_float(cell) for cell in row) for row in rows)
        names = None if labels is None else tuple(str(label) for label in labels)
    except (ValueError, TypeError) as error:
        raise ReadingError(f"--weights {path}: not a matrix of numbers ({error}).") from None
    k = len(numbers)
    if not k or any(len(row) != k for row in numbers) or (names and len(names) != k):
        raise ReadingError(f"--weights {path}: a square matrix is needed, one row a label.")
    if names and len(set(names)) < k:
        raise ReadingError(f"--weights {path}: a label has two rows: {', '.join(names)}.")
    return Matrix(numbers, names)


def _json(text: str) -> tuple[list[Any] | None, Any]:
    """Labels and rows of a JSON document."""
    given = json.loads(text)
    labels = None
    if isinstance(given, dict) and set(given) in ({"weights"}, {"labels", "weights"}):
        labels, given = given.get("labels"), given["weights"]
    if not isinstance(given, dict):
        return labels, given
    names = list(given)
    for label, row in given.items():
        if not isinstance(row, dict) or set(row) != set(names):
            has = list(row) if isinstance(row, dict) else row
            raise ValueError(f"row {label!r} has {has}, and one number for each of {names} is due")
    return names, [[given[a][b] for b in names] for a in names]


def _cells(text: str) -> tuple[list[str] | None, list[Any]]:
    """Rows of a CSV; a first row and first column that are not numbers are labels."""
    separator = "\t" if "\t" in text else ";" if ";" in text else ","
    lines = [row for row in csv.reader(text.splitlines(), delimiter=separator) if any(row)]
    if lines and len(lines[0]) == len(lines):
        # k rows of k cells, or a header and k - 1 rows of a label and k - 1 cells.
        if not lines[0][0].strip() or not _number(lines[0][0]):
            head = [cell.strip() for cell in lines[0][1:]]
            side = [row[0].strip() for row in lines[1:]]
            if head != side:
                raise ValueError(f"columns are {head}, rows are {side}")
            return head, [row[1:] for row in lines[1:]]
        return None, lines
    if lines and len(lines[0]) == len(lines) - 1:
        return [cell.strip() for cell in lines[0]], lines[1:]
    return None, lines


def _float(cell: Any) -> float:
    """A weight; one comma in a text is a decimal comma, since no weight has thousands."""
    if isinstance(cell, str) and cell.count(",") == 1 and "." not in cell:
        cell = cell.replace(",", ".")
    return float(cell)


def _number(text: str) -> bool:
    try:
        _float(text)
    except ValueError:
        return False
    return True

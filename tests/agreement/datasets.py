"""Published data sets, as typed, with where they come from."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

import assay

Rows = list[list[int]]


def printed(text: str) -> Any:
    """A number as a source prints it: right to half a unit of its last digit."""
    exponent = Decimal(text).as_tuple().exponent
    half_unit = 0.5 * 10.0 ** int(exponent)
    return pytest.approx(float(text), rel=0, abs=half_unit * (1 + 1e-9))


def rows(text: str) -> list[list[str | None]]:
    """Items × raters, a word an item and a character a rating; a dot is a missing one."""
    return [[None if c == "." else c for c in word] for word in text.split()]


def numbers(text: str) -> list[list[int | None]]:
    """The same with labels that are digits, as numbers."""
    return [[None if c == "." else int(c) for c in word] for word in text.split()]


def counts_of(items: list[list[Any]], labels: list[Any]) -> Rows:
    """Items × categories."""
    return [[item.count(label) for label in labels] for item in items]


def columns(items: list[list[Any]]) -> dict[str, list[Any]]:
    """Rater → labels, from items × raters."""
    return {f"r{g + 1}": list(column) for g, column in enumerate(zip(*items, strict=True))}


def wide(items: list[list[Any]], **options: Any) -> assay.Ratings:
    """Ratings of items × raters."""
    return assay.from_lists(*zip(*items, strict=True), **options)


# Fleiss (1971): psychiatric diagnoses, 30 subjects × 6 raters. Which of the six raters gave
# which label was not printed; the columns here are each subject's labels in ascending order.
FLEISS_1971 = numbers(
    "444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333"
    " 144444 224445 333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224"
    " 111155 224444 133333 555555"
)
FLEISS_1971_COUNTS = counts_of(FLEISS_1971, [1, 2, 3, 4, 5])

# A table of 10 subjects × 5 categories by 14 raters, from the encyclopaedia entry on the kappa.
FOURTEEN_RATERS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip

# Krippendorff (2011), Computing Krippendorff's alpha-reliability: examples A, B and C/E.
KRIPPENDORFF_A = ([0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0])
KRIPPENDORFF_B = (list("aabbdcccedda"), list("babbbccceddd"))
KRIPPENDORFF_C = {
    "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    "C": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
}
# Krippendorff (2018), Content Analysis, 4th ed., p. 306.
KRIPPENDORFF_2018 = {
    "A": [int(c) for c in "010110001111"],
    "B": [int(c) for c in "010100001101"],
    "C": [int(c) for c in "011001001000"],
}
# The example of the encyclopaedia entry on alpha: 3 coders × 15 units.
_: Any = None
ENCYCLOPAEDIA_ALPHA = {
    "A": [_, _, _, _, _, 3, 4, 1, 2, 1, 1, 3, 3, _, 3],
    "B": [1, _, 2, 1, 3, 3, 4, 3, _, _, _, _, _, _, _],
    "C": [_, _, 2, 1, 3, 4, 4, _, 2, 1, 1, 3, 3, _, 4],
}

# Gwet's data sets as distributed with irrCAC.
RAW_4_RATERS = numbers("11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 ..3.")
DISTRIB_6_RATERS = FLEISS_1971_COUNTS[:15]
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
DIAGNOSIS = [[40, 6, 4, 15], [4, 25, 1, 5], [4, 2, 21, 9], [17, 13, 12, 45]]
DIST_4_CATEGORIES = [
    [int(c) for c in word]
    for word in [
        "301",
        "211",
        "211",
        "202",
        "310",
        "310",
        "040",
        "031",
        "004",
        "310",
        "040",
        "031",
        "022",
        "004",
        "310",
    ]
]

# Fleiss (1981), p. 612, as used by Stata (rvary): positive and negative ratings a subject.
VARYING_RATERS = [
    [2, 0], [0, 2], [2, 1], [3, 1], [3, 0], [1, 3], [0, 3], [0, 5], [0, 2], [4, 0], [5, 0],
    [3, 0], [4, 0], [3, 1], [0, 2], [2, 0], [1, 2], [1, 1], [1, 3], [4, 1], [2, 1], [0, 4],
    [0, 3], [3, 0], [2, 0],
]  # fmt: skip

# Warrens (2010): 8 raters, labels N and A.
WARRENS_2010 = rows(
    "NNNNNNNN " * 14 + "NNNANNNN NNNNNNNA " + "AAAAAAAA " * 10
    + "AANAAAAN AANAAAAN AANANAAN AANAANNN"
)  # fmt: skip

# Shrout and Fleiss (1979), Psychological Bulletin 86(2): 6 targets × 4 judges.
SHROUT_FLEISS = [
    [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7],
]  # fmt: skip
# The anxiety ratings distributed with R's irr: 20 subjects × 3 raters.
ANXIETY = numbers("332 361 344 464 523 542 221 346 531 231 221 632 133 533 221 221 113 233 432 342")
# Bland and Altman (1986): peak flow by two meters.
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]

# Three raters, 3 × 10 (3 raters an item).
TEN_BY_THREE = numbers("211 221 221 221 222 222 222 222 222 222")

# Cohen (1968), disagreement weights 0 … 6 of its example.
COHEN_1968_WEIGHTS = [[1 - d / 6 for d in row] for row in ([0, 1, 3], [1, 0, 6], [3, 6, 0])]
# Fleiss, Cohen and Everitt (1969).
FCE_WEIGHTS = [[1, 0, 0.4444], [0, 1, 0.6667], [0.4444, 0.6667, 1]]

TWO_RATERS: dict[str, Rows] = {
    "Cohen 1960, p. 37": [[25, 12, 3], [13, 2, 15], [12, 16, 2]],
    "Cohen 1960, p. 45": [[88, 14, 18], [10, 40, 10], [2, 6, 12]],
    "Fleiss-Cohen-Everitt 1969": [[106, 10, 4], [22, 28, 10], [2, 12, 6]],
    "Fleiss-Levin-Paik 18.1": [[75, 1, 4], [5, 4, 1], [0, 0, 10]],
    "Feinstein-Cicchetti 1990": [[40, 9], [6, 45]],
    "Feinstein-Cicchetti, paradox 1": [[80, 10], [5, 5]],
    "Feinstein-Cicchetti, paradox 2a": [[45, 15], [25, 15]],
    "Feinstein-Cicchetti, paradox 2b": [[25, 35], [5, 35]],
    "Agresti, carcinoma": [[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]],
    "encyclopaedia": [[20, 5], [10, 15]],
    "Artstein-Poesio 1": [[20, 10], [20, 50]],
    "Artstein-Poesio 2": [[46, 0, 0], [6, 32, 6], [0, 0, 10]],
    "Gwet 2008": [[8, 1], [0, 1]],
}

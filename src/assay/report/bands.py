"""Verbal scales for kappa-like coefficients, and which band holds with 95 %.

The scales are conventions of their authors, not results: where a threshold has to be
depends on what an error costs. Each scale is data: its bands from the top, the mark below
each band, and who owns a value that falls exactly on a mark.

Marks are exact fractions. A :class:`~fractions.Fraction` is compared with them exactly; a
float is compared with the float nearest to the mark, so 0.2 is "on" the mark .20.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from assay.errors import one_of


@dataclass(frozen=True, slots=True)
class Scale:
    """One author's words for ranges of a coefficient.

    Attributes
    ----------
    key, title
        The name to ask for, and the attribution that is printed.
    bands
        (word, mark below it) from the highest band to the lowest; the lowest has no mark.
    mark_is_upper
        Whether a value exactly on a mark belongs to the band above it. A mark named in
        ``exceptions`` goes the other way.
    source, closure
        Where the scale was printed, and how its gaps and marks are settled here.
    exceptions
        Marks that are closed the other way.
    """

    key: str
    title: str
    bands: tuple[tuple[str, Fraction | None], ...]
    mark_is_upper: bool
    source: str
    closure: str
    exceptions: tuple[Fraction, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The bands' words from the top."""
        return tuple(word for word, _ in self.bands)


def _bands(*pairs: tuple[str, str | None]) -> tuple[tuple[str, Fraction | None], ...]:
    return tuple((word, None if mark is None else Fraction(mark)) for word, mark in pairs)


SCALES: dict[str, Scale] = {
    scale.key: scale
    for scale in (
        Scale(
            "landis-koch",
            "Landis and Koch (1977)",
            _bands(
                ("Almost perfect", "0.8"),
                ("Substantial", "0.6"),
                ("Moderate", "0.4"),
                ("Fair", "0.2"),
                ("Slight", "0"),
                ("Poor", None),
            ),
            False,
            "Landis, Koch 1977, Biometrics 33, 159-174",
            "printed as 0.00-0.20, 0.21-0.40, …: a value between two printed bands belongs "
            "to the higher, a value on a mark to the lower; 0 is slight",
            exceptions=(Fraction(0),),
        ),
        Scale(
            "fleiss",
            "Fleiss (1981)",
            _bands(("Excellent", "0.75"), ("Fair to good", "0.4"), ("Poor", None)),
            False,
            "Fleiss 1981, Statistical Methods for Rates and Proportions, 2nd ed., p. 218",
            "'greater than .75' and 'below .40': both marks belong to fair to good",
            exceptions=(Fraction("0.4"),),
        ),
        Scale(
            "altman",
            "Altman (1991)",
            _bands(
                ("Very good", "0.8"),
                ("Good", "0.6"),
                ("Moderate", "0.4"),
                ("Fair", "0.2"),
                ("Poor", None),
            ),
            False,
            "Altman 1991, Practical Statistics for Medical Research, p. 404",
            "printed as 0.21-0.40, 0.41-0.60, …: a value between two printed bands belongs "
            "to the higher, a value on a mark to the lower",
        ),
        Scale(
            "cicchetti-sparrow",
            "Cicchetti and Sparrow (1981)",
            _bands(("Excellent", "0.75"), ("Good", "0.6"), ("Fair", "0.4"), ("Poor", None)),
            True,
            "Cicchetti, Sparrow 1981, American Journal of Mental Deficiency 86, 127-137",
            "printed as .40-.59, .60-.74, …: a mark belongs to the higher band, a value "
            "between two printed bands to the lower",
        ),
        Scale(
            "regier",
            "Regier and others (2013)",
            _bands(
                ("Excellent", "0.8"),
                ("Very good", "0.6"),
                ("Good", "0.4"),
                ("Questionable", "0.2"),
                ("Unacceptable", None),
            ),
            True,
            "Regier et al. 2013, American Journal of Psychiatry 170, 59-70 (DSM-5 field trials)",
            "printed as 0.20-0.39, 0.40-0.59, …: a mark belongs to the higher band, a value "
            "between two printed bands to the lower",
        ),
        Scale(
            "krippendorff",
            "Krippendorff (2004)",
            _bands(("Reliable", "0.8"), ("Tentative conclusions", "0.667"), ("Unreliable", None)),
            True,
            "Krippendorff 2004, Content Analysis, 2nd ed., p. 241",
            "'rely only on' .800 and above, 'tentative conclusions' from .667 below .800: a "
            "mark belongs to the higher band",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Benchmark:
    """How probable each band is, given the standard error.

    ``probabilities`` and ``cumulative`` run from the top band down; ``band`` is the first
    one whose cumulative probability reaches ``level``.
    """

    words: tuple[str, ...]
    probabilities: tuple[float, ...]
    cumulative: tuple[float, ...]
    band: str
    level: float


def scale_of(scale: str | Scale) -> Scale:
    """The scale by its key."""
    return scale if isinstance(scale, Scale) else SCALES[one_of(scale, SCALES, "interpret")]


def band(value: Fraction | float, scale: str | Scale = "landis-koch") -> str:
    """The word of ``scale`` for ``value``.

    Examples
    --------
    >>> band(Fraction(1, 5)), band(0.2), band(0.205), band(0), band(-0.001)
    ('Slight', 'Slight', 'Fair', 'Slight', 'Poor')
    >>> band(0.8, "krippendorff"), band(0.6, "regier")
    ('Reliable', 'Very good')
    """
    found = scale_of(scale)
    exact = isinstance(value, (Fraction, int))
    for word, mark in found.bands[:-1]:
        if mark is None:
            break
        at: Fraction | float = mark if exact else float(mark)
        upper = found.mark_is_upper != (mark in found.exceptions)
        if value > at or (upper and value == at):
            return word
    return found.words[-1]


def benchmark(
    value: float,
    standard_error: float,
    scale: str | Scale = "landis-koch",
    *,
    level: float = 0.95,
) -> Benchmark:
    """The band that holds with probability ``level`` (Gwet's probabilistic benchmarking).

    The coefficient is taken as normal around ``value``, truncated to [−1, 1].

    References
    ----------
    Gwet 2014, Handbook of Inter-Rater Reliability, 4th ed., chapter 6.

    Examples
    --------
    >>> got = benchmark(0.77544, 0.14295)
    >>> got.band, [round(p, 5) for p in got.cumulative]
    ('Moderate', [0.39674, 0.88336, 0.99542, 0.99997, 1.0, 1.0])
    """
    found = scale_of(scale)
    # Limits from the top: 1, the marks, −1.
    limits = [1.0, *(float(mark) for _, mark in found.bands if mark is not None), -1.0]
    whole = _between(value, standard_error, -1.0, 1.0) if standard_error > 0.0 else 0.0
    if whole > 0.0:
        probabilities = [
            _between(value, standard_error, low, high) / whole for high, low in pairwise(limits)
        ]
    else:
        word = band(value, found)
        probabilities = [1.0 if word == one else 0.0 for one in found.words]
    cumulative = [min(1.0, math.fsum(probabilities[: i + 1])) for i in range(len(probabilities))]
    holds = next(
        (w for w, c in zip(found.words, cumulative, strict=True) if c >= level), found.words[-1]
    )
    return Benchmark(found.words, tuple(probabilities), tuple(cumulative), holds, level)


def interpretation(
    coefficient: str,
    value: Fraction | float,
    standard_error: float | None,
    scale: str | Scale,
    *,
    level: float = 0.95,
) -> dict[str, Any]:
    """One entry of a report's ``interpretation`` list."""
    found = scale_of(scale)
    got = None
    if standard_error is not None:
        got = benchmark(float(value), standard_error, found, level=level)
    return {
        "coefficient": coefficient,
        "key": found.key,
        "scale": found.title,
        "source": found.source,
        "closure": found.closure,
        "bands": list(found.words),
        "band": band(value, found),
        "level": level,
        "benchmark": None if got is None else got.band,
        "cumulative": None if got is None else list(got.cumulative),
    }


def _between(mean: float, sd: float, low: float, high: float) -> float:
    """P(low < X < high) of a normal, from whichever tail keeps the digits."""
    a, b = (low - mean) / (sd * math.sqrt(2.0)), (high - mean) / (sd * math.sqrt(2.0))
    if a > 0.0:
        return 0.5 * (math.erfc(a) - math.erfc(b))
    return 0.5 * (math.erfc(-b) - math.erfc(-a))

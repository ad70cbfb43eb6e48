"""Gamma: spans of all annotators aligned, and their disorder against that of random ones.

Computed by pygamma-agreement, an optional extra; this module hands it the spans, keeps its
random numbers and its messages to itself, and returns plain numbers.

References
----------
Mathet, Y., Widlöcher, A. and Métivier, J.-P. (2015). The unified and holistic method gamma for
inter-annotator agreement measure and alignment. Computational Linguistics 41(3), 437-479.
Mathet, Y. (2017). The agreement measure gamma-cat. Computational Linguistics 43(3), 661-681.
Titeux, H. and Riad, R. (2021). pygamma-agreement: gamma measure for inter/intra-annotator
agreement in Python. Journal of Open Source Software 6(62), 2989.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np

from assay.errors import MissingExtra, UsageError
from assay.estimate import Undefined
from assay.spans.corpus import Ints, SpanSet
from assay.spans.unitizing_continuum import Continuum

REFERENCE = "Mathet, Widlöcher and Métivier (2015), Computational Linguistics 41(3), 437-479"
MANY = 100
"""From this many spans in all, the faster way of aligning is taken unless one is asked for."""
NO_TYPE = "(no type)"


@dataclass(frozen=True, slots=True)
class Gamma:
    """Gamma and its parts.

    Attributes
    ----------
    value, undefined
        Gamma, or why there is none.
    categorial
        Gamma-cat: the types alone, on the alignment found; None where it is not defined.
    types
        Gamma-k of each type.
    observed, expected
        Disorder of the spans, and the mean disorder of the random ones.
    samples, seed
        How many random sets of spans, and the seed of their drawing.
    alpha, beta, delta_empty
        Weights of position and of type, and the cost of a span that is left alone.
    fast
        Whether alignments were sought window by window (an approximation).
    software
        What computed it, with its version.
    """

    value: float | None
    undefined: Undefined | None
    categorial: float | None
    types: dict[str, float | None]
    observed: float | None
    expected: float | None
    samples: int
    seed: int
    alpha: float
    beta: float
    delta_empty: float
    fast: bool
    software: str


def gamma(
    spans: Sequence[SpanSet],
    lengths: Ints | Sequence[int],
    *,
    names: Sequence[str] | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    delta_empty: float = 1.0,
    samples: int = 30,
    seed: int = 0,
    fast: bool | None = None,
) -> Gamma:
    """Gamma of several annotators, with gamma-cat and gamma-k.

    Parameters
    ----------
    spans
        One set of spans an annotator, of the same sentences, which are laid end to end; a span
        of several pieces counts as one a piece.
    lengths
        Shape (sentences,): positions in each sentence.
    names
        The annotators'; 1, 2, … when omitted.
    alpha, beta
        Weights of the differences of position and of type.
    delta_empty
        The cost of a span aligned with nothing.
    samples
        Random sets of spans for the expected disorder.
    seed
        Of those; the same seed gives the same value.
    fast
        Align window by window; when omitted, from 100 spans on. The time grows steeply with
        spans and annotators.

    Raises
    ------
    MissingExtra
        If pygamma-agreement is not installed.
    UsageError
        If a weight is negative or there are no samples.
    """
    for what, weight in (("alpha", alpha), ("beta", beta), ("delta_empty", delta_empty)):
        if not 0.0 <= weight < math.inf:
            raise UsageError(f"{what}: a number from 0 up is needed, not {weight!r}.")
    if samples < 1 or alpha + beta == 0:
        raise UsageError("gamma: at least one sample, and alpha or beta above 0, are needed.")
    library = _library()
    continuum = Continuum.of(spans, lengths, names)
    many = sum(int(one.start.size) for one in continuum.marked)
    quick = many >= MANY if fast is None else fast
    software = f"pygamma-agreement {version('pygamma-agreement')}"
    settings = (samples, seed, alpha, beta, delta_empty, quick, software)
    why = None
    if continuum.annotators < 2:
        why = Undefined(
            "one_annotator", f"two annotators are needed, and there are {continuum.annotators}"
        )
    elif not many:
        why = Undefined("no_spans", "nobody marked a span")
    if why is not None:
        return Gamma(None, why, None, dict.fromkeys(continuum.types), None, None, *settings)
    with _alone(seed):
        dissimilarity = library.CombinedCategoricalDissimilarity(
            alpha=float(alpha), beta=float(beta), delta_empty=float(delta_empty)
        )
        found = _handed_over(library, continuum).compute_gamma(
            dissimilarity, n_samples=samples, precision_level=None, fast=quick
        )
        types = {k: _number(found.gamma_k(k or NO_TYPE)) for k in continuum.types}
        observed, expected = _number(found.observed_disorder), _number(found.expected_disorder)
        value, categorial = _number(found.gamma), _number(found.gamma_cat)
    if value is None:
        why = Undefined("no_variance", "random spans have no disorder either")
    return Gamma(value, why, categorial, types, observed, expected, *settings)


def _library() -> Any:
    try:
        return import_module("pygamma_agreement")
    except ImportError:
        raise MissingExtra(
            "gamma needs pygamma-agreement, the optional extra 'gamma': "
            "pip install 'assay[gamma]' (or pip install pygamma-agreement)"
        ) from None


def _handed_over(library: Any, continuum: Continuum) -> Any:
    segment = import_module("pyannote.core").Segment
    out = library.Continuum()
    for name, one in zip(continuum.names, continuum.marked, strict=True):
        out.add_annotator(name)
        columns = (one.start.tolist(), one.stop.tolist(), one.type.tolist())
        for start, stop, kind in zip(*columns, strict=True):
            out.add(name, segment(start, stop), continuum.types[kind] or NO_TYPE)
    return out


def _number(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _of_solver(record: logging.LogRecord) -> bool:
    """Let every message pass but that the second solver is used, said once an alignment."""
    return "CBC solver" not in record.getMessage()


@contextmanager
def _alone(seed: int) -> Iterator[None]:
    """NumPy's global random numbers seeded, and put back; messages of the solver held back."""
    options = getattr(import_module("cvxopt.glpk"), "options", {})
    before = dict(options)
    # Threads of the library switch this on and off for each other, so it is off throughout.
    options["msg_lev"] = "GLP_MSG_OFF"
    root, quiet = logging.getLogger(), logging.NullHandler()
    # With a handler there, logging.warning() does not install one that prints.
    root.addHandler(quiet)
    root.addFilter(_of_solver)
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(state)  # noqa: NPY002
        root.removeFilter(_of_solver)
        root.removeHandler(quiet)
        options.clear()
        options.update(before)

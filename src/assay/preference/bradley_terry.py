"""Strengths of systems from comparisons: Bradley-Terry and its extensions to ties.

Bradley & Terry (1952), Biometrika 39, 324-345; ties by Davidson (1970), JASA 65, 317-328, and
Rao & Kupper (1967), JASA 62, 194-204; when a largest likelihood exists: Ford (1957).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, UsageError, one_of
from assay.estimate import Undefined
from assay.preference.connected import Components, components, recedes
from assay.preference.counts import PairCounts, matrix_of
from assay.preference.likelihood import Davidson, Problem, Threshold
from assay.preference.model import Comparisons
from assay.preference.newton import Model, Solution, solve

Floats = npt.NDArray[np.float64]

MODELS = {
    "half": "Bradley-Terry, a tie as half a win for each",
    "drop": "Bradley-Terry, ties left out",
    "davidson": "Davidson's model of ties",
    "rao-kupper": "Rao and Kupper's model of ties",
}
REFERENCES = {
    "half": "Bradley & Terry (1952); a tie as half a win is a convention, not a model",
    "drop": "Bradley & Terry (1952)",
    "davidson": "Davidson (1970)",
    "rao-kupper": "Rao & Kupper (1967)",
}


@dataclass(frozen=True, eq=False, repr=False)
class BradleyTerry:
    """What :func:`bradley_terry` returns.

    Attributes
    ----------
    systems, model
        The systems' names, and the model's: "half", "drop", "davidson" or "rao-kupper".
    strengths
        For each system: its strength, which sum to 1 in each part of more than one system; or
        None where no finite strength exists.
    log_strengths
        The same as logarithms with mean 0 in each part.
    undefined
        For each system: why it has no strength, or None.
    components
        The parts in which strengths can be compared.
    tie_parameter
        Davidson's ν or Rao and Kupper's θ; None in the other models.
    log_likelihood, gradient, steps
        The logarithm of the largest likelihood, of comparisons inside parts; how far the
        expected wins of a system are from the observed, per comparison; Newton's steps.

    Examples
    --------
    >>> import assay
    >>> fit = assay.bradley_terry([[0, 3], [1, 0]], systems=["new", "old"])
    >>> [round(x, 9) for x in fit.strengths]
    [0.75, 0.25]
    >>> assay.bradley_terry([[0, 3], [0, 0]], systems=["new", "old"]).undefined[0].code
    'never_loses'
    """

    systems: tuple[str, ...]
    model: str
    strengths: tuple[float | None, ...]
    log_strengths: tuple[float | None, ...]
    undefined: tuple[Undefined | None, ...]
    components: tuple[tuple[str, ...], ...]
    parts: Components
    tie_parameter: float | None
    log_likelihood: float | None
    gradient: float
    steps: int

    def __repr__(self) -> str:
        shown = [
            f"{name} {'–' if x is None else f'{x:.3f}'}"
            for name, x in zip(self.systems[:8], self.strengths, strict=False)
        ]
        return f"BradleyTerry({MODELS[self.model]}: {', '.join(shown)})"

    def probabilities(self, a: str, b: str) -> tuple[float, float, float]:
        """How probable a win of a, a tie and a win of b are; a tie is 0 without a model of it.

        Raises
        ------
        InputError
            If the two have no strengths on one scale.

        Examples
        --------
        >>> import assay
        >>> fit = assay.bradley_terry([[0, 6], [2, 0]], [[0, 4], [4, 0]], model="davidson")
        >>> [round(p, 6) for p in fit.probabilities("1", "2")]
        [0.5, 0.333333, 0.166667]
        """
        i, j = (self.systems.index(one_of(name, self.systems, "system")) for name in (a, b))
        x, y = self.log_strengths[i], self.log_strengths[j]
        if x is None or y is None or self.parts.of[i] != self.parts.of[j]:
            raise InputError(f"{a} and {b} have no strengths on one scale: {self.why(i, j)}.")
        d = x - y
        if self.model == "davidson":
            weights = np.exp([d / 2.0, 0.0, -d / 2.0]) * [1.0, self.tie_parameter or 0.0, 1.0]
            win, tie, loss = (weights / weights.sum()).tolist()
            return win, tie, loss
        from scipy.special import expit

        theta = self.tie_parameter if self.model == "rao-kupper" else None
        delta = 0.0 if theta is None else float(np.log(theta))
        win, loss = float(expit(d - delta)), float(expit(-d - delta))
        return win, 0.0 if theta is None else 1.0 - win - loss, loss

    def why(self, i: int, j: int) -> str:
        """Why two systems, by number, have no common scale."""
        one = self.undefined[i] or self.undefined[j]
        if one is not None:
            return str(one)
        return "they are in parts that are not linked by wins in both directions"


def bradley_terry(
    data: Any, ties: Any = None, *, systems: Sequence[str] | None = None, model: str = "half"
) -> BradleyTerry:
    """Strengths of systems by maximum likelihood, from wins and ties.

    Parameters
    ----------
    data
        A square matrix: how often the row's system won against the column's; or comparisons
        that were read.
    ties
        A matrix of ties: symmetric, or with each tie above the diagonal only.
    systems
        The names, in the order of the rows; 1, 2, … when omitted.
    model
        "half" (a tie is half a win for each), "drop" (ties are left out), "davidson" or
        "rao-kupper".

    Returns
    -------
    BradleyTerry
        Where wins do not link all systems in both directions, strengths exist inside parts
        only; a system that never wins or never loses has none.

    Raises
    ------
    InputError
        If the matrices are not square matrices of counts.

    Examples
    --------
    >>> import assay
    >>> wins = [[0, 4, 2, 0, 0], [1, 0, 3, 0, 0], [2, 1, 0, 0, 0], [0, 0, 0, 0, 5], [0, 0, 0, 2, 0]]
    >>> fit = assay.bradley_terry(wins)
    >>> fit.components
    (('1', '2', '3'), ('4', '5'))
    >>> [round(x, 4) for x in fit.log_strengths]
    [0.4718, -0.1238, -0.348, 0.4581, -0.4581]
    """
    one_of(model, MODELS, "model")
    if isinstance(data, PairCounts):
        return fit(data, model)
    if isinstance(data, Comparisons):
        if ties is not None or systems is not None:
            raise UsageError("ties, systems: of use with a matrix of wins only.")
        return fit(PairCounts.of(data), model)
    wins = matrix_of(data, "data")
    if wins.shape[0] < 2:
        raise InputError("data: two systems are needed at least.")
    tied = np.zeros_like(wins) if ties is None else matrix_of(ties, "ties")
    if tied.shape != wins.shape:
        raise InputError(f"ties: a matrix of shape {wins.shape} is needed, not {tied.shape}.")
    if np.tril(tied).any() and not np.array_equal(tied, tied.T):
        raise InputError("ties: a symmetric matrix is needed, or zeros below the diagonal.")
    names = tuple(str(n) for n in systems or range(1, len(wins) + 1))
    if len(names) != len(wins) or len(set(names)) < len(names):
        raise InputError(f"systems: {len(wins)} different names are needed.")
    upper = np.triu(tied)
    return fit(PairCounts.of_matrices(wins, upper + upper.T, names), model)


def fit(counts: PairCounts, model: str) -> BradleyTerry:
    """Fit counts; see :func:`bradley_terry`."""
    wins, ties = counts.wins > 0, counts.ties > 0
    beats = wins if model == "drop" else wins | ties
    parts = components(beats)
    made = problem_of(counts, parts, counts.table[None].astype(np.float64), model)
    reason = _no_maximum(made, counts, parts, model)
    if reason is None:
        solution = maximise(made, model)
        if not solution.converged[0]:
            reason = Undefined(
                "not_converged",
                f"the likelihood's slope stayed at {solution.gradient[0]:.2g} a comparison after "
                f"{solution.steps} steps",
            )
    size = np.bincount(parts.of)
    undefined = tuple(
        reason if size[parts.of[s]] > 1 else alone(s, counts, beats) for s in range(counts.k)
    )
    strengths: list[float | None] = [None] * counts.k
    logs: list[float | None] = [None] * counts.k
    if reason is None:
        share = normalised(solution.strengths, parts.of)[0]
        for s in range(counts.k):
            if undefined[s] is None:
                strengths[s], logs[s] = float(share[s]), float(solution.strengths[0, s])
    return BradleyTerry(
        counts.systems,
        model,
        tuple(strengths),
        tuple(logs),
        undefined,
        tuple(tuple(counts.systems[s] for s in part) for part in parts.members),
        parts,
        None if reason is not None else tie_parameter(solution.tie, model),
        None if reason is not None else float(solution.log_likelihood[0]),
        0.0 if reason is not None else float(solution.gradient[0]),
        0 if reason is not None else solution.steps,
    )


def problem_of(counts: PairCounts, parts: Components, tables: Floats, model: str) -> Problem:
    """What the solver needs, of the pairs inside parts; ``tables`` is (stack, pairs, 3)."""
    inside = parts.of[counts.a] == parts.of[counts.b]
    inside &= np.asarray(counts.table[:, [0, 2]].any(1)) if model == "drop" else True
    won, tied, lost = (np.ascontiguousarray(tables[:, inside, c]) for c in range(3))
    if model == "drop":
        tied = np.zeros_like(tied)
    return Problem(counts.a[inside], counts.b[inside], counts.k, parts.of, won, tied, lost)


def model_of(problem: Problem, model: str) -> Model:
    """A model by its name; without ties a model of ties is the plain one."""
    if model in ("half", "drop") or not problem.tied.any():
        return Threshold(problem, False)
    return Threshold(problem, True) if model == "rao-kupper" else Davidson(problem)


def maximise(
    problem: Problem, model: str, start: Floats | None = None, tie: Any = None, **options: Any
) -> Solution:
    """The largest likelihood of each data set; either all or none of them have ties."""
    made = model_of(problem, model)
    solution = solve(made, start, tie if made.free else None, **options)
    if made.free or model != "davidson":
        return solution
    return replace(solution, tie=np.full(len(solution.tie), -np.inf))


def tie_parameter(tie: Floats, model: str) -> float | None:
    """ν or θ from its logarithm; None in a model that has none."""
    return float(np.exp(tie[0])) if model in ("davidson", "rao-kupper") else None


def normalised(logs: Floats, within: npt.NDArray[Any]) -> Floats:
    """Strengths that sum to 1 in each part, from log strengths of shape (stack, systems)."""
    top = np.full((len(logs), int(within.max()) + 1), -np.inf)
    for c in range(top.shape[1]):
        top[:, c] = logs[:, within == c].max(axis=1)
    raised = np.exp(logs - top[:, within])
    sums = np.stack([np.bincount(within, row) for row in raised])
    return np.asarray(raised / sums[:, within])


def alone(s: int, counts: PairCounts, beats: npt.NDArray[Any]) -> Undefined:
    """Why a system that is a part of its own has no strength."""
    name = counts.systems[s]
    wins, ties, losses = (int(x) for x in counts.results[s])
    over, under = bool(beats[s].any()), bool(beats[:, s].any())
    if not over and not under:
        what = "it has nothing but ties" if ties else "it was compared with nothing"
        return Undefined("not_linked", f"{name} has no strength: {what}")
    if not under:
        return Undefined(
            "never_loses",
            f"{name} never loses ({wins:,} win{'s' * (wins != 1)}), so that no strength is large "
            "enough",
        )
    if not over:
        return Undefined(
            "never_wins",
            f"{name} never wins ({losses:,} loss{'es' * (losses != 1)}), so that no strength is "
            "small enough",
        )
    return Undefined(
        "between_parts",
        f"{name} wins against some systems and loses against others, but none of these lead "
        "back: a chain of wins goes one way only",
    )


def _no_maximum(
    problem: Problem, counts: PairCounts, parts: Components, model: str
) -> Undefined | None:
    """Why no likelihood is largest although systems are linked; None if one is."""
    if model not in ("davidson", "rao-kupper") or not len(problem.a):
        return None
    if not (problem.won.any() or problem.lost.any()):
        return Undefined("no_decided_comparison", "no comparison is decided: all are ties")
    if not problem.tied.any():
        return None
    inside = parts.of[:, None] == parts.of[None, :]
    if not recedes((counts.wins > 0) & inside, (counts.ties > 0) & inside):
        return None
    return Undefined(
        "ties_separate",
        "wins and ties follow one order without exception, so that the likelihood grows with ever "
        "larger differences and ever wider ties",
    )

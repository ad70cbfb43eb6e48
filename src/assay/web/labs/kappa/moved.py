"""What changed since the state that was seen last, and whether kappa noticed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from assay.web.labs.kappa.measured import Measured, measured
from assay.web.labs.kappa.state import State
from assay.web.speech import Speech

MOST_CELLS = 4
"""Of more changed cells, only the number is said."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """The last step.

    Attributes
    ----------
    before
        The figures before it.
    what
        What was done, in words.
    effect
        What it did to kappa, in words.
    sums
        (name, before, after) of n and the marginals, where they explain why kappa stayed.
    """

    before: Measured
    what: str
    effect: str
    sums: tuple[tuple[str, str, str], ...] = ()


def moved(state: State, before: State | None, now: Measured, speech: Speech) -> Moved | None:
    """The step from one table to the next, or None where the table is as it was."""
    if before is None or _table(before) == _table(state):
        return None
    was = measured(before)
    invariance, why = _invariance(before, state, now, speech)
    what = invariance or _resized(before, state, speech) or _cells(before, state, speech)
    return Moved(
        was,
        what,
        _effect(was.kappa, now.kappa, why, speech),
        _sums(before, state, speech) if invariance else (),
    )


def _table(state: State) -> tuple[object, ...]:
    return state.cells, state.labels, state.raters


def _invariance(before: State, state: State, now: Measured, speech: Speech) -> tuple[str, str]:
    """A change that cannot move kappa, and why; ("", "") for any other."""
    say = speech.say
    old, new = before.cells, state.cells
    if len(new) == len(old) + 1:
        grown = (*((*row, 0) for row in old), (0,) * len(new))
        if new == grown:
            return (
                say("Added the label “{label}”, which nobody has used.", label=state.labels[-1]),
                say("an unused label adds 0 to Po and 0 to Pe"),
            )
        return "", ""
    if len(new) != len(old):
        return "", ""
    if state.n and new == tuple(tuple(2 * n for n in row) for row in old):
        same = say("the shares are the same")
        narrower = say("the shares are the same; only the interval is narrower")
        return say("Doubled every cell."), same if now.constant() else narrower
    turned = new == tuple(zip(*old, strict=True)) and state.labels == before.labels
    if turned and state.raters == before.raters[::-1]:
        return say("The raters changed places."), say("kappa treats both raters alike")
    if sorted(state.labels) == sorted(before.labels) and state.labels != before.labels:
        order = [before.labels.index(name) for name in state.labels]
        if new == tuple(tuple(old[i][j] for j in order) for i in order):
            return (
                say("Put the labels in another order, for both raters."),
                say("the names and the order of labels do not enter"),
            )
    if state.k <= 3 and state.n and state.labels == before.labels and new != old:
        for turn in permutations(range(state.k)):
            if new == tuple(tuple(old[i][j] for j in turn) for i in turn):
                return (
                    say("Exchanged labels, for both raters at once."),
                    say("the names and the order of labels do not enter"),
                )
    return "", ""


def _resized(before: State, state: State, speech: Speech) -> str:
    cut = tuple(row[:-1] for row in before.cells[:-1])
    if (state.cells, state.labels) != (cut, before.labels[:-1]):
        return ""
    if state.n == before.n:
        return speech.say(
            "Removed the label “{label}”; 0 items went with it, so nothing changed.",
            label=before.labels[-1],
        )
    return speech.many(
        "Removed the label “{label}”; {n} item went with it.",
        "Removed the label “{label}”; {n} items went with it.",
        before.n - state.n,
        label=before.labels[-1],
    )


def _cells(before: State, state: State, speech: Speech) -> str:
    say = speech.say
    if state.cells == before.cells:
        same = state.labels == before.labels
        return say("Renamed raters.") if same else say("Renamed labels.")
    if state.labels != before.labels:
        return say("Another table.")
    changed = [
        (i, j, before.cells[i][j], n)
        for i, row in enumerate(state.cells)
        for j, n in enumerate(row)
        if n != before.cells[i][j]
    ]
    if len(changed) > MOST_CELLS:
        return speech.many("{n} cell changed.", "{n} cells changed.", len(changed))
    moves = speech.listed(
        say(
            "{row} / {column}: {old} → {new}",
            row=state.labels[i],
            column=state.labels[j],
            old=old,
            new=new,
        )
        for i, j, old, new in changed
    )
    return say("{moves}.", moves=moves)


def _effect(was: Fraction | None, now: Fraction | None, why: str, speech: Speech) -> str:
    say = speech.say
    if was is None and now is None:
        return say("Kappa is not defined, as before.")
    if was is None:
        return say("Kappa is defined now.")
    if now is None:
        return say("Kappa was {was}, and is not defined now.", was=speech.number(was, 3))
    if was == now:
        if why:
            return say("Kappa did not move by a single bit: {why}.", why=why)
        return say("Kappa is exactly as before.")
    by = speech.number(now - was, 3, sign=True)
    if by.strip("+−0.,") == "":
        return say("Kappa moved by less than 0.0005.")
    return say("Kappa moved by {by}.", by=by)


def _sums(before: State, state: State, speech: Speech) -> tuple[tuple[str, str, str], ...]:
    def told(sums: tuple[int, ...]) -> str:
        return " · ".join(map(speech.count, sums))

    return (
        ("n", speech.count(before.n), speech.count(state.n)),
        (speech.say("row sums"), told(before.rows), told(state.rows)),
        (speech.say("column sums"), told(before.columns), told(state.columns)),
    )

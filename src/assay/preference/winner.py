"""What the winner column says: left, right, tie, a system's name, or nothing.

Only distinct values pass through here. A value is looked up in the caller's own meanings, then
in one family of spellings for the whole column. Where two readings of the same column would
give different winners, neither is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.errors import InputError, ReadingError, UsageError, one_of
from assay.preference.model import LEFT, RIGHT, TIE, Ints
from assay.ratings.model import Note
from assay.ratings.words import squash

MEANINGS = {"left": LEFT, "right": RIGHT, "tie": TIE, "missing": None}
READINGS = ("sides", "names")

SIDES: tuple[tuple[str, str], ...] = (
    ("left", "right"),
    ("a", "b"),
    ("l", "r"),
    ("first", "second"),
    ("model_a", "model_b"),
    ("system_a", "system_b"),
    ("model_1", "model_2"),
    ("system_1", "system_2"),
    ("1", "2"),
    ("1", "-1"),
)
"""Spellings of left and right, lower case, _ for spaces and hyphens; one pair a column."""

TIES = frozenset(
    {
        *("tie", "ties", "tied", "draw", "equal", "both", "same", "neither", "both_bad"),
        *("tie_(bothbad)", "tie_(both_bad)", "bothbad", "both_good", "no_preference", "0"),
    }
)
"""Spellings of a tie. "0" is one only where left and right are numbers too."""


@dataclass(frozen=True, slots=True)
class Winners:
    """Each comparison's outcome, which rows have none, and how the column was read."""

    outcome: npt.NDArray[np.int8]
    known: npt.NDArray[np.bool_]
    notes: tuple[Note, ...]


def spelled(text: str) -> str:
    """A value as the tables above write it.

    >>> spelled("Model A"), spelled("−1"), spelled("1.0")
    ('model_a', '-1', '1')
    """
    flat = text.strip().replace("\N{MINUS SIGN}", "-")
    if flat in ("-1", "-1.0", "+1"):
        return flat.lstrip("+").removesuffix(".0")
    return squash(flat.removesuffix(".0") if flat in ("0.0", "1.0", "2.0") else flat)


def meanings_of(given: Mapping[str, str] | None) -> dict[str, int | None]:
    """The caller's own meanings of values.

    >>> meanings_of({"X": "left", "Y": "right", "?": "missing"})
    {'X': 1, 'Y': -1, '?': None}
    """
    out: dict[str, int | None] = {}
    for value, means in (given or {}).items():
        if not isinstance(means, str):
            raise UsageError(f"values: {value!r} means left, right, tie or missing, not {means!r}.")
        out[str(value).strip()] = MEANINGS[one_of(means, MEANINGS, "values")]
    return out


def sides_of(texts: Sequence[str], columns: Sequence[str] = ()) -> dict[str, int] | None:
    """What each text means as a side, or None if no family of spellings has them all.

    The names of the two ``columns`` of systems, left first, come before other spellings.
    """
    seen = {text: spelled(text) for text in texts}
    ties = {text for text, spelling in seen.items() if spelling in TIES}
    if "0" in seen.values() and not set(seen.values()) - TIES <= {"1", "2", "-1"}:
        return None
    rest = {text: spelling for text, spelling in seen.items() if text not in ties}
    own = [(spelled(columns[0]), spelled(columns[1]))] if columns else []
    fits = [pair for pair in (*own, *SIDES) if set(rest.values()) <= set(pair)]
    if not fits:
        return None
    left, _ = fits[0]
    return {
        text: TIE if text in ties else LEFT if spelling == left else RIGHT
        for text, spelling in seen.items()
    }


def only_zero_and_one(texts: Sequence[str]) -> bool:
    """Whether numbers leave it open which side they name: 0 and 1 without 2 or −1."""
    numbers = {spelled(text) for text in texts if spelled(text) not in TIES - {"0"}}
    return "0" in numbers and numbers <= {"0", "1"}


def read_winners(
    codes: Ints,
    texts: Sequence[str],
    left: Ints,
    right: Ints,
    systems: Sequence[str],
    *,
    columns: Sequence[str] = (),
    meanings: Mapping[str, int | None],
    reading: str | None,
    where: str,
    row: Callable[[int], str],
) -> Winners:
    """Read the winner column.

    Parameters
    ----------
    codes, texts
        The column: codes (−1 where empty) and the distinct values as texts.
    left, right, systems
        Which systems each row compares.
    columns
        The names of the two columns of systems, which may stand for the sides.
    meanings
        What the caller said about values.
    reading
        "sides" or "names" where both fit, else None.
    where
        The source and the column, for messages.
    row
        How a row is named.

    Raises
    ------
    ReadingError
        A value that means nothing, or a winner that is not in its row; the row is named.
    InputError
        Two readings that give different winners.
    """
    if reading is not None:
        one_of(reading, READINGS, "winner_as")
    counts = np.bincount(codes + 1, minlength=len(texts) + 1)[1:]
    used = [k for k, count in enumerate(counts) if count]
    free = [texts[k] for k in used if texts[k] not in meanings]

    def first(value: str) -> str:
        return row(int(np.flatnonzero(codes == texts.index(value))[0]))

    sides = None if reading == "names" else sides_of(free, columns)
    names = None if reading == "sides" else _names(free, systems, sides)
    if sides is not None and only_zero_and_one(free) and names is None:
        raise InputError(
            f"{where}: the values are 0 and 1, which may be the winner's place (0 left, 1 right) "
            "or left's result (1 won, 0 not). Say what they mean: "
            "values={'0': 'left', '1': 'right'} (--value 0=left --value 1=right), or another.",
            code="ambiguous_winner",
        )
    if sides is None and names is None:
        odd = _odd(free, systems)
        raise ReadingError(
            f"{where}, {first(odd)}: {odd!r} is neither a side (left, right, tie; A, B; 1, 2, 0; "
            "1, −1, 0) nor, like the other values, a system's name. Say what it means: "
            f"values={{{odd!r}: 'missing'}} (--value {odd}=missing), or left, right, tie.",
            code="unknown_winner",
        )
    made = [
        _outcomes(codes, texts, left, right, systems, meanings, table)
        for table in (sides, names)
        if table is not None
    ]
    if len(made) == 2:
        if not np.array_equal(made[0], made[1]):
            raise InputError(
                f"{where}: the values ({', '.join(free[:6])}) are names of systems and also of "
                "sides, and the two readings give different winners. Say which: winner_as='names' "
                "or 'sides' (--winner-as names|sides).",
                code="ambiguous_winner",
            )
        sides = None
    outcome = made[-1]
    if (outcome == _STRANGER).any():
        at = int(np.flatnonzero(outcome == _STRANGER)[0])
        raise ReadingError(
            f"{where}, {row(at)}: the winner {texts[int(codes[at])]!r} is neither of the two "
            f"systems compared there ({systems[int(left[at])]}, {systems[int(right[at])]}).",
            code="unknown_winner",
        )
    known = outcome != _NONE
    return Winners(
        np.where(known, outcome, 0).astype(np.int8),
        known,
        _notes(codes, texts, counts, sides, free, meanings),
    )


_NONE, _STRANGER, _NAMED = 9, 8, 7


def _odd(free: Sequence[str], systems: Sequence[str]) -> str:
    """The value without which the others could be read, else one that means nothing alone."""
    for text in free:
        others = [t for t in free if t != text]
        if others and (sides_of(others) is not None or _names(others, systems, None) is not None):
            return text
    return next((t for t in free if t not in systems and sides_of([t]) is None), free[0])


def _names(
    free: Sequence[str], systems: Sequence[str], sides: Mapping[str, int] | None
) -> dict[str, int] | None:
    """Values that are systems' names or ties; None if some are neither, or all are ties."""
    known = set(systems)
    out: dict[str, int] = {}
    for text in free:
        if text in known:
            out[text] = _NAMED
        elif spelled(text) in TIES and spelled(text) != "0":
            out[text] = TIE
        else:
            return None
    if _NAMED not in out.values() and sides is not None:
        return None
    return out


def _outcomes(
    codes: Ints,
    texts: Sequence[str],
    left: Ints,
    right: Ints,
    systems: Sequence[str],
    meanings: Mapping[str, int | None],
    table: Mapping[str, int],
) -> npt.NDArray[np.int8]:
    """Each row's outcome, _NONE where there is none, _STRANGER for a system of another row."""
    number = {name: k for k, name in enumerate(systems)}
    value = np.full(len(texts) + 1, _NONE, dtype=np.int8)
    system = np.full(len(texts) + 1, -1, dtype=np.int64)
    for k, text in enumerate(texts):
        if text in meanings:
            means = meanings[text]
            value[k] = _NONE if means is None else means
        elif text in table:
            value[k] = table[text]
            if table[text] == _NAMED:
                system[k] = number[text]
    outcome = value[codes]
    named = np.flatnonzero(outcome == _NAMED)
    who = system[codes[named]]
    outcome[named] = np.where(
        who == left[named], LEFT, np.where(who == right[named], RIGHT, _STRANGER)
    )
    return np.asarray(outcome, dtype=np.int8)


def _notes(
    codes: Ints,
    texts: Sequence[str],
    counts: Ints,
    sides: Mapping[str, int] | None,
    free: Sequence[str],
    meanings: Mapping[str, int | None],
) -> tuple[Note, ...]:
    """How the column was read, and what it left out."""
    words = {LEFT: "left", RIGHT: "right", TIE: "tie", None: "missing"}
    bits = [f"{text} = {words[meanings[text]]} (as said)" for text in texts if text in meanings]
    if sides is not None:
        order = sorted(free, key=lambda text: (-sides[text], text))
        plain = all(spelled(text) == words[sides[text]] for text in free)
        bits += [text if plain else f"{text} = {words[sides[text]]}" for text in order]
    else:
        bits.append("the winner's name")
        bits += [f"{text} = tie" for text in free if spelled(text) in TIES]
    notes = [Note("winner_values", f"winner column: {', '.join(bits)}")]
    empty = int(np.count_nonzero(codes < 0))
    if empty:
        notes.append(Note("winner_missing", f"left out, no winner given: {empty:,}", "warning"))
    for k, text in enumerate(texts):
        if text in meanings and meanings[text] is None and counts[k]:
            shown = f"left out, {text!r} means that there is no winner: {int(counts[k]):,}"
            notes.append(Note("winner_missing", shown))
    return tuple(notes)

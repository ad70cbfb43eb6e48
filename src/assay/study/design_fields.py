"""Fields of a design file: taken one by one, and every one that is wrong named with its line."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from assay.errors import ReadingError
from assay.study.design_lines import Path, line_at, path_text
from assay.study.store_values import has_break

KINDS = {
    bool: "true or false",
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    list: "a list in [ ]",
    dict: "a table",
}


@dataclass(slots=True)
class Fields:
    """One table of the file."""

    source: str
    lines: Mapping[Path, int]
    table: dict[str, Any]
    path: Path = ()
    taken: set[str] = field(default_factory=set)

    def name(self, key: str | int = "") -> str:
        """A field as a person writes it: ``dimensions[2].points``.

        >>> Fields("s.toml", {}, {}, ("dimensions", 1)).name("points")
        'dimensions[2].points'
        """
        return path_text((*self.path, key))

    def wrong(self, key: str | int, what: str, *, code: str = "bad_design") -> NoReturn:
        """Raise an error about a field of this table."""
        line = line_at(self.lines, (*self.path, key) if key != "" else self.path)
        where = f"{self.source}, line {line}" if line else self.source
        shown = self.name(key)
        raise ReadingError(f"{where}: {shown}: {what}" if shown else f"{where}: {what}", code=code)

    def get(self, key: str, kind: type, default: Any = None, *, needed: bool = False) -> Any:
        """The value of a field, of the kind asked for."""
        self.taken.add(key)
        if key not in self.table:
            if needed:
                close = difflib.get_close_matches(
                    key, [k for k in self.table if k not in self.taken], 1
                )
                near = f" (did you mean {close[0]!r} to be it?)" if close else ""
                self.wrong(key, f"is needed, {KINDS[kind]}, and is not there{near}.")
            return default
        value = self.table[key]
        fits = isinstance(value, kind) and not (kind is not bool and isinstance(value, bool))
        if kind is float and type(value) in (int, float):
            return self.finite(key, value)
        if not fits:
            self.wrong(key, f"{KINDS[kind]} is needed, not {shown(value)}.")
        return value

    def finite(self, key: str | int, value: float) -> float:
        """A number, refused where it is nan, or larger than a computer's numbers are."""
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self.wrong(key, f"a finite number is needed, not {number}.")
        return number

    def text(
        self, key: str, default: str = "", *, needed: bool = False, most: int = 200,
        lines: bool = False,
    ) -> str:  # fmt: skip
        """A text without outer white space, of bounded length, on one line if not ``lines``."""
        value: str = self.get(key, str, default, needed=needed)
        if needed and not value.strip():
            self.wrong(key, "is empty; a text is needed.")
        return self.bounded(key, value, most, lines=lines)

    def bounded(self, key: str | int, value: str, most: int, *, lines: bool = False) -> str:
        """A text without outer white space; refused where it is too long or breaks its line."""
        value = value.strip()
        if len(value) > most:
            self.wrong(key, f"has {len(value):,} characters; at most {most:,} are taken.")
        if not lines and has_break(value):
            self.wrong(key, f"{shown(value)} has a line break; it stands on one line.")
        return value

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number within bounds."""
        value: int = self.get(key, int, default)
        if not least <= value <= most:
            self.wrong(key, f"a whole number from {least:,} to {most:,} is needed, not {value:,}.")
        return value

    def number(self, key: str, default: float | None = None) -> float | None:
        """A finite number."""
        value: float | None = self.get(key, float, default)
        return value

    def one_of(self, key: str, allowed: Iterable[str], default: str = "", **more: Any) -> str:
        """A word that is among those allowed."""
        value = self.text(key, default, **more)
        self.known(key, value, allowed)
        return value

    def known(self, key: str | int, value: str, allowed: Iterable[str]) -> None:
        """Refuse a word that is not among those allowed."""
        names = list(allowed)
        if value not in names:
            listed = ", ".join(name or '""' for name in names[:30])
            more = ", …" if len(names) > 30 else ""
            self.wrong(key, f"{value!r} is not known{near(value, names)} One of: {listed}{more}.")

    def listed(self, key: str, kind: type, most: int) -> list[Any]:
        """A list of values of one kind."""
        values: list[Any] = self.get(key, list, [])
        if len(values) > most:
            self.wrong(key, f"has {len(values):,} entries; at most {most:,} are taken.")
        inner = self.inside(key)
        for place, value in enumerate(values):
            if not isinstance(value, kind) or isinstance(value, bool):
                inner.wrong(place, f"{KINDS[kind]} is needed, not {shown(value)}.")
        return values

    def inside(self, key: str | int) -> Fields:
        """The table under a key; an empty one where the value is none."""
        self.taken.add(str(key))
        value = self.table.get(str(key))
        inner = value if isinstance(value, dict) else {}
        return Fields(self.source, self.lines, inner, (*self.path, key))

    def each(self, key: str, most: int) -> list[Fields]:
        """The tables of an array of tables."""
        values = self.listed(key, dict, most)
        return [
            Fields(self.source, self.lines, value, (*self.path, key, place))
            for place, value in enumerate(values)
        ]

    def done(self) -> None:
        """Refuse fields that nobody asked for."""
        for key in self.table:
            if key not in self.taken:
                names = sorted(self.taken)
                self.wrong(
                    key, f"there is no such field{near(key, names)} Known: {', '.join(names)}."
                )


def near(word: str, names: Iterable[str]) -> str:
    """What ends a sentence about an unknown word.

    >>> near("likrt", ["likert", "ab"]), near("x", ["likert"])
    ("; did you mean 'likert'?", '.')
    """
    close = difflib.get_close_matches(word, [name for name in names if name], n=1)
    return f"; did you mean {close[0]!r}?" if close else "."


def shown(value: object) -> str:
    """A value as it stands in a message: short.

    >>> shown("x" * 99)[:8], shown(True), shown([1, 2])
    ("'xxxxxxx", 'true', 'a list')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:56]}…'"

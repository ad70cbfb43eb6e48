"""On which line of a TOML file each key stands, for messages.

The text has been read by :mod:`tomllib` before, so it is well formed, if only up to its end; what
is found here is only where its keys are.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping

Path = tuple[str | int, ...]
"""A key and those above it; numbers are places in arrays, from 0."""

BARE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"


def lines_of(text: str) -> dict[Path, int]:
    r"""The line of each key, table and element of an array of tables, counted from 1.

    >>> found = lines_of('a = 1\n[b]\nc.d = [\n {x = 1},\n {x = 2}]\n[[e]]\nf = 1\n[[e]]')
    >>> found["a",], found["b", "c", "d"], found["b", "c", "d", 1, "x"], found["e", 1]
    (1, 3, 5, 8)
    """
    return _Scan(text).found


def line_at(lines: Mapping[Path, int], path: Path) -> int | None:
    """The line of a key, or of the nearest one above it that is written out."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None


def again_in(text: str) -> tuple[str, int, int] | None:
    r"""The key with which a text ends, if it is there before: its name, and both lines.

    >>> again_in("a = 1\n[b]\nc = 2\na = 1\nc = [\n]")
    ('b.c', 5, 3)
    >>> again_in("[a]\n[b]\n[a"), again_in("a.b = 1\na.c = 2")
    (('a', 3, 1), None)
    """
    scan = _Scan(text + "\n")
    if scan.again is None:
        return None
    path, line = scan.again
    return path_text(path), line, scan.found[path]


def path_text(path: Path) -> str:
    """A key with those above it, as a person writes it.

    >>> path_text(("dimensions", 1, "points"))
    'dimensions[2].points'
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        elif part:
            text += f".{part}" if text else part
    return text


class _Scan:
    """One pass over the text, knowing strings, comments and brackets."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Path, int] = {}
        self.counts: Counter[Path] = Counter()
        self.again: tuple[Path, int] | None = None
        """The last key or table, where it was there before."""
        table: Path = ()
        while self._skip(" \t\r\n"):
            self.again = None
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    def _skip(self, blank: str) -> bool:
        """Go to the next sign that is neither blank nor in a comment; whether there is one."""
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif sign in blank:
                self.at += 1
            else:
                return True
        return False

    def _key(self) -> tuple[str, ...]:
        parts = []
        while True:
            self._skip(" \t")
            start = self.at
            if self.text[start] in "\"'":
                self._string()
                quoted = self.text[start : self.at]
                parts.append(str(tomllib.loads(f"k = {quoted}")["k"]))
            else:
                while self.text[self.at] in BARE:
                    self.at += 1
                parts.append(self.text[start : self.at])
            self._skip(" \t")
            if self.text[self.at] != ".":
                return tuple(parts)
            self.at += 1

    def _note(self, path: Path, line: int, *, last: bool = False) -> None:
        if last and path in self.found:
            self.again = path, line
        self.found.setdefault(path, line)

    def _header(self) -> Path:
        line = self._line()
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        path: Path = ()
        key = self._key()
        for part in key[:-1]:
            path = (*path, part)
            self._note(path, line)
            if self.counts[path]:
                path = (*path, self.counts[path] - 1)
        path = (*path, key[-1])
        self._note(path, line, last=not self.counts[path])
        if many:
            self.counts[path] += 1
            path = (*path, self.counts[path] - 1)
            self._note(path, line)
        self.at += 2 if many else 1
        return path

    def _pair(self, above: Path) -> None:
        line = self._line()
        path = above
        key = self._key()
        for place, part in enumerate(key, 1):
            path = (*path, part)
            self._note(path, line, last=place == len(key))
        self.at += 1  # the sign "="
        self._skip(" \t")
        self._value(path)

    def _value(self, path: Path) -> None:
        sign = self.text[self.at]
        if sign in "\"'":
            self._string()
        elif sign == "[":
            self.at += 1
            place = 0
            while self._skip(" \t\r\n,") and self.text[self.at] != "]":
                self._note((*path, place), self._line())
                self._value((*path, place))
                place += 1
            self.at += 1
        elif sign == "{":
            self.at += 1
            while self._skip(" \t\r\n,") and self.text[self.at] != "}":
                self._pair(path)
            self.at += 1
        else:
            while self.at < len(self.text) and self.text[self.at] not in ",]}#\n":
                self.at += 1

    def _string(self) -> None:
        sign = self.text[self.at]
        mark = sign * 3 if self.text.startswith(sign * 3, self.at) else sign
        self.at += len(mark)
        while not self.text.startswith(mark, self.at):
            self.at += 2 if sign == '"' and self.text[self.at] == "\\" else 1
        self.at += len(mark)
        if len(mark) == 3:
            # Up to two quotes may stand right before the three that end the string.
            while self.at < len(self.text) and self.text[self.at] == sign:
                self.at += 1

"""What an address says: its parameters, read with bounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar
from urllib.parse import parse_qsl, unquote

from assay.report.addresses import MAX_ADDRESS, MAX_NAME, address, listed
from assay.web.speech import Message, lazy

__all__ = [
    "MAX_ADDRESS",
    "MAX_FIELDS",
    "MAX_NAME",
    "BadState",
    "Query",
    "address",
    "listed",
    "shortened",
    "whole",
]

MAX_FIELDS = 1_000

Choice = TypeVar("Choice", bound=str)


class BadState(Exception):
    """An address that describes no state; ``message`` says what, where and what to do."""

    def __init__(self, message: Message, *, field: str = "") -> None:
        super().__init__(message.text)
        self.message = message
        self.field = field
        """The id of the form's field that it is about, if one."""


class Query:
    """The parameters of an address, in their order; names may come more than once."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self.pairs = list(pairs)

    @classmethod
    def of(cls, text: str) -> Query:
        """From the part of an address behind the question mark.

        >>> Query.of("t=3,47;53,897&labels=a%20b,c").one("t")
        '3,47;53,897'
        """
        if len(text) > MAX_ADDRESS:
            raise BadState(
                lazy(
                    "This address is {n} bytes long; {most} are read. For larger data use a file.",
                    n=len(text),
                    most=MAX_ADDRESS,
                )
            )
        try:
            # A surrogate could not be sent back.
            pairs = parse_qsl(
                text, keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict"
            )
        except UnicodeDecodeError:
            raise BadState(lazy("This address holds bytes that are no text (UTF-8).")) from None
        except ValueError:
            raise BadState(
                lazy("This address has more than {most} parameters.", most=MAX_FIELDS)
            ) from None
        return cls(pairs)

    def __contains__(self, name: str) -> bool:
        return any(key == name for key, _ in self.pairs)

    def all(self, name: str) -> list[str]:
        """Every value of a parameter."""
        return [value for key, value in self.pairs if key == name]

    def one(self, name: str, default: str = "") -> str:
        """The last value of a parameter."""
        found = self.all(name)
        return found[-1] if found else default

    def choice(self, name: str, allowed: Sequence[Choice], default: Choice) -> Choice:
        """A word among some; nothing is the default."""
        found = self.one(name)
        if not found:
            return default
        for one in allowed:
            if found == one:
                return one
        raise BadState(
            lazy(
                "{name}={found} is not known; one of: {allowed}.",
                name=name,
                found=shortened(found),
                allowed=", ".join(filter(None, allowed)),
            )
        )

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number between two bounds; nothing is the default."""
        found = self.one(name)
        return whole(found, name, low, high) if found else default

    def names(self, name: str) -> list[str] | None:
        """A list with commas, or None where it is not given; see :func:`listed`."""
        found = self.one(name)
        return [unquote(part) for part in found.split(",")] if found else None


DIGITS = re.compile(r"[0-9]{1,12}")


def whole(text: str, what: str, low: int, high: int) -> int:
    """A whole number between two bounds, written in digits.

    >>> whole(" 12 ", "n", 0, 99)
    12
    """
    said = text.strip()
    if DIGITS.fullmatch(said) and low <= int(said) <= high:
        return int(said)
    raise BadState(
        lazy(
            "{what}: a whole number from {low} to {high} is needed, not “{found}”.",
            what=what,
            low=low,
            high=high,
            found=shortened(text),
        )
    )


def shortened(text: str, most: int = 40) -> str:
    """What was found, cut where it is long."""
    return text if len(text) <= most else f"{text[: most - 1]}…"

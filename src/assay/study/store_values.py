"""Small things as text: values, designs, times, secret tokens."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any
from unicodedata import category

from assay.errors import UsageError

MAX_VALUE = 20_000
"""Characters of one answer's value, as JSON, and of its comment."""
MAX_NAME = 200
MAX_ID = 2**31 - 1
"""The largest number of a task or rater that both databases can look for."""
MAX_CLIENT = 100
TOKEN_BYTES = 32


def now() -> str:
    """The time in UTC, to the microsecond."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def new_token() -> str:
    """A secret of 32 random bytes, as 43 characters that an address may hold."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """What is kept of a token.

    >>> digest("abc")[:12]
    'ba7816bf8f01'
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def to_json(value: Any) -> str:
    """One text for one value, whatever the order of its keys.

    >>> to_json({"b": 1, "a": ["ü", None]})
    '{"a":["ü",null],"b":1}'
    """
    return json.dumps(
        plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def plain(value: Any) -> Any:
    """Dataclasses, mappings and tuples as JSON has them."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value


def value_text(value: Any, systems: tuple[str, ...]) -> str:
    """The text of an answer's value, checked: what cannot be stored is refused, not changed."""
    if isinstance(value, Mapping):
        strange = sorted(set(map(str, value)) - set(systems))
        if strange or not value:
            raise UsageError(
                f"value: ratings of several outputs are keyed by the systems of the task; "
                f"{'none is rated' if not value else f'{strange[0]!r} is none of them'}."
            )
    try:
        text = to_json(value)
    except (TypeError, ValueError):
        raise UsageError(
            "value: a number, a text, a list or a mapping of these is needed, and no NaN."
        ) from None
    return checked(text, "value", MAX_VALUE)


def has_break(text: str) -> bool:
    r"""Whether a text that stands on one line would break it, or has other control characters.

    >>> has_break("Mai\nJonas"), has_break("Nguyễn\u3000Mai")
    (True, False)
    """
    return any(category(sign) in ("Cc", "Zl", "Zp") for sign in text)


def checked(text: str, what: str, longest: int, *, empty: bool = True) -> str:
    """A text that every database can keep, of a length we allow."""
    if not text and not empty:
        raise UsageError(f"{what}: a text is needed.")
    if len(text) > longest:
        raise UsageError(f"{what}: {len(text):,} characters; at most {longest:,} are kept.")
    if "\0" in text or (not text.isascii() and _surrogates(text)):
        raise UsageError(f"{what}: holds characters that are not text.")
    return text


def within(number: int) -> int:
    """A number that a database can look for; what is too large becomes one that is never used."""
    return number if 0 < number <= MAX_ID else 0


def _surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False

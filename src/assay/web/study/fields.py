"""A form that was sent, within bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

MAX_FORM = 200_000
"""Bytes of a form: an answer with a long comment has a few thousand."""
MAX_FIELDS = 2_000


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a form, each with its values in order."""

    values: dict[str, list[str]] = field(default_factory=dict)

    def one(self, name: str) -> str:
        """The first value of a field; "" without one."""
        return self.values.get(name, [""])[0]

    def all(self, name: str) -> list[str]:
        """The values of a field."""
        return self.values.get(name, [])

    def number(self, name: str) -> int:
        """A whole number; -1 where there is none."""
        return whole(self.one(name))


def whole(text: str) -> int:
    """A whole number that somebody sent; -1 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


async def fields_of(request: Request) -> Fields:
    """Read a form.

    Raises
    ------
    HTTPException
        413 for what is too large, 400 for what is no form.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(400)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_FORM:
            raise HTTPException(413)
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FIELDS,
            errors="strict",
        )  # fmt: skip
    except ValueError:
        raise HTTPException(400) from None
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value.replace("\r\n", "\n").replace("\0", ""))
    return Fields(found)

"""What stands before every page: who may ask, how much, and what the answer allows.

A page in some other window must not be able to read or change anything here. So the Host has to
be one this server was started for (a name that a stranger points at this machine is not), and
a request that changes something has to come from a page of this server.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.web.uploads import MAX_UPLOAD

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Of every answer."""


MAX_BODY = MAX_UPLOAD + 1_000_000
"""Bytes of a request's body: what may be uploaded, and what a form puts around it."""


class Guard:
    """Refuse strange hosts and origins and what is too large; add the headers of every answer.

    Parameters
    ----------
    app
        What answers.
    hosts
        The names that this server goes by, without ports.
    any_address
        Whether any IP address is taken too: a server that listens on all of a machine's
        addresses cannot know them, and no stranger's name is one.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], *, any_address: bool = False) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], headers)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if refusal is not None:
            await PlainTextResponse(f"{refusal}\n", 403)(scope, receive, answer)
            return
        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > MAX_BODY:
                raise HTTPException(413)
            return message

        await self.app(scope, bounded, answer)

    def _refusal(self, method: str, headers: Any) -> str | None:
        host = headers.get("host", "").lower()
        if not self.knows(host_name(host)):
            return (
                f"This server does not go by the name {host!r}; it was started for "
                f"{', '.join(sorted(self.hosts))}. Start it with --allow-host to add a name."
            )
        if method in ("GET", "HEAD", "OPTIONS"):
            return None
        site = headers.get("sec-fetch-site")
        if site is not None and site not in ("same-origin", "none"):
            return "This was sent from another site's page, and nothing was done."
        origin = headers.get("origin")
        if origin is not None and origin.lower().partition("://")[2] != host:
            return f"This was sent from a page of {origin!r}, and nothing was done."
        return None

    def knows(self, name: str) -> bool:
        """Whether this server goes by a name."""
        if name in self.hosts:
            return True
        if not self.any_address:
            return False
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


def host_name(host: str) -> str:
    """A Host header without its port.

    >>> host_name("[::1]:8000"), host_name("localhost:80"), host_name("localhost")
    ('[::1]', 'localhost', 'localhost')
    """
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]

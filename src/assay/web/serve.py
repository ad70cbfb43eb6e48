"""Run the pages on this machine."""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import uvicorn

from assay.errors import UsageError
from assay.web.app import make_app
from assay.web.guard import LOOPBACK
from assay.web.opened import Opened
from assay.web.reports import Report

if TYPE_CHECKING:
    from assay.web.study.site import Site

MAX_REQUEST_LINE = 8 * 2**20
"""Bytes of a request before its body. Longer addresses than can be read still get a page."""

WILDCARDS = ("0.0.0.0", "::", "")


def serve(
    host: str,
    port: int,
    *,
    allowed: Collection[str] = (),
    ready: Callable[[str], Any] = lambda _: None,
    kept: Opened[Report] | None = None,
    study: Callable[[], Site] | None = None,
) -> None:
    """Run until interrupted.

    Parameters
    ----------
    host, port
        Where to listen; port 0 takes a free one.
    allowed
        Further names that the server goes by.
    ready
        Called with the address once requests are answered.
    kept
        Reports that it shows from the start.
    study
        Opens the study that is served in place of the labs. Called once the place is listened
        on, so that no link is made that could not be said.

    Raises
    ------
    UsageError
        If the place cannot be listened on.
    """
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    wild = host in WILDCARDS
    shown = "127.0.0.1" if wild else host
    if ":" in shown:
        shown = f"[{shown}]"
    names = {*LOOPBACK, shown, *(name.lower() for name in allowed)}
    try:
        site = None if study is None else study()
    except BaseException:
        listening.close()
        raise
    config = uvicorn.Config(
        make_app(names, any_address=wild, kept=kept, study=site),
        http="h11",
        h11_max_incomplete_event_size=MAX_REQUEST_LINE,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config, lambda: ready(f"http://{shown}:{port}"))
    with listening:
        server.run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio answers without delay (TCP_NODELAY) only where a socket says that it is TCP: with the
    # protocol left at 0, each page waits some 40 ms for the browser's acknowledgement.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)
    except (OSError, OverflowError) as error:
        made.close()
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"--host {host} --port {port}: {why}; choose another address or port (--port 0 takes "
            "a free one)."
        ) from None
    return made


class _Server(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], Any]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

"""Run the pages from a command, and open one of them in the browser."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import click

HOST, PORT = "127.0.0.1", 8000


def run(
    host: str,
    port: int,
    allowed: tuple[str, ...],
    ready: Callable[[str], None],
    kept: Any = None,
    study: Callable[[], Any] | None = None,
) -> None:
    """Serve until Ctrl-C; ``kept`` are reports that the pages have from the start.

    ``study`` opens the study that is served in place of the labs.
    """
    from assay.web.serve import serve

    try:
        serve(host, port, allowed=allowed, ready=ready, kept=kept, study=study)
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)


def opening(path: str, *, browser: bool) -> Callable[[str], None]:
    """What to do once requests are answered: say the page's address, and open it."""

    def ready(at: str) -> None:
        click.echo(f"assay: {at}{path} (Ctrl-C stops it)")
        if browser:
            # Some browsers are only done when their window is closed.
            threading.Thread(target=_open, args=(at + path,), daemon=True).start()

    return ready


def _open(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        click.echo("No browser was found; open the address in one.", err=True)


def show_report(summary: Any, *, port: int, browser: bool) -> None:
    """Serve the page of a summary on agreement."""
    from assay.web.opened import Opened
    from assay.web.reports import PATH, Report, agreement_page

    kept = Opened[Report]()
    path = f"{PATH}/{kept.add(agreement_page(summary))}"
    run(HOST, port, (), opening(path, browser=browser), kept)

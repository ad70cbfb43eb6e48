"""The web application: its addresses, and how each is answered."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from assay.web import reports
from assay.web.answers import answer, language
from assay.web.guard import LOOPBACK, Guard
from assay.web.lab import LABS, Lab
from assay.web.open import listing, take
from assay.web.opened import Opened
from assay.web.query import BadState, Query
from assay.web.reports import Report
from assay.web.speech import Message, lazy
from assay.web.uploads import MAX_FILES, MAX_UPLOAD

MAX_KEPT = 4000
"""Characters of a pasted text that are given back with what is wrong with it."""
if TYPE_CHECKING:
    from assay.web.study.site import Site

STATIC = Path(__file__).parent / "static"


def make_app(
    hosts: Collection[str] = LOOPBACK,
    *,
    any_address: bool = False,
    kept: Opened[Report] | None = None,
    study: Site | None = None,
) -> ASGIApp:
    """The application for the hosts it goes by; ``kept`` are reports that it has already.

    With a study, its pages are all there is.
    """
    files = Mount("/static", StaticFiles(directory=STATIC))
    if study is not None:
        from assay.web.study.routes import routes

        return _guarded([*routes(), files], hosts, any_address, None, study)
    pages = [
        Route("/", home),
        Route("/lab/{name}", lab_page),
        Route("/open/{name}", take, methods=["POST"]),
        Route("/open/{id}", listing),
        Route("/report", reports.upload),
        Route("/report", reports.take, methods=["POST"]),
        Route("/report/{id}", reports.shown),
        Route("/report.css", reports.style),
    ]
    return _guarded([*pages, files], hosts, any_address, kept)


def _guarded(
    routes: list[BaseRoute],
    hosts: Collection[str],
    any_address: bool,
    kept: Opened[Report] | None = None,
    study: Site | None = None,
) -> ASGIApp:
    made = Starlette(routes=routes, exception_handlers={HTTPException: refused, Exception: broken})
    made.state.study = study
    made.state.opened = Opened[Any]()
    made.state.reports = Opened[Report]() if kept is None else kept
    # Around everything, so that what answers a mistake of ours is guarded too.
    return Guard(made, hosts, any_address=any_address)


async def home(request: Request) -> Response:
    """The way in: every lab with its question."""
    said, asked = language(request)
    return answer(request, "home.html", said, asked, current=request.url.path)


async def lab_page(request: Request) -> Response:
    """A lab in the state that the address says."""
    lab = LABS.get(request.path_params["name"])
    if lab is None:
        raise HTTPException(404)
    said, asked = language(request)
    before = earlier(request, lab)
    query = Query()
    try:
        query = Query.of(request.url.query)
        state = lab.state(query)
    except BadState as error:
        return misread(request, lab, query, before, error)
    current = lab.address(state, **asked)
    edited = lab.edits(query)
    if edited and "HX-Request" not in request.headers:
        return RedirectResponse(current, 303)
    view = lab.view(state, before, said)
    made = answer(
        request,
        f"{lab.name}.html",
        said,
        asked,
        lab=lab,
        state=state,
        view=view,
        current=current,
        heading=lab.heading(state),
    )
    if edited:
        # A further key in the same field belongs to the same step back.
        further = request.headers.get("X-Further-Key") == "true"
        made.headers["HX-Replace-Url" if further else "HX-Push-Url"] = current
    return made


def misread(
    request: Request, lab: Lab, query: Query, before: Any | None, error: BadState
) -> Response:
    """What cannot be read: beside the form if it came from one, else a page of its own."""
    said, asked = language(request)
    if lab.edits(query):
        before = lab.state(Query()) if before is None else before
        return answer(
            request,
            f"{lab.name}.html",
            said,
            asked,
            status=422,
            lab=lab,
            state=before,
            view=lab.view(before, None, said),
            current=lab.address(before, **asked),
            problem=error,
            pasted=query.one("paste")[:MAX_KEPT],
            heading=lab.heading(before),
        )
    return answer(
        request, "error.html", said, asked, status=400, reason=error.message, lab=lab,
        current=lab.path,
    )  # fmt: skip


def earlier(request: Request, lab: Lab) -> Any | None:
    """The state that was on screen before: what a figure's ghost is of."""
    came_from = request.headers.get("HX-Current-URL") or request.headers.get("referer", "")
    try:
        parts = urlsplit(came_from)
    except ValueError:
        return None
    if parts.netloc != request.headers.get("host") or parts.path != lab.path:
        return None
    try:
        return lab.state(Query.of(parts.query))
    except BadState:
        return None


REASONS: dict[int, Message] = {
    404: lazy("There is no page at this address."),
    405: lazy("This address does not take what was sent to it."),
    400: lazy(
        "What was sent cannot be taken apart; a form with up to {files} files is needed.",
        files=MAX_FILES,
    ),
    413: lazy(
        "What was sent is too large; files with up to {most} MB in all are read here. For larger "
        "ones use assay agree and assay spans.",
        most=MAX_UPLOAD // 1_000_000,
    ),
}


UNREAD = lazy("What was sent cannot be read, or is too large; nothing was saved.")
"""Of a study, which takes forms and no files."""


async def refused(request: Request, error: Exception) -> Response:
    """An address that does not exist, or that does not take this."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if request.app.state.study is not None and status in (400, 413):
        return _told(request, UNREAD, status)
    reason = REASONS.get(status, lazy("This cannot be answered ({status}).", status=status))
    return _told(request, reason, status)


async def broken(request: Request, _: Exception) -> Response:
    """Our own mistake: said as such on the page; the server's log tells it in full."""
    reason = lazy(
        "This page could not be made, by a mistake of the program. The terminal that it was "
        "started in says more."
    )
    return _told(request, reason, 500)


def _told(request: Request, reason: Message, status: int) -> Response:
    """The page of an error, in the frame of what is served."""
    said, asked = language(request)
    study = request.app.state.study
    if study is None:
        return answer(request, "error.html", said, asked, status=status, reason=reason, current="/")
    return answer(
        request, "study_problem.html", said, asked, status=status, reason=reason, current="/",
        design=study.design,
    )  # fmt: skip

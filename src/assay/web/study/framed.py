"""What rater's and manager's pages have in common: who may ask, and how an answer is framed."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from assay.errors import AssayError
from assay.study.store_errors import StoreBusy, StoreError, StoreFull, UnknownLink
from assay.study.store_values import digest
from assay.web.answers import answer
from assay.web.query import address
from assay.web.speech import COOKIE, LANGUAGES, Message, Speech, lazy, speech
from assay.web.study.fields import Fields, fields_of
from assay.web.study.seal import form_token, is_ours
from assay.web.study.site import Site

log = logging.getLogger("assay.study")

UNKNOWN = lazy(
    "This link is not known. It may have been replaced by a newer one, or a part of it is "
    "missing: open it again from the message that it came in."
)
SLOWER = lazy(
    "Too many requests came from this link in a short time; nothing was saved. Wait a moment and "
    "send it again."
)
FOREIGN = lazy(
    "This form was not made for this link, so nothing was saved. Open your link again and repeat "
    "what you did."
)
BUSY = lazy(
    "The database is busy, so this was not saved. What you chose is still here: send it again."
)
FULL = lazy(
    "There is no room left to save this; it was not saved. What you chose is still here: tell "
    "whoever sent you the link, then send it again."
)
AWAY = lazy(
    "The database cannot be reached, so nothing was saved. What was confirmed before is kept. Try "
    "again in a moment."
)


def why(error: AssayError) -> Message:
    """What went wrong in the store, in words for whoever is at the page."""
    log.warning("%s: %s", error.code, error)
    if isinstance(error, StoreBusy):
        return BUSY
    return FULL if isinstance(error, StoreFull) else AWAY


@dataclass(frozen=True, slots=True)
class Call:
    """One request behind a secret link."""

    request: Request
    site: Site
    token: str
    speech: Speech
    asked: dict[str, str]
    form: Fields

    def page(self, template: str, *, status: int = 200, **values: Any) -> Response:
        """A page of the study."""
        values = {
            "site": self.site,
            "design": self.site.design,
            "current": self.request.url.path,
            "token": self.token,
            "csrf": form_token(self.token),
            "here": address,
        } | values
        made = answer(self.request, template, self.speech, self.asked, status=status, **values)
        return private(made)

    def problem(self, reason: Message, status: int, **values: Any) -> Response:
        """A page that says why not."""
        return self.page("study_problem.html", status=status, reason=reason, **values)


def private(made: Response) -> Response:
    """Keep a page out of caches and search engines: its address is a secret."""
    made.headers["Cache-Control"] = "private, no-store"
    made.headers["X-Robots-Tag"] = "noindex, nofollow"
    return made


def language(request: Request, site: Site) -> tuple[Speech, dict[str, str]]:
    """The language that was asked for, now or before, else that of the design."""
    asked = request.query_params.get("lang", "")
    wishes = (asked, request.cookies.get(COOKIE, ""))
    code = next((one for one in wishes if one in LANGUAGES), site.design.language)
    return speech(code), {"lang": code} if asked in LANGUAGES else {}


def handler(work: Callable[[Call], Response]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint from a function that may wait for the database."""

    async def endpoint(request: Request) -> Response:
        site: Site = request.app.state.study
        said, asked = language(request, site)
        posted = request.method == "POST"
        form = await fields_of(request) if posted else Fields()
        call = Call(request, site, request.path_params["token"], said, asked, form)
        return await run_in_threadpool(_guarded, work, call)

    return endpoint


def _guarded(work: Callable[[Call], Response], call: Call) -> Response:
    """Run it within its limits, and say what the store could not do."""
    seconds = call.site.links.wait(digest(call.token))
    if seconds:
        return _wait(call, seconds)
    if call.request.method == "POST" and not is_ours(call.token, call.form.one("csrf")):
        return call.problem(FOREIGN, 403)
    try:
        return work(call)
    except UnknownLink:
        client = call.request.client
        seconds = call.site.strangers.wait(client.host if client else "")
        return _wait(call, seconds) if seconds else call.problem(UNKNOWN, 404)
    except StoreError as error:
        return call.problem(why(error), 503)


def _wait(call: Call, seconds: int) -> Response:
    made = call.problem(SLOWER, 429)
    made.headers["Retry-After"] = str(seconds)
    return made

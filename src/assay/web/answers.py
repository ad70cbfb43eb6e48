"""A page as an answer: its language, its links, its headers."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from assay.web.pages import page
from assay.web.query import address
from assay.web.speech import COOKIE, LANGUAGES, Speech, chosen, speech

YEAR = 365 * 24 * 3600


def language(request: Request) -> tuple[Speech, dict[str, str]]:
    """How to speak, and what links have to carry so that they speak the same."""
    asked = request.query_params.get("lang")
    # What a page asks for stays in its language, whatever another tab has chosen since.
    page_in = request.headers.get("X-Page-Language", "").partition("-")[0]
    code = chosen(
        asked or page_in, request.cookies.get(COOKIE), request.headers.get("accept-language", "")
    )
    return speech(code), {"lang": code} if asked in LANGUAGES else {}


def answer(
    request: Request,
    template: str,
    said: Speech,
    asked: dict[str, str],
    *,
    status: int = 200,
    **values: Any,
) -> Response:
    """A page as a response; a language that was asked for is remembered."""
    lab, current = values.get("lab"), str(values["current"])

    def link(state: Any) -> str:
        return lab.address(state, **asked) if lab else current

    def in_language(code: str) -> str:
        path, _, query = current.partition("?")
        kept = dict(parse_qsl(query, keep_blank_values=True)) | {"lang": code}
        return address(path, kept)

    values = {
        "lab": lab,
        "problem": None,
        "pasted": "",
        "asked": asked,
        "link": link,
        "in_language": in_language,
    } | values
    made = HTMLResponse(page(template, said, **values), status)
    made.headers["Cache-Control"] = "private, no-cache"
    made.headers["Content-Language"] = said.language.tag
    made.headers["Vary"] = "Accept-Language, Cookie, HX-Request"
    if asked and request.cookies.get(COOKIE) != asked["lang"]:
        made.set_cookie(COOKIE, asked["lang"], max_age=YEAR, samesite="lax", httponly=True)
    return made

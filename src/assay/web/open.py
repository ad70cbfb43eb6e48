"""Files that a browser sends, and the page that lists what the labs can open of them."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assay.errors import AssayError
from assay.web.answers import answer, language
from assay.web.lab import LABS
from assay.web.opened import Opened
from assay.web.query import BadState, address
from assay.web.sources import FoundPairs, FoundSentences, pairs_of, sentences_of
from assay.web.speech import lazy
from assay.web.uploads import MAX_FILES, File

GONE = lazy(
    "This list is not kept any more: only the last few are, and only while the program runs. "
    "Choose the file again."
)


async def take(request: Request) -> Response:
    """Read what was sent, keep what was found, and go to its page."""
    name = request.path_params["name"]
    if name not in ("kappa", "bio"):
        raise HTTPException(404)
    lab = LABS[name]
    said, asked = language(request)
    async with request.form(max_files=MAX_FILES, max_fields=20) as form:
        if form.get("lang") in ("en", "vi", "zh"):
            asked = {"lang": str(form["lang"])}
        sides = [await _files(form, field) for field in ("file", "gold", "pred")]
    try:
        found = await run_in_threadpool(_read, name, sides)
    except BadState as error:
        return answer(
            request, "error.html", said, asked, status=400, reason=error.message, lab=lab,
            current=lab.path,
        )  # fmt: skip
    except AssayError as error:
        return answer(
            request, "unread.html", said, asked, status=400, error=error, lab=lab,
            current=lab.path,
        )  # fmt: skip
    kept: Opened[Any] = request.app.state.opened
    return RedirectResponse(address(f"/open/{kept.add((name, found))}", asked), 303)


async def _files(form: Any, field: str) -> list[File]:
    """The files of a field, without those that were left empty."""
    files = [one for one in form.getlist(field) if isinstance(one, UploadFile)]
    return [(one.filename or "", await one.read()) for one in files if one.filename]


def _read(name: str, sides: list[list[File]]) -> FoundPairs | FoundSentences:
    ratings, gold, pred = sides
    return pairs_of(ratings) if name == "kappa" else sentences_of(gold, pred)


async def listing(request: Request) -> Response:
    """What was found in files, each a link into its lab."""
    kept = request.app.state.opened.get(request.path_params["id"])
    said, asked = language(request)
    if kept is None:
        return answer(request, "error.html", said, asked, status=404, reason=GONE, current="/")
    name, found = kept
    template = "pairs.html" if name == "kappa" else "sentences.html"
    return answer(
        request, template, said, asked, lab=LABS[name], found=found, current=request.url.path
    )

"""Reports on files that a browser sends, as the same pages that are written to files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assay.errors import AssayError
from assay.report import html
from assay.report.agreement import agree
from assay.report.render import View
from assay.report.spans import html as spans_html
from assay.report.spans.report import score_spans
from assay.report.spans.style import STYLE
from assay.web.answers import answer, language
from assay.web.opened import Opened
from assay.web.query import BadState, address
from assay.web.speech import lazy
from assay.web.uploads import MAX_FILES, File, Saved, saved

PATH = "/report"
LAYOUTS = ("long", "wide", "counts", "table")
SCALES = ("nominal", "ordinal", "interval", "ratio", "circular")
RESAMPLES = 1000

GONE = lazy(
    "This report is not kept any more: only the last few are, and only while the program runs. "
    "Choose the file again."
)


@dataclass(frozen=True, slots=True)
class Report:
    """A report as it is shown: its title, and the page without a frame."""

    title: str
    body: str


def agreement_page(summary: Mapping[str, Any], name: str = "") -> Report:
    """The page of a summary on agreement; its links lead to this server's labs."""
    title = name or html.source_name(summary)
    return Report(title, html.body(summary, View(served=True)))


def spans_page(summary: Mapping[str, Any], name: str) -> Report:
    """The page of a summary on spans; its links lead to this server's labs."""
    return Report(name, spans_html.body(summary, View(served=True)))


async def upload(request: Request) -> Response:
    """The form."""
    said, asked = language(request)
    return answer(request, "report_upload.html", said, asked, current=PATH, **CHOICES)


CHOICES: dict[str, Any] = {
    "layouts": LAYOUTS, "scales": SCALES, "unread": None, "refused": None, "lab": None,
}  # fmt: skip


async def take(request: Request) -> Response:
    """Read what was sent, compute, keep the page, and go to it."""
    said, asked = language(request)
    async with request.form(max_files=MAX_FILES, max_fields=20) as form:
        if form.get("lang") in ("en", "vi", "zh"):
            asked = {"lang": str(form["lang"])}
        sides = [await _files(form, field) for field in ("file", "gold", "pred")]
        chosen = {
            key: str(form[key]).strip() for key in ("layout", "scale", "order") if form.get(key)
        }
    problem: dict[str, Any]
    try:
        found = await run_in_threadpool(_computed, sides, chosen)
    except BadState as error:
        problem = {"refused": error.message}
    except AssayError as error:
        problem = {"unread": error}
    else:
        kept: Opened[Report] = request.app.state.reports
        return RedirectResponse(address(f"{PATH}/{kept.add(found)}", asked), 303)
    return answer(
        request,
        "report_upload.html",
        said,
        asked,
        status=400,
        current=PATH,
        **(CHOICES | problem),
    )


async def _files(form: Any, field: str) -> list[File]:
    """The files of a field, without those that were left empty."""
    files = [one for one in form.getlist(field) if isinstance(one, UploadFile)]
    return [(one.filename or "", await one.read()) for one in files if one.filename]


def _computed(sides: Sequence[list[File]], chosen: Mapping[str, str]) -> Report:
    ratings, gold, pred = sides
    if gold or pred:
        return _of_spans(gold, pred)
    options: dict[str, Any] = {key: chosen[key] for key in ("layout", "scale") if key in chosen}
    if "order" in chosen:
        options["order"] = [text.strip() for text in chosen["order"].split(",")]
    with saved(ratings) as disk:
        summary = agree(disk.paths[0], **options).to_dict()
        # Nobody has heard of the folder that the file was put into.
        told = _told(summary, disk)
    name = ", ".join(file for file, _ in ratings)
    return agreement_page(told, name)


def _of_spans(gold: list[File], pred: list[File]) -> Report:
    with saved(gold, *([pred] if pred else [])) as disk:
        summary = score_spans(*disk.paths, bootstrap=RESAMPLES).to_dict()
        told = _told(summary, disk)
    return spans_page(told, " · ".join(file for file, _ in (*gold, *pred)))


def _told(value: Any, disk: Saved) -> Any:
    """A summary without the folder."""
    if isinstance(value, str):
        return disk.told(value)
    if isinstance(value, dict):
        return {key: _told(inner, disk) for key, inner in value.items()}
    return [_told(inner, disk) for inner in value] if isinstance(value, list) else value


async def shown(request: Request) -> Response:
    """A report that is kept."""
    kept: Opened[Report] = request.app.state.reports
    found = kept.get(request.path_params["id"])
    said, asked = language(request)
    if found is None:
        return answer(request, "error.html", said, asked, status=404, reason=GONE, current="/")
    # Whatever came from the data was escaped when the page was made.
    page = Markup(found.body)
    return answer(
        request, "report.html", said, asked, current=request.url.path, report=found, page=page,
        lab=None,
    )  # fmt: skip


async def style(_: Request) -> Response:
    """The style sheet that a page in a file has inside."""
    made = Response(STYLE, media_type="text/css")
    made.headers["Cache-Control"] = "private, max-age=3600"
    return made

"""The addresses of a study."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.web.answers import answer
from assay.web.speech import lazy
from assay.web.study import manage, rate
from assay.web.study.framed import handler, language
from assay.web.study.site import Site

ROUTES = (
    ("/rate/{token}", rate.page, "GET"),
    ("/rate/{token}", rate.save, "POST"),
    ("/rate/{token}/consent", rate.consent, "POST"),
    ("/rate/{token}/keep", rate.keep, "POST"),
    ("/rate/{token}/undo", rate.undo, "POST"),
    ("/manage/{token}", manage.page, "GET"),
    ("/manage/{token}/export.{kind}", manage.export, "GET"),
    ("/manage/{token}/{do}", manage.ask, "GET"),
    ("/manage/{token}/{do}", manage.act, "POST"),
)

HOME = lazy("Raters of this study have a link each: open the one that was sent to you.")


def routes() -> list[Route]:
    """Every address but that of files."""
    found = [Route(path, handler(work), methods=[method]) for path, work, method in ROUTES]
    return [Route("/", home), *found]


async def home(request: Request) -> Response:
    """Whoever comes without a link is told that they need one."""
    site: Site = request.app.state.study
    said, asked = language(request, site)
    return answer(
        request, "study_problem.html", said, asked, current="/", design=site.design, reason=HOME
    )

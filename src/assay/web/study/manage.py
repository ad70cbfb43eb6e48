"""The manager's page: what was collected, and what can be done about it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.responses import RedirectResponse, Response

from assay.errors import AssayError, UsageError
from assay.study.store_errors import Refused
from assay.study.store_export import TABLES
from assay.study.store_values import digest
from assay.web.query import address
from assay.web.speech import Message, lazy
from assay.web.study.decide import NO_UNIT, REASONS, choices, decide, decided
from assay.web.study.figures import agreement, checks
from assay.web.study.framed import Call, log, private
from assay.web.study.joining import give_work

BY = "manager"

REFUSED: dict[str, Message] = {
    "rater_exists": lazy("There is a rater of this name already; choose another name."),
    "plan_outdated": lazy("Answers came in while the plan was made; try it again."),
    "free_seat": lazy("Nobody has this seat yet."),
    "no_answers": NO_UNIT,
}
NOT_DONE = lazy("This was not done: a rater’s name of 1 to 200 characters is needed.")
NO_WORK = lazy(
    "The rater was added, but has no tasks yet: none could be taken from the others. Tasks of a "
    "rater who leaves will go there."
)
NO_RATER = lazy("There is no such rater.")


def page(call: Call, *, status: int = 200, **more: Any) -> Response:
    """Everything at a look."""
    store, design = call.site.store, call.site.design
    store.check_manager(call.token)
    rows = store.ratings()
    failed, answered = checks(design, rows)
    values: dict[str, Any] = {
        "closed": store.closed,
        "kinds": KINDS,
        "raters": store.progress(),
        "agreement": agreement(design, rows, digest(call.token)),
        "failed": failed,
        "checked": answered,
        "wrong": {rater: sum(one.rater == rater for one in failed) for rater in answered},
        "decided": decided(design, store.adjudications()),
        "choices": choices,
        "reasons": REASONS,
        "sent": None,
        "audit": store.audit()[::-1],
        "problem": None,
        "invited": None,
        "done": None,
        "acts": ACTS,
        "current": f"/manage/{call.token}",
    }
    return call.page("study_manage.html", status=status, **values | more)


ACTS: dict[str, Message] = {
    "create": lazy("study made"),
    "add_rater": lazy("rater added"),
    "new_token": lazy("new link for a rater"),
    "new_manager_token": lazy("new link for the manager"),
    "close": lazy("closed"),
    "reopen": lazy("opened again"),
    "hand_out_again": lazy("open tasks given to others"),
    "move": lazy("tasks moved"),
    "replan": lazy("open tasks planned anew"),
    "adjudicate": lazy("decision on an item"),
}
"""The acts of the audit log in words."""


def act(call: Call) -> Response:
    """One of the buttons."""
    call.site.store.check_manager(call.token)
    work = WORK.get(call.request.path_params["do"])
    if work is None:
        return call.problem(lazy("There is no page at this address."), 404)
    try:
        found = work(call)
    except Refused as error:
        return page(call, status=409, problem=REFUSED.get(error.code, NOT_DONE))
    except UsageError:
        return page(call, status=422, problem=NOT_DONE if call.form.one("name") else NO_RATER)
    if isinstance(found, dict):
        # A secret is shown once and is in no address: this is no redirection.
        return page(call, **found)
    return RedirectResponse(address(f"/manage/{call.token}", call.asked), 303)


def _close(call: Call) -> None:
    call.site.store.close(by=BY)


def _reopen(call: Call) -> None:
    call.site.store.reopen(by=BY)


def _add(call: Call) -> dict[str, Any]:
    invited = call.site.store.add_rater(call.form.one("name"), by=BY)
    made = _invitation(call, invited)
    try:
        give_work(call.site, invited.seat, by=BY)
    except AssayError as error:
        # The rater is there now: the link has to be shown whatever became of the tasks.
        log.warning("%s: %s", error.code, error)
        made["problem"] = NO_WORK
    return made


def _link(call: Call) -> dict[str, Any]:
    return _invitation(call, call.site.store.new_token(call.form.number("rater"), by=BY))


def _invitation(call: Call, invited: Any) -> dict[str, Any]:
    base = call.request.base_url
    return {"invited": (invited.name, f"{base}rate/{invited.token}")}


def _leave(call: Call) -> dict[str, Any]:
    return {"done": call.site.store.hand_out_again(call.form.number("rater"), by=BY)}


def _decide(call: Call) -> dict[str, Any] | None:
    return decide(call, BY)


WORK: dict[str, Callable[[Call], dict[str, Any] | None]] = {
    "close": _close,
    "reopen": _reopen,
    "add": _add,
    "link": _link,
    "leave": _leave,
    "decide": _decide,
}


KINDS = {
    "csv": "text/csv",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}
"""The files that can be taken along, with their media types."""


def export(call: Call) -> Response:
    """The long table, or the decisions, as a file."""
    store, query = call.site.store, call.request.query_params
    store.check_manager(call.token)
    which, kind = query.get("table", "all"), call.request.path_params["kind"]
    if which not in TABLES or kind not in KINDS:
        return call.problem(lazy("There is no page at this address."), 404)
    history, with_checks = bool(query.get("history")), bool(query.get("checks"))
    name = f"{call.site.design.name}-{which}.{kind}"
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        path = Path(folder) / name
        store.export(path, table=which, checks=with_checks, history=history)
        content = path.read_bytes()
    made = Response(content, media_type=KINDS[kind])
    made.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return private(made)

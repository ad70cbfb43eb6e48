"""The manager's page: what was collected, and what can be done about it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.responses import RedirectResponse, Response

from assay.errors import AssayError, UsageError
from assay.study.joining import give_work
from assay.study.store_errors import Refused
from assay.study.store_export import TABLES
from assay.study.store_records import Invitation
from assay.study.store_values import digest
from assay.web.query import address
from assay.web.speech import Message, lazy
from assay.web.study.acts import acts, seat_name
from assay.web.study.cases import Case, hardest, of_item
from assay.web.study.decide import NO_UNIT, REASONS, choices, decide, decided
from assay.web.study.fields import whole
from assay.web.study.figures import agreement, checks, right_answers
from assay.web.study.framed import Call, log, private

BY = "manager"

REFUSED: dict[str, Message] = {
    "rater_exists": lazy("There is a rater of this name already; choose another name."),
    "plan_outdated": lazy("Answers came in while the plan was made; try it again."),
    "free_seat": lazy("Nobody has this seat yet."),
    "rater_not_left": lazy("This rater has not left."),
    "no_answers": NO_UNIT,
    "not_decided": lazy("The test of this rater is not over yet."),
    "rater_left": lazy("This rater has left."),
}
NOT_DONE = lazy("This was not done: a rater’s name of 1 to 200 characters is needed.")
NO_WORK = lazy(
    "The rater was added, but has no tasks yet: none could be taken from the others. Tasks of a "
    "rater who leaves will go there."
)
STILL_NONE = lazy(
    "The rater is back, but has no tasks yet: none could be taken from the others. Tasks of a "
    "rater who leaves will go there."
)
IN_WITHOUT = lazy(
    "The rater is let in, but has no tasks yet: none could be taken from the others. Tasks of a "
    "rater who leaves will go there."
)
NOT_IN = lazy(
    "The rater is back, but did not pass the test: there are no tasks until you let them in."
)
NO_PAGE = lazy("There is no page at this address.")
NO_RATER = lazy("There is no such rater.")
AGAIN = lazy(
    "Nothing was done: this page was sent a second time, or something else was done to this rater "
    "since. Look below and answer once more if you want it done again."
)


def page(call: Call, *, status: int = 200, **more: Any) -> Response:
    """Everything at a look."""
    store, design = call.site.store, call.site.design
    store.check_manager(call.token)
    rows, raters = store.ratings(), store.progress()
    failed, answered = checks(design, rows)
    far = agreement(design, rows, digest(call.token))
    found = hardest(call.site, rows, far)
    values: dict[str, Any] = {
        "closed": store.closed,
        "kinds": KINDS,
        "tests": {one.rater: one for one in store.standings()} if design.qualification else {},
        "raters": raters,
        "seat_name": seat_name,
        "agreement": far,
        "hardest": found,
        "failed": failed,
        "checked": answered,
        "wrong": {rater: sum(one.rater == rater for one in failed) for rater in answered},
        "right": right_answers(design, rows),
        "decided": decided(design, store.adjudications()),
        "choices": choices,
        "reasons": REASONS,
        "sent": None,
        "acts": acts(store.audit(), raters, store.adjudications(history=True), design, call.speech),
        "problem": None,
        "invited": None,
        "done": None,
        "asking": None,
        "current": f"/manage/{call.token}",
    }
    values |= _looked_at(call, found, rows, more.get("sent")) | more
    return call.page("study_manage.html", status=status, **values)


def _looked_at(call: Call, found: list[list[Case]], rows: Any, sent: Any) -> dict[str, Any]:
    """The item that was asked for, or that a refused decision was on if it is not shown anyway."""
    asked = call.request.query_params.get("item", "").strip()
    if not asked and sent and not any(case.key == sent.key for row in found for case in row):
        asked = sent.key[1]
    if not asked:
        return {"looked": (), "asked_item": ""}
    cases = of_item(call.site, rows, asked)
    problem = {} if cases else {"problem": lazy("Nobody has judged an item “{item}”.", item=asked)}
    return {"looked": cases, "asked_item": asked} | problem


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked before something that cannot be taken back is done to a rater.

    ``seen`` is the newest line of the log on this rater: where it is another by the time of the
    answer, the act is not done again, as when a page is loaded a second time.
    """

    do: str
    rater: int
    name: str
    seen: int


def _question(call: Call, do: str, number: int) -> Question:
    """The question before an act on a rater.

    Raises
    ------
    UsageError
        If there is no such rater.
    """
    store = call.site.store
    rater = next((one for one in store.progress() if one.id == number), None)
    if rater is None:
        raise UsageError(f"rater: there is no rater {number}.")
    lines = [line.id for line in store.audit() if line.detail.get("rater") == number]
    return Question(do, number, seat_name(rater, call.speech), max(lines, default=0))


def ask(call: Call) -> Response:
    """Ask before a rater gets a new link, leaves their open tasks to others, or is let back in."""
    call.site.store.check_manager(call.token)
    do, number = call.request.path_params["do"], call.request.query_params.get("rater", "")
    if do not in ASKED:
        return call.problem(NO_PAGE, 404)
    try:
        return page(call, asking=_question(call, do, whole(number)))
    except UsageError:
        return page(call, status=422, problem=NO_RATER)


def act(call: Call) -> Response:
    """One of the buttons."""
    call.site.store.check_manager(call.token)
    work = WORK.get(call.request.path_params["do"])
    if work is None:
        return call.problem(NO_PAGE, 404)
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
    return _working(call, call.site.store.add_rater(call.form.one("name"), by=BY), NO_WORK)


def _back(call: Call, rater: int) -> dict[str, Any]:
    return _working(call, call.site.store.let_back_in(rater, by=BY), STILL_NONE, back=True)


def _working(
    call: Call, invited: Invitation, without: Message, *, back: bool = False
) -> dict[str, Any]:
    """The link of somebody who comes, who gets a share of the open tasks if there is any."""
    made = _invitation(call, invited)
    if not _share(call, invited.seat, back=back):
        refused = (o for o in call.site.store.standings() if o.state == "refused")
        made["problem"] = NOT_IN if any(o.rater == invited.id for o in refused) else without
    return made


def _share(call: Call, seat: int, *, back: bool = False) -> int:
    """Give a rater a share of the open tasks; how many they have now."""
    try:
        return give_work(call.site.store, call.site.design, seat, by=BY, back=back)
    except AssayError as error:
        # The rater is there now: that has to be said whatever became of the tasks.
        log.warning("%s: %s", error.code, error)
        return 0


def _once(
    do: str, work: Callable[[Call, int], dict[str, Any] | None]
) -> Callable[[Call], dict[str, Any] | None]:
    """An act on a rater that was asked about, and is done once however often it is sent."""

    def done(call: Call) -> dict[str, Any] | None:
        number = call.form.number("rater")
        asking = _question(call, do, number)
        if call.form.number("seen") != asking.seen:
            return {"status": 409, "problem": AGAIN, "asking": asking}
        return work(call, number)

    return done


def _link(call: Call, rater: int) -> dict[str, Any]:
    return _invitation(call, call.site.store.new_token(rater, by=BY))


def _invitation(call: Call, invited: Invitation) -> dict[str, Any]:
    base = call.request.base_url
    return {"invited": (invited.name, f"{base}rate/{invited.token}")}


def _leave(call: Call, rater: int) -> dict[str, Any]:
    return {"done": call.site.store.hand_out_again(rater, by=BY)}


def _let_in(call: Call, rater: int) -> dict[str, Any] | None:
    store = call.site.store
    store.let_in(rater, by=BY)
    (now,) = (one for one in store.progress() if one.id == rater)
    # What they had may have been shared out meanwhile.
    if now.done < now.tasks or _share(call, now.seat, back=True):
        return None
    return {"problem": IN_WITHOUT}


def _decide(call: Call) -> dict[str, Any] | None:
    return decide(call, BY)


ASKED: dict[str, Callable[[Call, int], dict[str, Any] | None]] = {
    "link": _link,
    "leave": _leave,
    "back": _back,
    "let_in": _let_in,
}
"""What is asked about before it is done."""

WORK: dict[str, Callable[[Call], dict[str, Any] | None]] = {
    "close": _close,
    "reopen": _reopen,
    "add": _add,
    "decide": _decide,
    **{do: _once(do, work) for do, work in ASKED.items()},
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
        return call.problem(NO_PAGE, 404)
    history, with_checks = bool(query.get("history")), bool(query.get("checks"))
    name = f"{call.site.design.name}-{which}.{kind}"
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        path = Path(folder) / name
        store.export(path, table=which, checks=with_checks, history=history, by=BY)
        content = path.read_bytes()
    made = Response(content, media_type=KINDS[kind])
    made.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return private(made)

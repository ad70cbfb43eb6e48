"""The rater's page: one task at a time, behind a secret link."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from starlette.responses import RedirectResponse, Response

from assay.errors import UsageError
from assay.study.store_errors import Refused, Stale, StoreError, UnknownLink
from assay.study.store_records import OPEN, Answer, OpenTask, Rater
from assay.web.query import address
from assay.web.speech import Message, lazy
from assay.web.study.answers import COMMENT_LONG, MAX_COMMENT, Said, read, same
from assay.web.study.framed import Call, why
from assay.web.study.rate_view import shown
from assay.web.study.seal import seconds, stamp

REFUSED: dict[str, Message] = {
    "study_closed": lazy("The study is closed: answers are no longer taken. Thank you."),
    "rater_left": lazy("This link is no longer used for new answers. Thank you for those given."),
    "task_withdrawn": lazy("This text was given to somebody else meanwhile; nothing was saved."),
    "not_your_task": lazy("This is not among your texts; nothing was saved."),
    "nothing_to_undo": lazy("There is nothing to take back."),
}
CHECK = lazy("This was not saved yet: look at the marked questions.")
STALE = lazy(
    "Another window has saved another answer meanwhile, which is said below. Nothing was "
    "overwritten, and what you chose here is still chosen: save again to replace the other one."
)
LONG = lazy("This was not saved: what was written is too long.")


def link(call: Call, *rest: str, **query: str) -> str:
    """An address behind this link, in the language asked for."""
    return address("/".join(("/rate", call.token, *rest)), query | call.asked)


def page(call: Call) -> Response:
    """Consent and guidelines, then the first open task, or one asked for; at the end, thanks."""
    rater = call.site.store.rater(call.token)
    if rater.consented_at is None:
        return call.page("study_welcome.html", rater=rater)
    asked = call.request.query_params.get("task", "")
    if asked:
        return _earlier(call, rater, asked)
    if rater.left_at is not None:
        return call.problem(REFUSED["rater_left"], 200, rater=rater)
    if call.site.store.closed:
        return call.problem(REFUSED["study_closed"], 200, rater=rater)
    task = call.site.store.open_task(call.token)
    last = call.site.store.last_task(call.token)
    if task is None:
        return call.page("study_done.html", rater=rater, last=last and last.id)
    return _shown(call, rater, task, last=last)


def _earlier(call: Call, rater: Rater, asked: str) -> Response:
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 16 else -1
    try:
        task = call.site.store.task(call.token, number)
    except Refused as error:
        return call.problem(REFUSED.get(error.code, REFUSED["not_your_task"]), 404, rater=rater)
    return _shown(call, rater, task)


def _shown(
    call: Call,
    rater: Rater,
    task: OpenTask,
    *,
    last: OpenTask | None = None,
    key: str = "",
    stamped: str = "",
    status: int = 200,
    **more: Any,
) -> Response:
    site = call.site
    view = shown(site.design, site.items[task.item], task, call.speech, **more)
    # Where the language is changed, the same task stays on the page.
    current = call.request.url.path
    if "task" in call.request.query_params:
        current = address(f"/rate/{call.token}", {"task": str(task.id)})
    return call.page(
        "study_rate.html",
        status=status,
        rater=rater,
        view=view,
        last=last and last.id,
        key=key or secrets.token_urlsafe(16),
        stamp=stamped or stamp(call.token, task.id, site.now()),
        current=current if call.request.method == "GET" else f"/rate/{call.token}",
    )


def consent(call: Call) -> Response:
    """Record that a rater takes part."""
    call.site.store.consent(call.token)
    return RedirectResponse(link(call), 303)


def save(call: Call) -> Response:
    """Save the answers to one task; whatever goes wrong, what was chosen stays on the page."""
    store, form = call.site.store, call.form
    rater = store.rater(call.token)
    if rater.consented_at is None:
        return RedirectResponse(link(call), 303)
    try:
        task = store.task(call.token, form.number("task"))
    except Refused as error:
        return call.problem(REFUSED[error.code], 409, rater=rater)
    dimensions = [call.site.design.dimension(key) for key in task.dimensions]
    said = {one.key: read(one, task.systems, place, form) for place, one in enumerate(dimensions)}
    comment = form.one("comment").strip() if call.site.design.comments else ""
    kept: dict[str, Any] = {"said": said, "comment": comment, "stamped": form.one("shown")}
    problem = CHECK if any(one.problem for one in said.values()) else None
    if len(comment) > MAX_COMMENT:
        problem = COMMENT_LONG
    key = form.one("key")[:60]
    if problem or not key:
        return _shown(call, rater, task, key=key, status=422, problem=problem or CHECK, **kept)
    answers = _answers(call, task, said, comment, key)
    try:
        if answers:
            store.answers(call.token, task.id, answers)
    except Stale:
        # With a new key: what is sent next is another act.
        task = store.task(call.token, task.id)
        return _shown(call, rater, task, status=409, problem=STALE, **kept)
    except Refused as error:
        return call.problem(REFUSED.get(error.code, CHECK), 409, rater=rater)
    except UsageError:
        return _shown(call, rater, task, key=key, status=422, problem=LONG, **kept)
    except UnknownLink:
        raise
    except StoreError as error:
        return _shown(call, rater, task, key=key, status=503, problem=why(error), **kept)
    return RedirectResponse(link(call), 303)


def _answers(
    call: Call, task: OpenTask, said: Mapping[str, Said], comment: str, key: str
) -> list[Answer]:
    """What has to be saved: what the store does not hold already."""
    spent = seconds(call.token, task.id, call.form.one("shown"), call.site.now())
    out = []
    for place, (name, one) in enumerate(said.items()):
        # A comment belongs to the task; it stands with its first question.
        words = comment if place == 0 else ""
        if not same(one, words, task.answers[name]):
            expected = max(call.form.number(f"r{place}"), 0)
            out.append(Answer(name, one.value, expected, key, spent, words, one.skip))
    return out


def undo(call: Call) -> Response:
    """Take the answers to one task back, each as a revision of its own."""
    store, form = call.site.store, call.form
    rater = store.rater(call.token)
    try:
        task = store.task(call.token, form.number("task"))
        key = form.one("key")[:60]
        if not key:
            return call.problem(REFUSED["nothing_to_undo"], 409, rater=rater)
        for place, (name, one) in enumerate(task.answers.items()):
            if one.kind != OPEN:
                expected = max(form.number(f"r{place}"), 0)
                store.undo(call.token, task.id, name, expected=expected, client=f"undo {key}")
    except Stale:
        task = store.task(call.token, form.number("task"))
        return _shown(call, rater, task, status=409, problem=STALE)
    except Refused as error:
        return call.problem(REFUSED.get(error.code, CHECK), 409, rater=rater)
    return RedirectResponse(link(call, task=str(task.id)), 303)

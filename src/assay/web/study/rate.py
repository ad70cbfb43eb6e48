"""The rater's page: one task at a time, behind a secret link."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from assay.errors import UsageError
from assay.study.store_errors import Refused, Stale, StoreError, UnknownLink
from assay.study.store_records import OPEN, Answer, OpenTask
from assay.study.store_visit import Visit
from assay.web.query import address
from assay.web.speech import Message, lazy
from assay.web.study.answers import COMMENT_LONG, MAX_COMMENT, Said, read, same
from assay.web.study.fields import whole
from assay.web.study.framed import Call, private, why
from assay.web.study.rate_view import shown
from assay.web.study.seal import seconds, stamp

CLOSED = lazy("The study is closed: answers are no longer taken. Thank you.")
LEFT = lazy("This link is no longer used for new answers. Thank you for those given.")
REFUSED: dict[str, Message] = {
    "study_closed": lazy(
        "The study was closed before this was sent, so this answer was not saved. Thank you for "
        "those that were."
    ),
    "rater_left": LEFT,
    "task_withdrawn": lazy("This text was given to somebody else meanwhile; nothing was saved."),
    "not_your_task": lazy("This is not among your texts; nothing was saved."),
    "nothing_to_undo": lazy("There is nothing to take back."),
    "not_qualified": lazy("The test comes first, and this comes after it; nothing was saved."),
    "qualification_over": lazy("The test is over, so its answers are no longer changed."),
}
FINAL = ("study_closed", "rater_left")
"""Where there is nothing to go on with."""
CHECK = lazy("This was not saved yet: look at the marked questions.")
STALE = lazy(
    "Another window has saved another answer meanwhile, which is said below. Nothing was "
    "overwritten, and what you chose here is still chosen: save again to replace the other one."
)
LONG = lazy("This was not saved: what was written is too long.")
LONGEST_KEY = 60


def link(call: Call, *rest: str, **query: str) -> str:
    """An address behind this link, in the language asked for."""
    return address("/".join(("/rate", call.token, *rest)), query | call.asked)


def page(call: Call) -> Response:
    """Consent and guidelines, then the first open task, or one asked for; at the end, thanks.

    Before the first task of a batch that is not begun the page says how many batches are done;
    its button asks for that task.
    """
    asked = call.request.query_params.get("task", "")
    try:
        visit = call.site.store.visit(call.token, whole(asked) if asked else None)
    except Refused as error:
        return _refused(call, error, 404)
    rater = visit.rater
    if rater.consented_at is None:
        return call.page("study_welcome.html", rater=rater, test=visit.test)
    if visit.refused:
        return _not_passed(call, visit)
    if rater.left_at is not None or visit.closed:
        return call.problem(CLOSED if visit.closed else LEFT, 200, rater=rater, onward=False)
    if visit.task is None:
        return call.page("study_done.html", rater=rater, last=visit.last, test=visit.test)
    if visit.task.qualification and not visit.testing:
        return _refused(call, Refused("decided.", code="qualification_over"))
    far = visit.batches
    if far is not None and far.fresh and far.done:
        values: dict[str, Any] = {
            "rater": rater,
            "batches": far,
            "task": visit.task.id,
            "last": visit.last,
        }
        return call.page("study_break.html", **values)
    return _shown(call, visit, visit.task)


def _refused(call: Call, error: Refused, status: int = 409) -> Response:
    """What the store refused for good: a page that says why, and leads on where it can."""
    visit = call.site.store.visit(call.token)
    if visit.refused:
        return _not_passed(call, visit, status)
    reason = REFUSED.get(error.code, CHECK)
    return call.problem(reason, status, rater=_far(visit), onward=error.code not in FINAL)


def _not_passed(call: Call, visit: Visit, status: int = 200) -> Response:
    """What somebody reads who did not pass the test: how many were right, and not which."""
    return call.page("study_refused.html", status=status, rater=visit.rater, test=visit.test)


def _far(visit: Visit) -> Any:
    """What the line at the top counts: the tasks of the test until it is passed, then the rest."""
    return visit.test if visit.testing else visit.rater


def _shown(
    call: Call,
    visit: Visit,
    task: OpenTask,
    *,
    key: str = "",
    stamped: str = "",
    status: int = 200,
    **more: Any,
) -> Response:
    site = call.site
    return call.page(
        "study_rate.html",
        status=status,
        rater=visit.rater,
        far=_far(visit),
        test=visit.test,
        testing=visit.testing,
        view=shown(site.design, site.items[task.item], task, call.speech, **more),
        last=visit.last,
        key=key or secrets.token_urlsafe(16),
        stamp=stamped or stamp(call.token, task.id, site.now()),
        # Where the language is changed, the same task stays on the page.
        current=address(f"/rate/{call.token}", {"task": str(task.id)}),
    )


def consent(call: Call) -> Response:
    """Record that a rater takes part."""
    call.site.store.consent(call.token)
    return RedirectResponse(link(call), 303)


def save(call: Call) -> Response:
    """Save the answers to one task; whatever goes wrong, what was chosen stays on the page."""
    store, form = call.site.store, call.form
    try:
        visit, task = _asked(call)
    except Refused as error:
        return _refused(call, error)
    if visit.rater.consented_at is None:
        return RedirectResponse(link(call), 303)
    said, comment = _said(call, task)
    kept: dict[str, Any] = {"said": said, "comment": comment, "stamped": form.one("shown")}
    problem = CHECK if any(one.problem for one in said.values()) else None
    if len(comment) > MAX_COMMENT:
        problem = COMMENT_LONG
    key = form.one("key")[:LONGEST_KEY]
    if problem or not key:
        return _shown(call, visit, task, key=key, status=422, problem=problem or CHECK, **kept)
    answers = _answers(call, task, said, comment, key)
    try:
        if answers:
            store.answers(call.token, task.id, answers)
    except Stale:
        # With a new key: what is sent next is another act.
        visit, task = _asked(call)
        return _shown(call, visit, task, status=409, problem=STALE, **kept)
    except Refused as error:
        return _refused(call, error)
    except UsageError:
        return _shown(call, visit, task, key=key, status=422, problem=LONG, **kept)
    except UnknownLink:
        raise
    except StoreError as error:
        return _shown(call, visit, task, key=key, status=503, problem=why(error), **kept)
    # The page's script has no history to keep in order: it gets the next task without asking twice.
    if "X-Next-Page" in call.request.headers:
        return page(call)
    return RedirectResponse(link(call), 303)


def keep(call: Call) -> Response:
    """Save what is answered so far, as the page's script sends it at each answer.

    Tells the revision of each question that is now kept as the form has it. What cannot be
    taken yet is left out here; :func:`save` says why.
    """
    key = call.form.one("key")[:LONGEST_KEY]
    try:
        visit, task = _asked(call)
        said, comment = _said(call, task)
        if visit.rater.consented_at is None or not key or len(comment) > MAX_COMMENT:
            return private(JSONResponse({}, 422))
        whole = {name: one for name, one in said.items() if one.problem is None}
        revisions = {name: task.answers[name].revision for name in whole}
        answers = _answers(call, task, whole, comment, key)
        if answers:
            saved = call.site.store.answers(call.token, task.id, answers)
            revisions |= {one.dimension: one.revision for one in saved}
        for name, one in said.items():
            if one.empty:
                revisions[name] = _take_back(call, task, name, key)
    except (Refused, Stale, UsageError):
        return private(JSONResponse({}, 409))
    places = {name: place for place, name in enumerate(said)}
    return private(JSONResponse({places[name]: one for name, one in revisions.items()}))


def _asked(call: Call) -> tuple[Visit, OpenTask]:
    """The task that a form is of, with its rater."""
    visit = call.site.store.visit(call.token, call.form.number("task"))
    if visit.task is None:
        raise Refused("no task was asked for.", code="not_your_task")
    return visit, visit.task


def _said(call: Call, task: OpenTask) -> tuple[dict[str, Said], str]:
    """What the form says on each question of the task, and its comment."""
    design, form = call.site.design, call.form
    said = {
        name: read(design.dimension(name), task.systems, place, form)
        for place, name in enumerate(task.dimensions)
    }
    return said, form.one("comment").strip() if design.comments else ""


def _expected(call: Call, task: OpenTask, name: str) -> int:
    """The revision of an answer that the form had seen."""
    return max(call.form.number(f"r{task.dimensions.index(name)}"), 0)


def _answers(
    call: Call, task: OpenTask, said: Mapping[str, Said], comment: str, key: str
) -> list[Answer]:
    """What has to be saved: what the store does not hold already."""
    spent = seconds(call.token, task.id, call.form.one("shown"), call.site.now())
    out = []
    for name, one in said.items():
        # A comment belongs to the task; it stands with its first question.
        words = comment if name == task.dimensions[0] else ""
        if not same(one, words, task.answers[name]):
            expected = _expected(call, task, name)
            out.append(Answer(name, one.value, expected, key, spent, words, one.skip))
    return out


def undo(call: Call) -> Response:
    """Take the answers to one task back."""
    key = call.form.one("key")[:LONGEST_KEY]
    try:
        visit, task = _asked(call)
        if not key:
            raise Refused("a form without a key.", code="nothing_to_undo")
        for name in task.dimensions:
            _take_back(call, task, name, key)
    except Stale:
        visit, task = _asked(call)
        return _shown(call, visit, task, status=409, problem=STALE)
    except Refused as error:
        return _refused(call, error)
    return RedirectResponse(link(call, task=str(task.id)), 303)


def _take_back(call: Call, task: OpenTask, name: str, key: str) -> int:
    """Undo an answer until the question is open again; returns the newest revision.

    Each choice was saved when it was made: one step back would only show an earlier slip.
    """
    kind, revision = task.answers[name].kind, task.answers[name].revision
    expected, step = _expected(call, task, name), 0
    while kind != OPEN:
        saved = call.site.store.undo(
            call.token, task.id, name, expected=expected, client=f"undo {key} {step}"
        )
        kind, revision, expected, step = saved.kind, saved.revision, saved.revision, step + 1
    return revision

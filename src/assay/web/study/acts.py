"""The audit log in words: who did what to whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.study.design import Design
from assay.study.store_records import Adjudication, AuditLine, Pace
from assay.study.tables import unit_name
from assay.web.speech import Message, Speech, lazy

ACTS: dict[str, Message] = {
    "create": lazy("study made"),
    "add_rater": lazy("rater added"),
    "new_token": lazy("new link for a rater"),
    "new_manager_token": lazy("new link for the manager"),
    "qualified": lazy("test passed"),
    "not_qualified": lazy("test not passed"),
    "let_in": lazy("let in without having passed the test"),
    "close": lazy("closed"),
    "reopen": lazy("opened again"),
    "hand_out_again": lazy("open tasks given to others"),
    "let_back_in": lazy("rater let back in"),
    "move": lazy("tasks moved"),
    "replan": lazy("open tasks planned anew"),
    "adjudicate": lazy("decision on an item"),
    "export": lazy("data taken along"),
}


@dataclass(frozen=True, slots=True)
class Act:
    """A line of the log: when, who, what, and what it was about."""

    at: str
    by: str
    words: str
    about: tuple[str, ...]


def seat_name(one: Pace, speech: Speech) -> str:
    """The name of a rater, or of a seat that nobody has yet."""
    return one.name or speech.say("seat {n}", n=one.seat + 1)


def acts(
    log: Iterable[AuditLine],
    raters: Iterable[Pace],
    decisions: Iterable[Adjudication],
    design: Design,
    speech: Speech,
) -> list[Act]:
    """The log, the newest line first."""
    names = {one.id: seat_name(one, speech) for one in raters}
    made = {one.id: one for one in decisions}
    titles = {one.key: one.title for one in design.dimensions}

    def about(detail: Mapping[str, Any]) -> Iterable[str]:
        decision = made.get(detail.get("adjudication", 0))
        if decision is not None:
            yield unit_name(decision.item, decision.systems)
            yield titles.get(decision.dimension, decision.dimension)
        elif "rater" in detail:
            yield names.get(detail["rater"], str(detail["rater"]))
            if "right" in detail:
                yield speech.say("{right} of {all}", right=detail["right"], all=detail["questions"])
        else:
            yield from (str(detail[key]) for key in ("name", "table", "format") if key in detail)

    return [
        Act(
            line.at,
            line.by,
            speech.say(ACTS[line.act]) if line.act in ACTS else line.act,
            tuple(about(line.detail)),
        )
        for line in reversed(list(log))
    ]

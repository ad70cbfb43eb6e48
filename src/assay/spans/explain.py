"""How one row of tags is read, token by token: which rule did what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.spans.corpus import TagRows
from assay.spans.decode import (
    BAD_CLOSE,
    BAD_OPEN,
    INSIDE,
    OPENED,
    STARTS,
    decode,
    parse_tags,
    scheme_named,
    what_happens,
)
from assay.spans.schemes import PREFIXES

ACTIONS = ("outside", "opens", "continues", "dropped", "end")
RULES = (
    "outside", "begin", "at_start", "after_outside", "after_end", "other_type", "goes_on", "end",
)  # fmt: skip

Span = tuple[int, int, str]
"""Start, stop (half-open) and type."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happened at one tag; the last step of a row is that of the sentence's end.

    Attributes
    ----------
    tag, before
        The tag and the one before it; "" for the edges of the sentence.
    action
        What became of the token: one of ACTIONS.
    rule
        Why a span starts here or not: "outside" (O), "begin" (B and S always start one), an I or E
        "at_start", "after_outside", "after_end" (of a span) or after an "other_type"; else it
        "goes_on". "end" is the sentence's.
    legal
        Whether the scheme allows the step to this tag.
    span
        The span that has the token, if one that is kept.
    closes
        The kept span that ends before this token, if one does.
    dropped_for
        Of a dropped token: whether its span's "opening" or its "closing" was illegal; else "".
    """

    tag: str
    before: str
    action: str
    rule: str
    legal: bool
    span: Span | None
    closes: Span | None
    dropped_for: str


def steps(
    tags: Sequence[str], *, scheme: str = "BIO", illegal: str = "open", suffix: bool = False
) -> list[Step]:
    """What happens at each tag of a row, and at its end: one step more than there are tags.

    Parameters are those of :func:`assay.spans.decode.decode`, for one sentence.

    Examples
    --------
    >>> [(s.tag, s.action, s.rule) for s in steps(["B-PER", "I-ORG"], illegal="discard")]
    [('B-PER', 'opens', 'begin'), ('I-ORG', 'dropped', 'other_type'), ('', 'end', 'end')]
    """
    rows = TagRows.of([list(tags)])
    read = decode(rows, scheme=scheme, illegal=illegal, suffix=suffix)
    kept = [(start, stop, kind) for _, start, stop, kind in read.spans.to_list()]
    owner = {i: span for span in kept for i in range(*span[:2])}
    ended = {span[1]: span for span in kept}
    prefixes, kinds, _ = parse_tags(rows, suffix=suffix)
    # As if an O stood before and after the sentence.
    edge = prefixes.size
    prefixes, kinds = np.append(prefixes, np.int8(0)), np.append(kinds, -1)
    line = np.concatenate([[edge], rows.codes, [edge]])
    before, now = line[:-1], line[1:]
    events = what_happens(prefixes, kinds, before, now, scheme_named(scheme), illegal)
    letters = [PREFIXES[p] for p in prefixes[line].tolist()]
    start_bit = STARTS if illegal == "last-type" else OPENED
    blame = _blame(events.tolist())
    out = []
    for i, tag in enumerate((*tags, "")):
        inside = i < len(tags) and bool(events[i] & INSIDE)
        starts = bool(events[i] & start_bit)
        span = owner.get(i)
        if i == len(tags):
            action = rule = "end"
        elif not inside:
            action = rule = "outside"
        else:
            rule = _rule(i, letters[i], letters[i + 1]) if starts else "goes_on"
            action = "dropped" if span is None else "opens" if span[0] == i else "continues"
        legal = not events[i] & (BAD_OPEN | BAD_CLOSE)
        dropped_for = blame.get(i, "") if action == "dropped" else ""
        previous = tags[i - 1] if i else ""
        out.append(Step(tag, previous, action, rule, legal, span, ended.get(i), dropped_for))
    return out


def _rule(place: int, before: str, now: str) -> str:
    """Why a span starts at this tag."""
    if now in "BS":
        return "begin"
    if place == 0:
        return "at_start"
    return {"O": "after_outside", "E": "after_end", "S": "after_end"}.get(before, "other_type")


def _blame(events: Sequence[int]) -> dict[int, str]:
    """Of each token in a span of the reading "open" that is illegal: which of its ends is."""
    out: dict[int, str] = {}
    start = 0
    for i, event in enumerate(events):
        if event & BAD_CLOSE:
            out |= {k: out.get(k, "closing") for k in range(start, i)}
        if event & OPENED:
            start = i
        opened_badly = event & BAD_OPEN or (
            event & INSIDE and not event & OPENED and out.get(i - 1) == "opening"
        )
        if opened_badly:
            out[i] = "opening"
    return out

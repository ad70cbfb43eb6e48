"""Sentences of the BIO lab, chosen from the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from assay.web.labs.bio.scored import Error, Scored, Span, scored
from assay.web.labs.bio.state import State
from assay.web.speech import Message, Speech, lazy

MODES: dict[str, Message] = {
    "exact": lazy("exact"),
    "partial": lazy("partial"),
    "boundaries": lazy("boundaries only"),
    "overlap": lazy("any overlap"),
    "partial-optimal": lazy("partial, most pairs"),
    "overlap-optimal": lazy("any overlap, most pairs"),
}
ABOUT_MODES: dict[str, Message] = {
    "exact": lazy("same first token, same last token, same type"),
    "partial": lazy("same type and at least one token shared"),
    "boundaries": lazy("same first and last token, whatever the type"),
    "overlap": lazy("at least one token shared, whatever the type"),
    "partial-optimal": lazy("as partial, but with as many pairs as can be"),
    "overlap-optimal": lazy("as any overlap, but with as many pairs as can be"),
}
MEASURES: dict[str, Message] = {
    "strict": lazy("strict"),
    "exact": lazy("exact"),
    "partial": lazy("partial"),
    "type": lazy("type"),
}
ABOUT_MEASURES: dict[str, Message] = {
    "strict": lazy("boundaries and type have to be right"),
    "exact": lazy("boundaries have to be right, the type is not looked at"),
    "partial": lazy("an overlap earns half, the type is not looked at"),
    "type": lazy("the type has to be right, an overlap is enough"),
}
KINDS: dict[str, Message] = {
    "cut": lazy("boundary: cut short"),
    "long": lazy("boundary: too long"),
    "shifted": lazy("boundary: shifted"),
    "split": lazy("boundary: split"),
    "merged": lazy("boundary: merged"),
    "type": lazy("type"),
    "boundary_and_type": lazy("boundary and type"),
    "missed": lazy("missed"),
    "spurious": lazy("spurious"),
}
COUNTED: dict[str, Callable[[Speech, int], str]] = {
    "cut": lambda x, n: x.many("one span cut short", "{n} spans cut short", n),
    "long": lambda x, n: x.many("one span too long", "{n} spans too long", n),
    "shifted": lambda x, n: x.many("one span shifted", "{n} spans shifted", n),
    "split": lambda x, n: x.many("one span split", "{n} spans split", n),
    "merged": lambda x, n: x.many(
        "several spans merged into one", "several spans merged into one, {n} times", n
    ),
    "type": lambda x, n: x.many(
        "one span of the wrong type", "{n} spans of the wrong type", n
    ),
    "boundary_and_type": lambda x, n: x.many(
        "one span wrong in boundary and type", "{n} spans wrong in boundary and type", n
    ),
    "missed": lambda x, n: x.many("one span missed", "{n} spans missed", n),
    "spurious": lambda x, n: x.many("one spurious", "{n} spurious", n),
}  # fmt: skip


def type_name(kind: str, speech: Speech) -> str:
    """A type, or what stands for none."""
    return kind or speech.say("(no type)")


def span_name(span: Span, speech: Speech) -> str:
    """A span by its type and place, as the chips have it."""
    first, last, kind = span
    return f"{type_name(kind, speech)} [{first},{last}]"


def kind_of(error: Error) -> str:
    """The kind of an error, with boundaries told apart by where they went."""
    if error.kind != "boundary":
        return error.kind
    (a, b, _), (c, d, _) = error.gold[0], error.pred[0]
    if a <= c and d <= b:
        return "cut"
    return "long" if c <= a and b <= d else "shifted"


def happened(found: Scored, speech: Speech) -> str:
    """What went wrong, in one sentence."""
    gold, _ = found.spans
    if not found.errors:
        if gold:
            return speech.say("Every span is right.")
        return speech.say("Neither row has a span.")
    kinds = Counter(map(kind_of, found.errors))
    parts = [said(speech, kinds[kind]) for kind, said in COUNTED.items() if kinds[kind]]
    if list(kinds) == ["spurious"]:
        n = kinds["spurious"]
        parts = [speech.many("one spurious span", "{n} spurious spans", n)]
    right = len(gold) - sum(len(error.gold) for error in found.errors)
    return speech.many(
        "{what}; {n} gold span is right.", "{what}; {n} gold spans are right.", right,
        what=capital(speech.listed(parts)),
    )  # fmt: skip


def capital(text: str) -> str:
    """A text that starts a sentence."""
    return text[:1].upper() + text[1:]


def difference(accuracy: float | None, f1: float | None, speech: Speech) -> str:
    """Token accuracy and exact F1, in percentage points, with the larger one named."""
    if accuracy is None or f1 is None:
        return speech.say(
            "There is nothing to compare: with no token or no span, what is divided by 0 is not "
            "defined under the convention chosen here."
        )
    shown = {"accuracy": speech.percent(accuracy), "f1": speech.percent(f1)}
    if accuracy == f1:
        return speech.say("Token accuracy and exact F1 are both {f1}.", f1=shown["f1"])
    points = speech.number(100 * abs(accuracy - f1), 1)
    if accuracy > f1:
        return speech.say(
            "Token accuracy is the larger: {points} percentage points above exact F1 ({accuracy} "
            "against {f1}).",
            points=points,
            **shown,
        )
    return speech.say(
        "Exact F1 is the larger: {points} percentage points above token accuracy ({f1} against "
        "{accuracy}).",
        points=points,
        **shown,
    )


def convention(state: State, speech: Speech) -> tuple[str, str]:
    """Whether the convention for illegal sequences changes anything here: a code, and words.

    The code is "legal", "counts", "none", "higher" or "lower" (of "discard" against "open").
    """
    say = speech.say
    one, two = scored(state, "open"), scored(state, "discard")
    if one.legal:
        return "legal", say(
            "Both rows are legal, so this switch can change nothing here. The preset “illegal "
            "sequence” shows where it does."
        )
    for mode, texts in CHANGES.items():
        a, b = one.line(mode, state.zero).f1, two.line(mode, state.zero).f1
        if a == b:
            continue
        shown = {"open": _percent(a, speech), "discard": _percent(b, speech)}
        higher = (b if b is not None else -1.0) > (a if a is not None else -1.0)
        return ("higher" if higher else "lower"), say(texts[not higher].text, **shown)
    if one.lines(state.zero) != two.lines(state.zero):
        return "counts", say(
            "Here the switch changes how many spans there are, but neither exact nor partial F1."
        )
    return "none", say("There are illegal tags, but no figure here depends on the switch.")


CHANGES = {
    "exact": (
        lazy(
            "Here “discard” raises the score: exact F1 is {open} under “open” and {discard} under "
            "“discard”, because what is thrown away was no exact match."
        ),
        lazy(
            "Here the switch counts: exact F1 is {open} under “open” and {discard} under “discard”"
            ", because a span that an illegal tag opens or ends is thrown away with what was right "
            "in it."
        ),
    ),
    "partial": (
        lazy(
            "Here “discard” raises partial F1, from {open} under “open” to {discard}; exact F1 "
            "stays."
        ),
        lazy(
            "Here “discard” lowers partial F1, from {open} under “open” to {discard}; exact F1 "
            "stays."
        ),
    ),
}  # fmt: skip


def also(state: State, speech: Speech) -> str:
    """What the switch does to partial F1 where that goes the other way than exact F1, else ""."""
    (a, b), (c, d) = (
        [scored(state, illegal).line(mode, state.zero).f1 or 0.0 for illegal in ("open", "discard")]
        for mode in ("exact", "partial")
    )
    if (b - a) * (d - c) >= 0.0:
        return ""
    shown = {"open": speech.percent(c), "discard": speech.percent(d)}
    if d < c:
        return speech.say(
            "Partial F1 falls from {open} to {discard}: what was nearly right is thrown away, too.",
            **shown,
        )
    return speech.say("Partial F1 rises from {open} to {discard}.", **shown)


def _percent(share: float | None, speech: Speech) -> str:
    return speech.say("not defined") if share is None else speech.percent(share)


ZERO: dict[str, Message] = {
    "1": lazy("1: two empty rows agree"),
    "0": lazy("0, as seqeval and conlleval print"),
    "undefined": lazy("not defined"),
}
ILLEGAL: dict[str, Message] = {
    "open": lazy("open: their spans are kept"),
    "discard": lazy("discard: their spans are thrown away"),
}


def undefined(line: str, speech: Speech) -> str:
    """Why a figure is not defined."""
    return speech.say(UNDEFINED[line])


UNDEFINED: dict[str, Message] = {
    "precision": lazy("Not defined, because nothing was predicted."),
    "recall": lazy("Not defined, because gold has no span."),
    "f1": lazy("Not defined, because neither row has a span."),
    "accuracy": lazy("Not defined, because there is no token."),
}

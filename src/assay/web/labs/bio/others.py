"""What other scorers print for the same two rows, and why where it is not what we say."""

from __future__ import annotations

from dataclasses import dataclass

from assay.spans import parity_conlleval as conlleval
from assay.spans import parity_nervaluate as nervaluate
from assay.spans import parity_seqeval as seqeval
from assay.spans.parity import parity_of
from assay.spans.parity_reasons import CLOSE, reading_codes
from assay.web.labs.bio.scored import Line, Measure, Scored
from assay.web.labs.bio.state import State
from assay.web.speech import Message, Speech, lazy

NAMES = {
    "seqeval": lazy("seqeval (default)"),
    "seqeval-strict": lazy("seqeval (strict)"),
    "conlleval": lazy("conlleval"),
    "nervaluate": lazy("nervaluate"),
}
SCENARIOS = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
"""nervaluate's names for the measures of SemEval-2013."""

REASONS: dict[str, Message] = {
    "opens_illegal": lazy(
        "It keeps what an illegal tag opens or ends, whatever is chosen here: its convention is "
        "“open”."
    ),
    "discards_illegal": lazy(
        "It throws away what an illegal tag opens or ends, whatever is chosen here: its convention "
        "is “discard”."
    ),
    "unknown_prefixes": lazy(
        "It does not know the letters L, U, M and W: such a tag goes on with the span before it, "
        "and opens one only where the type changes."
    ),
    "joins_touching": lazy(
        "It opens no span at a B or S that follows an E or S of the same type, so it reads two "
        "touching spans as one."
    ),
    "unknown_s": lazy(
        "It opens no span at an S, and none at the tag after an S, unless the type changes there."
    ),
    "iob1_first_b": lazy(
        "Under IOB1 its strict mode loses a B that stands first: the span begins at the I after it."
    ),
    "ioe1_last_e": lazy("Under IOE1 its strict mode misses some spans that end in E."),
    "no_io": lazy("Its strict mode has no scheme IO, and under IOB2 nothing opens without a B."),
    "other_marks": lazy("It splits a tag at a hyphen only, and some tags here have another mark."),
    "other_spans": lazy("It reads other spans in these rows."),
    "zero": lazy(
        "It prints 0 where there is nothing to divide by; the page's convention is another."
    ),
    "pairs_in_order": lazy(
        "It pairs spans in the order of the predictions, for each way of counting anew; here equal "
        "spans are paired first, then the largest overlap."
    ),
    "no_report": lazy("Neither side has a span, and its report stops with an error."),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Other:
    """What one scorer makes of the pair.

    Attributes
    ----------
    key, title
        Which it is.
    gold, pred, right
        Spans that it reads, and those that it counts as right; None where it stops.
    precision, recall, f1
        Over all types.
    same
        Whether all of this is as here.
    reasons
        Why not, in words.
    text
        What it prints; "" where it prints no report.
    """

    key: str
    title: str
    gold: int | None
    pred: int | None
    right: int | None
    precision: float | None
    recall: float | None
    f1: float | None
    same: bool
    reasons: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """nervaluate's counts for one measure of SemEval-2013, and whether they are ours."""

    measure: str
    counts: tuple[int, ...]
    same: bool


def others(state: State, found: Scored, speech: Speech) -> tuple[Other, ...]:
    """Every scorer on this pair."""
    exact = found.line("exact", state.zero)
    strict = found.measures(state.zero)[0]
    return (
        _seqeval(state, found, exact, "seqeval", speech),
        _seqeval(state, found, exact, "seqeval-strict", speech),
        _conlleval(state, found, exact, speech),
        _nervaluate(state, found, exact, strict, speech),
    )


def scenarios(state: State, found: Scored) -> tuple[Scenario, ...]:
    """The four scenarios of nervaluate, beside the SemEval table; none where it stops."""
    try:
        theirs = nervaluate.figures(*found.rows)["overall"]
    except nervaluate.Refused:
        return ()
    out = []
    for ours in found.measures(state.zero):
        row = theirs[SCENARIOS[ours.name]]
        counts = tuple(int(row[k]) for k in nervaluate.COUNTS)
        out.append(Scenario(ours.name, counts, counts == _five(ours)))
    return tuple(out)


def _five(ours: Measure) -> tuple[int, ...]:
    return ours.correct, ours.incorrect, ours.partial, ours.missed, ours.spurious


def _seqeval(state: State, found: Scored, exact: Line, key: str, speech: Speech) -> Other:
    gold, pred = found.rows
    if key == "seqeval":
        read = seqeval.read_default(gold, pred)
    else:
        scheme = seqeval.CLASS_OF[state.scheme]
        for rows in (gold, pred):
            tag = seqeval.refused(rows, scheme)
            if tag is not None:
                return _stopped(key, tag, speech)
        read = seqeval.read_strict(gold, pred, scheme)
    counts = tuple(int(part.sum()) for part in (read.gold, read.pred, read.right))
    theirs = seqeval.figures(read, None)["micro"]
    return _compared(state, found, exact, key, counts, theirs, speech, report=bool(read.types))


def _conlleval(state: State, found: Scored, exact: Line, speech: Speech) -> Other:
    theirs = conlleval.figures(*found.rows)
    counts = theirs["phrases"], theirs["found"], theirs["correct"]
    return _compared(state, found, exact, "conlleval", counts, theirs, speech)


def _nervaluate(
    state: State, found: Scored, exact: Line, ours: Measure, speech: Speech
) -> Other:  # fmt: skip
    try:
        theirs = nervaluate.figures(*found.rows)["overall"]["strict"]
    except nervaluate.Refused as error:
        return _stopped("nervaluate", error.tag, speech)
    counts = theirs["possible"], theirs["actual"], theirs["correct"]
    five = tuple(int(theirs[k]) for k in nervaluate.COUNTS)
    reordered = five != _five(ours) and counts[:2] == (exact.tp + exact.fn, exact.tp + exact.fp)
    return _compared(
        state, found, exact, "nervaluate", counts, theirs, speech,
        more=["pairs_in_order"] if reordered else [],
    )  # fmt: skip


def _compared(
    state: State,
    found: Scored,
    exact: Line,
    key: str,
    counts: tuple[int, ...],
    theirs: dict[str, float],
    speech: Speech,
    *,
    report: bool = True,
    more: list[str] | None = None,
) -> Other:
    """One scorer's counts and figures beside ours."""
    ours = (exact.tp + exact.fn, exact.tp + exact.fp, exact.tp)
    codes = list(more or ())
    if tuple(counts) != ours:
        codes += _reading(key, state, found) or ["other_spans"]
    figures = (theirs["precision"], theirs["recall"], theirs["f1"])
    apart = any(
        mine is None or abs(mine - his) > CLOSE
        for mine, his in zip((exact.precision, exact.recall, exact.f1), figures, strict=True)
    )
    if apart and not codes:
        codes.append("zero")
    same = not codes
    if not report:
        codes.append("no_report")
    text = parity_of(key, *found.rows, {"scheme": state.scheme})["text"] if report else ""
    gold, pred, right = counts
    return Other(
        key,
        speech.say(NAMES[key]),
        gold,
        pred,
        right,
        *figures,
        same,
        tuple(speech.say(REASONS[code]) for code in codes),
        text,
    )


def _reading(key: str, state: State, found: Scored) -> list[str]:
    """Why it reads other spans; nervaluate reads illegal tags as conlleval does."""
    summary = found.summary(state.zero)
    if key == "nervaluate":
        return [c for c in reading_codes("conlleval", found.rows, summary) if c == "opens_illegal"]
    return reading_codes(key, found.rows, summary)


def _stopped(key: str, tag: str, speech: Speech) -> Other:
    said = speech.say("It stops with an error at the tag “{tag}”, which it does not know.", tag=tag)
    title = speech.say(NAMES[key])
    return Other(key, title, None, None, None, None, None, None, False, (said,), "")

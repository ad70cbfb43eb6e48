"""From an address, a form or a corpus to a state of the BIO lab."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from urllib.parse import unquote

from assay.report.addresses import MAX_TOKEN, MAX_TOKENS, is_plain
from assay.spans.schemes import SCHEMES
from assay.web.labs.bio.paste import Pasted, pasted
from assay.web.labs.bio.presets import first_state
from assay.web.labs.bio.puzzles import PUZZLES
from assay.web.labs.bio.questions import QUESTIONS
from assay.web.labs.bio.state import (
    ILLEGAL,
    MOST_TYPES,
    ROWS,
    TYPES,
    ZERO,
    Row,
    State,
    check_row,
    with_met,
)
from assay.web.query import MAX_ADDRESS, MAX_NAME, BadState, Query, address, shortened
from assay.web.quiz import LETTERS
from assay.web.speech import lazy

MOST_COUNTED = 999_999
MOST_FURTHER = MAX_ADDRESS // 4
"""Tokens of further sentences: a pasted line is two tags and two blanks, at least."""
CLICK = re.compile(r"(gold|pred)\.([0-9]{1,4})(\.back)?")


def parse(query: Query) -> State:
    """The state of an address; without a sentence and tags it is the first.

    Raises
    ------
    BadState
        If a tag is unknown, a word too long, or a parameter none of those it can be.
    """
    scheme = query.choice("scheme", tuple(SCHEMES), "BIO")
    zero = query.choice("zero", ZERO, "1")
    illegal = query.choice("illegal", ILLEGAL, "open")
    puzzle = query.choice("puzzle", tuple(PUZZLES), "")
    answers = [query.choice(f"q{k}", tuple(LETTERS), "") for k in range(1, len(QUESTIONS) + 1)]
    rest = {
        "illegal": illegal,
        "zero": zero,
        "puzzle": puzzle,
        "answers": tuple(answers),
        "cut": query.whole("cut", 0, 0, MOST_COUNTED),
        "fell": query.whole("fell", 0, 0, MOST_COUNTED),
        "further": query.whole("further", 0, 0, MOST_FURTHER),
    }
    given = any(name in query for name in ("tokens", *ROWS))
    if not given:
        first = first_state().rewritten(scheme)
        state = replace(first or first_state(), **rest)  # type: ignore[arg-type]
        return _bounded(replace(state, types=_types(query, state.gold, state.pred)))
    gold, pred = query.one("gold").split(), query.one("pred").split()
    tokens = query.one("tokens").split() if "tokens" in query else _placeholders(gold, pred)
    base = State((), (), (), scheme=scheme, **rest)  # type: ignore[arg-type]
    state = _filled(base, tokens, gold, pred)
    return _bounded(replace(state, types=_types(query, state.gold, state.pred)))


def edit(query: Query) -> State:
    """The state after the form was sent: its fields, then the button ``do``.

    Raises
    ------
    BadState
        As :func:`parse` does, and if the button is none of the page.
    """
    state = parse(Query(pair for pair in query.pairs if pair[0] not in _outdated(query)))
    do = query.one("do") or ("paste" if "paste" in query else "")
    clicked = CLICK.fullmatch(do)
    if clicked:
        row: Row = "gold" if clicked[1] == "gold" else "pred"
        place = int(clicked[2])
        if place >= len(state.tokens):
            raise BadState(
                lazy(
                    "There is no token {n}: the sentence has {count}.",
                    n=place,
                    count=len(state.tokens),
                ),
                field="sentence",
            )
        state = state.clicked(row, place, back=bool(clicked[3]))
    elif do in ACTIONS:
        state = ACTIONS[do](state, query)
    else:
        raise BadState(lazy("“{do}” is no button of this page.", do=shortened(do)))
    return _bounded(state)


def _outdated(query: Query) -> tuple[str, ...]:
    """Parameters that were said of the sentence before, and are not sent on.

    How many tokens were left out is true of the sentence until it has another length.
    """
    same = len(query.one("tokens").split()) == len(query.one("gold").split())
    return ("fell",) if same else ("fell", "cut", "further")


def state_of(
    tokens: Sequence[str],
    gold: Sequence[str],
    pred: Sequence[str],
    illegal: str = "open",
    scheme: str = "BIO",
) -> State:
    """The state that shows one sentence of a corpus, cut where it is too long.

    Examples
    --------
    >>> state_of(["Ana", "slept"], ["B-PER", "O"], ["O", "O"]).query()["tokens"]
    'Ana slept'
    """
    # White space inside a token would make two of it in the address.
    words = [shortened("_".join(token.split()) or "_", MAX_TOKEN) for token in tokens]
    base = State((), (), (), scheme=scheme, illegal=illegal if illegal in ILLEGAL else "open")
    return _bounded(_filled(base, words, gold, pred))


def _filled(base: State, tokens: Sequence[str], gold: Sequence[str], pred: Sequence[str]) -> State:
    """A state with this sentence: tags by position, O where there is none, cut where too long."""
    n = len(tokens)
    fell = sum(max(0, len(tags) - n) for tags in (gold, pred))
    kept = min(n, MAX_TOKENS)
    for place, token in enumerate(tokens[:kept]):
        if len(token) > MAX_TOKEN:
            raise BadState(
                lazy(
                    "Token {n} (counted from 0), “{token}”, has {length} characters; {most} are "
                    "the most.",
                    n=place,
                    token=shortened(token),
                    length=len(token),
                    most=MAX_TOKEN,
                ),
                field="sentence",
            )
        if not is_plain(token):
            raise BadState(
                lazy("Token {n} (counted from 0) holds a control character.", n=place),
                field="sentence",
            )
    rows = []
    for name, tags in zip(("gold", "pred"), (gold, pred), strict=True):
        cut = tuple(tags[:kept])
        check_row("gold" if name == "gold" else "pred", cut, base.scheme)
        rows.append((*cut, *["O"] * (kept - len(cut))))
    return replace(
        base,
        tokens=tuple(tokens[:kept]),
        gold=rows[0],
        pred=rows[1],
        types=with_met(base.types, *rows),
        cut=min(base.cut + n - kept, MOST_COUNTED),
        fell=min(fell or base.fell, MOST_COUNTED),
    )


def _placeholders(gold: Sequence[str], pred: Sequence[str]) -> list[str]:
    """Words for tags that came without any."""
    return [f"w{i}" for i in range(max(len(gold), len(pred)))]


def _types(query: Query, gold: Sequence[str], pred: Sequence[str]) -> tuple[str, ...]:
    """The types of the tag set, and those that tags have."""
    text = query.one("types").strip()
    given = [unquote(part) for part in re.split(r"[,\s]+", text) if part]
    if given and text.startswith(","):
        # Tags without a type, as an address has them.
        given.insert(0, "")
    for kind in given:
        if len(kind) > MAX_NAME or kind != "".join(kind.split()):
            raise BadState(
                lazy(
                    "The type “{kind}” will not do: at most {most} characters, no white space.",
                    kind=shortened(kind),
                    most=MAX_NAME,
                ),
                field="types",
            )
    if len(given) > MOST_TYPES:
        raise BadState(
            lazy("{n} types are given; {most} are the most.", n=len(given), most=MOST_TYPES),
            field="types",
        )
    return with_met(given or TYPES, gold, pred)


def _bounded(state: State) -> State:
    """The state as it can be, if its address can be read back."""
    state = state.possible()
    length = len(address("/lab/bio", state.query())) + len("&lang=zh")
    if length > MAX_ADDRESS:
        raise BadState(
            lazy(
                "The address of this sentence would be {n} bytes long; {most} are read. Shorten "
                "the words or the types.",
                n=length,
                most=MAX_ADDRESS,
            ),
            field="sentence",
        )
    return state


def _paste(state: State, query: Query) -> State:
    """What was pasted, in place of the sentence."""
    found: Pasted = pasted(query.one("paste"), state.scheme)
    tokens = found.tokens or _placeholders(found.gold, found.pred)
    base = replace(state, scheme=found.scheme, cut=0, fell=0, puzzle="")
    filled = _filled(base, tokens, found.gold, found.pred)
    return replace(
        filled, types=with_met(TYPES, filled.gold, filled.pred), further=found.left
    )  # fmt: skip


ACTIONS: dict[str, Callable[[State, Query], State]] = {
    "": lambda state, query: state,
    "sentence": lambda state, query: state,
    "types": lambda state, query: state,
    "paste": _paste,
    "answers": lambda state, query: state,
}
"""Buttons that are no click on a tag; most only send what the fields hold."""

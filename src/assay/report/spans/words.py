"""What span reports call things, and the few sentences that every renderer says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from assay.report.numbers import count, counted, fixed, level
from assay.report.render import Summary

MODES = {
    "exact": "boundaries and type equal",
    "partial": "same type, some overlap",
    "boundaries": "boundaries equal, any type",
    "overlap": "any overlap, any type",
    "partial-optimal": "as partial, as many pairs as can be",
    "overlap-optimal": "as overlap, as many pairs as can be",
}
USUAL = ("exact", "partial", "boundaries", "overlap")
AVERAGES = {
    "micro": "all spans together",
    "macro": "mean of the types",
    "weighted": "mean of the types by gold spans",
}
CAUSES = {
    "boundary": "right type, wrong boundaries",
    "type": "right boundaries, wrong type",
    "boundary_and_type": "both wrong",
    "split": "one gold span, predicted in pieces",
    "merged": "several gold spans, predicted as one",
    "missed": "nothing predicted there",
    "spurious": "no gold span there",
}
SHORT = {
    "correct": "COR",
    "incorrect": "INC",
    "partial": "PAR",
    "missed": "MIS",
    "spurious": "SPU",
}
"""The counts of the SemEval-2013 table as that task names them."""
MEASURES = {
    "strict": "boundaries and type",
    "exact": "boundaries only",
    "partial": "boundaries; an overlap counts half",
    "type": "type, with some overlap",
}
SCHEME = {
    "open": "an illegal tag opens a span",
    "discard": "a span opened by an illegal tag is dropped",
    "last-type": "an illegal tag goes on with the open span, the last tag's type holds",
}
EMPTY = {"1": "0/0 is 1", "0": "0/0 is 0", "undefined": "0/0 is not defined"}
NO_TYPE = "(no type)"
MARGINS = ("(spurious)", "(missed)")


class Figure(NamedTuple):
    """One row of ``matches`` as cells: precision, recall, F, and the interval of F."""

    precision: str
    recall: str
    f1: str
    interval: str


def cause(name: str) -> str:
    """A cause as a reader sees it.

    >>> cause("boundary_and_type")
    'boundary and type'
    """
    return name.replace("_", " ")


def type_name(name: object) -> str:
    """A type, or what stands for tags without one."""
    return str(name) if name not in ("", None) else NO_TYPE


def percent(share: float | None, missing: str = "–") -> str:
    """A share in per cent, without the sign.

    >>> percent(4 / 7), percent(None)
    ('57.1', '–')
    """
    return missing if share is None else fixed(100.0 * share, 1)


def limits(interval: Mapping[str, Any] | None, missing: str = "–") -> str:
    """An interval in per cent.

    >>> limits({"low": 0.41, "high": 0.7})
    '[41.0, 70.0]'
    """
    if interval is None or interval.get("low") is None or interval.get("high") is None:
        return missing
    return f"[{percent(interval['low'])}, {percent(interval['high'])}]"


def figure(row: Mapping[str, Any], missing: str = "–") -> Figure:
    """The figures of one row of ``matches``."""
    return Figure(
        percent(row.get("precision"), missing),
        percent(row.get("recall"), missing),
        percent(row.get("f1"), missing),
        limits(row.get("interval"), missing),
    )


def f_name(summary: Summary) -> str:
    """What the F measure is called.

    >>> f_name({"beta": 1.0}), f_name({"beta": 0.5})
    ('F1', 'F0.5')
    """
    return f"F{summary.get('beta', 1.0):g}"


def of_mode(found: Mapping[str, Any], mode: str) -> list[Any]:
    """The rows of ``matches`` of one mode: of a summary or of a system."""
    return [row for row in found.get("matches") or () if row["mode"] == mode]


def micro(found: Mapping[str, Any], mode: str) -> Any | None:
    """The row over all types of one mode."""
    return next((row for row in of_mode(found, mode) if row["type"] == "micro"), None)


def modes(summary: Summary, full: bool) -> list[str]:
    """The modes to show: the usual four, the others where they differ or all is asked for."""
    there = {row["mode"] for row in summary.get("matches") or ()}
    differs = {f"{k}-optimal" for k, n in (summary.get("greedy_differs") or {}).items() if n}
    return [m for m in MODES if m in there and (full or m in USUAL or m in differs)]


def shown_mode(summary: Summary) -> str:
    """The way of matching that was asked for."""
    return str(summary.get("mode") or "exact")


def typed(summary: Summary) -> str:
    """The mode whose types are shown: the one asked for, or exact where it has no types."""
    mode = shown_mode(summary)
    rows = of_mode(summary, mode)
    return mode if any(row["type"] not in AVERAGES for row in rows) else "exact"


def types(found: Mapping[str, Any], mode: str) -> list[Any]:
    """The rows of the types of one mode, the most frequent in gold first."""
    rows = [row for row in of_mode(found, mode) if row["type"] not in AVERAGES]
    return sorted(rows, key=lambda row: (-(row.get("support") or 0), str(row["type"])))


def averages(found: Mapping[str, Any], mode: str) -> list[Any]:
    """The rows of the averages of one mode, in their order."""
    rows = {row["type"]: row for row in of_mode(found, mode)}
    return [rows[name] for name in AVERAGES if name in rows]


def short_names(summary: Summary) -> dict[str, str]:
    """The systems' names without the folders that tell nothing apart.

    >>> short_names({"systems": [{"name": "runs/a/out.conll"}, {"name": "runs/b/out.conll"}]})
    {'runs/a/out.conll': 'a/out.conll', 'runs/b/out.conll': 'b/out.conll'}
    """
    names = [str(one["name"]) for one in summary.get("systems") or ()]
    for tail in range(1, 12):
        short = ["/".join(PurePath(name).parts[-tail:]) or name for name in names]
        if len(set(short)) == len(set(names)):
            return dict(zip(names, short, strict=True))
    return {name: name for name in names}


def against(summary: Summary) -> str:
    """Which prediction, and which gold.

    >>> against({"source": {"gold": "data/gold.conll", "pred": "data/tagger_a.conll"}})
    'tagger_a.conll against gold.conll'
    """
    found = summary.get("source") or {}
    gold, pred = (str(found.get(side) or side) for side in ("gold", "pred"))
    names = short_names(summary)
    short_gold, short_pred = PurePath(gold).name, names.get(pred) or PurePath(pred).name
    return short_gold if gold == pred else f"{short_pred} against {short_gold}"


def source_bits(summary: Summary) -> list[str]:
    """What the figures rest on, as short pieces."""
    found = summary.get("source") or {}
    unit = found.get("unit", "token")
    bits = []
    if (found.get("documents") or 0) > 1:
        bits.append(counted(found["documents"], "document"))
    for key, noun in (
        ("sentences", "sentence"),
        ("tokens", unit),
        ("gold_spans", "gold span"),
        ("pred_spans", "predicted span"),
    ):
        if found.get(key) is not None:
            bits.append(counted(found[key], noun))
    return bits


def conventions(summary: Summary) -> str:
    """The conventions in force, in one line.

    >>> conventions({"scheme": "BIO", "convention": "open", "zero_division": "1"})
    'BIO as asked; open: an illegal tag opens a span; 0/0 is 1'
    """
    bits = []
    if summary.get("scheme"):
        how = "as detected" if summary.get("scheme_detected") else "as asked"
        bits.append(f"{summary['scheme']} {how}")
        name = str(summary.get("convention", "open"))
        bits.append(f"{name}: {SCHEME.get(name, '')}")
    bits.append(EMPTY.get(str(summary.get("zero_division", "1")), ""))
    if summary.get("beta", 1.0) != 1.0:
        bits.append(f"beta {summary['beta']:g}")
    return "; ".join(bits)


def illegal_line(summary: Summary) -> str:
    """How many illegal positions there are, and what they cost; empty where there are none.

    >>> illegal_line({"illegal": {"gold": 0, "pred": 2}, "dropped": {"gold": 0, "pred": 5}})
    '0 in gold, 2 in the prediction; "discard" would drop 5 tokens'
    """
    found, dropped = summary.get("illegal") or {}, summary.get("dropped") or {}
    if not any(found.values()):
        return ""
    text = f"{count(found.get('gold'))} in gold, {count(found.get('pred'))} in the prediction"
    lost = counted(sum(n or 0 for n in dropped.values()), "token")
    if summary.get("convention") == "discard":
        return f"{text}; {lost} dropped"
    return f'{text}; "discard" would drop {lost}'


def how(summary: Summary) -> list[str]:
    """How intervals were made, each method once."""
    found = [row["interval"] for row in summary.get("matches") or () if row.get("interval")]
    found += [c["interval"] for c in summary.get("comparisons") or () if c.get("interval")]
    return list(dict.fromkeys(f"{level(i['level'])}, {i['method']}" for i in found))


def soft(summary: Summary) -> str:
    """Soft credit in one line, or nothing."""
    words = {
        "half": "half for an overlap of the same type",
        "overlap": "by the share that overlaps",
    }
    found = summary.get("soft") or {}
    name = f_name(summary)
    return "; ".join(
        f"{words[key]}: {name} {percent(found[key].get('f1'))}" for key in words if key in found
    )


def greedy(summary: Summary) -> str:
    """Where a maximum matching finds more pairs than the largest overlap first."""
    found = {k: n for k, n in (summary.get("greedy_differs") or {}).items() if n}
    if not found:
        return ""
    pairs = ", ".join(f"{counted(n, 'more pair')} under {k}" for k, n in found.items())
    return f"A maximum matching finds {pairs} than the largest overlap first."


def causes(summary: Summary) -> list[Any]:
    """The causes that there are."""
    found = (summary.get("errors") or {}).get("causes") or ()
    return [row for row in found if row.get("fp") or row.get("fn")]


def form_words(form: Mapping[str, Any]) -> tuple[str, str]:
    """Gold and prediction of one form of error: [gold], (prediction), "" where there is none.

    >>> form_words({"gold_type": "LOC", "gold_text": "Sound of Vell", "pred_type": None})
    ('LOC [Sound of Vell]', '')
    """
    sides = []
    for side, (left, right) in (("gold", "[]"), ("pred", "()")):
        kind, text = form.get(f"{side}_type"), form.get(f"{side}_text")
        there = kind is not None or text
        sides.append(f"{type_name(kind)} {left}{text or ''}{right}" if there else "")
    return sides[0], sides[1]


def marked(form: Mapping[str, Any], example: Mapping[str, Any]) -> list[tuple[str, str]]:
    """An example in its context as (text, mark): "[", "]", "(" and ")" stand alone.

    >>> form = {"gold_text": "Sound of Vell", "pred_text": "Sound of"}
    >>> example = {"left": "across the", "text": "Sound of Vell", "right": "in nine"}
    >>> "".join(text for text, _ in marked(form, example))
    'across the [(Sound of) Vell] in nine'
    """
    left, middle, right = (str(example.get(k) or "") for k in ("left", "text", "right"))
    gap = " " if left and not left[-1:].isspace() and middle else ""
    whole = left + gap + middle + (" " if right and not right[:1].isspace() else "") + right
    at = len(left) + len(gap)
    spans = []
    for side, signs in (("gold_text", ("[", "]")), ("pred_text", ("(", ")"))):
        text = str(form.get(side) or "")
        start = _nearest(whole, text, at) if text else None
        if start is not None:
            spans.append((start, start + len(text), signs))
    marks: dict[int, str] = {}
    # The longer one goes outside.
    for start, end, (opens, closes) in sorted(spans, key=lambda s: s[0] - s[1]):
        marks[start] = marks.get(start, "") + opens
        marks[end] = closes + marks.get(end, "")
    return list(_pieces(whole, marks))


def _nearest(whole: str, text: str, at: int) -> int | None:
    """Where a text stands nearest to a place."""
    found, start = [], whole.find(text)
    while start >= 0:
        found.append(start)
        start = whole.find(text, start + 1)
    return min(found, key=lambda s: abs(s - at), default=None)


def _pieces(whole: str, marks: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    last = 0
    for place in sorted(marks):
        if whole[last:place]:
            yield whole[last:place], ""
        for sign in marks[place]:
            yield sign, sign
        last = place
    if whole[last:]:
        yield whole[last:], ""


def confusion(summary: Summary) -> tuple[list[str], list[str], list[list[int]]]:
    """Row labels, column labels and counts of the confusion of types, the last cell left out."""
    found = (summary.get("errors") or {}).get("confusion") or {}
    counts: Sequence[Sequence[int]] = found.get("counts") or ()
    labels = [type_name(x) for x in found.get("labels") or ()]
    if not counts or not labels:
        return [], [], []
    return [*labels, MARGINS[0]], [*labels, MARGINS[1]], [list(row) for row in counts]

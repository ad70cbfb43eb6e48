"""Why a figure of another scorer differs from ours: plain sentences, only where it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.spans import parity_conlleval as conlleval
from assay.spans.corpus import TagRows
from assay.spans.parity_rows import Rules, lay_out, where

Found = Mapping[str, Any]
Counts = tuple[int, int, int]
"""Right, gold and predicted spans."""

FIGURES = {"precision": "precision", "recall": "recall", "f1": "F1"}
AVERAGES = ("micro", "macro", "weighted")
READS = {"seqeval": "open", "conlleval": "open", "seqeval-strict": "discard"}
"""The convention for illegal tags that comes nearest to what each does."""
NAMES = {"seqeval-strict": "seqeval's strict mode"}
EMPTY = {"1": "it is 1", "undefined": "it is not defined"}
MOST = 4
"""Figures named in one sentence."""
CLOSE = 1e-9

# Where conlleval starts no span although one starts here: after E or S, and wherever S stands.
TOUCHING: Rules = (("ES", "BS", "same"),)
BESIDE_S: Rules = (("OBI", "S", "same"), ("S", "OIE", "same"))


@dataclass(frozen=True, slots=True)
class Case:
    """What the reasons are judged by: the scorer, tags, their letters, other marks, our report."""

    which: str
    sides: tuple[TagRows, TagRows]
    letters: frozenset[str]
    marks: bool
    summary: Found

    @property
    def name(self) -> str:
        return NAMES.get(self.which, self.which)

    @property
    def convention(self) -> str:
        return str(self.summary.get("convention", "open"))

    @property
    def scheme(self) -> str:
        return str(self.summary.get("scheme") or "")

    def reads(self, convention: str) -> bool:
        """Whether it reads illegal tags so, there are some, and we read them otherwise."""
        illegal = sum((self.summary.get("illegal") or {}).values())
        return illegal > 0 and READS[self.which] == convention != self.convention

    def holds(self, rules: Rules) -> bool:
        """Whether there are two tags in a row, of letters and types as conlleval has them."""
        if self.which != "conlleval" or not self.letters & set("ES"):
            return False
        pair = lay_out(*self.sides, conlleval.split, "")
        return any(bool(where(side, rules, pair.letters).any()) for side in (pair.gold, pair.pred))


# Why spans are read otherwise: a name, whether it applies, and the sentence.
READING: tuple[tuple[str, Callable[[Case], bool], str], ...] = (
    (
        "opens_illegal",
        lambda c: c.reads("open"),
        "{name} reads an illegal tag as the start of a span; here the convention is {convention}.",
    ),
    (
        "discards_illegal",
        lambda c: c.reads("discard"),
        (
            "{name} throws away what an illegal tag opens or closes; here the convention is "
            "{convention}."
        ),
    ),
    (
        "unknown_prefixes",
        lambda c: c.which != "seqeval-strict" and bool(c.letters & set("LUMW")),
        (
            "{name} does not know the prefixes L, U, M and W: such a tag goes on with the span "
            "before it, and starts one only where the type changes."
        ),
    ),
    (
        "joins_touching",
        lambda c: c.holds(TOUCHING),
        (
            "conlleval starts no span at a B or S that follows an E or S of the same type, so it "
            "reads two spans that touch as one."
        ),
    ),
    (
        "unknown_s",
        lambda c: c.holds(BESIDE_S),
        (
            "conlleval starts no span at an S, and none at the tag after an S, unless the type "
            "changes there."
        ),
    ),
    (
        "iob1_first_b",
        lambda c: c.which == "seqeval-strict" and c.scheme == "IOB1",
        "seqeval's strict mode loses a leading B under IOB1: it starts the span at the I after it.",
    ),
    (
        "ioe1_last_e",
        lambda c: c.which == "seqeval-strict" and c.scheme == "IOE1",
        "seqeval's strict mode does not find every span that ends in E under IOE1.",
    ),
    (
        "no_io",
        lambda c: c.which == "seqeval-strict" and c.scheme == "IO",
        "seqeval's strict mode has no scheme IO; under IOB2 no span starts without a B.",
    ),
    (
        "other_marks",
        lambda c: c.marks,
        "{name} splits tags at a hyphen only, and some tags here have another mark.",
    ),
)


def of_reading(
    which: str,
    sides: tuple[TagRows, TagRows],
    counts: Mapping[str, Counts],
    theirs: Found,
    summary: Found,
) -> list[str]:
    """Differences of a scorer that counts whole spans of the right type.

    Parameters
    ----------
    which
        The scorer.
    sides
        Gold and predicted tags.
    counts
        For each type that it found: right, gold and predicted spans.
    theirs
        Its figures: "micro", perhaps "macro" and "weighted", and "types".
    summary
        Our report.
    """
    ours = {row["type"]: row for row in summary.get("matches") or () if row["mode"] == "exact"}
    if not ours:
        return []
    case = _case(which, sides, summary)
    mine = {name: _counts(row) for name, row in ours.items() if name not in AVERAGES}
    mine = {name: found for name, found in mine.items() if any(found)}
    rows = {"" if k == "_" and "_" not in mine else k: v for k, v in theirs["types"].items()}
    found = {"" if k == "_" and "_" not in mine else k: v for k, v in counts.items()}
    out = []
    if found != mine:
        words = {"name": case.name, "convention": case.convention}
        out = [text.format(**words) for _, applies, text in READING if applies(case)]
        out.append(_spans(case, found, mine))
    out += _empty(case, found, rows, theirs, ours)
    beta = float(summary.get("beta", 1.0))
    if beta != 1.0 and _far(theirs["micro"]["f1"], ours["micro"]["f1"]):
        out.append(f"{case.name} prints F1; here F is F{beta:g}.")
    if not out:
        out = _others(case, rows, theirs, ours)
    return [text[0].upper() + text[1:] if text.startswith("it ") else text for text in out]


def reading_codes(which: str, sides: tuple[TagRows, TagRows], summary: Found) -> list[str]:
    """Why a scorer may read other spans than we do: the names in READING that apply.

    Parameters
    ----------
    which
        "seqeval", "seqeval-strict" or "conlleval".
    sides
        Gold and predicted tags.
    summary
        Of our report: ``convention``, ``scheme`` and ``illegal``.

    Examples
    --------
    >>> rows = TagRows.of([["O", "I-PER"]])
    >>> reading_codes("conlleval", (rows, rows), {"convention": "discard", "illegal": {"gold": 1}})
    ['opens_illegal']
    """
    case = _case(which, sides, summary)
    return [code for code, applies, _ in READING if applies(case)]


def _case(which: str, sides: tuple[TagRows, TagRows], summary: Found) -> Case:
    tags = {tag for rows in sides for tag in rows.tags if tag != "O"}
    marks = any("_" in tag.partition("-")[0] for tag in tags)
    return Case(which, sides, frozenset(tag[0] for tag in tags), marks, summary)


def _counts(row: Found) -> Counts:
    return int(row["tp"]), int(row["tp"] + row["fn"]), int(row["tp"] + row["fp"])


def _far(one: float | None, two: float | None) -> bool:
    if one is None or two is None:
        return one is not two
    return abs(one - two) > CLOSE


def _spans(case: Case, found: Mapping[str, Counts], mine: Mapping[str, Counts]) -> str:
    a, b = ([sum(row[k] for row in rows.values()) for k in range(3)] for rows in (found, mine))
    return (
        f"{case.name} finds {a[1]} gold and {a[2]} predicted spans, {a[0]} of them right; here "
        f"they are {b[1]}, {b[2]} and {b[0]}."
    )


def _empty(
    case: Case,
    found: Mapping[str, Counts],
    rows: Mapping[str, Found],
    theirs: Found,
    ours: Mapping[str, Found],
) -> list[str]:
    """Figures that have nothing to be divided by, and are 0 there."""
    convention = str(case.summary.get("zero_division", "1"))
    if convention not in EMPTY:
        return []
    total = tuple(sum(row[k] for row in found.values()) for k in range(3))
    named = []
    for name, (_, gold, pred) in [("micro", total), *found.items()]:
        row = theirs["micro"] if name == "micro" else rows[name]
        mine = ours.get(name)
        if mine is None:
            continue
        nothing = {"precision": not pred, "recall": not gold, "f1": not pred and not gold}
        named += [
            f"{FIGURES[k]} of {'all spans' if name == 'micro' else name or 'the bare tags'}"
            for k in FIGURES
            if nothing[k] and _far(row[k], mine[k])
        ]
    if not named:
        return []
    more = f" and {len(named) - MOST} more" if len(named) > MOST else ""
    means = ", and the averages with them" if "macro" in theirs else ""
    said = f"{case.name} prints 0 where there is nothing to divide by, here {EMPTY[convention]}"
    return [f"{said}: {', '.join(named[:MOST])}{more}{means}."]


def _others(
    case: Case, rows: Mapping[str, Found], theirs: Found, ours: Mapping[str, Found]
) -> list[str]:
    """Whatever else differs, by its numbers."""
    out = []
    averages = {name: theirs[name] for name in AVERAGES if name in theirs}
    for name, row in {**averages, **rows}.items():
        mine = ours.get(name, {})
        for k, word in FIGURES.items():
            a, b = row.get(k), mine.get(k)
            if name in ours and _far(a, b):
                of = f"{word} of {name or 'the bare tags'}"
                out.append(f"{of}: {_said(a)} in {case.name}, {_said(b)} here.")
    return out[:MOST]


def _said(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.4f}"


def of_nervaluate(theirs: Found, summary: Found) -> list[str]:
    """Differences of nervaluate's four scenarios to our figures of the same or a like name."""
    rows = {row["mode"]: row for row in summary.get("matches") or () if row["type"] == "micro"}
    table = summary.get("semeval") or {}
    if not rows or not table:
        return []
    overall = theirs["overall"]
    out = []
    strict, exact, partial = overall["strict"], overall["exact"], overall["partial"]
    gold, pred = (rows["exact"]["tp"] + rows["exact"][k] for k in ("fn", "fp"))
    if (gold, pred) != (strict["possible"], strict["actual"]):
        out.append(
            "nervaluate reads an illegal tag as the start of a span, whatever the scheme; here the "
            f"convention is {summary.get('convention', 'open')}. It finds {strict['possible']} "
            f"gold and {strict['actual']} predicted spans; here they are {gold} and {pred}."
        )
    elif exact["correct"] != rows["exact"]["tp"]:
        out.append(
            "nervaluate's exact asks for the boundaries only, whatever the type: "
            f"{exact['correct']} are correct; here exact asks for the type, too: "
            f"{rows['exact']['tp']}."
        )
    if _far(partial["f1"], rows["partial"]["f1"]) and (partial["partial"] or exact["correct"]):
        out.append(
            "nervaluate's partial asks for no type and gives half a point for an overlap: F1 "
            f"{partial['f1']:.4f}; here partial asks for the type and counts it whole: "
            f"{_said(rows['partial']['f1'])}."
        )
    if (gold, pred) == (strict["possible"], strict["actual"]):
        out += _pairing(theirs, summary)
    convention = str(summary.get("zero_division", "1"))
    empty = not gold or not pred
    if empty and any(_far(strict[k], rows["exact"][k]) for k in FIGURES):
        out.append(
            "nervaluate prints 0 where there is nothing to divide by, here "
            f"{EMPTY.get(convention, 'it is 0')}."
        )
    beta = float(summary.get("beta", 1.0))
    if beta != 1.0 and _far(strict["f1"], rows["exact"]["f1"]):
        out.append(f"nervaluate prints F1; here F is F{beta:g}.")
    return out


COUNTS = ("correct", "incorrect", "partial", "missed", "spurious")


def _pairing(theirs: Found, summary: Found) -> list[str]:
    """Where its pairs are others than those of our table of the same measures."""
    table, types = summary["semeval"], summary.get("semeval_types") or {}
    names = {"strict": "strict", "exact": "exact", "partial": "partial", "ent_type": "type"}
    out = []
    other = [
        a for a, b in names.items() if any(theirs["overall"][a][k] != table[b][k] for k in COUNTS)
    ]
    if other:
        out.append(
            f"nervaluate pairs spans in the order of the predictions, for each scenario anew; here "
            f"identical spans are paired first, then the largest overlap of the same type, then "
            f"any overlap. So the counts differ under {', '.join(other)}."
        )
    apart = [
        kind
        for kind, rows in theirs["types"].items()
        if any(rows["strict"][k] != types.get(kind, {}).get("strict", {}).get(k) for k in COUNTS)
    ]
    if apart and types:
        more = f" and {len(apart) - MOST} more" if len(apart) > MOST else ""
        out.append(
            "nervaluate pairs the spans of a type in the order of the predictions; here identical "
            "spans are paired first, then the largest overlap. So the counts differ for "
            f"{', '.join(apart[:MOST])}{more}."
        )
    return out

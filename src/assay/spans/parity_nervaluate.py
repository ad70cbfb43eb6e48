"""What nervaluate 1.2.1 prints: four scenarios over all types, and over each type alone.

It reads predictions in their order; each takes one gold span that no earlier prediction took. If
none equals it under the scenario, it takes the first that it overlaps (under ent_type, of those of
its type, the one whose boundaries are nearest). So its counts depend on the order of the spans.

References
----------
Segura-Bedmar, I., Martínez, P. and Herrero-Zazo, M. (2013). SemEval-2013 task 9: extraction of
drug-drug interactions from biomedical texts. SemEval.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from assay.errors import InputError
from assay.spans.corpus import TagRows

SCENARIOS = ("ent_type", "exact", "partial", "strict")
COUNTS = ("correct", "incorrect", "partial", "missed", "spurious")
LEAST_OVERLAP = 1.0
"""Per cent of a gold span that a prediction must cover to count as overlapping it."""

Span = tuple[str, int, int]
"""Type, first and last token."""


class Refused(InputError):
    """nervaluate stops at this tag."""

    code = "wrong_scheme"

    def __init__(self, tag: str) -> None:
        super().__init__(f"nervaluate reads B and I with a type only; it stops at the tag {tag!r}.")
        self.tag = tag


def spans_of(row: Sequence[str]) -> list[Span]:
    """The spans of one row, as nervaluate reads it.

    Examples
    --------
    >>> spans_of(["B-PER", "I-PER", "O", "I-LOC"])
    [('PER', 0, 1), ('LOC', 3, 3)]
    """
    out: list[Span] = []
    kind, start = "", -1
    for place, tag in enumerate([*row, "O"]):
        goes_on = start >= 0 and tag != "O" and tag[2:] == kind and tag[:1] != "B"
        if goes_on:
            continue
        if start >= 0:
            out.append((kind, start, place - 1))
            start = -1
        if tag != "O":
            if not tag.startswith(("B-", "I-")):
                raise Refused(tag)
            kind, start = tag[2:], place
    return out


def _touches(gold: Span, pred: Span) -> bool:
    shared = min(gold[2], pred[2]) - max(gold[1], pred[1]) + 1
    return shared > 0 and shared / (gold[2] - gold[1] + 1) * 100.0 >= LEAST_OVERLAP


def _same(scenario: str, gold: Span, pred: Span) -> bool:
    return gold == pred if scenario == "strict" else gold[1:] == pred[1:]


def _nearest(golds: Sequence[Span], free: Sequence[int], pred: Span) -> int | None:
    """Of the free gold spans of its type that it overlaps, the one with the nearest edges."""
    near = [i for i in free if golds[i][0] == pred[0] and _touches(golds[i], pred)]
    return min(
        near,
        key=lambda i: abs(golds[i][1] - pred[1]) + abs(golds[i][2] - pred[2]),
        default=None,
    )


def count(scenario: str, golds: Sequence[Span], preds: Sequence[Span]) -> list[int]:
    """Correct, incorrect, partial, missed and spurious of one sentence."""
    free = list(range(len(golds)))
    correct = wrong = spurious = 0
    for pred in preds:
        if scenario == "ent_type":
            hit = _nearest(golds, free, pred)
        else:
            hit = next((i for i in free if _same(scenario, golds[i], pred)), None)
        if hit is not None:
            correct += 1
            free.remove(hit)
            continue
        other = next((i for i in free if _touches(golds[i], pred)), None)
        if other is None:
            spurious += 1
        else:
            wrong += 1
            free.remove(other)
    half = (0, wrong) if scenario == "partial" else (wrong, 0)
    return [correct, *half, len(free), spurious]


def _entry(counts: Sequence[int], scenario: str) -> dict[str, Any]:
    correct, incorrect, partial, missed, spurious = counts
    actual = correct + incorrect + partial + spurious
    possible = correct + incorrect + partial + missed
    credit = correct + 0.5 * partial if scenario in ("partial", "ent_type") else correct
    p = credit / actual if actual else 0.0
    r = credit / possible if possible else 0.0
    f = 2 * (p * r) / (p + r) if p + r else 0.0
    return {
        **dict(zip(COUNTS, counts, strict=True)),
        "possible": possible,
        "actual": actual,
        "precision": p,
        "recall": r,
        "f1": f,
    }


def figures(gold: TagRows, pred: TagRows) -> dict[str, Any]:
    """Counts and fractions: scenario, then all types ("overall") and each type alone.

    Raises
    ------
    Refused
        If a span would start at a tag that nervaluate does not know.
    """
    overall = {scenario: [0] * len(COUNTS) for scenario in SCENARIOS}
    types: dict[str, dict[str, list[int]]] = defaultdict(
        lambda: {scenario: [0] * len(COUNTS) for scenario in SCENARIOS}
    )

    def add(into: dict[str, list[int]], golds: list[Span], preds: list[Span]) -> None:
        for scenario, totals in into.items():
            if golds == preds:
                totals[0] += len(golds)
                continue
            for k, found in enumerate(count(scenario, golds, preds)):
                totals[k] += found

    for golds, preds in zip(_read(gold), _read(pred), strict=True):
        if not golds and not preds:
            continue
        add(overall, golds, preds)
        for kind in {span[0] for span in (*golds, *preds)}:
            add(
                types[kind],
                [span for span in golds if span[0] == kind],
                [span for span in preds if span[0] == kind],
            )
    return {
        "overall": {s: _entry(counts, s) for s, counts in overall.items()},
        "types": {
            kind: {s: _entry(counts, s) for s, counts in types[kind].items()}
            for kind in sorted(types)
        },
    }


def _read(rows: TagRows) -> list[list[Span]]:
    """The spans of each row; equal rows are read once."""
    known: dict[bytes, list[Span]] = {}
    out = []
    for a, b in pairwise(rows.text.offsets.tolist()):
        codes = rows.codes[a:b]
        key = codes.tobytes()
        if key not in known:
            known[key] = spans_of([rows.tags[code] for code in codes.tolist()])
        out.append(known[key])
    return out


def text(found: dict[str, Any], *, digits: int = 2) -> str:
    """The summary reports: all scenarios, then each scenario by type."""
    parts = [_table("all", found["overall"], digits)]
    for scenario in ("strict", "exact", "partial", "ent_type"):
        rows = {kind: row[scenario] for kind, row in found["types"].items()}
        parts.append(_table(scenario, rows, digits))
    return "\n".join(parts)


def _table(scenario: str, rows: dict[str, dict[str, Any]], digits: int) -> str:
    heads = [*COUNTS, "precision", "recall", "f1-score"]
    # The width is that of the longest first cell, and the first cell of the heads is "correct".
    width = max(len("correct"), digits, *(len(name) for name in rows), 0)
    out = f"Scenario: {scenario}\n\n{'':>{width}} " + "".join(f" {name:>11}" for name in heads)
    out += "\n\n"
    for name, row in rows.items():
        counts = "".join(f" {row[k]:>11}" for k in COUNTS)
        shares = "".join(f" {row[k]:>11.{digits}f}" for k in ("precision", "recall", "f1"))
        out += f"{name:>{width}} {counts}{shares}\n"
    return out

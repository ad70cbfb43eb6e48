"""What other scorers print for the same tag rows, and why a figure of theirs differs from ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from assay.errors import InputError, one_of
from assay.spans import parity_conlleval as conlleval
from assay.spans import parity_nervaluate as nervaluate
from assay.spans import parity_seqeval as seqeval
from assay.spans.corpus import TagRows
from assay.spans.parity_reasons import of_nervaluate, of_reading

Summary = dict[str, Any]
Printed = tuple[str, dict[str, Any], list[str]]
"""The text, the figures and the differences."""


def parity_of(
    which: str,
    gold: TagRows | None,
    pred: TagRows | None,
    summary: Summary,
    *,
    suffix: bool = False,
) -> dict[str, Any]:
    """What another scorer prints, number for number.

    Parameters
    ----------
    which
        "seqeval", "seqeval-strict", "conlleval" or "nervaluate".
    gold, pred
        The tag rows; spans by characters have none.
    summary
        Our report of the same rows, to compare with.
    suffix
        Whether the prefix of a tag comes last, as in PER-B.

    Returns
    -------
    dict
        ``as`` (the scorer), ``text`` (what it prints), ``figures`` (unrounded fractions; empty
        where it stops with an error) and ``differences`` (sentences, none where all agree).

    Raises
    ------
    UsageError
        If the scorer is not known.
    InputError
        If there are no tag rows, or not the same tokens.

    Examples
    --------
    >>> gold, pred = TagRows.of([["B-PER", "O"]]), TagRows.of([["B-PER", "B-LOC"]])
    >>> found = parity_of("conlleval", gold, pred, {})
    >>> print(found["text"].splitlines()[0])
    processed 2 tokens with 1 phrases; found: 2 phrases; correct: 1.
    """
    one_of(which, SCORERS, "as")
    if gold is None or pred is None:
        raise InputError(
            f"as: {which} reads one tag a token, and these are spans by position; give tag rows "
            "(CoNLL columns, or tokens with tags), or leave the option out.",
            code="no_tag_rows",
        )
    if not np.array_equal(gold.text.lengths, pred.text.lengths):
        raise InputError(f"as: {gold.source} and {pred.source} have different sentences.")
    text, figures, differences = SCORERS[which](gold, pred, summary, suffix)
    return {"as": which, "text": text, "figures": figures, "differences": differences}


def _accuracy(gold: TagRows, pred: TagRows) -> float | None:
    place = {tag: i for i, tag in enumerate(gold.tags)}
    other = np.array([place.get(tag, -1) for tag in pred.tags], dtype=np.int64)
    same = gold.codes == other[pred.codes] if pred.tags else np.zeros(0, dtype=bool)
    return float(same.mean()) if same.size else None


def _seqeval(gold: TagRows, pred: TagRows, summary: Summary, suffix: bool) -> Printed:
    read = seqeval.read_default(gold, pred, suffix=suffix)
    return _report("seqeval", read, gold, pred, summary)


def _seqeval_strict(gold: TagRows, pred: TagRows, summary: Summary, suffix: bool) -> Printed:
    scheme = seqeval.CLASS_OF[str(summary.get("scheme") or "BIO")]
    for rows in (gold, pred):
        tag = seqeval.refused(rows, scheme, suffix=suffix)
        if tag is not None:
            said = f"seqeval's strict mode stops with an error: {scheme} has no tag {tag!r}."
            return said + "\n", {}, [said]
    read = seqeval.read_strict(gold, pred, scheme, suffix=suffix)
    return _report("seqeval-strict", read, gold, pred, summary)


def _report(
    which: str, read: seqeval.Read, gold: TagRows, pred: TagRows, summary: Summary
) -> Printed:
    found = seqeval.figures(read, _accuracy(gold, pred))
    columns = (read.right.tolist(), read.gold.tolist(), read.pred.tolist())
    counts = dict(zip(read.types, zip(*columns, strict=True), strict=True))
    differences = of_reading(which, (gold, pred), counts, found, summary)
    if read.types:
        return seqeval.text(found), found, differences
    said = "seqeval prints no report where neither side has a span: it stops with an error."
    return said + "\n", found, [said, *differences]


def _conlleval(gold: TagRows, pred: TagRows, summary: Summary, _suffix: bool) -> Printed:
    found = conlleval.figures(gold, pred)
    counts = {k: (v["correct"], v["phrases"], v["found"]) for k, v in found["types"].items()}
    theirs = {"micro": found, "types": found["types"]}
    differences = of_reading("conlleval", (gold, pred), counts, theirs, summary)
    return conlleval.text(found), found, differences


def _nervaluate(gold: TagRows, pred: TagRows, summary: Summary, _suffix: bool) -> Printed:
    try:
        found = nervaluate.figures(gold, pred)
    except nervaluate.Refused as error:
        said = str(error)
        return said + "\n", {}, [said]
    return nervaluate.text(found), found, of_nervaluate(found, summary)


SCORERS: dict[str, Callable[[TagRows, TagRows, Summary, bool], Printed]] = {
    "seqeval": _seqeval,
    "seqeval-strict": _seqeval_strict,
    "conlleval": _conlleval,
    "nervaluate": _nervaluate,
}

"""What seqeval 1.2 prints, in its default and in its strict mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.spans.corpus import Ints, TagRows
from assay.spans.figures import Floats
from assay.spans.parity_rows import (
    Chunks,
    Pair,
    Rules,
    Split,
    by_starts_and_ends,
    by_walking,
    lay_out,
    where,
)

NO_TYPE = "_"
STARTS: Rules = (("*", "BS", "any"), ("OES", "IE", "any"), ("*", "+", "other"))
ENDS: Rules = (("ES", "*", "any"), ("BI", "BSO", "any"), ("+", "*", "other"))


@dataclass(frozen=True, slots=True)
class Strict:
    """One of the classes of the strict mode: its letters, and where spans start, go on, end."""

    letters: str
    starts: Rules
    inside: Rules
    ends: Rules


STRICT = {
    "IOB1": Strict(
        "IOB",
        (("OB", "I", "any"), ("I", "I", "other"), ("IB", "B", "same")),
        (("BI", "I", "same"),),
        (("I", "OB", "any"), ("B", "O", "any"), ("IB", "I", "other"), ("B", "B", "same")),
    ),
    "IOE1": Strict(
        "IOE",
        (("OE", "I", "any"), ("I", "I", "other"), ("E", "E", "same")),
        (("I", "IE", "same"),),
        (("I", "O", "any"), ("I", "IE", "other"), ("E", "IE", "same")),
    ),
    "IOB2": Strict(
        "IOB",
        (("*", "B", "any"),),
        (("BI", "I", "same"),),
        (("I", "OB", "any"), ("IB", "I", "other"), ("B", "OB", "any")),
    ),
    "IOE2": Strict(
        "IOE",
        (("OE", "IE", "any"), ("I", "IE", "other")),
        (("I", "IE", "same"),),
        (("E", "*", "any"),),
    ),
    "IOBES": Strict("IOBES", (("*", "BS", "any"),), (("BI", "IE", "same"),), (("ES", "*", "any"),)),
    "BILOU": Strict("BILOU", (("*", "BU", "any"),), (("BI", "IL", "same"),), (("LU", "*", "any"),)),
}
CLASS_OF = {
    "BIO": "IOB2",
    "IOB1": "IOB1",
    "IOE1": "IOE1",
    "IOE2": "IOE2",
    "BIOES": "IOBES",
    "BILOU": "BILOU",
    "BMES": "IOBES",
    "IO": "IOB2",
}
"""Which class of the strict mode stands for our scheme; it has none for BMES and IO."""


def default_split(suffix: bool) -> Split:
    """A tag's letter and type in the default mode.

    Examples
    --------
    >>> default_split(False)("B-from-date"), default_split(False)("I"), default_split(True)("X-B")
    (('B', 'from-date'), ('I', '_'), ('B', 'X'))
    """
    if suffix:
        return lambda tag: (tag[-1], tag[:-1].rsplit("-", maxsplit=1)[0] or NO_TYPE)
    return lambda tag: (tag[0], tag[1:].split("-", maxsplit=1)[-1] or NO_TYPE)


def strict_split(suffix: bool) -> Split:
    """A tag's letter and type in the strict mode, which strips hyphens off the type.

    Examples
    --------
    >>> strict_split(False)("B-PER-")
    ('B', 'PER')
    """
    if suffix:
        return lambda tag: (tag[-1], tag[:-1].strip("-") or NO_TYPE)
    return lambda tag: (tag[0], tag[1:].strip("-") or NO_TYPE)


@dataclass(frozen=True, eq=False)
class Read:
    """What was read: right, gold and predicted spans of each type that has any, by name."""

    types: tuple[str, ...]
    right: Ints
    gold: Ints
    pred: Ints


def read_default(gold: TagRows, pred: TagRows, *, suffix: bool = False) -> Read:
    """Spans as the default mode reads them."""
    pair = lay_out(gold, pred, default_split(suffix), "")
    sides = [
        by_starts_and_ends(line, where(line, STARTS, pair.letters), where(line, ENDS, pair.letters))
        for line in (pair.gold, pair.pred)
    ]
    return _counted(pair, *sides)


def read_strict(gold: TagRows, pred: TagRows, scheme: str, *, suffix: bool = False) -> Read:
    """Spans as the strict mode reads them, by one of its classes."""
    rules = STRICT[scheme]
    pair = lay_out(gold, pred, strict_split(suffix), NO_TYPE)
    sides = [
        by_walking(
            line,
            where(line, rules.starts, pair.letters),
            where(line, rules.inside, pair.letters),
            where(line, rules.ends, pair.letters),
        )
        for line in (pair.gold, pair.pred)
    ]
    return _counted(pair, *sides)


def refused(rows: TagRows, scheme: str, *, suffix: bool = False) -> str | None:
    """The first tag that a class of the strict mode stops at, if any."""
    split = strict_split(suffix)
    known = [split(tag)[0] in STRICT[scheme].letters for tag in rows.tags]
    return next((tag for tag, ok in zip(rows.tags, known, strict=True) if not ok), None)


def _counted(pair: Pair, gold: Chunks, pred: Chunks) -> Read:
    n = len(pair.kinds)
    of_gold, of_pred, right = gold.counts(n), pred.counts(n), gold.shared(pred, n)
    found = sorted(np.flatnonzero(of_gold + of_pred).tolist(), key=lambda k: pair.kinds[k])
    return Read(tuple(pair.kinds[k] for k in found), right[found], of_gold[found], of_pred[found])


def share(top: Any, bottom: Any) -> Floats:
    """Divide, 0 where nothing is divided by nothing."""
    top, bottom = np.asarray(top, np.float64), np.asarray(bottom, np.float64)
    return np.asarray(np.divide(top, bottom, out=np.zeros(top.shape), where=bottom != 0))


def scores(right: Any, gold: Any, pred: Any) -> Floats:
    """Shape (…, 3): precision, recall and their harmonic mean."""
    p, r = share(right, pred), share(right, gold)
    return np.stack([p, r, share(2.0 * p * r, p + r)], axis=-1)


def figures(read: Read, accuracy: float | None) -> dict[str, Any]:
    """Everything seqeval's functions return, fractions; None where it returns nan or raises."""

    def entry(values: Floats, support: int) -> dict[str, Any]:
        names = ("precision", "recall", "f1")
        return {**dict(zip(names, values.tolist(), strict=True)), "support": support}

    each = scores(read.right, read.gold, read.pred)
    total = int(read.gold.sum())
    micro = scores(read.right.sum(), read.gold.sum(), read.pred.sum())
    out: dict[str, Any] = {"micro": entry(micro, total)}
    if read.types:
        columns = [np.ascontiguousarray(each[:, k]) for k in range(3)]
        out["macro"] = entry(np.array([c.mean() for c in columns]), total)
        weighted = [float((c * read.gold).sum()) / total if total else 0.0 for c in columns]
        out["weighted"] = entry(np.array(weighted), total)
    else:
        nothing: dict[str, Any] = dict.fromkeys(("precision", "recall", "f1"))
        out["macro"] = {**nothing, "support": 0}
        out["weighted"] = entry(np.zeros(3), 0)
    out["types"] = {name: entry(each[k], int(read.gold[k])) for k, name in enumerate(read.types)}
    out["accuracy"] = accuracy
    return out


def text(found: dict[str, Any], *, digits: int = 2) -> str:
    """The classification report."""
    rows = [*found["types"].items()]
    width = max(len("weighted avg"), digits, *(len(name) for name, _ in rows))
    head = f"{'':>{width}} " + "".join(
        f" {name:>9}" for name in ("precision", "recall", "f1-score", "support")
    )

    def line(name: str, row: dict[str, Any]) -> str:
        cells = "".join(f" {row[k]:>9.{digits}f}" for k in ("precision", "recall", "f1"))
        return f"{name:>{width}} {cells} {row['support']:>9}"

    body = [line(name, row) for name, row in rows]
    averages = [line(f"{name} avg", found[name]) for name in ("micro", "macro", "weighted")]
    return "\n".join([head, "", *body, "", *averages, ""])

"""What the evaluation script of the CoNLL-2000 shared task prints (its version of 2004).

References
----------
Tjong Kim Sang, E. F. and Buchholz, S. (2000). Introduction to the CoNLL-2000 shared task:
chunking. CoNLL.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.spans.corpus import TagRows
from assay.spans.parity_rows import Rules, lay_out, where
from assay.spans.parity_seqeval import scores

STARTS: Rules = (("OBI", "B", "any"), ("OE", "IE", "any"), ("*", "+", "other"))
ENDS: Rules = (("BI", "OB", "any"), ("E", "OIE", "any"), ("+", "*", "other"))


def split(tag: str) -> tuple[str, str]:
    """What stands before and after the first hyphen; a type of "0" is none.

    Examples
    --------
    >>> split("B-from-date"), split("I"), split("B_PER")
    (('B', 'from-date'), ('I', ''), ('B_PER', ''))
    """
    letter, _, kind = tag.partition("-")
    return letter, "" if kind == "0" else kind


def figures(gold: TagRows, pred: TagRows) -> dict[str, Any]:
    """Counts, and fractions of them.

    A phrase counts as correct if both sides start it at one token with one type, and the next
    token at which either side ends it, or the types part, is one at which both do. Spans that
    start without the one before having ended (as after E) are told apart on neither side.
    """
    pair = lay_out(gold, pred, split, "")
    g, p = pair.gold, pair.pred
    g_start, g_end = (where(g, rules, pair.letters) for rules in (STARTS, ENDS))
    p_start, p_end = (where(p, rules, pair.letters) for rules in (STARTS, ENDS))
    begins = g_start & p_start & (g.kind == p.kind)
    success = g_end & p_end & (g.before_kind == p.before_kind)
    settles = success | (g_end != p_end) | (g.kind != p.kind)
    # The last place is that of the end of the rows, which settles what is still open.
    at = np.append(np.flatnonzero(settles), settles.size)
    good = np.append(success[at[:-1]], True)
    begun = np.concatenate([[0], np.cumsum(begins)])
    # What began at the place of the last settling or after it is open at this one.
    opened = begun[at] > begun[np.concatenate([[0], at[:-1]])]
    right = at[opened & good]
    n = len(pair.kinds)
    last_kind = np.append(g.before_kind, g.kind[-1:])
    tokens = int(gold.codes.size)
    of_gold = np.bincount(g.kind[g_start], minlength=n)
    of_pred = np.bincount(p.kind[p_start], minlength=n)
    correct = np.bincount(last_kind[right], minlength=n)
    equal = (g.letter == p.letter) & (g.kind == p.kind)
    # The O after each sentence is equal on both sides and no token.
    same = int(np.count_nonzero(equal)) - gold.text.n_sentences
    whole = scores(correct.sum(), of_gold.sum(), of_pred.sum())
    each = scores(correct, of_gold, of_pred)
    names = ("precision", "recall", "f1")
    return {
        "tokens": tokens,
        "phrases": int(of_gold.sum()),
        "found": int(of_pred.sum()),
        "correct": int(correct.sum()),
        "correct_tags": same,
        "accuracy": same / tokens if tokens else None,
        **dict(zip(names, whole.tolist(), strict=True)),
        "types": {
            name: {
                **dict(zip(names, each[k].tolist(), strict=True)),
                "phrases": int(of_gold[k]),
                "found": int(of_pred[k]),
                "correct": int(correct[k]),
            }
            for name, k in sorted((name, k) for k, name in enumerate(pair.kinds))
            if of_gold[k] + of_pred[k]
        },
    }


def text(found: dict[str, Any]) -> str:
    """The lines that the script prints."""
    seen = f"processed {found['tokens']} tokens with {found['phrases']} phrases"
    out = [f"{seen}; found: {found['found']} phrases; correct: {found['correct']}."]
    if found["tokens"]:
        accuracy = 100 * found["correct_tags"] / found["tokens"]
        out.append(f"accuracy: {accuracy:6.2f}%; {_line(found)}")
    for name, row in found["types"].items():
        # It tells names of types apart only if they are true in its language: an empty one that
        # both sides have comes twice.
        twice = not name and row["phrases"] and row["found"]
        pad = " " * max(0, 17 - len(name.encode()))
        line = f"{pad}{name}: {_line(row)}  {row['found']}"
        out += [line, line] if twice else [line]
    return "\n".join(out) + "\n"


def _line(row: dict[str, Any]) -> str:
    right, gold, pred = row["correct"], row["phrases"], row["found"]
    # In per cent from the start, as the script does, so that the last digit rounds alike.
    p = 100 * right / pred if pred else 0.0
    r = 100 * right / gold if gold else 0.0
    f = 2 * p * r / (p + r) if p + r else 0.0
    return f"precision: {p:6.2f}%; recall: {r:6.2f}%; FB1: {f:6.2f}"

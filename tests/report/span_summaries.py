"""Summaries of spans written by hand, in the shape that ``SpanReport.to_dict()`` gives."""

from __future__ import annotations

from typing import Any

METHOD = "percentile bootstrap over sentences, 1000 resamples"
MODES = ("exact", "partial", "boundaries", "overlap", "partial-optimal", "overlap-optimal")
MEASURES = ("strict", "exact", "partial", "type")


def around(value: float | None, half: float = 0.1234567) -> dict[str, Any] | None:
    if value is None:
        return None
    low, high = max(0.0, value - half), min(1.0, value + half)
    return {"level": 0.95, "low": low, "high": high, "method": METHOD}


def share(top: float, bottom: float) -> float | None:
    return top / bottom if bottom else None


def row(mode: str, kind: str, tp: int, fp: int, fn: int) -> dict[str, Any]:
    precision, recall = share(tp, tp + fp), share(tp, tp + fn)
    f1 = share(2 * tp, 2 * tp + fp + fn)
    return {
        "mode": mode,
        "type": kind,
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "support": tp + fn,
        "precision_interval": around(precision),
        "recall_interval": around(recall),
        "interval": around(f1),
    }


def measure(cor: int, inc: int, par: int, mis: int, spu: int) -> dict[str, Any]:
    possible, actual = cor + inc + par + mis, cor + inc + par + spu
    credit = cor + par / 2
    return {
        "correct": cor,
        "incorrect": inc,
        "partial": par,
        "missed": mis,
        "spurious": spu,
        "possible": possible,
        "actual": actual,
        "precision": share(credit, actual),
        "recall": share(credit, possible),
        "f1": share(2 * credit, actual + possible),
    }


def matches(types: dict[str, tuple[int, int, int]]) -> list[dict[str, Any]]:
    whole = [sum(counts) for counts in zip(*types.values(), strict=True)] or [0, 0, 0]
    out = []
    for mode in MODES:
        names = ("micro",) if mode[:2] in ("bo", "ov") else ("micro", "macro", "weighted")
        out += [row(mode, name, *whole) for name in names]
        if len(names) > 1:
            out += [row(mode, name, *counts) for name, counts in types.items()]
    return out


def form(cause: str, gold: Any, pred: Any, times: int, *around_: str) -> dict[str, Any]:
    left, text, right = around_
    return {
        "cause": cause,
        "gold_type": gold and gold[0],
        "pred_type": pred and pred[0],
        "gold_text": gold and gold[1],
        "pred_text": pred and pred[1],
        "count": times,
        "examples": [{"sentence": 22, "left": left, "text": text, "right": right}],
    }


def one() -> dict[str, Any]:
    """One prediction with every kind of error."""
    forms = [
        form(
            "boundary", ("LOC", "Old Mill Lane"), ("LOC", "Old Mill"), 3,
            "The bridge at", "Old Mill Lane", "is open …",
        ),
        form("missed", ("LOC", "Kyoto"), None, 2, "… won a prize in", "Kyoto", "."),
        form("spurious", None, ("ORG", "ministry"), 1, "said the", "ministry", "."),
        form("type", ("ORG", "Vella"), ("PER", "Vella"), 1, "", "Vella", ", a maker of"),
        form("merged", ("PER", "Bo"), ("PER", "Ruth Bo"), 1, "Ruth", "Bo", "and Ines"),
    ]  # fmt: skip
    types = {"LOC": (9, 3, 4), "ORG": (4, 7, 5), "PER": (10, 3, 4), "WORK": (1, 6, 4)}
    return {
        "assay": "0.1.0",
        "kind": "spans",
        "level": 0.95,
        "headline": [
            "94.1 % of the tokens have the right tag; F1 of whole spans is 57.1 %.",
            "24 spans are right.",
        ],
        "source": {
            "gold": "data/gold.conll",
            "pred": "runs/tagger_a.conll",
            "format": "conll",
            "unit": "token",
            "documents": 1,
            "sentences": 40,
            "tokens": 408,
            "gold_spans": 41,
            "pred_spans": 43,
            "types": list(types),
            "notes": [
                {"code": "format", "level": "info", "message": "columns are set apart by tabs"},
                {
                    "code": "tokens_differ",
                    "level": "warning",
                    "message": "2 tokens differ, first in sentence 4, token 2",
                },
            ],
        },
        "scheme": "BIO",
        "scheme_detected": True,
        "convention": "open",
        "mode": "exact",
        "zero_division": "1",
        "beta": 1.0,
        "token_accuracy": 384 / 408,
        "token_accuracy_without_o": 0.73333,
        "sentence_accuracy": 0.575,
        "illegal": {"gold": 0, "pred": 3},
        "dropped": {"gold": 0, "pred": 7},
        "illegal_places": {
            "gold": [],
            "pred": [
                {
                    "sentence": k,
                    "position": 0,
                    "before": None if k else "O",
                    "after": "I-PER",
                    "context": {"left": "", "text": "Tomás", "right": "Rivera left …"},
                }
                for k in range(3)
            ],
        },
        "matches": matches(types),
        "semeval": {
            "strict": measure(24, 15, 0, 2, 4),
            "exact": measure(27, 12, 0, 2, 4),
            "partial": measure(27, 0, 12, 2, 4),
            "type": measure(35, 4, 0, 2, 4),
        },
        "semeval_types": {"LOC": {name: measure(9, 3, 0, 1, 0) for name in MEASURES}},
        "soft": {
            "half": {"precision": 0.69, "recall": 0.71, "f1": 0.7023},
            "overlap": {"precision": 0.78, "recall": 0.79, "f1": 0.7861},
        },
        "greedy_differs": {"partial": 1, "overlap": 0},
        "errors": {
            "causes": [
                {"cause": "boundary", "fp": 8, "fn": 8},
                {"cause": "type", "fp": 3, "fn": 3},
                {"cause": "boundary_and_type", "fp": 1, "fn": 1},
                {"cause": "split", "fp": 4, "fn": 2},
                {"cause": "merged", "fp": 1, "fn": 2},
                {"cause": "missed", "fp": 0, "fn": 1},
                {"cause": "spurious", "fp": 2, "fn": 0},
            ],
            "confusion": {
                "labels": list(types),
                "rows": "gold",
                "columns": "pred",
                "counts": [
                    [11, 1, 0, 0, 1],
                    [1, 7, 1, 0, 0],
                    [0, 1, 12, 0, 1],
                    [0, 0, 0, 5, 0],
                    [0, 2, 0, 2, 0],
                ],
            },
            "surface": forms,
            "sentences": [
                {
                    "sentence": 2,
                    "name": None,
                    "cost": 2,
                    "fp": 1,
                    "fn": 1,
                    "tokens": ["Jonas", "swam", "the", "Sound", "of", "Vell", "."],
                    "gold": [[0, 1, "PER"], [3, 6, "LOC"]],
                    "pred": [[0, 1, "PER"], [3, 5, "LOC"]],
                },
                {
                    "sentence": 15,
                    "name": "news-16",
                    "cost": 1,
                    "fp": 1,
                    "fn": 0,
                    "tokens": ["said", "the", "ministry", "."],
                    "gold": [],
                    "pred": [[2, 3, "ORG"]],
                },
            ],
        },
        "parity": None,
        "systems": [],
        "comparisons": [],
        "warnings": [
            {
                "code": "tokens_differ",
                "message": "2 tokens differ, first in sentence 4, token 2",
            }
        ],
    }


def several() -> dict[str, Any]:
    """Two systems with the same file name in two folders."""
    out = one()
    out["source"]["pred"] = "runs/a/out.conll"
    names = ("runs/a/out.conll", "runs/b/out.conll")
    counts = ({"LOC": (9, 3, 4), "PER": (15, 16, 13)}, {"LOC": (10, 0, 3), "PER": (21, 3, 7)})
    out["systems"] = []
    for name, rank, types in zip(names, (2, 1), counts, strict=True):
        found = matches(types)
        main = found[0]
        out["systems"].append(
            {
                "name": name,
                "rank": rank,
                "mode": "exact",
                "token_accuracy": 0.9,
                **{key: main[key] for key in ("precision", "recall", "f1", "interval")},
                "matches": found,
            }
        )
    out["comparisons"] = [
        {
            "a": names[0],
            "b": names[1],
            "difference": -0.255,
            "interval": {"level": 0.95, "low": -0.4, "high": -0.1, "method": "paired bootstrap"},
            "p_bootstrap": 0.002,
            "p_randomisation": 0.0004,
            "p_adjusted": 0.004,
            "sentences": [{"sentence": 9, "a": 3, "b": 0}],
        }
    ]
    return out


def empty() -> dict[str, Any]:
    """No span on either side, and no figure for that."""
    out = one()
    out |= {
        "headline": ["F1 of whole spans is not defined.", ""],
        "zero_division": "undefined",
        "token_accuracy_without_o": None,
        "matches": matches({}),
        "semeval": {name: measure(0, 0, 0, 0, 0) for name in MEASURES},
        "semeval_types": {},
        "soft": {"half": {"precision": None, "recall": None, "f1": None}},
        "greedy_differs": {"partial": 0, "overlap": 0},
        "illegal": {"gold": 0, "pred": 0},
        "illegal_places": {"gold": [], "pred": []},
        "errors": {
            "causes": [{"cause": "boundary", "fp": 0, "fn": 0}],
            "confusion": {"labels": [], "rows": "gold", "columns": "pred", "counts": [[0]]},
            "surface": [],
            "sentences": [],
        },
    }
    out["source"] |= {"gold_spans": 0, "pred_spans": 0, "types": []}
    return out


def characters() -> dict[str, Any]:
    """Nested spans on characters, no tags, a type without a name, and odd text."""
    out = one()
    text = "Đà <Nẵng> & 北京大学 | x"
    out["source"] |= {"unit": "character", "types": ["", "ORG|x_<b>"]}
    out["scheme"] = None
    out["token_accuracy"] = out["token_accuracy_without_o"] = None
    out["matches"] = matches({"": (1, 0, 2), "ORG|x_<b>": (0, 1, 0)})
    out["errors"]["confusion"] = {
        "labels": ["", "ORG|x_<b>"],
        "rows": "gold",
        "columns": "pred",
        "counts": [[1, 0, 2], [0, 0, 0], [0, 1, 0]],
    }
    out["errors"]["surface"] = [
        form("missed", ("", "<Nẵng>"), None, 2, "Đà", "<Nẵng>", "& 北京"),
        form("spurious", None, ("ORG|x_<b>", "北京"), 1, "&", "北京", "大学"),
    ]
    out["errors"]["sentences"] = [
        {
            "sentence": 0,
            "name": "<script>alert(1)</script>",
            "cost": 3,
            "fp": 1,
            "fn": 2,
            "tokens": list(text),
            "gold": [[0, 9, ""], [3, 9, ""], [12, 16, ""]],
            "pred": [[0, 9, ""], [12, 14, "ORG|x_<b>"]],
        },
        {
            "sentence": 1,
            "name": None,
            "cost": 1,
            "fp": 0,
            "fn": 1,
            "tokens": [],
            "gold": [[2, 4, ""]],
            "pred": [],
        },
    ]
    return out


def parity() -> dict[str, Any]:
    """What another scorer prints."""
    out = one()
    out["parity"] = {
        "as": "conlleval",
        "text": "processed 408 tokens with 41 phrases; found: 43 phrases; correct: 24.\n"
        "accuracy:  94.12%; precision:  55.81%; recall:  58.54%; FB1:  57.14",
        "figures": {"precision": 55.81},
        "differences": ["None: conlleval reads illegal tags as 'open' does."],
    }
    return out

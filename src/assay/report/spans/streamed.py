"""``stream_spans``: the report of files larger than memory, without what needs the words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.errors import one_of
from assay.estimate import check_level
from assay.report.spans.report import SpanReport, headline_of
from assay.report.spans.summary import Settings, greedy_differs, matches, semeval_dict
from assay.spans.detect import Written, differing, scheme_of
from assay.spans.figures import Convention
from assay.spans.schemes import ILLEGAL
from assay.spans.stream import stream_pairs
from assay.spans.tally import Tally


def stream_spans(
    gold: str | Path,
    pred: str | Path,
    *,
    scheme: str | None = None,
    illegal: str = "open",
    suffix: bool = False,
    zero_division: str | int = "1",
    beta: float = 1.0,
    bootstrap: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    **reading: Any,
) -> SpanReport:
    """Score two files of tags in chunks; memory does not grow with the files.

    The same figures and intervals as :func:`assay.score_spans`. Left out are what needs the
    whole text at once: forms of errors, positions of illegal tags, type confusion.

    Parameters
    ----------
    gold, pred
        Files of columns, of one tag row a line, or of JSON lines with tags.
    scheme
        Of the tags; found from both files as a whole when omitted, which reads them once more.
    illegal, suffix, zero_division, beta, bootstrap, seed, level
        As in :func:`assay.score_spans`; sentences are resampled.
    **reading
        Options of :func:`assay.spans.stream.stream_pairs`.

    Raises
    ------
    InputError
        If the files do not have the same sentences, or a tag is unknown.
    """
    import assay

    check_level(level)
    one_of(illegal, ILLEGAL, "illegal")
    stream = stream_pairs(gold, pred, **reading)
    written = Written(suffix), Written(suffix)
    if scheme is None:
        for rows in stream:
            for side, some in zip(written, rows, strict=True):
                side.add(some)
    tally = Tally(scheme or scheme_of(*written), illegal, suffix)
    for rows in stream:
        tally.add(*rows)
        if scheme is not None:
            for side, some in zip(written, rows, strict=True):
                side.add(some)
    settings = Settings(Convention(str(zero_division), beta), level, bootstrap, seed)
    totals, columns = tally.rows.totals, tally.columns
    listed = matches(tally.rows, columns, settings)
    accuracy = tally.tokens.accuracy
    said = (*stream.notes, *differing(*written, Path(pred).name, tally.scheme))
    notes = [{"code": n.code, "level": n.level, "message": n.message} for n in said]
    left_out = {
        "code": "streamed",
        "level": "info",
        "message": "read in chunks: forms of errors, illegal positions and type confusion are "
        "left out",
    }
    sides = ("gold", "pred")
    summary: dict[str, Any] = {
        "assay": assay.__version__,
        "kind": "spans",
        "level": level,
        "headline": headline_of(accuracy, listed, "token"),
        "source": {
            "gold": Path(gold).name,
            "pred": Path(pred).name,
            "format": stream.format,
            "unit": "token",
            "documents": None,
            "sentences": tally.sentences,
            "tokens": tally.tokens.tokens,
            "gold_spans": int(totals[columns.gold].sum()),
            "pred_spans": int(totals[columns.pred].sum()),
            "types": list(tally.types),
            "notes": [*notes, left_out],
        },
        "scheme": tally.scheme,
        "scheme_detected": scheme is None,
        "convention": illegal,
        "mode": "exact",
        "zero_division": str(zero_division),
        "beta": beta,
        "token_accuracy": accuracy,
        "token_accuracy_without_o": tally.tokens.accuracy_of_marked,
        "sentence_accuracy": tally.right_sentences / tally.sentences if tally.sentences else None,
        "illegal": dict(zip(sides, tally.n_illegal, strict=True)),
        "dropped": dict(zip(sides, tally.dropped, strict=True)),
        "illegal_places": {"gold": [], "pred": []},
        "matches": listed,
        "semeval": semeval_dict(totals, columns, settings.convention),
        "semeval_types": {},
        "soft": {},
        "greedy_differs": greedy_differs(totals, columns),
        "errors": {
            "causes": [
                {"cause": c, "fp": tally.causes[c, "fp"], "fn": tally.causes[c, "fn"]}
                for c in dict.fromkeys(cause for cause, _ in tally.causes)
            ],
            "confusion": {"labels": [], "rows": "gold", "columns": "pred", "counts": []},
            "surface": [],
            "sentences": [
                {"sentence": k, "name": None, "cost": cost, "fp": fp, "fn": fn, "tokens": [],
                 "gold": [], "pred": []}
                for cost, k, fp, fn in tally.worst
            ],
        },
        "lab": [],
        "parity": None,
        "systems": [],
        "comparisons": [],
        "warnings": [
            {"code": n["code"], "message": n["message"]} for n in notes if n["level"] == "warning"
        ],
    }  # fmt: skip
    return SpanReport({}, summary)

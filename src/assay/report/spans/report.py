"""``score_spans``: one report of predicted spans against gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.errors import InputError, UsageError, one_of
from assay.estimate import check_level
from assay.report.lab_sentences import Tagged, in_lab, worst
from assay.report.numbers import fixed, p_phrase
from assay.report.plain import interval_dict
from assay.report.render import render
from assay.report.rendered import Tabular
from assay.report.spans.summary import (
    Settings,
    errors_dict,
    greedy_differs,
    illegal_dict,
    matches,
    semeval_dict,
    semeval_types,
    soft_dict,
)
from assay.spans.compare import Comparison, compare
from assay.spans.corpus import SpanSet
from assay.spans.decode import Decoded, decode
from assay.spans.detect import Written, differing, scheme_of
from assay.spans.figures import Convention, number
from assay.spans.read import Annotation, check_reading, read_pair
from assay.spans.resample import Rows
from assay.spans.score import Scores
from assay.spans.tokens import TokenCounts, compare_tokens


@dataclass(frozen=True, eq=False, repr=False)
class SpanReport(Tabular):
    """What :func:`score_spans` returns; prints, and shows itself in a notebook, as a table.

    Attributes
    ----------
    scores
        The paired and counted spans of each prediction, by name.
    summary
        Everything as one plain dictionary, unrounded; the JSON report.
    """

    scores: dict[str, Scores]
    summary: dict[str, Any] = field(repr=False)

    def figure(self, mode: str = "exact", type: str = "micro") -> dict[str, Any]:  # noqa: A002
        """One entry of ``matches``: counts, precision, recall, F1 and intervals."""
        for entry in self.summary["matches"]:
            if entry["mode"] == mode and entry["type"] == type:
                return dict(entry)
        modes = {entry["mode"] for entry in self.summary["matches"]}
        one_of(mode, modes, "mode")
        one_of(type, {e["type"] for e in self.summary["matches"] if e["mode"] == mode}, "type")
        raise UsageError(f"no figure for mode {mode!r} and type {type!r}.")

    def to_html(self) -> str:
        """One self-contained page with plots and highlighted text."""
        return render(self.summary, "html")

    def _repr_html_(self) -> str:
        from assay.report.spans.html import notebook

        return notebook(self.summary)


def score_spans(
    gold: Any,
    *preds: Any,
    names: tuple[str, ...] | None = None,
    scheme: str | None = None,
    illegal: str = "open",
    suffix: bool = False,
    zero_division: str | int = "1",
    beta: float = 1.0,
    mode: str = "exact",
    bootstrap: int = 1000,
    by: str = "sentence",
    seed: int = 0,
    level: float = 0.95,
    parity: str | None = None,
    **reading: Any,
) -> SpanReport:
    """Score predicted spans against gold ones.

    Parameters
    ----------
    gold, *preds
        Tag rows (lists of lists of tags), files, or what :func:`assay.read_spans` returns; one
        prediction, or several systems to compare.
    names
        The systems' names; their files' when omitted.
    scheme
        Of the tags; found from both sides together when omitted, and said.
    illegal
        How illegal transitions are read: "open" (a dangling I opens a span), "discard" or
        "last-type".
    suffix
        Whether the prefix of a tag comes last, as in PER-B.
    zero_division
        What precision without predictions and recall without gold are: "1", "0" (or the numbers),
        "undefined".
    beta
        The weight of recall in F.
    mode
        The matching by which systems are ranked and compared.
    bootstrap
        Resamples for intervals and comparisons; 0 for none.
    by
        What is resampled: "sentence" or "document".
    seed, level
        Of the resampling, and of the intervals.
    parity
        Also what "seqeval", "seqeval-strict", "conlleval" or "nervaluate" prints.
    **reading
        Options of :func:`assay.spans.read.read_pair`.

    Raises
    ------
    InputError
        If the sides do not fit each other, or a tag is unknown.

    Examples
    --------
    >>> gold = [["B-PER", "I-PER", "O", "B-LOC"]]
    >>> pred = [["B-PER", "I-PER", "O", "O"]]
    >>> exact = score_spans(gold, pred).figure("exact")
    >>> exact["tp"], exact["fp"], exact["fn"], round(exact["f1"], 3)
    (1, 0, 1, 0.667)
    """
    check_level(level)
    one_of(by, ("sentence", "document"), "by")
    check_reading(reading, "score_spans")
    sides = read_pair(gold, *preds, **reading)
    if len(sides) < 2:
        raise UsageError("score_spans: gold and at least one prediction are needed.")
    written = [None if side.rows is None else Written(suffix).add(side.rows) for side in sides]
    tagged = [one for one in written if one is not None]
    found = scheme or (scheme_of(*tagged) if tagged else "")
    sides = (sides[0], *_noted(sides[1:], written, found))
    decoded = [_decoded(side, found, illegal, suffix) for side in sides]
    text = sides[0].text
    groups = text.documents if by == "document" else None
    if by == "document" and (groups is None or text.n_documents < 2):
        raise InputError(
            "by: the source has one document only, and documents cannot be resampled; use "
            "sentences."
        )
    settings = Settings(Convention(str(zero_division), beta), level, bootstrap, seed, groups)
    titles = names or tuple(side.name for side in sides[1:])
    if len(titles) != len(sides) - 1:
        raise UsageError(f"names: {len(titles)} names for {len(sides) - 1} predictions.")
    scored = {
        title: Scores.of(_spans(sides[0], decoded[0]), _spans(side, one), text.n_sentences)
        for title, side, one in zip(titles, sides[1:], decoded[1:], strict=True)
    }
    if len(scored) < len(sides) - 1:
        raise UsageError(f"names: systems need different names, not {', '.join(titles)}.")
    first = next(iter(scored))
    summary = _summary(sides, decoded, scored[first], settings)
    summary |= {
        "scheme": found or None,
        "scheme_detected": scheme is None,
        "convention": illegal,
        "mode": mode,
        "lab": _in_lab(sides, scored[first], summary["errors"], (found, illegal, suffix)),
    }
    if len(scored) > 1:
        summary |= _systems(scored, summary["matches"], sides, mode, settings)
        summary["headline"] = _ranking(summary, mode)
    if parity is not None:
        from assay.spans.parity import parity_of

        summary["parity"] = parity_of(parity, sides[0].rows, sides[1].rows, summary, suffix=suffix)
    return SpanReport(scored, summary)


def _noted(
    preds: Sequence[Annotation], written: Sequence[Written | None], scheme: str
) -> list[Annotation]:
    """The predictions with notes on tags that are written otherwise than those of gold."""
    gold = written[0]
    return [
        pred
        if gold is None or own is None
        else pred.with_notes(*differing(gold, own, pred.name, scheme))
        for pred, own in zip(preds, written[1:], strict=True)
    ]


def _in_lab(
    sides: tuple[Annotation, ...], scores: Scores, errors: Any, how: tuple[str, str, bool]
) -> list[dict[str, Any]]:
    """The sentences with most errors, where there are rows of tags that the lab can open.

    Each sentence of ``errors`` gets its own address too.
    """
    gold, pred = sides[0].rows, sides[1].rows
    rows = None if gold is None or pred is None else Tagged(sides[0].text, gold, pred, *how)
    in_lab(errors["sentences"], rows)
    return [] if rows is None else worst(scores, rows)


def _decoded(side: Annotation, scheme: str, illegal: str, suffix: bool) -> Decoded | None:
    if side.rows is None:
        return None
    return decode(side.rows, scheme=scheme, illegal=illegal, suffix=suffix)


def _spans(side: Annotation, decoded: Decoded | None) -> SpanSet:
    if decoded is not None:
        return decoded.spans
    if side.spans is None:
        raise InputError(f"{side.name}: neither tags nor spans were read.")
    return side.spans


def _tokens(gold: Annotation, pred: Annotation) -> TokenCounts:
    if gold.rows is None or pred.rows is None:
        return TokenCounts()
    return compare_tokens(gold.rows, pred.rows)


def _summary(
    sides: tuple[Annotation, ...],
    decoded: list[Decoded | None],
    scores: Scores,
    settings: Settings,
) -> dict[str, Any]:
    import assay

    gold, pred = sides[0], sides[1]
    text = gold.text
    tokens = _tokens(gold, pred)
    notes = [
        {"code": n.code, "level": n.level, "message": n.message}
        for side in sides
        for n in side.notes
    ]
    rows, columns = Rows.of(scores.table(groups=settings.groups)), scores.columns
    found = matches(rows, columns, settings)
    convention = settings.convention
    sentences = text.n_sentences
    return {
        "assay": assay.__version__,
        "kind": "spans",
        "level": settings.level,
        "headline": headline_of(tokens.accuracy, found, text.unit),
        "source": {
            "gold": gold.name,
            "pred": pred.name,
            "format": gold.format,
            "unit": text.unit,
            "documents": text.n_documents,
            "sentences": sentences,
            "tokens": text.n_units,
            "gold_spans": len(scores.gold),
            "pred_spans": len(scores.pred),
            "types": list(scores.types),
            "notes": notes,
        },
        "zero_division": convention.zero_division,
        "beta": convention.beta,
        "token_accuracy": tokens.accuracy,
        "token_accuracy_without_o": tokens.accuracy_of_marked,
        "sentence_accuracy": scores.right_sentences() / sentences if sentences else None,
        "illegal": {
            "gold": 0 if decoded[0] is None else decoded[0].n_illegal,
            "pred": 0 if decoded[1] is None else decoded[1].n_illegal,
        },
        "dropped": {
            "gold": 0 if decoded[0] is None else decoded[0].dropped,
            "pred": 0 if decoded[1] is None else decoded[1].dropped,
        },
        "illegal_places": {
            "gold": illegal_dict(decoded[0], text),
            "pred": illegal_dict(decoded[1], text),
        },
        "matches": found,
        "semeval": semeval_dict(rows.totals, columns, convention),
        "semeval_types": semeval_types(scores, convention),
        "soft": soft_dict(scores, convention),
        "greedy_differs": greedy_differs(rows.totals, columns),
        "errors": errors_dict(scores, text, settings),
        "parity": None,
        "systems": [],
        "comparisons": [],
        "warnings": [
            {"code": n["code"], "message": n["message"]} for n in notes if n["level"] == "warning"
        ],
    }


def headline_of(accuracy: float | None, found: list[dict[str, Any]], unit: str) -> list[str]:
    """Two lines in plain words: tokens against spans, then the counts."""
    exact = next(e for e in found if e["mode"] == "exact" and e["type"] == "micro")
    partial = next(e for e in found if e["mode"] == "partial" and e["type"] == "micro")
    f1, interval = exact["f1"], exact["interval"]
    if f1 is None:
        said = "F1 of whole spans is not defined, because neither side has a span"
    else:
        said = f"F1 of whole spans is {100 * f1:.1f} %"
    if interval is not None:
        low, high = 100 * interval["low"], 100 * interval["high"]
        said += f" ({100 * interval['level']:g} % interval {low:.1f} to {high:.1f})"
    first = said + "."
    if accuracy is not None:
        first = f"{100 * accuracy:.1f} % of the {unit}s have the right tag; {said}."
    right = "1 span is" if exact["tp"] == 1 else f"{exact['tp']:,} spans are"
    second = f"{right} right, {exact['fp']:,} predicted wrongly, {exact['fn']:,} not found"
    if partial["f1"] is not None and partial["tp"] != exact["tp"]:
        second += (
            f"; counting overlaps of the right type as right, F1 is {100 * partial['f1']:.1f} %"
        )
    return [first, second + "."]


def _ranking(summary: dict[str, Any], mode: str) -> list[str]:
    """Who leads, and whether the difference to the next is more than chance."""
    first, second = summary["systems"][:2]
    if first["f1"] is None or second["f1"] is None:
        return ["F1 is not defined for every system, so they are not ranked.", ""]
    leads = (
        f"{len(summary['systems'])} systems by {mode} F1: {first['name']} leads with "
        f"{100 * first['f1']:.1f} %, then {second['name']} with {100 * second['f1']:.1f} %."
    )
    apart = ""
    pair = {first["name"], second["name"]}
    found = [c for c in summary["comparisons"] if {c["a"], c["b"]} == pair]
    if found and found[0]["interval"] is not None:
        c = found[0]
        sign = 1 if c["a"] == first["name"] else -1
        ends = sorted((sign * c["interval"]["low"], sign * c["interval"]["high"]))
        low, high = (fixed(100 * end, 1) for end in ends)
        level = f"{100 * c['interval']['level']:g} %"
        apart = (
            f"They are {abs(100 * c['difference']):.1f} points apart ({level} interval {low} to "
            f"{high}; randomisation {p_phrase(c['p_adjusted'])})."
        )
    return [leads, apart]


def _systems(
    scored: dict[str, Scores],
    first: list[dict[str, Any]],
    sides: tuple[Annotation, ...],
    mode: str,
    settings: Settings,
) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for (name, scores), side in zip(scored.items(), sides[1:], strict=True):
        found = first  # already made for the report on the first
        if rows:
            counted = Rows.of(scores.table(groups=settings.groups))
            found = matches(counted, scores.columns, settings)
        main = next(e for e in found if e["mode"] == mode and e["type"] == "micro")
        rows.append(
            {
                "name": name,
                "mode": mode,
                "token_accuracy": _tokens(sides[0], side).accuracy,
                **{k: main[k] for k in ("precision", "recall", "f1", "interval")},
                "matches": found,
            }
        )
    rows.sort(key=lambda row: -(row["f1"] or 0.0))
    for row in rows:
        row["rank"] = 1 + sum((other["f1"] or 0.0) > (row["f1"] or 0.0) for other in rows)
    pairs = []
    if settings.resamples:
        pairs = compare(
            list(scored.items()),
            mode=mode,
            convention=settings.convention,
            groups=settings.groups,
            resamples=settings.resamples,
            seed=settings.seed,
            level=settings.level,
        )
    return {"systems": rows, "comparisons": [_comparison(c) for c in pairs]}


def _comparison(c: Comparison) -> dict[str, Any]:
    return {
        "a": c.a,
        "b": c.b,
        "difference": number(c.difference),
        "interval": interval_dict(c.interval),
        "p_bootstrap": number(c.p_bootstrap),
        "p_randomisation": number(c.p_randomisation),
        "p_adjusted": number(c.p_adjusted),
        "sentences": [{"sentence": k, "a": a, "b": b} for k, a, b in c.sentences],
    }

"""``stream_spans``: the report of what is counted in parts, without what needs the words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from assay.errors import UsageError, one_of
from assay.estimate import check_level
from assay.ratings.model import Note
from assay.report.spans.report import SpanReport, headline_of
from assay.report.spans.summary import Settings, greedy_differs, matches, semeval_dict
from assay.spans.counting import Counted, How, count, settled
from assay.spans.detect import differing
from assay.spans.figures import Convention
from assay.spans.frames import Columns, check_columns, library, parts_of, tag_pairs
from assay.spans.resample import check_resamples, check_seed
from assay.spans.schemes import ILLEGAL
from assay.spans.sources.sides import check_options
from assay.spans.spread import counted_by_dask, counted_by_spark
from assay.spans.stream import Progress, stream_pairs
from assay.spans.tally import Tally

READING = ("format", "token_column", "encoding", "tag_names", "chunk")
LEFT_OUT = "forms of errors, illegal positions and type confusion are left out"


class _Source(NamedTuple):
    """Something that can be counted: what it is called, and how that is done."""

    names: Callable[[], tuple[str, str]]
    format: Callable[[], str]
    run: Callable[[How], Counted]
    notes: Callable[[], tuple[Note, ...]]
    how: str


def stream_spans(
    gold: Any,
    pred: Any = None,
    *,
    gold_column: str | int | None = None,
    pred_column: str | int | None = None,
    id_column: str | None = None,
    scheme: str | None = None,
    illegal: str = "open",
    suffix: bool = False,
    zero_division: str | int = "1",
    beta: float = 1.0,
    bootstrap: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress | None = None,
    **reading: Any,
) -> SpanReport:
    """Score tags in parts: files larger than memory, and frames on one machine or many.

    The same figures and intervals as :func:`assay.score_spans`, however the sentences are cut
    into parts and in whatever order these come. Left out are what needs the whole text at once:
    forms of errors, positions of illegal tags, type confusion.

    Parameters
    ----------
    gold, pred
        Files of columns, of one tag row a line, of JSON lines with tags, or Parquet files; a
        pattern such as ``"part-*.conll"``, or a list of files, which go together in sorted order.
        Without ``pred``, both are columns of the same files. Or, without ``pred``, a frame with
        one row a sentence, of PySpark, Dask, Polars (also lazy), pandas, PyArrow (tables and
        datasets) or DuckDB.
    gold_column, pred_column
        The columns of tags; of a frame "gold" and "pred" if None. A cell of a frame is a list of
        tags, or a text of tags with blanks between them.
    id_column
        In a frame, the sentences' names: the worst sentences are listed by them, and then do not
        depend on the order of the rows.
    scheme
        Of the tags; found from all parts of both sides together when omitted.
    illegal, suffix, zero_division, beta, bootstrap, seed, level
        As in :func:`assay.score_spans`; sentences are resampled.
    progress
        Called now and then with the sentences that are done, and about how many there are; not
        of PySpark and Dask, which show their own.
    **reading
        Options of :func:`assay.spans.stream.stream_pairs`; of a frame only ``tag_names``.

    Raises
    ------
    InputError
        If the sides do not have the same sentences, or a tag is unknown.
    MissingExtra
        If a frame needs PyArrow and it is not installed.

    Examples
    --------
    >>> import polars
    >>> frame = polars.DataFrame({"gold": [["B-PER", "I-PER"], ["O"]], "pred": ["B-PER O", "O"]})
    >>> exact = stream_spans(frame).figure("exact")
    >>> exact["tp"], exact["fp"], exact["fn"]
    (0, 1, 1)
    """
    check_level(level)
    one_of(illegal, ILLEGAL, "illegal")
    check_seed(seed)
    if bootstrap:
        check_resamples(bootstrap)
    check_options(tuple(reading), READING, "stream_spans")
    columns = {"gold_column": gold_column, "pred_column": pred_column}
    if library(gold) is not None or library(pred) is not None:
        source = _frame(gold, pred, columns, id_column, reading, progress)
    elif id_column is not None:
        raise UsageError("id_column: only a frame has a column of ids; files are read in order.")
    else:
        source = _files(gold, pred, columns, reading, progress)
    how = How(scheme, illegal, suffix, id_column is not None)
    counted, tally = settled(source.run, how)
    settings = Settings(Convention(str(zero_division), beta), level, bootstrap, seed)
    return _report(source, counted, tally, settings, detected=scheme is None)


def _files(
    gold: Any, pred: Any, columns: dict[str, Any], reading: dict[str, Any], progress: Any
) -> _Source:
    stream = stream_pairs(gold, pred, progress=progress, **columns, **reading)
    return _Source(
        lambda: stream.names,
        lambda: stream.format,
        lambda how: count(stream, how),
        lambda: stream.notes,
        f"read in chunks: {LEFT_OUT}",
    )


def _frame(
    frame: Any,
    pred: Any,
    given: dict[str, Any],
    id_column: str | None,
    reading: dict[str, Any],
    progress: Progress | None,
) -> _Source:
    if pred is not None:
        raise UsageError(
            "stream_spans: one frame is needed, with a column of gold and one of predictions; "
            "rows of two frames are in no common order. Join them by the sentences' ids."
        )
    for name in reading:
        if name != "tag_names":
            raise UsageError(f"{name}: a frame has columns already; this option is about files.")
    names = {side: given[f"{side}_column"] or side for side in ("gold", "pred")}
    for side, name in names.items():
        if not isinstance(name, str):
            raise UsageError(f"{side}_column: the column of a frame is called by its name.")
    tag_names = reading.get("tag_names")
    columns = Columns(
        names["gold"], names["pred"], id_column, None if tag_names is None else tuple(tag_names)
    )
    check_columns(frame, columns)
    kind = library(frame) or ""
    spread = {"PySpark": counted_by_spark, "Dask": counted_by_dask}.get(kind)
    # Lazy frames know only when they have been read.
    total = (
        len(frame) if kind in ("pandas", "Polars", "PyArrow") and hasattr(frame, "shape") else None
    )

    def here(how: How) -> Counted:
        return count(
            _told(tag_pairs(parts_of(frame, columns), columns, f"{kind} frame"), total, progress),
            how,
        )

    about = "each partition counted where its rows are" if spread else "counted in parts"
    return _Source(
        lambda: (columns.gold, columns.pred),
        lambda: kind.lower(),
        here if spread is None else lambda how: spread(frame, columns, how),
        lambda: (),
        f"a {kind} frame, {about}: {LEFT_OUT}",
    )


def _told(pairs: Any, total: int | None, progress: Progress | None) -> Any:
    """The same parts, each told of when it has been counted."""
    done = 0
    for pair in pairs:
        yield pair
        done += pair[0].text.n_sentences
        if progress is not None:
            progress(done, total)


def _report(
    source: _Source, counted: Counted, tally: Tally, settings: Settings, *, detected: bool
) -> SpanReport:
    import assay

    convention, level = settings.convention, settings.level
    gold, pred = source.names()
    totals, columns = tally.rows.totals, tally.columns
    listed = matches(tally.rows, columns, settings)
    accuracy = tally.tokens.accuracy
    said = (*source.notes(), *differing(*counted.written, pred, tally.scheme))
    notes = [{"code": n.code, "level": n.level, "message": n.message} for n in said]
    left_out = {
        "code": "streamed",
        "level": "info",
        "message": source.how,
    }
    sides = ("gold", "pred")
    summary: dict[str, Any] = {
        "assay": assay.__version__,
        "kind": "spans",
        "level": level,
        "headline": headline_of(accuracy, listed, "token"),
        "source": {
            "gold": gold,
            "pred": pred,
            "format": source.format(),
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
        "scheme_detected": detected,
        "convention": tally.illegal,
        "mode": "exact",
        "zero_division": convention.zero_division,
        "beta": convention.beta,
        "token_accuracy": accuracy,
        "token_accuracy_without_o": tally.tokens.accuracy_of_marked,
        "sentence_accuracy": tally.right_sentences / tally.sentences if tally.sentences else None,
        "illegal": dict(zip(sides, tally.n_illegal, strict=True)),
        "dropped": dict(zip(sides, tally.dropped, strict=True)),
        "illegal_places": {"gold": [], "pred": []},
        "matches": listed,
        "semeval": semeval_dict(totals, columns, convention),
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
                {"sentence": one.sentence, "name": one.name, "cost": one.cost, "fp": one.fp,
                 "fn": one.fn, "tokens": [], "gold": [], "pred": []}
                for one in tally.worst
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

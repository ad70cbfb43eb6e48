"""Read tags and spans from files and objects: one annotator, or gold and predictions."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError, one_of
from assay.spans.align import Annotation, same_sentences
from assay.spans.corpus import Text
from assay.spans.sources.layout import Column
from assay.spans.sources.match_records import matched
from assay.spans.sources.memory import token_spans
from assay.spans.sources.offsets import UNITS, Standoff, settle
from assay.spans.sources.open import FORMATS, Opened, Options, open_source
from assay.spans.sources.sides import check_options, empty_as_spans, named_apart, unused_options
from assay.spans.sources.snap import SNAPS, stripped, to_characters, to_tokens

__all__ = ["FORMATS", "SNAPS", "UNITS", "Annotation", "read_pair", "read_spans"]


def read_spans(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002
    column: Column | None = None,
    token_column: Column | None = None,
    encoding: str | None = None,
    unit: str | None = None,
    snap: str | None = None,
    offsets: str | None = None,
    tag_names: Sequence[str] | None = None,
    inclusive: bool = False,
) -> Annotation:
    """Read one annotator's or system's tags or spans.

    Parameters
    ----------
    source
        A file; a folder or a list of files; or a list of sentences: lists of tags, of (token,
        tag) pairs, of (start, stop, type) or, for split spans, (((start, stop), …), type) in
        tokens, or records with fields; or what this function returned before.
    format
        "conll", "rows", "jsonl", "json" or "brat"; found by the content if None.
    column, token_column
        The columns of tags and tokens: a position from 1, from the end as −1, or a name (a field
        of the records, or a key of CoNLL-U's MISC). The last and the first if None.
    encoding
        The file's encoding, if it is neither UTF-8 nor marked.
    unit
        "token" or "character"; None for characters where the source has offsets, else tokens.
    snap
        What becomes of a span of characters that cuts through a token, with unit "token":
        "expand", which None is too, "inside", "drop" or "error".
    offsets
        What offsets count: "code-points", "utf-16" or "bytes"; None tries them in this order
        where the source quotes its spans' text.
    tag_names
        The names of tags that are given as numbers.
    inclusive
        Whether the end of a span is its last unit, not one past it.

    Raises
    ------
    InputError
        If the source cannot be read so; with file, line or record.

    Examples
    --------
    >>> found = read_spans([{"text": "Ana slept", "label": [[0, 3, "PER"]]}])
    >>> found.unit, found.spans.to_list(), found.text.words(0, 0, 3)
    ('character', [(0, 0, 3, 'PER')], 'Ana')
    >>> read_spans([[("Ana", "B-PER"), ("slept", "O")]]).rows.tags
    ('B-PER', 'O')
    """
    options = Options(format, (column,), token_column, encoding, tag_names, inclusive)
    opened = open_source(source, options)
    counted = _unit([opened], unit)
    unused = unused_options([opened], counted, snap=snap, offsets=offsets, inclusive=inclusive)
    return _finished(opened, counted, snap or "expand", offsets)[0].with_notes(*unused)


def read_pair(
    gold: Any,
    *preds: Any,
    format: str | None = None,  # noqa: A002
    gold_column: Column | None = None,
    pred_column: Column | Sequence[Column] | None = None,
    token_column: Column | None = None,
    encoding: str | None = None,
    unit: str | None = None,
    snap: str | None = None,
    offsets: str | None = None,
    tag_names: Sequence[str] | None = None,
    inclusive: bool = False,
    align: bool = False,
) -> tuple[Annotation, ...]:
    """Read gold and predictions of the same sentences.

    Parameters
    ----------
    gold, preds
        As in :func:`read_spans`. Without ``preds``, gold and predictions are columns of one file:
        the last two, or those named.
    gold_column, pred_column
        The columns of tags; several for ``pred_column`` only without ``preds``.
    align
        Work on the sentences whose tokens agree, and count the others in a note.
    format, token_column, encoding, unit, snap, offsets, tag_names, inclusive
        As in :func:`read_spans`.

    Returns
    -------
    tuple of Annotation
        Gold first. A note with code "tokens_differ" says where tokens differ.

    Raises
    ------
    InputError
        If the files do not have the same sentences; with the first sentence and token.

    Examples
    --------
    >>> gold, pred = read_pair([["B-PER", "O"]], [["B-PER", "I-PER"]])
    >>> gold.rows.rows(), pred.rows.rows()
    ([['B-PER', 'O']], [['B-PER', 'I-PER']])
    >>> read_pair([["O"], ["O", "O"]], [["O"], ["O"]])
    Traceback (most recent call last):
    assay.errors.InputError: pred and gold differ in their sentences; the first difference is in \
sentence 2, tag 2: none (the sentence has ended), in gold one; sentence 2 has 1 tags, in gold 2.
    """
    if unit is not None:
        one_of(unit, ("token", "character"), "unit")
    options = Options(format, (gold_column,), token_column, encoding, tag_names, inclusive)
    if not preds:
        opened = _columns_of(gold, options, gold_column, pred_column)
    else:
        if pred_column is not None and not isinstance(pred_column, int | str):
            raise UsageError("pred_column: one column, where predictions are files of their own.")
        opened = named_apart(_open_all(gold, preds, options, pred_column), (gold, *preds))
        opened = empty_as_spans(opened)
    unit = _unit(opened, unit)
    unused = unused_options(opened, unit, snap=snap, offsets=offsets, inclusive=inclusive)
    snap = snap or "expand"
    standoffs = [one.standoff for one in opened]
    if not any(one.in_tokens for one in opened):
        found = [one for one in standoffs if one is not None]
        if len(found) == len(opened):
            settled = [stripped(one) for one in matched(found, offsets, align=align)]
            opened = [replace(o, standoff=s) for o, s in zip(opened, settled, strict=True)]
            placed = _sized([_placed(one, unit, snap) for one in opened])
            return same_sentences(placed[0].with_notes(*unused), placed[1:])
    annotations = [a for one in opened for a in _finished(one, unit, snap, offsets)]
    annotations = _sized(annotations)
    return same_sentences(annotations[0].with_notes(*unused), annotations[1:], align=align)


READING = tuple(
    name
    for name, one in inspect.signature(read_pair).parameters.items()
    if one.kind is inspect.Parameter.KEYWORD_ONLY
)
"""The options of reading."""


def check_reading(options: Mapping[str, Any], caller: str) -> None:
    """Refuse an option that :func:`read_pair` does not have, in the caller's name."""
    check_options(tuple(options), READING, caller)


def _open_all(
    gold: Any, preds: Sequence[Any], options: Options, pred_column: Column | None
) -> list[Opened]:
    many = len(preds) > 1
    names = ["gold", *(f"pred {i}" if many else "pred" for i in range(1, len(preds) + 1))]
    theirs = replace(options, columns=(pred_column,))
    # Annotations without a text of their own take that of gold.
    if options.format == "brat" or any(str(source).endswith(".ann") for source in preds):
        first = open_source(gold, options, name=names[0])
        return [first, *_others(preds, names, _with_texts(theirs, first))]
    opened = [open_source(gold, options, name=names[0]), *_others(preds, names, theirs)]
    if any(one.format == "brat" for one in opened[1:]):
        return [opened[0], *_others(preds, names, _with_texts(theirs, opened[0]))]
    return opened


def _others(preds: Sequence[Any], names: Sequence[str], options: Options) -> list[Opened]:
    return [open_source(s, options, name=n) for s, n in zip(preds, names[1:], strict=True)]


def _with_texts(options: Options, gold: Opened) -> Options:
    if gold.standoff is None:
        return options
    records = gold.standoff.records
    texts = {r.name: r.text for r in records if r.name is not None and r.text is not None}
    return replace(options, texts=texts)


def _columns_of(
    source: Any,
    options: Options,
    gold: Column | None,
    pred: Column | Sequence[Column] | None,
) -> list[Opened]:
    """Gold and predictions from columns of one file."""
    preds = [pred] if pred is None or isinstance(pred, int | str) else list(pred)
    columns = (gold, *preds)
    opened = open_source(source, replace(options, columns=columns, separated=gold is None))
    if len(opened.rows) == 1:
        raise UsageError(
            f"{opened.name}: one annotation, as read before; gold and at least one prediction are "
            "needed.",
            code="one_column",
        )
    if not opened.rows:
        raise InputError(
            f"{opened.name}: one file without columns of tags; gold and prediction are two files. "
            "Name the other file too.",
            code="one_column",
        )
    out = []
    for i, (column, rows) in enumerate(zip(columns, opened.rows, strict=True)):
        what = column if column is not None else ("gold" if not i else "pred")
        notes = () if i else opened.notes
        out.append(replace(opened, name=f"{opened.name}:{what}", rows=(rows,), notes=notes))
    return out


def _unit(opened: Sequence[Opened], unit: str | None) -> str:
    """The unit of all sources together."""
    if unit is not None:
        one_of(unit, ("token", "character"), "unit")
    tokens = [one for one in opened if _counts_tokens(one)]
    if unit == "character" and tokens:
        raise InputError(
            f"{tokens[0].name}: tags and spans of tokens have no characters; --unit token.",
            code="units",
        )
    if unit is None and tokens and len(tokens) < len(opened):
        other = next(one for one in opened if not _counts_tokens(one))
        raise InputError(
            f"{tokens[0].name} counts tokens, and {other.name} characters; --unit token makes "
            "tokens of the characters (split on white space where the file gives none).",
            code="units",
        )
    return unit or ("token" if tokens else "character")


def _counts_tokens(one: Opened) -> bool:
    if one.ready is not None:
        return one.ready.unit == "token"
    return one.standoff is None or one.in_tokens


def _finished(opened: Opened, unit: str, snap: str, offsets: str | None) -> list[Annotation]:
    """The annotations of one source, in the unit asked for."""
    if offsets is not None:
        one_of(offsets, UNITS, "offsets")
    if opened.ready is not None:
        if opened.ready.unit != unit:
            raise InputError(
                f"{opened.name} counts {opened.ready.unit}s and was read before; read it with "
                f"unit={unit!r}.",
                code="units",
            )
        return [opened.ready]
    if opened.standoff is None:
        return [
            Annotation(opened.name, rows.text, rows, None, opened.notes, opened.format)
            for rows in opened.rows
        ]
    if opened.in_tokens:
        return [_placed(opened, unit, snap)]
    return [
        _placed(replace(opened, standoff=stripped(settle(opened.standoff, offsets))), unit, snap)
    ]


def _placed(opened: Opened, unit: str, snap: str) -> Annotation:
    found: Standoff | None = opened.standoff
    if found is None:
        raise InputError(f"{opened.name}: no spans.")
    if opened.in_tokens:
        text, spans = token_spans(found)
        notes = found.notes
    elif unit == "token":
        text, spans, notes = to_tokens(found, snap)
    else:
        text, spans, notes = to_characters(found)
    return Annotation(opened.name, text, None, spans, (*opened.notes, *notes), opened.format)


def _sized(annotations: Sequence[Annotation]) -> list[Annotation]:
    """Spans of a text that nobody gave take the others' text, or the longest reach."""
    bare = [a for a in annotations if a.rows is None and a.text.tokens is None]
    if not bare or len({a.text.n_sentences for a in annotations}) > 1:
        return list(annotations)
    known = [a.text for a in annotations if not any(a is b for b in bare)]
    reach = np.max([a.text.lengths for a in bare], axis=0)
    text: Text = known[0] if known else replace(bare[0].text, lengths=reach)
    beyond = np.flatnonzero(reach > text.lengths)
    if beyond.size:
        i = int(beyond[0])
        raise InputError(
            f"{bare[0].name}: sentence {i + 1}: a span ends at {int(reach[i])}, past the "
            f"{int(text.lengths[i])} {text.unit}s of the sentence.",
            code="offsets",
        )
    return [a.resized(text) if any(a is b for b in bare) else a for a in annotations]

"""Whether annotations are of the same sentences, and which of the sentences agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.errors import InputError
from assay.ratings.model import Note
from assay.spans.corpus import Ints, SpanSet, TagRows, Text
from assay.spans.sources.codes import Words
from assay.spans.sources.texts import Names, keys_of, take_rows, take_spans, take_text


@dataclass(frozen=True, eq=False)
class Annotation:
    """One annotator's or system's tags or spans: what :func:`assay.spans.read.read_spans` returns.

    Attributes
    ----------
    name
        The file's name, or "memory".
    text
        What was annotated.
    rows
        The tags, or None for a source of spans.
    spans
        The spans, or None for a source of tags (:func:`assay.spans.decode.decode` reads them).
    notes
        How it was read: what was found, chosen, or left out.
    format
        "conll", "conllu", "rows", "jsonl", "json", "brat", "label-studio" or "memory".
    """

    name: str
    text: Text
    rows: TagRows | None
    spans: SpanSet | None
    notes: tuple[Note, ...] = ()
    format: str = "memory"

    @property
    def unit(self) -> str:
        """What is counted: "token" or "character"."""
        return self.text.unit

    @property
    def source(self) -> str:
        """The name with its path where it is known, for messages."""
        return self.rows.source if self.rows is not None else self.name

    def with_notes(self, *notes: Note) -> Annotation:
        """The same with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def take(self, which: Ints) -> Annotation:
        """Only some of the sentences, in this order; they keep their names or numbers."""
        if self.text.names is None:
            named = replace(self.text, names=Names({}, self.text.n_sentences))
        else:
            named = self.text
        rows, spans = self.rows, self.spans
        if rows is not None:
            rows = take_rows(replace(rows, text=named), which)
        if spans is not None:
            spans = take_spans(spans, which, self.text.n_sentences)
        text = rows.text if rows is not None else take_text(named, which)
        return replace(self, text=text, rows=rows, spans=spans)

    def resized(self, text: Text) -> Annotation:
        """The same spans of another text."""
        return replace(self, text=text)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place at which two texts differ, and the first where their lengths do."""

    sentence: int
    position: int
    structural: int | None


def first_difference(gold: Text, pred: Text) -> Difference | None:
    """Where two texts first differ; None if they do not.

    Examples
    --------
    >>> rows = TagRows.of([["O", "O"]], tokens=[["a", "b"]])
    >>> more = TagRows.of([["O", "O"]], tokens=[["a", "c"]])
    >>> first_difference(rows.text, more.text)
    Difference(sentence=0, position=1, structural=None)
    """
    n = min(gold.n_sentences, pred.n_sentences)
    differs = gold.lengths[:n] != pred.lengths[:n]
    structural: int | None = None
    if differs.any():
        structural = int(np.argmax(differs))
    elif gold.n_sentences != pred.n_sentences:
        structural = n
    g, p = keys_of(gold), keys_of(pred)
    if g is not None and p is not None:
        differs = differs | (g[:n] != p[:n])
    if not differs.any() and structural is None:
        return None
    sentence = int(np.argmax(differs)) if differs.any() else n
    return Difference(sentence, _position(gold, pred, sentence), structural)


def _position(gold: Text, pred: Text, sentence: int) -> int:
    """The first unit of a sentence that differs; the first past the shorter where none does."""
    if sentence >= min(gold.n_sentences, pred.n_sentences):
        return 0
    if gold.tokens is not None and pred.tokens is not None:
        for i, (a, b) in enumerate(zip(gold.tokens[sentence], pred.tokens[sentence], strict=False)):
            if a != b:
                return i
    return int(min(gold.lengths[sentence], pred.lengths[sentence]))


def same_sentences(
    gold: Annotation, preds: Sequence[Annotation], *, align: bool = False
) -> tuple[Annotation, ...]:
    """The annotations, once it is sure that they are of the same sentences.

    Tokens that differ while sentences have the same lengths become a note. With ``align``, only
    sentences whose tokens are the same everywhere are kept, and the others counted.

    Raises
    ------
    InputError
        If sentences differ in number or length, with the first that differs.
    """
    if align:
        return _aligned(gold, preds)
    out = [gold]
    for pred in preds:
        where = first_difference(gold.text, pred.text)
        if where is None:
            out.append(pred)
        elif where.structural is not None:
            raise different(gold, pred, where)
        else:
            out.append(pred.with_notes(_differing(gold, pred, where)))
    return tuple(out)


def _differing(gold: Annotation, pred: Annotation, where: Difference) -> Note:
    g, p = keys_of(gold.text), keys_of(pred.text)
    count = 0
    if g is not None and p is not None and gold.text.tokens and pred.text.tokens:
        for sentence in np.flatnonzero(g != p).tolist():
            pairs = zip(gold.text.tokens[sentence], pred.text.tokens[sentence], strict=True)
            count += sum(a != b for a, b in pairs)
    return tokens_differ(gold, pred, where, count)


def tokens_differ(
    gold: Annotation, pred: Annotation, where: Difference, count: int, base: int = 0
) -> Note:
    """The note on tokens that differ while lengths are the same."""
    one = _unit(gold.text, gold, where.sentence, where.position)
    two = _unit(pred.text, pred, where.sentence, where.position)
    return Note(
        "tokens_differ",
        f"{pred.name}: {gold.unit}s that differ from {gold.name}: {count}, the first in sentence "
        f"{where.sentence + base + 1}, {gold.unit} {where.position + 1}: {two}, in {gold.name} "
        f"{one}; tags are compared by position",
        "warning",
    )


def different(
    gold: Annotation, pred: Annotation, where: Difference, base: int | None = None
) -> InputError:
    """The error for sentences that differ in number or length.

    For parts of files, ``base`` is the number of sentences before them.
    """
    whole, base = base is None, base or 0
    g, p = gold.text, pred.text
    sentence, structural = where.sentence, where.structural or 0
    known = g.tokens is not None and p.tokens is not None
    unit = g.unit if g.unit == "character" or known else "tag"
    parts = []
    if g.n_sentences != p.n_sentences and whole:
        parts.append(
            f"{pred.source}: {p.n_sentences} sentences where {gold.source} has {g.n_sentences}"
        )
    else:
        parts.append(f"{pred.source} and {gold.source} differ in their sentences")
    if sentence >= p.n_sentences or sentence >= g.n_sentences:
        longer, text, other = (gold, g, pred) if g.n_sentences > sentence else (pred, p, gold)
        begin = text.words(sentence, 0, 5)
        shown = f", which begins {begin!r}," if begin else ""
        line = f" (line {int(text.lines[sentence])})" if text.lines is not None else ""
        parts.append(
            f"sentence {sentence + base + 1} of {longer.source}{line}{shown} is past the end of "
            f"{other.source}"
        )
    else:
        parts.append(
            f"the first difference is in sentence {sentence + base + 1}, {unit} "
            f"{where.position + 1}: {_unit(p, pred, sentence, where.position)}, in "
            f"{gold.name} {_unit(g, gold, sentence, where.position)}"
        )
        if structural < min(g.n_sentences, p.n_sentences):
            parts.append(
                f"sentence {structural + base + 1} has {int(p.lengths[structural])} {unit}s, in "
                f"{gold.name} {int(g.lengths[structural])}"
            )
    hint = ""
    if whole and g.tokens is not None and p.tokens is not None:
        hint = " --align works on the sentences whose tokens agree, and counts the others."
    return InputError("; ".join(parts) + "." + hint, code="lengths_differ")


def _unit(text: Text, one: Annotation, sentence: int, position: int) -> str:
    """One token in quotes with its line, or that there is none."""
    if position >= int(text.lengths[sentence]):
        return "none (the sentence has ended)"
    word = text.words(sentence, position, position + 1)
    line = ""
    if text.lines is not None and one.format == "conll":
        line = f" (line {int(text.lines[sentence]) + position})"
    return f"{word!r}{line}" if word else f"one{line}"


def _aligned(gold: Annotation, preds: Sequence[Annotation]) -> tuple[Annotation, ...]:
    if all(first_difference(gold.text, pred.text) is None for pred in preds):
        return (gold, *preds)
    keys = []
    for one in (gold, *preds):
        found = keys_of(one.text)
        if found is None:
            raise InputError(
                f"{one.source}: the tokens are not known, so sentences cannot be aligned; give a "
                "file with a column of tokens.",
                code="lengths_differ",
            )
        keys.append(found)
    kept = np.arange(gold.text.n_sentences)
    partner = []
    for theirs in keys[1:]:
        place = agreeing(keys[0], theirs)
        partner.append(place)
        kept = kept[place[kept] >= 0]
    if not kept.size:
        raise InputError(
            f"{preds[0].source}: no sentence has the same tokens as one of {gold.source}; are they "
            "of the same text?",
            code="lengths_differ",
        )
    out = [_taken(gold, kept, keys[0].size)]
    for pred, place, theirs in zip(preds, partner, keys[1:], strict=True):
        out.append(_taken(pred, place[kept], theirs.size))
    return tuple(out)


def _taken(one: Annotation, which: Ints, size: int) -> Annotation:
    if which.size == size:
        return one.take(which)
    gone = np.setdiff1d(np.arange(size), which)
    first = int(gone[0])
    begin = one.text.words(first, 0, 6)
    return one.take(which).with_notes(
        Note(
            "sentences_left_out",
            f"{one.name}: sentences left out because their {one.unit}s do not agree: {gone.size} "
            f"of {size} (first: sentence {first + 1}, {begin!r})",
            "warning",
        )
    )


def agreeing(gold: Words, pred: Words) -> Ints:
    """For each gold sentence the predicted one of the same tokens, or −1.

    Sentences that occur once on either side, or equally often on both, are paired wherever they
    stand, in order. Others are paired in order between two sentences that occur once.

    Examples
    --------
    >>> gold, pred = np.array([1, 5, 5, 2, 3], np.uint64), np.array([1, 5, 3, 2], np.uint64)
    >>> agreeing(gold, pred).tolist()
    [0, 1, -1, 3, 2]
    """
    out = np.full(gold.size, -1, dtype=np.int64)
    _, joined = np.unique(np.concatenate([gold, pred]), return_inverse=True)
    g, p = joined[: gold.size], joined[gold.size :]
    many = int(joined.max(initial=-1)) + 1
    times_g, times_p = np.bincount(g, minlength=many), np.bincount(p, minlength=many)
    equal = times_g == times_p
    _pair(g, p, equal[g], equal[p], out)
    once = equal & (times_g == 1)
    # Each remaining sentence belongs to the stretch after the last sentence that occurs once.
    before_g, before_p = _stretch(g, once), _stretch(p, once)
    rest_g, rest_p = g + many * before_g, p + many * before_p
    _pair(rest_g, rest_p, ~equal[g], ~equal[p], out)
    return out


def _stretch(codes: Ints, once: np.ndarray) -> Ints:
    anchor = np.where(once[codes], np.arange(codes.size), -1)
    last = np.maximum.accumulate(anchor)
    return np.where(last >= 0, codes[last] + 1, 0)


def _pair(g: Ints, p: Ints, in_g: np.ndarray, in_p: np.ndarray, out: Ints) -> None:
    """The k-th of a number on one side with the k-th on the other."""
    where: dict[int, list[int]] = {}
    for j in np.flatnonzero(in_p)[::-1].tolist():
        where.setdefault(int(p[j]), []).append(j)
    for i in np.flatnonzero(in_g).tolist():
        left = where.get(int(g[i]))
        if left:
            out[i] = left.pop()

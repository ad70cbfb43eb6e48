"""From files to what the labs can open: the pairs of raters in one, the sentences in two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assay.agreement.cells import Cells
from assay.agreement.cohen import cohen
from assay.agreement.inputs import need_raters
from assay.agreement.light import pair_kappas
from assay.agreement.weights import make_weights
from assay.errors import InputError, UsageError, one_of
from assay.estimate import Estimate
from assay.ratings.model import Note, Ratings
from assay.ratings.read import read
from assay.ratings.reductions import Reduced
from assay.report.addresses import MAX_CELL, MAX_LABELS, MAX_NAME, address, cells_text
from assay.report.lab_pairs import pair_in_lab
from assay.report.lab_sentences import Costs, Tagged
from assay.report.pair_order import ranked
from assay.spans.align import Annotation
from assay.spans.corpus import TagRows
from assay.spans.decode import decode
from assay.spans.detect import Written, scheme_of
from assay.spans.encode import encode
from assay.spans.figures import Convention, number
from assay.spans.read import read_pair
from assay.spans.score import Scores
from assay.spans.tokens import compare_tokens
from assay.web.query import BadState
from assay.web.speech import Message, english, lazy
from assay.web.uploads import File, plain_name, saved

LISTED = 200
"""Pairs or sentences that are listed; the others are counted."""


@dataclass(frozen=True, slots=True)
class FoundPair:
    """Two raters of a file: an address in the kappa lab, or the reason why there is none."""

    raters: tuple[str, str]
    items: int
    kappa: Estimate
    address: str | None
    reason: Message | None


@dataclass(frozen=True, slots=True)
class FoundPairs:
    """The pairs of raters in a file, the lowest kappa first; ``more`` are not listed."""

    name: str
    pairs: tuple[FoundPair, ...]
    more: int
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class FoundSentence:
    """A sentence of two files, its number counted from 1; ``f1`` is that of exact matching."""

    number: int
    tokens: tuple[str, ...]
    errors: int
    wrong_tokens: int
    f1: float | None
    address: str | None
    reason: Message | None


@dataclass(frozen=True, slots=True)
class FoundSentences:
    """The sentences of two files, those that cost most first; ``more`` are not listed."""

    gold: str
    pred: str
    sentences: tuple[FoundSentence, ...]
    more: int
    total: int
    with_errors: int
    tp: int
    fp: int
    fn: int
    f1: float | None
    token_accuracy: float | None
    scheme: str
    notes: tuple[Note, ...]


MISFITS = {
    "few_labels": lazy("There is one label only; a table needs two."),
    "many_labels": lazy(
        "More than {most} labels are in use, and the lab holds {most}.", most=MAX_LABELS
    ),
    "fractions": lazy("The cells are not whole numbers of items."),
    "large_cells": lazy("A cell is larger than {most}.", most=MAX_CELL),
    "names": lazy("A name is empty, or longer than {most} characters.", most=MAX_NAME),
    "long": lazy("Its address would be too long."),
}
"""Why the kappa lab cannot hold a pair, by the words of ``kappa_or_why``."""


def pairs_of(files: Sequence[File], *, layout: str | None = None) -> FoundPairs:
    r"""The pairs of raters in a file of ratings, or in several, one a rater.

    ``layout`` is that of :func:`assay.read`, for tables that fit more than one.

    Raises
    ------
    AssayError
        If the files cannot be read, or do not say who gave which rating.
    BadState
        If nothing was sent, or too much.

    Examples
    --------
    >>> found = pairs_of([("votes.csv", b"item,ana,bo\n1,x,x\n2,y,x\n3,y,y\n4,x,x\n")])
    >>> [(pair.raters, pair.kappa.value, pair.address) for pair in found.pairs]
    [(('ana', 'bo'), 0.5, '/lab/kappa?t=2,0;1,1&labels=x,y&raters=ana,bo')]
    """
    with saved(files) as disk:
        ratings = read(disk.paths[0], layout=layout)
        made = _identified(ratings)
        listed: list[int] = []
        if not made.too_many_pairs:
            totals = made.pairs.totals.tolist()
            order = ranked(
                [
                    {"index": i, "items": n, "cohen_kappa": None if k.kappa is None else k.kappa}
                    for i, (n, k) in enumerate(zip(totals, pair_kappas(made), strict=True))
                ]
            )
            listed = [one["index"] for one in order.pairs[:LISTED]]
        found = tuple(_pair(Cells.of_pair(made.pairs, i, made)) for i in listed)
        more = made.too_many_pairs or len(made.pairs) - len(found)
        name = ", ".join(plain_name(name) for name, _ in files)
        return FoundPairs(name, found, more, disk.notes(ratings.reading.notes))


def _identified(ratings: Ratings) -> Reduced:
    """The reductions of ratings of which it is known who gave them."""
    made = Reduced.of(ratings)
    need_raters(made, "the table of two raters")
    return made


def _pair(cells: Cells) -> FoundPair:
    path, why = pair_in_lab(cells)
    kappa = cohen(cells, make_weights("identity", cells.categories))
    return FoundPair(cells.raters, kappa.items, kappa, path, MISFITS[why] if why else None)


def kappa_of_text(text: str) -> str:
    """The address of a table as typed: rows by ; or lines, cells by blanks, commas or tabs.

    Raises
    ------
    UsageError
        If it is no table that the lab can hold; with the row and the cell.

    Examples
    --------
    >>> kappa_of_text("3 47; 53 897")
    '/lab/kappa?t=3,47;53,897'
    """
    lines = [line for line in re.split(r"[;\r\n]+", text) if line.strip(" ,\t")]
    rows = [[cell for cell in re.split(r"[\s,]+", line) if cell] for line in lines]
    if not 2 <= len(rows) <= MAX_LABELS:
        raise UsageError(
            f"--table: {len(rows)} rows; 2 to {MAX_LABELS} are needed, with ; between them, as in "
            '"3 47; 53 897".'
        )
    for i, row in enumerate(rows, 1):
        if len(row) != len(rows):
            raise UsageError(
                f"--table: row {i} has {len(row)} cells, and there are {len(rows)} rows; a table "
                "has the same labels in rows and columns."
            )
        for j, cell in enumerate(row, 1):
            if not re.fullmatch(r"[0-9]{1,9}", cell):
                raise UsageError(
                    f"--table: row {i}, column {j} is {cell[:40]!r}; a whole number from 0 to "
                    f"{MAX_CELL:,} is needed, written in digits."
                )
    return address("/lab/kappa", {"t": cells_text([[int(x) for x in row] for row in rows])})


def kappa_of_file(
    path: Path, raters: tuple[str, str] | None = None, *, layout: str | None = None
) -> str:
    """The address of two raters of a file; of the only two where none are named.

    ``layout`` is that of :func:`assay.read`, for tables that fit more than one.

    Raises
    ------
    AssayError
        If the file cannot be read, the raters are not there or share no item, or the lab
        cannot hold their table; a message that asks for raters names those that there are.
    """
    made = _identified(read(path, layout=layout))
    known = made.raters
    if raters is None:
        if len(known) != 2:
            listed = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
            raise UsageError(
                f"{path.name}: {len(known)} raters, and the lab compares two; --raters with two "
                f"of: {listed}."
            )
        raters = (known[0], known[1])
    a, b = (known.index(one_of(name, known, "--raters")) for name in raters)
    if a == b:
        raise UsageError(f"--raters: {raters[0]!r} twice; two raters are needed.")
    where = np.flatnonzero((made.pairs.raters == sorted((a, b))).all(axis=1))
    if not where.size:
        raise InputError(f"{path.name}: {raters[0]!r} and {raters[1]!r} rated no item in common.")
    cells = Cells.of_pair(made.pairs, int(where[0]), made)
    found, why = pair_in_lab(cells if a < b else cells.transposed())
    if found is None:
        raise InputError(
            f"{path.name}: {raters[0]!r} and {raters[1]!r} do not fit into the lab. "
            f"{english().say(MISFITS[why])} assay agree takes any table."
        )
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Scored:
    """Gold and prediction, read, decoded and scored."""

    sides: tuple[Annotation, ...]
    tagged: Tagged
    scores: Scores

    @classmethod
    def of(cls, gold: Path, pred: Path | None, illegal: str) -> _Scored:
        sides = read_pair(gold, *([] if pred is None else [pred]), unit="token")[:2]
        written = [Written().add(side.rows) for side in sides if side.rows is not None]
        scheme = scheme_of(*written) if written else "BIO"
        rows = [_rows(side, scheme) for side in sides]
        spans = [decode(one, scheme=scheme, illegal=illegal).spans for one in rows]
        text = next((one.text for one in sides if one.text.tokens is not None), sides[0].text)
        return cls(
            sides,
            Tagged(text, rows[0], rows[1], scheme, illegal),
            Scores.of(spans[0], spans[1], text.n_sentences),
        )

    def address(self, sentence: int) -> str:
        """Where the lab opens a sentence, cut where it is too long for it."""
        from assay.web.labs.bio import state_of

        return address("/lab/bio", state_of(*self.tagged.lab(sentence)).query())


def _rows(side: Annotation, scheme: str) -> TagRows:
    """Tags, made of the spans where a source has only those."""
    if side.rows is not None:
        return side.rows
    return replace(TagRows.of(encode(side, scheme=scheme), source=side.name), text=side.text)


def sentences_of(
    gold: Sequence[File], pred: Sequence[File] = (), *, illegal: str = "open"
) -> FoundSentences:
    r"""The sentences of gold and prediction, those that cost most first.

    Without ``pred`` both are columns of one file.

    Raises
    ------
    AssayError
        If the files cannot be read, or are not of the same sentences.
    BadState
        If nothing was sent, or too much.

    Examples
    --------
    >>> found = sentences_of([("g.conll", b"Ana\tB-PER\nslept\tO\n")],
    ...                      [("p.conll", b"Ana\tO\nslept\tO\n")])
    >>> found.sentences[0].errors, found.sentences[0].f1, found.fn
    (1, 0.0, 1)
    """
    with saved(gold, *([pred] if pred else [])) as disk:
        scored = _Scored.of(disk.paths[0], disk.paths[1] if pred else None, illegal)
        scores, tagged = scored.scores, scored.tagged
        columns, table = scores.columns, scores.table(every=False)
        parts = (columns.right("exact"), columns.gold, columns.pred)
        right, of_gold, of_pred = (table[:, part].sum(axis=1) for part in parts)
        figures = Convention().figures(right, of_gold, of_pred)
        costs = Costs.of(scores, tagged.gold, tagged.pred)
        order = costs.order().tolist()
        tp, n_gold, n_pred = int(right.sum()), len(scores.gold), len(scores.pred)
        return FoundSentences(
            disk.told(scored.sides[0].name),
            disk.told(scored.sides[1].name),
            tuple(_sentence(scored, costs, k, number(figures[k, 2])) for k in order[:LISTED]),
            max(0, len(order) - LISTED),
            len(order),
            int(np.count_nonzero(costs.errors)),
            tp,
            n_pred - tp,
            n_gold - tp,
            number(Convention().figures(tp, n_gold, n_pred)[2]),
            compare_tokens(tagged.gold, tagged.pred).accuracy,
            tagged.scheme,
            disk.notes([note for side in scored.sides for note in side.notes]),
        )


def _sentence(scored: _Scored, costs: Costs, k: int, f1: float | None) -> FoundSentence:
    path, reason = None, None
    try:
        path = scored.address(k)
    except BadState as error:
        reason = error.message
    words = tuple(scored.tagged.words(k))
    return FoundSentence(
        k + 1, words, int(costs.errors[k]), int(costs.wrong_tokens[k]), f1, path, reason
    )


def bio_of_files(
    gold: Path, pred: Path | None = None, sentence: int | None = None, *, illegal: str = "open"
) -> str:
    """The address of a sentence, counted from 1, of gold and prediction.

    Without ``pred`` both are columns of one file; without ``sentence`` it is the one with the
    most errors.

    Raises
    ------
    AssayError
        If the files cannot be read, there is no such sentence, or the lab cannot hold it.
    """
    scored = _Scored.of(gold, pred, illegal)
    total = scored.scores.n_sentences
    if not total:
        raise InputError(f"{gold.name}: no sentences.")
    if sentence is None:
        found = int(Costs.of(scored.scores, scored.tagged.gold, scored.tagged.pred).order()[0])
    elif 1 <= sentence <= total:
        found = sentence - 1
    else:
        raise UsageError(
            f"--sentence {sentence}: {gold.name} has the sentences 1 to {total:,}, counted from 1."
        )
    try:
        return scored.address(found)
    except BadState as error:
        raise InputError(f"{gold.name}: {english().say(error.message)}") from None

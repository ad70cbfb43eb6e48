"""From spans back to tag rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.spans.corpus import SpanSet, TagRows, Text
from assay.spans.decode import Decoded, decode, detect_scheme, scheme_named


def encode(spans: Any, text: Any = None, *, scheme: str = "BIO") -> list[list[str]]:
    """Tag rows that say exactly these spans.

    Parameters
    ----------
    spans
        A :class:`~assay.spans.corpus.SpanSet`; what :func:`~assay.spans.decode.decode` or
        :func:`assay.read_spans` returned; or lists of tags, one a sentence, of whatever scheme.
    text
        The text of a span set: a :class:`~assay.spans.corpus.Text`, or lists of tokens, one a
        sentence. The others have their own.
    scheme
        Of the tags to be made.

    Raises
    ------
    InputError
        If spans overlap, have gaps, or touch where the scheme cannot tell them apart.

    Examples
    --------
    >>> from assay.spans.corpus import TagRows
    >>> from assay.spans.decode import decode
    >>> rows = TagRows.of([["B-PER", "I-PER", "B-PER", "O"]])
    >>> encode(decode(rows), scheme="BILOU")
    [['B-PER', 'L-PER', 'U-PER', 'O']]
    >>> encode([["U-PER", "O"]])
    [['B-PER', 'O']]
    >>> encode(SpanSet.of([(0, 0, 1, "PER")]), [["Ana", "slept"]])
    [['B-PER', 'O']]
    """
    spans, text = _taken(spans, text)
    rules = scheme_named(scheme)
    letters = rules.letters
    if spans.overlapping or spans.fragments:
        raise InputError("tags: overlapping or split spans cannot be written as one row of tags.")
    out = [["O"] * int(n) for n in text.lengths]
    previous: tuple[int, int, str] = (-1, -1, "")
    for sentence, start, stop, kind in spans.to_list():
        tail = f"-{kind}" if kind else ""
        touches = previous == (sentence, start, kind)
        row = out[sentence]
        if touches and rules.name == "IO":
            raise InputError(
                f"tags: sentence {sentence + 1}: two {kind} spans touch at token {start + 1}, and "
                "IO cannot tell them apart."
            )
        row[start:stop] = [letters["I"] + tail] * (stop - start)
        if "S" in letters and stop - start == 1:
            row[start] = letters["S"] + tail
        elif "S" in letters:
            row[start], row[stop - 1] = letters["B"] + tail, letters["E"] + tail
        elif rules.name == "BIO" or (rules.name == "IOB1" and touches):
            row[start] = letters["B"] + tail
        elif rules.name == "IOE2":
            row[stop - 1] = letters["E"] + tail
        if rules.name == "IOE1" and touches:
            row[start - 1] = letters["E"] + tail
        previous = (sentence, stop, kind)
    return out


def _taken(spans: Any, text: Any) -> tuple[SpanSet, Text]:
    """The spans and their text, from any of the forms that both may have."""
    if not isinstance(spans, SpanSet):
        own: Text | None = None
        if isinstance(spans, Decoded):
            spans, own = spans.spans, spans.rows.text
        elif getattr(spans, "rows", None) is None and isinstance(
            getattr(spans, "spans", None), SpanSet
        ):
            spans, own = spans.spans, spans.text
        else:
            rows = getattr(spans, "rows", None) if hasattr(spans, "spans") else spans
            rows = rows if isinstance(rows, TagRows) else TagRows.of(spans)
            spans, own = decode(rows, scheme=detect_scheme(rows)).spans, rows.text
        text = own if text is None else text
    if text is None:
        raise UsageError(
            "encode: a span set does not say how long its sentences are; give the text, or lists "
            "of tokens."
        )
    if not isinstance(text, Text):
        text = Text(np.array([len(row) for row in text], dtype=np.int64), text)
    for sentence, _, stop, kind in spans.to_list():
        if sentence >= text.n_sentences or stop > text.lengths[sentence]:
            raise InputError(
                f"tags: sentence {sentence + 1}: {kind} up to {stop} reaches beyond the text."
            )
    return spans, text

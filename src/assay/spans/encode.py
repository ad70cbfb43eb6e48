"""From spans back to tag rows."""

from __future__ import annotations

from assay.errors import InputError
from assay.spans.corpus import SpanSet, Text
from assay.spans.decode import scheme_named


def encode(spans: SpanSet, text: Text, *, scheme: str = "BIO") -> list[list[str]]:
    """Tag rows that say exactly these spans.

    Raises
    ------
    InputError
        If spans overlap, have gaps, or touch where the scheme cannot tell them apart.

    Examples
    --------
    >>> from assay.spans.corpus import TagRows
    >>> from assay.spans.decode import decode
    >>> rows = TagRows.of([["B-PER", "I-PER", "B-PER", "O"]])
    >>> encode(decode(rows).spans, rows.text, scheme="BILOU")
    [['B-PER', 'L-PER', 'U-PER', 'O']]
    """
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

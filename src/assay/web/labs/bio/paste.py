"""Pasted text: two rows of tags, or a block of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import InputError
from assay.spans.corpus import TagRows
from assay.spans.decode import detect_scheme, split_tag
from assay.spans.schemes import SCHEMES
from assay.web.query import BadState, shortened
from assay.web.speech import lazy


@dataclass(frozen=True, slots=True)
class Pasted:
    """A sentence that was pasted.

    Attributes
    ----------
    tokens
        None given: empty.
    gold, pred
        The tags.
    scheme
        The page's if the tags are of it, else the one that they are written in.
    left
        Tokens of further sentences, which are not taken.
    """

    tokens: list[str]
    gold: list[str]
    pred: list[str]
    scheme: str
    left: int


def pasted(text: str, scheme: str) -> Pasted:
    r"""Read what was pasted.

    Raises
    ------
    BadState
        If it is neither two rows of tags nor columns that end in two tags, or if there are
        commas between the tags.

    Examples
    --------
    >>> found = pasted("Ana O O\nslept B-PER O", "BIO")
    >>> found.tokens, found.gold, found.pred
    (['Ana', 'slept'], ['O', 'B-PER'], ['O', 'O'])
    >>> pasted("U-PER O\nO O", "BIO").scheme
    'BILOU'
    """
    sentences: list[list[list[str]]] = [[]]
    for line in text.splitlines():
        fields = line.split()
        if fields and fields[0] != "-DOCSTART-":
            sentences[-1].append(fields)
        elif sentences[-1]:
            sentences.append([])
    lines = [line for sentence in sentences for line in sentence]
    if not lines:
        raise BadState(
            lazy(
                "Nothing was pasted. Two rows of tags, or one line a token with its gold and its "
                "predicted tag at the end."
            ),
            field="paste",
        )
    # The first of three lines may be the words of a sentence.
    for fields in lines[len(lines) == 3 :]:
        _no_comma(fields[-2:])
    left = 0
    if len(lines) in (2, 3) and all(map(_is_tags, lines[-2:])) and _even(lines):
        gold, pred = lines[-2:]
        tokens = lines[0] if len(lines) == 3 else []
    else:
        rows = next(sentence for sentence in sentences if sentence)
        left = len(lines) - len(rows)
        tokens, gold, pred = _columns(rows)
    return Pasted(tokens, gold, pred, _scheme(gold, pred, scheme), left)


def _no_comma(tags: Sequence[str]) -> None:
    """Refuse tags with a comma behind or between them, which would be read as part of a type.

    A comma inside a type is fine: what follows it is no tag.
    """
    for tag in tags:
        parts = [part for part in tag.split(",") if part]
        if "," in tag and parts and all(split_tag(part) for part in parts):
            raise BadState(
                lazy(
                    "The pasted tags have commas between them, as in “{tag}”. Put spaces there "
                    "instead, as in B-PER I-PER O.",
                    tag=shortened(tag),
                ),
                field="paste",
            )


def _is_tags(fields: Sequence[str]) -> bool:
    return all(split_tag(field) is not None for field in fields)


def _even(lines: Sequence[Sequence[str]]) -> bool:
    """Whether these are rows of one length.

    Lines of two tags or three could be columns, too; as rows they are one sentence.
    """
    return len({len(line) for line in lines}) == 1


def _columns(rows: Sequence[Sequence[str]]) -> tuple[list[str], list[str], list[str]]:
    """Words, gold and predicted tags, one line a token."""
    tokens: list[str] = []
    gold: list[str] = []
    pred: list[str] = []
    for number, fields in enumerate(rows, 1):
        if len(fields) < 2 or not _is_tags(fields[-2:]):
            raise BadState(
                lazy(
                    "Pasted line {n}, “{line}”: it has to end in two tags, gold and predicted, "
                    "such as B-PER O. Or paste two lines of equally many tags.",
                    n=number,
                    line=shortened(" ".join(fields)),
                ),
                field="paste",
            )
        tokens += fields[:-2][:1]
        gold.append(fields[-2])
        pred.append(fields[-1])
    # Where some lines have no word, none is taken.
    return (tokens if len(tokens) == len(rows) else []), gold, pred


def _scheme(gold: Sequence[str], pred: Sequence[str], scheme: str) -> str:
    letters = SCHEMES[scheme].letters
    parts = [split_tag(tag) for tag in (*gold, *pred)]
    if all(part is None or part[0] in letters for part in parts):
        return scheme
    try:
        return detect_scheme(*(TagRows.of([list(tags)]) for tags in (gold, pred)))
    except InputError:
        raise BadState(
            lazy("The pasted tags mix letters of different schemes: {schemes}.",
                 schemes=", ".join(SCHEMES)),
            field="paste",
        ) from None  # fmt: skip

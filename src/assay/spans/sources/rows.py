"""One row of tags a line, and tags in lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from assay.errors import InputError
from assay.ratings.model import Note
from assay.spans.corpus import TagRows
from assay.spans.decode import split_tag
from assay.spans.sources.layout import DOCSTART
from assay.spans.sources.load import Loaded


def looks_like_rows(head: bytes, source: str = "tags") -> bool:
    r"""Whether each line is a row of tags, and not a token with its columns.

    Lines of tags alone are rows where they differ in length, and where a blank line follows each;
    where all have the same length, they are two columns if blank lines part them into sentences.

    Raises
    ------
    InputError
        If three or more columns of tags and rows of tags both fit.

    >>> looks_like_rows(b"O O B-PER\nB-LOC O\n"), looks_like_rows(b"O O\nB-X B-X\n\nO O\n")
    (True, False)
    >>> looks_like_rows(b"O O B-PER\n\nB-PER O O\n")
    True
    """
    every = head.split(b"\n")
    if len(head) >= 1 << 14 and len(every) > 1:
        every.pop()
    lines = [line.split() for line in every if line.strip()]
    data = [row for row in lines if not row[0].startswith((b"#", DOCSTART))]
    if not data:
        return False
    widths = Counter(map(len, data))
    if set(widths) == {1}:
        return False
    tags = {tag.decode("utf-8", "replace") for row in data for tag in row}
    if not all(split_tag(tag) or split_tag(tag, suffix=True) for tag in tags):
        return False
    if len(widths) > 1:
        return True
    while every and not every[-1].strip():
        every.pop()
    filled = [bool(line.strip()) for line in every]
    if all(filled):
        return True
    if not any(a and b for a, b in pairwise(filled)):
        return True
    if max(widths) > 2:
        raise InputError(
            f"{source}: lines of {max(widths)} tags in groups between blank lines: rows of tags, "
            "or columns of tags without tokens; say which: --format rows or --format conll.",
            code="ambiguous_layout",
        )
    return False


def read_rows(loaded: Loaded, *, ends: bool = True) -> tuple[TagRows, tuple[Note, ...]]:
    """Read tags, separated by white space, one sentence a line.

    A blank line inside the file is a sentence without tokens. ``ends`` says whether the file ends
    here, so that blank lines at the end are nothing.

    Raises
    ------
    InputError
        If there are no tags.
    """
    lines = loaded.data.decode("utf-8", "surrogatepass").split("\n")
    if not ends:
        lines.pop()
    while ends and lines and not lines[-1].strip():
        lines.pop()
    rows = [line.split() for line in lines]
    if ends and not any(rows):
        raise InputError(f"{loaded.source}: no tags.")
    empty = sum(not row for row in rows)
    notes = [Note("format", "read as one row of tags a line, without tokens")]
    if empty:
        notes.append(Note("empty_lines", f"blank lines taken as sentences of no token: {empty}"))
    return TagRows.of(rows, source=loaded.source), tuple(notes)


def tag_rows(
    rows: Sequence[Sequence[Any]],
    *,
    tokens: Sequence[Sequence[str]] | None = None,
    tag_names: Sequence[str] | None = None,
    source: str = "memory",
    places: Sequence[str] | None = None,
) -> TagRows:
    """Tag rows from lists of tags, or of integers with their names.

    Raises
    ------
    InputError
        If a tag is neither text nor the number of a name, or tokens and tags differ in number.

    Examples
    --------
    >>> tag_rows([[1, 2, 0]], tag_names=["O", "B-PER", "I-PER"]).rows()
    [['B-PER', 'I-PER', 'O']]
    """

    def where(i: int) -> str:
        return places[i] if places else f"{source}: sentence {i + 1}"

    plain = [list(row) for row in rows]
    for i, row in enumerate(plain):
        if all(type(tag) is str for tag in row):
            continue
        for j, tag in enumerate(row):
            if not isinstance(tag, str):
                row[j] = _named(tag, tag_names, f"{where(i)}, token {j + 1}")
    if tokens is not None:
        for i, (row, words) in enumerate(zip(plain, tokens, strict=True)):
            if len(row) != len(words):
                raise InputError(
                    f"{where(i)}: {len(row)} tags for {len(words)} tokens; one tag a token is "
                    "needed.",
                    code="lengths_differ",
                )
    return TagRows.of(plain, tokens=tokens, source=source)


def _named(tag: Any, names: Sequence[str] | None, where: str) -> str:
    try:
        number = int(tag)
        whole = number == tag and not isinstance(tag, bool)
    except (TypeError, ValueError):
        whole = False
    if not whole:
        raise InputError(f"{where}: {tag!r} is no tag; a text such as B-PER or O is needed.")
    if names is None:
        raise InputError(
            f"{where}: the tag is the number {tag}; give the tags' names in the order of their "
            "numbers, for example --tag-names O,B-PER,I-PER.",
            code="tag_names",
        )
    if not 0 <= number < len(names):
        raise InputError(
            f"{where}: the tag is the number {tag}, and the {len(names)} names given are numbered "
            f"from 0 to {len(names) - 1}.",
            code="tag_names",
        )
    return names[number]

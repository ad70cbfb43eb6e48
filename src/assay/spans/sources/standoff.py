"""Brat's standoff format: a text file, and a file of entities with the same name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.errors import InputError, ReadingError
from assay.ratings.model import Note
from assay.spans.sources.load import found_encoding, load
from assay.spans.sources.offsets import RawSpan, Record, Standoff

_ENTITY = re.compile(r"(T\S*)\t(\S+) (-?\d+ -?\d+(?:;-?\d+ -?\d+)*)(?:\t(.*))?")
KINDS = {
    "R": "relations",
    "*": "equivalences",
    "E": "events",
    "A": "attributes",
    "M": "attributes",
    "N": "normalisations",
    "#": "notes",
}


def looks_like_brat(head: bytes) -> bool:
    r"""Whether a text's first line is one of brat's.

    >>> looks_like_brat(b"T1\tTerm 0 6;17 21\tUpper- case\n"), looks_like_brat(b"T1\tO\n")
    (True, False)
    """
    first = head.lstrip().partition(b"\n")[0].rstrip(b"\r").decode("utf-8", "replace")
    return bool(_ENTITY.fullmatch(first) or re.match(r"[REAMN#]\d+\t\S+ \S|\*\t\S+ T\d", first))


def entities(content: str, source: str) -> tuple[tuple[RawSpan, ...], Counter[str]]:
    r"""The entities of an annotation file, and how many other lines of each kind there are.

    Raises
    ------
    InputError
        If a line is not of the format.

    Examples
    --------
    >>> found, others = entities("T1\tTerm 0 6;17 21\tUpper- case\nR1\tEquiv Arg1:T1 Arg2:T2\n", "")
    >>> found[0].pieces, dict(others)
    (((0, 6), (17, 21)), {'relations': 1})
    """
    spans = []
    others: Counter[str] = Counter()
    for number, whole in enumerate(content.split("\n"), 1):
        line = whole.rstrip("\r")
        if not line.strip():
            continue
        if not line.startswith("T"):
            if line[0] not in KINDS:
                raise _not_brat(source, number, line)
            others[KINDS[line[0]]] += 1
            continue
        match = _ENTITY.fullmatch(line)
        if match is None:
            raise _not_brat(source, number, line)
        name, label, places, quoted = match.groups()
        pieces = tuple((int(a), int(b)) for a, b in (p.split() for p in places.split(";")))
        spans.append(RawSpan(pieces, label, quoted, name))
    return tuple(spans), others


def _not_brat(source: str, number: int, line: str) -> InputError:
    return InputError(
        f"{source}, line {number}: not of the brat format: {line[:60]!r}; an entity is written "
        "as its name, a tab, type, start and end with blanks between, a tab, and the text.",
        code="malformed_record",
    )


def read_brat(
    path: Path,
    *,
    encoding: str | None = None,
    texts: Mapping[str, str] | None = None,
) -> Standoff:
    """Read one pair of files, or a folder of pairs.

    Parameters
    ----------
    path
        An .ann file, its .txt file, or a folder.
    texts
        Texts by name, for annotations without a text file of their own.

    Raises
    ------
    ReadingError
        If there is no annotation file.
    """
    if path.is_dir():
        files = sorted(path.rglob("*.ann"))
        if not files:
            raise ReadingError(f"{path}: no .ann files in this folder.")
        names = [file.relative_to(path).with_suffix("").as_posix() for file in files]
    else:
        files, names = [path.with_suffix(".ann") if path.suffix == ".txt" else path], [path.stem]
    records = []
    others: Counter[str] = Counter()
    missing = []
    for file, name in zip(files, names, strict=True):
        spans, more = entities(_content(file, encoding), str(file))
        others += more
        own = file.with_suffix(".txt")
        text = None
        if own.is_file() and own != file:
            text = _content(own, encoding)
        elif texts is not None and (name in texts or len(texts) == len(files) == 1):
            text = texts[name] if name in texts else next(iter(texts.values()))
        else:
            missing.append(own.name)
        records.append(Record(str(file), text, spans, name=name))
    split = sum(len(span.pieces) > 1 for record in records for span in record.spans)
    return Standoff(
        tuple(records), str(path), "brat", _notes(len(files), others, missing, split, path.name)
    )


def _content(file: Path, encoding: str | None) -> str:
    """A file's text with its line ends, "" where it is empty."""
    found_encoding(file, encoding)
    if not file.stat().st_size:
        return ""
    with file.open("rb") as head:
        if not head.read(1 << 16).strip() and file.stat().st_size < 1 << 16:
            return file.read_bytes().decode("utf-8", "replace")
    return load(file, encoding).data.decode("utf-8", "surrogatepass")


def _notes(
    n: int, others: Counter[str], missing: Sequence[str], split: int, name: str
) -> tuple[Note, ...]:
    word = "one file" if n == 1 else f"{n} files"
    notes = [Note("format", f"read as brat standoff ({word})")]
    if others:
        shown = ", ".join(f"{kind} {count}" for kind, count in sorted(others.items()))
        notes.append(Note("not_entities", f"lines that are no entities, left out: {shown}"))
    if split:
        notes.append(
            Note(
                "split_spans",
                f"spans of several pieces: {split}; two are the same only if all pieces are",
            )
        )
    if missing:
        notes.append(
            Note(
                "no_text",
                f"{name}: no text beside the annotations: {len(missing)} (first: {missing[0]}); "
                "offsets are not checked",
                "warning",
            )
        )
    return tuple(notes)

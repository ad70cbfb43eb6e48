"""Open a source by what it contains, never by its name alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assay.errors import InputError, ReadingError, UsageError, one_of
from assay.ratings.model import Note
from assay.spans.align import Annotation
from assay.spans.corpus import TagRows
from assay.spans.frames import library, records_of_frame
from assay.spans.sources.columns import read_columns
from assay.spans.sources.jsonl import looks_like_json, records_of
from assay.spans.sources.layout import Column
from assay.spans.sources.load import Loaded, load, one_path
from assay.spans.sources.memory import from_objects
from assay.spans.sources.offsets import Standoff
from assay.spans.sources.parquet import is_parquet, parquet_records
from assay.spans.sources.records import Found
from assay.spans.sources.rows import looks_like_rows, read_rows
from assay.spans.sources.standoff import looks_like_brat, read_brat
from assay.spans.sources.texts import join_rows

FORMATS = {
    "conll": "one token a line in columns; CoNLL-U too",
    "rows": "one row of tags a line",
    "jsonl": "JSON lines: tokens and tags, or a text and spans",
    "json": "a list of such records, lists of tags, or a Label Studio export",
    "parquet": "Parquet with one row a sentence, the columns named as the fields of JSON records",
    "brat": "brat standoff: .ann beside .txt, or a folder of them",
}
_HEAD = 1 << 14


@dataclass(frozen=True, slots=True)
class Options:
    """How to read a source; see :func:`assay.spans.read.read_spans`."""

    format: str | None = None
    columns: tuple[Column | None, ...] = (None,)
    token_column: Column | None = None
    encoding: str | None = None
    tag_names: Sequence[str] | None = None
    inclusive: bool = False
    separated: bool = False
    texts: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """What a source holds: tag rows, one a column, or texts with spans.

    ``ready`` is what was read before.
    """

    name: str
    format: str
    rows: tuple[TagRows, ...] = ()
    standoff: Standoff | None = None
    notes: tuple[Note, ...] = field(default=())
    in_tokens: bool = False
    ready: Annotation | None = None


def open_source(source: Any, options: Options, *, name: str = "memory") -> Opened:
    """Open a file, a folder, several files, or an object.

    Raises
    ------
    ReadingError
        If a file does not exist or is of no known format.
    """
    if options.format is not None:
        one_of(options.format, FORMATS, "format")
    if isinstance(source, Annotation):
        title = name if source.name == "memory" else source.name
        rows = () if source.rows is None else (source.rows,)
        ready = replace(source, name=title)
        return Opened(title, source.format, rows, notes=source.notes, ready=ready)
    if isinstance(source, TagRows):
        return Opened(name if source.source == "memory" else source.source, "memory", (source,))
    if isinstance(source, str | Path):
        return _open_path(one_path(source), options)
    if isinstance(source, Mapping):
        source = [source]
    if library(source) is not None:
        kind = f"{library(source)} frame"
        rows_of = records_of_frame(source, options.columns)
        places = [(f"{kind}, row {k}", record) for k, record in enumerate(rows_of, 1)]
        return open_records(places, name, "frame", kind, options)
    if not isinstance(source, Sequence):
        if not hasattr(source, "__iter__"):
            raise UsageError(
                f"spans: {type(source).__name__} found; the name of a file, or a list of sentences "
                "is needed."
            )
        source = list(source)
    if source and all(isinstance(part, str | Path) for part in source):
        return _open_files([one_path(part) for part in source], options)
    places = [(f"{name}: sentence {i}", row) for i, row in enumerate(source, 1)]
    return open_records(places, name, "memory", "lists", options)


def _open_path(path: Path, options: Options) -> Opened:
    if path.is_dir():
        return _open_folder(path, options)
    if options.format == "brat" or path.suffix == ".ann":
        return _brat(path, options)
    if is_parquet(path, options.format):
        records = parquet_records(path, options.columns)
        opened = open_records(records, str(path), "parquet", "Parquet", options)
        return replace(opened, name=path.name)
    loaded = load(path, options.encoding)
    head = loaded.data[:_HEAD]
    kind = options.format
    if kind is None:
        if looks_like_json(head):
            kind = "json"
        elif looks_like_brat(head) or _beside_annotations(path):
            return _brat(path, options)
        else:
            # A column that is named by its place says that there are columns.
            named = any(isinstance(c, int) and c != -1 for c in options.columns)
            kind = "rows" if not named and looks_like_rows(head, str(path)) else "conll"
    return _read(path, loaded, kind, options)


def _beside_annotations(path: Path) -> bool:
    """Whether a text has a file of annotations beside it."""
    return path.suffix == ".txt" and path.with_suffix(".ann").is_file()


def _read(path: Path, loaded: Loaded, kind: str, options: Options) -> Opened:
    """A loaded file of a format."""
    if kind == "conll":
        rows, notes, label = read_columns(
            loaded,
            options.columns,
            token_column=options.token_column,
            separated=options.separated,
        )
        return Opened(path.name, label, rows, notes=(*loaded.notes, *notes))
    if kind == "rows":
        if options.separated:
            raise InputError(
                f"{path}: one row of tags a line; gold and prediction are two files. Name the "
                "other file too.",
                code="one_column",
            )
        one, notes = read_rows(loaded)
        return Opened(path.name, "rows", (one,), notes=(*loaded.notes, *notes))
    records, label = records_of(loaded)
    opened = open_records(
        records, str(path), "jsonl" if label == "JSON lines" else "json", label, options
    )
    return replace(opened, name=path.name, notes=(*loaded.notes, *opened.notes))


def open_records(
    records: list[tuple[str, Any]],
    source: str,
    kind: str,
    label: str,
    options: Options,
) -> Opened:
    """One field of the records for each column asked for."""
    _check_sides(records, source, options)
    founds: list[Found] = []
    names = ("gold", *["pred"] * (len(options.columns) - 1))
    for asked, usual in zip(options.columns, names, strict=True):
        column = usual if asked is None and len(names) > 1 else asked
        if column is not None and not isinstance(column, str):
            raise UsageError(
                f"column: {column} is a position; {source} has fields with names, such as tags."
            )
        token = options.token_column
        founds.append(
            from_objects(
                records,
                source=source,
                format=label,
                column=column,
                token_column=token if isinstance(token, str) else None,
                tag_names=options.tag_names,
                inclusive=options.inclusive,
            )
        )
    rows = tuple(found.rows for found in founds if found.rows is not None)
    if len(rows) == len(founds):
        return Opened(source, kind, rows, notes=founds[0].notes)
    if len(founds) > 1:
        raise InputError(
            f"{source}: gold and prediction in one record are read as tags only; give spans in "
            "two files."
        )
    kind = "label-studio" if _format_of(founds[0]) == "label-studio" else kind
    return Opened(source, kind, (), founds[0].standoff, founds[0].notes, founds[0].in_tokens)


def _check_sides(records: list[tuple[str, Any]], source: str, options: Options) -> None:
    """Refuse one list of tags where gold and prediction are looked for."""
    if len(options.columns) > 1 and not any(_has_fields(record) for _, record in records):
        raise UsageError(
            f"{source}: one list of tags or spans; gold and at least one prediction are needed, "
            "each a list or file of its own.",
            code="one_column",
        )


def _has_fields(record: Any) -> bool:
    if isinstance(record, list | tuple):
        return len(record) == 2 and isinstance(record[1], Mapping)
    return isinstance(record, Mapping)


def _format_of(found: Found) -> str:
    return found.standoff.format if found.standoff is not None else ""


def _brat(path: Path, options: Options) -> Opened:
    found = read_brat(path, encoding=options.encoding, texts=options.texts)
    return Opened(path.name, "brat", (), found)


def _open_folder(path: Path, options: Options) -> Opened:
    """A folder of brat pairs, or of other files, one document each, by name."""
    if options.format in (None, "brat") and next(path.rglob("*.ann"), None) is not None:
        return _brat(path, options)
    files = sorted(f for f in path.iterdir() if f.is_file() and not f.name.startswith("."))
    if not files:
        raise ReadingError(f"{path}: the folder has no files.")
    opened = _open_files(files, options)
    return replace(opened, name=path.name)


def _open_files(paths: Sequence[Path], options: Options) -> Opened:
    """Several files, one after the other; each is a document at least."""
    parts = [_open_path(path, options) for path in paths]
    if len(parts) == 1:
        return parts[0]
    kinds = sorted({part.format for part in parts})
    names = f"{parts[0].name}, …, {parts[-1].name}"
    if len({bool(part.rows) for part in parts}) > 1 or any(part.in_tokens for part in parts):
        raise InputError(
            f"{paths[0]}: files of several kinds together ({', '.join(kinds)}); all of them have "
            "to hold tags, or all spans of characters."
        )
    notes: dict[tuple[str, str], Note] = {(n.code, n.message): n for p in parts for n in p.notes}
    many = (*notes.values(), Note("files", f"{len(parts)} files, one after the other: {names}"))
    if parts[0].rows:
        columns = range(len(parts[0].rows))
        joined = tuple(join_rows([part.rows[k] for part in parts], names) for k in columns)
        return Opened(names, kinds[0], joined, notes=many)
    found = [part.standoff for part in parts if part.standoff is not None]
    records = []
    for path, one in zip(paths, found, strict=True):
        records += [
            replace(r, name=f"{path.stem}:{r.name}") if r.name and len(one.records) > 1 else r
            for r in one.records
        ]
    own = {(n.code, n.message): n for one in found for n in one.notes}
    standoff = Standoff(tuple(records), names, kinds[0], tuple(own.values()))
    return Opened(names, kinds[0], (), standoff, many)

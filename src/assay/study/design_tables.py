"""The items of a design, from the tables that its file names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AssayError, ReadingError
from assay.ratings.sources.detect import open_file
from assay.study.design import MAX_ITEMS, MAX_SYSTEMS, MAX_TEXT, Dimension, Item
from assay.study.design_dimensions import gold_of
from assay.study.design_fields import Fields, near, shown

MAX_BYTES = 256 * 1024 * 1024
"""The largest table that is read."""

KEYS = ("key", "item", "id", "item_id")
"""Columns that are taken for the items' names where the design names none."""


SYSTEM_FIELDS = ("file", "key", "output", "delimiter", "encoding")
"""What ``[systems.NAME]`` may say."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table in memory."""

    path: Path
    names: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    notes: tuple[str, ...]

    def place(self, row: int) -> str:
        return f"{self.path.name}, row {row + 1}"


@dataclass(slots=True)
class Rows:
    """What the rows of one table say of the items, before all tables are read."""

    texts: dict[str, str]
    outputs: dict[str, dict[str, str]]
    strata: dict[str, str]
    gold: dict[str, dict[str, Any]]
    systems: tuple[str, ...]
    notes: tuple[str, ...]
    where: dict[str, str]


def sheet_of(table: Fields, folder: Path, default: str = "") -> Sheet:
    """Read the table that a field ``file`` names, relative to the design."""
    name = table.text("file", default, needed=not default, most=1000)
    # A tab is white space, which text() would take away.
    delimiter: str | None = table.get("delimiter", str)
    encoding = table.text("encoding", most=50) or None
    path = folder / name
    try:
        if path.is_dir():
            table.wrong("file", f"{name} is a folder; a CSV or JSONL file is needed.")
        if path.exists() and path.stat().st_size > MAX_BYTES:
            table.wrong("file", f"{name} is larger than {MAX_BYTES // 2**20} MB.")
        grid = open_file(path, delimiter=delimiter, encoding=encoding)
        if grid.n_rows > MAX_ITEMS * MAX_SYSTEMS:
            table.wrong("file", f"{name} has {grid.n_rows:,} rows, more than a study can have.")
        rows = grid.head(grid.n_rows)
    except ReadingError as error:
        if error.code == "bad_design":
            raise
        table.wrong("file", _as_fields(str(error)), code=error.code)
    except AssayError as error:
        table.wrong("file", _as_fields(str(error)))
    notes = tuple(f"{name}: {n.message}" for n in grid.about.notes if n.level == "warning")
    return Sheet(path, grid.names, rows, notes)


def _as_fields(message: str) -> str:
    """What a reader says of a command's options, as fields of a design.

    >>> _as_fields("for example --encoding cp1252 or --encoding latin-1; set by --delimiter.")
    'for example encoding = "cp1252" or encoding = "latin-1"; set by delimiter.'
    """
    named = re.sub(r"--(encoding) ([\w-]*\w)", r'\1 = "\2"', message)
    return re.sub(r"--(encoding|delimiter)\b", r"\1", named)


def read_rows(table: Fields, folder: Path) -> Rows:
    """Read a table of items: one row an item, or one an item and system."""
    sheet = sheet_of(table, folder)
    at = {name: place for place, name in enumerate(sheet.names)}

    def column(key: str) -> str:
        return _column(table, key, sheet)

    key = column("key") or next((name for name in KEYS if name in at), "")
    contexts = _contexts(table, sheet)
    system, output, nested = column("system"), column("output"), column("outputs")
    wide = tuple(table.listed("systems", str, MAX_SYSTEMS))
    for place, name in enumerate(wide):
        if name not in at:
            inner = table.inside("systems")
            inner.wrong(place, f"{sheet.path.name} has no column {name!r}{near(name, at)}")
    if len(set(wide)) < len(wide):
        table.wrong("systems", "a system is named twice.")
    if system and not output:
        table.wrong("output", "is needed beside system: the column of the outputs.")
    if sum(map(bool, (system, wide, nested))) > 1 or (output and (wide or nested)):
        table.wrong("systems", "outputs are in columns (systems), in rows (system, output) or in a "
                    "record (outputs): one of the three.")  # fmt: skip
    stratum = column("stratum")
    gold = {k: str(v) for k, v in table.get("gold", dict, {}).items()}
    for what, name in gold.items():
        if name not in at:
            table.inside("gold").wrong(
                what, f"{sheet.path.name} has no column {name!r}{near(name, at)}"
            )
    rows = Rows({}, {}, {}, {}, wide, sheet.notes, {})
    names: dict[str, None] = dict.fromkeys(wide)
    for number, row in enumerate(sheet.rows):
        if all(cell is None for cell in row):
            continue
        where = sheet.place(number)

        def cell(field: str, name: str, row: tuple[Any, ...] = row, where: str = where) -> str:
            return _text(table, field, row[at[name]], where)

        item = cell("key", key).strip() if key else str(number + 1)
        if not item:
            table.wrong("key", f"{where} has no {key}; each item needs one.")
        again = item in rows.texts
        if again and not system:
            table.wrong("key", f"{where}: {item!r} is the {key} of an earlier row as well.")
        text = _joined(contexts, [cell("context", name) for name in contexts])
        if again and rows.texts[item] != text:
            table.wrong("context", f"{where}: item {item!r} has another context before.")
        rows.texts[item] = text
        rows.where.setdefault(item, where)
        if stratum:
            rows.strata[item] = cell("stratum", stratum).strip()
        given: dict[str, Any] = {}
        if system:
            given = {cell("system", system).strip(): row[at[output]]}
        elif nested:
            given = _record(table, row[at[nested]], where)
        elif wide:
            given = {name: row[at[name]] for name in wide}
        elif output:
            given = {"": row[at[output]]}
        for name, value in given.items():
            if name in rows.outputs.get(item, {}):
                table.wrong("system", f"{where}: item {item!r} has an output of {name!r} already.")
            if system and not name:
                table.wrong("system", f"{where} has no system.")
            names.setdefault(name)
            if value is not None:
                field = "outputs" if nested else "systems" if wide else "output"
                rows.outputs.setdefault(item, {})[name] = _text(table, field, value, where)
        for what, name in gold.items():
            right = row[at[name]]
            if right is not None:
                before = rows.gold.setdefault(item, {}).setdefault(what, right)
                if before != right:
                    table.inside("gold").wrong(what, f"{where}: {item!r} has another one before.")
    names.pop("", None)
    rows.systems = tuple(names)
    return rows


def _column(table: Fields, key: str, sheet: Sheet) -> str:
    """The column that a field names; "" where it names none."""
    name = table.text(key, most=500, lines=True)
    if name and name not in sheet.names:
        table.wrong(
            key,
            f"{sheet.path.name} has no column {name!r}{near(name, sheet.names)} "
            f"It has: {', '.join(sheet.names[:30])}.",
        )
    return name


def _contexts(table: Fields, sheet: Sheet) -> tuple[str, ...]:
    """The columns of the context: one name or a list."""
    raw = table.table.get("context", [])
    names = [table.text("context", most=500, lines=True)] if isinstance(raw, str) else None
    listed = table.listed("context", str, 50) if names is None else names
    for place, name in enumerate(listed):
        if name not in sheet.names:
            what = f"{sheet.path.name} has no column {name!r}{near(name, sheet.names)}"
            if names is None:
                table.inside("context").wrong(place, what)
            table.wrong("context", what)
    return tuple(listed)


def _joined(names: tuple[str, ...], texts: list[str]) -> str:
    """One column as it is; several as paragraphs under their names."""
    if len(names) == 1:
        return texts[0]
    return "\n\n".join(f"{name}: {text}" for name, text in zip(names, texts, strict=True) if text)


def _text(table: Fields, field: str, cell: Any, where: str) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, Mapping | list | tuple):
        what = "a record" if isinstance(cell, Mapping) else "a list"
        table.wrong(field, f"{where}: a text is needed, not {what}.")
    return str(cell)


def _record(table: Fields, cell: Any, where: str) -> dict[str, Any]:
    """The outputs of one row by system; none where the cell is empty."""
    if cell is None:
        return {}
    if not isinstance(cell, Mapping):
        what = "a list" if isinstance(cell, list | tuple) else shown(cell)
        table.wrong("outputs", f"{where}: a record {{system: text}} is needed, not {what}.")
    return {str(name): value for name, value in cell.items()}


def add_systems(fields: Fields, folder: Path, rows: Rows) -> None:
    """Read ``[systems.NAME]``: a file of outputs for each system."""
    names: dict[str, Any] = fields.get("systems", dict, {})
    inner = fields.inside("systems")
    if len(names) > MAX_SYSTEMS:
        fields.wrong("systems", f"{len(names)} systems; at most {MAX_SYSTEMS} are taken.")
    for name in names:
        inner.get(name, dict)
        table = inner.inside(name)
        table.get("output", str, needed=True)
        for key in table.table:
            if key not in SYSTEM_FIELDS:
                table.wrong(key, f"a system's table has only {', '.join(SYSTEM_FIELDS)}.")
        own = read_rows(table, folder)
        if name in rows.systems:
            inner.wrong(name, "has outputs in the file of items as well.")
        for item, outputs in own.outputs.items():
            if item not in rows.texts:
                table.wrong(
                    "key",
                    f"{own.where[item]}: the file of items has no item {item!r}"
                    f"{near(item, rows.texts)}",
                )
            rows.outputs.setdefault(item, {})[name] = outputs.get("", "")
        rows.systems = (*rows.systems, name)
        rows.notes = (*rows.notes, *own.notes)
    inner.done()


def items_of(
    table: Fields,
    rows: Rows,
    systems: tuple[str, ...],
    dimensions: tuple[Dimension, ...],
    *,
    apart: str = "",
) -> tuple[Item, ...]:
    """The items, complete or refused; ``apart`` is what one is called that is no data.

    Such an item needs a right answer, and may do without some outputs.
    """
    partly: bool = table.get("allow_missing", bool, bool(apart))
    found = []
    if not rows.texts:
        table.wrong("file", "has no items.")
    if len(rows.texts) > MAX_ITEMS:
        table.wrong("file", f"has {len(rows.texts):,} items; at most {MAX_ITEMS:,} are taken.")
    known = {d.key: d for d in dimensions}
    inner = table.inside("gold")
    for what in inner.table:
        inner.known(what, what, known)
    for key, context in rows.texts.items():
        outputs = rows.outputs.get(key, {})
        where = rows.where[key]
        if not outputs and not systems:
            outputs = {"": ""}
        missing = [name for name in systems if name not in outputs]
        if missing and not partly:
            table.wrong(
                "systems",
                f"{where}: item {key!r} has no output of {missing[0]}. Fill it in, or say "
                "allow_missing = true to leave such outputs out.",
            )
        for text in (context, *outputs.values()):
            if len(text) > MAX_TEXT:
                table.wrong("file", f"{where}: a text of {len(text):,} characters; at most "
                            f"{MAX_TEXT:,} are taken.")  # fmt: skip
        blank = [name for name, text in outputs.items() if not (text.strip() or context.strip())]
        if blank:
            output = f"output of {blank[0]}" if blank[0] else "output"
            table.wrong(
                "context",
                f"{where}: a rater would see nothing of item {key!r}, which has neither a context "
                f"nor an {output}. Name the column of its text.",
            )
        gold = {}
        for what, value in rows.gold.get(key, {}).items():
            try:
                gold[what] = gold_of(known[what], value, systems)
            except ValueError as error:
                inner.wrong(what, f"{where}: {value!r}: {error}.")
        if apart and not gold:
            inner.wrong(
                "",
                f"{where}: {apart} {key!r} has no right answer; name its column, as in "
                f'gold.{next(iter(known))} = "expected".',
            )
        check, stratum = apart == "check", rows.strata.get(key, "")
        found.append(Item(key, context, outputs, stratum, gold or None, check))
    return tuple(found)

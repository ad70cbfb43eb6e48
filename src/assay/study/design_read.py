"""A design from its file: TOML, with the tables it names beside it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from assay.errors import ReadingError
from assay.study.assign_limits import unanswerable
from assay.study.design import (
    GROUPS,
    LANGUAGES,
    MAX_ITEMS,
    MAX_RATERS,
    MAX_SYSTEMS,
    TIE,
    Design,
    Dimension,
    Item,
    Qualification,
    RaterSpec,
)
from assay.study.design_dimensions import read_dimensions
from assay.study.design_fields import Fields, near, shown
from assay.study.design_lines import again_in, lines_of
from assay.study.design_tables import add_systems, items_of, read_rows

MAX_BYTES = 4 * 1024 * 1024
"""The largest design file."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
NAME_RULE = "letters, digits, - and _ are taken, at most 60, as in a file's name"
RATER = 100
"""Characters of a rater's name."""
APART = {"checks": "check", "qualification": "test item"}
"""Tables of items that are no data, with what one of these is called."""
PAGES = 50_000
"""Characters of instructions or of the consent."""


def read_design(path: str | Path) -> Design:
    """Read a design file and the tables it names.

    Parameters
    ----------
    path
        A TOML file; files in it are relative to its folder.

    Raises
    ------
    ReadingError
        If something in it is wrong; the line and the field are named.
    """
    path = Path(path)
    text = _content(path)
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"{path}{_malformed(text, error)}", code="bad_design") from None
    fields = Fields(str(path), lines_of(text), table)
    return _design(fields, path.parent)


def _malformed(text: str, error: Exception) -> str:
    """Where a text is no TOML, and why; the parser does not say which key is there twice."""
    if isinstance(error, RecursionError):
        return ": not TOML: brackets in brackets, too many."
    if not isinstance(error, tomllib.TOMLDecodeError):
        return ": not TOML: a number has too many digits."
    place = re.search(r"line (\d+), column (\d+)", str(error))
    rows = text.split("\n")
    # Without a number it is "at end of document".
    line, column = (int(place[1]), int(place[2])) if place else (len(rows), len(rows[-1]) + 1)
    what = re.sub(r" \(at [^)]*\)$", "", str(error))
    if what.startswith(("Cannot overwrite", "Cannot declare", "Duplicate")):
        twice = again_in("\n".join([*rows[: line - 1], rows[line - 1][: column - 1]]))
        if twice is not None:
            name, line, first = twice
            return f", line {line}: {name}: is there already, on line {first}; each stands once."
    return f", line {line}: not TOML: {what}."


def _content(path: Path) -> str:
    if not path.exists():
        close = near(path.name, [p.name for p in path.parent.glob("*.toml")])
        hint = close.removeprefix("; ").capitalize() if close != "." else ""
        raise ReadingError(
            f"{path}: there is no such file. {hint or 'assay study new writes one.'}",
            code="no_such_file",
        )
    raw = path.read_bytes()
    if raw.startswith(b"SQLite format 3\x00"):
        raise ReadingError(
            f"{path}: a database, not a design; where it is that of a study, what it holds is said "
            f"by: assay study analyse {path}.",
            code="bad_design",
        )
    if len(raw) > MAX_BYTES:
        raise ReadingError(
            f"{path}: larger than {MAX_BYTES // 2**20} MB; items belong into a table of their own.",
            code="bad_design",
        )
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ReadingError(f"{path}, line {line}: not UTF-8.", code="encoding") from None


def _design(fields: Fields, folder: Path) -> Design:
    name = fields.text("name", needed=True)
    if not NAME.fullmatch(name):
        fields.wrong("name", f"{name!r}: {NAME_RULE}.")
    language = fields.one_of("language", LANGUAGES, "en")
    if "items" not in fields.table:
        fields.get("items", dict, needed=True)
    fields.get("items", dict)
    table = fields.inside("items")
    rows = read_rows(table, folder)
    add_systems(fields, folder, rows)
    systems = rows.systems
    if len(systems) > MAX_SYSTEMS:
        table.wrong("system", f"{len(systems)} systems; at most {MAX_SYSTEMS} are taken.")
    if TIE in systems:
        table.wrong("system", f"a system is called {TIE!r}, which is what a comparison without a "
                    "winner is called; give it another name.")  # fmt: skip
    dimensions = read_dimensions(fields, language, systems)
    items = items_of(table, rows, systems, dimensions)
    table.done()
    checks, notes = _apart(fields, "checks", folder, systems, dimensions)
    test, more = _qualification(fields, folder, systems, dimensions)
    tested = () if test is None else test.items
    _once(fields, items, checks, tested)
    pairs, each = _pairs(fields, systems), None
    if "pairs_per_item" in fields.table:
        each = fields.whole("pairs_per_item", 0, 1, 20_000)
    fields.taken.add("pairs_per_item")
    if not any(dimension.kind == "pair" for dimension in dimensions):
        for key in ("pairs", "pairs_per_item"):
            if key in fields.table:
                fields.wrong(key, "only comparisons have it, and no dimension has mechanism ab.")
    if fields.table.get("pilot_all") is True and not fields.table.get("pilot"):
        fields.wrong("pilot_all", "there is no pilot; say how many items it has: pilot = 10.")
    share = fields.number("repeats", 0.0) or 0.0
    if not 0 <= share <= 1:
        fields.wrong("repeats", f"a share from 0 to 1 is needed, not {share:g}.")
    batch = _batch(fields)
    raters = _raters(fields)
    design = Design(
        name=name,
        title=fields.text("title", name),
        language=language,
        seed=fields.whole("seed", 1, 0, 2**63 - 1),
        raters=raters,
        per_item=fields.whole("per_item", min(3, len(raters)), 1, MAX_RATERS),
        dimensions=dimensions,
        items=items,
        systems=systems,
        checks=checks,
        repeats=share,
        pilot=fields.whole("pilot", 0, 0, 10**9),
        pilot_all=fields.get("pilot_all", bool, False),
        same_raters=fields.get("same_raters", bool, batch is not None),
        pairs=pairs,
        pairs_per_item=each,
        instructions=fields.text("instructions", most=PAGES, lines=True),
        consent=fields.text("consent", most=PAGES, lines=True),
        safe_html=fields.get("safe_html", bool, False),
        comments=fields.get("comments", bool, True),
        batch=batch,
        qualification=test,
        source=fields.source,
        notes=(*rows.notes, *notes, *more),
    )
    fields.done()
    for name, found in (("checks", checks), ("qualification", tested)):
        for item in found:
            why = unanswerable(design, item)
            if why:
                fields.inside(name).wrong("file", f"{APART[name]} {item.key!r}: {why}")
    return design


def _apart(
    fields: Fields,
    name: str,
    folder: Path,
    systems: tuple[str, ...],
    dimensions: tuple[Dimension, ...],
    more: Collection[str] = (),
) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    """A table of items that are no data, ``[checks]`` or ``[qualification]``, if it is there.

    ``more`` are fields of the table that others read.
    """
    if name not in fields.table:
        fields.taken.add(name)
        return (), ()
    fields.get(name, dict)
    table = fields.inside(name)
    table.taken.update(more)
    rows = read_rows(table, folder)
    for system in rows.systems:
        if system not in systems:
            table.wrong("systems", f"[items] has no system {system!r}{near(system, systems)}")
    found = items_of(table, rows, systems, dimensions, apart=APART[name])
    table.done()
    return found, rows.notes


def _batch(fields: Fields) -> int | None:
    """How many items a batch has; its raters rate all of them, which cannot be forbidden."""
    fields.taken.add("batch")
    if "batch" not in fields.table:
        return None
    if fields.table.get("same_raters") is False:
        fields.wrong("same_raters", "a batch is rated as a whole by its raters, so this cannot be "
                     "false with batch; leave one of the two out.")  # fmt: skip
    return fields.whole("batch", 1, 1, MAX_ITEMS)


def _qualification(
    fields: Fields, folder: Path, systems: tuple[str, ...], dimensions: tuple[Dimension, ...]
) -> tuple[Qualification | None, tuple[str, ...]]:
    """The test that comes before everything else, with what is needed to pass it."""
    more = ("pass", "tolerance")
    items, notes = _apart(fields, "qualification", folder, systems, dimensions, more)
    if not items:
        return None, ()
    table = fields.inside("qualification")
    share = table.number("pass", 0.8) or 0.0
    if not 0 <= share <= 1:
        table.wrong("pass", f"a share from 0 to 1 is needed, not {share:g}.")
    tolerance = table.number("tolerance", 0.0) or 0.0
    if tolerance < 0:
        table.wrong("tolerance", f"a number of 0 or more is needed, not {tolerance:g}.")
    right = [value for item in items for value in (item.gold or {}).values()]
    if tolerance and all(isinstance(value, str | tuple) for value in right):
        table.wrong("tolerance", "no right answer of the test is a number.")
    return Qualification(items, share, tolerance), notes


def _once(
    fields: Fields, items: Iterable[Item], checks: Iterable[Item], tested: Iterable[Item]
) -> None:
    """Refuse a key that two tables have: answers are kept under it."""
    seen = dict.fromkeys((item.key for item in items), "an item")
    for name, found in (("checks", checks), ("qualification", tested)):
        for item in found:
            if item.key in seen:
                of = seen[item.key]
                fields.inside(name).wrong("key", f"{item.key!r} is the key of {of} as well.")
        seen |= dict.fromkeys((item.key for item in found), f"a {APART[name]}")


def _raters(fields: Fields) -> tuple[RaterSpec, ...]:
    """A number, a list of names, or a table each."""
    value = fields.table.get("raters", 3)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        found = []
        for table in fields.each("raters", MAX_RATERS):
            name = table.text("name", needed=True, most=RATER)
            found.append(RaterSpec(name, table.one_of("group", GROUPS)))
            table.done()
    elif isinstance(value, list):
        names = fields.listed("raters", str, MAX_RATERS)
        inner = fields.inside("raters")
        found = [RaterSpec(inner.bounded(k, name, RATER)) for k, name in enumerate(names)]
    else:
        if type(value) is not int:
            fields.wrong("raters", f"a number or a list of names is needed, not {shown(value)}.")
        count = fields.whole("raters", 3, 1, MAX_RATERS)
        found = [RaterSpec(f"rater {k + 1}") for k in range(count)]
    seen: set[str] = set()
    for place, rater in enumerate(found):
        if not rater.name or rater.name in seen:
            what = "is named twice" if rater.name else "has no name"
            fields.inside("raters").wrong(place, f"{rater.name!r} {what}.")
        seen.add(rater.name)
    if not found:
        fields.wrong("raters", "is empty; at least one rater is needed.")
    return tuple(found)


def _pairs(fields: Fields, systems: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    raw: list[Any] = fields.listed("pairs", list, 20_000)
    inner = fields.inside("pairs")
    found: dict[frozenset[str], tuple[str, str]] = {}
    for place, entry in enumerate(raw):
        if len(entry) != 2 or not all(isinstance(name, str) for name in entry):
            inner.wrong(place, 'the names of two systems are needed, as in ["ours", "theirs"].')
        one, other = entry
        inner.known(place, one, systems)
        inner.known(place, other, systems)
        if one == other or frozenset(entry) in found:
            inner.wrong(
                place, f"{one} and {other}: two different systems are needed, each pair once."
            )
        found[frozenset(entry)] = (one, other)
    return tuple(found.values())

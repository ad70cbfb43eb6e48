"""A folder with one file a rater."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay.errors import ReadingError
from assay.ratings.model import Note
from assay.ratings.sources.arrays import to_list
from assay.ratings.sources.grid import WHITE, About, ColumnGrid, Grid, Plan
from assay.ratings.words import ITEM_NAMES, LABEL_NAMES, RATER_NAMES, squash


def read_folder(
    path: Path,
    open_file: Callable[[Path], Grid],
    *,
    item: str | None = None,
    label: str | None = None,
    encoding: str | None = None,
) -> ColumnGrid:
    """Read one file a rater; the rater is the file's name without its ending.

    Each file has a column of items and a column of labels, or one label a line.
    """
    files = sorted(f for f in path.iterdir() if f.is_file() and not f.name.startswith("."))
    if not files:
        raise ReadingError(f"{path}: the folder has no files; one file a rater is needed.")
    stems = [f.stem for f in files]
    if len(set(stems)) < len(stems):
        twice = next(s for s in stems if stems.count(s) > 1)
        raise ReadingError(f"{path}: several files are called {twice!r}; one file a rater.")
    items: list[Any] = []
    raters: list[str] = []
    labels: list[Any] = []
    typed = True
    lines = []
    seen: set[tuple[str, str]] = set()
    aside: set[str] = set()
    for file in files:
        bare = _labels_a_line(file, encoding)
        if bare is not None:
            lines.append(file.name)
            items += [str(k + 1) for k in range(len(bare))]
            labels += bare
            raters += [file.stem] * len(bare)
            typed = False
            continue
        grid = open_file(file)
        typed = typed and grid.about.typed
        which = _columns(file, grid.names, item, label)
        seen.add(which)
        aside |= set(grid.names) - set(which)
        columns = dict(zip(grid.names, zip(*_rows(grid), strict=True), strict=True))
        items += columns[which[0]]
        labels += columns[which[1]]
        raters += [file.stem] * grid.n_rows
    if lines and seen:
        raise ReadingError(
            f"{path}: {lines[0]} holds one label a line and other files a table; all files have "
            "to be of one kind."
        )
    notes = [Note("folder", f"one file a rater: {', '.join(stems[:12])}")]
    if lines:
        counts = {r: raters.count(r) for r in stems}
        if len(set(counts.values())) > 1:
            shown = ", ".join(f"{r}: {n}" for r, n in counts.items())
            raise ReadingError(f"{path}: the files differ in their number of lines ({shown}).")
        notes.append(Note("label_a_line", "one label a line; items are lines"))
    else:
        shown = "; ".join(f"item: {i}, label: {k}" for i, k in sorted(seen))
        notes.append(Note("columns", f"columns: {shown}"))
    if aside:
        notes.append(Note("columns_not_used", f"columns not used: {', '.join(sorted(aside))}"))
    about = About(
        source=str(path),
        format="folder",
        typed=typed,
        notes=tuple(notes),
        plan=Plan("long", ("item",), "rater", "label", rater_names=tuple(stems)),
    )
    return ColumnGrid(about, ("item", "rater", "label"), (items, raters, labels), len(items))


def _rows(grid: Grid) -> list[tuple[Any, ...]]:
    if isinstance(grid, ColumnGrid):
        return list(zip(*(to_list(c) for c in grid.columns), strict=True))
    return grid.head(grid.n_rows)


def _labels_a_line(file: Path, encoding: str | None) -> list[str | None] | None:
    """The lines of a text file in which no line has a separator, else None."""
    from assay.ratings.sources.detect import find_format
    from assay.ratings.sources.sniff import read_sample

    if find_format(file) != "text":
        return None
    sample = read_sample(file, encoding)
    if any(sign in sample.text for sign in ",;\t|"):
        return None
    text = file.read_text(encoding=sample.encoding).removeprefix("\ufeff")
    lines = [line.strip(WHITE) or None for line in text.splitlines()]
    while lines and lines[-1] is None:
        lines.pop()
    if lines and lines[0] is not None and squash(lines[0]) in LABEL_NAMES:
        lines = lines[1:]
    return lines


def _columns(
    file: Path, names: tuple[str, ...], item: str | None, label: str | None
) -> tuple[str, str]:
    for what, name in (("item", item), ("label", label)):
        if name is not None and name not in names:
            raise ReadingError(
                f"{file}: no column {name!r} (--{what}); there are {', '.join(names)}."
            )
    items = [item] if item else [n for n in names if squash(n) in ITEM_NAMES] or [names[0]]
    rest = [n for n in names if n != items[0] and squash(n) not in RATER_NAMES]
    labels = [label] if label else [n for n in rest if squash(n) in LABEL_NAMES]
    if not labels and len(rest) == 1:
        labels = rest
    if len(labels) != 1:
        raise ReadingError(
            f"{file}: which column holds the label? Candidates: {', '.join(labels or rest)}. Name "
            "it with --label."
        )
    return items[0], labels[0]

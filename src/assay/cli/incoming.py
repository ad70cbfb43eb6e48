"""Standard input as a file, since a reader looks at its start before it reads the whole."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.errors import AssayError

NAME = "standard input"
DASH = Path("-")


@contextmanager
def on_disk(file: Path) -> Iterator[Path]:
    """Give the path itself, or for ``-`` that of a copy of standard input, kept meanwhile.

    >>> with on_disk(Path("answers.csv")) as path:
    ...     print(path)
    answers.csv
    """
    if file != DASH:
        yield file
        return
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        path = Path(folder) / NAME
        with path.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        try:
            yield path
        except AssayError as error:
            error.args = tuple(str(arg).replace(str(path), NAME) for arg in error.args)
            raise


def named(ratings: Any, file: Path, path: Path) -> Any:
    """The ratings, said to come from standard input if they do."""
    if file != DASH:
        return ratings
    notes = tuple(
        replace(note, message=note.message.replace(str(path), NAME))
        for note in ratings.reading.notes
    )
    return replace(ratings, reading=replace(ratings.reading, source=NAME, notes=notes))

"""What was sent from a browser, as files on disk for as long as a reader reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.errors import AssayError
from assay.ratings.model import Note
from assay.web.query import BadState
from assay.web.speech import lazy

MAX_UPLOAD = 20_000_000
"""Bytes of all files that are sent together."""
MAX_FILES = 50
LONGEST = 60
"""Characters of a file's name that are kept."""

File = tuple[str, bytes]
"""A file's name and what is in it."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Files in a folder of their own; of each side the file, or the folder with its files."""

    root: str
    paths: tuple[Path, ...]

    def told(self, text: str) -> str:
        """A message without the folder, which nobody has heard of."""
        return re.sub(rf"{re.escape(self.root)}([/\\]\w+)?[/\\]?", "", text)

    def notes(self, notes: Iterable[Note]) -> tuple[Note, ...]:
        """Notes of a reader, told so."""
        return tuple(replace(one, message=self.told(one.message)) for one in notes)


@contextmanager
def saved(*sides: Sequence[File]) -> Iterator[Saved]:
    """Write files down, and take them away afterwards.

    Raises
    ------
    BadState
        If a side has no file, a file is empty, or all are too much.

    Examples
    --------
    >>> with saved([("votes.csv", b"item,ana")]) as disk:
    ...     disk.paths[0].name, disk.paths[0].read_text()
    ('votes.csv', 'item,ana')
    >>> disk.paths[0].exists()
    False
    """
    files = [file for side in sides for file in side]
    if not all(sides) or not all(data for _, data in files):
        raise BadState(lazy("A file is missing, or empty. Choose one."))
    total = sum(len(data) for _, data in files)
    if total > MAX_UPLOAD or len(files) > MAX_FILES:
        raise BadState(
            lazy(
                "{n} files with {size} MB were sent; up to {files} files with {most} MB in all "
                "are read here. For larger ones use assay agree and assay spans.",
                n=len(files),
                size=-(-total // 1_000_000),
                files=MAX_FILES,
                most=MAX_UPLOAD // 1_000_000,
            )
        )
    with TemporaryDirectory(prefix="assay-") as root:
        # The folder's name is seen where both files have the same one.
        names = ("gold", "pred") if len(sides) > 1 else ("files",)
        pairs = zip(names, sides, strict=True)
        disk = Saved(root, tuple(_written(Path(root) / name, side) for name, side in pairs))
        try:
            yield disk
        except AssayError as error:
            error.args = tuple(disk.told(str(arg)) for arg in error.args)
            raise


def _written(folder: Path, side: Sequence[File]) -> Path:
    """The file of a side, or the folder where there are several."""
    folder.mkdir()
    path = folder
    for name, data in side:
        path = _free(folder, plain_name(name))
        path.write_bytes(data)
    return path if len(side) == 1 else folder


def plain_name(name: str) -> str:
    r"""A file's name without folders, and safe to write.

    >>> plain_name("../../shadow"), plain_name("C:\\my ratings.csv"), plain_name("..")
    ('shadow', 'my ratings.csv', 'file')
    """
    last = re.split(r"[/\\]", name)[-1]
    kept = "".join(sign for sign in last if sign.isprintable()).strip()
    # The end says what kind of file it is.
    return kept[-LONGEST:] if kept.strip(". ") else "file"


def _free(folder: Path, name: str) -> Path:
    """A path that is not taken yet: two files may have one name."""
    path, i = folder / name, 2
    while path.exists():
        path, i = folder / f"{i} {name}", i + 1
    return path

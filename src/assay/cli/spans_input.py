"""Standard input as one of the files of ``assay spans``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.cli.incoming import DASH, NAME, on_disk
from assay.errors import UsageError


@contextmanager
def read_once(files: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    """The files, with a copy of standard input, kept meanwhile, for the one that is ``-``."""
    if files.count(DASH) > 1:
        raise UsageError("-: standard input can be read once, and stands for one of the files.")
    if DASH not in files:
        yield tuple(files)
        return
    with on_disk(DASH) as path:
        yield tuple(path if file == DASH else file for file in files)


def from_input(summary: Any, files: Sequence[Path], paths: Sequence[Path]) -> Any:
    """The summary, in which the copy of standard input is called so."""
    for file, path in zip(files, paths, strict=True):
        if file == DASH:
            return _renamed(summary, str(path))
    return summary


def _renamed(value: Any, path: str) -> Any:
    if isinstance(value, str):
        return value.replace(path, NAME)
    if isinstance(value, dict):
        return {_renamed(k, path): _renamed(v, path) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(v, path) for v in value]
    return value

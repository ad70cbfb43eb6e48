"""The files of ``assay spans``: standard input as one of them, patterns, and too large ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.cli.incoming import DASH, NAME, on_disk
from assay.errors import InputError, UsageError


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


@dataclass(frozen=True, slots=True)
class Given:
    """The files as they were given: names and patterns."""

    paths: tuple[Path, ...]

    def sides(self) -> tuple[Any, ...]:
        """What each of them stands for: a file, or the list of files that a pattern means.

        Raises
        ------
        UsageError
            If patterns of two sides mean different numbers of files.
        """
        from assay.spans.sources.patterns import is_pattern, matching, paired

        if not any(map(is_pattern, self.paths)):
            return self.paths
        for path in self.paths[1:]:
            paired(self.paths[0], path)
        return tuple(list(matching(p)) if is_pattern(p) else p for p in self.paths)

    def files(self) -> list[Path]:
        """Each file once."""
        from assay.spans.sources.patterns import matching

        return list(dict.fromkeys(file for path in self.paths for file in matching(path)))


def too_large(
    given: Given, reading: dict[str, Any], memory: str | None, unstreamed: str | None
) -> str | None:
    """Why the files are read in chunks though nobody asked for it; None where they are not."""
    from assay.ratings.large.open import default_memory, memory_option
    from assay.spans.sources.sizes import memory_needed, spoken

    allowed = memory_option(memory) or default_memory()
    needed = memory_needed(given.files(), reading.get("format"))
    if needed <= allowed:
        return None
    whole = f"reading the files as a whole would take about {spoken(needed)} of memory"
    asked = unstreamed or ("a comparison of systems" if len(given.paths) > 2 else None)
    if asked or not _streams(given, reading):
        if memory is not None:
            raise UsageError(
                f"--memory: {whole}, and {spoken(allowed)} are allowed; {asked or 'the format'} "
                "needs them as a whole. Allow more, or leave it out."
            )
        return None
    return (
        f"{whole}, and {spoken(allowed)} are allowed, so that they are read in chunks; --memory "
        "allows more"
    )


def _streams(given: Given, reading: dict[str, Any]) -> bool:
    """Whether the files hold what can be read in chunks; anything wrong with them is said later."""
    from assay.spans.sources.load import NotInParts
    from assay.spans.stream import stream_pairs

    try:
        next(iter(stream_pairs(*given.paths, **reading)), None)
    except NotInParts:
        return False
    except InputError:
        return True
    return True

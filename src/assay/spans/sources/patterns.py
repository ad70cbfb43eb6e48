"""Files by their names or by patterns, and gold files with the predictions for them."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

from assay.errors import ReadingError, UsageError
from assay.spans.sources.load import one_path

Files = str | Path | Sequence[str | Path]


def is_pattern(source: str | Path) -> bool:
    """Whether a name is a pattern, and not that of a file.

    >>> is_pattern("part-*.conll"), is_pattern("gold.conll")
    (True, False)
    """
    return glob.has_magic(str(source)) and not Path(source).exists()


def matching(source: Files) -> tuple[Path, ...]:
    """The files that a name, a pattern or a list of these means; those of a pattern sorted.

    Raises
    ------
    ReadingError
        If no file matches a pattern.
    """
    if not isinstance(source, str | Path):
        return tuple(path for one in source for path in matching(one))
    if not is_pattern(one_path(source)):
        return (one_path(source),)
    found = sorted(p for p in map(Path, glob.glob(str(source), recursive=True)) if p.is_file())  # noqa: PTH207
    if not found:
        raise ReadingError(
            f"{source}: no file matches this pattern. * stands for any characters of a name, ** "
            "for any folders; in a terminal patterns are quoted.",
            code="no_such_file",
        )
    return tuple(found)


def paired(gold: Files, pred: Files) -> tuple[tuple[Path, Path], ...]:
    """Each gold file with the prediction that stands in the same place of the sorted files.

    Raises
    ------
    UsageError
        If there are not as many on both sides.
    """
    one, two = matching(gold), matching(pred)
    if len(one) != len(two):
        raise UsageError(
            f"{_said(gold)} stands for {len(one)} files ({called(one)}), and {_said(pred)} for "
            f"{len(two)} ({called(two)}); each gold file needs one file of predictions, in the "
            "same order of their names."
        )
    return tuple(zip(one, two, strict=True))


def called(files: Sequence[Path]) -> str:
    """What several files are called together.

    >>> called([Path("a/1.conll"), Path("a/2.conll"), Path("a/3.conll")])
    '1.conll, …, 3.conll'
    """
    if len(files) == 1:
        return files[0].name
    return f"{files[0].name}, …, {files[-1].name}" if files else "none"


def _said(source: Files) -> str:
    return str(source) if isinstance(source, str | Path) else f"a list of {len(source)}"

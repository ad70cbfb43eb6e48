"""The lines of a terminal report that say where the web pages open a pair or a sentence."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.text import Text

from assay.report.addresses import LOCAL
from assay.report.layout import GAP, paragraph

START = "in the lab (start `assay serve`):"


def in_the_lab(what: str, path: str | None, width: int) -> list[Text]:
    """The line that says where the lab opens something, or none if it cannot hold it.

    >>> [line.plain for line in in_the_lab("", "/lab/kappa?t=3,47;53,897", 80)]
    ['  In the lab (start `assay serve`): http://127.0.0.1:8000/lab/kappa?t=3,47;53,897']
    """
    if not path:
        return []
    return _opened(f"{what} {START}" if what else START.capitalize(), path, width, GAP)


def opened_at(found: Iterable[tuple[str, str | None]], width: int) -> list[Text]:
    """The same of several things, each with its name; those that do not fit are left out.

    >>> [line.plain for line in opened_at([("ana – bo", "/lab/kappa?t=1,0;0,1"), ("x", None)], 80)]
    ['  In the lab (start `assay serve`):', '    ana – bo: http://127.0.0.1:8000/lab/kappa?t=1,0;0,1']
    """
    lines = [
        line for name, path in found if path for line in _opened(f"{name}:", path, width, GAP * 2)
    ]
    head = paragraph(START.capitalize(), width, GAP, GAP * 2, "dim") if lines else []
    return [*head, *lines]


def _opened(said: str, path: str, width: int, indent: str) -> list[Text]:
    """Words and an address in one line, which may be wider than the screen.

    An address that is broken can neither be clicked nor copied; the terminal lets it go on below.
    """
    if cell_len(indent + said) <= width:
        return [Text(f"{indent}{said} {LOCAL}{path}", "dim")]
    rest = indent + GAP
    return [*paragraph(said, width, indent, rest, "dim"), Text(f"{rest}{LOCAL}{path}", "dim")]

"""Rows as CSV: quoted as RFC 4180 says, and lines end in a newline as in every other report."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from types import SimpleNamespace


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    r"""Rows as CSV without the last newline, which whoever writes a report adds.

    >>> csv_text([("item", "value"), ("a,b", None)])
    'item,value\n"a,b",'
    """
    lines: list[str] = []
    # With its own CR LF, the writer quotes a field that holds either of them.
    csv.writer(SimpleNamespace(write=lines.append)).writerows(rows)
    return "\n".join(line.removesuffix("\r\n") for line in lines)

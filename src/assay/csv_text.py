"""Rows as CSV: quoted as RFC 4180 says, and lines end in a newline as in every other report."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator


class _Last:
    """A file that holds the last thing written to it."""

    text = ""

    def write(self, text: str) -> None:
        self.text = text


def csv_lines(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    r"""Each row as CSV, without the newline that ends it.

    >>> list(csv_lines([("item", "value"), ("a\rb", None)]))
    ['item,value', '"a\rb",']
    """
    last = _Last()
    # With its own CR LF, the writer quotes a field that holds either of them.
    writer = csv.writer(last)
    for row in rows:
        writer.writerow(row)
        yield last.text.removesuffix("\r\n")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    r"""Rows as CSV without the last newline, which whoever writes a report adds.

    >>> csv_text([("item", "value"), ("a,b", None)])
    'item,value\n"a,b",'
    """
    return "\n".join(csv_lines(rows))

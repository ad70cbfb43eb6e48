"""Pieces of the pages that reports are: a document, tables, figures; data are escaped."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from assay.report.addresses import LOCAL


def document(title: str, style: str, body: str) -> str:
    """One whole page that needs no script and nothing from elsewhere."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escape(title)}</title>\n'
        f'<style>{style}</style>\n</head>\n<body class="assay-page">\n<main>\n'
        f"{body}\n</main>\n</body>\n</html>"
    )


def fragment(style: str, body: str) -> str:
    """The same as a part of another page, such as a notebook."""
    return f'<div class="assay-page"><style>{style}</style><main>{body}</main></div>'


def scrolling(body: str) -> str:
    """What may be wider than the screen moves by itself, also for the keyboard."""
    return f'<div class="wide" tabindex="0">{body}</div>'


def grid(heads: Sequence[str], rows: Sequence[Sequence[str]], strong: Collection[str] = ()) -> str:
    """A table; each row is a name, a remark under it, then figures."""
    body = ""
    for name, remark, *cells in rows:
        small = f"<small>{escape(remark)}</small>" if remark else ""
        mark = ' class="strong"' if name in strong else ""
        figures = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        body += f'<tr{mark}><th scope="row">{escape(name)}{small}</th>{figures}</tr>'
    return table(heads, body)


def plain_grid(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose rows are a name and figures."""
    return grid(heads, [(row[0], "", *row[1:]) for row in rows])


def table(heads: Sequence[str], body: str) -> str:
    """A table of rows that are HTML already."""
    first, *rest = heads
    # A head without a word is no head.
    corner = f'<th scope="col">{escape(first)}</th>' if first else "<td></td>"
    head = corner + "".join(f'<th scope="col">{escape(h)}</th>' for h in rest)
    return scrolling(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def details(body: str, summary: str = "As a table") -> str:
    """What is folded away behind one click."""
    return f"<details><summary>{escape(summary)}</summary>{body}</details>"


def figure(chart: str, caption: str, *, free: bool = False) -> str:
    """A picture with its caption; ``free`` may be as wide as the page and scrolls beyond."""
    mark = ' class="free"' if free else ""
    body = scrolling(chart) if free else chart
    return f"<figure{mark}>{body}<figcaption>{escape(caption)}</figcaption></figure>"


def section(title: str, *body: str, depth: int = 2) -> str:
    """A section with its heading, or nothing where it holds nothing."""
    inside = "".join(body)
    return f"<section><h{depth}>{escape(title)}</h{depth}>{inside}</section>" if inside else ""


def lab_link(path: str | None, what: str, *, served: bool) -> str:
    """A link into a lab, or nothing; in a file it says when it works."""
    if not path:
        return ""
    href = escape(path if served else LOCAL + path, quote=True)
    when = (
        "" if served else ' <span class="quiet screen">(while <code>assay serve</code> runs)</span>'
    )
    return f'<a href="{href}">{escape(what)}</a>{when}'

"""Check that every internal link of the built pages, and of the files given, leads somewhere.

Usage: python docs/check_links.py BUILT_FOLDER [FILE.md ...]
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The link targets and the anchors of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.links.append(value)


def broken(folder: Path) -> list[str]:
    """Every link inside ``folder`` that leads to no file or no anchor, as one line each."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            where = f"{path.relative_to(folder)}: {link}"
            if not target.exists():
                found.append(f"{where}: no such file")
            elif parts.fragment and target in pages:
                fragment = unquote(parts.fragment)
                if fragment != "top" and fragment not in pages[target].anchors:
                    found.append(f"{where}: no such anchor")
    return found


def broken_in_markdown(path: Path) -> list[str]:
    """Every relative link of a Markdown file that leads to no file."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    found = []
    for link in links:
        parts = urlsplit(link)
        if not parts.scheme and parts.path and not (path.parent / parts.path).exists():
            found.append(f"{path.name}: {link}: no such file")
    return found


def main(arguments: list[str]) -> int:
    folder, files = Path(arguments[0]).resolve(), [Path(name) for name in arguments[1:]]
    found = broken(folder) + [line for path in files for line in broken_in_markdown(path)]
    print("\n".join(found) or "every internal link leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

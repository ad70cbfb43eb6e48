"""Which cells of a workbook hold an error: calamine gives them as empty."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

ERROR = re.compile(rb"<c\b(?=[^>]*\bt=\"e\")[^>]*\br=\"([A-Z]+[0-9]+)\"")
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def error_cells(path: Path) -> dict[str, tuple[str, ...]]:
    """For each sheet of an xlsx file, the cells that hold an error; others have none."""
    try:
        with zipfile.ZipFile(path) as book:
            parts = set(book.namelist())
            if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= parts:
                return {}
            targets = {
                node.get("Id", ""): node.get("Target", "")
                for node in ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
            }
            found = {}
            for node in ElementTree.fromstring(book.read("xl/workbook.xml")).iter():
                if not node.tag.endswith("}sheet"):
                    continue
                target = targets.get(node.get(RELATION, ""), "")
                part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
                if part in parts:
                    cells = tuple(c.decode() for c in ERROR.findall(book.read(part)))
                    found[node.get("name", "")] = cells
            return found
    except (zipfile.BadZipFile, ElementTree.ParseError, OSError):
        return {}

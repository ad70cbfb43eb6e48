"""The catalogues of the pages: take new texts from the code into them, or check them.

python tools/catalogues.py            update src/assay/web/locale/*/LC_MESSAGES/assay.po
python tools/catalogues.py --check    say what is missing, stale or wrong; exit with 1 if any
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

WEB = Path(__file__).resolve().parent.parent / "src" / "assay" / "web"
LOCALES = {"vi": "vi", "zh": "zh_Hans"}

METHODS = [("**.py", "python"), ("templates/**.html", "jinja2.ext:babel_extract")]
OPTIONS = {"templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
KEYWORDS: dict[str, Any] = {"say": None, "markup": None, "lazy": None, "many": (1, 2)}
"""The functions that texts go through; see ``assay.web.speech``."""

FIELD = re.compile(r"\{(\w*)[^}]*\}")
TAG = re.compile(r"</?[a-z]+[^>]*>")


def extracted() -> Catalog:
    """Every text in the code, with where it stands."""
    catalog = Catalog(project="assay", fuzzy=False)
    found = extract_from_dir(WEB, METHODS, OPTIONS, KEYWORDS, strip_comment_tags=True)
    for path, _, text, comments, _ in sorted(found, key=lambda one: (one[0], one[1])):
        catalog.add(text, None, [(path, 0)], auto_comments=comments)
    return catalog


def path_of(code: str) -> Path:
    """A language's catalogue."""
    return WEB / "locale" / code / "LC_MESSAGES" / "assay.po"


def read(code: str) -> Catalog:
    """A language's catalogue as it stands; an empty one where there is none."""
    path = path_of(code)
    if not path.exists():
        return Catalog(locale=LOCALES[code], project="assay", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=LOCALES[code])


def written(catalog: Catalog) -> str:
    """A catalogue as its file has it: without dates and line numbers, which change with nothing."""
    out = io.BytesIO()
    write_po(out, catalog, width=99, omit_header=False, include_lineno=False, ignore_obsolete=True)
    lines = out.getvalue().decode().splitlines(keepends=True)
    drop = ("POT-Creation-Date", "PO-Revision-Date", "Generated-By", "Last-Translator")
    return "".join(line for line in lines if not line.startswith(tuple(f'"{d}' for d in drop)))


def update(code: str) -> None:
    """Take new texts in and drop those that are gone; translations are kept as they are."""
    catalog = read(code)
    catalog.update(extracted(), no_fuzzy_matching=True)
    path = path_of(code)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(written(catalog), encoding="utf-8")


def problems(code: str) -> Iterator[str]:
    """What is wrong with a catalogue, one sentence each."""
    catalog = read(code)
    wanted = {message.id for message in extracted() if message.id}
    present = {message.id for message in catalog if message.id}
    for text in sorted(wanted - present, key=str):
        yield f"{code}: not in the catalogue: {text!r}"
    for text in sorted(present - wanted, key=str):
        yield f"{code}: no longer in the code: {text!r}"
    for message in catalog:
        if message.id:
            yield from (f"{code}: {what}: {message.id!r}" for what in _wrong(message))


def _wrong(message: Message) -> Iterator[str]:
    originals, said = _texts(message.id), _texts(message.string)
    if message.fuzzy:
        yield "marked as uncertain"
    if not all(said):
        yield "not translated"
        return
    fields = set(FIELD.findall(originals[-1]))
    for text in said:
        if set(FIELD.findall(text)) != fields:
            yield "other fields in braces"
        if sorted(TAG.findall(text)) != sorted(TAG.findall(originals[-1])):
            yield "other tags"


def _texts(one: Any) -> list[str]:
    """A text, or its singular and plural."""
    return [one or ""] if isinstance(one, str) or one is None else [text or "" for text in one]


def main() -> int:
    """Update or check every catalogue."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    if options.parse_args().check:
        found = [problem for code in LOCALES for problem in problems(code)]
        print("\n".join(found))
        return 1 if found else 0
    for code in LOCALES:
        update(code)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The documentation cannot drift: its examples run, and it names everything there is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import assay
import check_links
import picture
import run_examples

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


@pytest.mark.parametrize("path", run_examples.pages(), ids=lambda p: p.name)
def test_examples_print_what_the_page_says(path: Path) -> None:
    text = path.read_text("utf-8")
    assert run_examples.current(text) == text, "run: python docs/run_examples.py"


def test_the_terminal_picture_is_current() -> None:
    assert picture.PATH.read_text("utf-8") == picture.draw(), "run: python docs/run_examples.py"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "DESIGN.md"])
def test_links_between_files_lead_somewhere(name: str) -> None:
    assert check_links.broken_in_markdown(ROOT / name) == []


@pytest.fixture(scope="module")
def summary() -> dict[str, Any]:
    """One report with all there can be: groups, numbers, words for ranges."""
    data = {
        "words": assay.agree(
            [("q1", "a", "x"), ("q1", "b", "y"), ("q2", "a", "x"), ("q2", "b", "x")],
            interpret="landis-koch",
        ),
        "numbers": assay.agree([[1.5, 2], [3, 3], [4, 4.5], [1, 1]], layout="wide"),
        "groups": assay.agree(DOCS / "tables" / "dimensions.csv", by="dimension"),
        "three": assay.agree(ROOT / "src" / "assay" / "examples" / "answers.csv"),
    }
    document = {"groups": [report.to_dict() for report in data.values()]}
    return document | {"coefficients": data["three"].to_dict()["coefficients"]}


def keys(value: object) -> Iterator[str]:
    """Every key of a document but those that are the user's own words."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key != "distribution":
                yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def test_every_key_of_the_json_document_is_documented(summary: dict[str, Any]) -> None:
    text = page("json.md")
    missing = {key for key in keys(summary) if f"`{key}`" not in text}
    assert not missing


def test_every_coefficient_is_defined(summary: dict[str, Any]) -> None:
    text = page("conventions.md")
    missing = {c["name"] for c in summary["coefficients"] if f"`{c['name']}`" not in text}
    assert not missing


def codes(kind: str, position: int | None = None) -> set[str]:
    """The codes written in the source where ``kind`` is called: at a place, or by keyword."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == kind:
                values = [] if position is None else node.args[position : position + 1]
                values += [keyword.value for keyword in node.keywords if keyword.arg == "code"]
                for value in (inner for outer in values for inner in ast.walk(outer)):
                    text = value.value if isinstance(value, ast.Constant) else ""
                    if isinstance(text, str) and re.fullmatch(r"[a-z]\w+[a-z]", text):
                        found.add(text)
    return found


def test_every_note_of_a_reader_is_explained() -> None:
    text = page("tables.md")
    found = codes("Note", 0)
    assert found
    assert not {code for code in found if f"`{code}`" not in text}


def test_every_reason_for_undefined_is_explained() -> None:
    text = page("conventions.md")
    found = codes("Undefined", 0) | codes("undefined", 2)
    assert found
    assert not {code for code in found if f"`{code}`" not in text}


def test_every_warning_is_explained() -> None:
    text = page("conventions.md")
    found = codes("Finding", 0)
    assert found
    assert not {code for code in found if f"`{code}`" not in text}


def test_every_error_code_is_documented() -> None:
    from assay import errors

    text = page("errors.md")
    found = {e.code for e in vars(errors).values() if isinstance(e, type) and hasattr(e, "code")}
    for kind in ("ReadingError", "LabelError", "InputError", "DesignError", "UsageError"):
        found |= codes(kind)
    assert not {code for code in found if f"`{code}`" not in text}


def commands() -> Iterator[click.Command]:
    from assay.cli.main import main

    with click.Context(main) as ctx:
        for name in main.list_commands(ctx):
            command = main.get_command(ctx, name)
            assert command is not None
            yield command


def test_every_option_is_explained() -> None:
    """Beyond the generated list: each option is used or explained on a written page."""
    written = " ".join(path.read_text("utf-8") for path in DOCS.rglob("*.md"))
    missing = set()
    for command in commands():
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                names = [name for name in parameter.opts if name.startswith("--")]
                missing |= {n for n in names if not re.search(rf"{n}(?![\w-])", written)}
    assert not missing


def test_every_public_name_is_in_the_reference() -> None:
    """The coefficients' page is made from the interface; all else is written there by hand."""
    text = " ".join(path.read_text("utf-8") for path in (DOCS / "api").glob("*.md"))
    assert "<!-- every coefficient -->" in text
    missing = set()
    for name in set(assay.__all__) - {"__version__"}:
        home = str(getattr(getattr(assay, name), "__module__", ""))
        if not home.startswith("assay.agreement") and f":: assay.{name}\n" not in text:
            missing.add(name)
    assert not missing

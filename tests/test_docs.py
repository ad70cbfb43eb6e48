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
def examples() -> Path:
    """The folder of the shipped examples."""
    return ROOT / "src" / "assay" / "examples"


@pytest.fixture(scope="module")
def summary(examples: Path) -> dict[str, Any]:
    """One report with all there can be: groups, numbers, words for ranges."""
    data = {
        "words": assay.agree(
            [("q1", "a", "x"), ("q1", "b", "y"), ("q2", "a", "x"), ("q2", "b", "x")],
            interpret="landis-koch",
        ),
        "numbers": assay.agree([[1.5, 2], [3, 3], [4, 4.5], [1, 1]], layout="wide"),
        "groups": assay.agree(DOCS / "tables" / "dimensions.csv", by="dimension"),
        "three": assay.agree(examples / "answers.csv"),
    }
    document = {"groups": [report.to_dict() for report in data.values()]}
    return document | {"coefficients": data["three"].to_dict()["coefficients"]}


@pytest.fixture(scope="module")
def span_summaries(examples: Path) -> list[dict[str, Any]]:
    """Reports with all there can be: systems, another scorer, annotators."""
    from assay.report.annotators.report import annotator_agreement

    files = [examples / f"{name}.conll" for name in ("gold", "tagger_a", "tagger_b")]
    settings: dict[str, Any] = {"bootstrap": 100}
    return [
        assay.score_spans(*files, **settings).to_dict(),
        assay.score_spans(*files[:2], **settings, parity="nervaluate").to_dict(),
        annotator_agreement(files, **settings).to_dict(),
    ]


WORDS = {"distribution": 1, "semeval_types": 1, "types": 1, "figures": 9}
"""Keys whose values have keys that are not ours, and how many levels of them."""


def keys(value: object, strange: int = 0) -> Iterator[str]:
    """Every key of a document but those that are the user's or another program's own words."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not strange:
                yield key
            yield from keys(inner, max(strange - 1, 0) or WORDS.get(key, 0) * (not strange))
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, strange)


def test_every_key_of_the_json_document_is_documented(summary: dict[str, Any]) -> None:
    text = page("json.md")
    missing = {key for key in keys(summary) if f"`{key}`" not in text}
    assert not missing


def test_every_documented_key_of_the_document_is_there(summary: dict[str, Any]) -> None:
    table = page("json.md").partition("## The document\n")[2].partition("\n## ")[0]
    named = [cell for row in table.splitlines() for cell in row.split("|")[1:2]]
    documented = {key for cell in named for key in re.findall("`([^`]+)`", cell)}
    assert len(documented) > 20
    assert documented <= set(keys(summary))


def test_every_key_of_the_documents_of_spans_is_documented(
    span_summaries: list[dict[str, Any]],
) -> None:
    text = page("spans/json.md")
    missing = {key for one in span_summaries for key in keys(one) if f"`{key}`" not in text}
    assert not missing


def test_gamma_is_documented() -> None:
    from dataclasses import fields

    from assay.spans.gamma import Gamma

    text = page("spans/json.md")
    assert not {field.name for field in fields(Gamma) if f"`{field.name}`" not in text}


def test_every_coefficient_is_defined(summary: dict[str, Any]) -> None:
    text = page("conventions.md")
    missing = {c["name"] for c in summary["coefficients"] if f"`{c['name']}`" not in text}
    assert not missing


def test_every_choice_about_spans_is_defined() -> None:
    """Schemes, readings, modes, averages, causes, formats, rules: each as it is typed."""
    from assay.cli.spans_options import PARITY
    from assay.spans.causes import CAUSES
    from assay.spans.figures import ZERO_DIVISION
    from assay.spans.match import MODES
    from assay.spans.read import FORMATS, SNAPS, UNITS
    from assay.spans.schemes import ILLEGAL, SAME_NAME, SCHEMES
    from assay.spans.unitizing import FULL_NAMES

    conventions = (*SCHEMES, *SAME_NAME, *ILLEGAL, *MODES, *CAUSES[1:], *ZERO_DIVISION, *FULL_NAMES)
    pages = {
        "spans/conventions.md": conventions,
        "spans/files.md": (*FORMATS, *SNAPS, *UNITS),
        "spans/parity.md": PARITY,
    }
    missing = {
        (name, word) for name, words in pages.items() for word in words if not stands(word, name)
    }
    assert not missing


def stands(word: str, name: str) -> bool:
    """Whether a page has a word as code, alone or as the value of an option."""
    return re.search(rf"`(--[\w-]+ )?{re.escape(word)}`", page(name)) is not None


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
    text = page("tables.md") + page("spans/files.md") + page("preferences.md")
    found = codes("Note", 0)
    assert found
    assert not {code for code in found if f"`{code}`" not in text}


def test_every_reason_for_undefined_is_explained() -> None:
    pages = ("conventions.md", "spans/conventions.md", "preferences.md", "evaluation.md")
    text = "".join(map(page, pages))
    found = codes("Undefined", 0) | codes("undefined", 2) | codes("_not_defined", 1)
    assert found
    assert not {code for code in found if f"`{code}`" not in text}


def test_every_warning_is_explained() -> None:
    text = page("conventions.md") + page("preferences.md")
    found = codes("Finding", 0)
    assert found
    assert not {code for code in found if f"`{code}`" not in text}


def written(path: Path) -> Iterator[tuple[str, str]]:
    """The codes of notes and warnings that a file writes as dictionaries: which page, the code."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Dict):
            pairs = {
                ast.unparse(key): value
                for key, value in zip(node.keys, node.values, strict=True)
                if key
            }
            code = pairs.get("'code'")
            if "'message'" in pairs and isinstance(code, ast.Constant):
                yield ("files" if "'level'" in pairs else "conventions"), str(code.value)


def test_every_warning_about_spans_is_explained() -> None:
    found = {pair for path in (ROOT / "src/assay/report").rglob("*.py") for pair in written(path)}
    assert found
    assert not {(name, code) for name, code in found if f"`{code}`" not in page(f"spans/{name}.md")}


def own_codes(path: Path) -> Iterator[str]:
    """The codes that the errors of a file have as a class attribute."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.Assign) and ast.unparse(inner.targets[0]) == "code":
                    yield str(ast.literal_eval(inner.value))


def test_every_error_code_is_documented() -> None:
    from assay import errors

    text = page("errors.md")
    found = {e.code for e in vars(errors).values() if isinstance(e, type) and hasattr(e, "code")}
    for kind in ("ReadingError", "LabelError", "InputError", "DesignError", "UsageError"):
        found |= codes(kind)
    found |= {code for path in (ROOT / "src").rglob("*.py") for code in own_codes(path)}
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

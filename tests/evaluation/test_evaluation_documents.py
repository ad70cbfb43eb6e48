"""The documentation names every key and every remark of an evaluation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import assay
from evaluation.studies import study

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "evaluation.md").read_text("utf-8")
WORDS = {"distribution", "agreement", "coefficients", "one_way"}
"""Keys whose values have the users' words, or are documented with the report of agreement."""


def keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in WORDS:
                yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def test_every_key_is_documented() -> None:
    rows = study(1)
    rows = [r | {"bleu": 0.1 * k} for k, r in enumerate(rows)]
    summary = assay.evaluate([*rows, *rows[:20]], metric="bleu", mixed=True).to_dict()
    assert not {key for key in keys(summary) if f"`{key}`" not in PAGE}


def test_every_remark_is_explained() -> None:
    found = set()
    for folder in ("evaluation", "report"):
        for path in (ROOT / "src" / "assay" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "Remark":
                    first = node.args[0]
                    if isinstance(first, ast.Constant):
                        found.add(str(first.value))
    assert len(found) > 10
    assert not {code for code in found if f"`{code}`" not in PAGE}

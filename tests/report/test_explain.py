"""``assay.explain``: an entry for every name that the library prints, and how it reads."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from rich.cells import cell_len

import assay
from assay.agreement.fleiss import ESTIMATORS
from assay.agreement.metrics import METRICS
from assay.agreement.registry import COEFFICIENTS
from assay.agreement.weights import WEIGHTS
from assay.errors import UsageError
from assay.report.explain import CODES, FILES, KINDS, TEXTS, entries, explain, find, plain
from assay.report.explain_text import reference
from test_docs import ROOT, written

LAYERS = ("agreement", "spans", "ratings", "report")
OTHERS = ("prefer", "evaluate")
"""Reports on systems, which have documents of their own."""
CALLS = {
    "Undefined": (0, "undefined"),
    "undefined": (2, "undefined"),
    "_not_defined": (1, "undefined"),
    "Finding": (0, "warning"),
    "Note": (0, "note"),
}
"""What makes something with a code: the place of the code, and the kind of its entry."""


def names(kind):
    return {one.name for one in entries() if one.kind == kind}


def test_every_coefficient_and_choice_has_an_entry():
    assert names("coefficient") == set(COEFFICIENTS)
    assert names("weights") == {*WEIGHTS, "custom"}
    assert names("metric") == set(METRICS)
    assert names("estimator") == set(ESTIMATORS)


def texts_in(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


@cache
def printable() -> dict[str, set[str]]:
    """Every code in the source, by the kind of its entry."""
    found: dict[str, set[str]] = {"undefined": set(), "warning": set(), "note": set()}
    for layer in LAYERS:
        for path in (ROOT / "src/assay" / layer).rglob("*.py"):
            if path.parent.name in OTHERS or path.name.startswith(OTHERS):
                continue
            tree = ast.parse(path.read_text("utf-8"))
            for node in ast.walk(tree):
                if not isinstance(node, ast.Call):
                    continue
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                place, kind = CALLS.get(name, (0, ""))
                if kind:
                    given = node.args[place : place + 1]
                    given += [word.value for word in node.keywords if word.arg == "code"]
                    words = [text for one in given for text in texts_in(one)]
                    found[kind] |= {w for w in words if re.fullmatch(r"[a-z]\w+[a-z]", w)}
            for page, code in written(path) if layer == "report" else ():
                found["note" if page == "files" else "warning"].add(code)
    return found


@pytest.mark.parametrize("kind", ["undefined", "warning", "note"])
def test_every_code_has_an_entry(kind):
    known = names(kind) | (names("span_note") if kind == "note" else set())
    assert len(printable()[kind]) > 10
    assert printable()[kind] - known == set()


def test_no_entry_is_of_a_code_that_is_gone():
    """Some codes are put together from parts; the source has their ends."""
    text = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    gone = {
        one.name for one in entries() if one.kind in CODES
        and f'"{one.name}"' not in text and f'{one.name.partition("_")[2]}"' not in text
    }  # fmt: skip
    assert not gone


def test_every_method_of_an_interval_has_an_entry(tmp_path):
    """Whatever reports print, over designs that reach every method."""
    scores = [[1, 2], [2, 2], [3, 4], [4, 4], [5, 3], [2, 1]]
    reports = [
        assay.agree(["a", "a", "b", "b", "a"], ["a", "b", "b", "b", "a"]),
        assay.agree(["a", "b"], ["a", "b"]),
        assay.agree([["a", "b", ""], ["a", "a", "b"], ["b", "b", "b"]], layout="wide"),
        assay.agree(scores, layout="wide", scale="interval"),
        assay.agree([["a", "b", ""], ["a", "a", "b"], ["b", "b", "b"]], layout="wide",
                    estimator="pooled"),
    ]  # fmt: skip
    reports += [
        assay.agree(scores * 5, layout="wide", interval=kind, resamples=200)
        for kind in ("bootstrap", "bca", "jackknife")
    ]
    known = [start for one in entries() for start in one.method]
    found = {
        c["interval"]["method"] for one in reports for c in one.summary["coefficients"]
        if c["interval"]
    }  # fmt: skip
    assert len(found) > 5
    assert not {method for method in found if not method.startswith(tuple(known))}
    assert not {start for start in known if not any(method.startswith(start) for method in found)}


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_an_entry_cites_what_the_coefficient_cites(name):
    """The library's own reference, word for word."""
    data = {"ana": [1, 2, 3, 4, 5, 3], "bo": [1, 2, 3, 5, 4, 3]}
    found = assay.agree(data, scale="interval")[name].reference
    entry = next(one for one in find(name) if one.kind == "coefficient")
    assert found
    assert found in entry.reference


def test_every_entry_is_whole():
    for one in entries():
        assert one.kind in KINDS
        for text in (one.says, one.assumes, one.use, one.avoid, one.traps, one.do):
            assert not text or text[-1] in ".?:", (one.name, text)
            assert "  " not in text, one.name
        assert bool(one.do) == (one.kind in CODES), one.name
        if one.kind == "coefficient":
            assert all((one.formula, one.assumes, one.use, one.traps, one.reference)), one.name
        for other in one.see:
            assert find(other), (one.name, other)
    assert set(FILES) == {path.stem for path in Path(TEXTS).glob("*.toml")}


def test_each_name_leads_to_one_entry_of_a_kind():
    pairs = [(one.kind, plain(one.name)) for one in entries()]
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("kappa", "cohen_kappa"),
        ("Cohen's kappa", "cohen_kappa"),
        ("AC1", "gwet_ac"),
        ("alpha", "krippendorff_alpha"),
        ("Po", "observed_agreement"),
        ("Fleiss-kappa", "fleiss_kappa"),
        ("conger", "conger_kappa"),
        ("ICC(2,1)", "icc_a_1"),
        ("p", "p_value"),
        ("ONE_LABEL_USED", "one_label_used"),
    ],
)
def test_names_are_found_as_people_write_them(asked, name):
    assert find(asked)[0].name == name


def test_a_name_of_several_things_shows_all():
    assert [one.kind for one in explain("ordinal").entries] == ["weights", "metric"]
    assert [one.kind for one in explain("constant_rater").entries] == ["undefined", "warning"]


@pytest.mark.parametrize("asked", ["kapa", "", "no such thing at all"])
def test_unknown_names_are_refused(asked):
    with pytest.raises(UsageError, match="`assay explain` lists the names"):
        explain(asked)


def test_each_form_holds_every_part():
    for one in entries():
        found = explain(one.name)
        document = json.loads(found.to_json())
        assert document["kind"] == "explanation"
        text = " ".join(found.to_text(width=100).split())
        for part in (one.title, one.says, one.assumes, one.use, one.traps, one.do, one.reference):
            assert " ".join(part.split()) in text
        assert all(cell_len(line) <= 60 for line in found.to_text(width=60).splitlines())
        assert f"`{one.name}`" in found.to_markdown()


def test_the_list_and_the_page_have_every_name():
    listed, page = explain().to_text(width=100), reference()
    for one in entries():
        assert one.name in listed.split()
        assert f"`{one.name}`" in page
    assert "`cohen_kappa`" in explain().to_markdown()

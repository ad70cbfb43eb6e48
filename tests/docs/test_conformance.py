"""The page of conformance is what the script writes, and the script notices what is wrong."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("sklearn")
pytest.importorskip("seqeval")

import conformance
import conformance_peers as peers
import conformance_reasons
from conformance_oracles import Row

VERSIONS = re.compile(r"^Compared: .*$", re.MULTILINE)


@pytest.fixture(scope="module")
def measured() -> tuple[str, list[str]]:
    gone = peers.missing()
    if gone:
        pytest.skip(f"not installed: {', '.join(gone)}")
    return conformance.measured()


def test_the_page_is_current(measured: tuple[str, list[str]]) -> None:
    text, faults = measured
    assert faults == []
    page = conformance.PAGE.read_text("utf-8")
    # Other versions of the libraries may say the same.
    wanted = VERSIONS.sub("", conformance.put(page, text))
    assert VERSIONS.sub("", page) == wanted, "run: python docs/conformance.py"


def test_a_number_that_is_not_reached_is_a_fault() -> None:
    page = conformance.Page()
    page.section("x", [Row("a table", "kappa", ".25", 0.24)])
    assert page.faults == ["a table, kappa: .25 is due, ours is 0.24"]


def test_a_difference_without_a_reason_is_a_fault() -> None:
    page = conformance.Page()
    rows = [Row("a table", "kappa", ".25", 0.25, {"statsmodels": 0.25, "scikit-learn": 0.2501})]
    page.section("x", rows)
    (fault,) = page.faults
    assert "scikit-learn says 0.250100, ours is 0.250000, and no reason is given" in fault
    assert "**0.250100**" in page.lines[-2]


@pytest.mark.parametrize(
    ("peer", "theirs", "differs"),
    [
        ("irrCAC", 0.25000, False),
        ("irrCAC", 0.250006, True),
        ("scikit-learn", 0.25 + 1e-8, True),
        ("pingouin", "nan", True),
    ],
)
def test_how_near_a_library_must_be(peer: str, theirs: peers.Said, differs: bool) -> None:
    assert Row("a table", "kappa", None, 0.25, {peer: theirs}).differs(peer) is differs


def test_a_reason_that_applies_to_nothing_is_a_fault(
    measured: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(conformance_reasons.REASONS, ("no such table", "*", "irrCAC"), "because")
    monkeypatch.setattr(conformance, "SECTIONS", {})
    _, faults = conformance.measured()
    assert any("no such table" in fault for fault in faults)


def test_an_error_is_an_answer() -> None:
    assert peers.asked(lambda: 1 / 0) == "ZeroDivisionError"
    assert peers.asked(lambda: float("nan")) == "nan"
    assert peers.asked(lambda: [0.5]) == 0.5

"""Whatever the design, the scale, the weights, the estimator: a whole report or a clear error."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import assay
from agreement.datasets import wide
from assay.agreement.weights import WEIGHTS
from strategies import Rows, counts, matrices, tables

SCALES = ("nominal", "ordinal", "interval", "ratio", "circular")
CHOICES = st.fixed_dictionaries(
    {
        "scale": st.sampled_from(SCALES),
        "weights": st.sampled_from(("identity", *WEIGHTS)),
        "estimator": st.sampled_from(("gwet", "pooled", "pair-weighted")),
        "level": st.sampled_from((0.8, 0.95, 0.99)),
    }
)
SOME = settings(max_examples=40, deadline=None)


def check(report: assay.AgreementReport) -> None:
    json.dumps(report.summary, allow_nan=False)
    for one in report.coefficients.values():
        assert (one.value is None) == (one.undefined is not None)
        if one.exact is not None:
            assert float(one.exact) == pytest.approx(one.value, abs=1e-12)
        interval = one.interval()
        if interval is not None:
            assert interval.low - 1e-12 <= one.value <= interval.high + 1e-12, one
            assert one.why_no_interval() is None
        elif one.undefined is None:
            assert one.why_no_interval() is not None, one
        for test in one.tests:
            assert test.p_value is None or 0.0 <= test.p_value <= 1.0, one
            assert (test.p_value is None) == (test.undefined is not None), one
    for text in (report.to_text(width=70), report.to_markdown(), report.to_latex()):
        assert re.search(r"\bnan\b", text.lower()) is None
    assert report.to_csv().count("\n") > 20


@given(rows=matrices(labels=st.sampled_from([0, 1, 2, 5]), raters=(1, 4)), choices=CHOICES)
@SOME
def test_ratings(rows: Rows, choices: dict[str, Any]) -> None:
    check(assay.agree(wide(rows), **choices))


@given(
    rows=matrices(labels=st.sampled_from([0, 1, 2, 5]), raters=(1, 4)),
    choices=CHOICES,
    parts=st.integers(2, 3),
)
@settings(max_examples=20, deadline=None)
def test_groups(rows: Rows, choices: dict[str, Any], parts: int) -> None:
    assume(len(rows) >= parts)
    records = [
        {"item": i, "rater": g, "label": x, "part": i % parts}
        for i, row in enumerate(rows)
        for g, x in enumerate(row)
    ]
    report = assay.agree(records, item="item", rater="rater", label="label", by="part", **choices)
    for group in report.groups.values():
        check(group)


@given(rows=counts(), choices=CHOICES)
@SOME
def test_counts(rows: Rows, choices: dict[str, Any]) -> None:
    check(assay.agree(assay.Counts(rows), **choices))


CELLS = st.one_of(st.integers(0, 30), st.integers(0, 300).map(lambda x: x / 100))


@given(table=tables(cells=CELLS), choices=CHOICES)
@SOME
def test_tables(table: Rows, choices: dict[str, Any]) -> None:
    check(assay.agree(assay.Table(table), **choices))

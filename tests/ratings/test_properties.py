"""Properties that hold for every table."""

from __future__ import annotations

import contextlib
import csv
import io
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import read
from assay.errors import AssayError
from assay.ratings.model import Ratings
from ratings.helpers import triples

LABELS = ["yes", "no", "maybe so", "n;a", 'q"q', "\u00e9"]
ROWS = st.lists(
    st.tuples(
        st.sampled_from([f"q{k}" for k in range(8)]),
        st.sampled_from([f"w{k}" for k in range(4)]),
        st.sampled_from(LABELS),
    ),
    min_size=1,
    max_size=40,
    unique_by=lambda row: row[:2],
)


def text(rows: Sequence[Sequence[str]], separator: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(rows)
    return out.getvalue()


def through_file(content: str | bytes, **options: Any) -> Ratings:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        got = read(path, **options)
        got.items  # noqa: B018 (fetched while the file is there)
        return got


@settings(deadline=None, max_examples=60)
@given(ROWS, st.sampled_from([",", ";", "\t", "|"]))
def test_every_source_gives_the_same_ratings(rows: list[tuple[str, str, str]], sign: str) -> None:
    header = ("item", "rater", "label")
    expected = sorted(rows, key=str)
    frame = pl.DataFrame(rows, schema=list(header), orient="row")
    assert triples(read(rows)) == expected
    assert triples(through_file(text([header, *rows], sign))) == expected
    assert triples(read(frame)) == expected
    assert triples(read(pd.DataFrame(rows, columns=list(header)))) == expected
    assert triples(read(pa.table({n: frame[n].to_list() for n in header}))) == expected
    nested: dict[str, dict[str, str]] = {}
    for item, rater, label in rows:
        nested.setdefault(rater, {})[item] = label
    assert triples(read(nested)) == expected


@settings(deadline=None, max_examples=40)
@given(ROWS)
def test_long_and_wide_are_the_same(rows: list[tuple[str, str, str]]) -> None:
    items = sorted({row[0] for row in rows})
    raters = sorted({row[1] for row in rows})
    cells = {row[:2]: row[2] for row in rows}
    table = [["item", *raters], *([i, *(cells.get((i, r), "") for r in raters)] for i in items)]
    assert triples(through_file(text(table), layout="wide")) == sorted(rows, key=str)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.lists(st.one_of(st.none(), st.integers(-300, 300)), min_size=2, max_size=2), min_size=1
    )
)
def test_matrix_round_trip(rows: list[list[int | None]]) -> None:
    array = np.array([[np.nan if c is None else c for c in row] for row in rows], dtype=float)
    got = read(array)
    labels = [*got.categories, None]
    assert [[labels[c] for c in item] for item in got.blocks[0].labels.T] == rows


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=8))
def test_counts_round_trip(rows: list[list[int]]) -> None:
    got = read(rows, layout="counts")
    labels = got.blocks[0].labels
    assert [[int((column == k).sum()) for k in range(3)] for column in labels.T] == rows


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=200))
def test_any_bytes_give_ratings_or_an_error_of_ours(content: bytes) -> None:
    with contextlib.suppress(AssayError):
        assert through_file(content).blocks


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet='abc123,;\t\n". -', max_size=120))
def test_any_text_gives_ratings_or_an_error_of_ours(content: str) -> None:
    with contextlib.suppress(AssayError):
        assert through_file("item,x,y\n" + content).blocks

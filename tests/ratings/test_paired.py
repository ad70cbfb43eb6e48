"""Long parallel sequences, counted by pairs: the same as reading them row by row."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assay
from assay.ratings.paired import LONG, paired
from assay.ratings.read import from_lists

WORDS = np.array(["alpha", "beta", "NA", "delta"])


def sample(size: int, low: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(size)
    a = rng.integers(0, 4, size)
    return low + a, low + np.where(rng.random(size) < 0.6, a, rng.integers(0, 4, size))


@pytest.mark.parametrize("low", [0, 1, -3, 250, 2**56])
@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize("kind", ["i8", "i2", "u8"])
def test_integers(low: int, extra: int, kind: str) -> None:
    a, b = sample(LONG + extra, low)
    if not (np.iinfo(kind).min <= a.min() and a.max() <= np.iinfo(kind).max):
        pytest.skip("the numbers do not fit the type")
    a, b = a.astype(kind), b.astype(kind)
    got, want = paired(a, b), from_lists(a, b)
    assert got is not None
    assert list(got.categories) == list(want.categories)
    for coefficient in (assay.cohen_kappa, assay.krippendorff_alpha, assay.gwet_ac):
        assert coefficient(got).exact == coefficient(want).exact
    assert assay.cohen_kappa(a, b).exact == assay.cohen_kappa(want).exact


@pytest.mark.parametrize("arrow", [False, True])
def test_strings_with_gaps(arrow: bool) -> None:
    a, b = (pl.Series(WORDS[x]) for x in sample(LONG))
    a = pl.Series([None, *a.to_list()[1:]])
    want = from_lists(a, b)
    if arrow:
        a, b = a.to_arrow(), b.to_arrow()
    got = paired(a, b)
    assert got is not None
    assert got.n_ratings == want.n_ratings == 2 * LONG - 1
    assert assay.cohen_kappa(a, b).exact == assay.cohen_kappa(want).exact
    declared = ["NA", "alpha", "beta", "delta", "unused"]
    assert (
        assay.brennan_prediger(a, b, categories=declared).exact
        == assay.brennan_prediger(want, categories=declared).exact
    )


def test_what_is_read_row_by_row_all_the_same() -> None:
    a, b = sample(LONG)
    assert paired(a[:100], b[:100]) is None
    assert paired(a, b[:-1]) is None
    assert paired(a.astype(float), b.astype(float)) is None
    assert paired(a * 100, b) is None
    assert paired(a + 2**62, b + 2**62) is None
    assert paired(a.tolist(), b.tolist()) is None
    odd = a.copy()
    odd[-1] = 7  # not in the sample that the range is taken from
    assert assay.cohen_kappa(odd, b).exact == assay.cohen_kappa(from_lists(odd, b)).exact

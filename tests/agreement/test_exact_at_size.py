"""Numbers stay exact however many items there are: products beyond 64 bits, and any partition."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.agreement.registry import COEFFICIENTS
from assay.ratings.categories import Categories
from assay.ratings.large import chunk as chunks
from assay.ratings.large import sums as large
from assay.ratings.model import Block, Ratings
from assay.ratings.reductions import Reduced

MANY = 10**14
"""Items a row stands for: their squares have 28 digits."""


def ratings_of(rows: list[tuple[int, ...]], times: list[int], labels: list[Any]) -> Ratings:
    block = Block(np.array(rows, dtype=np.int8).T, weights=np.array(times, dtype=np.int64))
    names = tuple(f"r{k}" for k in range(len(rows[0])))
    return Ratings((block,), Categories(labels), names)


def design(raters: int, q: int, seed: int) -> tuple[list[tuple[int, ...]], list[int]]:
    rng = random.Random(seed)
    rows = [row for row in product(range(-1, q), repeat=raters) if max(row) >= 0]
    rows = rng.sample(rows, min(12, len(rows)))
    return rows, [rng.randint(1, 9) for _ in rows]


def alpha(rows: list[tuple[int, ...]], times: list[int]) -> Fraction:
    """Nominal alpha from all pairs of ratings, in whole numbers of any size."""
    apart, totals = Fraction(0), dict[int, int]()
    for row, n in zip(rows, times, strict=True):
        given = [k for k in row if k >= 0]
        if len(given) < 2:
            continue
        for k in given:
            totals[k] = totals.get(k, 0) + n
        unequal = sum(a != b for a in given for b in given)
        apart += Fraction(n * unequal, len(given) - 1)
    n = sum(totals.values())
    expected = n * n - sum(t * t for t in totals.values())
    return 1 - (n - 1) * apart / expected


@pytest.mark.parametrize(("raters", "q"), [(2, 2), (2, 4), (3, 3), (5, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_products_beyond_64_bits(raters, q, seed):
    rows, times = design(raters, q, seed)
    labels = list(range(1, q + 1))
    few = assay.agree(ratings_of(rows, times, labels))
    many = assay.agree(ratings_of(rows, [MANY * n for n in times], labels))
    for name in COEFFICIENTS:
        small, large_ = few[name], many[name]
        if name == "krippendorff_alpha":
            assert small.exact == alpha(rows, times)
            assert large_.exact == alpha(rows, [MANY * n for n in times])
            continue
        if large_.value is None:
            assert small.undefined == large_.undefined, name
            continue
        if name.startswith("icc"):
            continue  # mean squares have n − 1 in them; tests/agreement/test_oracles_numeric.py
        if small.exact is not None:
            assert small.exact == large_.exact, name
        assert small.value == pytest.approx(large_.value, abs=1e-12), name
        if small.standard_error:
            ratio = small.standard_error / (large_.standard_error or np.nan)
            assert ratio == pytest.approx(MANY**0.5, rel=0.2), name
    tables, wanted = Reduced(many.ratings).pairs, Reduced(few.ratings).pairs
    assert (tables.n == MANY * wanted.n).all()


def test_pair_tables_of_very_many_items_are_exact():
    """Counts above 2^53, which floating products would round."""
    odd = (1 << 55) + 1
    ratings = ratings_of([(0, 0, 1), (0, 1, 1), (1, 0, 0)], [odd, 3, odd], ["a", "b"])
    tables = Reduced(ratings).pairs
    found = {
        (g, h, a, b): n
        for k, (g, h) in enumerate(tables.raters.tolist())
        for a, b, n in zip(*(x.tolist() for x in tables.cells(k)), strict=True)
    }
    assert found[0, 1, 0, 0] == odd
    assert found[0, 2, 0, 1] == odd + 3
    assert found[1, 2, 0, 1] == odd
    assert found[1, 2, 0, 0] == odd


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(2, 4), st.booleans())
def test_sums_of_any_parts_are_the_sums_of_all(seed, parts, q, crowd):
    """Items are shared out at random, added up part by part, and merged in any order."""
    rng = np.random.default_rng(seed)
    raters = 30 if crowd else 3
    sizes = rng.integers(1, min(raters, 5) + 1, 40)
    who = np.concatenate([rng.permutation(raters)[:n] for n in sizes]).astype(np.int32)
    labels = rng.integers(-1 if rng.random() < 0.3 else 0, q, who.size).astype(np.int32)
    start = np.cumsum(sizes) - sizes
    words = np.arange(40, dtype=np.uint64)[:, None] + np.uint64(7)

    def chunk(items: np.ndarray) -> chunks.Chunk:
        rows = np.concatenate([np.arange(start[i], start[i] + sizes[i]) for i in items])
        mine = sizes[items]
        return chunks.Chunk(np.cumsum(mine) - mine, who[rows], labels[rows], words[items])

    def never(_: chunks.Chunk) -> chunks.Chunk:
        raise AssertionError("no rater rated an item twice")

    def gathered(shares: list[np.ndarray]) -> tuple[Any, ...]:
        every = []
        for share in shares:
            one = large.Sums(pairs=True, number=True, settle=never)
            for piece in np.array_split(share, rng.integers(1, 4)):
                if piece.size:
                    one.add(chunk(piece))
            every.append(one)
        first, *rest = every
        for one in rest:
            first.merge(one)
        p = first.all_patterns(q)
        units = first.rows(raters)
        cells = first.cells() if units is None else None
        names = {
            pattern: [name for _, name, _ in held]
            for pattern, held in (first.kept.of if first.kept else {}).items()
        }
        return (
            p.multiplicity.tolist(), p.labels.tolist(), p.counts.tolist(),
            first.full_table(raters, q).tolist(), first.empty, first.unrated,
            None if units is None else sorted(
                (*column, n) for column, n in
                zip(units.labels.T.tolist(), np.asarray(units.weights).tolist(), strict=True)
            ),
            None if cells is None else sorted(map(tuple, cells.tolist())),
            names,
        )  # fmt: skip

    whole = gathered([np.arange(40)])
    order = rng.permutation(40)
    assert gathered(np.array_split(order, parts)) == whole

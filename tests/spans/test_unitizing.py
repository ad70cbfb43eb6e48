"""Krippendorff's alpha for unitizing against published values and position-by-position counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.spans.annotators import Resampling
from assay.spans.corpus import SpanSet
from assay.spans.unitizing import FULL_NAMES, unitizing

# Krippendorff (2004), figure 2: a continuum from 150 to 450, types c and k. The two types
# overlap within an annotator, which that definition allows.
FIRST = [(75, 145, "c"), (220, 250, "c"), (30, 90, "k"), (150, 200, "k")]
SECOND = [(70, 150, "c"), (205, 225, "c"), (250, 270, "c"), (30, 90, "k"), (150, 200, "k")]

# Two annotators on 60 positions, with the lengths and intersections of a published example of
# the 2016 family (u .474, |u .433, cu .779 covering 38.33 %, (1)u .769 and 95.45 %, (2)u .787
# and 59.52 %).
ONE = [(5, 8, "1"), (8, 17, "2"), (25, 31, "1"), (33, 55, "2")]
TWO = [(5, 11, "1"), (11, 12, "2"), (25, 32, "1"), (41, 51, "2")]


def spans(*found):
    return SpanSet.of([(s[0] if len(s) == 4 else 0, *s[-3:]) for s in found])


def named(results):
    return {(one.name, one.type): one for one in results}


def of(annotators, lengths, **options):
    return named(unitizing([spans(*one) for one in annotators], lengths, **options))


def test_published_2004():
    found = of([FIRST, SECOND], [300])
    c, k = found["alpha_u_2004", "c"], found["alpha_u_2004", "k"]
    assert c.observed == pytest.approx(0.0144, abs=5e-5)
    assert c.expected == pytest.approx(0.0532, abs=5e-5)
    assert c.value == pytest.approx(0.7286, abs=5e-5)
    assert (k.observed, k.exact) == (0.0, 1)
    assert k.expected == pytest.approx(0.0490, abs=5e-5)
    assert found["alpha_u_2004", None].value == pytest.approx(0.8587, abs=5e-5)
    # One annotator's c and k overlap, so the positions have no single value.
    assert found["u_alpha", None].undefined.code == "overlapping_spans"


def test_published_2016():
    found = of([ONE, TWO], [60])
    values = {key: round(one.value, 3) for key, one in found.items() if "2004" not in key[0]}
    assert values == {
        ("u_alpha", None): 0.474,
        ("u_alpha_binary", None): 0.433,
        ("cu_alpha", None): 0.779,
        ("ku_alpha", "1"): 0.769,
        ("ku_alpha", "2"): 0.787,
    }
    covered = [found[key].coverage for key in list(values)[2:]]
    assert covered == pytest.approx([0.3833, 0.9545, 0.5952], abs=5e-5)


# Position by position ------------------------------------------------------------------------


def brute_family(annotators, length):
    """The family of 2016 from pairs of positions, with nothing shared with the library.

    Every (annotator, position) has a value and a unit: its span, or itself in a gap. Observed
    pairs are of one position, expected pairs are all that are not of one unit.
    """
    m = len(annotators)
    cells = []
    for i, one in enumerate(annotators):
        for p in range(length):
            at = [n for n, (a, b, _) in enumerate(one) if a <= p < b]
            value = one[at[0]][2] if at else None
            cells.append((i, p, value, (i, "span", at[0]) if at else (i, "gap", p)))
    here = [[c for c in cells if c[1] == p] for p in range(length)]
    observed = [(x, y) for at in here for x, y in product(at, at) if x[0] != y[0]]
    expected = [(x, y) for x, y in product(cells, cells) if x[3] != y[3]]
    marked = {p: sum(c[2] is not None for c in at) for p, at in enumerate(here)}

    def weight(cell):
        return Fraction(marked[cell[1]] - 1, m - 1) if cell[2] is not None else Fraction(0)

    def alpha(differ, obs, exp, weigh):
        """1 − the share of observed over that of expected pairs that differ."""
        shares = []
        for pairs, w in ((obs, lambda x, y: Fraction(1)), (exp, weigh)):
            total = sum((w(x, y) for x, y in pairs), Fraction(0))
            apart = sum((w(x, y) for x, y in pairs if differ(x[2], y[2])), Fraction(0))
            if not total:
                return None
            shares.append(apart / total)
        return 1 - shares[0] / shares[1] if shares[1] else None

    def even(x, y):
        return Fraction(1)

    def pairable(x, y):
        return weight(x) * weight(y)

    both = [(x, y) for x, y in observed if x[2] is not None and y[2] is not None]
    out = {
        ("u_alpha", None): alpha(lambda a, b: a != b, observed, expected, even),
        ("u_alpha_binary", None): alpha(
            lambda a, b: (a is None) != (b is None), observed, expected, even
        ),
        ("cu_alpha", None): alpha(lambda a, b: a != b, both, expected, pairable),
    }
    for kind in {k for one in annotators for _, _, k in one}:
        out["ku_alpha", kind] = alpha(
            lambda a, b: a != b,
            [(x, y) for x, y in both if x[2] == kind],
            [(x, y) for x, y in expected if x[2] == kind],
            pairable,
        )
    return out


def brute_2004(annotators, length):
    """D_o and D_e of one type's spans, by walking through every place."""
    m = len(annotators)
    observed = 0
    for one, two in product(range(m), repeat=2):
        if one == two:
            continue
        for a, b in annotators[one]:
            met = [(c, d) for c, d in annotators[two] if set(range(a, b)) & set(range(c, d))]
            observed += sum((a - c) ** 2 + (b - d) ** 2 for c, d in met)
            # The span in a gap, once from either side.
            observed += 0 if met else 2 * (b - a) ** 2
    sizes = [b - a for one in annotators for a, b in one]
    expected = 0
    for k, h in combinations(sizes, 2):
        for start in range(-k + 1, h):
            expected += start**2 + (start + k - h) ** 2
    for one in annotators:
        free = "".join("x" if any(a <= p < b for a, b in one) else "." for p in range(length))
        # Touching spans have no gap between them.
        for gap in free.split("x"):
            for size in sizes:
                expected += size**2 * sum(start + size <= len(gap) for start in range(len(gap)))
    pairs = m * length * (m * length - 1) - sum(size * (size - 1) for size in sizes)
    return (
        Fraction(observed, m * (m - 1) * length**2),
        Fraction(2, length) * expected / pairs,
    )


@st.composite
def one_annotator(draw, length, kinds="AB"):
    cuts = sorted(draw(st.sets(st.integers(0, length), max_size=6)))
    out = []
    for a, b in pairwise(cuts):
        kind = draw(st.sampled_from([None, *kinds]))
        if kind:
            out.append((a, b, kind))
    return out


@st.composite
def several(draw):
    length = draw(st.integers(1, 9))
    m = draw(st.integers(2, 4))
    return [draw(one_annotator(length)) for _ in range(m)], length


@given(several())
def test_family_is_the_count_of_pairs(case):
    annotators, length = case
    found = of(annotators, [length])
    for key, value in brute_family(annotators, length).items():
        assert found[key].exact == value, key
        assert (found[key].undefined is None) == (value is not None)


@given(several())
def test_2004_is_the_walk_through_places(case):
    annotators, length = case
    found = of(annotators, [length])
    parts = {}
    for kind in {k for one in annotators for _, _, k in one}:
        only = [[(a, b) for a, b, k in one if k == kind] for one in annotators]
        parts[kind] = d_o, d_e = brute_2004(only, length)
        got = found["alpha_u_2004", kind]
        assert got.exact == (1 - d_o / d_e if d_e else None)
        assert d_e == 0 or (got.observed, got.expected) == (float(d_o), float(d_e))
    d_o, d_e = (sum((p[k] for p in parts.values()), Fraction(0)) for k in (0, 1))
    assert found["alpha_u_2004", None].exact == (1 - d_o / d_e if d_e else None)


@given(several(), st.randoms())
def test_the_order_of_annotators_changes_nothing(case, random):
    annotators, length = case
    shuffled = random.sample(annotators, len(annotators))
    one, two = of(annotators, [length]), of(shuffled, [length])
    assert {k: v.exact for k, v in one.items()} == {k: v.exact for k, v in two.items()}


@given(several())
def test_annotators_who_agree_have_one(case):
    annotators, length = case
    found = of([annotators[0]] * 3, [length])
    assert {one.exact for one in found.values()} <= {Fraction(1), None}


@given(several())
def test_sentences_are_laid_end_to_end(case):
    """Cutting the text where nobody has a span across changes no figure."""
    annotators, length = case
    inside = {p for one in annotators for a, b, _ in one for p in range(a + 1, b)}
    cuts = [0, *(p for p in range(1, length) if p not in inside), length]
    place = {p: (k, p - a) for k, (a, b) in enumerate(pairwise(cuts))
             for p in range(a, b)}  # fmt: skip
    parts = [
        [(place[a][0], place[a][1], place[a][1] + b - a, kind) for a, b, kind in one]
        for one in annotators
    ]
    lengths = np.diff(cuts)
    whole, cut = of(annotators, [length]), of(parts, lengths)
    assert {k: v.exact for k, v in whole.items()} == {k: v.exact for k, v in cut.items()}
    table = unitizing([spans(*p) for p in parts], lengths, resampling=Resampling(100))
    assert [one.exact for one in table] == [one.exact for one in cut.values()]


# Undefined, refused, resampled ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotators", "lengths", "key", "code"),
    [
        ([ONE], [60], ("u_alpha", None), "one_annotator"),
        ([ONE], [60], ("alpha_u_2004", None), "one_annotator"),
        ([[], []], [60], ("u_alpha", None), "no_spans"),
        ([[], []], [60], ("alpha_u_2004", None), "no_spans"),
        ([[], []], [], ("cu_alpha", None), "no_text"),
        ([[(0, 4, "A")]] * 2, [4], ("u_alpha", None), "one_category_used"),
        ([[(0, 4, "A")], [(0, 4, "B")]], [4], ("u_alpha_binary", None), "one_category_used"),
        ([[(0, 2, "A")]] * 2, [4], ("cu_alpha", None), "one_category_used"),
        ([[(0, 2, "A")]] * 2, [4], ("ku_alpha", "A"), "one_category_used"),
        ([[(0, 2, "A")], [(2, 4, "B")]], [9], ("cu_alpha", None), "no_shared_positions"),
        ([[(0, 2, "A")], [(2, 4, "B")]], [9], ("ku_alpha", "B"), "no_shared_positions"),
        ([[(0, 3, "A"), (2, 4, "B")], []], [9], ("ku_alpha", "A"), "overlapping_spans"),
        ([[(0, 3, "A"), (2, 4, "A")], []], [9], ("alpha_u_2004", "A"), "overlapping_spans"),
        ([[(0, 3, "A"), (2, 4, "A")], []], [9], ("alpha_u_2004", None), "overlapping_spans"),
        ([[(0, 1, "A")]] * 2, [1], ("alpha_u_2004", "A"), "no_variance"),
    ],
)
def test_undefined_says_why(annotators, lengths, key, code):
    got = of(annotators, lengths)[key]
    assert (got.value, got.undefined.code) == (None, code)
    assert got.undefined.reason


def test_overlap_names_annotator_and_sentence():
    one = [(0, 0, 3, "A"), (2, 1, 3, "A"), (2, 2, 4, "B")]
    got = of([[], one], [5, 0, 5], names=["ana", "bo"])["u_alpha", None]
    assert "bo has spans that share positions (first in sentence 3)" in got.undefined.reason


def test_spans_of_several_pieces_count_by_piece():
    split = SpanSet.of([(0, ((0, 2), (4, 6)), "A"), (0, 7, 8, "B")])
    whole = spans((0, 2, "A"), (4, 6, "A"), (7, 8, "B"))
    other = spans((1, 5, "A"))
    a = [one.exact for one in unitizing([split, other], [9])]
    b = [one.exact for one in unitizing([whole, other], [9])]
    assert a == b
    assert unitizing([split, spans((2, 4, "B"))], [9])[0].exact is not None


def test_refuses_spans_outside_the_text():
    with pytest.raises(InputError, match=r"bo: sentence 2: A from 1 to 4 reaches past its end, at"):
        unitizing([spans(), spans((1, 1, 4, "A"))], [9, 3], names=["ana", "bo"])
    with pytest.raises(InputError, match="a span in sentence 3, and the text has 2"):
        unitizing([spans(), spans((2, 1, 4, "A"))], [9, 3])
    with pytest.raises(UsageError, match="1 names for 2 annotators"):
        unitizing([spans(), spans()], [9], names=["ana"])


def test_intervals_are_seeded_and_hold_the_value():
    rng = np.random.default_rng(5)
    one = [(k, a := int(rng.integers(0, 5)), a + 3, "AB"[k % 2]) for k in range(40)]
    two = [(k, a, b + int(rng.integers(0, 2)), kind) for k, a, b, kind in one if k % 5]
    sets, lengths = [spans(*one), spans(*two)], [10] * 40
    first = unitizing(sets, lengths, resampling=Resampling(300, seed=1, level=0.9))
    again = unitizing(sets, lengths, resampling=Resampling(300, seed=1, level=0.9))
    assert [x.interval for x in first] == [x.interval for x in again]
    for got in first:
        if got.name == "alpha_u_2004":
            assert got.interval is None
            continue
        assert got.interval is not None
        assert got.value is not None
        assert got.interval.low <= got.value <= got.interval.high
        assert got.interval.method == "percentile bootstrap over sentences, 300 resamples"
    grouped = Resampling(300, groups=np.arange(40) // 4)
    got = unitizing(sets, lengths, resampling=grouped)[0]
    assert got.exact == first[0].exact
    assert got.interval is not None
    assert "documents" in got.interval.method


def test_every_name_has_words():
    found = unitizing([spans(*ONE), spans(*TWO)], [60])
    assert {one.name for one in found} == set(FULL_NAMES)
    assert all(one.full_name and one.reference for one in found)

"""What the kappa lab shows: every preset, every band, every sentence that numbers choose."""

from __future__ import annotations

import re
from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.report.bands import SCALES
from assay.web.lab import LABS
from assay.web.labs.kappa import State, view
from assay.web.labs.kappa.presets import FIRST, PRESETS
from assay.web.labs.kappa.state import default_labels
from assay.web.pages import page
from assay.web.speech import english
from strategies import tables

EMPTY = ((0, 0), (0, 0))
# Cells that make skewed, sparse and constant tables as often as others.
CELL = st.one_of(st.just(0), st.integers(0, 9), st.integers(0, 2000))


def seen(state, before=None):
    """The view of a state, in English."""
    return view(state, before, english())


def of(cells, **rest):
    rows = tuple(tuple(row) for row in cells)
    return State(rows, rest.pop("labels", default_labels(len(rows))), **rest)


def shown(cells, before=None, **rest):
    return seen(of(cells, **rest), before)


def rendered(state, before=None):
    """The page's markup, as the application makes it."""
    lab, said = LABS["kappa"], english()
    return str(
        page(
            "kappa.html",
            said,
            lab=lab,
            state=state,
            view=view(state, before, said),
            current=lab.address(state),
            asked={},
            problem=None,
            pasted="",
            heading=lab.heading(state),
            link=lab.address,
            in_language=lambda code: code,
        )
    )


def figures(markup):
    """(name, value, text) of the figures of a page."""
    pattern = r'data-figure="([^"]+)" data-value="([^"]*)"[^>]*>([^<]*)<'
    return {name: (value, text) for name, value, text in re.findall(pattern, markup)}


# n, Po, Pe, kappa, Po max, kappa max; the fractions are worked out by hand from the margins.
EXPECTED = {
    "chatbot": (1000, F(9, 10), F("0.8996"), F(4, 1004), F("0.994"), F(944, 1004)),
    "negative": (100, F(2, 5), F(1, 2), F(-1, 5), F(1), F(1)),
    "independent": (100, F(1, 2), F(1, 2), F(0), F(1), F(1)),
    "constant": (100, F(3, 5), F(3, 5), F(0), F(3, 5), F(0)),
    "judge": (100, F("0.97"), F("0.97"), F(0), F("0.97"), F(0)),
    "three": (100, F("0.82"), F("0.6285"), F(1915, 3715), F("0.95"), F(3215, 3715)),
    "reviews": (100, F(3, 4), F("0.51"), F(24, 49), F("0.95"), F(44, 49)),
    "pictures": (50, F("0.7"), F(1, 2), F(2, 5), F("0.9"), F(4, 5)),
    "one-label": (120, F(1), F(1), None, F(1), None),
}


def test_every_preset_is_expected():
    assert set(PRESETS) == set(EXPECTED)
    assert PRESETS["chatbot"] is FIRST


@pytest.mark.parametrize("key", EXPECTED)
def test_figures_of_presets(key):
    got = seen(PRESETS[key].state).figures
    assert (got.n, got.po, got.pe, got.kappa, got.po_max, got.kappa_max) == EXPECTED[key]


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("chatbot", {"po": "0.9000", "pe": "0.8996", "kappa": "0.0040", "po-max": "0.9940",
                     "kappa-max": "0.940", "n": "1,000"}),
        ("negative", {"po": "0.4000", "pe": "0.5000", "kappa": "−0.2000"}),
        ("independent", {"kappa": "0.0000", "pe": "0.5000"}),
        ("constant", {"po": "0.6000", "pe": "0.6000", "kappa": "0.0000", "kappa-max": "0.000"}),
        ("judge", {"po": "0.9700", "pe": "0.9700", "kappa": "0.0000", "kappa-max": "0.000"}),
        ("three", {"po": "0.8200", "pe": "0.6285", "kappa": "0.5155"}),
        ("reviews", {"po": "0.7500", "pe": "0.5100", "kappa": "0.4898"}),
        ("pictures", {"po": "0.7000", "pe": "0.5000", "kappa": "0.4000"}),
        ("one-label", {"po": "1.0000", "pe": "1.0000", "kappa": "?", "kappa-max": "?"}),
    ],
)  # fmt: skip
def test_presets_as_printed(key, texts):
    state = PRESETS[key].state
    found = figures(rendered(state))
    assert {name: found[name][1] for name in texts} == texts
    got = seen(state).figures
    exact = {"po": got.po, "pe": got.pe, "kappa": got.kappa, "po-max": got.po_max,
             "kappa-max": got.kappa_max, "n": got.n}  # fmt: skip
    for name, value in exact.items():
        assert found[name][0] == ("" if value is None else found[name][0])
        if value is not None:
            # Unrounded: the float nearest to the fraction.
            assert float(found[name][0]) == float(value)


def test_nothing_is_defined_on_an_empty_table():
    state = of(EMPTY)
    markup = rendered(state)
    found = figures(markup)
    for name in ("po", "pe", "kappa", "po-max", "kappa-max"):
        assert found[name] == ("", "?"), name
    assert found["n"] == ("0", "0")
    got = seen(state)
    assert got.why.startswith("Not defined: the table is empty")
    assert got.why in markup
    assert (got.interval, got.dots, got.weighted, got.band) == (None, (), None, "")
    assert "NaN" not in markup
    assert ">nan" not in markup


def test_one_label_is_an_answer_with_its_reason():
    state = PRESETS["one-label"].state
    got = seen(state)
    assert "both raters said “no” every time" in got.why
    assert "each is a convention, not a result" in got.why
    assert got.why in rendered(state)
    assert figures(rendered(state))["kappa"] == ("", "?")
    assert got.won == ""
    assert got.band == ""
    assert not any(one.holds for one in got.bands)


def test_chance_label_by_label():
    """2.80 + 896.80 = 899.60 items by chance; terms .0028 and .8968."""
    got = seen(FIRST.state).figures
    first, second = got.terms
    assert (first.row, first.column, first.observed) == (50, 56, 3)
    assert (second.row, second.column, second.observed) == (950, 944, 897)
    assert (first.chance, second.chance, got.chance) == (F("2.8"), F("896.8"), F("899.6"))
    assert (first.part, second.part) == (F("0.0028"), F("0.8968"))
    assert (first.difference, second.difference, got.difference) == (F("0.2"), F("0.2"), F("0.4"))
    markup = rendered(FIRST.state)
    for text in ("2.80", "896.80", "899.60", "0.0028", "0.8968", "0.8996", "+0.20", "+0.40"):
        assert f"<td>{text}</td>" in markup, text


def test_kappa_in_one_sentence():
    def won(cells):
        return shown(cells).won

    assert won(FIRST.cells) == "Of the 0.1004 that were to be won, 0.0004 were won."
    assert "nothing was won" in won(((25, 25), (25, 25)))
    assert won(((20, 30), (30, 20))) == (
        "Of the 0.5000 that were to be won, nothing was: 0.1000 of chance's own were lost."
    )
    markup = rendered(FIRST.state)
    for part in ("0.9000", "0.8996", "0.0004", "0.1004", "0.0040"):
        assert f"<mn>{part}</mn>" in markup


BANDS = [
    (((20, 30), (30, 20)), F(-1, 5), "Poor"),
    (((49, 51), (51, 49)), F(-1, 50), "Poor"),
    (((25, 25), (25, 25)), F(0), "Slight"),
    (((30, 20), (20, 30)), F(1, 5), "Slight"),
    (((241, 159), (159, 241)), F("0.205"), "Fair"),
    (((20, 5), (10, 15)), F(2, 5), "Fair"),
    (((36, 14), (14, 36)), F("0.44"), "Moderate"),
    (((40, 10), (10, 40)), F(3, 5), "Moderate"),
    (((41, 9), (9, 41)), F("0.64"), "Substantial"),
    (((45, 5), (5, 45)), F(4, 5), "Substantial"),
    (((46, 4), (4, 46)), F("0.84"), "Almost perfect"),
    (((50, 0), (0, 50)), F(1), "Almost perfect"),
]


@pytest.mark.parametrize(("cells", "kappa", "word"), BANDS)
def test_bands(cells, kappa, word):
    got = shown(cells)
    assert got.figures.kappa == kappa
    assert got.band == word
    assert [one.word for one in got.bands if one.holds] == [word]


def test_adjoining_marks():
    assert [(one.word, one.limits) for one in shown(FIRST.cells).bands] == [
        ("Poor", "below 0.00"),
        ("Slight", "0.00–0.20"),
        ("Fair", "0.20–0.40"),
        ("Moderate", "0.40–0.60"),
        ("Substantial", "0.60–0.80"),
        ("Almost perfect", "0.80–1.00"),
    ]


@pytest.mark.parametrize("scale", SCALES)
def test_other_scales(scale):
    got = shown(((45, 5), (5, 45)), scale=scale)
    # 0.8 is on a mark of most: below it by Landis and Koch, Altman; above by the others.
    assert (
        got.band
        == {
            "landis-koch": "Substantial",
            "fleiss": "Excellent",
            "altman": "Good",
            "cicchetti-sparrow": "Excellent",
            "regier": "Excellent",
            "krippendorff": "Reliable",
        }[scale]
    )
    assert [one.current for one in got.scales] == [key == scale for key in SCALES]
    marks = [one.limits for one in got.bands]
    assert marks[-1].endswith("–1.00")
    # Each band begins where the one below it ends.
    for low, high in zip(got.bands, got.bands[1:], strict=False):
        assert low.high == high.low
    if scale == "krippendorff":
        assert marks == ["below 0.67", "0.667–0.80", "0.80–1.00"]


def test_beyond_the_sources():
    """Figures that other tests prove, here in their places."""
    got = seen(FIRST.state)
    assert [one.name for one in got.coefficients] == [
        "cohen_kappa", "scott_pi", "krippendorff_alpha", "gwet_ac", "brennan_prediger",
        "bangdiwala_b", "percent_agreement",
    ]  # fmt: skip
    # PABAK is 2 Po − 1; the indices are (a − d) / n and (b − c) / n.
    assert got.figures.skew.pabak == F(4, 5)
    assert abs(got.figures.skew.prevalence_index) == F(894, 1000)
    assert abs(got.figures.skew.bias_index) == F(6, 1000)
    pi = next(one for one in got.coefficients if one.name == "scott_pi").value
    chance = F(53, 1000) ** 2 + F(947, 1000) ** 2
    assert pi == pytest.approx(float((F(9, 10) - chance) / (1 - chance)), abs=1e-15)
    violation, safe = got.labels
    assert (violation.f1, violation.a_given_b, violation.b_given_a) == (
        F(6, 106), F(3, 56), F(3, 50),
    )  # fmt: skip
    assert safe.f1 == F(2 * 897, 950 + 944)
    # Precision and recall of an unused label have no value.
    unused = shown(((5, 0, 0), (1, 5, 0), (0, 0, 0))).labels[2]
    assert (unused.f1, unused.a_given_b, unused.b_given_a) == (None, None, None)


def test_interval_and_where_there_is_none():
    assert seen(FIRST.state).interval is not None
    constant = seen(PRESETS["constant"].state)
    assert constant.interval is None
    assert constant.no_interval.startswith("no interval: with a constant rater")
    single = shown(((0, 1), (0, 0)))
    assert single.figures.kappa == 0
    assert single.interval is None
    assert single.no_interval.startswith("no interval")
    assert shown(EMPTY).no_interval == ""


def test_kappa_below_zero_has_advice():
    assert "read backwards" in shown(((20, 30), (30, 20))).advice
    assert "two columns swapped" in shown(((20, 30), (30, 20))).advice
    for cells in (FIRST.cells, EMPTY, ((25, 25), (25, 25))):
        assert shown(cells).advice == ""


def labelled(rows):
    return of(rows, labels=tuple(f"label {i}" for i in range(len(rows))), raters=("Ana", "Bo"))


@settings(max_examples=300)
@given(tables(size=(2, 5), cells=CELL))
def test_the_verdict_never_contradicts_the_numbers(rows):
    state = labelled(rows)
    got = seen(state)
    kappa, said = got.figures.kappa, str(got.verdict)
    constant = bool(got.figures.constant())
    assert ("less than by chance" in said) == (kappa is not None and kappa < 0)
    assert ("every item" in said) == (kappa == 1)
    assert ("every time" in said) == (kappa is not None and constant)
    assert ("exactly as many" in said) == (kappa == 0 and not constant)
    assert ("everything" in said) == (kappa is None)
    high = got.interval.high if got.interval else None
    below = kappa is not None and kappa < 0 and high is not None and high < 0
    assert ("whole interval" in said or "lies below 0 too" in said) == below
    terms = [one.chance for one in got.figures.terms if one.row or one.column]
    if below:
        assert ("whole interval" in said) == (min(terms) >= 5)
    if "interval reaches" in said:
        assert high is not None
        assert high >= 0
    if "chance alone gives" in said:
        assert got.figures.pe > F(4, 5)
    if "rare labels</b> too" in said:
        used = [one for one in got.figures.terms if one.row or one.column]
        assert kappa >= F(3, 5)
        assert all(one.observed for one in used)
    if "could not be above" in said:
        assert 0 < kappa <= got.figures.kappa_max < F(4, 5)
    if "they reach" in said:
        assert 0 < kappa < 1
        assert english().percent(kappa) in said
    # The sentence on what was won, and the reason for a missing value, agree with it.
    assert bool(got.why) == (kappa is None)
    assert bool(got.advice) == (kappa is not None and kappa < 0)
    assert bool(got.won) == (kappa is not None)
    assert ("nothing was" in got.won) == (kappa is not None and kappa <= 0)


@settings(max_examples=25)
@given(tables(size=(2, 8), cells=CELL))
def test_the_page_shows_the_numbers_of_the_view(rows):
    state = labelled(rows)
    found = figures(rendered(state))
    got = seen(state).figures
    for name, value in (("po", got.po), ("pe", got.pe), ("kappa", got.kappa)):
        assert found[name][0] == ("" if value is None else repr(float(value)))
        assert found[name][1] == english().number(value, 4)
    assert found["n"][0] == str(sum(map(sum, rows)))


@settings(max_examples=40)
@given(tables(size=(2, 4), cells=CELL))
def test_curves_keep_the_agreements(rows):
    """Every point of a curve is a table with the same n and the same Po."""
    state = of(rows)
    got = seen(state)
    for sweep in filter(None, (got.prevalence, got.bias)):
        for step in sweep.steps:
            other = seen(step.state).figures if step.link else None
            assert step.state.n == state.n
            if other:
                assert other.po == got.figures.po
                assert other.kappa == step.kappa
        assert sweep.here.state == state
        assert sweep.here.kappa == got.figures.kappa
        assert sum(step.link for step in sweep.steps) >= 2


def test_presets_keep_what_one_is_doing():
    state = of(FIRST.cells, labels=FIRST.labels, scale="fleiss", puzzle="low-ceiling",
               answers=("a", "", "b"), guess="0.5")  # fmt: skip
    got = seen(state)
    assert [one.current for one in got.presets] == [key == "chatbot" for key in PRESETS]
    for one in got.presets:
        assert (one.state.scale, one.state.puzzle, one.state.answers, one.state.guess) == (
            "fleiss", "low-ceiling", ("a", "", "b"), "ask",
        )  # fmt: skip

"""What other scorers print: against the scorers themselves, and why their figures differ."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError, UsageError
from assay.report.spans.report import score_spans
from assay.spans.corpus import TagRows
from assay.spans.decode import decode
from assay.spans.parity import SCORERS, parity_of
from assay.spans.parity_reasons import reading_codes
from strategies import tag_rows

metrics = pytest.importorskip("seqeval.metrics")
classes = pytest.importorskip("seqeval.scheme")
evaluator = pytest.importorskip("nervaluate.evaluator")

STRICT = {
    "BIO": "IOB2",
    "IOB1": "IOB1",
    "IOE1": "IOE1",
    "IOE2": "IOE2",
    "BIOES": "IOBES",
    "BILOU": "BILOU",
}
LETTERS = st.sampled_from(["BI", "BI", "BIES", "BILU", "IE", "BIESLUMW"])


@st.composite
def corpora(draw) -> list[list[list[str]]]:
    """Gold and prediction, often equal, some tags without a type."""
    types = draw(st.sampled_from([("PER", "LOC"), ("X-Y", "X-Z", "0"), ("a",), ("-p", "p-")]))
    gold, pred = draw(tag_rows(letters=draw(LETTERS), types=types, sides=2, tokens=(1, 9)))
    keep = draw(st.lists(st.booleans(), min_size=9, max_size=9))
    pred = [
        [a if keep[i] else b for i, (a, b) in enumerate(zip(*rows, strict=True))]
        for rows in zip(gold, pred, strict=True)
    ]
    if draw(st.booleans()):
        return [gold, pred]
    return [[[tag[:1] if tag[1:2] == "-" else tag for tag in row] for row in gold], pred]


def said(which: str, rows, **summary) -> dict:
    gold, pred = (TagRows.of(side) for side in rows)
    return parity_of(which, gold, pred, summary)


def quiet(function, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


@given(corpora())
@settings(max_examples=200)
def test_seqeval(rows):
    found = said("seqeval", rows)
    figures = found["figures"]
    assert figures["accuracy"] == metrics.accuracy_score(*rows)
    if not figures["types"]:
        with pytest.raises(ValueError, match="max"):
            quiet(metrics.classification_report, *rows)
        assert "stops with an error" in found["text"]
        assert quiet(metrics.f1_score, *rows) == figures["micro"]["f1"] == 0.0
        return
    assert found["text"] == quiet(metrics.classification_report, *rows)
    whole = quiet(metrics.classification_report, *rows, output_dict=True)
    for name in ("micro", "macro", "weighted"):
        values = whole[f"{name} avg"]
        assert [figures[name][k] for k in ("precision", "recall", "f1", "support")] == list(
            values.values()
        )
    for name, row in figures["types"].items():
        assert [row[k] for k in ("precision", "recall", "f1", "support")] == list(
            whole[name].values()
        )


@given(corpora(), st.sampled_from(sorted(STRICT)))
@settings(max_examples=300)
def test_seqeval_strict(rows, scheme):
    found = said("seqeval-strict", rows, scheme=scheme)
    options = {"mode": "strict", "scheme": getattr(classes, STRICT[scheme])}
    try:
        want = quiet(metrics.classification_report, *rows, **options)
    except (KeyError, ValueError):
        assert "stops with an error" in found["text"]
        return
    assert found["text"] == want
    for name, score in (
        ("precision", metrics.precision_score),
        ("recall", metrics.recall_score),
        ("f1", metrics.f1_score),
    ):
        for average in ("micro", "macro", "weighted"):
            value = quiet(score, *rows, average=average, **options)
            assert found["figures"][average][name] == value


@given(corpora())
@settings(max_examples=200)
def test_nervaluate(rows):
    types = sorted({tag[2:] for side in rows for row in side for tag in row if tag != "O"})
    found = said("nervaluate", rows)
    try:
        theirs = evaluator.Evaluator(*rows, tags=types, loader="list")
    except ValueError:
        assert "it stops at the tag" in found["text"]
        assert found["figures"] == {}
        return
    parts = [
        theirs.summary_report(),
        *(
            theirs.summary_report(mode="entities", scenario=scenario)
            for scenario in ("strict", "exact", "partial", "ent_type")
        ),
    ]
    assert found["text"] == "\n".join(parts)
    whole = theirs.evaluate()
    for scenario, row in found["figures"]["overall"].items():
        assert row == vars(whole["overall"][scenario])
    assert set(found["figures"]["types"]) == set(whole["entities"])
    for kind, scenarios in found["figures"]["types"].items():
        for scenario, row in scenarios.items():
            assert row == vars(whole["entities"][kind][scenario])


def test_nervaluate_needs_a_hundredth_of_a_gold_span():
    rows = [[["B-A", *["I-A"] * 149]], [["B-A", *["O"] * 149]]]
    found = said("nervaluate", rows)["figures"]["overall"]["strict"]
    assert (found["missed"], found["spurious"]) == (1, 1)
    rows = [[["B-A", *["I-A"] * 99]], [["B-A", *["O"] * 99]]]
    assert said("nervaluate", rows)["figures"]["overall"]["strict"]["incorrect"] == 1


def walked(gold, pred) -> tuple[int, int, int]:
    """Phrases, found and correct of the CoNLL evaluation, token by token."""

    def parts(tag: str) -> tuple[str, str]:
        letter, _, kind = tag.partition("-")
        return letter, kind if kind != "0" else ""

    def ends(a, b) -> bool:
        if a[0] + b[0] in ("BB", "BO", "IB", "IO", "EE", "EI", "EO"):
            return True
        return a[0] != "O" and a[1] != b[1]

    def starts(a, b) -> bool:
        if a[0] + b[0] in ("BB", "IB", "OB", "OI", "EE", "EI", "OE"):
            return True
        return b[0] != "O" and a[1] != b[1]

    counts = [0, 0, 0]
    open_pair = False
    last = (("O", ""), ("O", ""))
    for g_row, p_row in zip(gold, pred, strict=True):
        for now in zip(map(parts, [*g_row, "O"]), map(parts, [*p_row, "O"]), strict=True):
            over = [ends(a, b) for a, b in zip(last, now, strict=True)]
            begun = [starts(a, b) for a, b in zip(last, now, strict=True)]
            if open_pair and all(over) and last[0][1] == last[1][1]:
                counts[2] += 1
                open_pair = False
            elif over[0] != over[1] or now[0][1] != now[1][1]:
                open_pair = False
            if all(begun) and now[0][1] == now[1][1]:
                open_pair = True
            counts[0] += begun[0]
            counts[1] += begun[1]
            last = now
    return counts[0], counts[1], counts[2] + open_pair


@given(corpora())
@settings(max_examples=300)
def test_conlleval(rows):
    figures = said("conlleval", rows)["figures"]
    assert (figures["phrases"], figures["found"], figures["correct"]) == walked(*rows)
    for k in ("phrases", "found", "correct"):
        assert figures[k] == sum(row[k] for row in figures["types"].values())


def test_the_lines_of_conlleval():
    gold = [["B-PER", "I-PER", "O", "B-LOC"], ["B-from-date", "O"]]
    pred = [["B-PER", "I-PER", "O", "B-ORG"], ["B-from-date", "B-LOC"]]
    assert said("conlleval", [gold, pred])["text"].splitlines() == [
        "processed 6 tokens with 3 phrases; found: 4 phrases; correct: 2.",
        "accuracy:  66.67%; precision:  50.00%; recall:  66.67%; FB1:  57.14",
        "              LOC: precision:   0.00%; recall:   0.00%; FB1:   0.00  1",
        "              ORG: precision:   0.00%; recall:   0.00%; FB1:   0.00  1",
        "              PER: precision: 100.00%; recall: 100.00%; FB1: 100.00  1",
        "        from-date: precision: 100.00%; recall: 100.00%; FB1: 100.00  1",
    ]
    bare = said("conlleval", [[["B", "I", "O"]], [["B", "I", "O"]]])["text"].splitlines()
    assert (
        bare[2:] == ["                 : precision: 100.00%; recall: 100.00%; FB1: 100.00  1"] * 2
    )
    assert said("conlleval", [[], []])["text"] == (
        "processed 0 tokens with 0 phrases; found: 0 phrases; correct: 0.\n"
    )


@pytest.mark.parametrize(
    ("which", "summary", "gold", "pred", "counts"),
    [
        # The strict mode strips hyphens off a type; the default one does not.
        ("seqeval-strict", {"scheme": "BIO"}, "B-PER-", "B-PER", (1.0, 1)),
        ("seqeval", {}, "B-PER-", "B-PER", (0.0, 1)),
        # A B at which no span of its type ends is lost under IOB1.
        ("seqeval-strict", {"scheme": "IOB1"}, "B-PER I-PER", "O I-PER", (1.0, 1)),
        # A span without its last letter is dropped by the strict mode alone.
        ("seqeval-strict", {"scheme": "BILOU"}, "B-P L-P O B-M", "B-P L-P O O", (1.0, 1)),
        ("seqeval", {}, "B-P L-P O B-M", "B-P L-P O O", (2 / 3, 2)),
        ("seqeval-strict", {"scheme": "BIO"}, "I-PER I-PER O", "I-PER I-PER O", (0.0, 0)),
    ],
)
def test_traps(which, summary, gold, pred, counts):
    micro = said(which, [[gold.split()], [pred.split()]], **summary)["figures"]["micro"]
    assert (micro["f1"], micro["support"]) == counts


def test_suffix_tags():
    rows = [[["PER-B", "PER-I", "O"]], [["PER-B", "PER-I", "LOC-B"]]]
    gold, pred = (TagRows.of(side) for side in rows)
    for which, options in (
        ("seqeval", {}),
        ("seqeval-strict", {"mode": "strict", "scheme": classes.IOB2}),
    ):
        found = parity_of(which, gold, pred, {"scheme": "BIO"}, suffix=True)
        want = quiet(metrics.classification_report, *rows, suffix=True, **options)
        assert found["text"] == want


def explained(which: str, gold: str, pred: str, **options) -> list[str]:
    rows = ([row.split() for row in side.split("|")] for side in (gold, pred))
    found = score_spans(*rows, parity=which, bootstrap=0, **options).to_dict()["parity"]
    assert found["as"] == which
    return list(found["differences"])


@pytest.mark.parametrize("which", [name for name in SCORERS if name != "nervaluate"])
@pytest.mark.parametrize("gold", ["B-PER I-PER O", "B-PER O B-LOC|O O", "B-a I-a|B-b"])
def test_nothing_differs(which, gold):
    assert explained(which, gold, gold) == []
    assert explained("nervaluate", gold, gold) == []


def test_zero_division_is_explained():
    (one,) = explained("seqeval", "B-PER O", "B-PER B-LOC")
    assert one == (
        "seqeval prints 0 where there is nothing to divide by, here it is 1: recall of LOC, and "
        "the averages with them."
    )
    assert explained("seqeval", "B-PER O", "B-PER B-LOC", zero_division="0") == []
    (one,) = explained("conlleval", "B-PER O", "O O", zero_division="undefined")
    assert one == (
        "conlleval prints 0 where there is nothing to divide by, here it is not defined: precision "
        "of all spans, precision of PER."
    )
    stops, empty = explained("seqeval", "O O", "O O")
    assert stops.startswith("seqeval prints no report where neither side has a span")
    assert "precision of all spans, recall of all spans, F1 of all spans" in empty
    (nerv,) = explained("nervaluate", "O O", "O O")
    assert nerv == "nervaluate prints 0 where there is nothing to divide by, here it is 1."


def test_the_convention_is_explained():
    reads, finds = explained("seqeval-strict", "B-A I-A|B-A", "I-A I-A|B-A")
    assert reads == (
        "seqeval's strict mode throws away what an illegal tag opens or closes; here the "
        "convention is open."
    )
    assert finds == (
        "seqeval's strict mode finds 2 gold and 1 predicted spans, 1 of them right; here they are "
        "2, 2 and 2."
    )
    assert explained("seqeval-strict", "B-A I-A|B-A", "I-A I-A|B-A", illegal="discard") == []
    for which in ("seqeval", "conlleval", "nervaluate"):
        one, *_ = explained(which, "B-A I-A|B-A", "I-A I-A|B-A", illegal="discard")
        assert "reads an illegal tag as the start of a span" in one
        assert "here the convention is discard" in one
        assert explained(which, "B-A I-A|B-A", "I-A I-A|B-A") == []


def test_letters_are_explained():
    one, *_ = explained("seqeval", "U-A U-A", "U-A U-A")
    assert "does not know the prefixes L, U, M and W" in one
    assert explained("seqeval-strict", "U-A U-A", "U-A U-A") == []
    one, *_ = explained("conlleval", "B-A E-A B-A E-A", "B-A I-A I-A E-A")
    assert one.startswith("conlleval starts no span at a B or S that follows an E or S")
    (stop,) = explained("nervaluate", "B-A L-A U-B", "B-A L-A U-B")
    assert "it stops at the tag 'U-B'" in stop
    (stop,) = explained("seqeval-strict", "M-A E-A", "M-A E-A", scheme="BMES")
    assert "IOBES has no tag 'M-A'" in stop
    found = explained("seqeval-strict", "B-A I-A", "O I-A", scheme="IOB1", illegal="discard")
    assert found[0].startswith("seqeval's strict mode loses a leading B under IOB1")
    found = explained("seqeval-strict", "E-A I-A", "E-A I-A", scheme="IOE1", illegal="discard")
    assert found[0].startswith("seqeval's strict mode does not find every span that ends in E")
    found = explained("seqeval-strict", "I-A O", "I-A O", scheme="IO")
    assert any("has no scheme IO" in text for text in found)
    one, *_ = explained("conlleval", "B_A I_A", "B_A I_A")
    assert "splits tags at a hyphen only" in one


def test_a_reason_for_e_and_s_stands_only_where_it_changes_the_spans():
    found = explained("conlleval", "B-A E-A O I-A", "B-A E-A O I-A", illegal="discard")
    assert found[0].startswith("conlleval reads an illegal tag as the start of a span")
    assert not any("E or S" in text for text in found)
    one, finds = explained("conlleval", "S-A I-A O S-B", "S-A I-A O S-B")
    assert one.startswith("conlleval starts no span at an S")
    assert "finds 2 gold" in finds


@given(tag_rows(letters="BIES", types=("A", "B"), sides=2, tokens=(1, 6)))
@settings(max_examples=200)
def test_conlleval_parts_from_the_tags_only_beside_e_and_s(rows):
    """Where every tag is read as “open” has it, the reasons say whether spans differ."""
    gold, pred = (TagRows.of(side) for side in rows)
    ours = [
        len(decode(side, scheme="BIOES", illegal="open").spans.to_list()) for side in (gold, pred)
    ]
    found = said("conlleval", rows)["figures"]
    codes = reading_codes("conlleval", (gold, pred), {"convention": "open", "scheme": "BIOES"})
    assert set(codes) <= {"joins_touching", "unknown_s"}
    assert bool(codes) == ([found["phrases"], found["found"]] != ours)


def test_nervaluates_own_meaning_of_exact_and_partial_is_explained():
    found = explained("nervaluate", "B-A I-A O B-B", "B-A O O B-A")
    assert any("exact asks for the boundaries only" in text for text in found)
    assert any("gives half a point for an overlap: F1 0.7500" in text for text in found)
    beta = explained("nervaluate", "B-A B-A", "B-A O", beta=2.0)
    assert "nervaluate prints F1; here F is F2." in beta
    assert explained("seqeval", "B-A B-A", "B-A O", beta=2.0) == [
        "seqeval prints F1; here F is F2."
    ]


def test_nervaluates_order_is_explained():
    """It gives the first prediction a gold span that a later one equals more."""
    found = explained("nervaluate", "O B-A I-A I-A", "B-B I-B B-A I-A")
    assert any("in the order of the predictions" in text for text in found)


@given(corpora(), st.sampled_from(sorted(SCORERS)), st.sampled_from(["open", "discard"]))
@settings(max_examples=150)
def test_a_figure_that_differs_is_always_explained(rows, which, convention):
    report = score_spans(*rows, illegal=convention, bootstrap=0, parity=which).to_dict()
    found = report["parity"]
    if which == "nervaluate" or not found["figures"]:
        return
    ours = {r["type"]: r for r in report["matches"] if r["mode"] == "exact"}
    theirs = found["figures"] if which == "conlleval" else found["figures"]["micro"]
    same = all(
        ours["micro"][k] == pytest.approx(theirs[k], abs=1e-9)
        for k in ("precision", "recall", "f1")
    )
    assert same or found["differences"]
    assert len(set(found["differences"])) == len(found["differences"])


def test_what_cannot_be_asked():
    rows = TagRows.of([["O"]])
    with pytest.raises(UsageError, match="did you mean 'seqeval'"):
        parity_of("seqevel", rows, rows, {})
    with pytest.raises(InputError, match="spans by position; give tag rows") as caught:
        parity_of("seqeval", None, rows, {})
    assert caught.value.code == "no_tag_rows"
    with pytest.raises(InputError, match="different sentences"):
        parity_of("seqeval", rows, TagRows.of([["O", "O"]]), {})

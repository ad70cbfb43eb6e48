"""The report on several annotators: its dictionary, its sources, its text, and gamma."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from assay.errors import InputError, MissingExtra, UsageError
from assay.ratings.model import Note
from assay.report.annotators.report import annotator_agreement
from assay.spans.corpus import SpanSet, TagRows, Text
from assay.spans.decode import decode

ANA = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG", "I-ORG"], ["O", "O"]]
BO = [["B-PER", "I-PER", "O", "O"], ["O", "B-ORG", "O"], ["O", "O"]]
CY = [["B-PER", "O", "O", "B-ORG"], ["B-ORG", "I-ORG", "I-ORG"], ["B-LOC", "O"]]


def sets(annotators):
    return [decode(TagRows.of(rows)).spans for rows in annotators]


def test_report_is_plain_and_complete():
    report = annotator_agreement({"ana": ANA, "bo": BO, "cy": CY}, bootstrap=200)
    summary = report.to_dict()
    assert json.loads(report.to_json()) == summary
    assert summary["kind"] == "annotators"
    assert summary["source"] == {
        "unit": "token",
        "documents": 1,
        "sentences": 3,
        "tokens": 9,
        "spans": 9,
        "types": ["LOC", "ORG", "PER"],
        "notes": [],
    }
    assert summary["annotators"][2] == {
        "name": "cy",
        "spans": 4,
        "types": {"LOC": 1, "ORG": 2, "PER": 1},
        "illegal": 0,
    }
    micro = summary["f1"][0]
    assert micro["pairs"][1] == {"a": "ana", "b": "cy", "f1": 0.0, "tp": 0, "fp": 4, "fn": 3}
    assert micro["interval"]["low"] <= micro["mean"] <= micro["interval"]["high"]
    keys = {(e["name"], e["category"]) for e in summary["unitizing"]}
    assert {("u_alpha", None), ("cu_alpha", None), ("ku_alpha", "PER")} <= keys
    assert {e["what"] for e in summary["tokens"]} == {"tags", "types", "without_o"}
    assert summary["gamma"] is None
    assert summary["headline"][0].startswith("3 annotators, 3 sentences: mean F1 of the pairs on")
    assert "u-alpha on where and what is" in summary["headline"][1]


def test_sources_of_every_kind_agree():
    text = TagRows.of(ANA).text
    spans = [decode(TagRows.of(rows)).spans for rows in (ANA, BO)]
    read = [
        SimpleNamespace(name=name, text=text, rows=None, spans=one, notes=(), format="jsonl")
        for name, one in zip(("ana", "bo"), spans, strict=True)
    ]
    reports = [
        annotator_agreement([ANA, BO], names=["ana", "bo"]),
        annotator_agreement({"ana": TagRows.of(ANA), "bo": TagRows.of(BO)}),
        annotator_agreement(dict(zip(("ana", "bo"), spans, strict=True)), text=text),
        annotator_agreement(read),
    ]
    first, *others = (r.to_dict() for r in reports)
    for other in others:
        for key in ("source", "annotators", "f1", "tokens", "unitizing", "headline"):
            assert first[key] == other[key]


def test_schemes_and_illegal_tags_are_said():
    bilou = [["B-PER", "L-PER", "O"], ["I-PER", "O", "O"]]
    found = annotator_agreement({"ana": bilou, "bo": bilou}, bootstrap=0)
    summary = found.to_dict()
    assert (summary["scheme"], summary["scheme_detected"]) == ("BILOU", True)
    dangling = [["O", "I-PER", "O"]]
    found = annotator_agreement(
        {"ana": dangling, "bo": [["O", "B-PER", "O"]]}, illegal="discard", bootstrap=0
    )
    assert found.to_dict()["scheme"] == "BIO"
    codes = {w["code"]: w["message"] for w in found.to_dict()["warnings"]}
    assert codes == {
        "no_spans": "ana marked nothing.",
        "illegal_tags": "ana has 1 illegal tag, read as 'discard'.",
    }


def test_the_scheme_does_not_depend_on_who_comes_first():
    iob1, bio = [["O", "I-PER", "B-PER"]], [["O", "B-PER", "B-PER"]]
    schemes = [
        annotator_agreement(pair, bootstrap=0).to_dict()["scheme"]
        for pair in ([iob1, iob1], [bio, bio], [iob1, bio], [bio, iob1])
    ]
    assert schemes == ["IOB1", "BIO", "BIO", "BIO"]


def test_files_are_read_together(tmp_path):
    for name, rows in (("ana", ANA), ("bo", BO)):
        lines = ["".join(f"w\t{tag}\n" for tag in row) for row in rows]
        (tmp_path / f"{name}.conll").write_text("\n".join(lines), encoding="utf-8")
    files = [tmp_path / "ana.conll", tmp_path / "bo.conll"]
    found = annotator_agreement(files, bootstrap=0).to_dict()
    lists = annotator_agreement([ANA, BO], bootstrap=0).to_dict()
    assert found["unitizing"] == lists["unitizing"]
    assert [a["spans"] for a in found["annotators"]] == [3, 2]
    assert "ana" in found["annotators"][0]["name"]


def test_readers_notes_are_kept():
    note = Note("tokens_differ", "token 3 differs", "warning")
    text = Text(np.array([3]))
    read = [
        SimpleNamespace(name=n, text=text, rows=None, spans=SpanSet.of([]), notes=(note,))
        for n in "ab"
    ]
    report = annotator_agreement(read, bootstrap=0)
    assert report.to_dict()["warnings"][0] == {
        "code": "tokens_differ",
        "message": "token 3 differs",
    }
    assert report.to_text(width=90).count("token 3 differs") == 1


def test_documents_are_resampled():
    text = Text(np.array([4, 3, 2]), documents=np.array([0, 0, 1]))
    spans = dict(zip("ab", sets([ANA, BO]), strict=True))
    found = annotator_agreement(spans, text=text, by="document", bootstrap=100).to_dict()
    assert found["source"]["documents"] == 2
    assert "documents" in found["f1"][0]["interval"]["method"]
    with pytest.raises(InputError, match="one document only"):
        annotator_agreement([ANA, BO], by="document")


def test_one_sentence_has_no_interval():
    report = annotator_agreement([[["B-A", "O"]], [["B-A", "B-A"]]])
    summary = report.to_dict()
    assert all(e["interval"] is None for e in (*summary["f1"], *summary["tokens"]))
    assert "There is one sentence only, so there are no intervals." in report.to_text(width=100)


@pytest.mark.parametrize(
    ("sources", "options", "error", "message"),
    [
        ([ANA], {}, UsageError, "two or more are needed, and 1 was given"),
        ("abc", {}, UsageError, "two or more are needed"),
        ([ANA, BO], {"names": ["a", "a"]}, UsageError, "2 different names are needed, not a, a"),
        ([ANA, BO[:2]], {}, InputError, "2 has 2 sentences, and 1 has 3"),
        (
            {"ana": ANA, "bo": [["O"] * 4, ["O"] * 2, ["O"] * 2]},
            {},
            InputError,
            "bo: sentence 2 has 2 tokens, and ana has 3 tokens there",
        ),
        ([SpanSet.of([])] * 2, {}, UsageError, "give text="),
        ([ANA, BO], {"column": 2}, UsageError, "column: only files have options"),
        ([ANA, [["X-PER"] * 4, *BO[1:]]], {}, InputError, "2: sentence 1, token 1: the tag"),
        ([ANA, BO], {"level": 95}, UsageError, "level"),
        ([ANA, BO], {"by": "token"}, UsageError, "by"),
        ([ANA, BO], {"bootstrap": 5}, UsageError, "at least 100 resamples"),
    ],
)
def test_errors_say_what_to_do(sources, options, error, message):
    with pytest.raises(error, match=message):
        annotator_agreement(sources, **options)


@pytest.mark.parametrize("width", [24, 60, 100])
@pytest.mark.parametrize("full", [False, True])
def test_text_fits_the_screen(width, full):
    from rich.cells import cell_len

    names = ["ana", "bo\x1b[31m", "王小明"]
    report = annotator_agreement([ANA, BO, CY], names=names, bootstrap=100)
    text = report.to_text(width=width, full=full)
    assert all(cell_len(line) <= width for line in text.splitlines())
    assert "\x1b" not in text
    assert "Unitizing" in text


def test_text_and_markdown_say_the_same_figures():
    report = annotator_agreement({"ana": ANA, "b|o": BO, "cy": CY}, bootstrap=100)
    text, page = report.to_text(width=100), report.to_markdown()
    assert str(report).splitlines()[0][:40] == text.splitlines()[0][:40]
    for figure in ("13.3", "67.9", "u-alpha (spans and gaps)", "types, all marked"):
        assert figure in text
        assert figure in page
    assert "b\\|o" in page
    assert "Quality \\& Quantity" in page


def test_two_annotators_have_cohens_kappa():
    text = annotator_agreement([ANA, BO], bootstrap=100).to_text(width=100)
    assert "Cohen's kappa" in text
    assert "Fleiss" not in text
    assert "F1 of each pair" not in text


def test_nobody_marked_anything():
    nothing = [["O", "O"], ["O"]]
    report = annotator_agreement({"ana": nothing, "bo": nothing}, zero_division="undefined")
    summary = report.to_dict()
    assert json.dumps(summary, allow_nan=False)
    assert summary["f1"][0]["mean"] is None
    assert summary["headline"] == [
        "2 annotators, 2 sentences: F1 is not defined, because nobody marked a span.",
        "Beyond chance: not defined, because nobody marked a span.",
    ]
    assert "not defined, because nobody marked a span" in report.to_markdown()


# Gamma ---------------------------------------------------------------------------------------


def test_gamma_names_its_extra(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pygamma_agreement", None)
    with pytest.raises(MissingExtra, match=r"assay\[gamma\]"):
        annotator_agreement([ANA, BO], gamma=True)


def test_gamma_options_are_checked():
    with pytest.raises(UsageError, match="alpha: a number from 0 up"):
        annotator_agreement([ANA, BO], gamma={"alpha": -1.0})
    with pytest.raises(UsageError, match="at least one sample"):
        annotator_agreement([ANA, BO], gamma={"samples": 0})


@pytest.mark.filterwarnings("default")
def test_gamma_is_seeded_and_leaves_no_trace(capfd):
    pytest.importorskip("pygamma_agreement")
    import logging

    np.random.seed(7)  # noqa: NPY002
    before = np.random.get_state(legacy=False)["state"]["key"].copy()  # noqa: NPY002
    report = annotator_agreement({"ana": ANA, "bo": BO}, gamma={"seed": 3}, bootstrap=0)
    again = annotator_agreement({"ana": ANA, "bo": BO}, gamma={"seed": 3}, bootstrap=0)
    found = report.to_dict()["gamma"]
    assert found == again.to_dict()["gamma"]
    assert found["value"] < 1
    assert set(found["types"]) == {"LOC", "ORG", "PER"}
    after = np.random.get_state(legacy=False)["state"]["key"]  # noqa: NPY002
    assert (after == before).all()
    assert not logging.getLogger().filters
    assert capfd.readouterr() == ("", "")
    assert "gamma-cat" in report.to_text(width=100)
    same = annotator_agreement([ANA, ANA], gamma=True, bootstrap=0).to_dict()["gamma"]
    assert (same["value"], same["observed"]) == (1.0, 0.0)


@pytest.mark.filterwarnings("default")
def test_gamma_of_nothing_is_not_defined():
    pytest.importorskip("pygamma_agreement")
    nothing = [["O", "O"]]
    report = annotator_agreement([nothing, nothing], gamma=True, bootstrap=0)
    assert report.to_dict()["gamma"]["undefined"]["code"] == "no_spans"
    assert "gamma: not defined" in " ".join(report.to_text(width=100).split())

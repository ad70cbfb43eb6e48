"""The catalogues are complete, and the check of them finds what is wrong."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog

import catalogues


@pytest.mark.parametrize("code", catalogues.LOCALES)
def test_every_text_is_translated(code):
    found = list(catalogues.problems(code))
    assert found == [], f"{len(found)} problems"


def test_texts_of_the_code_are_found():
    ids = {message.id for message in catalogues.extracted() if message.id}
    assert "Kappa moved by {by}." in ids  # say
    assert "They agree on <b>every item</b>, with more than one label in use." in ids  # markup
    assert "Two raters" in ids  # lazy
    assert ("{n} cell changed.", "{n} cells changed.") in ids  # many
    assert "How kappa comes about" in ids  # a template
    assert "This page cannot be shown" in ids


@pytest.fixture
def catalogue(tmp_path, monkeypatch):
    """A catalogue of four texts in place of the real ones; ``write`` saves a translation."""
    texts = Catalog()
    for text in ("Plain", "Hello <b>{name}</b>", ("{n} item", "{n} items"), "Both"):
        texts.add(text)
    monkeypatch.setattr(catalogues, "extracted", lambda: texts)
    monkeypatch.setattr(catalogues, "path_of", lambda code: tmp_path / f"{code}.po")

    def write(**changed):
        given = {
            "Plain": "Trơn",
            "Hello <b>{name}</b>": "Chào <b>{name}</b>",
            ("{n} item", "{n} items"): ("{n} mục",),
            "Both": "Cả hai",
        } | {key: value for key, value in changed.items() if key != "drop"}
        made = Catalog(locale="vi")
        for text, said in given.items():
            if said is not None:
                made.add(text, said)
        (tmp_path / "vi.po").write_text(catalogues.written(made), encoding="utf-8")
        return list(catalogues.problems("vi"))

    return write


def test_a_complete_catalogue_has_no_problems(catalogue):
    assert catalogue() == []


def test_an_absent_catalogue_lacks_everything(catalogue):
    assert len(list(catalogues.problems("vi"))) == 4


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"Plain": None}, "not in the catalogue: 'Plain'"),
        ({"Plain": ""}, "not translated: 'Plain'"),
        ({"Old": "Cũ"}, "no longer in the code: 'Old'"),
        ({"Hello <b>{name}</b>": "Chào <b>{ten}</b>"}, "other fields in braces"),
        ({"Hello <b>{name}</b>": "Chào <b></b>"}, "other fields in braces"),
        ({"Hello <b>{name}</b>": "Chào {name}"}, "other tags"),
        ({"Hello <b>{name}</b>": "Chào <i>{name}</i>"}, "other tags"),
        ({"Hello <b>{name}</b>": "Chào </b>{name}"}, "other tags"),
        ({"Plain": "Trơn {x}"}, "other fields in braces"),
    ],
)
def test_what_is_wrong_is_found(catalogue, changed, words):
    (problem,) = catalogue(**changed)
    assert words in problem


@pytest.mark.parametrize(("said", "words"), [("mục", "other fields"), ("", "not translated")])
def test_plurals_are_checked(catalogue, said, words):
    catalogue()
    path = catalogues.path_of("vi")
    text = path.read_text(encoding="utf-8")
    assert 'msgstr[0] "{n} mục"' in text
    path.write_text(text.replace('"{n} mục"', f'"{said}"'), encoding="utf-8")
    (problem,) = catalogues.problems("vi")
    assert words in problem
    assert "{n} items" in problem


def test_an_uncertain_translation_is_a_problem(catalogue):
    catalogue()
    path = catalogues.path_of("vi")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('msgid "Plain"', '#, fuzzy\nmsgid "Plain"'), encoding="utf-8")
    assert any("uncertain" in problem for problem in catalogues.problems("vi"))


def test_an_update_keeps_translations_and_drops_what_is_gone(catalogue):
    catalogue(Plain=None, Old="Cũ")
    catalogues.update("vi")
    path = catalogues.path_of("vi")
    text = path.read_text(encoding="utf-8")
    assert "Cả hai" in text
    assert "Old" not in text
    assert list(catalogues.problems("vi")) == ["vi: not translated: 'Plain'"]
    # Again changes nothing: no date and no line number is in it.
    catalogues.update("vi")
    assert path.read_text(encoding="utf-8") == text

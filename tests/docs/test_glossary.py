"""Every word of the glossary is in three languages, and says what the pages say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "glossary.md").read_text("utf-8")
NAMES = {"vi": "Tiếng Việt", "zh": "中文"}


@dataclass(frozen=True)
class Entry:
    term: str
    english: str
    others: dict[str, str]


def entries() -> list[Entry]:
    out = []
    for block in re.findall(r"^:::\{glossary\}\n(.*?)^:::$", TEXT, re.DOTALL | re.MULTILINE):
        for part in re.split(r"^(?=\S)", block, flags=re.MULTILINE):
            if not part.strip():
                continue
            term, _, rest = part.partition("\n")
            paragraphs = [" ".join(p.split()) for p in rest.split("\n\n") if p.strip()]
            others = {
                code: p
                for code, name in NAMES.items()
                for p in paragraphs
                if p.startswith(f"*{name}* · ")
            }
            out.append(Entry(term, paragraphs[0], others))
    return out


ENTRIES = entries()


def test_the_entries_are_found() -> None:
    assert len(ENTRIES) > 50
    assert len({entry.term for entry in ENTRIES}) == len(ENTRIES)
    assert len(ENTRIES) == TEXT.count("*Tiếng Việt*") == TEXT.count("*中文*")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.term)
def test_a_word_has_a_name_and_a_sentence_in_each_language(entry: Entry) -> None:
    assert entry.english.endswith((".", ")"))
    assert set(entry.others) == set(NAMES)
    for code, text in entry.others.items():
        assert "**" in text, f"{code}: no name in bold"
        said = re.split("[:：]", text, maxsplit=1)
        assert len(said) == 2, f"{code}: no sentence"
        assert len(said[1].strip()) > 8, f"{code}: no sentence"
    assert entry.others["zh"].endswith("。")
    assert re.search("[\u4e00-\u9fff]", entry.others["zh"].replace("中文", ""))
    assert not re.search("[\u4e00-\u9fff]", entry.english + entry.others["vi"])


def catalogue(code: str) -> dict[str, str]:
    """The pages' own texts and their translations, short ones."""
    path = ROOT / "src/assay/web/locale" / code / "LC_MESSAGES/assay.po"
    pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', path.read_text("utf-8"), re.MULTILINE)
    return {english: other for english, other in pairs if len(english) < 40}


SAME = [
    "item", "label", "coefficient", "weights", "weighted kappa", "Fleiss' kappa", "Cohen's kappa",
    "Krippendorff's alpha", "percent agreement", "unanimous agreement", "token", "scheme",
    "specific agreement", "token accuracy", "precision", "recall", "not defined",
    "ceiling of kappa",
]  # fmt: skip


@pytest.mark.parametrize("code", sorted(NAMES))
@pytest.mark.parametrize("term", SAME)
def test_a_word_is_that_of_the_pages(term: str, code: str) -> None:
    found = {k.casefold(): v for k, v in catalogue(code).items()}
    word = found[term.casefold()].casefold()
    names = {
        name.casefold().removesuffix("。")
        for entry in ENTRIES
        for bold in re.findall(r"\*\*(.+?)\*\*", entry.others[code])
        for name in (bold, *re.split("[,、，] ?", bold))
    }
    assert word in names, f"the pages say {word}"

"""Ready-made dimensions, worded in the languages of the rating page.

The words are data, in ``wording/*.toml``; a design takes one with ``use = "fluency"`` and may
replace any part of it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from assay.errors import one_of
from assay.study.design import KINDS, LANGUAGES, Point


@dataclass(frozen=True, slots=True)
class Ready:
    """A dimension's words: ``question`` of one output, ``compare`` of two, ``together`` of all.

    ``groups`` names the tasks that it is commonly used for.
    """

    key: str
    title: str
    definition: str
    question: str
    compare: str
    together: str
    groups: tuple[str, ...]

    def asks(self, mechanism: str) -> str:
        """The question as a mechanism asks it.

        >>> ready("en")["fluency"].asks("ab")
        'Which text is more fluent?'
        """
        words = {"single": self.question, "pair": self.compare, "all": self.together}
        return words[KINDS[mechanism]]


@cache
def _words(language: str) -> dict[str, object]:
    one_of(language, LANGUAGES, "language")
    text = files("assay.study").joinpath("wording", f"{language}.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def ready(language: str) -> dict[str, Ready]:
    """All ready-made dimensions in a language.

    >>> list(ready("en"))[:4]
    ['fluency', 'coverage', 'correctness', 'hallucination']
    >>> ready("vi")["empathy"].title
    'Sự đồng cảm'
    """
    found = {}
    for key, words in _words(language).items():
        if isinstance(words, dict):
            groups = tuple(words["groups"])
            found[key] = Ready(key, **{**words, "groups": groups})
    return found


def worded_points(language: str) -> tuple[Point, ...]:
    """The five points of a Likert scale, lowest first.

    >>> [point.wording for point in worded_points("en")]
    ['very poor', 'poor', 'okay', 'good', 'very good']
    """
    words = _words(language)["points"]
    if not isinstance(words, list):
        raise TypeError("points: a list is needed")
    return tuple(Point(k, str(word)) for k, word in enumerate(words, 1))

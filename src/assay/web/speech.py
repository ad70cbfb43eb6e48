"""Words and numbers in the reader's language.

Catalogues are gettext's, read from their ``.po`` files when a language is first used, so there
is no compiled copy that could be out of date. Numbers follow the locale on screen and nowhere
else: addresses, attributes and exports stay canonical.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

MINUS = "\N{MINUS SIGN}"
THIN = "\N{NARROW NO-BREAK SPACE}"
LOCALE = Path(__file__).parent / "locale"


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the pages: its tag, its name in itself, and its sign for per cent."""

    code: str
    tag: str
    name: str
    percent: str


LANGUAGES = {
    one.code: one
    for one in (
        Language("en", "en", "English", f"{THIN}%"),
        Language("vi", "vi", "Tiếng Việt", f"{THIN}%"),
        Language("zh", "zh-Hans", "简体中文", "%"),
    )
}
"""The first is the one that texts are written in."""

COOKIE = "assay-language"


@dataclass(frozen=True, slots=True)
class Message:
    """A text to be said later, when the language is known: see :func:`lazy`."""

    text: str
    values: dict[str, Any]


def lazy(text: str, **values: Any) -> Message:
    """Mark a text for translation; whoever knows the reader says it.

    >>> english().say(lazy("{n} of {all}", n=2, all=3))
    '2 of 3'
    """
    return Message(text, values)


def chosen(asked: str | None, cookie: str | None, accept: str) -> str:
    """The language of a page: by its address, else the cookie, else the browser.

    >>> chosen(None, None, "fr;q=0.9, zh-CN;q=0.8, en;q=0.1")
    'zh'
    >>> chosen("vi", "zh", "en"), chosen("xx", None, "")
    ('vi', 'en')
    """
    for wish in (asked, cookie):
        if wish in LANGUAGES:
            return wish
    for tag in _preferred(accept):
        code = tag.lower().split("-")[0]
        if code in LANGUAGES:
            return code
    return "en"


def _preferred(accept: str) -> Iterable[str]:
    """The tags of an Accept-Language header, most wanted first."""
    weighted = []
    for i, part in enumerate(accept.split(",")[:20]):
        tag, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            continue
        if weight > 0.0:
            weighted.append((-weight, i, tag.strip()))
    return [tag for _, _, tag in sorted(weighted)]


@cache
def english() -> Speech:
    """The speech that needs no catalogue."""
    return Speech("en")


@cache
def speech(code: str) -> Speech:
    """The speech of a language, made once."""
    return Speech(code)


@cache
def catalogue(code: str) -> gettext.NullTranslations:
    """A language's catalogue; that of English is empty."""
    path = LOCALE / code / "LC_MESSAGES" / "assay.po"
    if code == "en":
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        read = read_po(file, locale=code)
    compiled = io.BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


class Speech:
    """Says texts and numbers in one language.

    ``say``, ``many``, ``markup`` and :func:`lazy` are the words that the extraction of texts
    looks for; what stands in them is what translators see.
    """

    def __init__(self, code: str) -> None:
        from babel import Locale

        self.language = LANGUAGES[code]
        self._catalogue = catalogue(code)
        symbols = Locale.parse("zh_Hans" if code == "zh" else code).number_symbols["latn"]
        self._marks = str.maketrans(
            {".": symbols["decimal"], ",": symbols["group"], "-": MINUS, "\N{HYPHEN}": "-"}
        )

    def say(self, text: str | Message, /, **values: Any) -> str:
        """A text, with values put in; a whole number or a message among them is said too."""
        if isinstance(text, Message):
            return self.say(text.text, **text.values)
        said = self._catalogue.gettext(text)
        return said.format(**{k: self._value(v) for k, v in values.items()}) if values else said

    __call__ = say

    def many(self, one: str, more: str, n: float, /, **values: Any) -> str:
        """One of two texts, by a number, which stands in it as ``{n}``."""
        said = self._catalogue.ngettext(one, more, n if isinstance(n, int) else 2)
        return said.format(n=self._value(n), **{k: self._value(v) for k, v in values.items()})

    def markup(self, text: str, /, **values: Any) -> Markup:
        """A text with tags of our own; values are escaped."""
        said = self._catalogue.gettext(text)
        return Markup(said).format(**{k: escape(self._value(v)) for k, v in values.items()})

    def _value(self, value: Any) -> Any:
        if isinstance(value, Message):
            return self.say(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return self.count(value)
        return value

    def number(self, value: float | Fraction | None, digits: int = 3, *, sign: bool = False) -> str:
        """A number with so many decimals; ``?`` where it is not defined.

        >>> english().number(-0.00398), speech("vi").number(1234.5, 1)
        ('−0.004', '1.234,5')
        """
        if value is None:
            return "?"
        rounded = rounded_to(value, digits)
        shown = f"{rounded:+,.{digits}f}" if sign and rounded else f"{rounded:,.{digits}f}"
        return shown.translate(self._marks)

    def percent(self, share: float | Fraction | None, digits: int = 1) -> str:
        """A share as a percentage, with its sign."""
        if share is None:
            return "?"
        return f"{self.number(100 * share, digits)}{self.language.percent}"

    def count(self, value: float) -> str:
        """A whole number, grouped."""
        return f"{value:,}".translate(self._marks)

    def listed(self, parts: Iterable[str]) -> str:
        """Texts in a row, with the language's comma."""
        return self.say(", ").join(parts)


def rounded_to(value: float | Fraction, digits: int) -> float:
    """A number as it will be shown, without a minus sign on zero; halves of fractions go up.

    >>> rounded_to(Fraction(5, 1000), 2), rounded_to(-0.0001, 3)
    (0.01, 0.0)
    """
    if isinstance(value, Fraction):
        whole = int(abs(value) * 10**digits + Fraction(1, 2))
        value = (-whole if value < 0 else whole) / 10**digits
    return round(float(value), digits) or 0.0

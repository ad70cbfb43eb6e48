"""From a view to a page: the templates, and what all of them can say."""

from __future__ import annotations

from functools import cache
from typing import Any

import jinja2
from markupsafe import Markup

from assay import __version__
from assay.web import charts, terms
from assay.web.lab import LABS
from assay.web.query import address
from assay.web.speech import LANGUAGES, Speech


@cache
def environment() -> jinja2.Environment:
    """The templates; every value is escaped unless it is markup of our own."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("assay.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "version": __version__,
        "labs": LABS,
        "languages": LANGUAGES,
        "address": address,
        "charts": charts,
        "terms": terms,
    }
    made.filters["canonical"] = canonical
    return made


def canonical(value: Any) -> str:
    """A figure as programs read it: unrounded, and empty where it is not defined.

    >>> canonical(None), canonical(0.1 + 0.2), canonical(3)
    ('', '0.30000000000000004', '3')
    """
    if value is None:
        return ""
    return str(value) if isinstance(value, (int, str)) else repr(float(value))


def page(template: str, speech: Speech, **values: Any) -> Markup:
    """A whole page in one language."""
    made = environment().get_template(template)
    return Markup(
        made.render(
            speech=speech,
            say=speech.say,
            many=speech.many,
            markup=speech.markup,
            **values,
        )
    )

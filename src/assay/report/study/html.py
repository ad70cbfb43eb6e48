"""The report on a study as one page: what came out part by part, then how it was asked."""

from __future__ import annotations

from html import escape

from assay.report.evaluate.html import sections as of_ratings
from assay.report.evaluate.plots import PICTURES as PLOTS
from assay.report.html import group as of_labels
from assay.report.layout import brief
from assay.report.page import document, plain_grid, section
from assay.report.page_style import PLAIN
from assay.report.prefer.html import drawn
from assay.report.prefer.html import group as of_comparisons
from assay.report.render import Summary, View
from assay.report.study.text import HEADERS, heading_of, right
from assay.report.study.words import collection, methods, questions, raters, things

PICTURES = ("means", "ranks", "distribution", "raters")
"""Of ratings, those that the page shows."""


def html(summary: Summary, view: View) -> str:
    """One whole page."""
    title, found = brief(summary["design"]["title"]), summary["evaluate"]
    lead = f"{raters(summary)} judged {things(summary['design'])}."
    body = [
        f'<header><p class="brand">assay · study</p><h1>{escape(title)}</h1>',
        f'<p class="lead">{escape(lead)}</p></header>',
        "" if found is None else _ratings("Ratings", found),
        *(of_comparisons(name, part) for name, part in summary["prefer"].items()),
        *(of_labels(name, part, view) for name, part in summary["agree"].items()),
        *(_ratings(heading_of("labels", name), part) for name, part in summary["labels"].items()),
        *(section(name, plain_grid(HEADERS, rows)) for name, _, rows in right(summary)),
        _asked(summary),
        section(
            "For a methods section",
            f'<pre class="wrap" tabindex="0">{escape(methods(summary))}</pre>',
        ),
        f'<p class="quiet">Made by assay {escape(str(summary["assay"]))}.</p>',
    ]
    return document(f"{title}: study", PLAIN, "\n".join(filter(None, body)))


def _ratings(title: str, summary: Summary) -> str:
    """A section with the tables of ratings and their pictures."""
    pictures = (drawn("", PLOTS[kind](summary), 3) for kind in PICTURES)
    return section(brief(title), of_ratings(summary, full=True), *pictures)


def _asked(summary: Summary) -> str:
    points = "".join(f"<li>{escape(text)}</li>" for text in questions(summary))
    return section("How it was asked", f"<p>{escape(collection(summary))}</p><ul>{points}</ul>")

"""What the answers of a study show: ratings, comparisons and labels, each by its own report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.errors import UsageError, one_of
from assay.report.rendered import Tabular
from assay.report.study.described import collected, described
from assay.study.design import Design
from assay.study.gold import CHECKS, ITEMS, TEST, on_gold
from assay.study.store_records import Rated
from assay.study.tables import (
    COMPARED,
    YES_NO,
    agreement_options,
    agreement_table,
    as_columns,
    comparisons_table,
    labels_table,
    rated_table,
    several,
    systems_options,
    systems_table,
)

if TYPE_CHECKING:
    from assay.report.plots import Plot


@dataclass(frozen=True, slots=True)
class Part:
    """Some answers with what computes their report.

    Attributes
    ----------
    kind
        The command that reports so: "evaluate", "prefer" or "agree"; "labels" is reported as by
        evaluate, with each of several labels as a dimension.
    name
        The dimension; "" for all that was said of outputs of systems one by one.
    dimensions
        Those of its report.
    """

    kind: str
    name: str
    dimensions: tuple[str, ...]
    compute: Callable[[], Any]


@dataclass(frozen=True, eq=False, repr=False)
class StudyReport(Tabular):
    """What :func:`analyse` returns; prints as the reports of its parts, one after another.

    Attributes
    ----------
    reports
        The report of each part, by its kind and name; see :class:`Part`.
    summary
        Everything as one plain dictionary, unrounded; the JSON report.
    """

    design: Design
    rows: Sequence[Rated]
    parts: Sequence[Part]
    reports: dict[tuple[str, str], Any]
    summary: dict[str, Any] = field(repr=False)

    def to_html(self) -> str:
        """One page with all tables and pictures."""
        from assay.report.render import render

        return render(self.summary, "html")

    def methods(self) -> str:
        """A text for a paper: how the answers were collected, and how the numbers were made."""
        from assay.report.study.words import methods

        return methods(self.summary)

    def to_heds(self) -> str:
        """A draft of the human evaluation datasheet, in Markdown."""
        from assay.report.study.heds import datasheet

        return datasheet(self.summary)

    def to_raw(self) -> str:
        """Every answer as CSV, also those that do not count, which say so."""
        from assay.report.study.raw import raw_csv

        return raw_csv(self.design, self.rows)

    def plot(self, picture: str, *, theme: str = "light") -> Plot:
        """A picture of one part, such as "means" or "better:strengths"; see :func:`pictures`."""
        known = pictures(self.parts)
        one_of(picture, known, "plot")
        part, inner, words = known[picture]
        report = self.reports[part]
        drawn = report if inner is None else report.agreement[inner]
        plotted: Plot = drawn.plot(*words, theme=theme)
        return plotted


@dataclass(frozen=True, slots=True)
class Wanted:
    """Options of :func:`assay.prefer` (resamples, other ratings) and :func:`assay.evaluate`."""

    bootstrap: int | None = 1000
    mixed: bool = False
    also: tuple[str, ...] = ()


def parts_of(design: Design, rows: Sequence[Rated], wanted: Wanted) -> list[Part]:
    """What the answers so far fall into; none where there are none."""
    return list(_parts(design, rows, wanted))


def _parts(design: Design, rows: Sequence[Rated], wanted: Wanted) -> Iterator[Part]:
    from assay.report.agreement import agree
    from assay.report.evaluate.report import evaluate
    from assay.report.prefer.report import prefer

    table = systems_table(rows, design)
    rated = tuple(dict.fromkeys(row["dimension"] for row in table))
    if table:
        options = systems_options(design, table)
        compute = partial(evaluate, table, mixed=wanted.mixed, **options)
        yield Part("evaluate", "", rated, compute)
    for one in design.dimensions:
        if one.key in rated:
            continue
        if one.mechanism == "ab":
            compared = comparisons_table(rows, one)
            if compared:
                drawn, also = wanted.bootstrap, wanted.also
                found = partial(prefer, compared, bootstrap=drawn, also=also, **COMPARED)
                yield Part("prefer", one.key, (one.key,), found)
            continue
        labels = agreement_table(rows, one)
        if labels:
            chosen = agreement_options(one)
            yield Part("agree", one.key, (one.key,), partial(agree, labels, **chosen))
    for one in design.dimensions:
        single = labels_table(rows, one)
        if single:
            names = tuple(str(label) for label in several(one))
            yes_no = partial(evaluate, single, **as_columns(single), **YES_NO)
            yield Part("labels", one.key, names, yes_no)


Picture = tuple[tuple[str, str], str | None, tuple[str, ...]]
"""The part; of ratings, the dimension whose agreement is drawn; what the report is told."""


def pictures(parts: Sequence[Part]) -> dict[str, Picture]:
    """Each picture by the name it is asked for by.

    DIMENSION:KIND, where one of several labels is the dimension "DIMENSION: LABEL"; the kind alone
    for all ratings at once, or where one part has such a picture.
    """
    from assay.report import charts
    from assay.report.evaluate import plots as evaluated
    from assay.report.prefer import plots as preferred

    known = {
        "evaluate": evaluated.PICTURES,
        "labels": evaluated.PICTURES,
        "prefer": preferred.PICTURES,
        "agree": charts.PICTURES,
    }
    whole: dict[str, list[Picture]] = {}
    single: dict[str, Picture] = {}
    for part in parts:
        key, ratings = (part.kind, part.name), part.kind in ("evaluate", "labels")
        for kind in known[part.kind] if part.kind != "labels" else ():
            whole.setdefault(kind, []).append((key, None, (kind,)))
        for name in part.dimensions:
            shown = f"{part.name}: {name}" if part.kind == "labels" else name
            for kind in known[part.kind]:
                words = (kind, name) if ratings else (kind,)
                single[f"{shown}:{kind}"] = key, None, words
            for kind in charts.PICTURES if ratings else ():
                single.setdefault(f"{shown}:{kind}", (key, name, (kind,)))
    return {kind: found[0] for kind, found in whole.items() if len(found) == 1} | single


def analyse(
    design: Design, rows: Sequence[Rated], parts: Sequence[Part], source: str
) -> StudyReport:
    """Compute the report of each part, and put them together; ``source`` names the database.

    Raises
    ------
    UsageError
        If nobody has answered anything yet.
    """
    import assay

    if not parts:
        raise UsageError(f"{design.name}: nobody has answered anything yet.", code="no_answers")
    reports = {(part.kind, part.name): part.compute() for part in parts}
    found: dict[str, dict[str, Any]] = {"evaluate": {}, "prefer": {}, "agree": {}, "labels": {}}
    for (kind, name), report in reports.items():
        found[kind][name] = _named(report.to_dict(), source)
    summary: dict[str, Any] = {
        "assay": assay.__version__,
        "kind": "study",
        "study": design.name,
        "source": source,
        "design": described(design),
        "collected": collected(design, rows),
        **found,
        "evaluate": found["evaluate"].get(""),
        "intra_rater": _own(design, rows),
    }
    for name in (ITEMS, CHECKS, TEST):
        right = on_gold(design, rows, name)
        summary[name] = [{**asdict(one), "share": one.share} for one in right]
    return StudyReport(design, rows, parts, reports, summary)


def _named(summary: dict[str, Any], source: str) -> dict[str, Any]:
    """A report that was read from memory, as one on the database."""
    agreed = summary["agreement"] if summary.get("kind") == "evaluation" else ()
    for one in (summary, *agreed):
        one["source"]["name"] = source
    return summary


def _own(design: Design, rows: Sequence[Rated]) -> list[dict[str, Any]]:
    """How far raters agree with themselves on items without systems; reports say the others."""
    from assay.report.evaluate.report import evaluate

    again = {row.dimension for row in rows if row.repeat and not row.system and not row.apart}
    out: list[dict[str, Any]] = []
    for one in design.dimensions:
        table = rated_table(rows, one) if one.key in again else []
        if table:
            found = evaluate(table, **systems_options(design, table)).summary["intra_rater"]
            out += found
    return out

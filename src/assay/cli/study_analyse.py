"""``assay study analyse``: what the answers of a study show."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.output import format_for, wants_color, write
from assay.cli.output_options import printed, put
from assay.cli.plots import option, pictures
from assay.cli.progress import Watch
from assay.errors import UsageError
from assay.report.render import PREFERENCE_FORMATS

FORMATS = {name: PREFERENCE_FORMATS[name] for name in ("terminal", "json", "markdown", "latex")}

OPTIONS = (
    (
        "What is computed",
        (
            (
                ("--bootstrap",),
                {
                    "type": click.IntRange(0),
                    "default": 1000,
                    "show_default": True,
                    "help": "Resamples for the intervals of comparisons; 0: none.",
                },
            ),
        ),
    ),
    printed(FORMATS),
    option(
        "those of assay evaluate, such as means=FILE or fluency:means=FILE, and of a dimension of "
        "comparisons or labels those of assay prefer or agree, such as better:strengths=FILE"
    ),
)


@click.command(
    cls=Command,
    examples=(
        ("assay study analyse trial.db", "All that assay evaluate and assay prefer print."),
        ("assay study analyse trial.db --latex --out table.tex", "The tables for a paper."),
        ("assay study analyse trial.db --json", "Everything, unrounded."),
        (
            "assay study analyse trial.db --plot means=means.svg --plot better:ranks=ranks.svg",
            "Pictures: of the ratings, and of the comparisons on the dimension better.",
        ),
    ),
)
@click.argument("database")
@put(OPTIONS)
def analyse(database: str, **given: Any) -> None:
    """Say what the answers in DATABASE show, so far or at the end.

    DATABASE is what assay study serve has filled. Numbers given to outputs of systems are
    reported as by assay evaluate, comparisons as by assay prefer, labels of items without
    systems as by assay agree, each on the scale that the design says; and how often raters gave
    the right answer where the design has it. Attention checks and "can't judge" are left out.
    """
    out = given["out"]
    asked = [name for name in FORMATS if name != "terminal" and given[name]]
    kind = format_for(asked + ([given["to"]] if given["to"] else []), out, FORMATS)
    with Watch(("reading", "computing", "writing")) as watch:
        watch.step("reading")
        name, parts, gold = _read(database, given["bootstrap"])
        if not parts:
            raise UsageError(f"{name}: nobody has answered anything yet.", code="no_answers")
        drawn = pictures(given["plot"], _pictures(parts)) if given["plot"] else []
        watch.step("computing")
        reports = {part.name: part.compute() for part in parts}
        watch.step("writing")
        found = [(part, reports[part.name].to_dict()) for part in parts]
        text = _rendered(name, found, gold, kind, given["full"], color=out is None)
        for picture, file in drawn:
            which, words = _pictures(parts)[picture]
            reports[which].plot(*words).save(file)
    write(text, kind, out)


@dataclass(frozen=True, slots=True)
class Part:
    """Some answers with what computes their report: all ratings, or one dimension of others."""

    name: str
    """The dimension; "" for all that are ratings of systems."""
    kind: str
    """The command that reports so: "evaluate", "prefer" or "agree"."""
    dimensions: tuple[str, ...]
    compute: Callable[[], Any]


def _read(database: str, bootstrap: int) -> tuple[str, list[Part], list[Any]]:
    """The study's name, each part of its answers, and how raters did on right answers."""
    from assay.study.design_stored import design_of
    from assay.study.gold import on_gold
    from assay.study.store import Store

    with Store(database, existing=True) as store:
        design, rows = design_of(store.design()), store.ratings()
    return design.name, list(_parts(design, rows, bootstrap)), on_gold(design, rows)


def _parts(design: Any, rows: Any, bootstrap: int) -> Iterator[Part]:
    from functools import partial

    from assay.report.agreement import agree
    from assay.report.evaluate.report import evaluate
    from assay.report.prefer.report import prefer
    from assay.study.tables import (
        COMPARED,
        agreement_options,
        agreement_table,
        comparisons_table,
        systems_options,
        systems_table,
    )

    table = systems_table(rows, design)
    rated = {row["dimension"] for row in table}
    if table:
        keys = tuple(d.key for d in design.dimensions if d.key in rated)
        yield Part("", "evaluate", keys, partial(evaluate, table, **systems_options(design, table)))
    for one in design.dimensions:
        if one.key in rated:
            continue
        if one.mechanism == "ab":
            compared = comparisons_table(rows, one)
            if compared:
                make = partial(prefer, compared, bootstrap=bootstrap or None)
                yield Part(one.key, "prefer", (one.key,), partial(make, **COMPARED))
            continue
        labels = agreement_table(rows, one)
        if labels:
            options = agreement_options(one)
            yield Part(one.key, "agree", (one.key,), partial(agree, labels, **options))


def _pictures(parts: Sequence[Part]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Each picture by the name it is asked for by: the part, and what its report is told.

    DIMENSION:KIND; the kind alone for all ratings at once, or where one part has such a picture.
    """
    from assay.report import charts
    from assay.report.evaluate import plots as evaluated
    from assay.report.prefer import plots as preferred

    known = {
        "evaluate": evaluated.PICTURES,
        "prefer": preferred.PICTURES,
        "agree": charts.PICTURES,
    }
    whole: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    single: dict[str, tuple[str, tuple[str, ...]]] = {}
    for part in parts:
        for kind in known[part.kind]:
            whole.setdefault(kind, []).append((part.name, (kind,)))
            for dimension in part.dimensions:
                words = (kind,) if part.name else (kind, dimension)
                single[f"{dimension}:{kind}"] = part.name, words
    return {kind: found[0] for kind, found in whole.items() if len(found) == 1} | single


def _rendered(
    name: str,
    found: Sequence[tuple[Part, dict[str, Any]]],
    gold: Sequence[Any],
    kind: str,
    full: bool,
    *,
    color: bool,
) -> str:
    from assay.report.render import render

    if kind == "json":
        document: dict[str, Any] = {"study": name, "evaluate": None, "prefer": {}, "agree": {}}
        for part, summary in found:
            if part.name:
                document[part.kind][part.name] = summary
            else:
                document["evaluate"] = summary
        document["gold"] = [{**asdict(one), "share": one.share} for one in gold]
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    mark = {"markdown": "# {}\n\n", "latex": "% {}\n", "terminal": "{}\n\n"}[kind]
    color = color and kind == "terminal" and wants_color()
    texts = [
        (mark.format(part.name) if part.name else "")
        + render(summary, kind, color=color, full=full)
        for part, summary in found
    ]
    if gold and kind != "latex":
        texts.append(mark.format("Right answers") + _right(gold, kind))
    return "\n\n".join(texts)


HEADERS = ("rater", "dimension", "answers", "right", "share")


def _right(gold: Sequence[Any], kind: str) -> str:
    """How often each rater gave the right answer, as a table."""
    from assay.report.layout import Column, Row, clean, table
    from assay.report.markdown import escape, grid
    from assay.report.numbers import count, percent

    rows = [
        (
            f"{one.rater} ({one.group})" if one.group else one.rater,
            one.dimension,
            count(one.answers),
            count(one.right),
            percent(one.share),
        )
        for one in gold
    ]
    if kind == "markdown":
        return "\n".join(grid(HEADERS, [(escape(r), escape(d), *rest) for r, d, *rest in rows]))
    columns = [Column(name, name not in HEADERS[:2]) for name in HEADERS]
    lines = table(columns, [Row((clean(r), *rest)) for r, *rest in rows], 88)
    return "\n".join(line.plain for line in lines)

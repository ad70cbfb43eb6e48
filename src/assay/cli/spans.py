"""``assay spans``: from gold and predicted tags or spans to a report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from assay.cli.gate import Gate, check_bound
from assay.cli.help import Command
from assay.cli.output import format_for, wants_color, write
from assay.cli.progress import Watch
from assay.cli.spans_gate import failures, parse
from assay.cli.spans_input import Given, from_input, read_once, too_large
from assay.cli.spans_options import MACHINE, options
from assay.errors import UsageError
from assay.report.render import KINDS

READ = (
    "format",
    "gold_column",
    "pred_column",
    "token_column",
    "encoding",
    "unit",
    "offsets",
    "snap",
)
SCORE = (
    "scheme",
    "illegal",
    "mode",
    "zero_division",
    "beta",
    "bootstrap",
    "by",
    "seed",
    "level",
)
SHARED = ("scheme", "illegal", "zero_division", "bootstrap", "by", "seed", "level")
"""What also holds where annotators are compared."""

EXAMPLES = (
    ("assay spans gold.conll tagger.conll", "Score one prediction."),
    ("assay spans both.conll", "One file: gold in the last column but one, prediction last."),
    ("assay spans gold.conll a.conll b.conll", "Rank systems, and say how sure the order is."),
    ("assay spans gold.conll tagger.conll --illegal discard", "Drop what illegal tags open."),
    ("assay spans gold.conll tagger.conll --stream", "In chunks, whatever the size."),
    ("assay spans 'gold-*.conll' 'tagger-*.conll'", "Many files, paired as they are sorted."),
    ("assay spans scored.parquet", "Columns gold and pred of Parquet, one row a sentence."),
    ("assay spans gold.jsonl tagger.jsonl --unit character", "Spans by character offsets."),
    ("assay spans gold.conll tagger.conll --out report.html", "A page with charts and text."),
    ("assay spans gold.conll tagger.conll --as conlleval", "The lines of a published table."),
    (
        "assay spans gold.conll tagger.conll --fail-under exact.micro.f1=0.8 --bound lower",
        "A gate: exit with 1 if exact F1 may be below .8.",
    ),
    ("assay spans --annotators mai.conll jonas.conll", "How far annotators agree, without gold."),
)


@click.command(cls=Command, examples=EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@options
@click.pass_context
def spans(ctx: click.Context, /, files: tuple[Path, ...], **given: Any) -> None:
    """Score predicted spans against gold ones: the first of FILES is gold.

    FILES hold tags in columns (CoNLL), one row of tags a line, JSON Lines or Parquet with tags
    or with character offsets, or brat's pairs of text and annotation; a quoted pattern stands
    for many files. The report gives precision,
    recall and F1 under every way of matching, type by type, with intervals; the causes of
    all errors; the words behind the most frequent ones; and the illegal tags.

    It ends with 0 when done, 1 when a gate did not hold, 2 on bad use or input. Warnings are
    on standard error.
    """
    gates = [parse(text) for text in given["fail_under"]]
    check_bound(given["bound"], gates)
    asked = [name for name in MACHINE if given[name]] + ([given["to"]] if given["to"] else [])
    kind = "annotators" if given["annotators"] else "spans"
    form = format_for(asked, given["out"], KINDS[kind])
    _check(files, given, gates)
    with Watch(("scoring", "writing")) as watch:
        watch.step("scoring")
        with read_once(files) as paths:
            every = Given(paths)
            summary = _agreed(every, given) if given["annotators"] else _scored(every, given, watch)
            summary = from_input(summary, files, paths)
        watch.step("writing")
        text = _rendered(summary, form, given)
    _warn(summary, form, given["out"])
    write(text, form, given["out"])
    broken = failures(summary, gates, given["bound"])
    for sentence in broken:
        click.echo(f"failed: {sentence}", err=True)
    if broken:
        ctx.exit(1)


def _check(files: tuple[Path, ...], given: dict[str, Any], gates: list[Gate]) -> None:
    """What does not go together."""
    if given["stream"]:
        _check_stream(files, given)
    if not given["annotators"]:
        if given["as_"] and len(files) > 2:
            raise UsageError("--as: one prediction at a time; other scorers rank nothing.")
        if given["gamma"]:
            raise UsageError("--gamma is a coefficient of annotators; add --annotators.")
        return
    if len(files) < 2:
        raise UsageError("--annotators: files of at least two annotators are needed.")
    figures = (("--as", given["as_"]), ("--fail-under", gates), ("--memory", given["memory"]))
    for name, value in (*figures, *_figures(given)):
        if value:
            raise UsageError(f"{name} is about gold and prediction, not --annotators.")


UNSTREAMED = ("as_", "align", "annotators", "unit", "offsets", "snap", "inclusive", "by", "mode")
"""Options of what a report in chunks cannot have."""


def _unstreamed(given: dict[str, Any]) -> str | None:
    """The first option that was given and does not go with chunks."""
    found = (name for name in UNSTREAMED if given[name] and given[name] != "sentence")
    return next((f"--{name.strip('_')}" for name in found), None)


def _check_stream(files: tuple[Path, ...], given: dict[str, Any]) -> None:
    """What a report in chunks cannot have."""
    if len(files) > 2:
        raise UsageError("--stream: one file of gold and one of predictions are needed.")
    option = _unstreamed(given)
    if option:
        raise UsageError(f"--stream does not go with {option}.")


def _figures(given: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(f"--{name}", given[name] is not None) for name in ("mode", "beta")]


def _reading(given: dict[str, Any]) -> dict[str, Any]:
    """The options of reading that were given; --column is for both sides."""
    chosen = {name: given[name] for name in READ if given[name] is not None}
    if given["column"] is not None:
        chosen = {"gold_column": given["column"], "pred_column": given["column"]} | chosen
    if given["tag_names"] is not None:
        chosen["tag_names"] = tuple(name.strip() for name in given["tag_names"].split(","))
    return chosen | {name: True for name in ("align", "inclusive") if given[name]}


def _scored(files: Given, given: dict[str, Any], watch: Watch) -> Any:
    from assay.report.spans.report import score_spans

    chosen = {name: given[name] for name in SCORE if given[name] is not None}
    if given["suffix"]:
        chosen["suffix"] = True
    if given["as_"]:
        chosen["parity"] = given["as_"]
    reading = _reading(given)
    why = None
    if not given["stream"]:
        why = too_large(files, reading, given["memory"], _unstreamed(given))
    if why is None and not given["stream"]:
        gold, *preds = files.sides()
        return score_spans(gold, *preds, **chosen, **reading).to_dict()
    if why is not None:
        click.echo(f"note: {why}", err=True)
    from assay.report.spans.streamed import stream_spans

    chosen.pop("by", None)
    chosen["progress"] = lambda done, total: watch.count(done, total, "sentences")
    gold, pred = (*files.paths, None)[:2]
    summary = stream_spans(gold, pred, **chosen, **reading).to_dict()
    if why is not None:
        note = {"code": "larger_than_memory", "level": "info", "message": why}
        summary["source"]["notes"].append(note)
    return summary


def _agreed(files: Given, given: dict[str, Any]) -> Any:
    from assay.report.annotators.report import annotator_agreement

    chosen = {name: given[name] for name in SHARED if given[name] is not None}
    chosen |= {name: True for name in ("suffix", "gamma") if given[name]}
    return annotator_agreement(files.sides(), **chosen, **_reading(given)).to_dict()


def _rendered(summary: Any, form: str, given: dict[str, Any]) -> str:
    from assay.report.render import render

    color = given["out"] is None and form == "terminal" and wants_color()
    return render(summary, form, color=color, full=given["full"])


def _warn(summary: Any, form: str, out: Path | None) -> None:
    """Warnings on standard error, unless the report shows them on the same screen."""
    from assay.report.render import cautions

    on_screen = form == "terminal" and out is None and not summary.get("parity")
    if on_screen and sys.stdout.isatty() and sys.stderr.isatty():
        return
    for one in cautions(summary):
        click.echo(f"warning: {one['message']}", err=True)

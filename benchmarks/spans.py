"""Span scoring at scale, against the usual libraries, in one run.

    python benchmarks/spans.py                  all of it, about ten minutes
    python benchmarks/spans.py lists bootstrap  the named parts
    python benchmarks/spans.py --times 1        quick and rough

100,000 sentences of 25 tokens with four types. Results are checked to be equal before they are
timed. Needs ``pip install '.[bench]'``.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from assay.report.spans.streamed import stream_spans
from assay.spans.corpus import TagRows
from assay.spans.decode import decode
from assay.spans.figures import Convention
from assay.spans.read import read_pair
from assay.spans.resample import Rows
from assay.spans.score import Scores, mode_figures
from timing import Row, main, median, peak

TYPES = ("PER", "ORG", "LOC", "MISC")
LENGTH = 25
Corpus = tuple[list[list[str]], list[list[str]]]


def corpus(sentences: int) -> Corpus:
    """Gold and predicted rows, with every kind of error and some illegal tags."""
    rng = random.Random(11)

    def sentence() -> list[str]:
        row: list[str] = []
        while len(row) < LENGTH:
            if rng.random() < 0.12:
                kind = rng.choice(TYPES)
                row += [f"B-{kind}"] + [f"I-{kind}"] * rng.randint(0, 3)
            else:
                row.append("O")
        return row[:LENGTH]

    def noise(row: list[str]) -> list[str]:
        return [
            rng.choice(("O", "B-PER", "I-PER", "B-ORG", "I-LOC")) if rng.random() < 0.02 else tag
            for tag in row
        ]

    gold = [sentence() for _ in range(sentences)]
    return gold, [noise(row) for row in gold]


def exact(gold: list[list[str]], pred: list[list[str]]) -> tuple[int, int, int]:
    """Right, gold and predicted spans, from lists of tags."""
    a, b = decode(TagRows.of(gold)), decode(TagRows.of(pred))
    scores = Scores.of(a.spans, b.spans, len(gold))
    right, one, two = scores.totals("exact")["exact"]
    return int(right.sum()), int(one.sum()), int(two.sum())


def from_lists(times: int) -> Iterator[Row]:
    """Python lists of tags to exact counts."""
    from seqeval.metrics import classification_report, f1_score

    gold, pred = corpus(100_000)
    tokens = LENGTH * len(gold)
    right, a, b = exact(gold, pred)
    f1 = 2 * right / (a + b)
    _same(f1, float(f1_score(gold, pred)))
    ours = median(lambda: exact(gold, pred), times)
    note = f"{tokens / ours / 1e6:.1f} M tokens/s"
    work = "exact, micro and types, 2.5 M tokens"
    theirs = median(lambda: classification_report(gold, pred), times)
    peer = "seqeval classification_report"
    yield Row(work, "lists of str", ours, peer, theirs, ">= 30", note)
    theirs = median(lambda: f1_score(gold, pred), times)
    yield Row(work, "lists of str", ours, "seqeval f1_score (micro only)", theirs, "-", note)
    theirs = median(lambda: _seqscore(gold, pred), times)
    yield Row(work, "lists of str", ours, "seqscore", theirs, ">= 8", note)


def _seqscore(gold: list[list[str]], pred: list[list[str]]) -> object:
    from seqscore.scoring import score_label_sequences

    return score_label_sequences(pred, gold, "BIO", repair="conlleval")


def _same(ours: float, theirs: float) -> None:
    if abs(ours - theirs) > 1e-9:
        raise SystemExit(f"results differ: {ours} and {theirs}")


def _write(folder: Path, gold: list[list[str]], pred: list[list[str]]) -> tuple[Path, Path]:
    paths = folder / "gold.conll", folder / "pred.conll"
    for path, rows in zip(paths, (gold, pred), strict=True):
        with path.open("w") as file:
            for row in rows:
                file.writelines(f"token{i}\t{tag}\n" for i, tag in enumerate(row))
                file.write("\n")
    return paths


def from_files(times: int) -> Iterator[Row]:
    """Two CoNLL files to exact scores a type."""
    gold, pred = corpus(100_000)
    with tempfile.TemporaryDirectory() as folder:
        paths = _write(Path(folder), gold, pred)

        def run() -> tuple[int, int, int]:
            a, b = read_pair(*paths)
            scores = Scores.of(decode(a.rows).spans, decode(b.rows).spans, a.text.n_sentences)
            right, one, two = scores.totals("exact")["exact"]
            return int(right.sum()), int(one.sum()), int(two.sum())

        if run() != exact(gold, pred):
            raise SystemExit("files and lists differ")
        ours = median(run, times)
        rate = LENGTH * len(gold) / ours / 1e6
        yield Row(
            "files to scores, 2.5 M tokens", "CoNLL, 2 columns", ours, "-", None,
            ">= 3 M/s", f"{rate:.1f} M tokens/s",
        )  # fmt: skip


def bootstrap(times: int) -> Iterator[Row]:
    """A thousand resamples, against scoring once."""
    gold, pred = corpus(100_000)
    once = median(lambda: exact(gold, pred), times)
    a, b = decode(TagRows.of(gold)), decode(TagRows.of(pred))

    def resample(every: bool) -> None:
        scores = Scores.of(a.spans, b.spans, len(gold))
        drawn = Rows.of(scores.table(every=every)).resampled(1000, 0)
        mode_figures(drawn, scores.columns, "exact", Convention())

    for every, what, goal in (
        (False, "exact, micro and types", "<= 3 x"),
        (True, "all", "<= 10 x"),
    ):
        ours = median(lambda every=every: resample(every), times)
        yield Row(
            f"1,000 resamples, {what} figures", "counts a sentence", ours,
            "scoring once", once, goal, f"{ours / once:.1f} times scoring once",
        )  # fmt: skip


def streaming(times: int) -> Iterator[Row]:
    """Memory of the streamed score as the corpus grows."""
    for sentences in (80_000, 320_000):
        gold, pred = corpus(sentences)
        with tempfile.TemporaryDirectory() as folder:
            paths = _write(Path(folder), gold, pred)
            del gold, pred
            size = sum(path.stat().st_size for path in paths) / 1e6
            memory = peak(lambda paths=paths: stream_spans(*paths))
            ours = median(lambda paths=paths: stream_spans(*paths), times)
            yield Row(
                f"streamed score, {sentences:,} sentences", f"CoNLL, {size:.0f} MB", ours, "-",
                None, "flat", f"peak {memory:.1f} MB",
            )  # fmt: skip


PARTS: dict[str, Callable[[int], Iterator[Row]]] = {
    "lists": from_lists,
    "files": from_files,
    "bootstrap": bootstrap,
    "streaming": streaming,
}


if __name__ == "__main__":
    main(PARTS, __doc__)

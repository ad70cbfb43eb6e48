"""How often 95 % intervals hold the true value: every coefficient, every method, in one run.

    python benchmarks/coverage.py --write              all of it, into docs/coverage.md
    python benchmarks/coverage.py --quick              a tenth of the studies, printed
    python benchmarks/coverage.py "two raters"         the named group

Studies are drawn from populations whose values are known exactly (``populations.py``), those of a
design all at once. Each then goes through the functions that a report calls, so that what is
measured is what is printed: the coefficient with its analytic uncertainty, a thousand resamples as
a few matrix products, the jackknife. Seeded; on one core about ten minutes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from assay.agreement.jackknife import jackknifed
from assay.agreement.registry import COEFFICIENTS, Context
from assay.agreement.resampled import Drawing
from assay.agreement.resampling import Settings, bootstrapped, replicates
from assay.estimate import Interval, Uncertainty
from populations import Labels, Population, Scores, neighbouring, recognising

PAGE = Path(__file__).resolve().parents[1] / "docs" / "coverage.md"
BEGIN, END = "<!-- coverage: begin -->\n", "<!-- coverage: end -->\n"
LEVEL = 0.95
METHODS = ("analytic", "bootstrap", "bca", "jackknife")
WORDS = {"analytic": "analytic", "bootstrap": "bootstrap", "bca": "BCa", "jackknife": "jackknife"}
NARROW, WIDE = 92.5, 97.5
"""Coverage outside of these is set in bold."""
TITLES = {
    "percent_agreement": "Percent", "unanimous_agreement": "Unanimous", "cohen_kappa": "Cohen",
    "light_kappa": "Light", "conger_kappa": "Conger", "scott_pi": "Scott", "icc_1": "ICC(1,1)",
    "fleiss_kappa": "Fleiss", "brennan_prediger": "BP", "gwet_ac": "AC", "icc_a_1": "ICC(A,1)",
    "krippendorff_alpha": "alpha", "bangdiwala_b": "B", "icc_c_1": "ICC(C,1)", "kendall_w": "W",
    "icc_a_k": "ICC(A,k)", "pearson": "Pearson", "lin_ccc": "Lin", "spearman": "Spearman",
    "kendall_tau": "tau-b",
}  # fmt: skip


@dataclass(frozen=True)
class Design:
    """What is studied: some items of a population."""

    about: str
    items: int
    population: Population


EVEN, SKEWED = (0.4, 0.35, 0.25), (0.9, 0.1)


def _two(shares: tuple[float, ...], *knows: float, **more: object) -> Labels:
    return recognising(shares, knows=knows, **more)


BIASED = [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]]
ORDERED = neighbouring((0.3, 0.25, 0.2, 0.15, 0.1), ((0.1, 0.1), (0.05, 0.2), (0.2, 0.05)))
ORDERED_TWO = neighbouring((0.3, 0.25, 0.2, 0.15, 0.1), ((0.1, 0.1), (0.05, 0.25)))
RARE = neighbouring((0.75, 0.1, 0.07, 0.05, 0.03), ((0.1, 0.1), (0.05, 0.2), (0.2, 0.05)))

GROUPS: dict[str, tuple[tuple[str, ...], tuple[Design, ...]]] = {
    "two raters": (
        ("percent_agreement", "cohen_kappa", "scott_pi", "brennan_prediger", "gwet_ac",
         "krippendorff_alpha", "bangdiwala_b"),
        (
            Design("even labels", 20, _two(EVEN, 0.8, 0.75)),
            Design("even labels", 50, _two(EVEN, 0.8, 0.75)),
            Design("even labels", 200, _two(EVEN, 0.8, 0.75)),
            Design("even, low agreement", 50, _two(EVEN, 0.4, 0.3)),
            Design("even, high agreement", 50, _two(EVEN, 0.97, 0.95)),
            Design("raters with other habits", 50, _two(EVEN, 0.6, 0.6, guesses=BIASED)),
            Design("9 in 10 are one label", 50, _two(SKEWED, 0.8, 0.75)),
            Design("9 in 10 are one label", 200, _two(SKEWED, 0.8, 0.75)),
            Design("half of the ratings missing", 200, _two(EVEN, 0.8, 0.75, missing=0.5)),
        ),
    ),
    "several raters": (
        ("percent_agreement", "unanimous_agreement", "fleiss_kappa", "conger_kappa",
         "light_kappa", "brennan_prediger", "gwet_ac", "krippendorff_alpha"),
        (
            Design("3 raters, even labels", 20, _two(EVEN, 0.8, 0.75, 0.7)),
            Design("3 raters, even labels", 50, _two(EVEN, 0.8, 0.75, 0.7)),
            Design("3 raters, even labels", 200, _two(EVEN, 0.8, 0.75, 0.7)),
            Design("3 raters, low agreement", 50, _two(EVEN, 0.4, 0.3, 0.3)),
            Design("3 raters, high agreement", 50, _two(EVEN, 0.97, 0.96, 0.95)),
            Design("3 raters, 9 in 10 are one label", 50, _two(SKEWED, 0.8, 0.75, 0.7)),
            Design("3 raters, 9 in 10 are one label", 200, _two(SKEWED, 0.8, 0.75, 0.7)),
            Design("5 raters, half missing", 50, _two(EVEN, *[0.75] * 5, missing=0.5)),
            Design("5 raters, half missing", 200, _two(EVEN, *[0.75] * 5, missing=0.5)),
            Design("10 raters, even labels", 20, _two(EVEN, *[0.7] * 10)),
            Design("10 raters, even labels", 50, _two(EVEN, *[0.7] * 10)),
        ),
    ),
    "five ordered labels": (
        ("cohen_kappa", "light_kappa", "gwet_ac", "krippendorff_alpha", "spearman", "kendall_tau",
         "kendall_w"),
        (
            Design("2 raters, even labels", 20, ORDERED_TWO),
            Design("2 raters, even labels", 50, ORDERED_TWO),
            Design("3 raters, even labels", 50, ORDERED),
            Design("3 raters, 3 in 4 are one label", 50, RARE),
            Design("3 raters, 3 in 4 are one label", 200, RARE),
        ),
    ),
    "numbers": (
        ("icc_1", "icc_a_1", "icc_c_1", "icc_a_k", "krippendorff_alpha", "pearson", "lin_ccc"),
        (
            Design("2 raters, no shifts", 20, Scores(0.6, (0.0, 0.0))),
            Design("2 raters, no shifts", 50, Scores(0.6, (0.0, 0.0))),
            Design("2 raters, fixed shifts", 50, Scores(0.6, (0.0, 0.5))),
            Design("2 raters, fixed shifts", 200, Scores(0.6, (0.0, 0.5))),
            Design("3 raters, fixed, low", 50, Scores(0.2, (0.0, 0.3, -0.3))),
            Design("3 raters, fixed, high", 50, Scores(0.9, (0.0, 0.15, -0.15))),
            Design("3 raters, fixed, heavy tails", 50, Scores(0.6, (0, 0.3, -0.3), shape="heavy")),
            Design("3 raters, fixed, skewed", 50, Scores(0.6, (0, 0.3, -0.3), shape="skewed")),
            Design("3 raters, other ones each time", 50, Scores(0.6, (0, 0.3, -0.3), sampled=True)),
            Design("10 raters, other ones each time", 50,
                   Scores(0.6, (0.3, -0.3) * 5, sampled=True)),
        ),
    ),
}  # fmt: skip


@dataclass
class Cell:
    """What became of one coefficient in the studies of one design."""

    truth: float
    studies: int = 0
    undefined: int = 0
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(METHODS, 0))
    given: dict[str, int] = field(default_factory=lambda: dict.fromkeys(METHODS, 0))

    def add(self, method: str, interval: object) -> None:
        if isinstance(interval, Interval):
            self.given[method] += 1
            self.held[method] += interval.low <= self.truth <= interval.high

    def coverage(self, method: str) -> float | None:
        """Of the intervals there are, the share (in %, one decimal) that hold the truth."""
        given = self.given[method]
        return round(100.0 * self.held[method] / given, 1) if given else None


def uncertainties(
    context: Context, names: list[str], resamples: int, seed: int
) -> Iterator[tuple[str, str, Uncertainty | None]]:
    """(coefficient, method, uncertainty); nothing for a coefficient without a value.

    Percentile and BCa take the same draws, as they do in a report with the same seed.
    """
    estimates = {name: COEFFICIENTS[name](context) for name in names}
    estimates = {name: e for name, e in estimates.items() if e.defined}
    drawing = Drawing(context, Settings("bca", resamples, seed))
    forms = {name: drawing.form(name) for name in estimates}
    values = replicates(forms, resamples, seed)
    for name, estimate in estimates.items():
        form, analytic = forms[name], estimate.uncertainty
        yield name, "analytic", analytic
        for method in ("bootstrap", "bca"):
            settings = Settings(method, resamples, seed)
            yield name, method, bootstrapped(form, values[name], settings, "items", analytic)
        yield name, "jackknife", jackknifed(form, estimate, "items", None)


def suited(names: tuple[str, ...], design: Design) -> list[str]:
    """The coefficients of a group that have a true value in a design."""
    context = next(iter(design.population.studies(5, 1, 0)))
    out = []
    for name in names:
        if COEFFICIENTS[name].refusal(context) is not None:
            continue
        if name in ("light_kappa", "kendall_w") and context.raters == 2:
            continue  # Cohen's kappa and Spearman's rho once more
        try:
            design.population.truth(name)
        except KeyError:
            continue
        out.append(name)
    return out


def measure(
    design: Design, names: tuple[str, ...], replications: int, resamples: int, seed: list[int]
) -> dict[str, Cell]:
    """Each coefficient's coverage in one design; ``seed`` is this design's own."""
    chosen = suited(names, design)
    cells = {name: Cell(design.population.truth(name)) for name in chosen}
    first = 1_000_000 * seed[0]
    studies = design.population.studies(design.items, replications, seed)
    for k, context in enumerate(studies):
        seen = set()
        for name, method, uncertainty in uncertainties(context, chosen, resamples, first + k):
            seen.add(name)
            if uncertainty is not None:
                cells[name].add(method, uncertainty.interval(LEVEL))
        for name, cell in cells.items():
            cell.studies += 1
            cell.undefined += name not in seen
    return cells


def number(value: float | None) -> str:
    if value is None:
        return "–"
    text = f"{value:.1f}"
    return text if NARROW <= value <= WIDE else f"**{text}**"


def table(names: tuple[str, ...], rows: list[tuple[Design, dict[str, Cell]]]) -> list[str]:
    """A Markdown table, a design in up to six lines."""
    out = [
        "| design | items | | " + " | ".join(TITLES[n] for n in names) + " |",
        "|---|--:|---|" + "--:|" * len(names),
    ]
    for design, cells in rows:
        first = f"{design.about} | {design.items}"
        truth = [f"{cells[n].truth:.3f}" if n in cells else "" for n in names]
        out.append(f"| {first} | *true value* | " + " | ".join(truth) + " |")
        for method in METHODS:
            line = []
            for name in names:
                cell = cells.get(name)
                if cell is None:
                    line.append("")
                    continue
                missing = cell.studies - cell.undefined - cell.given[method]
                text = number(cell.coverage(method))
                line.append(f"{text} ({missing})" if missing and text != "–" else text)
            out.append(f"| | | {WORDS[method]} | " + " | ".join(line) + " |")
        if any(cell.undefined for cell in cells.values()):
            lost = [str(cells[n].undefined or "") if n in cells else "" for n in names]
            out.append("| | | *no value* | " + " | ".join(lost) + " |")
    return out


def overview(found: dict[str, list[tuple[Design, dict[str, Cell]]]]) -> list[str]:
    """By method and number of items: the middle of all cells, the least, how many are narrow."""
    out = [
        "| items | method | middle | lowest | below 92.5 | above 97.5 | cells |",
        "|--:|---|--:|--:|--:|--:|--:|",
    ]
    every = [(d.items, c) for rows in found.values() for d, cells in rows for c in cells.values()]
    for items in sorted({n for n, _ in every}):
        for method in METHODS:
            got = [x for n, c in every if n == items and (x := c.coverage(method)) is not None]
            narrow, wide = (sum(x < NARROW for x in got), sum(x > WIDE for x in got))
            out.append(
                f"| {items} | {WORDS[method]} | {np.median(got):.1f} | {min(got):.1f} | {narrow} "
                f"| {wide} | {len(got)} |"
            )
    return out


def report(
    found: dict[str, list[tuple[Design, dict[str, Cell]]]], replications: int, resamples: int
) -> str:
    """The measured part of the page."""
    error = 196.0 * (0.95 * 0.05 / replications) ** 0.5
    how_many = (
        f"Measured on {replications:,} studies a design, with {resamples:,} resamples each: a "
        f"coverage of 95 % is known to ± {error:.1f} points."
    )
    lines = [
        how_many,
        "",
        "## In short",
        "",
        *overview(found),
        "",
    ]
    for group, rows in found.items():
        present = tuple(n for n in GROUPS[group][0] if any(n in cells for _, cells in rows))
        title = group[0].upper() + group[1:]
        lines += [f"## {title}", "", *table(present, rows), ""]
    return "\n".join(lines)


def put(text: str) -> None:
    """The measured part into the page, between its marks."""
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise SystemExit(f"{PAGE}: the lines {BEGIN.strip()} and {END.strip()} are missing")
    PAGE.write_text(f"{before}{BEGIN}{text}{END}{after}", "utf-8")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help="; ".join(GROUPS))
    parser.add_argument("--replications", type=int, default=2000, help="studies a design (2000)")
    parser.add_argument("--resamples", type=int, default=1000, help="of each bootstrap (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="200 studies, 200 resamples")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/coverage.md")
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.groups) - set(GROUPS)
    if unknown:
        parser.error(f"unknown group {', '.join(sorted(unknown))}; one of {', '.join(GROUPS)}")
    if chosen.write and (chosen.groups or chosen.quick):
        parser.error("--write: the page holds all groups, and none of them quick")
    if chosen.quick:
        chosen.replications, chosen.resamples = 200, 200
    found: dict[str, list[tuple[Design, dict[str, Cell]]]] = {}
    for group in chosen.groups or GROUPS:
        names, designs = GROUPS[group]
        for place, design in enumerate(designs):
            start = time.perf_counter()
            # Its own seed, so that no chance is shared by two designs.
            seed = [chosen.seed, list(GROUPS).index(group), place]
            cells = measure(design, names, chosen.replications, chosen.resamples, seed)
            found.setdefault(group, []).append((design, cells))
            taken = time.perf_counter() - start
            print(f"{group}: {design.about}, {design.items} items: {taken:.0f} s",
                  file=sys.stderr, flush=True)  # fmt: skip
    text = report(found, chosen.replications, chosen.resamples)
    print(text)
    if chosen.write:
        put(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

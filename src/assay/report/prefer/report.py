"""``prefer``: comparisons of systems, from a table to strengths, shares, bias and agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import UsageError, one_of
from assay.estimate import Undefined, check_level
from assay.preference.bradley_terry import MODELS, BradleyTerry, fit
from assay.preference.counts import PairCounts
from assay.preference.model import Comparisons
from assay.preference.others import check_methods, rate
from assay.preference.position import both_orders, position_bias
from assay.preference.ranks import rank
from assay.preference.raters import ratings_of, repeats, why_no_agreement
from assay.preference.read import read_comparisons
from assay.preference.resample import LEAST, Resampled, check_unit, resample
from assay.report.prefer.summary import Found, grouped, summarise
from assay.report.rendered import Tabular

if TYPE_CHECKING:
    from assay.report.plots import Plot

SEEDS = 2**63
NO_RESAMPLES = "; None (--bootstrap 0) means no resamples"


@dataclass(frozen=True, eq=False, repr=False)
class PreferenceReport(Tabular):
    """What :func:`prefer` returns; prints as a table.

    Attributes
    ----------
    comparisons
        What was read.
    fit
        The strengths; None with groups.
    groups
        With ``by``: the report of each group.
    summary
        Everything as one plain dictionary, unrounded; the JSON report.

    Examples
    --------
    >>> import assay
    >>> games = [("new", "old", "left")] * 6 + [("old", "new", "left")] * 2
    >>> report = assay.prefer(games, bootstrap=None)
    >>> {name: round(x, 9) for name, x in report.strengths.items()}
    {'new': 0.75, 'old': 0.25}
    >>> report.components
    (('new', 'old'),)
    """

    comparisons: Comparisons
    fit: BradleyTerry | None
    summary: dict[str, Any] = field(repr=False)
    groups: dict[str, PreferenceReport] = field(default_factory=dict)

    @property
    def strengths(self) -> dict[str, float | None]:
        """Each system's strength, strongest first; None where there is none."""
        self._ungrouped("strengths")
        return {one["system"]: one["strength"] for one in self.summary["strengths"]}

    @property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """The parts in which strengths can be compared."""
        self._ungrouped("components")
        return tuple(tuple(part) for part in self.summary["components"])

    def plot(self, kind: str, *, theme: str = "light") -> Plot:
        """A picture that shows itself in a notebook and can be saved as SVG or PNG.

        Parameters
        ----------
        kind
            "strengths", "ranks", "results" (wins, ties, losses), "matrix" or "raters".
        theme
            "light" or "dark".

        Raises
        ------
        UsageError
            If there is no such picture, or the report has groups.
        InputError
            If there is nothing to draw.
        """
        from assay.report.prefer.plots import plot

        return plot(self.summary, kind, theme=theme)

    def to_html(self) -> str:
        """A page with all tables and pictures."""
        from assay.report.render import render

        return render(self.summary, "html")

    def methods(self) -> str:
        """A paragraph for a paper that says how the numbers were made, with the numbers."""
        from assay.report.prefer.methods import methods

        return methods(self.summary)

    def to_heds(self) -> str:
        """A draft of the human evaluation datasheet, in Markdown."""
        from assay.report.prefer.heds import datasheet

        return datasheet(self.summary, self.comparisons)

    def to_raw(self) -> str:
        """Every comparison as CSV, also repeats, which say so."""
        from assay.report.prefer.raw import raw_csv

        return raw_csv(self.comparisons)

    def _ungrouped(self, what: str) -> None:
        if self.groups:
            raise UsageError(
                f"this report has groups, each with its own {what}: report.groups[GROUP].{what}, "
                f"with GROUP one of {', '.join(self.groups)}."
            )


def prefer(
    data: Any,
    *,
    left: str | None = None,
    right: str | None = None,
    winner: str | None = None,
    rater: str | None = None,
    item: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    repeat: str | None = None,
    ties: str = "half",
    also: Sequence[str] | str = (),
    bootstrap: int | None = 1000,
    resample: str | None = None,
    seed: int = 0,
    level: float = 0.95,
    values: Mapping[str, str] | None = None,
    winner_as: str | None = None,
    **reading: Any,
) -> PreferenceReport:
    """Which system is preferred, how surely, and how far the raters agree on it.

    Parameters
    ----------
    data
        A path, a data frame, records, a dict of columns, or a list of (left, right, winner) or
        (left, right, winner, rater); or comparisons that were read before.
    left, right, winner
        The columns of the two systems and of who won: a side (left, right, tie; A, B; 1, 2, 0;
        1, −1, 0), or the system's name. Usual names of columns are found, and said.
    rater, item, by
        The columns of who compared, of what the systems were compared on (several make one
        item), and of what splits the comparisons into reports of their own.
    repeat
        The column that says which rows repeat an earlier question. Where raters and items are
        known, the same two systems on the same sides again are a repeat too. The first answer
        counts; the others say how far raters agree with themselves.
    ties
        "half" (a tie is half a win for each), "drop" (ties are left out), "davidson" or
        "rao-kupper" (models with a probability of a tie).
    also
        Ratings beside Bradley-Terry's, by evalica: "elo", "counting", "average_win_rate",
        "pagerank", "newman". Elo takes the comparisons in the order of the data.
    bootstrap
        How many resamples intervals and ranks come from; None: none of these.
    resample
        What is drawn: "items" (the default where they are known), "comparisons" or "raters".
    seed
        Of the resampling.
    level
        Of all intervals.
    values
        What values of the winner column mean: "left", "right", "tie" or "missing".
    winner_as
        "sides" or "names", where the winners could be read as both.
    **reading
        ``format``, ``encoding``, ``delimiter``, ``decimal``, ``sheet``, ``header``: as in
        :func:`assay.read`.

    Returns
    -------
    PreferenceReport

    Raises
    ------
    ReadingError
        If the data cannot be read, or a row's winner or systems make no sense.
    InputError
        If the winner column can be read in two ways.
    UsageError
        If an option has a value that does not exist.
    MissingExtra
        If other ratings are asked for and evalica is not installed.

    Examples
    --------
    >>> import assay
    >>> rows = [("a", "b", "left", "ana"), ("a", "b", "tie", "bo"), ("b", "a", "right", "ana")]
    >>> report = assay.prefer(rows, bootstrap=None)
    >>> report.summary["systems"][0]["ties_half"]["value"]
    0.8333333333333334
    >>> report.summary["position_bias"]["left_wins"]
    1
    """
    check_level(level)
    one_of(ties, MODELS, "ties")
    if bootstrap is not None:
        _whole(bootstrap, "bootstrap", LEAST, SEEDS, NO_RESAMPLES)
    _whole(seed, "seed", 0, SEEDS)
    others = check_methods([also] if isinstance(also, str) else also)
    comparisons = read_comparisons(
        data,
        left=left,
        right=right,
        winner=winner,
        rater=rater,
        item=item,
        by=by,
        repeat=repeat,
        values=values,
        winner_as=winner_as,
        **reading,
    )
    settings = {
        "model": ties, "bootstrap": bootstrap, "unit": resample, "seed": seed, "level": level,
        "also": others,
    }  # fmt: skip
    if resample is not None and bootstrap is None:
        raise UsageError("resample: says what is drawn; ask for resamples with bootstrap=1000 too.")
    if comparisons.groups is None:
        return _one(comparisons, settings)
    there = {comparisons.group_names[g] for g in np.unique(comparisons.groups)}
    groups = {
        name: _one(comparisons.group(name), settings)
        for name in comparisons.group_names
        if name in there
    }
    summary = grouped(comparisons, {n: r.summary for n, r in groups.items()}, level)
    return PreferenceReport(comparisons, None, summary, groups)


def _whole(value: Any, what: str, least: int, most: int, more: str = "") -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < most:
        raise UsageError(f"{what}: a whole number from {least} is needed, not {value!r}{more}.")


def _one(comparisons: Comparisons, settings: Mapping[str, Any]) -> PreferenceReport:
    """The report of one set of comparisons; repeats enter only what is said of single raters."""
    from assay.report.agreement import agree

    every, comparisons = comparisons, comparisons.firsts()
    unit = check_unit(settings["unit"], comparisons)
    counts = PairCounts.of(comparisons)
    fitted = fit(counts, settings["model"])
    drawn: Resampled | Undefined | None = None
    if settings["bootstrap"] is not None:
        drawn = resample(
            comparisons,
            counts,
            fitted,
            unit=unit,
            resamples=settings["bootstrap"],
            seed=settings["seed"],
        )
    why = why_no_agreement(comparisons)
    found = Found(
        comparisons,
        counts,
        fitted,
        drawn if isinstance(drawn, Resampled) else None,
        drawn if isinstance(drawn, Undefined) else None,
        rank(fitted, drawn if isinstance(drawn, Resampled) else None, settings["level"]),
        position_bias(counts),
        both_orders(every),
        repeats(every),
        every.n - comparisons.n,
        None if why else agree(ratings_of(comparisons), level=settings["level"]).to_dict(),
        why,
        [rate(comparisons, counts, method) for method in settings["also"]],
    )
    return PreferenceReport(every, fitted, summarise(found, settings["level"]))

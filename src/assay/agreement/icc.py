"""Intraclass correlations: the six forms of Shrout and Fleiss, named as by McGraw and Wong.

With items as rows and raters as columns, MSR, MSC, MSE and MSW are the mean squares of items,
raters, error (both removed) and within items (items only removed).

References
----------
Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86(2), 420-428.
McGraw, K. O. and Wong, S. P. (1996). Psychological Methods 1(1), 30-46.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any, Unpack

import numpy as np

from assay.agreement.inputs import Data, Options, need_raters, reduced
from assay.agreement.pool import Number, count_of, plural
from assay.errors import LabelError, UsageError, one_of
from assay.estimate import Estimate, HypothesisTest, Interval, Undefined, undefined
from assay.ratings.reductions import Matrix, Reduced

REFERENCE = "McGraw and Wong (1996), Psychological Methods 1(1), 30-46"

ZERO = Fraction(0)

FORMS = {
    "icc_1": "ICC(1,1), one-way, a single rating",
    "icc_a_1": "ICC(A,1), two-way, absolute agreement, a single rating",
    "icc_c_1": "ICC(C,1), two-way, consistency, a single rating",
    "icc_1_k": "ICC(1,k), one-way, the mean of k ratings",
    "icc_a_k": "ICC(A,k), two-way, absolute agreement, the mean of k ratings",
    "icc_c_k": "ICC(C,k), two-way, consistency, the mean of k ratings",
}


def icc(
    data: Data = None, other: Data = None, *, form: str = "icc_a_1", **options: Unpack[Options]
) -> Estimate:
    """One form of the intraclass correlation.

    Parameters
    ----------
    data, other
        Ratings with numeric labels, every rater on every item; or two parallel sequences.
    form
        ``"icc_1"``, ``"icc_a_1"`` (agreement), ``"icc_c_1"`` (consistency), and ``"icc_1_k"``,
        ``"icc_a_k"``, ``"icc_c_k"`` for the mean of the k ratings. Shrout and Fleiss call
        them ICC1, ICC2, ICC3, ICC1k, ICC2k, ICC3k.
    **options
        ``categories=``, ``order=``: see :func:`assay.agreement.inputs.reduced`.

    Returns
    -------
    Estimate
        With exact F intervals (Satterthwaite's degrees of freedom for agreement; the average
        forms by Spearman-Brown from the single ones) and the F test. Undefined
        (``incomplete``) where a cell is missing.

    Raises
    ------
    LabelError
        If labels are not numbers.

    Examples
    --------
    >>> scores = [[1, 3], [2, 4], [3, 5], [4, 6], [5, 7]]
    >>> icc(scores, form="icc_c_1").value
    1.0
    >>> icc(scores, form="icc_a_1").exact
    Fraction(5, 9)
    """
    one_of(form, FORMS, "form")
    made = reduced(data, other, **options)
    need_raters(made, "icc")
    if made.categories.numbers is None and made.q:
        texts = ", ".join(made.categories.texts[:6])
        raise LabelError(f"ICC needs labels that are numbers, and these are texts ({texts}).")
    return all_icc(made)[form]


@dataclass(frozen=True, slots=True)
class Anova:
    """Mean squares of an n × k table."""

    n: int | Fraction
    k: int
    rows: Number
    columns: Number
    error: Number
    within: Number


def anova(made: Reduced, matrix: Matrix) -> Anova:
    """Mean squares, in exact fractions where the labels are decimals, else in a unit near them."""
    weights, d = matrix.weights, made.denominator
    k, whole_n = len(matrix.codes), int(weights.sum())
    n = _whole_or_fraction(Fraction(whole_n, d))
    scaled = made.categories.scaled
    if scaled is not None:
        x, unit = scaled
        used = x[matrix.codes]
        x = x - int(used.min())
        if int(np.abs(x).max(initial=0)) ** 2 * k * k * whole_n < 1 << 62:
            whole = x[matrix.codes]
            by_item = whole.sum(axis=0)
            grand = Fraction(int((by_item * weights).sum()), d)
            squares = Fraction(int(((whole * whole).sum(axis=0) * weights).sum()), d)
            items = Fraction(int((by_item * by_item * weights).sum()), d)
            raters = sum((Fraction(int(v), d) ** 2 for v in (whole * weights).sum(axis=1)), ZERO)
            mean = grand * grand / (n * k)
            ssr, ssc = items / k - mean, raters / n - mean
            return _squares(n, k, squares - mean, ssr, ssc, Fraction(1, unit * unit))
    values = made.categories.numbers
    y = (np.zeros(0) if values is None else values)[matrix.codes]
    count, share = whole_n / d, weights / d
    # A coefficient does not depend on the unit, and squares of squares stay within a float.
    y = np.ldexp(y, -int(np.frexp(np.abs(y).max(initial=0.0))[1]))
    y = y - (y * share).sum() / (count * k)
    by_row, by_column = y.mean(axis=0), (y * share).sum(axis=1) / count
    residual = y - by_row[None, :] - by_column[:, None]
    between = k * float((by_row**2 * share).sum())
    raters_ss = count * float((by_column**2).sum())
    sse = float((residual**2 * share).sum())
    return Anova(
        n,
        k,
        between / (count - 1),
        raters_ss / (k - 1),
        sse / ((count - 1) * (k - 1)),
        (raters_ss + sse) / (count * (k - 1)),
    )


def _whole_or_fraction(n: Fraction) -> int | Fraction:
    return int(n) if n.denominator == 1 else n


def _squares(
    n: int | Fraction, k: int, total: Fraction, ssr: Fraction, ssc: Fraction, unit: Fraction
) -> Anova:
    sse = total - ssr - ssc
    return Anova(
        n,
        k,
        ssr / (n - 1) * unit,
        ssc / (k - 1) * unit,
        sse / ((n - 1) * (k - 1)) * unit,
        (total - ssr) / (n * (k - 1)) * unit,
    )


def all_icc(made: Reduced) -> dict[str, Estimate]:
    """All six forms."""
    matrix = made.matrix
    k = len(matrix.codes)
    n = Fraction(int(matrix.weights.sum()), made.denominator)
    rest: dict[str, Any] = {
        "items": count_of(n),
        "raters": k,
        "ratings": count_of(n * k),
        "reference": REFERENCE,
        "convention": "complete table of items × raters, no missing cells",
    }
    why = _refusal(made, matrix, n, k)
    if why is None:
        table = anova(made, matrix)
        if table.rows == 0 and table.within == 0:
            why = Undefined(
                "no_variance", f"all {plural(n * k, 'rating')} are equal, so there is no variance"
            )
    if why is not None:
        rest["items"], rest["ratings"] = count_of(made.items()), count_of(made.n_ratings)
        return {name: Estimate(name, full, None, why, **rest) for name, full in FORMS.items()}
    return {name: _form(name, table, rest) for name in FORMS}


def _refusal(made: Reduced, matrix: Matrix, n: Fraction, k: int) -> Undefined | None:
    if not made.sizes:
        return Undefined("no_ratings", "there are no ratings")
    if k < 2:
        return Undefined("no_shared_items", "ICC needs two raters or more")
    if matrix.left_out:
        items = plural(made.items(), "item")
        return Undefined(
            "incomplete",
            f"{matrix.left_out} of {items} lack a rating of one of the {k} raters; ICC is given "
            "for complete tables. Krippendorff's alpha with an interval metric takes the "
            "ratings as they are",
        )
    if n < 2:
        found = plural(n, "item")
        return Undefined("single_item", f"ICC compares items, and there is no more than {found}")
    return None


def _form(name: str, t: Anova, rest: dict[str, Any]) -> Estimate:
    n, k = t.n, t.k
    top, bottom = {
        "icc_1": (t.rows - t.within, t.rows + (k - 1) * t.within),
        "icc_1_k": (t.rows - t.within, t.rows),
        "icc_c_1": (t.rows - t.error, t.rows + (k - 1) * t.error),
        "icc_c_k": (t.rows - t.error, t.rows),
        "icc_a_1": (
            t.rows - t.error,
            t.rows + (k - 1) * t.error + (t.columns - t.error) * k / n,
        ),
        "icc_a_k": (t.rows - t.error, t.rows + (t.columns - t.error) / n),
    }[name]
    full = FORMS[name]
    if bottom == 0:
        reason = "items do not differ from each other, so the variance it is a share of is 0"
        return undefined(name, full, "no_variance", reason, **rest)
    if bottom < 0:
        reason = (
            f"the estimated variance that it is a share of is {float(bottom):.4g}, below 0: raters "
            "differ less from each other than their errors would make them"
        )
        return undefined(name, full, "no_variance", reason, **rest)
    value = top / bottom
    return Estimate(
        name,
        full,
        float(value),
        exact=value if isinstance(value, Fraction) else None,
        uncertainty=FRatio(name, t, float(value)),
        **rest,
    )


@dataclass(frozen=True, slots=True)
class FRatio:
    """Intervals and tests of an ICC from the F distribution."""

    name: str
    table: Anova
    value: float
    method: str = "exact F (McGraw and Wong 1996)"

    @property
    def standard_error(self) -> None:
        return None

    def interval(self, level: float) -> Interval | Undefined:
        t = self.table
        single = self.name[:-1] + "1" if self.name.endswith("_k") else self.name
        tail = 0.5 + level / 2.0
        if single == "icc_a_1":
            low, high = self._agreement(tail)
            if not low <= high or not low <= self._single() <= high:
                return Undefined(
                    "degenerate_error",
                    "the estimate lies outside what a variance share can be, where "
                    "Satterthwaite's degrees of freedom give no interval",
                )
        else:
            noise, df2 = self._noise()
            if t.rows == 0:
                return Undefined(
                    "degenerate_error",
                    "all items have the same mean, so the value is the least that it can be and "
                    "the F interval has no width",
                )
            if noise == 0:
                return Undefined(
                    "degenerate_error",
                    "raters do not differ within items, so F is infinite and has no interval",
                )
            from scipy.special import fdtri

            df1, k = float(t.n - 1), t.k
            f = float(t.rows) / noise
            f_low = f / float(fdtri(df1, df2, tail))
            f_high = f * float(fdtri(df2, df1, tail))
            low, high = (f_low - 1) / (f_low + k - 1), (f_high - 1) / (f_high + k - 1)
        if self.name.endswith("_k"):
            if 1 + (t.k - 1) * low <= 0:
                return Undefined(
                    "degenerate_error",
                    f"the lower limit for a single rating, {low:.3f}, is not above "
                    f"-1 / {t.k - 1}, so the one for the mean of {t.k} ratings is minus infinity",
                )
            low, high = (float(t.k * x / (1 + (t.k - 1) * x)) for x in (low, high))
        if not (np.isfinite(low) and np.isfinite(high)):
            return Undefined("degenerate_error", "the F interval is not finite on these data")
        return Interval(level, low, min(1.0, high), self.method)

    def _noise(self) -> tuple[float, float]:
        t = self.table
        if self.name.startswith("icc_1"):
            return float(t.within), float(t.n * (t.k - 1))
        return float(t.error), float((t.n - 1) * (t.k - 1))

    def _agreement(self, tail: float) -> tuple[float, float]:
        from scipy.special import fdtri

        t, n, k = self.table, self.table.n, self.table.k
        rows, columns, error = float(t.rows), float(t.columns), float(t.error)
        noise, df = self._satterthwaite(self._single())
        if noise == 0 or not np.isfinite(df):
            return inf, inf
        df1 = float(n - 1)
        f_low, f_high = float(fdtri(df1, df, tail)), float(fdtri(df, df1, tail))
        spread = k * columns + (k * n - k - n) * error
        low = n * (rows - f_low * error) / (f_low * spread + n * rows)
        high = n * (f_high * rows - error) / (spread + n * f_high * rows)
        return low, high

    def _single(self) -> float:
        """The agreement of single ratings."""
        t = self.table
        rows, columns, error = float(t.rows), float(t.columns), float(t.error)
        spread = (t.k - 1) * error + t.k * (columns - error) / t.n
        return float((rows - error) / (rows + spread))

    def _satterthwaite(self, rho: float) -> tuple[float, float]:
        """a·MSC + b·MSE at a true value rho, and its degrees of freedom."""
        t, n, k = self.table, self.table.n, self.table.k
        if rho >= 1.0:
            return 0.0, inf
        a = k * rho / (n * (1.0 - rho))
        b = 1.0 + k * rho * (n - 1) / (n * (1.0 - rho))
        columns, error = a * float(t.columns), b * float(t.error)
        parts = columns**2 / (k - 1) + error**2 / ((n - 1) * (k - 1))
        return columns + error, (columns + error) ** 2 / parts if parts else inf

    def test(self, null: float) -> HypothesisTest:
        """Upper-tailed F test of ICC = ``null``."""
        from scipy.special import fdtrc

        t = self.table
        df1 = float(t.n - 1)
        least = -1.0 / (t.k - 1)
        if self.name.endswith("_k"):
            least = -inf
        if not least < null < 1.0:
            raise UsageError(
                f"null: a value of {self.name} above {least:g} and below 1 is needed, not {null!r}."
            )
        rho = null
        if self.name.endswith("_k"):
            rho = null / (t.k - (t.k - 1) * null)
        if self.name.startswith("icc_a") and rho != 0.0:
            noise, df2 = self._satterthwaite(rho)
        else:
            noise, df2 = self._noise()
            noise *= (1 + (t.k - 1) * rho) / (1 - rho)
        if noise <= 0:
            why = Undefined("no_variance", "raters do not differ within items: F is infinite")
            return HypothesisTest("F", null, None, None, (df1, df2), None, why)
        f = float(t.rows) / noise
        return HypothesisTest("F", null, None, f, (df1, df2), float(fdtrc(df1, df2, f)))

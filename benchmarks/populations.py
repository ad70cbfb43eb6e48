"""Populations whose true coefficients are known exactly, and studies drawn from them.

An item has one of some states (its true label, say), and what each rater says depends on the
state alone. Then the joint shares of every pair of raters are finite sums, and the population
value of a coefficient is its definition applied to those shares, without the library.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Protocol

import numpy as np

import assay
from assay.agreement.registry import Context
from assay.ratings.model import Block
from assay.ratings.reductions import Reduced

Array = Any
Seed = int | list[int]


class Population(Protocol):
    """Where studies come from."""

    scale: str
    weights: str

    def truth(self, name: str) -> float: ...

    def studies(self, items: int, count: int, seed: Seed) -> Iterator[Context]: ...


@dataclass(frozen=True)
class Labels:
    """Labels 1 … q.

    Attributes
    ----------
    states
        Shape (states,): how frequent each state of an item is.
    says
        Shape (raters, states, labels): how often a rater gives each label in a state.
    missing
        The probability that a rating is missing, whatever it would have been.
    """

    states: Array
    says: Array
    missing: float = 0.0
    scale: str = "nominal"
    weights: str = "identity"

    @property
    def marginals(self) -> Array:
        """Shape (raters, labels)."""
        return np.einsum("t,gtl->gl", self.states, self.says)

    def joint(self, g: int, h: int) -> Array:
        """Shape (labels, labels): how often two raters give two labels."""
        return np.einsum("t,tk,tl->kl", self.states, self.says[g], self.says[h])

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.says)), 2))

    def truth(self, name: str) -> float:
        """The coefficient's value in the population; a KeyError where it has none.

        Ratings are missing by chance, so every pair of raters is as frequent as every other.
        """
        q = self.says.shape[2]
        w = np.eye(q)
        if self.weights == "quadratic":
            k = np.arange(q)
            w = 1.0 - ((k[:, None] - k) / (q - 1.0)) ** 2
        joints = [self.joint(g, h) for g, h in self.pairs]
        together = sum(joints) / len(joints)
        each = self.marginals
        pooled = each.mean(axis=0)
        products = [np.outer(each[g], each[h]) for g, h in self.pairs]
        agree = float((w * together).sum())
        if name == "percent_agreement":
            return float(np.trace(together))
        if name == "unanimous_agreement":
            if self.missing:
                raise KeyError(name)  # it depends on how many ratings are there
            return float((self.states[:, None] * self.says.prod(axis=0)).sum())
        if name in ("cohen_kappa", "light_kappa"):
            return float(
                np.mean([1 - ((1 - w) * j).sum() / ((1 - w) * p).sum()
                         for j, p in zip(joints, products, strict=True)])
            )  # fmt: skip
        if name == "bangdiwala_b":
            return float((np.diag(together) ** 2).sum() / np.trace(products[0]))
        if name == "krippendorff_alpha":
            far = 1.0 - w
            if self.scale == "ordinal":
                rank = np.cumsum(pooled) - pooled / 2.0
                far = (rank[:, None] - rank) ** 2
            return float(1 - (far * together).sum() / (far * np.outer(pooled, pooled)).sum())
        if name in RANKS:
            return self._ranks(name, joints)
        expected = {
            "scott_pi": pooled @ w @ pooled,
            "fleiss_kappa": pooled @ w @ pooled,
            "conger_kappa": np.mean([(w * p).sum() for p in products]),
            "brennan_prediger": w.sum() / q**2,
            "gwet_ac": w.sum() / (q * (q - 1)) * (pooled * (1 - pooled)).sum(),
        }[name]
        return float((agree - expected) / (1 - expected))

    def _ranks(self, name: str, joints: list[Array]) -> float:
        ranks = [np.cumsum(m) - m / 2.0 - 0.5 for m in self.marginals]
        spread = [float(m @ r**2) for m, r in zip(self.marginals, ranks, strict=True)]
        found = []
        for (g, h), joint in zip(self.pairs, joints, strict=True):
            if name == "kendall_tau":
                sign = np.sign(np.subtract.outer(np.arange(len(joint)), np.arange(len(joint))))
                gap = float((joint * (sign @ joint @ sign.T)).sum())
                untied = [1 - float((self.marginals[k] ** 2).sum()) for k in (g, h)]
                found.append(gap / np.sqrt(untied[0] * untied[1]))
            else:
                found.append(float(ranks[g] @ joint @ ranks[h]))
                if name == "spearman":
                    found[-1] /= np.sqrt(spread[g] * spread[h])
        if name == "kendall_w":
            # The variance of the sum of ranks over the largest that it can be.
            return float((sum(spread) + 2.0 * sum(found)) / (len(spread) * sum(spread)))
        return float(np.mean(found))

    def codes(self, items: int, count: int, seed: Seed) -> Array:
        """Shape (studies, raters, items): label codes, −1 where there is none."""
        rng = np.random.default_rng(seed)
        state = rng.choice(len(self.states), size=(count, items), p=self.states)
        out = np.empty((count, len(self.says), items), dtype=np.int8)
        for g, rater in enumerate(self.says):
            limit = np.cumsum(rater, axis=1)[state]
            limit[..., -1] = 1.0
            out[:, g] = (rng.random((count, items, 1)) >= limit).sum(axis=2)
        if self.missing:
            out[rng.random(out.shape) < self.missing] = -1
        return out

    def studies(self, items: int, count: int, seed: Seed) -> Iterator[Context]:
        raters, _, q = self.says.shape
        labels = list(range(1, q + 1))
        base = assay.read([[1] * raters], layout="wide", scale=self.scale, categories=labels)
        for block in self.codes(items, count, seed):
            made = Reduced(replace(base, blocks=(Block(block),)))
            metric = "ordinal" if self.scale == "ordinal" else None
            yield Context(made, scale=self.scale, weights=self.weights, metric=metric)


RANKS = ("spearman", "kendall_tau", "kendall_w")


@dataclass(frozen=True)
class Scores:
    """Scores: an item's own part, a rater's shift, and an error, added up.

    Attributes
    ----------
    share
        The items' part of the variance within a rater.
    shifts
        Each rater's shift; where ``sampled``, only their number and variance count, and each
        study has other raters.
    shape
        "normal", "heavy" (Student's t with 5 degrees of freedom, items and errors), or "skewed"
        (items exponential, errors normal).
    """

    share: float
    shifts: tuple[float, ...]
    sampled: bool = False
    shape: str = "normal"
    scale: str = "interval"
    weights: str = "identity"

    @property
    def between(self) -> float:
        """The raters' variance: of these raters, or of all."""
        return float(np.var(self.shifts, ddof=1))

    def truth(self, name: str) -> float:
        """From the components of variance; a KeyError where these do not decide it."""
        item, error, rater, k = self.share, 1 - self.share, self.between, len(self.shifts)
        found = {
            "pearson": item / (item + error),
            "icc_a_1": item / (item + error + rater),
            "icc_c_1": item / (item + error),
            "icc_a_k": item / (item + (error + rater) / k),
        }
        if not self.sampled:
            found["lin_ccc"] = item / (item + error + rater)
            # Half the mean squared distance within an item, and of any two values.
            anywhere = item + error + float(np.var(self.shifts))
            found["krippendorff_alpha"] = 1 - (error + rater) / anywhere
        if rater == 0:
            found["icc_1"] = item / (item + error)
        return found[name]

    def studies(self, items: int, count: int, seed: Seed) -> Iterator[Context]:
        rng = np.random.default_rng(seed)
        k = len(self.shifts)
        for _ in range(count):
            shift = np.array(self.shifts)
            if self.sampled:
                shift = rng.normal(0.0, np.sqrt(self.between), k)
            part = self._drawn(rng, (items, 1), item=True) * np.sqrt(self.share)
            error = self._drawn(rng, (items, k)) * np.sqrt(1 - self.share)
            # Three decimals change no component of variance by more than a ten-millionth.
            scores = np.round(10.0 + part + shift + error, 3)
            data = assay.read(scores, layout="wide", scale=self.scale)
            yield Context(Reduced(data), scale=self.scale)

    def _drawn(self, rng: Any, size: tuple[int, int], *, item: bool = False) -> Array:
        """Numbers of variance 1."""
        if self.shape == "heavy":
            return rng.standard_t(5, size) / np.sqrt(5 / 3)
        if self.shape == "skewed" and item:
            return rng.exponential(1.0, size) - 1.0
        return rng.normal(size=size)


def recognising(
    shares: tuple[float, ...], *, knows: Any, guesses: Any = None, missing: float = 0.0
) -> Labels:
    """Raters who recognise an item's label with a probability, and else guess.

    ``knows`` is a number a rater; ``guesses`` the shares by which each guesses (the items'
    own when omitted).
    """
    p = np.array(shares)
    rows = [shares] * len(knows) if guesses is None else guesses
    says = [
        k * np.eye(p.size) + (1 - k) * np.array(row) for k, row in zip(knows, rows, strict=True)
    ]
    return Labels(p, np.array(says), missing)


def neighbouring(shares: tuple[float, ...], raters: tuple[tuple[float, float], ...]) -> Labels:
    """Raters on an ordered scale: (how often one step too low, one step too high)."""
    q = len(shares)
    says = []
    for low, high in raters:
        row = (1 - low - high) * np.eye(q) + low * np.eye(q, k=-1) + high * np.eye(q, k=1)
        row[0, 0] += low
        row[-1, -1] += high
        # One rating in ten is anything.
        says.append(0.9 * row + 0.1 / q)
    return Labels(np.array(shares), np.array(says), scale="ordinal", weights="quadratic")

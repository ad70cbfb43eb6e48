"""Labels, and the categories that label codes stand for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Label: TypeAlias = str | bool | int | float
"""A label as a person wrote it. Text "1", number 1 and boolean True are three labels."""

Codes: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]


def label_text(label: Label) -> str:
    """The text under which a label is shown and exported.

    >>> [label_text(x) for x in ("yes", True, 3, 3.0, 2.5)]
    ['yes', 'true', '3', '3', '2.5']
    """
    if isinstance(label, str):
        return label
    if isinstance(label, (bool, np.bool_)):
        return "true" if label else "false"
    if float(label).is_integer():
        return str(int(label))
    return repr(float(label))


class Categories(Sequence[Label]):
    """The labels that codes 0, 1, … stand for, in order.

    Parameters
    ----------
    labels
        All text, all numbers, or mixed. A numeric array is taken without a copy.
    declared
        Whether the user declared this list (else it is what was observed).
    ordered
        Whether the order means something: numbers, or an order that was declared.
    texts
        How the labels are shown; made from the labels when omitted.
    """

    __slots__ = ("__dict__", "declared", "labels", "ordered")

    def __init__(
        self,
        labels: Sequence[Label] | npt.NDArray[Any],
        *,
        declared: bool = False,
        ordered: bool | None = None,
        texts: Sequence[str] | None = None,
        numbers: npt.NDArray[Any] | None = None,
    ) -> None:
        self.labels: tuple[Label, ...] | npt.NDArray[Any] = (
            labels if isinstance(labels, np.ndarray) else tuple(labels)
        )
        self.declared = declared
        if texts is not None:
            self.__dict__["texts"] = tuple(texts)
        if numbers is not None:
            self.__dict__["numbers"] = np.asarray(numbers, dtype=np.float64)
        self.ordered = self.numeric if ordered is None else ordered

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        label = self.labels[index]
        return label.item() if isinstance(label, np.generic) else label

    def take(self, kept: Ints) -> Categories:
        """Only the labels with these codes."""
        numbers = self.numbers
        return Categories(
            [self[i] for i in kept.tolist()],
            declared=self.declared,
            ordered=self.ordered,
            texts=[self.texts[i] for i in kept.tolist()],
            numbers=None if numbers is None else numbers[kept],
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Categories) and self.texts == other.texts

    def __hash__(self) -> int:
        return hash(self.texts)

    def __repr__(self) -> str:
        shown = ", ".join(self.texts[:8]) + (", …" if len(self) > 8 else "")
        return f"Categories({shown})"

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Each label as text; a text that looks like another type's label is quoted."""
        texts = [label_text(label) for label in self]
        if len(set(texts)) < len(texts):
            others = {t for t, x in zip(texts, self, strict=True) if not isinstance(x, str)}
            texts = [
                f'"{t}"' if isinstance(x, str) and t in others else t
                for t, x in zip(texts, self, strict=True)
            ]
        return tuple(texts)

    @cached_property
    def numbers(self) -> Floats | None:
        """The labels' values where all of them are numbers, else None."""
        if isinstance(self.labels, np.ndarray) and self.labels.dtype.kind in "iuf":
            return self.labels.astype(np.float64)
        if len(self) and all(
            isinstance(x, (int, float)) and not isinstance(x, bool) for x in self.labels
        ):
            return np.array([float(x) for x in self.labels], dtype=np.float64)
        return None

    @property
    def numeric(self) -> bool:
        """Whether every label is a number."""
        return self.numbers is not None

    @cached_property
    def scaled(self) -> tuple[Ints, int] | None:
        """The values as integers over one denominator, exactly, or None.

        >>> Categories([1.5, 2.0, 2.25]).scaled
        (array([150, 200, 225]), 100)
        """
        values = self.numbers
        if values is None:
            return None
        for digits in range(10):
            factor = 10**digits
            scaled = np.rint(values * factor)
            if np.abs(scaled).max(initial=0.0) >= 2.0**53:
                return None
            if np.array_equal(scaled / factor, values):
                return scaled.astype(np.int64), factor
        return None

    @cached_property
    def positions(self) -> Floats:
        """Where each label stands: its value if labels are numbers, else 0, 1, 2 and so on."""
        if self.numbers is not None:
            return self.numbers
        return np.arange(len(self), dtype=np.float64)

    @property
    def exact_positions(self) -> list[Fraction] | None:
        """:attr:`positions` as fractions, where that is exact."""
        if self.numbers is None:
            return [Fraction(k) for k in range(len(self))]
        if self.scaled is None:
            return None
        values, denominator = self.scaled
        return [Fraction(int(v), denominator) for v in values]

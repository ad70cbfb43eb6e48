"""How often an item was given each label, as a few whole numbers that items can be grouped by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from assay.ratings.categories import Ints
from assay.ratings.large.engine_names import Coded
from assay.ratings.large.engine_terms import added, one
from assay.ratings.large.keyed import MOST_BITS

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True, slots=True)
class Packing:
    """Whole numbers of a few bits, several of them in one key of 62 bits.

    Attributes
    ----------
    bits
        Of each field.
    per
        Fields in a key.
    fields
        In all.
    """

    bits: int
    per: int
    fields: int

    @property
    def names(self) -> list[str]:
        """The keys' columns."""
        return [f"k{k}" for k in range(-(-self.fields // self.per))]

    def place(self, field: int) -> tuple[int, int]:
        """In which key a field is, and what 1 in it adds."""
        return field // self.per, 1 << (self.bits * (field % self.per))

    def packed(self, terms: Sequence[nw.Expr]) -> list[nw.Expr]:
        """The keys, from what each field holds."""
        import narwhals as nw

        out = []
        for k, name in enumerate(self.names):
            mine = range(k * self.per, min(self.fields, (k + 1) * self.per))
            scaled = [terms[f] * nw.lit(self.place(f)[1]).cast(nw.Int64) for f in mine]
            out.append(added(scaled).alias(name))
        return out

    def unpacked(self, keys: Sequence[Ints]) -> npt.NDArray[np.int64]:
        """Shape (rows, fields)."""
        out = np.zeros((keys[0].size, self.fields), dtype=np.int64)
        for field in range(self.fields):
            key, place = self.place(field)
            out[:, field] = (keys[key] // place) & ((1 << self.bits) - 1)
        return out

    def key(self, entries: Sequence[int]) -> tuple[int, ...]:
        """The keys of fields that count these entries."""
        out = [0] * len(self.names)
        for field in entries:
            key, place = self.place(field)
            out[key] += place
        return tuple(out)


def packing_of(coded: Coded) -> Packing:
    """How the counts of an item's labels are packed.

    No sum leaves 64 bits, whatever the data: an item has no more ratings of a label than there
    are raters, or else some are repeated; and even then no more than there are ratings.
    """
    bits = max(1, len(coded.raters).bit_length())
    most = coded.ratings.bit_length()
    return Packing(bits, max(1, (MOST_BITS - most) // bits + 1), max(1, len(coded.labels)))


def keyed_items(coded: Coded, packing: Packing) -> nw.LazyFrame[Any]:
    """Items with their keys."""
    import narwhals as nw

    label = nw.col("label")
    counts = [one(label == k + 1) for k in range(packing.fields)]
    names = [*coded.item, *coded.cluster]
    rows = coded.frame.select(*names, *packing.packed(counts))
    keys = nw.col(*packing.names)
    return rows.group_by(names).agg(keys.sum()).with_columns(keys.cast(nw.Int64))

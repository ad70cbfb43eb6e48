"""Counting as one pass over parts of a corpus, wherever they are, and one sum of what was found.

Where the scheme is not given, each part is counted under the one that its beginning looks like.
Nearly always all parts then turn out to be of that scheme; if not, they are counted once more.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from assay.errors import AssayError, InputError
from assay.spans.corpus import TagRows
from assay.spans.detect import Written, scheme_of
from assay.spans.tally import Tally

Pairs = Iterable[tuple[TagRows, TagRows]]


@dataclass(frozen=True, slots=True)
class How:
    """How tags are read, as :func:`assay.spans.decode.decode` does; no scheme to find it.

    ``named`` says that sentences have names, by which the worst are listed.
    """

    scheme: str | None = None
    illegal: str = "open"
    suffix: bool = False
    named: bool = False


@dataclass(slots=True)
class Counted:
    """What was found in one part or in several that follow each other.

    Attributes
    ----------
    written
        How gold and prediction write their tags.
    tally
        The counts; None where the part did not stay with the scheme that its beginning has, or
        the parts were counted under several.
    """

    written: tuple[Written, Written]
    tally: Tally | None

    @property
    def scheme(self) -> str:
        """The scheme of all that was counted."""
        return scheme_of(*self.written)

    def merge(self, other: Counted) -> Counted:
        """Add what was found in the part that comes after this one."""
        if other.tally is not None and not other.tally.sentences:
            return self
        if self.tally is not None and not self.tally.sentences:
            return other
        one, two = self.tally, other.tally
        if one is not None and two is not None:
            # Where no tag but O has been seen, any scheme is as good.
            if not any(side.tags for side in self.written):
                one.scheme = two.scheme
            elif not any(side.tags for side in other.written):
                two.scheme = one.scheme
            self.tally = one.merge(two) if one.scheme == two.scheme else None
        else:
            self.tally = None
        for side, more in zip(self.written, other.written, strict=True):
            side.merge(more)
        return self


def count(parts: Pairs, how: How) -> Counted:
    """Count gold and predictions, one part of whole sentences after the other.

    Examples
    --------
    >>> rows = TagRows.of([["B-A", "E-A"]])
    >>> found = count([(rows, rows)], How())
    >>> found.scheme, found.tally.sentences
    ('BIOES', 1)
    >>> late = count([(TagRows.of([["B-A"]]),) * 2, (rows, rows)], How())
    >>> late.scheme, late.tally
    ('BIOES', None)
    """
    written = Written(how.suffix), Written(how.suffix)
    tally = Tally(how.scheme or "BIO", how.illegal, how.suffix)
    known, failed = how.scheme is not None, False
    for rows in parts:
        for side, some in zip(written, rows, strict=True):
            side.add(some)
        if not known:
            # As long as no tag but O has been seen, it may still be any.
            tally.scheme = scheme_of(*written)
            known = any(side.tags for side in written)
        if failed:
            continue
        try:
            tally.add(*rows, named=how.named)
        except InputError:
            if how.scheme is not None:
                raise
            failed = True
    counted = Counted(written, tally)
    if how.scheme is None and (failed or counted.scheme != tally.scheme):
        counted.tally = None
    return counted


def settled(run: Callable[[How], Counted], how: How) -> tuple[Counted, Tally]:
    """Run a count, and once more where the scheme turned out to be another one."""
    counted = run(how)
    scheme = how.scheme or counted.scheme
    if counted.tally is not None and counted.tally.scheme != scheme:
        if any(side.tags for side in counted.written):
            counted.tally = None
        else:
            counted.tally.scheme = scheme
    if counted.tally is None:
        counted = run(How(scheme, how.illegal, how.suffix, how.named))
    if counted.tally is None or not counted.tally.sentences:
        raise InputError("spans: no sentences were found.", code="empty")
    return counted, counted.tally


def packed(work: Callable[[], Counted]) -> bytes:
    """What was counted, or the error that ended it, as bytes to be sent."""
    found: Counted | AssayError
    try:
        found = work()
    except AssayError as error:
        found = error
    return zlib.compress(pickle.dumps(found), 1)


def unpacked(data: bytes) -> Counted:
    """What :func:`packed` packed.

    Raises
    ------
    AssayError
        If that was an error.
    """
    found: Any = pickle.loads(zlib.decompress(data))
    if isinstance(found, AssayError):
        raise found
    return found  # type: ignore[no-any-return]

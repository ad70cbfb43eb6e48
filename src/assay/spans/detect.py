"""How a side writes its tags: counted, added up over parts, and what scheme that looks like."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from assay.ratings.model import Note
from assay.spans.corpus import TagRows
from assay.spans.decode import BAD_CLOSE, BAD_OPEN, PAIRS, parse_tags, split_tag, what_happens
from assay.spans.schemes import PREFIXES, SCHEMES


@dataclass(slots=True)
class Written:
    """How often each tag follows each other one on one side; parts of a file add up.

    Attributes
    ----------
    suffix
        Whether the prefix of a tag comes last.
    pairs
        How often a tag follows another; "" stands for the edges of a sentence.

    Examples
    --------
    >>> found = Written().add(TagRows.of([["I-A", "B-A"]])).add(TagRows.of([["I-A"]]))
    >>> found.letters == {"B", "I"}, found.illegal("BIO"), found.illegal("IOB1")
    (True, 2, 0)
    """

    suffix: bool = False
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, rows: TagRows) -> Written:
        """Count one more part of the side, of whole sentences.

        Raises
        ------
        InputError
            If a tag has no known prefix.
        """
        parse_tags(rows, suffix=self.suffix)
        names = (*rows.tags, "")
        size = len(names)
        filled = rows.text.lengths > 0
        first = rows.text.offsets[:-1][filled]
        last = rows.text.offsets[1:][filled] - 1
        codes = rows.codes.astype(np.int64)
        before = np.empty_like(codes)
        before[1:] = codes[:-1]
        before[first] = size - 1
        pairs = np.concatenate([before * size + codes, codes[last] * size + size - 1])
        if size**2 > PAIRS:
            which, times = np.unique(pairs, return_counts=True)
        else:
            every = np.bincount(pairs, minlength=1)
            which = np.flatnonzero(every)
            times = every[which]
        for pair, n in zip(which.tolist(), times.tolist(), strict=True):
            self.pairs[names[pair // size], names[pair % size]] += n
        return self

    def merge(self, other: Written) -> Written:
        """Add what was counted of another part of the side."""
        for pair, times in other.pairs.items():
            self.pairs[pair] += times
        return self

    @property
    def tags(self) -> set[str]:
        """The tags other than O."""
        return {tag for _, tag in self.pairs} - {"", "O"}

    @property
    def letters(self) -> set[str]:
        """The prefixes as written, without O."""
        return {tag[-1] if self.suffix else tag[0] for tag in self.tags}

    @property
    def marks(self) -> set[str]:
        """What stands between prefix and type."""
        found = set()
        for tag in self.tags:
            marks = [c for c in tag if c in "-_"]
            if marks:
                found.add(marks[-1 if self.suffix else 0])
        return found

    def parts(self, tag: str) -> tuple[str, str]:
        """A tag's prefix, one of O, B, I, E, S, and its type."""
        return split_tag(tag or "O", suffix=self.suffix) or ("O", "")

    def illegal(self, scheme: str) -> int:
        """The number of illegal transitions if the tags are read by a scheme."""
        if not self.pairs:
            return 0
        place = {tag: i for i, tag in enumerate({tag for pair in self.pairs for tag in pair})}
        parts = [self.parts(tag) for tag in place]
        number = {kind: i for i, kind in enumerate({kind for _, kind in parts})}
        prefixes = np.array([PREFIXES.index(prefix) for prefix, _ in parts], dtype=np.int8)
        kinds = np.array([-1 if p == "O" else number[kind] for p, kind in parts], dtype=np.int64)
        before = np.array([place[tag] for tag, _ in self.pairs], dtype=np.int64)
        after = np.array([place[tag] for _, tag in self.pairs], dtype=np.int64)
        times = np.array(list(self.pairs.values()), dtype=np.int64)
        events = what_happens(prefixes, kinds, before, after, SCHEMES[scheme], "open")
        return int(times[events & (BAD_OPEN | BAD_CLOSE) > 0].sum())


def scheme_of(*sides: Written) -> str:
    """The scheme of all sides together; see :func:`assay.spans.decode.detect_scheme`."""
    prefixes = {side.parts(tag)[0] for side in sides for tag in side.tags}
    letters = {letter for side in sides for letter in side.letters}
    if prefixes <= {"B", "I"}:
        return "IOB1" if "B" in prefixes and _fewer(sides, "IOB1", "BIO") else "BIO"
    if prefixes <= {"I", "E"}:
        return "IOE1" if _fewer(sides, "IOE1", "IOE2") else "IOE2"
    if letters & {"L", "U"}:
        return "BILOU"
    return "BMES" if "M" in letters else "BIOES"


def _fewer(sides: tuple[Written, ...], scheme: str, than: str) -> bool:
    """Whether every side that has spans has fewer illegal transitions under a scheme."""
    return all(side.illegal(scheme) < side.illegal(than) for side in sides if side.tags)


def differing(gold: Written, pred: Written, name: str, scheme: str) -> tuple[Note, ...]:
    """Warnings where gold and a prediction write their tags differently.

    Sides differ in their scheme if neither could as well be of the scheme that the other looks
    like.

    Examples
    --------
    >>> one, two = (Written().add(TagRows.of([row.split()])) for row in ("B-A I-A", "B_A E_A"))
    >>> [note.code for note in differing(one, two, "two", "BIOES")]
    ['schemes_differ', 'tags_written_differently']
    """
    notes = []
    if gold.tags and pred.tags:
        g, p = scheme_of(gold), scheme_of(pred)
        if g != p and not _fits(gold, p, g) and not _fits(pred, g, p):
            notes.append(
                Note(
                    "schemes_differ",
                    f"gold looks like {g}, and prediction {name} like {p}; both are read as "
                    f"{scheme}. Token accuracy compares tags as they are written, and if illegal "
                    "tags are discarded, spans written in the other scheme are dropped",
                    "warning",
                )
            )
    if gold.marks and pred.marks and gold.marks != pred.marks:
        one, two = (_example(side, other) for side, other in ((gold, pred), (pred, gold)))
        notes.append(
            Note(
                "tags_written_differently",
                f"prefix and type are joined differently, as in {one} of gold and {two} of "
                f"prediction {name}; token accuracy compares tags as they are written",
                "warning",
            )
        )
    return tuple(notes)


def _fits(side: Written, scheme: str, own: str) -> bool:
    """Whether a side could as well be of another scheme than it looks like alone."""
    letters = set(SCHEMES[scheme].letters.values()) | ({"W"} if scheme == "BMES" else set())
    return side.letters <= letters and side.illegal(scheme) <= side.illegal(own)


def _example(side: Written, other: Written) -> str:
    """A tag with a mark that the other side does not have, if there is one."""
    marks = side.marks - other.marks or side.marks
    at = -1 if side.suffix else 0
    return min(
        tag for tag in side.tags if (found := [c for c in tag if c in "-_"]) and found[at] in marks
    )

"""Which text of one source is which of another, by name or by order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.errors import InputError
from assay.ratings.model import Note
from assay.spans.sources.offsets import Record, Standoff, settle


def matched(
    sources: Sequence[Standoff], offsets: str | None = None, *, align: bool = False
) -> list[Standoff]:
    """The same texts in the same order in all sources, with offsets in code points.

    Records are paired by name where all have one and no name comes twice, else by order. A text,
    and tokens, that one source does not have are taken from the first.

    Raises
    ------
    InputError
        If the sources are not of the same texts.
    """
    gold = sources[0]
    by_name = all(_named(one) for one in sources) and all(
        not {r.name for r in gold.records}.isdisjoint(r.name for r in one.records)
        for one in sources[1:]
    )
    places = [_places(one, by_name) for one in sources]
    shared = [key for key in places[0] if all(key in place for place in places[1:])]
    notes: list[list[Note]] = [list(one.notes) for one in sources]
    for i, (one, place) in enumerate(zip(sources, places, strict=True)):
        gone = [key for key in place if key not in set(shared)]
        if gone and not align:
            raise _absent(sources, places, by_name)
        if gone:
            notes[i].append(_left_out(one, len(gone), place[gone[0]].where))
    if not shared:
        raise InputError(f"{sources[1].source} and {gold.source} have no text in common.")
    filled = [
        replace(
            one,
            records=tuple(_filled(place[key], key, places) for key in shared),
            notes=tuple(own),
        )
        for one, place, own in zip(sources, places, notes, strict=True)
    ]
    settled = [settle(one, offsets) for one in filled]
    return _same_texts(settled, align=align)


def _named(one: Standoff) -> bool:
    names = [record.name for record in one.records]
    return all(name is not None for name in names) and len(set(names)) == len(names)


def _places(one: Standoff, by_name: bool) -> dict[str, Record]:
    if by_name:
        return {str(record.name): record for record in one.records}
    return {str(i): record for i, record in enumerate(one.records, 1)}


def _absent(
    sources: Sequence[Standoff], places: Sequence[dict[str, Record]], by_name: bool
) -> InputError:
    """The first text that a source does not have."""
    gold = sources[0]
    for one, place in zip(sources[1:], places[1:], strict=True):
        for a, b, x, y in ((gold, one, places[0], place), (one, gold, place, places[0])):
            gone = [key for key in x if key not in y]
            if gone:
                what = f"the text {gone[0]!r}" if by_name else f"text {gone[0]}"
                begin = (x[gone[0]].text or "")[:40]
                shown = f" ({begin!r})" if begin else ""
                return InputError(
                    f"{one.source}: {len(one.records)} texts where {gold.source} has "
                    f"{len(gold.records)}; {what} of {a.source}{shown} is not in {b.source}. "
                    "--align works on the texts that both have, and counts the others.",
                    code="lengths_differ",
                )
    return InputError(f"{gold.source}: the sources are not of the same texts.")


def _left_out(one: Standoff, count: int, first: str) -> Note:
    return Note(
        "sentences_left_out",
        f"{one.source}: texts left out because the other side does not have them, or has other "
        f"characters: {count} of {len(one.records)} (first: {first})",
        "warning",
    )


def _filled(record: Record, key: str, places: Sequence[dict[str, Record]]) -> Record:
    """A record with the text of the first source that has one."""
    if record.text is not None:
        return record
    text = next((p[key].text for p in places if p[key].text is not None), None)
    return replace(record, text=text)


def _same_texts(sources: Sequence[Standoff], *, align: bool) -> list[Standoff]:
    """Refuse texts that differ; those that differ at their ends only are gold's."""
    gold = sources[0]
    bad: set[int] = set()
    for one in sources[1:]:
        for i, (a, b) in enumerate(zip(gold.records, one.records, strict=True)):
            if a.text is None or b.text is None or a.text.rstrip() == b.text.rstrip():
                continue
            if not align:
                raise _other_text(gold, a, b)
            bad.add(i)
    kept = [i for i in range(len(gold.records)) if i not in bad]
    if not kept:
        raise InputError(f"{sources[1].source} and {gold.source} have no text in common.")
    out = []
    for one in sources:
        records = []
        for i in kept:
            record, first = one.records[i], gold.records[i]
            text = first.text if first.text is not None else record.text
            tokens = first.tokens if first.tokens is not None else record.tokens
            records.append(replace(record, text=text, tokens=tokens))
        notes = one.notes
        if bad:
            notes = (*notes, _left_out(one, len(bad), one.records[min(bad)].where))
        out.append(replace(one, records=tuple(records), notes=notes))
    return out


def _other_text(gold: Standoff, a: Record, b: Record) -> InputError:
    x, y = a.text or "", b.text or ""
    at = next(
        (i for i, (p, q) in enumerate(zip(x, y, strict=False)) if p != q), min(len(x), len(y))
    )
    return InputError(
        f"{b.where}: the text differs from {gold.source} at character {at + 1}: "
        f"{y[at : at + 30]!r}, in gold ({a.where}) {x[at : at + 30]!r}. --align works on the texts "
        "that agree, and counts the others.",
        code="lengths_differ",
    )

"""Label Studio's JSON export: tasks with annotations of labelled regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import InputError
from assay.ratings.model import Note
from assay.spans.sources.offsets import RawSpan, Record, Standoff


def is_label_studio(records: Sequence[tuple[str, Any]]) -> bool:
    """Whether the records are tasks with annotations."""
    return bool(records) and all(
        isinstance(record, Mapping)
        and isinstance(record.get("data"), Mapping)
        and isinstance(record.get("annotations", record.get("completions")), list)
        for _, record in records[:20]
    )


def read_label_studio(records: Sequence[tuple[str, Any]], source: str) -> Standoff:
    """The first annotation of each task that was not cancelled; what is left out is counted.

    Raises
    ------
    InputError
        If a task has no text, or no task has an annotation.
    """
    left: Counter[str] = Counter()
    out = []
    for where, task in records:
        every = task.get("annotations", task.get("completions")) or []
        given = [a for a in every if not a.get("was_cancelled")]
        left["cancelled annotations"] += len(every) - len(given)
        left["predictions"] += len(task.get("predictions") or ())
        name = str(task["id"]) if "id" in task else None
        if not given:
            left["tasks without an annotation"] += 1
            continue
        left["annotations after a task's first"] += len(given) - 1
        place = f"{where} (task {name})" if name else where
        out.append(_record(place, task["data"], given[0].get("result") or [], name, left))
    if not out:
        raise InputError(f"{source}: no task has an annotation.")
    shown = ", ".join(f"{kind}: {count}" for kind, count in sorted(left.items()) if count)
    notes = [Note("format", "read as a Label Studio export: regions of text")]
    if shown:
        level = "warning" if left["annotations after a task's first"] else "info"
        notes.append(Note("left_out", f"{source}: left out: {shown}", level))
    return Standoff(tuple(out), source, "label-studio", tuple(notes))


def _record(
    where: str, data: Mapping[str, Any], result: Sequence[Any], name: str | None, left: Counter[str]
) -> Record:
    texts = {key: value for key, value in data.items() if isinstance(value, str)}
    text = texts.get("text", next(iter(texts.values())) if len(texts) == 1 else None)
    if text is None:
        raise InputError(
            f"{where}: which field of data is the text? There are {', '.join(map(str, data))}; "
            "it has to be called text.",
            code="malformed_record",
        )
    spans = []
    for region in result:
        value = region.get("value") or {}
        labels = value.get("labels") or value.get("hypertextlabels")
        start, stop = value.get("start"), value.get("end")
        if not labels or not isinstance(start, int) or not isinstance(stop, int):
            left["other results"] += 1
            continue
        quoted = value.get("text")
        quoted = quoted if isinstance(quoted, str) else None
        spans += [
            RawSpan(((start, stop),), str(label), quoted, str(region.get("id", "")))
            for label in labels
        ]
    return Record(where, text, tuple(spans), None, name)

"""What the readers' tests share."""

from __future__ import annotations

from pathlib import Path

from assay.ratings.model import Note, Ratings


def write(folder: Path, content: str | bytes, name: str = "ratings.csv") -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def codes(ratings: Ratings) -> list[str]:
    """The codes of the reading report."""
    return [note.code for note in ratings.reading.notes]


def note(ratings: Ratings, code: str) -> Note:
    """The one note with this code."""
    (found,) = [n for n in ratings.reading.notes if n.code == code]
    return found


def triples(ratings: Ratings) -> list[tuple[str, str, object]]:
    """(item, rater, label) of every rating, sorted; weights are ignored."""
    found = []
    for block in ratings.blocks:
        for slot in range(block.labels.shape[0]):
            for column in range(block.n):
                code = int(block.labels[slot, column])
                if code < 0:
                    continue
                rater = slot if block.raters is None else int(block.raters[slot, column])
                item = column if block.items is None else int(block.items[column])
                found.append((ratings.items[item], ratings.raters[rater], ratings.categories[code]))
    return sorted(found, key=str)

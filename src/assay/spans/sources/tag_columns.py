"""Tag rows from a column of a frame: one cell a sentence, a list of tags or a text with blanks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.spans.corpus import TagRows, Text
from assay.spans.sources.rows import tag_rows


def column_rows(
    column: Any,
    *,
    source: str,
    before: int = 0,
    names: Sequence[str] | None = None,
    tag_names: Sequence[str] | None = None,
) -> TagRows:
    """Tag rows of some sentences.

    Parameters
    ----------
    column
        An array of PyArrow, or a sequence of lists or texts.
    source, before
        What it is a part of, and how many sentences of that come before.
    names
        Each sentence's name.
    tag_names
        The names of tags that are given as numbers.

    Raises
    ------
    InputError
        If a cell is empty or holds something else.

    Examples
    --------
    >>> column_rows(["B-A I-A", "O"], source="frame").rows()
    [['B-A', 'I-A'], ['O']]
    >>> column_rows([["O"], None], source="frame", before=10)
    Traceback (most recent call last):
    assay.errors.InputError: frame: sentence 12: an empty cell, where a list of tags, or a text of \
tags with blanks between them, is needed; a sentence of no token is an empty list.
    """
    rows = _of_arrow(column, source) if hasattr(column, "type") else None
    if rows is None:
        cells = column.to_pylist() if hasattr(column, "to_pylist") else column
        places = _places(source, before, len(cells), names)
        plain = [_cell(cell, where) for cell, where in zip(cells, places, strict=True)]
        rows = tag_rows(plain, tag_names=tag_names, source=source, places=places)
    text = Text(rows.text.lengths, names=names)
    return replace(rows, text=text, source=source, before=before)


def same_lengths(gold: TagRows, pred: TagRows, columns: tuple[str, str]) -> None:
    """Check that each sentence has as many predicted as gold tags.

    Raises
    ------
    InputError
        With the first sentence that has not.
    """
    one, two = gold.text.lengths, pred.text.lengths
    for k in np.flatnonzero(one != two)[:1].tolist():
        where = _places(gold.source, gold.before or 0, one.size, gold.text.names)[k]
        raise InputError(
            f"{where}: {two[k]} tags in {columns[1]!r} for {one[k]} in {columns[0]!r}; both "
            "columns need one tag a token of the same sentence.",
            code="lengths_differ",
        )


def _places(source: str, before: int, size: int, names: Sequence[str] | None) -> list[str]:
    """Where each sentence stands, for messages."""
    out = [f"{source}: sentence {before + k}" for k in range(1, size + 1)]
    if names is not None:
        out = [f"{place} ({name})" for place, name in zip(out, names, strict=True)]
    return out


def _of_arrow(column: Any, source: str) -> TagRows | None:
    """Lists of texts without empty cells, coded by PyArrow; None where they are anything else."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks)
    kind = column.type
    listed = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    if not listed or column.null_count:
        return None
    cells = column.flatten()
    if not pa.types.is_dictionary(cells.type):
        texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
        if not any(test(cells.type) for test in texts):
            return None
        cells = cells.dictionary_encode()
    if cells.null_count or cells.dictionary.null_count:
        return None
    tags = cells.dictionary.to_pylist()
    if not all(isinstance(tag, str) for tag in tags) or len(set(tags)) < len(tags):
        return None
    lengths = pc.list_value_length(column).to_numpy(zero_copy_only=False).astype(np.int64)
    codes = cells.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    return TagRows(codes, tuple(tags), Text(lengths), source)


def _cell(cell: Any, where: str) -> list[Any]:
    """The tags of one cell."""
    if isinstance(cell, str):
        if cell.startswith("[") and cell.endswith("]"):
            raise InputError(
                f"{where}: a list that has become a text ({cell[:30]}…); give the lists "
                "themselves, or texts of tags with blanks between them. Dask makes texts of "
                'the lists in a pandas frame, unless its option "dataframe.convert-string" is '
                "False.",
                code="malformed_record",
            )
        return cell.split()
    if isinstance(cell, np.ndarray):
        return list(cell.tolist())
    if isinstance(cell, list | tuple):
        return list(cell)
    kind = type(cell).__name__
    empty = cell is None or kind == "NAType" or (isinstance(cell, float) and np.isnan(cell))
    found = "an empty cell" if empty else f"{kind} found"
    raise InputError(
        f"{where}: {found}, where a list of tags, or a text of tags with blanks between them, is "
        "needed; a sentence of no token is an empty list.",
        code="malformed_record",
    )

"""Frames of PySpark and Dask: counted in each partition, where the rows are.

What comes back from a partition is a :class:`assay.spans.counting.Counted`, some kilobytes that
do not depend on how many rows there are; the rows stay. The sums are the same whatever the
partitions are.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from assay.errors import MissingExtra
from assay.spans.counting import Counted, How, count, packed, unpacked
from assay.spans.frames import Columns, Part, arrow, arrow_parts, parts_of, tag_pairs

GROUP = 16
"""Partitions whose counts are added up together, before all are."""


def counted_by_spark(frame: Any, columns: Columns, how: How) -> Counted:
    """Counts of a PySpark frame: one task a partition, no shuffle.

    Raises
    ------
    AssayError
        That of the first partition that has one.
    MissingExtra
        If what PySpark needs for this is not installed, here or in the Python of its workers.
    """
    arrow("PySpark", "spark")
    if importlib.util.find_spec("pandas") is None:
        raise MissingExtra(
            "PySpark hands over rows only where pandas is installed, and it is not: "
            "pip install 'assay[spark]'."
        )
    work = partial(_spark_task, columns=columns, how=how)
    # By place, since names with dots mean something else to it.
    quoted = (f"`{name.replace('`', '``')}`" for name in columns.used)
    some = frame.selectExpr(*(f"{name} AS c{k}" for k, name in enumerate(quoted)))
    with warnings.catch_warnings():
        # It speaks of versions of pandas; these rows never are in pandas.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        try:
            rows = some.mapInArrow(work, "part int, found binary").collect()
        except Exception as error:
            if (lacking := _without_a_module(error)) is not None:
                raise lacking from error
            raise
    ordered = sorted(rows, key=lambda row: row[0])
    return _together([unpacked(bytes(row[1])) for row in ordered])


def _spark_task(batches: Iterator[Any], columns: Columns, how: How) -> Iterator[Any]:
    """What one task of Spark does with the record batches of its partition."""
    import pyarrow as pa
    from pyspark import TaskContext

    context = TaskContext.get()
    number = context.partitionId() if context is not None else 0
    named = (batch.rename_columns(columns.used) for batch in batches)
    found = packed(partial(_part, arrow_parts(named, columns), columns, how, number))
    kinds = pa.schema([("part", pa.int32()), ("found", pa.binary())])
    yield pa.RecordBatch.from_pydict({"part": [number], "found": [found]}, schema=kinds)


def _without_a_module(error: Exception) -> MissingExtra | None:
    """What is to be said if Spark's workers run a Python that lacks what counting needs."""
    found = re.search(r"ModuleNotFoundError: No module named '(\w+)", str(error))
    if found is None:
        return None
    return MissingExtra(
        f"Spark's workers run a Python in which {found[1]} is not installed. Install "
        "'assay[spark]' on every machine; if it is in a virtual environment, set PYSPARK_PYTHON "
        "to that environment's python before the Spark session is made (for this one: "
        f"{sys.executable})."
    )


def counted_by_dask(frame: Any, columns: Columns, how: How) -> Counted:
    """Counts of a Dask frame, added up where they are made, a few partitions at a time.

    Raises
    ------
    AssayError
        That of the first partition that has one.
    """
    arrow("Dask", "dask")
    library: Any = importlib.import_module("dask")
    parts = frame[columns.used].to_delayed()
    count_part, add = library.delayed(_dask_task), library.delayed(_packed_together)
    found = [count_part(part, columns, how, k) for k, part in enumerate(parts)]
    while len(found) > 1:
        found = [add(found[k : k + GROUP]) for k in range(0, len(found), GROUP)]
    (data,) = library.compute(*found)
    return unpacked(data)


def _dask_task(frame: Any, columns: Columns, how: How, number: int) -> bytes:
    return packed(partial(_part, parts_of(frame, columns), columns, how, number))


def _packed_together(parts: Sequence[bytes]) -> bytes:
    return packed(lambda: _together([unpacked(data) for data in parts]))


def _part(parts: Iterator[Part], columns: Columns, how: How, number: int) -> Counted:
    return count(tag_pairs(parts, columns, f"partition {number + 1}"), how)


def _together(parts: Sequence[Counted]) -> Counted:
    """The sum of what was found, in order."""
    whole = count((), how=How())
    for part in parts:
        whole = whole.merge(part)
    return whole

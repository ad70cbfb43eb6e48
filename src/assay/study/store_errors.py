"""What can go wrong between an answer and its confirmation.

StoreError                 the root
├── UnknownLink            a token that nobody was given
├── Refused                not allowed now: closed, left, taken over, not asked
├── Stale                  something newer is there; it comes with the error
├── StoreBusy              others kept the database locked for too long
├── StoreFull              no room; nothing of this answer was kept
└── StoreUnreachable       not a database of ours, damaged, read-only, or gone
"""

from __future__ import annotations

from assay.errors import AssayError
from assay.study.store_records import Current


class StoreError(AssayError):
    """The store of a study could not do what was asked."""

    code = "store"


class UnknownLink(StoreError):
    """A secret token belongs to nobody; the message does not repeat it."""

    code = "unknown_link"


class Refused(StoreError):
    """What was asked is not possible in the state the study is in."""

    code = "refused"


class Stale(StoreError):
    """An answer was sent from a page that had not seen the newest one.

    ``current`` is what the store holds: nothing was overwritten.
    """

    code = "stale_answer"

    def __init__(self, message: str, *, current: Current) -> None:
        super().__init__(message)
        self.current = current


class StoreBusy(StoreError):
    """The database stayed locked until the time to wait was over; nothing was kept."""

    code = "store_busy"


class StoreFull(StoreError):
    """The disk or the database has no room; nothing was kept."""

    code = "store_full"


class StoreUnreachable(StoreError):
    """There is no usable database at the address."""

    code = "store_unreachable"

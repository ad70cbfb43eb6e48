"""What was opened from files: the last few, in memory, each at an address nobody can guess."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

KEPT = 8
BYTES = 16
"""Random ones, of an id."""

Found = TypeVar("Found")


class Opened(Generic[Found]):
    """The last results of reading files, by id; the oldest goes when there are too many.

    Parameters
    ----------
    most
        How many are kept.

    Examples
    --------
    >>> opened = Opened[str](most=1)
    >>> first, second = opened.add("first"), opened.add("second")
    >>> opened.get(first), opened.get(second)
    (None, 'second')
    """

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._found: OrderedDict[str, Found] = OrderedDict()
        # Requests may be answered in several threads.
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._found)

    def add(self, found: Found) -> str:
        """Keep a result; the id under which it is found again."""
        name = secrets.token_urlsafe(BYTES)
        with self._lock:
            self._found[name] = found
            while len(self._found) > self._most:
                self._found.popitem(last=False)
        return name

    def get(self, name: str) -> Found | None:
        """What was kept under an id, or None where that is gone or never was."""
        return self._found.get(name)

"""How often somebody may ask."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable


class Buckets:
    """A bucket for each key: ``size`` requests at once, and then ``rate`` a second.

    >>> now = [0.0]
    >>> buckets = Buckets(2, 0.5, clock=lambda: now[0])
    >>> [buckets.wait("ana") for _ in range(3)], buckets.wait("bo")
    ([0, 0, 2], 0)
    >>> now[0] = 2.0
    >>> buckets.wait("ana")
    0
    """

    def __init__(
        self,
        size: float,
        rate: float,
        *,
        most: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.size, self.rate, self.most, self.clock = size, rate, most, clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, key: str) -> int:
        """Take one from the key's bucket; the seconds to wait where it is empty, else 0."""
        with self._lock:
            now = self.clock()
            left, at = self._held.pop(key, (self.size, now))
            left = min(self.size, left + (now - at) * self.rate)
            allowed = left >= 1
            self._held[key] = (left - 1 if allowed else left, now)
            # Those not seen for the longest are full again anyway.
            while len(self._held) > self.most:
                self._held.popitem(last=False)
            return 0 if allowed else max(1, math.ceil((1 - left) / self.rate))

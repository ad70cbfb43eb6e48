"""A progress bar for work of over a second; shorter work never knows of it."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


class Watch:
    """Shows on standard error which step is under way, if it is a terminal.

    >>> with Watch(("reading", "computing")) as watch:
    ...     watch.step("reading")
    """

    def __init__(self, steps: tuple[str, ...], after: float = 1.0) -> None:
        self.steps = steps
        self.now = steps[0]
        self._counted: tuple[int, int | None, str] | None = None
        self._since = 0.0
        self._lock = threading.Lock()
        self._bar: Progress | None = None
        self._over = False
        self._timer = threading.Timer(after, self._show) if sys.stderr.isatty() else None

    def __enter__(self) -> Watch:
        if self._timer:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._timer:
            self._timer.cancel()
        with self._lock:
            self._over = True
            if self._bar:
                self._bar.stop()

    def step(self, name: str) -> None:
        """Say that the step ``name`` begins."""
        with self._lock:
            self.now = name
            self._counted = None
            self._update()

    def count(self, done: int, total: int | None, what: str = "rows") -> None:
        """Say how far the step is: rows or whatever it counts, and about how many there are."""
        with self._lock:
            if self._counted is None or done < self._counted[0]:
                self._since = time.monotonic()
            self._counted = done, total, what
            self._update()

    def _update(self) -> None:
        if self._bar and self._counted is not None:
            done, total, what = self._counted
            rate = done / max(time.monotonic() - self._since, 1e-3)
            text = f"{self.now}: {done:,} {what}, {rate:,.0f} a second"
            if total is not None and done:
                left = max(0, total - done) / rate
                text += f", {left // 60:.0f}:{left % 60:02.0f} left"
            self._bar.update(self._bar.task_ids[0], description=text, completed=done, total=total)
        elif self._bar:
            done, all_ = self.steps.index(self.now), len(self.steps)
            task = self._bar.task_ids[0]
            self._bar.update(task, description=self.now, completed=done, total=all_)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._over:
                return
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(complete_style="cyan", finished_style="cyan", pulse_style="cyan"),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.add_task(self.now, total=len(self.steps))
            self._update()
            self._bar.start()

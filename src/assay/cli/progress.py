"""A progress bar for work of over a second; shorter work never knows of it."""

from __future__ import annotations

import sys
import threading
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
            self._update()

    def _update(self) -> None:
        if self._bar:
            done = self.steps.index(self.now)
            self._bar.update(self._bar.task_ids[0], description=self.now, completed=done)

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

"""A progress bar on standard error, where somebody watches and the work takes long enough."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deadheat.resampling.replicate import Progress

PATIENCE = 1.0  # seconds before a bar appears


def watched(*, quiet: bool) -> bool:
    """Return whether somebody watches: standard error is a terminal, and signs are wanted."""
    unwanted = quiet or os.environ.get("DEADHEAT_PROGRESS") == "0"
    return not unwanted and sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def watching(what: str, *, quiet: bool) -> Iterator[Progress | None]:
    """Yield what is to be told about progress; None where nobody watches.

    The bar appears after a second and leaves nothing behind, also when the work is interrupted.
    ``DEADHEAT_PROGRESS=0`` keeps it away, for terminals that are recorded.
    """
    if not watched(quiet=quiet):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn(what),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(what, total=None)
    later = Timer(PATIENCE, bar.start)  # also where the first block takes longer than that
    later.daemon = True
    later.start()

    def tell(done: int, number: int) -> None:
        bar.update(task, completed=done, total=number)

    try:
        yield tell
    finally:
        later.cancel()
        later.join()
        if bar.live.is_started:
            bar.stop()

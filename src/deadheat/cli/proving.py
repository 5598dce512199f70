"""A sign of life while the closest ranking is being proven: what is found, and what is possible."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from deadheat.cli import progress

if TYPE_CHECKING:
    from deadheat.ranking.consensus.clock import Watcher

START = "searching"


@contextmanager
def proving(*, limit: float, quiet: bool) -> Iterator[Watcher | None]:
    """Yield what is to be told the best objective and its bound; None where nobody watches.

    The line appears after a second, counts the time up to the limit, and leaves nothing behind.
    ``DEADHEAT_PROGRESS=0`` keeps it away, as it does the bars of other commands.
    """
    if not progress.watched(quiet=quiet):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    line = Progress(
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TextColumn(f"of at most {limit:g} s"),
        console=Console(stderr=True),
        transient=True,
    )
    task = line.add_task(START, total=None)
    later = Timer(progress.PATIENCE, line.start)
    later.daemon = True
    later.start()

    def tell(objective: float, bound: float) -> None:
        line.update(task, description=f"objective {objective:,.10g}, bound {bound:,.10g}")

    try:
        yield tell
    finally:
        later.cancel()
        later.join()
        if line.live.is_started:
            line.stop()

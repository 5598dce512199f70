"""Pages of large and of odd tables: size, time of the processor and memory beyond the table."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

SIZES = (  # candidates, judges, letters of a name
    *((2, 1, 0), (18, 212, 0), (300, 40, 0), (1_000, 8, 0), (3_000, 6, 0), (300, 2_000, 0)),
    *((10, 100_000, 0), (60, 40, 900), (40, 40, 20_000)),
)
TOY = {"SIZES": ((2, 1, 0),)}
PROGRAM = """
import resource, time
import numpy as np
import deadheat as dh
n, m, letters = {size}
rng = np.random.default_rng(1)
scores = np.linspace(1, 0, n)[:, None] + rng.normal(0, 0.4, (n, m))
alphabet = list("abcdefghijklmnopqrstuvwxyz ABCDEFGH")
names = ["".join(rng.choice(alphabet, letters)) + f" {{i}}" for i in range(n)]
table = dh.Results(scores=scores, candidates=names, better="higher")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
start = time.process_time()
page = dh.report(table).html()
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000 - before
print(len(page.encode()) / 1e6, time.process_time() - start, memory)
"""


def run() -> Iterator[str]:
    """Yield megabytes of the page, seconds and megabytes of memory for each size."""
    for size in SIZES:
        code = PROGRAM.format(size=size)
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        )
        page, seconds, memory = map(float, done.stdout.split())
        n, m, letters = size
        named = f", names of {letters:,} letters" if letters else ""
        told = f"{n:,} x {m:,}{named}"
        yield f"{told:36} page {page:4.1f} MB, {seconds:5.1f} s, {memory:5.0f} MB"

"""Pages of large and of odd tables: size, time of the processor and memory beyond the table."""

from __future__ import annotations

from collections.abc import Iterator

import timing

SIZES = (  # candidates, judges, letters of a name
    *((2, 1, 0), (18, 212, 0), (300, 40, 0), (1_000, 8, 0), (3_000, 6, 0), (300, 2_000, 0)),
    *((10, 100_000, 0), (60, 40, 900), (40, 40, 20_000)),
)
TOY = {"SIZES": ((2, 1, 0),)}
BEFORE = """
import numpy as np
import deadheat as dh
n, m, letters = {size}
rng = np.random.default_rng(1)
scores = np.linspace(1, 0, n)[:, None] + rng.normal(0, 0.4, (n, m))
alphabet = list("abcdefghijklmnopqrstuvwxyz ABCDEFGH")
names = ["".join(rng.choice(alphabet, letters)) + f" {{i}}" for i in range(n)]
table = dh.Results(scores=scores, candidates=names, better="higher")
"""


def run() -> Iterator[str]:
    """Yield megabytes of the page, seconds and megabytes of memory for each size."""
    for size in SIZES:
        n, m, letters = size
        label = f"{n:,} x {m:,}" + (f", names of {letters:,} letters" if letters else "")
        program, told = "page = dh.report(table).html()", "len(page.encode())"
        try:
            took = timing.alone(program, before=BEFORE.format(size=size), told=told)
        except timing.UnfinishedError as error:
            yield f"{label:36} {error}"
            continue
        yield (
            f"{label:36} page {took.told / 1e6:4.1f} MB, {took.seconds:5.1f} s, {took.own:5.0f} MB"
        )

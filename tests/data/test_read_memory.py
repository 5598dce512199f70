"""A file larger than the memory budget is read in blocks."""

import os
import subprocess
import sys

import pytest

BULK = "x" * 3_000
CODE = """
import resource, sys
from deadheat.data.reading.read import read
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
results = read(sys.argv[1], better="higher", score="score")
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base) * 1024
print(results.n, results.m, grown)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units elsewhere")
def test_a_file_larger_than_the_budget_is_read_in_bounded_memory(tmp_path):
    path = tmp_path / "results.csv"
    with path.open("w") as file:
        file.write("candidate,judge,score,log,prompt\n")
        for row in range(20_000):
            file.write(f'm{row % 20},t{row // 20},{row % 7},{BULK},"{BULK}"\n')
    size = path.stat().st_size
    assert size > 110_000_000
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CODE, str(path)],
        check=True, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    n, m, grown = map(int, done.stdout.split())
    assert (n, m) == (20, 1_000)
    assert grown < 0.6 * size

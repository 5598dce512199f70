"""What all benchmarks measure with: seconds of processors, floors, and programs of their own.

Seconds are those of the processor, user and system, of all threads and ended children: a busy
machine stretches the clock, not these. It runs in the environment of the peers too, without us.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

SQUARE = 2_000  # the matrix of which the product is timed
BLOCK = 2**25  # numbers that are copied: 128 MB, more than any cache
LIMIT = 600.0  # seconds of the processor that a program of its own may take
MOST = 6  # GB that it may hold
PATIENCE = 20  # times as many by the clock, for machines that are busy and programs that wait
MARK = "measured: "
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
FRAME = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import timing
timing.stop_after({{limit}})
{{before}}
measure = timing.Measure()
{{program}}
measure.stop()
measure.tell({{told}})
"""


def seconds(call: Callable[[], object], *, least: float = 0.0) -> float:
    """Return the CPU seconds of one call; short ones are repeated until they took ``least``."""
    calls, start = 0, time.process_time()
    while True:
        call()
        calls += 1
        took = time.process_time() - start
        if took >= least or calls >= 1_000:
            return max(took, 1e-9) / calls


@cache
def product_speed(size: int = 0) -> float:
    """Return operations per second of the f32 matrix product on one thread: the floor of W1, W2."""
    from threadpoolctl import threadpool_limits

    square = np.ones((size or SQUARE, size or SQUARE), dtype=np.float32)
    with threadpool_limits(limits=1, user_api="blas"):
        return float(2 * len(square) ** 3 / min(seconds(lambda: square @ square) for _ in range(4)))


@cache
def copy_speed() -> float:
    """Return bytes per second of a copy in memory: the floor of reading."""
    here, there = np.ones(BLOCK, dtype=np.float32), np.empty(BLOCK, dtype=np.float32)
    return float(here.nbytes / min(seconds(lambda: np.copyto(there, here)) for _ in range(4)))


def peak() -> float:
    """Return the largest memory of this process, in MB; getrusage would count its parent's too."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii").splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1e3
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _busy() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Measure:
    """Time and memory of a program from here on."""

    def __init__(self) -> None:
        self._before, self._wall, self._cpu = peak(), time.perf_counter(), _busy()

    def stop(self) -> None:
        cpu, wall, most = _busy() - self._cpu, time.perf_counter() - self._wall, peak()
        self._found = {"seconds": cpu, "wall": wall, "peak": most, "own": most - self._before}

    def tell(self, told: object = None) -> None:
        print(MARK + json.dumps(self._found | {"told": told}), flush=True)


def stop_after(limit: float) -> None:
    """End this process after so many seconds of the processor, or beyond its memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (max(1, round(limit)), resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST * 10**9, resource.RLIM_INFINITY))


@dataclass(frozen=True)
class Took:
    seconds: float  # of processors
    wall: float
    peak: float  # MB of the process
    own: float  # MB beyond what it held when the clock started
    told: Any = None


class UnfinishedError(Exception):
    """A program ended without an answer: out of time, or by an error that it told."""


def alone(
    program: str,
    *,
    before: str = "",
    told: str = "None",
    python: str | Path = sys.executable,
    limit: float | None = None,
    environment: Mapping[str, str] | None = None,
) -> Took:
    """Run a program in an interpreter of its own; ``before`` runs before the clock starts."""
    most = limit or LIMIT
    code = FRAME.format(before=before, program=program, told=told, limit=most)
    given = os.environ | {"PYTHONWARNINGS": "ignore"} | dict(environment or {})
    try:
        done = subprocess.run(
            [str(python), "-c", code],
            capture_output=True,
            text=True,
            check=False,
            timeout=most * PATIENCE,
            env=given,
        )
    except subprocess.TimeoutExpired:
        raise UnfinishedError(f"not finished after {most * PATIENCE:,g} s by the clock") from None
    if done.returncode == -signal.SIGXCPU:
        raise UnfinishedError(f"not finished after {most:g} s")
    lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    if done.returncode or not lines:
        said = done.stderr.strip().splitlines() or [f"ended with code {done.returncode}"]
        beyond = said[-1].split(":")[0].endswith("MemoryError")
        raise UnfinishedError(f"not within {MOST} GB" if beyond else said[-1])
    return Took(**json.loads(lines[-1].removeprefix(MARK)))


def in_units(many: float) -> str:
    """Write seconds so that three digits are read."""
    size, unit = next(((1 / s, u) for s, u in ((1.0, "s"), (1e-3, "ms")) if many >= s), (1e6, "µs"))
    digits = 0 if many * size >= 100 else 1 if many * size >= 10 else 2
    return f"{many * size:,.{digits}f} {unit}"


def times(ratio: float) -> str:
    """Write a ratio: 0.031, 1.25, 12.5, 3,400."""
    digits = 0 if ratio >= 100 else 1 if ratio >= 10 else 2 if ratio >= 0.1 else 4
    return f"{ratio:,.{digits}f}"

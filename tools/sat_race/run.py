"""One run: a solver on a formula in a process of its own, with limits of time and memory.

The CPU clock starts after the clauses are ready as Python lists and before the solver is made; it
stops when the solver has answered. A timer on the CPU clock of the process ends it when it has used
the cutoff. ITIMER_PROF and RLIMIT_CPU are no substitutes: they count ticks, and on a busy machine
ended runs at 9.2 instead of 10 s. RLIMIT_CPU stands behind the timer with a wide margin. While a
timer or a limit is set, some kernels move the clock in steps of 4 ms.
"""

from __future__ import annotations

import ctypes
import gc
import json
import math
import os
import resource
import signal
import tempfile
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, NoReturn

from sat_race.formula import Clauses

MEMORY = 2 << 30
WALL_PER_CPU = 30.0
OUT_OF_MEMORY = (b"bad_alloc", b"out of memory", b"out-of-memory", b"OutOfMemory", b"MemoryError")


@dataclass(frozen=True)
class Outcome:
    """How a run ended: ok, timeout, timeout wallclock, memout, crash, unknown or wrong."""

    status: str
    answer: str
    cpu_time: float


def pack(clauses: Clauses) -> array[int]:
    """Write the clauses one after the other, each with a 0 behind it."""
    return array("i", (x for clause in clauses for x in (*clause, 0)))


def unpack(packed: Sequence[int]) -> Clauses:
    """Give the clauses back as lists."""
    clauses: Clauses = []
    clause: list[int] = []
    for x in packed:
        if x:
            clause.append(x)
        else:
            clauses.append(clause)
            clause = []
    return clauses


def satisfied(packed: Sequence[int], model: Sequence[int]) -> bool:
    """Tell whether every clause holds a literal of the model, which names no variable twice."""
    true = set(model)
    if any(-x in true for x in true):
        return False
    return all(not true.isdisjoint(clause) for clause in unpack(packed))


class Run:
    """A started run; `finish` makes an outcome of what its process left."""

    def __init__(
        self, solver: str, packed: array[int], *, cutoff: float, memory: int = MEMORY
    ) -> None:
        self.packed, self.cutoff = packed, cutoff
        self.report: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by finish
        self.noise: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self.wall_end = time.monotonic() + WALL_PER_CPU * cutoff
        self.too_long = False
        self.pid = os.fork()
        if self.pid == 0:
            self._be_the_child(solver, memory)

    def _be_the_child(self, solver: str, memory: int) -> NoReturn:
        code = 1
        try:
            os.setpgid(0, 0)  # Ctrl-C is for the parent, which then ends its children
            gc.disable()
            for stream in (1, 2):
                os.dup2(self.noise.fileno(), stream)
            _solve(solver, unpack(self.packed), self.report, cutoff=self.cutoff, memory=memory)
            code = 0
        except BaseException as error:  # noqa: BLE001 - whatever it was, the parent reads it
            os.write(2, repr(error).encode())
        finally:
            os._exit(code)

    def kill(self) -> None:
        """End the process at once."""
        os.kill(self.pid, signal.SIGKILL)

    def abandon(self) -> None:
        """End the process and forget what it left."""
        self.kill()
        os.waitpid(self.pid, 0)
        self.report.close()
        self.noise.close()

    def check_wall(self) -> None:
        """End the process if it has been waiting for far longer than its cutoff."""
        if not self.too_long and time.monotonic() > self.wall_end:
            self.too_long = True
            self.kill()

    def finish(self, status: int, usage: resource.struct_rusage) -> Outcome:
        """Read report and noise after the process has ended."""
        with self.report, self.noise:
            self.report.seek(0)
            self.noise.seek(0)
            lines = [json.loads(line) for line in self.report if line.endswith(b"\n")]
            noise = self.noise.read()
        start = lines[0]["start"] if lines else 0.0
        spent = max(usage.ru_utime + usage.ru_stime - start, 0.0)
        if len(lines) == 2:
            return self._answered(**lines[1])
        return Outcome(self._fate(status, noise), "", spent)

    def _answered(self, *, answer: bool | None, model: list[int], cpu_time: float) -> Outcome:
        if cpu_time > self.cutoff:
            return Outcome("timeout", "", cpu_time)
        if answer is None:
            return Outcome("unknown", "", cpu_time)
        if answer and not satisfied(self.packed, model):
            return Outcome("wrong", "SAT", cpu_time)
        return Outcome("ok", "SAT" if answer else "UNSAT", cpu_time)

    def _fate(self, status: int, noise: bytes) -> str:
        if self.too_long:
            return "timeout wallclock"
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
            return "timeout"
        return "memout" if any(words in noise for words in OUT_OF_MEMORY) else "crash"


class _Spec(ctypes.Structure):
    """The struct itimerspec of POSIX."""

    _fields_ = (
        *(("interval_s", ctypes.c_long), ("interval_ns", ctypes.c_long)),
        *(("value_s", ctypes.c_long), ("value_ns", ctypes.c_long)),
    )


class _Event(ctypes.Structure):
    """The struct sigevent of Linux, with room for what is not used."""

    _fields_ = (
        *(("value", ctypes.c_void_p), ("signal", ctypes.c_int), ("notify", ctypes.c_int)),
        ("rest", ctypes.c_char * 48),
    )


class CpuTimer:
    """A POSIX timer on the CPU clock of this process, which sends SIGXCPU.

    SIGALRM would not do: the Maple solvers catch it.
    """

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._timer = ctypes.c_void_p()
        event = _Event(signal=signal.SIGXCPU)
        clock = time.CLOCK_PROCESS_CPUTIME_ID
        self._check(self._libc.timer_create(clock, ctypes.byref(event), ctypes.byref(self._timer)))

    def set(self, seconds: float) -> None:
        """Let it ring after so many seconds of CPU time from now; 0 stops it."""
        whole = int(seconds)
        spec = _Spec(0, 0, whole, round((seconds - whole) * 1e9))
        self._check(self._libc.timer_settime(self._timer, 0, ctypes.byref(spec), None))

    def _check(self, failed: int) -> None:
        if failed:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))


def _solve(name: str, clauses: Clauses, report: IO[bytes], *, cutoff: float, memory: int) -> None:
    """Solve under the limits, and report before and after."""
    from pysat.solvers import Solver

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    hard = math.ceil(2 * (time.process_time() + cutoff)) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    timer = CpuTimer()
    start = time.process_time()
    _write(report, start=start)
    timer.set(cutoff)
    solver = Solver(name=name, bootstrap_with=clauses)
    answer = solver.solve()
    spent = time.process_time() - start
    timer.set(0)
    model = solver.get_model() if answer else None
    _write(report, answer=answer, model=model or [], cpu_time=spent)


def _write(report: IO[bytes], **facts: object) -> None:
    report.write(json.dumps(facts).encode() + b"\n")
    report.flush()

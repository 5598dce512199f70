"""Run deadheat on files and options drawn at random: ``python tests/fuzz/run.py --cases 20000``.

Every case runs in a fork of this process, so that nothing has to be imported again, a crash or a
hang ends one case only, and none leaves anything to the next. The journal makes it resumable.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz import (
    cases,
    laws,
)

PATIENCE = 90  # seconds on the clock, where a case may take laws.SECONDS of CPU


def warm() -> None:
    """Import what the cases need; no thread may be alive when a case is forked off."""
    import importlib
    import pkgutil

    import altair as alt  # noqa: F401
    import duckdb  # noqa: F401
    import openpyxl  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import scipy.optimize
    import scipy.stats  # noqa: F401

    import deadheat

    for module in pkgutil.walk_packages(deadheat.__path__, "deadheat."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    cases.commands()
    cases.saved()


def forked(case: cases.Case, base: Path) -> int:
    """Start a case in a folder of its own and return its process."""
    folder, temp = base / "folder", base / "temp"
    for path in (folder, temp):
        path.mkdir(parents=True)
    for name, content in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (base / "in").write_bytes(case.stdin)
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        _run(case, base)
    return process


def _run(case: cases.Case, base: Path) -> None:
    """Be the command line, and never come back."""
    code = 1
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (2 * laws.SECONDS, 2 * laws.SECONDS + 5))
        for number, (name, mode) in enumerate((("in", "rb"), ("out", "wb"), ("err", "wb"))):
            with (base / name).open(mode) as file:
                os.dup2(file.fileno(), number)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            for number, mode in enumerate("rww")
        )
        os.environ |= {"TMPDIR": str(base / "temp"), "COLUMNS": "80"}
        tempfile.tempdir = None
        os.chdir(base / "folder")
        sys.argv = ["deadheat", *case.args]
        sys.warnoptions = ["default"]  # so that the command line shows what it else keeps quiet
        for category in (RuntimeWarning, UserWarning):
            warnings.simplefilter("default", category)
        from deadheat.cli import main

        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


class Journal:
    """What every case did, one line each."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.entries: dict[int, dict[str, object]] = {}
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                entry = json.loads(line)
                self.entries[entry["case"]] = entry
        self._file = path.open("a", encoding="utf-8")

    def add(self, entry: dict[str, object]) -> None:
        """Write an entry down."""
        self.entries[int(str(entry["case"]))] = entry
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()


def judged(
    case: cases.Case, base: Path, status: int, usage: resource.struct_rusage, *, hung: bool
) -> dict[str, object]:
    """Return the entry of a case that has ended."""
    outcome = laws.Outcome(
        code=os.waitstatus_to_exitcode(status),
        cpu=usage.ru_utime + usage.ru_stime,
        megabytes=usage.ru_maxrss / 1_000,
        folder=base / "folder",
        temp=base / "temp",
        hung=hung,
    )
    return {
        "case": case.number,
        "command": case.args[0],
        "code": outcome.code,
        "cpu": round(outcome.cpu, 2),
        "megabytes": round(outcome.megabytes),
        "faults": laws.faults(case, outcome),
    }


def fuzz(seed: int, numbers: list[int], jobs: int, journal: Journal, keep: Path) -> None:
    """Run cases, ``jobs`` at a time."""
    waiting = [k for k in reversed(numbers) if k not in journal.entries]
    running: dict[int, tuple[cases.Case, Path, float]] = {}
    stopped: set[int] = set()
    root = tempfile.mkdtemp(prefix="fuzz-")  # without a finalizer that a fork would run
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                case = cases.case(seed, waiting.pop())
                base = Path(root, str(case.number))
                running[forked(case, base)] = (case, base, time.monotonic())
            _stop_late(running, stopped)
            process, status, usage = os.wait4(-1, os.WNOHANG)
            if process == 0:
                time.sleep(0.002)
                continue
            case, base, _ = running.pop(process)
            entry = judged(case, base, status, usage, hung=process in stopped)
            journal.add(entry)
            if entry["faults"]:
                _keep(case, base, entry, keep)
            shutil.rmtree(base, ignore_errors=True)
            _tell(len(journal.entries))
    finally:
        for process in running:
            os.killpg(process, signal.SIGKILL)
        shutil.rmtree(root, ignore_errors=True)


def _stop_late(running: dict[int, tuple[cases.Case, Path, float]], stopped: set[int]) -> None:
    for process, (_, _, started) in running.items():
        if process not in stopped and time.monotonic() - started > PATIENCE:
            stopped.add(process)
            os.kill(process, signal.SIGKILL)


def _keep(case: cases.Case, base: Path, entry: dict[str, object], keep: Path) -> None:
    """Keep the files of a case that broke a law, and say so."""
    place = keep / f"{case.seed}-{case.number}"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(base / "folder", place / "folder", symlinks=True)
    for name in ("in", "out", "err"):
        shutil.copy(base / name, place / name)
    (place / "case.json").write_text(json.dumps({"args": case.args, **entry}, indent=1), "utf-8")
    print(f"case {case.number}: {'; '.join(map(str, entry['faults']))[:300]}")  # type: ignore[call-overload]
    print(f"  deadheat {' '.join(map(repr, case.args))[:300]}", flush=True)


def _tell(done: int) -> None:
    if done % 500 == 0:
        print(f"{done:,} cases", flush=True)


def summary(entries: list[dict[str, object]]) -> int:
    """Print what was found and return the number of cases that broke a law."""
    bad = [entry for entry in entries if entry["faults"]]
    codes = Counter(str(entry["code"]) for entry in entries)
    slowest = max(float(str(entry["cpu"])) for entry in entries)
    largest = max(int(str(entry["megabytes"])) for entry in entries)
    told = ", ".join(f"{code}: {number:,}" for code, number in sorted(codes.items()))
    print(
        f"{len(entries):,} cases; exit codes {told}; at most {slowest:.1f} s of CPU, {largest:,} MB"
    )
    print(f"{len(entries) - len(bad)} passed, {len(bad)} failed")
    return len(bad)


def main() -> None:
    """Read the options, run, sum up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--only", type=int, nargs="*", help="these cases, whatever the journal says"
    )
    parser.add_argument("--state", type=Path, default=Path(".fuzz"), help="journal and faults")
    given = parser.parse_args()
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "NO_COLOR": "1"}
    warm()
    numbers = given.only or list(range(given.first, given.first + given.cases))
    path = given.state / (f"only-{os.getpid()}.jsonl" if given.only else f"seed-{given.seed}.jsonl")
    journal = Journal(path)
    fuzz(given.seed, numbers, given.jobs, journal, given.state / "faults")
    if given.only:
        path.unlink()
    sys.exit(summary([journal.entries[k] for k in numbers]) > 0)


if __name__ == "__main__":
    main()

"""Run the benchmarks: `make bench`, or `python benchmarks/run.py NAME ...` for some of them.

One that fails is told and the others run; `--toy` runs all at a size that takes a second each, of
which the figures mean nothing. Each module says in TOY which of its constants are then what.

Machines differ, so figures are ratios to something measured in the same run: a floor, which is the
peak of the matrix product or a copy in memory, and the loop that a researcher would write. Seconds
are of the processor, unless it says by the clock. Nothing here is a test.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import traceback
from pathlib import Path

import timing

HERE = Path(__file__).parent


def main(chosen: list[str]) -> int:
    """Run the benchmarks that are named, or all."""
    sys.path.insert(0, str(HERE))
    known = sorted(m.name for m in pkgutil.iter_modules([str(HERE)]) if m.name.startswith("bench_"))
    toy = "--toy" in chosen
    names = [f"bench_{name}" for name in chosen if name != "--toy"] or known
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"unknown benchmark {unknown[0]!r}; known: {', '.join(known)}")
        return 2
    failed = [name for name in names if not told(name, toy=toy)]
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    return 1 if failed else 0


def told(name: str, *, toy: bool) -> bool:
    """Print what a benchmark says, and return whether it came to its end."""
    module = importlib.import_module(name)
    if toy:
        vars(module).update(module.TOY)
        timing.SQUARE, timing.BLOCK = 100, 2**16
    print(f"\n== {name.removeprefix('bench_')}: {(module.__doc__ or '').splitlines()[0]}")
    try:
        for line in module.run():
            print(line, flush=True)
    except Exception:  # noqa: BLE001 - the next one may do better
        traceback.print_exc(file=sys.stdout)
        return False
    return True


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

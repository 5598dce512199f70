"""Run the benchmarks: `make bench`, or `python benchmarks/run.py NAME ...` for some of them.

Machines differ, so every figure is a ratio to something measured in the same run: the import of
numpy, the peak of the matrix product, the bare reading of the same file. Nothing here is a test.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main(chosen: list[str]) -> int:
    """Run the benchmarks that are named, or all."""
    sys.path.insert(0, str(HERE))
    known = sorted(m.name for m in pkgutil.iter_modules([str(HERE)]) if m.name.startswith("bench_"))
    names = [f"bench_{name}" for name in chosen] or known
    for name in names:
        if name not in known:
            print(f"unknown benchmark {name!r}; known: {', '.join(known)}")
            return 2
        module = importlib.import_module(name)
        print(f"\n== {name.removeprefix('bench_')}: {(module.__doc__ or '').splitlines()[0]}")
        for line in module.run():
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

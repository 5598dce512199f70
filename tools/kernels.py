"""Run the numerical tests under several kernels of linear algebra: the answers must be the same.

OpenBLAS chooses its kernel by the CPU, and numpy its loops; both give other last bits. Each kernel
is tried first with a small product in a process of its own: a CPU that lacks its instructions kills
that process, and the kernel is skipped, with the reason. Fewer than three are a failure where numpy
has an OpenBLAS for x86-64; elsewhere what there is must do.
"""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

KERNELS = ("Haswell", "SkylakeX", "Nehalem")
INSTEAD = ("Sandybridge", "Prescott", "Barcelona")  # where one of these cannot run
WANTED = len(KERNELS)
PAGES = (
    "README.md",
    *(f"docs/{name}.md" for name in ("agreement", "criteria", "influence", "ratings", "verdict")),
)
TESTS = (
    "tests/resampling",
    "tests/ranking/test_contributions.py",
    "tests/ranking/test_quick_kernels.py",
    "tests/ranking/test_ranks.py",
    "tests/ranking/test_ties.py",
    "tests/contract/test_oracle.py",
    "tests/statistics/test_evidence.py",
    "tests/rate/test_first_of_many.py",
    "tests/influence/test_influence.py",
    "tests/rate/test_tournaments.py",
    "tests/verdict/test_verdict.py",
    "tests/verdict/test_verdict_words.py",
    "tests/criteria/test_criteria.py",
    "tests/cli/test_cli_last_bits.py",
    *(f"tests/test_docs.py::test_the_blocks_of_a_page_run[{page}]" for page in PAGES),
)
PRODUCT = """
import numpy as np
from threadpoolctl import threadpool_info
for dtype in (np.float32, np.float64):
    table = np.arange(4_096, dtype=dtype).reshape(64, 64) / 4_096
    np.linalg.svd(table @ table.T + table[:1])
blas = [pool for pool in threadpool_info() if pool["internal_api"] == "openblas"]
print(*{pool["architecture"] for pool in blas})
"""
LOOPS = """
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
print(*(name for name in __cpu_dispatch__ if __cpu_features__[name]))
"""


def tell(sentence: str) -> None:
    """Write a sentence at once: what is run writes too."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def main() -> int:
    """Run the tests under every kernel that runs here, and once with numpy's plain loops."""
    found = settings()
    number = sum("OPENBLAS_CORETYPE" in setting for _, setting in found)
    if number < WANTED:
        few = f"Only {number} of {WANTED} kernels of OpenBLAS run on this machine"
        if not (why := reason_for_few()):
            tell(f"{few}, and nothing explains it: see above why each is skipped.")
            return 1
        tell(f"{few}: {why}.")
    failed = [name for name, setting in found if not passes(name, setting)]
    if failed:
        tell(f"Kernels under which tests fail: {', '.join(failed)}.")
    return bool(failed)


def reason_for_few() -> str:
    """Return why there cannot be several kernels here; nothing where there must be."""
    machine = platform.machine()
    if machine.lower() not in ("x86_64", "amd64"):
        return f"its CPU is {machine}, they are for x86-64"
    return "" if output(PRODUCT, {}) else "numpy has no OpenBLAS"


def settings() -> list[tuple[str, dict[str, str]]]:
    """Return a name and the environment of each run, and tell what is skipped, and why."""
    found: list[tuple[str, dict[str, str]]] = []
    for name in (*KERNELS, *INSTEAD):
        if len(found) == WANTED:
            break
        setting = {"OPENBLAS_CORETYPE": name}
        if why := reason_against(name, setting):
            tell(f"OPENBLAS_CORETYPE={name} is skipped: {why}.")
        else:
            found.append((name, setting))
    if features := output(LOOPS, {}):
        found.append(("numpy's plain loops", {"NPY_DISABLE_CPU_FEATURES": features}))
    else:
        tell("numpy's plain loops are skipped: numpy has no others on this machine.")
    return found


def reason_against(name: str, setting: dict[str, str]) -> str:
    """Return why a kernel cannot run here; nothing where it can."""
    try:
        runs = output(PRODUCT, setting).split()
    except subprocess.CalledProcessError as error:
        if error.returncode < 0:
            return f"this CPU cannot run it ({signal.Signals(-error.returncode).name})"
        return f"a small product fails (exit {error.returncode})"
    if name in runs:
        return ""
    return f"OpenBLAS runs {' and '.join(runs)} instead" if runs else "numpy has no OpenBLAS here"


def output(code: str, setting: dict[str, str]) -> str:
    """Return what a few lines of Python print under other settings."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=os.environ | setting, stdout=subprocess.PIPE, check=True, text=True
    )
    return done.stdout.strip()


def passes(name: str, setting: dict[str, str]) -> bool:
    """Run the tests under a setting."""
    tell(f"Numerical tests under {name} ({' '.join(setting)}):")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "-m", "not slow", *TESTS]
    root = Path(__file__).parents[1]
    return subprocess.run(command, cwd=root, env=os.environ | setting, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())

"""Beside peers: `make bench-peers` installs them, asks all the same, and writes RESULTS.md.

Each program runs in a process of its own with a time limit, ours in our environment, the others in
one that holds them, `benchmarks/.venv`. What was measured is kept in `benchmarks/results/`: after
Ctrl-C the same command goes on, `rm -r benchmarks/results` begins anew.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import timing
from peer_programs import PROGRAMS

HERE = Path(__file__).parent
HOME, KEPT, PINS = HERE / ".venv", HERE / "results", HERE / "peers.txt"
MODULES = {  # what installs it, and what it is imported as
    "ranky": "ranky",
    "evalica": "evalica",
    "arena-rank": "arena_rank.models.bradley_terry",
    "choix": "choix",
    "autorank": "autorank",
    "scikit-posthocs": "scikit_posthocs",
    "scipy": "scipy.stats",
    "rliable": "rliable.library",
    "corankco": "corankco.dataset",
    "pref_voting": "pref_voting.profiles",
    "openskill": "openskill.models",
}
LIMIT = 120.0  # seconds of the processor, for one program


# ------------------------------------------------------------------------------
# The questions, and when two answers agree.


def same_numbers(ours: Any, theirs: Any) -> str:
    """Say how far apart two answers are, at most; empty where it is nothing to speak of."""
    one, other = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    apart = float(np.abs(one - other).max())
    return "" if apart <= 1e-3 * max(float(np.abs(one).max()), 1e-9) else f"up to {apart:.2g} apart"


def same_ranks(ours: Any, theirs: Any) -> str:
    """Say which rows are ordered otherwise: merits may be on other scales."""
    for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        ranks = [np.unique(np.round(row, 9), return_inverse=True)[1] for row in (one, other)]
        if (ranks[0] != ranks[1]).any():
            return f"function {k} orders otherwise"
    return ""


def same_intervals(ours: Any, theirs: Any) -> str:
    """Limits of two random draws differ by a few hundredths of their width."""
    one, other = np.asarray(ours), np.asarray(theirs)
    apart = float(np.mean(np.abs(one - other) / (one[1] - one[0])))
    return "" if apart < 0.03 else f"limits {apart:.0%} of their width apart"


def same_order(ours: Any, theirs: Any) -> str:
    one, other = (np.argsort(np.argsort(each)) for each in (ours, theirs))
    rho = float(np.corrcoef(one, other)[0, 1])
    return "" if rho > 0.99 else f"ranks correlate by {rho:.3f}"


def same_tests(ours: Any, theirs: Any) -> str:
    one, other = np.asarray(ours[0]), np.asarray(theirs[0])
    if other.dtype == bool:
        unlike = int(((one < 0.05) != other).sum())
        return f"{unlike} of {one.size:,} pairs tested otherwise" if unlike else ""
    apart = float(np.abs(one - other).max())
    return "" if apart < 1e-3 else f"p-values up to {apart:.2g} apart"


def no_worse(ours: Any, theirs: Any) -> str:
    return "" if theirs == ours else f"objective {theirs:,.0f}, ours {ours:,.0f}"


def same(ours: Any, theirs: Any) -> str:
    return "" if ours == theirs else "others win"


@dataclass(frozen=True)
class Workload:
    name: str
    question: str
    sizes: tuple[tuple[int, ...], ...]
    number: int  # replicates
    agree: Callable[[Any, Any], str]


WORKLOADS = (
    Workload(
        "criteria",
        "W1. Trials of six functions on resampled tables: winner rank, Condorcet rate, "
        "generalization (ours: stability over both axes too)",
        ((13, 66), (292, 76)),
        10_000,
        same_ranks,
    ),
    Workload(
        "intervals",
        "W2. Mean scores with percentile intervals, judges resampled (ours: groups and tests too)",
        ((25, 274), (62, 1_000), (200, 10_000)),
        10_000,
        same_intervals,
    ),
    Workload(
        "bradley-terry",
        "W3. Bradley-Terry ratings with a bootstrap of all battles, given as counts",
        ((50, 100_000), (200, 2_000_000), (500, 20_000_000)),
        1_000,
        same_numbers,
    ),
    Workload(
        "sandwich",
        "Bradley-Terry ratings with robust standard errors",
        ((50, 100_000), (500, 20_000_000)),
        1,
        same_numbers,
    ),
    Workload(
        "kemeny",
        "W4. The ranking that disagrees least with 76 judges",
        ((8, 76), (12, 76), (20, 76), (50, 76), (292, 76)),
        1,
        no_worse,
    ),
    Workload(
        "voting",
        "Who wins by Copeland, Borda, Schulze, minimax and ranked pairs",
        ((12, 75), (40, 75)),
        1,
        same,
    ),
    Workload(
        "nemenyi",
        "W5. Mean ranks and Nemenyi's test of all pairs (ours: a verdict of 10,000 replicates)",
        ((13, 66), (292, 76)),
        1,
        same_tests,
    ),
    Workload(
        "elo",
        "Elo in the order of a log, with a bootstrap of the log",
        ((50, 100_000),),
        1_000,
        same_numbers,
    ),
    Workload(
        "online",
        "Gaussian beliefs that move after each battle",
        ((50, 100_000), (200, 1_000_000)),
        1,
        same_order,
    ),
    Workload(
        "plackett-luce",
        "Plackett-Luce ratings of whole rankings (ours: with standard errors)",
        ((20, 500), (100, 2_000)),
        1,
        same_numbers,
    ),
)
QUICK = {
    "criteria": ((5, 8),),
    "intervals": ((4, 30),),
    "bradley-terry": ((10, 1_000),),
    "sandwich": ((10, 1_000),),
    "kemeny": ((6, 9),),
    "voting": ((6, 9),),
    "nemenyi": ((5, 20),),
    "elo": ((6, 500),),
    "online": ((6, 2_000),),
    "plackett-luce": ((6, 50),),
}


# ------------------------------------------------------------------------------
# The environment, and one program in it.


def install(python: str) -> dict[str, str]:
    """Make the environment and return, for each peer that cannot be had, why."""
    inside = HOME / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not inside.exists():
        subprocess.run([python, "-m", "venv", str(HOME)], check=True)
    held = os.environ | {"PIP_CONSTRAINT": str(PINS), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    missing = {}
    for package, module in MODULES.items():
        asked = [str(inside), "-c", f"import {module}"]
        if not subprocess.run(asked, capture_output=True, check=False).returncode:
            continue
        print(f"installing {package}", flush=True)
        command = [str(inside), "-m", "pip", "install", "--quiet", "--prefer-binary", package]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=held)
        if done.returncode == 0:
            done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.returncode:
            missing[package] = why(done.stderr)
    return missing


def why(said: str) -> str:
    """Return the line of an error that says most: the last of its kind."""
    lines = [line.strip() for line in said.splitlines() if "error" in line.lower()]
    telling = [
        line for line in lines if line.startswith(("ERROR", "ModuleNotFound", "ImportError"))
    ]
    return (telling or lines or ["no reason given"])[-1].removeprefix("ERROR: ")


def measured(
    workload: Workload, package: str, size: tuple[int, ...], *, python: str, quick: bool
) -> dict[str, Any]:
    """Ask one package; the same of a tiny table comes first and is not timed."""
    given, few = f"{workload.name!r}, {package!r}", min(workload.number, 300)
    small, number = QUICK[workload.name][0], few if quick else workload.number
    try:
        took = timing.alone(
            f"answer, data = peer_programs.ask({given}, {size}, {number})",
            before="import peer_programs\nusual, peer_programs.BUDGET = peer_programs.BUDGET, 0.5\n"
            f"peer_programs.ask({given}, {small}, {few})\n"
            f"peer_programs.BUDGET = {0.5 if quick else 'usual'}",
            told="[answer._asdict(), data]",
            python=python,
            limit=LIMIT,
            environment=timing.ONE_THREAD,
        )
    except timing.UnfinishedError as error:
        return {"failed": str(error)}
    return asdict(took)


def imported(package: str, module: str, python: str) -> dict[str, Any]:
    told = f"__import__('importlib.metadata').metadata.version({package!r})"
    try:
        return asdict(timing.alone(f"import {module}", told=told, python=python))
    except timing.UnfinishedError as error:
        return {"failed": str(error)}


def everything(*, quick: bool, only: list[str], theirs: str) -> dict[str, Any]:
    """Measure what is not kept yet."""
    KEPT.mkdir(exist_ok=True)
    path = KEPT / ("quick.json" if quick else "peers.json")
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def keep(key: str, made: Callable[[], Any]) -> None:
        if key not in kept:
            print(key, end=" ", flush=True)
            start = time.perf_counter()
            kept[key] = made()
            failed = isinstance(kept[key], dict) and kept[key].get("failed", "")
            print(f"{time.perf_counter() - start:.0f} s {failed or ''}", flush=True)
            path.write_text(json.dumps(kept), encoding="utf-8")

    keep("machine", machine)
    for package, module in (("deadheat", "deadheat.verdict.api"), *MODULES.items()):
        python = sys.executable if package == "deadheat" else theirs
        keep(f"import/{package}", partial(imported, package, module, python))
    for workload in WORKLOADS:
        if only and workload.name not in only:
            continue
        for size in QUICK[workload.name] if quick else workload.sizes:
            for package in PROGRAMS[workload.name]:
                if package == "rliable" and "failed" in kept["import/rliable"]:
                    continue
                if package != "deadheat" and gave_up(kept, workload.name, package):
                    continue
                python = sys.executable if ours(package) else theirs
                key = f"{workload.name}/{'x'.join(map(str, size))}/{package}"
                case = partial(measured, workload, package, size, python=python)
                keep(key, partial(case, quick=quick))
    return kept


def ours(package: str) -> bool:
    return package.startswith("deadheat") or package == "NumPy loop"


def gave_up(kept: dict[str, Any], workload: str, package: str) -> bool:
    """Tell whether a package did not come to an end on a smaller size."""
    asked = {tuple(key.split("/")[::2]): took for key, took in kept.items()}  # of the largest size
    return "failed" in asked.get((workload, package), {})


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "product": timing.product_speed(),
        "copy": timing.copy_speed(),
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="some of the workloads")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, nothing is written")
    parser.add_argument("--python", help="an environment with the peers, instead of our own one")
    asked = parser.parse_args(arguments)
    missing = {} if asked.python else install(sys.executable)
    theirs = asked.python or str(HOME / ("Scripts" if os.name == "nt" else "bin") / "python")
    found = everything(quick=asked.quick, only=asked.only, theirs=theirs)
    for package, reason in missing.items():
        found[f"import/{package}"] = {"failed": reason}
    import results

    text = results.page(found)
    if asked.quick:
        print(text)
    else:
        (HERE / "RESULTS.md").write_text(text, encoding="utf-8")
        print("benchmarks/RESULTS.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""RESULTS.md, from what was measured: times, ratios, memory, versions, agreement, growth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import growth
from peers import MODULES, WORKLOADS, Workload
from timing import in_units, times

EXPLAINED = {  # what was measured, not what may be
    ("nemenyi", "scikit-posthocs"): "It makes the p-values alone. A verdict also makes 10,000 "
    "replicates, with intervals, ranks and groups; *tests alone* above is our part of the same.",
    ("nemenyi", "autorank"): "It makes one critical difference and no p-values. Of 292 candidates "
    "it takes 6.735 for the quantile of the studentized range, whose fit in statsmodels ends at "
    "200; scipy computes 6.711, so that it tests some pairs otherwise. *Tests alone* above is our "
    "part of the same, with all p-values.",
    ("voting", "pref_voting"): "It names winners; ours ranks everybody and makes rows of that: "
    "*winners alone* above is the same question.",
}


def page(found: dict[str, Any]) -> str:
    """Write the page."""
    return "\n".join(
        [*_head(found), *_tables(found), *_faster(found), *_packages(found), *growth.page()]
    )


def _head(found: dict[str, Any]) -> Iterator[str]:
    own = found["machine"]
    yield "# Beside peers, and how cost grows"
    yield ""
    yield "Written by `make bench-peers`, not by hand. Seconds are those of the processor, user"
    yield "and system, all threads; each figure has a process of its own and one thread for linear"
    yield "algebra. Imports and a first call on a small table are not counted, turning arrays into"
    yield "the types of a package is. *from 12 of 10,000*: so many replicates were made, and the"
    yield "time multiplied. Ratio: how many times our seconds. Memory is the peak of the process."
    yield "Who does not come to the end of a size is not asked for larger ones."
    yield ""
    yield (
        f"Python {own['python']}, numpy {own['numpy']} (ours), {own['system']}, {own['cores']} "
        f"cores; f32 matrix product {own['product'] / 1e9:.0f} GFLOP/s on one thread, copy in "
        f"memory {own['copy'] / 1e9:.1f} GB/s."
    )


def _seconds(took: dict[str, Any]) -> float:
    answer = took["told"][0]
    return float(took["seconds"] * answer["of"] / min(answer["done"], answer["of"]))


def _cases(found: dict[str, Any], workload: Workload) -> dict[str, dict[str, Any]]:
    """Return what was measured of a workload: by size, by package."""
    cases: dict[str, dict[str, Any]] = {}
    for key, took in found.items():
        name, *rest = key.split("/")
        if name == workload.name:
            cases.setdefault(rest[0], {})[rest[1]] = took
    return cases


def _tables(found: dict[str, Any]) -> Iterator[str]:
    for workload in WORKLOADS:
        cases = _cases(found, workload)
        if cases:
            yield f"\n## {workload.name}\n\n{workload.question}.\n"
            yield "| size | package | seconds | ratio | memory | replicates | agrees with ours |"
            yield "|---|---|---:|---:|---:|---|---|"
        for size, by in cases.items():
            for package, took in sorted(by.items(), key=lambda each: each[0] != "deadheat"):
                yield f"| {_size(size)} | {package} | {_row(workload, by['deadheat'], took)} |"


def _size(size: str) -> str:
    return " x ".join(f"{int(each):,}" for each in size.split("x"))


def _row(workload: Workload, ours: dict[str, Any], took: dict[str, Any]) -> str:
    if "failed" in took:
        return f"- | - | - | - | {took['failed']}"
    answer, data = took["told"]
    done, of = answer["done"], answer["of"]
    number = "" if of == 1 else f"{of:,}" if done >= of else f"from {done:,} of {of:,}"
    ratio, agrees = "1", "itself"
    if took is not ours and "failed" not in ours:
        ratio = times(_seconds(took) / _seconds(ours))
        other = workload.agree(ours["told"][0]["values"], answer["values"])
        agrees = "other data" if data != ours["told"][1] else other or "yes"
    return f"{in_units(_seconds(took))} | {ratio} | {took['peak']:,.0f} MB | {number} | {agrees}"


def _faster(found: dict[str, Any]) -> Iterator[str]:
    yield "\n## Who is faster than we are\n"
    lines = []
    for workload in WORKLOADS:
        for size, by in _cases(found, workload).items():
            ours = by.get("deadheat", {"failed": "not asked"})
            for package, took in by.items():
                if "failed" in took or "failed" in ours or package.startswith("deadheat"):
                    continue
                if _seconds(took) >= _seconds(ours):
                    continue
                why = EXPLAINED.get((workload.name, package), "**Not explained.**")
                ratio = times(_seconds(ours) / _seconds(took))
                lines.append(
                    f"- {package}, {workload.name}, {_size(size)}: {ratio} times, "
                    f"{in_units(_seconds(took))} instead of {in_units(_seconds(ours))}. {why}"
                )
    yield from lines or ["Nobody, on none of these."]


def _packages(found: dict[str, Any]) -> Iterator[str]:
    yield "\n## Packages\n\nWhat `import` takes, of modules that a question needs.\n"
    yield "| package | version | import | memory |\n|---|---|---:|---:|"
    for package in ("deadheat", *MODULES):
        took = found[f"import/{package}"]
        if "failed" in took:
            yield f"| {package} | not here: {took['failed']} | | |"
        else:
            memory = f"{took['peak']:,.0f} MB"
            yield f"| {package} | {took['told']} | {in_units(took['seconds'])} | {memory} |"

"""The numbers of the datasheet, computed from the finished table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

from datasheet import machine, refresh, table, versions
from sat_race.journal import Row, read_table

EASY = 0.3


def solved(row: Mapping[str, str]) -> bool:
    """Tell whether the run ended with an answer."""
    return row["status"] == "ok"


def grouped(rows: Iterable[Row], column: str) -> dict[str, list[Row]]:
    """Sort rows into groups by a column, in order of its values."""
    groups: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda r: r[column]):
        groups.setdefault(row[column], []).append(row)
    return groups


def by_solver(rows: Sequence[Row]) -> str:
    """Tell how each solver did, the one with most solved runs first."""
    lines = []
    for solver, runs in grouped(rows, "solver").items():
        status = Counter(row["status"] for row in runs)
        good = [float(row["cpu_time"]) for row in runs if solved(row)]
        late = sum(n for word, n in status.items() if word.startswith("timeout"))
        other = len(runs) - len(good) - late
        lines.append((solver, len(runs), len(good), late, other, f"{median(good or [0]):.3f}"))
    lines.sort(key=lambda line: (-line[2], line[0]))
    return table(("solver", "runs", "solved", "timeout", "other", "median s of solved"), lines)


def answers(rows: Sequence[Row]) -> Counter[str]:
    """Count instances by what the solvers found: SAT, UNSAT or nothing."""
    found = {
        name: "".join({row["answer"] for row in runs} - {""})
        for name, runs in grouped(rows, "instance").items()
    }
    return Counter(found.values())


def by_family(rows: Sequence[Row]) -> str:
    """Tell how hard each family was."""
    lines = []
    for family, runs in grouped(rows, "family").items():
        first = [row for row in runs if row["seed"] == "0"]
        counts = sorted(sum(map(solved, own)) for own in grouped(first, "solver").values())
        truth = answers(first)
        lines.append(
            (
                family,
                sum(truth.values()),
                *(truth[word] for word in ("SAT", "UNSAT", "")),
                *(counts[-1], f"{median(counts):g}", counts[0]),
            )
        )
    head = ("family", "instances", "SAT", "UNSAT", "open", "best", "median", "worst")
    return table(head, lines)


def hardness(rows: Sequence[Row]) -> Counter[str]:
    """Sort the instances: easy if solved quickly by all, hard if a run did not end in time."""
    kinds: Counter[str] = Counter()
    for runs in grouped([row for row in rows if row["seed"] == "0"], "instance").values():
        if not any(map(solved, runs)):
            kinds["hopeless"] += 1
        elif not all(map(solved, runs)):
            kinds["hard"] += 1
        elif max(float(row["cpu_time"]) for row in runs) < EASY:
            kinds["easy"] += 1
        else:
            kinds["medium"] += 1
    return kinds


def numbers(rows: Sequence[Row]) -> str:
    """Write the block of numbers."""
    status = Counter(row["status"] for row in rows)
    kinds = hardness(rows)
    hours = sum(float(row["cpu_time"]) for row in rows) / 3600
    copied = {row["instance"] for row in rows if row["seed"] != "0"}
    words = ", ".join(f"{n} {word}" for word, n in status.most_common())
    return f"""\
{len(rows)} runs of {len(grouped(rows, "solver"))} solvers on
{len(grouped(rows, "instance"))} instances of {len(grouped(rows, "family"))} families;
{len(copied)} instances were also run as two shuffled copies.
Status: {words}. CPU time in all: {hours:.2f} hours.

Of the instances (copies left out) {kinds["easy"]} were solved by every solver within {EASY} s,
{kinds["medium"]} by every solver but not so quickly, {kinds["hard"]} by some only, and
{kinds["hopeless"]} by none.

{by_solver(rows)}

By family, copies left out: instances by their answer, and how many the best, the median and the
worst solver solved.

{by_family(rows)}
"""


def fill(target: Path, *, date: str) -> None:
    """Write numbers, machine, versions and the day of the race into the sheet beside the table."""
    made = f"{machine()}; {versions(['python-sat'])}; the last run ended on {date}."
    refresh(
        target.parent / "DATASHEET.md",
        {"numbers": numbers(read_table(target)), "made": made},
    )

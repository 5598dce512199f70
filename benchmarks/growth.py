"""How cost grows: seconds at five sizes of each kind, fitted as a power, and what big takes.

`python benchmarks/growth.py` measures, keeps the figures in `benchmarks/results/` and draws
`docs/growth.svg`; `make bench-peers` writes the table into RESULTS.md.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import deadheat as dh
import make_big
import timing
import workloads

HERE = Path(__file__).parent
KEPT = HERE / "results" / "growth.json"
PICTURE = HERE.parent / "docs" / "growth.svg"
SIX = ("mean", "median", "average_rank", "success_rate", "relative_difference", "copeland")
LAST = 3  # steps between sizes that the exponent is fitted to
LEAST = 0.5  # seconds; shorter calls are repeated


@dataclass(frozen=True)
class Line:
    command: str
    unit: str  # what grows
    fixed: str  # and what does not
    sizes: tuple[int, ...]
    ask: Callable[[int], Callable[[], object]]
    big: int  # a size that somebody may have


def _table(n: int, m: int) -> dh.Results:
    scores = workloads.random_table(n, m) + np.linspace(0, 0.5, n)[:, None]
    return dh.Results(scores=scores, better="higher")


def _verdict(n: int, m: int, replicates: int = 10_000, by: str = "mean") -> Callable[[], object]:
    table = _table(n, m)
    return lambda: dh.verdict(table, by=by, replicates=replicates, engine="serial")


def _criteria(n: int, m: int) -> Callable[[], object]:
    table = _table(n, m)
    return lambda: dh.criteria(table, by=SIX, trials=1_000, engine="serial")


def _rate(n: int, battles: int, met: float = 1.0) -> Callable[[], object]:
    left, right, outcome, number = workloads.counts(n, battles, met=met).cells
    names = tuple(f"c{k:06}" for k in range(n))
    given = {"left": left, "right": right, "outcome": outcome, "battles": number}
    log = dh.Battles.from_cells(candidates=names, weights=number.astype(float), **given)
    return lambda: dh.rate(log, replicates=1_000, simulations=0, engine="serial")


def _reading(rows: int) -> Callable[[], object]:
    folder = Path(tempfile.mkdtemp())
    make_big.battles(folder, files=1, rows=rows, candidates=200)

    def read() -> int:
        return dh.read_battles(folder / "part-00000.parquet").total

    return read


def _reading_scores(rows: int) -> Callable[[], object]:
    path = Path(tempfile.mkdtemp()) / "long.parquet"
    make_big.results(path, rows=rows, candidates=100)
    return lambda: dh.read(path, better="higher", score="accuracy")


def _consensus(n: int) -> Callable[[], object]:
    scores = workloads.paper_table()[1][:n]
    return lambda: dh.consensus(dh.Results(scores=scores, better="higher"))


LINES = (
    Line("verdict", "candidates", "1,000 judges, 10,000 replicates",
         (25, 50, 100, 200, 400), lambda n: _verdict(n, 1_000), 100_000),
    Line("verdict", "judges", "50 candidates, 10,000 replicates",
         (1_000, 2_000, 4_000, 8_000, 16_000), lambda m: _verdict(50, m), 1_000_000),
    Line("verdict", "replicates", "50 x 1,000",
         (5_000, 10_000, 20_000, 40_000, 80_000), lambda b: _verdict(50, 1_000, b), 1_000_000),
    Line("verdict by copeland", "candidates", "50 judges, 1,000 replicates",
         (25, 50, 100, 200, 400), lambda n: _verdict(n, 50, 1_000, "copeland"), 100_000),
    Line("criteria", "candidates", "50 judges, 1,000 trials",
         (16, 32, 64, 128, 256), lambda n: _criteria(n, 50), 10_000),
    Line("criteria", "judges", "50 candidates, 1,000 trials",
         (32, 64, 128, 256, 512), lambda m: _criteria(50, m), 100_000),
    Line("rate", "candidates", "all pairs met, 1,000 replicates",
         (25, 50, 100, 200, 400), lambda n: _rate(n, 20 * n * n), 100_000),
    Line("rate", "battles", "100 candidates, 1,000 replicates",
         (100_000, 400_000, 1_600_000, 6_400_000, 25_600_000), lambda k: _rate(100, k), 10**9),
    Line("rate (sparse)", "candidates", "each met about 20, 1,000 replicates",
         (100, 200, 400, 800, 1_600), lambda n: _rate(n, 400 * n, min(1.0, 20 / n)), 100_000),
    Line("reading a log", "rows", "Parquet, 200 candidates",
         (1_000_000, 2_000_000, 4_000_000, 8_000_000, 16_000_000), _reading, 10**9),
    Line("reading a table", "rows", "long, Parquet, 100 candidates",
         (1_000_000, 2_000_000, 4_000_000, 8_000_000, 16_000_000), _reading_scores, 100_000_000),
    Line("consensus", "candidates", "76 judges of the paper's table",
         (18, 36, 72, 144, 288), _consensus, 10_000),
)  # fmt: skip
QUICK = 2  # sizes of each line, a tenth of the first


def measured(*, quick: bool = False) -> dict[str, list[list[float]]]:
    """Return sizes and CPU seconds of each line; what is kept is not measured again."""
    kept: dict[str, list[list[float]]] = {}
    if KEPT.exists() and not quick:
        kept = json.loads(KEPT.read_text(encoding="utf-8"))
    for line in LINES:
        key = f"{line.command} / {line.unit}"
        if key in kept:
            continue
        sizes = [max(5, size // 10) for size in line.sizes[:QUICK]] if quick else line.sizes
        kept[key] = []
        for size in sizes:
            call = line.ask(size)
            if size == sizes[0]:
                call()  # what is loaded late is loaded now
            kept[key].append([size, timing.seconds(call, least=0.0 if quick else LEAST)])
            print(key, f"{size:,}", timing.in_units(kept[key][-1][1]), flush=True)
        if not quick:
            KEPT.parent.mkdir(exist_ok=True)
            KEPT.write_text(json.dumps(kept), encoding="utf-8")
    return kept


def exponent(points: list[list[float]]) -> tuple[float, float]:
    """Return p and c of seconds = a + c size^p, from what each of the last steps adds.

    Sizes grow by one factor, so that steps grow with the same power, whatever a is. Where a step
    adds nothing, size costs nothing: 0, 0.
    """
    size, seconds = np.array(points[-LAST - 1 :]).T
    added = np.diff(seconds)
    if (added <= 0).any():
        return 0.0, 0.0
    power, start = np.polyfit(np.log(size[1:]), np.log(added), 1)
    if power <= 0:
        return 0.0, 0.0
    return float(power), float(np.exp(start) / (1 - (size[-2] / size[-1]) ** power))


def at(points: list[list[float]], size: int) -> float:
    """Return the seconds of a size beyond those measured."""
    power, factor = exponent(points)
    last, seconds = points[-1]
    return float(seconds + factor * (size**power - last**power))


def in_words(seconds: float) -> str:
    for unit, size in (("years", 3.15e7), ("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return timing.in_units(seconds)


def page() -> Iterator[str]:
    """Yield the section of RESULTS.md."""
    if not KEPT.exists():
        return
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    yield "\n## How cost grows\n"
    yield "CPU seconds are a fixed part and one that grows with the size to the power of the"
    yield "exponent, fitted to the last three of four steps. The last column goes on to a size"
    yield "that nobody measured, were there the memory for it.\n"
    yield "![seconds by size](../docs/growth.svg)\n"
    yield "| command | what grows | fixed | measured | exponent | one core, at |"
    yield "|---|---|---|---|---:|---|"
    for line in LINES:
        points = kept.get(f"{line.command} / {line.unit}")
        if points:
            (low, first), (high, last) = points[0], points[-1]
            ends = f"{low:,.0f}: {timing.in_units(first)} to {high:,.0f}: {timing.in_units(last)}"
            big = f"{line.big:,}: {in_words(at(points, line.big))}"
            cells = (line.command, line.unit, line.fixed, ends, f"{exponent(points)[0]:.2f}", big)
            yield f"| {' | '.join(cells)} |"
    yield ""


def draw(kept: dict[str, list[list[float]]], path: Path) -> None:
    """Draw all lines, seconds by size on logarithms."""
    import altair as alt

    lines = {f"{line.command} / {line.unit}": line for line in LINES}
    rows: list[dict[str, Any]] = [
        {"command": lines[key].command, "what grows": lines[key].unit, "size": x, "seconds": y}
        for key, points in kept.items()
        for x, y in points
    ]
    chart = (
        alt.Chart({"values": rows}, width=190, height=150)
        .mark_line(point=True)
        .encode(
            alt.X(
                "size:Q",
                scale=alt.Scale(type="log"),
                title=None,
                axis=alt.Axis(format="~s", tickCount=4),
            ),
            alt.Y(
                "seconds:Q", scale=alt.Scale(type="log"), axis=alt.Axis(format="~g", tickCount=5)
            ),
            alt.Color("command:N", title=None, legend=alt.Legend(orient="bottom", columns=3)),
        )
        .facet(alt.Facet("what grows:N", title="what grows"), columns=3)
        .resolve_scale(x="independent")
    )
    chart.save(str(path))


def main(arguments: list[str]) -> int:
    quick = "--quick" in arguments
    kept = measured(quick=quick)
    if not quick:
        draw(kept, PICTURE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

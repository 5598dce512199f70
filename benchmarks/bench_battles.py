"""A log of 20 million battles of 500 candidates to counts, in time and memory.

Parquet and CSV; the unit of time is pandas on the same file. Every program counts the battles of
each pair with each outcome in a fresh interpreter and prints how many cells there are.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROWS, N = 20_000_000, 500
KEYS = ["model_a", "model_b", "winner"]
PROGRAMS = {
    "parquet": {
        "pandas": f"import pandas as pd\nd = pd.read_parquet(PATH, columns={KEYS})\n"
        f"cells = len(d.groupby({KEYS}, observed=True).size())",
        "polars": f"import polars as pl\nd = pl.read_parquet(PATH, columns={KEYS})\n"
        f"cells = len(d.group_by({KEYS}).len())",
        "polars, lazy": "import polars as pl\n"
        f"cells = len(pl.scan_parquet(PATH).group_by({KEYS}).len().collect(engine='streaming'))",
    },
    "csv": {
        "pandas": f"import pandas as pd\nd = pd.read_csv(PATH, usecols={KEYS})\n"
        f"cells = len(d.groupby({KEYS}, observed=True).size())",
        "polars": f"import polars as pl\nd = pl.read_csv(PATH, columns={KEYS})\n"
        f"cells = len(d.group_by({KEYS}).len())",
        "polars, lazy": "import polars as pl\n"
        f"cells = len(pl.scan_csv(PATH).group_by({KEYS}).len().collect(engine='streaming'))",
    },
}
OURS = {
    "read_battles": "",
    "  with weights": "weight='weight'",
    "  in order": "ordered=True",
    "  by 100 topics": "category='topic'",
    "  by 50,000 voters": "cluster='voter'",
}
TOY = {
    "ROWS": 1_000,
    "N": 20,
    "OURS": {"read_battles": "", "  with weights": "weight='weight'"},
    "PROGRAMS": {kind: {"pandas": peers["pandas"]} for kind, peers in PROGRAMS.items()},
}
FRAME = """
import resource, time
start = time.perf_counter()
{program}
seconds = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_SELF)
print(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, cells)
"""


def measured(program: str, path: Path) -> tuple[float, float, float, int]:
    """Return seconds, seconds of all processors, peak megabytes and the number of cells."""
    code = FRAME.format(program=program.replace("PATH", repr(str(path))))
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    seconds, busy, memory, cells = done.stdout.split()
    return float(seconds), float(busy), float(memory), int(cells)


def write(folder: Path) -> None:
    """Write the log in both formats, elsewhere: a child inherits the peak of its parent."""
    sizes = (str(ROWS), str(N))
    subprocess.run([sys.executable, __file__, str(folder), *sizes], check=True)


def written(folder: str, rows: int, n: int) -> None:
    """Write the log in both formats."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SELECT setseed(0.5)")
        connection.execute(
            "CREATE TABLE log AS SELECT 'model-' || l AS model_a, "  # noqa: S608
            f"'model-' || (l + 1 + r) % {n} AS model_b, "
            "CASE WHEN u < 0.4 THEN 'model_a' WHEN u < 0.8 THEN 'model_b' WHEN u < 0.9 THEN 'tie' "
            "ELSE 'both_bad' END AS winner, 'user' || v AS voter, 'topic' || v % 100 AS topic, "
            f"1 + w AS weight FROM (SELECT CAST(floor(random() * {n}) AS INTEGER) AS l, "
            f"CAST(floor(random() * {n - 1}) AS INTEGER) AS r, random() AS u, "
            "CAST(floor(random() * 50000) AS INTEGER) AS v, random() AS w "
            f"FROM range({rows}))"
        )
        connection.execute(f"COPY log TO '{folder}/log.parquet'")
        connection.execute(f"COPY log TO '{folder}/log.csv'")


def run() -> Iterator[str]:
    """Yield time and memory for both formats."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        for kind, peers in PROGRAMS.items():
            path = folder / f"log.{kind}"
            yield f"{kind}, file of {path.stat().st_size / 1e6:.0f} MB"
            ours = OURS if kind == "parquet" else dict.fromkeys(list(OURS)[:1], "")
            programs = peers | {
                label: "from deadheat.data.reading.read import read_battles\n"
                f"cells = read_battles(PATH, {options}).cells"
                for label, options in ours.items()
            }
            unit = 0.0
            for label, program in programs.items():
                seconds, busy, memory, cells = measured(program, path)
                unit = unit or seconds
                yield (
                    f"  {label:18} {seconds:6.1f} s = {seconds / unit:5.2f} x, busy {busy:5.1f} s, "
                    f"{memory:6.0f} MB, {cells:,} cells"
                )


if __name__ == "__main__":
    written(sys.argv[1], *map(int, sys.argv[2:]))

"""Files to counts and tables, in time and memory: a log of 20 million battles, a large CSV.

The unit is a copy of as many bytes in memory; beside it stands what others take for the same file:
pandas, polars, the bare csv reader. Every program runs in an interpreter of its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import make_big
import timing

ROWS, CANDIDATES, FILES = 20_000_000, 500, 20
TABLE = (200, 100_000)
LONG = 20_000_000  # rows of a long table
SHORT = 4_000_000  # rows of one that is read row by row, too
KEYS = ["model_a", "model_b", "winner"]
PANDAS = f"import pandas as pd\nd = pd.read_{{kind}}(PATH, {{only}}={KEYS})\n"
POLARS = f"import polars as pl\nd = pl.scan_{{kind}}(PATH).group_by({KEYS}).len()\n"
COUNTED = {
    "pandas": PANDAS + f"cells = len(d.groupby({KEYS}, observed=True).size())",
    "polars": POLARS + "cells = len(d.collect(engine='streaming'))",
}
OURS = {
    "read_battles": "",
    "  with weights": "weight='weight'",
    "  in order": "ordered=True",
    "  by 100 topics": "category='topic'",
    "  by 50,000 voters": "cluster='voter'",
}
TABLE_OF = "import deadheat as dh\ndh.read(PATH, better='higher', score='accuracy')"
BY_ROWS = (
    "from deadheat.data.reading.pieces import Again\n"
    "Again.columns = property(lambda _: frozenset())\n"
)
WIDE = {
    "csv.reader alone": "import csv\nfor row in csv.reader(open(PATH, newline='')): pass",
    "read": "import deadheat as dh\ndh.read(PATH, better='higher')",
    "read and rank": "import deadheat as dh\nprint(dh.rank(PATH, better='higher').verdict)",
    "rank by copeland": "import deadheat as dh\ndh.rank(PATH, better='higher', by='copeland')",
}
TOY = {"ROWS": 1_000, "CANDIDATES": 20, "FILES": 2, "TABLE": (5, 50), "LONG": 1_000, "SHORT": 500}


def told(programs: dict[str, str], path: Path, *, of: str = "None") -> Iterator[str]:
    """Yield what each program takes, the bytes of the file as the unit."""
    files = [path] if path.is_file() else list(path.iterdir())
    size = sum(each.stat().st_size for each in files)
    copied = size / timing.copy_speed()
    yield f"{path.name}, {size / 1e6:,.0f} MB; a copy in memory takes {timing.in_units(copied)}"
    for label, program in programs.items():
        before = "import csv\ncsv.field_size_limit(10**9)"
        try:
            took = timing.alone(program.replace("PATH", repr(str(path))), before=before, told=of)
        except timing.UnfinishedError as error:
            yield f"  {label:18} {error}"
            continue
        yield (
            f"  {label:18} {took.seconds:6.1f} s = {timing.times(took.seconds / copied):>6} x, "
            f"{took.wall:6.1f} s by the clock, {took.peak:6,.0f} MB"
            + (f", {took.told:,} cells" if took.told is not None else "")
        )


def run() -> Iterator[str]:
    """Yield time and memory for a log, a long table and a wide one in both orientations."""
    read = (
        "from deadheat.data.reading.read import read_battles\ncells = read_battles(PATH, {}).cells"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_big.log(folder, rows=ROWS, candidates=CANDIDATES)
        for kind, only in (("parquet", "columns"), ("csv", "usecols")):
            others = {who: text.format(kind=kind, only=only) for who, text in COUNTED.items()}
            ours = OURS if kind == "parquet" else dict.fromkeys(list(OURS)[:1], "")
            programs = others | {label: read.format(options) for label, options in ours.items()}
            yield from told(programs, folder / f"log.{kind}", of="cells")
            (folder / f"log.{kind}").unlink()
        make_big.battles(folder / "log", files=FILES, rows=ROWS // FILES, candidates=CANDIDATES)
        yield from told({f"{FILES} files": read.format("")}, folder / "log", of="cells")
        both = {"read": TABLE_OF, "  row by row": BY_ROWS + TABLE_OF}
        make_big.results(folder / "short.parquet", rows=SHORT, candidates=100)
        yield from told(both, folder / "short.parquet")
        make_big.results(folder / "long.parquet", rows=LONG, candidates=100)
        yield from told({"read": TABLE_OF}, folder / "long.parquet")
        make_big.results(folder / "long", rows=LONG // FILES, candidates=100, files=FILES)
        yield from told({f"{FILES} files": TABLE_OF}, folder / "long")
        for judges_in_rows in (True, False):
            which = "judges" if judges_in_rows else "candidates"
            path = folder / f"{which}-in-rows.csv"
            make_big.wide(path, *TABLE, judges_in_rows=judges_in_rows)
            yield from told(WIDE, path)
            path.unlink()

"""Make large inputs: a battle log of many Parquet files, or a long table of results, of many too.

python benchmarks/make_big.py battles FOLDER --files 1000 --rows 20000 --candidates 200
python benchmarks/make_big.py results FILE.parquet --rows 100000000 --candidates 100
python benchmarks/make_big.py results FOLDER --files 1000 --rows 100000 --candidates 100
"""

from __future__ import annotations

import argparse
from pathlib import Path

import duckdb
import numpy as np

BATTLES = """
    SELECT 'model ' || a AS model_a, 'model ' || ((a + 1 + b) % {n}) AS model_b,
           CASE WHEN u < 0.1 THEN 'tie' WHEN (u - 0.1) / 0.9 < 1 / (1 + exp(
               4.0 * (a - ((a + 1 + b) % {n})) / {n})) THEN 'model_a' ELSE 'model_b' END AS winner
    FROM (SELECT CAST(floor(random() * {n}) AS INTEGER) AS a,
                 CAST(floor(random() * ({n} - 1)) AS INTEGER) AS b, random() AS u
          FROM range({rows}))
"""
RESULTS = """
    SELECT 'model ' || (i % {n}) AS model, 'task ' || (i // {n}) AS task,
           round(random() + (i % {n}) / {n}, 6) AS accuracy
    FROM range({first}, {first} + {rows}) t(i)
"""


LOG = """
    SELECT 'model-' || l AS model_a, 'model-' || (l + 1 + r) % {n} AS model_b,
           CASE WHEN u < 0.4 THEN 'model_a' WHEN u < 0.8 THEN 'model_b' WHEN u < 0.9 THEN 'tie'
                ELSE 'both_bad' END AS winner,
           'user' || v AS voter, 'topic' || v % 100 AS topic, 1 + w AS weight
    FROM (SELECT CAST(floor(random() * {n}) AS INTEGER) AS l,
                 CAST(floor(random() * ({n} - 1)) AS INTEGER) AS r, random() AS u,
                 CAST(floor(random() * 50000) AS INTEGER) AS v, random() AS w
          FROM range({rows}))
"""


def write(query: str, path: Path, seed: float) -> None:
    with duckdb.connect(config={"threads": 1}) as connection:  # else the order is anybody's
        connection.execute("SELECT setseed(?)", [seed])
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")


def battles(folder: Path, *, files: int, rows: int, candidates: int) -> None:
    """Write a log of ``files`` files with ``rows`` battles each; later models are better."""
    folder.mkdir(parents=True, exist_ok=True)
    for k in range(files):
        query = BATTLES.format(n=candidates, rows=rows)
        write(query, folder / f"part-{k:05}.parquet", (k + 1) / (files + 1))


def results(path: Path, *, rows: int, candidates: int, files: int = 0) -> None:
    """Write a long table of ``rows`` scores, in each of some files; later models are better."""
    if not files:
        write(RESULTS.format(n=candidates, first=0, rows=rows), path, 0.5)
        return
    path.mkdir(parents=True, exist_ok=True)
    for k in range(files):
        query = RESULTS.format(n=candidates, first=k * rows, rows=rows)
        write(query, path / f"part-{k:05}.parquet", (k + 1) / (files + 1))


def log(folder: Path, *, rows: int, candidates: int) -> None:
    """Write one log with voters, topics and weights, as Parquet and as CSV."""
    path = folder / "log.parquet"
    write(LOG.format(n=candidates, rows=rows), path, 0.5)
    with duckdb.connect() as connection:
        connection.execute(f"COPY (FROM '{path}') TO '{path.with_suffix('.csv')}'")


def wide(path: Path, candidates: int, judges: int, *, judges_in_rows: bool) -> None:
    """Write a wide table of random scores as CSV."""
    rng = np.random.default_rng(1)
    rows, columns = (judges, candidates) if judges_in_rows else (candidates, judges)
    names = ("judge", "model_") if judges_in_rows else ("candidate", "task_")
    with path.open("w", encoding="utf-8") as file:
        file.write(names[0] + "," + ",".join(f"{names[1]}{k}" for k in range(columns)) + "\n")
        for row in range(rows):
            scores = rng.random(columns)
            file.write(f"row_{row}," + ",".join(f"{score:.5f}" for score in scores) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["battles", "results"])
    parser.add_argument("place", type=Path)
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--candidates", type=int, default=200)
    asked = parser.parse_args()
    size = {"rows": asked.rows, "candidates": asked.candidates}
    if asked.kind == "battles":
        battles(asked.place, files=asked.files, **size)
    else:
        several = asked.place.suffix != ".parquet"
        results(asked.place, files=asked.files if several else 0, **size)

"""Make the example `arena`: a battle log derived from `models`, seeded.

Run `python tools/make_arena.py` after `make_models.py`; it takes a few seconds. Nobody voted: for
every battle a task and a split are drawn, and two candidates, some far more often than others. The
higher AUC on that split wins; closer than TIE it is a tie. Task and split are not written down.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from datasheet import refresh
from packed import write_packed

EXAMPLES = Path(__file__).parents[1] / "src/deadheat/data/examples"
SOURCE = EXAMPLES / "models/scores.csv.gz"
TARGET = EXAMPLES / "arena/battles.csv.gz"
COLUMNS = ("left", "right", "winner")
SEED = 20261116
BATTLES = 30_000
TIE = 0.005
UNEVEN = 0.9  # the k-th most popular candidate is drawn in proportion to k ** -UNEVEN


class Scores(NamedTuple):
    """Hold the AUC of every candidate (rows) on every split of every task (columns)."""

    candidates: list[str]
    auc: np.ndarray[tuple[int, int], np.dtype[np.float64]]


class Battle(NamedTuple):
    """Hold a row of the log."""

    left: str
    right: str
    winner: str


def scores(path: Path = SOURCE) -> Scores:
    """Read the scores of `models`; a failed fit is NaN."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    candidates = list(dict.fromkeys(row["setting"] for row in rows))
    rounds = list(dict.fromkeys((row["task"], row["split"]) for row in rows))
    across = {name: i for i, name in enumerate(candidates)}
    down = {name: j for j, name in enumerate(rounds)}
    auc = np.full((len(candidates), len(rounds)), np.nan)
    for row in rows:
        auc[across[row["setting"]], down[row["task"], row["split"]]] = float(row["auc"] or "nan")
    return Scores(candidates, auc)


def outcome(left: float, right: float) -> str:
    """Return who wins by AUC; a failed fit loses to any other, and ties with its like.

    >>> outcome(0.91, 0.9), outcome(0.9, 0.904), outcome(float("nan"), 0.5)
    ('left', 'tie', 'right')
    """
    first, second = np.nan_to_num([left, right], nan=-1.0)
    if abs(first - second) < TIE:
        return "tie"
    return "left" if first > second else "right"


def battles(found: Scores, count: int = BATTLES, seed: int = SEED) -> Iterator[Battle]:
    """Yield battles; who is popular is drawn too, so popularity says nothing of quality."""
    rng = np.random.default_rng(seed)
    n, m = found.auc.shape
    popularity = -UNEVEN * np.log(rng.permutation(n) + 1)
    rounds = rng.integers(m, size=count)
    lots = popularity + rng.gumbel(size=(count, n))  # the two highest: drawn by popularity
    pairs = np.argsort(-lots, axis=1)[:, :2]
    for j, (i, k) in zip(rounds, pairs, strict=True):
        winner = outcome(found.auc[i, j], found.auc[k, j])
        yield Battle(found.candidates[i], found.candidates[k], winner)


def numbers(log: list[Battle]) -> str:
    """Return the sentence of the datasheet that counts."""
    met: dict[frozenset[str], int] = {}
    fought: dict[str, int] = {}
    for battle in log:
        pair = frozenset(battle[:2])
        met[pair] = met.get(pair, 0) + 1
        for name in pair:
            fought[name] = fought.get(name, 0) + 1
    n = len(fought)
    pairs = n * (n - 1) // 2
    ties = sum(battle.winner == "tie" for battle in log)
    rare = pairs - sum(times >= 5 for times in met.values())
    return (
        f"{len(log):,} battles of {n} candidates, {100 * ties / len(log):.1f} % of them ties. The "
        f"busiest candidate fought {max(fought.values()):,} battles, the least busy "
        f"{min(fought.values()):,}. Of {pairs:,} pairs {rare:,} met fewer than 5 times and "
        f"{pairs - len(met):,} never; the busiest pair met {max(met.values()):,} times."
    )


def main() -> int:
    """Draw the battles and write them down."""
    log = list(battles(scores()))
    write_packed(TARGET, COLUMNS, log)
    refresh(TARGET.with_name("DATASHEET.md"), {"numbers": numbers(log)})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

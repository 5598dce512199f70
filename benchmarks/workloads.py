"""The data of the benchmarks: drawn, in the shapes of the papers; the same for us and for peers."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]
Integers = npt.NDArray[np.int64]
LARGE, SMALL = (292, 76), (13, 66)  # OpenML and AutoDL of Pavao et al. (2021)


class Counts(NamedTuple):
    """Battles of pairs: how often the first won, the second, and neither."""

    first: Integers
    second: Integers
    wins: Integers
    losses: Integers
    ties: Integers

    @property
    def n(self) -> int:
        return int(self.second.max()) + 1

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """Wins and half the ties of the row over the column, (n, n)."""
        won = np.zeros((self.n, self.n))
        won[self.first, self.second] = self.wins + self.ties / 2
        won[self.second, self.first] = self.losses + self.ties / 2
        return won

    @property
    def cells(self) -> tuple[Integers, Integers, Integers, Integers]:
        """Left, right, outcome (1, -1, 0) and number, of all that happened."""
        left, right = np.tile(self.first, 3), np.tile(self.second, 3)
        outcome = np.repeat(np.array([1, -1, 0]), len(self.first))
        number = np.concatenate([self.wins, self.losses, self.ties])
        there = number > 0
        return left[there], right[there], outcome[there], number[there]


class Log(NamedTuple):
    left: Integers
    right: Integers
    outcome: Integers  # 1 where the left one won, -1 the right one, 0 neither


def paper_table(size: tuple[int, int] = LARGE) -> tuple[str, Floats]:
    """Return scores such as OpenML's, rounded and with ties; itself where it lies beside us."""
    shared = Path(os.environ.get("DEADHEAT_SHARED") or Path(__file__).parents[2] / "shared")
    path = shared / "data" / "esann2021" / "OpenML.csv"
    if size == LARGE and path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        scores = np.array([[float(cell) for cell in row[1:]] for row in rows])
        return "OpenML", np.ascontiguousarray(scores.T if scores.shape == size[::-1] else scores)
    rng = np.random.default_rng(2021)
    n, m = size
    skill, ease = rng.normal(size=(n, 1)), rng.normal(size=(1, m))
    scores = 1 / (1 + np.exp(-(skill + ease + rng.normal(size=(n, m)))))
    return "drawn", scores.round(4)


def random_table(n: int, m: int, *, single: bool = False) -> Floats:
    """Return plain random scores; one in float32 is kept as it is."""
    return np.random.default_rng(0).random((n, m), dtype=np.float32 if single else np.float64)


def counts(n: int, battles: int, *, met: float = 1.0) -> Counts:
    """Return battles among candidates with normal ratings, one in ten tied, as counts."""
    rng = np.random.default_rng(0)
    first, second = np.triu_indices(n, 1)
    if met < 1:
        kept = (second == first + 1) | (rng.random(len(first)) < met)
        first, second = first[kept], second[kept]
    ratings = rng.normal(size=n)
    chance = 1 / (1 + np.exp(ratings[second] - ratings[first]))
    played = rng.multinomial(battles, np.full(len(first), 1 / len(first)))
    ties = rng.binomial(played, 0.1)
    wins = rng.binomial(played - ties, chance)
    return Counts(first, second, wins, played - ties - wins, ties)


def log(n: int, battles: int) -> Log:
    """Return battles one after the other."""
    rng = np.random.default_rng(1)
    ratings = np.sort(rng.normal(size=n))
    left = rng.integers(0, n, battles)
    right = (left + rng.integers(1, n, battles)) % n
    won = rng.random(battles) < 1 / (1 + np.exp(ratings[right] - ratings[left]))
    outcome = np.where(rng.random(battles) < 0.1, 0, np.where(won, 1, -1))
    return Log(left, right, outcome)


def rankings(n: int, m: int) -> Integers:
    """Return strict rankings of candidates of unlike strength, best first, (m, n)."""
    rng = np.random.default_rng(2)
    return np.argsort(-(np.linspace(1, -1, n) + rng.gumbel(size=(m, n))), axis=1)

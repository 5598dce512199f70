"""Who met whom how often, and how it ended: all that a Bradley-Terry model looks at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from deadheat.errors import DataError, UsageError, counted, listed, quoted
from deadheat.typing import Floats, Integers

if TYPE_CHECKING:
    from deadheat.data.battles import Battles

OUTCOMES = 3  # won, lost, tied


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Hold the unordered pairs that met, ``first < second``, and what ``first`` made of it.

    Parameters
    ----------
    n
        The number of candidates.
    first, second
        The pairs (P,), sorted; no pair twice.
    wins, losses, ties
        The weight of what ``first`` won, lost and tied: (P,), or (B, P) for replicates.
    names
        What the candidates are called, for messages; their numbers where not given.
    """

    n: int
    first: Integers
    second: Integers
    wins: Floats
    losses: Floats
    ties: Floats
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is no set of counts."""
        inside = (self.first >= 0) & (self.first < self.second) & (self.second < self.n)
        if not inside.all() or (np.diff(self.first * self.n + self.second) <= 0).any():
            raise UsageError("pairs must be sorted, first < second, none of them twice.")
        shape = self.wins.shape
        if {self.losses.shape, self.ties.shape} != {shape} or shape[-1:] != self.first.shape:
            raise UsageError(f"counts of shape {shape} for {counted(len(self.first), 'pair')}.")
        for kind, counts in (("wins", self.wins), ("losses", self.losses), ("ties", self.ties)):
            if not (np.isfinite(counts).all() and (counts >= 0).all()):
                raise DataError(
                    f"the number of {kind} must be at least 0 and finite,"
                    f" got {counts[~(np.isfinite(counts) & (counts >= 0))][0]:g}.",
                    hint="weights of battles are numbers from 0 on.",
                )

    @property
    def met(self) -> Floats:
        """The weight of all that each pair played, (P,) or (B, P)."""
        return self.wins + self.losses + self.ties

    @property
    def points(self) -> Floats:
        """The wins of ``first``, a tie as half a win."""
        return self.wins + self.ties / 2

    @property
    def points_against(self) -> Floats:
        """The wins of ``second``, a tie as half a win."""
        return self.losses + self.ties / 2

    def with_counts(self, wins: Floats, losses: Floats, ties: Floats) -> PairCounts:
        """Return the same pairs with other counts."""
        return replace(self, wins=wins, losses=losses, ties=ties)

    def of_replicate(self, b: int) -> PairCounts:
        """Return one replicate of many."""
        return self.with_counts(self.wins[b], self.losses[b], self.ties[b])

    def among(self, chosen: Integers) -> PairCounts:
        """Return the pairs among some candidates, who are numbered anew in their order."""
        place = np.full(self.n, -1)
        place[chosen] = np.arange(len(chosen))
        first, second = place[self.first], place[self.second]
        kept = (first >= 0) & (second >= 0)
        return PairCounts(
            len(chosen),
            first[kept],
            second[kept],
            self.wins[..., kept],
            self.losses[..., kept],
            self.ties[..., kept],
            tuple(self.names[i] for i in chosen) if self.names else (),
        )

    def called(self, candidates: Integers | tuple[int, ...], *, most: int = 8) -> str:
        """Return candidates by name, or by number where they have none."""
        names = (quoted(self.names[i]) if self.names else f"number {i}" for i in candidates)
        return listed(names, most=most)

    def matrix(self, counts: Floats, against: Floats) -> Floats:
        """Return counts (..., P) as (..., n, n): those of ``first`` and, turned, of ``second``."""
        whole = np.zeros((*counts.shape[:-1], self.n, self.n))
        whole[..., self.first, self.second] = counts
        whole[..., self.second, self.first] = against
        return whole


class Sums:
    """Sum what pairs say over the pairs of each candidate; the order of the pairs is found once.

    Parameters
    ----------
    pairs
        Only who met whom is looked at.
    """

    def __init__(self, pairs: PairCounts) -> None:
        self._n = pairs.n
        self._order = np.argsort(pairs.second, kind="stable")
        self._runs = [_runs(pairs.first), _runs(pairs.second[self._order])]

    def __call__(self, for_first: Floats, for_second: Floats) -> Floats:
        """Return (..., n) what each candidate gets, given (..., P) for both sides."""
        total = np.zeros((*for_first.shape[:-1], self._n))
        if for_first.shape[-1]:
            turned = np.take(for_second, self._order, axis=-1, mode="clip")
            for values, (starts, candidates) in zip((for_first, turned), self._runs, strict=True):
                total[..., candidates] += np.add.reduceat(values, starts, axis=-1)
        return total


def _runs(sorted_keys: Integers) -> tuple[Integers, Integers]:
    starts = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    return starts, sorted_keys[starts]


def sums_by_candidate(pairs: PairCounts, for_first: Floats, for_second: Floats) -> Floats:
    """Return (..., n): what each candidate gets over its pairs, given (..., P) for both sides."""
    return Sums(pairs)(for_first, for_second)


class CellPairs:
    """The pairs of a battle log, ready to count replicates of its cells.

    Parameters
    ----------
    battles
        Cells (C,): who met whom and how it ended.
    """

    def __init__(self, battles: Battles) -> None:
        turned = battles.left > battles.right
        first = np.where(turned, battles.right, battles.left).astype(np.int64)
        second = np.where(turned, battles.left, battles.right).astype(np.int64)
        result = np.where(turned, -battles.outcome, battles.outcome).astype(np.int64)
        n = len(battles.candidates)
        keys, pair = np.unique(first * n + second, return_inverse=True)
        kind = np.where(result == 0, 2, (1 - result) // 2)  # 0 won, 1 lost, 2 tied
        group = kind * len(keys) + pair
        self._order: Integers = np.argsort(group, kind="stable")
        self._starts: Integers = np.flatnonzero(np.diff(group[self._order], prepend=-1))
        self._groups: Integers = group[self._order][self._starts]
        self.group: Integers = group
        self.pair: Integers = pair
        self.kind: Integers = kind
        self._weights = np.asarray(battles.weights, dtype=np.float64)
        self.n, self.names = n, tuple(battles.candidates)
        self.first, self.second = keys // n, keys % n

    def counts(self, cell_weights: Floats | None = None) -> PairCounts:
        """Return the counts of the log, or of replicates given the weight of each cell (B, C)."""
        weights = self._weights if cell_weights is None else np.asarray(cell_weights, np.float64)
        if weights.shape[-1] != len(self._order):
            raise UsageError(
                f"cell weights of shape {weights.shape} for {counted(len(self._order), 'cell')}."
            )
        pairs = len(self.first)
        parts = np.zeros((*weights.shape[:-1], OUTCOMES * pairs))
        if pairs:
            runs = np.add.reduceat(weights[..., self._order], self._starts, axis=-1)
            parts[..., self._groups] = runs
        won, lost, tied = (parts[..., k * pairs : (k + 1) * pairs] for k in range(OUTCOMES))
        return PairCounts(self.n, self.first, self.second, won, lost, tied, self.names)


def pairs_of_battles(battles: Battles, cell_weights: Floats | None = None) -> PairCounts:
    """Return the pairs of a battle log.

    Parameters
    ----------
    battles
        The log.
    cell_weights
        For replicates: the weight (B, C) that each cell has instead of ``battles.weights``. For
        block after block :class:`CellPairs` sorts the cells only once.
    """
    return CellPairs(battles).counts(cell_weights)

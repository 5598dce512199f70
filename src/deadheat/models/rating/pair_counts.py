"""Who met whom how often, and how it ended: all that a Bradley-Terry model looks at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    command_with,
    listed,
    quoted,
)
from deadheat.core.options import PAIRINGS
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.ranking.block import slices
from deadheat.ranking.ranks import levels

if TYPE_CHECKING:
    from deadheat.data.battles import Battles


SIDE = "left side"  # what being on it is called among circumstances


def share_won(outcome: npt.ArrayLike) -> Floats:
    """Return what the left side won: 1, one half of a tie, or 0; from 1, 0 and -1."""
    return (np.asarray(outcome, dtype=np.float64) + 1) / 2


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Hold the unordered pairs that met, ``first < second``, and what ``first`` made of it."""

    n: int
    first: Integers
    second: Integers  # the pairs (P,), sorted; no pair twice
    wins: Floats
    losses: Floats
    ties: Floats  # the weight of what first won, lost and tied: (P,), or (B, P) for replicates
    names: tuple[str, ...] = ()  # of the candidates, for messages

    @property
    def met(self) -> Floats:
        return self.wins + self.losses + self.ties

    @property
    def outcomes(self) -> Floats:
        return np.stack([self.wins, self.losses, self.ties])

    @property
    def points(self) -> Floats:
        return self.wins + self.ties / 2

    @property
    def points_against(self) -> Floats:
        return self.losses + self.ties / 2

    def with_counts(self, wins: Floats, losses: Floats, ties: Floats) -> PairCounts:
        return replace(self, wins=wins, losses=losses, ties=ties)

    def of_replicate(self, chosen: Integers | slice | int) -> PairCounts:
        return self.with_counts(self.wins[chosen], self.losses[chosen], self.ties[chosen])

    def among(self, chosen: Integers) -> PairCounts:
        """Return the pairs among some candidates, who are numbered anew in their order."""
        place = np.full(self.n, -1)
        place[chosen] = np.arange(len(chosen))
        first, second = place[self.first], place[self.second]
        kept = (first >= 0) & (second >= 0)
        names = tuple(self.names[i] for i in chosen) if self.names else ()
        won, lost, tied = (each[..., kept] for each in (self.wins, self.losses, self.ties))
        return PairCounts(len(chosen), first[kept], second[kept], won, lost, tied, names)

    def names_of(self, candidates: Integers | tuple[int, ...]) -> str:
        names = (quoted(self.names[i]) if self.names else f"number {i}" for i in candidates)
        return listed(names, most=8)

    def matrix(self, counts: Floats, against: Floats) -> Floats:
        """Return counts (..., P) as (..., n, n): those of ``first`` and, turned, of ``second``."""
        whole = np.zeros((*counts.shape[:-1], self.n, self.n))
        whole[..., self.first, self.second] = counts
        whole[..., self.second, self.first] = against
        return whole


class Sums:
    """Sum what pairs say over the pairs of each candidate; the order of the pairs is found once."""

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


class CellPairs:
    """The pairs of a battle log of cells (C,), ready to count replicates of its cells."""

    def __init__(self, battles: Battles) -> None:
        left, right, n = battles.left, battles.right, len(battles.candidates)
        first, second = (f(left, right).astype(np.int64) for f in (np.minimum, np.maximum))
        result = np.where(left > right, -battles.outcome, battles.outcome).astype(np.int64)
        keys, pair = np.unique(first * n + second, return_inverse=True)
        kind = np.where(result == 0, 2, (1 - result) // 2)  # 0 won, 1 lost, 2 tied
        group = kind * len(keys) + pair
        self._order: Integers = np.argsort(group, kind="stable")
        self._starts, self._groups = _runs(group[self._order])
        self.group, self.pair, self.kind = group, pair, kind
        self._weights = np.asarray(battles.weights, dtype=np.float64)
        self.n, self.names = n, tuple(battles.candidates)
        self.first, self.second = keys // n, keys % n

    def counts(self, cell_weights: Floats | None = None) -> PairCounts:
        """Return the counts of the log, or of replicates given the weight of each cell (B, C)."""
        weights = self._weights if cell_weights is None else np.asarray(cell_weights, np.float64)
        pairs = len(self.first)
        parts = np.zeros((*weights.shape[:-1], 3 * pairs))  # won, lost, tied
        if pairs:
            runs = np.add.reduceat(weights[..., self._order], self._starts, axis=-1)
            parts[..., self._groups] = runs
        won, lost, tied = np.split(parts, 3, axis=-1)
        return PairCounts(self.n, self.first, self.second, won, lost, tied, self.names)


# From scores in rounds to pairs: on the same round, or every round against every other.


def pairs_of_rounds(
    scores: Floats,
    round_weights: Floats | None = None,
    *,
    pairing: str = "same",
    tie_tol: float = 0.0,
    names: tuple[str, ...] = (),
) -> PairCounts:
    r"""Return the pairs of a table of scores (n, S), higher is better, or of replicates of it.

    With ``pairing="same"`` two candidates meet once in each round. With ``"all"`` every round of
    one meets every round of the other, :math:`W_{ij} = \sum_{s,t} w_s w_t [x_{is} > x_{jt}]`, the
    Mann-Whitney count (Gosiewska et al. 2019, "EPP: interpretable score of model predictive power",
    sec. 6 and 5.1). ``round_weights`` (B, S) say how often each round is there.
    """
    table, weights = checked_rounds(scores, round_weights, pairing=pairing, tie_tol=tie_tol)
    rows = np.ones((1, table.shape[1])) if weights is None else weights
    pairs = (_same if pairing == "same" else _all)(table, rows, names)
    return pairs if weights is not None else pairs.of_replicate(0)


def checked_rounds(
    scores: Floats, round_weights: Floats | None = None, *, pairing: str, tie_tol: float = 0.0
) -> tuple[Floats, Floats | None]:
    if pairing not in PAIRINGS:
        raise UnknownNameError("pairing", str(pairing), PAIRINGS)
    table: Floats = np.asarray(scores, dtype=np.float64)
    as_one_judge = table.reshape(-1, 1) if pairing == "all" else table
    table = levels(as_one_judge, tolerance=tie_tol).reshape(table.shape)
    if round_weights is None:
        return table, None
    return table, np.atleast_2d(np.asarray(round_weights, dtype=np.float64))


def _same(scores: Floats, weights: Floats, names: tuple[str, ...]) -> PairCounts:
    n, rounds = scores.shape
    there = (~np.isnan(scores)).astype(np.float64)
    first, second = np.triu_indices(n, 1)
    met = (there @ there.T)[first, second] > 0
    first, second = first[met], second[met]
    counts = np.empty((3, len(weights), len(first)))
    for part in slices(len(first), rounds):
        mine, yours = scores[first[part]], scores[second[part]]
        for kind, compare in enumerate((np.greater, np.less, np.equal)):
            said: Floats = compare(mine, yours).astype(np.float64)
            np.matmul(weights, said.T, out=counts[kind, :, part])
    return PairCounts(n, first, second, counts[0], counts[1], counts[2], names)


def _all(scores: Floats, weights: Floats, names: tuple[str, ...]) -> PairCounts:
    """Count through running sums of weights: what lies below x among the sorted scores of j."""
    n = len(scores)
    there = ~np.isnan(scores)
    first, second = np.triu_indices(n, 1)
    anywhere: Booleans = np.any(there, axis=1)
    met = anywhere[first] & anywhere[second]
    first, second = first[met], second[met]
    wins, losses = (np.zeros((len(weights), len(first))) for _ in range(2))
    tied = np.zeros(len(first), dtype=bool)
    for j in range(n):
        won, level = _against(scores, weights, j)  # (B, n), (n,)
        above, below = second == j, first == j
        wins[:, above], tied[above] = won[:, first[above]], level[first[above]]
        losses[:, below] = won[:, second[below]]
    total = weights @ there.T.astype(np.float64)
    played = total[:, first] * total[:, second]
    ties = np.where(tied, np.maximum(played - wins - losses, 0.0), 0.0)
    return PairCounts(n, first, second, wins, losses, ties, names)


def _against(scores: Floats, weights: Floats, j: int) -> tuple[Floats, Booleans]:
    """Return what each candidate wins against j, (B, n), and whether it ever ties with j."""
    order = np.argsort(scores[j])[: np.count_nonzero(~np.isnan(scores[j]))]
    own, flat = scores[j][order], np.where(np.isnan(scores), -np.inf, scores).ravel()
    below = np.searchsorted(own, flat, side="left").reshape(scores.shape)
    upto = np.searchsorted(own, flat, side="right").reshape(scores.shape)
    there = ~np.isnan(scores)
    won = np.empty((len(weights), len(scores)))
    for part in slices(len(weights), scores.size):
        rows = weights[part]
        reached = np.zeros((len(rows), len(order) + 1))
        np.cumsum(rows[:, order], axis=1, out=reached[:, 1:])
        won[part] = np.einsum("bns,bs,ns->bn", reached[:, below], rows, there)
    level: Booleans = np.any((upto > below) & there, axis=1)
    return won, level


def checked_ranks(ranks: npt.ArrayLike) -> Floats:
    table = np.asarray(ranks, dtype=np.float64)
    if not ((~np.isnan(table)).sum(axis=1) > 1).any():
        raise DataError(
            "no round has two candidates.", hint="give scores of two candidates in one round."
        )
    return table


def checked_strength(strength: float) -> float:
    if not (np.isfinite(strength) and strength > 0):
        hint = f"as usual: {command_with(strength=None)}"
        raise UsageError(f"strength must be above 0 and finite, got {strength:g}.", hint=hint)
    return float(strength)

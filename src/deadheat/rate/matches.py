"""What ratings are fitted to: matches between candidates, and how to draw them again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.errors import counted
from deadheat.inference.evidence import present_units
from deadheat.inference.rating_goodness import goodness_of_battles, goodness_of_rounds
from deadheat.ranking.blocks import WORKING_SET
from deadheat.ranking.rating.pair_counts import CellPairs, PairCounts
from deadheat.ranking.rating.round_pairs import pairs_of_rounds
from deadheat.resampling.battle_draws import BattleBootstrap, BattlePlan
from deadheat.resampling.choice import plan_in_words
from deadheat.resampling.plans import Plan, blocks, rows_of, tiles
from deadheat.typing import Floats, Integers

if TYPE_CHECKING:
    from deadheat.inference.rating_fit import Goodness
    from deadheat.ranking.rating.bradley_terry import Fit


RATED = 100  # replicates that are rated together
SAME = 1e-9  # weights of battles that differ by less are the same


class Matches(Protocol):
    """Whatever says who met whom, and can be drawn again."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates."""
        ...

    @property
    def pairs(self) -> PairCounts:
        """The pairs as observed, (P,)."""
        ...

    @property
    def units(self) -> int:
        """How many things are drawn independently of each other."""
        ...

    @property
    def strata(self) -> int:
        """In how many strata they are; 1 where there are none."""
        ...

    @property
    def independent(self) -> Floats:
        """How many matches of each pair are independent of each other, (P,), at most."""
        ...

    @property
    def parts(self) -> range:
        """The numbers of the blocks of replicates."""
        ...

    def drawn(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        """Yield the pairs (B, P) of tiles of block k, and how many of their replicates count."""
        ...

    def goodness(self, fit: Fit, **how: Any) -> Goodness:
        """Return how well a model fits, calibrated by tables simulated from it."""
        ...

    def in_words(self) -> str:
        """Return what was drawn, as the end of a sentence."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class RoundMatches:
    """Rounds in which candidates have scores; whoever has the higher one wins."""

    results: Results
    plan: Plan
    pairing: str = "same"

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates."""
        return tuple(self.results.candidates)

    @cached_property
    def pairs(self) -> PairCounts:
        """The pairs as observed, (P,)."""
        return self.counted(self.results.weights[None]).of_replicate(0)

    @property
    def clusters(self) -> tuple[str, ...] | None:
        """The clusters of the rounds that are drawn whole, (S,)."""
        return getattr(self.plan, "clusters", None)

    @property
    def units(self) -> int:
        """How many rounds of weight, or clusters of them, there are."""
        return present_units(self.results, self.plan)[0]

    @property
    def strata(self) -> int:
        """In how many strata they are; 1 where there are none."""
        return present_units(self.results, self.plan)[1]

    @property
    def independent(self) -> Floats:
        """As many matches of each pair as it met, and no more than there are units."""
        return np.minimum(
            self.counted(np.ones((1, self.results.m))).of_replicate(0).met, self.units
        )

    @property
    def parts(self) -> range:
        """The numbers of the blocks of replicates."""
        return blocks(self.plan, *self.results.scores.shape)

    def counted(self, weights: Floats) -> PairCounts:
        """Return the pairs under weights of the rounds (B, S)."""
        return pairs_of_rounds(
            self.results.scores,
            weights,
            pairing=self.pairing,
            tie_tol=self.results.tie_tol,
            names=self.candidates,
        )

    def weights(self, k: int, size: int = RATED) -> Iterator[tuple[Floats, int]]:
        """Yield the weights of the rounds (B, S) in tiles of block k, and how many count."""
        n, m = self.results.scores.shape
        drawn = self.plan.whole_block(k, n, m).judges
        for rows, asked in tiles(len(rows_of(self.plan, k, n, m)), size):
            yield np.asarray(drawn[rows] * self.results.weights), asked

    def drawn(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        """Yield the pairs (B, P) of tiles of block k, and how many of their replicates count."""
        size = max(1, min(RATED, WORKING_SET // max(1, len(self.pairs.first))))
        for weights, asked in self.weights(k, size):
            yield self.counted(weights), asked

    def goodness(self, fit: Fit, **how: Any) -> Goodness:
        """Return how well a model fits, calibrated by tables simulated from it.

        Nothing is simulated where rounds of a cluster are alike.
        """
        if self.results.clusters is not None:
            how["simulations"] = 0
        scores, weights = self.results.scores, self.results.weights
        return goodness_of_rounds(scores, fit, pairing=self.pairing, round_weights=weights, **how)

    def in_words(self) -> str:
        """Return what was drawn, as the end of a sentence."""
        return plan_in_words(self.results, self.plan)


@dataclass(frozen=True, eq=False, kw_only=True)
class BattleMatches:
    """A battle log: who met whom, and who won."""

    battles: Battles
    replicates: int
    seed: int
    way: BattlePlan = "bayesian"

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates."""
        return self.battles.candidates

    @cached_property
    def cells(self) -> CellPairs:
        """The cells of the log, sorted by pair once."""
        return CellPairs(self.battles)

    @cached_property
    def pairs(self) -> PairCounts:
        """The pairs as observed, (P,)."""
        return self.cells.counts()

    @cached_property
    def plan(self) -> BattleBootstrap:
        """What draws the cells of the log, or whole clusters of them."""
        return BattleBootstrap(
            battles=self.battles.battles,
            weights=self.battles.weights,
            clusters=self.battles.clusters,
            plan=self.way,
            replicates=self.replicates,
            seed=self.seed,
        )

    @cached_property
    def alike(self) -> bool:
        """Whether all battles weigh the same."""
        each = self.battles.weights / self.battles.battles
        return bool(np.ptp(each) <= SAME * each.max())

    @cached_property
    def _merged(self) -> tuple[Integers, BattleBootstrap]:
        """The outcomes of pairs that happened, and what draws them, whoever stood on the left."""
        counts = np.concatenate([self.fought.wins, self.fought.losses, self.fought.ties])
        weights = np.concatenate([self.pairs.wins, self.pairs.losses, self.pairs.ties])
        there = np.flatnonzero(counts)
        drawing = replace(self.plan, battles=counts[there].astype(np.int64), weights=weights[there])
        return there, drawing

    @cached_property
    def _by_cluster(self) -> tuple[Any, BattleBootstrap]:
        """The weights of outcomes of pairs by cluster, sparse (3 P, clusters), and what draws."""
        from scipy.sparse import coo_array

        clusters = self.battles.clusters
        shape = (3 * len(self.pairs.first), self.plan.units)
        weights = coo_array((self.battles.weights, (self.cells.group, clusters)), shape=shape)
        return weights.tocsr(), replace(self.plan, width=max(shape))

    @cached_property
    def fought(self) -> PairCounts:
        """How many battles each pair won, lost and tied, whatever they weigh."""
        return self.cells.counts(self.battles.battles[None].astype(np.float64)).of_replicate(0)

    @property
    def units(self) -> int:
        """How many battles, or clusters of them, there are."""
        return self.plan.units

    @property
    def strata(self) -> int:
        """Logs have none."""
        return 1

    @property
    def independent(self) -> Floats:
        """How many battles each pair fought, or in how many clusters it did."""
        if self.battles.clusters is None:
            return self.fought.met
        both = np.unique(np.stack([self.cells.pair, self.battles.clusters]), axis=1)
        return np.bincount(both[0], minlength=len(self.cells.first)).astype(np.float64)

    @property
    def parts(self) -> range:
        """The numbers of the blocks of replicates."""
        if self.battles.clusters is not None:
            return self._by_cluster[1].blocks
        return (self._merged[1] if self.alike else self.plan).blocks

    def drawn(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        """Yield the pairs (B, P) of tiles of block k, and how many of their replicates count."""
        if self.battles.clusters is not None:
            by_cluster, drawing = self._by_cluster
            for times, asked in drawing.times_in_tiles(k, RATED):
                drawn = (by_cluster @ times.T.astype(np.float64)).T
                yield self.pairs.with_counts(*np.split(drawn, 3, axis=1)), asked
            return
        if not self.alike:
            for weights, asked in self.plan.in_tiles(k, RATED):
                yield self.cells.counts(weights), asked
            return
        there, drawing = self._merged
        for drawn, asked in drawing.in_tiles(k, RATED):
            counts = np.zeros((len(drawn), 3 * len(self.pairs.first)))
            counts[:, there] = drawn
            yield self.pairs.with_counts(*np.split(counts, 3, axis=1)), asked

    def goodness(self, fit: Fit, **how: Any) -> Goodness:
        """Return how well a model fits, calibrated by logs simulated from it.

        Nothing is simulated where battles depend on each other, or differ in weight.
        """
        if self.battles.clusters is not None or not self.alike:
            how["simulations"] = 0
        return goodness_of_battles(fit, battles=self.fought.met, **how)

    def in_words(self) -> str:
        """Return what was drawn, as the end of a sentence."""
        clusters, kind = self.battles.clusters, self.battles.cluster_kind
        what = counted(self.units, "battle")
        if clusters is not None:
            what = f"{counted(self.units, 'cluster')} of battles, by {kind}"
        if self.way == "bayesian":
            return f"{what}, weighted at random (Bayesian bootstrap)"
        return f"{what}, drawn {'one by one' if clusters is None else 'whole'}, with replacement"

"""What ratings are fitted to: who met whom, and how to draw the matches again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np

from deadheat.core.errors import DataError, UsageError, Words, counted, quoted, say
from deadheat.core.types import Floats, Integers
from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.models.rating.bradley_terry import Fit
from deadheat.models.rating.bradley_terry import fit as fit_pairs
from deadheat.models.rating.existence import existence
from deadheat.models.rating.pair_counts import CellPairs, PairCounts, Sums, pairs_of_rounds
from deadheat.models.rating.uncertainty import sandwich_of_battles, sandwich_of_rounds
from deadheat.ranking.block import WORKING_SET
from deadheat.rate.calibration import Goodness, battles_like, goodness, rounds_like, split_sd
from deadheat.rate.options import Options
from deadheat.rate.units import Linear, means_over_battles, means_over_rounds
from deadheat.resampling.plans import (
    BATTLE_PLANS,
    BattleBootstrap,
    BattlePlan,
    Plan,
    blocks,
    plan_for,
    plan_warnings,
    rows_of,
    tiles,
)
from deadheat.resampling.replicate import Engine
from deadheat.statistics.evidence import require_judges_drawn

RATED = 100  # replicates that are rated together
SAME = 1e-9  # weights of battles that differ by less are the same


@dataclass(frozen=True, eq=False, kw_only=True)
class RoundMatches:
    """Rounds in which candidates have scores; whoever has the higher one wins."""

    results: Results
    plan: Plan
    pairing: str = "same"

    @property
    def candidates(self) -> tuple[str, ...]:
        return tuple(self.results.candidates)

    @cached_property
    def pairs(self) -> PairCounts:
        return self.counted(self.results.weights[None]).of_replicate(0)

    @property
    def units(self) -> int:
        return self.plan.present(self.results.weights)[0]

    @property
    def strata(self) -> int:
        return self.plan.present(self.results.weights)[1]

    @property
    def independent(self) -> Floats:
        """As many matches of each pair as it met, and no more than there are units."""
        return np.minimum(
            self.counted(np.ones((1, self.results.m))).of_replicate(0).met, self.units
        )

    @property
    def parts(self) -> range:
        return blocks(self.plan, *self.results.scores.shape)

    def counted(self, weights: Floats) -> PairCounts:
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
        for rows, count in tiles(len(rows_of(self.plan, k, n, m)), size):
            yield np.asarray(drawn[rows] * self.results.weights), count

    def drawn(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        """Yield the pairs (B, P) of tiles of block k, and how many of their replicates count."""
        size = max(1, min(RATED, WORKING_SET // max(1, len(self.pairs.first))))
        for weights, count in self.weights(k, size):
            yield self.counted(weights), count

    def goodness(self, fit: Fit, *, simulations: int, seed: int, on: str | Engine) -> Goodness:
        """Return how well a model fits, calibrated by tables simulated from it.

        Nothing is simulated where rounds of a cluster are alike. Noise is independent between the
        candidates of a round, up to what all share: who fail on the same rounds make the deviance
        smaller.
        """
        if self.results.clusters is not None:
            simulations = 0
        plain = fit if fit.ties == "half" else fit_pairs(fit.pairs)
        tables = rounds_like(
            self.results.scores,
            fit.pairs,
            plain.ratings,
            pairing=self.pairing,
            round_weights=self.results.weights,
        )
        return goodness(fit, tables, simulations=simulations, seed=seed, on=on)

    def linear(self, fit: Fit, *, on: str | Engine) -> Linear:
        return means_over_rounds(self.results, self.plan, fit, pairing=self.pairing, on=on)

    def sandwich(self, fit: Fit) -> Floats:
        return sandwich_of_rounds(
            fit,
            self.results.scores,
            round_weights=self.results.weights[None],
            pairing=self.pairing,
            tie_tol=self.results.tie_tol,
            clusters=self.plan.clusters,
        )

    @property
    def split_sd(self) -> float | None:
        return split_sd(self.results.scores, pairing=self.pairing)

    def in_words(self) -> str:
        return self.plan.in_words(self.results.m)

    @property
    def kind(self) -> str:
        return "rounds" if self.plan.clusters is None else "clusters of rounds"

    def cautions(self, errors: str) -> tuple[str, ...]:
        if errors == "bootstrap":
            return tuple(plan_warnings(self.results, self.plan))
        strata, cautions = self.results.strata, []
        if strata is not None:
            said = (
                f"takes the rounds of all {counted(len(set(strata)), 'stratum', 'strata')} as "
                "drawn at once: where strata differ, standard errors are too large."
            )
            inside = "draws inside strata."
            text = f"{say('errors', errors)} {said} {say('errors', 'bootstrap')} {inside}"
            page = f"errors by {errors} {said} errors by bootstrap {inside}"
            cautions.append(Words(text, page=page))
        if (
            errors == "sandwich"
            and self.results.clusters is not None
            and self.plan.clusters is None
        ):
            said = "rounds of one cluster are taken as independent: intervals may be far too narrow"
            kept = "keeps them together."
            text = f"{said}; {say('plan', 'clustered')} {kept}"
            cautions.append(Words(text, page=f"{said}; the plan clustered {kept}"))
        return tuple(cautions)


@dataclass(frozen=True, eq=False, kw_only=True)
class BattleMatches:
    """A battle log: who met whom, and who won."""

    battles: Battles
    replicates: int
    seed: int
    way: BattlePlan = "bayesian"
    strata: ClassVar[int] = 1
    split_sd: ClassVar[float | None] = None

    @property
    def candidates(self) -> tuple[str, ...]:
        return self.battles.candidates

    @cached_property
    def cells(self) -> CellPairs:
        return CellPairs(self.battles)

    @cached_property
    def pairs(self) -> PairCounts:
        return self.cells.counts()

    @cached_property
    def plan(self) -> BattleBootstrap:
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
        return self.plan.units

    @property
    def independent(self) -> Floats:
        """How many battles each pair fought, or in how many clusters it did."""
        if self.battles.clusters is None:
            return self.fought.met
        met = np.unique(np.stack([self.cells.pair, self.battles.clusters]), axis=1)
        return np.bincount(met[0], minlength=len(self.cells.first)).astype(np.float64)

    @property
    def parts(self) -> range:
        if self.battles.clusters is not None:
            return self._by_cluster[1].blocks
        return (self._merged[1] if self.alike else self.plan).blocks

    def drawn(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        """Yield the pairs (B, P) of tiles of block k, and how many of their replicates count."""
        if self.battles.clusters is not None:
            by_cluster, drawing = self._by_cluster
            for times, count in drawing.times_in_tiles(k, RATED):
                drawn = (by_cluster @ times.T.astype(np.float64)).T
                yield self.pairs.with_counts(*np.split(drawn, 3, axis=1)), count
            return
        if not self.alike:
            for weights, count in self.plan.in_tiles(k, RATED):
                yield self.cells.counts(weights), count
            return
        there, drawing = self._merged
        for drawn, count in drawing.in_tiles(k, RATED):
            counts = np.zeros((len(drawn), 3 * len(self.pairs.first)))
            counts[:, there] = drawn
            yield self.pairs.with_counts(*np.split(counts, 3, axis=1)), count

    def goodness(self, fit: Fit, *, simulations: int, seed: int, on: str | Engine) -> Goodness:
        """Return how well a model fits, calibrated by logs simulated from it.

        Nothing is simulated where battles depend on each other, or differ in weight. Where one
        voter or prompt is behind many of them, the deviance is larger though the ratings are right.
        """
        if self.battles.clusters is not None or not self.alike:
            simulations = 0
        logs = battles_like(
            fit.pairs, fit.ratings, ties=fit.ties, tie=fit.tie, battles=self.fought.met
        )
        return goodness(fit, logs, simulations=simulations, seed=seed, on=on)

    def linear(self, fit: Fit, *, on: str | Engine) -> Linear:
        return means_over_battles(
            self.battles, fit, units=self.units, replicates=self.replicates, seed=self.seed, on=on
        )

    def sandwich(self, fit: Fit) -> Floats:
        return sandwich_of_battles(fit, self.battles)

    @property
    def kind(self) -> str:
        one_by_one = self.battles.clusters is None
        return "battles" if one_by_one else f"clusters by {self.battles.cluster_kind}"

    def cautions(self, errors: str) -> tuple[str, ...]:  # noqa: ARG002 - as of rounds
        return ()

    def in_words(self) -> str:
        clusters, kind = self.battles.clusters, self.battles.cluster_kind
        what = counted(self.units, "battle")
        if clusters is not None:
            what = f"{counted(self.units, 'cluster')} of battles, by {kind}"
        if self.way == "bayesian":
            return f"{what}, weighted at random (Bayesian bootstrap)"
        return f"{what}, drawn {'one by one' if clusters is None else 'whole'}, with replacement"


Matches: TypeAlias = RoundMatches | BattleMatches
"""Whatever says who met whom, and can be drawn again."""

FEWEST_KEPT = 20  # replicates that show how ratings vary


def matches_of(found: Results | Battles, options: Options) -> Matches:
    return battles_of(found, options) if isinstance(found, Battles) else rounds_of(found, options)


def battles_of(found: Battles, options: Options) -> BattleMatches:
    options.refuse(kind="a battle log", pairing="same")
    usual = "bootstrap" if options.model == "elo" else "bayesian"
    way = next((plan for plan in BATTLE_PLANS if plan == (options.plan or usual)), None)
    if way is None:
        raise UsageError(
            f"battles of a log are weighted at random, or drawn one by one, not by the plan "
            f"{options.plan!r}.",
            hint=f"{say('plan', 'bayesian')} or {say('plan', 'bootstrap')}; "
            f"{say('cluster', 'COL')} takes whole voters or prompts.",
        )
    matches = BattleMatches(
        battles=found, replicates=options.replicates, seed=options.seed, way=way
    )
    _require_units(matches, options)
    if way == options.errors == "bootstrap" and found.clusters is None:
        fought = record(matches.fought).sum(axis=0)
        there = 1 - (1 - fought / found.total) ** found.total
        if there.prod() * matches.replicates < FEWEST_KEPT:
            rarest = int(fought.argmin())
            raise DataError(
                "in nearly all resamples somebody meets nobody: "
                f"{quoted(found.candidates[rarest])} has "
                f"{counted(int(fought[rarest]), 'match', 'matches')}.",
                hint=f"{say('plan', 'bayesian')} leaves nobody out; or {say('min_matches', 5)}.",
            )
    return matches


def rounds_of(found: Results, options: Options) -> RoundMatches:
    if found.n < 2:
        raise DataError(
            f"ratings need two candidates or more, got {found.n}.",
            hint="a rating says who beats whom.",
        )
    plan = plan_for(found, options.plan, replicates=options.replicates, seed=options.seed)
    require_judges_drawn(plan)
    if not plan.spreads_alike:
        raise UsageError(
            f"replicates of the plan {plan.kind} vary less or more than ratings of other rounds "
            "would.",
            hint=f"{say('plan', 'bootstrap')}, or {say('errors', 'sandwich')}, which needs no "
            "replicates.",
        )
    matches = RoundMatches(results=found, plan=plan, pairing=options.pairing)
    _require_units(matches, options)
    return matches


def standing(pairs: PairCounts, *, teams: bool = False) -> dict[str, bool | None]:
    """Return whether matches, and wins, join everybody; None for members of teams."""
    there = existence(pairs)
    return {
        "connected": None if teams else there.connected,
        "strongly_connected": None if teams else there.strongly_connected,
    }


def record(pairs: PairCounts) -> Floats:
    """Return wins, losses and ties of each candidate, (3, n)."""
    counts = (pairs.wins, pairs.losses), (pairs.losses, pairs.wins), (pairs.ties, pairs.ties)
    return np.stack([Sums(pairs)(*each) for each in counts])


def complete(replicates: Floats, candidates: Sequence[str]) -> tuple[Floats, int]:
    """Return the replicates in which everybody met somebody, and how many were left out."""
    absent = np.isnan(replicates[:, : len(candidates)])
    there = ~absent.any(axis=1)
    number = int(np.count_nonzero(~there))
    if number and len(replicates) - number < FEWEST_KEPT:
        rarest = candidates[int(absent.sum(axis=0).argmax())]
        raise DataError(
            f"in {number:,} of {len(replicates):,} resamples somebody meets nobody, most often "
            f"{quoted(rarest)}.",
            hint=f"leave out who has very few matches; or {say('errors', 'sandwich')}, which draws "
            "nothing.",
        )
    return replicates[there] if number else replicates, number


def _require_units(matches: Matches, options: Options) -> None:
    if options.errors != "fisher" and matches.units < 2:
        raise DataError(
            "there is only one round, battle or cluster, so nothing shows how far the ratings "
            "vary.",
            hint=f"give more; or {say('errors', 'fisher')}, which takes all matches as "
            "independent.",
        )

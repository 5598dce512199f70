"""What ratings are fitted to: who met whom, how to draw that again, and what each unit adds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, TypeAlias

import numpy as np

from deadheat.core.errors import (
    DataError,
    UsageError,
    Words,
    ask,
    command_with,
    counted,
    quoted,
    say,
)
from deadheat.core.types import Floats, Integers, codes
from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.models.rating.bradley_terry import Fit
from deadheat.models.rating.bradley_terry import fit as fit_pairs
from deadheat.models.rating.pair_counts import CellPairs, PairCounts, Sums, pairs_of_rounds
from deadheat.models.rating.uncertainty import (
    influences,
    sandwich_of_battles,
    sandwich_of_rounds,
    scores_of_cells,
    scores_of_rounds,
)
from deadheat.ranking.block import WORKING_SET
from deadheat.rate.calibration import Goodness, battles_like, goodness, rounds_like, split_sd
from deadheat.rate.options import IN_ORDER, Options
from deadheat.resampling import plans
from deadheat.resampling.draws import stream
from deadheat.resampling.engines import Engine
from deadheat.statistics.evidence import require_judges_drawn
from deadheat.statistics.strict_groups import ASIDE
from deadheat.statistics.units import FEWEST_JUDGES, Units, parts, units

RATED = 100  # replicates that are rated together
SAME = 1e-9  # weights of battles that differ by less are the same
FEWEST_KEPT = 20  # replicates that show how ratings vary

# What each round, battle or cluster adds to ratings, to first order: the units of their tests.

MOST_UNITS, FEWEST_GROUPS = 2_000, 200  # of battles; more are put together at random
EXPANDED = 1_000_000  # battles beyond one of each cell that are dealt one by one
REPLICATES = 1_000  # that are enough for a test at usual levels
TOLERANCE = 1e-9  # of fitted ratings
Shares = Iterator[tuple[Integers, Integers, Floats]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Linear:
    r"""Hold ratings as means over units, so that they are tested as merits are.

    Unit u, of size :math:`w_u`, adds :math:`q_u = b + \psi_u W / w_u`, where :math:`\psi` are the
    influences (:func:`deadheat.models.rating.uncertainty.influences`) and W is the sum of sizes:
    the weighted mean of q is b, its standard error that of the sandwich, and no resample is fitted.
    ``known`` (n,) is in how many units each candidate has a part, less those strata but one in
    which it has one. Who has fewer than 10 is not tested: a resample without them has a large
    statistic.
    """

    make: Callable[[], Units]
    plan: plans.Plan
    on: str | Engine
    noun: str
    known: Integers

    @cached_property
    def tested(self) -> Integers:
        return np.flatnonzero(self.known >= FEWEST_JUDGES)

    def among(self, some: Integers) -> Linear:
        fewer = replace(self.units, values=self.units.values[some])
        return replace(self, make=lambda: fewer, known=self.known[some])

    @cached_property
    def units(self) -> Units:
        return replace(self.make(), tolerance=TOLERANCE)


def _affordable(n: int, units: int, replicates: int) -> int:
    """Return how many resamples all pairs are tested in: as asked, or as many as take seconds."""
    return min(replicates, max(REPLICATES, ASIDE // (n * n * units)))


def _distinct(who: Integers, labels: Integers, n: int) -> Integers:
    size = int(labels.max(initial=0)) + 1
    return np.bincount(np.unique(who * size + labels) // size, minlength=n)


def _contributions(fit: Fit, by_unit: Floats, sizes: Floats) -> Floats:
    """Return what units add to the mean that the ratings are, (n, U); 0 where one has no size."""
    scale = np.divide(sizes.sum(), sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    return np.asarray(fit.ratings[:, None] + influences(fit, by_unit, sizes) * scale)


def _deal_units(log: Battles, seed: int, most: int) -> tuple[int, Shares]:
    """Return how many units there are, and which have which share of which cells, part by part."""
    times = np.asarray(log.battles, dtype=np.int64)
    fought = int(times.sum())
    if log.clusters is None and fought > len(times) + EXPANDED:
        return most, _deal_by_count(times, most, stream(seed, fought))
    if log.clusters is None:
        cell = np.repeat(np.arange(len(times)), times)
        unit, share = np.arange(len(cell)), 1.0 / times[cell]
    else:
        cell, share = np.arange(len(times)), np.ones(len(times))
        unit = np.unique(log.clusters, return_inverse=True)[1]
    number = int(unit.max()) + 1
    if number > most:
        unit, number = (stream(seed, number).permutation(number) % most)[unit], most
    return number, iter([(unit, cell, share)])


def _deal_by_count(times: Integers, groups: int, rng: np.random.Generator) -> Shares:
    """Yield how battles fall to groups of equal chance: those of small cells one by one."""
    few, many = np.flatnonzero(times < groups), np.flatnonzero(times >= groups)
    for part in parts(len(few), groups):
        cell = np.repeat(few[part], times[few[part]])
        yield rng.integers(groups, size=len(cell)), cell, 1.0 / times[cell]
    for part in parts(len(many), groups):
        counts = rng.multinomial(times[many[part]], np.full(groups, 1.0 / groups))
        cell = np.repeat(many[part], groups)
        yield np.tile(np.arange(groups), len(counts)), cell, counts.ravel() / times[cell]


@dataclass(frozen=True, eq=False, kw_only=True)
class RoundMatches:
    results: Results
    plan: plans.Plan
    pairing: str = "same"

    @property
    def candidates(self) -> tuple[str, ...]:
        return tuple(self.results.candidates)

    @cached_property
    def pairs(self) -> PairCounts:
        return self.pair_counts(self.results.weights[None]).of_replicate(0)

    @property
    def units(self) -> int:
        return self.plan.present(self.results.weights)[0]

    @property
    def strata(self) -> int:
        return self.plan.present(self.results.weights)[1]

    @property
    def independent(self) -> Floats:
        """As many matches of each pair as it met, and no more than there are units."""
        every = self.pair_counts(np.ones((1, self.results.m)))
        return np.minimum(every.of_replicate(0).met, self.units)

    @property
    def parts(self) -> range:
        return plans.blocks(self.plan, *self.results.scores.shape)

    @property
    def _counting(self) -> dict[str, Any]:
        return {"pairing": self.pairing, "tie_tol": self.results.tie_tol}

    def pair_counts(self, weights: Floats) -> PairCounts:
        scores = self.results.scores
        return pairs_of_rounds(scores, weights, names=self.candidates, **self._counting)

    def weights(self, k: int, size: int = RATED) -> Iterator[tuple[Floats, int]]:
        """Yield the weights of the rounds (B, S) in tiles of block k, and how many count."""
        n, m = self.results.scores.shape
        drawn = self.plan.whole_block(k, n, m).judges
        for rows, count in plans.tiles(len(plans.rows_of(self.plan, k, n, m)), size):
            yield np.asarray(drawn[rows] * self.results.weights), count

    def draw_pairs(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        size = max(1, min(RATED, WORKING_SET // max(1, len(self.pairs.first))))
        for weights, count in self.weights(k, size):
            yield self.pair_counts(weights), count

    def goodness(self, fit: Fit, *, simulations: int, seed: int, on: str | Engine) -> Goodness:
        """Return how well a model fits; nothing is simulated where rounds have clusters."""
        scores, weights = self.results.scores, self.results.weights
        ratings = fit.ratings if fit.ties == "half" else fit_pairs(fit.pairs).ratings
        like = rounds_like(scores, fit.pairs, ratings, pairing=self.pairing, round_weights=weights)
        number = simulations if self.results.clusters is None else 0
        return goodness(fit, like, simulations=number, seed=seed, on=on)

    def linear(self, fit: Fit, *, on: str | Engine) -> Linear:
        results, plan = self.results, self.plan.bootstrap()
        plan = plan.with_replicates(_affordable(results.n, results.m, plan.replicates))
        strata, clusters = (
            None if labels is None else codes(labels) for labels in (plan.strata, plan.clusters)
        )
        there = np.isfinite(results.scores) & (results.weights > 0)
        who, where = np.nonzero(there)
        known: Integers = there.sum(axis=1)
        if clusters is not None:
            known = _distinct(who, clusters[where], results.n)
        if strata is not None:
            known = known - _distinct(who, strata[where], results.n) + 1
        noun = results.nouns.judge if clusters is None else "cluster"
        make = partial(self._units, fit, clusters, strata)
        return Linear(make=make, plan=plan, on=on, noun=noun, known=known)

    def _units(self, fit: Fit, clusters: Integers | None, strata: Integers | None) -> Units:
        rows = self.results.weights[None]
        found = scores_of_rounds(fit, self.results.scores, round_weights=rows, **self._counting)
        values = _contributions(fit, *found)
        return units(values, weights=found[1], clusters=clusters, strata=strata)

    def sandwich(self, fit: Fit) -> Floats:
        rows, clusters = self.results.weights[None], self.plan.clusters
        how: Any = {"round_weights": rows, "clusters": clusters, **self._counting}
        return sandwich_of_rounds(fit, self.results.scores, **how)

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
            return tuple(plans.plan_warnings(self.results, self.plan))
        strata, cautions = self.results.strata, []
        if strata is not None:
            every = f"takes the rounds of all {counted(len(set(strata)), 'stratum', 'strata')} as"
            said = f"{every} drawn at once: where strata differ, standard errors are too large."
            inside = "draws inside strata."
            text = f"{say('errors', errors)} {said} {say('errors', 'bootstrap')} {inside}"
            page = f"errors by {errors} {said} errors by bootstrap {inside}"
            cautions.append(Words(text, page=page))
        clustered = self.results.clusters is not None and self.plan.clusters is None
        if errors == "sandwich" and clustered:
            said = "rounds of one cluster are taken as independent: intervals may be far too narrow"
            kept = "keeps them together."
            text = f"{said}; {say('plan', 'clustered')} {kept}"
            cautions.append(Words(text, page=f"{said}; the plan clustered {kept}"))
        return tuple(cautions)


@dataclass(frozen=True, eq=False, kw_only=True)
class BattleMatches:
    battles: Battles
    replicates: int
    seed: int
    way: plans.BattlePlan = "bayesian"
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
    def plan(self) -> plans.BattleBootstrap:
        log = self.battles
        how: Any = {"battles": log.battles, "weights": log.weights, "clusters": log.clusters}
        how |= {"plan": self.way, "replicates": self.replicates, "seed": self.seed}
        return plans.BattleBootstrap(**how)

    @cached_property
    def alike(self) -> bool:
        each = self.battles.weights / self.battles.battles
        return bool(np.ptp(each) <= SAME * each.max())

    @cached_property
    def _outcome_draws(self) -> tuple[Integers, plans.BattleBootstrap]:
        """The outcomes of pairs that happened, and what draws them, whoever stood on the left."""
        counts, weights = (
            np.concatenate([each.wins, each.losses, each.ties])
            for each in (self.unweighted_pairs, self.pairs)
        )
        there = np.flatnonzero(counts)
        drawing = replace(self.plan, battles=counts[there].astype(np.int64), weights=weights[there])
        return there, drawing

    @cached_property
    def _by_cluster(self) -> tuple[Any, plans.BattleBootstrap]:
        """The weights of outcomes of pairs by cluster, sparse (3 P, clusters), and what draws."""
        from scipy.sparse import coo_array

        at = (self.cells.group, self.battles.clusters)
        shape = (3 * len(self.pairs.first), self.plan.units)
        weights = coo_array((self.battles.weights, at), shape=shape)
        return weights.tocsr(), replace(self.plan, width=max(shape))

    @cached_property
    def unweighted_pairs(self) -> PairCounts:
        return self.cells.counts(self.battles.battles[None].astype(np.float64)).of_replicate(0)

    @property
    def units(self) -> int:
        return self.plan.units

    @property
    def independent(self) -> Floats:
        """How many battles each pair fought, or in how many clusters it did."""
        if self.battles.clusters is None:
            return self.unweighted_pairs.met
        met = np.unique(np.stack([self.cells.pair, self.battles.clusters]), axis=1)
        return np.bincount(met[0], minlength=len(self.cells.first)).astype(np.float64)

    @property
    def parts(self) -> range:
        if self.battles.clusters is not None:
            return self._by_cluster[1].blocks
        return (self._outcome_draws[1] if self.alike else self.plan).blocks

    def draw_pairs(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        """Yield the pairs (B, P) of tiles of block k, and how many of their replicates count."""
        if self.battles.clusters is not None:
            by_cluster, drawing = self._by_cluster
            for times, count in drawing.times_in_tiles(k, RATED):
                drawn = (by_cluster @ times.T.astype(np.float64)).T
                yield self.pairs.with_counts(*np.split(drawn, 3, axis=1)), count
        elif not self.alike:
            for weights, count in self.plan.in_tiles(k, RATED):
                yield self.cells.counts(weights), count
        else:
            there, drawing = self._outcome_draws
            for drawn, count in drawing.in_tiles(k, RATED):
                counts = np.zeros((len(drawn), 3 * len(self.pairs.first)))
                counts[:, there] = drawn
                yield self.pairs.with_counts(*np.split(counts, 3, axis=1)), count

    def goodness(self, fit: Fit, *, simulations: int, seed: int, on: str | Engine) -> Goodness:
        """Return how well a model fits; only independent battles of one weight are simulated."""
        number = simulations if self.battles.clusters is None and self.alike else 0
        model: Any = {"ties": fit.ties, "tie": fit.tie, "battles": self.unweighted_pairs.met}
        like = battles_like(fit.pairs, fit.ratings, **model)
        return goodness(fit, like, simulations=number, seed=seed, on=on)

    def linear(self, fit: Fit, *, on: str | Engine) -> Linear:
        log, n = self.battles, self.battles.n
        most = int(np.clip(ASIDE // (REPLICATES * n**2), FEWEST_GROUPS, MOST_UNITS))
        times = _affordable(n, min(most, self.units), self.replicates)
        who = np.concatenate([log.left, log.right])
        known: Integers = np.bincount(who, np.tile(log.battles, 2), n).astype(np.int64)
        if log.clusters is not None:
            known = _distinct(who, np.tile(log.clusters, 2), n)
        noun = "battle" if log.clusters is None else "cluster"
        plan = plans.Bootstrap(replicates=times, seed=self.seed)
        return Linear(
            make=partial(self._units, fit, most), plan=plan, on=on, noun=noun, known=known
        )

    def _units(self, fit: Fit, most: int) -> Units:
        """Return battles or clusters as units, many put together at random (Wolter 2007, ch. 2)."""
        from scipy.sparse import coo_array

        weights = np.asarray(self.battles.weights, dtype=np.float64)
        scores = scores_of_cells(fit, self.battles, stretched=True)
        number, dealt = _deal_units(self.battles, self.seed, most)
        sizes, by_unit = np.zeros(number), np.zeros((number, self.battles.n + 1))
        for unit, cell, share in dealt:
            shares = coo_array((share, (unit, cell)), shape=(number, len(weights))).tocsr()
            sizes += shares @ weights
            by_unit += (shares @ scores).toarray()
        return units(_contributions(fit, by_unit, sizes), weights=sizes)

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


def matches_of(data: Results | Battles, options: Options) -> Matches:
    return battles_of(data, options) if isinstance(data, Battles) else rounds_of(data, options)


def battles_of(log: Battles, options: Options) -> BattleMatches:
    options.refuse(kind="a battle log", pairing="same")
    usual = "bootstrap" if options.model == "elo" else "bayesian"
    way = next((plan for plan in plans.BATTLE_PLANS if plan == (options.plan or usual)), None)
    if way is None:
        ways = {"bayesian": "weighted at random", "bootstrap": "drawn one by one"}
        both = " or ".join(ways.values())
        fact = f"battles of a log are {both}, not by the plan {options.plan!r}."
        hint = "\n".join(f"{way}: {command_with(plan=plan)}" for plan, way in ways.items())
        hint += "\nto draw whole voters or prompts, name the column that says whose a battle is."
        raise UsageError(fact, hint=hint)
    matches = BattleMatches(battles=log, replicates=options.replicates, seed=options.seed, way=way)
    _require_units(matches, options)
    if way == options.errors == "bootstrap" and log.clusters is None:
        fought = record(matches.unweighted_pairs).sum(axis=0)
        there = 1 - (1 - fought / log.total) ** log.total
        if there.prod() * matches.replicates < FEWEST_KEPT:
            rarest = quoted(log.candidates[int(fought.argmin())])
            met = counted(int(fought.min()), "match", "matches")
            fact = f"in nearly all resamples somebody meets nobody: {rarest} has {met}."
            raise DataError(fact, hint=_nobody_left_out())
    return matches


def rounds_of(results: Results, options: Options) -> RoundMatches:
    if results.n < 2:
        hint = f"what was understood: {ask('check', 'FILE')}"
        raise DataError(
            f"ratings need {results.nouns.candidates(2)} or more, got {results.n}.", hint=hint
        )
    plan = plans.plan_for(results, options.plan, replicates=options.replicates, seed=options.seed)
    require_judges_drawn(plan)
    if not plan.random:
        hint = f"to draw rounds: {command_with(plan=None)}\n"
        hint += f"without replicates: {command_with(plan=None, errors='sandwich')}"
        fact = f"replicates of the plan {plan.kind} vary otherwise than ratings of other rounds."
        raise UsageError(fact, hint=hint)
    matches = RoundMatches(results=results, plan=plan, pairing=options.pairing)
    _require_units(matches, options)
    return matches


def _require_units(matches: Matches, options: Options) -> None:
    if options.errors != "fisher" and matches.units < 2:
        other = options.without_order if options.model in IN_ORDER else {}
        fisher = command_with(**other, errors="fisher")
        fact = "there is only one round, battle or cluster: nothing shows how far ratings vary."
        raise DataError(fact, hint=f"give more; or take all matches as independent: {fisher}")


def _nobody_left_out() -> str:
    return f"with weights at random, which leave nobody out: {command_with(plan='bayesian')}"


def record(pairs: PairCounts) -> Floats:
    counts = (pairs.wins, pairs.losses), (pairs.losses, pairs.wins), (pairs.ties, pairs.ties)
    return np.stack([Sums(pairs)(*each) for each in counts])


def complete(replicates: Floats, candidates: Sequence[str]) -> tuple[Floats, int]:
    absent = np.isnan(replicates[:, : len(candidates)])
    there = ~absent.any(axis=1)
    number = int(np.count_nonzero(~there))
    if number and len(replicates) - number < FEWEST_KEPT:
        rarest = candidates[int(absent.sum(axis=0).argmax())]
        most = f"somebody meets nobody, most often {quoted(rarest)}"
        fact = f"in {number:,} of {len(replicates):,} resamples {most}."
        raise DataError(fact, hint=_nobody_left_out())
    return replicates[there] if number else replicates, number

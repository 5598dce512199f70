"""What each round, battle or cluster adds to ratings, to first order: the units of their tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from deadheat.core.types import Floats, Integers
from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.models.rating.bradley_terry import Fit
from deadheat.models.rating.uncertainty import influences, scores_of_cells, scores_of_rounds
from deadheat.resampling.draws import codes, stream
from deadheat.resampling.plans import Bootstrap, Plan
from deadheat.resampling.replicate import Engine
from deadheat.statistics.strict_groups import ASIDE
from deadheat.statistics.units import FEWEST_JUDGES, Units, parts, units

MOST_UNITS, FEWEST_GROUPS = 2_000, 200  # of battles; more are put together at random
EXPANDED = 1_000_000  # battles beyond one of each cell that are dealt one by one
REPLICATES = 1_000  # that are enough for a test at usual levels
TOLERANCE = 1e-9  # of fitted ratings


@dataclass(frozen=True, eq=False, kw_only=True)
class Linear:
    r"""Hold ratings as means over units, so that they are tested as merits are.

    Unit u, of size :math:`w_u`, adds :math:`q_u = b + \psi_u W / w_u`, where :math:`\psi` are the
    influences (:func:`deadheat.models.rating.uncertainty.influences`) and W is the sum of sizes.
    The weighted mean of q is the rating b, its standard error is that of the sandwich, and no
    resample has to be fitted.

    ``known`` (n,) is in how many units each candidate has a part, less those strata but one in
    which it has one: a single unit of a stratum tells nothing. About who has fewer than 10 nothing
    is shown, and they have no say in the largest statistic of a resample: one that draws none of
    their units would make it large, and nobody else could be told apart.
    """

    made: Callable[[], Units]
    plan: Plan
    on: str | Engine
    noun: str
    known: Integers

    @cached_property
    def tested(self) -> Integers:
        return np.flatnonzero(self.known >= FEWEST_JUDGES)

    def among(self, chosen: Integers) -> Linear:
        fewer = replace(self.units, values=self.units.values[chosen])
        return replace(self, made=lambda: fewer, known=self.known[chosen])

    @cached_property
    def units(self) -> Units:
        return replace(self.made(), tolerance=TOLERANCE)


def means_over_rounds(
    found: Results, plan: Plan, fit: Fit, *, pairing: str, on: str | Engine
) -> Linear:
    plan = plan.bootstrap()
    plan = plan.with_replicates(_affordable(found.n, found.m, plan.replicates))
    strata, clusters = (
        None if labels is None else codes(labels) for labels in (plan.strata, plan.clusters)
    )
    there = np.isfinite(found.scores) & (found.weights > 0)
    who, where = np.nonzero(there)
    known: Integers = there.sum(axis=1)
    if clusters is not None:
        known = _distinct(who, clusters[where], found.n)
    if strata is not None:
        known = known - _distinct(who, strata[where], found.n) + 1
    return Linear(
        made=partial(_of_rounds, found, fit, pairing, clusters, strata),
        plan=plan,
        on=on,
        noun="round" if clusters is None else "cluster",
        known=np.asarray(known),
    )


def means_over_battles(
    found: Battles, fit: Fit, *, units: int, replicates: int, seed: int, on: str | Engine
) -> Linear:
    most = int(np.clip(ASIDE // (REPLICATES * found.n**2), FEWEST_GROUPS, MOST_UNITS))
    times = _affordable(found.n, min(most, units), replicates)
    who = np.concatenate([found.left, found.right])
    known: Integers = np.bincount(who, np.tile(found.battles, 2), found.n).astype(np.int64)
    if found.clusters is not None:
        known = _distinct(who, np.tile(found.clusters, 2), found.n)
    return Linear(
        made=partial(_of_battles, found, fit, seed, most),
        plan=Bootstrap(replicates=times, seed=seed),
        on=on,
        noun="battle" if found.clusters is None else "cluster",
        known=known,
    )


def _affordable(n: int, units: int, replicates: int) -> int:
    """Return how many resamples all pairs are tested in: as asked, or as many as take seconds."""
    return min(replicates, max(REPLICATES, ASIDE // (n * n * units)))


def _distinct(who: Integers, labels: Integers, n: int) -> Integers:
    size = int(labels.max(initial=0)) + 1
    return np.bincount(np.unique(who * size + labels) // size, minlength=n)


def _of_rounds(
    found: Results, fit: Fit, pairing: str, clusters: Integers | None, strata: Integers | None
) -> Units:
    by_round, weights = scores_of_rounds(
        fit, found.scores, round_weights=found.weights[None], pairing=pairing, tie_tol=found.tie_tol
    )
    values = _contributions(fit, by_round, weights)
    return units(values, weights=weights, clusters=clusters, strata=strata)


def _of_battles(found: Battles, fit: Fit, seed: int, most: int) -> Units:
    """Return battles or clusters as units, or groups of them where there are very many.

    Units that were put together at random are still independent, and their sums say as well how
    far the ratings vary (Wolter 2007, "Introduction to variance estimation", ch. 2).
    """
    from scipy.sparse import coo_array

    weights = np.asarray(found.weights, dtype=np.float64)
    scores = scores_of_cells(fit, found, stretched=True)
    number, dealt = _dealt(found, seed, most)
    sizes, by_unit = np.zeros(number), np.zeros((number, found.n + 1))
    for unit, cell, share in dealt:
        shares = coo_array((share, (unit, cell)), shape=(number, len(weights))).tocsr()
        sizes += shares @ weights
        by_unit += (shares @ scores).toarray()
    return units(_contributions(fit, by_unit, sizes), weights=sizes)


Dealt = Iterator[tuple[Integers, Integers, Floats]]


def _dealt(found: Battles, seed: int, most: int) -> tuple[int, Dealt]:
    """Return how many units there are, and which have which share of which cells, part by part."""
    times = np.asarray(found.battles, dtype=np.int64)
    fought = int(times.sum())
    if found.clusters is None and fought > len(times) + EXPANDED:
        return most, _dealt_by_count(times, most, stream(seed, fought))
    if found.clusters is None:
        cell = np.repeat(np.arange(len(times)), times)
        unit, share = np.arange(len(cell)), 1.0 / times[cell]
    else:
        cell, share = np.arange(len(times)), np.ones(len(times))
        unit = np.unique(found.clusters, return_inverse=True)[1]
    number = int(unit.max()) + 1
    if number > most:
        unit, number = (stream(seed, number).permutation(number) % most)[unit], most
    return number, iter([(unit, cell, share)])


def _dealt_by_count(times: Integers, groups: int, rng: np.random.Generator) -> Dealt:
    """Yield how battles fall to groups of equal chance, without a number for each of them.

    A cell of fewer battles than groups has them fall one by one, any other as counts.
    """
    few, many = np.flatnonzero(times < groups), np.flatnonzero(times >= groups)
    for part in parts(len(few), groups):
        cell = np.repeat(few[part], times[few[part]])
        yield rng.integers(groups, size=len(cell)), cell, 1.0 / times[cell]
    chances = np.full(groups, 1.0 / groups)
    for part in parts(len(many), groups):
        counts = rng.multinomial(times[many[part]], chances)
        cell = np.repeat(many[part], groups)
        unit = np.tile(np.arange(groups), len(counts))
        yield unit, cell, counts.ravel() / times[cell]


def _contributions(fit: Fit, by_unit: Floats, sizes: Floats) -> Floats:
    """Return what units add to the mean that the ratings are, (n, U); 0 where one has no size."""
    there = sizes > 0
    scale = np.divide(sizes.sum(), sizes, out=np.zeros(len(sizes)), where=there)
    return np.asarray(fit.ratings[:, None] + influences(fit, by_unit, sizes) * scale)

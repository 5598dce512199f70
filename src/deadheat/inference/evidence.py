"""What every statement about a table rests on: observed merits, and those of many replicates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from deadheat.data.results import Results
from deadheat.errors import DataError, counted, listed
from deadheat.inference.spread import whole
from deadheat.inference.units import Units, units
from deadheat.ranking.contributions import Contributions
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import ranks
from deadheat.ranking.table import merits_of
from deadheat.resampling.engine import Engine
from deadheat.resampling.grouping import codes
from deadheat.resampling.plans import (
    Bootstrap,
    Clustered,
    Jackknife,
    Plan,
    Seeded,
    Stratified,
)
from deadheat.resampling.replicate import Progress, replicate
from deadheat.typing import Booleans, Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """Hold the merits (n,) of a table by one function, and those of its replicates (B, n).

    Attributes
    ----------
    contributions
        What each judge gives, where the function is a mean over the judges.
    skipped
        How many replicates were left out because somebody had no merit in them.
    """

    results: Results
    function: RankingFunction
    plan: Plan
    observed: Floats
    merits: Floats
    contributions: Contributions | None
    skipped: int = 0
    on: str | Engine = "threads"

    @property
    def size(self) -> tuple[int, int, int]:
        """The numbers n, m and B; m = 0 where judges have no contributions."""
        m = 0 if self.contributions is None else self.results.m
        return self.results.n, m, len(self.merits)

    @cached_property
    def unit(self) -> Floats | float:
        """The size of the numbers that merits are summed from, which tells their ties."""
        return self.function.unit(self.results.scores, self.results.weights)

    @cached_property
    def ranks(self) -> Floats:
        """The observed ranks, tied candidates sharing the mean of theirs."""
        return ranks(self.observed, unit=self.unit)

    @cached_property
    def independent(self) -> int:
        """How many things were drawn independently of each other: clusters, else judges."""
        clusters = getattr(drawing(self.plan), "clusters", None)
        if clusters is not None:
            return len(set(clusters))
        return int(np.count_nonzero(self.results.weights))

    @property
    def effective(self) -> float:
        """How many equal judges, or clusters, the table is worth under its weights."""
        return self.effective_of(np.ones(self.results.m))

    def effective_of(self, judges: Floats | Booleans) -> float:
        """Return how many equal judges, or clusters, some judges (m,) are worth."""
        clusters = getattr(drawing(self.plan), "clusters", None)
        of_judge = np.arange(self.results.m) if clusters is None else codes(clusters)
        weights = np.bincount(of_judge, weights=self.results.weights * judges)
        return float(weights.sum() ** 2 / (weights**2).sum())

    @cached_property
    def units(self) -> Units:
        """What the plan draws, and what each of it adds; only where there are contributions."""
        known, plan = self.contributions, drawing(self.plan)
        assert known is not None
        strata, clusters = getattr(plan, "strata", None), getattr(plan, "clusters", None)
        return units(
            known.per_judge,
            weights=known.weights,
            clusters=None if clusters is None else codes(clusters),
            strata=None if strata is None else codes(strata),
        )

    def jackknife(self) -> Floats:
        """Return the merits with each judge, or cluster, left out in turn, (U, n)."""
        if self.contributions is not None:
            found = self.units
            left = (found.values.sum(axis=1) - found.values.T) / (
                found.total - found.sizes[:, None]
            )
            return np.asarray(left)
        clusters = getattr(drawing(self.plan), "clusters", None)
        plan = Jackknife(labels=tuple(clusters or self.results.judges))
        merits = replicate(self.results, [self.function], plan, on=self.on).merits
        return whole(_of_present(merits[self.function.name], self.results, plan))[0]


def gathered(
    results: Results,
    f: RankingFunction,
    plan: Plan,
    *,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> Evidence:
    """Replicate a table under a plan and return the evidence."""
    observed = merits_of(results, [f])[f.name][0]
    undefined = [results.candidates[i] for i in np.flatnonzero(np.isnan(observed)).tolist()]
    if undefined:
        raise DataError(
            f"{f.name} gives no merit to {counted(len(undefined), 'candidate')}: "
            f"{listed(undefined, most=5)}.",
            hint="every candidate that is present needs a merit; check its kernel.",
        )
    found = replicate(results, [f], plan, on=on, progress=progress)
    _require_variation(results, plan)
    merits, skipped = whole(_of_present(found.merits[f.name], results, plan))
    return Evidence(
        results=results,
        function=f,
        plan=plan,
        observed=observed,
        merits=merits,
        contributions=found.contributions[f.name],
        skipped=skipped,
        on=on,
    )


def drawing(plan: Plan) -> Plan:
    """Return the plan itself, or the one that draws the same units with replacement.

    Studentized tests are about draws with replacement.
    """
    if isinstance(plan, Bootstrap | Stratified | Clustered):
        return plan
    given: dict[str, Any] = {}
    if isinstance(plan, Seeded):
        given = {"replicates": plan.replicates, "seed": plan.seed}
    strata, clusters = getattr(plan, "strata", None), getattr(plan, "clusters", None)
    if isinstance(plan, Jackknife) and len(set(plan.labels)) < len(plan.labels):
        clusters = plan.labels
    if clusters is not None:
        return Clustered(strata=strata, clusters=clusters, **given)
    return Stratified(strata=strata, **given) if strata is not None else Bootstrap(**given)


def _of_present(merits: Floats, results: Results, plan: Plan) -> Floats:
    """Drop the replicates in which a jackknife leaves out what has weight 0 and is not there."""
    if not isinstance(plan, Jackknife):
        return merits
    return merits[np.bincount(codes(plan.labels), weights=results.weights) > 0]


def _require_variation(results: Results, plan: Plan) -> None:
    """Refuse a plan under which every replicate is the table itself."""
    present = np.flatnonzero(results.weights)
    alike = drawing(plan)
    strata, clusters = (getattr(alike, name, None) for name in ("strata", "clusters"))
    kinds = [np.zeros(results.m) if strata is None else codes(strata)]
    kinds.append(np.arange(results.m) if clusters is None else codes(clusters))
    pots, things = (len(np.unique(kind[present])) for kind in kinds)
    if things > pots:
        return
    number = counted(things, "judge" if clusters is None else "cluster")
    where = "" if things == 1 else ", each in a stratum of its own"
    raise DataError(
        f"{number}{where}: every resample would be the table itself.",
        hint="at least 2 are needed in some stratum, and 20 for a claim; merge or drop the strata.",
    )


def with_more(evidence: Evidence, replicates: int, progress: Progress | None = None) -> Evidence:
    """Return the evidence of the same plan with more replicates; the first ones stay the same."""
    assert isinstance(evidence.plan, Seeded)
    plan = replace(evidence.plan, replicates=replicates)
    return gathered(evidence.results, evidence.function, plan, on=evidence.on, progress=progress)

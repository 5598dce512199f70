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
    WithReplacement,
)
from deadheat.resampling.replicate import Progress, replicate
from deadheat.typing import Booleans, Floats, Integers


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """Hold the merits (n,) of a table by one function, and those of its replicates (B, n).

    Attributes
    ----------
    contributions
        What each judge gives, where the function is a mean over the judges.
    skipped
        How many replicates were left out because somebody had no merit in them.
    rows
        Under a jackknife, which of its replicates these are; None if all.
    """

    results: Results
    function: RankingFunction
    plan: Plan
    observed: Floats
    merits: Floats
    contributions: Contributions | None
    skipped: int = 0
    rows: Integers | None = None
    on: str | Engine = "threads"

    @property
    def size(self) -> tuple[int, int, int]:
        """The numbers n, m and B of tests of all pairs; m = 0 where judges have no contributions.

        They draw with replacement, also where the plan does not.
        """
        m = 0 if self.contributions is None else self.results.m
        number = len(self.merits) if self.with_replacement else drawing(self.plan).replicates
        return self.results.n, m, number

    @property
    def with_replacement(self) -> bool:
        """Whether the plan draws with replacement, by Rao and Wu or as many as there are."""
        return isinstance(self.plan, Bootstrap | WithReplacement)

    @property
    def no_mean(self) -> str:
        """Why judges have no contributions here, as a clause."""
        if self.function.additive and self.results.has_holes:
            return "scores are missing, so that candidates have judges of their own"
        return f"{self.function.name} is no mean over the judges"

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
        return effective_units(self.results, self.plan, judges)

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

    @cached_property
    def left_out_strata(self) -> Integers | None:
        """Under a jackknife inside strata, the stratum of what each replicate leaves out, (B,)."""
        if not isinstance(self.plan, Jackknife) or self.plan.strata is None:
            return None
        of_units = self.plan.grouping(self.results.m).stratum
        return of_units if self.rows is None else of_units[self.rows]

    @cached_property
    def freedom(self) -> int:
        """How many units there are beyond the first of every stratum."""
        if not isinstance(self.plan, Jackknife):
            units, strata = present_units(self.results, self.plan)
            return units - strata
        of_units = self.left_out_strata
        return len(self.merits) - (1 if of_units is None else len(np.unique(of_units)))

    @property
    def rao_wu(self) -> bool:
        """Whether units have Rao-Wu weights inside strata."""
        return isinstance(self.plan, WithReplacement) and self.plan.rao_wu

    @property
    def variance_kept(self) -> float:
        """How much of the variance of a mean its replicates have, 1 if all."""
        return self.plan.variance_kept(self.results.m)

    def quantiles(self, kind: str) -> str:
        """Return the interval that is meant by a kind.

        With Rao-Wu weights a percentile interval has the levels of Student's t, for there may be
        few degrees of freedom: 12 strata of 2 have 12.
        """
        return "expanded-percentile" if kind == "percentile" and self.rao_wu else kind


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
    known = found.contributions[f.name]
    if known is not None and found.merits[f.name].dtype == np.float32:
        observed = _summed(known)
    _require_variation(results, plan)
    rows = rows_of_present(results, plan)
    merits = found.merits[f.name] if rows is None else found.merits[f.name][rows]
    defined, skipped = whole(merits)
    if skipped and rows is not None:
        rows = rows[~np.isnan(merits).any(axis=1)]
    return Evidence(
        results=results,
        function=f,
        plan=plan,
        observed=observed,
        merits=defined,
        contributions=known,
        skipped=skipped,
        rows=rows,
        on=on,
    )


def _summed(known: Contributions) -> Floats:
    """Return float32 merits summed in float64.

    One sum over thousands of judges in float32 is off by more than replicates are, which matrix
    products sum in parts, and would lie beside them.
    """
    sums = [row.astype(np.float64) @ known.weights for row in known.values]
    return np.array(np.array(sums) / known.weights.sum(), dtype=np.float32)


def drawing(plan: Plan) -> Plan:
    """Return the plan that draws as many of the same units with replacement, maybe the plan itself.

    Studentized tests and intervals are about such draws, also where the plan has the weights of Rao
    and Wu. They divide every replicate by its own error, which in small strata is as much too small
    as the replicate moves too little; with those weights a stratum of two would have none.
    """
    if isinstance(plan, WithReplacement):
        return replace(plan, draws="paper") if plan.rao_wu else plan
    if isinstance(plan, Bootstrap):
        return plan
    given: dict[str, Any] = {}
    if isinstance(plan, Seeded):
        given = {"replicates": plan.replicates, "seed": plan.seed}
    strata, clusters = getattr(plan, "strata", None), getattr(plan, "clusters", None)
    if clusters is not None:
        return Clustered(strata=strata, clusters=clusters, draws="paper", **given)
    if strata is not None:
        return Stratified(strata=strata, draws="paper", **given)
    return Bootstrap(**given)


def leaving_out(evidence: Evidence) -> Evidence:
    """Return the evidence of the jackknife that leaves out what the plan draws, one at a time."""
    plan = drawing(evidence.plan)
    labels = getattr(plan, "clusters", None) or tuple(evidence.results.judges)
    alone = Jackknife(labels=labels, strata=getattr(plan, "strata", None))
    return gathered(evidence.results, evidence.function, alone, on=evidence.on)


def rows_of_present(results: Results, plan: Plan) -> Integers | None:
    """Return the replicates of a jackknife that leave out something of weight; None of others."""
    if not isinstance(plan, Jackknife):
        return None
    of_judge = plan.grouping(results.m).of_judge
    return np.flatnonzero(np.bincount(of_judge, weights=results.weights) > 0)


def present_units(results: Results, plan: Plan) -> tuple[int, int]:
    """Return how many units of weight there are, clusters or judges, and in how many strata."""
    present = np.flatnonzero(results.weights)
    alike = drawing(plan)
    strata, clusters = (getattr(alike, name, None) for name in ("strata", "clusters"))
    units = np.arange(results.m) if clusters is None else codes(clusters)
    pots = np.zeros(results.m, dtype=np.int64) if strata is None else codes(strata)
    return len(np.unique(units[present])), len(np.unique(pots[present]))


def effective_units(results: Results, plan: Plan, judges: Floats | Booleans | float = 1.0) -> float:
    """Return how many equal judges, or clusters, some judges (m,) are worth under a plan."""
    clusters = getattr(drawing(plan), "clusters", None)
    of_judge = np.arange(results.m) if clusters is None else codes(clusters)
    weights = np.bincount(of_judge, weights=results.weights * judges)
    return float(weights.sum() ** 2 / (weights**2).sum())


def _require_variation(results: Results, plan: Plan) -> None:
    """Refuse a plan under which every replicate is the table itself."""
    things, pots = present_units(results, plan)
    if things > pots:
        return
    clustered = getattr(drawing(plan), "clusters", None) is not None
    number = counted(things, "cluster" if clustered else "judge")
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

"""Which plan fits a table: the one that was named, or the one that its strata and clusters ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, get_args

from deadheat.data.results import Results
from deadheat.errors import UnknownNameError, counted, listed
from deadheat.resampling.plans import (
    Bayesian,
    Bootstrap,
    Clustered,
    Jackknife,
    Plan,
    Stratified,
    Subsample,
    WithReplacement,
)

PlanName = Literal[
    "bootstrap", "stratified", "clustered", "two-level", "bayesian", "jackknife", "subsample"
]
PLANS: tuple[PlanName, ...] = get_args(PlanName)
FEW_CLUSTERS = 10
ENOUGH_VARIANCE = 0.9


def plan_for(
    results: Results,
    name: str | Plan | None = None,
    *,
    replicates: int | None = None,
    seed: int = 0,
    whole: bool = False,
) -> Plan:
    """Return the plan of this name for a table, or without a name the one that fits it.

    That is ``stratified`` where judges have strata, ``clustered`` where they have clusters, both
    where they have both, else ``bootstrap``. ``whole`` asks for weights that are whole numbers,
    which functions of plain tables need: then as many are drawn inside strata as there are.
    """
    if name is not None and not isinstance(name, str):
        if not hasattr(name, "draw"):
            raise UnknownNameError("resampling plan", str(name), PLANS)
        return name
    strata, clusters = results.strata, results.clusters
    labels: dict[str, Any] = {"strata": strata, "clusters": clusters}
    random = _random(replicates, seed)
    again = random | {"draws": "paper" if whole else "rao-wu"}
    usual = "clustered" if clusters is not None else "stratified" if strata is not None else ""
    match (name or usual or "bootstrap").replace("_", "-"):
        case "bootstrap":
            return Bootstrap(**random)
        case "stratified":
            return Stratified(**labels, **again)
        case "clustered":
            return Clustered(**labels, **again)
        case "two-level":
            return Clustered(**labels, **again, levels=2)
        case "bayesian":
            return Bayesian(**labels, **random)
        case "subsample":
            return Subsample(**labels, **random)
        case "jackknife":
            return Jackknife(
                labels=tuple(clusters or results.judges),
                strata=None if strata is None else tuple(strata),
            )
        case _:
            raise UnknownNameError("resampling plan", str(name), PLANS)


def plan_over_runs(results: Results, *, replicates: int | None = None, seed: int = 0) -> Plan:
    """Return the plan of Fawcett et al. (2023): judges one by one, inside strata if there are some.

    As many are drawn as there are, also in small strata. Clusters are ignored, so several runs of
    one instance are drawn as if they were instances.
    """
    if results.strata is None:
        return Bootstrap(**_random(replicates, seed))
    strata = tuple(results.strata)
    return Stratified(strata=strata, draws="paper", **_random(replicates, seed))


def _random(replicates: int | None, seed: int) -> dict[str, Any]:
    """Return what makes a plan random; the usual number of replicates where none is given."""
    return {"seed": seed} if replicates is None else {"replicates": replicates, "seed": seed}


def plan_in_words(results: Results, plan: Plan) -> str:
    """Return what is drawn, and from where: "240 judges, drawn with replacement in 12 strata"."""
    what = counted(results.m, "judge")
    strata = getattr(plan, "strata", None)
    where = f" in {counted(len(set(strata)), 'stratum', 'strata')}" if strata is not None else ""
    if isinstance(plan, Jackknife):
        kind = "judge" if plan.replicates == results.m else "cluster"
        return f"{what}{where}, one {kind} left out at a time"
    clusters = getattr(plan, "clusters", None)
    if clusters is not None:
        what = f"{counted(len(set(clusters)), 'cluster')} of {what}"
    how, more = "drawn with replacement", ""
    if isinstance(plan, Bayesian):
        how, more = "weighted at random", " (Bayesian bootstrap)"
    if isinstance(plan, Subsample):
        share = "half" if plan.share == 0.5 else f"{plan.share:.0%}"
        how, more = "drawn without replacement", f", {share} of them"
    if isinstance(plan, Clustered) and plan.levels == 2:
        more = ", and judges inside each"
    if isinstance(plan, WithReplacement) and plan.rao_wu:
        more += " (Rao-Wu weights)"
    return f"{what}, {how}{where}{more}"


def plan_warnings(results: Results, plan: Plan) -> Iterator[str]:
    """Warn of what the plan cannot see: strata of one judge, few clusters, ignored clusters."""
    strata = getattr(plan, "strata", None)
    clusters = getattr(plan, "clusters", None)
    if strata is not None:
        yield from _about_strata(plan, strata, clusters)
        yield from _about_no_weight(results, strata)
    elif results.strata is not None and isinstance(plan, Bootstrap):
        yield (
            f"the {len(set(results.strata)):,} strata are not kept: judges are drawn from all of "
            "them at once."
        )
    if clusters is not None and (number := len(set(clusters))) < FEW_CLUSTERS:
        yield (
            f"only {counted(number, 'cluster')} to draw from: with fewer than {FEW_CLUSTERS} "
            "intervals are too narrow and p-values too small."
        )
    alone = isinstance(plan, Bootstrap) or (isinstance(plan, Stratified) and clusters is None)
    if results.clusters is not None and alone:
        yield (
            "judges of one cluster are drawn one by one, as if they were independent: intervals "
            "may be far too narrow; --plan clustered keeps them together."
        )
    if isinstance(plan, Subsample) and plan.share != 0.5:
        yield (
            f"subsamples of {plan.share:.0%} spread as competitions of another size do; only "
            "halves spread as this one does."
        )


def _about_no_weight(results: Results, strata: tuple[str, ...]) -> Iterator[str]:
    heavy = {label for label, weight in zip(strata, results.weights, strict=True) if weight > 0}
    light = sorted({*strata} - heavy)
    if light:
        yield (
            f"{counted(len(light), 'stratum', 'strata')} without any weight "
            f"({listed(light, most=5)}): the judges in it do not count."
        )


def _about_strata(
    plan: Plan, strata: tuple[str, ...], clusters: tuple[str, ...] | None
) -> Iterator[str]:
    units = set(zip(strata, clusters, strict=True)) if clusters else enumerate(strata)
    sizes = Counter(label for label, _ in units) if clusters else Counter(strata)
    kind = "cluster" if clusters else "judge"
    single = [name for name, size in sizes.items() if size == 1]
    if single:
        yield (
            f"{counted(len(single), 'stratum', 'strata')} of one {kind} "
            f"({listed(single, most=5)}): nothing can be drawn otherwise there, so intervals are "
            "too narrow; merge such strata, or leave out --stratum."
        )
    kept = plan.variance_kept(len(strata))
    if kept < ENOUGH_VARIANCE:
        yield (
            f"small strata: this way to draw keeps {kept:.0%} of the variance inside them, so "
            "intervals are too narrow; the Rao-Wu weights of --plan stratified keep all of it."
        )
    least, most = min(sizes.values()), max(sizes.values())
    if least != most:
        yield (
            f"strata have {least:,} to {counted(most, kind)}: those with more count more in every "
            "merit; --weight can give every stratum the same weight."
        )

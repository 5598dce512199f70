"""What the reader of a verdict must be warned of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deadheat.errors import UsageError, counted
from deadheat.inference.coverage import interval_warning
from deadheat.inference.evidence import Evidence
from deadheat.inference.groups import Groups
from deadheat.inference.intervals import KINDS
from deadheat.inference.sign_flip import sign_flip_warnings
from deadheat.inference.strict import Strict
from deadheat.ranking.ranks import ranks
from deadheat.ranking.table import remarks_on
from deadheat.ranking.words import scale_warnings, winner_is_worst
from deadheat.resampling.choice import plan_warnings
from deadheat.resampling.plans import Jackknife
from deadheat.typing import Floats

FEW_JUDGES = 20
FEW_FOR_BOOTSTRAP_ERRORS = 200
MANY = 1_000
ROOM = 10  # times the fewest replicates that could exclude anybody


def cautions(
    evidence: Evidence,
    *,
    alpha: float,
    interval: str,
    p_value: str,
    leader: str,
    paper: Groups,
    strict: Strict | None,
    official: Floats,
    settled: bool | None,
) -> tuple[str, ...]:
    """Return the warnings about a verdict, each once."""
    results, f = evidence.results, evidence.function
    first = [results.candidates[i] for i in np.flatnonzero(evidence.ranks == 1).tolist()]
    found = [*results.notes, *winner_is_worst(results, first), *scale_warnings(results, [f])]
    found += remarks_on(results, f)
    found += plan_warnings(results, evidence.plan)
    found += _about_judges(evidence)
    found += _about_intervals(evidence, interval)
    found += _about_replicates(evidence, alpha, p_value, strict)
    found += _about_leaders(paper, leader)
    if strict is not None:
        found += _about_strict(evidence, strict, alpha)
    if missing := int(np.isnan(official).sum()):
        found.append(f"{counted(missing, 'candidate')} without an official rank.")
    if settled is False:
        found.append(
            f"the groups are not settled after {len(evidence.merits):,} resamples: some decision "
            "stays within the Monte-Carlo error of its threshold."
        )
    return tuple(dict.fromkeys(found))


def require_enough_replicates(replicates: int, alpha: float) -> None:
    """Refuse so few replicates that no test at all could come out."""
    if (replicates + 1) * alpha < 1 - 1e-9:
        fewest = int(np.ceil(1 / alpha - 1e-9)) - 1
        raise UsageError(
            f"{counted(replicates, 'replicate')} are too few for alpha = {alpha:g}: no p-value "
            f"can be below 1/{replicates + 1:,}.",
            hint=f"take at least {fewest:,}; 10,000 is the usual number.",
        )


def _about_judges(evidence: Evidence) -> Iterator[str]:
    number = min(float(evidence.independent), evidence.effective)
    if number < FEW_JUDGES:
        worth = "" if number == evidence.results.m else " (what the weights and clusters leave)"
        yield (
            f"{number:.3g} judges{worth} are few for such claims: groups err more often than they "
            f"say, even at {FEW_JUDGES} (10 equal candidates: 33 to 51 % instead of 5 %)."
        )


def _about_intervals(evidence: Evidence, interval: str) -> Iterator[str]:
    if interval not in KINDS or isinstance(evidence.plan, Jackknife):
        return
    known = evidence.contributions
    if known is not None and evidence.function.scale == "ordinal" and evidence.results.m > MANY:
        return  # places, as even as numbers can be
    if known is None:
        scores = _finite(evidence.results.scores)
    else:  # whole numbers need no copy
        scores = known.values if known.scale == 1 else known.per_judge
    warning = interval_warning(
        interval,
        scores=scores,
        additive=known is not None,
        effective=min(evidence.effective, float(evidence.independent)),
    )
    if warning is not None:
        yield warning


def _finite(scores: Floats) -> Floats:
    """Return the scores, or where some are infinite what their order alone says: minus ranks."""
    ends = np.fmax.reduce(scores, axis=None), np.fmin.reduce(scores, axis=None)
    return -ranks(scores.T).T if np.isinf(ends).any() else scores


def _about_replicates(
    evidence: Evidence, alpha: float, p_value: str, strict: Strict | None
) -> Iterator[str]:
    if evidence.skipped:
        yield (
            f"{counted(evidence.skipped, 'resample')} left out, in which some candidate had no "
            "judge."
        )
    if isinstance(evidence.plan, Jackknife) or strict is not None:
        return
    tests, replicates = evidence.results.n - 1, len(evidence.merits)
    needed = int(np.ceil(tests / alpha - 1e-9))
    if replicates + 1 < needed and p_value == "plus-one":
        yield (
            f"{replicates:,} resamples are too few to exclude anybody by Holm's test among "
            f"{counted(tests, 'rival')}: the smallest p is 1/{replicates + 1:,}, and the first "
            f"must be at most {alpha / tests:.2g}; take at least {needed - 1:,}, or --p-value "
            "paper."
        )
    elif replicates + 1 < ROOM * needed:
        yield (
            f"{replicates:,} resamples are few for {counted(tests, 'test')} at once: take "
            f"{ROOM * needed:,} if groups must not depend on the seed."
        )


def _about_leaders(paper: Groups, leader: str) -> Iterator[str]:
    if paper.leaders_differ:
        other = "best-score" if leader == "plurality" else "plurality"
        yield (
            "in some group the candidate that is first most often is not the one with the best "
            f"merit (near-copies share their first places); --leader {other} may group otherwise."
        )


def _about_strict(evidence: Evidence, strict: Strict, alpha: float) -> Iterator[str]:
    names = evidence.results.candidates
    if strict.tests.flagged:
        i, j = strict.tests.flagged[0]
        number = len(strict.tests.flagged)
        yield (
            f"{counted(number, 'pair')} with the same difference on every judge (such as "
            f"{names[i]} and {names[j]}): told apart without a test."
        )
    if strict.tests.method == "sign-flip":
        yield from sign_flip_warnings(evidence.units, alpha=alpha)
    if evidence.contributions is None:
        yield (
            f"{evidence.function.name} is no mean over the judges, so all pairs are measured by "
            "one error over all resamples; where two medians or a duel are exactly tied, the "
            "bootstrap is no guide"
            + (
                f", and {evidence.results.m:,} judges are few for it."
                if evidence.results.m < FEW_FOR_BOOTSTRAP_ERRORS
                else "."
            )
        )

"""Stricter groups: all pairs tested at once, whatever is true of the candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from deadheat.errors import UnknownNameError, UsageError
from deadheat.inference.classical import nemenyi, t_holm, wilcoxon_holm
from deadheat.inference.evidence import Evidence, drawing, gathered
from deadheat.inference.groups import Borderline, Leader, Members, greedy_groups
from deadheat.inference.max_t import PER_PAIR, TOO_MUCH, cost, cost_in_words, max_t, max_t_fixed
from deadheat.inference.pair_tests import PairTests
from deadheat.inference.rank_sets import rank_sets
from deadheat.inference.sign_flip import sign_flip
from deadheat.inference.spread import Spread
from deadheat.resampling.plans import Seeded
from deadheat.resampling.replicate import Progress
from deadheat.typing import Integers

Test = Literal["max-t", "sign-flip", "t-holm", "wilcoxon-holm", "nemenyi"]
TESTS: tuple[Test, ...] = get_args(Test)
PATIENCE = 60  # times TOO_MUCH, about an hour of one core: more is refused
ASIDE = TOO_MUCH // 15  # about four seconds: what may be computed without being asked for
PER_FLIP = 60  # steps of a sign-flip per score
PER_DIFFERENCE = {"t-holm": 500, "wilcoxon-holm": 10_000, "nemenyi": 500}
CLASSICAL: dict[str, Callable[..., PairTests]] = {
    "t-holm": t_holm,
    "wilcoxon-holm": wilcoxon_holm,
    "nemenyi": nemenyi,
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Strict:
    """Hold tests of all pairs, the groups that show them, and simultaneous sets of ranks.

    ``borderline`` are the pairs of a leader and another whose adjusted p-value lies within two
    Monte-Carlo errors of alpha; none where the p-values are exact.
    """

    tests: PairTests
    members: Members
    borderline: tuple[Borderline, ...]
    rank_low: Integers
    rank_high: Integers


def strict_groups(
    evidence: Evidence,
    spread: Spread,
    *,
    test: str,
    alpha: float,
    leader: Leader,
    most: int | None = None,
    progress: Progress | None = None,
) -> Strict:
    """Test all pairs with family-wise control and show the outcome as groups.

    They are tested on all replicates, or on the first ``most`` of them.
    """
    tests = pairs_tested(evidence, test=test, alpha=alpha, most=most, progress=progress)
    low, high = rank_sets(tests.better)
    shown = greedy_groups(
        tests.better,
        spread.places,
        -evidence.ranks,
        medians=-spread.standing,
        p=np.where(tests.differences > 0, tests.p, 1.0),
        alpha=alpha,
        leader=leader,
        draws=_draws(tests, evidence),
    )
    return Strict(
        tests=tests,
        members=shown.members,
        borderline=shown.borderline,
        rank_low=low,
        rank_high=high,
    )


def pairs_tested(
    evidence: Evidence,
    *,
    test: str,
    alpha: float,
    most: int | None = None,
    progress: Progress | None = None,
) -> PairTests:
    """Test all pairs by the named test, or refuse it with what it would cost.

    Tests by resampling are about draws with replacement. Where the plan draws otherwise (leaves
    out, subsamples, weighs), the same units are drawn again with replacement.
    """
    if test not in TESTS:
        raise UnknownNameError("test of all pairs", str(test), TESTS)
    plan, on = drawing(evidence.plan), evidence.on
    if most is None:
        require_patience(evidence, test)
    elif isinstance(plan, Seeded):
        plan = replace(plan, replicates=min(most, plan.replicates))
    if evidence.contributions is None:
        if test != "max-t":
            raise UsageError(
                f"{test} works on what each judge contributes, and {evidence.no_mean}.",
                hint="use max-t, or rank by mean or average_rank with all scores there.",
            )
        alike = evidence
        if not evidence.with_replacement:
            alike = gathered(evidence.results, evidence.function, plan, on=on, progress=progress)
        return max_t_fixed(alike.observed, alike.merits[:most], alpha=alpha)
    found = evidence.units
    if test == "max-t":
        return max_t(found, plan, alpha=alpha, on=on, progress=progress)
    if test == "sign-flip":
        assert isinstance(plan, Seeded)
        return sign_flip(
            found, alpha=alpha, replicates=plan.replicates, seed=plan.seed, on=on, progress=progress
        )
    return CLASSICAL[test](found, alpha=alpha)


def steps(evidence: Evidence, test: str) -> int:
    """Return how many steps a test of all pairs takes."""
    return steps_of(*evidence.size, test)


def steps_of(n: int, m: int, replicates: int, test: str) -> int:
    """Return how many steps a test of all pairs takes on so many replicates."""
    if test in PER_DIFFERENCE:
        return n * n * m * PER_DIFFERENCE[test]
    if test == "sign-flip":
        return replicates * (n * n * PER_PAIR + n * m * PER_FLIP)
    return cost(n, m, replicates)


def bearable(evidence: Evidence, test: str, *, times: int = 1) -> bool:
    """Return whether somebody might wait for a test of all pairs, with so many times the steps."""
    return times * steps(evidence, test) <= PATIENCE * TOO_MUCH


def affordable(evidence: Evidence, test: str = "max-t") -> bool:
    """Return whether all pairs can be tested aside, in a few seconds."""
    return steps(evidence, test) <= ASIDE and not _again(evidence)


def cost_of(evidence: Evidence, test: str = "max-t") -> str:
    """Return how long testing all pairs would take, in words."""
    words = cost_in_words(steps(evidence, test))
    if not _again(evidence):
        return words
    return f"{drawing(evidence.plan).replicates:,} resamples with replacement and {words}"


def require_patience(evidence: Evidence, test: str = "max-t") -> None:
    """Refuse tests of all pairs that nobody would wait for."""
    if bearable(evidence, test):
        return
    n, m, replicates = evidence.size
    drawn = "" if test in PER_DIFFERENCE else f" in {replicates:,} resamples"
    hint = "test fewer candidates."
    fewer = int(replicates * PATIENCE * TOO_MUCH / steps(evidence, test))
    if drawn and fewer:
        hint = f"--replicates {fewer} takes an hour; or test fewer candidates."
    raise UsageError(
        f"testing all pairs of {n:,} candidates on {m:,} judges{drawn} by {test} would take "
        f"{cost_in_words(steps(evidence, test))} on one core.",
        hint=hint,
    )


def _again(evidence: Evidence) -> bool:
    """Return whether the function must be applied to other replicates than those of the plan."""
    return evidence.contributions is None and not evidence.with_replacement


def _draws(tests: PairTests, evidence: Evidence) -> int | None:
    """Return how many random draws are behind the p-values; None where they are exact."""
    if tests.method == "sign-flip" and tests.replicates == 2 ** (evidence.units.u - 1):
        return None  # all signs there are
    return tests.replicates or None

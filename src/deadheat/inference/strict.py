"""Stricter groups: all pairs tested at once, whatever is true of the candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from deadheat.errors import UnknownNameError, UsageError
from deadheat.inference.classical import nemenyi, t_holm, wilcoxon_holm
from deadheat.inference.evidence import Evidence, drawing
from deadheat.inference.groups import Leader, Members, greedy_groups
from deadheat.inference.max_t import TOO_MUCH, cost, cost_in_words, max_t, max_t_fixed
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


@dataclass(frozen=True, eq=False, kw_only=True)
class Strict:
    """Hold tests of all pairs, the groups that show them, and simultaneous sets of ranks."""

    tests: PairTests
    members: Members
    rank_low: Integers
    rank_high: Integers


def strict_groups(
    evidence: Evidence,
    spread: Spread,
    *,
    test: str,
    alpha: float,
    leader: Leader,
    progress: Progress | None = None,
) -> Strict:
    """Test all pairs with family-wise control and show the outcome as groups."""
    tests = pairs_tested(evidence, test=test, alpha=alpha, progress=progress)
    low, high = rank_sets(tests.better)
    members = greedy_groups(
        tests.better, spread.places, -evidence.ranks, medians=spread.medians, leader=leader
    )
    return Strict(tests=tests, members=members, rank_low=low, rank_high=high)


def pairs_tested(
    evidence: Evidence, *, test: str, alpha: float, progress: Progress | None = None
) -> PairTests:
    """Test all pairs by the named test, or refuse it with what it would cost."""
    if test not in TESTS:
        raise UnknownNameError("test of all pairs", str(test), TESTS)
    require_patience(evidence)
    if evidence.contributions is None:
        if test != "max-t":
            raise UsageError(
                f"{test} works on what each judge contributes, and this ranking function is no "
                "mean over the judges.",
                hint="use max-t, or rank by mean or average_rank.",
            )
        return max_t_fixed(evidence.observed, evidence.merits, alpha=alpha)
    on, found = evidence.on, evidence.units
    if test == "max-t":
        return max_t(found, drawing(evidence.plan), alpha=alpha, on=on, progress=progress)
    if test == "sign-flip":
        plan = drawing(evidence.plan)
        assert isinstance(plan, Seeded)
        return sign_flip(
            found, alpha=alpha, replicates=plan.replicates, seed=plan.seed, on=on, progress=progress
        )
    classical: dict[str, Callable[..., PairTests]] = {
        "t-holm": t_holm,
        "wilcoxon-holm": wilcoxon_holm,
        "nemenyi": nemenyi,
    }
    return classical[test](found.means, alpha=alpha)


def affordable(evidence: Evidence) -> bool:
    """Return whether all pairs can be tested aside, in a few seconds."""
    return cost(*evidence.size) <= ASIDE


def cost_of(evidence: Evidence) -> str:
    """Return how long testing all pairs would take, in words."""
    return cost_in_words(*evidence.size)


def require_patience(evidence: Evidence) -> None:
    """Refuse tests of all pairs that nobody would wait for."""
    if cost(*evidence.size) <= PATIENCE * TOO_MUCH:
        return
    n, m, replicates = evidence.size
    fewer = max(1, int(replicates * PATIENCE * TOO_MUCH / cost(n, m, replicates)))
    raise UsageError(
        f"testing all pairs of {n:,} candidates on {m:,} judges in {replicates:,} resamples "
        f"would take {cost_of(evidence)} on one core.",
        hint=f"--replicates {fewer} takes an hour; or test fewer candidates.",
    )

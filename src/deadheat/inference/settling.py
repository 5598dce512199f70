"""The groups of a verdict, and sampling on until they are settled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from deadheat.errors import UsageError
from deadheat.inference.counting import counted_groups
from deadheat.inference.effort import Effort
from deadheat.inference.evidence import Evidence, with_more
from deadheat.inference.groups import Borderline, Groups, Leader, PValue, robust_groups
from deadheat.inference.merit_intervals import jackknife_p
from deadheat.inference.spread import Spread, spread
from deadheat.inference.strict import Strict, bearable, strict_groups
from deadheat.memory import free
from deadheat.resampling.plans import Jackknife, Seeded
from deadheat.resampling.replicate import BYTES_PER_MERIT, Progress

MOST_NUMBERS = 50_000_000  # merits of all replicates while sampling until settled: 400 MB
MORE = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class Grouped:
    """Hold evidence and the groups that it gives."""

    evidence: Evidence
    spread: Spread
    paper: Groups
    strictly: Strict | None
    untested: str = ""
    """Why all pairs were not tested although they were to be, as a clause."""

    @property
    def borderline(self) -> tuple[Borderline, ...]:
        """The decisions of the groups that are shown which other replicates might turn."""
        if self.untested:
            return ()
        return self.paper.borderline if self.strictly is None else self.strictly.borderline


def grouped_by(
    evidence: Evidence,
    *,
    alpha: float,
    p_value: PValue,
    leader: Leader,
    correction: str,
    test: str | None,
    tested: int | None = None,
    effort: Effort | None = None,
    progress: Progress | None,
) -> Grouped:
    """Return the groups of Fawcett et al., and where a test is named those from all pairs.

    Leaders are tested on ``tested`` replicates, if these are more than the evidence keeps; all
    pairs as far as an effort says, else on all replicates.
    """
    around = spread(evidence.merits, alpha=alpha, unit=evidence.unit)
    exact = isinstance(evidence.plan, Jackknife)
    test_leaders = partial(
        robust_groups,
        around.places,
        -evidence.ranks,
        medians=-around.standing,
        alpha=alpha,
        p_value=p_value,
        leader=leader,
        correction=correction,
    )
    if tested is not None and tested > len(evidence.merits) + evidence.skipped:
        paper = counted_groups(evidence, around, test_leaders, tested, progress)
    else:
        paper = test_leaders(p_of=partial(jackknife_p, evidence) if exact else None)
    strictly, asked = None, Effort() if effort is None else effort
    if test is not None and not asked.untested:
        strictly = strict_groups(
            evidence,
            around,
            test=test,
            alpha=alpha,
            leader=leader,
            most=asked.most,
            progress=progress,
        )
    return Grouped(
        evidence=evidence,
        spread=around,
        paper=paper,
        strictly=strictly,
        untested=asked.untested,
    )


def settled(
    found: Grouped,
    again: Callable[[Evidence], Grouped],
    test: str | None,
    progress: Progress | None,
) -> Grouped:
    """Sample four times as much until no decision is borderline, or memory or time is up."""
    plan = found.evidence.plan
    if not isinstance(plan, Seeded):
        raise UsageError(
            "the plan has no more replicates to draw.", hint="leave out --until-settled."
        )
    most = min(MOST_NUMBERS, free() // BYTES_PER_MERIT) // found.evidence.results.n
    replicates = plan.replicates
    while found.borderline and replicates < most:
        if test is not None and not bearable(found.evidence, test, times=MORE):
            break
        replicates = min(MORE * replicates, most)
        found = again(with_more(found.evidence, replicates, progress))
    return found

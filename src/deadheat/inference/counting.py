"""Tests of leaders on more replicates than are kept: only counts of them are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from deadheat.data.results import Results
from deadheat.inference.corrections import fewest_draws
from deadheat.inference.evidence import Evidence
from deadheat.inference.groups import ROUND, Groups
from deadheat.inference.pairs import columnwise, p_beats
from deadheat.inference.spread import Spread
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import times_not_ahead
from deadheat.resampling.plans import Seeded
from deadheat.resampling.replicate import BYTES_PER_MERIT, Progress, reduced, seconds
from deadheat.typing import Floats, Integers

USUAL = 10_000  # replicates, where nobody asked for another number
ROOM = 1.1  # times the fewest that can show anything
MOST_TIMES = 10  # the fewest that can show anything: more are kept, or refused
KEPT = 1_000_000_000  # bytes of replicates: the request alone says what is kept
PATIENCE = 60.0  # seconds on one core that nobody was asked for
MOST_LEADERS = 16  # that are counted in one pass over the replicates: guesses further on are wrong
SECONDS_PER_COMPARISON = 1.6e-9


def numbers_of(
    results: Results,
    f: RankingFunction,
    plan: Seeded,
    *,
    chosen: bool,
    alpha: float,
    correction: str,
) -> tuple[Seeded, int]:
    """Return the plan of the replicates that are kept, and on how many leaders are tested.

    Where nobody chose a number, tests have as many as the correction for so many candidates needs,
    unless they would take more than a minute. What was chosen is kept up to a gigabyte; beyond,
    where so many are needed, the tests alone have it.
    """
    needed = fewest_draws(results.n - 1, alpha, correction)
    if needed <= USUAL:
        return plan, plan.replicates
    if not chosen:
        enough = replace(plan, replicates=ROUND * int(-(-ROOM * needed // ROUND)))
        bearable = seconds(results, f, enough) <= PATIENCE
        return plan, enough.replicates if bearable else plan.replicates
    fits = BYTES_PER_MERIT * results.n * plan.replicates <= KEPT
    if fits or not USUAL < plan.replicates <= MOST_TIMES * needed:
        return plan, plan.replicates
    return replace(plan, replicates=USUAL), plan.replicates


def counted_groups(
    evidence: Evidence,
    spread: Spread,
    test_leaders: Callable[..., Groups],
    tested: int,
    progress: Progress | None = None,
) -> Groups:
    r"""Return the groups of Fawcett et al. with every leader tested on ``tested`` replicates.

    Those kept choose the leaders. For the p-values more blocks of the same plan are drawn, and of
    each only the counts :math:`\#\{b : S^*_{leader} \le S^*_{other}\}` stay. Who leads after the
    first group hangs on these counts, so the leaders are guessed (whom no kept replicate puts in
    front of a leader is taken to be excluded) and all are counted in one pass. Where the counts
    then lead elsewhere, the same blocks are drawn again for the leaders that were not foreseen.

    After about a minute of passes the leaders that are not counted yet are tested on the replicates
    kept, which exclude nobody: the rest makes one ``unfinished`` group.
    """
    assert isinstance(evidence.plan, Seeded)
    tally = _Tally(columnwise(spread.places))
    more = replace(evidence.plan, replicates=tested)
    spent, each = 0.0, SECONDS_PER_COMPARISON * evidence.results.n * tested
    while spent <= PATIENCE:
        tally.missing.clear()
        found = test_leaders(p_of=tally.p_values, draws=tally.total)
        if not tally.missing:
            return found
        leaders = tuple(tally.missing[:MOST_LEADERS])
        tally.count(evidence, leaders, more, progress)
        spent += seconds(evidence.results, evidence.function, more) + each * len(leaders)
    tally.guessing = False
    tally.missing.clear()
    found = test_leaders(p_of=tally.p_values, draws=tally.total)
    return replace(found, unfinished=bool(tally.missing))


class _Tally:
    """Hold in how many replicates leaders are not ahead of each other one."""

    def __init__(self, columns: Integers) -> None:
        self.columns, self.total = columns, len(columns)
        self.counts: dict[int, Integers] = {}
        self.missing: list[int] = []
        self.guessing = True

    def p_values(self, first: int, others: Integers) -> Floats:
        """Return those of a leader, or a guess at them for one that is not counted yet."""
        if first in self.counts:
            return np.asarray((self.counts[first][others] + 1) / (self.total + 1))
        self.missing.append(first)
        return p_beats(self.columns, first, others, plus_one=not self.guessing)

    def count(
        self, evidence: Evidence, leaders: tuple[int, ...], plan: Seeded, progress: Progress | None
    ) -> None:
        """Count for some leaders, in one pass over all replicates of a plan."""
        total, kept = len(self.columns), range(self.columns.shape[1])
        counts = np.array(
            [
                [np.count_nonzero(self.columns[:, first] >= self.columns[:, i]) for i in kept]
                for first in leaders
            ]
        )
        for more, number in reduced(
            evidence.results,
            evidence.function,
            plan,
            partial(_not_ahead, leaders=leaders, unit=evidence.unit),
            since=len(evidence.merits) + evidence.skipped,
            on=evidence.on,
            progress=progress,
        ):
            counts += more
            total += number
        self.total = total
        self.counts |= dict(zip(leaders, counts, strict=True))


def _not_ahead(
    merits: Floats, *, leaders: tuple[int, ...], unit: Floats | float
) -> tuple[Integers, int]:
    """Count, in the replicates in which everybody has a merit, where leaders are not ahead."""
    undefined = np.isnan(merits).any(axis=1)
    whole = merits[~undefined] if undefined.any() else merits
    return times_not_ahead(whole, leaders, unit=unit), len(whole)

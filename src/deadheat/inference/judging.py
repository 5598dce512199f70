"""A table in, a verdict out: the robust ranking of Fawcett et al. (2023)."""

from __future__ import annotations

from functools import partial
from typing import Any

from deadheat.data.read import read
from deadheat.errors import UnknownNameError, UsageError
from deadheat.inference.cautions import cautions, require_enough_replicates
from deadheat.inference.corrections import require_alpha
from deadheat.inference.evidence import Evidence, gathered, with_more
from deadheat.inference.groups import Groups, Leader, PValue, robust_groups
from deadheat.inference.merit_intervals import INTERVALS, jackknife_p, merit_intervals
from deadheat.inference.official import official_ranks
from deadheat.inference.requirements import require_enough
from deadheat.inference.spread import Spread, spread
from deadheat.inference.strict import TESTS, strict_groups
from deadheat.inference.verdict import Verdict
from deadheat.ranking.chosen import function_for
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.made import made_from
from deadheat.ranking.table import require_usable
from deadheat.resampling.choice import plan_for, plan_in_words
from deadheat.resampling.engine import Engine
from deadheat.resampling.plans import Jackknife, Plan
from deadheat.resampling.replicate import Progress

MOST_NUMBERS = 50_000_000  # merits of all replicates while sampling until settled: 400 MB
MORE = 4


def verdict(
    table: Any,
    *,
    by: str | RankingFunction | None = None,
    replicates: int = 10_000,
    alpha: float = 0.05,
    seed: int = 0,
    plan: str | Plan | None = None,
    interval: str = "percentile",
    p_value: PValue = "plus-one",
    leader: Leader = "plurality",
    strict: bool = False,
    test: str = "max-t",
    until_settled: bool = False,
    official: Any = None,
    top: int | None = None,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Verdict:
    """Say who really won and how sure that is: intervals, shares ranked first, tie groups.

    The judges are drawn again and again and the candidates ranked each time. The candidate that is
    first most often is tested against all others, with Holm's correction; those it is not shown
    better than are in a dead heat with it. Then the same among the rest [1]_.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`.
    by
        The ranking function; by default ``average_rank``, and for runs the total of their rule.
    plan
        How to resample: ``bootstrap``, ``stratified``, ``clustered``, ``two-level``, ``bayesian``,
        ``subsample``, ``jackknife`` or a plan of one's own. By default whatever the strata and
        clusters of the table ask for.
    interval
        ``percentile`` as in [1]_, ``expanded-percentile``, ``bootstrap-t``, ``bca``, ``basic``,
        ``wilson`` (shares), or ``simultaneous`` (for all candidates at once).
    p_value
        ``plus-one``: (count + 1)/(k + 1); ``paper``: count/k.
    leader
        Who leads a group: ``plurality``, first most often, or ``best-score``.
    strict, test
        Whether the groups come from tests of all pairs with family-wise control, and which:
        ``max-t``, ``sign-flip``, ``t-holm``, ``wilcoxon-holm``, ``nemenyi``.
    until_settled
        Keep sampling until no decision is within Monte-Carlo error of its threshold.
    official
        The official order: names best first, a mapping to ranks, or a CSV file. Without it the
        observed ranking.
    top
        Show only so many of the official order.
    progress
        Is told, after each block, how many blocks are done and how many there are.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
       Using Statistical Resampling".

    Examples
    --------
    >>> import numpy as np, deadheat as dh
    >>> scores = np.random.default_rng(0).normal([[1.0], [1.0], [0.0]], 1.0, (3, 100))
    >>> table = dh.Results(scores=scores, candidates=["a", "b", "c"], better="higher")
    >>> dh.verdict(table, by="mean").groups
    (('a', 'b'), ('c',))
    """
    _require_words(interval, test, alpha, top)
    results = read(table, **reading)
    f = function_for(results, by)
    require_usable(results, f)
    require_enough(results)
    drawn = plan_for(results, plan, replicates=replicates, seed=seed)
    if not isinstance(drawn, Jackknife):
        require_enough_replicates(drawn.replicates, alpha)
    ranks = None if official is None else official_ranks(official, results.candidates)
    evidence = gathered(results, f, drawn, on=engine, progress=progress)
    grouped = partial(_grouped, alpha=alpha, p_value=p_value, leader=leader)
    around, paper = grouped(evidence)
    settled = None
    if until_settled:
        evidence, around, paper = _settled(evidence, around, paper, grouped, progress)
        settled = not paper.borderline
    low, high = merit_intervals(interval, evidence, alpha=alpha)
    strictly = (
        strict_groups(evidence, around, test=test, alpha=alpha, leader=leader, progress=progress)
        if strict
        else None
    )
    known = evidence.ranks if ranks is None else ranks
    told = "jackknife" if isinstance(drawn, Jackknife) else interval
    return Verdict(
        made=made_from(
            results,
            function=[f.name],
            seed=getattr(drawn, "seed", None),
            replicates=len(evidence.merits),
            plan=plan_in_words(results, drawn),
            alpha=alpha,
            interval=told,
            p_value=p_value,
            leader=leader,
            strict=test if strict else None,
        ),
        warnings=cautions(
            evidence,
            alpha=alpha,
            interval=interval,
            p_value=p_value,
            leader=leader,
            paper=paper,
            strict=strictly,
            official=known,
            settled=settled,
        ),
        library=results.library,
        evidence=evidence,
        spread=around,
        low=low,
        high=high,
        shown=f.shown(evidence.observed, results),
        official=known,
        has_official=ranks is not None,
        paper=paper,
        strictly=strictly,
        alpha=alpha,
        interval=told,
        test=test,
        leader=leader,
        shown_top=top,
    )


def _grouped(
    evidence: Evidence, *, alpha: float, p_value: PValue, leader: Leader
) -> tuple[Spread, Groups]:
    around = spread(evidence.merits, alpha=alpha, unit=evidence.unit)
    exact = isinstance(evidence.plan, Jackknife)
    return around, robust_groups(
        around.places,
        -evidence.ranks,
        medians=around.medians,
        alpha=alpha,
        p_value=p_value,
        leader=leader,
        p_of=partial(jackknife_p, evidence) if exact else None,
    )


def _settled(
    evidence: Evidence, around: Spread, paper: Groups, grouped: Any, progress: Progress | None
) -> tuple[Evidence, Spread, Groups]:
    """Sample four times as much until no decision is borderline, or memory is full."""
    if isinstance(evidence.plan, Jackknife):
        raise UsageError(
            "the jackknife has no more replicates to draw.", hint="leave out --until-settled."
        )
    most = MOST_NUMBERS // evidence.results.n
    replicates = evidence.plan.replicates
    while paper.borderline and replicates < most:
        replicates = min(MORE * replicates, most)
        evidence = with_more(evidence, replicates, progress)
        around, paper = grouped(evidence)
    return evidence, around, paper


def _require_words(interval: str, test: str, alpha: float, top: int | None) -> None:
    require_alpha(alpha)
    if interval not in INTERVALS:
        raise UnknownNameError("interval", str(interval), INTERVALS)
    if test not in TESTS:
        raise UnknownNameError("test of all pairs", str(test), TESTS)
    if top is not None and (type(top) is not int or top < 1):
        raise UsageError(
            f"top must be a whole number of at least 1, got {top!r}.", hint="e.g. top=10."
        )

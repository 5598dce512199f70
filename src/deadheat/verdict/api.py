"""A table in, a verdict out: the robust ranking of Fawcett et al. (2023)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from deadheat.data.read import read
from deadheat.errors import UnknownNameError, UsageError
from deadheat.inference.cautions import cautions
from deadheat.inference.corrections import CORRECTIONS, require_alpha
from deadheat.inference.counting import numbers_of
from deadheat.inference.effort import Effort, effort_of
from deadheat.inference.evidence import gathered
from deadheat.inference.groups import Leader, PValue
from deadheat.inference.merit_intervals import INTERVALS, merit_intervals
from deadheat.inference.official import official_ranks
from deadheat.inference.requirements import (
    require_enough,
    require_enough_replicates,
    require_judges_drawn,
)
from deadheat.inference.settling import grouped_by, settled
from deadheat.inference.strict import TESTS
from deadheat.inference.verdict import Verdict
from deadheat.ranking.chosen import function_for
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.made import made_from
from deadheat.ranking.table import require_usable
from deadheat.resampling.choice import plan_for, plan_in_words, plan_over_runs
from deadheat.resampling.engine import Engine
from deadheat.resampling.plans import Jackknife, Plan, Seeded
from deadheat.resampling.replicate import Progress

COMPAT = ("fawcett-paper",)


def verdict(
    table: Any,
    *,
    by: str | RankingFunction | None = None,
    replicates: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    plan: str | Plan | None = None,
    interval: str = "percentile",
    p_value: PValue = "plus-one",
    leader: Leader = "plurality",
    correction: str = "holm",
    strict: bool = False,
    test: str = "max-t",
    until_settled: bool = False,
    compat: str | None = None,
    official: Any = None,
    top: int | None = None,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    note: Callable[[str], None] | None = None,
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
    replicates
        How many resamples. By default 10,000; where these are too few for the correction to
        exclude anybody among very many candidates, the tests alone have more of them.
    plan
        How to resample: ``bootstrap``, ``stratified``, ``clustered``, ``two-level``, ``bayesian``,
        ``subsample``, ``jackknife`` or a plan of one's own. By default whatever the strata and
        clusters of the table ask for; draws inside strata have Rao-Wu weights.
    interval
        ``percentile`` as in [1]_ (inside strata with the levels of Student's t),
        ``expanded-percentile``, ``bootstrap-t``, ``bca``, ``basic``, ``wilson`` (shares), or
        ``simultaneous`` (for all candidates at once).
    p_value
        ``plus-one``: (count + 1)/(k + 1); ``paper``: count/k.
    leader
        Who leads a group: ``plurality``, first most often, or ``best-score``.
    correction
        How the tests of one leader are corrected: ``holm`` as in [1]_, ``bonferroni``,
        ``hochberg``, ``hommel`` (family-wise error), ``benjamini-hochberg`` or
        ``benjamini-yekutieli`` (false discovery rate).
    strict, test
        Whether the groups come from tests of all pairs with family-wise control, and which:
        ``max-t``, ``sign-flip``, ``t-holm``, ``wilcoxon-holm``, ``nemenyi``.
    until_settled
        Keep sampling until no decision is within Monte-Carlo error of its threshold.
    compat
        ``fawcett-paper`` follows [1]_ to the letter: p = count/k, percentile intervals, plurality,
        Holm, and judges drawn one by one, as many as there are, inside strata where there are some;
        clusters are ignored. Holm's inequality alone is not as printed.
    official
        The official order: names best first, a mapping to ranks, or a CSV file. Without it the
        observed ranking.
    top
        Show only so many of the official order.
    progress
        Is told, after each block, how many blocks are done and how many there are.
    note
        Is told before the long work that the answer will be undecided, where that is known.

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
    _require_words(interval, test, correction, alpha, top)
    if compat is not None:
        _require_published(
            compat,
            plan=plan,
            interval=interval,
            leader=leader,
            correction=correction,
            strict=strict,
        )
        p_value = "paper"
    results = read(table, **reading)
    f = function_for(results, by)
    require_usable(results, f)
    require_enough(results)
    if compat is not None:
        drawn = plan_over_runs(results, replicates=replicates, seed=seed)
    else:
        whole = f.form == "table"
        drawn = plan_for(results, plan, replicates=replicates, seed=seed, whole=whole)
    require_judges_drawn(drawn)
    if not isinstance(drawn, Jackknife):
        require_enough_replicates(drawn.replicates, alpha, results.n - 1)
    tested, chosen = None, replicates is not None or drawn is plan
    if p_value == "plus-one" and isinstance(drawn, Seeded):
        drawn, tested = numbers_of(
            results, f, drawn, chosen=chosen, alpha=alpha, correction=correction
        )
    effort = Effort()
    if strict:
        effort = effort_of(results, f, drawn, test, chosen=chosen)
        if effort.note and note is not None:
            note(effort.note)
    ranks = None if official is None else official_ranks(official, results.candidates)
    evidence = gathered(results, f, drawn, on=engine, progress=progress)
    again = partial(
        grouped_by,
        alpha=alpha,
        p_value=p_value,
        leader=leader,
        correction=correction,
        test=test if strict else None,
        tested=tested,
        progress=progress,
    )
    found = again(evidence, effort=effort)
    if until_settled:
        found = settled(found, again, test if strict else None, progress)
    evidence, around, paper, strictly = found.evidence, found.spread, found.paper, found.strictly
    low, high = merit_intervals(interval, evidence, alpha=alpha)
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
            correction=correction,
            strict=test if strict else None,
            **({} if paper.draws in (None, len(evidence.merits)) else {"tested": paper.draws}),
            **({} if effort.most is None else {"pairs_tested": effort.most}),
            **({} if compat is None else {"compat": compat}),
        ),
        warnings=cautions(
            evidence,
            alpha=alpha,
            interval=interval,
            p_value=p_value,
            leader=leader,
            correction=correction,
            paper=paper,
            strict=strictly,
            chosen=chosen,
            official=known,
            settled=not found.borderline if until_settled else None,
            untested=bool(found.untested),
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
        untested=found.untested,
        decides=effort.decides,
        alpha=alpha,
        interval=told,
        test=test,
        leader=leader,
        shown_top=top,
    )


def _require_published(compat: str, **chosen: Any) -> None:
    """Refuse what the procedure that was asked for by name does otherwise."""
    if compat not in COMPAT:
        raise UnknownNameError("procedure to be compatible with", str(compat), COMPAT)
    published = {
        "plan": None,
        "interval": "percentile",
        "leader": "plurality",
        "correction": "holm",
        "strict": False,
    }
    for name, value in chosen.items():
        if value != published[name]:
            raise UsageError(
                f"{compat} leaves no choice of {name}, got {value!r}.",
                hint=f"leave out {name}, or leave out compat.",
            )


def _require_words(
    interval: str, test: str, correction: str, alpha: float, top: int | None
) -> None:
    require_alpha(alpha)
    if correction not in CORRECTIONS:
        raise UnknownNameError("correction", str(correction), CORRECTIONS)
    if interval not in INTERVALS:
        raise UnknownNameError("interval", str(interval), INTERVALS)
    if test not in TESTS:
        raise UnknownNameError("test of all pairs", str(test), TESTS)
    if top is not None and (type(top) is not int or top < 1):
        raise UsageError(
            f"top must be a whole number of at least 1, got {top!r}.", hint="e.g. top=10."
        )

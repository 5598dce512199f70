"""A table in, a verdict out: the robust ranking of Fawcett et al. (2023)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, overload

from deadheat.core.errors import UnknownNameError, UsageError, Words, command_with, quoted, say
from deadheat.core.files import free_name, reads
from deadheat.core.memory import free, readable
from deadheat.core.options import Leader, PValue
from deadheat.core.types import require_top
from deadheat.data.boards import Brief, boards_of
from deadheat.data.reading.read import are_tables, read, read_all, require_known
from deadheat.data.results import Results, provenance_of
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.official import official_of, official_of_tables
from deadheat.ranking.on_tables import first_of, function_for, merits_of, require_usable
from deadheat.resampling.checkpoint import resumable
from deadheat.resampling.engines import Engine, Progress, Readers
from deadheat.resampling.plans import Plan, plan_for, plan_over_runs
from deadheat.resampling.replicate import BYTES_PER_MERIT
from deadheat.statistics import evidence as grounds
from deadheat.statistics.evidence import (
    Evidence,
    collect_evidence,
    spread,
    too_few_units,
    units_in_words,
)
from deadheat.statistics.groups import Borderline, groups_by_counts, numbers_of, robust_groups
from deadheat.statistics.max_t import TOO_MUCH, cost_in_words
from deadheat.statistics.strict_groups import (
    PER_DIFFERENCE,
    bearable,
    flip_signs,
    steps_of,
    strict_groups,
)
from deadheat.verdict.claims import Outcome, Procedure, digits_of
from deadheat.verdict.result import Verdict, VerdictTable, of_tables
from deadheat.verdict.warnings import MINUTES, cautions

# Conditions under which somebody's pipeline should stop.

CONDITIONS = ("tie-at-top", "winner-changed:NAME", "not-first:NAME", "groups-changed:FILE")


def require_condition(condition: str) -> None:
    kind, colon, argument = condition.partition(":")
    known = {name.partition(":")[0]: name.partition(":")[2] for name in CONDITIONS}
    if kind not in known:
        raise UnknownNameError("condition", condition, CONDITIONS)
    if bool(known[kind]) != bool(colon and argument):
        needs = f"needs a {known[kind].lower()}" if known[kind] else "takes nothing after it"
        raise UsageError(
            f"the condition {quoted(condition)} {needs}.", hint=f"one of {', '.join(CONDITIONS)}."
        )
    if kind == "groups-changed":
        _groups_of(argument)


def holds(v: Verdict, condition: str) -> str:
    """Return why a condition holds of a verdict, in a sentence; nothing where it does not."""
    require_condition(condition)
    kind, _, argument = condition.partition(":")
    if kind == "tie-at-top":
        tied = len(v.groups[0])
        if v.undecided:
            why = v.untested or "there are too few resamples"
            why = f"{v.units} are too few for a test" if v.too_few else why
            return f"whether there is a tie at the top is undecided: {why}."
        return f"{v.nouns.candidates(tied)} are in a dead heat for first place." if tied > 1 else ""
    if kind == "groups-changed":
        changed = _groups_of(argument) != [set(group) for group in v.groups]
        return f"the groups are not those of {argument}." if changed else ""
    v.row(argument)  # raises where nobody has this name
    if kind == "winner-changed":
        first = " and ".join(quoted(name) for name in v.winners)
        now = f"{first} now ranks first, not {quoted(argument)} alone."
        return now if v.winners != (argument,) else ""
    return f"{quoted(argument)} is not in the first group." if argument not in v.groups[0] else ""


def _groups_of(path: str) -> list[set[str]]:
    place = free_name(path) if Path(path).exists() else path
    hint = (
        f"save the groups first: {command_with(fail_on=None, format=None, json=True, output=place)}"
    )
    reads(Path(path), "the saved verdict")
    try:
        saved = json.loads(Path(path).read_text(encoding="utf-8"))
        return [{str(name) for name in group} for group in saved["facts"]["members"]]
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}.", hint=hint) from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path} holds no JSON.", hint=hint) from None
    except (KeyError, TypeError):
        raise UsageError(f"{path} holds no saved verdict.", hint=hint) from None


# The groups of a verdict, and sampling on until they are settled.

MOST_NUMBERS = 50_000_000  # merits of all replicates while sampling until settled: 400 MB
MORE = 4
FEWEST, STEP = 1_000, 250  # resamples: the fewest that are worth a test, and how they are rounded
BYTES_PER_PAIR = 250


@dataclass(frozen=True, kw_only=True)
class Effort:
    most: int | None = None  # replicates; None for all that the plan has
    untested: str = ""  # a clause that says why they are not made; empty where they are
    decides: int | None = None  # a number of resamples with which they would be, if there is one


ALL_RESAMPLES = Effort()


def effort_of(
    results: Results, f: RankingFunction, plan: Plan, test: str, *, chosen: bool
) -> Effort:
    """Return how far tests of all pairs of a table go.

    Beyond a minute too few judges are not tested, since they show nothing anyway. A number of
    resamples that somebody chose is taken, else as many as three minutes of one core allow.
    """
    units, _ = plan.present(results.weights)
    n, m = results.n, results.m if f.additive and not results.has_holes else 0
    number = plan.bootstrap().replicates
    if test == "sign-flip":
        number = min(number, 2 ** min(units - 1, 60))
    cost, size = steps_of(n, m, number, test), BYTES_PER_PAIR * (n * (n - 1) // 2)
    what = f"testing all pairs of {results.nouns.candidates(n)}"
    if cost <= TOO_MUCH:
        return ALL_RESAMPLES
    if too_few_units(results, plan):
        few = f"{units_in_words(results, plan)} are too few to show anything"
        return Effort(untested=f"{few}, and {what} would take {cost_in_words(cost)}")
    if size > free():
        return Effort(untested=f"{what} would take {readable(size)} of memory")
    if chosen or cost <= MINUTES * TOO_MUCH or test in PER_DIFFERENCE:
        return ALL_RESAMPLES
    most = int(number * MINUTES * TOO_MUCH / cost) // STEP * STEP
    if most >= FEWEST:
        return Effort(most=most)
    long = cost_in_words(steps_of(n, m, FEWEST, test))
    said = f"{what} in {FEWEST:,} resamples would take {long}"
    does = Words(f"{said}; {say('replicates', FEWEST)} does it", page=said)
    return Effort(untested=does, decides=FEWEST)


def groups_of(
    evidence: Evidence,
    how: Procedure,
    *,
    tested: int | None,
    effort: Effort = ALL_RESAMPLES,
    progress: Progress | None,
) -> Outcome:
    """Return the groups of Fawcett et al., and by a strict procedure those from all pairs."""
    around = spread(evidence.merits, alpha=how.alpha, unit=evidence.unit)
    test_leaders = partial(
        robust_groups,
        around.places,
        -evidence.ranks,
        medians=-around.standing,
        alpha=how.alpha,
        p_value=how.p_value,
        leader=how.leader,
        correction=how.correction,
    )
    if how.p_value == "sign-flip":
        flips = flip_signs(evidence, progress)
        paper = test_leaders(p_of=flips.p_beats, draws=flips.draws)
    elif tested is not None and tested > len(evidence.merits) + evidence.skipped:
        paper = groups_by_counts(evidence, around, test_leaders, tested, progress)
    else:
        by_t = partial(grounds.jackknife_p, evidence)
        paper = test_leaders(p_of=None if evidence.plan.random else by_t)
    found = Outcome(evidence=evidence, spread=around, paper=paper, untested=effort.untested)
    if not how.strict or effort.untested:
        return found
    tests: dict[str, Any] = {"test": how.test, "most": effort.most, "progress": progress}
    strictly = strict_groups(evidence, around, alpha=how.alpha, leader=how.leader, **tests)
    return replace(found, strictly=strictly)


def sample_until_settled(
    found: Outcome,
    again: Callable[[Evidence], Outcome],
    test: str | None,
    progress: Progress | None,
) -> tuple[Outcome, tuple[Borderline, ...]]:
    """Sample four times as much until no decision is borderline, or memory or time is up.

    Return also which decisions were borderline on the way.
    """
    plan = found.evidence.plan
    if not plan.random:
        raise UsageError(
            "the plan has no more replicates to draw.",
            hint=f"without it: {command_with(until_settled=False)}",
        )
    most = min(MOST_NUMBERS, free() // BYTES_PER_MERIT) // found.evidence.results.n
    replicates, were = plan.replicates, list[Borderline]()
    while found.borderline and replicates < most:
        e = found.evidence
        if test is not None and not bearable(e, test, times=MORE):
            break
        were += found.borderline
        replicates = min(MORE * replicates, most)
        more = plan.with_replicates(replicates)
        found = again(collect_evidence(e.results, e.function, more, on=e.on, progress=progress))
    return found, tuple(were)


# The question.

NO_OPTIONS = ("table", "reading")


def _verdicts(tables: list[Results], *, official: Any = None, **request: Any) -> VerdictTable:
    orders = official_of_tables(official, tables)
    both = zip(tables, orders, strict=True)
    return of_tables([verdict(each, official=order, **request) for each, order in both])


def _plan(
    results: Results, f: RankingFunction, plan: str | Plan | None, compat: str | None, **how: Any
) -> Plan:
    if compat is not None:
        return plan_over_runs(results, **how)
    return plan_for(results, plan, whole=f.form == "table", **how)


def _as_a_competition(
    results: Results, by: str | RankingFunction | None, compat: str | None
) -> tuple[Results, str | RankingFunction | None]:
    """Return a table and what ranks it: as published, unless it is said, the total of scores."""
    if compat is None or by is not None or results.by:
        return results, by
    return results.changed(total="" if results.has_holes else "total"), "mean"


@overload
def verdict(table: list[Any] | tuple[Any, ...], **request: Any) -> VerdictTable: ...
@overload
def verdict(table: Any, **request: Any) -> Verdict: ...
@resumable
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
) -> Verdict | VerdictTable:
    """Say who really won and how sure that is: intervals, shares ranked first, tie groups.

    The judges are drawn again and again and the candidates ranked each time. The candidate that is
    first most often is tested against all others, with Holm's correction; those it is not shown
    better than are in a dead heat with it. Then the same among the rest [1]_.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`. Of a list of such, the table with a row for each: table 2 of [1]_.
    by
        The ranking function; by default ``average_rank``, of 0 and 1 the mean, of runs the total
        of their rule.
    replicates
        How many resamples. By default 10,000; among very many candidates the tests have more.
    plan
        ``bootstrap``, ``stratified``, ``clustered``, ``two-level``, ``bayesian``, ``subsample``,
        ``jackknife`` or a plan of one's own. By default what strata and clusters ask for; draws
        inside strata have Rao-Wu weights.
    interval
        ``percentile`` as in [1]_ (inside strata with the levels of Student's t),
        ``expanded-percentile``, ``bootstrap-t``, ``bca``, ``basic``, ``wilson`` (shares), or
        ``simultaneous`` (for all candidates at once).
    p_value
        ``plus-one``: (count + 1)/(k + 1); ``paper``: count/k; ``sign-flip``: the permutation test
        of footnote 1 of [1]_, which flips the sign of the difference on each judge.
    leader
        Who leads a group: ``plurality``, first most often, or ``best-score``.
    correction
        Of the tests of one leader: ``holm`` as in [1]_, ``bonferroni``, ``hochberg``, ``hommel``
        (family-wise error), ``benjamini-hochberg``, ``benjamini-yekutieli`` (false discovery rate).
    strict, test
        Whether the groups come from tests of all pairs with family-wise control, and which:
        ``max-t``, ``sign-flip``, ``t-holm``, ``wilcoxon-holm``, ``nemenyi``.
    until_settled
        Keep sampling until no decision is within Monte-Carlo error of its threshold.
    compat
        ``fawcett-paper`` follows [1]_ to the letter but for Holm's inequality: p = count/k,
        percentile intervals, plurality, Holm, and judges drawn one by one, as many as there are,
        inside strata; clusters are ignored. Unless ``by`` says otherwise, candidates are ranked
        by the total of their scores, as the competition does.
    official
        The official order: names best first, a mapping to ranks, or a CSV file; ``"none"`` passes
        over the one that the table states.
    top
        Show only so many of the official order, or of the observed one, in tables, CSV and TSV;
        ``rows()`` and JSON have all.
    progress, note
        Are told after each block how many of them are done; and before the long work that the
        answer will be undecided, where that is known.

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
    request = {name: value for name, value in locals().items() if name not in NO_OPTIONS}
    if are_tables(table):
        return _verdicts(read_all(table, **reading, engine=Readers(engine)), **request)
    how = Procedure(
        alpha=alpha,
        interval=interval,
        p_value=p_value,
        leader=leader,
        correction=correction,
        strict=strict,
        test=test,
    )
    require_top(top)
    if compat is not None:
        how = how.as_published(compat, plan)
    require_known(verdict, reading)
    results = read(table, **reading, engine=Readers(engine))
    results, by = _as_a_competition(results, by, compat)
    f = function_for(results, by)
    require_usable(results, f)
    grounds.require_enough(results)
    drawn = _plan(results, f, plan, compat, replicates=replicates, seed=seed)
    grounds.require_judges_drawn(drawn)
    if drawn.random:
        grounds.require_enough_replicates(drawn.replicates, alpha, results.n - 1)
    tested, chosen = None, replicates is not None or drawn is plan
    if how.p_value == "plus-one" and drawn.random:
        drawn, tested = numbers_of(
            results, f, drawn, chosen=chosen, alpha=alpha, correction=correction
        )
    effort = ALL_RESAMPLES
    if strict:
        effort = effort_of(results, f, drawn, test, chosen=chosen)
        if effort.untested and note is not None:
            note(f"the answer will be undecided: {effort.untested}.")
    order = official_of(official, results)
    again = partial(groups_of, how=how, tested=tested, progress=progress)
    whole = results.whole()  # of which further questions may be asked
    found = again(collect_evidence(whole, f, drawn, on=engine, progress=progress), effort=effort)
    were: tuple[Borderline, ...] = ()
    if until_settled:
        found, were = sample_until_settled(found, again, how.test_of_pairs, progress)
    evidence, draws = found.evidence, found.paper.draws
    low, high = grounds.merit_intervals(interval, evidence, alpha=alpha)
    known = evidence.ranks if order is None else order.ranks
    if not drawn.random:
        interval = "jackknife"
    is_settled = not found.borderline if until_settled else None
    ask = partial(cautions, before=results.before, chosen=chosen)
    warnings = ask(found, how, official=order, settled=is_settled)
    return Verdict(
        made=provenance_of(
            results,
            function=[f.name],
            seed=drawn.seed,
            replicates=len(evidence.merits),
            plan=drawn.in_words(results.m, results.nouns),
            alpha=alpha,
            interval=interval,
            p_value=how.p_value,
            leader=leader,
            correction=correction,
            strict=how.test_of_pairs,
            **({} if draws in (None, len(evidence.merits)) else {"tested": draws}),
            **({} if effort.most is None else {"pairs_tested": effort.most}),
            **({} if compat is None else {"compat": compat}),
            **({} if top is None else {"top": top}),
        ),
        warnings=tuple(dict.fromkeys(warnings)),
        library=results.library,
        **{field.name: getattr(found, field.name) for field in fields(found)},
        low=low,
        high=high,
        shown=f.shown(evidence.observed, results),
        official=known,
        has_official=order is not None,
        decides=effort.decides,
        alpha=alpha,
        interval=interval,
        test=test,
        leader=leader,
        shown_top=top,
        were_borderline=were,
        boards=boards_of(
            results,
            f.heading_for(results),
            partial(_board, request | {"by": by}),
            digits=digits_of,
        ),
    )


def _board(request: dict[str, Any], part: Results) -> Brief:
    own = {"official": None, "top": None, "note": None, "progress": None}
    if sum(part.weights > 0) < 2:  # who is first, and no more
        f = function_for(part, request["by"])
        merits = merits_of(part, [f])[f.name][0]
        first = first_of(part, f, merits)
        shown = f.shown(merits, part)[part.candidates.index(first[0])]
        return Brief(first, (), float(shown), [], too_few=True)
    v = verdict(part, **request | own)
    level = [name for name in v.groups[0] if name not in v.winners] if v.says_level else []
    return Brief(v.winners, level, v.row(v.winners[0]).shown, v.rows(), v.too_few)

"""What the reader of a verdict must be warned of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deadheat.core.errors import Words, bare, counted, named, say
from deadheat.core.types import Booleans, Floats
from deadheat.core.weights import (
    CAUTION,
    MISREAD,
    NARROW,
    OTHER_WINNER,
    SURE,
    TRIFLE,
)
from deadheat.data.results import PLAIN, Nouns, Results
from deadheat.rank.words import who_by_what
from deadheat.ranking.function import RankingFunction, spoken
from deadheat.ranking.official import Official
from deadheat.ranking.on_tables import (
    first_by,
    first_by_policy,
    function_for,
    remarks_on,
    scale_warnings,
    size_warnings,
    usable,
    winner_is_worst,
)
from deadheat.ranking.ranks import RELATIVE_TOLERANCE, ranks
from deadheat.resampling.plans import plan_warnings
from deadheat.statistics import error_rates
from deadheat.statistics.corrections import fewest_draws
from deadheat.statistics.evidence import Evidence
from deadheat.statistics.groups import Groups
from deadheat.statistics.intervals import zero_of
from deadheat.statistics.max_t import sign_flip_warnings
from deadheat.statistics.pair_tests import PairTests
from deadheat.statistics.units import FEW_JUDGES, Units
from deadheat.verdict.claims import Outcome, Procedure

MINUTES = 3  # times TOO_MUCH: what tests of all pairs may take where nobody chose a number
GLANCE = 20  # replicates that show at once that a difference varies
MANY = 1_000
ROOM = 10  # times the fewest replicates that could exclude anybody
FEW_OF_THEM = 0.75  # of as many scores as is typical: who is first with fewer has few
MANY_WORST = 0.05  # of all scores: so many that are the worst are time-outs
DISTINCT = 20  # scores: more than marks or ratings have


def cautions(
    outcome: Outcome,
    how: Procedure,
    *,
    before: Results | None,
    chosen: bool,
    official: Official | None,
    settled: bool | None,
) -> Iterator[str]:
    """Yield the warnings about a verdict on a table that was ``before`` a policy for its holes.

    ``settled`` is None where nobody asked.
    """
    e, paper, strict = outcome.evidence, outcome.paper, outcome.strictly
    results, f = e.results, e.function
    yield from results.notes
    best = e.ranks == e.ranks.min()
    first = [results.candidates[i] for i in np.flatnonzero(best).tolist()]
    yield from (*winner_is_worst(results, first), *scale_warnings(results, [f]))
    yield from (*size_warnings(results, f, e.ranks), *remarks_on(results, f))
    yield from _about_missing(results, f, first, before)
    yield from _about_time_outs(results, f, first)
    if uncertain := results.uncertainty():
        only = f"only how {results.nouns.judges()} differ"
        yield f"{uncertain}: no interval here counts these errors, {only}."
    yield from plan_warnings(results, e.plan)
    yield from _about_unequal_strata(e, tuple(first))
    yield from _about_few_judges(e, how)
    often = outcome.spread.first
    if often[best].max() < often.max() and not outcome.untested:
        other = "best-score" if how.leader == "plurality" else "plurality"
        most = results.candidates[int(often.argmax())]
        said = (
            f"{bare(most)} is first most often but does not have the best score (near-copies share "
            "their first places);"
        )
        yield _either(said, say("leader", other), f"leaders by {other}", "may group otherwise.")
    if not how.strict:
        yield from _about_replicates(paper, how, results.nouns, chosen=chosen)
        flipped = how.p_value == "sign-flip"
        yield from _about_flips(e, how) if flipped else _about_constant_differences(e, paper)
    if strict is not None:
        yield from _about_all_pairs(e, strict.tests, how.alpha)
    if e.skipped:
        left_out = f"{counted(e.skipped, 'resample')} left out"
        nouns = results.nouns
        yield f"{left_out}, in which some {nouns.candidate} had no {nouns.judge}."
    if official is not None:
        yield from official.notes(results.candidates, "no top and no inversion counts them")
    if settled is False:
        open_ = f"the groups are not settled after {len(e.merits):,} resamples"
        yield f"{open_}: some decision stays within the Monte-Carlo error of its threshold."


def _about_missing(
    results: Results, f: RankingFunction, first: list[str], before: Results | None
) -> Iterator[Words]:
    """Warn where who has few scores is first, and where another policy puts others first."""
    nouns, known = results.nouns, (~results.holes).sum(axis=1)
    least, typical = known.min(), float(np.median(known))
    for name in first[:1] if results.has_holes else ():
        number = int(known[results.candidates.index(name)])
        if number < typical * FEW_OF_THEM:
            fewest = ", the fewest of all" if number == least else ""
            has = f"{bare(name)} is first with {number:,} of {results.m:,} scores{fewest}"
            more = f"half of the {nouns.candidates()} have {typical:,.0f} or more"
            yield Words(f"{has} ({more}): what it lacks costs it nothing.", weight=MISREAD)
    if before is None:
        return
    found, _ = first_by_policy(before, f)
    broken = before.holes.any(axis=0)
    if 2 * np.count_nonzero(broken) > before.m:  # what is left says nothing of the rest
        found.pop("drop-judges", None)
    dropped = {before.candidates[i] for i in np.flatnonzero(before.holes.any(axis=1)).tolist()}
    if not dropped.isdisjoint(first):
        found.pop("drop-candidates", None)
    others = {name: who for name, who in found.items() if {*who}.isdisjoint(first)}
    if others:
        what = f"would change who is first: {who_by_what(others, 'by', nouns.candidate)}."
        said = f"Missing scores decide: another {say('missing')} {what}"
        page = f"Missing scores decide: another policy for them {what}"
        yield Words(said, page=page, weight=OTHER_WINNER)


def _about_time_outs(results: Results, f: RankingFunction, first: list[str]) -> Iterator[Words]:
    """Warn where ranks are made of times of which many are one and the same, the worst."""
    if f.scale != "ordinal" or results.rule or not results.lower.all():
        return
    times = results.original[~results.holes]
    worst, number = times.max(), int((times == times.max()).sum())
    if number < MANY_WORST * times.size or np.unique(times).size < DISTINCT or times.min() < 0:
        return
    share = f"{round(100 * number / times.size)} % of the scores are {worst:,g}, as time-outs are"
    cost = f"{share}: {spoken(f.name)} does not count what they cost,"
    mean = first_by(results, usable(results, [function_for(results, "mean")])[0])
    weight = CAUTION if any({*who}.isdisjoint(first) for who in mean.values()) else SURE
    yield _either(cost, say("by", "mean"), "the mean", "does.", weight=weight)


def _about_few_judges(e: Evidence, how: Procedure) -> Iterator[str]:
    """Say once what tests and intervals are worth on few judges."""
    number, nouns = min(float(e.independent), e.effective), e.results.nouns
    about_intervals = [*_about_intervals(e, how.interval)]
    better = [each for each in about_intervals if isinstance(each, _Wider)]
    if number < FEW_JUDGES and not e.too_few:  # else the headline says it
        judges = _so_many_are(number, e.results.scores, nouns)
        if how.strict:
            yield Words(f"{judges} too few to show much.", weight=NARROW)
        else:
            tests = f"{judges} few: tests err more often than they say"
            if not better:
                yield Words(f"{tests}.", weight=NARROW)
            for each in better:
                said = f"{tests}, and intervals are too narrow ("
                page = f"{each.name} intervals are wider)."
                text = f"wider: {say('interval', each.name)})."
                yield Words(f"{said}{text}", page=f"{said}{page}", weight=NARROW)
    yield from (each for each in about_intervals if not isinstance(each, _Wider))


def _about_unequal_strata(e: Evidence, first: tuple[str, ...]) -> Iterator[Words]:
    """Warn where somebody else would be first if every stratum counted the same."""
    results, strata = e.results, e.plan.strata
    if strata is None or len({*results.weights.tolist()}) > 1:
        return
    sizes = Counter(strata)
    if len({*sizes.values()}) == 1:
        return
    weights = np.array([1 / sizes[label] for label in strata])
    found = first_by(results.changed(judge_weights=weights), [e.function])
    others = found.get(e.function.name, first)
    if others != first:
        said = f"If every stratum counted the same, {named(others)} would be first"
        option = say("weight", "equal-strata")
        yield Words(f"{said}: {option}.", page=f"{said}.", weight=OTHER_WINNER)


def _either(before: str, option: str, page: str, after: str, *, weight: float = CAUTION) -> Words:
    """Say one thing with an option, and on a page with a noun."""
    return Words(f"{before} {option} {after}", page=f"{before} {page} {after}", weight=weight)


@dataclass(frozen=True)
class _Wider:
    """The intervals that are too narrow on few judges by less."""

    name: str


def _about_intervals(e: Evidence, interval: str) -> Iterator[str | _Wider]:
    f, known = e.function, e.contributions
    if not e.plan.random:
        if not f.additive:
            said = (
                f"{e.no_mean}, and leaving out one at a time gives wrong standard "
                "errors where a function does not change smoothly (of medians, 95 % "
                f"intervals cover {error_rates.per_cent(error_rates.JACKKNIFE_OF_MEDIANS_COVERS)}"
                "): take"
            )
            yield Words(f"{said} {say('plan', 'bootstrap')}.", page=f"{said} the plan bootstrap.")
        return
    if interval == "simultaneous" and not e.plan.with_replacement:
        known = None  # and no errors of replicates either
    if known is not None and f.scale == "ordinal" and e.results.m > MANY:
        return  # places, as even as numbers can be
    if known is None:
        scores = e.results.scores
        ends = np.fmax.reduce(scores, axis=None), np.fmin.reduce(scores, axis=None)
        if np.isinf(ends).any():  # the order alone
            scores = -ranks(scores.T).T
    else:  # whole numbers need no copy
        scores = known.values if known.scale == 1 else known.per_judge
    m = min(e.effective, float(e.independent))
    kind, additive = e.quantiles(interval), known is not None
    nouns = e.results.nouns
    if better := _wider(kind, scores, additive=additive, m=m):
        yield _Wider(better)
        return
    warning = interval_warning(kind, scores=scores, additive=additive, effective=m, nouns=nouns)
    yield from [warning] if warning else []


def _about_replicates(
    paper: Groups, how: Procedure, nouns: Nouns, *, chosen: bool
) -> Iterator[str]:
    if paper.draws is None or not paper.rounds:
        return
    tests, number = len(paper.rounds[0].others), paper.draws
    needed = fewest_draws(tests, how.alpha) + 1
    stepwise = how.correction in ("holm", "bonferroni")
    if number + 1 < needed and how.p_value != "paper" and stepwise:
        whose = f"{how.correction.capitalize()}'s"
        said = (
            f"{number:,} resamples are too few to exclude anybody by {whose} test among "
            f"{counted(tests, 'rival')}: the smallest p is 1/{number + 1:,}, and the first "
            f"must be at most {how.alpha / tests:.2g}; take at least {needed - 1:,}"
        )
        yield Words(f"{said}, or {say('p_value', 'paper')}.", page=f"{said}.")
    elif chosen and number + 1 < ROOM * needed:
        yield (
            f"{number:,} resamples are few for {counted(tests, 'test')} at once: take "
            f"{ROOM * needed:,} if groups must not depend on the seed."
        )
    if paper.unfinished:
        yield (
            f"the last group holds {nouns.candidates(len(paper.members[-1]))} that were not "
            "tested further: more tests take more than a minute."
        )


def _about_flips(evidence: Evidence, how: Procedure) -> Iterator[str]:
    yield from sign_flip_warnings(evidence.units, alpha=how.alpha, instead="", sides=1)
    if evidence.units.strata is not None:
        judges = evidence.results.nouns.judges()
        taken = f"sign-flips take all {judges} together"
        yield f"{taken}: the strata are ignored; resampling keeps them."


def _about_constant_differences(evidence: Evidence, paper: Groups) -> Iterator[str]:
    known, merits = evidence.contributions, evidence.merits
    if known is None or evidence.too_few:  # nobody is separated from anybody
        return
    few = merits[:GLANCE]  # show at once that most differences vary
    pairs = [
        (r.leader, i)
        for r in paper.rounds
        for i in r.others[r.rejected & _same(few[:, [r.leader]], few[:, r.others])].tolist()
        if _same(merits[:, [r.leader]], merits[:, [i]])[0]
    ]
    if not pairs:
        return
    names, (i, j) = evidence.results.candidates, pairs[0]
    both = known.values[[i, j]][:, evidence.results.weights > 0]
    judge = evidence.results.nouns.judge
    where = f"on every {judge}" if _same(both[:1].T, both[1:].T)[0] else "in every resample"
    more = f", as in {counted(len(pairs) - 1, 'other pair')}" if len(pairs) > 1 else ""
    apart = "places" if evidence.function.scale == "ordinal" else "points"
    said = f"{bare(names[i])} is the same number of {apart} ahead of {bare(names[j])} {where}{more}"
    yield Words(f"{said}: there is nothing to test.", weight=TRIFLE)


def _same(one: Floats, others: Floats) -> Booleans:
    """Return which columns of others differ from one by the same in every row, up to rounding."""
    differences = one.astype(np.float64) - others
    largest = np.abs(one).max(axis=0) + np.abs(others).max(axis=0)
    tolerance = RELATIVE_TOLERANCE.get(one.dtype, 1e-12)
    return np.asarray(np.ptp(differences, axis=0) <= tolerance * largest)


# How far the nominal coverage of an interval can be believed, and which one is better.

FEW_IF_SKEWED = 50
FEW_OF_A_KIND = 10  # successes or failures
CLEARLY_SKEWED = 1.0


def interval_warning(
    kind: str,
    *,
    scores: Floats,
    additive: bool,
    effective: float | None = None,
    nouns: Nouns = PLAIN,
) -> str | None:
    """Say which interval is better than this one on these scores, and why; None if none is.

    ``scores`` (n, m) are what each judge adds to the merit (additive), else those of the table.
    Shares with fewer than 10 successes or failures need Wilson's. With fewer than 20 judges, or
    fewer than 50 and skewed scores, take bootstrap-t or else the expanded percentile.
    """
    m = float(scores.shape[1]) if effective is None else effective
    if m < 2:
        return f"there is no interval from {nouns.judges(round(m))}."
    if kind == "wilson":
        return None
    zero = zero_of(scores) if additive else None
    if kind == "simultaneous":
        return None if zero is not None else _of_bands(scores, m, nouns, additive=additive)
    if zero is not None:
        return _of_shares(scores, zero, m, nouns)
    better = "bootstrap-t" if additive else "expanded-percentile"
    if kind in (better, "bootstrap-t"):
        return None
    own, least = (error_rates.per_cent(error_rates.COVERS_ON_20[name]) for name in (kind, better))
    few = f"{_so_many_are(m, scores, nouns)} few"
    if m >= FEW_JUDGES or kind == "expanded-percentile":
        skewness = skewness_of_scores(scores, m) if m < FEW_IF_SKEWED else 0.0
        if not skewness:
            return None
        few = f"the scores are skewed, and {few} for that"
        own, least = (
            f"as little as {error_rates.COVERS_ON_20[kind][0]} %",
            f"at least {error_rates.COVERS_ON_20[better][0]} %",
        )
    few = f"{few}: {kind} intervals of 95 % cover {own},"
    return Words(
        f"{few} {say('interval', better)} {least}.",
        page=f"{few} {better} intervals {least}.",
        weight=SURE,
    )


def _so_many_are(m: float, scores: Floats, nouns: Nouns) -> str:
    """Return how many judges there are, and their verb; of clustered ones what they count like."""
    number = scores.shape[1]
    alone = f"{m:.3g} {nouns.judges()} are"
    return alone if m == number else f"{nouns.judges(number)} that count like {m:.3g} are"


def _wider(kind: str, scores: Floats, *, additive: bool, m: float) -> str:
    """Return a better interval on few judges; nothing where that is none."""
    best = ("wilson", "simultaneous", "bootstrap-t", "expanded-percentile")
    if not 2 <= m < FEW_JUDGES or kind in best or (additive and zero_of(scores) is not None):
        return ""
    return "bootstrap-t" if additive else "expanded-percentile"


def _of_bands(scores: Floats, m: float, nouns: Nouns, *, additive: bool) -> str | None:
    skewed = m < (FEW_JUDGES if additive else FEW_IF_SKEWED) and skewness_of_scores(scores, m) > 0
    if not skewed and (additive or m >= FEW_JUDGES):
        return None
    covers = error_rates.per_cent(
        error_rates.COVERS_ON_20["simultaneous"]
        if additive
        else error_rates.SIMULTANEOUS_FIXED_ON_20
    )
    few = f"{'the scores are skewed and ' if skewed else ''}{_so_many_are(m, scores, nouns)} few"
    return f"{few}: with 20 of them, simultaneous intervals of nominal 95 % cover {covers}."


def _of_shares(scores: Floats, zero: float, m: float, nouns: Nouns) -> str | None:
    shares = np.array([np.nanmean(row) - zero for row in scores])  # row by row: large tables
    fewest = m * np.minimum(shares, 1 - shares)
    hit = int((fewest < FEW_OF_A_KIND - 1e-9).sum())  # 100 * (1 - 0.9) is below 10
    if not hit:
        return None
    few = f"with fewer than {FEW_OF_A_KIND} successes or failures"
    if m != scores.shape[1]:
        few += f" ({nouns.judges(scores.shape[1])} count like {m:,.0f})"
    said = f"Intervals of {hit} of {nouns.candidates(len(scores))} {few} are too narrow"
    said = f"{said} (those of 95 % may cover {error_rates.COVERS_SHARES_ON_20} %)"
    take = say("interval", "wilson")
    return Words(f"{said}: {take}.", page=f"{said}: wilson intervals are for that.", weight=NARROW)


def skewness_of_scores(scores: Floats, m: float) -> float:
    """Return the largest absolute skewness of a candidate's scores, 0 where it may be chance."""
    away = scores - np.nanmean(scores, axis=1, keepdims=True)
    spread = np.sqrt(np.nanmean(away**2, axis=1))
    flat = spread <= 1e-12 * np.nanmax(np.abs(scores), axis=1)
    cubes = np.nanmean(away**3, axis=1) / np.where(flat, 1.0, spread) ** 3
    skewness = float(np.abs(np.where(flat, 0.0, cubes)).max(initial=0.0))
    return skewness if skewness > max(CLEARLY_SKEWED, 3 * np.sqrt(6 / m)) else 0.0


# Strict groups: what each test of all pairs cannot do.

FREE = 0.75  # units beyond the first of every stratum, of all: below, max-t has no power
WITHOUT_STRATA = ("sign-flip", "wilcoxon-holm", "nemenyi")


def _about_all_pairs(evidence: Evidence, tests: PairTests, alpha: float) -> Iterator[str]:
    names, test, nouns = evidence.results.candidates, tests.method, evidence.results.nouns
    candidates, judges = nouns.candidates(), nouns.judges()
    if tests.flagged:
        i, j = tests.flagged[0]
        yield (
            f"{counted(len(tests.flagged), 'pair')} with the same difference in every resample "
            f"(such as {bare(names[i])} and {bare(names[j])}): separated without a test."
        )
    drawn, wanted = tests.replicates, evidence.size[-1]
    if 0 < drawn < wanted and test != "sign-flip":
        said = (
            f"all pairs were tested on {drawn:,} of {wanted:,} resamples, as many as "
            f"{MINUTES} minutes of one core allow"
        )
        yield Words(f"{said}; {say('replicates', wanted)} tests them on all.", page=f"{said}.")
    if evidence.contributions is None:
        yield (
            f"{evidence.no_mean}: all pairs are measured by one error over all resamples; where "
            "two medians or a duel are exactly tied, the bootstrap does not help."
        )
        return
    units = evidence.units
    if test == "max-t" and units.strata is not None and units.freedom < FREE * units.u:
        strata = units.u - units.freedom  # of two or three units: replicates have hardly an error
        small = (
            f"{counted(strata, 'stratum', 'strata')} with {units.u / strata:.2g} {judges} on "
            "average are small: max-t separates hardly anybody;"
        )
        more = "separates more, and holds for symmetric differences."
        yield _either(small, say("test", "t-holm"), "t-holm", more)
    if test == "sign-flip":
        yield from sign_flip_warnings(units, alpha=alpha)
    if test == "wilcoxon-holm":
        yield from _of_wilcoxon(units, alpha, nouns)
    if test == "nemenyi":
        yield (
            f"nemenyi: what it says about a pair depends on which other {candidates} there are "
            "(Benavoli, Corani, Mangili 2016)."
        )
        scores = evidence.results.scores
        if np.isfinite(scores).all() and zero_of(scores) is not None:
            yield "nemenyi has hardly any power on scores of 0 and 1; max-t and sign-flip have."
    if test in WITHOUT_STRATA and units.strata is not None:
        yield f"{test} takes all {judges} together: the strata are ignored; max-t keeps them."


def _of_wilcoxon(units: Units, alpha: float, nouns: Nouns) -> Iterator[str]:
    yield (
        "wilcoxon-holm tests whether differences are symmetric about 0, and not whether merits are "
        "equal: skewed differences of equal merits are separated "
        f"({error_rates.WILCOXON_ERRS_ON_SKEWED} % of tables of 10 {nouns.candidates()} on 500 "
        f"{nouns.judges()})."
    )
    pairs, smallest = units.n * (units.n - 1) // 2, 2.0 ** (1 - units.u)
    if smallest * pairs > alpha * (1 + 1e-9):
        yield (
            f"no exact p-value of Wilcoxon's test on {nouns.judges(units.u)} is below "
            f"{smallest:.2g}, and {counted(pairs, 'pair')} need one of {alpha / pairs:.2g}: nobody "
            "can be separated, except by the approximation for tied differences."
        )

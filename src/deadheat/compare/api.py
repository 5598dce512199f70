"""Two candidates side by side: by how much, how sure that is, and which judges decide it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple, TypedDict

import numpy as np

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UnknownNamesError,
    UsageError,
    ask,
    bare,
    command_saying,
    counted,
    quoted,
)
from deadheat.core.types import Floats, Integers, codes
from deadheat.data.reading.read import read, require_known
from deadheat.data.results import Results, provenance_of
from deadheat.influence.api import flip_in_words
from deadheat.influence.leave_judges_out import Flip, Flips, Parts, parts_of
from deadheat.output.result import Result
from deadheat.output.schema import Count, Level, Share, Size
from deadheat.output.table import Grid
from deadheat.output.text import number, percent
from deadheat.ranking.function import RankingFunction, spoken
from deadheat.ranking.on_tables import (
    function_for,
    merits_of,
    require_usable,
    scale_warnings,
    usable,
)
from deadheat.ranking.ranks import best_first, levels, ranks
from deadheat.resampling.checkpoint import resumable
from deadheat.resampling.engines import Engine, Progress, Readers
from deadheat.resampling.plans import FEW_CLUSTERS, Plan, plan_for, plan_warnings
from deadheat.resampling.replicate import replicate
from deadheat.statistics.corrections import require_alpha
from deadheat.statistics.evidence import (
    Evidence,
    jackknife_errors,
    jackknife_p,
    require_enough,
    require_enough_replicates,
    require_judges_drawn,
    require_variation,
    twice_the_ranks,
    units_in_words,
    whole,
)
from deadheat.statistics.group_words import position
from deadheat.statistics.groups import monte_carlo_error, p_beats
from deadheat.statistics.intervals import intervals
from deadheat.statistics.units import FEW_JUDGES

NAMED = 5
ADDS = "adds to lead"
ROUNDING = 1e-9  # relative; means closer than this are equal
MOST_ROWS = 1_000  # of the table for people; JSON and CSV have all

# One candidate against another, judge by judge: wins, ties, losses, and the sign test.


class Duel(NamedTuple):
    """Hold on how many judges, but those of weight 0, candidate a scores higher than b.

    ``differences`` (m,) are NaN where a score is missing; shares are weighted.
    """

    differences: Floats
    higher: Annotated[Count, "judges that score a better"]
    tied: Annotated[Count, "judges that tie them"]
    lower: Annotated[Count, "judges that score b better"]
    win_rate: float
    effect: float
    sign_p: float
    signs_over: Annotated[str, "what that counts: judges or clusters"]

    @property
    def judges(self) -> int:
        return self.higher + self.tied + self.lower


def duel(results: Results, a: int, b: int) -> Duel:
    """Count the judges on which one candidate scores higher, and test whether that is chance.

    The sign test leaves ties out and does not weigh judges (Demsar 2006, JMLR 7, sec. 3.1.4). A
    cluster of judges counts once, for whoever scores higher on more of them.
    """
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf, or only the sign is known
        differences = np.asarray(results.scores[a] - results.scores[b], dtype=np.float64)
    level = levels(results.scores, tolerance=results.tie_tol)[[a, b]]
    differences[(level[0] == level[1]) & ~np.isnan(level[0])] = 0.0
    there = ~np.isnan(level).any(axis=0) & (results.weights > 0)
    outcome, weights = np.sign(differences[there]), results.weights[there]
    total = float(weights.sum()) or float("nan")
    won, even = float(weights[outcome > 0].sum()), float(weights[outcome == 0].sum())
    units = outcome
    if results.clusters is not None and len(outcome):
        units = np.sign(np.bincount(codes(tuple(results.clusters))[there], weights=outcome))
    higher, tied, lower = (int((outcome == sign).sum()) for sign in (1, 0, -1))
    p = sign_test(int((units > 0).sum()), int((units < 0).sum()))
    over = "judges" if results.clusters is None else "clusters"
    shares = (won / total, (won + even / 2) / total)
    return Duel(differences, higher, tied, lower, *shares, p, over)


def sign_test(higher: int, lower: int) -> float:
    # 2 P(X <= min(h, l)), at most 1, for X binomial with h + l trials
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(higher, lower), higher + lower, 0.5)))


# The difference of two merits over the replicates: interval, p-values, shares.


class PairedDifference(NamedTuple):
    """Hold what replicates say about a difference of two merits, the first less the second."""

    sign: int  # 1 if the first is ahead as observed, 0 if the two are tied, -1 if it is behind
    difference: Annotated[float, "of the merits, a less b"]
    low: float
    high: float
    alpha: Annotated[Level, "the level"]
    p_a_better: float  # how surprising the replicates are unless the first is better
    p_b_better: float
    p: float  # two-sided: twice the smaller of the one-sided ones
    ahead_share: Annotated[Share, "of resamples in which a is ahead"]
    tied_share: Annotated[Share, "of resamples in which they are level"]
    behind_share: Annotated[Share, "of resamples in which b is ahead"]
    share_error: Annotated[Size | None, "the Monte-Carlo error of these"]  # None: one left out
    replicates: Annotated[Count, "how many resamples"]


def paired_difference(evidence: Evidence, a: int, b: int, *, alpha: float) -> PairedDifference:
    r"""Return what the replicates say about merit a less merit b.

    The interval is the percentile interval of the differences; inside strata its levels are those
    of Student's t. The p-value of "a is better" is :math:`(1 + \#\{r : f^*_a \le f^*_b\}) / (1 +
    k)` over k replicates. Differs from Fawcett et al. (2023), who print the count over k: that can
    be 0. Under the jackknife both are Student's, with jackknife standard errors.
    """
    both, unit = [a, b], evidence.unit
    of_both = unit if np.ndim(unit) == 0 else np.asarray(unit)[both]
    places = twice_the_ranks(evidence.merits[:, both], of_both)
    observed = ranks(evidence.observed[both], unit=of_both)
    sign = int(np.sign(observed[1] - observed[0]))
    values = evidence.merits[:, both].astype(np.float64)
    differences = values[:, 0] - values[:, 1]
    differences[places[:, 0] == places[:, 1]] = 0.0
    difference = float(evidence.observed[a]) - float(evidence.observed[b]) if sign else 0.0
    exact = not evidence.plan.random
    if exact:
        from scipy.special import stdtrit

        error = float(jackknife_errors(differences[:, None], evidence.left_out_strata)[0])
        half = error * float(stdtrit(evidence.freedom, 1 - alpha / 2))
        low, high = difference - half, difference + half
        p = [float(jackknife_p(evidence, i, np.array([j]))[0]) for i, j in ((a, b), (b, a))]
    else:
        ends = intervals(
            evidence.quantiles("percentile"),
            observed=np.array([difference]),
            merits=differences[:, None],
            alpha=alpha,
            m=evidence.independent,
            freedom=evidence.freedom,
            kept=evidence.plan.variance_kept(evidence.results.m),
        )
        low, high = (float(end[0]) for end in ends)
        p = [float(p_beats(places, i, np.array([1 - i]))[0]) for i in (0, 1)]
    first, second = places.T
    ahead, tied, behind = (
        float(np.mean(which)) for which in (first < second, first == second, first > second)
    )
    of_shares = None if exact else float(monte_carlo_error(ahead, len(places)))
    p_values = (*p, min(1.0, 2 * min(p)))
    shares = (ahead, tied, behind, of_shares, len(places))
    return PairedDifference._make((sign, difference, low, high, alpha, *p_values, *shares))


# The comparison.


class CompareRow(TypedDict):
    """Two candidates a and b: one row per judge, those that do most for a first."""

    judge: Annotated[str, "its name"]
    a: Annotated[float | None, "the score of a"]
    b: Annotated[float | None, "the score of b"]
    difference: Annotated[float | None, "a less b, positive where a is better"]
    contribution: Annotated[float | None, "to the difference of the merits"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison(Result):
    """Hold the comparison of two candidates by one ranking function."""

    schema: ClassVar[str] = "deadheat.compare/1"
    results: Results
    function: RankingFunction
    pair: tuple[int, int]
    merits: tuple[float, float]  # as observed
    shown: tuple[float, float]  # the same as people write them
    paired: PairedDifference
    duel: Duel
    contributions: Floats | None  # (m,), they add up to the difference; None if not additive
    flip: Flip | None  # the fewest parts that decide who is ahead; None if none do, or not additive
    parts: Parts
    plan: str
    too_few: bool  # judges for a test

    @property
    def a(self) -> str:
        return self.results.candidates[self.pair[0]]

    @property
    def b(self) -> str:
        return self.results.candidates[self.pair[1]]

    @property
    def ahead(self) -> tuple[str, str]:
        """The one ahead and the other, as sentences name them; in their order if tied."""
        names = bare(self.a), bare(self.b)
        return names if self.paired.sign >= 0 else names[::-1]

    @cached_property
    def gains(self) -> Floats:
        """What decides on each judge: the contribution, else places of ranks, else the scores."""
        if self.contributions is not None:
            return self.contributions
        return self.duel.differences if self.places is None else self.places

    @cached_property
    def places(self) -> Floats | None:
        """How many places the first stands above the second on each judge, where ranks count."""
        if self.contributions is not None or self.function.scale != "ordinal":
            return None
        level = levels(self.results.scores, tolerance=self.results.tie_tol)
        a, b = ranks(level.T)[:, list(self.pair)].T
        return np.asarray(b - a)

    @property
    def separated(self) -> bool:
        return not self.too_few and self.paired.p <= self.paired.alpha

    @cached_property
    def scores(self) -> tuple[Floats, Floats]:
        """The scores of both as they were written, (m,) each."""
        a, b = (self.results.scores[i] for i in self.pair)
        lower = self.results.lower
        return np.where(lower, 0.0 - a, a), np.where(lower, 0.0 - b, b)

    def rows(self) -> list[CompareRow]:
        (a, b), gains = self.scores, self.contributions
        return [
            {
                "judge": self.results.judges[j],
                "a": float(a[j]),
                "b": float(b[j]),
                "difference": float(self.duel.differences[j]),
                "contribution": None if gains is None else float(gains[j]),
            }
            for j in self._best_first(1).tolist()
        ]

    def facts(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            **dict(zip(("merit_a", "merit_b"), self.merits, strict=True)),
            **dict(zip(("shown_a", "shown_b"), self.shown, strict=True)),
            **dict(list(self.paired._asdict().items())[1:]),
            **dict(list(self.duel._asdict().items())[1:]),
            "deciding_for_a": [self.results.judges[j] for j in self.deciding(1)],
            "deciding_for_b": [self.results.judges[j] for j in self.deciding(-1)],
            "over": self.parts.over,
            "flip": self.flip and self.flip.as_json(self.results, self.parts),
            "plan": self.plan,
        }

    def deciding(self, sign: int, most: int = NAMED) -> list[int]:
        """Return the judges that do most for the first (1) or the second (-1) candidate."""
        return [j for j in self._best_first(sign)[:most].tolist() if sign * self.gains[j] > 0]

    def _best_first(self, sign: int) -> Integers:
        return best_first(sign * self.gains, unit=self._unit)

    @property
    def _unit(self) -> float:
        return float(np.nan_to_num(np.abs(self.gains)).max(initial=0.0))

    @cached_property
    def step(self) -> float:
        """How much a unit of merit is of what people write: 1 of 500 instances is 0.002 solved."""
        zero, one, two = self.function.shown(np.array([0.0, 1.0, 2.0]), self.results).tolist()
        return abs(one - zero) if np.isclose(one - zero, two - one) else 1.0

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(filter(None, (_lead(self), _shares(self), _wins(self), _flip(self))))

    def grid(self) -> Grid:
        """Return the judges that decide most first, for whomever they do."""
        if not np.nan_to_num(self.gains).any():
            return Grid(columns=(), cells=())
        columns = {self.a: self.scores[0], self.b: self.scores[1]}
        columns["difference"] = self.duel.differences
        if self.places is not None:
            columns["places ahead"] = self.places
        elif self.contributions is not None:
            columns[ADDS] = self.step * self.contributions
        order = best_first(np.abs(self.gains), unit=self._unit)[:MOST_ROWS].tolist()
        cells = ((self.results.judges[j], *(float(c[j]) for c in columns.values())) for j in order)
        more = self.results.m - len(order)
        legend = [f"{more:,} more in JSON and CSV."] if more else []
        if self.function.scale == "ordinal":
            called = self.function.called(self.results)
            legend.insert(0, f"Sorted by what decides: {called} counts places, not differences.")
        judge = self.results.nouns.judge
        return Grid.of((judge, *columns), cells, legend=tuple(legend), leading=2 * NAMED)


# What a comparison says.


def _lead(found: Comparison) -> str:
    (a, b), pair = found.ahead, found.paired
    unit = " %" if found.function.in_percent(found.results) else ""
    values = [f"{number(value)}{unit}" for value in found.shown][:: pair.sign or 1]
    heading, step = found.function.noun_for(found.results), found.step
    level = f"{number(100 * (1 - pair.alpha))} % interval"
    low, high = sorted(step * (pair.sign or 1) * end for end in (pair.low, pair.high))
    span = "" if np.isnan(low) else f"{level} {_amount(low)} to {_amount(high)}"
    if not pair.sign:
        return f"{a} and {b} are tied ({heading} {values[0]}{span and f'; {span}'})."
    told = f"{a} ({heading} {values[0]}) is ahead of {b} ({values[1]}) by "
    told += f"{_amount(step * abs(pair.difference))}{span and f' ({span})'}"
    told = f"{told}.{_by_the_mean(found, b)}"
    if found.too_few:
        return f"Too few {found.results.nouns.judges()} for a test: {told}"
    if found.separated:
        return told
    one_sided = pair.p <= 2 * pair.alpha  # as a verdict tests
    return f"{'Separated by a one-sided test alone' if one_sided else 'Not separated'}: {told}"


def _by_the_mean(found: Comparison, behind: str) -> str:
    """Say that whoever is behind is ahead by the plain mean, where it is."""
    results, mean = found.results, function_for(found.results, "mean")
    if found.function.name == mean.name or not usable(results, [mean])[0]:
        return ""
    a, b = found.paired.sign * merits_of(results, [mean])[mean.name][0, list(found.pair)]
    if b - a <= ROUNDING * max(abs(a), abs(b)):
        return ""
    return f" By {results.heading or 'the plain mean'}, {behind} is ahead."


def _shares(found: Comparison) -> str:
    pair = found.paired
    ahead, behind, p = pair.ahead_share, pair.behind_share, pair.p_a_better
    if pair.sign < 0:
        ahead, behind, p = behind, ahead, pair.p_b_better
    over = f"of {counted(pair.replicates, 'resample')}"
    if pair.share_error is None:
        over = f"of {pair.replicates:,} cases with one {found.parts.one} left out"
    tied = f", tied in {percent(pair.tied_share)}" if pair.tied_share else ""
    test = f"one-sided p = {_p(p)}, two-sided {_p(pair.p)}"
    test = test if pair.sign else f"two-sided p = {_p(pair.p)}"
    shares = f"ahead in {percent(ahead)} {over}{tied}, behind in {percent(behind)}"
    return f"{found.ahead[0]} is {shares} ({test}; not corrected for other comparisons)."


def _wins(found: Comparison) -> str:
    fight = found.duel
    more, less = (fight.higher, fight.lower)[:: found.paired.sign or 1]
    tied = f", the same on {fight.tied:,}" if fight.tied else ""
    once = "" if fight.signs_over == "judges" else " over clusters"
    judges = found.results.nouns.judges(fight.judges)
    record = f"wins {more:,} of {judges}, loses {less:,}{tied}"
    return f"{found.ahead[0]} {record} (sign test{once} p = {_p(fight.sign_p)})."


def _flip(found: Comparison) -> str:
    if found.flip is not None:
        return flip_in_words(found.flip, found.results.candidates, found.parts)
    if found.contributions is None or not found.paired.sign:
        return ""
    ahead, behind = found.ahead
    return f"Whatever {found.parts.many} are left out, {behind} does not draw level with {ahead}."


def _amount(value: float) -> str:
    """Return a difference for people, without what rounding left in its last digits."""
    return number(float(f"{value:.12g}"))


def _p(p: float) -> str:
    return f"{p:.2g}" if p >= 1e-4 else f"{p:.0e}"


@resumable
def compare(
    table: Any,
    a: str,
    b: str,
    *,
    by: str | RankingFunction | None = None,
    replicates: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    plan: str | Plan | None = None,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Comparison:
    """Compare two candidates: the paired difference of their merits, and how sure it is.

    Both are ranked in the same replicates, so that what a judge does to both cancels. p-values
    are for this one comparison: who picks it among many because it looks good finds small ones
    by chance, which :func:`deadheat.verdict` corrects for.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`.
    a, b
        The names of the two candidates.
    by
        The ranking function; by default ``average_rank``, of 0 and 1 the mean, of runs the total
        of their rule.
        All candidates of the table take part in it.
    replicates, plan
        How many resamples, 10,000 by default, and how, as in :func:`deadheat.verdict`.

    Examples
    --------
    >>> import deadheat as dh
    >>> found = dh.compare(dh.examples.load("compressors"), "bzip2-9", "lzma-6", by="average_rank")
    >>> found.facts()["higher"], found.facts()["lower"]
    (12, 4)
    """
    require_alpha(alpha)
    require_known(compare, reading)
    results = read(table, **reading, engine=Readers(engine))
    f = function_for(results, by)
    require_usable(results, f)
    require_enough(results)
    pair = _both(results, str(a), str(b))
    if a == b:
        raise _of_itself(results, f, pair[0])
    drawing = plan_for(results, plan, replicates=replicates, seed=seed, whole=f.form == "table")
    if drawing.random:
        require_enough_replicates(drawing.replicates, alpha)
    require_judges_drawn(drawing)
    require_variation(results, drawing)
    merits, known = replicate(results, f, drawing, on=engine, progress=progress)
    rows = drawing.leaves_out(results.weights)
    merits = merits if rows is None else merits[rows]
    evidence = Evidence(
        results=results,
        function=f,
        plan=drawing,
        observed=merits_of(results, [f])[f.name][0],
        merits=merits,
        contributions=known,
        rows=rows,
    )
    return comparison(evidence, *pair, alpha=alpha)


def comparison(evidence: Evidence, a: int, b: int, *, alpha: float) -> Comparison:
    """Return the comparison of two candidates, without replicates in which one has no merit."""
    results, f, known = evidence.results, evidence.function, evidence.contributions
    require_alpha(alpha)
    if a == b:
        raise _of_itself(results, f, a)
    observed: Floats = merits_of(results, [f])[f.name][0]
    for i in (a, b):
        if np.isnan(observed[i]):
            who = f"{results.nouns.candidate} {quoted(results.candidates[i])}"
            fact = f"{spoken(f.name)} gives no merit to {who}."
            hint = f"it needs a score; what was read: {ask('check', 'FILE')}"
            raise DataError(fact, hint=hint)
    _, skipped = whole(evidence.merits[:, [a, b]])
    evidence = replace(evidence, observed=observed, skipped=skipped)
    if skipped:
        there = ~np.isnan(evidence.merits[:, [a, b]]).any(axis=1)
        rows = None if evidence.rows is None else evidence.rows[there]
        evidence = replace(evidence, merits=evidence.merits[there], rows=rows)
    found = paired_difference(evidence, a, b, alpha=alpha)
    parts = parts_of(results)
    gains, flip = None, None
    if known is not None:
        sides = np.asarray(known.values[[a, b]], dtype=np.float64) / known.scale
        gains = results.weights * (sides[0] - sides[1]) / results.weights.sum()
        if found.sign:
            ahead, behind = (a, b) if found.sign > 0 else (b, a)
            flip = Flips(results, f, known, parts).flip(ahead, behind)
    shown, how = f.shown(observed, results), evidence.plan.in_words(results.m, results.nouns)
    drawn: dict[str, Any] = {
        "seed": evidence.plan.seed,
        "replicates": len(evidence.merits),
        "plan": how,
    }
    return Comparison(
        made=provenance_of(results, function=[f.name], **drawn, alpha=alpha),
        warnings=_warnings(evidence),
        library=results.library,
        results=results,
        function=f,
        pair=(a, b),
        merits=(float(observed[a]), float(observed[b])),
        shown=(float(shown[a]), float(shown[b])),
        paired=found,
        duel=duel(results, a, b),
        contributions=gains,
        flip=flip,
        parts=parts,
        plan=how,
        too_few=evidence.too_few,
    )


def _warnings(evidence: Evidence) -> tuple[str, ...]:
    results = evidence.results
    found = [*results.notes, *scale_warnings(results, [evidence.function])]
    found += plan_warnings(results, evidence.plan)
    number_of, worth = evidence.independent, min(evidence.independent, evidence.effective)
    few_clusters = evidence.plan.clusters is not None and number_of < FEW_CLUSTERS
    if evidence.too_few and not few_clusters:  # of which the plan warns
        found.append(f"{units_in_words(results, evidence.plan)} are too few for a test.")
    elif worth < FEW_JUDGES and not few_clusters:
        equal = "" if worth == number_of else f", worth {number(worth)} of equal weight,"
        unit = results.nouns.unit(evidence.plan.unit)
        few = f"{counted(number_of, unit)}{equal} are few: below {FEW_JUDGES}"
        found.append(f"{few} percentile intervals are too narrow and p-values too small.")
    if evidence.skipped:
        without = counted(evidence.skipped, "resample")
        found.append(f"{without} left out, in which one of the two had no {results.nouns.judge}.")
    return tuple(dict.fromkeys(found))


def _both(results: Results, a: str, b: str) -> tuple[int, int]:
    """Return where two candidates stand; refuse unknown ones, with other names for both."""
    known = list(results.candidates)
    unknown = [name for name in (a, b) if name not in known]
    if len(unknown) == 2 and a != b:
        raise UnknownNamesError(results.nouns.candidate, unknown, known)
    for name in unknown[:1]:
        others = [each for each in known if each not in (a, b)]
        raise UnknownNameError(results.nouns.candidate, name, others)
    return known.index(a), known.index(b)


def first_two(
    results: Results, by: str | RankingFunction | None = None, *, named: str | None = None
) -> tuple[str, str]:
    """Return the two candidates that rank first, or who is named and the first of the others."""
    f = function_for(results, by)
    require_usable(results, f)
    require_enough(results)
    some = [] if named is None else [results.candidates[position(results.candidates, named)]]
    a, b = [*some, *_without(results, f, some)][:2]
    return a, b


def _without(results: Results, f: RankingFunction, names: list[str]) -> list[str]:
    """Return everybody else, best first."""
    first = best_first(merits_of(results, [f])[f.name][0]).tolist()
    return [name for i in first if (name := results.candidates[i]) not in names]


def _of_itself(results: Results, f: RankingFunction, i: int) -> UsageError:
    who = results.candidates[i]
    fact = f"{results.nouns.candidate} {quoted(who)} is compared with itself."
    other = _without(results, f, [who])[:1]
    command = command_saying({who: other}) if other else ""
    hint = f"with {quoted(other[0])}: {command}" if command else "name another one."
    return UsageError(fact, hint=hint)

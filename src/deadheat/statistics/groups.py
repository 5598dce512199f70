"""Tie groups: the robust ranking of Fawcett et al., and groups from tests of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from deadheat.core.options import Leader, PValue
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.results import Results
from deadheat.ranking.block import WORKING_SET, slices
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import ranks, times_not_ahead
from deadheat.resampling.engines import Progress
from deadheat.resampling.plans import Plan
from deadheat.resampling.replicate import BYTES_PER_MERIT, reduce_blocks, seconds
from deadheat.statistics.corrections import fewest_draws, rejections
from deadheat.statistics.evidence import Evidence, Spread, jackknife_p

# One-sided bootstrap p-values: how often the other one is at least as good.


def p_beats(places: Integers, leader: int, others: Integers, *, plus_one: bool = True) -> Floats:
    r"""Return the bootstrap p-values of "the leader is better than each of the others".

    .. math:: p = \frac{1 + \#\{b : S^*_{leader} \le S^*_{other}\}}{1 + k}

    Places are (B, n), 1 = best. Fawcett et al. (2023) print the count over k
    (``plus_one=False``): that can be 0, and no test by resampling has so small a p-value.
    """
    counts = _not_ahead(places, leader, others)
    return (counts + 1) / (len(places) + 1) if plus_one else counts / len(places)


def _not_ahead(places: Integers, leader: int, others: Iterable[int]) -> Integers:
    mine = places[:, leader]
    return np.array([np.count_nonzero(mine >= places[:, i]) for i in others], dtype=np.int64)


def all_pairs(places: Integers) -> Floats:
    """Return the p-value of "i is better than j" at [i, j], as :func:`p_beats`; 1 where i = j."""
    replicates, n = places.shape
    counts = np.zeros((n, n), dtype=np.int64)
    for some in slices(replicates, n, of=4 * WORKING_SET):
        columns = columnwise(places[some])
        for i in range(n):
            counts[i] += _not_ahead(columns, i, range(n))
    return np.asarray((counts + 1) / (replicates + 1))


def pair_p_values(evidence: Evidence, spread: Spread) -> Floats:
    """Return the uncorrected p-value of "i is better than j" at [i, j], as a verdict tests them."""
    if evidence.plan.random:
        return all_pairs(spread.places)
    everybody = np.arange(evidence.results.n)
    p = np.stack([jackknife_p(evidence, i, everybody) for i in everybody.tolist()])
    np.fill_diagonal(p, 1.0)
    return p


def monte_carlo_error(p: Floats | float, k: int) -> Floats:
    """Return the standard error of a proportion of k; 0 and 1 count as (p k + 1)/(k + 2)."""
    share = np.asarray(p, dtype=np.float64)
    share = np.where((share <= 0) | (share >= 1), (share * k + 1) / (k + 2), share)
    return np.sqrt(share * (1 - share) / k)


def columnwise(places: Integers) -> Integers:
    """Return the places column by column, as small as they can be: ten times faster to compare."""
    smallest = np.min_scalar_type(int(places.max(initial=0)))
    return np.asarray(places, dtype=smallest, order="F")


# One tie group after the other: a leader, and all that it is not shown better than.

Members: TypeAlias = tuple[tuple[int, ...], ...]
CLOSE = 2.0  # Monte-Carlo errors
ROUND = 1_000  # draws: numbers that a person would say


class Round(NamedTuple):
    leader: int
    others: Integers
    p: Floats
    thresholds: Floats  # what each p was compared with; NaN behind the first that failed Holm's
    rejected: Booleans


class Borderline(NamedTuple):
    """A decision that other replicates might have turned, with the Monte-Carlo error of p."""

    leader: int
    other: int
    p: float
    threshold: float
    error: float
    excluded: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Groups:
    members: Members
    rounds: tuple[Round, ...]  # one per group; a last candidate left alone has none
    borderline: tuple[Borderline, ...]
    leaders_differ: bool  # in some round who is first most often has not the best merit
    draws: int | None = None  # behind each p-value; None if these are exact
    needed: int | None = None  # draws to exclude anybody, where it is undecided for want of them
    unfinished: bool = False  # the last group holds all whom there was no time to test further

    @property
    def leaders(self) -> tuple[int, ...]:
        led = tuple(r.leader for r in self.rounds)
        return led + tuple(group[0] for group in self.members[len(led) :])  # a last one alone


def robust_groups(
    places: Integers,
    observed: Floats,
    *,
    medians: Floats,
    alpha: float,
    p_value: PValue = "plus-one",
    leader: Leader = "plurality",
    correction: str = "holm",
    p_of: Callable[[int, Integers], Floats] | None = None,
    draws: int | None = None,
) -> Groups:
    """Return the robust ranking: groups of candidates that the leader of each does not beat.

    In every round the leader is the candidate that is first most often among those that remain
    (a shared first place counts for all who share it). It is tested against all others that
    remain, with Holm's correction. Those it is not shown better than form a group with it and
    leave; the others go on to the next round (Fawcett, Vallati, Hoos, Gerevini 2023).

    ``places`` (B, n) have 1 = best. ``observed`` merits (or minus the ranks) decide among several
    leaders; by ``"best-score"`` they lead, and first places decide. ``medians`` give the order
    inside a group. ``p_of(leader, others)`` is another source of p-values, with ``draws`` behind
    each; None if they are exact.

    Differs from the paper: Holm's inequality is printed reversed, and p can be 0 there. Nor is the
    family-wise error alpha, as it claims: the leader is chosen and tested on the same replicates
    (``docs/validity.md``, study "groups"). "Most often first" is a plurality: two near-copies can
    lose the lead to a worse candidate, hence ``leaders_differ``.
    """
    columns = columnwise(places)
    if p_of is None:
        p_of = partial(p_beats, columns, plus_one=p_value == "plus-one")
        draws = len(places)

    def test(first: int, others: Integers) -> Round:
        p = p_of(first, others)
        rejected, thresholds = rejections(p, alpha, correction)
        return Round(first, others, p, thresholds, rejected)

    groups = _groups(columns, observed, medians, leader, test, draws)
    if draws is None or p_value == "paper" or not groups.rounds:
        return groups
    return replace(groups, needed=_draws_needed(groups.rounds[0], draws, alpha, correction))


def greedy_groups(
    rejected: Booleans,
    places: Integers,
    observed: Floats,
    *,
    medians: Floats,
    p: Floats,
    alpha: float,
    leader: Leader = "plurality",
    draws: int | None = None,
) -> Groups:
    """Return groups that show tests of all pairs: whether i is shown better than j, adjusted p."""

    def test(first: int, others: Integers) -> Round:
        levels = np.full(len(others), alpha)
        return Round(first, others, p[first, others], levels, rejected[first, others])

    return _groups(columnwise(places), observed, medians, leader, test, draws)


def _groups(
    columns: Integers,
    observed: Floats,
    medians: Floats,
    leader: Leader,
    test: Callable[[int, Integers], Round],
    draws: int | None,
) -> Groups:
    """Take one group after the other; ``test`` compares a leader with all others that remain."""
    standing, inside = ranks(np.asarray(observed)), ranks(np.asarray(medians))
    remaining = np.arange(columns.shape[1])
    members: list[tuple[int, ...]] = []
    rounds: list[Round] = []
    differ = False
    while len(remaining) > 1:
        best_place = columns[:, remaining[0]].copy()
        for i in remaining[1:]:
            np.minimum(best_place, columns[:, i], out=best_place)
        firsts = -np.array([np.count_nonzero(columns[:, i] == best_place) for i in remaining])
        merit = standing[remaining]  # each decides the other's ties
        plurality = int(remaining[np.lexsort((remaining, merit, firsts))[0]])
        best = int(remaining[np.lexsort((remaining, firsts, merit))[0]])
        differ |= plurality != best
        first = best if leader == "best-score" else plurality
        others = remaining[remaining != first]
        rounds.append(test(first, others))
        worse = rounds[-1].rejected
        group = np.append(others[~worse], first)
        by_median = np.lexsort((group, standing[group], inside[group]))
        members.append(tuple(group[by_median].tolist()))
        remaining = others[worse]
    members += [(int(i),) for i in remaining]
    return Groups(
        members=tuple(members),
        rounds=tuple(rounds),
        borderline=() if draws is None else tuple(_borderline(rounds, draws)),
        leaders_differ=differ,
        draws=draws,
    )


def fractional_ranks(members: Members, n: int) -> Floats:
    """Return the rank of each candidate: the mean of the positions of its group, NaN if in none."""
    places, before = np.full(n, np.nan), 0
    for group in members:
        places[list(group)] = before + (1 + len(group)) / 2
        before += len(group)
    return places


def restrict_groups(members: Members, among: Iterable[int]) -> Members:
    kept = set(among)
    cut = (tuple(i for i in group if i in kept) for group in members)
    return tuple(group for group in cut if group)


def ties(members: Members) -> int:
    return sum(len(group) * (len(group) - 1) // 2 for group in members)


def inverted_pairs(places: Floats, official_ranks: Floats) -> Integers:
    """Return the pairs (p, 2) of which the first has a better place and a worse official rank."""
    pairs = [np.empty((0, 2), dtype=np.int64)]
    for i in np.argsort(places, kind="stable").tolist():
        turned = (places[i] < places) & (official_ranks[i] > official_ranks)
        others = np.flatnonzero(turned)
        pairs.append(np.stack([np.full(len(others), i), others], axis=1))
    return np.concatenate(pairs)


def inversions(members: Members, official_ranks: Floats) -> int:
    """Return how many pairs have one officially worse and yet in a better group than the other."""
    official = [official_ranks[list(group)] for group in members]
    return sum(int((better[:, None] > worse).sum()) for better, worse in combinations(official, 2))


def _draws_needed(first: Round, draws: int, alpha: float, correction: str) -> int | None:
    """Return how many draws, in thousands, the first round needs to show a tie or a difference."""
    needed = fewest_draws(len(first.others), alpha, correction)
    if draws >= needed or first.rejected.any():
        return None
    least = first.p.min()
    close = least - 1 / (needed + 1) <= CLOSE * monte_carlo_error(least, draws)
    return -(-needed // ROUND) * ROUND if close else None


def _borderline(rounds: list[Round], draws: int) -> Iterator[Borderline]:
    for r in rounds:
        errors = monte_carlo_error(r.p, draws)
        near = np.abs(r.p - r.thresholds) <= CLOSE * errors  # NaN, never reached, is not near
        columns = (r.others, r.p, r.thresholds, errors, r.rejected)
        for other, p, threshold, error, rejected in zip(
            *(column[near].tolist() for column in columns), strict=True
        ):
            yield Borderline(r.leader, other, p, threshold, error, rejected)


# Tests of leaders on more replicates than are kept: only counts of them are.

USUAL = 10_000  # replicates, where nobody asked for another number
ROOM = 1.1  # times the fewest that can show anything
MOST_TIMES = 10  # the fewest that can show anything: more are kept, or refused
KEPT = 1_000_000_000  # bytes of replicates: the request alone says what is kept
PATIENCE = 60.0  # seconds on one core that nobody was asked for
MOST_LEADERS = 16  # that are counted in one pass over the replicates: guesses further on are wrong
SECONDS_PER_COMPARISON = 1.6e-9


def numbers_of(
    results: Results, f: RankingFunction, plan: Plan, *, chosen: bool, alpha: float, correction: str
) -> tuple[Plan, int]:
    """Return the plan of the replicates that are kept, and on how many leaders are tested.

    Unless chosen, tests have what the correction needs, if that takes less than a minute; what was
    chosen is kept up to a gigabyte.
    """
    needed = fewest_draws(results.n - 1, alpha, correction)
    if needed <= USUAL:
        return plan, plan.replicates
    if not chosen:
        enough = plan.with_replicates(ROUND * int(-(-ROOM * needed // ROUND)))
        bearable = seconds(results, f, enough) <= PATIENCE
        return plan, enough.replicates if bearable else plan.replicates
    fits = BYTES_PER_MERIT * results.n * plan.replicates <= KEPT
    if fits or not USUAL < plan.replicates <= MOST_TIMES * needed:
        return plan, plan.replicates
    return plan.with_replicates(USUAL), plan.replicates


def groups_by_counts(
    evidence: Evidence,
    spread: Spread,
    test_leaders: Callable[..., Groups],
    tested: int,
    progress: Progress | None = None,
) -> Groups:
    r"""Return the groups of Fawcett et al. with every leader tested on ``tested`` replicates.

    Of the replicates that are not kept only the counts :math:`\#\{b : S^*_{leader} \le
    S^*_{other}\}` stay. Who leads after the first group hangs on these counts, so the leaders are
    guessed from those kept and counted in one pass; for leaders that were not foreseen the same
    blocks are drawn again. After about a minute those not counted yet are tested on the replicates
    kept, which exclude nobody: the rest makes one ``unfinished`` group.
    """
    results, f, columns = evidence.results, evidence.function, columnwise(spread.places)
    more = evidence.plan.with_replicates(tested)
    counts: dict[int, Integers] = {}
    missing: list[int] = []
    total, spent = len(columns), 0.0

    def groups(*, guess: bool) -> Groups:
        def p_of(first: int, others: Integers) -> Floats:
            if first in counts:
                return np.asarray((counts[first][others] + 1) / (total + 1))
            missing.append(first)
            return p_beats(columns, first, others, plus_one=not guess)

        missing.clear()
        return test_leaders(p_of=p_of, draws=total)

    while spent <= PATIENCE:
        guess = groups(guess=True)
        if not missing:
            return guess
        leaders = tuple(missing[:MOST_LEADERS])
        work = partial(_count, leaders=leaders, unit=evidence.unit)
        since, total = len(evidence.merits) + evidence.skipped, len(columns)
        sums = np.array([_not_ahead(columns, first, range(results.n)) for first in leaders])
        for count, number in reduce_blocks(
            results, f, more, work, since=since, on=evidence.on, progress=progress
        ):
            sums += count
            total += number
        counts |= dict(zip(leaders, sums, strict=True))
        comparing = SECONDS_PER_COMPARISON * results.n * tested * len(leaders)
        spent += seconds(results, f, more) + comparing
    return replace(groups(guess=False), unfinished=bool(missing))


def _count(
    merits: Floats, *, leaders: tuple[int, ...], unit: Floats | float
) -> tuple[Integers, int]:
    """Count, in the replicates in which everybody has a merit, where leaders are not ahead."""
    undefined = np.isnan(merits).any(axis=1)
    whole = merits[~undefined] if undefined.any() else merits
    return times_not_ahead(whole, leaders, unit=unit), len(whole)

"""Tie groups: the robust ranking of Fawcett et al., and groups from tests of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias, get_args

import numpy as np

from deadheat.errors import UnknownNameError
from deadheat.inference.corrections import fewest_draws, rejections, require_alpha
from deadheat.inference.pairs import columnwise, monte_carlo_error, p_beats
from deadheat.inference.peeling import peeled
from deadheat.typing import Booleans, Floats, Integers

PValue = Literal["plus-one", "paper"]
Leader = Literal["plurality", "best-score"]
Members: TypeAlias = tuple[tuple[int, ...], ...]
CLOSE = 2.0  # Monte-Carlo errors
ROUND = 1_000  # draws: numbers that a person would say


@dataclass(frozen=True, eq=False, kw_only=True)
class Round:
    """Hold the tests of one leader against all others that remained."""

    leader: int
    others: Integers
    p: Floats
    thresholds: Floats
    """What each p was compared with; NaN behind the first that failed Holm's test."""
    rejected: Booleans


@dataclass(frozen=True, kw_only=True)
class Borderline:
    """Hold a decision that other replicates might have turned."""

    leader: int
    other: int
    p: float
    threshold: float
    error: float
    """The Monte-Carlo error of p."""
    rejected: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Groups:
    """Hold ordered tie groups, the best first, and how they came about."""

    members: Members
    rounds: tuple[Round, ...]
    """One per group, except that a last candidate left alone is tested against nobody."""
    borderline: tuple[Borderline, ...]
    leaders_differ: bool
    """Whether in some round the candidate most often first is not the one with the best merit."""
    draws: int | None = None
    """How many random draws are behind each p-value; None if they are exact."""
    needed: int | None = None
    """How many draws it takes to exclude anybody, where that is undecided for want of them."""
    unfinished: bool = False
    """Whether the last group holds everybody whom there was no time to test further."""


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
    leave; the others go on to the next round.

    Parameters
    ----------
    places
        (B, n), the place of each candidate in each replicate, 1 = best, ties share a place.
    observed
        (n,), the observed merits (or minus the ranks): among several leaders the one with the
        best is taken, then the first in order.
    medians
        (n,), median merits of the replicates (or minus their ranks): their order is the order
        inside a group.
    p_value
        ``"paper"`` divides the count by k, ``"plus-one"`` adds one to both.
    leader
        ``"best-score"`` takes the best observed merit; first places then decide among equals.
    correction
        How the tests of one round are corrected: one of ``CORRECTIONS``, Holm's as in [1]_.
    p_of
        Another source of p-values: called with the leader and the others of a round.
    draws
        How many random draws are behind each p-value of ``p_of``; None if they are exact, so
        that nothing is borderline.

    Notes
    -----
    Differs from [1]_: Holm's inequality is printed reversed (:func:`holm_rejections`), and p can
    be 0 there (:func:`p_beats`).

    The family-wise error is not alpha, as [1]_ claims: the leader is chosen and tested on the same
    replicates. With all candidates equal, somebody is excluded from the first group more often, the
    more candidates there are; a given best candidate about as often as alpha says
    (``docs/validity.md``, study "groups"). Errors add up over the groups.
    Nor is a member of one group shown better than every member of the next: only the leader is.
    "Most often first" is a plurality, and near-copies share their first places: two of them can
    lose the lead to a worse candidate, hence ``leaders_differ``.

    A decision is borderline where p lies within two Monte-Carlo errors of its threshold: among
    those rejected, each of which might have stopped Holm's test, and the one that did stop it.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
           Using Statistical Resampling".

    Examples
    --------
    >>> places = np.array([[1, 2, 3], [2, 1, 3]] * 50)
    >>> robust_groups(places, np.array([5, 4, 1]), medians=np.array([4, 5, 1]), alpha=0.05).members
    ((1, 0), (2,))
    """
    require_alpha(alpha)
    if p_value not in get_args(PValue):
        raise UnknownNameError("p-value", str(p_value), get_args(PValue))
    columns = columnwise(places)
    if p_of is None:
        p_of = partial(p_beats, columns, plus_one=p_value == "plus-one")
        draws = len(places)
    rounds: list[Round] = []

    def shown_worse(first: int, others: Integers) -> Booleans:
        p = p_of(first, others)
        rejected, thresholds = rejections(p, alpha, correction)
        rounds.append(
            Round(leader=first, others=others, p=p, thresholds=thresholds, rejected=rejected)
        )
        return rejected

    members, differ = peeled(
        columns, observed, medians, by_merit=_by_merit(leader), shown_worse=shown_worse
    )
    return Groups(
        members=members,
        rounds=tuple(rounds),
        borderline=() if draws is None else _borderline(rounds, draws),
        leaders_differ=differ,
        draws=draws,
        needed=None
        if draws is None or p_value == "paper" or not rounds
        else _needed(rounds[0], draws, alpha, correction),
    )


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
    """Return groups that show the outcome of tests of all pairs.

    In every round the leader, chosen as in :func:`robust_groups`, forms a group with all that
    remain and that it is not shown better than. No test is made here, so the groups have the
    error of the tests of pairs and no other.

    Parameters
    ----------
    rejected
        (n, n), at [i, j] whether i is shown better than j.
    p
        (n, n), the adjusted p-values of the pairs, which were compared with alpha.
    draws
        How many random draws are behind each p-value; None if they are exact.
    """
    rounds: list[Round] = []

    def shown_worse(first: int, others: Integers) -> Booleans:
        worse = np.asarray(rejected[first, others])
        against = np.full(len(others), alpha)
        rounds.append(
            Round(
                leader=first, others=others, p=p[first, others], thresholds=against, rejected=worse
            )
        )
        return worse

    members, differ = peeled(
        columnwise(places), observed, medians, by_merit=_by_merit(leader), shown_worse=shown_worse
    )
    return Groups(
        members=members,
        rounds=tuple(rounds),
        borderline=() if draws is None else _borderline(rounds, draws),
        leaders_differ=differ,
    )


def fractional_ranks(members: Members, n: int) -> Floats:
    """Return the rank of each candidate: the mean of the positions of its group, NaN if in none.

    >>> fractional_ranks(((2, 0), (1,)), 3)
    array([1.5, 3. , 1.5])
    """
    found = np.full(n, np.nan)
    before = 0
    for group in members:
        found[list(group)] = before + (1 + len(group)) / 2
        before += len(group)
    return found


def restricted(members: Members, among: Iterable[int]) -> Members:
    """Return the groups that meet a subset of the candidates, cut down to it.

    >>> restricted(((2, 0), (1,), (3, 4)), [0, 3, 4])
    ((0,), (3, 4))
    """
    kept = set(among)
    cut = (tuple(i for i in group if i in kept) for group in members)
    return tuple(group for group in cut if group)


def ties(members: Members, among: Iterable[int] | None = None) -> int:
    """Return how many pairs of candidates, of a subset if given, share a group.

    >>> ties(((2, 0, 1), (3, 4)))
    4
    """
    chosen = members if among is None else restricted(members, among)
    return sum(len(group) * (len(group) - 1) // 2 for group in chosen)


def inversions(members: Members, official_ranks: Floats, among: Iterable[int] | None = None) -> int:
    """Return how many pairs have one officially worse and yet in a better group than the other.

    Candidates that are officially tied, or have no official rank (NaN), are in no inversion.

    >>> inversions(((2, 0), (1,)), np.array([1, 2, 3]))
    1
    """
    chosen = members if among is None else restricted(members, among)
    official = [np.asarray(official_ranks)[list(group)] for group in chosen]
    found = 0
    for k, better_group in enumerate(official):
        for worse_group in official[k + 1 :]:
            found += int((better_group[:, None] > worse_group).sum())
    return found


def _by_merit(leader: str) -> bool:
    if leader not in get_args(Leader):
        raise UnknownNameError("leader", str(leader), get_args(Leader))
    return leader == "best-score"


def _needed(first: Round, draws: int, alpha: float, correction: str) -> int | None:
    """Return how many thousand draws the first round needs, if it excludes nobody without them.

    It does where even a count of 0 would not be rejected, and the smallest p-value lies within
    Monte-Carlo error of what would be: neither a tie nor a difference is shown.
    """
    needed = fewest_draws(len(first.others), alpha, correction)
    if draws >= needed or first.rejected.any():
        return None
    least = first.p.min()
    close = least - 1 / (needed + 1) <= CLOSE * monte_carlo_error(least, draws)
    return -(-needed // ROUND) * ROUND if close else None


def _borderline(rounds: list[Round], draws: int) -> tuple[Borderline, ...]:
    found = []
    for r in rounds:
        errors = monte_carlo_error(r.p, draws)
        near = np.abs(r.p - r.thresholds) <= CLOSE * errors  # NaN, never reached, is not near
        found += [
            Borderline(
                leader=r.leader,
                other=int(r.others[i]),
                p=float(r.p[i]),
                threshold=float(r.thresholds[i]),
                error=float(errors[i]),
                rejected=bool(r.rejected[i]),
            )
            for i in np.flatnonzero(near)
        ]
    return tuple(found)

"""Gaussian ratings from rounds in which any number of candidates or teams are ranked at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import sqrt

import numpy as np
import numpy.typing as npt

from deadheat.ranking.rating.gaussian import (
    Gaussian,
    Members,
    Prior,
    Rule,
    over_orders,
    refuse_shared_members,
)
from deadheat.ranking.rating.gaussian_moments import drawn, won
from deadheat.ranking.rating.round_ranks import checked_ranks, groups_of
from deadheat.typing import Floats

MOST_SWEEPS = 500
SETTLED = 1e-9  # of a standard deviation: the largest move of a difference in the last sweep
LEAST_KEPT = 1e-9  # of a variance: what a fact leaves, so that rounding cannot make it vanish


def gaussian_rounds(
    ranks: npt.ArrayLike,
    *,
    members: Members | None = None,
    n: int | None = None,
    prior: Prior | None = None,
    start: Gaussian | None = None,
    shuffles: int = 0,
    seed: int = 0,
) -> Gaussian:
    r"""Rate the candidates of a stream of rounds, each a ranking with ties and absent candidates.

    A round tells of each two candidates on neighbouring places that the better performance is
    ahead by more than the draw margin, and of each two on one place that they lie within it. The
    exact posterior has no closed form; expectation propagation replaces each of these facts by
    the Gaussian that fits it best given the others, again and again until nothing changes. With
    two candidates this is :func:`~deadheat.ranking.rating.gaussian.gaussian`, without ties it is
    TrueSkill [1]_.

    Parameters
    ----------
    ranks : array_like, (S, k)
        One row per round, 1 = best, equal ranks are ties, NaN is absent. Any numbers will do of
        which the lowest is best.
    members : sequence of sequences of int, optional
        The candidates behind each column, for teams, with their number ``n``.

    Notes
    -----
    Differs from [1]_, where of several tied candidates each is compared with the next one only:
    there the answer depends on the order in which they happen to be listed. The price is that
    facts overlap, which makes the deviations after a round with ties up to 7 % too small. The
    time grows with the cube of the number of candidates, and with ties faster.

    References
    ----------
    .. [1] Herbrich, Minka, Graepel (2007), "TrueSkill: a Bayesian skill rating system", NIPS 19.

    Examples
    --------
    >>> three = gaussian_rounds([[1, 2, 3]], prior=Prior(draw_probability=0.1))
    >>> three.means.round(3)
    array([31.675, 25.   , 18.325])
    """
    prior = prior or Prior()
    table = checked_ranks(ranks)
    teams = [(i,) for i in range(table.shape[1])] if members is None else [*map(tuple, members)]
    rounds = [groups_of(row) for row in table]
    for number, groups in enumerate(rounds):
        playing = [teams[side] for group in groups for side in group]
        refuse_shared_members(f"round {number + 1}", playing)
    ties = sum(len(group) - 1 for groups in rounds for group in groups)
    present = int((~np.isnan(table)).sum()) - len(table)
    rule = Rule(prior, prior.draws(ties, present))

    def play(order: Iterable[int], means: list[float], variances: list[float]) -> None:
        for number in order:
            _update(means, variances, rounds[number], teams, rule)

    size = n if n is not None else 1 + max(i for team in teams for i in team)
    return over_orders(play, size, len(rounds), rule, start, shuffles, seed)


@dataclass
class _Fact:
    """Of two performances the first is ahead, or they are tied; and what this was taken to say."""

    first: int
    second: int
    tied: bool
    margin: float
    precision: float = 0.0
    weighted: float = 0.0
    """The Gaussian of the difference that stands for the fact: precision, and that times mean."""


def _update(
    means: list[float],
    variances: list[float],
    groups: Sequence[Sequence[int]],
    teams: Sequence[tuple[int, ...]],
    rule: Rule,
) -> None:
    playing = [teams[side] for group in groups for side in group]
    for team in playing:
        for i in team:
            variances[i] += rule.drift
    centre = np.array([sum(means[i] for i in team) for team in playing])
    width = np.array([sum(variances[i] + rule.scatter for i in team) for team in playing])
    known, doubt = _propagated(centre, width, _facts(groups, playing, rule))
    moved, narrowed = (known - centre) / width, (width - doubt) / width**2
    for team, move, less in zip(playing, moved.tolist(), narrowed.tolist(), strict=True):
        for i in team:
            means[i] += variances[i] * move
            variances[i] -= variances[i] ** 2 * less


def _facts(
    groups: Sequence[Sequence[int]], playing: Sequence[tuple[int, ...]], rule: Rule
) -> list[_Fact]:
    """Return each pair of one place as tied, and each of two neighbouring places as ordered."""
    ends = np.cumsum([len(group) for group in groups]).tolist()
    places = [range(end - len(group), end) for end, group in zip(ends, groups, strict=True)]
    pairs = [(*pair, True) for place in places for pair in combinations(place, 2)]
    pairs += [(i, j, False) for better, worse in pairwise(places) for i in better for j in worse]
    return [
        _Fact(i, j, tied, rule.margin(len(playing[i]) + len(playing[j]))) for i, j, tied in pairs
    ]


def _propagated(centre: Floats, width: Floats, facts: list[_Fact]) -> tuple[Floats, Floats]:
    """Return the means and variances of the performances, given all facts."""
    mean, covariance = centre.copy(), np.diag(width)
    for _ in range(MOST_SWEEPS if len(facts) > 1 else 1):
        if max(_inform(mean, covariance, fact) for fact in facts) < SETTLED:
            break
    return mean, covariance.diagonal()


def _inform(mean: Floats, covariance: Floats, fact: _Fact) -> float:
    """Replace what a fact says by what it says now that the others have spoken; in place.

    Return how far this moved the difference, in its standard deviations.
    """
    column = covariance[:, fact.first] - covariance[:, fact.second]
    variance = float(column[fact.first] - column[fact.second])
    difference = float(mean[fact.first] - mean[fact.second])
    total = 1 / (1 / variance - fact.precision)
    without = total * (difference / variance - fact.weighted)
    c = sqrt(total)
    v, w = (drawn if fact.tied else won)(without / c, fact.margin / c)
    kept = max(1 - w, LEAST_KEPT)
    target, width = without + c * v, total * kept
    column *= 1 / variance
    mean += column * (target - difference)
    covariance += np.multiply.outer(column, column * (width - variance))
    fact.precision, fact.weighted = w / width, target / width - without / total
    return max(abs(target - difference) / sqrt(variance), abs(width / variance - 1))

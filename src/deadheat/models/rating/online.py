"""Ratings that move after every battle of a stream: Elo, and beliefs in the manner of TrueSkill."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, pairwise
from math import exp, expm1, log, pi, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import erfcx, ndtri

from deadheat.core.errors import DataError, command_with
from deadheat.core.types import Floats, Integers, require_whole
from deadheat.models.rating.pair_counts import checked_ranks, share_won
from deadheat.ranking.block import WORKING_SET

Numbers = list[float]
Places = list[list[int]]  # the candidates on each, best first


def check_shuffles(shuffles: int) -> None:
    hint = f"in the order of the log: {command_with(shuffles=0)}\n"
    hint += f"averaged over random orders: {command_with(shuffles=100)}"
    require_whole("shuffles", shuffles, 0, hint=hint)


def random_order(battles: int, seed: int, s: int) -> Integers:
    """Return the random order number ``s`` of so many battles; it depends on (seed, s) alone."""
    bits = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(s,)))
    return np.random.Generator(bits).permutation(battles)


# Online Elo.

FEW_ORDERS = 32  # below this a loop over single numbers is faster than one over short arrays
STEEPEST = 700.0  # the largest exponent that a float can bear


class Elo(NamedTuple):
    """Ratings (n,) after the last battle; over shuffled orders their mean and deviation."""

    ratings: Floats
    spread: Floats | None


def elo(
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    outcome: npt.ArrayLike,
    n: int,
    *,
    weights: npt.ArrayLike | None = None,
    k: float = 4.0,
    start: npt.ArrayLike = 1500.0,
    shuffles: int = 0,
    seed: int = 0,
) -> Elo:
    r"""Rate the candidates of a stream of battles (outcomes 1, 0, -1), one after another.

    .. math:: S_1' = S_1 + K (A_1 - E_1), \quad E_1 = \frac{1}{1 + 10^{(S_2 - S_1)/400}}

    where :math:`A_1` is 1 for a win, one half for a tie and 0 for a loss. A battle of weight w
    moves by w K at most. With S > 0 ``shuffles`` the battles are played in S random orders: where
    there is no true order, the rating of a single one is an accident.

    Differs from Gosiewska, Woznica, Biecek (2019, "Interpretable meta-measure for model
    performance", sec. 3), who print the exponent as :math:`(S_1 - S_2)/400`: a player 200 points
    ahead would be expected to win 24 % of the battles. It is 76 %, as in Elo (1978).
    """
    check_shuffles(shuffles)
    won, steepness = share_won(outcome), log(10) / 400
    steps = k * (np.ones(len(won)) if weights is None else np.asarray(weights, dtype=np.float64))
    sides = np.asarray(left, dtype=np.intp), np.asarray(right, dtype=np.intp)
    begin: Floats = np.broadcast_to(np.asarray(start, dtype=np.float64), (n,))
    lists = [column.tolist() for column in (*sides, won, steps)]

    def in_order(order: Iterable[int]) -> list[float]:
        firsts, seconds, wins, largest = lists
        ratings: list[float] = begin.tolist()
        for battle in order:
            i, j = firsts[battle], seconds[battle]
            behind = steepness * (ratings[j] - ratings[i])
            expected = 1 / (1 + exp(behind)) if behind < STEEPEST else 0.0
            move = largest[battle] * (wins[battle] - expected)
            ratings[i] += move
            ratings[j] -= move
        return ratings

    def side_by_side(orders: Integers) -> Floats:
        """Play many orders at once: step t is the t-th battle of each."""
        rows = np.arange(len(orders)) * n
        ratings = np.tile(begin, len(orders))
        for battle in np.ascontiguousarray(orders.T):
            i, j = rows + sides[0][battle], rows + sides[1][battle]
            behind = np.minimum(steepness * (ratings[j] - ratings[i]), STEEPEST)
            move = steps[battle] * (won[battle] - 1 / (1 + np.exp(behind)))
            ratings[i] += move
            ratings[j] -= move
        return ratings.reshape(len(orders), n)

    if not shuffles:
        return Elo(np.array(in_order(range(len(won)))), None)
    found = np.empty((shuffles, n))
    at_once = max(1, WORKING_SET // len(won))
    for first in range(0, shuffles, at_once):
        numbers = range(first, min(first + at_once, shuffles))
        orders = np.stack([random_order(len(won), seed, s) for s in numbers])
        if at_once >= FEW_ORDERS:
            found[numbers.start : numbers.stop] = side_by_side(orders)
        else:
            for s, order in zip(numbers, orders, strict=True):
                found[s] = in_order(order.tolist())
    spread = found.std(axis=0, ddof=1) if shuffles > 1 else np.full(n, np.nan)
    return Elo(found.mean(axis=0), spread)


# What a win or a draw says about a Gaussian: two moments of a truncated normal distribution.
#
# Of a standard normal number shifted by t one learns that it is above a margin e (a win), or
# within e of 0 (a draw). With phi and Phi the normal density and distribution, its mean moves by v
# and its variance shrinks by the factor 1 - w (Herbrich, Minka, Graepel 2007, NIPS 19):
#
#     v_win = phi(t - e) / Phi(t - e),   w_win = v (v + t - e)
#     v_draw = (phi(-e - t) - phi(e - t)) / D,   D = Phi(e - t) - Phi(-e - t)
#     w_draw = v^2 + ((e - t) phi(e - t) + (e + t) phi(e + t)) / D
#
# Both are computed from Mills' ratio, which neither under- nor overflows for surprising outcomes.

ROOT_HALF = sqrt(0.5)
ROOT_HALF_PI = sqrt(pi / 2)
NARROW = 1e-4  # a draw margin below which its series has no error that a float can hold
FAR = 1e8  # beyond this v + t is lost to rounding; w differs from 1 by less than a float holds


def moments_of_win(t: float, margin: float) -> tuple[float, float]:
    gap = t - margin
    if gap < -FAR:
        return -gap, 1.0
    v = 1 / _mills(-gap)
    return v, min(max(v * (v + gap), 0.0), 1.0)


def moments_of_draw(t: float, margin: float) -> tuple[float, float]:
    """Return v and w of a draw: a difference within the margin, which must be above 0."""
    size = abs(t)
    if margin * max(1.0, size) < NARROW:
        third = margin * margin / 3
        return -t * (1 - third), 1 - third
    near, far = size - margin, size + margin
    fades = -2 * size * margin  # log of the density at the far end over that at the near end
    mass = _mills(near) - exp(fades) * _mills(far)  # all over the density at the near end
    v = expm1(fades) / mass
    w = v * v + (far * exp(fades) - near) / mass
    return (v if t >= 0 else -v), min(max(w, 0.0), 1.0)


def draw_margin(draw_probability: float, members: int, beta: float) -> float:
    r"""Return :math:`\Phi^{-1}((p + 1)/2) \sqrt{n_1 + n_2}\, \beta`: equals draw within it."""
    return float(ndtri((draw_probability + 1) / 2)) * sqrt(members) * beta


def _mills(x: float) -> float:
    """Return the upper tail of the normal distribution over its density."""
    return ROOT_HALF_PI * float(erfcx(x * ROOT_HALF))


# Gaussian beliefs, from battles between two sides.


@dataclass(frozen=True, kw_only=True)
class Prior:
    """What is believed before the first battle, and how performances scatter around skills."""

    mean: float = 25.0
    deviation: float = 25 / 3
    beta: float = 25 / 6  # standard deviation of a performance around the skill
    tau: float = 25 / 3 / 100  # of the drift of a skill before each battle; 0: it does not change
    draw_probability: float | None = None  # of equals; None: the share of draws seen


class Gaussian(NamedTuple):
    """Means and standard deviations (n,) of the skills that are believed after the last battle."""

    means: Floats
    deviations: Floats
    beta: float
    draw_probability: float


class Rule:
    """The numbers that every battle needs, given how many of all chances to draw were taken."""

    def __init__(self, prior: Prior | None, draws: int, chances: int) -> None:
        self.prior = prior = prior or Prior()
        # Below 1 even if there is nothing but draws.
        share = draws / (chances + 1)
        self.draws = share if prior.draw_probability is None else prior.draw_probability
        self.scatter, self.drift = prior.beta**2, prior.tau**2
        self.margin = cache(lambda members: draw_margin(self.draws, members, prior.beta))


def gaussian(
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    outcome: npt.ArrayLike,
    n: int,
    *,
    members: Sequence[Sequence[int]] | None = None,
    prior: Prior | None = None,
    **how: Any,
) -> Gaussian:
    r"""Rate the candidates of a stream of battles between two sides, with draws and teams.

    A side performs as the sum of its members' skills, each with an extra scatter of :math:`\beta`;
    the difference of the two performances decides. After a battle every belief is the Gaussian with
    the moments of the exact posterior:

    .. math:: c^2 = \textstyle\sum (\beta^2 + \sigma_i^2), \quad
        \mu_i \mathrel{\pm}= \frac{\sigma_i^2}{c} v(t, e), \quad
        \sigma_i^2 \mathrel{{*}{=}} 1 - \frac{\sigma_i^2}{c^2} w(t, e)

    with t the difference of the sides' means over c and e the draw margin over c. Means and
    variances are averaged over ``shuffles``. A stream can be rated in pieces, each from a
    ``start``.
    """
    teams = [(i,) for i in range(n)] if members is None else [tuple(team) for team in members]
    results = np.asarray(outcome).tolist()
    sides = zip(np.asarray(left).tolist(), np.asarray(right).tolist(), results, strict=True)
    battles = [(teams[i], teams[j], result) for i, j, result in sides]
    rule = Rule(prior, results.count(0), len(results))
    for number, (one, other, _) in enumerate(battles if members is not None else ()):
        if len({*one, *other}) < len(one) + len(other):
            raise DataError(
                f"battle {number + 1}: a candidate stands twice in {one} against {other}.",
                hint=f"with a model for such sides: {command_with(model='bradley-terry')}",
            )

    def play(battle: int, means: Numbers, variances: Numbers) -> None:
        winners, losers, result = battles[battle]
        if result < 0:
            winners, losers = losers, winners
        everybody = winners + losers
        for i in everybody:
            variances[i] += rule.drift
        total = sum([variances[i] for i in everybody]) + rule.scatter * len(everybody)
        c = sqrt(total)
        ahead = (sum([means[i] for i in winners]) - sum([means[i] for i in losers])) / c
        moments = moments_of_win if result else moments_of_draw
        v, w = moments(ahead, rule.margin(len(everybody)) / c)
        for i in winners:
            means[i] += variances[i] / c * v
        for i in losers:
            means[i] -= variances[i] / c * v
        for i in everybody:
            variances[i] *= 1 - variances[i] / total * w

    return _over_orders(play, n, len(battles), rule, **how)


def _over_orders(
    play: Callable[[int, Numbers, Numbers], None],
    n: int,
    battles: int,
    rule: Rule,
    *,
    start: Gaussian | None = None,
    shuffles: int = 0,
    seed: int = 0,
) -> Gaussian:
    """Return the beliefs after ``play(battle, means, variances)`` of all, in order or shuffled."""
    check_shuffles(shuffles)
    found = np.empty((2, max(shuffles, 1), n))
    for s in range(found.shape[1]):
        order = random_order(battles, seed, s).tolist() if shuffles else range(battles)
        means, variances = [float(rule.prior.mean)] * n, [float(rule.prior.deviation) ** 2] * n
        if start is not None:
            means, variances = start.means.tolist(), (start.deviations**2).tolist()
        for battle in order:
            play(battle, means, variances)
        found[0, s], found[1, s] = means, variances
    deviations = np.sqrt(found[1].mean(axis=0))
    return Gaussian(found[0].mean(axis=0), deviations, rule.prior.beta, rule.draws)


# The same from rounds in which any number of candidates are ranked at once.

MOST_SWEEPS = 500
SETTLED = 1e-9  # of a standard deviation: the largest move of a difference in the last sweep
LEAST_KEPT = 1e-9  # of a variance: what a fact leaves, so that rounding cannot make it vanish


def gaussian_rounds(ranks: npt.ArrayLike, *, prior: Prior | None = None, **how: Any) -> Gaussian:
    """Rate the candidates of a stream of rounds (S, n): 1 is best, equal is tied, NaN absent.

    A round tells of each two candidates on neighbouring places that the better performance is ahead
    by more than the draw margin, and of each two on one place that they lie within it. Expectation
    propagation replaces each of these facts by the Gaussian that fits it best given the others,
    until nothing changes. Without ties it is TrueSkill, which compares a tied candidate with the
    next one only, so that the answer depends on their order. The price is that facts overlap:
    deviations after a round with ties are up to 7 % too small. The time grows with the cube of the
    candidates.
    """
    table = checked_ranks(ranks)
    rounds = [_places(row) for row in table]
    ties = sum(len(group) - 1 for groups in rounds for group in groups)
    rule = Rule(prior, ties, int((~np.isnan(table)).sum()) - len(table))
    play = partial(_update_round, rounds, rule)
    return _over_orders(play, table.shape[1], len(rounds), rule, **how)


def _places(row: Floats) -> Places:
    """Return the candidates of one round by place, best first; those of one place are tied."""
    here = np.flatnonzero(~np.isnan(row))
    return [here[row[here] == rank].tolist() for rank in np.unique(row[here])]


@dataclass
class _Fact:
    """Of two performances the first is ahead, or they are tied; and what this was taken to say."""

    first: int
    second: int
    tied: bool
    margin: float
    precision: float = 0.0  # of the Gaussian of the difference that stands for the fact
    weighted: float = 0.0  # its precision times its mean


def _update_round(
    rounds: list[Places], rule: Rule, number: int, means: Numbers, variances: Numbers
) -> None:
    groups = rounds[number]
    playing = [i for group in groups for i in group]
    for i in playing:
        variances[i] += rule.drift
    centre = np.array([means[i] for i in playing])
    width = np.array([variances[i] + rule.scatter for i in playing])
    # Each two of one place are tied, each two of neighbouring places are ordered.
    ends = np.cumsum([len(group) for group in groups]).tolist()
    places = [range(end - len(group), end) for end, group in zip(ends, groups, strict=True)]
    pairs = [(*pair, True) for place in places for pair in combinations(place, 2)]
    pairs += [(i, j, False) for better, worse in pairwise(places) for i in better for j in worse]
    facts = [_Fact(*pair, rule.margin(2)) for pair in pairs]
    known, covariance = centre.copy(), np.diag(width)
    for _ in range(MOST_SWEEPS if len(facts) > 1 else 1):
        if max(_inform(known, covariance, fact) for fact in facts) < SETTLED:
            break
    moved, narrowed = (known - centre) / width, (width - covariance.diagonal()) / width**2
    for i, move, less in zip(playing, moved.tolist(), narrowed.tolist(), strict=True):
        means[i] += variances[i] * move
        variances[i] -= variances[i] ** 2 * less


def _inform(mean: Floats, covariance: Floats, fact: _Fact) -> float:
    """Let a fact say, in place, what it says now; return how far the difference moved."""
    column = covariance[:, fact.first] - covariance[:, fact.second]
    variance = float(column[fact.first] - column[fact.second])
    difference = float(mean[fact.first] - mean[fact.second])
    total = 1 / (1 / variance - fact.precision)
    without = total * (difference / variance - fact.weighted)
    c = sqrt(total)
    v, w = (moments_of_draw if fact.tied else moments_of_win)(without / c, fact.margin / c)
    kept = max(1 - w, LEAST_KEPT)
    target, width = without + c * v, total * kept
    column *= 1 / variance
    mean += column * (target - difference)
    covariance += np.multiply.outer(column, column * (width - variance))
    fact.precision, fact.weighted = w / width, target / width - without / total
    return max(abs(target - difference) / sqrt(variance), abs(width / variance - 1))

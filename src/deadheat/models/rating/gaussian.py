"""A Gaussian rating in the manner of TrueSkill: beliefs about skills, battle by battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from math import exp, expm1, pi, sqrt

import numpy as np
import numpy.typing as npt
from scipy.special import erfcx, ndtr, ndtri

from deadheat.core.errors import DataError
from deadheat.core.types import Floats
from deadheat.models.rating.elo import check_shuffles, shuffled
from deadheat.models.rating.pair_counts import checked_ranks, groups_of

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
    r"""Return the margin within which two equal sides draw as often as they should.

    .. math:: \varepsilon = \Phi^{-1}\!\left(\frac{p + 1}{2}\right) \sqrt{n_1 + n_2}\, \beta
    """
    return float(ndtri((draw_probability + 1) / 2)) * sqrt(members) * beta


def _mills(x: float) -> float:
    """Return the upper tail of the normal distribution over its density."""
    return ROOT_HALF_PI * float(erfcx(x * ROOT_HALF))


# Battles between two sides.

Members = Sequence[Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class Prior:
    """What is believed before the first battle, and how performances scatter around skills."""

    mean: float = 25.0
    deviation: float = 25 / 3
    beta: float | None = None
    """Standard deviation of a performance around the skill; None: half the deviation."""
    tau: float | None = None
    """Standard deviation of the drift of a skill before each battle; None: a hundredth of the
    deviation. 0 for skills that do not change."""
    draw_probability: float | None = None
    """How often equals draw; None: the share of draws seen. 0: a draw cannot be."""

    @property
    def performance(self) -> float:
        return self.deviation / 2 if self.beta is None else self.beta

    @property
    def drift(self) -> float:
        return self.deviation / 100 if self.tau is None else self.tau

    def draws(self, seen: int, chances: int) -> float:
        if self.draw_probability is None:
            return seen / (chances + 1)  # below 1 even if there is nothing but draws
        return self.draw_probability


@dataclass(frozen=True, eq=False, kw_only=True)
class Gaussian:
    """Means and standard deviations of the skills that are believed after the last battle."""

    means: Floats
    deviations: Floats
    spread: Floats | None
    """(n,) standard deviation of the means over shuffled orders; None in the order of the log."""
    shuffles: int
    beta: float
    draw_probability: float

    def probability(self) -> Floats:
        r"""Return how probably each candidate (row) beats each other (column); a draw is one half.

        Both the doubt about the skills and the scatter of the performances count:
        :math:`c^2 = 2 \beta^2 + \sigma_i^2 + \sigma_j^2`.
        """
        variances = self.deviations**2
        c = np.sqrt(2 * self.beta**2 + variances[:, None] + variances)
        ahead = self.means[:, None] - self.means
        margin = draw_margin(self.draw_probability, 2, self.beta)
        return np.asarray((ndtr((ahead - margin) / c) + ndtr((ahead + margin) / c)) / 2)


def gaussian(
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    outcome: npt.ArrayLike,
    n: int,
    *,
    members: Members | None = None,
    prior: Prior | None = None,
    start: Gaussian | None = None,
    shuffles: int = 0,
    seed: int = 0,
) -> Gaussian:
    r"""Rate the candidates of a stream of battles between two sides, with draws and teams.

    Each skill is believed to be Gaussian. A side performs as the sum of its members' skills, each
    with an extra scatter of :math:`\beta`; the difference of the two performances decides. After a
    battle every belief is the Gaussian with the moments of the exact posterior:

    .. math::

        c^2 = \textstyle\sum (\beta^2 + \sigma_i^2), \quad
        \mu_i \mathrel{\pm}= \frac{\sigma_i^2}{c} v(t, e), \quad
        \sigma_i^2 \mathrel{{*}{=}} 1 - \frac{\sigma_i^2}{c^2} w(t, e)

    with t the difference of the sides' means over c and e the draw margin over c.

    Parameters
    ----------
    left, right, outcome
        Positions (C,) of the two candidates, or of the two sides in ``members``; 1 where the left
        side won, 0 for a draw, -1 where the right side won.
    members
        The candidates of each side, for teams; without it side i is candidate i.
    start
        The beliefs to go on from: a stream can be rated in pieces.
    shuffles, seed
        0 takes the battles as they come. S > 0 plays them in S random orders and returns the mean
        of the means, the root mean square of the deviations, and the spread over orders.

    Examples
    --------
    >>> one = gaussian([0], [1], [1], 2, prior=Prior(draw_probability=0.1))
    >>> one.means.round(3), one.deviations.round(3)
    (array([29.396, 20.604]), array([7.171, 7.171]))
    """
    prior = prior or Prior()
    teams = [(i,) for i in range(n)] if members is None else [tuple(team) for team in members]
    results = np.asarray(outcome).tolist()
    sides = zip(np.asarray(left).tolist(), np.asarray(right).tolist(), results, strict=True)
    battles = [(teams[i], teams[j], result) for i, j, result in sides]
    rule = Rule(prior, prior.draws(results.count(0), len(results)))
    if members is not None:
        for number, (one, other, _) in enumerate(battles):
            if len({*one, *other}) < len(one) + len(other):
                raise DataError(
                    f"battle {number + 1}: a candidate stands twice in {one} against {other}.",
                    hint="a Gaussian rating needs sides without a common member.",
                )

    def play(order: Iterable[int], means: list[float], variances: list[float]) -> None:
        for battle in order:
            _update(means, variances, *battles[battle], rule)

    return over_orders(play, n, len(battles), rule, start, shuffles, seed)


class Rule:
    """The numbers that every battle needs, computed once."""

    def __init__(self, prior: Prior, draws: float) -> None:
        self.prior, self.draws = prior, draws
        self.scatter, self.drift = prior.performance**2, prior.drift**2
        self.margin = cache(lambda members: draw_margin(draws, members, prior.performance))


def over_orders(
    play: Callable[[Iterable[int], list[float], list[float]], None],
    n: int,
    battles: int,
    rule: Rule,
    start: Gaussian | None,
    shuffles: int,
    seed: int,
) -> Gaussian:
    check_shuffles(shuffles)
    found = np.empty((2, max(shuffles, 1), n))
    for s in range(found.shape[1]):
        order = shuffled(battles, seed, s).tolist() if shuffles else range(battles)
        means, variances = [float(rule.prior.mean)] * n, [float(rule.prior.deviation) ** 2] * n
        if start is not None:
            means, variances = start.means.tolist(), (start.deviations**2).tolist()
        play(order, means, variances)
        found[0, s], found[1, s] = means, variances
    spread = found[0].std(axis=0, ddof=1) if shuffles > 1 else np.full(n, np.nan)
    return Gaussian(
        means=found[0].mean(axis=0),
        deviations=np.sqrt(found[1].mean(axis=0)),
        spread=spread if shuffles else None,
        shuffles=shuffles,
        beta=rule.prior.performance,
        draw_probability=rule.draws,
    )


def _update(
    means: list[float],
    variances: list[float],
    left: tuple[int, ...],
    right: tuple[int, ...],
    result: int,
    rule: Rule,
) -> None:
    if result < 0:
        left, right = right, left
    everybody = left + right
    for i in everybody:
        variances[i] += rule.drift
    total = sum([variances[i] for i in everybody]) + rule.scatter * len(everybody)
    c = sqrt(total)
    ahead = (sum([means[i] for i in left]) - sum([means[i] for i in right])) / c
    v, w = (moments_of_win if result else moments_of_draw)(ahead, rule.margin(len(everybody)) / c)
    for i in left:
        means[i] += variances[i] / c * v
    for i in right:
        means[i] -= variances[i] / c * v
    for i in everybody:
        variances[i] *= 1 - variances[i] / total * w


# Gaussian ratings from rounds in which any number of candidates or teams are ranked at once.

MOST_SWEEPS = 500
SETTLED = 1e-9  # of a standard deviation: the largest move of a difference in the last sweep
LEAST_KEPT = 1e-9  # of a variance: what a fact leaves, so that rounding cannot make it vanish


def gaussian_rounds(
    ranks: npt.ArrayLike,
    *,
    prior: Prior | None = None,
    start: Gaussian | None = None,
    shuffles: int = 0,
    seed: int = 0,
) -> Gaussian:
    """Rate the candidates of a stream of rounds, each a ranking with ties and absent candidates.

    A round tells of each two candidates on neighbouring places that the better performance is ahead
    by more than the draw margin, and of each two on one place that they lie within it. The exact
    posterior has no closed form; expectation propagation replaces each of these facts by the
    Gaussian that fits it best given the others, again and again until nothing changes. With two
    candidates this is :func:`gaussian`, without ties it is TrueSkill. There, of several tied
    candidates each is compared with the next one only, so that the answer depends on the order in
    which they happen to be listed. The price is that facts overlap, which makes the deviations
    after a round with ties up to 7 % too small. The time grows with the cube of the number of
    candidates, and with ties faster.

    Ranks are (S, n), one row per round, 1 = best, equal ranks are ties, NaN is absent.
    """
    prior = prior or Prior()
    table = checked_ranks(ranks)
    rounds = [groups_of(row) for row in table]
    ties = sum(len(group) - 1 for groups in rounds for group in groups)
    present = int((~np.isnan(table)).sum()) - len(table)
    rule = Rule(prior, prior.draws(ties, present))

    def play(order: Iterable[int], means: list[float], variances: list[float]) -> None:
        for number in order:
            _update_round(means, variances, rounds[number], rule)

    return over_orders(play, table.shape[1], len(rounds), rule, start, shuffles, seed)


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


def _update_round(
    means: list[float], variances: list[float], groups: Sequence[Sequence[int]], rule: Rule
) -> None:
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
    """Replace what a fact says by what it says now that the others have spoken; in place.

    Return how far this moved the difference, in its standard deviations.
    """
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

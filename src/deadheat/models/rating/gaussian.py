"""A Gaussian rating in the manner of TrueSkill: beliefs about skills, battle by battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from deadheat.errors import DataError, UsageError
from deadheat.ranking.rating.elo import check_shuffles, shuffled
from deadheat.ranking.rating.gaussian_moments import draw_margin, drawn, won
from deadheat.ranking.rating.sides import checked_outcome, checked_sides
from deadheat.typing import Floats

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

    def __post_init__(self) -> None:
        for name, value in (("deviation", self.deviation), ("beta", self.performance)):
            if not (np.isfinite(value) and value > 0):
                raise UsageError(
                    f"{name} must be above 0, got {value}.",
                    hint="usual are mean=25, deviation=25/3, beta=25/6.",
                )
        if not (np.isfinite(self.drift) and self.drift >= 0):
            raise UsageError(f"tau must be at least 0, got {self.tau}.", hint="0: no drift.")

    @property
    def performance(self) -> float:
        """The standard deviation of a performance around the skill."""
        return self.deviation / 2 if self.beta is None else self.beta

    @property
    def drift(self) -> float:
        """The standard deviation of the drift before each battle."""
        return self.deviation / 100 if self.tau is None else self.tau

    def draws(self, seen: int, chances: int) -> float:
        """Return the draw probability: the one given, or the share of draws seen."""
        if self.draw_probability is None:
            return seen / (chances + 1)  # below 1 even if there is nothing but draws
        if seen and not self.draw_probability > 0:
            raise UsageError(
                f"there are {seen} draws, which a draw probability of 0 makes impossible.",
                hint="give draw_probability=0.1, or None for the share of draws seen.",
            )
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

    @property
    def cautious(self) -> Floats:
        """The mean minus three standard deviations: a skill that is almost surely there."""
        return self.means - 3 * self.deviations

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
    battle every belief is the Gaussian with the moments of the exact posterior [1]_:

    .. math::

        c^2 = \textstyle\sum (\beta^2 + \sigma_i^2), \quad
        \mu_i \mathrel{\pm}= \frac{\sigma_i^2}{c} v(t, e), \quad
        \sigma_i^2 \mathrel{{*}{=}} 1 - \frac{\sigma_i^2}{c^2} w(t, e)

    with t the difference of the sides' means over c and e the draw margin over c.

    Parameters
    ----------
    left, right : array_like of int, (C,)
        Positions of the two candidates, or of the two sides in ``members``.
    outcome : array_like of int, (C,)
        1 where the left side won, 0 for a draw, -1 where the right side won.
    members : sequence of sequences of int, optional
        The candidates of each side, for teams; without it side i is candidate i.
    start : Gaussian, optional
        The beliefs to go on from: a stream can be rated in pieces.
    shuffles, seed : int
        0 takes the battles as they come. S > 0 plays them in S random orders and returns the mean
        of the means, the root mean square of the deviations, and the spread over orders.

    References
    ----------
    .. [1] Herbrich, Minka, Graepel (2007), "TrueSkill: a Bayesian skill rating system", NIPS 19.

    Examples
    --------
    >>> one = gaussian([0], [1], [1], 2, prior=Prior(draw_probability=0.1))
    >>> one.means.round(3), one.deviations.round(3)
    (array([29.396, 20.604]), array([7.171, 7.171]))
    """
    prior = prior or Prior()
    teams = [(i,) for i in range(n)] if members is None else [tuple(team) for team in members]
    sides = checked_sides(left, right, len(teams))
    results = checked_outcome(outcome, len(sides[0])).tolist()
    draws = prior.draws(results.count(0), len(results))
    battles = [
        (teams[i], teams[j], result)
        for i, j, result in zip(sides[0].tolist(), sides[1].tolist(), results, strict=True)
    ]
    if members is not None:
        for number, (one, other, _) in enumerate(battles):
            refuse_shared_members(f"battle {number + 1}", (one, other))
    rule = Rule(prior, draws)

    def play(order: Iterable[int], means: list[float], variances: list[float]) -> None:
        for battle in order:
            _update(means, variances, *battles[battle], rule)

    return over_orders(play, n, len(battles), rule, start, shuffles, seed)


class Rule:
    """The numbers that every battle needs, computed once."""

    def __init__(self, prior: Prior, draws: float) -> None:
        self.prior, self.draws = prior, draws
        self.scatter, self.drift = prior.performance**2, prior.drift**2
        self._margins: dict[int, float] = {}

    def margin(self, members: int) -> float:
        """Return the draw margin of two sides with so many members together."""
        if members not in self._margins:
            self._margins[members] = draw_margin(self.draws, members, self.prior.performance)
        return self._margins[members]


def over_orders(
    play: Callable[[Iterable[int], list[float], list[float]], None],
    n: int,
    battles: int,
    rule: Rule,
    start: Gaussian | None,
    shuffles: int,
    seed: int,
) -> Gaussian:
    """Play the battles in their order, or in shuffled ones, and gather the beliefs."""
    check_shuffles(shuffles)
    found = np.empty((2, max(shuffles, 1), n))
    for s in range(found.shape[1]):
        order = shuffled(battles, seed, s).tolist() if shuffles else range(battles)
        means, variances = _beginning(n, rule.prior, start)
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


def _beginning(n: int, prior: Prior, start: Gaussian | None) -> tuple[list[float], list[float]]:
    if start is None:
        return [float(prior.mean)] * n, [float(prior.deviation) ** 2] * n
    if len(start.means) != n:
        raise UsageError(
            f"there are {n} candidates, but the beliefs to start from are of {len(start.means)}.",
            hint="new candidates need a mean and a deviation, too.",
        )
    return start.means.tolist(), (start.deviations**2).tolist()


def refuse_shared_members(where: str, sides: Sequence[tuple[int, ...]]) -> None:
    """Refuse sides of which two have a common member, or one has a member twice."""
    everybody = [i for side in sides for i in side]
    if len(set(everybody)) < len(everybody):
        raise DataError(
            f"{where}: a candidate stands twice in {' against '.join(map(str, sides))}.",
            hint="a Gaussian rating needs sides without a common member.",
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
    v, w = (won if result else drawn)(ahead, rule.margin(len(everybody)) / c)
    for i in left:
        means[i] += variances[i] / c * v
    for i in right:
        means[i] -= variances[i] / c * v
    for i in everybody:
        variances[i] *= 1 - variances[i] / total * w

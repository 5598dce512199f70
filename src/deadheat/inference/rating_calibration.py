"""How ratings fit the battles they were made from: deviance, fitted against observed, residuals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, xlogy

from deadheat.errors import UsageError
from deadheat.ranking.ranks import best_of
from deadheat.ranking.rating.pair_counts import PairCounts
from deadheat.ranking.rating.tie_models import tie_model
from deadheat.typing import Floats, Integers

BINS = 10
LEVEL = 1e-12  # chances this close to one half are even: the first of the table is the favourite
SMALLEST = 1e-300  # a probability that rounds to 0 has a logarithm nevertheless


def chances(
    differences: Floats, *, ties: str, tie: Floats | float | None
) -> tuple[Floats, Floats, Floats]:
    r"""Return the probabilities that the first of a pair wins, that it loses, and of a tie.

    With the difference of ratings :math:`\delta`: for half wins :math:`1/(1+e^{-\delta})`, and no
    ties; for Davidson's model :math:`e^{\delta/2}`, :math:`e^{-\delta/2}` and :math:`\nu` over
    their sum; for that of Rao and Kupper :math:`1/(1+e^{\eta-\delta})`,
    :math:`1/(1+e^{\eta+\delta})`, and what is left.

    Parameters
    ----------
    tie
        :math:`\log \nu`, or :math:`\eta`; one for all, or one per replicate as a column.
    """
    tie_model(ties)
    if ties == "half":
        return expit(differences), expit(-differences), np.zeros_like(differences)
    if tie is None:
        raise UsageError(f"the model {ties} has a parameter of ties, and none is given.")
    if ties == "davidson":
        logs = np.stack(np.broadcast_arrays(differences / 2, -differences / 2, tie))
        sizes = np.exp(logs - logs.max(axis=0))
        sizes /= sizes.sum(axis=0)
        return sizes[0], sizes[1], sizes[2]
    won, lost = expit(differences - tie), expit(-differences - tie)
    return won, lost, np.maximum(1 - won - lost, 0.0)


def deviances(
    pairs: PairCounts,
    ratings: Floats,
    *,
    ties: str = "half",
    tie: Floats | float | None = None,
) -> Floats:
    r"""Return the deviance of the ratings: how much better a model with free pairs would fit.

    .. math:: D = 2 \sum_{i<j} \Big( W_{ij} \log \frac{W_{ij}}{N_{ij} p_{ij}}
              + W_{ji} \log \frac{W_{ji}}{N_{ij} p_{ji}} \Big)

    with half a win for a tie; the models with ties of their own have a term for ties.

    Parameters
    ----------
    pairs, ratings
        Counts (P,) with ratings (n,), or (B, P) with (B, n).

    Notes
    -----
    Differs from the authors' software, which enters every pair twice and doubles the deviance.
    """
    return np.asarray(_terms(pairs, ratings, ties, tie)[1].sum(axis=-1))


def residuals(
    pairs: PairCounts,
    ratings: Floats,
    *,
    ties: str = "half",
    tie: Floats | float | None = None,
) -> tuple[Floats, Floats]:
    """Return the fitted share of ``first`` in each pair, and how far off it is (P,) or (B, P).

    A share counts a tie as half a win. The residual is the root of what the pair adds to the
    deviance, negative where ``first`` has less than its share. Unlike a difference over its
    standard error it stays in bounds where a favourite is fitted to win always, and once did not.
    """
    fitted, terms = _terms(pairs, ratings, ties, tie)
    return fitted, np.copysign(np.sqrt(terms), pairs.points - pairs.met * fitted)


@dataclass(frozen=True, kw_only=True)
class Bin:
    """Hold the pairs whose favourite is fitted to win between ``low`` and ``high``.

    ``fitted`` and ``observed`` are the shares that favourites should and did win, over ``battles``
    (weight) of ``pairs`` pairs; NaN where there are none.
    """

    low: float
    high: float
    pairs: int
    battles: float
    fitted: float
    observed: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Calibration:
    """Hold what the ratings predict for each pair that met and what happened, arrays (P,).

    Attributes
    ----------
    first, second
        The pairs.
    battles
        How often they met (weight).
    fitted, observed
        The share of them that ``first`` should and did win, a tie as half a win.
    residuals
        How far they are apart, see :func:`residuals`: about standard normal if battles were
        independent. In rounds they are not: residuals order the pairs and are no test.
    bins
        The same in bins of the favourite's fitted share.
    """

    first: Integers
    second: Integers
    battles: Floats
    fitted: Floats
    observed: Floats
    residuals: Floats
    bins: tuple[Bin, ...]

    @property
    def worst(self) -> int | None:
        """The pair with the largest residual in size, as a position; None without pairs."""
        return best_of(np.abs(self.residuals)) if len(self.residuals) else None


def calibration(
    pairs: PairCounts,
    ratings: Floats,
    *,
    ties: str = "half",
    tie: float | None = None,
    bins: int = BINS,
) -> Calibration:
    """Return fitted against observed shares, per pair that met and in bins of equal width."""
    if type(bins) is not int or bins < 1:
        raise UsageError(f"bins must be a whole number of at least 1, got {bins!r}.")
    met = np.asarray(pairs.met)
    there = np.flatnonzero(met > 0)
    fitted, away = residuals(pairs, ratings, ties=ties, tie=tie)
    observed = np.asarray(pairs.points[there] / met[there])
    return Calibration(
        first=pairs.first[there],
        second=pairs.second[there],
        battles=met[there],
        fitted=fitted[there],
        observed=observed,
        residuals=away[there],
        bins=_bins(fitted[there], observed, met[there], bins),
    )


def explained(pairs: PairCounts, ratings: Floats) -> float:
    r"""Return the share of the deviance from "all are equal" that the ratings explain.

    :math:`1 - D(b) / D(0)`, with half a win for a tie: 0 where ratings say nothing, 1 where they
    say all that pairs do. NaN where every pair is even.
    """
    nothing = float(deviances(pairs, np.zeros(pairs.n)))
    return 1 - float(deviances(pairs, ratings)) / nothing if nothing > 0 else float("nan")


def freedom(pairs: PairCounts, *, ties: str = "half") -> int:
    """Return the degrees of freedom of the deviance: shares of pairs less parameters.

    With n candidates that all met in one connected graph of P pairs: P - (n - 1), and 2 P - n for
    the models with ties of their own.
    """
    met = pairs.met > 0
    number = int(np.count_nonzero(met))
    present = len(np.unique(np.concatenate([pairs.first[met], pairs.second[met]])))
    return number - (present - 1) if ties == "half" else 2 * number - present


def _terms(
    pairs: PairCounts, ratings: Floats, ties: str, tie: Floats | float | None
) -> tuple[Floats, Floats]:
    """Return the fitted share of ``first``, and what each pair adds to the deviance."""
    differences = ratings[..., pairs.first] - ratings[..., pairs.second]
    won, lost, tied = chances(differences, ties=ties, tie=tie)
    outcomes = [(pairs.points, won), (pairs.points_against, lost)]
    if ties != "half":
        outcomes = [(pairs.wins, won), (pairs.losses, lost), (pairs.ties, tied)]
    met = np.where(pairs.met > 0, pairs.met, 1.0)
    total = np.zeros(differences.shape)
    for count, chance in outcomes:
        total += 2 * (xlogy(count, count / met) - xlogy(count, np.maximum(chance, SMALLEST)))
    return won + tied / 2, np.maximum(total, 0.0)


def _bins(fitted: Floats, observed: Floats, battles: Floats, number: int) -> tuple[Bin, ...]:
    favourite = np.maximum(fitted, 1 - fitted)
    won = np.where(fitted >= 0.5 - LEVEL, observed, 1 - observed)
    edges = np.linspace(0.5, 1.0, number + 1)
    of = np.clip(np.searchsorted(edges - LEVEL, favourite, side="right") - 1, 0, number - 1)
    weight = np.bincount(of, weights=battles, minlength=number)
    below = np.where(weight > 0, weight, np.nan)
    expected = np.bincount(of, weights=battles * favourite, minlength=number) / below
    happened = np.bincount(of, weights=battles * won, minlength=number) / below
    pairs = np.bincount(of, minlength=number)
    return tuple(
        Bin(
            low=float(edges[k]),
            high=float(edges[k + 1]),
            pairs=int(pairs[k]),
            battles=float(weight[k]),
            fitted=float(expected[k]),
            observed=float(happened[k]),
        )
        for k in range(number)
    )

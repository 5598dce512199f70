"""How sure contextual ratings and coefficients are: Fisher and the clustered sandwich."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from deadheat.errors import DataError, UsageError
from deadheat.ranking.rating.contextual import Contextual
from deadheat.ranking.rating.sides import share_won
from deadheat.typing import Floats

FEWEST_CLUSTERS = 2


def contextual_fisher(fit: Contextual) -> Floats:
    """Return the covariance (p, p) by the inverse information: all battles independent.

    The parameters are the ratings, the advantage of the left side where there is one, and the
    coefficients for one unit of each covariate.
    """
    return _in_units(fit, _bread(fit))


def contextual_sandwich(
    fit: Contextual,
    *,
    clusters: npt.ArrayLike | None = None,
    battles: npt.ArrayLike | None = None,
) -> Floats:
    """Return the covariance (p, p) that takes clusters (voters, prompts) as the units drawn.

    Without clusters every battle is a unit, and ``battles`` (C,) says how many a cell holds; by
    default as many as its weight. With K clusters the sum is multiplied by K / (K - 1).
    """
    design = fit.design
    p = expit(design.log_odds(fit.parameters))
    residuals = design.weights * (share_won(fit.outcome) - p)
    if clusters is None:
        number = design.weights if battles is None else np.asarray(battles, dtype=np.float64)
        meat = design.information(residuals**2 / np.maximum(number, 1.0))
    else:
        meat = _meat(fit, residuals, np.asarray(clusters))
    bread = _bread(fit, penalised=True)
    return _in_units(fit, bread @ meat @ bread)


def _meat(fit: Contextual, residuals: Floats, clusters: npt.NDArray[Any]) -> Floats:
    from scipy.sparse import csr_array

    if clusters.shape != residuals.shape:
        raise UsageError(
            f"there are {len(residuals)} cells, but the clusters have shape {clusters.shape}.",
            hint="give the cluster of each cell.",
        )
    there = fit.design.weights > 0
    _, cluster = np.unique(clusters[there], return_inverse=True)
    number = int(cluster.max(initial=-1)) + 1
    if number < FEWEST_CLUSTERS:
        raise DataError(
            "there is only one cluster.", hint="how clusters differ takes two or more to see."
        )
    shape = (number, len(cluster))
    adding = csr_array((residuals[there], (cluster, np.arange(len(cluster)))), shape=shape)
    sums = adding @ fit.design.matrix[there]
    return np.asarray((sums.T @ sums).toarray() * (number / (number - 1)))


def _bread(fit: Contextual, *, penalised: bool = False) -> Floats:
    design = fit.design
    p = expit(design.log_odds(fit.parameters))
    information = design.information(design.weights * p * (1 - p))
    if penalised and fit.penalty == "ridge":
        information[np.diag_indices_from(information)] += fit.strength
    return np.asarray(np.linalg.inv(design.anchored(information)))


def _in_units(fit: Contextual, covariance: Floats) -> Floats:
    """Return the covariance of ratings minus their mean, and of coefficients in given units."""
    n = fit.design.n
    turn = np.diag(np.r_[np.ones(n), 1 / fit.design.scales])
    if fit.design.level:
        turn[:n, :n] -= 1 / n
    return np.asarray(turn @ covariance @ turn.T)

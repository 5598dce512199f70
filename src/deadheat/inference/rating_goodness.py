"""Goodness of fit of Bradley-Terry ratings to rounds of scores, and to battles."""

from __future__ import annotations

from typing import TypedDict, Unpack

from deadheat.inference.rating_fit import Goodness, Refit, Simulate, goodness
from deadheat.inference.rating_simulation import battles_like, rounds_like
from deadheat.ranking.rating.bradley_terry import Fit, fit
from deadheat.ranking.rating.pair_counts import PairCounts
from deadheat.ranking.rating.refits import Refitter
from deadheat.resampling.engine import Engine
from deadheat.resampling.replicate import Progress
from deadheat.typing import Floats


class Simulating(TypedDict, total=False):
    """How to simulate, as :func:`deadheat.inference.rating_fit.goodness` is asked."""

    simulations: int
    seed: int
    on: str | Engine
    progress: Progress | None


def goodness_of_rounds(
    scores: Floats,
    fitted: Fit,
    *,
    pairing: str = "same",
    round_weights: Floats | None = None,
    **how: Unpack[Simulating],
) -> Goodness:
    """Return how well ratings fit a table of scores (n, S), calibrated by simulated tables.

    Parameters
    ----------
    fitted
        The ratings, fitted to the counts of the table.
    pairing, round_weights
        How the table was counted; the weights are (S,).

    Notes
    -----
    Tables are drawn with noise that is independent between the candidates of a round, up to what
    all of them share. Candidates that fail on the same rounds make the deviance smaller than that.
    """
    pairs = fitted.pairs
    plain = fitted if fitted.ties == "half" else fit(pairs)
    tables = rounds_like(scores, pairs, plain.ratings, pairing=pairing, round_weights=round_weights)
    return _goodness(fitted, tables, how)


def goodness_of_battles(
    fitted: Fit,
    *,
    battles: Floats | None = None,
    **how: Unpack[Simulating],
) -> Goodness:
    """Return how well ratings fit a battle log, calibrated by simulated logs.

    Parameters
    ----------
    battles
        (P,), how many battles each pair fought, where they have weights.

    Notes
    -----
    Battles are drawn independently of each other. Where one voter or prompt is behind many of
    them, the deviance is larger than that though the ratings are right.
    """
    logs = battles_like(
        fitted.pairs, fitted.ratings, ties=fitted.ties, tie=fitted.tie, battles=battles
    )
    return _goodness(fitted, logs, how)


def _goodness(fitted: Fit, simulate: Simulate, how: Simulating) -> Goodness:
    return goodness(
        fitted.pairs,
        fitted.ratings,
        ties=fitted.ties,
        tie=fitted.tie,
        simulate=simulate,
        refit=refit_as(fitted),
        **how,
    )


def refit_as(fitted: Fit) -> Refit:
    """Return what fits replicates as the observed counts were: same penalty, same model of ties.

    A replicate that has no plain ratings, where the observed counts have some, takes Firth's.
    """
    refitter = Refitter(fitted)

    def half(pairs: PairCounts) -> tuple[Floats, Floats | None]:
        return refitter(pairs), None

    return half if fitted.ties == "half" else refitter.with_ties

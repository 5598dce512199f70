"""Plackett-Luce ratings of a table: every round is one ranking."""

from __future__ import annotations

from functools import partial

import numpy as np

from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.errors import UsageError
from deadheat.inference.matches import RoundMatches
from deadheat.inference.rated import Rated
from deadheat.inference.rating_asked import STEP, Asked
from deadheat.inference.rating_intervals import RatingEvidence
from deadheat.inference.rating_record import kept, plan_cautions, record, rounds_of
from deadheat.inference.rating_separation import open_ends, separation
from deadheat.inference.split_noise import split_sd
from deadheat.ranking.ranks import levels, ranks
from deadheat.ranking.rating.plackett_luce import (
    PlackettLuce,
    plackett_luce,
    plackett_luce_refits,
)
from deadheat.resampling.engine import engine
from deadheat.resampling.replicate import watched
from deadheat.typing import Floats


def luce(found: Results | Battles, asked: Asked) -> Rated:
    """Rate by the probability of whole rankings, one per round."""
    asked.refuse(ties="half", pairing="same", advantage=False, teams=None, shuffles=None, step=STEP)
    if isinstance(found, Battles):
        raise UsageError(
            "plackett-luce rates rankings of rounds, and a battle log has pairs only.",
            hint="model='bradley-terry' with ties='davidson' (--model bradley-terry --ties "
            "davidson) is the same model for pairs.",
        )
    matches = rounds_of(found, asked)
    more = {} if asked.strength is None else {"strength": asked.strength}
    fitted = plackett_luce(
        rankings(found),
        weights=found.weights,
        penalty=asked.penalty,
        names=tuple(found.candidates),
        **more,
    )
    evidence, skipped, penalised, drawn = _evidence(matches, fitted, asked)
    return Rated(
        candidates=matches.candidates,
        evidence=evidence,
        mle=fitted.mle,
        record=record(matches.pairs),
        errors=asked.errors,
        drawn=drawn,
        split_sd=split_sd(found.scores),
        skipped=skipped,
        penalised=penalised,
        cautions=(*plan_cautions(found, matches, asked), *open_ends(evidence.separation)),
        extra={
            "penalty": fitted.penalty,
            "connected": fitted.existence.connected,
            "strongly_connected": fitted.existence.strongly_connected,
            "log_likelihood": fitted.log_likelihood,
            "tie_parameters": {str(size): value for size, value in fitted.ties.items()},
        },
    )


def rankings(results: Results) -> Floats:
    """Return the ranks (S, n) that each judge gives, NaN where it says nothing."""
    scores = levels(results.scores, tolerance=results.tie_tol)
    return np.stack([ranks(column) for column in scores.T])


def _evidence(
    matches: RoundMatches, fitted: PlackettLuce, asked: Asked
) -> tuple[RatingEvidence, int, int, str]:
    parts = separation(fitted.existence, matches.pairs, matches.independent, matches.units)
    if asked.errors != "bootstrap":
        fisher = asked.errors == "fisher"
        covariance = fitted.fisher() if fisher else fitted.sandwich(matches.clusters)
        how = "as if rounds followed the model" if fisher else "by the sandwich"
        over = "rounds" if fisher or matches.clusters is None else "clusters of rounds"
        evidence = RatingEvidence(ratings=fitted.ratings, covariance=covariance, separation=parts)
        return evidence, 0, 0, f"Standard errors {how}, over {over}."
    with engine(asked.engine) as running:
        work = running.map(partial(_block, matches, fitted), matches.parts)
        blocks = list(watched(work, len(matches.parts), asked.progress))
    ratings = np.concatenate([rows for rows, _ in blocks])
    drawn, skipped = kept(ratings, matches.candidates)
    evidence = RatingEvidence(
        ratings=fitted.ratings,
        replicates=drawn,
        units=matches.units,
        strata=matches.strata,
        separation=parts,
    )
    penalised = sum(number for _, number in blocks)
    return evidence, skipped, penalised, f"{len(drawn):,} resamples: {matches.in_words()}."


def _block(matches: RoundMatches, fitted: PlackettLuce, k: int) -> tuple[Floats, int]:
    rows, penalised = [], 0
    for weights, asked in matches.weights(k):
        ratings, separated = plackett_luce_refits(fitted, weights)
        rows.append(ratings[:asked])
        penalised += int(separated[:asked].sum())
    return np.concatenate(rows), penalised

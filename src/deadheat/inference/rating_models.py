"""The rating models by name: what each needs, and how its ratings vary."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.inference.matches import Matches, RoundMatches
from deadheat.inference.rated import Rated
from deadheat.inference.rating_asked import STEP, Asked
from deadheat.inference.rating_contextual import contextual_rating, is_contextual
from deadheat.inference.rating_intervals import RatingEvidence
from deadheat.inference.rating_luce import luce
from deadheat.inference.rating_online import gaussian_rating, online_elo
from deadheat.inference.rating_record import kept, matches_of, plan_cautions, record
from deadheat.inference.rating_replicates import rating_replicates
from deadheat.inference.rating_separation import separation
from deadheat.inference.rating_units import linear
from deadheat.inference.split_noise import split_sd
from deadheat.ranking.rating.bradley_terry import Fit, fit
from deadheat.ranking.rating.covariance import fisher, sandwich_of_battles, sandwich_of_rounds
from deadheat.typing import Floats


def default_model(found: Results | Battles) -> str:
    """Return the model for a table or a log where none is named."""
    return "epp" if isinstance(found, Results) else "bradley-terry"


def bradley_terry(found: Results | Battles, asked: Asked) -> Rated:
    """Rate by maximum likelihood; of a table every two scores of a round are a match."""
    asked.refuse(shuffles=None, step=STEP)
    if isinstance(found, Battles) and is_contextual(found, asked):
        return contextual_rating(found, asked)
    asked.refuse(kind="a table of scores", advantage=False, teams=None)
    matches = matches_of(found, asked)
    fitted = fit(matches.pairs, penalty=asked.penalty, ties=asked.ties, strength=asked.strength)
    evidence, skipped, drawn = _evidence(found, matches, fitted, asked)
    return Rated(
        candidates=matches.candidates,
        evidence=evidence,
        mle=fitted.mle,
        record=record(matches.pairs),
        errors=asked.errors,
        drawn=drawn,
        fit=fitted,
        matches=matches,
        split_sd=split_sd(found.scores, pairing=asked.pairing)
        if isinstance(found, Results)
        else None,
        skipped=skipped,
        cautions=plan_cautions(found, matches, asked),
    )


def _evidence(
    found: Results | Battles, matches: Matches, fitted: Fit, asked: Asked
) -> tuple[RatingEvidence, int, str]:
    """Return how the ratings vary, how many replicates were skipped, and what was drawn."""
    parts = separation(
        fitted.existence, fitted.pairs, matches.independent, matches.units, ties=asked.ties
    )
    means = linear(found, matches, fitted, replicates=asked.replicates, on=asked.engine)
    if asked.errors != "bootstrap":
        covariance, drawn = _covariance(found, matches, fitted, asked)
        independent = asked.errors == "fisher"
        evidence = RatingEvidence(
            ratings=fitted.ratings,
            covariance=covariance,
            units=None if independent else matches.units,
            strata=matches.strata,
            separation=parts,
            linear=None if independent else means,
        )
        return evidence, 0, drawn
    replicates, skipped = kept(
        rating_replicates(matches, fitted, on=asked.engine, progress=asked.progress),
        matches.candidates,
    )
    evidence = RatingEvidence(
        ratings=fitted.ratings,
        replicates=replicates,
        units=matches.units,
        strata=matches.strata,
        separation=parts,
        linear=means,
    )
    return evidence, skipped, f"{len(replicates):,} resamples: {matches.in_words()}."


def _covariance(
    found: Results | Battles, matches: Matches, fitted: Fit, asked: Asked
) -> tuple[Floats, str]:
    if asked.errors == "fisher":
        ignored = "; clusters are ignored" if found.clusters is not None else ""
        return (
            fisher(fitted, fitted.pairs),
            f"Standard errors as if all matches were independent (Fisher){ignored}.",
        )
    if isinstance(found, Battles):
        unit = f"clusters by {found.cluster_kind}" if found.clusters is not None else "battles"
        return sandwich_of_battles(fitted, found), f"Standard errors by the sandwich over {unit}."
    clusters = matches.clusters if isinstance(matches, RoundMatches) else None
    covariance = sandwich_of_rounds(
        fitted,
        found.scores,
        round_weights=found.weights[None],
        pairing=asked.pairing,
        tie_tol=found.tie_tol,
        clusters=clusters,
    )
    unit = "rounds" if clusters is None else "clusters of rounds"
    return covariance, f"Standard errors by the sandwich over {unit}."


MODELS: Mapping[str, Callable[[Results | Battles, Asked], Rated]] = {
    "epp": bradley_terry,
    "bradley-terry": bradley_terry,
    "elo": online_elo,
    "gaussian": gaussian_rating,
    "plackett-luce": luce,
}

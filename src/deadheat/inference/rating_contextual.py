"""Bradley-Terry ratings under circumstances: covariates, a side's advantage, teams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from deadheat.data.battles import Battles
from deadheat.inference.matches import RATED, BattleMatches
from deadheat.inference.rated import Rated
from deadheat.inference.rating_asked import Asked
from deadheat.inference.rating_intervals import RatingEvidence
from deadheat.inference.rating_online import of_members
from deadheat.inference.rating_record import battles_of, kept, record, standing
from deadheat.inference.rating_separation import Separation, open_ends
from deadheat.ranking.rating.contextual import Contextual, contextual, contextual_refits
from deadheat.ranking.rating.contextual_covariance import contextual_fisher, contextual_sandwich
from deadheat.ranking.rating.design import design_of
from deadheat.ranking.rating.teams import lineups
from deadheat.resampling.engine import engine
from deadheat.resampling.replicate import watched
from deadheat.typing import Floats


def is_contextual(found: object, asked: Asked) -> bool:
    """Return whether battles have circumstances that ratings must be cleared of."""
    beside = isinstance(found, Battles) and found.covariates is not None
    return beside or asked.advantage or asked.teams is not None


def contextual_rating(log: Battles, asked: Asked) -> Rated:
    """Rate under circumstances; how far all parameters vary is seen together."""
    asked.refuse(" together with covariates, an advantage or teams", ties="half")
    matches = battles_of(log, asked)
    names, counted, members = log.candidates, record(matches.pairs), None
    if asked.teams is not None:
        sides = lineups(log.candidates, separator=asked.teams)
        names, members = sides.candidates, sides.members
        counted = of_members(counted, members, len(names))
    design = design_of(
        log.left,
        log.right,
        len(names),
        covariates=log.covariates,
        covariate_names=log.covariate_names,
        side=asked.advantage,
        members=members,
        weights=log.weights,
        names=names,
    )
    more = {} if asked.strength is None else {"strength": asked.strength}
    fitted = contextual(design, log.outcome, penalty=asked.penalty, **more)
    evidence, errors, told = _evidence(log, matches, fitted, names, asked)
    return Rated(
        candidates=names,
        evidence=evidence,
        mle=fitted.mle,
        record=counted,
        errors=asked.errors,
        drawn=told["drawn"],
        skipped=told["skipped"],
        penalised=told["penalised"],
        cautions=open_ends(evidence.separation),
        extra={
            **standing(matches.pairs, teams=asked.teams is not None),
            "penalty": fitted.penalty,
            "log_likelihood": fitted.log_likelihood,
            "circumstances": _circumstances(fitted, errors),
        },
    )


def _circumstances(fitted: Contextual, errors: Floats) -> list[dict[str, Any]]:
    """Return what each circumstance is worth, for one unit and for a typical difference."""
    design = fitted.design
    values = fitted.parameters[design.n :]
    return [
        {
            "name": name,
            "log_odds": float(value / scale),
            "se": float(error),
            "typical": float(scale),
            "log_odds_of_typical": float(value),
        }
        for name, value, scale, error in zip(
            design.context_names, values, design.scales, errors, strict=True
        )
    ]


def _evidence(
    log: Battles, matches: BattleMatches, fitted: Contextual, names: Sequence[str], asked: Asked
) -> tuple[RatingEvidence, Floats, dict[str, Any]]:
    """Return how the ratings vary, the standard errors of the circumstances, and what was drawn."""
    n = fitted.design.n
    parts = _separation(log, matches, fitted, teams=asked.teams is not None)
    told: dict[str, Any] = {"skipped": 0, "penalised": 0}
    if asked.errors != "bootstrap":
        fisher = asked.errors == "fisher"
        covariance = (
            contextual_fisher(fitted)
            if fisher
            else contextual_sandwich(fitted, clusters=log.clusters, battles=log.battles)
        )
        how = "as if all battles were independent" if fisher else "by the sandwich"
        evidence = RatingEvidence(
            ratings=fitted.ratings, covariance=covariance[:n, :n], separation=parts
        )
        told["drawn"] = f"Standard errors {how}."
        return evidence, np.sqrt(np.maximum(np.diagonal(covariance)[n:], 0)), told
    with engine(asked.engine) as running:
        work = running.map(partial(_block, matches, fitted), matches.plan.blocks)
        blocks = list(watched(work, len(matches.plan.blocks), asked.progress))
    rows = np.concatenate([parameters for parameters, _ in blocks])
    drawn, told["skipped"] = kept(rows, names)
    told["penalised"] = sum(number for _, number in blocks)
    told["drawn"] = f"{len(drawn):,} resamples: {matches.in_words()}."
    evidence = RatingEvidence(
        ratings=fitted.ratings, replicates=drawn[:, :n], units=matches.units, separation=parts
    )
    return evidence, np.std(drawn[:, n:], axis=0, ddof=1) / fitted.design.scales, told


def _separation(
    log: Battles, matches: BattleMatches, fitted: Contextual, *, teams: bool
) -> Separation | None:
    """Return the parts of the field, with bounds by Firth's ratings of independent battles."""
    if fitted.levels is None or len(fitted.levels.above) < 2:
        return None
    battles = log.battles * min(1.0, matches.units / log.battles.sum()) * (log.weights > 0)
    even = contextual(replace(fitted.design, weights=battles), log.outcome, penalty="firth")
    n = even.design.n
    return Separation(
        part=fitted.levels.part,
        above=fitted.levels.above,
        ratings=even.ratings,
        covariance=contextual_fisher(even)[:n, :n],
        **_exact(log, matches, teams=teams),
    )


def _exact(log: Battles, matches: BattleMatches, *, teams: bool) -> dict[str, Any]:
    r"""Return how many battles of a pair count whatever a side is worth, if one won them all.

    With advantage h of the left side, the chance to win k times on each side is
    :math:`(\sigma(x + h) \sigma(x - h))^k \le \sigma(x)^{2k}`. Nothing like that holds under
    covariates, in clusters, or for members of teams.
    """
    if teams or log.covariates is not None or log.clusters is not None:
        return {}
    pairs, at = matches.fought, matches.cells.pair
    on_left = log.left == pairs.first[at]
    left, right = (
        np.bincount(at[side], log.battles[side], len(pairs.first)) for side in (on_left, ~on_left)
    )
    one_way = (np.minimum(pairs.wins, pairs.losses) == 0) & (pairs.ties == 0)
    return {
        "keys": pairs.first.astype(np.int64) * pairs.n + pairs.second,
        "matches": np.where(one_way, 2 * np.minimum(left, right), 0.0),
    }


def _block(matches: BattleMatches, fitted: Contextual, k: int) -> tuple[Floats, int]:
    rows, penalised = [], 0
    for weights, asked in matches.plan.in_tiles(k, RATED):
        parameters, separated = contextual_refits(fitted, weights)
        rows.append(parameters[:asked])
        penalised += int(separated[:asked].sum())
    return np.concatenate(rows), penalised

"""The models of ``rate``: each is fitted, resampled, and handed over in one shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from deadheat.core.errors import UsageError, both, quoted
from deadheat.core.types import Floats
from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.models.rating.bradley_terry import Fit, fit
from deadheat.models.rating.contextual import (
    Contextual,
    contextual,
    contextual_fisher,
    contextual_refits,
    contextual_sandwich,
)
from deadheat.models.rating.design import design_of, lineups
from deadheat.models.rating.elo import check_shuffles, elo
from deadheat.models.rating.existence import existence
from deadheat.models.rating.gaussian import Gaussian, gaussian, gaussian_rounds
from deadheat.models.rating.pair_counts import PairCounts
from deadheat.models.rating.plackett_luce import PlackettLuce, plackett_luce, plackett_luce_refits
from deadheat.models.rating.uncertainty import (
    Refitter,
    fisher,
    sandwich_of_battles,
    sandwich_of_rounds,
)
from deadheat.output.text import percent
from deadheat.ranking.ranks import levels, ranks
from deadheat.rate.intervals import Rated, RatingEvidence, Separation, open_ends, separation
from deadheat.rate.matches import (
    BASE,
    RATED,
    STEP,
    WIDTH,
    Asked,
    BattleMatches,
    Matches,
    RoundMatches,
    battles_of,
    kept,
    matches_of,
    plan_cautions,
    record,
    rounds_of,
    standing,
)
from deadheat.rate.simulation import split_sd
from deadheat.rate.units import linear
from deadheat.resampling.draws import stream
from deadheat.resampling.plans import scaled
from deadheat.resampling.replicate import Engine, Progress, engine, watched

# ------------------------------------------------------------------------------
# Plackett-Luce ratings of a table: every round is one ranking.


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
    evidence, skipped, penalised, drawn = _luce_evidence(matches, fitted, asked)
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


def _luce_evidence(
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
        work = running.map(partial(_luce_block, matches, fitted), matches.parts)
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


def _luce_block(matches: RoundMatches, fitted: PlackettLuce, k: int) -> tuple[Floats, int]:
    rows, penalised = [], 0
    for weights, asked in matches.weights(k):
        ratings, separated = plackett_luce_refits(fitted, weights)
        rows.append(ratings[:asked])
        penalised += int(separated[:asked].sum())
    return np.concatenate(rows), penalised


# ------------------------------------------------------------------------------

POINTS = WIDTH / math.log(BASE)  # in one unit of log-odds
MOST_MOVES = 500_000_000  # of ratings, before somebody is told that it takes too long
AT_A_TIME = 20
ARRIVED = 0.9  # of the way from the start to a rating
NEARLY_LOGISTIC = 1.702  # the normal distribution function is the logistic one of 1.702 x, nearly


def online_elo(found: Results | Battles, asked: Asked) -> Rated:
    """Rate battle by battle; how far ratings vary is seen by drawing the battles again."""
    asked.refuse(
        ties="half", pairing="same", penalty="auto", strength=None, advantage=False, teams=None
    )
    log = _in_order(found, asked)
    if not (math.isfinite(asked.step) and asked.step > 0):
        raise UsageError(
            f"the step must be above 0 and finite, got {asked.step:g}.",
            hint=f"{STEP:g} is usual for long logs, 32 for short ones.",
        )
    matches = battles_of(log, asked)
    shuffles = asked.shuffles or 0
    check_shuffles(shuffles)
    orders = max(1, shuffles)
    moves = log.cells * orders * (asked.replicates if asked.errors == "bootstrap" else 0)
    if moves > MOST_MOVES:
        inside = f" in {orders:,} orders each" if shuffles else ""
        fewer = f"fewer than {orders:,} --shuffles, " if shuffles else ""
        raise UsageError(
            f"online Elo moves ratings {moves:,} times for {asked.replicates:,} resamples of "
            f"{log.cells:,} battles{inside}.",
            hint=f"take {fewer}--replicates {max(100, MOST_MOVES // (log.cells * orders)):,}, or "
            "--model bradley-terry, which needs no order.",
        )
    if asked.errors != "bootstrap":
        raise UsageError(
            f"online Elo has no errors={asked.errors!r}.",
            hint=f"{both('errors', 'bootstrap')} is what it has.",
        )
    rated = elo(
        log.left,
        log.right,
        log.outcome,
        log.n,
        weights=log.weights,
        k=asked.step,
        shuffles=shuffles,
        seed=asked.seed,
    )
    numbers = range(-(-asked.replicates // AT_A_TIME))
    with engine(asked.engine) as running:
        work = running.map(partial(_replayed, log, asked), numbers)
        replayed = np.concatenate(list(watched(work, len(numbers), asked.progress)))
    drawn, skipped = kept(replayed, log.candidates)
    pairs = matches.pairs
    parts = separation(existence(pairs), pairs, matches.independent, matches.units)
    return Rated(
        candidates=log.candidates,
        evidence=RatingEvidence(
            ratings=_logits(rated.ratings),
            replicates=drawn,
            units=matches.units,
            separation=parts,
        ),
        mle=np.full(log.n, np.nan),
        record=record(pairs),
        errors="bootstrap",
        skipped=skipped,
        cautions=(*_on_the_way(log, pairs, asked.step), *open_ends(parts)),
        drawn=f"{len(drawn):,} resamples: {matches.in_words()}.",
        extra={
            "separated": None,
            **standing(pairs),
            "step": asked.step,
            "shuffles": shuffles,
            "order_sd": None
            if rated.spread is None
            else dict(zip(log.candidates, (rated.spread / POINTS).tolist(), strict=True)),
        },
    )


def gaussian_rating(found: Results | Battles, asked: Asked) -> Rated:
    """Rate by Gaussian beliefs about skills, battle by battle or round by round."""
    asked.refuse(
        ties="half", pairing="same", penalty="auto", strength=None, advantage=False, step=STEP
    )
    asked.refuse(", whose beliefs have a spread of their own", errors="bootstrap", plan=None)
    shuffles = asked.shuffles or 0
    _require_equal_weights(found)
    if isinstance(found, Results):
        asked.refuse(teams=None)
        believed = gaussian_rounds(rankings(found), shuffles=shuffles, seed=asked.seed)
        names, pairs = tuple(found.candidates), matches_of(found, asked).pairs
        counted = record(pairs)
    else:
        log = _in_order(found, asked)
        names, pairs, members = log.candidates, battles_of(log, asked).pairs, None
        counted = record(pairs)
        if asked.teams is not None:
            sides = lineups(log.candidates, separator=asked.teams)
            names, members = sides.candidates, sides.members
            counted = of_members(counted, members, len(names))
        believed = gaussian(
            log.left,
            log.right,
            log.outcome,
            len(names),
            members=members,
            shuffles=shuffles,
            seed=asked.seed,
        )
    return Rated(
        candidates=names,
        evidence=_believed(believed),
        mle=np.full(len(names), np.nan),
        record=counted,
        errors="posterior",
        cautions=(*_independent(found), *_by_the_prior(pairs)),
        drawn="Standard errors are those of the beliefs after the last battle.",
        extra={
            "separated": None,
            **standing(pairs, teams=asked.teams is not None),
            "mean": dict(zip(names, believed.means.tolist(), strict=True)),
            "deviation": dict(zip(names, believed.deviations.tolist(), strict=True)),
            "beta": believed.beta,
            "draw_probability": believed.draw_probability,
            "shuffles": shuffles,
        },
    )


def _require_equal_weights(found: Results | Battles) -> None:
    """Refuse weights: a belief is updated by a match or it is not."""
    each = found.weights
    if isinstance(found, Battles):
        each = found.weights / found.battles
    if (each != 1).any():
        kind = "battles" if isinstance(found, Battles) else "rounds"
        raise UsageError(
            f"the model gaussian knows no weights of {kind}, and these weigh from "
            f"{each.min():g} to {each.max():g}.",
            hint=f"leave out the weights, or take {both('model', 'bradley-terry')}.",
        )


def _independent(found: Results | Battles) -> Iterator[str]:
    """Warn that clusters do not count."""
    if found.clusters is not None:
        yield (
            "the model gaussian takes all matches as independent, and ignores the clusters: its "
            "standard errors are too small where matches of a cluster are alike."
        )


def _by_the_prior(pairs: PairCounts) -> Iterator[str]:
    """Warn where only the prior keeps ratings from growing without limit."""
    if not existence(pairs).strongly_connected:
        yield (
            "somebody never lost to, or never met, some of the others: how far they are apart at "
            "most no match tells. There intervals are those of beliefs, whose upper or lower ends "
            "come from the prior."
        )


def of_members(counted: Floats, members: tuple[tuple[int, ...], ...], n: int) -> Floats:
    """Return the record (3, n) of each member: that of all its teams."""
    found = np.zeros((len(counted), n))
    for side, team in enumerate(members):
        found[:, list(team)] += counted[:, side, None]
    return found


def _replayed(log: Battles, asked: Asked, k: int) -> Floats:
    """Return ratings (B, n) of some replicates: battles drawn again, in their order or others.

    Orders are as many as of the log itself. Who has no battle in a replicate gets NaN.
    """
    rows = range(k * AT_A_TIME, min((k + 1) * AT_A_TIME, asked.replicates))
    found = np.empty((len(rows), log.n))
    for row, b in enumerate(rows):
        times = _times(log, asked, b)
        found[row] = elo(
            log.left,
            log.right,
            log.outcome,
            log.n,
            weights=times,
            k=asked.step,
            shuffles=asked.shuffles or 0,
            seed=_seed(asked.seed, b),
        ).ratings
        there = np.bincount(log.left, times, log.n) + np.bincount(log.right, times, log.n)
        found[row, there == 0] = np.nan
    return _logits(found)


def _seed(seed: int, b: int) -> int:
    """Return a seed for the orders of replicate b, apart from that of its draws."""
    return int(np.random.SeedSequence(seed, spawn_key=(b, 0)).generate_state(1, np.uint64)[0])


def _times(log: Battles, asked: Asked, b: int) -> Floats:
    """Return the weight of every battle in replicate b."""
    rng = stream(asked.seed, b)
    number = log.cells if log.clusters is None else log.cluster_count
    drawn = (
        scaled(rng.standard_exponential(number), number)
        if asked.plan == "bayesian"
        else np.bincount(rng.integers(0, number, number), minlength=number)
    )
    return np.asarray((drawn if log.clusters is None else drawn[log.clusters]) * log.weights)


def _on_the_way(log: Battles, pairs: PairCounts, step: float) -> Iterator[str]:
    """Warn where somebody has too few battles to have come near a rating.

    Near equal ratings a battle takes a part of about ``step / POINTS / 4`` of what is missing.
    """
    battles = record(pairs).sum(axis=0)
    gone = -math.expm1(-float(battles.min()) * step / POINTS / 4)
    if gone < ARRIVED:
        name = quoted(log.candidates[int(battles.argmin())])
        yield (
            f"with steps of {step:g} points, the {battles.min():,.0f} battles of {name} go about "
            f"{percent(gone)} of the way from the start to its rating, so that ratings are too "
            "near to each other. Take a larger step= (--step), or model='bradley-terry'."
        )


def _in_order(found: Results | Battles, asked: Asked) -> Battles:
    if isinstance(found, Results):
        raise UsageError(
            f"the model {asked.model} rates a stream of battles, and a table has no order.",
            hint=f"{both('model', 'epp')} rates tables; or 'gaussian', which takes the rounds one "
            "after another.",
        )
    if not found.ordered and int(found.battles.max(initial=0)) > 1:
        raise UsageError(
            f"the model {asked.model} needs the battles in their order, and these are counts.",
            hint="Battles(..., ordered=True), or give rate the log itself.",
        )
    return found


def _logits(points: Floats) -> Floats:
    centred: Floats = (points - np.nanmean(points, axis=-1, keepdims=True)) / POINTS
    return centred


def _believed(believed: Gaussian) -> RatingEvidence:
    """Return means and deviations in log-odds of a single match between known skills, nearly."""
    unit = NEARLY_LOGISTIC / (math.sqrt(2) * believed.beta)
    means = unit * (believed.means - believed.means.mean())
    return RatingEvidence(ratings=means, covariance=np.diag((unit * believed.deviations) ** 2))


# ------------------------------------------------------------------------------
# Bradley-Terry ratings under circumstances: covariates, a side's advantage, teams.


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
    evidence, errors, told = _contextual_evidence(log, matches, fitted, names, asked)
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


def _contextual_evidence(
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
        work = running.map(partial(_contextual_block, matches, fitted), matches.plan.blocks)
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


def _contextual_block(matches: BattleMatches, fitted: Contextual, k: int) -> tuple[Floats, int]:
    rows, penalised = [], 0
    for weights, asked in matches.plan.in_tiles(k, RATED):
        parameters, separated = contextual_refits(fitted, weights)
        rows.append(parameters[:asked])
        penalised += int(separated[:asked].sum())
    return np.concatenate(rows), penalised


# ------------------------------------------------------------------------------
# Ratings of many replicates, wherever the work runs.


@dataclass(frozen=True, eq=False)
class _Refits:
    """Everything a worker needs besides the number of its block."""

    matches: Matches
    refit: Refitter
    stopped: list[bool] = field(default_factory=list)
    """Not empty once nobody waits for the answer any more."""

    def __call__(self, k: int) -> Floats:
        """Return the ratings (B, n) of the replicates of block k."""
        rows = []
        for pairs, asked in self.matches.drawn(k):
            if self.stopped:
                raise KeyboardInterrupt
            rows.append(self.refit(pairs)[:asked])
        return np.concatenate(rows)


def rating_replicates(
    matches: Matches,
    fit: Fit,
    *,
    on: str | Engine = "threads",
    progress: Progress | None = None,
) -> Floats:
    """Return the ratings (B, n) of every replicate, with the penalty of the fit."""
    matches.pairs  # noqa: B018 - made once, before the workers ask for it
    work = _Refits(matches, Refitter(fit))
    with engine(on) as running:
        try:
            answers = running.map(work, matches.parts)
            return np.concatenate(list(watched(answers, len(matches.parts), progress)))
        except BaseException:  # an interrupt above all: threads that are at work see it too
            work.stopped.append(True)
            raise


# ------------------------------------------------------------------------------
# The rating models by name: what each needs, and how its ratings vary.


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

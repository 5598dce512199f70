"""The models of ``rate``: each is fitted, drawn again, and handed over in one frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from deadheat.core.errors import UsageError, command_with, quoted, say
from deadheat.core.registry import Registry
from deadheat.core.types import Booleans, Floats
from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.contextual import (
    Contextual,
    contextual,
    contextual_fisher,
    contextual_refits,
    contextual_sandwich,
    design_of,
    lineups,
)
from deadheat.models.rating.existence import Existence, existence
from deadheat.models.rating.online import check_shuffles, elo, gaussian, gaussian_rounds
from deadheat.models.rating.pair_counts import PairCounts
from deadheat.models.rating.plackett_luce import plackett_luce, plackett_luce_refits
from deadheat.models.rating.uncertainty import Refitter, fisher
from deadheat.output.text import percent
from deadheat.ranking.ranks import levels, ranks
from deadheat.rate.estimates import Estimates
from deadheat.rate.evidence import RatingEvidence, Separation, open_ends, separation
from deadheat.rate.matches import (
    RATED,
    BattleMatches,
    Matches,
    battles_of,
    complete,
    matches_of,
    record,
    rounds_of,
)
from deadheat.rate.options import BASE, STEP, WIDTH, Options
from deadheat.resampling.draws import stream
from deadheat.resampling.engines import engine, with_progress
from deadheat.resampling.plans import scaled

# The frame: how parameters vary, and what a model hands over.


@dataclass(frozen=True, eq=False)
class _Block:
    tiles: Callable[[int], Iterable[tuple[Any, int]]]  # what it draws, and how many of them count
    refit: Callable[[Any], tuple[Floats, Booleans]]  # parameters (B, p), who needed a penalty (B,)
    stopped: list[bool] = field(default_factory=list)

    def __call__(self, k: int) -> tuple[Floats, int]:
        rows, penalised = [], 0
        for tile, count in self.tiles(k):
            if self.stopped:
                raise KeyboardInterrupt
            parameters, separated = self.refit(tile)
            rows.append(parameters[:count])
            penalised += int(separated[:count].sum())
        return np.concatenate(rows), penalised


def _variation(
    matches: Matches, options: Options, block: _Block, numbers: range, names: tuple[str, ...]
) -> dict[str, Any]:
    """Return the parameters (B, p) of all replicates in which everybody met somebody."""
    with engine(options.engine) as running:
        try:
            blocks = list(
                with_progress(running.map(block, numbers), len(numbers), options.progress)
            )
        except BaseException:  # an interrupt above all: threads that are at work see it too
            block.stopped.append(True)
            raise
    replicates, skipped = complete(np.concatenate([rows for rows, _ in blocks]), names)
    return {
        "replicates": replicates,
        "skipped": skipped,
        "penalised": sum(number for _, number in blocks),
        "drawn": f"{len(replicates):,} resamples: {matches.in_words()}.",
    }


def _by_formula(how: str, covariance: Floats) -> dict[str, Any]:
    return {"covariance": covariance, "drawn": f"Standard errors {how}."}


def _estimates(
    matches: Matches, options: Options, ratings: Floats, variation: Any, parts: Any, /, **own: Any
) -> Estimates:
    """Return what a model hands over; of replicates and covariance, ratings come first."""
    n, linear = len(ratings), own.pop("linear", None)
    replicates, covariance = variation.pop("replicates", None), variation.pop("covariance", None)
    evidence = RatingEvidence(
        ratings=ratings,
        replicates=None if replicates is None else replicates[:, :n],
        covariance=None if covariance is None else covariance[:n, :n],
        units=None if replicates is None and linear is None else matches.units,
        strata=matches.strata,
        separation=parts,
        linear=linear,
    )
    usual = {"candidates": matches.candidates, "record": record(matches.pairs)}
    own = usual | {"errors": options.errors, "split_sd": matches.split_sd} | variation | own
    return Estimates(evidence=evidence, **own)


def _joins(there: Existence, *, teams: bool = False) -> dict[str, bool | None]:
    """Return whether matches, and wins, join everybody; None for members of teams."""
    keys = ("connected", "strongly_connected")
    return {key: None if teams else getattr(there, key) for key in keys}


def _sides(
    log: Battles, pairs: PairCounts, options: Options
) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...] | None, Floats]:
    """Return who is rated, who is in which team, and records: a member has those of its teams."""
    of_sides = record(pairs)
    if options.teams is None:
        return log.candidates, None, of_sides
    names, teams = lineups(log.candidates, separator=options.teams)
    of_members = np.zeros((len(of_sides), len(names)))
    for side, team in enumerate(teams):
        of_members[:, list(team)] += of_sides[:, side, None]
    return names, teams, of_members


# Bradley-Terry, and EPP, which is the same model of a table.


def bradley_terry(data: Results | Battles, options: Options) -> Estimates:
    options.refuse(shuffles=None, step=STEP)
    circumstances = options.advantage or options.teams is not None
    if isinstance(data, Battles) and (circumstances or data.covariates is not None):
        return _contextual_rating(data, options)
    options.refuse(kind="a table of scores", advantage=False)
    matches, ties = matches_of(data, options), options.ties
    fitted = fit(matches.pairs, penalty=options.penalty, ties=ties, strength=options.strength)
    if options.errors == "bootstrap":
        block = _Block(matches.draw_pairs, partial(_refit_pairs, Refitter(fitted)))
        variation = _variation(matches, options, block, matches.parts, matches.candidates)
    elif options.errors == "sandwich":
        variation = _by_formula(f"by the sandwich over {matches.kind}", matches.sandwich(fitted))
    else:
        ignored = "; clusters are ignored" if data.clusters is not None else ""
        how = f"as if all matches were independent (Fisher){ignored}"
        variation = _by_formula(how, fisher(fitted, fitted.pairs))
    own: dict[str, Any] = {"fit": fitted, "mle": fitted.mle, "matches": matches}
    if options.errors != "fisher":
        own["linear"] = matches.linear(fitted, on=options.engine)
    parts = separation(fitted.existence, matches, ties=ties)
    own["cautions"] = matches.cautions(options.errors)
    return _estimates(matches, options, fitted.ratings, variation, parts, **own)


def _refit_pairs(refitter: Refitter, pairs: PairCounts) -> tuple[Floats, Booleans]:
    """Return ratings (B, n); their penalty, where they need one, is not news."""
    ratings = refitter(pairs)
    return ratings, np.zeros(len(ratings), dtype=bool)


# Bradley-Terry under circumstances: covariates, a side's advantage, teams.


def _contextual_rating(log: Battles, options: Options) -> Estimates:
    options.refuse(" together with covariates, an advantage or teams", ties="half")
    matches = battles_of(log, options)
    names, members, counts = _sides(log, matches.pairs, options)
    design = design_of(
        log.left,
        log.right,
        len(names),
        covariates=log.covariates,
        covariate_names=log.covariate_names,
        side=options.advantage,
        members=members,
        weights=log.weights,
        names=names,
    )
    fitted = contextual(design, log.outcome, penalty=options.penalty, **options.penalty_strength)
    n = design.n
    if options.errors == "bootstrap":
        tiles = partial(matches.plan.in_tiles, size=RATED)
        block = _Block(tiles, partial(contextual_refits, fitted))
        variation = _variation(matches, options, block, matches.plan.blocks, names)
        spread = np.std(variation["replicates"][:, n:], axis=0, ddof=1) / design.scales
    else:
        covariance, how = contextual_fisher(fitted), "as if all battles were independent"
        if options.errors == "sandwich":
            covariance = contextual_sandwich(fitted, clusters=log.clusters, battles=log.battles)
            how = "by the sandwich"
        variation = _by_formula(how, covariance)
        spread = np.sqrt(np.maximum(np.diagonal(covariance)[n:], 0))
    parts = _parts_under_circumstances(log, matches, fitted, teams=members is not None)
    values = fitted.parameters[n:]
    keys = ("name", "log_odds", "se", "typical", "log_odds_of_typical")
    numbers = (each.tolist() for each in (values / design.scales, spread, design.scales, values))
    rows = zip(design.context_names, *numbers, strict=True)
    own: Any = {"candidates": names, "record": counts, "cautions": open_ends(parts)}
    own["extra"] = {
        **_joins(existence(matches.pairs), teams=members is not None),
        "penalty": fitted.penalty,
        "log_likelihood": fitted.log_likelihood,
        "circumstances": [dict(zip(keys, row, strict=True)) for row in rows],
    }
    mle = fitted.mle
    return _estimates(matches, options, fitted.ratings, variation, parts, mle=mle, **own)


def _parts_under_circumstances(
    log: Battles, matches: BattleMatches, fitted: Contextual, *, teams: bool
) -> Separation | None:
    r"""Return the parts of the field, with bounds by Firth's ratings of independent battles.

    With advantage h of the left side, the chance to win k times on each side is :math:`(\sigma(x +
    h) \sigma(x - h))^k \le \sigma(x)^{2k}`. Nothing like that holds under covariates, in clusters,
    or for members of teams.
    """
    if fitted.levels is None or len(fitted.levels.above) < 2:
        return None
    battles = log.battles * min(1.0, matches.units / log.battles.sum()) * (log.weights > 0)
    even = contextual(replace(fitted.design, weights=battles), log.outcome, penalty="firth")
    n = even.design.n
    parts = Separation(
        part=fitted.levels.part,
        above=fitted.levels.above,
        ratings=even.ratings,
        covariance=contextual_fisher(even)[:n, :n],
    )
    if teams or log.covariates is not None or log.clusters is not None:
        return parts
    pairs, at = matches.unweighted_pairs, matches.cells.pair
    on_left = log.left == pairs.first[at]
    left, right = (
        np.bincount(at[side], log.battles[side], len(pairs.first)) for side in (on_left, ~on_left)
    )
    one_way = (np.minimum(pairs.wins, pairs.losses) == 0) & (pairs.ties == 0)
    return replace(
        parts,
        keys=pairs.first.astype(np.int64) * pairs.n + pairs.second,
        matches=np.where(one_way, 2 * np.minimum(left, right), 0.0),
    )


# Plackett-Luce: every round of a table is one ranking.


def plackett_luce_rating(data: Results | Battles, options: Options) -> Estimates:
    options.refuse(
        ties="half", pairing="same", advantage=False, teams=None, shuffles=None, step=STEP
    )
    if isinstance(data, Battles):
        same = command_with(model="bradley-terry", ties="davidson")
        fact = "plackett-luce rates rankings of rounds, and a battle log has pairs only."
        raise UsageError(fact, hint=f"the same for pairs: {same}")
    matches = rounds_of(data, options)
    prior: Any = {"penalty": options.penalty, **options.penalty_strength}
    fitted = plackett_luce(_rankings(data), weights=data.weights, names=matches.candidates, **prior)
    if options.errors == "bootstrap":
        block = _Block(matches.weights, partial(plackett_luce_refits, fitted))
        variation = _variation(matches, options, block, matches.parts, matches.candidates)
    elif options.errors == "sandwich":
        how = f"by the sandwich, over {matches.kind}"
        variation = _by_formula(how, fitted.sandwich(matches.plan.clusters))
    else:
        variation = _by_formula("as if rounds followed the model, over rounds", fitted.fisher())
    parts = separation(fitted.existence, matches)
    extra = {
        "penalty": fitted.model.penalty,
        **_joins(fitted.existence),
        "log_likelihood": fitted.peak.log_likelihood,
        "tie_parameters": {str(size): value for size, value in fitted.ties.items()},
    }
    cautions = (*matches.cautions(options.errors), *open_ends(parts))
    own: Any = {"mle": fitted.mle, "cautions": cautions, "extra": extra}
    return _estimates(matches, options, fitted.ratings, variation, parts, **own)


def _rankings(results: Results) -> Floats:
    scores = levels(results.scores, tolerance=results.tie_tol)
    return np.stack([ranks(column) for column in scores.T])


# Online Elo: battle by battle.

POINTS = WIDTH / math.log(BASE)  # in one unit of log-odds
MOST_MOVES = 500_000_000  # of ratings, before somebody is told that it takes too long
FEWEST_DRAWS = 100  # of resamples, that say something
AT_A_TIME = 20
ARRIVED = 0.9  # of the way from the start to a rating


def online_elo(data: Results | Battles, options: Options) -> Estimates:
    options.refuse(
        ties="half", pairing="same", penalty="auto", strength=None, advantage=False, teams=None
    )
    log = _in_order(data, options)
    if not (math.isfinite(options.step) and options.step > 0):
        steps = {"long": int(STEP), "short": 32}
        hint = "\n".join(
            f"as usual for {log} logs: {command_with(step=k)}" for log, k in steps.items()
        )
        raise UsageError(f"the step must be above 0 and finite, got {options.step:g}.", hint=hint)
    matches = battles_of(log, options)
    shuffles = options.shuffles or 0
    check_shuffles(shuffles)
    if options.errors != "bootstrap":
        hint = f"by resampling: {command_with(errors='bootstrap')}"
        raise UsageError(f"online Elo has no {say('errors', options.errors)}.", hint=hint)
    once = log.cells * max(1, shuffles)
    moves = once * options.replicates
    if moves > MOST_MOVES:
        orders = f" of {shuffles:,} orders" if shuffles else ""
        fact = (
            f"online Elo moves ratings {moves:,} times: {options.replicates:,} resamples{orders}."
        )
        ways = [f"with a model that needs no order: {command_with(**options.without_order)}"]
        if shuffles:
            ways.insert(0, f"in the order of the log: {command_with(shuffles=None)}")
        if (fewer := MOST_MOVES // once) >= FEWEST_DRAWS:
            ways.insert(0, f"with fewer resamples: {command_with(replicates=fewer)}")
        raise UsageError(fact, hint="\n".join(ways))
    ordered = (log.left, log.right, log.outcome, log.n)
    replay = partial(elo, *ordered, k=options.step, shuffles=shuffles)
    whole = replay(weights=log.weights, seed=options.seed)
    replicates = range(options.replicates)
    tiles = [replicates[k : k + AT_A_TIME] for k in replicates[::AT_A_TIME]]
    blocks = [[(rows, len(rows))] for rows in tiles]
    block = _Block(blocks.__getitem__, partial(_replays, log, options, replay))
    variation = _variation(matches, options, block, range(len(tiles)), log.candidates)
    there = existence(matches.pairs)
    parts = separation(there, matches)
    sd = None if whole.spread is None else (whole.spread / POINTS).tolist()
    order_sd = sd and dict(zip(log.candidates, sd, strict=True))
    extra = {"step": options.step, "shuffles": shuffles, "order_sd": order_sd}
    cautions = (*_on_the_way(log, matches.pairs, options.step), *open_ends(parts))
    own: Any = {"extra": {"separated": None, **_joins(there), **extra}, "cautions": cautions}
    mle = np.full(log.n, np.nan)
    return _estimates(matches, options, _logits(whole.ratings), variation, parts, mle=mle, **own)


def _replays(
    log: Battles, options: Options, replay: Callable[..., Any], rows: range
) -> tuple[Floats, Booleans]:
    """Return ratings (B, n) of some replicates: battles drawn again, in their order or others."""
    ratings = np.empty((len(rows), log.n))
    for row, b in enumerate(rows):
        times = _times(log, options, b)
        # the orders of a replicate have a seed of their own, apart from that of its draws
        own = np.random.SeedSequence(options.seed, spawn_key=(b, 0)).generate_state(1, np.uint64)
        ratings[row] = replay(weights=times, seed=int(own[0])).ratings
        there = np.bincount(log.left, times, log.n) + np.bincount(log.right, times, log.n)
        ratings[row, there == 0] = np.nan
    return _logits(ratings), np.zeros(len(rows), dtype=bool)


def _times(log: Battles, options: Options, b: int) -> Floats:
    rng = stream(options.seed, b)
    number = log.cells if log.clusters is None else log.cluster_count
    times: Any
    if options.plan == "bayesian":
        times = scaled(rng.standard_exponential(number), number)
    else:
        times = np.bincount(rng.integers(0, number, number), minlength=number)
    return np.asarray((times if log.clusters is None else times[log.clusters]) * log.weights)


def _logits(points: Floats) -> Floats:
    centred: Floats = (points - np.nanmean(points, axis=-1, keepdims=True)) / POINTS
    return centred


def _on_the_way(log: Battles, pairs: PairCounts, step: float) -> tuple[str, ...]:
    battles = record(pairs).sum(axis=0)
    gone = -math.expm1(-float(battles.min()) * step / POINTS / 4)
    if gone >= ARRIVED:
        return ()
    name = quoted(log.candidates[int(battles.argmin())])
    way = f"{percent(gone)} of the way from the start to its rating"
    few = f"with steps of {step:g} points, the {battles.min():,.0f} battles of {name} go about"
    take = f"Take a larger {say('step')}, or {say('model', 'bradley-terry')}."
    return (f"{few} {way}, so that ratings are too near to each other. {take}",)


def _in_order(data: Results | Battles, options: Options) -> Battles:
    if isinstance(data, Results):
        usual = options.without_order
        rounds = command_with(**{**usual, "model": "gaussian", "shuffles": options.shuffles})
        fact = f"the model {options.model} rates a stream of battles, and a table has no order."
        raise UsageError(
            fact, hint=f"as a table: {command_with(**usual)}\nround after round: {rounds}"
        )
    if not data.ordered and int(data.battles.max(initial=0)) > 1:
        fact = f"the model {options.model} needs the battles in their order, and these are counts."
        hint = f"with a model that needs no order: {command_with(**options.without_order)}\n"
        hint += "where a row is a battle, in their order: Battles(..., ordered=True)"
        raise UsageError(fact, hint=hint)
    return data


# Gaussian beliefs about skills.

NEARLY_LOGISTIC = 1.702  # the normal distribution function is the logistic one of 1.702 x, nearly


def gaussian_rating(data: Results | Battles, options: Options) -> Estimates:
    options.refuse(
        ties="half", pairing="same", penalty="auto", strength=None, advantage=False, step=STEP
    )
    options.refuse(", whose beliefs have a spread of their own", errors="bootstrap", plan=None)
    how: dict[str, Any] = {"shuffles": options.shuffles or 0, "seed": options.seed}
    each, kind = data.weights, "rounds"
    if isinstance(data, Battles):
        each, kind = data.weights / data.battles, "battles"
    if (each != 1).any():  # a belief is updated by a match or it is not
        these = f"these weigh from {each.min():g} to {each.max():g}"
        hint = f"with a model that knows weights: {command_with(**options.without_order)}"
        raise UsageError(f"the model gaussian knows no weights of {kind}, and {these}.", hint=hint)
    if isinstance(data, Results):
        options.refuse(teams=None)
        belief = gaussian_rounds(_rankings(data), **how)
        names, pairs = tuple(data.candidates), matches_of(data, options).pairs
        counts = record(pairs)
    else:
        log = _in_order(data, options)
        pairs = battles_of(log, options).pairs
        names, members, counts = _sides(log, pairs, options)
        belief = gaussian(log.left, log.right, log.outcome, len(names), members=members, **how)
    cautions = []
    if data.clusters is not None:
        said = "the model gaussian takes all matches as independent, and ignores the clusters"
        small = "its standard errors are too small where matches of a cluster are alike"
        cautions.append(f"{said}: {small}.")
    there = existence(pairs)
    if not there.strongly_connected:
        said = "somebody never lost to, or never met, some of the others: how far they are apart at"
        ends = "There intervals are those of beliefs, whose open ends come from the prior."
        cautions.append(f"{said} most no match tells. {ends}")
    # in log-odds of a single match between known skills, nearly
    unit = NEARLY_LOGISTIC / (math.sqrt(2) * belief.beta)
    return Estimates(
        candidates=names,
        evidence=RatingEvidence(
            ratings=unit * (belief.means - belief.means.mean()),
            covariance=np.diag((unit * belief.deviations) ** 2),
        ),
        mle=np.full(len(names), np.nan),
        record=counts,
        errors="posterior",
        cautions=tuple(cautions),
        drawn="Standard errors are those of the beliefs after the last battle.",
        extra={
            "separated": None,
            **_joins(there, teams=options.teams is not None),
            "mean": dict(zip(names, belief.means.tolist(), strict=True)),
            "deviation": dict(zip(names, belief.deviations.tolist(), strict=True)),
            "beta": belief.beta,
            "draw_probability": belief.draw_probability,
            "shuffles": how["shuffles"],
        },
    )


_MODELS: Mapping[str, Callable[[Results | Battles, Options], Estimates]] = {
    "epp": bradley_terry,
    "bradley-terry": bradley_terry,
    "elo": online_elo,
    "gaussian": gaussian_rating,
    "plackett-luce": plackett_luce_rating,
}
MODELS = Registry("rating model", _MODELS.items)

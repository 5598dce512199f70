"""Ratings of a stream: online Elo, and Gaussian beliefs in the manner of TrueSkill."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.data.wording import both
from deadheat.errors import UsageError, quoted
from deadheat.inference.rated import Rated
from deadheat.inference.rating_asked import STEP, Asked
from deadheat.inference.rating_intervals import RatingEvidence
from deadheat.inference.rating_luce import rankings
from deadheat.inference.rating_record import battles_of, kept, matches_of, record, standing
from deadheat.inference.rating_scale import BASE, WIDTH
from deadheat.inference.rating_separation import open_ends, separation
from deadheat.ranking.rating.elo import check_shuffles, elo
from deadheat.ranking.rating.existence import existence
from deadheat.ranking.rating.gaussian import Gaussian, gaussian
from deadheat.ranking.rating.gaussian_rounds import gaussian_rounds
from deadheat.ranking.rating.pair_counts import PairCounts
from deadheat.ranking.rating.teams import lineups
from deadheat.resampling.battle_draws import scaled
from deadheat.resampling.draws import stream
from deadheat.resampling.engine import engine
from deadheat.resampling.replicate import watched
from deadheat.text import percent
from deadheat.typing import Floats

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

"""What ratings are fitted to: matches, the request, their scale, and how to draw them again."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    Words,
    both,
    counted,
    quoted,
)
from deadheat.core.types import Floats, Integers
from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.models.rating.existence import existence
from deadheat.models.rating.pair_counts import (
    CellPairs,
    PairCounts,
    pairs_of_rounds,
    sums_by_candidate,
)
from deadheat.output.text import percent
from deadheat.ranking.block import WORKING_SET
from deadheat.rate.simulation import goodness_of_battles, goodness_of_rounds
from deadheat.resampling.plans import (
    BATTLE_PLANS,
    BattleBootstrap,
    BattlePlan,
    Plan,
    blocks,
    plan_for,
    plan_warnings,
    rows_of,
    tiles,
)
from deadheat.resampling.replicate import Engine, Progress
from deadheat.statistics.evidence import require_judges_drawn

if TYPE_CHECKING:
    from deadheat.models.rating.bradley_terry import Fit
    from deadheat.rate.calibration import Goodness


RATED = 100  # replicates that are rated together
SAME = 1e-9  # weights of battles that differ by less are the same


class Matches(Protocol):
    """Whatever says who met whom, and can be drawn again."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates."""
        ...

    @property
    def pairs(self) -> PairCounts:
        """The pairs as observed, (P,)."""
        ...

    @property
    def units(self) -> int:
        """How many things are drawn independently of each other."""
        ...

    @property
    def strata(self) -> int:
        """In how many strata they are; 1 where there are none."""
        ...

    @property
    def independent(self) -> Floats:
        """How many matches of each pair are independent of each other, (P,), at most."""
        ...

    @property
    def parts(self) -> range:
        """The numbers of the blocks of replicates."""
        ...

    def drawn(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        """Yield the pairs (B, P) of tiles of block k, and how many of their replicates count."""
        ...

    def goodness(self, fit: Fit, **how: Any) -> Goodness:
        """Return how well a model fits, calibrated by tables simulated from it."""
        ...

    def in_words(self) -> str:
        """Return what was drawn, as the end of a sentence."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class RoundMatches:
    """Rounds in which candidates have scores; whoever has the higher one wins."""

    results: Results
    plan: Plan
    pairing: str = "same"

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates."""
        return tuple(self.results.candidates)

    @cached_property
    def pairs(self) -> PairCounts:
        """The pairs as observed, (P,)."""
        return self.counted(self.results.weights[None]).of_replicate(0)

    @property
    def clusters(self) -> tuple[str, ...] | None:
        """The clusters of the rounds that are drawn whole, (S,)."""
        return self.plan.clusters

    @property
    def units(self) -> int:
        """How many rounds of weight, or clusters of them, there are."""
        return self.plan.present(self.results.weights)[0]

    @property
    def strata(self) -> int:
        """In how many strata they are; 1 where there are none."""
        return self.plan.present(self.results.weights)[1]

    @property
    def independent(self) -> Floats:
        """As many matches of each pair as it met, and no more than there are units."""
        return np.minimum(
            self.counted(np.ones((1, self.results.m))).of_replicate(0).met, self.units
        )

    @property
    def parts(self) -> range:
        """The numbers of the blocks of replicates."""
        return blocks(self.plan, *self.results.scores.shape)

    def counted(self, weights: Floats) -> PairCounts:
        """Return the pairs under weights of the rounds (B, S)."""
        return pairs_of_rounds(
            self.results.scores,
            weights,
            pairing=self.pairing,
            tie_tol=self.results.tie_tol,
            names=self.candidates,
        )

    def weights(self, k: int, size: int = RATED) -> Iterator[tuple[Floats, int]]:
        """Yield the weights of the rounds (B, S) in tiles of block k, and how many count."""
        n, m = self.results.scores.shape
        drawn = self.plan.whole_block(k, n, m).judges
        for rows, asked in tiles(len(rows_of(self.plan, k, n, m)), size):
            yield np.asarray(drawn[rows] * self.results.weights), asked

    def drawn(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        """Yield the pairs (B, P) of tiles of block k, and how many of their replicates count."""
        size = max(1, min(RATED, WORKING_SET // max(1, len(self.pairs.first))))
        for weights, asked in self.weights(k, size):
            yield self.counted(weights), asked

    def goodness(self, fit: Fit, **how: Any) -> Goodness:
        """Return how well a model fits, calibrated by tables simulated from it.

        Nothing is simulated where rounds of a cluster are alike.
        """
        if self.results.clusters is not None:
            how["simulations"] = 0
        scores, weights = self.results.scores, self.results.weights
        return goodness_of_rounds(scores, fit, pairing=self.pairing, round_weights=weights, **how)

    def in_words(self) -> str:
        """Return what was drawn, as the end of a sentence."""
        return self.plan.in_words(self.results.m)


@dataclass(frozen=True, eq=False, kw_only=True)
class BattleMatches:
    """A battle log: who met whom, and who won."""

    battles: Battles
    replicates: int
    seed: int
    way: BattlePlan = "bayesian"

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates."""
        return self.battles.candidates

    @cached_property
    def cells(self) -> CellPairs:
        """The cells of the log, sorted by pair once."""
        return CellPairs(self.battles)

    @cached_property
    def pairs(self) -> PairCounts:
        """The pairs as observed, (P,)."""
        return self.cells.counts()

    @cached_property
    def plan(self) -> BattleBootstrap:
        """What draws the cells of the log, or whole clusters of them."""
        return BattleBootstrap(
            battles=self.battles.battles,
            weights=self.battles.weights,
            clusters=self.battles.clusters,
            plan=self.way,
            replicates=self.replicates,
            seed=self.seed,
        )

    @cached_property
    def alike(self) -> bool:
        """Whether all battles weigh the same."""
        each = self.battles.weights / self.battles.battles
        return bool(np.ptp(each) <= SAME * each.max())

    @cached_property
    def _merged(self) -> tuple[Integers, BattleBootstrap]:
        """The outcomes of pairs that happened, and what draws them, whoever stood on the left."""
        counts = np.concatenate([self.fought.wins, self.fought.losses, self.fought.ties])
        weights = np.concatenate([self.pairs.wins, self.pairs.losses, self.pairs.ties])
        there = np.flatnonzero(counts)
        drawing = replace(self.plan, battles=counts[there].astype(np.int64), weights=weights[there])
        return there, drawing

    @cached_property
    def _by_cluster(self) -> tuple[Any, BattleBootstrap]:
        """The weights of outcomes of pairs by cluster, sparse (3 P, clusters), and what draws."""
        from scipy.sparse import coo_array

        clusters = self.battles.clusters
        shape = (3 * len(self.pairs.first), self.plan.units)
        weights = coo_array((self.battles.weights, (self.cells.group, clusters)), shape=shape)
        return weights.tocsr(), replace(self.plan, width=max(shape))

    @cached_property
    def fought(self) -> PairCounts:
        """How many battles each pair won, lost and tied, whatever they weigh."""
        return self.cells.counts(self.battles.battles[None].astype(np.float64)).of_replicate(0)

    @property
    def units(self) -> int:
        """How many battles, or clusters of them, there are."""
        return self.plan.units

    @property
    def strata(self) -> int:
        """Logs have none."""
        return 1

    @property
    def independent(self) -> Floats:
        """How many battles each pair fought, or in how many clusters it did."""
        if self.battles.clusters is None:
            return self.fought.met
        both = np.unique(np.stack([self.cells.pair, self.battles.clusters]), axis=1)
        return np.bincount(both[0], minlength=len(self.cells.first)).astype(np.float64)

    @property
    def parts(self) -> range:
        """The numbers of the blocks of replicates."""
        if self.battles.clusters is not None:
            return self._by_cluster[1].blocks
        return (self._merged[1] if self.alike else self.plan).blocks

    def drawn(self, k: int) -> Iterator[tuple[PairCounts, int]]:
        """Yield the pairs (B, P) of tiles of block k, and how many of their replicates count."""
        if self.battles.clusters is not None:
            by_cluster, drawing = self._by_cluster
            for times, asked in drawing.times_in_tiles(k, RATED):
                drawn = (by_cluster @ times.T.astype(np.float64)).T
                yield self.pairs.with_counts(*np.split(drawn, 3, axis=1)), asked
            return
        if not self.alike:
            for weights, asked in self.plan.in_tiles(k, RATED):
                yield self.cells.counts(weights), asked
            return
        there, drawing = self._merged
        for drawn, asked in drawing.in_tiles(k, RATED):
            counts = np.zeros((len(drawn), 3 * len(self.pairs.first)))
            counts[:, there] = drawn
            yield self.pairs.with_counts(*np.split(counts, 3, axis=1)), asked

    def goodness(self, fit: Fit, **how: Any) -> Goodness:
        """Return how well a model fits, calibrated by logs simulated from it.

        Nothing is simulated where battles depend on each other, or differ in weight.
        """
        if self.battles.clusters is not None or not self.alike:
            how["simulations"] = 0
        return goodness_of_battles(fit, battles=self.fought.met, **how)

    def in_words(self) -> str:
        """Return what was drawn, as the end of a sentence."""
        clusters, kind = self.battles.clusters, self.battles.cluster_kind
        what = counted(self.units, "battle")
        if clusters is not None:
            what = f"{counted(self.units, 'cluster')} of battles, by {kind}"
        if self.way == "bayesian":
            return f"{what}, weighted at random (Bayesian bootstrap)"
        return f"{what}, drawn {'one by one' if clusters is None else 'whole'}, with replacement"


# ------------------------------------------------------------------------------
# What is asked of a rating model.

STEP = 4.0  # of online Elo
BY_FORMULA = ("sandwich", "fisher")
WITHOUT_UNITS = ("jackknife", "subsample")  # plans that say how to draw, and not what


@dataclass(frozen=True, eq=False, kw_only=True)
class Asked:
    """Hold what was asked of a model; see :func:`deadheat.rate.api.rate`."""

    model: str
    pairing: str
    ties: str
    penalty: str
    strength: float | None
    errors: str
    replicates: int
    alpha: float
    seed: int
    plan: str | Plan | None
    step: float
    shuffles: int | None
    advantage: bool
    teams: str | None
    engine: str | Engine
    progress: Progress | None

    def __post_init__(self) -> None:
        """Refuse a way of drawing where nothing is drawn."""
        if self.errors in BY_FORMULA and self.plan in WITHOUT_UNITS:
            raise UsageError(
                f"errors={self.errors!r} (--errors {self.errors}) draws nothing, so that the plan "
                f"{self.plan} has nothing to say.",
                hint=f"leave out --plan {self.plan}; or draw the rounds again: errors='bootstrap' "
                "(--errors bootstrap) with plan='bootstrap' (--plan bootstrap).",
            )

    def refuse(self, where: str = "", *, kind: str = "", **usual: object) -> None:
        """Refuse what the model does not know, given what each option is where nobody says it.

        ``where`` says when it does not know it, as the end of a sentence; ``kind`` is the kind of
        data for which no model does.
        """
        for name, value in usual.items():
            given = getattr(self, name)
            if given == value:
                continue
            flag = f"--{name}" if given is True else f"--{name} {given}"
            said = f"{name}={given!r} ({flag})"
            if kind:
                raise UsageError(f"{said} says nothing about {kind}.", hint=f"leave out {flag}.")
            raise UsageError(
                f"the model {self.model} knows no {said}{where}.",
                hint=f"leave out {flag}, or take another model.",
            )


# ------------------------------------------------------------------------------
# Who met whom in a table or a log, and what came of it.

FEWEST_KEPT = 20  # replicates that show how ratings vary


def matches_of(found: Results | Battles, asked: Asked) -> Matches:
    """Return the matches of a table or a log, and how to draw them again."""
    return battles_of(found, asked) if isinstance(found, Battles) else rounds_of(found, asked)


def battles_of(found: Battles, asked: Asked) -> BattleMatches:
    """Return the matches of a log."""
    asked.refuse(kind="a battle log", pairing="same")
    usual = "bootstrap" if asked.model == "elo" else "bayesian"
    way = next((plan for plan in BATTLE_PLANS if plan == (asked.plan or usual)), None)
    if way is None:
        raise UsageError(
            f"battles of a log are weighted at random, or drawn one by one, not by the plan "
            f"{asked.plan!r}.",
            hint="plan='bayesian' (--plan bayesian) or 'bootstrap'; cluster= (--cluster COL) takes "
            "whole voters or prompts.",
        )
    found_matches = BattleMatches(
        battles=found, replicates=asked.replicates, seed=asked.seed, way=way
    )
    _require_units(found_matches, asked)
    if way == "bootstrap" and asked.errors == "bootstrap":
        _require_present(found_matches)
    return found_matches


def _require_present(matches: BattleMatches) -> None:
    """Refuse at once to draw battles where nearly every resample would lack somebody."""
    log = matches.battles
    if log.clusters is not None:
        return
    fought = record(matches.fought).sum(axis=0)
    there = 1 - (1 - fought / log.total) ** log.total
    if there.prod() * matches.replicates < FEWEST_KEPT:
        rarest = int(fought.argmin())
        raise DataError(
            f"in nearly all resamples somebody meets nobody: {quoted(log.candidates[rarest])} has "
            f"{counted(int(fought[rarest]), 'match', 'matches')}.",
            hint="plan='bayesian' (--plan bayesian) leaves nobody out; or "
            "min_matches=5 (--min-matches 5).",
        )


def rounds_of(found: Results, asked: Asked) -> RoundMatches:
    """Return the matches of a table, whose judges are the rounds."""
    if found.n < 2:
        raise DataError(
            f"ratings need two candidates or more, got {found.n}.",
            hint="a rating says who beats whom.",
        )
    plan = plan_for(found, asked.plan, replicates=asked.replicates, seed=asked.seed)
    require_judges_drawn(plan)
    _require_spread(plan)
    matches = RoundMatches(results=found, plan=plan, pairing=asked.pairing)
    _require_units(matches, asked)
    return matches


def plan_cautions(found: Results | Battles, matches: Matches, asked: Asked) -> tuple[str, ...]:
    """Warn of strata and clusters of rounds that standard errors do not see."""
    if not isinstance(found, Results) or not isinstance(matches, RoundMatches):
        return ()
    if asked.errors == "bootstrap":
        return tuple(plan_warnings(found, matches.plan))
    cautions = []
    if found.strata is not None:
        said = (
            "takes the rounds of all "
            f"{counted(len(set(found.strata)), 'stratum', 'strata')} as drawn at once: where "
            "strata differ, standard errors are too large."
        )
        cautions.append(
            Words(
                f"{both('errors', asked.errors)} {said} {both('errors', 'bootstrap')} draws inside "
                "strata.",
                page=f"errors by {asked.errors} {said} errors by bootstrap draws inside strata.",
            )
        )
    if asked.errors == "sandwich" and found.clusters is not None and matches.clusters is None:
        said = "rounds of one cluster are taken as independent: intervals may be far too narrow; "
        cautions.append(
            Words(
                f"{said}{both('plan', 'clustered')} keeps them together.",
                page=f"{said}the plan clustered keeps them together.",
            )
        )
    return tuple(cautions)


def standing(pairs: PairCounts, *, teams: bool = False) -> dict[str, bool | None]:
    """Return whether matches, and wins, join everybody; None for members of teams."""
    there = existence(pairs)
    return {
        "connected": None if teams else there.connected,
        "strongly_connected": None if teams else there.strongly_connected,
    }


def record(pairs: PairCounts) -> Floats:
    """Return wins, losses and ties of each candidate, (3, n)."""
    return np.stack(
        [
            sums_by_candidate(pairs, pairs.wins, pairs.losses),
            sums_by_candidate(pairs, pairs.losses, pairs.wins),
            sums_by_candidate(pairs, pairs.ties, pairs.ties),
        ]
    )


def kept(replicates: Floats, candidates: Sequence[str]) -> tuple[Floats, int]:
    """Return the replicates in which everybody met somebody, and how many were left out."""
    absent = np.isnan(replicates[:, : len(candidates)])
    there = ~absent.any(axis=1)
    number = int(np.count_nonzero(~there))
    if number and len(replicates) - number < FEWEST_KEPT:
        rarest = candidates[int(absent.sum(axis=0).argmax())]
        raise DataError(
            f"in {number:,} of {len(replicates):,} resamples somebody meets nobody, most often "
            f"{quoted(rarest)}.",
            hint="leave out who has very few matches; or errors='sandwich' (--errors sandwich), "
            "which draws nothing.",
        )
    return replicates[there] if number else replicates, number


def _require_spread(plan: Plan) -> None:
    """Refuse replicates that vary otherwise than ratings of other rounds would."""
    if not plan.spreads_alike:
        raise UsageError(
            f"replicates of the plan {plan.title} vary less or more than ratings of other rounds "
            "would.",
            hint="plan='bootstrap' (--plan bootstrap), or errors='sandwich' (--errors sandwich), "
            "which needs no replicates.",
        )


def _require_units(matches: Matches, asked: Asked) -> None:
    if asked.errors != "fisher" and matches.units < 2:
        raise DataError(
            "there is only one round, battle or cluster, so nothing shows how far the ratings "
            "vary.",
            hint="give more; or errors='fisher' (--errors fisher), which takes all matches as "
            "independent.",
        )


# ------------------------------------------------------------------------------
# The numbers people read for a rating: log-odds or points, around a mean or an anchor.

SCALES = ("logit", "elo")
BASE, WIDTH, CENTRE = 10.0, 400.0, 1500.0


@dataclass(frozen=True, kw_only=True)
class RatingScale:
    """Turn log-odds into what is shown: ``origin + factor * (b - at)``.

    An anchor only shifts: no difference and no interval of a difference depends on it.
    """

    name: str = "logit"
    factor: float = 1.0
    origin: float = 0.0
    at: float = 0.0
    anchor: str | None = None

    def shown(self, ratings: Floats) -> Floats:
        """Return ratings, or the ends of their intervals, on this scale."""
        found: Floats = self.origin + self.factor * (ratings - self.at)
        return found

    @property
    def digits(self) -> int:
        """How many decimals a rating deserves."""
        return 0 if self.factor > 50 else 2

    @property
    def step(self) -> int:
        """A difference that is told as an example."""
        return 100 if self.factor > 50 else 1

    @property
    def meaning(self) -> str:
        """What a difference means, as a sentence."""
        if self.name == "logit":
            return "A difference of 1 means odds of 2.7 to 1, a win probability of 73 %."
        chance = percent(1 / (1 + math.exp(-self.step / self.factor)))
        points = "100 points" if self.step == 100 else "1 point"
        return f"A difference of {points} means a win probability of {chance}."


def rating_scale(
    name: str,
    ratings: Floats,
    candidates: Sequence[str],
    *,
    anchor: str | None = None,
    base: float = BASE,
    width: float = WIDTH,
    centre: float | None = None,
) -> RatingScale:
    """Return a scale by name, with the anchor ``NAME`` or ``NAME=VALUE`` where one is given.

    Without an anchor the mean of the ratings is at ``centre``: 0, or 1500 points. An anchor
    without a value is put there itself.
    """
    if name not in SCALES:
        raise UnknownNameError("rating scale", str(name), SCALES)
    if not base > 1 or not width > 0 or not math.isfinite(base) or not math.isfinite(width):
        raise UsageError(
            f"a rating scale needs a base above 1 and a width above 0, got {base:g} and {width:g}.",
            hint="Elo points have base 10 and width 400.",
        )
    elo = name == "elo"
    if not elo and (base, width) != (BASE, WIDTH):
        raise UsageError(
            f"the {name} scale has no base and no width, got {base:g} and {width:g}.",
            hint="scale='elo' (--scale elo) has both.",
        )
    factor = width / math.log(base) if elo else 1.0
    origin = (CENTRE if elo else 0.0) if centre is None else float(centre)
    if not math.isfinite(origin):
        raise UsageError(f"the centre must be a number, got {origin:g}.", hint="1500 is usual.")
    if anchor is None:
        return RatingScale(name=name, factor=factor, origin=origin)
    who, value = _anchored(str(anchor), candidates)
    if value is not None and centre is not None:
        raise UsageError(
            f"the anchor puts {who} at {value:g}, which leaves no choice of a centre, yet "
            f"centre={origin:g} is given.",
            hint=f"leave out one of them; anchor={who!r} (--anchor {shlex.quote(who)}) beside a "
            "centre puts the anchor there.",
        )
    return RatingScale(
        name=name,
        factor=factor,
        origin=origin if value is None else value,
        at=float(ratings[list(candidates).index(who)]),
        anchor=who,
    )


def _anchored(anchor: str, candidates: Sequence[str]) -> tuple[str, float | None]:
    """Return the candidate, and the value it is given, if any; a name may hold = signs."""
    if anchor in candidates:
        return anchor, None
    who, sign, value = anchor.rpartition("=")
    if not sign or who not in candidates:
        raise UnknownNameError("candidate", anchor, candidates)
    try:
        at = float(value)
    except ValueError:
        at = math.nan
    if not math.isfinite(at):
        raise UsageError(
            f"the anchor {who} must have a number, got {value!r}.", hint=f"e.g. {who}=1000."
        )
    return who, at

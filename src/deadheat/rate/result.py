"""Ratings whose differences are log-odds of winning, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, logit

from deadheat.errors import UnknownNameError
from deadheat.inference import rating_words as words
from deadheat.inference.detectable import lead_seen
from deadheat.inference.matches import Matches
from deadheat.inference.rating_calibration import Calibration, calibration
from deadheat.inference.rating_claims import error_is_unknown
from deadheat.inference.rating_fit import Goodness
from deadheat.inference.rating_grid import rating_grid
from deadheat.inference.rating_groups import RatingGroups
from deadheat.inference.rating_intervals import (
    Bounds,
    RatingEvidence,
    WinMatrix,
    difference_intervals,
    leader_of_ratings,
    win_matrix,
)
from deadheat.inference.rating_luck import lucky
from deadheat.inference.rating_scale import RatingScale
from deadheat.inference.rating_tables import RatingTable, known, rating_table
from deadheat.inference.tuning import latest_gain_of, tunability_of
from deadheat.ranking.ranks import best_first, ranks
from deadheat.ranking.rating.bradley_terry import Fit
from deadheat.ranking.rating.tie_models import tie_model
from deadheat.resampling.engine import Engine
from deadheat.result import Grid, Result
from deadheat.typing import Floats, Row

MOST_NAMES = 100  # of a part of the field that facts list
FARTHEST = 500.0  # log-odds, beyond which a share of points is 0 or 1


@dataclass(frozen=True, kw_only=True)
class Chance:
    """Hold the probability that one candidate beats another, and its interval.

    Where one never lost to the other, nor to anybody between them, the interval ends at 1.
    """

    p: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Ratings(Result):
    """Hold ratings, their intervals, tie groups, and what speaks for and against the model.

    Attributes
    ----------
    evidence
        The ratings (n,) as log-odds, and how they vary.
    mle
        The plain maximum-likelihood ratings; infinite or NaN where they do not exist.
    record
        Wins, losses and ties of each candidate, (3, n).
    fit, matches
        The fitted Bradley-Terry model and what it was fitted to; None for other models.
    scale
        How ratings are shown.
    split_sd, of_rounds
        For score tables: the noise from judge to judge, and whether these are rounds of one data
        set, so that it is the unit of the ratings.
    extra
        What a model of its own kind adds to the facts.
    """

    schema: ClassVar[str] = "deadheat.rate/1"
    model: str
    candidates: tuple[str, ...]
    evidence: RatingEvidence
    mle: Floats
    record: Floats
    bounds: Bounds
    grouped: RatingGroups
    scale: RatingScale
    alpha: float
    errors: str
    drawn: str
    fit: Fit | None = None
    matches: Matches | None = None
    simulations: int = 0
    seed: int = 0
    on: str | Engine = "threads"
    split_sd: float | None = None
    of_rounds: bool = False
    extra: dict[str, Any] | None = None

    @property
    def ratings(self) -> Floats:
        """The ratings (n,) as log-odds that sum to 0."""
        return self.evidence.ratings

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The candidates, highest rating first."""
        return tuple(best_first(self.ratings).tolist())

    @cached_property
    def ranks(self) -> Floats:
        """The ranks of the ratings; equal ratings share the mean of theirs."""
        return ranks(self.ratings)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The tie groups by name, best first."""
        members = self.grouped.groups.members
        return tuple(tuple(self.candidates[i] for i in group) for group in members)

    @cached_property
    def group_of(self) -> dict[int, int]:
        """The number of the group of each candidate, from 1 on."""
        members = self.grouped.groups.members
        return {i: g for g, group in enumerate(members, start=1) for i in group}

    @property
    def separated(self) -> bool:
        """Whether plain maximum-likelihood ratings do not exist."""
        nothing = not bool(np.isfinite(self.mle).all())
        return bool((self.extra or {}).get("separated", nothing))

    @property
    def interval(self) -> str:
        """What intervals are: their kind, ``posterior`` for beliefs, and whether ends are open."""
        kind = self.bounds.kind if self.errors != "posterior" else "posterior"
        return kind if self.evidence.separation is None else f"{kind}, open where no loss joins"

    @cached_property
    def goodness(self) -> Goodness | None:
        """How well the ratings fit, calibrated by simulation; None for other models."""
        if self.fit is None or self.matches is None:
            return None
        return self.matches.goodness(
            self.fit, simulations=self.simulations, seed=self.seed, on=self.on
        )

    @cached_property
    def calibration(self) -> Calibration | None:
        """What the ratings predict for each pair that met, and what happened."""
        if self.fit is None or self.matches is None:
            return None
        return calibration(
            self.matches.pairs, self.fit.ratings, ties=self.fit.ties, tie=self.fit.tie
        )

    @cached_property
    def lucky(self) -> dict[int, float]:
        """Who won or lost all of too few matches with the rest, and how many those were."""
        if self.fit is None or self.matches is None:
            return {}
        return lucky(self.fit, self.matches.independent, units=self.matches.units, alpha=self.alpha)

    @property
    def circumstances(self) -> list[dict[str, Any]]:
        """What covariates and an advantage of the left side are worth."""
        return list((self.extra or {}).get("circumstances", ()))

    def chance(self, differences: Floats) -> Floats:
        """Return the share of points that differences of log-odds mean, a tie being half a win."""
        fit = self.fit
        if fit is None or fit.tie is None or not fit.pairs.ties.any():
            return np.asarray(expit(differences))
        far = np.clip(differences, -FARTHEST, FARTHEST)
        won, _, tied = np.exp(tie_model(fit.ties)(far, fit.tie).logs)
        return np.asarray(won + tied / 2)

    def p_beats(self, a: str, b: str) -> Chance:
        """Return the probability that a beats b, a tie being half a win, with its interval."""
        i, j = self.at(a), self.at(b)
        if i == j:
            return Chance(p=0.5, low=0.5, high=0.5)
        found = difference_intervals(
            self.evidence, np.array([i]), np.array([j]), alpha=self.alpha, kind=self.bounds.kind
        )
        return Chance(
            p=float(self.chance(found.values)[0]),
            low=float(self.chance(found.low)[0]),
            high=float(self.chance(found.high)[0]),
        )

    @cached_property
    def leader_corrected(self) -> dict[str, Any] | None:
        """What the highest rating is worth, having been chosen for being highest; None if unknown.

        Of several candidates with the highest rating it is the first.
        """
        found = leader_of_ratings(self.evidence, alpha=self.alpha)
        if found is None:
            return None
        ends = self.scale.shown(np.array([found.estimate, found.low, found.high])).tolist()
        who = self.candidates[found.leader]
        return {"candidate": who, **dict(zip(("rating", "low", "high"), ends, strict=True))}

    @cached_property
    def detectable(self) -> float | None:
        """The lead in points that would have been seen in 4 of 5 cases; None where nobody ties.

        None also where nothing can be shown, or finite ratings do not exist.
        """
        e, tests = self.evidence, self.grouped.tests
        leader = self.grouped.groups.rounds[0].leader
        rivals = np.array([self.at(name) for name in self.groups[0]], dtype=np.int64)
        rivals = rivals[rivals != leader]
        if not len(rivals) or e.too_few or e.separation is not None or error_is_unknown(self):
            return None
        found = lead_seen(
            e.errors_of(np.full(len(rivals), leader), rivals),
            alpha=self.alpha,
            others=e.n - 1,
            critical=None if tests is None else tests.critical,
        )
        return None if found is None else found * self.scale.factor

    def win_matrix(self) -> WinMatrix:
        """Return the probability that each candidate beats each other, with intervals."""
        found = win_matrix(self.evidence, alpha=self.alpha, kind=self.bounds.kind)
        p, low, high = (self.chance(logit(each)) for each in (found.p, found.low, found.high))
        return replace(found, p=p, low=low, high=high)

    tunability = tunability_of
    latest_gain = latest_gain_of

    def table(self, name: str) -> RatingTable:
        """Return a table: matrix, pairs, groups or calibration."""
        return rating_table(self, name)

    def rows(self) -> list[Row]:
        """Return one record per candidate, highest rating first."""
        return [self._row(i) for i in self.order]

    def facts(self) -> dict[str, Any]:
        """Return what is true of the whole: validity, fit, groups."""
        return {
            "model": self.model,
            "scale": self.scale.name,
            "anchor": self.scale.anchor,
            "errors": self.errors,
            "interval": self.interval,
            "drawn": self.drawn,
            "groups": [len(group) for group in self.groups],
            "members": [list(group) for group in self.groups],
            "leader_corrected": self.leader_corrected,
            "detectable": self.detectable,
            "split_sd": self.split_sd,
            "separated": self.separated,
            **self._of_fit(),
            **words.goodness_facts(self),
            **(self.extra or {}),
        }

    @property
    def verdict(self) -> str:
        """What a person can say and defend, in a few sentences."""
        return words.ratings_in_words(self)

    def grid(self) -> Grid:
        """Return the ratings with interval bars."""
        return rating_grid(self)

    def at(self, candidate: str) -> int:
        """Return the number of a candidate."""
        try:
            return self.candidates.index(candidate)
        except ValueError:
            raise UnknownNameError("candidate", str(candidate), self.candidates) from None

    @cached_property
    def shown_mle(self) -> Floats:
        """The plain ratings on the scale; an anchor that has one is where its rating is."""
        scale = self.scale
        at = 0.0 if scale.anchor is None else float(self.mle[self.at(scale.anchor)])
        return scale.origin + scale.factor * (self.mle - (at if np.isfinite(at) else 0.0))

    def _row(self, i: int) -> Row:
        shown = self.scale.shown
        low, high, first = self.grouped.rank_low, self.grouped.rank_high, self.grouped.first
        wins, losses, ties = (float(kind[i]) for kind in self.record)
        return {
            "candidate": self.candidates[i],
            "rating": float(shown(self.ratings)[i]),
            "mle": _told(float(self.shown_mle[i])),
            **(
                {}
                if self.fit is None
                else {"within": float(self.scale.factor * self.fit.within[i])}
            ),
            "se": known(self.scale.factor * float(self.bounds.errors[i])),
            "low": known(float(shown(self.bounds.low)[i])),
            "high": known(float(shown(self.bounds.high)[i])),
            "wins": wins,
            "losses": losses,
            "ties": ties,
            "rank": float(self.ranks[i]),
            "rank_low": None if low is None else float(low[i]),
            "rank_high": None if high is None else float(high[i]),
            "first_share": None if first is None else known(float(first[i])),
            "group": self.group_of[i],
        }

    def _of_fit(self) -> dict[str, Any]:
        if self.fit is None:
            return {}
        there = self.fit.existence
        return {
            "connected": there.connected,
            "strongly_connected": there.strongly_connected,
            "undefeated": self.named(there.undefeated),
            "winless": self.named(there.winless),
            "parts": [self.named(part[:MOST_NAMES]) for part in there.strong],
            "part_sizes": [len(part) for part in there.strong],
            "penalty": self.fit.penalty,
            "ties_as": self.fit.ties,
            "tie_parameter": self.fit.tie,
            "log_likelihood": self.fit.log_likelihood,
        }

    def named(self, numbers: tuple[int, ...]) -> list[str]:
        """Return the names of candidates."""
        return [self.candidates[i] for i in numbers]


def _told(value: float) -> float | str | None:
    """Return a number, "+inf", "-inf", or None: JSON knows no infinity."""
    if np.isnan(value):
        return None
    return value if np.isfinite(value) else f"{value:+}"

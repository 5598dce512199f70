"""What is known of rated candidates: what a model hands over, and what follows from it."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit

from deadheat.core.errors import UnknownNameError, counted
from deadheat.core.types import Floats, Integers
from deadheat.data.results import Nouns
from deadheat.models.rating.bradley_terry import Fit
from deadheat.models.rating.newton import tie_model
from deadheat.models.rating.pair_counts import SIDE
from deadheat.ranking.ranks import best_first
from deadheat.rate.calibration import Calibration, Goodness, calibration
from deadheat.rate.evidence import (
    MAIN,
    Bounds,
    RatingEvidence,
    RatingGroups,
    WinMatrix,
    difference_intervals,
    leader_of_ratings,
    part_of,
    win_matrix,
)
from deadheat.rate.matches import Matches
from deadheat.rate.options import RatingScale
from deadheat.resampling.engines import Engine
from deadheat.statistics.corrections import adjusted_p_values, fewest_draws
from deadheat.statistics.evidence import detectable_lead
from deadheat.statistics.group_words import position
from deadheat.statistics.units import FEWEST_JUDGES

FARTHEST = 500.0  # log-odds, beyond which a share of points is 0 or 1


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Estimates:
    candidates: tuple[str, ...]
    evidence: RatingEvidence
    mle: Floats
    record: Floats
    errors: str  # where standard errors come from
    drawn: str  # what was drawn, in words
    fit: Fit | None = None
    matches: Matches | None = None
    split_sd: float | None = None
    skipped: int = 0  # replicates that were left out: somebody met nobody in them
    penalised: int = 0  # replicates that needed a penalty, which the fit did not
    cautions: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)

    def named(self, numbers: Iterable[int]) -> list[str]:
        return [self.candidates[i] for i in numbers]

    def too_few_matches(self, alpha: float) -> dict[int, float]:
        """Return who won, or lost, all of too few matches with the rest, and how many those were.

        Between equals N matches all end the same way with probability 2 ** -N; that must be alpha
        or less for each of the n - 1 others. Where nearly all are in one part, only the few others
        are told.
        """
        fit, matches = self.fit, self.matches
        if fit is None or matches is None or len(fit.existence.strong) < 2:
            return {}
        strong, pairs = fit.existence.strong, fit.pairs
        part = part_of(strong, pairs.n)
        first, second = part[pairs.first], part[pairs.second]
        met = np.where(first != second, matches.independent, 0.0)
        across = np.bincount(first, met, len(strong)) + np.bincount(second, met, len(strong))
        across = np.minimum(across, matches.units)  # matches beyond that are no further evidence
        sizes = np.array([len(members) for members in strong])
        few = (across < np.log2((pairs.n - 1) / alpha)) & (sizes < MAIN * pairs.n)
        return {i: float(across[k]) for i, k in enumerate(part.tolist()) if few[k]}

    def thinly_spread(self, i: int, alpha: float) -> tuple[float, float, int] | None:
        """Return, if i won or lost all, its matches, the most with one rival, and rivals.

        None where i is told apart from all: one win over each of ten rivals shows nothing of any.
        """
        fit, matches, parts = self.fit, self.matches, self.evidence.separation
        if fit is None or matches is None or parts is None:
            return None
        up = i in fit.existence.undefeated
        if not up and i not in fit.existence.winless:
            return None
        sides = rivals(i, fit.pairs.n)
        p = parts.p_values(*(sides if up else sides[::-1]))
        if (adjusted_p_values(p, "holm") <= alpha).all():
            return None
        own = matches.independent[(fit.pairs.first == i) | (fit.pairs.second == i)]
        return float(own.sum()), float(own.max()), int(np.count_nonzero(own))


def names_matching(candidates: Sequence[str], patterns: str | Iterable[str]) -> tuple[str, ...]:
    """Return who is named, in the order of the candidates; one pattern may hold several, by commas.

    >>> names_matching(["knn_1", "knn_2", "rf_1"], "rf_1,knn_*")
    ('knn_1', 'knn_2', 'rf_1')
    """
    found = set[str]()
    for text in [patterns] if isinstance(patterns, str) else patterns:
        for part in [text] if text in candidates else map(str.strip, text.split(",")):
            matches = [part] if part in candidates else fnmatch.filter(candidates, part)
            if not matches:
                raise UnknownNameError("candidate", part, candidates)
            found.update(matches)
    return tuple(name for name in candidates if name in found)


def rivals(i: int, n: int) -> tuple[Integers, Integers]:
    return np.full(n - 1, i), np.delete(np.arange(n), i)


class Chance(NamedTuple):
    p: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RatingFacts(Estimates):
    model: str
    bounds: Bounds
    grouped: RatingGroups
    scale: RatingScale
    alpha: float
    simulations: int = 0
    seed: int = 0
    on: str | Engine = "threads"
    nouns: Nouns
    rounds: int = 0  # or battles, that were rated
    of_rounds: bool = False
    costs: Mapping[str, float] | None = None  # of each candidate, in all its rounds
    visible: tuple[str, ...] | None = None  # whom tables and pictures show; None: all

    @property
    def ratings(self) -> Floats:
        return self.evidence.ratings

    @cached_property
    def order(self) -> tuple[int, ...]:
        return tuple(best_first(self.ratings).tolist())

    @property
    def display(self) -> tuple[int, ...]:
        """Who is shown, the highest rating first."""
        some = self.candidates if self.visible is None else self.visible
        return tuple(i for i in self.order if self.candidates[i] in some)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The tie groups by name, best first."""
        return tuple(tuple(self.named(group)) for group in self.grouped.groups.members)

    @property
    def leader(self) -> int:
        """The position of the leader of the first group."""
        return self.grouped.groups.leaders[0]

    @property
    def undecided(self) -> tuple[int, int] | None:
        """How many resamples were drawn and how many would test the first group; None: enough."""
        tests, drawn, n = self.grouped.tests, self.evidence.replicates, len(self.candidates)
        number, corrected = 0 if drawn is None else len(drawn), n - 1
        if tests is not None:
            by_max_t = tests.method.startswith("max-t")
            number, corrected = tests.replicates, 1 if by_max_t else n * (n - 1)
        least = fewest_draws(corrected, self.alpha)
        return (number, least) if 0 < number < least and len(self.groups[0]) > 1 else None

    @property
    def level(self) -> tuple[int, ...]:
        """Who is level with the leader, by the tests that made the groups; nobody if it leads.

        Nobody either where nothing was tested: resamples or units are too few.
        """
        first, nothing = self.grouped.groups.members[0], not self.has_groups
        return first if len(first) > 1 and not nothing else ()

    @property
    def has_groups(self) -> bool:
        """Whether tests made the groups; else they are only what the resamples give."""
        return self.undecided is None and not self.evidence.too_few

    @property
    def separated(self) -> bool:
        """Whether plain maximum-likelihood ratings do not exist."""
        return bool(self.extra.get("separated", not np.isfinite(self.mle).all()))

    @property
    def interval(self) -> str:
        """What intervals are: their kind, ``posterior`` for beliefs, and whether ends are open."""
        kind = self.bounds.kind if self.errors != "posterior" else "posterior"
        return kind if self.evidence.separation is None else f"{kind}, open where no loss joins"

    @property
    def has_ties(self) -> bool:
        return bool(self.record[2].any())

    @property
    def where_unknown(self) -> str:
        """Where nobody knows how often the tests err, as the end of a sentence; empty if known."""
        e = self.evidence
        if e.too_few:
            beyond = "" if e.strata == 1 else " beyond the first of each stratum"
            return f"below {counted(FEWEST_JUDGES - bool(beyond), e.noun)}{beyond}"
        if e.linear is not None:
            return ""
        if self.errors == "fisher":
            return "where all matches are taken as independent"
        if self.model in ("epp", "bradley-terry"):
            sides = [each["name"] == SIDE for each in self.circumstances]
            said = ["covariates"] * (not all(sides)) + ["an advantage"] * any(sides)
            return f"with {' and '.join(said) or 'teams'}"
        return f"for the model {self.model}"

    @property
    def shows(self) -> bool:
        return not self.where_unknown

    @cached_property
    def goodness(self) -> Goodness | None:
        """How well the ratings fit, calibrated by simulation; None for other models."""
        if self.fit is None or self.matches is None:
            return None
        how: Any = {"simulations": self.simulations, "seed": self.seed, "on": self.on}
        return self.matches.goodness(self.fit, **how)

    @cached_property
    def calibration(self) -> Calibration | None:
        f = self.fit
        if f is None or self.matches is None:
            return None
        return calibration(self.matches.pairs, f.ratings, ties=f.ties, tie=f.tie)

    @property
    def circumstances(self) -> list[dict[str, Any]]:
        return list(self.extra.get("circumstances", ()))

    def chance(self, differences: Floats) -> Floats:
        """Return the share of points that differences of log-odds mean, a tie being half a win."""
        fit = self.fit
        if fit is None or fit.tie is None or not fit.pairs.ties.any():
            return np.asarray(expit(differences))
        far = np.clip(differences, -FARTHEST, FARTHEST)
        won, _, tied = np.exp(tie_model(fit.ties)(far, fit.tie).logs)
        return np.asarray(won + tied / 2)

    def differences(self, i: Integers, j: Integers) -> Bounds:
        kind = self.bounds.kind
        return difference_intervals(self.evidence, i, j, alpha=self.alpha, kind=kind)

    def p_beats(self, a: str, b: str) -> Chance:
        """Return the probability that a beats b, a tie being half a win, with its interval."""
        i, j = self.at(a), self.at(b)
        if i == j:
            return Chance(p=0.5, low=0.5, high=0.5)
        found = self.differences(np.array([i]), np.array([j]))
        ends = (found.values, found.low, found.high)
        return Chance(*(float(self.chance(end)[0]) for end in ends))

    @cached_property
    def leader_corrected(self) -> dict[str, Any] | None:
        """What the highest rating is worth, chosen for being highest; None if unknown."""
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
        e, tests, groups = self.evidence, self.grouped.tests, self.grouped.groups
        leader = groups.rounds[0].leader
        level = np.array([i for i in groups.members[0] if i != leader], dtype=np.int64)
        if not len(level) or e.separation is not None or not self.shows:
            return None
        errors = e.errors_of(np.full(len(level), leader), level)
        critical = None if tests is None else tests.critical
        found = detectable_lead(errors, alpha=self.alpha, others=e.n - 1, critical=critical)
        return None if found is None else found * self.scale.factor

    def win_matrix(self) -> WinMatrix:
        """Return the probability that each candidate beats each other, with intervals."""
        found = win_matrix(self.evidence, alpha=self.alpha, kind=self.bounds.kind)
        return WinMatrix(*(self.chance(logit(each)) for each in found))

    def at(self, candidate: str) -> int:
        return position(self.candidates, candidate)

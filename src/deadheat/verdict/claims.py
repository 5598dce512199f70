"""How a verdict is reached, what it rests on, and who it may claim is better than whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Self, get_args

import numpy as np

from deadheat.core.errors import UnknownNameError, UsageError, command_with, say
from deadheat.core.options import TESTS, Leader, PValue
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.data.results import Nouns
from deadheat.influence.api import Influence, influence
from deadheat.output.result import Result
from deadheat.output.schema import Group, Place, Share, Size
from deadheat.output.text import number
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.official import top
from deadheat.ranking.on_tables import first_by_others, first_of_complete
from deadheat.resampling.plans import Plan
from deadheat.statistics import groups as tie_groups
from deadheat.statistics.corrections import CORRECTIONS, ROUNDING, require_alpha
from deadheat.statistics.evidence import (
    INTERVALS,
    Evidence,
    Spread,
    detectable,
    leader_of,
    units_in_words,
)
from deadheat.statistics.group_words import enough_resamples, position
from deadheat.statistics.groups import Borderline, Groups, Members
from deadheat.statistics.strict_groups import Strict, affordable, all_pair_tests, strict_groups
from deadheat.statistics.units import FEWEST_JUDGES

OF_RANKS = ("wilcoxon-holm", "nemenyi")  # whether scores are shifted, not whether merits differ
NO_MEANS_THAT_HOLD = ("median",)  # functions that are no mean, and whose tests hold nevertheless
TOPS = (10, 3)
LEAVE_ONE_OUT = 2_000_000_000  # steps of leaving judges out that nobody asked for
RANKING = 50  # steps that it takes to rank one candidate
CLOSE = 1.96  # Monte-Carlo errors either side, for 95 %


COMPAT = ("fawcett-paper",)
PUBLISHED = {"interval": "percentile", "leader": "plurality", "correction": "holm", "strict": False}


@dataclass(frozen=True, kw_only=True)
class Procedure:
    alpha: float
    interval: str
    p_value: PValue
    leader: Leader
    correction: str
    strict: bool
    test: str

    def __post_init__(self) -> None:
        require_alpha(self.alpha)
        for kind, name, known in (
            ("correction", self.correction, CORRECTIONS),
            ("p-value", self.p_value, get_args(PValue)),
            ("leader", self.leader, get_args(Leader)),
            ("interval", self.interval, INTERVALS),
            ("test of all pairs", self.test, TESTS),
        ):
            if name not in known:
                raise UnknownNameError(kind, str(name), known)

    @property
    def test_of_pairs(self) -> str | None:
        return self.test if self.strict else None

    def as_published(self, compat: str, plan: str | Plan | None) -> Self:
        """Return the procedure with the p-values of the paper; refuse other choices."""
        if compat not in COMPAT:
            raise UnknownNameError("procedure to be compatible with", str(compat), COMPAT)
        p_value = self.p_value if self.p_value == "sign-flip" else None
        choices = {"plan": plan, "p_value": p_value}
        choices |= {name: getattr(self, name) for name in PUBLISHED}
        for name, value in choices.items():
            if value != PUBLISHED.get(name):
                raise UsageError(
                    f"{compat} leaves no choice of {say(name)}, got {value!r}.",
                    hint=f"as published: {command_with(**{name: PUBLISHED.get(name)})}\n"
                    f"without {compat}: {command_with(compat=None)}",
                )
        return replace(self, p_value="paper")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Hold how the numbers and groups of a verdict are read: see the facts of its JSON."""

    heading: str
    lower_is_better: bool
    leaders: tuple[str, ...]
    shows: bool

    @property
    def axis(self) -> str:
        return f"{self.heading} ({'lower' if self.lower_is_better else 'higher'} is better)"

    def facts(self) -> dict[str, Any]:
        return {**vars(self), "leaders": list(self.leaders)}


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One row per candidate, the best score first, or in the official order."""

    candidate: Annotated[str, "its name"]
    shown: Annotated[float, "the merit as people write it"]
    shown_low: Annotated[float, "the lower end of the interval, as people write it"]
    shown_high: Annotated[float, "the upper end, as people write it"]
    rank: Annotated[Place, "by the merits as observed"]
    group: Annotated[Group, "its tie group, 1 is best"]
    first_share: Annotated[Share, "of resamples in which it is first, alone or tied"]
    rank_low: Annotated[Place, "the best rank in its range"]
    rank_high: Annotated[Place, "the worst rank in its range"]
    official: Annotated[float | None, "the official rank, where one was given"]
    may_be_best: Annotated[bool | None, "whether it is in best; null where there is no such set"]
    fractional_rank: Annotated[Place, "the mean rank of its group"]
    first_error: Annotated[Size, "the Monte-Carlo error of first_share; 0: nothing is random"]
    merit: Annotated[float, "what the function gives it, higher is better"]
    low: Annotated[float, "the lower end of the interval of the merit"]
    high: Annotated[float, "the upper end"]
    median_merit: Annotated[float, "the median of the merits over the resamples"]

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the merit."""
        return self.low, self.high


def digits_of(numbers: Sequence[float]) -> int:
    """Return how many decimals numbers deserve: none where all are whole, else four figures."""
    if all(x == round(x) for x in numbers):
        return 0
    return max(0, 4 - len(f"{max(map(abs, numbers)):.0f}"))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Outcome:
    evidence: Evidence
    spread: Spread
    paper: Groups
    strictly: Strict | None = None
    untested: str = ""  # a clause that says why all pairs were not tested, if they were to be

    @cached_property
    def members(self) -> Members:
        """The tie groups as positions in the table, best group first."""
        if not self.untested:
            return (self.strictly or self.paper).members
        places = np.arange(self.evidence.results.n)  # everybody by median merit
        order = np.lexsort((places, self.evidence.ranks, self.spread.standing))
        return (tuple(order.tolist()),)

    @property
    def leaders(self) -> tuple[int, ...]:
        """The position of the leader of each tie group, whom all below are shown worse than."""
        return self.paper.leaders[:1] if self.untested else (self.strictly or self.paper).leaders

    @property
    def borderline(self) -> tuple[Borderline, ...]:
        return () if self.untested else (self.strictly or self.paper).borderline


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgement(Outcome, Result):
    low: Floats
    high: Floats
    shown: Floats
    official: Floats  # the official rank of each candidate, or the observed one
    has_official: bool
    alpha: float
    interval: str
    test: str
    leader: Leader
    decides: int | None = None  # a number of replicates with which all pairs would be tested
    shown_top: int | None = None
    were_borderline: tuple[Borderline, ...] = ()  # and decided by sampling on

    @property
    def candidates(self) -> tuple[str, ...]:
        return tuple(self.evidence.results.candidates)

    @property
    def function(self) -> RankingFunction:
        return self.evidence.function

    @property
    def merits(self) -> Floats:
        return self.evidence.merits

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The tie groups by name, best first; inside a group ordered by median merit."""
        return tuple(tuple(self.candidates[i] for i in group) for group in self.members)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who is ranked first by the merits as observed: a set, ties are not broken."""
        places = self.evidence.ranks
        return tuple(self.candidates[i] for i in np.flatnonzero(places == places.min()).tolist())

    @property
    def heading(self) -> str:
        return self.function.heading_for(self.evidence.results)

    @property
    def noun(self) -> str:
        """What the shown number is called in sentences, and its ``unit``."""
        return self.function.noun_for(self.evidence.results)

    @property
    def unit(self) -> str:
        return " %" if self.function.in_percent(self.evidence.results) else ""

    @property
    def digits(self) -> int:
        return digits_of(self.shown.tolist())

    @property
    def level(self) -> str:
        return f"{100 * (1 - self.alpha):g} %"

    @property
    def called(self) -> str:
        """What the ranking is called: by its function, or by the rule that scored runs."""
        return self.function.called(self.evidence.results)

    @cached_property
    def reading(self) -> Reading:
        worst = float(self.low.min())
        ends = np.array([worst, worst + max(1.0, abs(worst))])  # a candidate, and a better one
        first, last = self.shown_as(ends).tolist()
        return Reading(
            heading=self.heading,
            lower_is_better=bool(first > last),
            leaders=tuple(self.candidates[i] for i in self.leaders),
            shows=self.shows,
        )

    # What may be claimed.

    @property
    def undecided(self) -> bool:
        """Whether judges or resamples are too few, or tests too long: no group means anything."""
        few = self.strictly is None and self.paper.needed is not None
        return bool(self.untested) or self.too_few or few

    @property
    def enough(self) -> int | None:
        """How many resamples would decide what is undecided; None where none would."""
        if self.untested or self.paper.needed is None:
            return self.decides
        return enough_resamples(self.paper.needed, whole=self.evidence.whole)

    @property
    def nouns(self) -> Nouns:
        return self.evidence.results.nouns

    @property
    def plan_in_words(self) -> str:
        return self.evidence.plan.in_words(self.evidence.results.m, self.nouns)

    @property
    def says_level(self) -> bool:
        """Whether somebody is level with the leader, by the tests that made the groups."""
        return len(self.members[0]) > 1 and not self.undecided

    @property
    def first_place(self) -> tuple[str, ...]:
        """Who shares the first place by the tests, or wins; nobody where these decide nothing."""
        return () if self.undecided else self.groups[0]

    @property
    def units(self) -> str:
        return units_in_words(self.evidence.results, self.evidence.plan)

    @cached_property
    def identical(self) -> bool:
        """Whether nobody's scores differ from anybody's."""
        first, *others = self.evidence.results.scores
        return all(np.array_equal(first, row, equal_nan=True) for row in others)

    @property
    def too_few(self) -> bool:
        return self.evidence.too_few

    @property
    def fewest(self) -> int:
        """How many judges or clusters a claim needs in so many strata."""
        _, strata = self.evidence.plan.present(self.evidence.results.weights)
        return FEWEST_JUDGES + strata - 1

    @property
    def why_unknown(self) -> str:
        """Why nobody knows how often the groups err, as a clause; empty where it is known."""
        e, strict = self.evidence, self.strictly is not None
        if not strict and not e.plan.with_replacement:
            return "by a plan whose error is not known"
        if self._known(mean=e.contributions is not None if strict else self.function.additive):
            return ""
        error = "that control no error" if strict else "whose error is not known"
        return f"by resamples {error}, since {e.no_mean}"

    @property
    def tests_as_usual(self) -> bool:
        """Whether leaders are tested one-sided, with plus-one p-values and Holm's correction."""
        asked = (self.leader, self.made["p_value"], self.made["correction"])
        return self.strictly is None and asked == ("plurality", "plus-one", "holm")

    @property
    def shows(self) -> bool:
        return not (self.too_few or self.why_unknown)

    @property
    def tested(self) -> bool:
        """Whether tests of all pairs, where they were made, err as seldom as they say."""
        return not self.too_few and self._known(mean=self.evidence.contributions is not None)

    @property
    def sound(self) -> bool:
        """Whether tests of all pairs are about the merits and err as seldom as they say."""
        return self.tested and self.test not in OF_RANKS

    @property
    def confirmed(self) -> bool:
        """Whether sound tests of all pairs show the first leader better than all below."""
        below = (j for group in self.members[1:] for j in group)
        return all(self.pair_confirmed(self.leaders[0], other) for other in below)

    @property
    def has_winner(self) -> bool:
        return len(self.members[0]) == 1 and self.winners == self.groups[0] and self.confirmed

    def separates(self, better: int, worse: int) -> bool:
        if not self.shows:
            return False
        if self.strictly is not None:
            return bool(self.strictly.tests.better[better, worse])
        tests = (r for r in self.paper.rounds if r.leader == better)
        return any(worse in r.others[r.rejected].tolist() for r in tests)

    def pair_confirmed(self, better: int, worse: int) -> bool:
        stricter = self.all_pairs if self.sound else None
        return stricter is not None and bool(stricter.tests.better[better, worse])

    @property
    def tests_in_words(self) -> str:
        level = f"at {number(100 * self.alpha)} %"
        if self.strictly is None:
            return f"one-sided tests {level}"
        return f"tests of ranks {level}" if self.test in OF_RANKS else f"tests of all pairs {level}"

    def _known(self, *, mean: bool) -> bool:
        holds = self.function.name in NO_MEANS_THAT_HOLD and not self.evidence.results.has_holes
        return mean or holds

    # What is computed when it is asked for.

    @cached_property
    def detectable(self) -> float | None:
        """The lead that would have been seen in 4 of 5 cases, in merits; None if there is none."""
        strict = self.strictly
        if self.undecided or not self.shows or (strict is not None and self.test in OF_RANKS):
            return None
        critical = None if strict is None else strict.tests.critical
        leader, tied = self.leaders[0], self.members[0]
        return detectable(self.evidence, leader, tied, alpha=self.alpha, critical=critical)

    @cached_property
    def all_pairs(self) -> Strict | None:
        """The stricter groups, from tests of all pairs; None where they take too long unasked."""
        if self.strictly is not None:
            return self.strictly
        if self.untested or not affordable(self.evidence, self.test):
            return None
        return strict_groups(
            self.evidence, self.spread, test=self.test, alpha=self.alpha, leader=self.leader
        )

    @cached_property
    def best(self) -> tuple[str, ...] | None:
        """Who may be the best: a given best candidate is among them with confidence 1 - alpha.

        None where no such set is known to hold, and where it takes too long unasked.
        """
        if (may_be := self._may_be_best) is None:
            return None
        return tuple(self.candidates[i] for i in self.order if may_be[i])

    @cached_property
    def _may_be_best(self) -> Booleans | None:
        """Those whom comparisons with the best do not leave out, and the first group.

        Without whom tests of all pairs show worse than somebody: no set may contradict the groups.
        """
        if self.too_few or self.evidence.contributions is None:
            return None
        if self.strictly is not None and self.test in OF_RANKS:
            return None  # tests of something else
        p, pairs = None, self.all_pairs
        if self.test == "max-t":
            p = None if pairs is None else pairs.tests.best_p
        elif affordable(self.evidence):
            p = all_pair_tests(self.evidence, test="max-t", alpha=self.alpha).best_p
        if p is None:
            return None
        may_be = p > self.alpha * (1 + ROUNDING)
        may_be[list(self.members[0])] = True
        if pairs is not None and self.test not in OF_RANKS:
            may_be &= ~pairs.tests.better.any(axis=0)
        return may_be

    @cached_property
    def leader_corrected(self) -> dict[str, Any] | None:
        """What the first observed leader is worth, chosen for being best; None if unknown."""
        leader = leader_of(self.evidence, alpha=self.alpha)
        if leader is None:
            return None
        merits = leader.estimate, leader.low, leader.high
        shown, *ends = self.shown_as(np.array(merits)).tolist()
        return {
            "candidate": self.candidates[leader.leader],
            **dict(zip(("merit", "low", "high"), merits, strict=True)),
            "shown": shown,
            "shown_low": min(ends),
            "shown_high": max(ends),
        }

    @cached_property
    def first_by(self) -> dict[str, tuple[str, ...]]:
        """Who is first by each other ranking function that fits the table and is quick on it."""
        return first_by_others(self.evidence.results, self.function)

    @property
    def first_by_mean(self) -> tuple[str, ...]:
        """Who else is first by the mean of the scores, or the total of their rule; else nobody."""
        others = self.first_by.get("mean") or self.first_of_complete[0]
        return () if {*others} <= {*self.winners} else others

    @cached_property
    def first_of_complete(self) -> tuple[tuple[str, ...], int]:
        """Who is first by the mean of those with all scores, where many others have not."""
        return first_of_complete(self.evidence.results)

    @cached_property
    def influence(self) -> Influence | None:
        """What leaving out one judge at a time changes; None where it takes too long unasked."""
        results, f = self.evidence.results, self.function
        n, m = results.n, results.m
        steps = RANKING * n if self.evidence.contributions is not None else n * m  # per judge
        steps = n**2 * m if f.pairwise else steps
        if steps * m > LEAVE_ONE_OUT or m < 2:
            return None
        known = zip(self.candidates, self.official.tolist(), strict=True)
        order = {who: rank for who, rank in known if np.isfinite(rank)}
        official = order if self.has_official else None
        return influence(results, by=f, official=official, engine=self.evidence.on)

    # One candidate, and some of them.

    def row(self, candidate: str) -> Standing:
        return self._by_position[self.at(candidate)]

    @cached_property
    def _group_of(self) -> Integers:
        """The number of the group that each is in, from 1."""
        found = np.zeros(len(self.candidates), dtype=np.int64)
        for g, group in enumerate(self.members, start=1):
            found[list(group)] = g
        return found

    @cached_property
    def order(self) -> list[int]:
        """Everybody by the score as observed, or in the official order."""
        return np.lexsort((self._group_of, self.evidence.ranks, self.official)).tolist()  # type: ignore[no-any-return]

    @property
    def standings(self) -> tuple[Standing, ...]:
        """What the verdict says about each, the best score first."""
        return tuple(self._by_position[i] for i in self.order)

    def counts(self, k: int | None = None) -> dict[str, Any]:
        """Return ties, inversions and the mean range of the ranks, in the top k of the order."""
        among = [*range(len(self.candidates))] if k is None else top(self.official, k)
        members = tie_groups.restrict_groups(self.members, among)
        return {
            "candidates": len(among),
            "groups": len(members),
            "ties": tie_groups.ties(members),
            "inversions": tie_groups.inversions(members, self.official),
            "mean_iqr": float(self.spread.iqr[among].mean()) if among else None,
        }

    @property
    def tops(self) -> dict[int, dict[str, Any]]:
        every = sorted({*TOPS, self.shown_top or TOPS[0]}, reverse=True)
        return {k: self.counts(k) for k in every}

    @cached_property
    def inverted(self) -> list[tuple[int, int]]:
        """The pairs of which the first has the better group and the worse official rank."""
        groups = tie_groups.fractional_ranks(self.members, len(self.candidates))
        place = {i: k for k, i in enumerate(self.order)}
        pairs = tie_groups.inverted_pairs(groups, self.official).tolist()
        return sorted(((i, j) for i, j in pairs), key=lambda pair: tuple(place[i] for i in pair))

    @cached_property
    def inverted_by_medians(self) -> Integers:
        """The pairs (p, 2) of which the first has a better median and a worse official rank."""
        return tie_groups.inverted_pairs(self.spread.standing, self.official)

    def at(self, candidate: str) -> int:
        return position(self.candidates, candidate)

    def shown_as(self, merits: Floats) -> Floats:
        return self.function.shown(merits, self.evidence.results)

    @cached_property
    def _by_position(self) -> list[Standing]:
        e, first, best = self.evidence, self.spread.first, self._may_be_best
        ranges = self.spread if self.strictly is None else self.strictly
        ends = np.sort([self.shown_as(self.low), self.shown_as(self.high)], axis=0)
        columns: dict[str, Any] = {
            "merit": e.observed,
            "low": self.low,
            "high": self.high,
            "shown": self.shown,
            "rank": e.ranks,
            "rank_low": ranges.rank_low,
            "rank_high": ranges.rank_high,
            "first_share": first,
            "fractional_rank": tie_groups.fractional_ranks(self.members, len(self.candidates)),
            "median_merit": self.spread.medians,
            "first_error": tie_groups.monte_carlo_error(first, len(self.merits)) * e.plan.random,
            "shown_low": ends[0],
            "shown_high": ends[1],
        }
        return [
            Standing(
                candidate=name,
                group=int(self._group_of[i]),
                official=float(self.official[i]) if self.has_official else None,
                may_be_best=None if best is None else bool(best[i]),
                **{column: float(values[i]) for column, values in columns.items()},
            )
            for i, name in enumerate(self.candidates)
        ]

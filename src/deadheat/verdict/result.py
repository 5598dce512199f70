"""Who really won, and how sure are we: the result of a robust ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from deadheat.compare.api import Comparison, comparison
from deadheat.core.errors import UnknownNameError
from deadheat.core.types import Booleans, Floats, Row
from deadheat.influence.api import Influence, influence
from deadheat.output.result import Result
from deadheat.output.table import Grid
from deadheat.rank.api import first_by_others
from deadheat.ranking.function import RankingFunction
from deadheat.resampling.plans import plan_in_words
from deadheat.statistics.evidence import Evidence, Spread, detectable
from deadheat.statistics.groups import (
    Borderline,
    Groups,
    Leader,
    Members,
    fractional_ranks,
    inversions,
    restricted,
    ties,
)
from deadheat.statistics.strict_groups import Strict, affordable, cost_of, strict_groups
from deadheat.statistics.winner import leader_of
from deadheat.verdict import words
from deadheat.verdict.claims import (
    OF_RANKS,
    Reading,
    Standing,
    digits_of,
    first_error,
    first_leader,
    may_be_best,
    reading_of,
    shows,
    top,
)
from deadheat.verdict.tables import VerdictTable, verdict_grid, verdict_table

TOPS = (10, 3)
LEAVE_ONE_OUT = 2_000_000_000  # steps of leaving judges out that nobody asked for
RANKING = 50  # steps that it takes to rank one candidate


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict(Result):
    """Hold a robust ranking: intervals, shares ranked first, tie groups, and what they rest on.

    ``strict`` says whether :attr:`members` come from tests of all pairs; if not, they are those of
    Fawcett et al. What costs more than the replicates themselves (tests of all pairs, leaving out
    one judge at a time) is computed when it is asked for.
    """

    schema: ClassVar[str] = "deadheat.verdict/1"
    evidence: Evidence
    spread: Spread
    low: Floats
    high: Floats
    shown: Floats
    official: Floats
    """The official rank of each candidate; the observed one where nobody said another."""
    has_official: bool
    paper: Groups
    strictly: Strict | None
    alpha: float
    interval: str
    test: str
    leader: Leader
    untested: str = ""
    """Why all pairs were not tested although they were to be, as a clause; empty if they were."""
    decides: int | None = None
    """A number of replicates with which all pairs would be tested, where they were not."""
    shown_top: int | None = None

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names of the candidates, in the order of the table."""
        return tuple(self.evidence.results.candidates)

    @property
    def function(self) -> RankingFunction:
        """The ranking function."""
        return self.evidence.function

    @property
    def merits(self) -> Floats:
        """The merits (B, n) of the replicates."""
        return self.evidence.merits

    @property
    def members(self) -> Members:
        """The tie groups as positions in :attr:`candidates`, best group first."""
        if self.untested:
            return (self._everybody,)
        return self.strictly.members if self.strictly is not None else self.paper.members

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
        """What the number is called that is shown for each candidate."""
        return self.function.heading_for(self.evidence.results)

    @property
    def digits(self) -> int:
        """How many decimals that number deserves."""
        return digits_of(self.shown.tolist())

    @cached_property
    def reading(self) -> Reading:
        """How its numbers and groups are read."""
        return reading_of(self)

    @property
    def called(self) -> str:
        """What the ranking is called: by its function, or by the rule that scored runs."""
        return self.function.called(self.evidence.results)

    @property
    def borderline(self) -> tuple[Borderline, ...]:
        """The decisions that other resamples might have turned."""
        if self.untested:
            return ()
        return self.paper.borderline if self.strictly is None else self.strictly.borderline

    @property
    def undecided(self) -> bool:
        """Whether resamples were too few, or tests too long, to exclude anybody: no tie either."""
        return bool(self.untested) or (self.strictly is None and self.paper.needed is not None)

    @cached_property
    def detectable(self) -> float | None:
        """The lead that would have been seen in 4 of 5 cases, in merits.

        None where nobody ties, where nothing can be shown, and by tests of ranks.
        """
        if self.undecided or not shows(self):
            return None
        tests = None if self.strictly is None else self.strictly.tests
        if tests is not None and self.test in OF_RANKS:
            return None
        return detectable(
            self.evidence,
            first_leader(self),
            self.members[0],
            alpha=self.alpha,
            critical=None if tests is None else tests.critical,
        )

    @property
    def guarantee(self) -> str:
        """What the groups guarantee, and what they do not."""
        return words.guarantee(self)

    def table(self, name: str) -> VerdictTable:
        """Return a table: groups, summary, first, intervals, ranks, tests or pairs."""
        return verdict_table(self, name)

    def row(self, candidate: str) -> Standing:
        """Return what the verdict says about one candidate."""
        return self._standing(self._at(candidate))

    def rows(self) -> list[Row]:
        """Return one record per candidate, in the order of the robust ranking."""
        return [asdict(standing) for standing in self.standings]

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """What the verdict says about each, in the order of the robust ranking."""
        return tuple(self._standing(i) for group in self.members for i in group)

    def compare(self, a: str, b: str) -> Comparison:
        """Return the paired comparison of two candidates, from the same replicates."""
        e, at = self.evidence, (self._at(a), self._at(b))
        return comparison(e.results, e.function, *at, e.merits, e.plan, self.alpha, rows=e.rows)

    def facts(self) -> dict[str, Any]:
        """Return the groups and what they amount to, for all and for the top of the order."""
        return {
            "groups": [len(group) for group in self.members],
            "members": [list(group) for group in self.groups],
            **self._counts(range(len(self.candidates))),
            **{f"top{k}": self._of_top(k) for k in self._tops},
            "borderline": [
                {
                    "leader": self.candidates[close.leader],
                    "other": self.candidates[close.other],
                    "p": close.p,
                    "threshold": close.threshold,
                    "error": close.error,
                    "excluded": close.rejected,
                }
                for close in self.borderline
            ],
            "winners": list(self.winners),
            "leader_corrected": self.leader_corrected,
            "undecided": self.undecided,
            "detectable": self.detectable,
            **self.reading.facts(),
            "first_by": {name: list(first) for name, first in self.first_by.items()},
            "leaders_differ": self.paper.leaders_differ,
            "ever_first": int(np.count_nonzero(self.spread.first)),
            "tied_at_top": len(self.winners),
            "guarantee": self.guarantee,
            "plan": plan_in_words(self.evidence.results, self.evidence.plan),
            "paper_groups": [len(group) for group in self.paper.members],
            "strict_groups": None
            if self.all_pairs is None
            else [len(group) for group in self.all_pairs.members],
            "best": None if self.best is None else list(self.best),
            "strict_cost": cost_of(self.evidence, self.test) if self.all_pairs is None else None,
            "influence": None if self.influence is None else self.influence.facts(),
        }

    @property
    def verdict(self) -> str:
        """What a person can say and defend, in a few sentences."""
        return "\n".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict, one sentence or two each."""
        return words.verdict_sentences(self)

    def grid(self) -> Grid:
        """Return the robust ranking with interval bars."""
        return verdict_grid(self)

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

        None with fewer than 10 judges, where the ranking function is no mean over the judges, where
        tests of ranks make the groups, and where it takes too long unasked.
        """
        if self._may_be_best is None:
            return None
        order = (i for group in self.members for i in group)
        return tuple(self.candidates[i] for i in order if self._may_be_best[i])

    @cached_property
    def leader_corrected(self) -> dict[str, Any] | None:
        """What the observed leader is worth, having been chosen for being best; None if unknown.

        Of several observed leaders it is the first of the table.
        """
        found = leader_of(self.evidence, alpha=self.alpha)
        if found is None:
            return None
        merits = np.array([found.estimate, found.low, found.high])
        shown = self.function.shown(merits, self.evidence.results).tolist()
        return {
            "candidate": self.candidates[found.leader],
            "merit": found.estimate,
            "low": found.low,
            "high": found.high,
            "shown": shown[0],
            "shown_low": min(shown[1:]),
            "shown_high": max(shown[1:]),
        }

    @cached_property
    def first_by(self) -> dict[str, tuple[str, ...]]:
        """Who is first by each other ranking function that fits the table and is quick on it."""
        return first_by_others(self.evidence.results, self.function)

    @cached_property
    def influence(self) -> Influence | None:
        """What leaving out one judge at a time changes; None where it takes too long unasked."""
        results, f = self.evidence.results, self.function
        per_judge = RANKING * results.n
        if self.evidence.contributions is None:
            per_judge = results.scores.size
        if f.pairwise:
            per_judge = results.n**2 * results.m
        if per_judge * results.m > LEAVE_ONE_OUT or results.m < 2:
            return None
        return influence(results, by=f, engine=self.evidence.on)

    @property
    def _tops(self) -> list[int]:
        return sorted({*TOPS, *([self.shown_top] if self.shown_top else [])}, reverse=True)

    def _of_top(self, k: int) -> dict[str, Any]:
        among = top(self.official, k)
        return {"candidates": len(among), "groups": len(restricted(self.members, among))} | (
            self._counts(among)
        )

    def _counts(self, among: Sequence[int] | range) -> dict[str, Any]:
        chosen = list(among)
        return {
            "ties": ties(self.members, chosen),
            "inversions": inversions(self.members, self.official, chosen),
            "mean_iqr": float(self.spread.iqr[chosen].mean()) if chosen else None,
        }

    def _at(self, candidate: str) -> int:
        try:
            return self.candidates.index(candidate)
        except ValueError:
            raise UnknownNameError("candidate", str(candidate), self.candidates) from None

    @cached_property
    def _everybody(self) -> tuple[int, ...]:
        """All candidates by median merit, as inside a group."""
        places = np.arange(len(self.candidates))
        return tuple(np.lexsort((places, self.evidence.ranks, self.spread.standing)).tolist())

    @cached_property
    def _group_of(self) -> dict[int, int]:
        return {i: g for g, group in enumerate(self.members, start=1) for i in group}

    @cached_property
    def _fractional(self) -> Floats:
        return fractional_ranks(self.members, len(self.candidates))

    @cached_property
    def _shown_ends(self) -> Floats:
        shown = self.function.shown
        return np.stack([shown(ends, self.evidence.results) for ends in (self.low, self.high)])

    @cached_property
    def _may_be_best(self) -> Booleans | None:
        return may_be_best(self)

    def _standing(self, i: int) -> Standing:
        ranges = self.spread if self.strictly is None else self.strictly
        return Standing(
            candidate=self.candidates[i],
            merit=float(self.evidence.observed[i]),
            low=float(self.low[i]),
            high=float(self.high[i]),
            shown=float(self.shown[i]),
            rank=float(self.evidence.ranks[i]),
            rank_low=float(ranges.rank_low[i]),
            rank_high=float(ranges.rank_high[i]),
            first_share=float(self.spread.first[i]),
            group=self._group_of[i],
            fractional_rank=float(self._fractional[i]),
            median_merit=float(self.spread.medians[i]),
            first_error=float(first_error(self, self.spread.first[i])),
            shown_low=float(min(self._shown_ends[:, i])),
            shown_high=float(max(self._shown_ends[:, i])),
            official=float(self.official[i]) if self.has_official else None,
            may_be_best=None if self._may_be_best is None else bool(self._may_be_best[i]),
        )

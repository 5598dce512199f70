"""Who really won, and how sure are we: the result of a robust ranking."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from deadheat.compare.api import Comparison, comparison
from deadheat.core.types import Row
from deadheat.output.table import Grid
from deadheat.statistics.strict_groups import cost_of
from deadheat.verdict import words
from deadheat.verdict.claims import Judgement
from deadheat.verdict.tables import VerdictTable, verdict_grid, verdict_table


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict(Judgement):
    """Hold a robust ranking: intervals, shares ranked first, tie groups, and what they rest on.

    ``strict`` says whether :attr:`members` come from tests of all pairs; if not, they are those of
    Fawcett et al. What costs more than the replicates themselves (tests of all pairs, leaving out
    one judge at a time) is computed when it is asked for.
    """

    schema: ClassVar[str] = "deadheat.verdict/1"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict, one sentence or two each."""
        return words.verdict_sentences(self)

    @property
    def guarantee(self) -> str:
        """What the groups guarantee, and what they do not."""
        return words.guarantee(self)

    def grid(self) -> Grid:
        """Return the robust ranking with interval bars."""
        return verdict_grid(self)

    def table(self, name: str) -> VerdictTable:
        """Return a table: groups, summary, first, intervals, ranks, tests or pairs."""
        return verdict_table(self, name)

    def rows(self) -> list[Row]:
        """Return one record per candidate, in the order of the robust ranking."""
        return [asdict(standing) for standing in self.standings]

    def compare(self, a: str, b: str) -> Comparison:
        """Return the paired comparison of two candidates, from the same replicates."""
        return comparison(self.evidence, self.at(a), self.at(b), alpha=self.alpha)

    def facts(self) -> dict[str, Any]:
        """Return the groups and what they amount to, for all and for the top of the order."""
        sizes = ("candidates", "groups")
        strict, names = self.all_pairs, self.candidates
        return {
            "groups": [len(group) for group in self.members],
            "members": [list(group) for group in self.groups],
            **{name: count for name, count in self.counts().items() if name not in sizes},
            **{f"top{k}": counts for k, counts in self.tops.items()},
            "borderline": [
                {
                    "leader": names[close.leader],
                    "other": names[close.other],
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
            "plan": self.evidence.plan.in_words(self.evidence.results.m),
            "paper_groups": [len(group) for group in self.paper.members],
            "strict_groups": None if strict is None else [len(group) for group in strict.members],
            "best": None if self.best is None else list(self.best),
            "strict_cost": cost_of(self.evidence, self.test) if strict is None else None,
            "influence": None if self.influence is None else self.influence.facts(),
        }

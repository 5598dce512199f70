"""What a search for counter-examples, and an audit of a table, found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from deadheat.axioms import words
from deadheat.axioms.audit import Audited
from deadheat.axioms.search import Found
from deadheat.ranking.function import RankingFunction
from deadheat.result import Grid, Result
from deadheat.typing import Row


@dataclass(frozen=True, eq=False, kw_only=True)
class Axioms(Result):
    """Hold, for every function and axiom, a counter-example or how hard one was looked for."""

    schema: ClassVar[str] = "deadheat.axioms/1"
    functions: tuple[RankingFunction, ...]
    found: Mapping[tuple[str, str], Found]
    """By the names of function and axiom."""

    def of(self, f: RankingFunction) -> list[Found]:
        """Return what was found of one function, axiom by axiom."""
        return [found for (name, _), found in self.found.items() if name == f.name]

    def rows(self) -> list[Row]:
        """Return one record per function and axiom."""
        return [self._row(f, found) for f in self.functions for found in self.of(f)]

    def _row(self, f: RankingFunction, found: Found) -> Row:
        strong, weak = found.cases.get(2), found.cases.get(1)
        return {
            "function": f.name,
            "axiom": found.axiom.name,
            "holds": found.holds,
            "searched": found.searched,
            "counterexample": strong and strong.as_dict(),
            "tables": found.tables,
            "strong": found.strong,
            "weak": found.weak,
            "weak_example": weak.as_dict() if weak and not strong else None,
            "claimed": words.claimed(f, found.axiom),
        }

    def facts(self) -> dict[str, Any]:
        """Return the axioms that each function violates, and those of which it was not seen."""
        return {
            "violated": {
                f.name: [found.axiom.name for found in self.of(f) if not found.holds]
                for f in self.functions
            },
            "not_found": {
                f.name: [found.axiom.name for found in self.of(f) if found.holds]
                for f in self.functions
            },
        }

    @property
    def verdict(self) -> str:
        """Which axioms are violated, and which were not seen to be."""
        return words.verdict(self)

    def grid(self) -> Grid:
        """Return a line per function and axiom, and for one function its counter-examples."""
        return words.grid(self)


@dataclass(frozen=True, eq=False, kw_only=True)
class AxiomAudit(Result):
    """Hold, for every function and axiom, how often it is violated on a table."""

    schema: ClassVar[str] = "deadheat.axioms/1"
    functions: tuple[RankingFunction, ...]
    found: Mapping[tuple[str, str], Audited]
    special: Mapping[str, str | None]
    """Who is first for a majority of judges, and who wins every duel."""
    first: Mapping[str, tuple[str, ...]]
    """Who is first by each function."""

    def of(self, f: RankingFunction) -> list[Audited]:
        """Return what was found of one function, axiom by axiom."""
        return [found for (name, _), found in self.found.items() if name == f.name]

    def rows(self) -> list[Row]:
        """Return one record per function and axiom."""
        return [self._row(f, found) for f in self.functions for found in self.of(f)]

    def _row(self, f: RankingFunction, found: Audited) -> Row:
        case = found.case
        return {
            "function": f.name,
            "axiom": found.axiom.name,
            "holds": found.holds,
            "searched": found.searched,
            "counterexample": case.as_dict() if case and not found.holds else None,
            "strong": found.strong,
            "weak": found.weak,
            "share": found.strong / found.searched if found.searched else None,
            "winner": found.winner,
            "findings": [finding.as_dict() for finding in found.findings],
        }

    def facts(self) -> dict[str, Any]:
        """Return the winners that the judges ask for, and who is first by each function."""
        return {**self.special, "first": {name: list(who) for name, who in self.first.items()}}

    @property
    def verdict(self) -> str:
        """What taking away or copying a candidate, or a judge, turns around."""
        return words.audit_verdict(self)

    def grid(self) -> Grid:
        """Return a line per function and axiom, and for one function the worst findings."""
        return words.audit_grid(self)

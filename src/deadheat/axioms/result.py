"""What a search for counter-examples, and an audit of a table, found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from deadheat.axioms import audit_words, words
from deadheat.axioms.audit import Audited
from deadheat.axioms.documents import Exampled
from deadheat.axioms.search import Found
from deadheat.ranking.function import RankingFunction
from deadheat.result import Grid
from deadheat.typing import Row

NESTED = ("counterexample", "weak_example", "findings")


@dataclass(frozen=True, eq=False, kw_only=True)
class Axioms(Exampled):
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
                f.name: [found.axiom.name for found in self.of(f) if found.holds is False]
                for f in self.functions
            },
            "not_found": {
                f.name: [found.axiom.name for found in self.of(f) if found.holds]
                for f in self.functions
            },
        }

    def told(self) -> Iterator[tuple[str, Grid | None]]:
        """Yield the counter-examples of a single function."""
        return ((sentence, case.grid()) for sentence, case in words.examples(self))

    def small_rows(self) -> list[Row]:
        """Return the records without the tables of counter-examples, but with what happens."""
        return [_small(row, row["counterexample"] or row["weak_example"]) for row in self.rows()]

    @property
    def verdict(self) -> str:
        """Which axioms are violated, and which were not seen to be."""
        return words.verdict(self)

    def grid(self) -> Grid:
        """Return a line per function and axiom, and for one function its counter-examples."""
        return words.grid(self)


@dataclass(frozen=True, eq=False, kw_only=True)
class AxiomAudit(Exampled):
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
            "counterexample": case.as_dict() if case and found.holds is False else None,
            "strong": found.strong,
            "weak": found.weak,
            "share": found.strong / found.searched if found.searched else None,
            "winner": found.winner,
            "claimed": words.claimed(f, found.axiom),
            "findings": [finding.as_dict() for finding in found.findings],
        }

    def facts(self) -> dict[str, Any]:
        """Return the winners that the judges ask for, and who is first by each function."""
        return {**self.special, "first": {name: list(who) for name, who in self.first.items()}}

    def told(self) -> Iterator[tuple[str, Grid | None]]:
        """Yield the worst findings of a single function."""
        return ((sentence, None) for sentence in audit_words.findings(self))

    def small_rows(self) -> list[Row]:
        """Return the records without tables, but with the worst that happens."""
        return [_small(row, next(iter(row["findings"]), None)) for row in self.rows()]

    @property
    def verdict(self) -> str:
        """What taking away or copying a candidate, or a judge, turns around."""
        return audit_words.audit_verdict(self)

    def grid(self) -> Grid:
        """Return a line per function and axiom, and for one function the worst findings."""
        return audit_words.audit_grid(self)


def _small(row: Row, example: Mapping[str, Any] | None) -> Row:
    kept = {key: value for key, value in row.items() if key not in NESTED}
    return {**kept, "change": example and example["change"]}

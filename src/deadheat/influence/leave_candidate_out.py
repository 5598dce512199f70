"""Leave one candidate out and rank again: whether the others keep their order."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from deadheat.core.errors import DataError, bare, counted
from deadheat.core.types import Floats, Row
from deadheat.data.reading.read import read
from deadheat.data.results import made_from
from deadheat.output.result import Result
from deadheat.output.table import Grid
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.on_tables import function_for, merits_of, require_usable
from deadheat.ranking.ranks import ranks

FEWEST = 3
MOST_ROWS = 20
NAMED = 3


@dataclass(frozen=True, kw_only=True)
class Removal:
    """Hold what the absence of one candidate does to the others.

    Without a winner the next are ``first``, and that is no change. Ties made or broken are
    ``reversed_pairs``, too.
    """

    candidate: str
    winner_changes: bool
    first: tuple[str, ...]
    reversed_pairs: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Removals(Result):
    """Hold what leaving out each candidate does to the order of the others."""

    schema: ClassVar[str] = "deadheat.removals/1"
    function: str
    removals: tuple[Removal, ...]

    def rows(self) -> list[Row]:
        return [asdict(each) | {"first": list(each.first)} for each in self._decisive_first]

    @property
    def _decisive_first(self) -> list[Removal]:
        return sorted(self.removals, key=lambda r: (not r.winner_changes, -r.reversed_pairs))

    def facts(self) -> dict[str, Any]:
        return {
            "candidates": len(self.removals),
            "winner": sum(each.winner_changes for each in self.removals),
            "order": sum(each.reversed_pairs > 0 for each in self.removals),
        }

    @property
    def verdict(self) -> str:
        facts = self.facts()
        if not facts["order"]:
            return "Whichever candidate is left out, the others keep their order."
        number = f"{facts['order']:,} of {counted(facts['candidates'], 'candidate')}"
        told = f"Leaving out any one of {number} changes the order of the others"
        if not facts["winner"]:
            return f"{told}, never who of them is first."
        return f"{told}; {facts['winner']:,} of them change who of the others is first."

    def grid(self) -> Grid:
        chosen = [each for each in self._decisive_first if each.reversed_pairs]
        cells = (
            (each.candidate, _names(each.first), each.reversed_pairs) for each in chosen[:MOST_ROWS]
        )
        more = len(chosen) - MOST_ROWS
        return Grid.of(
            ("without candidate", "first", "pairs in another order"),
            cells,
            notes=(f"{more:,} more change the order of the others.",) if more > 0 else (),
        )


def removals(table: Any, *, by: str | RankingFunction | None = None, **reading: Any) -> Removals:
    """Leave out one candidate at a time, rank the others again, and say what changes among them.

    A ranking function that depends on rivals may put two candidates in another order because a
    third is absent: it is not independent of irrelevant alternatives.
    """
    results = read(table, **reading)
    f = function_for(results, by)
    require_usable(results, f)
    if results.n < FEWEST:
        raise DataError(
            f"{results.source} has {counted(results.n, 'candidate')}: no order without one.",
            hint="at least 3 candidates are needed.",
        )
    places = _places(results, f)
    found = []
    for i in range(results.n):
        rest = np.delete(np.arange(results.n), i)
        others = results.of_candidates(rest)
        now, before = _places(others, f), places[rest]
        expected = set(rest[before == np.nanmin(before)].tolist())
        first = set(rest[now == np.nanmin(now)].tolist())
        found.append(
            Removal(
                candidate=results.candidates[i],
                first=tuple(results.candidates[k] for k in sorted(first)),
                winner_changes=first != expected,
                reversed_pairs=int(np.count_nonzero(np.triu(_order(before) != _order(now), 1))),
            )
        )
    return Removals(
        made=made_from(results, function=[f.name]),
        library=results.library,
        function=f.name,
        removals=tuple(found),
    )


def _places(results: Any, f: RankingFunction) -> Floats:
    merits = merits_of(results, [f])[f.name][0]
    return ranks(merits, unit=f.unit(results.scores, results.weights))


def _order(places: Floats) -> Floats:
    return np.sign(places[:, None] - places[None, :])


def _names(names: tuple[str, ...]) -> str:
    return f"{len(names):,} candidates" if len(names) > NAMED else " and ".join(map(bare, names))

"""Leave one judge out and rank again: which judges the ranking, the podium, the winner hang on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from deadheat.data.read import read
from deadheat.data.results import Results
from deadheat.inference import influence_words as words
from deadheat.inference.changes import KINDS, Changes, Original
from deadheat.inference.flips import Flip, Flips
from deadheat.inference.left_out import WithoutEach, without_each
from deadheat.inference.parts import Over, Parts, parts_of, require_rest
from deadheat.ranking.chosen import function_for
from deadheat.ranking.contributions import Contributions, contributions
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.made import made_from
from deadheat.ranking.ranks import ranks
from deadheat.ranking.table import merits_of, remarks_on, require_usable
from deadheat.ranking.words import scale_warnings, winner_is_worst
from deadheat.resampling.engine import Engine, engine
from deadheat.resampling.replicate import Progress, watched
from deadheat.result import Grid, Result
from deadheat.typing import Floats, Integers, Row

NAMED = 10


@dataclass(frozen=True, eq=False, kw_only=True)
class Influence(Result):
    """Hold what changes when one judge, cluster or stratum is left out.

    Attributes
    ----------
    changes
        What each of the ``parts`` changes.
    flip
        The fewest parts without which somebody is level with the winner, or ahead of it. None
        where there are none, where several are first, and where the function is not additive.
    """

    schema: ClassVar[str] = "deadheat.influence/1"
    results: Results
    function: RankingFunction
    parts: Parts
    original: Original
    changes: Changes
    flip: Flip | None
    additive: bool

    @cached_property
    def decisive_first(self) -> Integers:
        """The parts, the most decisive first.

        Those that change the winner come first, then those that change who is on the podium, then
        its order; among equals those that move more candidates, and further.
        """
        found = self.changes
        keys = (found.flag("winner"), found.flag("top3_set"), found.flag("top3_order"))
        sizes = (found.number, found.shift)
        most_first = [-key.astype(np.float64) for key in (*keys, *sizes)]
        return np.lexsort([*most_first, self._by_change][::-1])

    @cached_property
    def _by_change(self) -> Floats:
        """The rank of each part by how far it changes the merits, the furthest first."""
        unit = np.max(self.function.unit(self.results.scores, self.results.weights))
        return ranks(self.changes.change, unit=float(unit))

    def rows(self) -> list[Row]:
        """Return one record per part, the most decisive first."""
        return [self._row(k) for k in self.decisive_first.tolist()]

    def _row(self, k: int) -> Row:
        flags = dict(zip(KINDS, self.changes.flags[k].tolist(), strict=True))
        return {
            "judge": self.parts.names[k],
            **flags,
            "moved": [self.results.candidates[i] for i in self.changes.moved(k)],
            "shift": float(self.changes.shift[k]),
            "change": float(self.changes.change[k]),
        }

    def facts(self) -> dict[str, Any]:
        """Return how many parts change what, and which matter most and least."""
        counts = self.changes.flags.sum(axis=0).tolist()
        return {
            **dict(zip(KINDS, counts, strict=True)),
            "over": self.parts.over,
            "candidates": self.results.n,
            "judges": len(self.parts),
            "first": self.names(self.original.first),
            "winners": self.winners(),
            "decisive": self.decisive(),
            "redundant": self.redundant(),
            "flip": self.flip and self.flip.told(self.results, self.parts),
        }

    def names(self, candidates: tuple[int, ...]) -> list[str]:
        """Return the names of some candidates."""
        return [self.results.candidates[i] for i in candidates]

    def winners(self) -> list[dict[str, list[str]]]:
        """Return who else is first, and without which parts, the most frequent first."""
        without: dict[tuple[int, ...], list[str]] = {}
        for k, first in self.changes.winners.items():
            without.setdefault(first, []).append(self.parts.names[k])
        ordered = sorted(without.items(), key=lambda item: -len(item[1]))
        return [{"first": self.names(first), "without": names} for first, names in ordered]

    def decisive(self, most: int = NAMED) -> list[str]:
        """Return the parts that change most, at most so many; none that changes no rank."""
        chosen = self.decisive_first[: min(most, int(self.changes.flag("any").sum()))]
        return [self.parts.names[k] for k in chosen.tolist()]

    def redundant(self, most: int = NAMED) -> list[str]:
        """Return parts that change no rank, those that change the merits least first."""
        idle = np.flatnonzero(~self.changes.flag("any"))
        chosen = idle[np.argsort(-self._by_change[idle], kind="stable")][:most]
        return [self.parts.names[k] for k in chosen.tolist()]

    @property
    def verdict(self) -> str:
        """How many parts change what, which one is the most decisive, and what it would take."""
        return words.verdict(self)

    def grid(self) -> Grid:
        """Return the parts that change most; all of them are in the rows."""
        return words.grid(self)


def influence(
    table: Any,
    *,
    by: str | RankingFunction | None = None,
    over: Over | str | None = None,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Influence:
    """Leave out one judge at a time, rank the candidates again, and say what changes.

    Weak orders are compared: a tie that is made or broken is a change. The top k are all whose
    place is at most k, ties share the best of theirs; so a tie across place k lets in more than k.
    A change of the *order* of the top k is one in which the same candidates are there.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`.
    by
        The ranking function; by default ``average_rank``, and for runs the total of their rule.
        For additive functions all this takes n m steps, else it takes m rankings of the table.
    over
        What is left out at a time: one of the ``"judges"``, of the ``"clusters"`` (an instance
        with all its runs) or of the ``"strata"``. By default clusters where the table has some.

    Notes
    -----
    Table 1 of [1]_. Its column *all* is ``any``; *comp* and *order* of the top 10 and top 3 rest
    on a rule for ties at the last place that the paper does not state. *Order* counts only those
    removals that leave the set as it is: in the paper it is less than *comp* in some rows.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
           Using Statistical Resampling", table 1.

    Examples
    --------
    >>> import deadheat as dh
    >>> scores = [[9, 5, 5], [6, 6, 6], [1, 2, 1]]
    >>> table = dh.Results(
    ...     scores=scores, candidates=["a", "b", "c"], judges=["p", "q", "r"], better="higher"
    ... )
    >>> print(dh.influence(table, by="mean").verdict)
    Leaving out judge p, one of 3, changes the ranking by mean, and with it who is first. \
Without it b is first, and 2 candidates change their rank.
    """
    results = read(table, **reading)
    f = function_for(results, by)
    require_usable(results, f)
    parts = parts_of(results, over)
    require_rest(results, parts)
    merits = merits_of(results, [f])[f.name][0]
    places = ranks(merits, unit=f.unit(results.scores, results.weights))
    original = Original(merits, places)
    known = contributions(results, f)
    changes = _changes(results, f, known, parts, original, on=engine, progress=progress)
    flip = None
    if known is not None and len(original.first) == 1:
        others = np.argsort(places, kind="stable")[1:].tolist()
        flip = Flips(results, f, known, parts).smallest(original.first[0], others)
    return Influence(
        made=made_from(results, function=[f.name], over=parts.over),
        warnings=_warnings(results, f, original, changes, parts),
        library=results.library,
        results=results,
        function=f,
        parts=parts,
        original=original,
        changes=changes,
        flip=flip,
        additive=known is not None,
    )


def _changes(
    results: Results,
    f: RankingFunction,
    known: Contributions | None,
    parts: Parts,
    original: Original,
    *,
    on: str | Engine,
    progress: Progress | None,
) -> Changes:
    with engine(on) as running:
        without = without_each(results, f, known, parts, running)
        task = _Task(without, original)
        blocks = running.map(task, without.blocks)
        return Changes.joined(watched(blocks, len(without.blocks), progress))


@dataclass(frozen=True, eq=False)
class _Task:
    """Rank without each part of a block, and say what changed."""

    without: WithoutEach
    original: Original

    def __call__(self, k: int) -> Changes:
        merits, unit = self.without(k)
        return self.original.changed_to(merits, ranks(merits, unit=unit))


def _warnings(
    results: Results, f: RankingFunction, original: Original, changes: Changes, parts: Parts
) -> tuple[str, ...]:
    first = tuple(results.candidates[i] for i in original.first)
    found = [*results.notes, *winner_is_worst(results, first), *scale_warnings(results, [f])]
    found += [*remarks_on(results, f), *words.warnings(original, changes, parts)]
    return tuple(dict.fromkeys(found))

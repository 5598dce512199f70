"""Leave one judge out and rank again: which judges the ranking, the podium, the winner hang on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from deadheat.core.errors import bare, counted, listed
from deadheat.core.types import Booleans, Floats, Integers, Row
from deadheat.data.reading.read import read
from deadheat.data.results import Results, made_from
from deadheat.influence.leave_judges_out import (
    Flip,
    Flips,
    FromKernel,
    FromSums,
    Over,
    Parts,
    parts_of,
    require_rest,
    without_each,
)
from deadheat.output.result import Result
from deadheat.output.table import Grid
from deadheat.rank.words import names_in_words
from deadheat.ranking.contributions import contributions
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.on_tables import (
    function_for,
    merits_of,
    remarks_on,
    require_usable,
    scale_warnings,
    winner_is_worst,
)
from deadheat.ranking.ranks import ranks
from deadheat.resampling.replicate import Engine, Progress, watched
from deadheat.resampling.replicate import engine as open_engine

# How a ranking differs from another: ranks, the top 10, the podium, the winner.

Kind = Literal["any", "top10_set", "top10_order", "top3_set", "top3_order", "winner"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TOPS = (10, 3)


@dataclass(frozen=True, eq=False)
class Changes:
    """Hold what each of some other rankings changes.

    ``flags`` (rankings, kinds) says which of ``KINDS`` changed, ``packed`` (rankings, n / 8) whose
    rank did, eight candidates in a byte. The others are (rankings,): how many candidates have
    another rank, the largest change of a rank and of a difference of two merits, how many have a
    rank no more. ``winners`` are those of the rankings in which they changed.
    """

    flags: Booleans
    packed: Integers
    number: Integers
    shift: Floats
    change: Floats
    unranked: Integers
    winners: dict[int, tuple[int, ...]]

    def __len__(self) -> int:
        return len(self.flags)

    def flag(self, kind: Kind) -> Booleans:
        """Return which rankings change this, (rankings,)."""
        return self.flags[:, KINDS.index(kind)]

    @classmethod
    def joined(cls, blocks: Iterable[Changes]) -> Changes:
        parts = list(blocks)
        starts = accumulate(map(len, parts), initial=0)
        winners = {
            start + k: first
            for start, part in zip(starts, parts, strict=False)
            for k, first in part.winners.items()
        }
        arrays = ("flags", "packed", "number", "shift", "change", "unranked")
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays}
        return cls(**joined, winners=winners)


def _changes(without: FromKernel | FromSums, original: Floats, before: Floats, k: int) -> Changes:
    """Return what the rankings of block k change of the original merits and mean ranks, (n,)."""
    merits, unit = without(k)
    places = ranks(merits, unit=unit)
    gone = np.isnan(places) & ~np.isnan(before)
    with np.errstate(invalid="ignore"):  # who has no rank
        shifts = np.abs(places - before)
    shifts[np.isnan(shifts)] = 0.0
    moved = (shifts > 0) | gone
    lead = top(places, 1)
    winner = (lead != top(before[None, :], 1)).any(axis=1)
    flags = {"any": moved.any(axis=1), "winner": winner}
    for size in TOPS:
        here = top(before[None, :], size)
        other = (top(places, size) != here).any(axis=1)
        flags[f"top{size}_set"] = other
        flags[f"top{size}_order"] = ~other & (moved & here).any(axis=1)
    differences = merits - original
    known = np.isfinite(differences)
    high = np.where(known, differences, -np.inf).max(axis=1)
    low = np.where(known, differences, np.inf).min(axis=1)
    return Changes(
        flags=np.stack([flags[kind] for kind in KINDS], axis=1),
        packed=np.packbits(moved, axis=1),
        number=moved.sum(axis=1),
        shift=shifts.max(axis=1),
        change=np.where(known.any(axis=1), high - low, np.nan),
        unranked=gone.sum(axis=1),
        winners={int(b): tuple(np.flatnonzero(lead[b]).tolist()) for b in np.flatnonzero(winner)},
    )


def top(places: Floats, k: int) -> Booleans:
    """Return who is among the top k in each ranking: all whose best shared place is at most k.

    ``places`` are mean ranks (rankings, n). Where k exceeds n, everybody is who has a rank.

    >>> top(np.array([[1.0, 2.5, 2.5, 4]]), 2)
    array([[ True,  True,  True, False]])
    """
    k = min(k, places.shape[1])
    last = np.partition(places, k - 1, axis=1)[:, k - 1 : k]  # NaN comes last
    return np.asarray(places <= np.where(np.isnan(last), np.inf, last))


# What leaving out each part changes.

NAMED = 10
MOST_ROWS = 20
PODIUM = 3
MOST_PARTS = 5


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
    first: tuple[int, ...]
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
        keys = [found.flag(kind) for kind in ("winner", "top3_set", "top3_order")]
        most_first = [-key.astype(np.float64) for key in (*keys, found.number, found.shift)]
        return np.lexsort([*most_first, self._by_change][::-1])

    @cached_property
    def _by_change(self) -> Floats:
        """The rank of each part by how far it changes the merits, the furthest first."""
        unit = np.max(self.function.unit(self.results.scores, self.results.weights))
        return ranks(self.changes.change, unit=float(unit))

    def rows(self) -> list[Row]:
        return [
            {
                "judge": self.parts.names[k],
                **dict(zip(KINDS, self.changes.flags[k].tolist(), strict=True)),
                "moved": self.names(np.flatnonzero(np.unpackbits(self.changes.packed[k]))),
                "shift": float(self.changes.shift[k]),
                "change": float(self.changes.change[k]),
            }
            for k in self.decisive_first.tolist()
        ]

    def facts(self) -> dict[str, Any]:
        counts = self.changes.flags.sum(axis=0).tolist()
        return {
            **dict(zip(KINDS, counts, strict=True)),
            "over": self.parts.over,
            "candidates": self.results.n,
            "judges": len(self.parts),
            "first": self.names(self.first),
            "winners": self.winners(),
            "decisive": self.decisive(),
            "redundant": self.redundant(),
            "flip": self.flip and self.flip.told(self.results, self.parts),
        }

    def names(self, candidates: Iterable[int]) -> list[str]:
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
        return " ".join(filter(None, (_lead(self), _most_decisive(self), self._flip())))

    def _flip(self) -> str:
        if self.flip is not None:
            if len(self.flip.parts) == 1:  # told already: it changes the winner
                return ""
            return flip_in_words(self.flip, self.results.candidates, self.parts)
        if self.additive and len(self.first) == 1 and self.results.n > 1:
            (name,) = self.names(self.first)
            return f"Whatever {self.parts.many} are left out, {bare(name)} stays first alone."
        return ""

    def grid(self) -> Grid:
        changing = int(self.changes.flag("any").sum())
        if not changing:
            return Grid(columns=(), cells=())
        tops = [k for k in TOPS[::-1] if self.results.n > k]
        names = [f"without {self.parts.one}", "first", *(f"top {k}" for k in tops)]
        cells = []
        for k in self.decisive_first[: min(changing, MOST_ROWS)].tolist():
            flags: dict[str, bool] = dict(zip(KINDS, self.changes.flags[k].tolist(), strict=True))
            kinds = [
                next((kind for kind in ("set", "order") if flags[f"top{t}_{kind}"]), "same")
                for t in tops
            ]
            winners = self.changes.winners.get(k)
            first = "same" if winners is None else names_in_words(self.names(winners))
            moved = int(self.changes.number[k]), float(self.changes.shift[k])
            cells.append((self.parts.names[k], first, *kinds, *moved))
        more = changing - len(cells)
        kind = f"more {self.parts.one} changes" if more == 1 else f"more {self.parts.many} change"
        return Grid.of(
            (*names, "moved", "furthest"),
            cells,
            notes=(f"{more:,} {kind} the ranking.",) if more else (),
        )


# What leaving out a judge changes, in words.


def flip_in_words(flip: Flip, candidates: Sequence[str], parts: Parts) -> str:
    ahead, behind = (bare(candidates[i]) for i in (flip.ahead, flip.behind))
    names = listed((parts.names[k] for k in flip.parts), most=MOST_PARTS)
    where = f"ahead of {ahead}" if flip.passed else f"level with {ahead}"
    fewer = "; fewer would not" if len(flip.parts) > 1 else ""
    return (
        f"Leaving out {parts.counted(len(flip.parts))} ({names}) would put {behind} {where}{fewer}."
    )


def _lead(found: Influence) -> str:
    counts = dict(zip(KINDS, found.changes.flags.sum(axis=0).tolist(), strict=True))
    parts, by = found.parts, found.function.called(found.results)
    each = parts.counted(len(parts))
    if not counts["any"]:
        return f"The ranking by {by} is the same whichever one of {each} is left out."
    if counts["any"] == 1:
        which = f"{parts.one} {bare(found.decisive(1)[0])}, one of {len(parts):,},"
        return f"Leaving out {which} changes the ranking by {by}, {_of_one(found)}."
    number = "the" if counts["any"] == len(parts) else f"{counts['any']:,} of"
    told = [f"Leaving out any one of {number} {each} changes the ranking by {by}"]
    if found.results.n > PODIUM:
        members, order = counts["top3_set"], counts["top3_order"]
        how = f" ({members:,} who is on it, {order:,} its order)" if members + order else ""
        told.append(f"{_change(members + order)} the podium{how}")
    return "; ".join([*told, f"{_change(counts['winner'])} who is first."])


def _of_one(found: Influence) -> str:
    """Return what else changes where only one part changes anything."""
    large = found.results.n > PODIUM
    kinds = {"top3_set": "who is on the podium", "top3_order": "the order of the podium"}
    kinds = (kinds if large else {}) | {"winner": "who is first"}
    flags: dict[str, bool] = {kind: bool(found.changes.flag(kind).any()) for kind in KINDS}
    changed = [said for kind, said in kinds.items() if flags[kind]]
    if not changed:
        return "but neither the podium nor who is first" if large else "but not who is first"
    return f"and with it {' and '.join(changed)}" + (
        "" if flags["winner"] else ", but not who is first"
    )


def _change(number: int) -> str:
    if not number:
        return "none changes"
    return f"{number:,} {'changes' if number == 1 else 'change'}"


def _most_decisive(found: Influence) -> str:
    if not found.changes.flag("any").any():
        return ""
    k = int(found.decisive_first[0])
    name = "it" if int(found.changes.flag("any").sum()) == 1 else bare(found.parts.names[k])
    lead = "" if name == "it" else f"The most decisive is {name}: "
    moved = counted(int(found.changes.number[k]), "candidate")
    verb = "changes its rank" if found.changes.number[k] == 1 else "change their rank"
    if k in found.changes.winners:
        first = found.names(found.changes.winners[k])
        are = "is first" if len(first) == 1 else "are tied for first"
        told = f"without it {names_in_words(first)} {are}, and {moved} {verb}."
    else:
        told = f"without it {moved} {verb}."
    return lead + told if lead else told[:1].upper() + told[1:]


# The question itself.


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
    first = tuple(np.flatnonzero(top(places[None, :], 1)).tolist())
    known = contributions(results, f)
    with open_engine(engine) as running:
        without = without_each(results, f, known, parts, running)
        blocks = running.map(partial(_changes, without, merits, places), without.blocks)
        changes = Changes.joined(watched(blocks, len(without.blocks), progress))
    flip = None
    if known is not None and len(first) == 1:
        others = np.argsort(places, kind="stable")[1:].tolist()
        flip = Flips(results, f, known, parts).smallest(first[0], others)
    return Influence(
        made=made_from(results, function=[f.name], over=parts.over),
        warnings=_warnings(results, f, places, changes, parts),
        library=results.library,
        results=results,
        function=f,
        parts=parts,
        first=first,
        changes=changes,
        flip=flip,
        additive=known is not None,
    )


def _warnings(
    results: Results, f: RankingFunction, places: Floats, changes: Changes, parts: Parts
) -> tuple[str, ...]:
    first = tuple(results.candidates[i] for i in np.flatnonzero(top(places[None, :], 1)).tolist())
    found = [*results.notes, *winner_is_worst(results, first), *scale_warnings(results, [f])]
    found += remarks_on(results, f)
    for k in TOPS:
        size = int(top(places[None, :], k).sum())
        if k < results.n and size > k:
            found.append(
                f"the top {k} are {size:,} candidates: a tie across place {k} lets all of them in."
            )
    silent = int((changes.unranked > 0).sum())
    if silent:
        found.append(
            f"without {parts.counted(silent)} some candidate has no score left, and no rank: that "
            "counts as a change."
        )
    return tuple(dict.fromkeys(found))

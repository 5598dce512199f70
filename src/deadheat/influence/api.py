"""Leave one judge, or one candidate, out and rank again: what the ranking hangs on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, get_args, overload

import numpy as np

from deadheat.core.errors import DataError, ask, bare, command_with, counted, listed, quoted
from deadheat.core.types import Booleans, Cell, Floats, Integers, Row
from deadheat.data.reading.read import are_tables, read, read_all, require_known
from deadheat.data.results import Nouns, Results, provenance_of, provenance_of_all
from deadheat.influence.leave_judges_out import (
    Flip,
    Flips,
    FromKernel,
    FromSums,
    Over,
    Parts,
    parts_of,
)
from deadheat.output.result import Listing, Result
from deadheat.output.table import Grid
from deadheat.rank.words import names_in_words
from deadheat.ranking import on_tables
from deadheat.ranking.contributions import contributions
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.official import Official, official_of, official_of_tables
from deadheat.ranking.ranks import ranks
from deadheat.resampling.checkpoint import resumable
from deadheat.resampling.engines import Engine, Progress, Readers, with_progress
from deadheat.resampling.engines import engine as open_engine

if TYPE_CHECKING:
    from deadheat.influence.schema import RemovalsRow

# How a ranking differs from another: ranks, the top 10, the podium, the winner.

Kind = Literal["any", "top10_set", "top10_order", "top3_set", "top3_order", "winner"]
KINDS: tuple[Kind, ...] = get_args(Kind)
IMPORTANCE: tuple[Kind, ...] = ("winner", "top3_set", "top3_order", "top10_set", "top10_order")
TOPS = (10, 3)


class Changes(NamedTuple):
    """Hold what each of some other rankings changes, an entry or a row per ranking."""

    flags: Booleans  # (rankings, kinds): which of KINDS changed
    packed: Integers  # (rankings, n / 8): whose rank did, eight candidates in a byte
    number: Integers  # of candidates that have another rank
    shift: Floats  # the largest change of a rank
    change: Floats  # the largest change of a difference of two merits
    unranked: Integers  # how many have a rank no more
    winners: dict[int, tuple[int, ...]]  # of the rankings in which they changed

    def flag(self, kind: Kind) -> Booleans:
        return self.flags[:, KINDS.index(kind)]

    @property
    def counts(self) -> dict[str, int]:
        return dict(zip(KINDS, self.flags.sum(axis=0).tolist(), strict=True))

    @classmethod
    def concatenate(cls, blocks: Iterable[Changes]) -> Changes:
        columns: list[Any] = list(zip(*blocks, strict=True))
        *arrays, winners = columns
        starts = accumulate(map(len, arrays[0]), initial=0)
        changed = {
            start + k: first
            for start, part in zip(starts, winners, strict=False)
            for k, first in part.items()
        }
        return cls._make([*map(np.concatenate, arrays), changed])


def _changes(
    without: FromKernel | FromSums,
    original: Floats,
    before: Floats,
    official: Floats | None,
    k: int,
) -> Changes:
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
    here, there = (untied(each, official) for each in (before[None, :], places))
    for size in TOPS:
        members = top(here, size)
        other = (top(there, size) != members).any(axis=1)
        flags[f"top{size}_set"] = other
        flags[f"top{size}_order"] = ~other & ((here != there) & members).any(axis=1)
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


def untied(places: Floats, official: Floats | None) -> Floats:
    """Return ranks (rankings, n) in which an official order, where there is one, breaks ties.

    >>> untied(np.array([[1.0, 2.5, 2.5, 4]]), np.array([3.0, 9, 2, 1]))
    array([[1., 3., 2., 4.]])
    """
    if official is None:
        return places
    later = ranks(-np.where(np.isnan(official), np.inf, official), convention="dense")
    return ranks(-places - later / (4 * len(later)))  # mean ranks are half a place apart


def top(places: Floats, k: int) -> Booleans:
    """Return who is among the top k of mean ranks (rankings, n): a tie across place k lets all in.

    >>> top(np.array([[1.0, 2.5, 2.5, 4]]), 2)
    array([[ True,  True,  True, False]])
    """
    k = min(k, places.shape[1])
    last = np.partition(places, k - 1, axis=1)[:, k - 1 : k]  # NaN comes last
    return np.asarray(places <= np.where(np.isnan(last), np.inf, last))


# What leaving out each part changes.

NAMED = 10
LEADING, MOST_ROWS = 10, 1_000  # of the table for people; JSON and CSV have all
PODIUM = 3
MOST_PARTS = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class Influence(Result):
    """Hold what changes when one judge, cluster or stratum is left out."""

    schema: ClassVar[str] = "deadheat.influence/1"
    results: Results
    function: RankingFunction
    parts: Parts
    first: tuple[int, ...]
    changes: Changes  # what each of the parts changes
    flip: Flip | None  # the fewest parts that decide who wins; None if several do, or not additive
    additive: bool

    @cached_property
    def decisive_first(self) -> list[int]:
        """The parts that change the winner, the podium, the top 10, and then that move most."""
        found = self.changes
        keys = [found.flag(kind) for kind in IMPORTANCE]
        most_first = [-key.astype(np.float64) for key in (*keys, found.number, found.shift)]
        order: list[int] = np.lexsort([*most_first, self._by_change][::-1]).tolist()
        return order

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
            for k in self.decisive_first
        ]

    def facts(self) -> dict[str, Any]:
        counts = self.changes.counts
        idle = np.flatnonzero(~self.changes.flag("any"))
        redundant = idle[np.argsort(-self._by_change[idle], kind="stable")][:NAMED].tolist()
        decisive = self.decisive_first[: min(NAMED, counts["any"])]
        return {
            **counts,
            "over": self.parts.over,
            "unit": self.parts.one,
            "by": self.function.called(self.results),
            "candidates": self.results.n,
            "judges": len(self.parts),
            "first": self.names(self.first),
            "winners": self.winners(),
            "decisive": [self.parts.names[k] for k in decisive],
            "redundant": [self.parts.names[k] for k in redundant],
            "flip": self.flip and self.flip.as_json(self.results, self.parts),
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

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(filter(None, (_lead(self), _most_decisive(self), _flip(self))))

    def grid(self) -> Grid:
        changing = self.changes.counts["any"]
        if not changing:
            return Grid(columns=(), cells=())
        tops = [k for k in TOPS[::-1] if self.results.n > k]
        names = [f"without {self.parts.one}", "first", *(f"top {k}" for k in tops)]
        cells: list[tuple[Cell, ...]] = []
        for k in self.decisive_first[: min(changing, MOST_ROWS)]:
            flags: dict[str, bool] = dict(zip(KINDS, self.changes.flags[k].tolist(), strict=True))
            kinds = [
                next((kind for kind in ("set", "order") if flags[f"top{t}_{kind}"]), "same")
                for t in tops
            ]
            winners = self.changes.winners.get(k)
            noun = self.results.nouns.candidate
            first = "same" if winners is None else names_in_words(self.names(winners), noun)
            moved = int(self.changes.number[k]), float(self.changes.shift[k])
            cells.append((self.parts.names[k], first, *kinds, *moved))
        more = changing - len(cells)
        kind = f"more {self.parts.one} changes" if more == 1 else f"more {self.parts.many} change"
        legend = (f"{more:,} {kind} the ranking.",) if more else ()
        return Grid.of((*names, "moved", "furthest"), cells, legend=legend, leading=LEADING)


# What leaving out a judge changes, in words.


def flip_in_words(flip: Flip, candidates: Sequence[str], parts: Parts) -> str:
    ahead, behind = (bare(candidates[i]) for i in (flip.ahead, flip.behind))
    names = listed((parts.names[k] for k in flip.parts), most=MOST_PARTS)
    where = "ahead of" if flip.passed else "level with"
    fewer = "; fewer would not" if len(flip.parts) > 1 else ""
    without = f"Leaving out {parts.in_words(len(flip.parts))} ({names})"
    return f"{without} would put {behind} {where} {ahead}{fewer}."


def _flip(found: Influence) -> str:
    if found.flip is not None:
        if len(found.flip.parts) == 1:  # told already: it changes the winner
            return ""
        return flip_in_words(found.flip, found.results.candidates, found.parts)
    if found.additive and len(found.first) == 1 and found.results.n > 1:
        name = bare(found.results.candidates[found.first[0]])
        return f"Whatever {found.parts.many} are left out, {name} stays first alone."
    return ""


def _lead(found: Influence) -> str:
    """Say on how many parts it hangs who is first, the podium, and any rank."""
    counts, parts, by = found.changes.counts, found.parts, found.function.called(found.results)
    each = parts.in_words(len(parts))
    if not counts["any"]:
        return f"The ranking by {by} is the same whichever one of {each} is left out."
    first = counts["winner"]
    decides = "decides" if first == 1 else "decide"
    lead = f"{first:,} of {each} alone {decides} who is first by {by}"
    lead = lead if first else f"No single {parts.one} changes who is first by {by}"
    podium = counts["top3_set"] + counts["top3_order"]
    told = [_change(podium, "the podium")] * (found.results.n > PODIUM)
    return f"{lead}; {', '.join((*told, _change(counts['any'], 'some rank')))}."


def _change(number: int, what: str) -> str:
    return f"{f'{number:,}' if number else 'none'} {'change' if number > 1 else 'changes'} {what}"


def _most_decisive(found: Influence) -> str:
    changing, k = found.changes.counts["any"], found.decisive_first[0]
    if not changing:
        return ""
    name = bare(found.parts.names[k])
    moved = found.results.nouns.candidates(int(found.changes.number[k]))
    verb = "changes its rank" if found.changes.number[k] == 1 else "change their rank"
    told = f"it {moved} {verb}."
    if k in found.changes.winners:
        first = found.names(found.changes.winners[k])
        are = "is first" if len(first) == 1 else "are tied for first"
        who = names_in_words(first, found.results.nouns.candidate)
        told = f"it {who} {are}, and {moved} {verb}."
    return f"Without {told}" if changing == 1 else f"The most decisive is {name}: without {told}"


# The question itself.


@overload
def influence(table: list[Any] | tuple[Any, ...], **request: Any) -> InfluenceTable: ...
@overload
def influence(table: Any, **request: Any) -> Influence: ...
@resumable
def influence(
    table: Any,
    *,
    by: str | RankingFunction | None = None,
    over: Over | str | None = None,
    official: Any = None,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Influence | InfluenceTable:
    """Leave out one judge at a time, rank the candidates again, and say what changes.

    Weak orders are compared: a tie that is made or broken is a change. The top k are all whose
    place is at most k, ties share the best of theirs; so a tie across place k lets in more than k,
    unless an official order breaks it. A change of the *order* of the top k is one in which the
    same candidates are there.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`. Of a list of such, the table with a row for each: table 1 of [1]_.
    by
        The ranking function; by default ``average_rank``, of 0 and 1 the mean, of runs the total
        of their rule.
        For additive functions all this takes n m steps, else it takes m rankings of the table.
    over
        What is left out at a time: one of the ``"judges"``, of the ``"clusters"`` (an instance
        with all its runs) or of the ``"strata"``. By default clusters where the table has some.
    official
        The order that breaks ties in the top 10 and the top 3: names best first, a mapping to
        ranks, or a CSV file.

    Notes
    -----
    Table 1 of [1]_. Its column *all* is ``any``; in its top 10 and top 3 the later of two solver
    numbers comes first in a tie, which is the ``official`` order to give. *Order* counts only
    those removals that leave the set as it is.

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
    >>> found = dh.influence(table, by="mean")
    >>> [row["judge"] for row in found.rows() if row["winner"]]  # without p another one is first
    ['p']
    """
    require_known(influence, reading)
    if are_tables(table):
        request: dict[str, Any] = {"by": by, "over": over, "engine": engine, "progress": progress}
        return _of_tables(read_all(table, **reading, engine=Readers(engine)), official, request)
    results = read(table, **reading, engine=Readers(engine))
    f = on_tables.function_for(results, by)
    on_tables.require_usable(results, f)
    parts = parts_of(results, over)
    published = official_of(official, results)
    order = None if published is None else published.ranks
    weights = parts.sums(results.weights)
    if np.count_nonzero(weights) < 2:
        others = "" if len(parts) == 1 else ": all others have weight 0"
        name = quoted(parts.names[int(np.argmax(weights))])
        hint = f"what was understood: {ask('check', 'FILE')}"
        if np.count_nonzero(results.weights) > 1:
            hint = f"one {results.nouns.judge} at a time: {command_with(over='judges')}"
        raise DataError(f"without {parts.one} {name} nothing is left{others}.", hint=hint)
    merits, places = _places(results, f)
    first = tuple(np.flatnonzero(top(places[None, :], 1)).tolist())
    known = contributions(results, f)
    with open_engine(engine) as running:
        without: FromKernel | FromSums = FromKernel(results, f, parts)
        if known is not None:
            without = FromSums(results, f, known, parts, running)
        work = partial(_changes, without, merits, places, order)
        blocks = running.map(work, without.blocks)
        changes = Changes.concatenate(with_progress(blocks, len(without.blocks), progress))
    flip = None
    if known is not None and len(first) == 1:
        others = np.argsort(places, kind="stable")[1:].tolist()
        flip = Flips(results, f, known, parts).smallest(first[0], others)
    return Influence(
        made=provenance_of(results, function=[f.name], over=parts.over),
        warnings=_warnings(results, f, places, published, changes, parts),
        library=results.library,
        results=results,
        function=f,
        parts=parts,
        first=first,
        changes=changes,
        flip=flip,
        additive=known is not None,
    )


class InfluenceTable(Listing):
    schema: ClassVar[str] = "deadheat.influence-table/1"


def _of_tables(tables: list[Results], official: Any, request: dict[str, Any]) -> InfluenceTable:
    """Return table 1 of Fawcett et al. (2023): how many removals change what, by table."""
    both = zip(tables, official_of_tables(official, tables), strict=True)
    found = [influence(each, official=order, **request) for each, order in both]
    records: list[Row] = [
        {
            "table": each.results.source,
            "candidates": each.results.n,
            "judges": len(each.parts),
            **each.changes.counts,
        }
        for each in found
    ]
    changing = sum(row["winner"] > 0 for row in records)
    said = f"In {changing:,} of {counted(len(found), 'table')} leaving out one changes who is first"
    warnings = [f"{each.results.source}: {said}" for each in found for said in each.warnings]
    return InfluenceTable(
        made=provenance_of_all(
            tables,
            function=list(dict.fromkeys(each.function.name for each in found)),
            over=found[0].parts.over,
        ),
        warnings=tuple(warnings),
        library=tables[0].library,
        name="tables",
        records=tuple(records),
        sentence=f"{said}; set: others are at the top, order: the same in another order.",
        keys=1,
        headings={name: name.replace("_", " ") for name in records[0]},
    )


def _places(results: Results, f: RankingFunction) -> tuple[Floats, Floats]:
    merits = on_tables.merits_of(results, [f])[f.name][0]
    return merits, ranks(merits, unit=f.unit(results.scores, results.weights))


def _warnings(
    results: Results,
    f: RankingFunction,
    places: Floats,
    order: Official | None,
    changes: Changes,
    parts: Parts,
) -> tuple[str, ...]:
    first = [results.candidates[i] for i in np.flatnonzero(top(places[None, :], 1)).tolist()]
    found = [*results.notes, *on_tables.winner_is_worst(results, first)]
    found += [*on_tables.scale_warnings(results, [f]), *on_tables.remarks_on(results, f)]
    official = None if order is None else order.ranks
    found += [] if order is None else order.notes(results.candidates, "in ties they come last")
    for k in TOPS:
        size = int(top(untied(places[None, :], official), k).sum())
        if k < results.n and size > k:
            tie = f"a tie across place {k} lets all of them in"
            found.append(f"the top {k} are {results.nouns.candidates(size)}: {tie}.")
    silent = int((changes.unranked > 0).sum())
    if silent:
        who = f"some {results.nouns.candidate} has no score left, and no rank"
        without = f"without {parts.in_words(silent)} {who}"
        found.append(f"{without}: that counts as a change.")
    return tuple(dict.fromkeys(found))


# Leave one candidate out: whether the others keep their order.

FEWEST = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Removals(Result):
    schema: ClassVar[str] = "deadheat.removals/1"
    records: tuple[RemovalsRow, ...]
    nouns: Nouns

    def rows(self) -> list[RemovalsRow]:
        return list(self.records)

    def facts(self) -> dict[str, Any]:
        return {
            "candidates": len(self.records),
            "winner": sum(row["winner_changes"] for row in self.records),
            "order": sum(row["reversed_pairs"] > 0 for row in self.records),
        }

    @property
    def verdict(self) -> str:
        candidates, winner, order = self.facts().values()
        if not order:
            return f"Whichever {self.nouns.candidate} is left out, the others keep their order."
        some = f"{order:,} of {self.nouns.candidates(candidates)}"
        first = f"; {winner:,} of them change who of the others is first"
        rest = first if winner else ", never who of them is first"
        return f"Leaving out any one of {some} changes the order of the others{rest}."

    def grid(self) -> Grid:
        chosen = [row for row in self.records if row["reversed_pairs"]]
        cells = (
            (
                row["candidate"],
                names_in_words(row["first"], self.nouns.candidate),
                row["reversed_pairs"],
            )
            for row in chosen[:MOST_ROWS]
        )
        more = len(chosen) - MOST_ROWS
        legend = (f"{more:,} more change the order of the others.",) if more > 0 else ()
        names = (f"without {self.nouns.candidate}", "first", "pairs in another order")
        return Grid.of(names, cells, legend=legend, leading=LEADING)


def removals(table: Any, *, by: str | RankingFunction | None = None, **reading: Any) -> Removals:
    """Leave out one candidate at a time, rank the others again, and say what changes among them.

    Without a winner the next are first, and that is no change; ties made or broken are.
    """
    results = read(table, **reading)
    f = on_tables.function_for(results, by)
    on_tables.require_usable(results, f)
    if results.n < FEWEST:
        fact = f"{results.source} has {results.nouns.candidates(results.n)}: no order without one."
        raise DataError(fact, hint=f"give scores of {results.nouns.candidates(FEWEST)} or more.")
    places = _places(results, f)[1]
    rows: list[RemovalsRow] = []
    for i, name in enumerate(results.candidates):
        rest = np.delete(np.arange(results.n), i)
        before, now = places[rest], _places(results.of_candidates(rest), f)[1]
        expected, first = (rest[ranked == np.nanmin(ranked)].tolist() for ranked in (before, now))
        order, other = (np.sign(ranked[:, None] - ranked) for ranked in (before, now))
        row: RemovalsRow = {
            "candidate": name,
            "winner_changes": first != expected,
            "first": [results.candidates[k] for k in first],
            "reversed_pairs": int(np.count_nonzero(np.triu(order != other, 1))),
        }
        rows.append(row)
    rows.sort(key=lambda row: (not row["winner_changes"], -row["reversed_pairs"]))
    made = provenance_of(results, function=[f.name])
    return Removals(made=made, library=results.library, records=tuple(rows), nouns=results.nouns)

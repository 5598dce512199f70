"""A table in, a ranking out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import DataError, counted, listed, named
from deadheat.core.types import Floats, RankConvention, require_top
from deadheat.data.boards import Brief, boards_of
from deadheat.data.reading.read import read, require_known
from deadheat.data.results import Nouns, Results, provenance_of
from deadheat.output.result import Result
from deadheat.output.table import Column, Grid
from deadheat.rank.own_errors import OwnErrors
from deadheat.rank.words import are_first, one_score_each, others_in_words, winners_in_words
from deadheat.ranking import ranks as conversion
from deadheat.ranking.function import RankingFunction, spoken
from deadheat.ranking.on_tables import (
    first_by_others,
    first_of,
    functions_for,
    observed,
    remarks_on,
    require_usable,
    scale_warnings,
    size_warnings,
    usable,
    winner_is_worst,
)

if TYPE_CHECKING:
    from deadheat.rank.schema import RankRow

PODIUM = 3
MOST_COLUMNS = 5  # of ranks; more functions are rows, each with its podium


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranking(Result):
    """Hold the merits and ranks of all candidates by one or several ranking functions."""

    schema: ClassVar[str] = "deadheat.rank/1"
    candidates: tuple[str, ...]
    functions: tuple[RankingFunction, ...]
    headings: tuple[str, ...]
    merits: Floats
    shown: Floats
    ranks: Floats
    first: dict[str, tuple[str, ...]]  # by each function, those tried besides included
    nouns: Nouns
    called: str  # what sentences call the first function: PAR2, average rank
    shown_top: int | None = None
    percent: bool = False  # whether the first function's number is one
    own: OwnErrors | None = None  # where each candidate has one score, and that an error

    @property
    def level(self) -> tuple[str, ...]:
        """Who is level with the best score beyond its error; nobody where nothing was tested."""
        return self.own.level if self.own is not None else ()

    @property
    def best_first(self) -> list[int]:
        return [int(i) for i in np.argsort(self.ranks[0], kind="stable")]

    def rows(self) -> list[RankRow]:
        every = enumerate(self.ranks)
        return [
            self._row(k, i) for k, its in every for i in np.argsort(its, kind="stable").tolist()
        ]

    def _row(self, k: int, i: int) -> RankRow:
        row: RankRow = {
            "candidate": self.candidates[i],
            "function": self.functions[k].name,
            "shown": float(self.shown[k, i]),
            "rank": float(self.ranks[k, i]),
            "merit": float(self.merits[k, i]),
        }
        return row if self.own is None else cast("RankRow", {**row, **self.own.row(i)})

    def facts(self) -> dict[str, Any]:
        first = {name: list(first) for name, first in self.first.items()}
        return {"first": first, **(self.own.facts() if self.own is not None else {})}

    @property
    def sentences(self) -> tuple[str, ...]:
        noun, lead = self.nouns.candidate, self.first[self.functions[0].name]
        if len(self.functions) > 1:
            return (winners_in_words(self.first, noun),)
        if self.own is not None:
            return (*self.own.sentences(),)
        others = [others_in_words(lead, self.first, noun)] if len(self.first) > 1 else []
        return (f"{are_first(lead, noun)} by {self.called}.", *others)

    def grid(self) -> Grid:
        if len(self.functions) > MOST_COLUMNS:
            return self._podiums()
        return self._ranks().top(self.shown_top, self.nouns.candidates(len(self.candidates)))

    def document_grid(self) -> Grid | None:
        if len(self.functions) <= MOST_COLUMNS:
            return None
        return self._ranks().top(self.shown_top, self.nouns.candidates(len(self.candidates)))

    def _ranks(self) -> Grid:
        if self.own is not None:
            return self.own.grid(self.ranks[0], self.headings[0])
        if len(self.functions) == 1:
            ranks, shown, heading = self.ranks[0], self.shown[0], self.headings[0]
            noun, total = self.nouns.candidate, heading != self.functions[0].heading
            digits = digits_of(shown, total=total, percent=self.percent)
            return grid_of_one(self.candidates, ranks, shown, heading, noun=noun, digits=digits)
        columns = [Column(name=spoken(f.name), best="low") for f in self.functions]
        order = self.best_first
        cells = ((self.candidates[i], *self.ranks[:, i].tolist()) for i in order)
        odd: set[tuple[int, int]] = set()
        for row, places in enumerate(np.where(self.ranks <= PODIUM, self.ranks, np.inf).T[order]):
            values, number = np.unique(places, return_counts=True)
            usual = values[np.argmax(number)]
            odd |= {(row, k + 1) for k in np.flatnonzero(places != usual).tolist()}
        note = (
            f"* most functions put this {self.nouns.candidate} elsewhere on the podium, or off it"
        )
        legend = (note,) if odd else ()
        return Grid.of(
            (self.nouns.candidate, *columns),
            cells,
            marked=frozenset(odd),
            legend=legend,
            leading=1,
        )

    def _podiums(self) -> Grid:
        """Return who is first, second and third by which functions, the most common first."""
        heads = ("first", "second", "third")[: len(self.candidates)]
        alike: dict[tuple[str, ...], list[str]] = {}
        for f, ranks in zip(self.functions, self.ranks, strict=True):
            least = conversion.ranks(-ranks, convention="min")
            each = [[*compress(self.candidates, least == k)] for k in range(1, len(heads) + 1)]
            podium = (_place(who) for who in each)
            alike.setdefault((*podium,), []).append(spoken(f.name))
        number, same = len(self.functions), sorted(alike.items(), key=lambda item: -len(item[1]))
        cells = (
            (*podium, f"{len(by)} of {number}: {', '.join(by)}" if len(by) > 1 else by[0])
            for podium, by in same
        )
        columns = [*(Column(name=head, key=True) for head in heads), Column(name="by")]
        return Grid.of(columns, cells, legend=("Files and pipes have all ranks.",), leading=1)


def _place(who: Sequence[str]) -> str:
    if not who:
        return ""
    return named(who) if len(who) <= 2 else f"{len(who):,} tied"


def digits_of(shown: npt.ArrayLike, *, total: bool, percent: bool = False) -> int | None:
    """Return how many decimals the numbers of a ranking have: none where totals are whole."""
    if percent:
        return 2
    return None if total and (np.asarray(shown) == np.rint(shown)).all() else 4


def grid_of_one(
    names: Sequence[str],
    ranks: Floats,
    shown: Floats,
    heading: str,
    *,
    noun: str,
    digits: int | None,
) -> Grid:
    """Return ranks and numbers as people write them, best first."""
    column = Column(name=heading, digits=digits, best="high", decided_by=0)
    order = np.argsort(ranks, kind="stable").tolist()
    cells = ((float(ranks[i]), names[i], float(shown[i])) for i in order)
    return Grid.of(("rank", noun, column), cells, leading=1)


def rank(
    table: Any,
    *,
    by: str | RankingFunction | Iterable[str | RankingFunction] | None = None,
    ranks: RankConvention = "mean",
    top: int | None = None,
    **reading: Any,
) -> Ranking:
    """Rank the candidates of a table by one or several ranking functions.

    Parameters
    ----------
    table
        What :func:`deadheat.read` reads; ``reading`` are its options, ``better`` among them.
    by
        A name, several, a :class:`RankingFunction`, or ``"all"``: all that are not slow and fit
        the table. By default ``"average_rank"``; of 0 and 1, and of runs by a rule, the mean.
    ranks
        What tied candidates share: their ``"mean"`` rank, the ``"min"`` or the ``"dense"`` one.
    top
        Show only so many, the best ones, in tables, CSV and TSV; ``rows()`` and JSON have all.

    Examples
    --------
    >>> import deadheat as dh
    >>> table = dh.Results(scores=[[0.9, 0.7], [0.8, 0.6]], candidates=["a", "b"], better="higher")
    >>> dh.rank(table, by="mean").rows()[0]["candidate"]
    'a'
    """
    require_top(top)
    require_known(rank, reading)
    results = read(table, **reading)
    fs, named = functions_for(results, by)
    fs, refusals = usable(results, fs, named)
    if not fs:
        require_usable(results, functions_for(results)[0][0])
    merits, first, ranks_by, shown = [], {}, [], []
    remarks: list[str] = []
    for f, row in zip(fs, observed(results, fs), strict=True):
        undefined = list(compress(results.candidates, np.isnan(row)))
        if undefined:
            raise DataError(
                f"{f.name} gives no merit to {counted(len(undefined), 'candidate')}: "
                f"{listed(undefined, most=5)}.",
                hint="every candidate that is present needs a merit; check its kernel.",
            )
        unit = f.unit(results.scores, results.weights)
        merits.append(row)  # each in its own precision, which decides its ties
        first[f.name] = first_of(results, f, row)
        ranks_by.append(conversion.ranks(row, convention=ranks, unit=unit))
        shown.append(f.shown(row, results))
        remarks += [*size_warnings(results, f, ranks_by[-1]), *remarks_on(results, f)]
    warnings = [*results.notes, *refusals, *winner_is_worst(results, first[fs[0].name])]
    warnings += [*scale_warnings(results, fs), *remarks]
    own = OwnErrors.of(results, merits[0], called=fs[0].called(results)) if len(fs) == 1 else None
    if results.only_score and results.n > 1 and results.standard_errors is None:
        warnings.append(one_score_each(results.nouns))
    shown_top = {} if top is None else {"top": top}
    heading, percent = fs[0].heading_for(results), fs[0].in_percent(results)
    digits = partial(digits_of, total=heading != fs[0].heading, percent=percent)
    return Ranking(
        made=provenance_of(results, function=[f.name for f in fs], ranks=ranks, **shown_top),
        warnings=tuple(dict.fromkeys(warnings)),
        library=results.library,
        candidates=tuple(results.candidates),
        nouns=results.nouns,
        called=fs[0].called(results),
        functions=tuple(fs),
        shown_top=top,
        headings=tuple(f.heading_for(results) for f in fs),
        merits=np.stack(merits).astype(np.float64),
        shown=np.stack(shown),
        own=own,
        ranks=np.stack(ranks_by),
        first=first | (first_by_others(results, fs[0]) if len(fs) == 1 else {}),
        percent=percent,
        boards=boards_of(results, heading, partial(_board, by, ranks), digits=digits),
    )


def _board(by: Any, ranks: RankConvention, part: Results) -> Brief:
    found = rank(part, by=by, ranks=ranks)
    best = found.best_first[0]
    first = found.first[found.functions[0].name]
    level = [name for name in found.level if name not in first]
    return Brief(first, level, float(found.shown[0, best]), found.rows())

"""A table in, a ranking out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from deadheat.data.read import read
from deadheat.data.results import Results
from deadheat.errors import DataError, counted, listed, quoted
from deadheat.ranking import ranks as conversion
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.registry import chosen, functions
from deadheat.ranking.table import affordable, merits_of, remarks_on, require_usable, usable
from deadheat.ranking.words import scale_warnings, winner_is_worst, winners_in_words
from deadheat.result import Column, Grid, Result, made
from deadheat.typing import Booleans, Floats, RankConvention, Row

DEFAULT = "average_rank"
PODIUM = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranking(Result):
    """Hold the merits and ranks of all candidates by one or several ranking functions."""

    schema: ClassVar[str] = "deadheat.rank/1"
    candidates: tuple[str, ...]
    functions: tuple[RankingFunction, ...]
    merits: Floats
    shown: Floats
    ranks: Floats
    winners: Booleans
    others: dict[str, tuple[str, ...]]
    """Who is first by each function that was asked or looked at beside those asked."""

    @property
    def best_first(self) -> list[int]:
        """The candidates in the order of the first function, ties in the order of the table."""
        return [int(i) for i in np.argsort(self.ranks[0], kind="stable")]

    def rows(self) -> list[Row]:
        """Return one record per function and candidate, best first."""
        return [
            {
                "candidate": self.candidates[i],
                "function": f.name,
                "merit": float(self.merits[k, i]),
                "shown": float(self.shown[k, i]),
                "rank": float(self.ranks[k, i]),
            }
            for k, f in enumerate(self.functions)
            for i in np.argsort(self.ranks[k], kind="stable")
        ]

    def facts(self) -> dict[str, Any]:
        """Return who is first by each function."""
        return {"first": {name: list(first) for name, first in self.others.items()}}

    @property
    def verdict(self) -> str:
        """Who is first, under how many functions, and where they disagree."""
        return winners_in_words(self.functions, self.others)

    def grid(self) -> Grid:
        """Return ranks and merits by one function, or the ranks by several side by side."""
        if len(self.functions) == 1:
            return self._grid_of_one()
        columns = [Column(name="candidate")]
        columns += [Column(name=f.name, best="low") for f in self.functions]
        order = self.best_first
        cells = tuple((self.candidates[i], *self.ranks[:, i].tolist()) for i in order)
        odd = self._disagreements()
        marked = frozenset(
            (row, k + 1) for row, i in enumerate(order) for k in np.flatnonzero(odd[:, i]).tolist()
        )
        notes = ("* departs from the usual place of that candidate on the podium",)
        return Grid(
            columns=tuple(columns), cells=cells, marked=marked, notes=notes if marked else ()
        )

    def _grid_of_one(self) -> Grid:
        f = self.functions[0]
        columns = (
            Column(name="rank"),
            Column(name="candidate"),
            Column(name=f.heading, digits=4, best="low" if self._shown_is_cost() else "high"),
        )
        cells = tuple(
            (float(self.ranks[0, i]), self.candidates[i], float(self.shown[0, i]))
            for i in self.best_first
        )
        return Grid(columns=columns, cells=cells)

    def _shown_is_cost(self) -> bool:
        order = self.best_first
        return bool(self.shown[0, order[0]] < self.shown[0, order[-1]])

    def _disagreements(self) -> Booleans:
        """Return where a candidate's place on the podium, or off it, is not its usual one."""
        places = np.where(self.ranks <= PODIUM, self.ranks, np.inf)
        odd = np.zeros(places.shape, dtype=bool)
        for i, column in enumerate(places.T):
            values, counts = np.unique(column, return_counts=True)
            odd[:, i] = column != values[np.argmax(counts)]
        return odd


def rank(
    table: Any,
    *,
    by: str | RankingFunction | Iterable[str | RankingFunction] = DEFAULT,
    ranks: RankConvention = "mean",
    **reading: Any,
) -> Ranking:
    """Rank the candidates of a table by one or several ranking functions.

    Parameters
    ----------
    table
        A :class:`Results`, a path, or any DataFrame; ``reading`` are the options of
        :func:`deadheat.read`, of which ``better`` is required unless the table states it.
    by
        A name, several, a :class:`RankingFunction`, or ``"all"``: all that are not slow and whose
        scale fits the table.
    ranks
        What tied candidates share: their ``"mean"`` rank, the ``"min"`` or the ``"dense"`` one.

    Examples
    --------
    >>> import deadheat as dh
    >>> table = dh.Results(scores=[[0.9, 0.7], [0.8, 0.6]], candidates=["a", "b"], better="higher")
    >>> dh.rank(table, by="mean").rows()[0]["candidate"]
    'a'
    """
    results = read(table, **reading)
    fs = chosen(by)
    asked_for_all = by == "all" or (not isinstance(by, str | RankingFunction) and "all" in list(by))
    refusals: list[str] = []
    if asked_for_all:
        fs, refusals = usable(results, fs)
        if not fs:
            require_usable(results, functions()[0])
    else:
        for f in fs:
            require_usable(results, f)
    found = merits_of(results, fs)
    merits = np.concatenate([found[f.name] for f in fs])
    _require_merits(results, fs, merits)
    return _ranking(results, fs, merits, ranks, refusals)


def first_by(results: Results, fs: Iterable[RankingFunction]) -> dict[str, tuple[str, ...]]:
    """Return who is ranked first by each function: a set, ties are not broken."""
    fs = list(fs)
    found = merits_of(results, fs)
    return {
        f.name: tuple(
            results.candidates[i]
            for i in np.flatnonzero(
                conversion.winners(found[f.name][0], unit=f.unit(results.scores))
            ).tolist()
        )
        for f in fs
    }


def _ranking(
    results: Results,
    fs: list[RankingFunction],
    merits: Floats,
    convention: RankConvention,
    refusals: list[str],
) -> Ranking:
    units = [f.unit(results.scores) for f in fs]
    pairs = list(zip(merits, units, strict=True))
    winners = np.stack([conversion.winners(row, unit=unit) for row, unit in pairs])
    first = {
        f.name: tuple(results.candidates[i] for i in np.flatnonzero(row).tolist())
        for f, row in zip(fs, winners, strict=True)
    }
    warnings = [*results.notes, *refusals]
    for f, row in zip(fs, winners, strict=True):
        warnings += remarks_on(results, f)
        warnings += scale_warnings(results, f) if len(fs) == 1 else []
        warnings += winner_is_worst(results, row) if f is fs[0] else []
    return Ranking(
        made=made(
            function=[f.name for f in fs],
            ranks=convention,
            source=results.source,
            sha256=results.sha256,
            candidates=results.n,
            judges=results.m,
            better=results.direction(),
            missing=results.missing,
            tie_tol=results.tie_tol,
            seed=None,
        ),
        warnings=tuple(dict.fromkeys(warnings)),
        library=results.library,
        candidates=tuple(results.candidates),
        functions=tuple(fs),
        merits=merits,
        shown=np.stack([f.shown(row, results) for f, row in zip(fs, merits, strict=True)]),
        ranks=np.stack(
            [conversion.ranks(row, convention=convention, unit=unit) for row, unit in pairs]
        ),
        winners=winners,
        others=first | (_first_by_others(results, fs[0]) if len(fs) == 1 else {}),
    )


def _first_by_others(results: Results, asked: RankingFunction) -> dict[str, tuple[str, ...]]:
    """Return whom the other functions put first, those that fit the table and are quick on it."""
    others = [f for f in affordable(results) if f is not asked]
    return first_by(results, usable(results, others)[0])


def _require_merits(results: Results, fs: list[RankingFunction], merits: Floats) -> None:
    undefined = np.isnan(merits)
    if undefined.any():
        k, i = np.argwhere(undefined)[0].tolist()
        name = quoted(results.candidates[i])
        if results.has_holes and np.isnan(results.scores[i]).all():
            raise DataError(
                f"{results.source}: candidate {name} has no score at all.",
                hint="leave it out (--missing drop-candidates) or give its failures the worst "
                "score (--missing worst).",
            )
        others = [results.candidates[c] for c in np.flatnonzero(undefined[k]).tolist()]
        raise DataError(
            f"{fs[k].name} gives no merit to {counted(len(others), 'candidate')}: "
            f"{listed(others, most=5)}.",
            hint="check its kernel: every candidate that is present needs a merit.",
        )

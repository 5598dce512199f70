"""A table in, the ranking closest to its judges out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from typing import Any, ClassVar, get_args

import numpy as np

from deadheat.consensus.schema import ConsensusRow
from deadheat.core.errors import DataError, UnknownNameError, UsageError, command_with, named
from deadheat.core.types import Floats, require_top
from deadheat.data.reading.read import read, require_known
from deadheat.data.results import Nouns, Results, provenance_of
from deadheat.models.aggregation.ballots import Ballots, Clock, FoundRanking, Output, Watcher
from deadheat.models.aggregation.objectives import DISTANCES, Distance
from deadheat.output.result import Result
from deadheat.output.table import Column, Grid
from deadheat.output.text import percent
from deadheat.ranking.function import get
from deadheat.ranking.on_tables import require_usable, scores_for

TIME_LIMIT = 60.0
SHOWN = 8  # candidates of a ranking that are named in a sentence
COUNTED = 10**15  # rankings: beyond, their number means nothing to anybody
MEANT = {
    "weak": 'output="weak" lets candidates tie.',
    "strict": 'output="strict" is the default.',
    "method": 'distance="kendall" is Kemeny\'s rule, distance="spearman" Borda\'s.',
}


def consensus(
    table: Any,
    *,
    distance: str = "kendall",
    output: Output = "strict",
    time_limit: float = TIME_LIMIT,
    top: int | None = None,
    progress: Watcher | None = None,
    **reading: Any,
) -> Consensus:
    r"""Return the ranking that is closest to the judges: optimal rank aggregation.

    .. math:: \min_r \sum_k w_k \, d(r, r_k)

    where r_k is the ranking of judge k and w_k its weight.

    Parameters
    ----------
    table
        What :func:`deadheat.read` reads; ``reading`` are its options.
    distance
        ``"kendall"`` (Kemeny's rule, exact), ``"spearman"`` (Borda's, exact), ``"footrule"`` and
        ``"hamming"`` (exact), ``"cayley"`` and ``"euclidean"`` (a search, with a bound).
    output
        ``"strict"``, or ``"weak"`` where candidates may tie: for kendall and spearman.
    time_limit
        Seconds after which the best ranking so far is returned, with the bound and the gap. What
        cannot be stopped runs on, and a warning says so: counting the duels of kendall, and the
        assignment behind footrule and hamming, O(n³).
    top
        Show only so many, the best ones, in tables, CSV and TSV; ``rows()`` and JSON have all.
    progress
        Is called with the best objective so far and its bound whenever one of them is better.

    Examples
    --------
    >>> import deadheat as dh
    >>> votes = [[3, 3, 1], [2, 2, 3], [1, 1, 2]]
    >>> table = dh.Results(scores=votes, candidates=["a", "b", "c"], better="higher")
    >>> found = dh.consensus(table)
    >>> [row["candidate"] for row in found.rows()], found.facts()["objective"]
    (['a', 'b', 'c'], 2.0)
    """
    require_known(consensus, reading, meant=MEANT)
    require_top(top)
    chosen = DISTANCES.named(distance)
    _require_options(chosen, output, time_limit)
    results, limit = read(table, **reading), float(time_limit)
    clock = Clock(limit, watcher=progress)
    ballots = _ballots(results, chosen)
    found = chosen.closest(ballots, output, clock)
    seconds, holes = clock.spent, np.isnan(ballots.scores).any()
    kendall = chosen.name == "kendall"
    how = {"distance": chosen.name, "output": output, "time_limit": limit}
    return Consensus(
        made=provenance_of(results, **how, **({} if top is None else {"top": top})),
        warnings=(*results.notes, *warnings_on(found, time_limit=limit, seconds=seconds)),
        library=results.library,
        candidates=tuple(results.candidates),
        nouns=results.nouns,
        distance=chosen,
        found=found,
        mean_ranks=np.full(results.n, np.nan) if holes else ballots.mean_ranks,
        total=ballots.total,
        pairs=float(np.triu(ballots.contest.common, 1).sum()) if kendall else 0.0,
        ties=kendall and bool(np.triu(ballots.contest.ties, 1).any()),
        seconds=seconds,
        shown_top=top,
    )


def _require_options(chosen: Distance, output: str, time_limit: object) -> None:
    if output not in get_args(Output):
        raise UnknownNameError("output", str(output), get_args(Output))
    if output == "weak" and not chosen.with_ties:
        raise UsageError(
            f"the {chosen.name} distance is minimised over strict rankings only.",
            hint=f"where candidates may tie: {command_with(distance='kendall')}",
        )
    number = isinstance(time_limit, int | float | np.number) and not isinstance(time_limit, bool)
    if not number or math.isnan(float(time_limit)) or float(time_limit) <= 0:  # type: ignore[arg-type]
        raise UsageError(
            f"the time limit must be a number of seconds above 0, got {time_limit!r}.",
            hint=f"a minute, as usual: {command_with(time_limit=60)}",
        )


def _ballots(results: Results, chosen: Distance) -> Ballots:
    """Return the scores of the judges that weigh something, if the distance can use them."""
    f = get("kemeny")
    require_usable(results, f)
    nouns, there = results.nouns, results.weights > 0
    ballots = Ballots(scores_for(results, f)[:, there], results.weights[there])
    if np.isnan(ballots.scores).any() and not chosen.with_holes:
        raise DataError(
            f"the {chosen.name} distance needs the rank of every {nouns.candidate} with every "
            f"{nouns.judge}, and "
            f"{int(np.isnan(ballots.scores).sum()):,} scores are missing.",
            hint=f"by those that know both of a pair: {command_with(distance='kendall')}\n"
            f"with the worst score for a missing one: {command_with(missing='worst')}",
        )
    if not chosen.without_ties:
        return ballots
    tied = (np.diff(np.sort(ballots.ranks, axis=0), axis=0) == 0).any(axis=0)
    if tied.any():
        judge = results.judges[np.flatnonzero(there)[int(np.argmax(tied))]]
        raise DataError(
            f"the {chosen.name} distance is one of strict rankings, and "
            f"{int(tied.sum()):,} of {ballots.scores.shape[1]:,} {nouns.judges()} tie "
            f"{nouns.candidates()}, first {judge!r}.",
            hint=f"by a distance that takes ties: {command_with(distance='kendall')}",
        )
    return ballots


@dataclass(frozen=True, eq=False, kw_only=True)
class Consensus(Result):
    """Hold the ranking closest to the judges, and what is known about how close it is."""

    schema: ClassVar[str] = "deadheat.consensus/1"
    candidates: tuple[str, ...]
    nouns: Nouns
    distance: Distance
    found: FoundRanking
    mean_ranks: Floats  # of the ranks that the judges give; NaN where scores are missing
    total: float  # the weight of all judges
    pairs: float  # the weight of all pairs of candidates, over the judges that know both
    ties: bool  # whether a judge ties candidates
    seconds: float
    shown_top: int | None = None

    @property
    def ranks(self) -> Floats:
        return self.found.ranks

    @property
    def best_first(self) -> list[int]:
        return [int(i) for i in np.argsort(self.ranks, kind="stable")]

    @property
    def optima(self) -> list[list[str]]:
        """All optimal rankings, best candidate first, where they are strict, known and few."""
        orders = [np.argsort(ranks) for ranks in self.found.optima]
        return [[self.candidates[i] for i in order] for order in orders]

    @property
    def winners(self) -> list[str] | None:
        """Everybody who is first in some optimal ranking; None where that is not known."""
        winners = self.found.winners
        return None if winners is None else [self.candidates[i] for i in winners]

    def rows(self) -> list[ConsensusRow]:
        names, ranks = self.candidates, self.ranks.tolist()
        return [{"candidate": names[i], "rank": ranks[i]} for i in self.best_first]

    def facts(self) -> dict[str, Any]:
        found = self.found
        return {
            "distance": self.distance.name,
            "objective": found.objective,
            "bound": found.bound,
            "gap": found.objective - found.bound,
            "status": found.status,
            "unique": found.unique,
            "optima": found.number if found.number and found.number < COUNTED else None,
            "rankings": self.optima,
            "winners": self.winners,
            "all_equal": found.every,
            "mean_distance": found.objective / self.total,
            "seconds": self.seconds,
        }

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(filter(None, (_ranking(self), _closeness(self), _others(self))))

    @property
    def lead(self) -> list[str]:
        return list(compress(self.candidates, self.ranks == self.ranks.min()))

    @property
    def indifferent(self) -> bool:
        """Whether every ranking is as good as another."""
        return self.found.every and self.found.unique is not True

    @property
    def disputed(self) -> bool:
        """Whether it is known that optimal rankings have different winners."""
        return self.found.leads is not None and len(self.found.leads) > 1

    def grid(self) -> Grid:
        known = 2 if np.isnan(self.mean_ranks).any() else 3
        columns = (self.ranks.tolist(), self.candidates, self.mean_ranks.tolist())[:known]
        cells = (tuple(column[i] for column in columns) for i in self.best_first)
        heads = ("rank", self.nouns.candidate, Column(name="average rank", digits=2))
        against = (np.diff(self.mean_ranks[list(self.best_first)]) < 0).any()
        why = "The order is the one closest to all, not that of average ranks."
        legend = (why,) if against else ()
        grid = Grid.of(heads[:known], cells, leading=1, legend=legend)
        return grid.top(self.shown_top, self.nouns.candidates(len(self.candidates)))


def _ranking(result: Consensus) -> str:
    kendall, lead = result.distance.name == "kendall", named(result.lead, most=SHOWN)
    judges = f"the {result.nouns.judges(result.made['judges'])}"
    if result.indifferent:
        why = f"all are as far from {judges}"
        if kendall:
            two = f"every two {result.nouns.candidates()}"
            why = f"for {two}, as much speaks for one order as for the other"
        return f"Every ranking is equally good: {why}."
    tied = ", tied" if len(result.lead) > 1 else ""
    proven = result.found.status == "optimal"
    if proven and result.disputed:
        several = _how_many(result.found.number).capitalize()
        winners = result.winners or []
        many = result.nouns.candidates(len(winners))
        some = many if len(winners) > SHOWN else named(winners, most=SHOWN)
        verb = "disagree least with" if kendall else "are closest to"
        return (
            f"{several} rankings {verb} {judges}, and they differ in who is first: "
            f"each of {some} is first in some of them. The one shown puts {lead} first{tied}."
        )
    what = "The ranking" if proven else "The best ranking found"
    verb = f"is {'closest' if proven else 'close'} to"
    if kendall:
        verb = f"disagrees {'least' if proven else 'little'} with"
    return f"{what} that {verb} {judges} puts {lead} first{tied}."


def _closeness(result: Consensus) -> str:
    found = result.found
    its, it_has = ("The", "Each has") if result.indifferent else ("Its", "It has")
    value = f"{its} distance to them is {_number(found.objective)} ({result.distance.unit})"
    if result.distance.name == "kendall" and result.pairs:
        share = percent(found.objective / result.pairs)
        ties = result.ties or len(np.unique(result.ranks)) < len(result.ranks)
        value = (
            f"{it_has} {_number(found.objective)} disagreements of {_number(result.pairs)} "
            f"possible ({share}{'; a tie counts one half' if ties else ''})"
        )
    if found.status == "optimal":
        return f"{value}, which is proven optimal."
    return f"{value}; no ranking comes below {_number(found.bound)}."


def _others(result: Consensus) -> str:
    found = result.found
    if found.status != "optimal" or result.indifferent or result.disputed:
        return ""
    if found.unique is True:
        return "No other ranking is as good."
    if found.unique is None:
        return "Whether others are as good is not known."
    if found.leads is None:
        return "Other rankings are as good; whether they have the same winner is not known."
    puts = "both put" if found.number == 2 else "all put"
    lead = named(result.lead, most=SHOWN)
    return f"It is one of {_how_many(found.number)} optimal rankings, which {puts} {lead} first."


def warnings_on(found: FoundRanking, *, time_limit: float, seconds: float) -> Iterator[str]:
    gap, limit = found.objective - found.bound, f"the time limit of {time_limit:g} s"
    share = f" ({gap / found.objective:.2%})" if found.objective else ""
    within = f"is at most {_number(gap)}{share} from the optimum."
    if found.status == "time limit":
        yield f"{limit} was reached: this ranking {within}"
    elif found.status == "optimal" and seconds > time_limit:
        yield f"it took {seconds:.3g} s, more than {limit}: this method cannot be stopped half-way."
    elif found.status == "heuristic":
        why = "no quick method is known for this distance"
        yield f"{why}: the ranking comes from a search and {within}"


def _how_many(number: int | None) -> str:
    if number is None:
        return "several"
    return f"{number:,}" if number < COUNTED else "more than 10^15"


def _number(value: float) -> str:
    if value == round(value):
        return f"{value:,.0f}"
    return f"{value:,.1f}" if value >= 1000 else f"{value:.4g}"

"""A table in, the ranking closest to its judges out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np

from deadheat.core.errors import DataError, UnknownNameError, UsageError, named
from deadheat.core.types import Floats, Row
from deadheat.data.reading.read import read, require_known
from deadheat.data.results import Results, made_from
from deadheat.models.aggregation.ballots import Ballots, Clock, Distance, Found, Output, Watcher
from deadheat.models.aggregation.objectives import distance_named
from deadheat.output.result import Result
from deadheat.output.table import Column, Grid
from deadheat.ranking.function import get
from deadheat.ranking.on_tables import require_usable, scores_for

# ------------------------------------------------------------------------------
# What a consensus says, in words, and what its reader must be warned of.

SHOWN = 8  # candidates of a ranking that are named in a sentence
COUNTED = 10**15  # rankings: beyond, their number means nothing to anybody


@dataclass(frozen=True, kw_only=True)
class Words:
    """Put a consensus into words.

    Parameters
    ----------
    lead
        Who is first in the ranking that is shown.
    winners
        Who is first in some optimal ranking, None where that is not known.
    pairs
        The weight of all pairs of candidates, over all judges that know both.
    ties
        Whether a judge, or the ranking, ties candidates.
    """

    distance: Distance
    found: Found
    lead: Sequence[str]
    winners: Sequence[str] | None
    pairs: float
    ties: bool

    def __str__(self) -> str:
        """Return who is first, how close the ranking is to the judges, and if that is proven."""
        parts = (self._ranking(), self._closeness(), self._others())
        return " ".join(filter(None, parts))

    def _ranking(self) -> str:
        """Say who is first, unless that is anybody's guess."""
        if self._anybody:
            return f"Every ranking is equally good: {self._indifferent}."
        proven = self.found.status == "optimal"
        if proven and self._disputed:
            return (
                f"{self._several} {self._verb('', few=True)} the judges, and they differ in who "
                f"is first: {self._each}. The one shown puts {named(self.lead, most=SHOWN)} first"
                f"{self._tied}."
            )
        what = "The ranking" if proven else "The best ranking found"
        return (
            f"{what} that {self._verb('s', few=proven)} the judges puts "
            f"{named(self.lead, most=SHOWN)} first{self._tied}."
        )

    @property
    def _anybody(self) -> bool:
        return self.found.every and self.found.unique is not True

    @property
    def _indifferent(self) -> str:
        if self.distance.name == "kendall":
            return "for every two candidates, as much speaks for one order as for the other"
        return "all are as far from the judges"

    @property
    def _disputed(self) -> bool:
        """Whether it is known that optimal rankings have different winners."""
        return self.found.leads is not None and len(self.found.leads) > 1

    @property
    def _several(self) -> str:
        number = self.found.number
        several = "several" if number is None else _counted(number)
        return f"{several[0].upper()}{several[1:]} rankings"

    @property
    def _each(self) -> str:
        winners = self.winners or ()
        if len(winners) > SHOWN:
            return f"each of {len(winners):,} candidates is first in some of them"
        return f"each of {named(winners, most=SHOWN)} is first in some of them"

    @property
    def _tied(self) -> str:
        return ", tied" if len(self.lead) > 1 else ""

    def _verb(self, ending: str, *, few: bool) -> str:
        if self.distance.name == "kendall":
            return f"disagree{ending} {'least' if few else 'little'} with"
        return f"{'is' if ending else 'are'} {'closest' if few else 'close'} to"

    def _closeness(self) -> str:
        found = self.found
        its, it_has = ("The", "Each has") if self._anybody else ("Its", "It has")
        value = f"{its} distance to them is {_number(found.objective)} ({self.distance.unit})"
        if self.distance.name == "kendall" and self.pairs:
            share = f"{found.objective / self.pairs:.1%}"
            share += "; a tie counts one half" if self.ties else ""
            value = (
                f"{it_has} {_number(found.objective)} disagreements of {_number(self.pairs)} "
                f"possible ({share})"
            )
        if found.status == "optimal":
            return f"{value}, which is proven optimal."
        return f"{value}; no ranking comes below {_number(found.bound)}."

    def _others(self) -> str:
        found = self.found
        if found.status != "optimal" or self._anybody or self._disputed:
            return ""
        if found.unique is True:
            return "No other ranking is as good."
        if found.unique is None:
            return "Whether others are as good is not known."
        if found.leads is None:
            return "Other rankings are as good; whether they have the same winner is not known."
        puts = "both put" if found.number == 2 else "all put"
        one = "one of several" if found.number is None else f"one of {_counted(found.number)}"
        return f"It is {one} optimal rankings, which {puts} {named(self.lead, most=SHOWN)} first."


def warnings_on(found: Found, *, time_limit: float, seconds: float) -> Iterator[str]:
    """Warn where the ranking is not proven to be the closest one, or took longer than allowed."""
    gap = found.objective - found.bound
    share = f" ({gap / found.objective:.2%})" if found.objective else ""
    if found.status == "time limit":
        yield (
            f"the time limit of {time_limit:g} s was reached: this ranking is at most "
            f"{_number(gap)}{share} from the optimum."
        )
    elif found.status == "optimal" and seconds > time_limit:
        yield (
            f"it took {seconds:.3g} s, more than the time limit of {time_limit:g} s: this method "
            "cannot be stopped half-way."
        )
    elif found.status == "heuristic":
        yield (
            f"no quick method is known for this distance: the ranking comes from a search and is "
            f"at most {_number(gap)}{share} from the optimum."
        )


def _counted(number: int) -> str:
    return f"{number:,}" if number < COUNTED else "more than 10^15"


def _number(value: float) -> str:
    """Return a number as people write it: whole ones whole, others to four digits."""
    if value == round(value):
        return f"{value:,.0f}"
    return f"{value:,.1f}" if value >= 1000 else f"{value:.4g}"


# ------------------------------------------------------------------------------

TIME_LIMIT = 60.0
MEANT = {
    "weak": 'output="weak" lets candidates tie.',
    "strict": 'output="strict" is the default.',
    "method": 'distance="kendall" is Kemeny\'s rule, distance="spearman" Borda\'s.',
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Consensus(Result):
    """Hold the ranking closest to the judges, and what is known about how close it is."""

    schema: ClassVar[str] = "deadheat.consensus/1"
    candidates: tuple[str, ...]
    distance: Distance
    found: Found
    mean_ranks: Floats
    """The mean of the ranks that the judges give, for comparison; NaN where scores are missing."""
    total: float
    """The weight of all judges."""
    pairs: float
    """The weight of all pairs of candidates, over the judges that know both."""
    ties: bool
    """Whether a judge ties candidates."""
    seconds: float

    @property
    def ranks(self) -> Floats:
        """The rank of each candidate, in the order of the table."""
        return self.found.ranks

    @property
    def best_first(self) -> list[int]:
        """The candidates in the order of the ranking, ties in the order of the table."""
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

    def rows(self) -> list[Row]:
        """Return one record per candidate, best first."""
        return [
            {"candidate": self.candidates[i], "rank": float(self.ranks[i])} for i in self.best_first
        ]

    def facts(self) -> dict[str, Any]:
        """Return the objective, its bound, and what is known of other optimal rankings."""
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
    def verdict(self) -> str:
        """Who is first, how close the ranking is, whether that is proven, and if others are."""
        first = np.flatnonzero(self.ranks == self.ranks.min()).tolist()
        lead = [self.candidates[i] for i in first]
        words = Words(
            distance=self.distance,
            found=self.found,
            lead=lead,
            winners=self.winners,
            pairs=self.pairs,
            ties=self.ties or len(np.unique(self.ranks)) < len(self.ranks),
        )
        return str(words)

    def grid(self) -> Grid:
        """Return the ranks beside the mean ranks that the judges give."""
        columns = [Column(name="rank"), Column(name="candidate")]
        known = not np.isnan(self.mean_ranks).any()
        if known:
            columns.append(Column(name="mean rank", digits=4))
        cells = [
            (float(self.ranks[i]), self.candidates[i], float(self.mean_ranks[i]))[: len(columns)]
            for i in self.best_first
        ]
        return Grid(columns=tuple(columns), cells=tuple(cells))


def consensus(
    table: Any,
    *,
    distance: str = "kendall",
    output: Output = "strict",
    time_limit: float = TIME_LIMIT,
    progress: Watcher | None = None,
    **reading: Any,
) -> Consensus:
    r"""Return the ranking that is closest to the judges: optimal rank aggregation.

    .. math:: \min_r \sum_k w_k \, d(r, r_k)

    where r_k is the ranking of judge k and w_k its weight.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`.
    distance
        ``"kendall"`` (Kemeny's rule, exact), ``"spearman"`` (Borda's, exact), ``"footrule"`` and
        ``"hamming"`` (exact), ``"cayley"`` and ``"euclidean"`` (a search, with a bound).
    output
        ``"strict"``, or ``"weak"`` where candidates may tie: for kendall and spearman.
    time_limit
        Seconds after which the best ranking so far is returned, with the bound and the gap. What
        cannot be stopped runs on, and a warning says so: counting the duels of kendall, and the
        assignment behind footrule and hamming, O(n³).
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
    chosen = distance_named(distance)
    _require_options(chosen, output, time_limit)
    results = read(table, **reading)
    clock = Clock(float(time_limit), watcher=progress)
    ballots = _ballots(results, chosen)
    found = chosen.closest(ballots, output, clock)
    seconds = clock.spent
    holes = np.isnan(ballots.scores).any()
    return Consensus(
        made=made_from(results, distance=chosen.name, output=output, time_limit=float(time_limit)),
        warnings=(
            *results.notes,
            *warnings_on(found, time_limit=float(time_limit), seconds=seconds),
        ),
        library=results.library,
        candidates=tuple(results.candidates),
        distance=chosen,
        found=found,
        mean_ranks=np.full(results.n, np.nan) if holes else ballots.mean_ranks,
        total=ballots.total,
        pairs=float(np.triu(ballots.contest.common, 1).sum()) if chosen.name == "kendall" else 0.0,
        ties=chosen.name == "kendall" and bool(np.triu(ballots.contest.ties, 1).any()),
        seconds=seconds,
    )


def _require_options(chosen: Distance, output: str, time_limit: object) -> None:
    if output not in get_args(Output):
        raise UnknownNameError("output", str(output), get_args(Output))
    if output == "weak" and not chosen.with_ties:
        raise UsageError(
            f"the {chosen.name} distance is minimised over strict rankings only.",
            hint='only kendall and spearman have output="weak" (--weak).',
        )
    number = isinstance(time_limit, int | float | np.number) and not isinstance(time_limit, bool)
    if not number or math.isnan(float(time_limit)) or float(time_limit) <= 0:  # type: ignore[arg-type]
        raise UsageError(
            f"the time limit must be a number of seconds above 0, got {time_limit!r}.",
            hint="e.g. time_limit=60 (--time-limit 60).",
        )


def _ballots(results: Results, chosen: Distance) -> Ballots:
    """Return the scores of the judges that weigh something, if the distance can use them."""
    f = get("kemeny")
    require_usable(results, f)
    there = results.weights > 0
    ballots = Ballots(scores_for(results, f)[:, there], results.weights[there])
    if np.isnan(ballots.scores).any() and not chosen.with_holes:
        raise DataError(
            f"the {chosen.name} distance needs the rank of every candidate with every judge, and "
            f"{int(np.isnan(ballots.scores).sum()):,} scores are missing.",
            hint="choose another policy, e.g. --missing worst, or --distance kendall, which "
            "compares every pair on the judges that know both.",
        )
    if chosen.without_ties:
        _require_no_ties(results, ballots, chosen)
    return ballots


def _require_no_ties(results: Results, ballots: Ballots, chosen: Distance) -> None:
    tied = (ballots.ranks != np.rint(ballots.ranks)) | _shared(ballots.ranks)
    if tied.any():
        judge = np.flatnonzero(results.weights > 0)[int(np.argmax(tied.any(axis=0)))]
        raise DataError(
            f"the {chosen.name} distance is one of strict rankings, and "
            f"{int(tied.any(axis=0).sum()):,} of {ballots.scores.shape[1]:,} judges tie "
            f"candidates, first {results.judges[judge]!r}.",
            hint="choose another distance, e.g. --distance kendall.",
        )


def _shared(ranks: Floats) -> Any:
    """Return which ranks another candidate has too, judge by judge."""
    ordered = np.sort(ranks, axis=0)
    twice = np.zeros(ranks.shape, dtype=bool)
    twice[1:] = ordered[1:] == ordered[:-1]
    return twice

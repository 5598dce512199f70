"""A table in, everything that the page tells about it out, within a bounded time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import numpy as np

from deadheat.agree.api import Agreement, agreement
from deadheat.check.api import Check, check
from deadheat.core.errors import DataError, UsageError, command_with, counted, listed
from deadheat.criteria.api import criteria
from deadheat.criteria.result import Criteria
from deadheat.data.battles import Battles
from deadheat.data.reading.read import (
    OF_LOGS,
    OF_TABLES,
    is_battle_log,
    peekable,
    read,
    read_runs,
    read_with_holes,
    require_known,
)
from deadheat.data.results import Results
from deadheat.data.runs import Runs
from deadheat.influence.api import Influence, Removals, removals
from deadheat.output.result import Listing, Result
from deadheat.output.text import ELLIPSIS
from deadheat.rank.api import Ranking, rank
from deadheat.ranking.official import official_of
from deadheat.rate.api import rate
from deadheat.rate.result import Ratings
from deadheat.rate.source import read_for_rating
from deadheat.rate.tournaments import RatingParts
from deadheat.report.live import CELLS as CARRIED
from deadheat.report.live import live, live_ratings
from deadheat.report.methods import Methods, methods
from deadheat.resampling.engines import Progress
from deadheat.verdict.api import verdict
from deadheat.verdict.result import Verdict

# ------------------------------------------------------------------------------
# How much a page may cost: what is computed for a table of a size, whoever has it.
#
# Only the size of a table decides, never a clock: the same table gives the same page everywhere.

REPLICATES, FEWEST_REPLICATES = 10_000, 2_000
DRAWS = 200_000_000  # judges that are drawn in all
CELLS = 25_000_000  # cells of resampled tables that ranking functions are measured on
TRIALS, FEWEST_TRIALS = 10_000, 50
REPEATS = 10
MATCHES = 2_000_000  # n n m of tables that are rated
CHECKED = 6_000_000  # n n m of tables that ranking functions are tried on beside the chosen one
REMOVED = 1_000_000_000  # n n m of rankings without one candidate
PAIRS = 25_000_000  # numbers looked at for pairs of candidates
MOST_TRIED = 1_000  # candidates: beyond, ranking functions take time by their third power
MOST_PAIRED = 40  # candidates of which every pair is told
MOST_LISTED = 300  # candidates of which every pair stands in a table
MOST_IN_GRAPH = 150  # candidates of which the majorities are drawn
MOST_TESTS = 50_000  # tests that are listed
LARGE = "on so large a table"


class Budget(NamedTuple):
    replicates: int
    trials: int  # of the comparison of ranking functions
    repeats: int
    agreement: bool
    ratings: bool
    check: bool
    removals: bool
    paired: int  # candidates, best first, of which every pair is told
    listed: bool  # in a table of every pair
    graph: bool  # of majorities
    told: tuple[str, ...]  # what is less than usual, in sentences


def budget_of(n: int, m: int, replicates: int | None = None) -> Budget:
    """Return what is affordable in about twenty seconds, and ``replicates`` of anything at most."""
    resamples = min(REPLICATES, max(FEWEST_REPLICATES, DRAWS // m))
    resamples = resamples if replicates is None else replicates
    trials = int(CELLS / (n * m * (1 + n / 100)))
    trials = 0 if trials < FEWEST_TRIALS or n > MOST_TRIED else min(TRIALS, trials)
    trials = trials if replicates is None else min(trials, max(1, replicates))
    ratings = n * n * m <= MATCHES
    check = n <= MOST_TRIED and n * m <= CHECKED and n * n * m <= 100 * CHECKED
    agreement = n * m <= CHECKED
    removals = n <= MOST_TRIED and n * n * m <= REMOVED
    listed, graph = n <= MOST_LISTED, n <= MOST_IN_GRAPH
    paired = min(n, MOST_PAIRED, max(3, int((2 * PAIRS / (resamples + 3 * n * m)) ** 0.5)))
    fewer = counted(trials, "resampled table")
    told = {
        f"{resamples:,} resamples instead of {REPLICATES:,}, as there are many judges.": (
            replicates is None and resamples < REPLICATES
        ),
        f"Ranking functions are compared on {fewer} instead of {TRIALS:,}.": 0 < trials < TRIALS,
        f"Ranking functions are not compared {LARGE}: see deadheat criteria.": not trials,
        f"Candidates are not rated {LARGE}: see deadheat rate.": not ratings,
        f"The data are not checked {LARGE}: see deadheat check.": not check,
        f"Judges are not compared {LARGE}: see deadheat agree.": not agreement,
        f"Candidates are not left out one at a time {LARGE}.": not removals,
        f"Pairs are told of the {paired} best candidates of {n:,}.": paired < n,
        f"The {n * (n - 1) // 2:,} pairs are not listed: see deadheat verdict.": not listed,
        "The graph of majorities is left out for so many candidates.": not graph,
    }
    less = tuple(sentence for sentence, applies in told.items() if applies)
    repeats = max(1, min(REPEATS, trials // 100))
    removals = removals and n > 2
    return Budget(
        resamples, trials, repeats, agreement, ratings, check, removals, paired, listed, graph, less
    )


# ------------------------------------------------------------------------------
# A name stands in every table, picture and sentence, so that its length multiplies the size of a
# page: very long ones are shortened before anything is computed, and told in full once.

LONGEST = 160  # letters of a name on a page
_ABSOLUTE = re.compile(r"^(--[\w-]+=|-\w)?(/|~|[A-Za-z]:[\\/]|\\\\)(.*[\\/])?(?=[^\\/])")
_NOUNS = {"strata": "stratum", "clusters": "cluster", "instances": "instance"}
NOUNS: dict[type, dict[str, str]] = {
    Results: {"candidates": "candidate", "judges": "judge", **_NOUNS},
    Runs: {"candidates": "candidate", **_NOUNS},
    Battles: {"candidates": "candidate", "category_names": "category"},
}
Source = TypeVar("Source", bound=Results | Runs | Battles)


class FullNames(Listing):
    schema: ClassVar[str] = "deadheat.names/1"


def with_short_names(source: Source) -> tuple[Source, dict[str, dict[str, str]]]:
    """Return the data with short names and the same hash, and names in full by kind and short."""
    changes: dict[str, tuple[str, ...]] = {}
    full: dict[str, dict[str, str]] = {}
    for part, kind in NOUNS[type(source)].items():
        names: Sequence[str] = getattr(source, part) or ()
        if any(len(name) > LONGEST for name in names):
            short = short_names(names)
            changes[part] = tuple(short[name] for name in names)
            full[kind] = {new: old for old, new in short.items() if new != old}
    if not changes:
        return source, {}
    copy = cast("Source", source.changed(**changes))
    if not isinstance(source, Runs):
        vars(copy)["sha256"] = source.sha256  # takes the place of the cached property
    return copy, full


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return a name of at most ``LONGEST`` letters for each, cut in the middle, all different."""
    taken = {name for name in names if len(name) <= LONGEST}
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        short, more = name, 1
        while len(short) > LONGEST or (name != short and short in taken):
            mark = ELLIPSIS if more == 1 else f"{ELLIPSIS}({more}){ELLIPSIS}"
            left = LONGEST - len(mark)
            short = name[: left - left // 2] + mark + name[len(name) - left // 2 :]
            more += 1
        found[name] = short
        taken.add(short)
    return found


def without_folders(command: Sequence[str]) -> list[str]:
    """Return the words of a command, files by their names alone where their path is absolute."""
    return [_ABSOLUTE.sub(lambda found: found[1] or "", str(word), count=1) for word in command]


STEPS, STEP = 9, 1000  # of the page, and parts that a step is told in
STDIN = "-"


@dataclass(frozen=True, eq=False, kw_only=True)
class Contents:
    """Hold the results that a page tells; what does not apply is None."""

    title: str
    table: Results | None = None  # that is ranked, and no battle log
    runs: Runs | None = None
    verdict: Verdict | None = None
    ranking: Ranking | None = None  # where one judge leaves nothing to resample
    criteria: Criteria | None = None
    agreement: Agreement | None = None
    ratings: Ratings | RatingParts | None = None
    check: Check | None = None
    removals: Removals | None = None
    live: Mapping[str, Any] | None = None  # what a browser needs to run the race again
    carries: bool = False  # whether the page has the table itself
    budget: Budget | None = None
    left_out: tuple[str, ...] = ()  # to keep time and size bounded, in sentences
    also_made: Mapping[str, Any] = field(default_factory=dict)  # such as the command
    full_names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by kind and short

    @property
    def influence(self) -> Influence | None:
        return None if self.verdict is None else self.verdict.influence

    @property
    def has_all_pairs(self) -> bool:
        """Whether there are tests of all pairs that pictures can show."""
        v = self.verdict
        return v is not None and v.all_pairs is not None and v.tested

    @property
    def names(self) -> tuple[str, ...]:
        if self.table is not None:
            return (*self.table.candidates, *map(str, self.table.judges))
        r = self.ratings
        parts = list(r.parts.values()) if isinstance(r, RatingParts) else [r] if r else []
        return tuple(dict.fromkeys(name for part in parts for name in part.candidates))

    @property
    def main(self) -> Result:
        found = self.verdict or self.ranking or self.ratings
        assert found is not None
        return found

    @cached_property
    def results(self) -> dict[str, Result]:
        names = "verdict ranking influence removals criteria agreement ratings check"
        found = {name: getattr(self, name) for name in names.split()}
        return {name: each for name, each in found.items() if each is not None}

    @cached_property
    def methods(self) -> Methods | None:
        """What was done, for a paper; None where one judge left nothing to do."""
        if self.verdict is None and self.ratings is None:
            return None
        others = "influence removals criteria agreement ratings runs"
        return methods(self.verdict, **{name: getattr(self, name) for name in others.split()})


def contents_of(
    source: Any,
    *,
    of_table: dict[str, Any],
    columns: dict[str, Any],
    common: dict[str, Any],
    title: str | None,
    replicates: int | None,
    strict: bool,
    data: bool,
    progress: Progress | None,
    reading: dict[str, Any],
    question: Callable[..., Any],
) -> Contents:
    """Compute what a page tells: options of verdicts, columns of ratings, and options of both."""

    def tell(step: int, part: int = 0, number: int = 1) -> None:
        if progress is not None:
            progress(STEP * step + STEP * part // max(number, 1), STEPS * STEP)

    with peekable(source, reading) as file:
        if any(columns.values()) or is_battle_log(file, reading):
            if said := [name for name, value in of_table.items() if value is not None]:
                raise UsageError(
                    f"{listed(said)}: a battle log is rated, as are tournaments, and this says "
                    "nothing about ratings.",
                    hint=f"without: {command_with(**dict.fromkeys(said))}",
                )
            asked = {"replicates": replicates, "strict": strict, **common, **columns}
            return _rating_contents(file, title, asked, reading)
        require_known(question, reading)
        whole = read_with_holes(file, **reading)
    raw, full_names = with_short_names(whole)
    by = of_table["by"]
    order = official_of(of_table["official"], whole) if full_names else None
    if order is not None:
        ranks = zip(raw.candidates, order.ranks, strict=True)
        of_table["official"] = {name: float(rank) for name, rank in ranks if not np.isnan(rank)}
    with_parts = read(raw)
    table = with_parts.whole()
    budget = budget_of(table.n, table.m, replicates)
    short: dict[str, Any] = {"left_out": budget.told, "full_names": full_names}
    shape = f"{table.nouns.candidates(table.n)} on {table.judged_on}"
    carries = data and table.n * table.m <= CARRIED
    first = Contents(
        title=title or table.title or shape, table=table, budget=budget, carries=carries, **short
    )
    left_out = list(budget.told)
    tell(1)
    if np.count_nonzero(table.weights) < 2 and table.n > 1:
        ranking = rank(table, by=by)
        runs = _runs(source, reading, table)
        return replace(first, ranking=ranking, check=check(raw, by=by), runs=runs)
    v = verdict(
        with_parts,
        strict=strict,
        replicates=replicates if budget.replicates == REPLICATES else budget.replicates,
        progress=partial(tell, 1),
        **of_table,
        **common,
    )
    if v.influence is None:
        left_out.append(f"Judges are not left out one at a time {LARGE}: see deadheat influence.")
    seed, engine = common["seed"], common["engine"]
    trials: dict[str, Any] = {"trials": budget.trials, "repeats": budget.repeats}
    compared = partial(criteria, table, **trials, seed=seed, engine=engine)
    removed = partial(removals, table, by=v.function)
    parts: dict[str, tuple[str, object, Callable[[], Result]]] = {
        "agreement": ("the map of judges", budget.agreement, partial(agreement, table, seed=seed)),
        "criteria": ("the comparison of ranking functions", budget.trials, compared),
        "ratings": ("ratings", budget.ratings, partial(rate, table, **common)),
        "check": ("the check of the data", budget.check, partial(check, raw, by=by)),
        "removals": ("removing candidates", budget.removals, removed),
    }
    results: dict[str, Any] = {}
    for step, (name, (what, affordable, make)) in enumerate(parts.items(), start=2):
        tell(step)
        try:
            results[name] = make() if affordable else None
        except (DataError, UsageError) as error:
            left_out.append(f"There is no section on {what}: {error.fact}")
    tell(STEPS - 1)
    asked = {"strict": strict, "alpha": common["alpha"], "engine": engine}
    results |= {"runs": _runs(source, reading, table), "live": live(v, data=data, **asked)}
    return replace(first, verdict=v, left_out=tuple(left_out), **results)


def _rating_contents(
    source: Any, title: str | None, asked: dict[str, Any], reading: dict[str, Any]
) -> Contents:
    of_source = {name: value for name, value in reading.items() if name in OF_LOGS | OF_TABLES}
    of_ratings = {name: value for name, value in reading.items() if name not in of_source}
    ordered = of_ratings.get("model") in ("elo", "gaussian")
    whole = read_for_rating(source, of_source, asked["tournament"], asked["round"], ordered=ordered)
    short, full_names = with_short_names(whole)
    ratings = rate(short, **asked, **of_ratings)
    battles = counted(ratings.made["battles"], "battle") if ratings.made.get("battles") else ""
    shape = "Ratings of " + " in ".join(
        filter(None, (counted(_rated(ratings), "candidate"), battles))
    )
    drawn = live_ratings(ratings) if isinstance(ratings, Ratings) else None
    title = title or whole.title or shape
    return Contents(title=title, ratings=ratings, live=drawn, full_names=full_names)


def _rated(ratings: Ratings | RatingParts) -> int:
    parts = ratings.parts.values() if isinstance(ratings, RatingParts) else (ratings,)
    return len({name for part in parts for name in part.candidates})


def _runs(source: Any, reading: dict[str, Any], table: Results) -> Runs | None:
    """Return the runs behind a scored table, where they can be read a second time."""
    if isinstance(source, Runs):
        return with_short_names(source)[0]
    once = isinstance(source, Results) or hasattr(source, "read")
    if not table.rule or once or (isinstance(source, str) and source == STDIN):
        return None
    whole = {name: value for name, value in reading.items() if name != "each"}
    return with_short_names(read_runs(source, **whole))[0]

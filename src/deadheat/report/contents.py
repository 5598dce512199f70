"""A table in, everything that the page tells about it out, within a bounded time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from deadheat.agree.api import Agreement, agreement
from deadheat.check.api import Check, check
from deadheat.core.errors import DataError, UsageError, counted, listed
from deadheat.criteria.api import criteria
from deadheat.criteria.result import Criteria
from deadheat.data.battles import Battles
from deadheat.data.reading.read import is_battle_log, opened, read, read_runs, understood
from deadheat.data.results import Results
from deadheat.data.runs import Runs
from deadheat.influence.api import Influence, Removals, removals
from deadheat.output.result import Listing, Result
from deadheat.output.text import ELLIPSIS
from deadheat.rank.api import Ranking, rank
from deadheat.rate.api import rate
from deadheat.rate.result import Ratings
from deadheat.rate.source import OF_LOGS, OF_TABLES, read_rated
from deadheat.rate.tournaments import RatingParts
from deadheat.report.methods import Methods, methods
from deadheat.resampling.replicate import Progress
from deadheat.verdict.api import verdict
from deadheat.verdict.official import official_ranks
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


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Hold what is affordable for a table of n candidates and m judges."""

    replicates: int
    trials: int
    """Of the comparison of ranking functions; 0 for none."""
    repeats: int
    agreement: bool
    ratings: bool
    check: bool
    removals: bool
    paired: int
    """How many candidates, best first, every pair is told of."""
    listed: bool
    """Whether there is a table of every pair."""
    graph: bool
    """Whether the majorities are drawn."""
    told: tuple[str, ...]
    """What is less than usual, in sentences."""


def budget_of(n: int, m: int, replicates: int | None = None) -> Budget:
    """Return what is affordable in about twenty seconds; no more than ``replicates`` of anything.

    >>> budget_of(10, 20).told
    ()
    >>> budget_of(30, 100_000).replicates, budget_of(30, 100_000).trials
    (2000, 0)
    """
    told: list[str] = []
    drawn = replicates
    if drawn is None:
        drawn = min(REPLICATES, max(FEWEST_REPLICATES, DRAWS // m))
        if drawn < REPLICATES:
            told.append(f"{drawn:,} resamples instead of {REPLICATES:,}, as there are many judges.")
    trials = int(CELLS / (n * m * (1 + n / 100)))
    trials = 0 if trials < FEWEST_TRIALS or n > MOST_TRIED else min(TRIALS, trials)
    trials = trials if replicates is None else min(trials, max(1, replicates))
    repeats = max(1, min(REPEATS, trials // 100))
    if 0 < trials < TRIALS:
        told.append(
            f"Ranking functions are compared on {counted(trials, 'resampled table')} instead of "
            f"{TRIALS:,}."
        )
    ratings = n * n * m <= MATCHES
    check = n <= MOST_TRIED and n * m <= CHECKED and n * n * m <= 100 * CHECKED
    agreement = n * m <= CHECKED
    removals = n <= MOST_TRIED and n * n * m <= REMOVED
    left_out = (
        (trials > 0, "Ranking functions are not compared", ": see deadheat criteria"),
        (ratings, "Candidates are not rated", ": see deadheat rate"),
        (check, "The data are not checked", ": see deadheat check"),
        (agreement, "Judges are not compared", ": see deadheat agree"),
        (removals, "Candidates are not left out one at a time", ""),
    )
    told += [f"{what} on so large a table{see}." for has, what, see in left_out if not has]
    paired = min(n, MOST_PAIRED, max(3, int((2 * PAIRS / (drawn + 3 * n * m)) ** 0.5)))
    if paired < n:
        told.append(f"Pairs are told of the {paired} best candidates of {n:,}.")
    if n > MOST_LISTED:
        told.append(f"The {n * (n - 1) // 2:,} pairs are not listed: see deadheat verdict.")
    if n > MOST_IN_GRAPH:
        told.append("The graph of majorities is left out for so many candidates.")
    return Budget(
        replicates=drawn,
        trials=trials,
        repeats=repeats,
        agreement=agreement,
        ratings=ratings,
        check=check,
        removals=removals and n > 2,
        paired=paired,
        listed=n <= MOST_LISTED,
        graph=n <= MOST_IN_GRAPH,
        told=tuple(told),
    )


# ------------------------------------------------------------------------------
# The names on a page: very long ones are shortened before anything is computed, and told once.
#
# A name stands in every table, picture and sentence, so that its length multiplies the size of a
# page. Shortened at the source, it cannot.

LONGEST = 160  # letters of a name on a page
_ABSOLUTE = re.compile(r"(--[\w-]+=|-\w)?(/|~|[A-Za-z]:[\\/]|\\\\)(.*[\\/])?(?=[^\\/])")
NOUNS_OF_TABLES = {
    "candidates": "candidate",
    "judges": "judge",
    "strata": "stratum",
    "clusters": "cluster",
    "instances": "instance",
}
NOUNS_OF_RUNS = {name: noun for name, noun in NOUNS_OF_TABLES.items() if name != "judges"}
NOUNS_OF_BATTLES = {"candidates": "candidate", "category_names": "category"}

Source = TypeVar("Source", bound=Results | Runs | Battles)


class FullNames(Listing):
    """The names that a page shortens, and what they are in full."""

    schema: ClassVar[str] = "deadheat.names/1"


def with_short_names(source: Source) -> tuple[Source, dict[str, dict[str, str]]]:
    """Return the data with names of bounded length, and the names in full by kind and short name.

    The hash of the data stays that of the data as they came.
    """
    known = {Results: NOUNS_OF_TABLES, Runs: NOUNS_OF_RUNS, Battles: NOUNS_OF_BATTLES}[type(source)]
    changes: dict[str, tuple[str, ...]] = {}
    full: dict[str, dict[str, str]] = {}
    for part, kind in known.items():
        names: Sequence[str] = getattr(source, part) or ()
        if any(len(name) > LONGEST for name in names):
            short = shortened(names)
            changes[part] = tuple(short[name] for name in names)
            full[kind] = {new: old for old, new in short.items() if new != old}
    if not changes:
        return source, {}
    copy = cast("Source", source.changed(**changes))
    if not isinstance(source, Runs):
        vars(copy)["sha256"] = source.sha256  # takes the place of the cached property
    return copy, full


def shortened(names: Sequence[str]) -> dict[str, str]:
    """Return a name of at most ``LONGEST`` letters for each, cut in the middle, all different.

    >>> found = shortened(["a" * 500, "b"])
    >>> len(found["a" * 500]), found["b"]
    (160, 'b')
    """
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


def official_of(given: Any, names: Sequence[str], short: Sequence[str]) -> Mapping[str, float]:
    """Return the official ranks by the short names."""
    ranks = official_ranks(given, names)
    return {
        name: float(rank) for name, rank in zip(short, ranks, strict=True) if not np.isnan(rank)
    }


def without_folders(command: Sequence[str]) -> list[str]:
    """Return the words of a command, files by their names alone where their path is absolute.

    >>> without_folders(["deadheat", "report", "/my/own/a.csv", "-o", "out/b.html"])
    ['deadheat', 'report', 'a.csv', '-o', 'out/b.html']
    """
    return [
        _ABSOLUTE.sub(lambda found: found[1] or "", str(word), count=1)
        if _ABSOLUTE.match(str(word))
        else str(word)
        for word in command
    ]


# ------------------------------------------------------------------------------

STEPS, STEP = 8, 1000  # of the page, and parts that a step is told in
STDIN = "-"


@dataclass(frozen=True, eq=False, kw_only=True)
class Contents:
    """Hold the results that a page tells; what does not apply is None.

    Attributes
    ----------
    table
        The table that is ranked; None for a battle log.
    ranking
        The ranking alone, where one judge leaves nothing to resample.
    left_out
        What was left out or made smaller to keep time and size bounded, in sentences.
    also_made
        What else is known about how it was made, such as the command.
    full_names
        What was too long for a page and is shortened on it, by kind and short name.
    """

    source: str
    title: str
    table: Results | None = None
    runs: Runs | None = None
    verdict: Verdict | None = None
    ranking: Ranking | None = None
    criteria: Criteria | None = None
    agreement: Agreement | None = None
    ratings: Ratings | RatingParts | None = None
    check: Check | None = None
    removals: Removals | None = None
    budget: Budget | None = None
    left_out: tuple[str, ...] = ()
    also_made: Mapping[str, Any] = field(default_factory=dict)
    full_names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def influence(self) -> Influence | None:
        """What leaving out one judge at a time changes."""
        return None if self.verdict is None else self.verdict.influence

    @property
    def has_all_pairs(self) -> bool:
        """Whether there are tests of all pairs that pictures can show."""
        v = self.verdict
        return v is not None and v.all_pairs is not None and v.tested

    @property
    def names(self) -> tuple[str, ...]:
        """The names of candidates and judges."""
        if self.table is not None:
            return (*self.table.candidates, *map(str, self.table.judges))
        if self.ratings is None:
            return ()
        parts = self.ratings.parts if isinstance(self.ratings, RatingParts) else {"": self.ratings}
        return tuple(dict.fromkeys(name for part in parts.values() for name in part.candidates))

    @property
    def main(self) -> Result:
        """The result that the page is about."""
        found = self.verdict or self.ranking or self.ratings
        assert found is not None
        return found

    @cached_property
    def results(self) -> dict[str, Result]:
        """All results by name."""
        found = {
            "verdict": self.verdict,
            "ranking": self.ranking,
            "influence": self.influence,
            "removals": self.removals,
            "criteria": self.criteria,
            "agreement": self.agreement,
            "ratings": self.ratings,
            "check": self.check,
        }
        return {name: each for name, each in found.items() if each is not None}

    @cached_property
    def methods(self) -> Methods | None:
        """What was done, for a paper; None where one judge left nothing to do."""
        if self.verdict is None and self.ratings is None:
            return None
        return methods(
            self.verdict,
            influence=self.influence,
            removals=self.removals,
            criteria=self.criteria,
            agreement=self.agreement,
            ratings=self.ratings,
            runs=self.runs,
        )


def contents_of(
    source: Any,
    *,
    title: str | None = None,
    by: Any = None,
    replicates: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    plan: Any = None,
    strict: bool = False,
    official: Any = None,
    tournament: str | None = None,
    rounds: str | None = None,
    engine: Any = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Contents:
    """Compute what the page of a table, of runs or of a battle log tells."""

    def tell(step: int, part: int = 0, number: int = 1) -> None:
        if progress is not None:
            progress(STEP * step + STEP * part // max(number, 1), STEPS * STEP)

    common = {"alpha": alpha, "seed": seed, "engine": engine}
    columns = {"tournament": tournament, "round": rounds}
    with opened(source, reading) as file:
        if any(columns.values()) or is_battle_log(file, reading):
            foreign = {"by": by, "official": official, "plan": plan}
            if said := [name for name, value in foreign.items() if value is not None]:
                raise UsageError(
                    f"{listed(said)}: a battle log is rated, as are tournaments, and this says "
                    "nothing about ratings.",
                    hint="leave it out; deadheat rate has the options of ratings.",
                )
            asked = {"replicates": replicates, "strict": strict, **common, **columns}
            return _rated(file, title, asked, reading)
        given = understood(file, **reading)
    raw, full_names = with_short_names(given)
    if official is not None and full_names:
        official = official_of(official, given.candidates, raw.candidates)
    table = read(raw)
    budget = budget_of(table.n, table.m, replicates)
    first = Contents(
        source=table.source,
        title=title or table.source,
        table=table,
        budget=budget,
        left_out=budget.told,
        full_names=full_names,
    )
    tell(1)
    if np.count_nonzero(table.weights) < 2 and table.n > 1:
        ranked = rank(table, by=by)
        return replace(
            first, ranking=ranked, check=check(raw, by=by), runs=_runs(source, reading, table)
        )
    found = verdict(
        table,
        by=by,
        plan=plan,
        strict=strict,
        official=official,
        replicates=replicates if budget.replicates == REPLICATES else budget.replicates,
        progress=partial(tell, 1),
        **common,
    )
    left_out = list(first.left_out)
    if found.influence is None:
        left_out.append(
            "Judges are not left out one at a time on so large a table: see deadheat influence."
        )
    trials = {"trials": budget.trials, "repeats": budget.repeats, "seed": seed, "engine": engine}
    parts: tuple[tuple[str, str, object, Callable[[], Result]], ...] = (
        ("agreement", "the map of judges", budget.agreement, lambda: agreement(table, seed=seed)),
        (
            "criteria",
            "the comparison of ranking functions",
            budget.trials,
            lambda: criteria(table, **trials),
        ),
        ("ratings", "ratings", budget.ratings, lambda: rate(table, **common)),
        ("check", "the check of the data", budget.check, lambda: check(raw, by=by)),
        (
            "removals",
            "removing candidates",
            budget.removals,
            lambda: removals(table, by=found.function),
        ),
    )
    results: dict[str, Any] = {}
    for step, (name, what, affordable, make) in enumerate(parts, start=2):
        tell(step)
        try:
            results[name] = make() if affordable else None
        except (DataError, UsageError) as error:
            left_out.append(f"There is no section on {what}: {error.fact}")
    runs = _runs(source, reading, table)
    return replace(first, verdict=found, runs=runs, left_out=tuple(left_out), **results)


def _rated(
    source: Any, title: str | None, asked: dict[str, Any], reading: dict[str, Any]
) -> Contents:
    of_source = {name: value for name, value in reading.items() if name in OF_LOGS | OF_TABLES}
    of_ratings = {name: value for name, value in reading.items() if name not in of_source}
    ordered = of_ratings.get("model") in ("elo", "gaussian")
    given = read_rated(source, of_source, asked["tournament"], asked["round"], ordered=ordered)
    met, full_names = with_short_names(given)
    rated = rate(met, **asked, **of_ratings)
    name = str(rated.made.get("source", "the battles"))
    return Contents(source=name, title=title or name, ratings=rated, full_names=full_names)


def _runs(source: Any, reading: dict[str, Any], table: Results) -> Runs | None:
    """Return the runs behind a scored table, where they can be read a second time."""
    if isinstance(source, Runs):
        return with_short_names(source)[0]
    once = isinstance(source, Results) or hasattr(source, "read")
    if not table.rule or once or (isinstance(source, str) and source == STDIN):
        return None
    return with_short_names(read_runs(source, **reading))[0]

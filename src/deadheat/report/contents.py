"""A table in, everything that the page tells about it out, within a bounded time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from deadheat.criteria.criteria import criteria
from deadheat.criteria.result import Criteria
from deadheat.data.battle_guess import is_battle_log
from deadheat.data.read import read, read_runs, understood
from deadheat.data.results import Results
from deadheat.data.runs import Runs
from deadheat.errors import DataError, UsageError, listed
from deadheat.inference.agreement import Agreement, agreement
from deadheat.inference.check import Check, check
from deadheat.inference.claims import tested
from deadheat.inference.influence import Influence
from deadheat.inference.judging import verdict
from deadheat.inference.rate import rate
from deadheat.inference.rating_parts import RatingParts
from deadheat.inference.rating_source import OF_LOGS, OF_TABLES, read_rated
from deadheat.inference.ratings import Ratings
from deadheat.inference.removal import Removals, removals
from deadheat.inference.verdict import Verdict
from deadheat.ranking.ranking import Ranking, rank
from deadheat.report.budget import REPLICATES, Budget, budget_of
from deadheat.report.methods import Methods, methods
from deadheat.report.names import official_of, with_short_names
from deadheat.resampling.replicate import Progress
from deadheat.result import Result

Made = TypeVar("Made")
STEPS = 7
STREAMS = ("-",)


@dataclass(frozen=True, eq=False, kw_only=True)
class Gathered:
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
        return v is not None and v.all_pairs is not None and tested(v)

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

    @property
    def warnings(self) -> tuple[str, ...]:
        """What deserves a caution about the main result."""
        return self.main.warnings


def gathered(
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
) -> Gathered:
    """Compute what the page of a table, of runs or of a battle log tells."""
    steps = _Steps(progress)
    common = {"alpha": alpha, "seed": seed, "engine": engine}
    columns = {"tournament": tournament, "round": rounds}
    if any(columns.values()) or is_battle_log(source, reading):
        _refuse_of_ratings({"by": by, "official": official, "plan": plan})
        asked = {"replicates": replicates, "strict": strict, **common, **columns}
        return _rated(source, title, asked, reading)
    given = understood(source, **reading)
    raw, full_names = with_short_names(given)
    if official is not None and full_names:
        official = official_of(official, given.candidates, raw.candidates)
    table = read(raw)
    budget = budget_of(table.n, table.m, replicates)
    first = Gathered(
        source=table.source,
        title=title or table.source,
        table=table,
        budget=budget,
        left_out=budget.told,
        full_names=full_names,
    )
    steps.done()
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
        progress=steps.inside,
        **common,
    )
    steps.done()
    maker = _Maker(list(first.left_out))
    if found.influence is None:
        maker.left_out.append(
            "Judges are not left out one at a time on so large a table: see deadheat influence."
        )
    f = found.function
    agreed = maker.made("the map of judges", budget.agreement, lambda: agreement(table, seed=seed))
    steps.done()
    measured = maker.made(
        "the comparison of ranking functions",
        budget.trials > 0,
        lambda: criteria(
            table, trials=budget.trials, repeats=budget.repeats, seed=seed, engine=engine
        ),
    )
    steps.done()
    rated = maker.made("ratings", budget.ratings, lambda: rate(table, **common))
    steps.done()
    checked = maker.made("the check of the data", budget.check, lambda: check(raw, by=by))
    gone = maker.made("removing candidates", budget.removals, lambda: removals(table, by=f))
    steps.done()
    return replace(
        first,
        verdict=found,
        agreement=agreed,
        criteria=measured,
        ratings=rated,
        check=checked,
        removals=gone,
        runs=_runs(source, reading, table),
        left_out=tuple(maker.left_out),
    )


def _rated(
    source: Any, title: str | None, asked: dict[str, Any], reading: dict[str, Any]
) -> Gathered:
    of_source = {name: value for name, value in reading.items() if name in OF_LOGS | OF_TABLES}
    of_ratings = {name: value for name, value in reading.items() if name not in of_source}
    ordered = of_ratings.get("model") in ("elo", "gaussian")
    given = read_rated(source, of_source, asked["tournament"], asked["round"], ordered=ordered)
    met, full_names = with_short_names(given)
    rated = rate(met, **asked, **of_ratings)
    name = str(rated.made.get("source", "the battles"))
    return Gathered(source=name, title=title or name, ratings=rated, full_names=full_names)


def _refuse_of_ratings(asked: dict[str, Any]) -> None:
    said = [name for name, value in asked.items() if value is not None]
    if said:
        raise UsageError(
            f"{listed(said)}: a battle log is rated, as are tournaments, and this says nothing "
            "about ratings.",
            hint="leave it out; deadheat rate has the options of ratings.",
        )


def _runs(source: Any, reading: dict[str, Any], table: Results) -> Runs | None:
    """Return the runs behind a scored table, where they can be read a second time."""
    if isinstance(source, Runs):
        return with_short_names(source)[0]
    if (
        not table.rule
        or isinstance(source, Results)
        or (isinstance(source, str) and source in STREAMS)
        or hasattr(source, "read")
    ):
        return None
    return with_short_names(read_runs(source, **reading))[0]


@dataclass(frozen=True)
class _Maker:
    """Make results one after the other, and keep in words what could not be made."""

    left_out: list[str]

    def made(self, what: str, affordable: object, make: Callable[[], Made]) -> Made | None:
        if not affordable:
            return None
        try:
            return make()
        except (DataError, UsageError) as error:
            self.left_out.append(f"There is no section on {what}: {error.fact}")
            return None


class _Steps:
    """Tell how much of the page is computed."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._done = 0

    def done(self) -> None:
        """Say that another step is over."""
        self._done += 1
        self.inside(0, 1)

    def inside(self, part: int, number: int) -> None:
        """Say how much of the present step is over."""
        if self._progress is not None:
            size = 1000
            inside = size * part // max(number, 1)
            self._progress(min(self._done, STEPS) * size + inside, (STEPS + 1) * size)

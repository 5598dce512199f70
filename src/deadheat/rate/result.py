"""Ratings whose differences are log-odds of winning, and how sure they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    ask,
    bare,
    command_with,
    counted,
    few,
)
from deadheat.core.options import RATING_TABLES, TABLES_OF_SEVERAL
from deadheat.core.types import Cell, Floats, Row
from deadheat.data.boards import Brief
from deadheat.data.results import Nouns
from deadheat.models.rating.contextual import lineups
from deadheat.models.rating.pair_counts import SIDE
from deadheat.output.result import Listing, Result
from deadheat.output.table import DOT, Column, Grid, bar
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import ranks
from deadheat.rate.estimates import RatingFacts, names_matching
from deadheat.rate.evidence import rating_tests
from deadheat.rate.matches import RoundMatches
from deadheat.rate.options import OF_CIRCUMSTANCES, OF_ORDER, RatingScale, usual_instead
from deadheat.rate.schema import EnsemblesRow, GroupsRow, TunabilityRow, TuningRow
from deadheat.rate.tunability import (
    ABOUT_TABLES,
    MORE,
    OF_TABLES,
    about_tuning,
    tunability_of,
    tuning_of,
)
from deadheat.rate.words import about_groups, goodness_facts, legend, meaning, rating_sentences
from deadheat.statistics.group_words import LEVEL
from deadheat.statistics.units import FEWEST_JUDGES, every_pair

DASH = "\u2013"
TESTS_IN_WORDS = {"wald with holm": "Student's t with Holm's correction"}
USUAL_MODELS = ("epp", "bradley-terry")
MOST_NAMES = 100  # of a part of the field that facts list
ROOM = 0.1  # of the axis, beyond what is finite
MOST_BORDERLINE = 3  # pairs that are named
SHORT_NAME = 14  # beside which a terminal has room for wins and losses


# Who is shown, and other tables that ratings can be told in.


def omission_in_words(visible: Sequence[str] | None, candidates: int) -> str:
    some = "" if visible is None else f"{len(visible):,} of {candidates:,}"
    return some and f"{some} are shown, all are rated."


class RatingTable(Listing):
    """Hold one table about ratings, of one tournament or of several."""

    schema: ClassVar[str] = "deadheat.rate-table/1"

    @classmethod
    def of(cls, whole: Any, name: str, records: Iterable[Row], sentence: str, **form: Any) -> Self:
        rows = list(records)
        matrix = name == "matrix"  # which has names above
        keys = ["candidate"] if matrix else next(iter(rows), ())
        own = {"candidate": whole.nouns.candidate, "candidates": whole.nouns.candidates()}
        headings = {key: (HEADINGS | own).get(key, key.replace("_", " ")) for key in keys}
        form = {"keys": KEYS.get(name, 1), "headings": headings} | form
        form |= {"digits": 2} if matrix else {}
        return super().of(whole, name, rows, sentence, **form)


def _finite_or_none(value: float) -> float | None:
    """Return a number, or None for the end that an interval between parts does not have."""
    return value if np.isfinite(value) else None


def _matrix(r: Ratings) -> tuple[list[Row], str]:
    p, names = r.win_matrix().p, r.candidates
    rows: list[Row] = [
        {"candidate": names[i], **{names[j]: None if i == j else float(p[i, j]) for j in r.display}}
        for i in r.display
    ]
    return rows, f"The chance that the {r.nouns.candidate} of the row beats that of the column."


def _pairs(r: Ratings) -> tuple[list[Row], str]:
    order = np.array(r.display, dtype=np.int64)
    first, second = (order[at] for at in every_pair(len(order)))
    found = r.differences(first, second)
    ends = (found.values, found.low, found.high)
    columns = [*(r.scale.factor * end for end in ends), *map(r.chance, ends)]
    keys = ["first", "second", "difference", "low", "high", "p_beats", "p_low", "p_high"]
    alone = rating_tests(r.evidence, alpha=r.alpha, test="holm", together=False)
    tests = r.grouped.tests or rating_tests(r.evidence, alpha=r.alpha, test="holm")
    silent = r.evidence.untested(first, second)
    p, adjusted = (np.where(silent, np.nan, each.p[first, second]) for each in (alone, tests))
    keys += ["p_value", "p_adjusted"]
    columns += [p, adjusted]
    if r.fit is not None:
        met = r.fit.pairs
        won, tied = met.matrix(met.wins, met.losses), met.matrix(met.ties, met.ties)
        keys += ["won", "lost", "tied"]
        columns += [won[first, second], won[second, first], tied[first, second]]
    names = r.named(first), r.named(second)
    cells = zip(*names, *(column.tolist() for column in columns), strict=True)
    rows: list[Row] = [dict(zip(keys, row, strict=True)) for row in cells]
    for row in rows:
        may_lack = ("low", "high", "p_value", "p_adjusted")
        row |= {name: _finite_or_none(row[name]) for name in may_lack}
    level = f"{100 * (1 - r.alpha):g} %"
    said = [f"Differences of ratings and win probabilities with {level} intervals, each pair."]
    by = TESTS_IN_WORDS.get(tests.method, tests.method)
    said.append(
        "p-value: of no difference, two-sided, tested alone; adjusted: all pairs at once "
        f"({by}). Tests of who leads are one-sided: about half the p-value."
    )
    if silent.any():
        least = counted(FEWEST_JUDGES, r.evidence.noun)
        said.append(f"There is none of whoever is in fewer than {least}.")
    if r.where_unknown:
        said.append(f"How often these tests err is not known {r.where_unknown}.")
    apart = (found.low > 0) | (found.high < 0)
    odd = np.flatnonzero((apart != (p <= r.alpha)) & ~silent).tolist()
    if odd:
        two = [f"{bare(names[0][k])} against {bare(names[1][k])}" for k in odd]
        said.append(
            f"Borderline: {few(two, MOST_BORDERLINE)}. There the interval and the p-value, found "
            f"in two ways, fall on two sides of {100 * r.alpha:g} %."
        )
    return rows, " ".join(said)


def _groups(r: Ratings) -> tuple[list[GroupsRow], str]:
    rows: list[GroupsRow] = [
        {"group": g, "size": len(group), "candidates": ", ".join(group)}
        for g, group in enumerate(r.groups, start=1)
    ]
    many = r.nouns.candidates().capitalize()
    return rows, f"{many} of one group are in a dead heat. {about_groups(r)}"


def no_calibration(rated: Result) -> UsageError:
    """Return that ratings have no calibration, with the command of such that have one."""
    facts, usual = rated.facts(), OF_CIRCUMSTANCES | OF_ORDER
    usual_model = facts["model"] in USUAL_MODELS
    under = " with covariates, teams or an advantage" if usual_model else ""
    covariates = {each["name"] for each in facts.get("circumstances", ())} - {SIDE}
    instead = {"model": None, **usual_instead(usual, rated.made)}
    instead |= {"covariates": None} if covariates else {}
    hint = f"by matches alone: {command_with(**instead)}"
    return UsageError(f"the model {facts['model']}{under} has no calibration.", hint=hint)


def _calibration(r: Ratings) -> tuple[list[Row], str]:
    found = r.calibration
    if found is None:
        raise no_calibration(r)
    names = ("low", "high", "pairs", "matches", "fitted", "observed")
    rows: list[Row] = [dict(zip(names, part, strict=True)) for part in found.bins if part.pairs]
    return rows, "What favourites should win by their ratings, and what they won."


def _tunability(r: Ratings) -> tuple[list[TunabilityRow], str]:
    rows: list[TunabilityRow] = [
        {
            "algorithm": each.algorithm,
            "settings": len(each.settings),
            "range": each.range,
            "iqr": each.iqr,
            "sd": each.sd,
            "best": r.candidates[each.best],
            "gain": each.gain.difference,
            "p_beats_default": each.gain.probability,
            "held_out": each.gain.held_out,
            "p_held_out": each.gain.held_out_probability,
        }
        for each in tunability_of(r)
        if {*each.settings.tolist()} & {*r.display}
    ]
    gain = "the best setting over the first one of its algorithm"
    held = "the best chosen on half of the rounds and measured on the others"
    return rows, f"gain: {gain}; held out: {held}, which no luck of choice flatters."


def _tuning(r: Ratings, *, more: int = MORE) -> tuple[list[TuningRow], str]:
    rows, visible = tuning_of(r, more=more), {*r.named(r.display)}
    return [row for row in rows if row["setting"] in visible], about_tuning(rows, more)


def _ensembles(r: Ratings) -> tuple[list[EnsemblesRow], str]:
    sign = r.made["teams"]
    if sign is None or r.fit is None or not isinstance(r.matches, RoundMatches):
        hint = ABOUT_TABLES
        if sign is None and r.model in OF_TABLES:
            hint = f"if + joins the members of one: {command_with(model='epp', teams='+')}"
        raise UsageError("the table ensembles is about candidates made of others.", hint=hint)
    named, teams = lineups(r.candidates, separator=sign)
    alone = {frozenset(team): i for i, team in enumerate(teams)}
    rows: list[EnsemblesRow] = []
    for i in r.display:
        for member in teams[i] if len(teams[i]) > 1 else ():
            own = alone.get(frozenset([member]))
            rest = alone.get(frozenset(teams[i]) - {member})
            if own is None and rest is None:
                continue
            row: EnsemblesRow = {"ensemble": r.candidates[i], "member": named[member]}
            for at, keys in ((own, GAINS), (rest, ADDS)):
                ends: list[float | None] = [None, None, None, None]
                if at is not None:
                    found = r.differences(np.array([i]), np.array([at]))
                    numbers = (float(end[0]) for end in (found.values, found.low, found.high))
                    ends = [_finite_or_none(r.scale.factor * end) for end in numbers]
                    ends.append(float(r.chance(found.values)[0]))
                row |= dict(zip(keys, ends, strict=True))  # type: ignore[typeddict-item]
            row["without"] = None if rest is None else r.candidates[rest]
            rows.append(row)
    if not rows:
        fact = f"no candidate is made of others that were rated, joined by {sign!r}."
        two = sign.join([*r.candidates, *r.candidates][:2])
        hint = f"name an ensemble by its members in the file, such as {two}."
        raise DataError(fact, hint=hint)
    return rows, f"{_best_ensemble(r, rows)} {OF_ENSEMBLES}"


def _best_ensemble(r: Ratings, rows: list[EnsemblesRow]) -> str:
    """Return how the highest ensemble stands to the best of its members, in words."""
    top = rows[0]["ensemble"]
    own = [row for row in rows if row["ensemble"] == top and row["gain"] is not None]
    if not own:
        return f"No member of {bare(top)} was rated alone."
    member = max(own, key=lambda row: r.ratings[r.at(row["member"])])["member"]
    chance = r.p_beats(top, member)
    often = f"{percent(chance.p)} ({percent(chance.low)} to {percent(chance.high)})"
    return f"{bare(top)} beats {bare(member)}, its best member, in {often} of matches."


OF_ENSEMBLES = (
    "gain: over the member alone; adds: over the ensemble without it. An ensemble is rated by its "
    "own scores, and nothing says how members add up. It shares predictions with its members: both "
    "win and lose together."
)
GAINS = ("gain", "low", "high", "p_beats")
ADDS = ("adds", "adds_low", "adds_high", "p_adds")
KEYS = {"pairs": 2, "calibration": 2, "tuning": 3, "ensembles": 2, "embedding": 2}  # else one
HEADINGS = {  # where a heading is not its key with spaces
    "p_beats": "p(win)",
    "p_value": "p-value",
    "p_adjusted": "adjusted",
    "p_beats_default": "p(beats default)",
    "p_beats_before": "p(beats before)",
    "p_next": "p(next)",
    "p_adds": "p(beats without)",
    "p_held_out": "p(win) held out",
}
TableMaker: TypeAlias = Callable[..., tuple[list[Any], Any]]  # rows, and what they say


def by_name(*makers: TableMaker) -> Mapping[str, TableMaker]:
    """Return functions that make tables by the names of these, which are their own."""
    return {make.__name__.strip("_"): make for make in makers}


TABLES = by_name(_matrix, _pairs, _groups, _calibration, _tunability, _tuning, _ensembles)


def rating_grid(
    rows: Sequence[Mapping[str, Any]],
    key: str,
    further: Mapping[str, Column],
    scale: RatingScale,
    nouns: Nouns,
    r: Ratings | None,
    **told: Any,
) -> Grid:
    """Return a row for each candidate, with bars and groups where ``r`` says how sure they are."""
    digits = scale.digits
    value = Column(name=key, digits=digits)
    if key == "mean":
        value = Column(name="mean rating", digits=digits, best="high")
    columns = [Column(name=""), Column(name=nouns.candidate, key=True)]
    columns = [Column(name="rank"), *columns, value]
    level = set() if r is None else {*r.named(r.level)}
    marks = [LEVEL if row["candidate"] in level else "" for row in rows]
    cells: list[list[Cell]] = [
        [row["rank"], mark, row["candidate"], row[key]]
        for row, mark in zip(rows, marks, strict=True)
    ]
    if r is not None:
        ends = [row[end] for row in rows for end in ("low", key, "high")]
        finite = [end for end in ends if end is not None]
        room = 0.0 if len(finite) == len(ends) else ROOM * (max(finite) - min(finite))  # for open
        left, right = min(finite) - room, max(finite) + room
        axis = f"{number(left, digits)} … {number(right, digits)}"
        columns.append(Column(name=axis, picture=True))
        columns += [Column(name=end, digits=digits, on_paper=True) for end in ("low", "high")]
        for row, cell in zip(rows, cells, strict=True):
            low, high = row["low"], row["high"]
            start, end = left if low is None else low, right if high is None else high
            cell.extend((bar(start, row[key], end, left=left, right=right), low, high))
    grouped = r is not None and r.has_groups
    columns += further.values()
    for row, cell in zip(rows, cells, strict=True):
        cell.extend(row[name] for name in further)
        cell.extend([row["group"]] if grouped else [])
    return Grid(
        columns=(*columns, *([Column(name="group")] if grouped else [])),
        cells=tuple(map(tuple, cells)),
        legend=() if r is None else tuple(filter(None, (*legend(r), r.omission))),
        leading=max((k for k, mark in enumerate(marks, start=1) if mark), default=1),
        **told,
    )


# The result.

SAME_SHARE = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class Ratings(RatingFacts, Result):
    """Hold ratings, their intervals, tie groups, and what speaks for and against the model.

    Attributes
    ----------
    evidence
        The ratings (n,) as log-odds, and how they vary.
    mle
        The plain maximum-likelihood ratings; infinite or NaN where they do not exist.
    record
        Wins, losses and ties of each candidate, (3, n).
    fit, matches
        The fitted Bradley-Terry model and what it was fitted to; None for other models.
    scale
        How ratings are shown.
    split_sd, of_rounds
        For score tables: the noise from judge to judge, and whether these are rounds of one data
        set, so that it is the unit of the ratings.
    extra
        What a model of its own kind adds to the facts.
    """

    schema: ClassVar[str] = "deadheat.rate/1"
    asks: ClassVar[str] = "How solid is this?"

    tunability = tunability_of
    tuning = tuning_of

    @cached_property
    def rivals_beaten(self) -> Floats | None:
        """Return 1 for each pair (n, n) that the first won more often, 1/2 for a draw, else 0.

        NaN where the two never met; None for models that keep no pairs.
        """
        if self.fit is None:
            return None
        met = self.fit.pairs
        won, tied = met.matrix(met.wins, met.losses), met.matrix(met.ties, met.ties)
        return np.where(won + won.T + tied > 0, np.heaviside(won - won.T, 0.5), np.nan)

    @cached_property
    def shares(self) -> dict[str, Floats]:
        """Return what is counted without a model: shares of wins, and of rivals beaten."""
        won, _, tied = self.record
        shares = {"share of wins": (won + tied / 2, self.record.sum(axis=0))}
        if self.rivals_beaten is not None:
            met = np.isfinite(self.rivals_beaten).sum(axis=1)
            shares["share of rivals beaten"] = np.nansum(self.rivals_beaten, axis=1), met
        return {
            name: np.divide(points, number, out=np.zeros(len(points)), where=number > 0)
            for name, (points, number) in shares.items()
        }

    @cached_property
    def first_by(self) -> dict[str, tuple[str, ...]]:
        """Return who is first by what is counted without a model."""
        return {
            name: tuple(self.named(np.flatnonzero(share >= share.max() - SAME_SHARE)))
            for name, share in self.shares.items()
        }

    def show_only(self, names: str | Iterable[str]) -> Self:
        """Return the same ratings, of whom tables and pictures show some, by name or pattern."""
        visible = names_matching(self.candidates, names)
        return replace(self.also_made(show_only=list(visible)), visible=visible)

    def top(self, number: int) -> Self:
        """Return the same ratings, of whom tables and pictures show the highest."""
        some = self.show_only([self.candidates[i] for i in self.display[:number]])
        return some if self.boards is None else replace(some, boards=self.boards.top(number))

    @property
    def omission(self) -> str:
        """Who is rated and not shown, in words."""
        return omission_in_words(self.visible, len(self.candidates))

    def table(self, name: str, **how: Any) -> RatingTable:
        """Return a table: matrix, pairs, groups, calibration, tunability, tuning, ensembles."""
        if name in TABLES_OF_SEVERAL:
            fact = f"the table {name} compares several tournaments, and this is one."
            hint = "name the column of the category of a battle."
            if "battles" not in self.made:
                hint = f"which columns could name the tournaments: {ask('check', 'FILE')}"
            raise UsageError(fact, hint=hint)
        if name not in TABLES:
            raise UnknownNameError("table of ratings", str(name), RATING_TABLES)
        rows, sentence = TABLES[name](self, **how)
        return RatingTable.of(self, name, rows, sentence)

    def rows(self) -> list[Row]:
        """Return one record per candidate, highest rating first."""
        scale, grouped = self.scale, self.grouped
        at = 0.0 if scale.anchor is None else float(self.mle[self.at(scale.anchor)])
        # an anchor that has a plain rating is where its rating is
        plain = scale.origin + scale.factor * (self.mle - (at if np.isfinite(at) else 0.0))
        members = enumerate(grouped.groups.members, start=1)
        columns = {
            "rating": scale.shown(self.ratings),
            "mle": plain,
            **({} if self.fit is None else {"within": scale.factor * self.fit.within}),
            "se": scale.factor * self.bounds.errors,
            "low": scale.shown(self.bounds.low),
            "high": scale.shown(self.bounds.high),
            **dict(zip(("wins", "losses", "ties"), self.record, strict=True)),
            "rank": ranks(self.ratings),
            "rank_low": grouped.rank_low,
            "rank_high": grouped.rank_high,
            "first_share": grouped.first,
        }
        values = {
            name: np.full(len(plain), np.nan if column is None else column, float).tolist()
            for name, column in columns.items()
        }
        may_lack = ("se", "low", "high", "rank_low", "rank_high", "first_share")
        group_of = {i: g for g, group in members for i in group}
        rows: list[Row] = []
        for i in self.display:
            row: Row = {name: column[i] for name, column in values.items()}
            row |= {name: _finite_or_none(row[name]) for name in may_lack}
            if not np.isfinite(row["mle"]):  # JSON knows no infinity
                row["mle"] = None if np.isnan(row["mle"]) else f"{row['mle']:+}"
            rows.append({"candidate": self.candidates[i], **row, "group": group_of[i]})
        return rows

    def brief(self) -> Brief:
        """Say who is first, all who share it, and who is level with them, for a board."""
        best, rank = self.order[0], ranks(self.ratings)
        first = [i for i in self.order if rank[i] == rank[best]]
        lucky = self.too_few_matches(self.alpha)
        return Brief(
            first=self.named(first),
            level=self.named(i for i in self.level if i not in first),
            shown=float(self.scale.shown(self.ratings)[best]),
            rows=self.rows(),
            too_few=self.evidence.too_few or any(i in lucky for i in first),
        )

    def outline(self) -> dict[str, Any]:
        scale = {"anchor": self.scale.anchor, "origin": self.scale.origin}
        return {**scale, "candidates": len(self.candidates), "separated": self.separated}

    def facts(self) -> dict[str, Any]:
        """Return what is true of the whole: validity, fit, groups."""
        facts: dict[str, Any] = {
            "model": self.model,
            "scale": self.scale.name,
            **self.outline(),
            "errors": self.errors,
            "interval": self.interval,
            "drawn": self.drawn,
            "groups": [len(group) for group in self.groups],
            "members": [list(group) for group in self.groups],
            "undecided": not self.has_groups,
            "leader_corrected": self.leader_corrected,
            "detectable": self.detectable,
            "split_sd": self.split_sd,
        }
        if self.fit is not None:
            there = self.fit.existence
            facts |= {
                "connected": there.connected,
                "strongly_connected": there.strongly_connected,
                "undefeated": self.named(there.undefeated),
                "winless": self.named(there.winless),
                "parts": [self.named(part[:MOST_NAMES]) for part in there.strong],
                "part_sizes": [len(part) for part in there.strong],
                "penalty": self.fit.penalty,
                "ties_as": self.fit.ties,
                "tie_parameter": self.fit.tie,
                "log_likelihood": self.fit.log_likelihood,
            }
        if self.calibration is not None:
            facts["calibration"] = _calibration(self)[0]
        return facts | goodness_facts(self) | self.extra

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the ratings say, one or two sentences each."""
        return rating_sentences(self)

    def grid(self) -> Grid:
        """Return everybody by rating, with interval bars, records and who is level with first."""
        counts = ("wins", "losses", "ties") if self.has_ties else ("wins", "losses")
        further = {name: Column(name=name, on_paper=True) for name in counts}
        rows = self.rows()
        for row in rows:
            row |= {name: round(row[name], 1) for name in counts}  # half wins, weights
            row["record"] = DASH.join(number(row[name]) for name in counts)
        if self.separated and self.fit is not None:
            further = {"mle": Column(name="mle", digits=self.scale.digits), **further}
        elif max(len(self.candidates[i]) for i in self.display) <= SHORT_NAME:
            name = DASH.join(("won", "lost", "tied")[: len(counts)])
            further = {"record": Column(name=name, picture=True), **further}
        bars = self._bars(open_ends=self.evidence.separation is not None)
        how: Any = {"notes": tuple(self._notes()), "captions": (bars,)}
        return rating_grid(rows, "rating", further, self.scale, self.nouns, self, **how)

    def _bars(self, *, open_ends: bool) -> str:
        level, kind = f"{100 * (1 - self.alpha):g} %", "" if open_ends else f"{self.interval} "
        bars = f"Bars: {level} {kind}intervals, right is better, {DOT} the rating."
        end = "between parts of the field has a bar without that end"
        return f"{bars} Whoever won or lost all {end}." if open_ends else bars

    def _notes(self) -> Iterator[str]:
        split = self.split_sd
        yield meaning(self)
        yield self.drawn
        if self.of_rounds and split is not None and np.isfinite(split):
            unit = ": the unit of these ratings" if self.scale.name == "logit" else ""
            one = self.nouns.judge
            yield f"Scores vary by {number(split)} from {one} to {one}{unit}."
        if self.has_groups:
            yield about_groups(self)
        if self.omission:
            yield self.omission

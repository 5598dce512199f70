"""Who really won, and how sure are we: a robust ranking, and the tables of Fawcett et al."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import ceil, floor
from typing import Any, ClassVar

import numpy as np

from deadheat.compare.api import Comparison, comparison
from deadheat.core.errors import UnknownNameError, counted
from deadheat.core.types import Cell, Row
from deadheat.data.results import provenance_of_all
from deadheat.output.result import Listing
from deadheat.output.table import BAR, DOT, SHORT_BAR, Column, Grid, bar
from deadheat.output.text import number
from deadheat.ranking.official import top
from deadheat.statistics.error_rates import RANGE_HOLDS_ONE_RANK, RANGES_HOLD_ALL_RANKS, per_cent
from deadheat.statistics.group_words import LEVEL
from deadheat.statistics.groups import pair_p_values
from deadheat.statistics.strict_groups import cost_of
from deadheat.verdict import words
from deadheat.verdict.claims import TOPS, Judgement, Standing
from deadheat.verdict.schema import FirstRow, GroupsRow, InversionsRow, TestsRow

TOP = 10
MOST_PAIRS = 100  # inverted pairs among the facts; their table has all


Columns = list[tuple[Column, Callable[[Standing], Cell]]]


class VerdictTable(Listing):
    schema: ClassVar[str] = "deadheat.verdict-table/1"


def _range(who: Standing) -> Cell:
    return f"{floor(who.rank_low)}\u2013{ceil(who.rank_high)}"  # ties have half ranks


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict(Judgement):
    """Hold a robust ranking: intervals, shares ranked first, tie groups, and what they rest on.

    ``strict`` says whether :attr:`members` come from tests of all pairs; if not, they are those of
    Fawcett et al. What costs more than the replicates themselves (tests of all pairs, leaving out
    one judge at a time) is computed when it is asked for.
    """

    schema: ClassVar[str] = "deadheat.verdict/1"
    asks: ClassVar[str] = "How solid is this?"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict, one sentence or two each."""
        return words.verdict_sentences(self)

    @property
    def guarantee(self) -> str:
        """What the groups guarantee, and what they do not."""
        return words.guarantee(self)

    def grid(self) -> Grid:
        """Return everybody by score, with interval bars and who is level with the leader."""
        everybody = range(len(self.candidates))
        kept = everybody if self.shown_top is None else set(top(self.official, self.shown_top))
        order = [i for i in self.order if i in kept]
        ends = {"left": float(self.low[order].min()), "right": float(self.high[order].max())}
        size = SHORT_BAR if self.has_official else BAR
        axis = " \u2026 ".join(map(number, self.shown_as(np.array([*ends.values()])).tolist()))
        official: Columns = [(Column(name="official"), lambda who: who.official)]
        level = {*self.members[0]} if self.says_level else set()
        names = {self.candidates[i] for i in level}
        mark: Columns = [(Column(name=""), lambda who: LEVEL if who.candidate in names else "")]
        columns: Columns = [
            *(official if self.has_official else []),
            (Column(name="rank"), lambda who: who.rank),
            *(mark if level else []),
            (Column(name=self.nouns.candidate, key=True), lambda who: who.candidate),
            (Column(name=self.heading, digits=self.digits), lambda who: who.shown),
            (
                Column(name=axis, picture=True, spare=2),
                lambda who: bar(who.low, who.merit, who.high, **ends, size=size),
            ),
            (Column(name="low", digits=self.digits, on_paper=True), lambda who: who.shown_low),
            (Column(name="high", digits=self.digits, on_paper=True), lambda who: who.shown_high),
            (Column(name="first %", digits=0), lambda who: 100 * who.first_share),
            (Column(name="ranks", spare=1), _range),
        ]
        if not self.undecided:
            columns.append((Column(name="group", spare=3), lambda who: who.group))
        rows = [self.row(self.candidates[i]) for i in order]
        few = f"The top {self.shown_top} of {self.nouns.candidates(len(everybody))} are shown."
        each = "" if self.interval == "simultaneous" else f" of each {self.nouns.candidate} alone"
        bars = f"{self.level} {self.interval} intervals{each}, right is better, {DOT} as observed."
        return Grid(
            columns=tuple(column for column, _ in columns),
            cells=tuple(tuple(cell(who) for _, cell in columns) for who in rows),
            notes=tuple(self._notes()),
            captions=(f"Bars: {bars}",),
            legend=(
                *words.legend(self),
                *words.shared_places(rows),
                *([few] if len(order) < len(everybody) else []),
            ),
            leading=max((k for k, i in enumerate(order, start=1) if i in level), default=1),
        )

    def _notes(self) -> list[str]:
        plan, draws = self.evidence.plan, self.paper.draws
        how = self.plan_in_words
        if plan.random:
            about = "; the strata are taken as given, not as a sample" if plan.strata else ""
            tests = "" if draws in (None, len(self.merits)) else f", {draws:,} in the tests"
            if self.made["p_value"] == "sign-flip" and self.strictly is None:
                tests = f", {'all' if draws is None else f'{draws:,}'} sign-flips in the tests"
            how = f"{len(self.merits):,} resamples{tests}: {how}{about}"
        ranges = f"where {self.level} of the resamples put it"
        if self.strictly is not None and self.sound:
            ranges = f"{self.level} simultaneous confidence sets"
        elif self.strictly is not None:
            ranges = "who is put above and below by the same tests, no confidence sets"
        elif not plan.random:
            ranges = f"where {self.level} of the tables with one left out put it"
        shares = "First %: a shared first place counts for all who share it."
        best = words.may_be_best(self)
        return [f"{how}.", f"{shares} Ranks: {ranges}.", self.guarantee, *best]

    def table(self, name: str) -> VerdictTable:
        """Return a table: groups, summary, inversions, first, intervals, ranks, tests or pairs.

        ``groups``, ``summary`` and ``first`` are tables 4, 2 and 3 of Fawcett et al. (2023),
        ``intervals`` what their figure 1 draws; table 1 is :func:`deadheat.influence`.
        ``inversions`` are the pairs that contradict the official order, ``ranks`` is the
        distribution of the ranks, ``tests`` every test that made the groups, and ``pairs`` the
        p-value of every pair.
        """
        if name not in TABLES:
            raise UnknownNameError("table of a verdict", name, TABLES)
        rows, said = TABLES[name](self)
        form: dict[str, Any] = {"keys": KEYS.get(name, 1)}
        if name == "inversions" and rows:
            form["headings"] = {key: key.replace("_", " ") for key in rows[0]}
        return VerdictTable.of(self, name, rows, said, **form)

    @property
    def has_groups(self) -> bool:
        return not self.undecided

    def rows(self) -> list[Row]:
        """Return one record per candidate, the best score first, or in the official order."""
        return [asdict(standing) for standing in self.standings]

    def compare(self, a: str, b: str) -> Comparison:
        """Return the paired comparison of two candidates, from the same replicates."""
        return comparison(self.evidence, self.at(a), self.at(b), alpha=self.alpha)

    def inversions(self, most: int | None = None) -> list[InversionsRow]:
        """Return the pairs that groups, or medians, put the other way round than the order."""
        medians = self.spread.standing.tolist()
        by_medians = ((i, j) for i, j in self.inverted_by_medians[:most].tolist())
        pairs = list(dict.fromkeys((*self.inverted[:most], *by_medians)))
        return [
            {
                "above": above.candidate,
                "below": below.candidate,
                "rank_above": float(self.official[i]),
                "rank_below": float(self.official[j]),
                "group_above": above.group,
                "group_below": below.group,
                "median_above": medians[i],
                "median_below": medians[j],
                "separated": self.separates(i, j),
            }
            for i, j in pairs[:most]
            for above, below in [(self._by_position[i], self._by_position[j])]
        ]

    def facts(self) -> dict[str, Any]:
        """Return the groups and what they amount to, for all and for the top of the order."""
        strict, names, counts = self.all_pairs, self.candidates, self.counts()
        return {
            "groups": [len(group) for group in self.members],
            "members": [list(group) for group in self.groups],
            **{name: counts[name] for name in ("ties", "inversions", "mean_iqr")},
            "median_inversions": len(self.inverted_by_medians),
            "inverted": self.inversions(MOST_PAIRS),
            **{f"top{k}": counts for k, counts in self.tops.items()},
            "borderline": [
                {**near._asdict(), "leader": names[near.leader], "other": names[near.other]}
                for near in self.borderline
            ],
            "winners": list(self.winners),
            "first_place": list(self.first_place),
            "leader_corrected": self.leader_corrected,
            "undecided": self.undecided,
            "detectable": self.detectable,
            **self.reading.facts(),
            "first_by": {name: list(first) for name, first in self.first_by.items()},
            "leaders_differ": self.paper.leaders_differ,
            "ever_first": int(np.count_nonzero(self.spread.first)),
            "tied_at_top": len(self.winners),
            "guarantee": self.guarantee,
            "plan": self.plan_in_words,
            "paper_groups": [len(group) for group in self.paper.members],
            "strict_groups": None if strict is None else [len(group) for group in strict.members],
            "best": None if self.best is None else list(self.best),
            "strict_cost": cost_of(self.evidence, self.test) if strict is None else None,
            "influence": None if self.influence is None else self.influence.facts(),
        }


# Several verdicts, and one: tables of rows, with a sentence about them.


def of_tables(verdicts: Sequence[Verdict]) -> VerdictTable:
    """Return table 2 of Fawcett et al. (2023): groups, ties, inversions and ranges, by table."""
    tables = [v.evidence.results for v in verdicts]
    records: list[Row] = []
    for v, each in zip(verdicts, tables, strict=True):
        row: Row = {"table": each.source, "candidates": each.n, "judges": each.m}
        row |= {"first": list(v.winners), "level": len(v.members[0])}
        row |= {name: count for name, count in v.counts().items() if name != "candidates"}
        for k in TOPS:
            counts = ((name, n) for name, n in v.counts(k).items() if name != "candidates")
            row |= {f"top{k}_{name}": count for name, count in counts}
        records.append(row)
    tied = sum(len(v.members[0]) > 1 for v in verdicts)
    made = {name: known for name, known in verdicts[0].made.items() if name not in OF_ONE}
    warnings = [f"{v.evidence.results.source}: {said}" for v in verdicts for said in v.warnings]
    return VerdictTable(
        made=provenance_of_all(tables, **made),
        warnings=tuple(warnings),
        library=verdicts[0].library,
        name="tables",
        records=tuple(records),
        sentence=f"{tied:,} of {counted(len(verdicts), 'table')} have a dead heat for first place.",
        further=(COUNTED,),
        keys=1,
        headings={name: name.replace("_", " ") for name in records[0]},
    )


OF_ONE = ("version", "source", "sha256", "candidates", "judges", "better", "plan")  # a table each
COUNTED = (
    "Ties are pairs in one group, inversions pairs that the groups put the other way round than "
    "the order, mean_iqr is the mean inter-quartile range of the ranks."
)


def _groups(v: Verdict) -> tuple[list[GroupsRow], str]:
    ranked = [f"{who} ({number(float(v.official[i]))})" for i, who in enumerate(v.candidates)]
    rows: list[GroupsRow] = [
        {
            "group": str(place),
            "fractional_rank": v.row(v.candidates[group[0]]).fractional_rank,
            "size": len(group),
            "candidates": ", ".join(ranked[i] for i in group),
        }
        for place, group in enumerate(v.members, start=1)
    ]
    what = "official" if v.has_official else "observed"
    return rows, f"In brackets the {what} rank; groups ordered inside by median merit."


def _summary(v: Verdict) -> tuple[list[Row], str]:
    tops = ({"among": f"top {k}", **counts} for k, counts in v.tops.items())
    return [{"among": "all", **v.counts()}, *tops], COUNTED


def _inversions(v: Verdict) -> tuple[list[InversionsRow], str]:
    order = "official order" if v.has_official else f"ranking by {v.called}"
    return v.inversions(), (
        f"Pairs that the groups, or the median merits over {words.worlds(v)}, put the other way "
        f"round than the {order}; separated where a test shows the first one better."
    )


def _first(v: Verdict) -> tuple[list[FirstRow], str]:
    """Return who is ever first; of more than the top that is shown, all others in one row."""
    n, shares = len(v.candidates), v.spread.first
    shown = range(n) if v.shown_top is None else top(v.official, v.shown_top)
    ever = np.flatnonzero(shares > 0).tolist()
    others = [i for i in ever if i not in shown]
    others = others if len(others) > 1 else []  # one has a name of its own
    rows: list[FirstRow] = [
        {
            "candidate": each.candidate,
            "first_share": each.first_share,
            "monte_carlo_error": each.first_error,
            "candidates": 1,
        }
        for each in sorted(
            (v.row(v.candidates[i]) for i in ever if i not in others),
            key=lambda each: -each.first_share,
        )
    ]
    if others:
        places = v.spread.places
        each_time = (places[:, others] == places.min(axis=1)[:, None]).sum(axis=1)
        error = float(each_time.std() / len(places) ** 0.5) * v.evidence.plan.random
        rows.append(
            {
                "candidate": "all others",
                "first_share": float(each_time.mean()),
                "monte_carlo_error": error,
                "candidates": len(others),
            }
        )
    return rows, (
        f"{len(ever)} of {v.nouns.candidates(n)} are ever first in {len(v.merits):,} "
        "resamples; a shared first place counts for all who share it."
    )


def _intervals(v: Verdict) -> tuple[list[Row], str]:
    among = sorted(top(v.official, v.shown_top or TOP), key=lambda i: v.evidence.ranks[i])
    medians = v.shown_as(v.spread.medians).tolist()
    rows: list[Row] = [
        {
            "candidate": each.candidate,
            v.function.noun_for(v.evidence.results).replace(" ", "_"): each.shown,
            "low": each.shown_low,
            "high": each.shown_high,
            "median": medians[i],
        }
        for i, each in ((i, v.row(v.candidates[i])) for i in among)
    ]
    kind = f"{v.level} {v.interval} intervals"
    return rows, f"{kind} of given {v.nouns.candidates()}, on the scale that people write."


def _ranks(v: Verdict) -> tuple[list[Row], str]:
    levels = (0.025, 0.25, 0.5, 0.75, 0.975)
    rows: list[Row] = []
    for i in v.order:
        of_ranks = v.spread.places[:, i] / 2
        quantiles = zip(levels, np.quantile(of_ranks, levels).tolist(), strict=True)
        rows.append(
            {
                "candidate": v.candidates[i],
                "rank": float(v.evidence.ranks[i]),
                "mean_rank": float(of_ranks.mean()),
                **{f"q{100 * level:g}": quantile for level, quantile in quantiles},
                "iqr": float(v.spread.iqr[i]),
                "top3_share": float((of_ranks <= 3).mean()),
                "top10_share": float((of_ranks <= TOP).mean()),
            }
        )
    one, together = map(per_cent, (RANGE_HOLDS_ONE_RANK, RANGES_HOLD_ALL_RANKS))
    return rows, (
        "Quantiles of the ranks over all resamples. From q2.5 to q97.5 they hold one "
        f"{v.nouns.candidate}'s true rank in {one} of cases, and all true ranks at once in "
        f"{together}."
    )


def _tests(v: Verdict) -> tuple[list[TestsRow], str]:
    rows: list[TestsRow] = [
        {
            "group": place,
            "leader": v.candidates[r.leader],
            "other": v.candidates[int(r.others[k])],
            "p": float(r.p[k]),
            "threshold": None if np.isnan(r.thresholds[k]) else float(r.thresholds[k]),
            "excluded": bool(r.rejected[k]),
        }
        for place, r in enumerate(v.paper.rounds, start=1)
        for k in np.argsort(r.p, kind="stable").tolist()
    ]
    return rows, (
        "The one-sided tests of each leader against those that remained, with Holm's thresholds "
        "(none after the first that failed). Nothing else was tested."
    )


def _pairs(v: Verdict) -> tuple[list[Row], str]:
    p, strict = pair_p_values(v.evidence, v.spread), v.all_pairs
    observed, places = v.evidence.observed, v.evidence.ranks
    rows: list[Row] = [
        {
            "a": v.candidates[i],
            "b": v.candidates[j],
            # tied merits are level
            "difference": float(observed[i] - observed[j]) if places[i] != places[j] else 0.0,
            "p_a_better": float(p[i, j]),
            "p_b_better": float(p[j, i]),
            **({} if strict is None else {"p_all_pairs": float(strict.tests.p[i, j])}),
        }
        for i, j in combinations(v.order, 2)
    ]
    return rows, (
        "One-sided bootstrap p-values of every pair, not corrected; p_all_pairs is two-sided and "
        "corrected for all pairs."
    )


KEYS = {"tests": 3, "pairs": 2, "inversions": 2}  # columns that name a row
TABLES: dict[str, Callable[[Verdict], tuple[list[Any], str]]] = {
    "groups": _groups,
    "summary": _summary,
    "inversions": _inversions,
    "first": _first,
    "intervals": _intervals,
    "ranks": _ranks,
    "tests": _tests,
    "pairs": _pairs,
}

"""The tables of Fawcett et al. (2023), one each, from a verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from deadheat.core.errors import UnknownNameError
from deadheat.core.types import Cell, Row
from deadheat.output.result import Listing
from deadheat.output.table import DOT, Column, Grid, bar
from deadheat.output.text import number
from deadheat.statistics.groups import pair_p_values
from deadheat.statistics.measured import RANGE_HOLDS_ONE_RANK, RANGES_HOLD_ALL_RANKS, per_cent
from deadheat.verdict.claims import Judgement
from deadheat.verdict.official import top
from deadheat.verdict.words import guarantee

# A verdict as a table that people read, with its intervals drawn in letters.


def verdict_grid(v: Judgement) -> Grid:
    """Return the robust ranking: groups, merits, interval bars, shares ranked first, ranks."""
    kept = set(range(len(v.candidates)) if v.shown_top is None else top(v.official, v.shown_top))
    order = [i for group in v.members for i in group if i in kept]
    left, right = float(v.low[order].min()), float(v.high[order].max())
    axis = v.function.shown(np.array([left, right]), v.evidence.results)
    level = f"{100 * (1 - v.alpha):g} %"
    columns = [
        Column(name="group"),
        Column(name="candidate", key=True),
        Column(name=v.heading, digits=v.digits),
        Column(name=f"{number(float(axis[0]))} \u2026 {number(float(axis[1]))}", picture=True),
        Column(name="low", digits=v.digits, on_paper=True),
        Column(name="high", digits=v.digits, on_paper=True),
        Column(name="first %", digits=1),
        Column(name="ranks"),
    ]
    cells: list[tuple[Cell, ...]] = []
    for i in order:
        who = v.row(v.candidates[i])
        drawn = bar(who.low, who.merit, who.high, left=left, right=right)
        span = "\u2013".join(number(round(end, 1)) for end in (who.rank_low, who.rank_high))
        official = (float(v.official[i]),) if v.has_official else ()
        told = (None if v.undecided else who.group, who.candidate, *official, who.shown, drawn)
        ends = (who.shown_low, who.shown_high)
        cells.append((*told, *ends, 100 * who.first_share, span))
    if v.has_official:
        columns.insert(2, Column(name="official"))
    ranges = "resampling ranges, no confidence sets"
    if v.strictly is not None and v.sound:
        ranges = "simultaneous confidence sets"
    elif v.strictly is not None:
        ranges = "who is put above and below by the same tests, no confidence sets"
    elif not v.evidence.plan.random:
        ranges = "ranges over tables with one left out, no confidence sets"
    each = "" if v.interval == "simultaneous" else " of a given candidate"
    bars = f"Bars: {level} {v.interval} intervals{each}, right is better, {DOT} as observed."
    shares = "First %: a shared first place counts for all who share it."
    if v.strictly is None or v.sound:
        ranges = f"{level} {ranges}"
    notes = [resampled(v), f"{shares} Ranks: {ranges}.", guarantee(v)]
    if len(order) < len(v.candidates):
        notes.append(f"The top {v.shown_top} of {len(v.candidates):,} candidates are shown.")
    return Grid(columns=tuple(columns), cells=tuple(cells), notes=tuple(notes), captions=(bars,))


def resampled(v: Judgement) -> str:
    """Say how often was resampled, how, and what the answer is about where there are strata."""
    plan = v.evidence.plan
    what = plan.in_words(v.evidence.results.m)
    if not plan.random:
        return f"{what}."
    about = "" if plan.strata is None else "; the strata are taken as given, not as a sample"
    counted = "" if v.paper.draws in (None, len(v.merits)) else f", {v.paper.draws:,} in the tests"
    return f"{len(v.merits):,} resamples{counted}: {what}{about}."


TOP = 10


@dataclass(frozen=True, eq=False, kw_only=True)
class VerdictTable(Listing):
    """Hold one of the tables that a verdict can be told in."""

    schema: ClassVar[str] = "deadheat.verdict-table/1"


def verdict_table(v: Judgement, name: str) -> VerdictTable:
    """Return one table: ``groups``, ``summary``, ``first``, ``intervals``, ``ranks`` ...

    ``groups`` is table 4 of [1]_ (groups with fractional and official ranks), ``summary`` table 2
    (groups, ties, inversions and mean inter-quartile range of ranks, for all, the top 10 and the
    top 3), ``first`` table 3 (shares ranked first), ``intervals`` what figure 1 draws (intervals of
    the top 10 with the official score). Table 1 is :func:`deadheat.influence`. Beyond the paper,
    ``ranks`` is the distribution of the ranks, ``tests`` every test that made the groups, and
    ``pairs`` the p-value of every pair.

    References
    ----------
    .. [1] Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers
       Using Statistical Resampling".
    """
    if name not in TABLES:
        raise UnknownNameError("table of a verdict", name, TABLES)
    records, sentence = TABLES[name](v)
    return VerdictTable(
        made=v.made,
        warnings=v.warnings,
        library=v.library,
        name=name,
        records=tuple(records),
        sentence=sentence,
        keys=KEYS.get(name, 1),
    )


def _groups(v: Judgement) -> tuple[list[Row], str]:
    records: list[Row] = []
    for place, group in enumerate(v.members, start=1):
        who = [f"{v.candidates[i]} ({number(float(v.official[i]))})" for i in group]
        records.append(
            {
                "group": str(place),
                "fractional_rank": v.row(v.candidates[group[0]]).fractional_rank,
                "size": len(group),
                "candidates": ", ".join(who),
            }
        )
    what = "official" if v.has_official else "observed"
    return records, f"In brackets the {what} rank; groups ordered inside by median merit."


def _summary(v: Judgement) -> tuple[list[Row], str]:
    n = len(v.candidates)
    everybody = {"among": "all", "candidates": n, "groups": len(v.members), **v.counts(range(n))}
    return [everybody, *({"among": f"top {k}", **v.of_top(k)} for k in v.tops)], (
        "Ties are pairs in one group, inversions pairs that the groups put the other way round "
        "than the order, mean_iqr is the mean inter-quartile range of the ranks."
    )


def _first(v: Judgement) -> tuple[list[Row], str]:
    order = np.argsort(-v.spread.first, kind="stable").tolist()
    errors = v.first_error(v.spread.first)
    records: list[Row] = [
        {
            "candidate": v.candidates[i],
            "first_share": float(v.spread.first[i]),
            "monte_carlo_error": float(errors[i]),
        }
        for i in order
        if v.spread.first[i] > 0
    ]
    return records, (
        f"{len(records)} of {len(v.candidates)} candidates are ever first in {len(v.merits):,} "
        "resamples; a shared first place counts for all who share it."
    )


def _intervals(v: Judgement) -> tuple[list[Row], str]:
    among = top(v.official, v.shown_top or TOP)
    order = sorted(among, key=lambda i: v.evidence.ranks[i])
    shown = v.function.shown
    ends = [shown(array, v.evidence.results) for array in (v.low, v.high, v.spread.medians)]
    records: list[Row] = [
        {
            "candidate": v.candidates[i],
            v.heading.replace(" ", "_"): float(v.shown[i]),
            "low": float(min(ends[0][i], ends[1][i])),
            "high": float(max(ends[0][i], ends[1][i])),
            "median": float(ends[2][i]),
        }
        for i in order
    ]
    return records, (
        f"{100 * (1 - v.alpha):g} % {v.interval} intervals of given candidates, on the scale that "
        "people write."
    )


def _ranks(v: Judgement) -> tuple[list[Row], str]:
    levels = (0.025, 0.25, 0.5, 0.75, 0.975)
    records: list[Row] = []
    for i in (i for group in v.members for i in group):
        of_ranks = v.spread.places[:, i] / 2
        quantiles = np.quantile(of_ranks, levels).tolist()
        records.append(
            {
                "candidate": v.candidates[i],
                "rank": float(v.evidence.ranks[i]),
                "mean_rank": float(of_ranks.mean()),
                **{f"q{100 * level:g}": q for level, q in zip(levels, quantiles, strict=True)},
                "iqr": float(v.spread.iqr[i]),
                "top3_share": float((of_ranks <= 3).mean()),
                "top10_share": float((of_ranks <= TOP).mean()),
            }
        )
    one, together = map(per_cent, (RANGE_HOLDS_ONE_RANK, RANGES_HOLD_ALL_RANKS))
    return records, (
        "Quantiles of the ranks over all resamples. From q2.5 to q97.5 they hold one candidate's "
        f"true rank in {one} of cases, and all true ranks at once in {together}."
    )


def _tests(v: Judgement) -> tuple[list[Row], str]:
    records: list[Row] = [
        {
            "group": place,
            "leader": v.candidates[r.leader],
            "other": v.candidates[int(other)],
            "p": float(p),
            "threshold": None if np.isnan(threshold) else float(threshold),
            "excluded": bool(excluded),
        }
        for place, r in enumerate(v.paper.rounds, start=1)
        for other, p, threshold, excluded in sorted(
            zip(r.others, r.p, r.thresholds, r.rejected, strict=True), key=lambda test: test[1]
        )
    ]
    return records, (
        "The one-sided tests of each leader against those that remained, with Holm's thresholds "
        "(none after the first that failed). Nothing else was tested."
    )


def _pairs(v: Judgement) -> tuple[list[Row], str]:
    p = pair_p_values(v.evidence, v.spread)
    strict = v.all_pairs
    observed, places = v.evidence.observed, v.evidence.ranks
    order = [i for group in v.members for i in group]
    records: list[Row] = []
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            apart = places[i] != places[j]  # tied merits are level
            record: Row = {
                "a": v.candidates[i],
                "b": v.candidates[j],
                "difference": float(observed[i] - observed[j]) if apart else 0.0,
                "p_a_better": float(p[i, j]),
                "p_b_better": float(p[j, i]),
            }
            if strict is not None:
                record["p_all_pairs"] = float(strict.tests.p[i, j])
            records.append(record)
    return records, (
        "One-sided bootstrap p-values of every pair, not corrected; p_all_pairs is two-sided and "
        "corrected for all pairs."
    )


KEYS = {"tests": 3, "pairs": 2}  # columns that name a row
TABLES: dict[str, Callable[[Judgement], tuple[list[Row], str]]] = {
    "groups": _groups,
    "summary": _summary,
    "first": _first,
    "intervals": _intervals,
    "ranks": _ranks,
    "tests": _tests,
    "pairs": _pairs,
}

"""The tables of Fawcett et al. (2023), one each, from a verdict."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
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

TOP = 10


def verdict_grid(v: Judgement) -> Grid:
    kept = set(range(len(v.candidates)) if v.shown_top is None else top(v.official, v.shown_top))
    order = [i for i in v.order if i in kept]
    left, right = float(v.low[order].min()), float(v.high[order].max())
    axis = v.shown_as(np.array([left, right]))
    level = f"{100 * (1 - v.alpha):g} %"
    columns = [
        Column(name="group"),
        Column(name="candidate", key=True),
        *([Column(name="official")] if v.has_official else []),
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
        cells.append(
            (
                None if v.undecided else who.group,
                who.candidate,
                *([who.official] if v.has_official else []),
                who.shown,
                drawn,
                who.shown_low,
                who.shown_high,
                100 * who.first_share,
                span,
            )
        )
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
    notes = [_resampled(v), f"{shares} Ranks: {ranges}.", guarantee(v)]
    if len(order) < len(v.candidates):
        notes.append(f"The top {v.shown_top} of {len(v.candidates):,} candidates are shown.")
    return Grid(columns=tuple(columns), cells=tuple(cells), notes=tuple(notes), captions=(bars,))


def _resampled(v: Judgement) -> str:
    plan = v.evidence.plan
    what = plan.in_words(v.evidence.results.m)
    if not plan.random:
        return f"{what}."
    about = "" if plan.strata is None else "; the strata are taken as given, not as a sample"
    counted = "" if v.paper.draws in (None, len(v.merits)) else f", {v.paper.draws:,} in the tests"
    return f"{len(v.merits):,} resamples{counted}: {what}{about}."


class VerdictTable(Listing):
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
    return VerdictTable.of(v, name, *TABLES[name](v), keys=KEYS.get(name, 1))


def _groups(v: Judgement) -> tuple[list[Row], str]:
    ranked = [f"{who} ({number(float(v.official[i]))})" for i, who in enumerate(v.candidates)]
    records: list[Row] = [
        {
            "group": str(place),
            "fractional_rank": v.row(v.candidates[group[0]]).fractional_rank,
            "size": len(group),
            "candidates": ", ".join(ranked[i] for i in group),
        }
        for place, group in enumerate(v.members, start=1)
    ]
    what = "official" if v.has_official else "observed"
    return records, f"In brackets the {what} rank; groups ordered inside by median merit."


def _summary(v: Judgement) -> tuple[list[Row], str]:
    tops = ({"among": f"top {k}", **counts} for k, counts in v.tops.items())
    return [{"among": "all", **v.counts()}, *tops], (
        "Ties are pairs in one group, inversions pairs that the groups put the other way round "
        "than the order, mean_iqr is the mean inter-quartile range of the ranks."
    )


def _first(v: Judgement) -> tuple[list[Row], str]:
    by_share = sorted(map(v.row, v.candidates), key=lambda each: -each.first_share)
    records: list[Row] = [
        {
            "candidate": each.candidate,
            "first_share": each.first_share,
            "monte_carlo_error": each.first_error,
        }
        for each in by_share
        if each.first_share > 0
    ]
    return records, (
        f"{len(records)} of {len(v.candidates)} candidates are ever first in {len(v.merits):,} "
        "resamples; a shared first place counts for all who share it."
    )


def _intervals(v: Judgement) -> tuple[list[Row], str]:
    among = top(v.official, v.shown_top or TOP)
    order = sorted((v.row(v.candidates[i]) for i in among), key=lambda each: each.rank)
    medians = dict(zip(v.candidates, v.shown_as(v.spread.medians).tolist(), strict=True))
    records: list[Row] = [
        {
            "candidate": each.candidate,
            v.heading.replace(" ", "_"): each.shown,
            "low": each.shown_low,
            "high": each.shown_high,
            "median": medians[each.candidate],
        }
        for each in order
    ]
    return records, (
        f"{100 * (1 - v.alpha):g} % {v.interval} intervals of given candidates, on the scale that "
        "people write."
    )


def _ranks(v: Judgement) -> tuple[list[Row], str]:
    levels = (0.025, 0.25, 0.5, 0.75, 0.975)
    records: list[Row] = []
    for i in v.order:
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
    records: list[Row] = [
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

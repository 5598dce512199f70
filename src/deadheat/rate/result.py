"""Ratings whose differences are log-odds of winning, and how sure they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from deadheat.core.errors import UnknownNameError, UsageError, Words
from deadheat.core.types import Cell, Floats, Row
from deadheat.output.result import Listing, Result
from deadheat.output.table import DOT, Column, Grid, bar
from deadheat.output.text import number
from deadheat.rate.estimates import RatingFacts
from deadheat.rate.intervals import difference_intervals
from deadheat.rate.tunability import latest_gain_of, tunability_of
from deadheat.rate.words import goodness_facts, rating_sentences, shows, why_unknown
from deadheat.statistics.units import every_pair

# ------------------------------------------------------------------------------
# Ratings as a table that people read, with their intervals drawn in letters.

DASH = "\u2013"
MOST_NAMES = 100  # of a part of the field that facts list
ROOM = 0.1  # of the axis, beyond what is finite


def rating_grid(r: Ratings) -> Grid:
    """Return ratings, interval bars, records and groups."""
    left, right = _axis(r)
    digits = r.scale.digits
    mle = ("mle",) if r.separated and r.fit is not None else ()
    counts = ("wins", "losses", "ties") if r.has_ties else ("wins", "losses")
    columns = (
        Column(name="group"),
        Column(name="candidate", key=True),
        Column(name="rating", digits=digits),
        Column(name=f"{number(left, digits)} … {number(right, digits)}", picture=True),
        Column(name="low", digits=digits, on_paper=True),
        Column(name="high", digits=digits, on_paper=True),
        *(Column(name=name, digits=digits) for name in mle),
        Column(name=f"won{DASH}lost{DASH}tied" if r.has_ties else f"won{DASH}lost", picture=True),
        *(Column(name=name, on_paper=True) for name in counts),
    )
    cells: list[tuple[Cell, ...]] = []
    for row in r.rows():
        start = left if row["low"] is None else row["low"]
        end = right if row["high"] is None else row["high"]
        drawn = bar(start, row["rating"], end, left=left, right=right)
        record = [round(row[name], 1) for name in counts]  # half wins, weights
        cells.append(
            (
                *(row["group"], row["candidate"], row["rating"], drawn, row["low"], row["high"]),
                *(row[name] for name in mle),
                DASH.join(map(number, record)),
                *record,
            )
        )
    level = f"{100 * (1 - r.alpha):g} %"
    apart = r.evidence.separation is not None
    kind = "" if apart else f"{r.interval} "
    bars = f"Bars: {level} {kind}intervals, right is better, {DOT} the rating."
    if apart:
        bars += " Whoever won or lost all between parts of the field has a bar without that end."
    return Grid(columns=columns, cells=tuple(cells), notes=_notes(r), captions=(bars,))


def _axis(r: Ratings) -> tuple[float, float]:
    """Return where the axis begins and ends: at what is finite, with room for open ends."""
    ends = r.scale.shown(np.concatenate([r.bounds.low, r.ratings, r.bounds.high]))
    known = ends[np.isfinite(ends)]
    room = 0.0 if len(known) == len(ends) else ROOM * float(np.ptp(known))
    return float(known.min()) - room, float(known.max()) + room


def _notes(r: Ratings) -> tuple[str, ...]:
    notes = [r.drawn]
    if r.of_rounds and r.split_sd is not None and np.isfinite(r.split_sd):
        unit = ": the unit of these ratings" if r.scale.name == "logit" else ""
        notes.append(f"Scores vary by {number(r.split_sd)} from round to round{unit}.")
    return (*notes, about_groups(r))


def about_groups(r: Ratings) -> str:
    """Return what the groups guarantee, as a note."""
    level = f"{100 * r.alpha:g} %"
    tests = r.grouped.tests
    if tests is not None:
        told = f"the chance that any pair is wrongly told apart is about {level}"
        if not shows(r):
            told = f"how often they err is not known {why_unknown(r)}"
        return f"Groups: all pairs tested at once ({tests.method}); {told}."
    if not shows(r):
        return (
            "Groups (Fawcett et al. 2023): the leader of a group, and not every member, is put "
            f"ahead of all below; how often that is wrong is not known {why_unknown(r)}."
        )
    said = (
        "Groups (Fawcett et al. 2023): the leader of a group, and not every member, is shown "
        f"better than all below, with more errors than {level} in all."
    )
    return Words(
        f"{said} --strict holds for all pairs at once.",
        page=f"{said} Stricter tests hold for all pairs at once.",
    )


# ------------------------------------------------------------------------------
# Other tables that ratings can be told in.


class RatingTable(Listing):
    """Hold one table about ratings, of one tournament or of several."""

    schema: ClassVar[str] = "deadheat.rate-table/1"

    @classmethod
    def about(cls, r: Result, name: str, table: tuple[list[Row], str], **how: Any) -> Self:
        """Return a table, its rows and its sentence, about a result, made as that was."""
        return cls(
            made=r.made,
            warnings=r.warnings,
            library=r.library,
            name=name,
            records=tuple(table[0]),
            sentence=table[1],
            **how,
        )


def rating_table(r: Ratings, name: str) -> RatingTable:
    """Return a table by name: matrix, pairs, groups, calibration or tunability."""
    if name in OF_SEVERAL:
        raise UsageError(
            f"the table {name} compares several tournaments, and this is one.",
            hint="tournament= and round= (--tournament COL --round COL) rate each data set of a "
            "table by itself, category= (--category COL) each part of a log.",
        )
    if name not in TABLES:
        raise UnknownNameError("table of ratings", str(name), (*TABLES, *OF_SEVERAL))
    keys, headings = KEYS.get(name, 1), HEADINGS.get(name, {})
    return RatingTable.about(r, name, TABLES[name](r), keys=keys, headings=headings)


def known(value: float) -> float | None:
    """Return a number, or None for the end that an interval between parts does not have."""
    return value if np.isfinite(value) else None


def _matrix(r: Ratings) -> tuple[list[Row], str]:
    p = r.win_matrix().p
    rows: list[Row] = [
        {
            "candidate": r.candidates[i],
            **{r.candidates[j]: None if i == j else float(p[i, j]) for j in r.order},
        }
        for i in r.order
    ]
    return rows, "The probability that the candidate of the row beats that of the column."


def _pairs(r: Ratings) -> tuple[list[Row], str]:
    i, j = every_pair(len(r.candidates))
    order = np.array(r.order)
    first, second = order[i], order[j]
    found = difference_intervals(r.evidence, first, second, alpha=r.alpha, kind=r.bounds.kind)
    ends = {"p_beats": found.values, "p_low": found.low, "p_high": found.high}
    shares = {name: r.chance(value) for name, value in ends.items()}
    tests = r.grouped.tests
    rows: list[Row] = []
    for k, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        rows.append(
            {
                "first": r.candidates[a],
                "second": r.candidates[b],
                "difference": r.scale.factor * float(found.values[k]),
                "low": known(r.scale.factor * float(found.low[k])),
                "high": known(r.scale.factor * float(found.high[k])),
                **{name: float(value[k]) for name, value in shares.items()},
                **({} if tests is None else {"p_value": float(tests.p[a, b])}),
            }
        )
    level = f"{100 * (1 - r.alpha):g} %"
    return rows, f"Differences of ratings and win probabilities with {level} intervals, each pair."


def _groups(r: Ratings) -> tuple[list[Row], str]:
    rows: list[Row] = [
        {"group": g, "size": len(group), "candidates": ", ".join(group)}
        for g, group in enumerate(r.groups, start=1)
    ]
    return rows, f"Candidates of one group are in a dead heat. {about_groups(r)}"


def _calibration(r: Ratings) -> tuple[list[Row], str]:
    found = r.calibration
    if found is None:
        raise UsageError(
            f"the model {r.model} has no calibration table.",
            hint="bradley-terry and epp have one.",
        )
    rows: list[Row] = [
        {
            "low": part.low,
            "high": part.high,
            "pairs": part.pairs,
            "matches": part.battles,
            "fitted": part.fitted,
            "observed": part.observed,
        }
        for part in found.bins
        if part.pairs
    ]
    return rows, "What favourites should win by their ratings, and what they won."


def _tunability(r: Ratings) -> tuple[list[Row], str]:
    rows: list[Row] = [
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
    ]
    return rows, (
        "gain: the best setting over the first one of its algorithm; held out: the best chosen "
        "on half of the rounds and measured on the others, which no luck of choice flatters."
    )


OF_SEVERAL = ("tournaments", "embedding")
KEYS: Mapping[str, int] = {"pairs": 2, "calibration": 2}  # columns that name a row, else one
HEADINGS: Mapping[str, Mapping[str, str]] = {
    "pairs": {"p_beats": "p(win)", "p_low": "p low", "p_high": "p high", "p_value": "p-value"},
    "tunability": {
        "p_beats_default": "p(win)",
        "held_out": "held out",
        "p_held_out": "p(win) held out",
    },
}
TABLES: Mapping[str, Callable[[Ratings], tuple[list[Row], str]]] = {
    "matrix": _matrix,
    "pairs": _pairs,
    "groups": _groups,
    "calibration": _calibration,
    "tunability": _tunability,
}


# ------------------------------------------------------------------------------
# The result.


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

    tunability = tunability_of
    latest_gain = latest_gain_of

    def table(self, name: str) -> RatingTable:
        """Return a table: matrix, pairs, groups or calibration."""
        return rating_table(self, name)

    def rows(self) -> list[Row]:
        """Return one record per candidate, highest rating first."""
        return [self._row(i) for i in self.order]

    def facts(self) -> dict[str, Any]:
        """Return what is true of the whole: validity, fit, groups."""
        return {
            "model": self.model,
            "scale": self.scale.name,
            "anchor": self.scale.anchor,
            "errors": self.errors,
            "interval": self.interval,
            "drawn": self.drawn,
            "groups": [len(group) for group in self.groups],
            "members": [list(group) for group in self.groups],
            "leader_corrected": self.leader_corrected,
            "detectable": self.detectable,
            "split_sd": self.split_sd,
            "separated": self.separated,
            **self._of_fit(),
            **goodness_facts(self),
            **self.extra,
        }

    @property
    def verdict(self) -> str:
        """What a person can say and defend, in a few sentences."""
        return "\n".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the ratings say, one or two sentences each."""
        return rating_sentences(self)

    def grid(self) -> Grid:
        """Return the ratings with interval bars."""
        return rating_grid(self)

    @cached_property
    def shown_mle(self) -> Floats:
        """The plain ratings on the scale; an anchor that has one is where its rating is."""
        scale = self.scale
        at = 0.0 if scale.anchor is None else float(self.mle[self.at(scale.anchor)])
        return scale.origin + scale.factor * (self.mle - (at if np.isfinite(at) else 0.0))

    def _row(self, i: int) -> Row:
        shown = self.scale.shown
        low, high, first = self.grouped.rank_low, self.grouped.rank_high, self.grouped.first
        wins, losses, ties = (float(kind[i]) for kind in self.record)
        return {
            "candidate": self.candidates[i],
            "rating": float(shown(self.ratings)[i]),
            "mle": _told(float(self.shown_mle[i])),
            **(
                {}
                if self.fit is None
                else {"within": float(self.scale.factor * self.fit.within[i])}
            ),
            "se": known(self.scale.factor * float(self.bounds.errors[i])),
            "low": known(float(shown(self.bounds.low)[i])),
            "high": known(float(shown(self.bounds.high)[i])),
            "wins": wins,
            "losses": losses,
            "ties": ties,
            "rank": float(self.ranks[i]),
            "rank_low": None if low is None else float(low[i]),
            "rank_high": None if high is None else float(high[i]),
            "first_share": None if first is None else known(float(first[i])),
            "group": self.group_of[i],
        }

    def _of_fit(self) -> dict[str, Any]:
        if self.fit is None:
            return {}
        there = self.fit.existence
        return {
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


def _told(value: float) -> float | str | None:
    """Return a number, "+inf", "-inf", or None: JSON knows no infinity."""
    if np.isnan(value):
        return None
    return value if np.isfinite(value) else f"{value:+}"

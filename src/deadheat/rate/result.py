"""Ratings whose differences are log-odds of winning, and how sure they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, logit

from deadheat.core.errors import UnknownNameError, UsageError, Words
from deadheat.core.types import Cell, Floats, Row
from deadheat.models.rating.bradley_terry import Fit
from deadheat.models.rating.newton import tie_model
from deadheat.output.result import Listing, Result
from deadheat.output.table import DOT, Column, Grid, bar
from deadheat.output.text import number
from deadheat.ranking.ranks import best_first, ranks
from deadheat.rate import words
from deadheat.rate.calibration import Calibration, Goodness, calibration
from deadheat.rate.groups import RatingGroups
from deadheat.rate.intervals import (
    Bounds,
    RatingEvidence,
    WinMatrix,
    difference_intervals,
    leader_of_ratings,
    win_matrix,
)
from deadheat.rate.matches import Matches, RatingScale
from deadheat.rate.tunability import latest_gain_of, tunability_of
from deadheat.rate.words import error_is_unknown, lucky, shows, why_unknown
from deadheat.resampling.replicate import Engine
from deadheat.statistics.evidence import lead_seen
from deadheat.statistics.units import every_pair

# ------------------------------------------------------------------------------
# Ratings as a table that people read, with their intervals drawn in letters.

DASH = "\u2013"
ROOM = 0.1  # of the axis, beyond what is finite


def rating_grid(r: Ratings) -> Grid:
    """Return ratings, interval bars, records and groups."""
    rows = r.rows()
    left, right = _axis(r)
    digits = r.scale.digits
    shown = (r.separated and r.fit is not None, bool(r.record[2].any()))
    columns = [
        Column(name="group"),
        Column(name="candidate", key=True),
        Column(name="rating", digits=digits),
        Column(name=f"{number(left, digits)} … {number(right, digits)}", picture=True),
        Column(name="low", digits=digits, on_paper=True),
        Column(name="high", digits=digits, on_paper=True),
        *([Column(name="mle", digits=digits)] if shown[0] else []),
        Column(name=f"won{DASH}lost{DASH}tied" if shown[1] else f"won{DASH}lost", picture=True),
        *(Column(name=name, on_paper=True) for name in ("wins", "losses")),
        *([Column(name="ties", on_paper=True)] if shown[1] else []),
    ]
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        start = left if row["low"] is None else row["low"]
        end = right if row["high"] is None else row["high"]
        drawn = bar(start, row["rating"], end, left=left, right=right)
        told = (row["group"], row["candidate"], row["rating"], drawn, row["low"], row["high"])
        mle = (row["mle"],) if shown[0] else ()
        record = (row["wins"], row["losses"], *((row["ties"],) if shown[1] else ()))
        counts = [_count(value) for value in record]
        cells.append((*told, *mle, DASH.join(number(count) for count in counts), *counts))
    level = f"{100 * (1 - r.alpha):g} %"
    apart = r.evidence.separation is not None
    kind = "" if apart else f"{r.interval} "
    bars = f"Bars: {level} {kind}intervals, right is better, {DOT} the rating."
    if apart:
        bars += " Whoever won or lost all between parts of the field has a bar without that end."
    return Grid(columns=tuple(columns), cells=tuple(cells), notes=_notes(r), captions=(bars,))


def _axis(r: Ratings) -> tuple[float, float]:
    """Return where the axis begins and ends: at what is finite, with room for open ends."""
    ends = r.scale.shown(np.concatenate([r.bounds.low, r.ratings, r.bounds.high]))
    known = ends[np.isfinite(ends)]
    room = 0.0 if len(known) == len(ends) else ROOM * float(np.ptp(known))
    return float(known.min()) - room, float(known.max()) + room


def _notes(r: Ratings) -> tuple[str, ...]:
    how = r.drawn if r.drawn.endswith(".") else f"{r.drawn}."
    notes = [how]
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


def _count(value: float) -> float:
    """Return a count with at most one decimal: half wins and weights are no whole numbers."""
    return round(value, 1)


# ------------------------------------------------------------------------------
# Other tables that ratings can be told in.


class RatingTable(Listing):
    """Hold one table about ratings."""

    schema: ClassVar[str] = "deadheat.rate-table/1"


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
    records, sentence = TABLES[name](r)
    return RatingTable(
        made=r.made,
        warnings=r.warnings,
        library=r.library,
        name=name,
        records=tuple(records),
        sentence=sentence,
        keys=KEYS.get(name, 1),
        headings=HEADINGS.get(name, {}),
    )


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
    rows: list[Row] = []
    for each in tunability_of(r):
        gain = each.gain
        rows.append(
            {
                "algorithm": each.algorithm,
                "settings": len(each.settings),
                "range": each.range,
                "iqr": each.iqr,
                "sd": each.sd,
                "best": r.candidates[each.best],
                "gain": None if gain is None else gain.difference,
                "p_beats_default": None if gain is None else gain.probability,
                "held_out": None if gain is None else gain.held_out,
                "p_held_out": None if gain is None else gain.held_out_probability,
            }
        )
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

MOST_NAMES = 100  # of a part of the field that facts list
FARTHEST = 500.0  # log-odds, beyond which a share of points is 0 or 1


@dataclass(frozen=True, kw_only=True)
class Chance:
    """Hold the probability that one candidate beats another, and its interval.

    Where one never lost to the other, nor to anybody between them, the interval ends at 1.
    """

    p: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Ratings(Result):
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
    model: str
    candidates: tuple[str, ...]
    evidence: RatingEvidence
    mle: Floats
    record: Floats
    bounds: Bounds
    grouped: RatingGroups
    scale: RatingScale
    alpha: float
    errors: str
    drawn: str
    fit: Fit | None = None
    matches: Matches | None = None
    simulations: int = 0
    seed: int = 0
    on: str | Engine = "threads"
    split_sd: float | None = None
    of_rounds: bool = False
    extra: dict[str, Any] | None = None

    @property
    def ratings(self) -> Floats:
        """The ratings (n,) as log-odds that sum to 0."""
        return self.evidence.ratings

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The candidates, highest rating first."""
        return tuple(best_first(self.ratings).tolist())

    @cached_property
    def ranks(self) -> Floats:
        """The ranks of the ratings; equal ratings share the mean of theirs."""
        return ranks(self.ratings)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The tie groups by name, best first."""
        members = self.grouped.groups.members
        return tuple(tuple(self.candidates[i] for i in group) for group in members)

    @cached_property
    def group_of(self) -> dict[int, int]:
        """The number of the group of each candidate, from 1 on."""
        members = self.grouped.groups.members
        return {i: g for g, group in enumerate(members, start=1) for i in group}

    @property
    def separated(self) -> bool:
        """Whether plain maximum-likelihood ratings do not exist."""
        nothing = not bool(np.isfinite(self.mle).all())
        return bool((self.extra or {}).get("separated", nothing))

    @property
    def interval(self) -> str:
        """What intervals are: their kind, ``posterior`` for beliefs, and whether ends are open."""
        kind = self.bounds.kind if self.errors != "posterior" else "posterior"
        return kind if self.evidence.separation is None else f"{kind}, open where no loss joins"

    @cached_property
    def goodness(self) -> Goodness | None:
        """How well the ratings fit, calibrated by simulation; None for other models."""
        if self.fit is None or self.matches is None:
            return None
        return self.matches.goodness(
            self.fit, simulations=self.simulations, seed=self.seed, on=self.on
        )

    @cached_property
    def calibration(self) -> Calibration | None:
        """What the ratings predict for each pair that met, and what happened."""
        if self.fit is None or self.matches is None:
            return None
        return calibration(
            self.matches.pairs, self.fit.ratings, ties=self.fit.ties, tie=self.fit.tie
        )

    @cached_property
    def lucky(self) -> dict[int, float]:
        """Who won or lost all of too few matches with the rest, and how many those were."""
        if self.fit is None or self.matches is None:
            return {}
        return lucky(self.fit, self.matches.independent, units=self.matches.units, alpha=self.alpha)

    @property
    def circumstances(self) -> list[dict[str, Any]]:
        """What covariates and an advantage of the left side are worth."""
        return list((self.extra or {}).get("circumstances", ()))

    def chance(self, differences: Floats) -> Floats:
        """Return the share of points that differences of log-odds mean, a tie being half a win."""
        fit = self.fit
        if fit is None or fit.tie is None or not fit.pairs.ties.any():
            return np.asarray(expit(differences))
        far = np.clip(differences, -FARTHEST, FARTHEST)
        won, _, tied = np.exp(tie_model(fit.ties)(far, fit.tie).logs)
        return np.asarray(won + tied / 2)

    def p_beats(self, a: str, b: str) -> Chance:
        """Return the probability that a beats b, a tie being half a win, with its interval."""
        i, j = self.at(a), self.at(b)
        if i == j:
            return Chance(p=0.5, low=0.5, high=0.5)
        found = difference_intervals(
            self.evidence, np.array([i]), np.array([j]), alpha=self.alpha, kind=self.bounds.kind
        )
        return Chance(
            p=float(self.chance(found.values)[0]),
            low=float(self.chance(found.low)[0]),
            high=float(self.chance(found.high)[0]),
        )

    @cached_property
    def leader_corrected(self) -> dict[str, Any] | None:
        """What the highest rating is worth, having been chosen for being highest; None if unknown.

        Of several candidates with the highest rating it is the first.
        """
        found = leader_of_ratings(self.evidence, alpha=self.alpha)
        if found is None:
            return None
        ends = self.scale.shown(np.array([found.estimate, found.low, found.high])).tolist()
        who = self.candidates[found.leader]
        return {"candidate": who, **dict(zip(("rating", "low", "high"), ends, strict=True))}

    @cached_property
    def detectable(self) -> float | None:
        """The lead in points that would have been seen in 4 of 5 cases; None where nobody ties.

        None also where nothing can be shown, or finite ratings do not exist.
        """
        e, tests = self.evidence, self.grouped.tests
        leader = self.grouped.groups.rounds[0].leader
        rivals = np.array([self.at(name) for name in self.groups[0]], dtype=np.int64)
        rivals = rivals[rivals != leader]
        if not len(rivals) or e.too_few or e.separation is not None or error_is_unknown(self):
            return None
        found = lead_seen(
            e.errors_of(np.full(len(rivals), leader), rivals),
            alpha=self.alpha,
            others=e.n - 1,
            critical=None if tests is None else tests.critical,
        )
        return None if found is None else found * self.scale.factor

    def win_matrix(self) -> WinMatrix:
        """Return the probability that each candidate beats each other, with intervals."""
        found = win_matrix(self.evidence, alpha=self.alpha, kind=self.bounds.kind)
        p, low, high = (self.chance(logit(each)) for each in (found.p, found.low, found.high))
        return replace(found, p=p, low=low, high=high)

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
            **words.goodness_facts(self),
            **(self.extra or {}),
        }

    @property
    def verdict(self) -> str:
        """What a person can say and defend, in a few sentences."""
        return "\n".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the ratings say, one or two sentences each."""
        return words.rating_sentences(self)

    def grid(self) -> Grid:
        """Return the ratings with interval bars."""
        return rating_grid(self)

    def at(self, candidate: str) -> int:
        """Return the number of a candidate."""
        try:
            return self.candidates.index(candidate)
        except ValueError:
            raise UnknownNameError("candidate", str(candidate), self.candidates) from None

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

    def named(self, numbers: tuple[int, ...]) -> list[str]:
        """Return the names of candidates."""
        return [self.candidates[i] for i in numbers]


def _told(value: float) -> float | str | None:
    """Return a number, "+inf", "-inf", or None: JSON knows no infinity."""
    if np.isnan(value):
        return None
    return value if np.isfinite(value) else f"{value:+}"

"""A ranking by scores that say themselves how far they may be off: who is level with the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import floor, log10
from typing import Any

import numpy as np

from deadheat.core.types import Booleans, Cell, Floats
from deadheat.data.results import Nouns, Results
from deadheat.output.table import DOT, Column, Grid, bar
from deadheat.output.text import number
from deadheat.rank import words
from deadheat.rank.schema import OwnErrorsOfRow
from deadheat.statistics.group_words import LEVEL
from deadheat.statistics.intervals import NORMAL
from deadheat.statistics.own_errors import LeaderTests, leader_tests

ALPHA = 0.05
SAME = 1e-12  # relatively: what a mean of one score may differ from it
MOST_DECIMALS = 6
FIGURES = 2  # of the middle half width


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnErrors:
    """Hold scores, higher is better, their standard errors, and the tests of the best score."""

    candidates: tuple[str, ...]
    scores: Floats
    errors: Floats
    tests: LeaderTests
    lower: bool  # whether people write that lower is better
    nouns: Nouns
    called: str

    @classmethod
    def of(cls, results: Results, merits: Floats, *, called: str) -> OwnErrors | None:
        """Return what standard errors say of a ranking by the only score of each candidate."""
        if not results.tells_its_errors or results.standard_errors is None:
            return None
        scores, errors = results.scores[:, 0].astype(np.float64), results.standard_errors[:, 0]
        if not np.allclose(merits, scores, rtol=SAME, atol=0):
            return None  # it is of places, of which nobody knows how far they are off
        return cls(
            candidates=tuple(results.candidates),
            scores=scores,
            errors=errors,
            tests=leader_tests(scores, errors, ALPHA),
            lower=bool(results.lower[0]),
            nouns=results.nouns,
            called=called,
        )

    @cached_property
    def order(self) -> list[int]:
        leads = np.arange(len(self.scores)) != self.tests.leader
        return [int(i) for i in np.lexsort((leads, -self.scores))]

    @property
    def is_level(self) -> Booleans:
        return np.asarray(self.tests.tested & ~self.tests.worse)

    @property
    def level(self) -> tuple[str, ...]:
        """Who is level with the best score, itself first; nobody where nothing was tested."""
        return tuple(self.candidates[i] for i in self.order if self.is_level[i])

    @property
    def half(self) -> Floats:
        """Half the width of the interval of each score."""
        return np.asarray(self.errors * NORMAL.inv_cdf(1 - ALPHA / 2))

    def row(self, i: int) -> OwnErrorsOfRow:
        """Return what a record has beside the score."""
        shown, half = float(self.scores[i]), float(self.half[i])
        shown = 0.0 - shown if self.lower else shown
        known, tested = not np.isnan(half), bool(self.tests.tested[i])
        return {
            "standard_error": float(self.errors[i]) if known else None,
            "shown_low": shown - half if known else None,
            "shown_high": shown + half if known else None,
            "level": bool(self.is_level[i]) if tested else None,
            "p": float(self.tests.p[i]) if tested and i != self.tests.leader else None,
        }

    def facts(self) -> dict[str, Any]:
        leader = self.candidates[self.tests.leader]
        test = f"{words.z_tests(ALPHA)}, Holm's correction"
        return {"leader": leader, "level": list(self.level), "alpha": ALPHA, "test": test}

    def sentences(self) -> Iterator[str]:
        yield from words.with_own_errors(
            self.candidates, self.tests, self.level, self.nouns, self.called, ALPHA
        )

    def grid(self, ranks: Floats, heading: str) -> Grid:
        """Return everybody by score, with intervals and a mark of who is level with the best."""
        half, several = self.half, len(self.level) > 1
        low, high = self.scores - half, self.scores + half
        left, right = float(np.nanmin(low)), float(np.nanmax(high))
        shown = -self.scores if self.lower else self.scores
        axis = " \u2026 ".join(number(-end if self.lower else end) for end in (left, right))
        level = f"{100 * (1 - ALPHA):g} %"

        def cells(i: int) -> Iterator[Cell]:
            known = not np.isnan(half[i])
            yield float(ranks[i])
            if several:
                yield LEVEL if self.is_level[i] else ""
            yield self.candidates[i]
            yield float(shown[i])
            yield float(half[i]) if known else None
            drawn = (float(low[i]), float(self.scores[i]), float(high[i]))
            yield bar(*drawn, left=left, right=right) if known else ""

        columns = (
            Column(name="rank"),
            *([Column(name="")] if several else []),
            Column(name=self.nouns.candidate, key=True),
            Column(name=heading, digits=_decimals(shown), best="high", decided_by=0),
            Column(name=f"\u00b1 {level}", digits=_decimals_of_errors(half)),
            Column(name=axis, picture=True, spare=1),
        )
        return Grid.of(
            columns,
            map(cells, self.order),
            legend=(*words.legend_of_own_errors(self.candidates, self.tests, self.level, ALPHA),),
            captions=(f"Bars: {level} intervals, right is better, {DOT} the score.",),
            notes=(*words.notes_on_own_errors(self.nouns, level),),
            leading=max(len(self.level), 1),
        )


def _decimals(shown: Floats) -> int | None:
    """Return how many decimals numbers were written with; None where these are many."""
    few = (k for k in range(MOST_DECIMALS + 1) if (np.round(shown, k) == shown).all())
    return next(few, None)


def _decimals_of_errors(half: Floats) -> int:
    known = half[half > 0]
    middle = float(np.median(known)) if len(known) else 1.0
    return max(0, FIGURES - 1 - floor(log10(middle)))

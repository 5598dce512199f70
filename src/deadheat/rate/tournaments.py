"""Ratings of several tournaments: one per data set, or per category of battles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from deadheat.errors import UnknownNameError, bare, counted, listed
from deadheat.inference.embedding import Embedding, RatingMatrix, embedding, rating_matrix
from deadheat.inference.held_out import Gain
from deadheat.inference.rating_part_tables import PartTable, part_table
from deadheat.inference.rating_scale import RatingScale
from deadheat.inference.ratings import Ratings
from deadheat.inference.tournament_words import advice
from deadheat.inference.tournaments import (
    AcrossDataSets,
    Agreement,
    across_data_sets,
    data_set_agreement,
)
from deadheat.inference.tunability import Tunability
from deadheat.ranking.ranks import best_first, best_of
from deadheat.result import Column, Grid, Result
from deadheat.text import number
from deadheat.typing import Floats, Row

PLURALS = {"tournament": "tournaments", "category": "categories"}


@dataclass(frozen=True, eq=False, kw_only=True)
class RatingParts(Result):
    """Hold the ratings of each tournament, and what they say together.

    ``kind`` is what a tournament is: ``tournament`` (a data set) or ``category``. ``weights`` say
    how much each counts in means over them, 1 where not named; None: all alike. Those of weight 0
    are compared with the others, and nobody is compared with them. ``left_out`` says
    why tournaments without ratings have none.
    """

    schema: ClassVar[str] = "deadheat.rate/1"
    parts: Mapping[str, Ratings]
    kind: str
    alpha: float
    seed: int
    weights: Mapping[str, float] | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def matrix(self) -> RatingMatrix:
        """The rating of each candidate (columns) in each tournament (rows), as log-odds."""
        return rating_matrix(
            {
                name: dict(zip(r.candidates, r.ratings.tolist(), strict=True))
                for name, r in self.parts.items()
            },
            separated={name: r.candidates if r.separated else () for name, r in self.parts.items()},
        )

    @property
    def whole(self) -> bool:
        """Whether every candidate was rated in every tournament."""
        return not bool(np.isnan(self.matrix.ratings).any())

    @cached_property
    def agreement(self) -> Agreement | None:
        """How the tournaments agree; None if candidates differ, or only one tournament counts."""
        if not self.whole or np.count_nonzero(self._weights) < 2:
            return None
        every = [self._replicates(r) for r in self.parts.values()]
        known = [rows for rows in every if rows is not None]
        return data_set_agreement(
            self.matrix,
            replicates=known if len(known) == len(every) else None,
            weights=(self._weights > 0).astype(np.float64),
            alpha=self.alpha,
        )

    @cached_property
    def across(self) -> AcrossDataSets | None:
        """The mean rating of each candidate, as log-odds; None where candidates differ."""
        return across_data_sets(self.matrix, weights=self._weights) if self.whole else None

    @cached_property
    def shown(self) -> AcrossDataSets | None:
        """The same on the scale that was asked for, around the anchor."""
        if not self.whole:
            return None
        each = {
            name: dict(zip(r.candidates, r.scale.shown(r.ratings).tolist(), strict=True))
            for name, r in self.parts.items()
        }
        return across_data_sets(rating_matrix(each), weights=self._weights)

    @property
    def noun(self) -> str:
        """What a part is called in a sentence."""
        return "category" if self.kind == "category" else "data set"

    def of(self, name: str) -> Ratings:
        """Return the ratings of one tournament."""
        if name not in self.parts:
            raise UnknownNameError(self.kind, str(name), tuple(self.parts))
        return self.parts[name]

    def embedding(self, *, components: int = 2) -> Embedding:
        """Return the tournaments as points, by the ratings of the same candidates."""
        return embedding(self.matrix, components=components)

    def tunability(
        self,
        *,
        algorithms: Mapping[str, str] | None = None,
        defaults: Mapping[str, str] | None = None,
    ) -> dict[str, tuple[Tunability, ...]]:
        """Return how tunable each algorithm is in each tournament.

        Parameters
        ----------
        algorithms
            The algorithm of each candidate; by default its name without the number at its end.
        defaults
            The candidate that is the default setting of an algorithm; by default its first.
        """
        return {
            name: r.tunability(algorithms=algorithms, defaults=defaults)
            for name, r in self.parts.items()
        }

    def latest_gain(self, *, last: int, order: Sequence[str] | None = None) -> dict[str, Gain]:
        """Return, per tournament, whether the last settings tried beat the best before them.

        A stop rule for tuning: see :meth:`Ratings.latest_gain`. ``order`` are the candidates in
        the order in which they were tried, by default that of the table.
        """
        return {name: r.latest_gain(last=last, order=order) for name, r in self.parts.items()}

    def rows(self) -> list[Row]:
        """Return one record per tournament and candidate."""
        return [
            {self.kind: name, **row, **({} if r.split_sd is None else {"split_sd": r.split_sd})}
            for name, r in self.parts.items()
            for row in r.rows()
        ]

    def facts(self) -> dict[str, Any]:
        """Return what is true of each tournament, and of all."""
        keys = ("connected", "strongly_connected", "separated", "deviance", "deviance_p")
        each = {name: r.facts() for name, r in self.parts.items()}
        known = [found["deviance"] for found in each.values() if found["deviance"] is not None]
        apart = [f["separated"] for f in each.values() if f["separated"] is not None]
        agreement = self.agreement
        return {
            "kind": self.kind,
            "tournaments": {
                name: {
                    "candidates": len(self.parts[name].candidates),
                    "weight": (self.weights or {}).get(name, 1.0),
                    **{key: found.get(key) for key in keys},
                    "groups": found["groups"],
                    "split_sd": found["split_sd"],
                }
                for name, found in each.items()
            },
            "left_out": dict(self.left_out),
            "connected": all(found.get("connected", True) for found in each.values()),
            "strongly_connected": all(
                found.get("strongly_connected", True) for found in each.values()
            ),
            "separated": any(apart) if apart else None,
            "deviance": sum(known) if known else None,
            "reversed": None if agreement is None else list(agreement.reversed_),
            "reversed_beyond_noise": None if agreement is None else list(agreement.beyond_noise),
        }

    @property
    def verdict(self) -> str:
        """What the tournaments say together, and which of them goes against the others."""
        lines = []
        across = self.shown
        if across is None or self.across is None:
            lines.append(
                f"The {self._parts_in_words} have different candidates, so that "
                "ratings are not averaged."
            )
        else:
            best = best_of(across.mean)
            above, of = int(self.across.above[best]), np.count_nonzero(self._weights)
            often = f"all {of:,}" if above == of else f"{above:,} of {of:,}"
            told = f"; it is above average in {often}" if of > 1 else ""
            lines.append(
                f"{bare(across.settings[best])} has the highest {self._mean} rating, "
                f"{number(float(across.mean[best]), self._digits)}, over {self._averaged}"
                f"{told}."
            )
        apart = [name for name, r in self.parts.items() if r.separated]
        if apart:
            lines.append(
                f"In {len(apart)} of {self._parts_in_words} no finite ratings "
                f"exist ({listed(apart, most=4)}); there they are penalised."
            )
        if self.agreement is not None:
            lines += advice(self.agreement, noun=self.noun)
        return "\n".join(lines)

    def grid(self) -> Grid:
        """Return the mean rating of each candidate and how far it varies."""
        across, digits = self.shown, self._digits
        if across is None:
            return self._grid_of_parts()
        order = best_first(across.mean)
        names = list(self.parts)
        columns = (
            Column(name="candidate"),
            Column(name="mean rating", digits=digits, best="high"),
            Column(name="sd", digits=digits),
            Column(name="lowest", digits=digits),
            Column(name="on"),
            Column(name="highest", digits=digits),
            Column(name="on"),
        )
        cells = tuple(
            (
                across.settings[i],
                float(across.mean[i]),
                float(across.sd[i]),
                float(across.low[i]),
                names[int(across.worst_on[i])],
                float(across.high[i]),
                names[int(across.best_on[i])],
            )
            for i in order.tolist()
        )
        notes = (f"{self._mean.capitalize()} over {self._averaged}, each rated by itself.",)
        return Grid(columns=columns, cells=cells, notes=notes)

    def table(self, name: str) -> PartTable:
        """Return a table: tournaments or embedding, or one of those of each tournament."""
        return part_table(self, name)

    def _grid_of_parts(self) -> Grid:
        """Return who is best in each tournament, where candidates differ."""
        columns = (
            Column(name=self.kind),
            Column(name="candidates"),
            Column(name="highest rating"),
            Column(name="rating", digits=self._digits),
            Column(name="in a dead heat"),
        )
        cells = tuple(
            (
                name,
                len(r.candidates),
                r.candidates[r.order[0]],
                float(r.scale.shown(r.ratings)[r.order[0]]),
                len(r.groups[0]),
            )
            for name, r in self.parts.items()
        )
        return Grid(columns=columns, cells=cells)

    @property
    def _weights(self) -> Floats:
        given = self.weights or {}
        return np.array([given.get(name, 1.0) for name in self.parts], dtype=np.float64)

    @property
    def _mean(self) -> str:
        return "mean" if self.weights is None else "weighted mean"

    @property
    def scale(self) -> RatingScale:
        """How ratings are shown."""
        return next(iter(self.parts.values())).scale

    @property
    def _digits(self) -> int:
        return self.scale.digits

    @property
    def _parts_in_words(self) -> str:
        return counted(len(self.parts), self.kind, PLURALS[self.kind])

    @property
    def _averaged(self) -> str:
        """What the mean is over; a weight of 0 leaves a part out."""
        of, every = int(np.count_nonzero(self._weights)), self._parts_in_words
        return every if of == len(self.parts) else f"{of:,} of {every}"

    def _replicates(self, r: Ratings) -> Any:
        """Return the replicates in the order of the matrix."""
        rows = r.evidence.replicates
        place = {name: i for i, name in enumerate(r.candidates)}
        return None if rows is None else rows[:, [place[name] for name in self.matrix.settings]]

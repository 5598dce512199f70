"""Ratings that were saved as JSON: of one tournament, or of several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deadheat.errors import DeadheatError
from deadheat.inference.embedding import RatingMatrix, rating_matrix
from deadheat.inference.rating_scale import RatingScale, rating_scale
from deadheat.inference.tournaments import AcrossDataSets, across_data_sets
from deadheat.saved_result import SavedGroups
from deadheat.schemas.kinds import told
from deadheat.typing import Row

PARTS = ("tournament", "category")


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedRatings(SavedGroups):
    """Hold saved ratings; the chances of pairs are in the table ``pairs`` of the ratings."""

    def faults(self) -> Iterator[str]:
        """Yield where rows, tie groups and the scale contradict each other."""
        yield from super().faults()
        yield from self.turned("low", "high")
        yield from self.turned("rank_low", "rank_high")
        best = self.whole.get("leader_corrected")
        if best is not None and best["candidate"] not in self.candidates:
            yield f"facts.leader_corrected has {told(best['candidate'])}, who is in no row"
        if best is not None and not best["low"] <= best["rating"] <= best["high"]:
            yield "facts.leader_corrected has a rating outside its interval"
        try:
            _ = self.scale
        except DeadheatError as error:
            yield f"made has no scale of ratings: {error.fact.removesuffix('.')}"

    @property
    def scale(self) -> RatingScale:
        """How ratings are shown, as far as the shown ones tell."""
        made = self.made
        return rating_scale(
            made["scale"], np.empty(0), (), base=float(made["base"]), width=float(made["width"])
        )

    def row(self, candidate: str) -> Row:
        """Return what the ratings say about one candidate."""
        return self.record(candidate)


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedRatingParts(SavedRatings):
    """Hold saved ratings of several tournaments, or categories."""

    def faults(self) -> Iterator[str]:
        """Yield where rows do not say whose they are, or tournaments how much they count."""
        if self.kind not in PARTS:
            yield f"facts.kind is {told(self.kind)}, neither tournament nor category"
            return
        absent = [k for k, record in enumerate(self.records) if self.kind not in record]
        if absent:
            yield f"rows[{absent[0]}].{self.kind} is missing"
            return
        yield from super().faults()
        if {*self.parts} != {*self.whole.get("tournaments", ())}:
            yield f"facts.tournaments does not have every {self.kind} of the rows and no other"
        elif min(self.weights) < 0 or not sum(self.weights):
            yield "facts.tournaments has a weight below 0, or none above it"

    @property
    def kind(self) -> str:
        """What a part is: a tournament (a data set), or a category."""
        return str(self.whole["kind"])

    @property
    def noun(self) -> str:
        """What a part is called in a sentence."""
        return "category" if self.kind == "category" else "data set"

    @cached_property
    def parts(self) -> dict[str, dict[str, float]]:
        """The rating of each candidate, by part."""
        found: dict[str, dict[str, float]] = {}
        for record in self.records:
            found.setdefault(record[self.kind], {})[record["candidate"]] = record["rating"]
        return found

    @property
    def weights(self) -> list[float]:
        """How much each part counts in means over them."""
        return [self.whole["tournaments"][name]["weight"] for name in self.parts]

    @cached_property
    def shown(self) -> AcrossDataSets | None:
        """The mean rating of each candidate on the scale; None where candidates differ."""
        matrix: RatingMatrix = rating_matrix(self.parts)
        if np.isnan(matrix.ratings).any():
            return None
        with np.errstate(over="ignore"):  # of numbers that nobody computed
            return across_data_sets(matrix, weights=np.array(self.weights, dtype=np.float64))

    def place(self, record: Row) -> tuple[str, ...]:
        """Return what tells a row from all others."""
        return (record[self.kind], record["candidate"])

"""Other tables that ratings can be told in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from deadheat.errors import UnknownNameError, UsageError
from deadheat.inference.rating_grid import about_groups
from deadheat.inference.rating_intervals import difference_intervals
from deadheat.inference.tuning import tunability_of
from deadheat.inference.units import every_pair
from deadheat.result import Listing
from deadheat.typing import Row

if TYPE_CHECKING:
    from deadheat.inference.ratings import Ratings


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

"""The ratings of the settings of each algorithm as boxes: what a box plot draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deadheat.inference.ratings import Ratings
from deadheat.inference.tuning import algorithm_of
from deadheat.typing import Floats

REACH = 1.5  # of the length of a box, as far as its whiskers go at most


@dataclass(frozen=True, kw_only=True)
class Box:
    """Hold Tukey's box of some numbers.

    ``low`` and ``high`` are the farthest numbers within 1.5 times the length of the box from it;
    ``outside`` are those beyond.
    """

    algorithm: str
    settings: int
    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float
    outside: tuple[float, ...]


def box(algorithm: str, values: Floats) -> Box:
    """Return the box of some numbers; quartiles are interpolated between neighbours.

    >>> box("svm", np.array([1.0, 2.0, 3.0, 4.0, 20.0]))
    Box(algorithm='svm', settings=5, low=1.0, quarter=2.0, median=3.0, three_quarters=4.0, \
high=4.0, outside=(20.0,))
    """
    quarter, median, three = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    reach = REACH * (three - quarter)
    within = (values >= quarter - reach) & (values <= three + reach)
    return Box(
        algorithm=algorithm,
        settings=len(values),
        low=float(values[within].min()),
        quarter=quarter,
        median=median,
        three_quarters=three,
        high=float(values[within].max()),
        outside=tuple(np.sort(values[~within]).tolist()),
    )


def tuning_boxes(r: Ratings, *, algorithms: Mapping[str, str] | None = None) -> tuple[Box, ...]:
    """Return the box of the shown ratings of each algorithm, in the order of first settings.

    The longer a box, the more tuning matters for the algorithm. ``algorithms`` is the algorithm of
    each candidate; by default its name without the number at its end.
    """
    shown = r.scale.shown(r.ratings)
    of = [algorithm_of(name) if algorithms is None else algorithms[name] for name in r.candidates]
    return tuple(
        box(name, shown[[i for i, other in enumerate(of) if other == name]])
        for name in dict.fromkeys(of)
    )

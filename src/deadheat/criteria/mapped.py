"""Which ranking functions can stand on a map: those whose rankings correlate with others."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from deadheat.typing import Floats

FEWEST_ON_A_MAP = 2


class Correlated(Protocol):
    """What has the correlations between the rankings of functions, (F, F)."""

    @property
    def matrix(self) -> Floats:
        """The correlations; NaN where a function ties all candidates."""


def on_the_map(found: Correlated) -> list[int]:
    """Return the functions whose rankings correlate with others at all."""
    own = np.isfinite(np.diag(found.matrix))
    whole = np.isfinite(found.matrix[np.ix_(own, own)]).all(axis=1)
    return [int(k) for k in np.flatnonzero(own)[whole]]


def has_map(found: Correlated) -> bool:
    """Return whether enough functions rank for a map of them."""
    return len(on_the_map(found)) >= FEWEST_ON_A_MAP

"""Every distance of which the closest ranking can be asked for, by name."""

from __future__ import annotations

from deadheat.errors import UnknownNameError
from deadheat.ranking.consensus.cayley import cayley
from deadheat.ranking.consensus.euclidean import euclidean
from deadheat.ranking.consensus.footrule import footrule
from deadheat.ranking.consensus.found import Distance
from deadheat.ranking.consensus.hamming import hamming
from deadheat.ranking.consensus.kendall import kendall
from deadheat.ranking.consensus.spearman import spearman

DISTANCES = {d.name: d for d in (kendall, spearman, footrule, cayley, euclidean, hamming)}


def distance_named(name: str) -> Distance:
    """Return the distance of that name."""
    try:
        return DISTANCES[name]
    except (KeyError, TypeError):
        raise UnknownNameError("distance", str(name), DISTANCES) from None

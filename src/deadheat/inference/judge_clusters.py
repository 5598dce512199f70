"""Clusters of judges that rank alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.ranking.rank_vectors import unit_ranks
from deadheat.typing import Booleans, Floats, Integers


@dataclass(frozen=True, eq=False)
class Clusters:
    """Hold the cluster of each judge, from 1, the largest first; 0 for judges that tie all.

    ``order`` has the judges that tell candidates apart side by side with those most like them.
    """

    of_judge: Integers
    order: Integers

    def members(self) -> list[list[int]]:
        """Return the judges of each cluster."""
        number = int(self.of_judge.max(initial=0))
        return [np.flatnonzero(self.of_judge == k).tolist() for k in range(1, number + 1)]


def clusters_of(ranks: Floats, telling: Booleans, *, threshold: float) -> Clusters:
    r"""Return clusters of the judges with ranks (m, n), by average linkage on 1 - rho.

    Starting from single judges, the two clusters with the highest mean correlation between their
    members are joined, as long as that is at least the ``threshold``. So the number of clusters is
    not chosen, it follows; a judge that is like no other stays alone.
    """
    judges = np.flatnonzero(telling)
    of_judge = np.zeros(len(ranks), dtype=np.int64)
    if len(judges) < 2:
        of_judge[judges] = 1
        return Clusters(of_judge, judges)
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
    from scipy.spatial.distance import squareform

    units = unit_ranks(ranks[judges])
    apart = 1 - np.clip(units @ units.T, -1, 1)
    joined = linkage(squareform(apart, checks=False), "average")
    found = fcluster(joined, 1 - threshold + 1e-12, criterion="distance")
    of_judge[judges] = _largest_first(found)
    return Clusters(of_judge, judges[leaves_list(joined)])


def _largest_first(found: Integers) -> Integers:
    """Return labels from 1, the largest cluster first, among equals that of the first judge."""
    _, first, back, sizes = np.unique(
        found, return_index=True, return_inverse=True, return_counts=True
    )
    place = np.empty(len(sizes), dtype=np.int64)
    place[np.lexsort((first, -sizes))] = np.arange(1, len(sizes) + 1)
    return np.asarray(place[back])

"""One tie group after the other: a leader, and all that it is not shown better than."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deadheat.ranking.ranks import ranks
from deadheat.typing import Booleans, Floats, Integers


def peeled(
    columns: Integers,
    observed: Floats,
    medians: Floats,
    *,
    by_merit: bool,
    shown_worse: Callable[[int, Integers], Booleans],
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """Take one group after the other; return them, and whether the two leaders ever differed.

    Parameters
    ----------
    columns
        (B, n), the places of candidates in replicates, those of one candidate side by side.
    observed, medians
        (n,), observed merits, which decide among leaders, and median merits, whose order is the
        order inside a group.
    by_merit
        Whether the best merit leads; else who is first most often.
    shown_worse
        Says which of some others the leader is shown better than.
    """
    standing, inside = ranks(np.asarray(observed)), ranks(np.asarray(medians))
    remaining = np.arange(columns.shape[1])
    members: list[tuple[int, ...]] = []
    differ = False
    while len(remaining) > 1:
        most_often_first, best = _leaders(columns, standing, remaining)
        differ |= most_often_first != best
        first = best if by_merit else most_often_first
        others = remaining[remaining != first]
        worse = shown_worse(first, others)
        group = np.append(others[~worse], first)
        by_median = np.lexsort((group, standing[group], inside[group]))
        members.append(tuple(group[by_median].tolist()))
        remaining = others[worse]
    members += [(int(i),) for i in remaining]
    return tuple(members), differ


def _leaders(columns: Integers, standing: Floats, remaining: Integers) -> tuple[int, int]:
    """Return who is first most often, and who has the best merit; each decides the other's ties."""
    best_place = columns[:, remaining[0]].copy()
    for i in remaining[1:]:
        np.minimum(best_place, columns[:, i], out=best_place)
    firsts = np.array([np.count_nonzero(columns[:, i] == best_place) for i in remaining])
    by_firsts = np.lexsort((remaining, standing[remaining], -firsts))
    by_merit = np.lexsort((remaining, -firsts, standing[remaining]))
    return int(remaining[by_firsts[0]]), int(remaining[by_merit[0]])

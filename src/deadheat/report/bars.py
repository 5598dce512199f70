"""Cliques as bars in lanes: bars that overlap stand in different lanes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deadheat.inference.cliques import Cliques
from deadheat.typing import Integers

MOST = 60


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Hold the bars of a diagram: members by position, places in the order, lanes.

    ``left_out`` are the bars beyond those that a diagram has room for: the smallest, and every
    second or so where not even all cliques are known.
    """

    members: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, ...], ...]
    lanes: tuple[int, ...]
    left_out: int

    @property
    def depth(self) -> int:
        """How many lanes there are."""
        return max(self.lanes, default=-1) + 1

    def unbroken(self, bar: int) -> bool:
        """Return whether a bar passes nobody who is no member of it."""
        places = self.places[bar]
        return places[-1] - places[0] == len(places) - 1


def bars_of(found: Cliques, order: Integers, *, most: int = MOST) -> Bars:
    """Return the bars of cliques of at least two candidates, given the candidates best first."""
    at = {int(i): k for k, i in enumerate(order)}
    several = [clique for clique in found.members if len(clique) > 1]
    if found.whole:
        chosen = set(sorted(several, key=len, reverse=True)[:most])
    else:
        chosen = set(several[:: -(-len(several) // most) or 1])
    kept = [clique for clique in several if clique in chosen]
    places = [tuple(sorted(at[i] for i in clique)) for clique in kept]
    ends: list[int] = []
    lanes = []
    for place in places:
        lane = next((k for k, end in enumerate(ends) if end < place[0]), len(ends))
        ends[lane : lane + 1] = [place[-1]]
        lanes.append(lane)
    return Bars(
        members=tuple(kept),
        places=tuple(places),
        lanes=tuple(lanes),
        left_out=len(several) - len(kept),
    )


def dots(bars: Bars) -> list[dict[str, Any]]:
    """Return a record per member of a bar: its place in the order, and the lane."""
    return [
        {"place": place, "lane": lane}
        for places, lane in zip(bars.places, bars.lanes, strict=True)
        for place in places
    ]

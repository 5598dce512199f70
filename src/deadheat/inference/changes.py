"""How a ranking differs from another: ranks, the top 10, the podium, the winner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from deadheat.typing import Booleans, Floats, Integers

Kind = Literal["any", "top10_set", "top10_order", "top3_set", "top3_order", "winner"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TOPS = (10, 3)


@dataclass(frozen=True, eq=False)
class Changes:
    """Hold what each of some other rankings changes; :class:`Original` makes it."""

    flags: Booleans
    """(rankings, kinds): which of ``KINDS`` changed."""
    packed: Integers
    """(rankings, n / 8): whose rank changed, eight candidates in a byte."""
    number: Integers
    """(rankings,): how many candidates have another rank."""
    shift: Floats
    """(rankings,): the largest change of a rank."""
    change: Floats
    """(rankings,): the largest change of a difference of two merits."""
    unranked: Integers
    """(rankings,): how many candidates have a rank no more."""
    winners: dict[int, tuple[int, ...]]
    """Who is first, for the rankings in which that changed."""

    def __len__(self) -> int:
        return len(self.flags)

    def flag(self, kind: Kind) -> Booleans:
        """Return which rankings change this, (rankings,)."""
        return self.flags[:, KINDS.index(kind)]

    def moved(self, k: int) -> list[int]:
        """Return the candidates that have another rank in ranking k."""
        return [int(i) for i in np.flatnonzero(np.unpackbits(self.packed[k]))]

    @classmethod
    def joined(cls, blocks: Iterable[Changes]) -> Changes:
        """Return the changes of all blocks, one after the other."""
        parts: list[Changes] = []
        winners: dict[int, tuple[int, ...]] = {}
        done = 0
        for block in blocks:
            parts.append(block)
            winners |= {done + k: first for k, first in block.winners.items()}
            done += len(block)
        return cls(
            flags=np.concatenate([part.flags for part in parts]),
            packed=np.concatenate([part.packed for part in parts]),
            number=np.concatenate([part.number for part in parts]),
            shift=np.concatenate([part.shift for part in parts]),
            change=np.concatenate([part.change for part in parts]),
            unranked=np.concatenate([part.unranked for part in parts]),
            winners=winners,
        )


@dataclass(frozen=True, eq=False)
class Original:
    """Hold the ranking that others are compared with: merits and mean ranks, (n,)."""

    merits: Floats
    places: Floats

    @cached_property
    def first(self) -> tuple[int, ...]:
        """Who is ranked first, a set."""
        return _members(top(self.places[None, :], 1)[0])

    def size_of_top(self, k: int) -> int:
        """Return how many the top k are; more than k where there is a tie across its last place."""
        return int(top(self.places[None, :], k).sum())

    def changed_to(self, merits: Floats, places: Floats) -> Changes:
        """Return what other merits and mean ranks (rankings, n) change."""
        gone = np.isnan(places) & ~np.isnan(self.places)
        with np.errstate(invalid="ignore"):  # who has no rank
            shifts = np.abs(places - self.places)
        shifts[np.isnan(shifts)] = 0.0
        moved = (shifts > 0) | gone
        lead = top(places, 1)
        winner = (lead != top(self.places[None, :], 1)).any(axis=1)
        flags = {"any": moved.any(axis=1), "winner": winner}
        for k in TOPS:
            here = top(self.places[None, :], k)
            other = (top(places, k) != here).any(axis=1)
            flags[f"top{k}_set"] = other
            flags[f"top{k}_order"] = ~other & (moved & here).any(axis=1)
        return Changes(
            flags=np.stack([flags[kind] for kind in KINDS], axis=1),
            packed=np.packbits(moved, axis=1),
            number=moved.sum(axis=1),
            shift=shifts.max(axis=1),
            change=_spread(merits - self.merits),
            unranked=gone.sum(axis=1),
            winners={int(b): _members(lead[b]) for b in np.flatnonzero(winner)},
        )


def top(places: Floats, k: int) -> Booleans:
    """Return who is among the top k in each ranking: all whose best shared place is at most k.

    ``places`` are mean ranks (rankings, n). Where k exceeds n, everybody is who has a rank.

    >>> top(np.array([[1.0, 2.5, 2.5, 4]]), 2)
    array([[ True,  True,  True, False]])
    """
    k = min(k, places.shape[1])
    last = np.partition(places, k - 1, axis=1)[:, k - 1 : k]  # NaN comes last
    return np.asarray(places <= np.where(np.isnan(last), np.inf, last))


def _spread(differences: Floats) -> Floats:
    """Return the largest less the smallest of each row, of those that are numbers."""
    known = np.isfinite(differences)
    high = np.where(known, differences, -np.inf).max(axis=1)
    low = np.where(known, differences, np.inf).min(axis=1)
    return np.where(known.any(axis=1), high - low, np.nan)


def _members(there: Booleans) -> tuple[int, ...]:
    return tuple(np.flatnonzero(there).tolist())

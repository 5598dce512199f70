"""The mean rank over all optimal rankings, in many replicates at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deadheat.errors import TooLongError
from deadheat.ranking import blocks
from deadheat.ranking.consensus.clock import Clock
from deadheat.ranking.consensus.components import closure
from deadheat.ranking.consensus.contest import Contest
from deadheat.ranking.consensus.strict import Part, strict_parts
from deadheat.ranking.consensus.subsets import MOST, optimal_orders
from deadheat.typing import Booleans, Floats, Integers

LARGEST = 40  # candidates in one cycle of majorities: a second is enough for most
PATIENCE = 10.0  # seconds for one replicate; what is not proven then is refused, never guessed
ELSEWHERE = (
    "deadheat consensus ranks them once, with a time limit; or rank by copeland, schulze or "
    "average_rank."
)
SAME = 1e-9  # of the total weight: losses closer than this are equal


@dataclass(frozen=True, eq=False)
class Field:
    """Hold the distinct candidates of every replicate: margins (B, n, n) and copies (B, n).

    Candidates with the same margins against everybody are one, with all their copies, and
    ``leader`` (B, n) says which. Those that are not there lose to all others, so that they stand
    last and change no rank.
    """

    margins: Floats
    copies: Floats
    leader: Integers
    tolerance: Floats

    @property
    def blocks(self) -> tuple[Booleans, Booleans]:
        """Who shares a block with whom, and who is in a later block, (B, n, n) both."""
        reach = closure(self.margins >= 0)
        back = reach.swapaxes(1, 2)
        return reach & back, reach & ~back


def field_of(margins: Floats, copies: Floats, *, noise: Floats, total: Floats) -> Field:
    """Return the distinct candidates; margins that differ by noise (B, 1) are equal."""
    size, n, _ = margins.shape
    there = copies > 0
    same = np.empty((size, n, n), dtype=bool)
    for i in range(n):
        apart = np.abs(margins - margins[:, i, None, :]) > 2 * noise[:, :, None]
        same[:, i] = ~(apart & there[:, None, :]).any(axis=2)
    same &= there[:, :, None] & there[:, None, :]
    leader = np.where(there, np.argmax(same, axis=2), np.arange(n))
    leads = there & (leader == np.arange(n))
    merged = np.where(leads, np.einsum("bij,bj->bi", same, copies), 0.0)
    order = np.where(leads, -1, np.arange(n))  # the absent one after the other, after the others
    absent = ~(leads[:, :, None] & leads[:, None, :])
    placed = np.sign(order[:, None, :] - order[:, :, None])
    exact = noise == 0
    tolerance = np.where(exact, 0.25, SAME * total)[:, 0]
    return Field(np.where(absent, placed, margins), merged, leader, tolerance)


def mean_ranks(field: Field) -> Floats:
    """Return the mean rank of each candidate over the optimal rankings, (B, n), 1 = best."""
    shared, later = field.blocks
    above = np.einsum("bij,bi->bj", later, field.copies)
    ranks = above + (field.copies + 1) / 2
    for size, (replicates, members) in _by_size(shared):
        solve = _by_subsets if size <= MOST else _one_by_one
        within = solve(field, replicates, members)
        first = np.take_along_axis(above[replicates], members, axis=1)
        ranks[replicates[:, None], members] = first + within
    return np.take_along_axis(ranks, field.leader, axis=1)


def _by_size(shared: Booleans) -> Iterator[tuple[int, tuple[Integers, Integers]]]:
    """Yield all blocks of one size: their replicates (k,) and members (k, size)."""
    sizes = shared.sum(axis=2)
    first = np.argmax(shared, axis=2) == np.arange(shared.shape[1])
    for size in np.unique(sizes[first]).tolist():
        if size > 1:
            replicates, heads = np.nonzero(first & (sizes == size))
            members = np.nonzero(shared[replicates, heads])[1].reshape(-1, size)
            yield size, (replicates, members)


def _by_subsets(field: Field, replicates: Integers, members: Integers) -> Floats:
    k, size = members.shape
    step = max(1, blocks.WORKING_SET // (size << size))
    found = []
    for start in range(0, k, step):
        part, who = replicates[start : start + step], members[start : start + step]
        copies = field.copies[part[:, None], who]
        margins = field.margins[part[:, None, None], who[:, :, None], who[:, None, :]]
        losses = np.maximum(-margins, 0.0) * copies[:, :, None] * copies[:, None, :]
        optima = optimal_orders(losses, tolerance=field.tolerance[part])
        found.append(optima.mean_ranks(copies))
    return np.concatenate(found)


def _one_by_one(field: Field, replicates: Integers, members: Integers) -> Floats:
    """Return the ranks in one optimal order, where there are too many candidates to know all."""
    ranks = np.empty(members.shape)
    for row, (b, who) in enumerate(zip(replicates, members, strict=True)):
        copies = field.copies[b, who]
        order = np.concatenate([part.order for part in parts_of(field, int(b), who)])
        before = np.cumsum(copies[order]) - copies[order]
        ranks[row, order] = before + (copies[order] + 1) / 2
    return ranks


def parts_of(field: Field, b: int, who: Integers) -> list[Part]:
    """Return optimal orders of the cycles among some candidates of one replicate.

    Raises
    ------
    TooLongError
        Where a cycle is too large, or a replicate takes too long.
    """
    copies = field.copies[b, who]
    margins = field.margins[b][np.ix_(who, who)] * copies[:, None] * copies
    exact = field.tolerance[b] == 0.25
    contest = Contest(margins, np.zeros_like(margins), np.abs(margins), 1.0 if exact else 0.0)
    largest = int(_cycle_sizes(margins).max())
    if largest > LARGEST:
        raise TooLongError(
            f"kemeny would take too long: {largest} candidates form one cycle of majorities, and "
            f"it ranks at most {LARGEST} such.",
            hint=ELSEWHERE,
        )
    parts = strict_parts(contest, Clock(PATIENCE), wants_unique=False)
    if not all(contest.strict_steps.met(part.loss, part.bound) for part in parts):
        raise TooLongError(
            f"kemeny takes too long: {PATIENCE:g} s did not suffice to prove the best order of "
            f"{largest} candidates that form one cycle of majorities.",
            hint=ELSEWHERE,
        )
    return parts


def _cycle_sizes(margins: Floats) -> Integers:
    reach = closure(margins[None] > 0)[0]
    return np.asarray((reach & reach.T).sum(axis=1))

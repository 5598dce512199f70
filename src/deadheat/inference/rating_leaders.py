"""Who leads, in a sentence: alone, or in a dead heat, and why nobody is told apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deadheat.errors import bare, counted
from deadheat.inference.rating_cautions import least_replicates
from deadheat.inference.rating_claims import error_is_unknown, why_unknown
from deadheat.inference.rating_intervals import difference_intervals
from deadheat.inference.rating_luck import thinly_spread
from deadheat.text import number

if TYPE_CHECKING:
    from deadheat.inference.ratings import Ratings

FEW = 4  # names that a sentence can bear


def first_group(r: Ratings, *, by_name: bool = False) -> str:
    """Return who is shown better than all others, or who is not told apart, and why.

    ``by_name`` where the sentence stands alone, so that "it" would be nobody.
    """
    first, n = r.groups[0], len(r.candidates)
    if len(first) > 1:
        return _untested(r) or f"{_dead_heat(first, n)}{_luck(r) or _lead_seen(r)}"
    (leader,) = first
    who = "It" if r.order[0] == r.at(leader) and not by_name else plain(leader)
    others = "the other one" if n == 2 else f"each of the other {n - 1:,}"
    if r.evidence.too_few:
        few = f"{r.evidence.in_words()} are too few to show that it is better"
        return f"{who} is ahead of {others}, but {few}."
    if error_is_unknown(r):
        why = f"by tests whose error is not known {why_unknown(r)}"
        return f"{who} is put ahead of {others}, {why}."
    if r.grouped.tests is not None:
        return f"{who} is shown better than {others}."
    who = "it" if who == "It" else who
    wider = "; intervals are two-sided and wider" if _includes_half(r, r.at(leader)) else ""
    return f"One-sided tests at {100 * r.alpha:g} % show {who} better than {others}{wider}."


def _untested(r: Ratings) -> str:
    """Return that the first group was not tested, where resamples are too few to show anything."""
    tests, n = r.grouped.tests, len(r.candidates)
    drawn = len(r.evidence.replicates) if r.evidence.replicates is not None else 0
    corrected = n - 1
    if tests is not None:
        drawn, corrected = tests.replicates, 1 if tests.method.startswith("max-t") else n * (n - 1)
    least = least_replicates(corrected, r.alpha)
    if not 0 < drawn < least:
        return ""
    return (
        f"Whether anybody is better than the next was not tested: "
        f"{counted(drawn, 'resample')} are too few for that, {least:,} are the least."
    )


def _dead_heat(first: tuple[str, ...], n: int) -> str:
    if len(first) == n:
        return f"{'Both' if n == 2 else f'All {n:,}'} candidates are in a dead heat."
    if len(first) > FEW:
        return f"{len(first):,} of {n:,} candidates are in a dead heat for first place."
    return f"{named(first)} are in a dead heat for first place."


def _lead_seen(r: Ratings) -> str:
    """Return which lead would have been seen, so that a tie is not taken for equality."""
    if r.detectable is None:
        return ""
    lead = number(float(f"{r.detectable:.2g}"))
    return f" A lead of {lead} or more would have been seen (in 4 of 5 cases)."


def _luck(r: Ratings) -> str:
    """Return why the best are in a dead heat, where matches or units are too few to tell."""
    number_of = r.evidence.units
    if r.evidence.too_few or (number_of is not None and 0.5**number_of > r.alpha):
        return f" {r.evidence.in_words()} to draw from are too few to show that anybody is better."
    best, fit = r.order[0], r.fit
    if fit is None or r.matches is None or r.evidence.separation is None:
        return ""
    who, few = plain(r.candidates[best]), r.lucky.get(best)
    if few is not None and best in fit.existence.undefeated:
        met = f"{number(few)} {'match' if few == 1 else 'matches'}"
        return f" {who} won all of {met} with the rest, too few to show that it is better."
    parts = r.evidence.separation
    thin = thinly_spread(fit, parts, r.matches.independent, best, alpha=r.alpha)
    if thin is not None:
        return (
            f" {who} won all of {number(thin.matches)} matches, but had {number(thin.most)} at "
            f"most with any one of {counted(thin.rivals, 'rival')}: too few to show that it is "
            "better than each of them."
        )
    tied = [r.at(name) for name in r.groups[0]]
    below = [r.candidates[i] for i in tied if parts.higher(np.array([best]), np.array([i]))[0]]
    if not below:
        return ""
    return (
        f" {named(below)} never won against the best part of the field, in too few matches to "
        "show more."
    )


def _includes_half(r: Ratings, leader: int) -> bool:
    """Return whether some closed interval of a win probability of the leader holds one half."""
    others = np.delete(np.arange(len(r.candidates)), leader)
    mine = np.full(len(others), leader)
    found = difference_intervals(r.evidence, mine, others, alpha=r.alpha, kind=r.bounds.kind)
    return bool((np.isfinite(found.low) & (found.low <= 0)).any())


def named(names: Sequence[str]) -> str:
    """Return a few names as a sentence has them, or how many there are."""
    if len(names) > FEW:
        return counted(len(names), "candidate")
    each = [plain(name) for name in names]
    return each[0] if len(each) == 1 else f"{', '.join(each[:-1])} and {each[-1]}"


def plain(name: str) -> str:
    """Return a name on one line."""
    return bare(name)

"""What a verdict says about the order that was official, or observed, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from deadheat.errors import bare, counted
from deadheat.inference.claims import (
    pair_confirmed,
    tests_in_words,
    told_apart,
    too_few,
    units,
    why_unknown,
)
from deadheat.inference.groups import Members
from deadheat.typing import Floats

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict


def against_the_official(v: Verdict) -> Iterator[str]:
    """Yield which pairs the groups put the other way round, and whether tests say so."""
    pairs = inverted_pairs(v.members, v.official)
    if not pairs:
        if v.has_official:
            yield _not_contradicted(v)
        return
    what = f"the official order{_known(v)}" if v.has_official else f"the ranking by {v.called}"
    verb = "stands" if len(pairs) == 1 else "stand"
    yield (
        f"{counted(len(pairs), 'pair')} {verb} in the groups the other way round than in {what} "
        f"{_why_inverted(v, pairs)}"
    )


def _not_contradicted(v: Verdict) -> str:
    """Say that the groups agree with the official order, as far as there is one."""
    known = v.official[np.isfinite(v.official)]
    if len(known) == 1:
        return (
            f"Only 1 of {len(v.candidates):,} candidates has an official rank: too few to say "
            "whether the groups contradict the official order."
        )
    if known.min() == known.max():
        return f"The official ranks{_known(v)} are all the same: there is no order to contradict."
    return f"The groups contradict the official order{_known(v)} nowhere."


def _known(v: Verdict) -> str:
    """Return how many have an official rank, where not all have."""
    known, n = int(np.isfinite(v.official).sum()), len(v.candidates)
    return "" if known == n else f" of {known:,} of {n:,} candidates"


def _why_inverted(v: Verdict, pairs: Sequence[tuple[int, int]]) -> str:
    """Name a pair, one that a test told apart if there is one, and say whether one did."""
    apart = [pair for pair in pairs if told_apart(v, *pair)]
    better, worse = (bare(v.candidates[i]) for i in (apart or pairs)[0])
    such = "such as " if len(pairs) > 1 else ""
    tests = "tests" if all(pair_confirmed(v, *pair) for pair in apart) else tests_in_words(v)
    if len(apart) == len(pairs):
        return f"({such}{better} above {worse}), and {tests} tell {_them(pairs)} apart."
    few, silent = too_few(v), too_few(v) or why_unknown(v)
    if v.has_official and not silent:
        number = f"{len(apart):,} of them" if apart else _them(pairs)
        verb = "tell" if apart else "do not tell"
        return f"({such}{better} above {worse}): {tests} {verb} {number} apart."
    tested = "only the leader of a group is tested against the rest"
    if v.strictly is not None:
        tested = "tests do not tell every pair of two groups apart"
    if silent:
        tested = f"{units(v)} are too few for a test" if few else "resampling is no test here"
    shown = f"; {tests} tell {len(apart):,} of them apart" if apart else ""
    return f"({such}{better} above {worse}{shown}): {tested}."


def _them(pairs: Sequence[object]) -> str:
    return "them" if len(pairs) == 1 else "all of them"


def inverted_pairs(members: Members, official: Floats) -> list[tuple[int, int]]:
    """Return the pairs of which the first has the better group and the worse official rank."""
    return [
        (i, j)
        for g, group in enumerate(members)
        for i in group
        for later in members[g + 1 :]
        for j in later
        if official[i] > official[j]
    ]

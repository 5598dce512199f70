"""What a verdict says about the order that was official, or observed, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from deadheat.errors import bare, counted
from deadheat.inference.claims import error_is_unknown, told_apart, too_few, units
from deadheat.inference.groups import Members
from deadheat.typing import Floats

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict


def against_the_official(v: Verdict) -> Iterator[str]:
    """Yield which pairs the groups put the other way round, and whether tests say so."""
    pairs = inverted_pairs(v.members, v.official)
    what = "the official order" if v.has_official else f"the ranking by {v.called}"
    if not pairs:
        if v.has_official:
            yield "The groups contradict the official order nowhere."
        return
    verb = "stands" if len(pairs) == 1 else "stand"
    yield (
        f"{counted(len(pairs), 'pair')} {verb} in the groups the other way round than in {what} "
        f"{_why_inverted(v, pairs)}"
    )


def _why_inverted(v: Verdict, pairs: Sequence[tuple[int, int]]) -> str:
    """Name a pair, one that a test told apart if there is one, and say whether one did."""
    apart = [pair for pair in pairs if told_apart(v, *pair)]
    better, worse = (bare(v.candidates[i]) for i in (apart or pairs)[0])
    such = "such as " if len(pairs) > 1 else ""
    if len(apart) == len(pairs):
        return f"({such}{better} above {worse}), and tests tell {_them(pairs)} apart."
    few = too_few(v)
    tested = "only the leader of a group is tested against the rest"
    if v.strictly is not None:
        tested = "tests do not tell every pair of two groups apart"
    if few or error_is_unknown(v):
        tested = f"{units(v)} are too few for a test" if few else "the plan is no test"
    shown = f"; tests tell {len(apart):,} of them apart" if apart else ""
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

"""Whether battles connect all candidates, without which ratings have no common scale."""

from __future__ import annotations

import shlex

from deadheat.errors import DataError
from deadheat.ranking.rating.existence import Existence
from deadheat.ranking.rating.pair_counts import PairCounts

MOST_PARTS = 6


def require_connected(pairs: PairCounts, found: Existence) -> None:
    """Refuse candidates that no chain of battles connects."""
    if pairs.n < 2:
        raise DataError(
            f"ratings need two candidates or more, got {pairs.n}.",
            hint="a rating says who beats whom.",
        )
    if not found.connected:
        shown = "; ".join(pairs.called(part) for part in found.components[:MOST_PARTS])
        more = len(found.components) - MOST_PARTS
        raise DataError(
            f"no battle links the {len(found.components)} parts of the field, so their ratings "
            f"have no common scale: {shown}{f'; and {more} more' if more > 0 else ''}.",
            hint=f"add battles between them, or rate {pairs.called(found.components[0])} by "
            f"themselves: of a log leave out the rows of the others with {_left_out(pairs, found)} "
            "(where= in Python), COL being the column of the left candidate.",
        )


def _left_out(pairs: PairCounts, found: Existence) -> str:
    """Return the options that leave out all but the largest part, or those for its first names."""
    others = [i for part in found.components[1:] for i in part]
    names = [pairs.names[i] if pairs.names else str(i) for i in others[:MOST_PARTS]]
    said = " ".join(f"--where {shlex.quote(f'COL!={name}')}" for name in names)
    return said if len(others) <= MOST_PARTS else f"{said} ..."

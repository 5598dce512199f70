"""Whether battles connect all candidates, without which ratings have no common scale."""

from __future__ import annotations

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
            hint="add battles between them, or leave out all but one part.",
        )

"""Names in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.errors import bare

MOST_NAMES = 5


def named(names: Sequence[str], *, most: int = MOST_NAMES) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``; of many the first and how many more.

    >>> named(["a", "b", "c"]), named(["a", "b", "c"], most=2), named([])
    ('a, b and c', 'a, b and 1 more', 'nobody')
    """
    parts = [short(name) for name in names[:most]]
    if len(names) > most:
        parts.append(f"{len(names) - most:,} more")
    if len(parts) < 2:
        return parts[0] if parts else "nobody"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def short(name: str) -> str:
    """Return a name on one line, cut where it would fill the screen."""
    return bare(name)

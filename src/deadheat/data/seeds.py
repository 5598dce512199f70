"""What a seed must be, for all that is drawn at random."""

from __future__ import annotations

from deadheat.errors import UsageError


def require_seed(seed: object) -> None:
    """Raise unless the seed is a whole number of at least 0."""
    if type(seed) is not int or seed < 0:
        raise UsageError(
            f"the seed must be a whole number of at least 0, got {seed!r}.",
            hint="e.g. seed=0 (--seed 0); the same one gives the same answer.",
        )

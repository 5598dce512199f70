"""What a verdict says about one candidate."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Hold what a verdict says about one candidate.

    ``merit``, ``low``, ``high`` and ``median_merit`` are merits, higher is better; ``shown``,
    ``shown_low`` and ``shown_high`` are the same as people write them. ``official`` is the official
    rank where one was given, ``first_error`` the Monte-Carlo error of ``first_share``.
    """

    candidate: str
    merit: float
    low: float
    high: float
    shown: float
    rank: float
    rank_low: float
    rank_high: float
    first_share: float
    group: int
    fractional_rank: float
    median_merit: float
    first_error: float
    shown_low: float
    shown_high: float
    official: float | None

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the merit."""
        return self.low, self.high

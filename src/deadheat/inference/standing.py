"""What a verdict says about one candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CLOSE = 1.96  # Monte-Carlo errors either side, for 95 %


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Hold what a verdict says about one candidate.

    ``merit``, ``low``, ``high`` and ``median_merit`` are merits, higher is better; ``shown``,
    ``shown_low`` and ``shown_high`` are the same as people write them. ``official`` is the official
    rank where one was given, ``first_error`` the Monte-Carlo error of ``first_share``;
    ``may_be_best`` is whether it is in :attr:`Verdict.best`, None where there is no such set.
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
    may_be_best: bool | None

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the merit."""
        return self.low, self.high

    @property
    def first_interval(self) -> tuple[float, float]:
        """The share ranked first less and plus what other random draws might change (95 %)."""
        close = CLOSE * self.first_error
        return max(0.0, self.first_share - close), min(1.0, self.first_share + close)


def digits_of(numbers: Sequence[float]) -> int:
    """Return how many decimals numbers deserve: none where all are whole, else four figures.

    >>> digits_of([2.0, 30.0]), digits_of([1.25, 12.5]), digits_of([12345.6, 1.0])
    (0, 2, 0)
    """
    if all(x == round(x) for x in numbers):
        return 0
    return max(0, 4 - len(f"{max(map(abs, numbers)):.0f}"))

"""How much time is left."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Clock:
    """Count down from a limit in seconds, which may be infinite."""

    limit: float
    started: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self.started

    @property
    def left(self) -> float:
        """The seconds that are left, 0 at least."""
        return max(self.limit - self.spent, 0.0)

    @property
    def over(self) -> bool:
        """Whether no time is left."""
        return self.left == 0

"""How much time is left, and what was reached so far."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

Watcher = Callable[[float, float], None]
"""Is told the best objective so far, and what no ranking comes below."""


@dataclass(frozen=True)
class Clock:
    """Count down from a limit in seconds, which may be infinite; tell a watcher, if there is one.

    ``solved`` is what the parts that are done add to the bound of the part at work, and ``waiting``
    what those that are not add to the objective besides.
    """

    limit: float
    started: float = field(default_factory=time.monotonic)
    watcher: Watcher | None = None
    solved: float = 0.0
    waiting: float = 0.0
    now: Callable[[], float] = time.monotonic

    @property
    def spent(self) -> float:
        """The seconds since the start."""
        return self.now() - self.started

    @property
    def left(self) -> float:
        """The seconds that are left, 0 at least."""
        return max(self.limit - self.spent, 0.0)

    def is_over(self) -> bool:
        """Return whether no time is left."""
        return self.left == 0

    def within(self, share: float) -> bool:
        """Return whether less than a share of the limit is spent."""
        return self.spent < share * self.limit

    def beside(self, solved: float, waiting: float = 0.0) -> Clock:
        """Return the same clock for a part of the whole."""
        return replace(self, solved=self.solved + solved, waiting=self.waiting + waiting)

    def tell(self, objective: float, bound: float) -> None:
        """Tell the watcher what was reached in this part."""
        if self.watcher is not None:
            self.watcher(self.solved + self.waiting + objective, self.solved + bound)

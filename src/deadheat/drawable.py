"""What can be drawn: results, and the tables and runs that they are computed from."""

from __future__ import annotations

import importlib
from typing import Any


class Drawable:
    """Have pictures."""

    def plot(self, kind: str | None = None, *, width: str | int = "page") -> Any:
        """Return a picture; without a ``kind`` the one that suits best.

        Its ``save("fig.svg")`` writes SVG, PDF, PNG or HTML. ``width`` is ``"page"``, ``"column"``
        or a number of pixels.
        """
        registry = importlib.import_module("deadheat.report.registry")  # a layer above this one
        return registry.drawn(self, kind, width=width)

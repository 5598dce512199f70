"""How a result was made, as far as its table says."""

from __future__ import annotations

from typing import Any

from deadheat.data.results import Results
from deadheat.result import made


def made_from(results: Results, **facts: Any) -> dict[str, Any]:
    """Return what it takes to make a result from this table again."""
    return dict(
        made(
            **({"seed": None} | facts),
            source=results.source,
            sha256=results.sha256,
            candidates=results.n,
            judges=results.m,
            better=results.direction(),
            missing=results.missing,
            tie_tol=results.tie_tol,
            **({"rule": results.rule} if results.rule else {}),
        )
    )

"""What a layout makes of the rows: candidates x judges, before directions and policies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from deadheat.data.stream import Facts
from deadheat.errors import DataError, quoted
from deadheat.typing import Booleans, Floats


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """The scores as they were written, and what the table says about its judges.

    ``about`` holds the cells of the stratum, cluster and weight columns, one per judge.
    ``origins`` names the judge that each repeat belongs to, where repeats became judges.
    """

    values: Floats
    candidates: Sequence[str] = ()
    judges: Sequence[str] = ()
    about: dict[str, list[str]] = field(default_factory=dict)
    origins: Sequence[str] | None = None
    facts: Facts = ()
    notes: tuple[str, ...] = ()


def refuse_mixed_percent(
    values: Floats, percent: Booleans, judges: Sequence[str], source: str
) -> None:
    """Refuse a judge of whose scores only some have a percent sign (candidates x judges)."""
    written = ~np.isnan(values)
    some = (percent & written).any(axis=0) & (~percent & written).any(axis=0)
    if some.any():
        j = int(np.argmax(some))
        judge = quoted(judges[j]) if judges else f"{j + 1:,}"
        raise mixed_percent(judge, source)


def mixed_percent(judge: str, source: str) -> DataError:
    """Return the error for one judge with and without percent signs."""
    return DataError(
        f"{source}: judge {judge} has scores with and without a percent sign.",
        hint="write all of them in one way: 91.2% and 0.912 would not be comparable.",
    )

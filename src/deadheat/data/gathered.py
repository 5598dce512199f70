"""What a layout makes of the rows: candidates x judges, before directions and policies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from deadheat.data.numbers import BadCellError
from deadheat.data.stream import Facts
from deadheat.errors import DataError, quoted
from deadheat.typing import Booleans, Floats

LEAVE_EMPTY = "leave the cell empty (or write n/a) where a score is missing"


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """The scores as they were written, and what the table says about its judges.

    ``about`` holds the cells of the stratum, cluster and weight columns, one per judge.
    ``origins`` names the judge that each repeat belongs to, where repeats became judges.
    """

    values: Floats
    candidates: Sequence[str] = ()
    judges: Sequence[str] = ()
    about: dict[str, list[str | None]] = field(default_factory=dict)
    origins: Sequence[str] | None = None
    facts: Facts = ()
    notes: tuple[str, ...] = ()


def bad_score(bad: BadCellError, source: str, place: str, decimal: str | None) -> DataError:
    """Return what is wrong with a cell that is no finite number."""
    if bad.infinite:
        return DataError(
            f"{source}: {place}: the score is infinite ({quoted(bad.text)}).",
            hint="leave such cells empty and say --missing worst, or write the cutoff instead.",
        )
    if decimal == "," and "." in bad.text:
        return DataError(
            f"{source}: {place}: {quoted(bad.text)} is no number where the decimal sign is a "
            "comma.",
            hint="say --decimal '.' if commas separate thousands.",
        )
    return DataError(
        f"{source}: {place}: {quoted(bad.text)} is not a number.", hint=f"{LEAVE_EMPTY}."
    )


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

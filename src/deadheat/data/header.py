"""Whether the first row names the columns or is already data."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from deadheat.data.mistakes import is_uncertain
from deadheat.data.numbers import looks_numeric
from deadheat.data.roles import is_label
from deadheat.errors import quoted


def has_header(first: Sequence[str], following: Sequence[Sequence[str]]) -> tuple[bool, str]:
    """Return whether a first row is a header, and a note where that could be doubted.

    A row with a word beyond its first cell is a header, unless that word is a missing one.
    Numbers can be names too (years, the 0, 1, 2 of pandas): then the first cell decides.
    """
    rest = [cell.strip() for cell in first[1:]]
    if any(not looks_numeric(cell) and not is_uncertain(cell) for cell in rest):
        return True, ""
    label = first[0].strip() if first else ""
    if not rest:
        return not looks_numeric(label), ""
    if not looks_numeric(label) or label == "":
        return _numeric_names(label, rest, following)
    if len(first) > 2 and [label, *rest] == [str(k) for k in range(len(first))]:
        return True, "the first row 0, 1, 2, ... is read as a header."
    return False, ""


def _numeric_names(
    label: str, rest: Sequence[str], following: Sequence[Sequence[str]]
) -> tuple[bool, str]:
    if not following or label == "" or is_label(label):
        return True, ""
    if all(cell.isdecimal() for cell in rest) and _ascending(rest):
        return True, _doubt(label, "a header")
    return False, _doubt(label, "data, not a header")


def _ascending(cells: Sequence[str]) -> bool:
    """Return whether whole numbers grow, as years and counters do."""
    return all(Decimal(one) < Decimal(other) for one, other in pairwise(cells))


def _doubt(label: str, taken: str) -> str:
    other = "--no-header" if taken == "a header" else "--header"
    return (
        f"the first row ({quoted(label)} and numbers) is read as {taken}; {other} says otherwise."
    )


def generated(width: int) -> list[str]:
    """Return names for the columns of a table that has no header."""
    return [f"column_{k}" for k in range(1, width + 1)]

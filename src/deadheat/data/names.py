"""Names of candidates and judges as they stand in cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from deadheat.data.encoding import repaired
from deadheat.errors import DataError, quoted

# Our own CSV output guards such names with one more apostrophe; the last four are in full width.
FORMULA = re.compile("'+[-=+@\uff1d\uff0b\uff0d\uff20]")


def name_of(cell: str | None, *, guarded: bool = False) -> str:
    """Return the name in a cell: trimmed, and without the guard where there may be one."""
    name = repaired((cell or "").strip())
    return name[1:] if guarded and FORMULA.match(name) else name


def unique(
    names: Sequence[str], kind: str, source: str, place: Callable[[int], str], *, long: str = ""
) -> Sequence[str]:
    """Return the names; refuse an empty one and the second of two that are equal.

    ``long`` says how to read the table as a long one, where it may be one.
    """
    seen: dict[str, int] = {}
    for position, name in enumerate(names):
        if not name:
            raise DataError(
                f"{source}: the {kind} in {place(position)} has no name.",
                hint=f"every {kind} needs a name; fill the empty cell or remove it.",
            )
        first = seen.setdefault(name, position)
        if first != position:
            raise DataError(
                f"{source}: {kind} {quoted(name)} appears twice, "
                f"in {place(first)} and {place(position)}.",
                hint=f"every {kind} needs a name of its own; rename or remove one"
                + (f", or, if it is a long table: {long}." if long else "."),
            )
    return names
